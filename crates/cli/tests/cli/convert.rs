//! `runecast convert`, end to end: what comes out, where it goes, and what becomes of files when
//! something is wrong.

use std::fs;

use crate::scene::{Scene, expect, utf16be, utf16le};

const TEXT: &str = "Grüße,\n世界 🦀\n";

fn scene(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("convert", files)
}

fn utf32le(text: &str) -> Vec<u8> {
    text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()
}

fn utf32be(text: &str) -> Vec<u8> {
    text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()
}

#[test]
fn every_unicode_encoding_becomes_every_other() {
    let scene = scene(&[]);
    let all = [
        ("utf-8", TEXT.as_bytes().to_vec()),
        ("utf-16le", utf16le(TEXT)),
        ("UTF16BE", utf16be(TEXT)),
        ("utf_32le", utf32le(TEXT)),
        ("UCS-4BE", utf32be(TEXT)),
    ];
    for (from, source) in &all {
        for (to, target) in &all {
            assert_eq!(scene.feed(&["-f", from, "-t", to], source), expect(0, target, ""), "{from} {to}");
        }
    }
    assert_eq!(scene.feed(&["-f", "latin1"], b"caf\xE9"), expect(0, "café".as_bytes(), ""));
    assert_eq!(scene.feed(&["-t", "iso-8859-1"], "café".as_bytes()), expect(0, b"caf\xE9", ""));
    assert_eq!(scene.feed(&["-f", "us-ascii", "-t", "utf-16le", "-"], b"a"), expect(0, b"a\0", ""));
    assert_eq!(scene.feed(&[], TEXT.as_bytes()), expect(0, TEXT.as_bytes(), ""));
    assert_eq!(scene.feed(&["-t", "utf-32"], b""), expect(0, b"\0\0\xFE\xFF", ""));
}

#[test]
fn long_texts_pass_in_constant_memory_and_unharmed() {
    // No chunk ends where a character does.
    let text = "x".to_owned() + &"aé漢🦀\n".repeat(150_000);
    let scene = scene(&[("long", text.as_bytes())]);
    for (to, target) in [("utf-16be", utf16be(&text)), ("utf-32le", utf32le(&text))] {
        assert_eq!(scene.run(&["-t", to, "long", "-o", "out"]), expect(0, b"", ""));
        assert_eq!(scene.content("out"), target);
        let back = scene.run(&["-f", to, "out"]);
        assert!(back == expect(0, text.as_bytes(), ""), "{to}: {} {}", back.code, back.err);
    }
}

#[test]
fn plain_utf16_goes_by_its_mark_or_by_what_is_assumed() {
    let scene = scene(&[]);
    let marked = |encoding: fn(&str) -> Vec<u8>| encoding(&format!("\u{FEFF}{TEXT}"));
    for source in [marked(utf16le), marked(utf16be), utf16be(TEXT)] {
        assert_eq!(scene.feed(&["-f", "utf-16"], &source), expect(0, TEXT.as_bytes(), ""));
    }
    for source in [marked(utf32le), marked(utf32be), utf32be(TEXT)] {
        assert_eq!(scene.feed(&["-f", "utf-32"], &source), expect(0, TEXT.as_bytes(), ""));
    }
    let assumed = ["-f", "utf-16", "--assume", "le"];
    assert_eq!(scene.feed(&assumed, &utf16le(TEXT)), expect(0, TEXT.as_bytes(), ""));
    assert_eq!(scene.feed(&assumed, &marked(utf16be)), expect(0, TEXT.as_bytes(), ""));
    assert_eq!(scene.feed(&["-t", "utf-16"], TEXT.as_bytes()), expect(0, marked(utf16be), ""));
    assert_eq!(scene.feed(&["-t", "utf-32"], TEXT.as_bytes()), expect(0, marked(utf32be), ""));
}

