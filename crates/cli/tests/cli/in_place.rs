//! `--in-place`: nothing is lost, whatever is named, found, interrupted, or changed meanwhile.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use xattr::FileExt as _;

use crate::scene::{Ran, Scene, expect, utf16le};

fn convert(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("convert", files)
}

fn repair(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("repair", files)
}

fn skipped(why: &str) {
    println!("skipped: {why}");
}

/// What changes if a file is written.
fn identity(scene: &Scene, name: &str) -> (u64, i64, i64, u64) {
    let metadata = fs::metadata(scene.path(name)).expect("the file is there");
    (metadata.ino(), metadata.mtime(), metadata.mtime_nsec(), metadata.size())
}

#[test]
fn a_second_run_leaves_backups_and_clean_files_alone() {
    let scene = repair(&[("d/a.log", b"a\xFF"), ("d/b.log", b"b"), ("d/odd~", b"\xFE")]);
    let first = scene.run(&["-q", "--in-place=~", "d/a.log", "d/b.log"]);
    assert_eq!(first, expect(1, b"", ""));
    let left = "runecast: 1 file is a backup (NAME~) and was left unchanged\n";
    // As a pattern of the shell would have it, and below a directory.
    let names = ["--in-place=~", "d/a.log", "d/a.log~", "d/b.log"];
    assert_eq!(scene.run(&names), expect(0, b"", left));
    assert_eq!(scene.run(&[&["-q"], &names[..]].concat()), expect(0, b"", ""));
    let below = scene.run(&["-r", "--in-place=~", "d"]);
    assert_eq!((below.code, below.err.lines().last()), (1, left.strip_suffix('\n')), "{below:?}");
    assert_eq!(scene.content("d/a.log~"), b"a\xFF");
    assert_eq!(scene.content("d/odd~~"), b"\xFE", "it is a backup of nothing");
    assert!(!scene.path("d/a.log~~").exists());
    // Without that suffix it is a file like any other.
    assert_eq!(scene.run(&["-q", "--in-place=.x", "d/a.log~"]).code, 1);
    assert_eq!(scene.content("d/a.log~"), "a\u{FFFD}".as_bytes());
}

#[test]
fn nothing_to_change_is_nothing_written() {
    let long = b"ASCII everywhere ".repeat(100_000);
    let scene = convert(&[("long", &long), ("mark", b"\xEF\xBB\xBFa"), ("empty", b""), ("long.bak", b"old")]);
    let before = |name| identity(&scene, name);
    let [long, mark, empty] = ["long", "mark", "empty"].map(before);
    assert_eq!(scene.run(&["-f", "latin1", "--in-place=.bak", "long", "empty"]), expect(0, b"", ""));
    assert_eq!(scene.run(&["--bom", "add", "--in-place", "mark"]), expect(0, b"", ""));
    assert_eq!(scene.run(&["--in-place", "-v", "mark"]), expect(0, b"", "mark: nothing to change\n"));
    assert_eq!(["long", "mark", "empty"].map(before), [long, mark, empty]);
    assert_eq!(scene.names(), ["empty", "long", "long.bak", "mark"]);
    // But where something is to be written, it is.
    assert_eq!(scene.run(&["--bom", "strip", "--in-place", "mark"]).code, 0);
    assert_eq!(scene.content("mark"), b"a");
    let late = [&b"same ".repeat(200_000)[..], b"\xE9 and more"].concat();
    scene.add("late", &late);
    assert_eq!(scene.run(&["-f", "latin1", "--in-place", "late"]), expect(0, b"", ""));
    let expected: String = late.iter().map(|byte| char::from(*byte)).collect();
    assert!(scene.content("late") == expected.into_bytes());
}

#[test]
fn a_file_is_converted_once_however_it_is_reached() {
    let scene = convert(&[("a", b"\xE9"), ("d/x", b"\xE9"), ("d/y", b"\xFF")]);
    symlink("a", scene.path("link")).expect("a link");
    let arguments = ["-f", "latin1", "--in-place", "a", "a", "./a", "link", "-r", "d", "d/x", "d"];
    assert_eq!(scene.run(&arguments), expect(0, b"", ""));
    assert_eq!(["a", "d/x", "d/y"].map(|name| scene.content(name)), ["é", "é", "ÿ"].map(Vec::from));
    // What is wrong with it is said once, too.
    scene.add("bad", b"\xFF");
    assert_eq!(scene.run(&["--in-place", "bad", "./bad"]).err.lines().count(), 1);
}

