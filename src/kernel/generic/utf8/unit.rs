//! The test of a line: 64 bytes, and the three before them, over any vector.
//!
//! Characters of up to four bytes take the three [`lookups`](super::lookups). At the lower levels there are few rules, and testing
//! them one by one takes fewer instructions:
//!
//! - `sub(before, 40)`, unsigned and saturated, has the top bit if and only if the byte before is a lead byte, C0..FF; with 60 and
//!   two bytes back, if it is a lead byte of three bytes or more. If, and only if, one of these is so, this byte must be a
//!   continuation byte, for which `add(byte, 40)`, signed and saturated, has the top bit.
//! - Lead bytes of characters that are too long for the level show in the maximum of `before`.
//! - C0 and C1: at the level of two bytes, they become the smallest of all signed numbers in `sub(before, 40)`, so they show in its
//!   minimum.
//! - At the level of three bytes, a second byte that its lead byte does not allow shows in the same maximum as characters that are too
//!   long. Before the maximum is taken, `before` is combined by exclusive or with a value that is looked up by the high half of this byte.
//!   If this byte is 80..9F, that turns E0 into EF; if it is A0..BF, it turns ED into EF. As it changes only the low half, no other lead
//!   byte of three bytes becomes EF. If this byte is not a continuation byte, C0 and C1 become FF and FE, and neither ASCII nor
//!   continuation bytes become as large; if it is one, these two are not treated as lead bytes (`sub(before, 42)`), so that no continuation
//!   byte is required.
//!
//! The minimum and the maximum of many lines are tested once. That makes 11 operations for three bytes, and 6 for two, where the lookups
//! take 16. When E0 and ED were compared with what this byte does not allow, and C0 and C1 had a minimum, three bytes took 13 operations: a
//! line of 64 bytes took 3.6, 7 and 9.7 cycles at the levels of two, three and four bytes, and text in scripts of three bytes was at 0.93
//! (AVX2, AMD Zen 4).
//!
//! In Corrected UTF-8 every lead byte allows every continuation byte, so only the first rule and the second are needed.

use super::super::BLOCK;
use super::lookups::Lookups;
use crate::kernel::vector::Vector;

/// By the high half of a byte plus 40: what turns a byte before it that refuses it into EF or more, and no other into that. (Plus 40,
/// continuation bytes are C0..FF, and what is not is less than 80.)
static REFUSING: [u8; 16] = {
    let mut table = [0x3F; 16];
    // 80..9F is refused by E0, A0..BF by ED; what is no continuation byte by C0 and C1, too.
    table[0xC] = 0xE0 ^ 0xEF;
    table[0xD] = 0xE0 ^ 0xEF;
    table[0xE] = 0xED ^ 0xEF;
    table[0xF] = 0xED ^ 0xEF;
    table
};

/// The constants of a level: of those that it does not need nothing is loaded.
pub(in crate::kernel::generic) struct Level<V> {
    two: V,
    more_than_one: V,
    three: V,
    refusing: V,
    lookups: Lookups<V>,
}

/// What many lines have shown, when it is tested later.
#[derive(Clone, Copy)]
pub(in crate::kernel::generic) struct Sums<V> {
    /// The top bit of some byte is set if there is an error; at the highest level, any bit.
    errors: V,
    /// At the level of two bytes the least of the signed lead bytes minus 40.
    least: V,
    /// The greatest byte, at the level of three as what follows has changed it; at the highest level, where it only tells whether a lower one would do,
    /// that of the first vector of each line. (Emoji are 1.04 times as fast without the others: AVX2 and SSE4.2, AMD Zen 5.)
    pub(in crate::kernel::generic) greatest: V,
}

impl<V: Vector> Sums<V> {
    /// # Safety
    /// As for [`Vector`]; the same holds for all functions here.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        let zero = unsafe { V::splat(0) };
        Sums { errors: zero, least: zero, greatest: zero }
    }
}

