//! The units of Corrected UTF-8 if there are characters of four bytes, or, for UTF-32, characters of three bytes beyond the BMP.
//!
//! The bits are joined as in [`units`](super::units), and the offset of the length is added to the words. If the sum exceeds a
//! word, which is so if the bits are EF60 or more, for three bytes and for four, the word above is one greater.
//!
//! In a surrogate pair, the low surrogate has A0 more in its ten bits, less 400 if that overflows them; the high surrogate has 44
//! more, and one more than that in the same case. The high surrogate belongs to the third byte, and so depends on the fourth, the
//! byte after its own. For UTF-16 the few supplementary characters of three bytes are errors here, and so are those of four bytes
//! that begin with F3 BE or more, because the last of these are not characters.

use super::units::{Units, Window};
use crate::kernel::vector::Vector;

/// The sums of words.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn added<V: Vector>(words: [V; 2], more: [V; 2]) -> [V; 2] {
    // SAFETY: the caller's promise.
    unsafe { [words[0].add16(more[0]), words[1].add16(more[1])] }
}

/// `value` in the words for which both a mask of words and a mask of bytes are set; zero elsewhere.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn where_both<V: Vector>(words: [V; 2], bytes: V, value: u16) -> [V; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let [a, b] = bytes.zip(bytes);
        [words[0].and(a).and(V::splat16(value)), words[1].and(b).and(V::splat16(value))]
    }
}

impl<V: Vector> Units<V> {
    /// The units; `next` are the bytes one later. The second vector is not zero where there is something that this
    /// cannot convert.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn of_corrected<const WIDE: bool>(window: &Window<V>, next: V) -> (Self, V) {
        // SAFETY: the caller's promise.
        unsafe {
            let &Window { bytes, prev1, prev2, prev3 } = window;
            let low = |vector: V, bits: u8| vector.and(V::splat(bits));
            let other = V::splat(0).greater_signed(bytes);
            let first = low(bytes, 0x7F);
            let second = low(other, 0x3F).and(prev1);
            let third = prev2.sub_saturating(V::splat(0xE0));
            let long = prev2.at_least(V::splat(0xE0));
            let fourth_bytes = prev3.at_least(V::splat(0xF0));
            if WIDE {
                let third = fourth_bytes.select(low(prev2, 0x0F), low(third, 0x0F));
                let bits = first.join_sixes(second, third);
                let offsets = low(other, 0xA0).zip(low(long, 0x08).or(low(fourth_bytes, 0x10)));
                let words = added(bits, offsets);
                let behind = [bits[0].at_least16(0xCF60), bits[1].at_least16(0xCF60)];
                let words = added(words, where_both(behind, long, 0x0800));
                let top = low(prev3, 0x07).shift_left::<2>().or(low(prev2.high_nibbles(), 0x03));
                let tops = fourth_bytes.and(top.add(V::splat(1))).zip(V::splat(0));
                let over = [bits[0].at_least16(0xEF60), bits[1].at_least16(0xEF60)];
                let tops = added(tops, where_both(over, long.or(fourth_bytes), 0x0001));
                let error = tops[0].at_least16(0x11).or(tops[1].at_least16(0x11));
                return (Units { words, tops: Some(tops), high_surrogates: 0 }, error);
            }
            let third_bytes = prev2.at_least(V::splat(0xF0));
            let threes = long.and_not(third_bytes);
            // Whether ten bits, four of `byte` and six of the one behind it, are 360 or more.
            let carries = |byte: V, behind: V| {
                let four = low(byte, 0x0F);
                let edge = four.equal(V::splat(0x0D)).and(behind.at_least(V::splat(0xA0)));
                four.at_least(V::splat(0x0E)).or(edge)
            };
            // The low surrogate, DC00, is D and 30; the high one, D804, is D and 20, and the offset has the 4.
            let second = second.or(low(fourth_bytes, 0x30));
            let third = low(third, 0x0F).or(low(fourth_bytes, 0x0D));
            let high_first = low(prev1, 0x0F).shift_left::<2>().or(low(bytes.high_nibbles(), 0x03));
            let high_second =
                low(prev2, 0x07).shift_left::<2>().add(low(prev1.high_nibbles(), 0x03)).add(V::splat(0x20));
            let first = third_bytes.select(high_first, first);
            let second = third_bytes.select(low(high_second, 0x3F), second);
            let third = third_bytes.select(V::splat(0x0D), third);
            let bits = first.join_sixes(second, third);

            let four = V::splat(0x04).add(low(carries(bytes, next), 0x01));
            let low_offsets = third_bytes.select(four, low(other, 0xA0));
            let high_offsets = low(threes, 0x08).or(low(fourth_bytes, 0xFC).and(carries(prev1, bytes)));
            let words = added(bits, low_offsets.zip(high_offsets));
            let behind = [bits[0].at_least16(0xCF60), bits[1].at_least16(0xCF60)];
            let words = added(words, where_both(behind, threes, 0x0800));

            let supplementary = [bits[0].at_least16(0xEF60), bits[1].at_least16(0xEF60)];
            let supplementary = where_both(supplementary, threes, 0xFFFF);
            let last = prev2.equal(V::splat(0xF3)).and(prev1.at_least(V::splat(0xBE)));
            let error =
                supplementary[0].or(supplementary[1]).or(last).or(prev2.sub_saturating(V::splat(0xF3)));
            (Units { words, tops: None, high_surrogates: third_bytes.sign_bits() }, error)
        }
    }
}
