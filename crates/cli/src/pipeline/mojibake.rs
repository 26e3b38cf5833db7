//! Text that was encoded twice: UTF-8 that something has read as windows-1252 or Latin-1 and written as UTF-8 again.
//!
//! `é` is C3 A9; read as windows-1252 that is `Ã©`, and written as UTF-8 it has four bytes. To undo it, each character is
//! written as the byte that it is in windows-1252 (or in Latin-1: some programs take the one, some the other), and
//! those bytes are UTF-8 again.
//!
//! What has read it read all of it alike. So all characters of a text are bytes in the same one of these two, which differ in 80..9F;
//! or, where there are characters that neither has beside the others, in ISO-8859-15, which has the euro sign and seven letters where
//! Latin-1 has signs, and control characters where windows-1252 has those eight. If they are in none of the three, nothing is certain.
//!
//! # When it is certain
//! That must never be done to text that only looks odd. So a text is taken for mojibake only as a whole, and only if
//!
//! - **every** maximal run of characters outside of ASCII consists of characters that are bytes in that encoding, and
//!   those bytes are well-formed UTF-8: one `é`, one lone quotation mark or one Cyrillic letter anywhere says that it is not;
//! - and at least one run could hardly be anything else: it becomes two characters or more (`Ð¼Ð¸Ñ€`); or it becomes
//!   one, and begins as what is in all Western texts does: `Â` or `Ã` before a symbol that does not follow letters,
//!   `â€` (quotes, dashes, the euro sign), `ï»¿` (the byte order mark), `ðŸ` (emoji).
//!
//! The second rule is for `Spaß“`: DF 93 would be a letter of N'Ko. What was encoded more often is undone as often as the
//! rules hold. A text in which something is right already stays as it is: nothing could tell which is which. Only a byte order mark says
//! nothing, as some programs write one before all that they encode.

use encoding_rs::{Encoding, ISO_8859_15, WINDOWS_1252};

/// The byte order mark.
const MARK: char = '\u{FEFF}';

/// What was undone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Undone {
    /// The text as it was.
    pub(crate) text: String,
    /// How often it was encoded too often.
    pub(crate) times: u32,
    /// How many characters of the text are outside of ASCII.
    pub(crate) characters: u64,
}

/// The text that was encoded too often, or nothing if it was not, as far as is certain.
pub(crate) fn undo(text: &str) -> Option<Undone> {
    // Whatever encoded the text again may have put a byte order mark before it.
    let (mark, text) = match text.strip_prefix(MARK) {
        Some(text) => (Some(MARK), text),
        None => (None, text),
    };
    let tables = tables();
    let (mut text, mut characters) = undo_once(text, &tables)?;
    let mut times = 1;
    while let Some(before) = undo_once(&text, &tables) {
        (text, characters) = before;
        times += 1;
    }
    if let Some(mark) = mark
        && !text.starts_with(mark)
    {
        text.insert(0, mark);
        characters += 1;
    }
    Some(Undone { text, times, characters })
}

/// A text in which something looks like mojibake, though it is left as it is: lines, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mixed {
    /// The first in which a run outside of ASCII could hardly be anything else.
    pub(crate) mojibake: u64,
    /// The first in which one is something else.
    pub(crate) right: u64,
}

/// Why a text of which nothing was [undone](undo) is left as it is, unless nothing in it looks like mojibake.
pub(crate) fn mixed(text: &str) -> Option<Mixed> {
    let tables = tables();
    let (mut mojibake, mut right, mut line) = (None, None, 1);
    let mut run = Vec::new();
    let mut rest = text.strip_prefix(MARK).unwrap_or(text);
    loop {
        let (ascii, from_run) = rest.split_at(runecast::ascii_prefix(rest.as_bytes()));
        line += memchr::memchr_iter(b'\n', ascii.as_bytes()).count() as u64;
        if from_run.is_empty() {
            return Some(Mixed { mojibake: mojibake?, right: right? });
        }
        let end = from_run.find(|character: char| character.is_ascii()).unwrap_or(from_run.len());
        let mut originals =
            tables.iter().map(|table| undo_run(&from_run[..end], table, &mut run).map(is_certain));
        match originals.find_map(|original| original) {
            None => right = right.or(Some(line)),
            Some(true) => mojibake = mojibake.or(Some(line)),
            Some(false) => {}
        }
        if let (Some(mojibake), Some(right)) = (mojibake, right) {
            return Some(Mixed { mojibake, right });
        }
        rest = &from_run[end..];
    }
}

/// A number of times, in words.
pub(crate) fn often(times: u32) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{times} times"),
    }
}

/// Once: the text, and how many characters outside of ASCII are in it. What has read it as UTF-8 is the first that can be.
fn undo_once(text: &str, tables: &[Table]) -> Option<(String, u64)> {
    let (undone, characters, certain) = tables.iter().find_map(|table| undo_by(text, table))?;
    certain.then_some((undone, characters))
}

