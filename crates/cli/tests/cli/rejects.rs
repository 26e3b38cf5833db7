//! `repair --drop-lines --rejects`: no line is lost, whatever is interrupted, full or not there.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::scene::{Ran, Scene, expect};

const BAD: &[u8] = b"good\nb\xC3d\nmore\n";

fn repair(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("repair", files)
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is part of POSIX").success());
}

/// The tool in a shell in which no file can have more than 8 or 16 KiB, as if the disk were full.
fn with_little_room(scene: &Scene, arguments: &[&str]) -> Ran {
    let output = Command::new("sh")
        .args(["-c", r#"trap "" XFSZ; ulimit -f 16; exec "$0" repair "$@""#, env!("CARGO_BIN_EXE_runecast")])
        .args(arguments)
        .current_dir(scene.directory.path())
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    Ran {
        code: output.status.code().expect("the tool is not killed"),
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Many lines of which all are left out but the last.
fn much(scene: &Scene, name: &str) -> Vec<u8> {
    let text = [&b"\xFF\xE6\xBC\xA2 left out\n".repeat(3000)[..], b"kept\n"].concat();
    scene.add(name, &text);
    text
}

#[test]
fn a_line_is_safe_before_the_file_is_replaced_that_it_came_from() {
    for signal in ["-TERM", "-KILL"] {
        let scene = repair(&[("a", BAD), ("bad", b"old")]);
        scene.add("big", b"\xFE\n");
        let big = fs::OpenOptions::new().write(true).open(scene.path("big")).expect("the file");
        big.set_len(64 << 20).expect("a file with a hole");
        let mut child = scene
            .process(&["repair", "--drop-lines", "--in-place", "a", "big", "--rejects", "bad"])
            .spawn()
            .expect("the tool starts");
        while scene.content("a") == BAD && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(100));
        }
        send(&child, "-STOP");
        assert_eq!(scene.content("a"), b"good\nmore\n");
        let kept = scene.content("bad");
        assert!(kept == b"b\xC3d\n" || kept == b"b\xC3d\n\xFE\n", "{kept:?}");
        send(&child, signal);
        send(&child, "-CONT");
        child.wait().expect("it ends");
        let kept = scene.content("bad");
        assert!(kept == b"b\xC3d\n" || kept == b"b\xC3d\n\xFE\n", "{kept:?}");
        let left = scene.names().iter().any(|name| name.starts_with(".runecast-"));
        assert!(signal == "-KILL" || !left, "{:?}", scene.names());
    }
}

/// While the tool waits for something to come out of a pipe, what came before is there.
#[test]
fn an_interruption_leaves_the_lines_of_what_was_written() {
    let scene = repair(&[("a", BAD), ("c", b"x\n\xFF\n"), ("bad", b"old")]);
    let made = Command::new("mkfifo").arg(scene.path("pipe")).status();
    assert!(made.expect("mkfifo is part of POSIX").success());
    let arguments = ["repair", "--drop-lines", "a", "c", "pipe", "--output-dir", "out", "--rejects", "bad"];
    let mut child = scene.process(&arguments).spawn().expect("the tool starts");
    while !scene.path("out/c").exists() {
        assert!(child.try_wait().expect("a child").is_none(), "it waits for the pipe");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(scene.content("bad"), b"b\xC3d\n\xFF\n");
    send(&child, "-TERM");
    child.wait().expect("it ends");
    assert_eq!((scene.content("out/a"), scene.content("out/c")), (b"good\nmore\n".to_vec(), b"x\n".to_vec()));
    assert_eq!(scene.content("bad"), b"b\xC3d\n\xFF\n");
    assert_eq!(scene.names(), ["a", "bad", "c", "out", "pipe"]);
}

#[test]
fn without_room_for_the_lines_nothing_is_replaced() {
    let scene = repair(&[("bad", b"old"), ("out", b"before")]);
    let text = much(&scene, "much");
    let options = ["--drop-lines", "much", "--rejects", "bad"];
    for further in [&["--in-place"][..], &["--in-place=~"], &["-o", "out"]] {
        let ran = with_little_room(&scene, &[&options, further].concat());
        assert_eq!((ran.code, &ran.out[..]), (2, &b""[..]), "{further:?}: {ran:?}");
        assert!(ran.err.starts_with("runecast: bad: "), "{further:?}: {ran:?}");
        assert_eq!(["much", "bad", "out"].map(|name| scene.content(name)), [&text[..], b"old", b"before"]);
        assert_eq!(scene.names(), ["bad", "much", "out"]);
    }
    // On the way to standard output, too; and where there was no such file it is not made.
    let ran = with_little_room(&scene, &options);
    assert_eq!((ran.code, scene.content("bad")), (2, b"old".to_vec()), "{ran:?}");
    fs::remove_file(scene.path("bad")).expect("our own file");
    assert_eq!(with_little_room(&scene, &options).code, 2);
    assert_eq!(scene.names(), ["much", "out"]);
}

#[test]
fn files_whose_lines_have_room_are_replaced_and_the_others_are_not() {
    let scene = repair(&[("a", BAD), ("z", b"\xFE\nlast"), ("bad", b"old")]);
    let text = much(&scene, "much");
    let ran = with_little_room(&scene, &["--drop-lines", "--in-place", "a", "much", "z", "--rejects", "bad"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("\nrunecast: bad: "), "{ran:?}");
    assert_eq!((scene.content("a"), scene.content("z")), (b"good\nmore\n".to_vec(), b"last".to_vec()));
    assert!(scene.content("much") == text);
    assert_eq!(scene.content("bad"), b"b\xC3d\n\xFE\n");
    assert_eq!(scene.names(), ["a", "bad", "much", "z"]);

    // There is room for what is collected, but not behind what is there.
    let half = b"\xFF\xE6\xBC\xA2\n".repeat(1400);
    let scene = repair(&[("1", &half), ("2", &half), ("3", &half), ("4", BAD)]);
    let ran = with_little_room(
        &scene,
        &["--drop-lines", "-q", "--in-place", "1", "2", "3", "4", "--rejects", "bad"],
    );
    assert_eq!(ran.code, 2);
    let replaced = ["1", "2", "3"].into_iter().filter(|name| scene.content(name).is_empty()).count();
    assert!((1..3).contains(&replaced), "{replaced}");
    assert!(scene.content("bad") == [&half.repeat(replaced)[..], b"b\xC3d\n"].concat());
    assert_eq!(scene.content("4"), b"good\nmore\n");
}

#[test]
fn what_is_given_up_leaves_the_lines_of_before() {
    let scene = repair(&[("a", BAD), ("bad", b"old"), ("o", b"before")]);
    let ran = scene.run(&["--drop-lines", "a", "missing", "-o", "o", "--rejects", "bad"]);
    assert_eq!(
        (ran.code, scene.content("o"), scene.content("bad")),
        (2, b"before".to_vec(), b"old".to_vec())
    );
    let ran = scene.run(&["--drop-lines", "missing", "-o", "o", "--rejects", "bad"]);
    assert_eq!(
        (ran.code, scene.content("o"), scene.content("bad")),
        (2, b"before".to_vec(), b"old".to_vec())
    );
    for no_output in [&["missing"][..], &["missing", "--in-place"]] {
        let ran = scene.run(&[&["--drop-lines", "--rejects", "bad"], no_output].concat());
        assert_eq!((ran.code, scene.content("bad")), (2, b"old".to_vec()));
    }
    // What went to standard output, or is in a file by itself, is there.
    let ran = scene.run(&["--drop-lines", "a", "missing", "--rejects", "bad"]);
    assert_eq!(
        (ran.code, &ran.out[..], scene.content("bad")),
        (2, &b"good\nmore\n"[..], b"b\xC3d\n".to_vec())
    );
    let ran = scene.run(&["--drop-lines", "a", "missing", "--in-place", "--rejects", "b2"]);
    assert_eq!(
        (ran.code, scene.content("a"), scene.content("b2")),
        (2, b"good\nmore\n".to_vec(), b"b\xC3d\n".to_vec())
    );
    // Nothing to leave out leaves an empty file.
    let ran = scene.run(&["--drop-lines", "a", "--in-place", "--rejects", "b2"]);
    assert_eq!((ran.code, scene.content("b2")), (0, vec![]));
}

#[test]
fn many_files_have_their_lines_one_after_the_other() {
    let scene = repair(&[]);
    let mut lines = Vec::new();
    for number in 100..160 {
        scene.add(format!("tree/{number}"), format!("kept {number}\n").as_bytes());
        if number % 3 != 0 {
            let line = [&b"\xFF"[..], number.to_string().repeat(number).as_bytes(), b"\n"].concat();
            scene.add(format!("tree/{number}"), &[&line[..], format!("kept {number}\n").as_bytes()].concat());
            lines.extend(line);
        }
    }
    let ran = scene.run(&["--drop-lines", "-r", "tree", "-q", "--in-place", "--rejects", "bad"]);
    assert_eq!(ran, expect(1, "", ""));
    assert!(scene.content("bad") == lines);
    assert_eq!(scene.content("tree/101"), b"kept 101\n");
    assert_eq!(scene.names(), ["bad", "tree"]);
}

#[test]
fn both_texts_never_go_to_the_same_place() {
    let scene = repair(&[("a", BAD), ("out", b"before"), ("d/bad", BAD)]);
    for wrong in [&["a", "--rejects", "-"][..], &["a", "-o", "-", "--rejects", "-"]] {
        let ran = scene.run(&[&["--drop-lines"], wrong].concat());
        assert_eq!((ran.code, &ran.out[..]), (2, &b""[..]), "{wrong:?}");
        assert!(ran.err.starts_with("error: --rejects - needs -o, --output-dir or --in-place: "), "{ran:?}");
        assert!(ran.err.contains("Usage: runecast repair "), "{ran:?}");
    }
    let ran = scene.run(&["--drop-lines", "a", "-o", "out", "--format", "json", "--rejects", "-"]);
    assert_eq!((ran.code, &ran.out[..]), (2, &b""[..]));
    for wrong in [&["--rejects", "/dev/stdout"][..], &["-o", "./new", "--rejects", "new"]] {
        let ran = scene.run(&[&["--drop-lines", "a"], wrong].concat());
        assert_eq!((ran.code, &ran.out[..]), (2, &b""[..]), "{wrong:?}");
        assert!(ran.err.contains("cannot receive both the kept lines and the rejected ones"), "{ran:?}");
    }
    assert_eq!(scene.content("out"), b"before");
    // By the redirection of a shell.
    let both = fs::File::create(scene.path("both")).expect("a file");
    let mut tool = scene.process(&["repair", "--drop-lines", "a", "--rejects", "both"]);
    assert_eq!(tool.stdout(both).status().expect("the tool starts").code(), Some(2));
    assert_eq!(scene.content("both"), b"");
    // Below an output directory.
    let ran = scene.run(&["--drop-lines", "d/bad", "a", "--output-dir", "o", "--rejects", "bad"]);
    assert_eq!(
        (ran.code, scene.content("o/bad"), scene.content("bad").len()),
        (1, b"good\nmore\n".to_vec(), 8)
    );
    let ran = scene.run(&["--drop-lines", "d/bad", "a", "--output-dir", ".", "--rejects", "./bad"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("d/bad: would be written to ./bad, which is the FILE of --rejects"), "{ran:?}");
    // Where they are apart, all is well.
    let ran = scene.run(&["--drop-lines", "-q", "a", "-o", "out", "--rejects", "-"]);
    assert_eq!((ran, scene.content("out")), (expect(1, b"b\xC3d\n", ""), b"good\nmore\n".to_vec()));
    let ran = scene.run(&["--drop-lines", "-q", "a", "--in-place", "--rejects", "-"]);
    assert_eq!((ran, scene.content("a")), (expect(1, b"b\xC3d\n", ""), b"good\nmore\n".to_vec()));
    // A reader that has gone gets no line, and so the file is not replaced.
    scene.add("a", BAD);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut tool = scene.process(&["repair", "--drop-lines", "a", "--in-place", "--rejects", "-"]);
    assert_eq!(tool.stdout(writer).status().expect("the tool starts").code(), Some(2));
    assert_eq!(scene.content("a"), BAD);
}
