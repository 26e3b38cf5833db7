//! UTF-8 validation on AVX-512: adaptive loops over chunks, masks at both ends.
//!
//! # The rules as arithmetic
//! A byte string is UTF-8 if and only if (1) the continuation bytes stand exactly where lead bytes require them, and
//! (2) every second byte is in the range that its lead byte allows (Table 3-7). For (1), with one bit per byte,
//! `leads << 1 | leads of three and four << 2 | leads of four << 3` must equal `continuations`. For (2) a table,
//! indexed by the low six bits of a lead byte, holds an addend such that `addend + second byte` has its top bit set if
//! and only if that byte is not allowed. Most lead bytes allow every continuation byte. Only if there is a *special*
//! one, which does not, is rule (2) checked.
//!
//! In Corrected UTF-8 there is only rule (1): every lead byte allows every continuation byte. So it is the same code
//! with other tables, in which nothing is special except what is left to the codec.
//!
//! # The path of an input
//! Up to 63 bytes are one masked load ([`MaskedLoad`] near the end of a page) and these masks: no loop, and no branch
//! but for "all ASCII" and "none special". Up to 512 bytes are checked block by block, the last block overlapping the
//! one before it. Longer inputs go through the loops of [`lines`](crate::kernel::shared::lines), from the first cache line boundary on, and what these leave
//! over is checked block by block again.
//!
//! The lines are judged in vectors, without masks ([`unit`]), as on Zen 4 a mask costs two cycles on its way to a general
//! register. That takes half as long for a block, but several loads, and one test says only that there is an error somewhere in
//! several blocks. Up to 512 bytes it was the slower by 5 to 10 %.

mod classes;
mod groups;
mod open;
mod sections;
mod unit;

use super::BLOCK;
use super::arch::*;
use super::ascii::STEP;
use super::memory::{MaskedLoad, PAGE, low_bits};
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{self, Run, drive};
use crate::kernel::shared::opaque::opaque;

use classes::{Masks, classify};

pub(super) use classes::{REJECTED_BY_LATIN1, rules};
pub(super) use open::{OpenLeads, shift_in};
pub(super) use sections::{Found, to_judge};
pub(super) use unit::{Errors, level, longest, look, no_errors, places, unit as errors_at};

/// The loops for long text.
struct Lines;

impl<const CORRECTED: bool> lines::Lines<CORRECTED> for Lines {
    // Not inlined: from Rust 1.95 on that is up to the compiler for functions with target features, such as those that are called
    // here, and one function for all loops has too few registers.
    #[inline(never)]
    unsafe fn groups<const MOST: usize>(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { groups::groups::<MOST, CORRECTED>(src, at) }
    }

    #[inline(never)]
    unsafe fn sections<const MOST: usize>(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { sections::sections::<MOST, CORRECTED>(src, at) }
    }
}

/// The longest input for which the position behind its end, where an incomplete character lacks its next byte, still
/// has a bit in the masks of one block.
const SHORT: usize = BLOCK - 1;

