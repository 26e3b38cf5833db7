//! Ill-formed text, with errors at every density: every pair, policy and engine; outputs of every size.

use std::fmt::Display;

use proptest::prelude::*;
use runecast::{Escape, Policy, Reason, Replacement};

use super::model::Expected;
use crate::common::check::{engines, excerpt};
use crate::common::oracle::{Encoding, Family, UTF8};
use crate::common::place::Place;
use crate::common::scale::{size, step};
use crate::common::texts::{Class, ILL_FORMED, Rng};
use crate::encodings::pairs::{PAIRS, Pair, from_utf8, with_forms};

/// Every kind of policy.
pub fn policies() -> Vec<Policy<'static>> {
    let mut all: Vec<Policy<'_>> = Replacement::ALL.into_iter().map(Policy::from).collect();
    all.extend(["", "?", "<Ж漢🦀>", "longer than what it stands for"].map(Policy::from));
    all.extend(Escape::ALL.map(Policy::from));
    all.extend([Policy::DropAtTheRiskOfJoining, Policy::Omit]);
    all
}

/// Holds every form of the function to the model.
fn ask(pair: &Pair, bytes: &[u8], policy: Policy<'_>) {
    let expected = Expected::of(&pair.source, &pair.target, bytes, policy);
    let all = expected.all();
    let mut place = Place::new(bytes.len());
    let src = place.at(0, bytes);
    let blame = |who: &dyn Display| {
        format!("{who}, {} to {}, {policy:?}: {}", pair.source.name, pair.target.name, excerpt(src, 0))
    };
    for engine in engines() {
        let who = &format_args!("{engine:?}");
        let (repaired, out) = (pair.lossy_append)(engine, src, &[0x20; 4], policy);
        assert!(out[..4] == [0x20; 4] && out[4..] == all, "{}: {out:02X?}", blame(who));
        let report = (all.len() / pair.target.unit, expected.replaced, expected.first);
        assert_eq!((repaired.written, repaired.replaced, repaired.first), report, "{}", blame(who));
        assert_eq!((pair.lossy_len)(engine, src, policy), repaired, "{}", blame(who));
    }
    let (out, borrowed) = (pair.lossy_cow)(src, policy);
    assert_eq!(out, all, "{}", blame(&"transcode_lossy_cow"));
    // (Some policies leave a text that may be borrowed to the conversion.)
    assert!(!borrowed || matches!((pair.cow)(src), Ok((_, true))), "{}", blame(&"transcode_lossy_cow"));
    if pair.target == UTF8 {
        let (text, borrowed) = (pair.repair)(src, policy);
        assert_eq!(text.as_bytes(), all, "{}", blame(&"repair"));
        assert!(!borrowed || expected.replaced == 0, "{}", blame(&"repair"));
    }
}

/// Text in `encoding`, of which about one in `rarity` characters is followed by an error.
pub fn with_errors(encoding: &Encoding, class: Class, count: usize, rarity: usize, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    let text = class.text(4 * count + 4, rng);
    for character in text.chars().take(count) {
        let scalar = u32::from(character) % encoding.limit;
        encoding.encode(char::from_u32(scalar).unwrap_or(character).into(), &mut bytes);
        if rng.below(rarity) > 0 {
            continue;
        }
        match encoding.family {
            Family::Eight => bytes.extend(ILL_FORMED[rng.below(ILL_FORMED.len())]),
            Family::Leads(_) => {
                let high = 0xA0 + rng.below(0x10) as u8;
                let (low, last) = (0xB0 + rng.below(0x10) as u8, 0x80 + rng.below(0x40) as u8);
                match rng.below(6) {
                    0 => bytes.extend([0xED, high, last]),
                    1 => bytes.extend([0xED, low, last]),
                    2 => bytes.extend([0xED, high, last, 0xFF]),
                    3 => bytes.extend(&[0, 0xC0, 0xF0, 0xED, 0xC0][rng.below(4)..][..2]),
                    _ => bytes.extend(ILL_FORMED[rng.below(ILL_FORMED.len())]),
                }
            }
            Family::Single => bytes.push(0x80 + rng.below(0x80) as u8),
            Family::Sixteen => encoding.put(0xD800 + rng.below(0x800) as u32, &mut bytes),
            Family::ThirtyTwo => {
                let wrong =
                    [0xD800 + rng.below(0x800) as u32, 0x11_0000 + rng.below(1 << 20) as u32, u32::MAX];
                encoding.put(wrong[rng.below(3)], &mut bytes);
            }
        }
    }
    if encoding.unit == 1 && encoding.width() > 1 && rng.below(2) == 0 {
        bytes.extend(&[0xD8, 0x00, 0xD8][..1 + rng.below(encoding.width() - 1)]);
    }
    bytes
}

