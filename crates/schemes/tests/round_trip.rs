//! What is written is read back, in every scheme, and the tables in the documentation are what is written.

use proptest::prelude::*;
use runecast_schemes::{ALL, Corrected, MAGIC, Scheme, Strict, by_name, steps};

/// Writes and reads a value, strictly and not, alone and before others.
fn round_trip(scheme: &dyn Scheme, value: u32) {
    let Some(form) = scheme.encode(value) else { return };
    let bytes = form.bytes();
    let mut text = [bytes, b"!"].concat();
    for text in [bytes, &text] {
        let step = scheme.decode(text).expect("there are bytes");
        let decoded = step.unwrap_or_else(|error| panic!("{} {value:X}: {error:?}", scheme.name()));
        assert_eq!((decoded.value, decoded.len), (value, bytes.len()), "{} {value:X}", scheme.name());
        assert_eq!(Strict(scheme).decode(text), Some(step), "{} {value:X}", scheme.name());
    }
    // Twice the same, so that one character does not run into the next.
    text.truncate(bytes.len());
    text.extend_from_slice(bytes);
    let values: Vec<_> = steps(scheme, &text).map(|step| step.map(|decoded| decoded.value)).collect();
    assert_eq!(values, [Ok(value), Ok(value)], "{} {value:X}", scheme.name());
}

/// Whether a value should have a form.
fn has_form(scheme: &dyn Scheme, value: u32) -> bool {
    match scheme.name() {
        "naive" => value <= 0xFF_FFFF,
        "start" => value <= 0x1F_FFFF,
        "rfc2044" => value <= 0x7FFF_FFFF,
        "utf8" => char::from_u32(value).is_some(),
        "corrected" => !matches!(value, 0x80..=0x9F | 0xD800..=0xDFFF | 0x8421_10A0..),
        _ => true,
    }
}

#[test]
fn every_code_point_round_trips() {
    for scheme in ALL {
        for value in 0..=0x11_0000 {
            assert_eq!(
                scheme.encode(value).is_some(),
                has_form(scheme, value),
                "{} {value:X}",
                scheme.name()
            );
            round_trip(scheme, value);
        }
    }
}

#[test]
fn every_power_of_two_and_its_neighbours_round_trip() {
    let values =
        (0..32).flat_map(|bit| [-2, -1, 0, 1, 2].map(|near| (1_u32 << bit).wrapping_add_signed(near)));
    for value in values.chain([0x8421_109F, 0x8421_10A0, 0x421_109F, 0x21_10A0, u32::MAX]) {
        for scheme in ALL {
            assert_eq!(
                scheme.encode(value).is_some(),
                has_form(scheme, value),
                "{} {value:X}",
                scheme.name()
            );
            round_trip(scheme, value);
        }
    }
}

#[test]
fn ascii_is_ascii() {
    for scheme in ALL {
        for byte in 0..0x80 {
            assert_eq!(scheme.encode(byte.into()).expect("a form").bytes(), [byte], "{}", scheme.name());
        }
        assert_eq!(scheme.decode(b""), None);
        assert_eq!(by_name(scheme.name()).map(|found| found.title()), Some(scheme.title()));
    }
    assert!(by_name("utf-9").is_none());
}

#[test]
fn lengths_at_the_boundaries() {
    // The last value of each length, from one byte on.
    let lasts: [(&str, &[u32]); 10] = [
        ("leb128", &[0x7F, 0x3FFF, 0x1F_FFFF, 0xFFF_FFFF, u32::MAX]),
        ("tagged", &[0x7F, 0x3FFF, 0x1F_FFFF, 0xFFF_FFFF, u32::MAX]),
        ("naive", &[0x7F, 0xFF, 0xFFF, 0xFFFF, 0xF_FFFF, 0xFF_FFFF]),
        ("start", &[0x7F, 0x7F, 0x1FF, 0xFFF, 0x7FFF, 0x3_FFFF, 0x1F_FFFF]),
        ("one", &[0x7F, 0x1FF, 0x7FFF, 0x1F_FFFF, 0x7FF_FFFF, u32::MAX]),
        ("unary", &[0x7F, 0x3FFF, 0x1F_FFFF, 0xFFF_FFFF, u32::MAX]),
        ("cleared", &[0x7F, 0x7FF, 0xFFFF, 0x1F_FFFF, 0x3FF_FFFF, 0x7FFF_FFFF, u32::MAX]),
        ("rfc2044", &[0x7F, 0x7FF, 0xFFFF, 0x1F_FFFF, 0x3FF_FFFF, 0x7FFF_FFFF]),
        ("utf8", &[0x7F, 0x7FF, 0xFFFF, 0x10_FFFF]),
        ("corrected", &[0x7F, 0x89F, 0x1_109F, 0x21_109F, 0x421_109F, 0x8421_109F]),
    ];
    for (name, lasts) in lasts {
        let scheme = by_name(name).expect("a scheme");
        let length = |value| scheme.encode(value).map(|form| form.bytes().len());
        for (index, &last) in lasts.iter().enumerate() {
            let shortest = lasts.iter().position(|&other| other >= last).expect("it is one of them");
            assert_eq!(length(last), Some(shortest + 1), "{name} {last:X}");
            if index + 1 == lasts.len() {
                assert!(last == u32::MAX || length(last + 1).is_none(), "{name} {last:X}");
            } else if name != "corrected" || index > 0 {
                assert!(length(last + 1) > Some(index + 1), "{name} {last:X}");
            }
        }
    }
}

