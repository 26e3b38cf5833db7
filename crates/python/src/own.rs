//! Python's own error handlers, without a call of Python for each error.
//!
//! CPython's codecs know some handlers by their names and do at once what these would do: `replace`, `ignore` and `surrogateescape`
//! where UTF-8 and ASCII are decoded, all but `namereplace` where UTF-8, ASCII and Latin-1 are encoded. For all else an exception
//! is made for each error, and the handler is called with it, which takes most of a microsecond. What these handlers write depends on
//! nothing but the bytes, or the characters, that the exception names. So here it is written at once, whatever the encoding.
//!
//! Errors begin and end where [`handle`](crate::decode) has them, which is where Python's codecs have them. What is not known
//! here, or raises, is left to the handlers: each function then has no answer.
//!
//! A program may register another handler by one of these names. Python's codecs call that one wherever they would have called
//! the handler that it takes the place of, and so do those here: see [`Own::is_registered`].

mod decoded;
mod encoded;

use core::ffi::CStr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCFunction;
use runecast::{Escape, Policy};

use crate::names::Errors;

pub(crate) use self::decoded::{
    decoded, decoded_ascii, passed, survey, units_of_utf8, units_of_utf16, wide_units_of_utf16,
};
pub(crate) use self::encoded::{any, encoded, generalized, next_surrogate};

/// A handler that Python has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// `replace`.
    Replace,
    /// `ignore`.
    Ignore,
    /// `backslashreplace`.
    Backslash,
    /// `xmlcharrefreplace`.
    Xml,
    /// `surrogateescape`.
    Escape,
    /// `surrogatepass`.
    Pass,
}

/// The handlers that were found to be Python's, by number, with a reference that is kept.
static SEEN: [AtomicPtr<ffi::PyObject>; 6] = [const { AtomicPtr::new(core::ptr::null_mut()) }; 6];

impl Own {
    /// The one that is asked for by these errors.
    pub(crate) fn of(errors: Errors) -> Option<Own> {
        match errors {
            Errors::Known(own) => Some(own),
            Errors::Python(Policy::Replace(_)) => Some(Own::Replace),
            Errors::Python(Policy::DropAtTheRiskOfJoining) => Some(Own::Ignore),
            Errors::Python(Policy::Escape(Escape::Surrogate)) => Some(Own::Escape),
            Errors::Surrogates => Some(Own::Pass),
            _ => None,
        }
    }

    /// Its name, and that of its function.
    const fn names(self) -> (&'static CStr, &'static str) {
        match self {
            Own::Replace => (c"replace", "replace_errors"),
            Own::Ignore => (c"ignore", "ignore_errors"),
            Own::Backslash => (c"backslashreplace", "backslashreplace_errors"),
            Own::Xml => (c"xmlcharrefreplace", "xmlcharrefreplace_errors"),
            Own::Escape => (c"surrogateescape", "surrogateescape"),
            Own::Pass => (c"surrogatepass", "surrogatepass"),
        }
    }

    /// Whether the handler that `codecs` has by this name is Python's, and not one that a program has registered.
    pub(crate) fn is_registered(self, py: Python<'_>) -> bool {
        let (name, function) = self.names();
        // SAFETY: the name is a C string; the result is owned, or null with an error.
        let handler = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCodec_LookupError(name.as_ptr())) };
        let Ok(handler) = handler else { return false };
        let seen = &SEEN[self as usize];
        if seen.load(Ordering::Relaxed) == handler.as_ptr() {
            return true;
        }
        // Functions of a module written in C have that for `__self__`, and those that CPython makes for `codecs` have nothing.
        let is_own = handler.cast_exact::<PyCFunction>().is_ok()
            && handler.getattr("__self__").is_ok_and(|of| of.is_none())
            && handler.getattr("__name__").is_ok_and(|name| name.eq(function).unwrap_or(false));
        if is_own && seen.load(Ordering::Relaxed).is_null() {
            // The reference is kept for ever, so that no other object comes to have the address.
            seen.store(handler.into_ptr(), Ordering::Relaxed);
        }
        is_own
    }

    /// What stands for this character, in ASCII or in the very bytes, and how many bytes that is; nothing, if nothing is known to.
    #[inline]
    fn stands(self, point: u32) -> Option<([u8; STANDS], usize)> {
        let mut text = [0; STANDS];
        let len = match (self, point) {
            (Own::Replace, _) => {
                text[0] = b'?';
                1
            }
            (Own::Ignore, _) => 0,
            (Own::Backslash, ..=0xFF) => hexadecimal::<2>(b'x', point, &mut text),
            (Own::Backslash, ..=0xFFFF) => hexadecimal::<4>(b'u', point, &mut text),
            (Own::Backslash, _) => hexadecimal::<8>(b'U', point, &mut text),
            (Own::Xml, _) => decimal(point, &mut text),
            (Own::Escape, 0xDC80..=0xDCFF) => {
                text[0] = point as u8;
                1
            }
            // As three bytes, like any other code point up to U+FFFF.
            (Own::Pass, 0xD800..=0xDFFF) => {
                text[..3].copy_from_slice(&surrogate(point));
                3
            }
            (Own::Escape | Own::Pass, _) => return None,
        };
        Some((text, len))
    }
}

/// Bytes of the longest that stands for a character, and some more.
const STANDS: usize = 12;

/// A surrogate in generalized UTF-8.
#[inline]
const fn surrogate(point: u32) -> [u8; 3] {
    [0xED, 0x80 | (point >> 6 & 0x3F) as u8, 0x80 | (point & 0x3F) as u8]
}

/// A backslash, a letter, and digits.
#[inline]
fn hexadecimal<const DIGITS: usize>(letter: u8, value: u32, text: &mut [u8; STANDS]) -> usize {
    (text[0], text[1]) = (b'\\', letter);
    for at in 0..DIGITS {
        text[2 + at] = b"0123456789abcdef"[(value >> (4 * (DIGITS - 1 - at))) as usize & 15];
    }
    2 + DIGITS
}

/// A reference to a character in XML.
#[inline]
fn decimal(value: u32, text: &mut [u8; STANDS]) -> usize {
    let digits = value.checked_ilog10().unwrap_or(0) as usize + 1;
    let mut rest = value;
    for place in text[2..2 + digits].iter_mut().rev() {
        *place = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    (text[0], text[1], text[2 + digits]) = (b'&', b'#', b';');
    3 + digits
}
