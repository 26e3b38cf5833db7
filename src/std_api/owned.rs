//! Vectors that become strings, without a copy; and the error that gives the vector back.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::Utf8Error;
use crate::convert::from_utf8_lossy;
use crate::text;

/// Converts a vector of bytes to a string, whose memory it becomes: as [`String::from_utf8`], but faster. Nothing is copied, and
/// nothing is allocated.
///
/// # Errors
/// Where `bytes` is not UTF-8, and which rule it breaks. The error has the vector, unmodified.
///
/// ```
/// assert_eq!(runecast::from_utf8_owned(b"r\xC5\xABna".to_vec()).as_deref(), Ok("rūna"));
///
/// let error = runecast::from_utf8_owned(b"caf\xE9".to_vec()).unwrap_err();
/// assert_eq!(error.utf8_error().valid_up_to(), 3);
/// assert_eq!(error.into_bytes(), b"caf\xE9");
/// ```
#[inline]
pub fn from_utf8_owned(bytes: Vec<u8>) -> Result<String, FromUtf8Error> {
    text::owned_text(bytes).map_err(|(bytes, error)| FromUtf8Error { bytes, error: Utf8Error(error) })
}

/// Why a vector is not UTF-8, and the vector: as [`alloc::string::FromUtf8Error`], with the rule that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromUtf8Error {
    bytes: Vec<u8>,
    error: Utf8Error,
}

impl FromUtf8Error {
    /// The bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The vector, as it was.
    #[must_use]
    #[inline]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes as a new string, with one U+FFFD for each ill-formed maximal subpart: [`from_utf8_lossy`].
    ///
    /// ```
    /// let text = runecast::from_utf8_owned(b"caf\xE9".to_vec()).unwrap_or_else(|error| error.into_utf8_lossy());
    /// assert_eq!(text, "caf\u{FFFD}");
    /// ```
    #[must_use]
    #[inline]
    pub fn into_utf8_lossy(self) -> String {
        from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Where the first ill-formed sequence is, and which rule it breaks.
    #[must_use]
    #[inline]
    pub const fn utf8_error(&self) -> Utf8Error {
        self.error
    }
}

impl fmt::Display for FromUtf8Error {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for FromUtf8Error {}

impl From<FromUtf8Error> for core::str::Utf8Error {
    #[inline]
    fn from(error: FromUtf8Error) -> core::str::Utf8Error {
        error.error.into()
    }
}

#[cfg(feature = "std")]
impl From<FromUtf8Error> for std::io::Error {
    /// Of the kind `InvalidData`, without the bytes.
    #[inline]
    fn from(error: FromUtf8Error) -> std::io::Error {
        error.error.into()
    }
}

impl From<FromUtf8Error> for Utf8Error {
    #[inline]
    fn from(error: FromUtf8Error) -> Utf8Error {
        error.error
    }
}
