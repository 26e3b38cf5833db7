//! Strings with surrogates in them, made well-formed.
//!
//! A `str` may hold surrogates, which no encoding of Unicode has a form for: they come of `json.loads`, of `surrogateescape`, of
//! strings of Java and JavaScript that were taken apart. Two that are a pair stand for a character, and others for nothing.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyString;
use runecast::{Escape, IllFormed, Policy, Replacement, Scheme, Utf16, Utf32};

use crate::decode;
use crate::input::{LONG, aside};
use crate::names::{self, Errors};
use crate::text::{self, View};
use crate::wrong::Stop;

/// What is asked for where a surrogate is not one of a pair.
enum Wanted {
    Strict,
    Policy(Policy<'static>),
    /// Those that stand for bytes become these, and the bytes what UTF-8 they are.
    Bytes,
}

/// This text with the character for each pair of surrogates, and U+FFFD, or what `errors` says, for each other surrogate: the very
/// object, if there is none.
#[pyfunction]
#[pyo3(signature = (text, errors=None))]
pub(crate) fn well_formed<'py>(
    text: &Bound<'py, PyString>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let wanted = match errors.map(|name| names::errors(Some(name))).transpose()? {
        None => Wanted::Policy(Policy::default()),
        Some(Errors::Strict) => Wanted::Strict,
        Some(Errors::Python(Policy::Escape(Escape::Surrogate))) => Wanted::Bytes,
        Some(Errors::Policy(policy) | Errors::Python(policy)) => Wanted::Policy(policy),
        Some(Errors::Surrogates | Errors::Known(_) | Errors::Handler) => {
            let more = ["strict", "replace", "ignore", "surrogateescape"];
            return Err(names::refused(errors, "strings", &more));
        }
    };
    let characters;
    let view = match text::view(text) {
        Some(view) => view,
        None => {
            characters = text::characters(text)?;
            View::Four(&characters)
        }
    };
    let free = view.len() >= LONG;
    if !aside(py, free, || has_surrogates(view)) {
        return Ok(text.clone().into_any());
    }
    let utf8 = aside(py, free, || {
        let units = units(view);
        match wanted {
            Wanted::Bytes => Ok(without_escapes(&units)),
            Wanted::Policy(policy) => Ok(runecast::repair::<Utf16>(&units, policy).into_owned().into_bytes()),
            Wanted::Strict => {
                runecast::validate::<Utf16>(&units)?;
                Ok(runecast::repair::<Utf16>(&units, Replacement::Whatwg).into_owned().into_bytes())
            }
        }
    });
    match utf8 {
        Ok(utf8) => decode::lossy(py, Scheme::Utf8, &utf8, Policy::default(), free),
        Err(IllFormed { at, .. }) => {
            let (at, point) = character(view, at);
            Err(PyErr::from_value(Stop::unrepresentable(at, 1, point, "utf-8").encoding("utf-8", text)?))
        }
    }
}

fn has_surrogates(view: View<'_>) -> bool {
    match view {
        View::Ascii(_) | View::One(_) => false,
        // Block by block, each a loop without an exit, of which a compiler makes vectors.
        View::Two(units) => units
            .chunks(1024)
            .any(|block| block.iter().fold(false, |any, unit| any | (unit & 0xF800 == 0xD800))),
        View::Four(units) => runecast::validate::<Utf32>(units).is_err(),
    }
}

/// The text in UTF-16, in which surrogates that stand side by side are pairs.
fn units(view: View<'_>) -> Cow<'_, [u16]> {
    if let View::Two(units) = view {
        return units.into();
    }
    let mut units = Vec::with_capacity(view.len());
    for point in view.points() {
        match char::from_u32(point) {
            Some(character) => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
            None => units.push(point as u16),
        }
    }
    units.into()
}

/// The character that the unit at `unit` of the text in UTF-16 belongs to, and its place.
#[cold]
fn character(view: View<'_>, unit: usize) -> (usize, u32) {
    let mut end = 0;
    let found = view.points().enumerate().find(|(_, point)| {
        end += char::from_u32(*point).map_or(1, char::len_utf16);
        end > unit
    });
    found.unwrap_or_default()
}

/// The text in UTF-8, with the bytes that lone surrogates U+DC80..U+DCFF stand for, which may be ill-formed.
fn without_escapes(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len());
    for character in char::decode_utf16(units.iter().copied()) {
        match character.map_err(|error| error.unpaired_surrogate()) {
            Err(escape @ 0xDC80..=0xDCFF) => bytes.push(escape as u8),
            character => {
                let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
    bytes
}
