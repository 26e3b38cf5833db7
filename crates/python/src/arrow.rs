//! Columns: the functions of `runecast-arrow` on arrays that come and go by the Arrow PyCapsule interface ([`capsule`](crate::capsule)).
//!
//! Nothing here depends on pyarrow; `arrow.py` turns the results into what came in.
//!
//! The GIL is released while they work, and the memory of an array is not copied, since
//! arrays are immutable: the Arrow C data interface has both sides take exported data for that, and every library that imports
//! arrays relies on it. An array does not say what its memory belongs to. In pyarrow nearly all of it can be written to through its
//! buffers, that of its own arrays as much as an array of NumPy that it was made of, and what is read-only there may be a
//! view of what is not. So only a copy of every array would be safe from a program that writes to one, and `check` is there
//! to make none. Whoever writes to the memory of arrays has to hand over copies; the README says so.
//!
//! That text is well-formed, an array says by its type. `from_ffi` takes its word for it, as Arrow has it, and so do the
//! functions of `runecast-arrow`: `is_valid` and `errors` say that all of it is. A string column whose bytes nobody has checked can be
//! made of any bytes (`pyarrow.Array.from_buffers`); whoever doubts one looks at it as binary (`array.view(pyarrow.binary())`).

use std::fmt;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, new_empty_array};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use runecast::batch::Defect;
use runecast::{Policy, Reason, Scheme};
use runecast_arrow::Error;

use crate::capsule::{ChunkedColumn, Chunks, Column, import};
use crate::marks;
use crate::names::{self, Encoding, Errors};
use crate::wrong::UNREPRESENTABLE;

pyo3::create_exception!(
    runecast.arrow,
    RowError,
    PyValueError,
    "A row that is ill-formed, or cannot be converted."
);

/// Why there is no array.
pub(crate) enum Failure {
    Column(Error),
    /// The array is no column of bytes, or its rows would be too long with their marks.
    Marks,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Column(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Column(error) => error.fmt(f),
            Failure::Marks => f.write_str(
                "encodings with a byte order mark are for columns of bytes or text that fit into 2 GiB; say the byte order",
            ),
        }
    }
}

/// What is wrong, as an exception.
#[cold]
fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    let Failure::Column(error) = failure else { return PyTypeError::new_err(failure.to_string()) };
    let Some(row) = error.row() else { return PyTypeError::new_err(error.to_string()) };
    let exception = RowError::new_err(error.to_string());
    let value = exception.value(py);
    let told = value
        .setattr("row", row)
        .and_then(|()| value.setattr("offset", error.at()))
        .and_then(|()| value.setattr("kind", kind(error)));
    told.err().unwrap_or(exception)
}

/// The rule that is broken, or that a character has no form in the target: the same as in the exceptions of `decode` and `encode`.
fn kind(error: &Error) -> Option<&'static str> {
    match error {
        Error::Row { defect: Defect::Text(Reason::IllFormed(error)), .. } => Some(error.kind.name()),
        Error::Row {
            defect: Defect::Text(Reason::Unrepresentable { .. } | Reason::UnrepresentableCodePoint { .. }),
            ..
        } => Some(UNREPRESENTABLE),
        _ => None,
    }
}

/// What is done with a column.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// Binary as text, with the same values, or the first row that is not UTF-8.
    Check,
    /// Which rows are well-formed; null for null.
    IsValid,
    /// The first error of each row.
    Errors,
    /// Text from binary in an encoding.
    Decode(Encoding, Wanted),
    /// Binary in an encoding, from text or from binary in another.
    Transcode(Option<Encoding>, Encoding, Wanted),
    /// The number of characters of each row.
    Count,
    /// What each row is.
    Detect,
    /// The array as it is.
    Nothing,
}

