//! UTF-16 to UTF-16 and UTF-32 on AVX-512.
//!
//! The first is a checked copy, written over lanes ([`utf16_copy`](crate::kernel::generic::utf16_copy)). For the second, there is one
//! decision for 32 units. Without surrogates they are widened, which is limited by the stores: so these are aligned if such steps
//! follow each other. Otherwise the units one position later are loaded as well, so that a high surrogate has its low surrogate in
//! the same lane. Each lane computes the two halves of its code point, the lanes of low surrogates are removed from both registers by
//! a compression, and only then are the halves brought together.
//!
//! AMD EPYC (Zen 5), 160 KiB of documents, GB/s of input; a plain loop of as many loads and stores reaches 82. "Before" is a
//! loop for each kind of text, which paid two mispredictions for each emoji, and widened units and their successors before it
//! joined them:
//!
//! | | simdutf | before | this |
//! |---|--:|--:|--:|
//! | chat | 37 | 30 | 45 |
//! | table of emoji | 48 | 40 | 51 |
//! | shuffled documents | 63 | 62 | 66 |
//! | Rust sources | 77 | 80 | 80 |
//!
//! When the two steps after one with surrogates were assumed to have surrogates too, without a test, chat and emoji of 8 KiB, all
//! different, were at 0.72 and 0.76 (AMD Zen 4).
//!
//! Tails are masked on both sides. Texts of up to 256 units are converted by masked steps only, which takes half of the time of the
//! loops plus their remainder.

use super::arch::*;
use super::memory::low_bits;
use super::registers::{A, B, C, swap16_if, swap32_if};
use super::{BLOCK, Progress};
use crate::kernel::generic::utf16_copy::Utf16Copy;

/// Units per step.
const STEP: usize = 32;

/// The greatest number of units that are converted by masked steps only.
const SHORT: usize = 8 * STEP;

/// After this many steps without surrogates the output is aligned to cache lines.
const FEW: usize = 8;

/// Code points of a register.
const HALF: usize = STEP / 2;

