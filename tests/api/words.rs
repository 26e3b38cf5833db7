//! Names and messages: they are read by people, and some are parsed.

use std::io::Cursor;

use runecast::corrected::{Finding, Lint, lint, reserved_rest};
use runecast::scan::lines;
use runecast::{
    Ascii, Cesu8, CorrectedUtf8, Detector, Encoding, Isa, Label, Replacement, Scheme, TranscodingReader,
    TranscodingWriter, UnknownLabel, UnknownReplacement, Utf8, Utf8Reader, Utf16, Utf16Le, Utf32, Wtf8,
    detect, validate,
};

fn message<E: Encoding>(text: &[E::Unit]) -> String {
    validate::<E>(text).expect_err("ill-formed").to_string()
}

#[test]
fn errors_count_in_units_of_the_slice() {
    assert_eq!(
        message::<Utf16>(&[0x61, 0xD800, 0x62]),
        "ill-formed at unit 1: D8 00 is a high surrogate, but no low one follows"
    );
    assert_eq!(
        message::<Utf16Le>(b"a\0\0\xDC"),
        "ill-formed at byte 2: 00 DC is a low surrogate, but no high one comes before it"
    );
    assert_eq!(
        message::<Utf32>(&[0xDC00]),
        "ill-formed at unit 0: 00 00 DC 00 is a surrogate (U+D800..U+DFFF), which is no character"
    );
    assert_eq!(message::<Utf32>(&[0x11_0000]), "ill-formed at unit 0: 00 11 00 00 is above U+10FFFF");
    assert_eq!(message::<Ascii>(b"caf\xE9"), "ill-formed at byte 3: E9 is above 7F, and so not ASCII");
    assert_eq!(message::<Utf8>(b"\xFF"), "ill-formed at byte 0: no character of Unicode begins with FF");
}

#[test]
fn incomplete_characters_announce_their_length() {
    for (text, shown) in [
        (&b"\xED"[..], "ED begins a character of 3 bytes"),
        (b"\xED\xA0", "ED A0 begins a character of 3 bytes"),
        (b"\xED\xA0\x80\xED", "ED A0 80 begins a character of 6 bytes"),
    ] {
        let expected = format!("ill-formed at byte 0: {shown}, but the input ends here");
        assert_eq!(message::<Cesu8>(text), expected);
    }
}

#[test]
fn long_sequences_are_cut_in_messages() {
    for more in 0..12 {
        let text = [&b"\xFE"[..], &[0x80].repeat(more)].concat();
        let shown = format!("FE{}{}", " 80".repeat(more.min(7)), if more > 7 { " …" } else { "" });
        assert_eq!(
            message::<CorrectedUtf8>(&text),
            format!("ill-formed at byte 0: {shown} is reserved for future use")
        );
        assert_eq!(reserved_rest(&text[1..]), more);
    }
    assert_eq!((reserved_rest(b""), reserved_rest(b"a"), reserved_rest(b"\x80\xFF\x80a\x80")), (0, 0, 3));
}

/// The table of rows is one of UTF-8.
#[test]
fn rows_are_of_utf8_only() {
    let row = |error: Result<(), runecast::IllFormed>| error.expect_err("ill-formed").row();
    for (text, number) in [(b"\xC0", 1), (b"\xFF", 2)] {
        assert_eq!(row(validate::<Utf8>(text)), Some(number));
        assert_eq!(row(validate::<Wtf8>(text)), None);
    }
}

#[test]
fn names_are_read_as_they_are_written() {
    for isa in Isa::ALL {
        assert_eq!(isa.to_string(), isa.name());
        assert_eq!(isa.name().parse(), Ok(isa));
        assert_eq!(isa.name().to_ascii_uppercase().parse(), Ok(isa));
    }
    assert_eq!(format!("{:>14}", runecast::Kind::Truncated), "     truncated");
    for replacement in Replacement::ALL {
        assert_eq!(replacement.to_string(), replacement.name());
        assert_eq!(format!("{replacement:>20}").len(), 20, "Display obeys the width");
        assert_eq!(replacement.name().parse(), Ok(replacement));
        assert_eq!(replacement.name().to_ascii_uppercase().parse(), Ok(replacement));
    }
    let names = Replacement::ALL.map(Replacement::name).join(", ");
    assert_eq!("none".parse::<Replacement>(), "".parse());
    let error: UnknownReplacement = "none".parse::<Replacement>().expect_err("no such name");
    assert_eq!(error.to_string(), format!("no such behaviour; there are {names}"));

    let names: Vec<_> = Label::names().map(|(_, name, _)| name).collect();
    for (label, name, _) in Label::names() {
        assert_eq!((label.to_string(), format!("{label:>30}").len()), (name.to_owned(), 30));
    }
    for scheme in Scheme::ALL {
        assert_eq!((scheme.to_string(), format!("{scheme:>30}").len()), (scheme.name().to_owned(), 30));
    }
    assert_eq!(UnknownLabel.to_string(), format!("no such encoding; there are {}", names.join(", ")));
}

