//! `runecast repair`, end to end: what is written for ill-formed sequences, where it goes, what is reported.

use crate::scene::{Ran, Scene, expect, utf16le};
use serde_json::{Value, json};

/// An overlong form, a surrogate, and a form of five bytes, with text around them.
const BAD: &[u8] = b"one\na\xC3\xA9 \xF0\x80\x80 b \xED\xA0\x80 \xFB\xBF\xBF\xBF\xBF.\n";

fn scene(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("repair", files)
}

#[test]
fn every_behaviour_writes_as_many_as_it_should() {
    let scene = scene(&[]);
    let counts = [
        ("whatwg", [3, 3, 5]),
        ("per-byte", [3, 3, 5]),
        ("win32", [2, 2, 5]),
        ("openjdk8", [3, 1, 5]),
        ("python2", [1, 1, 5]),
        ("perl5", [3, 1, 1]),
        ("icu55", [1, 1, 1]),
    ];
    for (policy, [overlong, surrogate, five]) in counts {
        let text = |count| "\u{FFFD}".repeat(count);
        let expected = format!("one\naé {} b {} {}.\n", text(overlong), text(surrogate), text(five));
        let sum = overlong + surrogate + five;
        let line = format!("<stdin>:2:4: byte 8: first of {sum} replacements\n");
        let ran = scene.feed(&["--policy", policy], BAD);
        assert_eq!(ran, expect(1, expected.as_bytes(), &line), "{policy}");
    }
    assert_eq!(scene.feed(&[], BAD).out, scene.feed(&["-p", "whatwg"], BAD).out);
}

#[test]
fn texts_and_escapes() {
    let scene = scene(&[]);
    let said = "<stdin>:1:1: byte 0: first of 2 replacements\n";
    let run = |arguments: &[&str]| scene.feed(arguments, b"\x93quoted\x94");
    assert_eq!(run(&["--escape", "backslash"]), expect(1, br"\x93quoted\x94", said));
    assert_eq!(run(&["--escape", "windows-1252"]), expect(1, "“quoted”".as_bytes(), said));
    assert_eq!(run(&["--escape", "latin1"]), expect(1, "\u{93}quoted\u{94}".as_bytes(), said));
    // From an escape can be told what was there; from this it cannot.
    let seems = "runecast: <stdin>: seems to be windows-1252, not UTF-8; use -f windows-1252 to read it\n";
    let said = format!("{said}{seems}");
    assert_eq!(run(&["--replacement", "<漢>"]), expect(1, "<漢>quoted<漢>".as_bytes(), &said));
    assert_eq!(run(&["--replacement", "?", "-q"]), expect(1, b"?quoted?", ""));
}

#[test]
fn exit_codes_tell_whether_something_was_lost() {
    let scene = scene(&[("good", b"good"), ("bad", b"\xFF")]);
    assert_eq!(scene.run(&["good"]), expect(0, b"good", ""));
    assert_eq!(scene.run(&["-v", "good"]), expect(0, b"good", "good: nothing to replace\n"));
    let said = "bad:1:1: byte 0: first of 1 replacement\n";
    assert_eq!(scene.run(&["bad"]), expect(1, "\u{FFFD}".as_bytes(), said));
    assert_eq!(scene.run(&["bad", "--exit-zero"]), expect(0, "\u{FFFD}".as_bytes(), said));
    assert_eq!(scene.run(&["--exit-zero", "-q", "bad"]), expect(0, "\u{FFFD}".as_bytes(), ""));
    let missing = scene.run(&["--exit-zero", "missing"]);
    assert!(missing.code == 2 && missing.err.starts_with("runecast: missing: "), "{missing:?}");
    assert_eq!(scene.run(&["-q", "missing"]), expect(2, b"", ""));
}

#[test]
fn noncharacters_are_none_of_perls() {
    let scene = scene(&[]);
    let text = "a\u{FFFE}b\u{FDD0}";
    assert_eq!(scene.feed(&[], text.as_bytes()), expect(0, text.as_bytes(), ""));
    let said = "<stdin>:1:2: byte 1: first of 2 replacements\n";
    assert_eq!(
        scene.feed(&["-p", "perl5"], text.as_bytes()),
        expect(1, "a\u{FFFD}b\u{FFFD}".as_bytes(), said)
    );
}

#[test]
fn the_encoding_stays_unless_another_is_asked_for() {
    let scene = scene(&[]);
    let broken = |bytes: &[u8]| [&utf16le("\u{FEFF}aé"), bytes, &utf16le("z")].concat();
    let input = broken(b"\x00\xD8");
    let line = |column, at| format!("<stdin>:1:{column}: byte {at}: first of 1 replacement\n");
    // The mark is the first column.
    assert_eq!(scene.feed(&["-f", "utf-16"], &input), expect(1, broken(b"\xFD\xFF"), &line(4, 6)));
    let to_utf8 = scene.feed(&["-f", "utf-16", "-t", "utf-8"], &input);
    assert_eq!(to_utf8, expect(1, "aé\u{FFFD}z".as_bytes(), &line(4, 6)));
    let odd = scene.feed(&["-f", "utf-16le"], b"a\0b");
    assert_eq!(odd, expect(1, b"a\0\xFD\xFF", &line(2, 2)));
    let latin1 = scene.feed(&["-t", "latin1"], "a€\u{E9}".as_bytes());
    assert_eq!(latin1, expect(1, b"a?\xE9", &line(2, 1)));
}

