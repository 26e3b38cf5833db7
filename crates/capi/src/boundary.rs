//! The boundary to C: addresses and lengths become slices, and no panic crosses it.
//!
//! The only place that trusts a caller. What can be seen to be wrong is refused: a null pointer with a
//! length (with none it is an empty text), a length that no slice of Rust may have, an output that overlaps its
//! input. The rest is the contract of the header: so many bytes can be read, or written, there, and nobody
//! else writes to them meanwhile.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a call of the interface; `fallback` is what it returns if it panics.
#[inline]
pub(crate) fn guard<T>(fallback: impl FnOnce() -> T, body: impl FnOnce() -> T) -> T {
    // Nothing that the body has changed can break an invariant: it has the caller's memory, and a stream, whose
    // position is unspecified after a panic, but which stays usable.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| fallback())
}

/// The input.
///
/// # Safety
/// If `address` is not null, `len` bytes must be readable there, and stay as they are, while the slice lives.
#[inline]
pub(crate) unsafe fn input<'a>(address: *const c_void, len: usize) -> Option<&'a [u8]> {
    if len > isize::MAX as usize || (address.is_null() && len > 0) {
        return None;
    }
    if len == 0 {
        return Some(&[]);
    }
    // SAFETY: the caller's promise; it is not null, and not longer than a slice may be.
    Some(unsafe { core::slice::from_raw_parts(address.cast(), len) })
}

/// The output, which must not overlap the input.
///
/// # Safety
/// If `address` is not null, `len` bytes must be writable there, and be touched by nobody else, while the slice
/// lives.
#[inline]
pub(crate) unsafe fn output<'a>(
    address: *mut c_void,
    len: usize,
    input: &[u8],
) -> Option<&'a mut [MaybeUninit<u8>]> {
    if len > isize::MAX as usize || (address.is_null() && len > 0) {
        return None;
    }
    if len == 0 {
        return Some(&mut []);
    }
    if overlap(input, address, len) {
        return None;
    }
    // SAFETY: the caller's promise; it is not null, not longer than a slice may be, apart from the input, and
    // need not be initialised.
    Some(unsafe { core::slice::from_raw_parts_mut(address.cast(), len) })
}

/// Whether an input and an output of so many bytes have some in common: whether one begins within the other.
pub(crate) fn overlap(input: &[u8], address: *mut c_void, len: usize) -> bool {
    let (from, to) = (input.as_ptr().addr(), address.addr());
    !input.is_empty() && len != 0 && (to.wrapping_sub(from) < input.len() || from.wrapping_sub(to) < len)
}

/// Text in UTF-8: a name, or a replacement.
///
/// # Safety
/// As for [`input`].
pub(crate) unsafe fn text<'a>(address: *const std::ffi::c_char, len: usize) -> Option<&'a str> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { input(address.cast(), len) }?;
    runecast::from_utf8(bytes).ok()
}
