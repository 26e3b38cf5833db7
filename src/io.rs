//! Readers and writers: text over `std::io`.
//!
//! Three adaptors around anything that reads or writes bytes. [`TranscodingReader`] reads any encoding and presents it as UTF-8 (or
//! another one); [`TranscodingWriter`] takes text in one encoding and writes it in another; [`Utf8Reader`] converts nothing, and
//! passes on nothing but UTF-8. And a function, [`read_to_string`], for a whole file.
//!
//! They treat errors of the operating system as the buffered types of `std` do: `Interrupted` is returned where `BufReader` returns
//! it, a short read or write does not mean the end, and after an error nothing is lost. An error in the *text* has the kind
//! `InvalidData` and contains an [`IllFormed`], or a [`TranscodeError`] where the target cannot represent a character. It is
//! returned once all text before it has been read or written, and by every call from then on.
//!
//! If a reader claims to have read more than it was given room for, or a writer claims to have written more than it was given, that
//! is an error of the kind `Other`. Nothing is taken from the buffer in that case, because nobody can tell what was read into it.
//!
//! ```
//! use std::io::{BufRead as _, Read as _};
//! use runecast::{IllFormed, Label, TranscodingReader, Utf8Reader};
//!
//! let file = &b"\xFF\xFEo\0n\0e\0\n\0t\0w\0o\0"[..]; // UTF-16, by its byte order mark
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
mod checked_buffer;
mod file;
#[cfg(feature = "dynamic")]
mod reader;
#[cfg(feature = "dynamic")]
mod transcoding_buffers;
mod utf8;
#[cfg(feature = "dynamic")]
mod writer;

use std::io::{Error, ErrorKind};

use crate::convert::{Reason, TranscodeError};
use crate::std_api::from_utf8;
use crate::unicode::IllFormed;

pub use file::{IllFormedFile, read_to_string};
#[cfg(feature = "dynamic")]
pub use reader::TranscodingReader;
pub use utf8::Utf8Reader;
#[cfg(feature = "dynamic")]
pub use writer::TranscodingWriter;

/// The default size of a buffer, in bytes: both buffers of a reader stay in the second-level cache.
const CAPACITY: usize = 32 * 1024;

/// The least capacity: more than the number of units that may wait in a buffer.
const LEAST_CAPACITY: usize = 64;

/// An error in the text, as an error of a reader or writer.
#[cfg(feature = "dynamic")]
#[inline]
pub(crate) fn invalid(reason: Reason) -> Error {
    TranscodeError::strict(0, 0, reason).into()
}

impl From<IllFormed> for Error {
    /// Of the kind `InvalidData`.
    #[inline]
    fn from(error: IllFormed) -> Error {
        Error::new(ErrorKind::InvalidData, error)
    }
}

impl From<TranscodeError> for Error {
    /// Of the kind `InvalidData`, with the [`IllFormed`] in it if the text is that; of the kind `WriteZero` if the output is full.
    fn from(error: TranscodeError) -> Error {
        match error.reason {
            Reason::IllFormed(error) => error.into(),
            Reason::OutputFull => Error::new(ErrorKind::WriteZero, error),
            _ => Error::new(ErrorKind::InvalidData, error),
        }
    }
}

/// The `count` of bytes that an inner reader or writer claims to have read into, or written from, `room` bytes; an error if that is
/// impossible.
#[inline]
fn counted(count: usize, room: usize) -> std::io::Result<usize> {
    if count <= room { Ok(count) } else { Err(impossible(count, room)) }
}

#[cold]
fn impossible(count: usize, room: usize) -> Error {
    Error::other(format!(
        "the inner reader or writer says that it has read or written {count} of {room} bytes"
    ))
}

/// The error if text is wanted, but some bytes of a character have been consumed: nothing is wrong with the text itself.
#[cold]
fn part_of_a_character() -> Error {
    Error::new(
        ErrorKind::InvalidData,
        "part of a character has been consumed, and the rest of it is not text by itself",
    )
}

/// Appends all text of a reader, chunk by chunk, and returns how many bytes there were. If something is not UTF-8, `blame` makes the
/// error; it is given the reader, which stands before that place.
fn append_all<R: std::io::BufRead>(
    reader: &mut R,
    text: &mut String,
    blame: impl FnOnce(&R, IllFormed) -> Error,
) -> std::io::Result<usize> {
    let before = text.len();
    loop {
        let (len, error) = match reader.fill_buf() {
            Ok([]) => return Ok(text.len() - before),
            Ok(bytes) => match from_utf8(bytes) {
                Ok(valid) => {
                    text.push_str(valid);
                    (valid.len(), None)
                }
                Err(error) => {
                    let len = error.valid_up_to();
                    text.push_str(from_utf8(&bytes[..len]).unwrap_or_default());
                    (len, Some(error.ill_formed()))
                }
            },
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        reader.consume(len);
        if let Some(mut error) = error {
            error.at = 0;
            return Err(blame(reader, error));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, ErrorKind, Read, Result, Write};

    use super::*;

    /// Reads `a` into the room, or writes all, and says that it is `too_many` more bytes.
    struct Liar {
        too_many: usize,
    }

    impl Read for Liar {
        fn read(&mut self, to: &mut [u8]) -> Result<usize> {
            to.fill(b'a');
            Ok(to.len().saturating_add(self.too_many))
        }
    }

    impl Write for Liar {
        fn write(&mut self, from: &[u8]) -> Result<usize> {
            Ok(from.len().saturating_add(self.too_many))
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    fn is_refused<T: std::fmt::Debug>(result: Result<T>) {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Other, "{error}");
        assert!(error.to_string().contains("says that it has"), "{error}");
    }

    /// All ways to read, each twice: the second time after an error.
    fn reads_nothing(mut reader: impl std::io::BufRead) {
        for _ in 0..2 {
            is_refused(reader.fill_buf().map(<[u8]>::len));
            is_refused(reader.read(&mut [0; 3]));
            is_refused(reader.read(&mut [0; 100_000]));
            let mut text = String::new();
            is_refused(reader.read_to_string(&mut text));
            assert_eq!(text, "");
        }
    }

    #[test]
    fn a_reader_that_lies_about_its_count_is_an_error() {
        for too_many in [1, 2, 1000, usize::MAX / 2, usize::MAX] {
            reads_nothing(Utf8Reader::new(Liar { too_many }));
            is_refused(Utf8Reader::new(Liar { too_many }).fill_text().map(str::len));
        }
        // What is right is read.
        assert_eq!(Utf8Reader::new(Liar { too_many: 0 }).fill_buf().unwrap().first(), Some(&b'a'));
    }

    #[cfg(feature = "dynamic")]
    #[test]
    fn a_reader_and_a_writer_that_are_converted_cannot_lie_either() {
        use crate::dynamic::Scheme;
        for too_many in [1, 2, 1000, usize::MAX / 2, usize::MAX] {
            for scheme in [Scheme::Utf8, Scheme::Latin1, Scheme::Utf16Le] {
                reads_nothing(TranscodingReader::strict(Liar { too_many }, scheme));
            }
            let mut writer = TranscodingWriter::strict(Liar { too_many }, Scheme::Utf8, Scheme::Utf16Le);
            writer.write_all(b"text").unwrap();
            is_refused(writer.flush());
            is_refused(writer.finish());
        }
    }
}
