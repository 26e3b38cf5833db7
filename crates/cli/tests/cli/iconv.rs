//! What a script relies on that calls `runecast convert` where it called `iconv`: several inputs, what is left
//! out, and the words on the command line. Where the iconv of the GNU C library is installed, it is asked, too.

use std::io::Write as _;
use std::process::{Command as Process, Stdio};

use crate::scene::{Scene, expect};
use runecast_corpus::Random;
use serde_json::{Value, json};

fn scene(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("convert", files)
}

/// What iconv makes of an input, if it is the one that is meant.
fn iconv(arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    iconv_status(arguments, input).map(|(_, output)| output)
}

/// The same, with its exit code.
fn iconv_status(arguments: &[&str], input: &[u8]) -> Option<(i32, Vec<u8>)> {
    let version = Process::new("iconv").arg("--version").output().ok()?;
    if !String::from_utf8_lossy(&version.stdout).contains("GLIBC") {
        return None;
    }
    let mut child = Process::new("iconv")
        .args(arguments)
        // For what it writes instead of what has no form.
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || pipe.write_all(&input));
    let output = child.wait_with_output().expect("it ends");
    let _ = writer.join();
    Some((output.status.code()?, output.stdout))
}

/// Well-formed and ill-formed pieces.
fn ill_formed(random: &mut Random) -> Vec<u8> {
    let pieces: [&[u8]; 16] = [
        b"a",
        b"line\n",
        "é".as_bytes(),
        "ÿß".as_bytes(),
        "漢".as_bytes(),
        "🦀".as_bytes(),
        b"\x80",
        b"\xC0\xAF",
        b"\xF5",
        b"\xC3",
        b"\xE2\x82",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF4\x90\x80\x80",
        b"\xF0\x9F\xA6",
        b"\xFF",
    ];
    (0..random.below(30)).flat_map(|_| pieces[random.below(pieces.len())].to_vec()).collect()
}

/// What is left if all that has no form in the target is left out, by the standard library.
fn kept(input: &[u8], encode: impl Fn(char) -> Option<Vec<u8>>) -> Vec<u8> {
    input.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter_map(encode).flatten().collect()
}

fn latin1(character: char) -> Option<Vec<u8>> {
    u8::try_from(u32::from(character)).ok().map(|byte| vec![byte])
}

fn ascii(character: char) -> Option<Vec<u8>> {
    character.is_ascii().then(|| vec![character as u8])
}

fn utf8(character: char) -> Option<Vec<u8>> {
    Some(character.to_string().into_bytes())
}

fn utf16le(character: char) -> Option<Vec<u8>> {
    let mut units = [0; 2];
    Some(character.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_le_bytes()).collect())
}

/// An encoder for one character.
type Encode = fn(char) -> Option<Vec<u8>>;

const TARGETS: [(&str, Encode); 4] =
    [("latin1", latin1), ("ascii", ascii), ("utf-8", utf8), ("utf-16le", utf16le)];

#[test]
fn what_cannot_be_converted_is_left_out() {
    let scene = scene(&[]);
    let mut random = Random::new(7);
    let mut asked = 0;
    for round in 0..60 {
        let input = ill_formed(&mut random);
        let (name, encode) = TARGETS[round % TARGETS.len()];
        let expected = kept(&input, encode);
        let ran = scene.feed(&["-c", "-t", name], &input);
        let whole = std::str::from_utf8(&input).is_ok_and(|text| text.chars().all(|c| encode(c).is_some()));
        assert_eq!(ran, expect(0, &expected, ""), "{name}: {input:02X?}");
        let ignored = scene.feed(&["-t", &format!("{name}//IGNORE"), "-s"], &input);
        assert_eq!(ignored, expect(i32::from(!whole), &expected, ""), "{name}: {input:02X?}");
        // (From UTF-8 to UTF-8, theirs lets F4 90 80 80 pass.)
        if name != "utf-8"
            && let Some(theirs) = iconv(&["-c", "-f", "utf-8", "-t", name], &input)
        {
            assert_eq!(theirs, expected, "{name}: {input:02X?}");
            asked += 1;
        }
    }
    if asked == 0 {
        eprintln!("skipped: there is no iconv of the GNU C library to compare with");
    }
}

