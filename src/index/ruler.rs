//! The questions, put to whoever can count.
//!
//! A [`Ruler`] knows rank and select over a whole text: an engine, which walks, or a map, which has walked
//! before. What the questions mean is written here once for both: which measure belongs to which unit, what
//! is rounded and how, and where lines begin and end.
//!
//! Lines are mostly short. So the beginning of a line is looked for backward from the place, in stretches
//! that double, and its end forward; a map is asked only if the line turns out to be long, and then for the
//! line by its number.

use super::sealed::Measured;
use super::{Misplaced, Position, Unit};
use crate::kernel::dispatch::rank::{Weights, seek};
use crate::kernel::{Engine, Progress};
use crate::unicode::Unit as _;

/// Who can count.
pub(super) trait Ruler {
    /// The units up to which a walk is as good as anything else.
    const SHORT: usize;

    /// The engine for short walks.
    fn engine(&self) -> Engine;

    /// The sum of the weights before `at`, which is not beyond the end.
    fn rank<M: Weights>(&self, units: &[M::Unit], at: usize) -> usize;

    /// The first unit whose weight brings the sum beyond `n`, or the end; and the sum before.
    fn select<M: Weights>(&self, units: &[M::Unit], n: usize) -> Progress;

    /// Whether every unit around `at` is known to be a character by itself.
    #[inline]
    fn is_even(&self, _at: usize) -> bool {
        false
    }
}

impl Ruler for Engine {
    const SHORT: usize = usize::MAX;

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
fn floor<T: Measured + ?Sized>(units: &[T::Code], at: usize) -> usize {
    // Of text there are never more such units than places before them.
    if at >= units.len() { units.len() } else { at.saturating_sub(T::split(units, at)) }
}

/// Whether `at` is between CR and LF.
#[inline]
fn splits_break<U: Copy + PartialEq + From<u8>>(units: &[U], at: usize) -> bool {
    at > 0 && units.get(at) == Some(&b'\n'.into()) && units[at - 1] == b'\r'.into()
}

/// The sum of the weights in a part of the text, in `unit`.
fn between<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    from: usize,
    to: usize,
    unit: Unit,
) -> usize {
    fn sum<M: Weights>(ruler: &impl Ruler, units: &[M::Unit], from: usize, to: usize) -> usize {
        if to - from <= short(ruler) {
            return seek::<M>(ruler.engine(), units, from, to, usize::MAX).written;
        }
        ruler.rank::<M>(units, to).saturating_sub(ruler.rank::<M>(units, from))
    }
    match unit {
        _ if unit == T::OWN => to - from,
        Unit::Char => sum::<T::Chars>(ruler, units, from, to),
        _ => sum::<T::Other>(ruler, units, from, to),
    }
}

/// The units up to which a walk is as good as anything else.
fn short<R: Ruler>(_: &R) -> usize {
    R::SHORT
}

/// The end of a line without its line break.
fn line_end<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], start: usize, line: usize) -> usize {
    let near = start.saturating_add(short(ruler)).min(units.len());
    match seek::<T::Breaks>(ruler.engine(), units, start, near, 0).read {
        end if end < near || near == units.len() => end,
        // Whoever asks a map about another text than its own gets no sense, but no panic either.
        _ => ruler.select::<T::Breaks>(units, line).read.clamp(start, units.len()),
    }
}

/// The beginning of the line that `at`, which is not between CR and LF, is in. (To begin with the part of the
/// block that the rank was taken of, whose sum is known, costs a map more: then this waits for the rank.)
fn line_start<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], at: usize, line: usize) -> usize {
    let (mut to, mut window) = (at, 256);
    while to > 0 {
        let from = to.saturating_sub(window);
        let walk = |limit: usize| seek::<T::Breaks>(ruler.engine(), units, from, to, limit);
        if let Some(last) = walk(usize::MAX).written.checked_sub(1) {
            return behind(units, walk(last).read);
        }
        to = from;
        if at - to > short(ruler) {
            return at_line::<T>(ruler, units, line).min(at);
        }
        window = window.saturating_mul(2);
    }
    0
}

