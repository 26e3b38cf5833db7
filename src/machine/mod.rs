//! The machines: one character at a time, readable beside the specification.
//!
//! A machine is the truth about its encoding. It reads the one character at the start of its
//! input and answers with its scalar value and length, or with the rule that is broken; and it
//! writes one. Nothing here tries to be fast: the kernels carry the bulk, and whatever they leave,
//! the machine judges. No other part of the library knows what makes a sequence ill-formed.
//!
//! An encoding scheme is read through the machine of its form: [`utf16`] and [`utf32`] take their
//! units from a function, which puts bytes together or does not.

mod latin1;
pub(crate) mod replacement;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf8;

use crate::encoding::{Encoding, Layout};
use crate::illformed::{Fault, IllFormed};
use crate::kernel::convert::Form;

/// What an encoding means.
pub trait Machine: Sized {
    /// What the bytes mean.
    const LAYOUT: Layout;

    /// The encoding, for the kernels.
    type Form: Form;

    /// Judges the one character at the start of `src`, which is not empty: its scalar value, and
    /// its length in code units.
    fn decode(src: &[<Self as Encoding>::Unit]) -> Result<(u32, usize), Fault>
    where
        Self: Encoding;

    /// The code units of a scalar value; `None` if the encoding has none for it.
    fn encode(scalar: u32) -> Option<Units<<Self as Encoding>::Unit>>
    where
        Self: Encoding;

    /// The error, now that its place is known. `src` is the whole input.
    fn error(fault: Fault, src: &[<Self as Encoding>::Unit], at: usize) -> IllFormed
    where
        Self: Encoding;
}

/// The code units of one character: at most four, in any encoding.
#[derive(Clone, Copy, Debug)]
pub struct Units<U> {
    units: [U; 4],
    len: usize,
}

impl<U: bytemuck::Pod> Units<U> {
    /// These units, four at most.
    #[inline]
    pub(crate) fn new(from: &[U]) -> Self {
        let mut units = [U::zeroed(); 4];
        units[..from.len()].copy_from_slice(from);
        Units { units, len: from.len() }
    }

    /// The first `len` of these units, one to four.
    #[inline]
    pub(crate) fn first(len: usize, from: &[U]) -> Self {
        match from.first_chunk() {
            Some(units) => Units { units: *units, len },
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
    /// Four units, of which so many count.
    #[inline]
    pub(crate) fn parts(&self) -> ([U; 4], usize) {
        (self.units, self.len)
    }
}

/// The first `WIDTH` bytes of the unit number `index` of a scheme.
fn unit_of<const WIDTH: usize>(src: &[u8], index: usize) -> Option<[u8; WIDTH]> {
    src.get(WIDTH * index..)?.first_chunk().copied()
}
