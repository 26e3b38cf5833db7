//! The ASCII prefix: 256 bytes a step, one test for all.
//!
//! The first block is taken unaligned and the steps start at the line boundary within it; the
//! last block is taken unaligned again, so that it ends with the input. Up to 64 bytes are one
//! masked load.

use super::arch::*;
use super::{BLOCK, Window};

/// Bytes of a step: four loads in flight.
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
            let window = Window::over(src);
            // SAFETY: the lanes of the window are the bytes of `src`.
            let v = unsafe { _mm512_maskz_loadu_epi8(window.lanes, window.base.cast()) };
            return match _mm512_movepi8_mask(v) {
                0 => src.len(),
                signs => signs.trailing_zeros() as usize - window.shift,
            };
        }
        // SAFETY: every block is within `src`, which is longer than one block.
        unsafe {
            let first = signs(start);
            if first != 0 {
                return first.trailing_zeros() as usize;
            }
            let mut at = ascii_steps(src, BLOCK - start as usize % BLOCK);
            while at + BLOCK <= src.len() {
                let signs = signs(start.add(at));
                if signs != 0 {
                    return at + signs.trailing_zeros() as usize;
                }
                at += BLOCK;
            }
            let last = src.len() - BLOCK;
            match signs(start.add(last)) {
                0 => src.len(),
                signs => last + signs.trailing_zeros() as usize,
            }
        }
    }

    /// Passes over steps of ASCII from `at` on: returns the first that is none or is not whole.
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
    unsafe fn signs(p: *const u8) -> u64 {
        // SAFETY: the caller's promise.
        _mm512_movepi8_mask(unsafe { _mm512_loadu_si512(p.cast()) })
    }
}
