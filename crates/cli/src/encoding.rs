//! Encodings by name, at run time.
//!
//! In the library an encoding is a type. Here it is a word on the command line, so there are two
//! enums that mirror the types. A [`Scheme`] says what the bytes of a file are; there are fifteen,
//! since a file consists of bytes and the forms in units of this machine (`Utf16`, `Utf32`) are the
//! same bytes as one of their schemes. A [`Label`] is what people write: a scheme, or the plain
//! `UTF-16`, `UTF-32` and `WTF-16`, of which a file has to tell the byte order.
//!
//! **Plain UTF-16 and UTF-32** are the schemes of Unicode 3.10 (D98 and D101). To read: a byte order
//! mark decides and is no part of the text; without one it is big-endian, unless `--assume` says
//! otherwise. (The WHATWG Encoding Standard takes `utf-16` for little-endian, and some tools take the
//! order of their machine. Here the same command means the same everywhere.) To write: big-endian
//! behind a mark, so that even if someone strips the mark the rule above reads it.
//!
//! **Names** are those of iconv, IANA and WHATWG, in any case, without regard to `-`, `_` and spaces. There
//! are three differences, each towards what the name says: `utf-16` as above; `latin1` and `ascii`
//! are ISO 8859-1 and ASCII (WHATWG: windows-1252); `ucs-2` and `ucs-4` are read and written as
//! UTF-16 and UTF-32, of which they are older subsets.

use std::fmt;
use std::str::FromStr;

use runecast::{Encoding, Policy, Progress, Repaired, TranscodeError};

/// What the bytes of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// UTF-8.
    Utf8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// UTF-32, little-endian.
    Utf32Le,
    /// UTF-32, big-endian.
    Utf32Be,
    /// ISO 8859-1.
    Latin1,
    /// ASCII.
    Ascii,
    /// WTF-8.
    Wtf8,
    /// WTF-16, little-endian.
    Wtf16Le,
    /// WTF-16, big-endian.
    Wtf16Be,
    /// Generalized UTF-8.
    GeneralizedUtf8,
    /// CESU-8.
    Cesu8,
    /// CESU-8 with unpaired surrogates.
    WobblyCesu8,
    /// Modified UTF-8.
    Mutf8,
    /// Modified UTF-8 with unpaired surrogates.
    WobblyMutf8,
    /// Corrected UTF-8, without its magic number.
    CorrectedUtf8,
}

