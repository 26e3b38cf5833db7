//! UTF-16 and UTF-32 to UTF-8 over any vector: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form8, Form16, Form32};
use crate::kernel::pairs::Move;
use crate::kernel::vector::{Operation, Vector};

/// UTF-16 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf16ToUtf8<const SWAP: bool>(pub Move);

impl<const SWAP: bool> Operation for Utf16ToUtf8<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<Form16<SWAP>, Form8>() }
    }
}

/// UTF-32 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf32ToUtf8<const SWAP: bool>(pub Move);

impl<const SWAP: bool> Operation for Utf32ToUtf8<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<Form32<SWAP>, Form8>() }
    }
}
