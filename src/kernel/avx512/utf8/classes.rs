//! What each byte of a block is, by masks; and what a lead byte says of the byte behind it, by
//! tables.

use super::super::BLOCK;
use super::super::arch::*;

/// A table for `vpermb`, for lead bytes: indexed by the low six bits of C0..FF.
#[repr(align(64))]
pub(in crate::kernel::avx512) struct ByLead(pub(super) [u8; 64]);

/// What to add to a second byte, 80..BF, so that its top bit is set iff its lead refuses it.
const SECOND: ByLead = ByLead(second(0xF4));

/// The same where leads of four bytes refuse everything.
const SECOND_OF_THREE: ByLead = ByLead(second(0xEF));

/// The top bit for each lead that mode 2 refuses.
const REFUSED: ByLead = ByLead({
    let mut table = second(0xDF);
    let mut low = 0;
    while low < 64 {
        table[low] = if table[low] == 0 { 0x80 } else { 0 };
        low += 1;
    }
    table
});

/// The top bit for each lead of characters that Latin-1 does not have.
pub(in crate::kernel::avx512) const REFUSED_BY_LATIN1: ByLead = ByLead({
    let mut table = [0x80; 64];
    table[0xC2 & 0x3F] = 0;
    table[0xC3 & 0x3F] = 0;
    table
});

/// The top bit for each lead that does not take every continuation byte, or begins four bytes.
const PARTICULAR: ByLead = ByLead({
    let mut table = second(0xEF);
    let mut low = 0;
    while low < 64 {
        table[low] = if table[low] == 0xC0 { 0 } else { 0x80 };
        low += 1;
    }
    table
});

/// The tables of an encoding.
pub(in crate::kernel::avx512) struct Rules {
    /// [`SECOND`]
    pub(in crate::kernel::avx512) second: ByLead,
    /// [`SECOND_OF_THREE`]
    pub(in crate::kernel::avx512) second_of_three: ByLead,
    /// [`REFUSED`]
    pub(in crate::kernel::avx512) refused: ByLead,
    /// [`PARTICULAR`]
    pub(in crate::kernel::avx512) particular: ByLead,
}

/// Those of UTF-8, or of Corrected UTF-8: there every lead up to F7 takes every continuation byte. (What
/// begins with F8..FD has no place in Unicode, and is left to the machine.)
#[inline]
pub(in crate::kernel::avx512) const fn rules(corrected: bool) -> &'static Rules {
    if corrected { &CORRECTED } else { &STANDARD }
}

static STANDARD: Rules =
    Rules { second: SECOND, second_of_three: SECOND_OF_THREE, refused: REFUSED, particular: PARTICULAR };

static CORRECTED: Rules = Rules {
    second: ByLead(any_second(0xF7, 0xC0, 0x00)),
    second_of_three: ByLead(any_second(0xEF, 0xC0, 0x00)),
    refused: ByLead(any_second(0xDF, 0x00, 0x80)),
    particular: ByLead(any_second(0xEF, 0x00, 0x80)),
};

/// The same for all leads up to `highest`, and the same for all above it.
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

/// The addends for leads up to `highest`; those above it refuse every second byte.
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
    pub(super) signs: u64,
    /// C0..FF
    pub(super) leads: u64,
    /// E0..FF
    pub(super) threes: u64,
    /// F0..FF
    pub(super) fours: u64,
    /// Leads that refuse the byte after them as second byte.
    pub(super) refused: u64,
}

impl Masks {
    /// The place of the first byte that breaks a rule, when the bits of `open` are bytes that must
    /// be continuation bytes; 64 for the byte after the block.
    #[inline(always)]
    pub(super) fn first_error(&self, open: u64) -> Option<usize> {
        let misplaced = self.misplaced(open);
        if misplaced | self.refused == 0 {
            return None;
        }
        let second = if self.refused == 0 { BLOCK } else { self.refused.trailing_zeros() as usize + 1 };
        Some(second.min(misplaced.trailing_zeros() as usize))
    }

    /// The continuation bytes that nothing asks for, and the other bytes where one is asked for.
    #[inline(always)]
    pub(super) fn misplaced(&self, open: u64) -> u64 {
        let asked = open | self.leads << 1 | self.threes << 2 | self.fours << 3;
        asked ^ (self.signs & !self.leads)
    }

    /// Which of the first bytes of the next block must be continuation bytes.
    #[inline(always)]
    pub(super) fn open(&self) -> u64 {
        self.leads >> 63 | self.threes >> 62 | self.fours >> 61
    }
}

/// `mask`, in a general register and of unknown origin: LLVM would test it where it is now, and
/// move it all the same when it is needed again.
#[inline(always)]
pub(super) fn opaque(mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut mask = mask;
        // SAFETY: no instruction at all.
        unsafe {
            core::arch::asm!("/* {mask} */", mask = inout(reg) mask, options(pure, nomem, nostack, preserves_flags))
        };
        mask
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        mask
    }
}

avx512! {
    /// The classes of `bytes`. Most text has no lead that is particular about its second byte, and
    /// none of four bytes; then that is all that it takes. Otherwise the bytes one further on are
    /// loaded from `next`.
    ///
    /// # Safety
    /// The bytes of `lanes` must be readable at `next`.
    #[inline]
    pub(super) unsafe fn classify<const CORRECTED: bool>(bytes: __m512i, next: *const u8, lanes: u64) -> Masks {
        let floor = |byte: u8| _mm512_set1_epi8(byte as i8);
        let signs = opaque(_mm512_movepi8_mask(bytes));
        let leads = _mm512_cmpge_epu8_mask(bytes, floor(0xC0));
        let threes = _mm512_cmpge_epu8_mask(bytes, floor(0xE0));
        let particular = _mm512_movepi8_mask(_mm512_permutexvar_epi8(bytes, table(&rules(CORRECTED).particular)));
        if particular & leads == 0 {
            return Masks { signs, leads, threes, fours: 0, refused: 0 };
        }
        // SAFETY: the caller's promise.
        let next = unsafe { _mm512_maskz_loadu_epi8(lanes, next.cast()) };
        let second = _mm512_add_epi8(_mm512_permutexvar_epi8(bytes, table(&rules(CORRECTED).second)), next);
        Masks {
            signs,
            leads,
            threes,
            fours: _mm512_cmpge_epu8_mask(bytes, floor(0xF0)),
            refused: _mm512_movepi8_mask(second) & leads,
        }
    }

    #[inline]
    pub(in crate::kernel::avx512) fn table(table: &ByLead) -> __m512i {
        // SAFETY: a table has 64 bytes.
        unsafe { _mm512_load_si512(table.0.as_ptr().cast()) }
    }
}
