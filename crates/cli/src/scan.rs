//! Validation in chunks, in constant memory.
//!
//! The input goes chunk by chunk through a [`Window`] and is validated where it lies. A character
//! may be cut by the end of a chunk. Then the validator says *incomplete*, and the window keeps its
//! bytes for the next round.
//!
//! Only when the input has ended is *incomplete* an error. So every error is found at the same
//! offset, with the same evidence, as if the whole input lay in memory: a test goes through all
//! small chunk sizes.
//!
//! Lines and columns cost about as much as validation, and most files are in order. So they are
//! counted only where they are needed: never if nobody will see them; along the way if the input
//! is a stream; and for a file, when the first error has been found, by reading what is before it
//! once more.

use std::io::{self, Seek as _, SeekFrom};
use std::time::{Duration, Instant};

use runecast::{Engine, Utf8};
use runecast_explain::Cursor;
pub(crate) use runecast_explain::Finding;

use crate::source::{Input, patiently};
use crate::tally::Characters;
use crate::window::{CHUNK, Window};

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

/// Validates an input. The summary so far is in `summary` even if the scan breaks off.
pub(crate) fn scan(
    input: &mut Input,
    window: &mut Window,
    plan: Plan,
    observer: &mut impl Observer,
    summary: &mut Summary,
) -> Result<(), Broken> {
    let engine = Engine::current();
    let mut cursor = (plan.places && matches!(input, Input::Stream(_))).then(Cursor::new);
    let mut window_at = 0; // the offset of the window in the input
    let mut tail = 0;
    loop {
        let clock = Instant::now();
        let fresh = window.refill(input, tail).map_err(Broken::Input)?;
        summary.reading += clock.elapsed();
        summary.bytes += fresh as u64;
        let ended = fresh == 0;

        let bytes = window.bytes();
        let mut at = 0;
        tail = loop {
            let clock = Instant::now();
            let verdict = engine.validate::<Utf8>(&bytes[at..]);
            summary.validating += clock.elapsed();

            let end = verdict.map_or_else(|error| at + error.at, |()| bytes.len());
            let text = &bytes[at..end];
            if plan.characters {
                summary.characters.count(text);
            }
            if let Some(cursor) = &mut cursor {
                cursor.pass_text(text);
            }
            let error = match verdict {
                Ok(()) => break 0,
                Err(error) if error.is_incomplete() && !ended => break error.len,
                Err(error) => error,
            };

            if summary.found < plan.shown {
                if plan.places && cursor.is_none() {
                    // The first error of a file: `text` begins where the window does.
                    let mut late = count_again(input, window_at).map_err(Broken::Input)?;
                    late.pass_text(text);
                    cursor = Some(late);
                }
                let place = cursor.as_ref().map(Cursor::place);
                let finding = Finding { at: window_at + end as u64, place, error };
                observer.found(&finding).map_err(Broken::Output)?;
            }
            summary.found += 1;
            if !plan.to_the_end {
                return observer.proceeded(fresh as u64).map_err(Broken::Output);
            }
            if summary.found < plan.shown {
                if let Some(cursor) = &mut cursor {
                    cursor.pass_ill_formed();
                }
            } else {
                cursor = None;
            }
            at = end + error.len;
        };

        window_at += (bytes.len() - tail) as u64;
        observer.proceeded(fresh as u64).map_err(Broken::Output)?;
        if ended {
            return Ok(());
        }
    }
}

/// Leads a cursor over the first `length` bytes of a file, and goes back to where reading was.
///
/// If the file has become shorter in the meantime, the cursor stops at its new end: line and
/// column are then those of a text that is gone, and nothing worse.
fn count_again(input: &mut Input, length: u64) -> io::Result<Cursor> {
    let mut cursor = Cursor::new();
    let Input::Seekable(file) = input else {
        return Ok(cursor); // a stream has its cursor from the beginning
    };
    let back = file.stream_position()?;
    file.rewind()?;
    let mut chunk = vec![0; CHUNK];
    let mut left = length;
    while left > 0 {
        let want = CHUNK.min(usize::try_from(left).unwrap_or(CHUNK));
        let read = patiently(file, &mut chunk[..want])?;
        if read == 0 {
            break;
        }
        cursor.pass_text(&chunk[..read]);
        left -= read as u64;
    }
    file.seek(SeekFrom::Start(back))?;
    Ok(cursor)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write as _};

    use runecast_explain::Place;

    use super::*;

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

    fn rows(input: &mut Input, chunk: usize, plan: Plan) -> (Vec<Row>, Summary) {
        let (mut notes, mut summary) = (Notes::default(), Summary::default());
        scan(input, &mut Window::new(chunk), plan, &mut notes, &mut summary).expect("a readable input");
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

    #[test]
    fn no_chunk_size_changes_the_result() {
        for text in corpus() {
            let expected = one_shot(&text);
            for chunk in 1..=70 {
                let mut input = Input::Stream(Box::new(io::Cursor::new(text.clone())));
                let (found, summary) = rows(&mut input, chunk, ALL);
                assert_eq!((found, summary.characters.by_length), expected, "chunk of {chunk}");
                assert_eq!(summary.bytes, text.len() as u64);
                assert_eq!(summary.found, expected.0.len() as u64);
            }
            let mut input = Input::Stream(Box::new(Dribble(io::Cursor::new(text.clone()), 0)));
            assert_eq!(rows(&mut input, 64, ALL).0, expected.0);
        }
    }

    #[test]
    fn files_are_counted_late_and_agree() {
        for text in corpus().into_iter().step_by(7) {
            let expected = one_shot(&text).0;
            let mut file = tempfile::tempfile().expect("a temporary file");
            file.write_all(&text).expect("room for it");
            for chunk in [1, 2, 3, 7, 16, 64] {
                file.rewind().expect("a file can be rewound");
                let mut input = Input::Seekable(file.try_clone().expect("a second handle"));
                assert_eq!(rows(&mut input, chunk, ALL).0, expected);

                file.rewind().expect("a file can be rewound");
                let mut input = Input::Seekable(file.try_clone().expect("a second handle"));
                let first = Plan { to_the_end: false, shown: 1, ..ALL };
                assert_eq!(rows(&mut input, chunk, first).0, expected[..expected.len().min(1)]);
            }
        }
    }

    #[test]
    fn a_limit_counts_the_rest() {
        let text = b"\xFF\n".repeat(100);
        let mut input = Input::Stream(Box::new(io::Cursor::new(text)));
        let (found, summary) = rows(&mut input, 9, Plan { shown: 7, ..ALL });
        assert_eq!((found.len(), summary.found), (7, 100));
        assert_eq!(found[6].1, Some(Place { line: 7, column: 1 }));
    }
}
