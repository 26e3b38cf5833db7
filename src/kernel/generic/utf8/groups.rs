//! Groups: text of one kind, over any vector. See [`lines`](crate::kernel::shared::lines).
//!
//! A group is tested for ASCII only if the last line of the group before was ASCII, because the test takes as many loads again:
//! there are too few registers to keep the bytes. In that case, no character is incomplete, either. There is no test at all after a
//! period in which few of these lines were ASCII: chat, French and a table of emoji are 1.05 times as fast without that branch
//! (AVX2 and SSE4.2, AMD Zen 5). Beginning without the test after sections, and for longer, as AVX-512 does, was slower: a lower
//! level takes half as long here, and it is found only at the end of a period.
//!
//! With vectors of 32 bytes, dense text is judged in whole periods: after each eight lines there is only a test whether they have errors or
//! longer characters. This makes text of one script, of more than 16 KiB and in a cache, 1.1 times as fast; mixed text is as fast as before
//! (AVX2, Intel Cascade Lake).

use super::super::STEP;
use super::super::ascii::{AsciiFromMemory, ascii_steps};
use super::long::Plan;
use super::straight::Straight;
use super::unit::{Level, Sums};
use super::{longest, stop_at};
use crate::kernel::generic::BLOCK;
use crate::kernel::shared::lines::{GROUP, Groups, LINES, Next, Run, before, is_beyond};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::vector::{Operation, Vector};

const _: () = assert!(GROUP == STEP);

/// Of dense text so many bytes are judged without a question about ASCII, and then one line of so many groups is looked at.
const PERIOD: usize = 8 * GROUP;
const SAMPLED: u32 = 2;

/// Groups with characters of up to `MOST` bytes.
pub(super) struct OfGroups<'a, const MOST: usize, const CORRECTED: bool> {
    pub(super) src: &'a [u8],
    pub(super) at: usize,
}

impl<const MOST: usize, const CORRECTED: bool> Operation for OfGroups<'_, MOST, CORRECTED> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let (src, mut at) = (self.src, self.at);
        // SAFETY: all groups are within `src`, and so are the three bytes before each.
        unsafe {
            let &Plan { bounds, groups: ahead, ascii_from_memory, .. } = Plan::of(src.len());
            let level = Level::<V>::new::<CORRECTED>();
            let mut greatest = V::splat(0);
            let mut last = Groups::of(bounds.period);
            let mut quiet = before(src, at)[2].is_ascii();
            let mut seam = is_beyond(src, at, MOST);
            // Whether most lines were not ASCII, so that it is not asked.
            let mut dense = false;
            while src.len() - at > GROUP {
                let p = src.as_ptr().add(at);
                // (Text from memory takes prefetches farther ahead.)
                let straight = V::LEN > 16 && !ascii_from_memory && dense && !seam && src.len() - at > PERIOD;
                // Behind ASCII no character is incomplete.
                let to = match (quiet && !straight, ascii_from_memory) {
                    (false, _) => at,
                    (true, false) => ascii_steps::<V, 0>(src, at),
                    // One function for all levels.
                    _ => V::apart(AsciiFromMemory { src, at }),
                };
                if straight {
                    let lines = Straight { line: p, next: p.add(BLOCK), rest: PERIOD / BLOCK };
                    match lines.judge::<V, MOST, CORRECTED>(&level) {
                        Ok(sums) => greatest = greatest.max(sums.greatest),
                        Err(refused) => {
                            // Group by group; and what was known of the byte before was known of where the period began.
                            (dense, quiet) = (false, false);
                            at = refused.group.line.offset_from_unsigned(src.as_ptr());
                            continue;
                        }
                    }
                    let mut sampled = opaque(0_u64) as usize;
                    while sampled < PERIOD {
                        last.judged(SAMPLED, is_ascii_line::<V>(p.add(sampled)));
                        sampled += SAMPLED as usize * GROUP;
                    }
                    quiet = false;
                    at += PERIOD;
                } else if to > at {
                    last.skipped(to - at);
                    at = to;
                } else {
                    // ASCII and something else: line by line, exactly.
                    let mut exact = seam;
                    seam = false;
                    if !exact {
                        let mut sums = Sums::new();
                        // Opaque, or LLVM writes the loop out: with small vectors and tests that take some
                        // instructions, that is larger and slower.
                        let lines = if V::LEN == 16 { opaque(LINES as u64) as usize } else { LINES };
                        for line in 0..lines {
                            V::prefetch(p.wrapping_add(line * BLOCK + ahead));
                            sums = level.line::<MOST, CORRECTED>(sums, p.add(line * BLOCK));
                        }
                        exact = level.refused::<MOST, CORRECTED>(sums);
                        greatest = greatest.max(sums.greatest);
                    }
                    if exact {
                        let look = Look::<CORRECTED> { src, at, which: (1 << LINES) - 1 };
                        // Within the loop it would cost that its registers, and a program some kilobytes.
                        match V::apart(look) {
                            Ok(longest) if MOST == 4 || longest <= MOST => {}
                            Ok(longest) => return Run { at: at + GROUP, next: Next::groups(longest) },
                            Err(boundary) => return Run { at: boundary, next: Next::IllFormed },
                        }
                    }
                    let mut sample = V::splat(0);
                    for vector in 0..BLOCK / V::LEN {
                        sample = sample.or(V::load(p.add(GROUP - BLOCK + vector * V::LEN)));
                    }
                    quiet = !sample.any_sign_bit();
                    last.judged(1, quiet);
                    quiet &= !dense;
                    at += GROUP;
                }
                if last.are_enough() {
                    dense = last.are_dense(bounds.mixed);
                    if let Some(next) = last.next(dense, MOST, longest(greatest).0, src.len() - at) {
                        return Run { at, next };
                    }
                    last = Groups::of(bounds.period);
                    greatest = V::splat(0);
                }
            }
            Run { at, next: Next::End }
        }
    }
}

