//! From bytes to text and back: the functions that make new arrays.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, FixedSizeBinaryArray, GenericBinaryArray, GenericStringArray,
    StringArray, StringViewArray, new_null_array,
};
use arrow_schema::DataType;
use runecast::{Policy, Scheme};

use crate::column::{BYTES, Column, Run, Views, Width, unsupported};
use crate::convert::{self, Wrong};
use crate::rows::is_text;
use crate::types::{Fate, Takes};
use crate::{Error, dictionary, nested, trusted};

/// The type of the text that an array of this type becomes: of the same width. `None` if [`check`] refuses the type: if it is neither
/// binary nor text, nor an array around any, or if some of it is in arrays that are not taken. Which these are, and which fields
/// stay as they are, is said [above](crate#which-arrays). (Of a field that may not be null, a row that becomes null makes one that may;
/// nothing else does.)
///
/// ```
/// use arrow_schema::DataType;
///
/// assert_eq!(runecast_arrow::text_type(&DataType::LargeBinary), Some(DataType::LargeUtf8));
/// assert_eq!(runecast_arrow::text_type(&DataType::FixedSizeBinary(16)), Some(DataType::Utf8));
/// assert_eq!(runecast_arrow::text_type(&DataType::Int64), None);
/// ```
#[must_use]
pub fn text_type(array: &DataType) -> Option<DataType> {
    let plain = |plain: &DataType| match plain {
        DataType::LargeBinary | DataType::LargeUtf8 => DataType::LargeUtf8,
        DataType::BinaryView | DataType::Utf8View => DataType::Utf8View,
        _ => DataType::Utf8,
    };
    becomes(array, Takes::Binary, &plain)
}

fn becomes(array: &DataType, takes: Takes, plain: &dyn Fn(&DataType) -> DataType) -> Option<DataType> {
    (takes.fate(array) == Fate::Converted).then(|| takes.becomes(array, plain))
}

/// The type of the binary that an array of this type becomes: of the same width. `None` if [`transcode`] refuses the type. ([`encode`]
/// takes text only: within others it leaves binary as it is.)
///
/// ```
/// use arrow_schema::DataType;
///
/// assert_eq!(runecast_arrow::binary_type(&DataType::LargeUtf8), Some(DataType::LargeBinary));
/// assert_eq!(runecast_arrow::binary_type(&DataType::FixedSizeBinary(16)), Some(DataType::Binary));
/// assert_eq!(runecast_arrow::binary_type(&DataType::Int64), None);
/// ```
#[must_use]
pub fn binary_type(array: &DataType) -> Option<DataType> {
    let plain = |plain: &DataType| match plain {
        DataType::LargeBinary | DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::BinaryView | DataType::Utf8View => DataType::BinaryView,
        _ => DataType::Binary,
    };
    becomes(array, Takes::Both, &plain)
}

/// Binary as text, if every row is well-formed UTF-8: without a copy of the values.
///
/// The text is of the width that [`text_type`] says. Text is its own answer. Rows that are null may hold
/// anything: where that is ill-formed, and only there, the values are copied without it. So are the offsets of a slice
/// that does not begin at its buffer's start.
///
/// ```
/// use arrow_array::BinaryArray;
/// use arrow_array::cast::AsArray;
///
/// let array = BinaryArray::from(vec![Some(&b"r\xC3\xBAn"[..]), None]);
/// let text = runecast_arrow::check(&array)?;
/// assert_eq!(text.as_string::<i32>().value(0), "rún");
/// assert_eq!(text.as_string::<i32>().values().as_ptr(), array.values().as_ptr());
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// The first row that is not; [`Error::Unsupported`]; values of a fixed size that are more than 2 GiB together.
pub fn check(array: &dyn Array) -> Result<ArrayRef, Error> {
    each(array, Takes::Binary, &|array| {
        Ok(match array.data_type() {
            DataType::Binary => Arc::new(check_binary(array.as_binary::<i32>())?),
            DataType::LargeBinary => Arc::new(check_binary(array.as_binary::<i64>())?),
            DataType::BinaryView => Arc::new(check_view(array.as_binary_view())?),
            DataType::FixedSizeBinary(_) => Arc::new(check_fixed(array.as_fixed_size_binary())?),
            found if is_text(found) => array.slice(0, array.len()),
            _ => return Err(unsupported(array, BYTES)),
        })
    })
}

