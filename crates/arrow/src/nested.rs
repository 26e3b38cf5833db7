//! Arrays in arrays: lists, structs and run-end encoded arrays, whose text is converted where it is.
//!
//! A list keeps its offsets, a struct its fields, an array of runs their ends; what changes is the array of values within.
//! Of a struct some fields stay as they are; which do is told in `types`. The row of an error is that of the outer array:
//! the list which the value is in, the first row of the run.
//!
//! **What belongs to no row** affects none. Values outside of a slice are not handed on. Under a list or a struct that is null
//! there may be anything: which values belong to a row is handed down from array to array, and what is converted at last is, where
//! something is wrong, converted once more with nulls in the place of the others. So the work is at most twice that of one
//! conversion, however deep arrays are in arrays. Of a run that is under nulls in part, the value belongs to the other rows,
//! and its error to the first of these.
//!
//! **Whether a field may have nulls** depends on rows, too. Where it may not, it says so afterwards as well, unless a row has become null.
//! So what belongs to no row has to become something that is not null where it was not: it becomes empty, and so does a value that no row
//! has of a dictionary which is within others.
//!
//! Maps, list views and unions are not taken: a key of a map may neither become null nor the same as another.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, GenericListArray, OffsetSizeTrait, PrimitiveArray, RunArray,
    StructArray, make_array,
};
use arrow_buffer::{ArrowNativeType as _, NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, FieldRef};

use crate::dictionary;
use crate::error::{Error, Step};
use crate::types::{Fate, Takes, with_type};

/// A conversion of arrays that are not around others.
pub(crate) type Convert<'a> = &'a dyn Fn(&dyn Array) -> Result<ArrayRef, Error>;

/// What is done with an array of any type.
pub(crate) struct Work<'a> {
    /// Which values are converted.
    pub takes: Takes,
    /// The conversion of what is within.
    pub convert: Convert<'a>,
}

