//! The evidence about encodings whose units are bytes: how much is UTF-8, and what the ill-formed sequences are.
//!
//! The validator runs over the text, however long it is; only the bytes of ill-formed sequences are looked at one by one. In
//! Western European text in Latin-1 nearly every letter above 7F is such a sequence: it is alone between ASCII letters. In
//! other alphabets they come in runs, and in encodings of two bytes per character in pairs. This, and which bytes they are, is
//! all that is used: no statistics of languages.

use crate::kernel::Engine;
use crate::kernel::dispatch::byte_classes::{ByteClasses, byte_classes};
use crate::unicode::Utf8;
use crate::validate::validate_on;

/// The counts over a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByteCounts {
    /// The beginning of a character, waiting for the rest of it.
    waiting: [u8; 3],
    waiting_len: usize,
    /// Bytes before it.
    at: u64,
    /// Whether the last of those is above 7F, and not a quote, dash or space.
    after_letter: bool,
    /// Characters of more than one byte.
    pub(super) sequences: u64,
    /// Ill-formed sequences, and the offset of the first.
    pub(super) ill_formed: u64,
    pub(super) first: u64,
    /// Bytes of ill-formed sequences: all, letters of Latin-1, its usual signs, those in 80..9F that windows-1252 defines and
    /// those that it does not, and letters directly after another.
    pub(super) high: u64,
    pub(super) letters: u64,
    signs: u64,
    pub(super) windows: u64,
    undefined: u64,
    adjacent: u64,
    /// NUL bytes, and the offset of the first; control characters, including NUL.
    pub(super) nul: u64,
    pub(super) first_nul: u64,
    pub(super) controls: u64,
}

/// Bytes of the buffer in which waiting bytes are joined with the next ones: no character is longer than four bytes.
const JOINED_BYTES: usize = 8;

impl ByteCounts {
    /// Reads the next bytes.
    #[inline]
    pub(super) fn push(&mut self, chunk: &[u8]) {
        let engine = Engine::current();
        let mut rest = chunk;
        while self.waiting_len > 0 && !rest.is_empty() {
            let waiting = self.waiting_len;
            let mut joined = [0; JOINED_BYTES];
            let taken = rest.len().min(JOINED_BYTES - waiting);
            joined[..waiting].copy_from_slice(&self.waiting[..waiting]);
            joined[waiting..waiting + taken].copy_from_slice(&rest[..taken]);
            let text = &joined[..waiting + taken];
            let length = match validate_on::<Utf8>(engine, text) {
                Err(error) if error.at == 0 && error.is_incomplete() => {
                    self.set_waiting(text);
                    return;
                }
                Err(error) if error.at == 0 => {
                    self.count_ill_formed(&text[..error.len]);
                    error.len
                }
                // The first character is complete; its lead byte says how long it is.
                _ => {
                    let length = text[0].leading_ones() as usize;
                    self.count_well_formed(engine, &text[..length]);
                    length
                }
            };
            // Waiting bytes are the beginning of a character, and so never longer than an error.
            self.waiting_len = 0;
            rest = &rest[length - waiting..];
        }
        while !rest.is_empty() {
            match validate_on::<Utf8>(engine, rest) {
                Ok(()) => {
                    self.count_well_formed(engine, rest);
                    return;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.at);
                    self.count_well_formed(engine, good);
                    if error.is_incomplete() {
                        self.set_waiting(bad);
                        return;
                    }
                    self.count_ill_formed(&bad[..error.len]);
                    rest = &bad[error.len..];
                }
            }
        }
    }

    /// Ends the text: a character that waits is truncated.
    #[inline]
    pub(super) fn end(&mut self) {
        let (waiting, len) = (self.waiting, self.waiting_len);
        if len > 0 {
            self.waiting_len = 0;
            self.count_ill_formed(&waiting[..len]);
        }
    }

    /// Whether the last character is incomplete.
    #[inline]
    pub(super) fn has_incomplete(&self) -> bool {
        self.waiting_len > 0
    }

    #[inline]
    fn set_waiting(&mut self, bytes: &[u8]) {
        self.waiting[..bytes.len()].copy_from_slice(bytes);
        self.waiting_len = bytes.len();
    }

    /// Control characters are always counted here: ill-formed sequences have none.
    #[inline]
    fn count_well_formed(&mut self, engine: Engine, text: &[u8]) {
        let ByteClasses { controls, leads } = byte_classes(engine, text);
        if controls > 0 {
            self.controls += controls as u64;
            self.count_nuls(text);
        }
        self.at += text.len() as u64;
        self.sequences += leads as u64;
        if let Some(last) = text.last() {
            self.after_letter = *last >= 0x80;
        }
    }

    #[cold]
    fn count_nuls(&mut self, text: &[u8]) {
        if self.nul == 0
            && let Some(at) = text.iter().position(|byte| *byte == 0)
        {
            self.first_nul = self.at + at as u64;
        }
        self.nul += text.iter().filter(|byte| **byte == 0).count() as u64;
    }

    #[inline]
    fn count_ill_formed(&mut self, bytes: &[u8]) {
        if self.ill_formed == 0 {
            self.first = self.at;
        }
        self.ill_formed += 1;
        self.at += bytes.len() as u64;
        for byte in bytes {
            let letter = !matches!(byte, 0x80..=0xA0 | 0xAB | 0xBB);
            self.high += 1;
            self.adjacent += u64::from(self.after_letter && letter);
            self.after_letter = letter;
            match byte {
                0xD7 | 0xF7 => {}
                0xC0.. => self.letters += 1,
                // Spaces, quotes, currency, degrees, ordinals, fractions: the frequent signs.
                0xA0 | 0xA1 | 0xA3 | 0xA7 | 0xA9 | 0xAA | 0xAB | 0xAD..=0xB5 | 0xB7 | 0xBA..=0xBF => {
                    self.signs += 1;
                }
                0x81 | 0x8D | 0x8F | 0x90 | 0x9D => self.undefined += 1,
                0x80..=0x9F => self.windows += 1,
                _ => {}
            }
        }
    }

    /// Whether more is well-formed UTF-8 than is not, or is NUL: more than there is in UTF-16 by chance.
    #[inline]
    pub(super) fn is_mostly_utf8(&self) -> bool {
        self.sequences >= 2 && self.sequences > self.ill_formed + self.nul
    }

    /// Whether the ill-formed bytes are distributed as in Latin-1 or windows-1252.
    #[inline]
    pub(super) fn is_like_latin1(&self) -> bool {
        let usual = self.letters + self.signs + self.windows;
        self.high > 0
            && usual * 10 >= self.high * 9
            && self.letters * 3 >= self.high.saturating_sub(3)
            && self.adjacent * 2 <= self.high
    }
}
