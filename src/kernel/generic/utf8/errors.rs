//! All errors of some lines, over any vector: see [`errors`](crate::kernel::dispatch::errors).
//!
//! Finding the bytes of a line at which a rule is broken takes the general test, and masks of all its vectors. With AVX2 that is twice as
//! long as finding whether there is an error, at the level of three bytes. So if a sample of the lines has no ASCII line, and no characters
//! of four bytes, all lines are tested at that level first, and only in suspicious lines are the places of the errors determined. With an
//! error in each 4 KiB, or in each 1 KiB, Russian and Chinese are 1.45 and 1.3 times as fast (AVX2, AMD Zen 3), and with one in each 256
//! bytes as fast as without this. Emoji gain a fifth because they are not searched for ASCII. If some lines are ASCII, or every third
//! character of a text is an emoji, two passes are no faster than one: German, JSON and shuffled documents became up to a tenth slower.
//!
//! Each line that is judged prefetches the same line of the next section. For texts of 64 KiB from the third-level cache, all different,
//! with an error in each KiB, this makes Russian, Chinese and emoji 1.1 times as fast, German 1.16, JSON 1.18; with errors at random places
//! 1.1 to 1.2 times (AVX2, Intel Cascade Lake). Prefetching 16 lines ahead is as good for the first three, but the others gain only 0.05,
//! because the detection of the next section then waits. Prefetching while lines are detected gains nothing.

use super::sections::{Found, detect, to_judge};
use super::unit::{Level, Sums};
use crate::kernel::generic::BLOCK;
use crate::kernel::shared::lines::{Places, before, lines_of_errors};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::vector::{Operation, Vector};

/// So few lines are asked at once where their errors are.
const FEW: usize = 16;

/// How far ahead is prefetched: the lines of a section.
const AHEAD: usize = 64 * BLOCK;

/// Which of the lines of `src` from `at` on have errors, and which had to be judged: one bit for each of the [`lines_of_errors`]. At which
/// of its bytes a line has errors is written to `places`, one after the other for the lines that have.
///
/// There must be three bytes before `at`, and a line behind it.
pub(in crate::kernel) struct ErrorsOfLines<'a> {
    pub src: &'a [u8],
    pub at: usize,
    pub places: &'a mut Places,
}

impl Operation for ErrorsOfLines<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> (u64, u64) {
        let ErrorsOfLines { src, at, places } = self;
        let lines = lines_of_errors(src, at);
        // SAFETY: these lines are within `src`, and three bytes before them. The loop ends when there is no more room for places.
        unsafe {
            let p = src.as_ptr().add(at);
            let sample = |line: usize| V::load(p.add(BLOCK * line.min(lines - 1)));
            let (first, second, third, fourth) = (sample(0), sample(15), sample(30), sample(45));
            let dense =
                first.any_sign_bit() & second.any_sign_bit() & third.any_sign_bit() & fourth.any_sign_bit();
            let level = Level::<V>::new::<false>();
            let (which, mut rest) = if dense {
                let all = opaque(u64::MAX >> (64 - lines));
                // (Not in the first line, which mostly has the error behind which sections began, and where errors have equal distances, one
                // in each section.)
                let has_four = || second.max(third).max(fourth).sub_saturating(V::splat(0xEF)).any();
                (all, if lines <= FEW || has_four() { all } else { suspected(&level, p, all) })
            } else {
                let mut found = Found::new();
                let mut open = u64::from(!before(src, at).is_ascii());
                let all = detect::<V, false>(p, lines, 0, &mut found);
                // Known earlier than what is stored.
                if !all.any_sign_bit() && open == 0 {
                    return (0, 0);
                }
                let which = to_judge::<V>(&found, lines, &mut open);
                (which, which)
            };
            let lookups = level.lookups();
            let mut with = 0;
            let mut to = places.as_mut_ptr().cast::<u64>();
            let end = to.add(places.len());
            while rest != 0 && to != end {
                let p = p.add(BLOCK * rest.trailing_zeros() as usize);
                V::prefetch(p.wrapping_add(AHEAD));
                let mut without = 0;
                for from in (0..BLOCK).step_by(V::LEN) {
                    let p = p.add(from);
                    let none = lookups.errors_at(p, V::load(p)).equal(V::splat(0));
                    without |= u64::from(none.sign_bits()) << from;
                }
                // Over what was written for a line without errors.
                to.write(!without);
                to = to.add(usize::from(without != u64::MAX));
                with |= if without == u64::MAX { 0 } else { rest & rest.wrapping_neg() };
                rest &= rest - 1;
            }
            (with, which)
        }
    }
}

/// Those of the lines of `which`, counted from `p` on, that may have errors: those that are not well-formed, or have characters of four bytes;
/// and since such a character may lack its last bytes in the line behind, the line behind each of these, and the first.
///
/// # Safety
/// As for [`Vector`]; and the lines must be readable, and three bytes before each.
#[inline(always)]
unsafe fn suspected<V: Vector>(level: &Level<V>, p: *const u8, which: u64) -> u64 {
    let (mut rest, mut suspected) = (which, 0);
    while rest != 0 {
        // SAFETY: the caller's promise.
        let refused = unsafe {
            let p = p.add(BLOCK * rest.trailing_zeros() as usize);
            V::prefetch(p.wrapping_add(AHEAD));
            level.refused::<3, false>(level.line::<3, false>(Sums::new(), p))
        };
        suspected |= if refused { rest & rest.wrapping_neg() } else { 0 };
        rest &= rest - 1;
    }
    (suspected | suspected << 1 | 1) & which
}