/// The same for one that may have read it, and whether it is certain, if it can be.
fn undo_by(text: &str, table: &Table) -> Option<(String, u64, bool)> {
    let mut undone = String::new();
    let (mut run, mut certain, mut characters) = (Vec::new(), false, 0);
    let mut rest = text;
    loop {
        let (ascii, from_run) = rest.split_at(runecast::ascii_prefix(rest.as_bytes()));
        undone.push_str(ascii);
        if from_run.is_empty() {
            return Some((undone, characters, certain));
        }
        let end = from_run.find(|character: char| character.is_ascii()).unwrap_or(from_run.len());
        let original = undo_run(&from_run[..end], table, &mut run)?;
        certain |= is_certain(original);
        characters += runecast::count::<runecast::Utf8>(original.as_bytes()) as u64;
        undone.push_str(original);
        rest = &from_run[end..];
    }
}

/// What a run of characters outside of ASCII was, if it can be; `bytes` holds it.
fn undo_run<'a>(run: &str, table: &Table, bytes: &'a mut Vec<u8>) -> Option<&'a str> {
    bytes.clear();
    for character in run.chars() {
        bytes.push(table.byte(character)?);
    }
    runecast::from_utf8(bytes).ok()
}

/// Whether what a run becomes shows that it could hardly be anything but mojibake.
fn is_certain(original: &str) -> bool {
    original.chars().nth(1).is_some() || is_telling(original.as_bytes())
}

/// Whether the bytes of one character, read as windows-1252, can hardly be text.
fn is_telling(bytes: &[u8]) -> bool {
    match bytes {
        // Behind a letter there may be a space without a break, an ellipsis, a quotation mark or a dash.
        [0xC2 | 0xC3, second] => !matches!(second, 0x85 | 0x91..=0x94 | 0x96 | 0x97 | 0x9B | 0xA0 | 0xBB),
        [0xE2, 0x80..=0x84, _] | [0xEF, 0xBB, 0xBF] | [0xF0, 0x9F, ..] => true,
        _ => false,
    }
}

/// An encoding that UTF-8 was read as: the characters that are not the byte of their code point.
struct Table(Vec<(char, u8)>);

/// Those that it may have been.
fn tables() -> [Table; 3] {
    [Table::of(WINDOWS_1252), Table(Vec::new()), Table::of(ISO_8859_15)]
}

impl Table {
    fn of(encoding: &'static Encoding) -> Table {
        let one = |byte: u8| encoding.decode_without_bom_handling(&[byte]).0.chars().next();
        let characters = (0x80..=0xFF).filter_map(|byte| Some((one(byte)?, byte)));
        Table(characters.filter(|(character, byte)| *character != char::from(*byte)).collect())
    }

