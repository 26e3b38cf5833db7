//! A whole file as a string. An error in its text says where it is: as an editor or a compiler would, with line and column.

use std::fmt;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use crate::index::{self, Position, Unit};
use crate::std_api::{FromUtf8Error, from_utf8, from_utf8_owned};

/// Reads a file of UTF-8 into a string: as [`std::fs::read_to_string`], but if the file is not UTF-8, the error says where, and which rule is
/// broken.
///
/// A byte order mark at the beginning is part of the text, as with std. To read a file piece by piece, use a
/// [`Utf8Reader`](crate::Utf8Reader); for one in another encoding, `TranscodingReader` (feature `dynamic`).
///
/// # Errors
/// If the file cannot be read: the error of the operating system, as [`std::fs::read`] returns it. If it is not UTF-8: an error of the
/// kind `InvalidData` that contains an [`IllFormedFile`]. Its message begins with path, line and column:
///
/// ```
/// # let directory = std::env::temp_dir().join(format!("runecast-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// # let path = directory.join("menu.txt");
/// std::fs::write(&path, b"tea\ncaf\xE9 noir\n")?;
///
/// let error = runecast::read_to_string(&path).unwrap_err(); // std: "stream did not contain valid UTF-8"
/// assert_eq!(
///     error.to_string(),
///     format!(
///         "{}:2:4: ill-formed at byte 7: E9 begins a character of 3 bytes, but 20 follows, which is no continuation byte",
///         path.display()
///     )
/// );
///
/// let file = error.get_ref().and_then(|error| error.downcast_ref::<runecast::IllFormedFile>()).expect("not UTF-8");
/// assert_eq!((file.line(), file.column()), (2, 4));
/// assert_eq!(file.error().as_bytes(), b"tea\ncaf\xE9 noir\n"); // read once, so also from a pipe
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_to_string(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    from_utf8_owned(std::fs::read(path)?).map_err(|error| IllFormedFile::new(path, error).into())
}

/// A file that is not UTF-8: which one, where in it, why, and its bytes.
///
/// [`read_to_string`] returns it in a [`std::io::Error`]. Displayed, it begins with the path, the line and the column, as editors and
/// terminals recognize places in files. `Debug` says the same, and not the bytes: that is what `main` prints if it returns the error.
#[derive(Clone, PartialEq, Eq)]
pub struct IllFormedFile {
    path: PathBuf,
    position: Position,
    error: FromUtf8Error,
}

impl IllFormedFile {
    #[cold]
    fn new(path: &Path, error: FromUtf8Error) -> Self {
        let text = error.as_bytes().get(..error.utf8_error().valid_up_to());
        let text = text.and_then(|text| from_utf8(text).ok()).unwrap_or_default();
        IllFormedFile { path: path.into(), position: index::position(text, text.len(), Unit::Char), error }
    }

    /// The path that was given to [`read_to_string`].
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line of the first ill-formed sequence, counted from 1. Lines end with LF, CR LF or CR, as in [`index`](mod@crate::index).
    #[must_use]
    pub const fn line(&self) -> usize {
        self.position.line + 1
    }

    /// The column of the first ill-formed sequence, in characters, counted from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.position.column + 1
    }

    /// The error, with the bytes of the whole file.
    #[must_use]
    pub const fn error(&self) -> &FromUtf8Error {
        &self.error
    }

    /// The error, to take the bytes from it without a copy, or to repair them.
    #[must_use]
    pub fn into_error(self) -> FromUtf8Error {
        self.error
    }
}

impl fmt::Display for IllFormedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.path.display(), self.line(), self.column(), self.error)
    }
}

impl fmt::Debug for IllFormedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IllFormedFile").field(&format_args!("{self}")).finish()
    }
}

impl std::error::Error for IllFormedFile {}

impl From<IllFormedFile> for Error {
    /// Of the kind `InvalidData`, with the whole error in it.
    fn from(error: IllFormedFile) -> Error {
        Error::new(ErrorKind::InvalidData, error)
    }
}
