//! The goals of conversion and repair: which pairs, which damage, and how fast.
//!
//! Every row is measured on the mixed texts at several sizes of input. A text longer than [`ONCE`] repeats. Where a predictor would learn
//! it by heart, there are buffers that are all different, but for what is made well-formed in place.
//!
//! Repair has two lines where errors are rare: text of which an eighth at least is not ASCII, and the rest. On ASCII every library copies
//! at once to the next error.

use anyhow::Result;
use runecast::Isa;

use super::damage::Damage;
use super::{Goal, Request, repair};
use crate::table::Operation;
use crate::texts::{self, Manuscript};
use crate::transcode::{self, Task};

/// Bytes after which a text repeats.
const ONCE: usize = 1 << 20;

/// Texts of up to so many bytes are buffers that are all different.
const LEARNED: usize = 64 << 10;

/// Which texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    All,
    MostlyAscii,
    Other,
}

/// The table for one text, of so many bytes of input and with buffers that begin at a place in a page.
type Make = Box<dyn Fn(&Manuscript, usize, usize) -> Vec<Operation>>;

/// A line of the table.
struct Row {
    name: String,
    /// The least ratio to the best peer, for an instruction set.
    goal: fn(Isa) -> f64,
    texts: Texts,
    /// Whether short buffers are all different: then `make` gets the text of all of them.
    different: bool,
    make: Make,
}

/// Measures all rows of `goal` at all sizes.
pub fn print(goal: Goal, request: &Request<'_>) -> Result<()> {
    for row in rows(goal) {
        for &kib in request.kib {
            let size = kib << 10;
            let different = row.different && size <= LEARNED;
            let label = if different { ", all different" } else { "" };
            let name = format!("{}, {kib} KiB{label}", row.name);
            request.lines_to(&name, row.goal, request.mixed_texts()?, |index| {
                let texts = if different {
                    request.new_text(index, texts::CUT_FROM)?
                } else {
                    // UTF-16 may need half as many bytes as UTF-8.
                    let mut texts = request.mixed_text(index, 2 * size.min(ONCE))?;
                    for Manuscript { text, .. } in &mut texts {
                        *text = texts::fit(text, 2 * size);
                    }
                    texts
                };
                let texts = texts.into_iter().filter(|text| row.texts.contain(&text.text));
                Ok(texts.flat_map(|text| (row.make)(&text, size, request.align)).collect())
            })?;
        }
    }
    Ok(())
}

impl Texts {
    fn contain(self, text: &str) -> bool {
        let beyond = text.bytes().filter(|byte| !byte.is_ascii()).count();
        self == Texts::All || (beyond * 8 < text.len()) == (self == Texts::MostlyAscii)
    }
}

fn rows(goal: Goal) -> Vec<Row> {
    match goal {
        Goal::Repair => [false, true].into_iter().flat_map(repairs).collect(),
        Goal::Repair16 => [("UTF-16 to UTF-8", false), ("UTF-16 in place", true)]
            .into_iter()
            .flat_map(|(name, in_place)| {
                let row = |(damage, per_mille, goal): (&str, _, _)| Row {
                    name: format!("repair {name}, {damage}"),
                    goal,
                    texts: Texts::All,
                    different: !in_place,
                    make: Box::new(move |text, size, align| {
                        let different = !in_place && size <= LEARNED;
                        let operation = repair::utf16(text, per_mille, in_place, size, align, different);
                        operation.into_iter().collect()
                    }),
                };
                let clean: fn(Isa) -> f64 = |isa| if isa == Isa::Avx512 { 1.2 } else { 1.0 };
                let broken: fn(Isa) -> f64 = |isa| if isa == Isa::Avx512 { 1.5 } else { 1.0 };
                [("clean", 0, clean), ("1 % unpaired", 10, broken)].map(row)
            })
            .collect(),
        Goal::Widen => {
            let goal = |isa| if isa == Isa::Avx512 { 1.2 } else { 1.0 };
            conversions(&[Task::Utf8ToUtf16, Task::Utf8ToUtf32], goal)
        }
        Goal::Narrow => {
            let goal = |isa| if isa == Isa::Avx512 { 1.1 } else { 1.0 };
            conversions(&[Task::Utf16ToUtf8, Task::Utf32ToUtf8], goal)
        }
        Goal::Wide => conversions(
            &[Task::Utf16ToUtf32, Task::Utf32ToUtf16, Task::ValidateUtf16, Task::ValidateUtf32],
            |_| 1.0,
        ),
        Goal::Latin1 => conversions(
            &[
                Task::Utf8ToLatin1,
                Task::Latin1ToUtf8,
                Task::Utf16ToLatin1,
                Task::Utf32ToLatin1,
                Task::Latin1ToUtf16,
                Task::Latin1ToUtf32,
            ],
            |_| 1.0,
        ),
        _ => Vec::new(),
    }
}

/// UTF-8 into a string or into a slice.
fn repairs(slice: bool) -> Vec<Row> {
    let row = |damage: Damage, texts, goal| Row {
        name: format!(
            "repair into a {}, {damage}{}",
            if slice { "slice" } else { "string" },
            match texts {
                Texts::All => "",
                Texts::MostlyAscii => ", mostly ASCII",
                Texts::Other => ", other text",
            },
        ),
        goal,
        texts,
        different: true,
        make: Box::new(move |text, size, align| {
            repair::utf8(text, damage, slice, size, align, size <= LEARNED).into_iter().collect()
        }),
    };
    vec![
        row(Damage::Clean, Texts::MostlyAscii, |_| 1.2),
        row(Damage::Clean, Texts::Other, |_| 1.2),
        row(Damage::At(1021), Texts::MostlyAscii, |_| 1.4),
        row(Damage::At(1021), Texts::Other, |_| 2.0),
        row(Damage::UpTo(2042), Texts::MostlyAscii, |_| 1.4),
        row(Damage::UpTo(2042), Texts::Other, |_| 2.0),
        row(Damage::At(200), Texts::MostlyAscii, |_| 1.5),
        row(Damage::At(200), Texts::Other, |_| 1.5),
        row(Damage::At(64), Texts::All, |_| 4.0),
        row(Damage::At(17), Texts::All, |_| 4.0),
        row(Damage::EverySecond, Texts::All, |_| 4.0),
        row(Damage::Random, Texts::All, |_| 4.0),
    ]
}

fn conversions(tasks: &[Task], goal: fn(Isa) -> f64) -> Vec<Row> {
    let row = |&task: &Task| Row {
        name: task.name(),
        goal,
        texts: Texts::All,
        different: true,
        make: Box::new(move |text, size, align| {
            let texts = vec![text.clone()];
            let mut operations = if size <= LEARNED {
                transcode::buffers(&[task], &texts, size, align)
            } else {
                transcode::long(&[task], texts, size, align)
            };
            operations.retain(|operation| !operation.texts.is_empty());
            operations
        }),
    };
    tasks.iter().map(row).collect()
}
