//! Units of UTF-16 and UTF-32 in vectors, and the bytes that they become.
//!
//! Whatever the source, a step has one unit in each word of two bytes: the lower halves of UTF-32's units become the
//! same bytes as units of UTF-16 do. Each word w gives two others, which together are the character's slot of four
//! bytes:
//!
//! - `tails`: the last two bytes, 80 | w >> 6 & 3F and 80 | w & 3F; the first of them with bit 40 set, too, if it is
//!   the lead byte of two.
//! - `heads`: E0 | w >> 12, and w itself, which is an ASCII character.
//!
//! `marks` says with two sign bits which of them are used: the lower byte if there are three, the upper byte if there
//! are two or more.
//!
//! A surrogate is handled as a character of two bytes: a high surrogate makes the first two of the pair's four bytes, a low
//! surrogate the last two. Neither needs anything from its partner, except that the third byte has two bits of the high surrogate.
//! So a pair may lie anywhere, and its bytes go through the same table.
//!
//! The upper half h of a unit of UTF-32 has the bits that `heads` needs for four bytes: 80 | w >> 12 | h << 4 and F0 |
//! h >> 2; the marks are "three" without "two or more".

mod utf16;
mod utf32;

use crate::kernel::vector::Vector;

pub(super) use utf16::Units16;
pub(super) use utf32::Units32;

/// The bytes of as many characters as a vector has words, and which of them are used.
#[derive(Clone, Copy)]
pub(super) struct Slots<V> {
    pub(super) tails: V,
    pub(super) heads: V,
    pub(super) marks: V,
}

/// The result of a step that handles all units.
pub(super) struct Mixed<V> {
    pub(super) slots: Slots<V>,
    /// The errors that these units show, surrogates without a partner at the ends included: two bits for each unit.
    pub(super) errors: u32,
    /// Not zero where there is an error, given the units before.
    pub(super) errors_so_far: V,
}

/// The units of UTF-16 or of UTF-32.
///
/// # Safety
/// All methods are as those of [`Vector`].
pub(super) trait WideUnits {
    /// As many units as a vector has words of two bytes.
    type Units<V: Vector>: Copy;

    /// Bytes of a unit.
    const SIZE: usize;

    /// Whether there are surrogate pairs; otherwise some units become four bytes.
    const PAIRS: bool;

    /// The character at `p` and the number of its units, if it is well-formed and within the `left` units there;
    /// otherwise 0 units.
    unsafe fn character(p: *const u8, left: usize) -> (u32, usize);

    /// The units at `p`.
    unsafe fn load<V: Vector>(p: *const u8) -> Self::Units<V>;

    /// The units in `src`, fewer than those, followed by zeros.
    unsafe fn load_partial<V: Vector>(src: &[u8]) -> Self::Units<V>;

    /// Bitwise or.
    unsafe fn or<V: Vector>(one: Self::Units<V>, other: Self::Units<V>) -> Self::Units<V>;

    /// Whether some unit is above `most`, which is one less than a power of two.
    unsafe fn any_above<V: Vector>(units: Self::Units<V>, most: u16) -> bool;

    /// All ones in the words of the units up to `most`, which is one less than a power of two.
    unsafe fn up_to<V: Vector>(units: Self::Units<V>, most: u16) -> V;

    /// The units as words, if they fit; otherwise the result is unspecified.
    unsafe fn words<V: Vector>(units: Self::Units<V>) -> V;

    /// Not zero where a unit is not a character of the BMP; `words` are those of the units.
    unsafe fn not_basic<V: Vector>(units: Self::Units<V>, words: V) -> V;

    /// The unit before each of those at `p`, which are not the first; meaningless for UTF-32.
    unsafe fn load_before<V: Vector>(p: *const u8) -> V;

    /// The same for units that begin with a character, and have zero before them.
    unsafe fn before<V: Vector>(units: Self::Units<V>) -> V;

    /// Whether the unit that ends at `p` is a high surrogate.
    unsafe fn ends_with_high(p: *const u8) -> bool;

