//! Arrays in arrays: lists, structs and run-end encoded arrays, whose text is converted where it is.
//!
//! A list keeps its offsets, a struct its fields, an array of runs their ends; what changes is the array of values within.
//! Of a struct the fields that hold nothing to convert stay as they are. The row of an error is that of the outer array:
//! the list which the value is in, the first row of the run.
//!
//! **What belongs to no row** affects none. Values outside of a slice are not handed on. Under a list or a struct that is null
//! there may be anything: where something is wrong, the work is done again with nulls in the place of such values, and of runs
//! that are under nulls as a whole. Of a run that is so in part, the value belongs to the other rows, and its error to the first of these.
//!
//! Maps and unions are not taken: a key of a map may neither become null nor the same as another.

use std::sync::Arc;

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, GenericListArray, OffsetSizeTrait, PrimitiveArray, RunArray,
    StructArray, make_array,
};
use arrow_buffer::{ArrowNativeType as _, NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};

use crate::Error;

/// A conversion of an array of any type.
pub(crate) type Convert<'a> = &'a dyn Fn(&dyn Array) -> Result<ArrayRef, Error>;

/// The same array around converted values, if it is one around values. `holds` says of a type whether there is something in it to
/// convert.
pub(crate) fn map(
    array: &dyn Array,
    holds: &dyn Fn(&DataType) -> bool,
    convert: Convert<'_>,
) -> Option<Result<ArrayRef, Error>> {
    Some(match array.data_type() {
        DataType::List(_) => list::<i32>(array.as_list(), convert),
        DataType::LargeList(_) => list::<i64>(array.as_list(), convert),
        DataType::FixedSizeList(..) => fixed(array.as_fixed_size_list(), convert),
        DataType::Struct(_) => fields(array.as_struct(), holds, convert),
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => runs::<Int16Type>(array, convert)?,
            DataType::Int32 => runs::<Int32Type>(array, convert)?,
            _ => runs::<Int64Type>(array, convert)?,
        },
        _ => return None,
    })
}

/// The type of such an array around values of other types; `None` if it is no array around values, or `inner` knows none.
pub(crate) fn map_type(array: &DataType, inner: &dyn Fn(&DataType) -> Option<DataType>) -> Option<DataType> {
    let field = |field: &FieldRef| Some(with_type(field, inner(field.data_type())?, false));
    Some(match array {
        DataType::List(values) => DataType::List(field(values)?),
        DataType::LargeList(values) => DataType::LargeList(field(values)?),
        DataType::FixedSizeList(values, size) => DataType::FixedSizeList(field(values)?, *size),
        DataType::RunEndEncoded(ends, values) => DataType::RunEndEncoded(ends.clone(), field(values)?),
        DataType::Struct(fields) => {
            let new: Vec<Option<FieldRef>> = fields.iter().map(field).collect();
            if new.iter().all(Option::is_none) {
                return None;
            }
            let all = new.into_iter().zip(fields).map(|(new, old)| new.unwrap_or_else(|| old.clone()));
            DataType::Struct(all.collect::<Fields>())
        }
        _ => return None,
    })
}

fn with_type(field: &FieldRef, data_type: DataType, nulls: bool) -> FieldRef {
    let new = Field::clone(field).with_data_type(data_type);
    Arc::new(if nulls { new.with_nullable(true) } else { new })
}

/// The field of these values, where there was one of others.
fn field_of(old: &FieldRef, values: &ArrayRef) -> FieldRef {
    with_type(old, values.data_type().clone(), values.is_nullable())
}

/// Converts values; where one is wrong, again without those that belong to no row.
fn values(
    values: &ArrayRef,
    convert: Convert<'_>,
    belongs: impl FnOnce() -> Option<NullBuffer>,
) -> Result<ArrayRef, Error> {
    convert(values).or_else(|error| {
        let Some(belongs) = belongs() else { return Err(error) };
        let Some(values) = without(values, &belongs) else { return Err(error) };
        let first = |row: usize| (row..belongs.len()).find(|row| belongs.is_valid(*row)).unwrap_or(row);
        convert(&values).map_err(|error| in_row(error, first))
    })
}

/// The same values with nulls for those that belong to no row.
fn without(values: &dyn Array, belongs: &NullBuffer) -> Option<ArrayRef> {
    match values.data_type() {
        DataType::Null => None,
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => without_runs::<Int16Type>(values, belongs),
            DataType::Int32 => without_runs::<Int32Type>(values, belongs),
            _ => without_runs::<Int64Type>(values, belongs),
        },
        _ => {
            let nulls = NullBuffer::union(values.nulls(), Some(belongs));
            values.to_data().into_builder().nulls(nulls).build().ok().map(make_array)
        }
    }
}

/// The same for runs, which have no null bitmap, but nulls among their values.
fn without_runs<E: RunEndIndexType>(array: &dyn Array, belongs: &NullBuffer) -> Option<ArrayRef> {
    let (ends, inner) = ends_and_values::<E>(array)?;
    let mut begin = 0;
    let has_row = ends.values().iter().map(|end| {
        let run = begin..end.as_usize();
        begin = run.end;
        run.into_iter().any(|row| belongs.is_valid(row))
    });
    let inner = without(&inner, &has_row.collect::<NullBuffer>())?;
    RunArray::try_new(&ends, &inner).ok().map(|new| Arc::new(new) as ArrayRef)
}

