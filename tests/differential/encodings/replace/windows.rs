//! UTF-8 repaired as UTF-8, in chunks and windows: an error in each place of each, at every distance from the next, and outputs in
//! which it just fits, or not quite.

use runecast::{Encoding, Engine, Policy, Reason, Repaired, Replacement, Utf8, Utf16Le, Utf32Be};

use super::ill_formed::policies;
use super::model::Expected;
use crate::common::check::{engines, excerpt};
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::oracle::{self, UTF8, UTF16LE, UTF32BE};
use crate::common::place::Place;
use crate::common::scale::{size, step};
use crate::common::texts::{Class, ILL_FORMED, Rng};

/// What the standard library has for each character, or for each maximal subpart, and how many bytes that was.
fn pieces(bytes: &[u8], replacement: Replacement) -> Vec<(Vec<u8>, usize)> {
    let mut pieces = Vec::new();
    for chunk in bytes.utf8_chunks() {
        let characters = chunk.valid().chars().map(|c| (c.to_string().into_bytes(), c.len_utf8()));
        pieces.extend(characters);
        let bad = chunk.invalid().len();
        match replacement {
            Replacement::PerByte => pieces.extend((0..bad).map(|_| ("\u{FFFD}".into(), 1))),
            _ if bad > 0 => pieces.push(("\u{FFFD}".into(), bad)),
            _ => {}
        }
    }
    pieces
}

/// The output of these pieces, how many were replaced, and where the first of these was.
fn sum(pieces: &[(Vec<u8>, usize)], src: &[u8]) -> (Vec<u8>, usize, Option<usize>) {
    let (mut all, mut replaced, mut first, mut at) = (Vec::new(), 0, None, 0);
    for (output, len) in pieces {
        all.extend(output);
        if output[..] != src[at..at + len] {
            replaced += 1;
            first = first.or(Some(at));
        }
        at += len;
    }
    (all, replaced, first)
}

const REPLACEMENTS: [Replacement; 2] = [Replacement::Whatwg, Replacement::PerByte];

/// Repairs `bytes` into an output in which they fit exactly, and into a vector.
fn ask(bytes: &[u8], offset: usize) {
    let mut place = Place::new(bytes.len());
    let src = place.at(offset, bytes);
    let mut room = vec![0; 3 * bytes.len() + 64];
    for replacement in REPLACEMENTS {
        let (all, replaced, first) = sum(&pieces(src, replacement), src);
        let right = |repaired: &Repaired| {
            (repaired.written, repaired.replaced, repaired.first) == (all.len(), replaced, first)
        };
        for engine in engines() {
            let who = || format!("{engine:?}, {replacement}: {}", excerpt(src, first.unwrap_or(0)));
            room[all.len()..].fill(0xC5);
            let outcome = engine.transcode_lossy::<Utf8, Utf8>(src, &mut room[..all.len()], replacement);
            assert!(outcome.is_ok_and(|repaired| right(&repaired)), "{outcome:?}, {}", who());
            assert!(room[..all.len()] == all, "{}", who());
            assert!(room[all.len()..].iter().all(|byte| *byte == 0xC5), "behind its end: {}", who());
            let outcome = engine.transcode_lossy::<Utf8, Utf8>(src, &mut room, replacement);
            assert!(outcome.is_ok_and(|repaired| right(&repaired)), "{outcome:?}, {}", who());
            assert!(room[..all.len()] == all, "{}", who());
            let mut appended = vec![0x20];
            let repaired = engine.transcode_lossy_append::<Utf8, Utf8>(src, &mut appended, replacement);
            assert!(right(&repaired) && appended[1..] == all, "{repaired:?}, {}", who());
        }
        if replacement == Replacement::Whatwg {
            assert_eq!(runecast::from_utf8_lossy(src).as_bytes(), all, "{}", excerpt(src, 0));
        }
    }
}

/// Errors close to each other up to the end of a text, whose neighbours are pages that must not be touched; and so are those of the output.
#[cfg(unix)]
#[test]
fn errors_beside_forbidden_pages() {
    let (mut input, mut output) = (Guarded::new(800), Guarded::new(3000));
    let mut rng = Rng::new(67);
    for class in Class::ALL {
        for len in (130..700).step_by(step(7, 41)) {
            for gap in [1, 5, 20, 60] {
                let mut text = class.exactly(len + rng.below(60), &mut rng).into_bytes();
                for at in (rng.below(gap)..text.len()).step_by(gap) {
                    put(&mut text, at, ILL_FORMED[rng.below(ILL_FORMED.len())]);
                }
                for replacement in REPLACEMENTS {
                    let (all, ..) = sum(&pieces(&text, replacement), &text);
                    for engine in engines() {
                        for end in [false, true] {
                            let src = if end { input.at_end(&text) } else { input.at_start(&text) };
                            let room =
                                if end { output.end_mut(all.len()) } else { output.start_mut(all.len()) };
                            let outcome = engine.transcode_lossy::<Utf8, Utf8>(src, room, replacement);
                            assert!(outcome.is_ok() && *room == all[..], "{engine:?}, {}", excerpt(src, 0));
                        }
                    }
                }
            }
        }
    }
}

