//! One step of up to 64 bytes of any text, up to the last character before an error, or the last one that fits.
//!
//! It is used where the loops are not: at the beginning of an input, at the end of an output, and where text is
//! ill-formed. Masks in general registers tell what each byte is: lead bytes, shifted by one,
//! two and three bits, require continuation bytes, and so determine the ends of characters. The masks of the step
//! before are all that a step must know.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::{MaskedLoad, low_bits, nth_set_bit};
use super::super::registers::load_table;
use super::super::utf8::{OpenLeads, rules, shift_in};
use super::join::{compress, store_exactly};
use super::planes::{Window, planes, shifted};
use super::{Buffers, Position};
use crate::kernel::shared::boundary::boundary_before;

/// The structure of a step, a bit for each byte.
struct Structure {
    /// Bytes that end characters.
    ends: u64,
    /// The third and the fourth bytes of characters of four.
    thirds: u64,
    fourths: u64,
    /// Bytes that must be continuation bytes, one behind the step included.
    required: u64,
    /// Bytes that break a rule.
    errors: u64,
}

/// How a step ended.
pub(super) enum Step {
    /// All of its bytes are converted, except for an incomplete character; its lead bytes are for the next step.
    Whole(OpenLeads),
    /// There is an error, or no room: the conversion ends here.
    Stop(Position),
}

