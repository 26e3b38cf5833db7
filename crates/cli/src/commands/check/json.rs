//! The report of `check` for programs: one object per input, with the schema of the README.
//!
//! An object is written piece by piece as errors are found, so that it may hold any number of them; therefore
//! `errors` comes first and what is only known at the end behind it.

use std::io;

use runecast::Engine;
use serde::Serialize;

use super::report::{Report, line_of};
use super::stats;
use crate::io::name::Name;
use crate::pipeline::validation::{Found, ValidationSummary};
use crate::ui::console::{Console, plain, push};
use crate::ui::error_line::ErrorLine;
use crate::ui::json::{Head, members, value};

/// The report.
pub(super) struct JsonReport {
    /// Statistics for each input.
    pub(super) stats: bool,
    /// How many errors of the present input have been written, if its object is open.
    open: Option<u64>,
}

impl JsonReport {
    /// A report with or without statistics.
    pub(super) fn new(stats: bool) -> Self {
        JsonReport { stats, open: None }
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
    fn close(
        &mut self,
        console: &mut Console,
        name: &Name,
        summary: &ValidationSummary,
        why: Option<&io::Error>,
    ) {
        let written = self.open(console, name);
        let end = End {
            found: summary.found,
            more: summary.found - written,
            status: match (why, summary.ill_formed(), summary.forbidden) {
                (Some(_), _, _) => "unreadable",
                (None, 1.., _) => "ill-formed",
                (None, 0, 1..) => "forbidden",
                (None, 0, 0) => "well-formed",
            },
            reason: why.map(plain),
            bytes_read: summary.bytes,
            stats: self.stats.then(|| Stats::of(summary)),
        };
        push(&mut console.out, format_args!("],"));
        members(&mut console.out, &end);
        console.out.push(b'\n');
        self.open = None;
    }
}

impl Report for JsonReport {
    fn found(&mut self, console: &mut Console, name: &Name, found: &Found) {
        let written = self.open(console, name);
        if written > 0 {
            console.out.push(b',');
        }
        match found {
            Found::IllFormed(finding) => value(&mut console.out, finding),
            Found::Malformed { .. } | Found::Forbidden { .. } => {
                let line = line_of(found);
                value(&mut console.out, &Lengthy { len: line.bytes.len(), line });
            }
        }
        self.open = Some(written + 1);
    }

    fn done(&mut self, console: &mut Console, name: &Name, summary: &ValidationSummary) {
        self.close(console, name, summary, None);
    }

    fn failed(&mut self, console: &mut Console, name: &Name, summary: &ValidationSummary, why: &io::Error) {
        console.complain(name, why);
        self.close(console, name, summary, Some(why));
    }
}

/// An error in a legacy encoding, or a forbidden character, which has a length as every other one.
#[derive(Serialize)]
struct Lengthy<'a> {
    len: usize,
    #[serde(flatten)]
    line: ErrorLine<'a>,
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
    fn of(summary: &ValidationSummary) -> Self {
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
