//! The offsets of a column of text: see [`portable::offsets`](crate::kernel::portable::offsets).

use core::ops::Range;

use super::run_plain;
use crate::kernel::Engine;
use crate::kernel::portable::offsets::{Continuations, Descents};

pub(crate) use crate::kernel::portable::offsets::OffsetInt;

/// Offsets that never decrease, the first not negative, the last not past the end of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offsets<'a, O> {
    offsets: &'a [O],
    end: usize,
}

impl<'a, O: OffsetInt> Offsets<'a, O> {
    /// The longest valid prefix of these offsets into a text of `end` units.
    pub(crate) fn of(engine: Engine, offsets: &'a [O], end: usize) -> Self {
        let within = |offset: &O| offset.number() >= 0 && offset.number() as u64 <= end as u64;
        let offsets = match offsets {
            [first, .., last] if within(first) && within(last) && ascend(engine, offsets) => offsets,
            [only] if within(only) => offsets,
            _ => &offsets[..valid_prefix(offsets, within)],
        };
        Offsets { offsets, end }
    }

    /// The offsets of the values `range`.
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

    /// The range of the value with this index.
    #[inline]
    pub(crate) fn bounds(self, value: usize) -> Range<usize> {
        self.offsets[value].index()..self.offsets[value + 1].index()
    }

    /// The range of all values.
    pub(crate) fn span(self) -> Range<usize> {
        match self.offsets {
            [first, .., last] => first.index()..last.index(),
            _ => 0..0,
        }
    }

    /// How many values, from the first on, end at or before `at`.
    pub(crate) fn ending(self, at: usize) -> usize {
        self.offsets.get(1..).unwrap_or(&[]).partition_point(|end| end.index() <= at)
    }

    /// The offsets between values, but for those at the end of the text: there is a byte at each of these.
    pub(crate) fn inner(self) -> &'a [O] {
        let [_, inner @ .., last] = self.offsets else {
            return &[];
        };
        let at_end = inner.iter().rev().take_while(|offset| *offset == last).count();
        &inner[..inner.len() - at_end]
    }

    /// Whether any value but the first begins with a continuation byte in this text of UTF-8.
    pub(crate) fn any_continuation(self, engine: Engine, text: &[u8]) -> bool {
        assert!(text.len() == self.end);
        // SAFETY: an inner offset is less than the last, which is at most the length of the text.
        let found =
            unsafe { run_plain(engine, Continuations { text: text.as_ptr(), offsets: self.inner() }) };
        found.read != 0
    }
}

/// The length of the longest valid prefix of these offsets.
#[cold]
fn valid_prefix<O: OffsetInt>(offsets: &[O], within: impl Fn(&O) -> bool) -> usize {
    let mut before = None;
    let fits = |offset: &&O| {
        let fits = within(offset) && before.is_none_or(|before| before <= **offset);
        before = Some(**offset);
        fits
    };
    offsets.iter().take_while(fits).count()
}

/// Whether the offsets never decrease.
fn ascend<O: OffsetInt>(engine: Engine, offsets: &[O]) -> bool {
    // SAFETY: the loop has no requirements.
    unsafe { run_plain(engine, Descents { offsets }) }.read == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What takes equal offsets for descending ones is not wrong, but slow: it has each looked at by itself.
    #[test]
    fn only_what_is_less_descends() {
        let mut offsets = [0_i32; 40];
        for engine in Engine::available() {
            assert!(ascend(engine, &offsets) && ascend(engine, &offsets[..0]));
            for at in 0..offsets.len() {
                offsets[at] = 1;
                assert_eq!(ascend(engine, &offsets), at == offsets.len() - 1, "{at}");
                assert!(ascend(engine, &offsets[..=at]), "{at}");
                offsets[at] = 0;
            }
        }
    }
}
