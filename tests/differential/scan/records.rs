//! Lines and records: against a loop over characters, std's `lines` and `split`, and those of a reader against those of the slice.

use std::io::Read;

use runecast::scan::{ByteSet, LineEnds, LineReader, RecordError, lines, records};

use super::{errors, set, text};
use crate::common::check::engines;
use crate::common::scale;
use crate::common::texts::{Class, ILL_FORMED, Rng};

/// Lines cut by a loop over characters; `None` where there is an ill-formed sequence in one.
fn cut(bytes: &[u8], is_end: impl Fn(char) -> bool) -> Vec<Option<String>> {
    // What is ill-formed becomes a character that is no line end.
    let text = String::from_utf8_lossy(bytes);
    let bad: Vec<bool> = bytes
        .utf8_chunks()
        .flat_map(|chunk| {
            let valid = chunk.valid().chars().map(|_| false);
            valid.chain((!chunk.invalid().is_empty()).then_some(true)).collect::<Vec<_>>()
        })
        .collect();
    let (mut lines, mut line, mut broken) = (Vec::new(), String::new(), false);
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    let mut open = false;
    while at < characters.len() {
        let ended = is_end(characters[at]);
        let pair = characters[at..].starts_with(&['\r', '\n']);
        at += if pair { 2 } else { 1 };
        if ended || pair {
            lines.push((!broken).then(|| std::mem::take(&mut line)));
            line.clear();
            (broken, open) = (false, false);
        } else {
            line.push(characters[at - 1]);
            broken |= bad[at - 1];
            open = true;
        }
    }
    if open {
        lines.push((!broken).then_some(line));
    }
    lines
}

fn with_ends(rng: &mut Rng, len: usize) -> Vec<u8> {
    let ends = [
        "\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{82}", "\u{2030}", "\n\r", "\r\r\n", "ä",
        "“",
    ];
    let mut bytes = Vec::new();
    while bytes.len() < len {
        bytes.extend(Class::ALL[rng.below(7)].text(rng.below(40), rng).bytes());
        bytes.extend(ends[rng.below(ends.len())].bytes());
        if rng.below(60) == 0 {
            bytes.extend(ILL_FORMED[rng.below(ILL_FORMED.len())]);
        }
    }
    bytes
}

/// The texts of lines, and the offsets of errors inside of them.
fn read<'a>(lines: impl Iterator<Item = Result<&'a str, RecordError>>) -> Vec<Option<String>> {
    lines.map(|line| line.ok().map(str::to_owned)).collect()
}

#[test]
fn lines_are_those_of_std() {
    let mut rng = Rng::new(707);
    for round in 0..scale::size(2000, 600, 40) {
        let bytes = with_ends(&mut rng, [0, 1, 50, 300, 5000, 40_000][round % 6]);
        for engine in engines() {
            let all = errors(engine, &bytes);
            let ours: Vec<_> = engine.lines(&bytes).collect();
            let std: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            assert_eq!(ours.len(), std.len());
            for (ours, line) in ours.iter().zip(std) {
                let line =
                    line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
                match (ours, std::str::from_utf8(line)) {
                    (Ok(ours), Ok(line)) => assert_eq!(*ours, line),
                    (Err(RecordError::IllFormed(error)), Err(why)) => {
                        let at = line.as_ptr() as usize - bytes.as_ptr() as usize;
                        assert_eq!(error.at, at + why.valid_up_to());
                        assert!(all.contains(error), "{error:?}");
                    }
                    (ours, line) => panic!("{ours:?}, {line:?}"),
                }
            }
            if let Ok(text) = std::str::from_utf8(&bytes) {
                assert!(engine.lines(&bytes).map(Result::unwrap).eq(text.lines()));
            }
        }
    }
}

#[test]
fn all_line_ends() {
    let mut rng = Rng::new(708);
    let plain = LineEnds::LINE_FEED;
    for round in 0..scale::size(2000, 600, 40) {
        let bytes = with_ends(&mut rng, [0, 1, 50, 300, 5000, 40_000][round % 6]);
        for engine in engines() {
            let lines = |ends| read(engine.lines(&bytes).ends(ends));
            assert_eq!(lines(plain), cut(&bytes, |c| c == '\n'));
            assert_eq!(lines(plain.with_carriage_return()), cut(&bytes, |c| matches!(c, '\n' | '\r')));
            assert_eq!(lines(plain.with_next_line()), cut(&bytes, |c| matches!(c, '\n' | '\u{85}')));
            let separators = plain.with_separators();
            assert_eq!(lines(separators), cut(&bytes, |c| matches!(c, '\n' | '\u{2028}' | '\u{2029}')));
            let all = |c| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
            assert_eq!(lines(LineEnds::UNICODE), cut(&bytes, all));
        }
    }
}

