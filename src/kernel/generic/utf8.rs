//! UTF-8 validation over vectors of 16 or 32 bytes.
//!
//! The test is in [`lookups`], and for lines of 64 bytes in [`mod@unit`]. Which loop a text takes is decided here, first by its length:
//! what costs most in short text is not judging a line, but a branch that depends on the text. The first vector looks back at zeros. The
//! last vector ends with the input and overlaps the one before it; an input shorter than a vector is assembled from smaller loads. So there
//! is no loop over single bytes for any length.
//!
//! | bytes | with AVX2, SSE4.2 |
//! |--:|---|
//! | up to a vector | that vector |
//! | 256; with SSE4.2 130 | two vectors, four, or eight: [`short`] |
//! | 1 KiB | what is ASCII is skipped, before the registers are filled that all else needs; what is behind that is [one section](one_section) |
//! | 4 KiB | one section |
//! | 16 KiB | [a few sections](few_sections), behind ASCII; one, if a quarter of some samples is not ASCII |
//! | more | ASCII is skipped, some [pieces], and the loops for [long] text: [`groups`], [`sections`], [`far`] |
//!
//! With NEON, all text of up to 4 KiB is judged in pieces, and in modules for the web all text begins with pieces.

mod errors;
mod far;
mod few_sections;
mod groups;
mod long;
mod lookups;
mod one_section;
mod pieces;
mod sections;
mod straight;
mod unit;

use super::BLOCK;
use crate::kernel::shared::adaptive::Longest;
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{SECTION, closed};
use crate::kernel::vector::{Operation, Vector};

use few_sections::FewSections;
use one_section::{Judged, OneSection, Start};
use pieces::Pieces;

pub(in crate::kernel) use errors::ErrorsOfLines;
pub(super) use groups::Look;
pub(super) use lookups::Lookups;
pub(in crate::kernel) use pieces::BehindError;
pub(super) use unit::{Level, Sums};

/// The length of a well-formed prefix of `src`, in UTF-8 or Corrected UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct ValidPrefix<'a, const CORRECTED: bool> {
    pub src: &'a [u8],
}

impl<const CORRECTED: bool> Operation for ValidPrefix<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: all loads are of whole vectors within `src`, or partial.
        unsafe {
            if src.len() < V::LEN {
                let bytes = V::load_partial(src);
                if !bytes.any_sign_bit() {
                    return src.len();
                }
                // A truncated character is followed by zeros, and so is an error.
                let error = Lookups::<V>::new::<CORRECTED>().errors(bytes, V::splat(0));
                return if error.any() { stop_at(src, 0, error, src.len()) } else { src.len() };
            }
            if src.len() < most_of_short::<V>() {
                short::<V, CORRECTED>(src)
            } else {
                let in_sections = has_short_sections::<V>() && src.len() <= few_sections::MOST;
                if in_sections && src.len() > ASKED {
                    let start = Start::<V>::of(src);
                    let judged = start.judged(src);
                    if src.len() <= SECTION || judged != Judged::Some {
                        return V::apart(OneSection::<false, CORRECTED> { src, judged });
                    }
                    return V::apart(FewSections::<CORRECTED> { src, ascii: start.is_ascii() });
                }
                let fresh = src.len() > SECTION;
                if SMALL {
                    let most = if fresh { pieces::MOST } else { src.len() };
                    return V::apart(Pieces::<CORRECTED> { src, at: 0, most, fresh });
                }
                let ascii = if fresh { ASCII_HEAD } else { src.len() };
                // ASCII without the registers and the call that everything else takes.
                let mut at = 0;
                loop {
                    let piece = at.min(src.len() - PIECE);
                    let all = greatest_of_piece::<V>(src, piece);
                    if all.any_sign_bit() || at >= ascii {
                        if in_sections && src.len() - piece >= FEW {
                            let (_, rest) = src.split_at_unchecked(piece);
                            return piece
                                + V::apart(OneSection::<false, CORRECTED> {
                                    src: rest,
                                    judged: Judged::All(longest(all)),
                                });
                        }
                        // Behind so much ASCII the loops are next, and what is ahead is not looked at.
                        let fresh = fresh && at < ascii;
                        let most = if fresh { at + (src.len() / 16).min(HEAD) } else { ascii };
                        return V::apart(Pieces::<CORRECTED> { src, at, most, fresh });
                    }
                    at = piece + PIECE;
                    if at == src.len() {
                        return at;
                    }
                }
            }
        }
    }
}

