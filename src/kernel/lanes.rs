//! A register as lanes of units, for what goes over text unit by unit.
//!
//! [`Lanes`] is what the checks of UTF-16 and UTF-32 and the conversions that keep every unit's value
//! are written over, on all instruction sets, AVX-512 included: they need neither masks nor tables.
//! [`Row`] is a register of sixteen bytes with what surrogates need besides; there a table of shuffles
//! can be kept, for eight units or four.
//!
//! This was left to the compiler at first, which vectorised plain loops, and did so anew each time: a
//! loop that was good in blocks of 64 bytes on one instruction set came out unit by unit on another.

use super::shared::Progress;

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

/// A register of [`LEN`](Lanes::LEN) bytes, as lanes of units of one, two or four bytes in this
/// machine's order.
///
/// # Safety
/// All methods need the instruction set that they are compiled for; those with an address need as many
/// bytes there as they say, at any alignment.
pub(crate) trait Lanes: Copy {
    /// Bytes in a register.
    const LEN: usize;

    /// The register of sixteen bytes.
    type Short: Lanes;

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

    /// The units of two bytes of two registers as bytes, in order. What is above FF becomes anything.
    unsafe fn narrow_16_to_8(parts: [Self; 2]) -> Self;

    /// The units of four bytes of two registers as units of two, in order. What is above 7FFF_FFFF
    /// becomes anything, and so may what is above FFFF.
    unsafe fn narrow_32_to_16(parts: [Self; 2]) -> Self;

    /// The units of four bytes of four registers as bytes, in order. What is above FF becomes anything.
    #[inline(always)]
    unsafe fn narrow_32_to_8(parts: [Self; 4]) -> Self {
        let [a, b, c, d] = parts;
        // SAFETY: the caller's promise.
        unsafe { Self::narrow_16_to_8([Self::narrow_32_to_16([a, b]), Self::narrow_32_to_16([c, d])]) }
    }

    /// The same byte everywhere.
    unsafe fn all_8(value: u8) -> Self;

    /// The same unit of two bytes everywhere.
    unsafe fn all_16(value: u16) -> Self;

    /// The same unit of four bytes everywhere.
    unsafe fn all_32(value: u32) -> Self;

    /// Bit by bit.
    unsafe fn or(self, other: Self) -> Self;

    /// Bit by bit.
    unsafe fn and(self, other: Self) -> Self;

    /// Bit by bit.
    unsafe fn xor(self, other: Self) -> Self;

    /// The bytes of units of two the other way round.
    unsafe fn swap_16(self) -> Self;

    /// The bytes of units of four the other way round.
    unsafe fn swap_32(self) -> Self;

    /// The lesser of two units of two bytes.
    unsafe fn min_16(self, other: Self) -> Self;

    /// The greater of two units of four bytes.
    unsafe fn max_32(self, other: Self) -> Self;

    /// The sum of units of four bytes.
    unsafe fn add_32(self, other: Self) -> Self;

    /// All bits of the units of two bytes that are equal.
    unsafe fn eq_16(self, other: Self) -> Self;

    /// Whether some bit is set.
    unsafe fn any(self) -> bool;
}

/// A register of sixteen bytes, with what surrogates need.
///
/// # Safety
/// As for [`Lanes`].
pub(crate) trait Row: Lanes {
    /// The sum of units of two bytes.
    unsafe fn add_16(self, other: Self) -> Self;

    /// All bits of the units of four bytes that are equal.
    unsafe fn eq_32(self, other: Self) -> Self;

    /// Units of two bytes, shifted to the left by `N`.
    unsafe fn shl_16<const N: i32>(self) -> Self;

    /// Units of two bytes, shifted to the right by `N`.
    unsafe fn shr_16<const N: i32>(self) -> Self;

    /// Units of four bytes, shifted to the left by `N`.
    unsafe fn shl_32<const N: i32>(self) -> Self;

    /// Units of four bytes, shifted to the right by `N`.
    unsafe fn shr_32<const N: i32>(self) -> Self;

    /// `yes` where the bits of `self` are set, and `no` elsewhere. The bits of a byte are equal.
    unsafe fn select(self, yes: Self, no: Self) -> Self;

    /// The bytes of `self` at the places that `places` names; a place of 80 or more gives 0.
    unsafe fn shuffle(self, places: Self) -> Self;

    /// The units of two bytes of both in turn, from the first halves and from the second.
    unsafe fn interleave_16(self, other: Self) -> [Self; 2];

    /// A bit for each unit of two bytes, all of whose bits are equal.
    unsafe fn bits_16(self) -> usize;

    /// A bit for each unit of four bytes, all of whose bits are equal.
    unsafe fn bits_32(self) -> usize;
}
