//! UTF-8 validation over vectors of 16 or 32 bytes.
//!
//! The test is in [`lookups`]; for the lines of long inputs ([`lines`](crate::kernel::shared::lines)) it is in [`unit`], and their loops
//! are in [`groups`] and [`sections`], and for text from memory in [`far`]. Here is what is shorter, and the two ends. The first vector
//! looks back into zeros. What ends with the input overlaps what was before it; an input shorter than a vector is assembled from smaller loads. So there is no loop over
//! single bytes for any length.
//!
//! Text of up to 1 KiB is skipped in pieces of 128 bytes as long as it is ASCII, before the registers are filled that all else needs. What is
//! behind that, and text of up to 4 KiB, is [one section](one_section); and so is what has up to 16 KiB, if samples say that it is dense. Other text of
//! up to 16 KiB is a few sections, one after the other, each of which prefetches the next. What has 8 to 12 KiB is 1.1 times as fast like
//! that as by the loops for long text, whose beginnings and ends take a dozen branches that no predictor knows; up to 16 KiB 1.04 to 1.09 times
//! (AVX2, Intel Cascade Lake; SSE4.2 1.06 to 1.09). Of 20 to 48 KiB it would be 1.05 to 1.01 from the third level of cache, and 1.02 to 0.97 from the second.
//!
//! Longer text begins with pieces, too: what is not UTF-8 at all mostly shows that early, and a loop for sections has detected 8 KiB of text
//! before it finds the first error. A sixteenth of the text, and no more than 1 KiB. An error at 200 or 1000 bytes of 64 KiB is found 2.5 and
//! 1.8 times as early as without, and text of 8 to 32 KiB without one takes 1.02 times as long (AVX2, Intel Cascade Lake). (To judge all lines of
//! the first KiB as [one section](one_section), as shorter text is, errors in it are found half as early, since eight lines are judged before they
//! are asked for. A place of an error found without a branch in its piece, and lines that were refused judged by eight, are the same. First sections
//! of half of the text before them find errors at 3 KiB 1.3 times as early, and text without one takes 1.02 times as long.)
//!
//! What is in another encoding is mostly ASCII up to the first error. So the ASCII that long text begins with, up to 4 KiB, is skipped before, and
//! errors behind 2 to 4 KiB of it are found 1.2 to 1.5 times as early. And the first byte behind it is asked at once, with the next one, whether
//! a character begins with them: in Latin-1 and its like none does. Such errors at 64 to 700 bytes of 64 KiB are found in half of the time, at 2000
//! and 3000 bytes 1.2 to 1.4 times as early, and text without an error takes as long as before. (Text of 64 to 1024 bytes, asked the same,
//! took 1.07 times as long.)
//!
//! With NEON all text of up to 4 KiB goes on in pieces, each judged whole or not at all; the place of an error is looked for
//! when there is one.
//!
//! Behind an error the next is often near: there the loops begin after 2 KiB of pieces. With an error in each KiB of JSON or HTML,
//! that is a quarter faster than the loops from the start (AVX2, AMD Zen 5).
//!
//! A branch of its own for pieces behind ASCII, without the lookback, was slower than to keep the last three bytes in a register.

mod errors;
mod far;
mod groups;
mod lookups;
mod one_section;
mod sections;
mod straight;
mod unit;

use super::BLOCK;
use crate::kernel::cpu::Model;
use crate::kernel::shared::adaptive::Longest;
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{
    self, Bounds, FAR, FAR_AHEAD, Next, Run, SECTION, STREAMED, TWO_SECTIONS, begins_nothing, closed, drive,
};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::vector::{Operation, Vector};

pub(in crate::kernel) use errors::ErrorsOfLines;
use far::Far;
pub(super) use groups::Look;
use groups::OfGroups;
use one_section::{Judged, OneSection, judged_by_samples};
use sections::{EITHER, OfSections};

