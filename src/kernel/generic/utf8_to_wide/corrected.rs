//! The units of Corrected UTF-8 where there are characters of four bytes, or of three for UTF-32 beyond
//! the basic plane.
//!
//! The bits come together as in [`units`](super::units), and the offset of the length is added to the words;
//! where the sum is more than a word can hold, and that is where the bits are EF60 or more, for three bytes
//! and for four, there is one more in the word above.
//!
//! Of a surrogate pair the low one has A0 more in its ten bits, less 400 if these are too many then; the
//! high one has 44 more, and one more than that in the same case. It belongs to the third byte, and so has to look at the
//! fourth, the byte behind its own. For UTF-16 the few supplementary characters of three bytes are an
//! error here, and so are those of four that begin with F3 BE or more, for the last of them are no characters.

use super::units::{Units, Window};
use crate::kernel::vector::Vector;

/// Ones in the words that are at least this.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn at_least<V: Vector>(words: V, least: u16) -> V {
    // SAFETY: the caller's promise.
    unsafe { words.min16(V::splat16(least)).equal16(V::splat16(least)) }
}

/// Words, each with what `more` says for it.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn added<V: Vector>(words: [V; 2], more: [V; 2]) -> [V; 2] {
    // SAFETY: the caller's promise.
    unsafe { [words[0].add16(more[0]), words[1].add16(more[1])] }
}

/// The bits of `value` in the words where both are ones, of a mask of words and of one of bytes.
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
    /// The units, with a look at the `next` bytes; and something where they are not to be had.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn of_corrected<const WIDE: bool>(window: &Window<V>, next: V) -> (Self, V) {
        // SAFETY: the caller's promise.
        unsafe {
            let &Window { bytes, one, two, three } = window;
            let low = |vector: V, bits: u8| vector.and(V::splat(bits));
            let other = V::splat(0).greater_signed(bytes);
            let first = low(bytes, 0x7F);
            let second = low(other, 0x3F).and(one);
            let third = two.sub_saturating(V::splat(0xE0));
            let long = two.at_least(V::splat(0xE0));
            let fourths = three.at_least(V::splat(0xF0));
            if WIDE {
                let third = fourths.select(low(two, 0x0F), low(third, 0x0F));
                let bits = first.join_sixes(second, third);
                let offsets = low(other, 0xA0).zip(low(long, 0x08).or(low(fourths, 0x10)));
                let words = added(bits, offsets);
                let behind = [at_least(bits[0], 0xCF60), at_least(bits[1], 0xCF60)];
                let words = added(words, where_both(behind, long, 0x0800));
                let top = low(three, 0x07).shift_left::<2>().or(low(two.high_nibbles(), 0x03));
                let tops = fourths.and(top.add(V::splat(1))).zip(V::splat(0));
                let over = [at_least(bits[0], 0xEF60), at_least(bits[1], 0xEF60)];
                let tops = added(tops, where_both(over, long.or(fourths), 0x0001));
                let error = at_least(tops[0], 0x11).or(at_least(tops[1], 0x11));
                return (Units { words, tops: Some(tops), thirds: 0 }, error);
            }
            let thirds = two.at_least(V::splat(0xF0));
            let threes = long.and_not(thirds);
            // Whether ten bits, of which a byte has four and the one behind it six, are 360 or more.
            let carries = |byte: V, behind: V| {
                let four = low(byte, 0x0F);
                let edge = four.equal(V::splat(0x0D)).and(behind.at_least(V::splat(0xA0)));
                four.at_least(V::splat(0x0E)).or(edge)
            };
            // The low surrogate, DC00, is D and 30; the high one, D804, is D and 20, and the offset has the 4.
            let second = second.or(low(fourths, 0x30));
            let third = low(third, 0x0F).or(low(fourths, 0x0D));
            let high_first = low(one, 0x0F).shift_left::<2>().or(low(bytes.high_nibbles(), 0x03));
            let high_second =
                low(two, 0x07).shift_left::<2>().add(low(one.high_nibbles(), 0x03)).add(V::splat(0x20));
            let first = thirds.select(high_first, first);
            let second = thirds.select(low(high_second, 0x3F), second);
            let third = thirds.select(V::splat(0x0D), third);
            let bits = first.join_sixes(second, third);

            let four = V::splat(0x04).add(low(carries(bytes, next), 0x01));
            let low_offsets = thirds.select(four, low(other, 0xA0));
            let high_offsets = low(threes, 0x08).or(low(fourths, 0xFC).and(carries(one, bytes)));
            let words = added(bits, low_offsets.zip(high_offsets));
            let behind = [at_least(bits[0], 0xCF60), at_least(bits[1], 0xCF60)];
            let words = added(words, where_both(behind, threes, 0x0800));

            let beyond = [at_least(bits[0], 0xEF60), at_least(bits[1], 0xEF60)];
            let beyond = where_both(beyond, threes, 0xFFFF);
            let last = two.equal(V::splat(0xF3)).and(one.at_least(V::splat(0xBE)));
            let error = beyond[0].or(beyond[1]).or(last).or(two.sub_saturating(V::splat(0xF3)));
            (Units { words, tops: None, thirds: thirds.signs() }, error)
        }
    }
}
