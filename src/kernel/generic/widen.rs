//! Unit by unit: conversions in which every unit is a character and keeps its value.
//!
//! From UTF-16 or UTF-32 to Latin-1 or ASCII, and from these to anything, a unit is narrowed or widened and nothing
//! more. UTF-32 to UTF-32 is a checked copy, and the check of UTF-32 is that without the copy.
//!
//! Source and target advance together, so converting a block twice does no harm. The last block ends with the text and overlaps the
//! block before; there is no loop over the last units. A text shorter than a block is converted in smaller blocks in the same way,
//! and so is a block with an error in it: each size narrows down the position of the error for the next. What was written after the
//! error is garbage, as the contract allows.
//!
//! The test is cheap for each unit. Units for Latin-1 and ASCII are joined by `or`: the limits are powers of two, and the byte
//! order does not matter. UTF-32 is transformed so that surrogates come after the largest scalar value, and the maximum is taken.

use core::marker::PhantomData;

use super::Progress;
use crate::kernel::portable::convert::{Convert, Scan};
use crate::kernel::shared::Plain as _;
use crate::kernel::vector::{LaneLoop, Lanes};
use crate::unicode::{Form, Unit};

/// Advances `$at` in blocks of `$size` units, up to `$end`; `$block` says whether the block at the given position is
/// well-formed. The last block overlaps the one before. An ill-formed block lies between `$at` and `$end` afterwards.
/// (This is not a function, because a closure would not have the target features.)
macro_rules! steps {
    ($at:ident..$end:ident, $size:expr, |$from:ident| $block:expr) => {
        'steps: {
            while $end - $at >= $size {
                let $from = $at;
                if !$block {
                    $end = $at + $size;
                    break 'steps;
                }
                $at += $size;
            }
            if $at < $end && $end >= $size {
                let $from = $end - $size;
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

/// Registers of a text that is checked without a loop.
const FEW: usize = 8;

/// Units of UTF-32 so that surrogates wrap around to the largest values.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
unsafe fn turned<L: Lanes>(units: L) -> L {
    // SAFETY: the caller's promise.
    unsafe { units.xor(L::splat32(0xD800)).add32(L::splat32(0x800_u32.wrapping_neg())) }
}

/// Whether none of these [`turned`] units is greater than the largest well-formed one.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
unsafe fn are_scalars<L: Lanes>(turned: L) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let largest = L::splat32(0x10_FFFF - 0x800);
        !turned.max32(largest).xor(largest).any()
    }
}

impl<S: Form, D: Form, const STORE: bool> Widen<S, D, STORE> {
    /// From the `len` units of `S` at `src` to at most `room` units of `D` at `dst`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Widen { src: src.cast(), len: len.min(room), dst: dst.cast(), pair: PhantomData }
    }

    /// Units below this value keep it in both encodings.
    pub(in crate::kernel) const LIMIT: u32 = if S::SINGLE < D::SINGLE { S::SINGLE } else { D::SINGLE };

    /// Whether the units are scalar values: below the limit of Unicode, and no surrogates.
    pub(in crate::kernel) const SCALARS: bool = Self::LIMIT > 0x100;

    /// Whether every unit is well-formed: there is nothing to check.
    pub(in crate::kernel) const UNCHECKED: bool = size_of::<S::Unit>() == 1 && Self::LIMIT > 0xFF;

    /// Whether there is a way of its own for few units: for the check of UTF-32 alone, and not where modules are to be small.
    const KNOWS_FEW: bool =
        !STORE && Self::SCALARS && size_of::<S::Unit>() == 4 && !cfg!(target_family = "wasm");

    /// Lines of a block: one test for a few hundred bytes.
    const LINES: usize = 4 / size_of::<S::Unit>();

    /// Converts `count` lines of `L::LEN` units at `at`; says whether they are well-formed.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline(always)]
    unsafe fn lines<L: Lanes>(&self, at: usize, count: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut all = L::splat(0);
            for line in 0..count {
                all = self.line(at + line * L::LEN, all);
            }
            if Self::UNCHECKED {
                return true;
            }
            if Self::SCALARS {
                return are_scalars(all);
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

    /// Converts the `L::LEN` units at `at`; returns `all`, the units before joined, with these joined to it.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
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
                    if !Self::UNCHECKED {
                        all = all.or(L::load(src));
                    }
                    let [a, b] = L::widen_all_8_to_16(src);
                    let [a, b] = if D::SWAPPED { [a.swap16(), b.swap16()] } else { [a, b] };
                    a.store(dst);
                    b.store(dst.add(L::LEN));
                }
                (1, _) => {
                    if !Self::UNCHECKED {
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
                        all = all.max32(turned(values));
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

    /// Whether all units, up to [`FEW`] registers of them, are scalar values, by registers that overlap: without a loop, as no predictor
    /// knows the lengths of short texts. If it says no, it may be that it cannot tell.
    ///
    /// # Safety
    /// There must be some, and they must be readable.
    #[inline(always)]
    unsafe fn few_scalars<L: Lanes>(&self) -> bool {
        let (len, lanes) = (self.len, L::LEN / 4);
        // SAFETY: the caller's promise; all registers are within the units.
        unsafe {
            if len <= lanes
                && let Some(units) =
                    L::load_among_zeros(core::slice::from_raw_parts(self.src.cast(), 4 * len))
            {
                are_scalars(turned(if S::SWAPPED { units.swap32() } else { units }))
            } else if len > 4 * lanes {
                self.registers_of_scalars::<L>(0, 4) & self.registers_of_scalars::<L>(len - 4 * lanes, 4)
            } else if len > 2 * lanes {
                self.registers_of_scalars::<L>(0, 2) & self.registers_of_scalars::<L>(len - 2 * lanes, 2)
            } else if len >= lanes {
                self.registers_of_scalars::<L>(0, 1) & self.registers_of_scalars::<L>(len - lanes, 1)
            } else {
                false
            }
        }
    }

    /// Whether the units in `count` registers at `at` are scalar values.
    ///
    /// # Safety
    /// They must be readable.
    #[inline(always)]
    unsafe fn registers_of_scalars<L: Lanes>(&self, at: usize, count: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut all = L::splat(0);
            for register in 0..count {
                let units = L::load(self.src.add(at + register * (L::LEN / 4)).cast());
                all = all.max32(turned(if S::SWAPPED { units.swap32() } else { units }));
            }
            are_scalars(all)
        }
    }

    /// Converts the `N` units at `at`; says whether they are well-formed.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline(always)]
    unsafe fn array<const N: usize>(&self, at: usize) -> bool {
        // SAFETY: the caller's promise.
        let units = unsafe { self.src.add(at).cast::<[S::Unit; N]>().read_unaligned() };
        let values = units.map(S::value);
        if STORE {
            // SAFETY: the caller's promise.
            unsafe { self.dst.add(at).cast::<[D::Unit; N]>().write_unaligned(values.map(D::unit)) };
        }
        if Self::UNCHECKED {
            return true;
        }
        if Self::SCALARS && size_of::<S::Unit>() == 2 {
            let [mask, prefix] = [0xF800, 0xD800].map(S::unit);
            return !units.into_iter().fold(false, |any, unit| any | (unit.and(mask) == prefix));
        }
        if Self::SCALARS {
            let is_error = |value: u32| value >= Self::LIMIT || value.wrapping_sub(0xD800) < 0x800;
            return !values.into_iter().fold(false, |any, value| any | is_error(value));
        }
        let all = units.into_iter().fold(S::Unit::of(0), S::Unit::or);
        S::value(all) < Self::LIMIT
    }

    /// Converts all units, 64 at most; says whether they are well-formed. It uses blocks that overlap: two or three for
    /// each length, and no loop over single units.
    ///
    /// # Safety
    /// As for [`LaneLoop::run_portable`]; and there must be room for all.
    #[inline(always)]
    pub(in crate::kernel) unsafe fn convert_short(&self) -> bool {
        let len = self.len;
        // SAFETY: all blocks are within the source, and there is room for them.
        unsafe {
            if len >= 16 {
                let mut at = 0;
                while len - at > 16 {
                    if !self.array::<16>(at) {
                        return false;
                    }
                    at += 16;
                }
                self.array::<16>(len - 16)
            } else if len >= 8 {
                self.array::<8>(0) & self.array::<8>(len - 8)
            } else if len >= 4 {
                self.array::<4>(0) & self.array::<4>(len - 4)
            } else if len > 1 {
                self.array::<1>(0) & self.array::<1>(1) & self.array::<1>(len - 1)
            } else {
                len == 0 || self.array::<1>(0)
            }
        }
    }

    /// Up to this many units [`convert_short`](Widen::convert_short), compiled for any CPU, is faster: a few registers
    /// where nothing is checked, one where most text can be converted, and otherwise what costs less than the call of a
    /// kernel.
    pub(in crate::kernel) const SHORT: usize =
        if Self::UNCHECKED || size_of::<S::Unit>() + size_of::<D::Unit>() == 4 {
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
        // SAFETY: all blocks are within the source, and there is room for them.
        unsafe {
            if Self::KNOWS_FEW && end > 0 && end <= FEW * (L::LEN / 4) && self.few_scalars::<L>() {
                return Progress { read: end, written: end };
            }
            let block = Self::LINES * L::LEN;
            if end >= 4 * block && self.lines::<L>(0, Self::LINES) {
                // From here on the accesses to the output, or to the input of a check, are aligned.
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
                steps!(at..end, 4, |from| self.array::<4>(from));
                steps!(at..end, 1, |from| self.array::<1>(from));
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
