//! The loops for long text, and the changes between them.
//!
//! *Ascii* narrows four steps per round. *Two*, for characters below U+0800, has slots of two bytes and half as many
//! shuffles. *Basic* handles the BMP, *mixed* everything. A loop that meets units that it does not handle makes one
//! round of *basic* itself, and goes on; only if that happens again immediately does it end. A loop that was not needed
//! for some rounds ends, too. The number of these rounds is learnt: more after the loop was entered again too soon,
//! fewer after it was entered late.
//!
//! *Ascii* and *two* are part of one function, because they change often; *basic* and *mixed* have their own, where all
//! their constants stay in registers. A pair may lie in two steps of *mixed*, which therefore waits for nothing but its
//! own sum of lengths; a high surrogate without its partner is taken back where the loop ends.

use core::marker::PhantomData;

use super::units::{Slots, WideUnits, basic, controls, two};
use super::{room_of_step, step};
use crate::kernel::Progress;
use crate::kernel::generic::compact::{write_eight_slots, write_four_slots};
use crate::kernel::shared::Span;
use crate::kernel::vector::{Operation, Vector};

/// The loops, by what they handle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// ASCII.
    Ascii,
    /// Below U+0800.
    Two,
    /// The BMP.
    Basic,
    /// Everything.
    Mixed,
    /// None: too little is left, or there is an error.
    Done,
}

/// A loop for one kind of text, from `at` on.
struct Loop<W, const KIND: u8, const CORRECTED: bool> {
    span: Span,
    at: Progress,
    /// After this many rounds in which it was not needed the loop ends.
    patience: usize,
    units: PhantomData<W>,
}

const ASCII: u8 = 0;
const TWO: u8 = 1;
const BASIC: u8 = 2;
const MIXED: u8 = 3;

/// A loop that is entered again within this many units was left too soon.
const SOON: usize = 96;

/// The same for *two*: *ascii* is faster only on long runs.
const SOON_TWO: usize = 256;

/// *Ascii* ends at units that it does not handle if these are within this distance of its last round of *basic*.
const CLOSE: usize = 64;

/// How long to stay in a loop that is not needed any more.
#[derive(Clone, Copy)]
struct Patience {
    /// The number of rounds.
    rounds: usize,
    /// Where the loop was left.
    left: usize,
}

impl Patience {
    const MOST: usize = 8;

    #[inline]
    const fn new() -> Self {
        Patience { rounds: 1, left: 0 }
    }

    /// The loop is entered again at `at`: adapts the number of rounds, and returns it.
    #[inline(always)]
    fn reentered(&mut self, at: usize, soon: usize) -> usize {
        let distance = at - self.left;
        if distance < soon {
            self.rounds = Self::MOST.min(self.rounds + 2);
        } else if distance > 2 * soon {
            self.rounds = 1.max(self.rounds - 1);
        }
        self.rounds
    }
}

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
        let (span, mut at) = (self.span, self.at);
        let mut kind = Kind::Ascii;
        let (mut two, mut basic, mut mixed) = (Patience::new(), Patience::new(), Patience::new());
        // SAFETY: the caller's promise.
        unsafe {
            loop {
                let units = PhantomData;
                match kind {
                    Kind::Ascii => {
                        (at, kind) = Loop::<W, ASCII, CORRECTED> { span, at, patience: 0, units }.run::<V>();
                    }
                    Kind::Two => {
                        let patience = two.reentered(at.read, SOON_TWO);
                        (at, kind) = Loop::<W, TWO, CORRECTED> { span, at, patience, units }.run::<V>();
                        two.left = at.read;
                    }
                    Kind::Basic => {
                        let patience = basic.reentered(at.read, SOON);
                        (at, kind) = V::apart(Loop::<W, BASIC, CORRECTED> { span, at, patience, units });
                        basic.left = at.read;
                    }
                    Kind::Mixed => {
                        let patience = mixed.reentered(at.read, SOON);
                        (at, kind) = V::apart(Loop::<W, MIXED, CORRECTED> { span, at, patience, units });
                        mixed.left = at.read;
                    }
                    Kind::Done => return at,
                }
            }
        }
    }
}

