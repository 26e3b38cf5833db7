//! Which files are read, and how names and arguments are shown, by every command.

use std::process::Command;

use crate::scene::{Scene, expect};

fn check(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("check", files)
}

/// The names that `check -l` prints: of files that are ill-formed.
fn listed(scene: &Scene, arguments: &[&str]) -> Vec<String> {
    let ran = scene.run(&[&["-l", "-r"], arguments].concat());
    assert_eq!(ran.err, "", "{arguments:?}");
    ran.text().lines().map(str::to_owned).collect()
}

#[test]
fn below_a_directory_texts_are_read_that_belong_there() {
    let scene = check(&[
        ("d/a.txt", b"\xFF"),
        ("d/b.log", b"\xFF"),
        ("d/.hidden", b"\xFF"),
        ("d/.git/config", b"\xFF"),
        ("d/target/c.txt", b"\xFF"),
        ("d/sub/d.txt", b"\xFF"),
        ("d/sub/picture", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x01\0\0"),
        ("d/.ignore", b"target\n"),
    ]);
    let usual = ["d/a.txt", "d/b.log", "d/sub/d.txt"];
    assert_eq!(listed(&scene, &["d"]), usual);
    assert_eq!(listed(&scene, &["--binary", "d"]), ["d/a.txt", "d/b.log", "d/sub/d.txt", "d/sub/picture"]);
    let hidden = ["d/.git/config", "d/.hidden", "d/a.txt", "d/b.log", "d/sub/d.txt"];
    assert_eq!(listed(&scene, &["--hidden", "d"]), hidden);
    let all = ["d/a.txt", "d/b.log", "d/sub/d.txt", "d/target/c.txt"];
    assert_eq!(listed(&scene, &["--no-ignore", "d"]), all);
    assert_eq!(listed(&scene, &["--include", "*.txt", "d"]), ["d/a.txt", "d/sub/d.txt"]);
    assert_eq!(listed(&scene, &["--include=*.txt", "--include=*.log", "--exclude=sub", "d"]), usual[..2]);
    assert_eq!(listed(&scene, &["--exclude", "*.txt", "d"]), ["d/b.log"]);
    // What is named is read.
    assert_eq!(
        listed(&scene, &["--exclude=*", "d", "d/.hidden", "d/sub/picture"]),
        ["d/.hidden", "d/sub/picture"]
    );
    let ran = scene.run(&["-v", "-r", "d/sub", "--exclude", "d.txt"]);
    let said = "runecast: 1 file skipped: not text (--binary includes such files)\n0 inputs, 0 B read: nothing to check\n";
    assert_eq!(ran, expect(0, b"", said));
    for wrong in [&["--include", "[", "-r", "d"][..], &["--include", "*", "d"], &["--hidden", "d"]] {
        let ran = scene.run(wrong);
        assert!(ran.code == 2 && ran.err.starts_with("error: "), "{wrong:?}: {ran:?}");
    }
}

/// What would be a comment in .gitignore is a name here, and what says nothing there is refused: else all files would be taken.
#[test]
fn patterns_are_never_passed_over() {
    let scene = check(&[("d/#a", b"\xFF"), ("d/a", b"\xFF"), ("d/ ", b"\xFF"), ("d/sub/#b", b"\xFF")]);
    let all = ["d/ ", "d/#a", "d/a", "d/sub/#b"];
    assert_eq!(listed(&scene, &["d"]), all);
    assert_eq!(listed(&scene, &["--include", "#*", "d"]), ["d/#a", "d/sub/#b"]);
    assert_eq!(listed(&scene, &["--include", "!#a", "d"]), ["d/#a"]);
    assert_eq!(listed(&scene, &["--include", r"\#a", "d"]), ["d/#a"]);
    let unmatched = expect(0, "", "runecast: no file matches --include\n");
    assert_eq!(scene.run(&["-l", "-r", "--include", "# comment", "d"]), unmatched);
    assert_eq!(listed(&scene, &["--exclude", "#*", "d"]), ["d/ ", "d/a"]);
    assert_eq!(listed(&scene, &["--exclude", r"!\#a", "d"]), ["d/ ", "d/a", "d/sub/#b"]);
    assert_eq!(listed(&scene, &["--include", r"\ ", "d"]), ["d/ "]);
    for option in ["--include", "--exclude"] {
        for pattern in ["", " ", "  ", "\t", "!", "! ", "/"] {
            let ran = scene.run(&["-r", option, pattern, "d"]);
            assert!(ran.code == 2 && ran.err.contains("an empty pattern matches no name"), "{ran:?}");
        }
    }
}

#[test]
fn files_are_named_by_a_list() {
    let scene = check(&[("a", b"\xFF"), ("b c", b"\xFF"), ("good", b"")]);
    scene.add("list", b"a\0good\0b c\0");
    let all = expect(1, b"a\nb c\n", "");
    assert_eq!(scene.run(&["-l", "--files0-from", "list"]), all);
    assert_eq!(scene.feed(&["-l", "--files0-from=-"], b"a\0b c"), all);
    assert_eq!(
        scene.feed(&["-l", "--files0-from=-"], b""),
        expect(0, b"", ""),
        "no files, not standard input"
    );
    let nameless = "contains a name that is empty, or that is not valid on this system";
    for (list, said) in
        [(&b"a\0\0b c"[..], nameless), (b"\0", nameless), (b"\0\0", nameless), (b"gone\0", "gone: ")]
    {
        let ran = scene.feed(&["--files0-from=-"], list);
        assert!(ran.code == 2 && ran.err.contains(said), "{ran:?}");
    }
    // In the words of a file that is not there.
    let missing = scene.run(&["missing"]);
    assert!(missing.code == 2 && missing.err.starts_with("runecast: missing: "), "{missing:?}");
    assert_eq!(scene.run(&["--files0-from", "missing"]), missing);
    assert_eq!(scene.run(&["--files0-from", "list", "a"]).code, 2);
    let convert = Scene::new("convert", &[("a", b"\xE9"), ("list", b"a\0")]);
    assert_eq!(convert.run(&["-f", "latin1", "--in-place", "--files0-from", "list"]), expect(0, b"", ""));
    assert_eq!(convert.content("a"), "é".as_bytes());
}

#[test]
fn what_is_wrong_with_arguments_is_said_without_obeying_them() {
    let scene = check(&[]);
    let odd = "x\x1B[31m\u{9B}2J\u{202E}";
    for arguments in [
        &[&format!("--{odd}")[..]][..],
        &["--limit", odd],
        &["--format", odd],
        &["--color", odd],
        &["-f", odd],
        &["--include", &format!("[{odd}"), "-r", "."],
    ] {
        let ran = scene.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(!ran.err.contains(['\x1B', '\u{9B}', '\u{202E}']), "{arguments:?}: {ran:?}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_runecast")).arg(odd).output().expect("the tool starts");
    let err = String::from_utf8(output.stderr).expect("text");
    assert!(err.contains(r"x\x1B[31m\u{009B}2J\u{202E}"), "{err:?}");
    // A file in place of a command.
    scene.add("notes.txt", b"");
    let output = scene.process(&["notes.txt"]).output().expect("the tool starts");
    let err = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2));
    assert!(err.contains("tip: this is a file; to check it, write: runecast check notes.txt"), "{err}");
    assert!(!err.contains(['\x1B', '\u{9B}', '\u{202E}']), "{err:?}");
}

