//! Scanning: masks and positions against a naive loop, errors against validation; [lines and records](records) against std.
//!
//! Errors are those of `ill_formed` and `validate`, which other tests compare with the specification; here their places are
//! compared with std once more. Masks and positions have models of a few lines each.

mod records;

use runecast::scan::{ByteSet, Scanner};
use runecast::{Engine, IllFormed, Utf8};

use crate::common::check::engines;
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::place::{Place, UNIT};
use crate::common::scale;
use crate::common::texts::{Class, ILL_FORMED, Rng};

const LINE: usize = 64;

fn set(bytes: &[u8]) -> ByteSet {
    ByteSet::new(bytes).expect("ASCII")
}

/// The masks by a naive loop, of the bytes before `end`.
fn masks<const N: usize>(bytes: &[u8], sets: &[ByteSet; N], end: usize) -> Vec<(usize, [u64; N])> {
    let line = |(number, line): (usize, &[u8])| {
        let bits = |set: &ByteSet| {
            let members = line.iter().enumerate().filter(|(_, byte)| set.contains(**byte));
            members.fold(0, |mask, (at, _)| mask | 1_u64 << at)
        };
        (number * LINE, sets.each_ref().map(bits))
    };
    bytes[..end].chunks(LINE).enumerate().map(line).collect()
}

/// All errors, in the places where std has them.
fn errors(engine: Engine, bytes: &[u8]) -> Vec<IllFormed> {
    let errors: Vec<IllFormed> = engine.ill_formed(bytes).collect();
    let mut at = 0;
    let mut std = Vec::new();
    for chunk in bytes.utf8_chunks() {
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            std.push((at, chunk.invalid().len()));
        }
        at += chunk.invalid().len();
    }
    assert_eq!(errors.iter().map(|error| (error.at, error.len)).collect::<Vec<_>>(), std);
    errors
}

/// Everything about `bytes`, with these sets.
#[track_caller]
fn ask<const N: usize>(engine: Engine, bytes: &[u8], sets: &[ByteSet; N]) {
    let isa = engine.isa();
    let all = errors(engine, bytes);
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    engine.scan_all(bytes, sets, |at, masks| found.push((at, masks)), |error| wrong.push(error));
    assert_eq!(found, masks(bytes, sets, bytes.len()), "{isa}: {bytes:02X?}");
    assert_eq!(wrong, all, "{isa}: {bytes:02X?}");

    let mut found = Vec::new();
    let result = engine.scan(bytes, sets, |at, masks| found.push((at, masks)));
    assert_eq!(result, engine.validate::<Utf8>(bytes), "{isa}: {bytes:02X?}");
    let end = result.map_or_else(|error| error.at, |()| bytes.len());
    assert_eq!(found, masks(bytes, sets, end), "{isa}: {bytes:02X?}");
}

/// Positions of one set, as both types, into rooms of several sizes.
#[track_caller]
fn ask_positions(engine: Engine, bytes: &[u8], set: ByteSet, rooms: &[usize]) {
    let isa = engine.isa();
    let error = engine.validate::<Utf8>(bytes).err();
    let end = error.map_or(bytes.len(), |error| error.at);
    let expected: Vec<usize> = (0..end).filter(|at| set.contains(bytes[*at])).collect();
    let narrow: Vec<u32> = expected.iter().map(|at| *at as u32).collect();

    let mut list = vec![7_usize];
    let found = engine.positions_append(bytes, set, &mut list);
    assert_eq!((found.read, found.written, found.error), (end, expected.len(), error), "{isa}: {bytes:02X?}");
    assert_eq!(list.split_first(), Some((&7, &expected[..])), "{isa}: {bytes:02X?}");
    let mut list = Vec::<u32>::new();
    let found = engine.positions_append(bytes, set, &mut list);
    assert_eq!((found.read, found.written, found.error), (end, expected.len(), error), "{isa}: {bytes:02X?}");
    assert_eq!(list, narrow, "{isa}: {bytes:02X?}");

    for &room in rooms {
        let mut out = vec![u32::MAX; room];
        let found = engine.positions(bytes, set, &mut out);
        assert_eq!(out[..found.written], narrow[..found.written], "{isa}, {room}: {bytes:02X?}");
        if room < narrow.len() {
            assert_eq!(
                (found.read, found.written, found.error),
                (expected[room], room, None),
                "{isa}, {room}"
            );
        } else {
            let all = (end, narrow.len(), error);
            assert_eq!((found.read, found.written, found.error), all, "{isa}, {room}: {bytes:02X?}");
        }
        let mut out = vec![usize::MAX; room];
        let found = engine.positions(bytes, set, &mut out);
        assert_eq!(out[..found.written], expected[..found.written], "{isa}, {room}: {bytes:02X?}");
        assert_eq!(found.written, room.min(expected.len()), "{isa}, {room}");
    }
}

