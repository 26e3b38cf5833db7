//! UTF-16 and UTF-32 to UTF-8 over vectors of 16 or 32 bytes.
//!
//! A step takes as many units as a vector has words of two bytes, and turns each into a slot of four bytes, of which one to three
//! are used ([`units`]); a shuffle from a table removes the gaps ([`compact`](super::compact)). Surrogates are units like others,
//! with two bytes each: a pair needs no branch and no lane of its own, and may lie across the end of a step. Only UTF-32 has four
//! bytes in one slot.
//!
//! Long text is converted by a loop ([`mod@bulk`]). This file has what comes before and after: single steps, which make the tests
//! that they need themselves. The last one is assembled from smaller loads and, if there is no room for everything that a step may
//! write, writes to the stack first. A short string is converted by such steps only. The last few units may be converted one by
//! one: a step has a latency of some ten nanoseconds, whether for one character or for sixteen.
//!
//! A step that finds an error knows the lengths of the characters before it, from the same bits that index the table;
//! so it counts those, and the next step stops.
//!
//! Measured on an AMD EPYC (Zen 4), texts of 160 KiB, in one run with simdutf restricted to the same instruction set, as ratios to
//! it. AVX2 from UTF-16: two-byte scripts 1.6 to 1.7, CJK and Hindi 1.5, emoji 3.1; German 1.05 to 1.1, English 1.15 to 1.2, Polish
//! and Arabic with markup 1.25 to 1.3, Japanese with markup 1.1, tweets 1.2, emoji with their names 1.2, ASCII 1.3. AVX2 from
//! UTF-32: 1.55, 1.65, 4; German 1.05 to 1.1, English 1.15, Polish 1.2, Japanese with markup 1.05 to 1.1, ASCII 1.3. SSE4.2 from
//! UTF-16: 1.4, 0.9 to 1.35, 1.75; German 1.1 to 1.5, Polish 1.04, Japanese with markup 0.92, Hindi in short strings between ASCII
//! 0.82; from UTF-32 1.04 to 2. (Before this loop, on a Xeon, short strings of 5 to 15 units were slower than the peer's by a
//! quarter; not measured again.)
//!
//! What did not pay off: an extra path for sixteen units that all have three bytes, because one blank causes a misprediction (Thai
//! fell by a third); taking only whole pairs in each step, because then the next load waits for it; and a loop for each kind of
//! text, which German, Japanese and emoji among text had to leave and enter again every few dozen units (0.4 to 0.8 of the peer).
//! Text that is dense in one kind still gains from a loop whose constants all stay in registers: a sixth for three-byte scripts
//! with AVX2, a quarter with SSE4.2.

mod bulk;
mod units;

use super::Progress;
use super::compact::{size_of_four_slots, write_four_slots};
use super::few_steps::{Step, are_few, few_steps};
use super::scratch::Scratch;
use crate::kernel::shared::Span;
use crate::kernel::shared::character::write_character;
use crate::kernel::vector::{Operation, Vector};
use crate::unicode::{CorrectedForm, Form, Utf8Form, Utf16Form, Utf32Form};

use bulk::Bulk;
use units::{Mixed, Units16, Units32, WideUnits, basic, controls};

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
        unsafe { with_portable_segments::<V, Units16<SWAP>, Utf16Form<SWAP>>(self.0) }
    }
}

/// UTF-32 to Corrected UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf32ToCorrected<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for Utf32ToCorrected<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { with_portable_segments::<V, Units32<SWAP>, Utf32Form<SWAP>>(self.0) }
    }
}

/// Units of a segment that the portable loops convert.
const SEGMENT: usize = 48;

