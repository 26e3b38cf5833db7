//! The ASCII prefix: 256 bytes per step with a single test.
//!
//! The first block is loaded unaligned, and the steps start at the cache line boundary within it; the last block is
//! loaded unaligned again, and ends with the input. Up to 64 bytes are one masked load. (On AMD Zen 5
//! prefetches of any distance change nothing for text from memory: loads alone have all that memory gives. On Zen 4 text from memory is read in turns, and each of these is
//! asked by itself. A second load of each line from the byte before it on, or prefetches by 0.5 to 4 KiB, cost 2 to 14 % in caches.)

use super::BLOCK;
use super::arch::*;
use super::memory::MaskedLoad;

/// Bytes of a step: four independent loads.
pub(super) const STEP: usize = 4 * BLOCK;

avx512! {
    /// The length of the ASCII prefix of `src`.
    #[inline]
    pub(in crate::kernel) unsafe fn ascii_prefix<const LAZY: bool>(src: &[u8]) -> usize {
        let start = src.as_ptr();
        if src.len() <= BLOCK {
            if src.is_empty() {
                return 0;
            }
            let load = MaskedLoad::of(src);
            // SAFETY: the lanes are the bytes of `src`.
            let v = unsafe { _mm512_maskz_loadu_epi8(load.lanes, load.base.cast()) };
            return match _mm512_movepi8_mask(v) {
                0 => src.len(),
                non_ascii => non_ascii.trailing_zeros() as usize - load.shift,
            };
        }
        // SAFETY: every block is within `src`, which is longer than one block.
        unsafe {
            let first = non_ascii(start);
            if first != 0 {
                return first.trailing_zeros() as usize;
            }
            let mut at = ascii_steps(src, BLOCK - start as usize % BLOCK);
            while at + BLOCK <= src.len() {
                let non_ascii = non_ascii(start.add(at));
                if non_ascii != 0 {
                    return at + non_ascii.trailing_zeros() as usize;
                }
                at += BLOCK;
            }
            let last = src.len() - BLOCK;
            match non_ascii(start.add(last)) {
                0 => src.len(),
                non_ascii => last + non_ascii.trailing_zeros() as usize,
            }
        }
    }

    /// Skips steps of ASCII from `at` on; returns the position of the first that is not ASCII, or not whole.
    ///
    /// # Safety
    /// `at` must not be greater than `src.len()`.
    #[inline]
    pub(super) unsafe fn ascii_steps(src: &[u8], mut at: usize) -> usize {
        while src.len() - at >= STEP {
            // SAFETY: a step is left from `at` on.
            let all = unsafe {
                let p = src.as_ptr().add(at);
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| _mm512_loadu_si512(p.add(i * BLOCK).cast()));
                _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))
            };
            if _mm512_movepi8_mask(all) != 0 {
                break;
            }
            at += STEP;
        }
        at
    }

    /// The bytes of the block at `p` that are not ASCII.
    ///
    /// # Safety
    /// 64 bytes must be readable at `p`.
    #[inline]
    unsafe fn non_ascii(p: *const u8) -> u64 {
        // SAFETY: the caller's promise.
        _mm512_movepi8_mask(unsafe { _mm512_loadu_si512(p.cast()) })
    }
}
