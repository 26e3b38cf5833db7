//! How seven families of software replace ill-formed UTF-8: how many U+FFFD they write, and for which bytes.
//!
//! All seven agree on what is well-formed, with two exceptions that are stated below; they differ in how many bytes one U+FFFD stands
//! for. So a behaviour is a rule for the bytes at the start of a rest that the codec of UTF-8 has rejected. It was first written down
//! from what these programs did with the sequences of Henri Sivonen's survey "Broken UTF-8", and holds for all of them and for some
//! thirty thousand shorter strings, on which the programs were run.
//!
//! Three terms suffice. The *announced* length of a sequence is what its lead byte says, as that program reads it: 2 for C2..DF, 3 for
//! E0..EF, 4 for F0..F4, and in some programs also 4 for F5..F7, 5 for F8..FB and 6 for FC..FD, as in RFC 2279. Its *run* is the lead
//! byte with the continuation bytes after it, as many as are there and announced. Its *maximal subpart* is the part of the run up to
//! which it could still have become a character (Unicode 3.9).

use crate::convert::Policy;
use crate::unicode::Utf8;
use crate::unicode::codec::incomplete;

/// How many U+FFFD are written for ill-formed UTF-8: the behaviours that are in use, by name.
///
/// The numbers in parentheses are the numbers of U+FFFD for `F0 80 80 80`, `ED A0 80`, `F4 90 80 80`, `FB BF BF BF BF`, and for
/// `F0 9F 92` at the end: an overlong form, a surrogate, a code point above the maximum, a form of five bytes, and an incomplete one.
/// For UTF-16 and UTF-32 all agree: each unpaired surrogate, each unit out of range, and a part of a unit at the end is one U+FFFD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Replacement {
    /// One for each maximal subpart of an ill-formed subsequence, as Unicode 3.9 ("U+FFFD Substitution of Maximal Subparts")
    /// recommends and the WHATWG Encoding Standard requires: Rust, Firefox, Chrome, Python 3, Ruby (4, 3, 4, 5, 1).
    #[default]
    Whatwg,
    /// One for each byte that is not part of a character: Go, and old versions of Edge, Internet Explorer and Safari
    /// (4, 3, 4, 5, 3).
    PerByte,
    /// As [`Whatwg`](Self::Whatwg), but a second byte that is a continuation byte belongs to its lead
    /// even where it is out of range (after E0, ED, F0, F4): `MultiByteToWideChar` of Windows 10
    /// 1607, and .NET Framework (3, 2, 3, 5, 1).
    Win32,
    /// As [`Whatwg`](Self::Whatwg), but one for the three bytes of a surrogate, and for a truncated surrogate: OpenJDK 8
    /// (4, 1, 4, 5, 1).
    OpenJdk8,
    /// One for the lead byte and all continuation bytes of its run but the last announced one: Python 2.7. The lead bytes are
    /// C2..F4. **A surrogate is decoded, not replaced** (2, 0, 2, 5, 1): a target of
    /// 16- or 32-bit units receives that surrogate as a unit, so that its text may be ill-formed, and
    /// two of them in UTF-16 may form a pair; any other target receives one U+FFFD for it, and that
    /// counts as a replacement.
    Python2,
    /// One for each byte, but one for a whole sequence that is wrong only in its code point: a surrogate, or above U+10FFFF in four
    /// to six bytes as in RFC 2279, and in Perl's own forms of seven bytes (from FE) and thirteen (from FF); these must be the
    /// shortest form. **Noncharacters are replaced too**: Perl 5.22's Encode, with its encoding "UTF-8" (4, 1, 1, 1, 3).
    Perl5,
    /// One for each run, by its lead byte C0..FD as in RFC 2279, whatever is wrong with it: ICU 55, as document UTC 151-C19 words it
    /// (1, 1, 1, 1, 1).
    Icu55,
}

/// What a behaviour does with the bytes at the start of a rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It replaces so many bytes.
    Replaced(usize),
    /// It decodes so many bytes as a surrogate.
    Surrogate(u32, usize),
}

impl Replacement {
    /// All of them.
    pub const ALL: [Replacement; 7] = [
        Replacement::Whatwg,
        Replacement::PerByte,
        Replacement::Win32,
        Replacement::OpenJdk8,
        Replacement::Python2,
        Replacement::Perl5,
        Replacement::Icu55,
    ];