/// [`check`], for Binary and LargeBinary.
///
/// # Errors
/// As there.
pub fn check_binary<O: Width>(array: &GenericBinaryArray<O>) -> Result<GenericStringArray<O>, Error> {
    trusted::check(&Run::of(array))
}

/// [`check`], for BinaryView.
///
/// # Errors
/// As there.
pub fn check_view(array: &BinaryViewArray) -> Result<StringViewArray, Error> {
    trusted::check_views(array)
}

/// [`check`], for FixedSizeBinary.
///
/// # Errors
/// As there.
pub fn check_fixed(array: &FixedSizeBinaryArray) -> Result<StringArray, Error> {
    match Run::of_fixed(array) {
        Some(run) => trusted::check(&run),
        None => too_long(array),
    }
}

/// Values of a fixed size that are more than narrow offsets can say: the first error among them may come before.
fn too_long(array: &FixedSizeBinaryArray) -> Result<StringArray, Error> {
    match Run::<i64>::of_fixed(array) {
        Some(run) => trusted::decode(&run, Scheme::Utf8, Wrong::Error),
        None => Err(unsupported(array, BYTES)),
    }
}

/// Binary or text as text, by `policy` where it is ill-formed: in the same buffers, if nothing is.
///
/// ```
/// use arrow_array::BinaryArray;
/// use arrow_array::cast::AsArray;
/// use runecast::Replacement;
///
/// let array = BinaryArray::from_vec(vec![b"r\xC3\xBAn", b"\xED\xA0\x80"]);
/// let text = runecast_arrow::repair(&array, Replacement::Whatwg)?;
/// assert_eq!(text.as_string::<i32>().value(1), "\u{FFFD}\u{FFFD}\u{FFFD}");
/// let text = runecast_arrow::repair(&array, Replacement::OpenJdk8)?;
/// assert_eq!(text.as_string::<i32>().value(1), "\u{FFFD}");
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`]; the row with which the text is too long for its offsets.
pub fn repair<'p>(array: &dyn Array, policy: impl Into<Policy<'p>>) -> Result<ArrayRef, Error> {
    let policy = policy.into();
    let takes = if policy.refuses_characters() { Takes::Both } else { Takes::Binary };
    each(array, takes, &|array| {
        if is_text(array.data_type()) && !policy.refuses_characters() {
            return Ok(array.slice(0, array.len()));
        }
        Ok(match array.data_type() {
            DataType::BinaryView => Arc::new(trusted::repair_views(array.as_binary_view(), policy)?),
            DataType::Utf8View => {
                let array = array.as_string_view().clone().to_binary_view();
                Arc::new(trusted::repair_views(&array, policy)?)
            }
            _ => match Column::of(array)? {
                Column::Narrow(run) => Arc::new(trusted::repair(&run, policy)?),
                Column::Wide(run) if is_fixed(array) => {
                    Arc::new(trusted::decode::<_, i32>(&run, Scheme::Utf8, Wrong::Policy(policy))?)
                }
                Column::Wide(run) => Arc::new(trusted::repair(&run, policy)?),
                Column::Views(_) => return Err(unsupported(array, BYTES)),
            },
        })
    })
}

/// Binary in a scheme as text: by `policy` where it is ill-formed, or else that is an error. Text is taken for the bytes
/// that it has in UTF-8.
///
/// ```
/// use arrow_array::BinaryArray;
/// use arrow_array::cast::AsArray;
/// use runecast::Scheme;
///
/// let array = BinaryArray::from_vec(vec![b"r\0\xFA\0n\0", b"r\0\x00\xD8"]);
/// let error = runecast_arrow::decode(&array, Scheme::Utf16Le, None).unwrap_err();
/// assert_eq!((error.row(), error.at()), (Some(1), Some(2)));
///
/// let text = runecast_arrow::decode(&array, Scheme::Utf16Le, Some("?".into()))?;
/// assert_eq!(text.as_string::<i32>().value(1), "r?");
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// The first row that is ill-formed, or has a surrogate, which is no character; [`Error::Unsupported`]; the row with
/// which the text is too long for its offsets.
pub fn decode(array: &dyn Array, scheme: Scheme, policy: Option<Policy<'_>>) -> Result<ArrayRef, Error> {
    match (scheme, policy) {
        (Scheme::Utf8, None) => check(array),
        (Scheme::Utf8, Some(policy)) => repair(array, policy),
        _ => each(array, Takes::Both, &|array| to_text(array, scheme, policy.into())),
    }
}

