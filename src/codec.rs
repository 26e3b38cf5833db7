//! Frames and lines of text, for [`tokio_util::codec`] (feature `tokio`).
//!
//! There are three decoders for [`Framed`](tokio_util::codec::Framed) and similar types. [`Utf8Frames`] passes text on as it arrives, in
//! pieces of any length. [`Utf8Lines`] passes it on line by line. `TranscodedFrames` (with feature `dynamic`) is for any encoding. The
//! first two do not copy the text: it stays where it was received. Text that cannot be passed on yet, because a character or a line is
//! incomplete, stays in the buffer. (`TranscodedFrames` keeps it itself.)
//!
//! A decoder is for one text in one buffer. If other code takes something from the buffer or puts something else there, call
//! `restart` afterwards: the next call then begins another text.
//!
//! The first two are encoders as well: they write text unchanged, or followed by a line feed.
//!
//! An error in the text is an [`Error`] of kind `InvalidData` that contains an [`IllFormed`](crate::IllFormed) with its offset
//! in the whole text, as with this crate's readers. It is returned after all text before it has been decoded, and by every later
//! call. The buffer then begins with the ill-formed sequence (`Utf8Frames`), or with the line that contains it, of which nothing is
//! decoded (`Utf8Lines`). `Framed` then ends the stream.
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

use crate::utf8_bytes::Utf8Bytes;

pub use frames::Utf8Frames;
pub use lines::{LineTooLong, Utf8Lines};
#[cfg(feature = "dynamic")]
pub use transcoded::TranscodedFrames;

/// Takes the first `count` bytes of `buffer`, which are at `offset` in the whole text, as text. If they are ill-formed, the
/// buffer is left unmodified.
#[inline]
fn take(buffer: &mut BytesMut, count: usize, offset: u64) -> Result<Utf8Bytes, Error> {
    Utf8Bytes::take(buffer, count).map_err(|error| error.behind(offset).into())
}
