//! Why a conversion stopped.

use core::fmt;

use crate::convert::lossy::LossyState;
use crate::unicode::IllFormed;

/// Why a conversion stopped before the end of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The input is ill-formed.
    IllFormed(IllFormed),
    /// The target encoding has no form for a character; Latin-1 and ASCII have few characters.
    Unrepresentable {
        /// The offset of the character, in code units of the source.
        at: usize,
        /// The character.
        character: char,
    },
    /// The target encoding has no form for a code point that is not a character: a surrogate, or one above U+10FFFF.
    UnrepresentableCodePoint {
        /// The offset of the code point, in code units of the source.
        at: usize,
        /// The code point.
        code_point: u32,
    },
    /// The next character does not fit into what is left of the output.
    OutputFull,
}

impl Reason {
    /// The same reason in a longer text, in which the converted part begins at `offset`.
    #[cfg(feature = "dynamic")]
    #[inline]
    pub(crate) fn behind(self, offset: usize) -> Reason {
        match self {
            Reason::IllFormed(error) => Reason::IllFormed(error.behind(offset as u64)),
            Reason::Unrepresentable { at, character } => {
                Reason::Unrepresentable { at: offset.saturating_add(at), character }
            }
            Reason::UnrepresentableCodePoint { at, code_point } => {
                Reason::UnrepresentableCodePoint { at: offset.saturating_add(at), code_point }
            }
            Reason::OutputFull => self,
        }
    }
}

/// The error of a conversion that stopped early. Everything before that point has been converted, and stays in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TranscodeError {
    /// Code units of the source that were converted. The rest begins with the character or sequence at which the conversion
    /// stopped. (A stream has passed over that: see [`push_to_vec`](crate::Transcoder::push_to_vec). In the errors of readers and
    /// writers this and `written` are 0.)
    pub read: usize,
    /// Code units of the target that were written: whole characters always.
    pub written: usize,
    /// How many replacements are among what was written, by a policy, and where the first was, in code units of the source. (A stream
    /// counts them in its steps.)
    pub replaced: usize,
    /// See [`replaced`](Self::replaced).
    pub first: Option<usize>,
    /// Why the conversion stopped.
    pub reason: Reason,
}

impl TranscodeError {
    /// That of a conversion that replaces nothing.
    #[inline]
    pub(crate) fn strict(read: usize, written: usize, reason: Reason) -> TranscodeError {
        TranscodeError { read, written, replaced: 0, first: None, reason }
    }

    /// That of a conversion for which there was no room.
    #[inline]
    pub(crate) fn full(written: usize, state: &LossyState) -> TranscodeError {
        let LossyState { read, replaced, first, .. } = *state;
        TranscodeError { read, written, replaced, first, reason: Reason::OutputFull }
    }
}

impl fmt::Display for Reason {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::IllFormed(error) => error.fmt(f),
            Reason::Unrepresentable { at, character } => write!(
                f,
                "at offset {at}: the target encoding has no form for U+{:04X} ({})",
                u32::from(character),
                character.escape_debug()
            ),
            Reason::UnrepresentableCodePoint { at, code_point } => write!(
                f,
                "at offset {at}: the target encoding has no form for U+{code_point:04X}, which is no character"
            ),
            Reason::OutputFull => f.write_str("the output is full"),
        }
    }
}

impl fmt::Display for TranscodeError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::OutputFull => write!(
                f,
                "the output is full after {} units, with {} of the input converted",
                self.written, self.read
            ),
            reason => reason.fmt(f),
        }
    }
}

impl core::error::Error for Reason {}

impl core::error::Error for TranscodeError {}
