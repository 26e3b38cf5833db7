//! Detection, held to texts whose encoding is known because the test has written them.
//!
//! Texts come from the corpus, in every script; they are encoded by `std` and, in encodings that runecast
//! does not have, by `encoding_rs`. Here are the answers that are certain, what an answer says of the text, and how
//! much is read for it; how often a text that leaves a choice is taken for what it is, is in [`likely`].

mod likely;

use crate::common::scale;
use encoding_rs::Encoding;
use runecast::{Content, Detection, Detector, Evidence, Scheme, detect};
use runecast_corpus::{Random, Script, generate};

/// A text in a Unicode scheme, by the book.
fn encode(text: &str, scheme: Scheme) -> Vec<u8> {
    match scheme {
        Scheme::Utf8 => text.as_bytes().to_vec(),
        Scheme::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Scheme::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Scheme::Utf32Le => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        Scheme::Utf32Be => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        other => panic!("no oracle for {other}"),
    }
}

const UNICODE: [Scheme; 5] =
    [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be];

/// A text in an old encoding, without the characters that it lacks.
fn old(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        let mut room = [0; 4];
        let (form, _, lacking) = encoding.encode(character.encode_utf8(&mut room));
        if !lacking {
            bytes.extend_from_slice(&form);
        }
    }
    bytes
}

/// What a beginning is taken for.
fn sample(bytes: &[u8]) -> Detection {
    let mut detector = Detector::new();
    detector.push(bytes);
    detector.verdict()
}

/// What UTF-8 is called: ASCII where it is.
fn expected(scheme: Scheme, bytes: &[u8]) -> Scheme {
    if scheme == Scheme::Utf8 && bytes.is_ascii() { Scheme::Ascii } else { scheme }
}

#[test]
fn long_texts_are_what_they_are() {
    for script in Script::ALL {
        let text = generate(script, 20_000, 1);
        for scheme in UNICODE {
            let bytes = encode(&text, scheme);
            let right = expected(scheme, &bytes);
            for (what, found) in [("whole", detect(&bytes)), ("sample", sample(&bytes))] {
                assert_eq!(found.scheme(), Some(right), "{script} {scheme} {what}: {found}");
                let least = if right == Scheme::Ascii && what == "sample" { 80 } else { 99 };
                assert!(found.confidence >= least, "{script} {scheme} {what}: {found}");
            }
        }
    }
}

#[test]
fn marks_and_the_magic_number_decide_at_once() {
    for (head, scheme, needed) in [
        (&b"\xEF\xBB\xBF"[..], Scheme::Utf8, 3),
        (b"\xFE\xFF", Scheme::Utf16Be, 2),
        // FF FE may be the beginning of FF FE 00 00.
        (b"\xFF\xFEa\0", Scheme::Utf16Le, 3),
        (b"\xFF\xFE\0a", Scheme::Utf16Le, 4),
        (b"\xFF\xFE\0\0", Scheme::Utf32Le, 4),
        (b"\0\0\xFE\xFF", Scheme::Utf32Be, 4),
        (b"\xEF\xB7\x9D\xED\xB2\xAE\0\n", Scheme::CorrectedUtf8, 8),
    ] {
        let mut detector = Detector::new();
        for (index, byte) in head.iter().enumerate() {
            assert_eq!(detector.push(&[*byte]), index + 1 >= needed, "{scheme} {index}");
        }
        assert_eq!(detector.verdict().scheme(), Some(scheme));
        // Nothing that follows is looked at.
        assert!(detector.push(&[0xFF; 100_000]));
        let found = detector.finish();
        assert_eq!(found.scheme(), Some(scheme));
        assert!(found.confidence >= 99, "{found}");
    }
    assert_eq!(
        detect(b"\xFE\xFF\0a").to_string(),
        "UTF-16BE, 99 % sure: it begins with the byte order mark FE FF"
    );
}

