//! WebAssembly's simd128: 16 bytes. `i8x16_swizzle` is its table, a shuffle its look back.

use core::arch::wasm32::*;

use super::{Operation, Vector};

/// A `v128`.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Simd128(v128);

impl Vector for Simd128 {
    const LEN: usize = 16;

    primitives! { "simd128";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise; `v128_load` asks for no alignment.
            Self(unsafe { v128_load(p.cast()) })
        }

        fn from_words(words: [u64; 4]) -> Self {
            Self(u64x2(words[0], words[1]))
        }

        fn splat(byte: u8) -> Self {
            Self(u8x16_splat(byte))
        }

        fn table(bytes: &[u8; 16]) -> Self {
            // SAFETY: a table has 16 bytes.
            Self(unsafe { v128_load(bytes.as_ptr().cast()) })
        }

        fn lookup(self, table: Self) -> Self {
            Self(u8x16_swizzle(table.0, self.0))
        }

        fn high_nibbles(self) -> Self {
            Self(u8x16_shr(self.0, 4))
        }

        fn low_nibbles(self) -> Self {
            Self(v128_and(self.0, u8x16_splat(0x0F)))
        }

        fn or(self, other: Self) -> Self {
            Self(v128_or(self.0, other.0))
        }

        fn and(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }

        fn xor(self, other: Self) -> Self {
            Self(v128_xor(self.0, other.0))
        }

        fn add(self, other: Self) -> Self {
            Self(u8x16_add(self.0, other.0))
        }

        fn add_signed_saturating(self, other: Self) -> Self {
            Self(i8x16_add_sat(self.0, other.0))
        }

        fn sub_saturating(self, other: Self) -> Self {
            Self(u8x16_sub_sat(self.0, other.0))
        }

        fn max(self, other: Self) -> Self {
            Self(u8x16_max(self.0, other.0))
        }

        fn previous<const N: i32>(self, before: Self) -> Self {
            let (a, b) = (before.0, self.0);
            Self(match N {
                1 => i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(a, b),
                2 => i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(a, b),
                _ => i8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(a, b),
            })
        }

        fn any_sign(self) -> bool {
            u8x16_bitmask(self.0) != 0
        }

        fn any(self) -> bool {
            v128_any_true(self.0)
        }

        fn first_sign(self) -> usize {
            (u32::from(u8x16_bitmask(self.0)) | 1 << 16).trailing_zeros() as usize
        }

        fn first(self) -> usize {
            let zeros = u8x16_bitmask(u8x16_eq(self.0, u8x16_splat(0)));
            (u32::from(!zeros) | 1 << 16).trailing_zeros() as usize
        }
    }
}
