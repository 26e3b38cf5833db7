//! `runecast detect`, end to end.

use crate::scene::{Scene, expect, utf16le};
use serde_json::json;

fn scene(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("detect", files)
}

#[test]
fn each_input_has_a_line() {
    let scene = scene(&[
        ("plain", b"hello\n"),
        ("utf8", "Grüße aus Ærøskøbing\n".as_bytes()),
        ("marked", b"\xFF\xFEa\0"),
        ("latin1", b"d\xE9j\xE0 vu"),
        ("empty", b""),
    ]);
    let lines = "plain: ASCII, 100 % sure: 6 bytes below 80, all of it\n\
                 utf8: UTF-8, 99 % sure: 5 multi-byte characters, nothing ill-formed\n\
                 marked: UTF-16LE, 99 % sure: it begins with the byte order mark FF FE\n\
                 latin1: Latin-1, 56 % sure: 2 single bytes above 7F, 2 of them letters in Latin-1\n\
                 empty: ASCII, 100 % sure: there are no bytes\n";
    let ran = scene.run(&["plain", "utf8", "marked", "latin1", "empty"]);
    assert_eq!(String::from_utf8_lossy(&ran.out), lines);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(
        scene.feed(&[], b"hello"),
        expect(0, b"<stdin>: ASCII, 100 % sure: 5 bytes below 80, all of it\n", "")
    );
}

