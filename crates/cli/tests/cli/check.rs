//! `runecast check`, end to end.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::scene::{Ran, Scene, expect, ran};

const CAFE: &[u8] = b"caf\xE9 noir\n";
const CAFE_REASON: &str =
    "truncated [E9 20] E9 begins a character of 3 bytes, but 20 follows, which is no continuation byte";

fn scene(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("check", files)
}

#[test]
fn well_formed_files_are_worth_no_words() {
    let scene = scene(&[("a", "Grüße, 世界 🦀\n".as_bytes()), ("empty", b"")]);
    assert_eq!(scene.run(&["a", "empty"]), expect(0, "", ""));
    assert_eq!(
        scene.run(&["-v", "a", "empty"]),
        expect(0, "", "a: well-formed\nempty: well-formed\n2 inputs, 21 B read: well-formed\n")
    );
}

#[test]
fn an_error_is_one_line_that_editors_can_follow() {
    let scene = scene(&[("bad", CAFE), ("later", b"one\n\xC3\xA4\xC3\xA4\xED\xA0\x80\xFF")]);
    assert_eq!(scene.run(&["bad"]), expect(1, "", &format!("bad:1:4: byte 3: {CAFE_REASON}\n")));
    assert_eq!(
        scene.run(&["later"]),
        expect(
            1,
            "",
            "later:2:3: byte 8: surrogate [ED A0] ED A0 begins a surrogate (U+D800..U+DFFF), \
             which is no character: after ED only 80..9F may follow\n"
        )
    );
}

#[test]
fn the_end_of_the_input_may_be_the_error() {
    let scene = scene(&[("cut", b"one\ntwo \xF0\x9F\xA6")]);
    let sentence = "incomplete [F0 9F A6] F0 9F A6 begins a character of 4 bytes, but the input ends here\n";
    assert_eq!(scene.run(&["cut"]), expect(1, "", &format!("cut:2:5: byte 8: {sentence}")));
    assert_eq!(
        scene.feed(&[], b"one\ntwo \xF0\x9F\xA6"),
        expect(1, "", &format!("<stdin>:2:5: byte 8: {sentence}"))
    );
}

#[test]
fn standard_input_is_read_when_asked_or_when_nothing_is_named() {
    let scene = scene(&[("good", b"good")]);
    assert_eq!(scene.feed(&[], "naïve".as_bytes()), expect(0, "", ""));
    let line = format!("<stdin>:1:4: byte 3: {CAFE_REASON}\n");
    assert_eq!(scene.feed(&[], CAFE), expect(1, "", &line));
    assert_eq!(scene.feed(&["good", "-"], CAFE), expect(1, "", &line));
    assert_eq!(scene.feed(&["-l", "-"], CAFE), expect(1, "-\n", ""));
}

