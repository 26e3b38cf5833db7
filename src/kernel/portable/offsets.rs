//! Offsets into text, checked in bulk: are they ascending, and does a character begin at each?
//!
//! Columns of text store their values one after the other, with a list of offsets. Each value is well-formed if and only if all of
//! them together are, and none begins with a continuation byte. The first condition is for the kernels of validation. The second
//! needs one byte of each value, which is looked at here, after a check that the offsets are valid at all.
//!
//! [`Offsets`](crate::kernel::dispatch::offsets::Offsets) is the proof of that check: its offsets never decrease, and lie within a
//! text of a known length. The check compares each offset with the next, which compilers vectorise. The bytes are then loaded without
//! a bounds check and without a branch; one by one, because even a CPU with a gather instruction loads them one by one. The results
//! are collected in two flags, eight offsets a step: a third of a nanosecond per value. When the result was a minimum of the bytes,
//! each step waited for the one before it, and a value took more than twice as long.

use crate::kernel::shared::{Plain, Progress};

/// An integer type for the offsets of a column.
pub(crate) trait OffsetInt: Copy + Ord + Send + Sync + core::fmt::Debug + 'static {
    /// The offset as an index. It must be valid: not negative, and within the text.
    fn index(self) -> usize;

    /// The offset for an index, if the type can hold it.
    #[cfg(feature = "alloc")]
    fn of(index: usize) -> Option<Self>;

    /// The offset as a number, valid or not.
    fn number(self) -> i64;

    /// The offset for an index that the type can hold.
    #[cfg(feature = "alloc")]
    fn cut(index: usize) -> Self;
}

/// Implements [`OffsetInt`] for a signed integer, given the unsigned integer of its size.
macro_rules! offset_ints {
    ($($signed:ty: $unsigned:ty),*) => {$(
        impl OffsetInt for $signed {
            #[inline(always)]
            fn index(self) -> usize {
                self as $unsigned as usize
            }

            #[cfg(feature = "alloc")]
            #[inline(always)]
            fn of(index: usize) -> Option<Self> {
                index.try_into().ok()
            }

            #[inline(always)]
            fn number(self) -> i64 {
                self.into()
            }

            #[cfg(feature = "alloc")]
            #[inline(always)]
            fn cut(index: usize) -> Self {
                index as $signed
            }
        }
    )*};
}

offset_ints!(i32: u32, i64: u64);
// For tests of columns that are too long for their offsets.
#[cfg(test)]
offset_ints!(i8: u8);

/// Whether some offset is less than the one before it: `read` is then 1.
pub(in crate::kernel) struct Descents<'a, O> {
    pub offsets: &'a [O],
}

impl<O: OffsetInt> Plain for Descents<'_, O> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let after = self.offsets.get(1..).unwrap_or(&[]);
        let found = self.offsets.iter().zip(after).fold(false, |found, (a, b)| found | (b < a));
        Progress { read: usize::from(found), written: 0 }
    }
}

/// Whether there is a continuation byte at some offset: `read` is then 1.
pub(in crate::kernel) struct Continuations<'a, O> {
    pub text: *const u8,
    pub offsets: &'a [O],
}

impl<O: OffsetInt> Plain for Continuations<'_, O> {
    /// # Safety
    /// A byte must be readable at each offset.
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let is_continuation = |offset: &O| {
            // SAFETY: the caller's promise.
            let byte = unsafe { *self.text.add(offset.index()) };
            (byte as i8) < -64
        };
        let (eights, rest) = self.offsets.as_chunks::<8>();
        let mut found = [false; 2];
        for [a, b, c, d, e, f, g, h] in eights {
            found[0] |= is_continuation(a) | is_continuation(b) | is_continuation(c) | is_continuation(d);
            found[1] |= is_continuation(e) | is_continuation(f) | is_continuation(g) | is_continuation(h);
        }
        let found = rest.iter().fold(found[0] | found[1], |found, offset| found | is_continuation(offset));
        Progress { read: usize::from(found), written: 0 }
    }
}
