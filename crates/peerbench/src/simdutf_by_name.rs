//! simdutf, one implementation by its name: the Rust side of the shim.
//!
//! A [`Simdutf`] is the proof that the CPU runs the implementation, so its methods are safe. Each
//! is one call into the shim and one virtual call from there; but the implementation that the
//! library chooses by itself goes through the crate's own functions, as its users would call it.

mod conversions;
mod counts;

use std::ffi::{CStr, c_char, c_void};

unsafe extern "C" {
    fn peerbench_simdutf_find(name: *const c_char) -> *const c_void;
    fn peerbench_simdutf_active() -> *const c_void;
    fn peerbench_simdutf_name(implementation: *const c_void, out: *mut c_char, room: usize) -> usize;
    fn peerbench_simdutf_validate_utf8(implementation: *const c_void, text: *const u8, len: usize) -> bool;
    fn peerbench_simdutf_utf8_prefix(implementation: *const c_void, text: *const u8, len: usize) -> usize;
    fn peerbench_simdutf_validate_ascii(implementation: *const c_void, text: *const u8, len: usize) -> bool;
    fn peerbench_simdutf_ascii_prefix(implementation: *const c_void, text: *const u8, len: usize) -> usize;
}

/// One implementation of simdutf that this CPU runs.
#[derive(Clone, Copy, Debug)]
pub struct Simdutf {
    implementation: *const c_void,
    chosen: bool,
}

impl Simdutf {
    /// The implementation with simdutf's name for it (`haswell`, `westmere`, …), if this CPU runs it.
    pub fn find(name: &CStr) -> Option<Simdutf> {
        // SAFETY: the name is a C string; the answer is null or a static of the library.
        let found = unsafe { peerbench_simdutf_find(name.as_ptr()) };
        (!found.is_null()).then_some(Simdutf { implementation: found, chosen: false })
    }

    /// The implementation that simdutf chose for this CPU.
    pub fn active() -> Simdutf {
        // SAFETY: no arguments; the library promises that the active implementation is not null.
        Simdutf { implementation: unsafe { peerbench_simdutf_active() }, chosen: true }
    }

    /// Its name.
    pub fn name(self) -> String {
        let mut name = [0_u8; 32];
        // SAFETY: `self.implementation` is an implementation; at most `name.len()` bytes are written.
        let len =
            unsafe { peerbench_simdutf_name(self.implementation, name.as_mut_ptr().cast(), name.len()) };
        String::from_utf8_lossy(&name[..len]).into_owned()
    }

    /// Whether `text` is UTF-8.
    #[inline]
    pub fn validate_utf8(self, text: &[u8]) -> bool {
        if self.chosen {
            return simdutf::validate_utf8(text);
        }
        // SAFETY: `self.implementation` is an implementation that the CPU runs; pointer and length are a slice's.
        unsafe { peerbench_simdutf_validate_utf8(self.implementation, text.as_ptr(), text.len()) }
    }

    /// The offset of the first error in `text`, or its length.
    #[inline]
    pub fn utf8_prefix(self, text: &[u8]) -> usize {
        if self.chosen {
            return prefix(simdutf::validate_utf8_with_errors(text), text);
        }
        // SAFETY: as in `validate_utf8`.
        unsafe { peerbench_simdutf_utf8_prefix(self.implementation, text.as_ptr(), text.len()) }
    }

    /// Whether `text` is ASCII.
    #[inline]
    pub fn validate_ascii(self, text: &[u8]) -> bool {
        if self.chosen {
            return simdutf::validate_ascii(text);
        }
        // SAFETY: as in `validate_utf8`.
        unsafe { peerbench_simdutf_validate_ascii(self.implementation, text.as_ptr(), text.len()) }
    }

    /// The offset of the first byte of `text` that is not ASCII, or its length.
    #[inline]
    pub fn ascii_prefix(self, text: &[u8]) -> usize {
        if self.chosen {
            return prefix(simdutf::validate_ascii_with_errors(text), text);
        }
        // SAFETY: as in `validate_utf8`.
        unsafe { peerbench_simdutf_ascii_prefix(self.implementation, text.as_ptr(), text.len()) }
    }
}

/// The offset of the error that `result` tells of, or the length of `text`.
fn prefix(result: simdutf::Result, text: &[u8]) -> usize {
    if result.error == simdutf::ErrorCode::Success { text.len() } else { result.count }
}
