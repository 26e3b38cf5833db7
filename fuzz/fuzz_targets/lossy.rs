//! Any bytes, as UTF-8, as UTF-16 and as whatever a pair of encodings reads: repaired alike by every
//! engine, by the model of the tests, and by std.
//!
//! The bytes are as they come, or runs of text with ill-formed sequences among them: the loop that
//! repairs behaves differently where errors are rare, and libFuzzer by itself writes no text that is
//! clean for long. All seven behaviours are asked; the output is once a vector, once a slice of some
//! size between canaries, and its length is known beforehand.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/differential/encodings/replace/model.rs"]
mod model;
#[path = "../../tests/differential/encodings/pairs.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod pairs;

use std::borrow::Cow;

use arbitrary::Arbitrary;
use common::check::engines;
use common::place::{Place, UNIT};
use common::texts::{Class, ILL_FORMED, Rng};
use libfuzzer_sys::fuzz_target;
use model::Expected;
use pairs::{Pair, with_forms};
use runecast::{Reason, Replacement};

/// Longer texts are cut.
const LONGEST: usize = 2048;

/// What a text is made of.
#[derive(Arbitrary, Debug)]
enum Stretch {
    /// Text of one kind, in UTF-8.
    Run { class: u8, len: u8, seed: u8 },
    /// What is ill-formed in UTF-8.
    IllFormed(u8),
    /// Anything.
    Bytes([u8; 3]),
}

#[derive(Arbitrary, Debug)]
enum Text {
    Bytes(Vec<u8>),
    Stretches(Vec<Stretch>),
    /// Units that are characters, and among them a unit at each place that is given.
    Units {
        class: u8,
        len: u8,
        seed: u8,
        changes: Vec<(u16, u16)>,
    },
}

#[derive(Arbitrary, Debug)]
struct Task {
    text: Text,
    pair: u8,
    /// Where the text lies.
    from: u8,
    /// Units fewer than the output needs.
    less: u8,
}

fn class(number: u8) -> Class {
    Class::ALL[usize::from(number) % Class::ALL.len()]
}

impl Text {
    fn bytes(self) -> Vec<u8> {
        let mut bytes = match self {
            Text::Bytes(bytes) => bytes,
            Text::Stretches(stretches) => {
                let mut bytes = Vec::new();
                for stretch in stretches.iter().take(64) {
                    match stretch {
                        Stretch::Run { class: number, len, seed } => {
                            let mut rng = Rng::new((*seed).into());
                            bytes.extend(class(*number).text(2 * usize::from(*len), &mut rng).bytes());
                        }
                        Stretch::IllFormed(which) => {
                            bytes.extend(ILL_FORMED[usize::from(*which) % ILL_FORMED.len()]);
                        }
                        Stretch::Bytes(some) => bytes.extend(some),
                    }
                }
                bytes
            }
            Text::Units { class: number, len, seed, changes } => {
                let text = class(number).text(4 * usize::from(len), &mut Rng::new(seed.into()));
                let mut units: Vec<u16> = text.encode_utf16().collect();
                for (at, unit) in changes.iter().take(64) {
                    let at = usize::from(*at) % units.len().max(1);
                    if let Some(place) = units.get_mut(at) {
                        // Nearly always a surrogate.
                        *place = if unit % 8 == 0 { *unit } else { 0xD800 | unit >> 3 & 0x7FF };
                    }
                }
                units.into_iter().flat_map(u16::to_ne_bytes).collect()
            }
        };
        bytes.truncate(LONGEST);
        bytes
    }
}

fuzz_target!(|task: Task| {
    let bytes = task.text.bytes();
    ask_utf8(&bytes);
    ask_utf16(&bytes);
    // UTF-8 to UTF-16 always, for only there do the behaviours come out; then any pair.
    let pairs = with_forms();
    for pair in [pairs[1], pairs[usize::from(task.pair) % pairs.len()]] {
        ask_pair(pair, &bytes, task.from.into(), task.less.into());
    }
});

/// The functions that std has, for UTF-8.
fn ask_utf8(bytes: &[u8]) {
    let expected = String::from_utf8_lossy(bytes);
    let lossy = runecast::from_utf8_lossy(bytes);
    assert_eq!(lossy, expected);
    assert_eq!(matches!(lossy, Cow::Borrowed(_)), matches!(expected, Cow::Borrowed(_)));
    assert_eq!(runecast::from_utf8_lossy_owned(bytes.to_vec()), expected);
}

/// The functions that std has, or would have, for UTF-16.
fn ask_utf16(bytes: &[u8]) {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|unit| u16::from_ne_bytes([unit[0], unit[1]])).collect();
    let expected = String::from_utf16_lossy(&units);
    assert_eq!(runecast::from_utf16_lossy(&units), expected);
    let replaced = char::decode_utf16(units.iter().copied()).filter(Result::is_err).count();
    for engine in engines() {
        let mut well_formed = units.clone();
        assert_eq!(engine.to_well_formed(&mut well_formed), replaced, "{engine:?}");
        assert_eq!(String::from_utf16(&well_formed).ok().as_ref(), Some(&expected), "{engine:?}");
    }
}

/// Every behaviour and every engine, for one pair; the text lies `from` bytes behind an aligned place.
fn ask_pair(pair: &Pair, bytes: &[u8], from: usize, less: usize) {
    let (unit_from, unit_to) = (pair.source.unit, pair.target.unit);
    let bytes = &bytes[..bytes.len() / unit_from * unit_from];
    let mut place = Place::new(LONGEST);
    let src = place.at(from % (UNIT / unit_from) * unit_from, bytes);
    for replacement in Replacement::ALL {
        let policy = replacement.into();
        let expected = Expected::of(&pair.source, &pair.target, bytes, policy);
        let all = expected.all();
        let report = (all.len() / unit_to, expected.replaced, expected.first);
        let fitting = all.len().saturating_sub(less * unit_to);
        for engine in engines() {
            let who = format!("{engine:?}, {} to {}, {replacement:?}", pair.source.name, pair.target.name);
            let (repaired, out) = (pair.lossy_append)(engine, src, &[], policy);
            assert_eq!(out, all, "{who}");
            assert_eq!((repaired.written, repaired.replaced, repaired.first), report, "{who}");
            assert_eq!((pair.lossy_len)(engine, src, policy), repaired, "{who}");

            // Words, so that it is aligned; the last of them are canaries.
            let mut memory = vec![CANARY; fitting / 4 + 4];
            let room: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
            match (pair.lossy)(engine, src, &mut room[..fitting], policy) {
                Ok(again) => assert_eq!((again, fitting), (repaired, all.len()), "{who}"),
                Err(error) => {
                    assert_eq!(error.reason, Reason::OutputFull, "{who}");
                    assert!(fitting < all.len() && error.written * unit_to <= fitting, "{who}");
                    assert_eq!(room[..error.written * unit_to], all[..error.written * unit_to], "{who}");
                }
            }
            assert!(room[fitting..].iter().all(|byte| *byte == CANARY as u8), "{who}");
        }
    }
}

/// What lies behind an output.
const CANARY: u32 = 0xC5C5_C5C5;
