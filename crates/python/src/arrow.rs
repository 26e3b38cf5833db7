//! Arrow arrays in and out, without a copy.
//!
//! Arrays come by the Arrow PyCapsule interface: any object with a method `__arrow_c_array__` hands over two capsules,
//! with the structures of the Arrow C data interface. What goes back is such an object as well, so that pyarrow, polars
//! and all others of that kind take it. Nothing here depends on pyarrow; `arrow.py` turns the results into its arrays again.
//!
//! The functions are those of `runecast-arrow`. The GIL is released while they work, and the memory of an array is not copied, since
//! arrays are immutable: the Arrow C data interface has both sides take exported data for that, and every library that imports
//! arrays relies on it. An array does not say what its memory belongs to. In pyarrow nearly all of it can be written to through its
//! buffers, that of its own arrays as much as an array of NumPy that it was made of, and what is read-only there may be a
//! view of what is not. So only a copy of every array would be safe from a program that writes to one, and `check` is there
//! to make none. Whoever writes to the memory of arrays has to hand over copies; the README says so.

use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::{Array, ArrayRef, make_array, new_empty_array};
use core::ffi::CStr;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use runecast::{Label, Policy};

use crate::names::{self, Errors};

pyo3::create_exception!(
    runecast.arrow,
    RowError,
    PyValueError,
    "A row that is ill-formed, or cannot be converted."
);

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// An array for whoever takes Arrow arrays: `pyarrow.array(it)`.
#[pyclass(frozen, module = "runecast.arrow", name = "Column")]
pub(crate) struct Column(ArrayRef);

#[pymethods]
impl Column {
    /// The capsules of the Arrow PyCapsule interface. What is asked for is not looked at: it is only a wish.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        let (array, schema) = to_ffi(&self.0.to_data()).map_err(failed)?;
        // Both structures are released when they are dropped, unless whoever takes them has marked them as taken.
        let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
        Ok((schema, PyCapsule::new_with_value(py, array, ARRAY)?))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<runecast.arrow.Column of {} {}>", self.0.len(), self.0.data_type())
    }
}

fn failed(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The structure in a capsule of this name.
fn inside<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<*mut T> {
    // SAFETY: an object that is no capsule, or one of another name, is an error.
    let address = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr()) };
    if address.is_null() { Err(PyErr::fetch(capsule.py())) } else { Ok(address.cast()) }
}

/// The array that an object hands over.
fn import(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Ok(column) = object.cast::<Column>() {
        return Ok(Arc::clone(&column.get().0));
    }
    let Ok(method) = object.getattr("__arrow_c_array__") else {
        let found = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("an Arrow array is required, not {found}")));
    };
    let capsules = method.call0()?.cast_into::<PyTuple>()?;
    let (schema, array) = (capsules.get_item(0)?, capsules.get_item(1)?);
    let schema = inside::<FFI_ArrowSchema>(&schema, SCHEMA)?;
    let array = inside::<FFI_ArrowArray>(&array, ARRAY)?;
    // SAFETY: capsules of these names have these structures, in the layout of the Arrow C data interface, which both types
    // have as well; they live as long as the capsules, that is as long as `capsules`. Nobody else looks at
    // them, for the GIL is held.
    let data = unsafe {
        // The array is moved out; the one that is left behind is marked as released, as the interface has it. The
        // schema stays where it is, and is released by its capsule.
        let array = FFI_ArrowArray::from_raw(array);
        from_ffi(array, &*schema).map_err(failed)?
    };
    // Of a slice without rows the offsets may lie anywhere, and the values were not handed over.
    if data.is_empty() {
        return Ok(new_empty_array(data.data_type()));
    }
    Ok(make_array(data))
}

/// What is wrong, as an exception.
#[cold]
fn raised(py: Python<'_>, error: &runecast_arrow::Error) -> PyErr {
    let Some(row) = error.row() else { return PyTypeError::new_err(error.to_string()) };
    let exception = RowError::new_err(error.to_string());
    let value = exception.value(py);
    let told = value
        .setattr("row", row)
        .and_then(|()| value.setattr("offset", error.at()))
        .and_then(|()| value.setattr("kind", error.ill_formed().map(|error| error.kind.name())));
    told.err().unwrap_or(exception)
}

