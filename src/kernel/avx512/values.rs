//! Many separate texts: short ones are packed and checked together, as [`pack`] says.

use super::arch::*;
use super::memory::load_partial;
use super::utf8::valid_prefix;
use crate::kernel::shared::lines::Start;
use crate::kernel::shared::pack;

avx512! {
    /// How many of the first of these texts are well-formed UTF-8, or Corrected UTF-8; it may stop early.
    pub(in crate::kernel) unsafe fn valid_values<const CORRECTED: bool>(values: &[&[u8]]) -> usize {
        // SAFETY: the instruction set is that of this function. The lanes that are loaded are the bytes of the text.
        // All lanes are written, and there is room for them; those behind the text are zeros.
        unsafe {
            pack::valid_values(
                values,
                |value, dst| {
                    _mm512_storeu_si512(dst.cast(), load_partial(value.as_ptr(), value.len()));
                },
                |src| valid_prefix::<CORRECTED>(src, Start::OfText),
            )
        }
    }
}
