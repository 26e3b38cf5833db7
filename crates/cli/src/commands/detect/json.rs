//! What `detect` prints for programs: one object for each input, with the schema of the README.

use std::io;

use runecast::Evidence;
use serde::Serialize;

use crate::io::name::Name;
use crate::pipeline::declaration::Declaration;
use crate::pipeline::guess::Answer;
use crate::ui::console::{Console, plain};
use crate::ui::json::{Head, line};

/// Prints the object of one input.
pub(super) fn object(console: &mut Console, name: &Name, read: u64, found: &io::Result<Answer>) {
    let answer = found.as_ref().ok();
    let object = Object {
        head: Head::of("detect", name),
        status: answer.map_or("unreadable", |answer| answer.status),
        encoding: answer.and_then(|answer| answer.encoding),
        confidence: answer.map(|answer| answer.confidence),
        evidence: answer.map(|answer| match (answer.guessed_by, answer.close) {
            (Some(high), _) => Numbers::one("letter frequencies", "high", high),
            (_, Some(characters)) => Numbers::one("close to utf-8", "characters", characters),
            _ => Numbers::of(&answer.evidence),
        }),
        mojibake: answer
            .and_then(|answer| answer.mojibake)
            .map(|(times, characters)| Mojibake { times, characters }),
        declared: answer.and_then(|answer| {
            let Declaration { encoding, at } = answer.declared?;
            Some(Declared { encoding, at, contradicts: answer.contradicts() })
        }),
        reason: match found {
            Ok(answer) => answer.reason(),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    mojibake: Option<Mojibake>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<Declared>,
    reason: String,
    bytes_read: u64,
}

/// How often a text was encoded as UTF-8 too often.
#[derive(Serialize)]
struct Mojibake {
    times: u32,
    characters: u64,
}

/// What a text says of its encoding, where, and whether it is something else.
#[derive(Serialize)]
struct Declared {
    encoding: &'static str,
    at: u64,
    contradicts: bool,
}

/// The numbers of an [`Evidence`], by their names.
#[derive(Serialize)]
struct Numbers {
    kind: &'static str,
    #[serde(flatten)]
    counts: serde_json::Map<String, serde_json::Value>,
}

impl Numbers {
    /// Of what the library does not know.
    fn one(kind: &'static str, name: &str, count: u64) -> Numbers {
        Numbers { kind, counts: std::iter::once((name.to_owned(), count.into())).collect() }
    }

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