/// `text` with these bytes in place of as many, from `at` on.
fn put(text: &mut [u8], at: usize, bad: &[u8]) {
    let end = text.len().min(at + bad.len());
    text[at..end].copy_from_slice(&bad[..end - at]);
}

#[test]
fn an_error_in_each_place() {
    let mut rng = Rng::new(61);
    for class in Class::ALL {
        for len in [640, 700, 1100] {
            for (turn, at) in (0..len).step_by(step(1, 5)).enumerate() {
                let mut text = class.exactly(len, &mut rng).into_bytes();
                put(&mut text, at, ILL_FORMED[(turn + at) % ILL_FORMED.len()]);
                // Another one somewhere: what is behind a window is judged otherwise than what is behind a chunk.
                if turn % 2 == 0 {
                    put(&mut text, rng.below(len), ILL_FORMED[rng.below(ILL_FORMED.len())]);
                }
                ask(&text, turn % 64);
            }
        }
    }
}

#[test]
fn errors_at_each_distance() {
    let mut rng = Rng::new(62);
    for class in Class::ALL {
        for gap in (1..330).step_by(step(1, 3)) {
            let mut text = class.exactly(size(4000, 2000, 1500), &mut rng).into_bytes();
            let bad = ILL_FORMED[rng.below(ILL_FORMED.len())];
            for at in (rng.below(gap)..text.len()).step_by(gap) {
                put(&mut text, at, bad);
            }
            ask(&text, 0);
        }
    }
}

#[test]
fn errors_at_random() {
    let mut rng = Rng::new(63);
    for round in 0..size(20_000, 4000, 400) {
        let class = Class::ALL[rng.below(Class::ALL.len())];
        let mut text = Vec::new();
        while text.len() < 100 {
            text = class.exactly(rng.below(if round % 8 == 0 { 6000 } else { 900 }), &mut rng).into_bytes();
            text.extend(Class::Ascii.exactly(rng.below(600), &mut rng).bytes());
        }
        let mean = [3, 20, 100, 300, 1000][rng.below(5)];
        let mut at = rng.below(mean);
        while at < text.len() {
            match rng.below(3) {
                0 => put(&mut text, at, ILL_FORMED[rng.below(ILL_FORMED.len())]),
                1 => text[at] = rng.below(256) as u8,
                _ => text[at] ^= 1 << rng.below(8),
            }
            at += 1 + rng.below(2 * mean);
        }
        ask(&text, rng.below(64));
    }
}

/// An output that is too small holds as many whole characters and replacements as fit.
#[test]
fn outputs_that_are_too_small() {
    let mut rng = Rng::new(64);
    for round in 0..size(400, 60, 14) {
        let class = Class::ALL[round % Class::ALL.len()];
        let mut text = class.exactly(300 + rng.below(900), &mut rng).into_bytes();
        for _ in 0..[0, 1, 4, 40][round % 4] {
            let at = rng.below(text.len());
            put(&mut text, at, ILL_FORMED[rng.below(ILL_FORMED.len())]);
        }
        for replacement in REPLACEMENTS {
            let pieces = pieces(&text, replacement);
            let (all, ..) = sum(&pieces, &text);
            let mut memory = vec![0; all.len() + 8];
            let (mut fitting, mut read, mut whole) = (0, 0, pieces.iter());
            for room in 0..all.len() {
                while let Some((output, len)) = whole.as_slice().first()
                    && fitting + output.len() <= room
                {
                    fitting += output.len();
                    read += len;
                    whole.next();
                }
                if room % step(3, 17) != 0 {
                    continue;
                }
                for engine in engines() {
                    too_small(engine, &text, &mut memory, room, replacement, (read, fitting, &all));
                }
            }
        }
    }
}

/// Behind ASCII that is copied in chunks the room ends within the replacement, or shortly behind it.
#[test]
fn no_room_behind_ascii() {
    for before in 640..900 {
        let mut text = vec![b'a'; before + 400];
        (text[0], text[before]) = (0xFF, 0xFF);
        for replacement in REPLACEMENTS {
            let (all, ..) = sum(&pieces(&text, replacement), &text);
            let mut memory = vec![0; all.len() + 8];
            // The first replacement, what is between, and the second one, if it fits.
            let (least, most) = (3 + before - 1, 3 + before - 1 + 3);
            for room in least - 3..most + 8 {
                let fits = if (least..most).contains(&room) { least } else { room };
                let read = if fits < most { fits - 2 } else { fits - 4 };
                for engine in engines() {
                    too_small(engine, &text, &mut memory, room, replacement, (read, fits, &all));
                }
            }
        }
    }
}

