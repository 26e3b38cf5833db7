//! Text from memory: every line is judged, whatever it is.
//!
//! What counts there is how steadily memory is asked for. Loads that look back cross a cache line which is not there yet, and are tried
//! again and again; branches that the text decides send the processor's own prefetching astray. So here no load looks back, as what is
//! before a line comes from the register of the line before; nothing is skipped; all is judged at the level of four bytes, which takes as
//! long as the load from memory; and each line is prefetched many lines ahead. So any text has the speed at which memory can be read at
//! all.
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

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::{opaque_pointer, prefetch_ahead};
use super::unit::{level, look, no_errors, places, unit_behind};
use crate::kernel::shared::lines::{FAR_AHEAD, GROUP, LINES};

avx512! {
    /// What [`drive`](crate::kernel::shared::lines::drive) does, with its safety.
    ///
    /// # Safety
    /// As there.
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
}
