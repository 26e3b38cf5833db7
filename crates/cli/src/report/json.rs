//! JSON Lines, for programs: one object per input, one input per line, on standard output.
//!
//! The schema is documented in the README of this crate and has a number, in the member `schema`.
//! Members may be added under the same number; a change to the meaning of one, or its removal,
//! takes the next. An object is written piece by piece as errors are found, so that it may hold
//! any number of them; therefore `errors` comes first and what is only known at the end behind it.
//!
//! A path that is no UTF-8 cannot be a JSON string. Then `path` has U+FFFD where it must, and
//! `path_hex` has all of the bytes.

use std::io;

use runecast::Engine;
use serde::Serialize;

use super::text::{kind, reason};
use super::{Report, stats};
use crate::console::{Console, plain, push};
use crate::encoding::Scheme;
use crate::name::Name;
use crate::passage::Stop;
use crate::scan::{Finding, Summary};

/// The version of the schema.
pub(crate) const SCHEMA: u32 = 1;

/// The report.
pub(crate) struct Json {
    /// Statistics for each input.
    pub(crate) stats: bool,
    /// How many errors of the present input have been written, if its object is open.
    open: Option<u64>,
}

impl Json {
    /// A report with or without statistics.
    pub(crate) fn new(stats: bool) -> Self {
        Json { stats, open: None }
    }

    /// Opens the object of an input, unless it is open.
    fn open(&mut self, console: &mut Console, name: &Name) -> u64 {
        if let Some(written) = self.open {
            return written;
        }
        Head::of("check", name).open(&mut console.out);
        push(&mut console.out, format_args!(r#","errors":["#));
        self.open = Some(0);
        0
    }

    /// Closes it.
    fn close(&mut self, console: &mut Console, name: &Name, summary: &Summary, why: Option<&io::Error>) {
        let written = self.open(console, name);
        let end = End {
            found: summary.found,
            more: summary.found - written,
            status: match (why, summary.found) {
                (Some(_), _) => "unreadable",
                (None, 0) => "well-formed",
                (None, _) => "ill-formed",
            },
            reason: why.map(plain),
            bytes_read: summary.bytes,
            stats: self.stats.then(|| Stats::of(summary)),
        };
        push(&mut console.out, format_args!("],"));
        // The object is open already: what follows are its members, without a brace of their own.
        let mut members = Vec::new();
        value(&mut members, &end);
        console.out.extend_from_slice(&members[1..]);
        console.out.push(b'\n');
        self.open = None;
    }
}

impl Report for Json {
    fn found(&mut self, console: &mut Console, name: &Name, finding: &Finding) {
        let written = self.open(console, name);
        if written > 0 {
            console.out.push(b',');
        }
        value(&mut console.out, finding);
        self.open = Some(written + 1);
    }

    fn done(&mut self, console: &mut Console, name: &Name, summary: &Summary) {
        self.close(console, name, summary, None);
    }

    fn failed(&mut self, console: &mut Console, name: &Name, summary: &Summary, why: &io::Error) {
        console.complain(name, why);
        self.close(console, name, summary, Some(why));
    }
}

/// What every object about an input begins with.
#[derive(Serialize)]
pub(crate) struct Head {
    schema: u32,
    command: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
}

impl Head {
    /// Of an object of this command about this input.
    pub(crate) fn of(command: &'static str, name: &Name) -> Head {
        let path = name.raw().to_string_lossy().into_owned();
        Head { schema: SCHEMA, command, path, path_hex: path_hex(name) }
    }

    /// Writes it as the beginning of an object whose other members follow piece by piece.
    pub(crate) fn open(&self, buffer: &mut Vec<u8>) {
        value(buffer, self);
        buffer.pop();
    }
}

/// All bytes of a name, in hexadecimal, if JSON cannot show it as it is.
pub(crate) fn path_hex(name: &Name) -> Option<String> {
    let raw = name.raw();
    let hex = || raw.as_encoded_bytes().iter().map(|byte| format!("{byte:02X}")).collect();
    raw.to_str().is_none().then(hex)
}

/// Appends a value as JSON.
pub(crate) fn value<T: Serialize + ?Sized>(buffer: &mut Vec<u8>, value: &T) {
    let written = serde_json::to_writer(buffer, value);
    debug_assert!(written.is_ok(), "a Vec takes everything, and nothing here has odd keys");
}

/// Appends an object, and ends its line.
pub(crate) fn line<T: Serialize>(console: &mut Console, object: &T) {
    value(&mut console.out, object);
    console.out.push(b'\n');
}

/// The member `error`: what ended the work on an input.
#[derive(Serialize)]
pub(crate) struct Stopped<'a> {
    at: u64,
    kind: &'static str,
    bytes: &'a [u8],
    line: Option<u64>,
    column: Option<u64>,
    reason: String,
}

impl Stopped<'_> {
    /// An error in a conversion to `to`.
    pub(crate) fn of(stop: &Stop, to: Scheme) -> Stopped<'_> {
        Stopped {
            at: stop.at,
            kind: kind(&stop.flaw),
            bytes: &stop.bytes,
            line: stop.place.map(|place| place.line),
            column: stop.place.map(|place| place.column),
            reason: reason(&stop.flaw, to),
        }
    }
}

/// The members behind `errors`.
#[derive(Serialize)]
struct End {
    found: u64,
    more: u64,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    bytes_read: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
}

/// The member `stats`.
#[derive(Serialize)]
struct Stats {
    characters: u64,
    by_length: [u64; 4],
    kernel: &'static str,
    validation_gb_per_s: Option<f64>,
    overall_gb_per_s: Option<f64>,
}

impl Stats {
    fn of(summary: &Summary) -> Self {
        Stats {
            characters: summary.characters.total(),
            by_length: summary.characters.by_length,
            kernel: Engine::current().isa().name(),
            validation_gb_per_s: stats::gigabytes_per_second(summary.bytes, summary.validating),
            overall_gb_per_s: stats::gigabytes_per_second(
                summary.bytes,
                summary.validating + summary.reading,
            ),
        }
    }
}
