//! Frames and lines of text, for [`tokio_util::codec`] (feature `tokio`).
//!
//! Three decoders for [`Framed`](tokio_util::codec::Framed) and its like. [`Utf8Frames`] hands on text as it comes, in
//! pieces of any length; [`Utf8Lines`] line by line; [`TranscodedFrames`] from any encoding. What comes out of the
//! first two lies where it was received: nothing is copied. What cannot be handed on yet, since a character
//! or a line is not complete, stays in the buffer. (A transcoder keeps it itself.)
//!
//! The first two are encoders as well: they write text as it is, or with a line feed behind it.
//!
//! What is wrong with the text is an [`Error`] of kind `InvalidData` that holds an [`IllFormed`](crate::IllFormed)
//! with its offset in the whole text, as with this crate's readers. It comes once all text before it has
//! been handed out, and every time from then on; in the first two the buffer begins with what is wrong. `Framed`
//! ends the stream then.
//!
//! ```
//! use bytes::BytesMut;
//! use runecast::codec::Utf8Lines;
//! use tokio_util::codec::Decoder as _;
//!
//! let mut lines = Utf8Lines::new();
//! let mut buffer = BytesMut::from(&b"one\r\ntw\xC3"[..]); // as it comes from a socket
//! assert_eq!(lines.decode(&mut buffer)?.as_deref(), Some("one"));
//! assert_eq!(lines.decode(&mut buffer)?, None);
//! buffer.extend_from_slice(b"\xB6\n");
//! assert_eq!(lines.decode(&mut buffer)?.as_deref(), Some("twö"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod frames;
mod lines;
#[cfg(feature = "dynamic")]
mod transcoded;

use std::io::Error;

use bytes::BytesMut;

use crate::io::ill_formed;
use crate::kernel::Engine;
use crate::unicode::Utf8;
use crate::utf8_bytes::Utf8Bytes;
use crate::validate::validate_on;

pub use frames::Utf8Frames;
pub use lines::{LineTooLong, Utf8Lines};
#[cfg(feature = "dynamic")]
pub use transcoded::TranscodedFrames;

/// Takes the first `count` bytes of `buffer`, which are at `offset` in the whole text, as text; if they are
/// none, nothing is taken.
#[inline]
fn take(buffer: &mut BytesMut, count: usize, offset: u64) -> Result<Utf8Bytes, Error> {
    match validate_on::<Utf8>(Engine::current(), &buffer[..count]) {
        Ok(()) => Ok(Utf8Bytes::try_from(buffer.split_to(count).freeze())?),
        Err(error) => Err(ill_formed(error.behind(offset))),
    }
}
