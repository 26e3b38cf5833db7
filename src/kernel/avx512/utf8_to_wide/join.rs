//! From planes of bytes to code units.
//!
//! The bytes of all units come in planes: all low bytes in one register, all high bytes in another,
//! from UTF-32's a third. One shuffle brings what belongs to the first half of the units, or to the
//! second, into one register, and one permutation of bytes makes vectors of units of it; the order of
//! the bytes of a unit is a matter of the permutation's table.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::ends::low;

/// The bytes of code units, from the lowest up, a unit in each lane.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub(super) low: __m512i,
    pub(super) high: __m512i,
    /// For UTF-32 beyond the basic plane.
    pub(super) top: Option<__m512i>,
    /// The last bytes of characters of Corrected UTF-8 that are not among the units.
    pub(super) beyond: u64,
}

/// A permutation of bytes.
#[repr(align(64))]
pub(super) struct Table(pub(super) [u8; 64]);

/// How units of `width` bytes are made: byte `b` of unit `i` is byte `first + i` of plane `b`, which
/// begins at byte `plane * b`. Bytes without a plane are masked off.
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
    /// The lanes of `units`, in a row.
    #[inline]
    pub(super) fn compress(planes: &Planes, units: u64) -> Planes {
        Planes {
            low: _mm512_maskz_compress_epi8(units, planes.low),
            high: _mm512_maskz_compress_epi8(units, planes.high),
            beyond: planes.beyond,
            top: planes.top.map(|top| _mm512_maskz_compress_epi8(units, top)),
        }
    }

    /// The units number `per * index` and following, where `per` is how many there are in a register.
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
            return _mm512_permutexvar_epi8(load(&WORDS[order]), half(index == 1));
        }
        let there = if SWAP { 0xCCCC_CCCC_CCCC_CCCC } else { 0x3333_3333_3333_3333 };
        let table = load(&DOUBLE_WORDS[order][index % 2]);
        let units = _mm512_maskz_permutexvar_epi8(there, table, half(index / 2 == 1));
        match planes.top {
            Some(top) => {
                let third = if SWAP { 0x2222_2222_2222_2222 } else { 0x4444_4444_4444_4444 };
                _mm512_mask_permutexvar_epi8(units, third, load(&TOPS[index]), top)
            }
            None => units,
        }
    }

    /// The units of [`join`], of bytes that are not those of units yet: a unit is the low one and 64
    /// times the high one.
    #[inline]
    pub(super) fn join_sums<const WIDE: bool, const SWAP: bool>(planes: &Planes, index: usize) -> __m512i {
        let pairs = join::<WIDE, false>(planes, index);
        let units = _mm512_maddubs_epi16(pairs, _mm512_set1_epi16(0x4001));
        if !SWAP {
            units
        } else if WIDE {
            reverse(units)
        } else {
            _mm512_shldi_epi16::<8>(units, units)
        }
    }

    /// The four bytes of each unit, from the last to the first.
    #[inline]
    fn reverse(units: __m512i) -> __m512i {
        let order = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
        _mm512_shuffle_epi8(units, order)
    }

    /// Joins the first `count` units and stores them at `p`; behind them may be written, too, but for no more
    /// than `room` units. Whole registers where they fit: a masked store costs more.
    ///
    /// # Safety
    /// There must be as much room, and not less than for `count`.
    #[inline]
    pub(super) unsafe fn store_exactly<const WIDE: bool, const SWAP: bool>(planes: &Planes, p: *mut u8, count: usize, room: usize) {
        let per = if WIDE { BLOCK / 4 } else { BLOCK / 2 };
        let lanes = low(count);
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

    /// A table in a register.
    #[inline]
    pub(super) fn load(table: &Table) -> __m512i {
        // SAFETY: a table has 64 bytes.
        unsafe { _mm512_load_si512(table.0.as_ptr().cast()) }
    }
}
