//! UTF-8 to Latin-1 over any vector: by the plain loops so far.

use super::Progress;
use crate::kernel::convert::{Form8, FormByte};
use crate::kernel::pairs::Move;
use crate::kernel::vector::{Operation, Vector};

/// UTF-8 to Latin-1; see the contract of the kernels.
pub(in crate::kernel) struct Utf8ToLatin1(pub Move);

impl Operation for Utf8ToLatin1 {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.plainly::<Form8, FormByte<0x100>>() }
    }
}
