//! AVX-512, by hand: masks, byte permutations and masked loads lead to other algorithms.
//!
//! All functions of these kernels are wrapped in `avx512!`, so the features that they are compiled for are written in
//! one place. Loads never touch a byte outside of the slice: where a 64-byte register would reach past an end, the
//! lanes outside are masked off, and masked lanes are not read.
//!
//! - [`memory`]: masked loads and stores, prefetching; [`registers`]: tables, truth tables and byte order.
//! - [`lanes`]: AVX-512 as lanes of code units, for code that is written once for all instruction sets.
//! - [`two_bytes`]: characters below U+0800, which the kernels to UTF-8 share.
//! - Every other module is a kernel.

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
mod cuts;
mod lanes;
mod latin1_to_utf8;
mod lengths;
mod memory;
mod omit_utf8;
mod ordinary;
mod rank;
mod registers;
mod replace_utf16;
mod replace_utf8;
mod scan;
mod two_bytes;
mod utf16_to_utf8;
mod utf16_to_wide;
mod utf32_to_utf16;
mod utf32_to_utf8;
mod utf8;
mod utf8_to_latin1;
mod utf8_to_wide;
mod values;
mod widen;

pub(super) use ascii::ascii_prefix;
pub(super) use cuts::unquote;
pub(super) use latin1_to_utf8::latin1_to_utf8;
pub(super) use lengths::length;
pub(super) use omit_utf8::omit_utf8;
pub(super) use ordinary::ordinary_prefix;
pub(super) use rank::{profile, seek};
pub(super) use replace_utf8::{replace_utf8, survey_utf8};
pub(super) use replace_utf16::{replace_utf16, replace_utf16_in_place};
pub(super) use scan::{positions, scan};
pub(super) use utf8::{errors_of_lines, valid_prefix};
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

avx512! {
    /// Runs a plain loop, compiled for AVX-512.
    ///
    /// # Safety
    /// As for the loop.
    pub(super) unsafe fn run_plain(plain: impl Plain) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { plain.run() }
    }

    /// Runs a loop over the lanes of AVX-512.
    ///
    /// # Safety
    /// As for the loop.
    pub(super) unsafe fn run_lanes(lane_loop: impl LaneLoop) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { lane_loop.run_lanes::<lanes::Avx512>() }
    }
}
