//! The encodings around UTF-8: WTF-8, WTF-16, generalized UTF-8, CESU-8 and modified UTF-8.
//!
//! The tests of conversions and repairs have them among all others. Here is what is theirs alone: every
//! string of up to three bytes, and strings of four to six bytes from the ends of all ranges, judged as
//! the rows of `common/rows.rs` judge; every code point, surrogates too; and the vectors of others.
//!
//! `data/wtf8_vectors.tsv` has examples from the tests of the Rust standard library and from the WTF-8
//! specification, and some hundred that were made with Python's `surrogatepass`.

use crate::common::check::{engines, excerpt};
use crate::common::oracle::{Family, GENERALIZED, Surrogates};
use crate::common::scale::step;
use crate::encodings::expected::Expected;
use crate::encodings::pairs::{PAIRS, Pair, sources};
use runecast::{
    Cesu8, Engine, GeneralizedUtf8, Kind, Mutf8, Reason, Replacement, TranscodeError, Utf8, Utf16,
    WobblyCesu8, WobblyMutf8, Wtf8, Wtf16, Wtf16Be,
};

const VECTORS: &str = include_str!("../../data/wtf8_vectors.tsv");

/// The pairs to generalized UTF-8, which has all code points: as many as this build has.
fn to_generalized() -> impl Iterator<Item = &'static Pair> {
    PAIRS.iter().filter(|pair| pair.target == GENERALIZED)
}

fn is_of_rows(pair: &Pair) -> bool {
    matches!(pair.source.family, Family::Leads(_))
}

/// Holds every engine's judgment on `bytes` to the model's.
fn judge(pair: &Pair, bytes: &[u8]) {
    let truth = pair.source.decode(bytes).error;
    for engine in engines() {
        let error = (pair.validate)(engine, bytes).err().map(|error| (error.at, error.len, error.kind));
        assert_eq!(error, truth, "{engine:?}, {}: {}", pair.source.name, excerpt(bytes, 0));
    }
}

/// The same, of a conversion too.
fn convert(pair: &Pair, bytes: &[u8]) {
    judge(pair, bytes);
    let expected = Expected::of(&pair.source.decode(bytes), &pair.target);
    let mut output = [0; 64];
    let outcome = (pair.transcode)(Engine::current(), bytes, &mut output);
    let right = expected.hold(pair, bytes, output.len(), outcome, "transcode");
    assert_eq!(&output[..right.len()], right, "{}: {}", pair.source.name, excerpt(bytes, 0));
}

#[test]
fn every_short_string() {
    for pair in sources().filter(|pair| is_of_rows(pair)) {
        for first in 0..=0xFF {
            judge(pair, &[first]);
            for second in 0..=0xFF {
                judge(pair, &[first, second]);
                // Behind a character of one byte it is a string of two.
                let often = if first >= 0xC0 || first == 0 { 1 } else { 17 };
                for third in (0..=0xFF).step_by(often * step(13, 29)) {
                    judge(pair, &[first, second, third]);
                }
            }
        }
    }
}

/// All strings of `len` bytes out of `bytes`.
fn strings(bytes: &[u8], len: usize, mut each: impl FnMut(&[u8])) {
    let mut string = vec![0; len];
    for number in (0..bytes.len().pow(len as u32)).step_by(step(7, 101)) {
        let mut rest = number;
        for byte in &mut string {
            *byte = bytes[rest % bytes.len()];
            rest /= bytes.len();
        }
        each(&string);
    }
}

#[test]
fn strings_of_boundary_bytes() {
    for pair in to_generalized().filter(|pair| is_of_rows(pair)) {
        let all =
            [0x00, 0x41, 0x80, 0x8F, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF4];
        strings(&all, 4, |string| convert(pair, string));
        strings(&[0x41, 0x80, 0x9F, 0xA0, 0xB0, 0xC0, 0xED, 0xF1], 5, |string| convert(pair, string));
        strings(&[0x41, 0x80, 0xA0, 0xB0, 0xED], 6, |string| convert(pair, string));
        // Two surrogates in a row and something behind them.
        strings(&[0x80, 0xA0, 0xB0, 0xED], 8, |string| convert(pair, string));
    }
}

