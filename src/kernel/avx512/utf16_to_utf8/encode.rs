//! The bytes of 32 units of UTF-16 in slots: three for each unit.
//!
//! A unit has up to three bytes of its own: in a pair the high surrogate has the first two of the four bytes, and the
//! low surrogate the others, for which it needs the unit before it. So every unit has three slots: the first two in a
//! lane of one register, the last in a lane of another; these are interleaved to four bytes per unit. Unused slots hold
//! FF, which is not a byte of UTF-8, and the fourth slot holds zero: one comparison with {FF, FF, FF, 0} tells which
//! slots are kept, and one compression of each half removes the others.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::registers::{Table, load_table};
use super::{UNITS, splat};

avx512! {
    /// Writes 32 units of three bytes each; returns the number of bytes.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    pub(super) unsafe fn encode_three<const CORRECTED: bool>(units: __m512i, to: *mut u8) -> usize {
        let units = if CORRECTED {
            let behind = _mm512_cmpge_epu16_mask(units, splat(0xE000));
            let units = _mm512_sub_epi16(units, splat(0x8A0));
            _mm512_mask_sub_epi16(units, behind, units, splat(0x800))
        } else {
            units
        };
        let part = |part: &Three| {
            let units = _mm512_permutexvar_epi16(load_table(&part.units), units);
            let bits = _mm512_multishift_epi64_epi8(load_table(&part.shifts), units);
            // bits & kept | marks
            _mm512_ternarylogic_epi32::<0xEA>(bits, load_table(&part.bits), load_table(&part.marks))
        };
        // SAFETY: the caller's promise.
        unsafe {
            _mm512_storeu_si512(to.cast(), part(&FRONT));
            _mm256_storeu_si256(to.add(BLOCK).cast(), _mm512_castsi512_si256(part(&BACK)));
        }
        3 * UNITS
    }

    /// The slots of 32 units of the BMP, sixteen in each register, and which of them are kept.
    #[inline]
    pub(super) fn encode_basic<const CORRECTED: bool>(units: __m512i) -> [(__m512i, u64); 2] {
        // Unpacking works on 16 bytes: so the first half of the units is moved to the low halves of these.
        let units = _mm512_permutexvar_epi64(_mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0), units);
        let marks = marks::<CORRECTED>(units);
        let bits = bits::<CORRECTED>(units);
        interleave(first_two(bits, marks), last::<CORRECTED>(units, bits))
    }

    /// Units less the offset of their length.
    #[inline]
    fn bits<const CORRECTED: bool>(units: __m512i) -> __m512i {
        if !CORRECTED {
            return units;
        }
        let least = |least| _mm512_cmpge_epu16_mask(units, splat(least));
        let bits = _mm512_mask_sub_epi16(units, least(0x80), units, splat(0xA0));
        let bits = _mm512_mask_sub_epi16(bits, least(0x8A0), units, splat(0x8A0));
        _mm512_mask_sub_epi16(bits, least(0xE000), units, splat(0x10A0))
    }

    /// The marks of the first two slots.
    #[inline]
    fn marks<const CORRECTED: bool>(units: __m512i) -> __m512i {
        let two = _mm512_cmpge_epu16_mask(units, splat(0x80));
        let three = _mm512_cmpge_epu16_mask(units, splat(if CORRECTED { 0x8A0 } else { 0x800 }));
        let marks = _mm512_mask_mov_epi16(splat(0xFFFF), two, splat(0xC0FF));
        _mm512_mask_mov_epi16(marks, three, splat(0x80E0))
    }

    /// The first two slots: the bits from 12 and from 6 on.
    #[inline]
    fn first_two(units: __m512i, marks: __m512i) -> __m512i {
        let (first, second) = (_mm512_srli_epi16::<12>(units), _mm512_slli_epi16::<2>(units));
        // The bits of 3F00 from `second`, the others from `first`.
        let bits = _mm512_ternarylogic_epi32::<0xCA>(splat(0x3F00), second, first);
        _mm512_or_si512(bits, marks)
    }

    /// The last slot, which is an ASCII character or a continuation byte.
    #[inline]
    fn last<const CORRECTED: bool>(units: __m512i, bits: __m512i) -> __m512i {
        if CORRECTED {
            // min(80 | bits & 3F, units)
            let tail = _mm512_ternarylogic_epi32::<0xEA>(bits, splat(0x3F), splat(0x80));
            return _mm512_min_epu16(tail, units);
        }
        // min(units, 80) | units & 3F
        _mm512_ternarylogic_epi32::<0xF8>(_mm512_min_epu16(units, splat(0x80)), units, splat(0x3F))
    }

    /// Four slots per unit: for the sixteen units in the low halves of 16 bytes, and for the others.
    #[inline]
    fn interleave(first_two: __m512i, last: __m512i) -> [(__m512i, u64); 2] {
        let unused = _mm512_set1_epi32(0x00FF_FFFF);
        let first = _mm512_unpacklo_epi16(first_two, last);
        let second = _mm512_unpackhi_epi16(first_two, last);
        [(first, _mm512_cmpneq_epi8_mask(first, unused)), (second, _mm512_cmpneq_epi8_mask(second, unused))]
    }

    /// The slots of any 32 units, where `before` are the units one position earlier; `borrow` is for Corrected UTF-8
    /// and given by [`borrowing`].
    #[inline]
    pub(super) fn encode<const CORRECTED: bool>(units: __m512i, before: __m512i, high: u32, low: u32, borrow: u32) -> [(__m512i, u64); 2] {
        let marks = marks::<CORRECTED>(units);
        let marks = _mm512_mask_mov_epi16(marks, high, splat(0x80F0));
        let marks = _mm512_mask_mov_epi16(marks, low, splat(0x80FF));
        // For a high surrogate, its bits plus 40, the offset of pairs, shifted left by four. For a low surrogate, its
        // ten bits, below the last two of the high one.
        let shifted = _mm512_slli_epi16::<4>(units);
        // (With 110A0 subtracted, that is 4 less, or 5 where the last ten bits are less than A0.)
        let offset = if CORRECTED { 0x7FC0 } else { 0x8400 };
        let bits = _mm512_mask_add_epi16(bits::<CORRECTED>(units), high, shifted, splat(offset));
        let bits = if CORRECTED { _mm512_mask_sub_epi16(bits, high & borrow, bits, splat(0x10)) } else { bits };
        let joined = _mm512_ternarylogic_epi32::<0xCA>(splat(0x0C00), _mm512_slli_epi16::<10>(before), units);
        let joined = if CORRECTED { _mm512_sub_epi16(joined, splat(0xA0)) } else { joined };
        let bits = _mm512_mask_mov_epi16(bits, low, joined);
        let last = _mm512_mask_mov_epi16(last::<CORRECTED>(units, bits), high, splat(0x00FF));
        let order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
        let first_two = _mm512_permutexvar_epi64(order, first_two(bits, marks));
        interleave(first_two, _mm512_permutexvar_epi64(order, last))
    }

    /// The high and the low surrogates among the units.
    #[inline]
    pub(super) fn highs_and_lows(units: __m512i) -> (u32, u32) {
        let prefix = _mm512_and_si512(units, splat(0xFC00));
        (_mm512_cmpeq_epi16_mask(prefix, splat(0xD800)), _mm512_cmpeq_epi16_mask(prefix, splat(0xDC00)))
    }

    /// Which of the `low` surrogates have less than A0 in their ten bits, which takes one from the high surrogate.
    #[inline]
    pub(super) fn borrowing(units: __m512i, low: u32) -> u32 {
        _mm512_mask_cmplt_epu16_mask(low, units, splat(0xDCA0))
    }

    /// Which of the `high` surrogates are of pairs up to U+1109F, which have three bytes. (They are left to the codec.)
    #[inline]
    pub(super) fn of_three(units: __m512i, high: u32, borrow: u32) -> u32 {
        let edge = _mm512_mask_cmpeq_epi16_mask(high & borrow, units, splat(0xD804));
        edge | _mm512_mask_cmplt_epu16_mask(high, units, splat(0xD804))
    }

    /// Writes sixteen pairs; returns the number of bytes.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    pub(super) unsafe fn encode_pairs<const CORRECTED: bool>(pairs: __m512i, to: *mut u8) -> usize {
        // (high << 10) + low, plus the sum of the offset of pairs and the two prefixes, as signed words.
        let weights = _mm512_set1_epi32(0x0001_0400);
        let signed = |prefix: u32| prefix.wrapping_sub(0x1_0000);
        let offset = 0x1_0000u32.wrapping_sub(signed(0xD800) << 10).wrapping_sub(signed(0xDC00));
        let offset = if CORRECTED { offset.wrapping_sub(0x1_10A0) } else { offset };
        let points = _mm512_add_epi32(_mm512_madd_epi16(pairs, weights), _mm512_set1_epi32(offset as i32));
        let bits = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x2026_2C32_0006_0C12), points);
        let (mask, marks) = (_mm512_set1_epi32(0x3F3F_3F07), _mm512_set1_epi32(0x8080_80F0u32 as i32));
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_ternarylogic_epi32::<0xEA>(bits, mask, marks)) };
        BLOCK
    }
}

