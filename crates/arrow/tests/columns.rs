//! Arrays of all types against std, row by row, and against Arrow's own cast.
//!
//! The expectations are made of the rows that an array was built from, never of the array. Arrays have bytes under their
//! nulls, rows before and after their slices, and values in their dictionaries that no row has.

mod common;

use std::str;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::DataType;
use common::{Case, Row, assert_sound, cases, rows_of};
use proptest::prelude::*;
use runecast::{Escape, Policy, Replacement, Scheme};
use runecast_arrow::{
    Error, binary_type, char_count, check, decode, decode_or_null, encode, errors, is_valid, repair,
    text_type, transcode, transcoded_len,
};

/// The first row that std refuses, and the place.
fn first_error(rows: &[Row]) -> Option<(usize, usize)> {
    let error = |row: &Row| Some(str::from_utf8(row.as_deref()?).err()?.valid_up_to());
    rows.iter().enumerate().find_map(|(index, row)| Some((index, error(row)?)))
}

/// The rows by something.
fn map(rows: &[Row], convert: impl Fn(&[u8]) -> Vec<u8>) -> Vec<Row> {
    rows.iter().map(|row| row.as_deref().map(&convert)).collect()
}

fn place(error: &Error) -> Option<(usize, usize)> {
    error.row().zip(error.at())
}

/// An array that must be text with these rows.
fn assert_text(array: &dyn Array, source: &dyn Array, rows: &[Row]) {
    assert_eq!(Some(array.data_type()), text_type(source.data_type()).as_ref());
    assert_sound(array);
    assert_eq!(rows_of(array), rows, "{}", source.data_type());
}

