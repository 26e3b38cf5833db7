//! Latin-1 to UTF-8 over any vector: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form8, FormByte};
use crate::kernel::pairs::Move;
use crate::kernel::vector::{Operation, Vector};

/// Latin-1 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Latin1ToUtf8(pub Move);

impl Operation for Latin1ToUtf8 {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<FormByte<0x100>, Form8>() }
    }
}