#[test]
fn nothing_is_lost_at_the_edges_of_chunks() {
    let piece = ["x".repeat(1021).into_bytes(), b"\xE2\x82\xFF".to_vec(), "é漢".into()].concat();
    let input = piece.repeat(2000);
    let scene = scene(&[("in", &input)]);
    for (name, encode) in TARGETS {
        let expected = kept(&input, encode);
        for jobs in ["1", "3"] {
            let ran = scene.run(&["-j", jobs, "-c", "-v", "-t", name, "in"]);
            assert!(ran.code == 0 && ran.out == expected, "{name}");
            let each = if name == "latin1" {
                3
            } else if name == "ascii" {
                4
            } else {
                2
            };
            let said = format!("in:1:1022: byte 1021: first of {} sequences left out\n", each * 2000);
            assert_eq!(ran.err, said);
        }
    }
}

#[test]
fn both_convert_the_same() {
    let text = "Grüße,\nÿ þ\n".repeat(3000);
    let scene = scene(&[]);
    for (from, to) in [
        ("utf8", "latin1"),
        ("utf8", "utf-16be"),
        ("utf8", "utf-32le"),
        ("utf-8", "UCS-4BE"),
        ("utf8", "utf8"),
    ] {
        let Some(there) = iconv(&["-f", from, "-t", to], text.as_bytes()) else {
            eprintln!("skipped: there is no iconv of the GNU C library to compare with");
            return;
        };
        assert!(scene.feed(&["-f", from, "-t", to], text.as_bytes()) == expect(0, &there, ""), "{from} {to}");
        let back = iconv(&["-f", to, "-t", from], &there).expect("it was there before");
        assert!(scene.feed(&["-f", to, "-t", from], &there) == expect(0, &back, ""), "{to} {from}");
    }
}

#[test]
fn several_inputs_come_out_one_after_the_other() {
    let scene = scene(&[
        ("a", b"a\xE9"),
        ("b", b""),
        ("c", b"c\xFF"),
        ("dir/e", b"e"),
        ("dir/d", b"d"),
        ("old", b"old"),
    ]);
    let all = "aécÿ".as_bytes();
    assert_eq!(scene.run(&["-f", "latin1", "a", "b", "c"]), expect(0, all, ""));
    assert_eq!(scene.run(&["-f", "latin1", "a", "b", "c", "-o", "old"]), expect(0, b"", ""));
    assert_eq!(scene.content("old"), all);
    assert_eq!(scene.run(&["-r", "dir", "b"]), expect(0, b"de", ""));
    // One mark is enough for all.
    let marked = scene.run(&["-f", "latin1", "-t", "utf-16", "a", "c"]);
    assert_eq!(marked, expect(0, b"\xFE\xFF\0a\0\xE9\0c\0\xFF", ""));
    assert_eq!(scene.feed(&["-f", "latin1", "a", "-", "c"], b"-"), expect(0, "aé-cÿ".as_bytes(), ""));
}