#[test]
fn records_say_what_is_wrong() {
    let mut lines = lines(b"too long\n\xFF\n").limit(4);
    let messages =
        [lines.next(), lines.next()].map(|line| line.and_then(Result::err).map(|error| error.to_string()));
    assert_eq!(messages[0].as_deref(), Some("the line or record at byte 0 is longer than 4 bytes"));
    assert_eq!(messages[1].as_deref(), Some("ill-formed at byte 9: no character of Unicode begins with FF"));
    assert!(lines.next().is_none());
}

#[test]
fn debug_shows_the_state() {
    let reader = TranscodingReader::strict(Cursor::new([1, 2]), Scheme::Latin1);
    let shown = format!("{reader:?}");
    let transcoder = "AnyTranscoder { from: Exactly(Latin1), to: Utf8, policy: None, offset: 0, waiting: 0 }";
    let inner = "Cursor { inner: [1, 2], pos: 0 }";
    assert_eq!(
        shown,
        format!("TranscodingReader {{ inner: {inner}, transcoder: {transcoder}, error: None, .. }}")
    );
    let writer = TranscodingWriter::strict([0_u8; 0].as_mut_slice(), Scheme::Latin1, Scheme::Utf8);
    assert_eq!(
        format!("{writer:?}"),
        format!("TranscodingWriter {{ inner: [], transcoder: {transcoder}, error: None, .. }}")
    );
    let reader = Utf8Reader::new(Cursor::new([1, 2]));
    let validator = "Validator { encoding: \"UTF-8\", offset: 0, waiting: [] }";
    assert_eq!(
        format!("{reader:?}"),
        format!("Utf8Reader {{ inner: {inner}, validator: {validator}, error: None, .. }}")
    );
    let mut detector = Detector::new();
    detector.push(b"rune");
    let verdict = detector.verdict();
    assert_eq!(format!("{detector:?}"), format!("Detector {{ seen: 4, sure: false, verdict: {verdict:?} }}"));
}

#[test]
fn evidence_is_a_sentence() {
    for (text, sentence) in [
        (&b"caf\xE9 noir"[..], "1 single byte above 7F, 1 of them letters in Latin-1"),
        (
            b"na\xEFve \x93caf\xE9\x94",
            "4 single bytes above 7F, 2 of them letters in Latin-1, and 2 in 80..9F, as in windows-1252",
        ),
        ("rúna".as_bytes(), "1 multi-byte character, nothing ill-formed"),
        (b"rune", "4 bytes below 80, all of it"),
    ] {
        assert_eq!(detect(text).evidence.to_string(), sentence);
    }
}

/// A reader knows the encoding as soon as its transcoder does.
#[test]
fn a_reader_knows_its_source() {
    use std::io::Read as _;
    let mut reader = TranscodingReader::strict(&b"\xFF\xFEa\0"[..], Label::Utf16);
    assert_eq!(reader.source(), None);
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("text");
    assert_eq!((text.as_str(), reader.source()), ("a", Some(Scheme::Utf16Le)));
    assert_eq!(TranscodingReader::strict(&b""[..], Scheme::Latin1).source(), Some(Scheme::Latin1));
}

/// The lints of a text, one byte after the other.
fn lints(text: &[u8]) -> Vec<(usize, Lint)> {
    let mut found = Vec::new();
    for at in 0..text.len() {
        let rest = &text[at..];
        let lint = match rest[0] {
            0 => Lint::Nul,
            b'\r' => Lint::CarriageReturn,
            b'\n' => continue,
            1..0x20 | 0x7F => Lint::Control,
            _ if rest.starts_with(b"\xE1\x9E\x88") => Lint::LineSeparator,
            _ if rest.starts_with(b"\xE1\x9E\x89") => Lint::ParagraphSeparator,
            _ => continue,
        };
        found.push((at, lint));
    }
    if text.last().is_some_and(|last| *last != b'\n') {
        found.push((text.len(), Lint::NoFinalNewline));
    }
    found
}

#[test]
fn every_lint_is_found_in_texts_of_any_length() {
    let characters: [&[u8]; 12] = [
        b"a",
        b"\n",
        b"\0",
        b"\r",
        b"\x01",
        b"\x1F",
        b"\x7F",
        b"\x20",
        b"\xE1\x9E\x88",
        b"\xE1\x9E\x89",
        b"\xE1\x9E\x8A",
        b"\xC3\xA9",
    ];
    for len in [0, 1, 63, 64, 65, 128, 200] {
        for one in characters {
            // Nothing else; and one of them at each place.
            let mut texts = vec![one.repeat(len)];
            texts.extend((0..=len).map(|at| [&b"b".repeat(at), one, &b"c".repeat(len - at), b"\n"].concat()));
            for text in texts {
                let found: Vec<_> = lint(&text).map(|Finding { at, lint, .. }| (at, lint)).collect();
                assert_eq!(found, lints(&text), "{one:X?} {len}");
            }
        }
    }
    for lint in [Lint::Nul, Lint::NoFinalNewline] {
        assert_eq!((lint.to_string(), format!("{lint:>30}").len()), (lint.name().to_owned(), 30));
    }
}