    /// The name on a command line: `"whatwg"`, `"per-byte"`, `"win32"`, `"openjdk8"`, `"python2"`,
    /// `"perl5"`, `"icu55"`.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Replacement::Whatwg => "whatwg",
            Replacement::PerByte => "per-byte",
            Replacement::Win32 => "win32",
            Replacement::OpenJdk8 => "openjdk8",
            Replacement::Python2 => "python2",
            Replacement::Perl5 => "perl5",
            Replacement::Icu55 => "icu55",
        }
    }

    /// How many bytes at the end of `bytes` have to wait if more text will follow, because their repair may depend on it. At most 3,
    /// but 5 for [`Icu55`](Self::Icu55) and 12 for [`Perl5`](Self::Perl5).
    ///
    /// So a text can be repaired in chunks, with the same result as at once: remove these bytes from each chunk but the last, and
    /// put them in front of the next one.
    ///
    /// No byte waits of which it is known already what becomes of it: after E0 80, which no byte can complete, two U+FFFD are
    /// certain. For other policies and encodings see [`Policy::incomplete_suffix`](crate::Policy::incomplete_suffix). Nothing is
    /// allocated; it never panics.
    ///
    /// ```
    /// use runecast::Replacement;
    ///
    /// let bytes = b"caf\xE9\xBF \xFB\xBF\xBF";
    /// assert_eq!(Replacement::Whatwg.incomplete_suffix(&bytes[..5]), 2); // a third byte may complete it
    /// assert_eq!(Replacement::Whatwg.incomplete_suffix(bytes), 0);
    /// assert_eq!(Replacement::Icu55.incomplete_suffix(bytes), 3); // FB begins a form of five bytes there
    /// ```
    #[must_use]
    #[inline]
    pub fn incomplete_suffix(self, bytes: &[u8]) -> usize {
        Policy::Replace(self).incomplete_suffix::<Utf8>(bytes)
    }

    /// The length of the suffix from the last lead byte on, if that announces more bytes than there are.
    #[inline]
    pub(super) fn open_suffix(self, bytes: &[u8]) -> usize {
        match self {
            Replacement::Perl5 => incomplete::from_last_lead(bytes, 13, |lead| match lead {
                0xFE => 7,
                0xFF => 13,
                _ => announced(&[lead]),
            }),
            Replacement::Icu55 => incomplete::from_last_lead(bytes, 6, |lead| announced(&[lead])),
            _ => incomplete::of_utf8(bytes),
        }
    }

    /// What is done at the start of `rest`, which the codec of UTF-8 rejects with a maximal subpart of `subpart` bytes.
    pub(crate) fn answer(self, rest: &[u8], subpart: usize) -> Answer {
        self.answer_inline(rest, subpart)
    }

    /// The same, for a loop in which it is known which behaviour this is.
    #[inline(always)]
    pub(crate) fn answer_inline(self, rest: &[u8], subpart: usize) -> Answer {
        Answer::Replaced(match (self, rest) {
            (Replacement::Whatwg, _) => subpart,
            (Replacement::PerByte, _) => 1,
            (Replacement::Win32, [0xE0 | 0xED | 0xF0 | 0xF4, 0x80..=0xBF, ..]) => subpart.max(2),
            (Replacement::Win32, _) => subpart,
            (Replacement::OpenJdk8, [0xED, 0xA0..=0xBF, ..]) => run(rest, 3),
            (Replacement::OpenJdk8, _) => subpart,
            (Replacement::Python2, [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..]) => {
                let low = u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F);
                return Answer::Surrogate(0xD000 | low, 3);
            }
            (Replacement::Python2, [0xC2..=0xF4, ..]) => run(rest, announced(rest) - 1),
            (Replacement::Python2, _) => 1,
            (Replacement::Perl5, _) => match perl_form(rest) {
                PerlForm::Whole(len) => len,
                PerlForm::Open | PerlForm::None => 1,
            },
            (Replacement::Icu55, [0xC0..=0xFD, ..]) => run(rest, announced(rest)),
            (Replacement::Icu55, _) => 1,
        })
    }

    /// How many bytes at the start of `rest` are replaced as one, if that is the same whatever follows `rest`. The codec of UTF-8
    /// rejects it, with a maximal subpart of `subpart` bytes.
    pub(super) fn decided(self, rest: &[u8], subpart: usize) -> Option<usize> {
        if matches!(self, Replacement::Perl5) && matches!(perl_form(rest), PerlForm::Open) {
            return None;
        }
        // All others replace a run of continuation bytes up to a length: so what follows matters if any of these do.
        let mut longer = [0x80; 32];
        let known = rest.len().min(16);
        longer[..known].copy_from_slice(&rest[..known]);
        match self.answer(rest, subpart) {
            Answer::Replaced(len) if self.answer(&longer, subpart) == Answer::Replaced(len) => Some(len),
            _ => None,
        }
    }

    /// Whether the bytes at the start of `rest`, which the codec of UTF-8 rejects, may be decoded as a surrogate.
    #[inline]
    pub(super) const fn may_decode(self, rest: &[u8]) -> bool {
        matches!((self, rest), (Replacement::Python2, [0xED, ..]))
    }

    /// Whether a well-formed character is replaced.
    #[inline]
    pub(crate) const fn rejects(self, scalar: u32) -> bool {
        let noncharacter = scalar & 0xFFFE == 0xFFFE || (scalar >= 0xFDD0 && scalar <= 0xFDEF);
        matches!(self, Replacement::Perl5) && noncharacter
    }
}

