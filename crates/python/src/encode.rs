//! From `str` to bytes.
//!
//! The memory of a string is Latin-1, UTF-16 or UTF-32 (see [`text`](crate::text)), and so the source of an ordinary
//! conversion. One thing needs care: in a `str` of two bytes a character a high and a low surrogate that stand side by
//! side are two surrogates, not a character. A string with low ones is therefore not read as UTF-16, unless the
//! target takes surrogates and would make a character of the two anyway.
//!
//! The result has its exact length from the beginning, since the stable ABI cannot shorten `bytes`: this takes one more
//! pass over the text, which counts.

use core::mem::MaybeUninit;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use runecast::{Escape, Latin1, Policy, Scheme, TranscodeError, Utf8, Utf16, Utf32};

use crate::decode::{Failure, answered, no_answer};
use crate::input::{LONG, aside};
use crate::names::{self, Encoding, Errors, scheme_name, with_surrogates};
use crate::own::{self, Own};
use crate::text::{self, View};
use crate::wrong::Stop;

/// Up to so many bytes are copied with the GIL: releasing it takes longer than some tens of kilobytes.
pub(crate) const COPIED: usize = 16 * LONG;

/// The bytes of units.
fn raw<T>(units: &[T]) -> &[u8] {
    // SAFETY: so many bytes are there, initialised: the units are integers.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

const UTF16: Scheme = if cfg!(target_endian = "big") { Scheme::Utf16Be } else { Scheme::Utf16Le };
const WTF16: Scheme = if cfg!(target_endian = "big") { Scheme::Wtf16Be } else { Scheme::Wtf16Le };
const UTF32: Scheme = if cfg!(target_endian = "big") { Scheme::Utf32Be } else { Scheme::Utf32Le };

impl<'a> View<'a> {
    /// Its bytes, and what they are, if it may be taken for a text of that encoding.
    pub(crate) fn source(self) -> (Scheme, &'a [u8]) {
        match self {
            View::Ascii(units) | View::One(units) => (Scheme::Latin1, units),
            View::Two(units) => (UTF16, raw(units)),
            View::Four(units) => (UTF32, raw(units)),
        }
    }

    /// The bytes of each character.
    pub(crate) fn width(self) -> usize {
        match self {
            View::Ascii(_) | View::One(_) => 1,
            View::Two(_) => 2,
            View::Four(_) => 4,
        }
    }

    pub(crate) fn len(self) -> usize {
        self.source().1.len() / self.width()
    }

    pub(crate) fn get(self, at: usize) -> Option<u32> {
        match self {
            View::Ascii(units) | View::One(units) => units.get(at).map(|unit| u32::from(*unit)),
            View::Two(units) => units.get(at).map(|unit| u32::from(*unit)),
            View::Four(units) => units.get(at).copied(),
        }
    }

    /// Its code points, one by one.
    pub(crate) fn points(self) -> impl Iterator<Item = u32> {
        (0..self.len()).filter_map(move |at| self.get(at))
    }

    /// Whether there are units that UTF-16 would take for the second half of a character.
    fn has_low_surrogates(self) -> bool {
        matches!(self, View::Two(units) if runecast::count::<Utf16>(units) != units.len())
    }

    /// The place of the first character above this one.
    fn first_above(self, most: u32) -> Option<usize> {
        fn first<U: Copy + Into<u32>>(units: &[U], most: u32) -> Option<usize> {
            let is = |unit: &U| (*unit).into() > most;
            let mut begin = 0;
            for block in units.chunks(64) {
                if own::any(block, |unit| is(&unit)) {
                    return block.iter().position(is).map(|at| begin + at);
                }
                begin += block.len();
            }
            None
        }
        match self {
            View::Ascii(units) | View::One(units) => first(units, most),
            View::Two(units) => first(units, most),
            View::Four(units) => first(units, most),
        }
    }

    /// Where a conversion that read so many bytes has stopped, and for how many characters the reason holds: as in
    /// Python's codecs, for all unencodable characters that stand side by side, but in UTF-16 and UTF-32 for one.
    #[cold]
    fn stop(self, to: Scheme, read: usize) -> Stop {
        let at = read / self.width();
        let alike = |point: u32| match to {
            Scheme::Latin1 => point > 0xFF,
            Scheme::Ascii => point > 0x7F,
            Scheme::Utf8 | Scheme::Cesu8 | Scheme::Mutf8 => matches!(point, 0xD800..=0xDFFF),
            _ => false,
        };
        let more = (at + 1..).take_while(|at| self.get(*at).is_some_and(alike)).count();
        Stop::unrepresentable(at, 1 + more, self.get(at).unwrap_or(0), scheme_name(to))
    }
}

/// Whether all characters have a form there, and surrogates have none.
fn has_all_characters(to: Scheme) -> bool {
    use Scheme::{Cesu8, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    matches!(to, Utf8 | Utf16Le | Utf16Be | Utf32Le | Utf32Be | Cesu8 | Mutf8)
}

/// Whether ASCII is the same bytes there.
fn keeps_ascii(to: Scheme, bytes: &[u8]) -> bool {
    match to {
        Scheme::Mutf8 | Scheme::WobblyMutf8 => !bytes.contains(&0),
        _ => to.transcoded_len(Scheme::Latin1, b"a") == 1,
    }
}

/// A text all of whose characters must have a form. Offsets in errors are in characters.
#[inline]
fn strict<'py>(
    text: &Bound<'py, PyString>,
    view: View<'_>,
    to: Scheme,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let py = text.py();
    if to == Scheme::Utf8 && view.len() <= SHORT {
        return short(py, view).map_err(|failure| place(failure, view, to));
    }
    let free = view.len() >= LONG;
    // The most common ones, by their types.
    match (view, to) {
        (View::Ascii(units), _) if to == Scheme::Utf8 || keeps_ascii(to, units) => {
            // SAFETY: all bytes are copied.
            return unsafe {
                text::bytes_with(py, units.len(), |dst| {
                    aside(py, units.len() >= COPIED, || text::copy(dst, units));
                    Ok(())
                })
            };
        }
        (View::One(units), Scheme::Latin1) => {
            // SAFETY: all bytes are copied.
            return unsafe {
                text::bytes_with(py, units.len(), |dst| {
                    aside(py, units.len() >= COPIED, || text::copy(dst, units));
                    Ok(())
                })
            };
        }
        // The string would be narrower if all of its characters had a form there.
        (View::One(_), Scheme::Ascii) | (View::Two(_) | View::Four(_), Scheme::Latin1 | Scheme::Ascii) => {
            let most = if to == Scheme::Ascii { 0x7F } else { 0xFF };
            if let Some(at) = aside(py, free, || view.first_above(most)) {
                return Err(Failure::Text(view.stop(to, at * view.width())));
            }
        }
        (View::One(units), Scheme::Utf8) => {
            return typed::<Latin1>(py, units, free).map_err(|failure| place(failure, view, to));
        }
        // No surrogate has a form, and all else does.
        (View::Two(units), _) if has_all_characters(to) => {
            let at = aside(py, free, || own::next_surrogate(units, 0));
            if at < units.len() {
                return Err(Failure::Text(view.stop(to, at * view.width())));
            }
            if to == Scheme::Utf8 {
                return typed::<Utf16>(py, units, free).map_err(|failure| place(failure, view, to));
            }
        }
        (View::Two(_) | View::Four(_), Scheme::GeneralizedUtf8) => {
            if let Some(bytes) = aside(py, free, || own::generalized(view)) {
                return Ok(PyBytes::new(py, &bytes));
            }
        }
        (View::Four(units), Scheme::Utf8) => {
            return typed::<Utf32>(py, units, free).map_err(|failure| place(failure, view, to));
        }
        _ => {}
    }
    let (mut from, src) = view.source();
    if to == WTF16 && matches!(view, View::Two(_)) {
        return Ok(PyBytes::new(py, src));
    }
    if view.has_low_surrogates() {
        match to {
            _ if !to.has_surrogates() => {
                let wide: Vec<u32> = view.points().collect();
                return strict(text, View::Four(&wide), to);
            }
            Scheme::GeneralizedUtf8 => return Ok(text::generalized(text)?),
            _ => from = WTF16,
        }
    }
    if from == UTF16 && to.has_surrogates() {
        from = WTF16;
    }
    let len = aside(py, free, || from.transcoded_len(to, src));
    // SAFETY: as many bytes as there are were written, or there is an error.
    let exact = unsafe {
        text::bytes_with(py, len, |dst| {
            let room = dst.len();
            match aside(py, free, || from.transcode_partial_uninit(to, src, dst)) {
                Ok(progress) if (progress.read, progress.written) == (src.len(), room) => Ok(()),
                Ok(_) => Err(Failure::Text(view.stop(to, src.len()))),
                Err(error) => Err(Failure::Text(view.stop(to, error.read))),
            }
        })
    };
    match exact {
        Err(Failure::Text(_)) if to.has_surrogates() => {
            // Surrogates of a string of four bytes a character.
            let generalized = text::generalized(text)?;
            let mut bytes = Vec::new();
            let result = Scheme::GeneralizedUtf8.transcode_append(to, generalized.as_bytes(), &mut bytes);
            result.map_err(|error| {
                Stop::of(Scheme::GeneralizedUtf8, scheme_name(to), generalized.as_bytes(), error)
            })?;
            Ok(PyBytes::new(py, &bytes))
        }
        exact => exact,
    }
}

/// Up to so many characters are converted aside first.
pub(crate) const SHORT: usize = 64;

/// A short text in UTF-8. To measure it would take longer than to copy it, so it is converted on the stack.
#[inline]
pub(crate) fn short<'py>(py: Python<'py>, view: View<'_>) -> Result<Bound<'py, PyBytes>, Failed> {
    let mut place = [MaybeUninit::<u8>::uninit(); 4 * SHORT];
    let written = match view {
        View::Ascii(units) => return Ok(PyBytes::new(py, units)),
        View::One(units) => runecast::transcode_uninit::<Latin1, Utf8>(units, &mut place),
        // The same as below, as a loop that a compiler makes vectors of.
        View::Two(units) => {
            match units.iter().map(|unit| usize::from(unit & 0xFC00 == 0xDC00)).sum::<usize>() {
                0 => runecast::transcode_uninit::<Utf16, Utf8>(units, &mut place),
                _ => {
                    return Err(Failed::Text(
                        units.iter().position(|unit| unit & 0xF800 == 0xD800).unwrap_or(0),
                    ));
                }
            }
        }
        View::Four(units) => runecast::transcode_uninit::<Utf32, Utf8>(units, &mut place),
    };
    match written {
        // SAFETY: as many bytes are written as it says, and there is room for them.
        Ok(written) => Ok(PyBytes::new(py, unsafe {
            core::slice::from_raw_parts(place.as_ptr().cast::<u8>(), written.min(4 * SHORT))
        })),
        Err(error) => Err(Failed::Text(error.read)),
    }
}

/// To UTF-8, from one of the forms of a string.
#[inline]
fn typed<'py, E: runecast::Encoding>(
    py: Python<'py>,
    units: &[E::Unit],
    free: bool,
) -> Result<Bound<'py, PyBytes>, Failed> {
    let len = aside(py, free, || runecast::transcoded_len::<E, Utf8>(units));
    // SAFETY: as many bytes as there are were written, or there is an error.
    unsafe {
        text::bytes_with(py, len, |dst| {
            let room = dst.len();
            match aside(py, free, || runecast::transcode_uninit::<E, Utf8>(units, dst)) {
                Ok(written) if written == room => Ok(()),
                Ok(_) => Err(Failed::Text(units.len())),
                Err(TranscodeError { read, .. }) => Err(Failed::Text(read)),
            }
        })
    }
}

