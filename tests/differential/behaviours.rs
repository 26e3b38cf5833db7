//! The examples that others published, and the sentences that people read.
//!
//! The tables lie in `tests/data` as tab-separated text, so that each can be held beside its
//! source: the examples of the Unicode Standard, the first list ever made of the ill-formed
//! sequences of UTF-8, and what runecast says of each rule.

use std::ops::RangeInclusive;

use crate::common::check::check;
use crate::common::texts::BOUNDARY_BYTES;
use runecast::{IllFormed, Kind, Utf8, validate};

const UNICODE_TABLES: &str = include_str!("../data/unicode-tables.tsv");
const FIRST_LIST: &str = include_str!("../data/l2-00-374r2.tsv");
const SENTENCES: &str = include_str!("../data/sentences.tsv");

/// The lines of a table, cut into columns.
fn table(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// `F0 9F` as bytes.
fn bytes(hex: &str) -> Vec<u8> {
    let byte = |hex| u8::from_str_radix(hex, 16).unwrap_or_else(|_| panic!("{hex} is no byte"));
    hex.split(' ').map(byte).collect()
}

fn first_error(bytes: &[u8]) -> IllFormed {
    validate::<Utf8>(bytes).expect_err("ill-formed")
}

#[test]
fn the_examples_of_the_unicode_standard() {
    let mut count = 0;
    for row in table(UNICODE_TABLES) {
        let [source, input, expected] = row[..] else { panic!("a row of {} columns", row.len()) };
        let input = bytes(input);
        let mut replaced = String::new();
        for chunk in runecast::utf8_chunks(&input) {
            replaced.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                replaced.push(char::REPLACEMENT_CHARACTER);
            }
        }
        let replaced: Vec<String> = replaced.chars().map(|c| format!("{:X}", c as u32)).collect();
        assert_eq!(replaced.join(" "), expected, "{source}");
        check(&input);
        count += 1;
    }
    assert_eq!(count, 6);
}

/// A row of the first list: its number, and the byte ranges of each column.
struct Listed {
    number: u8,
    columns: Vec<Vec<RangeInclusive<u8>>>,
}

impl Listed {
    fn read(row: &[&str]) -> Listed {
        let hex = |text: &str| u8::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text} is no byte"));
        let range = |text: &str| match text.split_once('-') {
            Some((low, high)) => hex(low)..=hex(high),
            None if text == "XX" => 0x00..=0xFF,
            None => hex(text)..=hex(text),
        };
        Listed {
            number: row[0].parse().expect("a row's number"),
            columns: row[1..].iter().map(|column| column.split(',').map(range).collect()).collect(),
        }
    }

    fn lists(&self, bytes: &[u8]) -> bool {
        let fits = |(byte, column): (&u8, &Vec<RangeInclusive<u8>>)| column.iter().any(|r| r.contains(byte));
        self.columns.len() <= bytes.len() && bytes.iter().zip(&self.columns).all(fits)
    }

    /// All strings of boundary bytes that the row lists.
    fn strings(&self) -> Vec<Vec<u8>> {
        let mut strings = vec![Vec::new()];
        for column in &self.columns {
            let bytes = BOUNDARY_BYTES.iter().filter(|byte| column.iter().any(|range| range.contains(byte)));
            let longer =
                |string: &Vec<u8>| bytes.clone().map(|b| [&string[..], &[*b]].concat()).collect::<Vec<_>>();
            strings = strings.iter().flat_map(longer).collect();
        }
        strings
    }
}

