//! The names of `String` and `str` for UTF-16, as drop-in replacements; and byte order, in place.
//!
//! Each function takes what the function of the same name in the standard library takes and returns the same result; instead of
//! an error without information it returns an [`IllFormed`], with the offset and the rule. Those for the two schemes take and
//! return bytes.

#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::bridge;
#[cfg(feature = "alloc")]
use crate::convert::{transcode_append, transcode_to_string};
use crate::kernel::Engine;
use crate::unicode::Encoding;
#[cfg(feature = "alloc")]
use crate::unicode::{IllFormed, Utf8, Utf16, Utf16Be, Utf16Le};
#[cfg(feature = "alloc")]
use crate::validate::validate;

/// UTF-16 as a string: as [`String::from_utf16`], but faster.
///
/// # Errors
/// The first unpaired surrogate.
///
/// ```
/// assert_eq!(runecast::from_utf16(&[0x16B1, 0xD83E, 0xDEA8]).as_deref(), Ok("ᚱ🪨"));
///
/// let error = runecast::from_utf16(&[0x16B1, 0xD83E]).unwrap_err();
/// assert_eq!((error.at, error.kind), (1, runecast::Kind::Incomplete));
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn from_utf16(units: &[u16]) -> Result<String, IllFormed> {
    string::<Utf16>(units)
}

/// Bytes of UTF-16LE as a string: as `String::from_utf16le` of nightly Rust, but faster.
///
/// # Errors
/// The first unpaired surrogate, or half a unit at the end.
///
/// ```
/// assert_eq!(runecast::from_utf16le(b"\xB1\x16!\0").as_deref(), Ok("ᚱ!"));
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn from_utf16le(bytes: &[u8]) -> Result<String, IllFormed> {
    string::<Utf16Le>(bytes)
}

/// Bytes of UTF-16BE as a string: as `String::from_utf16be` of nightly Rust, but faster.
///
/// # Errors
/// The first unpaired surrogate, or half a unit at the end.
///
/// ```
/// assert_eq!(runecast::from_utf16be(b"\x16\xB1\0!").as_deref(), Ok("ᚱ!"));
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn from_utf16be(bytes: &[u8]) -> Result<String, IllFormed> {
    string::<Utf16Be>(bytes)
}

/// A string in UTF-16: all that [`str::encode_utf16`] yields, in a vector.
///
/// ```
/// assert_eq!(runecast::encode_utf16("ᚱ🪨"), [0x16B1, 0xD83E, 0xDEA8]);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn encode_utf16(text: &str) -> Vec<u16> {
    units::<Utf16>(text)
}

/// The bytes of a string in UTF-16LE.
///
/// ```
/// assert_eq!(runecast::encode_utf16le("ᚱ!"), b"\xB1\x16!\0");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn encode_utf16le(text: &str) -> Vec<u8> {
    units::<Utf16Le>(text)
}

/// The bytes of a string in UTF-16BE.
///
/// ```
/// assert_eq!(runecast::encode_utf16be("ᚱ!"), b"\x16\xB1\0!");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn encode_utf16be(text: &str) -> Vec<u8> {
    units::<Utf16Be>(text)
}

/// Reverses the bytes of every code unit, in place: from the form or scheme `E` to the other byte order. Nothing is checked; to
/// call it twice changes nothing. An incomplete unit at the end is left unmodified, and so is text whose units are bytes.
///
/// ```
/// use runecast::{Utf16Le, swap_byte_order};
///
/// let mut bytes = *b"\xB1\x16!\0";
/// swap_byte_order::<Utf16Le>(&mut bytes);
/// assert_eq!(&bytes, b"\x16\xB1\0!"); // UTF-16BE now
/// ```
pub fn swap_byte_order<E: Encoding>(text: &mut [E::Unit]) {
    bridge::swap::<E>(Engine::current(), text);
}

#[cfg(feature = "alloc")]
fn string<E: Encoding>(units: &[E::Unit]) -> Result<String, IllFormed> {
    // UTF-8 can represent every character and a string grows, so that the only error is an ill-formed text. Validation reports
    // that, without a branch for other errors.
    transcode_to_string::<E>(units).or_else(|_| validate::<E>(units).map(|()| String::new()))
}

#[cfg(feature = "alloc")]
fn units<E: Encoding>(text: &str) -> Vec<E::Unit> {
    let mut units = Vec::new();
    // A string is well-formed and a vector grows, so that there is no error.
    let _ = transcode_append::<Utf8, E>(text.as_bytes(), &mut units);
    units
}
