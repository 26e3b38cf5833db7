//! Encodings on the command line: their names, how a wrong name is answered, and which byte order a text without a mark has.
//!
//! [`Scheme`] and [`Label`], their names, their marks and the conversions between them are the library's; the encodings older
//! than Unicode, and the names that the WHATWG Encoding Standard has for them, are those of `encoding_rs`. This is the one
//! place where a name becomes an encoding ([`parse`]): it is looked up in the library, then in the standard, and then
//! among the further names that iconv has for these ([`ICONV`]). What is no name is answered with those that differ by a slip.
//!
//! **Plain UTF-16 and UTF-32** are the schemes of Unicode 3.10 (D98 and D101). To read: a byte order
//! mark decides and is no part of the text; without one it is big-endian, unless `--assume` says
//! otherwise. (The WHATWG Encoding Standard takes `utf-16` for little-endian, and some tools take the
//! order of their machine. Here the same command means the same everywhere.) To write: big-endian
//! behind a mark, so that even if someone strips the mark the rule above reads it.

use std::ffi::OsStr;
use std::fmt;

use clap::builder::{PossibleValue, TypedValueParser};
use encoding_rs::Encoding;
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

/// An encoding that was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// One of those that the library converts.
    Unicode(Label),
    /// One that is older than Unicode.
    Legacy(&'static Encoding),
}

impl Charset {
    /// UTF-8, which is meant where none is named.
    pub(crate) const UTF_8: Charset = Charset::Unicode(Label::Exactly(Scheme::Utf8));

    /// The encoding as which its text is worked on, and the legacy encoding, if it is one.
    pub(crate) fn parts(self) -> (Label, Option<&'static Encoding>) {
        match self {
            Charset::Unicode(label) => (label, None),
            Charset::Legacy(encoding) => (Label::Exactly(Scheme::Utf8), Some(encoding)),
        }
    }

    /// Whether it has a byte order mark.
    pub(crate) fn has_mark(self) -> bool {
        matches!(self, Charset::Unicode(label) if !written(label).mark().is_empty())
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Charset::Unicode(label) => label.fmt(f),
            Charset::Legacy(encoding) => f.pad(encoding.name()),
        }
    }
}

/// The encodings that are older than Unicode, in the order in which they are listed.
pub(crate) static LEGACY: [&Encoding; 36] = [
    &encoding_rs::WINDOWS_1250_INIT,
    &encoding_rs::WINDOWS_1251_INIT,
    &encoding_rs::WINDOWS_1252_INIT,
    &encoding_rs::WINDOWS_1253_INIT,
    &encoding_rs::WINDOWS_1254_INIT,
    &encoding_rs::WINDOWS_1255_INIT,
    &encoding_rs::WINDOWS_1256_INIT,
    &encoding_rs::WINDOWS_1257_INIT,
    &encoding_rs::WINDOWS_1258_INIT,
    &encoding_rs::WINDOWS_874_INIT,
    &encoding_rs::ISO_8859_2_INIT,
    &encoding_rs::ISO_8859_3_INIT,
    &encoding_rs::ISO_8859_4_INIT,
    &encoding_rs::ISO_8859_5_INIT,
    &encoding_rs::ISO_8859_6_INIT,
    &encoding_rs::ISO_8859_7_INIT,
    &encoding_rs::ISO_8859_8_INIT,
    &encoding_rs::ISO_8859_8_I_INIT,
    &encoding_rs::ISO_8859_10_INIT,
    &encoding_rs::ISO_8859_13_INIT,
    &encoding_rs::ISO_8859_14_INIT,
    &encoding_rs::ISO_8859_15_INIT,
    &encoding_rs::ISO_8859_16_INIT,
    &encoding_rs::KOI8_R_INIT,
    &encoding_rs::KOI8_U_INIT,
    &encoding_rs::IBM866_INIT,
    &encoding_rs::MACINTOSH_INIT,
    &encoding_rs::X_MAC_CYRILLIC_INIT,
    &encoding_rs::SHIFT_JIS_INIT,
    &encoding_rs::EUC_JP_INIT,
    &encoding_rs::ISO_2022_JP_INIT,
    &encoding_rs::GBK_INIT,
    &encoding_rs::GB18030_INIT,
    &encoding_rs::BIG5_INIT,
    &encoding_rs::EUC_KR_INIT,
    &encoding_rs::X_USER_DEFINED_INIT,
];

