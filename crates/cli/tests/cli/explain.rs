//! `runecast explain`, end to end: what is said of each byte, of each error, and of the behaviours.

use crate::scene::{Ran, Scene, expect};
use serde_json::{Value, json};

fn scene(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("explain", files)
}

fn out(ran: &Ran) -> &str {
    assert_eq!(ran.err, "");
    std::str::from_utf8(&ran.out).expect("an explanation is UTF-8, whatever it explains")
}

#[test]
fn a_few_bytes_are_explained_as_a_whole() {
    let expected = "\
<hex>:1:1: byte 0: overlong
    F0 80 begins an overlong form: after F0 only 90..BF may
    follow
    Table 3-7 U+10000..U+3FFFF = F0 90..BF 80..BF 80..BF
<hex>:1:2: byte 1: unexpected continuation
    80 is a continuation byte, but no character is open
    Table 3-7: no row begins with 80
    and 1 more of this kind, up to byte 2

!    0  F0  lead of 4
!    1  80  unexpected continuation expected 90..BF
!    2  80  unexpected continuation expected 00..7F C2..F4
     3  41  ASCII                   U+0041 A
  behaviour  U+FFFD  written for bytes 0..2
  whatwg          3  U+FFFD U+FFFD U+FFFD
  per-byte        3  U+FFFD U+FFFD U+FFFD
  win32           2  U+FFFD U+FFFD
  openjdk8        3  U+FFFD U+FFFD U+FFFD
  python2         1  U+FFFD
  perl5           3  U+FFFD U+FFFD U+FFFD
  icu55           1  U+FFFD

";
    let scene = scene(&[]);
    for hex in ["F0 80 80 41", "f0808041", r"\xF0\x80\x80\x41", "0xF0, 0x80, 0x80, 0x41"] {
        assert_eq!(scene.run(&["--hex", hex]), expect(1, expected.as_bytes(), ""), "{hex}");
    }
    let piped = expected.replace("<hex>", "<stdin>");
    for arguments in [&[][..], &["-"]] {
        assert_eq!(scene.feed(arguments, b"\xF0\x80\x80A"), expect(1, piped.as_bytes(), ""));
    }
}

#[test]
fn well_formed_text_is_shown_by_its_code_points() {
    let expected = "\
<text>: well-formed
     0  2D  ASCII                   U+002D -
     1  C3  lead of 2               U+00EF ï
     2  AF  continuation 1 of 1
     3  20  ASCII                   U+0020
     4  F0  lead of 4               U+1F980 🦀
     5  9F  continuation 1 of 3
     6  A6  continuation 2 of 3
     7  80  continuation 3 of 3
";
    assert_eq!(scene(&[]).run(&["--text", "-ï 🦀"]), expect(0, expected.as_bytes(), ""));
    assert_eq!(scene(&[]).feed(&[], b""), expect(0, b"<stdin>: well-formed\n", ""));
    // Perl does not let every character pass.
    let ran = scene(&[]).run(&["--text", "\u{FFFF}"]);
    assert!(ran.code == 0 && out(&ran).ends_with("  perl5           1  U+FFFD\n"), "{ran:?}");
}

#[test]
fn of_a_long_well_formed_text_the_first_bytes_are_shown() {
    let scene = scene(&[("long", "漢字 ".repeat(40_000).as_bytes())]);
    let ran = scene.run(&["long"]);
    assert_eq!(ran.code, 0);
    let lines: Vec<_> = out(&ran).lines().collect();
    assert_eq!((lines[0], lines.len()), ("long: well-formed", 1 + 63 + 1));
    assert_eq!(lines[64], "  … of 280,000 bytes");
}

#[test]
fn the_end_of_the_input_may_be_the_error() {
    let ran = scene(&[]).run(&["-x", "61 F4 8F"]);
    assert_eq!(ran.code, 1);
    for line in [
        "<hex>:1:2: byte 1: incomplete\n",
        "    Table 3-7 U+100000..U+10FFFF = F4 80..8F 80..BF 80..BF\n",
        "!    1  F4  lead of 4\n!    2  8F  continuation 1 of 3\n",
        "     3      end of the input        expected 80..BF\n",
    ] {
        assert!(out(&ran).contains(line), "{line}: {}", out(&ran));
    }
}

