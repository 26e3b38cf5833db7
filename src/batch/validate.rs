//! Validation of arrays: in bulk, and value by value where something is wrong.

use super::error::{BatchError, Defect};
use super::validity::{self, Stretches, Validity};
use super::{Offset, view};
use crate::kernel::dispatch::offsets::{OffsetInt, Offsets};
use crate::kernel::{Engine, dispatch};
use crate::unicode::{Encoding, Family, IllFormed, Utf8, cast};
use crate::validate::validate_on;

/// Bytes that are looked at together: they are still in a near cache when it comes to their boundaries.
const TOGETHER: usize = 32 << 10;

/// Values that are looked at together at least and at most.
const VALUES: [usize; 2] = [256, 8192];

/// Values that are looked at together where thousands are not all in order.
pub(super) const FEW: usize = 32;

/// Slices that are handed to the kernel at once.
const SLICES: usize = 256;

/// Slices that are looked at one by one where the kernel stopped.
const BY_ITSELF: usize = 64;

/// [`validate_offsets`](crate::batch::validate_offsets), with the kernels of this engine.
///
/// # Errors
/// As there.
pub(crate) fn validate_offsets_on<E: Encoding>(
    engine: Engine,
    values: &[E::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
) -> Result<(), BatchError> {
    judge_offsets::<E>(engine, values, offsets, validity, &mut first)
}

/// [`ill_formed_offsets`](crate::batch::ill_formed_offsets), with the kernels of this engine.
///
/// # Errors
/// As there.
pub(crate) fn ill_formed_offsets_on<E: Encoding>(
    engine: Engine,
    values: &[E::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    mut found: impl FnMut(usize, IllFormed),
) -> Result<(), BatchError> {
    judge_offsets::<E>(engine, values, offsets, validity, &mut |index, error| {
        found(index, error);
        Ok(())
    })
}

/// [`validate_each`](crate::batch::validate_each), with the kernels of this engine.
///
/// # Errors
/// As there.
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
        look::<E>(engine, first, &some[..count], &mut self::first)?;
        first += count;
        if count < SLICES {
            return Ok(());
        }
    }
}

/// [`validate_views`](crate::batch::validate_views), with the kernels of this engine.
///
/// # Errors
/// As there.
pub(crate) fn validate_views_on<E: Encoding<Unit = u8>>(
    engine: Engine,
    views: &[u128],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
) -> Result<(), BatchError> {
    judge_views::<E>(engine, views, buffers, validity, &mut first)
}

/// [`ill_formed_views`](crate::batch::ill_formed_views), with the kernels of this engine.
///
/// # Errors
/// As there.
pub(crate) fn ill_formed_views_on<E: Encoding<Unit = u8>>(
    engine: Engine,
    views: &[u128],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
    mut found: impl FnMut(usize, IllFormed),
) -> Result<(), BatchError> {
    judge_views::<E>(engine, views, buffers, validity, &mut |index, error| {
        found(index, error);
        Ok(())
    })
}

/// Hears of an ill-formed value, by its number; an error ends it all.
type Found<'a> = &'a mut dyn FnMut(usize, IllFormed) -> Result<(), BatchError>;

/// The first ill-formed value ends it all.
#[inline]
fn first(index: usize, error: IllFormed) -> Result<(), BatchError> {
    Err(Defect::from(error).of(index))
}

