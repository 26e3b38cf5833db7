//! What a conversion has to say, and whether it says it.
//!
//! [`Expected`] is found once from the oracle's list of characters: the whole output, and how much
//! is read and written behind each character. From that follows the answer for an output buffer
//! of any size, and there is exactly one: the end of the last character that fits, and what is
//! wrong with the next one, where "ill-formed" comes before "not representable", and that before
//! "does not fit". Every engine is held to it, to the unit and to the byte.

use std::borrow::Cow;
use std::fmt::{Debug, Display};

use runecast::{Engine, IllFormed, Kind, Reason, TranscodeError};

use super::pairs::{Outcome, Pair};
use crate::common::check::excerpt;
use crate::common::oracle::{Decoded, Encoding, Family, Surrogates};
use crate::common::place::UNIT;

/// How a conversion ends, if the output is large enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was converted.
    Complete,
    /// Offset and length in bytes, and the rule.
    IllFormed(usize, usize, Kind),
    /// A character that the target does not have.
    Unrepresentable(u32),
}

/// The truth about one pair and one text.
#[derive(Debug)]
pub struct Expected {
    /// The output, up to the end.
    pub output: Vec<u8>,
    /// Bytes read and written at every character boundary, from (0, 0) on.
    pub bounds: Vec<(usize, usize)>,
    /// What stops it there.
    pub end: End,
}

impl Expected {
    /// What is to be expected when `decoded` is converted to `target`.
    pub fn of(decoded: &Decoded, target: &Encoding) -> Expected {
        let mut output = Vec::with_capacity(4 * decoded.characters.len());
        let mut bounds = Vec::with_capacity(decoded.characters.len() + 1);
        let mut read = 0;
        bounds.push((0, 0));
        for (scalar, len) in joined(&decoded.characters, target).iter() {
            if !target.encode(*scalar, &mut output) {
                return Expected { output, bounds, end: End::Unrepresentable(*scalar) };
            }
            read += *len;
            bounds.push((read, output.len()));
        }
        let end = decoded.error.map_or(End::Complete, |(at, len, kind)| End::IllFormed(at, len, kind));
        Expected { output, bounds, end }
    }

    /// Bytes read and written, and whether that is all there is, in an output of `room` bytes.
    pub fn within(&self, room: usize) -> (usize, usize, bool) {
        let after = self.bounds.partition_point(|(_, written)| *written <= room);
        let (read, written) = self.bounds[after - 1];
        (read, written, after == self.bounds.len())
    }

    /// Holds `outcome`, of a conversion into `room` bytes, to the truth; returns the bytes that
    /// should have been written.
    #[track_caller]
    pub fn hold(&self, pair: &Pair, src: &[u8], room: usize, outcome: Outcome, who: impl Display) -> &[u8] {
        let (read, written, all) = self.within(room);
        let (units_read, units_written) = (read / pair.source.unit, written / pair.target.unit);
        let agrees = match outcome {
            Ok(units) => all && self.end == End::Complete && units == units_written,
            Err(TranscodeError { read, written, reason, .. }) => {
                (read, written) == (units_read, units_written)
                    && match reason {
                        Reason::OutputFull => !all,
                        Reason::IllFormed(error) => all && self.is_error(pair, src, &error),
                        Reason::Unrepresentable { at, character } => {
                            all && at == read && self.end == End::Unrepresentable(character.into())
                        }
                        Reason::UnrepresentableCodePoint { at, code_point } => {
                            all && at == read
                                && char::from_u32(code_point).is_none()
                                && self.end == End::Unrepresentable(code_point)
                        }
                        _ => false,
                    }
            }
        };
        if !agrees {
            let end = if all { format!("{:?}", self.end) } else { "OutputFull".into() };
            panic!(
                "{who} says {outcome:?}, into {room} bytes; should have read {units_read} units, written \
                 {units_written}, then: {end}. {}",
                blame(pair, src, read)
            );
        }
        &self.output[..written]
    }

    /// Whether `error` is the one that ends the text.
    pub fn is_error(&self, pair: &Pair, src: &[u8], error: &IllFormed) -> bool {
        let unit = pair.source.unit;
        let seen = End::IllFormed(error.at * unit, error.len * unit, error.kind);
        seen == self.end && shows_its_bytes(&pair.source, src, error)
    }
}

