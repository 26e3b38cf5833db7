//! UTF-16 with U+FFFD for unpaired surrogates: a copy over any vector, and the loop that does it in place.
//!
//! A surrogate is unpaired if the unit beside it is not its partner. So three loads decide about a register: its units, those one
//! position later, and those one position earlier. In place, the last of these would read a part of what has just been written,
//! which makes processors wait; so the mask of high surrogates is kept from register to register, and shifted by a unit.
//!
//! # In place
//! Text is rarely ill-formed, and then nothing needs to be written. So blocks are examined as in the check of UTF-16 ([`Utf16Copy`]):
//! first for any surrogate, with one load for a register; if there is one, adjacent units are compared for some blocks. A block with an
//! error is *rewritten*, whatever it holds, and so without a branch for each error. The number of blocks that are rewritten at once
//! doubles if the next one has an error again, and is halved if it has none, so that neither rare errors nor dense ones cost a
//! misprediction each.
//!
//! Nothing is carried from one block to the next but a guarantee: the unit at the start of a block is not a low surrogate without a
//! high one before it. A loop that compares each unit with the unit after it gives this guarantee. After the other loops, that one unit
//! is tested.
//!
//! # Figures
//! AMD EPYC (Zen 5), 160 KiB in place, as a ratio to simdutf's `to_well_formed_utf16` with the same instruction set; if there are
//! errors, the time of both sides includes a copy of the text before each call:
//!
//! | | AVX-512 | AVX2 | SSE4.2 |
//! |---|--:|--:|--:|
//! | no surrogates | 2.8 | 3.1 | 2.8 |
//! | a pair in each 1000 characters | 1.26 | 1.73 | 1.90 |
//! | pairs in each block, or nothing else | 0.84 to 0.87 | 1.20 to 1.23 | 1.18 |
//! | one in 1000 units unpaired, no pairs | 1.21 | 1.35 | 1.58 |
//! | one in 100 units unpaired, no pairs | 1.71 | 1.43 | 0.90 |
//! | the same among pairs alone | 1.22 | 1.03 | 1.17 |
//!
//! If each block has pairs, AVX-512 is limited by comparisons, which give masks: two for each register, as in simdutf. Comparing
//! without masks, by minima, took 8 % longer.

use core::marker::PhantomData;

use super::utf16_copy::Utf16Copy;
use crate::kernel::vector::{Lanes, Operation, Vector};
use crate::unicode::{is_high, is_low};

/// A copy of UTF-16, in native byte order or, if `SWAP`, in the other one, with U+FFFD for unpaired surrogates.
pub(in crate::kernel) struct ReplaceUtf16<const SWAP: bool> {
    src: *const u16,
    dst: *mut u16,
    len: usize,
}

impl<const SWAP: bool> ReplaceUtf16<SWAP> {
    /// From the `len` units at `src` to as many at `dst`, at any alignment. `src` and `dst` may be equal, but must not overlap
    /// otherwise.
    pub(in crate::kernel) fn new(src: *const u8, dst: *mut u8, len: usize) -> Self {
        ReplaceUtf16 { src: src.cast(), dst: dst.cast(), len }
    }
}

impl<const SWAP: bool> Operation for ReplaceUtf16<SWAP> {
    /// How many units were replaced.
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let ReplaceUtf16 { src, dst, len } = self;
        let count = len.saturating_sub(1) / (V::LEN / 2);
        // SAFETY: so many registers are in the text, and at least one unit behind them.
        let mut replaced = unsafe { rewrite::<V, SWAP>(src, dst, count, false) };
        for at in count * (V::LEN / 2)..len {
            // SAFETY: the unit is in the text.
            replaced += unsafe { rewrite_one::<SWAP>(src, dst, at, len) };
        }
        replaced
    }
}

