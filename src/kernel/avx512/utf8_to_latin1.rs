//! UTF-8 to Latin-1 on AVX-512: bytes change their value, and lead bytes are dropped.
//!
//! The only lead bytes are C2 and C3. A continuation byte after C2 is the character itself, and after C3 it lacks 40. So a block
//! needs the bytes one position earlier, an addition under the mask of C3, and one compression that drops the lead bytes. Anything
//! else, ill-formed or above U+00FF, is a lead byte that a table rejects or a continuation byte out of place: one error for all
//! four blocks of a chunk. A chunk with an error is converted by [`step`], which ends before it. A chunk of ASCII is copied; if
//! text has chunks of both kinds, the work that is saved on ASCII pays for the test.
//!
//! Measured against simdutf's AVX-512 kernel, 256 KiB on an Emerald Rapids, in GB/s: mixed and dense text 26 to 29 (1.6 to 1.9
//! times as fast), JSON and HTML 35 (1.0), ASCII 35 to 36 (0.9) before it had its own loop with an aligned output. Up to four
//! blocks take masked steps one after the other, and 5 to 6 ns up to 64 bytes (1.0 to 1.3); with the loops around them that was
//! 8.4.

use super::arch::*;
use super::latin1_to_utf8::ascii;
use super::memory::{low_bits, nth_set_bit, prefetch, store_partial};
use super::registers::{A, B, C, load_table};
use super::utf8::{REJECTED_BY_LATIN1, shift_in};
use super::{BLOCK, Progress};

/// Bytes of a chunk.
const STEP: usize = 4 * BLOCK;

/// After this many bytes of ASCII the loop that only copies is tried.
const ASCII: usize = 8 * STEP;