impl Work<'_> {
    /// The same array around converted values, or the array itself converted, if its type is one that is ([`Takes::fate`]).
    pub(crate) fn of(&self, array: &dyn Array) -> Result<ArrayRef, Error> {
        match array.data_type() {
            DataType::List(_)
            | DataType::LargeList(_)
            | DataType::FixedSizeList(..)
            | DataType::Struct(_)
            | DataType::RunEndEncoded(..) => self.on(array, None),
            _ => (self.convert)(array),
        }
    }

    /// The same for an array in an array. `belongs` says which of its rows belong to one of the outermost array; all, if there is none.
    fn on(&self, array: &dyn Array, belongs: Option<&NullBuffer>) -> Result<ArrayRef, Error> {
        match array.data_type() {
            DataType::List(_) => self.list::<i32>(array.as_list(), belongs),
            DataType::LargeList(_) => self.list::<i64>(array.as_list(), belongs),
            DataType::FixedSizeList(..) => self.fixed(array.as_fixed_size_list(), belongs),
            DataType::Struct(_) => self.fields(array.as_struct(), belongs),
            DataType::RunEndEncoded(ends, _) => match ends.data_type() {
                DataType::Int16 => self.runs::<Int16Type>(array, belongs),
                DataType::Int32 => self.runs::<Int32Type>(array, belongs),
                _ => self.runs::<Int64Type>(array, belongs),
            },
            _ => self.values(array, belongs),
        }
    }

    /// Values that are not around others; where one is wrong, again without those that belong to no row.
    fn values(&self, values: &dyn Array, belongs: Option<&NullBuffer>) -> Result<ArrayRef, Error> {
        let new = (self.convert)(values).or_else(|error| {
            match belongs.and_then(|belongs| without(values, belongs)) {
                Some(values) => (self.convert)(&values),
                None => Err(error),
            }
        })?;
        if values.data_type() == &DataType::Null { Ok(new) } else { not_null(values, new, belongs) }
    }

    fn list<O: OffsetSizeTrait>(
        &self,
        array: &GenericListArray<O>,
        belongs: Option<&NullBuffer>,
    ) -> Result<ArrayRef, Error> {
        let (DataType::List(field) | DataType::LargeList(field)) = array.data_type() else {
            return Err(crate::column::unsupported(array, "a list"));
        };
        let (old, offsets) = (array.offsets(), array.value_offsets());
        let (first, last) = (offsets[0], offsets[array.len()]);
        let inner = array.values().slice(first.as_usize(), (last - first).as_usize());
        let starts: Vec<O> = offsets.iter().map(|offset| *offset - first).collect();
        let belongs = both(belongs, array.nulls()).and_then(|rows| of_lists(&rows, &starts));
        let outer = |value: usize| {
            let row = starts.partition_point(|start| start.as_usize() <= value).saturating_sub(1);
            (row, Some(Step::Element(value - starts[row].as_usize())))
        };
        let inner = self.on(&inner, belongs.as_ref()).map_err(|error| error.within(outer))?;
        // Arrow has no null at all in a list of such a field, not even under a null.
        let field = with_type(field, inner.data_type().clone(), inner.is_nullable());
        let offsets = if first == O::usize_as(0) { old.clone() } else { OffsetBuffer::new(starts.into()) };
        Ok(Arc::new(GenericListArray::new(field, offsets, inner, array.nulls().cloned())))
    }

    fn fixed(&self, array: &FixedSizeListArray, belongs: Option<&NullBuffer>) -> Result<ArrayRef, Error> {
        let DataType::FixedSizeList(field, _) = array.data_type() else {
            return Err(crate::column::unsupported(array, "a list"));
        };
        let size = array.value_length().max(0) as usize;
        // Of a slice these are its values only.
        let inner = array.values().slice(0, array.len() * size);
        let belongs = both(belongs, array.nulls()).map(|rows| rows.expand(size));
        let inner = self.on(&inner, belongs.as_ref()).map_err(|error| {
            error.within(|value| (value / size.max(1), Some(Step::Element(value % size.max(1)))))
        })?;
        let nulls = array.nulls().cloned();
        let field = field_of(field, &inner, nulls.as_ref().map(|nulls| nulls.expand(size)).as_ref());
        let new =
            FixedSizeListArray::try_new_with_length(field, array.value_length(), inner, nulls, array.len());
        new.map_or_else(
            |_| Err(crate::column::unsupported(array, "a list")),
            |new| Ok(Arc::new(new) as ArrayRef),
        )
    }

    fn fields(&self, array: &StructArray, belongs: Option<&NullBuffer>) -> Result<ArrayRef, Error> {
        let rows = both(belongs, array.nulls());
        let mut first: Option<Error> = None;
        let (mut fields, mut columns) = (array.fields().to_vec(), array.columns().to_vec());
        for (field, column) in fields.iter_mut().zip(&mut columns) {
            if self.takes.fate_of_field(field) != Fate::Converted {
                continue;
            }
            match self.on(column, rows.as_ref()) {
                Ok(new) => {
                    *field = field_of(field, &new, array.nulls());
                    *column = new;
                }
                // That of the first row counts, whatever field it is in.
                Err(error) => match (&first, error.row()) {
                    (Some(Error::Row { row, .. }), Some(other)) if *row <= other => {}
                    _ => first = Some(error.within_column(field.name())),
                },
            }
        }
        match first {
            Some(error) => Err(error),
            None => {
                let nulls = array.nulls().cloned();
                let new = StructArray::try_new_with_length(fields.into(), columns, nulls, array.len());
                new.map_or_else(
                    |_| Err(crate::column::unsupported(array, "a struct")),
                    |new| Ok(Arc::new(new) as ArrayRef),
                )
            }
        }
    }

    fn runs<E: RunEndIndexType>(
        &self,
        array: &dyn Array,
        belongs: Option<&NullBuffer>,
    ) -> Result<ArrayRef, Error> {
        let unsupported = || crate::column::unsupported(array, "runs");
        let DataType::RunEndEncoded(ends_field, field) = array.data_type() else {
            return Err(unsupported());
        };
        let (ends, inner) = ends_and_values::<E>(array).ok_or_else(unsupported)?;
        let first_of = |run: Range<usize>| match belongs {
            Some(rows) => run.clone().find(|row| rows.is_valid(*row)),
            None => Some(run.start),
        };
        let has_row = belongs.map(|_| {
            let mut begin = 0;
            let has_row = ends.values().iter().map(|end| {
                let run = begin..end.as_usize();
                begin = run.end;
                first_of(run).is_some()
            });
            has_row.collect::<NullBuffer>()
        });
        let row_of = |run: usize| {
            let end = |run: usize| ends.values().get(run).map_or(0, |end| end.as_usize());
            let begin = run.checked_sub(1).map_or(0, end);
            first_of(begin..end(run)).unwrap_or(begin)
        };
        let inner =
            self.on(&inner, has_row.as_ref()).map_err(|error| error.within(|run| (row_of(run), None)))?;
        let data_type =
            DataType::RunEndEncoded(ends_field.clone(), field_of(field, &inner, has_row.as_ref()));
        // What makes an array of ends and values makes its fields as well.
        let new = RunArray::try_new(&ends, &inner).map_err(|_| unsupported())?;
        let new = new.to_data().into_builder().data_type(data_type);
        new.build().map_or_else(|_| Err(unsupported()), |new| Ok(make_array(new)))
    }
}