/// Whether a unit is a low surrogate with less than A0 in its ten bits: as [`borrowing`], for one unit.
#[inline(always)]
pub(super) fn borrows(unit: u16) -> bool {
    (0xDC00..0xDCA0).contains(&unit)
}

/// How the bytes of characters of three bytes come from their units.
struct Three {
    /// For each eight bytes: the four units that they may belong to.
    units: Table,
    /// For each byte: where its bits begin in these.
    shifts: Table,
    /// For each byte: which bits are kept.
    bits: Table,
    /// For each byte: the marker bits.
    marks: Table,
}

/// The bytes of the first register, and those behind them.
static FRONT: Three = Three::from(0);
static BACK: Three = Three::from(BLOCK);

impl Three {
    /// For the bytes from number `begin` on.
    #[inline]
    const fn from(begin: usize) -> Three {
        let (mut units, mut shifts) = ([0; BLOCK], [0; BLOCK]);
        let (mut bits, mut marks) = ([0; BLOCK], [0; BLOCK]);
        let mut i = 0;
        while i < BLOCK {
            let byte = begin + i;
            let first = (byte - byte % 8) / 3;
            shifts[i] = ((byte / 3 - first) * 16 + 12 - byte % 3 * 6) as u8;
            bits[i] = [0x0F, 0x3F, 0x3F][byte % 3];
            marks[i] = [0xE0, 0x80, 0x80][byte % 3];
            // The low byte of a word is the index of the unit.
            if i % 2 == 0 {
                units[i] = (first + i % 8 / 2) as u8;
            }
            i += 1;
        }
        Three { units: Table(units), shifts: Table(shifts), bits: Table(bits), marks: Table(marks) }
    }
}

/// For each lane the index of the lane before.
pub(super) static BEFORE: Table = {
    let mut indices = [0; BLOCK];
    let mut i = 2;
    while i < BLOCK {
        indices[i] = (i / 2 - 1) as u8;
        i += 2;
    }
    Table(indices)
};