avx512! {
    /// UTF-8 to Latin-1; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    #[inline]
    pub(in crate::kernel) unsafe fn utf8_to_latin1<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if len <= STEP && let Some(written) = up_to_four_blocks(src, len, dst, room, Progress::default()) {
                return Progress { read: len, written };
            }
            long::<LAZY>(src, len, dst, room)
        }
    }

    /// Converts up to four blocks behind what is `done`, to the end of the text; returns the number of characters in all. `None` if there is an
    /// error, or not enough room. More than two blocks are asked whether all of them are ASCII.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn up_to_four_blocks(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Option<usize> {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let Progress { read: mut at, mut written } = done;
        let lanes = |at: usize| low_bits((len - at).min(BLOCK));
        if len - at > 2 * BLOCK {
            // SAFETY: the lanes behind the end of the text are masked, and so is the one before it.
            unsafe {
                let mut any = _mm512_maskz_loadu_epi8(u64::from(at > 0), src.wrapping_add(at).wrapping_sub(1).cast());
                for at in (at..len).step_by(BLOCK) {
                    any = _mm512_or_si512(any, _mm512_maskz_loadu_epi8(lanes(at), src.add(at).cast()));
                }
                if _mm512_movepi8_mask(any) == 0 && len - at <= room - written {
                    while at < len {
                        let count = (len - at).min(BLOCK);
                        let bytes = _mm512_maskz_loadu_epi8(lanes(at), src.add(at).cast());
                        store_partial(dst.add(written), bytes, count, room - written);
                        at += count;
                        written += count;
                    }
                    return Some(written);
                }
            }
        }
        let mut error = _mm512_setzero_si512();
        while at < len {
            // SAFETY: as above.
            unsafe {
                let p = src.add(at);
                let lanes = lanes(at);
                let bytes = _mm512_maskz_loadu_epi8(lanes, p.cast());
                let (characters, ends) = if at == 0 && _mm512_movepi8_mask(bytes) == 0 {
                    (bytes, lanes)
                } else {
                    // The position behind the last byte is checked as well, if there is a lane for it.
                    let known = lanes << 1 | u64::from(at > 0);
                    let before = _mm512_maskz_loadu_epi8(known, p.wrapping_sub(1).cast());
                    error = errors(error, bytes, before);
                    characters(bytes, before)
                };
                let count = (ends & lanes).count_ones() as usize;
                let space = room - written;
                if count > space {
                    return None;
                }
                store_partial(dst.add(written), characters, count, space);
                written += count;
            }
            at += BLOCK;
        }
        // SAFETY: it is not empty.
        let incomplete = len > 0 && unsafe { src.add(len - 1).read() } >= 0xC0;
        if incomplete || _mm512_test_epi8_mask(error, splat(0x80)) != 0 { None } else { Some(written) }
    }

    /// `error`, joined with the errors of a block: the top bit is set for bytes that break a rule, or that follow the
    /// lead byte of a character that Latin-1 does not have.
    #[inline]
    fn errors(error: __m512i, bytes: __m512i, before: __m512i) -> __m512i {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        // The top bits are set: of the bytes behind lead bytes; of continuation bytes; behind some lead bytes.
        let after_lead = _mm512_subs_epu8(before, splat(0x40));
        let continuation = _mm512_adds_epi8(bytes, splat(0x40));
        let unknown = _mm512_permutexvar_epi8(before, load_table(&REJECTED_BY_LATIN1));
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

    /// Chunks and steps of anything; returns whether it stops because the text is likely to be ASCII, and more is left.
    /// (The loop for ASCII is elsewhere: with it in here, this loop kept its constants in memory.)
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn chunks<const LAZY: bool>(src: &[u8], read: &mut usize, dst: *mut u8, room: usize, done: &mut usize) -> bool {
        let (mut at, mut written) = (*read, *done);
        // Up to here, chunks are converted by steps.
        let mut rejected = 0;
        // Where the last chunk ended that is not ASCII.
        let mut mixed = at;
        let is_ascii = 'text: loop {
            while at >= rejected && src.len() - at >= STEP && room - written >= STEP {
                // SAFETY: there is a chunk, and room for it.
                match unsafe { chunk(src, at, dst.add(written)) } {
                    Some(STEP) => {
                        at += STEP;
                        written += STEP;
                        if at - mixed >= ASCII {
                            break 'text true;
                        }
                    }
                    Some(count) => {
                        at += STEP;
                        written += count;
                        mixed = at;
                    }
                    None => rejected = at + STEP,
                }
            }
            if at >= rejected && (1..=STEP).contains(&(src.len() - at)) {
                let done = Progress { read: at, written };
                // SAFETY: the caller's promise; `dst` is where all of the output begins.
                match unsafe { up_to_four_blocks(src.as_ptr(), src.len(), dst, room, done) } {
                    Some(all) => {
                        (at, written) = (src.len(), all);
                        break false;
                    }
                    None => rejected = src.len(),
                }
            }
            if at == src.len() {
                // A lead byte at the end has not been converted.
                at -= after_lead(src, at) as usize;
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

    /// Whether the byte before `at` is a lead byte: 1 or 0.
    #[inline]
    fn after_lead(src: &[u8], at: usize) -> u64 {
        u64::from(at > 0 && src[at - 1] >= 0xC0)
    }

    /// Converts the chunk at `at`; returns the number of characters that end in it, or `None` if there is an error.
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
        if _mm512_movepi8_mask(any) == 0 && after_lead(src, at) == 0 {
            for (i, block) in blocks.into_iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { _mm512_storeu_si512(dst.add(i * BLOCK).cast(), block) };
            }
            return Some(STEP);
        }
        if at == 0 {
            // There is no byte to look back at.
            return None;
        }
        let mut error = _mm512_setzero_si512();
        let mut count = 0;
        for (i, bytes) in blocks.into_iter().enumerate() {
            prefetch(p.wrapping_add(i * BLOCK));
            // SAFETY: the caller's promise, and there is a byte before the chunk.
            let before = unsafe { _mm512_loadu_si512(p.add(i * BLOCK).sub(1).cast()) };
            error = errors(error, bytes, before);

            let (characters, ends) = characters(bytes, before);
            // SAFETY: no more than a block's bytes were written for each block before this one.
            unsafe { _mm512_storeu_si512(dst.add(count).cast(), characters) };
            count += ends.count_ones() as usize;
        }
        if _mm512_movepi8_mask(error) == 0 { Some(count) } else { None }
    }

    /// The characters that end in a block, without gaps, and the mask of the bytes where they end.
    #[inline]
    fn characters(bytes: __m512i, before: __m512i) -> (__m512i, u64) {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let upper = _mm512_cmpeq_epi8_mask(before, splat(0xC3));
        let values = _mm512_mask_add_epi8(bytes, upper, bytes, splat(0x40));
        let ends = _mm512_cmplt_epu8_mask(bytes, splat(0xC0));
        (_mm512_maskz_compress_epi8(ends, values), ends)
    }

    /// Converts up to 64 bytes at `at`: returns where the next step begins, the number of characters written, and
    /// whether there is a next step.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn step(src: &[u8], at: usize, dst: *mut u8, room: usize) -> (usize, usize, bool) {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        if at > 0 && src[at - 1] >= 0xC0 && src[at - 1] & 0xFE != 0xC2 {
            // Neither C2 nor C3. A chunk checks a lead byte only with the byte behind it, so its last byte has not been checked.
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
        let leads = _mm512_cmpge_epu8_mask(bytes, splat(0xC0));
        let allowed = _mm512_cmpeq_epi8_mask(_mm512_and_si512(bytes, splat(0xFE)), splat(0xC2));
        let continuations = _mm512_movepi8_mask(bytes) & !leads;
        let required = shift_in::<1>(leads, after_lead(src, at) << 63);
        // Behind the last byte of the input no continuation byte may be required, so the bit there counts.
        let beyond = if len == BLOCK { 0 } else { 1 << len };
        let errors = (leads & !allowed) | (required ^ continuations) & (lanes | beyond);

        let (characters, ends) = characters(bytes, before);
        let mut ends = ends & lanes;
        let mut to = at + len;
        if errors != 0 {
            let flagged = errors.trailing_zeros() as usize;
            ends &= !(!0u64 << flagged);
            // Where a continuation byte is missing, the error is at its lead byte.
            let missing = required >> flagged & 1;
            to = at + flagged - missing as usize;
        }
        let count = ends.count_ones() as usize;
        let is_full = count > room;
        let count = count.min(room);
        if is_full {
            // Behind the last character that fits; if there is none, before one that has begun.
            to = match count {
                0 => at - after_lead(src, at) as usize,
                _ => at + nth_set_bit(ends, count - 1) + 1,
            };
        }
        if count != 0 {
            // SAFETY: there is room for `count` bytes.
            unsafe { _mm512_mask_storeu_epi8(dst.cast(), !0u64 >> (BLOCK - count), characters) };
        }
        (to, count, errors == 0 && !is_full)
    }
}