/// An error in front of the edge of a block, and another behind it that a kernel which looks back takes for what the first one asks for.
#[test]
fn errors_that_hide_each_other_at_the_edge_of_a_block() {
    for edge in [16_384_usize, 32_768] {
        for lead in [0xC3, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xF8, 0xFF] {
            for between in [&b"\xC3\xA9"[..], b"\xC2\x80", b"ab", b"a\xC3\xA9", b"\xC3\xA9a", b"a", b"abc"] {
                for behind in [&b"\x80"[..], b"\x80\x80", b"\xBF", b"\x80a\x80", b"\xA9\xC3\xA9"] {
                    let mut bytes = vec![b'a'; edge - 1 - between.len()];
                    bytes.push(lead);
                    bytes.extend([between, behind, &[b'a'; 300]].concat());
                    for engine in engines() {
                        ask(engine, &bytes, &[set(b"\n")]);
                        let lines = engine.lines(&bytes).filter_map(Result::ok).map(str::len).sum::<usize>();
                        assert_eq!(lines, 0, "{engine:?}: the only line is ill-formed");
                    }
                }
            }
        }
    }
}

/// A character that is cut short at the end of a block of 16 KiB, before ASCII, where an error in the block before has left nothing to expect of
/// that.
#[test]
fn what_is_cut_short_at_the_end_of_a_block_behind_an_error() {
    const BLOCKS: usize = 16 << 10;
    let mut place = Place::new(3 * BLOCKS + 100);
    for cut_short in [&b"\xF0\x9F\x98"[..], b"\xF0\x9F", b"\xF0", b"\xE2\x82", b"\xE2", b"\xC3"] {
        for error in [5, 700, BLOCKS - 100] {
            for end in [2 * BLOCKS, 2 * BLOCKS + LINE, 2 * BLOCKS + 17] {
                let mut bytes = vec![b'a'; 3 * BLOCKS + 100];
                bytes[BLOCKS + error] = 0xFF;
                bytes[end - cut_short.len()..end].copy_from_slice(cut_short);
                let bytes = place.at(end % UNIT, &bytes);
                for engine in engines() {
                    ask(engine, bytes, &[set(b"x")]);
                }
            }
        }
    }
}

/// A set of `count` bytes at random, and what the text has.
fn random_set(count: usize, rng: &mut Rng) -> ByteSet {
    (0..count).fold(ByteSet::EMPTY, |set, _| set.or(self::set(&[rng.below(128) as u8])))
}

/// Text of a class with line ends, quotes and commas in it.
fn text(class: Class, len: usize, rng: &mut Rng) -> Vec<u8> {
    let mut text = class.exactly(len, rng);
    let mut at = 0;
    while at < text.len() {
        let to = (at + 1..text.len()).find(|to| text.is_char_boundary(*to)).unwrap_or(text.len());
        let ends: [&[u8]; 3] = [b"\n\",\r", b"\"\n", b",;"];
        let ends = ends[(to - at - 1).min(2)];
        if rng.below(12) == 0 {
            let end = char::from(ends[rng.below(ends.len())]);
            text.replace_range(at..to, &end.to_string());
            at += 1;
        } else {
            at = to;
        }
    }
    text.into_bytes()
}

