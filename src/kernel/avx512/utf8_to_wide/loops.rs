//! The loops for long text: each for one kind, 64 bytes per step without a branch.
//!
//! An error is noticed at the end of a chunk of four steps; the output of the chunk is discarded then, and the chunk is
//! converted step by step. From one step to the next a loop carries nothing but the position of the output. Each pair
//! of bytes is checked at its second byte, as everywhere in this kernel, so no pair is missed where one loop follows
//! another; and a loop does not begin behind a lead byte further back than it looks.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::prefetch;
use super::super::registers::{A, B, C, load_table};
use super::super::utf8::rules;
use super::join::{compress, join, join_sums};
use super::planes::{Planes, Window, planes};
use super::{Buffers, Position};

/// Steps of a chunk.
const STEPS: usize = 4;

/// After this many chunks that did not need this loop, the next cheaper one is tried.
const PATIENCE: u32 = 16;

/// Chunks of only ASCII must outnumber the others by this many.
const ASCII_LEAD: u32 = 3;

/// Why a loop stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// No whole step is left, of the input or of the output.
    Short,
    /// The next chunk is ill-formed, or of a kind that the loop does not handle.
    Refused,
    /// The last chunks did not need this loop.
    Quiet,
    /// The last chunks were ASCII.
    Ascii,
}

