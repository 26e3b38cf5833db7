//! A reader of text in any encoding.

use std::fmt;
use std::io::{BufRead, Read, Result};

use super::transcoding_buffers::TranscodingBuffers;
use super::{CAPACITY, append_all, part_of_a_character};
use crate::convert::Policy;
use crate::dynamic::{AnyTranscoder, Label, Scheme};
use crate::stream::Bom;

/// Reads text in any encoding from a reader of bytes, and presents it as UTF-8.
///
/// It implements [`Read`] and [`BufRead`], so that [`read_to_string`](Read::read_to_string), [`lines`](BufRead::lines) and
/// everything that takes a reader work. It allocates two buffers of 32 KiB when it is created; the inner reader does not need to be a
/// `BufReader`.
///
/// [`fill_buf`](BufRead::fill_buf) returns whole characters, unless part of one has been consumed.
///
/// An error in the text has the kind `InvalidData` and contains an [`IllFormed`](crate::IllFormed) or a
/// [`TranscodeError`](crate::TranscodeError). It is returned once all text before it has been read, and by every later call, so leave
/// a loop over [`lines`](BufRead::lines) at the first error.
///
/// In case of an error, [`read_to_string`](Read::read_to_string) leaves the text before the error in the string, where std's leaves the
/// string unmodified. If part of a character has been consumed before, it returns an error of kind `InvalidData` that contains neither
/// of the two. If the output has another encoding and is not UTF-8, it returns an [`IllFormed`](crate::IllFormed) with its offset in the
/// whole output.
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
    pub(super) inner: R,
    pub(super) text: TranscodingBuffers<'p>,
}

impl<'p, R> TranscodingReader<'p, R> {
    /// Converts from `inner`, which is in encoding `from`, to UTF-8. An ill-formed sequence is an error.
    pub fn strict(inner: R, from: impl Into<Label>) -> Self {
        Self::new(inner, AnyTranscoder::strict(from, Scheme::Utf8))
    }

    /// Converts from `inner`, which is in encoding `from`, to UTF-8, and replaces ill-formed sequences as `policy` says.
    pub fn lossy(inner: R, from: impl Into<Label>, policy: impl Into<Policy<'p>>) -> Self {
        Self::new(inner, AnyTranscoder::lossy(from, Scheme::Utf8, policy))
    }

    /// Converts with any transcoder, which may have another target than UTF-8.
    pub fn new(inner: R, transcoder: AnyTranscoder<'p>) -> Self {
        Self::with_capacity(CAPACITY, inner, transcoder)
    }

    /// As [`new`](Self::new), with two buffers of `capacity` bytes, but at least 64.
    pub fn with_capacity(capacity: usize, inner: R, transcoder: AnyTranscoder<'p>) -> Self {
        TranscodingReader { inner, text: TranscodingBuffers::new(capacity, transcoder) }
    }

    /// The same, with another treatment of a byte order mark: see [`AnyTranscoder::with_bom`].
    #[must_use]
    pub fn with_bom(mut self, bom: Bom) -> Self {
        self.text.transcoder = self.text.transcoder.with_bom(bom);
        self
    }

    /// The encoding of the text: see [`AnyTranscoder::source`].
    pub fn source(&self) -> Option<Scheme> {
        self.text.transcoder.source()
    }

    /// How many replacements have been made so far.
    pub fn replaced(&self) -> u64 {
        self.text.replaced
    }

    /// The inner reader. It is ahead of what has been read here.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. Bytes that are read from it will be missing here.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. The contents of the buffers are lost.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> BufRead for TranscodingReader<'_, R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.text.fill(|room| self.inner.read(room))
    }

    fn consume(&mut self, bytes: usize) {
        self.text.consume(bytes);
    }
}

impl<R: Read> Read for TranscodingReader<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        self.text.read(to, |room| self.inner.read(room))
    }

    fn read_to_string(&mut self, text: &mut String) -> Result<usize> {
        append_all(self, text, |reader, error| match reader.text.transcoder.target() {
            Scheme::Utf8 => part_of_a_character(),
            _ => error.in_stream(reader.text.offset()).into(),
        })
    }
}

impl<R: fmt::Debug> fmt::Debug for TranscodingReader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscodingReader")
            .field("inner", &self.inner)
            .field("transcoder", &self.text.transcoder)
            .field("error", &self.text.error)
            .finish_non_exhaustive()
    }
}