impl Work {
    fn on(self, array: &dyn Array) -> Result<ArrayRef, Failure> {
        Ok(match self {
            Work::Check => runecast_arrow::check(array)?,
            Work::IsValid => Arc::new(runecast_arrow::is_valid(array)?),
            Work::Errors => Arc::new(runecast_arrow::errors(array)?),
            Work::Decode(from, wanted) => decode_marked(array, from, |array, from| match wanted {
                Wanted::Strict => runecast_arrow::decode(array, from, None),
                Wanted::Null => runecast_arrow::decode_or_null(array, from),
                Wanted::Policy(policy) => runecast_arrow::decode(array, from, Some(policy)),
            })?,
            Work::Transcode(Some(from), target, wanted) => {
                let to = target.native();
                let new = decode_marked(array, from, |array, from| match wanted {
                    Wanted::Strict => runecast_arrow::transcode(array, from, to, None),
                    Wanted::Null => runecast_arrow::transcode_or_null(array, from, to),
                    Wanted::Policy(policy) => runecast_arrow::transcode(array, from, to, Some(policy)),
                });
                encode_marked(new?, target)?
            }
            Work::Transcode(None, target, wanted) => {
                let to = target.native();
                let new = match wanted {
                    Wanted::Strict => runecast_arrow::encode(array, to, None),
                    Wanted::Null => runecast_arrow::encode_or_null(array, to),
                    Wanted::Policy(policy) => runecast_arrow::encode(array, to, Some(policy)),
                };
                encode_marked(new?, target)?
            }
            Work::Count => runecast_arrow::char_count(array)?,
            Work::Detect => Arc::new(runecast_arrow::detect(array)?),
            Work::Nothing => array.slice(0, array.len()),
        })
    }

    /// The same for each array of a column, with rows counted from its beginning.
    pub(crate) fn on_each(self, arrays: &[ArrayRef]) -> Result<Vec<ArrayRef>, Failure> {
        let mut before = 0;
        let one = |array: &ArrayRef| {
            let new = self.on(array).map_err(|mut error| {
                if let Failure::Column(Error::Row { row, .. }) = &mut error {
                    *row += before;
                }
                error
            });
            before += array.len();
            new
        };
        arrays.iter().map(one).collect()
    }

    /// What arrays of this type become arrays of.
    pub(crate) fn kind(self, kind: &DataType) -> Result<DataType, Failure> {
        Ok(self.on(&new_empty_array(kind))?.data_type().clone())
    }
}

/// Does it with each array of a column.
fn with<'py>(array: &Bound<'py, PyAny>, work: Work) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let Chunks { kind, arrays, stream } = import(array)?;
    let done = py.detach(|| work.on_each(&arrays)).map_err(|error| raised(py, &error))?;
    let new = match done.first() {
        Some(new) => new.data_type().clone(),
        // Of no arrays the type is not known before something is converted.
        None => work.kind(&kind).map_err(|error| raised(py, &error))?,
    };
    match done.first() {
        Some(column) if !stream => Ok(Bound::new(py, Column(column.clone()))?.into_any()),
        // Rows that become null may make a field nullable in one of the arrays only.
        _ => {
            let widest = done.iter().map(|array| array.data_type()).find(|kind| **kind != new);
            if let Some(kind) = widest {
                let why = format!("the chunks become arrays of different types: {new}, {kind}");
                return Err(PyValueError::new_err(why));
            }
            Ok(Bound::new(py, ChunkedColumn(Chunks { kind: new, arrays: done, stream: true }))?.into_any())
        }
    }
}

/// What is asked for where a row is ill-formed.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    /// An exception.
    Strict,
    /// Null.
    Null,
    /// What a policy writes.
    Policy(Policy<'static>),
}

/// What these errors mean in a column, where nobody calls a handler for a row.
fn wanted(errors: Option<&Bound<'_, PyAny>>) -> PyResult<Wanted> {
    if let Some(name) = errors
        && name.eq("null")?
    {
        return Ok(Wanted::Null);
    }
    of_errors(names::errors(errors)?)
        .ok_or_else(|| names::refused(errors, "columns", &["strict", "null", "replace", "ignore"]))
}