/// The further names that the WHATWG Encoding Standard has for these, to be listed: what a name means is looked up in `encoding_rs`. Those
/// of Latin-1 and ASCII, which are windows-1252 there, are missing.
#[rustfmt::skip]
const WEB: [&str; 147] = [
    "cp1252", "x-cp1252", "csisolatin2", "iso-ir-101", "iso8859-2", "iso88592", "iso_8859-2:1987", "l2",
    "latin2", "csisolatin3", "iso-ir-109", "iso8859-3", "iso88593", "iso_8859-3:1988", "l3", "latin3",
    "csisolatin4", "iso-ir-110", "iso8859-4", "iso88594", "iso_8859-4:1988", "l4", "latin4", "cp1254",
    "csisolatin5", "iso-8859-9", "iso-ir-148", "iso8859-9", "iso88599", "iso_8859-9", "iso_8859-9:1989",
    "l5", "latin5", "x-cp1254", "csisolatin6", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6",
    "csisolatin9", "iso8859-15", "iso885915", "l9", "866", "cp866", "csibm866", "csmacintosh", "mac",
    "x-mac-roman", "cskoi8r", "koi", "koi8", "chinese", "csgb2312", "csiso58gb231280", "gb2312", "gb_2312",
    "gb_2312-80", "iso-ir-58", "x-gbk", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5", "csshiftjis",
    "ms932", "ms_kanji", "sjis", "windows-31j", "x-sjis", "csisolatingreek", "ecma-118", "elot_928",
    "greek", "greek8", "iso-ir-126", "iso8859-7", "iso88597", "iso_8859-7:1987", "sun_eu_greek", "cp1250",
    "x-cp1250", "cp1251", "x-cp1251", "cp1253", "x-cp1253", "cp1255", "x-cp1255", "cp1256", "x-cp1256",
    "cp1257", "x-cp1257", "cp1258", "x-cp1258", "arabic", "asmo-708", "csiso88596e", "csiso88596i",
    "csisolatinarabic", "ecma-114", "iso-8859-6-e", "iso-8859-6-i", "iso-ir-127", "iso8859-6", "iso88596",
    "iso_8859-6:1987", "csiso88598e", "csisolatinhebrew", "hebrew", "iso-8859-8-e", "iso-ir-138",
    "iso8859-8", "iso88598", "iso_8859-8:1988", "visual", "cseuckr", "csksc56011987", "iso-ir-149",
    "korean", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "windows-949",
    "cseucpkdfmtjapanese", "x-euc-jp", "koi8-ru", "dos-874", "iso-8859-11", "iso8859-11", "iso885911",
    "tis-620", "csiso88598i", "logical", "csisolatincyrillic", "cyrillic", "iso-ir-144", "iso8859-5",
    "iso88595", "iso_8859-5:1988", "iso8859-13", "iso885913", "iso8859-14", "iso885914", "csiso2022jp",
    "x-mac-ukrainian",
];

