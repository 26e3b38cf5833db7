//! The table of the specification, every code point, and every short string.

use runecast::{
    CorrectedUtf8, Engine, IllFormed, Kind, Reason, Utf32, transcode, transcode_to_vec, validate,
};

use super::model::{self, TABLE, decode, encode, number};
use crate::common::check::engines;
use crate::common::scale::step;

fn plain(error: &IllFormed) -> (usize, usize, Kind) {
    (error.at, error.len, error.kind)
}

/// What an engine says of the whole of it.
fn judge(engine: Engine, bytes: &[u8]) {
    let (_, error) = decode(bytes);
    let seen = engine.validate::<CorrectedUtf8>(bytes).err();
    assert_eq!(seen.as_ref().map(plain), error, "{engine:?} of {bytes:02X?}");
}

#[test]
fn rows() {
    for row in &TABLE {
        let (first, last) = row.bytes;
        for (bytes, point) in [(first, row.points.0), (last, row.points.1)] {
            assert_eq!(model::next(bytes), Ok((point, bytes.len())));
            assert_eq!(encode(point).as_deref(), Some(bytes));
            // The offset is what the code point has more than the bits.
            let bits = number(bytes)
                - if bytes.len() == 1 {
                    0
                } else {
                    number(&[!(0xFF >> bytes.len())]) << (6 * (bytes.len() - 1))
                };
            assert_eq!(u64::from(point) - bits, u64::from(row.offset));
            let mut units = [0; 8];
            // The library, whose codec is seen where the target takes what there is.
            if point < 0x11_0000 {
                assert_eq!(transcode::<CorrectedUtf8, Utf32>(bytes, &mut units), Ok(1));
                assert_eq!(units[0], point);
            } else {
                let error = transcode::<CorrectedUtf8, Utf32>(bytes, &mut units).expect_err("not Unicode");
                assert_eq!(error.reason, Reason::UnrepresentableCodePoint { at: 0, code_point: point });
            }
            assert_eq!(transcode_to_vec::<CorrectedUtf8, CorrectedUtf8>(bytes).as_deref(), Ok(bytes));
        }
    }
    // The example of the text: C0 AF is U+00CF.
    let mut units = [0; 4];
    assert_eq!(transcode::<CorrectedUtf8, Utf32>(b"\xC0\xAF", &mut units), Ok(1));
    assert_eq!(units[0], 0xCF);
}

#[test]
fn every_code_point() {
    for point in (0..0x11_0000).step_by(step(1, 97)) {
        let bytes = encode(point);
        let character = char::from_u32(point);
        let mut room = [0; 8];
        if let Some(character) = character {
            let outcome = transcode::<Utf32, CorrectedUtf8>(&[point], &mut room);
            match &bytes {
                Some(bytes) => assert_eq!(room[..outcome.expect("a form")], bytes[..], "{point:X}"),
                None => assert_eq!(
                    outcome.expect_err("no form").reason,
                    Reason::Unrepresentable { at: 0, character }
                ),
            }
        }
        let Some(bytes) = bytes else {
            assert!(matches!(point, 0x80..=0x9F | 0xD800..=0xDFFF));
            continue;
        };
        let mut units = [0; 2];
        assert_eq!(transcode::<CorrectedUtf8, Utf32>(&bytes, &mut units), Ok(1));
        assert_eq!(units[0], point);
    }
}

/// The code points around the ends of rows, and some in between, up to the last.
#[test]
fn beyond_unicode() {
    let mut points = vec![0x8421_109F, 0x8421_109E, 0x7FFF_FFFF, 0x8000_0000];
    for row in &TABLE {
        for end in [row.points.0, row.points.1] {
            points.extend(end.saturating_sub(70)..=end.saturating_add(70).min(0x8421_109F));
        }
    }
    points.extend((0x11_0000..0x8421_109F).step_by(1_000_003));
    for point in points.into_iter().filter(|point| *point >= 0x11_0000) {
        let bytes = encode(point).expect("a form");
        for engine in engines() {
            judge(engine, &bytes);
            let mut units = [0; 2];
            let error = engine.transcode::<CorrectedUtf8, Utf32>(&bytes, &mut units).expect_err("no form");
            assert_eq!(error.reason, Reason::UnrepresentableCodePoint { at: 0, code_point: point });
            let mut copy = [0; 6];
            let len = engine.transcode::<CorrectedUtf8, CorrectedUtf8>(&bytes, &mut copy);
            assert_eq!(copy[..len.expect("its own form")], bytes[..]);
        }
    }
    assert_eq!(encode(0x8421_10A0), None);
}

#[test]
fn every_string_of_up_to_three_bytes() {
    for engine in engines() {
        for first in 0..=255 {
            judge(engine, &[first]);
            for second in 0..=255 {
                judge(engine, &[first, second]);
                for third in (0..=255).step_by(step(31, 67)) {
                    judge(engine, &[first, second, third]);
                }
            }
        }
    }
}

/// Bytes at the ends of the classes.
const CLASSES: [u8; 16] =
    [0x00, 0x7F, 0x80, 0x9F, 0xA0, 0xBD, 0xBF, 0xC0, 0xDF, 0xE0, 0xEC, 0xEF, 0xF0, 0xF8, 0xFD, 0xFF];

#[test]
fn strings_of_four_to_six_bytes() {
    for len in 4..=6_u32 {
        let all = (CLASSES.len() as u64).pow(len);
        let stride = if len == 6 { 7 } else { 1 } * step(29, 61);
        for number in (0..all).step_by(stride) {
            let mut rest = number;
            let bytes: Vec<u8> = (0..len)
                .map(|_| {
                    let byte = CLASSES[(rest % 16) as usize];
                    rest /= 16;
                    byte
                })
                .collect();
            for engine in engines() {
                judge(engine, &bytes);
            }
        }
    }
}

#[test]
fn reserved_is_what_it_is_called() {
    for (bytes, at, len) in [
        (&b"a\xFEb"[..], 1, 1),
        (b"a\xFF\x80\xBF\xFE\x80b", 1, 5),
        (b"\xFE\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\xC0\x80", 0, 12),
        (b"\xFF", 0, 1),
        (b"\xFF\xFF\x80", 0, 3),
    ] {
        let error = validate::<CorrectedUtf8>(bytes).expect_err("reserved");
        assert_eq!(plain(&error), (at, len, Kind::Reserved));
        assert!(!error.is_incomplete());
        for text in [error.to_string(), format!("{error:?}"), error.kind.to_string()] {
            assert!(!text.to_lowercase().contains("invalid"), "{text}");
        }
        assert!(error.to_string().contains("reserved"));
        assert_eq!(error.subpart(), &bytes[at..at + len.min(8)]);
    }
    let long = [&[0xFE][..], &[0x80; 100_000]].concat();
    assert_eq!(validate::<CorrectedUtf8>(&long).map_err(|e| e.len), Err(100_001));
}
