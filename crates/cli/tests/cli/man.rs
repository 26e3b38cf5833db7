//! `runecast completions` and `runecast man`: they know every command.

use crate::scene::{Scene, expect};

/// As `runecast --help` lists them.
fn commands() -> Vec<String> {
    let out = Scene::new("--help", &[]).run(&[]).out;
    let help = String::from_utf8(out).expect("help is text");
    let list = help.split("Commands:\n").nth(1).expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    // What is set in further lies below a name.
    let lines = lines.filter(|line| !line.starts_with("   "));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn completions_know_every_command() {
    let commands = commands();
    assert!(commands.len() >= 11 && commands.contains(&"detect".to_owned()), "{commands:?}");
    let scene = Scene::new("completions", &[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = scene.run(&[shell]);
        let script = String::from_utf8(ran.out).expect("a script is text");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shell}");
        for word in commands.iter().map(String::as_str).chain(["in-place", "color"]) {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    assert_eq!(scene.run(&["tcsh"]).code, 2);
}

#[test]
fn the_script_for_bash_is_one() {
    let script = Scene::new("completions", &[]).run(&["bash"]).out;
    let scene = Scene::new("completions", &[("script", &script)]);
    match std::process::Command::new("bash").arg("-n").arg(scene.path("script")).status() {
        Ok(status) => assert!(status.success()),
        Err(why) => println!("skipped: no bash ({why})"),
    }
}

#[test]
fn every_command_has_a_page() {
    let commands = commands();
    let scene = Scene::new("man", &[]);
    let main = scene.run(&[]);
    let page = String::from_utf8(main.out).expect("a page is text");
    assert!(main.code == 0 && page.contains(".TH runecast 1"), "{page}");
    for command in commands.iter().filter(|command| *command != "help") {
        assert!(page.contains(&format!("runecast\\-{command}(1)")), "{command} is not mentioned:\n{page}");
        let ran = scene.run(&[command]);
        let page = String::from_utf8(ran.out).expect("a page is text");
        assert_eq!(ran.code, 0, "{command}");
        assert!(page.contains(&format!(".TH runecast-{command} 1  \"runecast ")), "{command}: {page}");
        assert!(
            page.contains("\n.SH EXAMPLES\n.nf\n") && page.contains("\n.SH OPTIONS\n"),
            "{command}: {page}"
        );
        // The synopsis says that there may be several files, and which value an argument is.
        let help = Scene::new("help", &[]).run(&[command]);
        let usage = help.text().lines().find_map(|line| line.strip_prefix("Usage: "));
        let plain = page.replace("\\-", "-");
        let synopsis = plain.split(".SH SYNOPSIS\n").nth(1).and_then(|rest| rest.lines().next());
        assert!(usage.is_some() && synopsis == usage, "{command}: {synopsis:?}");
        // The examples are those of the help, line by line.
        let help = Scene::new("help", &[]).run(&[command]);
        let plain = page.replace("\\-", "-").replace("\\&", "").replace("\\*(Aq", "'").replace("\\\\", "\\");
        let examples = help.text().split_once("\nExamples:\n").expect("examples").1;
        for line in examples.lines().filter(|line| !line.is_empty() && *line != "Exit codes:") {
            assert!(plain.lines().any(|other| other == line), "{command}: {line:?} is not in {page}");
        }
    }
    let unknown = scene.run(&["tango"]);
    assert!(unknown.code == 2 && unknown.err.starts_with("error: there is no command"), "{unknown:?}");
}

#[test]
fn pages_are_written_to_a_directory() {
    let scene = Scene::new("man", &[("file", b"")]);
    assert_eq!(scene.run(&["--out", "pages/man1"]), expect(0, b"", ""));
    let count = std::fs::read_dir(scene.path("pages/man1")).expect("a directory").count();
    assert_eq!(count, commands().len(), "help has no page, and runecast has one");
    assert_eq!(scene.content("pages/man1/runecast-check.1"), scene.run(&["check"]).out);
    assert_eq!(scene.run(&["cpu", "--out", "."]).code, 0);
    assert!(scene.names().contains(&"runecast-cpu.1".to_owned()));
    let failed = scene.run(&["cpu", "--out", "file/below"]);
    assert!(failed.code == 2 && failed.err.starts_with("runecast: file/below/"), "{failed:?}");
    // What is wrong with the directory is said once, not for each page.
    for place in ["file", "file/below"] {
        let failed = scene.run(&["--out", place]);
        assert_eq!((failed.code, failed.err.lines().count()), (2, 1), "{failed:?}");
        assert!(failed.err.starts_with(&format!("runecast: {place}/runecast.1: ")), "{failed:?}");
    }
}

/// What is for a text comes before what is for those who want to know how it is done; and the page says the same as the help.
#[test]
fn commands_stand_in_the_order_of_their_use() {
    let order = [
        "check",
        "convert",
        "repair",
        "explain",
        "count",
        "detect",
        "cpu",
        "lab",
        "completions",
        "man",
        "bench",
    ];
    let commands = commands();
    assert_eq!(commands[..order.len()], order);
    let readme =
        include_str!("../../README.md").lines().filter_map(|line| line.strip_prefix("    runecast "));
    let first: Vec<_> = readme.filter_map(|line| line.split(' ').next()).take(order.len()).collect();
    assert_eq!(first, order);
}
