//! Escapes: what is written for ill-formed units so that they can be recognised, or recovered.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::lossy::{holds_surrogates, push_all, put_all, substitute, surrogate, unpaired};
#[cfg(feature = "alloc")]
use crate::convert::transcode_append;
use crate::output::OutputCursor;
use crate::unicode::{Encoding, Unit, Variant, cast};
#[cfg(feature = "alloc")]
use crate::unicode::{Fault, IllFormed, Kind, Utf8, is_surrogate};

/// How ill-formed code units are escaped, so that nothing is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Escape {
    /// `\xE9` for each byte, as Python's `backslashreplace` but in capital letters; for a unit of the forms UTF-16 and UTF-32
    /// `\uD800` or `\U00110000`. Escapes can be told from the same characters in the text only if the text has none.
    Backslash,
    /// The surrogate U+DC80..U+DCFF for each byte 80..FF of ill-formed UTF-8, as Python's
    /// `surrogateescape` (PEP 383), for targets of 16- or 32-bit units: their text is then ill-formed, and
    /// [`unescape_surrogates`] recovers the bytes. An unpaired surrogate of UTF-16 or UTF-32 stays
    /// unchanged. Anything else, and everything for other targets, becomes U+FFFD.
    Surrogate,
    /// The character of Latin-1 for each byte of ill-formed UTF-8: for logs in which some lines are in that encoding. Ill-formed
    /// units of UTF-16 and UTF-32 become U+FFFD.
    Latin1,
    /// The same, by windows-1252, which the WHATWG Encoding Standard calls latin1. The five bytes that it does not assign stand for
    /// the control characters of the same number.
    Windows1252,
}

impl Escape {
    /// All of them.
    pub const ALL: [Escape; 4] = [Escape::Backslash, Escape::Surrogate, Escape::Latin1, Escape::Windows1252];

    /// The name on a command line: `"backslash"`, `"surrogate"`, `"latin1"`, `"windows-1252"`.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Escape::Backslash => "backslash",
            Escape::Surrogate => "surrogate",
            Escape::Latin1 => "latin1",
            Escape::Windows1252 => "windows-1252",
        }
    }
}

/// The characters of windows-1252 for the bytes 80..9F, as in the index of the WHATWG Encoding Standard; all other bytes are those
/// of Latin-1.
const WINDOWS_1252: [u16; 32] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
];

/// Writes the escapes of these ill-formed units, all or none.
pub(super) fn push_escaped<S: Encoding, D: Encoding>(
    units: &[S::Unit],
    escape: Escape,
    output: &mut OutputCursor<'_, D::Unit>,
) -> bool {
    let bytes: &[u8] = cast(units);
    let value = |unit: &S::Unit| {
        let mut native = [0; 4];
        native[..size_of::<S::Unit>()].copy_from_slice(Unit::bytes(core::slice::from_ref(unit)));
        match size_of::<S::Unit>() {
            1 => u32::from(native[0]),
            2 => u32::from(u16::from_ne_bytes([native[0], native[1]])),
            _ => u32::from_ne_bytes(native),
        }
    };
    let in_utf8 = matches!(S::VARIANT, Variant::Utf8 | Variant::Ascii);
    match escape {
        Escape::Backslash => {
            let (letter, digits) = match size_of::<S::Unit>() {
                1 => ('x', 2),
                2 => ('u', 4),
                _ => ('U', 8),
            };
            let digit = move |unit: u32, index: u32| {
                char::from_digit(unit >> (4 * index) & 0xF, 16).unwrap_or('0').to_ascii_uppercase()
            };
            let characters = units.iter().flat_map(|unit| {
                let unit = value(unit);
                ['\\', letter].into_iter().chain((0..digits).rev().map(move |index| digit(unit, index)))
            });
            push_all::<D>(characters.map(u32::from), output)
        }
        Escape::Surrogate if holds_surrogates(D::VARIANT) && in_utf8 => {
            let units = |byte: &u8| surrogate::<D>(0xDC00 + u32::from(*byte));
            put_all(bytes.iter().map(units), output)
        }
        Escape::Surrogate if holds_surrogates(D::VARIANT) => match unpaired::<S>(units) {
            Some(point) => output.put(&surrogate::<D>(point)),
            None => output.put(&substitute::<D>()),
        },
        Escape::Latin1 if in_utf8 => push_all::<D>(bytes.iter().map(|byte| u32::from(*byte)), output),
        Escape::Windows1252 if in_utf8 => {
            let character = |byte: &u8| match byte {
                0x80..=0x9F => u32::from(WINDOWS_1252[usize::from(byte - 0x80)]),
                _ => u32::from(*byte),
            };
            push_all::<D>(bytes.iter().map(character), output)
        }
        Escape::Surrogate | Escape::Latin1 | Escape::Windows1252 => output.put(&substitute::<D>()),
    }
}

/// The inverse of [`Escape::Surrogate`]: the bytes from which it made `src`, in UTF-16 or UTF-32. They are
/// UTF-8 with a byte 80..FF for each unpaired surrogate U+DC80..U+DCFF, in a new vector. It panics or aborts only as
/// [`Vec::reserve`] does.
///
/// # Errors
/// The first ill-formed unit that is not such a surrogate, with its offset in code units of `src`.
///
/// ```
/// use runecast::{Escape, Utf8, Utf16, transcode_lossy_to_vec, unescape_surrogates};
///
/// let bytes = b"caf\xE9";
/// let units = transcode_lossy_to_vec::<Utf8, Utf16>(bytes, Escape::Surrogate);
/// assert_eq!(units[3], 0xDCE9);
/// assert_eq!(unescape_surrogates::<Utf16>(&units).as_deref(), Ok(&bytes[..]));
/// ```
#[cfg(feature = "alloc")]
pub fn unescape_surrogates<E: Encoding>(src: &[E::Unit]) -> Result<Vec<u8>, IllFormed> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Err(error) = transcode_append::<E, Utf8>(&src[at..], &mut bytes) {
        at += error.read;
        match E::decode(&src[at..]) {
            // In encodings that allow unpaired surrogates.
            Ok((surrogate @ 0xDC80..=0xDCFF, len)) => {
                bytes.push(surrogate as u8);
                at += len;
            }
            Ok((point, len)) if is_surrogate(point) => {
                return Err(E::error(Fault::new(len, Kind::Surrogate), src, at));
            }
            Ok(_) => break,
            Err(fault) => match unpaired::<E>(&src[at..at + fault.len()]) {
                Some(surrogate @ 0xDC80..=0xDCFF) => {
                    bytes.push(surrogate as u8);
                    at += fault.len();
                }
                _ => return Err(E::error(fault, src, at)),
            },
        }
    }
    Ok(bytes)
}