/// Copies `count` registers; returns how many units were replaced. If `joined`, the first unit is not an unpaired low surrogate;
/// otherwise it is the first of the text.
///
/// # Safety
/// Only within the root of `V`. The registers must be readable and writable, and one unit behind them readable. `src` and `dst` may be
/// equal, but must not overlap otherwise.
#[inline(always)]
unsafe fn rewrite<V: Vector, const SWAP: bool>(
    src: *const u16,
    dst: *mut u16,
    count: usize,
    joined: bool,
) -> usize {
    // SAFETY: the caller's promise. (No byte of the sums overflows: it counts down from FF, once for each register.)
    unsafe {
        let splat = |unit: u16| V::splat16(if SWAP { unit.swap_bytes() } else { unit });
        let (tops, replacement) = (splat(0xFC00), splat(0xFFFD));
        let (highs, lows) = (splat(0xD800), splat(0xDC00));
        let mut before = V::splat(if joined { 0xFF } else { 0 });
        let (mut at, mut left, mut replaced) = (0, count, 0);
        while left > 0 {
            let some = left.min(255);
            let mut sums = V::splat(0xFF);
            for _ in 0..some {
                let units = V::load(src.add(at).cast());
                let next = V::load(src.add(at + 1).cast());
                let prefixes = units.and(tops);
                let high = prefixes.equal16(highs);
                let unfollowed = high.and_not(next.and(tops).equal16(lows));
                let unpaired = prefixes.equal16(lows).and_not(high.previous::<2>(before)).or(unfollowed);
                before = high;
                sums = sums.add(unpaired);
                unpaired.select_bytes(replacement, units).store(dst.add(at).cast());
                at += V::LEN / 2;
            }
            replaced += (0xFF * V::LEN - sums.sum_bytes()) / 2;
            left -= some;
        }
        replaced
    }
}

/// Copies the unit at `at` of the `len` units at `src`; returns how many were replaced.
///
/// # Safety
/// The text must be readable, and the unit writable.
#[inline(always)]
unsafe fn rewrite_one<const SWAP: bool>(src: *const u16, dst: *mut u16, at: usize, len: usize) -> usize {
    let ordered = |unit: u16| if SWAP { unit.swap_bytes() } else { unit };
    // SAFETY: it is called for offsets in the text.
    let value = |at: usize| u32::from(ordered(unsafe { src.add(at).read_unaligned() }));
    let unit = value(at);
    // Units outside of the text pair with nothing. What was before may have been replaced, but not if it is in a pair.
    let unfollowed = is_high(unit) && !(at + 1 < len && is_low(value(at + 1)));
    let unpaired = unfollowed || is_low(unit) && !(at > 0 && is_high(value(at - 1)));
    // SAFETY: the caller's promise.
    unsafe {
        dst.add(at).write_unaligned(if unpaired { ordered(0xFFFD) } else { src.add(at).read_unaligned() })
    };
    usize::from(unpaired)
}

/// How an instruction set rewrites units.
///
/// # Safety
/// All functions need the instruction set. They must be given units that are readable and writable.
pub(in crate::kernel) trait Rewrite {
    /// The registers that blocks are looked at with.
    type Lanes: Lanes;

    /// Replaces the unpaired surrogates in `count` registers at `units`, behind which there is one unit more; returns how many there
    /// were. The first unit is not an unpaired low one.
    unsafe fn registers(units: *mut u16, count: usize) -> usize;

    /// The same from `at` to the end of the `len` units at `text`: at least one, at most a block.
    unsafe fn end(text: *mut u16, at: usize, len: usize) -> usize;
}

/// The rewriting over a vector.
struct Of<V>(PhantomData<V>);

impl<V: Vector> Rewrite for Of<V> {
    type Lanes = V;

    #[inline(always)]
    unsafe fn registers(units: *mut u16, count: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe { rewrite::<V, false>(units, units, count, true) }
    }

