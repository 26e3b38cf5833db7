//! Encodings and error handlers by name.
//!
//! Names of encodings are the library's, which takes all that Python's documentation lists for these encodings. Two
//! things are Python's: a plain `utf-16` or `utf-32` without a byte order mark is in the byte order of this machine, and
//! writing it begins with a mark, as Python's own codecs of these names do. (The library takes such a text for
//! big-endian, as Unicode does.)
//!
//! **Names are looked up by their address first.** A name in a program is nearly always a constant, which Python
//! interns: one object, wherever it stands. Sixteen of these are remembered for each of the two lists, never
//! to be forgotten: what is remembered keeps a reference, so that no other object comes to have the address. A name that is
//! not interned is parsed every time.

use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use pyo3::exceptions::{PyLookupError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use runecast::{Escape, Label, Policy, Replacement, Scheme};

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
    /// A handler that is registered with `codecs`.
    Handler,
}

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

    #[inline]
    fn get(&self, name: *mut ffi::PyObject) -> Option<u8> {
        let slot = Cache::slot(name);
        (self.names[slot].load(Ordering::Acquire) == name).then(|| self.values[slot].load(Ordering::Relaxed))
    }

    /// Remembers an interned name, if there is room. Whoever calls this holds the GIL.
    #[cold]
    fn put(&self, name: &Bound<'_, PyString>, value: u8) {
        let slot = Cache::slot(name.as_ptr());
        if !self.names[slot].load(Ordering::Relaxed).is_null() {
            return;
        }
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

/// The labels by number.
const PLAIN: [Label; 3] = [Label::Utf16, Label::Utf32, Label::Wtf16];

fn numbered(number: u8) -> Label {
    let index = usize::from(number);
    match Scheme::ALL.get(index) {
        Some(scheme) => Label::Exactly(*scheme),
        None => PLAIN[(index - Scheme::ALL.len()) % PLAIN.len()],
    }
}

fn number(label: Label) -> u8 {
    let labels = Scheme::ALL.map(Label::Exactly).into_iter().chain(PLAIN);
    labels.zip(0..).find(|(other, _)| *other == label).map_or(0, |(_, number)| number)
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
pub(crate) fn label(name: Option<&Bound<'_, PyAny>>) -> PyResult<Label> {
    static KNOWN: Cache = Cache::new();
    let Some(name) = name else { return Ok(Label::Exactly(Scheme::Utf8)) };
    match KNOWN.get(name.as_ptr()) {
        Some(value) => Ok(numbered(value)),
        None => unknown_label(name, &KNOWN),
    }
}

#[cold]
fn unknown_label(name: &Bound<'_, PyAny>, known: &Cache) -> PyResult<Label> {
    let name = string(name, "encoding")?;
    let text = name.to_str()?;
    let label: Label = text
        .parse()
        .map_err(|error| PyLookupError::new_err(format!("unknown encoding: {text:?}: {error}")))?;
    known.put(name, number(label));
    Ok(label)
}

/// The names of `errors`, by their number.
const ERRORS: [(&str, Errors); 18] = [
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
    static KNOWN: Cache = Cache::new();
    let Some(name) = name else { return Ok(Errors::Strict) };
    match KNOWN.get(name.as_ptr()) {
        Some(value) => Ok(ERRORS[usize::from(value) % ERRORS.len()].1),
        None => unknown_errors(name, &KNOWN),
    }
}

#[cold]
fn unknown_errors(name: &Bound<'_, PyAny>, known: &Cache) -> PyResult<Errors> {
    let name = string(name, "errors")?;
    let text = name.to_str()?;
    let own = text.strip_prefix("runecast.").unwrap_or(text);
    if let Some(index) = ERRORS.iter().position(|(other, _)| *other == own && !own.is_empty()) {
        known.put(name, index as u8);
        return Ok(ERRORS[index].1);
    }
    // Raises LookupError. Not remembered: a handler may come and go.
    name.py().import("codecs")?.call_method1("lookup_error", (name,))?;
    Ok(Errors::Handler)
}

/// The name of an encoding in Python's manner, for `codecs` and for exceptions: "utf-16-le".
pub(crate) const fn codec_name(label: Label) -> &'static str {
    match label {
        Label::Utf16 => "utf-16",
        Label::Utf32 => "utf-32",
        Label::Wtf16 => "wtf-16",
        Label::Exactly(scheme) => match scheme {
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
        },
    }
}

/// The scheme of a text that begins with `head`, and how long its mark is, which is no part of the text where
/// the encoding is a plain one.
pub(crate) fn recognize(label: Label, head: &[u8]) -> (Scheme, usize) {
    let (big, little) = label.schemes();
    if !label.is_plain() {
        return (big, 0);
    }
    match [big, little].into_iter().find(|scheme| scheme.is_marked(head)) {
        Some(scheme) => (scheme, scheme.mark().len()),
        None => (native(label), 0),
    }
}

/// The scheme in the byte order of this machine.
pub(crate) const fn native(label: Label) -> Scheme {
    let (big, little) = label.schemes();
    if cfg!(target_endian = "big") { big } else { little }
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
