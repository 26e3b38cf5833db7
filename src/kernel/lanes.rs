//! What every instruction set can do to code units, AVX-512 included.
//!
//! [`Lanes`] is a register as lanes of code units of one, two or four bytes, with the operations that need
//! neither masks nor tables. The checks of UTF-16 and UTF-32, and the conversions that keep every unit's
//! value, are written over it as a [`Walk`]. [`Vector`] has all that is here and more; it is for the
//! algorithms that AVX-512 has in a shape of its own.
//!
//! This was left to the compiler at first, which vectorised plain loops, and did so anew each time: a
//! loop that was good in blocks of 64 bytes on one instruction set came out unit by unit on another.

use super::shared::Progress;
use super::vector::Vector;

/// A walk over units, compiled for an instruction set by being passed to its root.
pub(crate) trait Walk {
    /// Walks. Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// Only inside of the root of `L`; and what the walk itself asks for.
    unsafe fn over<L: Lanes>(self) -> Progress;

    /// Walks without vectors.
    ///
    /// # Safety
    /// What the walk itself asks for.
    unsafe fn plainly(self) -> Progress;
}

/// A register of [`LEN`](Lanes::LEN) bytes, as lanes of code units of one, two or four bytes in this
/// machine's order.
///
/// # Safety
/// All methods need the instruction set that they are compiled for; those with an address need as many
/// bytes there as they say, at any alignment.
pub(crate) trait Lanes: Copy {
    /// Bytes in a register.
    const LEN: usize;

    /// The register of sixteen bytes: where a table can hold a shuffle for each set of units, and for what
    /// is too short for the whole register.
    type Short: Vector;

    /// The `LEN` bytes at `p`.
    unsafe fn load(p: *const u8) -> Self;

    /// Writes `LEN` bytes to `p`.
    unsafe fn store(self, p: *mut u8);

    /// The first `LEN / 2` bytes at `p`, each in a lane of two.
    unsafe fn widen_8_to_16(p: *const u8) -> Self;

    /// The first `LEN / 4` bytes at `p`, each in a lane of four.
    unsafe fn widen_8_to_32(p: *const u8) -> Self;

    /// The first `LEN / 2` bytes at `p` as units of two, each in a lane of four.
    unsafe fn widen_16_to_32(p: *const u8) -> Self;

    /// Units of two bytes as bytes: those of `self`, then those of `other`. What is above FF becomes
    /// anything.
    unsafe fn narrow_16_to_8(self, other: Self) -> Self;

    /// Units of four bytes as units of two: those of `self`, then those of `other`. What is above 7FFF_FFFF
    /// becomes anything, and so may what is above FFFF.
    unsafe fn narrow_32_to_16(self, other: Self) -> Self;

    /// The units of four bytes of four registers as bytes, the first register first. What is above FF becomes
    /// anything.
    #[inline(always)]
    unsafe fn narrow_32_to_8(parts: [Self; 4]) -> Self {
        let [a, b, c, d] = parts;
        // SAFETY: the caller's promise.
        unsafe { a.narrow_32_to_16(b).narrow_16_to_8(c.narrow_32_to_16(d)) }
    }

    /// The same byte everywhere.
    unsafe fn splat(byte: u8) -> Self;

    /// The same unit of two bytes everywhere.
    unsafe fn splat16(word: u16) -> Self;

    /// The same unit of four bytes everywhere.
    unsafe fn splat32(word: u32) -> Self;

    /// Bit by bit.
    unsafe fn or(self, other: Self) -> Self;

    /// Bit by bit.
    unsafe fn and(self, other: Self) -> Self;

    /// Bit by bit.
    unsafe fn xor(self, other: Self) -> Self;

    /// The bytes of each unit of two in reverse.
    unsafe fn swap16(self) -> Self;

    /// The bytes of each unit of four in reverse.
    unsafe fn swap32(self) -> Self;

    /// The smaller of two units of two bytes.
    unsafe fn min16(self, other: Self) -> Self;

    /// The greater of two units of four bytes.
    unsafe fn max32(self, other: Self) -> Self;

    /// Sums of units of four bytes, modulo 2 to the power of 32.
    unsafe fn add32(self, other: Self) -> Self;

    /// Ones in the units of two bytes that are equal, zeros in the others.
    unsafe fn equal16(self, other: Self) -> Self;

    /// Ones in the units of two bytes that are surrogates, zeros in the others.
    #[inline(always)]
    unsafe fn surrogates(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.and(Self::splat16(0xF800)).equal16(Self::splat16(0xD800)) }
    }

    /// Whether some bit is set.
    unsafe fn any(self) -> bool;
}