/// To Corrected UTF-8. A single step handles the BMP only, and the loops do not handle pairs that become three bytes:
/// these, and some units behind them, are left to the portable loops.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn with_portable_segments<V: Vector, W: WideUnits, S: Form>(span: Span) -> Progress {
    let mut done = Progress::default();
    loop {
        // SAFETY: the caller's promise; what is left is part of it.
        unsafe {
            let left = |done: Progress| Span {
                src: span.src.wrapping_add(W::SIZE * done.read),
                len: span.len - done.read,
                dst: span.dst.wrapping_add(done.written),
                room: span.room - done.written,
            };
            let Progress { read, written } = convert::<V, W, true>(left(done));
            done.read += read;
            done.written += written;
            let rest = left(done);
            if rest.len == 0 {
                return done;
            }
            let segment = Span { len: rest.len.min(SEGMENT), ..rest };
            let Progress { read, written } = segment.plainly_apart::<S, CorrectedForm>();
            done.read += read;
            done.written += written;
            if read == 0 || done.read == span.len {
                return done;
            }
        }
    }
}

/// Units per step.
const fn step<V: Vector>() -> usize {
    V::LEN / 2
}

/// Bytes for which a step of the loop needs room.
const fn room_of_step<V: Vector>() -> usize {
    2 * V::LEN
}

/// From this many steps on the loop is worth entering.
const MANY: usize = 8;

/// Up to this many units are not worth a step. (Where less than a register is loaded without a branch, a step costs less than the branches
/// of a few characters: with five there, too, strings of 1 to 31 units, all different, took 1.03 to 1.12 times as long, AVX2 on Intel
/// Granite Rapids.)
const fn few<V: Vector>() -> usize {
    if V::LOADS_WORDS { 1 } else { 5 }
}

/// Converts characters one by one, where the latency of a step is longer than all of them take. It stops where there
/// may be no room for a character.
///
/// # Safety
/// As for [`next`].
#[inline(always)]
unsafe fn one_by_one<W: WideUnits, const CORRECTED: bool>(span: Span, mut at: Progress) -> Progress {
    while at.read < span.len && span.room - at.written >= Utf8Form::MOST {
        // SAFETY: there is a unit, and room for any character.
        unsafe {
            let (scalar, units) = W::character(span.src.add(W::SIZE * at.read), span.len - at.read);
            if units == 0 {
                break;
            }
            let dst = span.dst.add(at.written);
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

/// Converts everything: steps, and the loops behind the first step of a long text.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn convert<V: Vector, W: WideUnits, const CORRECTED: bool>(span: Span) -> Progress {
    // SAFETY: the caller's promise.
    if unsafe { short_ascii::<V, W>(&span) } {
        return Progress { read: span.len, written: span.len };
    }
    let mut at = Progress { read: 0, written: 0 };
    let mut many = span.len >= MANY * step::<V>() && span.room >= MANY * step::<V>();
    while at.read < span.len {
        // SAFETY: the caller's promise; `at` is what the steps before have read and written.
        unsafe {
            let last = at.read;
            if span.len - last <= few::<V>() {
                return one_by_one::<W, CORRECTED>(span, at);
            }
            at = next::<V, W, CORRECTED>(span, at);
            if at.read == last {
                break;
            }
            if many {
                many = false;
                at = V::apart(Bulk::<W, CORRECTED>::new(span, at));
            }
        }
    }
    at
}

/// Narrows a text of [few steps](few_steps), if it is ASCII; says whether it is, and fits.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn short_ascii<V: Vector, W: WideUnits>(span: &Span) -> bool {
    let step = step::<V>();
    if !are_few(span.len, step) || span.len > span.room {
        return false;
    }
    // SAFETY: all steps are within the text, and there is room for as many bytes.
    unsafe {
        let first = W::load::<V>(span.src);
        if W::any_above(first, 0x7F) {
            return false;
        }
        let mut narrowed = Narrowed::<V, W> { span, all: first };
        few_steps::<Narrowed<'_, V, W>>(&mut narrowed, span.len, step);
        !W::any_above(narrowed.all, 0x7F)
    }
}

/// What [`short_ascii`] has narrowed.
struct Narrowed<'a, V: Vector, W: WideUnits> {
    span: &'a Span,
    /// All units or'ed together.
    all: W::Units<V>,
}

