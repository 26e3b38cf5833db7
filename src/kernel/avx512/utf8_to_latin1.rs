//! UTF-8 to Latin-1 on AVX-512: bytes change their value, and leads are dropped.
//!
//! Of the leads only C2 and C3 are left here. A continuation byte behind C2 is the character itself,
//! and behind C3 it lacks 40. So a block needs the bytes one further back, an addition under the mask
//! of C3, and one compression that drops the leads. What else stands in the text, ill-formed or above
//! U+00FF, is a lead that a table refuses or a continuation byte out of place: one error for all four
//! blocks of a chunk. A chunk with an error is gone through by [`step`], which ends before it. A chunk
//! of ASCII is copied; text that has some of both makes up for the test by the chunks that it spares.
//!
//! Measured against simdutf's AVX-512 kernel, 256 KiB on an Emerald Rapids, in GB/s: mixed and dense text
//! 26 to 29 (1.6 to 1.9 times as fast), JSON and HTML 35 (1.0), ASCII 35 to 36 (0.9) while the output was
//! not aligned, for which there is a loop now. Up to four blocks are masked steps one after the other, and
//! take 5 to 6 ns up to 64 bytes (1.0 to 1.3); with the loops around them that was 8.4.

use super::arch::*;
use super::ends::{low, store_some};
use super::latin1_to_utf8::ascii;
use super::utf8::{REFUSED_BY_LATIN1, follow, table};
use super::{BLOCK, Progress};

/// Bytes of a chunk.
const STEP: usize = 4 * BLOCK;

/// After so many bytes of ASCII the loop that only copies is tried.
const CLEAN: usize = 8 * STEP;

/// How far ahead chunks are prefetched.
const AHEAD: usize = 8 * BLOCK;

/// The truth tables of the three inputs of a ternary operation: write the formula, get its table.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;

