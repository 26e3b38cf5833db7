//! The findings for programs: one object, with the schema of the README.

use std::collections::BTreeMap;

use runecast_schemes::ALL;
use runecast_schemes::damage::Kind;
use runecast_schemes::remarks::{REMARKS, Remark};
use serde::Serialize;

use super::findings::Findings;
use crate::ui::json::{SCHEMA, value};

/// The object.
#[derive(Serialize)]
struct Object {
    schema: u32,
    command: &'static str,
    strict: bool,
    schemes: Vec<Named>,
    bytes_per_character: Vec<Lengths>,
    sample_characters: usize,
    damage: Vec<Damage>,
    remarks: Vec<RemarkObject>,
}

/// An element of `schemes`.
#[derive(Serialize)]
struct Named {
    name: &'static str,
    title: &'static str,
}

/// An element of `bytes_per_character`.
#[derive(Serialize)]
struct Lengths {
    text: &'static str,
    characters: usize,
    schemes: BTreeMap<&'static str, f64>,
    utf16: f64,
}

/// An element of `damage`.
#[derive(Serialize)]
struct Damage {
    scheme: &'static str,
    kind: &'static str,
    cases: u64,
    plain: u64,
    detected: u64,
    silent: u64,
    detected_and_false: u64,
    lost: u64,
    lost_at_most: usize,
    adrift: u64,
}

/// An element of `remarks`.
#[derive(Serialize)]
pub(super) struct RemarkObject {
    section: &'static str,
    says: &'static str,
    is: &'static str,
}

/// The member `remarks`.
pub(super) fn remarks<'a>(remarks: impl IntoIterator<Item = &'a Remark>) -> Vec<RemarkObject> {
    let said = |&Remark { section, says, is, .. }: &Remark| RemarkObject { section, says, is };
    remarks.into_iter().map(said).collect()
}

/// Prints the object.
pub(super) fn object(findings: &Findings, buffer: &mut Vec<u8>) {
    let lengths = findings.lengths.iter().map(|row| Lengths {
        text: row.script.name(),
        characters: row.characters,
        schemes: ALL.iter().zip(row.bytes).map(|(scheme, bytes)| (scheme.name(), row.mean(bytes))).collect(),
        utf16: row.mean(row.utf16),
    });
    let damage = findings.damage.iter().flat_map(|damage| {
        Kind::ALL.map(|kind| {
            let counts = damage.counts[kind as usize];
            Damage {
                scheme: damage.scheme.name(),
                kind: kind.name(),
                cases: counts.cases,
                plain: counts.plain,
                detected: counts.detected,
                silent: counts.silent,
                detected_and_false: counts.detected_and_false,
                lost: counts.lost,
                lost_at_most: counts.lost_at_most,
                adrift: counts.adrift,
            }
        })
    });
    let object = Object {
        schema: SCHEMA,
        command: "lab",
        strict: findings.strict,
        schemes: ALL.iter().map(|scheme| Named { name: scheme.name(), title: scheme.title() }).collect(),
        bytes_per_character: lengths.collect(),
        sample_characters: findings.characters,
        damage: damage.collect(),
        remarks: remarks(&REMARKS),
    };
    value(buffer, &object);
    buffer.push(b'\n');
}
