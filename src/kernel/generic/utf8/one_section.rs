//! Texts of some hundred bytes to 4 KiB as one section, and up to 16 KiB where most lines are not ASCII, over vectors of 16 or 32
//! bytes with AVX2 or SSE4.2.
//!
//! Up to 4 KiB, what costs most is not judging a line but a branch that depends on the text: short texts differ from each other, and no
//! predictor knows them. In texts of up to 1 KiB, the ASCII at the start is skipped, and after it all lines are judged, whatever they are:
//! the number of turns of the loop follows from the length.
//!
//! Beyond 1 KiB nothing is skipped, because longer text is seldom all ASCII, and judging all lines of mixed text costs more than a branch.
//! Instead, the lines that are not ASCII are [detected](super::sections) first, and then judged, so only the end of one loop depends on the
//! text. But if a quarter of some [samples](Start) is not ASCII, all lines are judged, as in shorter text; this is done in texts of up to
//! 16 KiB.
//!
//! Samples are taken from the first KiB. Only if these suggest judging all lines are samples of the middle and the end taken, too.
//! What the processor has not prefetched yet arrives late, and disturbs what it prefetches for the loops: with three of four
//! samples at thirds of the text, texts of 1 to 16 KiB from the third-level cache were at 0.83 to 0.97, whatever their kind (AVX2,
//! AMD Zen 3).
//!
//! If all lines are judged, this begins at the level of the longest character in the samples, and continues at a higher one with whatever
//! that level has refused. The first vector is among the samples, since the lower levels look back only one or two bytes. With the level of
//! two bytes, Arabic and Russian of 1 to 4 KiB are 1.8 times as fast, of 256 to 1024 bytes 1.5 times, Polish words 1.1 and 1.5 times. Up to
//! 16 KiB, one loop without a test for ASCII is faster than the loops for long text, which begin with pieces: with 4 to 16 KiB of Chinese,
//! Hindi and Korean 1.2 to 1.3 times, Arabic and Russian 1.2 to 1.5 times, handbooks 1.1 times. With 32 KiB, a Japanese handbook loses 0.2.
//! (AVX2, Intel Cascade Lake.)
//!
//! After each eighth line there is a test for an error, or, if that takes another test, for a longer character. So no more than eight lines
//! have to be read again for the place of an error: at 300 bytes of 3 KiB it is found 1.8 times as early as with a single test, which makes
//! text without errors no faster (AVX2, Intel Cascade Lake; with a test after each fourth line it is found 1.04 times earlier, but that
//! takes 3 % more instructions). If the first four lines are judged before any is detected, such errors are found 1.4 times as early again,
//! but logs and source code take 1.2 times as long.
//!
//! What was measured:
//!
//! - Texts of 256 to 1024 bytes, cut from ten texts at random places, all different, together 2 MB, were 1.12 times as fast as with
//!   detection of their lines (AVX2, Intel Cascade Lake: Hindi 1.2, Polish, Arabic, Japanese, emoji 1.16, German, tweets 1.12,
//!   English, logs 1.03); with SSE4.2, 1.11.
//! - With 64 to 256 bytes, Arabic and Hindi gain 0.05 compared with pieces, and emoji lose 0.14.
//! - With 1 to 4 KiB, all are 1.03 times as fast as with samples of both ends only.
//! - If the ends of texts of up to 1 KiB are sampled before ASCII is skipped, these lose 0.02.
//! - Beyond 1 KiB, skipping ASCII first costs mixed texts 0.06 to 0.1 (AMD Zen 3; 0.02 on Cascade Lake).
//! - If all lines of texts of up to 2 KiB are judged, emoji, Hindi and logs gain 0.2, and English and German lose as much or more.
//! - The last line is judged first, so that no other has to be tested for being the last: that takes 0.97 of the instructions, and
//!   texts of up to 4 KiB are 1.02 times as fast. If lines end with the text, so that the first of them overlaps the first vector,
//!   no separate last line is needed, but the lines are not aligned: 0.98 (AVX2, Intel Cascade Lake).
//! - If another section follows, each line that is judged prefetches two of that section's lines: texts of 4 to 8 KiB from the
//!   third-level cache are 1.045 times as fast as without this, of 8 to 16 KiB 1.06 to 1.1 times. If none follows, it costs 0.03
//!   (AVX2, Intel Cascade Lake).
//! - One loop for some lines and for all, by the bits of a word, is 1.4 KB smaller, and gains half as much or nothing.
//! - The word that says which lines a section judges is stored and loaded again. When it was put together in a register, by two
//!   operations for each line, all texts were slower, 0.82 in the mean. Pieces of 256 and 512 bytes, which are best with AVX-512,
//!   were slower here, 0.98 and 0.82: AMD Zen 5.

