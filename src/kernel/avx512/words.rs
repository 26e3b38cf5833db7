//! Characters below U+0800 as UTF-8, 32 a step: what the kernels to UTF-8 share.
//!
//! Each character stands in a lane of 16 bits and becomes a lead byte and a tail byte there. Of an ASCII
//! character the lead would be C0 or C1, which no character has: so one comparison of bytes says which
//! of them are kept, and one compression moves them together. That an ASCII character is its own tail
//! needs no mask: `min(c, 80)` is the character itself, or the marker of a continuation byte.
//!
//! Corrected UTF-8 has two bytes for U+00A0..U+089F, with A0 taken off, and the same holds.

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

    /// Which of 32 units are C1 controls, U+0080..U+009F: Corrected UTF-8 has none.
    #[inline]
    pub(super) fn controls(units: __m512i) -> u32 {
        let all = |value: u16| _mm512_set1_epi16(value as i16);
        _mm512_cmplt_epu16_mask(_mm512_sub_epi16(units, all(0x80)), all(0x20))
    }

    /// The bytes of 32 characters below U+0800, or U+08A0 if `CORRECTED`, and which of the 64 are kept.
    #[inline]
    pub(super) fn encode_two<const CORRECTED: bool>(units: __m512i) -> (__m512i, u64) {
        let all = |value: u16| _mm512_set1_epi16(value as i16);
        if CORRECTED {
            // C0 above the six bits, less A0: what is below A0 falls below C0.
            let bits = _mm512_add_epi16(units, all((0xC0 << 6) - 0xA0));
            // min(80 | bits & 3F, units), for no character is below its tail but ASCII.
            let tail = _mm512_ternarylogic_epi32::<0xEA>(bits, all(0x3F), all(0x80));
            let tail = _mm512_min_epu16(tail, units);
            let lead = _mm512_srli_epi16::<6>(bits);
            let bytes = _mm512_or_si512(lead, _mm512_slli_epi16::<8>(tail));
            return (bytes, _mm512_cmpge_epu8_mask(bytes, all(0x00C0)));
        }
        let marker = _mm512_min_epu16(units, all(0x80));
        // marker | units & 3F
        let tail = _mm512_ternarylogic_epi32::<0xF8>(marker, units, all(0x3F));
        let lead = _mm512_srli_epi16::<6>(units);
        // lead | tail | C0
        let bytes = _mm512_ternarylogic_epi32::<0xFE>(lead, _mm512_slli_epi16::<8>(tail), all(0x00C0));
        (bytes, _mm512_cmpge_epu8_mask(bytes, all(0x00C2)))
    }
}
