//! Repair in chunks, in constant memory.
//!
//! The input goes through a [`Window`] as for [`validation`](crate::pipeline::validation). A [`ChunkRepairer`]
//! repairs each chunk by itself, into a buffer of its own. An [`InputRepair`] follows in order, hands what came out
//! to the [`TextOutput`] and adds up. What the last bytes of a chunk are may depend on the next one, for a behaviour
//! may know longer forms than Unicode does; they wait for it. So the output is that of the whole input at once; tests
//! hold every policy to that, with windows of all small sizes, alone and with several threads.
//!
//! A chunk that is well-formed is written as it is, if it may be, so that a well-formed file is as fast as `check`. In an encoding
//! older than Unicode what is well-formed is written as it is as well, and not encoded again, unless another one is wanted.
//!
//! The output buffer is as large as what comes out of one chunk: three times as much in UTF-8, one
//! U+FFFD for each byte, or whatever a text is that replaces it. For a long text the chunks are
//! smaller ([`chunk_for`]).

#[cfg(test)]
mod tests;

use encoding_rs::Encoding;
use runecast::{Escape, Policy, Scheme};
use runecast_explain::{Cursor, Position};

use crate::pipeline::conversion::source_len;
use crate::pipeline::legacy::{MALFORMED, encode};
use crate::pipeline::opened::Opened;
use crate::pipeline::positions::{cursor_at, cursor_at_start, pass};
use crate::pipeline::route::{FindRoute, Route, TextOutput, wants_more};
use crate::pipeline::window::{CHUNK, Rule, Window};
use crate::pipeline::work::{ChunkError, Work};

/// What a repair amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RepairSummary {
    /// Bytes read.
    pub(crate) bytes: u64,
    /// How many replacements were made.
    pub(crate) replaced: u64,
    /// The offset of the first of them.
    pub(crate) first: Option<u64>,
    /// Its line and column, if they are wanted.
    pub(crate) position: Option<Position>,
}

/// The size of chunks with which the output stays small as well.
pub(crate) fn chunk_for(policy: Policy<'_>) -> usize {
    match policy {
        Policy::With(text) => (16 * CHUNK / text.len().max(16)).max(64),
        _ => CHUNK,
    }
}

/// Repairs chunks.
pub(crate) struct ChunkRepairer {
    /// From which encoding to which.
    pub(crate) find_route: FindRoute,
    /// What is written where the input is ill-formed.
    pub(crate) policy: Policy<'static>,
    /// Whether the first replacement needs a line and a column.
    pub(crate) positions: bool,
}

/// What came of a chunk.
#[derive(Default)]
pub(crate) struct RepairedChunk {
    output: Vec<u8>,
    /// The output is the piece itself.
    same: bool,
    /// The output in a legacy encoding, if that is wanted; or what is written for each malformed sequence, if all else is to stay as it is.
    encoded: Vec<u8>,
    replaced: u64,
    /// Where the first replacement was made, in the piece.
    first: Option<usize>,
    /// A cursor over what is before it, in a stream.
    cursor: Option<Cursor>,
    scratch: Vec<u8>,
}

impl RepairedChunk {
    /// How many replacements were made in it.
    pub(crate) fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Counts what is malformed in a piece, and encodes what is written for each.
    fn replace(&mut self, encoding: &'static Encoding, piece: &[u8], policy: Policy<'_>) {
        self.encoded.clear();
        self.first = memchr::memchr(MALFORMED, piece);
        self.replaced = memchr::memchr_iter(MALFORMED, piece).count() as u64;
        if self.first.is_some() {
            Scheme::Utf8.transcode_lossy_append(Scheme::Utf8, &[MALFORMED], &mut self.output, policy);
            encode(encoding, &self.output, &mut self.encoded, |_, _, out| {
                out.push(b'?');
                true
            });
        }
    }

    /// Encodes the text that has come of a piece, with a question mark for what has no form. `marked`: a U+FFFD stands there for each
    /// replacement.
    fn encode(&mut self, from: Scheme, encoding: &'static Encoding, piece: &[u8], marked: bool) {
        self.encoded.clear();
        let text = if self.same { piece } else { &self.output };
        let (mut marks, mut others, mut first) = (0, 0, None);
        encode(encoding, text, &mut self.encoded, |at, character, out| {
            *if character == char::REPLACEMENT_CHARACTER { &mut marks } else { &mut others } += 1;
            first = first.or(Some(at));
            out.push(b'?');
            true
        });
        if let Some(first) = first {
            let first = source_len(from, &text[..first]);
            let counted = if marked { self.replaced.min(marks) } else { 0 };
            self.replaced += marks - counted + others;
            self.first = Some(self.first.map_or(first, |other| other.min(first)));
        }
    }
}

/// A text with a question mark for each character that an encoding has no form for.
fn encodable(encoding: &'static Encoding, text: &str) -> String {
    let has_form = |character: char| {
        encode(encoding, character.encode_utf8(&mut [0; 4]).as_bytes(), &mut vec![], |_, _, _| false)
            .is_none()
    };
    text.chars().map(|character| if has_form(character) { character } else { '?' }).collect()
}