use super::sections::{Found, detect, to_judge};
use super::straight::{EIGHT, Refused, Straight};
use super::unit::{Level, Sums};
use super::{ASKED, FirstError, longest, stop_at};
use crate::kernel::generic::BLOCK;
use crate::kernel::shared::adaptive::Longest;
use crate::kernel::shared::lines::closed;
use crate::kernel::shared::opaque::opaque;
use crate::kernel::vector::{Operation, Vector};

/// A text of at least [`FEW`](super::FEW) bytes that is one section: its first vector, its lines, and its last line. If there is `MORE` text behind
/// it, which is next, that is prefetched.
pub(super) struct OneSection<'a, const MORE: bool, const CORRECTED: bool> {
    pub(super) src: &'a [u8],
    pub(super) judged: Judged,
}

/// Which lines of a section are judged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Judged {
    /// Those that are not ASCII, which is found out first.
    Some,
    /// All, since most of them have to be. Presumably none has longer characters than this.
    All(Longest),
}

/// So far from each other are the first four vectors that are looked at.
const NEXT_SAMPLE: usize = 256;

/// What the start of a text is like: what is sampled of its first KiB, in two halves.
#[derive(Clone, Copy)]
pub(super) struct Start<V>([V; 2]);

impl<V: Vector> Start<V> {
    /// That of `src`.
    ///
    /// # Safety
    /// As for [`Operation::run`]; and `src` must have more than [`ASKED`] bytes.
    #[inline(always)]
    pub(super) unsafe fn of(src: &[u8]) -> Self {
        const { assert!(3 * NEXT_SAMPLE + V::LEN <= ASKED) };
        // SAFETY: the caller's promise; these are within `src`.
        unsafe {
            let sample = |index: usize| V::load(src.as_ptr().add(index * NEXT_SAMPLE));
            Start([sample(0).max(sample(1)), sample(2).max(sample(3))])
        }
    }

    /// Whether it is ASCII, presumably.
    ///
    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    pub(super) unsafe fn is_ascii(self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { !self.0[0].or(self.0[1]).any_sign_bit() }
    }

    /// All lines of `src`, which begins like this, if a quarter of both halves is not ASCII, and of its middle and end.
    ///
    /// # Safety
    /// As for [`Operation::run`]; and `src` must have a vector.
    #[inline(always)]
    pub(super) unsafe fn judged(self, src: &[u8]) -> Judged {
        // SAFETY: the caller's promise; the vectors are within `src`.
        unsafe {
            let outside = |bytes: V| bytes.sign_bits().count_ones() as usize;
            let [first, second] = self.0;
            if outside(first).min(outside(second)) < V::LEN / 4 {
                return Judged::Some;
            }
            let last = src.len() - V::LEN;
            let far = V::load(src.as_ptr().add(last / 2)).max(V::load(src.as_ptr().add(last)));
            if outside(far) < V::LEN / 4 {
                return Judged::Some;
            }
            Judged::All(longest(first.max(second).max(far)))
        }
    }
}

impl<const MORE: bool, const CORRECTED: bool> Operation for OneSection<'_, MORE, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let OneSection { src, judged } = self;
        // SAFETY: all is within `src`, and three bytes are before the lines.
        unsafe {
            let level = Level::<V>::new::<CORRECTED>();
            let p = src.as_ptr();
            // By itself, before all else is looked at: behind an error the next is often near.
            let error = level.lookups().errors(V::load(p), V::splat(0));
            if error.any() {
                return stop_at(src, 0, error, src.len());
            }
            // At an aligned address, but for one in ten.
            let at = (V::LEN - p as usize % V::LEN).max(3);
            let error = match judged {
                Judged::Some => detected::<V, MORE, CORRECTED>(&level, src, at),
                Judged::All(longest) => all::<V, CORRECTED>(&level, src, at, longest),
            };
            error.unwrap_or_else(|| closed(src))
        }
    }
}

