//! `offset-map`: how long the index takes, how much it holds, and what a question costs.
//!
//! Questions are drawn at random from the whole text, beforehand. They are asked in two ways: one after the
//! other without waiting, as who has many of them does; and each only when the answer to the one before is
//! known (it decides, by a bit that is always 0, which is next), which is what a single question costs. For
//! comparison, the first column is nothing but to load the unit at a random place. The text is larger than
//! any cache, or as large as one wants: `--bytes`.

use std::hint::black_box;
use std::time::Instant;

use runecast::index::{OffsetMap, Position, Text, Unit};
use runecast::{Utf8, Utf16, transcode_to_vec};
use runecast_corpus::{Random, Script, generate};

use crate::texts::SEED;

/// Questions in a round.
const QUESTIONS: usize = 20_000;

/// Rounds, of which the quickest counts.
const ROUNDS: usize = 7;

/// Measures maps of texts of so many bytes, and prints a line for each.
pub fn measure(bytes: usize, filter: &str) {
    println!(
        "map of {} MiB: GB/s to make it, % of the text, and ns per question: in a row / one at a time",
        bytes >> 20
    );
    println!(
        "{:<18}{:>6}{:>7}{:>14}{:>14}{:>14}{:>14}{:>14}{:>14}{:>14}",
        "text", "GB/s", "%", "(a unit)", "char", "at char", "other", "at other", "position", "at position"
    );
    for script in [
        Script::World,
        Script::Ascii,
        Script::English,
        Script::French,
        Script::Cyrillic,
        Script::Chinese,
        Script::Emoji,
        Script::Json,
    ] {
        if !script.name().contains(filter) {
            continue;
        }
        let part = generate(script, (16 << 20).min(bytes), SEED);
        let text = part.repeat(bytes.div_ceil(part.len().max(1)));
        let touched = text.as_bytes();
        row(script.name(), &text[..], text.len(), |at| usize::from(touched[at]));
        if bytes <= 256 << 20
            && let Ok(units) = transcode_to_vec::<Utf8, Utf16>(text.as_bytes())
        {
            row(&format!("{} utf16", script.name()), &units[..], 2 * units.len(), |at| {
                usize::from(units[at])
            });
        }
    }
}

fn row<T: Text + ?Sized>(name: &str, text: &T, bytes: usize, touch: impl Fn(usize) -> usize) {
    let mut best = f64::INFINITY;
    let mut map = OffsetMap::new(text);
    for _ in 0..3 {
        let begin = Instant::now();
        map = OffsetMap::new(black_box(text));
        best = best.min(begin.elapsed().as_secs_f64());
    }
    let [own, other] = if map.offset(text, usize::MAX, Unit::Utf8) == bytes {
        [Unit::Utf8, Unit::Utf16]
    } else {
        [Unit::Utf16, Unit::Utf8]
    };
    let costs = [
        cost(map.len(own), touch),
        cost(map.len(own), |at| map.char_offset(text, at)),
        cost(map.len(Unit::Char), |at| map.at_char(text, at)),
        cost(map.len(own), |at| map.offset(text, at, other)),
        cost(map.len(other), |at| map.at_offset(text, at, other)),
        cost(map.len(own), |at| map.position(text, at, Unit::Utf16).line),
        cost(map.lines(), |line| map.at_position(text, Position { line, column: line % 40 }, Unit::Utf16)),
    ];
    print!("{name:<18}{:>6.1}{:>7.2}", bytes as f64 / best * 1e-9, 100.0 * map.size() as f64 / bytes as f64);
    for [in_a_row, one_at_a_time] in costs {
        print!("{:>14}", format!("{in_a_row:.0} / {one_at_a_time:.0}"));
    }
    println!();
}

/// Nanoseconds per question about a number below `end`: in a row, and one at a time.
fn cost(end: usize, ask: impl Fn(usize) -> usize) -> [f64; 2] {
    let mut random = Random::new(SEED);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let numbers: Vec<usize> = (0..QUESTIONS).map(|_| random.below(end.max(1))).collect();
        let begin = Instant::now();
        for number in &numbers {
            black_box(ask(*number));
        }
        best[0] = best[0].min(begin.elapsed().as_secs_f64());
        let numbers: Vec<usize> = (0..QUESTIONS).map(|_| random.below(end.max(1))).collect();
        let begin = Instant::now();
        let mut answer = 0;
        for number in &numbers {
            // Nothing is longer than half of the address space.
            answer = ask(*number + (black_box(answer) >> 63));
        }
        black_box(answer);
        best[1] = best[1].min(begin.elapsed().as_secs_f64());
    }
    best.map(|seconds| seconds * 1e9 / QUESTIONS as f64)
}
