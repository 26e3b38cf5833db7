//! Scanning over any vector: masks of sets of bytes, from the lines that validation loads.
//!
//! There are two passes over 16 KiB, the second from the first-level cache. The first pass writes the masks, and finds the lines that are
//! not ASCII: it tests each line if some of the lines before were not ASCII, and all lines together if none or nearly all of them were not.
//! The second pass judges these lines. (Masks go through general registers, which takes longer than everything else. So judging lines while
//! they are loaded, as with AVX-512, would gain little here.)
//!
//! A set of ASCII bytes takes two lookups: one by the low four bits of a byte, which gives a bit for each value of the high ones,
//! and one by the high four bits, which gives the bit to test, or no bit if the byte is not ASCII.

use super::BLOCK;
use super::utf8::{Level, Look, Sums, longest};
use crate::kernel::shared::lines::is_beyond;
use crate::kernel::shared::wanted::{Expected, MOST_LINES, Others, SECTION, Wanted};
use crate::kernel::vector::{Operation, Vector};

/// How far ahead the first pass prefetches: half of a block.
const AHEAD: usize = 8192;

/// By the high four bits of an ASCII byte: its bit in the rows of a set.
static HIGH: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

/// Writes the masks of the lines of `src` from `at` on, as many as there are `masks`. Returns `None` if there is an error in them,
/// and otherwise the length of the longest character to expect in the next lines; `expected` is that of the lines before. A
/// character that lacks its last bytes is no error yet.
///
/// `at` must be 3 at least, the lines must be in `src`, and there must be [`MOST_LINES`] at most.
pub(in crate::kernel) struct Scan<'a, const N: usize, const SINGLE: bool> {
    pub src: &'a [u8],
    pub at: usize,
    pub wanted: &'a Wanted<N>,
    pub masks: &'a mut [[u64; N]],
    pub expected: Expected,
}

impl<const N: usize, const SINGLE: bool> Operation for Scan<'_, N, SINGLE> {
    type Output = Option<Expected>;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Option<Expected> {
        let Scan { src, at, wanted, masks, expected } = self;
        let mut which = [!0; MOST_LINES / SECTION];
        // SAFETY: the lines are in `src`, with three bytes before them.
        unsafe {
            let p = src.as_ptr().add(at);
            let open = src[at - 3..at].iter().any(|byte| !byte.is_ascii());
            let mixed = expected.others == Others::Some;
            let ascii = if mixed {
                find::<V, N, SINGLE, true>(p, wanted, masks, &mut which)
            } else {
                find::<V, N, SINGLE, false>(p, wanted, masks, &mut which)
            };
            if ascii && !open {
                return Some(Expected { others: Others::None, ..expected });
            }
            if expected.others == Others::Most {
                let sampled = Self::sample::<V>(p, masks.len());
                spread(&mut which, masks.len(), open);
                return Self::judge::<V>(src, at, masks.len(), &which, expected, sampled);
            }
            if !mixed {
                single_out::<V>(p, masks.len(), &mut which);
            }
            let others: u32 =
                which[..masks.len().div_ceil(SECTION)].iter().map(|which| which.count_ones()).sum();
            let dense = others as usize * 64 > masks.len() * 54;
            spread(&mut which, masks.len(), open);
            let others = if dense { Others::Most } else { Others::Some };
            Self::judge::<V>(src, at, masks.len(), &which, expected, others)
        }
    }
}

impl<const N: usize, const SINGLE: bool> Scan<'_, N, SINGLE> {
    /// Judges these lines.
    ///
    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn judge<V: Vector>(
        src: &[u8],
        at: usize,
        lines: usize,
        which: &[u64],
        expected: Expected,
        others: Others,
    ) -> Option<Expected> {
        // SAFETY: the caller's promise.
        let longest = unsafe {
            match expected.longest {
                ..=2 => V::apart(Judge::<2> { src, at, lines, which }),
                3 => V::apart(Judge::<3> { src, at, lines, which }),
                _ => V::apart(Judge::<4> { src, at, lines, which }),
            }
        };
        longest.map(|longest| Expected { longest, others })
    }

    /// Whether nearly all of so many lines are still not ASCII, by eight of them.
    ///
    /// # Safety
    /// They must be readable at `p`.
    #[inline(always)]
    unsafe fn sample<V: Vector>(p: *const u8, lines: usize) -> Others {
        let mut ascii = 0;
        for sample in 0..8 {
            // SAFETY: the caller's promise.
            ascii += usize::from(unsafe { is_ascii::<V>(p.add(lines * sample / 8 * BLOCK)) });
        }
        if ascii < 2 { Others::Most } else { Others::Some }
    }
}

