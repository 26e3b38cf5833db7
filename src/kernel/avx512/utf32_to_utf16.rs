//! UTF-32 to UTF-16 on AVX-512.
//!
//! 32 code points of the basic plane are narrowed. Other text goes by sixteen: each lane is made a
//! pair, both halves of it, or stays the unit that it is, and the upper halves of those are dropped by
//! one compression. Where one step in many is of that kind, it is converted between the others; a loop of
//! its own is for where they follow each other. Tails are masked, on both sides, and texts of up to 256
//! code points are masked steps altogether.

use super::Progress;
use super::arch::*;
use super::ends::low;

/// Code points of a step.
const STEP: usize = 16;

/// The greatest number of code points of what is taken by masked steps alone.
const FEW: usize = 16 * STEP;

/// Steps of the basic plane after which it is tried whether all is.
const PATIENCE: u32 = 8;

avx512! {
    /// UTF-32 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf32_to_utf16<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if len <= FEW {
                let done = if len <= room { basic_few::<FROM, TO>(src, len, dst) } else { 0 };
                let done = Progress { read: done, written: done };
                if done.read == len { done } else { few::<FROM, TO>(src, len, dst, room, done) }
            } else {
                long::<FROM, TO>(src, len, dst, room)
            }
        }
    }

    /// Whole steps, and the remainder.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn long<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            // SAFETY: as many code points are there, and room for as many units.
            unsafe {
                let done = sparse::<FROM, TO>(src.add(4 * read), len - read, dst.add(2 * written), room - written);
                read += done.read;
                written += done.written;
                let steps = (len - read).min((room - written) / 2) / STEP;
                let done = pairs::<FROM, TO>(src.add(4 * read), steps, dst.add(2 * written));
                read += done.read;
                written += done.written;
                if done.read == 0 {
                    // Less than a step is left, or room for less, or there is an error in the next step.
                    return few::<FROM, TO>(src, len, dst, room, Progress { read, written });
                }
            }
        }
    }

    /// Narrows code points, by steps with masks, as long as those are all of the basic plane; returns how
    /// many that are.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for all.
    #[inline]
    unsafe fn basic_few<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8) -> usize {
        let mut at = 0;
        while at < len {
            let count = (len - at).min(2 * STEP);
            let lanes = low(count) as u32;
            // SAFETY: the caller's promise; loads and stores are masked.
            unsafe {
                let from = src.add(4 * at);
                let a = ordered::<FROM>(_mm512_maskz_loadu_epi32(lanes as u16, from.cast()));
                let b = _mm512_maskz_loadu_epi32((lanes >> STEP) as u16, from.wrapping_add(4 * STEP).cast());
                let Some(units) = basic_units([a, ordered::<FROM>(b)]) else { break };
                _mm512_mask_storeu_epi16(dst.add(2 * at).cast(), lanes, in_order::<TO>(units));
            }
            at += count;
        }
        at
    }

    /// The units of 32 code points, if they are all of the basic plane.
    #[inline]
    fn basic_units([a, b]: [__m512i; 2]) -> Option<__m512i> {
        let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
        let units = _mm512_permutexvar_epi64(order, _mm512_packus_epi32(a, b));
        let upper = _mm512_set1_epi32(0xFFFF_0000_u32 as i32);
        let beyond = _mm512_test_epi32_mask(_mm512_or_si512(a, b), upper);
        let prefix = _mm512_and_si512(units, _mm512_set1_epi16(0xF800_u16 as i16));
        let surrogates = _mm512_cmpeq_epi16_mask(prefix, _mm512_set1_epi16(0xD800_u16 as i16));
        if u32::from(beyond) | surrogates == 0 { Some(units) } else { None }
    }

    /// Steps with masks, up to the end or an error, from `done` on.
    ///
    /// # Safety
    /// As for the kernel; `done` is how far the loops came.
    #[inline(never)]
    unsafe fn few<const FROM: bool, const TO: bool>(src: *const u8, mut len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            let count = STEP.min(len - read);
            let lanes = low(count) as u16;
            // SAFETY: the lanes are units of the source.
            let points = unsafe { ordered::<FROM>(_mm512_maskz_loadu_epi32(lanes, src.add(4 * read).cast())) };
            let errors = errors(points);
            if errors != 0 {
                // The text ends here, as far as this kernel is concerned.
                len = read + errors.trailing_zeros() as usize;
                continue;
            }
            let (units, pairs) = paired(points);
            let size = count + pairs.count_ones() as usize;
            if size > room - written {
                // The text ends before the first character that does not fit.
                len = read + fitting(pairs, room - written);
                continue;
            }
            // SAFETY: so many units fit; the store is masked.
            unsafe {
                let there = ((1u64 << size) - 1) as u32;
                _mm512_mask_storeu_epi16(dst.add(2 * written).cast(), there, in_order::<TO>(units));
            }
            written += size;
            read += count;
        }
        Progress { read, written }
    }

    /// Converts steps of 32 code points that are well-formed, of which no two in a row have some beyond the
    /// basic plane. (Such a step is converted here: to go over to another loop for it, and back when all was
    /// quiet for a while, cost half of the speed.)
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn sparse<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        let mut first = true;
        // SAFETY: a step is there, and room for as many units, or for twice as many.
        unsafe {
            loop {
                let begin = read;
                for _ in 0..(len - read).min(room - written) / (2 * STEP) {
                    let Some(units) = basic_units(step::<FROM>(src.add(4 * read))) else { break };
                    _mm512_storeu_si512(dst.add(2 * written).cast(), in_order::<TO>(units));
                    read += 2 * STEP;
                    written += 2 * STEP;
                }
                let again = read == begin && !first;
                if again || len - read < 2 * STEP || room - written < 4 * STEP {
                    break;
                }
                let [a, b] = step::<FROM>(src.add(4 * read));
                if errors(a) | errors(b) != 0 {
                    break;
                }
                let ((units, pairs), (behind, more)) = (paired(a), paired(b));
                let to = dst.add(2 * written);
                let size = STEP + pairs.count_ones() as usize;
                _mm512_storeu_si512(to.cast(), in_order::<TO>(units));
                _mm512_storeu_si512(to.add(2 * size).cast(), in_order::<TO>(behind));
                read += 2 * STEP;
                written += size + STEP + more.count_ones() as usize;
                first = false;
            }
        }
        Progress { read, written }
    }

    /// 32 code points in this machine's order.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    unsafe fn step<const FROM: bool>(from: *const u8) -> [__m512i; 2] {
        // SAFETY: the caller's promise.
        unsafe {
            [0, 4 * STEP].map(|at| ordered::<FROM>(_mm512_loadu_si512(from.add(at).cast())))
        }
    }

    /// Converts steps of sixteen code points that are well-formed, as long as some of them are beyond the
    /// basic plane now and then.
    ///
    /// # Safety
    /// So many steps must be readable, and room for twice as many units.
    #[inline(never)]
    unsafe fn pairs<const FROM: bool, const TO: bool>(src: *const u8, steps: usize, dst: *mut u8) -> Progress {
        let (mut step, mut written, mut quiet) = (0, 0, 0);
        while quiet < PATIENCE && step < steps {
            // SAFETY: the caller's promise.
            unsafe {
                let points = ordered::<FROM>(_mm512_loadu_si512(src.add(4 * STEP * step).cast()));
                if errors(points) != 0 {
                    break;
                }
                let (units, pairs) = paired(points);
                _mm512_storeu_si512(dst.add(2 * written).cast(), in_order::<TO>(units));
                step += 1;
                written += STEP + pairs.count_ones() as usize;
                quiet = if pairs != 0 { 0 } else { quiet + 1 };
            }
        }
        Progress { read: STEP * step, written }
    }

    /// The code points that are none.
    #[inline]
    fn errors(points: __m512i) -> u16 {
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        // Surrogates wrap around to the largest numbers.
        let turned = _mm512_sub_epi32(_mm512_xor_si512(points, all(0xD800)), all(0x800));
        _mm512_cmpge_epu32_mask(turned, all(0x11_0000 - 0x800))
    }

    /// The units of sixteen code points, and which of these have two.
    #[inline]
    fn paired(points: __m512i) -> (__m512i, u16) {
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        let pairs = _mm512_test_epi32_mask(points, all(0x1F_0000));
        let above = _mm512_sub_epi32(points, all(0x1_0000));
        // High and low surrogate, each in its half of the lane, whose ten bits do not overlap.
        let (high, low) = (_mm512_srli_epi32::<10>(above), _mm512_slli_epi32::<16>(above));
        let bits = _mm512_ternarylogic_epi32::<0b1111_1000>(high, low, all(0x03FF_0000));
        let units = _mm512_mask_or_epi32(points, pairs, bits, all(0xDC00_D800));
        let there = _mm512_mask_mov_epi32(all(0x0000_8000), pairs, all(0x8000_8000));
        (_mm512_maskz_compress_epi16(_mm512_movepi16_mask(there), units), pairs)
    }

    /// Code points in this machine's order.
    #[inline]
    fn ordered<const FROM: bool>(points: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
        if FROM { _mm512_shuffle_epi8(points, reverse) } else { points }
    }

    /// Units in the order of the target.
    #[inline]
    fn in_order<const TO: bool>(units: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001);
        if TO { _mm512_shuffle_epi8(units, reverse) } else { units }
    }
}

/// How many characters fit into `room` units, less than all of them do; those of `pairs` take two.
#[cold]
#[inline(never)]
fn fitting(pairs: u16, room: usize) -> usize {
    let mut units = 0;
    (0..STEP)
        .take_while(|lane| {
            units += 1 + usize::from(pairs >> lane & 1);
            units <= room
        })
        .count()
}
