//! All functions, row by row: right, and not yet fast.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BinaryViewBuilder, LargeBinaryBuilder, StringBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Int32Array, Int64Array, StringArray, StructArray,
};
use arrow_schema::{DataType, Field, Fields};
use runecast::batch::Defect;
use runecast::{Detection, Detector, IllFormed, Policy, Reason, Scheme, Utf8};

use crate::Error;

const BYTES: &str = "binary or text";

/// The values of an array that is not a dictionary.
fn rows(array: &dyn Array) -> Result<Vec<Option<&[u8]>>, Error> {
    Ok(match array.data_type() {
        DataType::Null => vec![None; array.len()],
        DataType::Binary => array.as_binary::<i32>().iter().collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().collect(),
        DataType::BinaryView => array.as_binary_view().iter().collect(),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().collect(),
        DataType::Utf8 => array.as_string::<i32>().iter().map(|v| v.map(str::as_bytes)).collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().map(|v| v.map(str::as_bytes)).collect(),
        DataType::Utf8View => array.as_string_view().iter().map(|v| v.map(str::as_bytes)).collect(),
        found => return Err(Error::Unsupported { found: found.clone(), expected: BYTES }),
    })
}

/// The values of any array, by row.
fn all_rows(array: &dyn Array) -> Result<Vec<Option<&[u8]>>, Error> {
    let Some(dictionary) = array.as_any_dictionary_opt() else { return rows(array) };
    let values = rows(dictionary.values())?;
    if values.is_empty() {
        return Ok(vec![None; array.len()]);
    }
    let keys = dictionary.normalized_keys();
    Ok(keys
        .into_iter()
        .enumerate()
        .map(|(row, key)| if array.is_null(row) { None } else { values[key] })
        .collect())
}

/// The values by something, of the same width.
fn map(
    array: &dyn Array,
    text: bool,
    mut convert: impl FnMut(&[u8]) -> Result<Option<Vec<u8>>, Defect>,
) -> Result<ArrayRef, Error> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return Ok(dictionary.with_values(map(dictionary.values(), text, convert)?));
    }
    let mut new = Vec::new();
    for (row, value) in rows(array)?.into_iter().enumerate() {
        new.push(match value {
            Some(value) => convert(value).map_err(|defect| Error::of(row, defect))?,
            None => None,
        });
    }
    let string = |bytes: Option<Vec<u8>>| bytes.map(|bytes| String::from_utf8(bytes).expect("text"));
    Ok(match (array.data_type(), text) {
        (DataType::LargeBinary | DataType::LargeUtf8, true) => {
            Arc::new(new.into_iter().map(string).collect::<arrow_array::LargeStringArray>())
        }
        (DataType::BinaryView | DataType::Utf8View, true) => {
            Arc::new(new.into_iter().map(string).collect::<arrow_array::StringViewArray>())
        }
        (_, true) => Arc::new(new.into_iter().map(string).collect::<StringArray>()),
        (DataType::LargeBinary | DataType::LargeUtf8, false) => {
            let mut builder = LargeBinaryBuilder::new();
            new.iter().for_each(|value| builder.append_option(value.as_ref()));
            Arc::new(builder.finish())
        }
        (DataType::BinaryView | DataType::Utf8View, false) => {
            let mut builder = BinaryViewBuilder::new();
            new.iter().for_each(|value| builder.append_option(value.as_ref()));
            Arc::new(builder.finish())
        }
        (_, false) => {
            let mut builder = BinaryBuilder::new();
            new.iter().for_each(|value| builder.append_option(value.as_ref()));
            Arc::new(builder.finish())
        }
    })
}

fn defect(reason: Reason) -> Defect {
    match reason {
        Reason::IllFormed(error) => Defect::IllFormed(error),
        Reason::Unrepresentable { at, character } => Defect::Unrepresentable { at, character },
        Reason::UnrepresentableCodePoint { at, code_point } => {
            Defect::UnrepresentableCodePoint { at, code_point }
        }
        _ => Defect::TooLong,
    }
}

fn strict(from: Scheme, to: Scheme, value: &[u8]) -> Result<Vec<u8>, Defect> {
    let mut new = Vec::new();
    from.transcode_append(to, value, &mut new).map_err(|error| defect(error.reason))?;
    Ok(new)
}

fn by(from: Scheme, to: Scheme, value: &[u8], policy: Option<Policy<'_>>) -> Result<Vec<u8>, Defect> {
    let Some(policy) = policy else { return strict(from, to, value) };
    let mut new = Vec::new();
    from.transcode_lossy_append(to, value, &mut new, policy);
    Ok(new)
}

/// Binary as text, if every row is well-formed UTF-8: Binary as Utf8, LargeBinary as LargeUtf8, BinaryView as
/// Utf8View, FixedSizeBinary as Utf8, dictionaries of them as dictionaries of those. Text is its own answer.
///
/// # Errors
/// The first row that is not.
pub fn check(array: &dyn Array) -> Result<ArrayRef, Error> {
    decode(array, Scheme::Utf8, None)
}

/// Which rows are well-formed UTF-8; null where a row is.
///
/// # Errors
/// An array of another type.
pub fn is_valid(array: &dyn Array) -> Result<BooleanArray, Error> {
    Ok(all_rows(array)?.into_iter().map(|value| value.map(runecast::is_utf8)).collect())
}

/// The fields of what [`errors`] returns: `offset` and `length` of the first ill-formed sequence of a value, in bytes;
/// the `kind`, which is a [`Kind`](runecast::Kind) by its name; and a `message`, one sentence.
#[must_use]
pub fn error_fields() -> Fields {
    Fields::from(vec![
        Field::new("offset", DataType::Int64, true),
        Field::new("length", DataType::Int64, true),
        Field::new("kind", DataType::Utf8, true),
        Field::new("message", DataType::Utf8, true),
    ])
}

