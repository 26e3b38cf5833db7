//! Lengths and counts on AVX-512: a comparison gives a mask, and the bits of a mask are counted by one instruction.
//!
//! The rules are those of the plain loops in [`lengths`](crate::kernel::portable::lengths), which state them for one
//! unit; here they are stated for a register of units. Compiled for AVX-512, the plain loops are much slower:
//! subtracting a mask from lanes takes an instruction that is slow on these CPUs. Registers are loaded from the first
//! cache line boundary on, as a load across two lines takes twice as long; the units before it, and those behind the
//! last whole register, are masked lanes.

use super::BLOCK;
use super::arch::*;
use super::memory::{MaskedLoad, low_bits};
use super::registers::{swap16_if, swap32_if};
use crate::unicode::{Family, Form};

avx512! {
    /// The number of units of `D` that the `len` units of `S` at `src` become.
    ///
    /// # Safety
    /// `len` units must be readable, at any alignment.
    pub(in crate::kernel) unsafe fn length<S: Form, D: Form>(src: *const u8, len: usize) -> usize {
        let width = size_of::<S::Unit>();
        let bytes = len * width;
        let mut sum = 0;
        let mut at = 0;
        if bytes >= 16 * BLOCK && src.addr().is_multiple_of(width) {
            at = src.align_offset(BLOCK);
            if at != 0 {
                // SAFETY: the input is longer than a register.
                sum = count::<S, D>(unsafe { _mm512_loadu_si512(src.cast()) }, low_bits(at / width));
            }
        }
        while bytes - at >= BLOCK {
            // SAFETY: a register is left from `at` on.
            sum += count::<S, D>(unsafe { _mm512_loadu_si512(src.add(at).cast()) }, !0);
            at += BLOCK;
        }
        if at < bytes {
            // SAFETY: `bytes` are readable.
            let load = MaskedLoad::of(unsafe { core::slice::from_raw_parts(src.add(at), bytes - at) });
            // SAFETY: the lanes are bytes of the input.
            let units = unsafe { _mm512_maskz_loadu_epi8(load.lanes, load.base.cast()) };
            let lanes = low_bits((bytes - at) / width) << (load.shift / width);
            sum += count::<S, D>(units, lanes);
        }
        sum
    }

    /// The number of units of `D` that the units of `S` in these lanes become.
    #[inline]
    fn count<S: Form, D: Form>(units: __m512i, lanes: u64) -> usize {
        let units = match (S::SWAPPED, size_of::<S::Unit>()) {
            (false, _) => units,
            (true, 2) => swap16_if::<true>(units),
            (true, _) => swap32_if::<true>(units),
        };
        let ones = |mask: u64| (mask & lanes).count_ones() as usize;
        let (bytes, words, points) = (_mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi32);
        match (S::FAMILY, D::FAMILY) {
            (Family::Utf8, target) => {
                // As signed numbers, continuation bytes are the smallest.
                let characters = ones(_mm512_cmpge_epi8_mask(units, bytes(-64)));
                let pairs = _mm512_cmpge_epu8_mask(units, bytes(0xF0_u8 as i8));
                characters + if target == Family::Utf16 { ones(pairs) } else { 0 }
            }
            (Family::Utf16, Family::Utf8) => {
                let surrogates = _mm512_cmpeq_epi16_mask(
                    _mm512_and_si512(units, words(0xF800_u16 as i16)),
                    words(0xD800_u16 as i16),
                );
                let third = _mm512_mask_cmpge_epu16_mask(!surrogates, units, words(0x800));
                let second = _mm512_cmpge_epu16_mask(units, words(0x80));
                ones(!0 >> 32) + ones(second.into()) + ones(third.into())
            }
            (Family::Utf16, _) => {
                let tops = _mm512_and_si512(units, words(0xFC00_u16 as i16));
                ones(_mm512_cmpneq_epi16_mask(tops, words(0xDC00_u16 as i16)).into())
            }
            (Family::Utf32, Family::Utf8) => {
                let least = |least| ones(_mm512_cmpge_epu32_mask(units, points(least)).into());
                ones(!0 >> 48) + least(0x80) + least(0x800) + least(0x1_0000)
            }
            (Family::Utf32, _) => {
                ones(!0 >> 48) + ones(_mm512_cmpge_epu32_mask(units, points(0x1_0000)).into())
            }
            _ => ones(!0) + ones(_mm512_movepi8_mask(units)),
        }
    }
}
