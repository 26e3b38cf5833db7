//! What `convert` prints about an input besides its error: a line with `-v`; for programs an object, with the
//! schema of the README, if standard output is not for the text.

use std::io;

use serde::Serialize;

use crate::commands::conversion_error::error_line;
use crate::io::name::Name;
use crate::pipeline::conversion::{ConversionError, ConversionSummary};
use crate::ui::console::{Console, Styles, plain, push};
use crate::ui::error_line::{ErrorLine, write_location};
use crate::ui::json::{Head, line};

/// Why the conversion of an input did not come to its end.
pub(super) enum Failure {
    /// An error in it.
    Error(ConversionError),
    /// It cannot be read.
    Input(io::Error),
    /// The output cannot be written, or not for this input; the reason has been printed.
    Output(Option<String>),
}

/// An input is converted, except for what was left out;
/// or there was nothing to change in a file that was to be.
pub(super) fn converted(console: &mut Console, name: &Name, summary: &ConversionSummary, changed: bool) {
    let styles = console.err_styles;
    let Styles { strong, bad, good, .. } = styles;
    let line = &mut console.err;
    let ConversionSummary { omitted, first: Some(first), position, .. } = summary else {
        let what = if changed { "converted" } else { "nothing to change" };
        return push(line, format_args!("{strong}{name}:{strong:#} {good}{what}{good:#}\n"));
    };
    write_location(line, styles, name, *position);
    let sequences = if *omitted == 1 { "sequence" } else { "sequences" };
    push(line, format_args!("byte {first}: {bad}first of {omitted} {sequences} left out{bad:#}\n"));
}

/// The object of an input.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_read: Option<u64>,
}

/// Prints the object of an input that was converted, with the numbers of that and whether something may have been left
/// out; or why it was not.
pub(super) fn object(
    console: &mut Console,
    name: &Name,
    names: Option<(&'static str, &'static str)>,
    (summary, omits): (ConversionSummary, bool),
    failure: Option<&Failure>,
) {
    let to = names.map_or("UTF-8", |(_, to)| to);
    let (status, reason, error) = match failure {
        None => ("converted", None, None),
        Some(Failure::Error(error)) => ("stopped", None, Some(error_line(error, to))),
        Some(Failure::Input(why)) => ("failed", Some(plain(why)), None),
        Some(Failure::Output(why)) => ("failed", why.clone(), None),
    };
    let object = Object {
        head: Head::of("convert", name),
        encoding: names.map(|(from, _)| from),
        to: names.map(|(_, to)| to),
        status,
        reason,
        error,
        left_out: (failure.is_none() && omits).then_some(summary.omitted),
        bytes_read: failure.is_none().then_some(summary.bytes),
    };
    line(console, &object);
}
