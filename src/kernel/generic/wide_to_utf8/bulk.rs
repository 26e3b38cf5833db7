//! The loop for long text.
//!
//! There is one, and it makes one decision for a *round* of two steps: are all units ASCII, below U+0800, in the BMP, or is there
//! anything else? A round of ASCII is narrowed. Characters below U+0800 have slots of two bytes and half as many shuffles as those
//! of the BMP; if one of two steps of the BMP is ASCII, it is narrowed by itself. What is left, surrogates and supplementary
//! characters, is converted without a further branch, step by step; such a round does not end within a pair, so that the next may
//! be of any kind. If rounds of ASCII follow each other, more ASCII is expected, and twice as much is narrowed at a time; if rounds
//! of the BMP follow each other, they have a loop of their own, with all constants in registers.
//!
//! Before, there was a loop for each of these kinds, with rules for when to leave it: real text changes its kind every few dozen
//! units, and each change of loops cost more than a decision for every round.
//!
//! A step of ASCII after one that is not ASCII used to go through the shuffles together with it. Since it is narrowed by itself, text
//! with one U+FFFD in 100 units went from 0.78 to 1.05 of simdutf with AVX2 and from 0.70 to 0.88 with SSE4.2 (AMD EPYC, Zen 5); real
//! text gained up to 7 % and up to 14 %, but with SSE4.2 logs and sources, which are nearly all ASCII, lost as much.
//!
//! What did not help (AVX2, Intel Cascade Lake, texts of 8 KiB that are all different, as a ratio of speeds): if more ASCII was expected
//! and another unit came, continuing exactly at that unit, found by the bits of the four steps (Japanese and Arabic handbooks 1.1, tweets,
//! English and emoji among their names 0.95), or at the round that contains it (German 1.06, emoji 0.91); and selecting without a branch
//! which of two steps is not ASCII, since no predictor knows which it is (one U+FFFD in 100 units among ASCII 1.07, real text 0.97). Nor
//! did it help to convert sixteen rounds without those tests whose results changed in the sixteen before, treating everything as below
//! U+0800 or as the BMP: German and English, all different, 0.8 to 0.9, and known by heart 0.5 (AVX2, AMD Zen 3). Nor rounds with up to two
//! characters that are not ASCII, without a test of their kind: the round was narrowed and stored, each such character written over its
//! place, and the units behind it narrowed and stored again. German had 0.5 to 0.7 of the speed, English 0.6 to 0.7, Polish 0.5 (AVX2,
//! AMD Zen 3), because a character by itself takes 25 instructions.
//!
//! An error ends the loop before its step.

use core::marker::PhantomData;

use super::units::{Slots, WideUnits, basic, controls, two};
use super::{room_of_step, step};
use crate::kernel::Progress;
use crate::kernel::generic::compact::{write_eight_slots, write_four_slots};
use crate::kernel::shared::Span;
use crate::kernel::vector::{Operation, Vector};

/// After this many rounds of ASCII in succession, more of it is expected.
const ASCII_RUN: usize = 2;

/// After this many rounds of the BMP in succession, more of them are expected.
const THREE_RUN: usize = 4;

/// The bulk of a long text, behind the first step.
pub(super) struct Bulk<W, const CORRECTED: bool> {
    span: Span,
    at: Progress,
    units: PhantomData<W>,
}

impl<W, const CORRECTED: bool> Bulk<W, CORRECTED> {
    /// Behind what has been read and written of `span`, which is at least one unit.
    #[inline(always)]
    pub(super) fn new(span: Span, at: Progress) -> Self {
        Bulk { span, at, units: PhantomData }
    }
}

impl<W: WideUnits, const CORRECTED: bool> Operation for Bulk<W, CORRECTED> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Span { src, len, dst, room } = self.span;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        // (A high surrogate at the end of a step may need the low one behind it.)
        let behind = usize::from(CORRECTED && W::PAIRS);
        let (last_read, last_written) = (len - 2 * step - behind, room - 2 * room_of_step::<V>());
        let (mut run, mut three) = (0, 0);
        // SAFETY: the units of a round are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let (p, to) = (src.add(W::SIZE * read), dst.add(written));
                let (first, second) = (W::load::<V>(p), W::load::<V>(p.add(W::SIZE * step)));
                let both = W::or(first, second);
                let (one, other) = (W::words::<V>(first), W::words::<V>(second));
                if !W::any_above::<V>(both, 0x7F) {
                    one.narrow_16_to_8(other).store(to);
                    read += 2 * step;
                    written += 2 * step;
                    (run, three) = (run + 1, 0);
                    if run >= ASCII_RUN {
                        let passed = ascii::<V, W>(self.span, Progress { read, written });
                        read += passed;
                        written += passed;
                    }
                    continue;
                }
                run = 0;
                if CORRECTED && controls(one).or(controls(other)).any() {
                    break;
                }
                if !W::any_above::<V>(both, 0x7FF) {
                    let (one, other) = (two::<V, CORRECTED>(one), two::<V, CORRECTED>(other));
                    let bits = one.narrow_signs(other).sign_bits();
                    written += write_eight_slots::<V, false>(one, other, bits, to);
                    read += 2 * step;
                    three = 0;
                    continue;
                }
                if !W::any_above::<V>(first, 0x7F) {
                    one.narrow_16_to_8(one).store_lane::<0>(to);
                    read += step;
                    written += step;
                    continue;
                }
                if !W::any_above::<V>(second, 0x7F) && !W::not_basic(first, one).any() {
                    let size = write_basic::<V, CORRECTED>(one, to);
                    other.narrow_16_to_8(other).store_lane::<0>(to.add(size));
                    read += 2 * step;
                    written += size + step;
                    continue;
                }
                if !W::not_basic(first, one).or(W::not_basic(second, other)).any() {
                    let size = write_basic::<V, CORRECTED>(one, to);
                    written += size + write_basic::<V, CORRECTED>(other, to.add(size));
                    read += 2 * step;
                    three += 1;
                    if three >= THREE_RUN {
                        let at = Progress { read, written };
                        Progress { read, written } =
                            V::apart(Three::<W, CORRECTED> { span: self.span, at, units: PhantomData });
                        three = 0;
                    }
                    continue;
                }
                let Some(size) = write_mixed::<V, W, CORRECTED>(first, p, to) else { break };
                read += step;
                written += size;
                let size = write_mixed::<V, W, CORRECTED>(second, p.add(W::SIZE * step), to.add(size));
                if let Some(size) = size {
                    read += step;
                    written += size;
                }
                // A pair lies in two steps of a round, but not in two rounds.
                if W::ends_with_high(src.add(W::SIZE * read)) {
                    read -= 1;
                    written -= 2;
                }
                if size.is_none() {
                    break;
                }
            }
        }
        Progress { read, written }
    }
}

