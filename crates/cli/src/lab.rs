//! `runecast lab`: the argument for UTF-8, recomputed.
//!
//! The codecs, and what damage does to them, are in the crate `runecast-schemes`. This runs them over text of many
//! scripts and shows what comes out: [`text`] as tables, [`json`] for programs, [`svg`] as a picture, and
//! [`example`] one number instead. The text is generated from a fixed seed, so all of it is the same everywhere
//! and every time.
//!
//! The whole takes less than a second: the damage of one kind changes the text in place, and each case is
//! decoded only until the decoder is back in step.

mod example;
mod json;
mod svg;
mod text;

use std::io;

use runecast_corpus::{Script, generate};
use runecast_schemes::damage::{Kind, Sample, Tally};
use runecast_schemes::remarks::REMARKS;
use runecast_schemes::{ALL, Scheme, Strict};

use crate::Outcome;
use crate::console::Console;
use crate::explain::wrapped;
use crate::grammar::{Format, Lab};
use crate::report::json::{SCHEMA, value};

/// What the text is drawn from.
const SEED: u64 = 1;

/// How many bytes of UTF-8 there are of each script, to find the length of its characters.
const BYTES: usize = 8192;

/// How many characters of each script are in the text that is damaged.
const CHARACTERS: usize = 64;

/// Everything that the lab finds.
struct Findings {
    strict: bool,
    lengths: Vec<Lengths>,
    damage: Vec<Damage>,
    /// How many characters are in the text that is damaged.
    characters: usize,
}

/// How long the characters of a script are.
struct Lengths {
    script: Script,
    characters: usize,
    /// Bytes in each scheme, in the order of [`ALL`].
    bytes: [usize; ALL.len()],
    utf16: usize,
}

impl Lengths {
    /// Bytes per character.
    fn mean(&self, bytes: usize) -> f64 {
        bytes as f64 / self.characters as f64
    }
}

/// What becomes of a text in one scheme.
struct Damage {
    scheme: &'static dyn Scheme,
    tallies: [Tally; Kind::ALL.len()],
}

impl Findings {
    fn new(strict: bool) -> Findings {
        let mut sample = String::new();
        let lengths = Script::ALL
            .into_iter()
            .map(|script| {
                let text = generate(script, BYTES, SEED);
                sample.extend(text.chars().take(CHARACTERS));
                sample.push('\n');
                let length = |scheme: &dyn Scheme| {
                    text.chars()
                        .map(|character| scheme.encode(character.into()).map_or(0, |form| form.bytes().len()))
                        .sum()
                };
                Lengths {
                    script,
                    characters: text.chars().count(),
                    bytes: ALL.map(length),
                    utf16: 2 * text.encode_utf16().count(),
                }
            })
            .collect();
        let damage = ALL.into_iter().map(|scheme| {
            let lone = Strict(scheme);
            let decoder: &dyn Scheme = if strict { &lone } else { scheme };
            let tally =
                |kind| Sample::new(decoder, &sample).map_or_else(|_| Tally::default(), |it| it.tally(kind));
            Damage { scheme, tallies: Kind::ALL.map(tally) }
        });
        Findings { strict, lengths, damage: damage.collect(), characters: sample.chars().count() }
    }
}

/// A share in percent.
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// Runs the command.
pub(crate) fn run(arguments: &Lab, console: &mut Console) -> io::Result<Outcome> {
    arguments.insist();
    let json = arguments.shape.format == Format::Json;
    if let Some(number) = arguments.example {
        example::run(number, arguments.strict, json, console);
    } else if arguments.remarks {
        remarks(json, console);
    } else {
        let findings = Findings::new(arguments.strict);
        if arguments.svg {
            svg::draw(&findings, &mut console.out);
        } else if json {
            json::object(&findings, &mut console.out);
        } else {
            text::tables(&findings, console);
        }
    }
    console.flush()?;
    Ok(Outcome::Clean)
}

/// Lists the slips of the essays.
fn remarks(json: bool, console: &mut Console) {
    let buffer = &mut console.out;
    if json {
        value(
            buffer,
            &serde_json::json!({ "schema": SCHEMA, "command": "lab", "remarks": json::remarks(&REMARKS) }),
        );
        buffer.push(b'\n');
        return;
    }
    for (index, remark) in REMARKS.iter().enumerate() {
        if index > 0 {
            buffer.push(b'\n');
        }
        text::remark(remark, console.out_styles, buffer);
    }
}
