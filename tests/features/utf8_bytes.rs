//! Text in shared bytes: what `str` and `Bytes` do, and no byte is copied that need not be.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher as _, RandomState};

use bytes::{Bytes, BytesMut};
use runecast::{Replacement, Utf8Bytes};

/// Characters of one to four bytes.
const TEXT: &str = "rūna ᚱ 🪨!";

#[test]
fn every_cut_is_one_of_str() {
    let text = Utf8Bytes::from(String::from(TEXT));
    for start in 0..=TEXT.len() + 2 {
        assert_eq!(text.slice(start..).as_deref(), TEXT.get(start..));
        assert_eq!(text.slice(..start).as_deref(), TEXT.get(..start));
        let mut rest = text.clone();
        let head = rest.split_to(start);
        assert_eq!(head.as_deref(), TEXT.get(..start));
        assert_eq!(rest.as_str(), TEXT.get(start..).unwrap_or(TEXT));
        let mut head = text.clone();
        let rest = head.split_off(start);
        assert_eq!(rest.as_deref(), TEXT.get(start..));
        assert_eq!(head.as_str(), if rest.is_some() { &TEXT[..start] } else { TEXT });
        for end in 0..=TEXT.len() + 2 {
            let expected = TEXT.get(start..end);
            let part = text.slice(start..end);
            assert_eq!(part.as_deref(), expected, "{start}..{end}");
            if end > 0 {
                assert_eq!(text.slice(start..=end - 1).as_deref(), expected);
            }
            if let Some(expected) = expected {
                let own = &text[start..end];
                assert_eq!(text.slice_ref(own).as_deref(), Some(expected));
                let part = part.unwrap();
                assert!(part.is_empty() || std::ptr::eq(part.as_ptr(), own.as_ptr()), "a copy");
            }
        }
    }
    assert_eq!(text.slice(..=usize::MAX), None);
    let elsewhere = String::from(TEXT);
    assert_eq!(text.slice_ref(&elsewhere), None);
    let part = text.slice(1..3).unwrap();
    assert_eq!(part.slice_ref(&text), None, "longer than the part");
}

#[test]
fn bytes_are_text_or_come_back() {
    for bytes in [&b""[..], b"abc", TEXT.as_bytes(), b"a\xFF", b"\xE1\x9A", b"\xED\xA0\x80", b"x\xC0\x80y"] {
        let shared = Bytes::copy_from_slice(bytes);
        match (Utf8Bytes::try_from(shared.clone()), std::str::from_utf8(bytes)) {
            (Ok(text), Ok(expected)) => {
                assert_eq!(text.as_str(), expected);
                assert!(std::ptr::eq(text.as_ptr(), shared.as_ptr()), "a copy");
                assert_eq!(text.into_bytes(), shared);
            }
            (Err(error), Err(expected)) => {
                assert_eq!(error.ill_formed().at, expected.valid_up_to());
                assert_eq!(error.clone().into_bytes(), shared);
                assert_eq!(error.into_repaired(Replacement::Whatwg), String::from_utf8_lossy(bytes));
            }
            (ours, theirs) => panic!("{bytes:?}: {ours:?}, {theirs:?}"),
        }
        assert_eq!(Utf8Bytes::try_from(bytes.to_vec()).is_ok(), std::str::from_utf8(bytes).is_ok());
        assert_eq!(Utf8Bytes::try_from(BytesMut::from(bytes)).is_ok(), std::str::from_utf8(bytes).is_ok());
    }
}

