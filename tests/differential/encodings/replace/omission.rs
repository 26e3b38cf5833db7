//! UTF-8 without what is ill-formed, and without what Latin-1 and ASCII have no form for; or with question marks there: in each place of
//! a window, at each alignment, beside pages that must not be touched, into outputs in which it just fits.

use runecast::{Ascii, Encoding, Engine, Latin1, Policy, Repaired, Replacement, Utf8, Utf16, Utf16Be, Utf32};

use crate::common::check::{engines, excerpt};
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::place::{Place, UNIT};
use crate::common::scale::{size, step};
use crate::common::texts::{Class, ILL_FORMED, Rng};

const POLICIES: [Policy<'static>; 6] = [
    Policy::Omit,
    Policy::DropAtTheRiskOfJoining,
    Policy::With(""),
    Policy::With("?"),
    Policy::Replace(Replacement::Whatwg),
    Policy::Replace(Replacement::PerByte),
];

/// What is written, how many were replaced, and where the first of these was.
type Truth = (Vec<u8>, usize, Option<usize>);

/// By the chunks of the standard library. `encode` appends a character, if the target has it.
fn truth(src: &[u8], policy: Policy<'_>, encode: impl Fn(char, &mut Vec<u8>) -> bool) -> Truth {
    let (mut all, mut replaced, mut first, mut at) = (Vec::new(), 0, None, 0);
    let substitute = |all: &mut Vec<u8>| {
        let _ = encode('\u{FFFD}', all) || encode('?', all);
    };
    for chunk in src.utf8_chunks() {
        for character in chunk.valid().chars() {
            if !encode(character, &mut all) {
                if policy != Policy::Omit {
                    substitute(&mut all);
                }
                replaced += 1;
                first = first.or(Some(at));
            }
            at += character.len_utf8();
        }
        let bad = chunk.invalid().len();
        if bad == 0 {
            continue;
        }
        let each = if policy == Policy::Replace(Replacement::PerByte) { bad } else { 1 };
        for _ in 0..each {
            match policy {
                Policy::With(text) => assert!(text.chars().all(|character| encode(character, &mut all))),
                Policy::Replace(_) => substitute(&mut all),
                _ => {}
            }
        }
        replaced += each;
        first = first.or(Some(at));
        at += bad;
    }
    (all, replaced, first)
}

/// Into an output in which it just fits, into one with room behind it, and into a vector.
fn ask_one<D: Encoding<Unit = u8>>(src: &[u8], policy: Policy<'_>, (all, replaced, first): &Truth) {
    let right = |repaired: &Repaired| {
        (repaired.written, repaired.replaced, repaired.first) == (all.len(), *replaced, *first)
    };
    let mut room = vec![0; all.len() + 200];
    let ask = |engine: Engine, room: &mut [u8], len: usize| {
        let who = || format!("{engine:?}, {policy:?}: {}", excerpt(src, first.unwrap_or(0)));
        room[all.len()..].fill(0xC5);
        let outcome = engine.transcode_lossy::<Utf8, D>(src, &mut room[..len], policy);
        assert!(outcome.is_ok_and(|repaired| right(&repaired)), "{outcome:?}, {}", who());
        assert!(room[..all.len()] == *all, "{}", who());
        assert!(room[len..].iter().all(|byte| *byte == 0xC5), "behind its end: {}", who());
    };
    for engine in engines() {
        ask(engine, &mut room, all.len());
        ask(engine, &mut room, all.len() + 130);
        let mut appended = vec![0x20];
        let repaired = engine.transcode_lossy_append::<Utf8, D>(src, &mut appended, policy);
        assert!(right(&repaired) && appended[1..] == *all, "{repaired:?}, {engine:?}, {policy:?}");
    }
}