/// Binary in a scheme as text, with null for each row that is ill-formed. Views of UTF-8 keep their buffers.
///
/// ```
/// use arrow_array::{Array, BinaryArray};
/// use runecast::Scheme;
///
/// let array = BinaryArray::from_vec(vec![b"r\xC3\xBAn", b"r\xC3n"]);
/// let text = runecast_arrow::decode_or_null(&array, Scheme::Utf8)?;
/// assert!(text.is_valid(0) && text.is_null(1));
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`]; the row with which the text is too long for its offsets.
pub fn decode_or_null(array: &dyn Array, scheme: Scheme) -> Result<ArrayRef, Error> {
    let takes = if scheme == Scheme::Utf8 { Takes::Binary } else { Takes::Both };
    each(array, takes, &|array| {
        if scheme == Scheme::Utf8 {
            if array.data_type() == &DataType::BinaryView {
                return Ok(Arc::new(trusted::views_or_null(array.as_binary_view())?));
            }
            if let Ok(text) = check(array) {
                return Ok(text);
            }
        }
        to_text(array, scheme, Wrong::Null)
    })
}

/// Text as binary in a scheme: by `policy` where a character has no form there, or else that is an error. By any policy
/// such a character becomes a question mark.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use runecast::{Policy, Scheme};
///
/// let array = StringArray::from(vec!["rún", "ᚱún"]);
/// let error = runecast_arrow::encode(&array, Scheme::Latin1, None).unwrap_err();
/// assert_eq!(error.to_string(), "row 1: at offset 0: Latin-1 has no form for U+16B1 (ᚱ)");
///
/// let binary = runecast_arrow::encode(&array, Scheme::Latin1, Some(Policy::default()))?;
/// assert_eq!(binary.as_binary::<i32>().value(1), b"?\xFAn");
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// The first row with a character that has no form in the scheme; [`Error::Unsupported`], for binary as well; the row
/// with which the new values are too long for their offsets.
pub fn encode(array: &dyn Array, scheme: Scheme, policy: Option<Policy<'_>>) -> Result<ArrayRef, Error> {
    encode_that(array, scheme, policy.into())
}

/// Text as binary in a scheme, with null for each row that has a character without a form there.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use runecast::Scheme;
///
/// let array = StringArray::from(vec!["rún", "ᚱún"]);
/// let binary = runecast_arrow::encode_or_null(&array, Scheme::Latin1)?;
/// assert!(binary.is_valid(0) && binary.is_null(1));
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`], for binary as well; the row with which the new values are too long for their offsets.
pub fn encode_or_null(array: &dyn Array, scheme: Scheme) -> Result<ArrayRef, Error> {
    encode_that(array, scheme, Wrong::Null)
}

fn encode_that(array: &dyn Array, scheme: Scheme, wrong: Wrong<'_>) -> Result<ArrayRef, Error> {
    each(array, Takes::Text, &|array| to_binary(array, Scheme::Utf8, scheme, wrong))
}

/// Binary in one scheme as binary in another: by `policy` where it is ill-formed or has no form there, or else that is
/// an error. Text is taken for the bytes that it has in UTF-8.
///
/// # Errors
/// As for [`decode`] and [`encode`].
pub fn transcode(
    array: &dyn Array,
    from: Scheme,
    to: Scheme,
    policy: Option<Policy<'_>>,
) -> Result<ArrayRef, Error> {
    each(array, Takes::Both, &|array| to_binary(array, from, to, policy.into()))
}

