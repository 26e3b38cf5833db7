//! Columns in encodings whose texts begin with a byte order mark: plain `utf-16`, `utf-32` and `wtf-16`, and `utf-8-sig`.
//!
//! Each row is a text of its own, as it is for Python's `bytes.decode`, and may have a mark or none, in either order. The columns of
//! `runecast-arrow` have one scheme. So rows are copied without their marks and in the byte order of this machine before
//! they are decoded, and what was encoded is copied behind a mark. The copy is what these encodings cost; with an order in
//! their names there is none.

use std::sync::Arc;

use arrow_array::builder::{BinaryViewBuilder, GenericBinaryBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, OffsetSizeTrait};
use arrow_schema::DataType;

use crate::names::Encoding;

/// The rows in the encoding's own scheme, without marks; nothing, if it is no array of bytes or of text.
pub(crate) fn unmarked(array: &dyn Array, encoding: Encoding) -> Option<ArrayRef> {
    let native = encoding.native();
    // Two or four bytes a unit; UTF-8 has no other order.
    let unit = native.mark().len();
    rows(array, &|row, new| {
        let (scheme, mark) = encoding.recognize(row);
        let row = &row[mark..];
        if scheme == native {
            new.extend_from_slice(row);
            return;
        }
        let (units, rest) = row.split_at(row.len() - row.len() % unit);
        units.chunks_exact(unit).for_each(|unit| new.extend(unit.iter().rev()));
        new.extend_from_slice(rest);
    })
}

/// Each row behind a mark.
pub(crate) fn marked(array: &dyn Array, encoding: Encoding) -> Option<ArrayRef> {
    let mark = encoding.mark();
    rows(array, &|row, new| {
        new.extend_from_slice(mark);
        new.extend_from_slice(row);
    })
}

/// How long the mark of a row is.
pub(crate) fn mark_len(array: &dyn Array, row: usize, encoding: Encoding) -> usize {
    let mut len = 0;
    let one = match array.as_any_dictionary_opt() {
        Some(dictionary) if !dictionary.values().is_empty() => {
            dictionary.normalized_keys().get(row).map(|key| dictionary.values().slice(*key, 1))
        }
        _ => (row < array.len()).then(|| array.slice(row, 1)),
    };
    if let Some(one) = one {
        each(&*one, |row| len = row.map_or(0, |row| encoding.recognize(row).1));
    }
    len
}

/// Calls `look` with each row; whether it is an array of bytes or of text.
fn each(array: &dyn Array, mut look: impl FnMut(Option<&[u8]>)) -> bool {
    match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().iter().for_each(look),
        DataType::LargeBinary => array.as_binary::<i64>().iter().for_each(look),
        DataType::BinaryView => array.as_binary_view().iter().for_each(look),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().for_each(look),
        DataType::Utf8 => array.as_string::<i32>().iter().for_each(|row| look(row.map(str::as_bytes))),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().for_each(|row| look(row.map(str::as_bytes))),
        DataType::Utf8View => array.as_string_view().iter().for_each(|row| look(row.map(str::as_bytes))),
        DataType::Null => (0..array.len()).for_each(|_| look(None)),
        _ => return false,
    }
    true
}

/// New binary, of the same width.
fn rows(array: &dyn Array, write: &dyn Fn(&[u8], &mut Vec<u8>)) -> Option<ArrayRef> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return Some(dictionary.with_values(rows(dictionary.values(), write)?));
    }
    match array.data_type() {
        DataType::LargeBinary | DataType::LargeUtf8 => offsets::<i64>(array, write),
        DataType::BinaryView | DataType::Utf8View => {
            let (mut new, mut builder) = (Vec::new(), BinaryViewBuilder::with_capacity(array.len()));
            let is_known = each(array, |row| match row {
                Some(row) => {
                    new.clear();
                    write(row, &mut new);
                    builder.append_value(&new);
                }
                None => builder.append_null(),
            });
            is_known.then(|| Arc::new(builder.finish()) as ArrayRef)
        }
        _ => offsets::<i32>(array, write),
    }
}

fn offsets<O: OffsetSizeTrait>(array: &dyn Array, write: &dyn Fn(&[u8], &mut Vec<u8>)) -> Option<ArrayRef> {
    let (mut new, mut builder) = (Vec::new(), GenericBinaryBuilder::<O>::with_capacity(array.len(), 0));
    let mut fits = true;
    let is_known = each(array, |row| match row {
        Some(row) if fits => {
            new.clear();
            write(row, &mut new);
            let total = builder.values_slice().len().checked_add(new.len());
            fits = total.is_some_and(|total| O::from_usize(total).is_some());
            if fits {
                builder.append_value(&new);
            }
        }
        _ => builder.append_null(),
    });
    (is_known && fits).then(|| Arc::new(builder.finish()) as ArrayRef)
}
