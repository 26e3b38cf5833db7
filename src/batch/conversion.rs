//! The loop of all conversions of columns.
//!
//! Where well-formed values have the same units in both encodings, thousands of them are checked and copied together.
//! Everywhere else a kernel converts one value after the other, into room reserved for all of them; a value at which it stops
//! is converted by itself.
//!
//! An ill-formed value is mostly among others that are well-formed. So where thousands are not all well-formed, a few are
//! tried, and then twice as many each time. (To go on with all that are left, as an earlier version did, measured the length of
//! all of them again for every ill-formed value.) Where such values are close to each other, some are converted by themselves before
//! several are tried again; and where a quarter of these had errors, so are the next ones,
//! without a trial.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::Offset;
use super::convert::Converted;
use super::error::{BatchError, Defect};
use super::validate::{FEW_VALUES, for_each_group, well_formed_count};
use super::validity::{Spans, Validity};
use crate::convert::{
    Policy, Reason, Repaired, ShortTexts, drive, short_texts, transcode_append_on, transcode_lossy_append_on,
    transcoded_len_on,
};
use crate::kernel::dispatch::offsets::Offsets;
use crate::kernel::{Engine, dispatch};
use crate::output::{self, OutputCursor};
use crate::unicode::{Encoding, Family, Unit, Variant, cast};

/// A conversion from one encoding to another, known by type or chosen at run time.
pub(crate) trait Conversion: Copy {
    /// The code unit of the source.
    type From: Unit;
    /// The code unit of the target.
    type To: Unit;

    /// Which values have the same units in source and target.
    fn unchanged(self) -> Unchanged;

    /// How many of the first of these values are well-formed; the next one is not. `None` if that is not known.
    fn well_formed_count<P: Offset>(
        self,
        engine: Engine,
        values: &[Self::From],
        offsets: Offsets<'_, P>,
    ) -> Option<usize>;

    /// The length in the target of well-formed text.
    fn len(self, engine: Engine, values: &[Self::From]) -> usize;

    /// Converts as far as possible: how much was read, and why it stopped.
    fn convert(
        self,
        engine: Engine,
        src: &[Self::From],
        output: &mut OutputCursor<'_, Self::To>,
    ) -> (usize, Option<Reason>);

    /// Converts all of a value, and appends the result. Everything before an error has been appended.
    fn append(self, engine: Engine, src: &[Self::From], dst: &mut Vec<Self::To>) -> Result<(), Reason>;

    /// The same, with replacements by `policy`.
    fn append_lossy(
        self,
        engine: Engine,
        src: &[Self::From],
        dst: &mut Vec<Self::To>,
        policy: Policy<'_>,
    ) -> Repaired;

    /// The loops for short values with errors; `None` if they do not serve.
    fn short_texts(self, policy: Policy<'_>) -> Option<ShortTexts<'_, Self::From, Self::To>>;
}

/// Which values have the same units in source and target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unchanged {
    /// All that are well-formed.
    WellFormed,
    /// Those of ASCII.
    Ascii,
    /// Not known.
    Unknown,
}

impl Unchanged {
    /// Between these encodings, with these units: those of a form and of the scheme with the same order of bytes are not as long.
    #[inline]
    pub(crate) fn between<From: Unit, To: Unit>(source: Variant, target: Variant) -> Unchanged {
        match (source.family(), target.family()) {
            _ if size_of::<From>() != size_of::<To>() => Unchanged::Unknown,
            _ if source == target => Unchanged::WellFormed,
            // `well_formed_count` counts values of UTF-8 there.
            (Family::Utf8, Family::Utf8) => Unchanged::WellFormed,
            (
                Family::Utf8 | Family::Ascii | Family::Latin1,
                Family::Utf8 | Family::Ascii | Family::Latin1,
            ) => Unchanged::Ascii,
            _ => Unchanged::Unknown,
        }
    }
}

