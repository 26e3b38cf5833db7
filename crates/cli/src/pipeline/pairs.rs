//! EUC-JP, read by table: from pairs of bytes to code units of UTF-16, of which the library's kernels make UTF-8.
//!
//! Of all encodings of East Asia it is the one that `encoding_rs` decodes slower than the iconv of GNU. The table is empty at
//! first; a pair that is not known yet is asked of `encoding_rs`, once. What is neither ASCII nor a pair with one character
//! (three bytes, what is malformed, the first half of a pair at the end) is left to its decoder, which then takes one byte
//! after the other until it has come to the end of a character.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, OnceLock};

use encoding_rs::{EUC_JP, Encoding};
use runecast::{Utf8, Utf16, transcode};

/// So many characters are looked up at once.
const BLOCK: usize = 1024;

/// So long must a stretch of ASCII be to be copied.
const STRETCH: usize = 64;

/// Bytes in UTF-8 that a unit has at most.
const LONGEST: usize = 3;

/// In the table: nobody has asked yet.
const UNKNOWN: u16 = 0;

/// In the table: it is no pair with one character.
const NONE: u16 = 0xDC00;

/// The pairs of EUC-JP.
pub(super) struct Pairs {
    units: Box<[AtomicU16]>,
}

impl Pairs {
    /// The pairs, if it is this encoding.
    pub(super) fn of(encoding: &'static Encoding) -> Option<Arc<Pairs>> {
        static KNOWN: OnceLock<Arc<Pairs>> = OnceLock::new();
        let new = || Arc::new(Pairs { units: (0..0x1_0000).map(|_| AtomicU16::new(UNKNOWN)).collect() });
        (encoding == EUC_JP).then(|| Arc::clone(KNOWN.get_or_init(new)))
    }

    /// Decodes from the beginning of a character, up to one that is neither ASCII nor a pair, the end, or as far as there is room: how
    /// much was read, and how much written.
    pub(super) fn decode(&self, from: &[u8], to: &mut [u8]) -> (usize, usize) {
        let mut units = [0; BLOCK];
        let (mut read, mut written) = (0, 0);
        loop {
            let (rest, room) = (&from[read..], &mut to[written..]);
            let ascii = runecast::ascii_prefix(rest).min(room.len());
            if ascii >= STRETCH {
                room[..ascii].copy_from_slice(&rest[..ascii]);
                (read, written) = (read + ascii, written + ascii);
                continue;
            }
            let most = (room.len() / LONGEST).min(BLOCK);
            let (mut at, mut count) = (0, 0);
            for unit in &mut units[..most] {
                match &rest[at..] {
                    [byte @ 0..0x80, ..] => {
                        *unit = u16::from(*byte);
                        at += 1;
                    }
                    [first, second, ..] => {
                        *unit = self.unit([*first, *second]);
                        if *unit == NONE {
                            break;
                        }
                        at += 2;
                    }
                    _ => break,
                }
                count += 1;
            }
            // (No unit is a surrogate, and there is room for all.)
            let Ok(length) = transcode::<Utf16, Utf8>(&units[..count], room) else { return (read, written) };
            (read, written) = (read + at, written + length);
            if count < BLOCK {
                return (read, written);
            }
        }
    }

    fn unit(&self, pair: [u8; 2]) -> u16 {
        let Some(entry) = self.units.get(usize::from(u16::from_be_bytes(pair))) else { return NONE };
        match entry.load(Ordering::Relaxed) {
            UNKNOWN => {
                let text = EUC_JP.decode_without_bom_handling_and_without_replacement(&pair);
                let mut units = text.iter().flat_map(|text| text.encode_utf16());
                let unit = match (units.next(), units.next()) {
                    (Some(unit), None) => unit,
                    _ => NONE,
                };
                entry.store(unit, Ordering::Relaxed);
                unit
            }
            unit => unit,
        }
    }
}
