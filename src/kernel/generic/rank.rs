//! Rank and select: 256 bytes per step, then vector by vector, then bit by bit.
//!
//! A comparison gives FF for what counts, which is -1. So the vectors of a step are added up byte by byte, from FF
//! downwards, and the bytes of the sum are added up once at the end of the step. That is a comparison and an addition
//! per vector on every instruction set. Collecting the sign bits of each vector and counting those would be as fast on
//! x86, and three times as slow on NEON, which has no instruction for that. Units of two bytes count twice, in both of
//! their bytes, and the sums are halved.
//!
//! In the step that exceeds the limit the sign bits are collected after all, and in the vector that exceeds it a binary
//! search over them finds the position. The last vector ends with the text; the bits of what was counted before are
//! shifted out.
//!
//! What a unit must know of the one before it comes from a load one unit earlier. So a search that begins at the first
//! unit handles that unit separately.

use core::marker::PhantomData;

use super::{Progress, STEP};
use crate::kernel::portable::rank::{Counted, Profile, Weights};
use crate::kernel::vector::{Operation, Vector};
use crate::unicode::Unit;

/// From this many bytes on the loads are aligned (except those one unit earlier).
const LONG: usize = 1024;

/// Rank and select in one: see [`dispatch::rank::seek`](crate::kernel::dispatch::rank::seek).
pub(in crate::kernel) struct Seek<M: Weights> {
    src: *const u8,
    from: usize,
    to: usize,
    limit: usize,
    weights: PhantomData<M>,
}

impl<M: Weights> Seek<M> {
    /// From unit `from` to unit `to` of the text at `src`, at any alignment.
    #[inline(always)]
    pub(in crate::kernel) fn new(src: *const u8, from: usize, to: usize, limit: usize) -> Self {
        Seek { src, from, to, limit, weights: PhantomData }
    }
}

impl<M: Weights> Operation for Seek<M> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let width = size_of::<M::Unit>();
        let Seek { src, from, to, limit, .. } = self;
        let (mut at, end) = (from * width, to * width);
        let mut left = limit;
        // SAFETY: the caller's promise; `at` stays within the text, and is not 0 where the unit before is needed.
        unsafe {
            if M::LOOKS_BACK && from == 0 && to > 0 {
                let weight = M::weight(0, src.cast::<M::Unit>().read_unaligned().value());
                if weight > limit {
                    return Progress { read: 0, written: 0 };
                }
                left -= weight;
                at = width;
            }
            if end - at >= LONG {
                let head = src.add(at).align_offset(V::LEN) / width * width;
                let lanes = (1_u32 << head) - 1;
                if let Some(found) =
                    subtract::<M, V>(&mut left, limit, at, signs_at::<M, V>(src, at).map(|bits| bits & lanes))
                {
                    return found;
                }
                at += head;
            }
            while end - at >= STEP {
                let weight = step::<M, V>(src.add(at));
                if weight > left {
                    break;
                }
                left -= weight;
                at += STEP;
            }
            while end - at >= V::LEN {
                if let Some(found) = subtract::<M, V>(&mut left, limit, at, signs_at::<M, V>(src, at)) {
                    return found;
                }
                at += V::LEN;
            }
            let bytes = end - at;
            if bytes > 0 {
                // What is left is part of the last vector of the text, if the text is that long.
                let signs = if end >= V::LEN + look_back::<M>() {
                    signs_at::<M, V>(src, end - V::LEN).map(|bits| bits >> (V::LEN - bytes))
                } else {
                    let units = core::slice::from_raw_parts(src.add(at), bytes);
                    let before = core::slice::from_raw_parts(src.add(at - look_back::<M>()), bytes);
                    let marks = marks::<M, V>(V::load_partial(units), V::load_partial(before));
                    [marks[0].sign_bits(), marks[1].sign_bits(), marks[2].sign_bits()]
                        .map(|bits| bits & ((1 << bytes) - 1))
                };
                if let Some(found) = subtract::<M, V>(&mut left, limit, at, signs) {
                    return found;
                }
            }
        }
        Progress { read: to, written: limit - left }
    }
}

impl<A: Weights, B: Weights<Unit = A::Unit>, C: Weights<Unit = A::Unit>> Operation for Profile<'_, A, B, C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        self.each(
            #[inline(always)]
            |src, from, to| {
                // SAFETY: this is the root of `V`; a profile asks for positions within its text.
                unsafe {
                    [sum::<A, V>(src, from, to), sum::<B, V>(src, from, to), sum::<C, V>(src, from, to)]
                }
            },
        );
    }
}

/// The sum of the weights from one position to another.
///
/// # Safety
/// Only within a root; and as for [`Seek`].
#[inline(always)]
unsafe fn sum<M: Weights, V: Vector>(src: *const u8, from: usize, to: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe { Seek::<M>::new(src, from, to, usize::MAX).run::<V>() }.written
}

/// The sign bits of [`marks`] of the vector at `at`.
///
/// # Safety
/// Only within a root; a vector must be readable there, and the unit before if the weights depend on it.
#[inline(always)]
unsafe fn signs_at<M: Weights, V: Vector>(src: *const u8, at: usize) -> [u32; 3] {
    // SAFETY: the caller's promise.
    unsafe {
        let p = src.add(at);
        let [a, b, c] = marks::<M, V>(V::load(p), V::load(p.wrapping_sub(look_back::<M>())));
        [a.sign_bits(), b.sign_bits(), c.sign_bits()]
    }
}

