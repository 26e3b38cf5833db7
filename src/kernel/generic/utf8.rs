//! UTF-8 validation over vectors of 16 or 32 bytes.
//!
//! The test is in [`lookups`]; for the lines of long inputs ([`lines`](crate::kernel::shared::lines)) it is in [`unit`], and their loops
//! are in [`groups`] and [`sections`]. Here are the two ends. The first vector looks
//! back into zeros. The last vector ends with the input and overlaps the one before it; an input shorter than a vector
//! is assembled from smaller loads. So there is no loop over single bytes for any length.

mod groups;
mod lookups;
mod sections;
mod unit;

use super::{BLOCK, STEP};
use crate::kernel::shared::adaptive::Longest;
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{self, Run, drive};
use crate::kernel::vector::{Operation, Vector};

pub(super) use groups::Look;
use groups::OfGroups;
use sections::OfSections;

pub(super) use lookups::Lookups;
pub(super) use unit::{Level, Sums};

/// The length of a well-formed prefix of `src`, in UTF-8 or Corrected UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct ValidPrefix<'a, const CORRECTED: bool> {
    pub src: &'a [u8],
}

impl<const CORRECTED: bool> Operation for ValidPrefix<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: all loads are of whole vectors within `src`, or partial.
        unsafe {
            let zero = V::splat(0);
            if src.len() < V::LEN {
                let bytes = V::load_partial(src);
                if !bytes.any_sign_bit() {
                    return src.len();
                }
                // A truncated character is followed by zeros, and so is an error.
                let error = Lookups::<V>::new::<CORRECTED>().errors(bytes, zero);
                return if error.any() { stop_at(src, 0, error, src.len()) } else { src.len() };
            }
            let bytes = V::load(src.as_ptr());
            if bytes.any_sign_bit() {
                let error = Lookups::<V>::new::<CORRECTED>().errors(bytes, zero);
                if error.any() {
                    return stop_at(src, 0, error, src.len());
                }
            }
            if src.len() > 2 * STEP {
                V::enter(Bulk::<CORRECTED> { src })
            } else {
                remainder::<V, CORRECTED>(src, V::LEN)
            }
        }
    }
}

/// A long input whose first vector is known to be well-formed: the adaptive loops, and the remainder.
struct Bulk<'a, const CORRECTED: bool> {
    src: &'a [u8],
}

impl<const CORRECTED: bool> Operation for Bulk<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: `src` has many vectors. The loops begin at an aligned address behind the first vector, with one that
        // the content of the first two allows.
        unsafe {
            let bytes = V::load(src.as_ptr().add(V::LEN));
            let both = V::load(src.as_ptr()).max(bytes);
            let error = Lookups::new::<CORRECTED>().errors_at(src.as_ptr().add(V::LEN), bytes);
            if error.any() {
                return stop_at(src, V::LEN, error, src.len());
            }
            // Of ASCII nothing is known.
            let longest = if both.any_sign_bit() { longest(both).0 } else { 3 };
            let at = 2 * V::LEN - src.as_ptr() as usize % V::LEN;
            match drive::<Lines<V>, CORRECTED>(src, at, longest) {
                Ok(at) => remainder::<V, CORRECTED>(src, at),
                Err(boundary) => boundary,
            }
        }
    }
}

/// The loops for long text.
struct Lines<V>(core::marker::PhantomData<V>);

impl<V: Vector, const CORRECTED: bool> lines::Lines<CORRECTED> for Lines<V> {
    #[inline(always)]
    unsafe fn groups<const MOST: usize>(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::apart(OfGroups::<MOST, CORRECTED> { src, at }) }
    }

    #[inline(always)]
    unsafe fn sections<const MOST: usize>(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::apart(OfSections::<MOST, CORRECTED> { src, at }) }
    }
}

/// The length of the longest character of text with these greatest bytes; of ASCII it is 2, the lowest level.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
pub(super) unsafe fn longest<V: Vector>(greatest: V) -> Longest {
    // SAFETY: the caller's promise.
    unsafe {
        let three = greatest.sub_saturating(V::splat(0xDF)).any();
        let four = greatest.sub_saturating(V::splat(0xEF)).any();
        Longest(2 + usize::from(three) + usize::from(four))
    }
}

/// Validates the rest of `src` from `at` on, which is at least 3, vector by vector; finds the exact position of an
/// error. What is before `at` is well-formed, except that the last character may be incomplete.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn remainder<V: Vector, const CORRECTED: bool>(src: &[u8], mut at: usize) -> usize {
    // SAFETY: all loads are within `src`, and those of `errors_at` begin at most 3 bytes earlier.
    unsafe {
        let lookups = Lookups::<V>::new::<CORRECTED>();
        let start = src.as_ptr();
        while src.len() - at >= V::LEN {
            let bytes = V::load(start.add(at));
            // All ASCII from three bytes earlier on: no character is incomplete.
            if bytes.or(V::load(start.add(at - 3))).any_sign_bit() {
                let error = lookups.errors_at(start.add(at), bytes);
                if error.any() {
                    return stop_at(src, at, error, src.len());
                }
            }
            at += V::LEN;
        }
        if at < src.len() {
            // The last vector, which overlaps the one before it.
            let last = src.len() - V::LEN;
            let (first, bytes) = if last >= 3 {
                (last, lookups.errors_at(start.add(last), V::load(start.add(last))))
            } else {
                // Too close to the start for loads that look back.
                let mut before = [0; BLOCK];
                before[BLOCK - last..].copy_from_slice(&src[..last]);
                let before = V::load(before.as_ptr().add(BLOCK - V::LEN));
                (last, lookups.errors(V::load(start.add(last)), before))
            };
            if bytes.any() {
                return stop_at(src, first, bytes, src.len());
            }
        }
        let least = [0xC0, 0xE0, 0xF0];
        let open = (1..=3).any(|back| src[src.len() - back] >= least[back - 1]);
        if open { boundary_before(src, src.len()) } else { src.len() }
    }
}

/// The character boundary before the first error in the vector at `at`.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn stop_at<V: Vector>(src: &[u8], at: usize, error: V, end: usize) -> usize {
    // SAFETY: the caller's promise.
    boundary_before(src, (at + unsafe { error.first_nonzero() }).min(end))
}
