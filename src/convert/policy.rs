//! Policies: what is written where text is ill-formed.

use crate::encoding::{Encoding, Layout};
use crate::illformed::Kind;
use crate::machine::replacement::Replacement;
use crate::machine::{corrected, is_high};

/// What is written where text is ill-formed.
///
/// Functions take anything that becomes a policy: a [`Replacement`], a text, an [`Escape`].
///
/// ```
/// use runecast::{Escape, Policy, Replacement, Utf8, repair};
///
/// let bytes = b"caf\xE9 \xF0\x9F\xA6";
/// assert_eq!(repair::<Utf8>(bytes, Replacement::Whatwg), "caf\u{FFFD} \u{FFFD}");
/// assert_eq!(repair::<Utf8>(bytes, Replacement::PerByte), "caf\u{FFFD} \u{FFFD}\u{FFFD}\u{FFFD}");
/// assert_eq!(repair::<Utf8>(bytes, "<?>"), "caf<?> <?>");
/// assert_eq!(repair::<Utf8>(bytes, Escape::Backslash), r"caf\xE9 \xF0\x9F\xA6");
/// assert_eq!(repair::<Utf8>(bytes, Escape::Latin1), "café ð\u{9F}¦");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy<'a> {
    /// U+FFFD, as many as this behaviour writes.
    Replace(Replacement),
    /// This text, once for each maximal subpart of UTF-8 and each ill-formed unit of UTF-16 and UTF-32.
    With(&'a str),
    /// Every code unit in a form from which it can be told.
    Escape(Escape),
    /// Nothing. **This is a security hole** wherever the text is looked at before it is repaired: what
    /// is dropped may have kept two harmless pieces from joining into a harmful one.
    DropAtTheRiskOfJoining,
}

/// How ill-formed code units are escaped, so that nothing is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Escape {
    /// `\xE9` for each byte, as Python's `backslashreplace` but for the capital letters; for a unit of the forms UTF-16 and UTF-32
    /// `\uD800` or `\U00110000`. It can be told apart from the same characters in the text only where
    /// there are none.
    Backslash,
    /// The surrogate U+DC80..U+DCFF for each byte 80..FF of ill-formed UTF-8, as Python's
    /// `surrogateescape` (PEP 383), for targets of 16- or 32-bit units: their text is ill-formed then,
    /// and [`unescape_surrogates`](crate::unescape_surrogates) gives the bytes back. An unpaired
    /// surrogate of UTF-16 or UTF-32 stays what it is. What no such target can hold becomes U+FFFD.
    Surrogate,
    /// The character of Latin-1 for each byte of ill-formed UTF-8: for logs in which some lines are in
    /// that encoding. Ill-formed units of UTF-16 and UTF-32 become U+FFFD.
    Latin1,
    /// The same, by windows-1252: what the WHATWG calls latin1. The five bytes that it does not assign
    /// stand for the control characters of the same number.
    Windows1252,
}

impl Policy<'_> {
    /// How many units at the end of `src` have to wait if more will follow, since what is made of them
    /// may depend on it: [`Replacement::undecided`], for any policy and encoding. A piece without them
    /// is repaired as it would be in its place in the whole text.
    ///
    /// `src` has to begin where a unit of the encoding does.
    ///
    /// ```
    /// use runecast::{Escape, Policy, Utf8, Utf16, Utf16Le};
    ///
    /// let policy = Policy::from(Escape::Backslash);
    /// assert_eq!(policy.undecided::<Utf8>(b"a\xF0\x9F"), 2);
    /// assert_eq!(policy.undecided::<Utf16>(&[0x61, 0xD83E]), 1); // a high surrogate
    /// assert_eq!(policy.undecided::<Utf16Le>(b"a\0\x3E\xD8\xA8"), 3);
    /// ```
    #[must_use]
    pub fn undecided<S: Encoding>(self, src: &[S::Unit]) -> usize {
        let each = S::LAYOUT.unit() / size_of::<S::Unit>();
        match (S::LAYOUT, self) {
            (Layout::Ascii | Layout::Latin1, _) => 0,
            (Layout::Utf8, Policy::Replace(replacement)) => replacement.undecided(bytemuck::cast_slice(src)),
            (Layout::Utf8, _) => Replacement::Whatwg.undecided(bytemuck::cast_slice(src)),
            (Layout::CorrectedUtf8, _) => corrected::undecided(bytemuck::cast_slice(src)),
            _ if S::LAYOUT.has_leads() => {
                let bytes: &[u8] = bytemuck::cast_slice(src);
                let open = match bytes {
                    // The first of the two bytes of U+0000.
                    [.., 0xC0] if S::LAYOUT.hides_nul() => 1,
                    _ => Replacement::Whatwg.undecided(bytes),
                };
                // Behind a high surrogate there may be a low one, or the beginning of it.
                match bytes[..bytes.len() - open] {
                    [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF] if open < 3 => open + 3,
                    _ => open,
                }
            }
            _ => {
                let whole = src.len() / each * each;
                let last = &src[whole.saturating_sub(each)..];
                let waits = |last| match S::decode(last) {
                    // Where it is in order without another behind it.
                    Ok((point, _)) => is_high(point),
                    Err(fault) => fault.kind() == Kind::Incomplete,
                };
                if !last.is_empty() && waits(last) { last.len() } else { src.len() - whole }
            }
        }
    }

    /// Whether well-formed text may be replaced: the noncharacters, by [`Replacement::Perl5`]. For all
    /// other policies a text that [`validate`](crate::validate) passes is its own answer.
    #[must_use]
    pub const fn refuses_characters(self) -> bool {
        matches!(self, Policy::Replace(Replacement::Perl5))
    }
}

impl Default for Policy<'_> {
    fn default() -> Self {
        Policy::Replace(Replacement::Whatwg)
    }
}

impl From<Replacement> for Policy<'_> {
    fn from(replacement: Replacement) -> Self {
        Policy::Replace(replacement)
    }
}

impl<'a> From<&'a str> for Policy<'a> {
    fn from(text: &'a str) -> Self {
        Policy::With(text)
    }
}

impl From<Escape> for Policy<'_> {
    fn from(escape: Escape) -> Self {
        Policy::Escape(escape)
    }
}

impl Escape {
    /// All of them.
    pub const ALL: [Escape; 4] = [Escape::Backslash, Escape::Surrogate, Escape::Latin1, Escape::Windows1252];

    /// The name on a command line: `"backslash"`, `"surrogate"`, `"latin1"`, `"windows-1252"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Escape::Backslash => "backslash",
            Escape::Surrogate => "surrogate",
            Escape::Latin1 => "latin1",
            Escape::Windows1252 => "windows-1252",
        }
    }
}

/// The characters of windows-1252 for the bytes 80..9F, as the WHATWG Encoding Standard indexes them;
/// for all others it is Latin-1.
pub(super) const WINDOWS_1252: [u16; 32] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
];