avx512! {
    /// Converts up to 64 bytes.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    pub(super) unsafe fn step<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>, position: &mut Position, before: OpenLeads) -> Step {
        let Position { at, written } = *position;
        let len = BLOCK.min(buffers.src.len() - at);
        // SAFETY: these bytes are in `src`.
        let window = unsafe { load_window(buffers.src, at, len) };
        let now = OpenLeads {
            leads: at_least(window.bytes, 0xC0),
            threes: at_least(window.bytes, 0xE0),
            fours: at_least(window.bytes, 0xF0),
        };
        let non_ascii = _mm512_movepi8_mask(window.bytes);
        let mut structure = structure::<CORRECTED>(&window, len, non_ascii, before, now);

        // SAFETY: the next bytes are in `src`.
        let next = if CORRECTED { unsafe { one_later(buffers.src, at, len) } } else { window.bytes };
        let planes = if !CORRECTED && structure.thirds | structure.fourths == 0 {
            planes::<3, WIDE, CORRECTED>(&window, next)
        } else {
            planes::<4, WIDE, CORRECTED>(&window, next)
        };
        structure.errors |= planes.unsupported & (!0 >> (BLOCK - len));

        // At an error, the units of the characters before it.
        let mut units = if WIDE { structure.ends } else { structure.ends | structure.thirds };
        let mut boundary = at + len;
        if structure.errors != 0 {
            let flagged = structure.errors.trailing_zeros() as usize;
            let open = flagged == BLOCK || structure.required >> flagged & 1 != 0;
            boundary = if open { boundary_before(buffers.src, at + flagged) } else { at + flagged };
            units &= !(!0 << boundary.saturating_sub(at));
        }
        let mut count = units.count_ones() as usize;
        let room = buffers.room - written;
        let is_full = count > room;
        if is_full {
            // The whole characters that fit: a high surrogate needs room for the low one.
            units &= low_bits(nth_set_bit(units, room));
            let last = (1 << 63 >> units.leading_zeros().min(63)) & units;
            units &= !(if WIDE { 0 } else { last & structure.thirds });
            count = units.count_ones() as usize;
            boundary = at + BLOCK - units.leading_zeros() as usize;
        }
        if count != 0 {
            let planes = compress(&planes, units);
            // SAFETY: `count` units fit.
            unsafe { store_exactly::<WIDE, SWAP>(&planes, buffers.unit::<WIDE>(written), count, room) };
        }
        if is_full {
            let position = Position { at, written };
            return Step::Stop(match count {
                0 => open_at::<WIDE>(buffers.src, position, before),
                _ => Position { at: boundary, written: written + count },
            });
        }
        let written = written + count;
        if structure.errors != 0 {
            // If a character of four bytes is cut off behind the third, its high surrogate may be written already.
            let half = !WIDE && boundary + 3 == at && buffers.src[boundary] >= 0xF0;
            return Step::Stop(Position { at: boundary, written: written - usize::from(half) });
        }
        *position = Position { at: at + len, written };
        Step::Whole(now)
    }

    /// The position before a character that may be incomplete at `position`, with its high surrogate taken back.
    #[inline]
    pub(super) fn open_at<const WIDE: bool>(src: &[u8], position: Position, before: OpenLeads) -> Position {
        if before.is_closed() {
            return position;
        }
        let at = boundary_before(src, position.at);
        let half = !WIDE && at + 3 == position.at && src[at] >= 0xF0;
        Position { at, written: position.written - usize::from(half) }
    }

    /// The `len` bytes from `at` on.
    ///
    /// # Safety
    /// They must be in `src`.
    #[inline]
    unsafe fn load_window(src: &[u8], at: usize, len: usize) -> Window {
        if at == 0 {
            // SAFETY: this is a function of `avx512!`.
            return unsafe { Window::first(first(&src[..len])) };
        }
        let p = src.as_ptr().wrapping_add(at);
        // SAFETY: lanes behind the end of `src` are masked off.
        unsafe {
            if len == BLOCK {
                return Window::at(p);
            }
            let lanes = !0 >> (BLOCK - len);
            Window {
                bytes: _mm512_maskz_loadu_epi8(lanes, p.cast()),
                prev1: _mm512_maskz_loadu_epi8(lanes, p.sub(1).cast()),
                prev2: _mm512_maskz_loadu_epi8(lanes, p.sub(2).cast()),
                prev3: _mm512_maskz_loadu_epi8(lanes, p.sub(3).cast()),
            }
        }
    }

    /// The bytes one position behind the `len` bytes from `at` on, with zeros where there are none.
    ///
    /// # Safety
    /// These must be in `src`.
    #[inline]
    unsafe fn one_later(src: &[u8], at: usize, len: usize) -> __m512i {
        let rest = &src[at + 1..src.len().min(at + 1 + len)];
        if rest.is_empty() { _mm512_setzero_si512() } else { first(rest) }
    }

    /// 1 to 64 bytes, from the first lane on.
    #[inline]
    pub(super) fn first(src: &[u8]) -> __m512i {
        let load = MaskedLoad::of(src);
        // SAFETY: the lanes are the bytes of `src`.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(load.lanes, load.base.cast()) };
        if load.shift == 0 { bytes } else { shifted(bytes, load.shift as i32) }
    }

    /// The bytes that are at least `least`.
    #[inline]
    fn at_least(bytes: __m512i, least: u8) -> u64 {
        _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(least as i8))
    }

    /// What each byte is, and which bytes break a rule.
    #[inline]
    fn structure<const CORRECTED: bool>(window: &Window, len: usize, non_ascii: u64, before: OpenLeads, now: OpenLeads) -> Structure {
        let inside = !0 >> (BLOCK - len);
        let second = shift_in::<1>(now.leads, before.leads);
        let third = shift_in::<2>(now.threes, before.threes);
        let fourths = shift_in::<3>(now.fours, before.fours);
        let thirds = shift_in::<2>(now.fours, before.fours);
        let required = second | third | fourths;

        let disallowed = _mm512_add_epi8(_mm512_permutexvar_epi8(window.prev1, load_table(&rules(CORRECTED).second)), window.bytes);
        let disallowed = _mm512_movepi8_mask(disallowed) & second & inside;
        // Behind the last byte of the input no continuation byte may be required, so the bit there counts.
        let beyond = if len == BLOCK { 0 } else { 1 << len };
        let errors = disallowed | (required ^ (non_ascii & !now.leads)) & (inside | beyond);

        // A character ends where the last of its bytes is required.
        let ends_of_two = shift_in::<1>(now.leads & !now.threes, before.leads & !before.threes);
        let ends_of_three = shift_in::<2>(now.threes & !now.fours, before.threes & !before.fours);
        let ends = (!non_ascii | ends_of_two | ends_of_three | fourths) & inside;
        Structure { ends, thirds, fourths, required, errors }
    }
}
