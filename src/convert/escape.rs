//! Escapes: what is written for ill-formed units so that they can be recognised, or recovered.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use super::lossy::{REPLACEMENT, unpaired};
#[cfg(feature = "alloc")]
use super::strict::drive;
#[cfg(feature = "alloc")]
use crate::kernel::Engine;
#[cfg(feature = "alloc")]
use crate::output::{self, OutputCursor};
#[cfg(feature = "alloc")]
use crate::unicode::{Encoding, Fault, IllFormed, Kind, Utf8, cast, is_surrogate};
use crate::unicode::{Order, Variant};

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
    /// unchanged; two of UTF-32 may form a pair in UTF-16 then. Anything else, and everything for other targets, becomes U+FFFD.
    Surrogate,
    /// The character of Latin-1 for each byte of ill-formed UTF-8 or ASCII: for logs in which some lines are in that encoding. What is
    /// ill-formed in any other encoding becomes U+FFFD.
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

impl fmt::Display for Escape {
    /// Writes the [name](Self::name).
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing an [`Escape`]: none has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownEscape;

impl fmt::Display for UnknownEscape {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, others @ ..] = Escape::ALL;
        write!(f, "no such escape; there are {first}")?;
        others.iter().try_for_each(|escape| write!(f, ", {escape}"))
    }
}

impl core::error::Error for UnknownEscape {}

impl core::str::FromStr for Escape {
    type Err = UnknownEscape;

    /// By its [name](Self::name), in capital letters or not.
    #[inline]
    fn from_str(name: &str) -> Result<Escape, UnknownEscape> {
        Escape::ALL.into_iter().find(|escape| escape.name().eq_ignore_ascii_case(name)).ok_or(UnknownEscape)
    }
}

/// The characters of windows-1252 for the bytes 80..9F, as in the index of the WHATWG Encoding Standard; all other bytes are those
/// of Latin-1.
const WINDOWS_1252: [u16; 32] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
];

/// The digits of escapes.
const DIGITS: [u8; 16] = *b"0123456789ABCDEF";

/// `\xE9` for a byte.
const fn with_digits(byte: u8) -> [u8; 4] {
    [b'\\', b'x', DIGITS[(byte >> 4) as usize], DIGITS[(byte & 0xF) as usize]]
}

/// The UTF-8 that stands for a byte.
#[derive(Clone, Copy)]
struct Escaped {
    utf8: [u8; 4],
    len: u8,
}

/// Those for the bytes 80..FF: where nearly every byte is escaped, to compute them would be most of the work.
#[derive(Clone, Copy)]
pub(super) struct EscapeTable([Escaped; 128]);

impl EscapeTable {
    /// The UTF-8 that stands for a byte 80..FF of ill-formed UTF-8, and its length.
    #[inline]
    pub(super) fn utf8_of(&self, byte: u8) -> ([u8; 4], usize) {
        let Escaped { utf8, len } = self.0[usize::from(byte & 0x7F)];
        (utf8, len.into())
    }

    const fn new(escape: Escape) -> EscapeTable {
        let mut all = [Escaped { utf8: [0; 4], len: 0 }; 128];
        let mut at = 0;
        while at < all.len() {
            let byte = 0x80 | at as u8;
            all[at] = match escape {
                Escape::Backslash => Escaped { utf8: with_digits(byte), len: 4 },
                _ => {
                    let mut utf8 = [0; 4];
                    let len = match char::from_u32(escape.point_of(byte) as u32) {
                        Some(character) => character.encode_utf8(&mut utf8).len(),
                        None => 0,
                    };
                    Escaped { utf8, len: len as u8 }
                }
            };
            at += 1;
        }
        EscapeTable(all)
    }
}

/// The most code points of an escape: four for each of six bytes.
const MOST_POINTS: usize = 4 * 6;

/// The code points that are written for an ill-formed sequence. Surrogates among them are units of the target, and U+FFFD is whatever the
/// target has for it.
///
/// This is a plain buffer, which every source fills in the same way and every target reads in the same way: as a chain of iterators it
/// was compiled for each pair of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EscapePoints {
    /// (None of them needs more bits.)
    points: [u16; MOST_POINTS],
    len: usize,
}

impl EscapePoints {
    /// The points.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.points[..self.len]
    }

    #[inline]
    fn push(&mut self, point: u16) {
        if let Some(slot) = self.points.get_mut(self.len) {
            *slot = point;
            self.len += 1;
        }
    }
}

