//! `decode` and `encode` for short texts, without what a call by PyO3 costs.
//!
//! Most strings are short, and for these the call takes longer than the work: of 30 ns for an empty text some 20 were PyO3's, which
//! counts that the interpreter is attached, catches panics, and sorts arguments for any signature. So the two functions
//! that are called for each string of a program are C functions here. They answer for short well-formed UTF-8 (or any ASCII that is
//! encoded), with arguments by position and names that are remembered. Whatever else there is, they hand to the functions of PyO3
//! as it came: these have the same calling convention, and `PyCFunction_GetFunction` has their address.

use core::ffi::CStr;
use std::ffi::CString;
use std::sync::OnceLock;

use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyString};

use crate::encode::COPIED;
use crate::text::{self, View};
use crate::{decode, encode, names};

type Call = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    ffi::Py_ssize_t,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// A function of PyO3: its address, and what it takes for its module.
struct Slow {
    call: Call,
    module: *mut ffi::PyObject,
}

// SAFETY: the address of a function, and of a module that is never freed, since the function that is kept has it; it is handed
// back with the GIL held only.
unsafe impl Send for Slow {}
// SAFETY: as above.
unsafe impl Sync for Slow {}

static DECODE: OnceLock<Slow> = OnceLock::new();
static ENCODE: OnceLock<Slow> = OnceLock::new();

/// Up to so many bytes of ASCII become a text here; what is not ASCII, up to [`decode::SHORT`].
const LONGEST: usize = 8192;

/// Up to so many bytes are looked at by a plain loop, which needs no choice of a kernel.
const TINY: usize = 32;

/// The arguments, if they are by position, there are one to three of them, and the second and third are names that
/// mean UTF-8 and are remembered.
///
/// # Safety
/// They must be those of a call.
#[inline]
unsafe fn plain(
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> Option<*mut ffi::PyObject> {
    if !keywords.is_null() || !(1..=3).contains(&count) {
        return None;
    }
    // SAFETY: there are so many.
    unsafe {
        let known = (count < 2 || names::is_utf8(*args.add(1)))
            && (count < 3 || names::is_known_handler(*args.add(2)));
        known.then(|| *args)
    }
}

unsafe extern "C" fn quick_decode(
    module: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls this with its arguments and the GIL, and they stay there meanwhile. `bytes` are so long.
    unsafe {
        if let Some(data) = plain(args, count, keywords)
            && ffi::PyBytes_CheckExact(data) != 0
        {
            let len = ffi::PyBytes_Size(data) as usize;
            if len <= LONGEST {
                let bytes = core::slice::from_raw_parts(ffi::PyBytes_AsString(data).cast::<u8>(), len);
                let py = Python::assume_attached();
                let is_ascii = if len <= TINY { bytes.is_ascii() } else { runecast::is_ascii(bytes) };
                let text = match is_ascii {
                    true => text::short_ascii(py, bytes),
                    false if len <= decode::SHORT => decode::short(py, bytes),
                    false => None,
                };
                if let Some(Ok(text)) = text {
                    return text.into_ptr();
                }
            }
        }
        handed_on(&DECODE, module, args, count, keywords)
    }
}

unsafe extern "C" fn quick_encode(
    module: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls this with its arguments and the GIL, and they stay there meanwhile. Only a `str` is viewed.
    unsafe {
        if let Some(object) = plain(args, count, keywords)
            && ffi::PyUnicode_CheckExact(object) != 0
        {
            let py = Python::assume_attached();
            let object = Borrowed::from_ptr(py, object);
            if let Some(view) = text::view(&object.cast_unchecked::<PyString>()) {
                match view {
                    View::Ascii(units) if units.len() < COPIED => {
                        return ffi::PyBytes_FromStringAndSize(
                            units.as_ptr().cast(),
                            units.len() as ffi::Py_ssize_t,
                        );
                    }
                    _ if view.len() <= encode::SHORT => {
                        if let Ok(bytes) = encode::short(py, view) {
                            return bytes.into_ptr();
                        }
                    }
                    _ => {}
                }
            }
        }
        handed_on(&ENCODE, module, args, count, keywords)
    }
}

/// The call to the function of PyO3.
///
/// # Safety
/// The arguments must be those of a call.
#[inline]
unsafe fn handed_on(
    slow: &OnceLock<Slow>,
    module: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    match slow.get() {
        // SAFETY: the function takes what it would have been called with.
        Some(slow) => unsafe { (slow.call)(slow.module, args, count, keywords) },
        // It is set before this can be called.
        None => module,
    }
}

/// Adds both to the module, in the place of those of PyO3.
pub(crate) fn register(
    module: &Bound<'_, PyModule>,
    slow_decode: &Bound<'_, PyCFunction>,
    slow_encode: &Bound<'_, PyCFunction>,
) -> PyResult<()> {
    add(module, c"decode", quick_decode, slow_decode, &DECODE)?;
    add(module, c"encode", quick_encode, slow_encode, &ENCODE)
}

fn add(
    module: &Bound<'_, PyModule>,
    name: &'static CStr,
    quick: Call,
    slow: &Bound<'_, PyCFunction>,
    place: &OnceLock<Slow>,
) -> PyResult<()> {
    let py = module.py();
    let flags = ffi::METH_FASTCALL | ffi::METH_KEYWORDS;
    // SAFETY: it is a function, which lives as long as this reference; with these flags its address is that of a function
    // of this type.
    let (call, its_module) = unsafe {
        if ffi::PyCFunction_GetFlags(slow.as_ptr()) != flags {
            return Err(PySystemError::new_err("an unknown calling convention"));
        }
        let Some(call) = ffi::PyCFunction_GetFunction(slow.as_ptr()) else {
            return Err(PySystemError::new_err("a function without an address"));
        };
        let call = core::mem::transmute::<ffi::PyCFunction, Call>(call);
        (call, ffi::PyCFunction_GetSelf(slow.as_ptr()))
    };
    // The function, and so its module, are kept for ever, as is what describes the new one.
    place.get_or_init(|| {
        core::mem::forget(slow.clone());
        Slow { call, module: its_module }
    });
    let signature: String = slow.getattr("__text_signature__")?.extract()?;
    let documentation: String = slow.getattr("__doc__")?.extract()?;
    let documentation = format!("{}{signature}\n--\n\n{documentation}", name.to_string_lossy());
    let documentation = CString::new(documentation)?.into_raw();
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: quick },
        ml_flags: flags,
        ml_doc: documentation,
    }));
    // SAFETY: the definition lives for ever; the result is owned, or null with an error.
    let function = unsafe {
        let of = module.name()?;
        let function = ffi::PyCFunction_NewEx(definition, module.as_ptr(), of.as_ptr());
        Bound::from_owned_ptr_or_err(py, function)?
    };
    module.add(PyString::new(py, &name.to_string_lossy()), function)
}
