//! The evidence about encodings whose units are bytes: what is UTF-8, and what lies between.
//!
//! The validator runs over the text, however long it is; only at a sequence that is ill-formed are its bytes
//! looked at one by one. In text of Western Europe in Latin-1 nearly every letter above 7F is
//! such a sequence: it stands alone between ASCII letters. In other alphabets they come in runs, and
//! in encodings of two bytes a character in pairs. This, and which bytes they are, is all that is used:
//! there is no statistics of languages.

use crate::kernel::Engine;
use crate::kernel::dispatch::byte_classes::{ByteClasses, byte_classes};
use crate::unicode::Utf8;
use crate::validate::validate_on;

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Eight {
    /// The beginning of a character that waits for the rest of it.
    open: [u8; 3],
    waiting: usize,
    /// Bytes before it.
    at: u64,
    /// Whether the last of those is above 7F, and no quote, dash or space.
    behind_letter: bool,
    /// Characters of more than one byte.
    pub(super) sequences: u64,
    /// Ill-formed sequences, and where the first is.
    pub(super) ill_formed: u64,
    pub(super) first: u64,
    /// Bytes of ill-formed sequences: all, letters of Latin-1, its usual signs, those in 80..9F that windows-1252
    /// has and those that it does not have, and letters right behind another.
    pub(super) high: u64,
    pub(super) letters: u64,
    signs: u64,
    pub(super) windows: u64,
    undefined: u64,
    adjacent: u64,
    /// NUL bytes, and where the first is; control characters, with them.
    pub(super) nul: u64,
    pub(super) first_nul: u64,
    pub(super) controls: u64,
}

/// A joint of what waits and what comes behind it: no character is longer than four bytes.
const JOINT: usize = 8;

impl Eight {
    /// Takes the next bytes.
    #[inline]
    pub(super) fn take(&mut self, chunk: &[u8]) {
        let engine = Engine::current();
        let mut rest = chunk;
        while self.waiting > 0 && !rest.is_empty() {
            let waiting = self.waiting;
            let mut joint = [0; JOINT];
            let taken = rest.len().min(JOINT - waiting);
            joint[..waiting].copy_from_slice(&self.open[..waiting]);
            joint[waiting..waiting + taken].copy_from_slice(&rest[..taken]);
            let text = &joint[..waiting + taken];
            let length = match validate_on::<Utf8>(engine, text) {
                Err(error) if error.at == 0 && error.is_incomplete() => {
                    self.wait(text);
                    return;
                }
                Err(error) if error.at == 0 => {
                    self.ill_formed(&text[..error.len]);
                    error.len
                }
                // The first character is whole; its lead byte says how long it is.
                _ => {
                    let length = text[0].leading_ones() as usize;
                    self.well_formed(engine, &text[..length]);
                    length
                }
            };
            // What waits is the beginning of a character, and so of no error that is shorter.
            self.waiting = 0;
            rest = &rest[length - waiting..];
        }
        while !rest.is_empty() {
            match validate_on::<Utf8>(engine, rest) {
                Ok(()) => {
                    self.well_formed(engine, rest);
                    return;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.at);
                    self.well_formed(engine, good);
                    if error.is_incomplete() {
                        self.wait(bad);
                        return;
                    }
                    self.ill_formed(&bad[..error.len]);
                    rest = &bad[error.len..];
                }
            }
        }
    }

    /// The text ends here: what waits is cut short.
    #[inline]
    pub(super) fn end(&mut self) {
        let (open, waiting) = (self.open, self.waiting);
        if waiting > 0 {
            self.waiting = 0;
            self.ill_formed(&open[..waiting]);
        }
    }

    /// Whether the last character is not whole.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.waiting > 0
    }

    #[inline]
    fn wait(&mut self, open: &[u8]) {
        self.open[..open.len()].copy_from_slice(open);
        self.waiting = open.len();
    }

    /// Control characters are well-formed; there is none in what is not.
    #[inline]
    fn well_formed(&mut self, engine: Engine, text: &[u8]) {
        let ByteClasses { controls, leads } = byte_classes(engine, text);
        if controls > 0 {
            self.controls += controls as u64;
            self.take_nuls(text);
        }
        self.at += text.len() as u64;
        self.sequences += leads as u64;
        if let Some(last) = text.last() {
            self.behind_letter = *last >= 0x80;
        }
    }

    #[cold]
    fn take_nuls(&mut self, text: &[u8]) {
        if self.nul == 0
            && let Some(at) = text.iter().position(|byte| *byte == 0)
        {
            self.first_nul = self.at + at as u64;
        }
        self.nul += text.iter().filter(|byte| **byte == 0).count() as u64;
    }

    #[inline]
    fn ill_formed(&mut self, bytes: &[u8]) {
        if self.ill_formed == 0 {
            self.first = self.at;
        }
        self.ill_formed += 1;
        self.at += bytes.len() as u64;
        for byte in bytes {
            let letter = !matches!(byte, 0x80..=0xA0 | 0xAB | 0xBB);
            self.high += 1;
            self.adjacent += u64::from(self.behind_letter && letter);
            self.behind_letter = letter;
            match byte {
                0xD7 | 0xF7 => {}
                0xC0.. => self.letters += 1,
                // Spaces, quotes, currency, degrees, ordinals, fractions: what is printed often.
                0xA0 | 0xA1 | 0xA3 | 0xA7 | 0xA9 | 0xAA | 0xAB | 0xAD..=0xB5 | 0xB7 | 0xBA..=0xBF => {
                    self.signs += 1;
                }
                0x81 | 0x8D | 0x8F | 0x90 | 0x9D => self.undefined += 1,
                0x80..=0x9F => self.windows += 1,
                _ => {}
            }
        }
    }

    /// Whether what is ill-formed lies as in Latin-1 or windows-1252.
    #[inline]
    pub(super) fn is_like_latin1(&self) -> bool {
        let usual = self.letters + self.signs + self.windows;
        self.high > 0
            && usual * 10 >= self.high * 9
            && self.letters * 3 >= self.high.saturating_sub(3)
            && self.adjacent * 2 <= self.high
    }
}
