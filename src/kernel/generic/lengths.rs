//! Lengths over vectors: of UTF-32 in UTF-8, and of short texts.
//!
//! A unit stands for one byte, and one more from 80, from 800 and from 10000 on. The plain loop asks that of words of four bytes, as signed
//! numbers, since AVX2 and SSE4.2 compare no others: three instructions for each question. Here units are shifted right and narrowed to
//! bytes with saturation first, which keeps what the questions ask: by 7 bits, then it is whether there is anything left, and whether it is
//! at least 10; by 16, whether there is anything left. So a vector of bytes takes what four of units took, and needs a few more for
//! narrowing.
//!
//! Lengths of other encodings are sums over units of one or two bytes, where plain loops are as fast: see
//! [`lengths`](crate::kernel::portable::lengths), which also counts what is left over here. But they count by rows of 64 units, and what
//! does not fill a row unit by unit, which is all of a short text. So [`ShortLength`] counts by registers, the last of which overlaps the
//! one before it.

use core::marker::PhantomData;

use crate::kernel::portable::corrected_lengths::has_corrected_side;
use crate::kernel::portable::lengths::is_uniform;
use crate::kernel::shared::Progress;
use crate::kernel::vector::{Operation, Vector};
use crate::unicode::{Family, Form};

/// Counts the bytes that units of UTF-32 become: of as many of the `len` units at `src` as fill whole registers of bytes.
pub(in crate::kernel) struct BytesOfUtf32 {
    pub(in crate::kernel) src: *const u8,
    pub(in crate::kernel) len: usize,
}

/// Registers whose answers are added up in bytes: three for each.
const MOST: usize = 255 / 3;

impl Operation for BytesOfUtf32 {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let (mut p, mut left, mut written) = (self.src, self.len / V::LEN, 0);
        // SAFETY: the caller promises `len` units, and a register of bytes stands for `V::LEN` of them.
        unsafe {
            let (zero, sixteen) = (V::splat(0), V::splat(0x10));
            while left > 0 {
                let few = left.min(MOST);
                // The answers "no", each as -1.
                let mut missing = zero;
                for _ in 0..few {
                    // Written out: closures for `map` would be compiled without the instruction set, unless they are inlined.
                    let (a, b) = (V::load(p), V::load(p.add(V::LEN)));
                    let (c, d) = (V::load(p.add(2 * V::LEN)), V::load(p.add(3 * V::LEN)));
                    let shifted = [a.shr32::<7>(), b.shr32::<7>(), c.shr32::<7>(), d.shr32::<7>()];
                    let upper = [a.shr32::<16>(), b.shr32::<16>(), c.shr32::<16>(), d.shr32::<16>()];
                    let (shifted, upper) =
                        (V::narrow_signed_32_to_8(shifted), V::narrow_signed_32_to_8(upper));
                    missing = missing.add(shifted.equal(zero));
                    missing = missing.add(sixteen.greater_signed(shifted));
                    missing = missing.add(upper.equal(zero));
                    p = p.add(4 * V::LEN);
                }
                written += 4 * few * V::LEN - missing.xor(V::splat(0xFF)).add(V::splat(1)).sum_bytes();
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
            let more = sum.xor(V::splat(0xFF)).add(V::splat(1)).sum_bytes() / size_of::<S::Unit>();
            let units = src.len() / size_of::<S::Unit>();
            match (S::FAMILY, D::FAMILY) {
                (Family::Utf16, target) if target != Family::Utf8 => units - more,
                _ => Self::LEAST * units + more,
            }
        }
    }
}
