//! Scanning on AVX-512: masks of sets of bytes, from the lines that validation loads; and positions from masks.
//!
//! # Two passes over 16 KiB
//! The first pass loads each line once. It stores the masks of the sets, and as in
//! [`sections`](super::utf8) the 16 bits that say which of its words of four bytes are not ASCII. The second pass judges only
//! the lines that these name, from the first level of cache, at the lowest level of the longest character that did for the
//! block before. ASCII is loaded once and never judged.
//!
//! A set of ASCII bytes is the 128 bits that say which belong to it. Expanded to bytes they are two registers, in which
//! `vpermi2b` looks up 64 bytes at once; the lookup ignores the top bit, which is tested together with the result. A set of a
//! single byte is a comparison.
//!
//! # Positions
//! The numbers 0 to 63, compressed by the mask into a register (a compress into memory takes hundreds of cycles on Zen 4), widened,
//! added to the offset of the line, and stored sixteen at a time. There is no branch for up to sixteen in a line.

use super::BLOCK;
use super::arch::*;
use super::memory::{prefetch, prefetch_ahead};
use super::registers::{Table, load_table};
use super::utf8::{Found, errors_at, level, longest, look, no_errors, places, to_judge};
use crate::kernel::shared::Progress;
use crate::kernel::shared::lines::is_beyond;
use crate::kernel::shared::opaque::stored;
use crate::kernel::shared::wanted::{MOST_LINES, SECTION, Wanted};

/// Sections of a scan.
const SECTIONS: usize = MOST_LINES / SECTION;

avx512! {
    /// Writes the masks of the lines of `src` from `at` on, as many as there are `masks`. Returns `None` if there is an error in
    /// them, and otherwise the length of the longest character to expect in the next lines; `longest` is that of the lines
    /// before. A character that lacks its last bytes is no error yet.
    ///
    /// # Safety
    /// `at` must be 3 at least, the lines must be in `src`, and there must be [`MOST_LINES`] at most.
    #[inline]
    pub(in crate::kernel) unsafe fn scan<const N: usize, const SINGLE: bool>(
        src: &[u8],
        at: usize,
        wanted: &Wanted<N>,
        masks: &mut [[u64; N]],
        longest: usize,
    ) -> Option<usize> {
        let mut found = [const { Found::new() }; SECTIONS];
        // SAFETY: the caller's promise.
        unsafe {
            detect::<N, SINGLE>(src.as_ptr().add(at), wanted, masks, &mut found);
            match longest {
                ..=2 => judge::<2>(src, at, masks.len(), &found),
                3 => judge::<3>(src, at, masks.len(), &found),
                _ => judge::<4>(src, at, masks.len(), &found),
            }
        }
    }

    /// The first pass.
    ///
    /// # Safety
    /// As many lines as masks must be readable at `p`.
    #[inline]
    unsafe fn detect<const N: usize, const SINGLE: bool>(
        p: *const u8,
        wanted: &Wanted<N>,
        masks: &mut [[u64; N]],
        found: &mut [Found; SECTIONS],
    ) {
        let sign = _mm512_set1_epi8(-128);
        let mut low = [_mm512_setzero_si512(); N];
        let mut high = low;
        for n in 0..N {
            if SINGLE {
                low[n] = _mm512_set1_epi8(wanted.bytes[n] as i8);
            } else {
                let bits = wanted.sets[n].bits;
                low[n] = _mm512_movm_epi8(bits as u64);
                high[n] = _mm512_movm_epi8((bits >> 64) as u64);
            }
        }
        let mut p = p;
        for (section, found) in masks.chunks_mut(SECTION).zip(found) {
            for (line, words) in section.iter_mut().zip(&mut found.0) {
                // SAFETY: the caller's promise.
                let bytes = unsafe { _mm512_loadu_si512(p.cast()) };
                prefetch_ahead::<{ 16 * BLOCK }>(p);
                *words = _mm512_test_epi32_mask(bytes, sign);
                for n in 0..N {
                    line[n] = if SINGLE {
                        _mm512_cmpeq_epi8_mask(bytes, low[n])
                    } else {
                        let member = _mm512_permutex2var_epi8(low[n], bytes, high[n]);
                        _mm512_movepi8_mask(_mm512_andnot_si512(bytes, member))
                    };
                }
                p = p.wrapping_add(BLOCK);
            }
            stored(found);
        }
    }

    /// The second pass, over `lines` lines, with characters of up to `MOST` bytes, and now and then a longer one.
    ///
    /// # Safety
    /// As for [`scan`].
    #[inline]
    unsafe fn judge<const MOST: usize>(src: &[u8], mut at: usize, mut lines: usize, found: &[Found; SECTIONS]) -> Option<usize> {
        let constants = level::<MOST, false>();
        let mut open = u64::from(src[at - 3..at].iter().any(|byte| !byte.is_ascii()));
        let mut seam = is_beyond(src, at, MOST);
        let mut greatest = _mm512_setzero_si512();
        let mut most = 2;
        let mut ahead = src.as_ptr().wrapping_add(at + lines * BLOCK);
        for found in found {
            if lines == 0 {
                break;
            }
            let count = lines.min(SECTION);
            let which = to_judge(found, count, &mut open);
            let mut errors = no_errors();
            let mut rest = which;
            while rest != 0 {
                // SAFETY: a line of the section, with three bytes before it.
                errors = unsafe {
                    let p = src.as_ptr().add(at + BLOCK * rest.trailing_zeros() as usize);
                    let bytes = _mm512_loadu_si512(p.cast());
                    if MOST > 2 {
                        greatest = _mm512_max_epu8(greatest, bytes);
                    }
                    errors_at::<MOST>(&constants, errors, p, bytes)
                };
                rest &= rest - 1;
                prefetch(ahead);
                ahead = ahead.wrapping_add(BLOCK);
            }
            if places(errors) != 0 || seam {
                // SAFETY: lines of the section; the others are ASCII, behind whole characters.
                match unsafe { look::<false>(src, at, which) } {
                    Ok(longest) => most = most.max(longest),
                    Err(_) => return None,
                }
                seam = is_beyond(src, at + count * BLOCK, MOST);
            }
            at += count * BLOCK;
            lines -= count;
        }
        Some(most.max(longest(greatest)))
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
                    _mm512_storeu_si512(room.add(at * BLOCK).cast(), _mm512_add_epi32(_mm512_cvtepu8_epi32(numbers), offset));
                };
                store(0, _mm512_castsi512_si128(found));
                if count > 16 {
                    store(1, _mm512_extracti32x4_epi32::<1>(found));
                    if count > 32 {
                        store(2, _mm512_extracti32x4_epi32::<2>(found));
                        store(3, _mm512_extracti32x4_epi32::<3>(found));
                    }
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
