//! The loops for long text: each for one kind, 64 bytes a step without a branch.
//!
//! An error is noticed at the end of a chunk of four steps: what the chunk has written is then
//! forgotten, and the chunk is looked at closely. A loop keeps nothing in mind from one step to the
//! next but the place of the output. Each pair of bytes is judged when the second one comes by, as it
//! is everywhere in this kernel, so that nothing is lost where one loop follows another; and a loop
//! does not begin behind a lead further back than it looks.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::utf8::{rules, table};
use super::join::{Planes, compress, join, join_sums};
use super::look::{A, B, C, Look, planes};
use super::{Place, Text};

/// Steps of a chunk.
const STEPS: usize = 4;

/// How far ahead the loops prefetch.
const AHEAD: usize = 8 * BLOCK;

/// After so many chunks that did not need this loop, the next cheaper one is tried.
const PATIENCE: u32 = 16;

/// By so many the chunks of nothing but ASCII must outnumber the others.
const ASCII_LEAD: u32 = 3;

/// Why a loop stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// There is no whole step left, of the input or of the output.
    Short,
    /// The next chunk is ill-formed, or of a kind that the loop does not know.
    Refused,
    /// The last chunks did not need this loop.
    Quiet,
    /// The last chunks were ASCII.
    Ascii,
}

