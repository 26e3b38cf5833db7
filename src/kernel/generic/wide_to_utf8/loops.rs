//! The loops for long text, and the changes between them.
//!
//! *Ascii* narrows four steps a round. *Two*, for characters below U+0800, has slots of two bytes, half
//! as many shuffles. *Basic* knows the basic plane, *mixed* everything. A loop that meets what it does not
//! know makes one round of *basic* by itself, a visit, and goes on; only when that happens again at once it
//! ends. A loop that was not needed for some rounds ends too. How many rounds that are is learnt: more when
//! it was entered again too soon, fewer when late.
//!
//! *Ascii* and *two* are part of one function, for they change often; *basic* and *mixed* have their own,
//! where all their constants stay in registers. A pair may lie in two steps of *mixed*, which therefore
//! does not wait for anything but its own sum of lengths; the half of a pair is taken back where the loop
//! ends.

use core::marker::PhantomData;

use super::units::{Slots, Wide, basic, controls, two};
use super::{most, step};
use crate::kernel::Progress;
use crate::kernel::generic::compact::{write_eight_slots, write_four_slots};
use crate::kernel::shared::Span;
use crate::kernel::vector::{Operation, Vector};

/// What a loop knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing but ASCII.
    Ascii,
    /// Below U+0800.
    Two,
    /// The basic plane.
    Basic,
    /// Everything.
    Mixed,
    /// None: there is not enough left, or something is wrong.
    Done,
}

/// A loop for one kind of text, from `at` on.
struct Loop<W, const KIND: u8, const CORRECTED: bool> {
    work: Span,
    at: Progress,
    /// After so many rounds that were not needed the loop ends.
    patience: usize,
    form: PhantomData<W>,
}

const ASCII: u8 = 0;
const TWO: u8 = 1;
const BASIC: u8 = 2;
const MIXED: u8 = 3;

/// A loop that is entered again within so many units was left too soon.
const SOON: usize = 96;

/// The same for *two*: *ascii* is so much quicker only on long stretches.
const SOON_TWO: usize = 256;

/// *Ascii* ends at what it does not know, if that is within so many units behind its last visit.
const CLOSE: usize = 64;

/// How long to stay in a loop that was not needed any more.
#[derive(Clone, Copy)]
struct Patience {
    /// So many rounds.
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

    /// The loop is entered again: too soon, or late, or in between.
    #[inline(always)]
    fn back(&mut self, at: usize, soon: usize) -> usize {
        let far = at - self.left;
        if far < soon {
            self.rounds = Self::MOST.min(self.rounds + 2);
        } else if far > 2 * soon {
            self.rounds = 1.max(self.rounds - 1);
        }
        self.rounds
    }
}

/// The bulk of a long text, behind the first step.
pub(super) struct Bulk<W, const CORRECTED: bool> {
    work: Span,
    at: Progress,
    form: PhantomData<W>,
}

impl<W, const CORRECTED: bool> Bulk<W, CORRECTED> {
    /// Behind what has been read and written of `work`, which is not nothing.
    #[inline(always)]
    pub(super) fn new(work: Span, at: Progress) -> Self {
        Bulk { work, at, form: PhantomData }
    }
}

impl<W: Wide, const CORRECTED: bool> Operation for Bulk<W, CORRECTED> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let (work, mut at) = (self.work, self.at);
        let mut kind = Kind::Ascii;
        let (mut two, mut basic, mut mixed) = (Patience::new(), Patience::new(), Patience::new());
        // SAFETY: the caller's promise.
        unsafe {
            loop {
                let form = PhantomData;
                match kind {
                    Kind::Ascii => {
                        (at, kind) = Loop::<W, ASCII, CORRECTED> { work, at, patience: 0, form }.run::<V>();
                    }
                    Kind::Two => {
                        let patience = two.back(at.read, SOON_TWO);
                        (at, kind) = Loop::<W, TWO, CORRECTED> { work, at, patience, form }.run::<V>();
                        two.left = at.read;
                    }
                    Kind::Basic => {
                        let patience = basic.back(at.read, SOON);
                        (at, kind) = V::apart(Loop::<W, BASIC, CORRECTED> { work, at, patience, form });
                        basic.left = at.read;
                    }
                    Kind::Mixed => {
                        let patience = mixed.back(at.read, SOON);
                        (at, kind) = V::apart(Loop::<W, MIXED, CORRECTED> { work, at, patience, form });
                        mixed.left = at.read;
                    }
                    Kind::Done => return at,
                }
            }
        }
    }
}

/// Two steps of the basic plane: how many bytes they are, and a bit for each character of three, and
/// the next higher for each of two or more.
///
/// # Safety
/// As for the loops.
#[inline(always)]
unsafe fn round_of_basic<V: Vector, W: Wide, const CORRECTED: bool>(
    src: *const u8,
    dst: *mut u8,
) -> Option<(usize, u32)> {
    // SAFETY: the caller's promise.
    unsafe {
        let (first, second) = (W::load::<V>(src), W::load::<V>(src.add(W::SIZE * step::<V>())));
        let (words, more) = (W::words::<V>(first), W::words::<V>(second));
        if W::irregular(first, words).or(W::irregular(second, more)).any() {
            return None;
        }
        if CORRECTED && controls(words).or(controls(more)).any() {
            return None;
        }
        let Slots { tails, heads, marks } = basic::<V, CORRECTED>(words);
        let bits = marks.signs();
        let size = write_four_slots::<V, false>(tails, heads, bits, dst);
        let Slots { tails, heads, marks } = basic::<V, CORRECTED>(more);
        let more_bits = marks.signs();
        let more_size = write_four_slots::<V, false>(tails, heads, more_bits, dst.add(size));
        Some((size + more_size, bits | more_bits))
    }
}

