//! Questions about bytes: whether they are well-formed, and if not, where and why; how many characters they are, and in which
//! encoding.

use pyo3::prelude::*;
use runecast::{Content, Detector, Kind, Policy, Scheme};
use runecast_explain::{Limits, SPAN, Stretch, Summary};

use crate::input::{Source, aside, is_long};
use crate::names::{self, Encoding, scheme_name};
use crate::pickle;
use crate::wrong::{Context, IllFormed};

/// The first ill-formed sequence of `source` in an encoding, its place counted from the beginning of the source.
#[inline]
fn first_error(
    source: &Source<'_, '_>,
    encoding: Encoding,
) -> PyResult<Option<(Scheme, runecast::IllFormed)>> {
    let (mut scheme, mut at) = (Scheme::Utf8, 0);
    let mut result = Ok(());
    match source {
        Source::Bytes(bytes) => {
            let src = bytes.as_bytes();
            result = aside(bytes.py(), is_long(src), || {
                (scheme, at) = encoding.recognize(src);
                scheme.validate(&src[at..])
            });
        }
        Source::Buffer(..) => {
            (scheme, at) = encoding.recognize(source.head()?.as_bytes());
            source.pieces(at, |piece| {
                let whole = whole(scheme, piece, at + piece.len() < source.len());
                result = scheme.validate(&piece[..whole]);
                result.is_ok().then(|| {
                    at += whole;
                    whole
                })
            })?;
        }
    }
    let Err(mut error) = result else { return Ok(None) };
    error.at += at;
    if error.kind == Kind::Reserved {
        // It has no greatest length, and may go on in other pieces.
        source.pieces(error.at + error.len, |piece| {
            let more = piece.iter().take_while(|byte| matches!(byte, 0x80..=0xBF | 0xFE..=0xFF)).count();
            error.len += more;
            (more == piece.len()).then_some(more)
        })?;
    }
    Ok(Some((scheme, error)))
}

/// How much of a piece is to be looked at, if there is more of the text: the next piece begins with the character that is cut by the end
/// of this one. (All of it, if it is within a reserved sequence of Corrected UTF-8.)
fn whole(scheme: Scheme, piece: &[u8], more: bool) -> usize {
    let cut = if more { scheme.incomplete_suffix(Policy::default(), piece) } else { 0 };
    match piece.len() - cut {
        0 => piece.len(),
        whole => whole,
    }
}

/// The first ill-formed sequence, or `None` if there is none.
#[pyfunction]
#[pyo3(signature = (data, encoding=None))]
pub(crate) fn validate(
    data: &Bound<'_, PyAny>,
    encoding: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<IllFormed>> {
    let source = Source::of(data)?;
    let Some((scheme, error)) = first_error(&source, names::encoding(encoding)?)? else { return Ok(None) };
    let rest = source.copy(error.at, 16)?;
    Ok(Some(IllFormed(error, Context::of(scheme, rest.as_bytes()))))
}

/// Whether all is well-formed.
#[pyfunction]
#[pyo3(signature = (data, encoding=None))]
pub(crate) fn is_valid(data: &Bound<'_, PyAny>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    let source = Source::of(data)?;
    match (&source, names::encoding(encoding)?) {
        (Source::Bytes(bytes), encoding) if encoding.is_utf8() => {
            let src = bytes.as_bytes();
            Ok(aside(data.py(), is_long(src), || runecast::is_utf8(src)))
        }
        (_, encoding) => Ok(first_error(&source, encoding)?.is_none()),
    }
}

/// The number of characters: of ill-formed text, of code units that may begin one.
#[pyfunction]
#[pyo3(signature = (data, encoding=None))]
pub(crate) fn count(data: &Bound<'_, PyAny>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let source = Source::of(data)?;
    let encoding = names::encoding(encoding)?;
    match &source {
        Source::Bytes(bytes) => {
            let src = bytes.as_bytes();
            let (scheme, begin) = encoding.recognize(src);
            Ok(aside(data.py(), is_long(src), || scheme.count(&src[begin..])))
        }
        Source::Buffer(..) => {
            let (scheme, begin) = encoding.recognize(source.head()?.as_bytes());
            let (mut sum, mut at) = (0, begin);
            source.pieces(begin, |piece| {
                let whole = whole(scheme, piece, at + piece.len() < source.len());
                sum += scheme.count(&piece[..whole]);
                at += whole;
                Some(whole)
            })?;
            Ok(sum)
        }
    }
}

/// What bytes are, how certain that is, and why.
#[pyclass(frozen, eq, hash, module = "runecast", name = "Detection")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Detection(pub(crate) runecast::Detection);

#[pymethods]
impl Detection {
    /// The name of the encoding, for `decode` and for `codecs`; `None` if it is no text, or in none that is known.
    #[getter]
    fn encoding(&self) -> Option<&'static str> {
        self.0.scheme().map(scheme_name)
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

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, memo: Bound<'_, PyAny>) -> Py<Self> {
        drop(memo);
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        pickle::reduce_detection(py, self)
    }
}

/// What bytes of unknown origin are. If they are not the whole of a text but its beginning, a character that is cut at
/// the end is no error.
#[pyfunction]
#[pyo3(signature = (data, whole=true))]
pub(crate) fn detect(data: &Bound<'_, PyAny>, whole: bool) -> PyResult<Detection> {
    let source = Source::of(data)?;
    let found = |detector: Detector| if whole { detector.finish() } else { detector.verdict() };
    Ok(Detection(match &source {
        Source::Bytes(bytes) => {
            let src = bytes.as_bytes();
            aside(data.py(), is_long(src), || {
                if whole {
                    return runecast::detect(src);
                }
                let mut detector = Detector::new();
                detector.push(src);
                found(detector)
            })
        }
        Source::Buffer(..) => {
            let mut detector = Detector::new();
            source.pieces(0, |piece| {
                detector.push(piece);
                Some(piece.len())
            })?;
            found(detector)
        }
    }))
}

/// Why bytes are not UTF-8, in JSON: an array of stretches.
#[pyfunction]
pub(crate) fn explain_json(data: &Bound<'_, PyAny>, stretches: usize) -> PyResult<String> {
    let source = Source::of(data)?;
    match &source {
        Source::Bytes(bytes) => {
            let mut rest = bytes.as_bytes();
            aside(data.py(), is_long(rest), || {
                told(stretches, &mut |buffer| {
                    let (now, later) = rest.split_at(rest.len().min(buffer.len()));
                    buffer[..now.len()].copy_from_slice(now);
                    rest = later;
                    Ok(now.len())
                })
            })
        }
        Source::Buffer(..) => {
            let mut at = 0;
            told(stretches, &mut |buffer| {
                let mut len = 0;
                source.pieces(at, |piece| {
                    len = piece.len().min(buffer.len());
                    buffer[..len].copy_from_slice(&piece[..len]);
                    None
                })?;
                at += len;
                Ok(len)
            })
        }
    }
}

/// The stretches of what `read` reads.
fn told(stretches: usize, read: &mut dyn FnMut(&mut [u8]) -> std::io::Result<usize>) -> PyResult<String> {
    let mut told = Vec::new();
    let mut tell = |stretch: &Stretch| {
        told.push(serde_json::to_string(stretch).unwrap_or_default());
        true
    };
    let limits = Limits { whole: SPAN, stretches };
    runecast_explain::explain(read, limits, &mut Summary::default(), &mut tell)?;
    Ok(format!("[{}]", told.join(",")))
}
