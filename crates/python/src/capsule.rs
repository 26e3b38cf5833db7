//! Arrow arrays in and out, by the Arrow PyCapsule interface.
//!
//! An object with a method `__arrow_c_array__` hands over one array, one with `__arrow_c_stream__` as many as it has chunks:
//! capsules with the structures of the Arrow C data and stream interfaces. What goes back has the same methods. pyarrow, polars,
//! pandas, DuckDB and others speak it, on both sides.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, make_array, new_empty_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Arrays of one type, one after another.
#[derive(Clone)]
pub(crate) struct Chunks {
    pub(crate) kind: DataType,
    pub(crate) arrays: Vec<ArrayRef>,
    /// Whether they came as a stream, however many there are.
    pub(crate) stream: bool,
}

impl Chunks {
    fn len(&self) -> usize {
        self.arrays.iter().map(Array::len).sum()
    }
}

/// An array for whoever takes Arrow arrays: `pyarrow.array(it)`, `polars.Series(it)`.
#[pyclass(frozen, module = "runecast.arrow", name = "Column")]
pub(crate) struct Column(pub(crate) ArrayRef);

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

    /// The same as a stream of one array.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        stream(py, self.0.data_type().clone(), vec![self.0.clone()])
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<runecast.arrow.Column of {} {}>", self.0.len(), self.0.data_type())
    }
}

/// Arrays for whoever takes streams of them: `pyarrow.chunked_array(it)`, `polars.Series(it)`; of structs, `pyarrow.table(it)`.
#[pyclass(frozen, module = "runecast.arrow", name = "ChunkedColumn")]
pub(crate) struct ChunkedColumn(pub(crate) Chunks);

#[pymethods]
impl ChunkedColumn {
    /// The capsule of the Arrow PyCapsule interface. What is asked for is not looked at: it is only a wish.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        stream(py, self.0.kind.clone(), self.0.arrays.clone())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        let Chunks { kind, arrays, .. } = &self.0;
        format!("<runecast.arrow.ChunkedColumn of {} {kind} in {} chunks>", self.0.len(), arrays.len())
    }
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The structure in a capsule of this name.
fn inside<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<*mut T> {
    // SAFETY: an object that is no capsule, or one of another name, is an error.
    let address = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr()) };
    if address.is_null() { Err(PyErr::fetch(capsule.py())) } else { Ok(address.cast()) }
}

/// The arrays that an object hands over.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<Chunks> {
    if let Ok(column) = object.cast::<Column>() {
        let array = column.get().0.clone();
        return Ok(Chunks { kind: array.data_type().clone(), arrays: vec![array], stream: false });
    }
    if let Ok(column) = object.cast::<ChunkedColumn>() {
        return Ok(column.get().0.clone());
    }
    if let Ok(method) = object.getattr("__arrow_c_array__") {
        let array = one(&method.call0()?)?;
        return Ok(Chunks { kind: array.data_type().clone(), arrays: vec![array], stream: false });
    }
    if let Ok(method) = object.getattr("__arrow_c_stream__") {
        return several(&method.call0()?);
    }
    let found = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("an Arrow array is required, not {found}")))
}

/// The array in two capsules.
fn one(capsules: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let capsules = capsules.cast::<PyTuple>()?;
    let (schema, array) = (capsules.get_item(0)?, capsules.get_item(1)?);
    let schema = inside::<FFI_ArrowSchema>(&schema, SCHEMA)?;
    let array = inside::<FFI_ArrowArray>(&array, ARRAY)?;
    // SAFETY: capsules of these names have these structures, in the layout of the Arrow C data interface, which both types
    // have as well; they live as long as the capsules, that is as long as `capsules`. Nobody else looks at
    // them, for the GIL is held.
    unsafe {
        // The array is moved out; the one that is left behind is marked as released, as the interface has it. The
        // schema stays where it is, and is released by its capsule.
        let array = FFI_ArrowArray::from_raw(array);
        taken(array, &*schema).map_err(failed)
    }
}