    #[inline(always)]
    unsafe fn end(text: *mut u16, mut at: usize, len: usize) -> usize {
        let (units, check, end) = (V::LEN / 2, check(text, len), len - 1);
        let mut replaced = 0;
        // SAFETY: what is compared is in the text, and one unit behind it.
        unsafe {
            while end - at >= units && check.neighbours::<V>(at, 1) {
                at += units;
            }
            if end - at >= units {
                let count = (end - at) / units;
                replaced += Self::registers(text.add(at), count);
                at += count * units;
                replaced += join(text, at);
            }
            if V::LEN > 16 && end - at >= 8 && check.neighbours::<V::Vector16>(at, 1) {
                at += 8;
            }
            // Comparing what was compared before is cheaper than unit by unit.
            let whole = end - at < 8 && end >= 8 && check.neighbours::<V::Vector16>(end - 8, 1);
            if whole && !check.has_prefix(end, 0xD800) {
                return replaced;
            }
            for at in at..len {
                replaced += rewrite_one::<false>(text, text, at, len);
            }
        }
        replaced
    }
}

/// The check of a text in native byte order.
#[inline(always)]
fn check(text: *const u16, len: usize) -> Utf16Copy<false, false, false> {
    Utf16Copy::new(text.cast(), len, core::ptr::null_mut(), len)
}

/// The `len` units of UTF-16 at `text`, in native byte order, with U+FFFD for unpaired surrogates, in place: as an operation.
pub(in crate::kernel) struct ReplaceInPlace {
    pub text: *mut u16,
    pub len: usize,
}

impl Operation for ReplaceInPlace {
    /// How many units were replaced.
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        // SAFETY: the caller's promise.
        unsafe { replace_in_place::<Of<V>>(self.text, self.len) }
    }
}

/// Blocks whose neighbours are compared before the loop for text without surrogates is tried again.
const PATIENCE: usize = 8;

/// The most blocks that are rewritten at once.
const MOST: usize = 64;

/// Replaces the unpaired surrogates in the `len` units at `text`; returns how many there were.
///
/// # Safety
/// They must be readable and writable; and the instruction set of `R` is required.
#[inline(always)]
pub(in crate::kernel) unsafe fn replace_in_place<R: Rewrite>(text: *mut u16, len: usize) -> usize {
    if len == 0 {
        return 0;
    }
    let width = R::Lanes::LEN;
    let registers = if width > 32 { 4 } else { 8 };
    let block = registers * (width / 2);
    // The last unit has none behind it.
    let (check, end) = (check(text, len), len - 1);
    let (mut at, mut blocks) = (0, 1);
    // SAFETY: all blocks are within the text, and a unit is behind each.
    unsafe {
        let mut replaced = join(text, 0);
        if end >= 4 * block && check.neighbours::<R::Lanes>(0, registers) {
            // From here on the loads are aligned, but for those of the units behind.
            at = (width - text as usize % width) / 2;
        }
        while end - at >= block {
            if check.without_surrogates::<R::Lanes>(at, registers) {
                at += block;
                continue;
            }
            replaced += join(text, at);
            for _ in 0..PATIENCE {
                if end - at < block {
                    break;
                }
                if check.neighbours::<R::Lanes>(at, registers) {
                    at += block;
                    blocks = (blocks / 2).max(1);
                } else {
                    let count = blocks.min((end - at) / block);
                    replaced += R::registers(text.add(at), count * registers);
                    at += count * block;
                    replaced += join(text, at);
                    blocks = (blocks * 2).min(MOST);
                }
            }
        }
        if at > 0 {
            replaced += join(text, at);
        }
        replaced + R::end(text, at, len)
    }
}

/// Replaces the unit at `at` if it is a low surrogate without a high one before it; returns how many were replaced.
///
/// # Safety
/// It and all units before it must be readable and writable.
#[inline(always)]
unsafe fn join(text: *mut u16, at: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let unpaired = is_low(text.add(at).read_unaligned().into())
            && !(at > 0 && is_high(text.add(at - 1).read_unaligned().into()));
        if unpaired {
            text.add(at).write_unaligned(0xFFFD);
        }
        usize::from(unpaired)
    }
}