#[test]
fn other_names_of_a_file_are_said_to_keep_the_old_text() {
    let scene = convert(&[("a", b"\xE9")]);
    fs::hard_link(scene.path("a"), scene.path("b")).expect("a link");
    let said = "runecast: a: has other names (hard links), which keep the old text\n";
    assert_eq!(scene.run(&["-f", "latin1", "--in-place", "a"]), expect(0, b"", said));
    assert_eq!((scene.content("a"), scene.content("b")), ("é".into(), b"\xE9".to_vec()));
    // Each of them may be named.
    fs::hard_link(scene.path("b"), scene.path("c")).expect("a link");
    assert_eq!(scene.run(&["-q", "-f", "latin1", "--in-place", "b", "c"]), expect(0, b"", ""));
    assert_eq!(["b", "c"].map(|name| scene.content(name)), ["é", "é"].map(Vec::from));
}

#[test]
fn attributes_are_kept() {
    let scene = convert(&[("a", b"\xE9")]);
    let file = fs::File::open(scene.path("a")).expect("the file");
    if file.set_xattr("user.origin", b"here").is_err() {
        return skipped("no extended attributes in this file system");
    }
    assert_eq!(scene.run(&["-f", "latin1", "--in-place", "a"]), expect(0, b"", ""));
    let kept = xattr::get(scene.path("a"), "user.origin").expect("attributes are there");
    assert_eq!((scene.content("a"), kept), ("é".into(), Some(b"here".to_vec())));
}

#[test]
fn who_may_not_write_a_file_does_not_replace_it() {
    // A directory where anybody may make files.
    let directory = std::env::temp_dir();
    let scene = convert(&[("d/theirs", b"\xE9")]);
    let mode = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("our own file");
    };
    mode(scene.directory.path(), 0o755);
    mode(&scene.path("d"), 0o777);
    mode(&scene.path("d/theirs"), 0o644);
    let nobody = |tool: &str, arguments: &[&str]| {
        Command::new("setpriv")
            .args(["--reuid", "65534", "--regid", "65534", "--clear-groups", tool])
            .args(arguments)
            .current_dir(scene.directory.path())
            .output()
    };
    let tool = directory.join(format!("runecast-test-{}", std::process::id()));
    if fs::copy(env!("CARGO_BIN_EXE_runecast"), &tool).is_err() {
        return skipped("no place for a copy of the tool");
    }
    mode(&tool, 0o755);
    let ran = nobody(&tool.to_string_lossy(), &["convert", "-f", "latin1", "--in-place", "d/theirs"]);
    fs::remove_file(&tool).expect("our own file");
    let Ok(output) = ran else { return skipped("no setpriv") };
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    if err.contains("setpriv") {
        return skipped("only root may become nobody");
    }
    assert_eq!(
        (output.status.code(), err.as_str()),
        (Some(2), "runecast: d/theirs: you have no permission to write to it\n")
    );
    assert_eq!(scene.content("d/theirs"), b"\xE9");
    assert_eq!(fs::read_dir(scene.path("d")).expect("a directory").count(), 1);
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is part of POSIX").success());
}

/// A temporary file of the tool in a directory.
fn temporary(scene: &Scene) -> Option<String> {
    scene.names().into_iter().find(|name| name.starts_with(".runecast-"))
}

/// The tool, stopped while it writes in place; or what it was, if it was too quick.
fn stopped(scene: &Scene, arguments: &[&str]) -> Child {
    let mut child = scene.process(arguments).spawn().expect("the tool starts");
    while temporary(scene).is_none() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    send(&child, "-STOP");
    child
}

/// A file that is long enough to be caught at it.
fn big(scene: &Scene) {
    scene.add("big", b"\xE9");
    let file = fs::OpenOptions::new().write(true).open(scene.path("big")).expect("the file");
    file.set_len(64 * 1024 * 1024).expect("a file with a hole");
}