/// The place behind the line break that begins at `at`.
fn behind<U: Copy + PartialEq + From<u8>>(units: &[U], at: usize) -> usize {
    let next = (at + 1).min(units.len());
    if splits_break(units, next) { next + 1 } else { next }
}

/// From a place to what is before. In the middle of a character, its beginning is taken off the sum: so the
/// walk does not wait for a look at the text.
#[inline]
pub(super) fn offset<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    at: usize,
    unit: Unit,
) -> usize {
    #[inline]
    fn count<T: Measured<Code = M::Unit> + ?Sized, M: Weights>(
        ruler: &impl Ruler,
        units: &[M::Unit],
        at: usize,
    ) -> usize {
        let sum = ruler.rank::<M>(units, at);
        let back = if ruler.is_even(at) { 0 } else { T::split(units, at) };
        match units.get(at.wrapping_sub(back)) {
            Some(first) if back != 0 => sum.saturating_sub(M::weight(0, first.value())),
            _ => sum,
        }
    }
    let at = at.min(units.len());
    match unit {
        _ if unit == T::OWN => floor::<T>(units, at),
        Unit::Char => count::<T, T::Chars>(ruler, units, at),
        _ => count::<T, T::Other>(ruler, units, at),
    }
}

/// The place at an offset, and the offset there.
#[inline]
fn select<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    offset: usize,
    unit: Unit,
) -> Progress {
    match unit {
        _ if unit == T::OWN => {
            let at = offset.min(units.len());
            Progress { read: at, written: at }
        }
        Unit::Char => ruler.select::<T::Chars>(units, offset),
        _ => ruler.select::<T::Other>(units, offset),
    }
}

/// From what is before to the place.
#[inline]
pub(super) fn at_offset<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    offset: usize,
    unit: Unit,
) -> usize {
    let at = select::<T>(ruler, units, offset, unit).read;
    // Characters and units of UTF-16 are found by their leads.
    if unit == Unit::Char || T::OWN == Unit::Utf8 && unit == Unit::Utf16 { at } else { floor::<T>(units, at) }
}

#[inline]
pub(super) fn utf8_offset<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], at: usize) -> usize {
    offset::<T>(ruler, units, at, Unit::Utf8)
}

#[inline]
pub(super) fn utf16_offset<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], at: usize) -> usize {
    offset::<T>(ruler, units, at, Unit::Utf16)
}

#[inline]
pub(super) fn char_offset<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], at: usize) -> usize {
    offset::<T>(ruler, units, at, Unit::Char)
}

#[inline]
pub(super) fn at_utf8<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], n: usize) -> usize {
    at_offset::<T>(ruler, units, n, Unit::Utf8)
}

#[inline]
pub(super) fn at_utf16<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], n: usize) -> usize {
    at_offset::<T>(ruler, units, n, Unit::Utf16)
}

#[inline]
pub(super) fn at_char<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], n: usize) -> usize {
    at_offset::<T>(ruler, units, n, Unit::Char)
}

/// `at`, rounded to a place that has a position.
#[inline]
fn floor_position<T: Measured + ?Sized>(units: &[T::Code], at: usize) -> usize {
    let at = floor::<T>(units, at);
    at - usize::from(splits_break(units, at))
}

#[inline]
pub(super) fn line<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], at: usize) -> usize {
    ruler.rank::<T::Breaks>(units, floor_position::<T>(units, at))
}

#[inline]
pub(super) fn at_line<T: Measured + ?Sized>(ruler: &impl Ruler, units: &[T::Code], line: usize) -> usize {
    let Some(before) = line.checked_sub(1) else {
        return 0;
    };
    behind(units, ruler.select::<T::Breaks>(units, before).read)
}

