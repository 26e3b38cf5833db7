//! Code units from bytes: a unit for every byte of a vector, and the removal of those that do not belong to the text.
//!
//! The one, two and three bytes before each byte are loaded as well, by loads that overlap. The unit that ends at a byte is the sum
//! of groups of six bits: those of the last byte, 64 times those of the byte before, 4096 times those of the byte before that.
//! ASCII has only the first, two bytes have two. In a surrogate pair, the low surrogate belongs to the fourth byte, and has DC00 in
//! place of the bits above the tenth; the high surrogate belongs to the third byte, and its bits are taken from across the groups
//! of six of the bytes, plus D7C0 (D800 less 40, which is what 10000 becomes there). So a character of four bytes costs a few more
//! instructions for all bytes of a vector, and no branch. For UTF-32 what is above 16 bits is a second word for each byte.
//!
//! Corrected UTF-8 adds an offset to that, which fits into a word: A0, 800 more for three bytes, and another 800 for everything
//! that is then D800 or more. Characters outside the BMP are in [`corrected`](super::corrected).
//!
//! At bytes without a unit the result is meaningless, and is dropped: for every eight bytes, the bits of those that have a unit
//! select one of 256 rows of a table, which says which of the eight words to keep. All 16 bytes are stored, at the position given
//! by the number of one bits before, and the next eight words overwrite what was too much. No load waits for a store or for a
//! count. The table takes 4 KiB of memory, and in the cache only the rows that the text needs: two for Chinese, some dozens for
//! mixed text.

use super::{low_bits, width};
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::vector::Vector;

/// A vector of bytes, and the bytes one, two and three positions before each.
pub(super) struct Window<V> {
    pub(super) bytes: V,
    pub(super) prev1: V,
    pub(super) prev2: V,
    pub(super) prev3: V,
}

impl<V: Vector> Window<V> {
    /// The bytes at `p`.
    ///
    /// # Safety
    /// As for [`Vector`]; and they must be readable, and the three before them. The same holds for the other methods,
    /// except for what they load.
    #[inline(always)]
    pub(super) unsafe fn at(p: *const u8) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Window {
                bytes: V::load(p),
                prev1: V::load(p.sub(1)),
                prev2: V::load(p.sub(2)),
                prev3: V::load(p.sub(3)),
            }
        }
    }

    /// The bytes at the start of the input: nothing is before them.
    #[inline(always)]
    pub(super) unsafe fn at_start(bytes: V) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let zero = V::splat(0);
            let [prev1, prev2, prev3] =
                [bytes.previous::<1>(zero), bytes.previous::<2>(zero), bytes.previous::<3>(zero)];
            Window { bytes, prev1, prev2, prev3 }
        }
    }

    /// The bytes of `src` from any position `at` on, from which a vector must be left.
    #[inline(always)]
    pub(super) unsafe fn within(src: &[u8], at: usize) -> Self {
        // SAFETY: all loads are within `src`, by the caller's promise and the tests here.
        unsafe {
            let p = src.as_ptr().add(at);
            match at {
                0 => Self::at_start(V::load(p)),
                1 | 2 => {
                    let zero = V::splat(0);
                    let start = V::load(src.as_ptr());
                    let (prev2, prev3) = if at == 1 {
                        (start.previous::<1>(zero), start.previous::<2>(zero))
                    } else {
                        (start, start.previous::<1>(zero))
                    };
                    Window { bytes: V::load(p), prev1: V::load(p.sub(1)), prev2, prev3 }
                }
                _ => Self::at(p),
            }
        }
    }

    /// FF in the last bytes of characters of Corrected UTF-8 from U+10000 to U+1109F.
    #[inline(always)]
    pub(super) unsafe fn supplementary(&self) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let at_edge = self.prev1.equal(V::splat(0xBD)).and(self.bytes.at_least(V::splat(0xA0)));
            let edge = self.prev2.equal(V::splat(0xEE)).and(at_edge.or(self.prev1.at_least(V::splat(0xBE))));
            edge.or(self.prev2.equal(V::splat(0xEF)))
        }
    }

    /// The top bit is set where a byte must be the third or fourth of its character.
    #[inline(always)]
    pub(super) unsafe fn continues(&self) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let third = self.prev2.sub_saturating(V::splat(0xE0 - 0x80));
            third.or(self.prev3.sub_saturating(V::splat(0xF0 - 0x80)))
        }
    }
}

/// The last character boundary of `src` at or before `at`, when all before `at` is well-formed.
#[inline]
pub(super) fn ends_before(src: &[u8], at: usize) -> usize {
    let least = [0xC0, 0xE0, 0xF0];
    let open = (1..=at.min(3)).any(|back| src[at - back] >= least[back - 1]);
    if open { boundary_before(src, at) } else { at }
}

/// For each byte of a vector, the unit that ends there.
pub(super) struct Units<V> {
    /// The lowest 16 bits: for the bytes of the first half of each lane, and of the second.
    pub(super) words: [V; 2],
    /// The bits above these, if there are any.
    pub(super) tops: Option<[V; 2]>,
    /// The bytes to which a high surrogate belongs: one bit for each byte.
    pub(super) high_surrogates: u32,
}