/// Why there are no bytes: an exception, or the unit at this place.
pub(crate) enum Failed {
    Python(PyErr),
    Text(usize),
}

impl From<PyErr> for Failed {
    fn from(error: PyErr) -> Self {
        Failed::Python(error)
    }
}

fn place(failed: Failed, view: View<'_>, to: Scheme) -> Failure {
    match failed {
        Failed::Python(error) => Failure::Python(error),
        Failed::Text(at) => Failure::Text(view.stop(to, at * view.width())),
    }
}

/// By a handler that is registered with `codecs`: called for all that has no form, as Python's encoders do.
#[cold]
fn handle<'py>(
    text: &Bound<'py, PyString>,
    view: View<'_>,
    to: Scheme,
    name: &str,
    (errors, handler): (Errors, Option<&Bound<'py, PyAny>>),
) -> PyResult<Bound<'py, PyBytes>> {
    if view.has_low_surrogates() {
        let wide: Vec<u32> = view.points().collect();
        return handle(text, View::Four(&wide), to, name, (errors, handler));
    }
    let py = text.py();
    let handler = py.import("codecs")?.call_method1("lookup_error", (handler,))?;
    let (from, src) = view.source();
    // The bytes of a unit: of U+0000 in UTF-16 and UTF-32, and one elsewhere.
    let unit = match Scheme::Latin1.transcoded_len(to, b"\0") {
        whole @ (2 | 4) if !matches!(to, Scheme::Mutf8 | Scheme::WobblyMutf8) => whole,
        _ => 1,
    };
    let mut bytes = Vec::new();
    let (mut at, mut seen) = (0, None);
    while let Err(error) = from.transcode_append(to, &src[at * view.width()..], &mut bytes) {
        let mut stop = view.stop(to, at * view.width() + error.read);
        if errors == Errors::Python(Policy::Escape(Escape::Surrogate)) {
            // As CPython has it: those that stand for a byte by themselves, or else all others would be wrong as well.
            let stands = |at: &usize| view.get(*at).is_some_and(|point| matches!(point, 0xDC80..=0xDCFF));
            let standing = (stop.at..stop.at + stop.len).take_while(stands).count();
            stop.len = if standing > 0 { standing } else { stop.len };
        }
        let exception = match &seen {
            Some(exception) => {
                stop.put_into(exception)?;
                exception
            }
            None => seen.insert(stop.encoding(name, text)?),
        };
        let (replacement, next) =
            answered(&handler.call1((exception,))?, view.len(), ("encoding", "str/bytes"))?;
        if let Ok(raw) = replacement.cast::<PyBytes>() {
            // Pieces of units are refused.
            if raw.as_bytes().len() % unit != 0 {
                return Err(PyErr::from_value(exception.clone()));
            }
            bytes.extend_from_slice(raw.as_bytes());
        } else {
            let replacement =
                replacement.cast::<PyString>().map_err(|_| no_answer("encoding", "str/bytes"))?;
            let units = text::characters(replacement)?;
            match strict(replacement, View::Four(&units), to) {
                Ok(encoded) => bytes.extend_from_slice(encoded.as_bytes()),
                Err(Failure::Python(error)) => return Err(error),
                Err(Failure::Text(_)) => return Err(PyErr::from_value(exception.clone())),
            }
        }
        at = next;
    }
    Ok(PyBytes::new(py, &bytes))
}

