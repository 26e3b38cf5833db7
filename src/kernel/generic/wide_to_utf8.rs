//! UTF-16 and UTF-32 to UTF-8 over any vector.

mod loops;
mod units;

use super::Progress;
use super::compact::{size_of_four_slots, write_four_slots};
use super::scratch::Scratch;
use crate::kernel::pairs::Move;
use crate::kernel::vector::{Operation, Vector};

use loops::Bulk;
use units::{Mixed, Units16, Units32, Wide, basic};

/// UTF-16 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf16ToUtf8<const SWAP: bool>(pub Move);

impl<const SWAP: bool> Operation for Utf16ToUtf8<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { convert::<V, Units16<SWAP>>(self.0) }
    }
}

/// UTF-32 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Utf32ToUtf8<const SWAP: bool>(pub Move);

impl<const SWAP: bool> Operation for Utf32ToUtf8<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { convert::<V, Units32<SWAP>>(self.0) }
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

/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn convert<V: Vector, W: Wide>(work: Move) -> Progress {
    let mut at = Progress { read: 0, written: 0 };
    let mut many = work.len >= MANY * step::<V>() && work.room >= MANY * step::<V>();
    while at.read < work.len {
        // SAFETY: the caller's promise; both counts are those of the steps before.
        unsafe {
            let last = at.read;
            at = next::<V, W>(work, at);
            if at.read == last {
                break;
            }
            if many {
                many = false;
                at = V::apart(Bulk::<W>::new(work, at));
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
unsafe fn next<V: Vector, W: Wide>(work: Move, at: Progress) -> Progress {
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
            words.narrow16(words).store_lane::<0>(dst);
        } else {
            let words = W::words(units);
            if W::irregular(units, words).any() {
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
                let slots = basic(words);
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
