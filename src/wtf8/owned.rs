//! The owned string.
//!
//! It is a `String` as long as only text has been appended, and bytes afterwards.

use alloc::borrow::{Borrow, Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use super::Wtf8;
use crate::text;
use crate::unicode::codec::Codec as _;
use crate::unicode::{self, IllFormed, joined};

/// An owned string of WTF-8.
///
/// ```
/// use runecast::wtf8::Wtf8Buf;
///
/// // Half of a surrogate pair, as a careless `substring` leaves it.
/// let mut name = Wtf8Buf::from_wide(&[0x72, 0xD83E]);
/// assert!(name.to_str().is_err());
/// assert_eq!(name.to_string_lossy(), "r\u{FFFD}");
///
/// name.push_wtf8(&Wtf8Buf::from_wide(&[0xDEA8]));
/// assert_eq!(name.into_string().as_deref(), Ok("r🪨"));
/// ```
#[derive(Clone)]
pub struct Wtf8Buf(Content);

#[derive(Clone)]
enum Content {
    /// Known to be UTF-8.
    Text(String),
    /// WTF-8, and perhaps UTF-8.
    Bytes(Vec<u8>),
}

use Content::{Bytes, Text};

impl Wtf8Buf {
    /// An empty string.
    #[must_use]
    #[inline]
    pub const fn new() -> Wtf8Buf {
        Wtf8Buf(Text(String::new()))
    }

    /// An empty string with capacity for so many bytes.
    #[must_use]
    #[inline]
    pub fn with_capacity(bytes: usize) -> Wtf8Buf {
        Wtf8Buf(Text(String::with_capacity(bytes)))
    }

    /// The string for any units of UTF-16, as Windows and JavaScript have them.
    #[must_use]
    #[inline]
    pub fn from_wide(units: &[u16]) -> Wtf8Buf {
        if let Ok(text) = crate::convert::transcode_to_string::<unicode::Utf16>(units) {
            return Wtf8Buf(Text(text));
        }
        let mut bytes = Vec::new();
        let outcome = crate::convert::transcode_append::<unicode::Wtf16, unicode::Wtf8>(units, &mut bytes);
        debug_assert!(outcome.is_ok(), "WTF-8 can represent all of WTF-16");
        Wtf8Buf(Bytes(bytes))
    }

    /// Bytes as WTF-8.
    ///
    /// # Errors
    /// Where they are ill-formed, and which rule they break.
    #[inline]
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Wtf8Buf, IllFormed> {
        match text::owned_text(bytes) {
            Ok(text) => Ok(Wtf8Buf(Text(text))),
            Err((bytes, _)) => {
                Wtf8::from_bytes(&bytes)?;
                Ok(Wtf8Buf(Bytes(bytes)))
            }
        }
    }

    /// Whether it is known to be UTF-8, without reading it.
    #[must_use]
    #[inline]
    pub const fn is_known_utf8(&self) -> bool {
        matches!(self.0, Text(_))
    }

    /// The string, borrowed.
    #[must_use]
    #[inline]
    pub fn as_wtf8(&self) -> &Wtf8 {
        match &self.0 {
            Text(text) => Wtf8::from_str(text),
            Bytes(bytes) => text::wtf8(bytes),
        }
    }

    /// The bytes.
    #[must_use]
    #[inline]
    pub fn into_bytes(self) -> Vec<u8> {
        match self.0 {
            Text(text) => text.into_bytes(),
            Bytes(bytes) => bytes,
        }
    }

    /// The string as text, without a copy.
    ///
    /// # Errors
    /// The unmodified string, if it has surrogates.
    #[inline]
    pub fn into_string(self) -> Result<String, Wtf8Buf> {
        match self.0 {
            Text(text) => Ok(text),
            Bytes(bytes) => text::owned_text(bytes).map_err(|(bytes, _)| Wtf8Buf(Bytes(bytes))),
        }
    }

    /// The string as text, with U+FFFD for each surrogate; without a copy if there are none.
    #[must_use]
    #[inline]
    pub fn into_string_lossy(self) -> String {
        self.into_string().unwrap_or_else(|wobbly| wobbly.to_string_lossy().into_owned())
    }

    /// Appends a character.
    #[inline]
    pub fn push(&mut self, character: char) {
        self.push_str(character.encode_utf8(&mut [0; 4]));
    }

    /// Appends text.
    #[inline]
    pub fn push_str(&mut self, text: &str) {
        match &mut self.0 {
            Text(before) => before.push_str(text),
            Bytes(before) => before.extend_from_slice(text.as_bytes()),
        }
    }

    /// Appends one unit of UTF-16. A low surrogate and a high surrogate at the end of the string become one character.
    #[inline]
    pub fn push_wide(&mut self, unit: u16) {
        match char::from_u32(unit.into()) {
            Some(character) => self.push(character),
            None => {
                if let Some(bytes) = unicode::Wtf8::encode(unit.into()) {
                    self.push_wtf8(text::wtf8(&bytes.array::<3>()));
                }
            }
        }
    }

    /// Appends another string. A high surrogate at the end and a low one at the beginning of the other become one character, as
    /// the WTF-8 specification says for concatenation.
    #[inline]
    pub fn push_wtf8(&mut self, other: &Wtf8) {
        let mut rest = other.as_bytes();
        let pair = self.final_high().zip(other.initial_low());
        if pair.is_none()
            && let (Text(before), Ok(text)) = (&mut self.0, other.to_str())
        {
            return before.push_str(text);
        }
        let mut bytes = core::mem::take(self).into_bytes();
        if let Some((high, low)) = pair
            && let Some(character) = unicode::Wtf8::encode(joined(high, low))
        {
            bytes.truncate(bytes.len() - 3);
            bytes.extend_from_slice(&character.array::<4>());
            rest = &rest[3..];
        }
        bytes.extend_from_slice(rest);
        self.0 = Bytes(bytes);
    }

    /// Removes everything. What was allocated stays so, for what comes next.
    #[inline]
    pub fn clear(&mut self) {
        let mut bytes = core::mem::take(self).into_bytes();
        bytes.clear();
        self.0 = Text(text::owned_text(bytes).unwrap_or_default());
    }

    /// Removes everything after the first `len` bytes, if a code point ends there; returns whether one does.
    #[inline]
    pub fn truncate(&mut self, len: usize) -> bool {
        let whole = self.is_boundary(len);
        if whole {
            match &mut self.0 {
                Text(text) => text.truncate(len),
                Bytes(bytes) => bytes.truncate(len),
            }
        }
        whole
    }
}

impl Default for Wtf8Buf {
    #[inline]
    fn default() -> Self {
        Wtf8Buf::new()
    }
}

impl Deref for Wtf8Buf {
    type Target = Wtf8;

    #[inline]
    fn deref(&self) -> &Wtf8 {
        self.as_wtf8()
    }
}

impl Borrow<Wtf8> for Wtf8Buf {
    #[inline]
    fn borrow(&self) -> &Wtf8 {
        self
    }
}

impl AsRef<Wtf8> for Wtf8Buf {
    #[inline]
    fn as_ref(&self) -> &Wtf8 {
        self
    }
}

impl ToOwned for Wtf8 {
    type Owned = Wtf8Buf;

    #[inline]
    fn to_owned(&self) -> Wtf8Buf {
        match self.to_str() {
            Ok(text) => Wtf8Buf(Text(text.to_owned())),
            Err(_) => Wtf8Buf(Bytes(self.as_bytes().to_vec())),
        }
    }
}

impl From<String> for Wtf8Buf {
    #[inline]
    fn from(text: String) -> Self {
        Wtf8Buf(Text(text))
    }
}

impl From<&str> for Wtf8Buf {
    #[inline]
    fn from(text: &str) -> Self {
        Wtf8Buf(Text(text.to_owned()))
    }
}

impl From<Wtf8Buf> for Cow<'_, Wtf8> {
    #[inline]
    fn from(text: Wtf8Buf) -> Self {
        Cow::Owned(text)
    }
}