avx512! {
    /// UTF-16 to UTF-16, checked; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf16<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if len <= SHORT && len <= room && copy_masked::<FROM, TO>(src, len, dst) {
                return Progress { read: len, written: len };
            }
            copy_long::<FROM, TO>(src, len, dst, room)
        }
    }

    /// The copy of any length.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn copy_long<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { super::run_lanes(Utf16Copy::<FROM, TO, true>::new(src, len, dst, room)) }
    }

    /// Copies units in masked steps; says whether all are well-formed.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for all.
    #[inline]
    unsafe fn copy_masked<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8) -> bool {
        let (mut read, mut after_high, mut errors) = (0, 0, 0);
        while read < len {
            let count = STEP.min(len - read);
            let lanes = low_bits(count) as u32;
            // SAFETY: the caller's promise; loads and stores are masked.
            unsafe {
                let raw = _mm512_maskz_loadu_epi16(lanes, src.add(2 * read).cast());
                let units = swap16_if::<FROM>(raw);
                _mm512_mask_storeu_epi16(dst.add(2 * read).cast(), lanes, if FROM == TO { raw } else { swap16_if::<true>(raw) });
                let (high, low) = (with_prefix(units, 0xD800), with_prefix(units, 0xDC00));
                errors |= (high << 1 | after_high) ^ low;
                after_high = high >> (STEP - 1);
            }
            read += count;
        }
        // A high surrogate at the end shows as an error in the lane behind it, if there is one.
        errors | after_high == 0
    }

    /// UTF-16 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf32<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            let done = if len <= SHORT && len <= room { basic_masked::<FROM, TO>(src, len, dst) } else { 0 };
            let done = Progress { read: done, written: done };
            if done.read == len { done } else { long::<FROM, TO>(src, len, dst, room, done) }
        }
    }

    /// Whole steps, and the remainder, from `done` on.
    ///
    /// # Safety
    /// As for the kernel; `done` is what has been read and written.
    #[inline(never)]
    unsafe fn long<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        // Whether the first unit of the step is the low surrogate of a pair that has been written already. (If a step
        // ended before the pair, the address of the next one would depend on it.)
        let mut after_high = 0u32;
        // Steps without surrogates since the last one with some.
        let mut plain = 0;
        // SAFETY: a step and one more unit are left, and there is room for the code points.
        unsafe {
            while len - read > STEP && room - written >= STEP {
                let (from, to) = (src.add(2 * read), dst.add(4 * written));
                let units = swap16_if::<FROM>(_mm512_loadu_si512(from.cast()));
                let surrogates = surrogates(units);
                if surrogates | after_high == 0 {
                    let [first, second] = widened(units);
                    store::<TO>(to, first);
                    store::<TO>(to.add(4 * HALF), second);
                    read += STEP;
                    written += STEP;
                    plain += 1;
                    if plain == FEW {
                        plain = 0;
                        // From here on the output is aligned: some units are written twice.
                        let behind = dst.add(4 * written) as usize % BLOCK / 4;
                        read -= behind;
                        written -= behind;
                        let steps = (len - read).min(room - written) / STEP;
                        let passed = basic::<FROM, TO>(src.add(2 * read), dst.add(4 * written), steps);
                        read += STEP * passed;
                        written += STEP * passed;
                    }
                    continue;
                }
                plain = 0;
                let low = with_prefix(units, 0xDC00);
                let high = surrogates & !low;
                if high << 1 | after_high != low {
                    break;
                }
                let next = swap16_if::<FROM>(_mm512_loadu_si512(from.add(2).cast()));
                let [first, second] = points(units, next, high, !low);
                store::<TO>(to, first);
                store::<TO>(to.add(4 * HALF), second);
                read += STEP;
                written += (!low).count_ones() as usize;
                after_high = high >> (STEP - 1);
            }
            // A pair whose low surrogate has not been read does not count yet. Up to a step is left, or there is room
            // for less, or there is an error in the next step.
            let half = after_high as usize;
            masked::<FROM, TO>(src, len, dst, room, Progress { read: read - half, written: written - half })
        }
    }

    /// Widens up to `steps` steps, as long as they have no surrogates; returns their number.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline]
    unsafe fn basic<const FROM: bool, const TO: bool>(src: *const u8, dst: *mut u8, steps: usize) -> usize {
        for step in 0..steps {
            // SAFETY: the caller's promise.
            unsafe {
                let units = swap16_if::<FROM>(_mm512_loadu_si512(src.add(2 * STEP * step).cast()));
                if surrogates(units) != 0 {
                    return step;
                }
                let to = dst.add(4 * STEP * step);
                let [low, high] = widened(units);
                store::<TO>(to, low);
                store::<TO>(to.add(4 * HALF), high);
            }
        }
        steps
    }

    /// Widens units in masked steps, as long as the steps have no surrogates; returns the number of units.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for all.
    #[inline]
    unsafe fn basic_masked<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8) -> usize {
        let mut at = 0;
        while at < len {
            let count = (len - at).min(STEP);
            let lanes = low_bits(count) as u32;
            // SAFETY: the caller's promise; loads and stores are masked.
            unsafe {
                let units = swap16_if::<FROM>(_mm512_maskz_loadu_epi16(lanes, src.add(2 * at).cast()));
                if surrogates(units) != 0 {
                    break;
                }
                let [first, second] = widened(units);
                let to = dst.add(4 * at);
                store_masked::<TO>(to, lanes as u16, first);
                store_masked::<TO>(to.wrapping_add(4 * HALF), (lanes >> HALF) as u16, second);
            }
            at += count;
        }
        at
    }

    /// The surrogates among units.
    #[inline]
    fn surrogates(units: __m512i) -> u32 {
        let prefix = _mm512_and_si512(units, _mm512_set1_epi16(0xF800_u16 as i16));
        _mm512_cmpeq_epi16_mask(prefix, _mm512_set1_epi16(0xD800_u16 as i16))
    }

    /// Masked steps, up to the end or an error, from `done` on.
    ///
    /// # Safety
    /// As for the kernel; `done` is what has been read and written.
    #[inline]
    unsafe fn masked<const FROM: bool, const TO: bool>(src: *const u8, mut len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            let mut count = STEP.min(len - read);
            let from = src.wrapping_add(2 * read);
            // SAFETY: the lanes are units of the source.
            let units = unsafe { swap16_if::<FROM>(_mm512_maskz_loadu_epi16(low_bits(count) as u32, from.cast())) };
            let (high, second) = (with_prefix(units, 0xD800), with_prefix(units, 0xDC00));
            let required = high << 1;
            if required != second {
                // For this kernel the text ends here: before a high surrogate without a partner, which shows one lane
                // later, or before a low one.
                let odd = (required ^ second).trailing_zeros() as usize;
                len = read + odd - (required >> odd & 1) as usize;
                continue;
            }
            // A high surrogate at the end is left to the next step.
            count -= (high >> (STEP - 1)) as usize;
            // SAFETY: as above.
            let next = unsafe {
                let lanes = low_bits(count - 1) as u32;
                swap16_if::<FROM>(_mm512_maskz_loadu_epi16(lanes, from.wrapping_add(2).cast()))
            };
            let kept = low_bits(count) as u32 & !second;
            let size = kept.count_ones() as usize;
            if size > room - written {
                // For this kernel the text ends before the first character that does not fit.
                len = read + _pdep_u32(1 << (room - written), kept).trailing_zeros() as usize;
                continue;
            }
            let [first, second] = points(units, next, high, kept);
            // SAFETY: the code points fit; the stores are masked.
            unsafe {
                let to = dst.add(4 * written);
                let lanes = low_bits(size) as u32;
                store_masked::<TO>(to, lanes as u16, first);
                store_masked::<TO>(to.wrapping_add(4 * HALF), (lanes >> HALF) as u16, second);
            }
            written += size;
            read += count;
        }
        Progress { read, written }
    }

    /// The units whose top six bits are those of `prefix`.
    #[inline]
    fn with_prefix(units: __m512i, prefix: u16) -> u32 {
        let bits = _mm512_and_si512(units, _mm512_set1_epi16(0xFC00_u16 as i16));
        _mm512_cmpeq_epi16_mask(bits, _mm512_set1_epi16(prefix as i16))
    }

    /// 32 units in lanes of four bytes.
    #[inline]
    fn widened(units: __m512i) -> [__m512i; 2] {
        let high = _mm512_extracti64x4_epi64::<1>(units);
        [_mm512_cvtepu16_epi32(_mm512_castsi512_si256(units)), _mm512_cvtepu16_epi32(high)]
    }

    /// The code points of the units of `kept`, of which those of `high` are high surrogates; `next` holds the low surrogate behind each
    /// of these.
    #[inline]
    fn points(units: __m512i, next: __m512i, high: u32, kept: u32) -> [__m512i; 2] {
        let splat = |value: u16| _mm512_set1_epi16(value as i16);
        // The lower halves of code points, then the upper ones: of a pair, bits 6 to 9 of the high surrogate, and 1.
        let low = _mm512_ternarylogic_epi32::<{ A | B & C }>(_mm512_slli_epi16::<10>(units), next, splat(0x03FF));
        let low = _mm512_maskz_compress_epi16(kept, _mm512_mask_mov_epi16(units, high, low));
        let upper = _mm512_srli_epi16::<6>(_mm512_and_si512(units, splat(0x03FF)));
        let upper = _mm512_maskz_compress_epi16(kept, _mm512_maskz_add_epi16(high, upper, splat(1)));
        let (even, odd) = (_mm512_unpacklo_epi16(low, upper), _mm512_unpackhi_epi16(low, upper));
        [
            _mm512_permutex2var_epi64(even, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), odd),
            _mm512_permutex2var_epi64(even, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), odd),
        ]
    }

    /// Writes sixteen code points in the byte order of the target.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn store<const TO: bool>(to: *mut u8, points: __m512i) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), swap32_if::<TO>(points)) }
    }

    /// Writes the code points of `lanes` in the byte order of the target.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn store_masked<const TO: bool>(to: *mut u8, lanes: u16, points: __m512i) {
        // SAFETY: the caller's promise; masked lanes are not written.
        unsafe { _mm512_mask_storeu_epi32(to.cast(), lanes, swap32_if::<TO>(points)) }
    }
}
