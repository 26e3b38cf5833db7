//! UTF-8 without what cannot be converted, on AVX-512: see [`shared::omit_utf8`](crate::kernel::shared::omit_utf8).
//!
//! A mask says which bytes of a block are written, so one compression writes them.

use super::arch::*;
use super::replace_utf8::Avx512;
use crate::kernel::shared::omit_utf8::{Kept, OmitUtf8, Pack, omit};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::shared::replace_utf8::Replaced;

avx512! {
    /// Copies UTF-8 without what is ill-formed, and without characters above `MOST`; see [`omit`].
    ///
    /// # Safety
    /// The input must be readable, the output writable, and they must not overlap.
    pub(in crate::kernel) unsafe fn omit_utf8<const MOST: u32, const MARKS: bool>(input: OmitUtf8) -> Replaced {
        // SAFETY: the caller's promise, and this is compiled for the instruction set.
        unsafe { omit::<Avx512, MOST, MARKS>(input) }
    }
}

impl Pack for Avx512 {
    #[inline]
    #[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,gfni,bmi1,bmi2,popcnt")]
    unsafe fn beyond_latin1(from: *const u8) -> u64 {
        // SAFETY: the caller's promise: a block.
        let bytes = unsafe { _mm512_loadu_si512(from.cast()) };
        opaque(_mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(0xC4_u8 as i8)))
    }

    #[inline]
    #[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,gfni,bmi1,bmi2,popcnt")]
    unsafe fn keep<const LATIN1: bool, const MARKS: bool>(from: *const u8, kept: Kept, to: *mut u8) {
        // SAFETY: the caller's promise: a block on both sides.
        unsafe {
            let mut bytes = _mm512_loadu_si512(from.cast());
            if LATIN1 {
                let upper = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(0xC3_u8 as i8));
                bytes = _mm512_mask_add_epi8(bytes, upper << 1 & kept.pairs, bytes, _mm512_set1_epi8(0x40));
            }
            if MARKS {
                bytes = _mm512_mask_mov_epi8(bytes, kept.marks, _mm512_set1_epi8(b'?' as i8));
            }
            _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(kept.all, bytes));
        }
    }
}
