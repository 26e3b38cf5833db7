//! UTF-8, one character at a time, as Table 3-7 of the Unicode Standard (section 3.9) gives it:
//!
//! | code points        | 1st byte | 2nd byte | 3rd byte | 4th byte |
//! |--------------------|----------|----------|----------|----------|
//! | U+0000..U+007F     | 00..7F   |          |          |          |
//! | U+0080..U+07FF     | C2..DF   | 80..BF   |          |          |
//! | U+0800..U+0FFF     | E0       | A0..BF   | 80..BF   |          |
//! | U+1000..U+CFFF     | E1..EC   | 80..BF   | 80..BF   |          |
//! | U+D000..U+D7FF     | ED       | 80..9F   | 80..BF   |          |
//! | U+E000..U+FFFF     | EE..EF   | 80..BF   | 80..BF   |          |
//! | U+10000..U+3FFFF   | F0       | 90..BF   | 80..BF   | 80..BF   |
//! | U+40000..U+FFFFF   | F1..F3   | 80..BF   | 80..BF   | 80..BF   |
//! | U+100000..U+10FFFF | F4       | 80..8F   | 80..BF   | 80..BF   |
//!
//! A sequence that fits no row is ill-formed. The length of a [`Fault`] is that of the *maximal subpart* (the same section, "U+FFFD
//! Substitution of Maximal Subparts"): the longest prefix of a row, and at least one byte. The byte that fits no row, such as the 80
//! in E0 80, is not part of it, and is decoded again, as the start of a character.

use super::{Codec, Units};
use crate::unicode::{Fault, IllFormed, Kind, Utf8, Utf8Form, Variant, is_surrogate};

impl Codec for Utf8 {
    const VARIANT: Variant = Variant::Utf8;
    type Form = Utf8Form;

    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
        decode::<false>(src)
    }

    #[inline]
    fn encode(scalar: u32) -> Option<Units<u8>> {
        if is_surrogate(scalar) { None } else { Some(encode(scalar)) }
    }

    #[inline]
    fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
        fault.at_byte(Self::VARIANT, src, at)
    }
}

/// The bytes of a code point: the rows in the other direction.
#[inline]
pub(crate) fn encode(point: u32) -> Units<u8> {
    let tail = |shift: u32| 0x80 | (point >> shift & 0x3F) as u8;
    match point {
        0x0000..=0x007F => Units::new([point as u8]),
        0x0080..=0x07FF => Units::new([0xC0 | (point >> 6) as u8, tail(0)]),
        0x0800..=0xFFFF => Units::new([0xE0 | (point >> 12) as u8, tail(6), tail(0)]),
        _ => Units::new([0xF0 | (point >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

/// Reads the character at the start of `src`: its code point and its length in bytes. With `SURROGATES`, the row of ED is like its
/// neighbours.
///
/// `src` must not be empty.
#[inline]
pub(super) fn decode<const SURROGATES: bool>(src: &[u8]) -> Result<(u32, usize), Fault> {
    let lead = src[0];

    // The row: the length, the second bytes, and the rule that a continuation byte outside of that range breaks.
    // The ordinary rows accept every continuation byte, so the last entry is not used there.
    let (len, second, narrow) = match lead {
        0x00..=0x7F => return Ok((u32::from(lead), 1)),
        0x80..=0xBF => return Err(Fault::new(1, Kind::UnexpectedContinuation)),
        0xC0..=0xC1 => return Err(Fault::new(1, Kind::OverlongLead)),
        0xC2..=0xDF => (2, 0x80..=0xBF, Kind::Truncated),
        0xE0 => (3, 0xA0..=0xBF, Kind::Overlong),
        0xE1..=0xEC => (3, 0x80..=0xBF, Kind::Truncated),
        0xED if SURROGATES => (3, 0x80..=0xBF, Kind::Truncated),
        0xED => (3, 0x80..=0x9F, Kind::Surrogate),
        0xEE..=0xEF => (3, 0x80..=0xBF, Kind::Truncated),
        0xF0 => (4, 0x90..=0xBF, Kind::Overlong),
        0xF1..=0xF3 => (4, 0x80..=0xBF, Kind::Truncated),
        0xF4 => (4, 0x80..=0x8F, Kind::AboveMaximum),
        0xF5..=0xFF => return Err(Fault::new(1, Kind::InvalidLead)),
    };

    let mut value = u32::from(lead) & (0x7F >> len);
    for at in 1..len {
        let Some(&byte) = src.get(at) else {
            return Err(Fault::new(at, Kind::Incomplete));
        };
        if !(0x80..=0xBF).contains(&byte) {
            return Err(Fault::new(at, Kind::Truncated));
        }
        if at == 1 && !second.contains(&byte) {
            return Err(Fault::new(at, narrow));
        }
        value = value << 6 | u32::from(byte & 0x3F);
    }
    Ok((value, len))
}
