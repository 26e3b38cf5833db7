//! Ill-formed text, right into the memory of a string.
//!
//! These functions are for what is frequent: UTF-8, ASCII and UTF-16, by a policy that writes what is known beforehand. Each has no answer
//! where a string cannot be written in place (see [`text`](crate::text)), or where it knows of a faster way, or of none.

use core::mem::MaybeUninit;

use pyo3::prelude::*;
use runecast::{Escape, Policy, Repertoire, Replacement, Scheme};

use super::{SHORT, short};
use crate::input::aside;
use crate::own::{self, Own};
use crate::text::{self, Blank};

/// A text of UTF-8 or ASCII that is ill-formed, by a policy that writes one unit for a byte at most, right into a string; or nothing, if
/// it is not that, or there is a faster way.
///
/// It is as long as its bytes at most, so the string is made that long, and cut where it ends. Whatever is written for an error is
/// above U+00FF, and so the string has two bytes a character, or four if there is any character above U+FFFF.
#[cold]
pub(crate) fn in_place<'py>(
    py: Python<'py>,
    scheme: Scheme,
    src: &[u8],
    policy: Policy<'_>,
    free: bool,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    if !matches!(scheme, Scheme::Utf8 | Scheme::Ascii) {
        return None;
    }
    let own = match policy {
        Policy::Replace(Replacement::Whatwg) => Own::Replace,
        Policy::Escape(Escape::Surrogate) => Own::Escape,
        _ if src.len() <= SHORT => return short_lossy(py, scheme, src, policy),
        _ => return None,
    };
    match scheme {
        Scheme::Ascii => own_ascii(py, src, policy, free),
        Scheme::Utf8 => own_utf8(py, own, src, free),
        _ => None,
    }
}

/// The same by the handlers `replace`, `surrogateescape` and `surrogatepass`, which have to know what to write for all that is ill-formed.
pub(super) fn own_utf8<'py>(
    py: Python<'py>,
    own: Own,
    src: &[u8],
    free: bool,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    if !text::use_layout(None) {
        return None;
    }
    // Long text becomes UTF-8 first, by kernels that replace.
    if own == Own::Replace && src.len() > SHORT {
        return None;
    }
    let wide = aside(py, free, || has_supplementary(src));
    let (repertoire, convert): (_, fn(_, &[u8], &mut [_]) -> _) = match wide {
        true => (Repertoire::Unicode, own::units_of_utf8::<4>),
        false => (Repertoire::Bmp, own::units_of_utf8::<2>),
    };
    let width = repertoire.width();
    if src.len() <= SHORT {
        let mut place = [MaybeUninit::<u8>::uninit(); 4 * SHORT];
        let (len, any) = convert(own, src, &mut place)?;
        if !any && !wide {
            return None;
        }
        let mut blank = match Blank::new(py, len, repertoire)? {
            Ok(blank) => blank,
            Err(error) => return Some(Err(error)),
        };
        // SAFETY: so many units are written, and there is room for them.
        let written =
            unsafe { core::slice::from_raw_parts(place.as_ptr().cast::<u8>(), (len * width).min(4 * SHORT)) };
        text::copy(blank.bytes(), written);
        // SAFETY: all is written. There is a character above U+FFFF, or there is none, and one above U+00FF.
        return Some(Ok(unsafe { blank.finish() }));
    }
    let mut blank = match Blank::new(py, src.len(), repertoire)? {
        Ok(blank) => blank,
        Err(error) => return Some(Err(error)),
    };
    let dst = blank.bytes();
    let (len, any) = aside(py, free, || convert(own, src, dst))?;
    if !any && !wide {
        return None;
    }
    // SAFETY: as above, for as many characters as were written.
    Some(unsafe { blank.finish_first(len) })
}

