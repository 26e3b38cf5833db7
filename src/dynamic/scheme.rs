//! Encodings by name, chosen at run time.
//!
//! Elsewhere an encoding is a type. A [`Scheme`] is a value: it mirrors the types whose code units are bytes, because only the
//! bytes of a file or a connection are of an encoding unknown at compile time. (The forms in native code units, `Utf16` and
//! `Utf32`, have the same bytes as one of their schemes.) A [`Label`] is what people write: a scheme, or plain `UTF-16`,
//! `UTF-32` and `WTF-16`, whose byte order the text has to tell.
//!
//! **Plain UTF-16 and UTF-32** are the schemes of Unicode 3.10 (D98 and D101). For reading, a byte order mark decides and is
//! not part of the text; without one the text is big-endian. (The WHATWG Encoding Standard takes `utf-16` for little-endian.)
//! For writing they do not say enough: a writer chooses a scheme.
//!
//! **Names** are those of iconv, IANA and the WHATWG, in any case, ignoring `-`, `_` and spaces. There are three differences,
//! each in favour of what the name says: `utf-16` as above; `latin1` and `ascii` are ISO 8859-1 and ASCII (WHATWG:
//! windows-1252); `ucs-2` and `ucs-4` are read and written as UTF-16 and UTF-32, of which they are older subsets.

use core::fmt;
use core::str::FromStr;

use crate::convert::Policy;
use crate::stream::Bom;
use crate::unicode::{Encoding, IllFormed};

/// Runs the body with the type of a scheme: it is compiled once for each.
macro_rules! with_type {
    ($scheme:expr, $type:ident => $body:expr) => {
        $crate::dynamic::with_type!(@ $scheme, $type => $body;
            Utf8 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii Wtf8 Wtf16Le Wtf16Be
            GeneralizedUtf8 Cesu8 WobblyCesu8 Mutf8 WobblyMutf8 CorrectedUtf8)
    };
    (@ $scheme:expr, $type:ident => $body:expr; $($name:ident)*) => {
        match $scheme {
            $($crate::Scheme::$name => {
                type $type = $crate::$name;
                $body
            })*
        }
    };
}
pub(crate) use with_type;

