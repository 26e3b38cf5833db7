//! From bytes to `str`.
//!
//! A text is looked at twice before it is converted: which width its characters need, and how many there are. Both are
//! sums over bytes at the speed of memory, and whatever they say of ill-formed text, the conversion that follows is
//! strict, and must fill the string exactly. If it does not, or if strings cannot be written in place (see
//! [`text`](crate::text)), the text takes a slower path: by generalized UTF-8, in which surrogates have a form as they have
//! in a `str`, and by CPython's own decoder.
//!
//! With a policy the text is converted strictly first, since most are well-formed. The policies that leave surrogates in a
//! `str` are `surrogateescape`, and `python2`, for Python 2 decoded them.

mod in_place;

use core::mem::MaybeUninit;

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use runecast::{
    Escape, Latin1, Policy, Progress, Repertoire, Replacement, Scheme, TranscodeError, Utf8, Utf16Le, Utf32Le,
};

use crate::input::{Input, aside};
use crate::names::{self, Errors, scheme_name, with_surrogates};
use crate::own::{self, Own};
use crate::text::{self, Blank};
use crate::wrong::Stop;

pub(crate) use self::in_place::in_place;
use self::in_place::{own_utf8, own_utf16};

/// Why there is no string: an exception, or the text.
pub(crate) enum Failure {
    Python(PyErr),
    Text(Stop),
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure::Python(error)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Failure::Text(stop)
    }
}

/// A text that must be well-formed. `free` says whether the GIL may be released.
#[inline]
pub(crate) fn strict<'py>(
    py: Python<'py>,
    scheme: Scheme,
    src: &[u8],
    free: bool,
) -> Result<Bound<'py, PyAny>, Failure> {
    match attempt(py, scheme, src, free) {
        Some(text) => Ok(text?),
        None => roundabout(py, scheme, src, free),
    }
}

/// The same, or nothing if it is ill-formed, has surrogates, or strings cannot be written.
#[inline]
fn attempt<'py>(
    py: Python<'py>,
    scheme: Scheme,
    src: &[u8],
    free: bool,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    if !text::use_layout(None) {
        return None;
    }
    if scheme == Scheme::Utf8 {
        if let Some(text) = text::ascii_or_not(py, src, free) {
            return Some(text);
        }
        if src.len() <= SHORT {
            return short(py, src);
        }
    }
    let hides_nul = matches!(scheme, Scheme::Mutf8 | Scheme::WobblyMutf8);
    let (repertoire, len) = aside(py, free, || measure(scheme, src));
    // Of ill-formed text the repertoire says nothing: C0, which begins U+0000 in modified UTF-8, may be alone.
    let is_same = || repertoire == Repertoire::Ascii && len == src.len() && runecast::is_ascii(src);
    if aside(py, free, is_same) && !(hides_nul && src.contains(&0)) {
        return Some(text::ascii(py, src, free));
    }
    if scheme == Scheme::Wtf16Le
        && let Some(text) = text::of_wtf16(py, src, free)
    {
        return Some(text);
    }
    let mut blank = match Blank::new(py, len, repertoire)? {
        Ok(blank) => blank,
        Err(error) => return Some(Err(error)),
    };
    let dst = blank.bytes();
    let room = dst.len();
    let filled = aside(py, free, || {
        let written = match (scheme, repertoire) {
            (Scheme::Utf8, Repertoire::Latin1) => runecast::transcode_uninit::<Utf8, Latin1>(src, dst),
            (Scheme::Utf8, Repertoire::Bmp) => runecast::transcode_uninit::<Utf8, Utf16Le>(src, dst),
            (Scheme::Utf8, Repertoire::Unicode) => runecast::transcode_uninit::<Utf8, Utf32Le>(src, dst),
            (_, Repertoire::Ascii | Repertoire::Latin1) => whole(scheme, Scheme::Latin1, src, dst),
            // A surrogate is a character by itself.
            (_, Repertoire::Bmp) if scheme.has_surrogates() => whole(scheme, Scheme::Wtf16Le, src, dst),
            (_, Repertoire::Bmp) => whole(scheme, Scheme::Utf16Le, src, dst),
            (_, Repertoire::Unicode) => whole(scheme, Scheme::Utf32Le, src, dst),
        };
        written == Ok(room)
    });
    // SAFETY: all bytes are written, by a conversion to Latin-1, or to one of the wider forms. The first
    // is needed for what is not ASCII, the others for what does not fit into the one before it.
    filled.then(|| Ok(unsafe { blank.finish() }))
}

