//! Encodings and error handlers by name.
//!
//! Names of encodings are the library's, and all that Python has for the same encodings: a name that the library does not know is
//! looked up in `encodings.aliases`. Two things are Python's: a plain `utf-16` or `utf-32` without a byte order mark is in the byte
//! order of this machine, and writing it begins with a mark, as Python's own codecs of these names do. (The library takes
//! such a text for big-endian, as Unicode does.) And there is Python's `utf-8-sig`, which is UTF-8 after a mark.
//!
//! **Names are looked up by their address first.** A name in a program is nearly always a constant, which Python
//! interns: one object, wherever it stands. Sixteen of these are remembered for each of the two lists, never
//! to be forgotten: what is remembered keeps a reference, so that no other object comes to have the address. A name that is
//! not interned is parsed every time.

use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use runecast::{Escape, Label, Policy, Replacement, Scheme};

use crate::own::Own;
use crate::text;

/// What a program asks for where a text is ill-formed, or has no form in the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errors {
    /// An exception.
    Strict,
    /// What a policy of the library writes.
    Policy(Policy<'static>),
    /// What a policy writes in UTF-8 and ASCII, where the library and the handler of that name in `codecs`
    /// agree; in other encodings, that handler.
    Python(Policy<'static>),
    /// Surrogates are allowed.
    Surrogates,
    /// A handler of Python's that is no policy of the library, but known here.
    Known(Own),
    /// Any other handler that is registered with `codecs`.
    Handler,
}

impl Errors {
    /// Whether some characters are errors as well.
    #[inline]
    pub(crate) fn refuses_characters(self) -> bool {
        matches!(self, Errors::Policy(policy) if policy.refuses_characters())
    }

    /// The policy that writes what `data.decode(source, errors).encode(target, errors)` does, if there is one.
    pub(crate) fn policy(self, from: Scheme, to: Scheme) -> Option<Policy<'static>> {
        match self {
            Errors::Policy(policy) => Some(policy),
            // A character without a form becomes a question mark, and by a policy only where U+FFFD has none either.
            Errors::Python(policy @ Policy::Replace(_)) if from == to || may_mark(from, to) => Some(policy),
            // Nor is anything written for a character without a form. But halves of a pair may come to stand side by side.
            Errors::Python(Policy::DropAtTheRiskOfJoining)
                if !(from.has_surrogates() && to.has_surrogates()) =>
            {
                Some(Policy::Omit)
            }
            _ => None,
        }
    }
}

/// An encoding by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// One of the library's.
    Of(Label),
    /// UTF-8 that is written after a byte order mark, and read with or without one.
    Utf8Sig,
}

impl Encoding {
    /// The one of this very scheme.
    pub(crate) const fn exactly(scheme: Scheme) -> Encoding {
        Encoding::Of(Label::Exactly(scheme))
    }

    /// Whether it is UTF-8, without any mark.
    #[inline]
    pub(crate) const fn is_utf8(self) -> bool {
        matches!(self, Encoding::Of(Label::Exactly(Scheme::Utf8)))
    }

    /// Whether a text of it is written after a byte order mark, and may begin with one that is no part of it.
    #[inline]
    pub(crate) const fn has_mark(self) -> bool {
        !matches!(self, Encoding::Of(Label::Exactly(_)))
    }

    /// The scheme in the byte order of this machine.
    #[inline]
    pub(crate) const fn native(self) -> Scheme {
        match self {
            Encoding::Of(label) => {
                let (big, little) = label.schemes();
                if cfg!(target_endian = "big") { big } else { little }
            }
            Encoding::Utf8Sig => Scheme::Utf8,
        }
    }

