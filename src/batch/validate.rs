//! Validation of columns: in bulk, and value by value where something is ill-formed.

use super::error::{BatchError, Defect};
use super::validity::{self, Spans, Validity};
use super::{Offset, view};
use crate::kernel::dispatch::offsets::{OffsetInt, Offsets};
use crate::kernel::{Engine, dispatch};
use crate::unicode::{Encoding, Family, IllFormed, Utf8, cast};
use crate::validate::validate_on;

/// Bytes of a group of values: they are still in a near cache when their boundaries are checked.
const GROUP_BYTES: usize = 32 << 10;

/// Values of a group, at least and at most.
const GROUP_VALUES: [usize; 2] = [256, 8192];

/// Values that are checked together where those of a group are not all well-formed.
pub(super) const FEW_VALUES: usize = 32;

/// Slices that are passed to the kernel at once.
const SLICES: usize = 256;

/// Slices that are checked one by one where the kernel stopped.
const ONE_BY_ONE: usize = 64;

/// [`validate_offsets`](super::validate_offsets) with this engine.
pub(crate) fn validate_offsets_on<E: Encoding>(
    engine: Engine,
    values: &[E::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
) -> Result<(), BatchError> {
    check_offsets::<E>(engine, values, offsets, validity, &mut first)
}

/// [`ill_formed_offsets`](super::ill_formed_offsets) with this engine.
pub(crate) fn ill_formed_offsets_on<E: Encoding>(
    engine: Engine,
    values: &[E::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    mut found: impl FnMut(usize, IllFormed),
) -> Result<(), BatchError> {
    check_offsets::<E>(engine, values, offsets, validity, &mut |index, error| {
        found(index, error);
        Ok(())
    })
}

/// [`validate_each`](super::validate_each) with this engine.
pub(crate) fn validate_each_on<'a, E: Encoding, T: AsRef<[E::Unit]> + ?Sized + 'a>(
    engine: Engine,
    values: impl IntoIterator<Item = &'a T>,
) -> Result<(), BatchError> {
    let mut values = values.into_iter();
    let mut first = 0;
    let mut some = [&[][..]; SLICES];
    loop {
        let mut count = 0;
        for (slot, value) in some.iter_mut().zip(&mut values) {
            *slot = cast(value.as_ref());
            count += 1;
        }
        check_slices::<E>(engine, first, &some[..count], &mut self::first)?;
        first += count;
        if count < SLICES {
            return Ok(());
        }
    }
}

/// [`validate_views`](super::validate_views) with this engine.
pub(crate) fn validate_views_on<E: Encoding<Unit = u8>>(
    engine: Engine,
    views: &[u128],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
) -> Result<(), BatchError> {
    check_views::<E>(engine, views, buffers, validity, &mut first)
}

/// [`ill_formed_views`](super::ill_formed_views) with this engine.
pub(crate) fn ill_formed_views_on<E: Encoding<Unit = u8>>(
    engine: Engine,
    views: &[u128],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
    mut found: impl FnMut(usize, IllFormed),
) -> Result<(), BatchError> {
    check_views::<E>(engine, views, buffers, validity, &mut |index, error| {
        found(index, error);
        Ok(())
    })
}

/// Called for each ill-formed value, with its index; an error ends the validation.
type Found<'a> = &'a mut dyn FnMut(usize, IllFormed) -> Result<(), BatchError>;

/// Ends the validation at the first ill-formed value.
#[inline]
fn first(index: usize, error: IllFormed) -> Result<(), BatchError> {
    Err(Defect::from(error).of(index))
}

/// Checks the values of an array.
fn check_offsets<E: Encoding>(
    engine: Engine,
    values: &[E::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    found: Found<'_>,
) -> Result<(), BatchError> {
    // Null values may have ill-formed bytes. Once a group is ill-formed, it is supposed that they do.
    let mut ill_formed_nulls = false;
    for_each_group(engine, values.len(), offsets, validity, |first, offsets| {
        if !ill_formed_nulls && well_formed_count::<E, _>(engine, values, offsets) == Some(offsets.count()) {
            return Ok(());
        }
        ill_formed_nulls = validity.is_some();
        for span in (Spans { offsets, validity, first, done: 0 }) {
            let mut at = span.start;
            // An ill-formed value is mostly among others that are well-formed.
            let mut together = if ill_formed_nulls { span.len() } else { FEW_VALUES };
            while at < span.end {
                let some = at..span.end.min(at.saturating_add(together));
                let known = well_formed_count::<E, _>(engine, values, offsets.values(some.clone()));
                if known == Some(some.len()) {
                    together = together.saturating_mul(2);
                    at = some.end;
                    continue;
                }
                together = FEW_VALUES;
                let one_by_one = match known {
                    // Where ill-formed values are dense, several more at once.
                    Some(count) if count < 8 => at + count..some.end.min(at + count + FEW_VALUES / 2),
                    Some(count) => at + count..at + count + 1,
                    None => at..some.end.min(at + FEW_VALUES),
                };
                for value in one_by_one.clone() {
                    if let Err(error) = validate_on::<E>(engine, &values[offsets.bounds(value)]) {
                        found(first + value, error)?;
                    }
                }
                at = one_by_one.end;
            }
        }
        Ok(())
    })
}

/// Checks an array of views.
fn check_views<E: Encoding<Unit = u8>>(
    engine: Engine,
    views: &[u128],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
    found: Found<'_>,
) -> Result<(), BatchError> {
    validity::check(views.len(), validity)?;
    if cfg!(target_endian = "little") {
        return check_view_bytes::<E>(engine, 0, bytemuck::cast_slice(views), buffers, validity, found);
    }
    // The bytes of a view are little-endian in memory.
    for (number, views) in views.chunks(SLICES).enumerate() {
        let mut swapped = [[0; 16]; SLICES];
        for (bytes, view) in swapped.iter_mut().zip(views) {
            *bytes = view.to_le_bytes();
        }
        let views = &swapped[..views.len()];
        check_view_bytes::<E>(engine, number * SLICES, views, buffers, validity, found)?;
    }
    Ok(())
}

/// Checks views, the first of which has the index `first`.
fn check_view_bytes<E: Encoding<Unit = u8>>(
    engine: Engine,
    mut first: usize,
    views: &[[u8; 16]],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
    found: Found<'_>,
) -> Result<(), BatchError> {
    let mut values = [&[][..]; SLICES];
    for some in views.chunks(SLICES) {
        if matches!(E::VARIANT.family(), Family::Utf8) && view::are_inline_ascii(some) {
            first += some.len();
            continue;
        }
        let mut count = 0;
        let mut defect = None;
        for (slot, view) in values.iter_mut().zip(some) {
            let is_null = validity.is_some_and(|validity| !validity.is_valid(first + count));
            *slot = match if is_null { Ok(&[][..]) } else { view::value(view, buffers) } {
                Ok(value) => value,
                Err(wrong) => {
                    defect = Some(wrong);
                    break;
                }
            };
            count += 1;
        }
        // Ill-formed values before the defect come first.
        check_slices::<E>(engine, first, &values[..count], found)?;
        first += count;
        if let Some(defect) = defect {
            return Err(defect.of(first));
        }
    }
    Ok(())
}

/// Calls `check` with groups of values, one after the other, and the index of the first value; an error is the first value
/// whose offsets are not valid.
pub(super) fn for_each_group<O: OffsetInt>(
    engine: Engine,
    end: usize,
    offsets: &[O],
    validity: Option<Validity<'_>>,
    mut check: impl FnMut(usize, Offsets<'_, O>) -> Result<(), BatchError>,
) -> Result<(), BatchError> {
    let count = offsets.len().saturating_sub(1);
    validity::check(count, validity)?;
    let mut first = 0;
    let step = values_per_group(offsets);
    loop {
        let some = &offsets[first..offsets.len().min(first + step + 1)];
        let group = Offsets::of(engine, some, end);
        if group.count() > 0 {
            check(first, group)?;
        }
        if group.offsets().len() < some.len() {
            return Err(Defect::OutOfBounds.of(first + group.count()));
        }
        first += group.count();
        if first >= count {
            return Ok(());
        }
    }
}

/// How many values make a group.
fn values_per_group<O: OffsetInt>(offsets: &[O]) -> usize {
    let bytes = match offsets {
        [first, .., last] => last.number().saturating_sub(first.number()).max(1) as u64,
        _ => 1,
    };
    let values = (GROUP_BYTES as u64).saturating_mul(offsets.len() as u64) / bytes;
    (values.min(GROUP_VALUES[1] as u64) as usize).max(GROUP_VALUES[0])
}

/// How many of the first of these values, which lie one after the other, are well-formed, each by itself: all of them, or
/// those up to one that is not. `None` if that is not known.
pub(super) fn well_formed_count<E: Encoding, O: OffsetInt>(
    engine: Engine,
    values: &[E::Unit],
    offsets: Offsets<'_, O>,
) -> Option<usize> {
    let span = offsets.span();
    let text = &values[span.clone()];
    match E::VARIANT.family() {
        Family::Ascii | Family::Latin1 => Some(match validate_on::<E>(engine, text) {
            Ok(()) => offsets.count(),
            Err(error) => offsets.ending(span.start + error.at),
        }),
        Family::Utf8 => {
            let text: &[u8] = cast(text);
            let ascii = dispatch::validate::ascii_prefix(engine, text);
            if ascii == text.len() {
                return Some(offsets.count());
            }
            let (count, checked) = match validate_on::<Utf8>(engine, &text[ascii..]) {
                Ok(()) => (offsets.count(), offsets),
                Err(error) => {
                    let at = span.start + ascii + error.at;
                    let count = offsets.ending(at);
                    // If the ill-formed value begins with the ill-formed sequence, a character ends before it.
                    let begins = usize::from(offsets.bounds(count).start < at);
                    (count, offsets.values(0..count + begins))
                }
            };
            (!checked.any_continuation(engine, cast(values))).then_some(count)
        }
        _ => {
            // A character begins at the beginning of a code unit where one can be decoded.
            let each = E::VARIANT.unit() / size_of::<E::Unit>();
            let begins = |offset: &O| {
                let at = offset.index() - span.start;
                at.is_multiple_of(each) && E::decode(&text[at..]).is_ok()
            };
            let all = validate_on::<E>(engine, text).is_ok() && offsets.inner().iter().all(begins);
            all.then_some(offsets.count())
        }
    }
}

/// Checks slices in different places, as bytes; the first has the index `first`.
fn check_slices<E: Encoding>(
    engine: Engine,
    first: usize,
    values: &[&[u8]],
    found: Found<'_>,
) -> Result<(), BatchError> {
    let mut at = 0;
    while at < values.len() {
        if matches!(E::VARIANT.family(), Family::Utf8) {
            at += dispatch::validate::utf8_valid_values(engine, &values[at..]);
        }
        // Where the kernel stopped, one by one; not all that are left, as it may have stopped early.
        let end = values.len().min(at + ONE_BY_ONE);
        for (index, value) in values[at..end].iter().enumerate() {
            if let Err(error) = validate_on::<E>(engine, cast(value)) {
                found(first + at + index, error)?;
            }
        }
        at = end;
    }
    Ok(())
}