/// Rounds of the BMP that are not below U+0800, as long as they follow each other. (In a function of its own, all of its
/// constants stay in registers.)
struct Three<W, const CORRECTED: bool> {
    span: Span,
    at: Progress,
    units: PhantomData<W>,
}

impl<W: WideUnits, const CORRECTED: bool> Operation for Three<W, CORRECTED> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Span { src, len, dst, room } = self.span;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        let (last_read, last_written) = (len - 2 * step, room - 2 * room_of_step::<V>());
        // SAFETY: the units of a round are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let (p, to) = (src.add(W::SIZE * read), dst.add(written));
                let (first, second) = (W::load::<V>(p), W::load::<V>(p.add(W::SIZE * step)));
                let (one, other) = (W::words::<V>(first), W::words::<V>(second));
                if !W::any_above::<V>(W::or(first, second), 0x7FF)
                    || W::not_basic(first, one).or(W::not_basic(second, other)).any()
                    || CORRECTED && controls(one).or(controls(other)).any()
                {
                    break;
                }
                let size = write_basic::<V, CORRECTED>(one, to);
                written += size + write_basic::<V, CORRECTED>(other, to.add(size));
                read += 2 * step;
            }
        }
        Progress { read, written }
    }
}

/// Narrows ASCII, two rounds at a time; returns the number of units.
///
/// # Safety
/// As for [`Operation::run`]; and `at` must be what has been read and written.
#[inline(always)]
unsafe fn ascii<V: Vector, W: WideUnits>(span: Span, at: Progress) -> usize {
    let step = step::<V>();
    let most = (span.len - at.read).min(span.room - at.written);
    let mut done = 0;
    // SAFETY: the units of four steps are left, and there is room for them.
    unsafe {
        let (src, dst) = (span.src.add(W::SIZE * at.read), span.dst.add(at.written));
        while most - done >= 4 * step {
            let load = |nth: usize| W::load::<V>(src.add(W::SIZE * (done + nth * step)));
            let (a, b, c, d) = (load(0), load(1), load(2), load(3));
            if W::any_above::<V>(W::or(W::or(a, b), W::or(c, d)), 0x7F) {
                break;
            }
            W::words::<V>(a).narrow_16_to_8(W::words::<V>(b)).store(dst.add(done));
            W::words::<V>(c).narrow_16_to_8(W::words::<V>(d)).store(dst.add(done + V::LEN));
            done += 4 * step;
        }
    }
    done
}

/// Writes a step of the BMP; returns the number of bytes.
///
/// # Safety
/// As for the loop.
#[inline(always)]
unsafe fn write_basic<V: Vector, const CORRECTED: bool>(words: V, to: *mut u8) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let Slots { tails, heads, marks } = basic::<V, CORRECTED>(words);
        write_four_slots::<V, false>(tails, heads, marks.sign_bits(), to)
    }
}

/// Writes a step of any units, which are at `p`; returns the number of bytes, or `None` if there is an error.
///
/// # Safety
/// As for the loop.
#[inline(always)]
unsafe fn write_mixed<V: Vector, W: WideUnits, const CORRECTED: bool>(
    units: W::Units<V>,
    p: *const u8,
    to: *mut u8,
) -> Option<usize> {
    // SAFETY: the caller's promise; there is a unit before `p`.
    unsafe {
        let before = W::load_before(p);
        let mixed = if CORRECTED {
            W::mixed_corrected(units, before, W::load_behind(p))
        } else {
            W::mixed(units, before)
        };
        if mixed.errors_so_far.any() {
            return None;
        }
        let Slots { tails, heads, marks } = mixed.slots;
        let bits = marks.sign_bits();
        Some(if W::PAIRS {
            write_four_slots::<V, false>(tails, heads, bits, to)
        } else {
            write_four_slots::<V, true>(tails, heads, bits, to)
        })
    }
}