/// The first error of each row, by [`error_fields`]; null where a row is well-formed, or null.
///
/// # Errors
/// An array of another type.
pub fn errors(array: &dyn Array) -> Result<StructArray, Error> {
    let errors: Vec<Option<IllFormed>> = all_rows(array)?
        .into_iter()
        .map(|value| value.and_then(|value| runecast::validate::<Utf8>(value).err()))
        .collect();
    let number = |number: fn(&IllFormed) -> usize| {
        Arc::new(
            errors
                .iter()
                .map(|error| error.as_ref().map(|error| number(error) as i64))
                .collect::<Int64Array>(),
        ) as ArrayRef
    };
    let word = |word: fn(&IllFormed) -> String| {
        Arc::new(errors.iter().map(|error| error.as_ref().map(word)).collect::<StringArray>()) as ArrayRef
    };
    let columns = vec![
        number(|error| error.at),
        number(|error| error.len),
        word(|error| error.kind.name().to_owned()),
        word(|error| error.reason().to_string()),
    ];
    let nulls = errors.iter().map(Option::is_some).collect::<Vec<bool>>().into();
    Ok(StructArray::new(error_fields(), columns, Some(nulls)))
}

/// Text or binary as text, by `policy` where it is ill-formed.
///
/// # Errors
/// An array of another type; text that is too long for its offsets.
pub fn repair<'p>(array: &dyn Array, policy: impl Into<Policy<'p>>) -> Result<ArrayRef, Error> {
    let policy = policy.into();
    map(array, true, |value| by(Scheme::Utf8, Scheme::Utf8, value, Some(policy)).map(Some))
}

/// Binary in a scheme as text, by `policy` where it is ill-formed; without one, that is an error.
///
/// # Errors
/// The first row that is ill-formed, or has no form in UTF-8; an array of another type; text that is too long.
pub fn decode(array: &dyn Array, scheme: Scheme, policy: Option<Policy<'_>>) -> Result<ArrayRef, Error> {
    map(array, true, |value| by(scheme, Scheme::Utf8, value, policy).map(Some))
}

/// Binary in a scheme as text; a row that is ill-formed is null.
///
/// # Errors
/// An array of another type; text that is too long.
pub fn decode_or_null(array: &dyn Array, scheme: Scheme) -> Result<ArrayRef, Error> {
    map(array, true, |value| Ok(strict(scheme, Scheme::Utf8, value).ok()))
}

/// Text as binary in a scheme, by `policy` where a character has no form there; without one, that is an error.
///
/// # Errors
/// The first row with a character that has no form in the scheme; an array of another type; values that are too long.
pub fn encode(array: &dyn Array, scheme: Scheme, policy: Option<Policy<'_>>) -> Result<ArrayRef, Error> {
    map(array, false, |value| by(Scheme::Utf8, scheme, value, policy).map(Some))
}

/// Binary in one scheme as binary in another.
///
/// # Errors
/// As for [`decode`] and [`encode`].
pub fn transcode(
    array: &dyn Array,
    from: Scheme,
    to: Scheme,
    policy: Option<Policy<'_>>,
) -> Result<ArrayRef, Error> {
    map(array, false, |value| by(from, to, value, policy).map(Some))
}

/// Numbers by row: Int64 for LargeBinary and LargeUtf8, Int32 for all others.
fn numbers(array: &dyn Array, number: impl Fn(&[u8]) -> usize) -> Result<ArrayRef, Error> {
    let numbers = all_rows(array)?.into_iter().map(|value| value.map(&number));
    let inner =
        array.as_any_dictionary_opt().map_or(array.data_type(), |dictionary| dictionary.values().data_type());
    Ok(match inner {
        DataType::LargeBinary | DataType::LargeUtf8 => {
            Arc::new(numbers.map(|n| n.map(|n| n as i64)).collect::<Int64Array>())
        }
        _ => Arc::new(numbers.map(|n| n.map(|n| n as i32)).collect::<Int32Array>()),
    })
}

/// The number of characters of each row: Int64 for LargeBinary and LargeUtf8, Int32 for all others.
///
/// # Errors
/// An array of another type.
pub fn char_count(array: &dyn Array) -> Result<ArrayRef, Error> {
    numbers(array, runecast::count::<Utf8>)
}

/// How many bytes each row would have in another scheme: Int64.
///
/// # Errors
/// An array of another type.
pub fn transcoded_len(array: &dyn Array, from: Scheme, to: Scheme) -> Result<Int64Array, Error> {
    Ok(all_rows(array)?
        .into_iter()
        .map(|value| value.map(|value| from.transcoded_len(to, value) as i64))
        .collect())
}

/// What each row is, by the name of its encoding: or `mixed`, `unknown`, `binary`.
///
/// # Errors
/// An array of another type.
pub fn detect(array: &dyn Array) -> Result<DictionaryArray<Int8Type>, Error> {
    let mut names = StringBuilder::new();
    for value in all_rows(array)? {
        names.append_option(value.map(|value| runecast::detect(value).content.to_string()));
    }
    Ok(names.finish().iter().collect())
}

/// What the column is as a whole; `None` if it has no values.
///
/// # Errors
/// An array of another type.
pub fn detect_column(array: &dyn Array) -> Result<Option<Detection>, Error> {
    let mut detector = Detector::new();
    for value in all_rows(array)?.into_iter().flatten() {
        if detector.push(value) {
            break;
        }
    }
    Ok((detector.seen() > 0).then(|| detector.finish()))
}
