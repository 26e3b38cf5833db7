//! Conversion in chunks, in constant memory.
//!
//! The input goes through a [`Window`] as for [`validation`](crate::pipeline::validation). A [`ChunkConverter`]
//! converts each chunk by itself, into a buffer of its own. An [`InputConversion`] follows in order, and hands
//! what came out to the [`TextOutput`]. The first error ends it: the text before it has been written by then, and
//! whether it is kept is decided there.
//!
//! If source and target are the same encoding, nothing is copied: the window is validated and written as it
//! is. So a conversion that only removes a byte order mark is as fast as a copy.

#[cfg(test)]
mod tests;

use std::io;

use runecast::{IllFormed, Policy, Reason, Scheme};
use runecast_explain::{Cursor, Position};

use crate::pipeline::code_points::{code_point_len, encoded_len};
use crate::pipeline::opened::Opened;
use crate::pipeline::positions::{cursor_at, cursor_at_start, pass};
use crate::pipeline::route::{FindRoute, Route, TextOutput};
use crate::pipeline::window::{Rule, Window};
use crate::pipeline::work::{ChunkError, Work};

/// Why a sequence cannot be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It is ill-formed.
    IllFormed(IllFormed),
    /// The target has no form for the character.
    Unrepresentable(char),
    /// The target has no form for the code point, which is no character: a surrogate.
    UnrepresentableCodePoint(u32),
}

/// An error, and where it is in the whole input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConversionError {
    /// The offset of its first byte.
    pub(crate) at: u64,
    /// Line and column, if they are wanted.
    pub(crate) position: Option<Position>,
    /// What is wrong; an offset in it is that in some window and means nothing here.
    pub(crate) problem: Problem,
    /// The bytes that show it.
    pub(crate) bytes: Vec<u8>,
}

/// Converts chunks.
pub(crate) struct ChunkConverter {
    /// From which encoding to which.
    pub(crate) find_route: FindRoute,
    /// Whether an error needs a line and a column.
    pub(crate) positions: bool,
    /// Whether what cannot be converted is left out, and no error.
    pub(crate) omits: bool,
}

/// What came of a chunk.
#[derive(Default)]
pub(crate) struct ConvertedChunk {
    output: Vec<u8>,
    /// The output is the piece itself.
    same: bool,
    /// So much of the piece was converted.
    read: usize,
    /// Why not more.
    reason: Option<Reason>,
    /// What was left out: how much, and where it was first.
    omitted: u64,
    first: Option<usize>,
    /// A cursor over what was converted, in a stream.
    cursor: Option<Cursor>,
    scratch: Vec<u8>,
}

impl ConvertedChunk {
    /// What it was converted to.
    pub(crate) fn text<'a>(&'a self, window: &'a Window) -> &'a [u8] {
        if self.same { &window.piece()[..self.read] } else { &self.output }
    }

    /// Goes on behind each error that stops the conversion of a piece.
    fn leave_out(&mut self, Route { from, to, .. }: Route, piece: &[u8]) {
        while let Some(reason) = self.reason.take() {
            if self.same {
                self.output.extend_from_slice(&piece[..self.read]);
                self.same = false;
            }
            self.first = self.first.or(Some(self.read));
            self.omitted += 1;
            let rest = &piece[self.read..];
            // At least a byte, so that the loop ends in any case.
            let length = match reason {
                Reason::IllFormed(error) => error.len,
                Reason::Unrepresentable { character, .. } => encoded_len(from, character),
                _ => code_point_len(from, rest),
            };
            let rest = &rest[length.max(1).min(rest.len())..];
            self.read = piece.len();
            if let Err(error) = from.transcode_append(to, rest, &mut self.output) {
                self.read -= rest.len() - error.read;
                self.reason = Some(error.reason);
            }
        }
    }
}

impl Work for ChunkConverter {
    type Context = Route;
    type Done = ConvertedChunk;
    const HEAD: usize = Scheme::LONGEST_MARK;

    fn examine(&self, head: &[u8]) -> (Route, Rule) {
        let route = (self.find_route)(head);
        (route, Rule { from: route.from, policy: Policy::default(), skip: route.skip })
    }

