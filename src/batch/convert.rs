//! New arrays: repaired, or in another encoding.

use alloc::vec::Vec;

use crate::encoding::{Encoding, Kin, Layout, Utf8};
use crate::kernel::{Engine, Places};
use crate::replace::Policy;
use crate::sink::{self, Sink};

use super::Offset;
use super::error::{BatchError, Defect};
use super::validate::{for_each_group, is_valid};
use super::validity::{Stretches, Validity};

/// A new array. Its first offset is 0. A null value has no units in it, whatever it had before; the null
/// bitmap is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Converted<U, O> {
    /// The values, one behind the other.
    pub values: Vec<U>,
    /// Where they begin, and where the last ends: one more than there are values.
    pub offsets: Vec<O>,
    /// How many replacements were made.
    pub replaced: usize,
    /// The number of the first value in which one was made.
    pub first: Option<usize>,
}

impl Engine {
    /// [`transcode_offsets`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_offsets<S: Encoding, D: Encoding, O: Offset>(
        self,
        values: &[S::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
    ) -> Result<Converted<D::Unit, O>, BatchError> {
        self.convert_offsets::<S, D, O>(values, offsets, validity, None)
    }

    /// [`transcode_offsets_lossy`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_offsets_lossy<'p, S: Encoding, D: Encoding, O: Offset>(
        self,
        values: &[S::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
        policy: impl Into<Policy<'p>>,
    ) -> Result<Converted<D::Unit, O>, BatchError> {
        self.convert_offsets::<S, D, O>(values, offsets, validity, Some(policy.into()))
    }

    /// [`repair_offsets`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn repair_offsets<'p, O: Offset>(
        self,
        values: &[u8],
        offsets: &[O],
        validity: Option<Validity<'_>>,
        policy: impl Into<Policy<'p>>,
    ) -> Result<Option<Converted<u8, O>>, BatchError> {
        let policy = policy.into();
        if !policy.refuses_characters() && self.validate_offsets::<Utf8>(values, offsets, None).is_ok() {
            super::validity::check(offsets.len().saturating_sub(1), validity)?;
            return Ok(None);
        }
        self.convert_offsets::<Utf8, Utf8, O>(values, offsets, validity, Some(policy)).map(Some)
    }

    fn convert_offsets<S: Encoding, D: Encoding, O: Offset>(
        self,
        values: &[S::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
        policy: Option<Policy<'_>>,
    ) -> Result<Converted<D::Unit, O>, BatchError> {
        let mut work = Work::<D, O> {
            engine: self,
            policy,
            done: 0,
            new: Converted { values: Vec::new(), offsets: Vec::new(), replaced: 0, first: None },
        };
        work.new.offsets.reserve(offsets.len().max(1));
        work.end_of_value()?;
        for_each_group(self, values.len(), offsets, validity, |first, places| {
            for stretch in (Stretches { places, validity, first, done: 0 }) {
                work.nulls(first + stretch.start)?;
                work.stretch::<S, _>(values, places.values(stretch))?;
            }
            work.nulls(first + places.count())
        })?;
        Ok(work.new)
    }
}

/// A conversion under way.
struct Work<'p, D: Encoding, O> {
    engine: Engine,
    policy: Option<Policy<'p>>,
    /// How many values are done with.
    done: usize,
    new: Converted<D::Unit, O>,
}

