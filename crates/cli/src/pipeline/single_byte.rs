//! Encodings of one byte per character, read by table.
//!
//! The table has the code unit of UTF-16 for each byte. It is made of what `encoding_rs` says, at the first use. A
//! block is looked up byte by byte, with nothing to be decided, and the library's kernels make UTF-8 of the units; they also find
//! what is no character, since that is a lone surrogate in the table. So it does not matter how letters and ASCII follow each other,
//! which is what a loop that writes one to three bytes for each character has to guess. Long stretches of ASCII are copied.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use encoding_rs::Encoding;
use runecast::{Utf8, Utf16, transcode_partial};

use crate::pipeline::sync::lock;

/// So many bytes are looked up at once.
const BLOCK: usize = 1024;

/// The same at first, and behind a stretch of ASCII: behind one letter there may be the next stretch.
const SMALL_BLOCK: usize = 128;

/// So long must a stretch of ASCII be to be copied.
const STRETCH: usize = 64;

/// Stands in the table for a byte that is no character: UTF-16 that is ill-formed, whatever is beside it.
const NONE: u16 = 0xDC00;

/// The table of an encoding.
pub(super) struct SingleByte {
    units: [u16; 256],
}

impl SingleByte {
    /// The table of an encoding, if it is one of one byte per character.
    pub(super) fn of(encoding: &'static Encoding) -> Option<Arc<SingleByte>> {
        static KNOWN: LazyLock<Mutex<HashMap<&str, Arc<SingleByte>>>> = LazyLock::new(Mutex::default);
        if !encoding.is_single_byte() {
            return None;
        }
        let mut known = lock(&KNOWN);
        let table = known.entry(encoding.name()).or_insert_with(|| Arc::new(SingleByte::new(encoding)));
        Some(Arc::clone(table))
    }

    fn new(encoding: &'static Encoding) -> SingleByte {
        let mut units = [NONE; 256];
        for (unit, byte) in units.iter_mut().zip(0..=0xFF) {
            let one = [byte];
            let text = encoding.decode_without_bom_handling_and_without_replacement(&one);
            // (All are in the basic plane.)
            *unit = text.and_then(|text| text.encode_utf16().next()).unwrap_or(NONE);
        }
        SingleByte { units }
    }

    /// Decodes until the output has no room for a character, or up to a byte that is none: how much was read, how much
    /// written, and whether such a byte follows.
    pub(super) fn decode(&self, from: &[u8], to: &mut [u8]) -> (usize, usize, bool) {
        let (mut units, mut size) = ([0; BLOCK], SMALL_BLOCK);
        let (mut read, mut written) = (0, 0);
        while read < from.len() {
            let (rest, room) = (&from[read..], &mut to[written..]);
            let ascii = runecast::ascii_prefix(rest).min(room.len());
            if ascii >= STRETCH || ascii == rest.len() {
                room[..ascii].copy_from_slice(&rest[..ascii]);
                (read, written, size) = (read + ascii, written + ascii, SMALL_BLOCK);
                continue;
            }
            let block = &rest[..rest.len().min(size)];
            for (unit, byte) in units.iter_mut().zip(block) {
                *unit = self.units[usize::from(*byte)];
            }
            match transcode_partial::<Utf16, Utf8>(&units[..block.len()], room) {
                Ok(progress) => {
                    (read, written) = (read + progress.read, written + progress.written);
                    if progress.read < block.len() {
                        break;
                    }
                }
                Err(error) => return (read + error.read, written + error.written, true),
            }
            size = (2 * size).min(BLOCK);
        }
        (read, written, false)
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
            let table = SingleByte::of(encoding).expect("it has one byte per character");
            for byte in 0..=0xFF {
                let mut room = [0; 16];
                let (read, written, lacking) = table.decode(&[byte], &mut room);
                let text =
                    encoding.decode_without_bom_handling_and_without_replacement(&[byte]).map(String::from);
                assert_eq!((read, lacking), (usize::from(text.is_some()), text.is_none()));
                assert_eq!(&room[..written], text.unwrap_or_default().as_bytes());
            }
        }
        assert!(SingleByte::of(encoding_rs::GBK).is_none());
    }

    /// Letters and ASCII in stretches of any length, and bytes that are no character: as by the library, whatever the room is.
    #[test]
    fn texts_are_what_the_library_says() {
        let mut random = runecast_corpus::Random::new(5);
        for encoding in [encoding_rs::WINDOWS_1251, encoding_rs::WINDOWS_1252, encoding_rs::WINDOWS_874] {
            let table = SingleByte::of(encoding).expect("it has one byte per character");
            for _ in 0..300 {
                let mut bytes = Vec::new();
                for _ in 0..random.below(20) {
                    let (low, high) = if random.per_mille(500) { (0, 0x7F) } else { (0x80, 0xFF) };
                    let most = [3, 12, 60, 3000][random.below(4)];
                    let length = random.below(most);
                    bytes.extend((0..length).map(|_| random.between(low, high) as u8));
                }
                let decode = |bytes| encoding.decode_without_bom_handling_and_without_replacement(bytes);
                // Up to the first byte that is no character.
                let valid =
                    (0..bytes.len()).find(|at| decode(&bytes[*at..=*at]).is_none()).unwrap_or(bytes.len());
                let expected = decode(&bytes[..valid]).expect("characters").into_owned();
                let mut room = vec![0; bytes.len() * 3 + 8];
                let (read, written, lacking) = table.decode(&bytes, &mut room);
                assert_eq!((read, lacking), (valid, valid < bytes.len()), "{bytes:X?}");
                assert_eq!(&room[..written], expected.as_bytes());
                let most = random.below(expected.len() + 8);
                let (read, written, _) = table.decode(&bytes, &mut room[..most]);
                assert_eq!(Some(&expected[..written]), decode(&bytes[..read]).as_deref());
                assert!(read == valid || written + 3 > most, "it stops only where there is no room");
            }
        }
    }
}
