//! What `convert` has to say to programs, with the schema of the README: one object for each input, if standard
//! output is not for the text.

use serde::Serialize;

use super::Met;
use crate::console::{Console, plain};
use crate::encoding::Scheme;
use crate::name::Name;
use crate::passage::Sum;
use crate::report::json::{SCHEMA, Stopped, path_hex, value};

/// The object of an input.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    command: &'static str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Stopped<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_read: Option<u64>,
}

/// With nothing in it yet.
const BLANK: Object<'_> = Object {
    schema: SCHEMA,
    command: "convert",
    path: "",
    path_hex: None,
    encoding: None,
    to: None,
    status: "converted",
    reason: None,
    error: None,
    left_out: None,
    bytes_read: None,
};

/// An input that was converted, with the numbers of that and whether something may have been left out; or met with
/// something.
pub(super) fn object(
    console: &mut Console,
    name: &Name,
    schemes: Option<(Scheme, Scheme)>,
    (sum, omits): (Sum, bool),
    met: Option<&Met>,
) {
    let to = schemes.map_or(Scheme::Utf8, |(_, to)| to);
    let rest = match met {
        None => Object { left_out: omits.then_some(sum.omitted), bytes_read: Some(sum.bytes), ..BLANK },
        Some(Met::Stop(stop)) => Object { status: "stopped", error: Some(Stopped::of(stop, to)), ..BLANK },
        Some(Met::Input(why)) => Object { status: "failed", reason: Some(plain(why)), ..BLANK },
        Some(Met::Output(why)) => Object { status: "failed", reason: why.clone(), ..BLANK },
    };
    let object = Object {
        path: &name.raw().to_string_lossy(),
        path_hex: path_hex(name),
        encoding: schemes.map(|(from, _)| from.name()),
        to: schemes.map(|(_, to)| to.name()),
        ..rest
    };
    value(&mut console.out, &object);
    console.out.push(b'\n');
}
