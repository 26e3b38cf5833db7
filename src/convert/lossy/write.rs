//! Writes the characters of replacements, all or none, with a substitute for those that the target has no form for.

use crate::output::OutputCursor;
use crate::unicode::codec::Units;
use crate::unicode::{Encoding, Family, Unit, Variant};

/// U+FFFD, the replacement character.
pub(super) const REPLACEMENT: u32 = 0xFFFD;

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
pub(in crate::convert) const fn holds_surrogates(variant: Variant) -> bool {
    matches!(variant.family(), Family::Utf16 | Family::Utf32)
}

/// The unit of a lone surrogate; or the substitute, if `D` has no such units.
pub(in crate::convert) fn surrogate<D: Encoding>(point: u32) -> Units<D::Unit> {
    D::surrogate(point).unwrap_or_else(substitute::<D>)
}

/// Writes these characters, all or none, with the substitute for those that `D` has no form for.
pub(in crate::convert) fn push_all<D: Encoding>(
    characters: impl Iterator<Item = u32> + Clone,
    output: &mut OutputCursor<'_, D::Unit>,
) -> bool {
    put_all(characters.map(character::<D>), output)
}

/// Writes the units of these characters, all or none.
pub(crate) fn put_all<U: Unit>(
    all: impl Iterator<Item = Units<U>> + Clone,
    output: &mut OutputCursor<'_, U>,
) -> bool {
    let needed = all.clone().map(|units| units.as_slice().len()).sum::<usize>();
    needed <= output.spare().len() && all.into_iter().all(|units| output.put(&units))
}