#[test]
fn records_and_quotes() {
    let mut rng = Rng::new(709);
    for round in 0..scale::size(2000, 600, 40) {
        let len = [0, 1, 50, 300, 5000, 40_000][round % 6];
        let bytes = text(Class::ALL[round % 7], len, &mut rng);
        // A byte that is in both sets counts itself.
        let (ends, quotes, both) = (set(b",\n"), set(b"\""), set(b"\"\n"));
        let model = |quotes: ByteSet| {
            let (mut records, mut record, mut inside) = (Vec::new(), Vec::new(), false);
            for &byte in &bytes {
                inside ^= quotes.contains(byte);
                if ends.contains(byte) && !inside {
                    records.push(String::from_utf8(std::mem::take(&mut record)).ok());
                } else {
                    record.push(byte);
                }
            }
            if !record.is_empty() {
                records.push(String::from_utf8(record).ok());
            }
            records
        };
        for engine in engines() {
            assert_eq!(read(engine.records(&bytes, ends)), model(ByteSet::EMPTY));
            for quotes in [quotes, both] {
                assert_eq!(read(engine.records(&bytes, ends).quoted(quotes)), model(quotes));
            }
        }
    }
    assert_eq!(records(b"a;;b;", set(b";")).count(), 3);
}

#[test]
fn from_anywhere_on_fold_gives_what_next_gives() {
    fn compare<'a>(mut all: impl Iterator<Item = Result<&'a str, RecordError>> + Clone, taken: usize) {
        all.by_ref().take(taken).for_each(drop);
        // A loop calls `next`.
        let mut expected = Vec::new();
        for record in all.clone() {
            expected.push(record);
        }
        let folded = all.fold(Vec::new(), |mut records, record| {
            records.push(record);
            records
        });
        assert_eq!(folded, expected);
    }

    let mut rng = Rng::new(711);
    for round in 0..scale::size(2000, 600, 40) {
        let len = [0, 1, 50, 300, 5000, 40_000][round % 6];
        let limit = [usize::MAX, 0, 10, 100][rng.below(4)];
        let taken = [0, 1, rng.below(len / 4 + 1)][rng.below(3)];
        let with_ends = with_ends(&mut rng, len);
        let classes = text(Class::ALL[round % 7], len, &mut rng);
        for engine in engines() {
            for bytes in [&with_ends, &classes] {
                for ends in [LineEnds::LINE_FEED, LineEnds::UNICODE] {
                    compare(engine.lines(bytes).ends(ends).limit(limit), taken);
                }
                let records = engine.records(bytes, set(b",\n")).limit(limit);
                compare(records.clone(), taken);
                compare(records.quoted(set(b"\"")), taken);
            }
        }
    }
}

#[test]
fn limits_and_offsets() {
    let mut all = lines(b"12345\n123456\r\n1234567\n\n1").limit(6);
    assert_eq!(all.next(), Some(Ok("12345")));
    assert_eq!(all.next(), Some(Ok("123456")));
    assert_eq!(all.offset(), 14);
    assert_eq!(all.next(), Some(Err(RecordError::TooLong { at: 14, limit: 6 })));
    assert_eq!(all.by_ref().collect::<Vec<_>>(), [Ok(""), Ok("1")]);
    assert_eq!((all.offset(), all.next()), (24, None));
}

/// A reader that gives what it likes.
struct Drops<'a>(&'a [u8], Rng, usize);

impl Read for Drops<'_> {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        if self.1.below(9) == 0 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let len = room.len().min(self.0.len()).min(1 + self.1.below(self.2));
        let (now, later) = self.0.split_at(len);
        room[..len].copy_from_slice(now);
        self.0 = later;
        Ok(len)
    }
}

