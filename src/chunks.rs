//! Ill-formed text in pieces: well-formed text, and the ill-formed sequences between.
//!
//! The pieces are those of `<[u8]>::utf8_chunks` of the standard library, at the speed of the kernels; and each chunk has its
//! error, so that a caller can tell ill-formed input from input that is merely truncated.

mod display;

use core::iter::FusedIterator;

use crate::text;
use crate::unicode::IllFormed;
use crate::validate::{IllFormedSequences, ill_formed};

pub use display::{DisplayLossy, display_lossy};

/// Splits `bytes` into pieces of well-formed UTF-8, each followed by one ill-formed sequence (a maximal subpart); the last
/// piece may be followed by none. All pieces and sequences together are `bytes`. Empty input has no chunk. It never panics,
/// and does not allocate.
///
/// ```
/// let mut chunks = runecast::utf8_chunks(b"ab\xFFc\xE2\x82");
///
/// let first = chunks.next().unwrap();
/// assert_eq!((first.valid(), first.invalid()), ("ab", &b"\xFF"[..]));
/// assert!(!first.incomplete());
///
/// let second = chunks.next().unwrap();
/// assert_eq!((second.valid(), second.invalid()), ("c", &b"\xE2\x82"[..]));
/// assert!(second.incomplete());
/// assert!(chunks.next().is_none());
/// ```
#[inline]
pub fn utf8_chunks(bytes: &[u8]) -> Utf8Chunks<'_> {
    Utf8Chunks { errors: ill_formed(bytes) }
}

/// A piece of well-formed text, and the ill-formed sequence after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf8Chunk<'a> {
    valid: &'a str,
    invalid: &'a [u8],
    error: Option<IllFormed>,
}

impl<'a> Utf8Chunk<'a> {
    /// The text before the ill-formed sequence. It may be empty.
    #[must_use]
    #[inline]
    pub const fn valid(&self) -> &'a str {
        self.valid
    }

    /// The ill-formed sequence: 1 to 3 bytes, or none if the input ends with the text of this chunk.
    #[must_use]
    #[inline]
    pub const fn invalid(&self) -> &'a [u8] {
        self.invalid
    }

    /// Whether the input ends in the middle of a character, which more input might complete.
    #[must_use]
    #[inline]
    pub fn incomplete(&self) -> bool {
        self.error.is_some_and(|error| error.is_incomplete())
    }

    /// Why [`invalid`](Self::invalid) is ill-formed, with its offset in the whole input.
    #[must_use]
    #[inline]
    pub const fn error(&self) -> Option<IllFormed> {
        self.error
    }
}

/// The iterator that [`utf8_chunks`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing unless consumed"]
pub struct Utf8Chunks<'a> {
    errors: IllFormedSequences<'a>,
}

impl<'a> Iterator for Utf8Chunks<'a> {
    type Item = Utf8Chunk<'a>;

    #[inline]
    fn next(&mut self) -> Option<Utf8Chunk<'a>> {
        let (valid, error) = text::text_until_next_error(&mut self.errors)?;
        let invalid = error.map_or(&[][..], |error| &self.errors.src()[error.at..error.at + error.len]);
        Some(Utf8Chunk { valid, invalid, error })
    }
}

impl FusedIterator for Utf8Chunks<'_> {}