/// What a short text becomes.
fn converted(pair: &Pair, src: &[u8]) -> Result<Vec<u8>, TranscodeError> {
    let mut room = [0_u64; 2];
    let dst: &mut [u8] = bytemuck::bytes_of_mut(&mut room);
    let units = (pair.transcode)(Engine::current(), src, dst)?;
    Ok(dst[..units * pair.target.unit].to_vec())
}

/// Every code point that an encoding has, there and back.
#[test]
fn every_code_point() {
    for there in to_generalized() {
        let encoding = there.source;
        if encoding.surrogates == Surrogates::None && !is_of_rows(there) {
            continue;
        }
        let back = PAIRS.iter().find(|back| back.source == GENERALIZED && back.target == encoding);
        let back = back.expect("every pair has its reverse");
        for point in (0..0x11_0000).step_by(step(5, 97)) {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let has = encoding.encode(point, &mut one);
            GENERALIZED.encode(point, &mut other);
            if has {
                let mut memory = [0_u64; 2];
                let src: &mut [u8] = bytemuck::bytes_of_mut(&mut memory);
                src[..one.len()].copy_from_slice(&one);
                assert_eq!(converted(there, &src[..one.len()]).as_ref(), Ok(&other), "U+{point:04X}");
                assert_eq!(converted(back, &other).as_ref(), Ok(&one), "U+{point:04X} in {}", encoding.name);
            } else {
                let reason = converted(back, &other).expect_err("a surrogate").reason;
                assert_eq!(reason, Reason::UnrepresentableCodePoint { at: 0, code_point: point });
            }
        }
    }
}

/// Hexadecimal digits, two for a byte.
fn bytes(hex: &str) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).expect("a hexadecimal digit") as u8;
    hex.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

#[test]
fn vectors_of_others() {
    let mut count = 0;
    for line in VECTORS.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, operation, from, _, _, input, expected, ..] = columns[..] else { panic!("{line}") };
        count += 1;
        match (operation, from) {
            ("transcode", "utf-16be") => {
                let (wide, narrow) = (bytes(input), bytes(expected));
                assert_eq!(runecast::transcode_to_vec::<Wtf16Be, Wtf8>(&wide).as_ref(), Ok(&narrow), "{id}");
                assert_eq!(runecast::transcode_to_vec::<Wtf8, Wtf16Be>(&narrow).as_ref(), Ok(&wide), "{id}");
            }
            ("transcode", "wtf-8") => {
                let wide = runecast::transcode_to_vec::<Wtf8, Wtf16Be>(&bytes(input));
                assert_eq!(wide, Ok(bytes(expected)), "{id}");
            }
            // Code points one after the other.
            ("transcode", _) => {
                let mut points = Vec::new();
                for point in bytes(input).chunks(4) {
                    GENERALIZED
                        .encode(u32::from_be_bytes(point.try_into().expect("four bytes")), &mut points);
                }
                let narrow = runecast::transcode_to_vec::<GeneralizedUtf8, Wtf8>(&points);
                assert_eq!(narrow, Ok(bytes(expected)), "{id}");
            }
            // The pieces are well-formed, and what they are together is one stream of code points.
            ("concat", _) => {
                let pieces: Vec<_> = input.split('|').map(bytes).collect();
                assert!(pieces.iter().all(|piece| runecast::validate::<Wtf8>(piece).is_ok()), "{id}");
                let narrow = runecast::transcode_to_vec::<GeneralizedUtf8, Wtf8>(&pieces.concat());
                assert_eq!(narrow, Ok(bytes(expected)), "{id}");
            }
            ("decode", _) => {
                let text = runecast::repair::<Wtf8>(&bytes(input), Replacement::Whatwg).into_owned();
                let points: Vec<_> = text.chars().map(|c| format!("{:X}", u32::from(c))).collect();
                assert_eq!(points.join(" "), expected, "{id}");
            }
            ("validate", _) => {
                assert_eq!(runecast::validate::<Wtf8>(&bytes(input)).is_ok(), expected == "ok", "{id}");
            }
            other => panic!("{id}: {other:?}"),
        }
    }
    assert_eq!(count, 425);
}

