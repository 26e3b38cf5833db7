//! The evidence behind a detection, in numbers and in words.
//!
//! A guess that cannot be checked is worth little. So every answer reports what was counted and where, and its sentence
//! contains the numbers: a reader who knows more can judge the guess.

use core::fmt;

use crate::dynamic::Scheme;

/// What a [`Detection`](super::Detection) is based on.
///
/// `Display` writes a sentence without a capital letter or a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// There are no bytes at all.
    Empty,
    /// The bytes begin with the byte order mark of this scheme.
    Mark(Scheme),
    /// The bytes begin with the magic number of Corrected UTF-8.
    Magic,
    /// All bytes are ASCII.
    Ascii {
        /// How many there are.
        bytes: u64,
        /// Whether the text is complete.
        whole: bool,
    },
    /// All bytes are well-formed UTF-8.
    Utf8 {
        /// Characters of more than one byte.
        sequences: u64,
        /// Whether the text is complete.
        whole: bool,
    },
    /// Read as this scheme, the first bytes are characters of plausible text.
    Units {
        /// The scheme.
        scheme: Scheme,
        /// Code units that were evaluated.
        units: u32,
        /// Of these, those that are plausible in text.
        plausible: u32,
        /// Of the plausible ones, those that are rare in other data: letters of alphabets, punctuation, spaces.
        telling: u32,
        /// Whether the other byte order is plausible as well.
        rival: bool,
    },
    /// There are single bytes above 7F among ASCII, as in Latin-1 and similar encodings.
    SingleBytes {
        /// Bytes above 7F that are not part of UTF-8.
        high: u64,
        /// Of these, those that are letters in Latin-1.
        letters: u64,
        /// Of these, those in 80..9F: quotes and dashes in windows-1252, control characters in Latin-1.
        windows: u64,
    },
    /// There is UTF-8, and there are single bytes as in Latin-1 and similar encodings.
    TwoEncodings {
        /// Characters of more than one byte.
        sequences: u64,
        /// Ill-formed sequences.
        ill_formed: u64,
        /// The offset of the first of them.
        first: u64,
    },
    /// There is UTF-8, and there are ill-formed sequences that do not look like another encoding.
    Damage {
        /// Characters of more than one byte.
        sequences: u64,
        /// Ill-formed sequences.
        ill_formed: u64,
        /// The offset of the first of them.
        first: u64,
    },
    /// There are NUL bytes, and the bytes are not UTF-16 or UTF-32.
    Nul {
        /// How many.
        count: u64,
        /// The offset of the first.
        first: u64,
    },
    /// There are more control characters than text has.
    Controls {
        /// How many.
        count: u64,
        /// Among so many bytes.
        bytes: u64,
    },
    /// There are bytes above 7F that are neither UTF-8 nor like Latin-1.
    Foreign {
        /// Ill-formed sequences.
        ill_formed: u64,
        /// The offset of the first of them.
        first: u64,
    },
}

impl Evidence {
    /// A short name for lists and logs: lower case, words separated by spaces.
    #[must_use]
    #[inline]
    pub const fn name(&self) -> &'static str {
        match self {
            Evidence::Empty => "empty",
            Evidence::Mark(_) => "byte order mark",
            Evidence::Magic => "magic number",
            Evidence::Ascii { .. } => "ascii",
            Evidence::Utf8 { .. } => "well-formed",
            Evidence::Units { .. } => "plausible units",
            Evidence::SingleBytes { .. } => "single bytes",
            Evidence::TwoEncodings { .. } => "two encodings",
            Evidence::Damage { .. } => "damage",
            Evidence::Nul { .. } => "nul bytes",
            Evidence::Controls { .. } => "control characters",
            Evidence::Foreign { .. } => "foreign bytes",
        }
    }
}

/// A number, and what it counts: one, and several.
struct Counted(u64, &'static str, &'static str);

impl fmt::Display for Counted {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { self.1 } else { self.2 })
    }
}

#[inline]
fn sequences(count: u64) -> Counted {
    Counted(count, "multi-byte character", "multi-byte characters")
}

#[inline]
fn ill(count: u64) -> Counted {
    Counted(count, "ill-formed sequence", "ill-formed sequences")
}

impl fmt::Display for Evidence {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Evidence::Empty => f.write_str("there are no bytes"),
            Evidence::Mark(scheme) => {
                f.write_str("it begins with the byte order mark")?;
                scheme.mark().iter().try_for_each(|byte| write!(f, " {byte:02X}"))
            }
            Evidence::Magic => f.write_str("it begins with the magic number of Corrected UTF-8"),
            Evidence::Ascii { bytes, whole } => {
                let extent = if whole { "all of it" } else { "so far" };
                write!(f, "{} below 80, {extent}", Counted(bytes, "byte", "bytes"))
            }
            Evidence::Utf8 { sequences: count, whole } => {
                let extent = if whole { "nothing ill-formed" } else { "nothing ill-formed so far" };
                write!(f, "{}, {extent}", sequences(count))
            }
            Evidence::Units { units, plausible, telling, rival, .. } => {
                let units = Counted(units.into(), "code unit", "code units");
                write!(f, "{plausible} of {units} plausible, {telling} telling")?;
                f.write_str(if rival { "; the other byte order would do as well" } else { "" })
            }
            Evidence::SingleBytes { high, letters, windows } => {
                let high = Counted(high, "single byte", "single bytes");
                write!(f, "{high} above 7F, {letters} of them letters in Latin-1")?;
                match windows {
                    0 => Ok(()),
                    _ => write!(f, ", and {windows} in 80..9F, as in windows-1252"),
                }
            }
            Evidence::TwoEncodings { sequences: count, ill_formed, first } => {
                let (good, bad) = (sequences(count), ill(ill_formed));
                write!(f, "{good} of UTF-8, and {bad} as in Latin-1, the first at byte {first}")
            }
            Evidence::Damage { sequences: count, ill_formed, first } => {
                let (good, bad) = (sequences(count), ill(ill_formed));
                write!(f, "{good} of UTF-8, and {bad}, the first at byte {first}")
            }
            Evidence::Nul { count, first } => {
                write!(f, "{}, the first at byte {first}", Counted(count, "NUL byte", "NUL bytes"))
            }
            Evidence::Controls { count, bytes } => {
                let controls = Counted(count, "control character", "control characters");
                write!(f, "{controls} in {}", Counted(bytes, "byte", "bytes"))
            }
            Evidence::Foreign { ill_formed, first } => {
                write!(f, "not UTF-8 ({}, the first at byte {first}), ", ill(ill_formed))?;
                f.write_str("and the bytes above 7F do not lie as in Latin-1")
            }
        }
    }
}