/// Looks at the values of an array.
fn judge_offsets<E: Encoding>(
    engine: Engine,
    values: &[E::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    found: Found<'_>,
) -> Result<(), BatchError> {
    // Null values with bytes that are ill-formed: there will be more of them.
    let mut hidden = false;
    for_each_group(engine, values.len(), offsets, validity, |first, places| {
        if !hidden && in_order::<E, _>(engine, values, places) == Some(places.count()) {
            return Ok(());
        }
        hidden = validity.is_some();
        for stretch in (Stretches { places, validity, first, done: 0 }) {
            let mut at = stretch.start;
            // What is not in order is mostly one value among others that are.
            let mut together = if hidden { stretch.len() } else { FEW };
            while at < stretch.end {
                let some = at..stretch.end.min(at.saturating_add(together));
                let known = in_order::<E, _>(engine, values, places.values(some.clone()));
                if known == Some(some.len()) {
                    together = together.saturating_mul(2);
                    at = some.end;
                    continue;
                }
                together = FEW;
                let one_by_one = match known {
                    // Where they are dense, a few more, rather than to look for the next.
                    Some(count) if count < 8 => at + count..some.end.min(at + count + FEW / 2),
                    Some(count) => at + count..at + count + 1,
                    None => at..some.end.min(at + FEW),
                };
                for value in one_by_one.clone() {
                    if let Err(error) = validate_on::<E>(engine, &values[places.bounds(value)]) {
                        found(first + value, error)?;
                    }
                }
                at = one_by_one.end;
            }
        }
        Ok(())
    })
}

/// Looks at an array of views.
fn judge_views<E: Encoding<Unit = u8>>(
    engine: Engine,
    views: &[u128],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
    found: Found<'_>,
) -> Result<(), BatchError> {
    validity::check(views.len(), validity)?;
    if cfg!(target_endian = "little") {
        return views_in_memory::<E>(engine, 0, bytemuck::cast_slice(views), buffers, validity, found);
    }
    // The bytes of a view are in memory from the least significant on.
    for (number, views) in views.chunks(SLICES).enumerate() {
        let mut swapped = [[0; 16]; SLICES];
        for (bytes, view) in swapped.iter_mut().zip(views) {
            *bytes = view.to_le_bytes();
        }
        let views = &swapped[..views.len()];
        views_in_memory::<E>(engine, number * SLICES, views, buffers, validity, found)?;
    }
    Ok(())
}

/// Looks at views, the first of which has this number.
fn views_in_memory<E: Encoding<Unit = u8>>(
    engine: Engine,
    mut first: usize,
    views: &[[u8; 16]],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
    found: Found<'_>,
) -> Result<(), BatchError> {
    let mut values = [&[][..]; SLICES];
    for some in views.chunks(SLICES) {
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
        // What is wrong before it comes first.
        look::<E>(engine, first, &values[..count], found)?;
        first += count;
        if let Some(defect) = defect {
            return Err(defect.of(first));
        }
    }
    Ok(())
}

/// Calls `look` with groups of values, one behind the other, and the number of the first; and ends with the
/// first value whose offsets are not in order.
pub(super) fn for_each_group<O: OffsetInt>(
    engine: Engine,
    end: usize,
    offsets: &[O],
    validity: Option<Validity<'_>>,
    mut look: impl FnMut(usize, Offsets<'_, O>) -> Result<(), BatchError>,
) -> Result<(), BatchError> {
    let count = offsets.len().saturating_sub(1);
    validity::check(count, validity)?;
    let mut first = 0;
    let step = together(offsets);
    loop {
        let some = &offsets[first..offsets.len().min(first + step + 1)];
        let places = Offsets::of(engine, some, end);
        if places.count() > 0 {
            look(first, places)?;
        }
        if places.offsets().len() < some.len() {
            return Err(Defect::OutOfBounds.of(first + places.count()));
        }
        first += places.count();
        if first >= count {
            return Ok(());
        }
    }
}

/// How many values are looked at together.
fn together<O: OffsetInt>(offsets: &[O]) -> usize {
    let bytes = match offsets {
        [first, .., last] => last.number().saturating_sub(first.number()).max(1) as u64,
        _ => 1,
    };
    let values = (TOGETHER as u64).saturating_mul(offsets.len() as u64) / bytes;
    (values.min(VALUES[1] as u64) as usize).max(VALUES[0])
}

/// How many of the first of these values, which lie one behind the other, are in order, each by itself: all of them, or
/// those up to one that is not. `None` if that is not known.
pub(super) fn in_order<E: Encoding, O: OffsetInt>(
    engine: Engine,
    values: &[E::Unit],
    places: Offsets<'_, O>,
) -> Option<usize> {
    let span = places.span();
    let text = &values[span.clone()];
    match E::VARIANT.family() {
        Family::Ascii | Family::Latin1 => Some(match validate_on::<E>(engine, text) {
            Ok(()) => places.count(),
            Err(error) => places.ending(span.start + error.at),
        }),
        Family::Utf8 => {
            let text: &[u8] = cast(text);
            let ascii = dispatch::validate::ascii_prefix(engine, text);
            if ascii == text.len() {
                return Some(places.count());
            }
            let (count, looked_at) = match validate_on::<Utf8>(engine, &text[ascii..]) {
                Ok(()) => (places.count(), places),
                Err(error) => {
                    let at = span.start + ascii + error.at;
                    let count = places.ending(at);
                    // Where the one that is wrong begins with what is wrong, a character ends before it.
                    let begins = usize::from(places.bounds(count).start < at);
                    (count, places.values(0..count + begins))
                }
            };
            (!looked_at.any_continuation(engine, cast(values))).then_some(count)
        }
        _ => {
            // A character begins where one can be read, and where a unit does.
            let each = E::VARIANT.unit() / size_of::<E::Unit>();
            let begins = |offset: &O| {
                let at = offset.index() - span.start;
                at.is_multiple_of(each) && E::decode(&text[at..]).is_ok()
            };
            let all = validate_on::<E>(engine, text).is_ok() && places.inner().iter().all(begins);
            all.then_some(places.count())
        }
    }
}

/// Looks at values here and there, as bytes, the first of which has this number.
fn look<E: Encoding>(
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
        // Where the kernel stopped, one by one; not all that are left, for it may have been early.
        let end = values.len().min(at + BY_ITSELF);
        for (index, value) in values[at..end].iter().enumerate() {
            if let Err(error) = validate_on::<E>(engine, cast(value)) {
                found(first + at + index, error)?;
            }
        }
        at = end;
    }
    Ok(())
}
