//! AVX2: 32 bytes. Shuffles and byte shifts work on two halves of 16.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Lanes, Operation, Vector};

/// A register of AVX.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Avx2(__m256i);

impl Lanes for Avx2 {
    const LEN: usize = 32;
    type Vector16 = super::Sse42;

    // (Too long to be inlined by itself.)
    #[inline(always)]
    unsafe fn load_among_zeros(src: &[u8]) -> Option<Self> {
        // SAFETY: the caller's promise; these are the bytes of `src`.
        Some(unsafe {
            if src.len() < Self::LEN { Self::load_partial(src) } else { Self::load(src.as_ptr()) }
        })
    }

    parts_of_a_root! { "avx2,bmi1,bmi2,popcnt";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { _mm256_loadu_si256(p.cast()) })
        }

        fn store(self, p: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { _mm256_storeu_si256(p.cast(), self.0) }
        }

        fn widen_8_to_16(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm256_cvtepu8_epi16(unsafe { _mm_loadu_si128(p.cast()) }))
        }

        fn widen_8_to_32(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm256_cvtepu8_epi32(unsafe { _mm_loadl_epi64(p.cast()) }))
        }

        fn widen_16_to_32(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(_mm256_cvtepu16_epi32(unsafe { _mm_loadu_si128(p.cast()) }))
        }

        fn narrow_16_to_8(self, other: Self) -> Self {
            // Packing works on halves: restore the order of the quarters.
            Self(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(self.0, other.0)))
        }

        fn narrow_32_to_16(self, other: Self) -> Self {
            Self(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(self.0, other.0)))
        }

        fn narrow_32_to_8(parts: [Self; 4]) -> Self {
            let [a, b, c, d] = parts;
            let halves = _mm256_packus_epi16(_mm256_packus_epi32(a.0, b.0), _mm256_packus_epi32(c.0, d.0));
            // Both packings work on halves: restore the order of the eighths.
            Self(_mm256_permutevar8x32_epi32(halves, _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0)))
        }

        fn splat(byte: u8) -> Self {
            Self(_mm256_set1_epi8(byte as i8))
        }

        fn splat16(word: u16) -> Self {
            Self(_mm256_set1_epi16(word as i16))
        }

        fn splat32(word: u32) -> Self {
            Self(_mm256_set1_epi32(word as i32))
        }

        fn or(self, other: Self) -> Self {
            Self(_mm256_or_si256(self.0, other.0))
        }

        fn and(self, other: Self) -> Self {
            Self(_mm256_and_si256(self.0, other.0))
        }

        fn xor(self, other: Self) -> Self {
            Self(_mm256_xor_si256(self.0, other.0))
        }

        fn swap16(self) -> Self {
            let indices = _mm_set_epi64x(0x0E0F_0C0D_0A0B_0809, 0x0607_0405_0203_0001);
            Self(_mm256_shuffle_epi8(self.0, _mm256_broadcastsi128_si256(indices)))
        }

        fn swap32(self) -> Self {
            let indices = _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203);
            Self(_mm256_shuffle_epi8(self.0, _mm256_broadcastsi128_si256(indices)))
        }

        fn min16(self, other: Self) -> Self {
            Self(_mm256_min_epu16(self.0, other.0))
        }

        fn max32(self, other: Self) -> Self {
            Self(_mm256_max_epu32(self.0, other.0))
        }

        fn add32(self, other: Self) -> Self {
            Self(_mm256_add_epi32(self.0, other.0))
        }

        fn equal16(self, other: Self) -> Self {
            Self(_mm256_cmpeq_epi16(self.0, other.0))
        }

        fn any(self) -> bool {
            _mm256_testz_si256(self.0, self.0) == 0
        }
    }
}

impl Vector for Avx2 {
    const LOADS_WORDS: bool = true;