#[test]
fn the_facts_are_facts() {
    let found = detect(b"");
    assert_eq!((found.scheme(), found.confidence), (Some(Scheme::Ascii), 100));
    assert_eq!(found.evidence, Evidence::Empty);
    let found = detect(b"plain\ttext\r\n");
    assert_eq!((found.scheme(), found.confidence), (Some(Scheme::Ascii), 100));
    assert_eq!(found.evidence, Evidence::Ascii { bytes: 12, whole: true });
    assert_eq!(sample(b"plain").evidence, Evidence::Ascii { bytes: 5, whole: false });
    let found = detect("Grüße aus Ærøskøbing".as_bytes());
    assert_eq!(found.evidence, Evidence::Utf8 { sequences: 5, whole: true });
    assert_eq!(detect("ᚱ".repeat(16).as_bytes()).confidence, 100);
    assert_eq!(sample("ᚱ".repeat(16).as_bytes()).confidence, 99);
    // One character, and no more than its beginning.
    let found = sample(b"caf\xC3");
    assert_eq!((found.scheme(), found.confidence), (Some(Scheme::Utf8), 60));
}

#[test]
fn ascii_is_never_utf16() {
    for text in ["Bush hid the facts", "this app can break", "hhhh otr hhr ghhhhh", "aa", "a", "abcd"] {
        assert_eq!(detect(text.as_bytes()).scheme(), Some(Scheme::Ascii), "{text}");
    }
    for script in [Script::Ascii, Script::English, Script::Json, Script::Html] {
        let text: String = generate(script, 3000, 3).chars().filter(char::is_ascii).collect();
        for end in 0..text.len() {
            assert_eq!(detect(&text.as_bytes()[..end]).scheme(), Some(Scheme::Ascii));
        }
    }
}

#[test]
fn a_cut_character_is_an_error_only_at_the_end() {
    let text = generate(Script::Hindi, 3000, 9);
    for end in 4..600 {
        let bytes = &text.as_bytes()[..end];
        let cut = std::str::from_utf8(bytes).is_err();
        let found = sample(bytes);
        assert_eq!(found.scheme(), Some(Scheme::Utf8), "{end}: {found}");
        assert_eq!(detect(bytes).content == Content::Mixed, cut, "{end}: {}", detect(bytes));
    }
    for scheme in UNICODE {
        let bytes = encode(&text, scheme);
        for end in 64..1000 {
            let found = sample(&bytes[..end]);
            assert_eq!(found.scheme(), Some(scheme), "{end}: {found}");
        }
    }
    // At the end of a text, half a unit is a reason for doubt.
    let bytes = encode(&text, Scheme::Utf16Le);
    assert!(detect(&bytes[..1000]).confidence > 90 && detect(&bytes[..1001]).confidence <= 50);
    let bytes = encode(&text, Scheme::Utf32Be);
    assert!(detect(&bytes[..1000]).confidence > 90 && detect(&bytes[..1002]).confidence <= 50);
}

