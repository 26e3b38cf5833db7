//! The prefix of a text that CESU-8 and modified UTF-8 write as UTF-8 does: the search for the first *special* unit.
//!
//! Supplementary characters are special, and so is U+0000 for modified UTF-8. A supplementary character is recognised by its lead
//! byte in UTF-8, and by a surrogate in UTF-16.
//!
//! Bytes are tested by the maximum and the minimum over several rows. Tests of single bytes, joined by `or`, were vectorised with some
//! settings of the compiler and not with others, and reached a quarter of the speed at best. Less than a block is searched in groups of
//! eight units, the last of which overlaps the one before it; unit by unit, the search in a string of 48 bytes took as long as everything
//! else that is done with it.

use super::cesu8::{HIGH, leads_of_four, word, zeros};
use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Family, Form, is_surrogate};

/// Units tested together.
const BLOCK: usize = 64;

/// Blocks of bytes tested together.
const ROWS: usize = 8;

/// Units tested together where there is no block.
const GROUP: usize = 8;

/// The search for the first special unit of a text.
pub(in crate::kernel) struct Ordinary<S: Form> {
    src: *const S::Unit,
    len: usize,
    /// One more special value: 0 if U+0000 is special.
    nul: u32,
}

impl<S: Form> Ordinary<S> {
    /// Searches the `len` units of `S` at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const S::Unit, len: usize, two_byte_nul: bool) -> Self {
        Ordinary { src, len, nul: if two_byte_nul { 0 } else { Self::SPECIAL } }
    }

    /// The least special value, surrogates aside.
    const SPECIAL: u32 = match S::FAMILY {
        Family::Utf8 | Family::Cesu8 => 0xF0,
        Family::Utf16 => 0xD800,
        Family::Utf32 => 0x1_0000,
        Family::Corrected | Family::Latin1 | Family::Ascii => 0x100,
    };

    /// Whether a unit is special, or part of a special character.
    #[inline(always)]
    fn is_special(&self, unit: S::Unit) -> bool {
        let value = S::value(unit);
        let special = match S::FAMILY {
            Family::Utf16 => is_surrogate(value),
            _ => value >= Self::SPECIAL,
        };
        special | (value == self.nul)
    }

    /// Whether one of the `N` units at `at` is special.
    ///
    /// # Safety
    /// They must be readable.
    #[inline(always)]
    unsafe fn any_special<const N: usize>(&self, at: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            if N == GROUP && size_of::<S::Unit>() == 1 {
                let bytes = word(self.src.add(at).cast());
                let leads = if Self::SPECIAL == 0xF0 { leads_of_four(bytes) } else { 0 };
                return (leads | if self.nul == 0 { zeros(bytes) } else { 0 }) & HIGH != 0;
            }
            let units = self.src.add(at).cast::<[S::Unit; N]>().read_unaligned();
            units.iter().fold(false, |any, unit| any | self.is_special(*unit))
        }
    }

    /// Skips groups of `N` units without a special one from `at` on; returns the position of the first that has one, or is not whole.
    ///
    /// # Safety
    /// `at` must not be greater than the length.
    #[inline(always)]
    unsafe fn skip<const N: usize>(&self, mut at: usize) -> usize {
        // SAFETY: so many units are left.
        while self.len - at >= N && !unsafe { self.any_special::<N>(at) } {
            at += N;
        }
        at
    }
}

impl<S: Form> Plain for Ordinary<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let mut at = 0;
        // SAFETY: `len` units are readable.
        unsafe {
            if size_of::<S::Unit>() == 1 {
                at = ordinary_bytes(self.src.cast(), self.len, self.nul == 0);
            }
            at = self.skip::<BLOCK>(at);
            at = self.skip::<GROUP>(at);
            let is_last = self.len >= GROUP && self.len - at < GROUP;
            if is_last && !self.any_special::<GROUP>(self.len - GROUP) {
                at = self.len;
            }
            at = self.skip::<1>(at);
        }
        Progress { read: at, written: at }
    }
}

/// How many bytes at `src`, in whole steps, are neither the lead byte of four nor, with `nul`, 00.
///
/// # Safety
/// `len` bytes must be readable.
#[inline(always)]
unsafe fn ordinary_bytes(src: *const u8, len: usize, nul: bool) -> usize {
    let mut at = 0;
    while len - at >= ROWS * BLOCK {
        // SAFETY: so many bytes are left.
        let rows = unsafe { src.add(at).cast::<[[u8; BLOCK]; ROWS]>().read_unaligned() };
        let (mut most, mut least) = ([0; BLOCK], [0xFF; BLOCK]);
        for row in rows {
            for (most, byte) in most.iter_mut().zip(row) {
                *most = byte.max(*most);
            }
            if nul {
                for (least, byte) in least.iter_mut().zip(row) {
                    *least = byte.min(*least);
                }
            }
        }
        let four = most.into_iter().fold(0, u8::max) >= 0xF0;
        if four || nul && least.into_iter().fold(0xFF, u8::min) == 0 {
            break;
        }
        at += ROWS * BLOCK;
    }
    at
}
