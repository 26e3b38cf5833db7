//! Conversions to and from [`Utf8Bytes`].
//!
//! Strings are taken without a check; bytes are checked, and returned with the error if they are not text. Only borrowed text
//! is copied.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use bytes::{Bytes, BytesMut};

use super::Utf8Bytes;
use crate::convert::{Policy, repair};
use crate::text::shared::SharedText;
use crate::unicode::{IllFormed, Utf8};

/// Bytes that are not UTF-8, and why: as the error of [`String::from_utf8`] for a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUtf8 {
    bytes: Bytes,
    error: IllFormed,
}

impl NotUtf8 {
    /// The first ill-formed sequence.
    #[must_use]
    #[inline]
    pub const fn ill_formed(&self) -> IllFormed {
        self.error
    }

    /// The bytes, unmodified.
    #[must_use]
    #[inline]
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The bytes as text, with ill-formed sequences replaced as `policy` says.
    ///
    /// ```
    /// use runecast::{Replacement, Utf8Bytes};
    ///
    /// let text = Utf8Bytes::try_from(b"caf\xE9".to_vec())
    ///     .unwrap_or_else(|error| error.into_repaired(Replacement::Whatwg));
    /// assert_eq!(text, "caf\u{FFFD}");
    /// ```
    #[must_use]
    pub fn into_repaired<'p>(self, policy: impl Into<Policy<'p>>) -> Utf8Bytes {
        repair::<Utf8>(&self.bytes, policy).into_owned().into()
    }
}

impl fmt::Display for NotUtf8 {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl core::error::Error for NotUtf8 {}

impl From<NotUtf8> for IllFormed {
    #[inline]
    fn from(error: NotUtf8) -> IllFormed {
        error.error
    }
}

#[cfg(feature = "std")]
impl From<NotUtf8> for std::io::Error {
    #[inline]
    fn from(error: NotUtf8) -> std::io::Error {
        error.error.into()
    }
}

impl TryFrom<Bytes> for Utf8Bytes {
    type Error = NotUtf8;

    #[inline]
    fn try_from(bytes: Bytes) -> Result<Self, NotUtf8> {
        SharedText::checked(bytes).map(Utf8Bytes).map_err(|(bytes, error)| NotUtf8 { bytes, error })
    }
}

impl TryFrom<BytesMut> for Utf8Bytes {
    type Error = NotUtf8;

    #[inline]
    fn try_from(bytes: BytesMut) -> Result<Self, NotUtf8> {
        bytes.freeze().try_into()
    }
}

impl TryFrom<Vec<u8>> for Utf8Bytes {
    type Error = NotUtf8;

    #[inline]
    fn try_from(bytes: Vec<u8>) -> Result<Self, NotUtf8> {
        Bytes::from(bytes).try_into()
    }
}

impl From<String> for Utf8Bytes {
    #[inline]
    fn from(text: String) -> Self {
        Utf8Bytes(SharedText::of_string(text))
    }
}

impl From<Box<str>> for Utf8Bytes {
    #[inline]
    fn from(text: Box<str>) -> Self {
        text.into_string().into()
    }
}

impl From<&'static str> for Utf8Bytes {
    #[inline]
    fn from(text: &'static str) -> Self {
        Utf8Bytes::from_static(text)
    }
}

impl From<Cow<'static, str>> for Utf8Bytes {
    #[inline]
    fn from(text: Cow<'static, str>) -> Self {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl FromStr for Utf8Bytes {
    type Err = core::convert::Infallible;

    /// Copies the text.
    #[inline]
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(String::from(text).into())
    }
}

impl From<Utf8Bytes> for Bytes {
    #[inline]
    fn from(text: Utf8Bytes) -> Bytes {
        text.into_bytes()
    }
}

impl From<Utf8Bytes> for String {
    /// Without a copy if the bytes are not shared and are a whole vector.
    #[inline]
    fn from(text: Utf8Bytes) -> String {
        let bytes = Vec::from(text.into_bytes());
        crate::convert::from_utf8_lossy_owned(bytes)
    }
}
