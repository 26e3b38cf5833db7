//! Text from memory: four places of it in turns, and every line is judged, whatever it is.
//!
//! What counts there is how steadily memory is asked for. A processor prefetches what follows by itself, but not far,
//! and not beyond the end of a page; of four places it asks for four times as much. So a window of the text is four
//! streams, and each turn judges a line of each. No stream waits for another, as a line looks back by loads. Nothing is
//! skipped, since branches that the text decides send the processor's own prefetching astray; and all is judged at the
//! level of four bytes, which takes about as long as the line takes from memory.
//!
//! If there is an error in a window, the loops for what is in caches find it, and what is behind it is theirs, too. By
//! then four times as much may have been judged as lies before the error within the window; so no window is longer than
//! what is known to be well-formed before it, and the first 64 KiB go the usual way. (Without that, who begins anew behind
//! each of many errors took up to three times as long.)
//!
//! # Figures
//! AMD EPYC (Zen 3), AVX2, GB/s, texts of 64 MiB, before the first 64 KiB went the usual way. "Before" is groups and
//! sections without prefetches.
//!
//! | | simdutf8 | before | now | | | simdutf8 | before | now |
//! |---|--:|--:|--:|---|---|--:|--:|--:|
//! | log | 11 | 13 | 14 | | Russian | 9 | 10 | 15 |
//! | English handbook | 13 | 13 | 16 | | Chinese | 10 | 9 | 15 |
//! | German | 8 | 10 | 15 | | emoji | 9 | 9 | 15 |
//! | HTML | 8 | 9 | 14 | | shuffled documents | 8 | 8 | 14 |
//!
//! Loads alone have 13 to 16 there, with prefetches 10 to 14 whatever they ask for (each line 0.5 to 32 KiB ahead, each
//! second or fourth, the starts of pages), and four or eight streams of loads 18 to 23. Sections that prefetch far ahead,
//! which are best on Zen 5, have 0.9 of the speed before, and groups that do so, without branches, 14. Streams of 16 KiB
//! are slower than those of 64 KiB, and those of 256 KiB as fast. To skip groups of ASCII is 1.2 to 1.3 times as fast for
//! logs and sources, but costs all other text 10 to 15 %; to ask only behind ASCII, German a third.

use super::super::BLOCK;
use super::{Level, Sums};
use crate::kernel::shared::lines::STREAMS;
use crate::kernel::shared::opaque::opaque;
use crate::kernel::vector::{Operation, Vector};

/// The bytes of a stream: the least, and the most.
const LEAST: usize = 4 << 10;
const MOST: usize = 64 << 10;

/// Validates `src` from `at` on, which is at least 3, up to an offset that is less than its length, and is returned:
/// the text before it is well-formed, except that its last character may be incomplete. What follows is less than a
/// window, or one that has an error, and what is behind it.
pub(super) struct Far<'a, const CORRECTED: bool> {
    pub(super) src: &'a [u8],
    pub(super) at: usize,
}

impl<const CORRECTED: bool> Operation for Far<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let Far { src, mut at } = self;
        // SAFETY: all windows are within `src`, and three bytes are before each of their lines.
        unsafe {
            let level = Level::<V>::new::<CORRECTED>();
            let mut stream = LEAST;
            while src.len() - at > STREAMS * stream {
                let mut p = src.as_ptr().add(at);
                let end = p.add(stream);
                let mut sums = Sums::new();
                while p != end {
                    let mut line = p;
                    let mut left = STREAMS as u64;
                    // Opaque, or LLVM writes the loop out.
                    while opaque(left) != 0 {
                        left -= 1;
                        sums = level.line::<4, CORRECTED>(sums, line);
                        line = line.wrapping_add(stream);
                    }
                    p = p.add(BLOCK);
                }
                if level.has_errors::<4, CORRECTED>(sums) {
                    break;
                }
                at += STREAMS * stream;
                stream = (2 * stream).min(MOST);
            }
            at
        }
    }
}
