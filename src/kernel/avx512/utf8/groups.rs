//! Groups: text of one kind, on AVX-512. See [`lines`](crate::kernel::shared::lines).
//!
//! A group is tested for ASCII only after a line of ASCII. Testing each group took a fifth of the time of dense text, and testing one
//! line of each group still took 7 %; now one line of four groups is tested.
//!
//! *Dense* groups are not tested at all, because most lines of such text have to be judged, whatever stands between them; so there
//! is no branch that such text could mispredict. One line of four groups is still tested, and if too many of these are ASCII in 64
//! groups, the text is left to [sections](super::sections). Groups become dense after a period that was not left to sections, or
//! begin as dense after sections that had much to judge. With 38 texts of 64 KiB, 1 MiB and 4 MiB (AMD Zen 5), this is 1.05 times
//! as fast in the mean, German and Polish words 1.2 to 1.5, a table of emoji, CSV, subtitles 1.2, handbooks in Arabic and Japanese
//! 1.1, and mostly ASCII text as fast as before.
//!
//! - With 32 groups instead of 64, German handbooks and tables became slower again, and just as much with a running sum of how far
//!   each 16 groups fell short.
//! - With a line of each group as a sample, text that is not dense was left to sections earlier, but all dense text lost 5 %.
//!
//! # Figures
//! AMD EPYC (Zen 4), GB/s, texts of 160 KB; "before": each group is tested for ASCII; "peer": simdutf8, the best of the peers except for
//! text that is nearly all ASCII.
//!
//! | | peer | before | now | | peer | before | now |
//! |---|---|---|---|---|---|---|---|
//! | chat | 20 | 30 | 36 | Russian | 19 | 56 | 69 |
//! | a table of emoji | 22 | 30 | 34 | Chinese | 19 | 40 | 46 |
//! | Hindi names | 19 | 40 | 46 | emoji | 19 | 34 | 37 |
//!
//! # What did not help
//! - Two groups with one test for errors: no gain with characters of three bytes, 4 % slower with those of four.
//! - Separate registers for the errors of the four lines of a group, to find the place without judging the lines again: 5 to 10 %
//!   slower on dense text, and no faster with an error in each KiB.
//! - Keeping the last line of a group to know whether a character is incomplete, instead of a load three bytes back: no gain.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::ascii::ascii_steps;
use super::super::memory::{AHEAD, opaque_pointer, prefetch_ahead};
use super::long::{bounds, thin};
use super::unit::{level, longest, look, no_errors, places, unit};
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{GROUP, Groups, LINES, Next, Run, before, is_beyond};
use crate::kernel::shared::opaque::opaque;

/// Groups in a row that are judged before a line is looked at: whether it is ASCII.
const SAMPLED: usize = 4;

/// Dense groups after which it is asked whether they still are.
const DENSE_PERIOD: u32 = 64;

