//! New values: repaired, or in another encoding.
//!
//! Values one after another go to runecast as they are. Views are brought together first, a megabyte at a time:
//! copying them costs less than a call for each, and what comes out is the next buffer of the new array.

use std::borrow::Cow;

use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use runecast::batch::{BatchError, Converted, Defect, ill_formed_views};
use runecast::{Policy, Scheme, Utf8, repair};

use crate::Error;
use crate::column::{Run, Views, Width, value};
use crate::trusted::without_nulls;

/// What is done with a value that cannot be converted.
#[derive(Clone, Copy)]
pub(crate) enum Wrong<'p> {
    /// An error, with its row.
    Error,
    /// What a policy says.
    Policy(Policy<'p>),
    /// A null.
    Null,
}

impl<'p> From<Option<Policy<'p>>> for Wrong<'p> {
    fn from(policy: Option<Policy<'p>>) -> Self {
        policy.map_or(Wrong::Error, Wrong::Policy)
    }
}

/// Converts values one after another; with them come the nulls of the new array.
pub(crate) fn run<P: Width, O: Width>(
    run: &Run<P>,
    from: Scheme,
    to: Scheme,
    wrong: Wrong<'_>,
) -> Result<(Converted<u8, O>, Option<NullBuffer>), Error> {
    let (values, offsets, validity) = (&run.values, &run.offsets, run.validity());
    match wrong {
        Wrong::Error => Ok((from.transcode_offsets(to, values, offsets, validity)?, run.nulls.clone())),
        Wrong::Policy(policy) => {
            let new = from.transcode_offsets_lossy(to, values, offsets, validity, policy)?;
            Ok((new, run.nulls.clone()))
        }
        Wrong::Null => {
            let mut lost = Vec::new();
            let new = from.transcode_offsets_or(to, values, offsets, validity, keep(&mut lost))?;
            Ok((new, without(run.nulls.clone(), run.len(), &lost)))
        }
    }
}

/// Collects the numbers of the rows that are refused.
fn keep(lost: &mut Vec<usize>) -> impl FnMut(BatchError) -> Result<(), BatchError> {
    |error| {
        lost.push(error.index);
        Ok(())
    }
}

/// Nulls, with those rows among them.
pub(crate) fn without(nulls: Option<NullBuffer>, rows: usize, lost: &[usize]) -> Option<NullBuffer> {
    if lost.is_empty() {
        return nulls;
    }
    let mut bits = BooleanBufferBuilder::new(rows);
    match &nulls {
        Some(nulls) => bits.append_buffer(nulls.inner()),
        None => bits.append_n(rows, true),
    }
    lost.iter().for_each(|row| bits.set_bit(*row, false));
    Some(NullBuffer::new(bits.finish()))
}

/// The buffers of a new array.
pub(crate) fn buffers<O: Width>(mut new: Converted<u8, O>) -> (Buffer, OffsetBuffer<O>) {
    // Memory was reserved for the longest result that was possible.
    if new.values.capacity() - new.values.len() > new.values.len() / 4 {
        new.values.shrink_to_fit();
    }
    (Buffer::from_vec(new.values), OffsetBuffer::new(new.offsets.into()))
}

/// The parts of an array of views.
type Parts = (ScalarBuffer<u128>, Vec<Buffer>, Option<NullBuffer>);

/// Values that are brought together: at least so many bytes, unless one of them alone has as many.
const TOGETHER: usize = 1 << 20;

/// Converts views: all values are new ones.
pub(crate) fn views(old: &Views, from: Scheme, to: Scheme, wrong: Wrong<'_>) -> Result<Parts, Error> {
    let buffers = old.buffers();
    let mut work = Gathered {
        from,
        to,
        wrong,
        values: Vec::new(),
        ends: vec![0],
        new: New::default(),
        lost: Vec::new(),
    };
    work.new.views.reserve(old.views.len());
    for (row, view) in old.views.iter().enumerate() {
        let is_null = old.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        let value = if is_null { &[] } else { value(view, &buffers) };
        if work.values.len() + value.len() > TOGETHER {
            work.flush()?;
        }
        work.values.extend_from_slice(value);
        work.ends.push(work.values.len() as i64);
    }
    work.flush()?;
    let Gathered { mut new, lost, .. } = work;
    new.close();
    Ok((new.views.into(), new.buffers, without(old.nulls.clone(), old.views.len(), &lost)))
}

/// Values that are brought together, and what has become of those before them.
struct Gathered<'p> {
    from: Scheme,
    to: Scheme,
    wrong: Wrong<'p>,
    values: Vec<u8>,
    ends: Vec<i64>,
    new: New,
    lost: Vec<usize>,
}