/// Names that iconv has and the WHATWG Encoding Standard has not, without what is neither letter nor digit, and the name
/// there.
const ICONV: [(&str, &str); 57] = [
    ("88591", "latin1"),
    ("88592", "iso-8859-2"),
    ("88593", "iso-8859-3"),
    ("88594", "iso-8859-4"),
    ("88595", "iso-8859-5"),
    ("88596", "iso-8859-6"),
    ("88597", "iso-8859-7"),
    ("88598", "iso-8859-8"),
    ("88599", "windows-1254"),
    ("885910", "iso-8859-10"),
    ("885911", "windows-874"),
    ("885913", "iso-8859-13"),
    ("885914", "iso-8859-14"),
    ("885915", "iso-8859-15"),
    ("885916", "iso-8859-16"),
    ("iso88599", "windows-1254"),
    ("iso885910", "iso-8859-10"),
    ("iso885911", "windows-874"),
    ("iso885913", "iso-8859-13"),
    ("iso885914", "iso-8859-14"),
    ("iso885915", "iso-8859-15"),
    ("iso885916", "iso-8859-16"),
    ("latin7", "iso-8859-13"),
    ("latin8", "iso-8859-14"),
    ("latin9", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
    ("msee", "windows-1250"),
    ("mscyrl", "windows-1251"),
    ("msansi", "windows-1252"),
    ("msgreek", "windows-1253"),
    ("msturk", "windows-1254"),
    ("mshebr", "windows-1255"),
    ("msarab", "windows-1256"),
    ("winbaltrim", "windows-1257"),
    ("cp874", "windows-874"),
    ("tis620", "windows-874"),
    ("koi8r", "koi8-r"),
    ("koi8u", "koi8-u"),
    ("866", "ibm866"),
    ("maccyrillic", "x-mac-cyrillic"),
    ("sjis", "shift_jis"),
    ("shiftjis", "shift_jis"),
    ("cp932", "shift_jis"),
    ("eucjp", "euc-jp"),
    ("ujis", "euc-jp"),
    ("iso2022jp", "iso-2022-jp"),
    ("euccn", "gbk"),
    ("cp936", "gbk"),
    ("ms936", "gbk"),
    ("big5", "big5"),
    ("bigfive", "big5"),
    ("cp950", "big5"),
    ("euckr", "euc-kr"),
    ("uhc", "euc-kr"),
    ("cp949", "euc-kr"),
    ("mac", "macintosh"),
    ("ansix341968", "ascii"),
];

/// The numbers of code pages of DOS. (866 is one of those of the web.)
const DOS: [&str; 15] =
    ["437", "737", "775", "850", "852", "855", "857", "858", "860", "861", "862", "863", "864", "865", "869"];

/// The encoding of this name, or which names it could be.
pub(crate) fn parse(name: &str) -> Result<Charset, String> {
    let name = name.trim();
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let iconv = || ICONV.iter().find(|(known, _)| *known == plain).map(|(_, name)| *name);
    let unicode = |name: &str| name.parse().map(Charset::Unicode).ok();
    let legacy = |name: &str| {
        let found = Encoding::for_label(name.as_bytes());
        found.filter(|found| LEGACY.contains(found)).map(Charset::Legacy)
    };
    let found = unicode(name).or_else(|| legacy(name)).or_else(|| legacy(&name.replace('_', "-")));
    found.or_else(|| iconv().and_then(|name| unicode(name).or_else(|| legacy(name)))).ok_or_else(|| {
        if let Some((plain, suffix)) = name.split_once("//")
            && let Ok(encoding) = parse(plain)
        {
            return format!("{encoding} cannot have the suffix //{suffix} here; only `convert -t` accepts it");
        }
        if let Some((_, encoding)) = marked(name) {
            return format!(
                "that is {encoding} with a byte order mark; name {encoding} to read it, and use `convert --bom strip` to \
                 remove the mark"
            );
        }
        if let Some(number) = dos_code_page(&plain) {
            return format!(
                "that is a code page of DOS, which is not one of the encodings here (`runecast convert -l` lists them); \
                 `iconv -f CP{number} -t UTF-8` converts it"
            );
        }
        let known: Vec<_> = Label::names().map(|(_, name, _)| name).collect();
        match &similar_names(name)[..] {
            [] => format!(
                "no encoding has this name; there are {}, and {} older ones, such as windows-1252 and Shift_JIS \
                 (`runecast convert -l` lists all names)",
                known.join(", "),
                LEGACY.len()
            ),
            names => format!(
                "no encoding has this name (`runecast convert -l` lists all names); did you mean {}?",
                names.join(" or ")
            ),
        }
    })
}

/// The number of a code page of DOS that browsers do not know. Names of other encodings are similar to these, and none of them is meant.
fn dos_code_page(plain: &str) -> Option<&str> {
    let number = ["cp", "ibm"].iter().find_map(|start| plain.strip_prefix(start)).unwrap_or(plain);
    DOS.contains(&number).then_some(number)
}

/// The encoding that has this name if it begins with a byte order mark: `utf-8-sig` in Python, `utf8bom` in editors.
fn marked(name: &str) -> Option<(Charset, String)> {
    let name = name.trim().to_ascii_lowercase();
    let without = ["sig", "bom"].iter().find_map(|end| name.strip_suffix(end))?;
    let charset = parse(without.trim_end_matches(['-', '_'])).ok()?;
    charset.has_mark().then(|| (charset, charset.to_string()))
}

/// The usual name of the encoding of this name, if there is one.
pub(crate) fn usual_name(name: &str) -> Option<&'static str> {
    match parse(name).ok()? {
        Charset::Unicode(label) => Label::names().find(|known| known.0 == label).map(|(_, usual, _)| usual),
        Charset::Legacy(encoding) => Some(encoding.name()),
    }
}

