//! What can go wrong with an array: which row, and what is wrong with it.

use std::fmt;

use arrow_schema::{ArrowError, DataType};
use runecast::batch::{BatchError, Defect};
use runecast::{IllFormed, Reason};

/// Why an array was refused.
///
/// ```
/// use arrow_array::BinaryArray;
///
/// let array = BinaryArray::from_vec(vec![b"r\xC3\xBAn", b"r\xC3n"]);
/// let error = runecast_arrow::check(&array).unwrap_err();
/// assert_eq!((error.row(), error.at()), (Some(1), Some(1)));
/// assert_eq!(
///     error.to_string(),
///     "row 1: ill-formed at byte 1: C3 begins a character of 2 bytes, but 6E follows, \
///      which is no continuation byte"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A row that is ill-formed, or cannot be converted.
    #[non_exhaustive]
    Row {
        /// Its number, from 0 on: that of the array which was handed over, whatever it is a slice of.
        row: usize,
        /// What is wrong with it. Offsets in it are within the value.
        defect: Defect,
    },
    /// An array of another type than the function takes.
    #[non_exhaustive]
    Unsupported {
        /// The type of the array.
        found: DataType,
        /// What it should have been.
        expected: &'static str,
    },
}

impl Error {
    /// The number of the row, if one of them is what is wrong.
    #[must_use]
    pub const fn row(&self) -> Option<usize> {
        match self {
            Error::Row { row, .. } => Some(*row),
            Error::Unsupported { .. } => None,
        }
    }

    /// The offset of what is wrong, in bytes of the value.
    #[must_use]
    pub const fn at(&self) -> Option<usize> {
        match self {
            Error::Row { defect: Defect::Text(Reason::IllFormed(error)), .. } => Some(error.at),
            Error::Row {
                defect:
                    Defect::Text(Reason::Unrepresentable { at, .. } | Reason::UnrepresentableCodePoint { at, .. }),
                ..
            } => Some(*at),
            _ => None,
        }
    }

    /// The ill-formed sequence, if that is what is wrong.
    #[must_use]
    pub const fn ill_formed(&self) -> Option<IllFormed> {
        match self {
            Error::Row { defect: Defect::Text(Reason::IllFormed(error)), .. } => Some(*error),
            _ => None,
        }
    }

    /// Something wrong with a row.
    pub(crate) const fn of(row: usize, defect: Defect) -> Error {
        Error::Row { row, defect }
    }
}

impl From<BatchError> for Error {
    fn from(error: BatchError) -> Error {
        Error::of(error.index, error.defect)
    }
}

impl From<Error> for ArrowError {
    fn from(error: Error) -> ArrowError {
        match error {
            Error::Row { .. } => ArrowError::ExternalError(Box::new(error)),
            Error::Unsupported { .. } => ArrowError::InvalidArgumentError(error.to_string()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Row { row, defect } => write!(f, "row {row}: {defect}"),
            Error::Unsupported { found, expected } => {
                write!(f, "an array of {found}, where {expected} is expected")
            }
        }
    }
}

impl std::error::Error for Error {}