avx512! {
    /// Text whose characters have up to `MOST` bytes, 2 to 4.
    ///
    /// # Safety
    /// As for the kernel; and three bytes must be before `position`, all well-formed up to there.
    #[inline(never)]
    pub(super) unsafe fn dense<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>, position: &mut Position) -> End {
        let Buffers { src, room, .. } = *buffers;
        let Position { mut at, mut written } = *position;
        let (mut unneeded, mut ascii) = (0u32, 0u32);
        let blind = match MOST {
            2 => src[at - 2] >= 0xE0 || src[at - 3] >= 0xF0,
            3 => src[at - 2] >= 0xF0 || src[at - 3] >= 0xF0,
            _ => false,
        };
        if blind {
            return End::Refused;
        }
        let end = loop {
            // A step must not end with the input, because it looks at the next byte.
            let steps = STEPS.min((src.len() - at).saturating_sub(1) / BLOCK).min((room - written) / BLOCK);
            if steps == 0 {
                break End::Short;
            }
            let mut error = _mm512_setzero_si512();
            let mut needed = _mm512_setzero_si512();
            let mut to = written;
            for step in 0..steps {
                // SAFETY: the step is within `src`, and so are three bytes before it and one behind; and there is room
                // for 64 units per step.
                unsafe {
                    let p = src.as_ptr().add(at + step * BLOCK);
                    prefetch(p);
                    let window = Window::at(p);
                    to += convert::<MOST, WIDE, SWAP, CORRECTED>(&window, p, buffers.unit::<WIDE>(to), &mut error, &mut needed);
                }
            }
            if _mm512_movepi8_mask(error) != 0 {
                break End::Refused;
            }
            let all_ascii = to - written == steps * BLOCK;
            at += steps * BLOCK;
            written = to;
            ascii = if all_ascii { ascii + 1 } else { ascii.saturating_sub(1) };
            if ascii == ASCII_LEAD {
                break End::Ascii;
            }
            if MOST > 2 {
                unneeded = if _mm512_movepi8_mask(needed) == 0 { unneeded + 1 } else { 0 };
                if unneeded == PATIENCE {
                    break End::Quiet;
                }
            }
        };
        *position = Position { at, written };
        end
    }

    /// The errors of a block whose characters have up to `MOST` bytes: the top bit is set for bytes that break a rule;
    /// and in `needed` where a character of `MOST` bytes requires its last byte.
    #[inline]
    pub(super) fn errors<const MOST: u32, const CORRECTED: bool>(window: &Window, needed: &mut __m512i) -> __m512i {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        // Rule (1): continuation bytes are where lead bytes require them. The top bits are set: of the bytes behind
        // lead bytes; of continuation bytes.
        let second = _mm512_subs_epu8(window.prev1, splat(0x40));
        let continuation = _mm512_adds_epi8(window.bytes, splat(0x40));
        let misplaced = match MOST {
            2 => _mm512_xor_si512(second, continuation),
            3 => {
                let third = _mm512_subs_epu8(window.prev2, splat(0x60));
                *needed = _mm512_or_si512(*needed, third);
                _mm512_ternarylogic_epi64::<{ (A | B) ^ C }>(second, third, continuation)
            }
            _ => {
                let third = _mm512_subs_epu8(window.prev2, splat(0x60));
                let fourth = _mm512_subs_epu8(window.prev3, splat(0x70));
                *needed = _mm512_or_si512(*needed, fourth);
                let later = _mm512_ternarylogic_epi64::<{ (A | B) ^ C }>(third, fourth, continuation);
                // In well-formed text only one of the three lead bytes can be there.
                _mm512_xor_si512(second, later)
            }
        };
        if CORRECTED {
            // All lead bytes allow everything; but the loop does not handle them all.
            let known = [0x60, 0x70, 0x78][MOST as usize - 2];
            return _mm512_or_si512(misplaced, _mm512_subs_epu8(window.prev1, splat(known)));
        }
        // Rule (2): a lead byte may not allow the byte behind it.
        let rules = rules(false);
        let disallowed = match MOST {
            2 => _mm512_permutexvar_epi8(window.prev1, load_table(&rules.rejected_by_two)),
            3 => _mm512_add_epi8(_mm512_permutexvar_epi8(window.prev1, load_table(&rules.second_of_three)), window.bytes),
            _ => _mm512_add_epi8(_mm512_permutexvar_epi8(window.prev1, load_table(&rules.second)), window.bytes),
        };
        _mm512_ternarylogic_epi64::<{ (A & B) | C }>(disallowed, second, misplaced)
    }

    /// Converts the 64 bytes of `window`, which are at `p`, to units at `to`, and returns the number of units. A top
    /// bit in `error` is set if there is an error, and in `needed` if there is a character of `MOST` bytes.
    ///
    /// # Safety
    /// A byte must be readable behind them; and there must be room for 64 units.
    #[inline]
    pub(super) unsafe fn convert<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(window: &Window, p: *const u8, to: *mut u8, error: &mut __m512i, needed: &mut __m512i) -> usize {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        *error = _mm512_or_si512(*error, errors::<MOST, CORRECTED>(window, needed));
        if MOST == 2 {
            // The bits of the lead byte, less what the top bit of the other byte adds.
            let high = _mm512_subs_epu8(window.prev1, splat(if CORRECTED { 0xC0 } else { 0xC2 }));
            // That top bit is part of the offset A0.
            let low = if CORRECTED {
                let non_ascii = _mm512_movepi8_mask(window.bytes);
                _mm512_mask_add_epi8(window.bytes, non_ascii, window.bytes, splat(0x20))
            } else {
                window.bytes
            };
            let ends = _mm512_cmplt_epu8_mask(window.bytes, splat(0xC0));
            let planes = Planes {
                low: _mm512_maskz_compress_epi8(ends, low),
                high: _mm512_maskz_compress_epi8(ends, high),
                top: None,
                unsupported: 0,
            };
            let count = ends.count_ones() as usize;
            // SAFETY: the caller's promise.
            unsafe { store::<true, WIDE, SWAP>(&planes, to, count) };
            return count;
        }
        // SAFETY: the caller's promise.
        let next = unsafe { _mm512_loadu_si512(p.add(1).cast()) };
        // A character ends before any byte but a continuation byte.
        let mut units = _mm512_cmpgt_epi8_mask(next, splat(0xBF));
        if MOST == 4 && !WIDE {
            units |= _mm512_cmpge_epu8_mask(window.prev2, splat(0xF0));
        }
        let planes = planes::<MOST, WIDE, CORRECTED>(window, next);
        if CORRECTED {
            *error = _mm512_or_si512(*error, _mm512_movm_epi8(planes.unsupported));
        }
        let planes = compress(&planes, units);
        let count = units.count_ones() as usize;
        // SAFETY: the caller's promise.
        unsafe { store::<false, WIDE, SWAP>(&planes, to, count) };
        count
    }

    /// Stores `count` units, and may write up to 64.
    ///
    /// # Safety
    /// There must be room for 64 units.
    #[inline]
    unsafe fn store<const SUMS: bool, const WIDE: bool, const SWAP: bool>(planes: &Planes, to: *mut u8, count: usize) {
        let per = if WIDE { BLOCK / 4 } else { BLOCK / 2 };
        for index in 0..BLOCK / per {
            if index > 0 && index * per >= count && (WIDE || !SUMS) {
                break;
            }
            let units = if SUMS {
                join_sums::<WIDE, SWAP>(planes, index)
            } else {
                join::<WIDE, SWAP>(planes, index)
            };
            // SAFETY: the caller's promise.
            unsafe { _mm512_storeu_si512(to.add(index * BLOCK).cast(), units) };
        }
    }

    /// Converts ASCII in steps of 256 bytes, with the output aligned to cache lines; returns the number of bytes.
    ///
    /// # Safety
    /// As for the kernel; and 64 bytes of ASCII must be at `position`, and room for as many units.
    #[inline(never)]
    pub(super) unsafe fn ascii<const WIDE: bool, const SWAP: bool>(buffers: &Buffers<'_>, position: Position) -> usize {
        let width = if WIDE { 4 } else { 2 };
        let src = &buffers.src[position.at..];
        let to = buffers.unit::<WIDE>(position.written);
        let room = buffers.room - position.written;
        // SAFETY: the caller's promise.
        unsafe { widen::<WIDE, SWAP>(src.as_ptr(), to) };
        let mut done = (BLOCK - to as usize % BLOCK) / width;
        while src.len() - done >= STEPS * BLOCK && room - done >= STEPS * BLOCK {
            // SAFETY: a step is left, and there is room for it.
            unsafe {
                let p = src.as_ptr().add(done);
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| _mm512_loadu_si512(p.add(i * BLOCK).cast()));
                let any = _mm512_ternarylogic_epi64::<{ A | B | C }>(a, b, _mm512_or_si512(c, d));
                if _mm512_movepi8_mask(any) != 0 {
                    break;
                }
                for i in 0..STEPS {
                    widen::<WIDE, SWAP>(p.add(i * BLOCK), to.add(width * (done + i * BLOCK)));
                }
            }
            done += STEPS * BLOCK;
        }
        done
    }

    /// Widens 64 bytes to units.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline]
    pub(super) unsafe fn widen<const WIDE: bool, const SWAP: bool>(p: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            if WIDE {
                for i in 0..4 {
                    let units = _mm512_cvtepu8_epi32(_mm_loadu_si128(p.add(16 * i).cast()));
                    let units = if SWAP { _mm512_slli_epi32::<24>(units) } else { units };
                    _mm512_storeu_si512(to.add(BLOCK * i).cast(), units);
                }
            } else {
                for i in 0..2 {
                    let units = _mm512_cvtepu8_epi16(_mm256_loadu_si256(p.add(32 * i).cast()));
                    let units = if SWAP { _mm512_slli_epi16::<8>(units) } else { units };
                    _mm512_storeu_si512(to.add(BLOCK * i).cast(), units);
                }
            }
        }
    }
}
