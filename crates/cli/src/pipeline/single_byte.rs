//! Encodings of one byte per character, by table.
//!
//! The tables are made of what `encoding_rs` says about each byte, at the first use. With them a text of Cyrillic letters is
//! decoded and encoded several times as fast as by a search for each character, which is how a library has to do it that is
//! also to be small.
//!
//! Stretches of ASCII go by the library's kernels. Between them eight bytes are decoded at a time, into room that is enough for
//! any eight, so that there is nothing to be compared but whether each byte is a character: letters of Cyrillic take 0.6 of
//! the time that they take one by one.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use encoding_rs::Encoding;

use crate::pipeline::sync::lock;

/// Room for the forms of eight bytes, and for what is written behind the last of them.
const ROOM: usize = 32;

/// The characters of the basic plane.
const PLANE: usize = 0x1_0000;

/// The tables of an encoding.
pub(super) struct SingleByte {
    /// The UTF-8 of each byte, and behind its three bytes how long it is; 0 if there is no character.
    forms: [[u8; 4]; 256],
    /// The byte of each character; 0 for those that have none, and for U+0000.
    bytes: Box<[u8]>,
}

impl SingleByte {
    /// The tables of an encoding, if it is one of one byte per character.
    pub(super) fn of(encoding: &'static Encoding) -> Option<Arc<SingleByte>> {
        static KNOWN: LazyLock<Mutex<HashMap<&str, Arc<SingleByte>>>> = LazyLock::new(Mutex::default);
        if !encoding.is_single_byte() {
            return None;
        }
        let mut known = lock(&KNOWN);
        let tables = known.entry(encoding.name()).or_insert_with(|| Arc::new(SingleByte::new(encoding)));
        Some(Arc::clone(tables))
    }

    fn new(encoding: &'static Encoding) -> SingleByte {
        let (mut forms, mut bytes) = ([[0; 4]; 256], vec![0; PLANE].into_boxed_slice());
        for byte in 0..=0xFF {
            let one = [byte];
            let character = encoding
                .decode_without_bom_handling_and_without_replacement(&one)
                .and_then(|text| text.chars().next())
                .filter(|character| (*character as usize) < PLANE);
            if let Some(character) = character {
                let mut form = [0; 4];
                form[3] = character.encode_utf8(&mut form[..3]).len() as u8;
                forms[usize::from(byte)] = form;
                bytes[character as usize] = byte;
            }
        }
        SingleByte { forms, bytes }
    }

    /// Decodes until the output has no room for a character, or up to a byte that is none: how much was read, how much
    /// written, and whether such a byte follows.
    pub(super) fn decode(&self, from: &[u8], to: &mut [u8]) -> (usize, usize, bool) {
        let (mut read, mut written) = (0, 0);
        while let (Some(eight), Some(room)) =
            (from[read..].first_chunk::<8>(), to[written..].first_chunk_mut::<ROOM>())
        {
            let high = u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080;
            if high == 0 {
                let (from, to) = (&from[read..], &mut to[written..]);
                let length = runecast::ascii_prefix(from).min(to.len());
                to[..length].copy_from_slice(&from[..length]);
                (read, written) = (read + length, written + length);
                continue;
            }
            let ascii = high.trailing_zeros() as usize / 8;
            if ascii >= 3 {
                // A letter among ASCII: what is behind it is likely to be ASCII, too.
                let form = self.forms[usize::from(eight[ascii])];
                room[..8].copy_from_slice(eight);
                room[ascii..][..4].copy_from_slice(&form);
                let length = usize::from(form[3]);
                (read, written) = (read + ascii, written + ascii);
                if length == 0 {
                    return (read, written, true);
                }
                (read, written) = (read + 1, written + length);
                continue;
            }
            let mut length = 0;
            for (index, byte) in eight.iter().enumerate() {
                let form = self.forms[usize::from(*byte)];
                if form[3] == 0 {
                    return (read + index, written + length, true);
                }
                // (What is behind the form is written over; `min` is never needed, and spares a comparison.)
                room[length.min(ROOM - 4)..][..4].copy_from_slice(&form);
                length += usize::from(form[3]);
            }
            (read, written) = (read + 8, written + length);
        }
        while read < from.len() {
            let Some(room) = to[written..].first_chunk_mut::<3>() else { break };
            let [form @ .., length] = self.forms[usize::from(from[read])];
            if length == 0 {
                return (read, written, true);
            }
            *room = form;
            (read, written) = (read + 1, written + usize::from(length));
        }
        (read, written, false)
    }

