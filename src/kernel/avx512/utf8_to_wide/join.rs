//! From planes of bytes to code units.
//!
//! All low bytes of the units are in one register, all high bytes in another, and for UTF-32 there is a third. One
//! shuffle brings the parts of the first half of the units, or of the second, into one register, and one permutation of
//! bytes makes a vector of units of it. The byte order is a matter of the permutation's table.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::low_bits;
use super::super::registers::{Table, load_table, swap32_if};
use super::planes::Planes;

/// The permutation for units of `width` bytes: byte `b` of unit `i` is byte `first + i` of plane `b`, which begins at
/// byte `plane * b`. Bytes without a plane are masked off.
#[inline]
const fn units(width: usize, swap: bool, first: usize, plane: usize) -> Table {
    let mut table = [0; 64];
    let mut at = 0;
    while at < 64 {
        let byte = if swap { width - 1 - at % width } else { at % width };
        let from = if plane == 0 { at / width } else { at / width + plane * (byte % 2) };
        table[at] = (first + from) as u8;
        at += 1;
    }
    Table(table)
}

static WORDS: [Table; 2] = [units(2, false, 0, 32), units(2, true, 0, 32)];
static DOUBLE_WORDS: [[Table; 2]; 2] =
    [[units(4, false, 0, 32), units(4, false, 16, 32)], [units(4, true, 0, 32), units(4, true, 16, 32)]];
static TOPS: [Table; 4] =
    [units(4, false, 0, 0), units(4, false, 16, 0), units(4, false, 32, 0), units(4, false, 48, 0)];

avx512! {
    /// The lanes of `units`, without gaps.
    #[inline]
    pub(super) fn compress(planes: &Planes, units: u64) -> Planes {
        Planes {
            low: _mm512_maskz_compress_epi8(units, planes.low),
            high: _mm512_maskz_compress_epi8(units, planes.high),
            unsupported: planes.unsupported,
            top: planes.top.map(|top| _mm512_maskz_compress_epi8(units, top)),
        }
    }

    /// The units of register number `index`, when all are stored in succession.
    #[inline]
    pub(super) fn join<const WIDE: bool, const SWAP: bool>(planes: &Planes, index: usize) -> __m512i {
        let half = |second: bool| {
            if second {
                _mm512_shuffle_i64x2::<0b11_10_11_10>(planes.low, planes.high)
            } else {
                _mm512_inserti64x4::<1>(planes.low, _mm512_castsi512_si256(planes.high))
            }
        };
        let order = usize::from(SWAP);
        if !WIDE {
            return _mm512_permutexvar_epi8(load_table(&WORDS[order]), half(index == 1));
        }
        let lanes = if SWAP { 0xCCCC_CCCC_CCCC_CCCC } else { 0x3333_3333_3333_3333 };
        let table = load_table(&DOUBLE_WORDS[order][index % 2]);
        let units = _mm512_maskz_permutexvar_epi8(lanes, table, half(index / 2 == 1));
        match planes.top {
            Some(top) => {
                let third = if SWAP { 0x2222_2222_2222_2222 } else { 0x4444_4444_4444_4444 };
                _mm512_mask_permutexvar_epi8(units, third, load_table(&TOPS[index]), top)
            }
            None => units,
        }
    }

    /// The units of [`join`], from planes whose bytes have still to be added: a unit is the low byte and 64 times the
    /// high byte.
    #[inline]
    pub(super) fn join_sums<const WIDE: bool, const SWAP: bool>(planes: &Planes, index: usize) -> __m512i {
        let pairs = join::<WIDE, false>(planes, index);
        let units = _mm512_maddubs_epi16(pairs, _mm512_set1_epi16(0x4001));
        if !SWAP {
            units
        } else if WIDE {
            swap32_if::<true>(units)
        } else {
            _mm512_shldi_epi16::<8>(units, units)
        }
    }

    /// Joins the first `count` units and stores them at `p`; may write behind them, but not behind the first `room`
    /// units. It stores whole registers where they fit, because a masked store costs more.
    ///
    /// # Safety
    /// `room` units must be writable, and it must be at least `count`.
    #[inline]
    pub(super) unsafe fn store_exactly<const WIDE: bool, const SWAP: bool>(planes: &Planes, p: *mut u8, count: usize, room: usize) {
        let per = if WIDE { BLOCK / 4 } else { BLOCK / 2 };
        let lanes = low_bits(count);
        for index in 0..BLOCK / per {
            if index > 0 && count <= index * per {
                break;
            }
            let units = join::<WIDE, SWAP>(planes, index);
            let lanes = lanes >> (index * per);
            // SAFETY: the caller's promise.
            unsafe {
                let p = p.add(index * BLOCK);
                if !WIDE && room >= (index + 1) * per {
                    _mm512_storeu_si512(p.cast(), units);
                } else if WIDE {
                    _mm512_mask_storeu_epi32(p.cast(), lanes as u16, units);
                } else {
                    _mm512_mask_storeu_epi16(p.cast(), lanes as u32, units);
                }
            }
        }
    }
}
