//! The error that ends a conversion, as `convert` and `count` show it.

use runecast::Scheme;

use crate::pipeline::conversion::{ConversionError, Problem};
use crate::ui::error_line::ErrorLine;

/// An error in a conversion to `to`.
pub(super) fn error_line(error: &ConversionError, to: Scheme) -> ErrorLine<'_> {
    let unrepresentable =
        |point: u32| ("unrepresentable", format!("{} has no form for U+{point:04X}", to.name()));
    let (kind, reason) = match error.problem {
        Problem::IllFormed(error) => (error.kind.name(), error.reason().to_string()),
        Problem::Unrepresentable(character) => unrepresentable(character.into()),
        Problem::UnrepresentableCodePoint(point) => unrepresentable(point),
    };
    ErrorLine { at: error.at, position: error.position, kind, bytes: &error.bytes, reason }
}
