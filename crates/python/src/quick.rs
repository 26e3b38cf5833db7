//! `decode` and `encode` for short texts, without what a call by PyO3 costs.
//!
//! Most strings are short, and for these the call takes longer than the work: of 30 ns for an empty text some 20 were PyO3's, which
//! counts that the interpreter is attached, catches panics, and sorts arguments for any signature. So the two functions
//! that are called for each string of a program are C functions here. They answer for short texts in UTF-8, Latin-1 and ASCII (or any
//! ASCII that is encoded), with names that are remembered, of encodings, of handlers and of arguments; and for errors too, where what
//! stands for them needs no call of a handler. Whatever else there is, they hand to the functions of PyO3 as it came: these
//! have the same calling convention, and `PyCFunction_GetFunction` has their address.
//!
//! A `bytearray` or a `memoryview`, which others may write to, is copied to the stack first. (As an object of its own, the copy took as
//! long as all else together.)

use core::ffi::CStr;
use core::mem::MaybeUninit;
use std::ffi::CString;
use std::sync::OnceLock;

use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction, PyString};
use runecast::Scheme;

use crate::encode::COPIED;
use crate::names::{self, Errors};
use crate::own::{self, Own};
use crate::text::{self, View};
use crate::{decode, encode};

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

/// Up to so many bytes of one byte a character become a text here; of others, up to [`decode::SHORT`].
const LONGEST: usize = 8192;

/// Up to so many bytes are looked at by a plain loop, which needs no choice of a kernel.
const TINY: usize = 32;

/// Up to so many bytes of a buffer that others may write to are copied to the stack.
const ASIDE: usize = 1024;

/// The names of arguments, interned, so that the same name in a program is the same object: that of the first of `decode`, of the first
/// of `encode`, and those that both have.
struct Names([*mut ffi::PyObject; 4]);

// SAFETY: these are strings that are never freed, and only compared by their address.
unsafe impl Send for Names {}
// SAFETY: as above.
unsafe impl Sync for Names {}

static NAMES: OnceLock<Names> = OnceLock::new();

