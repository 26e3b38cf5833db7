//! Conversion in chunks, in constant memory.
//!
//! The input goes through a [`Window`] as for [`validation`](crate::pipeline::validation). A [`ChunkConverter`]
//! converts each chunk by itself, into a buffer of its own. An [`InputConversion`] follows in order, and hands
//! what came out to the [`TextOutput`]. The first error ends it: the text before it has been written by then, and
//! whether it is kept is decided there.
//!
//! If source and target are the same encoding, nothing is copied: the window is validated and written as it
//! is. So a conversion that only removes a byte order mark is as fast as a copy.
//!
//! What cannot be converted ends an input, or is left out. In the second case there may be very much of it: a Russian
//! text has hardly anything that ASCII has a form for. So nothing is done anew for each error: the library leaves out what is
//! ill-formed, and what Latin-1 and ASCII have no form for, in one go; what an encoding older than Unicode lacks is left out as it is
//! encoded.

#[cfg(test)]
mod tests;

use std::io;

use encoding_rs::Encoding;
use runecast::{IllFormed, Policy, Reason, Scheme};
use runecast_explain::{Cursor, Position};

use crate::pipeline::code_points::{code_point_len, encoded_len};
use crate::pipeline::legacy::{Malformed, encode, encode_omitting};
use crate::pipeline::opened::Opened;
use crate::pipeline::positions::{cursor_at, cursor_at_start, pass};
use crate::pipeline::route::{FindRoute, Route, TextOutput, wants_more};
use crate::pipeline::transliteration::similar;
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
    /// It is no character of the legacy encoding of this name.
    Malformed(&'static str),
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
    /// Whether the line feeds of all text are wanted.
    pub(crate) lines: bool,
    /// Whether what cannot be converted is left out, and no error.
    pub(crate) omits: bool,
    /// Whether something similar is written for a character that the target has no form for.
    pub(crate) transliterates: bool,
}

/// What came of a chunk.
#[derive(Default)]
pub(crate) struct ConvertedChunk {
    output: Vec<u8>,
    /// The output is the piece itself.
    same: bool,
    /// The output in a legacy encoding, if that is wanted.
    encoded: Vec<u8>,
    /// So much of the piece was converted.
    read: usize,
    /// Why not more.
    reason: Option<Stop>,
    /// What was left out: how much, and where it was first.
    omitted: u64,
    first: Option<usize>,
    /// A cursor over what was converted, in a stream.
    cursor: Option<Cursor>,
    /// The line feeds in it, where they were found by the way.
    lines: Option<u64>,
    scratch: Vec<u8>,
}

/// Why no more was converted.
#[derive(Clone, Copy)]
enum Stop {
    /// The library says why.
    Reason(Reason),
    /// The legacy encoding has no form for the character.
    Unmappable(char),
}

impl ConvertedChunk {
    /// What it was converted to, or is before it is encoded.
    pub(crate) fn text<'a>(&'a self, window: &'a Window) -> &'a [u8] {
        if self.same { &window.piece()[..self.read] } else { &self.output }
    }

    /// The line feeds of [`text`](Self::text).
    pub(crate) fn lines(&self, window: &Window) -> u64 {
        self.lines.unwrap_or_else(|| memchr::memchr_iter(b'\n', self.text(window)).count() as u64)
    }

    /// What is to be written.
    fn bytes<'a>(&'a self, route: &Route, window: &'a Window) -> &'a [u8] {
        if route.encode.is_some() { &self.encoded } else { self.text(window) }
    }

    /// Goes on behind the character that has stopped the conversion of a piece, up to `error`, and writes something similar
    /// to what has no form.
    fn transliterate(&mut self, from: Scheme, to: Scheme, piece: &[u8], error: Option<IllFormed>) {
        let end = error.map_or(piece.len(), |error| self.read + error.at);
        self.scratch.clear();
        let whole = from.transcode_append(Scheme::Utf8, &piece[self.read..end], &mut self.scratch);
        transliterate(&self.scratch, to, &mut self.output);
        (self.read, self.reason) = match whole {
            Ok(_) => (end, error.map(|error| Stop::Reason(Reason::IllFormed(error)))),
            // It is well-formed up to there; but a surrogate, which some sources may have, is nothing that could be similar.
            Err(stopped) => (self.read + stopped.read, Some(Stop::Reason(stopped.reason))),
        };
    }

