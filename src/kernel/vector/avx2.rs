//! AVX2: 32 bytes, which for shuffles and byte shifts are two halves of 16.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Operation, Vector};

/// A register of AVX.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Avx2(__m256i);

impl Vector for Avx2 {
    const LEN: usize = 32;

    primitives! { "avx2,bmi1,bmi2,popcnt";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { _mm256_loadu_si256(p.cast()) })
        }

        fn from_words(words: [u64; 4]) -> Self {
            let [a, b, c, d] = words.map(|word| word as i64);
            Self(_mm256_set_epi64x(d, c, b, a))
        }

        fn splat(byte: u8) -> Self {
            Self(_mm256_set1_epi8(byte as i8))
        }

        fn table(bytes: &[u8; 16]) -> Self {
            // SAFETY: a table has 16 bytes.
            Self(_mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }))
        }

        fn lookup(self, table: Self) -> Self {
            Self(_mm256_shuffle_epi8(table.0, self.0))
        }

        fn high_nibbles(self) -> Self {
            Self(_mm256_and_si256(_mm256_srli_epi16::<4>(self.0), _mm256_set1_epi8(0x0F)))
        }

        fn low_nibbles(self) -> Self {
            Self(_mm256_and_si256(self.0, _mm256_set1_epi8(0x0F)))
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

        fn add(self, other: Self) -> Self {
            Self(_mm256_add_epi8(self.0, other.0))
        }

        fn add_signed_saturating(self, other: Self) -> Self {
            Self(_mm256_adds_epi8(self.0, other.0))
        }

        fn sub_saturating(self, other: Self) -> Self {
            Self(_mm256_subs_epu8(self.0, other.0))
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

        fn any_sign(self) -> bool {
            _mm256_movemask_epi8(self.0) != 0
        }

        fn any(self) -> bool {
            _mm256_testz_si256(self.0, self.0) == 0
        }

        fn first_sign(self) -> usize {
            (_mm256_movemask_epi8(self.0) as u32).trailing_zeros() as usize
        }

        fn first(self) -> usize {
            let zeros = _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.0, _mm256_setzero_si256()));
            (!zeros as u32).trailing_zeros() as usize
        }
    }
}
