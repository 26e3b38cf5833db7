//! Columns of text, as databases and message queues have them: one call for all values.
//!
//! A column may store its values one after the other, with a list of *offsets*: value `i` is
//! `values[offsets[i]..offsets[i + 1]]` ([`validate_offsets`]). It may have a *view* for each value, which contains the value if it is
//! short, and otherwise its place ([`validate_views`]). Or the values are slices anywhere in memory ([`validate_each`]).
//!
//! Every value has to be well-formed *by itself*: a value that ends in the middle of a character is ill-formed, even if the
//! next one begins with the rest of it. Null values are ignored, whatever their bytes.
//!
//! ```
//! use runecast::batch::{Validity, validate_offsets};
//! use runecast::Utf8;
//!
//! let values = b"runestone\xFF\xE9";
//! let offsets = [0, 4, 10, 11]; // three values
//! let error = validate_offsets::<Utf8>(values, &offsets, None).unwrap_err();
//! assert_eq!((error.index, error.ill_formed().unwrap().at), (1, 5));
//!
//! let nulls = Validity::new(&[0b101], 0); // the second is null
//! let error = validate_offsets::<Utf8>(values, &offsets, Some(nulls)).unwrap_err();
//! assert_eq!(error.index, 2);
//! ```
//!
//! No function here panics, whatever the offsets, views and bitmaps. Validation does not allocate.
//!
//! # How
//!
//! Values that are stored one after the other are not checked one by one. If their concatenation is well-formed, each value is,
//! unless a boundary between two values lies within a character; and in UTF-8 such a boundary is one before a continuation
//! byte. So some tens of kilobytes of values are given to the kernel at once, at its full speed, and then the first byte of each value
//! is tested, without a branch. ASCII does not even need that. Only if this finds something ill-formed are a few values
//! checked together, and then one by one; or, if there are nulls, the spans between them.
//!
//! Nulls are considered equally late, because null values mostly have no bytes, or zeros. If all bytes are well-formed, so are
//! those of null values.
//!
//! Slices in different places are gathered first, which is faster than a call for each.

mod error;
mod validate;
mod validity;
mod view;
cfg_if::cfg_if! {
    if #[cfg(feature = "alloc")] {
        mod conversion;
        mod convert;
        #[cfg(feature = "dynamic")]
        mod scheme;
        pub use convert::{Converted, repair_offsets, transcode_offsets, transcode_offsets_lossy};
    }
}

#[cfg(feature = "alloc")]
pub(crate) use convert::{repair_offsets_on, transcode_offsets_lossy_on, transcode_offsets_on};
pub use error::{BatchError, Defect};
pub(crate) use validate::{
    ill_formed_offsets_on, ill_formed_views_on, validate_each_on, validate_offsets_on, validate_views_on,
};
pub use validity::Validity;

use crate::kernel::Engine;
use crate::kernel::dispatch::offsets::OffsetInt;
use crate::unicode::Encoding;
use crate::unicode::IllFormed;

/// The type of the offsets of an array: `i32` or `i64`.
///
/// The trait is sealed.
#[expect(private_bounds, reason = "the supertrait seals it")]
pub trait Offset: OffsetInt {}

impl Offset for i32 {}
impl Offset for i64 {}
#[cfg(test)]
impl Offset for i8 {}