#[test]
fn every_length_and_alignment() {
    let mut rng = Rng::new(701);
    let mut place = Place::new(400);
    for class in Class::ALL {
        for len in (0..=330).step_by(scale::step(1, 7)) {
            let text = text(class, len, &mut rng);
            let offset = rng.below(UNIT);
            let bytes = place.at(offset, &text);
            for engine in engines() {
                ask(engine, bytes, &[set(b"\n")]);
                ask(engine, bytes, &[set(b"\n\r\",")]);
                ask_positions(engine, bytes, set(b"\n,\""), &[0, 1, 2, 63, 64, 65, 200]);
            }
        }
    }
    for offset in 0..UNIT {
        let text = text(Class::Mixed, 200, &mut rng);
        for engine in engines() {
            ask(engine, place.at(offset, &text), &[set(b"\n"), set(b"\r")]);
        }
    }
}

#[test]
fn sets_of_every_size() {
    let mut rng = Rng::new(702);
    // Every byte there is, in every column of a line.
    let every: Vec<u8> = (0..64 * 257).map(|at| (at % 257) as u8).collect();
    for engine in engines() {
        for count in 0..=9 {
            for _ in 0..scale::size(8, 4, 1) {
                ask(engine, &every, &[random_set(count, &mut rng)]);
                let three = [0; 3].map(|_| random_set(count, &mut rng));
                ask(engine, &every, &three);
            }
        }
        for byte in (0..128).step_by(scale::step(1, 5)) {
            ask(engine, &every[..1000], &[set(&[byte])]);
        }
        ask(engine, &every, &[ByteSet::CONTROL]);
        ask(engine, &every, &[ByteSet::range(0, 0x7F).unwrap(), ByteSet::EMPTY]);
        ask(
            engine,
            &every,
            &[ByteSet::CONTROL.or(set(b"\"\\")), set(b"\""), set(b"\\"), set(b"{}[]:,"), set(b" ")],
        );
        ask::<0>(engine, &every, &[]);
    }
}

#[test]
fn sets_hold_what_they_are_given() {
    for byte in 0..=255_u8 {
        assert_eq!(ByteSet::new(&[byte]).is_some(), byte.is_ascii());
        for last in 0..=255_u8 {
            let range = ByteSet::range(byte, last);
            assert_eq!(range.is_some(), last.is_ascii());
            for member in 0..=255 {
                assert!(
                    range.is_none_or(|range| range.contains(member) == (byte <= member && member <= last))
                );
            }
        }
    }
    let both = ByteSet::CONTROL.or(set(b"a"));
    assert_eq!((both.len(), both.without(ByteSet::CONTROL), both.is_empty()), (33, set(b"a"), false));
    assert_eq!(format!("{:?}", set(b"b\na")), "{'\\n', 'a', 'b'}");
}

/// Where blocks end, errors of all kinds, and text that is well-formed behind them.
#[test]
fn errors_around_the_ends_of_blocks() {
    let mut rng = Rng::new(703);
    let seams = [1, 62, 64, 65, 4096, 16_384, 16_385, 16_448, 32_768];
    for class in Class::ALL {
        let text = text(class, 40_000, &mut rng);
        assert!(text.len() > 32_768 + 8);
        for engine in engines() {
            ask(engine, &text, &[set(b"\n")]);
        }
        for seam in seams.into_iter().take(scale::size(9, 9, 6)) {
            for bad in ILL_FORMED.into_iter().step_by(scale::step(1, 3)) {
                let from = seam - rng.below(5).min(seam);
                let mut bytes = text.clone();
                let end = bytes.len().min(from + bad.len());
                bytes[from..end].copy_from_slice(&bad[..end - from]);
                // And behind it nothing, or a little.
                bytes.truncate(from + bad.len() + [0, 1, 70, 20_000][rng.below(4)]);
                for engine in engines() {
                    ask(engine, &bytes, &[set(b"\n\"")]);
                    ask_positions(engine, &bytes, set(b"\n"), &[3, 100]);
                }
            }
        }
    }
}

