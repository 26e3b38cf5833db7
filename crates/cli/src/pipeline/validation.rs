//! Validation in chunks, in constant memory.
//!
//! The input goes chunk by chunk through a [`Window`] and is validated where it lies. That much is done by a
//! [`ChunkValidator`], which needs to know nothing of other chunks. An [`InputValidation`] follows in order, which
//! only adds up as long as chunks are well-formed. In one that is not, it goes on from the first error to the next,
//! for there it matters what has been found before.
//!
//! Only when the input has ended is *incomplete* an error: what may be completed by the next chunk waits
//! for it. So every error is found at the same offset, with the same evidence, as if the whole input lay in
//! memory: a test goes through all small chunk sizes, alone and with several threads.
//!
//! Most files are well-formed, and lines and columns cost about as much as validation. So they are
//! counted only where they are needed: never if nobody will see them; along the way if the input
//! is a stream, each chunk by itself; and for a file, when the first error has been found, by reading what is
//! before it once more.

#[cfg(test)]
mod tests;

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use runecast::{Engine, IllFormed, Policy, Scheme, Utf8};
use runecast_explain::{Cursor, Finding};

use crate::pipeline::character_counts::CharacterCounts;
use crate::pipeline::opened::Opened;
use crate::pipeline::positions::cursor_at;
use crate::pipeline::window::{Rule, Window};
use crate::pipeline::work::{ChunkError, Work};

/// What is wanted of a validation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Go on behind the first error, to the end.
    pub(crate) to_the_end: bool,
    /// How many errors are to be handed out; the others are only counted.
    pub(crate) shown: u64,
    /// Whether those that are handed out need a line and a column.
    pub(crate) positions: bool,
    /// Whether the characters are to be counted.
    pub(crate) characters: bool,
}

/// What a validation amounts to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ValidationSummary {
    /// Bytes read: all there are, unless it stopped at the first error.
    pub(crate) bytes: u64,
    /// Errors found.
    pub(crate) found: u64,
    /// Characters, if the plan wants them.
    pub(crate) characters: CharacterCounts,
    /// The time spent in validation.
    pub(crate) validating: Duration,
    /// The time spent reading, waiting for the input included.
    pub(crate) reading: Duration,
}

/// Is told what happens.
pub(crate) trait Observer {
    /// An error was found.
    fn found(&mut self, finding: &Finding) -> io::Result<()>;
    /// So many more bytes have been read, and everything found so far was handed out.
    fn advance(&mut self, bytes: u64) -> io::Result<()>;
}

/// Validates chunks.
pub(crate) struct ChunkValidator(pub(crate) Plan);

/// What came of a chunk.
pub(crate) struct ValidatedChunk {
    /// The first error, if there is one.
    verdict: Result<(), IllFormed>,
    /// The characters before it, if the plan wants them.
    characters: CharacterCounts,
    /// A cursor over what is before it, if the plan wants positions in a stream.
    cursor: Option<Cursor>,
    validating: Duration,
}

impl Default for ValidatedChunk {
    fn default() -> Self {
        let (characters, validating) = (CharacterCounts::default(), Duration::ZERO);
        ValidatedChunk { verdict: Ok(()), characters, cursor: None, validating }
    }
}

impl Work for ChunkValidator {
    type Context = ();
    type Done = ValidatedChunk;
    const HEAD: usize = 0;

    fn examine(&self, _: &[u8]) -> ((), Rule) {
        ((), Rule { from: Scheme::Utf8, policy: Policy::default(), skip: 0 })
    }

    fn process(&self, input: &Opened<()>, window: &Window, done: &mut ValidatedChunk) {
        *done = ValidatedChunk::default();
        done.verdict = validate(window, 0, &mut done.validating);
        let text = &window.piece()[..done.verdict.map_or_else(|error| error.at, |()| window.piece().len())];
        if self.0.characters {
            done.characters.count(text);
        }
        if self.0.positions && input.file.is_none() {
            let mut cursor = Cursor::new();
            cursor.pass_text(text);
            done.cursor = Some(cursor);
        }
    }
}

/// The first error of a piece from an offset on. It depends on what is behind the piece, too.
fn validate(window: &Window, from: usize, time: &mut Duration) -> Result<(), IllFormed> {
    let clock = Instant::now();
    let verdict = Engine::current().validate::<Utf8>(&window.whole()[from..]);
    *time += clock.elapsed();
    verdict.or_else(|error| if from + error.at < window.piece().len() { Err(error) } else { Ok(()) })
}

/// The validation of one input.
pub(crate) struct InputValidation {
    plan: Plan,
    /// What it amounts to so far.
    pub(crate) summary: ValidationSummary,
    cursor: Option<Cursor>,
}

impl InputValidation {
    /// At the beginning.
    pub(crate) fn new(plan: Plan, input: &Opened<()>) -> Self {
        let cursor = (plan.positions && input.file.is_none()).then(Cursor::new);
        InputValidation { plan, summary: ValidationSummary::default(), cursor }
    }

    /// The next chunk.
    pub(crate) fn take(
        &mut self,
        input: &Opened<()>,
        window: &Window,
        done: &ValidatedChunk,
        observer: &mut impl Observer,
    ) -> Result<ControlFlow<()>, ChunkError> {
        let InputValidation { plan, summary, cursor } = self;
        summary.reading += window.reading();
        summary.validating += done.validating;
        summary.bytes += window.fresh();
        let piece = window.piece();
        let (mut at, mut verdict) = (0, done.verdict);
        loop {
            let end = verdict.map_or_else(|error| at + error.at, |()| piece.len());
            let text = &piece[at..end];
            if at == 0 {
                summary.characters.add(&done.characters);
            } else if plan.characters {
                summary.characters.count(text);
            }
            match (&mut *cursor, &done.cursor) {
                (Some(cursor), Some(over)) if at == 0 => cursor.pass(over),
                (Some(cursor), _) => cursor.pass_text(text),
                (None, _) => {}
            }
            let Err(error) = verdict else { break };

            let offset = window.at() + end as u64;
            if summary.found < plan.shown {
                if let (true, None, Some(file)) = (plan.positions, &cursor, &input.file) {
                    *cursor = Some(cursor_at(file, Scheme::Utf8, offset).map_err(ChunkError::Input)?);
                }
                let position = cursor.as_ref().map(Cursor::position);
                let finding = Finding { at: offset, position, error };
                observer.found(&finding).map_err(ChunkError::Output)?;
            }
            summary.found += 1;
            if !plan.to_the_end {
                observer.advance(window.fresh()).map_err(ChunkError::Output)?;
                return Ok(ControlFlow::Break(()));
            }
            if summary.found < plan.shown {
                if let Some(cursor) = cursor {
                    cursor.pass_ill_formed();
                }
            } else {
                *cursor = None;
            }
            at = end + error.len;
            verdict = validate(window, at, &mut summary.validating);
        }
        observer.advance(window.fresh()).map_err(ChunkError::Output)?;
        Ok(ControlFlow::Continue(()))
    }
}
