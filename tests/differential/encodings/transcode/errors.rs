//! Everything that can be wrong, at every offset in text of every class.

use super::text::{Ending, characters, exactly, irregular, limit};
use crate::common::check::engines;
use crate::common::oracle::Encoding;
use crate::common::place::{Place, UNIT};
use crate::common::scale::{size, step};
use crate::common::texts::{Class, Rng};
use crate::encodings::expected::{Expected, Output};
use crate::encodings::pairs::{PAIRS, Pair, sources};

/// Offsets up to which errors are moved, in units of the form: over two vectors of any engine.
const OFFSETS: usize = 140;

/// Asks all pairs with this source. The text is below `limit`, of the source or the target.
struct Asker {
    output: Output,
    place: Place,
    turn: usize,
}

impl Asker {
    fn new() -> Asker {
        Asker { output: Output::new(16 << 10), place: Place::new(16 << 10), turn: 0 }
    }

    fn ask(&mut self, pair: &Pair, bytes: &[u8]) {
        self.turn += 1;
        let decoded = pair.source.decode(bytes);
        let expected = Expected::of(&decoded, &pair.target);
        let (unit, out) = (pair.source.unit, pair.target.unit);
        let src = self.place.at(unit * (self.turn % (UNIT / unit)), bytes);
        // No room to spare, or much, which a wide store is tempted by.
        let spare = if self.turn.is_multiple_of(2) { 0 } else { 128 };
        for engine in engines() {
            let (room, offset) = (expected.output.len() + spare, out * (self.turn % (UNIT / out)));
            self.output.ask(pair, engine, src, &expected, room, offset);
            let error = (pair.validate)(engine, src).err();
            let agrees = match (&error, decoded.error) {
                (None, None) => true,
                (Some(error), Some((at, len, kind))) => {
                    (error.at * unit, error.len * unit, error.kind) == (at, len, kind)
                }
                _ => false,
            };
            assert!(agrees, "{engine:?} validates: {error:?}, not {:?}", decoded.error);
        }
    }
}

/// Texts of `source` with `piece` at every offset, each class of text in turn below `limit`.
fn around(source: &Encoding, piece: &[u8], limit: u32, rng: &mut Rng, mut each: impl FnMut(&[u8])) {
    for class in Class::ALL {
        let before = Ending::new(source, class, limit, OFFSETS, rng);
        let behind = exactly(source, class, limit, 70, rng);
        // Where not all offsets are tried, each of the many calls tries others.
        let step = step(41, 83);
        for offset in (rng.below(step)..=OFFSETS).step_by(step) {
            let mut bytes = before.exactly(offset);
            bytes.extend(piece);
            let end = [0, 1, 4, 33, 70][offset % 5] * source.width();
            bytes.extend(&behind[..end]);
            each(&bytes);
        }
    }
}

#[test]
fn each_error_at_each_offset() {
    let mut asker = Asker::new();
    let mut rng = Rng::new(3);
    for pair in PAIRS {
        for piece in irregular(&pair.source) {
            around(&pair.source, &piece, limit(pair), &mut rng, |bytes| asker.ask(pair, bytes));
        }
    }
}

/// Characters that the target has no form for, in text that it has: Latin-1 and ASCII.
#[test]
fn each_unrepresentable_character_at_each_offset() {
    let mut asker = Asker::new();
    let mut rng = Rng::new(4);
    for pair in PAIRS.iter().filter(|pair| pair.target.limit < pair.source.limit) {
        for point in [0x80, 0xFF, 0x100, 0x141, 0x7FF, 0x800, 0x20AC, 0xFF41, 0xFFFF, 0x1_0041, 0x10_FFFF] {
            let mut piece = Vec::new();
            if point >= pair.target.limit && pair.source.encode(point, &mut piece) {
                around(&pair.source, &piece, limit(pair), &mut rng, |bytes| asker.ask(pair, bytes));
            }
        }
    }
}

