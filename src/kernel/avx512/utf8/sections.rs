//! Sections: text in which lines of ASCII alternate with others, on AVX-512. See [`lines`](crate::kernel::shared::lines).
//!
//! # Detection
//! For each line `vptestmd` and `kmovw` store 16 bits: which of its words of four bytes are not ASCII. The 64 results are loaded
//! again as two registers, in which a comparison gives one bit for each line, and the sign of each the bit for its last four bytes.
//! If a line ends with something other than ASCII, the line after it is judged as well, since a character may require bytes that are
//! missing there. (A mask of 64 bits for each line would cost more than twice as much on Zen 4: `kmovq` to a general register takes
//! two cycles.)
//!
//! The stores are not forwarded to loads of another size. So a section is detected while the one before it is judged, and the words
//! are loaded after that. The word has to be [`opaque`]: otherwise LLVM computes it where it is used, after the next detection, and
//! the processor learns too late how long the loop is.
//!
//! # What did not help
//! - Detection without this overlap: 10 to 18 % slower. Words by `kortest` or `neg` and `adc` in the loop: 1.6 to 2.1 cycles a line
//!   instead of 1.2.
//! - Parts of 32 bytes: fewer bytes to judge, but twice as many turns of the loop; no difference.
//! - Lines in fours, with a test for each four: 6 % slower.
//!
//! The prefetches are for the section after the next, of which the detection has prefetched the first lines: up to 11 %. With 2 KiB ahead
//! instead of one, text is 3 % faster beyond the second-level cache, and no slower within it (AMD Zen 5; no difference with 4 or 8 KiB).
//! Without the prefetches at the lines that are judged, text in the second-level cache is 2 % faster, in the third-level cache 20 %
//! slower. (Text from memory is not judged in sections here.)

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::prefetch_ahead;
use super::long::bounds;
use super::unit::{Errors, level, longest, look, no_errors, places, unit};
use crate::kernel::shared::lines::{GROUP, Next, Run, Sections, before, is_beyond};
use crate::kernel::shared::opaque::{opaque, stored};

/// How far ahead of a section's lines detection prefetches.
const AHEAD: usize = 32 * BLOCK;

/// From which [count](Sections::had) on sections presumably have characters of four bytes: that of one, as to change
/// the level costs nothing here.
const FOURS: u32 = 4;

/// What detection has found: for each line the words of four bytes that are not ASCII.
#[repr(align(64))]
pub(in crate::kernel::avx512) struct Found(pub(in crate::kernel::avx512) [u16; 64]);

impl Found {
    /// Nothing.
    #[inline(always)]
    pub(in crate::kernel::avx512) const fn new() -> Found {
        Found([0; 64])
    }
}

