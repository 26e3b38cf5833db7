//! What `check` reports about each input.
//!
//! A [`Report`] hears of one input after the other: errors as they are found, then how it ended.
//! Nothing is collected, so that a report of a million errors needs no memory, and someone who
//! pipes a live stream in sees each error when it happens. There are five: sentences ([`text`](super::text)),
//! JSON ([`json`](super::json)), commands for GitHub ([`github`](super::github)), names only, and silence; the last two are short and
//! here.

use std::io;

use runecast_explain::Finding;

use crate::commands::conversion_error::malformed_line;
use crate::io::name::Name;
use crate::pipeline::forbidden::Character;
use crate::pipeline::validation::{Found, ValidationSummary};
use crate::ui::console::{Console, push};
use crate::ui::error_line::ErrorLine;

/// The whole run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Total {
    /// Inputs looked at to the end, or to their first error.
    pub(super) inputs: u64,
    /// How many of them are ill-formed.
    pub(super) ill_formed: u64,
    /// How many are well-formed, and have something that is forbidden.
    pub(super) forbidden: u64,
    /// Inputs that could not be read, or not to the end.
    pub(super) unreadable: u64,
    /// All of the summaries.
    pub(super) sum: ValidationSummary,
}

impl Total {
    /// Adds the summary of one input.
    pub(super) fn add(&mut self, summary: &ValidationSummary) {
        self.sum.bytes += summary.bytes;
        self.sum.found += summary.found;
        self.sum.forbidden += summary.forbidden;
        self.sum.characters.add(&summary.characters);
        self.sum.validating += summary.validating;
        self.sum.reading += summary.reading;
    }
}

/// Reports what is found. Each input is `found` any number of times, then `done` or `failed`.
pub(super) trait Report {
    /// An error in the input.
    fn found(&mut self, console: &mut Console, name: &Name, found: &Found) {
        let _ = (console, name, found);
    }

    /// The input was read to where the plan ends.
    fn done(&mut self, console: &mut Console, name: &Name, summary: &ValidationSummary) {
        let _ = (console, name, summary);
    }

    /// The input could not be read, or not to its end.
    fn failed(&mut self, console: &mut Console, name: &Name, summary: &ValidationSummary, why: &io::Error) {
        let _ = summary;
        console.complain(name, why);
    }

    /// That was all.
    fn close(&mut self, console: &mut Console, total: &Total) {
        let _ = (console, total);
    }
}

/// The line about what was found.
pub(super) fn line_of(found: &Found) -> ErrorLine<'_> {
    match found {
        Found::IllFormed(Finding { at, position, error }) => {
            let (kind, bytes, reason) = (error.kind.name(), error.evidence(), error.reason().to_string());
            ErrorLine { at: *at, position: *position, kind, bytes, reason }
        }
        Found::Malformed { encoding, position, malformed } => {
            malformed_line(encoding, malformed.at, *position, &malformed.bytes)
        }
        Found::Forbidden { at, position, character } => {
            let (what, name) = match character {
                Character::Mark => ("a byte order mark", "bom"),
                Character::Nul => ("NUL", "nul"),
                Character::CarriageReturn => ("a carriage return", "cr"),
            };
            let reason = format!("{what}, which --forbid {name} does not allow");
            let bytes = character.bytes();
            ErrorLine { at: *at, position: *position, kind: "forbidden", bytes, reason }
        }
    }
}

/// Prints nothing.
pub(super) struct SilentReport;

impl Report for SilentReport {
    fn failed(&mut self, _: &mut Console, _: &Name, _: &ValidationSummary, _: &io::Error) {}
}

/// Lists the ill-formed inputs by name.
pub(super) struct ListReport {
    /// End names with NUL instead of a line feed.
    pub(super) null: bool,
}

impl ListReport {
    /// On a terminal names are escaped. In a pipe the next program wants to open the file, so it gets the
    /// bytes as they are.
    fn list(&self, console: &mut Console, name: &Name) {
        if console.out_is_terminal() && !self.null {
            push(&mut console.out, format_args!("{name}\n"));
        } else {
            console.out.extend_from_slice(name.raw().as_encoded_bytes());
            console.out.push(if self.null { 0 } else { b'\n' });
        }
    }
}

impl Report for ListReport {
    fn done(&mut self, console: &mut Console, name: &Name, summary: &ValidationSummary) {
        if summary.found > 0 {
            self.list(console, name);
        }
    }
}
