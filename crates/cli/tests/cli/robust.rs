//! Odd circumstances, with the built binary: every command in each, where it applies.
//!
//! What single commands do at closed pipes, full disks and interruptions is tested with them; here
//! it is held against all of them, and what only happens on a terminal is seen on one, which
//! `script` of util-linux provides. Where that or a device is missing, or where root may do what others
//! may not, a test says so and is content.

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::scene::{Scene, expect};

/// The commands that read files and say something about text like this.
const READERS: [&[&str]; 6] = [
    &["check", "--stats"],
    &["convert", "-t", "utf-16le"],
    &["repair"],
    &["explain"],
    &["count"],
    &["detect"],
];

const TEXT: &[u8] = "Grüße aus Ærøskøbing, 世界 🦀\n".as_bytes();

fn scene(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("--color=never", files)
}

fn finish(mut tool: Command) -> Output {
    tool.output().expect("the tool starts")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn skipped(why: &str) {
    println!("skipped: {why}");
}

#[test]
fn a_closed_pipe_is_no_accident_and_no_success() {
    let scene = scene(&[("text", &TEXT.repeat(20_000))]);
    let closed = |arguments: &[&str]| {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut tool = scene.process(arguments);
        tool.stdout(writer);
        finish(tool)
    };
    for command in READERS {
        let output = closed(&[command, &["text"][..]].concat());
        assert_eq!((output.status.code(), words(&output.stderr)), (Some(2), String::new()), "{command:?}");
    }
    for command in [&["completions", "bash"][..], &["man"], &["cpu"], &["--help"]] {
        let output = closed(command);
        assert!(output.status.code().is_some(), "{command:?} is killed");
        assert!(!words(&output.stderr).contains("panicked"), "{command:?}: {}", words(&output.stderr));
    }
}

#[test]
fn a_full_disk_is_said() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        return skipped("no /dev/full");
    };
    let scene = scene(&[("text", TEXT)]);
    let helps = [&["--help"][..], &["--version"], &["help", "check"], &["check", "-h"]];
    let reading = READERS.into_iter().map(|command| [command, &["text"][..]].concat());
    for command in reading.chain(helps.map(<[_]>::to_vec)) {
        let mut tool = scene.process(&command);
        tool.stdout(full.try_clone().expect("a descriptor"));
        let output = finish(tool);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let err = words(&output.stderr);
        assert!(err.starts_with("runecast: cannot write the output: "), "{command:?}: {err}");
    }
    for command in ["convert", "repair"] {
        let output = finish(scene.process(&[command, "text", "-o", "/dev/full"]));
        let err = words(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {err}");
        assert!(err.starts_with("runecast: /dev/full: "), "{command}: {err}");
    }
}

#[test]
fn empty_files_are_well_formed() {
    let scene = scene(&[("empty", b"")]);
    for command in READERS {
        for input in ["empty", "-"] {
            let output = finish(scene.process(&[command, &[input][..]].concat()));
            assert_eq!(output.status.code(), Some(0), "{command:?} {input}: {}", words(&output.stderr));
        }
    }
}

#[test]
fn standard_input_by_its_other_names_and_twice() {
    let scene = scene(&[]);
    if !fs::exists("/dev/stdin").unwrap_or(false) {
        return skipped("no /dev/stdin");
    }
    let feed = |arguments: &[&str]| scene.feed(arguments, TEXT);
    for command in READERS {
        let by = |name: &str| {
            let ran = feed(&[command, &[name][..]].concat());
            (ran.code, words(&ran.out).replace("/dev/stdin", "<stdin>").lines().count(), ran.err)
        };
        assert_eq!(by("/dev/stdin"), by("-"), "{command:?}");
    }
    assert_eq!(feed(&["convert", "/dev/stdin"]), expect(0, TEXT, ""));
    // The second time there is nothing left to read.
    let ran = feed(&["count", "--format", "json", "-", "-"]);
    let bytes: Vec<u64> = words(&ran.out)
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object"))
        .map(|object| object["bytes"].as_u64().expect("a number"))
        .collect();
    assert_eq!((ran.code, bytes), (0, vec![TEXT.len() as u64, 0, TEXT.len() as u64]));
    assert_eq!(feed(&["check", "-", "-"]), expect(0, b"", ""));
}