    /// The byte order mark that a text is written after.
    pub(crate) const fn mark(self) -> &'static [u8] {
        if self.has_mark() { self.native().mark() } else { &[] }
    }

    /// The scheme of a text that begins with `head`, and how long its mark is, which is no part of the text.
    #[inline]
    pub(crate) fn recognize(self, head: &[u8]) -> (Scheme, usize) {
        let (big, little) = match self {
            Encoding::Of(Label::Exactly(scheme)) => return (scheme, 0),
            Encoding::Of(label) => label.schemes(),
            Encoding::Utf8Sig => (Scheme::Utf8, Scheme::Utf8),
        };
        match [big, little].into_iter().find(|scheme| scheme.is_marked(head)) {
            Some(scheme) => (scheme, scheme.mark().len()),
            None => (self.native(), 0),
        }
    }

    /// The name in Python's manner, for `codecs` and for exceptions: "utf-16-le".
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Encoding::Of(Label::Utf16) => "utf-16",
            Encoding::Of(Label::Utf32) => "utf-32",
            Encoding::Of(Label::Wtf16) => "wtf-16",
            Encoding::Of(Label::Exactly(scheme)) => scheme_name(scheme),
            Encoding::Utf8Sig => "utf-8-sig",
        }
    }

    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Encoding> {
        Label::names().map(|(label, ..)| Encoding::Of(label)).chain([Encoding::Utf8Sig])
    }
}

/// Places that are looked at for a name: with one alone, the second of two names that share a place would be parsed at every call.
const PROBED: usize = 4;

/// Interned names and what they stand for: a number, as [`Known`] has it.
struct Cache {
    names: [AtomicPtr<ffi::PyObject>; 16],
    values: [AtomicU8; 16],
}

impl Cache {
    const fn new() -> Cache {
        Cache {
            names: [const { AtomicPtr::new(core::ptr::null_mut()) }; 16],
            values: [const { AtomicU8::new(0) }; 16],
        }
    }

    fn slot(name: *mut ffi::PyObject) -> usize {
        // Objects are at multiples of sixteen; strings take some more than that.
        (name.addr() >> 4 ^ name.addr() >> 8) & 15
    }

    /// Where a name may be: there, or in the first free place behind it.
    #[inline]
    fn slots(name: *mut ffi::PyObject) -> impl Iterator<Item = usize> {
        let first = Cache::slot(name);
        (0..PROBED).map(move |more| (first + more) & 15)
    }

    #[inline]
    fn get(&self, name: *mut ffi::PyObject) -> Option<u8> {
        for slot in Cache::slots(name) {
            let found = self.names[slot].load(Ordering::Acquire);
            if found == name {
                return Some(self.values[slot].load(Ordering::Relaxed));
            }
            if found.is_null() {
                break;
            }
        }
        None
    }

    /// Remembers an interned name, if there is room. Whoever calls this holds the GIL.
    #[cold]
    fn put(&self, name: &Bound<'_, PyString>, value: u8) {
        let is_free = |slot: &usize| self.names[*slot].load(Ordering::Relaxed).is_null();
        let Some(slot) = Cache::slots(name.as_ptr()).find(is_free) else { return };
        let mut interned = name.clone().into_ptr();
        // SAFETY: this owned reference is exchanged for one to the interned string of the same characters.
        unsafe { ffi::PyUnicode_InternInPlace(&raw mut interned) };
        if interned == name.as_ptr() {
            // The reference is kept for ever.
            self.values[slot].store(value, Ordering::Relaxed);
            self.names[slot].store(interned, Ordering::Release);
        } else {
            // SAFETY: the reference is owned.
            unsafe { ffi::Py_DECREF(interned) };
        }
    }
}

/// The encodings after the schemes, by number.
const MORE: [Encoding; 4] =
    [Encoding::Of(Label::Utf16), Encoding::Of(Label::Utf32), Encoding::Of(Label::Wtf16), Encoding::Utf8Sig];

#[inline]
fn numbered(number: u8) -> Encoding {
    let index = usize::from(number);
    match Scheme::ALL.get(index) {
        Some(scheme) => Encoding::exactly(*scheme),
        None => MORE[(index - Scheme::ALL.len()) % MORE.len()],
    }
}