/// What the bytes of a text are: an encoding chosen at run time.
///
/// ```
/// use runecast::{Label, Scheme};
///
/// assert_eq!("utf-16le".parse(), Ok(Label::Exactly(Scheme::Utf16Le)));
/// assert_eq!(Scheme::Utf16Le.name(), "UTF-16LE");
/// assert_eq!(Scheme::of_mark(b"\xFE\xFF\0h"), Some(Scheme::Utf16Be));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// [`Utf8`](crate::Utf8).
    Utf8,
    /// [`Utf16Le`](crate::Utf16Le).
    Utf16Le,
    /// [`Utf16Be`](crate::Utf16Be).
    Utf16Be,
    /// [`Utf32Le`](crate::Utf32Le).
    Utf32Le,
    /// [`Utf32Be`](crate::Utf32Be).
    Utf32Be,
    /// [`Latin1`](crate::Latin1).
    Latin1,
    /// [`Ascii`](crate::Ascii).
    Ascii,
    /// [`Wtf8`](crate::Wtf8).
    Wtf8,
    /// [`Wtf16Le`](crate::Wtf16Le).
    Wtf16Le,
    /// [`Wtf16Be`](crate::Wtf16Be).
    Wtf16Be,
    /// [`GeneralizedUtf8`](crate::GeneralizedUtf8).
    GeneralizedUtf8,
    /// [`Cesu8`](crate::Cesu8).
    Cesu8,
    /// [`WobblyCesu8`](crate::WobblyCesu8).
    WobblyCesu8,
    /// [`Mutf8`](crate::Mutf8).
    Mutf8,
    /// [`WobblyMutf8`](crate::WobblyMutf8).
    WobblyMutf8,
    /// [`CorrectedUtf8`](crate::CorrectedUtf8), without its magic number.
    CorrectedUtf8,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 16] = [
        Scheme::Utf8,
        Scheme::Utf16Le,
        Scheme::Utf16Be,
        Scheme::Utf32Le,
        Scheme::Utf32Be,
        Scheme::Latin1,
        Scheme::Ascii,
        Scheme::Wtf8,
        Scheme::Wtf16Le,
        Scheme::Wtf16Be,
        Scheme::GeneralizedUtf8,
        Scheme::Cesu8,
        Scheme::WobblyCesu8,
        Scheme::Mutf8,
        Scheme::WobblyMutf8,
        Scheme::CorrectedUtf8,
    ];

    /// The length of the longest byte order mark: so much of a text has to be read to know its byte order.
    pub const LONGEST_MARK: usize = 4;

    /// Those that are recognised by their byte order marks, the longer ones first.
    pub(crate) const MARKED: [Scheme; 5] =
        [Scheme::Utf32Le, Scheme::Utf32Be, Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be];

    /// Its name, the same as that of the type.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        with_type!(self, E => <E as Encoding>::NAME)
    }

    /// U+FEFF in this scheme, the byte order mark; empty if the scheme cannot represent it.
    #[must_use]
    #[inline]
    pub const fn mark(self) -> &'static [u8] {
        match self {
            Scheme::Utf16Le | Scheme::Wtf16Le => b"\xFF\xFE",
            Scheme::Utf16Be | Scheme::Wtf16Be => b"\xFE\xFF",
            Scheme::Utf32Le => b"\xFF\xFE\0\0",
            Scheme::Utf32Be => b"\0\0\xFE\xFF",
            Scheme::Latin1 | Scheme::Ascii => b"",
            Scheme::CorrectedUtf8 => b"\xEE\xB9\x9F",
            _ => b"\xEF\xBB\xBF",
        }
    }

    /// Whether `head`, the beginning of a text, begins with this scheme's byte order mark.
    #[must_use]
    #[inline]
    pub fn is_marked(self, head: &[u8]) -> bool {
        !self.mark().is_empty() && head.starts_with(self.mark())
    }

    /// The scheme with whose byte order mark `head`, the beginning of a text, begins: UTF-8, UTF-16 or UTF-32. Bytes FF FE 00
    /// 00 are taken for the mark of UTF-32LE; in UTF-16LE they would be a mark and U+0000.
    #[must_use]
    #[inline]
    pub fn of_mark(head: &[u8]) -> Option<Scheme> {
        Scheme::MARKED.into_iter().find(|scheme| scheme.is_marked(head))
    }

    /// Checks that `src` is well-formed: as [`validate`](crate::validate()).
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn validate(self, src: &[u8]) -> Result<(), IllFormed> {
        with_type!(self, E => crate::validate::<E>(src))
    }

    /// As [`Policy::incomplete_suffix`].
    #[must_use]
    #[inline]
    pub fn incomplete_suffix(self, policy: Policy<'_>, src: &[u8]) -> usize {
        with_type!(self, E => policy.incomplete_suffix::<E>(src))
    }

    /// Whether an unpaired surrogate is well-formed.
    #[must_use]
    #[inline]
    pub const fn has_surrogates(self) -> bool {
        self.variant().has_surrogates()
    }
}

impl fmt::Display for Scheme {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An encoding as people name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// A scheme.
    Exactly(Scheme),
    /// UTF-16, whose byte order the text tells.
    Utf16,
    /// UTF-32, whose byte order the text tells.
    Utf32,
    /// WTF-16, whose byte order the text tells.
    Wtf16,
}

impl From<Scheme> for Label {
    #[inline]
    fn from(scheme: Scheme) -> Label {
        Label::Exactly(scheme)
    }
}

