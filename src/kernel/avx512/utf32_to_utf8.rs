//! UTF-32 to UTF-8 on AVX-512: one step for any mix of lengths, and a shorter one for most alphabets.
//!
//! The *general* step has one code point in each of sixteen lanes of four bytes. One multishift takes its
//! bits by six into those bytes, the highest first, as if all characters had four bytes. Three masked
//! corrections make the leads of three and two bytes, put an ASCII character in the last byte, and set
//! the bytes that are too much to FF, which is no byte of UTF-8: so one comparison says which are kept,
//! and one compression moves them together. There is no branch on what the text is made of.
//!
//! Points below U+0800 are packed to words, 32 of them, and encoded as from UTF-16, with half of the work
//! for each; ASCII is packed to bytes, 64 of them. A step decides which it is; text that changes there
//! and back costs a misprediction, and no more than that.
//!
//! Texts of up to 16 points are one masked step, and of up to 128 a few, all of one kind, found beforehand.
//!
//! Measured against simdutf's AVX-512 kernel, 256 KiB: two-byte scripts 3.2, CJK and Hindi 2.4, emoji 10
//! to 19, French 2.9, German 2.5, ASCII and English 1.8. The step that had one instruction for each
//! question and a mask for each answer took 25 cycles; this one takes 11.
//!
//! To Corrected UTF-8 the lengths change at other points, and the offset of its length is taken off each.
//!
//! Whether a point is a scalar value is one comparison: `(p ^ D800) - 800` is at least 10F800 for those,
//! and only those, that are not.

use super::arch::*;
use super::ends::{first_too_much, load_some, low, store_some};
use super::words::{controls, encode_two};
use super::{BLOCK, Progress};

/// Points in a register.
const POINTS: usize = BLOCK / 4;

/// The least number of points for which the loops are entered.
const LONG: usize = 2 * POINTS + 1;

/// The greatest number of points of what is taken in one go.
const FEW: usize = 8 * POINTS;

