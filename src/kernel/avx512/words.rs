//! Characters below U+0800 as UTF-8, 32 a step: what the kernels to UTF-8 share.
//!
//! Each character stands in a lane of 16 bits and becomes a lead byte and a tail byte there. Of an ASCII
//! character the lead would be C0 or C1, which no character has: so one comparison of bytes says which
//! of them are kept, and one compression moves them together. That an ASCII character is its own tail
//! needs no mask: `min(c, 80)` is the character itself, or the marker of a continuation byte.

use super::arch::*;

/// Where each byte of a register comes from, for the byte permutations.
#[repr(align(64))]
pub(super) struct Table(pub(super) [u8; 64]);

avx512! {
    /// A table in a register.
    #[inline]
    pub(super) fn load_table(table: &Table) -> __m512i {
        // SAFETY: a table has 64 bytes.
        unsafe { _mm512_load_si512(table.0.as_ptr().cast()) }
    }

    /// The bytes of 32 characters below U+0800, and which of the 64 are kept.
    #[inline]
    pub(super) fn encode_two(units: __m512i) -> (__m512i, u64) {
        let all = |value: u16| _mm512_set1_epi16(value as i16);
        let marker = _mm512_min_epu16(units, all(0x80));
        // marker | units & 3F
        let tail = _mm512_ternarylogic_epi32::<0xF8>(marker, units, all(0x3F));
        let lead = _mm512_srli_epi16::<6>(units);
        // lead | tail | C0
        let bytes = _mm512_ternarylogic_epi32::<0xFE>(lead, _mm512_slli_epi16::<8>(tail), all(0x00C0));
        (bytes, _mm512_cmpge_epu8_mask(bytes, all(0x00C2)))
    }
}
