//! Lengths: how many characters a text has, how many code units it takes in another encoding, and which repertoire it needs.
//!
//! Nothing here validates the text: these are sums and maxima over its code units, at the speed of memory. What they return for
//! ill-formed text is stated with each.

use crate::bridge;
use crate::kernel::{Engine, dispatch};
use crate::unicode::{Encoding, Family, Utf32, Variant, cast, codec};

/// [`count`], with the kernels of this engine.
#[must_use]
pub(crate) fn count_on<E: Encoding>(engine: Engine, src: &[E::Unit]) -> usize {
    let characters = bridge::length::<E, Utf32>(engine, src);
    if const { matches!(E::VARIANT, Variant::Wtf16(_)) } {
        let (lows, pairs) = bridge::lows_and_pairs::<E>(engine, src);
        characters + lows - pairs
    } else if const { matches!(E::VARIANT.family(), Family::Cesu8) } {
        characters - dispatch::lengths::surrogate_pairs(engine, cast(src))
    } else {
        characters
    }
}

/// [`transcoded_len`], with the kernels of this engine.
#[must_use]
pub(crate) fn transcoded_len_on<S: Encoding, D: Encoding>(engine: Engine, src: &[S::Unit]) -> usize {
    // What units by themselves add up to may be more than any well-formed text has: an unpaired high surrogate counts as a pair.
    sum_of_units::<S, D>(engine, src).min(max_transcoded_len::<S, D>(src.len()))
}

/// The length, as the sum of what units of `src` stand for. It saturates.
fn sum_of_units<S: Encoding, D: Encoding>(engine: Engine, src: &[S::Unit]) -> usize {
    if const { matches!((S::VARIANT.family(), D::VARIANT.family()), (Family::Cesu8, Family::Corrected)) } {
        return by_character::<S, D>(src);
    }
    if const {
        matches!(
            (S::VARIANT.family(), D::VARIANT.family()),
            (Family::Cesu8, Family::Ascii | Family::Latin1 | Family::Utf32)
        )
    } {
        // One unit in place of two, before they become bytes: as bytes they may be more than a `usize` holds.
        let characters = bridge::length::<S, Utf32>(engine, src);
        let pairs = dispatch::lengths::surrogate_pairs(engine, cast(src));
        return (characters - pairs).saturating_mul(D::VARIANT.unit() / size_of::<D::Unit>());
    }
    let units = bridge::length::<S, D>(engine, src);
    // Corrections that a unit by itself does not determine.
    if const { matches!(S::VARIANT, Variant::Wtf16(_)) } {
        if const { matches!(D::VARIANT, Variant::Wtf8 | Variant::GeneralizedUtf8) } {
            // Three bytes for a lone surrogate, and two for half of a pair.
            let surrogates = bridge::surrogates::<S>(engine, src);
            let (_, pairs) = bridge::lows_and_pairs::<S>(engine, src);
            return (units - 2 * pairs).saturating_add(surrogates);
        }
        return units;
    }
    let pairs = || dispatch::lengths::surrogate_pairs(engine, cast(src));
    match (S::VARIANT, D::VARIANT, S::VARIANT.family(), D::VARIANT.family()) {
        // Four bytes in place of six.
        (Variant::GeneralizedUtf8, Variant::Wtf8, ..) | (.., Family::Cesu8, Family::Utf8) => {
            units - 2 * pairs()
        }
        _ => units,
    }
}

/// [`repertoire`], with the kernels of this engine.
#[must_use]
pub(crate) fn repertoire_on<E: Encoding>(engine: Engine, src: &[E::Unit]) -> Repertoire {
    let greatest = bridge::greatest::<E>(engine, src, Repertoire::Bmp.limit::<E>());
    match Repertoire::of::<E>(greatest) {
        Repertoire::Latin1 if is_above::<E>(engine, src, Repertoire::Latin1) => Repertoire::Bmp,
        Repertoire::Bmp if is_above::<E>(engine, src, Repertoire::Bmp) => Repertoire::Unicode,
        Repertoire::Bmp if has_surrogates::<E>(engine, src, greatest) => Repertoire::Unicode,
        repertoire => repertoire,
    }
}

