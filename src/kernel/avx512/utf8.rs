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
//! | bytes | |
//! |--:|---|
//! | up to 63 | one masked load ([`MaskedLoad`] near the end of a page) and these masks: no loop, and no branch but for "all ASCII" |
//! | 256 | two or four blocks, the last of which overlaps the one before it, with the one question whether all are ASCII |
//! | 1 KiB | ASCII is skipped, four blocks at a time, and all behind it is judged, [one line after the other](straight); on Zen 5 it goes in [`mod@pieces`] |
//! | more | [`mod@long`] text: by sections of lines, straight, or by the loops of [`lines`](crate::kernel::shared::lines) |
//!
//! Lines are judged in vectors, without masks ([`mod@unit`]), because a mask costs two cycles on its way to a general register (Zen
//! 4). For a block, that takes half as long, but several loads, and the one test says only that there is an error somewhere in
//! several blocks.
//!
//! Short texts differ from each other, so what costs time is not the work but the unpredictable branches: whether the next bytes are
//! ASCII, and when a loop ends. Measured with texts cut from 20 mixed ones, all different, as a mean, on AMD Zen 5 unless stated
//! otherwise:
//!
//! - 64 to 256 bytes: four blocks without a loop are 1.12 times as fast as pieces of two blocks, and these are 1.1 times as fast as
//!   pieces in a loop.
//! - On Intel Granite Rapids, 64 to 128 bytes take two thirds to four fifths of the time, because they are now two blocks instead of always
//!   three, and because the first block is judged by shifting registers together instead of by masked loads that look back; with the latter
//!   change, texts of 256 to 512 bytes take 0.97 of the time as well.
//! - 256 to 1024 bytes: pieces of eight blocks are 1.15 times as fast as pieces of two (JSON and HTML 1.7, text that is hardly ASCII 0.9),
//!   pieces of four 1.02, of sixteen 1.09. Both loops always have the same number of turns, over addresses that are limited to the last
//!   block: 1.06 times as fast as loops that end with the text. After a piece that is not ASCII, the next is judged without a test for
//!   ASCII: 1.07 times as fast (JSON and HTML 1.15, English 0.96). On Zen 4, where a line takes twice as long, judging all lines after the
//!   ASCII is 1.25 times as fast as these pieces (Polish words 1.4, a log 1.3, emoji 1.15), since there are only as many lines as the text
//!   has, and their level is that of the longest character in the first four blocks.
//!
//! What did not help: for 64 to 256 bytes one question whether all is ASCII, in front of the branch between two blocks and four. ASCII of 1 to 200
//! bytes takes 5.0 ns instead of 6.4, but mixed text of 100 bytes 11.6 instead of 8.7, and text of one other script 7.5 instead of 6.3 (AMD Zen 4).
//!
//! An error in the first block is returned at once. (Judging the whole block again by a general search cost two nanoseconds.)

mod classes;
mod errors;
mod far;
mod groups;
mod long;
mod open;
mod pieces;
mod sections;
mod straight;
#[cfg(test)]
mod tests;
mod unit;

use super::BLOCK;
use super::arch::*;
use super::memory::{MaskedLoad, PAGE, low_bits};
use crate::kernel::cpu::Model;
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{Start, closed};
use crate::kernel::shared::opaque::opaque;

use classes::classify;
use long::long;
use pieces::pieces;
use unit::{Level, judged, unit, unit_behind};

pub(super) use classes::{REJECTED_BY_LATIN1, rules};
pub(in crate::kernel) use errors::errors_of_lines;
pub(super) use open::{OpenLeads, shift_in};
pub(super) use sections::{Found, to_judge};
pub(super) use unit::{Errors, level, longest, look, no_errors, places, unit as errors_at};

/// The longest input for which the position behind its end, where an incomplete character lacks its next byte, still
/// has a bit in the masks of one block.
const SHORT: usize = BLOCK - 1;

/// Up to so many blocks are judged without a loop.
const TWO: usize = 2 * BLOCK;
const FOUR: usize = 4 * BLOCK;

/// The least that goes by lines.
const LONG: usize = 1024;