#[test]
fn lines_of_a_reader_are_those_of_the_slice() {
    let mut rng = Rng::new(710);
    let ends = [LineEnds::LINE_FEED, LineEnds::LINE_FEED.with_carriage_return(), LineEnds::UNICODE];
    for round in 0..scale::size(1500, 500, 40) {
        let bytes = with_ends(&mut rng, [0, 1, 50, 3000, 200_000][round % 5]);
        let limit = [usize::MAX, 0, 10, 100][rng.below(4)];
        let piece = [1, 5, 300, 100_000][rng.below(4)].max(bytes.len() / 1000);
        for ends in ends {
            let owned = |line: Result<&str, RecordError>| line.map(str::to_owned);
            let expected: Vec<_> = lines(&bytes).ends(ends).limit(limit).map(owned).collect();
            let mut found = Vec::new();
            let reader = Drops(&bytes, Rng::new(round as u64), piece);
            LineReader::new(reader).ends(ends).limit(limit).for_each(|line| found.push(owned(line))).unwrap();
            assert_eq!(found, expected, "{ends:?} {limit} {piece}");
        }
    }
}

/// Long lines in short reads: what was searched once is not searched again, and still no line end is missed that is cut.
#[test]
fn long_lines_in_short_reads() {
    let mut rng = Rng::new(712);
    let ends = [LineEnds::LINE_FEED, LineEnds::LINE_FEED.with_carriage_return(), LineEnds::UNICODE];
    let pieces = ["a", "é", "€", "°", "\u{2029}", "🪨", "\r", "\r\r", "\u{85}", "\u{2028}", "\n", "\r\n"];
    let bad: [&[u8]; 5] = [b"\xE2", b"\xE2\x80", b"\xC2", b"\xFF", b"\x80"];
    for round in 0..scale::size(3000, 1000, 60) {
        // Up to a hundred characters of which none ends a line, then one of any kind.
        let mut bytes = Vec::new();
        for _ in 0..rng.below(6) {
            for _ in 0..rng.below(100) {
                bytes.extend_from_slice(pieces[rng.below(4)].as_bytes());
            }
            bytes.extend_from_slice(pieces[rng.below(pieces.len())].as_bytes());
            if rng.below(3) == 0 {
                bytes.extend_from_slice(bad[rng.below(bad.len())]);
            }
        }
        let limit = [usize::MAX, usize::MAX, 0, 10, 100][rng.below(5)];
        let most = [1, 2, 7, 40][rng.below(4)];
        for ends in ends {
            let owned = |line: Result<&str, RecordError>| line.map(str::to_owned);
            let expected: Vec<_> = lines(&bytes).ends(ends).limit(limit).map(owned).collect();
            let mut found = Vec::new();
            let reader = Drops(&bytes, Rng::new(round as u64), most);
            LineReader::new(reader).ends(ends).limit(limit).for_each(|line| found.push(owned(line))).unwrap();
            assert_eq!(found, expected, "{ends:?} {limit} {most}: {bytes:02X?}");
        }
    }
}

/// Byte by byte, a line of some megabytes. If each read began at its first byte again, this would take minutes.
#[test]
fn a_long_line_byte_by_byte() {
    struct Bytes<'a>(std::slice::Iter<'a, u8>);
    impl Read for Bytes<'_> {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            Ok(room.iter_mut().zip(&mut self.0).take(1).map(|(to, byte)| *to = *byte).count())
        }
    }

    let ends = [LineEnds::LINE_FEED, LineEnds::LINE_FEED.with_carriage_return(), LineEnds::UNICODE];
    // (€ begins as a line separator does.)
    let line = "€°a".repeat(scale::size(1 << 19, 1 << 17, 1 << 11));
    for ends in ends {
        let text = format!("{line}\n{line}");
        let mut found = 0;
        let reader = Bytes(text.as_bytes().iter());
        LineReader::new(reader)
            .ends(ends)
            .for_each(|found_line| {
                assert!(found_line == Ok(&line[..]));
                found += 1;
            })
            .unwrap();
        assert_eq!(found, 2);
    }
}

#[test]
fn a_line_longer_than_the_buffer() {
    for len in [65_535, 65_536, 65_537, 131_072, 300_000] {
        let line = "ä".repeat(len / 2);
        let text = format!("{line}\nb\r\n{line}");
        let mut found = Vec::new();
        LineReader::new(text.as_bytes()).for_each(|line| found.push(line.unwrap().to_owned())).unwrap();
        assert_eq!(found, [&line, "b", &line]);
    }
}
