//! Lengths over vectors: of UTF-16 and UTF-32 in UTF-8, and of short texts.
//!
//! A unit stands for one byte, and for one more from each of 80, 800 and 10000 on. The plain loop makes these comparisons in words of two
//! or four bytes, as signed numbers, since AVX2 and SSE4.2 have no others; each takes three instructions. Here units are first shifted
//! right and narrowed to bytes with saturation, which preserves the answers. Units of UTF-32 are shifted by 7 bits, and then the questions
//! are whether anything is left, and whether it is at least 10; and by 14 bits, where the question is whether it is at least 4. Units of
//! UTF-16 are shifted as signed numbers, and by 7 bits only: 0 stands for one byte, 01 to 0F for two, B0 to BF are the surrogates, with two
//! bytes each, and all others stand for three. Numbers below -128 and above 127 change, but none becomes a surrogate. So one vector of
//! bytes takes the work of four or two vectors of units, plus a few operations for narrowing. AMD EPYC (Zen 4), AVX2, 160 KiB of UTF-8:
//! UTF-16 39 → 76 GB/s, UTF-32 62 → 77. With one sum for all three questions, whose additions wait for each other, UTF-16 reaches 66;
//! UTF-32, if it is narrowed by 16 bits separately and put in order, 62.
//!
//! Lengths of other encodings are sums over units of one or two bytes, where plain loops are as fast: see
//! [`lengths`](crate::kernel::portable::lengths), which also counts what is left over here. But they count in rows of 64 units, and
//! whatever does not fill a row unit by unit, which is all of a short text. So [`ShortLength`] counts in registers, the last of which
//! overlaps the one before it.

use core::marker::PhantomData;

use crate::kernel::portable::corrected_lengths::has_corrected_side;
use crate::kernel::portable::lengths::is_uniform;
use crate::kernel::shared::Progress;
use crate::kernel::vector::{Operation, Vector};
use crate::unicode::{Family, Form};

/// Counts the bytes of UTF-8 that units of UTF-16 or UTF-32 become: of as many of the `len` units at `src` as fill whole registers of bytes.
pub(in crate::kernel) struct BytesOfWide<S: Form> {
    src: *const u8,
    len: usize,
    form: PhantomData<S>,
}

/// Registers whose answers are added up in bytes.
const MOST: usize = 255;

impl<S: Form> BytesOfWide<S> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        BytesOfWide { src, len, form: PhantomData }
    }

    /// The most bytes that a unit becomes, if each question is answered with yes.
    const MOST_BYTES: usize = if matches!(S::FAMILY, Family::Utf16) { 3 } else { 4 };

    /// The answers "no", each as -1, to three questions about so many units at `p` as a register has bytes.
    ///
    /// # Safety
    /// The caller is within the root, and so many units must be readable.
    #[inline(always)]
    unsafe fn ask<V: Vector>(p: *const u8) -> [V; 3] {
        // SAFETY: the caller's promise.
        unsafe {
            let zero = V::splat(0);
            // Written out: closures for `map` would be compiled without the instruction set, unless they are inlined.
            let (mut a, mut b) = (V::load(p), V::load(p.add(V::LEN)));
            if matches!(S::FAMILY, Family::Utf16) {
                if S::SWAPPED {
                    (a, b) = (a.swap16(), b.swap16());
                }
                let bits = a.narrow_shifted_16_to_8::<7>(b);
                let upper = bits.and(V::splat(0xF0));
                // What stands for three bytes is neither less than 800 nor a surrogate.
                return [bits.equal(zero), upper.equal(zero), upper.equal(V::splat(0xB0))];
            }
            let (mut c, mut d) = (V::load(p.add(2 * V::LEN)), V::load(p.add(3 * V::LEN)));
            if S::SWAPPED {
                (a, b, c, d) = (a.swap32(), b.swap32(), c.swap32(), d.swap32());
            }
            let first = a.shr32::<6>().narrow_signed_32_to_16(b.shr32::<6>());
            let second = c.shr32::<6>().narrow_signed_32_to_16(d.shr32::<6>());
            let bits = first.narrow_shifted_16_to_8::<1>(second);
            let upper = first.narrow_shifted_16_to_8::<8>(second);
            [bits.equal(zero), V::splat(0x10).greater_signed(bits), V::splat(4).greater_signed(upper)]
        }
    }
}

/// How many answers, each of -1, are in the sums of the lanes.
///
/// # Safety
/// The caller is within the root.
#[inline(always)]
unsafe fn counted<V: Vector>(lanes: V) -> usize {
    // SAFETY: the caller's promise.
    unsafe { lanes.xor(V::splat(0xFF)).add(V::splat(1)).sum_bytes() }
}