pub(super) use lookups::Lookups;
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
            if src.len() < FEW {
                short::<V, CORRECTED>(src)
            } else {
                let in_sections = has_short_sections::<V>() && src.len() <= FEW_SECTIONS;
                if in_sections && src.len() > ASKED {
                    let judged = judged_by_samples::<V>(src);
                    if src.len() <= SECTION || judged != Judged::Some {
                        return V::apart(OneSection::<false, CORRECTED> { src, judged });
                    }
                    return V::apart(FewSections::<CORRECTED> { src });
                }
                let fresh = src.len() > SECTION;
                if SMALL {
                    let most = if fresh { MOST } else { src.len() };
                    return V::apart(Pieces::<CORRECTED> { src, at: 0, most, fresh });
                }
                let ascii = if fresh { ASCII_HEAD } else { src.len() };
                // ASCII without the registers and the call that everything else takes.
                let mut at = 0;
                loop {
                    let piece = at.min(src.len() - PIECE);
                    let p = src.as_ptr().add(piece);
                    let mut all = V::load(p);
                    for vector in 1..PIECE / V::LEN {
                        all = all.max(V::load(p.add(vector * V::LEN)));
                    }
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

/// The same for what has more than [`SECTION`] bytes, up to [`FEW_SECTIONS`], and is not dense: section by section.
struct FewSections<'a, const CORRECTED: bool> {
    src: &'a [u8],
}

impl<const CORRECTED: bool> Operation for FewSections<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: all is within `src`, which is longer than a piece.
        unsafe {
            if src.len() > TWO_SECTIONS
                && let Some(boundary) = error_behind_ascii::<V, CORRECTED>(src, 0)
            {
                return boundary;
            }
            let (mut at, judged) = (0, Judged::Some);
            loop {
                let (_, rest) = src.split_at_unchecked(at);
                if rest.len() <= SECTION {
                    return at + V::apart(OneSection::<false, CORRECTED> { src: rest, judged });
                }
                let (first, _) = rest.split_at_unchecked((rest.len() / 2).min(SECTION - BLOCK));
                let boundary = V::apart(OneSection::<true, CORRECTED> { src: first, judged });
                // No character is longer.
                if first.len() - boundary > 3 {
                    return at + boundary;
                }
                at += boundary;
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

/// The same for what is behind an error, and longer than a section: the next error is often near.
pub(in crate::kernel) struct BehindError<'a, const CORRECTED: bool> {
    pub src: &'a [u8],
}

impl<const CORRECTED: bool> Operation for BehindError<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        // SAFETY: this is the instruction set.
        unsafe { V::apart(Pieces::<CORRECTED> { src: self.src, at: 0, most: MOST, fresh: false }) }
    }
}

/// The rest of an input from `at` on, with more than [`LEAST_LEFT`] behind that, and a piece before it: the loops for long text, and
/// what these leave over. The text before is well-formed, except that its last character may be incomplete. Which loop is first, four lines
/// decide: of what is ahead, if the text is `fresh`, or of the piece before, since there may be errors ahead, which say nothing.
struct Rest<'a, const CORRECTED: bool> {
    src: &'a [u8],
    at: usize,
    fresh: bool,
}

impl<const CORRECTED: bool> Operation for Rest<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let Rest { src, at, fresh } = self;
        let fresh = fresh && !SMALL;
        // SAFETY: the caller's promise; this is the instruction set, and the samples are within `src`, as is `end`.
        unsafe {
            let ahead = (src.len() - at - BLOCK).min(SECTION);
            let (from, span) = if fresh { (at, ahead) } else { (at - PIECE, PIECE - BLOCK) };
            let mut p = src.as_ptr().add(from);
            let (mut quiet, mut greatest) = (0, V::splat(0));
            let mut left = u64::from(SAMPLES);
            // Opaque, or LLVM writes the loop out.
            while opaque(left) != 0 {
                left -= 1;
                let mut line = V::load(p);
                for vector in 1..BLOCK / V::LEN {
                    line = line.max(V::load(p.add(vector * V::LEN)));
                }
                quiet += u32::from(!line.any_sign_bit());
                greatest = greatest.max(line);
                p = p.wrapping_add(span / SAMPLES as usize);
            }
            let next = match quiet {
                // Of ASCII nothing is known.
                SAMPLES => Next::GroupsOfThree,
                1.. if fresh => Next::sections(longest(greatest).0),
                _ => Next::groups(longest(greatest).0),
            };
            // At an aligned address.
            let at = at - (src.as_ptr() as usize + at) % V::LEN;
            let far = V::LEN > 16 && src.len() > STREAMED && Model::current().takes_streams();
            let end = if far { (at + BEFORE_FAR).min(src.len()) } else { src.len() };
            to_the_end::<V, CORRECTED>(src, at, next, end)
        }
    }
}