#[test]
fn every_role_has_its_name() {
    let ran = scene(&[]).run(&["-x", "C0 FF 80 E9 41 ED A0 80"]);
    for line in [
        "!    0  C0  overlong lead           expected 00..7F C2..F4\n",
        "!    1  FF  never valid             expected 00..7F C2..F4\n",
        "!    2  80  unexpected continuation expected 00..7F C2..F4\n",
        "!    3  E9  lead of 3\n     4  41  ASCII                   U+0041 expected 80..BF\n",
        "!    5  ED  lead of 3\n!    6  A0  unexpected continuation expected 80..9F\n",
        // Python 2 takes a surrogate for a character.
        "  python2         4  U+FFFD U+FFFD U+FFFD U+FFFD U+0041\n                     U+D800\n",
        "    Table 3-7: no row begins with C0\n",
    ] {
        assert!(out(&ran).contains(line), "{line}: {}", out(&ran));
    }
}

#[test]
fn errors_far_from_each_other_have_stretches_of_their_own() {
    let far = [&b"x".repeat(300_000)[..], b"\xFF", &"é\n".repeat(50).into_bytes()].concat();
    let scene = scene(&[("far", &far.repeat(5)), ("two", &far.repeat(2))]);
    let few = scene.run(&["far"]);
    assert_eq!((few.code, out(&few).matches("invalid lead").count()), (1, 3));
    assert!(out(&few).contains("\nfar:51:300001: byte 600151: invalid lead\n"), "{}", out(&few));
    let end = "There are more errors from byte 900303 on, after 3 explained here.\n\
               --all explains the first 100 places;\n`check --all --limit 0` has one line for each.\n";
    assert!(out(&few).ends_with(end), "{}", out(&few));
    let all = scene.run(&["--all", "far"]);
    assert_eq!((all.code, out(&all).matches("invalid lead").count()), (1, 5));
    assert!(!out(&all).contains("--all"));
    assert!(!out(&scene.run(&["two"])).contains("--all"));
    // A little of what is around them.
    assert!(out(&few).contains("299999  78  ASCII"), "{}", out(&few));
    assert!(!out(&few).contains("299991  78  ASCII"), "{}", out(&few));
    assert!(out(&few).contains("300007  C3  lead of 2"), "{}", out(&few));
    assert!(!out(&few).contains("300010  C3  lead of 2"), "{}", out(&few));
}

#[test]
fn what_is_printed_is_bounded_for_any_input() {
    let scene = scene(&[("bad", &[0xFF; 2 << 20])]);
    let most = |arguments: &[&str], most: usize| {
        let ran = scene.run(arguments);
        assert_eq!(ran.code, 1);
        assert!(out(&ran).len() < most, "{arguments:?}: {}", out(&ran).len());
        ran
    };
    let all = most(&["--all", "bad"], 2 << 20);
    assert!(
        out(&all)
            .contains(", after 100 explained here.\n--limit N explains N places, --limit 0 every one;\n")
    );
    let few = most(&["--all", "--limit", "7", "bad"], 200 << 10);
    assert!(out(&few).contains(", after 7 explained here.\n"));
    let json = object(&most(&["--all", "--format", "json", "bad"], 4 << 20));
    assert_eq!((json["stretches"].as_array().map(Vec::len), json["more"].as_bool()), (Some(100), Some(true)));
}