/// Adds to the lines that are not ASCII those behind them, where a character may lack its last bytes.
#[inline(always)]
fn spread(which: &mut [u64; MOST_LINES / SECTION], lines: usize, open: bool) {
    let mut open = u64::from(open);
    for (section, word) in which.iter_mut().enumerate() {
        let here = *word;
        let left = lines.saturating_sub(section * SECTION);
        let known = if left >= SECTION { !0 } else { (1 << left) - 1 };
        *word = (here | here << 1 | open) & known;
        open = here >> 63;
    }
}

/// The masks; and whether all lines are ASCII. If `EACH`, also a bit for each line that is not.
///
/// # Safety
/// As many lines as masks must be readable at `p`.
#[inline(always)]
unsafe fn find<V: Vector, const N: usize, const SINGLE: bool, const EACH: bool>(
    mut p: *const u8,
    wanted: &Wanted<N>,
    masks: &mut [[u64; N]],
    which: &mut [u64],
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = V::splat(0);
        let high = V::table(&HIGH);
        let mut tables = [zero; N];
        for (n, table) in tables.iter_mut().enumerate() {
            *table = if SINGLE { V::splat(wanted.bytes[n]) } else { V::table(&wanted.sets[n].rows) };
        }
        let mut all = zero;
        if EACH {
            which.fill(0);
        }
        for (at, line) in masks.iter_mut().enumerate() {
            let mut here = [0; N];
            let mut ours = zero;
            for vector in 0..BLOCK / V::LEN {
                let bytes = V::load(p.add(vector * V::LEN));
                ours = ours.or(bytes);
                let bit = if SINGLE { zero } else { bytes.high_nibbles().lookup(high) };
                for n in 0..N {
                    let found = if SINGLE {
                        u64::from(bytes.equal(tables[n]).sign_bits())
                    } else {
                        let rows = bytes.low_nibbles().lookup(tables[n]);
                        let none = rows.and(bit).equal(zero).sign_bits();
                        u64::from(none) ^ (u64::MAX >> (64 - V::LEN))
                    };
                    here[n] |= found << (vector * V::LEN);
                }
            }
            if EACH {
                which[at / SECTION] |= u64::from(ours.any_sign_bit()) << (at % SECTION);
            }
            all = all.or(ours);
            *line = here;
            V::prefetch(p.wrapping_add(AHEAD));
            p = p.add(BLOCK);
        }
        !all.any_sign_bit()
    }
}

/// A bit for each of so many lines that is not ASCII.
///
/// # Safety
/// They must be readable at `p`.
#[inline(always)]
unsafe fn single_out<V: Vector>(p: *const u8, lines: usize, which: &mut [u64]) {
    which.fill(0);
    for line in 0..lines {
        // SAFETY: the caller's promise.
        let other = unsafe { !is_ascii::<V>(p.add(line * BLOCK)) };
        which[line / SECTION] |= u64::from(other) << (line % SECTION);
    }
}

/// Whether the line at `p` is ASCII.
///
/// # Safety
/// It must be readable.
#[inline(always)]
unsafe fn is_ascii<V: Vector>(p: *const u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let mut all = V::load(p);
        for vector in 1..BLOCK / V::LEN {
            all = all.or(V::load(p.add(vector * V::LEN)));
        }
        !all.any_sign_bit()
    }
}

/// The second pass, with characters of up to `MOST` bytes, and now and then a longer one.
struct Judge<'a, const MOST: usize> {
    src: &'a [u8],
    at: usize,
    lines: usize,
    which: &'a [u64],
}

impl<const MOST: usize> Operation for Judge<'_, MOST> {
    type Output = Option<usize>;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Option<usize> {
        let Judge { src, mut at, mut lines, which } = self;
        // SAFETY: the lines are in `src`, with three bytes before them.
        unsafe {
            let level = Level::<V>::new::<false>();
            let mut seam = is_beyond(src, at, MOST);
            let mut greatest = V::splat(0);
            let mut most = 2;
            let mut ahead = src.as_ptr().wrapping_add(at + lines * BLOCK + AHEAD);
            for &which in which {
                if lines == 0 {
                    break;
                }
                let count = lines.min(SECTION);
                let mut sums = Sums::new();
                let mut rest = which;
                while rest != 0 {
                    let p = src.as_ptr().add(at + BLOCK * rest.trailing_zeros() as usize);
                    rest &= rest - 1;
                    V::prefetch(ahead);
                    ahead = ahead.wrapping_add(BLOCK);
                    sums = level.line::<MOST, false>(sums, p);
                }
                if level.refused::<MOST, false>(sums) || seam {
                    match V::apart(Look::<false> { src, at, which }) {
                        Ok(longest) => most = most.max(longest),
                        Err(_) => return None,
                    }
                    seam = is_beyond(src, at + count * BLOCK, MOST);
                } else {
                    greatest = greatest.max(sums.greatest);
                }
                at += count * BLOCK;
                lines -= count;
            }
            Some(most.max(longest(greatest).0))
        }
    }
}
