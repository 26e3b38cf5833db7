//! UTF-32 as units for the conversion to UTF-8: two vectors per step, whose lower and upper halves are computed
//! separately.

use super::{Mixed, Slots, WideUnits, controls, corrected, heads, marks, tails};
use crate::kernel::shared::character::read_character;
use crate::kernel::vector::Vector;
use crate::unicode::Utf32Form;

/// UTF-32; `SWAP` if its byte order is not the native one.
pub(in crate::kernel::generic::wide_to_utf8) struct Units32<const SWAP: bool>;

impl<const SWAP: bool> WideUnits for Units32<SWAP> {
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
    unsafe fn any_above<V: Vector>(units: (V, V), most: u16) -> bool {
        // SAFETY: the caller's promise.
        unsafe { units.0.or(units.1).intersects(V::splat32(!u32::from(most))) }
    }

    #[inline(always)]
    unsafe fn up_to<V: Vector>(units: (V, V), most: u16) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let (bits, zero) = (V::splat32(!u32::from(most)), V::splat(0));
            units.0.and(bits).equal32(zero).low_words(units.1.and(bits).equal32(zero))
        }
    }

    #[inline(always)]
    unsafe fn words<V: Vector>(units: (V, V)) -> V {
        // SAFETY: the caller's promise.
        unsafe { units.0.narrow_32_to_16(units.1) }
    }

    #[inline(always)]
    unsafe fn not_basic<V: Vector>(units: (V, V), words: V) -> V {
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
    unsafe fn ends_with_high(_: *const u8) -> bool {
        false
    }

    #[inline(always)]
    unsafe fn mixed<V: Vector>(units: (V, V), _: V) -> Mixed<V> {
        // SAFETY: the caller's promise.
        unsafe {
            let (words, upper) = (units.0.low_words(units.1), units.0.high_words(units.1));
            let plain = upper.equal16(V::splat(0));
            let ones = V::splat(0xFF);
            // "Three" without "two or more" means four.
            let marks = plain.select(marks(words), V::splat16(0x00FF));
            let second = upper.shl16::<4>().and(V::splat16(0x0030)).or(words.shr16::<12>());
            let first = upper.shl16::<6>().and(V::splat16(0x0700));
            let four = first.or(second).or(V::splat16(0xF080));
            let heads = plain.select(heads(words), four);

            let too_large = ones.and_not(upper.min16(V::splat16(0x10)).equal16(upper));
            let errors = words.surrogates().and(plain).or(too_large);
            let slots = Slots { tails: tails(words, marks), heads, marks };
            Mixed { slots, errors: errors.sign_bits(), errors_so_far: errors }
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
            // Less 110A0; what has three bytes becomes negative, and its lower half is right.
            let below = words.at_least16(0x10A0).xor(ones);
            let bits = plain.select(bits, words.add16(V::splat16(0x10A0_u16.wrapping_neg())));
            let top = upper.add16(ones).add16(below);
            let three = plain.or(top.equal16(ones));
            let marks = plain.select(marks, V::splat16(0x00FF).or(three));
            let second = top.shl16::<4>().and(V::splat16(0x0030)).or(bits.shr16::<12>());
            let first = top.shl16::<6>().and(V::splat16(0x0700));
            let four = first.or(second).or(V::splat16(0xF080));
            let heads = three.select(heads(bits), four);

            let too_large = ones.and_not(upper.min16(V::splat16(0x10)).equal16(upper));
            let errors = words.surrogates().or(controls(words)).and(plain).or(too_large);
            let slots = Slots { tails: tails(bits, marks), heads, marks };
            Mixed { slots, errors: errors.sign_bits(), errors_so_far: errors }
        }
    }
}
