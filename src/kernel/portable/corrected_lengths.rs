//! Lengths to and from Corrected UTF-8, where a single unit does not determine them.
//!
//! In UTF-8 the lead byte determines the length of its character in every other encoding, because they all change their lengths at
//! the same code points. Corrected UTF-8 changes at others, U+08A0 and U+110A0, which lie inside the range of a lead byte. But both
//! forms sort by code point: a character is at least the code point *t* if and only if its bytes, read as a number, are at least
//! those of *t*. So the four bytes from a lead byte on are read as one number, and the length is one, plus one for each code point at
//! which the target takes a unit more; these code points are constants.
//!
//! This is plain code, compiled once for each instruction set. UTF-16 does not sort by code point, because its surrogates precede
//! U+E000; there the weight of a pair is found at its high surrogate.

use core::marker::PhantomData;

use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{CorrectedForm, Family, Form};

/// The length in units of `D` of units of `S`, returned as `written`. One of the two forms is Corrected UTF-8.
pub(in crate::kernel) struct CorrectedLengths<S: Form, D: Form> {
    src: *const S::Unit,
    len: usize,
    target: PhantomData<D>,
}

/// Whether lengths from `S` to `D` are found by comparison with code points, as in this file.
pub(in crate::kernel) const fn has_corrected_side<S: Form, D: Form>() -> bool {
    match (S::FAMILY, D::FAMILY) {
        (Family::Corrected, Family::Corrected) | (Family::Ascii, _) | (Family::Cesu8, _) => false,
        (Family::Corrected, _) | (_, Family::Corrected) => true,
        _ => false,
    }
}

/// Units that determine the weight of one: itself and those after it.
const fn lookahead<S: Form>() -> usize {
    match S::FAMILY {
        Family::Corrected | Family::Utf8 => 4,
        Family::Utf16 => 2,
        _ => 1,
    }
}

/// The code points from which on a character takes more units of `D`, and how many more.
const fn steps<D: Form>() -> [(u32, u32); 3] {
    const NEVER: (u32, u32) = (0x7FFF_FFFF, 0);
    match D::FAMILY {
        Family::Corrected => [(0x80, 1), (0x8A0, 1), (0x1_10A0, 1)],
        Family::Utf8 => [(0x80, 1), (0x800, 1), (0x1_0000, 1)],
        Family::Cesu8 => [(0x80, 1), (0x800, 1), (0x1_0000, 3)],
        Family::Utf16 => [(0x1_0000, 1), NEVER, NEVER],
        _ => [NEVER; 3],
    }
}

/// The bytes of a code point as a number.
const fn in_bytes<S: Form>(point: u32) -> u32 {
    if point > 0x10_FFFF {
        return u32::MAX;
    }
    let corrected = matches!(S::FAMILY, Family::Corrected);
    let (len, bits) = match (corrected, point) {
        (_, 0..=0x7F) => (1, point),
        // Without a form: the least form of two bytes.
        (true, 0x80..=0x9F) => (2, 0),
        (true, 0xA0..=0x89F) => (2, point - 0xA0),
        (true, 0x8A0..=0xD7FF) => (3, point - 0x8A0),
        (true, 0xD800..=0x1_109F) => (3, point - 0x10A0),
        (true, _) => (4, point - 0x1_10A0),
        (false, 0x80..=0x7FF) => (2, point),
        (false, 0x800..=0xFFFF) => (3, point),
        (false, _) => (4, point),
    };
    let (six, tail) = (0x3F, 0x80);
    match len {
        1 => bits << 24,
        2 => (0xC0 | bits >> 6) << 24 | (tail | bits & six) << 16,
        3 => (0xE0 | bits >> 12) << 24 | (tail | bits >> 6 & six) << 16 | (tail | bits & six) << 8,
        _ => {
            (0xF0 | bits >> 18) << 24
                | (tail | bits >> 12 & six) << 16
                | (tail | bits >> 6 & six) << 8
                | (tail | bits & six)
        }
    }
}

