//! simdutf's conversions from one encoding to another.
//!
//! All are the validating ones. simdutf writes through a bare pointer and trusts that there is
//! room for whatever the text becomes; here the output is a slice, and it must have room for the
//! worst text of that length, which costs one comparison a call.

use std::ffi::c_void;

use super::Simdutf;

macro_rules! conversions {
    ($($(#[$doc:meta])* $method:ident($source:ty => $target:ty, $worst:literal): $plain:ident, $forced:ident;)*) => {
        unsafe extern "C" {
            $(fn $forced(implementation: *const c_void, src: *const $source, len: usize, dst: *mut $target) -> usize;)*
        }

        impl Simdutf {$(
            $(#[$doc])*
            ///
            /// Returns the units written; none if `src` is ill-formed.
            ///
            /// # Panics
            /// If `dst` has no room for the worst case.
            #[inline]
            pub fn $method(self, src: &[$source], dst: &mut [$target]) -> usize {
                assert!(dst.len() / $worst >= src.len());
                let (len, target) = (src.len(), dst.as_mut_ptr());
                if self.chosen {
                    // SAFETY: pointer and length are a slice's; no text of this length becomes
                    // longer than `dst`, as was just seen.
                    return unsafe { simdutf::$plain(src.as_ptr(), len, target) };
                }
                // SAFETY: `self.implementation` is an implementation that the CPU runs; the rest
                // as above.
                unsafe { $forced(self.implementation, src.as_ptr(), len, target) }
            }
        )*}
    };
}

conversions! {
    /// UTF-8 to UTF-16.
    utf8_to_utf16(u8 => u16, 1): convert_utf8_to_utf16, peerbench_simdutf_convert_utf8_to_utf16le;
    /// UTF-8 to UTF-32.
    utf8_to_utf32(u8 => u32, 1): convert_utf8_to_utf32, peerbench_simdutf_convert_utf8_to_utf32;
    /// UTF-8 to Latin-1.
    utf8_to_latin1(u8 => u8, 1): convert_utf8_to_latin1, peerbench_simdutf_convert_utf8_to_latin1;
    /// UTF-16 to UTF-8.
    utf16_to_utf8(u16 => u8, 3): convert_utf16_to_utf8, peerbench_simdutf_convert_utf16le_to_utf8;
    /// UTF-16 to UTF-32.
    utf16_to_utf32(u16 => u32, 1): convert_utf16_to_utf32, peerbench_simdutf_convert_utf16le_to_utf32;
    /// UTF-16 to Latin-1.
    utf16_to_latin1(u16 => u8, 1): convert_utf16_to_latin1, peerbench_simdutf_convert_utf16le_to_latin1;
    /// UTF-32 to UTF-8.
    utf32_to_utf8(u32 => u8, 4): convert_utf32_to_utf8, peerbench_simdutf_convert_utf32_to_utf8;
    /// UTF-32 to UTF-16.
    utf32_to_utf16(u32 => u16, 2): convert_utf32_to_utf16, peerbench_simdutf_convert_utf32_to_utf16le;
    /// UTF-32 to Latin-1.
    utf32_to_latin1(u32 => u8, 1): convert_utf32_to_latin1, peerbench_simdutf_convert_utf32_to_latin1;
    /// Latin-1 to UTF-8.
    latin1_to_utf8(u8 => u8, 2): convert_latin1_to_utf8, peerbench_simdutf_convert_latin1_to_utf8;
    /// Latin-1 to UTF-16.
    latin1_to_utf16(u8 => u16, 1): convert_latin1_to_utf16, peerbench_simdutf_convert_latin1_to_utf16le;
    /// Latin-1 to UTF-32.
    latin1_to_utf32(u8 => u32, 1): convert_latin1_to_utf32, peerbench_simdutf_convert_latin1_to_utf32;
}

unsafe extern "C" {
    fn peerbench_simdutf_change_endianness_utf16(
        implementation: *const c_void,
        src: *const u16,
        len: usize,
        dst: *mut u16,
    );
}

impl Simdutf {
    /// UTF-16 to UTF-16 with the bytes of each unit swapped, whatever they are; returns the units.
    ///
    /// # Panics
    /// If `dst` is shorter than `src`.
    #[inline]
    pub fn swap_utf16(self, src: &[u16], dst: &mut [u16]) -> usize {
        assert!(dst.len() >= src.len());
        let (len, target) = (src.len(), dst.as_mut_ptr());
        if self.chosen {
            // SAFETY: pointers and lengths are those of slices; `dst` is long enough.
            unsafe { simdutf::change_endianness_utf16(src.as_ptr(), len, target) };
        } else {
            // SAFETY: `self.implementation` is an implementation that the CPU runs; the rest as above.
            unsafe {
                peerbench_simdutf_change_endianness_utf16(self.implementation, src.as_ptr(), len, target);
            }
        }
        len
    }
}

unsafe extern "C" {
    fn peerbench_simdutf_to_well_formed_utf16(
        implementation: *const c_void,
        src: *const u16,
        len: usize,
        dst: *mut u16,
    );
}

// The crate does not have these: the shim calls the chosen implementation, too.
impl Simdutf {
    /// UTF-16 with U+FFFD for each unpaired surrogate; returns the units.
    ///
    /// # Panics
    /// If `dst` is shorter than `src`.
    #[inline]
    pub fn to_well_formed_utf16(self, src: &[u16], dst: &mut [u16]) -> usize {
        assert!(dst.len() >= src.len());
        let (len, target) = (src.len(), dst.as_mut_ptr());
        // SAFETY: `self.implementation` is an implementation that the CPU runs; pointers and lengths
        // are those of slices; `dst` is long enough.
        unsafe { peerbench_simdutf_to_well_formed_utf16(self.implementation, src.as_ptr(), len, target) };
        len
    }

    /// The same where it stands.
    #[inline]
    pub fn make_well_formed_utf16(self, text: &mut [u16]) -> usize {
        let (len, place) = (text.len(), text.as_mut_ptr());
        // SAFETY: `self.implementation` is an implementation that the CPU runs; the library allows both
        // pointers to be the same, and they are those of a slice that is borrowed mutably.
        unsafe { peerbench_simdutf_to_well_formed_utf16(self.implementation, place, len, place) };
        len
    }
}
