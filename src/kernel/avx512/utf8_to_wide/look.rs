//! The bytes of code units, computed for every byte of a block at once.
//!
//! A unit belongs to the last byte of its character, of a surrogate pair the high one to the third
//! byte and the low one to the fourth. What it is made of stands in the bytes before, which are loaded
//! one, two and three bytes back. Shifts of bytes are affine maps over GF(2): one instruction, which
//! drops the bits that leave the byte, keeps a field and takes a mask.

use super::super::arch::*;
use super::join::Planes;

/// The truth tables of the three inputs of a ternary operation: write the formula, get its table.
pub(super) const A: i32 = 0xF0;
pub(super) const B: i32 = 0xCC;
pub(super) const C: i32 = 0xAA;

/// A block of bytes, and what stands one, two and three bytes before each.
pub(super) struct Look {
    pub(super) bytes: __m512i,
    pub(super) one: __m512i,
    pub(super) two: __m512i,
    pub(super) three: __m512i,
}

/// The matrix that moves bit `i` of a byte to bit `i + by`, if it is one of `kept` then.
#[inline]
const fn moved(by: i32, kept: u8) -> i64 {
    let mut matrix = 0u64;
    let mut bit = 0;
    while bit < 8 {
        let from = bit - by;
        if kept >> bit & 1 != 0 && from >= 0 && from < 8 {
            // The row of bit 0 is the last byte.
            matrix |= 1 << from << (8 * (7 - bit));
        }
        bit += 1;
    }
    matrix as i64
}

avx512! {
    /// The planes of text whose characters have up to `MOST` bytes, from 2 to 4; of Corrected UTF-8 with a
    /// look at the `next` bytes.
    #[inline]
    pub(super) fn planes<const MOST: u32, const WIDE: bool, const CORRECTED: bool>(look: &Look, next: __m512i) -> Planes {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        let at_least = |bytes, least| _mm512_cmpge_epu8_mask(bytes, all(least));
        let signs = _mm512_movepi8_mask(look.bytes);

        // ASCII: the byte. Two bytes: the six bits of the last and two of the first; its other three.
        // Three bytes: the same of the last two, and the four bits of the first above them.
        let above = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(signs, look.one, matrix(const { moved(6, 0xC0) }));
        let low = _mm512_ternarylogic_epi64::<{ A | (B & C) }>(above, look.bytes, all(0x7F));
        let middle = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(signs, look.one, matrix(const { moved(-2, 0x0F) }));
        // The lowest byte of every offset, and what it carries.
        let carried = if CORRECTED { _mm512_mask_cmpge_epu8_mask(signs, low, all(0x60)) } else { 0 };
        let low = if CORRECTED { _mm512_mask_add_epi8(low, signs, low, all(0xA0)) } else { low };
        let carry = |high| _mm512_mask_add_epi8(high, carried, high, all(0x01));
        if MOST == 2 {
            let high = if CORRECTED { carry(middle) } else { middle };
            return Planes { low, high, top: None, beyond: 0 };
        }
        let carry_up_to_ff = |high| _mm512_mask_adds_epu8(high, carried, high, all(0x01));
        let upper = |mask| _mm512_maskz_gf2p8affine_epi64_epi8::<0>(mask, look.two, matrix(const { moved(4, 0xF0) }));
        let long = at_least(look.two, 0xE0);
        if MOST == 3 {
            let high = _mm512_or_si512(middle, upper(long));
            if !CORRECTED {
                return Planes { low, high, top: None, beyond: 0 };
            }
            // Three bytes: 8 more, or 10 from D000 on. From F000 on they are beyond the basic plane.
            let high = carry_up_to_ff(high);
            let (behind, beyond) = (at_least(high, 0xD0), at_least(high, 0xF0));
            let high = _mm512_mask_add_epi8(high, long, high, all(0x08));
            let high = _mm512_mask_add_epi8(high, behind, high, all(0x08));
            return Planes { low, high, top: None, beyond };
        }
        let fourths = at_least(look.three, 0xF0);
        if WIDE {
            // Four bytes: the same of the last three, and the five bits of the first two above them.
            let high = _mm512_or_si512(middle, upper(long | fourths));
            let second = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(fourths, look.two, matrix(const { moved(-4, 0x03) }));
            let first = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(fourths, look.three, matrix(const { moved(2, 0x1C) }));
            let top = _mm512_or_si512(first, second);
            if !CORRECTED {
                return Planes { low, high, top: Some(top), beyond: 0 };
            }
            // The offset of four bytes is 110A0. Both lengths reach the next plane where the high byte would
            // be F0 or more.
            let summed = carry_up_to_ff(high);
            let behind = _mm512_mask_cmpge_epu8_mask(long, summed, all(0xD0));
            let over = _mm512_mask_cmpge_epu8_mask(long | fourths, summed, all(0xF0));
            let high = carry(high);
            let high = _mm512_mask_add_epi8(high, long, high, all(0x08));
            let high = _mm512_mask_add_epi8(high, behind, high, all(0x08));
            let high = _mm512_mask_add_epi8(high, fourths, high, all(0x10));
            let top = _mm512_mask_add_epi8(top, fourths, top, all(0x01));
            let top = _mm512_mask_add_epi8(top, over, top, all(0x01));
            return Planes { low, high, top: Some(top), beyond: at_least(top, 0x11) };
        }
        let thirds = at_least(look.two, 0xF0);
        let mut high = _mm512_or_si512(middle, upper(long));
        let mut lower = middle;
        let mut beyond = 0;
        if CORRECTED {
            let summed = carry_up_to_ff(high);
            lower = carry(middle);
            let behind = _mm512_mask_cmpge_epu8_mask(long, summed, all(0xD0));
            beyond = _mm512_mask_cmpge_epu8_mask(long & !thirds, summed, all(0xF0));
            high = _mm512_mask_add_epi8(summed, long, summed, all(0x08));
            high = _mm512_mask_add_epi8(high, behind, high, all(0x08));
        }
        // Low surrogates: DC00, and ten bits of the last two bytes.
        let ten = _mm512_ternarylogic_epi64::<{ A | (B & C) }>(all(0xDC), lower, all(0x03));
        let high = _mm512_mask_mov_epi8(high, fourths, ten);
        // High surrogates: D7C0, and the eleven bits above these, of the first three bytes.
        let second = _mm512_gf2p8affine_epi64_epi8::<0>(look.one, matrix(const { moved(2, 0xFC) }));
        let third = _mm512_gf2p8affine_epi64_epi8::<0>(look.bytes, matrix(const { moved(-4, 0x03) }));
        let eight = _mm512_or_si512(second, third);
        if CORRECTED {
            // D804 instead, for there are 44 in the offset above the ten bits, and one more if these, of which
            // eight will do, are too many with A0.
            let above = _mm512_gf2p8affine_epi64_epi8::<0>(look.bytes, matrix(const { moved(4, 0xF0) }));
            let below = _mm512_gf2p8affine_epi64_epi8::<0>(next, matrix(const { moved(-2, 0x0F) }));
            let one_more = at_least(_mm512_or_si512(above, below), 0xD8);
            let carried = at_least(_mm512_mask_adds_epu8(eight, one_more, eight, all(0x01)), 0xFC);
            let eight = _mm512_mask_add_epi8(eight, one_more, eight, all(0x01));
            let three = _mm512_add_epi8(_mm512_and_si512(look.two, all(0x07)), all(0xD8));
            let three = _mm512_mask_add_epi8(three, carried, three, all(0x01));
            let beyond = beyond | _mm512_mask_cmpge_epu8_mask(thirds, three, all(0xDC));
            let low = _mm512_mask_add_epi8(low, thirds, eight, all(0x04));
            let high = _mm512_mask_mov_epi8(high, thirds, three);
            return Planes { low, high, top: None, beyond };
        }
        let carry = at_least(eight, 0x40);
        let three = _mm512_add_epi8(_mm512_and_si512(look.two, all(0x07)), all(0xD7));
        let three = _mm512_mask_sub_epi8(three, carry, three, all(0xFF));
        let low = _mm512_mask_add_epi8(low, thirds, eight, all(0xC0));
        let high = _mm512_mask_mov_epi8(high, thirds, three);
        Planes { low, high, top: None, beyond: 0 }
    }

    /// `bytes`, each `by` lanes further down; there are zeros where none comes from.
    #[inline]
    pub(super) fn shifted(bytes: __m512i, by: i32) -> __m512i {
        let lanes = if by < 0 { !0u64 << -by } else { !0u64 >> by };
        let from = _mm512_add_epi8(iota(), _mm512_set1_epi8(by as i8));
        _mm512_maskz_permutexvar_epi8(lanes, from, bytes)
    }

    /// In each byte the number of its lane.
    #[inline]
    fn iota() -> __m512i {
        let numbers: [u8; 64] = const {
            let mut numbers = [0; 64];
            let mut lane = 0;
            while lane < 64 {
                numbers[lane] = lane as u8;
                lane += 1;
            }
            numbers
        };
        // SAFETY: there are 64 bytes.
        unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
    }

    #[inline]
    fn matrix(rows: i64) -> __m512i {
        _mm512_set1_epi64(rows)
    }
}

