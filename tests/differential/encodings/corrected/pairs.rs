//! Conversions from Corrected UTF-8 and to it, on every engine, into outputs of many sizes.

use bytemuck::{cast_slice, cast_slice_mut};
use runecast::{
    Ascii, CorrectedUtf8, Encoding, Engine, Latin1, Reason, TranscodeError, Utf8, Utf16, Utf16Be, Utf16Le,
    Utf32, Utf32Be, Utf32Le,
};

use super::model::{decode, encode};
use crate::common::check::engines;
use crate::common::place::Place;
use crate::common::scale::{size, step};
use crate::common::texts::Rng;

/// A target or a source, as bytes.
trait Side: Encoding<Unit: bytemuck::Pod> {
    fn put(point: u32, to: &mut Vec<u8>) -> bool;
}

macro_rules! sides {
    ($($name:ident: |$character:ident, $to:ident| $body:expr;)*) => {$(
        impl Side for $name {
            fn put(point: u32, $to: &mut Vec<u8>) -> bool {
                let Some($character) = char::from_u32(point) else { return false };
                $body
            }
        }
    )*};
}

fn utf16(character: char) -> Vec<u16> {
    character.encode_utf16(&mut [0; 2]).to_vec()
}

sides! {
    Utf8: |c, to| { to.extend(c.encode_utf8(&mut [0; 4]).bytes()); true };
    Utf16: |c, to| { utf16(c).iter().for_each(|unit| to.extend(unit.to_ne_bytes())); true };
    Utf16Le: |c, to| { utf16(c).iter().for_each(|unit| to.extend(unit.to_le_bytes())); true };
    Utf16Be: |c, to| { utf16(c).iter().for_each(|unit| to.extend(unit.to_be_bytes())); true };
    Utf32: |c, to| { to.extend(u32::from(c).to_ne_bytes()); true };
    Utf32Le: |c, to| { to.extend(u32::from(c).to_le_bytes()); true };
    Utf32Be: |c, to| { to.extend(u32::from(c).to_be_bytes()); true };
    Latin1: |c, to| u8::try_from(c).map(|byte| to.push(byte)).is_ok();
    Ascii: |c, to| u8::try_from(c).ok().filter(u8::is_ascii).map(|byte| to.push(byte)).is_some();
}

impl Side for CorrectedUtf8 {
    fn put(point: u32, to: &mut Vec<u8>) -> bool {
        encode(point).map(|bytes| to.extend(bytes)).is_some()
    }
}

/// What is at the start of `bytes`, if the text up to there was right: what was read and written behind
/// each character, and whether all was converted.
struct Truth {
    bounds: Vec<(usize, usize)>,
    output: Vec<u8>,
    whole: bool,
}

const CANARY: u8 = 0xC5;

/// Asks `engine` for a conversion into `room` bytes.
fn ask<S: Side, D: Side>(
    engine: Engine,
    src: &[u8],
    truth: &Truth,
    room: usize,
    place: &mut [u8],
    offset: usize,
) {
    let units = size_of::<D::Unit>();
    let room = room / units * units;
    let begin = place.as_ptr().align_offset(64) + 64 + offset * units;
    place[..begin + room + 64].fill(CANARY);
    let dst = cast_slice_mut(&mut place[begin..begin + room]);
    let outcome = engine.transcode::<S, D>(cast_slice(src), dst);
    let after = truth.bounds.partition_point(|(_, written)| *written <= room) - 1;
    let (read, written) = truth.bounds[after];
    let fits = after + 1 == truth.bounds.len();
    let blame = || {
        format!(
            "{} to {} by {engine:?} into {room} of {}: {outcome:?}, not {read} {written} {fits}; {src:02X?}",
            S::NAME,
            D::NAME,
            truth.output.len()
        )
    };
    match outcome {
        Ok(count) => assert!(fits && truth.whole && count * units == written, "{}", blame()),
        Err(TranscodeError { read: seen, written: count, reason, .. }) => {
            assert_eq!((seen * size_of::<S::Unit>(), count * units), (read, written), "{}", blame());
            assert_eq!(reason == Reason::OutputFull, !fits, "{}", blame());
        }
    }
    assert!(place[begin..begin + written] == truth.output[..written], "{}", blame());
    assert!(place[..begin].iter().rev().take(64).all(|byte| *byte == CANARY), "before: {}", blame());
    assert!(place[begin + room..begin + room + 64].iter().all(|byte| *byte == CANARY), "behind: {}", blame());
}

/// Rooms around what is needed, and a few less.
fn rooms(needed: usize, dense: bool) -> Vec<usize> {
    let mut rooms: Vec<usize> = if dense { (0..needed + 9).collect() } else { vec![needed / 2, needed / 3] };
    rooms.extend((needed.saturating_sub(9)..=needed + 1).chain([needed + 200]));
    rooms
}

