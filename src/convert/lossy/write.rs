//! Writes the characters of replacements, all or none, with a substitute for those that the target has no form for.

use crate::output::OutputCursor;
use crate::unicode::codec::{self, Units};
use crate::unicode::{Encoding, Family, Unit, Variant, is_surrogate};

/// U+FFFD, the replacement character.
pub(in crate::convert) const REPLACEMENT: u32 = 0xFFFD;

/// The code units of a code point in an encoding, by [`encode`]: a function that is known when this is compiled, or a pointer to one.
pub(crate) trait Encode<U>: Copy + Fn(u32, bool) -> Option<Units<U>> {}

impl<U, F: Copy + Fn(u32, bool) -> Option<Units<U>>> Encode<U> for F {}

/// The code units of a code point in `D`, `None` if it has none; if `lone`, the unit of a surrogate, well-formed or not.
#[inline]
pub(crate) fn encode<D: Encoding>(point: u32, lone: bool) -> Option<Units<D::Unit>> {
    if lone { D::surrogate(point) } else { codec::write::<D>(point) }
}

/// A character of a replacement; or the substitute, if the encoding has no form for it.
#[inline]
pub(crate) fn character<U: Unit>(encode: impl Encode<U>, character: u32) -> Units<U> {
    encode(character, false).unwrap_or_else(|| substitute(encode))
}

/// The substitute: U+FFFD, or a question mark if the encoding has no form for it.
#[inline]
pub(crate) fn substitute<U: Unit>(encode: impl Encode<U>) -> Units<U> {
    let question_mark = || encode('?'.into(), false);
    encode(REPLACEMENT, false).or_else(question_mark).unwrap_or_else(|| Units::of(0, 0))
}

/// Whether a unit of this encoding can be a surrogate.
#[inline]
pub(crate) const fn holds_surrogates(variant: Variant) -> bool {
    matches!(variant.family(), Family::Utf16 | Family::Utf32)
}

/// The unit of a lone surrogate; or the substitute, if the encoding has no such units.
#[inline]
pub(super) fn surrogate<U: Unit>(encode: impl Encode<U>, point: u32) -> Units<U> {
    encode(point, true).unwrap_or_else(|| substitute(encode))
}

/// Writes these code points, all or none: surrogates as units, and the substitute for what the encoding has no form for.
pub(super) fn put_points<U: Unit>(
    encode: impl Encode<U>,
    points: &[u16],
    output: &mut OutputCursor<'_, U>,
) -> bool {
    let units = |point: &u16| match u32::from(*point) {
        point if is_surrogate(point) => surrogate(encode, point),
        point => character(encode, point),
    };
    put_all(points.iter().map(units), output)
}

/// Writes the characters of a text, all or none, with the substitute for those that the encoding has no form for.
#[inline]
pub(super) fn put_text<U: Unit>(
    encode: impl Encode<U>,
    text: &str,
    output: &mut OutputCursor<'_, U>,
) -> bool {
    put_all(text.chars().map(|point| character(encode, point.into())), output)
}

/// Writes the units of these characters, all or none.
pub(super) fn put_all<U: Unit>(
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
