//! UTF-16 and UTF-32 with every ill-formed unit replaced by U+FFFD: the length stays the same.
//!
//! Whether a unit of UTF-16 is ill-formed depends on its two neighbours only, and a unit of UTF-32 on itself; so there is no search
//! and no restart, however many errors there are. This is a plain loop over three adjacent units, which compilers vectorise: it is for
//! UTF-32, and for UTF-16 without vectors ([`generic::replace_utf16`](crate::kernel::generic::replace_utf16) has those).
//!
//! It may work in place: the unit before another may then have been replaced already, but only an unpaired surrogate is, so the
//! result is the same.

use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Family, Form, is_high, is_low, is_surrogate};

/// The units, and where they go.
pub(in crate::kernel) struct ReplaceWide<S: Form> {
    src: *const S::Unit,
    dst: *mut S::Unit,
    len: usize,
}

impl<S: Form> ReplaceWide<S> {
    /// From the `len` units of `S` at `src` to as many at `dst`, at any alignment. `src` and `dst` may be equal, but must not
    /// overlap otherwise.
    pub(in crate::kernel) fn new(src: *const u8, dst: *mut u8, len: usize) -> Self {
        ReplaceWide { src: src.cast(), dst: dst.cast(), len }
    }
}

/// Units in a block.
const BLOCK: usize = 64;

impl<S: Form> Plain for ReplaceWide<S> {
    /// Returns the number of units replaced as `written`.
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let value = |at: usize| {
            // SAFETY: it is called for offsets less than `len`.
            S::value(unsafe { self.src.add(at).read_unaligned() })
        };
        let mut replaced = 0;
        let mut replace_one = |at: usize| {
            // Units outside of the text pair with nothing.
            let before = if at == 0 { 0 } else { value(at - 1) };
            let after = if at + 1 == self.len { 0 } else { value(at + 1) };
            let bad = is_ill_formed::<S>(before, value(at), after);
            replaced += usize::from(bad);
            // SAFETY: `len` units are writable.
            unsafe { self.dst.add(at).write_unaligned(S::unit(if bad { 0xFFFD } else { value(at) })) };
        };
        let mut at = 0;
        let mut in_blocks = 0;
        if self.len > 0 {
            replace_one(0);
            at = 1;
        }
        while self.len - at > BLOCK {
            // SAFETY: there is a block at `at`, with a unit before it and a unit after it; and room.
            in_blocks += unsafe { self.block(at) };
            at += BLOCK;
        }
        while at < self.len {
            replace_one(at);
            at += 1;
        }
        Progress { read: self.len, written: replaced + in_blocks }
    }
}

impl<S: Form> ReplaceWide<S> {
    /// Copies the block at `at`; returns how many units were replaced.
    ///
    /// # Safety
    /// The units from one before the block to one after it must be readable, and the block writable.
    #[inline(always)]
    unsafe fn block(&self, at: usize) -> usize {
        // SAFETY: the caller's promise.
        let [before, units, after] = [at - 1, at, at + 1]
            .map(|at| unsafe { self.src.add(at).cast::<[S::Unit; BLOCK]>().read_unaligned() });
        let mut replacements = units;
        let mut replaced = 0_u8;
        for lane in 0..BLOCK {
            let (before, unit, after) =
                (S::value(before[lane]), S::value(units[lane]), S::value(after[lane]));
            let bad = is_ill_formed::<S>(before, unit, after);
            replaced += u8::from(bad);
            replacements[lane] = if bad { S::unit(0xFFFD) } else { units[lane] };
        }
        // SAFETY: the caller's promise.
        unsafe { self.dst.add(at).cast::<[S::Unit; BLOCK]>().write_unaligned(replacements) };
        replaced.into()
    }
}

/// Whether a unit between two others is ill-formed.
#[inline(always)]
fn is_ill_formed<S: Form>(before: u32, unit: u32, after: u32) -> bool {
    match S::FAMILY {
        Family::Utf16 => (is_high(unit) & !is_low(after)) | (is_low(unit) & !is_high(before)),
        _ => (unit >= 0x11_0000) | is_surrogate(unit),
    }
}
