//! Unit by unit on AVX-512, a few units: see `kernel::straight` for the rest.
//!
//! Up to 64 units are one masked step, without a ladder of smaller and smaller blocks: the length of a
//! short text is what a branch cannot foretell.

use super::arch::*;
use super::ends::{load_some, low};
use super::{BLOCK, Progress};
use crate::kernel::generic::widen::Widen;
use crate::kernel::vector::LaneLoop;
use crate::unicode::{Form, Unit};

avx512! {
    /// From `len` units of `S` to at most `room` units of `D`, as many as are the same in both; see the
    /// contract of the kernels.
    ///
    /// # Safety
    /// So many units must be readable and writable there, at any alignment.
    pub(in crate::kernel) unsafe fn widen<S: Form, D: Form>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if len > BLOCK || len > room || !few::<S, D>(src, len, dst) {
                return walk::<S, D>(src, len, dst, room);
            }
        }
        Progress { read: len, written: len }
    }

    /// The general walk.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn walk<S: Form, D: Form>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Widen::<S, D, true>::new(src, len, dst, room).run_lanes::<super::lanes::Avx512>() }
    }

    /// Whether all of up to 64 units are in order; they are moved.
    ///
    /// # Safety
    /// There must be so many, and room for them.
    #[inline]
    unsafe fn few<S: Form, D: Form>(src: *const u8, len: usize, dst: *mut u8) -> bool {
        let width = size_of::<S::Unit>();
        let per = BLOCK / width;
        // Units that are too large, in the order of their bytes.
        let mask = S::Unit::of(!(Widen::<S, D, true>::LIMIT - 1));
        let mask = if S::SWAPPED { mask.swapped() } else { mask }.value();
        let mask = match width {
            1 => _mm512_set1_epi8(mask as i8),
            2 => _mm512_set1_epi16(mask as i16),
            _ => _mm512_set1_epi32(mask as i32),
        };
        // The units joined, or the greatest of those that are turned so that surrogates come last.
        let mut all = _mm512_setzero_si512();
        let mut at = 0;
        while at < len {
            let count = per.min(len - at);
            // SAFETY: the caller's promise.
            unsafe {
                let units = load_some(src.add(width * at), width * count);
                if Widen::<S, D, true>::SCALARS {
                    let units = if S::SWAPPED { reversed::<4>(units) } else { units };
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
        let lanes = low(count);
        // SAFETY: the caller's promise.
        unsafe {
            match (size_of::<S::Unit>(), size_of::<D::Unit>()) {
                (1, 1) => _mm512_mask_storeu_epi8(to.cast(), lanes, units),
                (1, 2) => {
                    let halves = [_mm512_castsi512_si256(units), _mm512_extracti64x4_epi64::<1>(units)];
                    for (i, half) in halves.into_iter().enumerate() {
                        if i == 0 || count > 32 {
                            let units = _mm512_cvtepu8_epi16(half);
                            let units = if D::SWAPPED { reversed::<2>(units) } else { units };
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
                        let units = if D::SWAPPED { reversed::<4>(units) } else { units };
                        _mm512_mask_storeu_epi32(to.wrapping_add(i * BLOCK).cast(), (lanes >> (16 * i)) as u16, units);
                    }
                }
                (2, _) => {
                    let units = if S::SWAPPED { reversed::<2>(units) } else { units };
                    _mm256_mask_storeu_epi8(to.cast(), lanes as u32, _mm512_cvtepi16_epi8(units));
                }
                (_, 1) => {
                    let units = if S::SWAPPED { reversed::<4>(units) } else { units };
                    _mm_mask_storeu_epi8(to.cast(), lanes as u16, _mm512_cvtepi32_epi8(units));
                }
                _ => {
                    let units = if S::SWAPPED == D::SWAPPED { units } else { reversed::<4>(units) };
                    _mm512_mask_storeu_epi32(to.cast(), lanes as u16, units);
                }
            }
        }
    }

    /// The bytes of each unit the other way round.
    #[inline]
    fn reversed<const WIDTH: usize>(units: __m512i) -> __m512i {
        let places = if WIDTH == 2 {
            _mm_set_epi64x(0x0E0F_0C0D_0A0B_0809, 0x0607_0405_0203_0001)
        } else {
            _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203)
        };
        _mm512_shuffle_epi8(units, _mm512_broadcast_i32x4(places))
    }
}