/// Up to so many bytes of UTF-8 are converted aside first.
pub(crate) const SHORT: usize = 192;

/// A short text of UTF-8 that is not ASCII, or nothing if it is ill-formed or strings cannot be written.
///
/// To count its characters would take longer than to copy them, so it is converted on the stack, and how many there are is
/// what came out. (To count them from 32 bytes on took 20 ns more for 100 bytes of Russian.)
#[inline]
pub(crate) fn short<'py>(py: Python<'py>, src: &[u8]) -> Option<PyResult<Bound<'py, PyAny>>> {
    if !text::use_layout(None) {
        return None;
    }
    let repertoire = runecast::repertoire::<Utf8>(src);
    let mut place = [MaybeUninit::<u8>::uninit(); 4 * SHORT];
    let written = narrowest(repertoire, src, &mut place)?;
    let mut blank = match Blank::new(py, written / repertoire.width(), repertoire)? {
        Ok(blank) => blank,
        Err(error) => return Some(Err(error)),
    };
    // SAFETY: as many bytes are written as it says, and there is room for them.
    let written = unsafe { core::slice::from_raw_parts(place.as_ptr().cast::<u8>(), written.min(4 * SHORT)) };
    text::copy(blank.bytes(), written);
    // SAFETY: all is written. The text is well-formed and not ASCII, so the repertoire is the smallest.
    Some(Ok(unsafe { blank.finish() }))
}

/// A text of UTF-8 that is not ASCII, in the form of a string of this repertoire: how many bytes of it were written, if it is
/// well-formed and fits.
#[inline]
fn narrowest(repertoire: Repertoire, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match repertoire {
        Repertoire::Ascii | Repertoire::Latin1 => runecast::transcode_uninit::<Utf8, Latin1>(src, dst),
        Repertoire::Bmp => runecast::transcode_uninit::<Utf8, Utf16Le>(src, dst),
        Repertoire::Unicode => runecast::transcode_uninit::<Utf8, Utf32Le>(src, dst),
    }
    .ok()
}

/// How wide the characters are, and how many.
#[inline]
fn measure(scheme: Scheme, src: &[u8]) -> (Repertoire, usize) {
    match scheme {
        Scheme::Utf8 => match runecast::repertoire::<Utf8>(src) {
            Repertoire::Ascii => (Repertoire::Ascii, src.len()),
            repertoire => (repertoire, runecast::count::<Utf8>(src)),
        },
        _ => (scheme.repertoire(src), scheme.count(src)),
    }
}

/// All of a text, or nothing. What is wrong is found out elsewhere.
fn whole(from: Scheme, to: Scheme, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<usize, TranscodeError> {
    let Progress { read, written } = from.transcode_partial_uninit(to, src, dst)?;
    Ok(if read == src.len() { written } else { usize::MAX })
}

/// The long way: whatever is wrong is told, and surrogates have a form.
#[cold]
fn roundabout<'py>(
    py: Python<'py>,
    scheme: Scheme,
    src: &[u8],
    free: bool,
) -> Result<Bound<'py, PyAny>, Failure> {
    if scheme == Scheme::Utf8 {
        aside(py, free, || runecast::validate::<Utf8>(src)).map_err(Stop::from)?;
        return Ok(text::by_decoder(py, src, false)?);
    }
    let mut utf8 = Vec::new();
    aside(py, free, || scheme.transcode_append(Scheme::GeneralizedUtf8, src, &mut utf8))
        .map_err(|error| Stop::of(scheme, "str", src, error))?;
    Ok(if scheme.has_surrogates() {
        text::of_generalized(py, &utf8, free)?
    } else {
        text::by_decoder(py, &utf8, false)?
    })
}