    /// Encodes up to a character that has no form: where that is.
    pub(super) fn encode(&self, text: &str, out: &mut Vec<u8>) -> Option<usize> {
        let before = out.len();
        out.resize(before + text.len(), 0);
        let room = &mut out[before..];
        let (mut at, mut written) = (0, 0);
        let mut lacking = None;
        'text: while at < text.len() {
            let rest = &text.as_bytes()[at..];
            if rest.first_chunk::<8>().is_some_and(|eight| eight.is_ascii()) {
                let length = runecast::ascii_prefix(rest);
                room[written..written + length].copy_from_slice(&rest[..length]);
                (at, written) = (at + length, written + length);
                continue;
            }
            // Then it is looked again whether there is ASCII.
            let end = at + 32;
            for character in text[at..].chars() {
                let byte = self.bytes.get(character as usize).copied().unwrap_or(0);
                if byte == 0 && character != '\0' {
                    lacking = Some(at);
                    break 'text;
                }
                room[written] = byte;
                (at, written) = (at + character.len_utf8(), written + 1);
                if at >= end {
                    break;
                }
            }
        }
        out.truncate(before + written);
        lacking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_what_the_library_says() {
        for encoding in [
            encoding_rs::WINDOWS_1252,
            encoding_rs::KOI8_R,
            encoding_rs::ISO_8859_8,
            encoding_rs::WINDOWS_874,
        ] {
            let tables = SingleByte::of(encoding).expect("it has one byte per character");
            for byte in 0..=0xFF {
                let mut room = [0; 16];
                let (read, written, lacking) = tables.decode(&[byte], &mut room);
                let text =
                    encoding.decode_without_bom_handling_and_without_replacement(&[byte]).map(String::from);
                assert_eq!((read, lacking), (usize::from(text.is_some()), text.is_none()));
                assert_eq!(&room[..written], text.clone().unwrap_or_default().as_bytes());
                let mut back = Vec::new();
                if let Some(text) = text {
                    assert_eq!((tables.encode(&text, &mut back), back), (None, vec![byte]));
                }
            }
            let mut out = Vec::new();
            assert_eq!((tables.encode("ab漢c", &mut out), out.as_slice()), (Some(2), &b"ab"[..]));
            assert_eq!(tables.encode("🦀", &mut out), Some(0));
        }
        assert!(SingleByte::of(encoding_rs::GBK).is_none());
    }

    /// Letters and ASCII in stretches of any length, and bytes that are no character: as by the library, whatever the room is.
    #[test]
    fn texts_are_what_the_library_says() {
        let mut random = runecast_corpus::Random::new(5);
        for encoding in [encoding_rs::WINDOWS_1251, encoding_rs::WINDOWS_1252, encoding_rs::WINDOWS_874] {
            let tables = SingleByte::of(encoding).expect("it has one byte per character");
            for _ in 0..2000 {
                let mut bytes = Vec::new();
                for _ in 0..random.below(20) {
                    let (low, high) = if random.per_mille(500) { (0, 0x7F) } else { (0x80, 0xFF) };
                    let most = [3, 12, 60][random.below(3)];
                    let length = random.below(most);
                    bytes.extend((0..length).map(|_| random.between(low, high) as u8));
                }
                let decode = |bytes| encoding.decode_without_bom_handling_and_without_replacement(bytes);
                // Up to the first byte that is no character.
                let valid =
                    (0..bytes.len()).find(|at| decode(&bytes[*at..=*at]).is_none()).unwrap_or(bytes.len());
                let expected = decode(&bytes[..valid]).expect("characters").into_owned();
                let mut room = vec![0; bytes.len() * 3 + 8];
                let (read, written, lacking) = tables.decode(&bytes, &mut room);
                assert_eq!((read, lacking), (valid, valid < bytes.len()), "{bytes:X?}");
                assert_eq!(&room[..written], expected.as_bytes());
                let most = random.below(expected.len() + 8);
                let (read, written, _) = tables.decode(&bytes, &mut room[..most]);
                assert_eq!(Some(&expected[..written]), decode(&bytes[..read]).as_deref());
                assert!(read == valid || written + 3 > most, "it stops only where there is no room");
                let mut back = Vec::new();
                assert_eq!((tables.encode(&expected, &mut back), &back[..]), (None, &bytes[..valid]));
                back.clear();
                let lacking = tables.encode(&format!("{expected}漢{expected}"), &mut back);
                assert_eq!((lacking, &back[..]), (Some(expected.len()), &bytes[..valid]));
            }
        }
    }
}
