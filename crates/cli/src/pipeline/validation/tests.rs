//! Validation against the standard library, in windows of all small sizes.

use std::sync::Arc;

use runecast_explain::Position;

use super::*;
use crate::io::source::{Input, Refusal};
use crate::pipeline::test_support::{TestFile, run, short_reads, stream};
use crate::pipeline::work::OrderedOutput;

const NOTHING: Forbidden = Forbidden { mark: false, nul: false, carriage_return: false };
const ALL: Plan =
    Plan { to_the_end: true, shown: u64::MAX, positions: true, characters: true, forbidden: NOTHING };

/// Keeps what it is told.
#[derive(Default)]
struct Notes(Vec<Finding>, u64, Vec<(u64, Option<Position>)>);

impl Observer for Notes {
    fn found(&mut self, found: &Found) -> io::Result<()> {
        match found {
            Found::IllFormed(finding) => {
                self.0.push(*finding);
                self.2.push((finding.at, finding.position));
            }
            Found::Forbidden { at, position, .. } => self.2.push((*at, *position)),
            Found::Malformed { .. } => panic!("this is UTF-8"),
        }
        Ok(())
    }
    fn advance(&mut self, bytes: u64) -> io::Result<()> {
        self.1 += bytes;
        Ok(())
    }
}

type Row = (u64, Option<Position>, usize, runecast::Kind, Vec<u8>);

/// Keeps notes of one input.
struct Output {
    plan: Plan,
    validation: Option<InputValidation>,
    notes: Notes,
    stopped: bool,
}

impl OrderedOutput<ChunkValidator> for Output {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        unreachable!("{refusal:?}")
    }
    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<ControlFlow<()>> {
        self.validation = Some(InputValidation::new(self.plan, input));
        Ok(ControlFlow::Continue(()))
    }
    fn chunk(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &mut ValidatedChunk,
    ) -> io::Result<ControlFlow<()>> {
        let validation = self.validation.as_mut().expect("it has begun");
        Ok(validation.take(input, window, done, &mut self.notes).expect("a readable input"))
    }
    fn end(&mut self, _: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        assert!(broken.is_none() && !self.stopped, "it ends once");
        self.stopped = true;
        Ok(())
    }
}

/// Validates UTF-8.
fn validator(plan: Plan) -> ChunkValidator {
    let find_route = |_: &[u8]| Route::between(Scheme::Utf8, Scheme::Utf8);
    ChunkValidator { plan, find_route: Box::new(find_route) }
}

fn rows(input: Input, how: (usize, usize), plan: Plan) -> (Vec<Row>, ValidationSummary) {
    let output = Output { plan, validation: None, notes: Notes::default(), stopped: false };
    let output = run(input, how, validator(plan), output);
    let (notes, summary) = (output.notes, output.validation.expect("it has begun").summary);
    assert_eq!(notes.1, summary.bytes);
    let rows = notes
        .0
        .iter()
        .map(|f| (f.at, f.position, f.error.len, f.error.kind, f.error.evidence().to_vec()))
        .collect();
    (rows, summary)
}

/// The whole input at once, and lines and columns counted the slow way.
fn one_shot(bytes: &[u8]) -> (Vec<Row>, [u64; 4]) {
    let (mut found, mut lengths, mut position, mut at) = (vec![], [0; 4], Position { line: 1, column: 1 }, 0);
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            lengths[character.len_utf8() - 1] += 1;
            position.column += 1;
            if character == '\n' {
                position = Position { line: position.line + 1, column: 1 };
            }
        }
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            let mut here = runecast::ill_formed(&bytes[at..]);
            let error = here.next().expect("std found an error here");
            assert_eq!((error.at, error.len), (0, chunk.invalid().len()));
            found.push((at as u64, Some(position), error.len, error.kind, error.evidence().to_vec()));
            position.column += 1;
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
            let (found, summary) = rows(stream(&text), (chunk, 1), ALL);
            assert_eq!((found, summary.characters.by_length), expected, "chunk of {chunk}");
            assert_eq!(summary.bytes, text.len() as u64);
            assert_eq!(summary.found, expected.0.len() as u64);
        }
        assert_eq!(rows(short_reads(&text, 5, 1), (64, 1), ALL).0, expected.0);
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
        let file = TestFile::new(&text);
        for how in [(4, 1), (4, 3), (8, 2), (12, 1), (64, 1), (68, 4), (4096, 2)] {
            let (found, summary) = rows(file.open(), how, ALL);
            assert_eq!((found, summary.characters.by_length), (expected.clone(), lengths), "{how:?}");
            assert_eq!(summary.bytes, text.len() as u64);

            let first = Plan { to_the_end: false, shown: 1, ..ALL };
            assert_eq!(rows(file.open(), how, first).0, expected[..expected.len().min(1)], "{how:?}");
        }
    }
}

