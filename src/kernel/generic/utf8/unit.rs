//! The test of a line: 64 bytes, and the three before them, over any vector.
//!
//! Characters of up to four bytes take the three [`lookups`](super::lookups). Below that, there are few rules, and they take fewer
//! instructions by themselves:
//!
//! - `sub(before, 40)`, unsigned and saturated, has the top bit if and only if the byte before is a lead byte, C0..FF; with 60,
//!   two bytes back, if it is one of three bytes or more. Then, and only then, this byte must be a continuation byte, for which
//!   `add(byte, 40)`, signed and saturated, has the top bit.
//! - Behind E0 a byte must be at least A0, and behind ED it must be less. So the byte before must not be E0 if this byte is less than
//!   A0 (80..9F are the smallest signed numbers), and not ED otherwise.
//! - C0 and C1 become the smallest of all signed numbers in `sub(before, 40)`, so they show in its minimum.
//! - Lead bytes of characters that are too long for the level show in the maximum of `before`.
//!
//! The minimum and the maximum of many lines are tested once. That makes 12 instructions for three bytes, and 6 for two, where the
//! lookups take 16. On Zen 4 (AVX2) a line of 64 bytes takes 3.6, 7 and 9.7 cycles at the levels of two, three and four bytes.
//!
//! In Corrected UTF-8 every lead byte allows every continuation byte, so only the first rule and the last are needed.

use super::super::BLOCK;
use super::lookups::Lookups;
use crate::kernel::vector::Vector;

/// The constants of a level: of those that it does not need nothing is loaded.
pub(in crate::kernel::generic) struct Level<V> {
    two: V,
    three: V,
    a0: V,
    ed: V,
    e0_for_ed: V,
    lookups: Lookups<V>,
}

/// What many lines have shown, when it is tested later.
#[derive(Clone, Copy)]
pub(in crate::kernel::generic) struct Sums<V> {
    /// The top bit of some byte is set if there is an error; at the highest level, any bit.
    errors: V,
    /// The least of the signed lead bytes minus 40.
    least: V,
    /// The greatest byte; at the highest level, where it only tells whether a lower one would do, that of the first
    /// vector of each line. (Emoji are 1.04 times as fast without the others: AVX2 and SSE4.2, AMD Zen 5.)
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
                three: V::splat(0xE0 - 0x80),
                a0: V::splat(0xA0),
                ed: V::splat(0xED),
                e0_for_ed: V::splat(0xE0 ^ 0xED),
                lookups: Lookups::new::<CORRECTED>(),
            }
        }
    }

    /// What characters of up to four bytes are looked up in.
    #[inline(always)]
    pub(super) fn lookups(&self) -> &Lookups<V> {
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
        let Sums { mut errors, mut least, greatest } = sums;
        // SAFETY: the caller's promise.
        unsafe {
            let bytes = V::load(p);
            if MOST == 4 {
                let errors = errors.or(self.lookups.errors_at(p, bytes));
                return Sums { errors, least, greatest: if first { greatest.max(bytes) } else { greatest } };
            }
            let before = V::load(p.sub(1));
            let lead = before.sub_saturating(self.two);
            let mut required = lead;
            if MOST == 3 {
                required = required.or(V::load(p.sub(2)).sub_saturating(self.three));
            }
            errors = errors.or(required.xor(bytes.add_signed_saturating(self.two)));
            if !CORRECTED {
                least = least.min_signed(lead);
            }
            if MOST == 3 && !CORRECTED {
                let small = self.a0.greater_signed(bytes);
                let refusing = self.ed.xor(small.and(self.e0_for_ed));
                errors = errors.or(before.equal(refusing));
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
    unsafe fn too_long<const MOST: usize>(&self, sums: Sums<V>) -> V {
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
            if !CORRECTED {
                // C0 and C1 are -128 and -127, and the others greater.
                errors = errors.or(sums.least.add_signed_saturating(V::splat(126)));
            }
            errors.any_sign_bit()
        }
    }
}
