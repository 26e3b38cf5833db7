//! From bytes to bytes: another encoding, or the same encoding with ill-formed sequences replaced.
//!
//! What the library can do by itself it does in one step. A handler of `codecs` wants a `str`, and so do the handlers of Python
//! that leave surrogates in one, or write what they cannot know before there is a target: with these the text is decoded and encoded
//! again, as `data.decode(source, errors).encode(target, errors)` would.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyString};
use runecast::{Escape, Policy, Scheme, Utf8};

use crate::input::{Input, aside};
use crate::names::{self, Errors};
use crate::wrong::Stop;
use crate::{decode, encode};

/// What is asked for where a text is ill-formed, of what can be done from bytes to bytes.
enum Asked {
    Strict,
    Policy(Policy<'static>),
    /// By way of a `str`.
    Handler,
}

impl Asked {
    fn of(errors: Errors, from: Scheme, to: Scheme) -> Asked {
        match (errors, errors.policy(from, to)) {
            (Errors::Strict, _) => Asked::Strict,
            (_, Some(policy)) => Asked::Policy(policy),
            (_, None) => Asked::Handler,
        }
    }
}

/// By way of a `str`, from the bytes of `input` from `begin` on; names are those in exceptions.
#[cold]
fn by_text<'py>(
    py: Python<'py>,
    from: (&Input<'_, 'py>, usize),
    source: (Scheme, &'static str),
    target: (Scheme, &str),
    handler: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let errors = names::errors(handler)?;
    let text = decode::rest(py, from, source, errors, handler)?.cast_into::<PyString>()?;
    encode::plain(&text, target, errors, handler)
}

/// These bytes in another encoding. To a plain `utf-16`, `utf-32` or `wtf-16` it is in the byte order of this machine,
/// after a byte order mark.
///
/// With a handler of `codecs` it is `data.decode(source, errors).encode(target, errors)`.
#[pyfunction]
#[pyo3(signature = (data, source, target, errors=None))]
pub(crate) fn transcode<'py>(
    data: &Bound<'py, PyAny>,
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = data.py();
    let input = Input::of(data)?;
    let (source, target) = (names::encoding(Some(source))?, names::encoding(Some(target))?);
    let (from, begin) = source.recognize(input.bytes());
    let to = target.native();
    let asked = Asked::of(names::errors(errors)?, from, to);
    let mut bytes = target.mark().to_vec();
    let (src, free) = (&input.bytes()[begin..], input.is_long());
    let result = match asked {
        Asked::Strict => aside(py, free, || from.transcode_append(to, src, &mut bytes).map(|_| ())),
        Asked::Policy(policy) => {
            aside(py, free, || from.transcode_lossy_append(to, src, &mut bytes, policy));
            Ok(())
        }
        Asked::Handler => {
            let (source, target) = ((from, source.name()), (to, target.name()));
            bytes.extend_from_slice(by_text(py, (&input, begin), source, target, errors)?.as_bytes());
            Ok(())
        }
    };
    match result {
        Ok(()) => Ok(PyBytes::new(py, &bytes)),
        Err(error) => {
            let stop = Stop::of(from, target.name(), src, error).behind(begin);
            Err(PyErr::from_value(stop.decoding(source.name(), &input.to_bytes())?))
        }
    }
}

/// These bytes as well-formed text of the same encoding: the very object, if it is `bytes` and was well-formed.
#[pyfunction]
#[pyo3(signature = (data, errors=None, encoding=None, replacement=None))]
pub(crate) fn repair<'py>(
    data: &Bound<'py, PyAny>,
    errors: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    replacement: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = data.py();
    let input = Input::of(data)?;
    let encoding = names::encoding(encoding)?;
    let (scheme, begin) = encoding.recognize(input.bytes());
    let handler = errors;
    let no_repair = |why: &str| PyValueError::new_err(format!("{why}: see validate()"));
    let policy = match (errors.map(|name| names::errors(Some(name))).transpose()?, replacement) {
        (None, None) => Some(Policy::default()),
        (None, Some(text)) => Some(Policy::With(text)),
        (Some(Errors::Surrogates | Errors::Python(Policy::Escape(Escape::Surrogate))), None) => {
            let more = ["replace", "ignore", "backslashreplace"];
            return Err(names::refused(handler, "a repair, since it keeps what is ill-formed", &more));
        }
        (Some(errors), None) => match Asked::of(errors, scheme, scheme) {
            Asked::Strict => return Err(no_repair("a repair that is strict is no repair")),
            Asked::Policy(policy) => Some(policy),
            Asked::Handler => None,
        },
        (Some(_), Some(_)) => return Err(PyValueError::new_err("either errors or a replacement, not both")),
    };
    let (all, free) = (input.bytes(), input.is_long());
    let src = &all[begin..];
    let is_whole =
        || !policy.is_some_and(|policy| policy.refuses_characters()) && is_well_formed(scheme, src);
    if aside(py, free, is_whole) {
        return Ok(input.to_bytes());
    }
    let mut bytes = all[..begin].to_vec();
    match policy {
        Some(policy) => {
            aside(py, free, || scheme.transcode_lossy_append(scheme, src, &mut bytes, policy));
        }
        None => {
            let both = (scheme, encoding.name());
            bytes.extend_from_slice(by_text(py, (&input, begin), both, both, handler)?.as_bytes());
            if !is_well_formed(scheme, bytes.get(begin..).unwrap_or_default()) {
                return Err(no_repair("what this handler writes is ill-formed"));
            }
        }
    }
    Ok(PyBytes::new(py, &bytes))
}

fn is_well_formed(scheme: Scheme, src: &[u8]) -> bool {
    match scheme {
        Scheme::Utf8 => runecast::is_utf8(src),
        _ => scheme.validate(src).is_ok(),
    }
}

/// What a behaviour makes of the ill-formed bytes from `start` on, up to the next character, and where that is: for
/// `codecs`, whose decoder of UTF-8 asks about one maximal subpart at a time, while some behaviours replace
/// more at once.
#[pyfunction]
pub(crate) fn repair_run<'py>(
    data: &Bound<'py, PyBytes>,
    start: usize,
    behaviour: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let py = data.py();
    let errors = names::errors(Some(behaviour))?;
    let policy = errors.policy(Scheme::Utf8, Scheme::Utf8).unwrap_or_default();
    let rest = data.as_bytes().get(start..).unwrap_or_default();
    let mut end = 0;
    while let Err(error) =
        runecast::validate::<Utf8>(rest.get(end..).map_or(&[][..], |rest| &rest[..rest.len().min(13)]))
    {
        if error.at > 0 {
            break;
        }
        end += error.len;
    }
    // With the next character, on which it may depend what is made of what is before it.
    let next = end + Scheme::Utf8.step(&rest[end..]);
    let text = decode::lossy(py, Scheme::Utf8, &rest[..next], policy, false)?;
    let characters = text.len()?;
    let text = text.cast_into::<PyString>()?;
    let kept = if next > end { characters - 1 } else { characters };
    Ok((text.as_any().get_item(PySlice::new(py, 0, kept as isize, 1))?, start + end))
}
