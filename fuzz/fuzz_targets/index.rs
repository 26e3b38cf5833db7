//! Offsets: every engine and its map against the naive count of the tests.
//!
//! The input is either units of UTF-16 as they come, or a text out of a small alphabet in which there is all
//! that can be hard: characters of every size, CR and LF. Repeated, it reaches over blocks and groups.

#![no_main]

#[allow(dead_code, reason = "some of it is for tests that ask everything")]
#[path = "../../tests/differential/index/model.rs"]
mod model;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use model::{About, Ask, Model};
use runecast::Engine;
use runecast::index::{OffsetMap, Text};

#[derive(Arbitrary, Debug)]
struct Questions {
    /// Which units, or which characters.
    score: Vec<u16>,
    is_text: bool,
    /// ASCII in front, and how often it all comes.
    before: u16,
    times: u8,
    /// Where to ask, in parts of the text.
    places: Vec<(u16, u16)>,
}

const CHARACTERS: [&str; 8] = ["a", "é", "ᚱ", "🪨", "\n", "\r", "\r\n", "\u{85}"];

fn ask<T: Text + ?Sized>(text: &T, model: &Model, places: &[(u16, u16)]) {
    for engine in Engine::available() {
        let map = OffsetMap::with_engine(engine, text);
        for &(part, column) in places.iter().take(8) {
            let within = |len: usize| usize::from(part) * (len + 2) / 0x1_0000;
            all(&About(engine, text), model, within, column);
            all(&About(&map, text), model, within, column);
        }
    }
}

fn all(asker: &impl Ask, model: &Model, within: impl Fn(usize) -> usize, column: u16) {
    model.check_place(asker, within(model.len()));
    for unit in model::UNITS {
        model.check_offset(asker, within(model.len_in(unit)));
    }
    model.check_offset(asker, within(model.lines()));
    model.check_position(asker, within(model.lines()), usize::from(column));
    model.check_position(asker, within(model.lines()), usize::from(column % 16));
}

fuzz_target!(|questions: Questions| {
    let Questions { score, is_text, before, times, places } = questions;
    let (before, times) = (usize::from(before % 2048), usize::from(times % 32) + 1);
    if is_text {
        let piece: String =
            score.iter().map(|unit| CHARACTERS[usize::from(*unit) % CHARACTERS.len()]).collect();
        let text = "-".repeat(before) + &piece.repeat(times);
        ask(&text[..], &Model::of_str(&text), &places);
    } else {
        let mut units = vec![u16::from(b'-'); before];
        units.extend(score.repeat(times));
        ask(&units[..], &Model::of_utf16(&units), &places);
    }
});
