//! Sections: text in which lines of ASCII alternate with others, over any vector. See [`lines`](crate::kernel::shared::lines).
//!
//! # Detection
//! For each line the top bits of its vectors, or'ed together, are stored as a word of four bytes. The words are loaded again and
//! narrowed, as signed numbers with saturation, to a byte for each line; zeros and signs survive that. A byte that is not zero is a
//! line that must be judged. The sign tells that the line's last byte is not ASCII (or the last byte of another vector of the line,
//! in which case the next line is judged in vain): then the line after it must be judged, too, since a character may require bytes
//! that are missing there.
//!
//! The stores are not forwarded to larger loads. So a section is detected while the one before it is judged, and the words are
//! loaded after that. (Loading them at once, with both steps in one function, was as fast with AVX2; with SSE4.2 that function,
//! called for each section, cost 3 to 15 %.)
//!
//! # Levels
//! The level of a section is decided by the sections before it. Knowing it exactly, from the greatest byte that detection has seen,
//! costs an operation for each line: HTML was 9 % faster with AVX2 and shuffled documents 14 %, but English and source code 8 %
//! slower; with AVX-512 English lost 18 %. If a text is a single section, detection combines all bytes anyway, and the exact level
//! is used: German, Polish words and handbooks of 1 to 8 KiB are 1.1 to 1.2 times as fast (AVX2, AMD Zen 5).
//!
//! With AVX2 there is a loop for each level. With both in one loop, the constants of one level were reloaded within the other,
//! which cost text without characters of four bytes 2 to 6 %; with each in a function of its own, all texts lost 2 to 3 %. With
//! vectors of 16 bytes it is one loop, 900 bytes smaller, which costs JSON 2 to 3 %.
//!
//! # Prefetches
//! Lines that are judged prefetch lines of the section after the next. If detection prefetches as well, there are too many loads
//! for the load ports: without that, all mixed text is 3 to 7 % faster with AVX2 in the first three levels of cache (AMD Zen 5).
//! Text from memory is prefetched far ahead, or not at all: [`Plan`]. Prefetching it one or two KiB ahead is harmful: with AVX2,
//! tweets and handbooks of 64 MiB are 1.2 to 1.4 times as fast without (AMD Zen 4).
//!
//! Parts of 32 bytes instead of lines doubled the time for the detection, and were slower on Zen 4 with AVX2.

use super::groups::Look;
use super::long::Plan;
use super::longest;
use super::unit::{Level, Sums};
use crate::kernel::generic::BLOCK;
use crate::kernel::shared::lines::{GROUP, Next, Run, Sections, is_beyond};
use crate::kernel::shared::opaque::{opaque, stored};
use crate::kernel::vector::{Operation, Vector};

/// From which [count](Sections::had) on sections presumably have characters of four bytes: two of some, as a change
/// of the level costs half as much as a section.
const FOURS: u32 = 5;

/// What detection has found: for each line the top bits of its bytes.
#[repr(align(64))]
pub(super) struct Found([u32; 64]);

impl Found {
    /// Nothing.
    #[inline(always)]
    pub(super) const fn new() -> Found {
        Found([0; 64])
    }
}

/// Sections at the level of `MOST` bytes, 3 or 4, with a longer character now and then; or, if it is [`EITHER`], at
/// that which the last sections had.
pub(super) struct OfSections<'a, const MOST: usize, const CORRECTED: bool> {
    pub(super) src: &'a [u8],
    pub(super) at: usize,
    /// Whether the first presumably has characters of four bytes.
    pub(super) four: bool,
}

/// Both levels in one loop, which makes programs smaller.
pub(super) const EITHER: usize = 0;

impl<const MOST: usize, const CORRECTED: bool> Operation for OfSections<'_, MOST, CORRECTED> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let OfSections { src, mut at, four } = self;
        debug_assert!(src.len() - at > GROUP);
        // SAFETY: all sections are within `src`, and so are the three bytes before each, the first one included.
        unsafe {
            let &Plan { bounds, ascii_from_memory, detected, judged, .. } = Plan::of(src.len());
            let level = Level::<V>::new::<CORRECTED>();
            let mut found = Found::new();
            let mut last = Sections::new(four, src, at);
            // Before the first section there is one without lines, so that detection stands here once.
            let (mut lines, mut which) = (0_usize, 0_u64);
            let mut seam = is_beyond(src, at, 3);
            let mut open = u64::from(!src.as_ptr().add(at - 1).read().is_ascii());
            loop {
                let p = src.as_ptr().add(at);
                let end = at + lines * BLOCK;
                let judging = lines != 0;
                lines = last.lines(src.len() - end);
                let more = lines * BLOCK >= GROUP;
                if more {
                    let p = src.as_ptr().add(end);
                    if V::LEN > 16 && !ascii_from_memory {
                        detect::<V, false>(p, lines, 0, &mut found);
                    } else {
                        detect::<V, true>(p, lines, detected, &mut found);
                    }
                }
                if judging {
                    let four = if MOST == EITHER { last.have_four(FOURS) } else { MOST > 3 };
                    let ahead = p.wrapping_add(2 * 64 * BLOCK + detected);
                    let judge = ToJudge { p, which, ahead, step: judged };
                    let mut longest = if four {
                        judge.longest::<V, 4, CORRECTED>(&level)
                    } else if seam {
                        0
                    } else {
                        judge.longest::<V, 3, CORRECTED>(&level)
                    };
                    if longest == 0 {
                        match V::apart(Look::<CORRECTED> { src, at, which }) {
                            Ok(longest_of_all) => longest = longest_of_all,
                            Err(boundary) => return Run { at: boundary, next: Next::IllFormed },
                        }
                    }
                    seam = (four || longest > 3) && is_beyond(src, end, 3);
                    at = end;
                    last.had(longest);
                    let most = if last.have_four(FOURS) { 4 } else { 3 };
                    if last.uniform(bounds, which) | !more {
                        return Run { at, next: Next::groups(most) };
                    }
                    if MOST != EITHER && most != MOST {
                        return Run { at, next: Next::sections(most) };
                    }
                }
                which = to_judge::<V>(&found, lines, &mut open);
            }
        }
    }
}

