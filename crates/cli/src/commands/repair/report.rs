//! What `repair` prints about an input: a line, or for programs an object with the schema of the README.

use std::io;

use runecast::Policy;
use serde::Serialize;

use crate::io::name::Name;
use crate::pipeline::repair::RepairSummary;
use crate::ui::console::{Console, Styles, plain, push};
use crate::ui::error_line::write_location;
use crate::ui::json::{Head, line};

/// What is wanted of a repair.
#[derive(Clone, Copy)]
pub(super) struct Options {
    /// What is written where the input is ill-formed.
    pub(super) policy: Policy<'static>,
    /// Whether the exit code is 0 even if something was replaced.
    pub(super) exit_zero: bool,
    /// Whether nothing is printed.
    pub(super) quiet: bool,
    /// Whether inputs without replacements are mentioned.
    pub(super) verbose: bool,
    /// Whether it is printed for programs.
    pub(super) json: bool,
}

/// How the work on an input ended.
pub(super) struct RepairStatus {
    /// What it was, and became, if that is known.
    pub(super) names: Option<(&'static str, &'static str)>,
    /// What was replaced; or what failed, and why; or nothing, if that has been printed.
    pub(super) ended: Result<RepairSummary, Option<(Name, io::Error)>>,
}

/// Prints what became of an input.
pub(super) fn report(options: &Options, console: &mut Console, name: &Name, status: &RepairStatus) {
    if options.json {
        object(options.policy, console, name, status);
    }
    let styles = console.err_styles;
    let Styles { strong, bad, good, .. } = styles;
    match &status.ended {
        Err(None) => {}
        Err(Some((failed, why))) => console.complain(failed, why),
        Ok(_) if options.json => {}
        Ok(RepairSummary { replaced, first: Some(first), position, .. }) => {
            write_location(&mut console.err, styles, name, *position);
            let plural = if *replaced == 1 { "" } else { "s" };
            push(
                &mut console.err,
                format_args!("byte {first}: {bad}first of {replaced} replacement{plural}{bad:#}\n"),
            );
        }
        Ok(RepairSummary { first: None, .. }) if options.verbose => {
            push(
                &mut console.err,
                format_args!("{strong}{name}:{strong:#} {good}nothing to replace{good:#}\n"),
            );
        }
        Ok(_) => {}
    }
}

/// The JSON object of an input, with the schema of the README.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    #[serde(flatten)]
    policy: By<'a>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    numbers: Option<Numbers>,
}

/// What was written instead, under the name of the option that chose it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum By<'a> {
    Policy(&'static str),
    Escape(&'static str),
    Replacement(&'a str),
}

/// What was replaced.
#[derive(Serialize)]
struct Numbers {
    replaced: u64,
    first: Option<First>,
    bytes_read: u64,
}

/// Where the first replacement was made.
#[derive(Serialize)]
struct First {
    at: u64,
    line: Option<u64>,
    column: Option<u64>,
}

fn object(policy: Policy<'_>, console: &mut Console, name: &Name, status: &RepairStatus) {
    let summary = status.ended.as_ref().ok();
    let position = summary.and_then(|summary| summary.position);
    let object = Object {
        head: Head::of("repair", name),
        encoding: status.names.map(|(from, _)| from),
        to: status.names.map(|(_, to)| to),
        policy: match policy {
            Policy::Escape(escape) => By::Escape(escape.name()),
            Policy::With(text) => By::Replacement(text),
            Policy::Replace(replacement) => By::Policy(replacement.name()),
            _ => By::Policy("another"),
        },
        status: match summary {
            None => "failed",
            Some(RepairSummary { replaced: 0, .. }) => "clean",
            Some(_) => "repaired",
        },
        reason: status.ended.as_ref().err().and_then(Option::as_ref).map(|(_, why)| plain(why)),
        numbers: summary.map(|summary| Numbers {
            replaced: summary.replaced,
            first: summary.first.map(|at| First {
                at,
                line: position.map(|position| position.line),
                column: position.map(|position| position.column),
            }),
            bytes_read: summary.bytes,
        }),
    };
    line(console, &object);
}
