//! The adaptive loops, over any vector.
//!
//! *Two* takes seven instructions per vector and no lookup. `sub(previous, 40)`, unsigned and saturating, has its top
//! bit set if and only if the previous byte is a lead byte; `add(byte, 40)`, signed and saturating, if and only if the
//! byte is a continuation byte; the two must agree. Lead bytes above DF show in the maximum of all previous bytes, and
//! C0 and C1 in the maximum of all previous bytes minus C2, where they have become FE and FF.
//!
//! *Three* is the general test without the load three bytes back; it rejects lead bytes of four bytes by an entry that
//! all second bytes agree with. There is no *plain*, as it would save nothing. *Sparse* skips ASCII by chunks and by
//! blocks of 64 bytes, and checks the other blocks one by one.
//!
//! All loops check a pair of bytes when they are at its second byte, so no pair is missed where one loop follows
//! another.

use super::super::ascii::ascii_steps;
use super::super::{BLOCK, STEP};
use super::lookups::Lookups;
use super::{longest, stop_at};
use crate::kernel::shared::adaptive::{AdaptiveLoops, End, Longest, Recent, Run};
use crate::kernel::vector::{Operation, Vector};

/// The adaptive loops.
pub(super) struct Loops<V, const CORRECTED: bool>(core::marker::PhantomData<V>);

impl<V: Vector, const CORRECTED: bool> AdaptiveLoops for Loops<V, CORRECTED> {
    const STEP: usize = STEP;

    #[inline(always)]
    unsafe fn look(src: &[u8], at: usize) -> Result<Longest, usize> {
        // SAFETY: the caller's promise.
        unsafe { V::enter(Look::<CORRECTED> { src, at }) }
    }

    #[inline(always)]
    unsafe fn plain(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::enter(UpTo::<3, CORRECTED> { src, at }) }
    }

    #[inline(always)]
    unsafe fn sparse(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::enter(Sparse::<CORRECTED> { src, at }) }
    }

    #[inline(always)]
    unsafe fn two(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::enter(Two::<CORRECTED> { src, at }) }
    }

    #[inline(always)]
    unsafe fn up_to<const MOST: u32>(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::enter(UpTo::<MOST, CORRECTED> { src, at }) }
    }
}

/// Checks the rejected chunk at `at` vector by vector: finds the exact position of an error.
struct Look<'a, const CORRECTED: bool> {
    src: &'a [u8],
    at: usize,
}

impl<const CORRECTED: bool> Operation for Look<'_, CORRECTED> {
    type Output = Result<Longest, usize>;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Result<Longest, usize> {
        let (src, at) = (self.src, self.at);
        // SAFETY: the step is within `src`, and so are the three bytes before it.
        unsafe {
            let lookups = Lookups::<V>::new::<CORRECTED>();
            let mut greatest = V::splat(0);
            for vector in 0..STEP / V::LEN {
                let at = at + vector * V::LEN;
                let p = src.as_ptr().add(at);
                let bytes = V::load(p);
                let error = lookups.errors_at(p, bytes);
                if error.any() {
                    return Err(stop_at(src, at, error, src.len()));
                }
                greatest = greatest.max(bytes);
            }
            Ok(longest(greatest))
        }
    }
}

/// Chunks that are mostly ASCII: by steps, then by blocks.
struct Sparse<'a, const CORRECTED: bool> {
    src: &'a [u8],
    at: usize,
}

impl<const CORRECTED: bool> Operation for Sparse<'_, CORRECTED> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let (src, mut at) = (self.src, self.at);
        // SAFETY: the step is within `src`, and so are the three bytes before it.
        unsafe {
            let lookups = Lookups::<V>::new::<CORRECTED>();
            let mut recent = Recent::default();
            // Whether `len` bytes, and the three before them, are ASCII: no character is incomplete.
            let ascii = |p: *const u8, len: usize| {
                let mut all = V::load(p.sub(3));
                for vector in 0..len / V::LEN {
                    all = all.or(V::load(p.add(vector * V::LEN)));
                }
                !all.any_sign_bit()
            };
            while src.len() - at > STEP {
                let p = src.as_ptr().add(at);
                if ascii(p, STEP) {
                    let to = ascii_steps::<V>(src, at + STEP);
                    recent.passed((to - at) / STEP);
                    at = to;
                    continue;
                }
                let mut dense = 0;
                let mut greatest = V::splat(0);
                for block in 0..STEP / BLOCK {
                    let at = at + block * BLOCK;
                    if ascii(src.as_ptr().add(at), BLOCK) {
                        continue;
                    }
                    dense += 1;
                    for vector in 0..BLOCK / V::LEN {
                        let at = at + vector * V::LEN;
                        let bytes = V::load(src.as_ptr().add(at));
                        let error = lookups.errors_at(src.as_ptr().add(at), bytes);
                        if error.any() {
                            let boundary = stop_at(src, at, error, src.len());
                            return Run { at, end: End::IllFormed(boundary) };
                        }
                        greatest = greatest.max(bytes);
                    }
                }
                at += STEP;
                if recent.sparse(dense > 2) {
                    return Run { at, end: End::Dense(longest(greatest)) };
                }
            }
            Run { at, end: End::Quiet }
        }
    }
}

