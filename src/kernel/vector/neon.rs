//! NEON: 16 bytes. It shifts bytes, so a nibble costs one instruction. It has no mask of sign bits, so the first byte
//! with some property is found by narrowing to four bits per byte.

use core::arch::aarch64::*;

use super::{Lanes, Operation, Vector};

/// A register of Advanced SIMD.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Neon(uint8x16_t);

/// For bytes that are 00 or FF: the index of the first FF, or 16.
#[inline]
#[target_feature(enable = "neon")]
fn first_set(mask: uint8x16_t) -> usize {
    let nibbles = vshrn_n_u16::<4>(vreinterpretq_u16_u8(mask));
    let bits = vget_lane_u64::<0>(vreinterpret_u64_u8(nibbles));
    bits.trailing_zeros() as usize / 4
}

/// How many bits of a byte are set.
static ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        ones[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    ones
};

impl Lanes for Neon {
    const LEN: usize = 16;
    type Vector16 = Self;

    parts_of_a_root! { "neon";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { vld1q_u8(p) })
        }

        fn store(self, p: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { vst1q_u8(p, self.0) }
        }

        fn widen_8_to_16(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(vreinterpretq_u8_u16(vmovl_u8(unsafe { vld1_u8(p) })))
        }

        fn widen_8_to_32(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            let four = u64::from(unsafe { p.cast::<u32>().read_unaligned() });
            Self(vreinterpretq_u8_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(four))))))
        }

        fn widen_16_to_32(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(vreinterpretq_u8_u32(vmovl_u16(vreinterpret_u16_u8(unsafe { vld1_u8(p) }))))
        }

        fn narrow_16_to_8(self, other: Self) -> Self {
            Self(vuzp1q_u8(self.0, other.0))
        }

        fn narrow_32_to_16(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vuzp1q_u16(vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(other.0))))
        }

        fn splat(byte: u8) -> Self {
            Self(vdupq_n_u8(byte))
        }

        fn splat16(word: u16) -> Self {
            Self(vreinterpretq_u8_u16(vdupq_n_u16(word)))
        }

        fn splat32(word: u32) -> Self {
            Self(vreinterpretq_u8_u32(vdupq_n_u32(word)))
        }

        fn or(self, other: Self) -> Self {
            Self(vorrq_u8(self.0, other.0))
        }

        fn and(self, other: Self) -> Self {
            Self(vandq_u8(self.0, other.0))
        }

        fn xor(self, other: Self) -> Self {
            Self(veorq_u8(self.0, other.0))
        }

        fn swap16(self) -> Self {
            Self(vrev16q_u8(self.0))
        }

        fn swap32(self) -> Self {
            Self(vrev32q_u8(self.0))
        }

        fn min16(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vminq_u16(vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(other.0))))
        }

        fn max32(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u32(vmaxq_u32(vreinterpretq_u32_u8(self.0), vreinterpretq_u32_u8(other.0))))
        }

        fn add32(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(self.0), vreinterpretq_u32_u8(other.0))))
        }

        fn equal16(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vceqq_u16(vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(other.0))))
        }

        fn any(self) -> bool {
            vmaxvq_u8(self.0) != 0
        }
    }
}

