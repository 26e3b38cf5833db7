//! Many separate texts: short ones are packed and checked together, as [`pack`] says.

use super::copy_short::copy_to_block;
use super::utf8::ValidPrefix;
use crate::kernel::shared::pack;
use crate::kernel::vector::{Operation, Vector};

/// How many of the first of these texts are well-formed UTF-8, or Corrected UTF-8; it may stop early.
pub(in crate::kernel) struct ValidValues<'a, const CORRECTED: bool> {
    pub values: &'a [&'a [u8]],
}

impl<const CORRECTED: bool> Operation for ValidValues<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        // SAFETY: the instruction set is that of this root. A text is copied to where there is room for a
        // block.
        unsafe {
            pack::valid_values(
                self.values,
                |value, dst| copy_to_block::<V>(value.as_ptr(), dst, value.len()),
                |src| V::apart(ValidPrefix::<CORRECTED> { src }),
            )
        }
    }
}
