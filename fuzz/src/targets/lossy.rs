//! Any bytes, as UTF-8, as UTF-16 and as whatever a pair of encodings reads: repaired alike by every
//! engine, by the model of the tests, and by std.
//!
//! The bytes are as they come, or runs of text with ill-formed sequences among them: the loop that
//! repairs behaves differently where errors are rare, and libFuzzer by itself writes no text that is
//! clean for long. Each input asks one engine for one policy; the output is once a vector, once a slice of some
//! size between canaries, and its length is known beforehand.

use std::borrow::Cow;
use std::cell::RefCell;

use runecast::{Engine, Policy, Reason};

use crate::choices::Choices;
use crate::common::place::{Place, UNIT};
use crate::common::texts::{Class, Rng};
use crate::pairs::{Pair, with_forms};
use crate::replace_model::Expected;
use crate::texts;

/// Longer texts are cut.
const LONGEST: usize = 1024;

thread_local! {
    static PLACE: RefCell<Place> = RefCell::new(Place::new(LONGEST));
    static PAIRS: Vec<&'static Pair> = with_forms();
    /// Well-formed text in UTF-16, that surrogates are put into.
    static UNITS: Vec<u16> = Class::Mixed.text(LONGEST, &mut Rng::new(1)).encode_utf16().collect();
}

/// Units that are characters, and among them a unit at each place that is given.
fn units(mut choices: Choices<'_>) -> Vec<u8> {
    let (from, len) = (usize::from(choices.byte()), usize::from(choices.byte() % 128));
    let mut units = UNITS.with(|units| units[from..(from + len).min(units.len())].to_vec());
    while !choices.is_empty() {
        let (at, unit) = (usize::from(choices.byte()), choices.number() as u16);
        if let Some(place) = units.get_mut(at) {
            // Nearly always a surrogate.
            *place = if unit % 8 == 0 { unit } else { 0xD800 | unit >> 3 & 0x7FF };
        }
    }
    units.into_iter().flat_map(u16::to_ne_bytes).collect()
}

/// One execution.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    let (engine, what) = (choices.engine(), choices.byte());
    let (pair, policy, from, less) = (choices.byte(), choices.policy(), choices.byte(), choices.byte());
    let text = |choices| if what & 1 == 0 { texts::utf8(choices, LONGEST) } else { units(choices) };
    let bytes = text(choices);
    match what >> 1 & 7 {
        0 => ask_utf8(&bytes),
        1 => ask_utf16(engine, &bytes),
        // UTF-8 to UTF-16 often, for only there do the behaviours come out; then any pair.
        number => {
            let pair =
                PAIRS.with(|pairs| pairs[if number < 4 { 1 } else { usize::from(pair) % pairs.len() }]);
            ask_pair(engine, pair, policy, &bytes, from.into(), (less % 32).into());
        }
    }
}

/// The functions that std has, for UTF-8.
fn ask_utf8(bytes: &[u8]) {
    let expected = String::from_utf8_lossy(bytes);
    let lossy = runecast::from_utf8_lossy(bytes);
    assert_eq!(lossy, expected);
    assert_eq!(matches!(lossy, Cow::Borrowed(_)), matches!(expected, Cow::Borrowed(_)));
    assert_eq!(runecast::from_utf8_lossy_owned(bytes.to_vec()), expected);
}

/// The functions that std has, or would have, for UTF-16.
fn ask_utf16(engine: Engine, bytes: &[u8]) {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|unit| u16::from_ne_bytes([unit[0], unit[1]])).collect();
    let expected = String::from_utf16_lossy(&units);
    assert_eq!(runecast::from_utf16_lossy(&units), expected);
    let replaced = char::decode_utf16(units.iter().copied()).filter(Result::is_err).count();
    let mut well_formed = units;
    assert_eq!(engine.to_well_formed(&mut well_formed), replaced, "{engine:?}");
    assert_eq!(String::from_utf16(&well_formed).ok(), Some(expected), "{engine:?}");
}

/// A policy and an engine, for one pair; the text lies `from` bytes behind an aligned place.
fn ask_pair(engine: Engine, pair: &Pair, policy: Policy<'_>, bytes: &[u8], from: usize, less: usize) {
    let (unit_from, unit_to) = (pair.source.unit, pair.target.unit);
    let bytes = &bytes[..bytes.len() / unit_from * unit_from];
    let expected = Expected::of(&pair.source, &pair.target, bytes, policy);
    let all = expected.all();
    let report = (all.len() / unit_to, expected.replaced, expected.first);
    let fitting = all.len().saturating_sub(less * unit_to);
    PLACE.with_borrow_mut(|place| {
        let src = place.at(from % (UNIT / unit_from) * unit_from, bytes);
        let who = || format!("{engine:?}, {} to {}, {policy:?}", pair.source.name, pair.target.name);
        let (repaired, out) = (pair.lossy_append)(engine, src, &[], policy);
        assert_eq!(out, all, "{}", who());
        assert_eq!((repaired.written, repaired.replaced, repaired.first), report, "{}", who());
        assert_eq!((pair.lossy_len)(engine, src, policy), repaired, "{}", who());

        // Words, so that it is aligned; the last of them are canaries.
        let mut memory = vec![CANARY; fitting / 4 + 4];
        let room: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
        match (pair.lossy)(engine, src, &mut room[..fitting], policy) {
            Ok(again) => assert_eq!((again, fitting), (repaired, all.len()), "{}", who()),
            Err(error) => {
                assert_eq!(error.reason, Reason::OutputFull, "{}", who());
                assert!(fitting < all.len() && error.written * unit_to <= fitting, "{}", who());
                assert_eq!(room[..error.written * unit_to], all[..error.written * unit_to], "{}", who());
            }
        }
        assert!(room[fitting..].iter().all(|byte| *byte == CANARY as u8), "{}", who());
    });
}

/// What lies behind an output.
const CANARY: u32 = 0xC5C5_C5C5;