avx512! {
    /// Text whose characters have up to `MOST` bytes, from 2 to 4.
    ///
    /// # Safety
    /// As for the kernel; and three bytes must be before `place`, all well-formed up to there.
    #[inline(never)]
    pub(super) unsafe fn dense<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(text: &Text<'_>, place: &mut Place) -> End {
        let Text { src, room, .. } = *text;
        let Place { mut at, mut written } = *place;
        let (mut quiet, mut ascii) = (0u32, 0u32);
        let blind = match MOST {
            2 => src[at - 2] >= 0xE0 || src[at - 3] >= 0xF0,
            3 => src[at - 2] >= 0xF0 || src[at - 3] >= 0xF0,
            _ => false,
        };
        if blind {
            return End::Refused;
        }
        let end = loop {
            // A step's last byte must not be the input's, for there is a look at the next one.
            let steps = STEPS.min((src.len() - at).saturating_sub(1) / BLOCK).min((room - written) / BLOCK);
            if steps == 0 {
                break End::Short;
            }
            let mut error = _mm512_setzero_si512();
            let mut needed = _mm512_setzero_si512();
            let mut to = written;
            for step in 0..steps {
                // SAFETY: the step is within `src`, and so are three bytes before it and one behind;
                // and 64 units fit for each step.
                unsafe {
                    let p = src.as_ptr().add(at + step * BLOCK);
                    prefetch(p);
                    let look = Look::at(p);
                    to += convert::<MOST, WIDE, SWAP, CORRECTED>(&look, p, text.unit::<WIDE>(to), &mut error, &mut needed);
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
                quiet = if _mm512_movepi8_mask(needed) == 0 { quiet + 1 } else { 0 };
                if quiet == PATIENCE {
                    break End::Quiet;
                }
            }
        };
        *place = Place { at, written };
        end
    }

    /// What is wrong with a block whose characters have up to `MOST` bytes: the top bit is set of bytes
    /// that break a rule, and of `needed` where a character of `MOST` bytes asks for its last byte.
    #[inline]
    pub(super) fn wrong<const MOST: u32, const CORRECTED: bool>(look: &Look, needed: &mut __m512i) -> __m512i {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        // Rule (1): a continuation byte is where a lead asks for one. The top bit is set of the bytes
        // behind a lead, and of continuation bytes.
        let second = _mm512_subs_epu8(look.one, all(0x40));
        let continuation = _mm512_adds_epi8(look.bytes, all(0x40));
        let misplaced = match MOST {
            2 => _mm512_xor_si512(second, continuation),
            3 => {
                let third = _mm512_subs_epu8(look.two, all(0x60));
                *needed = _mm512_or_si512(*needed, third);
                _mm512_ternarylogic_epi64::<{ (A | B) ^ C }>(second, third, continuation)
            }
            _ => {
                let third = _mm512_subs_epu8(look.two, all(0x60));
                let fourth = _mm512_subs_epu8(look.three, all(0x70));
                *needed = _mm512_or_si512(*needed, fourth);
                let later = _mm512_ternarylogic_epi64::<{ (A | B) ^ C }>(third, fourth, continuation);
                // The three leads exclude each other where all is well.
                _mm512_xor_si512(second, later)
            }
        };
        if CORRECTED {
            // No lead refuses anything; but the loop does not know them all.
            let known = [0x60, 0x70, 0x78][MOST as usize - 2];
            return _mm512_or_si512(misplaced, _mm512_subs_epu8(look.one, all(known)));
        }
        // Rule (2): a lead may refuse the byte behind it.
        let rules = rules(false);
        let refused = match MOST {
            2 => _mm512_permutexvar_epi8(look.one, table(&rules.refused)),
            3 => _mm512_add_epi8(_mm512_permutexvar_epi8(look.one, table(&rules.second_of_three)), look.bytes),
            _ => _mm512_add_epi8(_mm512_permutexvar_epi8(look.one, table(&rules.second)), look.bytes),
        };
        _mm512_ternarylogic_epi64::<{ (A & B) | C }>(refused, second, misplaced)
    }

    /// Converts the 64 bytes of `look`, which are at `p`, to units at `to`, and returns how many there
    /// are. The top bit of some byte of `error` is set if something is wrong with them, or of `needed`
    /// if a character of `MOST` bytes is among them.
    ///
    /// # Safety
    /// A byte must be readable behind them; and there must be room for 64 units.
    #[inline]
    pub(super) unsafe fn convert<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(look: &Look, p: *const u8, to: *mut u8, error: &mut __m512i, needed: &mut __m512i) -> usize {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        *error = _mm512_or_si512(*error, wrong::<MOST, CORRECTED>(look, needed));
        if MOST == 2 {
            // The lead's bits, and in the other byte's stead what its top bit amounts to.
            let high = _mm512_subs_epu8(look.one, all(if CORRECTED { 0xC0 } else { 0xC2 }));
            // Of the offset A0 that top bit is a part.
            let low = if CORRECTED {
                let signs = _mm512_movepi8_mask(look.bytes);
                _mm512_mask_add_epi8(look.bytes, signs, look.bytes, all(0x20))
            } else {
                look.bytes
            };
            let ends = _mm512_cmplt_epu8_mask(look.bytes, all(0xC0));
            let planes = Planes {
                low: _mm512_maskz_compress_epi8(ends, low),
                high: _mm512_maskz_compress_epi8(ends, high),
                top: None,
                beyond: 0,
            };
            let count = ends.count_ones() as usize;
            // SAFETY: the caller's promise.
            unsafe { store::<true, WIDE, SWAP>(&planes, to, count) };
            return count;
        }
        // SAFETY: the caller's promise.
        let next = unsafe { _mm512_loadu_si512(p.add(1).cast()) };
        // A character ends before anything but a continuation byte.
        let mut units = _mm512_cmpgt_epi8_mask(next, all(0xBF));
        if MOST == 4 && !WIDE {
            units |= _mm512_cmpge_epu8_mask(look.two, all(0xF0));
        }
        let planes = planes::<MOST, WIDE, CORRECTED>(look, next);
        if CORRECTED {
            *error = _mm512_or_si512(*error, _mm512_movm_epi8(planes.beyond));
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

    /// ASCII: returns the bytes that were converted, in steps of 256. The output is aligned to lines.
    ///
    /// # Safety
    /// As for the kernel; and 64 bytes of ASCII must be at `place`, and room for as many units.
    #[inline(never)]
    pub(super) unsafe fn ascii<const WIDE: bool, const SWAP: bool>(text: &Text<'_>, place: Place) -> usize {
        let width = if WIDE { 4 } else { 2 };
        let src = &text.src[place.at..];
        let to = text.unit::<WIDE>(place.written);
        let room = text.room - place.written;
        // SAFETY: the caller's promise.
        unsafe { widen::<WIDE, SWAP>(src.as_ptr(), to) };
        let mut done = (BLOCK - to as usize % BLOCK) / width;
        while src.len() - done >= STEPS * BLOCK && room - done >= STEPS * BLOCK {
            // SAFETY: there is a step, and room for it.
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
