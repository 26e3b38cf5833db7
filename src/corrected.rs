//! Corrected UTF-8 as files have it: the magic number, the control characters that it does not have, and
//! those that a text should not have.
//!
//! The encoding itself is [`CorrectedUtf8`], for [`transcode`](crate::convert()) and all other functions.
//! What is here is about whole documents, and is asked for by name: no conversion looks for the
//! magic number, adds it or takes it away, for it is not part of the text.
//!
//! ```
//! use runecast::{CorrectedUtf8, Utf8, corrected, transcode_to_vec};
//!
//! let mut file = corrected::MAGIC.to_vec();
//! file.extend(transcode_to_vec::<Utf8, CorrectedUtf8>("rúna\n".as_bytes())?);
//!
//! let text = corrected::strip_magic(&file).unwrap_or(&file);
//! assert_eq!(transcode_to_vec::<CorrectedUtf8, Utf8>(text)?, "rúna\n".as_bytes());
//! assert!(corrected::lint(text).next().is_none());
//! # Ok::<(), runecast::TranscodeError>(())
//! ```

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

#[cfg(all(doc, not(feature = "alloc")))]
use crate::kernel::dispatch;
#[cfg(feature = "alloc")]
use crate::kernel::{Engine, dispatch};

/// The magic number, by which a file says that its text is Corrected UTF-8: U+10E7D U+ED4E U+0000 U+000A
/// in it. A file should begin with it; a string that is known to be Corrected UTF-8 need not.
pub const MAGIC: [u8; 8] = *b"\xEF\xB7\x9D\xED\xB2\xAE\x00\x0A";

/// Whether `bytes` begin with the magic number.
#[must_use]
#[inline]
pub fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// What is behind the magic number, if `bytes` begin with it.
#[must_use]
#[inline]
pub fn strip_magic(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(&MAGIC)
}

/// A file with this text, in Corrected UTF-8: the magic number and the text.
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn with_magic(text: &[u8]) -> Vec<u8> {
    [&MAGIC, text].concat()
}

/// How many bytes at the start of `bytes` still belong to a reserved sequence that has begun before them: all up
/// to the next recognised lead byte.
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

/// What a text in Corrected UTF-8 must not or should not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lint {
    /// U+0000: it must not be in a text, for many programs take it for the end.
    Nul,
    /// U+000D: lines end with U+000A alone.
    CarriageReturn,
    /// Another of the controls U+0001..U+001F but U+000A, or U+007F.
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

/// A place where a [`Lint`] applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Finding {
    /// The offset of the character; that of the end, if a newline is missing there.
    pub at: usize,
    /// What there is.
    pub lint: Lint,
}

/// All that the specification says a text must not or should not have, in order. The magic number is not
/// part of the text: see [`strip_magic`].
///
/// What is ill-formed is passed over. An empty text has no last character, and nothing is missing.
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
    /// Whether nothing is left to be said of the end.
    newline: bool,
}

/// What begins here, if it is worth a finding.
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
        // Which bytes may begin something: few enough that most blocks have none.
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

/// A place in the private use area for the C1 controls U+0080..U+009F, which Corrected UTF-8 does not have:
/// 32 code points, chosen by who needs them.
///
/// ```
/// use runecast::{CorrectedUtf8, Utf8, corrected::Controls, transcode_to_vec};
///
/// let controls = Controls::at('\u{F780}').expect("private use");
/// let old = "next\u{85}line";
/// let hidden = controls.hide(old).expect("a text without U+F780..U+F79F");
/// assert_eq!(hidden, "next\u{F785}line");
/// assert!(transcode_to_vec::<Utf8, CorrectedUtf8>(hidden.as_bytes()).is_ok());
/// assert_eq!(controls.show(&hidden), old);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Controls {
    first: u32,
}

/// Code points of the C1 controls.
#[cfg(feature = "alloc")]
const C1: core::ops::Range<u32> = 0x80..0xA0;

impl Controls {
    /// In the 32 code points from `first` on, which stands for U+0080; `None` if they are not all for private use.
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

    /// The character in private use for a C1 control; any other character as it is.
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

    /// The C1 control for a character in this place; any other character as it is.
    #[must_use]
    #[inline]
    pub const fn shown(self, character: char) -> char {
        match (character as u32).wrapping_sub(self.first) {
            place @ 0..32 => match char::from_u32(0x80 + place) {
                Some(shown) => shown,
                None => character,
            },
            _ => character,
        }
    }

    /// The text with its C1 controls in this place; `None` if there is something in this place
    /// already, which could not be told from them. A text without C1 controls is borrowed.
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn hide(self, text: &str) -> Option<Cow<'_, str>> {
        let taken = |character: char| self.shown(character) != character;
        // C1 controls are C2 80..9F in UTF-8.
        if dispatch::validate::ascii_prefix(Engine::current(), text.as_bytes()) == text.len() {
            return Some(Cow::Borrowed(text));
        }
        if text.chars().any(taken) {
            return None;
        }
        if !text.chars().any(|character| C1.contains(&character.into())) {
            return Some(Cow::Borrowed(text));
        }
        Some(Cow::Owned(text.chars().map(|character| self.hidden(character)).collect()))
    }

    /// The text with what is in this place as C1 controls: the inverse of [`hide`](Controls::hide).
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn show(self, text: &str) -> String {
        text.chars().map(|character| self.shown(character)).collect()
    }
}
