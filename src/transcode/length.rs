//! Lengths: how many characters a text has, how many code units it would have elsewhere, and which
//! is the narrowest form that holds it.
//!
//! Nothing here checks the text: these are sums and maxima over its code units, at the speed of
//! memory. What they say of ill-formed text is stated with each.

use crate::encoding::{Encoding, Layout, Utf32};
use crate::kernel::Engine;
use crate::sink;

impl Engine {
    /// [`count`], with the kernels of this engine.
    #[must_use]
    pub fn count<E: Encoding>(self, src: &[E::Unit]) -> usize {
        sink::tally::<E, Utf32>(self, src)
    }

    /// [`transcoded_len`], with the kernels of this engine.
    #[must_use]
    pub fn transcoded_len<S: Encoding, D: Encoding>(self, src: &[S::Unit]) -> usize {
        sink::tally::<S, D>(self, src)
    }

    /// [`repertoire`], with the kernels of this engine.
    #[must_use]
    pub fn repertoire<E: Encoding>(self, src: &[E::Unit]) -> Repertoire {
        Repertoire::of::<E>(sink::greatest::<E>(self, src, Repertoire::Bmp.limit::<E>()))
    }

    /// [`fits`], with the kernels of this engine.
    #[must_use]
    pub fn fits<E: Encoding>(self, src: &[E::Unit], repertoire: Repertoire) -> bool {
        let limit = repertoire.limit::<E>();
        sink::greatest::<E>(self, src, limit) <= limit
    }
}

/// The number of scalar values in `src`, which is well-formed.
///
/// Of ill-formed text, the number of code units that may begin a character: in UTF-8 all bytes but
/// continuation bytes, in UTF-16 all units but low surrogates, elsewhere all units.
///
/// ```
/// assert_eq!(runecast::count::<runecast::Utf8>("ᚱúna".as_bytes()), 4);
/// ```
#[must_use]
pub fn count<E: Encoding>(src: &[E::Unit]) -> usize {
    Engine::current().count::<E>(src)
}

/// The number of code units that [`transcode`](crate::transcode()) writes for `src`: exact for
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
    Engine::current().transcoded_len::<S, D>(src)
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
    // Units of the form, and what they are worth at most in units of the other form.
    let forms = units / (S::LAYOUT.unit() / size_of::<S::Unit>());
    let worst = match (S::LAYOUT, D::LAYOUT) {
        (Layout::Latin1, Layout::Utf8) => 2,
        (Layout::Utf16(_), Layout::Utf8) => 3,
        (Layout::Utf32(_), Layout::Utf8) => 4,
        (Layout::Utf32(_), Layout::Utf16(_)) => 2,
        _ => 1,
    };
    forms.saturating_mul(worst * (D::LAYOUT.unit() / size_of::<D::Unit>()))
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
    pub const fn width(self) -> usize {
        match self {
            Repertoire::Ascii | Repertoire::Latin1 => 1,
            Repertoire::Bmp => 2,
            Repertoire::Unicode => 4,
        }
    }

    /// The greatest code unit of `E` in text of this repertoire, surrogates counting as FFFF.
    fn limit<E: Encoding>(self) -> u32 {
        match (E::LAYOUT, self) {
            (_, Repertoire::Ascii) => 0x7F,
            // The leads of U+0080..U+00FF are C2 and C3; EF leads to U+FFFF.
            (Layout::Utf8, Repertoire::Latin1) => 0xC3,
            (Layout::Utf8, Repertoire::Bmp) => 0xEF,
            (_, Repertoire::Latin1) => 0xFF,
            (Layout::Utf16(_), Repertoire::Bmp) => 0xFFFE,
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
/// code units by themselves point to: an unpaired surrogate, for one, to all of Unicode.
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
    Engine::current().repertoire::<E>(src)
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
    Engine::current().fits::<E>(src, repertoire)
}

/// A length that is enough for most text, or all of it: what to allocate first.
#[cfg(feature = "alloc")]
pub(super) fn guess<S: Encoding, D: Encoding>(src: &[S::Unit]) -> usize {
    max_transcoded_len::<S, D>(src.len())
}
