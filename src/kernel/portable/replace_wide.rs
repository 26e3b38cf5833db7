//! UTF-16 and UTF-32 with every ill-formed unit replaced by U+FFFD: as many units come out as go in.
//!
//! A unit of UTF-16 is ill-formed or not by its two neighbours alone, and one of UTF-32 by itself; so
//! there is nothing to search for and nothing to restart at, however many errors there are. This is a
//! plain loop over three units side by side, which compilers vectorise.
//!
//! It may write where it reads: a unit before another is then looked at when it has been replaced already,
//! but only an unpaired one has been, and so the answer is the same.

use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Family, Form, is_high, is_low, is_surrogate};

/// The units, and where they go to.
pub(in crate::kernel) struct ReplaceWide<S: Form> {
    src: *const S::Unit,
    dst: *mut S::Unit,
    len: usize,
}

impl<S: Form> ReplaceWide<S> {
    /// Of the `len` units of `S` at `src` to as many at `dst`, at any alignment. The two may be the same,
    /// but not overlap in another way.
    pub(in crate::kernel) fn new(src: *const u8, dst: *mut u8, len: usize) -> Self {
        ReplaceWide { src: src.cast(), dst: dst.cast(), len }
    }
}

/// Units in a block.
const BLOCK: usize = 64;

impl<S: Form> Plain for ReplaceWide<S> {
    /// As what was "written", the number of units that were replaced.
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let value = |at: usize| {
            // SAFETY: the caller asks for units that there are.
            S::value(unsafe { self.src.add(at).read_unaligned() })
        };
        let mut replaced = 0;
        let mut edge = |at: usize| {
            // Nothing is paired with what lies outside.
            let before = if at == 0 { 0 } else { value(at - 1) };
            let behind = if at + 1 == self.len { 0 } else { value(at + 1) };
            let bad = is_ill_formed::<S>(before, value(at), behind);
            replaced += usize::from(bad);
            // SAFETY: there is room for as many units.
            unsafe { self.dst.add(at).write_unaligned(S::unit(if bad { 0xFFFD } else { value(at) })) };
        };
        let mut at = 0;
        let mut in_blocks = 0;
        if self.len > 0 {
            edge(0);
            at = 1;
        }
        while self.len - at > BLOCK {
            // SAFETY: there is a block from `at` on, one unit before it and one behind it; and room.
            in_blocks += unsafe { self.block(at) };
            at += BLOCK;
        }
        while at < self.len {
            edge(at);
            at += 1;
        }
        Progress { read: self.len, written: replaced + in_blocks }
    }
}

impl<S: Form> ReplaceWide<S> {
    /// A block; how many units were replaced.
    ///
    /// # Safety
    /// There must be units from one before it to one behind it, and room for it.
    #[inline(always)]
    unsafe fn block(&self, at: usize) -> usize {
        // SAFETY: the caller's promise.
        let [before, units, behind] = [at - 1, at, at + 1]
            .map(|at| unsafe { self.src.add(at).cast::<[S::Unit; BLOCK]>().read_unaligned() });
        let mut washed = units;
        let mut replaced = 0_u8;
        for lane in 0..BLOCK {
            let (before, unit, behind) =
                (S::value(before[lane]), S::value(units[lane]), S::value(behind[lane]));
            let bad = is_ill_formed::<S>(before, unit, behind);
            replaced += u8::from(bad);
            washed[lane] = if bad { S::unit(0xFFFD) } else { units[lane] };
        }
        // SAFETY: the caller's promise.
        unsafe { self.dst.add(at).cast::<[S::Unit; BLOCK]>().write_unaligned(washed) };
        replaced.into()
    }
}

/// Whether a unit between two others is no part of a character.
#[inline(always)]
fn is_ill_formed<S: Form>(before: u32, unit: u32, behind: u32) -> bool {
    match S::FAMILY {
        Family::Utf16 => (is_high(unit) & !is_low(behind)) | (is_low(unit) & !is_high(before)),
        _ => (unit >= 0x11_0000) | is_surrogate(unit),
    }
}
