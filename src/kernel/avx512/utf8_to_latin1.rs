//! UTF-8 to Latin-1 on AVX-512: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form8, FormByte};
use crate::kernel::pairs::Move;

avx512! {
    /// UTF-8 to Latin-1; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf8_to_latin1(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Move { src, len, dst, room }.plainly::<Form8, FormByte<0x100>>() }
    }
}
