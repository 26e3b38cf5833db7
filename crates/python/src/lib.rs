//! runecast for Python: the module `runecast._core`, of which the files in `python/runecast` make a package.
//!
//! It is one more API: functions of the library in the form that Python expects. This crate only makes each call
//! fast. A string is converted where CPython keeps it ([`text`]), bytes are read where they lie
//! ([`input`]), and names are looked up by their address ([`names`]). The rest is small.
//!
//! - **For the stable ABI of Python 3.11**, one wheel for all versions from there on. It is the first in which the
//!   stable ABI has the buffer protocol, and the oldest that is still maintained.
//! - **By PyO3's functions**, but for the two that are called for each string of a program: see [`quick`].
//! - **Codecs** are classes in Python on top of `decode_chunk`: Python's own `BufferedIncrementalDecoder` keeps the bytes
//!   that wait, so that its `getstate` and `setstate` are what `io.TextIOWrapper` expects.
//! - **`unsafe`** is in [`text`] and [`input`], in [`decode`], [`encode`] and [`own`] where memory that was just made is written, in
//!   [`quick`] and [`names`], where objects are compared by their address, and in [`capsule`] and [`plugin`] where arrays are handed over.
//! - A panic becomes PyO3's `PanicException`. None is known.

mod arrow;
mod capsule;
mod convert;
mod decode;
mod encode;
mod facts;
mod input;
mod marks;
mod names;
mod own;
mod pickle;
mod plugin;
mod quick;
mod surrogates;
mod text;
mod wrong;

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::names::Encoding;

/// Whether strings are made and read in place; with an argument, whether they shall be.
#[pyfunction]
#[pyo3(signature = (wanted=None))]
fn use_layout(wanted: Option<bool>) -> bool {
    text::use_layout(wanted)
}

/// The name of an encoding in the manner of `codecs`.
#[pyfunction]
fn canonical(encoding: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    Ok(names::encoding(Some(encoding))?.name())
}

/// The same, or `None` if there is no such encoding.
#[pyfunction]
fn known(encoding: &Bound<'_, PyString>) -> PyResult<Option<&'static str>> {
    Ok(names::known_encoding(encoding)?.map(Encoding::name))
}

/// The scheme of a text that begins with these bytes, and the length of its mark.
#[pyfunction]
fn recognize(encoding: &Bound<'_, PyAny>, head: &[u8]) -> PyResult<(&'static str, usize)> {
    let (scheme, mark) = names::encoding(Some(encoding))?.recognize(head);
    Ok((names::scheme_name(scheme), mark))
}

/// The names of the library's behaviours.
#[pyfunction]
fn behaviours() -> Vec<&'static str> {
    names::behaviours().collect()
}

/// The names of all encodings.
#[pyfunction]
fn encodings() -> Vec<&'static str> {
    Encoding::all().map(Encoding::name).collect()
}

/// The compiled half of `runecast`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    text::prepare(module.py());
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("DecodeError", module.py().get_type::<wrong::DecodeError>())?;
    module.add("EncodeError", module.py().get_type::<wrong::EncodeError>())?;
    module.add_class::<wrong::IllFormed>()?;
    module.add_class::<facts::Detection>()?;
    quick::register(
        module,
        &wrap_pyfunction!(decode::decode, module)?,
        &wrap_pyfunction!(encode::encode, module)?,
    )?;
    module.add_function(wrap_pyfunction!(decode::decode_chunk, module)?)?;
    module.add_function(wrap_pyfunction!(convert::transcode, module)?)?;
    module.add_function(wrap_pyfunction!(convert::repair, module)?)?;
    module.add_function(wrap_pyfunction!(convert::repair_run, module)?)?;
    module.add_function(wrap_pyfunction!(surrogates::well_formed, module)?)?;
    module.add_function(wrap_pyfunction!(facts::validate, module)?)?;
    module.add_function(wrap_pyfunction!(facts::is_valid, module)?)?;
    module.add_function(wrap_pyfunction!(facts::count, module)?)?;
    module.add_function(wrap_pyfunction!(facts::detect, module)?)?;
    module.add_function(wrap_pyfunction!(facts::explain_json, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::ill_formed, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::detection, module)?)?;
    module.add_function(wrap_pyfunction!(use_layout, module)?)?;
    module.add_function(wrap_pyfunction!(canonical, module)?)?;
    module.add_function(wrap_pyfunction!(known, module)?)?;
    module.add_function(wrap_pyfunction!(recognize, module)?)?;
    module.add_function(wrap_pyfunction!(behaviours, module)?)?;
    module.add_function(wrap_pyfunction!(encodings, module)?)?;
    arrow::register(module)
}
