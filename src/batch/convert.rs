//! New columns: with ill-formed text replaced, or in another encoding.

use alloc::vec::Vec;

use super::Offset;
use super::conversion::{OnError, Typed, convert};
use super::error::BatchError;
use super::validity::Validity;
use crate::convert::Policy;
use crate::kernel::Engine;
use crate::unicode::{Encoding, Utf8};

/// A new array. Its first offset is 0. A null value is empty in it, whatever it was before; the null bitmap is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Converted<U, O> {
    /// The values, one after the other.
    pub values: Vec<U>,
    /// Where each value begins, and where the last ends: one more than there are values.
    pub offsets: Vec<O>,
    /// How many replacements were made.
    pub replaced: usize,
    /// The index of the first value in which one was made.
    pub first: Option<usize>,
}

/// [`transcode_offsets`] with this engine.
pub(crate) fn transcode_offsets_on<S: Encoding, D: Encoding, O: Offset>(
    engine: Engine,
    values: &[S::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
) -> Result<Converted<D::Unit, O>, BatchError> {
    convert(engine, Typed::<S, D>::new(), values, offsets, validity, OnError::Call(&mut Err))
}

/// [`transcode_offsets_lossy`] with this engine.
pub(crate) fn transcode_offsets_lossy_on<'p, S: Encoding, D: Encoding, O: Offset>(
    engine: Engine,
    values: &[S::Unit],
    offsets: &[impl Offset],
    validity: Option<Validity<'_>>,
    policy: impl Into<Policy<'p>>,
) -> Result<Converted<D::Unit, O>, BatchError> {
    let on_error = OnError::Replace(policy.into());
    convert(engine, Typed::<S, D>::new(), values, offsets, validity, on_error)
}

/// [`repair_offsets`] with this engine.
pub(crate) fn repair_offsets_on<'p, O: Offset>(
    engine: Engine,
    values: &[u8],
    offsets: &[O],
    validity: Option<Validity<'_>>,
    policy: impl Into<Policy<'p>>,
) -> Result<Option<Converted<u8, O>>, BatchError> {
    let policy = policy.into();
    if !policy.refuses_characters()
        && super::validate_offsets_on::<Utf8>(engine, values, offsets, None).is_ok()
    {
        super::validity::check(offsets.len().saturating_sub(1), validity)?;
        return Ok(None);
    }
    let on_error = OnError::Replace(policy);
    convert(engine, Typed::<Utf8, Utf8>::new(), values, offsets, validity, on_error).map(Some)
}

/// Converts every value by itself from encoding `S` to encoding `D`, into a new array with offsets of type `O`.
///
/// # Errors
/// The first value that is ill-formed or out of bounds, or has a character that `D` cannot represent, or with which the new
/// values are too long for `O`. A bitmap that is too short is reported before anything else.
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
    transcode_offsets_on::<S, D, O>(Engine::current(), values, offsets, validity)
}

/// As [`transcode_offsets`], and replaces ill-formed sequences as `policy` says.
///
/// # Errors
/// [`Defect::OutOfBounds`], [`Defect::TooLong`], [`Defect::NoValidity`].
///
/// [`Defect::OutOfBounds`]: super::Defect::OutOfBounds
/// [`Defect::TooLong`]: super::Defect::TooLong
/// [`Defect::NoValidity`]: super::Defect::NoValidity
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
    transcode_offsets_lossy_on::<S, D, O>(Engine::current(), values, offsets, validity, policy)
}

/// Replaces ill-formed sequences of UTF-8 as `policy` says, in each value by itself. `None` if all values are well-formed
/// already, null ones too: then nothing is copied or allocated. But for policies that
/// [replace characters](crate::Policy::refuses_characters), which convert every time.
///
/// # Errors
/// As for [`transcode_offsets_lossy`].
///
/// ```
/// use runecast::Replacement;
/// use runecast::batch::repair_offsets;
///
/// let text = "rúna".as_bytes();
/// assert_eq!(repair_offsets(text, &[0, 3, 5], None, Replacement::Whatwg)?, None);
///
/// let new = repair_offsets(text, &[0, 2, 5], None, Replacement::Whatwg)?.unwrap();
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
    repair_offsets_on::<O>(Engine::current(), values, offsets, validity, policy)
}

#[cfg(test)]
mod tests {
    use super::super::Defect;
    use super::*;
    use crate::{Latin1, Replacement};

    /// Converts an array of `sizes` letters to offsets of one byte: at which value they are too small.
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
    fn offsets_that_are_too_small() {
        let expected = |index| Err(Defect::TooLong.of(index));
        assert_eq!(too_long(b'a', [60, 7, 60, 0]), [Ok(127), Ok(127)]);
        assert_eq!(too_long(b'a', [60, 8, 60, 0]), [expected(2), expected(2)]);
        assert_eq!(too_long(b'a', [127, 0, 0, 1]), [expected(3), expected(3)]);
        // Two bytes each, or three.
        assert_eq!(too_long(0xE9, [30, 33, 1, 9]), [expected(2), expected(1)]);
        assert_eq!(too_long(0xE9, [0, 200, 0, 0]), [expected(1), expected(1)]);
    }
}
