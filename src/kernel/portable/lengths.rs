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

use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Family, Form, Unit, is_high, is_low, is_surrogate};

/// The units of `D` that a unit of `S` stands for: 0 to 6. What a pair of surrogates in CESU-8 has too
/// many has to be taken off by another sum.
#[inline(always)]
fn weight<S: Form, D: Form>(value: u32) -> u32 {
    let at_least = |least: u32| u32::from(value >= least);
    let nul = u32::from(D::HIDES_NUL && !S::HIDES_NUL && value == 0);
    let hidden = u32::from(S::HIDES_NUL && !D::HIDES_NUL && value == 0xC0);
    match (S::FAMILY, D::FAMILY) {
        (Family::Corrected, Family::Corrected) => 1,
        // What else there is of these is measured elsewhere, but for ASCII.
        (Family::Corrected, _) => u32::from(value as u8 as i8 >= -64),
        (Family::Ascii, Family::Corrected) => 1,
        (Family::Cesu8, Family::Utf8 | Family::Cesu8) => 1 + nul - hidden,
        // Every unit of UTF-16 has a lead, and nothing else is one.
        (Family::Cesu8, _) => u32::from(value as u8 as i8 >= -64),
        // One lead, and three continuation bytes, for six.
        (Family::Utf8, Family::Cesu8) => 1 + 2 * at_least(0xF0) + nul,
        (Family::Utf16 | Family::Latin1 | Family::Ascii, Family::Cesu8) => {
            1 + at_least(0x80) + at_least(0x800) + nul
        }
        (_, Family::Cesu8) => 1 + at_least(0x80) + at_least(0x800) + 3 * at_least(0x1_0000) + nul,
        (Family::Utf8, Family::Utf8) | (Family::Utf16, Family::Utf16) => 1,
        (Family::Utf8, target) => {
            // All but continuation bytes; and two units for what has four bytes.
            let pair = if target == Family::Utf16 { at_least(0xF0) } else { 0 };
            u32::from(value as u8 as i8 >= -64) + pair
        }
        (Family::Utf16, Family::Utf8) => {
            // Of a pair's four bytes, each half stands for two.
            let third = value >= 0x800 && !is_surrogate(value);
            1 + at_least(0x80) + u32::from(third)
        }
        (Family::Utf16, _) => u32::from(!is_low(value)),
        (_, Family::Utf8) => 1 + at_least(0x80) + at_least(0x800) + at_least(0x1_0000),
        (Family::Utf32, Family::Utf16) => 1 + at_least(0x1_0000),
        _ => 1,
    }
}

/// Whether every unit of `S` stands for one of `D`.
pub(in crate::kernel) const fn is_uniform<S: Form, D: Form>() -> bool {
    match (S::FAMILY, D::FAMILY) {
        (Family::Corrected, Family::Corrected) => true,
        (Family::Corrected, _) => false,
        (Family::Cesu8, Family::Cesu8 | Family::Utf8) => S::HIDES_NUL == D::HIDES_NUL,
        (Family::Cesu8, _) | (_, Family::Cesu8) => false,
        (Family::Utf8, Family::Utf8) | (Family::Utf16, Family::Utf16) | (Family::Ascii, _) => true,
        (Family::Utf8 | Family::Utf16, _) | (_, Family::Utf8) | (Family::Utf32, Family::Utf16) => false,
        _ => true,
    }
}

/// Units in a row of lanes: a cache line of bytes.
const ROW: usize = 64;

/// The most rows that are summed in lanes of the size of a unit. A byte stands for three units at most,
/// a greater unit for six.
const fn most_rows<S: Form>() -> usize {
    if size_of::<S::Unit>() == 1 { 255 / 3 } else { 65_535 / 6 }
}

/// The sum of the units of `D` that so many units of `S` stand for, as what was "written".
pub(in crate::kernel) struct Lengths<S: Form, D: Form> {
    src: *const S::Unit,
    len: usize,
    target: PhantomData<D>,
}

impl<S: Form, D: Form> Lengths<S, D> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        Lengths { src: src.cast(), len, target: PhantomData }
    }
}

impl<S: Form, D: Form> Plain for Lengths<S, D> {
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
pub(in crate::kernel) struct Greatest<S: Form> {
    src: *const S::Unit,
    len: usize,
    limit: u32,
}

impl<S: Form> Greatest<S> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, limit: u32) -> Self {
        Greatest { src: src.cast(), len, limit }
    }
}

