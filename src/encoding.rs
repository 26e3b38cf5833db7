//! Encodings are types.
//!
//! Every encoding that runecast knows is a zero-sized type: [`Utf8`] here is the *name* of an
//! encoding, not a string. An operation takes it as a parameter (`validate::<Utf8>(bytes)`,
//! `transcode::<Utf8, Utf16>(src, dst)`), so that each shape of operation is written once and an
//! encoding is added by one `impl`.
//!
//! Two families are told apart as in Unicode 3.9 and 3.10. An *encoding form* counts in its own
//! code units (`Utf8` in `u8`, `Utf16` in `u16`, `Utf32` in `u32`); an *encoding scheme* is a form
//! serialised to bytes in a stated order, whose unit is therefore `u8`, at any alignment.

use crate::machine::Machine;

/// An encoding of Unicode text, known by its type.
///
/// The trait is sealed: its methods are the joint between a kernel and a machine, and whoever
/// could implement it could break what the safe functions promise.
pub trait Encoding: Machine + Copy + core::fmt::Debug + 'static {
    /// The code unit: the smallest thing that this encoding counts in.
    type Unit: bytemuck::Pod + Eq + core::fmt::Debug;

    /// The name that people read: `"UTF-8"`.
    const NAME: &'static str;
}

/// The order of the bytes of a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The most significant byte first.
    Big,
    /// The least significant byte first.
    Little,
}

impl Order {
    /// The order of this machine.
    pub(crate) const NATIVE: Order = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };

    /// The number that these bytes are.
    pub(crate) fn value(self, bytes: &[u8]) -> u32 {
        let digit = |value, byte: &u8| value << 8 | u32::from(*byte);
        match self {
            Order::Big => bytes.iter().fold(0, digit),
            Order::Little => bytes.iter().rev().fold(0, digit),
        }
    }

    /// Whether it is not that of this machine.
    pub(crate) const fn is_foreign(self) -> bool {
        matches!(self, Order::Big) != cfg!(target_endian = "big")
    }
}

/// What the bytes of an encoding mean, whatever its type of unit: the column in which a kernel is
/// looked up. A form and the scheme of this machine's byte order are the same here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Bytes up to 7F.
    Ascii,
    /// Bytes, each the code point of the same number.
    Latin1,
    /// One to four bytes.
    Utf8,
    /// One or two units of two bytes.
    Utf16(Order),
    /// Units of four bytes.
    Utf32(Order),
}

impl Layout {
    /// Bytes of one code unit of the form: what a kernel counts in.
    pub(crate) const fn unit(self) -> usize {
        match self {
            Layout::Ascii | Layout::Latin1 | Layout::Utf8 => 1,
            Layout::Utf16(_) => 2,
            Layout::Utf32(_) => 4,
        }
    }
}

/// Defines the types of the encodings; what they mean is in `machine/`.
macro_rules! encodings {
    ($( $(#[$doc:meta])* $name:ident: $unit:ty = $label:literal; )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl Encoding for $name {
            type Unit = $unit;
            const NAME: &'static str = $label;
        }
    )*};
}

encodings! {
    /// UTF-8, as in Unicode 3.9 (definition D92 and Table 3-7), RFC 3629 and ISO/IEC 10646.
    Utf8: u8 = "UTF-8";
    /// UTF-16 in code units of this machine (Unicode 3.9, definition D91).
    Utf16: u16 = "UTF-16";
    /// UTF-16, the least significant byte of each unit first (Unicode 3.10, definition D97).
    Utf16Le: u8 = "UTF-16LE";
    /// UTF-16, the most significant byte of each unit first (Unicode 3.10, definition D96).
    Utf16Be: u8 = "UTF-16BE";
    /// UTF-32 in code units of this machine (Unicode 3.9, definition D90).
    Utf32: u32 = "UTF-32";
    /// UTF-32, the least significant byte of each unit first (Unicode 3.10, definition D100).
    Utf32Le: u8 = "UTF-32LE";
    /// UTF-32, the most significant byte of each unit first (Unicode 3.10, definition D99).
    Utf32Be: u8 = "UTF-32BE";
    /// ISO/IEC 8859-1 with both ranges of control characters: U+0000..U+00FF as one byte each. (Not
    /// the encoding that the WHATWG calls latin1, which is windows-1252.)
    Latin1: u8 = "Latin-1";
    /// US-ASCII: U+0000..U+007F as one byte each.
    Ascii: u8 = "ASCII";
}
