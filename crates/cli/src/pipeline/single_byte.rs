//! Encodings of one byte per character, by table.
//!
//! The tables are made of what `encoding_rs` says about each byte, at the first use. With them a text of Cyrillic letters is
//! decoded and encoded several times as fast as by a search for each character, which is how a library has to do it that is
//! also to be small.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use encoding_rs::Encoding;

use crate::pipeline::sync::lock;

/// The characters of the basic plane.
const PLANE: usize = 0x1_0000;

/// The tables of an encoding.
pub(super) struct SingleByte {
    /// The UTF-8 of each byte, and how long it is; 0 if there is no character.
    forms: [([u8; 3], u8); 256],
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
        let (mut forms, mut bytes) = ([([0; 3], 0); 256], vec![0; PLANE].into_boxed_slice());
        for byte in 0..=0xFF {
            let one = [byte];
            let character = encoding
                .decode_without_bom_handling_and_without_replacement(&one)
                .and_then(|text| text.chars().next())
                .filter(|character| (*character as usize) < PLANE);
            if let Some(character) = character {
                let mut form = [0; 3];
                let length = character.encode_utf8(&mut form).len();
                forms[usize::from(byte)] = (form, length as u8);
                bytes[character as usize] = byte;
            }
        }
        SingleByte { forms, bytes }
    }

    /// Decodes until the output has no room for a character, or up to a byte that is none: how much was read, how much
    /// written, and whether such a byte follows.
    pub(super) fn decode(&self, from: &[u8], to: &mut [u8]) -> (usize, usize, bool) {
        let (mut read, mut written) = (0, 0);
        while read < from.len() {
            // Runs of ASCII, eight bytes at a time.
            if let (Some(eight), Some(room)) =
                (from[read..].first_chunk::<8>(), to[written..].first_chunk_mut::<8>())
                && u64::from_ne_bytes(*eight) & 0x8080_8080_8080_8080 == 0
            {
                *room = *eight;
                (read, written) = (read + 8, written + 8);
                continue;
            }
            let Some(room) = to[written..].first_chunk_mut::<3>() else { break };
            let (form, length) = self.forms[usize::from(from[read])];
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
        let mut written = 0;
        let mut lacking = None;
        for (at, character) in text.char_indices() {
            let byte = self.bytes.get(character as usize).copied().unwrap_or(0);
            if byte == 0 && character != '\0' {
                lacking = Some(at);
                break;
            }
            room[written] = byte;
            written += 1;
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
}