    /// Goes on behind the error that has stopped the conversion of a piece, and leaves out everything of that kind; or
    /// writes something similar, if it is a character, and that is wanted.
    fn leave_out(&mut self, Route { from, to, .. }: &Route, piece: &[u8], transliterates: bool) {
        let rest = &piece[self.read..];
        if self.same {
            self.output.extend_from_slice(&piece[..self.read]);
            self.same = false;
        }
        let begin = self.read;
        self.first = Some(begin);
        self.read = piece.len();
        let is_part = most(*to).is_some();
        let by_units = matches!(from, Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Utf32Le | Scheme::Utf32Be);
        let omit = |from: Scheme, to: Scheme, text: &[u8], out: &mut Vec<u8>| {
            from.transcode_lossy_append(to, text, out, Policy::Omit).replaced as u64
        };
        self.scratch.clear();
        if is_part && transliterates {
            let done = from.transcode_lossy_append(Scheme::Utf8, rest, &mut self.scratch, Policy::Omit);
            self.omitted += done.replaced as u64;
            // What has stopped it may be a character, for which there is something similar.
            self.first = done.first.map(|first| begin + first);
            transliterate(&self.scratch, *to, &mut self.output);
        } else if (is_part || by_units) && *from != Scheme::Utf8 && *to != Scheme::Utf8 {
            // Through UTF-8: on both ways the library leaves out at the speed of its kernels.
            self.omitted += omit(*from, Scheme::Utf8, rest, &mut self.scratch);
            self.omitted += omit(Scheme::Utf8, *to, &self.scratch, &mut self.output);
        } else {
            self.omitted += omit(*from, *to, rest, &mut self.output);
        }
    }

    /// Encodes the text that has come of a piece, up to a character that has no form, or without those.
    fn encode(&mut self, route: &Route, encoding: &'static Encoding, window: &Window, wish: &ChunkConverter) {
        let mut encoded = std::mem::take(&mut self.encoded);
        encoded.clear();
        let text = self.text(window);
        if wish.omits && !wish.transliterates {
            let (omitted, first) = encode_omitting(encoding, text, &mut encoded);
            let first = first.map(|first| source_len(route.from, &text[..first]));
            self.omitted += omitted;
            self.first = self.first.into_iter().chain(first).min();
        } else {
            let stopped = encode(encoding, text, &mut encoded, |_, character, out| {
                if wish.transliterates {
                    out.extend_from_slice(similar(character).as_bytes());
                }
                wish.transliterates
            });
            if let Some((at, character)) = stopped {
                self.read = source_len(route.from, &text[..at]);
                self.reason = Some(Stop::Unmappable(character));
            }
        }
        self.encoded = encoded;
    }
}

/// Appends a well-formed text to an output in `to`, which has the first characters of Unicode only, and something similar to those that
/// it has no form for.
fn transliterate(text: &[u8], to: Scheme, output: &mut Vec<u8>) {
    // (It is well-formed.)
    let text = runecast::from_utf8(text).unwrap_or_default();
    let most = most(to).unwrap_or(char::MAX);
    output.reserve(text.len());
    for character in text.chars() {
        if character <= most {
            output.push(u32::from(character) as u8);
        } else {
            output.extend_from_slice(similar(character).as_bytes());
        }
    }
}

/// The last character of an encoding that has the first ones of Unicode only, each as one byte.
fn most(to: Scheme) -> Option<char> {
    match to {
        Scheme::Ascii => Some('\x7F'),
        Scheme::Latin1 => Some('\u{FF}'),
        _ => None,
    }
}

/// How many bytes of a well-formed source a text is.
pub(super) fn source_len(from: Scheme, text: &[u8]) -> usize {
    if from == Scheme::Utf8 {
        return text.len();
    }
    let mut source = Vec::new();
    // (It has come from there, so it can go back.)
    Scheme::Utf8.transcode_append(from, text, &mut source).unwrap_or(text.len())
}

impl Work for ChunkConverter {
    type Context = Route;
    type Done = ConvertedChunk;

    fn wants_more(&self, head: &[u8]) -> bool {
        wants_more(&self.find_route, head)
    }

    fn examine(&self, head: &[u8]) -> (Route, Rule) {
        let route = (self.find_route)(head);
        let Route { from, skip, decode, .. } = route;
        let traced = route.is_partial();
        (route, Rule { from, policy: Policy::default(), skip, decode, traced, kept: false })
    }