/// Binary in one scheme as binary in another, with null for each row that is ill-formed or has a character without a form
/// there.
///
/// ```
/// use arrow_array::{Array, BinaryArray};
/// use runecast::Scheme;
///
/// let array = BinaryArray::from_vec(vec![b"r\xC3\xBAn", b"\xE1\x9A\xB1", b"r\xC3"]);
/// let binary = runecast_arrow::transcode_or_null(&array, Scheme::Utf8, Scheme::Latin1)?;
/// assert!(binary.is_valid(0) && binary.is_null(1) && binary.is_null(2));
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`]; the row with which the new values are too long for their offsets.
pub fn transcode_or_null(array: &dyn Array, from: Scheme, to: Scheme) -> Result<ArrayRef, Error> {
    each(array, Takes::Both, &|array| to_binary(array, from, to, Wrong::Null))
}

/// A conversion for what is within: the values of a dictionary, a list, a struct, of runs; or for the array itself.
fn each(
    array: &dyn Array,
    takes: Takes,
    convert: &dyn Fn(&dyn Array) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Error> {
    if takes.fate(array.data_type()) != Fate::Converted {
        return Err(takes.refusal(array.data_type()));
    }
    let convert = |array: &dyn Array| match array.as_any_dictionary_opt() {
        Some(dictionary) => dictionary::map(dictionary, |values| plain(values, convert)),
        None => plain(array, convert),
    };
    nested::Work { takes, convert: &convert }.of(array)
}

/// A conversion, where nulls that have no type are nulls of text.
fn plain(
    array: &dyn Array,
    convert: &dyn Fn(&dyn Array) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Error> {
    if array.data_type() == &DataType::Null {
        return convert(&new_null_array(&DataType::Utf8, array.len()));
    }
    convert(array)
}

/// New text, of values in a scheme.
fn to_text(array: &dyn Array, from: Scheme, wrong: Wrong<'_>) -> Result<ArrayRef, Error> {
    new_text(array, from, wrong).map_err(|error| error.towards(Scheme::Utf8))
}

fn new_text(array: &dyn Array, from: Scheme, wrong: Wrong<'_>) -> Result<ArrayRef, Error> {
    Ok(match Column::of(array)? {
        Column::Narrow(run) => Arc::new(trusted::decode::<_, i32>(&run, from, wrong)?),
        Column::Wide(run) if is_fixed(array) => Arc::new(trusted::decode::<_, i32>(&run, from, wrong)?),
        Column::Wide(run) => Arc::new(trusted::decode::<_, i64>(&run, from, wrong)?),
        Column::Views(views) => Arc::new(trusted::decode_views(&views, from, wrong)?),
    })
}

/// New binary.
fn to_binary(array: &dyn Array, from: Scheme, to: Scheme, wrong: Wrong<'_>) -> Result<ArrayRef, Error> {
    new_binary(array, from, to, wrong).map_err(|error| error.towards(to))
}

fn new_binary(array: &dyn Array, from: Scheme, to: Scheme, wrong: Wrong<'_>) -> Result<ArrayRef, Error> {
    if to == Scheme::Utf8 {
        let text = match wrong {
            Wrong::Error => decode(array, from, None)?,
            Wrong::Policy(policy) => decode(array, from, Some(policy))?,
            Wrong::Null => decode_or_null(array, from)?,
        };
        return Ok(match text.data_type() {
            DataType::LargeUtf8 => Arc::new(bytes_of(text.as_string::<i64>().clone())),
            DataType::Utf8View => Arc::new(text.as_string_view().clone().to_binary_view()),
            _ => Arc::new(bytes_of(text.as_string::<i32>().clone())),
        });
    }
    Ok(match Column::of(array)? {
        Column::Narrow(run) => Arc::new(binary::<_, i32>(&run, from, to, wrong)?),
        Column::Wide(run) if is_fixed(array) => Arc::new(binary::<_, i32>(&run, from, to, wrong)?),
        Column::Wide(run) => Arc::new(binary::<_, i64>(&run, from, to, wrong)?),
        Column::Views(views) => binary_view(&views, from, to, wrong)?,
    })
}

/// Text as its bytes.
fn bytes_of<O: Width>(text: GenericStringArray<O>) -> GenericBinaryArray<O> {
    let (offsets, values, nulls) = text.into_parts();
    GenericBinaryArray::new(offsets, values, nulls)
}

fn binary<P: Width, O: Width>(
    run: &Run<P>,
    from: Scheme,
    to: Scheme,
    wrong: Wrong<'_>,
) -> Result<GenericBinaryArray<O>, Error> {
    let (new, nulls) = convert::run::<P, O>(run, from, to, wrong)?;
    let (values, offsets) = convert::buffers(new);
    Ok(GenericBinaryArray::new(offsets, values, nulls))
}

fn binary_view(views: &Views, from: Scheme, to: Scheme, wrong: Wrong<'_>) -> Result<ArrayRef, Error> {
    let (views, buffers, nulls) = convert::views(views, from, to, wrong)?;
    Ok(Arc::new(BinaryViewArray::new(views, buffers, nulls)))
}

fn is_fixed(array: &dyn Array) -> bool {
    matches!(array.data_type(), DataType::FixedSizeBinary(_))
}