impl Gathered<'_> {
    /// Converts them.
    fn flush(&mut self) -> Result<(), Error> {
        let first = self.new.views.len();
        let behind = |error: BatchError| Error::of(first + error.index, error.defect);
        let (from, to, values, ends) = (self.from, self.to, &self.values, &self.ends);
        let new: Converted<u8, i64> = match self.wrong {
            Wrong::Error => from.transcode_offsets(to, values, ends, None),
            Wrong::Policy(policy) => from.transcode_offsets_lossy(to, values, ends, None, policy),
            Wrong::Null => {
                let before = self.lost.len();
                let new = from.transcode_offsets_or(to, values, ends, None, keep(&mut self.lost));
                self.lost[before..].iter_mut().for_each(|row| *row += first);
                new
            }
        }
        .map_err(behind)?;
        self.values.clear();
        self.ends.truncate(1);
        self.new.take(new)
    }
}

/// New views, and buffers for their values.
#[derive(Default)]
struct New {
    views: Vec<u128>,
    buffers: Vec<Buffer>,
    /// How many buffers there are before these.
    others: usize,
    /// The buffer that is being filled.
    open: Vec<u8>,
}

impl New {
    /// Values that become a buffer.
    fn take(&mut self, new: Converted<u8, i64>) -> Result<(), Error> {
        let first = self.views.len();
        let mut any = false;
        for (row, ends) in new.offsets.windows(2).enumerate() {
            let [from, to] = [ends[0] as usize, ends[1] as usize];
            let view = view(&new.values[from..to], self.others + self.buffers.len(), from)
                .ok_or(Error::of(first + row, Defect::TooLong))?;
            any |= to - from > INLINE;
            self.views.push(view);
        }
        if any {
            self.buffers.push(buffers(new).0);
        }
        Ok(())
    }

    /// Appends a value, and returns its view.
    fn put(&mut self, row: usize, value: &[u8]) -> Result<u128, Error> {
        if !self.open.is_empty() && self.open.len() + value.len() > TOGETHER {
            self.close();
        }
        let view = view(value, self.others + self.buffers.len(), self.open.len())
            .ok_or(Error::of(row, Defect::TooLong))?;
        if value.len() > INLINE {
            self.open.extend_from_slice(value);
        }
        Ok(view)
    }

    /// Ends the buffer that is being filled.
    fn close(&mut self) {
        if !self.open.is_empty() {
            self.buffers.push(Buffer::from_vec(std::mem::take(&mut self.open)));
        }
    }
}

/// The longest value that is in its view.
const INLINE: usize = 12;

/// The view of a value that is at `at` in this buffer, if the numbers suffice.
fn view(value: &[u8], buffer: usize, at: usize) -> Option<u128> {
    let number = |number: usize| i32::try_from(number).ok().map(|number| number as u128);
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&u32::try_from(number(value.len())?).ok()?.to_le_bytes());
    if value.len() <= INLINE {
        bytes[4..4 + value.len()].copy_from_slice(value);
        return Some(u128::from_le_bytes(bytes));
    }
    bytes[4..8].copy_from_slice(&value[..4]);
    Some(u128::from_le_bytes(bytes) | number(buffer)? << 64 | number(at)? << 96)
}

/// Views of UTF-8, with new ones for values that a policy replaces; and the buffers of those.
pub(crate) fn repaired_views(
    views: &[u128],
    buffers: &[&[u8]],
    nulls: Option<&NullBuffer>,
    policy: Policy<'_>,
) -> Result<(ScalarBuffer<u128>, Vec<Buffer>), Error> {
    let mut wrong = Vec::new();
    ill_formed_views::<Utf8>(views, buffers, nulls.map(crate::column::validity), |row, _| wrong.push(row))?;
    if policy.refuses_characters() {
        wrong = (0..views.len()).filter(|row| nulls.is_none_or(|nulls| nulls.is_valid(*row))).collect();
    }
    let mut result = match nulls {
        Some(nulls) => without_nulls(views, nulls).to_vec(),
        None => views.to_vec(),
    };
    let mut new = New { others: buffers.len(), ..New::default() };
    for row in wrong {
        let old = value(&views[row], buffers);
        let text: Cow<'_, str> = repair::<Utf8>(old, policy);
        if text.as_bytes() != old {
            result[row] = new.put(row, text.as_bytes())?;
        }
    }
    new.close();
    Ok((result.into(), new.buffers))
}