#[test]
fn json_has_nothing_that_a_terminal_obeys() {
    let name = "a\u{9B}31m\u{202E}\u{7F}\u{E0041}\u{1F980}é";
    let scene = check(&[(name, b"")]);
    let ran = scene.run(&["--format", "json", name]);
    let shown = r#""path":"a\u009B31m\u202E\u007F\uDB40\uDC41🦀é""#;
    assert!(ran.text().contains(shown), "{}", ran.text());
    assert_eq!(ran.objects()[0]["path"], name);
}

#[test]
fn of_no_input_comes_an_empty_file() {
    let scene = Scene::new("convert", &[("out", b"what was there before")]);
    std::fs::create_dir(scene.path("empty")).expect("a directory");
    assert_eq!(scene.run(&["-r", "empty", "-o", "out"]), expect(0, "", ""));
    assert_eq!(scene.content("out"), b"");
    scene.add("out", b"what was there before");
    assert_eq!(scene.run(&["-r", "missing", "-o", "out"]).code, 2);
    assert_eq!(scene.content("out"), b"what was there before");
}

#[cfg(unix)]
#[test]
fn standard_output_by_its_name_goes_on_in_its_file() {
    use std::fs::OpenOptions;

    let scene = Scene::new("convert", &[("log", b"before\n"), ("a", b"caf\xE9\n")]);
    for (name, code) in [("/dev/stdout", 0), ("log", 0), ("/dev/fd/1", 0)] {
        scene.add("log", b"before\n");
        let log = OpenOptions::new().append(true).open(scene.path("log")).expect("a file");
        let status = scene
            .process(&["convert", "-f", "latin1", "a", "-o", name])
            .stdout(log)
            .status()
            .expect("it runs");
        assert_eq!((status.code(), scene.content("log")), (Some(code), "before\ncafé\n".into()), "{name}");
    }
}

