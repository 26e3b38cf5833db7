//! Scanning on AVX-512: masks of sets of bytes, from the lines that validation loads; and positions from masks.
//!
//! # Three ways over 16 KiB
//! A mask that is stored from its register costs next to nothing (one that goes through a general register took twice as long as
//! the whole line). So what matters is how often a line is loaded, and what else is tested in it. The kind of the lines before
//! decides:
//!
//! - *ASCII*: the masks, and one register that collects the top bits of all lines.
//! - *Mixed*: in addition, for each line, the 16 bits that say which of its words of four bytes are not ASCII, as in the sections
//!   of the validation; then only the lines with such words are judged, from the first-level cache.
//! - *Dense*, if nearly all lines are not ASCII: each is judged as soon as it is loaded. Two passes took a third longer, but from memory
//!   a fifth less: see [`FAR`].
//!
//! The level, of two, three or four bytes, is the lowest that sufficed for nearly all sections of 4 KiB before; a section that it
//! refuses is judged again at the highest.
//!
//! A set of ASCII bytes is the 128 bits that say which belong to it. Expanded to bytes they are two registers, in which
//! `vpermi2b` looks up 64 bytes at once; the lookup ignores the top bit, which is tested together with the result. A set of a
//! single byte is a comparison.
//!
//! # Positions
//! The numbers 0 to 63 are compressed by the mask into a register (a compression into memory takes hundreds of cycles on Zen 4),
//! widened, added to the offset of the line, and stored sixteen at a time. There is no branch for up to sixteen in a line. (With
//! another branch, to store only eight if there are no more, it took a fifth longer.)
//!
//! # What did not help
//! - Prefetches of 1 KiB ahead, in place of 8 KiB: no faster from memory than none. With 8 KiB a scan is up to 20 % faster, and records of
//!   400 bytes 15 to 25 % (Zen 5).
//! - Blocks of 32 or 64 KiB: no faster, and more masks on the stack.
//! - One of the three ways for each section, instead of each block: 30 % slower on mixed text, because a section's words are then
//!   loaded while they are still being stored.

use super::BLOCK;
use super::arch::*;
use super::memory::prefetch_ahead;
use super::registers::{Table, load_table};
use super::utf8::{Errors, Found, errors_at, level, longest, look, no_errors, places, to_judge};
use crate::kernel::shared::Progress;
use crate::kernel::shared::lines::{FAR, is_beyond};
use crate::kernel::shared::opaque::stored;
use crate::kernel::shared::wanted::{Expected, MOST_LINES, Others, SECTION, Survey, Wanted};

/// Sections of a scan.
const SECTIONS: usize = MOST_LINES / SECTION;

/// How far ahead the passes that load the text prefetch it: half of a block, so that memory is not idle while the block is judged and its
/// records are given out.
const AHEAD: usize = 8192;

