//! Plain loops: for CPUs without vectors, or for the compiler to vectorise, once for each instruction set.
//!
//! - [`validate`]: UTF-8 and Corrected UTF-8 by an automaton, in general-purpose registers.
//! - [`convert`]: from every encoding to every other.
//! - [`lengths`], [`corrected_lengths`]: counts of units, and the greatest unit.
//! - [`byte_classes`]: the counts that detection needs.
//! - [`rank`]: sums of weights up to an offset, and the offset of a sum.
//! - [`offsets`]: whether offsets ascend, and the bytes at them.
//! - [`cesu8`]: between UTF-8 and CESU-8, where only supplementary characters and U+0000 differ.
//! - [`ordinary`]: the prefix that CESU-8 and modified UTF-8 write as UTF-8 does.
//! - [`replace_wide`]: UTF-16 and UTF-32 with ill-formed units replaced.
//! - [`scan`]: masks of sets of bytes; positions from masks.
//! - [`cuts`]: which lines of a block have bits; delimiters that are not between quotes.
//! - [`swap`]: the byte order of units, in place.

#[cfg(feature = "dynamic")]
pub(super) mod byte_classes;
pub(super) mod cesu8;
pub(super) mod convert;
pub(super) mod corrected_lengths;
pub(super) mod cuts;
pub(super) mod lengths;
pub(super) mod offsets;
pub(super) mod ordinary;
pub(super) mod rank;
pub(super) mod replace_wide;
pub(super) mod scan;
pub(super) mod swap;
pub(super) mod validate;
