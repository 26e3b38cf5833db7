//! UTF-16 unchanged: the check, and the checked copy in either byte order.
//!
//! Text is well-formed if each unit goes with the unit after it: a low surrogate follows each high surrogate, and follows nothing
//! else. So the loop compares *neighbours*, by two loads one unit apart, and carries nothing from step to step. In addition, the
//! first unit must not be a low surrogate, and the last must not be a high one.
//!
//! If there are no surrogates at all, one load is enough: an exclusive or makes surrogates the smallest values, and the minimum of many
//! units is tested. That loop continues until it meets a surrogate. Then neighbours are compared for some blocks, whatever they hold,
//! before that loop is tried again: for one block if the loop passed several blocks, for two if it passed one, and for eight if it passed
//! none, or if the text is short: 1 KiB of a table of emoji, in which the emoji begin late, would be validated at 62 instead of 72 GB/s
//! with two blocks. So text without surrogates does not pay for text full of them, nor the other way round. (Always comparing eight blocks
//! took a third longer if there is a pair every few KiB: with two, JSON of 8 KiB is read at 145 GB/s instead of 109, and 160 KiB at 156
//! instead of 129, AVX-512 on AMD EPYC (Zen 5). With one instead of two after several blocks, JSON of 8 and 160 KiB is 1.08 and 1.11 times
//! as fast, HTML 1.06 and 1.09; with AVX2 both are at 1.00 to 1.03. With one whenever the loop passes any block, texts of 1 KiB are at
//! 0.98. AMD EPYC (Zen 4).)
//!
//! Units and tests are in the byte order of the source: all constants are swapped, and a unit is swapped only if it is
//! to be written in the other order.

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

/// Blocks whose neighbours are compared before the loop for text without surrogates is tried again: where that loop stopped at once,
/// after a block, and after several.
const PATIENCE: [usize; 3] = [8, 2, 1];

/// Registers of a text that is checked without a loop.
const FEW: usize = 8;

/// Blocks of a text that is too short to gain by the former, or by aligned accesses.
const SHORT: usize = 4;

