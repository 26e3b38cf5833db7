//! Counts and lengths, as arrays.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array, new_null_array};
use arrow_schema::DataType;
use runecast::{Scheme, Utf8};

use crate::column::{Column, Run, Width};
use crate::{Error, dictionary};

/// The number of characters of each row, in UTF-8: Int64 for LargeBinary and LargeUtf8, and Int32 for all others. What
/// is ill-formed counts as many as it has bytes that are no continuation bytes.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::Int32Type;
/// use arrow_array::{Array, StringArray};
///
/// let array = StringArray::from(vec![Some("ᚱún"), None]);
/// let counts = runecast_arrow::char_count(&array)?;
/// assert_eq!(counts.as_primitive::<Int32Type>().value(0), 3);
/// assert!(counts.is_null(1));
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`].
pub fn char_count(array: &dyn Array) -> Result<ArrayRef, Error> {
    dictionary::ask(array, &|array| {
        if array.data_type() == &DataType::Null {
            return Ok(new_null_array(&DataType::Int32, array.len()));
        }
        let wide = matches!(array.data_type(), DataType::LargeBinary | DataType::LargeUtf8);
        let column = Column::of(array)?;
        let nulls = column.nulls().cloned();
        Ok(match column {
            Column::Narrow(run) => Arc::new(Int32Array::new(counts(&run).into(), nulls)),
            Column::Wide(run) if wide => Arc::new(Int64Array::new(counts(&run).into(), nulls)),
            column => {
                let mut counts: Vec<i32> = Vec::with_capacity(array.len());
                column.for_each(|value| {
                    counts.push(value.map_or(0, |value| runecast::count::<Utf8>(value) as i32))
                });
                Arc::new(Int32Array::new(counts.into(), nulls))
            }
        })
    })
}

/// The characters of each value; of ASCII these are its bytes.
fn counts<O: Width>(run: &Run<O>) -> Vec<O> {
    if runecast::is_ascii(run.span()) {
        return run.offsets.windows(2).map(|ends| ends[1] - ends[0]).collect();
    }
    let values: &[u8] = &run.values;
    let value = |ends: &[O]| &values[ends[0].as_usize()..ends[1].as_usize()];
    run.offsets.windows(2).map(|ends| O::usize_as(runecast::count::<Utf8>(value(ends)))).collect()
}

/// How many bytes each row has after a conversion from one scheme to another, if it is well-formed and all of it has a
/// form there: Int64.
///
/// ```
/// use arrow_array::StringArray;
/// use runecast::Scheme;
///
/// let array = StringArray::from(vec!["ᚱún"]);
/// assert_eq!(runecast_arrow::transcoded_len(&array, Scheme::Utf8, Scheme::Utf16Le)?.value(0), 6);
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`].
pub fn transcoded_len(array: &dyn Array, from: Scheme, to: Scheme) -> Result<Int64Array, Error> {
    let all = dictionary::ask(array, &|array| {
        if array.data_type() == &DataType::Null {
            return Ok(new_null_array(&DataType::Int64, array.len()));
        }
        let column = Column::of(array)?;
        let mut lengths: Vec<i64> = Vec::with_capacity(array.len());
        column.for_each(|value| lengths.push(value.map_or(0, |value| from.transcoded_len(to, value) as i64)));
        Ok(Arc::new(Int64Array::new(lengths.into(), column.nulls().cloned())))
    })?;
    Ok(all.as_primitive().clone())
}
