//! Columns, by functions that choose the engine, and with offsets that do not begin at 0.

use runecast::batch::{
    BatchError, Defect, Validity, ill_formed_offsets, ill_formed_views, validate_each, validate_offsets,
    validate_views,
};
use runecast::{Ascii, Encoding, IllFormed, Latin1, Utf8, Utf16, Utf32, validate};

/// The values that are not null and ill-formed by themselves, and where.
fn one_by_one<E: Encoding>(
    values: &[E::Unit],
    offsets: &[i32],
    is_valid: impl Fn(usize) -> bool,
) -> Vec<(usize, IllFormed)> {
    let bounds = offsets.windows(2).map(|pair| pair[0] as usize..pair[1] as usize);
    let each = bounds.enumerate().filter(|(index, _)| is_valid(*index));
    each.filter_map(|(index, bounds)| Some((index, validate::<E>(&values[bounds]).err()?))).collect()
}

/// Compares all functions for offsets with a look at each value.
fn check<E: Encoding>(values: &[E::Unit], offsets: &[i32], nulls: Option<&[u8]>) {
    let validity = nulls.map(|bits| Validity::new(bits, 0));
    let is_valid = |index: usize| nulls.is_none_or(|bits| bits[index / 8] >> (index % 8) & 1 == 1);
    let expected = one_by_one::<E>(values, offsets, is_valid);
    let mut found = Vec::new();
    let end = ill_formed_offsets::<E>(values, offsets, validity, |index, error| found.push((index, error)));
    assert_eq!((end, &found), (Ok(()), &expected), "{offsets:?}");
    let first =
        validate_offsets::<E>(values, offsets, validity).map_err(|error| (error.index, error.ill_formed()));
    assert_eq!(first, expected.first().map_or(Ok(()), |(index, error)| Err((*index, Some(*error)))));
}

#[test]
fn values_need_not_begin_at_the_start() {
    // A hundred values of five bytes, behind twenty bytes that are none of theirs; some are ill-formed.
    for bad in [vec![], vec![0], vec![7], vec![40], vec![8, 9, 41, 99], (0..100).collect::<Vec<_>>()] {
        let mut bytes = b"\xFF".repeat(20);
        bytes.extend(b"abcde".repeat(100));
        let offsets: Vec<i32> = (0..=100).map(|value| 20 + 5 * value).collect();
        for value in bad {
            bytes[20 + 5 * value + value % 5] = 0xE9;
        }
        // As many nulls as the bitmap has bits.
        check::<Utf8>(&bytes, &offsets[..97], Some(&[0xFF; 12]));
        check::<Utf8>(&bytes, &offsets[..97], Some(&[0x7F; 12]));
        let units: Vec<u16> = bytes.iter().map(|byte| if *byte == 0xE9 { 0xDC00 } else { 0x61 }).collect();
        let points: Vec<u32> = units.iter().map(|unit| u32::from(*unit)).collect();
        let some: Vec<u8> = (0..13).map(|byte| [0b1011_0111, 0xFF, 0, 0x55][byte % 4]).collect();
        for nulls in [None, Some(&some[..]), Some(&[0xFF; 13][..]), Some(&[0; 13][..])] {
            check::<Ascii>(&bytes, &offsets, nulls);
            check::<Latin1>(&bytes, &offsets, nulls);
            check::<Utf8>(&bytes, &offsets, nulls);
            check::<Utf16>(&units, &offsets, nulls);
            check::<Utf32>(&points, &offsets, nulls);
        }
    }
}

#[test]
fn each_slice_is_checked() {
    let values = [&b"rune"[..], b"R\xC3\xBAna", b"R\xC3", b""];
    assert_eq!(validate_each::<Utf8, _>(values[..2].iter().copied()), Ok(()));
    let error = validate_each::<Utf8, _>(values).expect_err("the third");
    assert_eq!((error.index, error.ill_formed().map(|error| error.at)), (2, Some(1)));
}

/// The view of a value of more than twelve bytes.
fn long(value: &[u8], buffer: u32, at: u32) -> u128 {
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(value.len() as u32).to_le_bytes());
    view[4..8].copy_from_slice(&value[..4]);
    view[8..12].copy_from_slice(&buffer.to_le_bytes());
    view[12..].copy_from_slice(&at.to_le_bytes());
    u128::from_le_bytes(view)
}

#[test]
fn views() {
    let mut view = [0; 16];
    view[..6].copy_from_slice(b"\x02\0\0\0a\xE9");
    let short = u128::from_le_bytes(view);
    let buffer = b"a text that is long \xFF";
    let good = long(&buffer[..16], 0, 0);
    let bad = long(&buffer[2..21], 0, 2);
    let mut found = Vec::new();
    let end = ill_formed_views::<Utf8>(&[short, good, bad], &[buffer], None, |index, error| {
        found.push((index, error.at));
    });
    assert_eq!((end, found), (Ok(()), vec![(0, 1), (2, 18)]));

    assert_eq!(validate_views::<Utf8>(&[good], &[buffer], None), Ok(()));
    let nulls = Validity::new(&[0b010], 0);
    assert_eq!(validate_views::<Utf8>(&[short, good, bad], &[buffer], Some(nulls)), Ok(()));
    let defect = |views: &[u128], buffers: &[&[u8]]| {
        let BatchError { index, defect, .. } =
            validate_views::<Utf8>(views, buffers, None).expect_err("a defect");
        (index, defect)
    };
    assert_eq!(defect(&[good, good + (1 << 64)], &[buffer]), (1, Defect::OutOfBounds));
    assert_eq!(defect(&[good], &[]), (0, Defect::OutOfBounds));
    assert_eq!(defect(&[good ^ (1 << 32)], &[buffer]), (0, Defect::Prefix));
    assert_eq!(defect(&[1 << 120], &[]), (0, Defect::Padding));
    assert!(matches!(defect(&[good, bad], &[buffer]), (1, Defect::Text(_))));
}
