//! The names of `core::str`, as drop-in replacements.
//!
//! Each function takes what the function of the same name in the standard library takes and returns the same result, for every
//! input: `valid_up_to` and `error_len` are equal to std's. What is added is [`Utf8Error::kind`], the rule that is broken. There
//! is one function for each need: the full error costs nothing on well-formed text.

#[cfg(feature = "alloc")]
mod cesu8;
#[cfg(feature = "alloc")]
mod owned;
mod utf16;

use core::fmt;

use crate::kernel::dispatch::short::is_short_ascii;
use crate::kernel::{Engine, dispatch};
use crate::text;
use crate::unicode::{IllFormed, Kind, Utf8};
use crate::validate::validate_on;

#[cfg(feature = "alloc")]
pub use cesu8::{encode_cesu8, encode_mutf8};
#[cfg(feature = "alloc")]
pub use owned::{FromUtf8Error, from_utf8_owned};
pub use utf16::swap_byte_order;
#[cfg(feature = "alloc")]
pub use utf16::{encode_utf16, encode_utf16be, encode_utf16le, from_utf16, from_utf16be, from_utf16le};

/// Converts bytes to a string slice: as [`core::str::from_utf8`], but faster.
///
/// # Errors
/// Where `bytes` is not UTF-8, and which rule it breaks.
///
/// ```
/// assert_eq!(runecast::from_utf8(b"caf\xC3\xA9"), Ok("café"));
///
/// let error = runecast::from_utf8(b"caf\xC3").unwrap_err();
/// assert_eq!((error.valid_up_to(), error.error_len()), (3, None));
/// ```
#[inline]
pub fn from_utf8(bytes: &[u8]) -> Result<&str, Utf8Error> {
    text::text(bytes).map_err(Utf8Error)
}

/// Converts mutable bytes to a mutable string slice: as [`core::str::from_utf8_mut`], but faster.
///
/// # Errors
/// Where `bytes` is not UTF-8, and which rule it breaks. The bytes are left unmodified.
///
/// ```
/// let mut bytes = *b"r\xC3\xBAne";
/// runecast::from_utf8_mut(&mut bytes)?.make_ascii_uppercase();
/// assert_eq!(bytes, "RúNE".as_bytes());
/// # Ok::<(), runecast::Utf8Error>(())
/// ```
#[inline]
pub fn from_utf8_mut(bytes: &mut [u8]) -> Result<&mut str, Utf8Error> {
    text::text_mut(bytes).map_err(Utf8Error)
}

/// Whether `bytes` is UTF-8.
///
/// ```
/// assert!(runecast::is_utf8("ᚱᚢᚾᚪ".as_bytes()));
/// assert!(!runecast::is_utf8(b"\xC0\xAF"));
/// ```
#[inline]
#[must_use]
pub fn is_utf8(bytes: &[u8]) -> bool {
    let engine = Engine::current();
    is_short_ascii(engine, bytes) || validate_on::<Utf8>(engine, bytes).is_ok()
}

/// Whether all of `bytes` is ASCII: as `<[u8]>::is_ascii`, but faster.
///
/// ```
/// assert!(runecast::is_ascii(b"rune"));
/// assert!(!runecast::is_ascii("rúne".as_bytes()));
/// ```
#[inline]
#[must_use]
pub fn is_ascii(bytes: &[u8]) -> bool {
    ascii_prefix(bytes) == bytes.len()
}

/// The length of the longest prefix of `bytes` that is ASCII.
///
/// ```
/// assert_eq!(runecast::ascii_prefix("rúne".as_bytes()), 1);
/// assert_eq!(runecast::ascii_prefix(b"rune"), 4);
/// ```
#[inline]
#[must_use]
pub fn ascii_prefix(bytes: &[u8]) -> usize {
    let engine = Engine::current();
    if is_short_ascii(engine, bytes) { bytes.len() } else { dispatch::validate::ascii_prefix(engine, bytes) }
}

/// Why bytes are not UTF-8: as [`core::str::Utf8Error`], with the rule that is broken.
///
/// What is before the error is text, so that [`index::position`](crate::index::position()) has its line and column:
///
/// ```
/// use runecast::index::{Position, Unit, position};
///
/// let bytes = b"one\ntw\xC3\xB3\xFF";
/// let error = runecast::from_utf8(bytes).unwrap_err();
/// let before = runecast::from_utf8(&bytes[..error.valid_up_to()])?;
/// assert_eq!(position(before, before.len(), Unit::Char), Position { line: 1, column: 3 });
/// # Ok::<(), runecast::Utf8Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf8Error(IllFormed);

impl Utf8Error {
    /// The length of the well-formed prefix: the same as std's.
    #[must_use]
    #[inline]
    pub const fn valid_up_to(&self) -> usize {
        self.0.at
    }

    /// The length of the ill-formed sequence, or `None` if the input ends in the middle of a
    /// character: the same as std's.
    #[must_use]
    #[inline]
    pub const fn error_len(&self) -> Option<usize> {
        if self.0.is_incomplete() { None } else { Some(self.0.len) }
    }

    /// The rule that is broken.
    #[must_use]
    #[inline]
    pub const fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The whole error.
    #[must_use]
    #[inline]
    pub const fn ill_formed(&self) -> IllFormed {
        self.0
    }
}

impl fmt::Display for Utf8Error {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl core::error::Error for Utf8Error {}

#[cfg(feature = "std")]
impl From<Utf8Error> for std::io::Error {
    /// Of the kind `InvalidData`.
    #[inline]
    fn from(error: Utf8Error) -> std::io::Error {
        error.0.into()
    }
}

impl From<Utf8Error> for IllFormed {
    #[inline]
    fn from(error: Utf8Error) -> IllFormed {
        error.0
    }
}

impl From<Utf8Error> for core::str::Utf8Error {
    #[inline]
    fn from(error: Utf8Error) -> core::str::Utf8Error {
        text::std_error(&error.0)
    }
}
