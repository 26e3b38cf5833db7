//! The machines: one character at a time, readable beside the specification.
//!
//! A machine is the truth about its encoding. It reads the one character at the start of its
//! input and answers with its scalar value and length, or with the rule that is broken; and it
//! writes one. Nothing here tries to be fast: the kernels carry the bulk, and whatever they leave,
//! the machine judges. No other part of the library knows what makes a sequence ill-formed.
//!
//! Most encodings are of scalar values. Some have surrogate code points besides, which [`decode`]
//! gives as they are; an encoding that has none of them says so in [`encode`], as of any character that
//! it does not have.
//!
//! [`decode`]: Codec::decode
//! [`encode`]: Codec::encode
//!
//! An encoding scheme is read through the machine of its form: [`utf16`] and [`utf32`] take their
//! units from a function, which puts bytes together or does not.

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
use crate::unicode::Unit;

/// What an encoding means.
pub(crate) trait Codec: Sized {
    /// What the bytes mean.
    const VARIANT: Variant;

    /// The encoding, for the kernels.
    type Form: Form;

    /// Judges the one character at the start of `src`, which is not empty: its code point, and its
    /// length in code units.
    fn decode(src: &[<Self as Encoding>::Unit]) -> Result<(u32, usize), Fault>
    where
        Self: Encoding;

    /// The code units of a code point; `None` if the encoding has none for it.
    fn encode(point: u32) -> Option<Units<<Self as Encoding>::Unit>>
    where
        Self: Encoding;

    /// The code unit that is a surrogate by itself, whether or not that is in order; `None` where units
    /// are too small.
    fn surrogate(point: u32) -> Option<Units<<Self as Encoding>::Unit>>
    where
        Self: Encoding,
    {
        let _ = point;
        None
    }

    /// The error, now that its place is known. `src` is the whole input.
    fn error(fault: Fault, src: &[<Self as Encoding>::Unit], at: usize) -> IllFormed
    where
        Self: Encoding;
}

/// Judges the character at the start of `src`, which is not empty, on its way to `D`: two surrogates
/// that would become a character there are read as that character.
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

/// The code units of a code point in `D`; `None` if it has none. Only Corrected UTF-8 goes beyond U+10FFFF.
#[inline]
pub(crate) fn write<D: Encoding>(point: u32) -> Option<Units<D::Unit>> {
    if point > 0x10_FFFF && !matches!(D::VARIANT, Variant::CorrectedUtf8) { None } else { D::encode(point) }
}

/// The code units of one character: at most six, in any encoding.
#[derive(Clone, Copy, Debug)]
pub struct Units<U> {
    units: [U; 6],
    len: usize,
}

impl<U: Unit> Units<U> {
    /// These units, six at most.
    #[inline]
    pub(crate) fn new(from: &[U]) -> Self {
        let mut units = [U::of(0); 6];
        units[..from.len()].copy_from_slice(from);
        Units { units, len: from.len() }
    }

    /// The first `len` of these units, one to four.
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
    /// The first four units, and how many count in all.
    #[inline]
    pub(crate) fn parts(&self) -> ([U; 4], usize) {
        let [a, b, c, d, ..] = self.units;
        ([a, b, c, d], self.len)
    }
}

/// The first `WIDTH` bytes of the unit number `index` of a scheme.
fn unit_of<const WIDTH: usize>(src: &[u8], index: usize) -> Option<[u8; WIDTH]> {
    src.get(WIDTH * index..)?.first_chunk().copied()
}
