//! The test of a line: 64 bytes, and the three before them.
//!
//! The [two rules](super) in vectors, with the top bit of each byte for yes or no, and loads one, two and three bytes back: `back(n)`.
//!
//! - `subs(back(1), 40)`, unsigned and saturated, has the top bit if and only if the byte before is a lead byte, C0..FF; with 60 and 70,
//!   and two and three bytes back, if that byte is a lead byte of three or four bytes. If one of these results has the top bit, this
//!   byte must be a continuation byte.
//! - `adds(bytes, 40)`, signed and saturated, has it if and only if this byte is a continuation byte.
//! - The addend for the lead byte before, which [`classes`](super::classes) explains, plus this byte, has it if and only if the pair
//!   is not allowed.
//!
//! Characters of up to four bytes take nine operations and three more loads. A *level* of three bytes does without `back(3)`: its table
//! refuses every second byte of a longer character. A level of two does without `back(2)` as well, and its table refuses the lead bytes.
//!
//! Zen 4 takes 3.2, 5 and 6.4 cycles for a line at the three levels; the same with masks took 11 to 13. Zen 5 takes 1.75, 2.6 and 3.2.
//! There the loads are the limit, because a load that crosses a cache line, as all of these do, counts as two. So at the level of four
//! bytes `back(1)` is made from `back(2)` instead: one operation more, one load less, and 83 GB/s of emoji instead of 73 (AMD Zen 5). On
//! Intel, where operations should be the limit and not loads, llvm-mca says 6.8 cycles instead of 5.0 for a line of a group; measured on a
//! Granite Rapids, it is up to 1.04 times as fast there, too. At the level of three bytes the trade is the same, and was no gain: 99 GB/s
//! instead of 102 (AMD Zen 5). Making all three from `load(p - 4)` was slower at both levels, 70 and 89 GB/s. (`vpalignr` of `load(p - 1)`
//! and `load(p - 17)` is as fast, but there are not always 17 bytes before.)
//!
//! Shifting registers together, without any load that looks back, is used for text from memory ([`far`](super::far)); in caches it is
//! slower: 66 GB/s on Zen 5, and 28 instead of 38 on Zen 4.
//!
//! The errors of many lines are summed up in two registers: with one register, each line waited for two operations of the line
//! before, and took a third longer.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::registers::{A, B, C, load_table};
use super::classes::rules;
use crate::kernel::shared::boundary::boundary_before;

/// The errors of some lines: there is one at each byte whose top bit is set in one of the two.
#[derive(Clone, Copy)]
pub(in crate::kernel::avx512) struct Errors {
    /// Continuation bytes that no lead byte requires, and other bytes where one is required.
    misplaced: __m512i,
    /// Second bytes that their lead byte does not allow.
    refused: __m512i,
}

impl Errors {
    /// Both in one register.
    #[inline(always)]
    pub(in crate::kernel::avx512) fn all(self) -> __m512i {
        // SAFETY: a register of this type exists, so the instruction set is there.
        unsafe { _mm512_or_si512(self.misplaced, self.refused) }
    }
}

/// The table and the constants of a level.
#[derive(Clone, Copy)]
pub(in crate::kernel::avx512) struct Level {
    second: __m512i,
    two: __m512i,
    three: __m512i,
    four: __m512i,
}

