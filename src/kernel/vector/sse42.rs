//! SSE4.2: 16 bytes. `pshufb` is its table, `palignr` its look back.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Operation, Vector};

/// A register of SSE.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Sse42(__m128i);

impl Vector for Sse42 {
    const LEN: usize = 16;

    primitives! { "sse4.2,popcnt";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { _mm_loadu_si128(p.cast()) })
        }

        fn from_words(words: [u64; 4]) -> Self {
            Self(_mm_set_epi64x(words[1] as i64, words[0] as i64))
        }

        fn splat(byte: u8) -> Self {
            Self(_mm_set1_epi8(byte as i8))
        }

        fn table(bytes: &[u8; 16]) -> Self {
            // SAFETY: a table has 16 bytes.
            Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
        }

        fn lookup(self, table: Self) -> Self {
            Self(_mm_shuffle_epi8(table.0, self.0))
        }

        fn high_nibbles(self) -> Self {
            Self(_mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(0x0F)))
        }

        fn low_nibbles(self) -> Self {
            Self(_mm_and_si128(self.0, _mm_set1_epi8(0x0F)))
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

        fn add(self, other: Self) -> Self {
            Self(_mm_add_epi8(self.0, other.0))
        }

        fn add_signed_saturating(self, other: Self) -> Self {
            Self(_mm_adds_epi8(self.0, other.0))
        }

        fn sub_saturating(self, other: Self) -> Self {
            Self(_mm_subs_epu8(self.0, other.0))
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

        fn any_sign(self) -> bool {
            _mm_movemask_epi8(self.0) != 0
        }

        fn any(self) -> bool {
            _mm_testz_si128(self.0, self.0) == 0
        }

        fn first_sign(self) -> usize {
            (_mm_movemask_epi8(self.0) as u32 | 1 << 16).trailing_zeros() as usize
        }

        fn first(self) -> usize {
            let zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128())) as u32;
            (!zeros | 1 << 16).trailing_zeros() as usize
        }

        // For conversions to UTF-8.

        fn store(self, p: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { _mm_storeu_si128(p.cast(), self.0) }
        }

        fn store_lane<const N: i32>(self, p: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { _mm_storeu_si128(p.cast(), self.0) }
        }

        fn splat16(word: u16) -> Self {
            Self(_mm_set1_epi16(word as i16))
        }

        fn splat32(word: u32) -> Self {
            Self(_mm_set1_epi32(word as i32))
        }

        fn swap16(self) -> Self {
            Self(_mm_shuffle_epi8(self.0, _mm_set_epi64x(0x0E0F_0C0D_0A0B_0809, 0x0607_0405_0203_0001)))
        }

        fn swap32(self) -> Self {
            Self(_mm_shuffle_epi8(self.0, _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203)))
        }

        fn shl16<const N: i32>(self) -> Self {
            Self(_mm_slli_epi16::<N>(self.0))
        }

        fn shr16<const N: i32>(self) -> Self {
            Self(_mm_srli_epi16::<N>(self.0))
        }

        fn add16(self, other: Self) -> Self {
            Self(_mm_add_epi16(self.0, other.0))
        }

        fn min16(self, other: Self) -> Self {
            Self(_mm_min_epu16(self.0, other.0))
        }

        fn equal16(self, other: Self) -> Self {
            Self(_mm_cmpeq_epi16(self.0, other.0))
        }

        fn equal32(self, other: Self) -> Self {
            Self(_mm_cmpeq_epi32(self.0, other.0))
        }

        fn above8(self, other: Self) -> Self {
            Self(_mm_cmpgt_epi8(self.0, other.0))
        }

        fn at_least8(self, other: Self) -> Self {
            Self(_mm_cmpeq_epi8(_mm_max_epu8(self.0, other.0), self.0))
        }

        fn and_not(self, other: Self) -> Self {
            Self(_mm_andnot_si128(other.0, self.0))
        }

        fn select(self, yes: Self, no: Self) -> Self {
            Self(_mm_or_si128(_mm_and_si128(self.0, yes.0), _mm_andnot_si128(self.0, no.0)))
        }

        fn repeat_low16(self) -> Self {
            Self(_mm_mullo_epi16(self.0, _mm_set1_epi16(0x0101)))
        }

        fn interleave8(self, other: Self) -> (Self, Self) {
            (Self(_mm_unpacklo_epi8(self.0, other.0)), Self(_mm_unpackhi_epi8(self.0, other.0)))
        }

        fn interleave16(self, other: Self) -> (Self, Self) {
            (Self(_mm_unpacklo_epi16(self.0, other.0)), Self(_mm_unpackhi_epi16(self.0, other.0)))
        }

        fn narrow16(self, other: Self) -> Self {
            Self(_mm_packus_epi16(self.0, other.0))
        }

        fn narrow32(self, other: Self) -> Self {
            Self(_mm_packus_epi32(self.0, other.0))
        }

        fn low_words(self, other: Self) -> Self {
            let low = _mm_set1_epi32(0xFFFF);
            let (a, b) = (_mm_and_si128(self.0, low), _mm_and_si128(other.0, low));
            Self(_mm_packus_epi32(a, b))
        }

        fn high_words(self, other: Self) -> Self {
            let (a, b) = (_mm_srli_epi32::<16>(self.0), _mm_srli_epi32::<16>(other.0));
            Self(_mm_packus_epi32(a, b))
        }

        fn narrow_signs(self, other: Self) -> Self {
            Self(_mm_packs_epi16(self.0, other.0))
        }

        fn signs(self) -> u32 {
            _mm_movemask_epi8(self.0) as u32
        }

        fn ones(bits: u32) -> usize {
            bits.count_ones() as usize
        }

        fn any_of(self, bits: Self) -> bool {
            _mm_testz_si128(self.0, bits.0) == 0
        }

        fn arrange(self, rows: [*const u8; 2]) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm_shuffle_epi8(self.0, unsafe { _mm_loadu_si128(rows[0].cast()) }))
        }
    }
}