#[test]
fn a_file_that_changes_meanwhile_is_left_as_it_is() {
    for change in ["append", "replace"] {
        let scene = convert(&[("new", b"new")]);
        big(&scene);
        let child = stopped(&scene, &["convert", "-f", "latin1", "--in-place=~", "big"]);
        assert!(temporary(&scene).is_some(), "it was too quick");
        if change == "append" {
            let log = fs::OpenOptions::new().append(true).open(scene.path("big"));
            log.expect("the file").write_all(b"a line").expect("the file grows");
        } else {
            fs::rename(scene.path("new"), scene.path("big")).expect("the file is replaced");
        }
        let before = identity(&scene, "big");
        send(&child, "-CONT");
        let output = child.wait_with_output().expect("the tool ends");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let said = "runecast: big: was changed by another program in the meantime, and was not replaced\n";
        assert_eq!((output.status.code(), err.as_str()), (Some(2), said), "{change}");
        assert_eq!(identity(&scene, "big"), before, "{change}");
        assert!(temporary(&scene).is_none() && !scene.path("big~").exists(), "{:?}", scene.names());
    }
}

#[test]
fn leftovers_of_a_killed_run_are_removed_and_nothing_else() {
    let scene = convert(&[]);
    big(&scene);
    let mut child = stopped(&scene, &["convert", "-f", "latin1", "--in-place", "big"]);
    let leftover = temporary(&scene).expect("it was too quick");
    send(&child, "-KILL");
    child.wait().expect("it is killed");
    assert_eq!(temporary(&scene), Some(leftover.clone()), "nobody can clean up after that");

    let others =
        [".runecast-", ".runecast-notes", ".runecast-abcdefghijkl", ".runecast-abc-efghijkl.partial"];
    others.iter().for_each(|name| scene.add(name, b"of the user"));
    scene.add(".runecast-busybusybusy.partial", b"of another run");
    let busy = fs::File::open(scene.path(".runecast-busybusybusy.partial")).expect("the file");
    busy.try_lock().expect("a file that nobody else knows");
    symlink("small", scene.path(".runecast-linklinklink.partial")).expect("a link");
    scene.add("small", b"\xE9");
    assert_eq!(scene.run(&["-f", "latin1", "--in-place", "small"]), expect(0, b"", ""));
    let names = scene.names();
    assert!(!names.contains(&leftover), "{names:?}");
    assert_eq!(
        names.iter().filter(|name| name.starts_with(".runecast-")).count(),
        others.len() + 2,
        "{names:?}"
    );
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let scene = convert(&[]);
    big(&scene);
    let line = r#"trap "" HUP; exec "$0" convert -f latin1 --in-place big"#;
    let mut child = Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_runecast")])
        .current_dir(scene.directory.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("a shell");
    while temporary(&scene).is_none() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    send(&child, "-HUP");
    let status = child.wait().expect("it ends");
    if !fs::exists("/proc/self/status").unwrap_or(false) {
        return skipped("this system does not say what is ignored");
    }
    assert_eq!((status.code(), status.signal()), (Some(0), None));
    assert_eq!(&scene.content("big")[..2], "é".as_bytes());
}

#[test]
fn an_input_that_cannot_be_read_keeps_no_other_from_being_worked_on() {
    for scene in
        [convert(&[("good", b"good"), ("fine", b"fine")]), repair(&[("good", b"good"), ("fine", b"fine")])]
    {
        let Ran { code, out, err } = scene.run(&["missing", "good", "gone", "fine"]);
        assert_eq!((code, out.as_slice(), err.lines().count()), (2, &b"goodfine"[..], 2), "{err}");
        // A file would lack something: it is what it was, and the rest is looked at all the same.
        scene.add("bad", b"\xFF");
        scene.add("out", b"old");
        let Ran { code, err, .. } = scene.run(&["missing", "bad", "-o", "out"]);
        assert_eq!((code, err.lines().count(), scene.content("out")), (2, 2, b"old".to_vec()), "{err}");
        let ran = scene.run(&["missing", "-t", "utf-16le", "--in-place", "good"]);
        assert_eq!((ran.code, scene.content("good")), (2, utf16le("good")));
    }
}

#[test]
fn any_number_of_threads_will_do() {
    let text = "naïve ".repeat(400_000);
    let scene = convert(&[("long", text.as_bytes())]);
    let ran = scene.run(&["-j", "100000", "long"]);
    assert!(ran == expect(0, text.as_bytes(), ""), "{} {}", ran.code, ran.err);
}

#[test]
fn a_rehearsal_shows_what_would_change_and_changes_nothing() {
    let scene = convert(&[("a", b"one\ncaf\xE9 \x1B[31m\n"), ("same", b"plain"), ("wide", b"ab")]);
    let before = ["a", "same", "wide"].map(|name| identity(&scene, name));
    let ran = scene.run(&["-f", "latin1", "--in-place=~", "--dry-run", "a", "same"]);
    let shown = "a: would be converted\n  -2: caf\\xE9 \\x1B[31m\n  +2: café \\x1B[31m\n";
    assert_eq!(ran, expect(0, shown, ""));
    let ran = scene.run(&["-t", "utf-16le", "--in-place", "--dry-run", "wide"]);
    assert_eq!(ran, expect(0, "wide: would be converted\n  -1: ab\n  +1: a\\x00b\\x00\n", ""));
    let damaged = repair(&[("log", &b"\xFF\n".repeat(20))]);
    let ran = damaged.run(&["--in-place", "--dry-run", "log"]);
    let lines: Vec<_> = ran.text().lines().collect();
    assert_eq!((ran.code, lines.len()), (1, 12), "{lines:?}");
    assert_eq!(lines[..3], ["log: would be repaired", "  -1: \\xFF", "  +1: \u{FFFD}"]);
    assert_eq!(lines[11], "  … and 15 more lines");
    assert_eq!(damaged.content("log"), b"\xFF\n".repeat(20));
    assert_eq!(["a", "same", "wide"].map(|name| identity(&scene, name)), before);
    assert_eq!(scene.names(), ["a", "same", "wide"]);
    assert_eq!(scene.run(&["--dry-run", "a"]).code, 2, "there is nothing to rehearse");
    // By a table.
    let ran = scene.run(&["-f", "windows-1252", "--in-place", "--dry-run", "a", "same"]);
    assert_eq!(ran, expect(0, shown, ""));
    // What would be refused is refused now.
    scene.add("a~", b"older");
    let refused = scene.run(&["-f", "latin1", "--in-place=~", "a"]);
    assert_eq!((refused.code, &scene.content("a~")[..]), (2, &b"older"[..]));
    assert_eq!(scene.run(&["-f", "latin1", "--in-place=~", "--dry-run", "a"]), refused);
}

/// To open a named pipe is to wait, and nobody comes.
#[test]
fn what_is_no_regular_file_is_refused_before_it_is_opened() {
    for (scene, options) in [
        (convert(&[("a", b"\xE9")]), &["-f", "latin1"][..]),
        (repair(&[("a", b"\xE9")]), &[]),
        (repair(&[("a", b"\xE9")]), &["--drop-lines"]),
        (repair(&[("a", b"Caf\xC3\x83\xC2\xA9")]), &["--mojibake"]),
    ] {
        let made = Command::new("mkfifo").arg(scene.path("pipe")).status();
        assert!(made.expect("mkfifo is part of POSIX").success());
        let before = scene.content("a");
        let said = "runecast: pipe: is not a regular file, and --in-place needs one\n";
        let ran = scene.run(&[options, &["-q", "--in-place", "pipe", "a"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (2, ""), "{options:?}");
        assert_ne!(scene.content("a"), before);
        let ran = scene.run(&[options, &["--in-place", "--dry-run", "pipe"]].concat());
        assert_eq!(ran, expect(2, "", said), "{options:?}");
        let ran = scene.run(&[options, &["--in-place", "--format", "json", "pipe", "/dev/null"]].concat());
        assert_eq!((ran.code, ran.objects().len()), (2, 2), "{ran:?}");
    }
}