#[test]
fn a_file_counts_only_if_nothing_was_wrong_with_any_input() {
    let scene = scene(&[("good", b"good"), ("bad", b"b\xFF"), ("old", b"old")]);
    for inputs in
        [["good", "bad"], ["bad", "good"], ["good", "missing"], ["missing", "good"], ["good", "old"]]
    {
        let ran = scene.run(&[&inputs[..], &["-o", "old"]].concat());
        assert_eq!(ran.code, if inputs.contains(&"bad") { 1 } else { 2 }, "{ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
        assert_eq!(scene.content("old"), b"old", "{inputs:?}");
        assert_eq!(scene.names(), ["bad", "good", "old"], "nothing is left behind");
    }
    // Into standard output goes what there is.
    let ran = scene.run(&["bad", "good"]);
    assert_eq!((ran.code, ran.out.as_slice()), (1, &b"bgood"[..]));
    let repair = Scene::new("repair", &[("good", b"good"), ("bad", b"b\xFF")]);
    let said = "bad:1:2: byte 1: first of 1 replacement\n";
    assert_eq!(repair.run(&["bad", "good"]), expect(1, "b\u{FFFD}good".as_bytes(), said));
    assert_eq!(repair.run(&["good", "bad", "-o", "out"]), expect(1, b"", said));
    assert_eq!(repair.content("out"), "goodb\u{FFFD}".as_bytes());
}

#[test]
fn directories_are_converted_in_place() {
    let scene = scene(&[("dir/b", b"\xE9"), ("dir/sub/a", b"\xE9\xE9"), ("dir/c", b"c")]);
    assert_eq!(scene.run(&["-r", "-f", "latin1", "--in-place=.bak", "dir", "-v"]).err.lines().count(), 3);
    for (name, content) in [("dir/b", "é"), ("dir/sub/a", "éé"), ("dir/c", "c")] {
        assert_eq!(scene.content(name), content.as_bytes());
    }
    assert_eq!(scene.content("dir/sub/a.bak"), b"\xE9\xE9");
    assert!(!scene.path("dir/c.bak").exists(), "it is the same in both encodings");
}

#[test]
fn programs_are_told_what_became_of_each_input() {
    let scene = scene(&[("good", "aé".as_bytes()), ("bad", b"b\n\xFF"), ("euro", "€".as_bytes())]);
    let objects = |arguments: &[&str]| -> (i32, Vec<Value>) {
        let ran = scene.run(&[&["--format", "json"], arguments].concat());
        (ran.code, ran.objects())
    };
    let (code, told) = objects(&["-t", "latin1", "-o", "out", "good", "bad", "euro", "missing"]);
    assert_eq!((code, told.len()), (2, 4));
    assert_eq!(
        told[0],
        json!({
            "schema": 1, "command": "convert", "path": "good", "encoding": "UTF-8", "to": "Latin-1",
            "status": "converted", "bytes_read": 3,
        })
    );
    assert_eq!((&told[1]["status"], &told[1]["error"]["at"]), (&json!("stopped"), &json!(2)));
    assert_eq!((&told[1]["error"]["line"], &told[1]["error"]["kind"]), (&json!(2), &json!("invalid lead")));
    assert_eq!(told[2]["error"]["kind"], "unrepresentable");
    assert_eq!((&told[3]["status"], told[3].get("encoding")), (&json!("failed"), None));
    assert!(told[3]["reason"].is_string());

    let (code, told) = objects(&["-c", "-t", "ascii", "-o", "out", "good"]);
    assert_eq!((code, &told[0]["left_out"], &told[0]["bytes_read"]), (0, &json!(1), &json!(3)));
    let (code, told) = objects(&["-t", "ascii", "--in-place", "euro"]);
    assert_eq!((code, &told[0]["status"]), (1, &json!("stopped")));
    assert_eq!(objects(&["good"]), (2, vec![]));
}

#[test]
fn words_of_iconv_are_understood_or_clearly_refused() {
    let scene = scene(&[("in", "naïve\n".as_bytes())]);
    assert_eq!(scene.run(&["-s", "-c", "-f", "UTF8", "-t", "ASCII", "in"]), expect(0, b"nave\n", ""));
    let said = "in:1:3: byte 2: first of 1 sequence left out\n";
    assert_eq!(scene.run(&["-cv", "-t", "ASCII", "in"]), expect(0, b"nave\n", said));
    assert_eq!(scene.run(&["-v", "in"]), expect(0, "naïve\n".as_bytes(), "in: converted\n"));
    assert_eq!(scene.run(&["-t", "ascii//TRANSLIT", "in"]), expect(0, b"naive\n", ""));
    for arguments in [&["-t", "ascii//X", "in"][..], &["-c", "-t", "wtf-8", "in"], &["-j", "0", "in"]] {
        assert_eq!(scene.run(arguments).code, 2, "{arguments:?}");
    }
}

/// Command lines as they stand in scripts, and what the iconv of GNU makes of them: the same bytes, and an exit code that
/// says the same.
#[test]
fn command_lines_of_scripts_do_what_they_did() {
    let scene = scene(&[]);
    let latin = "Où est l’été ? “Ici”, à 5 €… ßÆø\n".as_bytes();
    let cp1252 = b"\x93caf\xE9\x94 \x80 5\n".as_slice();
    let koi8 = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2\n".as_slice();
    let sjis = b"\x93\xFA\x96{\x8C\xEA\n".as_slice();
    let (plain, damaged) = ("Grüße\n".as_bytes(), b"a\xFFb\xC3\xA9c\n".as_slice());
    for (input, line) in [
        (plain, "-f UTF-8 -t ISO-8859-1"),
        (plain, "-f UTF8 -t 8859_1"),
        (plain, "--from-code=UTF-8 --to-code=ISO-8859-1"),
        (plain, "--from-code UTF-8 --to-code LATIN1//TRANSLIT"),
        (plain, "-f utf8 -t ISO_8859-15"),
        (plain, "-f UTF-8 -t CP1252"),
        (plain, "-f UTF-8 -t WINDOWS-1250"),
        (plain, "-f UTF-8 -t UTF-16LE"),
        (plain, "-f UTF-8 -t UCS-4BE"),
        (plain, "-c -f UTF-8 -t ASCII"),
        (plain, "-c -s -f UTF-8 -t US-ASCII"),
        (plain, "--silent -c -f UTF-8 -t US-ASCII"),
        (plain, "-f UTF-8 -t ASCII//IGNORE"),
        (plain, "-f UTF-8 -t ASCII//TRANSLIT"),
        (plain, "-f UTF-8 -t ASCII"),
        (plain, "-f UTF-8 -t KOI8-R//TRANSLIT"),
        (latin, "-f UTF-8 -t ASCII//TRANSLIT"),
        (latin, "-f UTF-8 -t ISO-8859-1//TRANSLIT"),
        (latin, "-f UTF-8 -t ASCII//TRANSLIT//IGNORE"),
        (latin, "-f UTF-8 -t CP1252//IGNORE"),
        (latin, "-c -f UTF-8 -t CP1251"),
        (damaged, "-c -f UTF-8 -t UTF-8"),
        (damaged, "-f UTF-8 -t UTF-8//IGNORE"),
        (damaged, "-c -f UTF-8 -t LATIN1"),
        (damaged, "-f UTF-8 -t UTF-16BE"),
        (damaged, "-f ISO-8859-1 -t UTF-8"),
        (cp1252, "-f CP1252 -t UTF-8"),
        (cp1252, "-f WINDOWS-1252 -t UTF-8"),
        (cp1252, "-f MS-ANSI -t UTF-16LE"),
        (cp1252, "-f CP1252 -t ASCII//TRANSLIT"),
        (cp1252, "-c -f CP1252 -t ISO-8859-1"),
        (koi8, "-f KOI8-R -t UTF-8"),
        (koi8, "-f KOI8-R -t CP1251"),
        (koi8, "-f koi8-r -t CP866"),
        (sjis, "-f SHIFT_JIS -t UTF-8"),
        (sjis, "-f SJIS -t EUC-JP"),
        (sjis, "-f CP932 -t UTF-16LE"),
        (sjis, "-f SJIS -t BIG5"),
        (sjis, "-c -f SJIS -t ASCII"),
    ] {
        let arguments: Vec<_> = line.split(' ').collect();
        let Some((code, theirs)) = iconv_status(&arguments, input) else {
            eprintln!("skipped: there is no iconv of the GNU C library to compare with");
            return;
        };
        let ran = scene.feed(&arguments, input);
        assert_eq!((ran.code, ran.out), (code, theirs), "{line}: {}", ran.err);
    }
}

/// A surrogate has nothing that is similar; where a source may have some, nothing behind it is lost without a word.
#[test]
fn a_surrogate_is_nothing_similar() {
    let scene =
        Scene::new("convert", &[("wtf", b"caf\xC3\xA9 \xE2\x82\xAC \xED\xA0\x80 tail\n"), ("out", b"old")]);
    for (target, before) in [("ascii", &b"cafe EUR "[..]), ("latin1", b"caf\xE9 EUR ")] {
        let to = &format!("{target}//TRANSLIT");
        for from in ["wtf-8", "generalized-utf-8", "wobbly-cesu-8"] {
            let ran = scene.run(&["-f", from, "-t", to, "wtf"]);
            assert_eq!((ran.code, &ran.out[..]), (1, before), "{from} {to}: {}", ran.err);
            assert!(ran.err.starts_with("wtf:1:8: byte 10: unrepresentable [ED A0 80] "), "{}", ran.err);
            assert_eq!(scene.run(&["-f", from, "-t", to, "wtf", "-o", "out"]).code, 1);
            assert_eq!(scene.content("out"), b"old");
            let ran = scene.run(&["-c", "-v", "-f", from, "-t", to, "wtf"]);
            assert_eq!((ran.code, &ran.out[..]), (0, &[before, b" tail\n"].concat()[..]), "{}", ran.err);
            assert!(ran.err.contains("wtf:1:8: byte 10: first of 1 sequence "), "{}", ran.err);
        }
    }
}

/// What was left out is counted, and not what has something similar.
#[test]
fn what_is_similar_is_not_left_out() {
    let scene = Scene::new("convert", &[]);
    for target in ["ascii", "latin1", "windows-1252"] {
        let to = &format!("{target}//TRANSLIT");
        let ran = scene.feed(&["-c", "-v", "-t", to], "x “y”\n".as_bytes());
        assert!(ran.code == 0 && !ran.err.contains("left out"), "{target}: {}", ran.err);
        let ran = scene.feed(&["-c", "-v", "-t", to], b"\xE2\x86\x92 x\xFFy");
        assert!(ran.err.contains("1:4: byte 5: first of 1 sequence left out"), "{target}: {}", ran.err);
    }
}
