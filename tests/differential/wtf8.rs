//! Strings of WTF-8 behave as lists of the units of UTF-16 that they were made of.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use proptest::prelude::*;
use runecast::wtf8::{Wtf8, Wtf8Buf};

use crate::common::scale::size;

/// What std makes of units, with U+FFFD for surrogates.
fn lossy(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

/// The code points of units.
fn points(units: &[u16]) -> Vec<u32> {
    char::decode_utf16(units.iter().copied())
        .map(|unit| unit.map_or_else(|error| error.unpaired_surrogate().into(), u32::from))
        .collect()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Everything about one string.
fn ask(units: &[u16]) {
    let owned = Wtf8Buf::from_wide(units);
    let text: &Wtf8 = &owned;
    assert_eq!(text.to_wide(), units);
    assert!(text.encode_wide().eq(units.iter().copied()));
    assert!(text.code_points().eq(points(units)));
    let (least, most) = text.encode_wide().size_hint();
    assert!(least <= units.len() && Some(units.len()) <= most);
    assert_eq!(text.to_string_lossy(), lossy(units));
    assert_eq!(text.to_string(), lossy(units));
    assert_eq!(text.to_str().ok().map(str::to_owned), String::from_utf16(units).ok());
    assert_eq!(owned.is_known_utf8(), text.to_str().is_ok());
    assert_eq!(Wtf8::from_bytes(text.as_bytes()), Ok(text));
    assert_eq!(Wtf8Buf::from_bytes(text.as_bytes().to_vec()).as_ref(), Ok(&owned));
    assert_eq!(text.to_owned(), owned);
    assert_eq!(hash(&text), hash(&owned));
    assert_eq!(owned.clone().into_string().ok(), String::from_utf16(units).ok());
    assert_eq!(owned.clone().into_string_lossy(), lossy(units));
    assert_eq!(points(units).into_iter().collect::<Wtf8Buf>(), owned);
    let mut one_by_one = Wtf8Buf::new();
    units.iter().for_each(|unit| one_by_one.push_wide(*unit));
    assert_eq!(one_by_one, owned);
    if let Ok(string) = text.to_str() {
        assert_eq!(format!("{text:?}"), format!("{string:?}"));
        assert_eq!(Wtf8::from_str(string), text);
        assert_eq!(*text, *string);
    }
}

/// Units of few kinds, so that all neighbours come by.
fn units() -> impl Strategy<Value = Vec<u16>> {
    const KINDS: [u16; 12] =
        [0x41, 0xE9, 0x20AC, 0xD7FF, 0xD800, 0xD83E, 0xDBFF, 0xDC00, 0xDEA8, 0xDFFF, 0xE000, 0xFFFF];
    prop::collection::vec(prop::sample::select(&KINDS[..]), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(size(1000, 300, 100) as u32) })]

    #[test]
    fn strings_of_any_units(units in units()) {
        ask(&units);
    }

    #[test]
    fn what_is_joined_is_what_the_units_joined_are(one in units(), other in units(), text in ".{0,4}") {
        let mut joined = Wtf8Buf::from_wide(&one);
        joined.push_wtf8(&Wtf8Buf::from_wide(&other));
        let mut all = one;
        all.extend(&other);
        prop_assert_eq!(&joined, &Wtf8Buf::from_wide(&all));
        prop_assert!(Wtf8::from_bytes(joined.as_bytes()).is_ok());
        joined.push_str(&text);
        all.extend(text.encode_utf16());
        prop_assert_eq!(&joined, &Wtf8Buf::from_wide(&all));
    }

    /// The crate `wtf8`, from which that of the standard library came. (Its order is that of bytes, too.)
    #[test]
    fn the_first_implementation_agrees(units in units(), others in units()) {
        let (mut ours, mut theirs) = (Wtf8Buf::from_wide(&units), wtf8::Wtf8Buf::from_ill_formed_utf16(&units));
        let (other, their_other) = (Wtf8Buf::from_wide(&others), wtf8::Wtf8Buf::from_ill_formed_utf16(&others));
        prop_assert_eq!(ours.cmp(&other), theirs.cmp(&their_other));
        ours.push_wtf8(&other);
        theirs.push_wtf8(&their_other);
        prop_assert_eq!(ours.len(), theirs.len());
        prop_assert!(ours.code_points().eq(theirs.code_points().map(|point| point.to_u32())));
        prop_assert!(ours.encode_wide().eq(theirs.to_ill_formed_utf16()));
        prop_assert_eq!(ours.to_str().ok(), theirs.as_str());
        prop_assert_eq!(ours.to_string_lossy(), theirs.to_string_lossy());
    }

    #[test]
    fn slices(units in units(), from in 0..60_usize, to in 0..60_usize) {
        let text = Wtf8Buf::from_wide(&units);
        let starts: Vec<usize> = text
            .code_points()
            .scan(0, |at, point| {
                let here = *at;
                *at += match point { 0..=0x7F => 1, 0x80..=0x7FF => 2, 0x800..=0xFFFF => 3, _ => 4 };
                Some(here)
            })
            .chain([text.len()])
            .collect();
        let whole = from <= to && starts.contains(&from) && starts.contains(&to);
        let slice = text.get(from..to);
        prop_assert_eq!(slice.is_some(), whole);
        if let Some(slice) = slice {
            prop_assert_eq!(slice.as_bytes(), &text.as_bytes()[from..to]);
            prop_assert!(Wtf8::from_bytes(slice.as_bytes()).is_ok());
            let mut cut = text.clone();
            prop_assert!(cut.truncate(to));
            prop_assert_eq!(Some(&*cut), text.get(..to));
        }
    }
}

#[test]
fn names() {
    let half = Wtf8Buf::from_wide(&[0x22, 0x27, 0x0A, 0xD800]);
    assert_eq!(format!("{half:?}"), r#""\"'\n\u{d800}""#);
    assert_eq!(format!("{:>4}|", Wtf8::from_str("ab")), "  ab|");
    let error = Wtf8::from_bytes(b"\xED\xA0\x80\xED\xB0\x80").unwrap_err();
    assert_eq!(error.kind, runecast::Kind::SurrogatePair);
    let set: HashSet<Wtf8Buf> = [half.clone(), Wtf8Buf::from("a")].into();
    assert!(set.contains(&*half) && set.contains(Wtf8::from_str("a")));
    assert!(Wtf8::from_str("\u{FFFF}") < Wtf8::from_str("\u{10000}"));
    // What has become whole again is found to be so when it is asked for.
    let mut rock = Wtf8Buf::from_wide(&[0xD83E]);
    rock.push_wide(0xDEA8);
    assert!(!rock.is_known_utf8());
    assert_eq!(rock.into_string().as_deref(), Ok("🪨"));
    let mut text = Wtf8Buf::from("x");
    assert!(!text.truncate(2));
    text.clear();
    assert!(text.is_empty() && text.is_known_utf8());
}
