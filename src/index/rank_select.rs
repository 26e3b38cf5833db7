//! The questions, over anything that can count.
//!
//! [`RankSelect`] is rank and select over a whole text: by an engine, which counts from the beginning, or by a map, which has
//! counted before. The meaning of the questions is written here, once for both: which weights belong to which unit, what is rounded
//! and how, and where lines begin and end.
//!
//! Lines are mostly short. So the search for the beginning of a line goes backward from the index, in windows whose size doubles,
//! and the search for its end forward. A map is asked only if the line turns out to be long, and then for the line by its number.

use super::sealed::IndexedText;
use super::{Misplaced, Position, Unit};
use crate::kernel::dispatch::rank::{Weights, seek};
use crate::kernel::{Engine, Progress};
use crate::unicode::Unit as _;

/// Sums of weights over a text.
pub(super) trait RankSelect {
    /// Up to this many units can just as well be counted.
    const SHORT_COUNT: usize;

    /// The engine for short counts.
    fn engine(&self) -> Engine;

    /// Rank: the sum of the weights before `at`, which is not beyond the end.
    fn rank<M: Weights>(&self, units: &[M::Unit], at: usize) -> usize;

    /// Select: the first unit whose weight raises the sum above `n`, or the end; and the sum before it.
    fn select<M: Weights>(&self, units: &[M::Unit], n: usize) -> Progress;

    /// Whether each of the units around `at` is known to be a character.
    #[inline]
    fn is_one_unit_per_char(&self, _at: usize) -> bool {
        false
    }
}

impl RankSelect for Engine {
    const SHORT_COUNT: usize = usize::MAX;

    #[inline]
    fn engine(&self) -> Engine {
        *self
    }

    #[inline]
    fn rank<M: Weights>(&self, units: &[M::Unit], at: usize) -> usize {
        seek::<M>(*self, units, 0, at, usize::MAX).written
    }

    #[inline]
    fn select<M: Weights>(&self, units: &[M::Unit], n: usize) -> Progress {
        seek::<M>(*self, units, 0, units.len(), n)
    }
}

/// `at`, or the beginning of the character around it, or the end.
#[inline]
fn floor<T: IndexedText + ?Sized>(units: &[T::Code], at: usize) -> usize {
    // This never saturates: the text begins with a character.
    if at >= units.len() { units.len() } else { at.saturating_sub(T::offset_in_char(units, at)) }
}

/// Whether `at` is between CR and LF.
#[inline]
fn splits_break<U: Copy + PartialEq + From<u8>>(units: &[U], at: usize) -> bool {
    at > 0 && units.get(at) == Some(&b'\n'.into()) && units[at - 1] == b'\r'.into()
}

/// The sum of the weights in a part of the text, in `unit`.
fn between<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    from: usize,
    to: usize,
    unit: Unit,
) -> usize {
    fn sum<M: Weights>(index: &impl RankSelect, units: &[M::Unit], from: usize, to: usize) -> usize {
        if to - from <= short_count(index) {
            return seek::<M>(index.engine(), units, from, to, usize::MAX).written;
        }
        index.rank::<M>(units, to).saturating_sub(index.rank::<M>(units, from))
    }
    match unit {
        _ if unit == T::OWN_UNIT => to - from,
        Unit::Char => sum::<T::Chars>(index, units, from, to),
        _ => sum::<T::Other>(index, units, from, to),
    }
}

/// [`RankSelect::SHORT_COUNT`] of a value.
fn short_count<R: RankSelect>(_: &R) -> usize {
    R::SHORT_COUNT
}

/// The end of a line without its line break.
fn line_end<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    start: usize,
    line: usize,
) -> usize {
    let near = start.saturating_add(short_count(index)).min(units.len());
    match seek::<T::Breaks>(index.engine(), units, start, near, 0).read {
        end if end < near || near == units.len() => end,
        // A map that is asked about another text may answer anything, but must not panic.
        _ => index.select::<T::Breaks>(units, line).read.clamp(start, units.len()),
    }
}

