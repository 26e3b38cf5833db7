//! Writes the characters of replacements, all or none, with a substitute for those that the target has no form for.

use crate::output::OutputCursor;
use crate::unicode::codec::Units;
use crate::unicode::{Encoding, Family, Unit, Variant, is_surrogate};

/// U+FFFD, the replacement character.
pub(in crate::convert) const REPLACEMENT: u32 = 0xFFFD;

/// A character of a replacement; or the substitute, if `D` has no form for it.
pub(crate) fn character<D: Encoding>(character: u32) -> Units<D::Unit> {
    D::encode(character).unwrap_or_else(substitute::<D>)
}

/// The substitute: U+FFFD, or a question mark if `D` has no form for it.
#[inline]
pub(crate) fn substitute<D: Encoding>() -> Units<D::Unit> {
    D::encode(REPLACEMENT).or_else(|| D::encode('?'.into())).unwrap_or_else(|| Units::new(&[]))
}

/// Whether a unit of this encoding can be a surrogate.
#[inline]
pub(crate) const fn holds_surrogates(variant: Variant) -> bool {
    matches!(variant.family(), Family::Utf16 | Family::Utf32)
}

/// The unit of a lone surrogate; or the substitute, if `D` has no such units.
pub(super) fn surrogate<D: Encoding>(point: u32) -> Units<D::Unit> {
    D::surrogate(point).unwrap_or_else(substitute::<D>)
}

/// Writes these code points, all or none: surrogates as units, and the substitute for what `D` has no form for.
pub(super) fn put_points<D: Encoding>(points: &[u16], output: &mut OutputCursor<'_, D::Unit>) -> bool {
    let units = |point: &u16| match u32::from(*point) {
        point if is_surrogate(point) => surrogate::<D>(point),
        point => character::<D>(point),
    };
    put_all(points.iter().map(units), output)
}

/// Writes the units of these characters, all or none.
pub(crate) fn put_all<U: Unit>(
    mut all: impl Iterator<Item = Units<U>>,
    output: &mut OutputCursor<'_, U>,
) -> bool {
    let before = output.written();
    let fits = all.all(|units| output.put(&units));
    if !fits {
        output.rewind(before);
    }
    fits
}
