//! The null bitmap: which values of an array are valid.

use core::ops::Range;

use super::error::{BatchError, Defect};
use crate::kernel::dispatch::offsets::{OffsetInt, Offsets};

/// A null bitmap, as Arrow has it: a bit for each value, the lowest bit of a byte first; 0 where the value
/// is null.
///
/// ```
/// use runecast::batch::Validity;
///
/// let validity = Validity::new(&[0b1010_0101], 1);
/// assert_eq!(validity.len(), 7);
/// assert!(!validity.is_valid(0) && validity.is_valid(1) && !validity.is_valid(2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Validity<'a> {
    bits: &'a [u8],
    from: usize,
}

impl<'a> Validity<'a> {
    /// The bitmap whose first bit is bit `from` of `bits`. It is not 0 for a slice of an array.
    #[must_use]
    #[inline]
    pub const fn new(bits: &'a [u8], from: usize) -> Self {
        Validity { bits, from }
    }

    /// The number of values that it covers.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.bits.len().saturating_mul(8).saturating_sub(self.from)
    }

    /// Whether it covers no value.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the value with this index is valid. Values that the bitmap does not cover are not.
    #[must_use]
    #[inline]
    pub const fn is_valid(&self, index: usize) -> bool {
        index < self.len() && {
            let bit = self.from + index;
            self.bits[bit / 8] >> (bit % 8) & 1 == 1
        }
    }

    /// The index of the first null value in `index..end`, or `end`.
    #[inline]
    fn next_null(&self, mut index: usize, end: usize) -> usize {
        while index < end {
            let bit = self.from + index;
            let rest = &self.bits[bit / 8..];
            // Up to 64 bits at once.
            let (word, bits) = match rest.first_chunk() {
                Some(eight) => (u64::from_le_bytes(*eight), 64),
                None => (rest[0].into(), 8),
            };
            let ones = (!word >> (bit % 8)).trailing_zeros() as usize;
            let known = bits - bit % 8;
            index += ones.min(known);
            if ones < known {
                break;
            }
        }
        index.min(end)
    }
}

/// Checks that a bitmap, if there is one, covers so many values.
#[inline]
pub(super) fn check(values: usize, validity: Option<Validity<'_>>) -> Result<(), BatchError> {
    match validity {
        Some(validity) if validity.len() < values => Err(Defect::NoValidity.of(validity.len())),
        _ => Ok(()),
    }
}

/// The spans of a group of values between the nulls that have bytes, which must not be looked at. Nulls without bytes do no
/// harm in a span.
pub(super) struct Spans<'a, O> {
    pub offsets: Offsets<'a, O>,
    pub validity: Option<Validity<'a>>,
    /// The index, in the array, of the first value of the group.
    pub first: usize,
    /// How many values of the group have been passed.
    pub done: usize,
}

impl<O: OffsetInt> Iterator for Spans<'_, O> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let count = self.offsets.count();
        let Some(validity) = self.validity else {
            let all = self.done..count;
            self.done = count;
            return (!all.is_empty()).then_some(all);
        };
        let is_null = |value: usize| !validity.is_valid(self.first + value);
        while self.done < count && is_null(self.done) {
            self.done += 1;
        }
        let begin = self.done;
        while self.done < count {
            self.done = validity.next_null(self.first + self.done, self.first + count) - self.first;
            // Nulls without bytes.
            while self.done < count && is_null(self.done) && self.offsets.bounds(self.done).is_empty() {
                self.done += 1;
            }
            if self.done < count && is_null(self.done) {
                break;
            }
        }
        (begin < self.done).then_some(begin..self.done)
    }
}
