//! Files in Corrected UTF-8: the magic number, the control characters that the encoding lacks, and those that a text should not have.
//!
//! The encoding itself is [`CorrectedUtf8`](crate::CorrectedUtf8), for [`transcode`](crate::transcode()) and all other
//! functions. This module is about whole documents. No conversion looks for the magic number, adds it or removes it, because it
//! is not part of the text.
//!
//! ```
//! use runecast::{CorrectedUtf8, corrected, validate};
//!
//! let file = b"\xEF\xB7\x9D\xED\xB2\xAE\x00\x0Arune\n";
//! assert!(corrected::has_magic(file));
//!
//! let text = corrected::strip_magic(file).unwrap_or(file);
//! assert!(validate::<CorrectedUtf8>(text).is_ok());
//! assert!(corrected::lint(text).next().is_none());
//! ```

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

#[cfg(feature = "alloc")]
use crate::kernel::{Engine, dispatch};

/// The magic number of a file whose text is Corrected UTF-8: U+10E7D U+ED4E U+0000 U+000A. A file should begin with it; a
/// string that is known to be Corrected UTF-8 need not.
pub const MAGIC: [u8; 8] = *b"\xEF\xB7\x9D\xED\xB2\xAE\x00\x0A";

/// Whether `bytes` begin with the magic number.
#[must_use]
#[inline]
pub fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The text after the magic number, if `bytes` begin with it.
#[must_use]
#[inline]
pub fn strip_magic(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(&MAGIC)
}

/// The contents of a file with `text`, which is Corrected UTF-8: the magic number and the text.
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn with_magic(text: &[u8]) -> Vec<u8> {
    [&MAGIC, text].concat()
}

/// How many bytes at the start of `bytes` still belong to a reserved sequence that began before them: all up to the next
/// recognised lead byte.
///
/// ```
/// use runecast::corrected::reserved_rest;
///
/// assert_eq!(reserved_rest(b"\x80\xFF\x80text"), 3);
/// assert_eq!(reserved_rest(b"text"), 0);
/// ```
#[must_use]
#[inline]
pub fn reserved_rest(bytes: &[u8]) -> usize {
    crate::unicode::codec::corrected::reserved_continuation(bytes)
}

/// A character that a text in Corrected UTF-8 must not or should not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lint {
    /// U+0000: it must not be in a text, because many programs take it for the end.
    Nul,
    /// U+000D: lines end with U+000A alone.
    CarriageReturn,
    /// Another control character: U+0001..U+001F except U+000A, or U+007F.
    Control,
    /// U+2028: lines end with U+000A.
    LineSeparator,
    /// U+2029.
    ParagraphSeparator,
    /// The last character of the text is not U+000A.
    NoFinalNewline,
}

impl Lint {
    /// Whether the specification says "must not", and not just "should not".
    #[must_use]
    #[inline]
    pub const fn is_forbidden(self) -> bool {
        matches!(self, Lint::Nul)
    }

    /// A short name for lists and logs.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Lint::Nul => "U+0000",
            Lint::CarriageReturn => "carriage return",
            Lint::Control => "control character",
            Lint::LineSeparator => "line separator",
            Lint::ParagraphSeparator => "paragraph separator",
            Lint::NoFinalNewline => "no newline at the end",
        }
    }
}

impl fmt::Display for Lint {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A [`Lint`], and where it applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Finding {
    /// The offset of the character; or of the end, if a newline is missing there.
    pub at: usize,
    /// What was found.
    pub lint: Lint,
}

/// All characters that by the specification a text must not or should not have, from the first to the last; and U+007F, which the
/// specification does not name, but which is a control character as well. The magic number is not part of the text: see
/// [`strip_magic`].
///
/// Ill-formed sequences are ignored, but for one behind the last newline: that is then not at the end. An empty text has no last
/// character, so that no newline is missing.
///
/// ```
/// use runecast::corrected::{Lint, lint};
///
/// let found: Vec<_> = lint(b"a\tb\r\nc").map(|finding| (finding.at, finding.lint)).collect();
/// assert_eq!(found, [(1, Lint::Control), (3, Lint::CarriageReturn), (6, Lint::NoFinalNewline)]);
/// ```
#[inline]
pub fn lint(text: &[u8]) -> Findings<'_> {
    Findings { text, at: 0, newline: text.is_empty() }
}

/// The iterator that [`lint`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing unless consumed"]
pub struct Findings<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether the end has been reported, or needs no report.
    newline: bool,
}

/// The lint for the character at the start of `rest`, if there is one.
#[inline]
fn found(rest: &[u8]) -> Option<Lint> {
    match *rest {
        [0x00, ..] => Some(Lint::Nul),
        [b'\r', ..] => Some(Lint::CarriageReturn),
        [b'\n', ..] => None,
        [0x01..=0x1F | 0x7F, ..] => Some(Lint::Control),
        // 2028 - 8A0 is 1788: 0001, 011110, 001000.
        [0xE1, 0x9E, 0x88, ..] => Some(Lint::LineSeparator),
        [0xE1, 0x9E, 0x89, ..] => Some(Lint::ParagraphSeparator),
        _ => None,
    }
}

