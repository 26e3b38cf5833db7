//! Text in shared bytes (feature `bytes`).
//!
//! [`bytes::Bytes`] is what network code in Rust passes around: a pointer, a length and a reference count, of which parts can be
//! taken without a copy. [`Utf8Bytes`] adds one thing: the bytes are text. They are checked when they come in and never again; a
//! part is text because it was cut between characters. It can be used as a `str` in hash maps and comparisons.
//!
//! Nothing here panics: where `Bytes` does, for an index beyond the end, these methods return `None`, and also for one in the
//! middle of a character.

mod convert;
#[cfg(feature = "serde")]
mod serde;

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::{Bound, Deref, RangeBounds};

use bytes::{Bytes, BytesMut};

use crate::text::shared::SharedText;
use crate::unicode::IllFormed;

pub use convert::NotUtf8;

/// Shared bytes that are UTF-8: what `str` is to `[u8]`, this is to [`Bytes`].
///
/// A clone, a part and a split increment a reference count; nothing is copied.
///
/// ```
/// use bytes::Bytes;
/// use runecast::Utf8Bytes;
///
/// let mut text = Utf8Bytes::try_from(Bytes::from_static(b"key=r\xC5\xABna"))?; // checked once
/// let key = text.split_to(3).unwrap();
/// let value = text.slice(1..).unwrap();
/// assert_eq!((key.as_str(), &*value), ("key", "rūna"));
/// assert_eq!(value.slice(..2), None); // in the middle of ū
///
/// let error = Utf8Bytes::try_from(Bytes::from_static(b"caf\xE9")).unwrap_err();
/// assert_eq!((error.ill_formed().at, error.into_bytes().len()), (3, 4)); // the bytes are returned
/// # Ok::<(), runecast::NotUtf8>(())
/// ```
#[derive(Clone, Default)]
pub struct Utf8Bytes(SharedText);