/// The beginning of the line of `at`, which is not between CR and LF. (With a map, it is slower to begin with the part of the block
/// in which the rank was counted, whose sum is known: the search then waits for the rank.)
fn line_start<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    at: usize,
    line: usize,
) -> usize {
    let (mut to, mut window) = (at, 256);
    while to > 0 {
        let from = to.saturating_sub(window);
        let count = |limit: usize| seek::<T::Breaks>(index.engine(), units, from, to, limit);
        if let Some(last) = count(usize::MAX).written.checked_sub(1) {
            return after_break(units, count(last).read);
        }
        to = from;
        if at - to > short_count(index) {
            return at_line::<T>(index, units, line).min(at);
        }
        window = window.saturating_mul(2);
    }
    0
}

/// The index after the line break that begins at `at`.
fn after_break<U: Copy + PartialEq + From<u8>>(units: &[U], at: usize) -> usize {
    let next = (at + 1).min(units.len());
    if splits_break(units, next) { next + 1 } else { next }
}

/// The length in `unit` of the text before `at`. If `at` is in the middle of a character, the weight of that character is
/// subtracted afterwards, so that the count does not wait for the text.
#[inline]
pub(super) fn offset<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    at: usize,
    unit: Unit,
) -> usize {
    #[inline]
    fn count<T: IndexedText<Code = M::Unit> + ?Sized, M: Weights>(
        index: &impl RankSelect,
        units: &[M::Unit],
        at: usize,
    ) -> usize {
        let sum = index.rank::<M>(units, at);
        let back = if index.is_one_unit_per_char(at) { 0 } else { T::offset_in_char(units, at) };
        match units.get(at.wrapping_sub(back)) {
            Some(first) if back != 0 => sum.saturating_sub(M::weight(0, first.value())),
            _ => sum,
        }
    }
    let at = at.min(units.len());
    match unit {
        _ if unit == T::OWN_UNIT => floor::<T>(units, at),
        Unit::Char => count::<T, T::Chars>(index, units, at),
        _ => count::<T, T::Other>(index, units, at),
    }
}

/// The index at an offset, and the offset of that index.
#[inline]
fn select<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    offset: usize,
    unit: Unit,
) -> Progress {
    match unit {
        _ if unit == T::OWN_UNIT => {
            let at = offset.min(units.len());
            Progress { read: at, written: at }
        }
        Unit::Char => index.select::<T::Chars>(units, offset),
        _ => index.select::<T::Other>(units, offset),
    }
}

/// The index before which the text has the length `offset` in `unit`.
#[inline]
pub(super) fn at_offset<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    offset: usize,
    unit: Unit,
) -> usize {
    let at = select::<T>(index, units, offset, unit).read;
    // Characters and units of UTF-16 are found by their lead bytes.
    if unit == Unit::Char || T::OWN_UNIT == Unit::Utf8 && unit == Unit::Utf16 {
        at
    } else {
        floor::<T>(units, at)
    }
}

#[inline]
pub(super) fn utf8_offset<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    at: usize,
) -> usize {
    offset::<T>(index, units, at, Unit::Utf8)
}

#[inline]
pub(super) fn utf16_offset<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    at: usize,
) -> usize {
    offset::<T>(index, units, at, Unit::Utf16)
}

#[inline]
pub(super) fn char_offset<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    at: usize,
) -> usize {
    offset::<T>(index, units, at, Unit::Char)
}

#[inline]
pub(super) fn at_utf8<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    n: usize,
) -> usize {
    at_offset::<T>(index, units, n, Unit::Utf8)
}

#[inline]
pub(super) fn at_utf16<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    n: usize,
) -> usize {
    at_offset::<T>(index, units, n, Unit::Utf16)
}

#[inline]
pub(super) fn at_char<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    n: usize,
) -> usize {
    at_offset::<T>(index, units, n, Unit::Char)
}

/// `at`, rounded to an index that has a position.
#[inline]
fn floor_position<T: IndexedText + ?Sized>(units: &[T::Code], at: usize) -> usize {
    let at = floor::<T>(units, at);
    at - usize::from(splits_break(units, at))
}

#[inline]
pub(super) fn line<T: IndexedText + ?Sized>(index: &impl RankSelect, units: &[T::Code], at: usize) -> usize {
    index.rank::<T::Breaks>(units, floor_position::<T>(units, at))
}