/// One of the library's functions on an array.
fn with(
    array: &Bound<'_, PyAny>,
    work: impl FnOnce(&dyn Array) -> Result<ArrayRef, runecast_arrow::Error> + Send,
) -> PyResult<Column> {
    let py = array.py();
    let array = import(array)?;
    py.detach(|| work(&array)).map(Column).map_err(|error| raised(py, &error))
}

/// What is asked for where a row is ill-formed.
enum Wanted {
    /// An exception.
    Strict,
    /// Null.
    Null,
    /// What a policy writes.
    Policy(Policy<'static>),
}

fn wanted(errors: Option<&Bound<'_, PyAny>>) -> PyResult<Wanted> {
    if let Some(name) = errors
        && name.eq("null")?
    {
        return Ok(Wanted::Null);
    }
    match names::errors(errors)? {
        Errors::Strict => Ok(Wanted::Strict),
        Errors::Policy(policy) | Errors::Python(policy) => Ok(Wanted::Policy(policy)),
        Errors::Surrogates | Errors::Handler => Err(PyValueError::new_err(format!(
            "in columns there are no handlers of codecs, but 'strict', 'null', 'replace', 'ignore' and {:?}",
            names::behaviours().collect::<Vec<_>>()
        ))),
    }
}

/// A scheme: in a column there is no mark to tell a byte order.
fn scheme(name: &Bound<'_, PyAny>) -> PyResult<runecast::Scheme> {
    match names::label(Some(name))? {
        Label::Exactly(scheme) => Ok(scheme),
        plain => Err(PyValueError::new_err(format!("say the byte order: {plain}LE or {plain}BE"))),
    }
}

/// Binary as text, with the same values, or the first row that is not UTF-8.
#[pyfunction]
fn arrow_check(array: &Bound<'_, PyAny>) -> PyResult<Column> {
    with(array, |array| runecast_arrow::check(array))
}

/// Which rows are well-formed; null for null.
#[pyfunction]
fn arrow_is_valid(array: &Bound<'_, PyAny>) -> PyResult<Column> {
    with(array, |array| Ok(Arc::new(runecast_arrow::is_valid(array)?)))
}

/// The first error of each row.
#[pyfunction]
fn arrow_errors(array: &Bound<'_, PyAny>) -> PyResult<Column> {
    with(array, |array| Ok(Arc::new(runecast_arrow::errors(array)?)))
}

/// Text from binary in an encoding.
#[pyfunction]
fn arrow_decode(
    array: &Bound<'_, PyAny>,
    encoding: &Bound<'_, PyAny>,
    errors: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let (scheme, wanted) = (scheme(encoding)?, wanted(errors)?);
    with(array, |array| match wanted {
        Wanted::Strict => runecast_arrow::decode(array, scheme, None),
        Wanted::Null => runecast_arrow::decode_or_null(array, scheme),
        Wanted::Policy(policy) => runecast_arrow::decode(array, scheme, Some(policy)),
    })
}

/// Binary in an encoding, from text or from binary in another.
#[pyfunction]
fn arrow_transcode(
    array: &Bound<'_, PyAny>,
    source: Option<&Bound<'_, PyAny>>,
    target: &Bound<'_, PyAny>,
    errors: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let (from, to) = (source.map(scheme).transpose()?, scheme(target)?);
    let policy = match wanted(errors)? {
        Wanted::Strict => None,
        Wanted::Policy(policy) => Some(policy),
        Wanted::Null => return Err(PyValueError::new_err("'null' is for decoding only")),
    };
    with(array, |array| match from {
        Some(from) => runecast_arrow::transcode(array, from, to, policy),
        None => runecast_arrow::encode(array, to, policy),
    })
}

/// The number of characters of each row.
#[pyfunction]
fn arrow_char_count(array: &Bound<'_, PyAny>) -> PyResult<Column> {
    with(array, |array| runecast_arrow::char_count(array))
}

/// What each row is.
#[pyfunction]
fn arrow_detect(array: &Bound<'_, PyAny>) -> PyResult<Column> {
    with(array, |array| Ok(Arc::new(runecast_arrow::detect(array)?)))
}

/// Adds all of this to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("RowError", module.py().get_type::<RowError>())?;
    module.add_class::<Column>()?;
    module.add_function(wrap_pyfunction!(arrow_check, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_is_valid, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_errors, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_decode, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_transcode, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_char_count, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_detect, module)?)
}
