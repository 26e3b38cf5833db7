//! `--output-dir`: a file for each input, the same tree.

use crate::scene::{Scene, expect, utf16le};

fn scene(command: &'static str) -> Scene {
    Scene::new(
        command,
        &[
            ("in/a.txt", b"caf\xE9\n"),
            ("in/deep/er/b.txt", b"na\xEFve\n"),
            ("in/deep/plain", b"plain\n"),
            ("in/picture", b"\x89PNG\0\0\0\0\x01\x02\x03\0\0"),
            ("other/a.txt", b"other\n"),
        ],
    )
}

#[test]
fn the_tree_is_kept_and_inputs_are_not_touched() {
    let scene = scene("convert");
    for threads in ["-j1", "-j3"] {
        let ran = scene.run(&["-f", "latin1", "-r", "in", threads, "--output-dir", "out/new"]);
        assert_eq!(
            ran,
            expect(0, "", "runecast: 1 file not copied: not text (--binary includes such files)\n")
        );
        assert_eq!(scene.content("out/new/a.txt"), "café\n".as_bytes());
        assert_eq!(scene.content("out/new/deep/er/b.txt"), "naïve\n".as_bytes());
        assert_eq!(scene.content("out/new/deep/plain"), b"plain\n");
        assert!(!scene.path("out/new/picture").exists(), "what is no text is passed over");
        assert_eq!(scene.content("in/a.txt"), b"caf\xE9\n");
        // What is there is replaced; and nothing else is there.
        scene.add("out/new/a.txt", b"old");
        assert_eq!(std::fs::read_dir(scene.path("out/new/deep")).expect("a directory").count(), 2);
    }
    // A trailing slash, and a tree that is named from elsewhere.
    assert_eq!(scene.run(&["-f", "latin1", "-r", "./in/deep/", "--output-dir", "o2/"]).code, 0);
    assert_eq!(scene.content("o2/er/b.txt"), "naïve\n".as_bytes());
}

