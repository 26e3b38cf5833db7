//! The integers that are code units: bytes, and units of two and four bytes in this machine's byte order.
//!
//! [`CodeUnit`] is their public trait. What the crate does with units is in [`Unit`], which is private: units as numbers, with their
//! bytes swapped, and slices of them as bytes.

/// An integer that is a code unit: `u8`, `u16` or `u32`. The trait is sealed.
#[expect(
    private_bounds,
    reason = "the supertrait seals it, and keeps what the crate does with units out of reach"
)]
pub trait CodeUnit: Unit + Copy + Default + Eq + Ord + Send + Sync + core::fmt::Debug + 'static {}

/// What this crate does with code units.
pub(crate) trait Unit: Copy + PartialEq + Send + Sync + 'static {
    /// The unit as a number.
    fn value(self) -> u32;

    /// The unit with the lowest bits of a number.
    fn of(value: u32) -> Self;

    /// The unit with its bytes reversed.
    fn swapped(self) -> Self;

    /// Bitwise or.
    fn or(self, other: Self) -> Self;

    /// Bitwise and.
    fn and(self, other: Self) -> Self;

    /// Units as their bytes in memory.
    fn bytes(units: &[Self]) -> &[u8];

    /// Bytes as units; `None` if they are not aligned, or not whole units.
    fn of_bytes(bytes: &[u8]) -> Option<&[Self]>;

    /// The same, mutable.
    fn of_bytes_mut(bytes: &mut [u8]) -> Option<&mut [Self]>;

    /// Units as their bytes in memory, mutable.
    fn bytes_mut(units: &mut [Self]) -> &mut [u8];
}

/// Units as units of another type: for types of the same size, or to bytes. If alignment or length do not fit the other type, the
/// result is empty; callers choose types for which this cannot happen.
#[inline(always)]
pub(crate) fn cast<U: Unit, V: Unit>(units: &[U]) -> &[V] {
    V::of_bytes(U::bytes(units)).unwrap_or_default()
}

/// The same, mutable.
#[inline(always)]
pub(crate) fn cast_mut<U: Unit, V: Unit>(units: &mut [U]) -> &mut [V] {
    V::of_bytes_mut(U::bytes_mut(units)).unwrap_or_default()
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

            #[inline(always)]
            fn bytes(units: &[Self]) -> &[u8] {
                bytemuck::cast_slice(units)
            }

            #[inline(always)]
            fn of_bytes(bytes: &[u8]) -> Option<&[Self]> {
                bytemuck::try_cast_slice(bytes).ok()
            }

            #[inline(always)]
            fn of_bytes_mut(bytes: &mut [u8]) -> Option<&mut [Self]> {
                bytemuck::try_cast_slice_mut(bytes).ok()
            }

            #[inline(always)]
            fn bytes_mut(units: &mut [Self]) -> &mut [u8] {
                bytemuck::cast_slice_mut(units)
            }
        }
    )*};
}

units!(u8 u16 u32);
