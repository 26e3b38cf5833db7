//! NEON: 16 bytes. It has shifts of bytes, so nibbles cost one instruction; it has no mask of
//! signs, so the first byte of a kind is found by narrowing to four bits for each.

use core::arch::aarch64::*;

use super::{Operation, Vector};

/// A register of Advanced SIMD.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Neon(uint8x16_t);

/// Of bytes that are 00 or FF: the first FF, or 16.
#[inline]
#[target_feature(enable = "neon")]
fn first_set(mask: uint8x16_t) -> usize {
    let nibbles = vshrn_n_u16::<4>(vreinterpretq_u16_u8(mask));
    let bits = vget_lane_u64::<0>(vreinterpret_u64_u8(nibbles));
    bits.trailing_zeros() as usize / 4
}

impl Vector for Neon {
    const LEN: usize = 16;

    primitives! { "neon";
        fn load(p: *const u8) -> Self {
            // SAFETY: the caller's promise.
            Self(unsafe { vld1q_u8(p) })
        }

        fn from_words(words: [u64; 4]) -> Self {
            Self(vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(words[0]), vcreate_u64(words[1]))))
        }

        fn splat(byte: u8) -> Self {
            Self(vdupq_n_u8(byte))
        }

        fn table(bytes: &[u8; 16]) -> Self {
            // SAFETY: a table has 16 bytes.
            Self(unsafe { vld1q_u8(bytes.as_ptr()) })
        }

        fn lookup(self, table: Self) -> Self {
            Self(vqtbl1q_u8(table.0, self.0))
        }

        fn high_nibbles(self) -> Self {
            Self(vshrq_n_u8::<4>(self.0))
        }

        fn low_nibbles(self) -> Self {
            Self(vandq_u8(self.0, vdupq_n_u8(0x0F)))
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

        fn any_sign(self) -> bool {
            vmaxvq_u8(self.0) >= 0x80
        }

        fn any(self) -> bool {
            vmaxvq_u8(self.0) != 0
        }

        fn first_sign(self) -> usize {
            first_set(vcgeq_u8(self.0, vdupq_n_u8(0x80)))
        }

        fn first(self) -> usize {
            first_set(vtstq_u8(self.0, self.0))
        }
    }
}