pub(super) fn position<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    at: usize,
    unit: Unit,
) -> Position {
    let at = floor_position::<T>(units, at);
    let line = ruler.rank::<T::Breaks>(units, at);
    let start = line_start::<T>(ruler, units, at, line);
    Position { line, column: between::<T>(ruler, units, start, at, unit) }
}

/// The place at a column of what is between two places, and the column there.
fn column<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    [start, end]: [usize; 2],
    column: usize,
    unit: Unit,
) -> Progress {
    fn find<M: Weights>(
        ruler: &impl Ruler,
        units: &[M::Unit],
        [start, end]: [usize; 2],
        column: usize,
    ) -> Progress {
        if end - start <= short(ruler) {
            return seek::<M>(ruler.engine(), units, start, end, column);
        }
        let [before, all] = [start, end].map(|at| ruler.rank::<M>(units, at));
        if before.saturating_add(column) >= all {
            return Progress { read: end, written: all.saturating_sub(before) };
        }
        let Progress { read, written } = ruler.select::<M>(units, before + column);
        Progress { read: read.clamp(start, end), written: written.saturating_sub(before) }
    }
    match unit {
        _ if unit == T::OWN => {
            let column = column.min(end - start);
            Progress { read: start + column, written: column }
        }
        Unit::Char => find::<T::Chars>(ruler, units, [start, end], column),
        _ => find::<T::Other>(ruler, units, [start, end], column),
    }
}

pub(super) fn at_position<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    position: Position,
    unit: Unit,
) -> usize {
    let start = at_line::<T>(ruler, units, position.line);
    let end = line_end::<T>(ruler, units, start, position.line);
    floor::<T>(units, column::<T>(ruler, units, [start, end], position.column, unit).read)
}

/// Whether there is such a place.
#[inline]
fn check<T: Measured + ?Sized>(units: &[T::Code], at: usize) -> Result<(), Misplaced> {
    if at > units.len() {
        Err(Misplaced::Outside)
    } else if T::split(units, at) != 0 {
        Err(Misplaced::Inside)
    } else {
        Ok(())
    }
}

/// Whether what was found is what was looked for.
fn exactly<T: Measured + ?Sized>(
    units: &[T::Code],
    found: Progress,
    wanted: usize,
    end: usize,
) -> Result<usize, Misplaced> {
    if found.read >= end && found.written < wanted {
        return Err(Misplaced::Outside);
    }
    if found.written != wanted || T::split(units, found.read) != 0 {
        return Err(Misplaced::Inside);
    }
    Ok(found.read)
}

pub(super) fn try_offset<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    at: usize,
    unit: Unit,
) -> Result<usize, Misplaced> {
    check::<T>(units, at)?;
    Ok(offset::<T>(ruler, units, at, unit))
}

pub(super) fn try_at_offset<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    offset: usize,
    unit: Unit,
) -> Result<usize, Misplaced> {
    exactly::<T>(units, select::<T>(ruler, units, offset, unit), offset, units.len())
}

pub(super) fn try_position<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    at: usize,
    unit: Unit,
) -> Result<Position, Misplaced> {
    check::<T>(units, at)?;
    if splits_break(units, at) {
        return Err(Misplaced::Inside);
    }
    Ok(position::<T>(ruler, units, at, unit))
}

pub(super) fn try_at_position<T: Measured + ?Sized>(
    ruler: &impl Ruler,
    units: &[T::Code],
    position: Position,
    unit: Unit,
) -> Result<usize, Misplaced> {
    let start = match position.line.checked_sub(1) {
        None => 0,
        Some(before) => {
            let found = ruler.select::<T::Breaks>(units, before);
            if found.read >= units.len() {
                return Err(Misplaced::Outside);
            }
            behind(units, found.read)
        }
    };
    let end = line_end::<T>(ruler, units, start, position.line);
    let found = column::<T>(ruler, units, [start, end], position.column, unit);
    exactly::<T>(units, found, position.column, end)
}