/// The three arguments, null if they are not given; nothing, if the call is wrong, or names are not known by their address.
///
/// # Safety
/// They must be those of a call.
#[inline(always)]
unsafe fn arguments(
    first: usize,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> Option<[*mut ffi::PyObject; 3]> {
    const NONE: *mut ffi::PyObject = core::ptr::null_mut();
    if !keywords.is_null() {
        // SAFETY: as this has it.
        return unsafe { arguments_by_name(first, args, count, keywords) };
    }
    // SAFETY: there are so many.
    unsafe {
        match count {
            1 => Some([*args, NONE, NONE]),
            2 => Some([*args, *args.add(1), NONE]),
            3 => Some([*args, *args.add(1), *args.add(2)]),
            _ => None,
        }
    }
}

/// The same where some are by name.
///
/// # Safety
/// As above, and there must be keywords.
unsafe fn arguments_by_name(
    first: usize,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> Option<[*mut ffi::PyObject; 3]> {
    let Names(names) = NAMES.get()?;
    let names = [names[first], names[2], names[3]];
    let mut found = [core::ptr::null_mut(); 3];
    let count = usize::try_from(count).ok().filter(|count| *count <= 3)?;
    // SAFETY: there are so many, and behind them there is one for each of the names in the tuple.
    unsafe {
        for (place, at) in found.iter_mut().zip(0..count) {
            *place = *args.add(at);
        }
        for at in 0..ffi::PyTuple_Size(keywords) {
            let name = ffi::PyTuple_GetItem(keywords, at);
            let place = &mut found[names.iter().position(|other| *other == name)?];
            if !place.is_null() {
                return None;
            }
            *place = *args.add(count + at as usize);
        }
    }
    (!found[0].is_null()).then_some(found)
}

/// What is asked for by the second and the third argument, if these names are known.
///
/// # Safety
/// They must be objects or null, and the GIL held.
#[inline(always)]
unsafe fn asked(encoding: *mut ffi::PyObject, errors: *mut ffi::PyObject) -> Option<(Scheme, u8)> {
    // SAFETY: as this has it.
    unsafe {
        let scheme = match encoding.is_null() || encoding == ffi::Py_None() {
            true => Scheme::Utf8,
            false => names::quick_scheme(encoding)?,
        };
        let errors = match errors.is_null() || errors == ffi::Py_None() {
            true => names::STRICT,
            false => names::quick_errors(errors)?,
        };
        Some((scheme, errors))
    }
}

unsafe extern "C" fn quick_decode(
    module: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls this with its arguments and the GIL, and they stay there meanwhile.
    unsafe {
        if let Some([data, encoding, errors]) = arguments(0, args, count, keywords)
            && let Some(asked) = asked(encoding, errors)
        {
            let text = match ffi::PyBytes_CheckExact(data) != 0 {
                true => {
                    // `bytes` are so long, and nobody writes to them.
                    let len = ffi::PyBytes_Size(data) as usize;
                    let bytes = ffi::PyBytes_AsString(data).cast::<u8>();
                    decoded(core::slice::from_raw_parts(bytes, len), asked)
                }
                false => decoded_aside(data, asked),
            };
            if let Some(text) = text {
                return text.into_ptr();
            }
        }
        handed_on(&DECODE, module, args, count, keywords)
    }
}

/// A short text of bytes that others may write to.
///
/// # Safety
/// It must be an object, and the GIL held.
unsafe fn decoded_aside<'py>(data: *mut ffi::PyObject, asked: (Scheme, u8)) -> Option<Bound<'py, PyAny>> {
    let mut place = [MaybeUninit::<u8>::uninit(); ASIDE];
    // SAFETY: with the GIL held the memory of a `bytearray` stays where it is, and that of a simple buffer does until it is given
    // back: so many bytes, which are copied to where there is room for them. No slice of it is made, since others may write to it:
    // bytes that change meanwhile are copied as they were or as they will be. The buffer is not moved, and is given back once.
    let len = unsafe {
        if ffi::PyByteArray_CheckExact(data) != 0 {
            let len = ffi::PyByteArray_Size(data) as usize;
            if len > ASIDE {
                return None;
            }
            let from = ffi::PyByteArray_AsString(data).cast::<u8>();
            core::ptr::copy_nonoverlapping(from, place.as_mut_ptr().cast(), len);
            len
        } else if ffi::PyMemoryView_Check(data) != 0 {
            let mut buffer = MaybeUninit::<ffi::Py_buffer>::zeroed();
            if ffi::PyObject_GetBuffer(data, buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
                // It is raised again by whoever looks next.
                ffi::PyErr_Clear();
                return None;
            }
            let buffer = &mut *buffer.as_mut_ptr();
            let len = buffer.len as usize;
            if (1..=ASIDE).contains(&len) {
                core::ptr::copy_nonoverlapping(buffer.buf.cast::<u8>(), place.as_mut_ptr().cast(), len);
            }
            ffi::PyBuffer_Release(buffer);
            if len > ASIDE {
                return None;
            }
            len
        } else {
            return None;
        }
    };
    // SAFETY: so many bytes were copied.
    let bytes = unsafe { core::slice::from_raw_parts(place.as_ptr().cast::<u8>(), len) };
    // SAFETY: the GIL is held.
    unsafe { decoded(bytes, asked) }
}

/// A short text.
///
/// # Safety
/// The GIL must be held.
#[inline(always)]
unsafe fn decoded<'py>(bytes: &[u8], (scheme, errors): (Scheme, u8)) -> Option<Bound<'py, PyAny>> {
    let len = bytes.len();
    if len > LONGEST || !matches!(scheme, Scheme::Utf8 | Scheme::Latin1 | Scheme::Ascii) {
        return None;
    }
    // SAFETY: it is.
    let py = unsafe { Python::assume_attached() };
    let is_ascii = if len <= TINY { bytes.is_ascii() } else { runecast::is_ascii(bytes) };
    if is_ascii {
        return text::short_ascii(py, bytes)?.ok();
    }
    if scheme == Scheme::Latin1 {
        return text::latin1(py, bytes)?.ok();
    }
    if len > decode::SHORT {
        return None;
    }
    if scheme == Scheme::Utf8
        && !names::numbered_errors(errors).refuses_characters()
        && let Some(text) = decode::short(py, bytes)
    {
        return text.ok();
    }
    match names::numbered_errors(errors) {
        Errors::Policy(policy) | Errors::Python(policy) => {
            decode::in_place(py, scheme, bytes, policy, false)?.ok()
        }
        _ => None,
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
        if let Some([object, encoding, errors]) = arguments(1, args, count, keywords)
            && let Some((scheme, errors)) = asked(encoding, errors)
            && matches!(scheme, Scheme::Utf8 | Scheme::Latin1 | Scheme::Ascii)
            && ffi::PyUnicode_CheckExact(object) != 0
        {
            let py = Python::assume_attached();
            let object = Borrowed::from_ptr(py, object);
            if let Some(view) = text::view(&object.cast_unchecked::<PyString>()) {
                let units = match (view, scheme) {
                    (View::Ascii(units), _) | (View::One(units), Scheme::Latin1) => Some(units),
                    _ => None,
                };
                if let Some(units) = units.filter(|units| units.len() < COPIED) {
                    return ffi::PyBytes_FromStringAndSize(
                        units.as_ptr().cast(),
                        units.len() as ffi::Py_ssize_t,
                    );
                }
                if units.is_none() && view.len() <= encode::SHORT {
                    if scheme == Scheme::Utf8
                        && let Ok(bytes) = encode::short(py, view)
                    {
                        return bytes.into_ptr();
                    }
                    // The memory of the string is its own for as long as it is borrowed.
                    if let Some(own) = Own::of(names::numbered_errors(errors))
                        && let Some(bytes) = own::encoded(own, view, scheme)
                    {
                        return PyBytes::new(py, &bytes).into_ptr();
                    }
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
    let py = module.py();
    // The references are kept for ever.
    let names = ["data", "text", "encoding", "errors"].map(|name| PyString::intern(py, name).into_ptr());
    NAMES.get_or_init(|| Names(names));
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
