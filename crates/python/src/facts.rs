//! Questions about bytes: whether they are well-formed, and if not, where and why; how many characters they are, and in which
//! encoding.

use pyo3::prelude::*;
use runecast::{Content, Label};
use runecast_explain::{Limits, SPAN, Stretch, Summary};

use crate::input::{Input, aside};
use crate::names::{self, codec_name};
use crate::wrong::IllFormed;

/// The first ill-formed sequence, or `None` if there is none.
#[pyfunction]
#[pyo3(signature = (data, encoding=None))]
pub(crate) fn validate(
    data: &Bound<'_, PyAny>,
    encoding: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<IllFormed>> {
    let input = Input::of(data)?;
    let (scheme, begin) = names::recognize(names::label(encoding)?, input.bytes());
    let (src, free) = (input.bytes(), input.is_free());
    let result = aside(data.py(), free, || scheme.validate(&src[begin..]));
    Ok(result.err().map(|mut error| {
        error.at += begin;
        error.into()
    }))
}

/// Whether all is well-formed.
#[pyfunction]
#[pyo3(signature = (data, encoding=None))]
pub(crate) fn is_valid(data: &Bound<'_, PyAny>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    let input = Input::of(data)?;
    let label = names::label(encoding)?;
    let (src, free) = (input.bytes(), input.is_free());
    Ok(aside(data.py(), free, || match label {
        Label::Exactly(runecast::Scheme::Utf8) => runecast::is_utf8(src),
        _ => {
            let (scheme, begin) = names::recognize(label, src);
            scheme.validate(&src[begin..]).is_ok()
        }
    }))
}

/// The number of characters: of ill-formed text, of code units that may begin one.
#[pyfunction]
#[pyo3(signature = (data, encoding=None))]
pub(crate) fn count(data: &Bound<'_, PyAny>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let input = Input::of(data)?;
    let (scheme, begin) = names::recognize(names::label(encoding)?, input.bytes());
    let (src, free) = (input.bytes(), input.is_free());
    Ok(aside(data.py(), free, || scheme.count(&src[begin..])))
}

/// What bytes are, how certain that is, and why.
#[pyclass(frozen, eq, hash, module = "runecast", name = "Detection")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Detection(runecast::Detection);

#[pymethods]
impl Detection {
    /// The name of the encoding, for `decode` and for `codecs`; `None` if it is no text, or in none that is known.
    #[getter]
    fn encoding(&self) -> Option<&'static str> {
        self.0.scheme().map(|scheme| codec_name(Label::Exactly(scheme)))
    }

    /// "text", "mixed", "unknown" or "binary".
    #[getter]
    fn content(&self) -> &'static str {
        match self.0.content {
            Content::Text(_) => "text",
            Content::Mixed => "mixed",
            Content::Binary => "binary",
            _ => "unknown",
        }
    }

    /// From 0 to 100, which is beyond doubt. It orders the answers, and is no probability.
    #[getter]
    fn confidence(&self) -> u8 {
        self.0.confidence
    }

    /// On what the answer stands.
    #[getter]
    fn evidence(&self) -> String {
        self.0.evidence.to_string()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Detection {}>", self.0)
    }
}

/// What bytes of unknown origin are. If they are not the whole of a text but its beginning, a character that is cut at
/// the end is no error.
#[pyfunction]
#[pyo3(signature = (data, whole=true))]
pub(crate) fn detect(data: &Bound<'_, PyAny>, whole: bool) -> PyResult<Detection> {
    let input = Input::of(data)?;
    let (src, free) = (input.bytes(), input.is_free());
    Ok(Detection(aside(data.py(), free, || {
        if whole {
            return runecast::detect(src);
        }
        let mut detector = runecast::Detector::new();
        detector.push(src);
        detector.verdict()
    })))
}

/// Why bytes are not UTF-8, in JSON: an array of stretches.
#[pyfunction]
pub(crate) fn explain_json(data: &Bound<'_, PyAny>, stretches: usize) -> PyResult<String> {
    let input = Input::of(data)?;
    let (mut rest, free) = (input.bytes(), input.is_free());
    aside(data.py(), free, || {
        let mut read = |buffer: &mut [u8]| {
            let len = rest.len().min(buffer.len());
            let (now, later) = rest.split_at(len);
            buffer[..len].copy_from_slice(now);
            rest = later;
            Ok(len)
        };
        let mut told = Vec::new();
        let mut tell = |stretch: &Stretch| {
            told.push(serde_json::to_string(stretch).unwrap_or_default());
            true
        };
        let limits = Limits { whole: SPAN, stretches };
        runecast_explain::explain(&mut read, limits, &mut Summary::default(), &mut tell)?;
        Ok(format!("[{}]", told.join(",")))
    })
}
