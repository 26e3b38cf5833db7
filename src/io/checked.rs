//! What a reader that checks does between two reads.
//!
//! The buffer, and how far it is known to be text. Where bytes come from is the caller's affair, as in
//! [`conversion`](super::conversion).

use std::io::Result;

use super::{LEAST_CAPACITY, ill_formed};
use crate::stream::Validator;
use crate::unicode::{IllFormed, Utf8};

pub(super) struct Checked {
    pub(super) validator: Validator<Utf8>,
    buffer: Box<[u8]>,
    /// Up to here it has been consumed,
    consumed: usize,
    /// up to here it is text,
    text: usize,
    /// and up to here there is the beginning of a character.
    filled: usize,
    ended: bool,
    pub(super) error: Option<IllFormed>,
}

impl Checked {
    #[inline]
    pub(super) fn new(capacity: usize) -> Self {
        Checked {
            validator: Validator::new(),
            buffer: vec![0; capacity.max(LEAST_CAPACITY)].into_boxed_slice(),
            consumed: 0,
            text: 0,
            filled: 0,
            ended: false,
            error: None,
        }
    }

    /// Reads and checks the next piece; without an error, there is text then or the end.
    fn next(&mut self, mut refill: impl FnMut(&mut [u8]) -> Result<usize>) -> Result<()> {
        self.buffer.copy_within(self.text..self.filled, 0);
        self.filled -= self.text;
        (self.consumed, self.text) = (0, 0);
        while self.text == 0 && !self.ended {
            if let Some(error) = self.error {
                return Err(ill_formed(error));
            }
            let fresh = refill(&mut self.buffer[self.filled..])?;
            let end = self.buffer.len().min(self.filled + fresh);
            self.ended = fresh == 0;
            let before = self.validator.offset();
            let checked = match self.ended {
                true => self.validator.finish(),
                false => self.validator.push(&self.buffer[self.filled..end]),
            };
            match checked {
                Ok(()) => {
                    self.filled = end;
                    self.text = end - self.validator.waiting();
                }
                Err(error) => {
                    self.text = error.at.saturating_sub(usize::try_from(before).unwrap_or(usize::MAX));
                    self.filled = self.text;
                    (self.error, self.ended) = (Some(error), false);
                }
            }
        }
        Ok(())
    }

    /// Text that has not been consumed; nothing at the end.
    pub(super) fn fill(&mut self, refill: impl FnMut(&mut [u8]) -> Result<usize>) -> Result<&[u8]> {
        if self.consumed == self.text {
            self.next(refill)?;
        }
        Ok(&self.buffer[self.consumed..self.text])
    }

    #[inline]
    pub(super) fn consume(&mut self, bytes: usize) {
        self.consumed = self.text.min(self.consumed.saturating_add(bytes));
    }

    pub(super) fn read(
        &mut self,
        to: &mut [u8],
        refill: impl FnMut(&mut [u8]) -> Result<usize>,
    ) -> Result<usize> {
        let bytes = self.fill(refill)?;
        let count = bytes.len().min(to.len());
        to[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}
