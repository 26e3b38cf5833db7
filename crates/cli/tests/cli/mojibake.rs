//! Text that was encoded twice: what `detect` says about it, and how `repair --mojibake` undoes it.

use crate::scene::{Scene, expect};
use runecast_corpus::{Script, generate};
use serde_json::json;

/// UTF-8 that was read as windows-1252, by its table, and written as UTF-8 again.
fn encode_again(text: &str) -> String {
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned()
}

#[test]
fn detect_says_how_often() {
    let twice = encode_again(&encode_again("Grüße, 5 €\n"));
    let scene = Scene::new(
        "detect",
        &[("once", "CafÃ©\n".as_bytes()), ("twice", twice.as_bytes()), ("never", "Spaß“\n".as_bytes())],
    );
    let lines = "once: UTF-8, 99 % sure: 2 multi-byte characters, nothing ill-formed; \
                 mojibake: encoded again once, as its one character outside of ASCII shows (repair --mojibake)\n";
    let ran = scene.run(&["once", "twice", "never"]);
    assert_eq!(ran.code, 0);
    let text = ran.text();
    let mut found = text.lines();
    let once = found.next().unwrap_or_default();
    assert!(
        once.starts_with("once: UTF-8, ")
            && once.ends_with(&lines[lines.find("mojibake").unwrap()..].trim_end()),
        "{text}"
    );
    assert!(
        found
            .next()
            .is_some_and(|line| line.contains("mojibake: encoded again twice, as all of 3 characters")),
        "{text}"
    );
    assert!(found.next().is_some_and(|line| !line.contains("mojibake")), "{text}");
    let objects = scene.run(&["--format", "json", "once", "twice", "never"]).objects();
    assert_eq!(objects[0]["mojibake"], json!({ "times": 1, "characters": 1 }));
    assert_eq!(objects[1]["mojibake"], json!({ "times": 2, "characters": 3 }));
    assert_eq!(objects[2].get("mojibake"), None);
}

/// What is read of a large file may end in the middle of a character, and of a run.
#[test]
fn detect_sees_it_in_large_files() {
    for script in [Script::French, Script::Chinese] {
        let again = encode_again(&generate(script, 300_000, 1));
        let scene = Scene::new("detect", &[("a", again.as_bytes())]);
        for options in [&["a"][..], &["--whole", "a"], &["--bytes", "5001", "a"], &["--bytes", "5002", "a"]] {
            let ran = scene.run(options);
            assert!(ran.text().contains("mojibake: encoded again once"), "{script:?}, {options:?}: {ran:?}");
        }
    }
}

#[test]
fn repair_undoes_it_in_twelve_languages() {
    let languages = [
        Script::French,
        Script::German,
        Script::Czech,
        Script::Turkish,
        Script::Vietnamese,
        Script::Greek,
        Script::Cyrillic,
        Script::Arabic,
        Script::Hindi,
        Script::Thai,
        Script::Chinese,
        Script::Japanese,
    ];
    let scene = Scene::new("repair", &[]);
    for (seed, script) in (1..).zip(languages) {
        let text = generate(script, 5000, seed);
        let mut again = text.clone();
        for times in ["once", "twice", "3 times"] {
            again = encode_again(&again);
            let ran = scene.feed(&["--mojibake"], again.as_bytes());
            assert_eq!(
                (ran.code, String::from_utf8_lossy(&ran.out).as_ref()),
                (0, text.as_str()),
                "{script:?}"
            );
            assert!(ran.err.contains(&format!("mojibake undone, {times}: ")), "{ran:?}");
        }
        assert_eq!(scene.feed(&["--mojibake"], text.as_bytes()), expect(0, &text, ""), "{script:?}");
    }
}

#[test]
fn what_is_not_certain_is_left() {
    let scene = Scene::new("repair", &[]);
    for text in ["Spaß“", "Café CafÃ©", "plain", "", "É»"] {
        assert_eq!(scene.feed(&["--mojibake"], text.as_bytes()), expect(0, text, ""), "{text}");
    }
    assert_eq!(
        scene.feed(&["--mojibake", "-v"], "Spaß“".as_bytes()),
        expect(0, "Spaß“", "<stdin>: no mojibake\n")
    );
    // What looks like it is said, if anything is said, and what is right beside it.
    for (text, begin, right) in [("cafÃ©\ncafé\n", 1, 2), ("д\n\n“Ã©”\nÃ©", 4, 1), ("“Ã©” Ã©", 1, 1)]
    {
        let said = format!(
            "<stdin>: left unchanged: line {begin} has something that looks like mojibake, but line {right} has something that is already right\n"
        );
        assert_eq!(scene.feed(&["--mojibake", "-v"], text.as_bytes()), expect(0, text, &said));
        assert_eq!(scene.feed(&["--mojibake"], text.as_bytes()), expect(0, text, ""));
        scene.add("text", text.as_bytes());
        let ran = scene.run(&["--mojibake", "--format", "json", "-o", "out", "text"]);
        let object = &ran.objects()[0];
        assert_eq!(object["status"], json!("clean"));
        assert_eq!(object["reason"], json!(&said["<stdin>: left unchanged: ".len()..said.len() - 1]));
    }
    assert_eq!(
        scene.feed(&["--mojibake", "-v"], "“Ã©” é\n".as_bytes()).err,
        "<stdin>: no mojibake\n",
        "nothing is certain about a run of both"
    );
    let ran = scene.feed(&["--mojibake"], b"Caf\xC3\x83\xC2\xA9 \xE9");
    assert_eq!((ran.code, ran.out.as_slice()), (1, &b"Caf\xC3\x83\xC2\xA9 \xE9"[..]));
    assert!(
        ran.err.starts_with("<stdin>: left unchanged: it is not UTF-8, ill-formed at byte 8: "),
        "{ran:?}"
    );
}

