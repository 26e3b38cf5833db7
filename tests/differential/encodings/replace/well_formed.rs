//! UTF-16 made well-formed in place: all short strings of high surrogates, low surrogates and others, at the edges of everything
//! that a kernel goes by; and text in which errors come and go.
//!
//! The truth is a loop of four lines, which `char::decode_utf16` has to agree with.

use crate::common::check::engines;
use crate::common::scale::{size, step};
use crate::common::texts::Rng;
use runecast::{Engine, Replacement, Utf8, Utf16, Utf16Be, Utf16Le};

/// What the units become, and how many are replaced.
fn naive(units: &[u16]) -> (Vec<u16>, usize) {
    let is = |at: usize, first: u16| units.get(at).is_some_and(|unit| unit & 0xFC00 == first);
    let unpaired = |at: usize| {
        is(at, 0xD800) && !is(at + 1, 0xDC00) || is(at, 0xDC00) && !(at > 0 && is(at - 1, 0xD800))
    };
    let replaced = (0..units.len()).filter(|at| unpaired(*at)).count();
    ((0..units.len()).map(|at| if unpaired(at) { 0xFFFD } else { units[at] }).collect(), replaced)
}

/// What std says of the same.
fn by_std(units: &[u16]) -> (Vec<u16>, usize) {
    let characters = || char::decode_utf16(units.iter().copied());
    let replaced = characters().filter(Result::is_err).count();
    let text: String = characters().map(|character| character.unwrap_or('\u{FFFD}')).collect();
    (text.encode_utf16().collect(), replaced)
}

/// What stands around a text, where nothing may change: the partners of what stands at its ends.
const BEFORE: u16 = 0xD83D;
const BEHIND: u16 = 0xDE00;

/// Room for units at every alignment, between [`BEFORE`] and [`BEHIND`].
struct Room {
    units: Vec<u16>,
}

impl Room {
    fn new(capacity: usize) -> Room {
        Room { units: vec![0; capacity + 128] }
    }

    /// Makes `text` well-formed, so many units behind a multiple of 64 bytes.
    fn ask(&mut self, engine: Engine, shift: usize, text: &[u16], expected: &(Vec<u16>, usize)) {
        let begin = self.units.as_ptr().align_offset(64) + 32 + shift;
        let end = begin + text.len();
        self.units[begin - 32..begin].fill(BEFORE);
        self.units[begin..end].copy_from_slice(text);
        self.units[end..end + 32].fill(BEHIND);
        let replaced = engine.to_well_formed(&mut self.units[begin..end]);
        let context = || format!("{engine:?}, {} units at {shift}: {text:04X?}", text.len());
        assert!(self.units[begin..end] == expected.0, "{}", context());
        assert_eq!(replaced, expected.1, "{}", context());
        assert!(self.units[begin - 32..begin].iter().all(|unit| *unit == BEFORE), "before: {}", context());
        assert!(self.units[end..end + 32].iter().all(|unit| *unit == BEHIND), "behind: {}", context());
    }
}

/// Units that are all unpaired, in so long a text that sums which are kept in bytes would overflow.
#[test]
fn all_unpaired() {
    let len = size(70_000, 40_000, 40_000);
    let mut room = Room::new(len);
    for unit in [0xDC00_u16, 0xDBFF] {
        let text = vec![unit; len];
        for engine in engines() {
            room.ask(engine, 1, &text, &(vec![0xFFFD; len], len));
        }
    }
}

/// The string of `len` units with this number: a digit of three values for each.
fn string(mut number: usize, len: usize) -> Vec<u16> {
    let mut units = Vec::new();
    for _ in 0..len {
        units.push([0xE000, 0xDBFF, 0xDC00][number % 3]);
        number /= 3;
    }
    units
}

/// All strings of up to seven units, by themselves.
#[test]
fn short_strings() {
    let mut room = Room::new(64);
    for len in 0..=size(8, 7, 5) {
        for number in 0..3_usize.pow(len as u32) {
            let text = string(number, len);
            let expected = naive(&text);
            assert_eq!(by_std(&text), expected, "{text:04X?}");
            for engine in engines() {
                room.ask(engine, number % 32, &text, &expected);
            }
        }
    }
}

