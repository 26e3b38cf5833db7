//! Sections: text in which lines of ASCII alternate with others, on AVX-512. See [`lines`](crate::kernel::shared::lines).
//!
//! # Detection
//! For each line `vptestmd` and `kmovw` store 16 bits: which of its words of four bytes are not ASCII. The 64 results are loaded
//! again as two registers, in which a comparison gives one bit for each line, and the sign of each the bit for its last four bytes. A
//! line behind one that ends with something other than ASCII is judged as well, since it may lack what a character requires. (A mask
//! of 64 bits for each line would cost more than twice as much on Zen 4: `kmovq` to a general register takes two cycles.)
//!
//! The stores are not forwarded to loads of another size. So a section is detected while the one before it is judged, and the
//! words are loaded after that. The word has to be [`opaque`]: otherwise LLVM computes it where it is used, behind the next
//! detection, and the processor knows late how long the loop is.
//!
//! # What did not help
//! - Detection without this overlap: 10 to 18 % slower. Words by `kortest` or `neg` and `adc` in the loop: 1.6 to 2.1 cycles a line
//!   instead of 1.2.
//! - Parts of 32 bytes: fewer bytes to judge, but twice the turns of the loop: even.
//! - Lines in fours, with a test for each four: 6 % slower.
//!
//! The prefetches are for the section after the next, of which the detection has prefetched the first lines: up to 11 %. Ahead by 2 KiB
//! instead of one they are 3 % faster beyond the second level of cache, and no slower within (AMD Zen 5; by 4 or 8 KiB, even). Without
//! those at the lines that are judged, text in the second level is 2 % faster, in the third 20 % slower. (Text from memory does not go by
//! sections here.)

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::prefetch_ahead;
use super::bounds;
use super::unit::{Errors, level, longest, look, no_errors, places, unit};
use crate::kernel::shared::lines::{GROUP, Next, Run, Sections, before, is_beyond, lines_of_section};
use crate::kernel::shared::opaque::{opaque, stored};

/// How far ahead of a section's lines detection prefetches.
const AHEAD: usize = 32 * BLOCK;

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
    /// Sections, while a whole one is left; characters of up to `MOST` bytes, and now and then a longer one.
    ///
    /// # Safety
    /// As for [`drive`](crate::kernel::shared::lines::drive); and there must be more than a group.
    #[inline(never)]
    pub(super) unsafe fn sections<const MOST: usize, const CORRECTED: bool>(src: &[u8], mut at: usize) -> Run {
        let constants = level::<MOST, CORRECTED>();
        let bounds = bounds::<MOST>();
        let mut found = Found::new();
        let mut greatest = _mm512_setzero_si512();
        let mut last = Sections::new(bounds);
        // Before the first section there is one without lines, so that detection stands here once.
        let (mut lines, mut which) = (0_usize, 0_u64);
        let mut seam = is_beyond(src, at, MOST);
        let mut open = u64::from(!before(src, at).is_ascii());
        loop {
            // SAFETY: more than a section is left, and three bytes are before it.
            let p = unsafe { src.as_ptr().add(at) };
            let end = at + lines * BLOCK;
            let judging = lines != 0;
            lines = lines_of_section(src.len() - end);
            let more = lines * BLOCK >= GROUP;
            if more {
                // SAFETY: there is another section behind this one.
                unsafe { detect::<true>(src.as_ptr().add(end), lines, AHEAD, &mut found) };
            }
            if judging {
                // SAFETY: as above.
                let line = |i: u32| unsafe { p.add(BLOCK * i as usize) };
                // SAFETY: for lines of the section.
                let load = |p: *const u8| unsafe { _mm512_loadu_si512(p.cast()) };

                let mut errors = no_errors();
                let mut ahead = p.wrapping_add(2 * 64 * BLOCK + AHEAD);
                let mut rest = which;
                while rest != 0 {
                    let p = line(rest.trailing_zeros());
                    rest &= rest - 1;
                    let bytes = load(p);
                    // SAFETY: a line of the section.
                    errors = unsafe { unit::<MOST>(&constants, errors, p, bytes) };
                    if MOST == 4 {
                        greatest = _mm512_max_epu8(greatest, bytes);
                    }
                    prefetch_ahead::<0>(ahead);
                    prefetch_ahead::<BLOCK>(ahead);
                    ahead = ahead.wrapping_add(2 * BLOCK);
                }
                let mut longest_here = 0;
                if places(errors) != 0 || seam {
                    // SAFETY: lines of the section; the others are ASCII, behind whole characters.
                    match unsafe { look::<CORRECTED>(src, at, which) } {
                        Ok(longest) => longest_here = longest,
                        Err(boundary) => return Run { at: boundary, next: Next::IllFormed },
                    }
                }
                if MOST < 4 && longest_here > MOST {
                    if last.refused() {
                        let next = if more { Next::sections(longest_here) } else { Next::groups(longest_here) };
                        return Run { at: end, next };
                    }
                    seam = is_beyond(src, end, MOST);
                } else {
                    last.accepted();
                    seam = false;
                }

                if MOST > 3 && last.are_enough() {
                    let longest = longest(greatest);
                    if longest < MOST && more {
                        return Run { at: end, next: Next::sections(longest) };
                    }
                    greatest = _mm512_setzero_si512();
                }
                at = end;
                if last.uniform(bounds, which) | !more {
                    return Run { at, next: Next::groups(MOST).dense_if(last.are_dense()) };
                }
            }
            which = to_judge(&found, lines, &mut open);
        }
    }

    /// The lines of `src` from `at` on, 1 to 64, and its last block, as the only section of a text: which of the lines had to be judged, and
    /// the errors of all, with characters of up to four bytes. `None` if all of it is ASCII, behind a whole character.
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
            let level = level::<4, CORRECTED>();
            let which = to_judge(&found, lines, &mut open);
            let (mut rest, mut errors) = (which, no_errors());
            while rest != 0 {
                let p = p.add(BLOCK * rest.trailing_zeros() as usize);
                rest &= rest - 1;
                errors = unit::<4>(&level, errors, p, _mm512_loadu_si512(p.cast()));
            }
            Some((which, unit::<4>(&level, errors, end, last)))
        }
    }

    /// Which words of four bytes are not ASCII in each of these lines at `p`, up to 64; those of other lines are left as they are. Each
    /// prefetches the line that is so many bytes behind it, if `PREFETCHES`. Returns all bytes, or'ed together, if not.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    pub(super) unsafe fn detect<const PREFETCHES: bool>(p: *const u8, lines: usize, distance: usize, found: &mut Found) -> __m512i {
        let sign = _mm512_set1_epi8(-128);
        let mut all = _mm512_setzero_si512();
        for (i, words) in found.0.iter_mut().take(lines).enumerate() {
            // SAFETY: a line of the section.
            let (p, bytes) = unsafe {
                let p = p.add(i * BLOCK);
                (p, _mm512_loadu_si512(p.cast()))
            };
            if PREFETCHES {
                prefetch_ahead::<0>(p.wrapping_add(distance));
            } else {
                all = _mm512_or_si512(all, bytes);
            }
            *words = _mm512_test_epi32_mask(bytes, sign);
        }
        stored(found);
        all
    }

    /// Of these lines, 1 to 64, those to be judged: those that are not ASCII, and those behind a line whose last bytes are not. `open` says that of the line
    /// before the first, and then of the last.
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
        *open = ends >> 63;
        opaque(lines)
    }
}
