//! UTF-32 to UTF-16 over any vector: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form16, Form32};
use crate::kernel::pairs::Move;
use crate::kernel::vector::{Operation, Vector};

/// UTF-32 to UTF-16; see the contract of the kernels.
pub(in crate::kernel) struct Utf32ToUtf16<const FROM: bool, const TO: bool>(pub Move);

impl<const FROM: bool, const TO: bool> Operation for Utf32ToUtf16<FROM, TO> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<Form32<FROM>, Form16<TO>>() }
    }
}
