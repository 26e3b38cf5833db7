//! A text that is another one at the second look: what was found out about the first is used with the second.
//!
//! No `&[u8]` can change while it is borrowed, so that the change itself cannot be made here without undefined behaviour. This is the
//! model of it between calls: lengths, boundaries, maps and the states of streams come from one text, and are given to the functions
//! with another, of which some bytes differ. The answer may be meaningless, but nothing panics, no more is written than there is room
//! for, nothing runs for ever, and what is called text is text. (`readers` has sources that change their buffer, and say what is not
//! true; the tests of the Python package and `tests/differential/guard_pages` have memory that changes within a call.)

use arbitrary::Arbitrary;
use runecast::batch::{repair_offsets, transcode_offsets, validate_offsets};
use runecast::index::{OffsetMap, Unit};
use runecast::{
    Cesu8, CorrectedUtf8, Encoding, Latin1, Mutf8, Policy, Replacement, Transcoder, Utf8, Utf16Be, Utf16Le,
    Utf32Le, Validator, Wtf8, transcode, transcode_lossy, transcode_lossy_len, transcode_partial,
    transcoded_len, validate,
};

use crate::choices::Choices;

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Case<'a> {
    policy: u8,
    /// Where the second text differs from the first, and in what.
    changes: [(u16, u8); 4],
    cut: u16,
    places: [u16; 4],
    /// How often the text comes.
    times: u8,
    /// Which encodings.
    pair: u8,
    text: &'a [u8],
}

/// What lies behind an output.
const CANARY: u8 = 0xC5;

/// Lengths are those of the first text.
fn lengths<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(first: &[u8], second: &[u8], policy: Policy<'_>) {
    let exact = |len: usize| (vec![CANARY; len + 16], len);
    let (mut output, len) = exact(transcoded_len::<S, D>(first));
    for text in [second, first] {
        let outcome = transcode::<S, D>(text, &mut output[..len]);
        let written = outcome.unwrap_or_else(|error| error.written);
        assert!(written <= len);
        if let Ok(progress) = transcode_partial::<S, D>(text, &mut output[..len]) {
            assert!(progress.written <= len && progress.read <= text.len());
            let rest = &text[progress.read..];
            let _ = transcode_partial::<S, D>(rest, &mut output[..len]);
        }
        assert!(output[len..].iter().all(|byte| *byte == CANARY));
    }
    let (mut output, len) = exact(transcode_lossy_len::<S, D>(first, policy).written);
    match transcode_lossy::<S, D>(second, &mut output[..len], policy) {
        Ok(repaired) => assert_eq!(repaired, transcode_lossy_len::<S, D>(second, policy)),
        Err(error) => assert!(error.written <= len && error.read <= second.len()),
    }
    assert!(output[len..].iter().all(|byte| *byte == CANARY));

    // Where the first is ill-formed, the second is taken up.
    if let Err(error) = validate::<S>(first) {
        let at = (error.at + error.len).min(second.len());
        let _ = validate::<S>(&second[at..]);
        let _ = transcode::<S, D>(&second[at..], &mut output[..len]);
    }
}

/// The beginning is of the first text, and the rest, of the second, begins `again` bytes before the place up to which was read.
fn streams<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(
    first: &[u8],
    second: &[u8],
    cut: usize,
    policy: Policy<'_>,
) {
    let mut validator = Validator::<S>::new();
    let _ = validator.push(&first[..cut]);
    let _ = validator.push(&second[cut..]);
    let _ = validator.finish();

    let mut stream = Transcoder::<S, D>::lossy(policy);
    let (mut output, mut calls) = ([0; 64], 0);
    let mut rest = &first[..cut];
    for last in [false, true] {
        loop {
            let step = stream.transcode(rest, &mut output, last);
            assert!(step.read <= rest.len() && step.written <= output.len());
            rest = &rest[step.read..];
            calls += 1;
            assert!(calls <= 64 * (first.len() + 16), "no end");
            if step.reason.is_none() {
                break;
            }
            // What is asked for again has changed.
            if !last {
                rest = &second[cut - rest.len()..cut];
            }
        }
        rest = &second[cut..];
    }
}

/// Offsets of rows, and a map, which are those of the first text.
fn offsets(first: &[u8], second: &[u8], places: &[u16]) {
    let within = |place: u16| usize::from(place) * (first.len() + 1) / 0x1_0000;
    let mut bounds: Vec<i32> = places.iter().map(|place| within(*place) as i32).collect();
    bounds.push(0);
    bounds.push(first.len() as i32);
    bounds.sort_unstable();
    let _ = validate_offsets::<Utf8>(second, &bounds, None);
    let _ = transcode_offsets::<Utf8, Utf16Le, i32>(second, &bounds, None);
    if let Ok(Some(repaired)) = repair_offsets(second, &bounds, None, Replacement::Whatwg) {
        assert!(std::str::from_utf8(&repaired.values).is_ok());
    }
    let (Ok(first), Ok(second)) = (std::str::from_utf8(first), std::str::from_utf8(second)) else { return };
    let map = OffsetMap::new(first);
    for text in [second, &second[..second.floor_char_boundary(second.len() / 2)], ""] {
        for place in places {
            for unit in [Unit::Utf8, Unit::Utf16, Unit::Char] {
                let at = map.at_offset(text, within(*place), unit);
                let _ = map.offset(text, at, unit);
                let _ = map.offset(text, within(*place), unit);
                let _ = map.position(text, within(*place), unit);
            }
        }
    }
}

/// One execution.
pub fn run(case: Case<'_>) {
    let first = case.text.repeat(1 + usize::from(case.times % 32));
    let mut second = first.clone();
    for (at, byte) in case.changes {
        if !second.is_empty() {
            let at = usize::from(at) % second.len();
            second[at] = byte;
        }
    }
    let (policy, cut) = (Choices::new(&[case.policy]).policy(), usize::from(case.cut) % (first.len() + 1));
    macro_rules! pairs {
        ($($number:literal $source:ident $target:ident,)*) => {
            match case.pair % 16 {
                $($number => {
                    lengths::<$source, $target>(&first, &second, policy);
                    streams::<$source, $target>(&first, &second, cut, policy);
                })*
                _ => offsets(&first, &second, &case.places),
            }
        };
    }
    pairs! {
        0 Utf8 Utf8, 1 Utf8 Utf16Le, 2 Utf8 Latin1, 3 Utf8 Cesu8, 4 Utf16Le Utf8, 5 Utf16Be Utf32Le, 6 Utf32Le Utf8,
        7 Latin1 Utf8, 8 Cesu8 Utf8, 9 Mutf8 Utf16Le, 10 Wtf8 Utf16Le, 11 CorrectedUtf8 Utf8, 12 Utf8 CorrectedUtf8,
    }
}