impl<V: Vector> Level<V> {
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn new<const CORRECTED: bool>() -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Level {
                two: V::splat(0xC0 - 0x80),
                more_than_one: V::splat(0xC2 - 0x80),
                three: V::splat(0xE0 - 0x80),
                refusing: V::table(&REFUSING),
                lookups: Lookups::new::<CORRECTED>(),
            }
        }
    }

    /// What characters of up to four bytes are looked up in.
    #[inline(always)]
    pub(in crate::kernel::generic) fn lookups(&self) -> &Lookups<V> {
        &self.lookups
    }

    /// `sums`, and the 64 bytes at `p`, with characters of up to `MOST` bytes.
    ///
    /// # Safety
    /// They must be readable, and so must the three bytes before them.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn line<const MOST: usize, const CORRECTED: bool>(
        &self,
        mut sums: Sums<V>,
        p: *const u8,
    ) -> Sums<V> {
        for vector in 0..BLOCK / V::LEN {
            // SAFETY: the caller's promise.
            sums = unsafe { self.vector::<MOST, CORRECTED>(sums, p.add(vector * V::LEN), vector == 0) };
        }
        sums
    }

    /// The same for a vector, which is the `first` of its line or not.
    #[inline(always)]
    unsafe fn vector<const MOST: usize, const CORRECTED: bool>(
        &self,
        sums: Sums<V>,
        p: *const u8,
        first: bool,
    ) -> Sums<V> {
        // SAFETY: the caller's promise.
        unsafe {
            let bytes = V::load(p);
            if MOST == 4 {
                let errors = sums.errors.or(self.lookups.errors_at(p, bytes));
                let greatest = if first { sums.greatest.max(bytes) } else { sums.greatest };
                return Sums { errors, greatest, ..sums };
            }
            let before = V::load(p.sub(1));
            let second_before = if MOST == 3 { V::load(p.sub(2)) } else { before };
            self.up_to_three::<MOST, CORRECTED>(sums, bytes, before, second_before)
        }
    }

    /// `sums`, and a vector with characters of up to `MOST` bytes, 2 or 3: these, the ones that begin a byte earlier, and, if it is 3, those that
    /// begin two bytes earlier.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn up_to_three<const MOST: usize, const CORRECTED: bool>(
        &self,
        sums: Sums<V>,
        bytes: V,
        mut before: V,
        second_before: V,
    ) -> Sums<V> {
        let Sums { mut errors, mut least, greatest } = sums;
        let exact = MOST == 3 && !CORRECTED;
        // SAFETY: the caller's promise.
        unsafe {
            let lead = before.sub_saturating(if exact { self.more_than_one } else { self.two });
            let mut required = lead;
            if MOST == 3 {
                required = required.or(second_before.sub_saturating(self.three));
            }
            let continues = bytes.add_signed_saturating(self.two);
            errors = errors.or(required.xor(continues));
            if exact {
                before = before.xor(continues.high_nibbles().lookup(self.refusing));
            } else if !CORRECTED {
                least = least.min_signed(lead);
            }
            Sums { errors, least, greatest: greatest.max(before) }
        }
    }

    /// Whether the lines of these sums have errors, or longer characters.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn refused<const MOST: usize, const CORRECTED: bool>(
        &self,
        sums: Sums<V>,
    ) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            if MOST == 4 {
                return self.has_errors::<MOST, CORRECTED>(sums);
            }
            let errors = sums.errors.or(self.too_long::<MOST>(sums));
            self.has_errors::<MOST, CORRECTED>(Sums { errors, ..sums })
        }
    }

    /// The top bit of some byte is set if the lines of these sums have longer characters than of `MOST` bytes, two or three.
    #[inline(always)]
    pub(super) unsafe fn too_long<const MOST: usize>(&self, sums: Sums<V>) -> V {
        let least = if MOST == 3 { 0xF0 } else { 0xE0 };
        // SAFETY: the caller's promise.
        unsafe { sums.greatest.sub_saturating(V::splat(least - 0x80)) }
    }

    /// Whether the lines of these sums have errors, if they have no longer characters.
    #[inline(always)]
    pub(in crate::kernel::generic) unsafe fn has_errors<const MOST: usize, const CORRECTED: bool>(
        &self,
        sums: Sums<V>,
    ) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            if MOST == 4 {
                return sums.errors.any();
            }
            let mut errors = sums.errors;
            if MOST == 3 && !CORRECTED {
                // What is refused has become EF or more.
                errors = errors.or(sums.greatest.sub_saturating(V::splat(0xEF - 0x80)));
            } else if !CORRECTED {
                // C0 and C1 are -128 and -127, and the others greater.
                errors = errors.or(sums.least.add_signed_saturating(V::splat(126)));
            }
            errors.any_sign_bit()
        }
    }
}
