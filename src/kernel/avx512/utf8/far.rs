//! Text from memory: every line is judged, whatever it is.
//!
//! What counts there is how steadily memory is asked for: branches that the text decides send the processor's own prefetching astray. So nothing is
//! skipped but long runs of ASCII, and all is judged at the level of four bytes, which takes about as long as the load from memory. So any text has
//! the speed at which memory can be read at all.
//!
//! Loads that look back cross a cache line which is not there yet, and are tried again and again. So on most processors no load looks back, as what is
//! before a line comes from the register of the line before; and each line is prefetched many lines ahead. On Zen 4 that costs more than it gains:
//! there the loads look back, nothing is prefetched, and each line is loaded a group earlier, too ([`touch`]).
//!
//! # Figures
//! AMD EPYC (Zen 5), GB/s, texts of 64 MiB. "Before" is groups, with loads that Zen 4 needs; or groups and sections, with prefetches of 1
//! KiB ahead. Peer: the better one of simdutf and simdutf8.
//!
//! | | peer | before | | now | | | peer | before | | now |
//! |---|--:|--:|--:|--:|---|---|--:|--:|--:|--:|
//! | ASCII | 43 | 48 | 51 | 54 | | Russian | 29 | 37 | 32 | 49 |
//! | log | 42 | 45 | 52 | 52 | | Chinese | 30 | 34 | 33 | 47 |
//! | English handbook | 36 | 35 | 34 | 49 | | emoji | 29 | 28 | 24 | 52 |
//! | German handbook | 35 | 33 | 34 | 51 | | HTML | 15 | 28 | 37 | 47 |
//! | tweets | 36 | 32 | 35 | 50 | | shuffled documents | 19 | 24 | 35 | 53 |
//!
//! A loop that does nothing but load has 50 to 57. The same with loads that look back has 38 at best, however far ahead the prefetches are
//! ([`FAR_AHEAD`]). With one that looks 16 bytes back, and shifts, 53, but nothing is gained by it.
//!
//! In a cache this is slower than groups and sections, 60 GB/s whatever the text, also in the third level.
//!
//! AMD EPYC (Zen 4), GB/s, texts of 64 MiB; before: groups, for which each line was loaded twice, once from its second half, and the first lines of
//! the next page were prefetched. (On another machine with Zen 4 that had 37 to 40 GB/s.)
//!
//! | | simdutf8 | before | now | | | simdutf8 | before | now |
//! |---|--:|--:|--:|---|---|--:|--:|--:|
//! | log | 31 | 31 | 27 | | Japanese handbook | 20 | 20 | 27 |
//! | English handbook | 28 | 22 | 27 | | Hindi names | 18 | 22 | 27 |
//! | German handbook | 24 | 20 | 28 | | emoji | 16 | 23 | 27 |
//! | tweets | 26 | 18 | 27 | | Polish words | 18 | 21 | 27 |
//!
//! (Then without the question about ASCII; with it logs and sources are 1.05 to 1.1 times as fast.) Loads alone have 26 to 28 there, each line loaded
//! twice 30 to 33, two or four places in turns 22 to 31. With this loop: registers shifted together 25; prefetches by 1 KiB 22, by 4 KiB 25, by 8 or 16
//! KiB 27, by 32 KiB 22; each line loaded twice 1 % (but 1.2 on the other machine, by loads alone); the next page's first lines 23; ASCII asked of each
//! group 21 to 34; four places in turns 27 to 30 or, next time, 15. Huge pages change none of these.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::ascii::ascii_steps;
use super::super::memory::{opaque_pointer, prefetch_ahead, touch};
use super::unit::{level, look, no_errors, places, unit, unit_behind};
use crate::kernel::shared::lines::{FAR_AHEAD, GROUP, LINES};

/// Bytes of ASCII behind which more of it is skipped.
const PERIOD: usize = 4096;

avx512! {
    /// What [`drive`](crate::kernel::shared::lines::drive) does, with its safety. `BACK` says whether the lines are judged with loads that look
    /// back, and nothing is prefetched.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    pub(super) unsafe fn far<const BACK: bool, const CORRECTED: bool>(src: &[u8], mut at: usize) -> Result<usize, usize> {
        let constants = level::<4, CORRECTED>();
        // Of the line before only the last three bytes, as others may not be there.
        // SAFETY: three bytes are before `at`.
        let mut previous = unsafe {
            _mm512_maskz_loadu_epi8(!0 << (BLOCK - 3), src.as_ptr().add(at).wrapping_sub(BLOCK).cast())
        };
        let (mut greatest, mut asked) = (previous, at);
        while src.len() - at > GROUP {
            let mut errors = no_errors();
            let mut p = src.as_ptr().wrapping_add(at);
            // No group behind the last is touched.
            let distance = if src.len() - at > 2 * GROUP { GROUP } else { 0 };
            // Opaque, or LLVM writes the loop out, which is no faster.
            let end = opaque_pointer(p.wrapping_add(GROUP));
            while p < end {
                // SAFETY: a line of a group within the text, and three bytes before it; and `distance` bytes behind it another.
                unsafe {
                    if BACK {
                        touch(p.add(distance));
                    }
                    let bytes = _mm512_loadu_si512(p.cast());
                    errors = if BACK {
                        greatest = _mm512_or_si512(greatest, bytes);
                        unit::<4>(&constants, errors, p, bytes)
                    } else {
                        prefetch_ahead::<FAR_AHEAD>(p);
                        unit_behind(&constants, errors, bytes, previous)
                    };
                    previous = bytes;
                }
                p = p.wrapping_add(BLOCK);
            }
            if places(errors) != 0 {
                // SAFETY: a group, and three bytes before it.
                let first = unsafe { look::<CORRECTED>(src, at, (1 << LINES) - 1) };
                return Err(first.err().unwrap_or(at));
            }
            at += GROUP;
            if BACK && at - asked >= PERIOD {
                if _mm512_movepi8_mask(greatest) == 0 {
                    // SAFETY: `at` is within the text.
                    at = unsafe { ascii_steps(src, at, true) };
                }
                (greatest, asked) = (_mm512_setzero_si512(), at);
            }
        }
        Ok(at)
    }
}