/// All strings of four units at the edges of registers and blocks, in text of one kind and of another, up to the end of the text and
/// before more of it.
#[test]
fn strings_at_edges() {
    let mut room = Room::new(2100);
    let mut turn = 0;
    for edge in [8, 16, 32, 64, 128, 256, 384, 512, 640, 1024] {
        for around in [0, 1] {
            for offset in edge - 4..=edge + 1 {
                for number in (0..81).step_by(step(1, 5)) {
                    for behind in [0, 1, 7, 8, 9, 31, 33, 63, 65, 130, 257, 1000] {
                        turn += 1;
                        if turn % size(3, 7, 61) != 0 {
                            continue;
                        }
                        // A pair may begin with the last unit before the string, and end with the first one behind it.
                        let calm = |at: usize| if around == 0 { 0x4E00 } else { [0xD83D, 0xDE00][at % 2] };
                        let mut text: Vec<u16> = (0..offset).map(calm).collect();
                        text.extend(string(number, 4));
                        text.extend((0..behind).map(|at| calm(at + turn)));
                        let expected = naive(&text);
                        for engine in engines() {
                            room.ask(engine, turn % 32, &text, &expected);
                        }
                    }
                }
            }
        }
    }
}

/// Stretches in which nothing is wrong, some things, and everything: the number of blocks that are rewritten at once changes all the
/// time.
#[test]
fn errors_come_and_go() {
    let mut rng = Rng::new(41);
    let most = size(70_000, 40_000, 9_000);
    let mut room = Room::new(most + 5000);
    for turn in 0..size(60, 20, 6) {
        let mut text = Vec::new();
        while text.len() < most {
            let every = [1, 2, 3, 20, 100, 1000, 1000][rng.below(7)];
            let pairs = [2, 3, 50, 10_000][rng.below(4)];
            let most = [100, 1000, 5000][rng.below(3)];
            for _ in 0..rng.below(most) {
                if rng.below(every) == 0 {
                    text.push([0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x41][rng.below(5)]);
                } else if rng.below(pairs) == 0 {
                    text.extend([0xD800 + rng.below(0x400) as u16, 0xDC00 + rng.below(0x400) as u16]);
                } else {
                    text.push([0x20, 0x4E00, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF][rng.below(6)]);
                }
            }
        }
        text.truncate(most);
        let expected = naive(&text);
        assert_eq!(by_std(&text), expected);
        for engine in engines() {
            room.ask(engine, (turn * 11) % 32, &text, &expected);
        }
        // A conversion replaces on the way, in either byte order, and into a copy.
        let little: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = text.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let mut units = vec![0; text.len()];
        for engine in engines() {
            let made = engine.transcode_lossy::<Utf16Le, Utf16>(&little, &mut units, Replacement::Whatwg);
            assert_eq!(made.expect("there is room").replaced, expected.1, "{engine:?}");
            assert!(units == expected.0, "{engine:?}, little-endian");
            let made = engine.transcode_lossy::<Utf16Be, Utf16>(&big, &mut units, Replacement::Whatwg);
            assert_eq!(made.expect("there is room").replaced, expected.1, "{engine:?}");
            assert!(units == expected.0, "{engine:?}, big-endian");
            conversions(engine, &text, &expected);
        }
    }
}

/// What conversions from units in the order of the machine make of a text, and where they say that it is ill-formed.
fn conversions(engine: Engine, text: &[u16], (units, replaced): &(Vec<u16>, usize)) {
    let first = text.iter().zip(units).position(|(before, after)| before != after);
    let utf8 = String::from_utf16(units).expect("well-formed");
    let mut copy = vec![0x5555; units.len() + 40];
    let made = engine.transcode_lossy::<Utf16, Utf16>(text, &mut copy[..units.len()], Replacement::Whatwg);
    let made = made.expect("there is room");
    assert_eq!((made.written, made.replaced, made.first), (units.len(), *replaced, first), "{engine:?}");
    assert!(copy[..units.len()] == *units, "{engine:?}, a copy");
    assert!(copy[units.len()..].iter().all(|unit| *unit == 0x5555), "{engine:?}, behind the copy");
    let mut bytes = vec![0; utf8.len()];
    let made = engine.transcode_lossy::<Utf16, Utf8>(text, &mut bytes, Replacement::Whatwg);
    let made = made.expect("there is room");
    assert_eq!((made.written, made.replaced, made.first), (utf8.len(), *replaced, first), "{engine:?}");
    assert!(bytes == utf8.as_bytes(), "{engine:?}, UTF-8");
}

/// A conversion replaces in pieces of some thousand bytes, from an error on: strings of three units at every place where one may end.
#[test]
fn strings_where_pieces_meet() {
    for start in [0, 1, 77] {
        for at in (start + 1..start + 2200).step_by(size(1, 23, 71)).chain(start + 2005..start + 2060) {
            for number in (0..27).step_by(step(1, 4)) {
                let mut text = vec![0x61; start + 4300];
                // Something is wrong in each piece.
                for place in [start, start + 1500, start + 3000] {
                    text[place] = 0xDC00;
                }
                text[at..at + 3].copy_from_slice(&string(number, 3));
                let expected = naive(&text);
                for engine in engines() {
                    conversions(engine, &text, &expected);
                }
            }
        }
    }
}
