//! `repair --fallback`: lines in two encodings, each read as a whole.
//!
//! What is expected comes of `encoding_rs` by way of `convert`, or is written here as text.

use serde_json::json;

use crate::scene::{Scene, expect};

/// Lines of a table, of which every second is in windows-1252, with characters whose bytes are well-formed UTF-8 by accident.
const MIXED: &[u8] = b"id;name\r\n1;\xC3\x89t\xC3\xA9\r\n2;\xABSANT\xC9\xBB \x80\r\n3;\xC5\xBD\xE4\r\n";
const READ: &str = "id;name\r\n1;Été\r\n2;«SANTÉ» €\r\n3;Å½ä\r\n";

fn scene() -> Scene {
    Scene::new("repair", &[("mixed", MIXED), ("good", "é\n".as_bytes())])
}

#[test]
fn a_line_is_in_one_encoding() {
    let scene = scene();
    let err = "mixed:3: byte 20: first of 2 lines read as windows-1252\n";
    assert_eq!(scene.run(&["--fallback", "windows-1252", "mixed"]), expect(1, READ, err));
    assert_eq!(scene.run(&["--fallback", "cp1252", "mixed", "-q", "--exit-zero"]), expect(0, READ, ""));
    let ran = scene.feed(&["--fallback=windows-1252"], MIXED);
    assert_eq!(ran, expect(1, READ, &err.replace("mixed", "<stdin>")));
    // An escape takes two bytes of the second line for UTF-8: this is why there is a fallback.
    let escaped = scene.run(&["--escape", "windows-1252", "mixed"]);
    assert!(escaped.text().contains("2;«SANT\u{27B} €"), "{escaped:?}");

    let verbose = scene.run(&["--fallback", "windows-1252", "-v", "good"]);
    assert_eq!(verbose, expect(0, "é\n", "good: no line to read as windows-1252\n"));
}

#[test]
fn in_place_only_what_differs_is_written() {
    let scene = scene();
    let ran = scene.run(&["--fallback", "windows-1252", "--in-place=~", "mixed", "good"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!((scene.content("mixed"), scene.content("mixed~")), (READ.into(), MIXED.into()));
    assert_eq!(scene.names(), ["good", "mixed", "mixed~"]);
    // A second run finds nothing to do.
    assert_eq!(scene.run(&["--fallback", "windows-1252", "--in-place", "mixed"]), expect(0, "", ""));
    scene.add("mixed", MIXED);
    let ran = scene.run(&["--fallback", "windows-1252", "--in-place", "--dry-run", "mixed"]);
    assert!(ran.code == 1 && scene.content("mixed") == MIXED, "{ran:?}");
}

/// The encodings of East Asia have bytes of ASCII in their characters, but no line feed.
#[test]
fn any_older_encoding_that_contains_ascii_will_do() {
    for (encoding, old, text) in [
        ("windows-1251", &b"\xCF\xF0\xE8\xE2\xE5\xF2"[..], "Привет"),
        ("koi8-r", b"\xF0\xD2\xC9\xD7\xC5\xD4", "Привет"),
        ("shift_jis", b"\x83\x5C\x95\x5C", "ソ表"),
        ("gb18030", b"\xC4\xE3\xBA\xC3", "你好"),
        ("latin1", b"caf\xE9 \x80", "café \u{80}"),
    ] {
        let scene = Scene::new("repair", &[]);
        let input = [text.as_bytes(), b"\n", old, b"\n\n", old].concat();
        let ran = scene.feed(&["--fallback", encoding, "-q"], &input);
        assert_eq!(ran, expect(1, format!("{text}\n{text}\n\n{text}"), ""), "{encoding}");
    }
}

#[test]
fn what_is_in_neither_encoding_is_said() {
    let scene = Scene::new("repair", &[("old", b"fine\nodd \xD2 \xE9\n\xE9\n")]);
    let ran = scene.run(&["--fallback", "windows-1253", "old"]);
    let err = "old:2: byte 9: first of 2 lines read as windows-1253; 1 not all in that encoding, with U+FFFD for the rest\n";
    assert_eq!(ran, expect(1, "fine\nodd \u{FFFD} ι\nι\n", err));
    // In place there would be nothing left of what was there, unless it is kept or said to be UTF-8.
    let ran = scene.run(&["--fallback", "windows-1253", "--in-place", "old"]);
    let why = "has a line at byte 5 that is in neither encoding, and is left unchanged; use -f utf-8 to write U+FFFD for what is not";
    assert_eq!(ran, expect(2, "", &format!("runecast: old: {why}\n")));
    assert_eq!(scene.content("old"), b"fine\nodd \xD2 \xE9\n\xE9\n");
    assert_eq!(scene.run(&["--fallback", "windows-1253", "--in-place=~", "-q", "old"]).code, 1);
    assert_eq!(scene.content("old~"), b"fine\nodd \xD2 \xE9\n\xE9\n");
    scene.add("old", b"\xD2\n");
    assert_eq!(scene.run(&["--fallback", "windows-1253", "-f", "utf-8", "--in-place", "-q", "old"]).code, 1);
    assert_eq!(scene.content("old"), "\u{FFFD}\n".as_bytes());
}

#[test]
fn programs_get_numbers() {
    let scene = scene();
    let ran =
        scene.run(&["--fallback", "cp1252", "--format", "json", "mixed", "good", "missing", "-o", "new"]);
    let objects = ran.objects();
    assert_eq!(ran.code, 2);
    assert_eq!(
        objects[0],
        json!({
            "schema": 1, "command": "repair", "path": "mixed", "status": "repaired", "fallback": "windows-1252",
            "fallback_lines": 2, "malformed_lines": 0, "first": { "at": 20, "line": 3 },
        })
    );
    assert_eq!((&objects[1]["status"], &objects[1]["fallback_lines"]), (&json!("clean"), &json!(0)));
    assert_eq!((&objects[2]["status"], objects[2].get("fallback")), (&json!("failed"), None));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let scene = scene();
    for arguments in [
        &["--fallback", "utf-16"][..],
        &["--fallback", "utf-8"],
        &["--fallback", "ascii"],
        &["--fallback", "iso-2022-jp"],
        &["--fallback", "nonsense"],
        &["--fallback", "latin1", "-f", "utf-16"],
        &["--fallback", "latin1", "--drop-lines"],
        &["--fallback", "latin1", "--escape", "latin1"],
        &["--fallback", "latin1", "--mojibake"],
        &["--fallback", "latin1", "--rejects", "x"],
        &["--fallback", "latin1", "-t", "latin1"],
    ] {
        let ran = scene.run(&[arguments, &["mixed"]].concat());
        assert_eq!((ran.code, ran.out.as_slice()), (2, &b""[..]), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{ran:?}");
    }
}
