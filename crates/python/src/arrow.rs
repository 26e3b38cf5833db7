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

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, new_empty_array};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use runecast::batch::Defect;
use runecast::{Policy, Reason, Scheme};
use runecast_arrow::Error;

use crate::capsule::{ChunkedColumn, Chunks, Column, import};
use crate::marks;
use crate::names::{self, Encoding, Errors};

pyo3::create_exception!(
    runecast.arrow,
    RowError,
    PyValueError,
    "A row that is ill-formed, or cannot be converted."
);

/// Why there is no array.
enum Failure {
    Column(Error),
    /// The array is no column of bytes, or its rows would be too long with their marks.
    Marks,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Column(error)
    }
}

/// What is wrong, as an exception.
#[cold]
fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    let Failure::Column(error) = failure else {
        let why = "encodings with a byte order mark are for columns of bytes or text that fit into 2 GiB; say the byte order";
        return PyTypeError::new_err(why);
    };
    let Some(row) = error.row() else { return PyTypeError::new_err(error.to_string()) };
    let exception = RowError::new_err(error.to_string());
    let value = exception.value(py);
    let told = value
        .setattr("row", row)
        .and_then(|()| value.setattr("offset", error.at()))
        .and_then(|()| value.setattr("kind", error.ill_formed().map(|error| error.kind.name())));
    told.err().unwrap_or(exception)
}

/// One of the library's functions on each array of a column, with rows counted from its beginning.
fn with<'py>(
    array: &Bound<'py, PyAny>,
    work: impl Fn(&dyn Array) -> Result<ArrayRef, Failure> + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let Chunks { kind, arrays, stream } = import(array)?;
    let done = py.detach(|| {
        let mut before = 0;
        let one = |array: &ArrayRef| {
            let new = work(array).map_err(|mut error| {
                if let Failure::Column(Error::Row { row, .. }) = &mut error {
                    *row += before;
                }
                error
            });
            before += array.len();
            new
        };
        arrays.iter().map(one).collect::<Result<Vec<_>, _>>()
    });
    let done = done.map_err(|error| raised(py, &error))?;
    let new = match done.first() {
        Some(new) => new.data_type().clone(),
        // Of no arrays the type is not known before something is converted.
        None => work(&new_empty_array(&kind)).map_err(|error| raised(py, &error))?.data_type().clone(),
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
enum Wanted {
    /// An exception.
    Strict,
    /// Null.
    Null,
    /// What a policy writes.
    Policy(Policy<'static>),
}

/// What these errors mean in a column that becomes one of this scheme, where nobody calls a handler for a row.
fn wanted(errors: Option<&Bound<'_, PyAny>>, to: Scheme) -> PyResult<Wanted> {
    if let Some(name) = errors
        && name.eq("null")?
    {
        return Ok(Wanted::Null);
    }
    match names::errors(errors)? {
        Errors::Strict => Ok(Wanted::Strict),
        Errors::Policy(policy) => Ok(Wanted::Policy(policy)),
        Errors::Python(policy @ Policy::Replace(_)) => Ok(Wanted::Policy(policy)),
        // A policy writes a question mark for what has no form, and Python nothing.
        Errors::Python(policy @ Policy::DropAtTheRiskOfJoining) if names::has_all_characters(to) => {
            Ok(Wanted::Policy(policy))
        }
        _ => Err(names::refused(errors, "columns", &["strict", "null", "replace", "ignore"])),
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
    with(array, |array| Ok(runecast_arrow::check(array)?))
}

/// Which rows are well-formed; null for null.
#[pyfunction]
fn arrow_is_valid<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, |array| Ok(Arc::new(runecast_arrow::is_valid(array)?)))
}

/// The first error of each row.
#[pyfunction]
fn arrow_errors<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, |array| Ok(Arc::new(runecast_arrow::errors(array)?)))
}

/// Text from binary in an encoding.
#[pyfunction]
fn arrow_decode<'py>(
    array: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let encoding = names::encoding(Some(encoding))?;
    let wanted = wanted(errors, Scheme::Utf8)?;
    with(array, |array| {
        decode_marked(array, encoding, |array, scheme| match wanted {
            Wanted::Strict => runecast_arrow::decode(array, scheme, None),
            Wanted::Null => runecast_arrow::decode_or_null(array, scheme),
            Wanted::Policy(policy) => runecast_arrow::decode(array, scheme, Some(policy)),
        })
    })
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
    let to = target.native();
    let wanted = wanted(errors, to)?;
    with(array, |array| {
        let new = match from {
            Some(from) => decode_marked(array, from, |array, from| match wanted {
                Wanted::Strict => runecast_arrow::transcode(array, from, to, None),
                Wanted::Null => runecast_arrow::transcode_or_null(array, from, to),
                Wanted::Policy(policy) => runecast_arrow::transcode(array, from, to, Some(policy)),
            }),
            None => match wanted {
                Wanted::Strict => runecast_arrow::encode(array, to, None),
                Wanted::Null => runecast_arrow::encode_or_null(array, to),
                Wanted::Policy(policy) => runecast_arrow::encode(array, to, Some(policy)),
            }
            .map_err(Failure::from),
        };
        encode_marked(new?, target)
    })
}

/// The number of characters of each row.
#[pyfunction]
fn arrow_char_count<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, |array| Ok(runecast_arrow::char_count(array)?))
}

/// What each row is.
#[pyfunction]
fn arrow_detect<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, |array| Ok(Arc::new(runecast_arrow::detect(array)?)))
}

/// The arrays of an object, as the library has them: for whoever asks for them by their kind.
#[pyfunction]
fn arrow_import<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    with(array, |array| Ok(array.slice(0, array.len())))
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
