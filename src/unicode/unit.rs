//! The integers that are code units: bytes, and units of two and four bytes in this machine's byte order.
//!
//! [`CodeUnit`] is what users see of them. What the crate does with units is in [`Unit`], which is private: units as
//! numbers, with their bytes swapped, and slices of them as bytes.

/// An integer that is a code unit: `u8`, `u16` or `u32`. The trait is sealed.
#[expect(private_bounds, reason = "the supertrait seals it, and keeps what the crate does with units out of reach")]
pub trait CodeUnit: Unit + Copy + Default + Eq + Ord + Send + Sync + core::fmt::Debug + 'static {}

/// What this crate does with code units.
pub(crate) trait Unit: bytemuck::Pod + PartialEq {
    /// As a number.
    fn value(self) -> u32;

    /// The lowest bits of a number.
    fn of(value: u32) -> Self;

    /// With its bytes the other way round.
    fn swapped(self) -> Self;

    /// Bit by bit.
    fn or(self, other: Self) -> Self;

    /// Bit by bit.
    fn and(self, other: Self) -> Self;
}

macro_rules! units {
    ($($unit:ty)*) => {$(
        impl CodeUnit for $unit {}

        impl Unit for $unit {
            #[inline(always)]
            fn value(self) -> u32 {
                self as u32
            }

            #[inline(always)]
            fn of(value: u32) -> Self {
                value as $unit
            }

            #[inline(always)]
            fn swapped(self) -> Self {
                self.swap_bytes()
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
        }
    )*};
}

units!(u8 u16 u32);
