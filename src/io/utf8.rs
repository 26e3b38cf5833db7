//! A reader that lets nothing pass but UTF-8.

use std::fmt;
use std::io::{BufRead, Read, Result};

use super::{CAPACITY, LEAST_CAPACITY, append_all, ill_formed};
use crate::encoding::Utf8;
use crate::illformed::IllFormed;
use crate::stream::Validator;

/// Reads UTF-8 from a reader of bytes, and checks it on the way.
///
/// The bytes are those of the inner reader, up to the first ill-formed sequence; then there is an error of kind
/// `InvalidData`, with an [`IllFormed`] in it. Half of a character is not handed out before the other half
/// is there: what [`fill_buf`](BufRead::fill_buf) gives is text, unless a part of a character has been consumed.
///
/// ```
/// use std::io::BufRead as _;
/// use runecast::Utf8Reader;
///
/// let mut reader = Utf8Reader::new("rūna".as_bytes());
/// assert_eq!(reader.fill_text()?, "rūna");
/// reader.consume(3);
/// assert_eq!(reader.fill_text()?, "na");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Utf8Reader<R> {
    inner: R,
    validator: Validator<Utf8>,
    buffer: Box<[u8]>,
    /// Up to here it has been consumed,
    consumed: usize,
    /// up to here it is text,
    text: usize,
    /// and up to here there is the beginning of a character.
    filled: usize,
    ended: bool,
    error: Option<IllFormed>,
}

impl<R> Utf8Reader<R> {
    /// Around `inner`.
    pub fn new(inner: R) -> Self {
        Self::with_capacity(2 * CAPACITY, inner)
    }

    /// The same, with a buffer of so many bytes.
    pub fn with_capacity(capacity: usize, inner: R) -> Self {
        Utf8Reader {
            inner,
            validator: Validator::new(),
            buffer: vec![0; capacity.max(LEAST_CAPACITY)].into_boxed_slice(),
            consumed: 0,
            text: 0,
            filled: 0,
            ended: false,
            error: None,
        }
    }

    /// The inner reader. It is further on than what has been read from here.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. Whatever is read from it will be missing here.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What is in the buffer is lost.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Utf8Reader<R> {
    /// [`fill_buf`](BufRead::fill_buf), as text.
    ///
    /// # Errors
    /// As there; and if the last [`consume`](BufRead::consume) left a part of a character.
    pub fn fill_text(&mut self) -> Result<&str> {
        crate::from_utf8(self.fill_buf()?).map_err(|error| ill_formed(error.into()))
    }

    /// Reads and checks the next piece; without an error, there is text then or the end.
    fn refill(&mut self) -> Result<()> {
        self.buffer.copy_within(self.text..self.filled, 0);
        self.filled -= self.text;
        (self.consumed, self.text) = (0, 0);
        while self.text == 0 && !self.ended {
            if let Some(error) = self.error {
                return Err(ill_formed(error));
            }
            let fresh = self.inner.read(&mut self.buffer[self.filled..])?;
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
}

impl<R: Read> BufRead for Utf8Reader<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.consumed == self.text {
            self.refill()?;
        }
        Ok(&self.buffer[self.consumed..self.text])
    }

    fn consume(&mut self, bytes: usize) {
        self.consumed = self.text.min(self.consumed.saturating_add(bytes));
    }
}

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(to.len());
        to[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }

    fn read_to_string(&mut self, text: &mut String) -> Result<usize> {
        append_all(self, text)
    }
}

impl<R: fmt::Debug> fmt::Debug for Utf8Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Utf8Reader")
            .field("inner", &self.inner)
            .field("validator", &self.validator)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}
