//! Scanning over any vector: masks of sets of bytes, from the lines that validation loads.
//!
//! Two passes over 16 KiB, as on AVX-512: the first stores the masks, and for each line whether it is ASCII; the second
//! judges the lines that are not. (Collecting the lines as [`sections`](super::utf8) does, through memory, saves
//! nothing here: the masks take most of the first pass.)
//!
//! A set of ASCII bytes takes two lookups: by the low four bits of a byte, which gives a bit for each value of the high
//! ones, and by the high four bits, which gives the bit to test; none for what is not ASCII.

use super::BLOCK;
use super::utf8::{Level, Look, Sums, longest};
use crate::kernel::shared::lines::is_beyond;
use crate::kernel::shared::wanted::{MOST_LINES, SECTION, Wanted};
use crate::kernel::vector::{Operation, Vector};

/// By the high four bits of an ASCII byte: its bit in the rows of a set.
static HIGH: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

/// Writes the masks of the lines of `src` from `at` on, as many as there are `masks`. Returns `None` if there is an error in them,
/// and otherwise the length of the longest character to expect in the next lines; `longest` is that of the lines before. A
/// character that lacks its last bytes is no error yet.
///
/// `at` must be 3 at least, the lines must be in `src`, and there must be [`MOST_LINES`] at most.
pub(in crate::kernel) struct Scan<'a, const N: usize, const SINGLE: bool> {
    pub src: &'a [u8],
    pub at: usize,
    pub wanted: &'a Wanted<N>,
    pub masks: &'a mut [[u64; N]],
    pub longest: usize,
}

impl<const N: usize, const SINGLE: bool> Operation for Scan<'_, N, SINGLE> {
    type Output = Option<usize>;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Option<usize> {
        let Scan { src, at, wanted, masks, longest } = self;
        let mut which = [0; MOST_LINES / SECTION];
        // SAFETY: the lines are in `src`, with three bytes before them.
        unsafe {
            detect::<V, N, SINGLE>(src.as_ptr().add(at), wanted, masks, &mut which);
            let open = u64::from(src[at - 3..at].iter().any(|byte| !byte.is_ascii()));
            spread(&mut which, masks.len(), open);
            match longest {
                ..=2 => V::apart(Judge::<2> { src, at, lines: masks.len(), which: &which }),
                3 => V::apart(Judge::<3> { src, at, lines: masks.len(), which: &which }),
                _ => V::apart(Judge::<4> { src, at, lines: masks.len(), which: &which }),
            }
        }
    }
}

/// Adds to the lines that are not ASCII those behind them, where a character may lack its last bytes.
#[inline(always)]
fn spread(which: &mut [u64; MOST_LINES / SECTION], lines: usize, mut open: u64) {
    for (section, word) in which.iter_mut().enumerate() {
        let here = *word;
        let left = lines.saturating_sub(section * SECTION);
        let known = if left >= SECTION { !0 } else { (1 << left) - 1 };
        *word = (here | here << 1 | open) & known;
        open = here >> 63;
    }
}

/// The first pass: the masks, and a bit for each line that is not ASCII.
///
/// # Safety
/// As many lines as masks must be readable at `p`.
#[inline(always)]
unsafe fn detect<V: Vector, const N: usize, const SINGLE: bool>(
    p: *const u8,
    wanted: &Wanted<N>,
    masks: &mut [[u64; N]],
    which: &mut [u64],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = V::splat(0);
        let high = V::table(&HIGH);
        let mut tables = [zero; N];
        for n in 0..N {
            tables[n] = if SINGLE { V::splat(wanted.bytes[n]) } else { V::table(&wanted.sets[n].rows) };
        }
        let mut p = p;
        for (section, which) in masks.chunks_mut(SECTION).zip(which) {
            let mut others = 0;
            for (i, line) in section.iter_mut().enumerate() {
                let mut all = zero;
                let mut here = [0; N];
                V::prefetch(p.wrapping_add(16 * BLOCK));
                for vector in 0..BLOCK / V::LEN {
                    let bytes = V::load(p.add(vector * V::LEN));
                    all = all.or(bytes);
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
                *line = here;
                others |= u64::from(all.any_sign_bit()) << i;
                p = p.wrapping_add(BLOCK);
            }
            *which = others;
        }
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
            let mut ahead = src.as_ptr().wrapping_add(at + lines * BLOCK);
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
                    sums = level.line::<MOST, false>(sums, p);
                    V::prefetch(ahead);
                    ahead = ahead.wrapping_add(BLOCK);
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