/// The weight of the first of these units of `S`, in units of `D`.
#[inline(always)]
fn weight<S: Form, D: Form>(units: [u32; 4]) -> u32 {
    let [a, b, c, d] = units;
    let nul = u32::from(D::TWO_BYTE_NUL && a == 0);
    match S::FAMILY {
        Family::Corrected | Family::Utf8 => {
            let word = a << 24 | b << 16 | c << 8 | d;
            let [first, second, third] = const {
                let [first, second, third] = steps::<D>();
                [
                    (in_bytes::<S>(first.0), first.1),
                    (in_bytes::<S>(second.0), second.1),
                    (in_bytes::<S>(third.0), third.1),
                ]
            };
            let more = |step: (u32, u32)| if word >= step.0 { step.1 } else { 0 };
            if a & 0xC0 == 0x80 { 0 } else { 1 + more(first) + more(second) + more(third) + nul }
        }
        Family::Utf16 => {
            let more = |least: u32| u32::from(a >= least);
            // D804 DCA0 is U+110A0.
            let pair = 3 + u32::from(a << 16 | b >= 0xD804_DCA0);
            match a & 0xFC00 {
                0xD800 => pair,
                0xDC00 => 0,
                _ => 1 + more(0x80) + more(0x8A0),
            }
        }
        _ => {
            let more = |step: (u32, u32)| if a >= step.0 { step.1 } else { 0 };
            let [first, second, third] = steps::<D>();
            1 + more(first) + more(second) + more(third) + nul
        }
    }
}

impl<S: Form, D: Form> CorrectedLengths<S, D> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        CorrectedLengths { src: src.cast(), len, target: PhantomData }
    }
}

/// Units in a row of lanes.
const ROW: usize = 64;

impl<S: Form, D: Form> Plain for CorrectedLengths<S, D> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let (mut at, mut sum) = (0, 0);
        while self.len - at >= ROW + lookahead::<S>() {
            let mut lanes = [0_u32; ROW];
            let rows = (1 << 16).min((self.len - at - lookahead::<S>()) / ROW);
            for row in 0..rows {
                let from = at + row * ROW;
                for (lane, sum) in lanes.iter_mut().enumerate() {
                    let mut units = [0; 4];
                    for (offset, unit) in units.iter_mut().enumerate().take(lookahead::<S>()) {
                        // SAFETY: the units that a weight looks at are left after a row.
                        *unit = S::value(unsafe { self.src.add(from + lane + offset).read_unaligned() });
                    }
                    *sum += weight::<S, D>(units);
                }
            }
            sum += lanes.iter().map(|lane| *lane as usize).sum::<usize>();
            at += rows * ROW;
        }
        while at < self.len {
            let mut units = [0; 4];
            for (offset, unit) in units.iter_mut().enumerate().take(lookahead::<S>().min(self.len - at)) {
                // SAFETY: so many units are left.
                *unit = S::value(unsafe { self.src.add(at + offset).read_unaligned() });
            }
            sum += weight::<S, D>(units) as usize;
            at += 1;
        }
        Progress { read: self.len, written: sum }
    }
}

/// How many characters of Corrected UTF-8 are at least `POINT`, which one byte does not determine.
pub(in crate::kernel) struct AtLeast<const POINT: u32> {
    src: *const u8,
    len: usize,
}

impl<const POINT: u32> AtLeast<POINT> {
    /// Of the `len` bytes at `src`.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        AtLeast { src, len }
    }
}

impl<const POINT: u32> Plain for AtLeast<POINT> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        // SAFETY: the caller's promise.
        let bytes = unsafe { core::slice::from_raw_parts(self.src, self.len) };
        let least = const { in_bytes::<CorrectedForm>(POINT) };
        let is = |bytes: [u8; 4]| bytes[0] >= 0xC0 && u32::from_be_bytes(bytes) >= least;
        let mut found = bytes.windows(4).filter(|four| is([four[0], four[1], four[2], four[3]])).count();
        let mut padded = [0; 6];
        let last = &bytes[bytes.len().saturating_sub(3)..];
        padded[..last.len()].copy_from_slice(last);
        found += padded
            .windows(4)
            .take(last.len())
            .filter(|four| is([four[0], four[1], four[2], four[3]]))
            .count();
        Progress { read: self.len, written: found }
    }
}
