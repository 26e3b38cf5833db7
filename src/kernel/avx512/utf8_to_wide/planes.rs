//! The bytes of code units, computed for every byte of a block at once.
//!
//! A unit belongs to the last byte of its character; in a surrogate pair the high surrogate belongs to the third byte and the low
//! one to the fourth. Its bits are in the bytes before, which are loaded one, two and three bytes back. Shifts of bytes are affine
//! maps over GF(2): one instruction, which drops the bits that leave the byte, keeps a field, and takes a mask. Two fields of a
//! byte are combined by addition, since only addition takes a mask of bytes: with `or`, the compiler needs an additional masked
//! copy.

use super::super::arch::*;
use super::super::registers::{A, B, C};

/// The bytes of code units, in one register for each byte of a unit: a unit in each lane.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub(super) low: __m512i,
    pub(super) high: __m512i,
    /// For UTF-32 beyond the BMP.
    pub(super) top: Option<__m512i>,
    /// The last bytes of characters of Corrected UTF-8 that are not handled here.
    pub(super) unsupported: u64,
}

/// A block of bytes, and the bytes one, two and three positions before each.
pub(super) struct Window {
    pub(super) bytes: __m512i,
    pub(super) prev1: __m512i,
    pub(super) prev2: __m512i,
    pub(super) prev3: __m512i,
}

/// The matrix that moves bit `i` of a byte to bit `i + by`, if that is set in `kept`.
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
    /// The planes of text whose characters have up to `MOST` bytes, 2 to 4. For Corrected UTF-8, `next` are the bytes
    /// one position later.
    #[inline]
    pub(super) fn planes<const MOST: u32, const WIDE: bool, const CORRECTED: bool>(window: &Window, next: __m512i) -> Planes {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let at_least = |bytes, least| _mm512_cmpge_epu8_mask(bytes, splat(least));
        let non_ascii = _mm512_movepi8_mask(window.bytes);

        // ASCII: the byte. Two bytes: low, the six bits of the last byte and two of the first; high, its other three
        // bits. Three bytes: the same of the last two bytes, and the four bits of the first above them.
        let above = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(non_ascii, window.prev1, matrix(const { moved(6, 0xC0) }));
        let low = _mm512_ternarylogic_epi64::<{ A | (B & C) }>(above, window.bytes, splat(0x7F));
        let middle = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(non_ascii, window.prev1, matrix(const { moved(-2, 0x0F) }));
        // The lowest byte of every offset, and its carry.
        let carried = if CORRECTED { _mm512_mask_cmpge_epu8_mask(non_ascii, low, splat(0x60)) } else { 0 };
        let low = if CORRECTED { _mm512_mask_add_epi8(low, non_ascii, low, splat(0xA0)) } else { low };
        let carry = |high| _mm512_mask_add_epi8(high, carried, high, splat(0x01));
        if MOST == 2 {
            let high = if CORRECTED { carry(middle) } else { middle };
            return Planes { low, high, top: None, unsupported: 0 };
        }
        let carry_up_to_ff = |high| _mm512_mask_adds_epu8(high, carried, high, splat(0x01));
        let upper = |mask| _mm512_maskz_gf2p8affine_epi64_epi8::<0>(mask, window.prev2, matrix(const { moved(4, 0xF0) }));
        let long = at_least(window.prev2, 0xE0);
        if MOST == 3 {
            let high = _mm512_add_epi8(upper(long), middle);
            if !CORRECTED {
                return Planes { low, high, top: None, unsupported: 0 };
            }
            // Three bytes: 8 more, or 10 from D000 on. From F000 on they are beyond the BMP.
            let high = carry_up_to_ff(high);
            let (behind, unsupported) = (at_least(high, 0xD0), at_least(high, 0xF0));
            let high = _mm512_mask_add_epi8(high, long, high, splat(0x08));
            let high = _mm512_mask_add_epi8(high, behind, high, splat(0x08));
            return Planes { low, high, top: None, unsupported };
        }
        let fourths = at_least(window.prev3, 0xF0);
        if WIDE {
            // Four bytes: the same of the last three bytes, and the five bits of the first two above them.
            let high = _mm512_add_epi8(upper(long | fourths), middle);
            let second = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(fourths, window.prev2, matrix(const { moved(-4, 0x03) }));
            let first = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(fourths, window.prev3, matrix(const { moved(2, 0x1C) }));
            let top = _mm512_add_epi8(first, second);
            if !CORRECTED {
                return Planes { low, high, top: Some(top), unsupported: 0 };
            }
            // The offset of four bytes is 110A0. Both lengths carry into the next plane where the high byte would be F0
            // or more.
            let summed = carry_up_to_ff(high);
            let behind = _mm512_mask_cmpge_epu8_mask(long, summed, splat(0xD0));
            let over = _mm512_mask_cmpge_epu8_mask(long | fourths, summed, splat(0xF0));
            let high = carry(high);
            let high = _mm512_mask_add_epi8(high, long, high, splat(0x08));
            let high = _mm512_mask_add_epi8(high, behind, high, splat(0x08));
            let high = _mm512_mask_add_epi8(high, fourths, high, splat(0x10));
            let top = _mm512_mask_add_epi8(top, fourths, top, splat(0x01));
            let top = _mm512_mask_add_epi8(top, over, top, splat(0x01));
            return Planes { low, high, top: Some(top), unsupported: at_least(top, 0x11) };
        }
        let thirds = at_least(window.prev2, 0xF0);
        let mut high = _mm512_add_epi8(upper(long), middle);
        let mut lower = middle;
        let mut unsupported = 0;
        if CORRECTED {
            let summed = carry_up_to_ff(high);
            lower = carry(middle);
            let behind = _mm512_mask_cmpge_epu8_mask(long, summed, splat(0xD0));
            unsupported = _mm512_mask_cmpge_epu8_mask(long & !thirds, summed, splat(0xF0));
            high = _mm512_mask_add_epi8(summed, long, summed, splat(0x08));
            high = _mm512_mask_add_epi8(high, behind, high, splat(0x08));
        }
        // Low surrogates: DC00, and the ten lowest bits of the last two bytes.
        let ten = _mm512_ternarylogic_epi64::<{ A | (B & C) }>(splat(0xDC), lower, splat(0x03));
        let high = _mm512_mask_mov_epi8(high, fourths, ten);
        // High surrogates: D7C0, plus the eleven bits above these, of the first three bytes.
        let second = _mm512_gf2p8affine_epi64_epi8::<0>(window.prev1, matrix(const { moved(2, 0xFC) }));
        let third = _mm512_gf2p8affine_epi64_epi8::<0>(window.bytes, matrix(const { moved(-4, 0x03) }));
        let eight = _mm512_or_si512(second, third);
        if CORRECTED {
            // D804 instead, as the offset has 44 above the ten bits; and one more if these overflow with A0 added, for
            // which eight of them suffice.
            let above = _mm512_gf2p8affine_epi64_epi8::<0>(window.bytes, matrix(const { moved(4, 0xF0) }));
            let below = _mm512_gf2p8affine_epi64_epi8::<0>(next, matrix(const { moved(-2, 0x0F) }));
            let one_more = at_least(_mm512_or_si512(above, below), 0xD8);
            let carried = at_least(_mm512_mask_adds_epu8(eight, one_more, eight, splat(0x01)), 0xFC);
            let eight = _mm512_mask_add_epi8(eight, one_more, eight, splat(0x01));
            let three = _mm512_add_epi8(_mm512_and_si512(window.prev2, splat(0x07)), splat(0xD8));
            let three = _mm512_mask_add_epi8(three, carried, three, splat(0x01));
            let unsupported = unsupported | _mm512_mask_cmpge_epu8_mask(thirds, three, splat(0xDC));
            let low = _mm512_mask_add_epi8(low, thirds, eight, splat(0x04));
            let high = _mm512_mask_mov_epi8(high, thirds, three);
            return Planes { low, high, top: None, unsupported };
        }
        let carry = at_least(eight, 0x40);
        let three = _mm512_add_epi8(_mm512_and_si512(window.prev2, splat(0x07)), splat(0xD7));
        let three = _mm512_mask_sub_epi8(three, carry, three, splat(0xFF));
        let low = _mm512_mask_add_epi8(low, thirds, eight, splat(0xC0));
        let high = _mm512_mask_mov_epi8(high, thirds, three);
        Planes { low, high, top: None, unsupported: 0 }
    }

    /// `bytes`, each moved down by `by` lanes; with zeros shifted in.
    #[inline]
    pub(super) fn shifted(bytes: __m512i, by: i32) -> __m512i {
        let lanes = if by < 0 { !0u64 << -by } else { !0u64 >> by };
        let from = _mm512_add_epi8(iota(), _mm512_set1_epi8(by as i8));
        _mm512_maskz_permutexvar_epi8(lanes, from, bytes)
    }

    /// The number of each lane.
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

    /// A matrix for all lanes.
    #[inline]
    fn matrix(rows: i64) -> __m512i {
        _mm512_set1_epi64(rows)
    }
}

