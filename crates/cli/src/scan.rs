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

use std::fs::File;
use std::io::{self, Read as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use runecast::{Engine, IllFormed, Policy, Utf8};

use crate::crew::{Then, Work};
use crate::encoding::Scheme;
use crate::feed::Opened;
use crate::position::{Cursor, Place};
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

/// An error, and where it is in the whole input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    /// The offset of its first byte.
    pub(crate) at: u64,
    /// Line and column, if the plan wants them.
    pub(crate) place: Option<Place>,
    /// The error itself; its own offset is that in some window and means nothing here.
    pub(crate) error: IllFormed,
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write as _};
    use std::num::NonZeroUsize;

    use super::*;
    use crate::crew::{Crew, Ledger};
    use crate::name::Name;
    use crate::source::{Input, Refusal, Source};

    const ALL: Plan = Plan { to_the_end: true, shown: u64::MAX, places: true, characters: true };

    /// Keeps what it is told.
    #[derive(Default)]
    struct Notes(Vec<Finding>, u64);

    impl Observer for Notes {
        fn found(&mut self, finding: &Finding) -> io::Result<()> {
            self.0.push(*finding);
            Ok(())
        }
        fn proceeded(&mut self, bytes: u64) -> io::Result<()> {
            self.1 += bytes;
            Ok(())
        }
    }

    /// A reader that gives as little as it may, in turn 1, 2, … bytes.
    struct Dribble(io::Cursor<Vec<u8>>, usize);

    impl Read for Dribble {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = self.1 % 5 + 1;
            let most = self.1.min(buffer.len());
            self.0.read(&mut buffer[..most])
        }
    }

    type Row = (u64, Option<Place>, usize, runecast::Kind, Vec<u8>);

    /// Keeps notes in order.
    struct Notebook {
        plan: Plan,
        scan: Option<Scan>,
        notes: Notes,
        stopped: bool,
    }

    impl Ledger<Validation> for Notebook {
        fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
            unreachable!("{refusal:?}")
        }
        fn begin(&mut self, input: &Arc<Opened<()>>) -> io::Result<Then> {
            self.scan = Some(Scan::new(self.plan, input));
            Ok(Then::GoOn)
        }
        fn chunk(&mut self, input: &Opened<()>, window: &Window, seen: &mut Seen) -> io::Result<Then> {
            let scan = self.scan.as_mut().expect("it has begun");
            Ok(scan.take(input, window, seen, &mut self.notes).expect("a readable input"))
        }
        fn end(&mut self, _: &Opened<()>, broken: Option<io::Error>) -> io::Result<()> {
            assert!(broken.is_none() && !self.stopped, "it ends once");
            self.stopped = true;
            Ok(())
        }
    }

    fn rows(input: Input, (chunk, jobs): (usize, usize), plan: Plan) -> (Vec<Row>, Summary) {
        let source = Source { name: Name::Inline("test"), size: None };
        let mut input = Some(input);
        let open = move |_: &Source| Ok(input.take().expect("it is opened once"));
        let notebook = Notebook { plan, scan: None, notes: Notes::default(), stopped: false };
        let jobs = NonZeroUsize::new(jobs).expect("someone to work");
        let crew = Crew { jobs, chunk, alone: 0, one_by_one: false };
        let inputs = Box::new(std::iter::once(Ok(source)));
        let (book, ended) = crew.run(inputs, Box::new(open), Validation(plan), notebook);
        ended.expect("nothing is written");
        let (notes, summary) = (book.notes, book.scan.expect("it has begun").summary);
        assert_eq!(notes.1, summary.bytes);
        let rows = notes
            .0
            .iter()
            .map(|f| (f.at, f.place, f.error.len, f.error.kind, f.error.evidence().to_vec()))
            .collect();
        (rows, summary)
    }

    /// The whole input at once, and lines and columns counted the slow way.
    fn one_shot(bytes: &[u8]) -> (Vec<Row>, [u64; 4]) {
        let (mut found, mut lengths, mut place, mut at) = (vec![], [0; 4], Place { line: 1, column: 1 }, 0);
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                lengths[character.len_utf8() - 1] += 1;
                place.column += 1;
                if character == '\n' {
                    place = Place { line: place.line + 1, column: 1 };
                }
            }
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                let mut here = runecast::ill_formed(&bytes[at..]);
                let error = here.next().expect("std found an error here");
                assert_eq!((error.at, error.len), (0, chunk.invalid().len()));
                found.push((at as u64, Some(place), error.len, error.kind, error.evidence().to_vec()));
                place.column += 1;
                at += error.len;
            }
        }
        (found, lengths)
    }

    fn corpus() -> Vec<Vec<u8>> {
        let mut texts: Vec<Vec<u8>> = vec![
            b"".to_vec(),
            b"\xF0\x9F".to_vec(),
            b"\x80".to_vec(),
            "naïve\n漢字かな交じり文\r\n🦀🦀\n".repeat(9).into_bytes(),
        ];
        // Every kind of error, in front of, between and behind characters of every length.
        let bad: [&[u8]; 14] = [
            b"\x80",
            b"\xC0\xAF",
            b"\xF5",
            b"\xFF",
            b"\xC3",
            b"\xE0\x80\x80",
            b"\xED\xA0\x80",
            b"\xF4\x90\x80\x80",
            b"\xE2\x82",
            b"\xF0\x9F",
            b"\xF0\x9F\xA6",
            b"\xF0\x80",
            b"\xF1",
            b"\xE2\x28\xA1",
        ];
        for good in ["a", "é", "漢", "🦀", "line\nline", ""] {
            for lead_in in 0..5 {
                let mut text = "xy\n".repeat(lead_in).into_bytes();
                text.resize(text.len() + lead_in, b'.');
                for bad in bad {
                    text.extend_from_slice(bad);
                    text.extend_from_slice(good.as_bytes());
                    text.extend_from_slice(good.as_bytes());
                }
                for cut in 0..4 {
                    texts.push(text[..text.len() - cut].to_vec());
                }
            }
        }
        texts
    }

    fn stream(text: &[u8]) -> Input {
        Input::Stream(Box::new(io::Cursor::new(text.to_vec())))
    }

    #[test]
    fn no_chunk_size_changes_the_result() {
        for text in corpus() {
            let expected = one_shot(&text);
            for chunk in 1..=70 {
                let (found, summary) = rows(stream(&text), (chunk, 1), ALL);
                assert_eq!((found, summary.characters.by_length), expected, "chunk of {chunk}");
                assert_eq!(summary.bytes, text.len() as u64);
                assert_eq!(summary.found, expected.0.len() as u64);
            }
            let input = Input::Stream(Box::new(Dribble(io::Cursor::new(text.clone()), 0)));
            assert_eq!(rows(input, (64, 1), ALL).0, expected.0);
        }
    }

    #[test]
    fn no_number_of_threads_changes_the_result() {
        for text in corpus().into_iter().step_by(5) {
            let expected = one_shot(&text);
            for how in [(1, 3), (2, 2), (5, 8), (16, 3)] {
                let (found, summary) = rows(stream(&text), how, ALL);
                assert_eq!((found, summary.characters.by_length), expected, "{how:?}");
            }
        }
    }

    #[test]
    fn files_are_counted_late_and_agree() {
        for text in corpus().into_iter().step_by(7) {
            let (expected, lengths) = one_shot(&text);
            let mut file = tempfile::tempfile().expect("a temporary file");
            file.write_all(&text).expect("room for it");
            for how in [(4, 1), (4, 3), (8, 2), (12, 1), (64, 1), (68, 4), (4096, 2)] {
                let input = || Input::Seekable(file.try_clone().expect("a second handle"));
                let (found, summary) = rows(input(), how, ALL);
                assert_eq!((found, summary.characters.by_length), (expected.clone(), lengths), "{how:?}");
                assert_eq!(summary.bytes, text.len() as u64);

                let first = Plan { to_the_end: false, shown: 1, ..ALL };
                assert_eq!(rows(input(), how, first).0, expected[..expected.len().min(1)], "{how:?}");
            }
        }
    }

    #[test]
    fn a_limit_counts_the_rest() {
        let text = b"\xFF\n".repeat(100);
        let (found, summary) = rows(stream(&text), (9, 1), Plan { shown: 7, ..ALL });
        assert_eq!((found.len(), summary.found), (7, 100));
        assert_eq!(found[6].1, Some(Place { line: 7, column: 1 }));
    }
}
