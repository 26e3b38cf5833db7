//! Units of UTF-16 and UTF-32 in vectors, and the bytes that they become.
//!
//! Whatever the source, a step has one unit in each word of two bytes, for the lower halves of
//! UTF-32's units make the same bytes as units of UTF-16 do. Of each word w come two others, which
//! together are the character's slot of four bytes:
//!
//! - `tails`: the last two bytes, 80 | w >> 6 & 3F and 80 | w & 3F; the first of them with a bit 40
//!   more if it is the lead of two.
//! - `heads`: E0 | w >> 12, and w itself, which is an ASCII character.
//!
//! `marks` says with two signs which of them are there: the lower byte if there are three, the upper
//! if there are two or more.
//!
//! A surrogate is a character of two bytes: a high one makes the first two of the pair's four, a low
//! one the last two. Each needs nothing of its partner but that the third byte has two bits of the
//! high one. So a pair may lie anywhere, and what it makes goes through the same table.
//!
//! In UTF-32 the upper half h of such a unit has the bits that `heads` then needs: 80 | w >> 12 | h << 4
//! and F0 | h >> 2; the signs are "three" without "two or more".

use crate::kernel::shared::character::read_character;
use crate::kernel::vector::Vector;
use crate::unicode::{Form, Utf16Form, Utf32Form, is_high, is_surrogate};

/// The bytes of as many characters as a vector has words, and how many of them are there.
#[derive(Clone, Copy)]
pub(super) struct Slots<V> {
    pub(super) tails: V,
    pub(super) heads: V,
    pub(super) marks: V,
}

/// What a step finds that takes units of all kinds.
pub(super) struct Mixed<V> {
    pub(super) slots: Slots<V>,
    /// Where something is wrong, or missing behind, as far as these units tell: two bits for each.
    pub(super) wrong: u32,
    /// Something where something is wrong, in the light of the units before.
    pub(super) wrong_so_far: V,
    /// Something in the units of characters beyond the basic plane.
    pub(super) beyond: V,
}

/// Units of one of the two forms.
///
/// # Safety
/// All methods are as those of [`Vector`].
pub(super) trait Wide {
    /// As many units as a vector has words of two bytes.
    type Units<V: Vector>: Copy;

    /// Bytes of a unit.
    const SIZE: usize;

    /// Whether units make pairs; otherwise some become four bytes.
    const PAIRS: bool;

    /// The character at `p`, if it is in order among the `left` units there, and its units; or 0.
    unsafe fn character(p: *const u8, left: usize) -> (u32, usize);

    /// The units at `p`.
    unsafe fn load<V: Vector>(p: *const u8) -> Self::Units<V>;

    /// The units in `src`, fewer, and zeros behind them.
    unsafe fn load_partial<V: Vector>(src: &[u8]) -> Self::Units<V>;

    /// Bit by bit.
    unsafe fn or<V: Vector>(one: Self::Units<V>, other: Self::Units<V>) -> Self::Units<V>;

    /// Whether some unit has a bit that `bits` has not.
    unsafe fn any_outside<V: Vector>(units: Self::Units<V>, bits: u16) -> bool;

    /// Ones in the words of those units that have no bit that `bits` has not.
    unsafe fn within<V: Vector>(units: Self::Units<V>, bits: u16) -> V;

    /// The units as words, if they fit; otherwise anything.
    unsafe fn words<V: Vector>(units: Self::Units<V>) -> V;

    /// Ones or something else where a unit, of which these are the words, is no character of the basic
    /// plane.
    unsafe fn irregular<V: Vector>(units: Self::Units<V>, words: V) -> V;

    /// The units at `p`, which are not the first, each replaced by the one before it, where that matters.
    unsafe fn load_before<V: Vector>(p: *const u8) -> V;

    /// The same for units that are the first of a character.
    unsafe fn before<V: Vector>(units: Self::Units<V>) -> V;

    /// Whether a character goes on behind the unit that ends at `p`.
    unsafe fn is_open(p: *const u8) -> bool;

