//! UTF-16 with U+FFFD for unpaired surrogates: two masks per register, shifted against each other.
//!
//! The plain loop of [`replace_wide`](crate::kernel::portable::replace_wide) loads each unit and its neighbours. Here a
//! register is loaded once, and the missing bits of its masks come from the register before and the one behind. There
//! is no branch: storing only what has changed was slower, because errors are not predictable.

use super::arch::*;
use super::memory::{load_partial, low_bits};
use crate::kernel::Progress;

/// Units in a register.
const UNITS: usize = 32;

avx512! {
    /// Copies the `len` units at `src`, in native byte order or, if `SWAP`, in the other one, to `dst`, with U+FFFD for
    /// unpaired surrogates. `written` is the number of units that were replaced.
    ///
    /// # Safety
    /// `len` units must be readable and writable, at any alignment. `dst` may be equal to `src`, but must not overlap
    /// it otherwise.
    pub(in crate::kernel) unsafe fn replace_utf16<const SWAP: bool>(src: *const u8, dst: *mut u8, len: usize) -> Progress {
        let mut replaced = 0;
        let mut after_high = 0;
        let mut at = 0;
        if len > UNITS {
            // SAFETY: a register is left, and there is room for it.
            let mut units = unsafe { _mm512_loadu_si512(src.cast()) };
            let mut low_units = with_prefix::<SWAP>(units, 0xDC00);
            while len - at > 2 * UNITS {
                // SAFETY: two registers are left.
                let next = unsafe { _mm512_loadu_si512(src.add(2 * (at + UNITS)).cast()) };
                let next_low = with_prefix::<SWAP>(next, 0xDC00);
                let high = with_prefix::<SWAP>(units, 0xD800);
                let bad = unpaired(high, low_units, low_units >> 1 | next_low << (UNITS - 1), after_high);
                replaced += bad.count_ones() as usize;
                // SAFETY: there is room for what has been read.
                unsafe { _mm512_storeu_si512(dst.add(2 * at).cast(), with_replacements::<SWAP>(units, bad)) };
                after_high = high >> (UNITS - 1);
                (units, low_units) = (next, next_low);
                at += UNITS;
            }
            // SAFETY: a register is left, and at least one unit behind it.
            unsafe {
                let behind = _mm512_loadu_si512(src.add(2 * at + 2).cast());
                let high = with_prefix::<SWAP>(units, 0xD800);
                let bad = unpaired(high, low_units, with_prefix::<SWAP>(behind, 0xDC00), after_high);
                replaced += bad.count_ones() as usize;
                _mm512_storeu_si512(dst.add(2 * at).cast(), with_replacements::<SWAP>(units, bad));
                after_high = high >> (UNITS - 1);
                at += UNITS;
            }
        }
        let rest = len - at;
        if rest > 0 {
            // SAFETY: the lanes are the units that are left.
            unsafe {
                let units = load_partial(src.add(2 * at), 2 * rest);
                let low_units = with_prefix::<SWAP>(units, 0xDC00);
                let bad = unpaired(with_prefix::<SWAP>(units, 0xD800), low_units, low_units >> 1, after_high);
                replaced += bad.count_ones() as usize;
                _mm512_mask_storeu_epi8(dst.add(2 * at).cast(), low_bits(2 * rest), with_replacements::<SWAP>(units, bad));
            }
        }
        Progress { read: len, written: replaced }
    }

    /// The units, with U+FFFD in place of those in `bad`.
    #[inline]
    fn with_replacements<const SWAP: bool>(units: __m512i, bad: u32) -> __m512i {
        _mm512_mask_mov_epi16(units, bad, splat::<SWAP>(0xFFFD))
    }

    /// The surrogates without a partner: `high` and `low` are the surrogates, `before_low` the units before a low one,
    /// and `after_high` says whether the unit before the first is a high one.
    #[inline]
    fn unpaired(high: u32, low: u32, before_low: u32, after_high: u32) -> u32 {
        (high & !before_low) | (low & !(high << 1 | after_high))
    }

    /// The units whose top six bits are those of `first`.
    #[inline]
    fn with_prefix<const SWAP: bool>(units: __m512i, first: u16) -> u32 {
        _mm512_testn_epi16_mask(_mm512_xor_si512(units, splat::<SWAP>(first)), splat::<SWAP>(0xFC00))
    }

    /// A unit in every lane, in the byte order of the text.
    #[inline]
    fn splat<const SWAP: bool>(unit: u16) -> __m512i {
        _mm512_set1_epi16((if SWAP { unit.swap_bytes() } else { unit }) as i16)
    }
}