/// UTF-16 by one of Python's handlers, right into a string; nothing, if it is well-formed or ends within a unit, or nothing is known.
pub(super) fn own_utf16<'py>(
    py: Python<'py>,
    own: Own,
    scheme: Scheme,
    src: &[u8],
    free: bool,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let (units, []) = src.as_chunks::<2>() else { return None };
    let big = match scheme {
        Scheme::Utf16Le => false,
        Scheme::Utf16Be => true,
        _ => return None,
    };
    if !text::use_layout(None) {
        return None;
    }
    let found =
        aside(py, free, || if big { own::survey::<true>(units) } else { own::survey::<false>(units) });
    let lone = found.surrogates - 2 * found.pairs;
    if lone == 0 || !own.is_registered(py) {
        return None;
    }
    let (repertoire, most) = match own {
        Own::Replace | Own::Pass => (Repertoire::Bmp, units.len()),
        Own::Ignore | Own::Backslash => {
            let repertoire = match found.bits {
                0..=0x7F => Repertoire::Ascii,
                0x80..=0xFF => Repertoire::Latin1,
                _ => Repertoire::Bmp,
            };
            // Eight characters for a unit, of which one is counted already.
            let more = if own == Own::Backslash { lone.checked_mul(7)? } else { 0 };
            (repertoire, units.len().checked_add(more)?)
        }
        _ => return None,
    };
    let repertoire = if found.pairs > 0 { Repertoire::Unicode } else { repertoire };
    let mut blank = match Blank::new(py, most, repertoire)? {
        Ok(blank) => blank,
        Err(error) => return Some(Err(error)),
    };
    let dst = blank.bytes();
    let len = aside(py, free, || match (repertoire, big) {
        (Repertoire::Unicode, _) => own::wide_units_of_utf16(own, scheme, src, dst),
        (Repertoire::Bmp, false) => own::units_of_utf16::<false, 2>(own, units, dst),
        (Repertoire::Bmp, true) => own::units_of_utf16::<true, 2>(own, units, dst),
        (_, false) => own::units_of_utf16::<false, 1>(own, units, dst),
        (_, true) => own::units_of_utf16::<true, 1>(own, units, dst),
    })?;
    // SAFETY: so many characters are written. Of four bytes each if there is a pair; or else the widest of them is U+FFFD, a surrogate, or
    // a unit that is none, and what is written for the others is ASCII.
    Some(unsafe { blank.finish_first(len) })
}

/// A short text by any other policy, on the stack.
fn short_lossy<'py>(
    py: Python<'py>,
    scheme: Scheme,
    src: &[u8],
    policy: Policy<'_>,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    if matches!(policy, Policy::Replace(Replacement::Python2)) || !text::use_layout(None) {
        return None;
    }
    let mut place = [MaybeUninit::<u8>::uninit(); 4 * SHORT];
    let done = scheme.transcode_lossy_uninit(Scheme::Utf8, src, &mut place, policy).ok()?;
    // SAFETY: as many bytes are written as it says, and there is room for them.
    let utf8 =
        unsafe { core::slice::from_raw_parts(place.as_ptr().cast::<u8>(), done.written.min(4 * SHORT)) };
    if utf8.is_ascii() {
        return text::short_ascii(py, utf8);
    }
    if utf8.len() <= SHORT { short(py, utf8) } else { None }
}

/// The same of ASCII, where each byte is a character or an error.
fn own_ascii<'py>(
    py: Python<'py>,
    src: &[u8],
    policy: Policy<'_>,
    free: bool,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let mut blank = match Blank::new(py, src.len(), Repertoire::Bmp)? {
        Ok(blank) => blank,
        Err(error) => return Some(Err(error)),
    };
    let escapes = matches!(policy, Policy::Escape(_));
    let (units, _) = blank.bytes().as_chunks_mut::<2>();
    let is_ascii = aside(py, free, || {
        let mut all = 0;
        for (unit, byte) in units.iter_mut().zip(src) {
            let other = if escapes { 0xDC00 | u16::from(*byte) } else { 0xFFFD };
            let value = if *byte < 0x80 { u16::from(*byte) } else { other };
            *unit = value.to_le_bytes().map(MaybeUninit::new);
            all |= byte;
        }
        all < 0x80
    });
    // SAFETY: a unit is written for each byte, one of them of what is not ASCII.
    (!is_ascii).then(|| Ok(unsafe { blank.finish() }))
}

/// Whether there is a character above U+FFFF in UTF-8 that may be ill-formed: its four bytes are one wherever they stand.
fn has_supplementary(src: &[u8]) -> bool {
    const BLOCK: usize = 64;
    src.chunks(BLOCK).enumerate().any(|(index, block)| {
        let leads = |byte: &u8| matches!(byte, 0xF0..=0xF4);
        block.iter().fold(false, |any, byte| any | leads(byte))
            && block.iter().enumerate().any(|(at, byte)| {
                let at = index * BLOCK + at;
                leads(byte) && src.get(at..at + 4).is_some_and(|four| core::str::from_utf8(four).is_ok())
            })
    })
}
