//! Columns against the cast that Arrow has, and against what one would write by hand.
//!
//! `cargo bench -p runecast-arrow` prints tables. All ways of a row run in turn on the same array, and the least time of
//! many rounds counts (see `runecast-clock`). A name after `--` selects tables.

use std::env;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use arrow_array::builder::{StringBuilder, StringDictionaryBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, Int32Array, StringArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::DataType;
use runecast::{Replacement, Scheme};
use runecast_clock::{Lane, Patience, race};
use runecast_corpus::{Random, Script, generate};

/// Rows of an array: as many as engines hand on at once, and as many as a row group has.
const ROWS: [usize; 2] = [8192, 1 << 20];

/// The longest values, in bytes; the shortest have none.
const LONGEST: [usize; 3] = [12, 40, 200];

const SCRIPTS: [Script; 4] = [Script::Ascii, Script::Cyrillic, Script::Chinese, Script::Emoji];

/// Something to be timed.
struct Way<'a>(&'a dyn Fn());

impl Lane for Way<'_> {
    fn run(&self, times: u32) {
        (0..times).for_each(|_| (self.0)());
    }
}

/// One row of a table: how long a value takes, in the ways that are compared, the first of which is ours.
fn row(name: &str, rows: usize, ours: &dyn Fn(), theirs: &dyn Fn()) {
    let patience = Patience { rounds: 200, limit: Duration::from_millis(800) };
    let times = race(&[&Way(ours), &Way(theirs)], patience);
    let per_value = |index: usize| times[index].least / rows as f64 * 1e9;
    println!("| {name} | {:.2} | {:.2} | {:.1} |", per_value(0), per_value(1), per_value(1) / per_value(0));
}

fn table(name: &str, theirs: &str, rows: impl FnOnce()) {
    let wanted: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
        println!("\n**{name}**, ns a value\n\n| values | runecast | {theirs} | ratio |\n|---|--:|--:|--:|");
        rows();
    }
}

/// Values of up to `longest` bytes, whole characters, from anywhere in a text of the script; some may be null.
fn values(script: Script, rows: usize, longest: usize, nulls: usize) -> Vec<Option<Vec<u8>>> {
    let source = generate(script, 256 << 10, 1);
    let boundary = |at: usize| (0..=at).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0);
    let mut random = Random::new(longest as u64);
    let mut value = || {
        let from = boundary(random.below(source.len() - longest));
        let to = boundary(from + random.below(longest + 1)).max(from);
        (!random.per_mille(nulls)).then(|| source.as_bytes()[from..to].to_vec())
    };
    (0..rows).map(|_| value()).collect()
}

/// The same, with one in so many spoiled.
fn spoiled(mut values: Vec<Option<Vec<u8>>>, one_in: usize) -> Vec<Option<Vec<u8>>> {
    values.iter_mut().skip(one_in / 2).step_by(one_in).flatten().for_each(|value| value.push(0xFF));
    values
}

fn for_each_kind(rows: &[usize], longest: &[usize], mut run: impl FnMut(String, Script, usize, usize)) {
    for script in SCRIPTS {
        for &longest in longest {
            for &rows in rows {
                let count = if rows >= 1 << 20 { "1 Mi".to_owned() } else { rows.to_string() };
                run(format!("{script}, 0–{longest} B, {count}"), script, rows, longest);
            }
        }
    }
}

fn check(array: &dyn Array) {
    black_box(runecast_arrow::check(black_box(array)).expect("text"));
}

fn cast(array: &dyn Array, to: &DataType) {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    black_box(cast_with_options(black_box(array), to, &options).expect("text"));
}

