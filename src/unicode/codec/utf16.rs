//! UTF-16, one character at a time, as Unicode 3.9 defines it (D91, Table 3-5):
//!
//! | code points        | code units                                          |
//! |--------------------|-----------------------------------------------------|
//! | U+0000..U+D7FF, U+E000..U+FFFF | the code point itself                   |
//! | U+10000..U+10FFFF  | D800..DBFF, DC00..DFFF: ten bits each, less 10000   |
//!
//! A high surrogate without a low one after it, and a low one without a high one before it, are ill-formed, each by itself. At the
//! end of the input a high surrogate is incomplete; in a scheme so is half a unit, and a high surrogate followed by half a unit is one
//! incomplete sequence (as in the WHATWG Encoding Standard's decoder at the end of its queue).

use super::{Codec, Units, unit_of};
use crate::unicode::{
    Fault, IllFormed, Kind, Order, Utf16, Utf16Be, Utf16Form, Utf16Le, Variant, is_surrogate,
};

/// Reads a character from units of `width` items of the slice: its scalar value, and its length in items. There are `len` items, at
/// least one.
#[inline]
fn decode(unit: impl Fn(usize) -> Option<u16>, width: usize, len: usize) -> Result<(u32, usize), Fault> {
    let incomplete = Err(Fault::new(len, Kind::Incomplete));
    let Some(first) = unit(0) else { return incomplete };
    match first {
        0xD800..=0xDBFF => match unit(1) {
            Some(second @ 0xDC00..=0xDFFF) => {
                let (high, low) = (u32::from(first) - 0xD800, u32::from(second) - 0xDC00);
                Ok((0x1_0000 + (high << 10 | low), 2 * width))
            }
            Some(_) => Err(Fault::new(width, Kind::UnpairedHigh)),
            None => incomplete,
        },
        0xDC00..=0xDFFF => Err(Fault::new(width, Kind::UnpairedLow)),
        unit => Ok((u32::from(unit), width)),
    }
}

/// The units of a code point, one or two.
#[inline]
pub(super) fn encode(scalar: u32) -> ([u16; 2], usize) {
    match scalar.checked_sub(0x1_0000) {
        None => ([scalar as u16, 0], 1),
        Some(above) => ([0xD800 | (above >> 10) as u16, 0xDC00 | (above & 0x3FF) as u16], 2),
    }
}

impl Codec for Utf16 {
    const VARIANT: Variant = Variant::Utf16(Order::NATIVE);
    type Form = Utf16Form<false>;

    #[inline]
    fn decode(src: &[u16]) -> Result<(u32, usize), Fault> {
        decode(|index| src.get(index).copied(), 1, src.len())
    }

    #[inline]
    fn encode(scalar: u32) -> Option<Units<u16>> {
        if is_surrogate(scalar) {
            return None;
        }
        let ([first, second], len) = encode(scalar);
        Some(Units::of(u64::from(first) | u64::from(second) << 16, len))
    }

    #[inline]
    fn surrogate(point: u32) -> Option<Units<u16>> {
        Some(Units::new([point as u16]))
    }

    #[inline]
    fn error(fault: Fault, src: &[u16], at: usize) -> IllFormed {
        fault.at_unit(Self::VARIANT, u32::from(src[at]), at)
    }
}

/// The schemes: the same, but for the byte order.
macro_rules! schemes {
    ($($name:ty: $order:expr, $from:ident, $to:ident;)*) => {$(
        impl Codec for $name {
            const VARIANT: Variant = Variant::Utf16($order);
            type Form = Utf16Form<{ $order.is_swapped() }>;

            #[inline]
            fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
                decode(|index| unit_of(src, index).map(u16::$from), 2, src.len())
            }

            #[inline]
            fn encode(scalar: u32) -> Option<Units<u8>> {
                if is_surrogate(scalar) {
                    return None;
                }
                let ([first, second], len) = encode(scalar);
                let ([a, b], [c, d]) = (first.$to(), second.$to());
                Some(Units::of(u32::from_le_bytes([a, b, c, d]).into(), 2 * len))
            }

            #[inline]
            fn surrogate(point: u32) -> Option<Units<u8>> {
                Some(Units::new((point as u16).$to()))
            }

            fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
                fault.at_byte(Self::VARIANT, src, at)
            }
        }
    )*};
}

schemes! {
    Utf16Le: Order::Little, from_le_bytes, to_le_bytes;
    Utf16Be: Order::Big, from_be_bytes, to_be_bytes;
}