/// The loops for long text from `at` on, `next` first, and what they leave over; but from `end` on [`Far`], and then these loops again.
///
/// # Safety
/// As for [`Operation::run`] and [`drive`]; `end` must be in `src`, behind `at`, or its length.
#[inline(always)]
unsafe fn to_the_end<V: Vector, const CORRECTED: bool>(
    src: &[u8],
    mut at: usize,
    next: Next,
    mut end: usize,
) -> usize {
    loop {
        // SAFETY: the caller's promise. `Far` stops where a loop may begin, as well.
        unsafe {
            match drive::<Lines<V>, CORRECTED>(src.split_at_unchecked(end).0, at, next) {
                Ok(to) if end == src.len() => {
                    return V::apart(Pieces::<CORRECTED> { src, at: to, most: end, fresh: false });
                }
                Ok(to) => at = V::apart(Far::<CORRECTED> { src, at: to }),
                Err(boundary) => return boundary,
            }
        }
        end = src.len();
    }
}

/// So many bytes of text from memory go the usual way first: errors may be near, and whoever goes on behind each meets the next soon.
const BEFORE_FAR: usize = 64 << 10;

/// When the loops change, and how far ahead they prefetch.
struct Plan {
    bounds: Bounds,
    /// From a line of a group on.
    groups: usize,
    /// Whether ASCII is prefetched.
    ascii_from_memory: bool,
    /// From a line of a section on, while it is detected; with vectors of more than 16 bytes only for text from memory.
    detected: usize,
    /// How many bytes each line that is judged in a section prefetches: of the section after the next, from where its detection
    /// stops. If 0, one line again and again.
    judged: usize,
}

/// What is in a cache.
static NEAR: Plan = Plan {
    bounds: Bounds { period: 8, mixed: 3, dense: 53 },
    groups: 8 * BLOCK,
    ascii_from_memory: false,
    detected: 16 * BLOCK,
    judged: 2 * BLOCK,
};

/// What is in memory.
static PREFETCHED: Plan =
    Plan { groups: FAR_AHEAD, ascii_from_memory: true, detected: FAR_AHEAD, judged: 0, ..NEAR };

impl Plan {
    /// For a text of `len` bytes.
    ///
    /// Text from memory takes prefetches as far ahead as memory needs to answer, and no others. AMD EPYC (Zen 5), 64 MiB, 18
    /// texts: AVX2 27 → 37 GB/s in the mean (German handbook 32 → 49, HTML 23 → 41, log 29 → 41), SSE4.2 21 → 25, where the
    /// arithmetic is the limit. Where prefetches stand in the way, there are none: AVX2 has another loop there, [`Far`], and with
    /// smaller vectors the memory is hardly the limit.
    #[inline(never)]
    fn of(len: usize) -> &'static Plan {
        #[cfg(test)]
        if tests::PREFETCHES.load(core::sync::atomic::Ordering::Relaxed) {
            return &PREFETCHED;
        }
        if len <= FAR || Model::current().takes_streams() { &NEAR } else { &PREFETCHED }
    }
}

/// The loops for long text.
struct Lines<V>(core::marker::PhantomData<V>);

impl<V: Vector, const CORRECTED: bool> lines::Lines<CORRECTED> for Lines<V> {
    #[inline(always)]
    unsafe fn groups<const MOST: usize>(src: &[u8], at: usize, _dense: bool) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::apart(OfGroups::<MOST, CORRECTED> { src, at }) }
    }

    #[inline(always)]
    unsafe fn sections(src: &[u8], at: usize, four: bool) -> Run {
        // SAFETY: the caller's promise.
        unsafe {
            match four {
                _ if V::LEN == 16 => V::apart(OfSections::<EITHER, CORRECTED> { src, at, four }),
                false => V::apart(OfSections::<3, CORRECTED> { src, at, four }),
                true => V::apart(OfSections::<4, CORRECTED> { src, at, four }),
            }
        }
    }
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

