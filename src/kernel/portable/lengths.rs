//! Sums and maxima over code units: the number of characters, the length in another encoding, the repertoire.
//!
//! In well-formed text the length of a character in any encoding is the sum of a weight of each of its code units: a lead byte of
//! UTF-8 stands for one character, and from F0 on for two units of UTF-16; a continuation byte stands for nothing. So a length is a
//! sum of small weights, without a look at neighbouring units and without a branch. For ill-formed text the sum is still the same on
//! every CPU, and never less than what a conversion writes before the error.
//!
//! This is plain code, compiled once for each instruction set. The sums are kept in the type of the unit, lane by lane, over few
//! enough rows that no lane overflows: that is what makes compilers emit one comparison and one subtraction per vector.

use core::marker::PhantomData;

use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Family, Form, Unit, is_high, is_low, is_surrogate};

/// The units of `D` that a unit of `S` stands for: 0 to 6. For surrogate pairs in CESU-8 the sum is too high; another sum
/// corrects that.
#[inline(always)]
fn weight<S: Form, D: Form>(value: u32) -> u32 {
    let at_least = |least: u32| u32::from(value >= least);
    let nul = u32::from(D::TWO_BYTE_NUL && !S::TWO_BYTE_NUL && value == 0);
    let hidden = u32::from(S::TWO_BYTE_NUL && !D::TWO_BYTE_NUL && value == 0xC0);
    match (S::FAMILY, D::FAMILY) {
        (Family::Corrected, Family::Corrected) => 1,
        // Other pairs with Corrected UTF-8 are in `corrected_lengths`, but for those from ASCII.
        (Family::Corrected, _) => u32::from(value as u8 as i8 >= -64),
        (Family::Ascii, Family::Corrected) => 1,
        (Family::Cesu8, Family::Utf8 | Family::Cesu8) => 1 + nul - hidden,
        // Every unit of UTF-16 has one lead byte.
        (Family::Cesu8, _) => u32::from(value as u8 as i8 >= -64),
        // A lead byte and three continuation bytes for six bytes.
        (Family::Utf8, Family::Cesu8) => 1 + 2 * at_least(0xF0) + nul,
        (Family::Utf16 | Family::Latin1 | Family::Ascii, Family::Cesu8) => {
            1 + at_least(0x80) + at_least(0x800) + nul
        }
        (_, Family::Cesu8) => 1 + at_least(0x80) + at_least(0x800) + 3 * at_least(0x1_0000) + nul,
        (Family::Utf8, Family::Utf8) | (Family::Utf16, Family::Utf16) => 1,
        (Family::Utf8, target) => {
            // All but continuation bytes; and two units for a character of four bytes.
            let pair = if target == Family::Utf16 { at_least(0xF0) } else { 0 };
            u32::from(value as u8 as i8 >= -64) + pair
        }
        (Family::Utf16, Family::Utf8) => {
            // A pair has four bytes, two for each surrogate.
            let third = value >= 0x800 && !is_surrogate(value);
            1 + at_least(0x80) + u32::from(third)
        }
        (Family::Utf16, _) => u32::from(!is_low(value)),
        (_, Family::Utf8) => 1 + at_least(0x80) + at_least(0x800) + at_least(0x1_0000),
        (Family::Utf32, Family::Utf16) => 1 + at_least(0x1_0000),
        _ => 1,
    }
}

/// What every unit of `S` stands for at least: it is counted by itself, and not added to each lane.
const fn least<S: Form, D: Form>() -> u32 {
    matches!((S::FAMILY, D::FAMILY), (Family::Utf16 | Family::Utf32, Family::Utf8)) as u32
}

/// Whether every unit of `S` stands for one of `D`.
pub(in crate::kernel) const fn is_uniform<S: Form, D: Form>() -> bool {
    match (S::FAMILY, D::FAMILY) {
        (Family::Corrected, Family::Corrected) => true,
        (Family::Corrected, _) => false,
        (Family::Cesu8, Family::Cesu8 | Family::Utf8) => S::TWO_BYTE_NUL == D::TWO_BYTE_NUL,
        (Family::Cesu8, _) | (_, Family::Cesu8) => false,
        (Family::Utf8, Family::Utf8) | (Family::Utf16, Family::Utf16) | (Family::Ascii, _) => true,
        (Family::Utf8 | Family::Utf16, _) | (_, Family::Utf8) | (Family::Utf32, Family::Utf16) => false,
        _ => true,
    }
}

/// Units in a row of lanes: a cache line of bytes.
pub(in crate::kernel) const ROW: usize = 64;

/// Units in a row of what is left.
const SHORT_ROW: usize = 16;

