//! Validation in chunks, in constant memory.
//!
//! The input goes chunk by chunk through a [`Window`] and is validated where it lies. That much is done by a
//! [`ChunkValidator`], which needs to know nothing of other chunks. An [`InputValidation`] follows in order, which
//! only adds up as long as chunks are well-formed. In one that is not, it goes on from the first error to the next,
//! for there it matters what has been found before.
//!
//! What is found once nobody wants to see more of it is only counted, by the library, chunk by chunk: in a text of another
//! encoding nearly every letter is an error.
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
use std::sync::Arc;
use std::time::{Duration, Instant};

use runecast::{Engine, IllFormed, Kind, Policy, Scheme, Utf8};
use runecast_explain::{Cursor, Finding, Position};

use crate::pipeline::character_counts::CharacterCounts;
use crate::pipeline::forbidden::{Character, Forbidden};
use crate::pipeline::legacy::{Decoding, Malformed};
use crate::pipeline::opened::Opened;
use crate::pipeline::positions::{cursor_at, cursor_at_start, pass};
use crate::pipeline::route::{FindRoute, Route, wants_more};
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
    /// What is an error as well, in UTF-8, though it is well-formed.
    pub(crate) forbidden: Forbidden,
}

/// What a validation amounts to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ValidationSummary {
    /// Bytes read: all there are, unless it stopped at the first error.
    pub(crate) bytes: u64,
    /// Errors found.
    pub(crate) found: u64,
    /// How many of them are well-formed characters that are forbidden.
    pub(crate) forbidden: u64,
    /// Characters, if the plan wants them.
    pub(crate) characters: CharacterCounts,
    /// The time spent in validation.
    pub(crate) validating: Duration,
    /// The time spent reading, waiting for the input included.
    pub(crate) reading: Duration,
}

impl ValidationSummary {
    /// How many errors are ill-formed sequences.
    pub(crate) fn ill_formed(&self) -> u64 {
        self.found - self.forbidden
    }
}

/// An error that was found.
pub(crate) enum Found {
    /// A character that is forbidden.
    Forbidden {
        /// Where it is.
        at: u64,
        /// Line and column, if they are wanted.
        position: Option<Position>,
        /// Which one.
        character: Character,
    },
    /// In an encoding of Unicode.
    IllFormed(Finding),
    /// In a legacy encoding.
    Malformed {
        /// The name of that.
        encoding: &'static str,
        /// Line and column, if they are wanted.
        position: Option<Position>,
        /// Where it is, and what.
        malformed: Malformed,
    },
}

/// Is told what happens.
pub(crate) trait Observer {
    /// An error was found.
    fn found(&mut self, found: &Found) -> io::Result<()>;
    /// So many more bytes have been read, and everything found so far was handed out.
    fn advance(&mut self, bytes: u64) -> io::Result<()>;
}

/// Validates chunks.
pub(crate) struct ChunkValidator {
    /// What is wanted.
    pub(crate) plan: Plan,
    /// From what the input is, to UTF-8.
    pub(crate) find_route: FindRoute,
}

/// What came of a chunk.
pub(crate) struct ValidatedChunk {
    /// The first error, if there is one.
    verdict: Result<(), IllFormed>,
    /// The characters before it, if the plan wants them.
    characters: CharacterCounts,
    /// A cursor over what is before it, if the plan wants positions in a stream.
    cursor: Option<Cursor>,
    /// Whether there is something forbidden before it.
    forbidden: bool,
    validating: Duration,
    scratch: Vec<u8>,
}

impl Default for ValidatedChunk {
    fn default() -> Self {
        let (characters, validating) = (CharacterCounts::default(), Duration::ZERO);
        let scratch = Vec::new();
        ValidatedChunk { verdict: Ok(()), characters, cursor: None, forbidden: false, validating, scratch }
    }
}

impl Work for ChunkValidator {
    type Context = Route;
    type Done = ValidatedChunk;

    fn wants_more(&self, head: &[u8]) -> bool {
        wants_more(&self.find_route, head)
    }

