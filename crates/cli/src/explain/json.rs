//! The explanation for programs: one object, with the schema of the README.
//!
//! Stretches are written as they are found, so that there may be any number of them.

use std::io;

use serde::Serialize;

use super::stretch::{Byte, Stretch, Written};
use super::{Report, Summary};
use crate::console::{Console, plain, push};
use crate::name::Name;
use crate::report::json::{Error, SCHEMA, path_hex, value};
use crate::rules::{Range, Row};

/// The report.
#[derive(Default)]
pub(super) struct Json {
    /// How many stretches there are already.
    written: usize,
    open: bool,
}

impl Json {
    fn open(&mut self, console: &mut Console, name: &Name) {
        if self.open {
            return;
        }
        self.open = true;
        push(&mut console.out, format_args!(r#"{{"schema":{SCHEMA},"command":"explain","path":"#));
        value(&mut console.out, &name.raw().to_string_lossy());
        if let Some(hex) = path_hex(name) {
            push(&mut console.out, format_args!(r#","path_hex":"{hex}""#));
        }
        push(&mut console.out, format_args!(r#","stretches":["#));
    }
}

impl Report for Json {
    fn stretch(&mut self, console: &mut Console, name: &Name, stretch: &Stretch) {
        self.open(console, name);
        if self.written > 0 {
            console.out.push(b',');
        }
        self.written += 1;
        let (begin, end) = stretch.span;
        let object = Object {
            bytes: stretch.bytes.iter().map(One::of).collect(),
            expected_at_end: stretch.missing.as_deref(),
            errors: stretch
                .errors
                .iter()
                .map(|finding| {
                    let row = Row::of(finding.error.evidence()[0]);
                    Explained {
                        error: Error::of(finding),
                        row: row.map(|row| row.number),
                        rule: row.map(Row::to_string),
                        row_3_1b: finding.error.row(),
                    }
                })
                .collect(),
            span: [begin, end],
            written: stretch.written.iter().map(Outcome::of).collect(),
        };
        value(&mut console.out, &object);
    }

    fn close(&mut self, console: &mut Console, name: &Name, summary: &Summary, why: Option<&io::Error>) {
        self.open(console, name);
        let end = End {
            more: summary.more,
            status: match (why, summary.ill_formed) {
                (Some(_), _) => "unreadable",
                (None, true) => "ill-formed",
                (None, false) => "well-formed",
            },
            reason: why.map(plain),
            bytes_read: summary.bytes,
        };
        push(&mut console.out, format_args!("],"));
        // The object is open already: what follows are its members, without a brace of their own.
        let mut members = Vec::new();
        value(&mut members, &end);
        console.out.extend_from_slice(&members[1..]);
        console.out.push(b'\n');
        if let Some(why) = why {
            console.complain(name, why);
        }
    }
}

/// An element of `stretches`.
#[derive(Serialize)]
struct Object<'a> {
    bytes: Vec<One<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_at_end: Option<&'a [Range]>,
    errors: Vec<Explained<'a>>,
    span: [u64; 2],
    written: Vec<Outcome<'a>>,
}

/// An element of `bytes`.
#[derive(Serialize)]
struct One<'a> {
    at: u64,
    byte: u8,
    role: String,
    ill_formed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a [Range]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_point: Option<u32>,
}

impl One<'_> {
    fn of(byte: &Byte) -> One<'_> {
        One {
            at: byte.at,
            byte: byte.value,
            role: byte.role.to_string(),
            ill_formed: byte.bad,
            expected: byte.expected.as_deref(),
            code_point: byte.character.map(u32::from),
        }
    }
}

/// An element of `errors`: as in `check`, with the rule.
#[derive(Serialize)]
struct Explained<'a> {
    #[serde(flatten)]
    error: Error<'a>,
    row: Option<usize>,
    rule: Option<String>,
    row_3_1b: Option<u8>,
}

/// An element of `written`.
#[derive(Serialize)]
struct Outcome<'a> {
    policy: &'static str,
    replaced: usize,
    code_points: &'a [u32],
}

impl Outcome<'_> {
    fn of(written: &Written) -> Outcome<'_> {
        Outcome { policy: written.by.name(), replaced: written.replaced, code_points: &written.points }
    }
}

/// The members behind `stretches`.
#[derive(Serialize)]
struct End {
    more: bool,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    bytes_read: u64,
}
