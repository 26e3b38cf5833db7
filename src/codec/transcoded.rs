//! Text from any encoding, as it arrives.

use std::io::Error;

use bytes::BytesMut;
use tokio_util::codec::Decoder;

use crate::convert::{Policy, Reason};
use crate::dynamic::{AnyTranscoder, Label, Scheme};
use crate::io::invalid;
use crate::stream::Bom;
use crate::utf8_bytes::Utf8Bytes;

/// Decodes text in any encoding as it arrives to UTF-8, in pieces of whole characters.
///
/// A frame is never empty. What comes after the end of a text, from a reader that has more after all, is another text, at the beginning
/// of which there may be a byte order mark again.
///
/// ```
/// use bytes::BytesMut;
/// use runecast::{Label, codec::TranscodedFrames};
/// use tokio_util::codec::Decoder as _;
///
/// let mut frames = TranscodedFrames::strict(Label::Utf16);
/// let mut buffer = BytesMut::from(&b"\xFF\xFEh\0i\0!"[..]);
/// assert_eq!(frames.decode(&mut buffer)?.as_deref(), Some("hi"));
/// buffer.extend_from_slice(b"\0");
/// assert_eq!(frames.decode_eof(&mut buffer)?.as_deref(), Some("!"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TranscodedFrames<'p> {
    transcoder: AnyTranscoder<'p>,
    error: Option<Reason>,
    replaced: u64,
    /// Whether the text has ended, and no other has begun.
    ended: bool,
}

impl<'p> TranscodedFrames<'p> {
    /// Converts from encoding `from`. An ill-formed sequence is an error.
    pub fn strict(from: impl Into<Label>) -> Self {
        Self::new(AnyTranscoder::strict(from, Scheme::Utf8))
    }

    /// Converts from encoding `from`, and replaces ill-formed sequences as `policy` says.
    pub fn lossy(from: impl Into<Label>, policy: impl Into<Policy<'p>>) -> Self {
        Self::new(AnyTranscoder::lossy(from, Scheme::Utf8, policy))
    }

    #[inline]
    fn new(transcoder: AnyTranscoder<'p>) -> Self {
        TranscodedFrames { transcoder, error: None, replaced: 0, ended: false }
    }

    /// The same, with another treatment of a byte order mark: see [`AnyTranscoder::with_bom`].
    #[must_use]
    #[inline]
    pub fn with_bom(mut self, bom: Bom) -> Self {
        self.transcoder = self.transcoder.with_bom(bom);
        self
    }

    /// Discards all state but the settings: what is decoded next is the beginning of another text.
    #[inline]
    pub fn restart(&mut self) {
        self.transcoder.restart();
        (self.error, self.replaced, self.ended) = (None, 0, false);
    }

    /// The encoding of the text: see [`AnyTranscoder::source`].
    #[must_use]
    #[inline]
    pub fn source(&self) -> Option<Scheme> {
        self.transcoder.source()
    }

    /// How many replacements have been made so far.
    #[must_use]
    #[inline]
    pub const fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Converts a chunk, or the end of the text. Text before an error is returned first, the error by the next call.
    #[inline]
    fn convert(&mut self, src: &[u8], last: bool) -> Result<Option<Utf8Bytes>, Error> {
        if let Some(reason) = self.error {
            return Err(invalid(reason));
        }
        let mut text = Vec::new();
        let done = match last {
            false => self.transcoder.push_to_vec(src, &mut text),
            true => self.transcoder.finish_to_vec(&mut text),
        };
        match done {
            Ok(repaired) => self.replaced += repaired.replaced as u64,
            Err(error) => self.error = Some(error.reason),
        }
        if !text.is_empty() {
            return Ok(Some(Utf8Bytes::try_from(text)?));
        }
        self.error.map_or(Ok(None), |reason| Err(invalid(reason)))
    }
}

impl Decoder for TranscodedFrames<'_> {
    type Item = Utf8Bytes;
    type Error = Error;

    #[inline]
    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Utf8Bytes>, Error> {
        // More after the end of a text is the beginning of another.
        self.ended &= buffer.is_empty();
        let taken = buffer.split();
        self.convert(&taken, false)
    }

    #[inline]
    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Utf8Bytes>, Error> {
        match self.decode(buffer)? {
            None if !self.ended => {
                let text = self.convert(&[], true)?;
                self.ended = self.error.is_none();
                Ok(text)
            }
            text => Ok(text),
        }
    }
}