/// What two surrogates in a row become, one written behind the other.
#[test]
fn two_code_points_that_would_be_a_pair() {
    let two = b"\xED\xA0\x80\xED\xB0\x80";
    let four = "\u{10000}".as_bytes();
    assert_eq!(runecast::transcode_to_vec::<GeneralizedUtf8, Wtf8>(two).as_deref(), Ok(four));
    assert_eq!(runecast::transcode_to_vec::<GeneralizedUtf8, WobblyCesu8>(two).as_deref(), Ok(&two[..]));
    let units = runecast::transcode_to_vec::<GeneralizedUtf8, Wtf16>(two);
    assert_eq!(units.as_deref(), Ok(&[0xD800, 0xDC00][..]));
    assert_eq!(runecast::transcode_to_vec::<GeneralizedUtf8, GeneralizedUtf8>(two).as_deref(), Ok(&two[..]));
    assert_eq!(runecast::transcode_to_vec::<WobblyCesu8, GeneralizedUtf8>(two).as_deref(), Ok(four));
    assert_eq!(runecast::transcode_to_vec::<Cesu8, Utf8>(two).as_deref(), Ok(four));
    assert_eq!(runecast::transcoded_len::<GeneralizedUtf8, Wtf8>(two), 4);
    assert_eq!(runecast::count::<GeneralizedUtf8>(two), 2);
    assert_eq!(runecast::count::<WobblyCesu8>(two), 1);

    // Nowhere is half of them a character.
    let reason = |outcome: Result<Vec<u16>, runecast::TranscodeError>| outcome.unwrap_err().reason;
    let first = Reason::UnrepresentableCodePoint { at: 0, code_point: 0xD800 };
    assert_eq!(reason(runecast::transcode_to_vec::<GeneralizedUtf8, Utf16>(two)), first);
    let error = runecast::validate::<Wtf8>(two).unwrap_err();
    assert_eq!((error.at, error.len, error.kind), (0, 6, Kind::SurrogatePair));
    assert_eq!(error.evidence(), two);
    let text = runecast::repair::<GeneralizedUtf8>(two, Replacement::Whatwg);
    assert_eq!(text, "\u{FFFD}\u{FFFD}");
}

/// What is dropped between two surrogates must not make a pair of them where that is ill-formed.
#[test]
fn nothing_between_two_surrogates() {
    use runecast::Policy::DropAtTheRiskOfJoining as Drop;
    let bytes = b"\xED\xA0\x80\xFF\xED\xB0\x80";
    let wtf8 = runecast::transcode_lossy_to_vec::<Wtf8, Wtf8>(bytes, Drop);
    assert_eq!(wtf8, b"\xED\xA0\x80\xEF\xBF\xBD\xED\xB0\x80");
    assert!(runecast::validate::<Wtf8>(&wtf8).is_ok());
    assert_eq!(runecast::transcode_lossy_to_vec::<Wtf8, Wtf16>(bytes, Drop), [0xD800, 0xDC00]);
    // A surrogate that is decoded, not replaced, is one unit, and no target of bytes takes it.
    let python = runecast::transcode_lossy_to_vec::<Utf8, Wtf8>(b"\xED\xA0\x80", Replacement::Python2);
    assert_eq!(python, "\u{FFFD}".as_bytes());
    let python = runecast::transcode_lossy_to_vec::<Utf8, Wtf16>(b"\xED\xA0\x80", Replacement::Python2);
    assert_eq!(python, [0xD800]);
}

/// Other crates, where they are right. `simd_cesu8::decode_strict` is; `cesu8` takes text that is UTF-8
/// for CESU-8, with its four bytes for a character and its 00, and so does `simd_cesu8::decode`.
#[test]
fn as_other_crates_have_it() {
    let ask = |bytes: &[u8]| {
        let cesu8 = runecast::transcode_to_str::<Cesu8>(bytes).ok();
        assert_eq!(simd_cesu8::decode_strict(bytes).ok(), cesu8, "{}", excerpt(bytes, 0));
        let mutf8 = runecast::transcode_to_str::<Mutf8>(bytes).ok();
        assert_eq!(simd_cesu8::mutf8::decode_strict(bytes).ok(), mutf8, "{}", excerpt(bytes, 0));
        if std::str::from_utf8(bytes).is_err() {
            assert_eq!(cesu8::from_cesu8(bytes).ok(), cesu8, "{}", excerpt(bytes, 0));
        }
        if let Ok(text) = std::str::from_utf8(bytes) {
            assert_eq!(runecast::encode_cesu8(text), cesu8::to_cesu8(text));
            assert_eq!(runecast::encode_mutf8(text), cesu8::to_java_cesu8(text));
        }
    };
    strings(&[0x00, 0x41, 0x80, 0xA0, 0xB0, 0xC0, 0xC3, 0xE0, 0xE1, 0xED, 0xF0, 0xF4], 4, ask);
    strings(&[0x41, 0x80, 0xA0, 0xB0, 0xED], 7, ask);
    // Long texts: all scripts, with what has another form at every distance.
    for character in ["\u{10000}", "\0", "\u{10FFFF}\0", "\u{7FF}"] {
        for distance in (0..300).step_by(7) {
            let text = ["x", "é", "漢", "\u{D7FF}\u{E000}"].map(|filler| filler.repeat(distance));
            let text = text.iter().fold(String::new(), |all, text| all + text + character);
            ask(text.as_bytes());
            ask(&runecast::encode_cesu8(&text));
            ask(&runecast::encode_mutf8(&text));
        }
    }
}