/// After so many steps of ASCII the loop for ASCII is tried. (They are counted as bits that are shifted: a
/// counter that is set back became a branch, which German text mispredicts at every other step.)
const PATIENCE: u32 = 4;

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

    /// Either of them.
    ///
    /// # Safety
    /// As there.
    #[inline]
    unsafe fn to_utf8<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // Each of these loads its own constants, and the shortest text needs few.
        // SAFETY: the caller's promise.
        unsafe {
            if len <= POINTS {
                let (read, written) = some::<SWAP, CORRECTED>(src, len, dst, room);
                Progress { read, written }
            } else if !CORRECTED && len <= FEW {
                few::<SWAP>(src, len, dst, room)
            } else if len >= LONG {
                steps::<SWAP, CORRECTED>(src, len, dst, room)
            } else {
                remainder::<SWAP, CORRECTED>(src, len, dst, room, Progress::default())
            }
        }
    }

    /// A few steps, more than one: all of one kind, that of their greatest point, so that nothing is asked
    /// on the way.
    ///
    /// # Safety
    /// As for the kernel; and there must be more than a step.
    #[inline(never)]
    unsafe fn few<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise; the last step ends with the text.
        let done = unsafe {
            let last = len - POINTS;
            let end = load::<SWAP>(src.add(4 * last));
            let (mut any, mut furthest) = (end, distance(end));
            for at in (0..last).step_by(POINTS) {
                let points = load::<SWAP>(src.add(4 * at));
                any = _mm512_or_si512(any, points);
                furthest = _mm512_max_epu32(furthest, distance(points));
            }
            if _mm512_test_epi32_mask(any, all(!0x7F)) == 0 {
                if len > room {
                    None
                } else {
                    for at in (0..last).step_by(POINTS) {
                        narrow::<SWAP>(src.add(4 * at), dst.add(at));
                    }
                    narrow::<SWAP>(src.add(4 * last), dst.add(last));
                    Some(len)
                }
            } else if _mm512_test_epi32_mask(any, all(!0x7FF)) == 0 {
                one_kind::<2, SWAP>(src, len, dst, room)
            } else if _mm512_cmpge_epu32_mask(furthest, all(TOO_FAR)) == 0 {
                one_kind::<4, SWAP>(src, len, dst, room)
            } else {
                None
            }
        };
        match done {
            Some(written) => Progress { read: len, written },
            // SAFETY: the caller's promise.
            None if len >= LONG => unsafe { steps::<SWAP, false>(src, len, dst, room) },
            // SAFETY: the caller's promise.
            None => unsafe { remainder::<SWAP, false>(src, len, dst, room, Progress::default()) },
        }
    }

    /// Writes sixteen points of ASCII.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline]
    unsafe fn narrow<const SWAP: bool>(from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm_storeu_si128(to.cast(), _mm512_cvtepi32_epi8(load::<SWAP>(from))) };
    }

    /// All of a few steps, whose points are well-formed and become up to `MOST` bytes, 2 or 4: how many bytes
    /// that are; unless there is not enough room.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn one_kind<const MOST: u32, const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Option<usize> {
        let step = if MOST == 2 { 2 * POINTS } else { POINTS };
        let (mut at, mut written) = (0, 0);
        while at < len {
            let count = step.min(len - at);
            // SAFETY: lanes behind the text are masked; what is stored fits.
            unsafe {
                let from = src.add(4 * at);
                let load = |lanes: u16, from: *const u8| ordered::<SWAP>(_mm512_maskz_loadu_epi32(lanes, from.cast()));
                let lanes = low(count) as u32;
                let first = load(lanes as u16, from);
                let (bytes, kept) = if MOST == 2 {
                    let second = load((lanes >> POINTS) as u16, from.wrapping_add(BLOCK));
                    encode_two::<false>(pack_words(first, second))
                } else {
                    encode::<false>(first)
                };
                let kept = kept & low(BLOCK / step * count);
                let size = kept.count_ones() as usize;
                if size > room - written {
                    return None;
                }
                store_some(dst.add(written), _mm512_maskz_compress_epi8(kept, bytes), size, room - written);
                written += size;
            }
            at += count;
        }
        Some(written)
    }

    /// Whole steps, and the remainder.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn steps<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        // SAFETY: as the caller promises; all steps keep to what is left.
        unsafe {
            'ascii: loop {
                while len - read >= 4 * POINTS && room - written >= BLOCK {
                    let p = src.add(4 * read);
                    let points = [0, 1, 2, 3].map(|i| load::<SWAP>(p.add(i * BLOCK)));
                    let Some(bytes) = pack_ascii(points) else { break };
                    _mm512_storeu_si512(dst.add(written).cast(), bytes);
                    read += 4 * POINTS;
                    written += BLOCK;
                }
                let mut recent = !0u32;
                while len - read >= 2 * POINTS && room - written >= 2 * BLOCK {
                    let p = src.add(4 * read);
                    let [a, b] = [0, 1].map(|i| load::<SWAP>(p.add(i * BLOCK)));
                    let to = dst.add(written);
                    if _mm512_test_epi32_mask(_mm512_or_si512(a, b), all(!0x7FF)) == 0 {
                        let words = pack_words(a, b);
                        if CORRECTED && controls(words) != 0 {
                            break;
                        }
                        let size = compress(encode_two::<CORRECTED>(words), to);
                        written += size;
                        recent = recent << 1 | u32::from(size != 2 * POINTS);
                        read += 2 * POINTS;
                        if recent << (32 - PATIENCE) == 0 {
                            continue 'ascii;
                        }
                    } else {
                        let distance = _mm512_max_epu32(distance(a), distance(b));
                        if _mm512_cmpge_epu32_mask(distance, all(TOO_FAR)) != 0 {
                            break;
                        }
                        if CORRECTED && control_points(a) | control_points(b) != 0 {
                            break;
                        }
                        let size = compress(encode::<CORRECTED>(a), to);
                        written += size + compress(encode::<CORRECTED>(b), to.add(size));
                        read += 2 * POINTS;
                    }
                }
                return remainder::<SWAP, CORRECTED>(src, len, dst, room, Progress { read, written });
            }
        }
    }

    /// The same everywhere.
    #[inline]
    fn all(value: u32) -> __m512i {
        _mm512_set1_epi32(value as i32)
    }

    /// Sixteen units in this machine's order.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    unsafe fn load<const SWAP: bool>(p: *const u8) -> __m512i {
        // SAFETY: the caller's promise.
        ordered::<SWAP>(unsafe { _mm512_loadu_si512(p.cast()) })
    }

    /// Units in this machine's order.
    #[inline]
    fn ordered<const SWAP: bool>(units: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
        if SWAP { _mm512_shuffle_epi8(units, reverse) } else { units }
    }

    /// 64 points in a byte each, if they are ASCII.
    #[inline]
    fn pack_ascii(points: [__m512i; 4]) -> Option<__m512i> {
        let [a, b, c, d] = points;
        let any = _mm512_or_si512(_mm512_ternarylogic_epi32::<0xFE>(a, b, c), d);
        if _mm512_test_epi32_mask(any, all(!0x7F)) != 0 {
            return None;
        }
        // Packing goes by 16 bytes: four of the points of each register stand together.
        let bytes = _mm512_packus_epi16(_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d));
        let order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
        Some(_mm512_permutexvar_epi32(order, bytes))
    }

    /// 32 points of the basic plane, in a word each.
    #[inline]
    fn pack_words(a: __m512i, b: __m512i) -> __m512i {
        let words = _mm512_packus_epi32(a, b);
        _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), words)
    }

    /// Of each point a number that is [`TOO_FAR`] or more if it is no scalar value.
    #[inline]
    fn distance(points: __m512i) -> __m512i {
        _mm512_sub_epi32(_mm512_xor_si512(points, all(0xD800)), all(0x800))
    }

    /// Which of sixteen points are C1 controls, which Corrected UTF-8 does not have.
    #[inline]
    fn control_points(points: __m512i) -> u16 {
        _mm512_cmplt_epu32_mask(_mm512_sub_epi32(points, all(0x80)), all(0x20))
    }

    /// The bytes of sixteen code points, four lanes of a byte each, and which of them are kept.
    #[inline]
    fn encode<const CORRECTED: bool>(points: __m512i) -> (__m512i, u64) {
        let below = |limit| _mm512_cmplt_epu32_mask(points, all(limit));
        let (two, three, four) = if CORRECTED { (0x80, 0x8A0, 0x1_10A0) } else { (0x80, 0x800, 0x1_0000) };
        // Less the offset of the length.
        let points = if CORRECTED {
            let less = |offset| _mm512_sub_epi32(points, all(offset));
            let bits = _mm512_mask_sub_epi32(less(0x1_10A0), below(four), points, all(0x10A0));
            let bits = _mm512_mask_sub_epi32(bits, below(0xD800), points, all(0x8A0));
            let bits = _mm512_mask_sub_epi32(bits, below(three), points, all(0xA0));
            _mm512_mask_mov_epi32(bits, below(two), points)
        } else {
            points
        };
        // Of each point the bits from 18, 12, 6 and 0 on.
        let shifts = _mm512_set1_epi64(0x2026_2C32_0006_0C12);
        let bits = _mm512_multishift_epi64_epi8(shifts, points);
        // bits & 3F3F3F07 | 808080F0
        let bytes = _mm512_ternarylogic_epi32::<0xEA>(bits, all(0x3F3F_3F07), all(0x8080_80F0));
        let bytes = _mm512_mask_or_epi32(bytes, below(four), bytes, all(0x0000_60FF));
        let bytes = _mm512_mask_or_epi32(bytes, below(three), bytes, all(0x0040_FFFF));
        let bytes = _mm512_mask_or_epi32(bytes, below(two), bits, all(0x00FF_FFFF));
        (bytes, _mm512_cmpneq_epi8_mask(bytes, all(!0)))
    }

    /// Writes those of 64 bytes that are kept; returns how many that are.
    ///
    /// # Safety
    /// There must be room for all 64.
    #[inline]
    unsafe fn compress((bytes, kept): (__m512i, u64), to: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(kept, bytes)) };
        kept.count_ones() as usize
    }

    /// What is too short for the loops, has too little room or an error in its first step: up to sixteen
    /// points a step.
    ///
    /// # Safety
    /// As for the kernel; `done` is how far the loops came.
    #[inline(never)]
    unsafe fn remainder<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            let whole = POINTS.min(len - read);
            // SAFETY: the caller's promise.
            let (count, size) =
                unsafe { some::<SWAP, CORRECTED>(src.add(4 * read), whole, dst.wrapping_add(written), room - written) };
            read += count;
            written += size;
            if count < whole {
                break;
            }
        }
        Progress { read, written }
    }

    /// Writes what fits of `whole` points, sixteen at most: how many these are, and how many bytes. (Not
    /// inlined into a loop, which would load all of its constants for the shortest text, too.)
    ///
    /// # Safety
    /// So many units must be readable, and `space` bytes writable.
    #[inline(never)]
    unsafe fn some<const SWAP: bool, const CORRECTED: bool>(from: *const u8, whole: usize, to: *mut u8, space: usize) -> (usize, usize) {
        // SAFETY: the caller's promise; what is stored fits.
        unsafe {
            let points = ordered::<SWAP>(load_some(from, 4 * whole));
            if _mm512_test_epi32_mask(points, all(!0x7F)) == 0 {
                let count = whole.min(space);
                store_some(to, _mm512_zextsi128_si512(_mm512_cvtepi32_epi8(points)), count, space);
                return (count, count);
            }
            let errors = u32::from(_mm512_cmpge_epu32_mask(distance(points), all(TOO_FAR)));
            let errors = if CORRECTED { errors | u32::from(control_points(points)) } else { errors };
            let mut count = whole.min(errors.trailing_zeros() as usize);
            let (bytes, kept) = encode::<CORRECTED>(points);
            let mut kept = kept & low(4 * count);
            if kept.count_ones() as usize > space {
                count = first_too_much(kept, space) / 4;
                kept &= low(4 * count);
            }
            let size = kept.count_ones() as usize;
            store_some(to, _mm512_maskz_compress_epi8(kept, bytes), size, space);
            (count, size)
        }
    }
}

/// See [`distance`].
const TOO_FAR: u32 = 0x11_0000 - 0x800;
