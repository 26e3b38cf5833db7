//! UTF-8 to UTF-16 and UTF-32 on AVX-512: byte planes at a fixed stride.
//!
//! Each step takes 64 bytes, wherever characters begin or end. A code unit belongs to the *last* byte
//! of its character, which sees the bytes before it through loads one, two and three bytes back; of a
//! surrogate pair the high one belongs to the third byte and the low one to the fourth. So the low
//! and the high bytes of all code units are computed at once, in two planes, for every position,
//! whether a unit belongs there or not; then both planes are compressed to the positions that have
//! one, and interleaved. For UTF-32 there is a third plane, for the bits above the basic plane, and
//! what was interleaved is widened. Nothing waits for the step before it but the place of the output.
//!
//! Validity is the rule of the validation next door: continuation bytes stand where leads ask for
//! them, by masks in general registers, and second bytes are looked up by their leads. At an error the
//! units of the whole characters before it are still written.
//!
//! Steps of ASCII are only interleaved with zeros, in a loop of their own that is entered where the
//! last bytes of a step were ASCII (a test in each step cost the dense scripts a tenth); what only
//! four-byte characters need is computed where there are some.
//!
//! Measured for UTF-16 against simdutf's AVX-512 kernel: CJK and Hindi 1.4, emoji 1.8, Vietnamese 1.7,
//! mixed Latin 0.8 to 1.1, Cyrillic 0.95, ASCII 0.9. Still to do: a step for text of one and two bytes.

use super::arch::*;
use super::utf8::{SECOND, follow, table};
use super::{BLOCK, Progress};
use crate::kernel::edge::boundary_before;

/// Up to 64 bytes, and what stands one, two and three bytes before each.
struct Look {
    len: usize,
    bytes: __m512i,
    one: __m512i,
    two: __m512i,
    three: __m512i,
}

/// The leads of the step before: what may be open.
#[derive(Clone, Copy, Default)]
struct Before {
    leads: u64,
    threes: u64,
    fours: u64,
}

impl Before {
    /// Whether no character is open.
    #[inline(always)]
    fn is_closed(&self) -> bool {
        self.leads >> 63 | self.threes >> 62 | self.fours >> 61 == 0
    }
}

/// The bytes of code units, from the lowest up; the third is for UTF-32 beyond the basic plane.
struct Planes(__m512i, __m512i, Option<__m512i>);

/// What is where in a step, a bit for each byte.
struct Found {
    /// Bytes that end characters.
    ends: u64,
    /// Bytes that end a character of three.
    ends_of_three: u64,
    /// The third and the fourth bytes of characters of four.
    thirds: u64,
    fourths: u64,
    /// Bytes that must be continuation bytes, and may lie behind the step.
    asked: u64,
    /// Bytes that break a rule.
    errors: u64,
}