#[test]
fn single_cases() {
    use Scheme::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32Le};
    let text = Content::Text;
    let long = generate(Script::Cyrillic, 2000, 5).into_bytes();
    let mut spoiled = long.clone();
    spoiled[701] = 0xFF;
    let accents = generate(Script::French, 3000, 5).into_bytes();
    let mut lost: Vec<u8> = accents.clone();
    let lead = lost.iter().position(|byte| *byte == 0xC3).expect("an accent");
    lost.remove(lead);
    let latin1 = b"No\xEBl \xE0 la plage, tout pr\xE8s de l'\xEEle d\xE9serte\n";
    let log = [b"na\xC3\xAFve caf\xC3\xA9\n".repeat(5), latin1.to_vec()].concat();
    let few = [b"\xC3\xA9".repeat(3), latin1.repeat(6)].concat();
    let gb2312 = old("我能吞下玻璃而不伤身体", encoding_rs::GBK);
    let mut holes = b"text ".repeat(3000);
    holes[9000] = 0;
    for (name, bytes, content) in [
        ("UTF-8 with one bad byte", &spoiled[..], Content::Mixed),
        ("UTF-8 with a lost byte", &lost, Content::Mixed),
        ("UTF-8 and Latin-1", &log, Content::Mixed),
        ("Latin-1 and a little UTF-8", &few, Content::Mixed),
        // C9 BB is a character of UTF-8, by chance.
        ("Latin-1, capitals", b"\xABL'\xC9T\xC9\xBB, l'\xE9t\xE9, l'\xE9t\xE9", text(Latin1)),
        ("code page 850", b"d\x82j\x85 vu, l'\x82t\x82, \x87a et l\x85", Content::Unknown),
        ("GB 2312 without punctuation", &gb2312, Content::Unknown),
        ("ASCII and a few controls", &b"nineteen characters\x01".repeat(9), text(Scheme::Ascii)),
        ("fields that end with NUL", &b"field\0".repeat(2000), Content::Binary),
        ("Latin-1, French", latin1, text(Latin1)),
        ("Latin-1, German", b"Gr\xFC\xDFe, sch\xF6ne Stra\xDFen, \xC4rger", text(Latin1)),
        // Two letters beside each other are no run.
        ("Latin-1, two letters", b"Gr\xFC\xDFe", text(Latin1)),
        ("Latin-1, one letter", b"caf\xE9", text(Latin1)),
        (
            "windows-1252",
            b"\x93Le caf\xE9 d\x92en face est ferm\xE9\x94, dit-il \x96 voil\xE0.",
            text(Latin1),
        ),
        ("one letter in UTF-16LE", b"a\0", text(Utf16Le)),
        ("one letter in UTF-16BE", b"\0a", text(Utf16Be)),
        ("one letter in UTF-32LE", b"a\0\0\0", text(Utf32Le)),
        ("JSON in UTF-32LE", &encode("{\"a\": [1, 2]}", Utf32Le), text(Utf32Le)),
        ("Chinese, no ASCII, UTF-16LE", &encode("我能吞下玻璃而不伤身体", Utf16Le), text(Utf16Le)),
        ("Chinese, no ASCII, UTF-16BE", &encode("我能吞下玻璃而不伤身体", Utf16Be), text(Utf16Be)),
        ("emoji, UTF-16LE", &encode("🦀🦀🚀🎉", Utf16Le), text(Utf16Le)),
        ("emoji, UTF-16BE", &encode("🦀🦀🚀🎉", Utf16Be), text(Utf16Be)),
        ("text with a NUL at byte 9000", &holes, Content::Mixed),
        ("short text with a NUL", b"one\0two", Content::Binary),
        ("zeros", &[0; 100], Content::Binary),
        ("a NUL", b"\0", Content::Binary),
        ("bells", &[7; 100], Content::Binary),
        ("PNG", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0", Content::Binary),
        ("ELF", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0", Content::Binary),
        ("numbers of 32 bits", &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0], Content::Binary),
        ("numbers of 16 bits", &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0], Content::Binary),
        ("colours", b"\x1B[31mred\x1B[0m and \x1B[1mbold\x1B[0m\n", text(Scheme::Ascii)),
        ("one letter in UTF-8", "é".as_bytes(), text(Utf8)),
    ] {
        let found = detect(bytes);
        assert_eq!(found.content, content, "{name}: {found}");
        assert!(found.confidence <= 100, "{name}: {found}");
    }
    assert_eq!(
        detect(&spoiled).evidence,
        Evidence::Damage {
            // The byte was part of a character, of which the other byte is alone now.
            sequences: long.iter().filter(|byte| **byte >= 0xC2).count() as u64 - 1,
            ill_formed: 2,
            first: if spoiled[700] >= 0xC2 { 700 } else { 701 },
        }
    );
    // What is no Latin-1 in the strict sense is not to be converted as such without a look at it.
    let german = b"sch\xF6n und gr\xFCn. ".repeat(20);
    assert_eq!(detect(&german).confidence, 85);
    let quoted = [&german[..], b"\x84sch\xF6n\x93"].concat();
    assert_eq!(detect(&quoted).confidence, 65);
    assert_eq!(detect(&quoted).evidence, Evidence::SingleBytes { high: 43, letters: 41, windows: 2 });
    // U+8E8E is the same in both byte orders.
    let found = detect(&[0x8E; 46]);
    assert!(matches!(found.evidence, Evidence::Units { units: 23, rival: true, .. }), "{found}");
    assert!(found.confidence <= 50, "{found}");
    assert_eq!(detect(&holes).evidence, Evidence::Nul { count: 1, first: 9000 });
    assert!(matches!(detect(&log).evidence, Evidence::TwoEncodings { sequences: 10, ill_formed: 5, .. }));
}