impl Utf8Bytes {
    /// Empty text.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self::from_static("")
    }

    /// Text that is part of the program, without a check or a copy.
    #[must_use]
    #[inline]
    pub const fn from_static(text: &'static str) -> Self {
        Utf8Bytes(SharedText::of_static(text))
    }

    /// Takes all text from the front of `buffer`, without a copy, and leaves the beginning of an incomplete character there:
    /// three bytes at most. This is how to read text that arrives in chunks.
    ///
    /// # Errors
    /// The first ill-formed sequence, with its offset in `buffer`, which is left unmodified. The bytes before it are text:
    /// `buffer.split_to(error.at)`. A `buffer` that ends in the middle of a character is not an error; if nothing more comes,
    /// the text is truncated.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use runecast::Utf8Bytes;
    ///
    /// let mut buffer = BytesMut::from(&b"caf\xC3"[..]);
    /// assert_eq!(Utf8Bytes::take_complete(&mut buffer)?, "caf");
    /// buffer.extend_from_slice(b"\xA9 noir");
    /// assert_eq!(Utf8Bytes::take_complete(&mut buffer)?, "é noir");
    /// # Ok::<(), runecast::IllFormed>(())
    /// ```
    #[inline]
    pub fn take_complete(buffer: &mut BytesMut) -> Result<Self, IllFormed> {
        SharedText::taken_complete(buffer).map(Utf8Bytes)
    }

    /// Takes the first `count` bytes of `buffer`, if they are well-formed; otherwise it is left unmodified.
    #[cfg(feature = "tokio")]
    #[inline]
    pub(crate) fn take(buffer: &mut BytesMut, count: usize) -> Result<Self, IllFormed> {
        SharedText::taken(buffer, count).map(Utf8Bytes)
    }

    /// Removes the text after `at`, if that is between characters.
    #[cfg(feature = "tokio")]
    #[inline]
    pub(crate) fn truncate(&mut self, at: usize) {
        self.0.truncate(at);
    }

    /// The text.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The bytes of the text, shared.
    #[must_use]
    #[inline]
    pub const fn as_bytes(&self) -> &Bytes {
        self.0.bytes()
    }

    /// The bytes of the text.
    #[must_use]
    #[inline]
    pub fn into_bytes(self) -> Bytes {
        self.0.into_bytes()
    }

    /// A part of the text; `None` if it does not begin and end between characters and within the text.
    #[must_use]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Option<Self> {
        let start = match range.start_bound() {
            Bound::Included(&at) => at,
            Bound::Excluded(&at) => at.checked_add(1)?,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&at) => at.checked_add(1)?,
            Bound::Excluded(&at) => at,
            Bound::Unbounded => self.len(),
        };
        self.0.slice(start..end).map(Utf8Bytes)
    }

    /// `part`, which is a slice of this text, as a `Utf8Bytes`; `None` if it is not a slice of it. So any function that finds a
    /// `&str` in this text can be used to find a `Utf8Bytes`.
    ///
    /// ```
    /// use runecast::Utf8Bytes;
    ///
    /// let text = Utf8Bytes::from_static("one two");
    /// let words: Vec<Utf8Bytes> = text.split(' ').filter_map(|word| text.slice_ref(word)).collect();
    /// assert_eq!(words, ["one", "two"]);
    /// assert_eq!(text.slice_ref(&String::from("two")), None); // another two
    /// ```
    #[must_use]
    #[inline]
    pub fn slice_ref(&self, part: &str) -> Option<Self> {
        let start = part.as_ptr().addr().checked_sub(self.as_ptr().addr())?;
        let end = start.checked_add(part.len())?;
        if end > self.len() {
            return None;
        }
        self.0.slice(start..end).map(Utf8Bytes)
    }

    /// Removes and returns the text before `at`; `None` if that is not between characters or not within the text, which is then
    /// left unmodified.
    #[must_use = "what is before `at` is lost otherwise"]
    #[inline]
    pub fn split_to(&mut self, at: usize) -> Option<Self> {
        self.0.split_to(at).map(Utf8Bytes)
    }

    /// Removes and returns the text after `at`; `None` if that is not between characters or not within the text, which is then
    /// left unmodified.
    #[must_use = "what is after `at` is lost otherwise"]
    #[inline]
    pub fn split_off(&mut self, at: usize) -> Option<Self> {
        self.0.split_off(at).map(Utf8Bytes)
    }
}

impl Deref for Utf8Bytes {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Utf8Bytes {
    #[inline]
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<[u8]> for Utf8Bytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

#[cfg(feature = "std")]
impl AsRef<std::ffi::OsStr> for Utf8Bytes {
    #[inline]
    fn as_ref(&self) -> &std::ffi::OsStr {
        self.as_str().as_ref()
    }
}

#[cfg(feature = "std")]
impl AsRef<std::path::Path> for Utf8Bytes {
    #[inline]
    fn as_ref(&self) -> &std::path::Path {
        self.as_str().as_ref()
    }
}

impl Borrow<str> for Utf8Bytes {
    #[inline]
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl Hash for Utf8Bytes {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.as_str().hash(hasher);
    }
}

impl Eq for Utf8Bytes {}

impl PartialEq for Utf8Bytes {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Ord for Utf8Bytes {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Utf8Bytes {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Comparisons with other types of text, both ways.
macro_rules! comparable {
    ($($other:ty),*) => {
        $(
            impl PartialEq<$other> for Utf8Bytes {
                fn eq(&self, other: &$other) -> bool {
                    let other: &str = other.as_ref();
                    self.as_str() == other
                }
            }

            impl PartialEq<Utf8Bytes> for $other {
                fn eq(&self, other: &Utf8Bytes) -> bool {
                    other == self
                }
            }
        )*
    };
}

comparable!(str, &str, alloc::string::String, alloc::borrow::Cow<'_, str>);

impl fmt::Debug for Utf8Bytes {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Utf8Bytes {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}