avx512! {
    /// Writes the masks of the lines of `src` from `at` on, as many as there are `masks`. Returns `None`, with all masks written, if
    /// there is an error in the lines, and otherwise what to expect of the next lines; `expected` is that of the lines before, or any number.
    /// A character that lacks its last bytes is no error yet.
    ///
    /// # Safety
    /// `at` must be 3 at least, the lines must be in `src`, and there must be [`MOST_LINES`] at most.
    #[inline]
    pub(in crate::kernel) unsafe fn scan<const N: usize, const SINGLE: bool>(
        src: &[u8],
        at: usize,
        wanted: &Wanted<N>,
        masks: &mut [[u64; N]],
        expected: Expected,
    ) -> Option<Expected> {
        let mut found = [const { Found::new() }; SECTIONS];
        // SAFETY: the caller's promise.
        unsafe {
            match (expected.others, expected.longest) {
                (Others::None, _) => {
                    if ascii::<N, SINGLE>(src, at, wanted, masks) {
                        return Some(expected);
                    }
                    again(src.as_ptr().add(at), masks.len(), &mut found);
                }
                (Others::Some, _) => detect::<N, SINGLE>(src.as_ptr().add(at), wanted, masks, &mut found),
                (Others::Most, ..=3) if src.len() > FAR => {
                    detect::<N, SINGLE>(src.as_ptr().add(at), wanted, masks, &mut found);
                }
                (Others::Most, ..=2) => return dense::<N, SINGLE, 2>(src, at, wanted, masks),
                (Others::Most, 3) => return dense::<N, SINGLE, 3>(src, at, wanted, masks),
                (Others::Most, _) => return dense::<N, SINGLE, 4>(src, at, wanted, masks),
            }
            match expected.longest {
                ..=2 => judge::<2>(src, at, masks.len(), &found),
                3 => judge::<3>(src, at, masks.len(), &found),
                _ => judge::<4>(src, at, masks.len(), &found),
            }
        }
    }

    /// All lines are judged in the one pass; characters of up to `MOST` bytes, and now and then a longer one.
    ///
    /// # Safety
    /// As for [`scan`].
    #[inline]
    unsafe fn dense<const N: usize, const SINGLE: bool, const MOST: usize>(
        src: &[u8],
        mut at: usize,
        wanted: &Wanted<N>,
        masks: &mut [[u64; N]],
    ) -> Option<Expected> {
        let sets = load_sets::<N, SINGLE>(wanted);
        let constants = level::<MOST, false>();
        let mut seam = is_beyond(src, at, MOST);
        let mut survey = Survey::new(MOST);
        let mut left = masks;
        while !left.is_empty() {
            let (masks, behind) = left.split_at_mut(left.len().min(SECTION));
            left = behind;
            let mut errors = no_errors();
            let mut greatest = _mm512_setzero_si512();
            for (i, masks) in masks.iter_mut().enumerate() {
                // SAFETY: a line of the section, with three bytes before it.
                unsafe {
                    let p = src.as_ptr().add(at + i * BLOCK);
                    let bytes = _mm512_loadu_si512(p.cast());
                    *masks = members::<N, SINGLE>(&sets, bytes);
                    prefetch_ahead::<AHEAD>(p);
                    if MOST > 2 {
                        greatest = _mm512_max_epu8(greatest, bytes);
                    }
                    errors = errors_at::<MOST>(&constants, errors, p, bytes);
                }
            }
            let count = masks.len();
            for sample in 0..2 {
                // SAFETY: a line of the section.
                let bytes = unsafe { _mm512_loadu_si512(src.as_ptr().add(at + count * sample / 2 * BLOCK).cast()) };
                survey.samples(_mm512_movepi8_mask(bytes) == 0);
            }
            // SAFETY: the section is in `src`, and so are the lines behind it.
            unsafe {
                if close::<MOST>(src, at, u64::MAX >> (64 - count), errors, greatest, &mut seam, &mut survey).is_none() {
                    // Masks do not depend on errors.
                    ascii::<N, SINGLE>(src, at + count * BLOCK, wanted, left);
                    return None;
                }
            }
            at += count * BLOCK;
            seam = survey.refused_last && is_beyond(src, at, MOST);
        }
        Some(survey.expected())
    }

    /// What a section has shown: `None` if there is an error in it.
    ///
    /// # Safety
    /// The lines of `which` must be in `src`, with three bytes before each; the others must be ASCII, behind whole characters.
    #[inline]
    unsafe fn close<const MOST: usize>(
        src: &[u8],
        at: usize,
        which: u64,
        errors: Errors,
        greatest: __m512i,
        seam: &mut bool,
        survey: &mut Survey,
    ) -> Option<()> {
        let mut longest_here = if MOST > 2 { longest(greatest) } else { 2 };
        survey.refused_last = places(errors) != 0 || *seam;
        if survey.refused_last {
            // SAFETY: the caller's promise.
            longest_here = unsafe { look::<false>(src, at, which) }.ok()?;
        }
        *seam = false;
        survey.section(longest_here);
        Some(())
    }

    /// Writes the masks: whether all lines are ASCII, and the three bytes before them.
    ///
    /// # Safety
    /// As for [`scan`].
    #[inline]
    unsafe fn ascii<const N: usize, const SINGLE: bool>(
        src: &[u8],
        at: usize,
        wanted: &Wanted<N>,
        masks: &mut [[u64; N]],
    ) -> bool {
        if masks.is_empty() {
            // Behind the last line there need not be a vector to load.
            return true;
        }
        let sets = load_sets::<N, SINGLE>(wanted);
        // SAFETY: three bytes are before the lines.
        let mut p = unsafe { src.as_ptr().add(at) };
        // SAFETY: as above; the first line, which is there, reaches further than they.
        let mut any = unsafe { _mm512_loadu_si512(p.sub(3).cast()) };
        for masks in masks {
            // SAFETY: the caller's promise.
            let bytes = unsafe { _mm512_loadu_si512(p.cast()) };
            *masks = members::<N, SINGLE>(&sets, bytes);
            any = _mm512_or_si512(any, bytes);
            prefetch_ahead::<AHEAD>(p);
            p = p.wrapping_add(BLOCK);
        }
        _mm512_movepi8_mask(any) == 0
    }

    /// Which of these lines are not ASCII, if the masks are there already.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    unsafe fn again(mut p: *const u8, lines: usize, found: &mut [Found; SECTIONS]) {
        let sign = _mm512_set1_epi8(-128);
        for words in found.iter_mut().flat_map(|found| &mut found.0).take(lines) {
            // SAFETY: the caller's promise.
            let bytes = unsafe { _mm512_loadu_si512(p.cast()) };
            *words = _mm512_test_epi32_mask(bytes, sign);
            p = p.wrapping_add(BLOCK);
        }
        stored(found);
    }

    /// The first pass over text that is not dense: the masks, and which lines are not ASCII.
    ///
    /// # Safety
    /// As many lines as masks must be readable at `p`.
    #[inline]
    unsafe fn detect<const N: usize, const SINGLE: bool>(
        mut p: *const u8,
        wanted: &Wanted<N>,
        masks: &mut [[u64; N]],
        found: &mut [Found; SECTIONS],
    ) {
        let sets = load_sets::<N, SINGLE>(wanted);
        let sign = _mm512_set1_epi8(-128);
        for (section, found) in masks.chunks_mut(SECTION).zip(found) {
            for (masks, words) in section.iter_mut().zip(&mut found.0) {
                // SAFETY: the caller's promise.
                let bytes = unsafe { _mm512_loadu_si512(p.cast()) };
                *words = _mm512_test_epi32_mask(bytes, sign);
                *masks = members::<N, SINGLE>(&sets, bytes);
                prefetch_ahead::<AHEAD>(p);
                p = p.wrapping_add(BLOCK);
            }
            stored(found);
        }
    }

    /// The second pass, over `lines` lines.
    ///
    /// # Safety
    /// As for [`scan`].
    #[inline]
    unsafe fn judge<const MOST: usize>(src: &[u8], mut at: usize, mut lines: usize, found: &[Found; SECTIONS]) -> Option<Expected> {
        let constants = level::<MOST, false>();
        let mut open = u64::from(src[at - 3..at].iter().any(|byte| !byte.is_ascii()));
        let mut seam = is_beyond(src, at, MOST);
        let mut survey = Survey::new(MOST);
        let mut ahead = src.as_ptr().wrapping_add(at + lines * BLOCK);
        for found in found {
            if lines == 0 {
                break;
            }
            let count = lines.min(SECTION);
            let which = to_judge(found, count, &mut open);
            let mut errors = no_errors();
            let mut greatest = _mm512_setzero_si512();
            let mut rest = which;
            while rest != 0 {
                // SAFETY: a line of the section, with three bytes before it.
                unsafe {
                    let p = src.as_ptr().add(at + BLOCK * rest.trailing_zeros() as usize);
                    let bytes = _mm512_loadu_si512(p.cast());
                    if MOST > 2 {
                        greatest = _mm512_max_epu8(greatest, bytes);
                    }
                    errors = errors_at::<MOST>(&constants, errors, p, bytes);
                }
                rest &= rest - 1;
                prefetch_ahead::<AHEAD>(ahead);
                ahead = ahead.wrapping_add(BLOCK);
            }
            survey.judged(which, count);
            if which != 0 || seam {
                // SAFETY: the lines are in `src`.
                unsafe { close::<MOST>(src, at, which, errors, greatest, &mut seam, &mut survey)? };
            }
            at += count * BLOCK;
            lines -= count;
            seam = survey.refused_last && is_beyond(src, at, MOST);
        }
        Some(survey.expected())
    }

    /// The sets in registers.
    #[inline]
    fn load_sets<const N: usize, const SINGLE: bool>(wanted: &Wanted<N>) -> [[__m512i; 2]; N] {
        let mut sets = [[_mm512_setzero_si512(); 2]; N];
        for (n, set) in sets.iter_mut().enumerate() {
            *set = if SINGLE {
                [_mm512_set1_epi8(wanted.bytes[n] as i8); 2]
            } else {
                let bits = wanted.sets[n].bits;
                [_mm512_movm_epi8(bits as u64), _mm512_movm_epi8((bits >> 64) as u64)]
            };
        }
        sets
    }

    /// The bytes that belong to each set.
    #[inline]
    fn members<const N: usize, const SINGLE: bool>(sets: &[[__m512i; 2]; N], bytes: __m512i) -> [u64; N] {
        let mut masks = [0; N];
        for (mask, [low, high]) in masks.iter_mut().zip(*sets) {
            *mask = if SINGLE {
                _mm512_cmpeq_epi8_mask(bytes, low)
            } else {
                let member = _mm512_permutex2var_epi8(low, bytes, high);
                _mm512_movepi8_mask(_mm512_andnot_si512(bytes, member))
            };
        }
        masks
    }

    /// Writes the offsets of the bits of `masks`, of which the first is that of `base`, to `out`; stops before a mask for which
    /// less than 64 places are left. `read` are the masks that were read.
    #[inline]
    pub(in crate::kernel) unsafe fn positions<const LAZY: bool>(masks: &[[u64; 1]], base: u32, out: &mut [u32]) -> Progress {
        let (mut base, mut written) = (base, 0);
        let numbers = load_table(&NUMBERS);
        for (read, [mask]) in masks.iter().enumerate() {
            let Some(room) = out.get_mut(written..written + BLOCK) else {
                return Progress { read, written };
            };
            let count = mask.count_ones() as usize;
            let found = _mm512_maskz_compress_epi8(*mask, numbers);
            let offset = _mm512_set1_epi32(base as i32);
            let room: *mut u8 = room.as_mut_ptr().cast();
            // SAFETY: there is room for 64.
            unsafe {
                let store = |at: usize, numbers: __m128i| {
                    let sixteen = _mm512_add_epi32(_mm512_cvtepu8_epi32(numbers), offset);
                    _mm512_storeu_si512(room.add(at * BLOCK).cast(), sixteen);
                };
                store(0, _mm512_castsi512_si128(found));
                if count > 16 {
                    store(1, _mm512_extracti32x4_epi32::<1>(found));
                    store(2, _mm512_extracti32x4_epi32::<2>(found));
                    store(3, _mm512_extracti32x4_epi32::<3>(found));
                }
            }
            written += count;
            base = base.wrapping_add(BLOCK as u32);
        }
        Progress { read: masks.len(), written }
    }
}

/// The numbers of the bytes of a line.
static NUMBERS: Table = Table({
    let mut numbers = [0; 64];
    let mut at = 0;
    while at < 64 {
        numbers[at] = at as u8;
        at += 1;
    }
    numbers
});