#[test]
fn long_inputs_pass_in_pieces_and_unharmed() {
    // No chunk ends where a sequence does; one has thirteen bytes in Perl.
    let long =
        [&b"x"[..], &b"\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80 ok\n".repeat(60_000)].concat();
    let scene = scene(&[("long", &long)]);
    let expected = ["x", &"\u{FFFD} ok\n".repeat(60_000)].concat();
    let said = "long:1:2: byte 1: first of 60000 replacements\n";
    // (Frequencies would have it be Cyrillic of DOS.)
    assert!(scene.run(&["-f", "utf-8", "-p", "perl5", "long"]) == expect(1, expected.as_bytes(), said));
    assert!(scene.feed(&["-p", "perl5", "-q"], &long) == expect(1, expected.as_bytes(), ""));
}

#[test]
fn a_file_is_complete_or_what_it_was() {
    let scene = scene(&[("bad", b"a\xFF"), ("old", b"old"), ("dir/x", b"")]);
    let said = "bad:1:2: byte 1: first of 1 replacement\n";
    assert_eq!(scene.run(&["bad", "-o", "old"]), expect(1, b"", said));
    assert_eq!(scene.content("old"), "a\u{FFFD}".as_bytes());
    assert_eq!(scene.run(&["old", "-o", "new"]), expect(0, b"", ""));
    assert_eq!(scene.content("new"), "a\u{FFFD}".as_bytes());
    assert_eq!(scene.run(&["missing", "-o", "old"]).code, 2);
    let itself = "runecast: bad: is both input and output; use --in-place to repair it in place\n";
    assert_eq!(scene.run(&["bad", "-o", "./bad"]), expect(2, b"", itself));
    assert_eq!(scene.run(&["bad", "-o", "dir"]), expect(2, b"", "runecast: dir: is a directory\n"));
    assert_eq!(scene.content("bad"), b"a\xFF");
    assert_eq!(scene.names(), ["bad", "dir", "new", "old"], "nothing is left behind");
}

#[test]
fn in_place_leaves_clean_files_alone() {
    let scene = scene(&[("bad", b"a\xFF"), ("clean", b"clean"), ("worse", b"\n\n\xC0\xAF")]);
    let ran = scene.run(&["--in-place=.bak", "bad", "clean", "missing", "worse"]);
    assert_eq!(ran.code, 2);
    let lines: Vec<_> = ran.err.lines().collect();
    assert_eq!(lines[0], "bad:1:2: byte 1: first of 1 replacement");
    assert!(lines[1].starts_with("runecast: missing: "), "{ran:?}");
    assert_eq!(lines[2..], ["worse:3:1: byte 2: first of 2 replacements"]);
    assert_eq!((scene.content("bad"), scene.content("bad.bak")), ("a\u{FFFD}".into(), b"a\xFF".to_vec()));
    assert_eq!(scene.content("worse"), "\n\n\u{FFFD}\u{FFFD}".as_bytes());
    assert_eq!(scene.names(), ["bad", "bad.bak", "clean", "worse", "worse.bak"]);

    // Now all is well, and a backup that is there is in nobody's way... until it would be overwritten.
    assert_eq!(scene.run(&["--in-place", "bad", "worse"]), expect(0, b"", ""));
    assert_eq!(scene.run(&["--in-place=.bak", "bad"]), expect(0, b"", ""), "there is nothing to write");
    scene.add("bad", b"b\xFF");
    let again = scene.run(&["--in-place=.bak", "bad"]);
    assert!(again.code == 2 && again.err.contains("bad.bak already exists"), "{again:?}");
    assert_eq!(scene.run(&["--in-place", "-t", "utf-16le", "clean"]), expect(0, b"", ""));
    assert_eq!(scene.content("clean"), utf16le("clean"));
}

#[test]
fn json_has_an_object_for_every_input() {
    let scene = scene(&[("bad", b"\n\xFF\xFF"), ("clean", b"clean")]);
    let ran = scene.run(&["--format", "json", "--in-place", "bad", "clean", "missing"]);
    assert!(ran.code == 2 && ran.err.starts_with("runecast: missing: "), "{ran:?}");
    let objects: Vec<Value> = String::from_utf8(ran.out)
        .expect("JSON is UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object on each line"))
        .collect();
    let [bad, clean, missing] = &objects[..] else { panic!("{objects:?}") };
    let expected = json!({
        "schema": 1, "command": "repair", "path": "bad", "encoding": "UTF-8", "to": "UTF-8",
        "policy": "whatwg", "status": "repaired", "replaced": 2,
        "first": { "at": 1, "line": 2, "column": 1 }, "bytes_read": 3,
    });
    assert_eq!(*bad, expected);
    assert_eq!(
        (&clean["status"], &clean["replaced"], &clean["first"]),
        (&json!("clean"), &json!(0), &Value::Null)
    );
    assert_eq!((&missing["status"], missing["reason"].is_string()), (&json!("failed"), true));

    let Ran { out, .. } = scene.run(&["--format", "json", "--replacement", "?", "bad", "-o", "out"]);
    let object: Value = serde_json::from_slice(&out).expect("one object");
    assert_eq!((&object["replacement"], object.get("policy")), (&json!("?"), None));
}

