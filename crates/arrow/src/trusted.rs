//! Where bytes become text: the only place with `unsafe` in it.
//!
//! An array of text may be made without a check if `try_new`, which checks, would accept it. For values one after
//! another that asks for more than well-formed rows: *all* bytes of the buffer have to be UTF-8, those under nulls and
//! those outside of a slice as well, and a character has to begin at every offset. So
//!
//! - what is outside of the slice is cut off. The buffer is shared all the same, and the offsets are copied only
//!   if the slice does not begin where the buffer does;
//! - the bytes of null rows are looked at. Where they are ill-formed, and only there, the values are copied without them.
//!
//! Of views, only those in the array have to be valid. One that is null and invalid is replaced by an empty one; the
//! buffers stay.
//!
//! Each function makes the promise beside the check, or the conversion, that it rests on.

#![allow(unsafe_code)] // see above; the rest of the crate denies it

use arrow_array::{Array as _, BinaryViewArray, GenericStringArray, StringViewArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use runecast::batch::{Converted, ill_formed_views, validate_offsets, validate_views};
use runecast::{Policy, Scheme, Utf8};

use crate::Error;
use crate::column::{Run, Views, Width, validity};
use crate::convert::{self, Wrong};

/// These values as text: in the same buffer, wherever that can be.
pub(crate) fn check<O: Width>(run: &Run<O>) -> Result<GenericStringArray<O>, Error> {
    if let Err(error) = validate_offsets::<Utf8>(&run.values, &run.offsets, None) {
        return match run.nulls {
            // It may be under them.
            Some(_) => decode(run, Scheme::Utf8, Wrong::Error),
            None => Err(error.into()),
        };
    }
    Ok(same(run))
}

/// The same for values that have just been checked, those that are null as well.
fn same<O: Width>(run: &Run<O>) -> GenericStringArray<O> {
    let (first, last) = (run.offsets[0], run.offsets[run.len()]);
    let values = run.values.slice_with_length(first.as_usize(), (last - first).as_usize());
    let offsets = if first == O::usize_as(0) {
        run.offsets.clone()
    } else {
        OffsetBuffer::new(run.offsets.iter().map(|offset| *offset - first).collect())
    };
    // SAFETY: `try_new` would pass it. Each value has been found to be well-formed by itself, and the buffer has nothing
    // but them, so all of it is UTF-8; and where one ends and another begins is a boundary of characters. The offsets
    // ascend and are within the buffer, which the check has looked at. The null bitmap is that of as many values.
    unsafe { GenericStringArray::new_unchecked(offsets, values, run.nulls.clone()) }
}

/// These values, which are in a scheme, as text.
pub(crate) fn decode<P: Width, O: Width>(
    run: &Run<P>,
    from: Scheme,
    wrong: Wrong<'_>,
) -> Result<GenericStringArray<O>, Error> {
    let (new, nulls) = convert::run::<P, O>(run, from, Scheme::Utf8, wrong)?;
    Ok(text(new, nulls))
}

/// These values as text, by a policy: in the same buffer, if all are well-formed.
pub(crate) fn repair<O: Width>(run: &Run<O>, policy: Policy<'_>) -> Result<GenericStringArray<O>, Error> {
    if validate_offsets::<Utf8>(&run.values, &run.offsets, None).is_err() {
        return decode(run, Scheme::Utf8, Wrong::Policy(policy));
    }
    if policy.refuses_characters() {
        let (new, nulls) = convert::run::<O, O>(run, Scheme::Utf8, Scheme::Utf8, Wrong::Policy(policy))?;
        if new.replaced > 0 {
            return Ok(text(new, nulls));
        }
    }
    Ok(same(run))
}

/// What a conversion to UTF-8 has made: for the functions above, and no other.
fn text<O: Width>(new: Converted<u8, O>, nulls: Option<NullBuffer>) -> GenericStringArray<O> {
    let (values, offsets) = convert::buffers(new);
    // SAFETY: `try_new` would pass it. Conversions to UTF-8 write whole characters, value by value, and an offset after
    // each of them; the first is 0, and the last the end of the buffer. A null value has no bytes.
    unsafe { GenericStringArray::new_unchecked(offsets, values, nulls) }
}

/// These views as those of text, in the same buffers.
pub(crate) fn check_views(array: &BinaryViewArray) -> Result<StringViewArray, Error> {
    let buffers: Vec<&[u8]> = array.data_buffers().iter().map(|buffer| &**buffer).collect();
    match (validate_views::<Utf8>(array.views(), &buffers, None), array.nulls()) {
        (Ok(()), _) => {
            // SAFETY: each view has been found to be valid, and its value to be UTF-8, null or not.
            Ok(unsafe { array.clone().to_string_view_unchecked() })
        }
        (Err(error), None) => Err(error.into()),
        (Err(_), Some(nulls)) => {
            validate_views::<Utf8>(array.views(), &buffers, Some(validity(nulls)))?;
            let views = without_nulls(array.views(), nulls);
            let buffers = array.data_buffers().to_vec();
            // SAFETY: each view that is not null has been found to be valid, and its value to be UTF-8; the others
            // are those of empty values now.
            Ok(unsafe { StringViewArray::new_unchecked(views, buffers, Some(nulls.clone())) })
        }
    }
}

/// These views as those of text, in the same buffers: null, and empty, where they are not well-formed.
pub(crate) fn views_or_null(array: &BinaryViewArray) -> Result<StringViewArray, Error> {
    let buffers: Vec<&[u8]> = array.data_buffers().iter().map(|buffer| &**buffer).collect();
    let mut lost = Vec::new();
    let found = |row, _| lost.push(row);
    ill_formed_views::<Utf8>(array.views(), &buffers, array.nulls().map(validity), found)?;
    let nulls = convert::without(array.nulls().cloned(), array.len(), &lost);
    let views = match &nulls {
        Some(nulls) => without_nulls(array.views(), nulls),
        None => array.views().clone(),
    };
    // SAFETY: each view that is not null now has been found to be valid, and its value to be UTF-8; the others are
    // those of empty values.
    Ok(unsafe { StringViewArray::new_unchecked(views, array.data_buffers().to_vec(), nulls) })
}

/// Views, with empty ones for those that are null.
pub(crate) fn without_nulls(views: &[u128], nulls: &NullBuffer) -> ScalarBuffer<u128> {
    views.iter().zip(nulls).map(|(view, is_valid)| if is_valid { *view } else { 0 }).collect()
}

/// These values, which are in a scheme, as views of text.
pub(crate) fn decode_views(views: &Views, from: Scheme, wrong: Wrong<'_>) -> Result<StringViewArray, Error> {
    let (views, buffers, nulls) = convert::views(views, from, Scheme::Utf8, wrong)?;
    // SAFETY: each view has been made for what a conversion to UTF-8 has written for its value, in its view or in a
    // buffer, and for nothing where it is null.
    Ok(unsafe { StringViewArray::new_unchecked(views, buffers, nulls) })
}

/// Views of text, of which some have new values in new buffers.
pub(crate) fn repair_views(array: &BinaryViewArray, policy: Policy<'_>) -> Result<StringViewArray, Error> {
    let buffers: Vec<&[u8]> = array.data_buffers().iter().map(|buffer| &**buffer).collect();
    if !policy.refuses_characters() && validate_views::<Utf8>(array.views(), &buffers, None).is_ok() {
        // SAFETY: each view has been found to be valid, and its value to be UTF-8, null or not.
        return Ok(unsafe { array.clone().to_string_view_unchecked() });
    }
    let (views, new) = convert::repaired_views(array.views(), &buffers, array.nulls(), policy)?;
    let buffers: Vec<Buffer> = array.data_buffers().iter().cloned().chain(new).collect();
    // SAFETY: each view that is not null has either been found to be valid, and its value to be UTF-8, or has been
    // made for what a repair has written for that value, which is UTF-8; the others are those of empty values.
    Ok(unsafe { StringViewArray::new_unchecked(views, buffers, array.nulls().cloned()) })
}
