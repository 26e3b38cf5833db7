//! Characters one by one: what an independent decoder finds, and what std finds.

use runecast::{
    Ascii, Cesu8, Encoding, GeneralizedUtf8, IllFormed, Latin1, Mutf8, Reason, Utf8, Utf16, Utf16Be, Utf16Le,
    Utf32Be, Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16Be, chars,
};

use crate::common::oracle::{self, Encoding as Oracle};
use crate::common::scale;
use crate::common::texts::Rng;

/// Bytes around all bounds of all encodings here, and of their surrogates.
const BYTES: [u8; 26] = [
    0, 0x20, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC1, 0xC2, 0xD8, 0xDC, 0xDF,
    0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFE, 0xFF,
];

/// Compares all characters and errors of `src` with those of the independent decoder.
fn check<E: Encoding<Unit = u8>>(oracle: &Oracle, src: &[u8]) {
    let mut found = chars::<E>(src);
    let mut at = 0;
    while at < src.len() {
        assert_eq!((found.offset(), found.rest()), (at, &src[at..]));
        let decoded = oracle.decode(&src[at..]);
        let (expected, len) = match (decoded.characters.first(), decoded.error) {
            (Some(&(code_point, len)), _) => (char::from_u32(code_point).ok_or((at, None, code_point)), len),
            (None, Some((0, len, kind))) => (Err((at, Some((len, kind)), 0)), len),
            other => panic!("{}: {other:?} at the start of {:X?}", oracle.name, &src[at..]),
        };
        let next = found.next().unwrap_or_else(|| panic!("{}: the end at {at} of {src:X?}", oracle.name));
        let (upper, left) = (found.size_hint().1, src.len() - at - len);
        assert_eq!(upper, Some(left), "{}: {src:X?}", oracle.name);
        let next = next.map_err(|reason| match reason {
            Reason::IllFormed(IllFormed { at, len, kind, .. }) => (at, Some((len, kind)), 0),
            Reason::UnrepresentableCodePoint { at, code_point } => (at, None, code_point),
            other => panic!("{other:?}"),
        });
        assert_eq!(next, expected, "{}: at {at} of {src:X?}", oracle.name);
        at += len;
    }
    assert_eq!((found.next(), found.next(), found.offset()), (None, None, src.len()));
}

fn check_all(src: &[u8]) {
    check::<Utf8>(&oracle::UTF8, src);
    check::<Wtf8>(&oracle::WTF8, src);
    check::<GeneralizedUtf8>(&oracle::GENERALIZED, src);
    check::<Cesu8>(&oracle::CESU8, src);
    check::<WobblyCesu8>(&oracle::WOBBLY_CESU8, src);
    check::<Mutf8>(&oracle::MUTF8, src);
    check::<WobblyMutf8>(&oracle::WOBBLY_MUTF8, src);
    check::<Utf16Le>(&oracle::UTF16LE, src);
    check::<Utf16Be>(&oracle::UTF16BE, src);
    check::<Wtf16Be>(&oracle::WTF16BE, src);
    check::<Utf32Le>(&oracle::UTF32LE, src);
    check::<Utf32Be>(&oracle::UTF32BE, src);
    check::<Latin1>(&oracle::LATIN1, src);
    check::<Ascii>(&oracle::ASCII, src);
}

#[test]
fn few_bytes() {
    check_all(&[]);
    for a in BYTES {
        check_all(&[a]);
        for b in BYTES {
            check_all(&[a, b]);
            for c in BYTES {
                check_all(&[a, b, c]);
            }
        }
    }
}

#[test]
fn some_bytes() {
    let mut rng = Rng::new(0x63_6861_7273);
    for _ in 0..scale::size(200_000, 40_000, 4_000) {
        let src: Vec<u8> = (0..rng.below(24)).map(|_| BYTES[rng.below(BYTES.len())]).collect();
        check_all(&src);
        let lossy: String = chars::<Utf8>(&src).map(|character| character.unwrap_or('\u{FFFD}')).collect();
        assert_eq!(lossy, String::from_utf8_lossy(&src));
        let units: Vec<u16> =
            src.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
        let of_std = char::decode_utf16(units.iter().copied());
        assert!(chars::<Utf16>(&units).map(Result::ok).eq(of_std.map(Result::ok)), "{units:X?}");
    }
}

#[test]
fn every_character() {
    let text: String = ('\0'..=char::MAX).collect();
    assert!(chars::<Utf8>(text.as_bytes()).map(Result::unwrap).eq(text.chars()));
    let units: Vec<u16> = text.encode_utf16().collect();
    assert!(chars::<Utf16>(&units).map(Result::unwrap).eq(text.chars()));
}