impl<'a> From<&'a Wtf8> for Cow<'a, Wtf8> {
    #[inline]
    fn from(text: &'a Wtf8) -> Self {
        Cow::Borrowed(text)
    }
}

impl PartialEq for Wtf8Buf {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Wtf8Buf {}

impl PartialEq<Wtf8> for Wtf8Buf {
    #[inline]
    fn eq(&self, other: &Wtf8) -> bool {
        **self == *other
    }
}

impl PartialEq<str> for Wtf8Buf {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Wtf8Buf {
    #[inline]
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl PartialOrd for Wtf8Buf {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wtf8Buf {
    #[inline]
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl core::hash::Hash for Wtf8Buf {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Wtf8Buf {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Wtf8Buf {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

/// Appends text, and never fails.
///
/// ```
/// use std::fmt::Write as _;
/// use runecast::wtf8::Wtf8Buf;
///
/// let mut name = Wtf8Buf::from_wide(&[0xD83E]);
/// write!(name, "-{}", 7)?;
/// assert_eq!(name.to_string(), "\u{FFFD}-7");
/// # Ok::<(), std::fmt::Error>(())
/// ```
impl fmt::Write for Wtf8Buf {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }

    #[inline]
    fn write_char(&mut self, character: char) -> fmt::Result {
        self.push(character);
        Ok(())
    }
}

/// Appends code points. A high surrogate and a low one become one character; values above U+10FFFF become U+FFFD.
impl Extend<u32> for Wtf8Buf {
    fn extend<T: IntoIterator<Item = u32>>(&mut self, points: T) {
        for point in points {
            match char::from_u32(point) {
                Some(character) => self.push(character),
                None if point < 0x1_0000 => self.push_wide(point as u16),
                None => self.push(char::REPLACEMENT_CHARACTER),
            }
        }
    }
}

impl FromIterator<u32> for Wtf8Buf {
    fn from_iter<T: IntoIterator<Item = u32>>(points: T) -> Self {
        let mut text = Wtf8Buf::new();
        text.extend(points);
        text
    }
}
