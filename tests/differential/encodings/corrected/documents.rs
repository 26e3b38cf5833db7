//! Documents: the magic number, what should not be in a text, C1 controls; and repair.

use runecast::corrected::{Controls, Finding, Lint, MAGIC, has_magic, lint, strip_magic, with_magic};
use runecast::{
    CorrectedUtf8, Policy, Replacement, Utf8, Utf32, transcode_lossy_to_vec, transcode_to_vec, validate,
};

use super::model::{decode, encode};
use crate::common::texts::Rng;

#[test]
fn the_magic_number_is_four_code_points() {
    let (points, error) = decode(&MAGIC);
    assert_eq!(error, None);
    assert_eq!(
        points.iter().map(|(point, _)| *point).collect::<Vec<_>>(),
        [0x1_0E7D, 0xED4E, 0x0000, 0x000A]
    );
    assert!(validate::<CorrectedUtf8>(&MAGIC).is_ok());
    // And no UTF-8.
    assert!(std::str::from_utf8(&MAGIC).is_err());
    let file = with_magic(b"text\n");
    assert!(has_magic(&file) && !has_magic(&file[1..]) && !has_magic(&MAGIC[..7]));
    assert_eq!(strip_magic(&file), Some(&b"text\n"[..]));
    assert_eq!(strip_magic(b"text\n"), None);
}

#[test]
fn findings_are_those_of_a_list() {
    let kinds = [
        '\0', '\r', '\u{1}', '\u{1F}', '\u{7F}', '\t', '\u{2028}', '\u{2029}', '\n', 'a', 'é', '\u{2027}',
        '\u{202A}',
    ];
    let mut rng = Rng::new(5);
    for round in 0..2000 {
        let text: Vec<char> = (0..rng.below(200))
            .map(|_| if rng.below(1 + round % 40) == 0 { kinds[rng.below(kinds.len())] } else { 'x' })
            .collect();
        let (mut bytes, mut expected) = (Vec::new(), Vec::new());
        for character in &text {
            let lint = match character {
                '\0' => Some(Lint::Nul),
                '\r' => Some(Lint::CarriageReturn),
                '\n' => None,
                character if character.is_ascii_control() => Some(Lint::Control),
                '\u{2028}' => Some(Lint::LineSeparator),
                '\u{2029}' => Some(Lint::ParagraphSeparator),
                _ => None,
            };
            expected.extend(lint.map(|lint| (bytes.len(), lint)));
            bytes.extend(encode(u32::from(*character)).expect("a form"));
        }
        if text.last().is_some_and(|last| *last != '\n') {
            expected.push((bytes.len(), Lint::NoFinalNewline));
        }
        let found: Vec<_> = lint(&bytes).map(|Finding { at, lint, .. }| (at, lint)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn controls_go_there_and_back() {
    for first in ['\u{E000}', '\u{F8E0}', '\u{F0000}', '\u{FFFDE}', '\u{10FFDE}'] {
        let controls = Controls::at(first).expect("private use");
        let text: String = ('\u{7E}'..='\u{A1}').collect();
        let hidden = controls.hide(&text).expect("nothing there yet");
        let bytes = transcode_to_vec::<Utf8, CorrectedUtf8>(hidden.as_bytes()).expect("no C1 controls");
        let back = transcode_to_vec::<CorrectedUtf8, Utf8>(&bytes).expect("Unicode");
        assert_eq!(controls.show(std::str::from_utf8(&back).expect("UTF-8")), text);
        assert_eq!(controls.hide(&first.to_string()), None);
        assert_eq!(controls.hide("plain é").as_deref(), Some("plain é"));
    }
    for first in [
        'a',
        '\u{D7FF}',
        '\u{F8E1}',
        '\u{DFFFF}',
        '\u{EFFE1}',
        '\u{EFFFF}',
        '\u{FFFDF}',
        '\u{FFFE0}',
        '\u{FFFFF}',
        '\u{10FFDF}',
    ] {
        assert_eq!(Controls::at(first), None, "{first:?}");
    }
}

#[test]
fn repair() {
    let bytes = b"a\xC0z\x80\xFE\x80\xFF\xBFb\xF8\x80\x80\x80\x80c\xE0\x80";
    let repaired = transcode_lossy_to_vec::<CorrectedUtf8, Utf8>(bytes, Replacement::Whatwg);
    assert_eq!(String::from_utf8(repaired).as_deref(), Ok("a\u{FFFD}z\u{FFFD}\u{FFFD}b\u{FFFD}c\u{FFFD}"));
    let repaired = transcode_lossy_to_vec::<CorrectedUtf8, CorrectedUtf8>(bytes, Replacement::Whatwg);
    let fffd = b"\xEE\xBD\x9D";
    assert_eq!(repaired, [b"a", &fffd[..], b"z", fffd, fffd, b"b\xF8\x80\x80\x80\x80c", fffd].concat());
    // What has no form there.
    let repaired =
        transcode_lossy_to_vec::<Utf32, CorrectedUtf8>(&[0x61, 0x85, 0xD800, 0x62], Replacement::Whatwg);
    assert_eq!(repaired, [b"a", &fffd[..], fffd, b"b"].concat());
}

#[test]
fn what_has_to_wait() {
    let incomplete_suffix = |bytes: &[u8]| Policy::default().incomplete_suffix::<CorrectedUtf8>(bytes);
    for (bytes, len) in [
        (&b""[..], 0),
        (b"a", 0),
        (b"a\x80", 0),
        (b"a\xC0", 1),
        (b"a\xF0\x80\x80", 3),
        (b"\xFD\x80\x80\x80\x80", 5),
        (b"\xFD\x80\x80\x80\x80\x80", 0),
        (b"a\xFE", 1),
        (b"\xC0\x80\xFF\x80\xFE", 3),
        (b"\xFF\x80a", 0),
    ] {
        assert_eq!(incomplete_suffix(bytes), len, "{bytes:02X?}");
    }
}

/// C1 controls, which have no form, among bytes of which many are replaced at once.
#[test]
fn controls_in_ill_formed_text() {
    let with_errors =
        "a\u{85}b".as_bytes().iter().copied().chain(*b"\xFF\x80").collect::<Vec<_>>().repeat(200);
    let repaired = runecast::transcode_lossy_to_vec::<Utf8, CorrectedUtf8>(&with_errors, Replacement::Whatwg);
    let back = runecast::transcode_to_string::<CorrectedUtf8>(&repaired).expect("repaired");
    assert_eq!(back, "a\u{FFFD}b\u{FFFD}\u{FFFD}".repeat(200));
}
