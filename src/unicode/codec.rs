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

/// The code units of one character, at most six in any encoding.
#[derive(Clone, Copy, Debug)]
pub struct Units<U> {
    units: [U; 6],
    len: usize,
}

impl<U: Unit> Units<U> {
    /// These units, at most six.
    #[inline]
    pub(crate) fn new(from: &[U]) -> Self {
        let mut units = [U::of(0); 6];
        units[..from.len()].copy_from_slice(from);
        Units { units, len: from.len() }
    }

    /// The first `len` of these units, one to four. (To copy a slice of variable length takes a call, which takes longer than
    /// everything else here.)
    #[inline]
    pub(crate) fn first(len: usize, from: &[U]) -> Self {
        match from.first_chunk() {
            Some(&[a, b, c, d]) => Units { units: [a, b, c, d, U::of(0), U::of(0)], len },
            None => Units::new(&from[..len]),
        }
    }

    /// The units.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[U] {
        &self.units[..self.len]
    }
}

impl<U: Copy> Units<U> {
    /// The first four units, and how many there are in all.
    #[inline]
    pub(crate) fn parts(&self) -> ([U; 4], usize) {
        let [a, b, c, d, ..] = self.units;
        ([a, b, c, d], self.len)
    }
}

/// The bytes of the unit with this index in a scheme with units of `WIDTH` bytes.
fn unit_of<const WIDTH: usize>(src: &[u8], index: usize) -> Option<[u8; WIDTH]> {
    src.get(WIDTH * index..)?.first_chunk().copied()
}