/// A conversion between two schemes, as far as the output has room.
pub(crate) type Mover = fn(&[u8], &mut [u8]) -> Result<Progress, TranscodeError>;
/// Validation in a scheme.
pub(crate) type Judge = fn(&[u8]) -> Result<(), runecast::IllFormed>;
/// A conversion that repairs, to the end of a vector.
pub(crate) type Mender = fn(&[u8], &mut Vec<u8>, Policy<'_>) -> Repaired;
/// How many bytes at the end of a piece have to wait for the next one.
pub(crate) type Keeper = fn(Policy<'_>, &[u8]) -> usize;

/// From a scheme to the library's type of it: the body is compiled once for each.
macro_rules! with_type {
    ($scheme:expr, $type:ident => $body:expr) => {
        match $scheme {
            Scheme::Utf8 => with_type!(@ Utf8, $type => $body),
            Scheme::Utf16Le => with_type!(@ Utf16Le, $type => $body),
            Scheme::Utf16Be => with_type!(@ Utf16Be, $type => $body),
            Scheme::Utf32Le => with_type!(@ Utf32Le, $type => $body),
            Scheme::Utf32Be => with_type!(@ Utf32Be, $type => $body),
            Scheme::Latin1 => with_type!(@ Latin1, $type => $body),
            Scheme::Ascii => with_type!(@ Ascii, $type => $body),
            Scheme::Wtf8 => with_type!(@ Wtf8, $type => $body),
            Scheme::Wtf16Le => with_type!(@ Wtf16Le, $type => $body),
            Scheme::Wtf16Be => with_type!(@ Wtf16Be, $type => $body),
            Scheme::GeneralizedUtf8 => with_type!(@ GeneralizedUtf8, $type => $body),
            Scheme::Cesu8 => with_type!(@ Cesu8, $type => $body),
            Scheme::WobblyCesu8 => with_type!(@ WobblyCesu8, $type => $body),
            Scheme::Mutf8 => with_type!(@ Mutf8, $type => $body),
            Scheme::WobblyMutf8 => with_type!(@ WobblyMutf8, $type => $body),
            Scheme::CorrectedUtf8 => with_type!(@ CorrectedUtf8, $type => $body),
        }
    };
    (@ $actual:ident, $type:ident => $body:expr) => {{
        type $type = runecast::$actual;
        $body
    }};
}

impl Scheme {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Scheme; 16] = [
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

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        with_type!(self, E => <E as Encoding>::NAME)
    }

    /// The library's function for this pair.
    pub(crate) fn mover(self, to: Scheme) -> Mover {
        with_type!(self, S => with_type!(to, D => runecast::transcode_partial::<S, D>))
    }

    /// The library's function for this encoding.
    pub(crate) fn judge(self) -> Judge {
        with_type!(self, E => runecast::validate::<E>)
    }

    /// The library's function that repairs, for this pair.
    pub(crate) fn mender(self, to: Scheme) -> Mender {
        with_type!(self, S => with_type!(to, D => |src, dst, policy| {
            runecast::transcode_lossy_append::<S, D>(src, dst, policy)
        }))
    }

    /// What it needs to go piece by piece.
    pub(crate) fn keeper(self) -> Keeper {
        if let Scheme::CorrectedUtf8 = self {
            // A reserved sequence has no end but the next character. One that is too long to be kept is
            // taken for ended where the piece ends.
            return |policy, src| match policy.undecided::<runecast::CorrectedUtf8>(src) {
                kept @ 0..=crate::window::LONGEST_TAIL => kept,
                _ => 0,
            };
        }
        with_type!(self, E => |policy, src| policy.undecided::<E>(src))
    }

    /// Whether its code units can be surrogates.
    pub(crate) fn holds_surrogates(self) -> bool {
        use Scheme::*;
        matches!(self, Utf16Le | Utf16Be | Utf32Le | Utf32Be | Wtf16Le | Wtf16Be)
    }

    /// Whether a surrogate may be in order that is not part of a pair: then, where a piece of text ends,
    /// one may have to wait for the next piece.
    pub(crate) fn is_wobbly(self) -> bool {
        use Scheme::*;
        matches!(self, Wtf8 | Wtf16Le | Wtf16Be | GeneralizedUtf8 | WobblyCesu8 | WobblyMutf8)
    }

    /// The bytes of a surrogate, where it may be in order by itself.
    pub(crate) fn surrogate_width(self) -> usize {
        if self.holds_surrogates() { 2 } else { 3 }
    }

    /// U+FEFF in this scheme; nothing in those that do not have it.
    pub(crate) fn mark(self) -> &'static [u8] {
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

    /// Whether `head`, the beginning of a text, is a byte order mark.
    pub(crate) fn is_marked(self, head: &[u8]) -> bool {
        !self.mark().is_empty() && head.starts_with(self.mark())
    }

    /// The bytes that a character takes which has a form here.
    pub(crate) fn width(self, character: char) -> usize {
        match self {
            Scheme::Utf8 | Scheme::Wtf8 | Scheme::GeneralizedUtf8 => character.len_utf8(),
            Scheme::Mutf8 | Scheme::WobblyMutf8 if character == '\0' => 2,
            Scheme::Cesu8 | Scheme::WobblyCesu8 | Scheme::Mutf8 | Scheme::WobblyMutf8 => {
                if character > '\u{FFFF}' { 6 } else { character.len_utf8() }
            }
            Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Wtf16Le | Scheme::Wtf16Be => {
                2 * character.len_utf16()
            }
            Scheme::Utf32Le | Scheme::Utf32Be => 4,
            Scheme::Latin1 | Scheme::Ascii => 1,
            Scheme::CorrectedUtf8 => match u32::from(character) {
                0..0x80 => 1,
                0x80..0x8A0 => 2,
                0x8A0..0x1_10A0 => 3,
                _ => 4,
            },
        }
    }
}

/// The longest byte order mark: so much of a text has to be seen to know its order.
pub(crate) const LONGEST_MARK: usize = 4;

/// An encoding as it is named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// A scheme.
    Exactly(Scheme),
    /// UTF-16 of either order.
    Utf16,
    /// UTF-32 of either order.
    Utf32,
    /// WTF-16 of either order.
    Wtf16,
}

/// An order of bytes, for `--assume`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Assume {
    /// Little-endian
    Le,
    /// Big-endian
    #[default]
    Be,
}

/// The encodings and their names, the one to show first.
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

/// A name without what does not matter.
fn essence(name: &str) -> String {
    name.trim().chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}

