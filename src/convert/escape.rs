//! Escapes: what is written for ill-formed bytes so that they can be told, or brought back.

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

impl Escape {
    /// All of them.
    pub const ALL: [Escape; 4] = [Escape::Backslash, Escape::Surrogate, Escape::Latin1, Escape::Windows1252];

    /// The name on a command line: `"backslash"`, `"surrogate"`, `"latin1"`, `"windows-1252"`.
    #[must_use]
    #[inline]
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