impl<V: Vector> Units<V> {
    /// The units of ASCII.
    ///
    /// # Safety
    /// As for [`Vector`]; the same holds for the other methods.
    #[inline(always)]
    pub(super) unsafe fn of_ascii(bytes: V) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Units { words: bytes.zip(V::splat(0)), tops: None, high_surrogates: 0 } }
    }

    /// The units of text whose characters have up to `MOST` bytes.
    #[inline(always)]
    pub(super) unsafe fn new<const WIDE: bool, const MOST: u32, const CORRECTED: bool>(
        window: &Window<V>,
    ) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let &Window { bytes, prev1, prev2, prev3 } = window;
            let low = |vector: V, bits: u8| vector.and(V::splat(bits));
            let first = low(bytes, 0x7F);
            if MOST == 2 && CORRECTED {
                // A0 is 20 and twice 40.
                let other = V::splat(0).greater_signed(bytes);
                let first = first.add(other.and(V::splat(0x20)));
                let second = prev1.add(V::splat(0xBE_u8.wrapping_neg())).and(other);
                return Units {
                    words: first.join_sixes(second, V::splat(0)),
                    tops: None,
                    high_surrogates: 0,
                };
            }
            if MOST == 2 {
                // A byte that is not a lead byte adds nothing.
                let second = prev1.sub_saturating(V::splat(0xC0));
                return Units {
                    words: first.join_sixes(second, V::splat(0)),
                    tops: None,
                    high_surrogates: 0,
                };
            }
            // ASCII takes nothing from the byte before. In `prev2`, only lead bytes of three bytes count.
            let other = V::splat(0).greater_signed(bytes);
            let second = low(other, 0x3F).and(prev1);
            let third = prev2.sub_saturating(V::splat(0xE0));
            if CORRECTED {
                // A0 for all but ASCII, and 800 for three bytes.
                let offsets = low(other, 0xA0).zip(low(prev2.at_least(V::splat(0xE0)), 0x08));
                let [a, b] = first.join_sixes(second, third);
                let words = [a.add16(offsets[0]), b.add16(offsets[1])];
                return Units { words, tops: None, high_surrogates: 0 };
            }
            if MOST == 3 {
                return Units { words: first.join_sixes(second, third), tops: None, high_surrogates: 0 };
            }
            let fourth_bytes = prev3.at_least(V::splat(0xF0));
            if WIDE {
                let third = fourth_bytes.select(low(prev2, 0x0F), low(third, 0x0F));
                let top = low(prev3, 0x07).shift_left::<2>().or(low(prev2.high_nibbles(), 0x03));
                let tops = fourth_bytes.and(top).zip(V::splat(0));
                return Units {
                    words: first.join_sixes(second, third),
                    tops: Some(tops),
                    high_surrogates: 0,
                };
            }
            // The low surrogate: DC00 is D and 30 in groups of six, of which 0F are the text's.
            let second = second.or(low(fourth_bytes, 0x30));
            let third = third.or(low(fourth_bytes, 0x0D));
            // The high surrogate: D7C0 is D and 1F.
            let third_bytes = prev2.at_least(V::splat(0xF0));
            let high_first = low(prev1, 0x0F).shift_left::<2>().or(low(bytes.high_nibbles(), 0x03));
            let high_second =
                low(prev2, 0x07).shift_left::<2>().add(low(prev1.high_nibbles(), 0x03)).add(V::splat(0x1F));
            let first = third_bytes.select(high_first, first);
            let second = third_bytes.select(high_second, second);
            let third = third_bytes.select(V::splat(0x0D), third);
            Units {
                words: first.join_sixes(second, third),
                tops: None,
                high_surrogates: third_bytes.sign_bits(),
            }
        }
    }

    /// The units of Corrected UTF-8, with the offset for those behind the surrogates added, too. The second vector is
    /// not zero where a character is not in the BMP.
    #[inline(always)]
    pub(super) unsafe fn skip_surrogates(self) -> (Self, V) {
        // SAFETY: the caller's promise.
        unsafe {
            // The high byte decides, as the low bytes of the values compared are zero.
            let behind = |words: V| words.at_least(V::splat16(0xD800)).and(V::splat16(0x0800));
            let [a, b] = self.words;
            let supplementary = a.sub_saturating(V::splat16(0xF7FF)).or(b.sub_saturating(V::splat16(0xF7FF)));
            (Units { words: [a.add16(behind(a)), b.add16(behind(b))], ..self }, supplementary)
        }
    }

    /// The units of the bytes that have a bit in `bits`.
    #[inline(always)]
    pub(super) unsafe fn pack<const WIDE: bool, const SWAP: bool>(&self, bits: u32) -> Packed<V, WIDE> {
        // SAFETY: the caller's promise.
        unsafe {
            let row = |group: usize| &KEPT[bits as usize >> (8 * group) & 0xFF];
            let keep = |words: &[V; 2], half: usize| {
                // With two lanes, the second has the eight bytes of two groups later.
                let second = if V::LANES > 1 { half + 2 } else { half };
                let indices = V::load_lanes([row(half).as_ptr(), row(second).as_ptr()]);
                // Inverting the lowest bit of the indices swaps the two bytes of a word.
                let indices = if SWAP { indices.xor(V::splat(1)) } else { indices };
                indices.lookup(words[half])
            };
            let [a, b] = [keep(&self.words, 0), keep(&self.words, 1)];
            if !WIDE {
                return Packed { pieces: [a, b, b, b], bits };
            }
            let join = |words: V, half: usize| {
                let tops = match &self.tops {
                    Some(tops) => keep(tops, half),
                    None => V::splat(0),
                };
                if SWAP { tops.zip_words(words) } else { words.zip_words(tops) }
            };
            let ([a, b], [c, d]) = (join(a, 0), join(b, 1));
            Packed { pieces: [a, b, c, d], bits }
        }
    }
}

