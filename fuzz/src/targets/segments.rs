//! Long text in several scripts, and a few spoiled bytes.
//!
//! libFuzzer by itself does not get to a kilobyte of Cyrillic followed by a kilobyte of Chinese
//! with a C0 at the boundary. Here it writes the score instead: runs of a class and a length, and
//! changes to single places; most of them beside a boundary. Then somebody is asked, as in the tests.

use arbitrary::Arbitrary;

use crate::choices::Choices;
use crate::common::check::Truth;
use crate::common::texts::{BOUNDARY_BYTES, Class, ILL_FORMED, Rng};

/// A stretch of one kind of text.
#[derive(Arbitrary, Debug)]
struct Run {
    class: u8,
    len: u16,
    seed: u8,
}

/// Where something is changed.
#[derive(Arbitrary, Debug)]
enum Where {
    /// At a place of its own.
    Anywhere(u16),
    /// This far from the end of a run.
    BesideRun { run: u8, offset: i8 },
    /// This far from a multiple of 64.
    BesideBlock { block: u8, offset: i8 },
}

/// What is changed there.
#[derive(Arbitrary, Debug)]
enum Change {
    Replace(Where, u8),
    ReplaceByBoundary(Where, u8),
    Insert(Where, u8),
    Remove(Where),
    CutOff(Where),
}

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Score {
    /// Who is asked.
    who: u8,
    /// Seldom, runs are of up to two kilobytes, and not of a hundred bytes.
    long: u8,
    runs: Vec<Run>,
    changes: Vec<Change>,
}

impl Score {
    fn play(&self) -> Vec<u8> {
        let (mut bytes, mut boundaries) = (Vec::new(), vec![0]);
        for run in self.runs.iter().take(12) {
            let class = Class::ALL[usize::from(run.class) % Class::ALL.len()];
            let text = class.text(
                usize::from(run.len) % if self.long % 64 == 13 { 2048 } else { 128 },
                &mut Rng::new(run.seed.into()),
            );
            bytes.extend_from_slice(text.as_bytes());
            boundaries.push(bytes.len());
        }
        for change in self.changes.iter().take(4) {
            change.apply(&mut bytes, &boundaries);
        }
        bytes
    }
}

impl Where {
    /// The place, at most `len`.
    fn find(&self, len: usize, boundaries: &[usize]) -> usize {
        match *self {
            Where::Anywhere(at) => usize::from(at) % (len + 1),
            Where::BesideRun { run, offset } => {
                let boundary = boundaries[usize::from(run) % boundaries.len()];
                boundary.saturating_add_signed(isize::from(offset % 8)).min(len)
            }
            Where::BesideBlock { block, offset } => {
                (usize::from(block) * 64).saturating_add_signed(isize::from(offset % 8)).min(len)
            }
        }
    }
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>, boundaries: &[usize]) {
        let len = bytes.len();
        let mut replace = |at: usize, new: u8| {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = new;
            }
        };
        match self {
            Change::Replace(place, new) => replace(place.find(len, boundaries), *new),
            Change::ReplaceByBoundary(place, which) => {
                replace(
                    place.find(len, boundaries),
                    BOUNDARY_BYTES[usize::from(*which) % BOUNDARY_BYTES.len()],
                );
            }
            Change::Insert(place, which) => {
                let at = place.find(len, boundaries);
                bytes.splice(at..at, ILL_FORMED[usize::from(*which) % ILL_FORMED.len()].iter().copied());
            }
            Change::Remove(place) => {
                let at = place.find(len, boundaries);
                if at < len {
                    bytes.remove(at);
                }
            }
            Change::CutOff(place) => bytes.truncate(place.find(len, boundaries)),
        }
    }
}

/// One execution.
pub fn run(score: Score) {
    let bytes = score.play();
    let truth = Truth::about(&bytes);
    match score.who {
        0..240 => truth.ask(Choices::new(&[score.who]).engine(), &bytes),
        _ => truth.ask_functions(&bytes),
    }
}