avx512! {
    /// The length of a well-formed prefix of `src`, in UTF-8 or Corrected UTF-8; see the contract of the kernels.
    pub(in crate::kernel) unsafe fn valid_prefix<const CORRECTED: bool>(src: &[u8], start: Start) -> usize {
        if src.len() <= SHORT {
            short::<CORRECTED>(src)
        } else if src.len() <= TWO {
            two::<CORRECTED>(src)
        } else if src.len() <= FOUR {
            four::<CORRECTED>(src)
        } else if src.len() < LONG {
            if Model::current() == Model::Zen5 { pieces::<CORRECTED>(src) } else { behind_ascii::<CORRECTED>(src) }
        } else {
            long::<CORRECTED>(src, start)
        }
    }

    /// Up to [`SHORT`] bytes: one masked load, with a lane behind them for what is missing.
    #[inline]
    fn short<const CORRECTED: bool>(src: &[u8]) -> usize {
        let p = src.as_ptr();
        // (What is classified is loaded from the second byte on, a block of it.)
        if p as usize % PAGE >= PAGE - BLOCK || src.is_empty() {
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

    /// One block or two, the last of which may overlap the first.
    #[inline]
    fn two<const CORRECTED: bool>(src: &[u8]) -> usize {
        let last = src.len() - BLOCK;
        // SAFETY: neither of these blocks begins behind `last`.
        unsafe {
            let (a, b) = (block(src, 0), block(src, last));
            if _mm512_movepi8_mask(_mm512_or_si512(a, b)) == 0 {
                return src.len();
            }
            let level = level::<4, CORRECTED>();
            let errors = errors_of_first(&level, a);
            let errors = errors_of_block(&level, errors, src, last);
            if places(errors) == 0 { closed(src) } else { first_error::<CORRECTED>(src, 0, src.len()) }
        }
    }

    /// More than two blocks, up to four. The last may overlap the one before it; where there are but three, it is judged twice.
    #[inline(never)]
    fn four<const CORRECTED: bool>(src: &[u8]) -> usize {
        let last = src.len() - BLOCK;
        let third = last.min(2 * BLOCK);
        // SAFETY: none of these blocks begins behind `last`.
        unsafe {
            let (a, b, c, d) = (block(src, 0), block(src, BLOCK), block(src, third), block(src, last));
            if _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) == 0 {
                return src.len();
            }
            let level = level::<4, CORRECTED>();
            let start = src.as_ptr();
            let errors = errors_of_first(&level, a);
            let errors = unit::<4>(&level, errors, start.add(BLOCK), b);
            let errors = unit::<4>(&level, errors, start.add(third), c);
            let errors = unit::<4>(&level, errors, start.add(last), d);
            if places(errors) == 0 { closed(src) } else { first_error::<CORRECTED>(src, 0, src.len()) }
        }
    }

    /// More than four blocks: what is ASCII is skipped, four blocks at a time, and all behind that is judged.
    #[inline(never)]
    fn behind_ascii<const CORRECTED: bool>(src: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let piece = at.min(src.len() - FOUR);
            // SAFETY: these four blocks are within `src`.
            let all = unsafe {
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| block(src, piece + i * BLOCK));
                _mm512_max_epu8(_mm512_max_epu8(a, b), _mm512_max_epu8(c, d))
            };
            if _mm512_movepi8_mask(all) != 0 {
                // SAFETY: what is before is ASCII, and four blocks follow.
                return unsafe {
                    let (_, rest) = src.split_at_unchecked(piece);
                    piece + straight::all::<CORRECTED>(rest, longest(all))
                };
            }
            at = piece + FOUR;
            if at == src.len() {
                return at;
            }
        }
    }

    /// The boundary before the first error of `src` in the blocks from `at` on, to the one that reaches `end`; or `end`.
    #[cold]
    #[inline(never)]
    fn first_error<const CORRECTED: bool>(src: &[u8], mut at: usize, end: usize) -> usize {
        let level = level::<4, CORRECTED>();
        loop {
            at = at.min(src.len() - BLOCK);
            // SAFETY: the last block begins so many bytes before the end.
            let places = unsafe { places(errors_of_block(&level, no_errors(), src, at)) };
            if places != 0 {
                return boundary_before(src, at + places.trailing_zeros() as usize);
            }
            at += BLOCK;
            if at >= end {
                return end;
            }
        }
    }

    /// The errors of the first block of a text, which nothing is before.
    #[inline]
    fn errors_of_first(level: &Level, bytes: __m512i) -> Errors {
        unit_behind(level, no_errors(), bytes, _mm512_setzero_si512())
    }

    /// `before`, and the errors of the block at `at`, wherever that is.
    ///
    /// # Safety
    /// It must be within `src`.
    #[inline]
    unsafe fn errors_of_block(level: &Level, before: Errors, src: &[u8], at: usize) -> Errors {
        // SAFETY: the caller's promise; what is before the start is not loaded.
        unsafe {
            let bytes = block(src, at);
            judged::<4>(level, before, bytes, |back| {
                _mm512_maskz_loadu_epi8(!0 << back.saturating_sub(at), src.as_ptr().add(at).wrapping_sub(back).cast())
            })
        }
    }

    /// Less than a block, near the end of a page: as a copy that is not.
    #[cold]
    #[inline(never)]
    fn near_page_end<const CORRECTED: bool>(src: &[u8]) -> usize {
        if src.is_empty() {
            return 0;
        }
        /// Two blocks, so that none begins in the last one of a page.
        #[repr(align(128))]
        struct Blocks([u8; 2 * BLOCK]);

        let load = MaskedLoad::of(src);
        let mut copy = Blocks([0; 2 * BLOCK]);
        // SAFETY: the lanes are the bytes of `src`; in the copy they begin in the first block.
        let copied = unsafe {
            let bytes = _mm512_maskz_loadu_epi8(load.lanes, load.base.cast());
            let to = copy.0.as_mut_ptr();
            _mm512_store_si512(to.cast(), bytes);
            core::slice::from_raw_parts(to.add(load.shift), src.len())
        };
        // SAFETY: the instruction set is there.
        unsafe { valid_prefix::<CORRECTED>(copied, Start::OfText) }
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