fn too_small(
    engine: Engine,
    text: &[u8],
    memory: &mut [u8],
    room: usize,
    replacement: Replacement,
    (read, written, all): (usize, usize, &[u8]),
) {
    memory.fill(0xC5);
    let error = engine
        .transcode_lossy::<Utf8, Utf8>(text, &mut memory[..room], replacement)
        .expect_err("the room is too small");
    let got = (error.reason, error.read, error.written);
    assert_eq!(got, (Reason::OutputFull, read, written), "{engine:?}, {room}: {}", excerpt(text, read));
    assert!(memory[..written] == all[..written] && memory[room..].iter().all(|byte| *byte == 0xC5));
}

/// Any policy, where errors are dense: into an output in which the text fits exactly, and one of half that size.
#[test]
fn every_policy_in_dense_errors() {
    let mut rng = Rng::new(65);
    let policies = policies();
    for round in 0..size(6000, 2000, 300) {
        let class = Class::ALL[rng.below(Class::ALL.len())];
        let len = 1 + rng.below(if round % 5 == 0 { 3000 } else { 400 });
        let mut text = class.exactly(len, &mut rng).into_bytes();
        if rng.below(4) == 0 {
            text.iter_mut().for_each(|byte| *byte = rng.below(256) as u8);
        } else {
            let mean = [2, 5, 20, 200][rng.below(4)];
            let mut at = rng.below(mean);
            while at < text.len() {
                put(&mut text, at, ILL_FORMED[rng.below(ILL_FORMED.len())]);
                at += 1 + rng.below(2 * mean);
            }
        }
        let policy = policies[round % policies.len()];
        ask_by_policy::<Utf8>(&UTF8, &text, policy);
        ask_by_policy::<Utf16Le>(&UTF16LE, &text, policy);
    }
}

/// Any policy, where one sequence follows itself, alone or with a letter: at every distance from the windows in which errors are found,
/// with more errors in each than are written one by one. Among them are the long forms of Perl, and noncharacters.
#[test]
fn one_sequence_again_and_again() {
    let mut rng = Rng::new(66);
    let policies = policies();
    let others: [&[u8]; 7] = [
        b"\xFE\x83\xBF\xBF\xBF\xBF\xBF",
        b"\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80",
        b"\xFF\x80\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80",
        b"\xEF\xBF\xBE\xFF",
        b"\xEF\xB7\x90",
        b"\xF0\x9F\xBF\xBF\x80",
        "\u{FFFD}é\u{1F4A9}\u{10FFFF}".as_bytes(),
    ];
    for round in 0..size(8, 3, 1) {
        for unit in ILL_FORMED.iter().chain(&others) {
            let mut text = vec![b'a'; 16 + rng.below(64)];
            let len = 100 + rng.below(300);
            while text.len() < len {
                text.extend_from_slice(unit);
                text.extend(&b"b"[..(round + rng.below(2)) % 2]);
            }
            text.truncate(len);
            for policy in &policies {
                ask_by_policy::<Utf8>(&UTF8, &text, *policy);
                ask_by_policy::<Utf16Le>(&UTF16LE, &text, *policy);
                ask_by_policy::<Utf32Be>(&UTF32BE, &text, *policy);
            }
        }
    }
}

fn ask_by_policy<D: Encoding<Unit = u8>>(target: &oracle::Encoding, text: &[u8], policy: Policy<'_>) {
    let expected = Expected::of(&UTF8, target, text, policy);
    let all = expected.all();
    let half = all.len() / 2 / target.unit * target.unit;
    let (mut fitting, mut pieces) = (0, 0);
    while let Some(output) = expected.outputs.get(pieces)
        && fitting + output.len() <= half
    {
        fitting += output.len();
        pieces += 1;
    }
    let mut out = vec![0; all.len() + 8];
    for engine in engines() {
        let who = || format!("{engine:?}, {policy:?} to {}: {}", target.name, excerpt(text, 0));
        out.fill(0xC5);
        let repaired = engine.transcode_lossy::<Utf8, D>(text, &mut out[..all.len()], policy);
        let report = |repaired: Repaired| (repaired.written, repaired.replaced, repaired.first);
        assert_eq!(repaired.map(report), Ok((all.len(), expected.replaced, expected.first)), "{}", who());
        assert!(out[..all.len()] == all && out[all.len()..] == [0xC5; 8], "{}", who());
        if pieces == expected.outputs.len() {
            continue;
        }
        let error = engine
            .transcode_lossy::<Utf8, D>(text, &mut out[..half], policy)
            .expect_err("the room is too small");
        assert_eq!((error.reason, error.written), (Reason::OutputFull, fitting), "{}", who());
        let mut rest = Vec::new();
        engine.transcode_lossy_append::<Utf8, D>(&text[error.read..], &mut rest, policy);
        assert!(rest == expected.outputs[pieces..].concat(), "{}", who());
    }
}
