//! Lengths: how many characters a text has, how many code units it would have elsewhere, and which
//! is the narrowest form that holds it.
//!
//! Nothing here checks the text: these are sums and maxima over its code units, at the speed of
//! memory. What they say of ill-formed text is stated with each.

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
    if const { matches!((S::VARIANT.family(), D::VARIANT.family()), (Family::Cesu8, Family::Corrected)) } {
        return by_character::<S, D>(src);
    }
    let units = bridge::length::<S, D>(engine, src);
    // What a unit by itself does not tell.
    if const { matches!(S::VARIANT, Variant::Wtf16(_)) } {
        if const { matches!(D::VARIANT, Variant::Wtf8 | Variant::GeneralizedUtf8) } {
            // Three bytes for a surrogate alone, and two for half of a pair.
            let surrogates = bridge::surrogates::<S>(engine, src);
            let (_, pairs) = bridge::lows_and_pairs::<S>(engine, src);
            return units + surrogates - 2 * pairs;
        }
        return units;
    }
    let pairs = || dispatch::lengths::surrogate_pairs(engine, cast(src));
    match (S::VARIANT, D::VARIANT, S::VARIANT.family(), D::VARIANT.family()) {
        // Four bytes for six, and a unit for two.
        (Variant::GeneralizedUtf8, Variant::Wtf8, ..) | (.., Family::Cesu8, Family::Utf8) => {
            units - 2 * pairs()
        }
        (.., Family::Cesu8, Family::Ascii | Family::Latin1 | Family::Utf32) => {
            units - pairs() * (D::VARIANT.unit() / size_of::<D::Unit>())
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

/// The units of `D` for `src`, character by character, up to what is ill-formed or has no form.
fn by_character<S: Encoding, D: Encoding>(src: &[S::Unit]) -> usize {
    let (mut at, mut units) = (0, 0);
    while at < src.len() {
        let Ok((point, len)) = codec::read::<S, D>(&src[at..]) else { break };
        let Some(form) = codec::write::<D>(point) else { break };
        at += len;
        units += form.as_slice().len();
    }
    units
}

/// Whether some character of Corrected UTF-8 is in no text of this repertoire: what leads do not tell.
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

/// Whether there are surrogates in three bytes among units up to `greatest`, in an encoding that has them.
fn has_surrogates<E: Encoding>(engine: Engine, src: &[E::Unit], greatest: u32) -> bool {
    let has = E::VARIANT.has_leads() && !matches!(E::VARIANT, Variant::Utf8 | Variant::CorrectedUtf8);
    has && greatest >= 0xED && dispatch::lengths::any_surrogate(engine, cast(src))
}

/// The number of scalar values in `src`, which is well-formed.
///
/// Of ill-formed text, the number of code units that may begin a character: in UTF-8 all bytes but
/// continuation bytes, in UTF-16 all units but low surrogates, in UTF-32, Latin-1 and ASCII all units.
/// Where surrogates are code points, a pair of them is one character in WTF-16 and CESU-8, and two in
/// generalized UTF-8.
///
/// ```
/// assert_eq!(runecast::count::<runecast::Utf8>("ᚱúna".as_bytes()), 4);
/// ```
#[must_use]
pub fn count<E: Encoding>(src: &[E::Unit]) -> usize {
    count_on::<E>(Engine::current(), src)
}

/// The number of code units that [`transcode`](crate::convert()) writes for `src`: exact for
/// well-formed text of characters that `D` has a form for.
///
/// For other text it is at least what is written before the error.
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

/// An upper bound of the units of `D` for any well-formed text of so many units of `S`; saturating.
///
/// ```
/// use runecast::{Utf8, Utf16, max_transcoded_len};
///
/// assert_eq!(max_transcoded_len::<Utf16, Utf8>(10), 30);
/// ```
#[must_use]
pub fn max_transcoded_len<S: Encoding, D: Encoding>(units: usize) -> usize {
    bound(S::VARIANT, size_of::<S::Unit>(), D::VARIANT, size_of::<D::Unit>(), units)
}

/// The same, where the encodings are values: what they mean, and the bytes of a unit that is counted.
#[inline]
pub(crate) const fn bound(from: Variant, source: usize, to: Variant, target: usize, units: usize) -> usize {
    // Units of the form, and what they are worth at most in units of the other form.
    let forms = units / (from.unit() / source);
    let worst = match (from.family(), to.family()) {
        // A character of three bytes may be two surrogates.
        (Family::Corrected, Family::Cesu8) => 2,
        // Two bytes for three, or three for four.
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

/// The characters that a text is made of: what an engine with strings of one and of two bytes a
/// character asks before it chooses. Each contains those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repertoire {
    /// U+0000..U+007F: a byte each, the same in UTF-8.
    Ascii,
    /// U+0000..U+00FF: a byte each, in Latin-1.
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

    /// The greatest code unit of `E` in text of this repertoire, surrogates counting as FFFF.
    fn limit<E: Encoding>(self) -> u32 {
        match (E::VARIANT, self) {
            (_, Repertoire::Ascii) => 0x7F,
            // The leads of U+0080..U+00FF are C2 and C3; EF leads to U+FFFF.
            // C1 A0 is U+0100, and EE BD A0 is U+10000: what begins with these leads is looked at closely.
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

    /// That of text whose greatest unit is `unit`.
    fn of<E: Encoding>(unit: u32) -> Repertoire {
        [Repertoire::Ascii, Repertoire::Latin1, Repertoire::Bmp]
            .into_iter()
            .find(|repertoire| unit <= repertoire.limit::<E>())
            .unwrap_or(Repertoire::Unicode)
    }
}

/// The smallest repertoire that holds `src`, which is well-formed. Of ill-formed text, what its
/// code units by themselves point to: an unpaired surrogate, for one, to all of Unicode. So it does where
/// it is in order.
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

/// Whether all characters of `src`, which is well-formed, are in `repertoire`. It ends soon after the
/// first that is not. Of ill-formed text, as for [`repertoire`].
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
