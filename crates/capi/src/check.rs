//! Is it well-formed, and how far?

use std::ffi::c_void;

use runecast::Policy;

use crate::boundary::{guard, input};
use crate::encoding::scheme;
use crate::types::{Codes, EncodingNumber, Outcome};

/// Whether a text is well-formed UTF-8.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_is_utf8(src: *const c_void, len: usize) -> bool {
    // SAFETY: the contract of the header.
    let src = unsafe { input(src, len) };
    guard(|| false, || src.is_some_and(runecast::is_utf8))
}

/// Whether all bytes are up to 7F.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_is_ascii(src: *const c_void, len: usize) -> bool {
    // SAFETY: the contract of the header.
    let src = unsafe { input(src, len) };
    guard(|| false, || src.is_some_and(runecast::is_ascii))
}

/// How many of the first bytes are up to 7F.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_ascii_prefix(src: *const c_void, len: usize) -> usize {
    // SAFETY: the contract of the header.
    let src = unsafe { input(src, len) };
    guard(|| 0, || src.map_or(0, runecast::ascii_prefix))
}

/// Checks that a text is well-formed. `read` is the length of the well-formed prefix, of all the text if it is.
/// Where it is not, `code` is the rule that is broken, `at` and `len` are the place and length of the
/// first ill-formed sequence: in UTF-8 a maximal subpart.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_validate(
    encoding: EncodingNumber,
    src: *const c_void,
    len: usize,
) -> Outcome {
    // SAFETY: the contract of the header.
    let src = unsafe { input(src, len) };
    let (Some(scheme), Some(src)) = (scheme(encoding), src) else {
        return Outcome::of(Codes::RunecastBadArgument);
    };
    guard(
        || Outcome::of(Codes::RunecastInternal),
        || match scheme.validate(src) {
            Ok(()) => Outcome::ok(src.len(), 0),
            Err(error) => Outcome { read: error.at, ..Outcome::wrong(error) },
        },
    )
}

/// The length of the longest prefix that is well-formed. 0 for a bad argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_valid_prefix(
    encoding: EncodingNumber,
    src: *const c_void,
    len: usize,
) -> usize {
    // SAFETY: the contract of the header.
    unsafe { runecast_validate(encoding, src, len) }.read
}

/// The length of a text without what is only the beginning of a character at its end: so much can be
/// converted or checked by itself if the rest is put in front of what comes next. Nothing is checked.
/// In encodings with unpaired surrogates, a high one at the end waits too. 0 for a bad argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_complete_prefix(
    encoding: EncodingNumber,
    src: *const c_void,
    len: usize,
) -> usize {
    // SAFETY: the contract of the header.
    let src = unsafe { input(src, len) };
    let (Some(scheme), Some(src)) = (scheme(encoding), src) else { return 0 };
    guard(|| 0, || src.len() - scheme.incomplete_suffix(Policy::default(), src))
}