#[test]
fn every_pair_and_policy() {
    let mut rng = Rng::new(41);
    let mut turn = 0;
    for pair in with_forms() {
        for policy in policies() {
            for rarity in [1, 2, 10, 100, usize::MAX] {
                for count in [0, 1, 5, 40, 200, size(1500, 700, 400)] {
                    turn += 1;
                    if turn % step(7, 31) != 0 {
                        continue;
                    }
                    let class = Class::ALL[rng.below(Class::ALL.len())];
                    ask(pair, &with_errors(&pair.source, class, count, rarity, &mut rng), policy);
                }
            }
        }
    }
}

/// Bytes from the boundaries of all ranges, without any sense.
#[test]
fn nonsense() {
    let boundary = [
        0x00, 0x3C, 0x41, 0x7F, 0x80, 0x82, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB7, 0xBE, 0xBF, 0xC0, 0xC1, 0xC2,
        0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF,
    ];
    let mut rng = Rng::new(42);
    for round in 0..size(4000, 800, 300) {
        let len = rng.below(if round % 10 == 0 { 300 } else { 16 });
        let bytes: Vec<u8> = (0..len)
            .map(|_| {
                if rng.below(2) == 0 {
                    0x80 + rng.below(0x40) as u8
                } else {
                    boundary[rng.below(boundary.len())]
                }
            })
            .collect();
        let pair = PAIRS[rng.below(from_utf8())];
        assert_eq!(pair.source, UTF8);
        for replacement in Replacement::ALL {
            ask(&pair, &bytes, replacement.into());
        }
    }
}

/// Texts of every length, up to more than a slot has room for.
#[test]
fn texts_of_every_length() {
    let mut rng = Rng::new(44);
    let digits = "0123456789".repeat(4);
    for pair in with_forms() {
        for len in 0..=digits.len() {
            let bytes = with_errors(&pair.source, Class::Mixed, size(200, 200, 80), 1, &mut rng);
            ask(pair, &bytes, Policy::With(&digits[..len]));
        }
    }
}

/// An output that is too small holds whole pieces, as many as fit; and it goes on from there.
#[test]
fn outputs_of_every_size() {
    let mut rng = Rng::new(43);
    let often = step(3, 5);
    for (turn, pair) in with_forms().into_iter().enumerate() {
        for policy in policies().into_iter().skip(turn % often).step_by(often) {
            let bytes = with_errors(&pair.source, Class::Mixed, 30, 3, &mut rng);
            let expected = Expected::of(&pair.source, &pair.target, &bytes, policy);
            let mut place = Place::new(bytes.len());
            let src = place.at(0, &bytes);
            let mut memory = vec![0xC5_C5_C5_C5_u32; expected.all().len() / 4 + 4];
            for room in (0..=expected.all().len()).step_by(pair.target.unit) {
                let mut fitting = Vec::new();
                let mut pieces = 0;
                for output in &expected.outputs {
                    if fitting.len() + output.len() > room {
                        break;
                    }
                    fitting.extend(output);
                    pieces += 1;
                }
                for engine in engines() {
                    memory.fill(0xC5C5_C5C5);
                    let out: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
                    let outcome = (pair.lossy)(engine, src, &mut out[..room], policy);
                    let (source, target) = (pair.source.name, pair.target.name);
                    let who = format_args!("{engine:?} {source} to {target}, {policy:?}");
                    match outcome {
                        Ok(repaired) => {
                            assert_eq!(pieces, expected.outputs.len(), "{who}");
                            assert_eq!(repaired.written * pair.target.unit, fitting.len(), "{who}");
                        }
                        Err(error) => {
                            assert!(
                                pieces < expected.outputs.len() && error.reason == Reason::OutputFull,
                                "{who}"
                            );
                            assert_eq!(error.written * pair.target.unit, fitting.len(), "{who}, {room}");
                            // The rest, from where it stopped.
                            let rest = &src[error.read * pair.source.unit..];
                            let (_, rest) = (pair.lossy_append)(engine, rest, &[], policy);
                            assert_eq!(rest, expected.outputs[pieces..].concat(), "{who}, {room}");
                        }
                    }
                    assert_eq!(out[..fitting.len()], fitting, "{who}");
                    assert!(out[room..].iter().all(|byte| *byte == 0xC5), "{who}: behind its end");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(size(3000, 500, 200) as u32)
    })]

    #[test]
    fn any_bytes(which in 0..from_utf8(), bytes in prop::collection::vec(any::<u8>(), 0..80), policy in 0..17_usize) {
        let policies = policies();
        ask(&PAIRS[which], &bytes, policies[policy % policies.len()]);
    }
}