#[inline]
fn answer<'py>(
    text: &Bound<'py, PyString>,
    view: View<'_>,
    (to, name): (Scheme, &str),
    errors: Errors,
    handler: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    // Encoders of these do not ask `codecs` what the name means.
    let errors = match errors {
        Errors::Surrogates
            if !matches!(to, Scheme::Utf8 | Scheme::Latin1 | Scheme::Ascii)
                && !Own::Pass.is_registered(text.py()) =>
        {
            Errors::Handler
        }
        errors => errors,
    };
    let (to, passes) = match (errors, with_surrogates(to)) {
        (Errors::Surrogates, Some(wobbly)) => (wobbly, true),
        _ => (to, false),
    };
    // To find out by a conversion takes longer.
    if let (View::Four(units), Scheme::Utf8, Some(own)) = (view, to, Own::of(errors))
        && let free = units.len() >= LONG
        && aside(text.py(), free, || own::any(units, |unit| unit & !0x7FF == 0xD800))
        && let Some(bytes) = aside(text.py(), free, || own::encoded(own, view, to))
    {
        return Ok(PyBytes::new(text.py(), &bytes));
    }
    match strict(text, view, to) {
        Ok(bytes) => Ok(bytes),
        Err(Failure::Python(error)) => Err(error),
        Err(Failure::Text(stop)) => match errors {
            Errors::Policy(policy) => {
                let (mut bytes, source) = (Vec::new(), text::generalized(text)?);
                lossy(source.as_bytes(), to, policy, &mut bytes);
                Ok(PyBytes::new(text.py(), &bytes))
            }
            errors if passes || errors == Errors::Strict => {
                Err(PyErr::from_value(stop.encoding(name, text)?))
            }
            _ => match by_own(text.py(), view, to, errors) {
                Some(bytes) => Ok(PyBytes::new(text.py(), &bytes)),
                None => handle(text, view, to, name, (errors, handler)),
            },
        },
    }
}

