//! The forms of the functions: one truth, however the library tells it. Lengths, round trips, and
//! mixes at random.

use proptest::prelude::*;
use runecast::{Engine, Reason, TranscodeError};

use super::lengths;
use super::text::{below, characters, ill_formed, irregular, limit};
use crate::common::check::engines;
use crate::common::oracle::{Family, UTF8};
use crate::common::place::Place;
use crate::common::scale::size;
use crate::common::texts::{Class, Rng};
use crate::encodings::expected::{End, Expected, Output, blame};
use crate::encodings::pairs::{Appended, Outcome, PAIRS, Pair, with_forms};

/// Asks every function about `bytes`, in outputs of `room` bytes where it takes one.
fn ask_all(pair: &Pair, bytes: &[u8], room: usize) {
    let room = room / pair.target.unit * pair.target.unit;
    let decoded = pair.source.decode(bytes);
    let expected = Expected::of(&decoded, &pair.target);
    let all = expected.output.len();
    let mut output = Output::new(room.max(all));
    let mut place = Place::new(bytes.len());
    let src = place.at(0, bytes);

    for room in [room, all] {
        for engine in engines() {
            output.ask(pair, engine, src, &expected, room, 0);
            output.ask_function(pair, &"uninit", src, &expected, room, 0, |src, dst| {
                (pair.uninit)(engine, src, dst)
            });
        }
        output.ask_function(pair, &"transcode", src, &expected, room, 0, pair.current);
        output.ask_function(pair, &"transcode_uninit", src, &expected, room, 0, pair.current_uninit);
        output.ask_function(pair, &"transcode_partial", src, &expected, room, 0, |src, dst| {
            partial(pair, src, dst)
        });
    }

    // Onto something, which is kept; and it cannot be full.
    let begin = [0x20_u8; 12];
    let appended = |(outcome, dst): Appended, who: &str| {
        let right = expected.hold(pair, src, all, outcome, who);
        assert_eq!(dst[..begin.len()], begin, "{who}: {}", blame(pair, src, 0));
        assert_eq!(&dst[begin.len()..], right, "{who}: {}", blame(pair, src, 0));
    };
    for engine in engines() {
        appended((pair.append)(engine, src, &begin), "Engine::transcode_append");
        let error = (pair.validate)(engine, src).err();
        assert_eq!(error.is_none(), decoded.error.is_none(), "{}", blame(pair, src, 0));
    }
    appended((pair.current_append)(src, &begin), "transcode_append");

    match (pair.to_vec)(src) {
        Ok(bytes) => {
            let units = bytes.len() / pair.target.unit;
            let right = expected.hold(pair, src, all, Ok(units), "transcode_to_vec");
            assert_eq!(bytes, right);
        }
        Err(error) => {
            expected.hold(pair, src, all, Err(error), "transcode_to_vec");
        }
    }

    match (pair.cow)(src) {
        Ok((bytes, borrowed)) => {
            let units = bytes.len() / pair.target.unit;
            let right = expected.hold(pair, src, all, Ok(units), "transcode_cow");
            assert_eq!(bytes, right);
            assert_eq!(
                borrowed,
                is_own_answer(pair, src, &expected),
                "transcode_cow: {}",
                blame(pair, src, 0)
            );
        }
        Err(error) => {
            expected.hold(pair, src, all, Err(error), "transcode_cow");
        }
    }

    let bound = (pair.max_len)(src.len() / pair.source.unit) * pair.target.unit;
    assert!(all <= bound, "max_transcoded_len: {bound}, but {all} written: {}", blame(pair, src, 0));
    lengths::ask(pair, src, &decoded, &expected);

    let error = (pair.current_validate)(src).err();
    let seen = error.map(|e| (e.at * pair.source.unit, e.len * pair.source.unit, e.kind));
    assert_eq!(seen, decoded.error, "validate: {}", blame(pair, src, 0));

    if pair.target == UTF8 {
        match (pair.to_string)(src) {
            Ok(text) => assert!(expected.end == End::Complete && text.as_bytes() == expected.output),
            Err(error) => {
                expected.hold(pair, src, all, Err(error), "transcode_to_string");
            }
        }
        match (pair.to_str)(src) {
            Ok((text, borrowed)) => {
                assert!(expected.end == End::Complete && text.as_bytes() == expected.output);
                assert_eq!(borrowed, is_own_answer(pair, src, &expected), "{}", blame(pair, src, 0));
            }
            Err(error) => {
                expected.hold(pair, src, all, Err(error), "transcode_to_str");
            }
        }
    }
}

