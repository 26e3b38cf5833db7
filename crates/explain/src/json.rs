//! Stretches and errors for programs: the objects that the README of the command line describes.

use runecast::IllFormed;
use serde::{Serialize, Serializer};

use crate::finding::Finding;
use crate::rules::{Range, Row};
use crate::stretch::{Byte, Stretch, Written};

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let IllFormed { len, kind, .. } = self.error;
        Error {
            at: self.at,
            len,
            kind: kind.name(),
            bytes: self.error.evidence(),
            line: self.position.map(|position| position.line),
            column: self.position.map(|position| position.column),
            reason: self.error.reason().to_string(),
        }
        .serialize(serializer)
    }
}

impl Serialize for Stretch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (begin, end) = self.span;
        Object {
            bytes: self.bytes.iter().map(One::of).collect(),
            expected_at_end: self.missing.as_deref(),
            errors: self.errors.iter().map(Explained::of).collect(),
            span: [begin, end],
            written: self.written.iter().map(Outcome::of).collect(),
        }
        .serialize(serializer)
    }
}

/// An error.
#[derive(Serialize)]
struct Error<'a> {
    at: u64,
    len: usize,
    kind: &'static str,
    bytes: &'a [u8],
    line: Option<u64>,
    column: Option<u64>,
    reason: String,
}

/// A stretch.
#[derive(Serialize)]
struct Object<'a> {
    bytes: Vec<One<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_at_end: Option<&'a [Range]>,
    errors: Vec<Explained<'a>>,
    span: [u64; 2],
    written: Vec<Outcome<'a>>,
}

/// An element of `bytes`.
#[derive(Serialize)]
struct One<'a> {
    at: u64,
    byte: u8,
    role: String,
    ill_formed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a [Range]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_point: Option<u32>,
}

impl One<'_> {
    fn of(byte: &Byte) -> One<'_> {
        One {
            at: byte.at,
            byte: byte.value,
            role: byte.role.to_string(),
            ill_formed: byte.bad,
            expected: byte.expected.as_deref(),
            code_point: byte.character.map(u32::from),
        }
    }
}

/// An element of `errors`, with the rule.
#[derive(Serialize)]
struct Explained<'a> {
    #[serde(flatten)]
    error: &'a Finding,
    row: Option<usize>,
    rule: Option<String>,
    row_3_1b: Option<u8>,
}

impl Explained<'_> {
    fn of(finding: &Finding) -> Explained<'_> {
        let row = Row::of(finding.error.evidence()[0]);
        Explained {
            error: finding,
            row: row.map(|row| row.number),
            rule: row.map(Row::to_string),
            row_3_1b: finding.error.row(),
        }
    }
}

/// An element of `written`.
#[derive(Serialize)]
struct Outcome<'a> {
    policy: &'static str,
    replaced: usize,
    code_points: &'a [u32],
}

impl Outcome<'_> {
    fn of(written: &Written) -> Outcome<'_> {
        Outcome { policy: written.by.name(), replaced: written.replaced, code_points: &written.points }
    }
}
