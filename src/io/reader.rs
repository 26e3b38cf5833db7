//! A reader of text in any encoding.

use std::fmt;
use std::io::{BufRead, Read, Result};

use super::{CAPACITY, LEAST_CAPACITY, append_all, invalid};
use crate::replace::Policy;
use crate::scheme::{Label, Scheme};
use crate::stream::{AnyTranscoder, Bom, Status};
use crate::transcode::Reason;

/// Reads text in any encoding from a reader of bytes, and gives it as UTF-8.
///
/// It is a [`Read`] and a [`BufRead`], so that [`read_to_string`](Read::read_to_string),
/// [`lines`](BufRead::lines) and all that takes a reader works. It has its own buffers: there is no use in
/// putting the inner reader in a `BufReader`.
///
/// What [`fill_buf`](BufRead::fill_buf) gives is whole characters, unless a part of one has been consumed.
///
/// ```
/// use std::io::Read as _;
/// use runecast::{Bom, Replacement, Scheme, TranscodingReader};
///
/// // UTF-8, unless a byte order mark says something else; and U+FFFD for what is ill-formed.
/// let file = &b"\xEF\xBB\xBFcaf\xE9"[..];
/// let mut reader = TranscodingReader::lossy(file, Scheme::Utf8, Replacement::Whatwg).with_bom(Bom::Sniff);
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!((text.as_str(), reader.replaced()), ("caf\u{FFFD}", 1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct TranscodingReader<'p, R> {
    inner: R,
    transcoder: AnyTranscoder<'p>,
    /// What was read, and how much of it is left.
    input: Box<[u8]>,
    read: usize,
    filled: usize,
    /// What it was converted to, and how much of that is left.
    output: Box<[u8]>,
    consumed: usize,
    written: usize,
    /// The inner reader has come to its end; and so have we.
    last: bool,
    ended: bool,
    error: Option<Reason>,
    replaced: u64,
}

impl<'p, R> TranscodingReader<'p, R> {
    /// From `inner`, which is in encoding `from`, to UTF-8. What is ill-formed is an error.
    pub fn strict(inner: R, from: impl Into<Label>) -> Self {
        Self::new(inner, AnyTranscoder::strict(from, Scheme::Utf8))
    }

    /// From `inner`, which is in encoding `from`, to UTF-8, by `policy` where it is ill-formed.
    pub fn lossy(inner: R, from: impl Into<Label>, policy: impl Into<Policy<'p>>) -> Self {
        Self::new(inner, AnyTranscoder::lossy(from, Scheme::Utf8, policy))
    }

    /// With any transcoder, also to another encoding than UTF-8.
    pub fn new(inner: R, transcoder: AnyTranscoder<'p>) -> Self {
        Self::with_capacity(CAPACITY, inner, transcoder)
    }

    /// [`new`](Self::new), with two buffers of so many bytes.
    pub fn with_capacity(capacity: usize, inner: R, transcoder: AnyTranscoder<'p>) -> Self {
        let buffer = || vec![0; capacity.max(LEAST_CAPACITY)].into_boxed_slice();
        TranscodingReader {
            inner,
            transcoder,
            input: buffer(),
            read: 0,
            filled: 0,
            output: buffer(),
            consumed: 0,
            written: 0,
            last: false,
            ended: false,
            error: None,
            replaced: 0,
        }
    }

    /// The same, with another treatment of a byte order mark: see [`AnyTranscoder::with_bom`].
    #[must_use]
    pub fn with_bom(mut self, bom: Bom) -> Self {
        self.transcoder = self.transcoder.with_bom(bom);
        self
    }

    /// What the text is: see [`AnyTranscoder::source`].
    pub fn source(&self) -> Option<Scheme> {
        self.transcoder.source()
    }

    /// How many replacements have been made so far.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// The inner reader. It is further on than what has been read from here.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. Whatever is read from it will be missing here.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What is in the buffers is lost.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> TranscodingReader<'_, R> {
    /// Converts what comes next, to `direct` or to the buffer: how many bytes it became, 0 at the end.
    fn convert(&mut self, mut direct: Option<&mut [u8]>) -> Result<usize> {
        loop {
            if let Some(reason) = self.error {
                return Err(invalid(reason));
            }
            if self.ended {
                return Ok(0);
            }
            if self.read == self.filled && !self.last {
                let count = self.inner.read(&mut self.input)?;
                (self.read, self.filled) = (0, count.min(self.input.len()));
                self.last = count == 0;
            }
            let output = direct.as_deref_mut().unwrap_or(&mut self.output);
            let step = self.transcoder.transcode(&self.input[self.read..self.filled], output, self.last);
            self.read += step.read;
            self.replaced += step.replaced as u64;
            match step.status {
                Status::InputEmpty => self.ended = self.last,
                status => self.error = status.error(),
            }
            if step.written > 0 {
                return Ok(step.written);
            }
        }
    }
}

impl<R: Read> BufRead for TranscodingReader<'_, R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.consumed == self.written {
            (self.consumed, self.written) = (0, 0);
            self.written = self.convert(None)?;
        }
        Ok(&self.output[self.consumed..self.written])
    }

    fn consume(&mut self, bytes: usize) {
        self.consumed = self.written.min(self.consumed.saturating_add(bytes));
    }
}

impl<R: Read> Read for TranscodingReader<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        // Where there is as much room as in the buffer, the buffer is spared.
        if self.consumed == self.written && to.len() >= self.output.len() {
            return self.convert(Some(to));
        }
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

impl<R: fmt::Debug> fmt::Debug for TranscodingReader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscodingReader")
            .field("inner", &self.inner)
            .field("transcoder", &self.transcoder)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}