/// A row of a table in the documentation: first and last values, the pattern of bits, the offset.
struct Row {
    ranges: Vec<(u32, u32)>,
    pattern: String,
    offset: u32,
}

/// The table above a scheme.
fn table(source: &str, scheme: &str) -> Vec<Row> {
    let hex = |text: &str| u32::from_str_radix(text, 16).expect("hexadecimal");
    let end = source.find(&format!("pub struct {scheme};")).expect("the scheme is there");
    let lines: Vec<_> = source[..end].lines().rev().skip_while(|line| line.starts_with("#[")).collect();
    let rows =
        lines.into_iter().take_while(|line| line.starts_with("///")).filter(|line| line.contains("| `"));
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_start_matches("///").split('|').map(str::trim).collect();
        let range = |text: &str| {
            let (first, last) = text.split_once("..").expect("a range");
            (hex(first), hex(last))
        };
        Row {
            ranges: cells[1].split(", ").map(range).collect(),
            pattern: cells[2].split('`').nth(1).expect("a pattern").to_owned(),
            offset: cells.get(3).filter(|cell| !cell.is_empty()).map_or(0, |cell| hex(cell)),
        }
    };
    rows.map(row).collect()
}

/// The bytes that a pattern stands for, and the number of bits in it that are none of the value.
fn filled(pattern: &str, value: u32) -> (Vec<u8>, Vec<u32>) {
    let mut bytes = Vec::new();
    let mut tags = Vec::new();
    for word in pattern.split(' ') {
        let (mut byte, mut fixed) = (0, 0);
        for (index, digit) in word.char_indices() {
            byte <<= 1;
            if let Some(bit) = digit.to_digit(2) {
                byte |= bit as u8;
                fixed += 1;
                continue;
            }
            // Below this letter stand all earlier letters of the alphabet, and those of its own to the right.
            let right = word[index + 1..].matches(digit).count();
            let below = pattern.chars().filter(|&other| other.is_alphabetic() && other < digit).count();
            byte |= (value >> (right + below) & 1) as u8;
        }
        bytes.push(byte);
        tags.push(fixed);
    }
    (bytes, tags)
}

#[test]
fn the_documentation_tells_the_layout() {
    let leb128 = include_str!("../src/leb128.rs");
    let counter = include_str!("../src/counter.rs");
    let unary = include_str!("../src/unary.rs");
    let documents = [
        ("leb128", leb128, "Leb128", 5),
        ("tagged", leb128, "Tagged", 5),
        ("naive", counter, "Naive", 6),
        ("start", counter, "StartBit", 6),
        ("one", counter, "OneCounter", 6),
        ("unary", unary, "Unary", 5),
        ("cleared", unary, "Cleared", 7),
        ("rfc2044", unary, "Rfc2044", 6),
        ("utf8", include_str!("../src/utf8.rs"), "Utf8", 4),
        ("corrected", include_str!("../src/corrected.rs"), "Corrected", 7),
    ];
    for (name, source, kind, rows) in documents {
        let scheme = by_name(name).expect("a scheme");
        let table = table(source, kind);
        assert_eq!(table.len(), rows, "{name}");
        for Row { ranges, pattern, offset } in table {
            for (first, last) in ranges {
                let step = (last - first) / 1000 + 1;
                for value in (first..=last).step_by(step as usize).chain([last]) {
                    let form = scheme.encode(value).expect("the table has it");
                    let (bytes, tags) = filled(&pattern, value - offset);
                    assert_eq!(form.bytes(), bytes, "{name} {value:X}");
                    for (index, fixed) in tags.into_iter().enumerate() {
                        // Above a last chunk that is not full there are zeros, which are not tags.
                        assert!(scheme.tag_bits(&bytes, index) <= fixed, "{name} {value:X} {index}");
                        let full = value < 0x800_0000;
                        assert!(!full || scheme.tag_bits(&bytes, index) == fixed, "{name} {value:X} {index}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_magic_number_is_what_its_essay_says() {
    let values: Vec<_> = steps(&Corrected, &MAGIC).map(|step| step.map(|decoded| decoded.value)).collect();
    assert_eq!(values, [Ok(0x1_0E7D), Ok(0xED4E), Ok(0), Ok(0xA)]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_round_trips(value: u32) {
        for scheme in ALL {
            prop_assert_eq!(scheme.encode(value).is_some(), has_form(scheme, value));
            round_trip(scheme, value);
        }
    }
}
