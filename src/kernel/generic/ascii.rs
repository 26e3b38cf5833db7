//! The ASCII prefix: 128 or 256 bytes per step with a single test, and vector by vector only where something is not ASCII.
//!
//! The last step ends with the input and overlaps the one before it. An input shorter than a vector is assembled from smaller loads. An
//! input of up to 256 bytes is loaded as a few overlapping vectors from both ends, instead of by a loop whose end nobody can predict: with
//! lengths of 1 to 200 bytes, that is 1.6 times as fast with AVX2 and 2.0 with SSE4.2 (AMD Zen 4).
//!
//! With vectors of 32 bytes a step is half as long: from the second-level cache of Intel Cascade Lake, 256 KiB are then read at 90
//! GB/s instead of 82, where loads alone, with a test at the end, reach 86. (Steps of 64 bytes are as fast. At unaligned addresses,
//! steps of 128 bytes reach 56 GB/s, and steps of 256 bytes 65. From the third-level cache all are the same.)

use core::hint::select_unpredictable;

use super::{BLOCK, STEP};
use crate::kernel::shared::lines::FAR_AHEAD;
use crate::kernel::vector::{Operation, Vector};

/// Modules for the web are to be small, and have the loop for long texts only.
const SMALL: bool = cfg!(target_family = "wasm");

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
            if src.len() > STEP && !SMALL {
                return V::apart(Long { src });
            }
            if src.len() < V::LEN {
                return src.len().min(V::load_partial(src).first_sign_bit());
            }
            if SMALL {
                return Long { src }.run::<V>();
            }
            let ascii = if src.len() <= 4 * V::LEN {
                // These are asked by what finds the place.
                false
            } else if V::LEN > 16 {
                both_ends_are_ascii::<V, 4>(src)
            } else {
                both_ends_are_ascii::<V, 8>(src)
            };
            if ascii { src.len() } else { few_vectors::<V>(src) }
        }
    }
}

/// The same of more than a [`STEP`]; or, if modules are to be [small](SMALL), of a vector and more.
struct Long<'a> {
    src: &'a [u8],
}

impl Operation for Long<'_> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: all loads are of whole vectors within `src`.
        unsafe {
            let vector = |at: usize| V::load(src.as_ptr().add(at));
            let first = vector(0);
            if first.any_sign_bit() {
                return first.first_sign_bit();
            }
            // Go on from the first aligned address within or right behind that vector.
            let mut at = ascii_steps::<V, 0>(src, V::LEN - src.as_ptr() as usize % V::LEN);
            if !SMALL {
                let last_step = src.len() - step::<V>();
                if at > last_step && ascii_steps::<V, 0>(src, last_step) == src.len() {
                    return src.len();
                }
            }
            // Vector by vector: where errors are at equal distances, a predictor knows which it is.
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

/// Whether the first `VECTORS` vectors of `src` are ASCII, and the last ones: all of it, if it has no more than both. Vectors overlap where it has fewer.
///
/// # Safety
/// As for [`Operation::run`]; and `src` must have a vector.
#[inline(always)]
unsafe fn both_ends_are_ascii<V: Vector, const VECTORS: usize>(src: &[u8]) -> bool {
    let last = src.len() - V::LEN;
    // SAFETY: no vector begins behind the last one.
    unsafe {
        let vector = |at: usize| V::load(src.as_ptr().add(at));
        let mut all = vector(0).or(vector(last));
        for i in 1..VECTORS {
            let inner = last.min(i * V::LEN);
            all = all.or(vector(inner).or(vector(last - inner)));
        }
        !all.any_sign_bit()
    }
}

/// The place of the first byte of `src` that is not ASCII; the length of `src`, if there is none. Four vectors at a time.
///
/// # Safety
/// As for [`both_ends_are_ascii`].
#[inline(always)]
unsafe fn few_vectors<V: Vector>(src: &[u8]) -> usize {
    let mut at = 0;
    let last = src.len() - V::LEN;
    while at < src.len() {
        let place = |vector: usize| last.min(at + vector * V::LEN);
        let places = [place(0), place(1), place(2), place(3)];
        // SAFETY: no vector begins behind the last one.
        unsafe {
            // (By `map`, each load would be a call.)
            let vector = |at: usize| V::load(src.as_ptr().add(at));
            let vectors = [vector(places[0]), vector(places[1]), vector(places[2]), vector(places[3])];
            let [a, b, c, d] = vectors;
            if a.or(b).or(c.or(d)).any_sign_bit() {
                let mut first = src.len();
                for (at, bytes) in places.into_iter().zip(vectors) {
                    let place = bytes.first_sign_bit();
                    // Without a branch: no predictor knows in which vector it is.
                    first = select_unpredictable(place < V::LEN, first.min(at + place), first);
                }
                return first;
            }
        }
        at += 4 * V::LEN;
    }
    src.len()
}

/// Bytes of a step.
const fn step<V: Vector>() -> usize {
    if V::LEN > 16 { STEP / 2 } else { STEP }
}

/// Skips chunks of ASCII from `at` on; returns the position of the first chunk that is not ASCII, or not whole. Prefetches what is
/// `AHEAD` bytes ahead, unless that is 0.
///
/// # Safety
/// As for [`Operation::run`]; and `at` must not be greater than `src.len()`.
#[inline(always)]
pub(super) unsafe fn ascii_steps<V: Vector, const AHEAD: usize>(src: &[u8], mut at: usize) -> usize {
    let step = const { step::<V>() };
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