impl<W: Wide, const KIND: u8, const CORRECTED: bool> Operation for Loop<W, KIND, CORRECTED> {
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

impl<W: Wide, const KIND: u8, const CORRECTED: bool> Loop<W, KIND, CORRECTED> {
    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn ascii<V: Vector>(self) -> (Progress, Kind) {
        let Span { src, len, dst, room } = self.work;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        let (last_read, last_written) = (len - 4 * step, room - 2 * most::<V>());
        let mut last = read;
        // SAFETY: a round is of units that are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let load = |nth: usize| W::load::<V>(src.add(W::SIZE * (read + nth * step)));
                let units = [load(0), load(1), load(2), load(3)];
                let all = W::or(W::or(units[0], units[1]), W::or(units[2], units[3]));
                let words = units.map(|units| W::words::<V>(units));
                words[0].narrow_16_to_8(words[1]).store(dst.add(written));
                words[2].narrow_16_to_8(words[3]).store(dst.add(written + V::LEN));
                if !W::any_outside::<V>(all, 0x7F) {
                    read += 4 * step;
                    written += 4 * step;
                    continue;
                }
                let count = first_beyond_ascii::<V, W>(units);
                read += count;
                written += count;
                let far = read - last;
                if read > len - 2 * step || written > last_written {
                    break;
                }
                if far < CLOSE {
                    let units = W::load::<V>(src.add(W::SIZE * read));
                    let kind = if W::any_outside::<V>(units, 0x7FF) { Kind::Basic } else { Kind::Two };
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

    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn two<V: Vector>(self) -> (Progress, Kind) {
        let Span { src, len, dst, room } = self.work;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        let (last_read, last_written) = (len - 2 * step, room - 2 * most::<V>());
        let mut last = usize::MAX;
        let mut quiet = 0;
        // SAFETY: a round is of units that are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let p = src.add(W::SIZE * read);
                let to = dst.add(written);
                let (first, second) = (W::load::<V>(p), W::load::<V>(p.add(W::SIZE * step)));
                if W::any_outside::<V>(W::or(first, second), 0x7FF) {
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
                let bits = first.narrow_signs(second).signs();
                written += write_eight_slots::<V, false>(first, second, bits, to);
                read += 2 * step;
                if bits != 0 {
                    quiet = 0;
                    continue;
                }
                quiet += 1;
                if quiet >= self.patience {
                    return (Progress { read, written }, Kind::Ascii);
                }
            }
        }
        (Progress { read, written }, Kind::Done)
    }

    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn basic<V: Vector>(self) -> (Progress, Kind) {
        let Span { src, len, dst, room } = self.work;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        let (last_read, last_written) = (len - 2 * step, room - 2 * most::<V>());
        let mut quiet = 0;
        // SAFETY: a round is of units that are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let round = round_of_basic::<V, W, CORRECTED>(src.add(W::SIZE * read), dst.add(written));
                let Some((size, bits)) = round else {
                    return (Progress { read, written }, Kind::Mixed);
                };
                read += 2 * step;
                written += size;
                if bits & 0x5555_5555 != 0 {
                    quiet = 0;
                    continue;
                }
                quiet += 1;
                if quiet >= self.patience {
                    let kind = if bits == 0 { Kind::Ascii } else { Kind::Two };
                    return (Progress { read, written }, kind);
                }
            }
        }
        (Progress { read, written }, Kind::Done)
    }

    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn mixed<V: Vector>(self) -> (Progress, Kind) {
        let Span { src, len, dst, room } = self.work;
        let Progress { mut read, mut written } = self.at;
        let step = step::<V>();
        // (A pair's half that is the step's last needs a look at the other.)
        let behind = usize::from(CORRECTED && W::PAIRS);
        let (last_read, last_written) = (len - step - behind, room - most::<V>());
        let mut quiet = 0;
        let mut kind = Kind::Done;
        // SAFETY: a round is of units that are left, and there is room for it.
        unsafe {
            while read <= last_read && written <= last_written {
                let p = src.add(W::SIZE * read);
                let (units, before) = (W::load::<V>(p), W::load_before(p));
                let mixed = if CORRECTED {
                    W::mixed_corrected(units, before, W::load_behind(p))
                } else {
                    W::mixed(units, before)
                };
                if mixed.wrong_so_far.any() {
                    break;
                }
                let Slots { tails, heads, marks } = mixed.slots;
                let (bits, to) = (marks.signs(), dst.add(written));
                written += if W::PAIRS {
                    write_four_slots::<V, false>(tails, heads, bits, to)
                } else {
                    write_four_slots::<V, true>(tails, heads, bits, to)
                };
                read += step;
                if mixed.beyond.any() {
                    quiet = 0;
                    continue;
                }
                quiet += 1;
                if quiet >= self.patience {
                    kind = if bits == 0 { Kind::Ascii } else { Kind::Basic };
                    break;
                }
            }
            // A pair may be in two steps of this loop, but not in it and another.
            if W::is_open(src.add(W::SIZE * read)) {
                read -= 1;
                written -= 2;
            }
        }
        (Progress { read, written }, kind)
    }
}

/// The first unit of four steps that is not ASCII; there is one.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn first_beyond_ascii<V: Vector, W: Wide>(units: [W::Units<V>; 4]) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let [a, b, c, d] = units.map(|units| W::within::<V>(units, 0x7F).shr16::<8>());
        let beyond = |one: V, other: V| V::splat(0xFF).xor(one.narrow_16_to_8(other));
        let first = beyond(a, b).first_sign();
        if first < V::LEN { first } else { V::LEN + beyond(c, d).first_sign() }
    }
}