/// Whether texts of some KiB are sections: not with NEON, where detection takes four times as many instructions as to
/// find that text is ASCII. (With SSE4.2 twice as many: a log is at 0.9. But to skip ASCII at the start first cost
/// the mean of 20 texts 6 %.)
const fn has_short_sections<V: Vector>() -> bool {
    V::LEN > 16 || cfg!(target_feature = "sse2")
}

/// The length of the longest character of text with these greatest bytes; of ASCII it is 2, the lowest level.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
pub(super) unsafe fn longest<V: Vector>(greatest: V) -> Longest {
    // SAFETY: the caller's promise.
    unsafe {
        let three = greatest.sub_saturating(V::splat(0xDF)).any();
        let four = greatest.sub_saturating(V::splat(0xEF)).any();
        Longest(2 + usize::from(three) + usize::from(four))
    }
}

/// The greatest bytes of the piece at `at`.
///
/// # Safety
/// As for [`Operation::run`]; and it must be within `src`.
#[inline(always)]
unsafe fn greatest_of_piece<V: Vector>(src: &[u8], at: usize) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        let p = src.as_ptr().add(at);
        let mut all = V::load(p);
        for vector in 1..PIECE / V::LEN {
            all = all.max(V::load(p.add(vector * V::LEN)));
        }
        all
    }
}

/// Bytes that are judged together at the ends: whether they are ASCII is asked once, and whether there is an error.
const PIECE: usize = 2 * BLOCK;

/// With fewer bytes, the last piece would begin too close to the start for loads that look back.
const FEW: usize = PIECE + 3;

/// So many bytes are no longer [short]: eight vectors, if they make two pieces, and otherwise one.
const fn most_of_short<V: Vector>() -> usize {
    if 8 * V::LEN > FEW { 8 * V::LEN + 1 } else { FEW }
}

/// Of texts of up to so many bytes it is asked first how much of them is ASCII, and all lines behind that are judged. Longer ones are a
/// section from their start on.
const ASKED: usize = 1024;

/// Of longer text so many bytes of ASCII at most are skipped, and of what is behind them so many go in pieces, before the loops take over.
const ASCII_HEAD: usize = 4096;
const HEAD: usize = 1024;

/// Modules for the web are to be small: there all text goes the same way.
const SMALL: bool = cfg!(target_family = "wasm");

