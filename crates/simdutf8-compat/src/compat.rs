//! Is it UTF-8, and if not, where does it end, as the standard library says it?

use core::fmt;

/// Where bytes are not UTF-8: as [`core::str::Utf8Error`].
#[derive(Copy, Eq, PartialEq, Clone, Debug)]
pub struct Utf8Error {
    valid_up_to: usize,
    error_len: Option<u8>,
}

impl Utf8Error {
    /// The length of the well-formed prefix: the same as std's.
    #[inline]
    #[must_use]
    pub fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    /// The length of the ill-formed sequence, 1 to 3, or `None` if the input ends in the middle of a character: the same as
    /// std's.
    #[inline]
    #[must_use]
    pub fn error_len(&self) -> Option<usize> {
        self.error_len.map(usize::from)
    }
}

impl fmt::Display for Utf8Error {
    // The texts of simdutf8, which says "1 bytes".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.valid_up_to;
        match self.error_len {
            Some(len) => write!(f, "invalid utf-8 sequence of {len} bytes from index {at}"),
            None => write!(f, "incomplete utf-8 byte sequence from index {at}"),
        }
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Utf8Error {}

/// From the error of runecast. An ill-formed sequence of UTF-8 has at most three bytes.
#[cold]
fn error(error: runecast::Utf8Error) -> Utf8Error {
    let error_len = error.error_len().map(|len| len as u8);
    Utf8Error { valid_up_to: error.valid_up_to(), error_len }
}

/// As [`core::str::from_utf8`].
///
/// # Errors
/// Where `input` is not UTF-8.
#[inline]
pub fn from_utf8(input: &[u8]) -> Result<&str, Utf8Error> {
    runecast::from_utf8(input).map_err(error)
}

/// As [`core::str::from_utf8_mut`].
///
/// # Errors
/// Where `input` is not UTF-8. It is left unmodified.
#[inline]
pub fn from_utf8_mut(input: &mut [u8]) -> Result<&mut str, Utf8Error> {
    runecast::from_utf8_mut(input).map_err(error)
}

/// [`from_utf8`] without the text, under the names of instruction sets.
#[cfg(feature = "public_imp")]
pub mod imp {
    // One function for each module, as in simdutf8, so that they are different items there, too.
    macro_rules! validate {
        () => {
            use crate::compat::{Utf8Error, from_utf8};

            /// Whether `input` is UTF-8, by the fastest kernel of this CPU.
            ///
            /// # Errors
            /// Where `input` is not UTF-8.
            ///
            /// # Safety
            /// None is needed: it is `unsafe` because simdutf8's is.
            #[inline]
            pub unsafe fn validate_utf8(input: &[u8]) -> Result<(), Utf8Error> {
                from_utf8(input).map(|_| ())
            }
        };
    }

    /// For x86 and x86-64.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    pub mod x86 {
        /// Under the name of AVX2.
        pub mod avx2 {
            validate!();
        }
        /// Under the name of SSE4.2.
        pub mod sse42 {
            validate!();
        }
    }

    /// For AArch64.
    #[cfg(all(feature = "aarch64_neon", target_arch = "aarch64"))]
    pub mod aarch64 {
        /// Under the name of NEON.
        pub mod neon {
            validate!();
        }
    }

    /// For WebAssembly.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub mod wasm32 {
        /// Under the name of simd128.
        pub mod simd128 {
            validate!();
        }
    }
}