/// The field of these values, where there was one of others: with nulls, if one of them is null that is not under a null.
fn field_of(old: &FieldRef, values: &ArrayRef, rows: Option<&NullBuffer>) -> FieldRef {
    let has_null = || {
        let Some(nulls) = values.logical_nulls() else { return false };
        let under = rows.map_or(0, NullBuffer::null_count);
        NullBuffer::union(Some(&nulls), rows).is_some_and(|both| both.null_count() > under)
    };
    with_type(old, values.data_type().clone(), !old.is_nullable() && has_null())
}

/// The rows that are there in both; `None`, if all are.
fn both(belongs: Option<&NullBuffer>, nulls: Option<&NullBuffer>) -> Option<NullBuffer> {
    NullBuffer::union(belongs, nulls).filter(|both| both.null_count() > 0)
}

/// Which values of lists are those of these rows; `None`, if all are. `starts` are where the lists begin, and where the last ends.
fn of_lists<O: OffsetSizeTrait>(rows: &NullBuffer, starts: &[O]) -> Option<NullBuffer> {
    if !starts.windows(2).zip(rows).any(|(ends, is_valid)| !is_valid && ends[0] < ends[1]) {
        return None;
    }
    let mut bits = BooleanBufferBuilder::new(starts.last()?.as_usize());
    for (row, ends) in starts.windows(2).enumerate() {
        bits.append_n((ends[1] - ends[0]).as_usize(), rows.is_valid(row));
    }
    Some(NullBuffer::new(bits.finish()))
}

/// Values that have become null as they were before, if they belong to no row: nothing is in them.
fn not_null(old: &dyn Array, new: ArrayRef, belongs: Option<&NullBuffer>) -> Result<ArrayRef, Error> {
    let mut new = new;
    if let (Some(old), Some(dictionary)) = (old.as_any_dictionary_opt(), new.as_any_dictionary_opt()) {
        let (before, values) = (old.values(), dictionary.values());
        if values.null_count() > before.null_count() && before.data_type() != &DataType::Null {
            let used = dictionary::used(old, belongs);
            new = dictionary.with_values(not_null(before, values.clone(), Some(&used))?);
        }
    }
    let (Some(nulls), Some(belongs)) = (new.nulls(), belongs) else { return Ok(new) };
    if nulls.null_count() <= old.null_count() {
        return Ok(new);
    }
    let mut there = !belongs.inner();
    if let Some(nulls) = old.nulls() {
        there = &there & nulls.inner();
    }
    let nulls = Some(NullBuffer::new(nulls.inner() | &there)).filter(|nulls| nulls.null_count() > 0);
    let new = new.to_data().into_builder().nulls(nulls).build().map(make_array);
    new.map_err(|_| crate::column::unsupported(old, crate::column::BYTES))
}

/// The same values with nulls for those that belong to no row.
fn without(values: &dyn Array, belongs: &NullBuffer) -> Option<ArrayRef> {
    if values.data_type() == &DataType::Null {
        return None;
    }
    let nulls = NullBuffer::union(values.nulls(), Some(belongs));
    values.to_data().into_builder().nulls(nulls).build().ok().map(make_array)
}

/// Where the runs of an array or a slice end, and their values.
fn ends_and_values<E: RunEndIndexType>(array: &dyn Array) -> Option<(PrimitiveArray<E>, ArrayRef)> {
    let array = array.as_any().downcast_ref::<RunArray<E>>()?;
    let ends = PrimitiveArray::from_iter_values(array.run_ends().sliced_values());
    let values = if array.is_empty() { array.values().slice(0, 0) } else { array.values_slice() };
    Some((ends, values))
}
