//! Lines, records and scans in chunks, compared with a few naive lines; and readers that fail.

use core::ops::ControlFlow;
use std::io::{Error, ErrorKind, Read};

use runecast::scan::{ByteSet, LineEnds, LineReader, RecordError, Scanner, lines, records, scan, scan_all};
use runecast::{Utf8, ill_formed, validate};

/// Where a byte is.
fn positions(text: &[u8], wanted: u8) -> Vec<usize> {
    text.iter().enumerate().filter(|(_, byte)| **byte == wanted).map(|(at, _)| at).collect()
}

/// Adds the bits of a mask, as offsets.
fn list(found: &mut Vec<usize>, at: usize, mask: u64) {
    found.extend((0..64).filter(|bit| mask >> bit & 1 == 1).map(|bit| at + bit));
}

#[test]
fn the_functions_find_what_is_there() {
    let text = "α;β;γ\n".repeat(100).into_bytes();
    let set = ByteSet::new(b";").expect("a set");
    let mut found = Vec::new();
    assert_eq!(scan(&text, &[set], |at, [mask]| list(&mut found, at, mask)), Ok(()));
    assert_eq!(found, positions(&text, b';'));

    let mut bad = text.clone();
    bad[402] = 0xFF;
    bad[500..503].copy_from_slice(b"\xE2\x82;");
    let error = scan(&bad, &[set], |_, _| {}).expect_err("ill-formed");
    assert_eq!(Err(error), validate::<Utf8>(&bad));
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    scan_all(&bad, &[set], |at, [mask]| list(&mut found, at, mask), |error| errors.push(error));
    assert_eq!(found, positions(&bad, b';'));
    assert_eq!(errors, ill_formed(&bad).collect::<Vec<_>>());
}

#[test]
fn a_scanner_goes_on_from_chunk_to_chunk() {
    let mut text = "α;β;γ\n".repeat(40).into_bytes();
    let set = ByteSet::new(b";").expect("a set");
    for cut in [0, 1, 2, 63, 64, 65, 200] {
        let (mut scanner, mut found) = (Scanner::new(&[set]), Vec::new());
        for chunk in [&text[..cut], &text[cut..]] {
            let start = scanner.offset() as usize;
            assert_eq!(scanner.push(chunk, |at, [mask]| list(&mut found, start + at, mask)), Ok(()));
        }
        assert_eq!((found, scanner.finish()), (positions(&text, b';'), Ok(())));
    }
    // With ill-formed sequences: one of them cut, one at the end.
    text[100..104].copy_from_slice(b"\xF0\x9F;\xFF");
    text.extend(b"\xE2\x82");
    for cut in [1, 64, 100, 101, 102, 103, 104, 150, text.len() - 1] {
        let (mut scanner, mut found, mut errors) = (Scanner::new(&[set]), Vec::new(), Vec::new());
        for chunk in [&text[..cut], &text[cut..]] {
            let start = scanner.offset() as usize;
            scanner.push_all(
                chunk,
                |at, [mask]| list(&mut found, start + at, mask),
                |error| errors.push(error.at),
            );
        }
        errors.extend(scanner.finish().err().map(|error| error.at));
        let expected: Vec<_> = ill_formed(&text).map(|error| error.at).collect();
        assert_eq!((found, errors), (positions(&text, b';'), expected), "{cut}");
    }
}

/// Behind the error at which a scan stops nothing is passed on, not even the line of bytes that wait.
#[test]
fn a_scanner_stops_at_an_error() {
    for lines in 1..5 {
        let mut text = b"abcdefgh".repeat(8 * lines);
        text[3] = 0xFF;
        text.push(0xE2);
        let (mut scanner, mut last) = (Scanner::new(&[ByteSet::LINE_FEED]), 0);
        let error = scanner.push(&text, |at, _| last = last.max(at)).expect_err("ill-formed");
        assert_eq!((error.at, last, scanner.offset()), (3, 0, 0));
    }
}