/// An error in a value, as that of the row which has it.
fn in_row(error: Error, row_of: impl FnOnce(usize) -> usize) -> Error {
    match error {
        Error::Row { row, defect } => Error::of(row_of(row), defect),
        error => error,
    }
}

fn list<O: OffsetSizeTrait>(array: &GenericListArray<O>, convert: Convert<'_>) -> Result<ArrayRef, Error> {
    let (old, offsets) = (array.offsets(), array.value_offsets());
    let (first, last) = (offsets[0], offsets[array.len()]);
    let inner = array.values().slice(first.as_usize(), (last - first).as_usize());
    let starts: Vec<O> = offsets.iter().map(|offset| *offset - first).collect();
    let belongs = || {
        let nulls = array.nulls()?;
        let mut bits = BooleanBufferBuilder::new(inner.len());
        for (row, ends) in starts.windows(2).enumerate() {
            bits.append_n((ends[1] - ends[0]).as_usize(), nulls.is_valid(row));
        }
        Some(NullBuffer::new(bits.finish()))
    };
    let row_of = |value: usize| starts.partition_point(|start| start.as_usize() <= value).saturating_sub(1);
    let inner = values(&inner, convert, belongs).map_err(|error| in_row(error, row_of))?;
    let offsets = if first == O::usize_as(0) { old.clone() } else { OffsetBuffer::new(starts.into()) };
    let (DataType::List(field) | DataType::LargeList(field)) = array.data_type() else {
        return Err(crate::column::unsupported(array, "a list"));
    };
    Ok(Arc::new(GenericListArray::new(field_of(field, &inner), offsets, inner, array.nulls().cloned())))
}

fn fixed(array: &FixedSizeListArray, convert: Convert<'_>) -> Result<ArrayRef, Error> {
    let size = array.value_length().max(0) as usize;
    // Of a slice these are its values only.
    let inner = array.values().slice(0, array.len() * size);
    let belongs = || array.nulls().map(|nulls| nulls.expand(size));
    let inner = values(&inner, convert, belongs)
        .map_err(|error| in_row(error, |value| value.checked_div(size).unwrap_or(0)))?;
    let DataType::FixedSizeList(field, _) = array.data_type() else {
        return Err(crate::column::unsupported(array, "a list"));
    };
    let (field, nulls) = (field_of(field, &inner), array.nulls().cloned());
    let new = FixedSizeListArray::try_new_with_length(field, array.value_length(), inner, nulls, array.len());
    new.map_or_else(|_| Err(crate::column::unsupported(array, "a list")), |new| Ok(Arc::new(new) as ArrayRef))
}

fn fields(
    array: &StructArray,
    holds: &dyn Fn(&DataType) -> bool,
    convert: Convert<'_>,
) -> Result<ArrayRef, Error> {
    let mut first: Option<Error> = None;
    let mut found = false;
    let mut columns = array.columns().to_vec();
    for column in &mut columns {
        if !holds(column.data_type()) {
            continue;
        }
        found = true;
        match values(column, convert, || array.nulls().cloned()) {
            Ok(new) => *column = new,
            // That of the first row counts, whatever field it is in.
            Err(error) => match (&first, error.row()) {
                (Some(Error::Row { row, .. }), Some(other)) if *row <= other => {}
                _ => first = Some(error),
            },
        }
    }
    match first {
        Some(error) => Err(error),
        None if !found => Err(crate::column::unsupported(array, crate::column::BYTES)),
        None => {
            let fields = array.fields().iter().zip(&columns).map(|(old, new)| match holds(old.data_type()) {
                // (Under a null of the struct there may be one, though the field has none.)
                true => field_of(old, new),
                false => old.clone(),
            });
            let fields: Fields = fields.collect();
            Ok(Arc::new(StructArray::new(fields, columns, array.nulls().cloned())))
        }
    }
}

/// Where the runs of an array or a slice end, and their values.
fn ends_and_values<E: RunEndIndexType>(array: &dyn Array) -> Option<(PrimitiveArray<E>, ArrayRef)> {
    let array = array.as_any().downcast_ref::<RunArray<E>>()?;
    let ends = PrimitiveArray::from_iter_values(array.run_ends().sliced_values());
    let values = if array.is_empty() { array.values().slice(0, 0) } else { array.values_slice() };
    Some((ends, values))
}

fn runs<E: RunEndIndexType>(array: &dyn Array, convert: Convert<'_>) -> Option<Result<ArrayRef, Error>> {
    let (ends, inner) = ends_and_values::<E>(array)?;
    let row_of = |run: usize| {
        let before = run.checked_sub(1).and_then(|run| ends.values().get(run));
        before.map_or(0, |end| end.as_usize())
    };
    Some(convert(&inner).map_err(|error| in_row(error, row_of)).and_then(|inner| {
        RunArray::try_new(&ends, &inner).map_or_else(
            |_| Err(crate::column::unsupported(array, "runs")),
            |new| Ok(Arc::new(new) as ArrayRef),
        )
    }))
}
