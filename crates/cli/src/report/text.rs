//! Sentences, for people.
//!
//! An error is one line on standard error, in the form that editors and other tools know how to
//! jump to: `FILE:LINE:COLUMN: byte OFFSET: KIND [BYTES] REASON`. Nothing of the input itself is
//! ever printed except as hexadecimal. A well-formed file is worth no line unless `-v` asks; but
//! someone who sits at a terminal is told in one closing line what was done.

use std::fmt::Display;
use std::io;

use indicatif::{BinaryBytes, HumanCount};
use runecast_explain::Place;

use super::{Report, Total, stats};
use crate::console::{Console, Styles, push};
use crate::encoding::Scheme;
use crate::name::Name;
use crate::passage::{Flaw, Stop};
use crate::scan::{Finding, Summary};

/// The report.
pub(crate) struct Text {
    /// How many errors of an input are shown at most, if all of them are looked for.
    pub(crate) limit: Option<u64>,
    /// Statistics for each input.
    pub(crate) stats: bool,
    /// A line for the well-formed as well.
    pub(crate) verbose: bool,
}

impl Report for Text {
    fn found(&mut self, console: &mut Console, name: &Name, finding: &Finding) {
        let Finding { at, place, error } = finding;
        let fault = Fault { at: *at, place: *place, kind: error.kind.name(), bytes: error.evidence() };
        write_fault(console, name, &fault, &error.reason());
    }

    fn done(&mut self, console: &mut Console, name: &Name, summary: &Summary) {
        let Styles { strong, good, .. } = console.err_styles;
        if let Some(more) =
            self.limit.and_then(|limit| summary.found.checked_sub(limit)).filter(|&more| more > 0)
        {
            push(
                &mut console.err,
                format_args!("{strong}{name}:{strong:#} … and {} more\n", HumanCount(more)),
            );
        }
        if self.verbose && summary.found == 0 {
            push(&mut console.err, format_args!("{strong}{name}:{strong:#} {good}well-formed{good:#}\n"));
        }
        if self.stats {
            stats::write(&mut console.out, console.out_styles, name, summary);
        }
    }

    fn failed(&mut self, console: &mut Console, name: &Name, _: &Summary, why: &io::Error) {
        console.complain(name, why);
    }

    fn close(&mut self, console: &mut Console, total: &Total) {
        if self.stats {
            if total.inputs > 1 {
                let all = format!("{} inputs", HumanCount(total.inputs));
                stats::write(&mut console.out, console.out_styles, &all, &total.sum);
            }
        } else if self.verbose || console.err_is_terminal() {
            summarize(console, total);
        }
    }
}

/// An error as it is shown.
pub(crate) struct Fault<'a> {
    /// Its offset in the input.
    pub(crate) at: u64,
    /// Its line and column.
    pub(crate) place: Option<Place>,
    /// What is wrong, in a word or two.
    pub(crate) kind: &'a str,
    /// The bytes that show it.
    pub(crate) bytes: &'a [u8],
}

/// The line about an error: the same for every command that can meet one.
pub(crate) fn write_fault(console: &mut Console, name: &Name, fault: &Fault<'_>, reason: &dyn Display) {
    let Styles { strong, bad, faint, .. } = console.err_styles;
    let Fault { at, place, kind, bytes } = fault;
    let buffer = &mut console.err;
    push(buffer, format_args!("{strong}{name}"));
    if let Some(place) = place {
        push(buffer, format_args!(":{}:{}", place.line, place.column));
    }
    push(buffer, format_args!(":{strong:#} byte {at}: {bad}{kind}{bad:#} {faint}["));
    for (i, byte) in bytes.iter().enumerate() {
        push(buffer, format_args!("{}{byte:02X}", if i == 0 { "" } else { " " }));
    }
    push(buffer, format_args!("]{faint:#} {reason}\n"));
}

/// The line about an error that ended a conversion to `to`.
pub(crate) fn write_stop(console: &mut Console, name: &Name, stop: &Stop, to: Scheme) {
    let fault = Fault { at: stop.at, place: stop.place, kind: kind(&stop.flaw), bytes: &stop.bytes };
    write_fault(console, name, &fault, &reason(&stop.flaw, to));
}

/// What is wrong, in a word or two.
pub(crate) fn kind(flaw: &Flaw) -> &'static str {
    match flaw {
        Flaw::IllFormed(error) => error.kind.name(),
        Flaw::Unrepresentable(_) | Flaw::UnrepresentableCodePoint(_) => "unrepresentable",
    }
}

/// What is wrong, in a sentence.
pub(crate) fn reason(flaw: &Flaw, to: Scheme) -> String {
    match flaw {
        Flaw::IllFormed(error) => error.reason().to_string(),
        Flaw::Unrepresentable(character) => {
            format!("{} has no form for U+{:04X}", to.name(), u32::from(*character))
        }
        Flaw::UnrepresentableCodePoint(point) => format!("{} has no form for U+{point:04X}", to.name()),
    }
}

/// The closing line: `3 inputs, 1.21 GiB: 1 ill-formed, 1 unreadable`.
fn summarize(console: &mut Console, total: &Total) {
    let Styles { bad, good, .. } = console.err_styles;
    let inputs = total.inputs + total.unreadable;
    let plural = if inputs == 1 { "" } else { "s" };
    let buffer = &mut console.err;
    push(
        buffer,
        format_args!("{} input{plural}, {} read: ", HumanCount(inputs), BinaryBytes(total.sum.bytes)),
    );
    match (total.ill_formed, total.unreadable) {
        (0, 0) if inputs == 0 => push(buffer, format_args!("nothing to check\n")),
        (0, 0) => push(buffer, format_args!("{good}well-formed{good:#}\n")),
        (0, unreadable) => push(buffer, format_args!("{bad}{unreadable} unreadable{bad:#}\n")),
        (ill_formed, 0) => push(buffer, format_args!("{bad}{ill_formed} ill-formed{bad:#}\n")),
        (ill_formed, unreadable) => {
            push(buffer, format_args!("{bad}{ill_formed} ill-formed, {unreadable} unreadable{bad:#}\n"));
        }
    }
}
