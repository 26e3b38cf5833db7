//! What is said about wrong arguments: in our words, with the usage of the command that was meant.

use crate::scene::Scene;

#[test]
fn errors_are_in_our_words_and_show_the_usage_of_the_command() {
    let cases = [
        (&["check", "--foo"][..], "error: runecast check has no option --foo\n", "Usage: runecast check "),
        (
            &["convert", "-o", "a", "--in-place", "b"],
            "error: --output <OUT> and --in-place[=<SUFFIX>] cannot be used together\n",
            "Usage: runecast convert ",
        ),
        (
            &["repair", "--policy", "x"],
            "error: --policy <BEHAVIOUR> cannot be 'x'; it must be one of whatwg, ",
            "Usage: runecast repair ",
        ),
        (&["convert", "-t"], "error: --to <ENCODING> needs a value\n", "Usage: runecast convert "),
        (
            &["chek"],
            "error: there is no command 'chek'\n\n  tip: did you mean check?\n",
            "Usage: runecast [OPTIONS] <COMMAND>",
        ),
        (
            &["check", "--recursiv"],
            "error: runecast check has no option --recursiv\n\n  tip: did you mean --recursive?\n",
            "Usage: runecast check ",
        ),
        (&["convert", "-c", "-t", "wtf-8"], "error: -c cannot write WTF-8", "Usage: runecast convert "),
        (&["repair", "--in-place"], "error: --in-place needs a FILE\n", "Usage: runecast repair "),
        (&["convert", "--output-dir", "x"], "error: --output-dir needs a FILE\n", "Usage: runecast convert "),
        (
            &["check", "-f", "latn1", "x"],
            "error: --from <ENCODING> cannot be 'latn1': no encoding has this name (`runecast convert -l` lists all \
             names); did you mean Latin-1?\n",
            "Usage: runecast check ",
        ),
        (
            &["check", "-f", "a", "-f", "b"],
            "error: --from <ENCODING> cannot be 'a': no encoding has this name; there are UTF-8, ",
            "Usage: runecast check ",
        ),
        (
            &["check", "-f", "utf-8", "-f", "utf-8"],
            "error: --from <ENCODING> cannot be given more than once\n",
            "Usage: runecast check ",
        ),
        (&["check", ""], "error: FILE cannot be an empty name\n", "Usage: runecast check "),
        (&["check", "--all=3"], "error: --all takes no value, but has '3'\n", "Usage: runecast check "),
        (
            &["check", "-j", "0"],
            "error: --jobs <N> cannot be '0': it must be 1 or more\n",
            "Usage: runecast check ",
        ),
        (
            &["check", "--all", "--limit", "a.txt"],
            "error: --limit <N> cannot be 'a.txt': it must be a whole number\n",
            "Usage: runecast check ",
        ),
        (&["check", "--limit", "5", "x"], "error: --limit needs --all\n", "Usage: runecast check "),
        (&["explain", "--limit=5", "x"], "error: --limit needs --all\n", "Usage: runecast explain "),
        (&["check", "-0", "x"], "error: -0 needs --list\n", "Usage: runecast check "),
        (
            &["count", "--include", "*.c", "x"],
            "error: --include needs --recursive\n",
            "Usage: runecast count ",
        ),
        (
            &["convert", "--dry-run", "x"],
            "error: --dry-run needs --in-place[=<SUFFIX>]\n",
            "Usage: runecast convert ",
        ),
        (
            &["repair", "--rejects", "y", "x"],
            "error: --rejects needs --drop-lines\n",
            "Usage: runecast repair ",
        ),
        (&["cpu", "x"], "error: runecast cpu does not accept the argument 'x'\n", "Usage: runecast cpu "),
    ];
    for (arguments, what, usage) in cases {
        let scene = Scene::new("--color=never", &[]);
        let ran = scene.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.err.starts_with(what), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(usage), "{arguments:?}: {}", ran.err);
        assert!(ran.err.ends_with("For more information, try '--help'.\n"), "{arguments:?}: {}", ran.err);
    }
}

/// Who asks how to ask for help is helped.
#[test]
fn help_is_there_for_help() {
    let help = |arguments: &[&str]| {
        let ran = Scene::new("help", &[]).run(arguments);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
        ran.out
    };
    let all = help(&[]);
    assert!(String::from_utf8_lossy(&all).contains("Usage: runecast [OPTIONS] <COMMAND>"));
    assert!(help(&["--help"]) == all && help(&["-h"]) == all);
    assert!(help(&["check", "--help"]) == help(&["check"]) && help(&["check"]) != all);
    let ran = Scene::new("help", &[]).run(&["chek", "--help"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: there is no command 'chek'\n"), "{ran:?}");
}

#[test]
fn a_file_whose_name_is_no_option_is_pointed_out() {
    let scene = Scene::new("check", &[("-x.txt", b"")]);
    let ran = scene.run(&["-x.txt"]);
    assert_eq!(ran.code, 2);
    let scene = Scene::new("check", &[("--odd", b"")]);
    let ran = scene.run(&["--odd"]);
    assert!(
        ran.err.starts_with("error: runecast check has no option --odd; the file of that name is ./--odd\n"),
        "{ran:?}"
    );
    assert_eq!(scene.run(&["./--odd"]).code, 0);
}

/// What is no text is no reason to panic.
#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_errors_like_others() {
    use std::os::unix::ffi::OsStrExt as _;
    let scene = Scene::new("check", &[]);
    for odd in [&b"--\xFF"[..], b"-\xFF", b"--limit=\xFF", b"--format=\xFF"] {
        let ran = crate::scene::ran(scene.tool().arg(std::ffi::OsStr::from_bytes(odd)));
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.starts_with("error: "), "{ran:?}");
        let expected =
            odd.starts_with(b"--limit=").then_some("error: an argument that has to be text is not UTF-8\n");
        assert!(ran.err.starts_with(expected.unwrap_or_default()), "{ran:?}");
        assert!(ran.err.contains("Usage: runecast check "), "{ran:?}");
    }
}