    /// The bytes of units of all kinds.
    unsafe fn mixed<V: Vector>(units: Self::Units<V>, before: V) -> Mixed<V>;

    /// The units at `p`, each replaced by the one behind it, where that matters.
    unsafe fn load_behind<V: Vector>(p: *const u8) -> V;

    /// The same bytes in Corrected UTF-8, in the light of the units behind, too. (The few pairs of three
    /// bytes are wrong here.)
    unsafe fn mixed_corrected<V: Vector>(units: Self::Units<V>, before: V, behind: V) -> Mixed<V>;
}

/// The bytes of characters of the basic plane.
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
        // (Surrogates and C1 controls do not come here.)
        let (bits, marks) = corrected(words);
        Slots { tails: tails(bits, marks), heads: heads(bits), marks }
    }
}

/// Characters of the basic plane less the offsets of their lengths, and their marks.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn corrected<V: Vector>(words: V) -> (V, V) {
    // SAFETY: the caller's promise.
    unsafe {
        let (two, three, behind) =
            (at_least16(words, 0x80), at_least16(words, 0x8A0), at_least16(words, 0xE000));
        let marks = two.and(V::splat16(0xFF00)).or(three.and(V::splat16(0x00FF)));
        let offset = two.and(V::splat16(0xA0)).or(three.and(V::splat16(0x8A0)));
        let offset = offset.add16(behind.and(V::splat16(0x800)));
        // Less the offset: one more than its complement.
        (words.add16(offset.xor(V::splat16(0xFFFF))).add16(V::splat16(1)), marks)
    }
}

/// Ones in the words that are at least so much.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn at_least16<V: Vector>(words: V, least: u16) -> V {
    // SAFETY: the caller's promise.
    unsafe { words.min16(V::splat16(least)).equal16(V::splat16(least)) }
}

/// Ones in the words that are C1 controls.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn controls<V: Vector>(words: V) -> V {
    // SAFETY: the caller's promise.
    unsafe { words.and(V::splat16(0xFFE0)).equal16(V::splat16(0x0080)) }
}

/// Signs where `words` make three bytes, and two or more.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn marks<V: Vector>(words: V) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        // What is left of a word decides: it is more than 1F, or more than 1.
        let left = words.shr16::<6>().min16(V::splat16(0x7F));
        left.repeat_low16().greater_signed(V::splat16(0x011F))
    }
}

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

/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn heads<V: Vector>(words: V) -> V {
    // SAFETY: the caller's promise.
    unsafe { words.shr16::<12>().or(words.shl16::<8>()).or(V::splat16(0x00E0)) }
}

/// Characters below U+0800 in slots of two bytes; the sign of a word says that both are there.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn two<V: Vector, const CORRECTED: bool>(words: V) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        if CORRECTED {
            // Less A0; and no character is below its last byte but ASCII, whose lead is no matter.
            let bits = words.add16(V::splat16(0xA0_u16.wrapping_neg()));
            let last = bits.and(V::splat16(0x003F)).or(V::splat16(0x0080)).min16(words);
            let lead = bits.shr16::<6>().and(V::splat16(0x001F)).or(V::splat16(0x00C0));
            return lead.or(last.shl16::<8>());
        }
        // ASCII is less than any continuation byte; and what is less than C0 is its own.
        let last = words.and(V::splat16(0x003F)).or(V::splat16(0x0080)).min16(words);
        words.shr16::<6>().or(V::splat16(0x00C0)).or(last.shl16::<8>())
    }
}

/// UTF-16; `SWAP` if its bytes are not in this machine's order.
pub(super) struct Units16<const SWAP: bool>;

impl<const SWAP: bool> Wide for Units16<SWAP> {
    type Units<V: Vector> = V;
    const SIZE: usize = 2;
    const PAIRS: bool = true;