    fn process(&self, input: &Opened<Route>, window: &Window, done: &mut ConvertedChunk) {
        let Route { from, to, .. } = input.context;
        let piece = window.piece();
        // An error at the end depends on what is behind it, too.
        let error_behind = |read: usize| match from.validate(&window.whole()[read..]) {
            Err(error) if read + error.at < piece.len() => Some(error),
            _ => None,
        };
        done.output.clear();
        done.same = from == to;
        (done.read, done.reason) = (piece.len(), None);
        if done.same {
            if let Some(error) = error_behind(0) {
                (done.read, done.reason) = (error.at, Some(Reason::IllFormed(error)));
            }
        } else if let Err(error) = from.transcode_append(to, piece, &mut done.output) {
            let reason = match error.reason {
                Reason::IllFormed(here) => Reason::IllFormed(error_behind(error.read).unwrap_or(here)),
                reason => reason,
            };
            (done.read, done.reason) = (error.read, Some(reason));
        }
        (done.omitted, done.first) = (0, None);
        if self.omits {
            done.leave_out(input.context, piece);
        }
        done.cursor = (self.positions && input.file.is_none()).then(|| {
            let mut cursor = Cursor::new();
            if to == Scheme::Utf8 && done.first.is_none() {
                cursor.pass_text(done.text(window));
            } else {
                pass(&mut cursor, from, &piece[..done.first.unwrap_or(done.read)], &mut done.scratch);
            }
            cursor
        });
    }
}

/// What a conversion amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConversionSummary {
    /// Bytes read.
    pub(crate) bytes: u64,
    /// Sequences and characters left out.
    pub(crate) omitted: u64,
    /// The offset of the first of them.
    pub(crate) first: Option<u64>,
    /// Its line and column, if they are wanted.
    pub(crate) position: Option<Position>,
}

/// The conversion of one input.
pub(crate) struct InputConversion {
    /// What it amounts to so far.
    pub(crate) summary: ConversionSummary,
    positions: bool,
    /// It stops at the first sequence that is left out.
    cursor: Option<Cursor>,
}

impl InputConversion {
    /// At the beginning.
    pub(crate) fn new(positions: bool, input: &Opened<Route>) -> Self {
        let cursor = (positions && input.file.is_none()).then(|| cursor_at_start(&input.context));
        InputConversion { summary: ConversionSummary::default(), positions, cursor }
    }

    /// The next chunk; or the error that ends it.
    pub(crate) fn take(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &ConvertedChunk,
        output: &mut impl TextOutput,
    ) -> Result<Option<ConversionError>, ChunkError> {
        output.write(done.text(window), window.piece()).map_err(ChunkError::Output)?;
        if let (Some(cursor), Some(over)) = (&mut self.cursor, &done.cursor) {
            cursor.pass(over);
        }
        let from = input.context.from;
        let (piece, at) = (window.piece(), done.read);
        self.summary.bytes += window.fresh();
        self.summary.omitted += done.omitted;
        if let (None, Some(first)) = (self.summary.first, done.first) {
            let first = window.at() + first as u64;
            self.summary.first = Some(first);
            self.summary.position = self.position(input, first).map_err(ChunkError::Input)?;
            self.cursor = None;
        }
        let (problem, bytes) = match done.reason {
            None => {
                output.advance(window.fresh()).map_err(ChunkError::Output)?;
                return Ok(None);
            }
            Some(Reason::IllFormed(error)) => (Problem::IllFormed(error), error.evidence().to_vec()),
            Some(Reason::Unrepresentable { character, .. }) => {
                let end = piece.len().min(at + encoded_len(from, character));
                (Problem::Unrepresentable(character), piece[at..end].to_vec())
            }
            Some(Reason::UnrepresentableCodePoint { code_point, .. }) => {
                let end = at + code_point_len(from, &piece[at..]);
                (Problem::UnrepresentableCodePoint(code_point), piece[at..end].to_vec())
            }
            // The library may add reasons; this program does not ask for them.
            Some(_) => return Err(ChunkError::Input(io::Error::other("cannot be converted"))),
        };
        let at = window.at() + at as u64;
        let position = self.position(input, at).map_err(ChunkError::Input)?;
        output.advance(window.fresh()).map_err(ChunkError::Output)?;
        Ok(Some(ConversionError { at, position, problem, bytes }))
    }

    /// The line and column of the first error, if they are wanted: the cursor of a stream is there.
    fn position(&self, input: &Opened<Route>, at: u64) -> io::Result<Option<Position>> {
        Ok(match (&self.cursor, &input.file) {
            (Some(cursor), _) => Some(cursor.position()),
            (None, Some(file)) if self.positions => Some(cursor_at(file, input.context.from, at)?.position()),
            _ => None,
        })
    }
}