fn number(encoding: Encoding) -> u8 {
    let encodings = Scheme::ALL.map(Encoding::exactly).into_iter().chain(MORE);
    encodings.zip(0..).find(|(other, _)| *other == encoding).map_or(0, |(_, number)| number)
}

/// A name must be a string.
fn string<'a, 'py>(name: &'a Bound<'py, PyAny>, what: &str) -> PyResult<&'a Bound<'py, PyString>> {
    name.cast::<PyString>().map_err(|_| {
        let found = name.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{what} must be a str, not {found}"))
    })
}

/// The encoding of this name; UTF-8 without one.
#[inline]
pub(crate) fn encoding(name: Option<&Bound<'_, PyAny>>) -> PyResult<Encoding> {
    let Some(name) = name else { return Ok(Encoding::exactly(Scheme::Utf8)) };
    match ENCODINGS.get(name.as_ptr()) {
        Some(value) => Ok(numbered(value)),
        // SAFETY: it is an object, and whoever has it has the GIL.
        None => match unsafe { text::ascii_of(name.as_ptr()) }.and_then(common) {
            Some(scheme) => Ok(Encoding::exactly(scheme)),
            None => new_encoding(name, &ENCODINGS),
        },
    }
}

/// Names of encodings that are remembered.
static ENCODINGS: Cache = Cache::new();

/// Names of `errors` that are remembered.
static HANDLED: Cache = Cache::new();

/// The scheme of this name, if it is remembered or common, and has no byte order mark.
///
/// # Safety
/// It must be an object, and the GIL held.
#[inline]
pub(crate) unsafe fn quick_scheme(name: *mut ffi::PyObject) -> Option<Scheme> {
    match ENCODINGS.get(name) {
        Some(number) => Scheme::ALL.get(usize::from(number)).copied(),
        // SAFETY: as this has it.
        None => unsafe { new_scheme(name) },
    }
}

/// The same, if it is not remembered; the first few are.
///
/// # Safety
/// As above.
#[cold]
unsafe fn new_scheme(name: *mut ffi::PyObject) -> Option<Scheme> {
    /// To find out whether a name is interned takes longer than to compare it, so it is not done at every call.
    const MOST: u8 = 64;
    static TRIED: AtomicU8 = AtomicU8::new(0);
    // SAFETY: as this has it.
    let scheme = common(unsafe { text::ascii_of(name)? })?;
    let tried = TRIED.load(Ordering::Relaxed);
    if tried < MOST {
        TRIED.store(tried + 1, Ordering::Relaxed);
        // SAFETY: it is a string, as has been found, and the GIL is held.
        unsafe {
            let name = Borrowed::from_ptr(Python::assume_attached(), name);
            ENCODINGS.put(&name.cast_unchecked::<PyString>(), number(Encoding::exactly(scheme)));
        }
    }
    Some(scheme)
}

/// The number of this name of `errors`, if it is remembered or one of those known here.
///
/// # Safety
/// It must be an object, and the GIL held.
#[inline]
pub(crate) unsafe fn quick_errors(name: *mut ffi::PyObject) -> Option<u8> {
    if let Some(number) = HANDLED.get(name) {
        return Some(number);
    }
    // SAFETY: as this has it.
    let name = unsafe { text::ascii_of(name)? };
    own_index(core::str::from_utf8(name).ok()?).map(|index| index as u8)
}

/// What a number of `errors` asks for.
#[inline]
pub(crate) fn numbered_errors(number: u8) -> Errors {
    ERRORS[usize::from(number) % ERRORS.len()].1
}

/// The number of `"strict"`.
pub(crate) const STRICT: u8 = 0;