/// Checks that every value is well-formed by itself, that the offsets never decrease, and that they are within `values`. They
/// need not begin at 0: those of a slice of an array do not.
///
/// Offsets are in code units: for a scheme such as [`Utf16Le`](crate::Utf16Le), in bytes. An empty list of offsets means an
/// array without values, as a list of one does.
///
/// # Errors
/// The first value with a [`Defect`]; if there is no value, but a single offset out of bounds, that is reported as value 0. A bitmap
/// that is too short is reported before anything else.
///
/// ```
/// use runecast::batch::{Defect, Validity, validate_offsets};
/// use runecast::{Utf8, Utf16};
///
/// let values = "ᚱunaløg".as_bytes();
/// assert!(validate_offsets::<Utf8>(values, &[0, 6, 6, 10], None).is_ok());
///
/// // Within ᚱ:
/// assert_eq!(validate_offsets::<Utf8>(values, &[0_i64, 2, 6], None).unwrap_err().index, 0);
/// // Unless these two are null:
/// let nulls = Validity::new(&[0b100], 0);
/// assert!(validate_offsets::<Utf8>(values, &[0, 2, 6, 10], Some(nulls)).is_ok());
///
/// let error = validate_offsets::<Utf8>(values, &[0, 6, 3], None).unwrap_err();
/// assert_eq!((error.index, error.defect), (1, Defect::OutOfBounds));
///
/// assert!(validate_offsets::<Utf16>(&[0x16B1, 0xD83E, 0xDEA8], &[0, 1, 3], None).is_ok());
/// ```
pub fn validate_offsets<E: Encoding>(
    values: &[E::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
) -> Result<(), BatchError> {
    validate_offsets_on::<E>(Engine::current(), values, offsets, validity)
}

/// Finds all values that are not well-formed by themselves: calls `found` for each, from the first to the last, with its index
/// and its first error. For everything else see [`validate_offsets`].
///
/// # Errors
/// The first value whose offsets decrease or are out of bounds. A bitmap that is too short is reported before anything else.
/// `found` has then been called for ill-formed values before that one, and nothing behind it has been looked at.
///
/// ```
/// use runecast::Utf8;
/// use runecast::batch::ill_formed_offsets;
///
/// let mut wrong = Vec::new();
/// ill_formed_offsets::<Utf8>(b"run\xE9\xFFstaf", &[0, 3, 4, 7, 9], None, |index, error| {
///     wrong.push((index, error.at));
/// })?;
/// assert_eq!(wrong, [(1, 0), (2, 0)]);
/// # Ok::<(), runecast::batch::BatchError>(())
/// ```
pub fn ill_formed_offsets<E: Encoding>(
    values: &[E::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    found: impl FnMut(usize, IllFormed),
) -> Result<(), BatchError> {
    ill_formed_offsets_on::<E>(Engine::current(), values, offsets, validity, found)
}

/// Checks that each of these slices is well-formed.
///
/// For short values this is several times as fast as [`validate`](crate::validate()) for each.
///
/// # Errors
/// The first value that is ill-formed.
///
/// ```
/// use runecast::batch::validate_each;
/// use runecast::{Utf8, Utf16};
///
/// let keys: Vec<Vec<u8>> = vec![b"rune".to_vec(), b"R\xC3\xBAna".to_vec(), b"R\xC3".to_vec()];
/// assert_eq!(validate_each::<Utf8, _>(&keys).unwrap_err().index, 2);
/// assert!(validate_each::<Utf8, _>(&keys[..2]).is_ok());
///
/// assert!(validate_each::<Utf16, _>([&[0x16B1][..], &[]]).is_ok());
/// ```
pub fn validate_each<'a, E: Encoding, T: AsRef<[E::Unit]> + ?Sized + 'a>(
    values: impl IntoIterator<Item = &'a T>,
) -> Result<(), BatchError> {
    validate_each_on::<E, T>(Engine::current(), values)
}

/// Checks that each value of an array of views is well-formed, and that the views are valid: that they are within their
/// buffers, that prefixes are those of the values, and that the bytes after an inline value are zero.
///
/// A view is sixteen bytes, here as a number whose least significant byte is the first of them. The first four are the length,
/// as a number. For a value of up to twelve bytes the rest is the value itself; for a longer one it is a copy of the first four
/// bytes, the index of the buffer, and the offset in that buffer.
///
/// # Errors
/// The first value with a [`Defect`]. A bitmap that is too short is reported before anything else.
///
/// ```
/// use runecast::batch::{Defect, validate_views};
/// use runecast::Utf8;
///
/// let short = u128::from_le_bytes(*b"\x05\0\0\0r\xC3\xBAna\0\0\0\0\0\0\0"); // "rúna"
/// let buffer = "með bókstöfum".as_bytes();
/// let long = u128::from_le_bytes(*b"\x10\0\0\0me\xC3\xB0\0\0\0\0\0\0\0\0"); // 16 bytes at 0 in buffer 0
/// assert!(validate_views::<Utf8>(&[short, long], &[buffer], None).is_ok());
///
/// let error = validate_views::<Utf8>(&[short, long], &[&buffer[..12]], None).unwrap_err();
/// assert_eq!((error.index, error.defect), (1, Defect::OutOfBounds));
/// ```
pub fn validate_views<E: Encoding<Unit = u8>>(
    views: &[u128],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
) -> Result<(), BatchError> {
    validate_views_on::<E>(Engine::current(), views, buffers, validity)
}

/// Finds all values of an array of views that are ill-formed: calls `found` for each, from the first to the last, with its
/// index and its first error. For everything else see [`validate_views`].
///
/// # Errors
/// The first view that is not valid. A bitmap that is too short is reported before anything else.
/// `found` has then been called for ill-formed values before that one, and nothing behind it has been looked at.
///
/// ```
/// use runecast::Utf8;
/// use runecast::batch::ill_formed_views;
///
/// let views = [*b"\x03\0\0\0run\0\0\0\0\0\0\0\0\0", *b"\x02\0\0\0a\xE9\0\0\0\0\0\0\0\0\0\0"];
/// let mut wrong = Vec::new();
/// let found = |index, error: runecast::IllFormed| wrong.push((index, error.at));
/// ill_formed_views::<Utf8>(&views.map(u128::from_le_bytes), &[], None, found)?;
/// assert_eq!(wrong, [(1, 1)]);
/// # Ok::<(), runecast::batch::BatchError>(())
/// ```
pub fn ill_formed_views<E: Encoding<Unit = u8>>(
    views: &[u128],
    buffers: &[&[u8]],
    validity: Option<Validity<'_>>,
    found: impl FnMut(usize, IllFormed),
) -> Result<(), BatchError> {
    ill_formed_views_on::<E>(Engine::current(), views, buffers, validity, found)
}
