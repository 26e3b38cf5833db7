//! UTF-16 and UTF-32 to UTF-8 on AVX-512: sixteen code points a step, any mix of lengths.
//!
//! A step has one code point in each of sixteen lanes of four bytes. One multishift takes its bits by
//! six into those bytes, the highest first, as if all characters had four bytes; two masked
//! corrections make the leads of three and two bytes, a third puts an ASCII character in the last
//! byte. Which bytes are really there depends on the size of the code point alone; the others are
//! dropped by one compression. There is no branch on what the text is made of.
//!
//! From UTF-16, the units one further on are loaded too: a high surrogate's lane takes the pair's code
//! point from both, and a low surrogate's lane is dropped. Surrogates without their partner are found
//! by shifting masks, and the text before them is still written.
//!
//! Text in UTF-16 without surrogates has loops of its own. ASCII is narrowed. Units below U+0800 are
//! taken 32 at a time: a lead and a tail in the two bytes of each, or the unit itself, and one
//! compression. Other units of the basic plane, too, 32 at a time: the first two bytes in one word,
//! the third in another, interleaved, and compressed in two halves. Each loop says when it is worth
//! trying another.
//!
//! Measured from UTF-16 against simdutf's AVX-512 kernel: two-byte scripts 1.45, CJK and Hindi 1.6 to
//! 1.75, mixed Latin 1.35 to 1.95, ASCII 0.9, English 0.8, emoji 0.7. Still to do: emoji, 32 units a
//! step. The loop must not wait for its own tests: to go on behind an error with fewer lanes made
//! every load depend on the step before it, and cost a fifth.

use super::arch::*;
use super::{BLOCK, Progress};

/// Code points of a step.
const STEP: usize = 16;

