//! Text from memory: every line is judged, whatever it is.
//!
//! What matters for such text is that memory is read steadily: branches that depend on the text mislead the processor's own prefetching. So
//! nothing is skipped, and everything is judged at the level of four bytes, which takes about as long as the load from memory. In this way,
//! any text is validated at the speed of memory.
//!
//! Loads that look back cross into a cache line that has not arrived yet, and are retried again and again. So no load looks back;
//! what is before a line comes from the register of the line before. And each line is prefetched many lines ahead.
//!
//! On Zen 4 that costs more than it gains. There, text is read at two places [in turns](crate::kernel::shared::turns), and the
//! loads look back.
//!
//! # Figures
//! AMD EPYC (Zen 5), GB/s, texts of 64 MiB. "Before" (two columns): groups, with the loads that Zen 4 needs; and groups and sections,
//! with prefetches 1 KiB ahead. "Peer": the better of simdutf and simdutf8.
//!
//! | | peer | before | | now | | | peer | before | | now |
//! |---|--:|--:|--:|--:|---|---|--:|--:|--:|--:|
//! | ASCII | 43 | 48 | 51 | 54 | | Russian | 29 | 37 | 32 | 49 |
//! | log | 42 | 45 | 52 | 52 | | Chinese | 30 | 34 | 33 | 47 |
//! | English handbook | 36 | 35 | 34 | 49 | | emoji | 29 | 28 | 24 | 52 |
//! | German handbook | 35 | 33 | 34 | 51 | | HTML | 15 | 28 | 37 | 47 |
//! | tweets | 36 | 32 | 35 | 50 | | shuffled documents | 19 | 24 | 35 | 53 |
//!
//! A loop that only loads reaches 50 to 57. With loads that look back, it reaches 38 at best, however far ahead the prefetches are
//! ([`FAR_AHEAD`]). With one load that looks 16 bytes back, and shifts, it reaches 53, but nothing is gained by that.
//!
//! In a cache, even the third-level one, this is slower than groups and sections: 60 GB/s whatever the text.
//!
//! AMD EPYC (Zen 4), GB/s, texts of 64 MiB; "before": one place, where every line was judged at the level of four bytes, with loads that
//! look back, and was also loaded a group earlier; "now": four places in turns of a page, which were as fast at best as two are in turns of
//! half a page, and slower if memory is busy.
//!
//! | | simdutf8 | before | now | | | simdutf8 | before | now |
//! |---|--:|--:|--:|---|---|--:|--:|--:|
//! | log | 26 | 25 | 39 | | tweets | 24 | 23 | 33 |
//! | Rust sources | 27 | 25 | 34 | | Hindi names | 18 | 23 | 37 |
//! | German handbook | 25 | 24 | 37 | | emoji | 20 | 25 | 32 |
//!
//! Loads alone reached 31 there (one place) and 37 (four), with other alignments. The following were also tried with one place, without
//! gain: registers shifted together, prefetches by 1 to 32 KiB, prefetches of the next page's first lines, a test of each group for ASCII.
//! Four places whose lines take turns reached 27 to 30 or, the next time, 15. Huge pages change none of these.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::{opaque_pointer, prefetch_ahead};
use super::super::registers::{A, B, C};
use super::unit::{level, look, no_errors, places, unit, unit_behind};
use crate::kernel::shared::lines::{FAR_AHEAD, GROUP, LINES};
use crate::kernel::shared::turns::{self, Judged, TURN};

/// Text from memory in turns.
pub(super) struct Turns;

impl<const CORRECTED: bool> turns::Turns<CORRECTED> for Turns {
    #[inline(always)]
    unsafe fn ascii(p: *const u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { ascii::<false>(p) }
    }

    #[inline(always)]
    unsafe fn judge<const MOST: usize>(p: *const u8, len: usize) -> Judged {
        // SAFETY: the caller's promise.
        unsafe { judge::<MOST, CORRECTED>(p, len) }
    }
}

avx512! {
    /// What [`drive`](crate::kernel::shared::lines::drive) does, with its safety.
    #[inline(never)]
    pub(super) unsafe fn far<const CORRECTED: bool>(src: &[u8], mut at: usize) -> Result<usize, usize> {
        let constants = level::<4, CORRECTED>();
        // Of the line before only the last three bytes, as others may not be there.
        // SAFETY: three bytes are before `at`.
        let mut previous = unsafe {
            _mm512_maskz_loadu_epi8(!0 << (BLOCK - 3), src.as_ptr().add(at).wrapping_sub(BLOCK).cast())
        };
        while src.len() - at > GROUP {
            let mut errors = no_errors();
            let mut p = src.as_ptr().wrapping_add(at);
            // Opaque, or LLVM writes the loop out, which is no faster.
            let end = opaque_pointer(p.wrapping_add(GROUP));
            while p < end {
                prefetch_ahead::<FAR_AHEAD>(p);
                // SAFETY: a line of a group within the text.
                let bytes = unsafe { _mm512_loadu_si512(p.cast()) };
                errors = unit_behind(&constants, errors, bytes, previous);
                previous = bytes;
                p = p.wrapping_add(BLOCK);
            }
            if places(errors) != 0 {
                // SAFETY: a group, and three bytes before it.
                let first = unsafe { look::<CORRECTED>(src, at, (1 << LINES) - 1) };
                return Err(first.err().unwrap_or(at));
            }
            at += GROUP;
        }
        Ok(at)
    }

    /// [`ascii`](turns::Turns::ascii).
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn ascii<const LAZY: bool>(p: *const u8) -> usize {
        let mut at = 0;
        while at != TURN {
            let mut all = _mm512_setzero_si512();
            for line in (at..at + GROUP).step_by(BLOCK) {
                // SAFETY: a line of the turn, and the byte before it.
                unsafe {
                    let p = p.add(line);
                    let [line, back] = [p, p.sub(1)].map(|p| _mm512_loadu_si512(p.cast()));
                    all = _mm512_ternarylogic_epi64::<{ A | B | C }>(all, line, back);
                }
            }
            if _mm512_movepi8_mask(all) != 0 {
                break;
            }
            at += GROUP;
        }
        at
    }

    /// [`judge`](turns::Turns::judge).
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn judge<const MOST: usize, const CORRECTED: bool>(mut p: *const u8, len: usize) -> Judged {
        let constants = level::<MOST, CORRECTED>();
        let (mut errors, mut all) = (no_errors(), _mm512_setzero_si512());
        let end = p.wrapping_add(len);
        while p != end {
            for line in 0..LINES {
                // SAFETY: a line of the turn.
                unsafe {
                    let p = p.add(line * BLOCK);
                    let bytes = _mm512_loadu_si512(p.cast());
                    all = _mm512_or_si512(all, bytes);
                    errors = unit::<MOST>(&constants, errors, p, bytes);
                }
            }
            // Opaque, or LLVM writes the loop out.
            p = opaque_pointer(p.wrapping_add(GROUP));
        }
        Judged { refused: places(errors) != 0, ascii: _mm512_movepi8_mask(all) == 0 }
    }
}