/// Where the first byte of the piece at `at` is that is not ASCII, if no character begins with it and the one behind it, as in Latin-1 and its
/// like, and in what is no text. Not in Corrected UTF-8.
///
/// # Safety
/// As for [`Operation::run`]; and the piece must be within `src`, and `at` a boundary.
#[inline(always)]
unsafe fn error_behind_ascii<V: Vector, const CORRECTED: bool>(src: &[u8], at: usize) -> Option<usize> {
    if CORRECTED {
        return None;
    }
    let mut signs = 0_u128;
    for from in (0..PIECE).step_by(V::LEN) {
        // SAFETY: the caller's promise.
        signs |= u128::from(unsafe { V::load(src.as_ptr().add(at + from)).sign_bits() }) << from;
    }
    // Without a branch: no predictor knows where it is.
    let first = at + signs.trailing_zeros() as usize;
    (signs != 0 && begins_nothing(src, first)).then_some(first)
}

/// All bits of the last three bytes.
static LAST_THREE: [u8; BLOCK] = {
    let mut m = [0; BLOCK];
    m[BLOCK - 1] = 255;
    m[BLOCK - 2] = 255;
    m[BLOCK - 3] = 255;
    m
};

/// Bytes that are judged together at the ends: whether they are ASCII is asked once, and whether there is an error.
const PIECE: usize = 2 * BLOCK;

/// With fewer bytes, the last piece would begin too close to the start for loads that look back.
const FEW: usize = PIECE + 3;

/// Of texts of up to so many bytes it is asked first how much of them is ASCII, and all lines behind that are judged. Longer ones are a
/// section from their start on.
const ASKED: usize = 1024;

/// The most that is a few sections; or one, of which all lines are judged, where a quarter of what is looked at is not ASCII.
const FEW_SECTIONS: usize = 16 << 10;

/// Of longer text so many bytes of ASCII at most are skipped, and of what is behind them so many go in pieces, before the loops take over.
const ASCII_HEAD: usize = 4096;
const HEAD: usize = 1024;

/// Modules for the web are to be small: there all text goes the same way.
const SMALL: bool = cfg!(target_family = "wasm");

/// As many behind an error, and in modules for the web.
const MOST: usize = 2048;

/// Lines that are looked at to find out what a long text is like.
const SAMPLES: u32 = 4;

/// Where there are no short sections, text in pieces goes to the loops after so many in a row that are mostly not ASCII; and
/// anywhere only if more than so many bytes are left.
const PATIENCE: u32 = 2;
const LEAST_LEFT: usize = 512;

/// Validates `src`, which has a vector and is shorter than a piece: the last vector overlaps the one before it.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn short<V: Vector, const CORRECTED: bool>(src: &[u8]) -> usize {
    // SAFETY: all vectors begin at `last` or before it.
    unsafe {
        let last = src.len() - V::LEN;
        let each = |at: usize| V::load(src.as_ptr().add(at));
        let mut all = each(0).or(each(last));
        let mut at = V::LEN;
        while at < last {
            all = all.or(each(at));
            at += V::LEN;
        }
        if !all.any_sign_bit() {
            return src.len();
        }
        let lookups = Lookups::<V>::new::<CORRECTED>();
        let mut error = lookups.errors(each(0), V::splat(0)).or(errors_at(&lookups, src, last));
        let mut at = V::LEN;
        while at < last {
            error = error.or(lookups.errors_at(src.as_ptr().add(at), each(at)));
            at += V::LEN;
        }
        if error.any() {
            V::apart(FirstError::<CORRECTED> { src, at: 0, end: src.len() })
        } else {
            closed(src)
        }
    }
}

