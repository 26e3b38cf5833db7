//! Effects of damage: those that can be worked out by hand, and all of them against a model that decodes whole texts.

use std::collections::BTreeMap;

use runecast_corpus::{Script, generate};
use runecast_schemes::damage::{DamageCounts, Effect, Kind, Sample};
use runecast_schemes::{ALL, Scheme, Strict, by_name, length, steps};

/// A text as a decoder reads it: from the place of each step to its length and value.
fn reading(scheme: &dyn Scheme, bytes: &[u8]) -> BTreeMap<usize, (usize, Option<char>)> {
    let mut at = 0;
    let step = |step| {
        let item = (length(step), step.ok().and_then(|decoded| char::from_u32(decoded.value)));
        at += item.0;
        (at - item.0, item)
    };
    steps(scheme, bytes).map(step).collect()
}

/// A effect found without any window: both texts are decoded from beginning to end.
fn model(scheme: &dyn Scheme, text: &[u8], hole: std::ops::Range<usize>, patch: &[u8]) -> Effect {
    let damaged = [&text[..hole.start], patch, &text[hole.end..]].concat();
    let (old, new) = (reading(scheme, text), reading(scheme, &damaged));
    let patched = hole.start + patch.len();
    // Where a place behind or before the hole is in the other text.
    let there = |at: usize, len: usize| {
        if at + len <= hole.start {
            Some(at)
        } else if at >= hole.end {
            Some(at - hole.end + patched)
        } else {
            None
        }
    };
    let gone: Vec<_> = old
        .iter()
        .filter(|&(&at, &item)| there(at, item.0).and_then(|at| new.get(&at)) != Some(&item))
        .collect();
    let back = |at: usize, len: usize| {
        if at + len <= hole.start {
            Some(at)
        } else if at >= patched {
            Some(at - patched + hole.end)
        } else {
            None
        }
    };
    let come: Vec<_> = new
        .iter()
        .filter(|&(&at, &item)| back(at, item.0).and_then(|at| old.get(&at)) != Some(&item))
        .collect();
    let hit = |at: usize, len: usize| {
        if hole.is_empty() {
            at < hole.start && hole.start < at + len
        } else {
            at < hole.end && hole.start < at + len
        }
    };
    let own = |at: usize| at >= hole.start && at < patched && damaged[at] < 0x80;
    let detected = come.iter().any(|(_, (_, value))| value.is_none());
    let invented =
        come.iter().filter(|&&(&at, &(len, value))| value.is_some() && !(len == 1 && own(at))).count();
    let lost = gone.iter().filter(|&&(&at, &(len, _))| !hit(at, len)).count();
    let plain = !detected && invented == 0 && gone.iter().all(|&(&at, _)| text[at] < 0x80 && old[&at].0 == 1);
    let last = old.last_key_value().map(|(at, _)| *at);
    let adrift = lost > 1 && gone.last().map(|(at, _)| **at) == last;
    Effect { detected, invented, lost, plain, adrift }
}

#[test]
fn effects_are_those_of_the_model() {
    let text = "aé√🦀x日本語 ñ–b\u{10FFFF}\u{80}Ω";
    for scheme in ALL {
        let text =
            if scheme.name() == "corrected" { text.replace('\u{80}', "\u{A0}") } else { text.to_owned() };
        for scheme in [scheme, &Strict(scheme) as &dyn Scheme] {
            let sample = Sample::new(scheme, &text).expect("a form for all");
            let bytes = sample.bytes();
            let mut all_counts = [DamageCounts::default(); 4];
            let mut check = |kind: Kind, hole: std::ops::Range<usize>, patch: &[u8]| {
                let effect = sample.effect(hole.clone(), patch);
                let expected = model(scheme, bytes, hole.clone(), patch);
                assert_eq!(effect, expected, "{} {bytes:02X?} {hole:?} {patch:02X?}", scheme.name());
                assert!(!(effect.plain && effect.detected));
                let counts = &mut all_counts[kind as usize];
                counts.cases += 1;
                if effect.plain {
                    counts.plain += 1;
                } else {
                    counts.detected += u64::from(effect.detected);
                    counts.silent += u64::from(!effect.detected);
                    counts.detected_and_false += u64::from(effect.detected && effect.invented > 0);
                    counts.lost += effect.lost as u64;
                    counts.lost_at_most = counts.lost_at_most.max(effect.lost);
                    counts.adrift += u64::from(effect.adrift);
                }
            };
            for at in 0..=bytes.len() {
                (0..=0xFF).for_each(|byte| check(Kind::Insertion, at..at, &[byte]));
            }
            for at in 0..bytes.len() {
                check(Kind::Deletion, at..at + 1, &[]);
                let others = (0..=0xFF).filter(|byte| *byte != bytes[at]);
                others.for_each(|byte| check(Kind::Substitution, at..at + 1, &[byte]));
                if at > 0 && bytes[at - 1] != bytes[at] {
                    check(Kind::Swap, at - 1..at + 1, &[bytes[at], bytes[at - 1]]);
                }
            }
            for kind in Kind::ALL {
                assert_eq!(
                    sample.count_effects(kind),
                    all_counts[kind as usize],
                    "{} {kind:?}",
                    scheme.name()
                );
            }
        }
    }
}

