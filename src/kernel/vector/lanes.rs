//! Operations on code units that every instruction set has, AVX-512 included.
//!
//! [`Lanes`] is a register as lanes of code units of one, two or four bytes, with the operations that need neither
//! masks nor tables. The checks of UTF-16 and UTF-32, and the conversions that keep the value of every unit, are
//! written over it as a [`LaneLoop`]. [`Vector`] has all that is here and more; it is for the algorithms that AVX-512
//! implements differently.
//!
//! At first this was left to the compiler, which vectorised plain loops, but differently on each instruction set: a loop that
//! worked well in blocks of 64 bytes on one was compiled unit by unit on another.

use super::Vector;
use crate::kernel::shared::Progress;

/// A loop over code units, compiled for an instruction set by being passed to its root.
pub(crate) trait LaneLoop {
    /// Runs it over vectors. Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// Only within the root of `L`; and what the loop itself requires.
    unsafe fn run_lanes<L: Lanes>(self) -> Progress;

    /// Runs it without vectors.
    ///
    /// # Safety
    /// What the loop itself requires.
    unsafe fn run_portable(self) -> Progress;
}

/// A register of [`LEN`](Lanes::LEN) bytes, as lanes of code units of one, two or four bytes in native byte order.
///
/// # Safety
/// All methods need the instruction set that they are compiled for; those with an address need the stated number of
/// bytes there, at any alignment.
pub(crate) trait Lanes: Copy {
    /// Bytes in a register.
    const LEN: usize;

    /// A register of sixteen bytes of the same family: for shuffles from a table with a row for each set of units, and
    /// for blocks that are shorter than the whole register.
    type Vector16: Vector;

    /// The `LEN` bytes at `p`.
    unsafe fn load(p: *const u8) -> Self;

    /// Loads these bytes, not none and up to a register, among zeros, wherever they come to stand; if there is an instruction for that.
    #[inline(always)]
    unsafe fn load_among_zeros(_src: &[u8]) -> Option<Self> {
        None
    }

    /// Writes `LEN` bytes to `p`.
    unsafe fn store(self, p: *mut u8);

    /// The first `LEN / 2` bytes at `p`, each in a lane of two.
    unsafe fn widen_8_to_16(p: *const u8) -> Self;

    /// The `LEN` bytes at `p`, each in a lane of two.
    #[inline(always)]
    unsafe fn widen_all_8_to_16(p: *const u8) -> [Self; 2] {
        // SAFETY: the caller's promise.
        unsafe { [Self::widen_8_to_16(p), Self::widen_8_to_16(p.add(Self::LEN / 2))] }
    }

    /// The first `LEN / 4` bytes at `p`, each in a lane of four.
    unsafe fn widen_8_to_32(p: *const u8) -> Self;

    /// The first `LEN / 2` bytes at `p` as units of two, each in a lane of four.
    unsafe fn widen_16_to_32(p: *const u8) -> Self;

    /// Units of two bytes as bytes: those of `self`, then those of `other`. The result for units above FF is
    /// unspecified.
    unsafe fn narrow_16_to_8(self, other: Self) -> Self;

    /// Units of four bytes as units of two: those of `self`, then those of `other`. The result for units above FFFF is
    /// unspecified.
    unsafe fn narrow_32_to_16(self, other: Self) -> Self;

    /// The units of four bytes of four registers as bytes, in order. The result for units above FF is unspecified.
    #[inline(always)]
    unsafe fn narrow_32_to_8(parts: [Self; 4]) -> Self {
        let [a, b, c, d] = parts;
        // SAFETY: the caller's promise.
        unsafe { a.narrow_32_to_16(b).narrow_16_to_8(c.narrow_32_to_16(d)) }
    }

    /// This byte in every lane.
    unsafe fn splat(byte: u8) -> Self;

    /// This unit of two bytes in every lane.
    unsafe fn splat16(word: u16) -> Self;

    /// This unit of four bytes in every lane.
    unsafe fn splat32(word: u32) -> Self;

    /// Bitwise or.
    unsafe fn or(self, other: Self) -> Self;

    /// Bitwise and.
    unsafe fn and(self, other: Self) -> Self;

    /// Bitwise exclusive or.
    unsafe fn xor(self, other: Self) -> Self;

    /// Units of two bytes with their bytes swapped.
    unsafe fn swap16(self) -> Self;

    /// Units of four bytes with their bytes in reverse order.
    unsafe fn swap32(self) -> Self;

    /// The smaller of each two units of two bytes.
    unsafe fn min16(self, other: Self) -> Self;

    /// The greater of each two units of four bytes.
    unsafe fn max32(self, other: Self) -> Self;

    /// The sums of units of four bytes, modulo 2³².
    unsafe fn add32(self, other: Self) -> Self;

    /// All ones in the units of two bytes that are equal, zeros in the others.
    unsafe fn equal16(self, other: Self) -> Self;

    /// A number in the units of two bytes that are equal, always the same, and zeros in the others: all ones, or what is faster.
    #[inline(always)]
    unsafe fn marks_equal16(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.equal16(other) }
    }

    /// All ones in the units of two bytes that are surrogates, zeros in the others.
    #[inline(always)]
    unsafe fn surrogates(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.and(Self::splat16(0xF800)).equal16(Self::splat16(0xD800)) }
    }

    /// Whether any bit is set.
    unsafe fn any(self) -> bool;
}
