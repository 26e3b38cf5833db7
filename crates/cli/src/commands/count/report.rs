//! The numbers of `count`: as a table, or for programs as objects with the schema of the README.

use std::io;

use serde::Serialize;

use crate::commands::conversion_error::error_line;
use crate::io::name::Name;
use crate::pipeline::character_counts::CharacterCounts;
use crate::pipeline::conversion::ConversionError;
use crate::ui::arguments::count::Column;
use crate::ui::console::{Console, Styles, plain, push};
use crate::ui::error_line::ErrorLine;
use crate::ui::json::{Head, SCHEMA, line};

/// The counts of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Bytes read.
    pub(super) bytes: u64,
    /// Line feeds.
    pub(super) lines: u64,
    /// Characters, by their length.
    pub(super) characters: CharacterCounts,
}

impl Counts {
    /// Adds those of another text.
    pub(super) fn add(&mut self, other: &Counts) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.characters.add(&other.characters);
    }

    fn units(&self) -> Units {
        let [one, two, three, four] = self.characters.by_length;
        Units {
            utf8: one + 2 * two + 3 * three + 4 * four,
            utf16: one + two + three + 2 * four,
            utf32: one + two + three + four,
        }
    }
}

/// How the work on an input ended.
pub(super) enum CountStatus {
    /// It is counted.
    Counted,
    /// It is ill-formed.
    IllFormed(ConversionError),
    /// It cannot be read.
    Unreadable(io::Error),
}

/// The line above the numbers.
pub(super) fn heading(console: &mut Console) {
    let Styles { faint, .. } = console.out_styles;
    let [a, b, c, d, e, f] = ["lines", "characters", "bytes", "UTF-8", "UTF-16", "UTF-32"];
    push(&mut console.out, format_args!("{faint}{a:>10} {b:>12} {c:>12} {d:>12} {e:>12} {f:>12}{faint:#}\n"));
}

/// The numbers of one input, or of all: those that were asked for, as `wc` prints them, or else the whole row.
pub(super) fn row(console: &mut Console, columns: &[Column], name: &dyn std::fmt::Display, counts: &Counts) {
    let Styles { strong, .. } = console.out_styles;
    let Units { utf8, utf16, utf32 } = counts.units();
    let (lines, characters, bytes) = (counts.lines, counts.characters.total(), counts.bytes);
    if !columns.is_empty() {
        for column in columns {
            let number = match column {
                Column::Lines => lines,
                Column::Characters => characters,
                Column::Bytes => bytes,
            };
            push(&mut console.out, format_args!("{number} "));
        }
        return push(&mut console.out, format_args!("{strong}{name}{strong:#}\n"));
    }
    push(
        &mut console.out,
        format_args!(
            "{lines:>10} {characters:>12} {bytes:>12} {utf8:>12} {utf16:>12} {utf32:>12}  \
             {strong}{name}{strong:#}\n"
        ),
    );
}

/// Prints the sum of all inputs that were counted: so many.
pub(super) fn total(console: &mut Console, json: bool, columns: &[Column], counted: u64, counts: &Counts) {
    if json {
        let object = Total { schema: SCHEMA, command: "count", total: counted, counts: (*counts).into() };
        line(console, &object);
    } else if counted > 0 {
        row(console, columns, &"total", counts);
    }
}

/// Prints the object of one input.
pub(super) fn object(
    console: &mut Console,
    name: &Name,
    encoding: Option<&'static str>,
    counts: &Counts,
    ended: &CountStatus,
) {
    let (status, why, error) = match ended {
        CountStatus::Counted => ("well-formed", None, None),
        CountStatus::IllFormed(error) => ("ill-formed", None, Some(error_line(error, "UTF-8"))),
        CountStatus::Unreadable(why) => ("unreadable", Some(plain(why)), None),
    };
    let object = Object {
        head: Head::of("count", name),
        encoding,
        status,
        reason: why,
        error,
        counts: matches!(ended, CountStatus::Counted).then(|| (*counts).into()),
    };
    line(console, &object);
}

/// An object for one input.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorLine<'a>>,
    #[serde(flatten)]
    counts: Option<Numbers>,
}

/// The last object.
#[derive(Serialize)]
struct Total {
    schema: u32,
    command: &'static str,
    total: u64,
    #[serde(flatten)]
    counts: Numbers,
}

/// [`Counts`] for programs.
#[derive(Serialize)]
struct Numbers {
    bytes: u64,
    lines: u64,
    characters: u64,
    units: Units,
}

impl From<Counts> for Numbers {
    fn from(counts: Counts) -> Self {
        Numbers {
            bytes: counts.bytes,
            lines: counts.lines,
            characters: counts.characters.total(),
            units: counts.units(),
        }
    }
}

/// Code units of each form.
#[derive(Serialize)]
struct Units {
    utf8: u64,
    utf16: u64,
    utf32: u64,
}
