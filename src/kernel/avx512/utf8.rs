//! UTF-8 validation on AVX-512: sticky modes over chunks, masks at both ends.
//!
//! # Rules, as arithmetic
//! A byte string is UTF-8 iff (1) the continuation bytes stand exactly where the lead bytes ask
//! for them, and (2) every second byte is in the range of its lead (Table 3-7). For (1), with one
//! bit per byte, `leads << 1 | leads of three and four << 2 | leads of four << 3` must equal
//! `continuations`. For (2) a table, indexed by a lead's low six bits, holds an addend such that
//! `addend + second byte` has its top bit set iff that byte is refused. Most leads take every
//! continuation byte; only where a *particular* one is about is rule (2) looked at.
//!
//! In Corrected UTF-8 there is rule (1) alone: every lead takes every continuation byte. So it is the
//! same code with other tables, in which nothing is particular but what is left to the machine.
//!
//! # The way of an input
//! Up to 63 bytes are one masked load ([`Window`] where a page ends), and these masks: no loop, and
//! no branch but for "all ASCII" and "none particular". Up to 512 bytes go block by block, the last
//! block overlapping the one before it. Longer inputs go through the [`loops`], from the first line
//! boundary on, and what these leave over, again block by block.

mod classes;
mod loops;

use super::arch::*;
use super::ascii::STEP;
use super::ends::low;
use super::{BLOCK, PAGE, Window};
use crate::kernel::shared::adaptive::{Mode, drive};
use crate::kernel::shared::boundary::boundary_before;

use classes::{Masks, classify, opaque};
use loops::{Loops, Seen, longest};

pub(super) use classes::{REFUSED_BY_LATIN1, rules, table};
pub(super) use loops::follow;

/// The longest input for which the place behind its end, where the next byte of an unfinished
/// character is missing, still has a bit in the masks of one block.
const SHORT: usize = BLOCK - 1;

