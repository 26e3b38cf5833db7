//! Validation and search in one pass are the two passes: masks, positions, chunks and lines on every engine.
//!
//! One engine and one of the ways to ask for each input; the texts are mostly short, and now and then repeated over the ends of blocks.

use arbitrary::Arbitrary;
use runecast::scan::{ByteSet, LineEnds, LineReader, RecordError, Scanner, lines, records};
use runecast::{Engine, Utf8};

use crate::choices::Choices;

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Input<'a> {
    who: u8,
    what: u8,
    sets: [u16; 2],
    chunk: u8,
    room: u8,
    limit: u16,
    repeat: u16,
    bytes: &'a [u8],
}

/// Some of sixteen bytes of ASCII.
fn set(bits: u16) -> ByteSet {
    let members: Vec<u8> = (0..16).filter(|bit| bits >> bit & 1 == 1).map(|bit| MEMBERS[bit]).collect();
    ByteSet::new(&members).expect("ASCII")
}

const MEMBERS: [u8; 16] = *b"\n\r\",; \t\\\0\x1F09az~\x7F";

/// A text, what is looked for, and what is to be found.
struct Question<'a> {
    bytes: &'a [u8],
    sets: [ByteSet; 2],
    engine: Engine,
}

impl Question<'_> {
    fn model(&self, set: ByteSet, from: usize, to: usize) -> u64 {
        let part = self.bytes[from..to].iter().enumerate();
        part.filter(|(_, byte)| set.contains(**byte)).fold(0, |mask, (at, _)| mask | 1_u64 << at)
    }

    fn masks(&self, from: usize, to: usize) -> [u64; 2] {
        self.sets.map(|set| self.model(set, from, to))
    }

    /// The masks of all lines of 64 bytes up to `end`.
    fn all(&self, end: usize) -> Vec<(usize, [u64; 2])> {
        (0..end).step_by(64).map(|from| (from, self.masks(from, end.min(from + 64)))).collect()
    }

    fn scan_all(&self) {
        let errors: Vec<_> = self.engine.ill_formed(self.bytes).collect();
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        self.engine.scan_all(
            self.bytes,
            &self.sets,
            |at, masks| found.push((at, masks)),
            |error| wrong.push(error),
        );
        assert_eq!((found, wrong), (self.all(self.bytes.len()), errors), "{}", self.engine.isa());
    }

    fn scan(&self) {
        let first = self.engine.validate::<Utf8>(self.bytes).err();
        let end = first.map_or(self.bytes.len(), |error| error.at);
        let mut found = Vec::new();
        let result = self.engine.scan(self.bytes, &self.sets, |at, masks| found.push((at, masks)));
        assert_eq!((found, result.err()), (self.all(end), first), "{}", self.engine.isa());
    }

    fn positions(&self, set: ByteSet, room: usize) {
        let first = self.engine.validate::<Utf8>(self.bytes).err();
        let end = first.map_or(self.bytes.len(), |error| error.at);
        let expected: Vec<u32> =
            (0..end).filter(|at| set.contains(self.bytes[*at])).map(|at| at as u32).collect();
        let mut list = Vec::new();
        let found = self.engine.positions_append(self.bytes, set, &mut list);
        assert_eq!((&list, found.read, found.error), (&expected, end, first), "{}", self.engine.isa());
        let mut room = vec![0_usize; room];
        let found = self.engine.positions(self.bytes, set, &mut room);
        assert_eq!(found.written, room.len().min(expected.len()));
        let mut both = room.iter().zip(&expected).take(found.written);
        assert!(both.all(|(at, expected)| *at == *expected as usize));
    }

    fn in_chunks(&self, chunk: usize) {
        let (mut scanner, mut wrong, mut at) = (Scanner::new(&self.sets), Vec::new(), 0);
        for chunk in self.bytes.chunks(chunk) {
            scanner.push_all_with(
                self.engine,
                chunk,
                |line, masks| {
                    let (from, to) = (at + line, at + chunk.len().min(line + 64));
                    assert_eq!(masks, self.masks(from, to), "{}", self.engine.isa());
                },
                |error| wrong.push(error),
            );
            at += chunk.len();
        }
        wrong.extend(scanner.finish().err());
        assert!(self.engine.ill_formed(self.bytes).eq(wrong), "{}", self.engine.isa());
    }

    fn lines(&self) {
        let mut std = self.bytes.split_inclusive(|byte| *byte == b'\n');
        for line in self.engine.lines(self.bytes) {
            let expected = std.next().expect("a line more than std has");
            let expected = expected
                .strip_suffix(b"\n")
                .map_or(expected, |line| line.strip_suffix(b"\r").unwrap_or(line));
            assert_eq!(line.ok(), std::str::from_utf8(expected).ok());
        }
        assert!(std.next().is_none(), "a line less than std has");
    }

    fn reader(&self, ends: LineEnds, limit: usize) {
        let owned = |line: Result<&str, RecordError>| line.map(str::to_owned);
        let mut expected = lines(self.bytes).ends(ends).limit(limit).map(owned);
        LineReader::new(self.bytes)
            .ends(ends)
            .limit(limit)
            .for_each(|line| assert_eq!(Some(owned(line)), expected.next()))
            .expect("no errors");
        assert_eq!(expected.next(), None);
    }

    fn records(&self) {
        let mut inside = false;
        let ends = self.bytes.iter().filter(|byte| {
            inside ^= self.sets[1].contains(**byte);
            self.sets[0].contains(**byte) && !inside
        });
        let ends = ends.count();
        let count = records(self.bytes, self.sets[0]).quoted(self.sets[1]).count();
        assert!(count == ends || count == ends + 1);
    }
}

/// One execution.
pub fn run(input: Input<'_>) {
    let most = 40_000 / input.bytes.len().max(1);
    let repeated = match input.repeat {
        // Seldom, for it takes as long as a thousand short ones: the bytes of this number are none that fuzzers like.
        repeat if repeat % 512 == 300 => input.bytes.repeat(1 + most),
        repeat => input.bytes.repeat(1 + usize::from(repeat % 2)),
    };
    // A byte or two are what is mostly asked for.
    let one = ByteSet::new(&[(input.sets[1] % 128) as u8]).expect("ASCII");
    let question = Question {
        bytes: &repeated,
        sets: [set(input.sets[0]), one],
        engine: Choices::new(&[input.who]).engine(),
    };
    match input.what % 8 {
        0 => question.scan_all(),
        1 => question.scan(),
        2 => question.positions(question.sets[0], input.room.into()),
        3 => question.positions(question.sets[1], input.room.into()),
        4 => question.in_chunks(1 + usize::from(input.chunk)),
        5 => question.lines(),
        6 => question.records(),
        _ => {
            let ends = [LineEnds::LINE_FEED, LineEnds::LINE_FEED.with_carriage_return(), LineEnds::UNICODE];
            question.reader(ends[usize::from(input.what / 8) % 3], input.limit.into());
        }
    }
}