fn utf16le(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).encode_utf16().flat_map(u16::to_le_bytes).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn text_is_what_std_takes_for_text(case in cases(2)) {
        let rows = case.rows();
        for array in case.arrays() {
            match (check(&array), first_error(rows)) {
                (Ok(text), None) => {
                    assert_text(&text, &array, rows);
                    // Text is its own answer.
                    assert_eq!(rows_of(&check(&text).expect("text")), rows);
                }
                (Err(error), Some(expected)) => assert_eq!(place(&error), Some(expected), "{}", array.data_type()),
                (found, expected) => panic!("{found:?} is not {expected:?}: {}", array.data_type()),
            }
        }
    }

    #[test]
    fn rows_are_judged_one_by_one(case in cases(20)) {
        let rows = case.rows();
        let error = |row: &Row| str::from_utf8(row.as_deref()?).err();
        for array in case.arrays() {
            let mask = is_valid(&array).expect("bytes");
            let expected: Vec<Option<bool>> =
                rows.iter().map(|row| row.as_deref().map(|row| str::from_utf8(row).is_ok())).collect();
            assert_eq!(mask.iter().collect::<Vec<_>>(), expected, "{}", array.data_type());

            let found = errors(&array).expect("bytes");
            assert_sound(&found);
            let (at, len) = (found.column(0).as_primitive::<Int64Type>(), found.column(1).as_primitive::<Int64Type>());
            for (index, row) in rows.iter().enumerate() {
                let Some(error) = error(row) else {
                    assert!(found.is_null(index) && found.columns().iter().all(|column| column.is_null(index)));
                    continue;
                };
                assert!(found.is_valid(index));
                assert_eq!(at.value(index) as usize, error.valid_up_to());
                let rest = row.as_ref().map_or(0, Vec::len) - error.valid_up_to();
                assert_eq!(len.value(index) as usize, error.error_len().unwrap_or(rest));
                let kind = found.column(2).as_string::<i32>().value(index);
                assert_eq!(kind == "incomplete", error.error_len().is_none());
                assert!(!found.column(3).as_string::<i32>().value(index).is_empty());
            }
        }
    }

    #[test]
    fn what_is_repaired_is_what_std_makes_of_it(case in cases(10)) {
        let rows = case.rows();
        let lossy = map(rows, |row| String::from_utf8_lossy(row).into_owned().into_bytes());
        let go = map(rows, |row| {
            // Of Go: one for each byte of what is ill-formed.
            row.utf8_chunks().map(|chunk| chunk.valid().to_owned() + &"\u{FFFD}".repeat(chunk.invalid().len())).collect::<String>().into_bytes()
        });
        let dropped = map(rows, |row| row.utf8_chunks().map(|chunk| chunk.valid()).collect::<String>().into_bytes());
        for array in case.arrays() {
            for (policy, expected) in [
                (Policy::default(), &lossy),
                (Policy::from(Replacement::PerByte), &go),
                (Policy::DropAtTheRiskOfJoining, &dropped),
            ] {
                let text = repair(&array, policy).expect("bytes");
                assert_text(&text, &array, expected);
                assert_text(&decode(&array, Scheme::Utf8, Some(policy)).expect("bytes"), &array, expected);
            }
            // By the other policies value by value.
            for policy in Replacement::ALL.map(Policy::from).into_iter().chain(Escape::ALL.map(Policy::from)) {
                let expected = map(rows, |row| runecast::repair::<runecast::Utf8>(row, policy).into_owned().into_bytes());
                assert_text(&repair(&array, policy).expect("bytes"), &array, &expected);
            }
        }
    }

    #[test]
    fn null_is_what_arrow_has_for_it(case in cases(10)) {
        let rows = case.rows();
        let expected: Vec<Row> =
            rows.iter().map(|row| row.clone().filter(|row| str::from_utf8(row).is_ok())).collect();
        for array in case.arrays() {
            let text = decode_or_null(&array, Scheme::Utf8).expect("bytes");
            assert_text(&text, &array, &expected);
            let plain = text_type(array.data_type()).expect("text");
            // Arrow does not cast dictionaries so.
            if !matches!(plain, DataType::Dictionary(..)) {
                assert_eq!(rows_of(&cast(&array, &plain).expect("a cast")), expected);
                let strict = cast_with_options(&array, &plain, &CastOptions { safe: false, ..CastOptions::default() });
                // (It looks at what no row has, too.)
                assert!(strict.is_err() || check(&array).is_ok());
                assert!(check(&array).is_err() || strict.is_ok() || case.hidden.len() > 1 || case.len < case.all.len());
            }
        }
    }

    #[test]
    fn other_encodings_and_back(case in cases(0)) {
        let rows = case.rows();
        let wide = Case { all: map(&case.all, utf16le), ..case.clone() };
        let latin1 = map(rows, |row| row.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes());
        for (array, wide) in case.arrays().into_iter().zip(wide.arrays()) {
            // What is under nulls is no UTF-16 either.
            let text = decode(&wide, Scheme::Utf16Le, None).expect("well-formed");
            assert_text(&text, &array, rows);
            assert_text(&decode(&wide, Scheme::Utf16Le, Some(Policy::default())).expect("bytes"), &array, rows);
            assert_text(&decode(&array, Scheme::Latin1, None).expect("bytes"), &array, &latin1);

            let back = encode(&text, Scheme::Utf16Le, None).expect("text");
            assert_eq!(Some(back.data_type()), binary_type(array.data_type()).as_ref());
            assert_sound(&back);
            assert_eq!(rows_of(&back), rows_of(&wide));
            let big = transcode(&wide, Scheme::Utf16Le, Scheme::Utf16Be, None).expect("well-formed");
            assert_eq!(rows_of(&big), map(wide_rows(&wide).as_slice(), |row| row.chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect()));
            let same = transcode(&array, Scheme::Utf8, Scheme::Utf8, None).expect("well-formed");
            assert_eq!(Some(same.data_type()), binary_type(array.data_type()).as_ref());
            assert_eq!(rows_of(&same), rows);

            let lengths = transcoded_len(&text, Scheme::Utf8, Scheme::Utf16Le).expect("text");
            let expected: Vec<Option<i64>> = rows.iter().map(|row| row.as_deref().map(|row| utf16le(row).len() as i64)).collect();
            assert_eq!(lengths.iter().collect::<Vec<_>>(), expected);
            let counts = char_count(&text).expect("text");
            let expected: Vec<Option<i64>> =
                rows.iter().map(|row| row.as_deref().map(|row| String::from_utf8_lossy(row).chars().count() as i64)).collect();
            assert_eq!(numbers(&counts), expected);
            assert_eq!(numbers(&char_count(&array).expect("bytes")), expected);
        }
    }

    #[test]
    fn what_has_no_form_in_latin1(case in cases(0)) {
        let rows = case.rows();
        let text = |row: &[u8]| String::from_utf8_lossy(row).into_owned();
        let alien = |c: char| u32::from(c) > 0xFF;
        let first = rows.iter().enumerate().find_map(|(index, row)| Some((index, text(row.as_deref()?).find(alien)?)));
        let expected = map(rows, |row| text(row).chars().map(|c| if alien(c) { b'?' } else { c as u8 }).collect());
        for array in case.arrays() {
            let array = check(&array).expect("text");
            match encode(&array, Scheme::Latin1, None) {
                Ok(binary) => assert_eq!((rows_of(&binary), first), (expected.clone(), None)),
                Err(error) => assert_eq!(place(&error), first),
            }
            let binary = encode(&array, Scheme::Latin1, Some(Policy::default())).expect("text");
            assert_eq!(rows_of(&binary), expected);
        }
    }
}

fn wide_rows(array: &ArrayRef) -> Vec<Row> {
    rows_of(array)
}

/// Numbers of either width.
fn numbers(array: &dyn Array) -> Vec<Option<i64>> {
    match array.data_type() {
        DataType::Int32 => array.as_primitive::<Int32Type>().iter().map(|n| n.map(i64::from)).collect(),
        _ => array.as_primitive::<Int64Type>().iter().collect(),
    }
}
