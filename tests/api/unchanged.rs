//! What is borrowed: a text that is well-formed and the same bytes in both encodings; and nothing else.

use std::borrow::Cow;

use runecast::{
    Ascii, Cesu8, CorrectedUtf8, GeneralizedUtf8, Latin1, Mutf8, Replacement, Utf8, Utf16, Utf16Be, Utf16Le,
    Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16, Wtf16Be, Wtf16Le, transcode_cow, transcode_lossy_cow,
    transcode_to_vec,
};

/// Texts that are the same in some encodings and not in others.
const TEXTS: [&[u8]; 18] = [
    b"",
    b"rune",
    b"a\0b",
    "rúna ᚱ".as_bytes(),
    "a\u{100}".as_bytes(),
    "🪨 stone".as_bytes(),
    b"nul \xC0\x80",
    b"pair \xED\xA0\xBE\xED\xBA\xA8",
    b"high \xED\xA0\xBE",
    b"high \xED\xA0\xBE and four \xF0\x9F\xAA\xA8",
    b"high and nul \xED\xA0\xBE\xC0\x80",
    b"low \xED\xB0\x80 and more",
    b"bad \xFF",
    b"cut \xE2\x82",
    b"\xFF\xFEr\0\xB1\x16",
    b"\x3E\xD8\xA8\xDE",
    b"a\0\x3E\xD8",
    b"\xD8\x3E\0a",
];

/// These texts, and some that are longer than the pieces in which loops go about them.
fn texts() -> Vec<Vec<u8>> {
    let long = (0..3).flat_map(|k| ["a".repeat(k) + &"漢".repeat(4000), "a".repeat(k) + &"é".repeat(6000)]);
    TEXTS.map(<[u8]>::to_vec).into_iter().chain(long.map(String::into_bytes)).collect()
}

/// Compares what is borrowed with the conversion.
macro_rules! check {
    ($($from:ty => $to:ty: $borrows:literal,)*) => {$({
        let mut borrowed = 0;
        for text in &texts() {
            let expected = transcode_to_vec::<$from, $to>(text);
            let found = transcode_cow::<$from, $to>(text);
            let pair = concat!(stringify!($from), " to ", stringify!($to));
            match (&expected, &found) {
                (Ok(expected), Ok(found)) => assert_eq!(expected, &found[..], "{pair} {text:02X?}"),
                (expected, found) => assert_eq!(expected.as_ref().err(), found.as_ref().err(), "{pair} {text:02X?}"),
            }
            let same = expected.as_ref().is_ok_and(|expected| expected == text);
            let is_borrowed = matches!(found, Ok(Cow::Borrowed(_)));
            // A pair that is mostly converted may be converted all the same.
            assert!(same || !is_borrowed, "{pair} {text:02X?}");
            assert!(!$borrows || is_borrowed == same, "{pair} {text:02X?}");
            let lossy = transcode_lossy_cow::<$from, $to>(text, Replacement::Whatwg);
            assert_eq!(matches!(lossy, Cow::Borrowed(_)), is_borrowed, "{pair} {text:02X?}");
            borrowed += usize::from(is_borrowed);
        }
        assert!(!$borrows || borrowed >= 2, "the texts prove nothing about {}", stringify!($from => $to));
    })*};
}

#[test]
fn the_same_text_is_borrowed() {
    check! {
        Utf8 => Utf8: true,
        Utf8 => Wtf8: true,
        Wtf8 => Utf8: true,
        Utf8 => GeneralizedUtf8: true,
        GeneralizedUtf8 => Utf8: true,
        Wtf8 => GeneralizedUtf8: true,
        GeneralizedUtf8 => Wtf8: true,
        Utf8 => Cesu8: true,
        Cesu8 => Utf8: true,
        Utf8 => Mutf8: true,
        Mutf8 => Utf8: true,
        Utf8 => WobblyMutf8: true,
        WobblyCesu8 => Utf8: true,
        Wtf8 => WobblyCesu8: true,
        WobblyCesu8 => Wtf8: true,
        Cesu8 => Wtf8: true,
        Cesu8 => WobblyCesu8: true,
        Cesu8 => Mutf8: true,
        WobblyMutf8 => WobblyCesu8: true,
        Mutf8 => WobblyMutf8: true,
        Cesu8 => GeneralizedUtf8: true,
        WobblyCesu8 => GeneralizedUtf8: true,
        WobblyMutf8 => GeneralizedUtf8: true,
        GeneralizedUtf8 => Cesu8: true,
        GeneralizedUtf8 => Mutf8: true,
        GeneralizedUtf8 => WobblyCesu8: true,
        GeneralizedUtf8 => WobblyMutf8: true,
        Ascii => Utf8: true,
        Utf8 => Ascii: true,
        Latin1 => Utf8: true,
        Utf8 => Latin1: true,
        Latin1 => Mutf8: true,
        Utf8 => CorrectedUtf8: true,
        CorrectedUtf8 => Mutf8: true,
        Utf16Le => Wtf16Le: true,
        Wtf16Le => Utf16Le: true,
        Wtf16Be => Utf16Be: true,
        Utf16Le => Utf16Be: false,
        Wtf16Le => Utf16Be: false,
        Utf16Le => Utf32Le: false,
        Utf8 => Utf16Le: false,
    }
}

#[test]
fn so_are_units() {
    let texts =
        [&[][..], &[0x61, 0x16B1], &[0xD83E, 0xDEA8], &[0x61, 0xD83E], &[0xDEA8, 0xD83E], &[0x3ED8, 0xA8DE]];
    for text in texts {
        let is_well_formed = char::decode_utf16(text.iter().copied()).all(|unit| unit.is_ok());
        let to = transcode_cow::<Wtf16, Utf16>(text);
        assert_eq!(to.is_ok(), is_well_formed, "{text:X?}");
        assert!(to.is_err() || matches!(to, Ok(Cow::Borrowed(same)) if same == text), "{text:X?}");
        let from = transcode_cow::<Utf16, Wtf16>(text);
        assert_eq!(from.is_ok(), is_well_formed, "{text:X?}");
        assert!(from.is_err() || matches!(from, Ok(Cow::Borrowed(same)) if same == text), "{text:X?}");
    }
}
