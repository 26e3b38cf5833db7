//! Text as it arrives.

use std::io::Error;

use bytes::BytesMut;
use tokio_util::codec::{Decoder, Encoder};

use super::take;
use crate::utf8_bytes::Utf8Bytes;

/// Decodes UTF-8 as it arrives, in pieces of whole characters.
///
/// A frame is never empty. Where it ends has no meaning; finding the ends of messages is the task of another layer. The text is not
/// copied: a frame shares the memory of the buffer. (The first one split off a buffer that was not shared allocates what counts its
/// owners, a few words.)
///
/// ```
/// use bytes::BytesMut;
/// use runecast::codec::Utf8Frames;
/// use tokio_util::codec::Decoder as _;
///
/// let mut frames = Utf8Frames::new();
/// let mut buffer = BytesMut::from(&b"r\xC5"[..]);
/// assert_eq!(frames.decode(&mut buffer)?.as_deref(), Some("r"));
/// buffer.extend_from_slice(b"\xABna");
/// assert_eq!(frames.decode(&mut buffer)?.as_deref(), Some("ūna"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Utf8Frames {
    /// Bytes that were decoded.
    offset: u64,
}

impl Utf8Frames {
    /// At the beginning of a text.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Utf8Frames { offset: 0 }
    }

    /// How many bytes of text were decoded so far.
    #[must_use]
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Discards all state: what is decoded next is the beginning of another text.
    #[inline]
    pub const fn restart(&mut self) {
        self.offset = 0;
    }

    #[inline]
    fn frame(&mut self, text: Utf8Bytes) -> Option<Utf8Bytes> {
        self.offset = self.offset.saturating_add(text.len() as u64);
        (!text.is_empty()).then_some(text)
    }
}

impl Decoder for Utf8Frames {
    type Item = Utf8Bytes;
    type Error = Error;

    #[inline]
    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Utf8Bytes>, Error> {
        match Utf8Bytes::take_complete(buffer) {
            Ok(text) => Ok(self.frame(text)),
            Err(error) if error.at == 0 => Err(error.behind(self.offset).into()),
            Err(error) => {
                let text = take(buffer, error.at, self.offset)?;
                Ok(self.frame(text))
            }
        }
    }

    #[inline]
    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Utf8Bytes>, Error> {
        match self.decode(buffer)? {
            // What is left is an incomplete character: the error says which.
            None if !buffer.is_empty() => take(buffer, buffer.len(), self.offset).map(Some),
            text => Ok(text),
        }
    }
}

impl<T: AsRef<str>> Encoder<T> for Utf8Frames {
    type Error = Error;

    fn encode(&mut self, text: T, buffer: &mut BytesMut) -> Result<(), Error> {
        buffer.extend_from_slice(text.as_ref().as_bytes());
        Ok(())
    }
}
