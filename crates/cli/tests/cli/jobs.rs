//! `-j`: whatever the number of threads, the same comes out, is said, and is the exit code.
//!
//! Inputs are long enough that threads are made for them, with characters across the edges of all
//! chunks and with errors at them. What is right is what the standard library says; and every number of
//! threads, and a pipe in place of a file, has to come to that.

use std::fs;
use std::io::Write as _;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use crate::scene::{Ran, Scene, expect, utf16be, utf16le};

/// The size of a chunk. (If it is another one, the tests prove less, and nothing false.)
const CHUNK: usize = 256 * 1024;

/// Characters of every length, some of which begin `shift` bytes later than else.
fn text(shift: usize, chunks: usize) -> Vec<u8> {
    let mut text = "x".repeat(shift);
    while text.len() < chunks * CHUNK + 1000 {
        text.push_str("aé漢🦀\nß🦀ab漢漢x");
    }
    text.into_bytes()
}

/// The same with an ill-formed byte so far from the edge of each of these chunks.
fn damaged(shift: usize, edges: &[usize], from_edge: isize) -> Vec<u8> {
    let mut text = text(shift, 8);
    for edge in edges {
        text[(edge * CHUNK).checked_add_signed(from_edge).expect("a place in the text")] = 0xFF;
    }
    text
}

/// Runs it on the file, from a pipe, and with several threads: all must come to the same.
fn everywhere(scene: &Scene, arguments: &[&str], file: &str) -> Ran {
    let run = |jobs: &str| {
        let rest = [&["-j", jobs], arguments].concat();
        let by_name = scene.run(&[&rest[..], &[file]].concat());
        let mut piped = scene.feed(&rest, &scene.content(file));
        // The input goes by another name there.
        piped.err = piped.err.replace("<stdin>:", &format!("{file}:"));
        assert!((by_name.code, &by_name.err) == (piped.code, &piped.err), "{rest:?}: {by_name:?}");
        assert!(by_name.out == piped.out, "{rest:?}");
        by_name
    };
    let alone = run("1");
    for jobs in ["2", "5"] {
        let ran = run(jobs);
        assert!(
            ran == alone,
            "-j {jobs} {arguments:?}: {} {}, {} {}",
            ran.code,
            ran.err,
            alone.code,
            alone.err
        );
    }
    alone
}

/// The offset in a message of the tool.
fn offset(message: &str) -> Option<usize> {
    let (_, rest) = message.split_once(": byte ")?;
    rest.split(':').next()?.parse().ok()
}

#[test]
fn characters_across_edges_are_no_errors() {
    for shift in [0, 1, 2, 3, 5] {
        let text = text(shift, 8);
        let check = Scene::new("check", &[("in", &text)]);
        let ran = everywhere(&check, &["-v"], "in");
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.starts_with("in: well-formed\n"), "{}", ran.err);

        let string = String::from_utf8(text).expect("text");
        let convert = Scene::new("convert", &[("in", string.as_bytes())]);
        let wide = utf16le(&string);
        let ran = everywhere(&convert, &["-t", "utf-16le"], "in");
        assert!(ran.code == 0 && ran.out == wide, "shift {shift}");
    }
}

