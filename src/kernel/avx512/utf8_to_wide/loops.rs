//! The loop for long text, for characters of up to two, three or four bytes.
//!
//! It decides once for a chunk of two blocks: if there are no top bits in the chunk or in the bytes before it, the chunk is
//! widened; everything else takes two steps of 64 bytes, without a branch. If chunks of ASCII follow each other, more ASCII is
//! expected, and 256 bytes are widened at a time, with the output aligned to cache lines.
//!
//! An error is noticed at the end of a chunk; the output of the chunk is discarded then, and the chunk is converted step by step.
//! From one step to the next the loop carries nothing but the position of the output. Each pair of bytes is checked at its second
//! byte, as everywhere in this kernel, so no pair is missed where one loop follows another. And a loop does not begin where a lead
//! byte further back than it looks would still matter.
//!
//! All of this must be one function without calls: no AVX-512 register survives a call, so a single call for long ASCII made each step
//! load all constants from the stack again (a tenth of the speed). And what is widened is loaded once more, from an address that is
//! opaque: otherwise the compiler took it from the registers of the test, and where two paths met, it put these together byte by byte.
//! Taking the first half from the register by hand was no faster. In the steps of 256 bytes no paths meet, and everything is taken
//! from the registers: on Zen 5 these steps were limited by loads that cross a cache line (ASCII of 160 KiB: 61 GB/s, and 82 without
//! such loads, in a prototype; the peer has 79).

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::{opaque_pointer, prefetch};
use super::super::registers::{A, B, C, load_table};
use super::super::utf8::rules;
use super::join::{Joiner, compress, join, join_sums, joiner, store_exactly};
use super::planes::{Planes, Window, planes};
use super::{Buffers, CHUNK, Position};
use crate::kernel::shared::opaque::opaque;

/// Steps of a round of [`ascii`].
const STEPS: usize = 4;

/// After this many chunks that did not need this loop, the next cheaper one is tried.
const PATIENCE: u32 = 16;

/// After this many chunks of ASCII in succession, more of it is expected.
const ASCII_RUN: u32 = 2;

/// Why a loop stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// No whole chunk is left, of the input or of the output.
    Short,
    /// The next chunk is ill-formed, or of a kind that the loop does not handle.
    Refused,
    /// The last chunks that were not ASCII did not need this loop.
    Quiet,
}

/// What the steps of a loop look up, in registers.
pub(super) struct Tables<const WIDE: bool, const SWAP: bool> {
    second_bytes: __m512i,
    joiner: Joiner<WIDE, SWAP>,
}

/// What steps have found: the top bit of some byte is set if there is an error, or if a character of the longest kind
/// requires its last byte.
pub(super) struct Found {
    pub(super) error: __m512i,
    needed: __m512i,
}