impl Label {
    /// All encodings: the name of each, and its other names.
    pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        NAMES.iter().map(|(_, name, others)| (*name, *others))
    }

    /// Whether this is a plain UTF-16 or UTF-32.
    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Label::Utf16 | Label::Utf32 | Label::Wtf16)
    }

    /// What a text is that begins with `head`.
    pub(crate) fn recognize(self, head: &[u8], assume: Assume) -> Scheme {
        let (little, big) = match self {
            Label::Exactly(scheme) => return scheme,
            Label::Utf16 => (Scheme::Utf16Le, Scheme::Utf16Be),
            Label::Utf32 => (Scheme::Utf32Le, Scheme::Utf32Be),
            Label::Wtf16 => (Scheme::Wtf16Le, Scheme::Wtf16Be),
        };
        match assume {
            _ if little.is_marked(head) => little,
            _ if big.is_marked(head) => big,
            Assume::Le => little,
            Assume::Be => big,
        }
    }

    /// What to write.
    pub(crate) fn written(self) -> Scheme {
        self.recognize(&[], Assume::Be)
    }
}

impl FromStr for Label {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let wanted = essence(name);
        NAMES
            .iter()
            .find(|(_, first, others)| [first].into_iter().chain(*others).any(|name| essence(name) == wanted))
            .map(|(label, ..)| *label)
            .ok_or_else(|| {
                let known: Vec<_> = Label::names().map(|(name, _)| name).collect();
                format!(
                    "no such encoding here; there are {} (`runecast convert -l` lists all names)",
                    known.join(", ")
                )
            })
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Label::Exactly(scheme) => scheme.name(),
            Label::Utf16 => "UTF-16",
            Label::Utf32 => "UTF-32",
            Label::Wtf16 => "WTF-16",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        use Scheme::*;
        for (scheme, names) in [
            (Utf8, &["utf8", "UTF-8", "Utf_8", "unicode-1-1-utf-8"][..]),
            (Utf16Le, &["utf-16le", "UTF16LE", "UCS-2LE"]),
            (Utf16Be, &["utf-16be", "UCS-2BE", "unicodeFFFE"]),
            (Utf32Le, &["utf-32le", "ucs-4le"]),
            (Utf32Be, &["UTF-32BE"]),
            (Latin1, &["latin1", "ISO-8859-1", "iso8859-1", "ISO_8859-1:1987", "l1", "LATIN_1"]),
            (Ascii, &["ascii", "US-ASCII", "ANSI_X3.4-1968"]),
            (Wtf8, &["wtf-8", "WTF8"]),
            (GeneralizedUtf8, &["generalized-utf-8", "generalized UTF-8"]),
            (Cesu8, &["cesu-8", "CESU8"]),
            (Mutf8, &["mutf-8", "modified-utf-8"]),
            (WobblyMutf8, &["wobbly-mutf-8", "jvm"]),
            (WobblyCesu8, &["wobbly-cesu-8"]),
            (CorrectedUtf8, &["corrected-utf-8", "Corrected UTF-8"]),
        ] {
            for name in names {
                assert_eq!(name.parse(), Ok(Label::Exactly(scheme)), "{name}");
            }
        }
        assert_eq!(["utf-16", "UCS2"].map(str::parse), [Ok(Label::Utf16), Ok(Label::Utf16)]);
        assert_eq!(["utf_32", "UCS-4"].map(str::parse), [Ok(Label::Utf32), Ok(Label::Utf32)]);
        for name in ["", "utf", "utf-7", "iso-8859-15", "windows-1252", "utf-8//TRANSLIT"] {
            assert!(name.parse::<Label>().is_err(), "{name}");
        }
    }

    #[test]
    fn no_name_is_there_twice() {
        let mut all: Vec<_> = NAMES.iter().map(|(_, name, _)| essence(name)).collect();
        for (label, name, others) in NAMES {
            assert_eq!(label.to_string(), name);
            all.extend(others.iter().map(|name| essence(name)));
        }
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn marks_decide_and_otherwise_what_is_assumed() {
        for scheme in Scheme::ALL {
            assert_eq!(
                scheme.mark().len(),
                if scheme.mark().is_empty() { 0 } else { scheme.width('\u{FEFF}') }
            );
            assert!(scheme.mark().len() <= LONGEST_MARK);
        }
        assert_eq!(Label::Utf16.recognize(b"\xFF\xFEa\0", Assume::Be), Scheme::Utf16Le);
        assert_eq!(Label::Utf16.recognize(b"\xFE\xFF\0a", Assume::Le), Scheme::Utf16Be);
        assert_eq!(Label::Utf16.recognize(b"", Assume::Le), Scheme::Utf16Le);
        assert_eq!(Label::Utf32.recognize(b"\xFF\xFE\0\0", Assume::Be), Scheme::Utf32Le);
        assert_eq!(Label::Utf32.recognize(b"\0\0\0a", Assume::Be), Scheme::Utf32Be);
        assert_eq!(Label::Utf16.written(), Scheme::Utf16Be);
    }
}