    fn examine(&self, head: &[u8]) -> (Route, Rule) {
        let route = (self.find_route)(head);
        let Route { from, skip, decode, .. } = route;
        (route, Rule { from, policy: Policy::default(), skip, decode, traced: false, kept: false })
    }

    fn process(&self, input: &Opened<Route>, window: &Window, done: &mut ValidatedChunk) {
        let from = input.context.from;
        let scratch = std::mem::take(&mut done.scratch);
        *done = ValidatedChunk { scratch, ..ValidatedChunk::default() };
        let in_stream = self.plan.positions && input.file.is_none();
        if in_stream && from == Scheme::Utf8 {
            // In one pass. Where there is an error, what is before it is counted below.
            let (mut cursor, clock) = (Cursor::new(), Instant::now());
            let verdict = cursor.pass_validated(window.piece());
            done.validating += clock.elapsed();
            if verdict.is_ok() {
                done.cursor = Some(cursor);
                done.forbidden = self.is_forbidden(window, window.piece());
                if self.plan.characters {
                    count(&mut done.characters, from, window.piece(), &mut done.scratch);
                }
                return;
            }
        }
        done.verdict = validate(from, window, 0, &mut done.validating);
        let text = &window.piece()[..done.verdict.map_or_else(|error| error.at, |()| window.piece().len())];
        done.forbidden = self.is_forbidden(window, text);
        if self.plan.characters {
            count(&mut done.characters, from, text, &mut done.scratch);
        }
        if in_stream {
            let mut cursor = Cursor::new();
            pass(&mut cursor, from, text, &mut done.scratch);
            done.cursor = Some(cursor);
        }
    }
}

impl ChunkValidator {
    /// Whether there is something forbidden in a text, which begins where the piece does.
    fn is_forbidden(&self, window: &Window, text: &[u8]) -> bool {
        self.plan.forbidden.find(text, window.at() == 0).next().is_some()
    }
}

/// Counts the characters of a well-formed text in any encoding.
fn count(characters: &mut CharacterCounts, from: Scheme, text: &[u8], scratch: &mut Vec<u8>) {
    if from == Scheme::Utf8 {
        return characters.count(text);
    }
    scratch.clear();
    from.transcode_lossy_append(Scheme::Utf8, text, scratch, Policy::default());
    characters.count(scratch);
}

/// The first error of a piece from an offset on. It depends on what is behind the piece, too.
fn validate(scheme: Scheme, window: &Window, from: usize, time: &mut Duration) -> Result<(), IllFormed> {
    let clock = Instant::now();
    let verdict = match scheme {
        Scheme::Utf8 => Engine::current().validate::<Utf8>(&window.whole()[from..]),
        _ => scheme.validate(&window.whole()[from..]),
    };
    *time += clock.elapsed();
    verdict.or_else(|error| if from + error.at < window.piece().len() { Err(error) } else { Ok(()) })
}

/// The validation of one input.
pub(crate) struct InputValidation {
    plan: Plan,
    /// What it amounts to so far.
    pub(crate) summary: ValidationSummary,
    cursor: Option<Cursor>,
    scratch: Vec<u8>,
}

impl InputValidation {
    /// At the beginning.
    pub(crate) fn new(plan: Plan, input: &Opened<Route>) -> Self {
        let cursor = (plan.positions && input.file.is_none()).then(|| cursor_at_start(&input.context));
        InputValidation { plan, summary: ValidationSummary::default(), cursor, scratch: Vec::new() }
    }