impl<D: Encoding, O: Offset> Work<'_, D, O> {
    /// The next offset: a value ends, or the first begins.
    fn end_of_value(&mut self) -> Result<(), BatchError> {
        let offset = O::of(self.new.values.len()).ok_or(Defect::TooLong.of(self.done))?;
        self.new.offsets.push(offset);
        Ok(())
    }

    /// Null values, up to that of this number.
    fn nulls(&mut self, end: usize) -> Result<(), BatchError> {
        while self.done < end {
            self.end_of_value()?;
            self.done += 1;
        }
        Ok(())
    }

    /// Values one behind the other.
    fn stretch<S: Encoding, P: Offset>(
        &mut self,
        values: &[S::Unit],
        places: Places<'_, P>,
    ) -> Result<(), BatchError> {
        let strict = self.policy.is_none_or(|policy| !policy.refuses_characters());
        // What is in order there is the same here.
        let same = S::LAYOUT == D::LAYOUT || S::LAYOUT == Layout::Utf8 && D::LAYOUT.kin() == Kin::Eight;
        if same && strict && is_valid::<S, _>(self.engine, values, places) {
            return self.copy(bytemuck::cast_slice(values), places);
        }
        let mut at = 0;
        while at < places.count() {
            let rest = places.values(at..places.count());
            if strict {
                at += self.quickly::<S, P>(values, rest)?;
            }
            if at < places.count() {
                self.by_itself::<S>(&values[places.bounds(at)])?;
                at += 1;
            }
        }
        Ok(())
    }

    /// Values that stay as they are.
    fn copy<P: Offset>(&mut self, values: &[D::Unit], places: Places<'_, P>) -> Result<(), BatchError> {
        let span = places.span();
        let base = self.new.values.len();
        self.new.values.extend_from_slice(&values[span.clone()]);
        let ends = places.offsets()[1..].iter().map(|offset| base + (offset.index() - span.start));
        if O::of(base + span.len()).is_none() {
            let fitting = ends.take_while(|end| O::of(*end).is_some()).count();
            return Err(Defect::TooLong.of(self.done + fitting));
        }
        self.new.offsets.extend(ends.map(O::cut));
        self.done += places.count();
        Ok(())
    }

    /// As many values as are in order, and fit into the room for all of them: how many that are.
    fn quickly<S: Encoding, P: Offset>(
        &mut self,
        values: &[S::Unit],
        places: Places<'_, P>,
    ) -> Result<usize, BatchError> {
        let Work { engine, new: Converted { values: new, offsets, .. }, .. } = self;
        let base = new.len();
        new.reserve(engine.transcoded_len::<S, D>(&values[places.span()]));
        let (_, (count, fits)) = sink::append(new, |spare| {
            let mut sink = Sink::new(spare);
            for value in 0..places.count() {
                let before = sink.written();
                let (_, stopped) = engine.drive::<S, D>(&values[places.bounds(value)], &mut sink);
                if stopped.is_some() {
                    return (before, (value, true));
                }
                match O::of(base + sink.written()) {
                    Some(offset) => offsets.push(offset),
                    None => return (before, (value, false)),
                }
            }
            (sink.written(), (places.count(), true))
        });
        self.done += count;
        if fits { Ok(count) } else { Err(Defect::TooLong.of(self.done)) }
    }

    /// One value, in which something may be wrong.
    #[cold]
    fn by_itself<S: Encoding>(&mut self, value: &[S::Unit]) -> Result<(), BatchError> {
        match self.policy {
            None => {
                self.engine
                    .transcode_append::<S, D>(value, &mut self.new.values)
                    .map_err(|error| Defect::from(error.reason).of(self.done))?;
            }
            Some(policy) => {
                let repaired =
                    self.engine.transcode_lossy_append::<S, D>(value, &mut self.new.values, policy);
                self.new.replaced += repaired.replaced;
                if repaired.replaced > 0 {
                    self.new.first.get_or_insert(self.done);
                }
            }
        }
        self.end_of_value()?;
        self.done += 1;
        Ok(())
    }
}

