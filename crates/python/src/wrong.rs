//! What is wrong with a text, as Python has it.
//!
//! Two forms: `IllFormed`, the object that `validate` returns, and the exceptions `UnicodeDecodeError` and
//! `UnicodeEncodeError`. Their `start` and `end` are those of Python's own codecs for UTF-8, whose errors are maximal
//! subparts as well; their `reason` says which rule is broken, in more words than Python's, and `kind` is the name of
//! that rule.

use pyo3::exceptions::{PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use runecast::{Reason, Scheme, TranscodeError};

/// An ill-formed sequence: where it is, how long it is, and which rule it breaks.
#[pyclass(frozen, eq, hash, module = "runecast", name = "IllFormed")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct IllFormed(runecast::IllFormed);

#[pymethods]
impl IllFormed {
    /// The offset of its first byte. Everything before it is well-formed.
    #[getter]
    fn offset(&self) -> usize {
        self.0.at
    }

    /// Its length in bytes: in UTF-8 that of the maximal subpart.
    #[getter]
    fn length(&self) -> usize {
        self.0.len
    }

    /// The offset after it.
    #[getter]
    fn end(&self) -> usize {
        self.0.at + self.0.len
    }

    /// The rule that is broken: a short name, such as "overlong".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// Its bytes, up to eight of them.
    #[getter]
    fn bytes(&self) -> &[u8] {
        self.0.subpart()
    }

    /// Why it is ill-formed.
    #[getter]
    fn reason(&self) -> String {
        self.0.reason().to_string()
    }

    /// Where and why it is ill-formed, in one sentence.
    #[getter]
    fn message(&self) -> String {
        self.0.to_string()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<IllFormed {} at {}, length {}>", self.0.kind, self.0.at, self.0.len)
    }
}

impl From<runecast::IllFormed> for IllFormed {
    fn from(error: runecast::IllFormed) -> Self {
        IllFormed(error)
    }
}

/// Why a conversion stopped, and where in its input.
#[derive(Debug)]
pub(crate) struct Stop {
    pub(crate) at: usize,
    pub(crate) len: usize,
    kind: &'static str,
    reason: String,
}

impl Stop {
    /// What stopped a conversion of `src`.
    #[cold]
    pub(crate) fn of(scheme: Scheme, src: &[u8], error: TranscodeError) -> Stop {
        let rest = src.get(error.read..).unwrap_or_default();
        match error.reason {
            Reason::IllFormed(error) => error.into(),
            Reason::Unrepresentable { at, character } => {
                Stop::unrepresentable(at, scheme.step(rest), character.into())
            }
            Reason::UnrepresentableCodePoint { at, code_point } => {
                Stop::unrepresentable(at, scheme.step(rest), code_point)
            }
            reason => {
                Stop { at: error.read, len: rest.len(), kind: "unknown", reason: format!("{reason:?}") }
            }
        }
    }

    /// A code point that has no form in the target.
    pub(crate) fn unrepresentable(at: usize, len: usize, point: u32) -> Stop {
        let reason = match point {
            0xD800..=0xDFFF => format!("U+{point:04X} is a surrogate, which is no character"),
            0x11_0000.. => format!("U+{point:04X} is above U+10FFFF"),
            _ => format!("the encoding has no form for U+{point:04X}"),
        };
        Stop { at, len, kind: if point > 0x10_FFFF { "above U+10FFFF" } else { "unrepresentable" }, reason }
    }

    /// The same in a longer text.
    pub(crate) fn behind(self, offset: usize) -> Stop {
        Stop { at: self.at + offset, ..self }
    }

    /// As the exception of a decoder, not raised yet.
    pub(crate) fn decoding<'py>(
        &self,
        name: &str,
        object: &Bound<'py, PyBytes>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let arguments = (name, object, self.at, self.at + self.len, &self.reason);
        let exception = py.get_type::<PyUnicodeDecodeError>().call1(arguments)?;
        exception.setattr(intern!(py, "kind"), self.kind)?;
        Ok(exception)
    }

    /// As the exception of an encoder, not raised yet. Offset and length are in characters here.
    pub(crate) fn encoding<'py>(
        &self,
        name: &str,
        object: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let arguments = (name, object, self.at, self.at + self.len, &self.reason);
        let exception = py.get_type::<PyUnicodeEncodeError>().call1(arguments)?;
        exception.setattr(intern!(py, "kind"), self.kind)?;
        Ok(exception)
    }
}

impl From<runecast::IllFormed> for Stop {
    fn from(error: runecast::IllFormed) -> Stop {
        Stop { at: error.at, len: error.len, kind: error.kind.name(), reason: error.reason().to_string() }
    }
}
