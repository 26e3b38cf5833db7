//! Who checks the checker: the reference decoder of `tests/common` against the standard library,
//! against `char`, and against the words of the standard.
//!
//! Nothing in this file asks the library anything. If a test here fails, no other test means much.

use crate::common::check::excerpt;
use crate::common::reference::{self, Subpart, TABLE};
use crate::common::scale;
use crate::common::texts::{BOUNDARY_BYTES, Class, ILL_FORMED, Rng};
use runecast::Kind;

/// The pieces of `bytes` as the standard library cuts them, compared with the reference's.
fn agrees_with_std(bytes: &[u8]) {
    let pieces = reference::all(bytes);
    let (mut at, mut next) = (0, pieces.iter());
    for chunk in bytes.utf8_chunks() {
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            let piece = next.next().unwrap_or_else(|| panic!("a piece too few: {}", excerpt(bytes, at)));
            assert_eq!((piece.at, piece.len), (at, chunk.invalid().len()), "{}", excerpt(bytes, at));
        }
        at += chunk.invalid().len();
    }
    assert_eq!(next.next(), None, "a piece too many: {}", excerpt(bytes, 0));

    let std = std::str::from_utf8(bytes).err().map(|error| (error.valid_up_to(), error.error_len()));
    let ours = pieces.first().map(|piece| (piece.at, (piece.kind != Kind::Incomplete).then_some(piece.len)));
    assert_eq!(ours, std, "{}", excerpt(bytes, 0));
}

#[test]
fn the_rows_are_the_scalar_values_in_order() {
    let mut next = 0;
    for row in &TABLE {
        let (first, last) = row.points;
        assert_eq!(first, if next == 0xD800 { 0xE000 } else { next }, "the rows leave a gap");
        next = last + 1;
        for point in first..=last {
            let mut bytes = [0; 4];
            let bytes = char::from_u32(point).expect("a scalar value").encode_utf8(&mut bytes).as_bytes();
            let fits = bytes.iter().zip(row.bytes).all(|(byte, (low, high))| (low..=high).contains(&byte));
            assert!(fits && bytes.len() == row.bytes.len(), "U+{point:04X} is not in its row");
            assert_eq!(reference::character(bytes), Some(bytes.len()));
        }
    }
    assert_eq!(next, 0x11_0000);
}

#[test]
fn strings_of_up_to_three_bytes_as_in_std() {
    agrees_with_std(&[]);
    for a in 0..=255 {
        agrees_with_std(&[a]);
        for b in 0..=255 {
            agrees_with_std(&[a, b]);
        }
    }
    for string in (0..1_u32 << 24).step_by(scale::step(29, 53)) {
        agrees_with_std(&string.to_be_bytes()[1..]);
    }
}

#[test]
fn strings_of_boundary_bytes_as_in_std() {
    let count = BOUNDARY_BYTES.len();
    for number in (0..count.pow(4)).step_by(scale::step(5, 53)) {
        let byte = |place: u32| BOUNDARY_BYTES[number / count.pow(place) % count];
        agrees_with_std(&[byte(3), byte(2), byte(1), byte(0)]);
    }
}

#[test]
fn random_bytes_as_in_std() {
    let mut rng = Rng::new(1);
    for _ in 0..scale::size(200_000, 50_000, 4_000) {
        let len = rng.below(24);
        let bytes: Vec<u8> = (0..len).map(|_| BOUNDARY_BYTES[rng.below(BOUNDARY_BYTES.len())]).collect();
        agrees_with_std(&bytes);
    }
}

#[test]
fn the_lists_of_texts_keep_their_word() {
    let mut rng = Rng::new(2);
    for class in Class::ALL {
        for len in 0..100 {
            assert_eq!(reference::first(class.text(len, &mut rng).as_bytes()), None, "{class:?}");
            assert_eq!(class.exactly(len, &mut rng).len(), len, "{class:?}");
        }
        for bad in ILL_FORMED {
            let mut bytes = class.text(20, &mut rng).into_bytes();
            bytes.extend_from_slice(bad);
            bytes.extend_from_slice(class.text(20, &mut rng).as_bytes());
            assert!(reference::first(&bytes).is_some(), "{bad:02X?} in {class:?}");
        }
    }
}

/// The kinds of error, each at the ends of the range that its name speaks of.
#[test]
fn each_kind_by_its_definition() {
    use Kind::*;
    let expected: [(&[u8], usize, Kind); 26] = [
        (b"\x80", 1, UnexpectedContinuation),
        (b"\xBF", 1, UnexpectedContinuation),
        (b"\xC0", 1, OverlongLead),
        (b"\xC1\xBF", 1, OverlongLead),
        (b"\xF5", 1, InvalidLead),
        (b"\xFF\x80", 1, InvalidLead),
        (b"\xE0\x80", 1, Overlong),
        (b"\xE0\x9F\xBF", 1, Overlong),
        (b"\xF0\x80", 1, Overlong),
        (b"\xF0\x8F\xBF\xBF", 1, Overlong),
        (b"\xED\xA0", 1, Surrogate),
        (b"\xED\xBF\xBF", 1, Surrogate),
        (b"\xF4\x90", 1, AboveMaximum),
        (b"\xF4\xBF\xBF\xBF", 1, AboveMaximum),
        (b"\xC2\x7F", 1, Truncated),
        (b"\xDF\xC0", 1, Truncated),
        (b"\xE1A", 1, Truncated),
        (b"\xED\x9FA", 2, Truncated),
        (b"\xF0\x90\xFF", 2, Truncated),
        (b"\xF4\x8F\xBF\xC2", 3, Truncated),
        (b"\xC2", 1, Incomplete),
        (b"\xE0", 1, Incomplete),
        (b"\xE0\xA0", 2, Incomplete),
        (b"\xF0", 1, Incomplete),
        (b"\xF0\x90", 2, Incomplete),
        (b"\xF4\x8F\xBF", 3, Incomplete),
    ];
    for (bytes, len, kind) in expected {
        assert_eq!(reference::first(bytes), Some(Subpart { at: 0, len, kind }), "{bytes:02X?}");
    }
}
