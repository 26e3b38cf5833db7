//! Every error at every place.
//!
//! A kernel is a loop over blocks, with a beginning, an end and boundaries. Errors like to hide on the
//! last byte of a block, in a tail, behind an early exit. So each thing that can be wrong is put
//! at each offset of each kind of text, cut off at each length, and laid at each alignment.

use crate::common::check::{Truth, check, engines, first_error};
use crate::common::lines::{self, lines, make_ascii};
use crate::common::place::{Place, UNIT};
use crate::common::reference::first_from;
use crate::common::scale;
use crate::common::texts::{BOUNDARY_BYTES, Class, ILL_FORMED, Rng};

/// Asks everything about `bytes` once, and for the first error at every alignment.
fn at_every_alignment(place: &mut Place, bytes: &[u8]) {
    let truth = Truth::about(bytes);
    truth.ask_functions(bytes);
    let engines = engines();
    for engine in &engines {
        truth.ask(*engine, bytes);
    }
    // Where not all alignments are tried, texts of another length try others.
    let step = scale::step(5, 13);
    for offset in (bytes.len() % step..UNIT).step_by(step) {
        let bytes = place.at(offset, bytes);
        for engine in &engines {
            first_error(*engine, bytes, truth.errors.first().copied());
            assert_eq!(engine.ascii_prefix(bytes), truth.ascii, "ascii_prefix of {}", engine.isa());
        }
    }
}

/// Whole characters, something ill-formed at an offset from 0 to 200, whole characters or the end.
fn errors_at_every_offset(class: Class) {
    let mut rng = Rng::new(10);
    let mut place = Place::new(400);
    let mut bytes = Vec::new();
    for offset in (0..=200).step_by(scale::step(1, 7)) {
        let before = class.exactly(offset, &mut rng);
        let behind = class.text(120, &mut rng);
        for bad in ILL_FORMED {
            bytes.clear();
            bytes.extend_from_slice(before.as_bytes());
            bytes.extend_from_slice(bad);
            at_every_alignment(&mut place, &bytes);
            bytes.extend_from_slice(behind.as_bytes());
            at_every_alignment(&mut place, &bytes);
        }
    }
}

#[test]
fn errors_at_every_offset_of_ascii() {
    errors_at_every_offset(Class::Ascii);
}

#[test]
fn errors_at_every_offset_of_two() {
    errors_at_every_offset(Class::Two);
}

#[test]
fn errors_at_every_offset_of_three() {
    errors_at_every_offset(Class::Three);
}

#[test]
fn errors_at_every_offset_of_four() {
    errors_at_every_offset(Class::Four);
}

#[test]
fn errors_at_every_offset_of_latin_and_words() {
    errors_at_every_offset(Class::Latin);
    errors_at_every_offset(Class::Words);
}

#[test]
fn errors_at_every_offset_of_mixed() {
    errors_at_every_offset(Class::Mixed);
}

/// One byte in the midst of characters is replaced, by every byte of the boundary classes.
#[test]
fn every_byte_replaced() {
    let mut rng = Rng::new(11);
    for class in Class::ALL {
        for len in [32, 67, 130, 321, 700] {
            let text = class.exactly(len, &mut rng).into_bytes();
            for at in (0..len).step_by(scale::step(3, 11)) {
                let mut bytes = text.clone();
                for byte in BOUNDARY_BYTES {
                    bytes[at] = byte;
                    let truth = Truth::about(&bytes);
                    for engine in engines() {
                        truth.ask(engine, &bytes);
                    }
                }
            }
        }
    }
}

/// Every length from 0 to 300, from every offset into the first characters: well-formed, cut off
/// at the end, beginning in the middle of a character, or both.
#[test]
fn every_length_at_every_alignment() {
    let mut rng = Rng::new(12);
    let mut place = Place::new(400);
    for class in Class::ALL {
        let text = class.exactly(304, &mut rng).into_bytes();
        for from in 0..4 {
            for len in (0..=300).step_by(scale::step(1, 7)) {
                at_every_alignment(&mut place, &text[from..from + len]);
            }
        }
    }
}

/// Whole characters alone, up to every length: no error is the answer.
#[test]
fn every_whole_length() {
    let mut rng = Rng::new(13);
    let mut place = Place::new(1100);
    for class in Class::ALL {
        for len in (0..1100).step_by(scale::step(1, 17)) {
            let text = class.exactly(len, &mut rng);
            let truth = Truth::about(text.as_bytes());
            assert!(truth.errors.is_empty());
            let bytes = place.at(len % UNIT, text.as_bytes());
            for engine in engines() {
                truth.ask(engine, bytes);
            }
        }
    }
}