impl<V: Vector, W: WideUnits> Step for Narrowed<'_, V, W> {
    /// Writes the units as bytes, which they are if they are ASCII.
    #[inline(always)]
    unsafe fn step(&mut self, at: usize) {
        // SAFETY: the caller's promise; and there is room for as many bytes as there are units.
        unsafe {
            let units = W::load::<V>(self.span.src.add(W::SIZE * at));
            self.all = W::or(self.all, units);
            let words = W::words(units);
            let bytes = words.narrow_16_to_8(words);
            let dst = self.span.dst.add(at);
            if step::<V>() == 16 {
                bytes.store_lane::<0>(dst);
            } else {
                // Eight bytes, which both halves are.
                bytes.store_halves::<0>(dst, dst);
            }
        }
    }
}

/// One step, at the end or anywhere: converts as many whole characters, up to a step of units, as are well-formed and
/// fit.
///
/// # Safety
/// As for [`Operation::run`]; and `at` must be what has been read, up to a character boundary, and written.
#[inline(always)]
unsafe fn next<V: Vector, W: WideUnits, const CORRECTED: bool>(span: Span, at: Progress) -> Progress {
    let (left, room) = (span.len - at.read, span.room - at.written);
    // SAFETY: loads are of units that are left; stores go to where there is room for any step.
    unsafe {
        let src = span.src.add(W::SIZE * at.read);
        let mut count = left.min(step::<V>());
        let units = if left >= step::<V>() {
            W::load::<V>(src)
        } else {
            W::load_partial::<V>(core::slice::from_raw_parts(src, W::SIZE * left))
        };
        let mut scratch = Scratch::new();
        let in_scratch = room < room_of_step::<V>();
        let dst = if in_scratch { scratch.as_mut_ptr() } else { span.dst.add(at.written) };

        let mut size = count;
        if !W::any_above(units, 0x7F) {
            let words = W::words(units);
            words.narrow_16_to_8(words).store_lane::<0>(dst);
        } else {
            let words = W::words(units);
            if CORRECTED {
                // Up to the first unit that is not in the BMP, or has no form.
                let errors = V::splat(0xFF).and_not(W::up_to(units, 0xFFFF));
                let errors = errors.or(words.surrogates()).or(controls(words)).sign_bits();
                count = count.min(errors.trailing_zeros() as usize / 2);
                let slots = basic::<V, true>(words);
                let bits = slots.marks.sign_bits();
                write_four_slots::<V, false>(slots.tails, slots.heads, bits, dst);
                size = size_of_four_slots::<V, false>(bits, count);
            } else if W::not_basic(units, words).any() {
                let Mixed { slots, errors, .. } = W::mixed(units, W::before(units));
                let bits = slots.marks.sign_bits();
                if W::PAIRS {
                    write_four_slots::<V, false>(slots.tails, slots.heads, bits, dst);
                } else {
                    write_four_slots::<V, true>(slots.tails, slots.heads, bits, dst);
                }
                count = count.min(errors.trailing_zeros() as usize / 2);
                size = if W::PAIRS {
                    size_of_four_slots::<V, false>(bits, count)
                } else {
                    size_of_four_slots::<V, true>(bits, count)
                };
            } else {
                let slots = basic::<V, false>(words);
                let bits = slots.marks.sign_bits();
                write_four_slots::<V, false>(slots.tails, slots.heads, bits, dst);
                size = size_of_four_slots::<V, false>(bits, count);
            }
        }
        if in_scratch {
            let dst = span.dst.add(at.written);
            if size > room {
                (count, size) = scratch.copy_what_fits(dst, room, W::PAIRS);
            } else {
                scratch.copy(dst, size);
            }
        }
        Progress { read: at.read + count, written: at.written + size }
    }
}
