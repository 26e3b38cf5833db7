//! UTF-16 to UTF-16 and UTF-32 on AVX-512: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form16, Form32};
use crate::kernel::pairing::Pairing;
use crate::kernel::pairs::Move;

avx512! {
    /// UTF-16 to UTF-16, checked; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf16<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { super::walk(Pairing::<FROM, TO, true>::new(src, len, dst, room)) }
    }

    /// UTF-16 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf32<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Move { src, len, dst, room }.plainly::<Form16<FROM>, Form32<TO>>() }
    }
}