avx512! {
    /// Sections, while a whole one is left, each judged at the level of three bytes or at that of four; `four`, if the first presumably has
    /// characters of four bytes.
    ///
    /// # Safety
    /// As for [`drive`](crate::kernel::shared::lines::drive); and there must be more than a group.
    #[inline(never)]
    pub(super) unsafe fn sections<const CORRECTED: bool>(src: &[u8], mut at: usize, four: bool) -> Run {
        debug_assert!(src.len() - at > GROUP);
        let mut found = Found::new();
        let mut last = Sections::new(four, src, at);
        // Before the first section there is one without lines, so that detection stands here once.
        let (mut lines, mut which) = (0_usize, 0_u64);
        let mut open = u64::from(!before(src, at).is_ascii());
        loop {
            // SAFETY: more than a group is left, and three bytes are before it.
            let p = unsafe { src.as_ptr().add(at) };
            let end = at + lines * BLOCK;
            let judging = lines != 0;
            lines = last.lines(src.len() - end);
            let more = lines * BLOCK >= GROUP;
            if more {
                // SAFETY: there is another section behind this one.
                unsafe { detect::<true>(src.as_ptr().add(end), lines, AHEAD, &mut found) };
            }
            if judging {
                let mut longest_here = 3;
                let mut four = last.have_four(FOURS) || is_beyond(src, at, 3);
                let mut errors = no_errors();
                if !four {
                    // SAFETY: the lines of the section.
                    let (refused, greatest) = unsafe { judge::<3, true, CORRECTED>(p, which) };
                    // If no character has four bytes, these are errors.
                    four = places(refused) != 0 && longest(greatest) > 3;
                    errors = refused;
                }
                if four {
                    // SAFETY: as above.
                    let (refused, greatest) = unsafe { judge::<4, true, CORRECTED>(p, which) };
                    longest_here = longest(greatest);
                    errors = refused;
                }
                if places(errors) != 0 {
                    // SAFETY: lines of the section; the others are ASCII, behind whole characters.
                    if let Err(boundary) = unsafe { look::<CORRECTED>(src, at, which) } {
                        return Run { at: boundary, next: Next::IllFormed };
                    }
                }
                last.had(longest_here);
                at = end;
                let bounds = if four { bounds::<4>() } else { bounds::<3>() };
                if last.uniform(bounds, which) | !more {
                    let most = if last.have_four(FOURS) { 4 } else { 3 };
                    return Run { at, next: Next::groups(most).dense_if(last.are_dense()) };
                }
            }
            which = to_judge(&found, lines, &mut open);
        }
    }

    /// The errors of the lines of `which`, counted from `p` on, where no character is longer than `MOST` bytes, and
    /// their greatest bytes. Each prefetches two lines of the section after the next, if `PREFETCHES`.
    ///
    /// # Safety
    /// They must be readable, and three bytes before each.
    #[inline]
    unsafe fn judge<const MOST: usize, const PREFETCHES: bool, const CORRECTED: bool>(p: *const u8, mut which: u64) -> (Errors, __m512i) {
        let level = level::<MOST, CORRECTED>();
        let mut errors = no_errors();
        let mut greatest = _mm512_setzero_si512();
        let mut ahead = p.wrapping_add(2 * 64 * BLOCK + AHEAD);
        while which != 0 {
            // SAFETY: the caller's promise.
            unsafe {
                let p = p.add(BLOCK * which.trailing_zeros() as usize);
                let bytes = _mm512_loadu_si512(p.cast());
                errors = unit::<MOST>(&level, errors, p, bytes);
                greatest = _mm512_max_epu8(greatest, bytes);
            }
            which &= which - 1;
            if PREFETCHES {
                prefetch_ahead::<0>(ahead);
                prefetch_ahead::<BLOCK>(ahead);
                ahead = ahead.wrapping_add(2 * BLOCK);
            }
        }
        (errors, greatest)
    }

    /// The lines of `src` from `at` on, 1 to 64, and its last block, as the only section of a text: which of the
    /// lines had to be judged, and the errors of all. `None` if all of it is ASCII, behind a whole character.
    ///
    /// # Safety
    /// There must be three bytes before `at`.
    #[inline]
    pub(super) unsafe fn only<const CORRECTED: bool>(src: &[u8], at: usize) -> Option<(u64, Errors)> {
        let mut found = Found::new();
        let mut open = u64::from(!before(src, at).is_ascii());
        let lines = (src.len() - at) / BLOCK;
        // SAFETY: these lines and the last block are within `src`.
        unsafe {
            let p = src.as_ptr().add(at);
            let end = src.as_ptr().add(src.len() - BLOCK);
            let last = _mm512_loadu_si512(end.cast());
            let all = detect::<false>(p, lines, 0, &mut found);
            // Known earlier than what is stored.
            if _mm512_movepi8_mask(_mm512_or_si512(all, last)) == 0 && open == 0 {
                return None;
            }
            let which = to_judge(&found, lines, &mut open);
            // The length of the longest character is known, with what is before the lines, so nothing is refused but errors.
            let errors = match longest(_mm512_max_epu8(_mm512_max_epu8(all, last), _mm512_loadu_si512(src.as_ptr().add(at.saturating_sub(BLOCK)).cast()))) {
                2 => only_of::<2, CORRECTED>(p, which, end, last),
                3 => only_of::<3, CORRECTED>(p, which, end, last),
                _ => only_of::<4, CORRECTED>(p, which, end, last),
            };
            Some((which, errors))
        }
    }

    /// The errors of the lines of `which`, counted from `p` on, and of the last block, where no character is longer than `MOST` bytes.
    ///
    /// # Safety
    /// As for [`judge`]; and for the last block as well.
    #[inline]
    unsafe fn only_of<const MOST: usize, const CORRECTED: bool>(p: *const u8, which: u64, end: *const u8, last: __m512i) -> Errors {
        // SAFETY: the caller's promise.
        unsafe {
            let (errors, _) = judge::<MOST, false, CORRECTED>(p, which);
            unit::<MOST>(&level::<MOST, CORRECTED>(), errors, end, last)
        }
    }

    /// Which words of four bytes are not ASCII in each of these lines at `p`, up to 64; those of other lines are left as they are. Each
    /// prefetches the line that is so many bytes behind it, if `PREFETCHES`. Returns the greatest bytes, if not.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    pub(super) unsafe fn detect<const PREFETCHES: bool>(p: *const u8, lines: usize, distance: usize, found: &mut Found) -> __m512i {
        let sign = _mm512_set1_epi8(-128);
        let mut greatest = _mm512_setzero_si512();
        for (i, words) in found.0.iter_mut().take(lines).enumerate() {
            // SAFETY: a line of the section.
            let (p, bytes) = unsafe {
                let p = p.add(i * BLOCK);
                (p, _mm512_loadu_si512(p.cast()))
            };
            if PREFETCHES {
                prefetch_ahead::<0>(p.wrapping_add(distance));
            } else {
                greatest = _mm512_max_epu8(greatest, bytes);
            }
            *words = _mm512_test_epi32_mask(bytes, sign);
        }
        stored(found);
        greatest
    }

    /// Of these lines, 1 to 64, those to be judged: those that are not ASCII, and those behind a line whose last
    /// bytes are not. `open` says that of the line before the first, and then of the last.
    #[inline]
    pub(in crate::kernel::avx512) fn to_judge(found: &Found, count: usize, open: &mut u64) -> u64 {
        let [low, high] = [0, 32]
.map(|line| {
            // SAFETY: half of the words are there.
            unsafe { _mm512_load_si512(found.0.as_ptr().add(line).cast()) }
        });
        let join = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let any = join(_mm512_test_epi16_mask(low, low), _mm512_test_epi16_mask(high, high));
        let ends = join(_mm512_movepi16_mask(low), _mm512_movepi16_mask(high));
        let lines = (any | ends << 1 | *open) & (u64::MAX >> (64 - count));
        *open = ends >> (count - 1) & 1;
        opaque(lines)
    }
}