/// Whether well-formed `src`, aligned for both sides, need not be copied.
fn is_own_answer(pair: &Pair, src: &[u8], expected: &Expected) -> bool {
    let bytes = |family| matches!(family, Family::Single | Family::Eight | Family::Leads(_));
    let (source, target) = (&pair.source, &pair.target);
    let same = source.family == target.family && source.big == target.big && source.limit == target.limit;
    let bytes = bytes(source.family) && bytes(target.family) && src == expected.output;
    // An empty slice of bytes may lie where a larger unit could not.
    (same || bytes) && src.as_ptr().addr().is_multiple_of(target.unit)
}

/// `transcode_partial`, which must not say "full", put as if it did.
fn partial(pair: &Pair, src: &[u8], dst: &mut [u8]) -> Outcome {
    let (read, written) = (pair.partial)(src, dst)?;
    if read * pair.source.unit == src.len() {
        return Ok(written);
    }
    // The error cannot be made by hand, so another function makes it.
    match (pair.current)(src, dst) {
        Err(error)
            if error.reason == Reason::OutputFull && (error.read, error.written) == (read, written) =>
        {
            Err(error)
        }
        other => panic!("transcode_partial read {read}, wrote {written}; but transcode: {other:?}"),
    }
}

#[test]
fn every_form_says_the_same() {
    let mut rng = Rng::new(10);
    for pair in with_forms() {
        let irregular = irregular(&pair.source);
        for class in Class::ALL {
            for count in [0, 1, 3, 17, 64, 100, 333] {
                let mut bytes = pair.source.encode_all(characters(class, limit(pair), count, &mut rng));
                let room = rng.below(bytes.len() + 8);
                ask_all(pair, &bytes, room);
                // Beyond what the target has, maybe.
                let all = characters(class, pair.source.limit, count, &mut rng);
                ask_all(pair, &pair.source.encode_all(all), room);
                if !irregular.is_empty() {
                    bytes.extend(&irregular[rng.below(irregular.len())]);
                    bytes.extend(pair.source.encode_all(characters(class, limit(pair), 9, &mut rng)));
                    ask_all(pair, &bytes, room);
                }
            }
        }
    }
}

/// A partial output never says that it is full, and goes on where it stopped: piece by piece the
/// whole comes out.
#[test]
fn partial_outputs_add_up() {
    let mut rng = Rng::new(11);
    for pair in with_forms() {
        for class in Class::ALL {
            let text = characters(class, limit(pair), 60, &mut rng);
            let src = pair.source.encode_all(text.iter().copied());
            let mut place = Place::new(src.len());
            let src = place.at(0, &src);
            let widest = 6 / pair.target.unit;
            let mut room = [0_u32; 16];
            let (mut read, mut out) = (0, Vec::new());
            while read < src.len() {
                let units = widest + rng.below(8);
                let dst = &mut bytemuck::cast_slice_mut(&mut room)[..units * pair.target.unit];
                let progress = (pair.partial)(&src[read..], dst);
                let (units_read, written) = progress.expect("well-formed and representable");
                assert!(units_read > 0, "stuck at {}", blame(pair, src, read));
                read += units_read * pair.source.unit;
                out.extend_from_slice(&dst[..written * pair.target.unit]);
            }
            assert_eq!(out, pair.target.encode_all(text), "{}", blame(pair, src, 0));
        }
    }
}

/// There and back again, by every engine.
#[test]
fn round_trips() {
    let mut rng = Rng::new(12);
    for pair in with_forms() {
        let back = with_forms()
            .into_iter()
            .find(|back| back.source == pair.target && back.target == pair.source)
            .expect("every pair has its reverse");
        for class in Class::ALL {
            let text = characters(class, limit(pair), 500, &mut rng);
            let src = pair.source.encode_all(text);
            let mut place = Place::new(6 * 500);
            for engine in engines() {
                let (outcome, there) = (pair.append)(engine, place.at(0, &src), &[]);
                outcome.unwrap_or_else(|error| panic!("{engine:?}: {error}"));
                let (outcome, again) = (back.append)(engine, place.at(0, &there), &[]);
                outcome.unwrap_or_else(|error| panic!("{engine:?}: {error}"));
                assert_eq!(again, src, "{engine:?}: {}", blame(pair, &src, 0));
            }
        }
    }
}