#[test]
fn what_cannot_be_read_does_not_stop_the_others() {
    let scene = scene(&[("bad", CAFE), ("dir/bad", CAFE)]);
    let bad = format!("bad:1:4: byte 3: {CAFE_REASON}\n");
    assert_eq!(
        scene.run(&["dir", "bad"]),
        expect(2, "", &format!("runecast: dir: is a directory; -r reads the files below it\n{bad}"))
    );
    let missing = scene.run(&["missing", "bad"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.starts_with("runecast: missing: "), "{missing:?}");
    assert!(missing.err.ends_with(&bad), "{missing:?}");
    assert!(!missing.err.contains("os error"), "{missing:?}");
}

#[test]
fn directories_are_read_in_the_order_of_names() {
    let scene = scene(&[
        ("tree/b/2", b"\xFF"),
        ("tree/b/1", b"\xFF"),
        ("tree/a", b"\xFF"),
        ("tree/c", b"fine"),
        ("tree/.hidden", b"\xFF"),
    ]);
    let names = ["tree/.hidden", "tree/a", "tree/b/1", "tree/b/2"];
    let list = scene.run(&["-r", "--hidden", "-l", "tree"]).text().replace('\\', "/");
    assert_eq!(list.lines().collect::<Vec<_>>(), names);
    let report = scene.run(&["-r", "--hidden", "tree"]);
    assert_eq!((report.code, report.err.lines().count()), (1, 4));
    assert_eq!(scene.run(&["--recursive", "tree/c"]).code, 0, "-r does not mind a file");
}

#[test]
fn all_errors_are_shown_up_to_a_limit() {
    let scene = scene(&[("bad", &b"ok \xFF\n".repeat(250)), ("dense", &[0x80; 3000])]);
    let all = scene.run(&["--all", "-f", "utf-8", "bad"]);
    let lines: Vec<_> = all.err.lines().collect();
    assert_eq!((all.code, lines.len()), (1, 101));
    assert_eq!(lines[99], "bad:100:4: byte 498: invalid lead [FF] no character of Unicode begins with FF");
    assert_eq!(lines[100], "bad: … and 150 more");

    assert_eq!(scene.run(&["-f", "utf-8", "-a", "--limit", "0", "bad"]).err.lines().count(), 250);
    assert_eq!(scene.run(&["-f", "utf-8", "-a", "--limit", "250", "bad"]).err.lines().count(), 250);
    assert_eq!(
        scene.run(&["-f", "utf-8", "-a", "--limit", "249", "bad"]).err.lines().last(),
        Some("bad: … and 1 more")
    );
    assert!(scene.run(&["-a", "--limit", "0", "dense"]).err.contains("dense:1:3000: byte 2999: "));
    assert_eq!(scene.run(&["--limit", "3", "bad"]).code, 2, "a limit of what?");
}

#[test]
fn quiet_is_quiet() {
    let scene = scene(&[("good", b"good"), ("bad", CAFE)]);
    assert_eq!(scene.run(&["-q", "good"]), expect(0, "", ""));
    assert_eq!(scene.run(&["-q", "bad", "good"]), expect(1, "", ""));
    assert_eq!(scene.run(&["-q", "bad", "missing", "good"]), expect(2, "", ""));
}

#[test]
fn lists_hold_names_and_nothing_else() {
    let scene = scene(&[("good", b"good"), ("bad", CAFE), ("worse", b"\xFF")]);
    assert_eq!(scene.run(&["-l", "worse", "good", "bad"]), expect(1, "worse\nbad\n", ""));
    assert_eq!(scene.run(&["-l0", "worse", "good", "bad"]), expect(1, "worse\0bad\0", ""));
    assert_eq!(scene.run(&["-l", "good"]), expect(0, "", ""));
}

#[test]
fn contradictions_are_refused() {
    let scene = scene(&[("good", b"good")]);
    for arguments in [
        &["-q", "-v"][..],
        &["-q", "--stats"],
        &["-q", "--format", "json"],
        &["-l", "--all"],
        &["-l", "--format", "json"],
        &["-0"],
        &["--format", "xml"],
        &["--frobnicate"],
    ] {
        let ran = ran(scene.tool().args(arguments).arg("good"));
        assert_eq!((ran.code, ran.text()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{ran:?}");
    }
}

#[test]
fn json_has_an_object_for_every_input() {
    let scene = scene(&[("good", b"good"), ("bad", b"a\xE9 b\n\x80"), ("\u{e4}", b"")]);
    let ran = scene.run(&["--format", "json", "--all", "good", "bad", "missing", "\u{e4}"]);
    assert_eq!(ran.code, 2);
    let objects = ran.objects();
    assert_eq!(objects.len(), 4);
    for object in &objects {
        assert_eq!((&object["schema"], &object["command"]), (&Value::from(1), &Value::from("check")));
    }
    let [good, bad, missing, umlaut] = &objects[..] else { unreachable!() };

    assert_eq!((&good["path"], &good["status"]), (&Value::from("good"), &Value::from("well-formed")));
    assert_eq!((&good["errors"], &good["bytes_read"]), (&serde_json::json!([]), &Value::from(4)));
    assert_eq!(good.get("stats"), None);

    assert_eq!((&bad["status"], &bad["found"], &bad["more"]), (&"ill-formed".into(), &2.into(), &0.into()));
    let first = serde_json::json!({
        "at": 1, "len": 1, "kind": "truncated", "bytes": [0xE9, 0x20], "line": 1, "column": 2,
        "reason": "E9 begins a character of 3 bytes, but 20 follows, which is no continuation byte",
    });
    assert_eq!(bad["errors"][0], first);
    assert_eq!((&bad["errors"][1]["line"], &bad["errors"][1]["column"]), (&2.into(), &1.into()));

    assert_eq!(missing["status"], "unreadable");
    assert!(missing["reason"].is_string());
    assert_eq!((&umlaut["path"], umlaut.get("path_hex")), (&"\u{e4}".into(), None));
}

#[test]
fn json_keeps_to_the_limit() {
    let scene = scene(&[("bad", &b"\xFF\n".repeat(30))]);
    let ran = scene.run(&["--format", "json", "--all", "--limit", "7", "bad"]);
    let object = &ran.objects()[0];
    assert_eq!(object["errors"].as_array().map(Vec::len), Some(7));
    assert_eq!((&object["found"], &object["more"]), (&30.into(), &23.into()));

    let first = &scene.run(&["--format", "json", "bad"]).objects()[0];
    assert_eq!((first["errors"].as_array().map(Vec::len), &first["found"]), (Some(1), &1.into()));
}

#[test]
fn statistics_count_characters() {
    let text = "aé漢🦀\n".repeat(20_000);
    let scene = scene(&[("text", text.as_bytes()), ("bad", b"\xFFab\xFF")]);
    let ran = scene.run(&["--stats", "text", "bad"]);
    assert_eq!(ran.code, 1);
    for line in ["text\n  size                 220,000 bytes\n", "    1 byte              40,000  40.00 %\n"]
    {
        assert!(ran.text().contains(line), "{}", ran.text());
    }
    assert!(ran.text().contains("2 inputs\n"), "{}", ran.text());
    assert_eq!(ran.err.lines().count(), 1, "the first error only: {}", ran.err);

    let objects = scene.run(&["--stats", "--format", "json", "text", "bad"]).objects();
    assert_eq!(objects[0]["stats"]["by_length"], serde_json::json!([40_000, 20_000, 20_000, 20_000]));
    assert!(objects[0]["stats"]["validation_gb_per_s"].is_f64());
    assert_eq!((&objects[1]["found"], &objects[1]["stats"]["characters"]), (&2.into(), &2.into()));
}

#[test]
fn a_late_error_in_a_big_file_has_the_right_place() {
    // Lines of 16 characters in 19 bytes, so that no chunk ends where a line does.
    let mut text = "0123456789äöü..\n".repeat(400_000).into_bytes();
    let at = text.len() + 3;
    text.extend_from_slice("äx\u{0}".as_bytes());
    text.truncate(at);
    text.extend_from_slice(b"\xF4\x90\n");
    let scene = scene(&[("big", &text)]);
    let place = format!("400001:3: byte {at}: above U+10FFFF [F4 90] F4 90 begins a code point above");
    let file = scene.run(&["big"]);
    assert!(file.err.starts_with(&format!("big:{place}")), "{file:?}");
    let piped = scene.feed(&["-"], &text);
    assert!(piped.err.starts_with(&format!("<stdin>:{place}")), "{piped:?}");
}

#[test]
fn colours_come_only_when_called() {
    let scene = scene(&[("bad", CAFE)]);
    assert!(!scene.run(&["bad"]).err.contains('\x1B'));
    assert!(scene.run(&["--color", "always", "bad"]).err.contains('\x1B'));
    assert!(!scene.run(&["--color", "never", "bad"]).err.contains('\x1B'));
}

#[test]
fn help_teaches() {
    let scene = scene(&[]);
    let help = scene.run(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    for word in ["Examples:", "FILE:LINE:COLUMN", "Exit codes:", "--recursive"] {
        assert!(help.text().contains(word), "{word}");
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::process::Command as Process;
    use std::thread;

    use super::*;

    // Other file systems refuse names that are no UTF-8.
    #[cfg(target_os = "linux")]
    #[test]
    fn names_never_reach_the_terminal_raw() {
        let scene = scene(&[]);
        let name = OsStr::from_bytes(b"a\x1B[31m\n\xE9\xC2\x9B");
        scene.add(name, b"\xFF");
        let ran1 = ran(scene.tool().arg(name));
        assert_eq!(
            ran1.err,
            "a\\x1B[31m\\n\\xE9\\u{009B}:1:1: byte 0: invalid lead [FF] \
             no character of Unicode begins with FF\n"
        );
        let missing = ran(scene.tool().arg(OsStr::from_bytes(b"b\x07\xFF")));
        assert!(missing.err.starts_with("runecast: b\\x07\\xFF: "), "{missing:?}");

        // In a pipe the list is for programs, and has the bytes as they are.
        let list = scene.tool().args(["-l", "-0"]).arg(name).output().expect("the tool starts");
        assert_eq!(list.stdout, b"a\x1B[31m\n\xE9\xC2\x9B\0");

        let object = &ran(scene.tool().args(["--format", "json"]).arg(name)).objects()[0];
        assert_eq!(object["path"], "a\u{1b}[31m\n\u{FFFD}\u{9b}");
        assert_eq!(object["path_hex"], "611B5B33316D0AE9C29B");
    }

    #[test]
    fn a_named_pipe_is_read_as_it_is_written() {
        let scene = scene(&[]);
        let fifo = scene.path("fifo");
        let made = Process::new("mkfifo").arg(&fifo).status().expect("mkfifo is part of POSIX");
        assert!(made.success());
        let writer = thread::spawn(move || {
            let mut to = fs::OpenOptions::new().write(true).open(fifo).expect("a pipe");
            for piece in [&b"one\n\xE6"[..], b"\xBC", b"\xA2 and \xE6\xBC", b"x\n"] {
                to.write_all(piece).expect("a reader");
                thread::sleep(std::time::Duration::from_millis(20));
            }
        });
        let ran = scene.run(&["fifo"]);
        writer.join().expect("the writer ends");
        assert_eq!(ran.code, 1);
        assert!(ran.err.starts_with("fifo:2:7: byte 12: truncated [E6 BC 78] "), "{ran:?}");
    }

    #[test]
    fn inside_a_directory_pipes_and_links_are_passed_over() {
        let scene = scene(&[("tree/file", b"fine"), ("bad", CAFE)]);
        let made = Process::new("mkfifo").arg(scene.path("tree/fifo")).status();
        assert!(made.expect("mkfifo is part of POSIX").success());
        std::os::unix::fs::symlink("../bad", scene.path("tree/link")).expect("a link");
        std::os::unix::fs::symlink(".", scene.path("tree/loop")).expect("a link");
        assert_eq!(scene.run(&["-r", "tree"]), expect(0, "", ""));
        assert_eq!(scene.run(&["tree/link"]).code, 1, "a link that is named is followed");
    }

    #[test]
    fn a_closed_pipe_ends_the_work_without_noise() {
        let scene = scene(&[("bad", CAFE)]);
        let mut tool =
            scene.process(&["check", "-l"]).args(["bad"; 20_000]).spawn().expect("the tool starts");
        drop(tool.stdout.take());
        let output = tool.wait_with_output().expect("the tool ends");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }

    #[test]
    fn a_full_disk_is_no_success() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let scene = scene(&[("bad", CAFE)]);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let output = scene.process(&["check", "-l", "bad"]).stdout(full).output().expect("the tool starts");
        assert_eq!(output.status.code(), Some(2));
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.starts_with("runecast: cannot write the output: "), "{err}");
    }

    #[test]
    fn devices_are_inputs_too() {
        let scene = scene(&[]);
        assert_eq!(scene.run(&["/dev/null"]), expect(0, "", ""));
    }
}

#[test]
fn github_shows_errors_beside_their_lines() {
    let scene =
        Scene::new("check", &[("a,b:c%.txt", b"one\ntw\xFF\xE9 o\n"), ("good", b"good"), ("old", b"\x81")]);
    let first = "::error file=a%2Cb%3Ac%25.txt,line=2,col=3,title=invalid lead::\
                 byte 6: FF: no character of Unicode begins with FF\n";
    let second = "::error file=a%2Cb%3Ac%25.txt,line=2,col=4,title=truncated::byte 7: E9 20: \
                  E9 begins a character of 3 bytes, but 20 follows, which is no continuation byte\n";
    let run = |arguments: &[&str]| scene.run(&[&["--format", "github"], arguments].concat());
    assert_eq!(run(&["a,b:c%.txt", "good"]), expect(1, first, ""));
    assert_eq!(run(&["--all", "a,b:c%.txt"]), expect(1, [first, second].concat(), ""));
    assert_eq!(run(&["good"]), expect(0, "", ""));
    assert_eq!(
        run(&["-r", "."]).out,
        [
            first,
            "::error file=old,line=1,col=1,title=unexpected continuation::byte 0: 81: \
        81 is a continuation byte, but no character is open\n"
        ]
        .concat()
        .as_bytes()
    );
    let ran = run(&["-f", "shift_jis", "old"]);
    let said =
        "::error file=old,line=1,col=1,title=malformed::byte 0: 81: this byte is no character of Shift_JIS\n";
    assert_eq!(ran, expect(1, said, ""));
    let Ran { code, out, err } = run(&["missing"]);
    assert_eq!(code, 2);
    assert!(
        out.starts_with(b"::error file=missing,title=unreadable::") && err.starts_with("runecast: missing: ")
    );
    let ran = scene.feed(&["--format", "github"], b"\xFF");
    let said =
        "::error line=1,col=1,title=invalid lead::byte 0: FF: no character of Unicode begins with FF\n";
    assert_eq!(ran, expect(1, said, ""));
    for arguments in [["-l"], ["-s"], ["-q"]] {
        assert_eq!(run(&arguments).code, 2);
    }
}
