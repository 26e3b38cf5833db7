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

use core::mem::MaybeUninit;

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use runecast::{
    Escape, Label, Latin1, Policy, Progress, Repertoire, Replacement, Scheme, TranscodeError, Utf8, Utf16Le,
    Utf32Le,
};

use crate::input::{Input, aside};
use crate::names::{self, Errors, codec_name, with_surrogates};
use crate::text::{self, Blank};
use crate::wrong::Stop;

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
    if !text::use_layout(None) {
        return roundabout(py, scheme, src, free);
    }
    if scheme == Scheme::Utf8 {
        if aside(py, free, || runecast::is_ascii(src)) {
            return Ok(text::ascii(py, src, free)?);
        }
        if src.len() <= SHORT {
            return short(py, src);
        }
    }
    let hides_nul = matches!(scheme, Scheme::Mutf8 | Scheme::WobblyMutf8);
    let (repertoire, len) = aside(py, free, || measure(scheme, src));
    if repertoire == Repertoire::Ascii && len == src.len() && !(hides_nul && src.contains(&0)) {
        return Ok(text::ascii(py, src, free)?);
    }
    let Some(blank) = Blank::new(py, len, repertoire) else { return roundabout(py, scheme, src, free) };
    let mut blank = blank?;
    let dst = blank.bytes();
    let room = dst.len();
    let filled = aside(py, free, || {
        let written = match (scheme, repertoire) {
            (Scheme::Utf8, Repertoire::Latin1) => runecast::transcode_uninit::<Utf8, Latin1>(src, dst),
            (Scheme::Utf8, Repertoire::Bmp) => runecast::transcode_uninit::<Utf8, Utf16Le>(src, dst),
            (Scheme::Utf8, Repertoire::Unicode) => runecast::transcode_uninit::<Utf8, Utf32Le>(src, dst),
            (_, Repertoire::Ascii | Repertoire::Latin1) => whole(scheme, Scheme::Latin1, src, dst),
            (_, Repertoire::Bmp) => whole(scheme, Scheme::Utf16Le, src, dst),
            (_, Repertoire::Unicode) => whole(scheme, Scheme::Utf32Le, src, dst),
        };
        written == Ok(room)
    });
    if filled {
        // SAFETY: all bytes are written, by a conversion to Latin-1, or to one of the wider forms. The first
        // is needed for what is not ASCII, the others for what does not fit into the one before it.
        return Ok(unsafe { blank.finish() });
    }
    roundabout(py, scheme, src, free)
}

/// Up to so many bytes of UTF-8 are converted aside first.
const SHORT: usize = 192;

/// A short text of UTF-8 that is not ASCII. To count its characters would take longer than to copy them, so it is
/// converted on the stack, and how many there are is what came out.
#[inline]
fn short<'py>(py: Python<'py>, src: &[u8]) -> Result<Bound<'py, PyAny>, Failure> {
    let mut place = [MaybeUninit::<u8>::uninit(); 4 * SHORT];
    let repertoire = runecast::repertoire::<Utf8>(src);
    let written = match repertoire {
        Repertoire::Ascii | Repertoire::Latin1 => runecast::transcode_uninit::<Utf8, Latin1>(src, &mut place),
        Repertoire::Bmp => runecast::transcode_uninit::<Utf8, Utf16Le>(src, &mut place),
        Repertoire::Unicode => runecast::transcode_uninit::<Utf8, Utf32Le>(src, &mut place),
    };
    let blank = written.ok().and_then(|written| {
        let blank = Blank::new(py, written / repertoire.width(), repertoire)?;
        Some(blank.map(|blank| (blank, written)))
    });
    let Some(blank) = blank else { return roundabout(py, Scheme::Utf8, src, false) };
    let (mut blank, written) = blank?;
    // SAFETY: as many bytes are written as it says, and there is room for them.
    let written = unsafe { core::slice::from_raw_parts(place.as_ptr().cast::<u8>(), written.min(4 * SHORT)) };
    text::copy(blank.bytes(), written);
    // SAFETY: all is written. The text is well-formed and not ASCII, so the repertoire is the smallest.
    Ok(unsafe { blank.finish() })
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
        .map_err(|error| Stop::of(scheme, src, error))?;
    Ok(text::by_decoder(py, &utf8, scheme.has_surrogates())?)
}

/// A text by a policy.
pub(crate) fn lossy<'py>(
    py: Python<'py>,
    scheme: Scheme,
    src: &[u8],
    policy: Policy<'_>,
    free: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let mut repaired = Vec::new();
    let native = if cfg!(target_endian = "big") { Scheme::Utf32Be } else { Scheme::Utf32Le };
    let to = match policy {
        Policy::Replace(Replacement::Python2) | Policy::Escape(Escape::Surrogate) => native,
        _ if scheme.has_surrogates() => Scheme::GeneralizedUtf8,
        _ => Scheme::Utf8,
    };
    aside(py, free, || scheme.transcode_lossy_append(to, src, &mut repaired, policy));
    if to == native {
        return text::of_units(py, &repaired);
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
}

