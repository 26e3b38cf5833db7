//! CESU-8 and modified UTF-8, one character at a time.
//!
//! Both are UTF-16 in bytes: each of its code units has the form that generalized UTF-8 has for the code point of that number
//! (Unicode Technical Report 26; the Java Virtual Machine Specification, section 4.4.7):
//!
//! | code points       | bytes                                                 |
//! |-------------------|-------------------------------------------------------|
//! | U+0000            | 00 in CESU-8; C0 80 in modified UTF-8                 |
//! | U+0001..U+007F    | 01..7F                                                |
//! | U+0080..U+07FF    | C2..DF, 80..BF                                        |
//! | U+0800..U+FFFF    | three bytes, as in UTF-8                              |
//! | U+10000..U+10FFFF | ED, A0..AF, 80..BF, and ED, B0..BF, 80..BF            |
//!
//! A sequence of four bytes is ill-formed, by its lead byte; so is a byte 00 in modified UTF-8, and C0 80 in CESU-8.
//!
//! A surrogate that is not part of a pair is ill-formed, with all its three bytes: the error is in a unit of UTF-16, and its bytes
//! stay together. In the *wobbly* variants it is the code point with its number. So these lose nothing that a Java virtual machine or
//! an old database wrote.

use super::{Codec, Units, utf8, utf16};
use crate::unicode::{
    Cesu8, Cesu8Form, Fault, IllFormed, Kind, Mutf8, Variant, WobblyCesu8, WobblyMutf8, is_high, is_low,
    is_surrogate, joined,
};

/// Reads a unit of UTF-16: its value, and its length in bytes. `src` must not be empty.
#[inline]
fn unit<const NUL: bool>(src: &[u8]) -> Result<(u32, usize), Fault> {
    match src {
        [0x00, ..] if NUL => Err(Fault::new(1, Kind::RawNul)),
        [0xC0, 0x80, ..] if NUL => Ok((0, 2)),
        [0xC0] if NUL => Err(Fault::new(1, Kind::Incomplete)),
        [0xC0, 0x00..=0x7F | 0xC0..=0xFF, ..] if NUL => Err(Fault::new(1, Kind::Truncated)),
        [0xF0..=0xF4, ..] => Err(Fault::new(1, Kind::FourByteLead)),
        _ => utf8::decode::<true>(src),
    }
}

/// Reads a character: its code point, and its length in bytes. `src` must not be empty.
#[inline]
fn decode<const NUL: bool, const WOBBLY: bool>(src: &[u8]) -> Result<(u32, usize), Fault> {
    let (first, len) = unit::<NUL>(src)?;
    if !is_surrogate(first) {
        return Ok((first, len));
    }
    if is_high(first) {
        let rest = &src[len..];
        match rest {
            [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] => {
                let (second, more) = unit::<NUL>(rest)?;
                debug_assert!(is_low(second));
                return Ok((joined(first, second), len + more));
            }
            // A low surrogate may still follow. Its first bytes are an incomplete sequence of their own, just as they are a
            // truncated one if something else follows.
            [] | [0xED] | [0xED, 0xB0..=0xBF] if !WOBBLY => {
                return Err(Fault::new(len, Kind::Incomplete));
            }
            _ => {}
        }
    }
    match is_high(first) {
        _ if WOBBLY => Ok((first, len)),
        true => Err(Fault::new(len, Kind::UnpairedHigh)),
        false => Err(Fault::new(len, Kind::UnpairedLow)),
    }
}

/// The bytes of a code point.
#[inline]
fn encode<const NUL: bool, const WOBBLY: bool>(point: u32) -> Option<Units<u8>> {
    match point {
        0 if NUL => Some(Units::new([0xC0, 0x80])),
        0x0000..=0xFFFF if WOBBLY || !is_surrogate(point) => Some(utf8::encode(point)),
        0x0000..=0xFFFF => None,
        _ => {
            let ([high, low], _) = utf16::encode(point);
            let [high, low] = [high, low].map(|unit| utf8::encode(unit.into()));
            Some(Units::of(high.number() | low.number() << 24, 6))
        }
    }
}

/// The four codecs.
macro_rules! codecs {
    ($($name:ty: $variant:expr, $nul:literal, $wobbly:literal;)*) => {$(
        impl Codec for $name {
            const VARIANT: Variant = $variant;
            type Form = Cesu8Form<$nul>;

            #[inline]
            fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
                decode::<$nul, $wobbly>(src)
            }

            #[inline]
            fn encode(point: u32) -> Option<Units<u8>> {
                encode::<$nul, $wobbly>(point)
            }

            fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
                fault.at_byte(Self::VARIANT, src, at)
            }
        }
    )*};
}

codecs! {
    Cesu8: Variant::Cesu8 { wobbly: false }, false, false;
    WobblyCesu8: Variant::Cesu8 { wobbly: true }, false, true;
    Mutf8: Variant::Mutf8 { wobbly: false }, true, false;
    WobblyMutf8: Variant::Mutf8 { wobbly: true }, true, true;
}
