//! Shared bytes that are known to be text.
//!
//! They are validated once, where they come in. From then on they cannot change, because [`Bytes`] gives nobody write access, and
//! every cut is at a character boundary; so all parts are text, too, and need no further check.

use alloc::string::String;
use core::ops::Range;

use bytes::{Bytes, BytesMut};

use super::check;
use crate::unicode::IllFormed;

/// Bytes that are well-formed UTF-8.
#[derive(Clone, Default)]
pub(crate) struct SharedText(Bytes);

impl SharedText {
    /// Static text.
    #[inline]
    pub(crate) const fn of_static(text: &'static str) -> SharedText {
        SharedText(Bytes::from_static(text.as_bytes()))
    }

    /// The text of a string.
    #[inline]
    pub(crate) fn of_string(text: String) -> SharedText {
        SharedText(Bytes::from(text))
    }

    /// `bytes`, if they are well-formed; they are not copied.
    #[inline]
    pub(crate) fn checked(bytes: Bytes) -> Result<SharedText, (Bytes, IllFormed)> {
        match check(&bytes) {
            Ok(()) => Ok(SharedText(bytes)),
            Err(error) => Err((bytes, error)),
        }
    }

    /// Removes and returns the first `count` bytes of `buffer`, if they are well-formed; otherwise it is left unmodified.
    #[cfg(feature = "tokio")]
    #[inline]
    pub(crate) fn taken(buffer: &mut BytesMut, count: usize) -> Result<SharedText, IllFormed> {
        check(&buffer[..count])?;
        Ok(SharedText(buffer.split_to(count).freeze()))
    }

    /// The same for all of `buffer`, except for an incomplete character at the end.
    #[inline]
    pub(crate) fn taken_complete(buffer: &mut BytesMut) -> Result<SharedText, IllFormed> {
        let count = match check(buffer) {
            Ok(()) => buffer.len(),
            Err(error) if error.is_incomplete() => error.at,
            Err(error) => return Err(error),
        };
        // Everything before the first error is well-formed.
        Ok(SharedText(buffer.split_to(count).freeze()))
    }

    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: `check` found these bytes to be well-formed UTF-8, or they were those of a string; `split_to`, `split_off`,
        // `truncate` and `slice` cut them at character boundaries only.
        unsafe { core::str::from_utf8_unchecked(&self.0) }
    }

    #[inline]
    pub(crate) const fn bytes(&self) -> &Bytes {
        &self.0
    }

    #[inline]
    pub(crate) fn into_bytes(self) -> Bytes {
        self.0
    }

    /// A part of the text, if the range begins and ends at character boundaries.
    #[inline]
    pub(crate) fn slice(&self, range: Range<usize>) -> Option<SharedText> {
        self.as_str().get(range.clone())?;
        Some(SharedText(self.0.slice(range)))
    }

    /// Splits off and returns the text before `at`, if that is a character boundary.
    #[inline]
    pub(crate) fn split_to(&mut self, at: usize) -> Option<SharedText> {
        self.as_str().is_char_boundary(at).then(|| SharedText(self.0.split_to(at)))
    }

    /// Removes the text after `at`, if that is a character boundary.
    #[cfg(feature = "tokio")]
    #[inline]
    pub(crate) fn truncate(&mut self, at: usize) {
        if self.as_str().is_char_boundary(at) {
            self.0.truncate(at);
        }
    }

    /// Splits off and returns the text after `at`, if that is a character boundary.
    #[inline]
    pub(crate) fn split_off(&mut self, at: usize) -> Option<SharedText> {
        self.as_str().is_char_boundary(at).then(|| SharedText(self.0.split_off(at)))
    }
}
