//! UTF-16 with U+FFFD for unpaired surrogates: two masks per register, shifted against each other.
//!
//! The plain loop of [`replace_wide`](crate::kernel::portable::replace_wide) loads each unit and its neighbours. Here a register is
//! loaded once, and the missing bits of its masks come from the register before it and the one after it. There is no branch:
//! storing only what has changed was slower, because errors are not predictable.
//!
//! In place, blocks without an error are skipped; see [`generic::replace_utf16`](crate::kernel::generic::replace_utf16).

use super::arch::*;
use super::lanes::Avx512;
use super::memory::{load_partial, low_bits};
use crate::kernel::generic::replace_utf16::{Rewrite, replace_in_place};
use crate::kernel::vector::parts_of_a_root;

/// Units in a register.
const UNITS: usize = 32;

/// The rewriting in place, by masks.
struct Registers;

impl Rewrite for Registers {
    type Lanes = Avx512;

    parts_of_a_root! {
        "avx512vl,avx512vbmi,avx512vbmi2,gfni,bmi1,bmi2,popcnt";

        fn registers(units: *mut u16, count: usize) -> usize {
            // SAFETY: the caller's promise.
            unsafe { rewrite::<false>(units.cast_const().cast(), units.cast(), count, 1).0 }
        }

        fn end(text: *mut u16, at: usize, len: usize) -> usize {
            // SAFETY: the caller's promise.
            unsafe { to_the_end::<false>(text.add(at).cast_const().cast(), text.add(at).cast(), len - at, 1) }
        }
    }
}

avx512! {
    /// Copies the `len` units at `src`, in native byte order or, if `SWAP`, in the other one, to `dst`, with U+FFFD for
    /// unpaired surrogates; returns how many were replaced.
    ///
    /// # Safety
    /// `len` units must be readable and writable, at any alignment. `dst` may be equal to `src`, but must not overlap
    /// it otherwise.
    pub(in crate::kernel) unsafe fn replace_utf16<const SWAP: bool>(src: *const u8, dst: *mut u8, len: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe { to_the_end::<SWAP>(src, dst, len, 0) }
    }

    /// Replaces the unpaired surrogates in the `len` units at `text`, in native byte order; returns how many there were.
    ///
    /// # Safety
    /// They must be readable and writable, at any alignment.
    pub(in crate::kernel) unsafe fn replace_utf16_in_place(text: *mut u8, len: usize) -> usize {
        // SAFETY: the caller's promise, and this is compiled for the instruction set.
        unsafe { replace_in_place::<Registers>(text.cast(), len) }
    }

    /// Copies units up to the end of the text; returns how many were replaced. `after_high` is 1 if the first unit may be a low
    /// surrogate.
    ///
    /// # Safety
    /// As for [`replace_utf16`].
    #[inline]
    unsafe fn to_the_end<const SWAP: bool>(src: *const u8, dst: *mut u8, len: usize, after_high: u32) -> usize {
        let count = len.saturating_sub(1) / UNITS;
        // SAFETY: so many registers are in the text, and at least one unit behind them.
        let (mut replaced, after_high) = unsafe { rewrite::<SWAP>(src, dst, count, after_high) };
        let (at, rest) = (2 * UNITS * count, len - UNITS * count);
        if rest > 0 {
            // SAFETY: the lanes are the units that are left.
            unsafe {
                let units = load_partial(src.add(at), 2 * rest);
                let low_units = with_prefix::<SWAP>(units, 0xDC00);
                let bad = unpaired(with_prefix::<SWAP>(units, 0xD800), low_units, low_units >> 1, after_high);
                replaced += bad.count_ones() as usize;
                _mm512_mask_storeu_epi8(dst.add(at).cast(), low_bits(2 * rest), with_replacements::<SWAP>(units, bad));
            }
        }
        replaced
    }

    /// Copies `count` registers, behind which there is a unit. Returns how many units were replaced, and 1 if the last one is a high
    /// surrogate. `after_high` says that of the unit before the first.
    ///
    /// # Safety
    /// The registers must be readable and writable, and the unit behind them readable.
    #[inline]
    unsafe fn rewrite<const SWAP: bool>(src: *const u8, dst: *mut u8, count: usize, mut after_high: u32) -> (usize, u32) {
        let mut replaced = 0;
        if count == 0 {
            return (replaced, after_high);
        }
        // SAFETY: there is a register.
        let mut units = unsafe { _mm512_loadu_si512(src.cast()) };
        let mut low_units = with_prefix::<SWAP>(units, 0xDC00);
        for register in 1..count {
            let at = 2 * UNITS * register;
            // SAFETY: there is this register.
            let next = unsafe { _mm512_loadu_si512(src.add(at).cast()) };
            let next_low = with_prefix::<SWAP>(next, 0xDC00);
            let high = with_prefix::<SWAP>(units, 0xD800);
            let bad = unpaired(high, low_units, low_units >> 1 | next_low << (UNITS - 1), after_high);
            replaced += bad.count_ones() as usize;
            // SAFETY: there is room for what has been read.
            unsafe { _mm512_storeu_si512(dst.add(at - 2 * UNITS).cast(), with_replacements::<SWAP>(units, bad)) };
            after_high = high >> (UNITS - 1);
            (units, low_units) = (next, next_low);
        }
        let at = 2 * UNITS * (count - 1);
        // SAFETY: a unit is behind the last register, which there is room for.
        unsafe {
            let behind = _mm512_loadu_si512(src.add(at + 2).cast());
            let high = with_prefix::<SWAP>(units, 0xD800);
            let bad = unpaired(high, low_units, with_prefix::<SWAP>(behind, 0xDC00), after_high);
            replaced += bad.count_ones() as usize;
            _mm512_storeu_si512(dst.add(at).cast(), with_replacements::<SWAP>(units, bad));
            (replaced, high >> (UNITS - 1))
        }
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