#[test]
fn named_files_stand_in_it_by_their_names() {
    let scene = scene("convert");
    let ran =
        scene.run(&["-f", "latin1", "-t", "utf-16", "in/deep/plain", "in/a.txt", "--output-dir", "out"]);
    assert_eq!(ran, expect(0, "", ""));
    let marked = |text: &str| {
        [&[0xFE, 0xFF][..], &text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>()].concat()
    };
    assert_eq!(
        (scene.content("out/plain"), scene.content("out/a.txt")),
        (marked("plain\n"), marked("café\n"))
    );
    // One input, too.
    assert_eq!(scene.run(&["-t", "utf-16le", "other/a.txt", "--output-dir", "single"]).code, 0);
    assert_eq!(scene.content("single/a.txt"), utf16le("other\n"));
    // The second of a name is refused, and the first is there.
    let ran = scene.run(&["-f", "latin1", "in/a.txt", "other/a.txt", "in/deep/plain", "--output-dir", "two"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.starts_with("runecast: other/a.txt: would be written to two/a.txt, like an earlier input"),
        "{ran:?}"
    );
    assert_eq!(
        (scene.content("two/a.txt"), scene.content("two/plain")),
        ("café\n".into(), b"plain\n".to_vec())
    );
}

#[test]
fn a_file_with_an_error_is_left_out_and_the_others_are_there() {
    let scene = scene("convert");
    scene.add("out/a.txt", b"before");
    let ran = scene.run(&["-r", "in", "--output-dir", "out"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.err.lines().count(), 3, "{ran:?}");
    assert_eq!(scene.content("out/a.txt"), b"before");
    assert_eq!(scene.content("out/deep/plain"), b"plain\n");
    assert!(!scene.path("out/deep/er/b.txt").exists());
    let ran = scene.run(&["-r", "in", "missing", "--output-dir", "o3", "--format", "json"]);
    assert_eq!((ran.code, ran.objects().len()), (2, 4));
    assert!(scene.path("o3/deep/plain").exists());
}

#[test]
fn repair_writes_all_files_of_the_tree() {
    let scene = scene("repair");
    let ran = scene.run(&["--escape", "latin1", "-r", "in", "--output-dir", "out", "-q"]);
    assert_eq!(ran, expect(1, "", ""));
    assert_eq!(scene.content("out/a.txt"), "café\n".as_bytes());
    assert_eq!(scene.content("out/deep/er/b.txt"), "naïve\n".as_bytes());
    assert_eq!(scene.content("out/deep/plain"), b"plain\n");
    assert_eq!(scene.content("in/a.txt"), b"caf\xE9\n");

    scene.add("m/a", "CafÃ©".as_bytes());
    scene.add("m/b/c", "Café".as_bytes());
    assert_eq!(scene.run(&["--mojibake", "-q", "-r", "m", "--output-dir", "o4"]), expect(0, "", ""));
    assert_eq!((scene.content("o4/a"), scene.content("o4/b/c")), ("Café".into(), "Café".into()));
}

#[test]
fn no_output_is_an_input() {
    let scene = scene("convert");
    for directory in ["in", "in/new", "./in/../in/deep", "in/deep/er/x/y"] {
        let ran = scene.run(&["-f", "latin1", "-r", "other", "in", "--output-dir", directory]);
        assert_eq!(ran.code, 2, "{directory}");
        assert!(
            ran.err.starts_with(
                "error: the DIR of --output-dir must not be a directory that -r reads, or below one"
            ),
            "{ran:?}"
        );
    }
    assert!(!scene.path("in/new").exists());
    // A file that would be replaced by itself.
    let ran = scene.run(&["-f", "latin1", "in/a.txt", "other/a.txt", "--output-dir", "in"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("runecast: in/a.txt: is both input and output"), "{ran:?}");
    assert_eq!(scene.content("in/a.txt"), b"caf\xE9\n");
    // Nor by another one, in any order, or where a tree is read that contains the directory's like.
    let ran = scene.run(&["-f", "latin1", "other/a.txt", "in/a.txt", "--output-dir", "in"]);
    assert_eq!(ran.code, 2);
    let why = "runecast: other/a.txt: would be written to in/a.txt, which is an input or below a directory that is read";
    assert!(ran.err.starts_with(why), "{ran:?}");
    assert_eq!(scene.content("in/a.txt"), b"caf\xE9\n");
    scene.add("pkg/src/src/x", b"inner");
    scene.add("pkg/src/x", b"outer");
    for list in [None, Some(b"pkg/src\0")] {
        let ran = match list {
            None => scene.run(&["-f", "latin1", "-r", "pkg/src", "--output-dir", "pkg"]),
            Some(list) => {
                scene.add("list", list);
                scene.run(&["-f", "latin1", "-r", "--files0-from", "list", "--output-dir", "pkg"])
            }
        };
        assert_eq!(ran.code, 2);
        assert!(
            ran.err.contains("pkg/src/src/x: would be written to pkg/src/x, which is an input"),
            "{ran:?}"
        );
        assert_eq!((scene.content("pkg/src/x"), scene.content("pkg/x")), (b"outer".into(), b"outer".into()));
    }
    for wrong in [
        &["-", "--output-dir", "x"][..],
        &["--output-dir", "x"],
        &["a", "-o", "b", "--output-dir", "x"],
        &["a", "--in-place", "--output-dir", "x"],
    ] {
        assert_eq!(scene.run(wrong).code, 2, "{wrong:?}");
    }
    // A file in the way of a directory.
    scene.add("way", b"");
    let ran = scene.run(&["-f", "latin1", "-r", "in", "--output-dir", "way"]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 4), "{ran:?}");
}

/// Who copies a tree by a script has to learn that the copy is not all of it.
/// A directory that is yet to be made leads back to the one that it is made in.
#[test]
fn no_output_is_an_input_behind_a_directory_that_is_not_there() {
    let scene = Scene::new("convert", &[("in/a", b"a"), ("b", b"b")]);
    for directory in ["gone/../in/x", "in/../gone/../in", "gone/deep/../../in/x/y"] {
        let ran = scene.run(&["-r", "in", "--output-dir", directory]);
        let said = "error: the DIR of --output-dir must not be a directory that -r reads, or below one";
        assert!(ran.code == 2 && ran.err.starts_with(said), "{directory}: {ran:?}");
    }
    assert_eq!(scene.names(), ["b", "in"]);
    assert_eq!(scene.run(&["-r", "in", "--output-dir", "in/../gone/../out"]), expect(0, b"", ""));
    assert_eq!(scene.content("out/a"), b"a");
    let rejects = Scene::new("repair", &[("in/a", b"a\n\xFF\n")]);
    let ran = rejects.run(&["-r", "in", "--drop-lines", "-o", "out", "--rejects", "in/gone/../a"]);
    assert!(ran.code == 2 && ran.err.contains("is an input or below a directory that is read"), "{ran:?}");
}

#[test]
fn what_is_no_text_is_counted_where_a_copy_is_made() {
    let scene = scene("repair");
    scene.add("in/deep/tool", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0");
    let said = "runecast: 2 files not copied: not text (--binary includes such files)";
    for options in [&[][..], &["--drop-lines"], &["--mojibake"], &["--format", "json"], &["-v"]] {
        let ran = scene.run(&[options, &["-r", "in", "--output-dir", "out"]].concat());
        assert_eq!((ran.code, ran.err.matches(said).count()), (1, 1), "{options:?}: {ran:?}");
    }
    let mut tool = scene.process(&["convert", "-f", "latin1", "-r", "in", "--output-dir", "out"]);
    let output = tool.output().expect("the tool starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("{said}\n"));
    // Nothing is missing, or nothing was to be said, or there is no copy.
    assert_eq!(scene.run(&["-r", "in", "--binary", "--output-dir", "all"]).err.matches("copied").count(), 0);
    assert!(scene.path("all/picture").exists());
    assert_eq!(scene.run(&["-q", "-r", "in", "--output-dir", "out"]).err, "");
    assert_eq!(scene.run(&["-r", "in", "-o", "one"]).err.matches("no text").count(), 0);
}

#[cfg(unix)]
#[test]
fn what_is_private_stays_so() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let scene = scene("convert");
    let mode = |name: &str| metadata(scene.path(name)).expect("a file").permissions().mode() & 0o777;
    let set = |name: &str, mode| {
        set_permissions(scene.path(name), Permissions::from_mode(mode)).expect("its permissions");
    };
    set("in/a.txt", 0o600);
    set("in/deep/plain", 0o744);
    set("in/deep/er/b.txt", 0o444);
    for _ in 0..2 {
        assert_eq!(scene.run(&["-q", "-f", "latin1", "-r", "in", "--output-dir", "out"]), expect(0, "", ""));
        // (Whatever the umask is, it hardly takes away what is the user's own.)
        assert_eq!(mode("out/a.txt"), 0o600);
        assert_eq!(mode("out/deep/plain") & 0o733, 0o700);
        assert_eq!(mode("out/deep/er/b.txt") & 0o733, 0o600, "which can be written again");
    }
}
