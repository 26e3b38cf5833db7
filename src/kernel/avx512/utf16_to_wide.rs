//! UTF-16 to UTF-16 and UTF-32 on AVX-512.
//!
//! The first is a checked copy, written over lanes ([`utf16_copy`](crate::kernel::generic::utf16_copy)). For the
//! second, 32 units without surrogates are widened, which is bound by the stores: so they are aligned where such steps
//! follow each other. Other text is converted in steps of
//! 32 units, too. The units one position later are loaded as well, so that a high surrogate has its low surrogate in
//! the same lane; in both registers the lanes of low surrogates are removed by a compression, the halves are widened,
//! and only then are pairs joined. So in text full of pairs the second half is empty, and is skipped.
//!
//! Tails are masked on both sides. Texts of up to 256 units are converted by masked steps only, which takes half of the
//! time of the loops with their remainder.

use super::arch::*;
use super::memory::low_bits;
use super::registers::{swap16_if, swap32_if};
use super::{BLOCK, Progress};
use crate::kernel::generic::utf16_copy::Utf16Copy;

/// Units per step.
const STEP: usize = 32;

/// The greatest number of units that are converted by masked steps only.
const SHORT: usize = 8 * STEP;

/// After this many steps without surrogates, the output is aligned to cache lines.
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

    /// Whole steps, and the remainder, from `done` on: two loops in turn, for steps without surrogates and for others.
    /// As both are in this function, a change costs no more than a mispredicted branch; as separate functions, with
    /// some steps before going back, rare pairs cost a third of the speed. One loop for both was slower than either in
    /// text of one kind.
    ///
    /// # Safety
    /// As for the kernel; `done` is what has been read and written.
    #[inline(never)]
    unsafe fn long<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        // Whether the first unit of the step is the low surrogate of a pair that has been written already. (If a step
        // ended before the pair, the address of the next one would depend on it.)
        let mut after_high = 0u32;
        // SAFETY: a step and, with pairs, one more unit are left, and there is room for the code points.
        unsafe {
            'text: loop {
                let steps = (len - read).min(room - written) / STEP;
                let mut passed = basic::<FROM, TO>(src.add(2 * read), dst.add(4 * written), steps.min(FEW));
                if passed == FEW && steps > FEW {
                    // From here on the output is aligned: some units are written twice.
                    read += STEP * passed;
                    written += STEP * passed;
                    let behind = dst.add(4 * written) as usize % BLOCK / 4;
                    read -= behind;
                    written -= behind;
                    passed = basic::<FROM, TO>(src.add(2 * read), dst.add(4 * written), steps - FEW);
                }
                read += STEP * passed;
                written += STEP * passed;
                while len - read > STEP && room - written >= STEP {
                    let (from, to) = (src.add(2 * read), dst.add(4 * written));
                    let units = swap16_if::<FROM>(_mm512_loadu_si512(from.cast()));
                    let (high, low) = (with_prefix(units, 0xD800), with_prefix(units, 0xDC00));
                    if high << 1 | after_high != low {
                        break 'text;
                    }
                    if high | low == 0 {
                        continue 'text;
                    }
                    let kept = !low;
                    let next = swap16_if::<FROM>(_mm512_loadu_si512(from.add(2).cast()));
                    let units = _mm512_maskz_compress_epi16(kept, units);
                    let next = _mm512_maskz_compress_epi16(kept, next);
                    let ([first, second], [first_next, second_next]) = (widened(units), widened(next));
                    store::<TO>(to, join_pairs(first, first_next));
                    let points = kept.count_ones() as usize;
                    if points > HALF {
                        store::<TO>(to.add(4 * HALF), join_pairs(second, second_next));
                    }
                    read += STEP;
                    written += points;
                    after_high = high >> (STEP - 1);
                }
                break;
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
            let points = kept.count_ones() as usize;
            if points > room - written {
                // For this kernel the text ends before the first character that does not fit.
                len = read + _pdep_u32(1 << (room - written), kept).trailing_zeros() as usize;
                continue;
            }
            let units = _mm512_maskz_compress_epi16(kept, units);
            let next = _mm512_maskz_compress_epi16(kept, next);
            let ([first, second], [first_next, second_next]) = (widened(units), widened(next));
            // SAFETY: the code points fit; the stores are masked.
            unsafe {
                let to = dst.add(4 * written);
                let lanes = low_bits(points) as u32;
                store_masked::<TO>(to, lanes as u16, join_pairs(first, first_next));
                store_masked::<TO>(to.wrapping_add(4 * HALF), (lanes >> HALF) as u16, join_pairs(second, second_next));
            }
            written += points;
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

    /// The code points of units; `next` holds the low surrogate behind each high one.
    #[inline]
    fn join_pairs(units: __m512i, next: __m512i) -> __m512i {
        let splat = |value: u32| _mm512_set1_epi32(value as i32);
        let high = _mm512_cmpeq_epi32_mask(_mm512_and_si512(units, splat(0xFC00)), splat(0xD800));
        // (high << 10) + low, less the sum of the two prefixes and the offset of pairs.
        let offset = splat((0xD800u32 << 10) + 0xDC00 - 0x1_0000);
        let pair = _mm512_sub_epi32(_mm512_slli_epi32::<10>(units), _mm512_sub_epi32(offset, next));
        _mm512_mask_mov_epi32(units, high, pair)
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