/// [`fits`], with the kernels of this engine.
#[must_use]
pub(crate) fn fits_on<E: Encoding>(engine: Engine, src: &[E::Unit], repertoire: Repertoire) -> bool {
    let limit = repertoire.limit::<E>();
    let greatest = bridge::greatest::<E>(engine, src, limit);
    greatest <= limit
        && !is_above::<E>(engine, src, repertoire)
        && !(repertoire == Repertoire::Bmp && has_surrogates::<E>(engine, src, greatest))
}

/// The length of `src` in units of `D`, character by character, up to the first that is ill-formed or has no form in `D`.
fn by_character<S: Encoding, D: Encoding>(src: &[S::Unit]) -> usize {
    let (mut at, mut units) = (0, 0);
    while at < src.len() {
        let Ok((point, len)) = codec::read::<S, D>(&src[at..]) else { break };
        let Some(form) = codec::write::<D>(point) else { break };
        at += len;
        units += form.len();
    }
    units
}

/// Whether some character of Corrected UTF-8 is outside of this repertoire, which its lead bytes do not determine.
fn is_above<E: Encoding>(engine: Engine, src: &[E::Unit], repertoire: Repertoire) -> bool {
    match (E::VARIANT, repertoire) {
        (Variant::CorrectedUtf8, Repertoire::Latin1) => {
            dispatch::lengths::any_at_least::<0x100>(engine, cast(src))
        }
        (Variant::CorrectedUtf8, Repertoire::Bmp) => {
            dispatch::lengths::any_at_least::<0x1_0000>(engine, cast(src))
        }
        _ => false,
    }
}

/// Whether there are surrogates in three bytes, in an encoding that has them, given the greatest unit of the text.
fn has_surrogates<E: Encoding>(engine: Engine, src: &[E::Unit], greatest: u32) -> bool {
    let has = E::VARIANT.has_leads() && !matches!(E::VARIANT, Variant::Utf8 | Variant::CorrectedUtf8);
    has && greatest >= 0xED && dispatch::lengths::any_surrogate(engine, cast(src))
}

/// The number of scalar values in `src`.
///
/// `src` is not validated, and nothing is allocated. For ill-formed text the result is the number of code units that may begin a
/// character: in UTF-8 all bytes but continuation bytes, in UTF-16 all units but low surrogates, in UTF-32, Latin-1 and ASCII all
/// units. (Units of the form: in UTF-16LE they have two bytes, and a byte that is left over at the end does not count.) In encodings that allow lone surrogates each of them counts as one; a pair is one character in WTF-16 and CESU-8, and two
/// in generalized UTF-8. It never panics.
///
/// ```
/// assert_eq!(runecast::count::<runecast::Utf8>("ᚱúna".as_bytes()), 4);
/// ```
#[must_use]
pub fn count<E: Encoding>(src: &[E::Unit]) -> usize {
    count_on::<E>(Engine::current(), src)
}

/// The number of code units of `D` that [`transcode`](crate::transcode) writes for `src`: exact if `src` is well-formed and `D` has
/// all its characters.
///
/// `src` is not validated, and nothing is allocated. For other text the result is at least what a conversion writes before the error.
/// It is never more than [`max_transcoded_len`], and saturates at [`usize::MAX`]. It never panics. An output that needs no pass over `src` to compute its size is [`max_transcoded_len`].
///
/// ```
/// use runecast::{Utf8, Utf16, transcoded_len};
///
/// assert_eq!(transcoded_len::<Utf8, Utf16>("a🪨".as_bytes()), 3);
/// ```
#[must_use]
pub fn transcoded_len<S: Encoding, D: Encoding>(src: &[S::Unit]) -> usize {
    transcoded_len_on::<S, D>(Engine::current(), src)
}

