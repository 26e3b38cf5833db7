//! The prefix of bytes that CESU-8 writes as UTF-8 does: the search for the lead byte of a character of four bytes, and for U+0000 if that
//! is special, as in modified UTF-8.
//!
//! As for [ASCII](super::ascii), four blocks take a single test, that of their maximum, and the last four blocks of a text overlap those
//! before them; then the search goes on block by block, with the last one masked. When one is subtracted, 00 becomes FF.

use super::BLOCK;
use super::arch::*;
use super::ascii::STEP;
use super::memory::MaskedLoad;

avx512! {
    /// The exact length of that prefix of `src`.
    #[inline]
    pub(in crate::kernel) unsafe fn ordinary_prefix<const NUL: bool>(src: &[u8]) -> usize {
        let start = src.as_ptr();
        if src.len() <= BLOCK {
            if src.is_empty() {
                return 0;
            }
            let load = MaskedLoad::of(src);
            // SAFETY: the lanes are the bytes of `src`.
            let bytes = unsafe { _mm512_maskz_loadu_epi8(load.lanes, load.base.cast()) };
            return match special::<NUL>(ranked::<NUL>(bytes)) & load.lanes {
                0 => src.len(),
                special => special.trailing_zeros() as usize - load.shift,
            };
        }
        // SAFETY: every block is within `src`, which is longer than one block.
        unsafe {
            let ranked = |at: usize| ranked::<NUL>(_mm512_loadu_si512(start.add(at).cast()));
            let any_special = |at: usize| {
                let [a, b, c, d] = [0, 1, 2, 3].map(|block| ranked(at + block * BLOCK));
                special::<NUL>(_mm512_max_epu8(_mm512_max_epu8(a, b), _mm512_max_epu8(c, d))) != 0
            };
            let mut at = 0;
            while src.len() - at >= STEP && !any_special(at) {
                at += STEP;
            }
            // What is left of most texts is ordinary, too.
            if at > 0 && src.len() - at < STEP && !any_special(src.len() - STEP) {
                return src.len();
            }
            while at + BLOCK <= src.len() {
                let special = special::<NUL>(ranked(at));
                if special != 0 {
                    return at + special.trailing_zeros() as usize;
                }
                at += BLOCK;
            }
            let last = src.len() - BLOCK;
            match special::<NUL>(ranked(last)) {
                0 => src.len(),
                special => last + special.trailing_zeros() as usize,
            }
        }
    }

    /// The bytes such that the special ones are the greatest.
    #[inline]
    fn ranked<const NUL: bool>(bytes: __m512i) -> __m512i {
        if NUL { _mm512_add_epi8(bytes, _mm512_set1_epi8(-1)) } else { bytes }
    }

    /// A bit for each byte that is special, from [`ranked`].
    #[inline]
    fn special<const NUL: bool>(ranked: __m512i) -> u64 {
        let least = if NUL { 0xEF_u8 } else { 0xF0 };
        _mm512_cmpge_epu8_mask(ranked, _mm512_set1_epi8(least as i8))
    }
}
