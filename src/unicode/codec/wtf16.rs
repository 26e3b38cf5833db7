//! WTF-16, one code point at a time: UTF-16 in which every unit is well-formed.
//!
//! | code points       | code units                                                         |
//! |-------------------|--------------------------------------------------------------------|
//! | U+0000..U+FFFF    | the code point itself, whether or not it is a surrogate            |
//! | U+10000..U+10FFFF | D800..DBFF, DC00..DFFF: ten bits each, less 10000                  |
//!
//! A high surrogate followed by a low one is always read as a pair, so two surrogate code points in that order are the one thing that
//! WTF-16 cannot represent. The only error is half a unit at the end of a text in a scheme; a high surrogate before it is a code
//! point by itself.

use super::{Codec, Units, unit_of, utf16};
use crate::unicode::{
    Fault, IllFormed, Kind, Order, Utf16Form, Variant, Wtf16, Wtf16Be, Wtf16Le, is_high, is_low, joined,
};

/// Reads a code point from units of `width` items of the slice. There are `len` items, at least one.
#[inline]
fn decode(unit: impl Fn(usize) -> Option<u16>, width: usize, len: usize) -> Result<(u32, usize), Fault> {
    let Some(first) = unit(0).map(u32::from) else { return Err(Fault::new(len, Kind::Incomplete)) };
    if is_high(first)
        && let Some(second) = unit(1).map(u32::from)
        && is_low(second)
    {
        return Ok((joined(first, second), 2 * width));
    }
    Ok((first, width))
}

impl Codec for Wtf16 {
    const VARIANT: Variant = Variant::Wtf16(Order::NATIVE);
    type Form = Utf16Form<false>;

    #[inline]
    fn decode(src: &[u16]) -> Result<(u32, usize), Fault> {
        decode(|index| src.get(index).copied(), 1, src.len())
    }

    #[inline]
    fn encode(point: u32) -> Option<Units<u16>> {
        let ([first, second], len) = utf16::encode(point);
        Some(Units::of(u64::from(first) | u64::from(second) << 16, len))
    }

    #[inline]
    fn surrogate(point: u32) -> Option<Units<u16>> {
        Self::encode(point)
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
            const VARIANT: Variant = Variant::Wtf16($order);
            type Form = Utf16Form<{ $order.is_swapped() }>;

            #[inline]
            fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
                decode(|index| unit_of(src, index).map(u16::$from), 2, src.len())
            }

            #[inline]
            fn encode(point: u32) -> Option<Units<u8>> {
                let ([first, second], len) = utf16::encode(point);
                let ([a, b], [c, d]) = (first.$to(), second.$to());
                Some(Units::of(u32::from_le_bytes([a, b, c, d]).into(), 2 * len))
            }

            #[inline]
            fn surrogate(point: u32) -> Option<Units<u8>> {
                Self::encode(point)
            }

            fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
                fault.at_byte(Self::VARIANT, src, at)
            }
        }
    )*};
}

schemes! {
    Wtf16Le: Order::Little, from_le_bytes, to_le_bytes;
    Wtf16Be: Order::Big, from_be_bytes, to_be_bytes;
}
