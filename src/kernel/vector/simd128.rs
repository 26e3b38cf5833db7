//! WebAssembly's simd128: 16 bytes. Table lookups are `i8x16_swizzle`, looking back is a shuffle.

use core::arch::wasm32::*;

use super::{Lanes, Operation, Vector};

/// A `v128`.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Simd128(v128);

impl Lanes for Simd128 {
    const LEN: usize = 16;
    type Vector16 = Self;

    parts_of_a_root! { "simd128";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise; `v128_load` asks for no alignment.
            Self(unsafe { v128_load(p.cast()) })
        }

        fn store(self, p: *mut u8) {
            // SAFETY: the caller's promise; `v128_store` asks for no alignment.
            unsafe { v128_store(p.cast(), self.0) }
        }

        fn widen_8_to_16(p: *const u8) -> Self {
            // SAFETY: as above.
            Self(u16x8_extend_low_u8x16(unsafe { v128_load64_zero(p.cast()) }))
        }

        fn widen_8_to_32(p: *const u8) -> Self {
            // SAFETY: as above.
            let four = unsafe { v128_load32_zero(p.cast()) };
            Self(u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(four)))
        }

        fn widen_16_to_32(p: *const u8) -> Self {
            // SAFETY: as above.
            Self(u32x4_extend_low_u16x8(unsafe { v128_load64_zero(p.cast()) }))
        }

        fn narrow_16_to_8(self, other: Self) -> Self {
            Self(u8x16_narrow_i16x8(self.0, other.0))
        }

        fn narrow_32_to_16(self, other: Self) -> Self {
            Self(u16x8_narrow_i32x4(self.0, other.0))
        }

        fn splat(byte: u8) -> Self {
            Self(u8x16_splat(byte))
        }

        fn splat16(word: u16) -> Self {
            Self(u16x8_splat(word))
        }

        fn splat32(word: u32) -> Self {
            Self(u32x4_splat(word))
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

        fn swap16(self) -> Self {
            Self(i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(self.0, self.0))
        }

        fn swap32(self) -> Self {
            Self(i8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(self.0, self.0))
        }

        fn min16(self, other: Self) -> Self {
            Self(u16x8_min(self.0, other.0))
        }

        fn max32(self, other: Self) -> Self {
            Self(u32x4_max(self.0, other.0))
        }

        fn add32(self, other: Self) -> Self {
            Self(u32x4_add(self.0, other.0))
        }

        fn equal16(self, other: Self) -> Self {
            Self(u16x8_eq(self.0, other.0))
        }

        fn any(self) -> bool {
            v128_any_true(self.0)
        }
    }
}

