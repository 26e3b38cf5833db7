//! Strings in WTF-8, for text from systems whose strings are UTF-16 that is not validated: Windows, JavaScript and the JVM.
//!
//! [`Wtf8`] is borrowed and [`Wtf8Buf`] is owned, like `OsStr` and `OsString`, or `str` and `String`. They can hold every JavaScript
//! string and every file name on Windows without loss, and any `str` becomes a `Wtf8` at no cost. They stay well-formed: slices
//! begin and end between code points, and when two strings are concatenated, a high surrogate at the end of the first and a
//! low one at the beginning of the second become one character.
//!
//! An owned string of which all parts were UTF-8, as nearly all are, is kept as a `String`. So it costs nothing to take the text out,
//! and no `unsafe` code is needed here.
//!
//! On Windows a `Wtf8Buf` is made of the units that `OsStrExt::encode_wide` of std gives ([`Wtf8Buf::from_wide`]), and an `OsString` of
//! those of [`Wtf8::to_wide`] (`OsStringExt::from_wide`).
//!
//! The encoding of the same name, for `transcode` and `validate`, is another type: [`runecast::Wtf8`](crate::Wtf8).
//!
//! No function here panics.
//!
//! ```
//! use runecast::wtf8::Wtf8;
//!
//! let name = Wtf8::from_bytes(b"r\xED\xA0\xBE")?; // it ends with a high surrogate
//! assert!(name.to_str().is_err());
//! assert_eq!(name.to_string(), "r\u{FFFD}");
//! assert!(name.encode_wide().eq([0x72, 0xD83E]));
//! # Ok::<(), runecast::IllFormed>(())
//! ```

#[cfg(feature = "alloc")]
mod owned;

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::ops::{Bound, RangeBounds};

use crate::kernel::Engine;
use crate::text;
use crate::unicode::codec::Codec as _;
use crate::unicode::{self, IllFormed};
#[cfg(feature = "alloc")]
use crate::unicode::{is_high, is_low};
use crate::validate::validate_on;

pub use crate::text::Wtf8;
#[cfg(feature = "alloc")]
pub use owned::Wtf8Buf;

impl Wtf8 {
    /// A string as WTF-8: every string is.
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "it cannot fail, and borrows")]
    #[inline]
    pub fn from_str(text: &str) -> &Wtf8 {
        text::wtf8(text.as_bytes())
    }

    /// Bytes as WTF-8.
    ///
    /// # Errors
    /// Where they are ill-formed, and which rule they break.
    #[inline]
    pub fn from_bytes(bytes: &[u8]) -> Result<&Wtf8, IllFormed> {
        validate_on::<unicode::Wtf8>(Engine::current(), bytes)?;
        Ok(text::wtf8(bytes))
    }

    /// The bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of bytes.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it is empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The string as text, if it has no surrogates.
    ///
    /// # Errors
    /// The first surrogate, as an error in UTF-8.
    #[inline]
    pub fn to_str(&self) -> Result<&str, IllFormed> {
        text::text(&self.bytes)
    }

    /// The string as text, with U+FFFD for each surrogate. It is borrowed if there are none.
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        crate::convert::repair::<unicode::Wtf8>(&self.bytes, crate::Replacement::Whatwg)
    }

    /// The string in UTF-16, which may be ill-formed: the units that it was made of.
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn to_wide(&self) -> Vec<u16> {
        let mut units = Vec::new();
        let outcome =
            crate::convert::transcode_append::<unicode::Wtf8, unicode::Wtf16>(&self.bytes, &mut units);
        debug_assert!(outcome.is_ok(), "WTF-16 can represent all of WTF-8");
        units
    }

    /// The units of UTF-16, one by one. ([`to_wide`](Self::to_wide) is much faster.)
    #[inline]
    pub fn encode_wide(&self) -> EncodeWide<'_> {
        EncodeWide { points: self.code_points(), low: None }
    }

    /// The code points: scalar values, and surrogates U+D800..U+DFFF.
    ///
    /// ```
    /// let text = runecast::wtf8::Wtf8::from_bytes(b"a\xED\xB0\x80")?;
    /// assert!(text.code_points().eq([0x61, 0xDC00]));
    /// # Ok::<(), runecast::IllFormed>(())
    /// ```
    #[inline]
    pub fn code_points(&self) -> CodePoints<'_> {
        CodePoints { rest: &self.bytes }
    }

    /// Whether a code point begins at `at`, or `at` is the end.
    #[must_use]
    #[inline]
    pub fn is_boundary(&self, at: usize) -> bool {
        at == self.len() || self.bytes.get(at).is_some_and(|byte| byte & 0xC0 != 0x80)
    }

    /// A part of the string; `None` if it does not begin and end between code points and within the string.
    ///
    /// ```
    /// use runecast::wtf8::Wtf8;
    ///
    /// let text = Wtf8::from_str("rūna");
    /// assert_eq!(text.get(1..3), Some(Wtf8::from_str("ū")));
    /// assert_eq!(text.get(2..), None);
    /// ```
    #[must_use]
    pub fn get(&self, range: impl RangeBounds<usize>) -> Option<&Wtf8> {
        let from = match range.start_bound() {
            Bound::Included(from) => *from,
            Bound::Excluded(before) => before.checked_add(1)?,
            Bound::Unbounded => 0,
        };
        let to = match range.end_bound() {
            Bound::Included(last) => last.checked_add(1)?,
            Bound::Excluded(to) => *to,
            Bound::Unbounded => self.len(),
        };
        let whole = self.is_boundary(from) && self.is_boundary(to);
        self.bytes.get(from..to).filter(|_| whole).map(text::wtf8)
    }

    /// The high surrogate at the end.
    #[cfg(feature = "alloc")]
    #[inline]
    fn final_high(&self) -> Option<u32> {
        let (_, last) = self.bytes.split_last_chunk::<3>()?;
        unicode::Wtf8::decode(last).ok().map(|(point, _)| point).filter(|point| is_high(*point))
    }

    /// The low surrogate at the beginning.
    #[cfg(feature = "alloc")]
    #[inline]
    fn initial_low(&self) -> Option<u32> {
        self.code_points().next().filter(|point| is_low(*point))
    }
}

