//! The findings for programs: one object, with the schema of the README.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::env::consts;

use runecast::Engine;
use serde::Serialize;

use super::findings::Findings;
use super::measure::{Cells, speed};
use super::texts::Text;
use crate::ui::json::{SCHEMA, path_hex, value};

/// The object.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    command: &'static str,
    version: &'static str,
    machine: Machine<'a>,
    kernel: &'static str,
    kernels: Vec<&'static str>,
    threads: u32,
    texts: Vec<Described<'a>>,
    rows: Vec<Row<'a>>,
    curves: Vec<Curve<'a>>,
}

/// The member `machine`.
#[derive(Serialize)]
struct Machine<'a> {
    cpu: &'a str,
    arch: &'static str,
    os: &'static str,
    caches: Vec<Cache<'a>>,
}

/// An element of `caches`.
#[derive(Serialize)]
struct Cache<'a> {
    name: &'a str,
    bytes: u64,
}

/// An element of `texts`.
#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
    bytes: usize,
    well_formed: bool,
}

/// An element of `rows`.
#[derive(Serialize)]
struct Row<'a> {
    operation: &'static str,
    text: &'a str,
    bytes: usize,
    rivals: BTreeMap<&'static str, Rival>,
}

/// An element of `curves`.
#[derive(Serialize)]
struct Curve<'a> {
    operation: &'static str,
    text: &'a str,
    points: Vec<Point>,
}

/// An element of `points`.
#[derive(Serialize)]
struct Point {
    bytes: usize,
    rivals: BTreeMap<&'static str, Rival>,
}

/// A value in `rivals`.
#[derive(Serialize)]
struct Rival {
    kind: &'static str,
    seconds: f64,
    median_seconds: f64,
    rounds: u32,
    gb_per_s: f64,
}

fn rivals(bytes: usize, cells: &Cells) -> BTreeMap<&'static str, Rival> {
    let one = |(rival, times): &(super::rival::Rival, runecast_clock::Times)| {
        let numbers = Rival {
            kind: rival.kind(),
            seconds: times.least,
            median_seconds: times.median,
            rounds: times.rounds,
            gb_per_s: speed(bytes, times.least),
        };
        (rival.name(), numbers)
    };
    cells.iter().map(one).collect()
}

fn described(text: &Text) -> Described<'_> {
    Described {
        name: &text.name,
        path: text.file.as_ref().map(|name| name.raw().to_string_lossy()),
        path_hex: text.file.as_ref().and_then(path_hex),
        bytes: text.bytes().len(),
        well_formed: text.text().is_some(),
    }
}

/// Prints the object.
pub(super) fn object(findings: &Findings, buffer: &mut Vec<u8>) {
    let Findings { machine, texts, rows, curves } = findings;
    let name = |index: usize| &*texts[index].name;
    let rows = rows.iter().map(|row| Row {
        operation: row.operation.name.as_str(),
        text: name(row.text),
        bytes: row.bytes,
        rivals: rivals(row.bytes, &row.cells),
    });
    let curves = curves.iter().map(|curve| {
        let points = curve
            .points
            .iter()
            .map(|point| Point { bytes: point.bytes, rivals: rivals(point.bytes, &point.cells) });
        Curve { operation: curve.operation.name.as_str(), text: name(curve.text), points: points.collect() }
    });
    let object = Object {
        schema: SCHEMA,
        command: "bench",
        version: env!("CARGO_PKG_VERSION"),
        machine: Machine {
            cpu: &machine.cpu,
            arch: consts::ARCH,
            os: consts::OS,
            caches: machine.caches.iter().map(|(name, bytes)| Cache { name, bytes: *bytes }).collect(),
        },
        kernel: Engine::current().isa().name(),
        kernels: Engine::available().map(|engine| engine.isa().name()).collect(),
        threads: 1,
        texts: texts.iter().map(described).collect(),
        rows: rows.collect(),
        curves: curves.collect(),
    };
    value(buffer, &object);
    buffer.push(b'\n');
}
