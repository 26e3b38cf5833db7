//! The generic algorithms: one for each operation, over any [`Vector`].
//!
//! Each is an [`Operation`], and every function here is `#[inline(always)]`: it has no target features of its own and
//! takes those of the root that it is inlined into. What must not be inlined, such as each of the adaptive loops, is an
//! operation by itself and enters a root again through `V::enter`.

mod ascii;
mod compact;
mod copy_short;
mod few_steps;
mod latin1_to_utf8;
mod lengths;
mod omit_utf8;
pub(super) mod ordinary;
mod rank;
pub(super) mod replace_utf16;
mod replace_utf8;
mod scan;
mod scratch;
pub(super) mod utf16_copy;
mod utf16_to_wide;
mod utf32_to_utf16;
mod utf8;
mod utf8_to_latin1;
mod utf8_to_wide;
mod values;
mod wide_to_utf8;
pub(super) mod widen;

use super::shared::{Plain, Progress};
use super::vector::LaneLoop;
use super::vector::{Operation, Vector};

pub(super) use ascii::AsciiPrefix;
pub(super) use latin1_to_utf8::Latin1ToUtf8;
pub(super) use lengths::{BytesOfWide, ShortLength};
pub(super) use omit_utf8::OmitInUtf8;
pub(super) use ordinary::OrdinaryPrefix;
pub(super) use rank::Seek;
pub(super) use replace_utf8::{ReplaceInUtf8, SurveyUtf8};
pub(super) use replace_utf16::{ReplaceInPlace, ReplaceUtf16};
pub(super) use scan::Scan;
pub(super) use utf8::{BehindError, ErrorsOfLines, ValidPrefix};
pub(super) use utf8_to_latin1::Utf8ToLatin1;
pub(super) use utf8_to_wide::{CorrectedToUtf16, CorrectedToUtf32, Utf8ToUtf16, Utf8ToUtf32};
pub(super) use utf16_to_wide::{Utf16ToUtf16, Utf16ToUtf32};
pub(super) use utf32_to_utf16::Utf32ToUtf16;
pub(super) use values::ValidValues;
pub(super) use wide_to_utf8::{Utf16ToCorrected, Utf16ToUtf8, Utf32ToCorrected, Utf32ToUtf8};

/// Bytes of a chunk of the bulk loops, whatever the vector.
const STEP: usize = 256;

/// Bytes of a block: a cache line, and a multiple of every vector.
const BLOCK: usize = 64;

/// A plain loop as an operation: the compiler vectorises it for the instruction set.
pub(super) struct PlainLoop<P>(pub P);

impl<P: Plain> Operation for PlainLoop<P> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.run() }
    }
}

/// A loop over lanes as an operation.
pub(super) struct OverLanes<L>(pub L);

impl<L: LaneLoop> Operation for OverLanes<L> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise; the lanes are those of the root.
        unsafe { self.0.run_lanes::<V>() }
    }
}