#[test]
fn a_few_by_hand() {
    let scheme = |name| by_name(name).expect("a scheme");
    let none = Effect { detected: false, invented: 0, lost: 0, plain: false, adrift: false };
    // UTF-8, "aé√": the E2 of the root is lost. Two stray bytes, nobody else is hurt.
    let sample = Sample::new(scheme("utf8"), "aé√").expect("text");
    assert_eq!(sample.bytes(), "aé√".as_bytes());
    assert_eq!(sample.characters(), 3);
    assert_eq!(sample.effect(3..4, &[]), Effect { detected: true, ..none });
    // Another continuation byte: another character, and nobody notices.
    assert_eq!(sample.effect(2..3, &[0xAA]), Effect { invented: 1, ..none });
    // A letter that is lost, changed or comes in.
    for (hole, patch) in [(0..1, &b""[..]), (0..1, b"b"), (1..1, b"b"), (6..6, b"b")] {
        assert_eq!(sample.effect(hole, patch), Effect { plain: true, ..none });
    }
    // A letter inside of a character.
    assert_eq!(sample.effect(2..2, b"b"), Effect { detected: true, ..none });
    // LEB128 as in the essay: a lost first byte goes unnoticed and takes the character before with it.
    let sample = Sample::new(scheme("tagged"), "aéāb").expect("text");
    assert_eq!(sample.bytes(), [0x61, 0x69, 0x81, 0x01, 0x82, 0x62]);
    assert_eq!(sample.effect(3..4, &[]), Effect { invented: 1, lost: 1, ..none });
    // An empty text has only insertions.
    let sample = Sample::new(scheme("utf8"), "").expect("text");
    assert_eq!(sample.count_effects(Kind::Deletion), DamageCounts::default());
    let counts = sample.count_effects(Kind::Insertion);
    assert_eq!((counts.cases, counts.plain, counts.detected, counts.silent), (256, 128, 128, 0));
    assert_eq!(counts.counted(), 128);
    assert!(Sample::new(scheme("corrected"), "a\u{85}").is_err_and(|character| character == '\u{85}'));
}

/// A text of all scripts.
fn text() -> String {
    Script::ALL.into_iter().map(|script| generate(script, 200, 1) + "\n").collect()
}

#[test]
fn what_the_essay_claims() {
    let text = text();
    let count =
        |name, kind| Sample::new(by_name(name).expect("a scheme"), &text).expect("text").count_effects(kind);
    for name in ["start", "one", "cleared", "rfc2044", "utf8", "corrected"] {
        // The neighbours are never hurt, and no lost byte goes unnoticed.
        for kind in Kind::ALL {
            let counts = count(name, kind);
            assert_eq!((counts.lost, counts.adrift), (0, 0), "{name} {kind:?}");
            assert!(kind != Kind::Deletion || counts.silent == 0, "{name}");
        }
        // Nor does one that comes in, but for a lone byte with a counter of zero, if that may stand for ASCII.
        let scheme = by_name(name).expect("a scheme");
        let insertions = |scheme: &dyn Scheme| {
            Sample::new(scheme, &text).expect("text").count_effects(Kind::Insertion).silent
        };
        let strict = Strict(scheme);
        assert_eq!(insertions(&strict), 0, "{name}");
        assert_eq!(insertions(scheme) > 0, matches!(name, "start" | "one"), "{name}");
        // One continuation byte in place of another is never noticed.
        assert!(count(name, Kind::Substitution).silent > 0, "{name}");
    }
    for name in ["leb128", "tagged", "naive", "unary"] {
        assert!(count(name, Kind::Deletion).silent > 0, "{name}");
    }
    // Without marks on the bytes that follow, it takes the decoder a while to find back.
    assert!(count("unary", Kind::Deletion).lost_at_most > 10);
    // Counters in each byte do one thing that one counter does not: they notice swaps.
    assert_eq!(count("start", Kind::Swap).silent, 0);
    assert!(count("one", Kind::Swap).silent > 0);
}
