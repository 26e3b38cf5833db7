//! UTF-16 to UTF-16 and UTF-32 over any vector: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form16, Form32};
use crate::kernel::pairs::Move;
use crate::kernel::vector::{Operation, Vector};

/// UTF-16 to UTF-16, checked; see the contract of the kernels.
pub(in crate::kernel) struct Utf16ToUtf16<const FROM: bool, const TO: bool>(pub Move);

impl<const FROM: bool, const TO: bool> Operation for Utf16ToUtf16<FROM, TO> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<Form16<FROM>, Form16<TO>>() }
    }
}

/// UTF-16 to UTF-32; see the contract of the kernels.
pub(in crate::kernel) struct Utf16ToUtf32<const FROM: bool, const TO: bool>(pub Move);

impl<const FROM: bool, const TO: bool> Operation for Utf16ToUtf32<FROM, TO> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<Form16<FROM>, Form32<TO>>() }
    }
}