avx512! {
    /// The length of a well-formed prefix of `src`, in UTF-8 or Corrected UTF-8; see the contract of the kernels.
    pub(in crate::kernel) unsafe fn valid_prefix<const CORRECTED: bool>(src: &[u8]) -> usize {
        if src.len() <= SHORT {
            short::<CORRECTED>(src)
        } else if src.len() <= 2 * STEP {
            if src.len() <= STEP && is_ascii(src) {
                return src.len();
            }
            remainder::<CORRECTED>(src, 0)
        } else {
            long::<CORRECTED>(src)
        }
    }

    /// Up to [`SHORT`] bytes: one masked load, with a lane behind them for what is missing.
    #[inline]
    fn short<const CORRECTED: bool>(src: &[u8]) -> usize {
        let p = src.as_ptr();
        if p as usize % PAGE > PAGE - BLOCK || src.is_empty() {
            return near_page_end::<CORRECTED>(src);
        }
        let lanes = low_bits(src.len());
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

    /// Whether an input of one to four blocks is ASCII: the first two blocks and the last two, which may overlap.
    #[inline]
    fn is_ascii(src: &[u8]) -> bool {
        let last = src.len() - BLOCK;
        let half = BLOCK.min(last);
        // SAFETY: none of these blocks begins behind `last`, where the last block begins.
        let [a, b, c, d] = [0, half, last - half, last].map(|at| unsafe { block(src, at) });
        _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) == 0
    }

    /// A long input: its first block, which covers what is before the first line; then the lines; then the rest.
    #[inline(never)]
    fn long<const CORRECTED: bool>(src: &[u8]) -> usize {
        let mut at = BLOCK - src.as_ptr() as usize % BLOCK;
        // SAFETY: there are many blocks, and the lines begin at least three bytes behind the start.
        unsafe {
            let first = match whole_block::<CORRECTED>(src, 0, &mut 0) {
                Ok(masks) => masks,
                Err(boundary) => return boundary,
            };
            if at < 3 {
                if let Err(boundary) = look::<CORRECTED>(src, BLOCK, 1) {
                    return boundary;
                }
                at += BLOCK;
            }
            let longest = if first.fours != 0 {
                4
            } else if first.threes != 0 || first.leads.count_ones() < 16 {
                // A letter of two bytes now and then says nothing about what follows.
                3
            } else {
                2
            };
            match drive::<Lines, CORRECTED>(src, at, longest) {
                Ok(at) => remainder::<CORRECTED>(src, boundary_before(src, at)),
                Err(boundary) => boundary,
            }
        }
    }

    /// Checks one block at `at`: returns its masks, or the boundary before its first error.
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

    /// Checks what is left from the character boundary `at` on, without the loops. `src` is at least a block.
    fn remainder<const CORRECTED: bool>(src: &[u8], mut at: usize) -> usize {
        let mut open = 0;
        while src.len() - at > BLOCK {
            // SAFETY: there is more than a block.
            if let Err(boundary) = unsafe { whole_block::<CORRECTED>(src, at, &mut open) } {
                return boundary;
            }
            at += BLOCK;
        }

        // The last block ends with the input; its first `known` bytes have been checked already.
        let last = src.len() - BLOCK;
        let known = at - last;
        // SAFETY: `src` is at least a block, and so `last` is where its last one begins.
        let bytes = unsafe { block(src, last) };
        if opaque(_mm512_movepi8_mask(bytes)) | open == 0 {
            return src.len();
        }
        // SAFETY: all but the last lane are bytes of `src`.
        let masks = unsafe { classify::<CORRECTED>(bytes, src.as_ptr().add(last + 1), !0 >> 1) };
        // A character before the block may continue in it. Only `open` tells about that, so only the bytes that have
        // not been checked yet are considered.
        let errors = (masks.misplaced(open << known) >> known, masks.disallowed, masks.open());
        if errors == (0, 0, 0) {
            return src.len();
        }
        let flagged = errors.0.trailing_zeros() as usize + at;
        let disallowed = masks.disallowed.trailing_zeros() as usize + last + 1;
        boundary_before(src, flagged.min(disallowed).min(src.len()))
    }

    /// Less than a block, near the end of a page.
    #[cold]
    #[inline(never)]
    fn near_page_end<const CORRECTED: bool>(src: &[u8]) -> usize {
        if src.is_empty() {
            return 0;
        }
        let load = MaskedLoad::of(src);
        // SAFETY: the lanes are the bytes of `src`, and those of the second load are these without the first byte.
        let masks = unsafe {
            let bytes = _mm512_maskz_loadu_epi8(load.lanes, load.base.cast());
            classify::<CORRECTED>(bytes, load.base.wrapping_add(1), load.lanes >> 1)
        };
        match masks.first_error(0) {
            None if masks.open() == 0 => src.len(),
            flagged => {
                let flagged = flagged.unwrap_or(BLOCK) - load.shift;
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