/// A conversion between encodings known by type.
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

    fn unchanged(self) -> Unchanged {
        Unchanged::between::<S::Unit, D::Unit>(S::VARIANT, D::VARIANT)
    }

    fn well_formed_count<P: Offset>(
        self,
        engine: Engine,
        values: &[S::Unit],
        offsets: Offsets<'_, P>,
    ) -> Option<usize> {
        well_formed_count::<S, P>(engine, values, offsets)
    }

    fn len(self, engine: Engine, values: &[S::Unit]) -> usize {
        transcoded_len_on::<S, D>(engine, values)
    }

    #[inline(always)]
    fn convert(
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

    fn short_texts(self, policy: Policy<'_>) -> Option<ShortTexts<'_, S::Unit, D::Unit>> {
        short_texts::<S, D>(policy)
    }
}

/// What is done with a value that is ill-formed or cannot be represented.
pub(crate) enum OnError<'a, 'p> {
    /// It is converted with replacements.
    Replace(Policy<'p>),
    /// This is called; if it returns no error, the value is empty in the new array.
    Call(&'a mut dyn FnMut(BatchError) -> Result<(), BatchError>),
}

/// Converts the values of an array.
pub(crate) fn convert<C: Conversion, O: Offset>(
    engine: Engine,
    conversion: C,
    values: &[C::From],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    on_error: OnError<'_, '_>,
) -> Result<Converted<C::To, O>, BatchError> {
    let mut builder = Builder {
        engine,
        conversion,
        on_error,
        done: 0,
        short: None,
        new: Converted { values: Vec::new(), offsets: Vec::new(), replaced: 0, first: None },
    };
    builder.new.offsets.reserve(offsets.len().max(1));
    if let ([first, .., last], true) = (offsets, conversion.unchanged() != Unchanged::Unknown) {
        // Unchanged values take as much room as they have.
        let span = usize::try_from(last.number().saturating_sub(first.number())).unwrap_or(0);
        if O::of(span).is_some() {
            builder.new.values.reserve(span.min(values.len()));
        }
    }
    builder.push_offset()?;
    for_each_group(engine, values.len(), offsets, validity, |first, offsets| {
        for span in (Spans { offsets, validity, first, done: 0 }) {
            builder.push_nulls(first + span.start)?;
            builder.convert_span(values, offsets.values(span))?;
        }
        builder.push_nulls(first + offsets.count())
    })?;
    Ok(builder.new)
}

/// The new array, as far as it is built.
struct Builder<'a, 'p, C: Conversion, O> {
    engine: Engine,
    conversion: C,
    on_error: OnError<'a, 'p>,
    /// How many values are in it.
    done: usize,
    /// The loops for short values with errors, once they are needed, if they serve.
    short: Option<Option<ShortTexts<'p, C::From, C::To>>>,
    new: Converted<C::To, O>,
}

impl<C: Conversion, O: Offset> Builder<'_, '_, C, O> {
    /// Appends an offset, at the end of a value or before the first.
    fn push_offset(&mut self) -> Result<(), BatchError> {
        let offset = O::of(self.new.values.len()).ok_or(Defect::TooLong.of(self.done))?;
        self.new.offsets.push(offset);
        Ok(())
    }

    /// Appends null values, up to the one with index `end`.
    fn push_nulls(&mut self, end: usize) -> Result<(), BatchError> {
        while self.done < end {
            self.push_offset()?;
            self.done += 1;
        }
        Ok(())
    }

    /// Converts and appends values one after the other, none of which is a null with bytes.
    fn convert_span<P: Offset>(
        &mut self,
        values: &[C::From],
        offsets: Offsets<'_, P>,
    ) -> Result<(), BatchError> {
        // Otherwise even well-formed values may have replacements.
        let keeps = !matches!(self.on_error, OnError::Replace(policy) if policy.refuses_characters());
        let unchanged = if keeps { self.conversion.unchanged() } else { Unchanged::Unknown };
        let count = offsets.count();
        let (mut at, mut together) = (0, count);
        // Where the values end that were converted by themselves, and how often that was soon after the last time.
        let (mut end, mut soon) = (0, 0);
        // Whether the last values that were converted without a kernel had errors close to each other.
        let mut dense = false;
        while at < count {
            if dense {
                let some = offsets.values(at..count.min(at + FEW_VALUES / 2));
                let short;
                (short, dense) = self.convert_short(values, some, unchanged)?;
                at += short;
                end = at;
                continue;
            }
            let some = offsets.values(at..count.min(at.saturating_add(together)));
            let (same, ill_formed) = self.unchanged_count(unchanged, values, some);
            if same > 0 {
                self.copy(cast(values), some.values(0..same))?;
                at += same;
            }
            if same == some.count() {
                together = together.saturating_mul(2);
                continue;
            }
            if !ill_formed {
                let most = if unchanged == Unchanged::Unknown { together } else { FEW_VALUES };
                let some = offsets.values(at..count.min(at.saturating_add(most)));
                let moved = if keeps { self.convert_well_formed(values, some)? } else { 0 };
                at += moved;
                if moved == some.count() {
                    together =
                        if unchanged == Unchanged::Unknown { together.saturating_mul(2) } else { FEW_VALUES };
                    continue;
                }
            }
            soon = if at - end < SOON { soon + 1 } else { 0 };
            let mut short = 0;
            if soon > 2 {
                let some = offsets.values(at..count.min(at + FEW_VALUES / 2));
                (short, dense) = self.convert_short(values, some, unchanged)?;
            }
            end = at + short;
            if short == 0 {
                self.convert_one(&values[offsets.bounds(at)])?;
                end += 1;
            }
            at = end;
            together = FEW_VALUES;
        }
        Ok(())
    }

    /// How many of the first of these values are unchanged; and whether the next is known to be ill-formed.
    fn unchanged_count<P: Offset>(
        &self,
        unchanged: Unchanged,
        values: &[C::From],
        offsets: Offsets<'_, P>,
    ) -> (usize, bool) {
        match unchanged {
            Unchanged::WellFormed => match self.conversion.well_formed_count(self.engine, values, offsets) {
                Some(count) => (count, true),
                None => (0, false),
            },
            Unchanged::Ascii => {
                let span = offsets.span();
                let ascii = dispatch::validate::ascii_prefix(self.engine, cast(&values[span.clone()]));
                (offsets.ending(span.start + ascii), false)
            }
            Unchanged::Unknown => (0, false),
        }
    }

    /// Appends values that are unchanged.
    fn copy<P: Offset>(&mut self, values: &[C::To], offsets: Offsets<'_, P>) -> Result<(), BatchError> {
        let span = offsets.span();
        let base = self.new.values.len();
        let ends = offsets.offsets()[1..].iter().map(|offset| base + (offset.index() - span.start));
        if O::of(base + span.len()).is_none() {
            let fitting = ends.take_while(|end| O::of(*end).is_some()).count();
            return Err(Defect::TooLong.of(self.done + fitting));
        }
        self.new.values.extend_from_slice(&values[span.clone()]);
        self.new.offsets.extend(ends.map(O::cut));
        self.done += offsets.count();
        Ok(())
    }

    /// Converts and appends values up to the first that is ill-formed or does not fit into the room for all of them: how many
    /// those are.
    fn convert_well_formed<P: Offset>(
        &mut self,
        values: &[C::From],
        offsets: Offsets<'_, P>,
    ) -> Result<usize, BatchError> {
        let Builder { engine, conversion, new: Converted { values: new, offsets: ends, .. }, .. } = self;
        let base = new.len();
        new.reserve(conversion.len(*engine, &values[offsets.span()]));
        let (_, (count, fits)) = output::append(new, |spare| {
            let mut output = OutputCursor::new(spare);
            for value in 0..offsets.count() {
                let before = output.written();
                let (_, stopped) = conversion.convert(*engine, &values[offsets.bounds(value)], &mut output);
                if stopped.is_some() {
                    return (before, (value, true));
                }
                match O::of(base + output.written()) {
                    Some(offset) => ends.push(offset),
                    None => return (before, (value, false)),
                }
            }
            (output.written(), (offsets.count(), true))
        });
        self.done += count;
        if fits { Ok(count) } else { Err(Defect::TooLong.of(self.done)) }
    }

    /// Converts and appends values in which errors are likely, up to the first that is not short, or for which there is not enough
    /// room: how many those are, and whether the next are to be converted in the same way, because enough of all of them had errors.
    fn convert_short<P: Offset>(
        &mut self,
        values: &[C::From],
        offsets: Offsets<'_, P>,
        unchanged: Unchanged,
    ) -> Result<(usize, bool), BatchError> {
        let OnError::Replace(policy) = self.on_error else { return self.convert_each(values, offsets) };
        let Builder {
            conversion,
            done,
            short,
            new: Converted { values: new, offsets: ends, replaced, first },
            ..
        } = self;
        let Some(short) = short.get_or_insert_with(|| conversion.short_texts(policy)) else {
            return Ok((0, false));
        };
        let base = new.len();
        let mut ill_formed = 0;
        new.reserve(offsets.count() * SHORT_ROOM);
        let (_, (count, fits)) = output::append(new, |spare| {
            let mut output = OutputCursor::new(spare);
            for index in 0..offsets.count() {
                let value = &values[offsets.bounds(index)];
                let before = output.written();
                if value.len() > SHORT_VALUE {
                    return (before, (index, true));
                }
                if unchanged == Unchanged::Ascii && is_short_ascii(cast(value)) {
                    if !output.push(cast(value)) {
                        return (before, (index, true));
                    }
                } else {
                    let Some(count) = short.convert(value, &mut output) else {
                        return (before, (index, true));
                    };
                    *replaced += count;
                    if count > 0 {
                        first.get_or_insert(*done + index);
                        ill_formed += 1;
                    }
                }
                match O::of(base + output.written()) {
                    Some(offset) => ends.push(offset),
                    None => return (before, (index, false)),
                }
            }
            (output.written(), (offsets.count(), true))
        });
        *done += count;
        let dense = count == offsets.count() && SOON * ill_formed >= count;
        if fits { Ok((count, dense)) } else { Err(Defect::TooLong.of(*done)) }
    }

    /// The same, for values of any length that are refused if they have errors.
    #[cold]
    fn convert_each<P: Offset>(
        &mut self,
        values: &[C::From],
        offsets: Offsets<'_, P>,
    ) -> Result<(usize, bool), BatchError> {
        let (count, mut ill_formed) = (offsets.count(), 0);
        for value in 0..count {
            ill_formed += usize::from(self.convert_one(&values[offsets.bounds(value)])?);
        }
        Ok((count, SOON * ill_formed >= count))
    }

    /// Converts and appends one value, which may be ill-formed: whether it is.
    #[cold]
    fn convert_one(&mut self, value: &[C::From]) -> Result<bool, BatchError> {
        let before = self.new.values.len();
        let ill_formed = match &mut self.on_error {
            OnError::Call(refused) => {
                let converted = self.conversion.append(self.engine, value, &mut self.new.values);
                if let Err(reason) = converted {
                    refused(Defect::from(reason).of(self.done))?;
                    self.new.values.truncate(before);
                }
                converted.is_err()
            }
            OnError::Replace(policy) => {
                let repaired =
                    self.conversion.append_lossy(self.engine, value, &mut self.new.values, *policy);
                self.new.replaced += repaired.replaced;
                if repaired.replaced > 0 {
                    self.new.first.get_or_insert(self.done);
                }
                repaired.replaced > 0
            }
        };
        self.push_offset()?;
        self.done += 1;
        Ok(ill_formed)
    }
}

/// Whether a value of at most [`SHORT_VALUE`] bytes is ASCII, by two words: of random bytes nothing foretells at which of them a loop
/// would end.
#[inline(always)]
fn is_short_ascii(bytes: &[u8]) -> bool {
    let high = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last))
    } else {
        bytes.iter().fold(0, |all, byte| all | u64::from(*byte))
    };
    high & 0x8080_8080_8080_8080 == 0
}

/// Values converted by themselves are close to each other if there are fewer others between them.
const SOON: usize = 4;

/// Units of a value that is converted without a kernel, and without its length measured, if errors are likely.
const SHORT_VALUE: usize = 16;

/// Units that are reserved for one: enough for most policies.
const SHORT_ROOM: usize = 256;