/// An upper bound for the length, in code units of `D`, of any well-formed text of `units` code units of `S`: an output of that
/// length is large enough for every strict conversion. It saturates at [`usize::MAX`]; it never panics.
///
/// Lossy conversions may write more: see [`transcode_lossy_len`](crate::transcode_lossy_len).
///
/// ```
/// use runecast::{Utf8, Utf16, max_transcoded_len};
///
/// assert_eq!(max_transcoded_len::<Utf16, Utf8>(10), 30);
/// ```
#[must_use]
pub const fn max_transcoded_len<S: Encoding, D: Encoding>(units: usize) -> usize {
    bound(S::VARIANT, size_of::<S::Unit>(), D::VARIANT, size_of::<D::Unit>(), units)
}

/// The same for encodings that are values: their variants, and the bytes of a unit of their slices.
#[inline]
pub(crate) const fn bound(from: Variant, source: usize, to: Variant, target: usize, units: usize) -> usize {
    // Units of the form, and the most units of the other form that one of them stands for.
    let forms = units / (from.unit() / source);
    let worst = match (from.family(), to.family()) {
        // A character of three bytes may be two surrogates.
        (Family::Corrected, Family::Cesu8) => 2,
        // Three bytes for two, or four for three.
        (Family::Corrected, Family::Utf8) => return forms.saturating_add(forms / 2),
        (Family::Utf16, Family::Utf8 | Family::Cesu8 | Family::Corrected) => 3,
        (Family::Utf32, Family::Utf8 | Family::Corrected) => 4,
        (Family::Utf32, Family::Cesu8) => 6,
        (Family::Utf32, Family::Utf16) => 2,
        _ if to.two_byte_nul() && !from.two_byte_nul() => 2,
        // Six bytes for four.
        (Family::Utf8, Family::Cesu8) => return forms.saturating_add(forms / 2),
        (Family::Ascii | Family::Latin1, Family::Utf8 | Family::Cesu8 | Family::Corrected)
            if !matches!(from, Variant::Ascii) =>
        {
            2
        }
        _ => 1,
    };
    forms.saturating_mul(worst * (to.unit() / target))
}

/// The range of characters of a text, as needed to choose between strings of one, two and four bytes per character. Each range
/// contains those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repertoire {
    /// U+0000..U+007F: one byte each, the same in UTF-8.
    Ascii,
    /// U+0000..U+00FF: one byte each in Latin-1.
    Latin1,
    /// U+0000..U+FFFF, the basic multilingual plane: one unit of UTF-16 each, no surrogates.
    Bmp,
    /// All of Unicode.
    Unicode,
}

impl Repertoire {
    /// The bytes of each character in the narrowest form of fixed width: Latin-1, UTF-16 (without
    /// surrogates) or UTF-32.
    #[must_use]
    #[inline]
    pub const fn width(self) -> usize {
        match self {
            Repertoire::Ascii | Repertoire::Latin1 => 1,
            Repertoire::Bmp => 2,
            Repertoire::Unicode => 4,
        }
    }

    /// The greatest code unit of `E` in text of this repertoire; surrogates count as FFFF.
    fn limit<E: Encoding>(self) -> u32 {
        match (E::VARIANT, self) {
            (_, Repertoire::Ascii) => 0x7F,
            // In UTF-8 the lead bytes of U+0080..U+00FF are C2 and C3, and the greatest of three bytes is EF. In Corrected
            // UTF-8 C1 A0 is U+0100, and EE BD A0 is U+10000: `is_above` inspects sequences with these lead bytes.
            (Variant::CorrectedUtf8, Repertoire::Latin1) => 0xC1,
            (Variant::CorrectedUtf8, Repertoire::Bmp) => 0xEE,
            (_, Repertoire::Latin1) if E::VARIANT.has_leads() => 0xC3,
            (_, Repertoire::Bmp) if E::VARIANT.has_leads() => 0xEF,
            (_, Repertoire::Latin1) => 0xFF,
            (Variant::Utf16(_) | Variant::Wtf16(_), Repertoire::Bmp) => 0xFFFE,
            (_, Repertoire::Bmp) => 0xFFFF,
            (_, Repertoire::Unicode) => u32::MAX,
        }
    }

