//! UTF-16 to UTF-16 and UTF-32 on AVX-512.
//!
//! The first is a checked copy, which is written over lanes, see `kernel::pairing`. For the second 32
//! units without surrogates are widened, which is bound by the stores. Other text goes by 32 units,
//! too: the units one further on are loaded as well, so that a high surrogate has its low one in the
//! same lane; both registers are closed up by the lanes that are no low surrogates, then widened by
//! halves, and only then are pairs put together. So text full of pairs has a second half of nothing,
//! and skips it.
//!
//! Tails are masked, on both sides; texts of up to 256 units are
//! masked steps altogether, and take half of the time that the loops would with their remainder.

use super::Progress;
use super::arch::*;
use super::ends::low;
use crate::kernel::generic::utf16_copy::Utf16Copy;

/// Units of a step.
const STEP: usize = 32;

/// The greatest number of units of what is taken by masked steps alone.
const FEW: usize = 8 * STEP;

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
            if len <= FEW && len <= room && copy_few::<FROM, TO>(src, len, dst) {
                return Progress { read: len, written: len };
            }
            copy_long::<FROM, TO>(src, len, dst, room)
        }
    }

    /// The copy of whatever.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn copy_long<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { super::walk(Utf16Copy::<FROM, TO, true>::new(src, len, dst, room)) }
    }

    /// Whether all units are in order; they are copied.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for all.
    #[inline]
    unsafe fn copy_few<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8) -> bool {
        let (mut read, mut carried, mut errors) = (0, 0, 0);
        while read < len {
            let count = STEP.min(len - read);
            let lanes = low(count) as u32;
            // SAFETY: the caller's promise; loads and stores are masked.
            unsafe {
                let raw = _mm512_maskz_loadu_epi16(lanes, src.add(2 * read).cast());
                let units = ordered::<FROM>(raw);
                _mm512_mask_storeu_epi16(dst.add(2 * read).cast(), lanes, if FROM == TO { raw } else { ordered::<true>(raw) });
                let (high, low) = (begin(units, 0xD800), begin(units, 0xDC00));
                errors |= (high << 1 | carried) ^ low;
                carried = high >> (STEP - 1);
            }
            read += count;
        }
        // A high surrogate at the end shows at the lane behind it, if there is one.
        errors | carried == 0
    }

    /// UTF-16 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf32<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            let done = if len <= FEW && len <= room { basic_few::<FROM, TO>(src, len, dst) } else { 0 };
            let done = Progress { read: done, written: done };
            if done.read == len { done } else { long::<FROM, TO>(src, len, dst, room, done) }
        }
    }

    /// Whole steps, and the remainder, from `done` on: two loops in turn, for steps without surrogates and for
    /// others. As both are here, to go over costs no more than a branch mispredicted; as functions, and with
    /// some patience before going back, rare pairs cost a third of the speed. One loop for both was slower
    /// than either where it does not change.
    ///
    /// # Safety
    /// As for the kernel; `done` is how far it came.
    #[inline(never)]
    unsafe fn long<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        // Whether the first unit of the step is the low surrogate of a pair that is written already. (To
        // end such a step before the pair would make the place of each step wait for the one before.)
        let mut carried = 0u32;
        // SAFETY: a step and, with pairs, one more unit are there, and room for the code points.
        unsafe {
            'text: loop {
                for _ in 0..(len - read).min(room - written) / STEP {
                    let units = ordered::<FROM>(_mm512_loadu_si512(src.add(2 * read).cast()));
                    if surrogates(units) != 0 {
                        break;
                    }
                    let to = dst.add(4 * written);
                    let [low, high] = widened(units);
                    put::<TO>(to, low);
                    put::<TO>(to.add(4 * HALF), high);
                    read += STEP;
                    written += STEP;
                }
                while len - read > STEP && room - written >= STEP {
                    let (from, to) = (src.add(2 * read), dst.add(4 * written));
                    let units = ordered::<FROM>(_mm512_loadu_si512(from.cast()));
                    let (high, low) = (begin(units, 0xD800), begin(units, 0xDC00));
                    if high << 1 | carried != low {
                        break 'text;
                    }
                    if high | low == 0 {
                        continue 'text;
                    }
                    let kept = !low;
                    let next = ordered::<FROM>(_mm512_loadu_si512(from.add(2).cast()));
                    let units = _mm512_maskz_compress_epi16(kept, units);
                    let next = _mm512_maskz_compress_epi16(kept, next);
                    let ([first, second], [first_next, second_next]) = (widened(units), widened(next));
                    put::<TO>(to, joined(first, first_next));
                    let points = kept.count_ones() as usize;
                    if points > HALF {
                        put::<TO>(to.add(4 * HALF), joined(second, second_next));
                    }
                    read += STEP;
                    written += points;
                    carried = high >> (STEP - 1);
                }
                break;
            }
            // A pair of which only half has been looked at is not written yet. Up to a step is left, or room
            // for less, or there is an error in the next step.
            let half = carried as usize;
            few::<FROM, TO>(src, len, dst, room, Progress { read: read - half, written: written - half })
        }
    }

    /// Widens units, by steps with masks, as long as there are no surrogates; returns how many that are.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for all.
    #[inline]
    unsafe fn basic_few<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8) -> usize {
        let mut at = 0;
        while at < len {
            let count = (len - at).min(STEP);
            let lanes = low(count) as u32;
            // SAFETY: the caller's promise; loads and stores are masked.
            unsafe {
                let units = ordered::<FROM>(_mm512_maskz_loadu_epi16(lanes, src.add(2 * at).cast()));
                if surrogates(units) != 0 {
                    break;
                }
                let [first, second] = widened(units);
                let to = dst.add(4 * at);
                put_some::<TO>(to, lanes as u16, first);
                put_some::<TO>(to.wrapping_add(4 * HALF), (lanes >> HALF) as u16, second);
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

    /// Steps with masks, up to the end or an error, from `done` on.
    ///
    /// # Safety
    /// As for the kernel; `done` is how far the loops came.
    #[inline]
    unsafe fn few<const FROM: bool, const TO: bool>(src: *const u8, mut len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            let mut count = STEP.min(len - read);
            let from = src.wrapping_add(2 * read);
            // SAFETY: the lanes are units of the source.
            let units = unsafe { ordered::<FROM>(_mm512_maskz_loadu_epi16(low(count) as u32, from.cast())) };
            let (high, second) = (begin(units, 0xD800), begin(units, 0xDC00));
            let asked = high << 1;
            if asked != second {
                // The text ends here, as far as this kernel is concerned: before a high surrogate that has
                // no partner, which shows one lane later, or a low one.
                let odd = (asked ^ second).trailing_zeros() as usize;
                len = read + odd - (asked >> odd & 1) as usize;
                continue;
            }
            // Half of a pair is for the next step.
            count -= (high >> (STEP - 1)) as usize;
            // SAFETY: as above.
            let next = unsafe {
                let lanes = low(count - 1) as u32;
                ordered::<FROM>(_mm512_maskz_loadu_epi16(lanes, from.wrapping_add(2).cast()))
            };
            let kept = low(count) as u32 & !second;
            let points = kept.count_ones() as usize;
            if points > room - written {
                // The text ends before the first character that does not fit.
                len = read + _pdep_u32(1 << (room - written), kept).trailing_zeros() as usize;
                continue;
            }
            let units = _mm512_maskz_compress_epi16(kept, units);
            let next = _mm512_maskz_compress_epi16(kept, next);
            let ([first, second], [first_next, second_next]) = (widened(units), widened(next));
            // SAFETY: so many code points fit; the stores are masked.
            unsafe {
                let to = dst.add(4 * written);
                let there = low(points) as u32;
                put_some::<TO>(to, there as u16, joined(first, first_next));
                put_some::<TO>(to.wrapping_add(4 * HALF), (there >> HALF) as u16, joined(second, second_next));
            }
            written += points;
            read += count;
        }
        Progress { read, written }
    }

    /// The units that begin with these six bits.
    #[inline]
    fn begin(units: __m512i, prefix: u16) -> u32 {
        let bits = _mm512_and_si512(units, _mm512_set1_epi16(0xFC00_u16 as i16));
        _mm512_cmpeq_epi16_mask(bits, _mm512_set1_epi16(prefix as i16))
    }

    /// Units in this machine's order.
    #[inline]
    fn ordered<const FROM: bool>(units: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001);
        if FROM { _mm512_shuffle_epi8(units, reverse) } else { units }
    }

    /// 32 units in lanes of four bytes.
    #[inline]
    fn widened(units: __m512i) -> [__m512i; 2] {
        let high = _mm512_extracti64x4_epi64::<1>(units);
        [_mm512_cvtepu16_epi32(_mm512_castsi512_si256(units)), _mm512_cvtepu16_epi32(high)]
    }

    /// Code points of units, with the low surrogates to those that are high ones.
    #[inline]
    fn joined(units: __m512i, next: __m512i) -> __m512i {
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        let high = _mm512_cmpeq_epi32_mask(_mm512_and_si512(units, all(0xFC00)), all(0xD800));
        // (high << 10) + low, less what the two prefixes and the offset of pairs amount to.
        let offset = all((0xD800u32 << 10) + 0xDC00 - 0x1_0000);
        let pair = _mm512_sub_epi32(_mm512_slli_epi32::<10>(units), _mm512_sub_epi32(offset, next));
        _mm512_mask_mov_epi32(units, high, pair)
    }

    /// Code points in the order of the target.
    #[inline]
    fn in_order<const TO: bool>(points: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
        if TO { _mm512_shuffle_epi8(points, reverse) } else { points }
    }

    /// Writes sixteen code points.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn put<const TO: bool>(to: *mut u8, points: __m512i) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), in_order::<TO>(points)) }
    }

    /// Writes the code points of some lanes.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn put_some<const TO: bool>(to: *mut u8, lanes: u16, points: __m512i) {
        // SAFETY: the caller's promise; masked lanes are not written.
        unsafe { _mm512_mask_storeu_epi32(to.cast(), lanes, in_order::<TO>(points)) }
    }
}