    #[inline(always)]
    unsafe fn character(p: *const u8, left: usize) -> (u32, usize) {
        // SAFETY: there are two units, or one and no look at a second.
        unsafe {
            if left > 1 {
                return read_character::<Utf16Form<SWAP>>(p.cast());
            }
            let unit = Utf16Form::<SWAP>::value(p.cast::<u16>().read_unaligned());
            (unit, usize::from(!is_surrogate(unit)))
        }
    }

    #[inline(always)]
    unsafe fn load<V: Vector>(p: *const u8) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let units = V::load(p);
            if SWAP { units.swap16() } else { units }
        }
    }

    #[inline(always)]
    unsafe fn load_partial<V: Vector>(src: &[u8]) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let units = V::load_partial(src);
            if SWAP { units.swap16() } else { units }
        }
    }

    #[inline(always)]
    unsafe fn or<V: Vector>(one: V, other: V) -> V {
        // SAFETY: the caller's promise.
        unsafe { one.or(other) }
    }

    #[inline(always)]
    unsafe fn any_outside<V: Vector>(units: V, bits: u16) -> bool {
        // SAFETY: the caller's promise.
        unsafe { units.intersects(V::splat16(!bits)) }
    }

    #[inline(always)]
    unsafe fn within<V: Vector>(units: V, bits: u16) -> V {
        // SAFETY: the caller's promise.
        unsafe { units.and(V::splat16(!bits)).equal16(V::splat(0)) }
    }

    #[inline(always)]
    unsafe fn words<V: Vector>(units: V) -> V {
        units
    }

    #[inline(always)]
    unsafe fn irregular<V: Vector>(_: V, words: V) -> V {
        // SAFETY: the caller's promise.
        unsafe { words.surrogates() }
    }

    #[inline(always)]
    unsafe fn load_before<V: Vector>(p: *const u8) -> V {
        // SAFETY: there is a unit before `p`; the rest is the caller's promise.
        unsafe { Self::load(p.sub(2)) }
    }

    #[inline(always)]
    unsafe fn before<V: Vector>(units: V) -> V {
        // SAFETY: the caller's promise.
        unsafe { units.previous::<2>(V::splat(0)) }
    }

    #[inline(always)]
    unsafe fn is_open(p: *const u8) -> bool {
        // SAFETY: the caller's promise.
        is_high(Utf16Form::<SWAP>::value(unsafe { p.sub(2).cast::<u16>().read_unaligned() }))
    }

    #[inline(always)]
    unsafe fn mixed<V: Vector>(units: V, before: V) -> Mixed<V> {
        // SAFETY: the caller's promise.
        unsafe {
            let kind = units.and(V::splat16(0xFC00));
            let (high, low) = (kind.equal16(V::splat16(0xD800)), kind.equal16(V::splat16(0xDC00)));
            let marks = marks(units);
            // The tails of a low surrogate are right but for two bits, which are ones.
            let two_bits = V::splat16(0x0030).and_not(before.shl16::<4>()).and(low);
            let tails = tails(units, marks).xor(two_bits);
            // Those of a high one come from the upper eleven bits of the pair's code point.
            let upper = units.add16(V::splat16(0x0040_u16.wrapping_sub(0xD800)));
            let front = upper.shr16::<8>().or(upper.shl16::<6>().and(V::splat16(0x3F00)));
            let tails = high.select(front.or(V::splat16(0x80F0)), tails);
            let marks = marks.and_not(high.or(low).and(V::splat16(0x00FF)));

            let slots = Slots { tails, heads: heads(units), marks };
            let after_high = before.and(V::splat16(0xFC00)).equal16(V::splat16(0xD800));
            let (wrong_so_far, beyond) = (after_high.xor(low), high.or(low));
            let (high, low) = (high.signs(), low.signs());
            Mixed { slots, wrong: high & !(low >> 2) | low & !(high << 2), wrong_so_far, beyond }
        }
    }

    #[inline(always)]
    unsafe fn load_behind<V: Vector>(p: *const u8) -> V {
        // SAFETY: the caller's promise.
        unsafe { Self::load(p.add(2)) }
    }

    #[inline(always)]
    unsafe fn mixed_corrected<V: Vector>(units: V, before: V, behind: V) -> Mixed<V> {
        // SAFETY: the caller's promise.
        unsafe {
            let kind = units.and(V::splat16(0xFC00));
            let (high, low) = (kind.equal16(V::splat16(0xD800)), kind.equal16(V::splat16(0xDC00)));
            let pair = high.or(low);
            let (bits, marks) = corrected(units);
            // What is taken off a pair is A0 in the ten bits of the low one, and four in those of the high
            // one; and one more, if the low one has less than A0.
            let has_enough = |units: V| at_least16(units, 0xDCA0);
            let ten = units.add16(V::splat16(0xA0_u16.wrapping_neg()));
            let bits = low.select(ten, bits);
            // Ones are added to the high unit's bits, where one is to be taken off.
            let upper = before.add16(has_enough(units).xor(V::splat(0xFF)));
            let two_bits = upper.shl16::<4>().and(V::splat16(0x0030));
            let tails = tails(bits, marks);
            let tails = low.select(tails.and(V::splat16(0xFFCF)).or(two_bits), tails);
            // D804 is where the ten bits begin that are left, and 1_0000 is ten zeros and one.
            let less = units.add16(V::splat16(0xD804_u16.wrapping_neg()));
            let upper = less.add16(has_enough(behind).xor(V::splat(0xFF)));
            let front = upper.shr16::<8>().or(upper.shl16::<6>().and(V::splat16(0x3F00)));
            let tails = high.select(front.or(V::splat16(0x80F0)), tails);
            let marks = pair.select(V::splat16(0xFF00), marks);

            let slots = Slots { tails, heads: heads(bits), marks };
            let after_high = before.and(V::splat16(0xFC00)).equal16(V::splat16(0xD800));
            let of_three = high.and(at_least16(upper, 0x400));
            let refused = of_three.or(controls(units));
            let wrong_so_far = after_high.xor(low).or(refused);
            Mixed { slots, wrong: wrong_so_far.signs(), wrong_so_far, beyond: pair }
        }
    }
}

