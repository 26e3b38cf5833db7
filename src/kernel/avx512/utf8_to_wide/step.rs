//! One step of up to 64 bytes of anything, to the last character before an error.
//!
//! Where the loops do not go: at both ends of an input or an output, where text changes from one kind
//! to another, and where it is ill-formed. Masks in general registers say what each byte is: leads,
//! shifted by one, two and three bytes, ask for continuation bytes, and with that for the ends of
//! characters. The masks of the step before are all that a step must know.

use super::super::arch::*;
use super::super::utf8::{follow, rules, table};
use super::super::{BLOCK, Window};
use super::join::{compress, store_exactly};
use super::look::{Look, planes, shifted};
use super::{Place, Text};
use crate::kernel::shared::boundary::boundary_before;

/// The leads of the step before: what may be open.
#[derive(Clone, Copy, Default)]
pub(super) struct Before {
    leads: u64,
    threes: u64,
    fours: u64,
}

impl Before {
    /// What is open before `at`, by the bytes there.
    #[inline(always)]
    pub(super) fn at(src: &[u8], at: usize) -> Before {
        let bit = |back: usize, least: u8| u64::from(back <= at && src[at - back] >= least) << (BLOCK - back);
        Before {
            leads: bit(1, 0xC0),
            threes: bit(1, 0xE0) | bit(2, 0xE0),
            fours: bit(1, 0xF0) | bit(2, 0xF0) | bit(3, 0xF0),
        }
    }

    /// Whether no character is open.
    #[inline(always)]
    pub(super) fn is_closed(&self) -> bool {
        self.leads >> 63 | self.threes >> 62 | self.fours >> 61 == 0
    }
}

/// What is where in a step, a bit for each byte.
struct Found {
    /// Bytes that end characters.
    ends: u64,
    /// The third and the fourth bytes of characters of four.
    thirds: u64,
    fourths: u64,
    /// Bytes that must be continuation bytes, and may lie behind the step.
    asked: u64,
    /// Bytes that break a rule.
    errors: u64,
}

/// How a step ended.
pub(super) enum Step {
    /// All of its bytes are converted, but for a character that is open; and the bytes that are not
    /// ASCII, and the length of the longest character.
    Whole { before: Before, signs: u64, longest: u32 },
    /// There is an error, or no room: it ends here.
    Stop(Place),
}

