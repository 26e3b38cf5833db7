//! Latin-1 to UTF-8 on AVX-512: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form8, FormByte};
use crate::kernel::pairs::Move;

avx512! {
    /// Latin-1 to UTF-8; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn latin1_to_utf8(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Move { src, len, dst, room }.plainly::<FormByte<0x100>, Form8>() }
    }
}
