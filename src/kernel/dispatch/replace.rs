//! Replaces ill-formed sequences by U+FFFD, leaves them out, and swaps the byte order of units.

use super::{by_isa, run_plain};
#[cfg(target_feature = "sse2")]
use crate::kernel::avx512;
use crate::kernel::portable::replace_wide::ReplaceWide;
use crate::kernel::portable::swap::Swap;
use crate::kernel::shared::Plain as _;
use crate::kernel::shared::omit_utf8::OmitUtf8;
use crate::kernel::shared::replace_utf8::{ReplaceUtf8, Replaced, Survey};
use crate::kernel::{Engine, generic};
use crate::unicode::{Family, Form, Utf16Form};

/// Replaces the ill-formed sequences of UTF-8: see [`shared::replace_utf8`](crate::kernel::shared::replace_utf8). Without
/// vectors it does nothing.
///
/// # Safety
/// Source and output of `work` must be readable and writable, and not overlap.
#[inline]
pub(crate) unsafe fn replace_utf8(engine: Engine, work: ReplaceUtf8) -> Replaced {
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: the caller's promise.
    unsafe {
        by_isa!(engine; avx512::replace_utf8(work), generic::ReplaceInUtf8(work), work.unsupported())
    }
}

/// Copies UTF-8 without its ill-formed sequences and without characters above `MOST`, the last one of ASCII, Latin-1 or UTF-8, or, if
/// `MARKS`, with question marks for these: see [`shared::omit_utf8`](crate::kernel::shared::omit_utf8). Without vectors, and
/// on WebAssembly, it does nothing.
///
/// # Safety
/// Source and output of `work` must be readable and writable, and not overlap.
#[inline(never)]
pub(crate) unsafe fn omit_utf8<const MOST: u32, const MARKS: bool>(
    engine: Engine,
    work: OmitUtf8,
) -> Replaced {
    if cfg!(target_arch = "wasm32") {
        // Rarely asked for there, where its stores of half a vector became calls.
        return work.unsupported();
    }
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: the caller's promise.
    unsafe {
        by_isa!(
            engine;
            avx512::omit_utf8::<MOST, MARKS>(work),
            generic::OmitInUtf8::<MOST, MARKS>(work),
            work.unsupported(),
        )
    }
}

/// What is ill-formed in the first bytes of UTF-8, up to 64, which begin at a character boundary. Without vectors, nothing is found out.
#[inline]
pub(crate) fn survey_utf8(engine: Engine, text: &[u8]) -> Survey {
    let (src, len) = (text.as_ptr(), text.len());
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: so many bytes are in the slice.
    unsafe {
        by_isa!(
            engine;
            avx512::survey_utf8(src, len),
            generic::SurveyUtf8 { src, len },
            Survey { len: 0, begins: 0, others: 0 },
        )
    }
}

/// Reverses the bytes of each of the `len` units of `S` at `text`, in place.
///
/// # Safety
/// `len` units must be readable and writable at `text`, at any alignment.
#[inline]
pub(crate) unsafe fn swap<S: Form>(engine: Engine, text: *mut u8, len: usize) {
    if size_of::<S::Unit>() > 1 {
        // SAFETY: the caller's promise.
        unsafe { run_plain(engine, Swap::<S>::new(text, len)) };
    }
}

/// Copies the `len` units of `S`, which is UTF-16 or UTF-32, from `src` to `dst`, with U+FFFD in place of each ill-formed unit;
/// returns how many were replaced. `src` and `dst` may be equal, but must not overlap otherwise.
///
/// # Safety
/// `len` units must be readable at `src` and writable at `dst`, at any alignment.
#[inline]
pub(crate) unsafe fn replace_wide<S: Form>(
    engine: Engine,
    src: *const u8,
    dst: *mut u8,
    len: usize,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        match (S::FAMILY, S::SWAPPED) {
            (Family::Utf16, false) => replace_utf16::<S, false>(engine, src, dst, len),
            (Family::Utf16, true) => replace_utf16::<S, true>(engine, src, dst, len),
            _ => run_plain(engine, ReplaceWide::<S>::new(src, dst, len)).written,
        }
    }
}

/// [`replace_wide`] for UTF-16, with its byte order.
///
/// # Safety
/// As there.
#[inline]
unsafe fn replace_utf16<S: Form, const SWAP: bool>(
    engine: Engine,
    src: *const u8,
    dst: *mut u8,
    len: usize,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        by_isa!(
            engine;
            avx512::replace_utf16::<SWAP>(src, dst, len),
            generic::ReplaceUtf16::<SWAP>::new(src, dst, len),
            ReplaceWide::<S>::new(src, dst, len).run().written,
        )
    }
}

/// Replaces each unpaired surrogate by U+FFFD, in place; returns how many there were.
#[inline]
pub(crate) fn replace_in_place(engine: Engine, text: &mut [u16]) -> usize {
    let len = text.len();
    let text = text.as_mut_ptr();
    // SAFETY: so many units are in the slice, and they are read and written through one pointer.
    unsafe {
        by_isa!(
            engine;
            avx512::replace_utf16_in_place(text.cast(), len),
            generic::ReplaceInPlace { text, len },
            ReplaceWide::<Utf16Form<false>>::new(text.cast_const().cast(), text.cast(), len).run().written,
        )
    }
}
