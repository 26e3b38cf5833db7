//! UTF-32 to UTF-8 on AVX-512: one step for any mix of lengths, and a shorter one for characters below U+0800.
//!
//! The *general* step has one code point in each of sixteen lanes of four bytes. One multishift moves groups of six of
//! its bits into those bytes, the highest first, as if all characters had four bytes. Three masked corrections make the
//! lead bytes of three and two bytes, put an ASCII character in the last byte, and set unused bytes to FF, which is not
//! a byte of UTF-8: so one comparison tells which bytes are kept, and one compression removes the others. There is no
//! branch on the text.
//!
//! Code points below U+0800 are packed to words, 32 of them, and encoded as from UTF-16, with half of the work for each; ASCII is
//! packed to bytes, 64 of them. There is one decision for 64 code points, and if the text changes back and forth, each change costs
//! one misprediction and no more.
//!
//! Texts of up to 16 code points take one masked step, and texts of up to 128 a few steps of one kind, determined beforehand.
//!
//! Measured on an AMD EPYC (Zen 4), 160 KiB, in one run with simdutf's AVX-512 kernel, as ratios to it: two-byte scripts 2.4 to 3.0, CJK
//! and Hindi 1.7, emoji 9; German and English 1.4, Polish 2.2, Japanese with markup 1.4, tweets 1.45, ASCII 1.3, which is the limit of the
//! second-level cache. A step with one instruction for each test and a mask for each result took 25 cycles; this one takes 11.
//!
//! In Corrected UTF-8 the lengths change at other code points, and from each code point the offset of its length is subtracted.
//!
//! Whether a code point is a scalar value is one comparison: `(p ^ D800) - 800` is at least 10F800 if and only if it is
//! not.

use super::arch::*;
use super::memory::{first_excess, load_partial, low_bits, store_partial};
use super::registers::swap32_if;
use super::two_bytes::{controls, encode_two};
use super::{BLOCK, Progress};

/// Code points in a register.
const POINTS: usize = BLOCK / 4;

/// The least number of code points for which the loops are entered.
const LONG: usize = 2 * POINTS + 1;

/// The greatest number of code points that are converted in steps of one kind.
const FEW: usize = 8 * POINTS;

/// The most bytes that a code point becomes; or all are ASCII, or not all are scalar values.
#[derive(Clone, Copy)]
enum Kind {
    Ascii,
    Two,
    Four,
    IllFormed,
}