/// Converts two steps, if they are in the BMP: returns the number of bytes, and two bits for each character: the lower
/// says that it has three bytes, the upper that it has two or more.
///
/// # Safety
/// As for the loops.
#[inline(always)]
unsafe fn round_of_basic<V: Vector, W: WideUnits, const CORRECTED: bool>(
    src: *const u8,
    dst: *mut u8,
) -> Option<(usize, u32)> {
    // SAFETY: the caller's promise.
    unsafe {
        let (first, second) = (W::load::<V>(src), W::load::<V>(src.add(W::SIZE * step::<V>())));
        let (words, more) = (W::words::<V>(first), W::words::<V>(second));
        if W::not_basic(first, words).or(W::not_basic(second, more)).any() {
            return None;
        }
        if CORRECTED && controls(words).or(controls(more)).any() {
            return None;
        }
        let Slots { tails, heads, marks } = basic::<V, CORRECTED>(words);
        let bits = marks.sign_bits();
        let size = write_four_slots::<V, false>(tails, heads, bits, dst);
        let Slots { tails, heads, marks } = basic::<V, CORRECTED>(more);
        let more_bits = marks.sign_bits();
        let more_size = write_four_slots::<V, false>(tails, heads, more_bits, dst.add(size));
        Some((size + more_size, bits | more_bits))
    }
}

impl<W: WideUnits, const KIND: u8, const CORRECTED: bool> Operation for Loop<W, KIND, CORRECTED> {
    type Output = (Progress, Kind);

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> (Progress, Kind) {
        // SAFETY: the caller's promise.
        unsafe {
            match KIND {
                ASCII => self.ascii::<V>(),
                TWO => self.two::<V>(),
                BASIC => self.basic::<V>(),
                _ => self.mixed::<V>(),
            }
        }
    }
}

