//! Strings with surrogates: comparisons, conversions, and what their iterators say of themselves.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Bound::{Excluded, Unbounded};

use runecast::wtf8::{Wtf8, Wtf8Buf};

/// A high surrogate and a letter after it.
fn wobbly() -> Wtf8Buf {
    Wtf8Buf::from_wide(&[0xD83E, 0x61])
}

#[test]
fn equal_and_ordered_as_their_bytes() {
    let texts = [Wtf8Buf::new(), Wtf8Buf::from("a"), Wtf8Buf::from("aé"), Wtf8Buf::from("b"), wobbly()];
    for (index, one) in texts.iter().enumerate() {
        for (other_index, other) in texts.iter().enumerate() {
            assert_eq!(one == other, index == other_index, "{one:?} {other:?}");
            assert_eq!(one.partial_cmp(other), Some(index.cmp(&other_index)), "{one:?} {other:?}");
            assert_eq!(one.cmp(other), index.cmp(&other_index), "{one:?} {other:?}");
            assert_eq!(**one == **other, index == other_index);
        }
    }
    assert_eq!(texts.iter().collect::<HashSet<_>>().len(), texts.len());
    // However they were made.
    let joined: Wtf8Buf = [0xD83E, 0xDEA8].into_iter().collect();
    assert!(joined == "🪨" && !joined.is_known_utf8());

    assert!(*Wtf8::from_str("rúna") == *"rúna" && *Wtf8::from_str("rúna") != *"runa");
    assert!(*wobbly() != *"\u{FFFD}a");
    assert!(Wtf8::from_str("").is_empty() && !wobbly().is_empty() && !Wtf8::from_str("a").is_empty());
}

#[test]
fn owned_and_borrowed() {
    let room = Wtf8Buf::with_capacity(100);
    assert!(room.is_empty() && room.into_bytes().capacity() >= 100);
    let text = Wtf8Buf::from(String::from("rúna"));
    assert_eq!((text.as_bytes(), text.is_known_utf8()), ("rúna".as_bytes(), true));
    assert!(matches!(Cow::from(&*text), Cow::Borrowed(same) if std::ptr::eq(same, &*text)));
    assert!(matches!(Cow::from(wobbly()), Cow::<Wtf8>::Owned(same) if same == wobbly()));
}

#[test]
fn what_was_allocated_stays() {
    for mut text in [Wtf8Buf::from("rúna".repeat(20)), wobbly(), Wtf8Buf::from_wide(&[0xD83E; 40])] {
        let capacity = text.clone().into_bytes().len();
        text.clear();
        assert!(text.is_empty() && text.is_known_utf8());
        assert!(text.into_bytes().capacity() >= capacity);
    }
}

/// Ranges with each kind of bound; what they leave out at either end, a character or a part of it; and bounds beyond all numbers.
#[test]
fn parts_of_any_range() {
    let text = Wtf8::from_str("rúna");
    let part = |part| Some(Wtf8::from_str(part));
    assert_eq!((text.get(1..=2), text.get(..=0), text.get(1..=4)), (part("ú"), part("r"), part("úna")));
    assert_eq!(
        (text.get(..=1), text.get(2..=3), text.get(..=5), text.get(..=usize::MAX)),
        (None, None, None, None)
    );
    assert_eq!(
        (text.get((Excluded(0), Excluded(3))), text.get((Excluded(2), Unbounded))),
        (part("ú"), part("na"))
    );
    assert_eq!(
        (text.get((Excluded(1), Unbounded)), text.get((Excluded(usize::MAX), Unbounded))),
        (None, None)
    );
}

#[test]
fn display_pads_text_only() {
    // As an `OsStr` does: what has surrogates is written in parts.
    for (text, padded) in [(Wtf8Buf::from("rú"), "    rú"), (wobbly(), "\u{FFFD}a")] {
        assert_eq!(format!("{text:>6}"), padded);
        assert_eq!(format!("{:>6}", &*text), padded);
    }
    assert_eq!(wobbly().to_string(), "\u{FFFD}a");
}

#[test]
fn text_is_written_behind_a_surrogate() {
    use std::fmt::Write as _;
    let mut text = wobbly();
    write!(text, "{:>3}ū", 7).expect("it never fails");
    assert!(text == *Wtf8Buf::from_wide(&[0xD83E, 0x61, 0x20, 0x20, 0x37, 0x16B]));
}

#[test]
fn numbers_beyond_unicode_are_replaced() {
    let points = [0x61, 0x10_FFFF, 0x11_0041, 0xD800, u32::MAX, 0xDC00];
    let text: Wtf8Buf = points.into_iter().collect();
    assert!(text.code_points().eq([0x61, 0x10_FFFF, 0xFFFD, 0xD800, 0xFFFD, 0xDC00]));
}

#[test]
fn size_hints_enclose_the_length() {
    for text in [Wtf8Buf::new(), Wtf8Buf::from("ru"), Wtf8Buf::from("ᚱᚢᚾ"), Wtf8Buf::from("🪨🪨🪨"), wobbly()]
    {
        let (mut points, mut units) = (text.code_points(), text.encode_wide());
        loop {
            let (least, most) = points.size_hint();
            let left = points.clone().count();
            assert!(least <= left && most.is_some_and(|most| left <= most), "{text:?}: {left}");
            // No more than four bytes are a code point, and no fewer than one.
            assert!(4 * least >= left && most.is_some_and(|most| most <= 4 * left), "{text:?}: {left}");
            if points.next().is_none() {
                break;
            }
        }
        loop {
            let (least, most) = units.size_hint();
            let left = units.clone().count();
            assert!(least <= left && most.is_some_and(|most| left <= most), "{text:?}: {left}");
            assert!(3 * least >= left && most.is_some_and(|most| most <= 3 * left), "{text:?}: {left}");
            if units.next().is_none() {
                break;
            }
        }
    }
    // The second unit of a pair is certain to come.
    let mut units = Wtf8::from_str("🪨").encode_wide();
    units.next();
    assert_eq!(units.size_hint(), (1, Some(1)));
}

#[test]
fn owned_text_is_compared_with_text() {
    let text = runecast::wtf8::Wtf8Buf::from("na\u{EF}ve");
    assert!(
        text == "na\u{EF}ve" && text == *"na\u{EF}ve" && *"na\u{EF}ve" == *text && text == *text.as_ref()
    );
    assert!(text != "naive");
}