    primitives! { "avx2,bmi1,bmi2,popcnt";
        fn from_words(words: [u64; 4]) -> Self {
            let [a, b, c, d] = words.map(|word| word as i64);
            Self(_mm256_set_epi64x(d, c, b, a))
        }

        fn table(bytes: &[u8; 16]) -> Self {
            // SAFETY: a table has 16 bytes.
            Self(_mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }))
        }

        fn lookup(self, table: Self) -> Self {
            Self(_mm256_shuffle_epi8(table.0, self.0))
        }

        fn load_lanes(from: [*const u8; 2]) -> Self {
            // SAFETY: the caller's promise.
            let [first, second] = unsafe { [_mm_loadu_si128(from[0].cast()), _mm_loadu_si128(from[1].cast())] };
            Self(_mm256_set_m128i(second, first))
        }

        fn high_nibbles(self) -> Self {
            Self(_mm256_and_si256(_mm256_srli_epi16::<4>(self.0), _mm256_set1_epi8(0x0F)))
        }

        fn low_nibbles(self) -> Self {
            Self(_mm256_and_si256(self.0, _mm256_set1_epi8(0x0F)))
        }

        fn add(self, other: Self) -> Self {
            Self(_mm256_add_epi8(self.0, other.0))
        }

        fn add_signed_saturating(self, other: Self) -> Self {
            Self(_mm256_adds_epi8(self.0, other.0))
        }

        fn sub_saturating(self, other: Self) -> Self {
            Self(_mm256_subs_epu8(self.0, other.0))
        }

        fn min_signed(self, other: Self) -> Self {
            Self(_mm256_min_epi8(self.0, other.0))
        }

        fn narrow_shifted_16_to_8<const N: i32>(self, other: Self) -> Self {
            Self(_mm256_packs_epi16(_mm256_srai_epi16::<N>(self.0), _mm256_srai_epi16::<N>(other.0)))
        }

        fn narrow_signed_32_to_8(parts: [Self; 4]) -> Self {
            let [a, b, c, d] = parts;
            let halves = _mm256_packs_epi16(_mm256_packs_epi32(a.0, b.0), _mm256_packs_epi32(c.0, d.0));
            // Both packings work on halves: restore the order of the eighths.
            Self(_mm256_permutevar8x32_epi32(halves, _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0)))
        }

        fn narrow_signed_32_to_16(self, other: Self) -> Self {
            Self(_mm256_packs_epi32(self.0, other.0))
        }

        fn prefetch(p: *const u8) {
            // SAFETY: a prefetch does not fault, wherever it points. (Newer versions of Rust know that.)
            #[allow(unused_unsafe, reason = "a prefetch is safe in later versions of Rust")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(p.cast());
            }
        }

        fn max(self, other: Self) -> Self {
            Self(_mm256_max_epu8(self.0, other.0))
        }

        fn previous<const N: i32>(self, before: Self) -> Self {
            // The half before each half of `self`.
            let halves = _mm256_permute2x128_si256::<0x21>(before.0, self.0);
            Self(match N {
                1 => _mm256_alignr_epi8::<15>(self.0, halves),
                2 => _mm256_alignr_epi8::<14>(self.0, halves),
                _ => _mm256_alignr_epi8::<13>(self.0, halves),
            })
        }

        fn any_sign_bit(self) -> bool {
            _mm256_movemask_epi8(self.0) != 0
        }

        fn first_sign_bit(self) -> usize {
            (_mm256_movemask_epi8(self.0) as u32).trailing_zeros() as usize
        }

        fn first_nonzero(self) -> usize {
            let zeros = _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.0, _mm256_setzero_si256()));
            (!zeros as u32).trailing_zeros() as usize
        }

        fn sign_bits(self) -> u32 {
            _mm256_movemask_epi8(self.0) as u32
        }

        fn equal(self, other: Self) -> Self {
            Self(_mm256_cmpeq_epi8(self.0, other.0))
        }

        fn greater_signed(self, other: Self) -> Self {
            Self(_mm256_cmpgt_epi8(self.0, other.0))
        }

        fn at_least(self, other: Self) -> Self {
            Self(_mm256_cmpeq_epi8(_mm256_max_epu8(self.0, other.0), self.0))
        }

        fn select(self, yes: Self, no: Self) -> Self {
            // Three instructions, as many as a blend by sign bits takes.
            Self(_mm256_or_si256(_mm256_and_si256(self.0, yes.0), _mm256_andnot_si256(self.0, no.0)))
        }

        fn zip(self, other: Self) -> [Self; 2] {
            [Self(_mm256_unpacklo_epi8(self.0, other.0)), Self(_mm256_unpackhi_epi8(self.0, other.0))]
        }

        fn zip_words(self, other: Self) -> [Self; 2] {
            [Self(_mm256_unpacklo_epi16(self.0, other.0)), Self(_mm256_unpackhi_epi16(self.0, other.0))]
        }

        fn join_sixes(self, second: Self, third: Self) -> [Self; 2] {
            // Pairs of bytes, times 1 and 64.
            let weights = _mm256_set1_epi16(0x4001);
            let zero = _mm256_setzero_si256();
            let third = _mm256_slli_epi16::<4>(third.0);
            let low = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(self.0, second.0), weights);
            let high = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(self.0, second.0), weights);
            [
                Self(_mm256_or_si256(low, _mm256_unpacklo_epi8(zero, third))),
                Self(_mm256_or_si256(high, _mm256_unpackhi_epi8(zero, third))),
            ]
        }

        fn store_lane<const N: i32>(self, p: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { _mm_storeu_si128(p.cast(), _mm256_extracti128_si256::<N>(self.0)) }
        }

        fn store_halves<const N: i32>(self, p: *mut u8, q: *mut u8) {
            let lane = _mm256_extracti128_si256::<N>(self.0);
            // SAFETY: the caller's promise.
            unsafe {
                _mm_storel_epi64(p.cast(), lane);
                _mm_storel_epi64(q.cast(), _mm_unpackhi_epi64(lane, lane));
            }
        }

        fn shl16<const N: i32>(self) -> Self {
            Self(_mm256_slli_epi16::<N>(self.0))
        }

        fn shr16<const N: i32>(self) -> Self {
            Self(_mm256_srli_epi16::<N>(self.0))
        }

        fn shl32<const N: i32>(self) -> Self {
            Self(_mm256_slli_epi32::<N>(self.0))
        }

        fn shr32<const N: i32>(self) -> Self {
            Self(_mm256_srli_epi32::<N>(self.0))
        }

        fn add16(self, other: Self) -> Self {
            Self(_mm256_add_epi16(self.0, other.0))
        }

        fn equal32(self, other: Self) -> Self {
            Self(_mm256_cmpeq_epi32(self.0, other.0))
        }

        fn and_not(self, other: Self) -> Self {
            Self(_mm256_andnot_si256(other.0, self.0))
        }

        fn repeat_low16(self) -> Self {
            Self(_mm256_mullo_epi16(self.0, _mm256_set1_epi16(0x0101)))
        }

        fn narrow_signs(self, other: Self) -> Self {
            Self(_mm256_packs_epi16(self.0, other.0))
        }

        fn load_words(p: *const u8, count: i32) -> Self {
            let before = _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
            // SAFETY: the caller's promise; what the mask leaves out is not touched.
            Self(unsafe { _mm256_maskload_epi32(p.cast(), before) })
        }

        fn word_at(index: i32, word: u32) -> Self {
            let here = _mm256_cmpeq_epi32(_mm256_set1_epi32(index), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
            Self(_mm256_and_si256(here, _mm256_set1_epi32(word as i32)))
        }

        fn sum_bytes(self) -> usize {
            let sums = _mm256_sad_epu8(self.0, _mm256_setzero_si256());
            let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
            _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums))) as usize
        }

        fn mask16(self) -> usize {
            let halves = _mm256_packs_epi16(self.0, _mm256_setzero_si256());
            _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(halves)) as usize
        }

        fn mask32(self) -> usize {
            _mm256_movemask_ps(_mm256_castsi256_ps(self.0)) as usize
        }

        fn intersects(self, bits: Self) -> bool {
            _mm256_testz_si256(self.0, bits.0) == 0
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    unsafe fn store_widened<const WIDE: bool, const SWAP: bool>(self, p: *mut u8) {
        let halves = [_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0)];
        for (i, half) in halves.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe {
                if WIDE {
                    let units = [_mm256_cvtepu8_epi32(half), _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(half))];
                    for (j, units) in units.into_iter().enumerate() {
                        let units = if SWAP { _mm256_slli_epi32::<24>(units) } else { units };
                        _mm256_storeu_si256(p.add(64 * i + 32 * j).cast(), units);
                    }
                } else {
                    let units = _mm256_cvtepu8_epi16(half);
                    let units = if SWAP { _mm256_slli_epi16::<8>(units) } else { units };
                    _mm256_storeu_si256(p.add(32 * i).cast(), units);
                }
            }
        }
    }
}