avx512! {
    /// UTF-16 to UTF-8; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` bytes writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf8<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { wide_to_utf8::<false, SWAP>(src, len, dst, room) }
    }

    /// UTF-32 to UTF-8; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` bytes writable at `dst`.
    pub(in crate::kernel) unsafe fn utf32_to_utf8<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { wide_to_utf8::<true, SWAP>(src, len, dst, room) }
    }

    /// Converts `len` units at `src`, of UTF-32 if `WIDE` and else of UTF-16, to at most `room` bytes
    /// at `dst`; see the contract of the kernels. With `SWAP` the bytes of each unit are in the order
    /// that is not this machine's.
    ///
    /// # Safety
    /// So many units must be readable, at any alignment, and so many bytes writable.
    #[inline]
    unsafe fn wide_to_utf8<const WIDE: bool, const SWAP: bool>(
        src: *const u8,
        mut len: usize,
        dst: *mut u8,
        room: usize,
    ) -> Progress {
        let width = if WIDE { 4 } else { 2 };
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        let (mut read, mut written) = (0, 0);
        // Whether the first unit of the step is the low surrogate of a pair that is written already.
        let mut carried = 0u16;
        // Whether it looks like ASCII from here on, like nothing of three bytes, or of four.
        let (mut ascii, mut short, mut basic) = (true, true, true);
        loop {
            while ascii && len - read >= STEP && room - written >= BLOCK {
                // SAFETY: there is a step to be read, and room for it.
                unsafe {
                    let points = load::<WIDE, SWAP>(src.add(width * read), !0);
                    ascii = _mm512_cmpge_epu32_mask(points, all(0x80)) == 0;
                    if ascii {
                        _mm_storeu_si128(dst.add(written).cast(), _mm512_cvtepi32_epi8(points));
                        read += STEP;
                        written += STEP;
                    }
                }
            }
            while !WIDE && short && len - read >= 2 * STEP && room - written >= BLOCK {
                // SAFETY: there are two steps to be read, and room for them.
                unsafe {
                    let units = load_words::<SWAP>(src.add(width * read));
                    short = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x800)) == 0;
                    if short {
                        let (bytes, there) = encode_two(units);
                        let bytes = _mm512_maskz_compress_epi8(there, bytes);
                        _mm512_storeu_si512(dst.add(written).cast(), bytes);
                        written += there.count_ones() as usize;
                        read += 2 * STEP;
                        carried = 0;
                    }
                }
            }
            while !WIDE && basic && len - read >= 2 * STEP && room - written >= 2 * BLOCK {
                // SAFETY: there are two steps to be read, and room for them.
                unsafe {
                    let units = load_words::<SWAP>(src.add(width * read));
                    let prefix = _mm512_and_si512(units, _mm512_set1_epi16(0xF800u16 as i16));
                    basic = _mm512_cmpeq_epi16_mask(prefix, _mm512_set1_epi16(0xD800u16 as i16)) == 0;
                    short = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x800)) == 0;
                    if short || !basic {
                        break;
                    }
                    for (bytes, there) in encode_three(units) {
                        let bytes = _mm512_maskz_compress_epi8(there, bytes);
                        _mm512_storeu_si512(dst.add(written).cast(), bytes);
                        written += there.count_ones() as usize;
                    }
                    read += 2 * STEP;
                    carried = 0;
                }
            }
            if !WIDE && short && len - read >= 2 * STEP && room - written >= BLOCK {
                continue;
            }
            let count = STEP.min(len - read);
            if count == 0 {
                break;
            }
            let lanes = (!0u32 >> (32 - count)) as u16;
            // SAFETY: the lanes are units of the source.
            let units = unsafe { load::<WIDE, SWAP>(src.add(width * read), lanes) };

            let surrogates = _mm512_cmpeq_epi32_mask(_mm512_and_si512(units, all(0xFFFF_F800)), all(0xD800));
            let (mut points, mut kept, mut errors) = (units, lanes, 0);
            let mut high = 0;
            if WIDE {
                errors = surrogates | _mm512_cmpge_epu32_mask(units, all(0x11_0000));
            } else if surrogates != 0 {
                high = surrogates & _mm512_cmplt_epu32_mask(units, all(0xDC00));
                let low = surrogates & !high;
                // The unit behind the step counts too, if there is one.
                let behind = ((1u32 << count.min(len - read - 1)) - 1) as u16;
                // SAFETY: the lanes are units of the source.
                let next = unsafe { load::<WIDE, SWAP>(src.wrapping_add(width * (read + 1)), behind) };
                let paired = _mm512_cmpeq_epi32_mask(_mm512_and_si512(next, all(0xFFFF_FC00)), all(0xDC00));
                errors = high & !paired | low & !(high << 1 | carried);
                // (high << 10) + low, less what the two prefixes and the offset of pairs amount to.
                let offset = all((0xD800u32 << 10) + 0xDC00 - 0x1_0000);
                let pair = _mm512_sub_epi32(_mm512_add_epi32(_mm512_slli_epi32::<10>(units), next), offset);
                points = _mm512_mask_mov_epi32(units, high, pair);
                kept &= !low;
            }
            if errors != 0 {
                // The text ends here, as far as this kernel is concerned. (To go on with fewer lanes
                // instead would make the next load wait for this test.)
                len = read + errors.trailing_zeros() as usize;
                continue;
            }

            let astral = if WIDE { _mm512_cmpge_epu32_mask(points, all(0x1_0000)) } else { high };
            let (bytes, there) = encode(points, kept, astral);
            let size = there.count_ones() as usize;
            if size > room - written {
                break;
            }
            let bytes = _mm512_maskz_compress_epi8(there, bytes);
            // SAFETY: `size` bytes fit; there is room for a register, or the store is masked.
            unsafe {
                let p = dst.add(written);
                if room - written >= BLOCK {
                    _mm512_storeu_si512(p.cast(), bytes);
                } else {
                    _mm512_mask_storeu_epi8(p.cast(), (1 << size) - 1, bytes);
                }
            }
            written += size;
            read += count;
            carried = high >> (STEP - 1);
            ascii = size == count;
            short = _mm512_cmpge_epu32_mask(units, all(0x800)) == 0;
            basic = surrogates == 0;
        }
        // The low half of a pair that is written has been read too.
        Progress { read: read + usize::from(carried), written }
    }

    /// Up to sixteen units as code points, or halves of pairs.
    ///
    /// # Safety
    /// The lanes must be readable.
    #[inline]
    unsafe fn load<const WIDE: bool, const SWAP: bool>(p: *const u8, lanes: u16) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe {
            if WIDE {
                let units = _mm512_maskz_loadu_epi32(lanes, p.cast());
                let reverse = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
                if SWAP { _mm512_shuffle_epi8(units, reverse) } else { units }
            } else {
                let units = _mm256_maskz_loadu_epi16(lanes, p.cast());
                let swapped = _mm256_or_si256(_mm256_slli_epi16::<8>(units), _mm256_srli_epi16::<8>(units));
                _mm512_cvtepu16_epi32(if SWAP { swapped } else { units })
            }
        }
    }

    /// 32 units of UTF-16.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    unsafe fn load_words<const SWAP: bool>(p: *const u8) -> __m512i {
        // SAFETY: the caller's promise.
        let units = unsafe { _mm512_loadu_si512(p.cast()) };
        let swapped = _mm512_or_si512(_mm512_slli_epi16::<8>(units), _mm512_srli_epi16::<8>(units));
        if SWAP { swapped } else { units }
    }

    /// The bytes of 32 units below 800, two lanes of a byte each, and which of them are there.
    #[inline]
    fn encode_two(units: __m512i) -> (__m512i, u64) {
        let all = |value: u16| _mm512_set1_epi16(value as i16);
        let lead = _mm512_or_si512(_mm512_srli_epi16::<6>(units), all(0x80C0));
        let tail = _mm512_slli_epi16::<8>(_mm512_and_si512(units, all(0x003F)));
        let long = _mm512_cmpge_epu16_mask(units, all(0x80));
        let bytes = _mm512_mask_mov_epi16(units, long, _mm512_or_si512(lead, tail));
        let there = _mm512_mask_mov_epi16(all(0x0080), long, all(0x8080));
        (bytes, _mm512_movepi8_mask(there))
    }

    /// The bytes of 32 units of the basic plane, sixteen at a time, in three of four lanes of a byte,
    /// and which of them are there.
    #[inline]
    fn encode_three(units: __m512i) -> [(__m512i, u64); 2] {
        let all = |value: u16| _mm512_set1_epi16(value as i16);
        // Unpacking goes by 16 bytes: so the first half of the units goes to the low halves of those.
        let units = _mm512_permutexvar_epi64(_mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0), units);
        let beyond_1 = _mm512_cmpge_epu16_mask(units, all(0x80));
        let beyond_2 = _mm512_cmpge_epu16_mask(units, all(0x800));

        // The first and the second byte in one word, and the third in another.
        let first = _mm512_srli_epi16::<12>(units);
        let second = _mm512_and_si512(_mm512_slli_epi16::<2>(units), all(0x3F00));
        let pair = _mm512_or_si512(_mm512_or_si512(first, second), all(0x80E0));
        let pair = _mm512_mask_mov_epi16(_mm512_or_si512(pair, all(0x4000)), beyond_2, pair);
        let third = _mm512_or_si512(_mm512_and_si512(units, all(0x003F)), all(0x0080));
        let third = _mm512_mask_mov_epi16(units, beyond_1, third);

        let there = _mm512_maskz_mov_epi16(beyond_1, all(0x8000));
        let there = _mm512_mask_mov_epi16(there, beyond_2, all(0x8080));
        let last = all(0x0080);
        let lanes = |a, b| (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b));
        let ((low, high), (low_there, high_there)) = (lanes(pair, third), lanes(there, last));
        [(low, _mm512_movepi8_mask(low_there)), (high, _mm512_movepi8_mask(high_there))]
    }

    /// The bytes of sixteen code points, four lanes of a byte each, and which of them are there. Those
    /// of `beyond_3` have four.
    #[inline]
    fn encode(points: __m512i, kept: u16, beyond_3: u16) -> (__m512i, u64) {
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        // Of each point the bits from 18, 12, 6 and 0 on.
        let shifts = _mm512_set1_epi64(0x2026_2C32_0006_0C12);
        let bits = _mm512_multishift_epi64_epi8(shifts, points);
        let bytes = _mm512_or_si512(_mm512_and_si512(bits, all(0x3F3F_3F07)), all(0x8080_80F0));

        let beyond_1 = _mm512_cmpge_epu32_mask(points, all(0x80));
        let beyond_2 = _mm512_cmpge_epu32_mask(points, all(0x800));
        let bytes = _mm512_mask_or_epi32(bytes, !beyond_3, bytes, all(0x0000_6000));
        let bytes = _mm512_mask_or_epi32(bytes, !beyond_2, bytes, all(0x0040_0000));
        let bytes = _mm512_mask_slli_epi32::<24>(bytes, !beyond_1, points);

        let there = _mm512_maskz_mov_epi32(kept, all(0xFF00_0000));
        let there = _mm512_mask_or_epi32(there, beyond_1 & kept, there, all(0x00FF_0000));
        let there = _mm512_mask_or_epi32(there, beyond_2 & kept, there, all(0x0000_FF00));
        let there = _mm512_mask_or_epi32(there, beyond_3 & kept, there, all(0x0000_00FF));
        (bytes, _mm512_movepi8_mask(there))
    }
}
