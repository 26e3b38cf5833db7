//! The loop of all conversions of arrays.
//!
//! Where what is in order is the same in both encodings, thousands of values are checked and copied together.
//! Everywhere else a kernel goes over one value after the other, into room for all of them; the first that stops it
//! is done by itself.
//!
//! Values that are not in order mostly have others around them that are. So where thousands are not in order together,
//! a few are tried, and then twice as many each time. (To go on with all that is left instead, as it was once, cost
//! a length of all of it for every ill-formed value.)

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::Offset;
use super::convert::Converted;
use super::error::{BatchError, Defect};
use super::validate::{FEW, for_each_group, in_order};
use super::validity::{Stretches, Validity};
use crate::convert::{
    Policy, Reason, Repaired, drive, transcode_append_on, transcode_lossy_append_on, transcoded_len_on,
};
use crate::kernel::dispatch::offsets::Offsets;
use crate::kernel::{Engine, dispatch};
use crate::output::{self, OutputCursor};
use crate::unicode::{Encoding, Family, Unit, Variant, cast};

/// From one encoding to another.
pub(crate) trait Conversion: Copy {
    /// The source's code unit.
    type From: Unit;
    /// The target's.
    type To: Unit;

    /// Which values stay as they are.
    fn kept(self) -> Kept;

    /// How many of the first of these values are in order in the source; the next one is not. `None` if it is not
    /// known.
    fn in_order<P: Offset>(
        self,
        engine: Engine,
        values: &[Self::From],
        places: Offsets<'_, P>,
    ) -> Option<usize>;

    /// The length of what is in order in the target.
    fn len(self, engine: Engine, values: &[Self::From]) -> usize;

    /// Converts until something is in the way: what was read, and why it stopped.
    fn drive(
        self,
        engine: Engine,
        src: &[Self::From],
        output: &mut OutputCursor<'_, Self::To>,
    ) -> (usize, Option<Reason>);

    /// Converts all of a value to the end of a vector. What was converted before an error has been appended.
    fn append(self, engine: Engine, src: &[Self::From], dst: &mut Vec<Self::To>) -> Result<(), Reason>;

    /// The same, by a policy.
    fn append_lossy(
        self,
        engine: Engine,
        src: &[Self::From],
        dst: &mut Vec<Self::To>,
        policy: Policy<'_>,
    ) -> Repaired;
}

/// Which values have the same units in source and target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// All that are in order.
    Ordered,
    /// Those of ASCII.
    Ascii,
    /// Not known.
    Unknown,
}

impl Kept {
    /// Between these.
    #[inline]
    pub(crate) fn between(source: Variant, target: Variant) -> Kept {
        match (source.family(), target.family()) {
            _ if source == target => Kept::Ordered,
            // What `in_order` takes for that there is UTF-8.
            (Family::Utf8, Family::Utf8) => Kept::Ordered,
            (
                Family::Utf8 | Family::Ascii | Family::Latin1,
                Family::Utf8 | Family::Ascii | Family::Latin1,
            ) => Kept::Ascii,
            _ => Kept::Unknown,
        }
    }
}

/// Between types.
pub(super) struct Typed<S, D>(PhantomData<(S, D)>);

impl<S, D> Typed<S, D> {
    pub(super) const fn new() -> Self {
        Typed(PhantomData)
    }
}

impl<S, D> Clone for Typed<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, D> Copy for Typed<S, D> {}

impl<S: Encoding, D: Encoding> Conversion for Typed<S, D> {
    type From = S::Unit;
    type To = D::Unit;

    fn kept(self) -> Kept {
        Kept::between(S::VARIANT, D::VARIANT)
    }

    fn in_order<P: Offset>(
        self,
        engine: Engine,
        values: &[S::Unit],
        places: Offsets<'_, P>,
    ) -> Option<usize> {
        in_order::<S, P>(engine, values, places)
    }

    fn len(self, engine: Engine, values: &[S::Unit]) -> usize {
        transcoded_len_on::<S, D>(engine, values)
    }

    #[inline(always)]
    fn drive(
        self,
        engine: Engine,
        src: &[S::Unit],
        output: &mut OutputCursor<'_, D::Unit>,
    ) -> (usize, Option<Reason>) {
        drive::<S, D>(engine, src, output)
    }

    fn append(self, engine: Engine, src: &[S::Unit], dst: &mut Vec<D::Unit>) -> Result<(), Reason> {
        transcode_append_on::<S, D>(engine, src, dst).map(drop).map_err(|error| error.reason)
    }

    fn append_lossy(
        self,
        engine: Engine,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
        policy: Policy<'_>,
    ) -> Repaired {
        transcode_lossy_append_on::<S, D>(engine, src, dst, policy)
    }
}

