//! UTF-32 to UTF-16 on AVX-512: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form16, Form32};
use crate::kernel::pairs::Move;

avx512! {
    /// UTF-32 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf32_to_utf16<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Move { src, len, dst, room }.plainly::<Form32<FROM>, Form16<TO>>() }
    }
}