/// The scheme of a name that is written in one of the usual ways. Python interns constants only if they look like names of variables, and
/// `utf-8` does not: each module has an object of its own, and so does whoever reads the name from somewhere.
#[inline]
fn common(name: &[u8]) -> Option<Scheme> {
    Some(match name {
        b"utf-8" | b"utf8" | b"UTF-8" | b"utf_8" | b"UTF8" => Scheme::Utf8,
        b"latin-1" | b"latin1" | b"latin_1" | b"iso-8859-1" | b"ISO-8859-1" | b"iso8859-1" => Scheme::Latin1,
        b"ascii" | b"us-ascii" | b"US-ASCII" | b"ASCII" => Scheme::Ascii,
        b"utf-16-le" | b"utf-16le" | b"UTF-16LE" | b"utf_16_le" => Scheme::Utf16Le,
        b"utf-16-be" | b"utf-16be" | b"UTF-16BE" | b"utf_16_be" => Scheme::Utf16Be,
        b"utf-32-le" | b"utf-32le" | b"UTF-32LE" | b"utf_32_le" => Scheme::Utf32Le,
        b"utf-32-be" | b"utf-32be" | b"UTF-32BE" | b"utf_32_be" => Scheme::Utf32Be,
        _ => return None,
    })
}

#[cold]
fn new_encoding(name: &Bound<'_, PyAny>, known: &Cache) -> PyResult<Encoding> {
    let name = string(name, "encoding")?;
    let Some(encoding) = known_encoding(name)? else {
        if is_text_codec(name) {
            let name = name.repr()?;
            let why =
                "Python has a codec of that name, for bytes.decode and str.encode, and runecast has none";
            return Err(PyLookupError::new_err(format!("unknown encoding: {name}; {why}")));
        }
        // What `register` calls it for `codecs`.
        let text = name.to_cow().unwrap_or_default();
        let own =
            text.split_once(['-', '_', ' ']).filter(|(first, _)| first.eq_ignore_ascii_case("runecast"));
        if let Some((_, own)) = own
            && let Some(encoding) = known_encoding(&PyString::new(name.py(), own))?
        {
            let (name, own) = (name.repr()?, encoding.name());
            let why = format!("here it is {own:?}; the prefix is for codecs, after runecast.register()");
            return Err(PyLookupError::new_err(format!("unknown encoding: {name}; {why}")));
        }
        let names = Encoding::all().map(Encoding::name).collect();
        return Err(not_known(name, "encoding:", names));
    };
    known.put(name, number(encoding));
    Ok(encoding)
}

/// The encoding of this name, if there is one.
#[cold]
pub(crate) fn known_encoding(name: &Bound<'_, PyString>) -> PyResult<Option<Encoding>> {
    // A name with a surrogate is none.
    let Ok(text) = name.to_str() else { return Ok(None) };
    let own = |text: &str| match text {
        "utf_8_sig" | "utf-8-sig" => Some(Encoding::Utf8Sig),
        _ => text.parse().ok().map(Encoding::Of),
    };
    if let Some(encoding) = own(text) {
        return Ok(Some(encoding));
    }
    // Python takes a NUL for punctuation, where it does not refuse it beforehand.
    if text.contains('\0') {
        return Ok(None);
    }
    let py = name.py();
    // What Python does with a name, and then the name of one of its modules.
    let encodings = py.import("encodings")?;
    let normalized = encodings.call_method1("normalize_encoding", (text,))?.call_method0("lower")?;
    let aliases = encodings.getattr("aliases")?.getattr("aliases")?;
    let module: String = aliases.call_method1("get", (&normalized, &normalized))?.extract()?;
    Ok(own(&module))
}

/// Whether `codecs` has an encoding of text of this name, other than those that `register` adds. Another name that looks like it would be
/// another encoding.
#[cold]
fn is_text_codec(name: &Bound<'_, PyString>) -> bool {
    let codec = || {
        let codec = name.py().import("codecs")?.call_method1("lookup", (name,))?;
        let own = codec.getattr("name")?.call_method1("startswith", ("runecast",))?.is_truthy()?;
        Ok::<_, PyErr>(!own && codec.getattr("_is_text_encoding")?.is_truthy()?)
    };
    codec().unwrap_or(false)
}