impl<const FROM: bool, const TO: bool, const STORE: bool> Utf16Copy<FROM, TO, STORE> {
    /// From the `len` units at `src` to at most `room` units at `dst`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Utf16Copy { src: src.cast(), len: len.min(room), dst: dst.cast() }
    }

    /// Whether there is a way of its own for few units: for the check alone, and not where modules are to be small.
    const KNOWS_FEW: bool = !STORE && !cfg!(target_family = "wasm");

    /// A number in the byte order of the source.
    const fn ordered(number: u16) -> u16 {
        if FROM { number.swap_bytes() } else { number }
    }

    /// Whether the top six bits of the unit at `at` are those of `first`.
    ///
    /// # Safety
    /// It must be readable.
    #[inline(always)]
    pub(super) unsafe fn has_prefix(&self, at: usize, first: u16) -> bool {
        // SAFETY: the caller's promise.
        let unit = unsafe { self.src.add(at).read_unaligned() };
        unit & Self::ordered(0xFC00) == Self::ordered(first)
    }

    /// Stores the units of a register.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline(always)]
    unsafe fn store<L: Lanes>(&self, at: usize, units: L) {
        if STORE {
            // SAFETY: the caller's promise.
            unsafe { if FROM == TO { units } else { units.swap16() }.store(self.dst.add(at).cast()) }
        }
    }

    /// Copies `registers` registers of units at `at`; says whether there are no surrogates.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline(always)]
    pub(super) unsafe fn without_surrogates<L: Lanes>(&self, at: usize, registers: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let prefix = L::splat16(Self::ordered(0xF800));
            let mut least = prefix;
            for register in 0..registers {
                let at = at + register * (L::LEN / 2);
                let units = L::load(self.src.add(at).cast());
                self.store(at, units);
                let turned = units.xor(L::splat16(Self::ordered(0xD800)));
                least = least.min16(if FROM { turned.and(prefix) } else { turned });
            }
            !least.and(prefix).equal16(L::splat16(0)).any()
        }
    }

    /// Checks up to [`FEW`] registers of units, all that there are, by registers that overlap: without a loop, as no predictor knows the
    /// lengths of short texts. Says whether there are no surrogates; if not, it may be that it cannot tell.
    ///
    /// # Safety
    /// They must be readable.
    #[inline(always)]
    unsafe fn few_without_surrogates<L: Lanes>(&self) -> bool {
        let (len, lanes) = (self.len, L::LEN / 2);
        // SAFETY: the caller's promise; all registers are within the units.
        unsafe {
            if len <= lanes
                && let Some(units) =
                    L::load_among_zeros(core::slice::from_raw_parts(self.src.cast(), 2 * len))
            {
                let prefix = L::splat16(Self::ordered(0xF800));
                let turned = units.xor(L::splat16(Self::ordered(0xD800)));
                !turned.and(prefix).equal16(L::splat16(0)).any()
            } else if len > 4 * lanes {
                self.without_surrogates::<L>(0, 4) & self.without_surrogates::<L>(len - 4 * lanes, 4)
            } else if len > 2 * lanes {
                self.without_surrogates::<L>(0, 2) & self.without_surrogates::<L>(len - 2 * lanes, 2)
            } else if len >= lanes {
                self.without_surrogates::<L>(0, 1) & self.without_surrogates::<L>(len - lanes, 1)
            } else if L::LEN > 32 && len >= 16 {
                self.without_surrogates::<L::Vector16>(0, 2)
                    & self.without_surrogates::<L::Vector16>(len - 16, 2)
            } else if L::LEN > 16 && len >= 8 {
                self.without_surrogates::<L::Vector16>(0, 1)
                    & self.without_surrogates::<L::Vector16>(len - 8, 1)
            } else if len >= 4 {
                self.four_without_surrogates(0) & self.four_without_surrogates(len - 4)
            } else {
                false
            }
        }
    }

    /// Whether there are no surrogates in the four units at `at`.
    ///
    /// # Safety
    /// They must be readable.
    #[inline(always)]
    unsafe fn four_without_surrogates(&self, at: usize) -> bool {
        const EACH: u64 = 0x0001_0001_0001_0001;
        let repeat = |number: u16| u64::from(Self::ordered(number)) * EACH;
        // SAFETY: the caller's promise.
        let units = unsafe { self.src.add(at).cast::<u64>().read_unaligned() };
        // Zero, and nothing else, becomes negative, unless a unit below it has: that is for two zeros.
        let turned = (units ^ repeat(0xD800)) & repeat(0xF800);
        turned.wrapping_sub(EACH) & !turned & (0x8000 * EACH) == 0
    }

    /// Copies `registers` registers of units at `at`; says whether each unit goes with the unit behind it.
    ///
    /// # Safety
    /// They must be readable and one unit more, and there must be room for them.
    #[inline(always)]
    pub(super) unsafe fn neighbours<L: Lanes>(&self, at: usize, registers: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let prefix = L::splat16(Self::ordered(0xFC00));
            let mut errors = L::splat(0);
            for register in 0..registers {
                let at = at + register * (L::LEN / 2);
                let units = L::load(self.src.add(at).cast());
                let next = L::load(self.src.add(at + 1).cast());
                self.store(at, units);
                let high = units.and(prefix).marks_equal16(L::splat16(Self::ordered(0xD800)));
                let low = next.and(prefix).marks_equal16(L::splat16(Self::ordered(0xDC00)));
                errors = errors.or(high.xor(low));
            }
            !errors.any()
        }
    }

    /// Copies the unit at `at`; says whether it goes with the unit behind it.
    ///
    /// # Safety
    /// Both must be readable, and there must be room for one.
    #[inline(always)]
    unsafe fn one_neighbour(&self, at: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            self.copy_one(at);
            self.has_prefix(at, 0xD800) == self.has_prefix(at + 1, 0xDC00)
        }
    }

    /// Copies one unit.
    ///
    /// # Safety
    /// It must be readable, and there must be room for it.
    #[inline(always)]
    unsafe fn copy_one(&self, at: usize) {
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
        // SAFETY: all blocks are within the source, and there is room for them; where neighbours are compared, the last
        // unit is left out.
        let done = unsafe {
            if self.len == 0 || self.has_prefix(0, 0xDC00) {
                return Progress::default();
            }
            let (mut at, mut end) = (0, self.len - 1);
            let registers = if L::LEN > 32 { 4 } else { 8 };
            let block = registers * (L::LEN / 2);
            if Self::KNOWS_FEW && self.len <= FEW * (L::LEN / 2) && self.few_without_surrogates::<L>() {
                return Progress { read: self.len, written: self.len };
            }
            let short = end < SHORT * block;
            if !short && self.without_surrogates::<L>(0, registers) {
                // From here on the accesses to the output, or to the input of a check, are aligned.
                let side = if STORE { self.dst as usize } else { self.src as usize };
                at = (L::LEN - side % L::LEN) / 2;
            }
            'blocks: while end - at >= block {
                let start = at;
                while end - at >= block && self.without_surrogates::<L>(at, registers) {
                    at += block;
                }
                let had = if short { 0 } else { (at - start) / block };
                let patience = PATIENCE[had.min(2)];
                // The last unit of the block has not been compared with the unit behind it.
                at = at.saturating_sub(1);
                for _ in 0..patience {
                    if end - at < block {
                        break;
                    }
                    if !self.neighbours::<L>(at, registers) {
                        end = at + block;
                        break 'blocks;
                    }
                    at += block;
                }
            }
            steps!(at..end, L::LEN / 2, |from| self.neighbours::<L>(from, 1));
            if L::LEN > 16 && at < end {
                steps!(at..end, 8, |from| self.neighbours::<L::Vector16>(from, 1));
            }
            steps!(at..end, 1, |from| self.one_neighbour(from));
            debug_assert!(at <= end);
            // This unit does not go with the unit behind it, or it is the last one.
            if self.has_prefix(at, 0xD800) {
                at
            } else {
                self.copy_one(at);
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
