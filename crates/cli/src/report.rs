//! What is said about each input.
//!
//! A [`Report`] hears of one input after the other: errors as they are found, then how it ended.
//! Nothing is collected, so that a report of a million errors needs no memory, and someone who
//! pipes a live stream in sees each error when it happens. There are four: sentences ([`text`]),
//! JSON ([`json`]), names only, and silence; the last two are short and live here.

pub(crate) mod json;
pub(crate) mod stats;
pub(crate) mod text;

use std::io;

use crate::console::{Console, push};
use crate::name::Name;
use crate::scan::{Finding, Summary};

/// The whole run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Total {
    /// Inputs looked at to the end, or to their first error.
    pub(crate) inputs: u64,
    /// How many of them are ill-formed.
    pub(crate) ill_formed: u64,
    /// Inputs that could not be read, or not to the end.
    pub(crate) unreadable: u64,
    /// All of the summaries.
    pub(crate) sum: Summary,
}

impl Total {
    /// Adds the summary of one input.
    pub(crate) fn add(&mut self, summary: &Summary) {
        self.sum.bytes += summary.bytes;
        self.sum.found += summary.found;
        self.sum.characters.add(&summary.characters);
        self.sum.validating += summary.validating;
        self.sum.reading += summary.reading;
    }
}

/// Says what is found. Each input is `found` any number of times, then `done` or `failed`.
pub(crate) trait Report {
    /// An error in the input.
    fn found(&mut self, console: &mut Console, name: &Name, finding: &Finding) {
        let _ = (console, name, finding);
    }

    /// The input was read to where the plan ends.
    fn done(&mut self, console: &mut Console, name: &Name, summary: &Summary) {
        let _ = (console, name, summary);
    }

    /// The input could not be read, or not to its end.
    fn failed(&mut self, console: &mut Console, name: &Name, summary: &Summary, why: &io::Error) {
        let _ = summary;
        console.complain(name, why);
    }

    /// That was all.
    fn close(&mut self, console: &mut Console, total: &Total) {
        let _ = (console, total);
    }
}

/// Says nothing.
pub(crate) struct Silent;

impl Report for Silent {
    fn failed(&mut self, _: &mut Console, _: &Name, _: &Summary, _: &io::Error) {}
}

/// Lists the ill-formed inputs by name.
pub(crate) struct List {
    /// End names with NUL instead of a line feed.
    pub(crate) null: bool,
}

impl List {
    /// On a terminal names are made safe for eyes. In a pipe the next program wants to open the
    /// file, so it gets the very bytes.
    fn list(&self, console: &mut Console, name: &Name) {
        if console.out_is_terminal() && !self.null {
            push(&mut console.out, format_args!("{name}\n"));
        } else {
            console.out.extend_from_slice(name.raw().as_encoded_bytes());
            console.out.push(if self.null { 0 } else { b'\n' });
        }
    }
}

impl Report for List {
    fn done(&mut self, console: &mut Console, name: &Name, summary: &Summary) {
        if summary.found > 0 {
            self.list(console, name);
        }
    }
}
