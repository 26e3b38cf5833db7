//! A reader that passes on nothing but UTF-8.

use std::fmt;
use std::io::{BufRead, Read, Result};

use super::checked_buffer::CheckedBuffer;
use super::{CAPACITY, append_all, part_of_a_character};

/// Reads UTF-8 from a reader of bytes, and validates it.
///
/// It returns the bytes of the inner reader up to the first ill-formed sequence; from there on, every call returns an error of kind
/// `InvalidData` that contains an [`IllFormed`](crate::IllFormed). The beginning of a character is held back until the rest of
/// it has been read, so [`fill_buf`](BufRead::fill_buf) returns well-formed text, unless part of a character has been consumed.
/// A buffer of 64 KiB is allocated when the reader is created.
///
/// Iterators such as [`lines`](BufRead::lines) return that error again and again: leave the loop at the first error.
///
/// In case of an error, [`read_to_string`](Read::read_to_string) leaves the text before the error in the string, where std's leaves
/// the string unmodified. If part of a character has been consumed before, that is the same error as for
/// [`fill_text`](Self::fill_text).
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
    pub(super) inner: R,
    pub(super) text: CheckedBuffer,
}

impl<R> Utf8Reader<R> {
    /// Reads from `inner`.
    pub fn new(inner: R) -> Self {
        Self::with_capacity(2 * CAPACITY, inner)
    }

    /// As [`new`](Self::new), with a buffer of `capacity` bytes, but at least 64.
    pub fn with_capacity(capacity: usize, inner: R) -> Self {
        Utf8Reader { inner, text: CheckedBuffer::new(capacity) }
    }

    /// The inner reader. It is ahead of what has been read here.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. Bytes that are read from it will be missing here.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. The contents of the buffer are lost.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Utf8Reader<R> {
    /// As [`fill_buf`](BufRead::fill_buf), as text.
    ///
    /// # Errors
    /// As there; and if part of a character has been consumed, an error of kind `InvalidData` without an
    /// [`IllFormed`](crate::IllFormed), until the rest of the character has been consumed as well.
    pub fn fill_text(&mut self) -> Result<&str> {
        crate::std_api::from_utf8(self.fill_buf()?).map_err(|_| part_of_a_character())
    }
}

impl<R: Read> BufRead for Utf8Reader<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.text.fill(|room| self.inner.read(room))
    }

    fn consume(&mut self, bytes: usize) {
        self.text.consume(bytes);
    }
}

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        self.text.read(to, |room| self.inner.read(room))
    }

    fn read_to_string(&mut self, text: &mut String) -> Result<usize> {
        append_all(self, text, |_, _| part_of_a_character())
    }
}

impl<R: fmt::Debug> fmt::Debug for Utf8Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Utf8Reader")
            .field("inner", &self.inner)
            .field("validator", &self.text.validator)
            .field("error", &self.text.error)
            .finish_non_exhaustive()
    }
}