avx512! {
    /// UTF-32 to UTF-8; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` bytes writable at `dst`.
    pub(in crate::kernel) unsafe fn utf32_to_utf8<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { to_utf8::<SWAP, false>(src, len, dst, room) }
    }

    /// UTF-32 to Corrected UTF-8; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` bytes writable at `dst`.
    pub(in crate::kernel) unsafe fn utf32_to_corrected<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { to_utf8::<SWAP, true>(src, len, dst, room) }
    }

    /// Both of them.
    ///
    /// # Safety
    /// As for these.
    #[inline]
    unsafe fn to_utf8<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // Each of these functions loads its own constants, and the shortest text needs few.
        // SAFETY: the caller's promise.
        unsafe {
            if len <= POINTS {
                let (read, written) = one_step::<SWAP, CORRECTED>(src, len, dst, room);
                Progress { read, written }
            } else if !CORRECTED && len <= FEW {
                few_steps::<SWAP>(src, len, dst, room, Progress::default())
            } else if len >= LONG {
                steps::<SWAP, CORRECTED>(src, len, dst, room)
            } else {
                remainder::<SWAP, CORRECTED>(src, len, dst, room, Progress::default())
            }
        }
    }

    /// A few steps of one kind, that of their greatest code point: there is no test on the way. Behind what is `done` these are what the loop
    /// has left over.
    ///
    /// # Safety
    /// As for the kernel; and there must be more than a step left, and no more than [`FEW`] code points.
    #[inline(never)]
    unsafe fn few_steps<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let (from, left, to, space) = (src.wrapping_add(4 * done.read), len - done.read, dst.wrapping_add(done.written), room - done.written);
        // SAFETY: the caller's promise.
        let size = unsafe {
            let kind = if left <= 2 * POINTS {
                ascii_or_kind::<2, SWAP>(from, left, to, space)
            } else if left <= 4 * POINTS {
                ascii_or_kind::<4, SWAP>(from, left, to, space)
            } else {
                ascii_or_kind::<8, SWAP>(from, left, to, space)
            };
            match kind {
                Kind::Ascii if left > space => None,
                Kind::Ascii => Some(left),
                Kind::Two => one_kind::<2, SWAP>(from, left, to, space),
                Kind::Four => one_kind::<4, SWAP>(from, left, to, space),
                Kind::IllFormed => None,
            }
        };
        match size {
            Some(size) => Progress { read: len, written: done.written + size },
            // SAFETY: the caller's promise.
            None if (LONG..=FEW).contains(&len) => unsafe { steps::<SWAP, false>(src, len, dst, room) },
            // SAFETY: the caller's promise.
            None => unsafe { remainder::<SWAP, false>(src, len, dst, room, done) },
        }
    }

    /// What the code points are, which `STEPS` steps hold, the last of which ends with the text and may begin before the one before it ends.
    /// If all are ASCII, and fit, they have been narrowed: what is written is what was asked.
    ///
    /// # Safety
    /// As for the kernel; and there must be more than a step, and no more than so many.
    #[inline]
    unsafe fn ascii_or_kind<const STEPS: usize, const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Kind {
        let at = |step: usize| (len - POINTS).min(step * POINTS);
        let mut points = [_mm512_setzero_si512(); STEPS];
        let (mut any, mut greatest) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for (step, points) in points.iter_mut().enumerate() {
            // SAFETY: the step is within the text.
            *points = unsafe { load::<SWAP>(src.add(4 * at(step))) };
            any = _mm512_or_si512(any, *points);
            greatest = _mm512_max_epu32(greatest, transformed(*points));
        }
        if _mm512_test_epi32_mask(any, splat(!0x7F)) == 0 {
            if len <= room {
                for (step, points) in points.into_iter().enumerate() {
                    // SAFETY: the step is within the text, and there is room for as many bytes.
                    unsafe { _mm_storeu_si128(dst.add(at(step)).cast(), _mm512_cvtepi32_epi8(points)) };
                }
            }
            Kind::Ascii
        } else if _mm512_test_epi32_mask(any, splat(!0x7FF)) == 0 {
            Kind::Two
        } else if _mm512_cmpge_epu32_mask(greatest, splat(NOT_SCALAR)) == 0 {
            Kind::Four
        } else {
            Kind::IllFormed
        }
    }

    /// Converts a few steps, whose code points are well-formed and become up to `MOST` bytes, 2 or 4; returns the
    /// number of bytes, or `None` if there is not enough room.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn one_kind<const MOST: u32, const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Option<usize> {
        let step = if MOST == 2 { 2 * POINTS } else { POINTS };
        let (mut at, mut written) = (0, 0);
        while at < len {
            let count = step.min(len - at);
            // SAFETY: the lanes behind the text are masked; what is stored fits.
            unsafe {
                let from = src.add(4 * at);
                let load = |lanes: u16, from: *const u8| swap32_if::<SWAP>(_mm512_maskz_loadu_epi32(lanes, from.cast()));
                let lanes = low_bits(count) as u32;
                let first = load(lanes as u16, from);
                let (bytes, kept) = if MOST == 2 {
                    let second = load((lanes >> POINTS) as u16, from.wrapping_add(BLOCK));
                    encode_two::<false>(pack_words(first, second))
                } else {
                    encode::<false>(first)
                };
                let kept = kept & low_bits(BLOCK / step * count);
                let size = kept.count_ones() as usize;
                if size > room - written {
                    return None;
                }
                store_partial(dst.add(written), _mm512_maskz_compress_epi8(kept, bytes), size, room - written);
                written += size;
            }
            at += count;
        }
        Some(written)
    }

    /// Whole steps, and the remainder. There is one decision for two steps: ASCII, below U+0800, or anything else.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn steps<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        // SAFETY: the caller's promise; all steps keep to what is left.
        unsafe {
            while len - read >= 2 * POINTS && room - written >= 2 * BLOCK {
                let p = src.add(4 * read);
                let to = dst.add(written);
                let (a, b) = (load::<SWAP>(p), load::<SWAP>(p.add(BLOCK)));
                if len - read < 4 * POINTS || room - written < 4 * BLOCK {
                    let Some(size) = step::<CORRECTED>(a, b, to) else { break };
                    read += 2 * POINTS;
                    written += size;
                    continue;
                }
                let (c, d) = (load::<SWAP>(p.add(2 * BLOCK)), load::<SWAP>(p.add(3 * BLOCK)));
                let any = _mm512_or_si512(_mm512_ternarylogic_epi32::<0xFE>(a, b, c), d);
                if _mm512_test_epi32_mask(any, splat(!0x7F)) == 0 {
                    _mm512_storeu_si512(to.cast(), pack_ascii(a, b, c, d));
                    read += 4 * POINTS;
                    written += 4 * POINTS;
                    continue;
                }
                if !CORRECTED && _mm512_test_epi32_mask(any, splat(!0x7FF)) == 0 {
                    let size = compress(encode_two::<false>(pack_words(a, b)), to);
                    written += size + compress(encode_two::<false>(pack_words(c, d)), to.add(size));
                    read += 4 * POINTS;
                    continue;
                }
                let Some(size) = step::<CORRECTED>(a, b, to) else { break };
                read += 2 * POINTS;
                written += size;
                let Some(size) = step::<CORRECTED>(c, d, to.add(size)) else { break };
                read += 2 * POINTS;
                written += size;
            }
            // Where the room is just that of the text, up to 127 code points are left.
            let left = len - read;
            if !CORRECTED && len > FEW && POINTS < left && left <= FEW.min(room - written) {
                return few_steps::<SWAP>(src, len, dst, room, Progress { read, written });
            }
            remainder::<SWAP, CORRECTED>(src, len, dst, room, Progress { read, written })
        }
    }

    /// A step of 32 code points; returns the number of bytes, or `None` if there is an error. (With a size
    /// of 0 instead, the next load would wait for the size of this step.)
    ///
    /// # Safety
    /// There must be room for 128 bytes.
    #[inline]
    unsafe fn step<const CORRECTED: bool>(a: __m512i, b: __m512i, to: *mut u8) -> Option<usize> {
        // SAFETY: the caller's promise.
        unsafe {
            if _mm512_test_epi32_mask(_mm512_or_si512(a, b), splat(!0x7FF)) == 0 {
                let words = pack_words(a, b);
                if CORRECTED && controls(words) != 0 {
                    return None;
                }
                return Some(compress(encode_two::<CORRECTED>(words), to));
            }
            let transformed = _mm512_max_epu32(transformed(a), transformed(b));
            if _mm512_cmpge_epu32_mask(transformed, splat(NOT_SCALAR)) != 0 {
                return None;
            }
            if CORRECTED && control_points(a) | control_points(b) != 0 {
                return None;
            }
            let size = compress(encode::<CORRECTED>(a), to);
            Some(size + compress(encode::<CORRECTED>(b), to.add(size)))
        }
    }

    /// This code point in every lane.
    #[inline]
    fn splat(value: u32) -> __m512i {
        _mm512_set1_epi32(value as i32)
    }

    /// Sixteen units in native byte order.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    unsafe fn load<const SWAP: bool>(p: *const u8) -> __m512i {
        // SAFETY: the caller's promise.
        swap32_if::<SWAP>(unsafe { _mm512_loadu_si512(p.cast()) })
    }

    /// 64 code points of ASCII, in a byte each.
    #[inline]
    fn pack_ascii(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> __m512i {
        // Packing works on 16 bytes: four code points of each register stand together.
        let bytes = _mm512_packus_epi16(_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d));
        let order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
        _mm512_permutexvar_epi32(order, bytes)
    }

    /// 32 code points of the BMP, in a word each.
    #[inline]
    fn pack_words(a: __m512i, b: __m512i) -> __m512i {
        let words = _mm512_packus_epi32(a, b);
        _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), words)
    }

    /// For each code point a number that is [`NOT_SCALAR`] or more if it is not a scalar value.
    #[inline]
    fn transformed(points: __m512i) -> __m512i {
        _mm512_sub_epi32(_mm512_xor_si512(points, splat(0xD800)), splat(0x800))
    }

    /// Which of sixteen code points are C1 controls, which Corrected UTF-8 does not have.
    #[inline]
    fn control_points(points: __m512i) -> u16 {
        _mm512_cmplt_epu32_mask(_mm512_sub_epi32(points, splat(0x80)), splat(0x20))
    }

    /// The bytes of sixteen code points, four lanes of a byte each, and which of them are kept.
    #[inline]
    fn encode<const CORRECTED: bool>(points: __m512i) -> (__m512i, u64) {
        let below = |limit| _mm512_cmplt_epu32_mask(points, splat(limit));
        let (two, three, four) = if CORRECTED { (0x80, 0x8A0, 0x1_10A0) } else { (0x80, 0x800, 0x1_0000) };
        // Less the offset of the length.
        let points = if CORRECTED {
            let less = |offset| _mm512_sub_epi32(points, splat(offset));
            let bits = _mm512_mask_sub_epi32(less(0x1_10A0), below(four), points, splat(0x10A0));
            let bits = _mm512_mask_sub_epi32(bits, below(0xD800), points, splat(0x8A0));
            let bits = _mm512_mask_sub_epi32(bits, below(three), points, splat(0xA0));
            _mm512_mask_mov_epi32(bits, below(two), points)
        } else {
            points
        };
        // The bits of each code point from 18, 12, 6 and 0 on.
        let shifts = _mm512_set1_epi64(0x2026_2C32_0006_0C12);
        let bits = _mm512_multishift_epi64_epi8(shifts, points);
        // bits & 3F3F3F07 | 808080F0
        let bytes = _mm512_ternarylogic_epi32::<0xEA>(bits, splat(0x3F3F_3F07), splat(0x8080_80F0));
        let bytes = _mm512_mask_or_epi32(bytes, below(four), bytes, splat(0x0000_60FF));
        let bytes = _mm512_mask_or_epi32(bytes, below(three), bytes, splat(0x0040_FFFF));
        let bytes = _mm512_mask_or_epi32(bytes, below(two), bits, splat(0x00FF_FFFF));
        (bytes, _mm512_cmpneq_epi8_mask(bytes, splat(!0)))
    }

    /// Writes those of 64 bytes that are kept; returns their number.
    ///
    /// # Safety
    /// There must be room for 64.
    #[inline]
    unsafe fn compress((bytes, kept): (__m512i, u64), to: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(kept, bytes)) };
        kept.count_ones() as usize
    }

    /// What is too short for the loops, or has too little room, or an error in its next step: up to sixteen code points
    /// per step.
    ///
    /// # Safety
    /// As for the kernel; `done` is what has been read and written.
    #[inline(never)]
    unsafe fn remainder<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            let whole = POINTS.min(len - read);
            // SAFETY: the caller's promise.
            let (count, size) =
                unsafe { one_step::<SWAP, CORRECTED>(src.add(4 * read), whole, dst.wrapping_add(written), room - written) };
            read += count;
            written += size;
            if count < whole {
                break;
            }
        }
        Progress { read, written }
    }

    /// Converts what fits of `whole` code points, sixteen at most: returns how many these are, and how many bytes. (It
    /// is not inlined into a loop, which would load all its constants even for the shortest text.)
    ///
    /// # Safety
    /// `whole` units must be readable, and `space` bytes writable.
    #[inline(never)]
    unsafe fn one_step<const SWAP: bool, const CORRECTED: bool>(from: *const u8, whole: usize, to: *mut u8, space: usize) -> (usize, usize) {
        // SAFETY: the caller's promise; what is stored fits.
        unsafe {
            let points = swap32_if::<SWAP>(load_partial(from, 4 * whole));
            if _mm512_test_epi32_mask(points, splat(!0x7F)) == 0 {
                let count = whole.min(space);
                store_partial(to, _mm512_zextsi128_si512(_mm512_cvtepi32_epi8(points)), count, space);
                return (count, count);
            }
            let errors = u32::from(_mm512_cmpge_epu32_mask(transformed(points), splat(NOT_SCALAR)));
            let errors = if CORRECTED { errors | u32::from(control_points(points)) } else { errors };
            let mut count = whole.min(errors.trailing_zeros() as usize);
            let (bytes, kept) = encode::<CORRECTED>(points);
            let mut kept = kept & low_bits(4 * count);
            if kept.count_ones() as usize > space {
                count = first_excess(kept, space) / 4;
                kept &= low_bits(4 * count);
            }
            let size = kept.count_ones() as usize;
            store_partial(to, _mm512_maskz_compress_epi8(kept, bytes), size, space);
            (count, size)
        }
    }
}

/// See [`transformed`].
const NOT_SCALAR: u32 = 0x11_0000 - 0x800;
