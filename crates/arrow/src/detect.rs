//! What binary is that came without a name.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int8Type;
use arrow_array::{Array, DictionaryArray, Int8Array, StringArray};
use arrow_schema::DataType;
use runecast::{Content, Detection, Detector};

use crate::column::Column;
use crate::{Error, dictionary};

/// What each row is: the name of its encoding, or `mixed`, `unknown`, `binary`, as
/// [`runecast::detect`](fn@runecast::detect) has it. Short values are guesses.
///
/// ```
/// use arrow_array::BinaryArray;
///
/// let array = BinaryArray::from_vec(vec![b"r\xC3\xBAn", b"r\0\xFA\0n\0", b"run"]);
/// let names = runecast_arrow::detect(&array)?;
/// let names = names.downcast_dict::<arrow_array::StringArray>().unwrap();
/// assert!(names.into_iter().eq([Some("UTF-8"), Some("UTF-16LE"), Some("ASCII")]));
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`].
pub fn detect(array: &dyn Array) -> Result<DictionaryArray<Int8Type>, Error> {
    let all = dictionary::ask(array, &|array| {
        let mut seen: Vec<Content> = Vec::new();
        let mut keys: Vec<Option<i8>> = Vec::with_capacity(array.len());
        if array.data_type() == &DataType::Null {
            keys.resize(array.len(), None);
        } else {
            Column::of(array)?.for_each(|value| {
                keys.push(value.map(|value| {
                    let content = runecast::detect(value).content;
                    // There are twenty.
                    seen.iter().position(|known| *known == content).unwrap_or_else(|| {
                        seen.push(content);
                        seen.len() - 1
                    }) as i8
                }));
            });
        }
        let names = StringArray::from_iter_values(seen.iter().map(Content::to_string));
        Ok(Arc::new(DictionaryArray::new(Int8Array::from(keys), Arc::new(names))))
    })?;
    Ok(all.as_dictionary().clone())
}

/// What the column is as a whole, as though its values were one text, one after another: of a dictionary each value
/// once, whether a row has it or not. `None` if it has no bytes. It ends where more would not help.
///
/// ```
/// use arrow_array::BinaryArray;
/// use runecast::Scheme;
///
/// let array = BinaryArray::from_vec(vec![b"r\0u\0n\0", b"s\0t\0a\0f\0"]);
/// let detection = runecast_arrow::detect_column(&array)?.unwrap();
/// assert_eq!(detection.scheme(), Some(Scheme::Utf16Le));
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`].
pub fn detect_column(array: &dyn Array) -> Result<Option<Detection>, Error> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return detect_column(dictionary.values());
    }
    if array.data_type() == &DataType::Null {
        return Ok(None);
    }
    let mut detector = Detector::new();
    let mut enough = false;
    Column::of(array)?.for_each(|value| enough = enough || value.is_some_and(|value| detector.push(value)));
    Ok(match detector.seen() {
        0 => None,
        _ if enough => Some(detector.verdict()),
        _ => Some(detector.finish()),
    })
}
