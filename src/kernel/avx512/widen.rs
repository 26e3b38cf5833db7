//! Unit by unit on AVX-512: a few units. For more, see [`widen`](crate::kernel::generic::widen).
//!
//! Up to 64 units are one masked step, without a chain of smaller and smaller blocks: a branch predictor cannot guess
//! the length of a short text.

use super::arch::*;
use super::memory::{load_partial, low_bits};
use super::registers::{swap16_if, swap32_if};
use super::{BLOCK, Progress};
use crate::kernel::generic::widen::Widen;
use crate::kernel::vector::LaneLoop;
use crate::unicode::{Form, Unit};

avx512! {
    /// From `len` units of `S` to at most `room` units of `D`, as far as they have the same value in both; see the
    /// contract of the kernels.
    ///
    /// # Safety
    /// These units must be readable and writable, at any alignment.
    pub(in crate::kernel) unsafe fn widen<S: Form, D: Form>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if len > BLOCK || len > room || !short::<S, D>(src, len, dst) {
                return long::<S, D>(src, len, dst, room);
            }
        }
        Progress { read: len, written: len }
    }

    /// Any length.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn long<S: Form, D: Form>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Widen::<S, D, true>::new(src, len, dst, room).run_lanes::<super::lanes::Avx512>() }
    }

    /// Converts up to 64 units; says whether they are well-formed.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline]
    unsafe fn short<S: Form, D: Form>(src: *const u8, len: usize, dst: *mut u8) -> bool {
        let width = size_of::<S::Unit>();
        let per = BLOCK / width;
        // The bits of units that are too large, in the byte order of the source.
        let mask = S::Unit::of(!(Widen::<S, D, true>::LIMIT - 1));
        let mask = if S::SWAPPED { mask.swapped() } else { mask }.value();
        let mask = match width {
            1 => _mm512_set1_epi8(mask as i8),
            2 => _mm512_set1_epi16(mask as i16),
            _ => _mm512_set1_epi32(mask as i32),
        };
        // The units joined by `or`; or their maximum, transformed so that surrogates are the largest values.
        let mut all = _mm512_setzero_si512();
        let mut at = 0;
        while at < len {
            let count = per.min(len - at);
            // SAFETY: the caller's promise.
            unsafe {
                let units = load_partial(src.add(width * at), width * count);
                if Widen::<S, D, true>::SCALARS {
                    let units = if S::SWAPPED { swap32_if::<true>(units) } else { units };
                    let turned = _mm512_xor_si512(units, _mm512_set1_epi32(0xD800));
                    all = _mm512_max_epu32(all, _mm512_sub_epi32(turned, _mm512_set1_epi32(0x800)));
                } else {
                    all = _mm512_or_si512(all, units);
                }
                store::<S, D>(units, dst.add(size_of::<D::Unit>() * at), count);
            }
            at += count;
        }
        if Widen::<S, D, true>::SCALARS {
            _mm512_cmpge_epu32_mask(all, _mm512_set1_epi32(0x10_F800)) == 0
        } else {
            Widen::<S, D, true>::UNCHECKED || _mm512_test_epi32_mask(all, mask) == 0
        }
    }

    /// Writes the first `count` units of a register.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn store<S: Form, D: Form>(units: __m512i, to: *mut u8, count: usize) {
        let lanes = low_bits(count);
        // SAFETY: the caller's promise.
        unsafe {
            match (size_of::<S::Unit>(), size_of::<D::Unit>()) {
                (1, 1) => _mm512_mask_storeu_epi8(to.cast(), lanes, units),
                (1, 2) => {
                    let halves = [_mm512_castsi512_si256(units), _mm512_extracti64x4_epi64::<1>(units)];
                    for (i, half) in halves.into_iter().enumerate() {
                        if i == 0 || count > 32 {
                            let units = _mm512_cvtepu8_epi16(half);
                            let units = if D::SWAPPED { swap16_if::<true>(units) } else { units };
                            _mm512_mask_storeu_epi16(to.wrapping_add(i * BLOCK).cast(), (lanes >> (32 * i)) as u32, units);
                        }
                    }
                }
                (1, _) => {
                    let quarters = [
                        _mm512_castsi512_si128(units),
                        _mm512_extracti32x4_epi32::<1>(units),
                        _mm512_extracti32x4_epi32::<2>(units),
                        _mm512_extracti32x4_epi32::<3>(units),
                    ];
                    for (i, quarter) in quarters.into_iter().enumerate() {
                        if i > 0 && count <= 16 * i {
                            break;
                        }
                        let units = _mm512_cvtepu8_epi32(quarter);
                        let units = if D::SWAPPED { swap32_if::<true>(units) } else { units };
                        _mm512_mask_storeu_epi32(to.wrapping_add(i * BLOCK).cast(), (lanes >> (16 * i)) as u16, units);
                    }
                }
                (2, _) => {
                    let units = if S::SWAPPED { swap16_if::<true>(units) } else { units };
                    _mm256_mask_storeu_epi8(to.cast(), lanes as u32, _mm512_cvtepi16_epi8(units));
                }
                (_, 1) => {
                    let units = if S::SWAPPED { swap32_if::<true>(units) } else { units };
                    _mm_mask_storeu_epi8(to.cast(), lanes as u16, _mm512_cvtepi32_epi8(units));
                }
                _ => {
                    let units = if S::SWAPPED == D::SWAPPED { units } else { swap32_if::<true>(units) };
                    _mm512_mask_storeu_epi32(to.cast(), lanes as u16, units);
                }
            }
        }
    }
}