/// No copy where none is needed.
#[test]
fn borrowed() {
    let text = "ah, \u{7FF}\u{800}\u{FFFF}".as_bytes();
    let is_borrowed =
        |cow: Result<std::borrow::Cow<'_, [u8]>, _>| matches!(cow, Ok(std::borrow::Cow::Borrowed(_)));
    assert!(is_borrowed(runecast::transcode_cow::<Utf8, Cesu8>(text)));
    assert!(is_borrowed(runecast::transcode_cow::<Cesu8, Utf8>(text)));
    assert!(is_borrowed(runecast::transcode_cow::<Utf8, Mutf8>(text)));
    assert!(is_borrowed(runecast::transcode_cow::<WobblyMutf8, Utf8>(text)));
    assert!(is_borrowed(runecast::transcode_cow::<Utf8, Wtf8>("\u{10000}".as_bytes())));
    assert!(is_borrowed(runecast::transcode_cow::<Utf8, Cesu8>(b"\0")));
    assert!(!is_borrowed(runecast::transcode_cow::<Utf8, Mutf8>(b"\0")));
    assert!(!is_borrowed(runecast::transcode_cow::<Utf8, Cesu8>("\u{10000}".as_bytes())));
}

/// The sentences.
#[test]
fn sentences() {
    let sentence = |error: Result<(), runecast::IllFormed>| error.unwrap_err().to_string();
    let pair = b"a\xED\xA0\x80\xED\xB0\x80";
    assert_eq!(
        sentence(runecast::validate::<Wtf8>(pair)),
        "ill-formed at byte 1: ED A0 80 ED B0 80 are a high and a low surrogate, which must be written as \
         one character of four bytes"
    );
    assert_eq!(
        sentence(runecast::validate::<Cesu8>(&pair[..4])),
        "ill-formed at byte 1: ED A0 80 begins a character of 6 bytes, but the input ends here"
    );
    assert_eq!(
        sentence(runecast::validate::<Cesu8>(b"\xED\xA0\x80.")),
        "ill-formed at byte 0: ED A0 80 is a high surrogate, but no low one follows"
    );
    assert_eq!(
        sentence(runecast::validate::<Mutf8>(b".\xED\xB0\x80.")),
        "ill-formed at byte 1: ED B0 80 is a low surrogate, but no high one comes before it"
    );
    assert_eq!(
        sentence(runecast::validate::<Cesu8>("\u{10000}".as_bytes())),
        "ill-formed at byte 0: F0 begins a character of four bytes, which this encoding writes as two \
         surrogates of three bytes each"
    );
    assert_eq!(
        sentence(runecast::validate::<Mutf8>(b".\0")),
        "ill-formed at byte 1: 00 is U+0000, which must be written as C0 80"
    );
    assert_eq!(
        sentence(runecast::validate::<Mutf8>(b"\xC0.")),
        "ill-formed at byte 0: C0 begins a character of 2 bytes, but 2E follows, which is no continuation byte"
    );
    assert_eq!(
        sentence(runecast::validate::<Mutf8>(b".\xC0\xAF")),
        "ill-formed at byte 1: C0 could only begin U+0000, which is C0 80, or an overlong form"
    );
    assert_eq!(
        runecast::transcode_to_string::<Wtf16>(&[0x61, 0xD800]).unwrap_err().to_string(),
        "at offset 1: the target encoding has no form for U+D800, which is no character"
    );
}
