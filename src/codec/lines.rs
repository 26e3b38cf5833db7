//! Text line by line.
//!
//! A complete line is checked as a whole. An incomplete line goes through a [`Validator`], each byte once: so an ill-formed
//! sequence is an error when it arrives, and not with the line feed, which may never arrive. A line that is too long is validated up to
//! the byte which is one too many: what is behind it may be there or not yet, and must not decide which error it is.
//!
//! It does not scan ahead for many lines at once, as [`scan::lines`](crate::scan::lines()) does: the buffer is not ours, and may be changed
//! between two calls, so that nothing can be kept of what was found in it; and if lines were taken out ahead of their call, those who
//! take the buffer back, to go on with another protocol, would miss them.

use std::fmt;
use std::io::{Error, ErrorKind};

use bytes::BytesMut;
use tokio_util::codec::{Decoder, Encoder};

use super::take;
use crate::stream::Validator;
use crate::unicode::Utf8;
use crate::utf8_bytes::Utf8Bytes;

/// Decodes UTF-8 line by line, without line endings.
///
/// A line ends with a line feed; a carriage return before it is part of the line ending. What follows the last line feed is
/// a line, too, unless it is empty. As an encoder it writes a line feed after each text.
///
/// An ill-formed sequence is an error as soon as it has arrived and the lines before it have been decoded; so is a line that is longer
/// than [`with_limit`](Self::with_limit) allows. If a line is both, the error is the one that comes first in it, in whatever chunks it
/// came: behind the byte that makes a line too long nothing is looked at.
///
/// Until the next line is decoded the buffer may only grow: what was searched is not searched again. Who changes what it holds calls
/// [`restart`](Self::restart). (If there is less in it than before, it is taken for another text.)
#[derive(Clone, Debug)]
pub struct Utf8Lines {
    /// Bytes that were decoded, with line endings.
    offset: u64,
    /// Bytes of the buffer that contain no line feed, and were pushed to the validator.
    searched: usize,
    validator: Validator<Utf8>,
    limit: usize,
}

impl Utf8Lines {
    /// At the beginning of a text whose lines may have any length.
    ///
    /// This is for trusted peers: a line that does not end is kept in memory.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self::with_limit(usize::MAX)
    }

    /// At the beginning of a text whose lines have at most `limit` bytes, without line endings. A longer line is an error of
    /// kind `InvalidData` that contains a [`LineTooLong`].
    #[must_use]
    #[inline]
    pub const fn with_limit(limit: usize) -> Self {
        Utf8Lines { offset: 0, searched: 0, validator: Validator::new(), limit }
    }

    /// Discards all state but the limit: what is decoded next is the beginning of another text.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use runecast::codec::Utf8Lines;
    /// use tokio_util::codec::Decoder as _;
    ///
    /// let mut lines = Utf8Lines::new();
    /// let mut buffer = BytesMut::from("no line yet");
    /// assert_eq!(lines.decode(&mut buffer)?, None);
    /// buffer = BytesMut::from("another\ntext\n");
    /// lines.restart();
    /// assert_eq!(lines.decode(&mut buffer)?.as_deref(), Some("another"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub const fn restart(&mut self) {
        *self = Self::with_limit(self.limit);
    }

    /// How many bytes of text were decoded so far, with line endings.
    #[must_use]
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Takes a line with its line ending from the buffer.
    #[inline]
    fn line(&mut self, buffer: &mut BytesMut, end: usize) -> Result<Utf8Bytes, Error> {
        let ending = match &buffer[..end] {
            [.., b'\r', b'\n'] => 2,
            [.., b'\n'] => 1,
            _ => 0,
        };
        if end - ending > self.limit {
            return Err(self.too_long(buffer));
        }
        let mut line = take(buffer, end, self.offset)?;
        self.offset = self.offset.saturating_add(end as u64);
        (self.searched, self.validator) = (0, Validator::new());
        // The line ending is ASCII, so that there is a character boundary before it.
        line.truncate(end - ending);
        Ok(line)
    }

    /// The error of a line at the start of `buffer` that is too long, if nothing is ill-formed before the byte that makes it so.
    #[cold]
    fn too_long(&self, buffer: &[u8]) -> Error {
        // A carriage return there may have been part of the line ending, until the next byte came.
        let more = if buffer.get(self.limit) == Some(&b'\r') { 2 } else { 1 };
        let head = &buffer[..buffer.len().min(self.limit.saturating_add(more))];
        match Validator::<Utf8>::new().push(head) {
            Err(error) => error.behind(self.offset).into(),
            Ok(()) => Error::new(ErrorKind::InvalidData, LineTooLong { at: self.offset, limit: self.limit }),
        }
    }
}

impl Default for Utf8Lines {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder for Utf8Lines {
    type Item = Utf8Bytes;
    type Error = Error;

    #[inline]
    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Utf8Bytes>, Error> {
        // The buffer may be shorter than before, if other code has taken something from it: then it is another text.
        if buffer.len() < self.searched {
            (self.searched, self.validator) = (0, Validator::new());
        }
        let fresh = buffer.get(self.searched..).unwrap_or_default();
        if let Some(at) = memchr::memchr(b'\n', fresh) {
            return self.line(buffer, self.searched + at + 1).map(Some);
        }
        // The last byte may be the beginning of a line ending.
        if buffer.strip_suffix(b"\r").unwrap_or(buffer).len() > self.limit {
            return Err(self.too_long(buffer));
        }
        self.validator.push(fresh).map_err(|error| error.behind(self.offset))?;
        self.searched = buffer.len();
        Ok(None)
    }

    #[inline]
    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Utf8Bytes>, Error> {
        match self.decode(buffer)? {
            None if !buffer.is_empty() => self.line(buffer, buffer.len()).map(Some),
            line => Ok(line),
        }
    }
}

impl<T: AsRef<str>> Encoder<T> for Utf8Lines {
    type Error = Error;

    fn encode(&mut self, text: T, buffer: &mut BytesMut) -> Result<(), Error> {
        let text = text.as_ref();
        buffer.reserve(text.len() + 1);
        buffer.extend_from_slice(text.as_bytes());
        buffer.extend_from_slice(b"\n");
        Ok(())
    }
}

/// A line is longer than allowed: what an error of [`Utf8Lines`] may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineTooLong {
    /// The offset of the line in the text, in bytes.
    pub at: u64,
    /// The length that a line may have, in bytes.
    pub limit: usize,
}

impl fmt::Display for LineTooLong {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the line at byte {} is longer than {} bytes", self.at, self.limit)
    }
}

impl std::error::Error for LineTooLong {}
