//! UTF-8 to UTF-16 and UTF-32 over any vector: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form8, Form16, Form32};
use crate::kernel::pairs::Move;
use crate::kernel::vector::{Operation, Vector};

/// UTF-8 to UTF-16; see the contract of the kernels.
pub(in crate::kernel) struct Utf8ToUtf16<const SWAP: bool>(pub Move);

impl<const SWAP: bool> Operation for Utf8ToUtf16<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<Form8, Form16<SWAP>>() }
    }
}

/// UTF-8 to UTF-32; see the contract of the kernels.
pub(in crate::kernel) struct Utf8ToUtf32<const SWAP: bool>(pub Move);

impl<const SWAP: bool> Operation for Utf8ToUtf32<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<Form8, Form32<SWAP>>() }
    }
}