/// The encoding of this name, with what iconv allows behind it, where it has no meaning as the encoding is read.
pub(crate) fn parse_read(name: &str) -> Result<Charset, String> {
    let wanted = parse_wanted(name)?;
    if wanted.marked { parse(name) } else { Ok(wanted.charset) }
}

/// The further names that the web and iconv have for an encoding.
pub(crate) fn further_names(charset: Charset) -> impl Iterator<Item = &'static str> {
    let iconv = ICONV.iter().map(|(name, _)| *name).filter(|name| !WEB.contains(name));
    WEB.into_iter().chain(iconv).filter(move |name| parse(name) == Ok(charset))
}

/// The names that differ least from one that is none: by one slip, or two in a longer name. What stands between letters and digits does not
/// count, and each encoding is named once.
fn similar_names(wrong: &str) -> Vec<&'static str> {
    let plain = |name: &str| {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    let wrong = plain(wrong);
    let unicode =
        Label::names().flat_map(|(_, name, others)| std::iter::once(name).chain(others.iter().copied()));
    let names = unicode.chain(LEGACY.iter().map(|encoding| encoding.name())).chain(WEB);
    let distances = names.map(|name| (strsim::damerau_levenshtein(&wrong, &plain(name)), name));
    let most = if wrong.len() < 5 { 1 } else { 2 };
    let near: Vec<_> = distances.filter(|(distance, _)| *distance <= most).collect();
    let least = near.iter().map(|(distance, _)| *distance).min();
    let mut found: Vec<(Charset, &str)> = Vec::new();
    for (_, name) in near.into_iter().filter(|(distance, _)| Some(*distance) == least) {
        if let Ok(charset) = parse(name)
            && found.iter().all(|(known, _)| *known != charset)
        {
            found.push((charset, name));
        }
    }
    found.into_iter().map(|(_, name)| name).take(3).collect()
}

/// An encoding to write, and whether what it has no form for is left out: `ascii//IGNORE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The encoding.
    pub(crate) charset: Charset,
    /// Whether it was said that something may be left out.
    pub(crate) omits: bool,
    /// Whether it was said that something similar may be written.
    pub(crate) transliterates: bool,
    /// Whether its name says that it begins with a byte order mark.
    pub(crate) marked: bool,
}

impl Wanted {
    /// This encoding, of which nothing is said.
    pub(crate) const fn exactly(charset: Charset) -> Wanted {
        Wanted { charset, omits: false, transliterates: false, marked: false }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.charset.fmt(f)
    }
}

/// An encoding with what iconv allows behind its name.
pub(crate) fn parse_wanted(name: &str) -> Result<Wanted, String> {
    let (name, suffixes) = name.split_once("//").unwrap_or((name, ""));
    let mut wanted = match marked(name) {
        Some((charset, _)) => Wanted { marked: true, ..Wanted::exactly(charset) },
        None => Wanted::exactly(parse(name)?),
    };
    for suffix in suffixes.split("//").filter(|suffix| !suffix.is_empty()) {
        match suffix.to_ascii_lowercase().as_str() {
            "ignore" => wanted.omits = true,
            "translit" => wanted.transliterates = true,
            _ => return Err("the only suffixes of an encoding are //TRANSLIT and //IGNORE".into()),
        }
    }
    Ok(wanted)
}

