//! `IllFormed` and `Detection` as what `pickle` and `copy` keep of them.
//!
//! Both are answers of the library, whose fields it alone fills. An ill-formed sequence is made anew from its bytes: the first
//! sixteen from its offset on are enough for any codec to say the same of them. A detection is made anew from its fields.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use runecast::{Content, Evidence, Scheme};

use crate::facts::Detection;
use crate::names::{self, scheme_name};
use crate::wrong::{Context, IllFormed};

/// What `pickle` has of it: a function, and its arguments.
pub(crate) fn reduce_ill_formed<'py>(py: Python<'py>, error: &IllFormed) -> PyResult<Bound<'py, PyAny>> {
    let IllFormed(error, context) = error;
    let bytes = PyBytes::new(py, &context.bytes[..usize::from(context.len)]);
    let arguments = (scheme_name(context.scheme), bytes, error.at, error.len);
    reduce(py, "ill_formed", arguments)
}

fn reduce<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let function = py.import("runecast._core")?.getattr(function)?;
    Ok((function, arguments).into_pyobject(py)?.into_any())
}

fn spoiled() -> PyErr {
    PyValueError::new_err("this is no pickle of runecast")
}

/// An ill-formed sequence from what `pickle` has of it.
#[pyfunction]
pub(crate) fn ill_formed(
    encoding: &Bound<'_, PyAny>,
    bytes: &[u8],
    offset: usize,
    length: usize,
) -> PyResult<IllFormed> {
    let scheme = names::encoding(Some(encoding))?.native();
    let context = Context::of(scheme, bytes);
    let mut error = scheme.validate(bytes).err().filter(|error| error.at == 0).ok_or_else(spoiled)?;
    (error.at, error.len) = (offset, length);
    Ok(IllFormed(error, context))
}

/// What `pickle` has of it: content, confidence, and the evidence by its name, its scheme and its numbers.
pub(crate) fn reduce_detection<'py>(py: Python<'py>, found: &Detection) -> PyResult<Bound<'py, PyAny>> {
    let runecast::Detection { content, confidence, evidence, .. } = found.0;
    let (scheme, numbers) = parts(evidence);
    let content = match content {
        Content::Text(scheme) => scheme_name(scheme),
        Content::Mixed => "mixed",
        Content::Binary => "binary",
        _ => "unknown",
    };
    reduce(py, "detection", (content, confidence, evidence.name(), scheme.map(scheme_name), numbers))
}

/// A detection from what `pickle` has of it.
#[pyfunction]
pub(crate) fn detection(
    content: &Bound<'_, PyAny>,
    confidence: u8,
    evidence: &str,
    scheme: Option<&Bound<'_, PyAny>>,
    numbers: Vec<u64>,
) -> PyResult<Detection> {
    // The library has no way to make one but to detect something.
    let mut found = runecast::detect(b"");
    found.content = match content.extract::<&str>()? {
        "mixed" => Content::Mixed,
        "binary" => Content::Binary,
        "unknown" => Content::Unknown,
        _ => Content::Text(names::encoding(Some(content))?.native()),
    };
    found.confidence = confidence;
    let scheme =
        scheme.map(|name| names::encoding(Some(name))).transpose()?.map(|encoding| encoding.native());
    found.evidence = made(evidence, scheme, &numbers).ok_or_else(spoiled)?;
    Ok(Detection(found))
}

fn parts(evidence: Evidence) -> (Option<Scheme>, Vec<u64>) {
    match evidence {
        Evidence::Mark(scheme) => (Some(scheme), Vec::new()),
        Evidence::Ascii { bytes, whole } => (None, vec![bytes, whole.into()]),
        Evidence::Utf8 { sequences, whole } => (None, vec![sequences, whole.into()]),
        Evidence::Units { scheme, units, plausible, telling, rival } => {
            (Some(scheme), vec![units.into(), plausible.into(), telling.into(), rival.into()])
        }
        Evidence::SingleBytes { high, letters, windows } => (None, vec![high, letters, windows]),
        Evidence::TwoEncodings { sequences, ill_formed, first }
        | Evidence::Damage { sequences, ill_formed, first } => (None, vec![sequences, ill_formed, first]),
        Evidence::Nul { count, first } => (None, vec![count, first]),
        Evidence::Controls { count, bytes } => (None, vec![count, bytes]),
        Evidence::Foreign { ill_formed, first } => (None, vec![ill_formed, first]),
        _ => (None, Vec::new()),
    }
}

/// The other way round; `tests/test_inputs.py` has every kind of evidence go there and back.
fn made(name: &str, scheme: Option<Scheme>, numbers: &[u64]) -> Option<Evidence> {
    let small = |number: u64| u32::try_from(number).ok();
    Some(match (name, scheme, numbers) {
        ("empty", None, []) => Evidence::Empty,
        ("byte order mark", Some(scheme), []) => Evidence::Mark(scheme),
        ("magic number", None, []) => Evidence::Magic,
        ("ascii", None, &[bytes, whole]) => Evidence::Ascii { bytes, whole: whole != 0 },
        ("well-formed", None, &[sequences, whole]) => Evidence::Utf8 { sequences, whole: whole != 0 },
        ("plausible units", Some(scheme), &[units, plausible, telling, rival]) => Evidence::Units {
            scheme,
            units: small(units)?,
            plausible: small(plausible)?,
            telling: small(telling)?,
            rival: rival != 0,
        },
        ("single bytes", None, &[high, letters, windows]) => Evidence::SingleBytes { high, letters, windows },
        ("two encodings", None, &[sequences, ill_formed, first]) => {
            Evidence::TwoEncodings { sequences, ill_formed, first }
        }
        ("damage", None, &[sequences, ill_formed, first]) => {
            Evidence::Damage { sequences, ill_formed, first }
        }
        ("nul bytes", None, &[count, first]) => Evidence::Nul { count, first },
        ("control characters", None, &[count, bytes]) => Evidence::Controls { count, bytes },
        ("foreign bytes", None, &[ill_formed, first]) => Evidence::Foreign { ill_formed, first },
        _ => return None,
    })
}