#[test]
fn a_limit_counts_the_rest() {
    let text = b"\xFF\n".repeat(100);
    let (found, summary) = rows(stream(&text), (9, 1), Plan { shown: 7, ..ALL });
    assert_eq!((found.len(), summary.found), (7, 100));
    assert_eq!(found[6].1, Some(Position { line: 7, column: 1 }));
}

/// A reserved sequence of Corrected UTF-8 has no end: how much of it was read at once is no matter of the text.
#[test]
fn reserved_sequences_have_no_length() {
    let text = [b"ab\xFF", &b"\x80".repeat(60)[..], b"c\xFE\x80"].concat();
    let plan = Plan { positions: false, characters: false, ..ALL };
    for chunk in 1..80 {
        for input in [stream(&text), short_reads(&text, 5, 1), TestFile::new(&text).open()] {
            let find_route = |_: &[u8]| Route::between(Scheme::CorrectedUtf8, Scheme::CorrectedUtf8);
            let work = ChunkValidator { plan, find_route: Box::new(find_route) };
            let output = Output { plan, validation: None, notes: Notes::default(), stopped: false };
            let found = run(input, (chunk, 1), work, output).notes.0;
            let found: Vec<_> = found.iter().map(|found| (found.at, found.error.len)).collect();
            assert_eq!(found, [(2, 1), (64, 1)], "{chunk}");
        }
    }
}

/// Where something is ill-formed or forbidden, counted the slow way; and the characters by their lengths.
fn forbidden_one_shot(bytes: &[u8]) -> (Vec<(u64, Option<Position>)>, [u64; 4]) {
    let (mut found, lengths) = one_shot(bytes);
    let mut all: Vec<_> = found.drain(..).map(|row| (row.0, row.1)).collect();
    let (mut position, mut at) = (Position { line: 1, column: 1 }, 0);
    for chunk in bytes.utf8_chunks() {
        for (i, character) in chunk.valid().char_indices() {
            if matches!(character, '\0' | '\r') || character == '\u{FEFF}' && at + i == 0 {
                all.push(((at + i) as u64, Some(position)));
            }
            position.column += 1;
            if character == '\n' {
                position = Position { line: position.line + 1, column: 1 };
            }
        }
        at += chunk.valid().len() + chunk.invalid().len();
        position.column += u64::from(!chunk.invalid().is_empty());
    }
    all.sort_by_key(|(at, _)| *at);
    (all, lengths)
}

#[test]
fn what_is_forbidden_is_found_in_its_order_and_place() {
    let forbidden = Forbidden { mark: true, nul: true, carriage_return: true };
    let plan = Plan { forbidden, ..ALL };
    let texts: [&[u8]; 8] = [
        b"",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB\xBFone\r\ntwo\r\n\0",
        "näïve\r\r\n漢\0字\u{FEFF}🦀\r".as_bytes(),
        b"\xFF\r\xFF\0\xE2\x82\r\n\xF0\x9F",
        b"\r\xEF\xBB\xBF\xEF\xBB",
        b"\0\0\0\n\r\xC3",
        b"nothing\nhere\n",
    ];
    for text in texts {
        let (expected, lengths) = forbidden_one_shot(text);
        let file = TestFile::new(text);
        for chunk in 1..=40_usize {
            for threads in [1, 3] {
                let inputs = [stream(text), short_reads(text, 5, 1), file.open()];
                for (input, size) in inputs.into_iter().zip([chunk, chunk, chunk.next_multiple_of(4)]) {
                    let run = |input, plan| {
                        let output =
                            Output { plan, validation: None, notes: Notes::default(), stopped: false };
                        let output = run(input, (size, threads), validator(plan), output);
                        (output.notes.2, output.validation.expect("it has begun").summary)
                    };
                    let (found, summary) = run(input, plan);
                    assert_eq!(found, expected, "{text:X?} {size} {threads}");
                    assert_eq!(summary.found, expected.len() as u64);
                    assert_eq!(summary.ill_formed(), one_shot(text).0.len() as u64);
                    assert_eq!(summary.characters.by_length, lengths);
                    for limit in [0, 1, 2] {
                        let (found, summary) = run(stream(text), Plan { shown: limit, ..plan });
                        assert_eq!(found, expected[..expected.len().min(limit as usize)]);
                        assert_eq!(
                            summary.found,
                            expected.len() as u64,
                            "{text:X?} {size} {threads} {limit}"
                        );
                    }
                    let first = Plan { to_the_end: false, shown: 1, ..plan };
                    assert_eq!(run(file.open(), first).0, expected[..expected.len().min(1)]);
                }
            }
        }
    }
}
