//! The names of the standard library for UTF-16, held to the standard library; and the order of bytes.

use proptest::prelude::*;
use runecast::{Kind, Utf16Be};

use super::text::characters;
use crate::common::place::Place;
use crate::common::scale::size;
use crate::common::texts::{Class, Rng};
use crate::encodings::pairs::sources;

/// The bytes of units, one order and the other.
fn bytes(units: &[u16]) -> (Vec<u8>, Vec<u8>) {
    let little = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    (little, units.iter().flat_map(|unit| unit.to_be_bytes()).collect())
}

/// Asks all functions from UTF-16 about `units`.
fn ask(units: &[u16]) {
    let (little, big) = bytes(units);
    let expected = String::from_utf16(units).ok();
    assert_eq!(runecast::from_utf16(units).ok(), expected, "{units:04X?}");
    assert_eq!(runecast::from_utf16le(&little).ok(), expected, "{units:04X?}");
    assert_eq!(runecast::from_utf16be(&big).ok(), expected, "{units:04X?}");
    if let Some(text) = expected {
        assert_eq!(runecast::encode_utf16(&text), units);
        assert_eq!(runecast::encode_utf16le(&text), little);
        assert_eq!(runecast::encode_utf16be(&text), big);
    } else {
        // The place: all before it is well-formed, and with it no more.
        let error = runecast::from_utf16(units).expect_err("ill-formed");
        assert!(String::from_utf16(&units[..error.at]).is_ok());
        assert!(String::from_utf16(&units[..=error.at]).is_err());
        for error in [runecast::from_utf16le(&little), runecast::from_utf16be(&big)] {
            assert_eq!(error.expect_err("ill-formed").at, 2 * runecast::from_utf16(units).unwrap_err().at);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(size(3000, 500, 200) as u32)
    })]

    #[test]
    fn from_units_as_std(
        text in ".{0,90}",
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0xD700..=0xE000_u16), 0..3),
    ) {
        let mut units: Vec<u16> = text.encode_utf16().collect();
        for (place, unit) in changes {
            if !units.is_empty() {
                let at = place.index(units.len());
                units[at] = unit;
            }
        }
        ask(&units);
    }
}

#[test]
fn half_a_unit() {
    let error = runecast::from_utf16le(b"a\0b").unwrap_err();
    assert_eq!((error.at, error.len, error.kind), (2, 1, Kind::Incomplete));
    assert!(runecast::from_utf16be(b"\0").is_err());
}

/// In place, of every length and alignment; what is no whole unit stays.
#[test]
fn byte_orders() {
    let mut rng = Rng::new(31);
    for pair in sources() {
        let width = pair.source.width();
        for len in [0, 1, 3, 31, 32, 33, 200] {
            for offset in (0..16).step_by(pair.source.unit) {
                let text =
                    characters(Class::ALL[rng.below(Class::ALL.len())], pair.source.limit, len, &mut rng);
                let mut bytes = pair.source.encode_all(text);
                let whole = bytes.len();
                bytes.resize(whole + (width - 1) / pair.source.unit * pair.source.unit % width, 0xA5);
                let mut expected = bytes.clone();
                expected[..whole].chunks_exact_mut(width).for_each(<[u8]>::reverse);
                let mut place = Place::new(bytes.len());
                let text = place.at_mut(offset, &bytes);
                (pair.swap)(text);
                assert_eq!(text, expected, "{} at {offset}", pair.source.name);
                (pair.swap)(text);
                assert_eq!(text, bytes, "{} at {offset}, back", pair.source.name);
            }
        }
    }
    let mut bytes = runecast::encode_utf16le("turned");
    runecast::swap_byte_order::<Utf16Be>(&mut bytes);
    assert_eq!(bytes, runecast::encode_utf16be("turned"));
}
