//! Shared bytes that have been found to be text.
//!
//! The check is made once, where the bytes come in. From then on they cannot change, for [`Bytes`] gives
//! nobody a way to write to them, and every cut is at a character boundary; so all parts are text, too,
//! and nobody looks at them again.

use alloc::string::String;
use core::ops::Range;

use bytes::Bytes;

use super::check;
use crate::unicode::IllFormed;

/// Bytes that are well-formed UTF-8.
#[derive(Clone, Default)]
pub(crate) struct SharedText(Bytes);

impl SharedText {
    /// Text that is there as long as the program.
    #[inline]
    pub(crate) const fn of_static(text: &'static str) -> SharedText {
        SharedText(Bytes::from_static(text.as_bytes()))
    }

    /// Text that somebody has owned.
    #[inline]
    pub(crate) fn of_string(text: String) -> SharedText {
        SharedText(Bytes::from(text))
    }

    /// `bytes`, if they are text; they are not copied.
    #[inline]
    pub(crate) fn checked(bytes: Bytes) -> Result<SharedText, (Bytes, IllFormed)> {
        match check(&bytes) {
            Ok(()) => Ok(SharedText(bytes)),
            Err(error) => Err((bytes, error)),
        }
    }

    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: `checked` has found these bytes to be well-formed UTF-8, or they were those of a string;
        // `split_to`, `split_off` and `slice` have cut them at character boundaries only.
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

    /// A part of the text, if it begins and ends with characters.
    #[inline]
    pub(crate) fn slice(&self, range: Range<usize>) -> Option<SharedText> {
        self.as_str().get(range.clone())?;
        Some(SharedText(self.0.slice(range)))
    }

    /// Takes away what is before `at`, if a character begins there or the text ends.
    #[inline]
    pub(crate) fn split_to(&mut self, at: usize) -> Option<SharedText> {
        self.as_str().is_char_boundary(at).then(|| SharedText(self.0.split_to(at)))
    }

    /// Takes away what is behind `at`, if a character begins there or the text ends.
    #[inline]
    pub(crate) fn split_off(&mut self, at: usize) -> Option<SharedText> {
        self.as_str().is_char_boundary(at).then(|| SharedText(self.0.split_off(at)))
    }
}