/// A text by a policy.
pub(crate) fn lossy<'py>(
    py: Python<'py>,
    scheme: Scheme,
    src: &[u8],
    policy: Policy<'_>,
    free: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(text) = in_place(py, scheme, src, policy, free) {
        return text;
    }
    let mut repaired = Vec::new();
    let native = if cfg!(target_endian = "big") { Scheme::Utf32Be } else { Scheme::Utf32Le };
    let to = match policy {
        Policy::Replace(Replacement::Python2) | Policy::Escape(Escape::Surrogate) => native,
        _ if scheme.has_surrogates() => Scheme::GeneralizedUtf8,
        _ => Scheme::Utf8,
    };
    aside(py, free, || scheme.transcode_lossy_append(to, src, &mut repaired, policy));
    if to == native {
        return text::of_units(py, &repaired, free);
    }
    strict(py, to, &repaired, free).map_err(|failure| match failure {
        Failure::Python(error) => error,
        Failure::Text(stop) => PyTypeError::new_err(format!("a repair is ill-formed: {stop:?}")),
    })
}

/// A request: a text, in an encoding that is known by now, after its byte order mark.
struct Request<'a, 'py> {
    input: &'a Input<'a, 'py>,
    /// Where the text begins and ends in the input.
    begin: usize,
    end: usize,
    /// The name in exceptions.
    name: &'static str,
    errors: Errors,
    handler: Option<&'a Bound<'py, PyAny>>,
    /// Whether nothing follows the input, so that it ends where the request does.
    last: bool,
}

/// The text of `input` from `begin` on.
#[inline]
pub(crate) fn rest<'py>(
    py: Python<'py>,
    (input, begin): (&Input<'_, 'py>, usize),
    (scheme, name): (Scheme, &'static str),
    errors: Errors,
    handler: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let end = input.bytes().len();
    Ok(Request { input, begin, end, name, errors, handler, last: true }.answer(py, scheme)?.0)
}