    /// The byte that a character above U+007F is.
    fn byte(&self, character: char) -> Option<u8> {
        match u8::try_from(u32::from(character)) {
            Ok(byte) => self.0.iter().all(|(_, other)| *other != byte).then_some(byte),
            Err(_) => self.0.iter().find(|(other, _)| *other == character).map(|(_, byte)| *byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use runecast_corpus::{Script, generate};

    use super::*;

    /// As windows-1252 reads UTF-8, by its table; or as Latin-1 does.
    fn encode_again(text: &str, latin1: bool) -> String {
        if latin1 {
            return text.bytes().map(char::from).collect();
        }
        WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned()
    }

    const LANGUAGES: [Script; 15] = [
        Script::French,
        Script::German,
        Script::Czech,
        Script::Turkish,
        Script::Vietnamese,
        Script::Greek,
        Script::Cyrillic,
        Script::Arabic,
        Script::Hebrew,
        Script::Hindi,
        Script::Thai,
        Script::Chinese,
        Script::Japanese,
        Script::Korean,
        Script::Emoji,
    ];

    #[test]
    fn what_was_encoded_again_is_undone_as_often() {
        for script in LANGUAGES {
            for seed in 0..40 {
                let text = generate(script, 40 + 50 * seed as usize, seed);
                assert_eq!(undo(&text), None, "{script:?}: {text}");
                let characters = text.chars().filter(|c| !c.is_ascii()).count() as u64;
                let mut again = text.clone();
                for times in 1..=4 {
                    again = encode_again(&again, (u64::from(times) + seed) % 3 == 0);
                    let Some(undone) = undo(&again) else {
                        // So short that nothing is certain.
                        assert!(characters < 3, "{script:?}, {times} times: {text}");
                        continue;
                    };
                    assert_eq!(undone, Undone { text: text.clone(), times, characters }, "{script:?}");
                }
            }
        }
    }

    #[test]
    fn one_run_that_is_something_else_is_enough_to_leave_a_text() {
        for script in LANGUAGES {
            let again = encode_again(&generate(script, 1000, 1), false);
            assert!(undo(&again).is_some());
            for other in ["é", "“", "д", "字", "\u{2028}", "Ã", "Ã©©", "\u{E9}\u{A0}"] {
                assert_eq!(undo(&format!("{again} {other} {again}")), None, "{script:?}, {other}");
                assert_eq!(undo(&format!("{again} {other}")), None);
                assert_eq!(undo(&format!("{other} {again}")), None);
            }
        }
    }

    #[test]
    fn what_looks_like_mojibake_is_found_beside_what_is_right() {
        let lines = |text: &str| mixed(text).map(|Mixed { mojibake, right }| (mojibake, right));
        assert_eq!(lines("cafÃ©\ncafé\n"), Some((1, 2)));
        assert_eq!(lines("\u{FEFF}д\n\nÃ©"), Some((3, 1)));
        assert_eq!(lines("Ã© é"), Some((1, 1)));
        for text in ["", "plain\n", "Café", "“Ã©”", "Spaß“ É»", "Ã©", "\u{FEFF}Ã©"] {
            assert_eq!(lines(text), None, "{text}");
        }
    }

    #[test]
    fn a_byte_order_mark_says_nothing() {
        let undone = |text: &str| undo(text).map(|undone| (undone.text, undone.characters));
        assert_eq!(undone("\u{FEFF}CafÃ©"), Some(("\u{FEFF}Café".to_owned(), 2)));
        // One was there before.
        assert_eq!(undone("\u{FEFF}ï»¿CafÃ©"), Some(("\u{FEFF}Café".to_owned(), 2)));
        for text in ["\u{FEFF}", "\u{FEFF}Café", "\u{FEFF}\u{FEFF}CafÃ©", "CafÃ©\u{FEFF}"] {
            assert_eq!(undone(text), None, "{text}");
        }
    }

    #[test]
    fn short_texts_are_undone_only_if_they_can_be_nothing_else() {
        let undone = |text: &str| undo(text).map(|undone| (undone.text, undone.times));
        let once = |text: &str| Some((text.to_owned(), 1));
        assert_eq!(undone("CafÃ©"), once("Café"));
        assert_eq!(undone("donâ€™t"), once("don’t"));
        assert_eq!(undone("5 â‚¬"), once("5 €"));
        assert_eq!(undone("ï»¿a"), once("\u{FEFF}a"));
        assert_eq!(undone("ðŸ˜€"), once("😀"));
        assert_eq!(undone("ÐœÐ¸Ñ€"), once("Мир"));
        assert_eq!(undone("CafÃƒÂ©"), Some(("Café".to_owned(), 2)));
        // With another run that is certain, those are undone that are not.
        assert_eq!(undone("Ã\u{A0} la carte, cafÃ©"), once("à la carte, café"));
        for text in [
            "",
            "plain",
            "Café",
            "Spaß“",
            "Straße…",
            "ALLÂ\u{A0}!",
            "Ã\u{A0} la carte",
            "SÃO”",
            "É»",
            "caf\u{E9}®™",
            "été…»",
            "naïve",
            "Ã",
            "Â",
            "©",
            "Ã© é",
            "Ð",
            "“Ã©”",
        ] {
            assert_eq!(undone(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_was_read_as_one_encoding() {
        let undone = |text: &str| undo(text).map(|undone| undone.text);
        // ISO-8859-15 has € for A4 and œ for BD; its 93 and 9F are control characters.
        let again = |text: &str| ISO_8859_15.decode_without_bom_handling(text.as_bytes()).0.into_owned();
        for text in ["größer, schön und wärmer", "cœur, ½ et déjà", "Straße, 5 €, ž"] {
            assert!(again(text).contains(['€', 'œ', 'Œ', 'Ÿ', '\u{93}', '\u{9F}', '\u{82}']), "{text}");
            assert_eq!(undone(&again(text)).as_deref(), Some(text));
            assert_eq!(undone(&again(&again(text))).as_deref(), Some(text));
        }
        // A control character of Latin-1 and a sign of windows-1252 that ISO-8859-15 has not.
        for text in ["GrÃ¼Ã\u{9F}e â€“ und mehr", "â\u{80}\u{93} â€“ cafÃ©"] {
            assert_eq!(undone(text), None, "{text}");
            assert_eq!(mixed(text), None, "{text}");
        }
        // What is the same in all, or in the one that has signs there.
        assert_eq!(undone("cafÃ© â€“ Ã€").as_deref(), Some("café – À"));
        assert_eq!(undone("cafÃ© â\u{80}\u{93}").as_deref(), Some("café –"));
        assert_eq!(undone("Ã\u{81} Ã¡ â€“").as_deref(), Some("Á á –"));
    }
}
