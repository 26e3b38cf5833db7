//! The state of a [`Utf8Reader`](super::Utf8Reader) between two reads.
//!
//! The state is the buffer, and how far it is known to be text. As with `transcoding_buffers`, each method is given a function that
//! reads more bytes, so that blocking and asynchronous readers share this code.

use std::io::Result;

use super::{LEAST_CAPACITY, counted};
use crate::stream::Validator;
use crate::unicode::{IllFormed, Utf8};
use crate::validate::validate;

pub(super) struct CheckedBuffer {
    pub(super) validator: Validator<Utf8>,
    buffer: Box<[u8]>,
    /// The end of what has been consumed.
    consumed: usize,
    /// The end of what is text.
    text: usize,
    /// The end of what was read: the beginning of a character may follow the text.
    filled: usize,
    ended: bool,
    pub(super) error: Option<IllFormed>,
}

impl CheckedBuffer {
    #[inline]
    pub(super) fn new(capacity: usize) -> Self {
        CheckedBuffer {
            validator: Validator::new(),
            buffer: vec![0; capacity.max(LEAST_CAPACITY)].into_boxed_slice(),
            consumed: 0,
            text: 0,
            filled: 0,
            ended: false,
            error: None,
        }
    }

    /// Reads and checks more. Afterwards, unless there was an error, there is text, or the end is reached.
    fn next(&mut self, mut refill: impl FnMut(&mut [u8]) -> Result<usize>) -> Result<()> {
        self.buffer.copy_within(self.text..self.filled, 0);
        self.filled -= self.text;
        (self.consumed, self.text) = (0, 0);
        while self.text == 0 && !self.ended {
            if let Some(error) = self.error {
                return Err(error.into());
            }
            let room = &mut self.buffer[self.filled..];
            let most = room.len();
            let fresh = counted(refill(room)?, most)?;
            let end = self.filled + fresh;
            self.ended = fresh == 0;
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
                    // The place of the error is computed from the buffer, which begins with a character: in a stream of gigabytes, the
                    // offset may be more than a `usize` holds.
                    self.text = validate::<Utf8>(&self.buffer[..end]).map_or_else(|here| here.at, |()| end);
                    self.filled = self.text;
                    (self.error, self.ended) = (Some(error), false);
                }
            }
        }
        Ok(())
    }

    /// Text that has not been consumed; empty at the end.
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