#[test]
fn errors_at_edges_are_where_std_says() {
    for from_edge in -4..=1 {
        let edges = if from_edge % 2 == 0 { &[7][..] } else { &[5, 6, 7] };
        let text = damaged(3, edges, from_edge);
        let error = std::str::from_utf8(&text).expect_err("damage");
        let before = std::str::from_utf8(&text[..error.valid_up_to()]).expect("text up to there");
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().map_or(0, |rest| rest.chars().count());

        let check = Scene::new("check", &[("in", &text)]);
        let first = everywhere(&check, &["--color", "never"], "in");
        assert_eq!((first.code, first.err.lines().count()), (1, 1), "{}", first.err);
        let place = format!("in:{line}:{column}: byte {}: ", error.valid_up_to());
        assert!(first.err.starts_with(&place), "{place} {}", first.err);

        let all = everywhere(&check, &["--all", "--limit", "0"], "in");
        let (mut at, mut offsets) = (0, vec![]);
        for chunk in text.utf8_chunks() {
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                offsets.push(at);
            }
            at += chunk.invalid().len();
        }
        let said: Vec<_> = all.err.lines().filter_map(offset).collect();
        assert_eq!(said, offsets, "{}", all.err);

        let repair = Scene::new("repair", &[("in", &text)]);
        let ran = everywhere(&repair, &["--policy", "whatwg"], "in");
        assert!(ran.code == 1 && ran.out == String::from_utf8_lossy(&text).as_bytes());
        assert!(ran.err.contains(&format!("first of {} replacement", offsets.len())), "{}", ran.err);

        let convert = Scene::new("convert", &[("in", &text)]);
        let ran = everywhere(&convert, &["-t", "utf-16be"], "in");
        let wide = utf16be(before);
        assert!(ran.code == 1 && ran.out == wide && ran.err == first.err, "{}", ran.err);
    }
}

#[test]
fn units_of_utf16_and_pairs_are_not_cut() {
    let string = String::from_utf8(text(1, 12)).expect("text");
    let mut wide = utf16be(&string);
    let convert = Scene::new("convert", &[("in", &wide), ("marked", &[b"\xFE\xFF", &wide[..]].concat())]);
    let there = everywhere(&convert, &["-f", "utf-16be"], "in");
    assert!(there.code == 0 && there.out == string.as_bytes(), "{}", there.err);
    assert!(everywhere(&convert, &["-f", "utf-16"], "marked") == there);

    wide.truncate(7 * CHUNK + 1);
    fs::write(convert.path("in"), &wide).expect("a file");
    let cut = everywhere(&convert, &["-f", "utf-16be", "-t", "utf-32le"], "in");
    assert_eq!(cut.code, 1);
    let last = offset(&cut.err).expect("an error with an offset");
    assert!((7 * CHUNK - 2..7 * CHUNK + 1).contains(&last), "{}", cut.err);
}

#[test]
fn counts_are_sums() {
    let string = String::from_utf8(text(2, 9)).expect("text");
    let scene = Scene::new("count", &[("in", string.as_bytes())]);
    let numbers = |jobs| {
        let ran = scene.run(&["-j", jobs, "--format", "json", "in"]);
        assert_eq!(ran.code, 0);
        serde_json::from_slice::<serde_json::Value>(&ran.out).expect("an object")
    };
    let counted = numbers("3");
    assert_eq!(counted, numbers("1"));
    assert_eq!(counted["characters"], string.chars().count());
    assert_eq!(counted["lines"], string.matches('\n').count());
    assert_eq!(counted["units"]["utf16"], string.encode_utf16().count());
}

#[test]
fn many_files_are_told_of_in_their_order() {
    let scene = Scene::new("check", &[]);
    let large = text(0, 7);
    for number in 0..150 {
        let content = match number % 7 {
            0 => b"fine \xFF not\n".to_vec(),
            1 => b"cut \xE2\x82".to_vec(),
            2 if number > 100 => large.clone(),
            3 => Vec::new(),
            _ => text(number % 5, 0),
        };
        let path = scene.path(format!("tree/{}/{number:03}", number / 40));
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        fs::write(path, content).expect("a file");
    }
    fs::write(scene.path("bad"), [large, b"\xFF".to_vec()].concat()).expect("a file");
    for arguments in [
        &["-r", "tree", "bad", "missing", "tree"][..],
        &["-r", "--format", "json", "tree", "bad", "missing"],
        &["-r", "-v", "bad", "tree", "bad"],
        &["-r", "-l", "tree", "bad"],
        &["-r", "--all", "tree"],
    ] {
        let run = |jobs| scene.run(&[&["-j", jobs], arguments].concat());
        let alone = run("1");
        assert!(alone.code > 0);
        for jobs in ["2", "5"] {
            let ran = run(jobs);
            assert!(ran == alone, "-j {jobs} {arguments:?}: {}, {}", ran.err, alone.err);
        }
    }
    let listed = scene.run(&["-r", "-l", "tree"]);
    let listed = String::from_utf8(listed.out).expect("plain names");
    let wrong = (0..150).filter(|number| number % 7 < 2);
    let wrong: String = wrong.map(|number| format!("tree/{}/{number:03}\n", number / 40)).collect();
    assert_eq!(listed, wrong);
}

