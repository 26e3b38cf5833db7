//! Text from memory, [in turns](crate::kernel::shared::turns), over any vector.
//!
//! # Figures
//! AMD EPYC (Zen 4), AVX2, GB/s, texts of 64 MiB; before: four places of 64 KiB, a line of each in turns, all lines judged at the
//! level of four bytes.
//!
//! | | simdutf8 | before | now | | | simdutf8 | before | now |
//! |---|--:|--:|--:|---|---|--:|--:|--:|
//! | log | 29 | 21 | 40 | | tweets | 24 | 19 | 30 |
//! | Rust sources | 26 | 20 | 38 | | Hindi names | 18 | 20 | 33 |
//! | German handbook | 25 | 20 | 33 | | emoji | 20 | 20 | 24 |
//!
//! Before that, there were loops with one place. On Zen 3 (AVX2), lines in turns were 1.1 to 1.7 times as fast as these; loads alone reach
//! 13 to 16 GB/s there, with prefetches of any kind 10 to 14, and four or eight streams of loads 18 to 23. ("Now" is four places in turns of a page; two places in turns of half a page are as fast at best, and faster if
//! memory is busy: see [`turns`].)

use core::marker::PhantomData;

use super::super::BLOCK;
use super::{Level, Sums};
use crate::kernel::shared::lines::GROUP;
use crate::kernel::shared::opaque::opaque;
use crate::kernel::shared::turns::{self, Judged, TURN, valid_in_turns};
use crate::kernel::vector::{Operation, Vector};

/// [`valid_in_turns`], with its safety.
pub(super) struct Far<'a, const CORRECTED: bool> {
    pub(super) src: &'a [u8],
    pub(super) at: usize,
}

impl<const CORRECTED: bool> Operation for Far<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        // SAFETY: the caller's promise; this is the instruction set.
        unsafe { valid_in_turns::<Turns<V>, CORRECTED>(self.src, self.at) }
    }
}

struct Turns<V>(PhantomData<V>);

impl<V: Vector, const CORRECTED: bool> turns::Turns<CORRECTED> for Turns<V> {
    #[inline(always)]
    unsafe fn ascii(p: *const u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { V::apart(Ascii { p }) }
    }

    #[inline(always)]
    unsafe fn judge<const MOST: usize>(p: *const u8, len: usize) -> Judged {
        // SAFETY: the caller's promise.
        unsafe { V::apart(Judge::<MOST, CORRECTED> { p, len }) }
    }
}

/// [`ascii`](turns::Turns::ascii).
struct Ascii {
    p: *const u8,
}

impl Operation for Ascii {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let mut at = 0;
        while at != TURN {
            // SAFETY: a group of the turn, and the byte before it.
            unsafe {
                let p = self.p.add(at);
                let mut all = [V::load(p), V::load(p.sub(1))];
                for vector in 1..GROUP / V::LEN {
                    let p = p.add(vector * V::LEN);
                    all[0] = all[0].or(V::load(p));
                    if vector % (BLOCK / V::LEN) == 0 {
                        all[1] = all[1].or(V::load(p.sub(1)));
                    }
                }
                if all[0].or(all[1]).any_sign_bit() {
                    break;
                }
            }
            at += GROUP;
        }
        at
    }
}

/// [`judge`](turns::Turns::judge).
struct Judge<const MOST: usize, const CORRECTED: bool> {
    p: *const u8,
    len: usize,
}

impl<const MOST: usize, const CORRECTED: bool> Operation for Judge<MOST, CORRECTED> {
    type Output = Judged;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Judged {
        // SAFETY: all lines are within the turn, and three bytes are before it.
        unsafe {
            let level = Level::<V>::new::<CORRECTED>();
            let mut sums = Sums::new();
            let mut line = self.p;
            let mut left = (self.len / BLOCK) as u64;
            // Opaque, or LLVM writes the loop out.
            while opaque(left) != 0 {
                left -= 1;
                sums = level.line::<MOST, CORRECTED>(sums, line);
                line = line.wrapping_add(BLOCK);
            }
            Judged { refused: level.refused::<MOST, CORRECTED>(sums), ascii: !sums.greatest.any_sign_bit() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Far;
    use crate::kernel::Engine;
    use crate::kernel::shared::turns;
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

    #[test]
    fn stops_before_the_window_of_an_error() {
        for engine in Engine::available() {
            turns::tests::stops_before_the_window_of_an_error(engine.isa(), |text, at| {
                // SAFETY: the operation asks for nothing more.
                #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
                unsafe {
                    crate::kernel::vector::by_isa!(engine; None, Stop(text, at), None)
                }
            });
        }
    }
}