avx512! {
    /// UTF-8 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf8_to_utf16<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<false, SWAP>(core::slice::from_raw_parts(src, len), dst, room) }
    }

    /// UTF-8 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf8_to_utf32<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<true, SWAP>(core::slice::from_raw_parts(src, len), dst, room) }
    }

    /// Converts `src` to at most `room` units at `dst`, of UTF-32 if `WIDE` and else of UTF-16; see the
    /// contract of the kernels. With `SWAP` the bytes of each unit are in the order that is not this
    /// machine's.
    ///
    /// # Safety
    /// `room` units must be writable at `dst`, which need not be aligned.
    #[inline]
    unsafe fn utf8_to_wide<const WIDE: bool, const SWAP: bool>(
        src: &[u8],
        dst: *mut u8,
        room: usize,
    ) -> Progress {
        let width = if WIDE { 4 } else { 2 };
        let mut before = Before::default();
        let (mut at, mut written) = (0, 0);
        // Whether it looks like ASCII from here on; then nothing is open.
        let mut ascii = true;
        loop {
            if ascii {
                while src.len() - at >= BLOCK && room - written >= BLOCK {
                    // SAFETY: these bytes are in `src`.
                    let bytes = unsafe { _mm512_loadu_si512(src.as_ptr().add(at).cast()) };
                    if _mm512_movepi8_mask(bytes) != 0 {
                        break;
                    }
                    let planes = Planes(bytes, _mm512_setzero_si512(), None);
                    // SAFETY: there is room for so many units.
                    unsafe { store::<WIDE, SWAP>(planes, dst.add(width * written), BLOCK, true) };
                    written += BLOCK;
                    at += BLOCK;
                    before = Before::default();
                }
            }
            let len = BLOCK.min(src.len() - at);
            if len == 0 {
                break;
            }
            // SAFETY: these bytes are in `src`.
            let look = unsafe { look(src, at, len) };
            let now = Before {
                leads: at_least(look.bytes, 0xC0),
                threes: at_least(look.bytes, 0xE0),
                fours: at_least(look.bytes, 0xF0),
            };
            let found = find(&look, before, now);

            // At an error, the units of the characters before it.
            let mut units = if WIDE { found.ends } else { found.ends | found.thirds };
            let mut boundary = at + len;
            if found.errors != 0 {
                let flagged = found.errors.trailing_zeros() as usize;
                let open = flagged == BLOCK || found.asked >> flagged & 1 != 0;
                boundary = if open { boundary_before(src, at + flagged) } else { at + flagged };
                units &= !(!0 << boundary.saturating_sub(at));
            }
            let count = units.count_ones() as usize;
            if count > room - written {
                break;
            }
            if count != 0 {
                let Planes(low, high, top) = planes::<WIDE>(&look, &found);
                let compress = |plane| _mm512_maskz_compress_epi8(units, plane);
                let planes = Planes(compress(low), compress(high), top.map(compress));
                // SAFETY: `count` units fit; there is room for a whole step, or the stores are masked.
                unsafe {
                    let whole = room - written >= BLOCK;
                    store::<WIDE, SWAP>(planes, dst.add(width * written), count, whole);
                }
                written += count;
            }
            if found.errors != 0 {
                // Of four bytes, cut off behind the third, the high surrogate may be written already.
                let half = !WIDE && boundary + 3 == at && src[boundary] >= 0xF0;
                return Progress { read: boundary, written: written - usize::from(half) };
            }
            at += len;
            before = now;
            ascii = _mm512_movepi8_mask(look.bytes) >> (BLOCK - 8) == 0;
        }
        // The end, or no room for a step. What is open here is not converted.
        if before.is_closed() {
            return Progress { read: at, written };
        }
        let boundary = boundary_before(src, at);
        let half = !WIDE && boundary + 3 == at && src[boundary] >= 0xF0;
        Progress { read: boundary, written: written - usize::from(half) }
    }

    /// The `len` bytes from `at` on.
    ///
    /// # Safety
    /// They must be in `src`.
    #[inline]
    unsafe fn look(src: &[u8], at: usize, len: usize) -> Look {
        let p = src.as_ptr().wrapping_add(at);
        // SAFETY: lanes before the start of `src` or behind its end are masked off.
        unsafe {
            if at != 0 && len == BLOCK {
                let [bytes, one, two, three] = [0, 1, 2, 3].map(|back| _mm512_loadu_si512(p.wrapping_sub(back).cast()));
                return Look { len, bytes, one, two, three };
            }
            let lanes = !0 >> (BLOCK - len);
            let [bytes, one, two, three] = [0, 1, 2, 3].map(|back| {
                let known = if at == 0 { !0 << back } else { !0 };
                _mm512_maskz_loadu_epi8(lanes & known, p.wrapping_sub(back).cast())
            });
            Look { len, bytes, one, two, three }
        }
    }

    #[inline]
    fn at_least(bytes: __m512i, least: u8) -> u64 {
        _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(least as i8))
    }

    /// What is where, and which bytes break a rule.
    #[inline]
    fn find(look: &Look, before: Before, now: Before) -> Found {
        let inside = !0 >> (BLOCK - look.len);
        let signs = _mm512_movepi8_mask(look.bytes);
        let second = follow::<1>(now.leads, before.leads);
        let third = follow::<2>(now.threes, before.threes);
        let fourths = follow::<3>(now.fours, before.fours);
        let thirds = follow::<2>(now.fours, before.fours);
        let asked = second | third | fourths;

        let refused = _mm512_add_epi8(_mm512_permutexvar_epi8(look.one, table(&SECOND)), look.bytes);
        let refused = _mm512_movepi8_mask(refused) & second & inside;
        // Behind the last byte of the input nothing may be asked for, so that the bits there count.
        let beyond = if look.len == BLOCK { 0 } else { 1 << look.len };
        let errors = refused | (asked ^ (signs & !now.leads)) & (inside | beyond);

        // A character ends where the last of its bytes is asked for.
        let ends_of_two = follow::<1>(now.leads & !now.threes, before.leads & !before.threes);
        let ends_of_three = follow::<2>(now.threes & !now.fours, before.threes & !before.fours);
        let ends = (!signs | ends_of_two | ends_of_three | fourths) & inside;
        Found { ends, ends_of_three, thirds, fourths, asked, errors }
    }

    /// The bytes of the code units, at every byte to which one belongs.
    #[inline]
    fn planes<const WIDE: bool>(look: &Look, found: &Found) -> Planes {
        let signs = _mm512_movepi8_mask(look.bytes);
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        // Shifts of bytes: of words, and then the bits that stayed in their byte.
        let one_by_6 = _mm512_and_si512(_mm512_slli_epi16::<6>(look.one), all(0xC0));
        let one_by_2 = _mm512_and_si512(_mm512_srli_epi16::<2>(look.one), all(0x0F));
        let two_by_4 = _mm512_and_si512(_mm512_slli_epi16::<4>(look.two), all(0xF0));

        // ASCII: the byte. Two bytes: the six bits of the last and two of the first; its other three.
        // Three bytes: the same of the last two, and the four bits of the first above them.
        let tail = _mm512_or_si512(_mm512_and_si512(look.bytes, all(0x3F)), one_by_6);
        let low = _mm512_mask_mov_epi8(look.bytes, signs, tail);
        let high = _mm512_maskz_mov_epi8(signs, one_by_2);
        let high = _mm512_mask_add_epi8(high, found.ends_of_three, high, two_by_4);
        if found.thirds | found.fourths == 0 {
            return Planes(low, high, None);
        }
        if WIDE {
            // Four bytes: the same of the last three, and the five bits of the first two above them.
            let high = _mm512_mask_add_epi8(high, found.fourths, high, two_by_4);
            let second = _mm512_and_si512(_mm512_srli_epi16::<4>(look.two), all(0x03));
            let first = _mm512_and_si512(_mm512_slli_epi16::<2>(look.three), all(0x1C));
            let top = _mm512_maskz_mov_epi8(found.fourths, _mm512_or_si512(first, second));
            return Planes(low, high, Some(top));
        }
        // Low surrogates: DC00, and ten bits of the last two bytes.
        let ten = _mm512_or_si512(_mm512_and_si512(one_by_2, all(0x03)), all(0xDC));
        let high = _mm512_mask_mov_epi8(high, found.fourths, ten);
        // High surrogates: D7C0, and the eleven bits above these, of the first three bytes.
        let second = _mm512_and_si512(_mm512_slli_epi16::<2>(look.one), all(0xFC));
        let third = _mm512_and_si512(_mm512_srli_epi16::<4>(look.bytes), all(0x03));
        let eight = _mm512_or_si512(second, third);
        let carry = _mm512_cmpge_epu8_mask(eight, all(0x40));
        let three = _mm512_add_epi8(_mm512_and_si512(look.two, all(0x07)), all(0xD7));
        let three = _mm512_mask_add_epi8(three, carry, three, all(1));
        let low = _mm512_mask_add_epi8(low, found.thirds, eight, all(0xC0));
        let high = _mm512_mask_mov_epi8(high, found.thirds, three);
        Planes(low, high, None)
    }

    /// Joins the first `count` bytes of the planes to units at `p`; if `whole`, there is room for 64
    /// units, and what is behind the first `count` may be written too.
    ///
    /// # Safety
    /// There must be room for `count` units, or 64.
    #[inline]
    unsafe fn store<const WIDE: bool, const SWAP: bool>(planes: Planes, p: *mut u8, count: usize, whole: bool) {
        let Planes(low, high, top) = planes;
        // The order of bytes is the order of the two planes; of three or four it is changed at the end.
        let (first, second) = if SWAP && !WIDE { (high, low) } else { (low, high) };
        let (low, high) = (_mm512_unpacklo_epi8(first, second), _mm512_unpackhi_epi8(first, second));
        // The halves of each 16 bytes, back in a row: 32 words each.
        let front = _mm512_permutex2var_epi64(low, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), high);
        let back = _mm512_permutex2var_epi64(low, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), high);
        let some = |first: usize, each: usize| low_bits(count.saturating_sub(first).min(each));
        // SAFETY: the caller's promise.
        unsafe {
            if !WIDE {
                if whole {
                    _mm512_storeu_si512(p.cast(), front);
                    if count > BLOCK / 2 {
                        _mm512_storeu_si512(p.add(BLOCK).cast(), back);
                    }
                } else {
                    _mm512_mask_storeu_epi16(p.cast(), some(0, 32) as u32, front);
                    _mm512_mask_storeu_epi16(p.wrapping_add(BLOCK).cast(), some(32, 32) as u32, back);
                }
                return;
            }
            let words = [
                _mm512_castsi512_si256(front),
                _mm512_extracti64x4_epi64::<1>(front),
                _mm512_castsi512_si256(back),
                _mm512_extracti64x4_epi64::<1>(back),
            ];
            let mut tops = [_mm_setzero_si128(); 4];
            if let Some(top) = top {
                tops = [
                    _mm512_castsi512_si128(top),
                    _mm512_extracti32x4_epi32::<1>(top),
                    _mm512_extracti32x4_epi32::<2>(top),
                    _mm512_extracti32x4_epi32::<3>(top),
                ];
            }
            for quarter in 0..4 {
                if count <= quarter * 16 {
                    break;
                }
                let mut units = _mm512_cvtepu16_epi32(words[quarter]);
                if top.is_some() {
                    let above = _mm512_slli_epi32::<16>(_mm512_cvtepu8_epi32(tops[quarter]));
                    units = _mm512_or_si512(units, above);
                }
                if SWAP {
                    // The four bytes of each unit, from the last to the first.
                    let reverse = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
                    units = _mm512_shuffle_epi8(units, reverse);
                }
                let p = p.wrapping_add(quarter * BLOCK);
                if whole {
                    _mm512_storeu_si512(p.cast(), units);
                } else {
                    _mm512_mask_storeu_epi32(p.cast(), some(quarter * 16, 16) as u16, units);
                }
            }
        }
    }

    /// The lowest `count` bits, fewer than 64.
    #[inline]
    fn low_bits(count: usize) -> u64 {
        (1 << count) - 1
    }
}
