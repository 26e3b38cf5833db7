//! Characters below U+0800 as UTF-8, 32 per step: shared by the kernels to UTF-8.
//!
//! Each character is in a lane of 16 bits and becomes a lead byte and a continuation byte there. The lead byte of an
//! ASCII character would be C0 or C1, which no character has: so one comparison of bytes tells which of them are kept,
//! and one compression removes the others. That an ASCII character is its own last byte needs no mask: `min(c, 80)` is
//! the character itself, or the marker of a continuation byte.
//!
//! Corrected UTF-8 has two bytes for U+00A0..U+089F, with A0 subtracted, and the same holds.

use super::arch::*;

avx512! {
    /// Which of 32 units are C1 controls, U+0080..U+009F: Corrected UTF-8 does not have these.
    #[inline]
    pub(super) fn controls(units: __m512i) -> u32 {
        let splat = |value: u16| _mm512_set1_epi16(value as i16);
        _mm512_cmplt_epu16_mask(_mm512_sub_epi16(units, splat(0x80)), splat(0x20))
    }

    /// The bytes of 32 characters below U+0800, or U+08A0 if `CORRECTED`, and which of the 64 are kept.
    #[inline]
    pub(super) fn encode_two<const CORRECTED: bool>(units: __m512i) -> (__m512i, u64) {
        let splat = |value: u16| _mm512_set1_epi16(value as i16);
        if CORRECTED {
            // C0 above the six bits, less A0: characters below A0 get a lead byte below C0.
            let bits = _mm512_add_epi16(units, splat((0xC0 << 6) - 0xA0));
            // min(80 | bits & 3F, units): only ASCII characters are below their last byte.
            let tail = _mm512_ternarylogic_epi32::<0xEA>(bits, splat(0x3F), splat(0x80));
            let tail = _mm512_min_epu16(tail, units);
            let lead = _mm512_srli_epi16::<6>(bits);
            let bytes = _mm512_or_si512(lead, _mm512_slli_epi16::<8>(tail));
            return (bytes, _mm512_cmpge_epu8_mask(bytes, splat(0x00C0)));
        }
        let marker = _mm512_min_epu16(units, splat(0x80));
        // marker | units & 3F
        let tail = _mm512_ternarylogic_epi32::<0xF8>(marker, units, splat(0x3F));
        let lead = _mm512_srli_epi16::<6>(units);
        // lead | tail | C0
        let bytes = _mm512_ternarylogic_epi32::<0xFE>(lead, _mm512_slli_epi16::<8>(tail), splat(0x00C0));
        (bytes, _mm512_cmpge_epu8_mask(bytes, splat(0x00C2)))
    }
}