avx512! {
    /// Converts up to 64 bytes.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    pub(super) unsafe fn step<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(text: &Text<'_>, place: &mut Place, before: Before) -> Step {
        let Place { at, written } = *place;
        let len = BLOCK.min(text.src.len() - at);
        // SAFETY: these bytes are in `src`.
        let look = unsafe { look(text.src, at, len) };
        let now = Before {
            leads: at_least(look.bytes, 0xC0),
            threes: at_least(look.bytes, 0xE0),
            fours: at_least(look.bytes, 0xF0),
        };
        let signs = _mm512_movepi8_mask(look.bytes);
        let mut found = find::<CORRECTED>(&look, len, signs, before, now);

        // SAFETY: the next bytes are in `src`.
        let next = if CORRECTED { unsafe { one_further(text.src, at, len) } } else { look.bytes };
        let planes = if !CORRECTED && found.thirds | found.fourths == 0 {
            planes::<3, WIDE, CORRECTED>(&look, next)
        } else {
            planes::<4, WIDE, CORRECTED>(&look, next)
        };
        found.errors |= planes.beyond & (!0 >> (BLOCK - len));

        // At an error, the units of the characters before it.
        let mut units = if WIDE { found.ends } else { found.ends | found.thirds };
        let mut boundary = at + len;
        if found.errors != 0 {
            let flagged = found.errors.trailing_zeros() as usize;
            let open = flagged == BLOCK || found.asked >> flagged & 1 != 0;
            boundary = if open { boundary_before(text.src, at + flagged) } else { at + flagged };
            units &= !(!0 << boundary.saturating_sub(at));
        }
        let count = units.count_ones() as usize;
        if count > text.room - written {
            return Step::Stop(open_at::<WIDE>(text.src, Place { at, written }, before));
        }
        if count != 0 {
            let planes = compress(&planes, units);
            // SAFETY: `count` units fit.
            unsafe { store_exactly::<WIDE, SWAP>(&planes, text.unit::<WIDE>(written), count, text.room - written) };
        }
        let written = written + count;
        if found.errors != 0 {
            // Of four bytes, cut off behind the third, the high surrogate may be written already.
            let half = !WIDE && boundary + 3 == at && text.src[boundary] >= 0xF0;
            return Step::Stop(Place { at: boundary, written: written - usize::from(half) });
        }
        *place = Place { at: at + len, written };
        let longest = 1 + u32::from(signs != 0) + u32::from(now.threes != 0) + u32::from(now.fours != 0);
        Step::Whole { before: now, signs, longest }
    }

    /// The place before the character that may be open before `place`, without its high surrogate.
    #[inline]
    pub(super) fn open_at<const WIDE: bool>(src: &[u8], place: Place, before: Before) -> Place {
        if before.is_closed() {
            return place;
        }
        let at = boundary_before(src, place.at);
        let half = !WIDE && at + 3 == place.at && src[at] >= 0xF0;
        Place { at, written: place.written - usize::from(half) }
    }

    /// The `len` bytes from `at` on.
    ///
    /// # Safety
    /// They must be in `src`.
    #[inline]
    unsafe fn look(src: &[u8], at: usize, len: usize) -> Look {
        if at == 0 {
            // SAFETY: this is such a function.
            return unsafe { Look::first(first(&src[..len])) };
        }
        let p = src.as_ptr().wrapping_add(at);
        // SAFETY: lanes behind the end of `src` are masked off.
        unsafe {
            if len == BLOCK {
                return Look::at(p);
            }
            let lanes = !0 >> (BLOCK - len);
            let [bytes, one, two, three] =
                [0, 1, 2, 3].map(|back| _mm512_maskz_loadu_epi8(lanes, p.wrapping_sub(back).cast()));
            Look { bytes, one, two, three }
        }
    }

    /// The bytes one further than the `len` bytes from `at` on, with zeros where there are none.
    ///
    /// # Safety
    /// These must be in `src`.
    #[inline]
    unsafe fn one_further(src: &[u8], at: usize, len: usize) -> __m512i {
        let rest = &src[at + 1..src.len().min(at + 1 + len)];
        if rest.is_empty() { _mm512_setzero_si512() } else { first(rest) }
    }

    /// Up to 64 bytes, not none, from the first lane on.
    #[inline]
    pub(super) fn first(src: &[u8]) -> __m512i {
        let window = Window::over(src);
        // SAFETY: the lanes of the window are the bytes of `src`.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(window.lanes, window.base.cast()) };
        if window.shift == 0 { bytes } else { shifted(bytes, window.shift as i32) }
    }

    #[inline]
    fn at_least(bytes: __m512i, least: u8) -> u64 {
        _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(least as i8))
    }

    /// What is where, and which bytes break a rule.
    #[inline]
    fn find<const CORRECTED: bool>(look: &Look, len: usize, signs: u64, before: Before, now: Before) -> Found {
        let inside = !0 >> (BLOCK - len);
        let second = follow::<1>(now.leads, before.leads);
        let third = follow::<2>(now.threes, before.threes);
        let fourths = follow::<3>(now.fours, before.fours);
        let thirds = follow::<2>(now.fours, before.fours);
        let asked = second | third | fourths;

        let refused = _mm512_add_epi8(_mm512_permutexvar_epi8(look.one, table(&rules(CORRECTED).second)), look.bytes);
        let refused = _mm512_movepi8_mask(refused) & second & inside;
        // Behind the last byte of the input nothing may be asked for, so that the bits there count.
        let beyond = if len == BLOCK { 0 } else { 1 << len };
        let errors = refused | (asked ^ (signs & !now.leads)) & (inside | beyond);

        // A character ends where the last of its bytes is asked for.
        let ends_of_two = follow::<1>(now.leads & !now.threes, before.leads & !before.threes);
        let ends_of_three = follow::<2>(now.threes & !now.fours, before.threes & !before.fours);
        let ends = (!signs | ends_of_two | ends_of_three | fourths) & inside;
        Found { ends, thirds, fourths, asked, errors }
    }
}