#[test]
fn whatever_is_cut_off_stays_in_the_buffer() {
    for first in 0..=TEXT.len() {
        for second in first..=TEXT.len() {
            let mut buffer = BytesMut::new();
            let mut text = String::new();
            for chunk in
                [&TEXT.as_bytes()[..first], &TEXT.as_bytes()[first..second], &TEXT.as_bytes()[second..]]
            {
                buffer.extend_from_slice(chunk);
                text.push_str(&Utf8Bytes::take_complete(&mut buffer).unwrap());
                assert!(buffer.len() < 4);
                assert_eq!([text.as_bytes(), &buffer].concat(), TEXT.as_bytes()[..text.len() + buffer.len()]);
            }
            assert_eq!(text, TEXT);
        }
    }
    let mut buffer = BytesMut::from(&b"abc\xFFdef"[..]);
    assert_eq!(Utf8Bytes::take_complete(&mut buffer).unwrap_err().at, 3);
    assert_eq!(buffer, &b"abc\xFFdef"[..]);
}

#[test]
fn it_is_a_str_to_maps_and_comparisons() {
    let mut map = HashMap::new();
    map.insert(Utf8Bytes::from("ключ"), 1);
    assert_eq!(map.get("ключ"), Some(&1));
    let hasher = RandomState::new();
    assert_eq!(hasher.hash_one(Utf8Bytes::from("a")), hasher.hash_one("a"));

    let words = ["b", "", "a", "ab", "é"];
    let ours: BTreeSet<Utf8Bytes> = words.into_iter().map(Utf8Bytes::from).collect();
    let theirs: BTreeSet<&str> = words.into_iter().collect();
    assert!(ours.iter().eq(theirs.iter()));
    assert!(ours.contains("é"));

    let text = Utf8Bytes::from("tab\t");
    assert_eq!((format!("{text}"), format!("{text:?}")), ("tab\t".into(), "\"tab\\t\"".into()));
    assert_eq!(text, "tab\t");
    assert_eq!("tab\t", text);
    assert_eq!(text, String::from("tab") + "\t");
    assert_ne!(text, *"tab");
    assert_eq!("x".parse::<Utf8Bytes>().unwrap(), "x");
    assert_eq!(Utf8Bytes::new(), Utf8Bytes::default());
    assert_eq!(String::from(Utf8Bytes::from(String::from(TEXT))), TEXT);
    assert_eq!(std::path::Path::new(&text), std::path::Path::new("tab\t"));
}

#[test]
fn serde_reads_and_writes_a_string() {
    use serde::Deserialize as _;
    use serde::de::IntoDeserializer as _;
    use serde::de::value::{BytesDeserializer, Error};

    let json = serde_json::to_string(&Utf8Bytes::from(TEXT)).unwrap();
    assert_eq!(json, serde_json::to_string(TEXT).unwrap());
    assert_eq!(serde_json::from_str::<Utf8Bytes>(&json).unwrap(), TEXT);
    assert!(serde_json::from_str::<Utf8Bytes>("7").is_err());

    let bytes: BytesDeserializer<'_, Error> = TEXT.as_bytes().into_deserializer();
    assert_eq!(Utf8Bytes::deserialize(bytes).unwrap(), TEXT);
    let bytes: BytesDeserializer<'_, Error> = b"a\xFF".as_slice().into_deserializer();
    let error = Utf8Bytes::deserialize(bytes).unwrap_err().to_string();
    assert!(error.contains("byte 1"), "{error}");
}

#[test]
fn it_comes_from_text_and_becomes_text() {
    let text = Utf8Bytes::from(String::from(TEXT));
    let bytes: &[u8] = text.as_ref();
    assert_eq!((bytes, AsRef::<str>::as_ref(&text)), (TEXT.as_bytes(), TEXT));
    assert_eq!(Utf8Bytes::from(Box::<str>::from(TEXT)), TEXT);
    assert_eq!(Utf8Bytes::from(Cow::Borrowed(TEXT)), TEXT);
    assert_eq!(Utf8Bytes::from(Cow::Owned(TEXT.to_owned())), TEXT);
    assert_eq!(Bytes::from(text.clone()), TEXT.as_bytes());
    assert_eq!(String::from(text), TEXT);
}

#[test]
fn serde_says_what_it_expected() {
    let error = serde_json::from_str::<Utf8Bytes>("1").unwrap_err();
    assert!(error.to_string().contains("expected text in UTF-8"), "{error}");
}
