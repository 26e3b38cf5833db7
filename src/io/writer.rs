//! A writer of text in any encoding.

use std::fmt;
use std::io::{Error, ErrorKind, Result, Write};

use super::{CAPACITY, LEAST_CAPACITY, counted, invalid};
use crate::convert::{Policy, Reason};
use crate::dynamic::{AnyTranscoder, Label, Scheme};
use crate::stream::Bom;

/// Takes text in one encoding, and writes it in another to a writer of bytes.
///
/// Text may be cut anywhere between two calls, even in the middle of a character, and [`flush`](Write::flush) may be called there:
/// the beginning of a character waits for the rest of it. At the end of the text, call [`finish`](Self::finish). **Without it, the
/// contents of the buffer are lost.**
///
/// It allocates a buffer of 32 KiB when it is created. An error in the text has the kind `InvalidData` and contains an
/// [`IllFormed`](crate::IllFormed) or a [`TranscodeError`](crate::TranscodeError), whose offsets count from the beginning of the text;
/// `read` and `written` are 0. It is returned once all text before it has been written, and by every later call. The call of
/// [`write`](Write::write) that returns it first has taken the part of its argument before the error.
///
/// ```
/// use std::io::Write as _;
/// use runecast::{Scheme, TranscodingWriter};
///
/// let mut writer = TranscodingWriter::strict(Vec::new(), Scheme::Utf8, Scheme::Utf16Le);
/// write!(writer, "{} ", "ᚱ")?;
/// writer.write_all(b"\xF0\x9F")?;
/// writer.flush()?;
/// assert_eq!(writer.get_ref(), b"\xB1\x16 \0");
/// writer.write_all(b"\xAA\xA8")?;
/// writer.finish()?;
/// assert_eq!(writer.into_inner(), b"\xB1\x16 \0\x3E\xD8\xA8\xDE");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct TranscodingWriter<'p, W> {
    inner: W,
    transcoder: AnyTranscoder<'p>,
    /// Converted text: `written..filled` is to be written.
    buffer: Box<[u8]>,
    written: usize,
    filled: usize,
    error: Option<Reason>,
    replaced: u64,
}

impl<'p, W> TranscodingWriter<'p, W> {
    /// Writes to `inner` in encoding `to`, from text in encoding `from`. An ill-formed sequence is an error, and so is a
    /// character that the target cannot represent.
    pub fn strict(inner: W, from: impl Into<Label>, to: Scheme) -> Self {
        Self::new(inner, AnyTranscoder::strict(from, to))
    }

    /// Writes to `inner` in encoding `to`, from text in encoding `from`, and replaces ill-formed sequences as `policy` says.
    ///
    /// ```
    /// use std::io::Write as _;
    /// use runecast::{Replacement, Scheme, TranscodingWriter};
    ///
    /// let mut writer =
    ///     TranscodingWriter::lossy(Vec::new(), Scheme::Utf8, Scheme::Latin1, Replacement::Whatwg);
    /// writer.write_all(b"caf\xC3\xA9 \xFF \xE2\x82\xAC")?;
    /// writer.finish()?;
    /// assert_eq!(writer.replaced(), 2);
    /// assert_eq!(writer.into_inner(), b"caf\xE9 ? ?");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn lossy(inner: W, from: impl Into<Label>, to: Scheme, policy: impl Into<Policy<'p>>) -> Self {
        Self::new(inner, AnyTranscoder::lossy(from, to, policy))
    }

    /// Converts with any transcoder.
    pub fn new(inner: W, transcoder: AnyTranscoder<'p>) -> Self {
        Self::with_capacity(CAPACITY, inner, transcoder)
    }

    /// As [`new`](Self::new), with a buffer of `capacity` bytes, but at least 64.
    pub fn with_capacity(capacity: usize, inner: W, transcoder: AnyTranscoder<'p>) -> Self {
        let buffer = vec![0; capacity.max(LEAST_CAPACITY)].into_boxed_slice();
        TranscodingWriter { inner, transcoder, buffer, written: 0, filled: 0, error: None, replaced: 0 }
    }

    /// The same, with another treatment of a byte order mark: see [`AnyTranscoder::with_bom`].
    #[must_use]
    pub fn with_bom(mut self, bom: Bom) -> Self {
        self.transcoder = self.transcoder.with_bom(bom);
        self
    }

    /// The encoding of the text: see [`AnyTranscoder::source`].
    pub fn source(&self) -> Option<Scheme> {
        self.transcoder.source()
    }

    /// How many replacements have been made so far.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// The inner writer. Not everything may have been written to it yet.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer. What is written to it comes before the contents of the buffer.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer. The contents of the buffer are lost; call [`finish`](Self::finish) first.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> TranscodingWriter<'_, W> {
    /// Ends the text, writes all of it, and flushes the inner writer. What is written afterwards is another text.
    ///
    /// # Errors
    /// If the text ends in the middle of a character, and there is no policy. After an error of the inner writer, this can be
    /// called again.
    pub fn finish(&mut self) -> Result<()> {
        loop {
            self.drain()?;
            if let Some(reason) = self.error {
                return Err(invalid(reason));
            }
            if self.convert(&[], true).1 {
                self.drain()?;
                return self.inner.flush();
            }
        }
    }

    /// Converts as much as fits into the buffer, and returns how much was read, and whether that is all.
    fn convert(&mut self, text: &[u8], last: bool) -> (usize, bool) {
        let step = self.transcoder.transcode(text, &mut self.buffer[self.filled..], last);
        self.filled += step.written;
        self.replaced += step.replaced as u64;
        self.error = step.error();
        (step.read, step.is_done())
    }

    /// Writes the contents of the buffer.
    fn drain(&mut self) -> Result<()> {
        while self.written < self.filled {
            match self.inner.write(&self.buffer[self.written..self.filled]) {
                Ok(0) => {
                    return Err(Error::new(ErrorKind::WriteZero, "the converted text could not be written"));
                }
                Ok(count) => self.written += counted(count, self.filled - self.written)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        (self.written, self.filled) = (0, 0);
        Ok(())
    }
}

impl<W: Write> Write for TranscodingWriter<'_, W> {
    fn write(&mut self, text: &[u8]) -> Result<usize> {
        loop {
            if let Some(reason) = self.error {
                // Text before the error is written first, unless an earlier call has written it.
                self.drain()?;
                return Err(invalid(reason));
            }
            if self.buffer.len() - self.filled < LEAST_CAPACITY {
                self.drain()?;
            }
            let (read, all) = self.convert(text, false);
            if self.error.is_none() && (read > 0 || all) {
                return Ok(read);
            }
            self.drain()?;
        }
    }

    fn flush(&mut self) -> Result<()> {
        self.drain()?;
        self.inner.flush()?;
        self.error.map_or(Ok(()), |reason| Err(invalid(reason)))
    }
}

impl<W: fmt::Debug> fmt::Debug for TranscodingWriter<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscodingWriter")
            .field("inner", &self.inner)
            .field("transcoder", &self.transcoder)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}