/// Converts every value by itself from encoding `S` to encoding `D`: a new array, with offsets of type
/// `O`.
///
/// # Errors
/// The first value that is not in order, or has a character for which `D` has no form, or with which
/// the new values are too long for `O`. A bitmap that is too short is found before all else.
///
/// ```
/// use runecast::batch::transcode_offsets;
/// use runecast::{Latin1, Utf8};
///
/// let new = transcode_offsets::<Latin1, Utf8, i64>(b"caf\xE9noir", &[0, 4, 8], None)?;
/// assert_eq!(new.values, "cafénoir".as_bytes());
/// assert_eq!(new.offsets, [0, 5, 9]);
/// # Ok::<(), runecast::batch::BatchError>(())
/// ```
pub fn transcode_offsets<S: Encoding, D: Encoding, O: Offset>(
    values: &[S::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
) -> Result<Converted<D::Unit, O>, BatchError> {
    Engine::current().transcode_offsets::<S, D, O>(values, offsets, validity)
}

/// [`transcode_offsets`], by `policy` where a value is ill-formed.
///
/// # Errors
/// [`Defect::OutOfBounds`], [`Defect::TooLong`], [`Defect::NoValidity`].
///
/// ```
/// use runecast::batch::transcode_offsets_lossy;
/// use runecast::{Replacement, Utf8, Utf16};
///
/// // The two halves of ñ are two values here.
/// let new = transcode_offsets_lossy::<Utf8, Utf16, i32>("añb".as_bytes(), &[0, 2, 4], None, Replacement::Whatwg)?;
/// assert_eq!(new.values, [0x61, 0xFFFD, 0xFFFD, 0x62]);
/// assert_eq!((new.offsets, new.replaced, new.first), (vec![0, 2, 4], 2, Some(0)));
/// # Ok::<(), runecast::batch::BatchError>(())
/// ```
pub fn transcode_offsets_lossy<'p, S: Encoding, D: Encoding, O: Offset>(
    values: &[S::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    policy: impl Into<Policy<'p>>,
) -> Result<Converted<D::Unit, O>, BatchError> {
    Engine::current().transcode_offsets_lossy::<S, D, O>(values, offsets, validity, policy)
}

/// UTF-8 of which every value is well-formed, by `policy` where it is not; or `None`, if all values are
/// well-formed as they are, null ones too: then there is nothing to be done, and nothing is copied.
///
/// # Errors
/// As for [`transcode_offsets_lossy`].
///
/// ```
/// use runecast::Replacement;
/// use runecast::batch::repair_offsets;
///
/// let clean = "rúna".as_bytes();
/// assert_eq!(repair_offsets(clean, &[0, 3, 5], None, Replacement::Whatwg)?, None);
///
/// let new = repair_offsets(clean, &[0, 2, 5], None, Replacement::Whatwg)?.unwrap();
/// assert_eq!(new.values, "r\u{FFFD}\u{FFFD}na".as_bytes());
/// assert_eq!(new.offsets, [0, 4, 9]);
/// # Ok::<(), runecast::batch::BatchError>(())
/// ```
pub fn repair_offsets<'p, O: Offset>(
    values: &[u8],
    offsets: &[O],
    validity: Option<Validity<'_>>,
    policy: impl Into<Policy<'p>>,
) -> Result<Option<Converted<u8, O>>, BatchError> {
    Engine::current().repair_offsets::<O>(values, offsets, validity, policy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Latin1, Replacement};

    /// An array of `sizes` letters, with offsets of one byte: where they do not suffice any more.
    fn too_long(letter: u8, sizes: [usize; 4]) -> [Result<usize, BatchError>; 2] {
        let values = [letter].repeat(sizes.iter().sum());
        let ends = sizes.iter().scan(0, |end, size| {
            *end += *size as i32;
            Some(*end)
        });
        let offsets: Vec<i32> = core::iter::once(0).chain(ends).collect();
        let strict = transcode_offsets::<Latin1, Utf8, i8>(&values, &offsets, None);
        let policy = Replacement::Whatwg;
        let lossy = transcode_offsets_lossy::<Utf8, Utf8, i8>(&values, &offsets, None, policy);
        [strict, lossy].map(|new| new.map(|new| new.values.len()))
    }

    #[test]
    fn offsets_that_do_not_suffice() {
        let expected = |index| Err(Defect::TooLong.of(index));
        assert_eq!(too_long(b'a', [60, 7, 60, 0]), [Ok(127), Ok(127)]);
        assert_eq!(too_long(b'a', [60, 8, 60, 0]), [expected(2), expected(2)]);
        assert_eq!(too_long(b'a', [127, 0, 0, 1]), [expected(3), expected(3)]);
        // Two bytes each, or three.
        assert_eq!(too_long(0xE9, [30, 33, 1, 9]), [expected(2), expected(1)]);
        assert_eq!(too_long(0xE9, [0, 200, 0, 0]), [expected(1), expected(1)]);
    }
}