/// So many rows are worth it to begin at a cache line.
pub(in crate::kernel) const MANY: usize = 64;

/// The most rows that can be summed in lanes of the size of a unit. A byte stands for three units at most, a larger unit for six.
const fn most_rows<S: Form>() -> usize {
    if size_of::<S::Unit>() == 1 { 255 / 3 } else { 65_535 / 6 }
}

/// The length in units of `D` of units of `S`, returned as `written`.
pub(in crate::kernel) struct Lengths<S: Form, D: Form> {
    src: *const S::Unit,
    len: usize,
    target: PhantomData<D>,
}

impl<S: Form, D: Form> Lengths<S, D> {
    /// The length of the `len` units of `S` at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        Lengths { src: src.cast(), len, target: PhantomData }
    }
}

impl<S: Form, D: Form> Plain for Lengths<S, D> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let weight = |unit: S::Unit| weight::<S, D>(S::value(unit));
        let (mut at, mut sum) = (0, 0);
        // In long texts, first to the start of a cache line: a load across two lines costs twice.
        let head = self.src.align_offset(64);
        if head <= 64 && self.len >= MANY * ROW {
            while at < head {
                // SAFETY: the unit is before `len`.
                sum += weight(unsafe { self.src.add(at).read() }) as usize;
                at += 1;
            }
        }
        while self.len - at >= ROW {
            let rows = most_rows::<S>().min((self.len - at) / ROW);
            // SAFETY: so many rows are left.
            let lanes: [_; ROW] = unsafe {
                fold_rows(self.src.add(at), rows, |unit| weight(unit) - least::<S, D>(), |a, b| a + b)
            };
            sum += lanes.iter().map(|lane| lane.value() as usize).sum::<usize>();
            sum += rows * ROW * least::<S, D>() as usize;
            at += rows * ROW;
        }
        while at < self.len {
            // SAFETY: the unit is before `len`.
            sum += weight(unsafe { self.src.add(at).read_unaligned() }) as usize;
            at += 1;
        }
        Progress { read: self.len, written: sum }
    }
}

/// The greatest unit of `S`, returned as `written`. All surrogates of UTF-16 count as one unit above all others. The search ends
/// soon after a unit greater than `limit`.
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
        let surrogate = |unit: S::Unit| u32::from(is_surrogate(S::value(unit)));
        let any = |a: u32, b: u32| a | b;
        let rank = |value: u32| match S::FAMILY {
            Family::Utf16 if is_surrogate(value) => 0xFFFF,
            Family::Utf16 => value.min(0xFFFE),
            _ => value,
        };
        // C0 80 counts as the U+0000 that it encodes.
        let value = |unit: S::Unit| match S::value(unit) {
            0x80..=0xC0 if S::TWO_BYTE_NUL => 0,
            value => value,
        };
        let (mut at, mut greatest) = (0, 0);
        while self.len - at >= ROW && greatest <= self.limit {
            // Few rows, because the limit is checked after them.
            let rows = 16.min((self.len - at) / ROW);
            // SAFETY: so many rows are left.
            let lanes: [_; ROW] =
                unsafe { fold_rows(self.src.add(at), rows, value, |a, b| if a > b { a } else { b }) };
            let mut most = lanes.iter().fold(0, |most, lane| most.max(lane.value()));
            if S::FAMILY == Family::Utf16 && most >= 0xD800 {
                // SAFETY: as above.
                let found: [_; ROW] = unsafe { fold_rows(self.src.add(at), rows, surrogate, any) };
                most = if found.iter().any(|lane| lane.value() != 0) { 0xFFFF } else { most.min(0xFFFE) };
            }
            greatest = greatest.max(most);
            at += rows * ROW;
        }
        // What is left goes by short rows, the last of which ends with the text: what is looked at twice changes nothing. (Unit by unit 100
        // bytes took 26 ns instead of 5; AMD EPYC, Zen 5. Modules for the web are to be small.)
        if !cfg!(target_family = "wasm") && self.len >= SHORT_ROW && greatest <= self.limit {
            // SAFETY: a short row is within the text.
            let mut most =
                unsafe { fold_end(self.src, at, self.len, value, |a, b| if a > b { a } else { b }) };
            if S::FAMILY == Family::Utf16 && most >= 0xD800 {
                // SAFETY: as above.
                let found = unsafe { fold_end(self.src, at, self.len, surrogate, any) };
                most = if found != 0 { 0xFFFF } else { most.min(0xFFFE) };
            }
            greatest = greatest.max(most);
            at = self.len;
        }
        while at < self.len && greatest <= self.limit {
            // SAFETY: the unit is before `len`.
            greatest = greatest.max(rank(value(unsafe { self.src.add(at).read_unaligned() })));
            at += 1;
        }
        Progress { read: at, written: greatest as usize }
    }
}