struct Bench {
    from: Place,
    to: Vec<u8>,
    turn: usize,
}

impl Bench {
    fn new() -> Bench {
        Bench { from: Place::new(1 << 16), to: vec![0; 1 << 18], turn: 0 }
    }

    /// From Corrected UTF-8.
    fn ask_from<D: Side>(&mut self, bytes: &[u8], dense: bool) {
        let (points, error) = decode(bytes);
        let mut truth = Truth { bounds: vec![(0, 0)], output: Vec::new(), whole: error.is_none() };
        let mut read = 0;
        for (point, len) in points {
            if !D::put(point, &mut truth.output) {
                truth.whole = false;
                break;
            }
            read += len;
            truth.bounds.push((read, truth.output.len()));
        }
        self.run::<CorrectedUtf8, D>(bytes, &truth, dense);
    }

    /// To Corrected UTF-8: a text, with what is in its midst instead of a character.
    fn ask_to<S: Side>(&mut self, points: &[u32], bad: Option<&[u8]>, dense: bool) {
        let mut truth = Truth { bounds: vec![(0, 0)], output: Vec::new(), whole: bad.is_none() };
        let mut src = Vec::new();
        let mut stopped = false;
        for point in points {
            if !S::put(*point, &mut src) {
                continue;
            }
            if stopped || !CorrectedUtf8::put(*point, &mut truth.output) {
                (stopped, truth.whole) = (true, false);
                continue;
            }
            truth.bounds.push((src.len(), truth.output.len()));
        }
        src.extend(bad.unwrap_or(&[]));
        self.run::<S, CorrectedUtf8>(&src, &truth, dense);
    }

    fn run<S: Side, D: Side>(&mut self, src: &[u8], truth: &Truth, dense: bool) {
        self.turn += 1;
        let each = size_of::<S::Unit>();
        let src = self.from.at(self.turn * each % 64, src);
        for engine in engines() {
            for room in rooms(truth.output.len(), dense) {
                ask::<S, D>(engine, src, truth, room, &mut self.to, self.turn % 7);
            }
            if truth.whole {
                let units: &[S::Unit] = cast_slice(src);
                let needed = truth.output.len() / size_of::<D::Unit>();
                assert_eq!(
                    engine.transcoded_len::<S, D>(units),
                    needed,
                    "{} to {}: {src:02X?}",
                    S::NAME,
                    D::NAME
                );
                assert_eq!(engine.count::<S>(units), truth.bounds.len() - 1);
                assert!(runecast::max_transcoded_len::<S, D>(units.len()) >= needed);
            }
        }
    }

    fn all_from_corrected(&mut self, bytes: &[u8], dense: bool) {
        self.ask_from::<Utf8>(bytes, dense);
        self.ask_from::<Utf16>(bytes, dense);
        self.ask_from::<Utf16Le>(bytes, false);
        self.ask_from::<Utf16Be>(bytes, false);
        self.ask_from::<Utf32>(bytes, dense);
        self.ask_from::<Utf32Le>(bytes, false);
        self.ask_from::<Utf32Be>(bytes, false);
        self.ask_from::<Latin1>(bytes, false);
        self.ask_from::<Ascii>(bytes, false);
        self.ask_from::<CorrectedUtf8>(bytes, false);
    }

    fn all_to_corrected(&mut self, points: &[u32], dense: bool) {
        self.ask_to::<Utf8>(points, None, dense);
        self.ask_to::<Utf8>(points, Some(b"\xC0\x80"), false);
        self.ask_to::<Utf16>(points, None, dense);
        self.ask_to::<Utf16>(points, Some(&0xDC00_u16.to_ne_bytes()), false);
        self.ask_to::<Utf16Le>(points, Some(&0xD800_u16.to_le_bytes()), false);
        self.ask_to::<Utf16Be>(points, None, false);
        self.ask_to::<Utf32>(points, None, dense);
        self.ask_to::<Utf32>(points, Some(&0x11_0000_u32.to_ne_bytes()), false);
        self.ask_to::<Utf32Le>(points, None, false);
        self.ask_to::<Utf32Be>(points, Some(&0xD800_u32.to_be_bytes()), false);
        self.ask_to::<Latin1>(points, None, false);
        self.ask_to::<Ascii>(points, None, false);
    }
}