/// Long runs of one class, another, and the first again, with an error somewhere. A kernel may have a
/// loop of its own for a class, which is only entered by long text, and which looks for errors once in
/// some hundred bytes.
#[test]
fn errors_in_long_runs() {
    let mut asker = Asker::new();
    let mut rng = Rng::new(9);
    for pair in PAIRS {
        let irregular = irregular(&pair.source);
        for _ in 0..size(6, 1, 1) {
            let [one, other] = [(); 2].map(|()| Class::ALL[rng.below(Class::ALL.len())]);
            let mut bytes = Vec::new();
            for class in [one, other, one] {
                let characters = characters(class, limit(pair), 150 + rng.below(350), &mut rng);
                bytes.extend(pair.source.encode_all(characters));
            }
            asker.ask(pair, &bytes);
            let mut at = 0;
            while at < bytes.len() && !irregular.is_empty() {
                let piece = &irregular[rng.below(irregular.len())];
                let mut spoiled = bytes.clone();
                // In the place of as many bytes, which may leave half a character on both sides.
                let end = bytes.len().min(at + piece.len());
                spoiled.splice(at..end, piece.iter().copied());
                asker.ask(pair, &spoiled);
                at += pair.source.unit * (1 + rng.below(size(9, 61, 97)));
            }
        }
    }
}

/// Long text of one class with an error at every offset around the places where a kernel may go over from
/// one loop to another: whatever was written before the error is counted.
#[test]
fn errors_where_loops_begin() {
    let mut asker = Asker::new();
    let mut rng = Rng::new(15);
    for pair in PAIRS.iter().filter(|pair| pair.source.name == "UTF-8" && limit(pair) > 0x1_0000) {
        for piece in irregular(&pair.source) {
            for class in Class::ALL {
                let long = pair.source.encode_all(characters(class, limit(pair), 700, &mut rng));
                for at in (200 + rng.below(step(23, 29))..340).step_by(step(23, 29)) {
                    let mut bytes = exactly(&pair.source, class, limit(pair), at, &mut rng);
                    bytes.extend(&piece);
                    bytes.extend(&long);
                    asker.ask(pair, &bytes);
                }
            }
        }
    }
}

/// What begins like a character of Latin-1, around each place where a step of any loop ends; and with as much behind it as makes another
/// loop take over there. (A lead byte that ends what one loop has accepted is seen by the next one, or by none.)
#[test]
fn leads_where_loops_to_latin1_end() {
    const PIECES: [&[u8]; 9] = [
        b"\xC0\x80",
        b"\xC0\xAF",
        b"\xC1\x80",
        b"\xC1\xBF",
        b"\xC4\x80",
        b"\xDF\xBF",
        b"\xE0\xA0\x80",
        b"\xC0",
        b"\xC3",
    ];
    let mut asker = Asker::new();
    let to_latin1 = |pair: &&Pair| {
        let mut form = Vec::new();
        limit(pair) <= 0x100 && pair.source.encode('é'.into(), &mut form) && form == "é".as_bytes()
    };
    for pair in PAIRS.iter().filter(to_latin1) {
        let letters: &[char] = if limit(pair) > 0x80 { &['a', 'é'] } else { &['a'] };
        for letter in letters {
            let unit = pair.source.encode_all([*letter]);
            let around = size(3, 2, 1);
            for edge in (512..1100).step_by(size(64, 64, 256)) {
                for at in (edge - around..=edge + around).filter(|at| at.is_multiple_of(unit.len())) {
                    for piece in PIECES {
                        for behind in [0, 1, 70, 600] {
                            let before = unit.repeat(at / unit.len());
                            asker.ask(pair, &[&before, piece, &unit.repeat(behind)].concat());
                        }
                    }
                }
            }
        }
    }
}

/// Characters cut short close to the end of long ASCII, where one loop leaves the rest to another.
#[test]
fn cut_short_close_to_the_end_of_ascii() {
    let mut asker = Asker::new();
    for pair in PAIRS.iter().filter(|pair| pair.source.name == "UTF-8" && limit(pair) > 0x1_0000) {
        for len in [1025, 1100, 1300, 1900, 1952, 2000] {
            for at in (len - 300..len - 3).step_by(step(1, 7)) {
                for cut in [&b"\xC3"[..], b"\xE1\x80", b"\xF1\x80\x80"] {
                    let mut bytes = vec![b'a'; len];
                    bytes[at..at + cut.len()].copy_from_slice(cut);
                    asker.ask(pair, &bytes);
                }
            }
        }
    }
}

