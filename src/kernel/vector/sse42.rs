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
    }
}
