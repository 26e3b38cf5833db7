//! The names of the standard library, held to it; what other libraries say; escapes and the way back.

use std::borrow::Cow;

use proptest::prelude::*;
use runecast::{CorrectedUtf8, Escape, Kind, Utf8, Utf16, Utf16Le, Utf32, Wtf8};

use crate::common::check::engines;
use crate::common::scale::size;

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(size(5000, 1000, 300) as u32)
    })]

    #[test]
    fn utf8_as_std(text in ".{0,60}", changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)) {
        let mut bytes = text.into_bytes();
        for (place, byte) in changes {
            if !bytes.is_empty() {
                let at = place.index(bytes.len());
                bytes[at] = byte;
            }
        }
        let expected = String::from_utf8_lossy(&bytes);
        let lossy = runecast::from_utf8_lossy(&bytes);
        prop_assert_eq!(&lossy, &expected);
        prop_assert_eq!(matches!(lossy, Cow::Borrowed(_)), matches!(expected, Cow::Borrowed(_)));
        prop_assert_eq!(runecast::from_utf8_lossy_owned(bytes.clone()), expected.as_ref());
        let (as_web, _) = encoding_rs::UTF_8.decode_without_bom_handling(&bytes);
        prop_assert_eq!(as_web, expected);
    }

    #[test]
    fn utf16_as_std(mut units in prop::collection::vec(prop_oneof![any::<u16>(), 0xD700..0xE100_u16], 0..200)) {
        let expected = String::from_utf16_lossy(&units);
        prop_assert_eq!(&runecast::from_utf16_lossy(&units), &expected);
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        prop_assert_eq!(&runecast::from_utf16le_lossy(&little), &expected);
        prop_assert_eq!(&runecast::from_utf16be_lossy(&big), &expected);
        for odd in 0..little.len().min(7) {
            let cut = &little[..little.len() - odd];
            let (as_web, _) = encoding_rs::UTF_16LE.decode_without_bom_handling(cut);
            prop_assert_eq!(runecast::from_utf16le_lossy(cut), as_web);
        }

        let replaced = char::decode_utf16(units.iter().copied()).filter(Result::is_err).count();
        for engine in engines() {
            let mut units = units.clone();
            prop_assert_eq!(engine.to_well_formed(&mut units), replaced);
            prop_assert_eq!(String::from_utf16(&units).ok(), Some(expected.clone()));
        }
        prop_assert_eq!(runecast::to_well_formed(&mut units), replaced);
        prop_assert_eq!(runecast::to_well_formed(&mut units), 0);
    }

    /// Nothing is lost.
    #[test]
    fn surrogates_and_back(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let units = runecast::transcode_lossy_to_vec::<Utf8, Utf16>(&bytes, Escape::Surrogate);
        prop_assert_eq!(runecast::unescape_surrogates::<Utf16>(&units), Ok(bytes.clone()));
        let units = runecast::transcode_lossy_to_vec::<Utf8, Utf32>(&bytes, Escape::Surrogate);
        prop_assert_eq!(runecast::unescape_surrogates::<Utf32>(&units), Ok(bytes.clone()));
    }
}

/// Pairs and halves at the edges of the stretches in which ill-formed units are replaced.
#[test]
fn to_well_formed_at_boundaries() {
    for len in [1020, 1023, 1024, 1025, 2050] {
        for at in (0..len).filter(|at| at % 61 == 0 || at % 1024 > 1015 || at % 1024 < 8) {
            for piece in [
                &[0xD83E_u16, 0xDEA8][..],
                &[0xD83E],
                &[0xDEA8],
                &[0xDEA8, 0xD83E],
                &[0xD83E, 0xD83E, 0xDEA8],
            ] {
                let mut units = vec![0x4E00_u16; len];
                units.splice(at..at, piece.iter().copied());
                let expected: Vec<u16> = String::from_utf16_lossy(&units).encode_utf16().collect();
                for engine in engines() {
                    let mut units = units.clone();
                    engine.to_well_formed(&mut units);
                    assert!(units == expected, "{engine:?}, {piece:04X?} at {at} of {len}");
                }
            }
        }
    }
}

/// As Python 3.11 has it.
#[test]
fn escapes_as_python() {
    let text = |bytes, escape| runecast::repair::<Utf8>(bytes, escape).into_owned();
    assert_eq!(text(b"a\xE2\x82b\xFF", Escape::Backslash), r"a\xE2\x82b\xFF");
    assert_eq!(runecast::repair::<Utf16Le>(b"a\0\x00\xD8b\0\x01", Escape::Backslash), r"a\x00\xD8b\x01");
    assert_eq!(text(b"\x93quoted\x94", Escape::Windows1252), "\u{201C}quoted\u{201D}");
    assert_eq!(text(b"\x93quoted\x94", Escape::Latin1), "\u{93}quoted\u{94}");
}

/// What is no escape stays an error on the way back.
#[test]
fn no_escapes() {
    assert_eq!(runecast::unescape_surrogates::<Utf16>(&[0x61, 0xD800]).unwrap_err().at, 1);
    assert_eq!(runecast::unescape_surrogates::<Utf16>(&[0x61, 0xDC7F]).unwrap_err().at, 1);
    assert_eq!(runecast::unescape_surrogates::<Utf32>(&[0x61, 0xDCFF, 0x11_0000]).unwrap_err().at, 2);
    // Complete, but no character: the byte behind it has broken nothing.
    let error = runecast::unescape_surrogates::<Wtf8>(b"a\xED\xA0\x80b").unwrap_err();
    assert_eq!((error.at, error.len, error.evidence()), (1, 3, &b"\xED\xA0\x80"[..]));
    assert_eq!(
        error.to_string(),
        "ill-formed at byte 1: ED A0 80 is a surrogate (U+D800..U+DFFF), which is no character"
    );
    // Corrected UTF-8 counts each length from 0, so this is far above the greatest character.
    let text = b"a\xF7\xBF\xBF\xBFb";
    assert_eq!(runecast::validate::<CorrectedUtf8>(text), Ok(()));
    let error = runecast::unescape_surrogates::<CorrectedUtf8>(text).unwrap_err();
    assert_eq!((error.at, error.len, error.kind), (1, 4, Kind::AboveMaximum));
    assert_eq!(error.to_string(), "ill-formed at byte 1: F7 BF BF BF is above U+10FFFF");
}
