//! What can go wrong with an array: which row, where in it, and what is wrong there.
//!
//! A row of an array around others is told by its number in the outermost array. Where in it the value is, the path says: through
//! which columns of structs, and which elements of lists. Each array puts its own step before those of the arrays within.

use std::fmt;

use arrow_schema::{ArrowError, DataType};
use runecast::batch::{BatchError, Defect};
use runecast::{IllFormed, Reason, Scheme};

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
        /// Where in it the value is, from the outermost array inwards; empty, if the row is the value. Runs are no step.
        path: Vec<Step>,
        /// What is wrong with it. Offsets in it are within the value.
        defect: Defect,
        /// The scheme that was to be written; `None`, where text was only checked or repaired.
        target: Option<Scheme>,
    },
    /// An array of another type than the function takes.
    #[non_exhaustive]
    Unsupported {
        /// Through which columns one comes to it; empty, if it is the array that was handed over.
        path: Vec<Step>,
        /// The type of the array.
        found: DataType,
        /// What it should have been.
        expected: &'static str,
    },
    /// A record batch without a column of this name.
    #[non_exhaustive]
    NoColumn {
        /// The name.
        name: String,
    },
    /// A conversion of a column, by whoever called, has made more or fewer rows than there were.
    #[non_exhaustive]
    OtherLength {
        /// The column.
        path: Vec<Step>,
        /// How many rows there were.
        rows: usize,
        /// How many it has made.
        found: usize,
    },
}

/// From an array to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The column of a struct, or of a record batch, by its name.
    Column(String),
    /// The element of a list, by its number in this list, from 0 on.
    Element(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Column(name) => write!(f, "column {name:?}"),
            Step::Element(number) => write!(f, "element {number}"),
        }
    }
}

impl Error {
    /// The number of the row, if one of them is what is wrong.
    #[must_use]
    pub const fn row(&self) -> Option<usize> {
        match self {
            Error::Row { row, .. } => Some(*row),
            Error::Unsupported { .. } | Error::NoColumn { .. } | Error::OtherLength { .. } => None,
        }
    }

    /// Where in the row the value is, or in the array the array of the wrong type: through which columns and elements, from the
    /// outermost array inwards. Empty, if it is the row, or the array, itself.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::builder::{BinaryBuilder, ListBuilder};
    /// use arrow_array::{ArrayRef, StructArray};
    /// use runecast_arrow::Step;
    ///
    /// let mut tags = ListBuilder::new(BinaryBuilder::new());
    /// tags.append_value([Some(b"r\xC3\xBAn")]);
    /// tags.append_value([Some(&b"rune"[..]), Some(b"r\xC3n")]);
    /// let table = StructArray::try_from(vec![("tags", Arc::new(tags.finish()) as ArrayRef)])?;
    ///
    /// let error = runecast_arrow::check(&table).unwrap_err();
    /// assert_eq!((error.row(), error.at()), (Some(1), Some(1)));
    /// assert_eq!(error.path(), [Step::Column("tags".into()), Step::Element(1)]);
    /// assert!(error.to_string().starts_with("row 1, column \"tags\", element 1: ill-formed at byte 1: "));
    /// # Ok::<(), arrow_schema::ArrowError>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> &[Step] {
        match self {
            Error::Row { path, .. } | Error::Unsupported { path, .. } | Error::OtherLength { path, .. } => {
                path
            }
            Error::NoColumn { .. } => &[],
        }
    }

    /// What is wrong, as the message has it, but without row and path: for whoever counts rows otherwise.
    ///
    /// ```
    /// use arrow_array::StringArray;
    /// use runecast::Scheme;
    ///
    /// let error = runecast_arrow::encode(&StringArray::from(vec!["ᚱ"]), Scheme::Ascii, None).unwrap_err();
    /// assert_eq!(error.problem().to_string(), "at offset 0: ASCII has no form for U+16B1 (ᚱ)");
    /// assert_eq!(error.to_string(), format!("row 0: {}", error.problem()));
    /// ```
    pub fn problem(&self) -> impl fmt::Display + '_ {
        Problem(self)
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
        Error::Row { row, path: Vec::new(), defect, target: None }
    }

    /// The same of a conversion to a scheme.
    pub(crate) fn towards(mut self, scheme: Scheme) -> Error {
        if let Error::Row { target, .. } = &mut self {
            *target = Some(scheme);
        }
        self
    }

    /// The same in an array around the one that it is in, where `outer` says the row of that, and the step from there.
    pub(crate) fn within(mut self, outer: impl FnOnce(usize) -> (usize, Option<Step>)) -> Error {
        if let Error::Row { row, path, .. } = &mut self {
            let step;
            (*row, step) = outer(*row);
            path.splice(..0, step);
        }
        self
    }

    /// The same in a column of this name.
    pub(crate) fn within_column(mut self, name: &str) -> Error {
        match &mut self {
            Error::Row { path, .. } | Error::Unsupported { path, .. } | Error::OtherLength { path, .. } => {
                path.insert(0, Step::Column(name.to_owned()));
            }
            Error::NoColumn { .. } => {}
        }
        self
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
            Error::Unsupported { .. } | Error::NoColumn { .. } | Error::OtherLength { .. } => {
                ArrowError::InvalidArgumentError(error.to_string())
            }
        }
    }
}

/// What is wrong.
struct Problem<'a>(&'a Error);

impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Error::Row { defect: Defect::Text(reason), target: Some(target), .. } => match *reason {
                // The library does not know the scheme by name.
                Reason::Unrepresentable { at, character } => {
                    let (number, shown) = (u32::from(character), character.escape_debug());
                    write!(f, "at offset {at}: {target} has no form for U+{number:04X} ({shown})")
                }
                Reason::UnrepresentableCodePoint { at, code_point } => write!(
                    f,
                    "at offset {at}: {target} has no form for U+{code_point:04X}, which is no character"
                ),
                reason => reason.fmt(f),
            },
            Error::Row { defect, .. } => defect.fmt(f),
            Error::Unsupported { found, expected, .. } => {
                write!(f, "an array of {found}, where {expected} is expected")
            }
            Error::NoColumn { name } => write!(f, "no column is called {name:?}"),
            Error::OtherLength { rows, found, .. } => {
                write!(f, "{found} rows, where {rows} were handed over")
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row().map(|row| format!("row {row}"));
        let place: Vec<String> = row.into_iter().chain(self.path().iter().map(Step::to_string)).collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        self.problem().fmt(f)
    }
}

impl std::error::Error for Error {}