/// The encodings and their names, the preferred one first.
const NAMES: [(Label, &str, &[&str]); 19] = [
    (
        Label::Exactly(Scheme::Utf8),
        "UTF-8",
        &["unicode-1-1-utf-8", "unicode20utf8", "x-unicode20utf8", "csUTF8", "cp65001", "65001"],
    ),
    (Label::Utf16, "UTF-16", &["UCS-2", "ISO-10646-UCS-2", "unicode", "csUnicode", "csUTF16"]),
    (
        Label::Exactly(Scheme::Utf16Le),
        "UTF-16LE",
        &["UCS-2LE", "unicodelittle", "unicodefeff", "csUTF16LE", "cp1200", "1200"],
    ),
    (
        Label::Exactly(Scheme::Utf16Be),
        "UTF-16BE",
        &["UCS-2BE", "unicodebig", "unicodefffe", "csUTF16BE", "cp1201", "1201"],
    ),
    (Label::Utf32, "UTF-32", &["UCS-4", "ISO-10646-UCS-4", "csUCS4", "csUTF32"]),
    (Label::Exactly(Scheme::Utf32Le), "UTF-32LE", &["UCS-4LE", "csUTF32LE", "cp12000", "12000"]),
    (Label::Exactly(Scheme::Utf32Be), "UTF-32BE", &["UCS-4BE", "csUTF32BE", "cp12001", "12001"]),
    (
        Label::Exactly(Scheme::Latin1),
        "Latin-1",
        &[
            "ISO-8859-1",
            "ISO_8859-1:1987",
            "l1",
            "iso-ir-100",
            "csISOLatin1",
            "IBM819",
            "cp819",
            "819",
            "cp28591",
            "28591",
        ],
    ),
    (
        Label::Exactly(Scheme::Ascii),
        "ASCII",
        &[
            "US-ASCII",
            "us",
            "ANSI_X3.4-1968",
            "ANSI_X3.4-1986",
            "ISO646-US",
            "ISO_646.irv:1991",
            "iso-ir-6",
            "csASCII",
            "IBM367",
            "cp367",
            "367",
            "cp20127",
            "20127",
        ],
    ),
    (Label::Exactly(Scheme::Wtf8), "WTF-8", &[]),
    (Label::Wtf16, "WTF-16", &[]),
    (Label::Exactly(Scheme::Wtf16Le), "WTF-16LE", &[]),
    (Label::Exactly(Scheme::Wtf16Be), "WTF-16BE", &[]),
    (Label::Exactly(Scheme::GeneralizedUtf8), "generalized UTF-8", &["GUTF-8"]),
    (Label::Exactly(Scheme::Cesu8), "CESU-8", &["csCESU8"]),
    (Label::Exactly(Scheme::WobblyCesu8), "wobbly CESU-8", &["WCESU-8"]),
    (Label::Exactly(Scheme::Mutf8), "modified UTF-8", &["MUTF-8", "java-utf-8"]),
    (Label::Exactly(Scheme::WobblyMutf8), "wobbly modified UTF-8", &["wobbly MUTF-8", "WMUTF-8", "jvm"]),
    (Label::Exactly(Scheme::CorrectedUtf8), "Corrected UTF-8", &["CUTF-8"]),
];

impl Label {
    /// All encodings, each with its preferred name and its other names.
    #[inline]
    pub fn names() -> impl Iterator<Item = (Label, &'static str, &'static [&'static str])> {
        NAMES.iter().copied()
    }

    /// Whether this is a plain UTF-16, UTF-32 or WTF-16.
    #[must_use]
    #[inline]
    pub const fn is_plain(self) -> bool {
        !matches!(self, Label::Exactly(_))
    }

    /// The schemes that it may mean, big-endian first.
    #[must_use]
    #[inline]
    pub const fn schemes(self) -> (Scheme, Scheme) {
        match self {
            Label::Exactly(scheme) => (scheme, scheme),
            Label::Utf16 => (Scheme::Utf16Be, Scheme::Utf16Le),
            Label::Utf32 => (Scheme::Utf32Be, Scheme::Utf32Le),
            Label::Wtf16 => (Scheme::Wtf16Be, Scheme::Wtf16Le),
        }
    }

    /// The scheme of a text that begins with `head`: by its byte order mark, or big-endian if there is none.
    ///
    /// ```
    /// use runecast::{Label, Scheme};
    ///
    /// assert_eq!(Label::Utf16.recognize(b"\xFF\xFEh\0"), Scheme::Utf16Le);
    /// assert_eq!(Label::Utf16.recognize(b"\0h\0i"), Scheme::Utf16Be);
    /// ```
    #[must_use]
    #[inline]
    pub fn recognize(self, head: &[u8]) -> Scheme {
        let (big, little) = self.schemes();
        if little.is_marked(head) { little } else { big }
    }

    /// The scheme of a whole text, and the text behind its byte order mark, as a stream with the same [treatment](Bom) of the mark
    /// takes them. By [`Bom::Keep`] the mark stays in the text, unless it is that of a plain UTF-16, UTF-32 or WTF-16.
    ///
    /// ```
    /// use runecast::{Bom, Label, Replacement, Scheme};
    ///
    /// // As a browser that was told UTF-8:
    /// let (scheme, text) = Label::Exactly(Scheme::Utf8).split_mark(b"\xFF\xFEr\0\xFA\0", Bom::Sniff);
    /// assert_eq!(scheme, Scheme::Utf16Le);
    /// assert_eq!(scheme.repair(text, Replacement::Whatwg), "rú");
    /// ```
    #[must_use]
    pub fn split_mark(self, text: &[u8], bom: Bom) -> (Scheme, &[u8]) {
        let (scheme, mark) = self.begin(text, bom);
        (scheme, text.get(mark..).unwrap_or_default())
    }

    /// The schemes whose marks are looked for.
    #[inline]
    pub(super) fn marks(self, bom: Bom) -> impl Iterator<Item = Scheme> {
        let (big, little) = self.schemes();
        let own = self.is_plain() || bom != Bom::Keep;
        let sniffs = bom == Bom::Sniff;
        Scheme::MARKED
            .into_iter()
            .filter(move |_| sniffs)
            .chain([big, little].into_iter().filter(move |_| own))
            .filter(|scheme| !scheme.mark().is_empty())
    }

    /// The scheme of a text that begins with `head`, and the length of its mark.
    #[inline]
    pub(super) fn begin(self, head: &[u8], bom: Bom) -> (Scheme, usize) {
        let marked = self.marks(bom).find(|scheme| scheme.is_marked(head));
        let (big, little) = self.schemes();
        // That of UTF-16 is that of WTF-16, too, and says nothing against it.
        let own = marked.and_then(|marked| [big, little].into_iter().find(|own| own.mark() == marked.mark()));
        (own.or(marked).unwrap_or(big), marked.map_or(0, |scheme| scheme.mark().len()))
    }
}

impl fmt::Display for Label {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Label::Exactly(scheme) => scheme.name(),
            Label::Utf16 => "UTF-16",
            Label::Utf32 => "UTF-32",
            Label::Wtf16 => "WTF-16",
        })
    }
}

