//! Sections: text in which lines of ASCII alternate with others, over any vector. See [`lines`](crate::kernel::shared::lines).
//!
//! # Detection
//! For each line the top bits of its vectors, or'ed together, are stored as a word of four bytes. The words are loaded again and
//! narrowed, as signed numbers with saturation, to a byte for each line; zeros and signs survive that. A byte that is not
//! zero is a line that must be judged. The sign tells that the line's last byte is not ASCII (or that of another vector of the line,
//! which costs nothing but the next line): then the line behind it must be judged, too, since it may lack what a
//! character requires.
//!
//! The stores are not forwarded to larger loads. So a section is detected while the one before it is judged, and the words are loaded
//! after that.
//!
//! Text from memory is prefetched far ahead, or not at all: [`Plan`]. By a kibibyte or two is what it does not bear: with AVX2
//! tweets and handbooks of 64 MiB are 1.2 to 1.4 times as fast without (AMD Zen 4).
//!
//! Parts of 32 bytes instead of lines doubled the time for the detection, and were slower on Zen 4 with AVX2.

use super::groups::Look;
use super::unit::{Level, Sums};
use super::{Plan, longest};
use crate::kernel::generic::BLOCK;
use crate::kernel::shared::lines::{GROUP, Next, Run, Sections, is_beyond, lines_of_section};
use crate::kernel::shared::opaque::{opaque, stored};
use crate::kernel::vector::{Operation, Vector};

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

/// Sections with characters of up to `MOST` bytes, and now and then a longer one.
pub(super) struct OfSections<'a, const MOST: usize, const CORRECTED: bool> {
    pub(super) src: &'a [u8],
    pub(super) at: usize,
}

impl<const MOST: usize, const CORRECTED: bool> Operation for OfSections<'_, MOST, CORRECTED> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let (src, mut at) = (self.src, self.at);
        // SAFETY: all sections are within `src`, and so are the three bytes before each, the first one included.
        unsafe {
            let &Plan { bounds, detected, judged, .. } = Plan::of(src.len(), V::LEN > 16);
            let level = Level::<V>::new::<CORRECTED>();
            let mut found = Found::new();
            let mut greatest = V::splat(0);
            let mut last = Sections::new(bounds);
            // Before the first section there is one without lines, so that detection stands here once.
            let (mut lines, mut which) = (0_usize, 0_u64);
            let mut seam = is_beyond(src, at, MOST);
            let mut open = u64::from(!src.as_ptr().add(at - 1).read().is_ascii());
            loop {
                let p = src.as_ptr().add(at);
                let end = at + lines * BLOCK;
                let judging = lines != 0;
                lines = lines_of_section(src.len() - end);
                let more = lines * BLOCK >= GROUP;
                if more {
                    detect::<V, true>(src.as_ptr().add(end), lines, detected, &mut found);
                }
                if judging {
                    let mut sums = Sums::new();
                    let mut ahead = p.wrapping_add(2 * 64 * BLOCK + detected);
                    let mut rest = which;
                    while rest != 0 {
                        let p = p.add(BLOCK * rest.trailing_zeros() as usize);
                        rest &= rest - 1;
                        V::prefetch(ahead);
                        V::prefetch(ahead.wrapping_add(BLOCK));
                        ahead = ahead.wrapping_add(judged);
                        sums = level.line::<MOST, CORRECTED>(sums, p);
                    }
                    let mut longest_here = 0;
                    if level.refused::<MOST, CORRECTED>(sums) || seam {
                        match V::apart(Look::<CORRECTED> { src, at, which }) {
                            Ok(longest) => longest_here = longest,
                            Err(boundary) => return Run { at: boundary, next: Next::IllFormed },
                        }
                    } else {
                        greatest = greatest.max(sums.greatest);
                    }
                    if MOST < 4 && longest_here > MOST {
                        if last.refused() {
                            let next =
                                if more { Next::sections(longest_here) } else { Next::groups(longest_here) };
                            return Run { at: end, next };
                        }
                        seam = is_beyond(src, end, MOST);
                    } else {
                        last.accepted();
                        seam = false;
                    }

                    at = end;
                    if MOST > 3 && last.are_enough() {
                        let longest = longest(greatest).0;
                        if longest < MOST && more {
                            return Run { at, next: Next::sections(longest) };
                        }
                        greatest = V::splat(0);
                    }
                    if last.uniform(bounds, which) | !more {
                        return Run { at, next: Next::groups(MOST) };
                    }
                }
                which = to_judge::<V>(&found, lines, &mut open);
            }
        }
    }
}

/// The lines of `src` from `at` on, 1 to 64, and its last 64 bytes, as the only section of a text: which of the lines had to be judged, and
/// the errors of all, with characters of up to four bytes. `None` if all of it is ASCII, behind a whole character.
///
/// # Safety
/// As for [`Vector`]; and there must be three bytes before `at`.
#[inline(always)]
pub(super) unsafe fn only<V: Vector, const CORRECTED: bool>(
    level: &Level<V>,
    src: &[u8],
    at: usize,
) -> Option<(u64, Sums<V>)> {
    let mut found = Found::new();
    let lines = (src.len() - at) / BLOCK;
    // SAFETY: these lines are within `src`.
    unsafe {
        let p = src.as_ptr().add(at);
        let last = src.as_ptr().add(src.len() - BLOCK);
        let mut all = detect::<V, false>(p, lines, 0, &mut found).or(V::load(p.sub(3)));
        for vector in 0..BLOCK / V::LEN {
            all = all.or(V::load(last.add(vector * V::LEN)));
        }
        // Known earlier than what is stored.
        if !all.any_sign_bit() {
            return None;
        }
        let mut open = u64::from(!p.sub(1).read().is_ascii());
        let which = to_judge::<V>(&found, lines, &mut open);
        let (mut rest, mut sums) = (which, Sums::new());
        while rest != 0 {
            let p = p.add(BLOCK * rest.trailing_zeros() as usize);
            rest &= rest - 1;
            sums = level.line::<4, CORRECTED>(sums, p);
        }
        Some((which, level.line::<4, CORRECTED>(sums, last)))
    }
}

/// The top bits of the bytes of each of these lines at `p`; those of other lines are left as they are. Each prefetches the
/// line that is so many bytes behind it, if `PREFETCHES`. Returns all bytes, or'ed together, if not.
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
    // (With a check of an index for each line the loop had two branches, and its speed changed by a quarter with its address: SSE4.2, AMD Zen 5.)
    let (mut p, end) = (p, p.wrapping_add(lines * BLOCK));
    let mut bits = found.0.as_mut_ptr();
    // SAFETY: the lines of the section, and their words.
    let total = unsafe {
        let mut total = V::splat(0);
        while p != end {
            if PREFETCHES {
                V::prefetch(p.wrapping_add(distance));
            }
            let mut all = V::load(p);
            for vector in 1..BLOCK / V::LEN {
                all = all.or(V::load(p.add(vector * V::LEN)));
            }
            if !PREFETCHES {
                total = total.or(all);
            }
            // The top bit of the last byte as the sign.
            bits.write(all.sign_bits() << (32 - V::LEN));
            p = p.add(BLOCK);
            bits = bits.add(1);
        }
        total
    };
    stored(found);
    total
}

/// Of these lines, 1 to 64, those to be judged: those that are not ASCII, and those behind a line that may end inside of a character. `open` says that of
/// the line before the first, and then of the last.
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
    *open = ends >> 63;
    opaque(lines)
}