/// Why a name is no good: with the name that is most like it, or else with all that there are.
#[cold]
fn not_known(name: &Bound<'_, PyString>, what: &str, names: Vec<&str>) -> PyErr {
    let close = || -> PyResult<Option<String>> {
        let difflib = name.py().import("difflib")?;
        let lower: String = name.call_method0("lower")?.extract()?;
        // What is behind the prefix for codecs is what is meant.
        let lower = lower
            .strip_prefix("runecast")
            .map_or(&*lower, |own| own.trim_start_matches(['-', '_', '.', ' ']));
        difflib
            .call_method1("get_close_matches", (lower, &names, 1))?
            .extract::<Vec<_>>()
            .map(|mut some| some.pop())
    };
    let repr = name.repr().map_or_else(|_| "?".into(), |repr| repr.to_string());
    PyLookupError::new_err(match close() {
        Ok(Some(other)) => format!("unknown {what} {repr}; did you mean {other:?}?"),
        _ => format!("unknown {what} {repr}; there are {}", names.join(", ")),
    })
}

/// The names of `errors`, by their number.
const ERRORS: [(&str, Errors); 20] = [
    ("strict", Errors::Strict),
    ("whatwg", Errors::Policy(Policy::Replace(Replacement::Whatwg))),
    ("go", Errors::Policy(Policy::Replace(Replacement::PerByte))),
    ("per-byte", Errors::Policy(Policy::Replace(Replacement::PerByte))),
    ("win32", Errors::Policy(Policy::Replace(Replacement::Win32))),
    ("openjdk8", Errors::Policy(Policy::Replace(Replacement::OpenJdk8))),
    ("python2", Errors::Policy(Policy::Replace(Replacement::Python2))),
    ("perl5", Errors::Policy(Policy::Replace(Replacement::Perl5))),
    ("icu55", Errors::Policy(Policy::Replace(Replacement::Icu55))),
    ("drop", Errors::Policy(Policy::DropAtTheRiskOfJoining)),
    ("latin1", Errors::Policy(Policy::Escape(Escape::Latin1))),
    ("windows-1252", Errors::Policy(Policy::Escape(Escape::Windows1252))),
    ("backslash", Errors::Policy(Policy::Escape(Escape::Backslash))),
    ("replace", Errors::Python(Policy::Replace(Replacement::Whatwg))),
    ("ignore", Errors::Python(Policy::DropAtTheRiskOfJoining)),
    ("surrogateescape", Errors::Python(Policy::Escape(Escape::Surrogate))),
    ("surrogatepass", Errors::Surrogates),
    ("backslashreplace", Errors::Known(Own::Backslash)),
    ("xmlcharrefreplace", Errors::Known(Own::Xml)),
    // All others.
    ("", Errors::Handler),
];

/// The names of the library's own behaviours.
pub(crate) fn behaviours() -> impl Iterator<Item = &'static str> {
    ERRORS.iter().filter(|(_, errors)| matches!(errors, Errors::Policy(_))).map(|(name, _)| *name)
}

/// What is asked for by this name; [`Errors::Strict`] without one. A name that is neither known here nor to `codecs` is
/// an error at once, and not only where a text is ill-formed.
#[inline]
pub(crate) fn errors(name: Option<&Bound<'_, PyAny>>) -> PyResult<Errors> {
    let Some(name) = name else { return Ok(Errors::Strict) };
    match HANDLED.get(name.as_ptr()) {
        Some(value) => Ok(ERRORS[usize::from(value) % ERRORS.len()].1),
        None => new_errors(name, &HANDLED),
    }
}

/// What this name asks for, if it is not only a handler of `codecs`.
pub(crate) fn own_errors(name: &str) -> Option<Errors> {
    own_index(name).map(|index| ERRORS[index].1)
}