/// The counts of a long run, stretch by stretch, come to those of the whole.
#[test]
fn no_stretch_cuts_what_belongs_together() {
    let form = b"\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80\xFB\xBF\xBF\xBF\xBF\xED\xA0\x80";
    let repeated = form.repeat(200);
    for cut in 0..40 {
        let scene = scene(&[("long", &[&b"x".repeat(cut), &repeated[cut..]].concat())]);
        let object = object(&scene.run(&["--all", "--limit", "0", "--format", "json", "long"]));
        let stretches = object["stretches"].as_array().expect("an array");
        assert!(stretches.len() > 20);
        let mut next = 0;
        let mut sums = [0; 7];
        for stretch in stretches {
            let (begin, end) = (stretch["span"][0].as_u64(), stretch["span"][1].as_u64());
            assert!(begin >= Some(next) && end > begin, "{stretch}");
            next = end.unwrap_or_default();
            for (sum, written) in sums.iter_mut().zip(stretch["written"].as_array().expect("an array")) {
                *sum += written["replaced"].as_u64().expect("a number");
            }
        }
        for (sum, replacement) in sums.into_iter().zip(runecast::Replacement::ALL) {
            let bytes = scene.content("long");
            // A surrogate of Python 2 is a replacement in UTF-8 only.
            let whole = runecast::transcode_lossy_len::<runecast::Utf8, runecast::Utf32>(&bytes, replacement);
            assert_eq!(sum, whole.replaced as u64, "{replacement}, {cut}");
        }
    }
}

#[test]
fn nothing_reaches_a_terminal_raw() {
    let scene = scene(&[]);
    let all: Vec<u8> = (0..=0xFF).collect();
    let text = "\u{1B}[31m\u{9B}\u{202E}\u{7}\r".as_bytes();
    for input in [&all[..], text] {
        let ran = scene.feed(&["--all"], input);
        for character in out(&ran).chars() {
            assert!(character == '\n' || !character.is_control() && character != '\u{202E}', "{character:?}");
        }
    }
}

#[test]
fn lines_fit_a_narrow_terminal() {
    let scene = scene(&[]);
    let mut input = b"\xF4\x8F\xBF\xF4\x90\xED\xB0\xF1\x80 ".repeat(4);
    input.extend_from_slice(&[0x80; 200]);
    input.extend_from_slice("…\u{10FFFF}\u{10FFFE}".as_bytes());
    for arguments in [&["--all"][..], &["--help"], &["-h"]] {
        let output = scene.tool().args(arguments).env("COLUMNS", "60").write_stdin(input.clone()).output();
        let output = output.expect("the tool starts");
        assert!(output.stderr.is_empty());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.lines().count() > 10);
        for line in text.lines() {
            assert!(line.chars().count() <= 60, "{line}");
            assert!(arguments != ["--all"] || line.trim_end() == line, "{line}");
        }
    }
}

fn object(ran: &Ran) -> Value {
    assert_eq!(ran.out.iter().filter(|byte| **byte == b'\n').count(), 1, "{ran:?}");
    serde_json::from_slice(&ran.out).expect("a JSON object")
}

