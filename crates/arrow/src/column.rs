//! What arrays of bytes and of text have in common.
//!
//! Arrow has seven types for them, and a function that looks at values sees three layouts: values one after
//! another with narrow or with wide offsets ([`Run`]), and [`Views`]. Values of a fixed size get offsets made for them:
//! narrow ones, unless they do not suffice.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{Array, FixedSizeBinaryArray, GenericByteArray, GenericByteViewArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer, ToByteSlice as _};
use arrow_schema::DataType;
use runecast::batch::{Offset, Validity};

use crate::Error;

/// The type of an offset, as Arrow and runecast know it.
pub trait Width: OffsetSizeTrait + Offset {}

impl Width for i32 {}
impl Width for i64 {}

/// The values of an array that is no dictionary.
pub(crate) enum Column {
    /// Binary, Utf8, FixedSizeBinary.
    Narrow(Run<i32>),
    /// LargeBinary, LargeUtf8; FixedSizeBinary of two gigabytes and more.
    Wide(Run<i64>),
    /// BinaryView, Utf8View.
    Views(Views),
}

/// Values one after another.
pub(crate) struct Run<O: Width> {
    pub values: Buffer,
    pub offsets: OffsetBuffer<O>,
    pub nulls: Option<NullBuffer>,
}

/// Values in several buffers.
pub(crate) struct Views {
    pub views: ScalarBuffer<u128>,
    pub buffers: Vec<Buffer>,
    pub nulls: Option<NullBuffer>,
}

/// What the types of arrays are called together, in errors.
pub(crate) const BYTES: &str = "binary or text";

impl Column {
    /// Those of this array.
    pub(crate) fn of(array: &dyn Array) -> Result<Column, Error> {
        Ok(match array.data_type() {
            DataType::Binary => Column::Narrow(Run::of(array.as_binary::<i32>())),
            DataType::Utf8 => Column::Narrow(Run::of(array.as_string::<i32>())),
            DataType::LargeBinary => Column::Wide(Run::of(array.as_binary::<i64>())),
            DataType::LargeUtf8 => Column::Wide(Run::of(array.as_string::<i64>())),
            DataType::BinaryView => Column::Views(Views::of(array.as_binary_view())),
            DataType::Utf8View => Column::Views(Views::of(array.as_string_view())),
            DataType::FixedSizeBinary(_) => {
                let array = array.as_fixed_size_binary();
                match Run::of_fixed(array) {
                    Some(run) => Column::Narrow(run),
                    None => Column::Wide(Run::of_fixed(array).ok_or_else(|| unsupported(array, BYTES))?),
                }
            }
            _ => return Err(unsupported(array, BYTES)),
        })
    }

    /// Which values are there.
    pub(crate) fn nulls(&self) -> Option<&NullBuffer> {
        match self {
            Column::Narrow(run) => run.nulls.as_ref(),
            Column::Wide(run) => run.nulls.as_ref(),
            Column::Views(views) => views.nulls.as_ref(),
        }
    }

    /// Calls `look` with each value, `None` for those that are null.
    pub(crate) fn for_each<'a>(&'a self, mut look: impl FnMut(Option<&'a [u8]>)) {
        match self {
            Column::Narrow(run) => run.for_each(&mut look),
            Column::Wide(run) => run.for_each(&mut look),
            Column::Views(views) => {
                let buffers = views.buffers();
                for (row, view) in views.views.iter().enumerate() {
                    let is_null = views.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
                    look((!is_null).then(|| value(view, &buffers)));
                }
            }
        }
    }
}

impl<O: Width> Run<O> {
    /// Those of an array.
    pub(crate) fn of<T: ByteArrayType<Offset = O>>(array: &GenericByteArray<T>) -> Run<O> {
        Run {
            values: array.values().clone(),
            offsets: array.offsets().clone(),
            nulls: array.nulls().cloned(),
        }
    }

    /// Those of an array of values of one size, if such offsets suffice.
    pub(crate) fn of_fixed(array: &FixedSizeBinaryArray) -> Option<Run<O>> {
        let size = array.value_size();
        O::from_usize(size.checked_mul(array.len())?)?;
        let offsets: Vec<O> = (0..=array.len()).map(|index| O::usize_as(index * size)).collect();
        let offsets = OffsetBuffer::new(offsets.into());
        Some(Run { values: array.values().clone(), offsets, nulls: array.nulls().cloned() })
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The null bitmap.
    pub(crate) fn validity(&self) -> Option<Validity<'_>> {
        self.nulls.as_ref().map(validity)
    }

    /// The bytes of all values.
    pub(crate) fn span(&self) -> &[u8] {
        &self.values[self.offsets[0].as_usize()..self.offsets[self.len()].as_usize()]
    }

    fn for_each<'a>(&'a self, look: &mut impl FnMut(Option<&'a [u8]>)) {
        let values: &[u8] = &self.values;
        for (row, ends) in self.offsets.windows(2).enumerate() {
            let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            look((!is_null).then(|| &values[ends[0].as_usize()..ends[1].as_usize()]));
        }
    }
}

impl Views {
    /// Those of an array.
    pub(crate) fn of<T: ByteViewType + ?Sized>(array: &GenericByteViewArray<T>) -> Views {
        Views {
            views: array.views().clone(),
            buffers: array.data_buffers().to_vec(),
            nulls: array.nulls().cloned(),
        }
    }

    /// The bytes of the buffers.
    pub(crate) fn buffers(&self) -> Vec<&[u8]> {
        self.buffers.iter().map(|buffer| &**buffer).collect()
    }

    /// The null bitmap.
    pub(crate) fn validity(&self) -> Option<Validity<'_>> {
        self.nulls.as_ref().map(validity)
    }
}

/// The value of a view that is valid, as those of an array are; nothing, if it is not.
pub(crate) fn value<'a>(view: &'a u128, buffers: &[&'a [u8]]) -> &'a [u8] {
    let number = |at: u32| (*view >> (8 * at)) as u32 as usize;
    let len = number(0);
    if len <= 12 {
        return inline(view).get(..len).unwrap_or_default();
    }
    let from = number(12);
    buffers.get(number(8)).and_then(|buffer| buffer.get(from..from.checked_add(len)?)).unwrap_or_default()
}

/// The bytes of a view after its length.
fn inline(view: &u128) -> &[u8] {
    // Their order in memory is that of the array, whatever the machine's.
    std::slice::from_ref(view).to_byte_slice().get(4..).unwrap_or_default()
}

/// The null bitmap, for runecast.
pub(crate) fn validity(nulls: &NullBuffer) -> Validity<'_> {
    Validity::new(nulls.validity(), nulls.offset())
}

/// An array of the wrong type.
pub(crate) fn unsupported(array: &dyn Array, expected: &'static str) -> Error {
    unsupported_type(array.data_type(), expected)
}

/// The same, of which the type is known.
pub(crate) fn unsupported_type(found: &DataType, expected: &'static str) -> Error {
    Error::Unsupported { path: Vec::new(), found: found.clone(), expected }
}