/// The first byte that is not ASCII, at every offset and alignment: `ascii_prefix` is exact.
#[test]
fn ascii_ends_at_every_offset() {
    let mut place = Place::new(400);
    for len in (0..=330).step_by(scale::step(1, 7)) {
        for end in 0..=len {
            let mut bytes = vec![b'a'; len];
            if let Some(byte) = bytes.get_mut(end) {
                *byte = 0x80;
            }
            if let Some(byte) = bytes.get_mut(end + 70) {
                *byte = 0xFF;
            }
            for offset in [0, 1, 15, 31, 33, 63] {
                let bytes = place.at(offset, &bytes);
                for engine in engines() {
                    assert_eq!(engine.ascii_prefix(bytes), end, "{} of {len}, {}", end, engine.isa());
                }
                assert_eq!(runecast::ascii_prefix(bytes), end);
                assert_eq!(runecast::is_ascii(bytes), end == len);
            }
        }
    }
}

/// The last and the first byte of blocks of every size, in long text.
#[test]
fn errors_beside_the_seams_of_long_text() {
    let mut rng = Rng::new(14);
    for class in Class::ALL {
        for boundary in
            [64, 128, 192, 256, 320, 512, 768, 1024, 2048, 4096].into_iter().step_by(scale::step(1, 3))
        {
            for at in boundary - 4..boundary + 2 {
                for bad in ILL_FORMED {
                    let mut bytes = class.exactly(at, &mut rng).into_bytes();
                    bytes.extend_from_slice(bad);
                    bytes.extend_from_slice(class.text(64 + at % 300, &mut rng).as_bytes());
                    let truth = Truth::about(&bytes);
                    for engine in engines() {
                        truth.ask(engine, &bytes);
                    }
                }
            }
        }
    }
}

/// Characters that are cut short.
const CUT_SHORT: [&[u8]; 6] = [b"\xF0\x9F\x98", b"\xF0\x9F", b"\xF0", b"\xE2\x82", b"\xE2", b"\xC3"];

/// A character that is cut short at each of the first places of a text that is dense and has no character as long: what is judged behind the first
/// vector must know of it, at whichever level.
#[test]
fn what_is_cut_short_behind_the_first_vector() {
    let mut rng = Rng::new(19);
    let mut place = Place::new(9000);
    let engines = engines();
    for class in [Class::Two, Class::Three, Class::Four, Class::Mixed] {
        for len in [300, 1000, 1300, 4000, 8800] {
            let text = class.exactly(len, &mut rng);
            for before in 0..=70 {
                for cut_short in CUT_SHORT {
                    let bytes = [&b"a".repeat(before), cut_short, text.as_bytes()].concat();
                    let truth = first_from(&bytes, before);
                    assert!(truth.is_some_and(|error| error.at == before));
                    let step = scale::step(5, 13);
                    for offset in (before % step..UNIT).step_by(step) {
                        let bytes = place.at(offset, &bytes);
                        for engine in &engines {
                            first_error(*engine, bytes, truth);
                        }
                    }
                }
            }
        }
    }
}

