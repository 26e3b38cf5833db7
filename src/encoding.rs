//! Encodings are types.
//!
//! Every encoding that runecast knows is a zero-sized type: [`Utf8`] here is the *name* of an
//! encoding, not a string. An operation takes it as a parameter (`validate::<Utf8>(bytes)`), so
//! that each shape of operation is written once and an encoding is added by one `impl`.
//!
//! Two families are told apart as in Unicode 3.9 and 3.10. An *encoding form* counts in its own
//! code units (`Utf8` in `u8`); an *encoding scheme* is a form serialised to bytes, whose unit is
//! therefore always `u8`, at any alignment.

use crate::illformed::Fault;
use crate::kernel::Engine;

/// An encoding of Unicode text, known by its type.
///
/// The trait is sealed: its methods are the joint between a kernel and a machine, and whoever
/// could implement it could break what the safe functions promise.
pub trait Encoding: sealed::Sealed + Copy + core::fmt::Debug + 'static {
    /// The code unit: the smallest thing that this encoding counts in.
    type Unit: bytemuck::Pod + Eq + core::fmt::Debug;

    /// The name that people read: `"UTF-8"`.
    const NAME: &'static str;
}

/// UTF-8, as in Unicode 3.9 (definition D92 and Table 3-7), RFC 3629 and ISO/IEC 10646.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Utf8;

impl Encoding for Utf8 {
    type Unit = u8;
    const NAME: &'static str = "UTF-8";
}

pub(crate) mod sealed {
    use super::{Engine, Fault};

    /// The two hands behind an encoding.
    pub trait Sealed: Sized {
        /// The kernel: the length of a well-formed prefix of `src` that ends at a character
        /// boundary at or before the first ill-formed sequence. Stopping early is legal.
        fn valid_prefix(engine: Engine, src: &[<Self as super::Encoding>::Unit]) -> usize
        where
            Self: super::Encoding;

        /// The machine: judges the one character at the start of `src`, which is not empty.
        /// Returns its length in code units.
        fn judge(src: &[<Self as super::Encoding>::Unit]) -> Result<usize, Fault>
        where
            Self: super::Encoding;
    }
}

impl sealed::Sealed for Utf8 {
    #[inline]
    fn valid_prefix(engine: Engine, src: &[u8]) -> usize {
        engine.utf8_valid_prefix(src)
    }

    #[inline]
    fn judge(src: &[u8]) -> Result<usize, Fault> {
        crate::machine::utf8::decode(src).map(|(_, len)| len)
    }
}