#[test]
fn json_has_it_all() {
    let ran = scene(&[]).run(&["--format", "json", "--hex", "C3 A9 0A E0 41 F0"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let object = object(&ran);
    let head = ["schema", "command", "path", "status", "more", "bytes_read"].map(|member| &object[member]);
    assert_eq!(
        head,
        [&json!(1), &json!("explain"), &json!("hex"), &json!("ill-formed"), &json!(false), &json!(6)]
    );
    let [stretch] = &object["stretches"].as_array().expect("an array")[..] else { panic!("{object}") };
    assert_eq!(stretch["span"], json!([3, 6]));
    assert_eq!(
        stretch["bytes"],
        json!([
            { "at": 0, "byte": 0xC3, "role": "lead of 2", "ill_formed": false, "code_point": 0xE9 },
            { "at": 1, "byte": 0xA9, "role": "continuation 1 of 1", "ill_formed": false },
            { "at": 2, "byte": 0x0A, "role": "ASCII", "ill_formed": false, "code_point": 10 },
            { "at": 3, "byte": 0xE0, "role": "lead of 3", "ill_formed": true },
            { "at": 4, "byte": 0x41, "role": "ASCII", "ill_formed": false, "code_point": 0x41,
              "expected": [[0xA0, 0xBF]] },
            { "at": 5, "byte": 0xF0, "role": "lead of 4", "ill_formed": true },
        ])
    );
    assert_eq!(stretch["expected_at_end"], json!([[0x90, 0xBF]]));
    assert_eq!(
        stretch["errors"][0],
        json!({
            "at": 3, "len": 1, "kind": "truncated", "bytes": [0xE0, 0x41], "line": 2, "column": 1,
            "reason": "E0 begins a character of 3 bytes, but 41 follows, which is no continuation byte",
            "row": 3, "rule": "U+0800..U+0FFF = E0 A0..BF 80..BF", "row_3_1b": 4,
        })
    );
    let names: Vec<_> =
        runecast::Replacement::ALL.iter().map(|replacement| json!(replacement.name())).collect();
    let written = stretch["written"].as_array().expect("an array");
    assert_eq!(written.iter().map(|written| written["policy"].clone()).collect::<Vec<_>>(), names);
    assert_eq!(
        written[0],
        json!({ "policy": "whatwg", "replaced": 2, "code_points": [0xFFFD, 0x41, 0xFFFD] })
    );
}

#[test]
fn json_of_what_is_well_formed_or_missing() {
    let scene = scene(&[("good", b"good")]);
    let good = object(&scene.run(&["--format", "json", "good"]));
    assert_eq!((&good["status"], &good["stretches"][0]["errors"]), (&json!("well-formed"), &json!([])));
    let ran = scene.run(&["--format", "json", "missing"]);
    assert!(ran.code == 2 && ran.err.starts_with("runecast: missing: "), "{ran:?}");
    let missing = object(&ran);
    assert_eq!((&missing["status"], &missing["stretches"]), (&json!("unreadable"), &json!([])));
}

#[test]
fn wrong_calls_are_refused() {
    let scene = scene(&[("file", b"x"), ("dir/x", b"")]);
    for arguments in [
        &["--hex", "F"][..],
        &["--hex", "XY"],
        &["--hex", "F0", "file"],
        &["--text", "x", "file"],
        &["--hex", "F0", "--text", "x"],
        &["file", "file"],
        &["--format", "xml", "file"],
    ] {
        let ran = scene.run(arguments);
        assert_eq!((ran.code, ran.out.as_slice()), (2, &b""[..]), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{ran:?}");
    }
    assert_eq!(scene.run(&["dir"]), expect(2, b"", "runecast: dir: is a directory\n"));
    assert_eq!(scene.run(&["missing"]).code, 2);
}

/// The option that other commands have is known, and says where to go with what this one cannot do.
#[test]
fn the_encoding_may_be_named_if_it_is_utf_8() {
    let scene = scene(&[("file", b"x\xFF")]);
    for from in [&["-f", "utf-8"][..], &["--from=UTF8"], &["--from-code", "utf-8"]] {
        assert_eq!(scene.run(&[from, &["file"]].concat()), scene.run(&["file"]), "{from:?}");
    }
    let ran = scene.run(&["-f", "utf-16", "file"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: explain reads only UTF-8, "), "{ran:?}");
    assert!(ran.err.contains("`check --all -f`"), "{ran:?}");
}

#[test]
fn colours_come_only_when_called() {
    let scene = scene(&[]);
    assert!(!out(&scene.run(&["--hex", "FF"])).contains('\x1B'));
    assert!(out(&scene.run(&["--color", "always", "--hex", "FF"])).contains('\x1B'));
}

#[test]
fn help_teaches() {
    let ran = scene(&[]).run(&["--help"]);
    for word in ["Examples:", "Table 3-7", "--hex", "Exit codes:"] {
        assert!(out(&ran).contains(word), "{word}");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_is_no_accident() {
    let scene = scene(&[("bad", &b"\xFF                     ".repeat(100_000))]);
    let mut child = scene.process(&["explain", "--all", "bad"]).spawn().expect("the tool starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the tool ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(2), &b""[..]));
}