#[test]
fn marks_are_kept_added_and_stripped() {
    let scene = scene(&[]);
    let (bare, marked) = (b"a".as_slice(), b"\xEF\xBB\xBFa".as_slice());
    let run = |arguments: &[&str], input: &[u8]| scene.feed(arguments, input);
    assert_eq!(run(&[], marked), expect(0, marked, ""));
    for input in [bare, marked] {
        assert_eq!(run(&["--bom", "keep"], input), expect(0, input, ""));
        assert_eq!(run(&["--bom", "add"], input), expect(0, marked, ""));
        assert_eq!(run(&["--bom", "strip"], input), expect(0, bare, ""));
        assert_eq!(run(&["--bom", "add", "-t", "utf-16le"], input), expect(0, b"\xFF\xFEa\0", ""));
        assert_eq!(run(&["-t", "utf-16le-bom"], input), expect(0, b"\xFF\xFEa\0", ""));
        assert_eq!(run(&["-t", "utf-16-bom"], input), expect(0, b"\xFE\xFF\0a", ""));
        assert_eq!(run(&["-t", "utf-8-sig"], input), expect(0, marked, ""));
        assert_eq!(run(&["-t", "utf-8-sig", "--bom", "add"], input), expect(0, marked, ""));
        for other in ["strip", "keep"] {
            let ran = run(&["-t", "utf-8-sig", "--bom", other], input);
            assert_eq!((ran.code, &ran.out[..]), (2, &b""[..]));
            let why = "error: the encoding that -t names begins with a byte order mark; use --bom add, or ";
            assert!(ran.err.starts_with(why), "{ran:?}");
        }
        assert_eq!(run(&["--bom", "strip", "-t", "utf-16"], input), expect(0, b"\0a", ""));
        assert_eq!(run(&["-t", "utf-16"], input), expect(0, b"\xFE\xFF\0a", ""));
        assert_eq!(run(&["-t", "latin1"], input), expect(0, b"a", ""));
    }
    assert_eq!(run(&["--bom", "keep", "-t", "utf-16"], bare), expect(0, b"\0a", ""));
    assert_eq!(run(&["--bom", "keep", "-f", "utf-16"], b"\xFF\xFEa\0"), expect(0, marked, ""));
    assert_eq!(run(&["--bom", "add", "-t", "latin1"], bare).code, 2);
    assert_eq!(
        run(&["--bom", "keep", "-t", "ascii"], marked),
        expect(1, b"", "<stdin>:1:1: byte 0: unrepresentable [EF BB BF] ASCII has no form for U+FEFF\n")
    );
    // Only the first one is a mark.
    let two = [marked, marked].concat();
    assert_eq!(run(&["--bom", "strip"], &two), expect(0, &two[3..], ""));
}

#[test]
fn errors_read_as_in_check() {
    let scene = scene(&[("bad", b"one\nd\xC3\xA9j\xE0 vu"), ("euro", "ab\n€".as_bytes())]);
    let sentence = "bad:2:4: byte 8: truncated [E0 20] E0 begins a character of 3 bytes, but 20 follows, \
                    which is no continuation byte\n";
    assert_eq!(scene.run(&["-t", "utf-16be", "bad"]), expect(1, utf16be("one\ndéj"), sentence));
    assert_eq!(scene.run(&["-t", "utf-16be", "-q", "bad"]), expect(1, utf16be("one\ndéj"), ""));
    assert_eq!(
        scene.run(&["-t", "latin1", "euro"]),
        expect(1, b"ab\n", "euro:2:1: byte 3: unrepresentable [E2 82 AC] Latin-1 has no form for U+20AC\n")
    );
    let from = |encoding, input: &[u8]| scene.feed(&["-f", encoding], input);
    let ran = from("utf-16le", b"a\0\n\0b\0\x3E\xD8c\0");
    assert_eq!((ran.code, ran.out.as_slice()), (1, &b"a\nb"[..]));
    assert!(ran.err.starts_with("<stdin>:2:2: byte 6: unpaired high surrogate [3E D8] "), "{ran:?}");
    assert!(from("ascii", b"\x80").err.starts_with("<stdin>:1:1: byte 0: not ASCII [80] "));
}