#[test]
fn records_know_where_the_next_one_begins() {
    let set = ByteSet::new(b";").expect("a set");
    let mut records = records(b"a;bc;;d", set);
    let mut offsets = vec![records.offset()];
    while records.next().is_some() {
        offsets.push(records.offset());
    }
    assert_eq!(offsets, [0, 2, 5, 6, 7]);
    let mut lines = lines(b"a\r\nbc\nd");
    let mut offsets = vec![lines.offset()];
    while lines.next().is_some() {
        offsets.push(lines.offset());
    }
    assert_eq!(offsets, [0, 3, 6, 7]);
    assert_eq!(
        format!("{records:?}").split_inclusive("limit: ").next(),
        Some("Records { cuts: Cuts { start: 7, limit: ")
    );
}

/// The byte that ends a record may say which rule is broken, as it does in the text as a whole.
#[test]
fn errors_of_lines_are_those_of_the_text() {
    for bad in [&b"\xE2"[..], b"\xE2\x82", b"\xF0\x9F\x92", b"\xFF", b"\x80", b"\xE0\x80"] {
        for before in [0, 5, 63, 64, 100] {
            let text = [&b"a".repeat(before), bad, b"\nb\n"].concat();
            let error = validate::<Utf8>(&text).expect_err("ill-formed");
            let mut lines = lines(&text);
            assert_eq!(lines.next(), Some(Err(RecordError::IllFormed(error))));
            assert_eq!((lines.next(), lines.next()), (Some(Ok("b")), None));
        }
    }
}

/// A reader of these chunks, one for each call, and then of nothing.
struct Chunks(Vec<Result<Vec<u8>, ErrorKind>>);

impl Read for Chunks {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        let chunk = self.0.remove(0)?;
        room[..chunk.len()].copy_from_slice(&chunk);
        Ok(chunk.len())
    }
}

#[test]
fn a_line_that_is_too_long_is_an_error_before_it_ends() {
    let chunks =
        vec![Ok(b"ab\n".to_vec()), Ok(vec![b'c'; 100]), Err(ErrorKind::TimedOut), Ok(b"cc\nd".to_vec())];
    let mut reader = LineReader::new(Chunks(chunks)).limit(10);
    let mut found = Vec::new();
    let error = reader.for_each(|line| found.push(line.map(str::to_owned))).expect_err("the reader's");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    let too_long = Err(RecordError::TooLong { at: 3, limit: 10 });
    assert_eq!(found, [Ok("ab".to_owned()), too_long]);
    // Another call goes on.
    reader.for_each(|line| found.push(line.map(str::to_owned))).expect("no error");
    assert_eq!(found[2..], [Ok("d".to_owned())]);
}

/// Of a line that is too long no more is read, before it is said to be, than its limit and a buffer.
#[test]
fn a_limit_is_a_limit_of_memory() {
    for (limit, most) in [(0, 99), (100, 1), (70_000, 70_000), (1 << 20, 1 << 30), (3_000_000, 50_000)] {
        /// A line without an end, some bytes of it at a time.
        struct Endless(usize, usize);

        impl Read for &mut Endless {
            fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
                let count = room.len().min(self.0);
                room[..count].fill(b'a');
                self.1 += count;
                Ok(count)
            }
        }

        let mut line = Endless(most, 0);
        let error = LineReader::new(&mut line)
            .limit(limit)
            .try_for_each(|line| ControlFlow::Break(line.map(drop)))
            .expect("no error");
        assert_eq!(error, ControlFlow::Break(Err(RecordError::TooLong { at: 0, limit })));
        assert!(line.1 > limit && line.1 <= limit + (64 << 10), "{limit}: {} bytes were read", line.1);
    }
    // More may be there before there is a limit.
    let part = || Ok(vec![b'a'; 64 << 10]);
    let chunks = vec![part(), part(), Err(ErrorKind::TimedOut), Ok(b"\nb\n".to_vec())];
    let mut reader = LineReader::new(Chunks(chunks));
    reader.for_each(|_| panic!("there is no whole line")).expect_err("the reader's");
    let mut found = Vec::new();
    reader.limit(5).for_each(|line| found.push(line.map(str::to_owned))).expect("no error");
    assert_eq!(found, [Err(RecordError::TooLong { at: 0, limit: 5 }), Ok("b".to_owned())]);
}

