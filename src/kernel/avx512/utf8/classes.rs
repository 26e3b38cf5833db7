//! The class of each byte of a block, as masks; and what a lead byte requires of the byte after it, as tables.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::registers::{Table, load_table};
use crate::kernel::shared::opaque::opaque;

// All tables are for lead bytes, and indexed by the low six bits of C0..FF.

/// What to add to a second byte, 80..BF, to set its top bit if and only if its lead byte does not allow it.
const SECOND: Table = Table(second(0xF4));

/// The same, but lead bytes of four bytes allow nothing.
const SECOND_OF_THREE: Table = Table(second(0xEF));

/// The top bit for each lead byte that the loop for two bytes rejects.
const REJECTED_BY_TWO: Table = Table({
    let mut table = second(0xDF);
    let mut low = 0;
    while low < 64 {
        table[low] = if table[low] == 0 { 0x80 } else { 0 };
        low += 1;
    }
    table
});

/// The top bit for each lead byte of characters that Latin-1 does not have.
pub(in crate::kernel::avx512) const REJECTED_BY_LATIN1: Table = Table({
    let mut table = [0x80; 64];
    table[0xC2 & 0x3F] = 0;
    table[0xC3 & 0x3F] = 0;
    table
});

/// The tables of an encoding.
pub(in crate::kernel::avx512) struct Rules {
    /// [`SECOND`]
    pub(in crate::kernel::avx512) second: Table,
    /// [`SECOND_OF_THREE`]
    pub(in crate::kernel::avx512) second_of_three: Table,
    /// [`REJECTED_BY_TWO`]
    pub(in crate::kernel::avx512) rejected_by_two: Table,
}

/// The tables of UTF-8, or of Corrected UTF-8: there every lead byte up to F7 allows every continuation byte. (What
/// begins with F8..FD is not in Unicode, and is left to the codec.)
#[inline]
pub(in crate::kernel::avx512) const fn rules(corrected: bool) -> &'static Rules {
    if corrected { &CORRECTED } else { &STANDARD }
}

static STANDARD: Rules =
    Rules { second: SECOND, second_of_three: SECOND_OF_THREE, rejected_by_two: REJECTED_BY_TWO };

static CORRECTED: Rules = Rules {
    second: Table(any_second(0xF7, 0xC0, 0x00)),
    second_of_three: Table(any_second(0xEF, 0xC0, 0x00)),
    rejected_by_two: Table(any_second(0xDF, 0x00, 0x80)),
};

/// `up_to` for all lead bytes up to `highest`, and `above` for those above it.
#[inline]
const fn any_second(highest: u8, up_to: u8, above: u8) -> [u8; 64] {
    let mut table = [above; 64];
    let mut lead = 0xC0;
    while lead <= highest {
        table[lead as usize & 0x3F] = up_to;
        lead += 1;
    }
    table
}

/// The addends for lead bytes up to `highest`; those above it allow no second byte.
#[inline]
const fn second(highest: u8) -> [u8; 64] {
    let mut table = [0; 64];
    let mut lead = 0xC0;
    while lead <= highest {
        table[lead as usize & 0x3F] = match lead {
            0xC0..=0xC1 => 0x00, // none
            0xE0 => 0x60,        // A0..BF
            0xED => 0xE0,        // 80..9F
            0xF0 => 0x70,        // 90..BF
            0xF4 => 0xF0,        // 80..8F
            _ => 0xC0,           // 80..BF
        };
        lead += 1;
    }
    table
}

/// The classes of the 64 bytes of a block, a bit for each.
#[derive(Default)]
pub(super) struct Masks {
    /// Bytes that are not ASCII.
    pub(super) non_ascii: u64,
    /// C0..FF
    pub(super) leads: u64,
    /// E0..FF
    pub(super) threes: u64,
    /// F0..FF
    pub(super) fours: u64,
    /// Lead bytes that do not allow the byte behind them.
    pub(super) disallowed: u64,
}

impl Masks {
    /// The index of the first byte that breaks a rule, when the bits of `open` are bytes that must be continuation
    /// bytes; 64 for the byte behind the block.
    #[inline(always)]
    pub(super) fn first_error(&self, open: u64) -> Option<usize> {
        let misplaced = self.misplaced(open);
        if misplaced | self.disallowed == 0 {
            return None;
        }
        let second = if self.disallowed == 0 { BLOCK } else { self.disallowed.trailing_zeros() as usize + 1 };
        Some(second.min(misplaced.trailing_zeros() as usize))
    }

    /// The continuation bytes that no lead byte requires, and the other bytes where one is required.
    #[inline(always)]
    pub(super) fn misplaced(&self, open: u64) -> u64 {
        let required = open | self.leads << 1 | self.threes << 2 | self.fours << 3;
        required ^ (self.non_ascii & !self.leads)
    }
}

avx512! {
    /// The classes of `bytes`, of which those one position later are loaded from `next`. (Most text has no lead byte that refuses some
    /// continuation byte, or begins four bytes, and without one the comparisons would do. But to ask for one costs more where no predictor
    /// knows: strings of 1 to 63 bytes in many scripts took 8.5 ns instead of 6.9, emoji 4.3 to 7 instead of 3.5, and Arabic 3.05 instead
    /// of 3.5, on Intel Granite Rapids.)
    ///
    /// # Safety
    /// The bytes of `lanes` must be readable at `next`.
    #[inline]
    pub(super) unsafe fn classify<const CORRECTED: bool>(bytes: __m512i, next: *const u8, lanes: u64) -> Masks {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let non_ascii = opaque(_mm512_movepi8_mask(bytes));
        let leads = _mm512_cmpge_epu8_mask(bytes, splat(0xC0));
        let threes = _mm512_cmpge_epu8_mask(bytes, splat(0xE0));
        // SAFETY: the caller's promise.
        let next = unsafe { _mm512_maskz_loadu_epi8(lanes, next.cast()) };
        let second = _mm512_add_epi8(_mm512_permutexvar_epi8(bytes, load_table(&rules(CORRECTED).second)), next);
        Masks {
            non_ascii,
            leads,
            threes,
            fours: _mm512_cmpge_epu8_mask(bytes, splat(0xF0)),
            disallowed: _mm512_movepi8_mask(second) & leads,
        }
    }
}