#[test]
fn bytes_left_over_at_the_end_are_an_error() {
    let scene = scene(&[]);
    for (encoding, unit, left) in [
        ("utf-16le", &b"a\0"[..], &b"b"[..]),
        ("utf-16be", b"\0a", b"\xD8\x3E\xDD"),
        ("utf-32le", b"a\0\0\0", b"b"),
        ("utf-32be", b"\0\0\0a", b"\0\0\0"),
    ] {
        for to in ["utf-8", "utf-16le", encoding] {
            let ran = scene.feed(&["-f", encoding, "-t", to], &[unit, left].concat());
            let place = format!("<stdin>:1:2: byte {}: incomplete [", unit.len());
            assert!(ran.code == 1 && ran.err.starts_with(&place), "{ran:?}");
            assert!(ran.err.contains("the input ends here"), "{ran:?}");
        }
    }
}

#[test]
fn a_file_is_complete_or_what_it_was() {
    let late = ["x".repeat(600_000).as_bytes(), b"\xFF"].concat();
    let scene = scene(&[("good", b"good"), ("bad", &late), ("old", b"old")]);
    assert_eq!(scene.run(&["bad", "-o", "new"]).code, 1);
    assert_eq!(scene.run(&["bad", "-o", "old"]).code, 1);
    assert_eq!(scene.run(&["missing", "-o", "old"]).code, 2);
    assert_eq!(scene.content("old"), b"old");
    assert_eq!(scene.names(), ["bad", "good", "old"], "nothing is left behind");
    assert_eq!(scene.run(&["good", "-t", "utf-16le", "-o", "old"]), expect(0, b"", ""));
    assert_eq!(scene.content("old"), utf16le("good"));
    assert_eq!(scene.run(&["good", "-o", "new"]).code, 0);
    assert_eq!(scene.run(&["good", "-o", "-"]), expect(0, b"good", ""));
    assert_eq!(scene.names(), ["bad", "good", "new", "old"]);

    let nowhere = scene.run(&["good", "-o", "no/where"]);
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.err.starts_with("runecast: no/where: "), "{nowhere:?}");
    assert!(!nowhere.err.contains(".runecast"), "{nowhere:?}");
}

#[test]
fn an_input_is_not_overwritten_by_accident() {
    let scene = scene(&[("file", b"\xE9"), ("dir/x", b"")]);
    for output in ["file", "./file", "dir/../file"] {
        let ran = scene.run(&["-f", "latin1", "file", "-o", output]);
        let sentence = "runecast: file: is both input and output; use --in-place to convert it in place\n";
        assert_eq!(ran, expect(2, b"", sentence), "{output}");
    }
    assert_eq!(scene.content("file"), b"\xE9");
    assert_eq!(scene.run(&["file", "-o", "dir"]), expect(2, b"", "runecast: dir: is a directory\n"));
    let advice = "runecast: dir: is a directory; -r reads the files below it\n";
    assert_eq!(scene.run(&["dir"]), expect(2, b"", advice));
}

