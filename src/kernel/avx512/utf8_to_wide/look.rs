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
    /// The planes of text whose characters have up to `MOST` bytes, from 2 to 4.
    #[inline]
    pub(super) fn planes<const MOST: u32, const WIDE: bool>(look: &Look) -> Planes {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        let at_least = |bytes, least| _mm512_cmpge_epu8_mask(bytes, all(least));
        let signs = _mm512_movepi8_mask(look.bytes);

        // ASCII: the byte. Two bytes: the six bits of the last and two of the first; its other three.
        // Three bytes: the same of the last two, and the four bits of the first above them.
        let above = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(signs, look.one, matrix(const { moved(6, 0xC0) }));
        let low = _mm512_ternarylogic_epi64::<{ A | (B & C) }>(above, look.bytes, all(0x7F));
        let middle = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(signs, look.one, matrix(const { moved(-2, 0x0F) }));
        if MOST == 2 {
            return Planes { low, high: middle, top: None };
        }
        let upper = |mask| _mm512_maskz_gf2p8affine_epi64_epi8::<0>(mask, look.two, matrix(const { moved(4, 0xF0) }));
        let long = at_least(look.two, 0xE0);
        if MOST == 3 {
            return Planes { low, high: _mm512_or_si512(middle, upper(long)), top: None };
        }
        let fourths = at_least(look.three, 0xF0);
        if WIDE {
            // Four bytes: the same of the last three, and the five bits of the first two above them.
            let high = _mm512_or_si512(middle, upper(long | fourths));
            let second = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(fourths, look.two, matrix(const { moved(-4, 0x03) }));
            let first = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(fourths, look.three, matrix(const { moved(2, 0x1C) }));
            return Planes { low, high, top: Some(_mm512_or_si512(first, second)) };
        }
        let thirds = at_least(look.two, 0xF0);
        let high = _mm512_or_si512(middle, upper(long));
        // Low surrogates: DC00, and ten bits of the last two bytes.
        let ten = _mm512_ternarylogic_epi64::<{ A | (B & C) }>(all(0xDC), middle, all(0x03));
        let high = _mm512_mask_mov_epi8(high, fourths, ten);
        // High surrogates: D7C0, and the eleven bits above these, of the first three bytes.
        let second = _mm512_gf2p8affine_epi64_epi8::<0>(look.one, matrix(const { moved(2, 0xFC) }));
        let third = _mm512_gf2p8affine_epi64_epi8::<0>(look.bytes, matrix(const { moved(-4, 0x03) }));
        let eight = _mm512_or_si512(second, third);
        let carry = at_least(eight, 0x40);
        let three = _mm512_add_epi8(_mm512_and_si512(look.two, all(0x07)), all(0xD7));
        let three = _mm512_mask_sub_epi8(three, carry, three, all(0xFF));
        let low = _mm512_mask_add_epi8(low, thirds, eight, all(0xC0));
        let high = _mm512_mask_mov_epi8(high, thirds, three);
        Planes { low, high, top: None }
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
