//! One number in every scheme, and what damage to its bytes reads as.
//!
//! The damage is that of the worked examples in the essay: each byte left out, each byte there twice, each two
//! neighbours swapped. What reads as no number at all is gathered in one line; what reads as some has a line of
//! its own, for that is the point of the example.

use std::fmt::Write as _;

use runecast_schemes::remarks::{REMARKS, WORKED};
use runecast_schemes::{ALL, Scheme, Step, Strict, length, steps};
use serde::Serialize;

use super::json::{RemarkObject, remarks};
use super::text;
use crate::ui::console::{Console, Styles, push};
use crate::ui::json::{SCHEMA, line};
use crate::ui::wrap::wrapped;

/// How many bytes fit in a line, bit by bit.
const PER_LINE: usize = 5;

/// A number in all schemes, with the schema of the README.
#[derive(Serialize)]
struct Example {
    schema: u32,
    command: &'static str,
    strict: bool,
    value: u32,
    forms: Vec<Shown>,
    remarks: Vec<RemarkObject>,
}

/// An element of `forms`.
#[derive(Serialize)]
struct Shown {
    scheme: &'static str,
    #[serde(skip)]
    title: &'static str,
    /// Null if the number has no form in it.
    bytes: Option<Vec<u8>>,
    tag_bits: Vec<u32>,
    /// Null if the essay does not write it out.
    as_in_essay: Option<bool>,
    damage: Vec<Damaged>,
}

/// An element of `damage`.
#[derive(Serialize)]
struct Damaged {
    kind: &'static str,
    /// The place of the byte, or of the first of two, from 0.
    at: usize,
    bytes: Vec<u8>,
    reads: Vec<Read>,
}

/// An element of `reads`.
#[derive(Serialize)]
struct Read {
    len: usize,
    value: Option<u32>,
    fault: Option<String>,
}

impl Read {
    fn of(step: Step) -> Read {
        Read {
            len: length(step),
            value: step.ok().map(|decoded| decoded.value),
            fault: step.err().map(|error| error.fault.to_string()),
        }
    }
}

/// What becomes of these bytes.
fn damaged(scheme: &dyn Scheme, form: &[u8]) -> Vec<Damaged> {
    let case = |kind, at, bytes: Vec<u8>| {
        let reads = steps(scheme, &bytes).map(Read::of).collect();
        Damaged { kind, at, bytes, reads }
    };
    let without = (0..form.len()).map(|at| case("deletion", at, [&form[..at], &form[at + 1..]].concat()));
    let twice = (0..form.len()).map(|at| case("repetition", at, [&form[..=at], &form[at..]].concat()));
    let swapped = (1..form.len()).filter(|&at| form[at - 1] != form[at]).map(|at| {
        let mut bytes = form.to_vec();
        bytes.swap(at - 1, at);
        case("swap", at - 1, bytes)
    });
    without.chain(twice).chain(swapped).collect()
}

/// The number in one scheme.
fn shown(scheme: &'static dyn Scheme, number: u32, strict: bool) -> Shown {
    let form = scheme.encode(number);
    let bytes = form.as_ref().map(|form| form.bytes());
    let lone = Strict(scheme);
    let decoder: &dyn Scheme = if strict { &lone } else { scheme };
    let worked = WORKED.iter().find(|worked| worked.scheme == scheme.name() && worked.value == number);
    Shown {
        scheme: scheme.name(),
        title: scheme.title(),
        bytes: bytes.map(<[u8]>::to_vec),
        tag_bits: bytes.map_or_else(Vec::new, |form| {
            (0..form.len()).map(|index| scheme.tag_bits(form, index)).collect()
        }),
        as_in_essay: worked.map(|worked| bytes == Some(worked.bytes)),
        damage: bytes.map_or_else(Vec::new, |form| damaged(decoder, form)),
    }
}

