//! Encodings on the command line: how a wrong name is answered, and which byte order a text without a mark has.
//!
//! [`Scheme`] and [`Label`], their names, their marks and the conversions between them are the library's.
//!
//! **Plain UTF-16 and UTF-32** are the schemes of Unicode 3.10 (D98 and D101). To read: a byte order
//! mark decides and is no part of the text; without one it is big-endian, unless `--assume` says
//! otherwise. (The WHATWG Encoding Standard takes `utf-16` for little-endian, and some tools take the
//! order of their machine. Here the same command means the same everywhere.) To write: big-endian
//! behind a mark, so that even if someone strips the mark the rule above reads it.

use std::fmt;

use runecast::{Label, Scheme};

/// An order of bytes, for `--assume`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Assume {
    /// Little-endian
    Le,
    /// Big-endian
    #[default]
    Be,
}

/// The encoding of this name, or a list of those that there are.
pub(crate) fn parse(name: &str) -> Result<Label, String> {
    name.parse().map_err(|_| {
        let known: Vec<_> = Label::names().map(|(_, name, _)| name).collect();
        format!(
            "no such encoding here; there are {} (`runecast convert -l` lists all names)",
            known.join(", ")
        )
    })
}

/// An encoding to write, and whether what it has no form for is left out: `ascii//IGNORE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The encoding.
    pub(crate) label: Label,
    /// Whether it was said that something may be left out.
    pub(crate) omits: bool,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.label.fmt(f)
    }
}

/// An encoding with what iconv allows behind its name.
pub(crate) fn parse_wanted(name: &str) -> Result<Wanted, String> {
    let (name, suffix) = name.split_once("//").unwrap_or((name, ""));
    let omits = suffix.eq_ignore_ascii_case("ignore");
    if !suffix.is_empty() && !omits {
        return Err(match suffix.to_ascii_lowercase().contains("translit") {
            true => "nothing is transliterated here; `runecast repair -t` writes a question mark instead, \
                     and //IGNORE leaves out what has no form"
                .into(),
            false => "only //IGNORE may stand behind an encoding".into(),
        });
    }
    parse(name).map(|label| Wanted { label, omits })
}

/// What a text is that begins with `head`.
pub(crate) fn recognize(label: Label, head: &[u8], assume: Assume) -> Scheme {
    let (big, little) = label.schemes();
    match assume {
        Assume::Le if !big.is_marked(head) => little,
        _ => label.recognize(head),
    }
}

/// What to write.
pub(crate) fn written(label: Label) -> Scheme {
    label.schemes().0
}

/// Whether the code units of a scheme can be surrogates.
pub(crate) fn holds_surrogates(scheme: Scheme) -> bool {
    use Scheme::*;
    matches!(scheme, Utf16Le | Utf16Be | Utf32Le | Utf32Be | Wtf16Le | Wtf16Be)
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
                assert_eq!(parse(name), Ok(Label::Exactly(scheme)), "{name}");
            }
        }
        assert_eq!(["utf-16", "UCS2"].map(parse), [Ok(Label::Utf16), Ok(Label::Utf16)]);
        assert_eq!(["utf_32", "UCS-4"].map(parse), [Ok(Label::Utf32), Ok(Label::Utf32)]);
        for (label, name, _) in Label::names() {
            assert_eq!((label.to_string().as_str(), parse(name)), (name, Ok(label)));
        }
        for name in ["", "utf", "utf-7", "iso-8859-15", "windows-1252", "utf-8//TRANSLIT"] {
            let refused = parse(name).expect_err("no encoding has this name");
            assert!(refused.starts_with("no such encoding here; there are UTF-8, UTF-16, "), "{refused}");
        }
    }

    #[test]
    fn suffixes_of_iconv_are_understood() {
        let wanted = |omits| Ok(Wanted { label: Label::Exactly(Scheme::Ascii), omits });
        assert_eq!(["ascii", "ascii//"].map(parse_wanted), [wanted(false), wanted(false)]);
        assert_eq!(["ascii//IGNORE", "us-ascii//ignore"].map(parse_wanted), [wanted(true), wanted(true)]);
        for (name, word) in
            [("ascii//TRANSLIT", "transliterated"), ("x//IGNORE", "no such"), ("ascii//X", "only //IGNORE")]
        {
            let refused = parse_wanted(name).expect_err("a suffix that means nothing");
            assert!(refused.contains(word), "{refused}");
        }
    }

    #[test]
    fn marks_decide_and_otherwise_what_is_assumed() {
        assert_eq!(recognize(Label::Utf16, b"\xFF\xFEa\0", Assume::Be), Scheme::Utf16Le);
        assert_eq!(recognize(Label::Utf16, b"\xFE\xFF\0a", Assume::Le), Scheme::Utf16Be);
        assert_eq!(recognize(Label::Utf16, b"", Assume::Le), Scheme::Utf16Le);
        assert_eq!(recognize(Label::Utf16, b"", Assume::Be), Scheme::Utf16Be);
        assert_eq!(recognize(Label::Utf32, b"\xFF\xFE\0\0", Assume::Be), Scheme::Utf32Le);
        assert_eq!(recognize(Label::Utf32, b"\0\0\0a", Assume::Be), Scheme::Utf32Be);
        assert_eq!(recognize(Scheme::Latin1.into(), b"\xFF\xFE", Assume::Le), Scheme::Latin1);
        assert_eq!(written(Label::Utf16), Scheme::Utf16Be);
    }
}
