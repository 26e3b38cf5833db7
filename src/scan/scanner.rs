//! Scanning, chunk by chunk, with the state of a [`Validator`].
//!
//! A chunk is scanned as it is. Only the bytes that end a character of the chunk before, three at most, go to the validator, one by
//! one; being continuation bytes they belong to no set. What the chunk ends with, and is incomplete, waits in the validator. So
//! errors are the same however the text was cut, and no rule is repeated.

use super::{ByteSet, wanted};
use crate::blocks::{Blocks, Masks};
use crate::kernel::{Engine, LINE, MOST_LINES, Wanted};
use crate::stream::Validator;
use crate::unicode::codec::incomplete_suffix;
use crate::unicode::{IllFormed, Kind, Utf8};
use crate::validate::validate_on;

/// Validates text that arrives in chunks, and finds the bytes of some sets in it: [`scan`](super::scan()) in chunks.
///
/// Chunks may be cut anywhere and have any length. The masks are those of each chunk, from its own start on; its offset in the text
/// is that of [`offset`](Self::offset) before the call. Errors are those of a [`Validator`], with offsets in the whole text. It
/// never allocates.
///
/// ```
/// use runecast::scan::{ByteSet, Scanner};
///
/// let mut scanner = Scanner::new(&[ByteSet::LINE_FEED]);
/// let mut ends = Vec::new();
/// for chunk in [&b"caf\xC3"[..], b"\xA9\nno", b"ir\n"] {
///     let start = scanner.offset() as usize;
///     scanner.push(chunk, |at, [mut mask]| {
///         while mask != 0 {
///             ends.push(start + at + mask.trailing_zeros() as usize);
///             mask &= mask - 1;
///         }
///     })?;
/// }
/// scanner.finish()?;
/// assert_eq!(ends, [5, 10]);
/// # Ok::<(), runecast::IllFormed>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scanner<const N: usize> {
    wanted: Wanted<N>,
    validator: Validator<Utf8>,
}

impl<const N: usize> Scanner<N> {
    /// At the beginning of a text, for these sets.
    #[must_use]
    #[inline]
    pub fn new(sets: &[ByteSet; N]) -> Self {
        Scanner { wanted: wanted(sets), validator: Validator::new() }
    }

    /// How many bytes were pushed: the offset of the next chunk. Exact up to
    /// [`Validator::MAX_OFFSET`].
    #[must_use]
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.validator.offset() + self.validator.waiting() as u64
    }

    /// The state of the validation, with which a [`Validator`] could go on.
    #[must_use]
    #[inline]
    pub const fn validator(&self) -> Validator<Utf8> {
        self.validator
    }

    /// Validates the next chunk, and calls `each` for each 64 bytes of it, as [`scan`](super::scan()) does.
    ///
    /// # Errors
    /// The first ill-formed sequence, with its offset in the whole text; it may begin before this chunk. `each` has been called
    /// for the bytes of the chunk before it. The scanner is left as it was before the call, as a [`Validator`] is.
    #[inline]
    pub fn push(&mut self, chunk: &[u8], each: impl FnMut(usize, [u64; N])) -> Result<(), IllFormed> {
        self.push_with(Engine::current(), chunk, each)
    }

    /// As [`push`](Self::push), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn push_with(
        &mut self,
        engine: Engine,
        chunk: &[u8],
        each: impl FnMut(usize, [u64; N]),
    ) -> Result<(), IllFormed> {
        let before = self.validator;
        let mut first = None;
        self.take(engine, chunk, each, |error| {
            first = Some(error);
            false
        });
        match first {
            None => Ok(()),
            Some(error) => {
                self.validator = before;
                Err(error)
            }
        }
    }

    /// As [`push`](Self::push), but goes on behind errors, as [`scan_all`](super::scan_all) does: `each` is called for all of the
    /// chunk, and `ill_formed` for each ill-formed sequence.
    #[inline]
    pub fn push_all(
        &mut self,
        chunk: &[u8],
        each: impl FnMut(usize, [u64; N]),
        ill_formed: impl FnMut(IllFormed),
    ) {
        self.push_all_with(Engine::current(), chunk, each, ill_formed);
    }

    /// As [`push_all`](Self::push_all), with the kernels of this engine.
    #[inline]
    pub fn push_all_with(
        &mut self,
        engine: Engine,
        chunk: &[u8],
        each: impl FnMut(usize, [u64; N]),
        mut ill_formed: impl FnMut(IllFormed),
    ) {
        self.take(engine, chunk, each, |error| {
            ill_formed(error);
            true
        });
    }

    /// Ends the text.
    ///
    /// # Errors
    /// If the text ends in the middle of a character.
    #[inline]
    pub fn finish(self) -> Result<(), IllFormed> {
        self.validator.finish()
    }

    /// Scans a chunk; `ill_formed` says whether to go on. If not, the state is of no use.
    #[inline]
    fn take(
        &mut self,
        engine: Engine,
        chunk: &[u8],
        mut each: impl FnMut(usize, [u64; N]),
        mut ill_formed: impl FnMut(IllFormed) -> bool,
    ) {
        let start = self.offset();
        let Some(skip) = self.join(engine, chunk, &mut ill_formed) else { return };
        let at = chunk.len() - waiting(engine, &chunk[skip..]);
        let mut blocks = Blocks::new(engine, &chunk[..at], self.wanted, skip);
        let mut masks: Masks<N> = [[0; N]; MOST_LINES];
        let mut stopped = false;
        while let Some(block) = blocks.next(&mut masks, |mut error| {
            if error.is_incomplete() {
                // What was cut off follows it.
                let whole = validate_on::<Utf8>(engine, &chunk[error.at..]);
                error = whole.err().map_or(error, |whole| whole.behind(error.at as u64));
            }
            let on = ill_formed(error.in_stream(start));
            stopped |= !on;
            on
        }) {
            for (line, masks) in masks[..block.lines].iter().enumerate() {
                each(block.at + line * LINE, *masks);
            }
        }
        if stopped {
            return;
        }
        let last = at.next_multiple_of(LINE);
        if last < chunk.len() {
            // The bytes that wait have a line of their own.
            each(last, [0; N]);
        }
        if self.validator.waiting() == 0 {
            self.validator.set(start, at, &chunk[at..]);
        }
    }

    /// Completes the character that waits: how many bytes of the chunk that takes, or `None` if the scan is over.
    #[inline]
    fn join(
        &mut self,
        engine: Engine,
        chunk: &[u8],
        ill_formed: &mut impl FnMut(IllFormed) -> bool,
    ) -> Option<usize> {
        let mut skip = 0;
        while self.validator.waiting() > 0 && skip < chunk.len() {
            match self.validator.push_with(engine, &chunk[skip..=skip]) {
                Ok(()) => skip += 1,
                Err(error) => {
                    if !ill_formed(error) {
                        return None;
                    }
                    // The sequence is what waited; the byte that does not continue it is looked at anew. (The offset is set at
                    // the end of the chunk.)
                    self.validator = Validator::new();
                }
            }
        }
        Some(skip)
    }
}

/// How many bytes at the end of `text` are the beginning of a character.
#[inline]
fn waiting(engine: Engine, text: &[u8]) -> usize {
    let suffix = &text[text.len() - incomplete_suffix::<Utf8>(text)..];
    match validate_on::<Utf8>(engine, suffix) {
        Err(error) if error.kind == Kind::Incomplete && error.at == 0 => suffix.len(),
        _ => 0,
    }
}