/// Whatever the list of 2000 calls ill-formed is ill-formed, and [`IllFormed::row`] names a row
/// that lists it, wherever more than one does.
#[test]
fn the_first_list_of_ill_formed_sequences() {
    let list: Vec<Listed> = table(FIRST_LIST).map(|row| Listed::read(&row)).collect();
    assert_eq!(list.len(), 11);
    for row in &list {
        let strings = row.strings();
        assert!(!strings.is_empty(), "row {}", row.number);
        for string in strings {
            // The slip in row 6.
            if row.number == 6 && (0x90..=0x9F).contains(&string[1]) {
                continue;
            }
            // What is listed may be the beginning of more.
            let longer = [&string[..], b"AAAA"].concat();
            let error = first_error(&longer);
            assert_eq!(error.at, 0, "{string:02X?}");
            match error.row() {
                // The list has pairs of surrogates, and says nothing of one alone.
                Some(11) => assert_eq!(error.kind, Kind::Surrogate, "{string:02X?}"),
                Some(number) => {
                    let named = list.iter().find(|row| row.number == number).expect("a row of the list");
                    assert!(
                        named.lists(&longer),
                        "{string:02X?} is not in row {number}, but in {}",
                        row.number
                    );
                }
                // F1..F3 before a byte that is no continuation byte is missing from the list, and
                // comes here only because XX is any byte.
                None => {
                    assert!(matches!((row.number, string[0]), (9 | 10, 0xF1..=0xF3)), "{string:02X?}");
                    assert_eq!((error.kind, error.len), (Kind::Truncated, 1), "{string:02X?}");
                }
            }
        }
    }
}

#[test]
fn each_error_is_a_sentence() {
    for row in table(SENTENCES) {
        let [hex, len, kind, listed, sentence] = row[..] else { panic!("a row of {} columns", row.len()) };
        let input = bytes(hex);
        let error = first_error(&input);
        assert_eq!(error.len.to_string(), len, "{hex}");
        assert_eq!(error.kind.name(), kind, "{hex}");
        assert_eq!(error.kind.to_string(), kind, "{hex}");
        assert_eq!(error.row().map_or("-".to_owned(), |row| row.to_string()), listed, "{hex}");
        assert_eq!(error.reason().to_string(), sentence, "{hex}");
        assert_eq!(error.to_string(), format!("ill-formed at byte 0: {sentence}"));
        assert_eq!(error.is_incomplete(), kind == "incomplete");

        // Elsewhere, the same but for the place.
        let later = [b"abc\xC3\xA9", &input[..]].concat();
        let error = first_error(&later);
        assert_eq!(error.to_string(), format!("ill-formed at byte 5: {sentence}"));
        let std_named = runecast::from_utf8(&later).expect_err("ill-formed");
        assert_eq!(std_named.to_string(), error.to_string());
        assert_eq!(std_named.kind(), error.kind);
    }
}

#[test]
fn an_error_shows_its_bytes() {
    let error = first_error(b"ab\xF0\x9F\x92!");
    assert_eq!(error.subpart(), b"\xF0\x9F\x92");
    assert_eq!(error.evidence(), b"\xF0\x9F\x92!");
    assert_eq!(format!("{error:?}"), "IllFormed { at: 2, len: 3, kind: Truncated, evidence: F0 9F 92 21 }");

    let error = first_error(b"ab\xE2\x82");
    assert_eq!(error.evidence(), error.subpart(), "nothing follows the end of the input");
}

#[test]
fn the_mutable_slice_is_the_same() {
    let mut bytes = "Grüße".as_bytes().to_vec();
    let text = runecast::from_utf8_mut(&mut bytes).expect("well-formed");
    text.make_ascii_uppercase();
    assert_eq!(text, "GRüßE");

    let mut bytes = b"ok\xED\xA0\x80".to_vec();
    let error = runecast::from_utf8_mut(&mut bytes).expect_err("a surrogate");
    assert_eq!((error.valid_up_to(), error.error_len(), error.kind()), (2, Some(1), Kind::Surrogate));
    assert_eq!(bytes, b"ok\xED\xA0\x80", "the bytes are left as they were");
}

/// An error carries all it says, so it can be sent away after the input is gone.
#[test]
fn an_error_outlives_its_input() {
    fn is_free<T: Copy + Send + Sync + std::error::Error + 'static>(error: T) -> T {
        error
    }
    let error = {
        let input = b"\xFE".to_vec();
        is_free(first_error(&input))
    };
    assert_eq!(error.to_string(), "ill-formed at byte 0: no character of Unicode begins with FE");
    let input = b"\xFE".to_vec();
    let error = is_free(runecast::from_utf8(&input).expect_err("ill-formed"));
    let as_std: std::str::Utf8Error = error.into();
    assert_eq!(Err(as_std), std::str::from_utf8(&input));
}
