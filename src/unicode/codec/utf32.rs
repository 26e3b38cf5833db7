//! UTF-32, one character at a time: a code unit is a scalar value (Unicode 3.9, D90), so it is ill-formed if and only if it is a
//! surrogate code point, D800..DFFF, or greater than 10FFFF. In a scheme, one to three bytes at the end are incomplete.

use super::{Codec, Units, unit_of};
use crate::unicode::{
    Fault, IllFormed, Kind, Order, Utf32, Utf32Be, Utf32Form, Utf32Le, Variant, is_surrogate,
};

/// Decodes a unit of `width` items of the slice; `None` means that only a part of it is there, the `len` items that are left.
#[inline]
fn decode(unit: Option<u32>, width: usize, len: usize) -> Result<(u32, usize), Fault> {
    match unit {
        None => Err(Fault::new(len, Kind::Incomplete)),
        Some(0xD800..=0xDFFF) => Err(Fault::new(width, Kind::Surrogate)),
        Some(0x11_0000..) => Err(Fault::new(width, Kind::AboveMaximum)),
        Some(scalar) => Ok((scalar, width)),
    }
}

impl Codec for Utf32 {
    const VARIANT: Variant = Variant::Utf32(Order::NATIVE);
    type Form = Utf32Form<false>;

    #[inline]
    fn decode(src: &[u32]) -> Result<(u32, usize), Fault> {
        decode(src.first().copied(), 1, src.len())
    }

    #[inline]
    fn encode(scalar: u32) -> Option<Units<u32>> {
        if is_surrogate(scalar) { None } else { Self::surrogate(scalar) }
    }

    #[inline]
    fn surrogate(point: u32) -> Option<Units<u32>> {
        Some(Units::new([point]))
    }

    #[inline]
    fn error(fault: Fault, src: &[u32], at: usize) -> IllFormed {
        fault.at_unit(Self::VARIANT, src[at], at)
    }
}

/// The schemes: the same, but for the byte order.
macro_rules! schemes {
    ($($name:ty: $order:expr, $from:ident, $to:ident;)*) => {$(
        impl Codec for $name {
            const VARIANT: Variant = Variant::Utf32($order);
            type Form = Utf32Form<{ $order.is_swapped() }>;

            #[inline]
            fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
                decode(unit_of(src, 0).map(u32::$from), 4, src.len())
            }

            #[inline]
            fn encode(scalar: u32) -> Option<Units<u8>> {
                if is_surrogate(scalar) { None } else { Self::surrogate(scalar) }
            }

            #[inline]
            fn surrogate(point: u32) -> Option<Units<u8>> {
                Some(Units::new(point.$to()))
            }

            fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
                fault.at_byte(Self::VARIANT, src, at)
            }
        }
    )*};
}

schemes! {
    Utf32Le: Order::Little, from_le_bytes, to_le_bytes;
    Utf32Be: Order::Big, from_be_bytes, to_be_bytes;
}
