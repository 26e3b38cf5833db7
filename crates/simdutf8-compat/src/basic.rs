//! Is it UTF-8? Yes or no, without a position.
//!
//! The functions are those of [`compat`](crate::compat) with less to say: the search for the position costs nothing before
//! there is an error.

use core::fmt;

#[cfg(feature = "public_imp")]
pub mod imp;

/// The bytes are not UTF-8. It has no size, and does not say where.
#[derive(Copy, Eq, PartialEq, Clone, Debug)]
pub struct Utf8Error;

impl fmt::Display for Utf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid utf-8 sequence")
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Utf8Error {}

/// As [`core::str::from_utf8`], with an error of no size.
///
/// # Errors
/// If `input` is not UTF-8.
#[inline]
pub fn from_utf8(input: &[u8]) -> Result<&str, Utf8Error> {
    runecast::from_utf8(input).map_err(|_| Utf8Error)
}

/// As [`core::str::from_utf8_mut`], with an error of no size.
///
/// # Errors
/// If `input` is not UTF-8. It is left unmodified.
#[inline]
pub fn from_utf8_mut(input: &mut [u8]) -> Result<&mut str, Utf8Error> {
    runecast::from_utf8_mut(input).map_err(|_| Utf8Error)
}