#[test]
fn contradictions_are_refused() {
    let scene = scene(&[("a", b"a"), ("b", b"b")]);
    for arguments in [
        &["--in-place", "-"][..],
        &["--in-place"],
        &["--in-place=/x", "a"],
        &["--in-place", "a", "-o", "c"],
        &["--policy", "java", "a"],
        &["--escape", "surrogate", "a"],
        &["--policy", "icu55", "--escape", "latin1", "a"],
        &["--policy", "whatwg", "--replacement", "?", "a"],
        &["--escape", "latin1", "--replacement", "?", "a"],
        &["--replacement", "", "a"],
        &["--policy", "python2", "-t", "utf-16le", "a"],
        &["--policy", "python2", "-f", "utf-32", "a"],
        &["--format", "json", "a"],
        &["--format", "json", "a", "-o", "-"],
        &["-q", "-v", "a"],
        &["-t", "utf-7", "a"],
    ] {
        let ran = scene.run(arguments);
        assert_eq!((ran.code, ran.out.as_slice()), (2, &b""[..]), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{ran:?}");
    }
    assert_eq!(scene.names(), ["a", "b"]);
}

#[test]
fn help_teaches_on_a_narrow_terminal() {
    let output = scene(&[]).tool().arg("--help").env("COLUMNS", "60").output().expect("the tool starts");
    assert!(output.status.success() && output.stderr.is_empty());
    let help = String::from_utf8(output.stdout).expect("UTF-8");
    for word in ["Examples:", "--in-place", "per-byte", "windows-1252", "Exit codes:", "--exit-zero"] {
        assert!(help.contains(word), "{word}");
    }
    for line in help.lines() {
        assert!(line.chars().count() <= 60, "{line}");
    }
}

#[test]
fn colours_come_only_when_called() {
    let scene = scene(&[("bad", b"\xFF")]);
    assert!(!scene.run(&["bad"]).err.contains('\x1B'));
    assert!(scene.run(&["--color", "always", "bad"]).err.contains('\x1B'));
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::process::{Command as Process, Stdio};

    use super::*;

    fn tool(scene: &Scene, arguments: &[&str]) -> Process {
        scene.process(&[&["repair"], arguments].concat())
    }

    #[test]
    fn a_redirection_to_itself_is_seen() {
        let scene = scene(&[("bad", b"\xFF")]);
        let open = fs::OpenOptions::new().append(true).open(scene.path("bad")).expect("a file");
        let output = tool(&scene, &["bad"]).stdout(open).output().expect("the tool starts");
        assert_eq!((output.status.code(), scene.content("bad")), (Some(2), b"\xFF".to_vec()));
    }

    #[test]
    fn an_output_that_cannot_be_written_is_no_success() {
        let scene = scene(&[("bad", &[0xFF; 1_000_000])]);
        let mut child =
            tool(&scene, &["--exit-zero", "bad"]).stdout(Stdio::piped()).spawn().expect("the tool starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the tool ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(2), &b""[..]));
        if std::path::Path::new("/dev/full").exists() {
            let ran = scene.run(&["bad", "-o", "/dev/full"]);
            assert!(ran.code == 2 && ran.err.starts_with("runecast: /dev/full: "), "{ran:?}");
        }
    }
}

/// A surrogate without its other half is in file names of Windows, and in strings of JavaScript that were cut. No older encoding has it, and
/// nothing but U+FFFD can come of it: a file must not be left as it is because its bytes could be letters of Latin-1.
#[test]
fn surrogates_are_damage_and_no_other_encoding() {
    for (text, replaced) in [
        (&b"lone \xED\xA0\x80 x\n"[..], 3),
        (b"lone \xED\xB0\x80 x\n", 3),
        (b"lone \xED\xA0\x80 x\xED\xB0\x80 \xED\xA0\x80 x\xED\xB0\x80\n", 12),
        (b"pair \xED\xA0\xBE\xED\xB6\x80 and \xED\xA0\x80\n", 9),
    ] {
        let check = Scene::new("check", &[("text", text)]).run(&["text"]);
        assert!(check.code == 1 && check.err.lines().count() == 1, "{check:?}");
        let repair = Scene::new("repair", &[("text", text)]);
        let err = format!("text:1:6: byte 5: first of {replaced} replacements\n");
        assert_eq!(repair.run(&["--in-place", "text"]), expect(1, "", &err));
        assert_eq!(repair.content("text"), String::from_utf8_lossy(text).as_bytes());
        repair.add("text", &[b"kept\n", text].concat());
        assert_eq!(repair.run(&["--drop-lines", "--in-place", "text"]).code, 1);
        assert_eq!(repair.content("text"), b"kept\n");
    }
}