/// The boundary before the first error in the lines of `which`, counted from `at` on, or in the last 64 bytes of `src`, if there is an
/// error, where no character is longer than `MOST` bytes.
///
/// # Safety
/// As for [`Vector`]; and all these must be within `src`, and three bytes before each.
#[inline(always)]
unsafe fn first_error<V: Vector, const MOST: usize, const MORE: bool, const CORRECTED: bool>(
    level: &Level<V>,
    src: &[u8],
    at: usize,
    mut which: u64,
) -> Option<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        let p = src.as_ptr().add(at);
        // The last first, so that whether a line is the last need not be asked of each.
        let last = src.as_ptr().add(src.len() - BLOCK);
        let mut line = last;
        let mut ahead = last;
        let mut sums = Sums::new();
        loop {
            let (first, behind) = (line, which);
            // Opaque, or LLVM writes the loop out.
            let mut left = opaque(EIGHT as u64);
            // Once in the loop, as the test of a line is large.
            let ended = loop {
                if MORE {
                    ahead = ahead.wrapping_add(2 * BLOCK);
                    V::prefetch(ahead.wrapping_sub(BLOCK));
                    V::prefetch(ahead);
                }
                sums = level.line::<MOST, CORRECTED>(sums, line);
                left -= 1;
                if which == 0 {
                    break true;
                }
                line = p.add(BLOCK * which.trailing_zeros() as usize);
                which &= which - 1;
                if left == 0 {
                    break false;
                }
            };
            if level.has_errors::<MOST, CORRECTED>(sums) {
                let ahead = first == last && behind != 0;
                let first = if ahead { p.add(BLOCK * behind.trailing_zeros() as usize) } else { first };
                let at = first.offset_from_unsigned(src.as_ptr());
                return Some(V::apart(FirstError::<CORRECTED> { src, at, end: src.len() }));
            }
            if ended {
                return None;
            }
        }
    }
}

/// All of `src`, a text of at least two lines, as one section: its lines from `at` on, 1 to 64, and its last 64 bytes. Its first vector must
/// be without an error. The boundary before the first error, if there is one.
///
/// # Safety
/// As for [`Vector`]; and `at` must be 3 to the length of a vector.
#[inline(always)]
unsafe fn detected<V: Vector, const MORE: bool, const CORRECTED: bool>(
    level: &Level<V>,
    src: &[u8],
    at: usize,
) -> Option<usize> {
    let mut found = Found::new();
    let lines = (src.len() - at) / BLOCK;
    // SAFETY: these lines are within `src`, and three bytes before each.
    unsafe {
        let p = src.as_ptr().add(at);
        let last = src.as_ptr().add(src.len() - BLOCK);
        let mut all = detect::<V, false>(p, lines, 0, &mut found).max(V::load(src.as_ptr()));
        for vector in 0..BLOCK / V::LEN {
            all = all.max(V::load(last.add(vector * V::LEN)));
        }
        // Known earlier than what is stored.
        if !all.any_sign_bit() {
            return None;
        }
        let mut open = u64::from(!p.sub(1).read().is_ascii());
        let which = to_judge::<V>(&found, lines, &mut open);
        match longest(all).0 {
            4 => first_error::<V, 4, MORE, CORRECTED>(level, src, at, which),
            _ => first_error::<V, 3, MORE, CORRECTED>(level, src, at, which),
        }
    }
}

/// The same, but all lines are judged, and none is detected before, from the level of the `longest` character on. That must not be lower than those of
/// the first vector.
///
/// # Safety
/// As for [`detected`].
#[inline(always)]
unsafe fn all<V: Vector, const CORRECTED: bool>(
    level: &Level<V>,
    src: &[u8],
    at: usize,
    longest: Longest,
) -> Option<usize> {
    // SAFETY: these lines are within `src`, and three bytes before each.
    unsafe {
        let start = src.as_ptr();
        let last = start.add(src.len() - BLOCK);
        // The last first, so that whether a line is the last need not be asked of each.
        let mut lines = Straight { line: last, next: start.add(at), rest: (src.len() - at) / BLOCK + 1 };
        if longest.0 == 2 {
            lines = lines.judge::<V, 2, CORRECTED>(level).err()?.group;
        }
        if longest.0 <= 3 {
            let Refused { group, behind, too_long } = lines.judge::<V, 3, CORRECTED>(level).err()?;
            // The last line again, if it was before these: at this level it was not asked about a character of four bytes that begins three bytes
            // before it.
            lines = if group.line == last {
                group
            } else {
                Straight { line: last, next: group.line, rest: group.rest + 1 }
            };
            if !too_long {
                let (at, end) = (group.first(start), behind.line.offset_from_unsigned(start));
                let boundary = V::apart(FirstError::<CORRECTED> { src, at, end });
                if boundary < end {
                    return Some(boundary);
                }
                // It was something in the last line.
                lines = Straight { line: last, next: behind.line, rest: behind.rest + 1 };
            }
        }
        let at = lines.judge::<V, 4, CORRECTED>(level).err()?.group.first(start);
        Some(V::apart(FirstError::<CORRECTED> { src, at, end: src.len() }))
    }
}