/// How many surrogate pairs there are in bytes, three bytes for each surrogate; or, without `PAIRS`, whether there is any surrogate.
/// Returned as `written`.
pub(in crate::kernel) struct Surrogates8<const PAIRS: bool> {
    src: *const u8,
    len: usize,
}

impl<const PAIRS: bool> Surrogates8<PAIRS> {
    /// Searches the `len` bytes at `src`.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        Surrogates8 { src, len }
    }

    /// Whether a surrogate, or a pair, begins at `at`.
    ///
    /// # Safety
    /// From `at` on, two bytes must be readable; five with `PAIRS`.
    #[inline(always)]
    unsafe fn begins(&self, at: usize) -> bool {
        // SAFETY: the caller's promise.
        let byte = |offset: usize| unsafe { *self.src.add(at + offset) };
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
        let starts = (self.len + 1).saturating_sub(if PAIRS { 5 } else { 2 });
        let (mut at, mut sum) = (0, 0);
        while starts - at >= ROW {
            let rows = 255.min((starts - at) / ROW);
            let mut lanes = [0_u8; ROW];
            for row in 0..rows {
                for (lane, count) in lanes.iter_mut().enumerate() {
                    // SAFETY: each of these offsets is less than `starts`, so enough bytes follow it.
                    *count += u8::from(unsafe { self.begins(at + row * ROW + lane) });
                }
            }
            sum += lanes.iter().map(|count| usize::from(*count)).sum::<usize>();
            at += rows * ROW;
            if !PAIRS && sum > 0 {
                break;
            }
        }
        while at < starts {
            // SAFETY: as above.
            sum += usize::from(unsafe { self.begins(at) });
            at += 1;
        }
        Progress { read: self.len, written: sum }
    }
}

/// How many low surrogates (`read`) and how many surrogate pairs (`written`) there are in units of UTF-16.
pub(in crate::kernel) struct Pairs16<S: Form> {
    src: *const S::Unit,
    len: usize,
}

impl<S: Form> Pairs16<S> {
    /// Counts in the `len` units at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        Pairs16 { src: src.cast(), len }
    }
}

impl<S: Form> Plain for Pairs16<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        // SAFETY: it is called for offsets less than `len`.
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

/// Folds the mapped units from `at` to the end of `len`, and some before them if these are not whole short rows: folding a unit twice must be
/// as good as once.
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment, and be a short row at least.
#[inline(always)]
unsafe fn fold_end<U: Unit>(
    src: *const U,
    mut at: usize,
    len: usize,
    map: impl Fn(U) -> u32,
    fold: impl Fn(u32, u32) -> u32,
) -> u32 {
    let mut lanes = [U::of(0); SHORT_ROW];
    while at < len {
        // SAFETY: the row is within the text.
        let row: [U; SHORT_ROW] = unsafe { fold_rows(src.add(at.min(len - SHORT_ROW)), 1, &map, &fold) };
        for (lane, unit) in lanes.iter_mut().zip(row) {
            *lane = U::of(fold(lane.value(), unit.value()));
        }
        at += SHORT_ROW;
    }
    lanes.iter().fold(0, |all, lane| fold(all, lane.value()))
}

/// Folds the mapped units of `rows` rows, lane by lane: rows of [`ROW`] units, or of [`SHORT_ROW`].
///
/// # Safety
/// `rows` rows must be readable at `src`, at any alignment.
#[inline(always)]
unsafe fn fold_rows<U: Unit, const LANES: usize>(
    src: *const U,
    rows: usize,
    map: impl Fn(U) -> u32,
    fold: impl Fn(u32, u32) -> u32,
) -> [U; LANES] {
    let mut lanes = [U::of(0); LANES];
    let mut one_more = |row: usize| {
        // SAFETY: the caller's promise.
        let units = unsafe { src.add(row * LANES).cast::<[U; LANES]>().read_unaligned() };
        for (lane, unit) in lanes.iter_mut().zip(units) {
            *lane = U::of(fold(lane.value(), map(unit)));
        }
    };
    let mut row = 0;
    // The loop itself would take a third of the instructions where one comparison says what a byte stands for.
    if cfg!(target_feature = "sse2") && size_of::<U>() == 1 {
        while rows - row >= 4 {
            one_more(row);
            one_more(row + 1);
            one_more(row + 2);
            one_more(row + 3);
            row += 4;
        }
    }
    while row < rows {
        one_more(row);
        row += 1;
    }
    lanes
}
