//! `check --forbid`: what is UTF-8, and what a repository does not want all the same.

use serde_json::json;

use crate::scene::{Ran, Scene, elements, expect, utf16le};

fn scene() -> Scene {
    Scene::new(
        "check",
        &[
            ("good", "café\n".as_bytes()),
            ("mark", b"\xEF\xBB\xBFx\n"),
            ("nul", b"one\ntw\0o\n"),
            ("cr", "é\r\ntwo\r\n".as_bytes()),
            ("bad", b"x\r\ncaf\xE9 x\n"),
        ],
    )
}

const ALL: [&str; 2] = ["--forbid", "bom,nul,cr"];

fn run(scene: &Scene, arguments: &[&str]) -> Ran {
    scene.run(&[&ALL[..], arguments].concat())
}

#[test]
fn each_is_an_error_in_its_place() {
    let scene = scene();
    assert_eq!(run(&scene, &["good"]), expect(0, "", ""));
    for (name, line) in [
        (
            "mark",
            "mark:1:1: byte 0: forbidden [EF BB BF] a byte order mark, which --forbid bom does not allow\n",
        ),
        ("nul", "nul:2:3: byte 6: forbidden [00] NUL, which --forbid nul does not allow\n"),
        ("cr", "cr:1:2: byte 2: forbidden [0D] a carriage return, which --forbid cr does not allow\n"),
    ] {
        assert_eq!(run(&scene, &[name]), expect(1, "", line));
        // A pipe is no other text.
        let ran = scene.feed(&ALL, &scene.content(name));
        assert_eq!(ran, expect(1, "", &line.replacen(name, "<stdin>", 1)));
        // Alone each is an error, and where it is not asked for it is none.
        let what = if name == "mark" { "bom" } else { name };
        assert_eq!(scene.run(&["--forbid", what, name]).code, 1);
        assert_eq!(scene.run(&[name]), expect(0, "", ""));
        let others: Vec<_> = ["bom", "nul", "cr"].into_iter().filter(|other| *other != what).collect();
        assert_eq!(scene.run(&["--forbid", others[0], "--forbid", others[1], name]), expect(0, "", ""));
    }
    // The first error is the first of either kind.
    assert!(run(&scene, &["bad"]).err.starts_with("bad:1:2: byte 1: forbidden [0D] "));
    let all = run(&scene, &["--all", "bad"]).err;
    let lines: Vec<_> = all.lines().filter_map(|line| line.split(" [").next()).collect();
    assert_eq!(lines, ["bad:1:2: byte 1: forbidden", "bad:2:4: byte 6: truncated"]);
    assert_eq!(run(&scene, &["--all", "--limit", "1", "cr"]).err.lines().last(), Some("cr: … and 1 more"));
}

#[test]
fn a_gate_has_an_exit_code_and_names() {
    let scene = scene();
    assert_eq!(run(&scene, &["-q", "good"]), expect(0, "", ""));
    assert_eq!(run(&scene, &["-q", "good", "cr"]), expect(1, "", ""));
    assert_eq!(run(&scene, &["-q", "cr", "missing"]).code, 2);
    let files = ["good", "mark", "nul", "cr", "bad"];
    assert_eq!(run(&scene, &[&["-l"], &files[..]].concat()), expect(1, "mark\nnul\ncr\nbad\n", ""));
    let verbose = run(&scene, &[&["-v"], &files[..]].concat());
    assert!(verbose.err.lines().any(|line| line.starts_with("good: well-formed")), "{verbose:?}");
    // What comes first in `bad` is forbidden; all of it is looked at with --all.
    let total =
        |ran: &Ran| ran.err.lines().last().and_then(|line| line.split(": ").nth(1)).map(str::to_owned);
    assert_eq!(total(&verbose).as_deref(), Some("4 with forbidden characters"));
    let all = run(&scene, &["-v", "--all", "good", "cr", "bad", "missing"]);
    assert_eq!(total(&all).as_deref(), Some("1 ill-formed, 1 with forbidden characters, 1 unreadable"));
    let github = run(&scene, &["--format", "github", "cr"]);
    let line = "::error file=cr,line=1,col=2,title=forbidden::byte 2: 0D: a carriage return, which --forbid cr does not allow\n";
    assert_eq!(github, expect(1, line, ""));
}

#[test]
fn programs_can_tell_what_is_forbidden_from_what_is_ill_formed() {
    let scene = scene();
    let objects = run(&scene, &["--all", "--format", "json", "good", "mark", "cr", "bad"]).objects();
    let statuses: Vec<_> = objects.iter().map(|object| object["status"].as_str()).collect();
    assert_eq!(statuses, [Some("well-formed"), Some("forbidden"), Some("forbidden"), Some("ill-formed")]);
    let error = json!({
        "at": 0, "len": 3, "kind": "forbidden", "bytes": [0xEF, 0xBB, 0xBF], "line": 1, "column": 1,
        "reason": "a byte order mark, which --forbid bom does not allow",
    });
    assert_eq!(objects[1]["errors"], json!([error]));
    assert_eq!((elements(&objects[2]["errors"]).len(), &objects[2]["found"]), (2, &json!(2)));
}

/// UTF-16 whose text is ASCII is well-formed UTF-8 with NUL: that it is UTF-16 is worth more than where the first NUL is.
#[test]
fn a_file_in_utf_16_is_still_called_that() {
    let scene = scene();
    scene.add("wide", &utf16le(&"plain text\r\n".repeat(9)));
    let ran = run(&scene, &["wide"]);
    assert!(ran.code == 1 && ran.err.starts_with("wide:1:2: byte 1: forbidden [00] "), "{ran:?}");
    assert!(ran.err.contains("seems to be UTF-16LE"), "{ran:?}");
}

#[test]
fn what_it_cannot_be_used_with_is_refused() {
    let scene = scene();
    for arguments in [&["-f", "utf-16", "cr"][..], &["-f", "latin1", "cr"], &["--stats", "cr"]] {
        let ran = run(&scene, arguments);
        assert!(ran.code == 2 && ran.err.starts_with("error: "), "{ran:?}");
    }
    let ran = scene.run(&["--forbid", "tabs", "cr"]);
    assert!(ran.code == 2 && ran.err.contains("it must be one of bom, nul, cr"), "{ran:?}");
    assert_eq!(run(&scene, &["-f", "utf-8", "cr"]).code, 1);
}