impl Window {
    /// The first block of a text, which has nothing before it.
    ///
    /// # Safety
    /// Only within a function of [`avx512!`].
    #[inline(always)]
    pub(super) unsafe fn first(bytes: __m512i) -> Window {
        // SAFETY: the caller's promise.
        unsafe {
            Window { bytes, prev1: shifted(bytes, -1), prev2: shifted(bytes, -2), prev3: shifted(bytes, -3) }
        }
    }

    /// The block at `p`.
    ///
    /// # Safety
    /// Only within a function of [`avx512!`]; and it must be readable, with the three bytes before it.
    #[inline(always)]
    pub(super) unsafe fn at(p: *const u8) -> Window {
        // SAFETY: the caller's promise. (No closure and no `map`: what is in those is not always inlined.)
        unsafe {
            Window {
                bytes: _mm512_loadu_si512(p.cast()),
                prev1: _mm512_loadu_si512(p.sub(1).cast()),
                prev2: _mm512_loadu_si512(p.sub(2).cast()),
                prev3: _mm512_loadu_si512(p.sub(3).cast()),
            }
        }
    }

    /// The bytes of `lanes` at `p`, and those before them; `known` has all bits set if there are three bytes before
    /// `p`, and none otherwise. The lanes behind the bytes have previous bytes, too.
    ///
    /// # Safety
    /// Only within a function of [`avx512!`]; and the bytes must be readable, and the three before them if `known` is
    /// not 0.
    #[inline(always)]
    pub(super) unsafe fn partial(p: *const u8, lanes: u64, known: u64) -> Window {
        // SAFETY: the caller's promise.
        unsafe {
            Window {
                bytes: _mm512_maskz_loadu_epi8(lanes, p.cast()),
                prev1: _mm512_maskz_loadu_epi8(lanes << 1 | known & 0b1, p.wrapping_sub(1).cast()),
                prev2: _mm512_maskz_loadu_epi8(lanes << 2 | known & 0b11, p.wrapping_sub(2).cast()),
                prev3: _mm512_maskz_loadu_epi8(lanes << 3 | known & 0b111, p.wrapping_sub(3).cast()),
            }
        }
    }
}
