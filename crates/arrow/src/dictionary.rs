//! Dictionaries: work is done on their values, once, and the keys stay.
//!
//! **Values that no row has** affect no row. An ill-formed value is an error if a row has it, and the
//! row is the first that has such a value. If no row has it, it becomes null, for it cannot become text. Whether it has
//! one is only looked at where something is wrong.
//!
//! What is asked of each row is asked of each value, and then taken for the rows; or of each row's value, where there are
//! fewer rows than values, as in a slice.

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, make_array};
use arrow_buffer::NullBuffer;
use arrow_select::take::take;
use runecast::batch::Defect;

use crate::Error;

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
    let keys = keys(dictionary);
    let all = match convert(&only(values, &keys)) {
        Ok(values) => return Ok(dictionary.with_values(values)),
        Err(error) => error,
    };
    let mut seen = vec![false; values.len()];
    for (row, key) in keys.into_iter().enumerate() {
        let Some(key) = key.filter(|key| *key >= first && !std::mem::replace(&mut seen[*key], true)) else {
            continue;
        };
        if let Err(error) = convert(&values.slice(key, 1)) {
            return Err(match error {
                Error::Row { defect, .. } => Error::of(row, defect),
                error => error,
            });
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

/// The values that some row has; the others are null.
fn only(values: &ArrayRef, keys: &[Option<usize>]) -> ArrayRef {
    let mut used = BooleanBufferBuilder::new(values.len());
    used.append_n(values.len(), false);
    keys.iter().flatten().for_each(|key| used.set_bit(*key, true));
    let used = NullBuffer::new(used.finish());
    let nulls = NullBuffer::union(values.nulls(), Some(&used));
    let data = values.to_data().into_builder().nulls(nulls);
    data.build().map_or_else(|_| values.clone(), make_array)
}

/// What is asked of each row, for an array of any type.
pub(crate) fn ask(
    array: &dyn Array,
    ask: impl Fn(&dyn Array) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Error> {
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
