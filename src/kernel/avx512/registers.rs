//! Tables, truth tables and byte order: what several kernels do with a register.

use super::arch::*;

/// The truth tables of the three inputs of a ternary operation: write the formula with these, and its value is the
/// table.
pub(super) const A: i32 = 0xF0;
pub(super) const B: i32 = 0xCC;
pub(super) const C: i32 = 0xAA;

/// 64 bytes for a register: the indices of a byte permutation, or what such a permutation selects from.
#[repr(align(64))]
pub(super) struct Table(pub(super) [u8; 64]);

avx512! {
    /// A table in a register.
    #[inline]
    pub(super) fn load_table(table: &Table) -> __m512i {
        // SAFETY: a table has 64 bytes.
        unsafe { _mm512_load_si512(table.0.as_ptr().cast()) }
    }

    /// Units of two bytes, with their bytes swapped if `SWAP`.
    #[inline]
    pub(super) fn swap16_if<const SWAP: bool>(units: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001);
        if SWAP { _mm512_shuffle_epi8(units, reverse) } else { units }
    }

    /// Units of four bytes, with their bytes in reverse order if `SWAP`.
    #[inline]
    pub(super) fn swap32_if<const SWAP: bool>(units: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
        if SWAP { _mm512_shuffle_epi8(units, reverse) } else { units }
    }
}
