//! AVX-512, by hand: masks, byte permutations and masked loads change the shape of algorithms.
//!
//! Every function of these kernels is wrapped in [`avx512!`], so that the features they are
//! compiled for stand in one place. Loads never touch a byte outside of the slice: where a
//! 64-byte register would reach over an end, the lanes outside are masked off, and masked lanes
//! are not read.

#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;

/// Compiles functions for the features that [`Isa::Avx512`](super::Isa::Avx512) stands for.
/// (VBMI implies BW and F, and F implies AVX2.)
macro_rules! avx512 {
    ($($item:item)*) => {
        $(#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,gfni,bmi1,bmi2,popcnt")] $item)*
    };
}

use super::shared::{Plain, Progress};
use super::vector::LaneLoop;

mod ascii;
mod ends;
mod lanes;
mod latin1_to_utf8;
mod lengths;
mod rank;
mod replace_utf16;
mod replace_utf8;
mod utf16_to_utf8;
mod utf16_to_wide;
mod utf32_to_utf16;
mod utf32_to_utf8;
mod utf8;
mod utf8_to_latin1;
mod utf8_to_wide;
mod values;
mod widen;
mod words;

pub(super) use ascii::ascii_prefix;
pub(super) use latin1_to_utf8::latin1_to_utf8;
pub(super) use lengths::length;
pub(super) use rank::{profile, seek};
pub(super) use replace_utf8::replace_utf8;
pub(super) use replace_utf16::replace_utf16;
pub(super) use utf8::valid_prefix;
pub(super) use utf8_to_latin1::utf8_to_latin1;
pub(super) use utf8_to_wide::{corrected_to_utf16, corrected_to_utf32, utf8_to_utf16, utf8_to_utf32};
pub(super) use utf16_to_utf8::{utf16_to_corrected, utf16_to_utf8};
pub(super) use utf16_to_wide::{utf16_to_utf16, utf16_to_utf32};
pub(super) use utf32_to_utf8::{utf32_to_corrected, utf32_to_utf8};
pub(super) use utf32_to_utf16::utf32_to_utf16;
pub(super) use values::valid_values;
pub(super) use widen::widen;

/// Bytes in a register, and in a cache line.
const BLOCK: usize = 64;

/// A page: the unit in which memory is mapped or not.
const PAGE: usize = 4096;

/// An input of 1 to 64 bytes, as lanes of one register.
///
/// A masked lane on an unmapped page does not fault, but it costs a hundred nanoseconds. So the
/// register is laid over the input from its first byte on, or, near the end of a page, so that it
/// ends with the input.
#[derive(Clone, Copy)]
struct Window {
    /// The address of the first lane; it may lie before the input.
    base: *const u8,
    /// The lane of the input's first byte.
    shift: usize,
    /// The lanes of the input.
    lanes: u64,
}

impl Window {
    #[inline(always)]
    fn over(src: &[u8]) -> Window {
        let spare = BLOCK - src.len();
        let near_page_end = src.as_ptr() as usize % PAGE > PAGE - BLOCK;
        let shift = if near_page_end { spare } else { 0 };
        Window { base: src.as_ptr().wrapping_sub(shift), shift, lanes: (!0 >> spare) << shift }
    }
}

avx512! {
    /// Runs a plain loop, compiled for AVX-512.
    ///
    /// # Safety
    /// As for the loop.
    pub(super) unsafe fn run_plain(plain: impl Plain) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { plain.run() }
    }

    /// A walk over units.
    ///
    /// # Safety
    /// As for the walk.
    pub(super) unsafe fn walk(walk: impl LaneLoop) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { walk.run_lanes::<lanes::Avx512>() }
    }
}
