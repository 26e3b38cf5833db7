//! The error that ends a conversion, as `convert` and `count` show it.

use runecast_explain::Position;

use crate::pipeline::conversion::{ConversionError, Problem};
use crate::ui::error_line::ErrorLine;

/// An error in a conversion to the encoding of this name.
pub(super) fn error_line<'a>(error: &'a ConversionError, to: &str) -> ErrorLine<'a> {
    let ConversionError { at, position, ref bytes, .. } = *error;
    let unrepresentable = |point: u32| ("unrepresentable", format!("{to} has no form for U+{point:04X}"));
    let (kind, reason) = match error.problem {
        Problem::IllFormed(error) => (error.kind.name(), error.reason().to_string()),
        Problem::Unrepresentable(character) => unrepresentable(character.into()),
        Problem::UnrepresentableCodePoint(point) => unrepresentable(point),
        Problem::Malformed(encoding) => return malformed_line(encoding, at, position, bytes),
    };
    ErrorLine { at, position, kind, bytes, reason }
}

/// What is said about a sequence that is no character of a legacy encoding.
pub(super) fn malformed_line<'a>(
    encoding: &str,
    at: u64,
    position: Option<Position>,
    bytes: &'a [u8],
) -> ErrorLine<'a> {
    let these = if bytes.len() == 1 { "this byte is" } else { "these bytes are" };
    ErrorLine {
        at,
        position,
        kind: "malformed",
        bytes,
        reason: format!("{these} no character of {encoding}"),
    }
}
