//! What can be wrong with a value of an array.

use core::fmt;

use crate::convert::Reason;
use crate::unicode::IllFormed;

/// The first value of an array that has a defect. All values before it have none.
///
/// ```
/// use runecast::batch::validate_offsets;
/// use runecast::Utf8;
///
/// let error = validate_offsets::<Utf8>("löß".as_bytes(), &[0, 2, 5], None).unwrap_err();
/// assert_eq!(error.index, 0);
/// assert!(matches!(error.ill_formed(), Some(error) if error.at == 1 && error.is_incomplete()));
/// assert_eq!(
///     error.to_string(),
///     "value 0: ill-formed at byte 1: C3 begins a character of 2 bytes, but the input ends here"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchError {
    /// The index of the value.
    pub index: usize,
    /// What is wrong with it.
    pub defect: Defect,
}

/// What is wrong with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Defect {
    /// Its text cannot be converted: offsets are within the value. It is never [`Reason::OutputFull`].
    Text(Reason),
    /// It does not lie within the values: an offset is negative, less than the one before it, or beyond the end; or a view has
    /// a negative length, or names a buffer that does not exist or is too short.
    OutOfBounds,
    /// The prefix in its view is not equal to its first four bytes.
    Prefix,
    /// The bytes of its view after it are not zero.
    Padding,
    /// The null bitmap ends before it.
    NoValidity,
    /// With it the new values are too long for the type of their offsets.
    TooLong,
}

impl BatchError {
    /// The ill-formed sequence, if that is the defect.
    ///
    /// ```
    /// use runecast::batch::validate_each;
    /// use runecast::{Kind, Utf8};
    ///
    /// let error = validate_each::<Utf8, _>([&b"a"[..], b"b\xFF"]).unwrap_err();
    /// assert_eq!(error.ill_formed().map(|error| (error.at, error.kind)), Some((1, Kind::InvalidLead)));
    /// ```
    #[must_use]
    #[inline]
    pub const fn ill_formed(&self) -> Option<IllFormed> {
        match self.defect {
            Defect::Text(Reason::IllFormed(error)) => Some(error),
            _ => None,
        }
    }
}

impl From<IllFormed> for Defect {
    #[inline]
    fn from(error: IllFormed) -> Self {
        Defect::Text(Reason::IllFormed(error))
    }
}

impl Defect {
    /// This defect of a value.
    #[inline]
    pub(super) const fn of(self, index: usize) -> BatchError {
        BatchError { index, defect: self }
    }
}

#[cfg(feature = "alloc")]
impl From<Reason> for Defect {
    #[inline]
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::OutputFull => Defect::TooLong,
            reason => Defect::Text(reason),
        }
    }
}

impl fmt::Display for BatchError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value {}: {}", self.index, self.defect)
    }
}

impl fmt::Display for Defect {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Defect::Text(reason) => reason.fmt(f),
            Defect::OutOfBounds => f.write_str("it does not lie within the values"),
            Defect::Prefix => f.write_str("the prefix in the view is not that of the value"),
            Defect::Padding => f.write_str("the bytes behind it in the view are not zero"),
            Defect::NoValidity => f.write_str("the null bitmap ends before it"),
            Defect::TooLong => f.write_str("the new values are too long for the type of their offsets"),
        }
    }
}

impl core::error::Error for BatchError {}