#[test]
fn files_in_place_come_one_after_the_other() {
    for jobs in ["1", "4"] {
        // By its second name it is what has just been written, and not converted again.
        let scene = Scene::new("convert", &[("a", &b"\xE9".repeat(9 * CHUNK)), ("b", b"\xE9")]);
        let ran = scene.run(&["-j", jobs, "-f", "latin1", "--in-place", "a", "./a", "b"]);
        assert_eq!(ran, expect(0, b"", ""));
        assert!(scene.content("a") == "é".repeat(9 * CHUNK).as_bytes(), "-j {jobs}");
        assert_eq!(scene.content("b"), "é".as_bytes());
    }
}

/// Waits, and gives up after a long time.
fn ends(child: &mut std::process::Child) -> Option<i32> {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(100) {
        if let Some(status) = child.try_wait().expect("our own child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    None
}

#[test]
fn nobody_waits_for_a_silent_pipe_that_is_ill_formed() {
    for jobs in ["1", "2", "4"] {
        let scene = Scene::new("check", &[("bad", b"\xFF")]);
        let mut child = scene
            .process(&["check", "-j", jobs, "-", "bad"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(&text(0, 12)).expect("a reader");
        pipe.write_all(b"\xFF\n").expect("a reader");
        assert_eq!(ends(&mut child), Some(1), "-j {jobs}");
        let said = child.wait_with_output().expect("it has ended").stderr;
        let said = String::from_utf8(said).expect("text");
        assert_eq!(said.lines().count(), 2, "{said}");
        assert!(said.contains("\nbad:1:1: byte 0: "), "{said}");
        drop(pipe);
    }
}

#[cfg(unix)]
#[test]
fn several_silent_pipes_keep_nobody_waiting() {
    let scene = Scene::new("check", &[("bad", b"\xFF")]);
    let names = ["one", "two", "three"];
    let made = Process::new("mkfifo").args(names.map(|name| scene.path(name))).status();
    assert!(made.expect("mkfifo is part of POSIX").success());
    let mut child =
        scene.process(&["check", "-j", "2", "one", "two", "three", "bad"]).spawn().expect("the tool starts");
    let mut silent = vec![];
    for name in names {
        let mut pipe = fs::OpenOptions::new().write(true).open(scene.path(name)).expect("a reader");
        pipe.write_all(&text(0, 12)).expect("a reader");
        pipe.write_all(b"\xFF\n").expect("a reader");
        silent.push(pipe);
    }
    assert_eq!(ends(&mut child), Some(1));
    let said = child.wait_with_output().expect("it has ended").stderr;
    assert_eq!(String::from_utf8_lossy(&said).lines().count(), 4);
}

#[test]
fn a_live_stream_is_converted_as_it_comes() {
    use std::io::Read as _;
    for jobs in ["1", "4"] {
        let mut child = Process::new(env!("CARGO_BIN_EXE_runecast"))
            .args(["convert", "-j", jobs, "-t", "utf-16le"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        let (mut pipe, mut out) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        for _ in 0..100 {
            // More than what one thread does alone comes together; and nothing is kept back.
            let line = "ä".repeat(8000) + "\n";
            pipe.write_all(line.as_bytes()).expect("a reader");
            let mut wide = vec![0; 16_002];
            out.read_exact(&mut wide).expect("all of it");
            assert!(wide == utf16le(&line));
        }
        drop(pipe);
        assert_eq!(ends(&mut child), Some(0));
    }
}
