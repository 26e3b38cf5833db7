//! SSE4.2: 16 bytes. Table lookups are `pshufb`, looking back is `palignr`.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Lanes, Operation, Vector};

/// A register of SSE.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Sse42(__m128i);

impl Lanes for Sse42 {
    const LEN: usize = 16;
    type Vector16 = Self;

    parts_of_a_root! { "sse4.2,popcnt";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { _mm_loadu_si128(p.cast()) })
        }

        fn store(self, p: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { _mm_storeu_si128(p.cast(), self.0) }
        }

        fn widen_8_to_16(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm_cvtepu8_epi16(unsafe { _mm_loadl_epi64(p.cast()) }))
        }

        // (One load and two shuffles: two that load as well are slower by a quarter on AMD's Zen 5.)
        fn widen_all_8_to_16(p: *const u8) -> [Self; 2] {
            // SAFETY: the caller's promise.
            let (bytes, zero) = (unsafe { _mm_loadu_si128(p.cast()) }, _mm_setzero_si128());
            [Self(_mm_unpacklo_epi8(bytes, zero)), Self(_mm_unpackhi_epi8(bytes, zero))]
        }

        fn widen_8_to_32(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(unsafe { p.cast::<i32>().read_unaligned() })))
        }

        fn widen_16_to_32(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm_cvtepu16_epi32(unsafe { _mm_loadl_epi64(p.cast()) }))
        }

        fn narrow_16_to_8(self, other: Self) -> Self {
            Self(_mm_packus_epi16(self.0, other.0))
        }

        fn narrow_32_to_16(self, other: Self) -> Self {
            Self(_mm_packus_epi32(self.0, other.0))
        }

        fn splat(byte: u8) -> Self {
            Self(_mm_set1_epi8(byte as i8))
        }

        fn splat16(word: u16) -> Self {
            Self(_mm_set1_epi16(word as i16))
        }

        fn splat32(word: u32) -> Self {
            Self(_mm_set1_epi32(word as i32))
        }

        fn or(self, other: Self) -> Self {
            Self(_mm_or_si128(self.0, other.0))
        }

        fn and(self, other: Self) -> Self {
            Self(_mm_and_si128(self.0, other.0))
        }

        fn xor(self, other: Self) -> Self {
            Self(_mm_xor_si128(self.0, other.0))
        }

        fn swap16(self) -> Self {
            Self(_mm_shuffle_epi8(self.0, _mm_set_epi64x(0x0E0F_0C0D_0A0B_0809, 0x0607_0405_0203_0001)))
        }

        fn swap32(self) -> Self {
            Self(_mm_shuffle_epi8(self.0, _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203)))
        }

        fn min16(self, other: Self) -> Self {
            Self(_mm_min_epu16(self.0, other.0))
        }

        fn max32(self, other: Self) -> Self {
            Self(_mm_max_epu32(self.0, other.0))
        }

        fn add32(self, other: Self) -> Self {
            Self(_mm_add_epi32(self.0, other.0))
        }

        fn equal16(self, other: Self) -> Self {
            Self(_mm_cmpeq_epi16(self.0, other.0))
        }

        fn any(self) -> bool {
            _mm_testz_si128(self.0, self.0) == 0
        }
    }
}

