//! A pair of encodings, a text, an output of some size: every engine against the oracle.
//!
//! The text is bytes as they come, or runs of characters in the source's encoding with a few bytes
//! changed; libFuzzer by itself would not come by well-formed UTF-32. The output lies between
//! canaries, its size is bounded by the input's own wish, and what must have been converted up to
//! there is known to the byte.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/differential/encodings/expected.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod expected;
#[path = "../../tests/differential/encodings/pairs.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod pairs;

use arbitrary::Arbitrary;
use common::check::engines;
use common::place::{Place, UNIT};
use common::texts::{Class, Rng};
use expected::{End, Expected, Output};
use libfuzzer_sys::fuzz_target;
use pairs::{PAIRS, Pair};

/// Longer texts are cut.
const LONGEST: usize = 4096;

/// A stretch of one kind of text.
#[derive(Arbitrary, Debug)]
struct Run {
    class: u8,
    count: u8,
    seed: u8,
}

#[derive(Arbitrary, Debug)]
enum Text {
    Bytes(Vec<u8>),
    Runs { runs: Vec<Run>, beyond_target: bool, changes: Vec<(u16, u8)>, cut: u8 },
}

#[derive(Arbitrary, Debug)]
struct Task {
    pair: u8,
    text: Text,
    /// Where the text lies.
    from: u8,
    /// Where the output lies.
    to: u8,
    /// Units fewer than the output needs; or more, if negative.
    less: i16,
}

impl Text {
    fn bytes(self, pair: &Pair) -> Vec<u8> {
        let mut bytes = match self {
            Text::Bytes(bytes) => bytes,
            Text::Runs { runs, beyond_target, changes, cut } => {
                let limit =
                    if beyond_target { pair.source.limit } else { pair.source.limit.min(pair.target.limit) };
                let mut bytes = Vec::new();
                for run in runs.iter().take(8) {
                    let class = Class::ALL[usize::from(run.class) % Class::ALL.len()];
                    let text = class.text(4 * usize::from(run.count), &mut Rng::new(run.seed.into()));
                    let low =
                        text.chars().filter_map(|character| char::from_u32(u32::from(character) % limit));
                    bytes.extend(pair.source.encode_all(low));
                }
                for (at, byte) in changes.iter().take(4) {
                    let at = usize::from(*at) % bytes.len().max(1);
                    if let Some(place) = bytes.get_mut(at) {
                        *place = *byte;
                    }
                }
                bytes.truncate(bytes.len().saturating_sub(usize::from(cut % 8)));
                bytes
            }
        };
        bytes.truncate(LONGEST.min(bytes.len() / pair.source.unit * pair.source.unit));
        bytes
    }
}

fuzz_target!(|task: Task| {
    let pair = &PAIRS[usize::from(task.pair) % PAIRS.len()];
    let bytes = task.text.bytes(pair);
    let decoded = pair.source.decode(&bytes);
    let expected = Expected::of(&decoded, &pair.target);

    let (unit_from, unit_to) = (pair.source.unit, pair.target.unit);
    let from = usize::from(task.from) % (UNIT / unit_from) * unit_from;
    let to = usize::from(task.to) % (UNIT / unit_to) * unit_to;
    let needed = expected.output.len() / unit_to;
    let room = needed.saturating_add_signed(-isize::from(task.less % 256)) * unit_to;

    let mut place = Place::new(LONGEST);
    let src = place.at(from, &bytes);
    let mut output = Output::new(room);
    for engine in engines() {
        output.ask(pair, engine, src, &expected, room, to);
        let seen = (pair.validate)(engine, src).err();
        let seen = seen.map(|error| (error.at * unit_from, error.len * unit_from, error.kind));
        assert_eq!(seen, decoded.error, "{engine:?} validates {}", pair.source.name);
    }
    let len = (pair.len)(runecast::Engine::current(), src);
    if decoded.error.is_none() {
        assert_eq!((pair.current_count)(src), decoded.characters.len());
        if expected.end == End::Complete {
            assert_eq!(len, needed);
        }
    }
    assert!(len >= needed);
});