/// Chunks whose characters have one or two bytes.
struct Two<'a, const CORRECTED: bool> {
    src: &'a [u8],
    at: usize,
}

impl<const CORRECTED: bool> Operation for Two<'_, CORRECTED> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let (src, mut at) = (self.src, self.at);
        // SAFETY: the step is within `src`, and so is the byte before it: `at` is not 0.
        unsafe {
            let offset = V::splat(0x40);
            let minus_c2 = V::splat(0xC2u8.wrapping_neg());
            let zero = V::splat(0);
            let mut recent = Recent::default();
            while src.len() - at > STEP {
                let (mut error, mut greatest, mut overlong, mut sample) = (zero, zero, zero, zero);
                for vector in 0..STEP / V::LEN {
                    let p = src.as_ptr().add(at + vector * V::LEN);
                    let (bytes, previous) = (V::load(p), V::load(p.sub(1)));
                    let after_lead = previous.sub_saturating(offset);
                    let continuation = bytes.add_signed_saturating(offset);
                    error = error.or(after_lead.xor(continuation));
                    greatest = greatest.max(previous);
                    if !CORRECTED {
                        overlong = overlong.max(previous.add(minus_c2));
                    }
                    sample = if vector < STEP / V::LEN / 2 { sample } else { sample.or(bytes) };
                }
                // The top bit of any byte rejects the chunk.
                let above = greatest.sub_saturating(V::splat(0xE0 - 0x80));
                let overlong = overlong.sub_saturating(V::splat(0xFE - 0x80));
                if error.or(above).or(overlong).any_sign_bit() {
                    return Run { at, end: End::Refused };
                }
                at += STEP;
                if let Some(end) = recent.dense(true, !sample.any_sign_bit()) {
                    return Run { at, end };
                }
            }
            Run { at, end: End::Quiet }
        }
    }
}

/// Chunks whose characters have up to `MOST` bytes, 3 or 4.
struct UpTo<'a, const MOST: u32, const CORRECTED: bool> {
    src: &'a [u8],
    at: usize,
}

impl<const MOST: u32, const CORRECTED: bool> Operation for UpTo<'_, MOST, CORRECTED> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let (src, mut at) = (self.src, self.at);
        // SAFETY: the step is within `src`, and so are the three bytes before it.
        unsafe {
            let lookups = Lookups::<V>::for_characters_up_to::<CORRECTED>(MOST);
            let mut recent = Recent::default();
            while src.len() - at > STEP {
                let mut error = V::splat(0);
                let mut greatest = V::splat(0);
                let mut sample = V::splat(0);
                for vector in 0..STEP / V::LEN {
                    let p = src.as_ptr().add(at + vector * V::LEN);
                    let bytes = V::load(p);
                    error = error.or(if MOST == 4 {
                        lookups.errors_at(p, bytes)
                    } else {
                        let third = V::load(p.sub(2)).sub_saturating(lookups.threes);
                        lookups.pair_errors(bytes, V::load(p.sub(1)), third)
                    });
                    greatest = greatest.max(bytes);
                    sample = if vector < STEP / V::LEN / 2 { sample } else { sample.or(bytes) };
                }
                if error.any() {
                    return Run { at, end: End::Refused };
                }
                at += STEP;
                let least = if MOST == 4 { 0xF0 } else { 0xE0 };
                let needed = greatest.sub_saturating(V::splat(least - 0x80)).any_sign_bit();
                if let Some(end) = recent.dense(needed, !sample.any_sign_bit()) {
                    return Run { at, end };
                }
            }
            Run { at, end: End::Quiet }
        }
    }
}
