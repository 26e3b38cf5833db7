//! Which rows are well-formed, and what is wrong with those that are not.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, StructArray, new_null_array};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, Field, Fields};
use runecast::batch::{Defect, ill_formed_offsets, ill_formed_views};
use runecast::{IllFormed, Utf8};

use crate::column::Column;
use crate::{Error, dictionary};

/// Which rows are well-formed UTF-8; null where a row is.
///
/// Text is well-formed by its type, and is not looked at.
///
/// ```
/// use arrow_array::{BinaryArray, BooleanArray};
///
/// let array = BinaryArray::from(vec![Some(&b"r\xC3\xBAn"[..]), None, Some(b"r\xC3")]);
/// let expected = BooleanArray::from(vec![Some(true), None, Some(false)]);
/// assert_eq!(runecast_arrow::is_valid(&array)?, expected);
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`].
pub fn is_valid(array: &dyn Array) -> Result<BooleanArray, Error> {
    let all = dictionary::ask(array, &|array| {
        if array.data_type() == &DataType::Null {
            return Ok(new_null_array(&DataType::Boolean, array.len()));
        }
        let column = Column::of(array)?;
        let mut bits = BooleanBufferBuilder::new(array.len());
        bits.append_n(array.len(), true);
        if !is_text(array.data_type()) {
            ill_formed(&column, |row, _| bits.set_bit(row, false))?;
        }
        Ok(Arc::new(BooleanArray::new(bits.finish(), column.nulls().cloned())))
    })?;
    Ok(all.as_boolean().clone())
}

/// The fields of what [`errors`] returns, all nullable:
///
/// - `offset`, Int64: where the first ill-formed sequence of the value begins, in bytes;
/// - `length`, Int64: how many bytes it has;
/// - `kind`, Utf8: the rule that it breaks, a [`Kind`](runecast::Kind) by its name;
/// - `message`, Utf8: the same as half a sentence, with the bytes.
#[must_use]
pub fn error_fields() -> Fields {
    Fields::from(vec![
        Field::new("offset", DataType::Int64, true),
        Field::new("length", DataType::Int64, true),
        Field::new("kind", DataType::Utf8, true),
        Field::new("message", DataType::Utf8, true),
    ])
}

/// The first error of each row, with [`error_fields`]; null where a row is well-formed UTF-8, and where it is null.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::{Array, BinaryArray};
///
/// let array = BinaryArray::from_vec(vec![b"r\xC3\xBAn", b"r\xC3n"]);
/// let errors = runecast_arrow::errors(&array)?;
/// assert!(errors.is_null(0));
/// assert_eq!(errors.column(2).as_string::<i32>().value(1), "truncated");
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`]; too many messages for one array.
pub fn errors(array: &dyn Array) -> Result<StructArray, Error> {
    let fields = DataType::Struct(error_fields());
    let all = dictionary::ask(array, &|array| {
        let mut found = Vec::new();
        if array.data_type() != &DataType::Null {
            let column = Column::of(array)?;
            if !is_text(array.data_type()) {
                ill_formed(&column, |row, error| found.push((row, error)))?;
            }
        }
        if found.is_empty() { Ok(new_null_array(&fields, array.len())) } else { table(array.len(), &found) }
    })?;
    Ok(all.as_struct().clone())
}

/// Calls `found` with each row that is ill-formed.
fn ill_formed(column: &Column, found: impl FnMut(usize, IllFormed)) -> Result<(), Error> {
    Ok(match column {
        Column::Narrow(run) => ill_formed_offsets::<Utf8>(&run.values, &run.offsets, run.validity(), found),
        Column::Wide(run) => ill_formed_offsets::<Utf8>(&run.values, &run.offsets, run.validity(), found),
        Column::Views(views) => {
            ill_formed_views::<Utf8>(&views.views, &views.buffers(), views.validity(), found)
        }
    }?)
}

/// Whether an array of this type is text already.
pub(crate) const fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The errors of some of so many rows.
fn table(rows: usize, found: &[(usize, IllFormed)]) -> Result<ArrayRef, Error> {
    let mut bits = BooleanBufferBuilder::new(rows);
    bits.append_n(rows, false);
    let (mut offsets, mut lengths) = (vec![0; rows], vec![0; rows]);
    let (mut kinds, mut messages) = (StringBuilder::new(), StringBuilder::new());
    let mut message = String::new();
    let mut next = 0;
    for (row, error) in found {
        bits.set_bit(*row, true);
        offsets[*row] = error.at as i64;
        lengths[*row] = error.len as i64;
        message.clear();
        // Writing to a string does not fail.
        let _ = write!(message, "{}", error.reason());
        if messages.values_slice().len() + message.len() > i32::MAX as usize {
            return Err(Error::of(*row, Defect::TooLong));
        }
        for (texts, text) in [(&mut kinds, error.kind.name()), (&mut messages, &message)] {
            texts.append_nulls(row - next);
            texts.append_value(text);
        }
        next = row + 1;
    }
    kinds.append_nulls(rows - next);
    messages.append_nulls(rows - next);
    let nulls = Some(NullBuffer::new(bits.finish()));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::new(offsets.into(), nulls.clone())),
        Arc::new(Int64Array::new(lengths.into(), nulls.clone())),
        Arc::new(kinds.finish()),
        Arc::new(messages.finish()),
    ];
    Ok(Arc::new(StructArray::new(error_fields(), columns, nulls)))
}
