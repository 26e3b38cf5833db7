//! Groups: text of one kind, on AVX-512. See [`lines`](crate::kernel::shared::lines).
//!
//! # Figures
//! AMD EPYC (Zen 4), GB/s, texts of 90 to 160 KB; before: loops for scripts; peer: the best of simdutf, simdutf8 and encoding_rs.
//!
//! | | peer | before | now | | peer | before | now |
//! |---|---|---|---|---|---|---|---|
//! | Markdown, German | 52 | 40 | 72 | Chinese | 19 | 29 | 40 |
//! | Markdown, English | 79 | 71 | 100 | Russian | 19 | 57 | 56 |
//! | Markdown, Japanese | 30 | 31 | 51 | emoji | 19 | 18 | 34 |
//! | tweets in JSON | 53 | 54 | 76 | Rust sources | 97 | 104 | 107 |
//!
//! # What did not help
//! - Errors of the four lines of a group in registers of their own, to find the place without judging them again: 5 to 10 %
//!   slower on dense text, and no faster with an error in each KiB.
//! - Keeping the last line of a group to know whether a character is incomplete, instead of a load three bytes back: nothing.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::ascii::ascii_steps;
use super::super::memory::prefetch;
use super::unit::{level, longest, no_errors, places, unit};
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{FAR, GROUP, Groups, LINES, Next, Run, before, begins_nothing, is_beyond};
use crate::kernel::shared::opaque::opaque;

avx512! {
    /// Text of one kind, group by group: characters of up to `MOST` bytes.
    ///
    /// # Safety
    /// As for [`drive`](crate::kernel::shared::lines::drive).
    #[inline(never)]
    pub(super) unsafe fn groups<const MOST: usize, const CORRECTED: bool>(src: &[u8], mut at: usize) -> Run {
        let constants = level::<MOST, CORRECTED>();
        // Something rare within much ASCII may well be an error: its first byte is looked at before all others.
        let mut rare = before(src, at)[2].is_ascii();
        let mut exact = is_beyond(src, at, MOST);
        let mut greatest = _mm512_setzero_si512();
        let mut last = Groups::new();
        while src.len() - at > GROUP {
            // SAFETY: more than a group is left, and three bytes are before it.
            unsafe {
                let p = src.as_ptr().add(at);
                let load = |i: usize| _mm512_loadu_si512(p.add(i * BLOCK).cast());
                let bytes = [load(0), load(1), load(2), load(3)];
                let any = _mm512_or_si512(_mm512_or_si512(bytes[0], bytes[1]), _mm512_or_si512(bytes[2], bytes[3]));
                // Nor are the three bytes before: no character is incomplete.
                let any = _mm512_or_si512(any, _mm512_loadu_si512(p.sub(3).cast()));
                if _mm512_movepi8_mask(any) == 0 {
                    let to = ascii_steps(src, at + GROUP);
                    last.skipped(to - at);
                    at = to;
                } else {
                    if rare {
                        rare = false;
                        let first = at + first_set(bytes.map(|bytes| _mm512_movepi8_mask(bytes)));
                        if begins_nothing(src, first) {
                            return Run { at: first, next: Next::IllFormed };
                        }
                    }
                    let mut errors = no_errors();
                    if !exact {
                        for (i, bytes) in bytes.into_iter().enumerate() {
                            prefetch(p.add(i * BLOCK));
                            errors = unit::<MOST>(&constants, errors, p.add(i * BLOCK), bytes);
                        }
                        exact = places(errors) != 0;
                    }
                    if exact {
                        match look_at_group::<CORRECTED>(src, at) {
                            Ok(longest) if longest <= MOST => exact = false,
                            Ok(longest) => return Run { at: at + GROUP, next: Next::groups(longest) },
                            Err(boundary) => return Run { at: boundary, next: Next::IllFormed },
                        }
                    }
                    greatest = _mm512_max_epu8(greatest, bytes[0]);
                    last.judged(_mm512_movepi8_mask(bytes[1]) == 0);
                    at += GROUP;
                }
            }
            if last.are_enough() {
                if let Some(next) = last.next(MOST, longest(greatest), src.len() - at, false, src.len() > FAR) {
                    return Run { at, next };
                }
                last = Groups::new();
                greatest = _mm512_setzero_si512();
            }
        }
        Run { at, next: Next::End }
    }

    /// The index of the first bit that is set, of 256; found without a branch, since it is seldom where the one before it was.
    #[inline]
    fn first_set(masks: [u64; LINES]) -> usize {
        (0..LINES).rev().fold(GROUP, |first, i| {
            let mask = opaque(masks[i]);
            core::hint::select_unpredictable(mask == 0, first, i * BLOCK + mask.trailing_zeros() as usize)
        })
    }

    /// Judges a group that a level has refused: `Err` is the boundary before the first error,
    /// `Ok` the length of the longest character. The place is found without a branch, since an error is seldom where the one
    /// before it was.
    ///
    /// # Safety
    /// There must be a group at `at`, and three bytes before it.
    #[inline]
    unsafe fn look_at_group<const CORRECTED: bool>(src: &[u8], at: usize) -> Result<usize, usize> {
        let level = level::<4, CORRECTED>();
        let mut greatest = _mm512_setzero_si512();
        let mut first = GROUP;
        for i in (0..LINES).rev() {
            // SAFETY: the caller's promise.
            let errors = unsafe {
                let p = src.as_ptr().add(at + i * BLOCK);
                let bytes = _mm512_loadu_si512(p.cast());
                greatest = _mm512_max_epu8(greatest, bytes);
                opaque(places(unit::<4>(&level, no_errors(), p, bytes)))
            };
            first = core::hint::select_unpredictable(errors == 0, first, i * BLOCK + errors.trailing_zeros() as usize);
        }
        if first < GROUP { Err(boundary_before(src, at + first)) } else { Ok(longest(greatest)) }
    }
}
