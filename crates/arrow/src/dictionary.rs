//! Dictionaries: work is done on their values, once, and the keys stay.
//!
//! **Values that no row has** affect no row. An ill-formed value is an error if a row has it, and the
//! row is the first that has such a value. If no row has it, it becomes null, for it cannot become text (within other arrays
//! empty: see `nested`). Whether it has
//! one is only looked at where something is wrong.
//!
//! What is asked of each row is asked of each value (and, of a run-end encoded array, of each run's), and then taken for the rows; or of each row's value, where there are
//! fewer rows than values, as in a slice.

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, RunArray, UInt64Array, make_array};
use arrow_buffer::{ArrowNativeType as _, NullBuffer};
use arrow_schema::DataType;
use arrow_select::take::take;
use runecast::batch::Defect;

use crate::{Error, column};

/// The same dictionary of new values.
pub(crate) fn map(
    dictionary: &dyn AnyDictionaryArray,
    convert: impl Fn(&dyn Array) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Error> {
    let values = dictionary.values();
    let first = match convert(values) {
        Ok(values) => return Ok(dictionary.with_values(values)),
        Err(Error::Row { row, .. }) => row,
        Err(error) => return Err(error),
    };
    let all = match convert(&only(dictionary)) {
        Ok(values) => return Ok(dictionary.with_values(values)),
        Err(error) => error,
    };
    let mut seen = vec![false; values.len()];
    for (row, key) in keys(dictionary).into_iter().enumerate() {
        let Some(key) = key.filter(|key| *key >= first && !std::mem::replace(&mut seen[*key], true)) else {
            continue;
        };
        if let Err(error) = convert(&values.slice(key, 1)) {
            return Err(error.within(|_| (row, None)));
        }
    }
    // All values of rows can be converted one by one, but not together: they are too long.
    Err(all)
}

/// The key of each row, if it has one.
fn keys(dictionary: &dyn AnyDictionaryArray) -> Vec<Option<usize>> {
    let keys = dictionary.keys();
    if dictionary.values().is_empty() {
        return vec![None; keys.len()];
    }
    let numbers = dictionary.normalized_keys();
    numbers.into_iter().enumerate().map(|(row, key)| keys.is_valid(row).then_some(key)).collect()
}

/// Which values some row has, of those that belong to something.
pub(crate) fn used(dictionary: &dyn AnyDictionaryArray, belongs: Option<&NullBuffer>) -> NullBuffer {
    let mut used = BooleanBufferBuilder::new(dictionary.values().len());
    used.append_n(dictionary.values().len(), false);
    for (row, key) in keys(dictionary).into_iter().enumerate() {
        if let Some(key) = key.filter(|_| belongs.is_none_or(|belongs| belongs.is_valid(row))) {
            used.set_bit(key, true);
        }
    }
    NullBuffer::new(used.finish())
}

/// The values that some row has; the others are null.
fn only(dictionary: &dyn AnyDictionaryArray) -> ArrayRef {
    let values = dictionary.values();
    let nulls = NullBuffer::union(values.nulls(), Some(&used(dictionary, None)));
    let data = values.to_data().into_builder().nulls(nulls);
    data.build().map_or_else(|_| values.clone(), make_array)
}

/// What is asked of each row, for an array of any type.
pub(crate) fn ask(
    array: &dyn Array,
    ask: &dyn Fn(&dyn Array) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Error> {
    if let DataType::RunEndEncoded(ends, _) = array.data_type() {
        return match ends.data_type() {
            DataType::Int16 => runs::<Int16Type>(array, ask),
            DataType::Int32 => runs::<Int32Type>(array, ask),
            _ => runs::<Int64Type>(array, ask),
        };
    }
    let Some(dictionary) = array.as_any_dictionary_opt() else {
        return ask(array);
    };
    let (keys, values) = (dictionary.keys(), dictionary.values());
    if keys.len() < values.len()
        && let Ok(few) = take(values, keys, None)
    {
        return ask(&few);
    }
    // Only answers that are text could be too long for the rows.
    take(&ask(values)?, keys, None).map_err(|_| Error::of(0, Defect::TooLong))
}

/// What is asked of each run's value, for the rows of the run.
fn runs<E: RunEndIndexType>(
    array: &dyn Array,
    ask: &dyn Fn(&dyn Array) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Error> {
    let unsupported = || column::unsupported(array, column::BYTES);
    let runs = array.as_any().downcast_ref::<RunArray<E>>().ok_or_else(unsupported)?;
    if runs.is_empty() {
        return self::ask(&runs.values().slice(0, 0), ask);
    }
    let answers = self::ask(&runs.values_slice(), ask)?;
    let (mut rows, mut row) = (Vec::with_capacity(array.len()), 0);
    for (run, end) in (0_u64..).zip(runs.run_ends().sliced_values()) {
        rows.resize(end.as_usize().max(row), run);
        row = rows.len();
    }
    take(&answers, &UInt64Array::from(rows), None).map_err(|_| Error::of(0, Defect::TooLong))
}
