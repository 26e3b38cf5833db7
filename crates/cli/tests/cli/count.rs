//! `runecast count`, end to end.

use crate::scene::{Scene, expect, utf16be};
use serde_json::json;

const TEXT: &str = "aé漢🦀\n";

fn scene(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("count", files)
}

/// The table without its spaces.
fn rows(out: &[u8]) -> Vec<Vec<String>> {
    let text = std::str::from_utf8(out).expect("a table in UTF-8");
    text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn a_row_for_each_file_and_a_total() {
    let scene = scene(&[("text", TEXT.repeat(100_000).as_bytes()), ("empty", b""), ("tail", b"a\nb")]);
    let ran = scene.run(&["text", "empty", "tail"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let rows = rows(&ran.out);
    assert_eq!(rows[0], ["lines", "characters", "bytes", "UTF-8", "UTF-16", "UTF-32"]);
    assert_eq!(rows[1], ["100000", "500000", "1100000", "1100000", "600000", "500000", "text"]);
    assert_eq!(rows[2], ["0", "0", "0", "0", "0", "0", "empty"]);
    assert_eq!(rows[3], ["1", "3", "3", "3", "3", "3", "tail"]);
    assert_eq!(rows[4], ["100001", "500003", "1100003", "1100003", "600003", "500003", "total"]);
    assert_eq!(rows.len(), 5);
    assert_eq!(self::rows(&scene.feed(&[], b"x\n").out)[1][6], "<stdin>");
}

#[test]
fn other_encodings_count_the_same_text() {
    let scene = scene(&[]);
    let utf16 = utf16be(TEXT);
    let marked = [b"\xFE\xFF", &utf16[..]].concat();
    let count = |from, input: &[u8]| rows(&scene.feed(&["-f", from], input).out)[1].clone();
    assert_eq!(count("utf-16be", &utf16), ["1", "5", "12", "11", "6", "5", "<stdin>"]);
    assert_eq!(count("utf-16", &marked), ["1", "5", "14", "11", "6", "5", "<stdin>"]);
    assert_eq!(count("utf-16be", &marked), ["1", "6", "14", "14", "7", "6", "<stdin>"]);
    assert_eq!(count("latin1", b"caf\xE9"), ["0", "4", "4", "5", "4", "4", "<stdin>"]);
}

#[test]
fn what_is_ill_formed_or_missing_is_not_counted() {
    let scene = scene(&[("good", b"good"), ("bad", b"ok\n\xFF"), ("dir/inner", b"x")]);
    let reason = "bad:2:1: byte 3: invalid lead [FF] no character of Unicode begins with FF\n";
    assert_eq!(scene.run(&["bad"]), expect(1, b"", reason));
    let ran = scene.run(&["bad", "good", "dir"]);
    assert_eq!((ran.code, rows(&ran.out).len()), (2, 3));
    assert_eq!(ran.err, format!("{reason}runecast: dir: is a directory; -r reads the files below it\n"));
    assert_eq!(rows(&scene.run(&["-r", "dir"]).out)[1][2], "1");
}

#[test]
fn json_has_an_object_for_every_input_and_one_for_all() {
    let scene = scene(&[("good", TEXT.as_bytes()), ("bad", b"\xFF")]);
    let ran = scene.run(&["--format", "json", "good", "bad", "missing"]);
    assert_eq!(ran.code, 2);
    let objects = ran.objects();
    let units = json!({"utf8": 11, "utf16": 6, "utf32": 5});
    assert_eq!(
        objects[0],
        json!({
            "schema": 1, "command": "count", "path": "good", "encoding": "UTF-8", "status": "well-formed",
            "bytes": 11, "lines": 1, "characters": 5, "units": units,
        })
    );
    assert_eq!((&objects[1]["status"], &objects[1]["error"]["at"]), (&"ill-formed".into(), &0.into()));
    assert_eq!(objects[1].get("characters"), None);
    assert_eq!(objects[2]["status"], "unreadable");
    assert_eq!(
        objects[3],
        json!({
            "schema": 1, "command": "count", "total": 1,
            "bytes": 11, "lines": 1, "characters": 5, "units": units,
        })
    );
    assert_eq!(objects.len(), 4);
}
