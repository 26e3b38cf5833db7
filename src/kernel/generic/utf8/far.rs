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

#[cfg(test)]
mod tests {
    use super::{Far, LEAST, MOST, STREAMS};
    use crate::kernel::Engine;
    use crate::kernel::vector::{Operation, Vector};

    /// Where it stops; whichever way long text would go on this CPU. Nothing without vectors.
    struct Stop<'a>(&'a [u8], usize);

    impl Operation for Stop<'_> {
        type Output = Option<usize>;

        #[inline(always)]
        unsafe fn run<V: Vector>(self) -> Option<usize> {
            // SAFETY: this is inside of the root, and three bytes are before the place.
            Some(unsafe { Far::<false> { src: self.0, at: self.1 }.run::<V>() })
        }
    }

    /// The start of the first window that has an error before its end, or what is left over; `starts` are those of all windows.
    fn expected(starts: &[usize], src: &[u8]) -> usize {
        let Err(error) = core::str::from_utf8(src) else {
            return starts[starts.len() - 1];
        };
        let valid = error.valid_up_to();
        let seen_later = |start: usize| match start.checked_sub(valid) {
            None | Some(0) => true,
            // Whichever lead byte it is: what may follow decides.
            Some(1) => src[valid] >= 0xC0,
            Some(2 | 3) => {
                core::str::from_utf8(&src[valid..start]).is_err_and(|error| error.error_len().is_none())
            }
            Some(_) => false,
        };
        *starts.iter().rev().find(|start| seen_later(**start)).unwrap_or(&starts[0])
    }

    #[test]
    fn stops_before_the_window_of_an_error() {
        let at = 61;
        let (mut starts, mut stream) = (vec![at], LEAST);
        while starts.len() < 4 {
            starts.push(starts[starts.len() - 1] + STREAMS * stream);
            stream = (2 * stream).min(MOST);
        }
        let end = starts[starts.len() - 1];
        let mut text =
            "a\u{E9}bc\u{754C}defgh\u{1F600}ijklm\u{7FF}\u{FFFD}".repeat(end / 27 + 2).into_bytes();
        // A unit has 27 bytes, so characters of all lengths lie across the seams of lines, streams and windows.
        text.truncate(end + 1);
        let step = if cfg!(miri) { 5_003 } else { 29 };
        let seams = (at..end).step_by(64).flat_map(|line| line.saturating_sub(4)..line + 5);
        for place in seams.step_by(step).filter(|place| *place >= at) {
            for bad in [b'a', 0x80, 0xC1, 0xE0, 0xF4, 0xFF] {
                let good = core::mem::replace(&mut text[place], bad);
                let expected = expected(&starts, &text);
                for engine in Engine::available() {
                    // SAFETY: the operation asks for nothing more.
                    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
                    let stop = unsafe { crate::kernel::vector::by_isa!(engine; None, Stop(&text, at), None) };
                    assert_eq!(stop.unwrap_or(expected), expected, "{bad:X} at {place}, {}", engine.isa());
                }
                text[place] = good;
            }
        }
    }
}