impl Escape {
    /// What stands for the bytes of ill-formed UTF-8, by an escape of each byte.
    #[inline]
    pub(super) fn table(self) -> &'static EscapeTable {
        static BACKSLASH: EscapeTable = EscapeTable::new(Escape::Backslash);
        static LATIN1: EscapeTable = EscapeTable::new(Escape::Latin1);
        static WINDOWS: EscapeTable = EscapeTable::new(Escape::Windows1252);
        match self {
            Escape::Backslash => &BACKSLASH,
            Escape::Windows1252 => &WINDOWS,
            _ => &LATIN1,
        }
    }

    /// The character that stands for a byte of ill-formed UTF-8, by an escape of each byte as one.
    #[inline]
    const fn point_of(self, byte: u8) -> u16 {
        match (self, byte) {
            (Escape::Windows1252, 0x80..=0x9F) => WINDOWS_1252[byte as usize - 0x80],
            _ => byte as u16,
        }
    }

    /// Whether something is written for each byte of an ill-formed sequence of this source, or for each unit; otherwise for it as one.
    #[inline]
    pub(super) const fn is_of_each(self, source: Variant, surrogates: bool) -> bool {
        let in_utf8 = matches!(source, Variant::Utf8 | Variant::Ascii);
        match self {
            Escape::Backslash => true,
            Escape::Surrogate => surrogates && in_utf8,
            Escape::Latin1 | Escape::Windows1252 => in_utf8,
        }
    }

    /// Whether the [code point](Self::point_for) depends on what is ill-formed: otherwise it is U+FFFD.
    #[inline]
    pub(super) const fn depends(self, source: Variant, surrogates: bool) -> bool {
        let units = matches!(source, Variant::Utf16(_) | Variant::Utf32(_));
        self.is_of_each(source, surrogates) || (matches!(self, Escape::Surrogate) && surrogates && units)
    }

    /// `\xE9` for a byte: from a table, since where every byte is escaped its two digits were a quarter of the work.
    #[inline]
    pub(super) fn backslash(byte: u8) -> [u8; 4] {
        static ALL: [[u8; 4]; 256] = {
            let mut all = [[0; 4]; 256];
            let mut byte = 0;
            while byte < all.len() {
                all[byte] = with_digits(byte as u8);
                byte += 1;
            }
            all
        };
        ALL[usize::from(byte)]
    }

    /// The code point that stands for a byte, if something is written for [each](Self::is_of_each), or for a sequence: then `value` is
    /// that of its unit if it is an unpaired surrogate, and otherwise U+FFFD. By any escape but [`Backslash`](Self::Backslash).
    #[inline]
    pub(super) const fn point_for(self, source: Variant, value: u32, surrogates: bool) -> u16 {
        match self {
            Escape::Surrogate if !surrogates => REPLACEMENT as u16,
            _ if !self.is_of_each(source, surrogates) => match self {
                Escape::Surrogate => value as u16,
                _ => REPLACEMENT as u16,
            },
            Escape::Surrogate => 0xDC00 | value as u16 & 0xFF,
            _ => self.point_of(value as u8),
        }
    }

    /// What is written for `sequence`, the bytes of an ill-formed sequence of an encoding of this variant, whose slices have units of
    /// `width` bytes. `surrogates` says that a unit of the target can be a surrogate.
    pub(crate) fn points(
        self,
        source: Variant,
        width: usize,
        sequence: &[u8],
        surrogates: bool,
    ) -> EscapePoints {
        let mut to = EscapePoints { points: [0; MOST_POINTS], len: 0 };
        match self {
            Escape::Backslash if width == 1 => {
                sequence
                    .iter()
                    .flat_map(|byte| Escape::backslash(*byte))
                    .for_each(|byte| to.push(byte.into()));
            }
            Escape::Backslash => {
                let letter = if width == 2 { b'u' } else { b'U' };
                for unit in sequence.chunks(width) {
                    let value = Order::NATIVE.value(unit);
                    to.push(b'\\'.into());
                    to.push(letter.into());
                    for digit in (0..2 * width).rev() {
                        to.push(DIGITS[(value >> (4 * digit)) as usize & 0xF].into());
                    }
                }
            }
            _ if self.is_of_each(source, surrogates) => {
                sequence
                    .iter()
                    .for_each(|byte| to.push(self.point_for(source, u32::from(*byte), surrogates)));
            }
            _ => {
                let value = unpaired(source, sequence).unwrap_or(REPLACEMENT);
                to.push(self.point_for(source, value, surrogates));
            }
        }
        to
    }
}

/// Units that are looked at one by one behind an escaped byte, since the next one may be among them: with a call of the kernel for each,
/// runs of escaped bytes took 15 ns for a byte.
#[cfg(feature = "alloc")]
const NEAR: usize = 64;

