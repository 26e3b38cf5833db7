//! Delimiters that are not between quotes, on AVX-512: eight lines in a register.
//!
//! For each line, the exclusive or of all bits up to each bit takes six shifts. The same operation on the top bits of all eight lines
//! is done in a general register, and says which lines begin between quotes. Eight lines depend on those before them only in one
//! thing: whether the number of quotes there is odd. (The plain loop takes 0.76 ns for a line on Zen 5, `pclmulqdq` 0.65 ns.)

use super::arch::*;
use crate::kernel::portable::cuts::Unquote;
use crate::kernel::shared::Progress;

avx512! {
    /// Leaves out delimiters between quotes.
    #[inline]
    pub(in crate::kernel) fn unquote<const LAZY: bool>(unquote: Unquote<'_>) -> Progress {
        let Unquote { both, inside, masks } = unquote;
        let (eights, rest) = both.as_chunks::<8>();
        let (masks_of_eights, masks_of_rest) = masks.as_chunks_mut::<8>();
        let first = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
        let second = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
        for (both, masks) in eights.iter().zip(masks_of_eights) {
            let p: *const u8 = both.as_ptr().cast();
            // SAFETY: eight lines have two masks each.
            let (low, high) = unsafe { (_mm512_loadu_si512(p.cast()), _mm512_loadu_si512(p.add(64).cast())) };
            let delimiters = _mm512_permutex2var_epi64(low, first, high);
            let mut quoted = _mm512_permutex2var_epi64(low, second, high);
            quoted = _mm512_xor_si512(quoted, _mm512_slli_epi64::<1>(quoted));
            quoted = _mm512_xor_si512(quoted, _mm512_slli_epi64::<2>(quoted));
            quoted = _mm512_xor_si512(quoted, _mm512_slli_epi64::<4>(quoted));
            quoted = _mm512_xor_si512(quoted, _mm512_slli_epi64::<8>(quoted));
            quoted = _mm512_xor_si512(quoted, _mm512_slli_epi64::<16>(quoted));
            quoted = _mm512_xor_si512(quoted, _mm512_slli_epi64::<32>(quoted));
            // A bit for each line whose number of quotes is odd, and then for each behind which it is, in all of the eight lines.
            let odd = u32::from(_mm512_cmplt_epi64_mask(quoted, _mm512_setzero_si512()));
            let mut behind = odd ^ odd << 1;
            behind ^= behind << 2;
            behind ^= behind << 4;
            let begins = (behind << 1) as u8 ^ *inside as u8;
            let unquoted = _mm512_andnot_si512(quoted, delimiters);
            // Between quotes it is the opposite.
            let unquoted = _mm512_mask_and_epi64(unquoted, begins, quoted, delimiters);
            *inside ^= 0_u64.wrapping_sub(u64::from(odd.count_ones() & 1));
            // SAFETY: there are eight masks.
            unsafe { _mm512_storeu_si512(masks.as_mut_ptr().cast(), unquoted) };
        }
        let rest = Unquote { both: rest, inside, masks: masks_of_rest };
        rest.by_shifts();
        Progress { read: both.len(), written: 0 }
    }
}
