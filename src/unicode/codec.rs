//! The reference codecs: one character at a time, readable beside the specification.
//!
//! A codec is the definition of its encoding in this crate. It reads the one character at the start of its input, and returns its
//! code point and length, or the rule that is broken; and it writes one character. Nothing here tries to be fast: the kernels convert
//! most of the text, and the codec decides about whatever they leave. No other part of the library knows what makes a sequence
//! ill-formed.
//!
//! Most encodings are of scalar values. Some also encode surrogate code points, which [`decode`] returns as they are; in an encoding
//! without them, [`encode`] returns `None`, as for any character that it does not have.
//!
//! [`decode`]: Codec::decode
//! [`encode`]: Codec::encode
//!
//! An encoding scheme is read by the codec of its form: [`utf16`] and [`utf32`] take their units from a function, which assembles
//! them from bytes where necessary.

mod cesu8;
pub(crate) mod corrected;
pub(crate) mod incomplete;
mod latin1;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf8;
mod wtf16;
mod wtf8;

pub(crate) use incomplete::incomplete_suffix;

use core::marker::PhantomData;

use super::{Encoding, Fault, Form, IllFormed, Variant, is_high, is_low, joined};
#[cfg(feature = "dynamic")]
use super::{Kind, cast};
use crate::unicode::Unit;

/// The codec of an encoding.
pub(crate) trait Codec: Sized {
    /// Which encoding it is.
    const VARIANT: Variant;

    /// The form, by which kernels are looked up.
    type Form: Form;

    /// Decodes the character at the start of `src`, which must not be empty: its code point, and its length in code units.
    fn decode(src: &[<Self as Encoding>::Unit]) -> Result<(u32, usize), Fault>
    where
        Self: Encoding;

    /// The code units of a code point; `None` if the encoding has none for it.
    fn encode(point: u32) -> Option<Units<<Self as Encoding>::Unit>>
    where
        Self: Encoding;

    /// The code unit of a lone surrogate, whether or not that is well-formed; `None` if units are too small for one.
    fn surrogate(point: u32) -> Option<Units<<Self as Encoding>::Unit>>
    where
        Self: Encoding,
    {
        let _ = point;
        None
    }

    /// The error for a fault at offset `at` of `src`, which is the whole input.
    fn error(fault: Fault, src: &[<Self as Encoding>::Unit], at: usize) -> IllFormed
    where
        Self: Encoding;
}

/// Decodes the character at the start of `src`, which must not be empty, for a conversion to `D`: two surrogates that would form a
/// pair in `D` are read as that character.
#[inline]
pub(crate) fn read<S: Encoding, D: Encoding>(src: &[S::Unit]) -> Result<(u32, usize), Fault> {
    let (point, len) = S::decode(src)?;
    if matches!(S::VARIANT, Variant::GeneralizedUtf8)
        && D::VARIANT.pairs_up()
        && is_high(point)
        && let Some(rest) = src.get(len..)
        && !rest.is_empty()
        && let Ok((low, more)) = S::decode(rest)
        && is_low(low)
    {
        return Ok((joined(point, low), len + more));
    }
    Ok((point, len))
}

/// What is wrong with the sequence at the start of `src`, which must not be empty; `None` if it is a character.
pub(crate) fn error<S: Encoding>(src: &[S::Unit]) -> Option<IllFormed> {
    S::decode(src).err().map(|fault| S::error(fault, src, 0))
}

/// The length of the character or ill-formed sequence at the start of `src`, which must not be empty.
#[cfg(feature = "dynamic")]
#[inline]
pub(crate) fn step_len<E: Encoding>(src: &[E::Unit]) -> usize {
    match E::decode(src) {
        Ok((_, len)) => len,
        Err(fault) if fault.kind() == Kind::Reserved => 1 + corrected::reserved_continuation(cast(&src[1..])),
        Err(fault) => fault.len(),
    }
}

/// The code units of a code point in `D`; `None` if `D` has none. Only Corrected UTF-8 has code points above U+10FFFF.
#[inline]
pub(crate) fn write<D: Encoding>(point: u32) -> Option<Units<D::Unit>> {
    if point > 0x10_FFFF && !matches!(D::VARIANT, Variant::CorrectedUtf8) { None } else { D::encode(point) }
}

/// The code units of one character: at most six bytes, two units of 16 bits, or one of 32.
///
/// They are a number, whose lowest bits are the first unit. As an array they would be stored one by one and loaded as a whole, for which a CPU
/// waits until all of them have left the store queue: more than half of the time of a short text that the codecs convert.
#[derive(Clone, Copy, Debug)]
pub struct Units<U> {
    number: u64,
    len: usize,
    unit: PhantomData<U>,
}

impl<U: Unit> Units<U> {
    /// As many units as a number has, at most.
    #[inline(always)]
    fn packed(units: &[U]) -> u64 {
        let places = (0..u64::BITS).step_by(8 * size_of::<U>());
        units.iter().zip(places).fold(0, |number, (unit, place)| number | u64::from(unit.value()) << place)
    }

    /// These units.
    #[inline]
    pub(crate) fn new<const N: usize>(units: [U; N]) -> Self {
        const { assert!(N * size_of::<U>() <= size_of::<u64>()) };
        Units::of(Self::packed(&units), N)
    }

    /// The first `len` units of this number.
    #[inline]
    pub(crate) fn of(number: u64, len: usize) -> Self {
        Units { number, len, unit: PhantomData }
    }

    /// The first `len` units of `from`, which has as many, one to four. (To copy a slice of variable length takes a call, which takes longer
    /// than everything else here.)
    #[inline]
    pub(crate) fn first(len: usize, from: &[U]) -> Self {
        let number = match from.first_chunk::<4>() {
            Some(four) => Self::packed(four),
            None => Self::packed(&from[..len]),
        };
        Units::of(number, len)
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number that they are; there may be others behind them.
    #[inline]
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The units, one after the other.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = U> + use<U> {
        let number = self.number;
        (0..self.len).map(move |index| U::of((number >> (8 * size_of::<U>() * index)) as u32))
    }

    /// The first `N` units; there may be others behind them.
    #[inline]
    pub(crate) fn array<const N: usize>(&self) -> [U; N] {
        let unit = |index| self.number.checked_shr((8 * size_of::<U>() * index) as u32).unwrap_or(0);
        core::array::from_fn(|index| U::of(unit(index) as u32))
    }
}

/// The bytes of the unit with this index in a scheme with units of `WIDTH` bytes.
fn unit_of<const WIDTH: usize>(src: &[u8], index: usize) -> Option<[u8; WIDTH]> {
    src.get(WIDTH * index..)?.first_chunk().copied()
}
