//! Offsets into text, looked at in bulk: are they in order, and does a character begin at each?
//!
//! Columns of text keep their values one behind the other, with a list of offsets. The values are
//! well-formed one by one if and only if all of them together are, and none begins with a continuation
//! byte. The first is what the kernels of validation are for. For the second a byte has to be looked at
//! for each value: that is what is here, and before it, whether the offsets are offsets at all.
//!
//! [`Places`] is the proof of the latter: offsets that never decrease, and lie within a text of a known
//! length. It is made by comparing each with the next, which compilers turn into vectors. The bytes
//! are then fetched without a check and without a branch; one by one, for even where a CPU can gather,
//! it fetches them one by one as well. What is found is gathered in two flags, eight offsets a step: a
//! third of a nanosecond for a value. As the least of the bytes, each step waited for the one before it,
//! and a value took more than twice as long.

use core::ops::Range;

use super::convert::Plain;
use super::{Engine, Progress};

/// An integer that is an offset in columns of text.
pub trait Place: Copy + Ord + Send + Sync + core::fmt::Debug + 'static {
    /// The offset as an index; it is not negative, and within memory.
    fn index(self) -> usize;

    /// The offset of an index, if there is one.
    fn of(index: usize) -> Option<Self>;

    /// The offset as a number, whatever it is.
    fn number(self) -> i64;

    /// The offset of an index for which there is one.
    fn cut(index: usize) -> Self;
}

/// Implements [`Place`] for an integer and the unsigned one of its size.
macro_rules! places {
    ($($signed:ty: $unsigned:ty),*) => {$(
        impl Place for $signed {
            #[inline(always)]
            fn index(self) -> usize {
                self as $unsigned as usize
            }

            #[inline(always)]
            fn of(index: usize) -> Option<Self> {
                index.try_into().ok()
            }

            #[inline(always)]
            fn number(self) -> i64 {
                self.into()
            }

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

/// Offsets that never decrease, the first not negative, the last not behind the end of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<'a, O> {
    offsets: &'a [O],
    end: usize,
}

impl<'a, O: Place> Places<'a, O> {
    /// These offsets, into a text of `end` units: as many of the first as are in order.
    pub(crate) fn of(engine: Engine, offsets: &'a [O], end: usize) -> Self {
        let within = |offset: &O| offset.number() >= 0 && offset.number() as u64 <= end as u64;
        let offsets = match offsets {
            [first, .., last] if within(first) && within(last) && ascend(engine, offsets) => offsets,
            [only] if within(only) => offsets,
            _ => &offsets[..in_order(offsets, within)],
        };
        Places { offsets, end }
    }

    /// Those of the values `range`.
    pub(crate) fn values(self, range: Range<usize>) -> Self {
        Places { offsets: &self.offsets[range.start..=range.end], end: self.end }
    }

    /// How many values they bound.
    pub(crate) fn count(self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The offsets themselves.
    pub(crate) fn offsets(self) -> &'a [O] {
        self.offsets
    }

    /// Where the value of this number is.
    #[inline]
    pub(crate) fn bounds(self, value: usize) -> Range<usize> {
        self.offsets[value].index()..self.offsets[value + 1].index()
    }

    /// Where all of them are.
    pub(crate) fn span(self) -> Range<usize> {
        match self.offsets {
            [first, .., last] => first.index()..last.index(),
            _ => 0..0,
        }
    }

    /// How many of the first end at or before `at`.
    pub(crate) fn ending(self, at: usize) -> usize {
        self.offsets.get(1..).unwrap_or(&[]).partition_point(|end| end.index() <= at)
    }

    /// The offsets between values where there is something behind: neither the first, nor those
    /// where all ends.
    pub(crate) fn inner(self) -> &'a [O] {
        let [_, inner @ .., last] = self.offsets else {
            return &[];
        };
        let behind = inner.iter().rev().take_while(|offset| *offset == last).count();
        &inner[..inner.len() - behind]
    }

    /// Whether a value but for the first, in this text of UTF-8, begins with a continuation byte.
    pub(crate) fn any_continuation(self, engine: Engine, text: &[u8]) -> bool {
        assert!(text.len() == self.end);
        // SAFETY: an inner offset is less than the last, which is at most the length of the text.
        let found = unsafe { engine.run_plain(Continuations { text: text.as_ptr(), offsets: self.inner() }) };
        found.read != 0
    }
}

/// How many of the first of these offsets are in order.
#[cold]
fn in_order<O: Place>(offsets: &[O], within: impl Fn(&O) -> bool) -> usize {
    let mut before = None;
    let fits = |offset: &&O| {
        let fits = within(offset) && before.is_none_or(|before| before <= **offset);
        before = Some(**offset);
        fits
    };
    offsets.iter().take_while(fits).count()
}

/// Whether these never decrease.
fn ascend<O: Place>(engine: Engine, offsets: &[O]) -> bool {
    // SAFETY: it asks for nothing.
    unsafe { engine.run_plain(Descents { offsets }) }.read == 0
}

/// Whether some offset is less than the one before it: 1 as what was "read".
struct Descents<'a, O> {
    offsets: &'a [O],
}

impl<O: Place> Plain for Descents<'_, O> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let behind = self.offsets.get(1..).unwrap_or(&[]);
        let found = self.offsets.iter().zip(behind).fold(false, |found, (a, b)| found | (b < a));
        Progress { read: usize::from(found), written: 0 }
    }
}

/// Whether there is a continuation byte at some offset: 1 as what was "read".
struct Continuations<'a, O> {
    text: *const u8,
    offsets: &'a [O],
}

impl<O: Place> Plain for Continuations<'_, O> {
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