#[test]
fn in_place_replaces_each_file_or_leaves_it() {
    let scene = scene(&[("a", b"\xE9"), ("b", b"plain"), ("bad", b"\xE9 \xFF")]);
    assert_eq!(scene.run(&["-f", "latin1", "--in-place", "a", "b"]), expect(0, b"", ""));
    assert_eq!((scene.content("a"), scene.content("b")), ("é".into(), b"plain".to_vec()));

    let ran = scene.run(&["-t", "utf-16le", "--in-place=.bak", "bad", "a", "missing"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("bad:1:1: byte 0: "), "{ran:?}");
    assert!(ran.err.contains("runecast: missing: "), "{ran:?}");
    assert_eq!(scene.content("bad"), b"\xE9 \xFF");
    assert_eq!((scene.content("a"), scene.content("a.bak")), (utf16le("é"), "é".into()));
    assert_eq!(scene.names(), ["a", "a.bak", "b", "bad"], "nothing else is left behind");

    let again = scene.run(&["-f", "utf-16le", "--in-place=.bak", "a"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("a.bak already exists"), "{again:?}");
    assert_eq!((scene.content("a"), scene.content("a.bak")), (utf16le("é"), "é".into()));
}

#[test]
fn contradictions_are_refused() {
    let scene = scene(&[("a", b"a"), ("b", b"b")]);
    for arguments in [
        &["--in-place", "-"][..],
        &["--in-place"],
        &["--in-place=/x", "a"],
        &["--in-place", "a", "-o", "c"],
        &["-l", "a"],
        &["-l", "-t", "utf-8"],
        &["-t", "utf-7", "a"],
        &["-t", "utf-8//ROUGHLY", "a"],
        &["-t", "koi8-r", "--bom", "add", "a"],
        &["-f", "", "a"],
        &["--bom", "perhaps", "a"],
        &["--assume", "vax", "a"],
    ] {
        let ran = scene.run(arguments);
        assert_eq!((ran.code, ran.out.as_slice()), (2, &b""[..]), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{ran:?}");
    }
    assert_eq!(scene.names(), ["a", "b"]);
}

#[test]
fn the_encodings_are_listed() {
    let ran = scene(&[]).run(&["-l"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let list = String::from_utf8(ran.out).expect("names in ASCII");
    assert_eq!(list.lines().count(), 55);
    assert!(
        list.lines().any(|line| line.starts_with("Latin-1 ISO-8859-1 ") && line.ends_with(" 88591")),
        "{list}"
    );
    assert!(list.lines().any(|line| line == "windows-1252 cp1252 x-cp1252 msansi"), "{list}");
    // Whatever is listed is understood.
    let scene = scene(&[]);
    for name in list.lines().filter_map(|line| line.split_whitespace().last()) {
        assert_eq!(scene.feed(&["-f", name, "--bom", "keep"], b"").code, 0, "{name}");
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::process::{Command as Process, Stdio};

    use super::*;

    fn mode(scene: &Scene, name: &str) -> u32 {
        fs::metadata(scene.path(name)).expect("the file is there").mode() & 0o7777
    }

    fn tool(scene: &Scene, arguments: &[&str]) -> Process {
        scene.process(&[&["convert"], arguments].concat())
    }

    #[test]
    fn permissions_are_kept() {
        let scene = scene(&[("script", b"a"), ("out", b""), ("common", b"")]);
        for (name, bits) in [("script", 0o750), ("out", 0o604)] {
            let permissions = fs::Permissions::from_mode(bits);
            fs::set_permissions(scene.path(name), permissions).expect("our own file");
        }
        assert_eq!(scene.run(&["--in-place=~", "-t", "utf-16le", "script"]).code, 0);
        assert_eq!((mode(&scene, "script"), mode(&scene, "script~")), (0o750, 0o750));
        assert_eq!(scene.run(&["script", "-o", "out"]).code, 0);
        assert_eq!(mode(&scene, "out"), 0o604);
        assert_eq!(scene.run(&["script", "-o", "new"]).code, 0);
        assert_eq!(mode(&scene, "new"), mode(&scene, "common"), "new files are as new files are here");
    }

    #[test]
    fn read_only_files_are_not_replaced() {
        let scene = scene(&[("a", b"a"), ("fixed", b"fixed")]);
        let permissions = fs::Permissions::from_mode(0o444);
        fs::set_permissions(scene.path("fixed"), permissions).expect("our own file");
        for arguments in [&["a", "-o", "fixed"][..], &["--in-place", "-t", "utf-16le", "fixed"]] {
            assert_eq!(scene.run(arguments), expect(2, b"", "runecast: fixed: is read-only\n"));
        }
        assert_eq!(scene.run(&["--in-place", "fixed"]), expect(0, b"", ""), "there is nothing to change");
        assert_eq!(scene.content("fixed"), b"fixed");
    }

    #[test]
    fn links_stay_links() {
        let scene = scene(&[("file", b"\xE9"), ("other", b"x")]);
        symlink("file", scene.path("link")).expect("a link");
        symlink("gone", scene.path("dangling")).expect("a link");
        fs::hard_link(scene.path("file"), scene.path("twin")).expect("a link");
        for output in ["link", "twin"] {
            assert_eq!(scene.run(&["-f", "latin1", "file", "-o", output]).code, 2, "{output}");
        }
        assert_eq!(scene.run(&["-f", "latin1", "--in-place=.bak", "link"]).code, 0);
        assert!(fs::symlink_metadata(scene.path("link")).expect("a link").is_symlink());
        assert_eq!((scene.content("file"), scene.content("file.bak")), ("é".into(), b"\xE9".to_vec()));
        assert_eq!(scene.content("twin"), b"\xE9");
        assert_eq!(scene.run(&["other", "-o", "dangling"]).code, 2);
    }

    #[test]
    fn redirections_to_itself_are_seen() {
        let scene = scene(&[("file", b"text")]);
        let open = || fs::OpenOptions::new().append(true).open(scene.path("file")).expect("a file");
        let output = tool(&scene, &["file"]).stdout(open()).output().expect("the tool starts");
        assert_eq!(output.status.code(), Some(2));
        let stdin = fs::File::open(scene.path("file")).expect("a file");
        let output = tool(&scene, &["-o", "file"]).stdin(stdin).output().expect("the tool starts");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(scene.content("file"), b"text");
    }

    #[test]
    fn devices_and_pipes_are_written_through() {
        let scene = scene(&[("file", b"text")]);
        assert_eq!(scene.run(&["file", "-o", "/dev/null"]), expect(0, b"", ""));
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
        let made = Process::new("mkfifo").arg(scene.path("fifo")).status();
        assert!(made.expect("mkfifo is part of POSIX").success());
        let writer = tool(&scene, &["file", "-o", "fifo"]).spawn().expect("the tool starts");
        let reader = scene.run(&["fifo", "-t", "utf-16le"]);
        assert_eq!(reader, expect(0, utf16le("text"), ""));
        assert!(writer.wait_with_output().expect("the tool ends").status.success());
    }

    #[test]
    fn an_output_that_cannot_be_written_is_no_success() {
        let scene = scene(&[("file", &[b'x'; 3_000_000])]);
        if std::path::Path::new("/dev/full").exists() {
            let ran = scene.run(&["file", "-o", "/dev/full"]);
            assert!(ran.code == 2 && ran.err.starts_with("runecast: /dev/full: "), "{ran:?}");
            let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
            let output = tool(&scene, &["file"]).stdout(full).output().expect("the tool starts");
            assert_eq!(output.status.code(), Some(2));
            assert!(output.stderr.starts_with(b"runecast: cannot write the output: "));
        }
        let mut child = tool(&scene, &["file"]).stdout(Stdio::piped()).spawn().expect("the tool starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the tool ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(2), &b""[..]));
    }

    #[test]
    fn an_interruption_leaves_nothing_behind() {
        use std::io::Write as _;
        use std::os::unix::process::ExitStatusExt as _;
        use std::time::Duration;

        // What a shell starts in the background is deaf to SIGINT, and so is what that starts.
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
            if ignored >> (number - 1) & 1 == 1 {
                continue;
            }
            let scene = scene(&[("old", b"old")]);
            for output in ["old", "new"] {
                let mut child =
                    tool(&scene, &["-o", output]).stdin(Stdio::piped()).spawn().expect("the tool starts");
                let mut stdin = child.stdin.take().expect("a pipe");
                stdin.write_all(b"the beginning of ").expect("a reader");
                while !scene.names().iter().any(|name| name.starts_with(".runecast-")) {
                    std::thread::sleep(Duration::from_millis(5));
                }
                // The handler comes right behind the file.
                std::thread::sleep(Duration::from_millis(100));
                let id = child.id().to_string();
                let sent = Process::new("kill").args([signal, &id]).status();
                assert!(sent.expect("kill is part of POSIX").success());
                let ended = child.wait_with_output().expect("the tool ends");
                assert_eq!(ended.status.signal(), Some(number), "it dies of the signal, as shells expect");
                assert_eq!((scene.names(), scene.content("old")), (vec!["old".to_owned()], b"old".to_vec()));
                drop(stdin);
            }
        }
        // Two pictures at the same time.
        let scene = scene(&[]);
        let arguments = ["bench", "--time", "60", "--svg", "a.svg", "--html", "b.html"];
        let child = scene.process(&arguments).spawn().expect("the tool starts");
        while scene.names().len() < 2 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        let sent = Process::new("kill").args(["-TERM", &child.id().to_string()]).status();
        assert!(sent.expect("kill is part of POSIX").success());
        assert_eq!(child.wait_with_output().expect("the tool ends").status.signal(), Some(15));
        assert_eq!(scene.names(), [""; 0]);
    }
}