/// Whoever stops at a line, and goes on, gets the same lines, whatever the line ends are and however the text comes.
#[test]
fn a_reader_goes_on_behind_the_line_that_somebody_stopped_at() {
    let text = b"ein\r\nzwei\n\ndr\xFFei\rvier\r\r\nf\xC3\xBCnf und noch mehr als zehn\n\xE2\x82\nsechs\r";
    for ends in [LineEnds::LINE_FEED, LineEnds::LINE_FEED.with_carriage_return(), LineEnds::UNICODE] {
        for size in [1, 2, 3, 5, 7, 1000] {
            let reader = || {
                let chunks = text.chunks(size).map(|chunk| Ok(chunk.to_vec())).collect();
                LineReader::new(Chunks(chunks)).ends(ends).limit(20)
            };
            let mut expected = Vec::new();
            reader().for_each(|line| expected.push(line.map(str::to_owned))).expect("no error");
            assert!(expected.len() > 6, "{expected:?}");
            for stops in 1..4 {
                let (mut reader, mut found, mut calls) = (reader(), Vec::new(), 0);
                loop {
                    let flow = reader.try_for_each(|line| {
                        found.push(line.map(str::to_owned));
                        if found.len() % stops == 0 {
                            ControlFlow::Break(found.len())
                        } else {
                            ControlFlow::Continue(())
                        }
                    });
                    match flow.expect("no error") {
                        ControlFlow::Break(count) => {
                            assert_eq!(count, found.len());
                            // What is left may be taken otherwise.
                            if calls == 2 * stops {
                                reader
                                    .for_each(|line| found.push(line.map(str::to_owned)))
                                    .expect("no error");
                            }
                        }
                        ControlFlow::Continue(()) => break,
                    }
                    calls += 1;
                }
                assert_eq!(found, expected, "stops {stops}, size {size}");
            }
        }
    }
}

/// Where somebody stops, the offset is that of the line behind, as that of the lines of a slice.
#[test]
fn a_reader_knows_where_the_next_line_begins() {
    let text = b"ein\r\nzwei\n\ndr\xFFei\rvier\r\r\nf\xC3\xBCnf und noch mehr\n\xE2\x82\nsechs\r\nsieben";
    for ends in [LineEnds::LINE_FEED, LineEnds::UNICODE] {
        for size in [1, 2, 5, 1000] {
            let chunks = text.chunks(size).map(|chunk| Ok(chunk.to_vec())).collect();
            let mut reader = LineReader::new(Chunks(chunks)).ends(ends);
            let mut slice = lines(text).ends(ends);
            loop {
                assert_eq!(reader.offset(), slice.offset() as u64, "size {size}");
                let mut found = None;
                let flow = reader.try_for_each(|line| {
                    found = Some(line.map(str::to_owned));
                    ControlFlow::Break(())
                });
                assert_eq!(found, slice.next().map(|line| line.map(str::to_owned)), "size {size}");
                if flow.expect("no error").is_continue() {
                    break;
                }
            }
            assert_eq!(reader.offset(), text.len() as u64);
        }
    }
    // Behind a line that is too long it is somewhere in that, and then behind it.
    let mut reader = LineReader::new(Chunks(vec![Ok(vec![b'a'; 100]), Ok(b"aa\nb\n".to_vec())])).limit(10);
    let mut stop = || reader.try_for_each(|_| ControlFlow::Break(())).map(|_| reader.offset());
    let places = [stop().expect("no error"), stop().expect("no error")];
    assert_eq!((places[0] <= 103, places[1]), (true, 105));
}

#[test]
fn an_interruption_is_no_error() {
    let chunks = vec![Ok(b"ab".to_vec()), Err(ErrorKind::Interrupted), Ok(b"c\n".to_vec())];
    let mut found = Vec::new();
    LineReader::new(Chunks(chunks)).for_each(|line| found.push(line.map(str::to_owned))).expect("no error");
    assert_eq!(found, [Ok("abc".to_owned())]);
}

/// A reader that says it has read more than it was asked for.
struct Liar;

impl Read for Liar {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        Ok(room.len() + 1)
    }
}

#[test]
fn no_reader_is_believed_more_than_there_is_room_for() {
    let error: Error = LineReader::new(Liar).for_each(|_| {}).expect_err("impossible");
    assert_eq!(error.kind(), ErrorKind::Other);
}