/// The same by name, where there is no Python to ask; `None` if it is not known, or not for columns.
pub(crate) fn wanted_by_name(errors: &str) -> Option<Wanted> {
    if errors == "null" {
        return Some(Wanted::Null);
    }
    of_errors(names::own_errors(errors)?)
}

fn of_errors(errors: Errors) -> Option<Wanted> {
    match errors {
        Errors::Strict => Some(Wanted::Strict),
        Errors::Policy(policy) => Some(Wanted::Policy(policy)),
        Errors::Python(policy @ Policy::Replace(_)) => Some(Wanted::Policy(policy)),
        // Nothing is written for what has no form, either.
        Errors::Python(Policy::DropAtTheRiskOfJoining) => Some(Wanted::Policy(Policy::Omit)),
        _ => None,
    }
}

/// Decodes rows that may have a byte order mark.
fn decode_marked(
    array: &dyn Array,
    encoding: Encoding,
    decode: impl Fn(&dyn Array, Scheme) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Failure> {
    let scheme = encoding.native();
    if !encoding.has_mark() {
        return Ok(decode(array, scheme)?);
    }
    let rows = marks::unmarked(array, encoding).ok_or(Failure::Marks)?;
    decode(&rows, scheme).map_err(|mut error| {
        if let Error::Row { row, defect: Defect::Text(reason), .. } = &mut error {
            let mark = marks::mark_len(array, *row, encoding);
            match reason {
                Reason::IllFormed(error) => error.at += mark,
                Reason::Unrepresentable { at, .. } | Reason::UnrepresentableCodePoint { at, .. } => {
                    *at += mark
                }
                _ => {}
            }
        }
        error.into()
    })
}

/// Puts a byte order mark before each row that was encoded, if there is one.
fn encode_marked(array: ArrayRef, encoding: Encoding) -> Result<ArrayRef, Failure> {
    if encoding.has_mark() { marks::marked(&array, encoding).ok_or(Failure::Marks) } else { Ok(array) }
}

/// Binary as text, with the same values, or the first row that is not UTF-8.
#[pyfunction]
fn arrow_check<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, Work::Check)
}

/// Which rows are well-formed; null for null.
#[pyfunction]
fn arrow_is_valid<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, Work::IsValid)
}

/// The first error of each row.
#[pyfunction]
fn arrow_errors<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, Work::Errors)
}

/// Text from binary in an encoding.
#[pyfunction]
fn arrow_decode<'py>(
    array: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let encoding = names::encoding(Some(encoding))?;
    with(array, Work::Decode(encoding, wanted(errors)?))
}

/// Binary in an encoding, from text or from binary in another.
#[pyfunction]
fn arrow_transcode<'py>(
    array: &Bound<'py, PyAny>,
    source: Option<&Bound<'py, PyAny>>,
    target: &Bound<'py, PyAny>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let from = source.map(|name| names::encoding(Some(name))).transpose()?;
    let target = names::encoding(Some(target))?;
    with(array, Work::Transcode(from, target, wanted(errors)?))
}

/// The number of characters of each row.
#[pyfunction]
fn arrow_char_count<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, Work::Count)
}

/// What each row is.
#[pyfunction]
fn arrow_detect<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, Work::Detect)
}

/// The arrays of an object, as the library has them: for whoever asks for them by their kind.
#[pyfunction]
fn arrow_import<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, Work::Nothing)
}

/// Adds all of this to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("RowError", module.py().get_type::<RowError>())?;
    module.add_class::<Column>()?;
    module.add_class::<ChunkedColumn>()?;
    module.add_function(wrap_pyfunction!(arrow_import, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_check, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_is_valid, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_errors, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_decode, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_transcode, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_char_count, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_detect, module)?)
}