#[test]
fn files_are_previewed_and_replaced_in_place() {
    let scene = Scene::new(
        "repair",
        &[
            ("d/a", "1\nCafÃ©\n".as_bytes()),
            ("d/b", "Café\n".as_bytes()),
            ("d/c", b"caf\xE9\n"),
            ("d/picture", b"\x89PNG\0\0\0\0\x01\x02\x03\0\0"),
        ],
    );
    let ran = scene.run(&["--mojibake", "-r", "--in-place", "--dry-run", "d"]);
    assert_eq!(ran.text(), "d/a: would be repaired\n  -2: CafÃ©\n  +2: Café\n");
    assert_eq!(scene.content("d/a"), "1\nCafÃ©\n".as_bytes());
    let ran = scene.run(&["--mojibake", "-r", "--in-place=~", "d"]);
    assert_eq!((ran.code, ran.text()), (1, ""));
    assert!(ran.err.starts_with("d/a: mojibake undone, once: 1 character\nd/c: left unchanged: "), "{ran:?}");
    assert_eq!(scene.content("d/a"), "1\nCafé\n".as_bytes());
    assert_eq!(scene.content("d/a~"), "1\nCafÃ©\n".as_bytes());
    assert_eq!((scene.content("d/b"), scene.content("d/c")), ("Café\n".into(), b"caf\xE9\n".to_vec()));
    // Again: nothing is left to do, and no backup of anything else was made.
    let ran = scene.run(&["--mojibake", "-q", "--in-place=~", "d/a", "d/b"]);
    assert_eq!(ran, expect(0, "", ""));
    assert_eq!(scene.content("d/a~"), "1\nCafÃ©\n".as_bytes());
    assert!(!scene.path("d/b~").exists() && !scene.path("d/c~").exists());

    let ran = scene.run(&["--mojibake", "--format", "json", "-o", "all", "d/a~", "d/b", "missing"]);
    assert_eq!(ran.code, 2);
    let objects = ran.objects();
    assert_eq!(objects[0]["mojibake"], json!({ "times": 1, "characters": 1 }));
    assert_eq!((&objects[0]["status"], &objects[1]["status"]), (&json!("repaired"), &json!("clean")));
    assert_eq!(objects[2]["status"], json!("failed"));
    assert!(!scene.path("all").exists(), "something was wrong");
    let ran = scene.run(&["--mojibake", "-o", "all", "d/a~", "d/b"]);
    assert_eq!((ran.code, scene.content("all")), (0, "1\nCafé\nCafé\n".into()));
}

#[test]
fn other_options_of_repair_have_no_meaning_with_it() {
    let scene = Scene::new("repair", &[]);
    for option in ["--policy=perl5", "--escape=latin1", "--replacement=x", "-flatin1", "-tutf-16le", "-j2"] {
        assert_eq!(scene.run(&["--mojibake", option]).code, 2, "{option}");
    }
}

/// A file that is converted already, and is converted once more, is how all this begins.
#[test]
fn who_encodes_twice_is_told() {
    let text = "Café “naïve” für 5 €\n";
    let tables: [(&str, &str, &[u8]); 4] = [
        ("latin1", "Latin-1", b"caf\xE9 na\xEFve \xABSANT\xC9\xBB\n"),
        ("windows-1252", "windows-1252", b"caf\xE9 \x93na\xEFve\x94 5 \x80\n"),
        ("iso-8859-15", "ISO-8859-15", b"caf\xE9 5 \xA4\n"),
        ("windows-1252", "windows-1252", b"plain\n"),
    ];
    for (option, name, old) in tables {
        let long = text.repeat(5000);
        let scene =
            Scene::new("convert", &[("new", text.as_bytes()), ("old", old), ("long", long.as_bytes())]);
        let said = |file: &str| {
            format!(
                "runecast: {file}: seems to be UTF-8 already, not {name}, and is encoded twice now; \
                 `repair --mojibake` undoes that\n"
            )
        };
        for file in ["new", "long"] {
            let ran = scene.run(&["-f", option, file]);
            assert_eq!((ran.code, ran.err), (0, said(file)), "{option}");
        }
        let ran = scene.run(&["-f", option, "old", "new", "--output-dir", "to"]);
        assert_eq!((ran.code, ran.err), (0, said("new")), "{option}");
        for arguments in [&["-f", option, "old"][..], &["-q", "-f", option, "new"], &["-f", "utf-8", "new"]] {
            let ran = scene.run(arguments);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
        }
        // It is as it was said to be.
        let converted = scene.run(&["-q", "-f", option, "new"]).out;
        let repair = Scene::new("repair", &[("twice", &converted)]);
        assert_eq!(repair.run(&["--mojibake", "-q", "twice"]).text(), text, "{option}");
    }
}
