//! The offsets of a column of text: see [`portable::offsets`](crate::kernel::portable::offsets).

use core::ops::Range;

use super::run_plain;
use crate::kernel::Engine;
use crate::kernel::portable::offsets::{Continuations, Descents};

pub(crate) use crate::kernel::portable::offsets::OffsetInt;

/// Offsets that never decrease, the first not negative, the last not behind the end of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offsets<'a, O> {
    offsets: &'a [O],
    end: usize,
}

impl<'a, O: OffsetInt> Offsets<'a, O> {
    /// These offsets, into a text of `end` units: as many of the first as are in order.
    pub(crate) fn of(engine: Engine, offsets: &'a [O], end: usize) -> Self {
        let within = |offset: &O| offset.number() >= 0 && offset.number() as u64 <= end as u64;
        let offsets = match offsets {
            [first, .., last] if within(first) && within(last) && ascend(engine, offsets) => offsets,
            [only] if within(only) => offsets,
            _ => &offsets[..in_order(offsets, within)],
        };
        Offsets { offsets, end }
    }

    /// Those of the values `range`.
    pub(crate) fn values(self, range: Range<usize>) -> Self {
        Offsets { offsets: &self.offsets[range.start..=range.end], end: self.end }
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
        let found =
            unsafe { run_plain(engine, Continuations { text: text.as_ptr(), offsets: self.inner() }) };
        found.read != 0
    }
}

/// How many of the first of these offsets are in order.
#[cold]
fn in_order<O: OffsetInt>(offsets: &[O], within: impl Fn(&O) -> bool) -> usize {
    let mut before = None;
    let fits = |offset: &&O| {
        let fits = within(offset) && before.is_none_or(|before| before <= **offset);
        before = Some(**offset);
        fits
    };
    offsets.iter().take_while(fits).count()
}

/// Whether these never decrease.
fn ascend<O: OffsetInt>(engine: Engine, offsets: &[O]) -> bool {
    // SAFETY: it asks for nothing.
    unsafe { run_plain(engine, Descents { offsets }) }.read == 0
}
