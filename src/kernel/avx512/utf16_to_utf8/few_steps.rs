//! UTF-16 to UTF-8 in a few steps of one kind.
//!
//! What the loops for long texts test in every step, mostly with the expected result, is tested once here, for all units together.
//! So no loop is set up for a single step of a short text, and there is one mispredicted branch instead of several.

use super::super::arch::*;
use super::super::memory::{low_bits, store_partial};
use super::super::registers::{A, B, C};
use super::super::two_bytes::encode_two;
use super::super::{BLOCK, Progress};
use super::encode::{encode, encode_basic, highs_and_lows};
use super::{UNITS, load, native_order, remainder, splat};

/// The most bytes that a unit becomes, where half a pair is one of two; or all are ASCII.
#[derive(Clone, Copy)]
enum Kind {
    Ascii,
    Two,
    Three,
    /// There are surrogates.
    Four,
}

avx512! {
    /// A few steps of one kind, that of their greatest unit: there is no test on the way. Each begins where the one
    /// before ends, even within a pair. If `BEHIND`, these are what the loops have left over, behind what is `done`, to a boundary of characters.
    /// (What that calls has the parameter as well, so that each has one caller, and is a part of it.)
    ///
    /// # Safety
    /// As for the kernel; and there must be more than a step left, and no more than [`FEW`](super::FEW) units.
    #[inline(never)]
    pub(super) unsafe fn few_steps<const BEHIND: bool, const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let done = if BEHIND { done } else { Progress::default() };
        let (from, left, to, space) = (src.wrapping_add(2 * done.read), len - done.read, dst.wrapping_add(done.written), room - done.written);
        // SAFETY: the caller's promise.
        let all = unsafe {
            let kind = if left <= 2 * UNITS {
                ascii_or_kind::<2, BEHIND, SWAP>(from, left, to, space)
            } else if left <= 4 * UNITS {
                ascii_or_kind::<4, BEHIND, SWAP>(from, left, to, space)
            } else {
                ascii_or_kind::<8, BEHIND, SWAP>(from, left, to, space)
            };
            match kind {
                Kind::Ascii if left > space => Err(Progress::default()),
                Kind::Ascii => Ok(left),
                Kind::Two => one_kind::<2, BEHIND, SWAP>(from, left, to, space),
                Kind::Three => one_kind::<3, BEHIND, SWAP>(from, left, to, space),
                Kind::Four => one_kind::<4, BEHIND, SWAP>(from, left, to, space),
            }
        };
        match all {
            Ok(written) => Progress { read: len, written: done.written + written },
            Err(some) => {
                let done = Progress { read: done.read + some.read, written: done.written + some.written };
                // SAFETY: the caller's promise.
                unsafe { remainder::<SWAP, false>(src, len, dst, room, done) }
            }
        }
    }

    /// What the units are, which `STEPS` steps hold, the last of which ends with the text and may begin before the one before it ends. If
    /// all are ASCII, and fit, they have been narrowed: what is written is what was asked.
    ///
    /// # Safety
    /// As for the kernel; and there must be more than a step, and no more than so many.
    #[inline]
    unsafe fn ascii_or_kind<const STEPS: usize, const BEHIND: bool, const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Kind {
        let at = |step: usize| (len - UNITS).min(step * UNITS);
        let mut units = [_mm512_setzero_si512(); STEPS];
        let (mut any, mut least) = (_mm512_setzero_si512(), splat(0xF800));
        for (step, units) in units.iter_mut().enumerate() {
            // SAFETY: the step is within the text.
            *units = unsafe { load::<SWAP>(src.add(2 * at(step))) };
            any = _mm512_or_si512(any, *units);
            // Surrogates become 0.
            least = _mm512_min_epu16(least, _mm512_ternarylogic_epi32::<{ (A ^ B) & C }>(*units, splat(0xD800), splat(0xF800)));
        }
        if _mm512_test_epi16_mask(any, splat(0xFF80)) == 0 {
            if len <= room {
                for (step, units) in units.into_iter().enumerate() {
                    // SAFETY: the step is within the text, and there is room for as many bytes.
                    unsafe { _mm256_storeu_si256(dst.add(at(step)).cast(), _mm512_cvtepi16_epi8(units)) };
                }
            }
            Kind::Ascii
        } else if _mm512_test_epi16_mask(any, splat(0xF800)) == 0 {
            Kind::Two
        } else if _mm512_testn_epi16_mask(least, least) == 0 {
            Kind::Three
        } else {
            Kind::Four
        }
    }

    /// Converts a few steps, whose units become up to `MOST` bytes, 2 to 4; returns the number of bytes, or how far it has come if there is an
    /// unpaired surrogate or not enough room in the next step.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn one_kind<const MOST: u32, const BEHIND: bool, const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Result<usize, Progress> {
        let (mut at, mut written) = (0, 0);
        // Whether the unit before is a high surrogate, of which two bytes are written.
        let mut after_high = 0;
        let stop = |at: usize, written: usize, after_high: u32| {
            let half = after_high as usize;
            Err(Progress { read: at - half, written: written - 2 * half })
        };
        while at < len {
            let count = UNITS.min(len - at);
            // SAFETY: the lanes behind the text, and before it, are masked; what is stored fits.
            unsafe {
                let from = src.add(2 * at);
                let lanes = low_bits(count) as u32;
                let units = native_order::<SWAP>(_mm512_maskz_loadu_epi16(lanes, from.cast()));
                if MOST == 2 {
                    let (bytes, kept) = encode_two::<false>(units);
                    let kept = kept & low_bits(2 * count);
                    let size = kept.count_ones() as usize;
                    if size > room - written {
                        return stop(at, written, 0);
                    }
                    store_partial(dst.add(written), _mm512_maskz_compress_epi8(kept, bytes), size, room - written);
                    written += size;
                } else {
                    let mut ends_high = 0;
                    let [first, second] = if MOST == 3 {
                        encode_basic::<false>(units)
                    } else {
                        let (high, low) = highs_and_lows(units);
                        if high << 1 | after_high != low {
                            return stop(at, written, after_high);
                        }
                        ends_high = high >> 31;
                        let lanes = if at == 0 { !1 } else { !0 } & (lanes << 1 | 1);
                        let before = native_order::<SWAP>(_mm512_maskz_loadu_epi16(lanes, from.wrapping_sub(2).cast()));
                        encode::<false>(units, before, high, low, 0)
                    };
                    let kept = [first.1 & low_bits((4 * count).min(BLOCK)), second.1 & low_bits((4 * count).saturating_sub(BLOCK))];
                    let [front, back] = kept.map(|kept| kept.count_ones() as usize);
                    if front + back > room - written {
                        return stop(at, written, after_high);
                    }
                    after_high = ends_high;
                    let to = dst.add(written);
                    store_partial(to, _mm512_maskz_compress_epi8(kept[0], first.0), front, room - written);
                    let second = _mm512_maskz_compress_epi8(kept[1], second.0);
                    store_partial(to.add(front), second, back, room - written - front);
                    written += front + back;
                }
            }
            at += count;
        }
        if after_high == 0 { Ok(written) } else { stop(at, written, after_high) }
    }
}
