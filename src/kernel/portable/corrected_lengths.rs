//! Lengths to and from Corrected UTF-8, where a unit by itself does not tell.
//!
//! In UTF-8 a lead byte says how long its character is in any other encoding, for all of them change
//! their lengths at the same code points. Corrected UTF-8 changes at others, U+08A0 and U+110A0, which lie
//! in the middle of what a lead byte begins. But both forms are in the order of code points: a character
//! is at least the code point *t* iff its bytes, read as a number, are at least those of *t*. So the four
//! bytes from a lead on are one number, and a length is one, and one more for each code point from which on
//! the target has a unit more, all of which are constants.
//!
//! This is plain code, compiled once for each instruction set. UTF-16 is not in that order, for its
//! surrogates stand before U+E000; there a pair is judged when its high surrogate comes by.

use core::marker::PhantomData;

use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{CorrectedForm, Family, Form};

/// The units of `D` for so many units of `S`, one of which is Corrected UTF-8, as what was "written".
pub(in crate::kernel) struct CorrectedLengths<S: Form, D: Form> {
    src: *const S::Unit,
    len: usize,
    target: PhantomData<D>,
}

/// Whether lengths from `S` to `D` are measured here.
pub(in crate::kernel) const fn is_measured<S: Form, D: Form>() -> bool {
    match (S::FAMILY, D::FAMILY) {
        (Family::Corrected, Family::Corrected) | (Family::Ascii, _) | (Family::Cesu8, _) => false,
        (Family::Corrected, _) | (_, Family::Corrected) => true,
        _ => false,
    }
}

/// Units looked at for one: itself and those behind it.
const fn span<S: Form>() -> usize {
    match S::FAMILY {
        Family::Corrected | Family::Utf8 => 4,
        Family::Utf16 => 2,
        _ => 1,
    }
}

/// From which code points on a character has a unit of `D` more, and how many more.
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
        // What lies below the first of two bytes is that.
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

/// What a unit of `S` is worth in units of `D`, with those behind it.
#[inline(always)]
fn weight<S: Form, D: Form>(units: [u32; 4]) -> u32 {
    let [a, b, c, d] = units;
    let nul = u32::from(D::HIDES_NUL && a == 0);
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
        while self.len - at >= ROW + span::<S>() {
            let mut lanes = [0_u32; ROW];
            let rows = (1 << 16).min((self.len - at - span::<S>()) / ROW);
            for row in 0..rows {
                let from = at + row * ROW;
                for (lane, sum) in lanes.iter_mut().enumerate() {
                    let mut units = [0; 4];
                    for (place, unit) in units.iter_mut().enumerate().take(span::<S>()) {
                        // SAFETY: as many units as are looked at lie behind a row.
                        *unit = S::value(unsafe { self.src.add(from + lane + place).read_unaligned() });
                    }
                    *sum += weight::<S, D>(units);
                }
            }
            sum += lanes.iter().map(|lane| *lane as usize).sum::<usize>();
            at += rows * ROW;
        }
        while at < self.len {
            let mut units = [0; 4];
            for (place, unit) in units.iter_mut().enumerate().take(span::<S>().min(self.len - at)) {
                // SAFETY: there are as many units.
                *unit = S::value(unsafe { self.src.add(at + place).read_unaligned() });
            }
            sum += weight::<S, D>(units) as usize;
            at += 1;
        }
        Progress { read: self.len, written: sum }
    }
}

/// How many characters of Corrected UTF-8 are at least this code point: what one byte does not tell.
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
