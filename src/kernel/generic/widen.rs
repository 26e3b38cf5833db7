//! Unit by unit: conversions in which every unit is a character and keeps its value.
//!
//! From a wide form to Latin-1 or ASCII, and from those to anything, a unit is widened or narrowed and
//! no more; UTF-32 to UTF-32 is a checked copy, and the check of UTF-32 is that without the copy.
//!
//! As source and target go in step, a block may be moved twice. So the last block of a text ends with
//! it and overlaps the one before, and there is no loop over the last units. A text shorter than a
//! block is moved by smaller blocks in the same way, and so is a block with an error in it: each size
//! narrows the error down for the next. What is written behind the error is scribbled, as it may be.
//!
//! The test is made to be cheap for each unit: units for Latin-1 and ASCII are joined by `or`, for
//! their limits are powers of two, and it does not matter in which order of bytes. Those of UTF-32 are
//! turned so that surrogates come behind the largest scalar value, and their maximum is taken.

use core::marker::PhantomData;

use super::Progress;
use crate::kernel::portable::convert::{Convert, Scan};
use crate::kernel::shared::Plain as _;
use crate::kernel::vector::{LaneLoop, Lanes};
use crate::unicode::{Form, Unit};

/// Goes on from `$at` by blocks of `$size` units, up to `$end`; `$block` says whether the block at the
/// place given is in order. The last block overlaps the one before. If one is not in order, it lies
/// between `$at` and `$end` afterwards. (No function: a closure would not have the features.)
macro_rules! steps {
    ($at:ident..$end:ident, $size:expr, |$place:ident| $block:expr) => {
        'steps: {
            while $end - $at >= $size {
                let $place = $at;
                if !$block {
                    $end = $at + $size;
                    break 'steps;
                }
                $at += $size;
            }
            if $at < $end && $end >= $size {
                let $place = $end - $size;
                if $block {
                    $at = $end;
                }
            }
        }
    };
}
pub(in crate::kernel) use steps;

/// A conversion from memory to memory, unit by unit; or, without `STORE`, the check alone.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Widen<S: Form, D: Form, const STORE: bool> {
    src: *const S::Unit,
    len: usize,
    dst: *mut D::Unit,
    pair: PhantomData<(S, D)>,
}