/// A parser of names that knows them all, for the completions of shells.
#[derive(Clone)]
pub(crate) struct Named<T>(pub(crate) fn(&str) -> Result<T, String>);

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        // A function is a parser, too, whose errors have what `arguments` makes words of.
        TypedValueParser::parse_ref(&self.0, command, argument, OsStr::new(&*value.to_string_lossy()))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        // A shell would have to quote a space.
        let unicode = Label::names().filter_map(|(_, name, others)| {
            std::iter::once(&name).chain(others).find(|name| !name.contains(' ')).copied()
        });
        let legacy = LEGACY.iter().map(|encoding| encoding.name());
        Some(Box::new(unicode.chain(legacy).map(PossibleValue::new)))
    }
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
            (Latin1, &["latin1", "ISO-8859-1", "iso8859-1", "ISO_8859-1:1987", "l1", "LATIN_1", "8859_1"]),
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
                assert_eq!(parse(name), Ok(Charset::Unicode(Label::Exactly(scheme))), "{name}");
            }
        }
        let plain = |label| Ok(Charset::Unicode(label));
        assert_eq!(["utf-16", "UCS2"].map(parse), [plain(Label::Utf16), plain(Label::Utf16)]);
        assert_eq!(["utf_32", "UCS-4"].map(parse), [plain(Label::Utf32), plain(Label::Utf32)]);
        for (label, name, _) in Label::names() {
            assert_eq!((label.to_string().as_str(), parse(name)), (name, plain(label)));
        }
        let listed = "no encoding has this name; there are UTF-8, UTF-16, ";
        let similar = "no encoding has this name (`runecast convert -l` lists all names); did you mean ";
        for (names, beginning) in
            [(["", "replacement", "x//TRANSLIT"], listed), (["utf", "utf-7", "iso-8859-99"], similar)]
        {
            for name in names {
                let refused = parse(name).expect_err("no encoding has this name");
                assert!(refused.starts_with(beginning), "{refused}");
            }
        }
    }

    #[test]
    fn older_encodings_have_the_names_of_the_web_and_of_iconv() {
        for (expected, names) in [
            (encoding_rs::WINDOWS_1252, &["windows-1252", "cp1252", "CP1252", "MS-ANSI", "WINDOWS_1252"][..]),
            (encoding_rs::WINDOWS_1251, &["cp1251", "MS-CYRL", "x-cp1251"]),
            (encoding_rs::ISO_8859_15, &["ISO-8859-15", "latin-9", "8859_15", "ISO8859-15", "L9"]),
            (encoding_rs::ISO_8859_2, &["latin2", "8859_2", "ISO_8859-2:1987"]),
            (encoding_rs::KOI8_R, &["KOI8-R", "koi8r", "koi8"]),
            (encoding_rs::SHIFT_JIS, &["SJIS", "Shift-JIS", "shift_jis", "CP932", "ms_kanji"]),
            (encoding_rs::EUC_JP, &["EUC-JP", "EUCJP", "ujis"]),
            (encoding_rs::GBK, &["GBK", "GB2312", "EUC-CN", "CP936"]),
            (encoding_rs::GB18030, &["gb18030"]),
            (encoding_rs::BIG5, &["BIG5", "BIG-FIVE", "big5-hkscs"]),
            (encoding_rs::EUC_KR, &["EUC-KR", "euckr", "UHC", "cp949"]),
            (encoding_rs::IBM866, &["cp866", "866", "IBM866"]),
            (encoding_rs::WINDOWS_874, &["TIS-620", "cp874", "windows-874"]),
        ] {
            for name in names {
                assert_eq!(parse(name), Ok(Charset::Legacy(expected)), "{name}");
            }
        }
        for encoding in &LEGACY {
            assert_eq!(parse(encoding.name()), Ok(Charset::Legacy(encoding)), "{}", encoding.name());
        }
        for (name, there) in ICONV {
            assert_eq!(parse(name), parse(there), "{name}");
        }
        for name in WEB {
            let known = Encoding::for_label(name.as_bytes()).expect("a name of the web");
            assert_eq!(parse(name), Ok(Charset::Legacy(known)), "{name}");
        }
        for (charset, name) in [
            (encoding_rs::WINDOWS_1252, "cp1252"),
            (encoding_rs::ISO_8859_2, "latin2"),
            (encoding_rs::WINDOWS_1251, "cp1251"),
            (encoding_rs::GBK, "gb2312"),
            (encoding_rs::SHIFT_JIS, "cp932"),
            (encoding_rs::ISO_8859_8_I, "logical"),
        ] {
            assert!(further_names(Charset::Legacy(charset)).any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn a_slip_in_a_name_is_answered_with_the_name() {
        for (wrong, right) in [
            ("windows-1225", "windows-1252 or windows-1255"),
            ("widows-1251", "windows-1251"),
            ("Shift_JSI", "Shift_JIS"),
            ("utf-88", "UTF-8"),
            ("iso-8859-155", "ISO-8859-15"),
            ("latn1", "Latin-1"),
            ("latin-2x", "latin2"),
        ] {
            let refused = parse(wrong).expect_err("no encoding has this name");
            assert!(refused.ends_with(&format!("; did you mean {right}?")), "{refused}");
        }
        // These are the names of other encodings, and no slips.
        for name in ["cp850", "CP-437", "ibm852", "858"] {
            let refused = parse(name).expect_err("it is not here");
            let number = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            assert!(refused.ends_with(&format!("`iconv -f CP{number} -t UTF-8` converts it")), "{refused}");
        }
        let refused = parse("iso-2022-kr").expect_err("it is not here");
        assert!(parse("ebcdic").is_err_and(|why| why.ends_with("lists all names)")), "{refused}");
    }

    #[test]
    fn suffixes_of_iconv_are_understood() {
        let ascii = Charset::Unicode(Label::Exactly(Scheme::Ascii));
        let wanted = |omits, transliterates| Ok(Wanted { omits, transliterates, ..Wanted::exactly(ascii) });
        assert_eq!(["ascii", "ascii//"].map(parse_wanted), [wanted(false, false), wanted(false, false)]);
        assert_eq!(
            ["ascii//IGNORE", "us-ascii//ignore"].map(parse_wanted),
            [wanted(true, false), wanted(true, false)]
        );
        assert_eq!(parse_wanted("ascii//TRANSLIT"), wanted(false, true));
        assert_eq!(parse_wanted("ascii//TRANSLIT//IGNORE"), wanted(true, true));
        for (name, word) in [("x//IGNORE", "no encoding has"), ("ascii//X", "are //TRANSLIT and //IGNORE")] {
            let refused = parse_wanted(name).expect_err("a suffix that means nothing");
            assert!(refused.contains(word), "{refused}");
        }
    }

    #[test]
    fn suffixes_where_they_are_not_understood() {
        let refused = parse("us-ascii//TRANSLIT").expect_err("it has a suffix");
        assert_eq!(refused, "ASCII cannot have the suffix //TRANSLIT here; only `convert -t` accepts it");
    }

    #[test]
    fn names_of_encodings_with_a_mark() {
        use Scheme::*;
        for (name, scheme) in [
            ("utf-8-sig", Utf8),
            ("UTF-8-BOM", Utf8),
            ("utf8bom", Utf8),
            ("utf_8_sig", Utf8),
            ("UTF-16LE-BOM", Utf16Le),
            ("utf-32be-bom", Utf32Be),
        ] {
            let charset = Charset::Unicode(Label::Exactly(scheme));
            assert_eq!(parse_wanted(name), Ok(Wanted { marked: true, ..Wanted::exactly(charset) }), "{name}");
            let refused = parse_read(name).expect_err("there is --bom");
            assert!(refused.starts_with(&format!("that is {scheme} with a byte order mark")), "{refused}");
        }
        assert!(parse_wanted("utf-16-bom").is_ok_and(|wanted| wanted.marked));
        for name in ["latin1-bom", "ascii-sig", "windows-1252-bom", "bom", "-sig", ""] {
            assert!(
                parse_wanted(name).is_err_and(|why| why.starts_with("no encoding has this name")),
                "{name}"
            );
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