    /// The repertoire of text whose greatest unit is `unit`.
    fn of<E: Encoding>(unit: u32) -> Repertoire {
        [Repertoire::Ascii, Repertoire::Latin1, Repertoire::Bmp]
            .into_iter()
            .find(|repertoire| unit <= repertoire.limit::<E>())
            .unwrap_or(Repertoire::Unicode)
    }
}

/// The smallest repertoire that contains all characters of `src`.
///
/// `src` is not validated, and nothing is allocated. For ill-formed text the result is determined by its code units one by one. An
/// unpaired surrogate needs [`Repertoire::Unicode`], even in encodings that allow it. It never panics.
///
/// ```
/// use runecast::{Repertoire, Utf8, repertoire};
///
/// assert_eq!(repertoire::<Utf8>("rune".as_bytes()), Repertoire::Ascii);
/// assert_eq!(repertoire::<Utf8>("rúne".as_bytes()), Repertoire::Latin1);
/// assert_eq!(repertoire::<Utf8>("ᚱúne".as_bytes()), Repertoire::Bmp);
/// assert_eq!(repertoire::<Utf8>("🪨".as_bytes()).width(), 4);
/// ```
#[must_use]
pub fn repertoire<E: Encoding>(src: &[E::Unit]) -> Repertoire {
    repertoire_on::<E>(Engine::current(), src)
}

/// Whether all characters of `src` are in `repertoire`. It returns soon after the first that is not.
///
/// `src` is not validated, and nothing is allocated; ill-formed text is treated as by [`repertoire`](fn@repertoire). It never panics.
///
/// ```
/// use runecast::{Repertoire, Utf16, fits};
///
/// let units: Vec<u16> = "façade".encode_utf16().collect();
/// assert!(fits::<Utf16>(&units, Repertoire::Latin1));
/// assert!(!fits::<Utf16>(&units, Repertoire::Ascii));
/// ```
#[must_use]
pub fn fits<E: Encoding>(src: &[E::Unit], repertoire: Repertoire) -> bool {
    fits_on::<E>(Engine::current(), src, repertoire)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::Order;

    /// Every family, and the bytes that units of its slices may have.
    const SIDES: [(Variant, &[usize]); 11] = [
        (Variant::Ascii, &[1]),
        (Variant::Latin1, &[1]),
        (Variant::Utf8, &[1]),
        (Variant::GeneralizedUtf8, &[1]),
        (Variant::Wtf8, &[1]),
        (Variant::Cesu8 { wobbly: false }, &[1]),
        (Variant::Mutf8 { wobbly: false }, &[1]),
        (Variant::CorrectedUtf8, &[1]),
        (Variant::Utf16(Order::Big), &[1, 2]),
        (Variant::Wtf16(Order::Little), &[1, 2]),
        (Variant::Utf32(Order::Little), &[1, 4]),
    ];

    /// At the ends of what a `usize` holds, of 32 or 64 bits, a bound is that of exact numbers, or the greatest `usize`.
    #[test]
    fn bounds_saturate() {
        for (from, sources) in SIDES {
            for (to, targets) in SIDES {
                for (&source, &target) in sources.iter().flat_map(|s| targets.iter().map(move |t| (s, t))) {
                    let of = |units| bound(from, source, to, target, units);
                    // Small enough for any bound: twelve units, so that there is no rest.
                    let twelve = of(12) as u128;
                    for divisor in 1..=13 {
                        let units = usize::MAX / divisor / 12 * 12;
                        let exact = units as u128 / 12 * twelve;
                        let expected = usize::try_from(exact).unwrap_or(usize::MAX);
                        assert_eq!(of(units), expected, "{from:?} {source} {to:?} {target} {units}");
                        assert!(of(units) <= of(units + 1), "{from:?} {source} {to:?} {target} {units}");
                    }
                }
            }
        }
    }
}