#[test]
fn text_of_changing_kinds() {
    let mut rng = Rng::new(704);
    for round in 0..scale::size(300, 60, 6) {
        let mut bytes = Vec::new();
        while bytes.len() < 70_000 {
            let len = rng.below(9000);
            bytes.extend(text(Class::ALL[rng.below(7)], len, &mut rng));
        }
        for _ in 0..round % 4 {
            let at = rng.below(bytes.len());
            bytes[at] = rng.below(256) as u8;
        }
        let from = rng.below(3);
        for engine in engines() {
            ask(engine, &bytes[from..], &[set(b"\n")]);
            ask(engine, &bytes[from..], &[set(b"\n\","), set(b";")]);
            ask_positions(engine, &bytes[from..], set(b"\n;,"), &[1000, 40_000]);
        }
    }
}

/// A character that is cut short at the end of a line, with a line of ASCII behind it, in text in which some lines are not ASCII: also where
/// one word of bits for lines ends and the next begins.
#[test]
fn characters_cut_short_at_every_line() {
    const CUT: [&[u8]; 4] = [b"\xC3", b"\xE1\x80", b"\xF1", b"\xF1\x80\x80"];
    for some in [3, 40] {
        let line = |number: usize| {
            if number.is_multiple_of(some) { "é".repeat(LINE / 2) } else { "ab".repeat(LINE / 2) }
        };
        let whole: Vec<u8> = (0..780).flat_map(|number| line(number).into_bytes()).collect();
        let mut bytes = whole.clone();
        let edges = [255, 256, 257, 319, 320, 321, 383, 447, 511, 512, 575].into_iter();
        for number in edges.chain((250..760).step_by(scale::step(1, 41))) {
            for cut in CUT {
                let end = (number + 1) * LINE;
                bytes[number * LINE..end + LINE].fill(b'a');
                bytes[end - cut.len()..end].copy_from_slice(cut);
                for engine in engines() {
                    let error = engine.scan(&bytes, &[ByteSet::LINE_FEED], |_, _| ()).err();
                    assert_eq!(error.map(|error| error.at), Some(end - cut.len()), "{}", engine.isa());
                }
                bytes.copy_from_slice(&whole);
            }
        }
    }
}

/// Positions that are dense, which the kernels store in several pieces.
#[test]
fn lines_full_of_positions() {
    for engine in engines() {
        for every in [1, 2, 3, 4, 5, 7, 40, 64, 65] {
            let bytes: Vec<u8> = (0..40_000).map(|at| if at % every == 0 { b'\n' } else { b'a' }).collect();
            ask_positions(engine, &bytes, set(b"\n"), &[0, 63, 64, 100, 39_999, 40_000, 40_001]);
        }
    }
}

/// Each number of them in one line, for kernels store them in pieces of some.
#[test]
fn each_number_of_positions_in_a_line() {
    for count in 0..=64 {
        let mut bytes = [b'a'; 5 * 64];
        for i in 0..count {
            bytes[2 * 64 + i * 64 / count] = b'\n';
            bytes[4 * 64 + i] = b'\n';
        }
        for engine in engines() {
            ask_positions(engine, &bytes, set(b"\n"), &[count, 2 * count]);
        }
    }
}

