//! A map of offsets gives the answers of a count from the beginning.

use runecast::index::{OffsetMap, Unit};

use super::memory::without_shrinking;

/// Every block of a text has other characters, so that the sums of two blocks are what one block of ASCII has.
#[test]
fn blocks_of_many_kinds() {
    let kinds = [("🪨", 4), ("é", 2), ("ᚱ", 3), ("a", 1)];
    let block = |kind: usize| {
        let (character, len) = kinds[kind];
        let mut text = character.repeat(512 / len);
        text.extend(std::iter::repeat_n('a', 512 - text.len()));
        text
    };
    for first in 0..4 {
        for second in 0..4 {
            for third in 0..4 {
                let text = [block(first), block(second), block(third), "rūna".to_owned()].concat();
                let map = OffsetMap::new(&text[..]);
                for (chars, (at, character)) in text.char_indices().enumerate() {
                    assert_eq!(map.char_offset(&text, at), chars);
                    assert_eq!(map.at_char(&text, chars), at);
                    assert_eq!(map.char_offset(&text, at + character.len_utf8() - 1), chars);
                }
                let units: Vec<u16> = text.encode_utf16().collect();
                let map = OffsetMap::new(&units[..]);
                let (mut at, mut bytes) = (0, 0);
                for (chars, character) in text.chars().enumerate() {
                    assert_eq!(map.char_offset(&units, at), chars);
                    assert_eq!(map.at_char(&units, chars), at);
                    assert_eq!(map.utf8_offset(&units, at), bytes);
                    at += character.len_utf16();
                    bytes += character.len_utf8();
                }
            }
        }
    }
}

/// The memory that is promised: some 1.6 % of the text, never more than 4 %, and two hundred bytes.
#[test]
fn a_map_is_small() {
    for text in ["a".repeat(100_000), "\n".repeat(100_000), "🪨\n".repeat(20_000), String::new()] {
        let map = OffsetMap::new(&text[..]);
        let rest = map.size().checked_sub(size_of_val(&map)).expect("more than the map itself");
        assert!(
            rest >= text.len() / 512 * 6 && map.size() <= text.len() / 25 + 300,
            "{} {}",
            text.len(),
            map.size()
        );
    }
}

/// A map that may fail does not end the process where memory cannot be given back either.
#[test]
fn a_map_need_not_shrink() {
    let text = "rūna 🪨\n".repeat(5000);
    let expected = OffsetMap::new(&text[..]);
    let map = without_shrinking(|| OffsetMap::try_new(&text[..])).expect("there is memory");
    assert_eq!(map.size(), expected.size());
    assert_eq!(map.utf16_offset(&text, 50_001), expected.utf16_offset(&text, 50_001));
}

#[test]
fn a_map_says_how_large_it_is() {
    let text = "rūna\n🪨";
    let map = OffsetMap::new(text);
    let lens = [Unit::Utf8, Unit::Utf16, Unit::Char].map(|unit| map.len(unit));
    assert_eq!(lens, [text.len(), text.encode_utf16().count(), text.chars().count()]);
    let expected = format!("OffsetMap {{ len: 10, chars: 6, lines: 2, size: {}, .. }}", map.size());
    assert_eq!(format!("{map:?}"), expected);
}

/// Text that owns its units is asked as text that does not.
#[test]
fn owned_text_has_offsets() {
    let text = String::from("aé語😀z");
    let units: Vec<u16> = text.encode_utf16().collect();
    let map = OffsetMap::new(&text);
    for (at, _) in text.char_indices() {
        let expected = runecast::index::utf16_offset(&text[..], at);
        assert_eq!(runecast::index::utf16_offset(&text, at), expected);
        assert_eq!(map.utf16_offset(&text, at), expected);
        assert_eq!(
            runecast::index::utf8_offset(&units, expected),
            runecast::index::utf8_offset(&units[..], expected)
        );
    }
}
