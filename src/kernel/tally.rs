//! Sums and maxima over code units: how many characters a text has, how long it would be elsewhere,
//! which repertoire holds it.
//!
//! In well-formed text the size of a character in any encoding is the sum of what each of its code
//! units says by itself: a lead byte of UTF-8 stands for one character, and from F0 on for two units
//! of UTF-16; a continuation byte stands for nothing. So a length is a sum of small weights, unit by
//! unit, without a look at the neighbours and without a branch. In ill-formed text the sum is still
//! the same on every CPU, and never less than what a conversion writes before the error.
//!
//! This is plain code, compiled once for each instruction set. What makes compilers turn it into a
//! compare and a subtraction per vector is that it sums in the type of the unit, lane by lane: over
//! so few rows that no lane can overflow.

use core::marker::PhantomData;

use super::Progress;
use super::convert::{Form, Plain, Shape, Word};

/// Whether a unit is half of a pair.
#[inline(always)]
fn is_surrogate(unit: u32) -> bool {
    unit & 0xF800 == 0xD800
}

/// The units of `D` that a unit of `S` stands for: 0 to 4.
#[inline(always)]
fn weight<S: Form, D: Form>(value: u32) -> u32 {
    let at_least = |least: u32| u32::from(value >= least);
    match (S::SHAPE, D::SHAPE) {
        (Shape::Utf8, Shape::Utf8) | (Shape::Utf16, Shape::Utf16) => 1,
        (Shape::Utf8, target) => {
            // All but continuation bytes; and two units for what has four bytes.
            let pair = if target == Shape::Utf16 { at_least(0xF0) } else { 0 };
            u32::from(value as u8 as i8 >= -64) + pair
        }
        (Shape::Utf16, Shape::Utf8) => {
            // Of a pair's four bytes, each half stands for two.
            let third = value >= 0x800 && !is_surrogate(value);
            1 + at_least(0x80) + u32::from(third)
        }
        (Shape::Utf16, _) => u32::from(value & 0xFC00 != 0xDC00),
        (_, Shape::Utf8) => 1 + at_least(0x80) + at_least(0x800) + at_least(0x1_0000),
        (Shape::Utf32, Shape::Utf16) => 1 + at_least(0x1_0000),
        _ => 1,
    }
}

/// Whether every unit of `S` stands for one of `D`.
pub(super) const fn is_uniform<S: Form, D: Form>() -> bool {
    match (S::SHAPE, D::SHAPE) {
        (Shape::Utf8, Shape::Utf8) | (Shape::Utf16, Shape::Utf16) | (Shape::Ascii, _) => true,
        (Shape::Utf8 | Shape::Utf16, _) | (_, Shape::Utf8) | (Shape::Utf32, Shape::Utf16) => false,
        _ => true,
    }
}

/// Units in a row of lanes: a cache line of bytes.
const ROW: usize = 64;

/// The most rows that are summed in lanes of the size of a unit. A byte stands for two units at most,
/// a greater unit for four.
const fn most_rows<S: Form>() -> usize {
    if size_of::<S::Unit>() == 1 { 255 / 2 } else { 65_535 / 4 }
}

/// The sum of the units of `D` that so many units of `S` stand for, as what was "written".
pub(super) struct Tally<S: Form, D: Form> {
    src: *const S::Unit,
    len: usize,
    target: PhantomData<D>,
}

impl<S: Form, D: Form> Tally<S, D> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    pub(super) fn new(src: *const u8, len: usize) -> Self {
        Tally { src: src.cast(), len, target: PhantomData }
    }
}

impl<S: Form, D: Form> Plain for Tally<S, D> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let weight = |unit: S::Unit| weight::<S, D>(S::value(unit));
        let (mut at, mut sum) = (0, 0);
        // To the start of a cache line first, where it is worth it: a load across two costs twice.
        let head = self.src.align_offset(64);
        if head <= 64 && self.len >= 64 * ROW {
            while at < head {
                // SAFETY: there is such a unit.
                sum += weight(unsafe { self.src.add(at).read() }) as usize;
                at += 1;
            }
        }
        while self.len - at >= ROW {
            let rows = most_rows::<S>().min((self.len - at) / ROW);
            // SAFETY: so many rows are there to be read.
            let lanes = unsafe { fold_rows(self.src.add(at), rows, weight, |a, b| a + b) };
            sum += lanes.iter().map(|lane| lane.value() as usize).sum::<usize>();
            at += rows * ROW;
        }
        while at < self.len {
            // SAFETY: there is such a unit.
            sum += weight(unsafe { self.src.add(at).read_unaligned() }) as usize;
            at += 1;
        }
        Progress { read: self.len, written: sum }
    }
}

/// The greatest of the units of `S`, as what was "written", with all surrogates taken for the same
/// unit above all others; as far as nothing is greater than `limit`.
pub(super) struct Greatest<S: Form> {
    src: *const S::Unit,
    len: usize,
    limit: u32,
}

impl<S: Form> Greatest<S> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    pub(super) fn new(src: *const u8, len: usize, limit: u32) -> Self {
        Greatest { src: src.cast(), len, limit }
    }
}

impl<S: Form> Plain for Greatest<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let any_surrogate = |any: u32, value: u32| any | u32::from(is_surrogate(value));
        let rank = |value: u32| match S::SHAPE {
            Shape::Utf16 if is_surrogate(value) => 0xFFFF,
            Shape::Utf16 => value.min(0xFFFE),
            _ => value,
        };
        let (mut at, mut greatest) = (0, 0);
        while self.len - at >= ROW && greatest <= self.limit {
            // Few rows, for the limit is looked at behind them.
            let rows = 16.min((self.len - at) / ROW);
            // SAFETY: so many rows are there to be read.
            let lanes =
                unsafe { fold_rows(self.src.add(at), rows, S::value, |a, b| if a > b { a } else { b }) };
            let mut most = lanes.iter().fold(0, |most, lane| most.max(lane.value()));
            if S::SHAPE == Shape::Utf16 && most >= 0xD800 {
                // SAFETY: as above.
                let found = unsafe { fold_rows(self.src.add(at), rows, S::value, any_surrogate) };
                most = if found.iter().any(|lane| lane.value() != 0) { 0xFFFF } else { most.min(0xFFFE) };
            }
            greatest = greatest.max(most);
            at += rows * ROW;
        }
        while at < self.len && greatest <= self.limit {
            // SAFETY: there is such a unit.
            greatest = greatest.max(rank(S::value(unsafe { self.src.add(at).read_unaligned() })));
            at += 1;
        }
        Progress { read: at, written: greatest as usize }
    }
}

/// Folds what is measured of `rows` rows, lane by lane.
///
/// # Safety
/// So many rows must be readable at `src`, at any alignment.
#[inline(always)]
unsafe fn fold_rows<U: Word>(
    src: *const U,
    rows: usize,
    measure: impl Fn(U) -> u32,
    fold: impl Fn(u32, u32) -> u32,
) -> [U; ROW] {
    let mut lanes = [U::of(0); ROW];
    for row in 0..rows {
        // SAFETY: the caller's promise.
        let units = unsafe { src.add(row * ROW).cast::<[U; ROW]>().read_unaligned() };
        for (lane, unit) in lanes.iter_mut().zip(units) {
            *lane = U::of(fold(lane.value(), measure(unit)));
        }
    }
    lanes
}
