//! Ill-formed texts: which character is damaged, and how.
//!
//! In UTF-8 a damaged character loses its last byte, as if it had been cut there; one of a single byte
//! becomes FF. That is one maximal subpart for each, so that the number of U+FFFD is that of the damaged
//! characters. In UTF-16 a damaged character becomes one surrogate, high or low by chance, but no low
//! one after a high one.
//!
//! Errors that are rare lie at distances drawn around the mean, which no branch predictor learns. Every
//! second character is every second one: there it may learn what it can. The two rows at the end have
//! nothing to be learnt: random bytes, and the most frequent ill-formed UTF-8 of all, text in Latin-1.

use runecast_corpus::{Random, Script, generate};

use crate::peer::{Buffer, Input};
use crate::texts::{SEED, Text};

/// How dense errors are, in UTF-8.
#[derive(Clone, Copy, Debug)]
enum Density {
    /// There are none.
    Clean,
    /// One for so many bytes, on average.
    Bytes(usize),
    /// Every second character.
    EverySecond,
}

/// Texts in UTF-8 of about `size` bytes: seven kinds at each density, then Latin-1 and random bytes.
pub fn utf8(size: usize, align: usize) -> Vec<Text> {
    let mut texts = Vec::new();
    for (what, density) in [
        ("clean", Density::Clean),
        ("1 in 1024", Density::Bytes(1024)),
        ("1 in 100", Density::Bytes(100)),
        ("every 2nd", Density::EverySecond),
    ] {
        for script in [
            Script::World,
            Script::Ascii,
            Script::English,
            Script::German,
            Script::Cyrillic,
            Script::Chinese,
            Script::Emoji,
        ] {
            let bytes = broken_utf8(&generate(script, size, SEED), density);
            texts.push(text(format!("{script} {what}"), &bytes, align));
        }
    }
    let german = generate(Script::German, size, SEED);
    let latin1: Vec<u8> = german.chars().map(|character| u8::try_from(character).unwrap_or(b'"')).collect();
    texts.push(text("german in Latin-1".to_owned(), &latin1, align));
    let mut random = Random::new(SEED);
    let bytes: Vec<u8> = (0..size).map(|_| random.bits() as u8).collect();
    texts.push(text("random bytes".to_owned(), &bytes, align));
    texts
}

fn text(name: String, bytes: &[u8], align: usize) -> Text {
    Text { name, input: Input::Whole(Buffer::new(bytes, align)) }
}

fn broken_utf8(text: &str, density: Density) -> Vec<u8> {
    let mut random = Random::new(SEED);
    let mut next = |at: usize| match density {
        Density::Clean => usize::MAX,
        Density::Bytes(mean) => at + random.between(mean / 2, mean + mean / 2),
        Density::EverySecond => 0,
    };
    let mut at_next = next(0);
    let mut bytes = Vec::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        let sound = match density {
            Density::EverySecond => index % 2 == 0,
            _ => bytes.len() < at_next,
        };
        let mut units = [0; 4];
        match character.encode_utf8(&mut units).as_bytes() {
            units if sound => bytes.extend_from_slice(units),
            [_] => bytes.push(0xFF),
            units => bytes.extend_from_slice(&units[..units.len() - 1]),
        }
        if !sound {
            at_next = next(bytes.len());
        }
    }
    bytes
}

/// Texts in UTF-16 of at most `size` bytes: five kinds with broken characters by the thousand.
pub fn utf16(size: usize, align: usize) -> Vec<Text> {
    let mut texts = Vec::new();
    for (what, per_mille) in [("clean", 0), ("1 %", 10), ("50 %", 500)] {
        for script in [Script::World, Script::English, Script::Cyrillic, Script::Chinese, Script::Emoji] {
            let mut units = broken_utf16(&generate(script, 2 * size, SEED), per_mille);
            units.truncate(size / 2);
            // The text must not end in half a pair: it would not be clean any more.
            if let Some(0xD800..0xDC00) = units.last() {
                units.pop();
            }
            let name = format!("{script} {what}");
            texts.push(text(name, bytemuck::cast_slice(&units), align & !1));
        }
    }
    texts
}

/// The text with so many of a thousand characters broken.
pub fn broken_utf16(text: &str, per_mille: usize) -> Vec<u16> {
    let mut random = Random::new(SEED);
    let mut units: Vec<u16> = Vec::new();
    for character in text.chars() {
        if !random.per_mille(per_mille) {
            units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            continue;
        }
        let surrogate = 0xD800 | random.bits() as u16 & 0x7FF;
        let joins = surrogate >= 0xDC00 && matches!(units.last(), Some(0xD800..0xDC00));
        units.push(if joins { surrogate & !0x400 } else { surrogate });
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_character_is_one_replacement() {
        for script in Script::ALL {
            let sound = generate(script, 4 << 10, SEED);
            let replaced = |bytes: &[u8]| {
                let chunks = bytes.utf8_chunks();
                chunks.filter(|chunk| !chunk.invalid().is_empty()).count()
            };
            let second = replaced(&broken_utf8(&sound, Density::EverySecond));
            assert_eq!(second, sound.chars().count() / 2, "{script}");
            let hundredth = replaced(&broken_utf8(&sound, Density::Bytes(100)));
            assert!((30..=50).contains(&hundredth), "{script}: {hundredth}");
            assert_eq!(broken_utf8(&sound, Density::Clean), sound.as_bytes());

            let units = broken_utf16(&sound, 500);
            let errors = char::decode_utf16(units).filter(Result::is_err).count();
            let half = sound.chars().count() / 2;
            assert!(errors.abs_diff(half) < half / 4, "{script}: {errors} of {half}");
            assert!(broken_utf16(&sound, 0).into_iter().eq(sound.encode_utf16()), "{script}");
        }
    }
}