/// UTF-32; `SWAP` if its bytes are not in this machine's order.
pub(super) struct Units32<const SWAP: bool>;

impl<const SWAP: bool> Wide for Units32<SWAP> {
    type Units<V: Vector> = (V, V);
    const SIZE: usize = 4;
    const PAIRS: bool = false;

    #[inline(always)]
    unsafe fn character(p: *const u8, _: usize) -> (u32, usize) {
        // SAFETY: there is a unit.
        unsafe { read_character::<Utf32Form<SWAP>>(p.cast()) }
    }

    #[inline(always)]
    unsafe fn load<V: Vector>(p: *const u8) -> (V, V) {
        // SAFETY: the caller's promise.
        unsafe {
            let (first, second) = (V::load(p), V::load(p.add(V::LEN)));
            if SWAP { (first.swap32(), second.swap32()) } else { (first, second) }
        }
    }

    #[inline(always)]
    unsafe fn load_partial<V: Vector>(src: &[u8]) -> (V, V) {
        // SAFETY: the caller's promise; `src` has fewer bytes than two vectors.
        unsafe {
            let (first, second) = if src.len() < V::LEN {
                (V::load_partial(src), V::splat(0))
            } else {
                (V::load(src.as_ptr()), V::load_partial(src.get_unchecked(V::LEN..)))
            };
            if SWAP { (first.swap32(), second.swap32()) } else { (first, second) }
        }
    }

    #[inline(always)]
    unsafe fn or<V: Vector>(one: (V, V), other: (V, V)) -> (V, V) {
        // SAFETY: the caller's promise.
        unsafe { (one.0.or(other.0), one.1.or(other.1)) }
    }

    #[inline(always)]
    unsafe fn any_outside<V: Vector>(units: (V, V), bits: u16) -> bool {
        // SAFETY: the caller's promise.
        unsafe { units.0.or(units.1).intersects(V::splat32(!u32::from(bits))) }
    }

