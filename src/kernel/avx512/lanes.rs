//! AVX-512 as lanes of code units: 64 bytes. Packing and shuffles work on four quarters of 16.

use super::arch::*;
use super::memory::MaskedLoad;
use crate::kernel::vector::Lanes;
use crate::kernel::vector::{Sse42, parts_of_a_root};

/// A register of AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512i);

impl Lanes for Avx512 {
    const LEN: usize = 64;
    type Vector16 = Sse42;

    parts_of_a_root! { "avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { _mm512_loadu_si512(p.cast()) })
        }

        fn load_among_zeros(src: &[u8]) -> Option<Self> {
            let load = MaskedLoad::of(src);
            // SAFETY: the lanes are the bytes of `src`.
            Some(Self(unsafe { _mm512_maskz_loadu_epi8(load.lanes, load.base.cast()) }))
        }

        fn store(self, p: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { _mm512_storeu_si512(p.cast(), self.0) }
        }

        fn widen_8_to_16(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm512_cvtepu8_epi16(unsafe { _mm256_loadu_si256(p.cast()) }))
        }

        fn widen_8_to_32(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm512_cvtepu8_epi32(unsafe { _mm_loadu_si128(p.cast()) }))
        }

        fn widen_16_to_32(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm512_cvtepu16_epi32(unsafe { _mm256_loadu_si256(p.cast()) }))
        }

        fn narrow_16_to_8(self, other: Self) -> Self {
            // Packing works on quarters: restore the order of the eighths.
            let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
            Self(_mm512_permutexvar_epi64(order, _mm512_packus_epi16(self.0, other.0)))
        }

        fn narrow_32_to_16(self, other: Self) -> Self {
            let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
            Self(_mm512_permutexvar_epi64(order, _mm512_packus_epi32(self.0, other.0)))
        }

        fn narrow_32_to_8(parts: [Self; 4]) -> Self {
            let [a, b, c, d] = parts;
            let quarters = _mm512_packus_epi16(_mm512_packus_epi32(a.0, b.0), _mm512_packus_epi32(c.0, d.0));
            // Both packings work on quarters: restore the order of the sixteenths.
            let order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
            Self(_mm512_permutexvar_epi32(order, quarters))
        }

        fn splat(byte: u8) -> Self {
            Self(_mm512_set1_epi8(byte as i8))
        }

        fn splat16(word: u16) -> Self {
            Self(_mm512_set1_epi16(word as i16))
        }

        fn splat32(word: u32) -> Self {
            Self(_mm512_set1_epi32(word as i32))
        }

        fn or(self, other: Self) -> Self {
            Self(_mm512_or_si512(self.0, other.0))
        }

        fn and(self, other: Self) -> Self {
            Self(_mm512_and_si512(self.0, other.0))
        }

        fn xor(self, other: Self) -> Self {
            Self(_mm512_xor_si512(self.0, other.0))
        }

        fn swap16(self) -> Self {
            let indices = _mm_set_epi64x(0x0E0F_0C0D_0A0B_0809, 0x0607_0405_0203_0001);
            Self(_mm512_shuffle_epi8(self.0, _mm512_broadcast_i32x4(indices)))
        }

        fn swap32(self) -> Self {
            let indices = _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203);
            Self(_mm512_shuffle_epi8(self.0, _mm512_broadcast_i32x4(indices)))
        }

        fn min16(self, other: Self) -> Self {
            Self(_mm512_min_epu16(self.0, other.0))
        }

        fn max32(self, other: Self) -> Self {
            Self(_mm512_max_epu32(self.0, other.0))
        }

        fn add32(self, other: Self) -> Self {
            Self(_mm512_add_epi32(self.0, other.0))
        }

        fn equal16(self, other: Self) -> Self {
            Self(_mm512_movm_epi16(_mm512_cmpeq_epi16_mask(self.0, other.0)))
        }

        fn marks_equal16(self, other: Self) -> Self {
            // (A comparison has a mask, and it takes another instruction to make that a register.)
            Self(_mm512_subs_epu16(_mm512_set1_epi16(1), _mm512_xor_si512(self.0, other.0)))
        }

        fn any(self) -> bool {
            _mm512_test_epi32_mask(self.0, self.0) != 0
        }
    }
}