/// A character that is cut short at each of the last places of a text, wherever the last block lies among the others: what judges the last block
/// by itself must see as far back as any other, at whichever level the text is judged that is before it.
#[test]
fn what_is_cut_short_before_the_last_block() {
    const LENGTHS: [usize; 16] =
        [100, 131, 200, 257, 300, 450, 577, 607, 700, 1000, 1030, 1500, 3000, 4100, 8192, 13000];
    let mut rng = Rng::new(18);
    let mut place = Place::new(LENGTHS[15]);
    let engines = engines();
    for (nth, class) in Class::ALL.into_iter().enumerate() {
        for len in LENGTHS {
            // All of the class, or only the start, so that the rest is judged at its level.
            let whole = class.exactly(len, &mut rng);
            let start = class.exactly(90, &mut rng) + &"a".repeat(len - 90);
            for text in [whole, start] {
                let step = if len < 2000 { scale::step(5, 13) } else { scale::size(7, 29, 61) };
                for offset in (nth % step..UNIT).step_by(step) {
                    let bytes = place.at_mut(offset, text.as_bytes());
                    for back in 1..=70 {
                        let at = (0..=len - back).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
                        for cut_short in CUT_SHORT {
                            let tail = &mut bytes[at..];
                            tail.fill(b'a');
                            let cut = cut_short.len().min(tail.len());
                            tail[..cut].copy_from_slice(&cut_short[..cut]);
                            let truth = first_from(bytes, at);
                            assert!(truth.is_some_and(|error| error.at == at));
                            for engine in &engines {
                                first_error(*engine, bytes, truth);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Text of one kind, in which a line is ASCII, and a character that is cut short at the end of a later line, before lines of ASCII: what such a
/// loop knows of one line must not be taken for what it knows of another.
#[test]
fn what_is_cut_short_before_ascii_in_dense_text() {
    const LEN: usize = 17_000;
    let mut place = Place::new(LEN);
    let engines = engines();
    for (character, every) in
        [("\u{E9}", 0), ("\u{8A9E}", 0), ("\u{1F600}", 0), ("\u{E9}", 3), ("\u{8A9E}", 5)]
    {
        let mut whole = character.repeat(LEN / character.len()).into_bytes();
        whole.resize(LEN, b'a');
        for line in (0..LEN / UNIT - 1).filter(|line| every > 0 && line % every == 0) {
            make_ascii(&mut whole, line * UNIT, (line + 1) * UNIT);
        }
        for quiet in 0..110 {
            let mut text = whole.clone();
            make_ascii(&mut text, quiet * UNIT, (quiet + 1) * UNIT);
            let bytes = place.at_mut(0, &text);
            for end in (quiet + 2..quiet + 45).map(|line| line * UNIT) {
                for cut_short in [&b"\xF0\x9F\x98"[..], b"\xE2\x82", b"\xC3"] {
                    for run in [2 * UNIT, 4 * UNIT] {
                        let at = end - cut_short.len();
                        make_ascii(bytes, at, end + run);
                        bytes[at..end].copy_from_slice(cut_short);
                        let truth = first_from(bytes, at);
                        assert!(truth.is_some_and(|error| error.at == at));
                        for engine in &engines {
                            first_error(*engine, bytes, truth);
                        }
                        bytes.copy_from_slice(&text);
                    }
                }
            }
        }
    }
}

/// Lines of any kinds, as many of each as the loops have to see before they go another way.
#[test]
fn lines_of_all_kinds() {
    let mut place = Place::new(lines::LONGEST);
    let engines = engines();
    let mut rng = Rng::new(20);
    for nth in 0..if cfg!(miri) { 3 } else { scale::size(400_000, 100_000, 4_000) } {
        let text = lines(|end| rng.below(end));
        // Mostly lines begin where those of the memory do.
        let offset = [0, 0, 0, 32, 1, 63][rng.below(6)];
        let bytes = place.at(offset, &text);
        let truth =
            core::str::from_utf8(bytes).err().and_then(|error| first_from(bytes, error.valid_up_to()));
        for engine in &engines {
            first_error(*engine, bytes, truth);
        }
        if nth % 64 == 0 {
            Truth::about(bytes).ask(engines[nth / 64 % engines.len()], bytes);
        }
    }
}

/// A megabyte of well-formed text, and one error near its end.
#[test]
fn one_late_error_in_a_megabyte() {
    let mut rng = Rng::new(15);
    for class in Class::ALL {
        let text = class.exactly(scale::size(1 << 20, 1 << 18, 1 << 16), &mut rng).into_bytes();
        check(&text);
        for bad in ILL_FORMED.into_iter().step_by(scale::size(5, 7, 11)) {
            let mut bytes = text.clone();
            bytes.extend_from_slice(bad);
            check(&bytes);
            bytes.extend_from_slice(class.text(1 + rng.below(300), &mut rng).as_bytes());
            check(&bytes);
        }
    }
}

/// Many errors, near and far from each other, all of them found.
#[test]
fn many_errors() {
    let mut rng = Rng::new(16);
    for class in Class::ALL {
        for gap in [0, 1, 2, 3, 7, 16, 31, 64, 65, 200, 256, 1000] {
            for _ in 0..scale::size(20, 5, 1) {
                let mut bytes = Vec::new();
                for _ in 0..40 {
                    let len = rng.below(gap + 1);
                    bytes.extend_from_slice(class.text(len, &mut rng).as_bytes());
                    bytes.extend_from_slice(ILL_FORMED[rng.below(ILL_FORMED.len())]);
                }
                check(&bytes);
            }
        }
    }
}

/// Nothing but errors of one kind.
#[test]
fn nothing_but_errors() {
    for bad in ILL_FORMED {
        for times in [1, 2, 3, 15, 16, 17, 64, 65, 300] {
            check(&bad.repeat(times));
        }
    }
    for byte in 0..=255 {
        check(&[byte; 200]);
    }
}
