//! UTF-16 as units for the conversion to UTF-8: surrogates are characters of two bytes each.

use super::{Mixed, Slots, WideUnits, controls, corrected, heads, marks, tails};
use crate::kernel::shared::character::read_character;
use crate::kernel::vector::Vector;
use crate::unicode::{Form, Utf16Form, is_high, is_surrogate};

/// UTF-16; `SWAP` if its byte order is not the native one.
pub(in crate::kernel::generic::wide_to_utf8) struct Units16<const SWAP: bool>;

impl<const SWAP: bool> WideUnits for Units16<SWAP> {
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
    unsafe fn any_above<V: Vector>(units: V, most: u16) -> bool {
        // SAFETY: the caller's promise.
        unsafe { units.intersects(V::splat16(!most)) }
    }

    #[inline(always)]
    unsafe fn up_to<V: Vector>(units: V, most: u16) -> V {
        // SAFETY: the caller's promise.
        unsafe { units.and(V::splat16(!most)).equal16(V::splat(0)) }
    }

    #[inline(always)]
    unsafe fn words<V: Vector>(units: V) -> V {
        units
    }

    #[inline(always)]
    unsafe fn not_basic<V: Vector>(_: V, words: V) -> V {
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
    unsafe fn ends_with_high(p: *const u8) -> bool {
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
            // The tails of a low surrogate are right except for two bits, which are ones.
            let two_bits = V::splat16(0x0030).and_not(before.shl16::<4>()).and(low);
            let tails = tails(units, marks).xor(two_bits);
            // Those of a high surrogate come from the upper eleven bits of the code point.
            let upper = units.add16(V::splat16(0x0040_u16.wrapping_sub(0xD800)));
            let front = upper.shr16::<8>().or(upper.shl16::<6>().and(V::splat16(0x3F00)));
            let tails = high.select(front.or(V::splat16(0x80F0)), tails);
            let marks = marks.and_not(high.or(low).and(V::splat16(0x00FF)));

            let slots = Slots { tails, heads: heads(units), marks };
            let after_high = before.and(V::splat16(0xFC00)).equal16(V::splat16(0xD800));
            let errors_so_far = after_high.xor(low);
            let (high, low) = (high.sign_bits(), low.sign_bits());
            Mixed { slots, errors: high & !(low >> 2) | low & !(high << 2), errors_so_far }
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
            // Subtracted from a pair are A0 in the ten bits of the low surrogate, four in those of the high one, and
            // one more there if the low one has less than A0.
            let has_enough = |units: V| units.at_least16(0xDCA0);
            let ten = units.add16(V::splat16(0xA0_u16.wrapping_neg()));
            let bits = low.select(ten, bits);
            // All ones are added to the bits of the high surrogate where one is to be subtracted.
            let upper = before.add16(has_enough(units).xor(V::splat(0xFF)));
            let two_bits = upper.shl16::<4>().and(V::splat16(0x0030));
            let tails = tails(bits, marks);
            let tails = low.select(tails.and(V::splat16(0xFFCF)).or(two_bits), tails);
            // With D804 subtracted, the ten bits remain.
            let less = units.add16(V::splat16(0xD804_u16.wrapping_neg()));
            let upper = less.add16(has_enough(behind).xor(V::splat(0xFF)));
            let front = upper.shr16::<8>().or(upper.shl16::<6>().and(V::splat16(0x3F00)));
            let tails = high.select(front.or(V::splat16(0x80F0)), tails);
            let marks = pair.select(V::splat16(0xFF00), marks);

            let slots = Slots { tails, heads: heads(bits), marks };
            let after_high = before.and(V::splat16(0xFC00)).equal16(V::splat16(0xD800));
            let of_three = high.and(upper.at_least16(0x400));
            let unsupported = of_three.or(controls(units));
            let errors_so_far = after_high.xor(low).or(unsupported);
            Mixed { slots, errors: errors_so_far.sign_bits(), errors_so_far }
        }
    }
}
