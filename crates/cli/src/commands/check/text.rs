//! The report of `check` as sentences, for people.
//!
//! An error is one [line](crate::ui::error_line) on standard error. A well-formed file is worth no line unless `-v`
//! asks; but on a terminal one closing line says what was done.

use std::io;

use indicatif::{BinaryBytes, HumanCount};

use super::report::{Report, Total, line_of};
use super::stats;
use crate::io::name::Name;
use crate::pipeline::validation::{Found, ValidationSummary};
use crate::ui::console::{Console, Styles, push};

/// The report.
pub(super) struct TextReport {
    /// How many errors of an input are shown at most, if all of them are looked for.
    pub(super) limit: Option<u64>,
    /// Statistics for each input.
    pub(super) stats: bool,
    /// A line for the well-formed as well.
    pub(super) verbose: bool,
}

impl Report for TextReport {
    fn found(&mut self, console: &mut Console, name: &Name, found: &Found) {
        line_of(found).write(console, name);
    }

    fn done(&mut self, console: &mut Console, name: &Name, summary: &ValidationSummary) {
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

    fn failed(&mut self, console: &mut Console, name: &Name, _: &ValidationSummary, why: &io::Error) {
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
    let counts = [
        (total.ill_formed, "ill-formed"),
        (total.forbidden, "with forbidden characters"),
        (total.unreadable, "unreadable"),
    ];
    let wrong: Vec<_> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match wrong.as_slice() {
        [] if inputs == 0 => push(buffer, format_args!("nothing to check\n")),
        [] => push(buffer, format_args!("{good}well-formed{good:#}\n")),
        wrong => push(buffer, format_args!("{bad}{}{bad:#}\n", wrong.join(", "))),
    }
}
