//! The general test of UTF-8: three lookups and two saturating subtractions.
//!
//! Keiser and Lemire ("Validating UTF-8 in less than one instruction per byte", 2021) found that every error within two bytes shows
//! in three lookups of sixteen entries: by the high and the low half of the first byte, and the high half of the second. Each entry
//! is the set of errors that are possible with this half; an error is real if it is in all three sets. The top bit of the sets
//! means "two continuation bytes in succession", which is an error unless a lead byte of three or four bytes stands two or three
//! bytes earlier, and is required if there is such a lead byte.
//!
//! Corrected UTF-8 uses other sets, most of them empty.
//!
//! The test looks back by loads at one, two and three bytes earlier, not by shifting two registers together: a load
//! needs no shuffle port, of which the lookups need three already. Only at the start of the input, where there is
//! nothing to load, are registers shifted.

use crate::kernel::vector::Vector;

/// A lead byte without a continuation byte behind it.
const TOO_SHORT: u8 = 1 << 0;
/// ASCII with a continuation byte behind it.
const TOO_LONG: u8 = 1 << 1;
/// E0 80..9F.
const OVERLONG_3: u8 = 1 << 2;
/// F4 90..BF, and [`TOO_LARGE_1000`].
const TOO_LARGE: u8 = 1 << 3;
/// ED A0..BF.
const SURROGATE: u8 = 1 << 4;
/// C0, C1.
const OVERLONG_2: u8 = 1 << 5;
/// F0 80..8F; and F5..FF followed by 80..8F, which share a bit because there are only eight.
const OVERLONG_4: u8 = 1 << 6;
const TOO_LARGE_1000: u8 = 1 << 6;
/// Two continuation bytes in succession: the top bit.
const TWO_CONTINUATIONS: u8 = 1 << 7;
/// The errors that do not depend on the low half of the first byte.
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

/// By the high half of the first byte.
static FIRST_HIGH: [u8; 16] = {
    let mut table = [0; 16];
    let mut high = 0;
    while high < 16 {
        table[high] = match high {
            0x0..=0x7 => TOO_LONG,
            0x8..=0xB => TWO_CONTINUATIONS,
            0xC => TOO_SHORT | OVERLONG_2,
            0xD => TOO_SHORT,
            0xE => TOO_SHORT | OVERLONG_3 | SURROGATE,
            _ => TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
        };
        high += 1;
    }
    table
};

/// For Corrected UTF-8: nothing is overlong or a surrogate. F4 88 and above, and F8..FF, are left to the codec.
static CORRECTED_HIGH: [u8; 16] = {
    let mut table = FIRST_HIGH;
    table[0xC] = TOO_SHORT;
    table[0xE] = TOO_SHORT;
    table[0xF] = TOO_SHORT | TOO_LARGE;
    table
};
static CORRECTED_LOW: [u8; 16] = {
    let mut table = [CARRY; 16];
    let mut low = 0x8;
    while low < 16 {
        table[low] |= TOO_LARGE;
        low += 1;
    }
    table
};
static CORRECTED_SECOND: [u8; 16] = {
    let mut table = SECOND_HIGH;
    let mut high = 0x8;
    while high < 0xC {
        table[high] |= TOO_LARGE;
        high += 1;
    }
    table
};

/// The same where F0..F7 are always errors, and so is EF before a continuation byte: this rejects what is not in the
/// BMP, except for some sequences that begin with EE.
static CORRECTED_BASIC_HIGH: [u8; 16] = {
    let mut table = CORRECTED_HIGH;
    table[0xE] |= OVERLONG_3;
    table[0xF] = TOO_SHORT | TOO_LONG;
    table
};
static CORRECTED_BASIC_LOW: [u8; 16] = {
    let mut table = [CARRY; 16];
    table[0xF] |= OVERLONG_3;
    table
};
static CORRECTED_BASIC_SECOND: [u8; 16] = {
    let mut table = SECOND_HIGH;
    let mut high = 0x8;
    while high < 0xC {
        table[high] |= OVERLONG_3;
        high += 1;
    }
    table
};

/// By the low half of the first byte.
static FIRST_LOW: [u8; 16] = {
    let mut table = [0; 16];
    let mut low = 0;
    while low < 16 {
        table[low] = CARRY
            | match low {
                0x0 => OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
                0x1 => OVERLONG_2,
                0x2 | 0x3 => 0,
                0x4 => TOO_LARGE,
                0xD => TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
                _ => TOO_LARGE | TOO_LARGE_1000,
            };
        low += 1;
    }
    table
};

/// By the high half of the second byte.
static SECOND_HIGH: [u8; 16] = {
    let mut table = [0; 16];
    let mut high = 0;
    while high < 16 {
        table[high] = match high {
            0x8 => TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
            0x9 => TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE,
            0xA | 0xB => TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE,
            _ => TOO_SHORT,
        };
        high += 1;
    }
    table
};

/// The tables of the general test, in registers.
pub(in crate::kernel::generic) struct Lookups<V> {
    first_high: V,
    first_low: V,
    second_high: V,
    pub(super) threes: V,
    fours: V,
}

impl<V: Vector> Lookups<V> {
    /// For text whose characters have up to four bytes.
    ///
    /// # Safety
    /// As for [`Vector`]; the same holds for the other methods.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn new<const CORRECTED: bool>() -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Lookups {
                first_high: V::table(if CORRECTED { &CORRECTED_HIGH } else { &FIRST_HIGH }),
                first_low: V::table(if CORRECTED { &CORRECTED_LOW } else { &FIRST_LOW }),
                second_high: V::table(if CORRECTED { &CORRECTED_SECOND } else { &SECOND_HIGH }),
                threes: V::splat(0xE0 - 0x80),
                fours: V::splat(0xF0 - 0x80),
            }
        }
    }

    /// For Corrected UTF-8 in the BMP, nearly: see [`CORRECTED_BASIC_HIGH`].
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn corrected_basic() -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Lookups {
                first_high: V::table(&CORRECTED_BASIC_HIGH),
                first_low: V::table(&CORRECTED_BASIC_LOW),
                second_high: V::table(&CORRECTED_BASIC_SECOND),
                threes: V::splat(0xE0 - 0x80),
                fours: V::splat(0xF0 - 0x80),
            }
        }
    }

    /// The errors in `bytes`, which follow `before`: a byte that is not zero where a rule is broken.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn errors(&self, bytes: V, before: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let third = bytes.previous::<2>(before).sub_saturating(self.threes);
            let fourth = bytes.previous::<3>(before).sub_saturating(self.fours);
            self.pair_errors(bytes, bytes.previous::<1>(before), third.or(fourth))
        }
    }

    /// The errors in `bytes`, which are those at `p`. There must be three bytes before `p`.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn errors_at(&self, p: *const u8, bytes: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let third = V::load(p.sub(2)).sub_saturating(self.threes);
            let fourth = V::load(p.sub(3)).sub_saturating(self.fours);
            self.pair_errors(bytes, V::load(p.sub(1)), third.or(fourth))
        }
    }

    /// The errors in pairs of bytes; the top bit of `continues` is set where the byte must be the third or fourth of a
    /// character.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn pair_errors(&self, bytes: V, previous: V, continues: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let first_high = previous.high_nibbles().lookup(self.first_high);
            let first_low = previous.low_nibbles().lookup(self.first_low);
            let second_high = bytes.high_nibbles().lookup(self.second_high);
            let errors = first_high.and(first_low).and(second_high);
            errors.xor(continues.and(V::splat(0x80)))
        }
    }
}