impl<S: Form, D: Form, const STORE: bool> Widen<S, D, STORE> {
    /// From the `len` units of `S` at `src` to at most `room` units of `D` at `dst`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Widen { src: src.cast(), len: len.min(room), dst: dst.cast(), pair: PhantomData }
    }

    /// The values below which a unit stays what it is.
    pub(in crate::kernel) const LIMIT: u32 = if S::SINGLE < D::SINGLE { S::SINGLE } else { D::SINGLE };

    /// Whether the limit is that of Unicode, with surrogates in between.
    pub(in crate::kernel) const SCALARS: bool = Self::LIMIT > 0x100;

    /// Whether every unit is in order.
    pub(in crate::kernel) const ANYTHING: bool = size_of::<S::Unit>() == 1 && Self::LIMIT > 0xFF;

    /// Lines of a block: some hundred bytes for one test.
    const LINES: usize = 4 / size_of::<S::Unit>();

    /// Whether those of `count` lines of `L::LEN` units at `at` are in order; they are moved.
    ///
    /// # Safety
    /// There must be as many, and room for them.
    #[inline(always)]
    unsafe fn lines<L: Lanes>(&self, at: usize, count: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut all = L::splat(0);
            for line in 0..count {
                all = self.line(at + line * L::LEN, all);
            }
            if Self::ANYTHING {
                return true;
            }
            if Self::SCALARS {
                // Nothing but the largest that is in order, or less.
                let largest = L::splat32(0x10_FFFF - 0x800);
                return !all.max32(largest).xor(largest).any();
            }
            let mask = S::Unit::of(!(Self::LIMIT - 1));
            let mask = if S::SWAPPED { mask.swapped() } else { mask }.value();
            let mask = match size_of::<S::Unit>() {
                1 => L::splat(mask as u8),
                2 => L::splat16(mask as u16),
                _ => L::splat32(mask),
            };
            !all.and(mask).any()
        }
    }

    /// Moves the `L::LEN` units at `at`: what `all` knows of those before, and these.
    ///
    /// # Safety
    /// There must be as many, and room for them.
    #[inline(always)]
    unsafe fn line<L: Lanes>(&self, at: usize, mut all: L) -> L {
        // SAFETY: the caller's promise.
        unsafe {
            let (src, dst) = (self.src.wrapping_add(at).cast::<u8>(), self.dst.wrapping_add(at).cast::<u8>());
            match (size_of::<S::Unit>(), size_of::<D::Unit>()) {
                (1, 1) => {
                    let bytes = L::load(src);
                    bytes.store(dst);
                    all = all.or(bytes);
                }
                (1, 2) => {
                    if !Self::ANYTHING {
                        all = all.or(L::load(src));
                    }
                    for part in 0..2 {
                        let units = L::widen_8_to_16(src.add(part * (L::LEN / 2)));
                        if D::SWAPPED { units.swap16() } else { units }.store(dst.add(part * L::LEN));
                    }
                }
                (1, _) => {
                    if !Self::ANYTHING {
                        all = all.or(L::load(src));
                    }
                    for part in 0..4 {
                        let units = L::widen_8_to_32(src.add(part * (L::LEN / 4)));
                        if D::SWAPPED { units.swap32() } else { units }.store(dst.add(part * L::LEN));
                    }
                }
                (2, _) => {
                    let [a, b] = [L::load(src), L::load(src.add(L::LEN))];
                    all = all.or(a.or(b));
                    let [a, b] = if S::SWAPPED { [a.swap16(), b.swap16()] } else { [a, b] };
                    a.narrow_16_to_8(b).store(dst);
                }
                (_, 1) => {
                    let [a, b] = [L::load(src), L::load(src.add(L::LEN))];
                    let [c, d] = [L::load(src.add(2 * L::LEN)), L::load(src.add(3 * L::LEN))];
                    all = all.or(a.or(b).or(c.or(d)));
                    let parts = if S::SWAPPED {
                        [a.swap32(), b.swap32(), c.swap32(), d.swap32()]
                    } else {
                        [a, b, c, d]
                    };
                    L::narrow_32_to_8(parts).store(dst);
                }
                _ => {
                    for part in 0..4 {
                        let units = L::load(src.add(part * L::LEN));
                        let swapped = if S::SWAPPED || D::SWAPPED { units.swap32() } else { units };
                        let values = if S::SWAPPED { swapped } else { units };
                        // Surrogates wrap around to the largest numbers.
                        let turned =
                            values.xor(L::splat32(0xD800)).add32(L::splat32(0x800_u32.wrapping_neg()));
                        all = all.max32(turned);
                        if STORE {
                            let moved = if S::SWAPPED == D::SWAPPED { units } else { swapped };
                            moved.store(dst.add(part * L::LEN));
                        }
                    }
                }
            }
            all
        }
    }

    /// Whether the `N` units at `at` are in order; they are moved.
    ///
    /// # Safety
    /// There must be as many, and room for them.
    #[inline(always)]
    unsafe fn few<const N: usize>(&self, at: usize) -> bool {
        // SAFETY: the caller's promise.
        let units = unsafe { self.src.add(at).cast::<[S::Unit; N]>().read_unaligned() };
        let values = units.map(S::value);
        if STORE {
            // SAFETY: the caller's promise.
            unsafe { self.dst.add(at).cast::<[D::Unit; N]>().write_unaligned(values.map(D::unit)) };
        }
        if Self::ANYTHING {
            return true;
        }
        if Self::SCALARS && size_of::<S::Unit>() == 2 {
            let [mask, prefix] = [0xF800, 0xD800].map(S::unit);
            return !units.into_iter().fold(false, |any, unit| any | (unit.and(mask) == prefix));
        }
        if Self::SCALARS {
            let wrong = |value: u32| value >= Self::LIMIT || value.wrapping_sub(0xD800) < 0x800;
            return !values.into_iter().fold(false, |any, value| any | wrong(value));
        }
        let all = units.into_iter().fold(S::Unit::of(0), S::Unit::or);
        S::value(all) < Self::LIMIT
    }

    /// Whether all units are in order, 64 at most; they are moved. By blocks that overlap: each size
    /// has its own two or three, and there is no loop over single units.
    ///
    /// # Safety
    /// Such as for the walk; and there must be room for all.
    #[inline(always)]
    pub(in crate::kernel) unsafe fn at_once(&self) -> bool {
        let len = self.len;
        // SAFETY: all blocks are within the units that there are.
        unsafe {
            if len >= 16 {
                let mut at = 0;
                while len - at > 16 {
                    if !self.few::<16>(at) {
                        return false;
                    }
                    at += 16;
                }
                self.few::<16>(len - 16)
            } else if len >= 8 {
                self.few::<8>(0) & self.few::<8>(len - 8)
            } else if len >= 4 {
                self.few::<4>(0) & self.few::<4>(len - 4)
            } else if len > 1 {
                self.few::<1>(0) & self.few::<1>(1) & self.few::<1>(len - 1)
            } else {
                len == 0 || self.few::<1>(0)
            }
        }
    }

    /// How many units are worth [`at_once`](Widen::at_once), compiled for any CPU: where nothing is
    /// checked, a few registers full; where most text goes this way, one; and else what costs less than
    /// the call of a kernel.
    pub(in crate::kernel) const AT_ONCE: usize =
        if Self::ANYTHING || size_of::<S::Unit>() + size_of::<D::Unit>() == 4 {
            64
        } else if Self::LIMIT > 0x80 {
            32 / size_of::<S::Unit>()
        } else if size_of::<S::Unit>() == 1 {
            4
        } else {
            3
        };
}

