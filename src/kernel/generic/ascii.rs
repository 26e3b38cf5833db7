//! The ASCII prefix: 128 or 256 bytes per step with a single test, then vector by vector.
//!
//! The last vector ends with the input and overlaps the one before it. An input shorter than a vector is assembled from
//! smaller loads.
//!
//! With vectors of 32 bytes a step is half as long: from the second level of cache of Intel Cascade Lake 256 KiB are passed at 90 GB/s instead of 82, where
//! loads alone, with a test at the end, have 86. (Steps of 64 bytes are as fast. At addresses that are not aligned steps of 128 bytes have 56 GB/s, and of 256 bytes
//! 65. From the third level all are the same.)

use super::{BLOCK, STEP};
use crate::kernel::shared::lines::FAR_AHEAD;
use crate::kernel::vector::{Operation, Vector};

/// The exact length of the ASCII prefix of `src`.
pub(in crate::kernel) struct AsciiPrefix<'a> {
    pub src: &'a [u8],
}

impl Operation for AsciiPrefix<'_> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: all loads are of whole vectors within `src`, or partial.
        unsafe {
            if src.len() < V::LEN {
                return src.len().min(V::load_partial(src).first_sign_bit());
            }
            let vector = |at: usize| V::load(src.as_ptr().add(at));
            let first = vector(0);
            if first.any_sign_bit() {
                return first.first_sign_bit();
            }
            // Go on from the first aligned address within or right behind that vector.
            let mut at = V::LEN - src.as_ptr() as usize % V::LEN;
            at = ascii_steps::<V, 0>(src, at);
            while at + V::LEN <= src.len() {
                if vector(at).any_sign_bit() {
                    return at + vector(at).first_sign_bit();
                }
                at += V::LEN;
            }
            let last = src.len() - V::LEN;
            if vector(last).any_sign_bit() { last + vector(last).first_sign_bit() } else { src.len() }
        }
    }
}

/// Skips chunks of ASCII from `at` on; returns the position of the first chunk that is not ASCII, or not whole. Prefetches what is
/// `AHEAD` bytes ahead, unless that is 0.
///
/// # Safety
/// As for [`Operation::run`]; and `at` must not be greater than `src.len()`.
#[inline(always)]
pub(super) unsafe fn ascii_steps<V: Vector, const AHEAD: usize>(src: &[u8], mut at: usize) -> usize {
    let step = if V::LEN > 16 { STEP / 2 } else { STEP };
    while src.len() - at >= step {
        // SAFETY: a step is left from `at` on.
        unsafe {
            let p = src.as_ptr().add(at);
            if AHEAD != 0 {
                for line in 0..step / BLOCK {
                    V::prefetch(p.wrapping_add(line * BLOCK + AHEAD));
                }
            }
            let mut all = V::load(p);
            for vector in 1..step / V::LEN {
                all = all.or(V::load(p.add(vector * V::LEN)));
            }
            if all.any_sign_bit() {
                break;
            }
        }
        at += step;
    }
    at
}

/// [`ascii_steps`] in text from memory. (In caches the prefetches cost 15 %.)
pub(super) struct AsciiFromMemory<'a> {
    pub(super) src: &'a [u8],
    pub(super) at: usize,
}

impl Operation for AsciiFromMemory<'_> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        // SAFETY: the caller's promise.
        unsafe { ascii_steps::<V, FAR_AHEAD>(self.src, self.at) }
    }
}
