//! Which kernel serves which operation, and the jump to it.
//!
//! Every operation is a function of an [`Engine`], which is the proof that its instruction set may be used. It is a `match` that
//! ends in a jump to the kernel, with the arguments still in their registers; the engine comes last, so that the arguments are
//! where the kernel expects them. That is a nanosecond faster than a function pointer on the CPUs measured. The `match` is not
//! inlined: a jump costs less than a table of calls in each caller.
//!
//! These functions are generic, over forms, weights or loops, so nothing is compiled before it is used, and a program pays only for the
//! kernels that it calls. Functions that have nothing to be generic over have a parameter `LAZY` for this purpose. The validation of
//! UTF-8 is the exception: it is compiled once, with this crate, instead of once for each crate that calls it.
//!
//! - [`validate`]: how much of a text is well-formed; [`errors`]: where all of its errors are.
//! - [`convert`]: from one form to another; [`cesu8`]: to and from CESU-8 and modified UTF-8, with the kernels of UTF-8.
//! - [`lengths`]: counts of units, and the greatest unit.
//! - [`replace`]: replaces ill-formed sequences; swaps the byte order.
//! - [`rank`]: rank and select; [`offsets`]: the offsets of columns; [`byte_classes`]: the counts that detection needs.
//! - [`scan`]: masks of sets of bytes, from text that is validated.
//! - [`short`]: the short-input path, which spares short inputs the call.

#[cfg(feature = "dynamic")]
pub(crate) mod byte_classes;
mod cesu8;
pub(crate) mod convert;
pub(crate) mod errors;
pub(crate) mod lengths;
pub(crate) mod offsets;
pub(crate) mod rank;
pub(crate) mod replace;
pub(crate) mod scan;
pub(crate) mod short;
pub(crate) mod validate;

#[cfg(feature = "alloc")]
pub(crate) use cesu8::{is_ordinary, ordinary_prefix};

#[cfg(target_feature = "sse2")]
use super::avx512;
use super::shared::{Plain, Progress};
use super::vector::{LaneLoop, by_isa};
use super::{Engine, generic};

/// Runs a plain loop, compiled for this engine's instruction set.
///
/// # Safety
/// As for the loop.
#[inline]
unsafe fn run_plain(engine: Engine, plain: impl Plain) -> Progress {
    // SAFETY: the caller's promise.
    unsafe { by_isa!(engine; avx512::run_plain(plain), generic::PlainLoop(plain), plain.run()) }
}

/// Runs a loop over units, in this engine's vectors.
///
/// # Safety
/// As for the loop.
#[inline]
unsafe fn walk(engine: Engine, walk: impl LaneLoop) -> Progress {
    // SAFETY: the caller's promise.
    unsafe { by_isa!(engine; avx512::run_lanes(walk), generic::OverLanes(walk), walk.run_portable()) }
}
