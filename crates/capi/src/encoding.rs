//! Encodings by number and by name, and what a byte order mark says.

use std::ffi::{c_char, c_void};

use runecast::{Label, Scheme};

use crate::boundary::{guard, input, text};
use crate::message::terminated;
use crate::types::{EncodingNumber, Encodings};

/// The numbers that a text can be in: those of the schemes, and for the forms of this machine.
const SCHEMES: [(Encodings, Scheme); 19] = [
    (Encodings::RunecastUtf8, Scheme::Utf8),
    (Encodings::RunecastUtf16Le, Scheme::Utf16Le),
    (Encodings::RunecastUtf16Be, Scheme::Utf16Be),
    (Encodings::RunecastUtf32Le, Scheme::Utf32Le),
    (Encodings::RunecastUtf32Be, Scheme::Utf32Be),
    (Encodings::RunecastLatin1, Scheme::Latin1),
    (Encodings::RunecastAscii, Scheme::Ascii),
    (Encodings::RunecastWtf8, Scheme::Wtf8),
    (Encodings::RunecastWtf16Le, Scheme::Wtf16Le),
    (Encodings::RunecastWtf16Be, Scheme::Wtf16Be),
    (Encodings::RunecastGeneralizedUtf8, Scheme::GeneralizedUtf8),
    (Encodings::RunecastCesu8, Scheme::Cesu8),
    (Encodings::RunecastWobblyCesu8, Scheme::WobblyCesu8),
    (Encodings::RunecastMutf8, Scheme::Mutf8),
    (Encodings::RunecastWobblyMutf8, Scheme::WobblyMutf8),
    (Encodings::RunecastCorrectedUtf8, Scheme::CorrectedUtf8),
    (Encodings::RunecastUtf16, native(Scheme::Utf16Le, Scheme::Utf16Be)),
    (Encodings::RunecastUtf32, native(Scheme::Utf32Le, Scheme::Utf32Be)),
    (Encodings::RunecastWtf16, native(Scheme::Wtf16Le, Scheme::Wtf16Be)),
];

const fn native(little: Scheme, big: Scheme) -> Scheme {
    if cfg!(target_endian = "big") { big } else { little }
}

/// The scheme of each number, to be had without a search: a call for a short text takes a few nanoseconds.
const BY_NUMBER: [Option<Scheme>; 64] = {
    let mut table = [None; 64];
    let mut at = 0;
    while at < SCHEMES.len() {
        table[SCHEMES[at].0 as usize] = Some(SCHEMES[at].1);
        at += 1;
    }
    table
};

/// Those whose byte order the text tells.
const MARKED: [(Encodings, Label, &[u8]); 3] = [
    (Encodings::RunecastUtf16Marked, Label::Utf16, b"UTF-16\0"),
    (Encodings::RunecastUtf32Marked, Label::Utf32, b"UTF-32\0"),
    (Encodings::RunecastWtf16Marked, Label::Wtf16, b"WTF-16\0"),
];

/// The names of the schemes, as C strings.
const NAMES: [[u8; 24]; 64] = {
    let mut names = [[0; 24]; 64];
    let mut at = 0;
    while at < SCHEMES.len() {
        names[SCHEMES[at].0 as usize] = terminated(SCHEMES[at].1.name());
        at += 1;
    }
    names
};

/// They lie in one place.
static TERMINATED: [[u8; 24]; 64] = NAMES;

/// The scheme of this number.
#[inline]
pub(crate) fn scheme(number: EncodingNumber) -> Option<Scheme> {
    *BY_NUMBER.get(number as usize)?
}

/// What this number may mean where a text is only about to be seen.
pub(crate) fn label(number: EncodingNumber) -> Option<Label> {
    let marked = MARKED.iter().find(|(known, ..)| *known as EncodingNumber == number);
    marked.map(|(_, label, _)| *label).or(scheme(number).map(Label::Exactly))
}

/// The number of a scheme.
pub(crate) fn number(scheme: Scheme) -> EncodingNumber {
    SCHEMES.iter().find(|(_, known)| *known == scheme).map_or(0, |(number, _)| *number as EncodingNumber)
}

/// The encoding of a name, such as "utf-8", "UTF-16LE", "latin1" or "cp65001": names of iconv, IANA and the
/// WHATWG, in any case, without regard to hyphens, underscores and spaces. 0 if there is none. Of "UTF-16",
/// "UTF-32" and "WTF-16" a text has to tell the byte order: these are RUNECAST_UTF16_MARKED and so on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_encoding_named(name: *const c_char, len: usize) -> EncodingNumber {
    guard(
        || 0,
        || {
            // SAFETY: the contract of the header.
            let name = unsafe { text(name, len) };
            match name.and_then(|name| name.parse().ok()) {
                None => 0,
                Some(Label::Exactly(scheme)) => number(scheme),
                Some(plain) => MARKED
                    .iter()
                    .find(|(_, label, _)| *label == plain)
                    .map_or(0, |(number, ..)| *number as EncodingNumber),
            }
        },
    )
}

/// The name of an encoding, such as "UTF-16LE"; a null pointer if there is no such encoding.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_encoding_name(encoding: EncodingNumber) -> *const c_char {
    let marked = MARKED.iter().find(|(known, ..)| *known as EncodingNumber == encoding);
    match (marked, scheme(encoding)) {
        (Some((_, _, name)), _) => name.as_ptr().cast(),
        (None, Some(_)) => TERMINATED[encoding as usize].as_ptr().cast(),
        (None, None) => core::ptr::null(),
    }
}

/// The encoding whose byte order mark a text begins with: UTF-8, UTF-16 or UTF-32; 0 if there is none. FF FE 00
/// 00 is taken for UTF-32LE. Four bytes of the text are enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_bom(src: *const c_void, len: usize) -> EncodingNumber {
    guard(
        || 0,
        || {
            // SAFETY: the contract of the header.
            let src = unsafe { input(src, len) };
            src.and_then(Scheme::of_mark).map_or(0, number)
        },
    )
}

/// The length of the byte order mark of an encoding: 0 if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_bom_len(encoding: EncodingNumber) -> usize {
    scheme(encoding).map_or(0, |scheme| scheme.mark().len())
}
