//! Validation in chunks: the traits of simdutf8, and a type for each under the name of each instruction set.
//!
//! Nothing is said before the end: [`Utf8Validator::finalize`] knows whether all that came before was UTF-8. The methods of
//! the traits are `unsafe`, for simdutf8's are; the types here need nothing of the CPU, and nothing of the caller.
//!
//! ```
//! # #[cfg(target_arch = "x86_64")] {
//! use simdutf8::basic::imp::{Utf8Validator, x86::avx2::Utf8ValidatorImp};
//!
//! // SAFETY: safe on any CPU.
//! unsafe {
//!     let mut validator = Utf8ValidatorImp::new();
//!     validator.update(b"caf\xC3");
//!     validator.update(b"\xA9");
//!     assert!(validator.finalize().is_ok());
//! }
//! # }
//! ```

use crate::basic;

/// Validates text in chunks of any size.
pub trait Utf8Validator {
    /// At the beginning of a text.
    ///
    /// # Safety
    /// As the implementing type says. Those of this crate need nothing.
    #[must_use]
    unsafe fn new() -> Self
    where
        Self: Sized;

    /// Takes the next chunk.
    ///
    /// # Safety
    /// As the implementing type says. Those of this crate need nothing.
    unsafe fn update(&mut self, input: &[u8]);

    /// Ends the text.
    ///
    /// # Errors
    /// If the chunks together were not UTF-8.
    ///
    /// # Safety
    /// As the implementing type says. Those of this crate need nothing.
    unsafe fn finalize(self) -> Result<(), basic::Utf8Error>;
}

/// Validates text in chunks whose sizes are multiples of 64 bytes; only the last may have any size.
pub trait ChunkedUtf8Validator {
    /// At the beginning of a text.
    ///
    /// # Safety
    /// As the implementing type says. Those of this crate need nothing.
    #[must_use]
    unsafe fn new() -> Self
    where
        Self: Sized;

    /// Takes the next chunk, or several.
    ///
    /// # Panics
    /// If `input.len()` is not a multiple of 64.
    ///
    /// # Safety
    /// As the implementing type says. Those of this crate need nothing.
    unsafe fn update_from_chunks(&mut self, input: &[u8]);

    /// Takes what remains, of any length, and ends the text.
    ///
    /// # Errors
    /// If all together was not UTF-8.
    ///
    /// # Safety
    /// As the implementing type says. Those of this crate need nothing.
    unsafe fn finalize(self, remaining_input: Option<&[u8]>) -> Result<(), basic::Utf8Error>;
}

// The items of one module: types and a function of its own, as in simdutf8, so that a caller's trait can be implemented for each.
macro_rules! validators {
    () => {
        use crate::basic::{self, from_utf8, imp};
        use crate::streaming::{Blocks, Chunks};

        /// Whether `input` is UTF-8, by the fastest kernel of this CPU.
        ///
        /// # Errors
        /// If `input` is not UTF-8.
        ///
        /// # Safety
        /// None is needed: it is `unsafe` because simdutf8's is.
        #[inline]
        pub unsafe fn validate_utf8(input: &[u8]) -> Result<(), basic::Utf8Error> {
            from_utf8(input).map(|_| ())
        }

        /// A [`Utf8Validator`](imp::Utf8Validator) with the fastest kernel of this CPU.
        pub struct Utf8ValidatorImp(Chunks);

        impl imp::Utf8Validator for Utf8ValidatorImp {
            #[inline]
            unsafe fn new() -> Self {
                Self(Chunks::new())
            }

            #[inline]
            unsafe fn update(&mut self, input: &[u8]) {
                self.0.update(input);
            }

            #[inline]
            unsafe fn finalize(self) -> Result<(), basic::Utf8Error> {
                self.0.finalize()
            }
        }

        /// A [`ChunkedUtf8Validator`](imp::ChunkedUtf8Validator) with the fastest kernel of this CPU.
        pub struct ChunkedUtf8ValidatorImp(Blocks);

        impl imp::ChunkedUtf8Validator for ChunkedUtf8ValidatorImp {
            #[inline]
            unsafe fn new() -> Self {
                Self(Blocks::new())
            }

            #[inline(always)]
            unsafe fn update_from_chunks(&mut self, input: &[u8]) {
                self.0.update(input);
            }

            #[inline]
            unsafe fn finalize(self, remaining_input: Option<&[u8]>) -> Result<(), basic::Utf8Error> {
                self.0.finalize(remaining_input.unwrap_or_default())
            }
        }
    };
}

/// For x86 and x86-64.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub mod x86 {
    /// Under the name of AVX2.
    pub mod avx2 {
        validators!();
    }
    /// Under the name of SSE4.2.
    pub mod sse42 {
        validators!();
    }
}

/// For AArch64.
#[cfg(all(feature = "aarch64_neon", target_arch = "aarch64"))]
pub mod aarch64 {
    /// Under the name of NEON.
    pub mod neon {
        validators!();
    }
}

/// For WebAssembly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod wasm32 {
    /// Under the name of simd128.
    pub mod simd128 {
        validators!();
    }
}