impl<S: Form, D: Form, const STORE: bool> LaneLoop for Widen<S, D, STORE> {
    #[inline(always)]
    unsafe fn run_lanes<L: Lanes>(self) -> Progress {
        let (mut at, mut end) = (0, self.len);
        // SAFETY: all blocks are within the units that there are, and for which there is room.
        unsafe {
            let block = Self::LINES * L::LEN;
            if end >= 4 * block && self.lines::<L>(0, Self::LINES) {
                // From here on no access to the side that is written goes across two lines of the cache.
                let side = if STORE { self.dst as usize } else { self.src as usize };
                let width = if STORE { size_of::<D::Unit>() } else { size_of::<S::Unit>() };
                at = (L::LEN - side % L::LEN) / width;
            }
            steps!(at..end, block, |from| self.lines::<L>(from, Self::LINES));
            if Self::LINES > 1 && at < end {
                steps!(at..end, L::LEN, |from| self.lines::<L>(from, 1));
            }
            if L::LEN > 16 && at < end {
                steps!(at..end, 16, |from| self.lines::<L::Vector16>(from, 1));
            }
            if at < end {
                steps!(at..end, 4, |from| self.few::<4>(from));
                steps!(at..end, 1, |from| self.few::<1>(from));
            }
        }
        debug_assert!(at <= end);
        Progress { read: at, written: at }
    }

    #[inline(always)]
    unsafe fn run_portable(self) -> Progress {
        let (src, dst) = (self.src.cast(), self.dst.cast());
        // SAFETY: the caller's promise.
        unsafe {
            if STORE {
                Convert::<S, D>::new(src, self.len, dst, self.len).run()
            } else {
                Scan::<S>::new(src, self.len).run()
            }
        }
    }
}
