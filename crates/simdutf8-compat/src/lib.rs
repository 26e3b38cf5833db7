//! The API of [simdutf8](https://docs.rs/simdutf8) 0.1.5, implemented by runecast.
//!
//! A project that depends on simdutf8, by itself or through others, gets runecast's kernels by two lines in the manifest
//! of its workspace, without a changed line of code:
//!
//! ```toml
//! [patch.crates-io]
//! simdutf8 = { path = "…/runecast/crates/simdutf8-compat" }
//! ```
//!
//! Every item of simdutf8 is here under its name, with its signature, its texts and its traits, and the same feature makes
//! it available: [`basic`] with an error of no size, [`compat`] with the positions of the standard library, and with feature
//! `public_imp` their modules `imp`. For every input the answers are equal, and so are those of the
//! standard library.
//!
//! ```
//! let error = simdutf8::compat::from_utf8(b"I \xE2\x9D\xA4\xEF\xB8 UTF-8!").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.error_len()), (5, Some(2)));
//! assert!(simdutf8::basic::from_utf8(b"caf\xC3\xA9").is_ok());
//! ```
//!
//! # What differs
//!
//! - Kernels are chosen when the program runs, also without feature `std`: AVX-512, AVX2, SSE4.2, NEON or simd128.
//! - The modules of `imp` are named for instruction sets, as there, but each runs the fastest kernel of the CPU. Their functions
//!   are `unsafe`, as there, but safe to call on any CPU.
//! - [`basic`] returns at the first error; simdutf8 reads the input to its end.
//! - Rust 1.89 is needed; simdutf8 needs 1.38.
#![no_std]

#[cfg(feature = "std")]
extern crate std;

pub mod basic;
pub mod compat;
#[cfg(feature = "public_imp")]
mod streaming;