impl Vector for Sse42 {
    primitives! { "sse4.2,popcnt";
        fn from_words(words: [u64; 4]) -> Self {
            Self(_mm_set_epi64x(words[1] as i64, words[0] as i64))
        }

        fn table(bytes: &[u8; 16]) -> Self {
            // SAFETY: a table has 16 bytes.
            Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
        }

        fn lookup(self, table: Self) -> Self {
            Self(_mm_shuffle_epi8(table.0, self.0))
        }

        fn load_lanes(from: [*const u8; 2]) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { _mm_loadu_si128(from[0].cast()) })
        }

        fn high_nibbles(self) -> Self {
            Self(_mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(0x0F)))
        }

        fn low_nibbles(self) -> Self {
            Self(_mm_and_si128(self.0, _mm_set1_epi8(0x0F)))
        }

        fn add(self, other: Self) -> Self {
            Self(_mm_add_epi8(self.0, other.0))
        }

        fn add_signed_saturating(self, other: Self) -> Self {
            Self(_mm_adds_epi8(self.0, other.0))
        }

        fn sub_saturating(self, other: Self) -> Self {
            Self(_mm_subs_epu8(self.0, other.0))
        }

        fn min_signed(self, other: Self) -> Self {
            Self(_mm_min_epi8(self.0, other.0))
        }

        fn narrow_shifted_16_to_8<const N: i32>(self, other: Self) -> Self {
            Self(_mm_packs_epi16(_mm_srai_epi16::<N>(self.0), _mm_srai_epi16::<N>(other.0)))
        }

        fn narrow_signed_32_to_8(parts: [Self; 4]) -> Self {
            let [a, b, c, d] = parts;
            Self(_mm_packs_epi16(_mm_packs_epi32(a.0, b.0), _mm_packs_epi32(c.0, d.0)))
        }

        fn narrow_signed_32_to_16(self, other: Self) -> Self {
            Self(_mm_packs_epi32(self.0, other.0))
        }

        fn prefetch(p: *const u8) {
            // SAFETY: a prefetch does not fault, wherever it points. (Newer versions of Rust know that.)
            #[allow(unused_unsafe, reason = "a prefetch is safe in later versions of Rust")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(p.cast());
            }
        }

        fn max(self, other: Self) -> Self {
            Self(_mm_max_epu8(self.0, other.0))
        }

        fn previous<const N: i32>(self, before: Self) -> Self {
            Self(match N {
                1 => _mm_alignr_epi8::<15>(self.0, before.0),
                2 => _mm_alignr_epi8::<14>(self.0, before.0),
                _ => _mm_alignr_epi8::<13>(self.0, before.0),
            })
        }

        fn any_sign_bit(self) -> bool {
            _mm_movemask_epi8(self.0) != 0
        }

        fn first_sign_bit(self) -> usize {
            (_mm_movemask_epi8(self.0) as u32 | 1 << 16).trailing_zeros() as usize
        }

        fn first_nonzero(self) -> usize {
            let zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128())) as u32;
            (!zeros | 1 << 16).trailing_zeros() as usize
        }

        fn sign_bits(self) -> u32 {
            _mm_movemask_epi8(self.0) as u32
        }

        fn equal(self, other: Self) -> Self {
            Self(_mm_cmpeq_epi8(self.0, other.0))
        }

        fn greater_signed(self, other: Self) -> Self {
            Self(_mm_cmpgt_epi8(self.0, other.0))
        }

        fn at_least(self, other: Self) -> Self {
            Self(_mm_cmpeq_epi8(_mm_max_epu8(self.0, other.0), self.0))
        }

        fn select(self, yes: Self, no: Self) -> Self {
            // Three instructions, as many as a blend by sign bits takes.
            Self(_mm_or_si128(_mm_and_si128(self.0, yes.0), _mm_andnot_si128(self.0, no.0)))
        }

        fn select_bytes(self, yes: Self, no: Self) -> Self {
            Self(_mm_blendv_epi8(no.0, yes.0, self.0))
        }

        fn zip(self, other: Self) -> [Self; 2] {
            [Self(_mm_unpacklo_epi8(self.0, other.0)), Self(_mm_unpackhi_epi8(self.0, other.0))]
        }

        fn zip_words(self, other: Self) -> [Self; 2] {
            [Self(_mm_unpacklo_epi16(self.0, other.0)), Self(_mm_unpackhi_epi16(self.0, other.0))]
        }

        fn join_sixes(self, second: Self, third: Self) -> [Self; 2] {
            // Pairs of bytes, times 1 and 64.
            let weights = _mm_set1_epi16(0x4001);
            let zero = _mm_setzero_si128();
            let third = _mm_slli_epi16::<4>(third.0);
            let low = _mm_maddubs_epi16(_mm_unpacklo_epi8(self.0, second.0), weights);
            let high = _mm_maddubs_epi16(_mm_unpackhi_epi8(self.0, second.0), weights);
            [
                Self(_mm_or_si128(low, _mm_unpacklo_epi8(zero, third))),
                Self(_mm_or_si128(high, _mm_unpackhi_epi8(zero, third))),
            ]
        }

        fn store_lane<const N: i32>(self, p: *mut u8) {
            if N == 0 {
                // SAFETY: the caller's promise.
                unsafe { _mm_storeu_si128(p.cast(), self.0) }
            }
        }

        fn store_halves<const N: i32>(self, p: *mut u8, q: *mut u8) {
            if N == 0 {
                // SAFETY: the caller's promise.
                unsafe {
                    _mm_storel_epi64(p.cast(), self.0);
                    _mm_storel_epi64(q.cast(), _mm_unpackhi_epi64(self.0, self.0));
                }
            }
        }

        fn shl16<const N: i32>(self) -> Self {
            Self(_mm_slli_epi16::<N>(self.0))
        }

        fn shr16<const N: i32>(self) -> Self {
            Self(_mm_srli_epi16::<N>(self.0))
        }

        fn shl32<const N: i32>(self) -> Self {
            Self(_mm_slli_epi32::<N>(self.0))
        }

        fn shr32<const N: i32>(self) -> Self {
            Self(_mm_srli_epi32::<N>(self.0))
        }

        fn add16(self, other: Self) -> Self {
            Self(_mm_add_epi16(self.0, other.0))
        }

        fn equal32(self, other: Self) -> Self {
            Self(_mm_cmpeq_epi32(self.0, other.0))
        }

        fn and_not(self, other: Self) -> Self {
            Self(_mm_andnot_si128(other.0, self.0))
        }

        fn repeat_low16(self) -> Self {
            Self(_mm_mullo_epi16(self.0, _mm_set1_epi16(0x0101)))
        }

        fn narrow_signs(self, other: Self) -> Self {
            Self(_mm_packs_epi16(self.0, other.0))
        }

        fn sum_bytes(self) -> usize {
            let sums = _mm_sad_epu8(self.0, _mm_setzero_si128());
            _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums))) as usize
        }

        fn mask16(self) -> usize {
            _mm_movemask_epi8(_mm_packs_epi16(self.0, _mm_setzero_si128())) as usize
        }

        fn mask32(self) -> usize {
            _mm_movemask_ps(_mm_castsi128_ps(self.0)) as usize
        }

        fn intersects(self, bits: Self) -> bool {
            _mm_testz_si128(self.0, bits.0) == 0
        }
    }
}