    /// The next chunk.
    pub(crate) fn take(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &ValidatedChunk,
        observer: &mut impl Observer,
    ) -> Result<ControlFlow<()>, ChunkError> {
        let InputValidation { plan, summary, cursor, scratch } = self;
        let from = input.context.from;
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
                count(&mut summary.characters, from, text, scratch);
            }
            // What is before the next character that is forbidden, and after the last.
            let mut rest = text;
            if at > 0 || done.forbidden {
                let mut passed = 0;
                for (hit, character) in plan.forbidden.find(text, window.at() + at as u64 == 0) {
                    if summary.found < plan.shown {
                        let offset = window.at() + (at + hit) as u64;
                        match (&mut *cursor, &input.file) {
                            (Some(cursor), _) => drop(pass(cursor, from, &text[passed..hit], scratch)),
                            (None, Some(file)) if plan.positions => {
                                *cursor = Some(cursor_at(file, from, offset).map_err(ChunkError::Input)?);
                            }
                            (None, _) => {}
                        }
                        passed = hit;
                        let position = cursor.as_ref().map(Cursor::position);
                        let found = Found::Forbidden { at: offset, position, character };
                        observer.found(&found).map_err(ChunkError::Output)?;
                    }
                    summary.found += 1;
                    summary.forbidden += 1;
                    if !plan.to_the_end {
                        observer.advance(window.fresh()).map_err(ChunkError::Output)?;
                        return Ok(ControlFlow::Break(()));
                    }
                    if summary.found >= plan.shown {
                        *cursor = None;
                    }
                }
                rest = &text[passed..];
            }
            match (&mut *cursor, &done.cursor) {
                (Some(cursor), Some(over)) if at == 0 && !done.forbidden => cursor.pass(over),
                (Some(cursor), _) => drop(pass(cursor, from, rest, scratch)),
                (None, _) => {}
            }
            let Err(error) = verdict else { break };

            let offset = window.at() + end as u64;
            if summary.found < plan.shown {
                if let (true, None, Some(file)) = (plan.positions, &cursor, &input.file) {
                    *cursor = Some(cursor_at(file, from, offset).map_err(ChunkError::Input)?);
                }
                let position = cursor.as_ref().map(Cursor::position);
                let malformed = |decoding: &Arc<Decoding>| {
                    let encoding = decoding.encoding.name();
                    let malformed = decoding.malformed(offset)?;
                    Some(Found::Malformed { encoding, position, malformed })
                };
                let mut shown = error;
                if error.kind == Kind::Reserved {
                    // Such a sequence has no end: how much of it is in a window is no matter of the text.
                    shown.len = 1;
                }
                let finding = Finding { at: offset, position, error: shown };
                let found = input.decoding.as_ref().and_then(malformed);
                observer.found(&found.unwrap_or(Found::IllFormed(finding))).map_err(ChunkError::Output)?;
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
            if summary.found >= plan.shown && from == Scheme::Ascii {
                // Each is one byte.
                let (rest, clock) = (&piece[at..], Instant::now());
                let found = rest.chunks(128).map(|some| some.iter().map(|byte| byte >> 7).sum::<u8>());
                let found = found.map(u64::from).sum::<u64>();
                summary.validating += clock.elapsed();
                summary.found += found;
                if plan.characters {
                    summary.characters.by_length[0] += rest.len() as u64 - found;
                }
                break;
            }
            if summary.found >= plan.shown && from == Scheme::Utf8 {
                // Nobody wants to know them one by one: each would be one U+FFFD.
                let rest = &piece[at..];
                let clock = Instant::now();
                scratch.clear();
                let repaired = from.transcode_lossy_append(from, rest, scratch, Policy::default());
                summary.validating += clock.elapsed();
                let forbidden = plan.forbidden.find(rest, false).count() as u64;
                summary.forbidden += forbidden;
                summary.found += repaired.replaced as u64 + forbidden;
                if plan.characters {
                    let mut all = CharacterCounts::default();
                    all.count(scratch);
                    all.by_length[2] -= repaired.replaced as u64;
                    summary.characters.add(&all);
                }
                break;
            }
            verdict = validate(from, window, at, &mut summary.validating);
        }
        if let Some(decoding) = &input.decoding {
            decoding.forget_before(window.at());
        }
        observer.advance(window.fresh()).map_err(ChunkError::Output)?;
        Ok(ControlFlow::Continue(()))
    }
}
