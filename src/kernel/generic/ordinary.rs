//! The prefix of a text that CESU-8 writes as UTF-8 does: the search for supplementary characters, and for U+0000 if that is special, as in
//! modified UTF-8.
//!
//! Bytes are searched for the lead byte of a character of four bytes. A step is as long as for [ASCII](super::ascii), and its test is as
//! cheap: the maximum. When one is subtracted, 00 becomes FF, so that U+0000 takes an addition for each vector, but no test of its own.
//! Units of four bytes are searched in the same way. In UTF-16, an exclusive or makes surrogates the smallest values.

use super::{BLOCK, Progress, STEP};
use crate::kernel::portable::ordinary::Ordinary;
use crate::kernel::shared::Plain as _;
use crate::kernel::vector::{LaneLoop, Lanes, Operation, Vector};
use crate::unicode::{Family, Form};

/// The exact length of that prefix of bytes.
pub(in crate::kernel) struct OrdinaryPrefix<'a, const NUL: bool> {
    pub src: &'a [u8],
}

impl<const NUL: bool> OrdinaryPrefix<'_, NUL> {
    /// The bytes such that the special ones are the greatest.
    ///
    /// # Safety
    /// Only within the root of `V`.
    #[inline(always)]
    unsafe fn ranked<V: Vector>(bytes: V) -> V {
        // SAFETY: this is the instruction set.
        unsafe { if NUL { bytes.add(V::splat(0xFF)) } else { bytes } }
    }

    /// The sign bit of each byte: whether that is special. From [`ranked`](Self::ranked).
    ///
    /// # Safety
    /// Only within the root of `V`.
    #[inline(always)]
    unsafe fn special<V: Vector>(ranked: V) -> V {
        // SAFETY: this is the instruction set.
        unsafe { ranked.at_least(V::splat(if NUL { 0xEF } else { 0xF0 })) }
    }

    /// Skips chunks of `BYTES` without a special one from `at` on; returns the position of the first that has one, or is not whole.
    ///
    /// # Safety
    /// Only within the root of `V`; and `at` must not be greater than the length.
    #[inline(always)]
    unsafe fn skip<V: Vector, const BYTES: usize>(&self, mut at: usize) -> usize {
        while self.src.len() - at >= BYTES {
            // SAFETY: a chunk is left from `at` on.
            unsafe {
                let p = self.src.as_ptr().add(at);
                let mut most = Self::ranked(V::load(p));
                for vector in 1..BYTES / V::LEN {
                    most = most.max(Self::ranked(V::load(p.add(vector * V::LEN))));
                }
                if Self::special(most).any_sign_bit() {
                    break;
                }
            }
            at += BYTES;
        }
        at
    }
}

impl<const NUL: bool> Operation for OrdinaryPrefix<'_, NUL> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: all loads are of whole vectors within `src`, or partial.
        unsafe {
            if src.len() < V::LEN {
                let special = Self::special(Self::ranked(V::load_partial(src)));
                return src.len().min(special.first_sign_bit());
            }
            let ranked = |at: usize| Self::ranked(V::load(src.as_ptr().add(at)));
            let mut at = 0;
            // (Modules for the web are to be small.)
            if !cfg!(target_family = "wasm") {
                at = self.skip::<V, STEP>(at);
                at = self.skip::<V, BLOCK>(at);
            }
            while at + V::LEN <= src.len() {
                let special = Self::special(ranked(at));
                if special.any_sign_bit() {
                    return at + special.first_sign_bit();
                }
                at += V::LEN;
            }
            let last = src.len() - V::LEN;
            let special = Self::special(ranked(last));
            if special.any_sign_bit() { last + special.first_sign_bit() } else { src.len() }
        }
    }
}

/// The exact length of that prefix of units of any form.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct OrdinaryUnits<S: Form> {
    src: *const S::Unit,
    len: usize,
    nul: bool,
}

impl<S: Form> OrdinaryUnits<S> {
    /// Searches the `len` units at `src`, at any alignment; with `nul`, U+0000 is special.
    pub(in crate::kernel) fn new(src: *const S::Unit, len: usize, nul: bool) -> Self {
        OrdinaryUnits { src, len, nul }
    }

    /// Whether there is a special unit in `registers` registers from `at` on.
    ///
    /// # Safety
    /// They must be readable.
    #[inline(always)]
    unsafe fn any_special<L: Lanes, const NUL: bool>(&self, at: usize, registers: usize) -> bool {
        let register = |i: usize| self.src.wrapping_add(at + i * (L::LEN / size_of::<S::Unit>())).cast();
        // SAFETY: the caller's promise.
        unsafe {
            if const { matches!(S::FAMILY, Family::Utf16) } {
                let ordered = |unit: u16| if S::SWAPPED { unit.swap_bytes() } else { unit };
                let prefix = L::splat16(ordered(0xF800));
                let (mut least, mut nearest) = (prefix, prefix);
                for i in 0..registers {
                    let units = L::load(register(i));
                    let turned = units.xor(L::splat16(ordered(0xD800)));
                    nearest = nearest.min16(if S::SWAPPED { turned.and(prefix) } else { turned });
                    least = if NUL { least.min16(units) } else { least };
                }
                let zero = L::splat16(0);
                nearest.and(prefix).equal16(zero).or(least.equal16(zero)).any()
            } else {
                let less_one = L::splat32(if NUL { u32::MAX } else { 0 });
                let greatest = L::splat32(if NUL { 0xFFFE } else { 0xFFFF });
                let mut most = greatest;
                for i in 0..registers {
                    let units = L::load(register(i));
                    let units = if S::SWAPPED { units.swap32() } else { units };
                    most = most.max32(units.add32(less_one));
                }
                most.xor(greatest).any()
            }
        }
    }

    /// How many units, in whole registers, are without a special one.
    ///
    /// # Safety
    /// As for [`LaneLoop::run_lanes`].
    #[inline(always)]
    unsafe fn skip<L: Lanes, const NUL: bool>(&self) -> usize {
        let each = L::LEN / size_of::<S::Unit>();
        let mut at = 0;
        // SAFETY: the caller's promise; so many units are left.
        unsafe {
            while self.len - at >= 4 * each && !self.any_special::<L, NUL>(at, 4) {
                at += 4 * each;
            }
            while self.len - at >= each && !self.any_special::<L, NUL>(at, 1) {
                at += each;
            }
            // The last register overlaps the one before it.
            if self.len - at < each && at != 0 && !self.any_special::<L, NUL>(self.len - each, 1) {
                at = self.len;
            }
        }
        at
    }
}

impl<S: Form> LaneLoop for OrdinaryUnits<S> {
    #[inline(always)]
    unsafe fn run_lanes<L: Lanes>(self) -> Progress {
        // SAFETY: the caller's promise; the rest of the units is left to the plain loop.
        unsafe {
            let at = match size_of::<S::Unit>() {
                1 => 0,
                _ if self.nul => self.skip::<L, true>(),
                _ => self.skip::<L, false>(),
            };
            let rest = OrdinaryUnits { src: self.src.add(at), len: self.len - at, ..self };
            let read = at + rest.run_portable().read;
            Progress { read, written: read }
        }
    }

    #[inline(always)]
    unsafe fn run_portable(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Ordinary::<S>::new(self.src, self.len, self.nul).run() }
    }
}