/// What becomes of a value that cannot be converted.
pub(crate) enum Otherwise<'a, 'p> {
    /// It is converted by a policy.
    Policy(Policy<'p>),
    /// This is told of it, and ends the conversion, or leaves the value empty.
    Refused(&'a mut dyn FnMut(BatchError) -> Result<(), BatchError>),
}

/// Converts the values of an array.
pub(crate) fn convert<C: Conversion, O: Offset>(
    engine: Engine,
    conversion: C,
    values: &[C::From],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    otherwise: Otherwise<'_, '_>,
) -> Result<Converted<C::To, O>, BatchError> {
    let mut work = Work {
        engine,
        conversion,
        otherwise,
        done: 0,
        new: Converted { values: Vec::new(), offsets: Vec::new(), replaced: 0, first: None },
    };
    work.new.offsets.reserve(offsets.len().max(1));
    if let ([first, .., last], true) = (offsets, conversion.kept() != Kept::Unknown) {
        // What stays as it is takes as much room as it has, if it may.
        let span = usize::try_from(last.number().saturating_sub(first.number())).unwrap_or(0);
        if O::of(span).is_some() {
            work.new.values.reserve(span.min(values.len()));
        }
    }
    work.end_of_value()?;
    for_each_group(engine, values.len(), offsets, validity, |first, places| {
        for stretch in (Stretches { places, validity, first, done: 0 }) {
            work.nulls(first + stretch.start)?;
            work.stretch(values, places.values(stretch))?;
        }
        work.nulls(first + places.count())
    })?;
    Ok(work.new)
}

/// A conversion under way.
struct Work<'a, 'p, C: Conversion, O> {
    engine: Engine,
    conversion: C,
    otherwise: Otherwise<'a, 'p>,
    /// How many values are done with.
    done: usize,
    new: Converted<C::To, O>,
}

impl<C: Conversion, O: Offset> Work<'_, '_, C, O> {
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
    fn stretch<P: Offset>(&mut self, values: &[C::From], places: Offsets<'_, P>) -> Result<(), BatchError> {
        let strict = !matches!(self.otherwise, Otherwise::Policy(policy) if policy.refuses_characters());
        let kept = if strict { self.conversion.kept() } else { Kept::Unknown };
        let count = places.count();
        let (mut at, mut together) = (0, count);
        while at < count {
            let some = places.values(at..count.min(at.saturating_add(together)));
            let (stay, wrong) = self.staying(kept, values, some);
            if stay > 0 {
                self.copy(cast(values), some.values(0..stay))?;
                at += stay;
            }
            if stay == some.count() {
                together = together.saturating_mul(2);
                continue;
            }
            if !wrong {
                let most = if kept == Kept::Unknown { together } else { FEW };
                let some = places.values(at..count.min(at.saturating_add(most)));
                let moved = if strict { self.quickly(values, some)? } else { 0 };
                at += moved;
                if moved == some.count() {
                    together = if kept == Kept::Unknown { together.saturating_mul(2) } else { FEW };
                    continue;
                }
            }
            self.by_itself(&values[places.bounds(at)])?;
            at += 1;
            together = FEW;
        }
        Ok(())
    }

    /// How many of the first of these values stay as they are; and whether the next is known to be wrong.
    fn staying<P: Offset>(&self, kept: Kept, values: &[C::From], places: Offsets<'_, P>) -> (usize, bool) {
        match kept {
            Kept::Ordered => match self.conversion.in_order(self.engine, values, places) {
                Some(count) => (count, true),
                None => (0, false),
            },
            Kept::Ascii => {
                let span = places.span();
                let ascii = dispatch::validate::ascii_prefix(self.engine, cast(&values[span.clone()]));
                (places.ending(span.start + ascii), false)
            }
            Kept::Unknown => (0, false),
        }
    }

    /// Values that stay as they are.
    fn copy<P: Offset>(&mut self, values: &[C::To], places: Offsets<'_, P>) -> Result<(), BatchError> {
        let span = places.span();
        let base = self.new.values.len();
        let ends = places.offsets()[1..].iter().map(|offset| base + (offset.index() - span.start));
        if O::of(base + span.len()).is_none() {
            let fitting = ends.take_while(|end| O::of(*end).is_some()).count();
            return Err(Defect::TooLong.of(self.done + fitting));
        }
        self.new.values.extend_from_slice(&values[span.clone()]);
        self.new.offsets.extend(ends.map(O::cut));
        self.done += places.count();
        Ok(())
    }

    /// As many values as are in order, and fit into the room for all of them: how many that are.
    fn quickly<P: Offset>(
        &mut self,
        values: &[C::From],
        places: Offsets<'_, P>,
    ) -> Result<usize, BatchError> {
        let Work { engine, conversion, new: Converted { values: new, offsets, .. }, .. } = self;
        let base = new.len();
        new.reserve(conversion.len(*engine, &values[places.span()]));
        let (_, (count, fits)) = output::append(new, |spare| {
            let mut output = OutputCursor::new(spare);
            for value in 0..places.count() {
                let before = output.written();
                let (_, stopped) = conversion.drive(*engine, &values[places.bounds(value)], &mut output);
                if stopped.is_some() {
                    return (before, (value, true));
                }
                match O::of(base + output.written()) {
                    Some(offset) => offsets.push(offset),
                    None => return (before, (value, false)),
                }
            }
            (output.written(), (places.count(), true))
        });
        self.done += count;
        if fits { Ok(count) } else { Err(Defect::TooLong.of(self.done)) }
    }

    /// One value, in which something may be wrong.
    #[cold]
    fn by_itself(&mut self, value: &[C::From]) -> Result<(), BatchError> {
        let before = self.new.values.len();
        match &mut self.otherwise {
            Otherwise::Refused(refused) => {
                if let Err(reason) = self.conversion.append(self.engine, value, &mut self.new.values) {
                    refused(Defect::from(reason).of(self.done))?;
                    self.new.values.truncate(before);
                }
            }
            Otherwise::Policy(policy) => {
                let repaired =
                    self.conversion.append_lossy(self.engine, value, &mut self.new.values, *policy);
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
