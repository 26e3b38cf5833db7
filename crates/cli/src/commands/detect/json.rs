//! What `detect` prints for programs: one object for each input, with the schema of the README.

use std::io;

use runecast::{Content, Detection, Evidence, Scheme};
use serde::Serialize;

use crate::io::name::Name;
use crate::ui::console::{Console, plain};
use crate::ui::json::{Head, line};

/// Prints the object of one input.
pub(super) fn object(console: &mut Console, name: &Name, read: u64, found: &io::Result<Detection>) {
    let detection = found.as_ref().ok();
    let object = Object {
        head: Head::of("detect", name),
        status: match detection.map(|found| found.content) {
            None => "unreadable",
            Some(Content::Text(_)) => "text",
            Some(Content::Mixed) => "mixed",
            Some(Content::Binary) => "binary",
            Some(_) => "unknown",
        },
        encoding: detection.and_then(Detection::scheme).map(Scheme::name),
        confidence: detection.map(|found| found.confidence),
        evidence: detection.map(|found| Numbers::of(&found.evidence)),
        reason: match found {
            Ok(found) => found.evidence.to_string(),
            Err(why) => plain(why),
        },
        bytes_read: read,
    };
    line(console, &object);
}

/// An object for one input.
#[derive(Serialize)]
struct Object {
    #[serde(flatten)]
    head: Head,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Numbers>,
    reason: String,
    bytes_read: u64,
}

/// The numbers of an [`Evidence`], by their names.
#[derive(Serialize)]
struct Numbers {
    kind: &'static str,
    #[serde(flatten)]
    counts: serde_json::Map<String, serde_json::Value>,
}

impl Numbers {
    fn of(evidence: &Evidence) -> Numbers {
        let counts: &[(&str, u64)] = match *evidence {
            Evidence::Ascii { bytes, .. } => &[("bytes", bytes)],
            Evidence::Utf8 { sequences, .. } => &[("sequences", sequences)],
            Evidence::Units { units, plausible, telling, .. } => {
                &[("units", units.into()), ("plausible", plausible.into()), ("telling", telling.into())]
            }
            Evidence::SingleBytes { high, letters, windows } => {
                &[("high", high), ("letters", letters), ("windows", windows)]
            }
            Evidence::TwoEncodings { sequences, ill_formed, first }
            | Evidence::Damage { sequences, ill_formed, first } => {
                &[("sequences", sequences), ("ill_formed", ill_formed), ("first", first)]
            }
            Evidence::Nul { count, first } => &[("count", count), ("first", first)],
            Evidence::Controls { count, bytes } => &[("count", count), ("bytes", bytes)],
            Evidence::Foreign { ill_formed, first } => &[("ill_formed", ill_formed), ("first", first)],
            _ => &[],
        };
        let counts = counts.iter().map(|(name, count)| ((*name).to_owned(), (*count).into())).collect();
        Numbers { kind: evidence.name(), counts }
    }
}