impl Work for ChunkRepairer {
    type Context = Route;
    type Done = RepairedChunk;

    fn wants_more(&self, head: &[u8]) -> bool {
        wants_more(&self.find_route, head)
    }

    fn examine(&self, head: &[u8]) -> (Route, Rule) {
        let route = (self.find_route)(head);
        let Route { from, skip, decode, .. } = route;
        let kept = route.keeps_bytes();
        // (Where the first malformed sequence is was noted.)
        let traced = route.is_partial() && !kept;
        (route, Rule { from, policy: self.policy, skip, decode, traced, kept })
    }

    fn process(&self, input: &Opened<Route>, window: &Window, done: &mut RepairedChunk) {
        let Route { from, encode, .. } = input.context;
        let piece = window.piece();
        let with;
        let policy = match (encode, self.policy) {
            (Some(encoding), Policy::With(text)) => {
                with = encodable(encoding, text);
                Policy::With(&with)
            }
            (_, policy) => policy,
        };
        done.output.clear();
        (done.replaced, done.first) = (0, None);
        if let (Some(encoding), true) = (encode, input.context.keeps_bytes()) {
            done.replace(encoding, piece, policy);
        } else {
            self.repair(input, window, policy, done);
        }
        done.cursor = (self.positions && input.file.is_none()).then(|| {
            let mut cursor = Cursor::new();
            pass(&mut cursor, from, &piece[..done.first.unwrap_or(piece.len())], &mut done.scratch);
            cursor
        });
    }
}

impl ChunkRepairer {
    /// Repairs a chunk, and encodes it if need be.
    fn repair(&self, input: &Opened<Route>, window: &Window, policy: Policy<'_>, done: &mut RepairedChunk) {
        let Route { from, to, encode, .. } = input.context;
        let piece = window.piece();
        if let Policy::Escape(Escape::Backslash) = policy {
            // (The rest of such a sequence is escaped as well, and does not count again.)
            from.transcode_lossy_append(to, window.replaced(), &mut done.output, policy);
        }
        let unchanged = from == to && !policy.refuses_characters() && done.output.is_empty();
        done.same = unchanged && from.validate(piece).is_ok();
        if !done.same {
            let repaired = from.transcode_lossy_append(to, piece, &mut done.output, policy);
            (done.replaced, done.first) = (repaired.replaced as u64, repaired.first);
        }
        if let Some(encoding) = encode {
            done.encode(from, encoding, piece, matches!(policy, Policy::Replace(_)));
        }
    }
}

/// The repair of one input.
pub(crate) struct InputRepair {
    /// What it amounts to so far.
    pub(crate) summary: RepairSummary,
    positions: bool,
    /// It stops at the first replacement.
    cursor: Option<Cursor>,
}

impl InputRepair {
    /// At the beginning.
    pub(crate) fn new(positions: bool, input: &Opened<Route>) -> Self {
        let cursor = (positions && input.file.is_none()).then(|| cursor_at_start(&input.context));
        InputRepair { summary: RepairSummary::default(), positions, cursor }
    }

    /// The next chunk.
    pub(crate) fn take(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &RepairedChunk,
        output: &mut impl TextOutput,
    ) -> Result<(), ChunkError> {
        let summary = &mut self.summary;
        summary.bytes += window.fresh();
        summary.replaced += done.replaced;
        let end = window.at() + window.piece().len() as u64;
        match (&input.decoding, input.context.encode) {
            (Some(decoding), _) if decoding.keeps() => {
                let (bytes, text) = decoding.take(end, &done.encoded);
                output.write(text.as_ref().unwrap_or(&bytes), Some(&bytes))
            }
            (_, Some(_)) => output.write(&done.encoded, input.original(window)),
            (_, None) if done.same => output.write(window.piece(), input.original(window)),
            (_, None) => output.write(&done.output, input.original(window)),
        }
        .map_err(ChunkError::Output)?;
        if let (Some(cursor), Some(over)) = (&mut self.cursor, &done.cursor) {
            cursor.pass(over);
        }
        if let (None, Some(first)) = (summary.first, done.first) {
            let first = window.at() + first as u64;
            let malformed = input.decoding.as_ref().and_then(|decoding| decoding.malformed(first));
            let at = match malformed {
                Some(malformed) => malformed.at,
                None => input.find(first).map_err(ChunkError::Input)?.map_or(first, |(at, _)| at),
            };
            summary.first = Some(at);
            if let (true, None, Some(file)) = (self.positions, &self.cursor, &input.file) {
                self.cursor = Some(cursor_at(file, input.context.from, first).map_err(ChunkError::Input)?);
            }
            summary.position = self.cursor.take().map(|cursor| cursor.position());
        }
        if let Some(decoding) = &input.decoding {
            decoding.forget_before(window.at());
        }
        output.advance(window.fresh()).map_err(ChunkError::Output)
    }
}