/// Units without gaps, in pieces of 16 bytes: the units of eight bytes of the source are one piece, or two for UTF-32.
/// The first lanes of all come first, then the second lanes.
pub(super) struct Packed<V, const WIDE: bool> {
    /// Two, or all four if `WIDE`.
    pieces: [V; 4],
    bits: u32,
}

impl<V: Vector, const WIDE: bool> Packed<V, WIDE> {
    /// Pieces for eight bytes.
    const EACH: usize = if WIDE { 2 } else { 1 };

    /// How many units come before those of a group of eight bytes.
    #[inline(always)]
    fn before(&self, group: usize) -> usize {
        (self.bits & low_bits(8 * group) as u32).count_ones() as usize
    }

    /// Stores all pieces whole; returns the number of units.
    ///
    /// # Safety
    /// As for [`Vector`]; and there must be room for as many units at `p` as a vector has bytes.
    #[inline(always)]
    pub(super) unsafe fn store(&self, p: *mut u8) -> usize {
        let piece = |i: usize| i % Self::EACH * 16;
        // SAFETY: there are no more units before a group than bytes, and its own pieces hold eight.
        unsafe {
            for i in 0..2 * Self::EACH {
                self.pieces[i].store_lane::<0>(p.add(width(WIDE) * self.before(i / Self::EACH) + piece(i)));
            }
            if V::LEN > 16 {
                for i in 0..2 * Self::EACH {
                    self.pieces[i]
                        .store_lane::<1>(p.add(width(WIDE) * self.before(2 + i / Self::EACH) + piece(i)));
                }
            }
        }
        self.bits.count_ones() as usize
    }

    /// Stores the units, and nothing behind the first `room`, which must suffice for them.
    ///
    /// # Safety
    /// As for [`Vector`]; and `room` units must be writable at `p`.
    #[inline(always)]
    pub(super) unsafe fn store_exactly(&self, p: *mut u8, room: usize) {
        let mut pieces = [[0; 16]; 8];
        let lanes = V::LEN / 16;
        // SAFETY: each piece is stored to the array, and from there only as far as there is room.
        unsafe {
            for i in 0..2 * Self::EACH {
                self.pieces[i].store_lane::<0>(pieces[i].as_mut_ptr());
                self.pieces[i].store_lane::<1>(pieces[2 * Self::EACH + i].as_mut_ptr());
            }
            for (i, piece) in pieces.iter().enumerate().take(2 * Self::EACH * lanes) {
                let (group, part) = (i / Self::EACH, i % Self::EACH);
                let start = self.before(group) + part * 4;
                let end = self.before(group + 1);
                if start >= end {
                    continue;
                }
                let p = p.add(width(WIDE) * start);
                if room - start >= 16 / width(WIDE) {
                    p.cast::<[u8; 16]>().write(*piece);
                } else {
                    store_some(u128::from_le_bytes(*piece), width(WIDE) * (end - start), p);
                }
            }
        }
    }
}

/// Stores the first `len` bytes, 2 to 16, by two stores that overlap.
///
/// # Safety
/// There must be room for them.
#[inline(always)]
unsafe fn store_some(bytes: u128, len: usize, p: *mut u8) {
    macro_rules! store {
        ($word:ty) => {{
            let width = size_of::<$word>();
            let (first, last) = (bytes as $word, (bytes >> (8 * (len - width))) as $word);
            // SAFETY: the caller's promise; `len` is at least the width.
            unsafe {
                p.cast::<[u8; size_of::<$word>()]>().write(first.to_le_bytes());
                p.add(len - width).cast::<[u8; size_of::<$word>()]>().write(last.to_le_bytes());
            }
        }};
    }
    match len {
        8.. => store!(u64),
        4.. => store!(u32),
        _ => store!(u16),
    }
}

/// For each subset of eight words: the indices of their bytes, without gaps.
static KEPT: [[u8; 16]; 256] = {
    let mut rows = [[0x80; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut word, mut kept) = (0, 0);
        while word < 8 {
            if bits >> word & 1 != 0 {
                rows[bits][2 * kept] = 2 * word;
                rows[bits][2 * kept + 1] = 2 * word + 1;
                kept += 1;
            }
            word += 1;
        }
        bits += 1;
    }
    rows
};
