//! Lengths and counts on AVX-512: a comparison gives a mask, and a mask is counted in one instruction.
//!
//! The rules are those of the plain loops in [`tally`](crate::kernel::portable::lengths), which say them for one
//! unit; here they are said for a register of units. The plain loops themselves are no match: to
//! subtract a mask from lanes takes an instruction that this CPU family is slow at. Registers are
//! loaded from the first cache line on, for a load across two costs twice; the units before it and
//! behind the last whole register are masked lanes.

use super::arch::*;
use super::ends::low;
use super::{BLOCK, Window};
use crate::unicode::{Family, Form};

avx512! {
    /// The units of `D` that the `len` units of `S` at `src` stand for.
    ///
    /// # Safety
    /// So many units must be readable, at any alignment.
    pub(in crate::kernel) unsafe fn length<S: Form, D: Form>(src: *const u8, len: usize) -> usize {
        let width = size_of::<S::Unit>();
        let bytes = len * width;
        let mut sum = 0;
        let mut at = 0;
        if bytes >= 16 * BLOCK && src.addr().is_multiple_of(width) {
            at = src.align_offset(BLOCK);
            if at != 0 {
                // SAFETY: the input is longer than a register.
                sum = weigh::<S, D>(unsafe { _mm512_loadu_si512(src.cast()) }, low(at / width));
            }
        }
        while bytes - at >= BLOCK {
            // SAFETY: a register is left from `at` on.
            sum += weigh::<S, D>(unsafe { _mm512_loadu_si512(src.add(at).cast()) }, !0);
            at += BLOCK;
        }
        if at < bytes {
            // SAFETY: `bytes` are readable.
            let window = Window::over(unsafe { core::slice::from_raw_parts(src.add(at), bytes - at) });
            // SAFETY: the lanes of a window are bytes of its input.
            let units = unsafe { _mm512_maskz_loadu_epi8(window.lanes, window.base.cast()) };
            let lanes = low((bytes - at) / width) << (window.shift / width);
            sum += weigh::<S, D>(units, lanes);
        }
        sum
    }

    /// The units of `D` that the units of `S` in these lanes, and no more than there are, stand for.
    #[inline]
    fn weigh<S: Form, D: Form>(units: __m512i, lanes: u64) -> usize {
        let units = if S::SWAPPED { swapped::<S>(units) } else { units };
        let all = |mask: u64| (mask & lanes).count_ones() as usize;
        let (bytes, words, points) = (_mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi32);
        match (S::FAMILY, D::FAMILY) {
            (Family::Utf8, target) => {
                // As signed numbers, the continuation bytes are the smallest.
                let characters = all(_mm512_cmpge_epi8_mask(units, bytes(-64)));
                let pairs = _mm512_cmpge_epu8_mask(units, bytes(0xF0_u8 as i8));
                characters + if target == Family::Utf16 { all(pairs) } else { 0 }
            }
            (Family::Utf16, Family::Utf8) => {
                let surrogates = _mm512_cmpeq_epi16_mask(
                    _mm512_and_si512(units, words(0xF800_u16 as i16)),
                    words(0xD800_u16 as i16),
                );
                let third = _mm512_mask_cmpge_epu16_mask(!surrogates, units, words(0x800));
                let second = _mm512_cmpge_epu16_mask(units, words(0x80));
                all(!0 >> 32) + all(second.into()) + all(third.into())
            }
            (Family::Utf16, _) => {
                let tops = _mm512_and_si512(units, words(0xFC00_u16 as i16));
                all(_mm512_cmpneq_epi16_mask(tops, words(0xDC00_u16 as i16)).into())
            }
            (Family::Utf32, Family::Utf8) => {
                let least = |least| all(_mm512_cmpge_epu32_mask(units, points(least)).into());
                all(!0 >> 48) + least(0x80) + least(0x800) + least(0x1_0000)
            }
            (Family::Utf32, _) => {
                all(!0 >> 48) + all(_mm512_cmpge_epu32_mask(units, points(0x1_0000)).into())
            }
            _ => all(!0) + all(_mm512_movepi8_mask(units)),
        }
    }

    /// Units with their bytes the other way round.
    #[inline]
    fn swapped<S: Form>(units: __m512i) -> __m512i {
        let order = if size_of::<S::Unit>() == 2 {
            _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001)
        } else {
            _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203)
        };
        _mm512_shuffle_epi8(units, order)
    }
}