/// # Safety
/// The two must belong together, as the Arrow C data interface has it.
pub(crate) unsafe fn taken(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, ArrowError> {
    // SAFETY: as above.
    let data = unsafe { from_ffi(array, schema) }?;
    // Of a slice without rows the offsets may lie anywhere, and the values were not handed over.
    if data.is_empty() {
        return Ok(new_empty_array(data.data_type()));
    }
    Ok(make_array(data))
}

/// The arrays of the stream in a capsule.
fn several(capsule: &Bound<'_, PyAny>) -> PyResult<Chunks> {
    let stream = inside::<FFI_ArrowArrayStream>(capsule, STREAM)?;
    // SAFETY: a capsule of this name has this structure. It is moved out, and the one that is left behind is marked as released, as
    // the interface has it.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(PyValueError::new_err("the stream was taken before"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the functions are those of this stream, which has not been released.
    let status = unsafe { get_schema(&raw mut stream, &raw mut schema) };
    told(&mut stream, status)?;
    let kind = DataType::try_from(&schema).map_err(failed)?;
    let mut arrays = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        let status = unsafe { get_next(&raw mut stream, &raw mut array) };
        told(&mut stream, status)?;
        if array.is_released() {
            return Ok(Chunks { kind, arrays, stream: true });
        }
        // SAFETY: all arrays of a stream have its schema.
        arrays.push(unsafe { taken(array, &schema) }.map_err(failed)?);
    }
}

/// What a stream says of an error.
fn told(stream: &mut FFI_ArrowArrayStream, status: c_int) -> PyResult<()> {
    if status == 0 {
        return Ok(());
    }
    let message = stream.get_last_error.and_then(|get_last_error| {
        // SAFETY: the function is that of this stream, whose last call has failed; what it returns is null or a C string that
        // lives until the next call.
        unsafe {
            let message = get_last_error(&raw mut *stream);
            (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
        }
    });
    Err(PyValueError::new_err(message.unwrap_or_else(|| format!("the stream has failed: {status}"))))
}

/// What a stream that is handed out has: its type, the arrays that are left, in the order from the last to the first, and its
/// last error.
struct Left {
    kind: DataType,
    arrays: Vec<ArrayRef>,
    error: CString,
}

impl Left {
    fn fail(&mut self, error: &ArrowError) -> c_int {
        self.error = CString::new(error.to_string().replace('\0', " ")).unwrap_or_default();
        EINVAL
    }
}

/// Invalid argument: the number is the same everywhere.
const EINVAL: c_int = 22;

/// A capsule with a stream of these arrays.
fn stream<'py>(
    py: Python<'py>,
    kind: DataType,
    mut arrays: Vec<ArrayRef>,
) -> PyResult<Bound<'py, PyCapsule>> {
    arrays.reverse();
    let left = Box::new(Left { kind, arrays, error: CString::default() });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(left).cast::<c_void>(),
    };
    // It is released when it is dropped, unless whoever takes it has marked it as taken.
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// # Safety
/// It must be a stream of this module that has not been released, and nobody else may look at it meanwhile: the interface
/// asks that of whoever calls.
unsafe fn left<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Left {
    // SAFETY: see above: its private data is what `stream` has put there.
    unsafe { &mut *(*stream).private_data.cast::<Left>() }
}

unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: whoever calls hands over the stream, and room for a schema.
    unsafe {
        let left = left(stream);
        match FFI_ArrowSchema::try_from(&left.kind) {
            Ok(schema) => {
                out.write(schema);
                0
            }
            Err(error) => left.fail(&error),
        }
    }
}

unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: whoever calls hands over the stream, and room for an array. At the end it is one that is released.
    unsafe {
        let left = left(stream);
        let array = match left.arrays.pop() {
            Some(array) => match to_ffi(&array.to_data()) {
                Ok((array, _)) => array,
                Err(error) => return left.fail(&error),
            },
            None => FFI_ArrowArray::empty(),
        };
        out.write(array);
        0
    }
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: whoever calls hands over the stream. The message stays there until the next one.
    unsafe { left(stream).error.as_ptr() }
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: whoever calls hands over the stream, once: it is marked as released. Its private data is a box.
    unsafe {
        let stream = &mut *stream;
        stream.release = None;
        drop(Box::from_raw(stream.private_data.cast::<Left>()));
        stream.private_data = core::ptr::null_mut();
    }
}