/// The lines of a section that are to be judged.
struct ToJudge {
    /// The first of all lines.
    p: *const u8,
    which: u64,
    /// What the first of them prefetches, with the line behind it; and how much farther each is.
    ahead: *const u8,
    step: usize,
}

impl ToJudge {
    /// The length of the longest character, as far as it is known; or 0, if there is an error, or a character of more
    /// than `MOST` bytes.
    ///
    /// # Safety
    /// As for [`Vector`]; and the lines must be readable, and three bytes before each.
    #[inline(always)]
    unsafe fn longest<V: Vector, const MOST: usize, const CORRECTED: bool>(self, level: &Level<V>) -> usize {
        let ToJudge { p, mut which, mut ahead, step } = self;
        // SAFETY: the caller's promise.
        unsafe {
            let mut sums = Sums::new();
            while which != 0 {
                let p = p.add(BLOCK * which.trailing_zeros() as usize);
                which &= which - 1;
                V::prefetch(ahead);
                V::prefetch(ahead.wrapping_add(BLOCK));
                ahead = ahead.wrapping_add(step);
                sums = level.line::<MOST, CORRECTED>(sums, p);
            }
            match level.refused::<MOST, CORRECTED>(sums) {
                true => 0,
                false if MOST > 3 => longest(sums.greatest).0,
                false => 3,
            }
        }
    }
}

/// The top bits of the bytes of each of these lines at `p`; those of other lines are left as they are. Each prefetches the
/// line that is so many bytes behind it, if `PREFETCHES`. Returns the greatest bytes, if not.
///
/// # Safety
/// They must be readable, and up to 64.
#[inline(always)]
pub(super) unsafe fn detect<V: Vector, const PREFETCHES: bool>(
    p: *const u8,
    lines: usize,
    distance: usize,
    found: &mut Found,
) -> V {
    // (With a check of an index for each line the loop had two branches, and its speed changed by a quarter with its
    // address: SSE4.2, AMD Zen 5.)
    let (mut p, end) = (p, p.wrapping_add(lines * BLOCK));
    let mut bits = found.0.as_mut_ptr();
    // Of an opaque step LLVM does not write the loop out: with few lines what is left over would be another branch that no
    // predictor knows, and what waits for memory gains nothing.
    let rolled = PREFETCHES && V::LEN > 16;
    let step = if rolled { opaque(BLOCK as u64) as usize } else { BLOCK };
    // SAFETY: the lines of the section, and their words.
    let greatest = unsafe {
        let mut greatest = V::splat(0);
        while p != end {
            if PREFETCHES {
                V::prefetch(p.wrapping_add(distance));
            }
            let mut all = V::load(p);
            for vector in 1..BLOCK / V::LEN {
                all = all.max(V::load(p.add(vector * V::LEN)));
            }
            if !PREFETCHES {
                greatest = greatest.max(all);
            }
            // The top bit of the last byte as the sign.
            bits.write(all.sign_bits() << (32 - V::LEN));
            p = p.add(step);
            bits = bits.add(1);
        }
        greatest
    };
    stored(found);
    greatest
}

/// Of these lines, 1 to 64, those to be judged: those that are not ASCII, and those behind a line that may end inside
/// of a character. `open` says that of the line before the first, and then of the last.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn to_judge<V: Vector>(found: &Found, count: usize, open: &mut u64) -> u64 {
    let (mut any, mut ends) = (0, 0);
    for first in (0..64).step_by(V::LEN) {
        // SAFETY: there are as many words as lines.
        unsafe {
            let part = |part: usize| V::load(found.0.as_ptr().add(first + part * V::LEN / 4).cast());
            let lines = V::narrow_signed_32_to_8([part(0), part(1), part(2), part(3)]);
            let none = u64::from(lines.equal(V::splat(0)).sign_bits());
            any |= (none ^ (u64::MAX >> (64 - V::LEN))) << first;
            ends |= u64::from(lines.sign_bits()) << first;
        }
    }
    let lines = (any | ends << 1 | *open) & (u64::MAX >> (64 - count));
    *open = ends >> (count - 1) & 1;
    opaque(lines)
}