/// Code points at the boundaries of the encodings.
const BOUNDARIES: [u32; 36] = [
    0x00, 0x41, 0x7F, 0xA0, 0xBF, 0xC0, 0xDF, 0xFF, 0x100, 0x7FF, 0x800, 0x89F, 0x8A0, 0xFFF, 0x1000, 0x4E00,
    0xD7FF, 0xE000, 0xF000, 0xFEFF, 0xFF0C, 0xFFFF, 0x1_0000, 0x1_009F, 0x1_00A0, 0x1_08A0, 0x1_0FFF,
    0x1_109F, 0x1_10A0, 0x1_109F, 0x1_1000, 0x1_F600, 0x1_FFFF, 0x2_0000, 0x10_0000, 0x10_FFFF,
];

/// The kinds of text that kernels tell apart.
const KINDS: [&[(u32, u32)]; 9] = [
    &[(0x0, 0x7F)],
    &[(0xA0, 0x89F)],
    &[(0x0, 0x7F), (0xA0, 0x89F), (0x0, 0x7F)],
    &[(0x8A0, 0xD7FF)],
    &[(0xE000, 0xFFFF), (0x4E00, 0x9FFF)],
    &[(0x1_0000, 0x1_109F), (0x8A0, 0xD7FF)],
    &[(0x1_10A0, 0x10_FFFF)],
    &[(0x0, 0x7F), (0x1_F000, 0x1_FFFF)],
    &[(0x0, 0x7F), (0xA0, 0x89F), (0x8A0, 0xD7FF), (0xE000, 0x1_109F), (0x1_10A0, 0x10_FFFF)],
];

fn text(kind: usize, count: usize, rng: &mut Rng) -> Vec<u32> {
    let ranges = KINDS[kind];
    (0..count)
        .map(|_| {
            let (first, last) = ranges[rng.below(ranges.len())];
            let boundaries = BOUNDARIES.iter().copied().filter(|point| (first..=last).contains(point));
            if rng.below(8) == 0
                && let Some(boundary) = boundaries.clone().nth(rng.below(boundaries.count().max(1)))
            {
                return boundary;
            }
            first + rng.below((last - first + 1) as usize) as u32
        })
        .collect()
}

fn in_corrected(points: &[u32]) -> Vec<u8> {
    points.iter().flat_map(|point| encode(*point).expect("a form")).collect()
}

/// What stops a conversion.
const STOPS: [&[u8]; 16] = [
    b"\x80",
    b"\xBF\x80",
    b"\xC0",
    b"\xC1A",
    b"\xE0\x80",
    b"\xEF\xBFz",
    b"\xEC\xC0\x80",
    b"\xF0\x80\x80",
    b"\xF7\xBF\xBF\xC0",
    b"\xF4\x80\x80",
    b"\xF3\xBE\xBD\xA0",
    b"\xF7\xBF\xBF\xBF",
    b"\xF8\x80\x80\x80\x80",
    b"\xFC\x80\x80\x80\x80\x80",
    b"\xFE\x80",
    b"\xFF",
];

#[test]
fn outputs_of_every_size() {
    let mut bench = Bench::new();
    let mut rng = Rng::new(1);
    for kind in 0..KINDS.len() {
        for count in [0, 1, 2, 5, 17, 40, 90] {
            let points = text(kind, count, &mut rng);
            bench.all_from_corrected(&in_corrected(&points), true);
            bench.all_to_corrected(&points, true);
        }
    }
}

#[test]
fn long_texts_that_change() {
    let mut bench = Bench::new();
    let mut rng = Rng::new(2);
    for _ in 0..size(120, 40, 12) {
        let mut points = Vec::new();
        for _ in 0..1 + rng.below(5) {
            points.extend(text(rng.below(KINDS.len()), rng.below(700), &mut rng));
        }
        bench.all_from_corrected(&in_corrected(&points), false);
        bench.all_to_corrected(&points, false);
    }
}

#[test]
fn stops_everywhere() {
    let mut bench = Bench::new();
    let mut rng = Rng::new(3);
    for kind in 0..KINDS.len() {
        for stop in STOPS {
            for at in (0..150).step_by(step(11, 13)) {
                let mut bytes = in_corrected(&text(kind, at, &mut rng));
                bytes.extend(stop);
                bytes.extend(in_corrected(&text(kind, [0, 1, 3, 80][at % 4], &mut rng)));
                bench.all_from_corrected(&bytes, false);
            }
        }
        for stop in [0x80, 0x9F, 0x85] {
            for at in (0..150).step_by(step(11, 13)) {
                let mut points = text(kind, at, &mut rng);
                points.push(stop);
                points.extend(text(kind, [0, 1, 3, 80][at % 4], &mut rng));
                bench.all_to_corrected(&points, false);
            }
        }
    }
}

