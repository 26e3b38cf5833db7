//! Bytes that become `&str`: each promise to the type system stands beside the check that it depends on.

#![allow(unsafe_code, reason = "the only place where bytes become text, each with its check")]

#[cfg(feature = "bytes")]
pub(crate) mod shared;
mod std_error;
mod wtf8;

pub(crate) use std_error::std_error;
pub use wtf8::Wtf8;
pub(crate) use wtf8::wtf8;

use crate::blocks::Blocks;
use crate::kernel::Engine;
#[cfg(feature = "alloc")]
use crate::kernel::dispatch;
use crate::kernel::dispatch::short::is_short_ascii;
use crate::unicode::{IllFormed, Utf8};
use crate::validate::{IllFormedSequences, validate_on};
#[cfg(feature = "alloc")]
use crate::{kernel::dispatch::validate::Start, validate::valid_prefix};

/// `bytes` as a string, if they are well-formed.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Result<&str, IllFormed> {
    match check(bytes) {
        // SAFETY: `bytes` have just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { core::str::from_utf8_unchecked(bytes) }),
        Err(error) => Err(error),
    }
}

/// The text up to a character boundary at or before the first error.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn well_formed_prefix(bytes: &[u8]) -> &str {
    let engine = Engine::current();
    let len = if is_short_ascii(engine, bytes) {
        bytes.len()
    } else {
        valid_prefix::<Utf8>(engine, bytes, Start::OfText)
    };
    // SAFETY: the first `len` bytes have just been found to be well-formed UTF-8.
    unsafe { core::str::from_utf8_unchecked(&bytes[..len]) }
}

/// [`text`], for a mutable string.
#[inline]
pub(crate) fn text_mut(bytes: &mut [u8]) -> Result<&mut str, IllFormed> {
    match check(bytes) {
        // SAFETY: `bytes` have just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { core::str::from_utf8_unchecked_mut(bytes) }),
        Err(error) => Err(error),
    }
}

/// [`text`], for a vector, which is returned with the error if it is ill-formed.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn owned_text(
    bytes: alloc::vec::Vec<u8>,
) -> Result<alloc::string::String, (alloc::vec::Vec<u8>, IllFormed)> {
    match check(&bytes) {
        // SAFETY: `bytes` have just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { alloc::string::String::from_utf8_unchecked(bytes) }),
        Err(error) => Err((bytes, error)),
    }
}

/// `bytes` as a string, if they are well-formed and have no characters of four bytes; and, with `two_byte_nul`, no U+0000.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn ordinary_text(engine: Engine, bytes: &[u8], two_byte_nul: bool) -> Option<&str> {
    // SAFETY: `bytes` have just been found to be well-formed UTF-8.
    dispatch::is_ordinary(engine, bytes, two_byte_nul)
        .then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// The text before the first ill-formed sequence of `bytes`, and the error.
#[inline]
pub(crate) fn text_until_error(engine: Engine, bytes: &[u8]) -> (&str, Option<IllFormed>) {
    let error = validate_on::<Utf8>(engine, bytes).err();
    let valid = &bytes[..error.map_or(bytes.len(), |error| error.at)];
    // SAFETY: all bytes before the first error are well-formed UTF-8, and it begins at a
    // character boundary.
    (unsafe { core::str::from_utf8_unchecked(valid) }, error)
}

/// The text up to the next error, or to the end, and the error; `None` at the end.
#[inline]
pub(crate) fn text_until_next_error<'a>(
    errors: &mut IllFormedSequences<'a>,
) -> Option<(&'a str, Option<IllFormed>)> {
    let (src, start) = (errors.src(), errors.passed());
    if start == src.len() {
        return None;
    }
    let error = errors.next();
    let valid = &src[start..error.map_or(src.len(), |error| error.at)];
    // SAFETY: nothing is ill-formed between two errors, before the first or after the last one.
    Some((unsafe { core::str::from_utf8_unchecked(valid) }, error))
}

/// What the last blocks of a scan have shown to be well-formed, and where it begins.
#[inline]
pub(crate) fn passed_text<'a, const N: usize>(blocks: &Blocks<'a, N>) -> (usize, &'a str) {
    let passed = blocks.well_formed();
    let start = passed.start;
    // SAFETY: this is the range that the scan has found to be well-formed UTF-8, between two character boundaries.
    (start, unsafe { core::str::from_utf8_unchecked(&blocks.src()[passed]) })
}

#[inline]
fn check(bytes: &[u8]) -> Result<(), IllFormed> {
    let engine = Engine::current();
    if is_short_ascii(engine, bytes) { Ok(()) } else { validate_on::<Utf8>(engine, bytes) }
}

/// Lets `append` append UTF-8 to the bytes of `text`.
#[cfg(feature = "alloc")]
pub(crate) fn append_text<T>(
    text: &mut alloc::string::String,
    append: impl FnOnce(&mut alloc::vec::Vec<u8>) -> T,
) -> T {
    // SAFETY: the callers append what conversions to UTF-8 write, strict or by any policy: whole
    // characters.
    append(unsafe { text.as_mut_vec() })
}
