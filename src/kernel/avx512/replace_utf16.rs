//! UTF-16 with U+FFFD for unpaired surrogates: two masks for a register, shifted against each other.
//!
//! The plain loop of [`wash`](crate::kernel::wash) loads each unit and its neighbours; here a register is
//! loaded once, and what is missing of its masks comes from the register before and the one behind it. There
//! is no branch: to store only what has changed was slower, for errors come as a surprise.

use super::arch::*;
use super::ends::{load_some, low};
use crate::kernel::Progress;

/// Units in a register.
const UNITS: usize = 32;

avx512! {
    /// Copies the `len` units at `src`, of this machine's byte order or, if `SWAP`, of the other, to `dst`,
    /// which may be `src` but must not overlap it in another way, with U+FFFD for unpaired surrogates. As
    /// what was "written", the number of units that were replaced.
    ///
    /// # Safety
    /// So many units must be readable and writable, at any alignment.
    pub(in crate::kernel) unsafe fn replace_utf16<const SWAP: bool>(src: *const u8, dst: *mut u8, len: usize) -> Progress {
        let mut replaced = 0;
        let mut open = 0;
        let mut at = 0;
        if len > UNITS {
            // SAFETY: a register is left, and there is room for it.
            let mut units = unsafe { _mm512_loadu_si512(src.cast()) };
            let mut low_ones = begin_with::<SWAP>(units, 0xDC00);
            while len - at > 2 * UNITS {
                // SAFETY: two registers are left.
                let next = unsafe { _mm512_loadu_si512(src.add(2 * (at + UNITS)).cast()) };
                let next_low = begin_with::<SWAP>(next, 0xDC00);
                let high = begin_with::<SWAP>(units, 0xD800);
                let bad = unpaired(high, low_ones, low_ones >> 1 | next_low << (UNITS - 1), open);
                replaced += bad.count_ones() as usize;
                // SAFETY: there is room for as much as has been read.
                unsafe { _mm512_storeu_si512(dst.add(2 * at).cast(), mended::<SWAP>(units, bad)) };
                open = high >> (UNITS - 1);
                (units, low_ones) = (next, next_low);
                at += UNITS;
            }
            // SAFETY: a register is left, and one unit behind it at least.
            unsafe {
                let behind = _mm512_loadu_si512(src.add(2 * at + 2).cast());
                let high = begin_with::<SWAP>(units, 0xD800);
                let bad = unpaired(high, low_ones, begin_with::<SWAP>(behind, 0xDC00), open);
                replaced += bad.count_ones() as usize;
                _mm512_storeu_si512(dst.add(2 * at).cast(), mended::<SWAP>(units, bad));
                open = high >> (UNITS - 1);
                at += UNITS;
            }
        }
        let rest = len - at;
        if rest > 0 {
            // SAFETY: the lanes are the units that are left.
            unsafe {
                let units = load_some(src.add(2 * at), 2 * rest);
                let low_ones = begin_with::<SWAP>(units, 0xDC00);
                let bad = unpaired(begin_with::<SWAP>(units, 0xD800), low_ones, low_ones >> 1, open);
                replaced += bad.count_ones() as usize;
                _mm512_mask_storeu_epi8(dst.add(2 * at).cast(), low(2 * rest), mended::<SWAP>(units, bad));
            }
        }
        Progress { read: len, written: replaced }
    }

    /// The units, with U+FFFD in place of the bad ones.
    #[inline]
    fn mended<const SWAP: bool>(units: __m512i, bad: u32) -> __m512i {
        _mm512_mask_mov_epi16(units, bad, ordered::<SWAP>(0xFFFD))
    }

    /// The units that are half of a pair without the other half, by those that are high surrogates, low
    /// ones, and before a low one, and by whether the unit before the first is a high one.
    #[inline]
    fn unpaired(high: u32, low: u32, before_low: u32, open: u32) -> u32 {
        (high & !before_low) | (low & !(high << 1 | open))
    }

    /// The units of which the upper six bits are those of `first`.
    #[inline]
    fn begin_with<const SWAP: bool>(units: __m512i, first: u16) -> u32 {
        _mm512_testn_epi16_mask(_mm512_xor_si512(units, ordered::<SWAP>(first)), ordered::<SWAP>(0xFC00))
    }

    /// A unit everywhere, in the order of the text.
    #[inline]
    fn ordered<const SWAP: bool>(unit: u16) -> __m512i {
        _mm512_set1_epi16((if SWAP { unit.swap_bytes() } else { unit }) as i16)
    }
}
