//! From planes of bytes to code units.
//!
//! All low bytes of the units are in one register, all high bytes in another, and for UTF-32 there is a third. One permutation of
//! the bytes of two registers makes a vector of units from the first two. The permutation's indices determine the byte order.
//!
//! On Zen 4 such a permutation costs as much as one of a single register, so this takes two instructions for 64 units of UTF-16,
//! where two shuffles of halves and two permutations took four. Such permutations have three micro-operations on Intel, so for
//! UTF-16 both ways are equal there, according to the instruction tables; for UTF-32 this way may take one cycle more in some
//! fifteen.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::low_bits;
use super::super::registers::{Table, load_table, swap32_if};
use super::planes::Planes;

/// The permutation for register number `index` of the units of `width` bytes: byte `b` of unit `i` is lane `i` of plane
/// `b`. There are two planes; bytes without one are masked off.
#[inline]
const fn units(width: usize, swap: bool, index: usize) -> Table {
    let mut table = [0; 64];
    let mut at = 0;
    while at < 64 {
        let byte = if swap { width - 1 - at % width } else { at % width };
        table[at] = (64 / width * index + at / width + 64 * (byte % 2)) as u8;
        at += 1;
    }
    Table(table)
}

static WORDS: [[Table; 2]; 2] =
    [[units(2, false, 0), units(2, false, 1)], [units(2, true, 0), units(2, true, 1)]];
static DOUBLE_WORDS: [[Table; 4]; 2] = [
    [units(4, false, 0), units(4, false, 1), units(4, false, 2), units(4, false, 3)],
    [units(4, true, 0), units(4, true, 1), units(4, true, 2), units(4, true, 3)],
];

/// The permutations, in registers.
pub(super) struct Joiner<const WIDE: bool, const SWAP: bool> {
    indices: [__m512i; 4],
}

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

    /// The permutations. With `swap` the bytes are in the order of `SWAP`, and otherwise in native order.
    #[inline]
    pub(super) fn joiner<const WIDE: bool, const SWAP: bool>(swap: bool) -> Joiner<WIDE, SWAP> {
        let order = usize::from(swap);
        let index = |nth: usize| if WIDE { &DOUBLE_WORDS[order][nth] } else { &WORDS[order][nth % 2] };
        Joiner { indices: [load_table(index(0)), load_table(index(1)), load_table(index(2)), load_table(index(3))] }
    }

    /// The units of register number `nth`, when all are stored in succession.
    #[inline]
    pub(super) fn join<const WIDE: bool, const SWAP: bool>(planes: &Planes, joiner: &Joiner<WIDE, SWAP>, nth: usize) -> __m512i {
        let indices = joiner.indices[nth];
        if !WIDE {
            return _mm512_permutex2var_epi8(planes.low, indices, planes.high);
        }
        let lanes = if SWAP { 0xCCCC_CCCC_CCCC_CCCC } else { 0x3333_3333_3333_3333 };
        let units = _mm512_maskz_permutex2var_epi8(lanes, planes.low, indices, planes.high);
        match planes.top {
            Some(top) => {
                // (Only six bits of an index count, so those of the high bytes serve, too.)
                let third = if SWAP { 0x2222_2222_2222_2222 } else { 0x4444_4444_4444_4444 };
                _mm512_mask_permutexvar_epi8(units, third, indices, top)
            }
            None => units,
        }
    }

    /// The units of [`join`], from planes whose bytes have still to be added: a unit is the low byte and 64 times the
    /// high byte. The permutations must be those of the native byte order.
    #[inline]
    pub(super) fn join_sums<const WIDE: bool, const SWAP: bool>(planes: &Planes, joiner: &Joiner<WIDE, SWAP>, nth: usize) -> __m512i {
        let pairs = _mm512_permutex2var_epi8(planes.low, joiner.indices[nth], planes.high);
        // (For the upper halves of UTF-32's units, both weights are zero.)
        let weights = if WIDE { _mm512_set1_epi32(0x4001) } else { _mm512_set1_epi16(0x4001) };
        let units = _mm512_maddubs_epi16(pairs, weights);
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
        let joiner = joiner::<WIDE, SWAP>(SWAP);
        for index in 0..BLOCK / per {
            if index > 0 && count <= index * per {
                break;
            }
            let units = join::<WIDE, SWAP>(planes, &joiner, index);
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