/// Shows the number.
pub(super) fn run(number: u32, strict: bool, json: bool, console: &mut Console) {
    let said = || REMARKS.iter().filter(|remark| remark.examples.contains(&number));
    let example = Example {
        schema: SCHEMA,
        command: "lab",
        strict,
        value: number,
        forms: ALL.into_iter().map(|scheme| shown(scheme, number, strict)).collect(),
        remarks: remarks(said()),
    };
    if json {
        line(console, &example);
        return;
    }
    let styles = console.out_styles;
    let buffer = &mut console.out;
    let strong = styles.strong;
    push(
        buffer,
        format_args!("{strong}{number}{strong:#}  hexadecimal {number:04X}  binary {}\n", binary(number)),
    );
    for form in &example.forms {
        print(form, styles, buffer);
    }
    for remark in said() {
        buffer.push(b'\n');
        text::remark(remark, styles, buffer);
    }
}

/// Prints the number in one scheme.
fn print(form: &Shown, styles: Styles, buffer: &mut Vec<u8>) {
    let Styles { strong, good, bad, faint } = styles;
    push(buffer, format_args!("\n{strong}{}{strong:#}  {}\n", form.scheme, form.title));
    let Some(bytes) = &form.bytes else {
        push(buffer, format_args!("  no form: out of its range\n"));
        return;
    };
    push(buffer, format_args!("  {strong}{}{strong:#}", hex(bytes)));
    match form.as_in_essay {
        Some(true) => push(buffer, format_args!("  {good}as in the essay{good:#}")),
        Some(false) => push(buffer, format_args!("  {bad}not as in the essay{bad:#}")),
        None => {}
    }
    push(buffer, format_args!("\n"));
    let tagged: Vec<_> = bytes.iter().zip(&form.tag_bits).collect();
    for row in tagged.chunks(PER_LINE) {
        buffer.push(b' ');
        for (byte, tags) in row {
            let digits = format!("{byte:08b}");
            let (tags, rest) = digits.split_at((**tags as usize).min(8));
            let point = if tags.is_empty() || rest.is_empty() { "" } else { "." };
            push(buffer, format_args!(" {faint}{tags}{point}{faint:#}{rest}"));
        }
        buffer.push(b'\n');
    }
    // Room for one byte more.
    let width = 3 * bytes.len() + 3;
    let mut silent = Vec::new();
    for damage in &form.damage {
        let at = damage.at + 1;
        let what = match damage.kind {
            "deletion" => format!("without {at}"),
            "repetition" => format!("{at} twice"),
            _ => format!("{at} and {} swapped", at + 1),
        };
        if damage.reads.iter().all(|read| read.value.is_none()) {
            silent.push(what);
            continue;
        }
        let mut reads = String::new();
        for same in damage.reads.chunk_by(|one, next| one.fault.is_some() && one.fault == next.fault) {
            let comma = if reads.is_empty() { "" } else { ", " };
            let times = if same.len() > 1 { format!(" x{}", same.len()) } else { String::new() };
            let _ = match (&same[0].fault, same[0].value) {
                (Some(fault), _) => write!(reads, "{comma}{fault}{times}"),
                (None, value) => write!(reads, "{comma}{}", value.unwrap_or_default()),
            };
        }
        let style = if damage.reads.iter().all(|read| read.value.is_some()) { bad } else { styles.strong };
        let hex = hex(&damage.bytes);
        push(buffer, format_args!("  {what:<16}{hex:<width$} {style}{reads}{style:#}\n"));
    }
    if !silent.is_empty() {
        wrapped(buffer, &format!("no number: {}", silent.join(", ")), 2);
    }
}

/// Bytes in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// A number in binary, in groups of four.
fn binary(number: u32) -> String {
    let groups = (number | 1).ilog2() / 4 + 1;
    let group = |index| format!("{:04b}", number >> (4 * index) & 0xF);
    (0..groups).rev().map(group).collect::<Vec<_>>().join(" ")
}
