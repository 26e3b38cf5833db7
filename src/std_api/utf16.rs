//! The names of `String` and `str` for UTF-16, as drop-ins; and the order of bytes, in place.
//!
//! Each function takes what its namesake in the standard library takes and gives the same answer;
//! instead of an error that says nothing there is the [`IllFormed`], with the place and the rule.
//! Those for the two schemes take and give bytes.

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

/// UTF-16 as a string: [`String::from_utf16`], faster.
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

/// Bytes of UTF-16LE as a string: `String::from_utf16le` of nightly Rust, faster.
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

/// Bytes of UTF-16BE as a string: `String::from_utf16be` of nightly Rust, faster.
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

/// The UTF-16 of a string: what [`str::encode_utf16`] yields, at once.
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

/// Turns the bytes of every code unit round, in place: from the form or scheme `E` to the scheme of
/// the other byte order. Nothing is checked, so that it turns back what it turned. A piece of a unit
/// at the end stays as it is; and so does text whose units are bytes.
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
    // UTF-8 has a form for every character and a string grows, so what is wrong is the text: and that
    // is what validation says, without an arm for errors that there cannot be.
    transcode_to_string::<E>(units).or_else(|_| validate::<E>(units).map(|()| String::new()))
}

#[cfg(feature = "alloc")]
fn units<E: Encoding>(text: &str) -> Vec<E::Unit> {
    let mut units = Vec::new();
    // A string is well-formed and a vector grows: there is no error.
    let _ = transcode_append::<Utf8, E>(text.as_bytes(), &mut units);
    units
}
