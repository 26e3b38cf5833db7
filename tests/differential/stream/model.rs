//! A stream with its types erased, how it is driven, and what it is held to.

use runecast::{Engine, LEAST_ROOM, Policy, Reason, Replacement, Step};

use super::vectors::chunks;
use crate::common::check::excerpt;
use crate::common::oracle::Encoding;
use crate::common::place::Place;

/// What came out.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The output, up to the error.
    pub out: Vec<u8>,
    /// Replacements.
    pub replaced: usize,
    /// Where the first of them was made.
    pub first: Option<usize>,
    /// Why it ended before the end.
    pub error: Option<Reason>,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} replaced, first {:?}, {:?}", self.replaced, self.first, self.error)
    }
}

/// How a stream is driven.
pub struct Drive<'a> {
    /// Its kernels.
    pub engine: Engine,
    /// What is written for what is ill-formed.
    pub policy: Option<Policy<'static>>,
    /// Where the text is cut, in units.
    pub cuts: &'a [usize],
    /// The rooms of outputs in units, by turns.
    pub rooms: &'a [usize],
    /// What is written after an error, to go on behind it.
    pub instead: Option<&'a [u8]>,
}

/// A pair of encodings, without types.
pub struct Row {
    pub source: Encoding,
    pub target: Encoding,
    /// In chunks.
    pub stream: fn(&[u8], &Drive<'_>) -> Outcome,
    /// At once.
    pub at_once: fn(Engine, Option<Policy<'static>>, &[u8]) -> Outcome,
}

/// What surrounds an output.
const CANARY: u8 = 0xC5;

impl Drive<'_> {
    /// Drives a stream through `text`. `take` converts a chunk into an output; units have so many bytes.
    pub fn run(
        &self,
        text: &[u8],
        (from, to): (usize, usize),
        mut take: impl FnMut(&[u8], &mut [u8], bool) -> Step,
    ) -> Outcome {
        let mut outcome = Outcome { out: Vec::new(), replaced: 0, first: None, error: None };
        let mut place = Place::new(text.len());
        let most = self.rooms.iter().max().expect("a room") + LEAST_ROOM + 1;
        // Room for units of any size, and canaries around it.
        let mut memory = vec![0_u64; most * to / 8 + 20];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
        let mut rooms = self.rooms.iter().copied().cycle();
        let count = self.cuts.len();
        for (number, chunk) in chunks(text, from, self.cuts).enumerate() {
            let last = number == count;
            let chunk = place.at(0, chunk);
            let (mut read, mut more) = (0, 0);
            loop {
                let room = rooms.next().expect("it goes round") + more;
                let (begin, end) = (64, 64 + room * to);
                bytes[..end + 64].fill(CANARY);
                let step = take(&chunk[read * from..], &mut bytes[begin..end], last);
                assert!(bytes[..begin].iter().chain(&bytes[end..end + 64]).all(|byte| *byte == CANARY));
                assert!(step.written <= room && read + step.read <= chunk.len() / from);
                outcome.out.extend_from_slice(&bytes[begin..][..step.written * to]);
                outcome.replaced += step.replaced;
                outcome.first = outcome.first.or(step.first);
                read += step.read;
                match step.error() {
                    None => assert_eq!(step.fault_len, 0),
                    Some(Reason::IllFormed(error)) => assert_eq!(step.fault_len, error.len, "{error:?}"),
                    // A character, in the source.
                    Some(_) => assert!(step.fault_len > 0),
                }
                match step.reason {
                    None => {
                        assert_eq!(read * from, chunk.len());
                        break;
                    }
                    Some(Reason::OutputFull) => {
                        // It gets on with every room that is large enough.
                        more = if step.written == 0 { more + 1 } else { 0 };
                        assert!(step.written > 0 || room < LEAST_ROOM, "no progress with room for {room}");
                    }
                    Some(reason) => {
                        let Some(instead) = self.instead else {
                            outcome.error = Some(reason);
                            return outcome;
                        };
                        outcome.out.extend_from_slice(instead);
                        outcome.replaced += 1;
                        let at = match reason {
                            Reason::IllFormed(error) => error.at,
                            Reason::Unrepresentable { at, .. } => at,
                            Reason::UnrepresentableCodePoint { at, .. } => at,
                            reason => panic!("{reason:?}"),
                        };
                        outcome.first.get_or_insert(at);
                    }
                }
            }
        }
        outcome
    }
}

impl Row {
    /// Holds the stream to the answer at once.
    pub fn ask(&self, text: &[u8], drive: &Drive<'_>) {
        let mut place = Place::new(text.len());
        let text = place.at(0, text);
        let policy = match drive.instead {
            Some(_) => Some(Policy::from(Replacement::Whatwg)),
            None => drive.policy,
        };
        let truth = (self.at_once)(drive.engine, policy, text);
        let found = (self.stream)(text, drive);
        if found == truth {
            return;
        }
        let differ = found.out.iter().zip(&truth.out).position(|(found, right)| found != right);
        let differ = differ.unwrap_or(found.out.len().min(truth.out.len()));
        panic!(
            "{:?}, {} to {}, {:?}, instead {:?}, cut at {:?}, rooms {:?}: differ at {differ}\n{}: {found}, should \
             be\n{}: {truth}\n{}",
            drive.engine,
            self.source.name,
            self.target.name,
            drive.policy,
            drive.instead,
            &drive.cuts[..drive.cuts.len().min(40)],
            drive.rooms,
            excerpt(&found.out, differ),
            excerpt(&truth.out, differ),
            excerpt(text, 0)
        );
    }

    /// U+FFFD in the target, or a question mark.
    pub fn substitute(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if !self.target.encode(0xFFFD, &mut bytes) {
            self.target.encode(0x3F, &mut bytes);
        }
        bytes
    }
}

/// None, and every kind of policy.
pub fn policies() -> Vec<Option<Policy<'static>>> {
    let mut all = vec![None];
    all.extend(Replacement::ALL.map(|replacement| Some(replacement.into())));
    all.extend(
        ["", "?", "<Ж漢🦀>", "nine char", "longer than what it stands for"].map(|text| Some(text.into())),
    );
    all.extend(runecast::Escape::ALL.map(|escape| Some(escape.into())));
    all.extend([Policy::DropAtTheRiskOfJoining, Policy::Omit].map(Some));
    all
}
