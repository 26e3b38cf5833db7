//! Strings in CESU-8 and modified UTF-8, without a copy where possible.
//!
//! A `&str` is known to be well-formed, so that only the characters that are encoded differently have to be found, at the speed
//! of memory. Back goes [`transcode_to_str`](crate::transcode_to_str()) from one of these encodings.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::convert::transcode_append_on;
use crate::kernel::{Engine, dispatch};
use crate::unicode::{Cesu8, Encoding, Mutf8, Utf8};

/// `text` in CESU-8: borrowed, unless it has supplementary characters.
///
/// ```
/// use std::borrow::Cow;
///
/// assert!(matches!(runecast::encode_cesu8("ᚱūna"), Cow::Borrowed(_)));
/// assert_eq!(&*runecast::encode_cesu8("🪨"), b"\xED\xA0\xBE\xED\xBA\xA8");
/// ```
#[must_use]
#[inline]
pub fn encode_cesu8(text: &str) -> Cow<'_, [u8]> {
    encode::<Cesu8>(text)
}

/// `text` in modified UTF-8: borrowed, unless it has supplementary characters or U+0000.
///
/// ```
/// assert_eq!(&*runecast::encode_mutf8("a\0b"), b"a\xC0\x80b");
/// ```
#[must_use]
#[inline]
pub fn encode_mutf8(text: &str) -> Cow<'_, [u8]> {
    encode::<Mutf8>(text)
}

fn encode<D: Encoding<Unit = u8>>(text: &str) -> Cow<'_, [u8]> {
    let (engine, bytes) = (Engine::current(), text.as_bytes());
    let unchanged = dispatch::ordinary_prefix(engine, bytes, D::VARIANT.two_byte_nul());
    if unchanged == bytes.len() {
        return Cow::Borrowed(bytes);
    }
    // That is a character boundary: the byte after it is the first of a character.
    let (unchanged, rest) = bytes.split_at(unchanged);
    let mut encoded = Vec::with_capacity(bytes.len() + bytes.len() / 2);
    encoded.extend_from_slice(unchanged);
    let outcome = transcode_append_on::<Utf8, D>(engine, rest, &mut encoded);
    debug_assert!(outcome.is_ok(), "these encodings can represent every character of a string");
    Cow::Owned(encoded)
}
