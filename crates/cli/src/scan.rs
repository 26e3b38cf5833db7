//! Validation in chunks, in constant memory.
//!
//! The input goes chunk by chunk through a [`Window`] and is validated where it lies. That much is
//! [`Validation`], which needs to know nothing of other chunks. In order, a [`Scan`] follows, which does
//! nothing about a chunk that is well-formed but add up. Only in one that is not, it goes on from the first
//! error to the next, for there it matters what has been found before.
//!
//! Only when the input has ended is *incomplete* an error: what may be completed by the next chunk waits
//! for it. So every error is found at the same offset, with the same evidence, as if the whole input lay in
//! memory: a test goes through all small chunk sizes, alone and with several threads.
//!
//! Lines and columns cost about as much as validation, and most files are in order. So they are
//! counted only where they are needed: never if nobody will see them; along the way if the input
//! is a stream, each chunk by itself; and for a file, when the first error has been found, by reading what is
//! before it once more.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use runecast::{Engine, IllFormed, Policy, Utf8};
use runecast_explain::Cursor;
pub(crate) use runecast_explain::Finding;

use crate::crew::{Then, Work};
use crate::encoding::Scheme;
use crate::feed::Opened;
use crate::source::Reread;
use crate::tally::Characters;
use crate::window::{CHUNK, Rule, Window};

/// What is wanted of a scan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Go on behind the first error, to the end.
    pub(crate) to_the_end: bool,
    /// How many errors are to be handed out; the others are only counted.
    pub(crate) shown: u64,
    /// Whether those that are handed out need a line and a column.
    pub(crate) places: bool,
    /// Whether the characters are to be counted.
    pub(crate) characters: bool,
}

/// What a scan amounts to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    /// Bytes read: all there are, unless the scan stopped at the first error.
    pub(crate) bytes: u64,
    /// Errors found.
    pub(crate) found: u64,
    /// Characters, if the plan wants them.
    pub(crate) characters: Characters,
    /// The time spent in validation.
    pub(crate) validating: Duration,
    /// The time spent reading, waiting for the input included.
    pub(crate) reading: Duration,
}

/// Who is told what happens.
pub(crate) trait Observer {
    /// An error was found.
    fn found(&mut self, finding: &Finding) -> io::Result<()>;
    /// So many more bytes have been read, and everything found so far was handed out.
    fn proceeded(&mut self, bytes: u64) -> io::Result<()>;
}

/// Why a scan could not be finished.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The input cannot be read (any further).
    Input(io::Error),
    /// The observer gave up: the output cannot be written.
    Output(io::Error),
}

/// Validates chunks.
pub(crate) struct Validation(pub(crate) Plan);

/// What came of a chunk.
pub(crate) struct Seen {
    /// The first error, if there is one.
    verdict: Result<(), IllFormed>,
    /// The characters before it, if the plan wants them.
    characters: Characters,
    /// A way over what is before it, if the plan wants places in a stream.
    way: Option<Cursor>,
    validating: Duration,
}

impl Default for Seen {
    fn default() -> Self {
        let (characters, validating) = (Characters::default(), Duration::ZERO);
        Seen { verdict: Ok(()), characters, way: None, validating }
    }
}

impl Work for Validation {
    type Context = ();
    type Done = Seen;
    const HEAD: usize = 0;

    fn look(&self, _: &[u8]) -> ((), Rule) {
        ((), Rule { from: Scheme::Utf8, policy: Policy::default(), skip: 0 })
    }

    fn work(&self, input: &Opened<()>, window: &Window, seen: &mut Seen) {
        *seen = Seen::default();
        seen.verdict = validate(window, 0, &mut seen.validating);
        let text = &window.piece()[..seen.verdict.map_or_else(|error| error.at, |()| window.piece().len())];
        if self.0.characters {
            seen.characters.count(text);
        }
        if self.0.places && input.file.is_none() {
            let mut way = Cursor::new();
            way.pass_text(text);
            seen.way = Some(way);
        }
    }
}

/// The first error of a piece from a place on. It is judged by what is behind the piece, too.
fn validate(window: &Window, from: usize, time: &mut Duration) -> Result<(), IllFormed> {
    let clock = Instant::now();
    let verdict = Engine::current().validate::<Utf8>(&window.whole()[from..]);
    *time += clock.elapsed();
    verdict.or_else(|error| if from + error.at < window.piece().len() { Err(error) } else { Ok(()) })
}

/// A scan of one input.
pub(crate) struct Scan {
    plan: Plan,
    /// What it amounts to so far.
    pub(crate) summary: Summary,
    cursor: Option<Cursor>,
}

impl Scan {
    /// At the beginning.
    pub(crate) fn new(plan: Plan, input: &Opened<()>) -> Self {
        let cursor = (plan.places && input.file.is_none()).then(Cursor::new);
        Scan { plan, summary: Summary::default(), cursor }
    }

    /// The next chunk.
    pub(crate) fn take(
        &mut self,
        input: &Opened<()>,
        window: &Window,
        seen: &Seen,
        observer: &mut impl Observer,
    ) -> Result<Then, Broken> {
        let Scan { plan, summary, cursor } = self;
        summary.reading += window.reading();
        summary.validating += seen.validating;
        summary.bytes += window.fresh();
        let piece = window.piece();
        let (mut at, mut verdict) = (0, seen.verdict);
        loop {
            let end = verdict.map_or_else(|error| at + error.at, |()| piece.len());
            let text = &piece[at..end];
            if at == 0 {
                summary.characters.add(&seen.characters);
            } else if plan.characters {
                summary.characters.count(text);
            }
            match (&mut *cursor, &seen.way) {
                (Some(cursor), Some(way)) if at == 0 => cursor.pass(way),
                (Some(cursor), _) => cursor.pass_text(text),
                (None, _) => {}
            }
            let Err(error) = verdict else { break };

            let offset = window.at() + end as u64;
            if summary.found < plan.shown {
                if let (true, None, Some(file)) = (plan.places, &cursor, &input.file) {
                    *cursor = Some(count_again(file, offset).map_err(Broken::Input)?);
                }
                let place = cursor.as_ref().map(Cursor::place);
                let finding = Finding { at: offset, place, error };
                observer.found(&finding).map_err(Broken::Output)?;
            }
            summary.found += 1;
            if !plan.to_the_end {
                observer.proceeded(window.fresh()).map_err(Broken::Output)?;
                return Ok(Then::Stop);
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
        observer.proceeded(window.fresh()).map_err(Broken::Output)?;
        Ok(Then::GoOn)
    }
}

/// Leads a cursor over the first `length` bytes of a file.
///
/// If the file has become shorter in the meantime, the cursor stops at its new end: line and
/// column are then those of a text that is gone, and nothing worse.
fn count_again(file: &Arc<File>, length: u64) -> io::Result<Cursor> {
    let mut cursor = Cursor::new();
    let mut beginning = Reread::new(file, length);
    let mut chunk = vec![0; CHUNK];
    loop {
        match beginning.read(&mut chunk)? {
            0 => return Ok(cursor),
            read => cursor.pass_text(&chunk[..read]),
        }
    }
}
