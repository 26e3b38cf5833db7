//! What simdutf says of a text without writing anything: valid or not, counts, lengths.
//!
//! Counts and lengths assume valid text; of other text their results are unspecified.

use std::ffi::c_void;

use super::Simdutf;

macro_rules! counts {
    ($($(#[$doc:meta])* $method:ident($source:ty) -> $answer:ty: $plain:ident, $forced:ident;)*) => {
        unsafe extern "C" {
            $(fn $forced(implementation: *const c_void, src: *const $source, len: usize) -> $answer;)*
        }

        impl Simdutf {$(
            $(#[$doc])*
            #[inline]
            pub fn $method(self, src: &[$source]) -> $answer {
                if self.chosen {
                    return simdutf::$plain(src);
                }
                // SAFETY: `self.implementation` is an implementation that the CPU runs; pointer
                // and length are a slice's.
                unsafe { $forced(self.implementation, src.as_ptr(), src.len()) }
            }
        )*}
    };
}

counts! {
    /// Whether `src` is UTF-16.
    validate_utf16(u16) -> bool: validate_utf16, peerbench_simdutf_validate_utf16le;
    /// Whether `src` is UTF-32.
    validate_utf32(u32) -> bool: validate_utf32, peerbench_simdutf_validate_utf32;
    /// The characters of UTF-8.
    count_utf8(u8) -> usize: count_utf8, peerbench_simdutf_count_utf8;
    /// The characters of UTF-16.
    count_utf16(u16) -> usize: count_utf16, peerbench_simdutf_count_utf16le;
    /// The units that UTF-8 has in UTF-16.
    utf16_length_from_utf8(u8) -> usize: utf16_length_from_utf8, peerbench_simdutf_utf16_length_from_utf8;
    /// The bytes that UTF-16 has in UTF-8.
    utf8_length_from_utf16(u16) -> usize: utf8_length_from_utf16, peerbench_simdutf_utf8_length_from_utf16le;
    /// The bytes that UTF-32 has in UTF-8.
    utf8_length_from_utf32(u32) -> usize: utf8_length_from_utf32, peerbench_simdutf_utf8_length_from_utf32;
    /// The bytes that Latin-1 has in UTF-8.
    utf8_length_from_latin1(u8) -> usize: utf8_length_from_latin1, peerbench_simdutf_utf8_length_from_latin1;
}
