//! Families as types, by which kernels are looked up.
//!
//! A [`Form`] is a family of encodings with its code unit and its byte order, without the rules of a variant: UTF-16 and WTF-16, in
//! units of this machine or in bytes of the same order, are one form. So all of them share one kernel, and one copy of its machine
//! code.
//!
//! Counts of units are in units of the form, whatever the type of the slice: the form of `Utf16Be` has units of two bytes.

use super::{Family, Unit};

/// A family with its code unit and byte order.
pub(crate) trait Form {
    /// A unit, as stored in memory.
    type Unit: Unit;

    /// The form of text without special characters, for which there are kernels: UTF-8 for CESU-8, otherwise the form itself.
    type Base: Form<Unit = Self::Unit>;

    /// The family.
    const FAMILY: Family;

    /// Units of values below this are characters by themselves, surrogates aside.
    const SINGLE: u32;

    /// The most units of a character.
    const MOST: usize;

    /// Whether the bytes of a unit are not in this machine's order.
    const SWAPPED: bool = false;

    /// Whether U+0000 is C0 80.
    const TWO_BYTE_NUL: bool = false;

    /// The value of a unit.
    #[inline(always)]
    fn value(unit: Self::Unit) -> u32 {
        if Self::SWAPPED { unit.swapped().value() } else { unit.value() }
    }

    /// The unit of a value below [`SINGLE`](Form::SINGLE).
    #[inline(always)]
    fn unit(value: u32) -> Self::Unit {
        let unit = Self::Unit::of(value);
        if Self::SWAPPED { unit.swapped() } else { unit }
    }
}

/// UTF-8, and its extensions by surrogates.
#[derive(Debug)]
pub(crate) struct Utf8Form;

/// CESU-8; with `NUL`, modified UTF-8, in which U+0000 is C0 80. Kernels convert surrogate pairs; unpaired surrogates are left to the
/// codec, which knows whether they are well-formed.
#[derive(Debug)]
pub(crate) struct Cesu8Form<const NUL: bool>;

/// Corrected UTF-8 up to U+10FFFF: code points above are left to the codec.
#[derive(Debug)]
pub(crate) struct CorrectedForm;

/// UTF-16 and WTF-16; `SWAP` if the bytes of a unit are not in this machine's order.
#[derive(Debug)]
pub(crate) struct Utf16Form<const SWAP: bool>;

/// UTF-32; `SWAP` if the bytes of a unit are not in this machine's order.
#[derive(Debug)]
pub(crate) struct Utf32Form<const SWAP: bool>;

/// One byte for each character below `LIMIT`: Latin-1 or ASCII.
#[derive(Debug)]
pub(crate) struct Bytes<const LIMIT: u32>;

impl Form for Utf8Form {
    type Unit = u8;
    type Base = Self;
    const FAMILY: Family = Family::Utf8;
    const SINGLE: u32 = 0x80;
    const MOST: usize = 4;
}

impl<const NUL: bool> Form for Cesu8Form<NUL> {
    type Unit = u8;
    type Base = Utf8Form;
    const FAMILY: Family = Family::Cesu8;
    const SINGLE: u32 = 0x80;
    const MOST: usize = 6;
    const TWO_BYTE_NUL: bool = NUL;
}

impl Form for CorrectedForm {
    type Unit = u8;
    type Base = Self;
    const FAMILY: Family = Family::Corrected;
    const SINGLE: u32 = 0x80;
    const MOST: usize = 4;
}

impl<const SWAP: bool> Form for Utf16Form<SWAP> {
    type Unit = u16;
    type Base = Self;
    const FAMILY: Family = Family::Utf16;
    const SINGLE: u32 = 0x1_0000;
    const MOST: usize = 2;
    const SWAPPED: bool = SWAP;
}

impl<const SWAP: bool> Form for Utf32Form<SWAP> {
    type Unit = u32;
    type Base = Self;
    const FAMILY: Family = Family::Utf32;
    const SINGLE: u32 = 0x11_0000;
    const MOST: usize = 1;
    const SWAPPED: bool = SWAP;
}

impl<const LIMIT: u32> Form for Bytes<LIMIT> {
    type Unit = u8;
    type Base = Self;
    const FAMILY: Family = if LIMIT > 0x80 { Family::Latin1 } else { Family::Ascii };
    const SINGLE: u32 = LIMIT;
    const MOST: usize = 1;
}