fn main() {
    table("check Binary", "arrow cast", || {
        for_each_kind(&ROWS, &LONGEST, |name, script, rows, longest| {
            let array = values(script, rows, longest, 0).into_iter().collect::<BinaryArray>();
            row(&name, rows, &|| check(&array), &|| cast(&array, &DataType::Utf8));
        });
    });
    table("check Binary with nulls", "arrow cast", || {
        for nulls in [100, 900] {
            for_each_kind(&ROWS[..1], &LONGEST[1..2], |name, script, rows, longest| {
                let array = values(script, rows, longest, nulls).into_iter().collect::<BinaryArray>();
                let name = format!("{name}, {} % null", nulls / 10);
                row(&name, rows, &|| check(&array), &|| cast(&array, &DataType::Utf8));
            });
        }
    });
    table("check BinaryView", "arrow cast", || {
        for_each_kind(&ROWS[..1], &LONGEST, |name, script, rows, longest| {
            let array = values(script, rows, longest, 0).into_iter().collect::<BinaryViewArray>();
            row(&name, rows, &|| check(&array), &|| cast(&array, &DataType::Utf8View));
        });
    });
    table("check Dictionary of 1000 values", "cast of the values", || {
        for_each_kind(&ROWS[1..], &LONGEST[1..2], |name, script, rows, longest| {
            let values: ArrayRef =
                Arc::new(values(script, 1000, longest, 0).into_iter().collect::<BinaryArray>());
            let keys: Int32Array = (0..rows).map(|row| (row % 1000) as i32).collect();
            let array = arrow_array::DictionaryArray::new(keys, values);
            let by_hand = || {
                let values = cast_with_options(array.values(), &DataType::Utf8, &CastOptions::default());
                black_box(array.with_values(values.expect("text")));
            };
            row(&name, rows, &|| check(&array), &by_hand);
        });
    });
    table("is_valid", "std for each", || {
        for one_in in [usize::MAX, 1000, 10] {
            for_each_kind(&ROWS[..1], &LONGEST[1..2], |name, script, rows, longest| {
                let values = spoiled(values(script, rows, longest, 0), one_in);
                let array = values.into_iter().collect::<BinaryArray>();
                let by_hand = || {
                    let mask: BooleanArray = black_box(&array)
                        .iter()
                        .map(|row| row.map(|row| std::str::from_utf8(row).is_ok()))
                        .collect();
                    black_box(mask);
                };
                let ours = || {
                    black_box(runecast_arrow::is_valid(black_box(&array)).expect("bytes"));
                };
                row(&(name + &damage(one_in)), rows, &ours, &by_hand);
            });
        }
    });
    table("repair, whatwg", "from_utf8_lossy for each", || {
        for one_in in [usize::MAX, 1000, 10] {
            for_each_kind(&ROWS[..1], &LONGEST[1..2], |name, script, rows, longest| {
                let values = spoiled(values(script, rows, longest, 0), one_in);
                let array = values.into_iter().collect::<BinaryArray>();
                let by_hand = || {
                    let mut text = StringBuilder::new();
                    for row in black_box(&array) {
                        text.append_option(row.map(String::from_utf8_lossy));
                    }
                    black_box(text.finish());
                };
                let ours = || {
                    black_box(runecast_arrow::repair(black_box(&array), Replacement::Whatwg).expect("bytes"));
                };
                row(&(name + &damage(one_in)), rows, &ours, &by_hand);
            });
        }
    });
    table("decode UTF-16LE", "String::from_utf16 for each", || {
        for_each_kind(&ROWS[..1], &LONGEST[1..2], |name, script, rows, longest| {
            let text: StringArray = values(script, rows, longest, 0)
                .into_iter()
                .map(|row| row.and_then(|row| String::from_utf8(row).ok()))
                .collect();
            let wide = runecast_arrow::encode(&text, Scheme::Utf16Le, None).expect("text");
            let wide = wide.as_binary::<i32>();
            let by_hand = || {
                let mut text = StringBuilder::new();
                for row in black_box(wide) {
                    let units =
                        row.map(|row| row.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])));
                    text.append_option(
                        units.map(|units| String::from_utf16(&units.collect::<Vec<u16>>()).expect("text")),
                    );
                }
                black_box(text.finish());
            };
            let ours = || {
                black_box(runecast_arrow::decode(black_box(wide), Scheme::Utf16Le, None).expect("text"));
            };
            row(&name, rows, &ours, &by_hand);
        });
    });
    table("decode Latin-1", "chars for each", || {
        for_each_kind(&ROWS[..1], &LONGEST[1..2], |name, script, rows, longest| {
            let array = values(script, rows, longest, 0).into_iter().collect::<BinaryArray>();
            let by_hand = || {
                let mut text = StringBuilder::new();
                for row in black_box(&array) {
                    text.append_option(
                        row.map(|row| row.iter().map(|byte| char::from(*byte)).collect::<String>()),
                    );
                }
                black_box(text.finish());
            };
            let ours = || {
                black_box(runecast_arrow::decode(black_box(&array), Scheme::Latin1, None).expect("text"));
            };
            row(&name, rows, &ours, &by_hand);
        });
    });
    table("char_count", "chars().count() for each", || {
        for_each_kind(&ROWS[..1], &LONGEST[1..2], |name, script, rows, longest| {
            let text: StringArray = values(script, rows, longest, 0)
                .into_iter()
                .map(|row| row.and_then(|row| String::from_utf8(row).ok()))
                .collect();
            let by_hand = || {
                let counts: Int32Array =
                    black_box(&text).iter().map(|row| row.map(|row| row.chars().count() as i32)).collect();
                black_box(counts);
            };
            let ours = || {
                black_box(runecast_arrow::char_count(black_box(&text)).expect("text"));
            };
            row(&name, rows, &ours, &by_hand);
        });
    });
    table("detect", "the same, into strings", || {
        for_each_kind(&ROWS[..1], &LONGEST[1..2], |name, script, rows, longest| {
            let array = values(script, rows, longest, 0).into_iter().collect::<BinaryArray>();
            let by_hand = || {
                let mut names = StringDictionaryBuilder::<Int32Type>::new();
                for row in black_box(&array) {
                    names.append_option(row.map(|row| runecast::detect(row).content.to_string()));
                }
                black_box(names.finish());
            };
            let ours = || {
                black_box(runecast_arrow::detect(black_box(&array)).expect("bytes"));
            };
            row(&name, rows, &ours, &by_hand);
        });
    });
}

/// How much is spoiled.
fn damage(one_in: usize) -> String {
    if one_in == usize::MAX { ", clean".to_owned() } else { format!(", one in {one_in} ill-formed") }
}