    /// The bytes of any units.
    unsafe fn mixed<V: Vector>(units: Self::Units<V>, before: V) -> Mixed<V>;

    /// The unit behind each of those at `p`; meaningless for UTF-32.
    unsafe fn load_behind<V: Vector>(p: *const u8) -> V;

    /// The same in Corrected UTF-8, which depends on the units behind, too. (The few pairs that become three bytes are
    /// errors here.)
    unsafe fn mixed_corrected<V: Vector>(units: Self::Units<V>, before: V, behind: V) -> Mixed<V>;
}

/// The bytes of characters of the BMP.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn basic<V: Vector, const CORRECTED: bool>(words: V) -> Slots<V> {
    // SAFETY: the caller's promise.
    unsafe {
        if !CORRECTED {
            let marks = marks(words);
            return Slots { tails: tails(words, marks), heads: heads(words), marks };
        }
        // (There are no surrogates and no C1 controls here.)
        let (bits, marks) = corrected(words);
        Slots { tails: tails(bits, marks), heads: heads(bits), marks }
    }
}

/// Characters of the BMP less the offsets of their lengths, and their marks.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn corrected<V: Vector>(words: V) -> (V, V) {
    // SAFETY: the caller's promise.
    unsafe {
        let (two, three, behind) =
            (words.at_least16(0x80), words.at_least16(0x8A0), words.at_least16(0xE000));
        let marks = two.and(V::splat16(0xFF00)).or(three.and(V::splat16(0x00FF)));
        let offset = two.and(V::splat16(0xA0)).or(three.and(V::splat16(0x8A0)));
        let offset = offset.add16(behind.and(V::splat16(0x800)));
        // Subtract the offset: add its complement and one.
        (words.add16(offset.xor(V::splat16(0xFFFF))).add16(V::splat16(1)), marks)
    }
}

/// All ones in the words that are C1 controls.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn controls<V: Vector>(words: V) -> V {
    // SAFETY: the caller's promise.
    unsafe { words.and(V::splat16(0xFFE0)).equal16(V::splat16(0x0080)) }
}

/// Sign bits where `words` become three bytes, and two or more.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn marks<V: Vector>(words: V) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        // The bits from 6 on decide: they are more than 1F, or more than 1.
        let upper = words.shr16::<6>().min16(V::splat16(0x7F));
        upper.repeat_low16().greater_signed(V::splat16(0x011F))
    }
}

/// The last two bytes; see above.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn tails<V: Vector>(words: V, marks: V) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        let first = words.shr16::<6>().and(V::splat16(0x003F));
        let second = words.shl16::<8>().and(V::splat16(0x3F00));
        let lead = V::splat16(0x0040).and_not(marks);
        first.or(second).or(V::splat16(0x8080)).or(lead)
    }
}

/// The first byte of three, and an ASCII character; see above.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn heads<V: Vector>(words: V) -> V {
    // SAFETY: the caller's promise.
    unsafe { words.shr16::<12>().or(words.shl16::<8>()).or(V::splat16(0x00E0)) }
}

/// Characters below U+0800 in slots of two bytes; the sign bit of a word says that both are used.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn two<V: Vector, const CORRECTED: bool>(words: V) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        if CORRECTED {
            // Less A0. Only ASCII characters are below their last byte, and their lead byte does not matter.
            let bits = words.add16(V::splat16(0xA0_u16.wrapping_neg()));
            let last = bits.and(V::splat16(0x003F)).or(V::splat16(0x0080)).min16(words);
            let lead = bits.shr16::<6>().and(V::splat16(0x001F)).or(V::splat16(0x00C0));
            return lead.or(last.shl16::<8>());
        }
        // ASCII is less than any continuation byte; and U+0080..U+00BF are less than C0, and equal their last byte.
        let last = words.and(V::splat16(0x003F)).or(V::splat16(0x0080)).min16(words);
        words.shr16::<6>().or(V::splat16(0x00C0)).or(last.shl16::<8>())
    }
}