impl core::fmt::Display for Replacement {
    #[inline]
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a [`Replacement`]: no behaviour has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownReplacement;

impl core::fmt::Display for UnknownReplacement {
    #[inline]
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no such behaviour; there are ")?;
        for (index, replacement) in Replacement::ALL.iter().enumerate() {
            write!(f, "{}{replacement}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownReplacement {}

impl core::str::FromStr for Replacement {
    type Err = UnknownReplacement;

    #[inline]
    fn from_str(name: &str) -> Result<Replacement, UnknownReplacement> {
        Replacement::ALL
            .into_iter()
            .find(|replacement| replacement.name().eq_ignore_ascii_case(name))
            .ok_or(UnknownReplacement)
    }
}

/// Whether a byte can only continue a character.
#[inline]
const fn is_continuation(byte: u8) -> bool {
    matches!(byte, 0x80..=0xBF)
}

/// The length that the lead byte announces, as in RFC 2279; 1 for any other byte.
#[inline]
fn announced(rest: &[u8]) -> usize {
    match rest.first() {
        Some(0xC0..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF7) => 4,
        Some(0xF8..=0xFB) => 5,
        Some(0xFC..=0xFD) => 6,
        _ => 1,
    }
}

/// The length of the first byte and the continuation bytes after it, at most `most` bytes in all.
#[inline]
fn run(rest: &[u8], most: usize) -> usize {
    if let (Some(bytes), 1..8) = (rest.first_chunk(), most) {
        // The highest bit of each byte after the first that is not a continuation byte. (A branch for each took four times as long.)
        let after = u64::from_le_bytes(*bytes) >> 8;
        let others = !(after & !(after << 1)) & 0x8080_8080_8080_8080;
        return most.min(1 + others.trailing_zeros() as usize / 8);
    }
    let after = rest.iter().take(most).skip(1);
    1 + after.take_while(|byte| is_continuation(**byte)).count()
}

/// What a sequence is in Perl, which has forms of up to thirteen bytes.
enum PerlForm {
    /// A form of so many bytes: complete, and the shortest of its value.
    Whole(usize),
    /// The beginning of one.
    Open,
    /// None of these.
    None,
}

/// What the sequence at the start of `rest` is.
fn perl_form(rest: &[u8]) -> PerlForm {
    // The length, the bits in the first byte, and the least value of that length.
    let (len, bits, least) = match rest {
        [first @ 0xC2..=0xDF, ..] => (2, first & 0x1F, 0x80),
        [first @ 0xE0..=0xEF, ..] => (3, first & 0x0F, 0x800),
        [first @ 0xF0..=0xF7, ..] => (4, first & 0x07, 0x1_0000),
        [first @ 0xF8..=0xFB, ..] => (5, first & 0x03, 0x20_0000),
        [first @ 0xFC..=0xFD, ..] => (6, first & 0x01, 0x400_0000),
        [0xFE, ..] => (7, 0, 1 << 31),
        [0xFF, ..] => (13, 0, 1 << 36),
        _ => return PerlForm::None,
    };
    let there = rest.len().min(len);
    let value = rest[1..there].iter().try_fold(u128::from(bits), |value, byte| {
        is_continuation(*byte).then_some(value << 6 | u128::from(byte & 0x3F))
    });
    let Some(value) = value else { return PerlForm::None };
    // The values that it may have, with the bytes that are not there.
    let open = 6 * (len - there);
    let (low, high) = (value << open, ((value + 1) << open) - 1);
    match high >= least && low <= u128::from(u64::MAX) {
        true if there == len => PerlForm::Whole(len),
        true => PerlForm::Open,
        false => PerlForm::None,
    }
}