impl<S: Form> Operation for BytesOfWide<S> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let (mut p, mut left, mut written) = (self.src, self.len / V::LEN, 0);
        // SAFETY: the caller promises `len` units, and a register of bytes stands for `V::LEN` of them.
        unsafe {
            while left > 0 {
                let few = left.min(MOST);
                // A sum for each question: additions to one and the same would wait for each other.
                let [mut first, mut second, mut third] = [V::splat(0); 3];
                for _ in 0..few {
                    let [a, b, c] = Self::ask::<V>(p);
                    (first, second, third) = (first.add(a), second.add(b), third.add(c));
                    p = p.add(size_of::<S::Unit>() * V::LEN);
                }
                written += Self::MOST_BYTES * few * V::LEN;
                written -= counted(first) + counted(second) + counted(third);
                left -= few;
            }
        }
        Progress { read: self.len - self.len % V::LEN, written }
    }
}

/// The number of units of `D` that the units of `S` in `src` become: of up to [`SHORT`](ShortLength::SHORT). The rules are those of the
/// plain loops.
pub(in crate::kernel) struct ShortLength<'a, S: Form, D: Form> {
    src: &'a [u8],
    pair: PhantomData<(S, D)>,
}

impl<'a, S: Form, D: Form> ShortLength<'a, S, D> {
    /// The most units of a text: their answers, up to three for each, are added up in bytes.
    pub(in crate::kernel) const SHORT: usize = 1024 / size_of::<S::Unit>();

    /// Whether it knows these encodings.
    pub(in crate::kernel) const KNOWN: bool = !has_corrected_side::<S, D>()
        && !is_uniform::<S, D>()
        && !matches!(S::FAMILY, Family::Cesu8)
        && !matches!(D::FAMILY, Family::Cesu8);

    pub(in crate::kernel) fn new(src: &'a [u8]) -> Self {
        ShortLength { src, pair: PhantomData }
    }

    /// What is added for each unit, whatever it is.
    const LEAST: usize = !matches!(S::FAMILY, Family::Utf8) as usize;

    /// For each unit as -1, in all of its bytes, what it stands for but [`LEAST`](Self::LEAST); for characters of UTF-16, what it stands
    /// for less.
    #[inline(always)]
    unsafe fn more<V: Vector>(units: V) -> V {
        // SAFETY: the caller is within the root.
        unsafe {
            let units = match (S::SWAPPED, size_of::<S::Unit>()) {
                (false, _) => units,
                (true, 2) => units.swap16(),
                (true, _) => units.swap32(),
            };
            match (S::FAMILY, D::FAMILY) {
                (Family::Utf8, target) => {
                    // As signed numbers, continuation bytes are the smallest.
                    let characters = units.greater_signed(V::splat(0xBF));
                    if target == Family::Utf16 {
                        characters.add(units.at_least(V::splat(0xF0)))
                    } else {
                        characters
                    }
                }
                (Family::Utf16, Family::Utf8) => {
                    let third = units.at_least16(0x800).and_not(units.surrogates());
                    units.at_least16(0x80).add(third)
                }
                (Family::Utf16, _) => units.and(V::splat16(0xFC00)).equal16(V::splat16(0xDC00)),
                (Family::Utf32, target) => {
                    let four = units.max32(V::splat32(0x1_0000)).equal32(units);
                    if target == Family::Utf16 {
                        return four;
                    }
                    let two = units.max32(V::splat32(0x80)).equal32(units);
                    let three = units.max32(V::splat32(0x800)).equal32(units);
                    two.add(three).add(four)
                }
                _ => V::splat(0).greater_signed(units),
            }
        }
    }
}

/// Zeros, ones and zeros: for the first bytes of a register, or the last.
static ENDS: [u8; 96] = {
    let mut bytes = [0; 96];
    let mut at = 32;
    while at < 64 {
        bytes[at] = 0xFF;
        at += 1;
    }
    bytes
};

impl<S: Form, D: Form> Operation for ShortLength<'_, S, D> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        debug_assert!(src.len() <= Self::SHORT * size_of::<S::Unit>());
        // SAFETY: this is within the root, and the registers are within the text, or part of it.
        unsafe {
            let mut sum = V::splat(0);
            let mut at = 0;
            while src.len() - at >= V::LEN {
                sum = sum.add(Self::more(V::load(src.as_ptr().add(at))));
                at += V::LEN;
            }
            let rest = src.len() - at;
            let (units, kept) = if at == 0 {
                (V::load_partial(src), 64 - rest)
            } else {
                (V::load(src.as_ptr().add(src.len() - V::LEN)), 32 - V::LEN + rest)
            };
            sum = sum.add(Self::more(units).and(V::load(ENDS.as_ptr().add(kept))));
            let more = counted(sum) / size_of::<S::Unit>();
            let units = src.len() / size_of::<S::Unit>();
            match (S::FAMILY, D::FAMILY) {
                (Family::Utf16, target) if target != Family::Utf8 => units - more,
                _ => Self::LEAST * units + more,
            }
        }
    }
}