#[inline]
pub(super) fn at_line<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    line: usize,
) -> usize {
    let Some(before) = line.checked_sub(1) else {
        return 0;
    };
    after_break(units, index.select::<T::Breaks>(units, before).read)
}

pub(super) fn position<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    at: usize,
    unit: Unit,
) -> Position {
    let at = floor_position::<T>(units, at);
    let line = index.rank::<T::Breaks>(units, at);
    let start = line_start::<T>(index, units, at, line);
    Position { line, column: between::<T>(index, units, start, at, unit) }
}

/// The index at a column of the line from `start` to `end`, and the column of that index.
fn column<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    [start, end]: [usize; 2],
    column: usize,
    unit: Unit,
) -> Progress {
    fn find<M: Weights>(
        index: &impl RankSelect,
        units: &[M::Unit],
        [start, end]: [usize; 2],
        column: usize,
    ) -> Progress {
        if end - start <= short_count(index) {
            return seek::<M>(index.engine(), units, start, end, column);
        }
        let [before, all] = [start, end].map(|at| index.rank::<M>(units, at));
        if before.saturating_add(column) >= all {
            return Progress { read: end, written: all.saturating_sub(before) };
        }
        let Progress { read, written } = index.select::<M>(units, before + column);
        Progress { read: read.clamp(start, end), written: written.saturating_sub(before) }
    }
    match unit {
        _ if unit == T::OWN_UNIT => {
            let column = column.min(end - start);
            Progress { read: start + column, written: column }
        }
        Unit::Char => find::<T::Chars>(index, units, [start, end], column),
        _ => find::<T::Other>(index, units, [start, end], column),
    }
}

pub(super) fn at_position<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    position: Position,
    unit: Unit,
) -> usize {
    let start = at_line::<T>(index, units, position.line);
    let end = line_end::<T>(index, units, start, position.line);
    floor::<T>(units, column::<T>(index, units, [start, end], position.column, unit).read)
}

/// Checks that `at` is between two characters.
#[inline]
fn check<T: IndexedText + ?Sized>(units: &[T::Code], at: usize) -> Result<(), Misplaced> {
    if at > units.len() {
        Err(Misplaced::Outside)
    } else if T::offset_in_char(units, at) != 0 {
        Err(Misplaced::Inside)
    } else {
        Ok(())
    }
}

/// The index that was found, if it is the one that was wanted.
fn exactly<T: IndexedText + ?Sized>(
    units: &[T::Code],
    found: Progress,
    wanted: usize,
    end: usize,
) -> Result<usize, Misplaced> {
    if found.read >= end && found.written < wanted {
        return Err(Misplaced::Outside);
    }
    if found.written != wanted || T::offset_in_char(units, found.read) != 0 {
        return Err(Misplaced::Inside);
    }
    Ok(found.read)
}

pub(super) fn try_offset<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    at: usize,
    unit: Unit,
) -> Result<usize, Misplaced> {
    check::<T>(units, at)?;
    Ok(offset::<T>(index, units, at, unit))
}

pub(super) fn try_at_offset<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    offset: usize,
    unit: Unit,
) -> Result<usize, Misplaced> {
    exactly::<T>(units, select::<T>(index, units, offset, unit), offset, units.len())
}

pub(super) fn try_position<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    at: usize,
    unit: Unit,
) -> Result<Position, Misplaced> {
    check::<T>(units, at)?;
    if splits_break(units, at) {
        return Err(Misplaced::Inside);
    }
    Ok(position::<T>(index, units, at, unit))
}

pub(super) fn try_at_position<T: IndexedText + ?Sized>(
    index: &impl RankSelect,
    units: &[T::Code],
    position: Position,
    unit: Unit,
) -> Result<usize, Misplaced> {
    let start = match position.line.checked_sub(1) {
        None => 0,
        Some(before) => {
            let found = index.select::<T::Breaks>(units, before);
            if found.read >= units.len() {
                return Err(Misplaced::Outside);
            }
            after_break(units, found.read)
        }
    };
    let end = line_end::<T>(index, units, start, position.line);
    let found = column::<T>(index, units, [start, end], position.column, unit);
    exactly::<T>(units, found, position.column, end)
}