/// To all that the kernels serve, by these policies.
fn ask_by(src: &[u8], policies: &[Policy<'_>]) {
    for policy in policies {
        let up_to = |most: u32| {
            move |character: char, all: &mut Vec<u8>| {
                let has = u32::from(character) <= most;
                all.extend(has.then_some(u32::from(character) as u8));
                has
            }
        };
        ask_one::<Ascii>(src, *policy, &truth(src, *policy, up_to(0x7F)));
        ask_one::<Latin1>(src, *policy, &truth(src, *policy, up_to(0xFF)));
        let utf8 = truth(src, *policy, |character, all| {
            all.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
            true
        });
        ask_one::<Utf8>(src, *policy, &utf8);
        let utf16 = truth(src, *policy, |character, all| {
            all.extend(character.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()));
            true
        });
        ask_one::<Utf16Be>(src, *policy, &utf16);
    }
}

/// Text with these bytes in place of as many, from `at` on.
fn with(mut text: Vec<u8>, at: usize, bad: &[u8]) -> Vec<u8> {
    let end = text.len().min(at + bad.len());
    text[at..end].copy_from_slice(&bad[..end - at]);
    text
}

/// Characters on both sides of the ends of ASCII and Latin-1, and of each length.
const CHARACTERS: [&str; 9] =
    ["\u{7F}", "\u{80}", "\u{BF}", "\u{C0}", "\u{FF}", "\u{100}", "\u{7FF}", "€", "🦀"];