avx512! {
    /// UTF-8 to Latin-1; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    #[inline]
    pub(in crate::kernel) unsafe fn utf8_to_latin1<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if len <= STEP && let Some(written) = few(src, len, dst, room) {
                return Progress { read: len, written };
            }
            long::<LAZY>(src, len, dst, room)
        }
    }

    /// All of up to four blocks, how many characters that are; unless something is wrong, or there is not
    /// enough room.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn few(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Option<usize> {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        let (mut at, mut written) = (0, 0);
        let mut error = _mm512_setzero_si512();
        while at < len {
            // SAFETY: lanes behind the end of the text are masked, and so is the one before it.
            unsafe {
                let p = src.add(at);
                let lanes = low((len - at).min(BLOCK));
                let bytes = _mm512_maskz_loadu_epi8(lanes, p.cast());
                let signs = _mm512_movepi8_mask(bytes);
                let space = room - written;
                let characters = if at == 0 && signs == 0 {
                    (bytes, lanes)
                } else {
                    // The byte behind the last one is judged as well, if there is a lane for that.
                    let known = lanes << 1 | u64::from(at > 0);
                    let before = _mm512_maskz_loadu_epi8(known, p.wrapping_sub(1).cast());
                    error = wrong(error, bytes, before);
                    let (characters, ends) = characters(bytes, before);
                    (characters, ends & lanes)
                };
                let count = characters.1.count_ones() as usize;
                if count > space {
                    return None;
                }
                store_some(dst.add(written), characters.0, count, space);
                written += count;
            }
            at += BLOCK;
        }
        // SAFETY: it is not empty.
        let open = len > 0 && unsafe { src.add(len - 1).read() } >= 0xC0;
        if open || _mm512_test_epi8_mask(error, all(0x80)) != 0 { None } else { Some(written) }
    }

    /// `error`, and what is wrong with a block: the top bit is set of bytes that break a rule, or are behind
    /// a lead of a character that Latin-1 has not.
    #[inline]
    fn wrong(error: __m512i, bytes: __m512i, before: __m512i) -> __m512i {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        // The top bit is set of the bytes behind a lead, of continuation bytes, and for some leads.
        let after_lead = _mm512_subs_epu8(before, all(0x40));
        let continuation = _mm512_adds_epi8(bytes, all(0x40));
        let unknown = _mm512_permutexvar_epi8(before, table(&REFUSED_BY_LATIN1));
        let error = _mm512_ternarylogic_epi64::<{ A | (B ^ C) }>(error, after_lead, continuation);
        _mm512_ternarylogic_epi64::<{ A | (B & C) }>(error, unknown, after_lead)
    }

    /// Any length, and any error.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn long<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            // SAFETY: the caller's promise, and this is what is left of both.
            unsafe {
                let text = core::slice::from_raw_parts(src, len);
                let is_ascii = chunks::<LAZY>(text, &mut read, dst, room, &mut written);
                if !is_ascii {
                    return Progress { read, written };
                }
                let run = ascii(src.add(read), len - read, dst.add(written), room - written);
                read += run;
                written += run;
            }
        }
    }

    /// Chunks and steps of anything; whether it stops where text is likely to be ASCII, and not for good.
    /// (The loop for that is elsewhere: with it in here this one kept its constants in memory.)
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn chunks<const LAZY: bool>(src: &[u8], read: &mut usize, dst: *mut u8, room: usize, done: &mut usize) -> bool {
        let (mut at, mut written) = (*read, *done);
        // Up to here, chunks are gone through by steps.
        let mut refused = 0;
        // Where the last chunk ended that is not ASCII.
        let mut mixed = at;
        let is_ascii = 'text: loop {
            while at >= refused && src.len() - at >= STEP && room - written >= STEP {
                // SAFETY: there is a chunk, and room for it.
                match unsafe { chunk(src, at, dst.add(written)) } {
                    Some(STEP) => {
                        at += STEP;
                        written += STEP;
                        if at - mixed >= CLEAN {
                            break 'text true;
                        }
                    }
                    Some(count) => {
                        at += STEP;
                        written += count;
                        mixed = at;
                    }
                    None => refused = at + STEP,
                }
            }
            if at == src.len() {
                // An open lead has not been converted.
                at -= open(src, at) as usize;
                break false;
            }
            // SAFETY: the caller's promise.
            let (to, count, goes_on) = unsafe { step(src, at, dst.add(written), room - written) };
            (at, written) = (to, written + count);
            if !goes_on {
                break false;
            }
        };
        (*read, *done) = (at, written);
        is_ascii
    }

    /// Whether the byte before `at` is a lead: 1 or 0.
    #[inline]
    fn open(src: &[u8], at: usize) -> u64 {
        u64::from(at > 0 && src[at - 1] >= 0xC0)
    }

    /// Converts the chunk at `at`, and returns how many characters end in it; unless something is wrong
    /// with it.
    ///
    /// # Safety
    /// It must be within `src`, and there must be room for as many bytes.
    #[inline]
    unsafe fn chunk(src: &[u8], at: usize, dst: *mut u8) -> Option<usize> {
        let p = src.as_ptr().wrapping_add(at);
        // SAFETY: the caller's promise.
        let blocks = unsafe { [0, 1, 2, 3].map(|i| _mm512_loadu_si512(p.add(i * BLOCK).cast())) };
        let [a, b, c, d] = blocks;
        let any = _mm512_ternarylogic_epi64::<{ A | B | C }>(a, b, _mm512_or_si512(c, d));
        if _mm512_movepi8_mask(any) == 0 && open(src, at) == 0 {
            for (i, block) in blocks.into_iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { _mm512_storeu_si512(dst.add(i * BLOCK).cast(), block) };
            }
            return Some(STEP);
        }
        if at == 0 {
            // There is nothing to look back at.
            return None;
        }
        let mut error = _mm512_setzero_si512();
        let mut count = 0;
        for (i, bytes) in blocks.into_iter().enumerate() {
            prefetch(p.wrapping_add(i * BLOCK));
            // SAFETY: the caller's promise, and there is a byte before the chunk.
            let before = unsafe { _mm512_loadu_si512(p.add(i * BLOCK).sub(1).cast()) };
            error = wrong(error, bytes, before);

            let (characters, ends) = characters(bytes, before);
            // SAFETY: no more than a block's bytes were written for each block before this one.
            unsafe { _mm512_storeu_si512(dst.add(count).cast(), characters) };
            count += ends.count_ones() as usize;
        }
        if _mm512_movepi8_mask(error) == 0 { Some(count) } else { None }
    }

    /// The characters that end in a block, in a row, and where they do.
    #[inline]
    fn characters(bytes: __m512i, before: __m512i) -> (__m512i, u64) {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        let upper = _mm512_cmpeq_epi8_mask(before, all(0xC3));
        let bytes_of = _mm512_mask_add_epi8(bytes, upper, bytes, all(0x40));
        let ends = _mm512_cmplt_epu8_mask(bytes, all(0xC0));
        (_mm512_maskz_compress_epi8(ends, bytes_of), ends)
    }

    /// Converts up to 64 bytes at `at`: where the next step begins, how many characters were written,
    /// and whether there is a next step.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn step(src: &[u8], at: usize, dst: *mut u8, room: usize) -> (usize, usize, bool) {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        if at > 0 && src[at - 1] >= 0xC4 {
            // A chunk judges its last byte no more than any other lead: by the byte behind it.
            return (at - 1, 0, false);
        }
        let len = BLOCK.min(src.len() - at);
        let lanes = !0u64 >> (BLOCK - len);
        let known = if at == 0 { !1 } else { !0 };
        let p = src.as_ptr().wrapping_add(at);
        // SAFETY: lanes before the start of `src` or behind its end are masked off.
        let (bytes, before) = unsafe {
            let bytes = _mm512_maskz_loadu_epi8(lanes, p.cast());
            (bytes, _mm512_maskz_loadu_epi8(lanes & known, p.wrapping_sub(1).cast()))
        };
        let leads = _mm512_cmpge_epu8_mask(bytes, all(0xC0));
        let fine = _mm512_cmpeq_epi8_mask(_mm512_and_si512(bytes, all(0xFE)), all(0xC2));
        let continuations = _mm512_movepi8_mask(bytes) & !leads;
        let asked = follow::<1>(leads, open(src, at) << 63);
        // Behind the last byte of the input nothing may be asked for, so that the bits there count.
        let beyond = if len == BLOCK { 0 } else { 1 << len };
        let errors = (leads & !fine) | (asked ^ continuations) & (lanes | beyond);

        let (characters, ends) = characters(bytes, before);
        let mut ends = ends & lanes;
        let mut to = at + len;
        if errors != 0 {
            let flagged = errors.trailing_zeros() as usize;
            ends &= !(!0u64 << flagged);
            // Where a continuation byte is missing, its lead is the place.
            let missing = asked >> flagged & 1;
            to = at + flagged - missing as usize;
        }
        let count = ends.count_ones() as usize;
        if count > room {
            return (at - open(src, at) as usize, 0, false);
        }
        if count != 0 {
            // SAFETY: there is room for `count` bytes.
            unsafe { _mm512_mask_storeu_epi8(dst.cast(), !0u64 >> (BLOCK - count), characters) };
        }
        (to, count, errors == 0)
    }

    #[inline]
    fn prefetch(p: *const u8) {
        // SAFETY: a prefetch does not fault, wherever it points. (Younger versions of Rust know that,
        // and need no `unsafe` here.)
        #[allow(unused_unsafe)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(AHEAD).cast());
        }
    }
}