    #[inline(always)]
    unsafe fn within<V: Vector>(units: (V, V), bits: u16) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let (bits, zero) = (V::splat32(!u32::from(bits)), V::splat(0));
            units.0.and(bits).equal32(zero).low_words(units.1.and(bits).equal32(zero))
        }
    }

    #[inline(always)]
    unsafe fn words<V: Vector>(units: (V, V)) -> V {
        // SAFETY: the caller's promise.
        unsafe { units.0.narrow_32_to_16(units.1) }
    }

    #[inline(always)]
    unsafe fn irregular<V: Vector>(units: (V, V), words: V) -> V {
        // SAFETY: the caller's promise.
        unsafe { units.0.or(units.1).and(V::splat32(0xFFFF_0000)).or(words.surrogates()) }
    }

    #[inline(always)]
    unsafe fn load_before<V: Vector>(_: *const u8) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::splat(0) }
    }

    #[inline(always)]
    unsafe fn before<V: Vector>(_: (V, V)) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::splat(0) }
    }

    #[inline(always)]
    unsafe fn is_open(_: *const u8) -> bool {
        false
    }

    #[inline(always)]
    unsafe fn mixed<V: Vector>(units: (V, V), _: V) -> Mixed<V> {
        // SAFETY: the caller's promise.
        unsafe {
            let (words, upper) = (units.0.low_words(units.1), units.0.high_words(units.1));
            let plain = upper.equal16(V::splat(0));
            let ones = V::splat(0xFF);
            // "Three" without "two or more" where there are four.
            let marks = plain.select(marks(words), V::splat16(0x00FF));
            let second = upper.shl16::<4>().and(V::splat16(0x0030)).or(words.shr16::<12>());
            let first = upper.shl16::<6>().and(V::splat16(0x0700));
            let four = first.or(second).or(V::splat16(0xF080));
            let heads = plain.select(heads(words), four);

            let too_large = ones.and_not(upper.min16(V::splat16(0x10)).equal16(upper));
            let wrong = words.surrogates().and(plain).or(too_large);
            let slots = Slots { tails: tails(words, marks), heads, marks };
            Mixed { slots, wrong: wrong.signs(), wrong_so_far: wrong, beyond: upper }
        }
    }

    #[inline(always)]
    unsafe fn load_behind<V: Vector>(_: *const u8) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::splat(0) }
    }

    #[inline(always)]
    unsafe fn mixed_corrected<V: Vector>(units: (V, V), _: V, _: V) -> Mixed<V> {
        // SAFETY: the caller's promise.
        unsafe {
            let (words, upper) = (units.0.low_words(units.1), units.0.high_words(units.1));
            let plain = upper.equal16(V::splat(0));
            let ones = V::splat(0xFF);
            let (bits, marks) = corrected(words);
            // Less 110A0; what has three bytes gets below zero, and its lower half is right.
            let below = at_least16(words, 0x10A0).xor(ones);
            let bits = plain.select(bits, words.add16(V::splat16(0x10A0_u16.wrapping_neg())));
            let top = upper.add16(ones).add16(below);
            let three = plain.or(top.equal16(ones));
            let marks = plain.select(marks, V::splat16(0x00FF).or(three));
            let second = top.shl16::<4>().and(V::splat16(0x0030)).or(bits.shr16::<12>());
            let first = top.shl16::<6>().and(V::splat16(0x0700));
            let four = first.or(second).or(V::splat16(0xF080));
            let heads = three.select(heads(bits), four);

            let too_large = ones.and_not(upper.min16(V::splat16(0x10)).equal16(upper));
            let wrong = words.surrogates().or(controls(words)).and(plain).or(too_large);
            let slots = Slots { tails: tails(bits, marks), heads, marks };
            Mixed { slots, wrong: wrong.signs(), wrong_so_far: wrong, beyond: upper }
        }
    }
}
