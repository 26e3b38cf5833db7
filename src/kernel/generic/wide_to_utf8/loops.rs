//! The loops for long text.

use super::units::{Slots, Wide, basic, two};
use super::{most, step};
use crate::kernel::Progress;
use crate::kernel::generic::compact::{write_eight_slots, write_four_slots, write_threes};
use crate::kernel::pairs::Move;
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
}

/// After so many steps for which a cheaper loop would have done, that loop is tried.
const PATIENCE: usize = 8;

/// A visit to a higher loop ends at once, if there was none within so many units before it.
const RARE: usize = 96;

/// The same for characters of two bytes among ASCII.
const RARE_TWO: usize = 256;

/// The bulk of a long text, behind the first step.
pub(super) struct Bulk<W> {
    work: Move,
    at: Progress,
    form: core::marker::PhantomData<W>,
}

impl<W> Bulk<W> {
    /// Behind what has been read and written of `work`, which is not nothing.
    #[inline(always)]
    pub(super) fn new(work: Move, at: Progress) -> Self {
        Bulk { work, at, form: core::marker::PhantomData }
    }
}

impl<W: Wide> Operation for Bulk<W> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Move { src, len, dst, room } = self.work;
        let Progress { mut read, mut written } = self.at;
        let mut kind = Kind::Ascii;
        // Where to go on after a visit to the basic plane; how many quiet steps end a visit there, and
        // one to everything.
        let mut home = Kind::Ascii;
        let (mut patience, mut mixed_patience) = (0, 0);
        // Up to where a visit lasts at least; where the last one was.
        let mut least = 0;
        let (mut last, mut last_mixed) = (0, 0);
        let step = step::<V>();
        // SAFETY: each loop makes sure of the units that it loads and of room for any of them.
        unsafe {
            let load = |at: usize| W::load::<V>(src.add(W::SIZE * at));
            let fits = |read: usize, written: usize, steps: usize| {
                len - read >= steps * step && room - written >= most::<V>()
            };
            loop {
                match kind {
                    Kind::Ascii => loop {
                        if !fits(read, written, 4) {
                            return Progress { read, written };
                        }
                        let units =
                            [load(read), load(read + step), load(read + 2 * step), load(read + 3 * step)];
                        let all = W::or(W::or(units[0], units[1]), W::or(units[2], units[3]));
                        let words = units.map(|units| W::words::<V>(units));
                        words[0].narrow16(words[1]).store(dst.add(written));
                        words[2].narrow16(words[3]).store(dst.add(written + V::LEN));
                        if W::any_outside::<V>(all, 0x7F) {
                            let masks = units.map(|units| W::within::<V>(units, 0x7F).shr16::<8>());
                            let first = V::splat(0xFF).xor(masks[0].narrow16(masks[1])).first_sign();
                            let count = if first < V::LEN {
                                first
                            } else {
                                V::LEN + V::splat(0xFF).xor(masks[2].narrow16(masks[3])).first_sign()
                            };
                            read += count;
                            written += count;
                            let far = read - last;
                            last = read;
                            home = Kind::Ascii;
                            least = 0;
                            kind = Kind::Basic;
                            patience = 0;
                            if far < RARE {
                                patience = PATIENCE;
                            }
                            if far < RARE_TWO
                                && fits(read, written, 1)
                                && !W::any_outside::<V>(load(read), 0x7FF)
                            {
                                kind = Kind::Two;
                            }
                            break;
                        }
                        read += 4 * step;
                        written += 4 * step;
                    },
                    Kind::Two => {
                        let mut quiet = 0;
                        loop {
                            if !fits(read, written, 2) {
                                return Progress { read, written };
                            }
                            let (first, second) = (load(read), load(read + step));
                            if W::any_outside::<V>(W::or(first, second), 0x7FF) {
                                patience = if read - last < RARE { PATIENCE } else { 0 };
                                last = read;
                                home = Kind::Two;
                                least = read + 2 * step;
                                kind = Kind::Basic;
                                break;
                            }
                            let (first, long) = two(W::words::<V>(first));
                            let (second, longer) = two(W::words::<V>(second));
                            let bits = long.narrow_masks(longer).signs();
                            written += write_eight_slots::<V, false>(first, second, bits, dst.add(written));
                            read += 2 * step;
                            quiet = if bits == 0 { quiet + 1 } else { 0 };
                            if quiet == PATIENCE {
                                kind = Kind::Ascii;
                                break;
                            }
                        }
                    }
                    Kind::Basic => {
                        let mut quiet = 0;
                        loop {
                            if !fits(read, written, 1) {
                                return Progress { read, written };
                            }
                            let units = load(read);
                            let words = W::words::<V>(units);
                            if W::any_irregular(units, words) {
                                mixed_patience = if read - last_mixed < RARE { PATIENCE } else { 0 };
                                last_mixed = read;
                                kind = Kind::Mixed;
                                break;
                            }
                            let Slots { tails, heads, marks } = basic(words);
                            let bits = marks.signs();
                            if bits == !0 >> (32 - V::LEN) {
                                written += write_threes(tails, heads, dst.add(written));
                            } else {
                                written += write_four_slots::<V, false>(tails, heads, bits, dst.add(written));
                            }
                            read += step;
                            quiet = if bits & 0x5555_5555 == 0 { quiet + 1 } else { 0 };
                            if quiet >= patience && read >= least {
                                kind = if patience == 0 { home } else { Kind::Two };
                                break;
                            }
                        }
                    }
                    Kind::Mixed => {
                        let mut quiet = 0;
                        loop {
                            if !fits(read, written, 1) {
                                return Progress { read, written };
                            }
                            let p = src.add(W::SIZE * read);
                            let units = W::load::<V>(p);
                            let mixed = W::mixed(units, W::load_before(p));
                            let Slots { tails, heads, marks } = mixed.slots;
                            let bits = marks.signs();
                            // All but the last unit, which may be the first half of a pair.
                            let split = mixed.wrong >> (V::LEN - 2);
                            if W::PAIRS {
                                if mixed.wrong << (34 - V::LEN) != 0 {
                                    return Progress { read, written };
                                }
                                let size = write_four_slots::<V, false>(tails, heads, bits, dst.add(written));
                                read += step - (split & 1) as usize;
                                written += size - 2 * (split & 1) as usize;
                            } else {
                                if mixed.wrong != 0 {
                                    return Progress { read, written };
                                }
                                written += write_four_slots::<V, true>(tails, heads, bits, dst.add(written));
                                read += step;
                            }
                            quiet = if mixed.beyond == 0 { quiet + 1 } else { 0 };
                            if quiet >= mixed_patience {
                                kind = if patience == 0 && mixed_patience == 0 && read >= least {
                                    home
                                } else {
                                    Kind::Basic
                                };
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
}