/// Units that are converted at once between escaped bytes, and what they may become.
#[cfg(feature = "alloc")]
const PIECE: usize = 1 << 10;
#[cfg(feature = "alloc")]
const PIECE_BYTES: usize = 4 * PIECE;

/// The inverse of [`Escape::Surrogate`]: the bytes from which it made `src`, in UTF-16, UTF-32, or another encoding that has unpaired
/// surrogates. They are UTF-8 with a byte 80..FF for each unpaired surrogate U+DC80..U+DCFF, in a new vector. It panics or aborts
/// only as [`Vec::reserve`] does.
///
/// # Errors
/// The first ill-formed unit that is not such a surrogate, any other unpaired surrogate, or a code point above U+10FFFF (in Corrected
/// UTF-8), with its offset in code units of `src`.
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
    let engine = Engine::current();
    let mut bytes = Vec::new();
    // Whether there was an escaped byte among the last few units.
    let (mut at, mut near) = (0, false);
    while at < src.len() {
        if near {
            let read;
            (read, near) = unescape_some::<E>(&src[at..], &mut bytes);
            at += read;
            if near || at == src.len() {
                continue;
            }
        } else {
            // Room for some of it, and no more than is converted: the next surrogate may be close.
            let some = &src[at..src.len().min(at + PIECE)];
            bytes.reserve(PIECE_BYTES);
            let (_, (read, reason)) = output::append(&mut bytes, |spare| {
                let mut output = OutputCursor::new(spare);
                let end = drive::<E, Utf8>(engine, some, &mut output);
                (output.written(), end)
            });
            at += read;
            if reason.is_none() {
                continue;
            }
        }
        match E::decode(&src[at..]) {
            // In encodings that allow unpaired surrogates.
            Ok((surrogate @ 0xDC80..=0xDCFF, len)) => {
                bytes.push(surrogate as u8);
                (at, near) = (at + len, true);
            }
            Ok((point, len)) if is_surrogate(point) => {
                return Err(E::error(Fault::new(len, Kind::Surrogate), src, at));
            }
            Ok((point @ 0..0x80, len)) => {
                bytes.push(point as u8);
                at += len;
            }
            // A character cut off by the end of the piece, or not far behind an escaped byte.
            Ok((point, len)) => {
                let mut utf8 = [0; 4];
                let Some(character) = char::from_u32(point) else {
                    return Err(E::error(Fault::new(len, Kind::AboveMaximum), src, at));
                };
                bytes.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
                at += len;
            }
            Err(fault) => match unpaired(E::VARIANT, cast(&src[at..at + fault.len()])) {
                Some(surrogate @ 0xDC80..=0xDCFF) => {
                    bytes.push(surrogate as u8);
                    (at, near) = (at + fault.len(), true);
                }
                _ => return Err(E::error(fault, src, at)),
            },
        }
    }
    Ok(bytes)
}

/// Up to [`NEAR`] of the next units, or those before one that is nothing by itself: how many they are, and whether one was an escaped
/// byte. For most of them there is no branch, since ASCII and escaped bytes may follow each other in any order. (With a codec and a branch
/// for each, random bytes took 4.9 ns for a byte.)
#[cfg(feature = "alloc")]
fn unescape_some<E: Encoding>(src: &[E::Unit], bytes: &mut Vec<u8>) -> (usize, bool) {
    let width = E::VARIANT.unit() / size_of::<E::Unit>();
    let mut utf8 = [0; 4 * NEAR];
    let (mut read, mut written, mut escaped) = (0, 0, false);
    for _ in 0..NEAR / width {
        let (value, len) = match E::VARIANT {
            // No unit before it is waiting for the second half of a pair.
            Variant::Utf16(order) | Variant::Wtf16(order) | Variant::Utf32(order) => {
                let Some(unit) = src.get(read..read + width) else { break };
                (order.value(cast(unit)), width)
            }
            _ if read == src.len() => break,
            _ => match E::decode(&src[read..]) {
                Ok(decoded) => decoded,
                Err(_) => break,
            },
        };
        let is_byte = value.wrapping_sub(0xDC80) < 0x80;
        escaped |= is_byte;
        if is_byte | (value < 0x80) {
            utf8[written] = value as u8;
            written += 1;
        } else if let Some(character) = char::from_u32(value) {
            written += character.encode_utf8(&mut utf8[written..]).len();
        } else {
            break;
        }
        read += len;
    }
    bytes.extend_from_slice(&utf8[..written]);
    (read, escaped)
}
