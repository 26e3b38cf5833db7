//! Latin-1 and ASCII: a byte is a character, or it is none.

use super::{Machine, Units};
use crate::encoding::{Ascii, Latin1, Layout};
use crate::illformed::{Fault, IllFormed, Kind};
use crate::kernel::convert::FormByte;

impl Machine for Latin1 {
    const LAYOUT: Layout = Layout::Latin1;
    type Form = FormByte<0x100>;

    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
        Ok((u32::from(src[0]), 1))
    }

    #[inline]
    fn encode(scalar: u32) -> Option<Units<u8>> {
        u8::try_from(scalar).ok().map(|byte| Units::new(&[byte]))
    }

    fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
        fault.at_byte(Self::LAYOUT, src, at)
    }
}

impl Machine for Ascii {
    const LAYOUT: Layout = Layout::Ascii;
    type Form = FormByte<0x80>;

    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
        if src[0].is_ascii() { Latin1::decode(src) } else { Err(Fault::new(1, Kind::NotAscii)) }
    }

    #[inline]
    fn encode(scalar: u32) -> Option<Units<u8>> {
        if scalar < 0x80 { Latin1::encode(scalar) } else { None }
    }

    fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
        fault.at_byte(Self::LAYOUT, src, at)
    }
}