#[test]
fn directories_have_to_be_named() {
    for command in ["check", "count", "detect", "repair"] {
        let scene = Scene::new(command, &[("bad", b"\xFF")]);
        let ran = scene.run(&["-r"]);
        assert_eq!((ran.code, &ran.out[..]), (2, &b""[..]), "{command}");
        assert!(ran.err.starts_with("error: "), "{command}: {}", ran.err);
    }
}

#[test]
fn what_is_being_written_is_not_read() {
    let scene = Scene::new("convert", &[("tree/a", b"A\n"), ("tree/z/b", b"B\n")]);
    assert_eq!(scene.run(&["-r", "--hidden", "tree", "-o", "tree/z/out"]), expect(0, b"", ""));
    assert_eq!(scene.content("tree/z/out"), b"A\nB\n");
    // What a killed run has left is nothing to be read, either.
    scene.add("tree/.runecast-abcdefABCDEF.partial", b"\xFF");
    assert_eq!(scene.run(&["-r", "--hidden", "tree"]), expect(0, b"A\nB\nA\nB\n", ""));
}

/// A list on standard input has taken what there was to read.
#[test]
fn a_list_on_standard_input_cannot_name_it() {
    let scene = Scene::new("check", &[("-", b"\xFF")]);
    let ran = scene.feed(&["--files0-from", "-"], b"-\0");
    assert_eq!((ran.code, &ran.out[..]), (2, &b""[..]), "{}", ran.err);
    assert!(ran.err.contains("is read from standard input and also names it"), "{}", ran.err);
    assert_eq!(scene.feed(&["--files0-from", "-"], b"./-\0").code, 1);
}

/// Of a list of lines all names would be one, and printed as one that is not there.
#[test]
fn a_list_of_lines_is_not_one_name() {
    let scene = check(&[("a", b""), ("b", b"")]);
    let ran = scene.feed(&["--files0-from=-"], b"a\nb\n");
    let what =
        "has no NUL byte: each name must end with one, as those of `find -print0` and `git ls-files -z`";
    assert_eq!(ran, expect(2, "", &format!("runecast: <stdin>: {what}\n")));
    // A name may have a line feed, and the last one need have no NUL.
    #[cfg(unix)]
    {
        scene.add("c\nd", b"");
        assert_eq!(scene.feed(&["--files0-from=-"], b"c\nd"), expect(0, "", ""));
    }
}
