//! The kernels: well-formed text, moved in bulk.
//!
//! A kernel does one operation on one instruction set. It goes forward over whole characters as long as everything is
//! well-formed, and stops at a character boundary *at or before* the first sequence that is not, the first character that does
//! not fit, or the end. Stopping early is always legal, stopping late never is; so a kernel holds no error code and no policy.
//! It may *recognise* what is ill-formed, and it never *names* it: that is for the codecs, in `unicode`.
//!
//! Where things are, each using those before it only:
//!
//! - [`cpu`]: the instruction sets, which of them this CPU has, and [`Engine`], the proof of one. The choice is made once.
//! - [`shared`]: what kernels of all instruction sets have in common.
//! - [`vector`]: what the registers of an instruction set can do, in one file of primitives for each of AVX2, SSE4.2, NEON
//!   and simd128.
//! - [`portable`]: plain loops: what there is without vectors, or what compilers vectorise for each instruction set.
//! - [`generic`]: one algorithm per operation, written over [`vector::Vector`].
//! - `avx512`: written by hand, for masks and byte permutations change the shape of algorithms.
//! - [`dispatch`]: which kernel for which operation, and the jump to it. It is what the rest of the crate calls.

mod cpu;
pub(crate) mod dispatch;
mod portable;
mod shared;

cfg_if::cfg_if! {
    // Where the target has vectors to begin with: not where its calling convention knows none.
    if #[cfg(any(
        target_feature = "sse2",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        target_feature = "simd128"
    ))] {
        mod generic;
        mod vector;
    } else {
        // What only vectors need of these has no use here.
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
pub(crate) use shared::replace_utf8::{ReplaceUtf8, Replaced};
