//! Validation and search in one pass are the two passes: masks, positions, chunks and lines on every engine.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use runecast::scan::{ByteSet, LineEnds, LineReader, RecordError, Scanner, lines, records};
use runecast::{Engine, Utf8};

#[derive(Arbitrary, Debug)]
struct Input {
    sets: [u128; 2],
    chunk: u16,
    room: u8,
    limit: u16,
    /// So that the ends of blocks are reached, too.
    repeat: u16,
    bytes: Vec<u8>,
}

fn set(bits: u128) -> ByteSet {
    let members: Vec<u8> = (0..128).filter(|byte| bits >> byte & 1 == 1).collect();
    ByteSet::new(&members).expect("ASCII")
}

fuzz_target!(|input: Input| {
    let most = 40_000 / input.bytes.len().max(1);
    let bytes = &input.bytes.repeat(1 + usize::from(input.repeat).min(most))[..];
    // A byte or two are what is mostly asked for.
    let sets = [set(input.sets[0]), set(1 << (input.sets[1] % 128))];
    let model = |set: ByteSet, from: usize, to: usize| {
        let part = bytes[from..to].iter().enumerate();
        part.filter(|(_, byte)| set.contains(**byte)).fold(0, |mask, (at, _)| mask | 1_u64 << at)
    };
    let masks = |end: usize| -> Vec<(usize, [u64; 2])> {
        let line = |from: usize| (from, sets.map(|set| model(set, from, end.min(from + 64))));
        (0..end).step_by(64).map(line).collect()
    };
    for engine in Engine::available() {
        let errors: Vec<_> = engine.ill_formed(bytes).collect();
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        engine.scan_all(bytes, &sets, |at, masks| found.push((at, masks)), |error| wrong.push(error));
        assert_eq!((found, &wrong), (masks(bytes.len()), &errors), "{}", engine.isa());

        let first = engine.validate::<Utf8>(bytes).err();
        let end = first.map_or(bytes.len(), |error| error.at);
        let mut found = Vec::new();
        let result = engine.scan(bytes, &sets, |at, masks| found.push((at, masks)));
        assert_eq!((found, result.err()), (masks(end), first), "{}", engine.isa());

        for set in sets {
            let expected: Vec<u32> =
                (0..end).filter(|at| set.contains(bytes[*at])).map(|at| at as u32).collect();
            let mut list = Vec::new();
            let found = engine.positions_append(bytes, set, &mut list);
            assert_eq!((&list, found.read, found.error), (&expected, end, first), "{}", engine.isa());
            let mut room = vec![0_usize; usize::from(input.room)];
            let found = engine.positions(bytes, set, &mut room);
            assert_eq!(found.written, room.len().min(expected.len()));
            assert!(
                room.iter()
                    .zip(&expected)
                    .take(found.written)
                    .all(|(at, expected)| *at == *expected as usize)
            );
        }

        let (mut scanner, mut wrong, mut at) = (Scanner::new(&sets), Vec::new(), 0);
        for chunk in bytes.chunks(1 + usize::from(input.chunk)) {
            scanner.push_all_with(
                engine,
                chunk,
                |line, masks| {
                    let (from, to) = (at + line, at + chunk.len().min(line + 64));
                    assert_eq!(masks, sets.map(|set| model(set, from, to)), "{}", engine.isa());
                },
                |error| wrong.push(error),
            );
            at += chunk.len();
        }
        wrong.extend(scanner.finish().err());
        assert_eq!(wrong, errors, "{}", engine.isa());

        let mut std = bytes.split_inclusive(|byte| *byte == b'\n');
        for line in engine.lines(bytes) {
            let expected = std.next().expect("a line more than std has");
            let expected = expected
                .strip_suffix(b"\n")
                .map_or(expected, |line| line.strip_suffix(b"\r").unwrap_or(line));
            assert_eq!(line.ok(), std::str::from_utf8(expected).ok());
        }
        assert!(std.next().is_none(), "a line less than std has");
    }

    for ends in [LineEnds::LINE_FEED, LineEnds::LINE_FEED.with_carriage_return(), LineEnds::UNICODE] {
        let owned = |line: Result<&str, RecordError>| line.map(str::to_owned);
        let limit = usize::from(input.limit);
        let expected: Vec<_> = lines(bytes).ends(ends).limit(limit).map(owned).collect();
        let mut found = Vec::new();
        LineReader::new(bytes)
            .ends(ends)
            .limit(limit)
            .for_each(|line| found.push(owned(line)))
            .expect("no errors");
        assert_eq!(found, expected);
    }
    let mut inside = false;
    let ends = bytes.iter().filter(|byte| {
        inside ^= sets[1].contains(**byte);
        sets[0].contains(**byte) && !inside
    });
    let ends = ends.count();
    let count = records(bytes, sets[0]).quoted(sets[1]).count();
    assert!(count == ends || count == ends + 1);
});
