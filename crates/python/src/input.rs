//! Bytes of other objects, and when the GIL is released.
//!
//! Anything with the buffer protocol is taken as the bytes that it is, without a copy, if these are contiguous:
//! `bytes`, `bytearray`, `memoryview`, `mmap`, arrays of `array` and NumPy, of whatever items. `bytes`, which nearly all
//! are, is asked by its own functions, which are faster.
//!
//! **The GIL is released for inputs from 64 KiB on that nobody can write to.** Releasing it and taking it again costs
//! some 100 ns, and more when other threads want it. Of a buffer that can be written to, another thread could change
//! bytes that were already looked at. No function here would then answer for what it returns, so such inputs are
//! read with the GIL held, as all are by Python's own codecs. (What NumPy, another process or another library
//! writes without the GIL meanwhile is as undefined as for them.)

use core::mem::MaybeUninit;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// From so many bytes on the GIL is released.
pub(crate) const LONG: usize = 64 * 1024;

/// The bytes of an object.
pub(crate) struct Input<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    held: Held<'a>,
}

enum Held<'a> {
    Bytes(&'a [u8]),
    Buffer(Box<Buffer>),
}

/// A buffer that is given back.
#[repr(transparent)]
struct Buffer(ffi::Py_buffer);

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it was filled by `PyObject_GetBuffer`, and is given back once, with the GIL held, for whoever has it
        // has a `Bound`.
        unsafe { ffi::PyBuffer_Release(&raw mut self.0) }
    }
}

impl<'a, 'py> Input<'a, 'py> {
    /// The bytes of this object.
    #[inline]
    pub(crate) fn of(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        let held = match object.cast::<PyBytes>() {
            Ok(bytes) => Held::Bytes(bytes.as_bytes()),
            Err(_) => Held::Buffer(buffer(object)?),
        };
        Ok(Input { object, held })
    }

    /// The bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.held {
            Held::Bytes(bytes) => bytes,
            Held::Buffer(buffer) => {
                let Ok(len @ 1..) = usize::try_from(buffer.0.len) else { return &[] };
                // SAFETY: a simple buffer is so many bytes at that address, which stay there until it is given back.
                unsafe { core::slice::from_raw_parts(buffer.0.buf.cast(), len) }
            }
        }
    }

    /// Whether the GIL may be released while they are read, and should be.
    #[inline]
    pub(crate) fn is_free(&self) -> bool {
        self.bytes().len() >= LONG
            && match &self.held {
                Held::Bytes(_) => true,
                Held::Buffer(buffer) => buffer.0.readonly != 0,
            }
    }

    /// The bytes as an object for an exception.
    pub(crate) fn to_bytes(&self) -> Bound<'py, PyBytes> {
        match self.object.cast_exact::<PyBytes>() {
            Ok(bytes) => bytes.clone(),
            Err(_) => PyBytes::new(self.object.py(), self.bytes()),
        }
    }

    /// The object itself, if it is `bytes`.
    pub(crate) fn exact(&self) -> Option<&'a Bound<'py, PyBytes>> {
        self.object.cast_exact::<PyBytes>().ok()
    }
}

#[cold]
fn buffer(object: &Bound<'_, PyAny>) -> PyResult<Box<Buffer>> {
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("a bytes-like object is required, not 'str'"));
    }
    let mut buffer = Box::new(MaybeUninit::<ffi::Py_buffer>::zeroed());
    // SAFETY: there is room for a buffer. It is in a box, since some exporters keep its address.
    let status = unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE) };
    if status != 0 {
        return Err(PyErr::fetch(object.py()));
    }
    // SAFETY: it was filled. The new type has the layout of what it wraps, and is dropped once.
    Ok(unsafe { Box::from_raw(Box::into_raw(buffer).cast::<Buffer>()) })
}

/// Does work without the GIL, if that is worth it.
#[inline]
pub(crate) fn aside<T: Send>(py: Python<'_>, free: bool, work: impl FnOnce() -> T + Send) -> T {
    if free { py.detach(work) } else { work() }
}
