//! UTF-16 as it is: the check, and the checked copy in either order of bytes.
//!
//! Text is in order if every unit goes with the one behind it: a low surrogate behind a high one, and
//! behind nothing else. So the walk is over the *gaps* between units, each of them two loads one unit
//! apart, and nothing is carried from step to step. Besides, the first unit must be no low surrogate,
//! and the last no high one.
//!
//! Where there are no surrogates at all, one load says so: turned so that surrogates are the smallest
//! numbers, the least of many units tells. That loop goes on until it meets one; then the gaps are
//! looked at for some blocks, whatever they hold, before it is tried again. So neither text without
//! surrogates nor text full of them pays for the other, and text with a few does not change loops all
//! the time.
//!
//! Units and tests are in the order of bytes that they come in: all constants are swapped, and no unit
//! is, unless it is to be written in the other order.

use super::Progress;
use super::widen::steps;
use crate::kernel::portable::convert::{Convert, Scan};
use crate::kernel::shared::Plain as _;
use crate::kernel::vector::{LaneLoop, Lanes};
use crate::unicode::Utf16Form;

/// From UTF-16 in the order `FROM` to the order `TO`; or, without `STORE`, the check alone.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Utf16Copy<const FROM: bool, const TO: bool, const STORE: bool> {
    src: *const u16,
    len: usize,
    dst: *mut u16,
}

/// Blocks of gaps in a row, before it is tried whether there are no surrogates any more.
const PATIENCE: usize = 8;

impl<const FROM: bool, const TO: bool, const STORE: bool> Utf16Copy<FROM, TO, STORE> {
    /// From the `len` units at `src` to at most `room` units at `dst`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Utf16Copy { src: src.cast(), len: len.min(room), dst: dst.cast() }
    }

    /// A number in the order of the source.
    const fn ordered(number: u16) -> u16 {
        if FROM { number.swap_bytes() } else { number }
    }

    /// Whether the unit at `at` is from `0x400` units on from `first`.
    ///
    /// # Safety
    /// It must be there.
    #[inline(always)]
    unsafe fn begins(&self, at: usize, first: u16) -> bool {
        // SAFETY: the caller's promise.
        let unit = unsafe { self.src.add(at).read_unaligned() };
        unit & Self::ordered(0xFC00) == Self::ordered(first)
    }

    /// Moves the units of a register.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline(always)]
    unsafe fn put<L: Lanes>(&self, at: usize, units: L) {
        if STORE {
            // SAFETY: the caller's promise.
            unsafe { if FROM == TO { units } else { units.swap16() }.store(self.dst.add(at).cast()) }
        }
    }

    /// Whether there are no surrogates in so many registers of units at `at`; they are moved.
    ///
    /// # Safety
    /// There must be as many, and room for them.
    #[inline(always)]
    unsafe fn clear<L: Lanes>(&self, at: usize, registers: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let prefix = L::splat16(Self::ordered(0xF800));
            let mut least = prefix;
            for register in 0..registers {
                let at = at + register * (L::LEN / 2);
                let units = L::load(self.src.add(at).cast());
                self.put(at, units);
                let turned = units.xor(L::splat16(Self::ordered(0xD800)));
                least = least.min16(if FROM { turned.and(prefix) } else { turned });
            }
            !least.and(prefix).equal16(L::splat16(0)).any()
        }
    }

    /// Whether the gaps behind so many registers of units at `at` are in order; the units are moved.
    ///
    /// # Safety
    /// There must be as many and one more, and room for them.
    #[inline(always)]
    unsafe fn gaps<L: Lanes>(&self, at: usize, registers: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let prefix = L::splat16(Self::ordered(0xFC00));
            let mut wrong = L::splat(0);
            for register in 0..registers {
                let at = at + register * (L::LEN / 2);
                let units = L::load(self.src.add(at).cast());
                let next = L::load(self.src.add(at + 1).cast());
                self.put(at, units);
                let high = units.and(prefix).equal16(L::splat16(Self::ordered(0xD800)));
                let low = next.and(prefix).equal16(L::splat16(Self::ordered(0xDC00)));
                wrong = wrong.or(high.xor(low));
            }
            !wrong.any()
        }
    }

    /// Whether the gap behind the unit at `at` is in order; the unit is moved.
    ///
    /// # Safety
    /// There must be one more, and room for it.
    #[inline(always)]
    unsafe fn gap(&self, at: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            self.put_one(at);
            self.begins(at, 0xD800) == self.begins(at + 1, 0xDC00)
        }
    }

    /// Moves one unit.
    ///
    /// # Safety
    /// It must be there, and room for it.
    #[inline(always)]
    unsafe fn put_one(&self, at: usize) {
        if STORE {
            // SAFETY: the caller's promise.
            unsafe {
                let unit = self.src.add(at).read_unaligned();
                self.dst.add(at).write_unaligned(if FROM == TO { unit } else { unit.swap_bytes() });
            }
        }
    }
}

impl<const FROM: bool, const TO: bool, const STORE: bool> LaneLoop for Utf16Copy<FROM, TO, STORE> {
    #[inline(always)]
    unsafe fn run_lanes<L: Lanes>(self) -> Progress {
        // SAFETY: all blocks are within the units that there are, and for which there is room; those of
        // gaps leave out the last unit.
        let done = unsafe {
            if self.len == 0 || self.begins(0, 0xDC00) {
                return Progress::default();
            }
            let (mut at, mut end) = (0, self.len - 1);
            let registers = if L::LEN > 32 { 4 } else { 8 };
            let block = registers * (L::LEN / 2);
            if end >= 4 * block && self.clear::<L>(0, registers) {
                // From here on no access to the side that is written goes across two lines of the cache.
                let side = if STORE { self.dst as usize } else { self.src as usize };
                at = (L::LEN - side % L::LEN) / 2;
            }
            'blocks: while end - at >= block {
                while end - at >= block && self.clear::<L>(at, registers) {
                    at += block;
                }
                // What is behind the last of them has not been looked at.
                at = at.saturating_sub(1);
                for _ in 0..PATIENCE {
                    if end - at < block {
                        break;
                    }
                    if !self.gaps::<L>(at, registers) {
                        end = at + block;
                        break 'blocks;
                    }
                    at += block;
                }
            }
            steps!(at..end, L::LEN / 2, |from| self.gaps::<L>(from, 1));
            if L::LEN > 16 && at < end {
                steps!(at..end, 8, |from| self.gaps::<L::Vector16>(from, 1));
            }
            steps!(at..end, 1, |from| self.gap(from));
            debug_assert!(at <= end);
            // The gap behind this unit is not in order, or it is the last one.
            if self.begins(at, 0xD800) {
                at
            } else {
                self.put_one(at);
                at + 1
            }
        };
        Progress { read: done, written: done }
    }

    #[inline(always)]
    unsafe fn run_portable(self) -> Progress {
        let (src, dst) = (self.src.cast(), self.dst.cast());
        // SAFETY: the caller's promise.
        unsafe {
            if STORE {
                Convert::<Utf16Form<FROM>, Utf16Form<TO>>::new(src, self.len, dst, self.len).run()
            } else {
                Scan::<Utf16Form<FROM>>::new(src, self.len).run()
            }
        }
    }
}