/// Whether the line at `p` and the three bytes before it are ASCII: no character is incomplete.
///
/// # Safety
/// They must be readable.
#[inline(always)]
unsafe fn is_ascii_line<V: Vector>(p: *const u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let mut all = V::load(p.sub(3));
        for vector in 0..BLOCK / V::LEN {
            all = all.or(V::load(p.add(vector * V::LEN)));
        }
        !all.any_sign_bit()
    }
}

/// Judges lines that a level has refused, counted from `at` on, each by itself at the highest level: `Err` is the boundary before
/// the first error, `Ok` the length of the longest character. The lines that are not in `which` must be without errors.
pub(in crate::kernel::generic) struct Look<'a, const CORRECTED: bool> {
    pub(in crate::kernel::generic) src: &'a [u8],
    pub(in crate::kernel::generic) at: usize,
    pub(in crate::kernel::generic) which: u64,
}

impl<const CORRECTED: bool> Operation for Look<'_, CORRECTED> {
    type Output = Result<usize, usize>;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Result<usize, usize> {
        let Look { src, at, mut which } = self;
        // SAFETY: the lines are within `src`, and so are the three bytes before each.
        unsafe {
            let lookups = super::Lookups::<V>::new::<CORRECTED>();
            let mut greatest = V::splat(0);
            while which != 0 {
                let line = at + BLOCK * which.trailing_zeros() as usize;
                which &= which - 1;
                if is_ascii_line::<V>(src.as_ptr().add(line)) {
                    continue;
                }
                let vectors = BLOCK / V::LEN;
                let vectors = if V::LEN == 16 { opaque(vectors as u64) as usize } else { vectors };
                for vector in 0..vectors {
                    let at = line + vector * V::LEN;
                    let p = src.as_ptr().add(at);
                    let bytes = V::load(p);
                    let error = lookups.errors_at(p, bytes);
                    if error.any() {
                        return Err(stop_at(src, at, error, src.len()));
                    }
                    greatest = greatest.max(bytes);
                }
            }
            Ok(longest(greatest).0)
        }
    }
}