/// The error for a name that no encoding has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLabel;

impl fmt::Display for UnknownLabel {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such encoding; there are ")?;
        for (index, (_, name, _)) in NAMES.iter().enumerate() {
            write!(f, "{}{name}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownLabel {}

impl FromStr for Label {
    type Err = UnknownLabel;

    #[inline]
    fn from_str(name: &str) -> Result<Label, UnknownLabel> {
        NAMES
            .iter()
            .find(|(_, first, others)| {
                [first].into_iter().chain(*others).any(|known| normalized(known).eq(normalized(name)))
            })
            .map(|(label, ..)| *label)
            .ok_or(UnknownLabel)
    }
}

/// A name in lower case, without what is ignored.
#[inline]
fn normalized(name: &str) -> impl Iterator<Item = char> {
    name.trim().chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        for (label, name, others) in Label::names() {
            for name in [&name].into_iter().chain(others) {
                assert_eq!(name.parse(), Ok(label), "{name}");
            }
        }
        for (label, names) in [
            (Label::Exactly(Scheme::Utf8), &["utf8", "UTF-8", "Utf_8", " utf 8 "][..]),
            (Label::Exactly(Scheme::Latin1), &["latin1", "iso8859-1", "LATIN_1"]),
            (Label::Exactly(Scheme::GeneralizedUtf8), &["generalized-utf-8"]),
            (Label::Utf16, &["utf16", "UCS2"]),
            (Label::Utf32, &["utf_32"]),
        ] {
            for name in names {
                assert_eq!(name.parse(), Ok(label), "{name}");
            }
        }
        for name in ["", "utf", "utf-7", "iso-8859-15", "windows-1252", "utf-8//TRANSLIT"] {
            assert_eq!(name.parse::<Label>(), Err(UnknownLabel), "{name}");
        }
    }

    #[test]
    fn no_name_is_there_twice() {
        let all = || NAMES.iter().flat_map(|(_, first, others)| [first].into_iter().chain(*others));
        for (index, name) in all().enumerate() {
            assert!(all().take(index).all(|other| !normalized(other).eq(normalized(name))), "{name}");
        }
    }

    #[test]
    fn all_schemes_have_a_label_and_the_mark_of_their_codec() {
        for scheme in Scheme::ALL {
            assert!(Label::names().any(|(label, name, _)| label == scheme.into() && name == scheme.name()));
            with_type!(scheme, E => {
                let mark = <E as crate::unicode::codec::Codec>::encode(0xFEFF);
                let mark: Vec<u8> = mark.iter().flat_map(|mark| mark.iter()).collect();
                assert_eq!(mark, scheme.mark());
            });
            assert!(scheme.mark().len() <= Scheme::LONGEST_MARK);
        }
    }
}
