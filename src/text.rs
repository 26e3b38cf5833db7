//! Bytes that become `&str`: the promise to the type system is made right beside the check that it rests on.

#![allow(unsafe_code, reason = "the only place where bytes become text, each with its check")]

#[cfg(feature = "bytes")]
pub(crate) mod held;
mod wtf8;

pub use wtf8::Wtf8;
pub(crate) use wtf8::wtf8;

use core::mem::MaybeUninit;
use core::str::Utf8Error as StdError;

use crate::validate::validate_on;
use crate::kernel::dispatch::short::tiny_ascii;
use crate::kernel::Engine;
#[cfg(feature = "alloc")]
use crate::kernel::dispatch;
use crate::unicode::{IllFormed, Utf8};

/// `bytes` as a string, once they have been found to be one.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Result<&str, IllFormed> {
    match check(bytes) {
        // SAFETY: `bytes` has just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { core::str::from_utf8_unchecked(bytes) }),
        Err(error) => Err(error),
    }
}

/// [`text`], for bytes that may be changed afterwards.
#[inline]
pub(crate) fn text_mut(bytes: &mut [u8]) -> Result<&mut str, IllFormed> {
    match check(bytes) {
        // SAFETY: `bytes` has just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { core::str::from_utf8_unchecked_mut(bytes) }),
        Err(error) => Err(error),
    }
}

/// [`text`], for a vector; or the same vector, if it is none.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn owned_text(bytes: alloc::vec::Vec<u8>) -> Result<alloc::string::String, alloc::vec::Vec<u8>> {
    match check(&bytes) {
        // SAFETY: `bytes` has just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { alloc::string::String::from_utf8_unchecked(bytes) }),
        Err(_) => Err(bytes),
    }
}

/// `bytes` as a string, if they are one without characters of four bytes, and without U+0000 if that is
/// hidden.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn ordinary_text(engine: Engine, bytes: &[u8], hides_nul: bool) -> Option<&str> {
    // SAFETY: `bytes` has just been found to be well-formed UTF-8.
    dispatch::is_ordinary(engine, bytes, hides_nul).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}


/// `bytes`, cut at the first ill-formed sequence: the text before it, and the error.
#[inline]
pub(crate) fn text_until_error(engine: Engine, bytes: &[u8]) -> (&str, Option<IllFormed>) {
    let error = validate_on::<Utf8>(engine, bytes).err();
    let valid = &bytes[..error.map_or(bytes.len(), |error| error.at)];
    // SAFETY: all bytes before the first error are well-formed UTF-8, and it begins at a
    // character boundary.
    (unsafe { core::str::from_utf8_unchecked(valid) }, error)
}

#[inline]
fn check(bytes: &[u8]) -> Result<(), IllFormed> {
    if tiny_ascii(bytes) { Ok(()) } else { validate_on::<Utf8>(Engine::current(), bytes) }
}

/// std's error for `error`, which std itself would have reported at the same place.
///
/// std has no constructor, and its validation of the whole input again would cost a pass. So std
/// judges the evidence alone, which gives an error at offset 0, and the offset is then written
/// into it, at a place that the compiler has checked below.
#[inline]
pub(crate) fn std_error(error: &IllFormed) -> StdError {
    let at_zero = core::str::from_utf8(error.evidence()).err().unwrap_or(LONE_FF);
    displaced(at_zero, error.at)
}

/// An error of std's, at offset 0.
#[allow(invalid_from_utf8)] // It is meant to be.
const LONE_FF: StdError = match core::str::from_utf8(FF) {
    Err(error) => error,
    Ok(_) => panic!("FF begins no character"),
};
const FF: &[u8] = &[0xFF];

/// `error`, whose offset is 0, at offset `at`.
#[inline]
const fn displaced(error: StdError, at: usize) -> StdError {
    let mut error = MaybeUninit::new(error);
    // SAFETY: `StdError` is at least as large and as aligned as a `usize`, and its first word is
    // its offset: checked by the constants below for the standard library in use. Any `usize` is
    // a valid offset.
    unsafe {
        error.as_mut_ptr().cast::<usize>().write(at);
        error.assume_init()
    }
}

const _: () = assert!(align_of::<StdError>() >= align_of::<usize>());
/// If the first word were not the offset, then 1 would be a harmless value there (`Some(0)` or
/// `None` of the error's length), and this would say so at compile time.
const _: () = {
    let moved = displaced(LONE_FF, 1);
    assert!(moved.valid_up_to() == 1 && matches!(moved.error_len(), Some(1)));
};

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