/// Validates `src`, which has a vector at least, as two vectors, four, or eight (nine of 16 bytes): the last ends with the text, and
/// what would begin behind it begins there, too. So no loop depends on how many there are. (By loops over as many as there are, texts
/// of 64 to 128 bytes took 1.2 to 2.4 times as long with AVX2, and of 32 to 64 with SSE4.2, 1.3 to 2.5 times. Two pieces of 128 bytes
/// took up to 1.4 times as long as eight vectors with AVX2, but 0.85 where all characters have two bytes: Intel Granite Rapids.)
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn short<V: Vector, const CORRECTED: bool>(src: &[u8]) -> usize {
    let last = src.len() - V::LEN;
    let is_more_than = |vectors: usize| src.len() > vectors * V::LEN;
    // Where each begins.
    let at = |index: usize| last.min(index * V::LEN);
    // SAFETY: all vectors begin at `last` or before it.
    unsafe {
        let p = src.as_ptr();
        let mut all = V::load(p).or(V::load(p.add(last)));
        if SMALL {
            for index in 1..src.len().div_ceil(V::LEN) - 1 {
                all = all.or(V::load(p.add(at(index))));
            }
        } else if is_more_than(2) {
            all = all.or(V::load(p.add(at(1)))).or(V::load(p.add(at(2))));
            if is_more_than(4) {
                all = all
                    .or(V::load(p.add(at(3))).or(V::load(p.add(at(4)))))
                    .or(V::load(p.add(at(5))).or(V::load(p.add(at(6)))));
                if most_of_short::<V>() == FEW {
                    all = all.or(V::load(p.add(at(7))));
                }
            }
        }
        if !all.any_sign_bit() {
            return src.len();
        }
        let lookups = Lookups::<V>::new::<CORRECTED>();
        let mut error = lookups.errors(V::load(p), V::splat(0)).or(errors_at(&lookups, src, last));
        if SMALL {
            for index in 1..src.len().div_ceil(V::LEN) - 1 {
                error = error.or(errors_behind(&lookups, p.add(at(index))));
            }
        } else if is_more_than(2) {
            error = error.or(errors_behind(&lookups, p.add(at(1)))).or(errors_behind(&lookups, p.add(at(2))));
            if is_more_than(4) {
                error = error
                    .or(errors_behind(&lookups, p.add(at(3))).or(errors_behind(&lookups, p.add(at(4)))))
                    .or(errors_behind(&lookups, p.add(at(5))).or(errors_behind(&lookups, p.add(at(6)))));
                if most_of_short::<V>() == FEW {
                    error = error.or(errors_behind(&lookups, p.add(at(7))));
                }
            }
        }
        if error.any() {
            V::apart(FirstError::<CORRECTED> { src, at: 0, end: src.len() })
        } else {
            closed(src)
        }
    }
}

/// The errors of the vector at `p`, which is behind three bytes at least.
///
/// # Safety
/// As for [`Operation::run`]; and they must be readable.
#[inline(always)]
unsafe fn errors_behind<V: Vector>(lookups: &Lookups<V>, p: *const u8) -> V {
    // SAFETY: the caller's promise.
    unsafe { lookups.errors_at(p, V::load(p)) }
}

/// The errors of the vector at `at`, wherever that is.
///
/// # Safety
/// As for [`Operation::run`]; and the vector must be within `src`.
#[inline(always)]
unsafe fn errors_at<V: Vector>(lookups: &Lookups<V>, src: &[u8], at: usize) -> V {
    let mut copy = core::mem::MaybeUninit::<[u8; 2 * BLOCK]>::uninit();
    let mut p = src.as_ptr().wrapping_add(at);
    // SAFETY: the caller's promise; the copy has room, and zeros before it.
    unsafe {
        if at < 3 {
            // Too close to the start for loads that look back.
            let zeros = copy.as_mut_ptr().cast::<u8>();
            zeros.write_bytes(0, BLOCK);
            let to = zeros.add(BLOCK);
            core::ptr::copy_nonoverlapping(src.as_ptr(), to, at + V::LEN);
            p = to.add(at);
        }
        lookups.errors_at(p, V::load(p))
    }
}

/// The boundary before the first error of `src` in the vectors from `at` on, 0 or at least 3, to the one that reaches `end`; or `end`.
struct FirstError<'a, const CORRECTED: bool> {
    src: &'a [u8],
    at: usize,
    end: usize,
}

impl<const CORRECTED: bool> Operation for FirstError<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let FirstError { src, mut at, end } = self;
        // SAFETY: all vectors are within `src`, which has at least one.
        unsafe {
            let lookups = Lookups::<V>::new::<CORRECTED>();
            loop {
                let from = at.min(src.len() - V::LEN);
                let error = errors_at(&lookups, src, from);
                if error.any() {
                    return stop_at(src, from, error, end);
                }
                at += V::LEN;
                if at >= end {
                    return end;
                }
            }
        }
    }
}

/// The character boundary before the first error in the vector at `at`.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn stop_at<V: Vector>(src: &[u8], at: usize, error: V, end: usize) -> usize {
    // SAFETY: the caller's promise.
    boundary_before(src, (at + unsafe { error.first_nonzero() }).min(end))
}