impl Iterator for Findings<'_> {
    type Item = Finding;

    #[inline]
    fn next(&mut self) -> Option<Finding> {
        const BLOCK: usize = 64;
        // The bytes that may begin a finding: few enough that most blocks have none.
        let suspect = |byte: u8| (byte < 0x20) & (byte != b'\n') | (byte == 0x7F) | (byte == 0xE1);
        while self.at < self.text.len() {
            if let Some(block) = self.text[self.at..].first_chunk::<BLOCK>()
                && !block.iter().fold(false, |any, byte| any | suspect(*byte))
            {
                self.at += BLOCK;
                continue;
            }
            let end = self.text.len().min(self.at + BLOCK);
            for at in self.at..end {
                if let Some(lint) = found(&self.text[at..]) {
                    self.at = at + 1;
                    return Some(Finding { at, lint });
                }
            }
            self.at = end;
        }
        if self.newline || self.text.ends_with(b"\n") {
            return None;
        }
        self.newline = true;
        Some(Finding { at: self.text.len(), lint: Lint::NoFinalNewline })
    }
}

impl core::iter::FusedIterator for Findings<'_> {}

/// A range of 32 private-use code points that stand for the C1 controls U+0080..U+009F, which Corrected UTF-8 cannot
/// represent. The caller chooses which.
///
/// ```
/// use runecast::corrected::Controls;
///
/// let controls = Controls::at('\u{F780}').expect("private use");
/// assert_eq!(controls.hidden('\u{85}'), '\u{F785}');
/// assert_eq!(controls.shown('\u{F785}'), '\u{85}');
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Controls {
    first: u32,
}

/// Code points of the C1 controls.
#[cfg(feature = "alloc")]
const C1: core::ops::Range<u32> = 0x80..0xA0;

impl Controls {
    /// The 32 code points from `first` on, which stands for U+0080; `None` if they are not all for private use.
    #[must_use]
    #[inline]
    pub const fn at(first: char) -> Option<Controls> {
        let first = first as u32;
        match (first, first.saturating_add(31)) {
            (0xE000.., ..=0xF8FF) | (0xF_0000.., ..=0xF_FFFD) | (0x10_0000.., ..=0x10_FFFD) => {
                Some(Controls { first })
            }
            _ => None,
        }
    }

    /// The private-use character for a C1 control; any other character as it is.
    #[must_use]
    #[inline]
    pub const fn hidden(self, character: char) -> char {
        let point = character as u32;
        match point {
            0x80..0xA0 => match char::from_u32(self.first + point - 0x80) {
                Some(hidden) => hidden,
                None => character,
            },
            _ => character,
        }
    }

    /// The C1 control for a character of this range; any other character as it is.
    #[must_use]
    #[inline]
    pub const fn shown(self, character: char) -> char {
        match (character as u32).wrapping_sub(self.first) {
            index @ 0..32 => match char::from_u32(0x80 + index) {
                Some(shown) => shown,
                None => character,
            },
            _ => character,
        }
    }

    /// The text with its C1 controls replaced by characters of this range; `None` if it has characters of this range already,
    /// which could not be told from them. A text without C1 controls is borrowed.
    ///
    /// ```
    /// use runecast::{CorrectedUtf8, Utf8, corrected::Controls, transcode_to_vec};
    ///
    /// let controls = Controls::at('\u{F780}').expect("private use");
    /// let hidden = controls.hide("next\u{85}line").expect("a text without U+F780..U+F79F");
    /// assert_eq!(hidden, "next\u{F785}line");
    /// assert!(transcode_to_vec::<Utf8, CorrectedUtf8>(hidden.as_bytes()).is_ok());
    /// assert_eq!(controls.show(&hidden), "next\u{85}line");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn hide(self, text: &str) -> Option<Cow<'_, str>> {
        let in_range = |character: char| self.shown(character) != character;
        // C1 controls are C2 80..9F in UTF-8.
        if dispatch::validate::ascii_prefix(Engine::current(), text.as_bytes()) == text.len() {
            return Some(Cow::Borrowed(text));
        }
        if text.chars().any(in_range) {
            return None;
        }
        if !text.chars().any(|character| C1.contains(&character.into())) {
            return Some(Cow::Borrowed(text));
        }
        Some(Cow::Owned(text.chars().map(|character| self.hidden(character)).collect()))
    }

    /// The text with characters of this range replaced by C1 controls: the inverse of [`hide`](Controls::hide).
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn show(self, text: &str) -> String {
        text.chars().map(|character| self.shown(character)).collect()
    }
}
