//! UTF-16 and UTF-32 over many blocks: the loops of the checks change with the text, and an error has
//! to be found whichever of them comes upon it. `encodings/transcode` has each error at each offset of
//! short texts; here texts are long, calm in one place and full of pairs in another, and the errors
//! are where one gives way to the other.

use crate::common::check::engines;
use crate::common::scale::{size, step};
use crate::common::texts::Rng;
use runecast::{Engine, Reason, TranscodeError, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le};

/// Stretches of text without pairs and of pairs, up to about `len` units.
fn stretches(len: usize, rng: &mut Rng) -> Vec<u16> {
    let mut units = Vec::new();
    while units.len() < len {
        let most = if rng.below(3) == 0 { 700 } else { 70 };
        let count = 1 + rng.below(most);
        let kind = rng.below(3);
        for _ in 0..count {
            let pair = kind == 0 || kind == 1 && rng.below(12) == 0;
            let basic = [0x41, 0xD7FF, 0xE000, 0x4E00, 0xFFFF, 0x0430][rng.below(6)];
            let point = if pair { 0x1_0000 + rng.below(0x10_0000) as u32 } else { basic };
            let character = char::from_u32(point).expect("a scalar value");
            units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
        }
    }
    units
}

/// Where the standard library sees the first error, or the end.
fn first_error(units: &[u16]) -> usize {
    let mut at = 0;
    for character in char::decode_utf16(units.iter().copied()) {
        match character {
            Ok(character) => at += character.len_utf16(),
            Err(_) => return at,
        }
    }
    at
}

/// Asks about UTF-16, as units and as bytes in both orders, at an odd address too.
fn ask_16(engine: Engine, units: &[u16]) {
    let end = first_error(units);
    let expected = (end < units.len()).then_some(end);
    assert_eq!(engine.validate::<Utf16>(units).err().map(|error| error.at), expected, "{engine:?}");
    for shift in 0..2 {
        let bytes = |each: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::repeat_n(b'-', shift).chain(units.iter().flat_map(|unit| each(*unit))).collect()
        };
        let (little, big) = (bytes(u16::to_le_bytes), bytes(u16::to_be_bytes));
        let found = engine.validate::<Utf16Le>(&little[shift..]).err().map(|error| error.at / 2);
        assert_eq!(found, expected, "{engine:?}, little-endian");
        let found = engine.validate::<Utf16Be>(&big[shift..]).err().map(|error| error.at / 2);
        assert_eq!(found, expected, "{engine:?}, big-endian");

        // The copies stop at the same place, and have copied everything before it.
        let mut copy = vec![0_u16; units.len()];
        assert_eq!(read(engine.transcode::<Utf16Be, Utf16>(&big[shift..], &mut copy), 2, units.len()), end);
        assert_eq!(copy[..end], units[..end], "{engine:?}");
        let mut points = vec![0_u32; units.len()];
        assert_eq!(
            read(engine.transcode::<Utf16Le, Utf32>(&little[shift..], &mut points), 2, units.len()),
            end
        );
        let truth = char::decode_utf16(units[..end].iter().copied()).map(|c| c.map_or(0, u32::from));
        let truth: Vec<u32> = truth.collect();
        assert_eq!(points[..truth.len()], truth, "{engine:?}");
    }
}

/// Units read of `len`, of `width` items each.
fn read(outcome: Result<usize, TranscodeError>, width: usize, len: usize) -> usize {
    match outcome {
        Ok(_) => len,
        Err(error) => {
            assert_ne!(error.reason, Reason::OutputFull);
            error.read / width
        }
    }
}

#[test]
fn unpaired_surrogates_far_into_changing_text() {
    let mut rng = Rng::new(31);
    for _ in 0..size(1500, 200, 40) {
        let mut units = stretches(4000, &mut rng);
        for engine in engines() {
            ask_16(engine, &units);
        }
        // A unit is lost, or another in its place, once or twice.
        for _ in 0..1 + rng.below(2) {
            let at = rng.below(units.len());
            match rng.below(3) {
                0 => drop(units.remove(at)),
                1 => units[at] = [0xD800, 0xDBFF, 0xDC00, 0xDFFF][rng.below(4)],
                _ => units.truncate(at),
            }
        }
        for engine in engines() {
            ask_16(engine, &units);
        }
    }
}

/// One wrong unit at every place of a calm text and of one full of pairs, both longer than the blocks
/// of any loop, with something behind.
#[test]
fn one_wrong_unit_at_every_place() {
    let calm = vec![0x4E00_u16; 1200];
    let pairs: Vec<u16> = (0..1200).map(|at| if at % 2 == 0 { 0xD83D } else { 0xDE00 }).collect();
    let mixed: Vec<u16> = calm[..600].iter().chain(&pairs[..600]).copied().collect();
    for text in [calm, pairs, mixed] {
        for at in (0..text.len()).step_by(step(1, 17)) {
            for wrong in [0xD800, 0xDC00, 0x0041] {
                let mut units = text.clone();
                units[at] = wrong;
                let end = first_error(&units);
                let expected = (end < units.len()).then_some(end);
                let swapped: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                for engine in engines() {
                    let found = engine.validate::<Utf16>(&units).err().map(|error| error.at);
                    assert_eq!(found, expected, "{engine:?}: {wrong:04X} at {at}");
                    let found = engine.validate::<Utf16Be>(&swapped).err().map(|error| error.at / 2);
                    assert_eq!(found, expected, "{engine:?}, big-endian: {wrong:04X} at {at}");
                }
            }
        }
    }
}

/// The same for UTF-32.
#[test]
fn one_wrong_code_point_at_every_place() {
    let text: Vec<u32> = (0..700).map(|at| [0x41, 0xD7FF, 0xE000, 0x10_FFFF, 0x1_F600][at % 5]).collect();
    for at in (0..text.len()).step_by(step(1, 17)) {
        // (With 11D800, too: a test that turns D800 to the largest values has its edge there.)
        for wrong in [0xD800, 0xDFFF, 0x11_0000, 0x11_D800, 0x8000_0041, 0xFFFF_FFFF, 0xFFFF_F800] {
            let mut points = text.clone();
            points[at] = wrong;
            let end = points.iter().position(|point| char::from_u32(*point).is_none());
            let little: Vec<u8> = points.iter().flat_map(|point| point.to_le_bytes()).collect();
            let big: Vec<u8> = points.iter().flat_map(|point| point.to_be_bytes()).collect();
            for engine in engines() {
                assert_eq!(engine.validate::<Utf32>(&points).err().map(|e| e.at), end, "{engine:?} {at}");
                assert_eq!(
                    engine.validate::<Utf32Le>(&little).err().map(|e| e.at / 4),
                    end,
                    "{engine:?} {at}"
                );
                assert_eq!(engine.validate::<Utf32Be>(&big).err().map(|e| e.at / 4), end, "{engine:?} {at}");
                let mut units = vec![0_u16; 2 * points.len()];
                let outcome = engine.transcode::<Utf32Be, Utf16>(&big, &mut units);
                assert_eq!(read(outcome, 4, points.len()), end.unwrap_or(points.len()), "{engine:?} {at}");
                let written = outcome.unwrap_or_else(|error| error.written);
                let truth: String =
                    points[..end.unwrap_or(points.len())].iter().filter_map(|p| char::from_u32(*p)).collect();
                assert!(truth.encode_utf16().eq(units[..written].iter().copied()), "{engine:?} {at}");
            }
        }
    }
}
