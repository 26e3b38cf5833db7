//! UTF-16 and UTF-32 to UTF-8 over vectors of 16 or 32 bytes.
//!
//! A step takes as many units as a vector has words of two bytes, and makes of each a slot of four
//! bytes, of which one to three are there ([`units`]); a shuffle by a table brings those together
//! ([`compact`](super::compact)). Surrogates are units like others, with two bytes each: a pair needs no
//! branch, no lane of its own and no luck with the edges of a step. Four bytes in one slot come from
//! UTF-32 only.
//!
//! Long text goes through one of four loops ([`loops`]). Here is what comes before and after: single
//! steps, which look for themselves what they need, and whose last one is put together from smaller
//! loads and, where there is no room for all that a step may write, goes through the stack. A short
//! string is nothing but such steps. The last five units at most go one by one: on the way through a
//! step a character takes some ten nanoseconds, alone or with fifteen others.
//!
//! A step that finds something wrong knows how long the characters before it are, from the same bits
//! that the table is read by; so it counts those, and the next one stops.
//!
//! Measured on a Xeon with AVX-512 at some 3 GHz, texts of 256 KiB, ratios to simdutf's kernel for the
//! same instruction set. AVX2 from UTF-16: two-byte scripts 1.5 to 1.6, CJK, Hindi, Thai, Vietnamese
//! 1.55 to 1.65, emoji 5, ASCII 1.55, French and Czech 1.5, German 1.1, JSON and HTML with all kinds
//! of text between ASCII 0.8. AVX2 from UTF-32: 1.6 to 1.7, emoji 6, ASCII 1.4, German, JSON, HTML 0.65
//! to 0.85. SSE4.2 about the same, CJK 1.05 to 1.5. Still to do: text that changes every few words,
//! where the peer tests sixteen units at a time; and strings of 5 to 15 units, behind it by a quarter.
//!
//! What did not work: an extra path for sixteen units that all have three bytes, for one blank
//! mispredicts it (Thai fell by a third); one function for all loops, in which constants were loaded
//! again in each step; and taking only whole pairs in a step, for then the next load waits for it.

mod loops;
mod units;

use super::Progress;
use super::compact::{size_of_four_slots, write_four_slots};
use super::scratch::Scratch;
use crate::kernel::shared::Span;
use crate::kernel::shared::character::write_character;
use crate::kernel::vector::{Operation, Vector};
use crate::unicode::{CorrectedForm, Form, Utf8Form, Utf16Form, Utf32Form};

use loops::Bulk;
use units::{Mixed, Units16, Units32, Wide, basic, controls};

/// UTF-16 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf16ToUtf8<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for Utf16ToUtf8<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { convert::<V, Units16<SWAP>, false>(self.0) }
    }
}

/// UTF-32 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf32ToUtf8<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for Utf32ToUtf8<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { convert::<V, Units32<SWAP>, false>(self.0) }
    }
}

/// UTF-16 to Corrected UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf16ToCorrected<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for Utf16ToCorrected<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { with_plain_stretches::<V, Units16<SWAP>, Utf16Form<SWAP>>(self.0) }
    }
}

/// UTF-32 to Corrected UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf32ToCorrected<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for Utf32ToCorrected<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { with_plain_stretches::<V, Units32<SWAP>, Utf32Form<SWAP>>(self.0) }
    }
}

/// Units of a stretch that the plain loops move.
const STRETCH: usize = 48;

/// To Corrected UTF-8. A single step knows the basic plane only, and the loops not the pairs of three bytes:
/// what is beyond the plain loops move, and some units behind it.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn with_plain_stretches<V: Vector, W: Wide, S: Form>(work: Span) -> Progress {
    let mut done = Progress::default();
    loop {
        // SAFETY: the caller's promise; what is left is part of that.
        unsafe {
            let left = |done: Progress| Span {
                src: work.src.wrapping_add(W::SIZE * done.read),
                len: work.len - done.read,
                dst: work.dst.wrapping_add(done.written),
                room: work.room - done.written,
            };
            let Progress { read, written } = convert::<V, W, true>(left(done));
            done.read += read;
            done.written += written;
            let rest = left(done);
            if rest.len == 0 {
                return done;
            }
            let stretch = Span { len: rest.len.min(STRETCH), ..rest };
            let Progress { read, written } = stretch.plainly_apart::<S, CorrectedForm>();
            done.read += read;
            done.written += written;
            if read == 0 || done.read == work.len {
                return done;
            }
        }
    }
}

/// Units of a step.
const fn step<V: Vector>() -> usize {
    V::LEN / 2
}

/// Bytes for which there must be room, in any loop.
const fn most<V: Vector>() -> usize {
    2 * V::LEN
}