/// What one of Python's handlers makes of it, if that can be said without a call of it.
#[cold]
fn by_own(py: Python<'_>, view: View<'_>, to: Scheme, errors: Errors) -> Option<Vec<u8>> {
    let own = Own::of(errors)?;
    // Encoders of these do not look whether a program has registered another handler by that name.
    let always = matches!(to, Scheme::Utf8 | Scheme::Latin1 | Scheme::Ascii);
    if !always && !own.is_registered(py) {
        return None;
    }
    aside(py, view.len() >= LONG, || own::encoded(own, view, to))
}

/// Whatever has no form becomes U+FFFD where that has one, and else a question mark.
fn lossy(generalized: &[u8], to: Scheme, policy: Policy<'_>, bytes: &mut Vec<u8>) {
    Scheme::GeneralizedUtf8.transcode_lossy_append(to, generalized, bytes, policy);
}

/// The bytes of this text in an encoding.
#[pyfunction]
#[pyo3(signature = (text, encoding=None, errors=None))]
pub(crate) fn encode<'py>(
    text: &Bound<'py, PyString>,
    encoding: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let encoding = names::encoding(encoding)?;
    let handler = errors;
    let errors = names::errors(errors)?;
    // What most texts are that are tiny.
    if let (true, Some(View::Ascii(units))) = (encoding.is_utf8(), text::view(text))
        && units.len() < COPIED
    {
        return Ok(PyBytes::new(text.py(), units));
    }
    let bytes = plain(text, (encoding.native(), encoding.name()), errors, handler)?;
    if encoding.has_mark() { marked(encoding, &bytes) } else { Ok(bytes) }
}

/// The bytes of this text in a scheme, which has this name in exceptions.
#[inline]
pub(crate) fn plain<'py>(
    text: &Bound<'py, PyString>,
    to: (Scheme, &str),
    errors: Errors,
    handler: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    match text::view(text) {
        Some(view) => answer(text, view, to, errors, handler),
        None => answer(text, View::Four(&text::characters(text)?), to, errors, handler),
    }
}

/// A text after the byte order mark of its encoding.
#[cold]
fn marked<'py>(encoding: Encoding, bytes: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyBytes>> {
    let mark = PyBytes::new(bytes.py(), encoding.mark());
    let marked = mark.as_any().add(bytes)?;
    marked.cast_into::<PyBytes>().map_err(|error| PyValueError::new_err(error.to_string()))
}