/// Subtracts the weight of the units with these sign bits from what is left; or says where among them the limit is
/// exceeded.
///
/// # Safety
/// Only within a root.
#[inline(always)]
unsafe fn subtract<M: Weights, V: Vector>(
    left: &mut usize,
    limit: usize,
    at: usize,
    signs: [u32; 3],
) -> Option<Progress> {
    let width = size_of::<M::Unit>();
    // SAFETY: the caller's promise.
    unsafe {
        let weight = weigh::<M, V>(signs) / width;
        if weight <= *left {
            *left -= weight;
            return None;
        }
        let index = select::<M, V>(signs, *left * width) / width;
        let before = weigh::<M, V>(signs.map(|bits| bits & ((1 << (index * width)) - 1))) / width;
        Some(Progress { read: at / width + index, written: limit - *left + before })
    }
}

/// How many bytes before a unit its weight depends on.
#[inline(always)]
const fn look_back<M: Weights>() -> usize {
    if M::LOOKS_BACK { size_of::<M::Unit>() } else { 0 }
}

/// The weight of a step.
///
/// # Safety
/// Only within a root; a step must be readable at `p`, and the unit before if the weights depend on it.
#[inline(always)]
unsafe fn step<M: Weights, V: Vector>(p: *const u8) -> usize {
    // SAFETY: the caller's promise. (No byte of the sum overflows: it counts up to three in each of sixteen vectors.)
    unsafe {
        let mut sums = V::splat(0xFF);
        for vector in 0..STEP / V::LEN {
            let p = p.add(vector * V::LEN);
            let [a, b, c] = marks::<M, V>(V::load(p), V::load(p.wrapping_sub(look_back::<M>())));
            sums = sums.add(a);
            if matches!(M::COUNTED, Counted::Units8 | Counted::Bytes16) {
                sums = sums.add(b);
            }
            if M::COUNTED == Counted::Bytes16 {
                sums = sums.add(c);
            }
        }
        (0xFF * V::LEN - sums.sum_bytes()) / size_of::<M::Unit>()
    }
}

/// FF in the bytes of the units that count: a unit weighs as much as the vectors that have it.
///
/// # Safety
/// Only within a root.
#[inline(always)]
unsafe fn marks<M: Weights, V: Vector>(units: V, before: V) -> [V; 3] {
    // SAFETY: the caller's promise.
    unsafe {
        let none = V::splat(0);
        // As signed numbers, continuation bytes are the smallest.
        let leads = || units.greater_signed(V::splat(-65_i8 as u8));
        match M::COUNTED {
            Counted::Chars8 => [leads(), none, none],
            Counted::Units8 => [leads(), units.at_least(V::splat(0xF0)), none],
            Counted::Breaks8 => {
                let (lf, cr) = (V::splat(b'\n'), V::splat(b'\r'));
                let lfs = units.equal(lf).and_not(before.equal(cr));
                [lfs.or(units.equal(cr)), none, none]
            }
            Counted::Breaks16 => {
                let (lf, cr) = (V::splat16(u16::from(b'\n')), V::splat16(u16::from(b'\r')));
                let lfs = units.equal16(lf).and_not(before.equal16(cr));
                [lfs.or(units.equal16(cr)), none, none]
            }
            Counted::Chars16 => [V::splat(0xFF).and_not(paired_low(units, before)), none, none],
            Counted::Bytes16 => {
                let paired_low = paired_low(units, before);
                let least = |least: u16| units.at_least16(least).and_not(paired_low);
                [V::splat(0xFF), least(0x80), least(0x800)]
            }
        }
    }
}

/// FF in the bytes of low surrogates behind high ones.
///
/// # Safety
/// Only within a root.
#[inline(always)]
unsafe fn paired_low<V: Vector>(units: V, before: V) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        let tops = V::splat16(0xFC00);
        let low = units.and(tops).equal16(V::splat16(0xDC00));
        low.and(before.and(tops).equal16(V::splat16(0xD800)))
    }
}

/// The weight that the bits of marks stand for.
///
/// # Safety
/// Only within a root.
#[inline(always)]
unsafe fn weigh<M: Weights, V: Vector>(signs: [u32; 3]) -> usize {
    let [a, b, c] = signs;
    // SAFETY: the caller's promise.
    let ones = |bits: u32| unsafe { V::count_ones(bits) };
    match M::COUNTED {
        Counted::Units8 => ones(a) + ones(b),
        Counted::Bytes16 => ones(a) + ones(b) + ones(c),
        _ => ones(a),
    }
}

/// The greatest number of leading bits whose weight is not above `limit`; the weight of all is.
///
/// # Safety
/// Only within a root.
#[inline(always)]
unsafe fn select<M: Weights, V: Vector>(signs: [u32; 3], limit: usize) -> usize {
    let mut index = 0;
    let mut step = V::LEN / 2;
    while step > 0 {
        let lower = (1_u32 << (index + step)) - 1;
        // SAFETY: the caller's promise.
        if unsafe { weigh::<M, V>(signs.map(|bits| bits & lower)) } <= limit {
            index += step;
        }
        step /= 2;
    }
    index
}