    fn process(&self, input: &Opened<Route>, window: &Window, done: &mut ConvertedChunk) {
        let route @ Route { from, to, .. } = &input.context;
        let (from, to) = (*from, *to);
        let piece = window.piece();
        // An error at the end depends on what is behind it, too.
        let error_behind = |read: usize| match from.validate(&window.whole()[read..]) {
            Err(error) if read + error.at < piece.len() => Some(error),
            _ => None,
        };
        done.output.clear();
        done.same = from == to;
        (done.read, done.reason) = (piece.len(), None);
        let in_stream = self.positions && input.file.is_none();
        // UTF-8 is validated, and its lines counted, in one pass. Where there is an error, what is before it is counted below.
        let passed = if done.same && from == Scheme::Utf8 && (self.lines || in_stream) {
            let mut cursor = Cursor::new();
            cursor.pass_validated(piece).ok().map(|()| cursor)
        } else {
            None
        };
        if passed.is_some() {
            // There is no error, since pieces end with a character.
        } else if done.same {
            if let Some(error) = error_behind(0) {
                (done.read, done.reason) = (error.at, Some(Stop::Reason(Reason::IllFormed(error))));
            }
        } else if let Err(error) = from.transcode_append(to, piece, &mut done.output) {
            let reason = match error.reason {
                Reason::IllFormed(here) => Reason::IllFormed(error_behind(error.read).unwrap_or(here)),
                reason => reason,
            };
            (done.read, done.reason) = (error.read, Some(Stop::Reason(reason)));
        }
        (done.omitted, done.first) = (0, None);
        if self.transliterates
            && !self.omits
            && matches!(done.reason, Some(Stop::Reason(Reason::Unrepresentable { .. })))
        {
            let error = error_behind(done.read);
            done.transliterate(from, to, piece, error);
        }
        if self.omits && done.reason.take().is_some() {
            done.leave_out(route, piece, self.transliterates);
        }
        if let Some(encoding) = route.encode {
            done.encode(route, encoding, window, self);
        }
        // (The target may have no form for a character.)
        let passed = passed.filter(|_| done.first.is_none() && done.reason.is_none());
        done.lines = passed.as_ref().map(|cursor| cursor.position().line - 1);
        done.cursor = in_stream.then(|| {
            if let Some(cursor) = passed {
                return cursor;
            }
            let mut cursor = Cursor::new();
            let converted = &piece[..done.first.unwrap_or(done.read)];
            if to == Scheme::Utf8 && done.first.is_none() && done.reason.is_none() {
                cursor.pass_text(done.text(window));
            } else {
                pass(&mut cursor, from, converted, &mut done.scratch);
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
        let bytes = done.bytes(&input.context, window);
        output.write(bytes, input.original(window)).map_err(ChunkError::Output)?;
        if let (Some(cursor), Some(over)) = (&mut self.cursor, &done.cursor) {
            cursor.pass(over);
        }
        let from = input.context.from;
        let (piece, at) = (window.piece(), done.read);
        self.summary.bytes += window.fresh();
        self.summary.omitted += done.omitted;
        if let (None, Some(first)) = (self.summary.first, done.first) {
            let first = window.at() + first as u64;
            let malformed = input.decoding.as_ref().and_then(|decoding| decoding.malformed(first));
            let at = match malformed {
                Some(malformed) => malformed.at,
                None => input.find(first).map_err(ChunkError::Input)?.map_or(first, |(at, _)| at),
            };
            self.summary.first = Some(at);
            self.summary.position = self.position(input, first).map_err(ChunkError::Input)?;
            self.cursor = None;
        }
        if let Some(decoding) = &input.decoding {
            decoding.forget_before(window.at());
        }
        let (problem, bytes) = match done.reason {
            None => {
                output.advance(window.fresh()).map_err(ChunkError::Output)?;
                return Ok(None);
            }
            Some(Stop::Reason(Reason::IllFormed(error))) => {
                (Problem::IllFormed(error), error.evidence().to_vec())
            }
            Some(Stop::Reason(Reason::Unrepresentable { character, .. }) | Stop::Unmappable(character)) => {
                let end = piece.len().min(at + encoded_len(from, character));
                (Problem::Unrepresentable(character), piece[at..end].to_vec())
            }
            Some(Stop::Reason(Reason::UnrepresentableCodePoint { code_point, .. })) => {
                let end = at + code_point_len(from, &piece[at..]);
                (Problem::UnrepresentableCodePoint(code_point), piece[at..end].to_vec())
            }
            // The library may add reasons; this program does not ask for them.
            Some(_) => return Err(ChunkError::Input(io::Error::other("cannot be converted"))),
        };
        let at = window.at() + at as u64;
        let position = self.position(input, at).map_err(ChunkError::Input)?;
        output.advance(window.fresh()).map_err(ChunkError::Output)?;
        if let Some(decoding) = &input.decoding
            && let Some(Malformed { at, bytes, .. }) = decoding.malformed(at)
        {
            let problem = Problem::Malformed(decoding.encoding.name());
            return Ok(Some(ConversionError { at, position, problem, bytes }));
        }
        let found = input.find(at).map_err(ChunkError::Input)?;
        let (at, bytes) = found.unwrap_or((at, bytes));
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