/// From so many steps on the loops are worth their beginning.
const MANY: usize = 8;

/// So few units are not worth a step.
const FEW: usize = 5;

/// Characters one by one: where a step would be longer on its way than they are in sum. It stops
/// where there is no room for any character.
///
/// # Safety
/// As for [`next`].
#[inline(always)]
unsafe fn few<W: Wide, const CORRECTED: bool>(work: Span, mut at: Progress) -> Progress {
    while at.read < work.len && work.room - at.written >= Utf8Form::MOST {
        // SAFETY: there is a unit, and room for any character.
        unsafe {
            let (scalar, units) = W::character(work.src.add(W::SIZE * at.read), work.len - at.read);
            if units == 0 {
                break;
            }
            let dst = work.dst.add(at.written);
            let size = if CORRECTED {
                write_character::<CorrectedForm>(dst, scalar)
            } else {
                write_character::<Utf8Form>(dst, scalar)
            };
            if size == 0 {
                break;
            }
            at.read += units;
            at.written += size;
        }
    }
    at
}

/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn convert<V: Vector, W: Wide, const CORRECTED: bool>(work: Span) -> Progress {
    let mut at = Progress { read: 0, written: 0 };
    let mut many = work.len >= MANY * step::<V>() && work.room >= MANY * step::<V>();
    while at.read < work.len {
        // SAFETY: the caller's promise; both counts are those of the steps before.
        unsafe {
            let last = at.read;
            if work.len - last <= FEW {
                return few::<W, CORRECTED>(work, at);
            }
            at = next::<V, W, CORRECTED>(work, at);
            if at.read == last {
                break;
            }
            if many {
                many = false;
                at = V::apart(Bulk::<W, CORRECTED>::new(work, at));
            }
        }
    }
    at
}

/// One step, at the end or anywhere: as many whole characters as are in order, up to a step of
/// units, and fit.
///
/// # Safety
/// As for [`Operation::run`]; and so much has been read, up to a character boundary, and written.
#[inline(always)]
unsafe fn next<V: Vector, W: Wide, const CORRECTED: bool>(work: Span, at: Progress) -> Progress {
    let (left, room) = (work.len - at.read, work.room - at.written);
    // SAFETY: loads are of units that are left; stores go where there is room for any step.
    unsafe {
        let src = work.src.add(W::SIZE * at.read);
        let mut count = left.min(step::<V>());
        let units = if left >= step::<V>() {
            W::load::<V>(src)
        } else {
            W::load_partial::<V>(core::slice::from_raw_parts(src, W::SIZE * left))
        };
        let mut scratch = Scratch::new();
        let beside = room < most::<V>();
        let dst = if beside { scratch.as_mut_ptr() } else { work.dst.add(at.written) };

        let mut size = count;
        if !W::any_outside(units, 0x7F) {
            let words = W::words(units);
            words.narrow_16_to_8(words).store_lane::<0>(dst);
        } else {
            let words = W::words(units);
            if CORRECTED {
                // Up to the first unit that is not in the basic plane, or has no form.
                let wrong = V::splat(0xFF).and_not(W::within(units, 0xFFFF));
                let wrong = wrong.or(words.surrogates()).or(controls(words)).signs();
                count = count.min(wrong.trailing_zeros() as usize / 2);
                let slots = basic::<V, true>(words);
                let bits = slots.marks.signs();
                write_four_slots::<V, false>(slots.tails, slots.heads, bits, dst);
                size = size_of_four_slots::<V, false>(bits, count);
            } else if W::irregular(units, words).any() {
                let Mixed { slots, wrong, .. } = W::mixed(units, W::before(units));
                let bits = slots.marks.signs();
                if W::PAIRS {
                    write_four_slots::<V, false>(slots.tails, slots.heads, bits, dst);
                } else {
                    write_four_slots::<V, true>(slots.tails, slots.heads, bits, dst);
                }
                count = count.min(wrong.trailing_zeros() as usize / 2);
                size = if W::PAIRS {
                    size_of_four_slots::<V, false>(bits, count)
                } else {
                    size_of_four_slots::<V, true>(bits, count)
                };
            } else {
                let slots = basic::<V, false>(words);
                let bits = slots.marks.signs();
                write_four_slots::<V, false>(slots.tails, slots.heads, bits, dst);
                size = size_of_four_slots::<V, false>(bits, count);
            }
        }
        if beside {
            let dst = work.dst.add(at.written);
            if size > room {
                (count, size) = scratch.copy_what_fits(dst, room, W::PAIRS);
            } else {
                scratch.copy(dst, size);
            }
        }
        Progress { read: at.read + count, written: at.written + size }
    }
}