fn own_index(name: &str) -> Option<usize> {
    // With the prefix it is one that `register` gives to `codecs`, which are the behaviours alone.
    let (own, prefixed) = match name.strip_prefix("runecast.") {
        Some(own) => (own, true),
        None => (name, false),
    };
    let index = ERRORS.iter().position(|(other, _)| *other == own && !own.is_empty())?;
    (!prefixed || matches!(ERRORS[index].1, Errors::Policy(_))).then_some(index)
}

#[cold]
fn new_errors(name: &Bound<'_, PyAny>, known: &Cache) -> PyResult<Errors> {
    let name = string(name, "errors")?;
    let text = name.to_str()?;
    if let Some(index) = own_index(text) {
        known.put(name, index as u8);
        return Ok(ERRORS[index].1);
    }
    // Not remembered: a handler may come and go.
    match name.py().import("codecs")?.call_method1("lookup_error", (name,)) {
        Ok(_) => Ok(Errors::Handler),
        Err(error) if error.is_instance_of::<PyLookupError>(name.py()) => {
            let names = ["strict"].into_iter().chain(behaviours()).chain(HANDLERS).collect();
            Err(not_known(name, "error handler name", names))
        }
        Err(error) => Err(error),
    }
}

/// The handlers that Python has.
const HANDLERS: [&str; 7] = [
    "replace",
    "ignore",
    "backslashreplace",
    "surrogateescape",
    "surrogatepass",
    "xmlcharrefreplace",
    "namereplace",
];

/// That these errors cannot be asked for here, by their name, with those that can.
#[cold]
pub(crate) fn refused(errors: Option<&Bound<'_, PyAny>>, place: &str, more: &[&'static str]) -> PyErr {
    let name = errors.and_then(|name| name.repr().ok()).map_or_else(String::new, |name| name.to_string());
    let names: Vec<&str> = more.iter().copied().chain(behaviours()).collect();
    PyValueError::new_err(format!("errors={name} is not for {place}; there are {}", names.join(", ")))
}

/// The name of a scheme in Python's manner.
pub(crate) const fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Utf8 => "utf-8",
        Scheme::Utf16Le => "utf-16-le",
        Scheme::Utf16Be => "utf-16-be",
        Scheme::Utf32Le => "utf-32-le",
        Scheme::Utf32Be => "utf-32-be",
        Scheme::Latin1 => "latin-1",
        Scheme::Ascii => "ascii",
        Scheme::Wtf8 => "wtf-8",
        Scheme::Wtf16Le => "wtf-16-le",
        Scheme::Wtf16Be => "wtf-16-be",
        Scheme::GeneralizedUtf8 => "generalized-utf-8",
        Scheme::Cesu8 => "cesu-8",
        Scheme::WobblyCesu8 => "wobbly-cesu-8",
        Scheme::Mutf8 => "mutf-8",
        Scheme::WobblyMutf8 => "wobbly-mutf-8",
        Scheme::CorrectedUtf8 => "corrected-utf-8",
        _ => "unknown",
    }
}

/// Whether all that may be in a text from one scheme has a form in another, or in this becomes the same as U+FFFD does.
const fn may_mark(from: Scheme, to: Scheme) -> bool {
    !matches!(to, Scheme::CorrectedUtf8) && (!from.has_surrogates() || to.has_surrogates())
}

/// The scheme in which surrogates are allowed.
pub(crate) const fn with_surrogates(scheme: Scheme) -> Option<Scheme> {
    Some(match scheme {
        Scheme::Utf8 => Scheme::GeneralizedUtf8,
        Scheme::Utf16Le => Scheme::Wtf16Le,
        Scheme::Utf16Be => Scheme::Wtf16Be,
        Scheme::Cesu8 => Scheme::WobblyCesu8,
        Scheme::Mutf8 => Scheme::WobblyMutf8,
        _ if scheme.has_surrogates() => scheme,
        _ => return None,
    })
}