/// With U+FFFD for each surrogate.
impl fmt::Display for Wtf8 {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = &self.bytes;
        loop {
            let (text, error) = text::text_until_error(Engine::current(), rest);
            match error {
                None if text.len() == self.len() => return f.pad(text),
                None => return f.write_str(text),
                // The only ill-formed sequences are surrogates, of three bytes.
                Some(error) => {
                    f.write_str(text)?;
                    f.write_char(char::REPLACEMENT_CHARACTER)?;
                    rest = rest.get(error.at + 3..).unwrap_or_default();
                }
            }
        }
    }
}

/// As for `str`, with surrogates as `\u{d800}`.
impl fmt::Debug for Wtf8 {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for point in self.code_points() {
            match char::from_u32(point) {
                Some('\'') => f.write_char('\'')?,
                Some(character) => write!(f, "{}", character.escape_debug())?,
                None => write!(f, "\\u{{{point:x}}}")?,
            }
        }
        f.write_char('"')
    }
}

impl<'a> From<&'a str> for &'a Wtf8 {
    #[inline]
    fn from(text: &'a str) -> Self {
        Wtf8::from_str(text)
    }
}

impl AsRef<Wtf8> for Wtf8 {
    #[inline]
    fn as_ref(&self) -> &Wtf8 {
        self
    }
}

impl AsRef<Wtf8> for str {
    #[inline]
    fn as_ref(&self) -> &Wtf8 {
        Wtf8::from_str(self)
    }
}

impl PartialEq<Wtf8> for str {
    #[inline]
    fn eq(&self, other: &Wtf8) -> bool {
        other == self
    }
}

impl PartialEq<str> for Wtf8 {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        self.bytes == *other.as_bytes()
    }
}

/// The iterator that [`Wtf8::code_points`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing unless consumed"]
pub struct CodePoints<'a> {
    rest: &'a [u8],
}

impl Iterator for CodePoints<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.rest.is_empty() {
            return None;
        }
        let (point, len) = unicode::Wtf8::decode(self.rest).ok()?;
        self.rest = &self.rest[len..];
        Some(point)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest.len().div_ceil(4), Some(self.rest.len()))
    }
}

impl core::iter::FusedIterator for CodePoints<'_> {}

/// The iterator that [`Wtf8::encode_wide`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing unless consumed"]
pub struct EncodeWide<'a> {
    points: CodePoints<'a>,
    low: Option<u16>,
}

impl Iterator for EncodeWide<'_> {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        if let Some(low) = self.low.take() {
            return Some(low);
        }
        let units = unicode::Wtf16::encode(self.points.next()?)?;
        let [first, second] = units.array();
        self.low = (units.len() > 1).then_some(second);
        Some(first)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let pending = usize::from(self.low.is_some());
        // Three bytes are at least one unit, and four are two.
        let (bytes, longest) = (self.points.rest.len(), self.points.rest.len());
        (bytes.div_ceil(3) + pending, Some(longest + pending))
    }
}

impl core::iter::FusedIterator for EncodeWide<'_> {}
