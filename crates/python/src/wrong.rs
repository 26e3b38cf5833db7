//! What is wrong with a text, as Python has it.
//!
//! Two forms: `IllFormed`, the object that `validate` returns, and the exceptions `UnicodeDecodeError` and
//! `UnicodeEncodeError`, of which `DecodeError` and `EncodeError` are subclasses that have a `kind`. Their `start` and `end` are those of Python's own codecs for UTF-8, whose errors are maximal
//! subparts as well; their `reason` says which rule is broken, in more words than Python's, and `kind` is the name of
//! that rule.

use std::hash::{Hash, Hasher};

use pyo3::exceptions::{PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use runecast::{Reason, Scheme, TranscodeError};

use crate::pickle;

pyo3::create_exception!(
    runecast,
    DecodeError,
    PyUnicodeDecodeError,
    "A UnicodeDecodeError with `kind`, the name of the rule that is broken."
);
pyo3::create_exception!(
    runecast,
    EncodeError,
    PyUnicodeEncodeError,
    "A UnicodeEncodeError with `kind`, the name of the rule that is broken."
);

/// An ill-formed sequence: where it is, how long it is, and which rule it breaks.
///
/// Two of them are equal if their error is.
#[pyclass(frozen, eq, hash, module = "runecast", name = "IllFormed")]
#[derive(Clone, Copy)]
pub(crate) struct IllFormed(pub(crate) runecast::IllFormed, pub(crate) Context);

/// What an error is made anew from: the scheme, and the first bytes from its offset on.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) scheme: Scheme,
    pub(crate) bytes: [u8; 16],
    pub(crate) len: u8,
}

impl Context {
    /// That of an error in a text which goes on with these bytes.
    pub(crate) fn of(scheme: Scheme, rest: &[u8]) -> Context {
        let mut bytes = [0; 16];
        let len = rest.len().min(bytes.len());
        bytes[..len].copy_from_slice(&rest[..len]);
        Context { scheme, bytes, len: len as u8 }
    }
}

impl PartialEq for IllFormed {
    fn eq(&self, other: &IllFormed) -> bool {
        self.0 == other.0
    }
}

impl Eq for IllFormed {}

impl Hash for IllFormed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

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

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, memo: Bound<'_, PyAny>) -> Py<Self> {
        drop(memo);
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        pickle::reduce_ill_formed(py, self)
    }
}

/// Why a conversion stopped, and where in its input.
#[derive(Debug)]
pub(crate) struct Stop {
    pub(crate) at: usize,
    pub(crate) len: usize,
    why: Why,
}

/// The reason, which becomes words only where there is an exception to have them.
#[derive(Debug)]
enum Why {
    IllFormed(runecast::IllFormed),
    /// A code point, and the encoding that has no form for it.
    Unrepresentable(u32, &'static str),
    Unknown(Reason),
}

impl Why {
    fn kind(&self) -> &'static str {
        match self {
            Why::IllFormed(error) => error.kind.name(),
            Why::Unrepresentable(..=0x10_FFFF, _) => UNREPRESENTABLE,
            Why::Unrepresentable(..) => "above U+10FFFF",
            Why::Unknown(_) => "unknown",
        }
    }

    fn reason(&self) -> String {
        match self {
            Why::IllFormed(error) => error.reason().to_string(),
            Why::Unrepresentable(point @ 0xD800..=0xDFFF, _) => {
                format!("U+{point:04X} is a surrogate, which is no character")
            }
            Why::Unrepresentable(point @ 0x11_0000.., _) => format!("U+{point:04X} is above U+10FFFF"),
            Why::Unrepresentable(point, to) => format!("{to} has no form for U+{point:04X}"),
            Why::Unknown(reason) => format!("{reason:?}"),
        }
    }
}

/// The kind of an error that is a character without a form in the target.
pub(crate) const UNREPRESENTABLE: &str = "unrepresentable";

impl Stop {
    /// What stopped a conversion of `src` to an encoding of this name.
    #[cold]
    pub(crate) fn of(scheme: Scheme, to: &'static str, src: &[u8], error: TranscodeError) -> Stop {
        let rest = src.get(error.read..).unwrap_or_default();
        match error.reason {
            Reason::IllFormed(error) => error.into(),
            Reason::Unrepresentable { at, character } => {
                Stop::unrepresentable(at, scheme.step(rest), character.into(), to)
            }
            Reason::UnrepresentableCodePoint { at, code_point } => {
                Stop::unrepresentable(at, scheme.step(rest), code_point, to)
            }
            reason => Stop { at: error.read, len: rest.len(), why: Why::Unknown(reason) },
        }
    }

    /// A code point that has no form in the encoding of this name.
    pub(crate) fn unrepresentable(at: usize, len: usize, point: u32, to: &'static str) -> Stop {
        Stop { at, len, why: Why::Unrepresentable(point, to) }
    }

    /// The same in a longer text.
    pub(crate) fn behind(self, offset: usize) -> Stop {
        Stop { at: self.at + offset, ..self }
    }

    /// The same with another length.
    pub(crate) fn of_length(self, len: usize) -> Stop {
        Stop { len, ..self }
    }

    /// As the exception of a decoder, not raised yet.
    pub(crate) fn decoding<'py>(
        &self,
        name: &str,
        object: &Bound<'py, PyBytes>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let arguments = (name, object, self.at, self.at + self.len, self.why.reason());
        let exception = py.get_type::<DecodeError>().call1(arguments)?;
        exception.setattr(intern!(py, "kind"), self.why.kind())?;
        Ok(exception)
    }

    /// Puts it into an exception of the same text that a handler has seen: as Python's codecs do, which make one for all errors.
    pub(crate) fn put_into(&self, exception: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = exception.py();
        exception.setattr(intern!(py, "start"), self.at)?;
        exception.setattr(intern!(py, "end"), self.at + self.len)?;
        exception.setattr(intern!(py, "reason"), self.why.reason())?;
        exception.setattr(intern!(py, "kind"), self.why.kind())
    }

    /// As the exception of an encoder, not raised yet. Offset and length are in characters here.
    pub(crate) fn encoding<'py>(
        &self,
        name: &str,
        object: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let arguments = (name, object, self.at, self.at + self.len, self.why.reason());
        let exception = py.get_type::<EncodeError>().call1(arguments)?;
        exception.setattr(intern!(py, "kind"), self.why.kind())?;
        Ok(exception)
    }
}

impl From<runecast::IllFormed> for Stop {
    fn from(error: runecast::IllFormed) -> Stop {
        Stop { at: error.at, len: error.len, why: Why::IllFormed(error) }
    }
}