impl<W: WideUnits, const KIND: u8, const CORRECTED: bool> Loop<W, KIND, CORRECTED> {
    /// ASCII.
    ///
    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn ascii<V: Vector>(self) -> (Progress, Kind) {
        let Span { src, len, dst, room } = self.span;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        let (last_read, last_written) = (len - 4 * step, room - 2 * room_of_step::<V>());
        let mut last = read;
        // SAFETY: the units of a round are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let load = |nth: usize| W::load::<V>(src.add(W::SIZE * (read + nth * step)));
                let units = [load(0), load(1), load(2), load(3)];
                let all = W::or(W::or(units[0], units[1]), W::or(units[2], units[3]));
                let words = |nth: usize| W::words::<V>(units[nth]);
                let words = [words(0), words(1), words(2), words(3)];
                words[0].narrow_16_to_8(words[1]).store(dst.add(written));
                words[2].narrow_16_to_8(words[3]).store(dst.add(written + V::LEN));
                if !W::any_above::<V>(all, 0x7F) {
                    read += 4 * step;
                    written += 4 * step;
                    continue;
                }
                let count = first_not_ascii::<V, W>(units);
                read += count;
                written += count;
                let distance = read - last;
                if read > len - 2 * step || written > last_written {
                    break;
                }
                if distance < CLOSE {
                    let units = W::load::<V>(src.add(W::SIZE * read));
                    let kind = if W::any_above::<V>(units, 0x7FF) { Kind::Basic } else { Kind::Two };
                    return (Progress { read, written }, kind);
                }
                let (src, dst) = (src.add(W::SIZE * read), dst.add(written));
                let size = round_of_basic::<V, W, CORRECTED>(src, dst).map_or(0, |(size, _)| size);
                if size == 0 {
                    return (Progress { read, written }, Kind::Mixed);
                }
                read += 2 * step;
                written += size;
                last = read;
            }
        }
        (Progress { read, written }, Kind::Done)
    }

    /// Characters below U+0800.
    ///
    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn two<V: Vector>(self) -> (Progress, Kind) {
        let Span { src, len, dst, room } = self.span;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        let (last_read, last_written) = (len - 2 * step, room - 2 * room_of_step::<V>());
        let mut last = usize::MAX;
        let mut unneeded = 0;
        // SAFETY: the units of a round are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let p = src.add(W::SIZE * read);
                let to = dst.add(written);
                let (first, second) = (W::load::<V>(p), W::load::<V>(p.add(W::SIZE * step)));
                if W::any_above::<V>(W::or(first, second), 0x7FF) {
                    if read == last {
                        return (Progress { read, written }, Kind::Basic);
                    }
                    let size = round_of_basic::<V, W, CORRECTED>(p, to).map_or(0, |(size, _)| size);
                    if size == 0 {
                        return (Progress { read, written }, Kind::Mixed);
                    }
                    read += 2 * step;
                    written += size;
                    last = read;
                    continue;
                }
                let (first, second) = (W::words::<V>(first), W::words::<V>(second));
                if CORRECTED && controls(first).or(controls(second)).any() {
                    return (Progress { read, written }, Kind::Mixed);
                }
                let (first, second) = (two::<V, CORRECTED>(first), two::<V, CORRECTED>(second));
                let bits = first.narrow_signs(second).sign_bits();
                written += write_eight_slots::<V, false>(first, second, bits, to);
                read += 2 * step;
                if bits != 0 {
                    unneeded = 0;
                    continue;
                }
                unneeded += 1;
                if unneeded >= self.patience {
                    return (Progress { read, written }, Kind::Ascii);
                }
            }
        }
        (Progress { read, written }, Kind::Done)
    }

    /// The BMP.
    ///
    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn basic<V: Vector>(self) -> (Progress, Kind) {
        let Span { src, len, dst, room } = self.span;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        let (last_read, last_written) = (len - 2 * step, room - 2 * room_of_step::<V>());
        let mut unneeded = 0;
        // SAFETY: the units of a round are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let round = round_of_basic::<V, W, CORRECTED>(src.add(W::SIZE * read), dst.add(written));
                let Some((size, bits)) = round else {
                    return (Progress { read, written }, Kind::Mixed);
                };
                read += 2 * step;
                written += size;
                if bits & 0x5555_5555 != 0 {
                    unneeded = 0;
                    continue;
                }
                unneeded += 1;
                if unneeded >= self.patience {
                    let kind = if bits == 0 { Kind::Ascii } else { Kind::Two };
                    return (Progress { read, written }, kind);
                }
            }
        }
        (Progress { read, written }, Kind::Done)
    }

    /// Everything.
    ///
    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn mixed<V: Vector>(self) -> (Progress, Kind) {
        let Span { src, len, dst, room } = self.span;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        // (A high surrogate at the end of the step needs the low one behind it.)
        let behind = usize::from(CORRECTED && W::PAIRS);
        let (last_read, last_written) = (len - step - behind, room - room_of_step::<V>());
        let mut unneeded = 0;
        let mut kind = Kind::Done;
        // SAFETY: the units of a round are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let p = src.add(W::SIZE * read);
                let (units, before) = (W::load::<V>(p), W::load_before(p));
                let mixed = if CORRECTED {
                    W::mixed_corrected(units, before, W::load_behind(p))
                } else {
                    W::mixed(units, before)
                };
                if mixed.errors_so_far.any() {
                    break;
                }
                let Slots { tails, heads, marks } = mixed.slots;
                let (bits, to) = (marks.sign_bits(), dst.add(written));
                written += if W::PAIRS {
                    write_four_slots::<V, false>(tails, heads, bits, to)
                } else {
                    write_four_slots::<V, true>(tails, heads, bits, to)
                };
                read += step;
                if mixed.supplementary.any() {
                    unneeded = 0;
                    continue;
                }
                unneeded += 1;
                if unneeded >= self.patience {
                    kind = if bits == 0 { Kind::Ascii } else { Kind::Basic };
                    break;
                }
            }
            // A pair may lie in two steps of this loop, but not across its end.
            if W::ends_with_high(src.add(W::SIZE * read)) {
                read -= 1;
                written -= 2;
            }
        }
        (Progress { read, written }, kind)
    }
}

/// The index of the first unit of four steps that is not ASCII; there is one.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn first_not_ascii<V: Vector, W: WideUnits>(units: [W::Units<V>; 4]) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        // (Not by `map` of arrays: it is not inlined everywhere, and then each step of this is a call.)
        let [a, b, c, d] = units;
        let first = not_ascii::<V, W>(a, b).first_sign_bit();
        if first < V::LEN { first } else { V::LEN + not_ascii::<V, W>(c, d).first_sign_bit() }
    }
}

/// Bytes with their top bits set for the units of two steps that are not ASCII.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn not_ascii<V: Vector, W: WideUnits>(one: W::Units<V>, other: W::Units<V>) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        let one = W::up_to::<V>(one, 0x7F).shr16::<8>();
        V::splat(0xFF).xor(one.narrow_16_to_8(W::up_to::<V>(other, 0x7F).shr16::<8>()))
    }
}
