//! Text in pieces of 128 bytes, each of which is judged as a whole or not at all: a piece is tested once for being ASCII, and once for
//! errors. Long texts begin and end like this, and with NEON all text of up to 4 KiB is judged like this.
//!
//! Text that is not UTF-8 at all mostly has an early error, and a loop for sections has detected 8 KiB of text before it finds the first
//! error. So a sixteenth of a long text, and no more than 1 KiB, is judged in pieces. An error at 200 or 1000 bytes of 64 KiB is found 2.5
//! and 1.8 times as early as without this, and text of 8 to 32 KiB without an error takes 1.02 times as long (AVX2, Intel Cascade Lake).
//! (If all lines of the first KiB are judged as [one section](super::one_section), like those of shorter text, errors in it take twice as
//! long to find, since eight lines are judged before there is a test for errors. Finding the place of an error in its piece without a
//! branch makes no difference, nor does judging refused lines by eights. If each of the first sections is half as long as the text before
//! it, errors at 3 KiB are found 1.3 times as early, and text without one takes 1.02 times as long.)
//!
//! Text in another encoding is mostly ASCII up to the first error. So the ASCII at the beginning of long text, up to 4 KiB, is skipped
//! before anything else, and errors after 2 to 4 KiB of it are found 1.2 to 1.5 times as early. Then the first byte after it and the next
//! one are tested at once for the beginning of a character, which they are not in Latin-1 and similar encodings. Such errors at 64 to 700
//! bytes of 64 KiB are found in half of the time, at 2000 and 3000 bytes 1.2 to 1.4 times as early, and text without an error takes as long
//! as before. (With the same test, text of 64 to 1024 bytes took 1.07 times as long.)
//!
//! After an error, the next is often near, so the loops begin only after 2 KiB of pieces. With an error in each KiB of JSON or
//! HTML, that is a quarter faster than the loops from the start (AVX2, AMD Zen 5).
//!
//! A separate branch for pieces after ASCII, which need no lookback, was slower than keeping the last three bytes in a register.

use super::long::Rest;
use super::{FirstError, Lookups, PIECE, SMALL, has_short_sections, stop_at};
use crate::kernel::generic::BLOCK;
use crate::kernel::shared::lines::{begins_nothing, closed};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::vector::{Operation, Vector};

/// All bits of the last three bytes.
static LAST_THREE: [u8; BLOCK] = {
    let mut m = [0; BLOCK];
    m[BLOCK - 1] = 255;
    m[BLOCK - 2] = 255;
    m[BLOCK - 3] = 255;
    m
};

/// The loops take over after so many bytes behind an error, and in modules for the web.
pub(super) const MOST: usize = 2048;

/// Where there are no short sections, they do after so many pieces in a row that are mostly not ASCII; and anywhere only if more than so many
/// bytes are left.
const PATIENCE: u32 = 2;
pub(super) const LEAST_LEFT: usize = 512;

/// The length of a well-formed prefix of what is behind an error, and longer than a section: the next error is often near.
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

/// Validates the rest of `src`, which has at least `FEW` bytes, from `at` on, which is 0 or at least 3: piece by piece, the last of which
/// overlaps the one before it. What is before `at` is well-formed, except that the last character may be incomplete. From `most` on the
/// loops take over, if enough is left; where there are no short sections also after [`PATIENCE`] pieces. `fresh` as in [`Rest`].
pub(super) struct Pieces<'a, const CORRECTED: bool> {
    pub(super) src: &'a [u8],
    pub(super) at: usize,
    pub(super) most: usize,
    pub(super) fresh: bool,
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

/// Where the first byte of the piece at `at` is that is not ASCII, if no character begins with it and the one behind it, as in Latin-1 and its
/// like, and in what is no text. Not in Corrected UTF-8.
///
/// # Safety
/// As for [`Operation::run`]; and the piece must be within `src`, and `at` a boundary.
#[inline(always)]
pub(super) unsafe fn error_behind_ascii<V: Vector, const CORRECTED: bool>(
    src: &[u8],
    at: usize,
) -> Option<usize> {
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