impl Vector for Neon {
    primitives! { "neon";
        fn from_words(words: [u64; 4]) -> Self {
            Self(vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(words[0]), vcreate_u64(words[1]))))
        }

        fn table(bytes: &[u8; 16]) -> Self {
            // SAFETY: a table has 16 bytes.
            Self(unsafe { vld1q_u8(bytes.as_ptr()) })
        }

        fn lookup(self, table: Self) -> Self {
            Self(vqtbl1q_u8(table.0, self.0))
        }

        fn load_lanes(from: [*const u8; 2]) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { vld1q_u8(from[0]) })
        }

        fn high_nibbles(self) -> Self {
            Self(vshrq_n_u8::<4>(self.0))
        }

        fn low_nibbles(self) -> Self {
            Self(vandq_u8(self.0, vdupq_n_u8(0x0F)))
        }

        fn add(self, other: Self) -> Self {
            Self(vaddq_u8(self.0, other.0))
        }

        fn add_signed_saturating(self, other: Self) -> Self {
            Self(vreinterpretq_u8_s8(vqaddq_s8(
                vreinterpretq_s8_u8(self.0),
                vreinterpretq_s8_u8(other.0),
            )))
        }

        fn sub_saturating(self, other: Self) -> Self {
            Self(vqsubq_u8(self.0, other.0))
        }

        fn min_signed(self, other: Self) -> Self {
            let min = vminq_s8(vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(other.0));
            Self(vreinterpretq_u8_s8(min))
        }

        fn narrow_shifted_16_to_8<const N: i32>(self, other: Self) -> Self {
            if cfg!(miri) {
                // It knows nothing of narrowing with saturation.
                let [first, second] = [self, other].map(|words| {
                    let words = vshrq_n_s16::<N>(vreinterpretq_s16_u8(words.0));
                    vreinterpretq_u8_s16(vmaxq_s16(vminq_s16(words, vdupq_n_s16(0x7F)), vdupq_n_s16(-0x80)))
                });
                return Self(vuzp1q_u8(first, second));
            }
            let low = vqshrn_n_s16::<N>(vreinterpretq_s16_u8(self.0));
            Self(vreinterpretq_u8_s8(vqshrn_high_n_s16::<N>(low, vreinterpretq_s16_u8(other.0))))
        }

        fn narrow_signed_32_to_8(parts: [Self; 4]) -> Self {
            let [a, b, c, d] = parts.map(|part| vqmovn_s32(vreinterpretq_s32_u8(part.0)));
            let [low, high] = [vqmovn_s16(vcombine_s16(a, b)), vqmovn_s16(vcombine_s16(c, d))];
            Self(vreinterpretq_u8_s8(vcombine_s8(low, high)))
        }

        fn narrow_signed_32_to_16(self, other: Self) -> Self {
            if cfg!(miri) {
                let [first, second] = [self, other].map(|words| {
                    let words = vminq_s32(vreinterpretq_s32_u8(words.0), vdupq_n_s32(0x7FFF));
                    vreinterpretq_u16_s32(vmaxq_s32(words, vdupq_n_s32(-0x8000)))
                });
                return Self(vreinterpretq_u8_u16(vuzp1q_u16(first, second)));
            }
            let low = vqmovn_s32(vreinterpretq_s32_u8(self.0));
            Self(vreinterpretq_u8_s16(vqmovn_high_s32(low, vreinterpretq_s32_u8(other.0))))
        }

        fn max(self, other: Self) -> Self {
            Self(vmaxq_u8(self.0, other.0))
        }

        fn previous<const N: i32>(self, before: Self) -> Self {
            Self(match N {
                1 => vextq_u8::<15>(before.0, self.0),
                2 => vextq_u8::<14>(before.0, self.0),
                _ => vextq_u8::<13>(before.0, self.0),
            })
        }

        fn any_sign_bit(self) -> bool {
            vmaxvq_u8(self.0) >= 0x80
        }

        fn first_sign_bit(self) -> usize {
            first_set(vcgeq_u8(self.0, vdupq_n_u8(0x80)))
        }

        fn first_nonzero(self) -> usize {
            first_set(vtstq_u8(self.0, self.0))
        }

        fn sign_bits(self) -> u32 {
            // A different bit for each byte of a half, added up within the half.
            let weights = vcombine_u8(vcreate_u8(0x8040_2010_0804_0201), vcreate_u8(0x8040_2010_0804_0201));
            let signs = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(self.0)));
            let bits = vandq_u8(signs, weights);
            let bits = vpaddq_u8(bits, bits);
            let bits = vpaddq_u8(bits, bits);
            let bits = vpaddq_u8(bits, bits);
            u32::from(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(bits)))
        }

        fn equal(self, other: Self) -> Self {
            Self(vceqq_u8(self.0, other.0))
        }

        fn greater_signed(self, other: Self) -> Self {
            Self(vcgtq_s8(vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(other.0)))
        }

        fn at_least(self, other: Self) -> Self {
            Self(vcgeq_u8(self.0, other.0))
        }

        fn select(self, yes: Self, no: Self) -> Self {
            Self(vbslq_u8(self.0, yes.0, no.0))
        }

        fn shift_left<const N: i32>(self) -> Self {
            Self(vshlq_n_u8::<N>(self.0))
        }

        fn zip(self, other: Self) -> [Self; 2] {
            [Self(vzip1q_u8(self.0, other.0)), Self(vzip2q_u8(self.0, other.0))]
        }

        fn zip_words(self, other: Self) -> [Self; 2] {
            let (a, b) = (vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(other.0));
            [Self(vreinterpretq_u8_u16(vzip1q_u16(a, b))), Self(vreinterpretq_u8_u16(vzip2q_u16(a, b)))]
        }

        fn join_sixes(self, second: Self, third: Self) -> [Self; 2] {
            // Low byte and high byte without the second term, which a multiply-add contributes.
            let third = vshlq_n_u8::<4>(third.0);
            let low = vreinterpretq_u16_u8(vzip1q_u8(self.0, third));
            let high = vreinterpretq_u16_u8(vzip2q_u8(self.0, third));
            [
                Self(vreinterpretq_u8_u16(vmlal_u8(low, vget_low_u8(second.0), vdup_n_u8(64)))),
                Self(vreinterpretq_u8_u16(vmlal_high_u8(high, second.0, vdupq_n_u8(64)))),
            ]
        }

        fn store_lane<const N: i32>(self, p: *mut u8) {
            if N == 0 {
                // SAFETY: the caller's promise.
                unsafe { vst1q_u8(p, self.0) }
            }
        }

        fn store_halves<const N: i32>(self, p: *mut u8, q: *mut u8) {
            if N == 0 {
                // SAFETY: the caller's promise.
                unsafe {
                    vst1_u8(p, vget_low_u8(self.0));
                    vst1_u8(q, vget_high_u8(self.0));
                }
            }
        }

        fn shl16<const N: i32>(self) -> Self {
            Self(vreinterpretq_u8_u16(vshlq_n_u16::<N>(vreinterpretq_u16_u8(self.0))))
        }

        fn shr16<const N: i32>(self) -> Self {
            Self(vreinterpretq_u8_u16(vshrq_n_u16::<N>(vreinterpretq_u16_u8(self.0))))
        }

        fn shl32<const N: i32>(self) -> Self {
            Self(vreinterpretq_u8_u32(vshlq_n_u32::<N>(vreinterpretq_u32_u8(self.0))))
        }

        fn shr32<const N: i32>(self) -> Self {
            Self(vreinterpretq_u8_u32(vshrq_n_u32::<N>(vreinterpretq_u32_u8(self.0))))
        }

        fn add16(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vaddq_u16(vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(other.0))))
        }

        fn equal32(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u32(vceqq_u32(vreinterpretq_u32_u8(self.0), vreinterpretq_u32_u8(other.0))))
        }

        fn and_not(self, other: Self) -> Self {
            Self(vbicq_u8(self.0, other.0))
        }

        fn repeat_low16(self) -> Self {
            Self(vtrn1q_u8(self.0, self.0))
        }

        fn low_words(self, other: Self) -> Self {
            // SAFETY: the same instruction set.
            unsafe { self.narrow_32_to_16(other) }
        }

        fn high_words(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vuzp2q_u16(vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(other.0))))
        }

        fn narrow_signs(self, other: Self) -> Self {
            Self(vuzp2q_u8(self.0, other.0))
        }

        fn sum_bytes(self) -> usize {
            // (Of `vaddlvq_u8`, which does both, Miri knows nothing.)
            usize::from(vaddvq_u16(vaddl_u8(vget_low_u8(self.0), vget_high_u8(self.0))))
        }

        fn mask16(self) -> usize {
            // SAFETY: eight numbers are as many as are loaded.
            let weights = unsafe { vld1q_u16([1, 2, 4, 8, 16, 32, 64, 128].as_ptr()) };
            usize::from(vaddvq_u16(vandq_u16(vreinterpretq_u16_u8(self.0), weights)))
        }

        fn mask32(self) -> usize {
            // SAFETY: four numbers are as many as are loaded.
            let weights = unsafe { vld1q_u32([1, 2, 4, 8].as_ptr()) };
            vaddvq_u32(vandq_u32(vreinterpretq_u32_u8(self.0), weights)) as usize
        }

        fn count_ones(bits: u32) -> usize {
            // General registers have no instruction for this, and moving to a vector register is slow.
            usize::from(ONES[bits as usize & 0xFF]) + usize::from(ONES[bits as usize >> 8 & 0xFF])
        }

        fn intersects(self, bits: Self) -> bool {
            vmaxvq_u8(vandq_u8(self.0, bits.0)) != 0
        }
    }
}