avx512! {
    /// Text of one kind, group by group: characters of up to `MOST` bytes; `dense`, if most lines are not ASCII.
    ///
    /// # Safety
    /// As for [`drive`](crate::kernel::shared::lines::drive).
    #[inline(never)]
    pub(super) unsafe fn groups<const MOST: usize, const CORRECTED: bool>(src: &[u8], mut at: usize, mut dense: bool) -> Run {
        let bounds = bounds::<MOST>();
        let constants = level::<MOST, CORRECTED>();
        let mut quiet = before(src, at)[2].is_ascii() & !dense;
        let mut refused = is_beyond(src, at, MOST);
        let mut greatest = _mm512_setzero_si512();
        let mut last = Groups::of(if dense { DENSE_PERIOD } else { bounds.period / 2 });
        while src.len() - at > GROUP {
            if last.are_enough() {
                dense = last.are_dense(if dense { thin::<MOST>() } else { bounds.mixed });
                if let Some(next) = last.next(dense, MOST, longest(greatest), src.len() - at) {
                    return Run { at, next: next.dense_if(dense) };
                }
                last = Groups::of(if dense { DENSE_PERIOD } else { bounds.period });
                greatest = _mm512_setzero_si512();
            }
            if quiet {
                // The byte before is ASCII: no character is incomplete.
                // SAFETY: `at` is within the text.
                let to = unsafe { ascii_steps(src, at) };
                if to > at {
                    last.skipped(to - at);
                    at = to;
                    continue;
                }
            }
            // No call is within this loop, so the constants stay in registers.
            while !refused {
                let groups = (src.len() - at - 1) / GROUP;
                // Behind ASCII one, since more ASCII may follow.
                let groups = groups.min(if quiet { 1 } else { SAMPLED });
                // Opaque, or LLVM writes the loop out.
                let end = opaque((at + groups * GROUP) as u64) as usize;
                while at < end {
                    // SAFETY: these groups are within the text.
                    unsafe {
                        let p = src.as_ptr().add(at);
                        let mut errors = no_errors();
                        for i in 0..LINES {
                            let p = p.add(i * BLOCK);
                            prefetch_ahead::<AHEAD>(p);
                            errors = unit::<MOST>(&constants, errors, p, _mm512_loadu_si512(p.cast()));
                        }
                        if places(errors) != 0 {
                            refused = true;
                            break;
                        }
                        greatest = _mm512_max_epu8(greatest, _mm512_loadu_si512(p.cast()));
                    }
                    at += GROUP;
                }
                if refused {
                    break;
                }
                // SAFETY: a group is before this.
                let line = unsafe { _mm512_loadu_si512(src.as_ptr().add(at - BLOCK).cast()) };
                let ascii = _mm512_movepi8_mask(line) == 0;
                last.judged(groups as u32, ascii);
                quiet = ascii & !dense;
                if quiet || last.are_enough() || src.len() - at <= GROUP {
                    break;
                }
            }
            if refused {
                // SAFETY: as above.
                let longest = unsafe {
                    // Inlined it is faster, and makes each program larger: not for two bytes, which are rarely alone.
                    if MOST > 2 { look_at_group::<CORRECTED>(src, at) } else { look::<CORRECTED>(src, at, (1 << LINES) - 1) }
                };
                match longest {
                    Ok(longest) if MOST == 4 || longest <= MOST => (refused, at) = (false, at + GROUP),
                    Ok(longest) => return Run { at: at + GROUP, next: Next::groups(longest).dense_if(dense) },
                    Err(boundary) => return Run { at: boundary, next: Next::IllFormed },
                }
            }
        }
        Run { at, next: Next::End }
    }

    /// Judges a group that a level has refused: `Err` is the boundary before the first error,
    /// `Ok` the length of the longest character. The place is found without a branch, since an error is seldom where the one
    /// before it was.
    ///
    /// # Safety
    /// There must be a group at `at`, and three bytes before it.
    #[inline]
    pub(super) unsafe fn look_at_group<const CORRECTED: bool>(src: &[u8], at: usize) -> Result<usize, usize> {
        let level = level::<4, CORRECTED>();
        let mut greatest = _mm512_setzero_si512();
        let mut first = GROUP;
        // Opaque, or the loop before keeps all that it has loaded and computed for what is here.
        // SAFETY: the caller's promise.
        let start = opaque_pointer(unsafe { src.as_ptr().add(at) });
        for i in (0..LINES).rev() {
            // SAFETY: the caller's promise.
            let errors = unsafe {
                let p = start.add(i * BLOCK);
                let bytes = _mm512_loadu_si512(p.cast());
                greatest = _mm512_max_epu8(greatest, bytes);
                opaque(places(unit::<4>(&level, no_errors(), p, bytes)))
            };
            first = core::hint::select_unpredictable(errors == 0, first, i * BLOCK + errors.trailing_zeros() as usize);
        }
        if first < GROUP { Err(boundary_before(src, at + first)) } else { Ok(longest(greatest)) }
    }
}
