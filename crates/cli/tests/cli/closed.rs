//! Standard streams that are closed when the tool is started: what cannot be read is no empty text, and what cannot be written is said.

use std::process::{Command, Output};

use crate::scene::Scene;

/// Runs the tool in a shell that closes a stream.
fn run(scene: &Scene, closing: &str, arguments: &[&str]) -> Output {
    let mut shell = Command::new("sh");
    shell.current_dir(scene.directory.path()).args(["-c", &format!("exec \"$0\" \"$@\" {closing}")]);
    shell.arg(env!("CARGO_BIN_EXE_runecast")).args(arguments);
    shell.output().expect("POSIX has a shell")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn what_cannot_be_written_is_said() {
    let scene = Scene::new("", &[("good", b"caf\xC3\xA9\n"), ("bad", b"caf\xE9 x\n"), ("empty", b"")]);
    let writing: [&[&str]; 20] = [
        &["convert", "good"],
        &["convert", "empty"],
        &["convert", "-l"],
        &["repair", "bad"],
        &["repair", "--mojibake", "good"],
        &["repair", "--drop-lines", "bad"],
        &["repair", "--drop-lines", "--rejects", "-", "bad", "-o", "new"],
        &["convert", "good", "-o", "-"],
        &["check", "-l", "bad"],
        &["check", "--format", "json", "good"],
        &["count", "good"],
        &["detect", "good"],
        &["explain", "bad"],
        &["cpu"],
        &["man"],
        &["completions", "bash"],
        &["lab", "--remarks"],
        &["--help"],
        &["--version"],
        &["check", "-h"],
    ];
    for arguments in writing {
        let output = run(&scene, ">&-", arguments);
        let err = words(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        let said =
            err.lines().any(|line| line == "runecast: cannot write the output: standard output is closed");
        assert!(said, "{arguments:?}: {err}");
    }
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let output = run(&scene, ">&-", &["convert", "good", "-o", name]);
        let err = words(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {err}");
        assert_eq!(err, format!("runecast: {name}: standard output is closed\n"));
    }
}

#[test]
fn what_writes_nothing_needs_no_output() {
    let scene = Scene::new("", &[("good", b"caf\xC3\xA9\n"), ("bad", b"caf\xE9 x\n")]);
    for (code, arguments) in [
        (0, &["check", "good"][..]),
        (1, &["check", "bad"]),
        (0, &["check", "-l", "good"]),
        (0, &["convert", "good", "-o", "new"]),
        (1, &["repair", "bad", "--in-place=~"]),
        (0, &["detect", "-q", "good"]),
    ] {
        let output = run(&scene, ">&-", arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", words(&output.stderr));
    }
    // Nor do messages that nobody can read change what is done.
    assert_eq!(run(&scene, "2>&-", &["check", "good"]).status.code(), Some(0));
    assert_eq!(run(&scene, "2>&-", &["convert", "good"]).stdout, b"caf\xC3\xA9\n");
    // Somebody has opened this on purpose.
    for closing in [">/dev/null", "<>/dev/null >&0"] {
        assert_eq!(run(&scene, closing, &["convert", "good"]).status.code(), Some(0), "{closing}");
    }
}

#[test]
fn what_cannot_be_read_is_no_empty_text() {
    let scene = Scene::new("", &[("good", b"caf\xC3\xA9\n")]);
    for command in ["check", "convert", "repair", "count", "detect", "explain"] {
        for name in [&[][..], &["-"], &["/dev/stdin"]] {
            let output = run(&scene, "<&-", &[&[command], name].concat());
            let err = words(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command} {name:?}: {err}");
            let shown = if name == ["/dev/stdin"] { "/dev/stdin" } else { "<stdin>" };
            assert_eq!(err, format!("runecast: {shown}: standard input is closed\n"), "{command} {name:?}");
        }
    }
    let output = run(&scene, "<&-", &["check", "--files0-from=-"]);
    assert_eq!(output.status.code(), Some(2), "{}", words(&output.stderr));
    // Who reads a file needs none.
    assert_eq!(run(&scene, "<&-", &["check", "good"]).status.code(), Some(0));
}