avx512! {
    /// The length of a well-formed prefix of `src`, in UTF-8 or Corrected UTF-8; see the contract of the kernels.
    pub(in crate::kernel) unsafe fn valid_prefix<const CORRECTED: bool>(src: &[u8]) -> usize {
        if src.len() <= SHORT {
            short::<CORRECTED>(src)
        } else if src.len() <= 2 * STEP {
            if src.len() <= STEP && ascii_ends(src) {
                return src.len();
            }
            remainder::<CORRECTED>(src, 0)
        } else {
            long::<CORRECTED>(src)
        }
    }

    /// Up to [`SHORT`] bytes: one masked load, and room behind them for what is missing.
    #[inline]
    fn short<const CORRECTED: bool>(src: &[u8]) -> usize {
        let p = src.as_ptr();
        if p as usize % PAGE > PAGE - BLOCK || src.is_empty() {
            return within_window::<CORRECTED>(src);
        }
        let lanes = low(src.len());
        // SAFETY: the lanes are the bytes of `src`.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(lanes, p.cast()) };
        if opaque(_mm512_movepi8_mask(bytes)) == 0 {
            return src.len();
        }
        // SAFETY: the lanes are the bytes of `src` but the first.
        let masks = unsafe { classify::<CORRECTED>(bytes, p.wrapping_add(1), lanes >> 1) };
        match masks.first_error(0) {
            None => src.len(),
            Some(flagged) => boundary_before(src, flagged.min(src.len())),
        }
    }

    /// Whether the first and the last two blocks are ASCII, of an input that is no longer than that.
    #[inline]
    fn ascii_ends(src: &[u8]) -> bool {
        let last = src.len() - BLOCK;
        let half = BLOCK.min(last);
        // SAFETY: none of these begins behind `last`, where the last block begins.
        let [a, b, c, d] = [0, half, last - half, last].map(|at| unsafe { block(src, at) });
        _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) == 0
    }

    /// A long input: its first block, of which the modes need no more than what is before a line
    /// boundary; then the rest.
    #[inline]
    fn long<const CORRECTED: bool>(src: &[u8]) -> usize {
        // SAFETY: there is much more than a block.
        let first = unsafe { classify::<CORRECTED>(block(src, 0), src.as_ptr().add(1), !0) };
        match first.first_error(0) {
            Some(flagged) => boundary_before(src, flagged),
            None if first.signs == 0 => bulk::<CORRECTED>(src, Mode::Sparse),
            None => bulk::<CORRECTED>(src, longest(first.threes, first.fours).mode()),
        }
    }

    /// The rest of a long input: the modes, beginning with `mode`, and the remainder.
    #[inline(never)]
    fn bulk<const CORRECTED: bool>(src: &[u8], mode: Mode) -> usize {
        let at = BLOCK - src.as_ptr() as usize % BLOCK;
        // SAFETY: `at` is within `src`, and `mode` is that of the bytes before it.
        match unsafe { drive::<Loops<CORRECTED>>(src, at, mode) } {
            Ok(at) => remainder::<CORRECTED>(src, boundary_before(src, at)),
            Err(boundary) => boundary,
        }
    }

    /// So many blocks from the character boundary `at` on: what they hold, and the bits of the bytes
    /// behind them that must be continuation bytes; or the boundary before the first error. There
    /// must be a byte behind them.
    #[inline]
    fn blocks<const CORRECTED: bool>(src: &[u8], at: usize, count: usize) -> Result<(Seen, u64), usize> {
        debug_assert!(src.len() - at > count * BLOCK);
        let mut seen = Seen::default();
        let mut open = 0;
        for block in 0..count {
            // SAFETY: the callers have more than these blocks.
            let masks = unsafe { whole_block::<CORRECTED>(src, at + block * BLOCK, &mut open)? };
            seen.threes |= masks.threes;
            seen.fours |= masks.fours;
        }
        Ok((seen, open))
    }

    /// One block at `at`; or the boundary before its first error.
    ///
    /// # Safety
    /// There must be a byte behind it.
    #[inline]
    unsafe fn whole_block<const CORRECTED: bool>(src: &[u8], at: usize, open: &mut u64) -> Result<Masks, usize> {
        // SAFETY: the caller's promise.
        let bytes = unsafe { block(src, at) };
        if opaque(_mm512_movepi8_mask(bytes)) | *open == 0 {
            return Ok(Masks::default());
        }
        // SAFETY: there is more than a block from `at` on.
        let masks = unsafe { classify::<CORRECTED>(bytes, src.as_ptr().add(at + 1), !0) };
        if let Some(flagged) = masks.first_error(*open) {
            return Err(boundary_before(src, at + flagged));
        }
        *open = masks.open();
        Ok(masks)
    }

    /// What is left from the character boundary `at` on, without modes. `src` is at least a block.
    fn remainder<const CORRECTED: bool>(src: &[u8], mut at: usize) -> usize {
        let mut open = 0;
        while src.len() - at > BLOCK {
            // SAFETY: there is more than a block.
            if let Err(boundary) = unsafe { whole_block::<CORRECTED>(src, at, &mut open) } {
                return boundary;
            }
            at += BLOCK;
        }

        // The last block ends with the input; its first `known` bytes are judged already.
        let last = src.len() - BLOCK;
        let known = at - last;
        // SAFETY: `src` is at least a block, and so `last` is where its last one begins.
        let bytes = unsafe { block(src, last) };
        if opaque(_mm512_movepi8_mask(bytes)) | open == 0 {
            return src.len();
        }
        // SAFETY: all but the last lane are bytes of `src`.
        let masks = unsafe { classify::<CORRECTED>(bytes, src.as_ptr().add(last + 1), !0 >> 1) };
        // The bytes before the block may have characters open in it: nothing is known of those
        // but for `open`, so the mask is that of the bytes that are not known yet.
        let errors = (masks.misplaced(open << known) >> known, masks.refused, masks.open());
        if errors == (0, 0, 0) {
            return src.len();
        }
        let flagged = errors.0.trailing_zeros() as usize + at;
        let refused = masks.refused.trailing_zeros() as usize + last + 1;
        boundary_before(src, flagged.min(refused).min(src.len()))
    }

    /// Less than a block, near the end of a page.
    #[cold]
    #[inline(never)]
    fn within_window<const CORRECTED: bool>(src: &[u8]) -> usize {
        if src.is_empty() {
            return 0;
        }
        let window = Window::over(src);
        // SAFETY: the lanes of the window are the bytes of `src`, and those of the second load
        // are these without the first byte.
        let masks = unsafe {
            let bytes = _mm512_maskz_loadu_epi8(window.lanes, window.base.cast());
            classify::<CORRECTED>(bytes, window.base.wrapping_add(1), window.lanes >> 1)
        };
        match masks.first_error(0) {
            None if masks.open() == 0 => src.len(),
            flagged => {
                let flagged = flagged.unwrap_or(BLOCK) - window.shift;
                boundary_before(src, flagged.min(src.len()))
            }
        }
    }

    /// The 64 bytes of `src` from `at` on.
    ///
    /// # Safety
    /// There must be as many.
    #[inline]
    unsafe fn block(src: &[u8], at: usize) -> __m512i {
        debug_assert!(src.len() - at >= BLOCK);
        // SAFETY: the caller's promise.
        unsafe { _mm512_loadu_si512(src.as_ptr().add(at).cast()) }
    }
}