#[test]
fn chance_is_binary() {
    let mut random = Random::new(4);
    let mut wrong = 0;
    let rounds = scale::size(2000, 300, 20);
    for round in 0..rounds {
        let bytes: Vec<u8> = (0..64 + round % 5000).map(|_| random.bits() as u8).collect();
        let found = detect(&bytes);
        assert!(found.scheme().is_none(), "{} bytes: {found}", bytes.len());
        wrong += usize::from(found.content != Content::Binary);
        if bytes.len() >= 1024 {
            assert!(found.content == Content::Binary && found.confidence >= 80, "{found}");
        }
    }
    assert!(wrong * 100 <= rounds, "{wrong} of {rounds} are no binary");
}

/// What is pushed decides, not how it is cut.
#[test]
fn chunks_make_no_difference() {
    let mut random = Random::new(8);
    let mut texts: Vec<Vec<u8>> =
        UNICODE.map(|scheme| encode(&generate(Script::Json, 6000, 2), scheme)).into();
    texts.push(old(&generate(Script::French, 9000, 1), encoding_rs::WINDOWS_1252));
    texts.push(old(&generate(Script::Japanese, 9000, 1), encoding_rs::SHIFT_JIS));
    texts.push((0..9000).map(|_| random.bits() as u8).collect());
    let mut damaged = generate(Script::Emoji, 200_000, 1).into_bytes();
    for at in [5, 4093, 4095, 4096, 65_535, 65_537, 131_071, 150_000] {
        damaged[at] = 0xFF;
    }
    texts.push(damaged);
    let nul = "l'été à la plage, é\0 et cætera".as_bytes();
    let first = nul.iter().position(|byte| *byte == 0).expect("a NUL") as u64;
    assert_eq!(detect(nul).evidence, Evidence::Nul { count: 1, first });
    for at in 0..nul.len() {
        let mut detector = Detector::new();
        detector.push(&nul[..at]);
        detector.push(&nul[at..]);
        assert_eq!(detector.finish().evidence, Evidence::Nul { count: 1, first }, "cut at {at}");
    }
    for text in texts {
        let whole = detect(&text);
        for longest in [1, 3, 7, 100, 5000, 70_000] {
            let mut detector = Detector::new();
            let mut rest = &text[..];
            while !rest.is_empty() {
                let (chunk, later) = rest.split_at(random.between(0, longest).min(rest.len()));
                detector.push(chunk);
                rest = later;
            }
            assert_eq!(detector.finish(), whole, "chunks up to {longest}");
        }
    }
}

/// How much has to be read until nothing more is needed.
#[test]
fn no_more_is_read_than_needed() {
    let needed = |bytes: &[u8]| {
        let mut detector = Detector::new();
        bytes.iter().position(|byte| detector.push(&[*byte])).map(|at| at + 1)
    };
    for script in [Script::English, Script::Greek, Script::Chinese, Script::Emoji] {
        let text = generate(script, 100_000, 6);
        for scheme in &UNICODE[1..] {
            assert_eq!(needed(&encode(&text, *scheme)), Some(4096), "{script} {scheme}");
        }
    }
    assert_eq!(needed(generate(Script::Greek, 100_000, 6).as_bytes()), Some(4096));
    assert_eq!(needed(&[b'a'; 200_000]), None);
    let mut random = Random::new(5);
    let noise: Vec<u8> = (0..10_000).map(|_| random.bits() as u8).collect();
    assert_eq!(needed(&noise), Some(4096), "{}", sample(&noise[..4096]));
    let latin1 = old(&generate(Script::German, 500_000, 6), encoding_rs::WINDOWS_1252);
    assert!(needed(&latin1).is_some_and(|bytes| bytes <= 128 * 1024), "{:?}", needed(&latin1));
}

/// Damage behind the point at which the detector is sure is found by whoever goes on.
#[test]
fn damage_far_behind_is_found() {
    let mut text = generate(Script::Arabic, 300_000, 2).into_bytes();
    let mut detector = Detector::new();
    assert!(detector.push(&text[..4096]));
    assert_eq!(detector.verdict().scheme(), Some(Scheme::Utf8));
    text[299_000] = 0xFF;
    detector.push(&text[4096..]);
    assert_eq!(detector.seen(), text.len() as u64);
    let found = detector.finish();
    let at = if text[298_999] >= 0xC2 { 298_999 } else { 299_000 };
    assert!(matches!(found.evidence, Evidence::Damage { first, .. } if first == at), "{found}");
}
