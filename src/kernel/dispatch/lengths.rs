//! Counts of units, and the greatest unit.

use super::run_plain;
use crate::kernel::Engine;
use crate::kernel::portable::corrected_lengths::{AtLeast, CorrectedLengths, has_corrected_side};
use crate::kernel::portable::lengths::{Greatest, Lengths, Pairs16, Surrogates8, is_uniform};
use crate::kernel::shared::Progress;
#[cfg(target_feature = "sse2")]
use crate::kernel::{Isa, avx512};
#[cfg(target_feature = "sse2")]
use crate::unicode::Family;
use crate::unicode::Form;

/// The length in units of `D` of the `len` units of `S` at `src`, if they are well-formed.
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment.
#[inline]
pub(crate) unsafe fn length<S: Form, D: Form>(engine: Engine, src: *const u8, len: usize) -> usize {
    if const { has_corrected_side::<S, D>() } {
        // SAFETY: the caller's promise.
        return unsafe { run_plain(engine, CorrectedLengths::<S, D>::new(src, len)) }.written;
    }
    if const { is_uniform::<S, D>() } {
        return len;
    }
    #[cfg(target_feature = "sse2")]
    if const { !matches!(S::FAMILY, Family::Cesu8) && !matches!(D::FAMILY, Family::Cesu8) }
        && engine.isa() == Isa::Avx512
    {
        // SAFETY: an `Engine` exists only for an instruction set that this CPU runs; the rest is the
        // caller's promise.
        return unsafe { avx512::length::<S, D>(src, len) };
    }
    // SAFETY: the caller's promise.
    unsafe { run_plain(engine, Lengths::<S, D>::new(src, len)) }.written
}

/// The greatest of the `len` units of `S` at `src`, or some unit greater than `limit`. Surrogates count as FFFF; no other unit
/// does.
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment.
#[inline]
pub(crate) unsafe fn greatest<S: Form>(engine: Engine, src: *const u8, len: usize, limit: u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { run_plain(engine, Greatest::<S>::new(src, len, limit)) }.written as u32
}

/// Whether some character in `src`, in Corrected UTF-8, is at least `POINT`.
pub(crate) fn any_at_least<const POINT: u32>(engine: Engine, src: &[u8]) -> bool {
    // SAFETY: the bytes are those of the slice.
    unsafe { run_plain(engine, AtLeast::<POINT>::new(src.as_ptr(), src.len())) }.written > 0
}

/// How many surrogate pairs there are in `src`, in three bytes for each surrogate.
#[inline]
pub(crate) fn surrogate_pairs(engine: Engine, src: &[u8]) -> usize {
    // SAFETY: the bytes are those of the slice.
    unsafe { run_plain(engine, Surrogates8::<true>::new(src.as_ptr(), src.len())) }.written
}

/// Whether there is a surrogate in three bytes in `src`.
#[inline]
pub(crate) fn any_surrogate(engine: Engine, src: &[u8]) -> bool {
    // SAFETY: the bytes are those of the slice.
    unsafe { run_plain(engine, Surrogates8::<false>::new(src.as_ptr(), src.len())) }.written > 0
}

/// How many low surrogates and how many surrogate pairs there are in the `len` units of UTF-16 at `src`.
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment.
#[inline]
pub(crate) unsafe fn lows_and_pairs<S: Form>(engine: Engine, src: *const u8, len: usize) -> (usize, usize) {
    // SAFETY: the caller's promise.
    let Progress { read, written } = unsafe { run_plain(engine, Pairs16::<S>::new(src, len)) };
    (read, written)
}