#[cfg(unix)]
#[test]
fn beside_pages_that_must_not_be_touched() {
    let mut rng = Rng::new(705);
    let mut room = Guarded::new(21_000);
    for class in Class::ALL {
        // The longest end with a line, in the block behind one that shows what to expect.
        let lengths = (0..=200).step_by(scale::step(1, 9)).chain([4096, 16_384, 16_400, 20_480]);
        for (len, damaged) in lengths.flat_map(|len| [(len, false), (len, true)]) {
            let mut text = text(class, len, &mut rng);
            if damaged && len > 0 {
                text.resize(len, b'x');
                // An error in the last lines.
                let at = len - 1 - rng.below(len.min(100));
                text[at] = 0xFF;
            }
            for engine in engines() {
                for at_end in [true, false] {
                    let bytes = if at_end { room.at_end(&text) } else { room.at_start(&text) };
                    ask(engine, bytes, &[set(b"\n")]);
                    ask(engine, bytes, &[set(b"\n,\"")]);
                    assert_eq!(
                        engine.lines(bytes).count(),
                        bytes.split_inclusive(|byte| *byte == b'\n').count()
                    );
                }
                if damaged {
                    continue;
                }
                let count = text.iter().filter(|byte| **byte == b'\n').count();
                let out = bytemuck::cast_slice_mut::<u8, u32>(room.end_mut(4 * count));
                assert_eq!(engine.positions(&text, set(b"\n"), out).written, count);
            }
        }
    }
}

/// The masks of chunks are those of the whole; and so are errors.
#[test]
fn every_chunking() {
    let mut rng = Rng::new(706);
    let sets = [set(b"\n"), set(b"\","), ByteSet::CONTROL];
    for round in 0..scale::size(4000, 1000, 60) {
        let len = [10, 100, 400, 40_000][round % 4] / if round % 8 == 7 { 40 } else { 1 };
        let mut bytes = text(Class::ALL[rng.below(7)], rng.below(len), &mut rng);
        for _ in 0..rng.below(4) {
            if !bytes.is_empty() {
                let (at, bad) = (rng.below(bytes.len()), ILL_FORMED[rng.below(ILL_FORMED.len())]);
                let end = bytes.len().min(at + bad.len());
                bytes[at..end].copy_from_slice(&bad[..end - at]);
            }
        }
        let longest = [1, 3, 70, 20_000][rng.below(4)];
        for engine in engines() {
            chunks(engine, &bytes, longest, &sets, &mut rng);
        }
    }
}

fn chunks<const N: usize>(engine: Engine, bytes: &[u8], longest: usize, sets: &[ByteSet; N], rng: &mut Rng) {
    let all = errors(engine, bytes);
    let (mut strict, mut lenient) = (Scanner::new(sets), Scanner::new(sets));
    let (mut first, mut wrong) = (None, Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        let chunk = &bytes[at..bytes.len().min(at + rng.below(longest + 1))];
        assert_eq!(lenient.offset(), at as u64);
        let mut found = Vec::new();
        lenient.push_all_with(engine, chunk, |at, masks| found.push((at, masks)), |error| wrong.push(error));
        assert_eq!(found, masks(chunk, sets, chunk.len()), "{}: {chunk:02X?}", engine.isa());
        if first.is_none() {
            let before = (strict.validator(), strict.offset());
            let mut found = Vec::new();
            let result = strict.push_with(engine, chunk, |at, masks| found.push((at, masks)));
            first = result.err();
            let end = first.map_or(chunk.len(), |error| error.at.saturating_sub(at));
            assert_eq!(found, masks(chunk, sets, end), "{}: {chunk:02X?}", engine.isa());
            if result.is_err() {
                assert_eq!((strict.validator(), strict.offset()), before);
                assert_eq!(strict.push_with(engine, chunk, |_, _| {}), result);
            }
        }
        at += chunk.len();
    }
    if let Err(error) = lenient.finish() {
        wrong.push(error);
    }
    assert_eq!(wrong, all, "{}: {bytes:02X?}", engine.isa());
    let first = first.or_else(|| strict.finish().err());
    assert_eq!(first, engine.validate::<Utf8>(bytes).err());
}
