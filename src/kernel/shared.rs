//! What the kernels of all instruction sets have in common.
//!
//! - [`progress`]: how far a kernel came, and the plain loops that compilers vectorise.
//! - [`span`]: where a conversion reads and writes.
//! - [`character`]: reading and writing one character in plain code.
//! - [`boundary`]: from an error back to a character boundary.
//! - [`lines`]: how long UTF-8 text is validated, line by line; [`adaptive`]: when a conversion changes between its loops.
//! - [`omit_utf8`]: UTF-8 without what cannot be converted.
//! - [`opaque`]: values whose origin the compiler cannot see.
//! - [`pack`]: many short texts validated as one.
//! - [`replace_utf8`]: UTF-8 repaired in one pass: chunks that are copied, and windows around errors.
//! - [`short_text`]: texts of a few bytes, without a branch on their length.
//! - [`turns`]: text from memory, read at a few places in turns.
//! - [`wanted`]: the sets of bytes that a scan looks for.

pub(super) mod adaptive;
pub(super) mod boundary;
pub(super) mod character;
pub(super) mod lines;
pub(super) mod omit_utf8;
pub(super) mod opaque;
pub(super) mod pack;
mod progress;
pub(super) mod replace_utf8;
pub(super) mod short_text;
mod span;
pub(super) mod turns;
pub(super) mod wanted;

pub(super) use progress::Plain;
pub use progress::Progress;
pub(super) use span::Span;

/// The lowest `count` bits, up to 63.
#[inline(always)]
pub(super) fn low_bits(count: usize) -> u64 {
    (1 << count) - 1
}