avx512! {
    /// The constants for characters of up to `MOST` bytes, 2 to 4. Longer ones are errors.
    #[inline]
    pub(in crate::kernel::avx512) fn level<const MOST: usize, const CORRECTED: bool>() -> Level {
        let rules = rules(CORRECTED);
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        Level {
            second: load_table(match MOST {
                2 => &rules.rejected_by_two,
                3 => &rules.second_of_three,
                _ => &rules.second,
            }),
            two: splat(0xC0 - 0x80),
            three: splat(0xE0 - 0x80),
            four: splat(0xF0 - 0x80),
        }
    }

    /// No errors.
    #[inline]
    pub(in crate::kernel::avx512) fn no_errors() -> Errors {
        Errors { misplaced: _mm512_setzero_si512(), refused: _mm512_setzero_si512() }
    }

    /// The places of the errors, one bit for each byte.
    #[inline]
    pub(in crate::kernel::avx512) fn places(errors: Errors) -> u64 {
        _mm512_movepi8_mask(_mm512_or_si512(errors.misplaced, errors.refused))
    }

    /// `before`, and the errors of `bytes`, where `back` loads the register that begins so many bytes earlier.
    #[inline]
    pub(super) fn judged<const MOST: usize>(level: &Level, before: Errors, bytes: __m512i, back: impl Fn(usize) -> __m512i) -> Errors {
        let Errors { misplaced, refused } = before;
        let previous = back(1);
        let second = _mm512_subs_epu8(previous, level.two);
        let continuation = _mm512_adds_epi8(bytes, level.two);
        let rule = _mm512_permutexvar_epi8(previous, level.second);
        if MOST == 2 {
            return Errors {
                misplaced: _mm512_ternarylogic_epi64::<{ A | (B ^ C) }>(misplaced, second, continuation),
                refused: _mm512_ternarylogic_epi64::<{ A | (B & C) }>(refused, second, rule),
            };
        }
        let rule = _mm512_add_epi8(rule, bytes);
        let third = _mm512_subs_epu8(back(2), level.three);
        let misplaced = if MOST == 3 {
            let here = _mm512_ternarylogic_epi64::<{ (A | B) ^ C }>(second, third, continuation);
            _mm512_or_si512(misplaced, here)
        } else {
            let fourth = _mm512_subs_epu8(back(3), level.four);
            let required = _mm512_ternarylogic_epi64::<{ A | B | C }>(second, third, fourth);
            _mm512_ternarylogic_epi64::<{ A | (B ^ C) }>(misplaced, required, continuation)
        };
        Errors { misplaced, refused: _mm512_ternarylogic_epi64::<{ A | (B & C) }>(refused, second, rule) }
    }

    /// `before`, and the errors of the 64 bytes at `p`, which are `bytes`.
    ///
    /// # Safety
    /// They must be readable, and so must the three bytes before them.
    #[inline]
    pub(in crate::kernel::avx512) unsafe fn unit<const MOST: usize>(level: &Level, before: Errors, p: *const u8, bytes: __m512i) -> Errors {
        // SAFETY: the caller's promise.
        let load = |back: usize| unsafe { _mm512_loadu_si512(p.sub(back).cast()) };
        if MOST < 4 {
            return judged::<MOST>(level, before, bytes, load);
        }
        let (two, three) = (load(2), load(3));
        judged::<MOST>(level, before, bytes, |back| match back {
            // Of each pair of bytes here the first, and the last of the pair before it.
            1 => _mm512_shldi_epi16::<8>(bytes, two),
            2 => two,
            _ => three,
        })
    }

    /// `before`, and the errors of `bytes`, which follow the 64 bytes of `previous`; with characters of up to four bytes.
    #[inline]
    pub(super) fn unit_behind(level: &Level, before: Errors, bytes: __m512i, previous: __m512i) -> Errors {
        // The last part of what is before, and all parts but the last.
        let parts = _mm512_alignr_epi64::<6>(bytes, previous);
        judged::<4>(level, before, bytes, |back| match back {
            1 => _mm512_alignr_epi8::<15>(bytes, parts),
            2 => _mm512_alignr_epi8::<14>(bytes, parts),
            _ => _mm512_alignr_epi8::<13>(bytes, parts),
        })
    }

    /// The boundary before the first error in the lines of `which`, counted from `at` on, each judged by itself at the highest
    /// level; or, if there is none, the length of the longest character. For lines in which a loop has found errors, and for
    /// what its level refuses.
    ///
    /// # Safety
    /// The lines and the three bytes before them must be readable. Lines that are not in `which` must be without errors.
    #[inline(never)]
    pub(in crate::kernel::avx512) unsafe fn look<const CORRECTED: bool>(src: &[u8], at: usize, mut which: u64) -> Result<usize, usize> {
        let level = level::<4, CORRECTED>();
        let mut greatest = _mm512_setzero_si512();
        while which != 0 {
            let at = at + BLOCK * which.trailing_zeros() as usize;
            // SAFETY: the caller's promise.
            let places = unsafe {
                let p = src.as_ptr().add(at);
                let bytes = _mm512_loadu_si512(p.cast());
                greatest = _mm512_max_epu8(greatest, bytes);
                places(unit::<4>(&level, no_errors(), p, bytes))
            };
            if places != 0 {
                return Err(boundary_before(src, at + places.trailing_zeros() as usize));
            }
            which &= which - 1;
        }
        Ok(longest(greatest))
    }

    /// The length of the longest character of text with these greatest bytes; of ASCII it is 2, the lowest level.
    #[inline]
    pub(in crate::kernel::avx512) fn longest(greatest: __m512i) -> usize {
        let any = |least: u8| usize::from(_mm512_cmpge_epu8_mask(greatest, _mm512_set1_epi8(least as i8)) != 0);
        2 + any(0xE0) + any(0xF0)
    }
}