avx512! {
    /// The tables of a loop for characters of up to `MOST` bytes.
    #[inline]
    pub(super) fn tables<const MOST: u32, const WIDE: bool, const SWAP: bool>() -> Tables<WIDE, SWAP> {
        // (Sums are swapped when they have been made.)
        let joiner = joiner::<WIDE, SWAP>(SWAP && MOST > 2);
        Tables { second_bytes: second_bytes::<MOST>(), joiner }
    }

    /// Nothing yet.
    #[inline]
    pub(super) fn nothing() -> Found {
        Found { error: _mm512_setzero_si512(), needed: _mm512_setzero_si512() }
    }

    /// Text whose characters have up to `MOST` bytes, 2 to 4: one decision for each chunk, whether it is ASCII. In the
    /// end, `exact` says whether what is converted is right whatever comes next.
    ///
    /// # Safety
    /// As for the kernel; and four bytes must be before `position`, all well-formed up to there.
    #[inline(never)]
    pub(super) unsafe fn mixed<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>, position: &mut Position, exact: &mut bool) -> End {
        let src = buffers.src;
        let mut now = *position;
        let (mut unneeded, mut run) = (0u32, 0u32);
        let mut is_exact = *exact;
        let tables = tables::<MOST, WIDE, SWAP>();
        let end = loop {
            if !buffers.has_chunk_after(now) {
                break End::Short;
            }
            // SAFETY: the chunk is within `src`, and so are four bytes before it and one behind; and there is room for
            // its units.
            unsafe {
                let p = src.as_ptr().add(now.at);
                let (first, second) = (_mm512_loadu_si512(p.cast()), _mm512_loadu_si512(p.add(BLOCK).cast()));
                let before = _mm512_zextsi128_si512(_mm_loadu_si32(p.sub(4).cast()));
                if _mm512_movepi8_mask(_mm512_ternarylogic_epi64::<{ A | B | C }>(first, second, before)) == 0 {
                    let mut passed = CHUNK;
                    if run == ASCII_RUN {
                        passed = ascii::<WIDE, SWAP>(buffers, now);
                    } else {
                        widen::<WIDE, SWAP>(p, buffers.unit::<WIDE>(now.written));
                        widen::<WIDE, SWAP>(p.add(BLOCK), buffers.unit::<WIDE>(now.written + BLOCK));
                    }
                    run += 1;
                    now = Position { at: now.at + passed, written: now.written + passed };
                    is_exact = true;
                    continue;
                }
                run = 0;
                let mut found = nothing();
                let mut to = now.written;
                to += convert::<MOST, WIDE, SWAP, CORRECTED>(&tables, p, &Window::at(p), buffers.unit::<WIDE>(to), &mut found);
                let p = p.add(BLOCK);
                to += convert::<MOST, WIDE, SWAP, CORRECTED>(&tables, p, &Window::at(p), buffers.unit::<WIDE>(to), &mut found);
                prefetch(p);
                if _mm512_movepi8_mask(found.error) != 0 {
                    break End::Refused;
                }
                now = Position { at: now.at + CHUNK, written: to };
                if MOST > 2 {
                    is_exact = false;
                    unneeded = if _mm512_movepi8_mask(found.needed) == 0 { unneeded + 1 } else { 0 };
                    if unneeded == PATIENCE {
                        break End::Quiet;
                    }
                } else {
                    is_exact = true;
                }
            }
        };
        *position = now;
        *exact = is_exact;
        end
    }

    /// The table of rule (2) for [`errors`], indexed by the low six bits of a lead byte.
    #[inline]
    pub(super) fn second_bytes<const MOST: u32>() -> __m512i {
        let rules = rules(false);
        load_table(match MOST {
            2 => &rules.rejected_by_two,
            3 => &rules.second_of_three,
            _ => &rules.second,
        })
    }

    /// The errors of a block whose characters have up to `MOST` bytes: the top bit is set for bytes that break a rule;
    /// and in `needed` where a character of `MOST` bytes requires its last byte.
    #[inline]
    pub(super) fn errors<const MOST: u32, const CORRECTED: bool>(window: &Window, second_bytes: __m512i, needed: &mut __m512i) -> __m512i {
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
        let disallowed = _mm512_permutexvar_epi8(window.prev1, second_bytes);
        let disallowed = if MOST == 2 { disallowed } else { _mm512_add_epi8(disallowed, window.bytes) };
        _mm512_ternarylogic_epi64::<{ (A & B) | C }>(disallowed, second, misplaced)
    }

    /// Converts the 64 bytes of `window`, which are at `p`, to units at `to`, and returns the number of units. A top
    /// bit in `error` is set if there is an error, and in `needed` if there is a character of `MOST` bytes. Two bytes
    /// are joined in native byte order, and swapped then.
    ///
    /// # Safety
    /// A byte must be readable behind them; and there must be room for 64 units.
    #[inline]
    pub(super) unsafe fn convert<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(tables: &Tables<WIDE, SWAP>, p: *const u8, window: &Window, to: *mut u8, found: &mut Found) -> usize {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let error = errors::<MOST, CORRECTED>(window, tables.second_bytes, &mut found.needed);
        found.error = _mm512_or_si512(found.error, error);
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
            let count = opaque(ends).count_ones() as usize;
            // SAFETY: the caller's promise.
            unsafe { store::<true, WIDE, SWAP>(tables, &planes, to, count) };
            return count;
        }
        // SAFETY: the caller's promise.
        unsafe {
            let (planes, count) = compressed::<MOST, WIDE, CORRECTED>(p, window, found);
            store::<false, WIDE, SWAP>(tables, &planes, to, count);
            count
        }
    }

    /// As [`convert`], for characters of up to `MOST` bytes, 3 or 4, and with room for `space` units; returns `None`, and writes nothing, if
    /// there are more. It writes no more than `space`.
    ///
    /// # Safety
    /// A byte must be readable behind the 64; and there must be room for `space` units.
    #[inline]
    pub(super) unsafe fn convert_if_it_fits<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(
        tables: &Tables<WIDE, SWAP>, p: *const u8, window: &Window, to: *mut u8, space: usize, found: &mut Found,
    ) -> Option<usize> {
        let error = errors::<MOST, CORRECTED>(window, tables.second_bytes, &mut found.needed);
        found.error = _mm512_or_si512(found.error, error);
        // SAFETY: the caller's promise.
        unsafe {
            let (planes, count) = compressed::<MOST, WIDE, CORRECTED>(p, window, found);
            if count > space {
                return None;
            }
            store_exactly::<WIDE, SWAP>(&planes, to, count, space);
            Some(count)
        }
    }

    /// The planes of the units of a window at `p`, in succession, and their number.
    ///
    /// # Safety
    /// A byte must be readable behind the 64.
    #[inline]
    unsafe fn compressed<const MOST: u32, const WIDE: bool, const CORRECTED: bool>(p: *const u8, window: &Window, found: &mut Found) -> (Planes, usize) {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        // SAFETY: the caller's promise.
        let next = unsafe { _mm512_loadu_si512(p.add(1).cast()) };
        // A character ends before any byte but a continuation byte.
        let mut units = _mm512_cmpgt_epi8_mask(next, splat(0xBF));
        if MOST == 4 && !WIDE {
            units |= _mm512_cmpge_epu8_mask(window.prev2, splat(0xF0));
        }
        let planes = planes::<MOST, WIDE, CORRECTED>(window, next);
        if CORRECTED {
            found.error = _mm512_or_si512(found.error, _mm512_movm_epi8(planes.unsupported));
        }
        (compress(&planes, units), opaque(units).count_ones() as usize)
    }

    /// Stores `count` units, and may write up to 64.
    ///
    /// # Safety
    /// There must be room for 64 units.
    #[inline]
    unsafe fn store<const SUMS: bool, const WIDE: bool, const SWAP: bool>(tables: &Tables<WIDE, SWAP>, planes: &Planes, to: *mut u8, count: usize) {
        let per = if WIDE { BLOCK / 4 } else { BLOCK / 2 };
        for index in 0..BLOCK / per {
            if index > 0 && index * per >= count && (WIDE || !SUMS) {
                break;
            }
            let units = if SUMS {
                join_sums::<WIDE, SWAP>(planes, &tables.joiner, index)
            } else {
                join(planes, &tables.joiner, index)
            };
            // SAFETY: the caller's promise.
            unsafe { _mm512_storeu_si512(to.add(index * BLOCK).cast(), units) };
        }
    }

    /// Widens a register of 64 bytes to units.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn widen_register<const WIDE: bool, const SWAP: bool>(bytes: __m512i, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            if WIDE {
                let quarters = [
                    _mm512_castsi512_si128(bytes),
                    _mm512_extracti32x4_epi32::<1>(bytes),
                    _mm512_extracti32x4_epi32::<2>(bytes),
                    _mm512_extracti32x4_epi32::<3>(bytes),
                ];
                for (i, quarter) in quarters.into_iter().enumerate() {
                    let units = _mm512_cvtepu8_epi32(quarter);
                    let units = if SWAP { _mm512_slli_epi32::<24>(units) } else { units };
                    _mm512_storeu_si512(to.add(BLOCK * i).cast(), units);
                }
            } else {
                let halves = [_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes)];
                for (i, half) in halves.into_iter().enumerate() {
                    let units = _mm512_cvtepu8_epi16(half);
                    let units = if SWAP { _mm512_slli_epi16::<8>(units) } else { units };
                    _mm512_storeu_si512(to.add(BLOCK * i).cast(), units);
                }
            }
        }
    }

    /// Widens 64 bytes to units.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline]
    pub(super) unsafe fn widen<const WIDE: bool, const SWAP: bool>(p: *const u8, to: *mut u8) {
        let p = opaque_pointer(p);
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

/// Converts ASCII in steps of 256 bytes, with the output aligned to cache lines; returns the number of bytes.
///
/// # Safety
/// Only within a function of [`avx512!`]; as for the kernel; and a chunk of ASCII must be at `position`, and room for as many units.
#[inline(always)]
pub(super) unsafe fn ascii<const WIDE: bool, const SWAP: bool>(
    buffers: &Buffers<'_>,
    position: Position,
) -> usize {
    let width = if WIDE { 4 } else { 2 };
    let src = &buffers.src[position.at..];
    let to = buffers.unit::<WIDE>(position.written);
    let room = buffers.room - position.written;
    // SAFETY: the caller's promise.
    unsafe {
        widen::<WIDE, SWAP>(src.as_ptr(), to);
        widen::<WIDE, SWAP>(src.as_ptr().add(BLOCK), to.add(width * BLOCK));
    }
    let mut done = (BLOCK - to as usize % BLOCK) / width;
    while src.len() - done >= STEPS * BLOCK && room - done >= STEPS * BLOCK {
        // SAFETY: a step is left, and there is room for it.
        unsafe {
            let p = src.as_ptr().add(done);
            let (a, b) = (_mm512_loadu_si512(p.cast()), _mm512_loadu_si512(p.add(BLOCK).cast()));
            let (c, d) =
                (_mm512_loadu_si512(p.add(2 * BLOCK).cast()), _mm512_loadu_si512(p.add(3 * BLOCK).cast()));
            let any = _mm512_ternarylogic_epi64::<{ A | B | C }>(a, b, _mm512_or_si512(c, d));
            if _mm512_movepi8_mask(any) != 0 {
                break;
            }
            for (i, bytes) in [a, b, c, d].into_iter().enumerate() {
                widen_register::<WIDE, SWAP>(bytes, to.add(width * (done + i * BLOCK)));
            }
        }
        done += STEPS * BLOCK;
    }
    done.max(CHUNK)
}
