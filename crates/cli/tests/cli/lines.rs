//! `repair --drop-lines`: which lines are left out, where they go, and that all others are as they were.

use crate::scene::{Scene, expect, utf16le};
use runecast_corpus::Random;
use serde_json::json;

const MIXED: &[u8] = b"good\r\nb\xC3d\n\n\xFF\nr\xC5\xABna\nlast \xE1\x9A";

fn repair(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("repair", files)
}

#[test]
fn lines_with_errors_are_left_out() {
    let scene = repair(&[("log", MIXED), ("good", b"a\nb"), ("out", b"old")]);
    let said = "log:2: byte 7: first of 3 lines left out\n";
    let kept = "good\r\n\nrūna\n";
    assert_eq!(scene.run(&["--drop-lines", "log"]), expect(1, kept, said));
    assert_eq!(scene.run(&["--drop-lines", "--exit-zero", "log"]), expect(0, kept, said));
    assert_eq!(scene.feed(&["--drop-lines", "-q"], MIXED), expect(1, kept, ""));
    assert_eq!(scene.run(&["--drop-lines", "good"]), expect(0, "a\nb", ""));
    assert_eq!(scene.run(&["--drop-lines", "-v", "good"]).err, "good: nothing to leave out\n");
    let ran = scene.run(&["--drop-lines", "log", "good", "--rejects", "bad", "-o", "out"]);
    assert_eq!(ran, expect(1, "", said));
    assert_eq!(scene.content("out"), [kept.as_bytes(), b"a\nb"].concat());
    assert_eq!(scene.content("bad"), b"b\xC3d\n\xFF\nlast \xE1\x9A");
    let ran = scene.run(&["--drop-lines", "--format", "json", "log", "good", "-o", "out"]);
    let objects = ran.objects();
    assert_eq!((&objects[0]["dropped_lines"], &objects[0]["status"]), (&json!(3), &json!("repaired")));
    assert_eq!(objects[0]["first"], json!({ "at": 7, "line": 2 }));
    assert_eq!((&objects[1]["dropped_lines"], objects[1].get("first")), (&json!(0), None));
}

#[test]
fn files_are_replaced_only_if_a_line_is_left_out() {
    let scene = repair(&[("log", MIXED), ("good", b"a\nb")]);
    let shown = "log: would be repaired\n  -2: b\\xC3d\n  -4: \\xFF\n  -6: last \\xE1\\x9A\n";
    let said = "log:2: byte 7: first of 3 lines left out\n";
    let ran = scene.run(&["--drop-lines", "--in-place", "--dry-run", "log", "good"]);
    assert_eq!((ran, scene.content("log")), (expect(1, shown, said), MIXED.to_vec()));
    let ran = scene.run(&["--drop-lines", "--in-place=~", "log", "good", "--rejects", "bad"]);
    assert_eq!(ran, expect(1, "", said));
    assert_eq!((scene.content("log"), scene.content("log~")), ("good\r\n\nrūna\n".into(), MIXED.to_vec()));
    assert_eq!(scene.names(), ["bad", "good", "log", "log~"]);
}

#[test]
fn rejects_are_no_input_and_not_the_other_output() {
    let scene = repair(&[("log", MIXED), ("tree/log", MIXED)]);
    for arguments in [
        &["log", "--rejects", "log"][..],
        &["-r", "tree", "--rejects", "tree/bad"],
        &["log", "-o", "out", "--rejects", "out"],
        &["log", "--rejects", "no/where"],
        &["log", "--rejects", "bad", "--in-place", "--dry-run"],
        &["log", "--policy", "win32"],
        &["log", "-f", "latin1"],
    ] {
        let ran = scene.run(&[&["--drop-lines"], arguments].concat());
        assert_eq!((ran.code, &ran.out[..]), (2, &b""[..]), "{arguments:?}");
    }
    assert_eq!(scene.run(&["log", "--rejects", "bad"]).code, 2);
    assert_eq!((scene.content("log"), scene.names()), (MIXED.to_vec(), vec!["log".into(), "tree".into()]));
}