#[test]
fn in_each_place_of_a_window() {
    let mut rng = Rng::new(71);
    let all: Vec<&[u8]> = ILL_FORMED.into_iter().chain(CHARACTERS.map(str::as_bytes)).collect();
    let mut turn = 0;
    for class in Class::ALL {
        for at in 0..200 {
            for bad in &all {
                turn += 1;
                if turn % step(5, 97) != 0 {
                    continue;
                }
                let text = class.exactly(340, &mut rng).into_bytes();
                let mut place = Place::new(text.len());
                let text = with(with(text, at, bad), at + 60 + rng.below(10), bad);
                let policy = POLICIES[turn / 7 % POLICIES.len()];
                ask_by(place.at(turn % UNIT, &text), &[policy]);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn beside_both_pages() {
    let mut rng = Rng::new(72);
    let mut room = Guarded::new(400);
    for len in (0..300).step_by(step(2, 13)) {
        for (turn, bad) in ILL_FORMED.into_iter().enumerate().skip(len % 5).step_by(5) {
            let class = Class::ALL[(turn + len) % Class::ALL.len()];
            let text = class.exactly(len, &mut rng).into_bytes();
            let policy = POLICIES[(turn + len) % POLICIES.len()];
            for text in [[bad, &text].concat(), [&text, bad].concat()] {
                ask_by(room.at_end(&text), &[policy]);
                ask_by(room.at_start(&text), &[policy]);
            }
        }
    }
}

/// Random pieces: ASCII long enough to be copied, text that has nothing to leave out for long, and errors one behind the other.
#[test]
fn mixtures() {
    let mut rng = Rng::new(73);
    for _ in 0..size(400, 150, 20) {
        let mut text = Vec::new();
        for _ in 0..rng.below(12) {
            let class = Class::ALL[rng.below(Class::ALL.len())];
            match rng.below(4) {
                0 => text.extend(class.text([10, 300, 1000, 9000][rng.below(4)], &mut rng).into_bytes()),
                1 => (0..rng.below(200)).for_each(|_| text.extend(ILL_FORMED[rng.below(ILL_FORMED.len())])),
                2 => (0..rng.below(300)).for_each(|_| text.push(rng.below(256) as u8)),
                _ => (0..rng.below(100))
                    .for_each(|_| text.extend(CHARACTERS[rng.below(CHARACTERS.len())].as_bytes())),
            }
        }
        ask_by(&text, &POLICIES);
    }
}

/// What a conversion appends, how many it replaces, and where the first of these is.
fn parts<S: Encoding, D: Encoding<Unit = u8>>(engine: Engine, src: &[S::Unit], policy: Policy<'_>) -> Truth {
    let mut all = Vec::new();
    let repaired = engine.transcode_lossy_append::<S, D>(src, &mut all, policy);
    (all, repaired.replaced, repaired.first)
}

/// Holds all engines to what comes of these characters, and of what is none, each with its number of units.
fn compare(
    characters: impl Iterator<Item = Result<(char, usize), usize>>,
    most: u32,
    policy: Policy<'_>,
    found: impl Fn(Engine) -> Truth,
) {
    let (mut all, mut replaced, mut first, mut at) = (Vec::new(), 0, None, 0);
    for character in characters {
        let len = match character {
            Ok((character, len)) if u32::from(character) <= most => {
                all.push(u32::from(character) as u8);
                at += len;
                continue;
            }
            Ok((_, len)) => {
                all.extend((policy != Policy::Omit).then_some(b'?'));
                len
            }
            Err(len) => {
                all.extend(matches!(policy, Policy::Replace(_) | Policy::With("?")).then_some(b'?'));
                len
            }
        };
        replaced += 1;
        first = first.or(Some(at));
        at += len;
    }
    for engine in engines() {
        let (found, count, place) = found(engine);
        assert!(found == all, "{engine:?}, {most:X}, {policy:?}");
        assert_eq!((count, place), (replaced, first), "{engine:?}, {most:X}, {policy:?}");
    }
}

/// UTF-16 and UTF-32 to Latin-1 and ASCII, with surrogates of all kinds around the edges of blocks.
#[test]
fn wide_units() {
    const POINTS: [u32; 14] = [
        0x41, 0x7F, 0x80, 0xFF, 0x100, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFD, 0x1_0000,
        0x10_FFFF,
    ];
    let mut rng = Rng::new(74);
    for _ in 0..size(3000, 1000, 100) {
        let calm = rng.below(300);
        let mut points: Vec<u32> = vec![0x61; calm];
        points.extend((0..rng.below(600)).map(|_| match rng.below(4) {
            0 => 0x41,
            1 => 0xE9,
            _ => POINTS[rng.below(POINTS.len())],
        }));
        points.extend(vec![0x7A; rng.below(2000)]);
        for most in [0x7F, 0xFF] {
            for policy in POLICIES {
                let wide: Vec<u32> =
                    points.iter().map(|point| point + u32::from(*point == 0x10_FFFF)).collect();
                let characters = || wide.iter().map(|point| char::from_u32(*point).ok_or(1).map(|c| (c, 1)));
                let found = |engine: Engine| match most {
                    0x7F => parts::<Utf32, Ascii>(engine, &wide, policy),
                    _ => parts::<Utf32, Latin1>(engine, &wide, policy),
                };
                compare(characters(), most, policy, found);
                let units: Vec<u16> = points
                    .iter()
                    .flat_map(|point| match char::from_u32(*point) {
                        Some(character) => character.encode_utf16(&mut [0; 2]).to_vec(),
                        None => vec![*point as u16],
                    })
                    .collect();
                let characters = char::decode_utf16(units.iter().copied()).map(|decoded| {
                    decoded.map(|character| (character, character.len_utf16())).map_err(|_| 1)
                });
                let found = |engine: Engine| match most {
                    0x7F => parts::<Utf16, Ascii>(engine, &units, policy),
                    _ => parts::<Utf16, Latin1>(engine, &units, policy),
                };
                compare(characters, most, policy, found);
            }
        }
    }
}

/// All strings of some boundary bytes, where two windows meet.
#[test]
fn where_windows_meet() {
    const BYTES: [u8; 14] =
        [0x41, 0x80, 0x8F, 0x90, 0xA0, 0xBF, 0xC1, 0xC2, 0xC3, 0xC4, 0xE0, 0xED, 0xF0, 0xF4];
    let mut turn = 0;
    for a in BYTES {
        for b in BYTES {
            for c in BYTES {
                for d in BYTES {
                    turn += 1;
                    if turn % step(9, 401) != 0 {
                        continue;
                    }
                    // From the fourth before the first 61 bytes on to the fourth behind.
                    let at = 57 + turn / 9 % 8;
                    let text = with(vec![b'-'; 140], at, &[a, b, c, d]);
                    ask_by(&text, &[POLICIES[turn % POLICIES.len()]]);
                }
            }
        }
    }
}