#[test]
fn directories_need_to_be_asked_for() {
    let scene = scene(&[("dir/a", TEXT)]);
    for command in READERS {
        let output = finish(scene.process(&[command, &["dir"][..]].concat()));
        let err = words(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {err}");
        assert!(err.starts_with("runecast: dir: is a directory"), "{command:?}: {err}");
    }
    for command in ["check", "count", "detect"] {
        assert_eq!(finish(scene.process(&[command, "-r", "dir"])).status.code(), Some(0), "{command}");
    }
}

#[test]
fn what_may_not_be_read_is_said_and_passed_over() {
    let scene = scene(&[("shut", TEXT), ("cell/file", TEXT), ("open", TEXT)]);
    let forbid = |name: &str| {
        fs::set_permissions(scene.path(name), fs::Permissions::from_mode(0o000)).expect("our own file");
    };
    forbid("shut");
    forbid("cell");
    if fs::File::open(scene.path("shut")).is_ok() {
        return skipped("root may read everything");
    }
    for command in READERS {
        let output = finish(scene.process(&[command, &["shut"][..]].concat()));
        let err = words(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(err.starts_with("runecast: shut: "), "{command:?}: {err}");
    }
    for command in ["check", "count", "detect"] {
        let output = finish(scene.process(&[command, "-r", "cell", "open"]));
        let (out, err) = (words(&output.stdout), words(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert_eq!(err.lines().next(), Some("runecast: cell: Permission denied"), "{command}");
        assert!(command == "check" || out.contains("open"), "{command}: {out}");
    }
    // So that the directory can be taken away.
    let _ = fs::set_permissions(scene.path("cell"), fs::Permissions::from_mode(0o700));
}

// Other file systems refuse names that are no UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_opened_and_escaped() {
    use std::os::unix::ffi::OsStrExt as _;
    let scene = scene(&[]);
    let name = OsStr::from_bytes(b"b\xE9\x1B[31m");
    fs::write(scene.path(name), b"ab\xE9 c").expect("a file");
    for command in READERS {
        let mut tool = scene.process(command);
        tool.arg(name);
        let output = finish(tool);
        let all = [output.stdout, output.stderr].concat();
        assert!(output.status.code().is_some_and(|code| code < 2), "{command:?}: {}", words(&all));
        let shown = words(&all).contains(r"b\xE9\x1B[31m");
        assert!(shown, "{command:?}: {}", words(&all));
        // What `convert` and `repair` write is the text; the rest has no business with control bytes.
        assert!(!all.contains(&0x1B), "{command:?}: {}", words(&all));
    }
    fs::write(scene.path(name), b"\xE9").expect("a file");
    let mut tool = scene.process(&["convert", "-f", "latin1", "--in-place=~"]);
    tool.arg(name);
    assert_eq!(finish(tool).status.code(), Some(0));
    assert_eq!(fs::read(scene.path(name)).expect("the file"), "é".as_bytes());
    assert_eq!(fs::read(scene.path(OsStr::from_bytes(b"b\xE9\x1B[31m~"))).expect("the backup"), b"\xE9");
}

/// A file that is cut while it is read is a shorter file. (Mapped memory would be gone, and with it the tool.)
#[test]
fn a_file_may_shrink_while_it_is_read() {
    let whole = b"0123456789abcdef\n".repeat(2_000_000);
    for command in [&["convert"][..], &["repair"]] {
        let scene = scene(&[("log", &whole)]);
        let mut child = scene.process(&[command, &["log"][..]].concat()).spawn().expect("the tool starts");
        let mut stdout = child.stdout.take().expect("a pipe");
        let mut text = vec![0; 1000];
        stdout.read_exact(&mut text).expect("the beginning");
        // The pipe is full by now or will be, and the tool waits in the middle of the file.
        let log = fs::OpenOptions::new().write(true).open(scene.path("log")).expect("the file");
        log.set_len(17).expect("a shorter file");
        stdout.read_to_end(&mut text).expect("the rest");
        let output = child.wait_with_output().expect("the tool ends");
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", words(&output.stderr));
        assert!(text.len() < whole.len() && whole.starts_with(&text), "{command:?}: {} bytes", text.len());
    }
}

#[test]
fn an_interruption_leaves_the_file_or_what_it_was_to_be() {
    const SIZE: u64 = 256 * 1024 * 1024;
    for (signal, number, command) in [
        ("-INT", 2, &["convert", "-f", "latin1"][..]),
        ("-INT", 2, &["repair"]),
        ("-QUIT", 3, &["repair"]),
        ("-XCPU", 24, &["convert", "-f", "latin1"]),
    ] {
        let scene = scene(&[("big", b"\xFF")]);
        let big = fs::OpenOptions::new().write(true).open(scene.path("big")).expect("the file");
        big.set_len(SIZE).expect("a file with a hole");
        let mut tool = Command::new("sh");
        tool.current_dir(scene.directory.path())
            .args(["-c", r#"ulimit -c 0; exec "$0" "$@""#, env!("CARGO_BIN_EXE_runecast")])
            .args([command, &["--in-place", "big"][..]].concat())
            .stderr(Stdio::null());
        let mut child = tool.spawn().expect("a shell");
        // Once something is written, the handler is there.
        let begun = || {
            fs::read_dir(scene.directory.path()).expect("a directory").any(|entry| {
                let entry = entry.expect("an entry");
                let temporary = entry.file_name().to_string_lossy().starts_with(".runecast-");
                temporary && entry.metadata().is_ok_and(|metadata| metadata.len() > 100_000)
            })
        };
        while child.try_wait().expect("a child").is_none() && !begun() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let sent =
            Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        assert!(sent.is_ok(), "kill is part of POSIX");
        let status = child.wait().expect("the tool ends");
        let size = fs::metadata(scene.path("big")).expect("the file is there").len();
        let mut first = [0];
        fs::File::open(scene.path("big")).and_then(|mut big| big.read_exact(&mut first)).expect("a byte");
        match (status.code(), status.signal()) {
            (None, Some(by)) if by == number => assert_eq!((size, first), (SIZE, [0xFF])),
            // It was quicker than the signal.
            (Some(0 | 1), None) => assert!(size > SIZE, "{size}"),
            other => panic!("{command:?} ended with {other:?}"),
        }
        assert_eq!(scene.names(), ["big"], "nothing is left behind");
    }
}

/// To write a file beyond a limit fails as on a full disk, though the system has a signal for it.
#[test]
fn a_limit_of_file_size_is_an_error() {
    let scene = scene(&[("big", &b"\xE9".repeat(200_000))]);
    let output = Command::new("sh")
        .current_dir(scene.directory.path())
        .args(["-c", r#"ulimit -c 0; ulimit -f 16; exec "$0" "$@""#, env!("CARGO_BIN_EXE_runecast")])
        .args(["convert", "-f", "latin1", "--in-place", "big"])
        .output()
        .expect("a shell");
    assert_eq!(output.status.code(), Some(2), "{}", words(&output.stderr));
    assert_eq!((scene.names(), scene.content("big").len()), (vec!["big".to_owned()], 200_000));
}

/// Runs a line of shell on a terminal of 60 columns; what appeared on it. `$R` is the tool.
fn on_terminal(scene: &Scene, line: &str) -> Option<String> {
    let version = Command::new("script").arg("--version").output().ok()?;
    if !words(&version.stdout).contains("util-linux") {
        return None;
    }
    let output = Command::new("script")
        .args(["-qec", &format!("stty cols 60 rows 20; {line}"), "/dev/null"])
        .current_dir(scene.directory.path())
        .env("R", env!("CARGO_BIN_EXE_runecast"))
        .env("SHELL", "/bin/sh")
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(words(&output.stdout))
}

/// The lines without what moves the cursor and sets colours.
fn plain_lines(shown: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut characters = shown.chars();
    while let Some(character) = characters.next() {
        match character {
            // CSI: up to a letter.
            '\x1B' => drop(characters.by_ref().find(char::is_ascii_alphabetic)),
            _ => plain.push(character),
        }
    }
    plain.split(['\r', '\n']).map(str::to_owned).collect()
}

/// Some text, and more of it two seconds later.
const SLOWLY: &str = "(cat text; sleep 1.2; cat text text; sleep 0.3; cat text; sleep 0.3)";

#[test]
fn a_bar_comes_on_a_terminal_and_goes() {
    let scene = scene(&[("text", &TEXT.repeat(3000))]);
    for command in ["check", "count", "detect"] {
        let Some(shown) = on_terminal(&scene, &format!("{SLOWLY} | \"$R\" {command}")) else {
            return skipped("no script of util-linux");
        };
        let lines = plain_lines(&shown);
        let mut bars = lines.iter().filter(|line| line.contains("B/s"));
        assert!(bars.all(|line| line.chars().count() <= 60), "{command}: {lines:?}");
        if command == "detect" {
            // It has seen enough before a bar is due.
            assert!(shown.contains("UTF-8") && !shown.contains("iB/s"), "{shown}");
        } else {
            assert!(shown.contains("iB/s") && shown.contains("<stdin>"), "{command}: {shown:?}");
            // At the end it is wiped away.
            assert!(!lines.last().is_some_and(|line| line.contains("iB/s")), "{command}: {lines:?}");
        }
    }
}

/// Wide characters take two columns: a line that is longer than the terminal would scroll.
#[test]
fn a_bar_with_a_wide_name_stays_in_its_line() {
    let name = "日本語の名前のとても長いテキストファイル";
    let scene = scene(&[("text", &TEXT.repeat(3000))]);
    let made = Command::new("mkfifo").arg(scene.path(name)).status();
    assert!(made.expect("mkfifo is part of POSIX").success());
    let line = format!("{SLOWLY} > {name} & \"$R\" check {name}");
    let Some(shown) = on_terminal(&scene, &line) else {
        return skipped("no script of util-linux");
    };
    assert!(shown.contains("iB/s") && shown.contains("日本"), "{shown:?}");
    for line in plain_lines(&shown).iter().filter(|line| line.contains("iB/s")) {
        let columns: usize =
            line.chars().map(|c| if ('\u{3000}'..'\u{A000}').contains(&c) { 2 } else { 1 }).sum();
        assert!(columns <= 60, "{columns}: {line}");
    }
}

#[test]
fn no_bar_and_no_colours_reach_a_pipe() {
    let scene = scene(&[("text", &TEXT.repeat(3000)), ("bad", b"\xFF")]);
    let begin = Instant::now();
    for command in ["check", "count", "detect --whole", "convert", "repair"] {
        let line = format!("{SLOWLY} | {} {command} - 2>err >out", env!("CARGO_BIN_EXE_runecast"));
        let status = Command::new("sh").args(["-c", &line]).current_dir(scene.directory.path()).status();
        assert!(status.expect("a shell").success(), "{command}");
        assert_eq!(words(&scene.content("err")), "", "{command}");
        assert!(!scene.content("out").contains(&0x1B), "{command}");
    }
    assert!(begin.elapsed() > Duration::from_secs(5), "long enough for bars");

    let Some(shown) = on_terminal(&scene, "\"$R\" check bad; \"$R\" detect bad text") else {
        return skipped("no script of util-linux");
    };
    assert!(shown.contains('\x1B'), "on a terminal there are colours: {shown:?}");
    let shown = on_terminal(&scene, "NO_COLOR=1 \"$R\" check bad; NO_COLOR=1 \"$R\" detect bad text");
    assert!(!shown.as_ref().is_some_and(|shown| shown.contains('\x1B')), "{shown:?}");
}

#[test]
fn help_fits_a_narrow_terminal() {
    let scene = scene(&[]);
    let commands = ["", "check", "convert", "repair", "explain", "count", "detect", "cpu", "lab", "man"];
    for command in commands.into_iter().chain(["completions"]) {
        let Some(shown) = on_terminal(&scene, &format!("\"$R\" {command} --help")) else {
            return skipped("no script of util-linux");
        };
        assert!(shown.contains("Usage:"), "{command}: {shown}");
        for line in plain_lines(&shown) {
            assert!(line.chars().count() <= 60, "{command}: {line}");
        }
    }
}

/// Whoever pipes into the tool keeps writing while nobody reads: no error of ours.
#[test]
fn a_producer_may_be_left_alone() {
    let scene = scene(&[]);
    let mut child = scene.process(&["detect", "-"]).stdin(Stdio::piped()).spawn().expect("the tool starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all(b"\xFF\xFEa\0b\0c\0d\0");
    // The tool has seen the mark, and does not wait for more.
    let output = child.wait_with_output().expect("the tool ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        words(&output.stdout),
        "<stdin>: UTF-16LE, 99 % sure: it begins with the byte order mark FF FE\n"
    );
    drop(stdin);
}

/// Whoever writes a byte or two to a stream has an answer before there is more, unless a byte order mark may have begun.
#[test]
fn a_short_beginning_is_answered_at_once() {
    let scene = scene(&[]);
    let answered = |arguments: &[&str], first: &[u8], expected: &[u8]| {
        let mut child = scene.process(arguments).stdin(Stdio::piped()).spawn().expect("the tool starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(first).expect("it reads");
        let (out, err) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let (sender, receiver) = std::sync::mpsc::channel();
        for mut stream in [Box::new(out) as Box<dyn Read + Send>, Box::new(err)] {
            let sender = sender.clone();
            std::thread::spawn(move || {
                let mut some = [0; 200];
                if let Ok(count @ 1..) = stream.read(&mut some) {
                    let _ = sender.send(some[..count].to_vec());
                }
            });
        }
        let found = receiver.recv_timeout(Duration::from_secs(20));
        assert!(found.is_ok_and(|found| found.starts_with(expected)), "{arguments:?}");
        drop(pipe);
        child.wait().expect("it ends");
    };
    answered(&["check"], b"\xFF\n", b"<stdin>:1:1: byte 0");
    answered(&["convert"], b"a", b"a");
    answered(&["convert", "-f", "latin1"], b"\xEF", "ï".as_bytes());
    answered(&["convert", "-f", "koi8-r"], b"\xD1", "я".as_bytes());
    answered(&["convert", "-f", "utf-16", "-t", "utf-8"], b"\0a", b"a");
    answered(&["convert", "-t", "ascii"], b"ab", b"ab");
    answered(&["repair"], b"\xFF\n", "\u{FFFD}".as_bytes());
    answered(&["repair", "-f", "shift_jis"], b"\x82\xA0", b"\x82\xA0");
    answered(&["count"], b"\xFF\n", b"<stdin>:");
    // A mark that comes byte by byte is one.
    let mut child =
        scene.process(&["convert", "-f", "utf-32"]).stdin(Stdio::piped()).spawn().expect("the tool starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    for byte in b"\xFF\xFE\0\0a\0\0\0" {
        pipe.write_all(&[*byte]).expect("it reads");
        pipe.flush().expect("it reads");
        std::thread::sleep(Duration::from_millis(3));
    }
    drop(pipe);
    assert_eq!(child.wait_with_output().expect("it ends").stdout, b"a");
}