/// Lines of any length, longer than what is read at once as well.
#[test]
fn lines_may_have_any_length() {
    let mut random = Random::new(9);
    let (mut text, mut kept, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..300 {
        let most = [3, 200, 3000, 600_000][usize::from(random.per_mille(500))
            + usize::from(random.per_mille(200))
            + usize::from(random.per_mille(20))];
        let mut line = "aé漢🦀".repeat(random.below(most) / 10).into_bytes();
        if random.per_mille(300) {
            let at = random.below(line.len() + 1);
            line.insert(at, 0xFF);
        }
        line.push(b'\n');
        text.extend_from_slice(&line);
        let to = if std::str::from_utf8(&line).is_ok() { &mut kept } else { &mut left };
        to.extend_from_slice(&line);
    }
    let scene = repair(&[("text", &text)]);
    let ran = scene.run(&["--drop-lines", "--rejects", "bad", "text"]);
    assert!(ran.code == 1 && ran.out == kept && scene.content("bad") == left);
    assert!(scene.feed(&["--drop-lines", "-q"], &text).out == kept);
}

/// Nothing would be left of it, or a line here and there.
#[test]
fn a_file_in_another_encoding_is_left_as_it_is_unless_it_is_kept() {
    let russian = "Русский текст должен быть достаточно длинным, чтобы угадать.\n";
    let old: Vec<u8> = encoding_rs::WINDOWS_1251.encode(russian).0.into_owned().repeat(3);
    let old = [b"ASCII\n".to_vec(), old].concat();
    let wide = utf16le("\u{FEFF}one\ntwo\n");
    // (With a byte order mark, which utf-16le would leave in the text.)
    for (encoding, option, text) in [("windows-1251", "windows-1251", &old), ("UTF-16LE", "utf-16", &wide)] {
        let scene =
            repair(&[("old", text), ("bad", b"before"), ("good", b"\xFF\ng\xC5\xABd\nna\xC3\xAFve\n")]);
        let seems = format!("runecast: old: seems to be {encoding}, not UTF-8");
        let refused = format!(
            "{seems}, and is left unchanged; use convert -f {option} to convert it, or -f utf-8 to read it as UTF-8\n"
        );
        let in_place = ["--drop-lines", "--in-place", "old", "--rejects", "bad"];
        assert_eq!(scene.run(&in_place), expect(2, "", &refused));
        assert_eq!((&scene.content("old"), &scene.content("bad")[..]), (text, &b"before"[..]));
        assert_eq!(scene.run(&["--drop-lines", "--in-place", "--dry-run", "old"]), expect(2, "", &refused));
        // Where the text is kept it is only said.
        let hint = format!("{seems}; use convert -f {option} to convert it\n");
        let ran = scene.run(&["--drop-lines", "old"]);
        assert!(ran.code == 1 && ran.err.ends_with(&hint), "{ran:?}");
        assert_eq!(ran.err.lines().count(), 2, "{ran:?}");
        assert_eq!(scene.run(&["--drop-lines", "-q", "old"]).err, "");
        // Others are worked on all the same.
        let ran = scene.run(&["--drop-lines", "--in-place", "old", "good", "--format", "json"]);
        let objects = ran.objects();
        assert_eq!(
            (ran.code, &objects[0]["status"], &objects[1]["status"]),
            (2, &json!("failed"), &json!("repaired"))
        );
        assert_eq!((&scene.content("old"), scene.content("good")), (text, "gūd\nnaïve\n".into()));
        // Who knows better says so.
        let ran = scene.run(&["--drop-lines", "--in-place", "-f", "utf-8", "old"]);
        assert!(ran.code == 1 && !ran.err.contains("seems"), "{ran:?}");
        assert!(scene.content("old").len() < text.len());
        let ran = scene.run(&["--drop-lines", "-f", option, "bad"]);
        assert!(
            ran.code == 2
                && ran.err.starts_with("error: --drop-lines reads only UTF-8, and -f names another"),
            "{ran:?}"
        );
        scene.add("old", text);
        let ran = scene.run(&["--drop-lines", "--in-place=~", "old"]);
        assert!(ran.code == 1 && ran.err.ends_with(&hint) && scene.content("old~") == *text, "{ran:?}");
    }
}

/// A line has to fit into memory; where it does not, that is said, and nothing is left behind.
#[cfg(target_os = "linux")]
#[test]
fn a_line_that_is_longer_than_memory_is_refused() {
    let scene = repair(&[("long", b"\xFF\n")]);
    let file = std::fs::OpenOptions::new().append(true).open(scene.path("long")).expect("the file");
    file.set_len(400 << 20).expect("a file with a hole");
    let mut tool = std::process::Command::new("sh");
    tool.current_dir(scene.directory.path())
        .args(["-c", r#"ulimit -v 200000 && exec "$0" "$@""#, env!("CARGO_BIN_EXE_runecast")])
        .args(["repair", "--drop-lines", "-f", "utf-8", "--in-place", "long"]);
    let output = tool.output().expect("a shell");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*err), (Some(2), "runecast: long: out of memory\n"));
    assert_eq!(scene.names(), ["long"]);
    assert!(scene.content("long").starts_with(b"\xFF\n\0"));
}

/// What is no text is left as it is in place, and a log with damage is a log.
#[test]
fn pictures_and_programs_are_left_as_they_are() {
    let mut random = Random::new(5);
    let archive: Vec<u8> = (0..30_000).map(|_| random.below(256) as u8).collect();
    let program: Vec<u8> = (0..3_000).flat_map(|at| [0x48, 0x8B, at as u8, 0, 0, 0, b'a', 0xE8]).collect();
    let log = [&b"a line of a log\n"[..], &[0; 4096], b"caf\xE9\nna\xEFve\n", b"a line\n"].concat();
    for (option, forced) in [("--exit-zero", "repair it as UTF-8"), ("--drop-lines", "read it as UTF-8")] {
        let scene = repair(&[("archive", &archive), ("program", &program), ("log", &log)]);
        for (name, bytes) in [("archive", &archive), ("program", &program)] {
            let ran = scene.run(&[option, "--in-place", name]);
            let said = format!(
                "runecast: {name}: seems to be binary data, not text, and is left unchanged; use -f utf-8 to {forced}\n"
            );
            assert_eq!(ran, expect(2, "", &said));
            assert!(scene.content(name) == *bytes);
            let ran = scene.run(&[option, "--in-place", "-f", "utf-8", name]);
            assert!(ran.code < 2 && scene.content(name) != *bytes, "{ran:?}");
        }
        let ran = scene.run(&[option, "--in-place", "log"]);
        assert!(ran.code < 2 && scene.content("log") != log, "{ran:?}");
    }
}