impl Look {
    /// A first block: there is nothing before it.
    ///
    /// # Safety
    /// Only inside of a function of [`avx512!`].
    #[inline(always)]
    pub(super) unsafe fn first(bytes: __m512i) -> Look {
        // SAFETY: the caller's promise.
        let [one, two, three] = unsafe { [-1, -2, -3].map(|by| shifted(bytes, by)) };
        Look { bytes, one, two, three }
    }

    /// The block at `p`.
    ///
    /// # Safety
    /// Only inside of a function of [`avx512!`]; and it must be readable, and three bytes before it.
    #[inline(always)]
    pub(super) unsafe fn at(p: *const u8) -> Look {
        // SAFETY: the caller's promise.
        let [bytes, one, two, three] =
            unsafe { [0, 1, 2, 3].map(|back| _mm512_loadu_si512(p.wrapping_sub(back).cast())) };
        Look { bytes, one, two, three }
    }

    /// The bytes of `lanes` at `p`, and what stands before them, of which the first bytes are where `known`
    /// has bits; lanes behind them see what stands before.
    ///
    /// # Safety
    /// Only inside of a function of [`avx512!`]; and the bytes must be readable, and those three before them
    /// whose bits are in `known`, which is all or none.
    #[inline(always)]
    pub(super) unsafe fn some(p: *const u8, lanes: u64, known: u64) -> Look {
        // SAFETY: the caller's promise.
        let [bytes, one, two, three] = unsafe {
            [0, 1, 2, 3].map(|back| {
                let before = known & !(!0 << back);
                _mm512_maskz_loadu_epi8(lanes << back | before, p.wrapping_sub(back).cast())
            })
        };
        Look { bytes, one, two, three }
    }
}
