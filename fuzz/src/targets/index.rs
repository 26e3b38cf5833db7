//! Offsets: every engine and its map against the naive count of the tests.
//!
//! The input is either units of UTF-16 as they come, or a text out of a small alphabet in which there is all
//! that can be hard: characters of every size, CR and LF. Repeated, it reaches over blocks and groups.

use arbitrary::Arbitrary;
use runecast::index::{OffsetMap, Text};

use crate::choices::Choices;
use crate::index_model::{self as model, About, Ask, Model};

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Questions {
    /// Who is asked.
    who: u8,
    /// The engine, or a map.
    by_map: bool,
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

fn ask<T: Text + ?Sized>(who: u8, by_map: bool, text: &T, model: &Model, places: &[(u16, u16)]) {
    let engine = Choices::new(&[who]).engine();
    let map = by_map.then(|| OffsetMap::with_engine(engine, text));
    for &(part, column) in places.iter().take(4) {
        let within = |len: usize| usize::from(part) * (len + 2) / 0x1_0000;
        match &map {
            Some(map) => all(&About(map, text), model, within, column),
            None => all(&About(engine, text), model, within, column),
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

/// One execution.
pub fn run(questions: Questions) {
    let Questions { who, by_map, score, is_text, before, times, places } = questions;
    // Most texts are short.
    let (before, times) = match times {
        0..240 => (usize::from(before % 128), 1 + usize::from(times % 2)),
        _ => (usize::from(before % 2048), 1 + usize::from(times % 32)),
    };
    if is_text {
        let piece: String =
            score.iter().map(|unit| CHARACTERS[usize::from(*unit) % CHARACTERS.len()]).collect();
        let text = "-".repeat(before) + &piece.repeat(times);
        ask(who, by_map, &text[..], &Model::of_str(&text), &places);
    } else {
        let mut units = vec![u16::from(b'-'); before];
        units.extend(score.repeat(times));
        ask(who, by_map, &units[..], &Model::of_utf16(&units), &places);
    }
}