impl<'py> Request<'_, 'py> {
    fn src(&self) -> &[u8] {
        self.input.bytes().get(self.begin..self.end).unwrap_or_default()
    }

    #[inline]
    fn answer(&self, py: Python<'py>, scheme: Scheme) -> PyResult<Bound<'py, PyAny>> {
        let free = self.input.is_long();
        let policy = match self.errors {
            Errors::Policy(policy) => Some(policy),
            Errors::Python(policy) if matches!(scheme, Scheme::Utf8 | Scheme::Ascii) => Some(policy),
            _ => None,
        };
        let (scheme, passes) = match (self.errors, with_surrogates(scheme)) {
            (Errors::Surrogates, Some(wobbly)) => (wobbly, true),
            _ => (scheme, false),
        };
        if let Some(policy) = policy.filter(|policy| policy.refuses_characters()) {
            return lossy(py, scheme, self.src(), policy, free);
        }
        match strict(py, scheme, self.src(), free) {
            Ok(text) => Ok(text),
            Err(Failure::Python(error)) => Err(error),
            Err(Failure::Text(stop)) => match (policy, self.errors) {
                (Some(policy), _) => lossy(py, scheme, self.src(), policy, free),
                (None, errors) if passes || errors == Errors::Strict => {
                    let object = self.input.to_bytes();
                    Err(PyErr::from_value(stop.behind(self.begin).decoding(self.name, &object)?))
                }
                (None, _) => self.handle(py, scheme),
            },
        }
    }

    /// By a handler that is registered with `codecs`: called for each ill-formed sequence, as Python's decoders do.
    #[cold]
    fn handle(&self, py: Python<'py>, scheme: Scheme) -> PyResult<Bound<'py, PyAny>> {
        let handler = py.import("codecs")?.call_method1("lookup_error", (self.handler,))?;
        let object = self.input.to_bytes();
        let parts = PyList::empty(py);
        let src = self.src();
        let mut at = 0;
        loop {
            let rest = &src[at..];
            // Only what is well-formed is converted, so that many errors do not make it slow.
            let (good, mut stop) = match scheme.validate(rest) {
                Ok(()) => (rest.len(), None),
                Err(error) => (error.at, Some(Stop::from(error))),
            };
            match strict(py, scheme, &rest[..good], false) {
                Ok(text) => parts.append(text)?,
                Err(Failure::Python(error)) => return Err(error),
                // In order, but no character.
                Err(Failure::Text(earlier)) => {
                    if let Ok(text) = strict(py, scheme, &rest[..earlier.at], false) {
                        parts.append(text)?;
                    }
                    stop = Some(earlier);
                }
            }
            let Some(stop) = stop else { break };
            let exception = stop.behind(self.begin + at).decoding(self.name, &object)?;
            let (text, next) = answered(&handler.call1((exception,))?, self.end)?;
            parts.append(text.cast::<PyString>().map_err(|_| no_answer("decoding", "str"))?)?;
            at = next
                .checked_sub(self.begin)
                .ok_or_else(|| PyIndexError::new_err("position out of bounds"))?;
        }
        PyString::new(py, "").call_method1("join", (parts,))
    }
}

/// What a handler must return.
pub(crate) fn no_answer(what: &str, kind: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} error handler must return ({kind}, int) tuple"))
}

/// A handler's answer: a replacement, and where to go on, which may count from the end.
pub(crate) fn answered<'py>(answer: &Bound<'py, PyAny>, len: usize) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let (replacement, next) = answer
        .cast::<PyTuple>()
        .ok()
        .and_then(|tuple| tuple.extract::<(Bound<'py, PyAny>, isize)>().ok())
        .ok_or_else(|| {
            PyTypeError::new_err("an error handler must return a tuple of a replacement and an int")
        })?;
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
    let label = names::label(encoding)?;
    let handler = errors;
    let errors = names::errors(errors)?;
    // What nearly all texts are that are tiny: the rest of this function takes longer than the string.
    if let (Ok(bytes), Label::Exactly(Scheme::Utf8)) = (data.cast_exact::<PyBytes>(), label) {
        let bytes = bytes.as_bytes();
        if bytes.len() <= 128 && bytes.is_ascii() {
            return text::ascii(data.py(), bytes, false);
        }
    }
    other(data, label, errors, handler)
}

/// All texts but those.
#[inline(never)]
fn other<'py>(
    data: &Bound<'py, PyAny>,
    label: Label,
    errors: Errors,
    handler: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let input = Input::of(data)?;
    let (scheme, begin) = names::recognize(label, input.bytes());
    let end = input.bytes().len();
    Request { input: &input, begin, end, name: codec_name(label), errors, handler }.answer(data.py(), scheme)
}

/// The text of a chunk, and how many of its bytes that is: the rest waits for the next chunk. A plain UTF-16, UTF-32 or
/// WTF-16 is that of this machine here.
#[pyfunction]
#[pyo3(signature = (data, encoding, errors, last))]
pub(crate) fn decode_chunk<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &Bound<'py, PyAny>,
    last: bool,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let input = Input::of(data)?;
    let label = names::label(Some(encoding))?;
    let handler = Some(errors);
    let errors = names::errors(handler)?;
    let scheme = names::native(label);
    let (asked, policy) = match errors {
        Errors::Surrogates => (with_surrogates(scheme).unwrap_or(scheme), Policy::default()),
        Errors::Policy(policy) | Errors::Python(policy) => (scheme, policy),
        _ => (scheme, Policy::default()),
    };
    let src = input.bytes();
    let end = if last { src.len() } else { src.len() - asked.incomplete_suffix(policy, src) };
    let name = codec_name(Label::Exactly(scheme));
    let text = Request { input: &input, begin: 0, end, name, errors, handler }.answer(data.py(), scheme)?;
    Ok((text, end))
}