impl<'py> Request<'_, 'py> {
    fn src(&self) -> &[u8] {
        self.input.bytes().get(self.begin..self.end).unwrap_or_default()
    }

    /// The text, and where in the input it ends: at the end of the request, unless a handler has gone on beyond that.
    #[inline]
    fn answer(&self, py: Python<'py>, scheme: Scheme) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let free = self.input.is_long();
        let errors = match self.errors {
            Errors::Surrogates if !Own::Pass.is_registered(py) => Errors::Handler,
            errors => errors,
        };
        let policy = match errors {
            Errors::Policy(policy) => Some(policy),
            Errors::Python(policy) if matches!(scheme, Scheme::Utf8 | Scheme::Ascii) => Some(policy),
            _ => None,
        };
        let named = scheme;
        let (scheme, passes) = match (errors, with_surrogates(scheme)) {
            (Errors::Surrogates, Some(wobbly)) => (wobbly, true),
            _ => (scheme, false),
        };
        if let Some(policy) = policy.filter(|policy| policy.refuses_characters()) {
            return Ok((lossy(py, scheme, self.src(), policy, free)?, self.end));
        }
        // What is ill-formed need not be told, if it is known what to write for it.
        let own = Own::of(errors);
        let told = match (named, own) {
            (Scheme::Utf8, Some(Own::Replace | Own::Ignore | Own::Escape | Own::Backslash | Own::Pass)) => {
                let ascii = match own {
                    Some(Own::Ignore | Own::Backslash) => match text::ascii_or_not(py, self.src(), free) {
                        Some(text) => Some(text),
                        None => self.by_own_of_utf8(py, named, own),
                    },
                    _ => None,
                };
                match ascii.or_else(|| attempt(py, named, self.src(), free)) {
                    Some(text) => Some(text),
                    None if matches!(own, Some(Own::Ignore | Own::Backslash)) => None,
                    None => self.by_own_of_utf8(py, named, own),
                }
            }
            (Scheme::Ascii, Some(Own::Ignore | Own::Backslash)) => {
                match text::ascii_or_not(py, self.src(), free) {
                    Some(text) => Some(text),
                    None => self.by_own_of_utf8(py, named, own),
                }
            }
            (Scheme::Utf16Le | Scheme::Utf16Be, Some(own)) => own_utf16(py, own, named, self.src(), free),
            _ => None,
        };
        if let Some(text) = told {
            return Ok((text?, self.end));
        }
        if let (Scheme::Utf8, Some(_), Some(policy), true) = (named, own, policy, text::use_layout(None)) {
            return Ok((lossy(py, scheme, self.src(), policy, free)?, self.end));
        }
        match strict(py, scheme, self.src(), free) {
            Ok(text) => Ok((text, self.end)),
            Err(Failure::Python(error)) => Err(error),
            Err(Failure::Text(stop)) => match (policy, errors) {
                (Some(policy), _) => Ok((lossy(py, scheme, self.src(), policy, free)?, self.end)),
                (None, errors) if passes || errors == Errors::Strict => {
                    // As long as Python's codec has it before it asks the handler, without surrogates: of ED A0 41 the first byte.
                    let rest = self.src().get(stop.at..).unwrap_or_default();
                    let len = match named.validate(rest) {
                        Err(error) if passes && error.at == 0 => error.len,
                        _ => stop.len,
                    };
                    let stop = stop.behind(self.begin).of_length(len);
                    let object = self.input.to_bytes();
                    Err(PyErr::from_value(stop.decoding(self.name, &object)?))
                }
                (None, errors) => match Own::of(errors) {
                    Some(own) if own.is_registered(py) => match self.by_own(py, scheme, own)? {
                        Some(text) => Ok((text, self.end)),
                        None => self.handle(py, scheme),
                    },
                    _ => self.handle(py, scheme),
                },
            },
        }
    }

    /// UTF-8, or ASCII, that is ill-formed by one of Python's handlers, if it has a short way here.
    #[cold]
    fn by_own_of_utf8(
        &self,
        py: Python<'py>,
        scheme: Scheme,
        own: Option<Own>,
    ) -> Option<PyResult<Bound<'py, PyAny>>> {
        let (src, free) = (self.src(), self.input.is_long());
        match own? {
            Own::Backslash if !Own::Backslash.is_registered(py) => None,
            own @ (Own::Ignore | Own::Backslash) => {
                let ascii = aside(py, free, || own::decoded_ascii(own, scheme, src))?;
                Some(text::ascii(py, &ascii, free))
            }
            Own::Pass if !Own::Pass.is_registered(py) => None,
            own => own_utf8(py, own, src, free),
        }
    }

    /// What one of Python's handlers makes of it, if that can be said without a call of it.
    #[cold]
    fn by_own(&self, py: Python<'py>, scheme: Scheme, own: Own) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (src, free) = (self.src(), self.input.is_long());
        if own == Own::Pass {
            let Some(units) = aside(py, free, || own::passed(scheme, src)) else { return Ok(None) };
            return text::of_units(py, &units, free).map(Some);
        }
        let Some(utf8) = aside(py, free, || own::decoded(own, scheme, src)) else { return Ok(None) };
        let to = if scheme.has_surrogates() { Scheme::GeneralizedUtf8 } else { Scheme::Utf8 };
        match strict(py, to, &utf8, free) {
            Ok(text) => Ok(Some(text)),
            Err(Failure::Python(error)) => Err(error),
            Err(Failure::Text(_)) => Ok(None),
        }
    }

    /// By a handler that is registered with `codecs`: called for each ill-formed sequence, as Python's decoders do.
    ///
    /// A handler may put other bytes into the exception, and decoding goes on with these.
    #[cold]
    fn handle(&self, py: Python<'py>, scheme: Scheme) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let handler = py.import("codecs")?.call_method1("lookup_error", (self.handler,))?;
        let mut object = self.input.to_bytes();
        let parts = PyList::empty(py);
        let (mut at, mut end, mut exchanged) = (self.begin, self.end, false);
        let mut seen = None;
        while let Some(rest) = object.as_bytes().get(at..end) {
            // Only what is well-formed is converted, so that many errors do not make it slow.
            let (good, mut stop) = match scheme.validate(rest) {
                Ok(()) => (rest.len(), None),
                Err(error) => (error.at, Some(Stop::from(error))),
            };
            match strict(py, scheme, &rest[..good], false) {
                Ok(text) => parts.append(text)?,
                Err(Failure::Python(error)) => return Err(error),
                // Well-formed, but no character.
                Err(Failure::Text(earlier)) => {
                    if let Ok(text) = strict(py, scheme, &rest[..earlier.at], false) {
                        parts.append(text)?;
                    }
                    stop = Some(earlier);
                }
            }
            let Some(stop) = stop else { break };
            let stop = stop.behind(at);
            let exception = match &seen {
                Some(exception) => {
                    stop.put_into(exception)?;
                    exception
                }
                None => seen.insert(stop.decoding(self.name, &object)?),
            };
            let answer = handler.call1((exception,))?;
            let now = exception.getattr(intern!(py, "object"))?;
            if !now.is(&object) {
                let kind = "exception attribute object must be bytes";
                object = now.cast_into().map_err(|_| PyTypeError::new_err(kind))?;
                (end, exchanged) = (object.as_bytes().len(), true);
            }
            let (text, next) = answered(&answer, object.as_bytes().len(), ("decoding", "str"))?;
            parts.append(text.cast::<PyString>().map_err(|_| no_answer("decoding", "str"))?)?;
            at = next;
            // It may go on inside of a unit, and then the last whole one ends elsewhere. (Of the forms of UTF-8 the end stays.)
            if !self.last && !exchanged && in_units(scheme) {
                let src = object.as_bytes();
                end = src.len()
                    - scheme.incomplete_suffix(Policy::default(), src.get(at..).unwrap_or_default());
            }
        }
        let end = if exchanged { self.end } else { at.max(end) };
        Ok((PyString::new(py, "").call_method1("join", (parts,))?, end))
    }
}

