//! Latin-1 and ASCII: a byte is a character; in ASCII, only a byte up to 7F.

use super::{Codec, Units};
use crate::unicode::{Ascii, Bytes, Fault, IllFormed, Kind, Latin1, Variant};

impl Codec for Latin1 {
    const VARIANT: Variant = Variant::Latin1;
    type Form = Bytes<0x100>;

    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
        Ok((u32::from(src[0]), 1))
    }

    #[inline]
    fn encode(scalar: u32) -> Option<Units<u8>> {
        u8::try_from(scalar).ok().map(|byte| Units::new([byte]))
    }

    #[inline]
    fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
        fault.at_byte(Self::VARIANT, src, at)
    }
}

impl Codec for Ascii {
    const VARIANT: Variant = Variant::Ascii;
    type Form = Bytes<0x80>;

    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
        if src[0].is_ascii() { Latin1::decode(src) } else { Err(Fault::new(1, Kind::NotAscii)) }
    }

    #[inline]
    fn encode(scalar: u32) -> Option<Units<u8>> {
        if scalar < 0x80 { Latin1::encode(scalar) } else { None }
    }

    #[inline]
    fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
        fault.at_byte(Self::VARIANT, src, at)
    }
}
