//! Offsets into text, looked at in bulk: are they in order, and does a character begin at each?
//!
//! Columns of text keep their values one behind the other, with a list of offsets. The values are
//! well-formed one by one if and only if all of them together are, and none begins with a continuation
//! byte. The first is what the kernels of validation are for. For the second a byte has to be looked at
//! for each value: that is what is here, and before it, whether the offsets are offsets at all.
//!
//! [`Offsets`] is the proof of the latter: offsets that never decrease, and lie within a text of a known
//! length. It is made by comparing each with the next, which compilers turn into vectors. The bytes
//! are then fetched without a check and without a branch; one by one, for even where a CPU can gather,
//! it fetches them one by one as well. What is found is gathered in two flags, eight offsets a step: a
//! third of a nanosecond for a value. As the least of the bytes, each step waited for the one before it,
//! and a value took more than twice as long.

use crate::kernel::shared::{Plain, Progress};

/// An integer that is an offset in columns of text.
pub(crate) trait OffsetInt: Copy + Ord + Send + Sync + core::fmt::Debug + 'static {
    /// The offset as an index; it is not negative, and within memory.
    fn index(self) -> usize;

    #[cfg(feature = "alloc")]
    /// The offset of an index, if there is one.
    fn of(index: usize) -> Option<Self>;

    /// The offset as a number, whatever it is.
    fn number(self) -> i64;

    #[cfg(feature = "alloc")]
    /// The offset of an index for which there is one.
    fn cut(index: usize) -> Self;
}

/// Implements [`OffsetInt`] for an integer and the unsigned one of its size.
macro_rules! places {
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

places!(i32: u32, i64: u64);
// For tests of what is too long.
#[cfg(test)]
places!(i8: u8);

/// Whether some offset is less than the one before it: 1 as what was "read".
pub(in crate::kernel) struct Descents<'a, O> {
    pub offsets: &'a [O],
}

impl<O: OffsetInt> Plain for Descents<'_, O> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let behind = self.offsets.get(1..).unwrap_or(&[]);
        let found = self.offsets.iter().zip(behind).fold(false, |found, (a, b)| found | (b < a));
        Progress { read: usize::from(found), written: 0 }
    }
}

/// Whether there is a continuation byte at some offset: 1 as what was "read".
pub(in crate::kernel) struct Continuations<'a, O> {
    pub text: *const u8,
    pub offsets: &'a [O],
}

impl<O: OffsetInt> Plain for Continuations<'_, O> {
    /// # Safety
    /// There must be a byte at each offset.
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