/// Whether code units have several bytes.
pub(crate) fn in_units(scheme: Scheme) -> bool {
    matches!(
        scheme,
        Scheme::Utf16Le
            | Scheme::Utf16Be
            | Scheme::Utf32Le
            | Scheme::Utf32Be
            | Scheme::Wtf16Le
            | Scheme::Wtf16Be
    )
}

/// What a handler must return.
pub(crate) fn no_answer(what: &str, kind: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} error handler must return ({kind}, int) tuple"))
}

/// A handler's answer: a replacement, and where to go on, which may count from the end.
pub(crate) fn answered<'py>(
    answer: &Bound<'py, PyAny>,
    len: usize,
    (what, kind): (&str, &str),
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let (replacement, next) = answer
        .cast::<PyTuple>()
        .ok()
        .and_then(|tuple| tuple.extract::<(Bound<'py, PyAny>, isize)>().ok())
        .ok_or_else(|| no_answer(what, kind))?;
    let place = if next < 0 { len.checked_add_signed(next) } else { usize::try_from(next).ok() };
    match place.filter(|place| *place <= len) {
        Some(place) => Ok((replacement, place)),
        None => Err(PyIndexError::new_err(format!("position {next} from error handler out of bounds"))),
    }
}

/// The text that these bytes are.
///
/// `encoding` is any name that the library knows, `errors` one of its behaviours or any handler of `codecs`.
#[pyfunction]
#[pyo3(signature = (data, encoding=None, errors=None))]
pub(crate) fn decode<'py>(
    data: &Bound<'py, PyAny>,
    encoding: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let encoding = names::encoding(encoding)?;
    let handler = errors;
    let errors = names::errors(errors)?;
    let input = Input::of(data)?;
    let (scheme, begin) = encoding.recognize(input.bytes());
    rest(data.py(), (&input, begin), (scheme, encoding.name()), errors, handler)
}

/// The text of a chunk from `begin` on, and where in the chunk it ends: the rest waits for the next chunk. A plain UTF-16, UTF-32 or
/// WTF-16 is that of this machine here.
#[pyfunction]
#[pyo3(signature = (data, encoding, errors, last, begin=0))]
pub(crate) fn decode_chunk<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &Bound<'py, PyAny>,
    last: bool,
    begin: usize,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let input = Input::of(data)?;
    let scheme = names::encoding(Some(encoding))?.native();
    let handler = Some(errors);
    let errors = names::errors(handler)?;
    let (asked, policy) = match errors {
        Errors::Surrogates => (with_surrogates(scheme).unwrap_or(scheme), Policy::default()),
        Errors::Policy(policy) | Errors::Python(policy) => (scheme, policy),
        _ => (scheme, Policy::default()),
    };
    let src = input.bytes();
    let begin = begin.min(src.len());
    let mut end = if last { src.len() } else { src.len() - asked.incomplete_suffix(policy, &src[begin..]) };
    // The first half of a pair, which is a character by itself there.
    if asked == Scheme::GeneralizedUtf8 && end < src.len() && asked.validate(&src[end..]).is_ok() {
        end = src.len();
    }
    let request = Request { input: &input, begin, end, name: scheme_name(scheme), errors, handler, last };
    request.answer(data.py(), scheme)
}