#[test]
fn exit_codes_tell_text_from_the_rest() {
    let scene = scene(&[
        ("text", b"hello\n"),
        ("mixed", b"caf\xC3\xA9 na\xC3\xAFf \xC3\xA9t\xC3\xA9 \xE9t\xE9 \n"),
        ("binary", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0"),
        // "Привет, мир" in KOI8-R.
        ("foreign", b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2"),
        ("dir/text", b"hello\n"),
    ]);
    for (name, code, word) in
        [("text", 0, "ASCII"), ("mixed", 1, "mixed"), ("binary", 1, "binary"), ("foreign", 1, "unknown")]
    {
        let ran = scene.run(&[name]);
        let line = String::from_utf8_lossy(&ran.out).into_owned();
        assert!(ran.code == code && line.starts_with(&format!("{name}: {word}, ")), "{ran:?}");
        assert_eq!(scene.run(&["-q", name]), expect(code, b"", ""));
        assert_eq!(scene.run(&["-q", "text", name]).code, code);
    }
    let ran = scene.run(&["missing", "binary", "text"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("runecast: missing: "), "{ran:?}");
    assert_eq!(ran.out.iter().filter(|byte| **byte == b'\n').count(), 2, "the others are looked at");
    let ran = scene.run(&["-r", "dir"]);
    assert_eq!((ran.code, ran.out.starts_with(b"dir")), (0, true));
    assert_eq!(scene.run(&["dir"]).code, 2);
}

#[test]
fn no_more_is_read_than_needed() {
    let wide = utf16le(&"Wide and long. ".repeat(50_000));
    let ascii = b"plain ".repeat(100_000);
    let dense = "Ærøskøbing ".repeat(50_000).into_bytes();
    let mut damaged = dense.clone();
    let end = damaged.len() - 1;
    damaged[end] = 0xFF;
    let scene = scene(&[("wide", &wide), ("ascii", &ascii), ("dense", &dense), ("damaged", &damaged)]);
    let read = |arguments: &[&str]| {
        let ran = scene.run(&[&["--format", "json"], arguments].concat());
        let object = &ran.objects()[0];
        (object["bytes_read"].as_u64().expect("a number") as usize, object["status"].clone())
    };
    assert_eq!(read(&["wide"]), (4096, "text".into()));
    assert_eq!(read(&["dense"]), (4096, "text".into()));
    assert_eq!(read(&["ascii"]), (ascii.len(), "text".into()));
    assert_eq!(read(&["damaged"]), (4096, "text".into()));
    assert_eq!(read(&["--whole", "damaged"]), (damaged.len(), "mixed".into()));
    assert_eq!(read(&["--whole", "wide"]), (wide.len(), "text".into()));
    assert_eq!(read(&["--bytes", "10", "ascii"]), (10, "text".into()));
    assert_eq!(read(&["--bytes", "5000", "ascii"]), (5000, "text".into()));
    // The same from a pipe.
    let ran = scene.feed(&["--format", "json", "--bytes", "10"], &ascii);
    assert_eq!(ran.objects()[0]["bytes_read"], 10);
}

#[test]
fn a_limit_is_no_end() {
    let scene = scene(&[("text", "naïve".as_bytes())]);
    // Byte 2 is the first half of a character: at the end of a text an error, at a limit none.
    let ran = scene.run(&["--bytes", "3", "text"]);
    assert_eq!((ran.code, &ran.out[..12]), (0, &b"text: UTF-8,"[..]), "{ran:?}");
    let ran = scene.feed(&[], b"na\xC3");
    assert_eq!(ran.code, 0, "one letter of Latin-1: {ran:?}");
    assert!(ran.out.starts_with(b"<stdin>: Latin-1, "), "{ran:?}");
    // A limit that is the size, is the end.
    let ran = scene.run(&["--bytes", "6", "text"]);
    assert!(String::from_utf8_lossy(&ran.out).ends_with("nothing ill-formed\n"), "{ran:?}");
    let ran = scene.run(&["--bytes", "5", "text"]);
    assert!(String::from_utf8_lossy(&ran.out).ends_with("nothing ill-formed so far\n"), "{ran:?}");
}

#[test]
fn json_has_an_object_for_every_input() {
    let scene = scene(&[
        ("latin1", b"d\xE9j\xE0 vu"),
        ("binary", b"\0\x01\x02"),
        ("wide", b"a\0b\0c\0"),
        ("plain", b"ab"),
    ]);
    let ran = scene.run(&["--format", "json", "latin1", "binary", "missing", "wide", "plain"]);
    assert_eq!(ran.code, 2);
    let [latin1, binary, missing, wide, plain] = &ran.objects()[..] else { panic!("{ran:?}") };
    assert_eq!(
        latin1,
        &json!({
            "schema": 1, "command": "detect", "path": "latin1", "status": "text", "encoding": "Latin-1",
            "confidence": 56,
            "evidence": {"kind": "single bytes", "high": 2, "letters": 2, "windows": 0},
            "reason": "2 single bytes above 7F, 2 of them letters in Latin-1", "bytes_read": 7,
        })
    );
    assert_eq!((&binary["status"], binary.get("encoding")), (&json!("binary"), None));
    assert_eq!(binary["evidence"], json!({"kind": "nul bytes", "count": 1, "first": 0}));
    assert_eq!((&missing["status"], missing.get("confidence")), (&json!("unreadable"), None));
    assert!(missing["reason"].is_string() && missing["bytes_read"] == 0);
    assert_eq!(wide["evidence"]["units"], 3);
    assert_eq!(plain["evidence"], json!({"kind": "ascii", "bytes": 2}));
}

#[test]
fn more_words_and_none() {
    let scene = scene(&[("text", b"hello\n"), ("binary", b"\0\x01\x02")]);
    let ran = scene.run(&["-v", "text", "binary"]);
    assert_eq!(ran.err, "2 inputs, 9 B read: 1 not text in a known encoding\n");
    assert!(String::from_utf8_lossy(&ran.out).contains("all of it (6 B read)\n"), "{ran:?}");
    assert_eq!(scene.run(&["-v", "text"]).err, "1 input, 6 B read: all text\n");
    for arguments in [
        &["-q", "-v", "text"][..],
        &["-q", "--format", "json", "text"],
        &["--bytes", "0", "text"],
        &["--bytes", "9", "--whole", "text"],
    ] {
        let ran = scene.run(arguments);
        assert!(ran.code == 2 && ran.err.starts_with("error: "), "{ran:?}");
    }
    assert!(scene.run(&["--color", "always", "text"]).out.contains(&0x1B));
    assert!(!scene.run(&["text"]).out.contains(&0x1B));
}

/// Frequencies need more letters than these texts have, and would have them be something else.
#[test]
fn what_a_text_declares() {
    // "Да" in windows-1251, twice; "中文" in GBK; "é" and a quote in windows-1252; the rest is UTF-8.
    let scene = scene(&[
        ("page", b"<meta charset=windows-1251><p>\xC4\xE0, \xC4\xE0"),
        ("source", b"# -*- coding: gbk -*-\ns = '\xD6\xD0\xCE\xC4'\n"),
        ("xml", b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9\x92</a>"),
        ("po", "\"Content-Type: text/plain; charset=ISO-8859-2\\n\"\nmsgstr \"Ærø\"\n".as_bytes()),
        ("ascii", b"@charset \"koi8-r\";\n"),
        ("net", b"<?xml version=\"1.0\" encoding=\"utf-16\"?><a>\xC3\xA6</a>"),
        ("lie", b"<meta charset=iso-8859-1>\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2"),
        ("late", b"\n\n# coding: windows-1251\n\xC4\xE0, \xC4\xE0"),
    ]);
    for (name, code, line) in [
        (
            "page",
            0,
            "windows-1251, 75 % sure: it declares windows-1251 at byte 14; 4 single bytes above 7F, 4 of them letters in Latin-1",
        ),
        (
            "source",
            0,
            "GBK, 95 % sure: it declares GBK at byte 14; not UTF-8 (4 ill-formed sequences, the first at byte 27), and the bytes \
             above 7F do not lie as in Latin-1",
        ),
        (
            "xml",
            0,
            "windows-1252, 95 % sure: it declares Latin-1 at byte 30; 2 single bytes above 7F, 1 of them letters in Latin-1, \
             and 1 in 80..9F, as in windows-1252",
        ),
        (
            "po",
            0,
            "UTF-8, 95 % sure: 2 multi-byte characters, nothing ill-formed; but it declares ISO-8859-2 at byte 35",
        ),
        ("ascii", 0, "ASCII, 100 % sure: 19 bytes below 80, all of it"),
        (
            "net",
            0,
            "UTF-8, 80 % sure: 1 multi-byte character, nothing ill-formed; but it declares UTF-16 at byte 30",
        ),
        (
            "lie",
            1,
            "unknown, 59 % sure: not UTF-8 (9 ill-formed sequences, the first at byte 25), and the bytes above 7F do not lie as \
             in Latin-1; but it declares Latin-1 at byte 14",
        ),
        ("late", 0, "Latin-1, 62 % sure: 4 single bytes above 7F, 4 of them letters in Latin-1"),
    ] {
        assert_eq!(scene.run(&[name]), expect(code, format!("{name}: {line}\n").as_bytes(), ""));
    }
    let declared = |name: &str| scene.run(&["--format", "json", name]).objects()[0]["declared"].clone();
    assert_eq!(declared("page"), json!({"encoding": "windows-1251", "at": 14, "contradicts": false}));
    assert_eq!(declared("net"), json!({"encoding": "UTF-16", "at": 30, "contradicts": true}));
    assert_eq!(declared("ascii"), json!({"encoding": "KOI8-R", "at": 10, "contradicts": false}));
    assert_eq!(declared("late"), json!(null));
    // Whoever takes it for UTF-8 is told.
    let ran =
        Scene::new("check", &[("page", b"<meta charset=windows-1251><p>\xC4\xE0, \xC4\xE0")]).run(&["page"]);
    assert!(ran.err.contains("page: seems to be windows-1251, not UTF-8"), "{ran:?}");
}
