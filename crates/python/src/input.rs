//! Bytes of other objects, and when the GIL is released.
//!
//! Anything with the buffer protocol is taken as the bytes that it is, if these are contiguous: `bytes`, `bytearray`,
//! `memoryview`, `mmap`, arrays of `array` and NumPy, of whatever items.
//!
//! **Only `bytes` are read where they lie**: nothing writes to them once they are made. Everything else is copied first, and
//! only the copy is looked at. Most functions here look at a text twice, to measure it and to convert it, or to check it and to
//! copy it, and the second pass writes into memory that the first one has measured, or calls ASCII what the first one has
//! found to be ASCII. None of that holds if a byte changes between them, and no lock prevents it: a memory map and an array
//! of NumPy may be written by another process, or by a thread that does not hold the GIL. That a buffer says it is read-only is
//! no help. It means that *this* view cannot write: `memoryview(bytearray).toreadonly()`, `mmap` with `ACCESS_READ` and a NumPy view
//! without `WRITEABLE` show memory that others write to.
//!
//! The copy is a `bytes` object that CPython makes, with the GIL held, so that what a `bytearray` has is the text of one
//! moment. It is made of the whole ([`Input`]) for a conversion, whose result takes as much memory anyway, and serves as
//! the object of an exception, or as the result, where the original would. For a mere question ([`Source`]) it is made in
//! pieces: a memory map may be larger than the memory.
//!
//! **The GIL is released for inputs from 64 KiB on**, and for copies of them. (Releasing it and taking it again costs some
//! 100 ns, and more when other threads want it.) Questions about a buffer that is copied in pieces are answered with the GIL
//! held, or the pieces would not be of one text.

use core::mem::MaybeUninit;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// From so many bytes on the GIL is released.
pub(crate) const LONG: usize = 64 * 1024;

/// The bytes of a piece: it stays in the second-level cache.
const PIECE: usize = 256 * 1024;

/// Where the bytes of an object are, for whoever asks a question about them.
pub(crate) enum Source<'a, 'py> {
    /// Memory that nobody writes to.
    Bytes(&'a Bound<'py, PyBytes>),
    /// Memory that others may write to.
    Buffer(Python<'py>, Box<Buffer>),
}

/// A buffer that is given back.
#[repr(transparent)]
pub(crate) struct Buffer(ffi::Py_buffer);

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it was filled by `PyObject_GetBuffer`, and is given back once, with the GIL held, for whoever has it
        // has a `Python`.
        unsafe { ffi::PyBuffer_Release(&raw mut self.0) }
    }
}

impl Buffer {
    fn len(&self) -> usize {
        usize::try_from(self.0.len).unwrap_or(0)
    }

    /// A copy of up to `len` bytes from `at` on.
    ///
    /// No slice is made of the buffer, since that would promise that nobody writes to it: CPython copies from its address.
    fn copy<'py>(&self, py: Python<'py>, at: usize, len: usize) -> PyResult<Bound<'py, PyBytes>> {
        let at = at.min(self.len());
        let len = len.min(self.len() - at);
        if len == 0 {
            return Ok(PyBytes::new(py, &[]));
        }
        // SAFETY: a simple buffer is `self.len()` bytes at that address, which stay there until it is given back, and these are
        // among them. The result is owned, or null with an error.
        unsafe {
            let from = self.0.buf.cast::<core::ffi::c_char>().add(at);
            let copy = ffi::PyBytes_FromStringAndSize(from, len as ffi::Py_ssize_t);
            Ok(Bound::from_owned_ptr_or_err(py, copy)?.cast_into_unchecked())
        }
    }
}

impl<'a, 'py> Source<'a, 'py> {
    /// Those of this object.
    #[inline]
    pub(crate) fn of(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Source::Bytes(bytes)),
            Err(_) => Ok(Source::Buffer(object.py(), buffer(object)?)),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Source::Bytes(bytes) => bytes.as_bytes().len(),
            Source::Buffer(_, buffer) => buffer.len(),
        }
    }

    /// A copy of up to `len` of them, from `at` on.
    #[cold]
    pub(crate) fn copy(&self, at: usize, len: usize) -> PyResult<Bound<'py, PyBytes>> {
        match self {
            Source::Bytes(bytes) => {
                let rest = bytes.as_bytes().get(at..).unwrap_or_default();
                Ok(PyBytes::new(bytes.py(), &rest[..len.min(rest.len())]))
            }
            Source::Buffer(py, buffer) => buffer.copy(*py, at, len),
        }
    }

    /// The first of them, in which there may be a byte order mark.
    pub(crate) fn head(&self) -> PyResult<Bound<'py, PyBytes>> {
        self.copy(0, 4)
    }

    /// Calls `look` with one piece after another, from `at` on; it says how much of each it has looked at, which must be
    /// more than nothing, or that no more is needed.
    #[cold]
    pub(crate) fn pieces(&self, mut at: usize, mut look: impl FnMut(&[u8]) -> Option<usize>) -> PyResult<()> {
        while at < self.len() {
            let piece = self.copy(at, PIECE)?;
            match look(piece.as_bytes()) {
                Some(count @ 1..) => at += count,
                _ => break,
            }
        }
        Ok(())
    }
}

/// The bytes of an object, which nobody changes: its own, if it is `bytes`, or a copy.
pub(crate) struct Input<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    held: Held<'a, 'py>,
}

enum Held<'a, 'py> {
    Own(&'a Bound<'py, PyBytes>),
    Copy(Bound<'py, PyBytes>),
}

impl<'a, 'py> Input<'a, 'py> {
    /// The bytes of this object.
    #[inline]
    pub(crate) fn of(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        let held = match Source::of(object)? {
            Source::Bytes(bytes) => Held::Own(bytes),
            source => Held::Copy(source.copy(0, usize::MAX)?),
        };
        Ok(Input { object, held })
    }

    #[inline]
    fn held(&self) -> &Bound<'py, PyBytes> {
        match &self.held {
            Held::Own(bytes) => bytes,
            Held::Copy(bytes) => bytes,
        }
    }

    /// The bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.held().as_bytes()
    }

    /// Whether the GIL should be released while they are read.
    #[inline]
    pub(crate) fn is_long(&self) -> bool {
        is_long(self.bytes())
    }

    /// The bytes as an object for an exception, or as a result: no instance of a subclass.
    pub(crate) fn to_bytes(&self) -> Bound<'py, PyBytes> {
        match &self.held {
            Held::Own(_) => match self.object.cast_exact::<PyBytes>() {
                Ok(bytes) => bytes.clone(),
                Err(_) => PyBytes::new(self.object.py(), self.bytes()),
            },
            Held::Copy(bytes) => bytes.clone(),
        }
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

/// Whether the GIL should be released while these bytes, which nobody may change, are read.
#[inline]
pub(crate) fn is_long(bytes: &[u8]) -> bool {
    bytes.len() >= LONG
}

/// Does work without the GIL, if that is worth it. It must not read memory that others may write to.
#[inline]
pub(crate) fn aside<T: Send>(py: Python<'_>, free: bool, work: impl FnOnce() -> T + Send) -> T {
    if free { py.detach(work) } else { work() }
}
