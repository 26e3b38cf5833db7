//! What `convert` has to say to programs, with the schema of the README: one object for each input, if standard
//! output is not for the text.

use serde::Serialize;

use super::Met;
use crate::console::{Console, plain};
use crate::encoding::Scheme;
use crate::name::Name;
use crate::passage::Sum;
use crate::report::json::{Head, Stopped, line};

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
    error: Option<Stopped<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_read: Option<u64>,
}

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
    let (status, reason, error) = match met {
        None => ("converted", None, None),
        Some(Met::Stop(stop)) => ("stopped", None, Some(Stopped::of(stop, to))),
        Some(Met::Input(why)) => ("failed", Some(plain(why)), None),
        Some(Met::Output(why)) => ("failed", why.clone(), None),
    };
    let object = Object {
        head: Head::of("convert", name),
        encoding: schemes.map(|(from, _)| from.name()),
        to: schemes.map(|(_, to)| to.name()),
        status,
        reason,
        error,
        left_out: (met.is_none() && omits).then_some(sum.omitted),
        bytes_read: met.is_none().then_some(sum.bytes),
    };
    line(console, &object);
}