/// An error far into a long text, behind many chunks of whatever size.
#[test]
fn late_errors() {
    let mut rng = Rng::new(13);
    for pair in with_forms() {
        let irregular = irregular(&pair.source);
        let class = Class::ALL[rng.below(Class::ALL.len())];
        let mut bytes =
            pair.source.encode_all(characters(class, limit(pair), size(100_000, 20_000, 5_000), &mut rng));
        if !irregular.is_empty() {
            bytes.extend(&irregular[rng.below(irregular.len())]);
        }
        bytes.extend(pair.source.encode_all(characters(class, limit(pair), 50, &mut rng)));
        let room = bytes.len() / 2;
        ask_all(pair, &bytes, room);
    }
}

/// What the bounds say of lengths that no text has.
#[test]
fn bounds_of_any_length() {
    for pair in PAIRS {
        assert_eq!((pair.max_len)(0), 0, "{} to {}", pair.source.name, pair.target.name);
        let mut last = 0;
        // Then the powers of two: a bound saturates, and does not wrap around.
        for units in (0..300).chain((9..usize::BITS).map(|bit| 1 << bit)).chain([usize::MAX]) {
            let bound = (pair.max_len)(units);
            assert!(
                bound >= last,
                "{} to {}: a lower bound for a longer text, {units}",
                pair.source.name,
                pair.target.name
            );
            last = bound;
        }
    }
}

/// The messages are sentences, in which the place can be found.
#[test]
fn errors_can_be_read() {
    let engine = Engine::current();
    for pair in PAIRS {
        let mut room = [0_u32; 8];
        let dst = bytemuck::cast_slice_mut(&mut room);
        for piece in ill_formed(&pair.source) {
            let mut bytes = pair.source.encode_all(['-', '-']);
            bytes.extend(piece);
            let mut place = Place::new(bytes.len());
            let error: TranscodeError =
                (pair.transcode)(engine, place.at(0, &bytes), dst).expect_err("ill-formed");
            // A piece may begin with a character, which not every target has.
            let at = match error.reason {
                Reason::IllFormed(error) => error.at,
                Reason::Unrepresentable { at, .. } | Reason::UnrepresentableCodePoint { at, .. } => at,
                other => panic!("{other:?}"),
            };
            let text = error.to_string();
            assert!(
                text.contains(&format!("at offset {at}:"))
                    || text.contains(&format!("at byte {at}:"))
                    || text.contains(&format!("at unit {at}:")),
                "{text}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(size(4000, 600, 200) as u32)
    })]

    /// Runs of text, changed in a few places.
    #[test]
    fn mixes(
        which in 0..with_forms().len(),
        runs in prop::collection::vec((0..Class::ALL.len(), 0..80_usize, any::<u64>()), 0..5),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cut in 0..8_usize,
        foreign in any::<bool>(),
        room in 0..1500_usize,
    ) {
        let pair = with_forms()[which];
        let limit = if foreign { pair.source.limit } else { limit(pair) };
        let mut bytes = Vec::new();
        for (class, count, seed) in runs {
            let run = characters(Class::ALL[class], limit, count, &mut Rng::new(seed));
            bytes.extend(pair.source.encode_all(run));
        }
        for (place, byte) in changes {
            if !bytes.is_empty() {
                let at = place.index(bytes.len());
                bytes[at] = byte;
            }
        }
        bytes.truncate(bytes.len() - bytes.len().min(cut / pair.source.unit * pair.source.unit));
        ask_all(pair, &bytes, room);
    }

    /// Any characters, from everywhere.
    #[test]
    fn strings(which in 0..with_forms().len(), text in ".{0,120}", room in 0..500_usize) {
        let pair = with_forms()[which];
        let bytes = pair.source.encode_all(text.chars().map(|character| below(character, pair.source.limit)));
        ask_all(pair, &bytes, room);
        if pair.source.family == Family::Eight {
            prop_assert_eq!(bytes, text.into_bytes());
        }
    }
}