impl<S: Form> Plain for Greatest<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let any_surrogate = |any: u32, value: u32| any | u32::from(is_surrogate(value));
        let rank = |value: u32| match S::FAMILY {
            Family::Utf16 if is_surrogate(value) => 0xFFFF,
            Family::Utf16 => value.min(0xFFFE),
            _ => value,
        };
        // The two bytes of U+0000 are not more than what they stand for.
        let value = |unit: S::Unit| match S::value(unit) {
            0x80..=0xC0 if S::HIDES_NUL => 0,
            value => value,
        };
        let (mut at, mut greatest) = (0, 0);
        while self.len - at >= ROW && greatest <= self.limit {
            // Few rows, for the limit is looked at behind them.
            let rows = 16.min((self.len - at) / ROW);
            // SAFETY: so many rows are there to be read.
            let lanes = unsafe { fold_rows(self.src.add(at), rows, value, |a, b| if a > b { a } else { b }) };
            let mut most = lanes.iter().fold(0, |most, lane| most.max(lane.value()));
            if S::FAMILY == Family::Utf16 && most >= 0xD800 {
                // SAFETY: as above.
                let found = unsafe { fold_rows(self.src.add(at), rows, S::value, any_surrogate) };
                most = if found.iter().any(|lane| lane.value() != 0) { 0xFFFF } else { most.min(0xFFFE) };
            }
            greatest = greatest.max(most);
            at += rows * ROW;
        }
        while at < self.len && greatest <= self.limit {
            // SAFETY: there is such a unit.
            greatest = greatest.max(rank(value(unsafe { self.src.add(at).read_unaligned() })));
            at += 1;
        }
        Progress { read: at, written: greatest as usize }
    }
}

/// How many pairs of surrogates there are in so many bytes, each in three bytes, a high one before a low one;
/// or, without `PAIRS`, whether there is any surrogate: as what was "written".
pub(in crate::kernel) struct Surrogates8<const PAIRS: bool> {
    src: *const u8,
    len: usize,
}

impl<const PAIRS: bool> Surrogates8<PAIRS> {
    /// Of the `len` bytes at `src`.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        Surrogates8 { src, len }
    }

    /// Whether a surrogate, or a pair, begins at `at`.
    ///
    /// # Safety
    /// So many bytes must be there from `at` on as one has before its last.
    #[inline(always)]
    unsafe fn begins(&self, at: usize) -> bool {
        // SAFETY: the caller's promise.
        let byte = |place: usize| unsafe { *self.src.add(at + place) };
        if PAIRS {
            (byte(0) == 0xED) & (byte(1) & 0xF0 == 0xA0) & (byte(3) == 0xED) & (byte(4) & 0xF0 == 0xB0)
        } else {
            (byte(0) == 0xED) & (byte(1) >= 0xA0)
        }
    }
}

impl<const PAIRS: bool> Plain for Surrogates8<PAIRS> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let places = (self.len + 1).saturating_sub(if PAIRS { 5 } else { 2 });
        let (mut at, mut sum) = (0, 0);
        while places - at >= ROW {
            let rows = 255.min((places - at) / ROW);
            let mut lanes = [0_u8; ROW];
            for row in 0..rows {
                for (lane, count) in lanes.iter_mut().enumerate() {
                    // SAFETY: there are as many places, and as many bytes for each.
                    *count += u8::from(unsafe { self.begins(at + row * ROW + lane) });
                }
            }
            sum += lanes.iter().map(|count| usize::from(*count)).sum::<usize>();
            at += rows * ROW;
            if !PAIRS && sum > 0 {
                break;
            }
        }
        while at < places {
            // SAFETY: as above.
            sum += usize::from(unsafe { self.begins(at) });
            at += 1;
        }
        Progress { read: self.len, written: sum }
    }
}

/// How many pairs of surrogates there are in so many units of UTF-16; what was "read" is how many
/// low surrogates.
pub(in crate::kernel) struct Pairs16<S: Form> {
    src: *const S::Unit,
    len: usize,
}

impl<S: Form> Pairs16<S> {
    /// Of the `len` units at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        Pairs16 { src: src.cast(), len }
    }
}

impl<S: Form> Plain for Pairs16<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        // SAFETY: it is asked for units that there are.
        let unit = |at: usize| S::value(unsafe { self.src.add(at).read_unaligned() });
        let mut at = 1;
        let mut lows = usize::from(self.len > 0 && is_low(unit(0)));
        let mut pairs = 0;
        while at + ROW <= self.len {
            let rows = 65_535.min((self.len - at) / ROW);
            let mut sums = [[0_u16; 2]; ROW];
            for row in 0..rows {
                for (lane, [lows, pairs]) in sums.iter_mut().enumerate() {
                    let at = at + row * ROW + lane;
                    let low = is_low(unit(at));
                    *lows += u16::from(low);
                    *pairs += u16::from(low & is_high(unit(at - 1)));
                }
            }
            for [some_lows, some_pairs] in sums {
                lows += usize::from(some_lows);
                pairs += usize::from(some_pairs);
            }
            at += rows * ROW;
        }
        while at < self.len {
            let low = is_low(unit(at));
            lows += usize::from(low);
            pairs += usize::from(low & is_high(unit(at - 1)));
            at += 1;
        }
        Progress { read: lows, written: pairs }
    }
}

/// Folds what is measured of `rows` rows, lane by lane.
///
/// # Safety
/// So many rows must be readable at `src`, at any alignment.
#[inline(always)]
unsafe fn fold_rows<U: Unit>(
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
