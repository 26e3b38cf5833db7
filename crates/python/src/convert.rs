//! From bytes to bytes: another encoding, or the same encoding with ill-formed sequences replaced.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyString};
use runecast::{Policy, Scheme, Utf8};

use crate::decode;
use crate::input::{Input, aside};
use crate::names::{self, Errors, codec_name};
use crate::wrong::Stop;

/// The policy that is asked for, where no handler of `codecs` can be.
fn policy(errors: Errors) -> PyResult<Option<Policy<'static>>> {
    match errors {
        Errors::Strict => Ok(None),
        Errors::Policy(policy) | Errors::Python(policy) => Ok(Some(policy)),
        Errors::Surrogates | Errors::Handler => Err(PyValueError::new_err(format!(
            "from bytes to bytes there are no handlers of codecs, but 'strict', 'replace', 'ignore' and {:?}",
            names::behaviours().collect::<Vec<_>>()
        ))),
    }
}

/// These bytes in another encoding. To a plain `utf-16`, `utf-32` or `wtf-16` it is in the byte order of this machine,
/// after a byte order mark.
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
    let (source, target) = (names::label(Some(source))?, names::label(Some(target))?);
    let policy = policy(names::errors(errors)?)?;
    let (from, begin) = names::recognize(source, input.bytes());
    let to = names::native(target);
    let mut bytes = if target.is_plain() { to.mark().to_vec() } else { Vec::new() };
    let (src, free) = (&input.bytes()[begin..], input.is_long());
    let result = aside(py, free, || match policy {
        None => from.transcode_append(to, src, &mut bytes).map(|_| ()),
        Some(policy) => {
            from.transcode_lossy_append(to, src, &mut bytes, policy);
            Ok(())
        }
    });
    match result {
        Ok(()) => Ok(PyBytes::new(py, &bytes)),
        Err(error) => {
            let stop = Stop::of(from, src, error).behind(begin);
            Err(PyErr::from_value(stop.decoding(codec_name(source), &input.to_bytes())?))
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
    let (scheme, begin) = names::recognize(names::label(encoding)?, input.bytes());
    let errors = errors.map(|name| names::errors(Some(name))).transpose()?;
    let policy = match (errors, replacement) {
        (None, None) => Policy::default(),
        (None, Some(text)) => Policy::With(text),
        (Some(errors), None) => policy(errors)?
            .ok_or_else(|| PyValueError::new_err("a repair that is strict is no repair: see validate()"))?,
        (Some(_), Some(_)) => return Err(PyValueError::new_err("either errors or a replacement, not both")),
    };
    let (all, free) = (input.bytes(), input.is_long());
    let src = &all[begin..];
    let repaired = aside(py, free, || {
        if !policy.refuses_characters() && is_in_order(scheme, src) {
            return None;
        }
        let mut bytes = all[..begin].to_vec();
        scheme.transcode_lossy_append(scheme, src, &mut bytes, policy);
        Some(bytes)
    });
    Ok(match repaired {
        None => input.to_bytes(),
        Some(bytes) => PyBytes::new(py, &bytes),
    })
}

fn is_in_order(scheme: Scheme, src: &[u8]) -> bool {
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
    let policy = policy(names::errors(Some(behaviour))?)?.unwrap_or_default();
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
