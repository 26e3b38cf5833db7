//! Expressions of polars: this module is a plugin as well, which polars calls from its own threads, without Python.
//!
//! polars loads the library that a plugin is by its path, asks for the version of the interface, and calls functions by name: one
//! that says of which type a column will be, and one that computes it. All there is between them is structures of C, those of the Arrow C data
//! interface and one that holds them for a column in several chunks. They are written down here, as `polars-ffi` 0.55 has them (`version_0`,
//! version 0.1, since polars 1.0), so that the wheel is not built against a version of polars, and does not contain it.
//!
//! There is one such function, `runecast`; what it does is among its arguments, which `polars.py` has looked up before, by the
//! names that Python knows. They come as a dictionary of strings, pickled, as polars has it.

use core::cell::RefCell;
use core::ffi::{c_char, c_void};
use core::mem::ManuallyDrop;
use core::{ptr, slice};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ArrayRef;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_schema::{DataType, Field};

use crate::arrow::{Work, wanted_by_name};
use crate::capsule::taken;
use crate::names::Encoding;

/// A column, as polars hands it over and takes it.
///
/// Whoever receives one moves all arrays out, and then calls `release`, which frees what held them, and the schema.
#[repr(C)]
pub struct SeriesExport {
    field: *mut FFI_ArrowSchema,
    arrays: *mut *mut FFI_ArrowArray,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    private_data: *mut c_void,
}

/// What a column that is handed out consists of.
struct Owned {
    field: FFI_ArrowSchema,
    arrays: Vec<*mut FFI_ArrowArray>,
}

/// Why there is no result, in words for the user.
type Answer<T> = Result<T, String>;

impl SeriesExport {
    fn new(name: &str, arrays: &[ArrayRef]) -> Answer<SeriesExport> {
        let kind = arrays.first().map(|array| array.data_type()).ok_or("a column without chunks")?;
        if let Some(other) = arrays.iter().map(|array| array.data_type()).find(|other| *other != kind) {
            return Err(format!("the chunks become arrays of different types: {kind}, {other}"));
        }
        let field = schema(name, kind)?;
        let arrays = arrays.iter().map(|array| to_ffi(&array.to_data()).map(|(array, _)| array));
        let arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        let arrays = arrays.into_iter().map(|array| Box::into_raw(Box::new(array))).collect();
        let owned = Box::into_raw(Box::new(Owned { field, arrays }));
        // SAFETY: it was a box just now, and nobody else knows of it.
        let parts = unsafe { &mut *owned };
        Ok(SeriesExport {
            field: &raw mut parts.field,
            arrays: parts.arrays.as_mut_ptr(),
            len: parts.arrays.len(),
            release: Some(release),
            private_data: owned.cast(),
        })
    }

    /// Moves the arrays out, with the name of the column and its type, and releases the rest.
    ///
    /// # Safety
    /// It must be a column of polars that was not taken before, and nobody may look at it afterwards.
    unsafe fn take(&mut self) -> Answer<(String, DataType, Vec<ArrayRef>)> {
        // SAFETY: polars says that these are `len` pointers to arrays, and a schema, that live until `release` is called. It
        // leaves the arrays to whoever takes them: `release` frees the memory where they were, and does not look at them.
        let (field, arrays) = unsafe {
            let pointers = if self.len == 0 { &[] } else { slice::from_raw_parts(self.arrays, self.len) };
            let arrays: Vec<FFI_ArrowArray> = pointers.iter().map(|array| array.read()).collect();
            (&*self.field, arrays)
        };
        let name = field.name().unwrap_or_default().to_owned();
        // SAFETY: the arrays of a column have its type.
        let arrays = arrays.into_iter().map(|array| unsafe { taken(array, field) }).collect::<Result<_, _>>();
        let kind = DataType::try_from(field);
        if let Some(release) = self.release {
            // SAFETY: the function is that of this column, whose arrays were moved out and whose schema is no longer needed.
            unsafe { release(self) };
        }
        match (kind, arrays) {
            (Ok(kind), Ok(arrays)) => Ok((name, kind, arrays)),
            (Err(error), _) | (_, Err(error)) => Err(error.to_string()),
        }
    }
}

/// # Safety
/// It must be a column that [`SeriesExport::new`] has made, from which all arrays were moved out.
unsafe extern "C" fn release(column: *mut SeriesExport) {
    // SAFETY: whoever calls hands over the column, once: it is marked as released. Its private data is a box, and so is each
    // array, whose contents belong to others.
    unsafe {
        let column = &mut *column;
        column.release = None;
        let owned = Box::from_raw(column.private_data.cast::<Owned>());
        column.private_data = ptr::null_mut();
        for array in &owned.arrays {
            drop(Box::from_raw(array.cast::<ManuallyDrop<FFI_ArrowArray>>()));
        }
    }
}

fn schema(name: &str, kind: &DataType) -> Answer<FFI_ArrowSchema> {
    FFI_ArrowSchema::try_from(Field::new(name, kind.clone(), true)).map_err(|error| error.to_string())
}