/// A long character cut short behind kilobytes of shorter ones, when a loop has forgotten that there was one at the start.
#[test]
fn cut_short_behind_shorter_characters() {
    let mut asker = Asker::new();
    for pair in PAIRS.iter().filter(|pair| pair.source.name == "UTF-8" && limit(pair) > 0x1_0000) {
        for (first, others, cuts) in [
            ("\u{1FAA8}", "\u{E9}", [&b"\xF0\x90\x80"[..], b"\xF0\x90", b"\xF0"]),
            ("\u{1FAA8}", "\u{754C}", [b"\xF0\x90\x80", b"\xF0\x90", b"\xF0"]),
            ("\u{754C}", "\u{E9}", [b"\xE1\x80", b"\xE1", b"\xC3"]),
        ] {
            for edge in (1984..2304).step_by(step(64, 128)) {
                for cut in cuts {
                    for shift in 0..3 {
                        let begin = [&vec![b'a'; 3 + shift][..], first.as_bytes()].concat();
                        let count = (edge - cut.len() - begin.len()) / others.len();
                        let others = others.repeat(count);
                        asker.ask(pair, &[&begin, others.as_bytes(), cut, &[b'a'; 300]].concat());
                    }
                }
            }
        }
    }
}

/// A U+0000 of two bytes, which becomes one, shortly behind an error, where a text is rewritten and an end of it is near.
#[test]
fn a_nul_close_behind_an_error() {
    const ERRORS: [&[u8]; 5] = [b"\x80", b"\xBF", b"\xC2", b"\xE1\x80", b"\xED\xB0\x80"];
    let mut asker = Asker::new();
    for pair in PAIRS.iter().filter(|pair| pair.source.name.contains("modified")) {
        for before in [38, 39, 40, 41, 60, 243, 244, 245, 246, 247, 248, 249, 1020, 1021, 1022] {
            for error in ERRORS {
                for letters in 0..=2 {
                    for behind in [0, 1, 5, 6, 7, 8, 9, 63, 64, 300] {
                        let parts =
                            [&vec![b'a'; before], error, &b"bc"[..letters], b"\xC0\x80", &vec![b'd'; behind]];
                        asker.ask(pair, &parts.concat());
                    }
                }
            }
        }
    }
}

/// Text cut off at every byte, which leaves half a character, half a pair or half a unit; and with
/// half of something behind it.
#[test]
fn cut_off_everywhere() {
    let mut asker = Asker::new();
    let mut rng = Rng::new(5);
    for pair in PAIRS {
        for class in Class::ALL {
            let text = exactly(&pair.source, class, limit(pair), OFFSETS, &mut rng);
            for len in (0..=text.len()).step_by(pair.source.unit * step(3, 7)) {
                asker.ask(pair, &text[..len]);
            }
        }
    }
}

/// A high surrogate and half of a unit at the end of a scheme of UTF-16, and one to three bytes at
/// the end of one of UTF-32, whatever they are.
#[test]
fn half_units_at_the_end() {
    let mut asker = Asker::new();
    let mut rng = Rng::new(6);
    for source in sources().map(|pair| pair.source) {
        if source.width() == source.unit {
            continue;
        }
        for byte in [0x00, 0x41, 0xD8, 0xDC, 0xFF] {
            let begin: &[u32] = if source.width() == 2 { &[0xD83D] } else { &[] };
            for len in 1..source.width() {
                let mut piece = source.units(begin);
                piece.extend(vec![byte; len]);
                for pair in PAIRS.iter().filter(|pair| pair.source == source) {
                    for units in (0..=OFFSETS).step_by(step(3, 11)) {
                        let mut bytes = exactly(&source, Class::Mixed, limit(pair), units, &mut rng);
                        bytes.extend(&piece);
                        asker.ask(pair, &bytes);
                    }
                }
            }
        }
    }
}