impl Vector for Simd128 {
    primitives! { "simd128";
        fn from_words(words: [u64; 4]) -> Self {
            Self(u64x2(words[0], words[1]))
        }

        fn table(bytes: &[u8; 16]) -> Self {
            // SAFETY: a table has 16 bytes.
            Self(unsafe { v128_load(bytes.as_ptr().cast()) })
        }

        fn lookup(self, table: Self) -> Self {
            Self(u8x16_swizzle(table.0, self.0))
        }

        fn load_lanes(from: [*const u8; 2]) -> Self {
            // SAFETY: the caller's promise; `v128_load` asks for no alignment.
            Self(unsafe { v128_load(from[0].cast()) })
        }

        fn high_nibbles(self) -> Self {
            Self(u8x16_shr(self.0, 4))
        }

        fn low_nibbles(self) -> Self {
            Self(v128_and(self.0, u8x16_splat(0x0F)))
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

        fn min_signed(self, other: Self) -> Self {
            Self(i8x16_min(self.0, other.0))
        }

        fn narrow_shifted_16_to_8<const N: i32>(self, other: Self) -> Self {
            Self(i8x16_narrow_i16x8(i16x8_shr(self.0, N as u32), i16x8_shr(other.0, N as u32)))
        }

        fn narrow_signed_32_to_8(parts: [Self; 4]) -> Self {
            let [a, b, c, d] = parts;
            let [low, high] = [i16x8_narrow_i32x4(a.0, b.0), i16x8_narrow_i32x4(c.0, d.0)];
            Self(i8x16_narrow_i16x8(low, high))
        }

        fn narrow_signed_32_to_16(self, other: Self) -> Self {
            Self(i16x8_narrow_i32x4(self.0, other.0))
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

        fn any_sign_bit(self) -> bool {
            u8x16_bitmask(self.0) != 0
        }

        fn first_sign_bit(self) -> usize {
            (u32::from(u8x16_bitmask(self.0)) | 1 << 16).trailing_zeros() as usize
        }

        fn first_nonzero(self) -> usize {
            let zeros = u8x16_bitmask(u8x16_eq(self.0, u8x16_splat(0)));
            (u32::from(!zeros) | 1 << 16).trailing_zeros() as usize
        }

        fn sign_bits(self) -> u32 {
            u32::from(u8x16_bitmask(self.0))
        }

        fn equal(self, other: Self) -> Self {
            Self(u8x16_eq(self.0, other.0))
        }

        fn greater_signed(self, other: Self) -> Self {
            Self(i8x16_gt(self.0, other.0))
        }

        fn at_least(self, other: Self) -> Self {
            Self(u8x16_ge(self.0, other.0))
        }

        fn select(self, yes: Self, no: Self) -> Self {
            Self(v128_bitselect(yes.0, no.0, self.0))
        }

        fn zip(self, other: Self) -> [Self; 2] {
            let (a, b) = (self.0, other.0);
            [
                Self(i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)),
                Self(i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)),
            ]
        }

        fn zip_words(self, other: Self) -> [Self; 2] {
            let (a, b) = (self.0, other.0);
            [
                Self(i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)),
                Self(i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)),
            ]
        }

        fn join_sixes(self, second: Self, third: Self) -> [Self; 2] {
            let third = Self(u16x8_shl(third.0, 4));
            // SAFETY: the same instruction set.
            let ([low, high], [second_low, second_high]) =
                unsafe { (self.zip(third), second.zip(Self(u8x16_splat(0)))) };
            [
                Self(i16x8_add(low.0, u16x8_shl(second_low.0, 6))),
                Self(i16x8_add(high.0, u16x8_shl(second_high.0, 6))),
            ]
        }

        fn store_lane<const N: i32>(self, p: *mut u8) {
            if N == 0 {
                // SAFETY: the caller's promise; `v128_store` asks for no alignment.
                unsafe { v128_store(p.cast(), self.0) }
            }
        }

        fn store_halves<const N: i32>(self, p: *mut u8, q: *mut u8) {
            if N == 0 {
                // SAFETY: the caller's promise; these ask for no alignment.
                unsafe {
                    v128_store64_lane::<0>(self.0, p.cast());
                    v128_store64_lane::<1>(self.0, q.cast());
                }
            }
        }

        fn shl16<const N: i32>(self) -> Self {
            Self(u16x8_shl(self.0, N as u32))
        }

        fn shr16<const N: i32>(self) -> Self {
            Self(u16x8_shr(self.0, N as u32))
        }

        fn shl32<const N: i32>(self) -> Self {
            Self(u32x4_shl(self.0, N as u32))
        }

        fn shr32<const N: i32>(self) -> Self {
            Self(u32x4_shr(self.0, N as u32))
        }

        fn add16(self, other: Self) -> Self {
            Self(u16x8_add(self.0, other.0))
        }

        fn equal32(self, other: Self) -> Self {
            Self(u32x4_eq(self.0, other.0))
        }

        fn and_not(self, other: Self) -> Self {
            Self(v128_andnot(self.0, other.0))
        }

        fn repeat_low16(self) -> Self {
            Self(i8x16_shuffle::<0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14>(self.0, self.0))
        }

        fn low_words(self, other: Self) -> Self {
            Self(i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(self.0, other.0))
        }

        fn high_words(self, other: Self) -> Self {
            Self(i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(self.0, other.0))
        }

        fn narrow_signs(self, other: Self) -> Self {
            Self(i8x16_narrow_i16x8(self.0, other.0))
        }

        fn sum_bytes(self) -> usize {
            let fours = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(self.0));
            let [a, b] = [u64x2_extract_lane::<0>(fours), u64x2_extract_lane::<1>(fours)];
            let pairs = a + b;
            ((pairs & 0xFFFF_FFFF) + (pairs >> 32)) as usize
        }

        fn mask16(self) -> usize {
            usize::from(u16x8_bitmask(self.0))
        }

        fn mask32(self) -> usize {
            usize::from(u32x4_bitmask(self.0))
        }

        fn intersects(self, bits: Self) -> bool {
            v128_any_true(v128_and(self.0, bits.0))
        }
    }
}
