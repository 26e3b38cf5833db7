//! Readers and writers: streams between `std::io` and text.
//!
//! Three adaptors around whatever reads or writes bytes. [`TranscodingReader`] has any encoding inside and,
//! for its reader, UTF-8 (or another one); [`TranscodingWriter`] takes text in one encoding and writes it in
//! another; [`Utf8Reader`] converts nothing, and lets nothing pass but UTF-8.
//!
//! They are what `std`'s own buffers are, as far as errors of the operating system go: an `Interrupted` comes
//! through where `BufReader` lets it through, a short read or write is no end of anything, and after an
//! error nothing is lost. What is wrong with the *text* is an error of kind `InvalidData` that holds
//! an [`IllFormed`], or a [`TranscodeError`] where the target has no form for a character. It comes
//! once all text before it has been handed out, and every time from then on.
//!
//! ```
//! use std::io::{BufRead as _, Read as _};
//! use runecast::{IllFormed, Label, TranscodingReader, Utf8Reader};
//!
//! let file = &b"\xFF\xFEo\0n\0e\0\n\0t\0w\0o\0"[..]; // UTF-16, by its mark
//! let lines: Result<Vec<_>, _> = TranscodingReader::strict(file, Label::Utf16).lines().collect();
//! assert_eq!(lines?, ["one", "two"]);
//!
//! let mut text = String::new();
//! let error = Utf8Reader::new(&b"caf\xE9 noir"[..]).read_to_string(&mut text).unwrap_err();
//! let why = error.get_ref().and_then(|why| why.downcast_ref::<IllFormed>());
//! assert_eq!((text.as_str(), why.map(|why| why.at)), ("caf", Some(3)));
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(feature = "tokio")]
mod asynchronous;
mod checked;
#[cfg(feature = "dynamic")]
mod conversion;
#[cfg(feature = "dynamic")]
mod reader;
mod utf8;
#[cfg(feature = "dynamic")]
mod writer;

use std::io::{Error, ErrorKind};

#[cfg(feature = "dynamic")]
use crate::convert::{Reason, TranscodeError};
use crate::unicode::IllFormed;

#[cfg(feature = "dynamic")]
pub use reader::TranscodingReader;
pub use utf8::Utf8Reader;
#[cfg(feature = "dynamic")]
pub use writer::TranscodingWriter;

/// Bytes of a buffer, unless it is said otherwise: both buffers of a reader stay in the second-level cache.
const CAPACITY: usize = 32 * 1024;

/// The least capacity: more than any text that may wait in it.
const LEAST_CAPACITY: usize = 64;

/// What is wrong with the text, as an error of a reader or writer.
#[cfg(feature = "dynamic")]
#[inline]
pub(crate) fn invalid(reason: Reason) -> Error {
    match reason {
        Reason::IllFormed(error) => ill_formed(error),
        reason => Error::new(ErrorKind::InvalidData, TranscodeError { read: 0, written: 0, reason }),
    }
}

#[inline]
pub(crate) fn ill_formed(error: IllFormed) -> Error {
    Error::new(ErrorKind::InvalidData, error)
}

/// Appends all text that a reader has, chunk by chunk: how many bytes there were.
fn append_all(reader: &mut impl std::io::BufRead, text: &mut String) -> std::io::Result<usize> {
    let before = text.len();
    loop {
        match reader.fill_buf() {
            Ok([]) => return Ok(text.len() - before),
            Ok(bytes) => {
                let valid = crate::std_api::from_utf8(bytes).map_err(|error| ill_formed(error.into()))?;
                text.push_str(valid);
                let len = valid.len();
                reader.consume(len);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
