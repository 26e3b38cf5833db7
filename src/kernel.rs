//! The kernels: bulk operations on well-formed text.
//!
//! A kernel does one operation on one instruction set. It reads whole characters as long as the text is well-formed, and stops at
//! a character boundary *at or before* the first ill-formed sequence, the first character that does not fit, or the end. Stopping
//! early is always legal, stopping late never is; so a kernel holds no error code and no policy. It may *recognise* ill-formed
//! text, but it never *names* the error: that is left to the codecs, in `unicode`.
//!
//! The modules; each uses only those listed before it:
//!
//! - [`shared`]: what kernels of all instruction sets have in common.
//! - [`vector`]: the operations of registers, with one file of primitives for each of AVX2, SSE4.2, NEON and simd128.
//! - [`cpu`]: the instruction sets, their detection, and [`Engine`], the proof that one is available. The choice is made once.
//! - [`portable`]: plain loops, for CPUs without vectors, or for the compiler to vectorise for each instruction set.
//! - [`generic`]: one algorithm per operation, written over [`vector::Vector`].
//! - `avx512`: written by hand, because masks and byte permutations change the algorithms.
//! - [`dispatch`]: which kernel serves which operation, and the jump to it. The rest of the crate calls only this.

mod cpu;
pub(crate) mod dispatch;
mod portable;
mod shared;

cfg_if::cfg_if! {
    // Targets whose baseline has vectors; elsewhere the calling convention cannot pass them.
    if #[cfg(any(
        target_feature = "sse2",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        target_feature = "simd128"
    ))] {
        mod generic;
        mod vector;
    } else {
        // Without vectors, parts of these modules are unused.
        #[allow(dead_code)]
        mod generic;
        #[allow(dead_code, unused_macros)]
        mod vector;
    }
}
#[cfg(target_feature = "sse2")]
mod avx512;

pub use cpu::{Engine, Isa, Unavailable, UnknownIsa};
pub use shared::Progress;
pub(crate) use shared::omit_utf8::OmitUtf8;
pub(crate) use shared::replace_utf8::{ROOM as REPLACEMENT_ROOM, ReplaceUtf8, Replaced};
pub(crate) use shared::wanted::{Expected, LINE, MOST_LINES, Members, Wanted};
