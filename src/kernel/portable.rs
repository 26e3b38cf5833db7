//! Plain loops: what there is without vectors, and what compilers vectorise, once for each instruction set.
//!
//! - [`validate`]: UTF-8 and Corrected UTF-8 by an automaton, eight bytes at a time in an ordinary register.
//! - [`convert`]: from every encoding to every other.
//! - [`lengths`], [`corrected_lengths`]: counts of units, and the greatest unit.
//! - [`byte_classes`]: the bytes that detection counts.
//! - [`rank`]: sums of weights up to a place, and the place of a sum.
//! - [`offsets`]: whether offsets ascend, and the bytes at them.
//! - [`cesu8`]: between UTF-8 and CESU-8, where only supplementary characters and U+0000 differ.
//! - [`replace_wide`]: UTF-16 and UTF-32 with ill-formed units replaced.
//! - [`swap`]: the byte order of units, in place.

#[cfg(feature = "dynamic")]
pub(super) mod byte_classes;
pub(super) mod cesu8;
pub(super) mod convert;
pub(super) mod corrected_lengths;
pub(super) mod lengths;
pub(super) mod offsets;
pub(super) mod rank;
pub(super) mod replace_wide;
pub(super) mod swap;
pub(super) mod validate;