/// Characters on their way to `target`, where a high surrogate and a low one behind it may be one.
fn joined<'a>(characters: &'a [(u32, usize)], target: &Encoding) -> Cow<'a, [(u32, usize)]> {
    if target.surrogates != Surrogates::Unpaired {
        return characters.into();
    }
    let mut all: Vec<(u32, usize)> = Vec::new();
    for (point, len) in characters {
        match all.last_mut() {
            Some((high @ 0xD800..0xDC00, before)) if (0xDC00..0xE000).contains(point) => {
                *high = 0x1_0000 + (*high - 0xD800) * 0x400 + (*point - 0xDC00);
                *before += len;
            }
            _ => all.push((*point, *len)),
        }
    }
    all.into()
}

/// Whether the bytes that an error carries are those of the input, units with their most
/// significant byte first.
fn shows_its_bytes(source: &Encoding, src: &[u8], error: &IllFormed) -> bool {
    let mut piece = src[error.at * source.unit..][..error.len * source.unit].to_vec();
    if source.unit > 1 && cfg!(target_endian = "little") {
        piece.reverse();
    }
    let more = if matches!(source.family, Family::Eight | Family::Leads(_)) { 1 } else { 0 };
    error.subpart() == piece
        && error.evidence().starts_with(&piece)
        && error.evidence().len() <= piece.len() + more
        && error.is_incomplete() == (error.kind == Kind::Incomplete)
}

/// The pair and the bytes around `at`.
pub fn blame(pair: &Pair, src: &[u8], at: usize) -> String {
    format!("{} to {}: {}", pair.source.name, pair.target.name, excerpt(src, at))
}

/// Room for an output between canaries, at every alignment.
pub struct Output {
    room: Vec<u8>,
    capacity: usize,
}

const CANARY: u8 = 0xC5;

impl Output {
    /// Room for up to `capacity` bytes.
    pub fn new(capacity: usize) -> Output {
        Output { room: vec![CANARY; capacity + 4 * UNIT], capacity }
    }

    /// Lets `engine` convert `src` into `room` bytes that lie `offset` behind a multiple of
    /// [`UNIT`], and holds it to what is `expected`.
    #[track_caller]
    pub fn ask(
        &mut self,
        pair: &Pair,
        engine: Engine,
        src: &[u8],
        expected: &Expected,
        room: usize,
        offset: usize,
    ) {
        self.ask_function(pair, &engine, src, expected, room, offset, |src, dst| {
            (pair.transcode)(engine, src, dst)
        });
    }

    /// [`ask`](Self::ask), of any function that converts into a slice. `who` is its name.
    #[track_caller]
    #[allow(clippy::too_many_arguments, reason = "where from, where to, and what is so")]
    pub fn ask_function(
        &mut self,
        pair: &Pair,
        who: &dyn Debug,
        src: &[u8],
        expected: &Expected,
        room: usize,
        offset: usize,
        convert: impl FnOnce(&[u8], &mut [u8]) -> Outcome,
    ) {
        assert!(room <= self.capacity && offset < UNIT, "{room} bytes of room at {offset}");
        let begin = self.room.as_ptr().align_offset(UNIT) + UNIT + offset;
        let end = begin + room;
        let outcome = convert(src, &mut self.room[begin..end]);
        let right = expected.within(room);
        let intact = |canaries: &[u8]| *canaries == [CANARY; UNIT];
        if outcome.is_ok() != (right.2 && expected.end == End::Complete)
            || self.room[begin..begin + right.1] != expected.output[..right.1]
            || !intact(&self.room[end..end + UNIT])
            || !intact(&self.room[begin - UNIT..begin])
        {
            expected.hold(pair, src, room, outcome, format_args!("{who:?}"));
            let wrong = (0..right.1).find(|i| self.room[begin + i] != expected.output[*i]);
            let behind = (end..end + UNIT).find(|i| self.room[*i] != CANARY).map(|i| i - end);
            panic!(
                "{who:?}, into {room} bytes at {offset}: output differs at {wrong:?}, \
                 wrote behind its end at {behind:?} (or before it): {}",
                blame(pair, src, right.0)
            );
        }
        match outcome {
            Ok(written) if written * pair.target.unit == right.1 => {}
            outcome => {
                expected.hold(pair, src, room, outcome, format_args!("{who:?}"));
            }
        }
        // The next canaries; what was written must not be taken for output another time.
        self.room[begin..end].fill(CANARY);
    }
}