/// Validates the rest of `src`, which has at least `FEW` bytes, from `at` on, which is 0 or at least 3: piece by piece, the last of which
/// overlaps the one before it. What is before `at` is well-formed, except that the last character may be incomplete. From `most` on the
/// loops take over, if enough is left; where there are no short sections also after [`PATIENCE`] pieces. `fresh` as in [`Rest`].
struct Pieces<'a, const CORRECTED: bool> {
    src: &'a [u8],
    at: usize,
    most: usize,
    fresh: bool,
}

impl<const CORRECTED: bool> Pieces<'_, CORRECTED> {
    /// Modules for the web are to be small, and Corrected UTF-8 is rare: there it goes in pieces, however long it is.
    const HAS_LOOPS: bool = !(CORRECTED && SMALL);
}

impl<const CORRECTED: bool> Operation for Pieces<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let Pieces { src, mut at, mut most, fresh } = self;
        // SAFETY: all pieces are within `src`.
        unsafe {
            at = at.min(src.len() - PIECE);
            // (Here, since a function for all texts that is larger makes those of up to 1 KiB 1.03 times as slow.)
            if !SMALL
                && fresh
                && let Some(boundary) = error_behind_ascii::<V, CORRECTED>(src, at)
            {
                return boundary;
            }
            let lookups = Lookups::<V>::new::<CORRECTED>();
            let start = src.as_ptr();
            let last_three = V::load(LAST_THREE.as_ptr().add(BLOCK - V::LEN));
            // The last three bytes before the piece, and perhaps some of those that were judged before.
            let mut before = if at == 0 { V::splat(0) } else { V::load(start.add(at - 3)) };
            let mut dense = 0;
            loop {
                if src.len() - at < PIECE {
                    at = src.len() - PIECE;
                    before = V::load(start.add(at - 3));
                }
                let p = start.add(at);
                let mut all = before;
                for vector in 0..PIECE / V::LEN {
                    all = all.or(V::load(p.add(vector * V::LEN)));
                }
                // All ASCII from three bytes earlier on: no character is incomplete.
                let ascii = !all.any_sign_bit();
                before = V::splat(0);
                if !ascii {
                    let first = V::load(p);
                    let mut error = if at == 0 {
                        let error = lookups.errors(first, V::splat(0));
                        if error.any() {
                            return stop_at(src, 0, error, src.len());
                        }
                        error
                    } else {
                        lookups.errors_at(p, first)
                    };
                    // Opaque, or LLVM writes the loop out, which with small vectors is large.
                    let vectors = PIECE / V::LEN;
                    let vectors = if V::LEN == 16 { opaque(vectors as u64) as usize } else { vectors };
                    for vector in 1..vectors {
                        let p = p.add(vector * V::LEN);
                        before = V::load(p);
                        error = error.or(lookups.errors_at(p, before));
                    }
                    if error.any() {
                        return V::apart(FirstError::<CORRECTED> { src, at: at.max(V::LEN), end: src.len() });
                    }
                    if !has_short_sections::<V>() {
                        let mostly = before.sign_bits().count_ones() as usize >= V::LEN / 2;
                        dense = if mostly { dense + 1 } else { 0 };
                        if dense == PATIENCE {
                            most = 0;
                        }
                    }
                    before = before.and(last_three);
                }
                at += PIECE;
                if at == src.len() {
                    return if ascii { at } else { closed(src) };
                }
                if Self::HAS_LOOPS && at >= most && src.len() - at > LEAST_LEFT {
                    return V::apart(Rest::<CORRECTED> { src, at, fresh });
                }
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicBool, Ordering};

    use super::{FEW, Next, PIECE, to_the_end};
    use crate::kernel::Engine;
    use crate::kernel::dispatch::validate::utf8_valid_prefix;
    use crate::kernel::shared::lines::Start;
    use crate::kernel::vector::{Operation, Vector};

    /// Whether all texts have the plan for what is in memory. (Other tests may run meanwhile: what they find is the same.)
    pub(super) static PREFETCHES: AtomicBool = AtomicBool::new(false);

    /// ASCII of kilobytes, other text, and both in turns, with errors, by the plan for texts of many megabytes.
    #[test]
    fn prefetches_change_nothing() {
        let parts =
            ["a".repeat(3000), "é".repeat(1500), "語".repeat(1000), "😀".repeat(300), "aé語".repeat(50)];
        let lines: Vec<String> =
            (0..300).map(|i| if i % 3 == 0 { "ü".repeat(32) } else { "b".repeat(64) }).collect();
        let whole =
            [parts.concat(), lines.concat(), parts.concat(), "c".repeat(9000), lines.concat()].concat();
        let mut bytes = whole.clone().into_bytes();
        PREFETCHES.store(true, Ordering::Relaxed);
        for place in (0..bytes.len()).step_by(if cfg!(miri) { 15_001 } else { 37 }).chain([bytes.len()]) {
            let good = bytes.get(place).copied();
            if good.is_some() {
                bytes[place] = 0xFF;
            }
            let expected = core::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
            for engine in Engine::available() {
                let prefix = utf8_valid_prefix(engine, &bytes, Start::OfText);
                let exact = (expected.saturating_sub(3)..=expected).contains(&prefix);
                assert!(
                    exact && whole.is_char_boundary(prefix),
                    "{prefix}, not {expected}, {}",
                    engine.isa()
                );
            }
            if let Some(good) = good {
                bytes[place] = good;
            }
        }
        PREFETCHES.store(false, Ordering::Relaxed);
    }

    /// So many bytes go the usual way first. (Fewer than elsewhere, as the test takes minutes in an emulator otherwise.)
    const BEFORE_FAR: usize = 4 << 10;

    /// [`to_the_end`] of text from memory, whatever this CPU is. Nothing without vectors.
    struct FromMemory<'a>(&'a [u8], Next);

    impl Operation for FromMemory<'_> {
        type Output = Option<usize>;

        #[inline(always)]
        unsafe fn run<V: Vector>(self) -> Option<usize> {
            // SAFETY: this is inside of the root, and a piece of ASCII is before the place.
            Some(unsafe { to_the_end::<V, false>(self.0, PIECE, self.1, PIECE + BEFORE_FAR) })
        }
    }

    fn ask(text: &[u8]) {
        let expected = core::str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
        let all = [
            Next::SectionsOfThree,
            Next::SectionsOfFour,
            Next::GroupsOfTwo,
            Next::GroupsOfThree,
            Next::GroupsOfFour,
        ];
        for (first, next) in all.into_iter().enumerate() {
            for engine in Engine::available() {
                // SAFETY: the operation asks for nothing more.
                #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
                let end =
                    unsafe { crate::kernel::vector::by_isa!(engine; None, FromMemory(text, next), None) };
                let end = end.unwrap_or(expected);
                assert_eq!(end, expected, "{} of {} bytes, way {first}, {}", end, text.len(), engine.isa());
            }
        }
    }

    /// Whatever is left over behind the windows of four streams: from nothing to a few groups.
    #[test]
    fn text_from_memory_ends_anywhere() {
        // Characters in each line, in each third, and in none; behind a piece of ASCII.
        for every in [1, 3, usize::MAX] {
            let mut text = "a".repeat(PIECE);
            let end = PIECE + BEFORE_FAR + (16 << 10);
            while text.len() < end + 1200 {
                let special = (text.len() / 64).is_multiple_of(every);
                text.push_str(if special { "\u{E9}" } else { "ab" });
                text.push_str(&"a".repeat(62));
            }
            let step = if cfg!(miri) { 601 } else { 1 };
            for len in (end - 300..end + 1000).step_by(step) {
                let bytes = &mut text.as_bytes()[..len].to_vec();
                if core::str::from_utf8(bytes).is_ok() {
                    ask(bytes);
                }
                if len % 13 == 0 {
                    // Each place is the turn of every fourth of these lengths.
                    for place in (len - 2 * FEW + len / 13 % 4..len).step_by(4) {
                        let good = core::mem::replace(&mut bytes[place], 0xFF);
                        ask(bytes);
                        bytes[place] = good;
                    }
                }
            }
        }
    }
}