/// A stop anywhere in a long text, which is met by the loops for long texts.
#[test]
fn stops_in_long_texts() {
    let mut bench = Bench::new();
    let mut rng = Rng::new(4);
    for round in 0..size(600, 150, 40) {
        let kind = round % KINDS.len();
        let mut points = text(kind, 900, &mut rng);
        let at = rng.below(900);
        let mut bytes = in_corrected(&points[..at]);
        bytes.extend(STOPS[rng.below(STOPS.len())]);
        bytes.extend(in_corrected(&points[at..]));
        // Or a byte changed anywhere.
        if round % 3 == 0 {
            let at = rng.below(bytes.len());
            bytes[at] = rng.below(256) as u8;
        }
        bench.all_from_corrected(&bytes, false);
        points[at] = 0x80 + rng.below(32) as u32;
        bench.all_to_corrected(&points, false);
    }
}

/// Two characters from the boundaries, at every place of a vector.
#[test]
fn boundaries() {
    let mut bench = Bench::new();
    for first in BOUNDARIES {
        for second in BOUNDARIES.into_iter().step_by(step(5, 7)) {
            for ahead in (0..66).step_by(step(5, 7)) {
                let filler = ['x', 'é', 'ж', 'ह', '\u{1F600}'][ahead % 5];
                let mut points = vec![u32::from(filler); ahead];
                points.extend([first, second]);
                points.extend(vec![u32::from(filler); [0, 2, 70][ahead % 3]]);
                let bytes = in_corrected(&points);
                bench.ask_from::<Utf16>(&bytes, false);
                bench.ask_from::<Utf32>(&bytes, false);
                bench.ask_from::<Utf8>(&bytes, false);
                bench.ask_to::<Utf16>(&points, None, false);
                bench.ask_to::<Utf32>(&points, None, false);
                bench.ask_to::<Utf8>(&points, None, false);
            }
        }
    }
}

/// A character that ends in a block for whose other characters a shorter form would do, behind a block that has longer ones.
#[test]
fn characters_across_blocks_of_two_kinds() {
    let mut bench = Bench::new();
    let specials = [0xD7FF, 0xE000, 0x1_0000, 0x1_009F, 0x1_00A0, 0x1_0C4F, 0x1_109F, 0x1_10A0, 0x10_FFFF];
    for special in specials {
        for before in [&[0x1_F600][..], &[0x1_00A0], &[0x4E2D], &[0xE9], &[]] {
            for end in (60..200).step_by(step(1, 7)) {
                for between in [0, 5, 30, 57] {
                    let mut points = vec![u32::from('x'); end - between];
                    points.extend(before);
                    points.extend(vec![u32::from('x'); between]);
                    points.push(special);
                    points.extend(vec![u32::from('x'); 150]);
                    let bytes = in_corrected(&points);
                    bench.ask_from::<Utf16>(&bytes, false);
                    bench.ask_from::<Utf32>(&bytes, false);
                    bench.ask_from::<Utf8>(&bytes, false);
                }
            }
        }
    }
}

/// Characters of one length for so long that the loop for shorter ones takes over, behind one that ends in its first block.
#[test]
fn characters_where_a_loop_for_shorter_ones_takes_over() {
    let mut bench = Bench::new();
    for point in [0x1_0000, 0x1_0C4F, 0x1_109F, 0x1_F600] {
        for count in 300..380 {
            for next in ['x', 'é', '中'] {
                let mut points = vec![u32::from('x'); count % 3];
                points.push(0x1_F600);
                points.extend(vec![point; count]);
                points.extend(vec![u32::from(next); 200]);
                let bytes = in_corrected(&points);
                bench.ask_from::<Utf16>(&bytes, false);
                bench.ask_from::<Utf32>(&bytes, false);
            }
        }
    }
}

/// A lead at the end of the block behind which a loop for long text takes over, and gets nowhere.
#[test]
fn cut_short_where_a_loop_begins() {
    let mut bench = Bench::new();
    for points in [[0x4E2D; 90], [0x1_F600; 90]] {
        for head in 1..90 {
            for shift in 0..4 {
                let mut bytes = b"abc"[..shift.min(3)].to_vec();
                bytes.extend(in_corrected(&points[..head]));
                bytes.extend(b"\xECz");
                bytes.extend(in_corrected(&[0x4E2D; 300]));
                bench.ask_from::<Utf16>(&bytes, false);
                bench.ask_from::<Utf32>(&bytes, false);
            }
        }
    }
    // The same in UTF-8.
    for head in 1..180 {
        let text = "中".repeat(head);
        let bytes = [text.as_bytes(), b"\xE4z", "中".repeat(300).as_bytes()].concat();
        let mut units = vec![0_u16; 1000];
        for engine in engines() {
            let error = engine.transcode::<Utf8, Utf16>(&bytes, &mut units).expect_err("ill-formed");
            assert_eq!((error.read, error.written), (3 * head, head), "{engine:?}");
        }
    }
}