/// What is asked for by these arguments.
fn work(arguments: &[u8]) -> Answer<Work> {
    let arguments: BTreeMap<String, String> =
        serde_pickle::from_slice(arguments, serde_pickle::DeOptions::new())
            .map_err(|error| error.to_string())?;
    let argument = |name: &str| arguments.get(name).map_or("", String::as_str);
    let encoding = |name: &str| {
        let found = Encoding::all().find(|encoding| encoding.name() == argument(name));
        found.ok_or_else(|| format!("unknown encoding: {:?}", argument(name)))
    };
    let wanted = || {
        let found = wanted_by_name(argument("errors"));
        found.ok_or_else(|| format!("unknown error handler name {:?}", argument("errors")))
    };
    Ok(match argument("work") {
        "check" => Work::Check,
        "is_valid" => Work::IsValid,
        "errors" => Work::Errors,
        "decode" => Work::Decode(encoding("source")?, wanted()?),
        "encode" => {
            let target = encoding("target")?;
            Work::Transcode(None, target, wanted()?)
        }
        "transcode" => {
            let target = encoding("target")?;
            Work::Transcode(Some(encoding("source")?), target, wanted()?)
        }
        "count" => Work::Count,
        "detect" => Work::Detect,
        other => return Err(format!("there is no function {other:?}")),
    })
}

thread_local! {
    /// What polars asks for after a function has returned nothing.
    static WRONG: RefCell<CString> = RefCell::default();
}

/// What `compute` returns; or nothing, and what is wrong is written down. A panic does not reach polars, which has a word for it.
fn told<T>(compute: impl FnOnce() -> Answer<T>) -> Option<T> {
    let wrong = match catch_unwind(AssertUnwindSafe(compute)) {
        Ok(Ok(value)) => return Some(value),
        Ok(Err(wrong)) => CString::new(wrong.replace('\0', " ")).unwrap_or_default(),
        Err(_) => c"PANIC".to_owned(),
    };
    WRONG.set(wrong);
    None
}

/// The version of the interface: 0.1.
#[unsafe(no_mangle)]
extern "C" fn _polars_plugin_get_version() -> u32 {
    1
}

/// What was wrong in the last call on this thread, until the next one.
#[unsafe(no_mangle)]
extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    WRONG.with_borrow(|wrong| wrong.as_ptr())
}

/// The bytes that begin there.
///
/// # Safety
/// As for [`slice::from_raw_parts`], but that the address may be null if there are none.
unsafe fn bytes<'a>(at: *const u8, len: usize) -> &'a [u8] {
    // SAFETY: asked of whoever calls.
    if len == 0 { &[] } else { unsafe { slice::from_raw_parts(at, len) } }
}

/// Of which type the column will be.
///
/// # Safety
/// polars' interface: `len` schemas, which stay those of the caller; room for one that is empty; pickled arguments.
#[unsafe(no_mangle)]
unsafe extern "C" fn _polars_plugin_field_runecast(
    fields: *const FFI_ArrowSchema,
    len: usize,
    out: *mut FFI_ArrowSchema,
    arguments: *const u8,
    arguments_len: usize,
) {
    let field = told(|| {
        if len != 1 {
            return Err(format!("one column is required, not {len}"));
        }
        // SAFETY: see above.
        let (field, arguments) = unsafe { (&*fields, bytes(arguments, arguments_len)) };
        let kind = DataType::try_from(field).map_err(|error| error.to_string())?;
        schema(
            field.name().unwrap_or_default(),
            &work(arguments)?.kind(&kind).map_err(|failure| failure.to_string())?,
        )
    });
    if let Some(field) = field {
        // SAFETY: there is room for one, and what is there, empty, has nothing to be released.
        unsafe { out.write(field) };
    }
}

/// The column.
///
/// # Safety
/// polars' interface: `len` columns, which are the callee's from here on; pickled arguments; room for a column that is empty; and
/// a context, which is not looked at.
#[unsafe(no_mangle)]
unsafe extern "C" fn _polars_plugin_runecast(
    columns: *mut SeriesExport,
    len: usize,
    arguments: *const u8,
    arguments_len: usize,
    out: *mut SeriesExport,
    _context: *const c_void,
) {
    let column = told(|| {
        // SAFETY: see above.
        let columns = if len == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(columns, len) } };
        // All of them, before anything may fail: otherwise they are lost.
        // SAFETY: they are taken once, and polars does not look at them any more.
        let mut columns: Vec<_> = columns.iter_mut().map(|column| unsafe { column.take() }).collect();
        let (1, Some(column)) = (len, columns.pop()) else {
            return Err(format!("one column is required, not {len}"));
        };
        let (name, kind, mut arrays) = column?;
        if arrays.is_empty() {
            arrays.push(arrow_array::new_empty_array(&kind));
        }
        // SAFETY: see above.
        let work = work(unsafe { bytes(arguments, arguments_len) })?;
        SeriesExport::new(&name, &work.on_each(&arrays).map_err(|failure| failure.to_string())?)
    });
    if let Some(column) = column {
        // SAFETY: there is room for one, and what is there, empty, has nothing to be released.
        unsafe { out.write(column) };
    }
}
