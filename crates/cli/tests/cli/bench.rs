//! `runecast bench`, end to end: that everything is measured and said, whatever the numbers are; that JSON obeys its
//! schema, that pictures are well-formed and load nothing, and that what cannot be measured is refused in words.

use std::sync::OnceLock;

use crate::scene::{Ran, Scene, elements, expect};
use roxmltree::{Document, ParsingOptions};
use runecast::{Engine, Isa};
use serde_json::Value;

/// Arguments that leave little to be measured.
const BRIEF: [&str; 6] = ["--size", "2K", "--rounds", "2", "--curves", "256"];

/// All operations, and who does them beside the kernels.
const OPERATIONS: [(&str, &[&str]); 11] = [
    ("validate", &["std", "simdutf8"]),
    ("is-ascii", &["std"]),
    ("count", &["std"]),
    ("utf16-length", &["std"]),
    ("utf8-to-utf16", &["std"]),
    ("utf16-to-utf8", &["std"]),
    ("utf8-to-utf32", &["std"]),
    ("utf32-to-utf8", &["std"]),
    ("utf8-to-latin1", &["std"]),
    ("latin1-to-utf8", &["std"]),
    ("repair", &["std"]),
];

/// Runs it, and returns what it prints.
fn bench(scene: &Scene, arguments: &[&str]) -> String {
    let Ran { code, out, err } = scene.run(arguments);
    assert_eq!((code, &err[..]), (0, ""), "{arguments:?}");
    String::from_utf8(out).expect("the tool speaks UTF-8")
}

/// Everything, briefly: the object, the picture and the page of one run.
fn everything() -> &'static (Value, String, String) {
    static EVERYTHING: OnceLock<(Value, String, String)> = OnceLock::new();
    EVERYTHING.get_or_init(|| {
        let scene = Scene::new("bench", &[]);
        let arguments = ["--scripts", "all", "--format", "json", "--svg", "a.svg", "--html", "a.html"];
        let text = bench(&scene, &[&BRIEF[..], &arguments].concat());
        assert_eq!(text.matches('\n').count(), 1);
        assert_eq!(scene.names(), ["a.html", "a.svg"]);
        let read = |name| String::from_utf8(scene.content(name)).expect("pictures are UTF-8");
        (serde_json::from_str(&text).expect("a JSON object"), read("a.svg"), read("a.html"))
    })
}

/// The kernels of this CPU, and these.
fn with_kernels(others: &[&str]) -> Vec<String> {
    let kernels = Engine::available().map(|engine| engine.isa().name());
    let mut names: Vec<_> = kernels.chain(others.iter().copied()).map(str::to_owned).collect();
    names.sort();
    names
}

/// Checks the rivals of a row or a point, and returns their names.
fn rivals(row: &Value) -> Vec<String> {
    let rivals = row["rivals"].as_object().expect("an object");
    for (name, rival) in rivals {
        let of = |member: &str| rival[member].as_f64().expect("a number");
        let kind = match &name[..] {
            "std" | "simdutf8" => "peer",
            "read" | "copy" => "machine",
            _ => "kernel",
        };
        assert_eq!((&rival["kind"], &rival["rounds"]), (&kind.into(), &2.into()), "{row}");
        assert!(of("seconds") > 0.0 && of("median_seconds") >= of("seconds"), "{row}");
        let speed = row["bytes"].as_f64().expect("a number") / of("seconds") / 1e9;
        assert!((of("gb_per_s") / speed - 1.0).abs() < 1e-9, "{row}");
        assert_eq!(rival.as_object().map(|rival| rival.len()), Some(5), "{rival}");
    }
    rivals.keys().cloned().collect()
}

#[test]
fn every_kernel_and_every_peer_is_measured_on_every_text() {
    let object = &everything().0;
    assert_eq!((&object["schema"], &object["command"]), (&1.into(), &"bench".into()));
    assert_eq!((&object["threads"], &object["version"]), (&1.into(), &env!("CARGO_PKG_VERSION").into()));
    assert_eq!(object["kernel"], Engine::current().isa().name());
    let kernels: Vec<_> = Engine::available().map(|engine| engine.isa().name()).collect();
    assert_eq!(object["kernels"], Value::from(kernels));
    assert!(object["machine"]["cpu"].as_str().is_some_and(|cpu| !cpu.is_empty()));
    assert_eq!(object["machine"]["arch"], std::env::consts::ARCH);
    assert_eq!(object["machine"]["os"], std::env::consts::OS);
    for cache in elements(&object["machine"]["caches"]) {
        assert!(cache["name"].is_string() && cache["bytes"].as_u64() > Some(0), "{cache}");
    }
    let texts = elements(&object["texts"]);
    assert_eq!(texts.len(), 28);
    for text in texts {
        assert!(text["bytes"].as_u64().is_some_and(|bytes| (2045..=2048).contains(&bytes)), "{text}");
        assert!(text["well_formed"] == true && text.get("path").is_none(), "{text}");
    }
    for (operation, others) in OPERATIONS {
        let rows: Vec<_> =
            elements(&object["rows"]).iter().filter(|row| row["operation"] == operation).collect();
        // What only some texts can be made of is measured with those.
        match operation {
            // A short log may be ASCII, too.
            "is-ascii" => assert!(rows.iter().any(|row| row["text"] == "ascii") && rows.len() <= 3),
            "utf8-to-latin1" | "latin1-to-utf8" => {
                let names: Vec<_> = rows.iter().map(|row| row["text"].as_str()).collect();
                assert!(
                    ["ascii", "english", "french", "german"].iter().all(|name| names.contains(&Some(name)))
                );
                assert!(!names.contains(&Some("greek")) && !names.contains(&Some("chinese")), "{names:?}");
            }
            _ => assert_eq!(rows.len(), 28),
        }
        for row in rows {
            let mut expected = with_kernels(others);
            expected.sort();
            assert_eq!(rivals(row), expected, "{row}");
        }
    }
    assert!(
        elements(&object["rows"])
            .iter()
            .all(|row| { OPERATIONS.iter().any(|(operation, _)| row["operation"] == *operation) })
    );
}

#[test]
fn curves_run_beside_the_memory() {
    let curves = elements(&everything().0["curves"]);
    let names: Vec<_> = curves.iter().map(|curve| curve["operation"].as_str().unwrap_or("")).collect();
    assert_eq!(names, ["validate", "utf8-to-utf16", "utf16-to-utf8"]);
    for curve in curves {
        // Not mere ASCII, if there is anything else.
        assert_eq!(curve["text"], "vietnamese");
        let points = elements(&curve["points"]);
        let bytes: Vec<_> = points.iter().map(|point| point["bytes"].as_u64().unwrap_or(0)).collect();
        assert_eq!(bytes.len(), 3);
        for (bytes, size) in bytes.into_iter().zip([64, 128, 256]) {
            assert!((size - size / 8..=size + size / 8).contains(&bytes), "{bytes}");
        }
        for point in points {
            let names = rivals(point);
            for name in [Engine::current().isa().name(), "std", "read", "copy"] {
                assert!(names.iter().any(|found| found == name), "{name} {names:?}");
            }
            let peer = names.contains(&"simdutf8".to_owned());
            assert_eq!(
                (names.len(), peer),
                if curve["operation"] == "validate" { (5, true) } else { (4, false) }
            );
        }
    }
}

#[test]
fn the_table_has_every_kernel_and_fits_a_narrow_terminal() {
    let scene = Scene::new("bench", &[]);
    let text = bench(&scene, &[&BRIEF[..], &["--scripts", "ascii,japanese"]].concat());
    for (operation, _) in OPERATIONS {
        assert!(text.lines().any(|line| line.starts_with(operation)), "{operation}\n{text}");
    }
    let cpu = Scene::new("cpu", &[]).run(&[]).out;
    let cpu = String::from_utf8(cpu).expect("the tool speaks UTF-8");
    let mut seen = 0;
    for isa in Isa::ALL {
        let runs = cpu.lines().any(|line| line.contains(isa.name()) && !line.contains("not on this CPU"));
        let heads = text.lines().filter(|line| line.starts_with("GB/s") && line.contains(isa.name()));
        assert_eq!(heads.count() >= OPERATIONS.len(), runs, "{isa}\n{text}");
        seen += usize::from(runs);
    }
    assert_eq!(seen, Engine::available().count());
    // A row has a number for everyone, how much it gains, and its spread.
    let row = text.lines().find(|line| line.starts_with("japanese")).expect("a row");
    let numbers: Vec<_> = row.split_whitespace().skip(1).collect();
    assert_eq!(numbers.len(), seen + 4, "{row}");
    assert!(numbers[..seen + 2].iter().all(|number| number.parse::<f64>().is_ok()), "{row}");
    assert!(numbers[seen + 2].ends_with('x') && numbers[seen + 3].ends_with('%'), "{row}");
    assert!(text.contains("one thread") && text.contains("the best of 2 rounds"), "{text}");
    for line in text.lines() {
        assert!(line.chars().count() <= 61, "{line}");
    }
}

/// A picture or page as a tree, which must not name anything that would have to be loaded.
fn tree(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).expect("well-formed XML");
    for node in document.descendants() {
        assert!(
            !["script", "image", "img", "link", "use", "iframe", "foreignObject", "object"]
                .contains(&node.tag_name().name())
        );
        for attribute in node.attributes() {
            assert!(!["href", "src"].contains(&attribute.name()), "{attribute:?}");
        }
    }
    let elsewhere = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for word in ["http:", "https:", "url(", "@import", "@font-face", "//"] {
        assert!(!elsewhere.contains(word), "{word}");
    }
    document
}

/// The text of all elements of this name.
fn all<'a>(document: &'a Document<'_>, tag: &str) -> Vec<&'a str> {
    let nodes = document.descendants().filter(|node| node.tag_name().name() == tag);
    nodes.filter_map(|node| node.text()).collect()
}

/// Three digits, as tables and pictures have them.
fn digits(speed: f64) -> String {
    match speed {
        _ if speed < 9.995 => format!("{speed:.2}"),
        _ if speed < 99.95 => format!("{speed:.1}"),
        _ => format!("{speed:.0}"),
    }
}

#[test]
fn the_picture_is_whole_and_has_the_numbers() {
    let (object, svg, _) = everything();
    let document = tree(svg);
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let texts = all(&document, "text");
    for title in ["Is it UTF-8?", "From UTF-8 to UTF-16LE", "From UTF-16LE to UTF-8"] {
        // Once above the bars, once above the curve.
        assert_eq!(texts.iter().filter(|text| **text == title).count(), 2, "{title}");
    }
    let chosen = Engine::current().isa().name();
    for row in elements(&object["rows"]).iter().filter(|row| row["operation"] == "validate") {
        let speed = |rival: &str| digits(row["rivals"][rival]["gb_per_s"].as_f64().expect("a number"));
        assert!(texts.contains(&&speed(chosen)[..]), "{row}");
        let labels = |mark: &str| format!("std {mark}{}", speed("std"));
        assert!(texts.iter().any(|text| *text == labels("") || *text == labels("~")), "{row}");
    }
    for label in ["runecast", "simdutf8", "std", "read", "copy", "64", "GB/s"] {
        assert!(texts.contains(&label), "{label}");
    }
    assert!(all(&document, "title")[0].starts_with("runecast checks UTF-8 "), "{svg}");
    assert!(svg.contains("prefers-color-scheme:dark"));
    // Everything is inside.
    let root = document.root_element();
    let size = |name| root.attribute(name).and_then(|size| size.parse::<f64>().ok()).expect("a size");
    let (width, height) = (size("width"), size("height"));
    for group in root.children().filter(|node| node.tag_name().name() == "g") {
        let place = group.attribute("transform").expect("a place");
        let place = place.trim_start_matches("translate(").trim_end_matches(')');
        let place: Vec<f64> = place.split(' ').map(|at| at.parse().expect("a number")).collect();
        for node in group.descendants().filter(|node| node.tag_name().name() == "rect") {
            let of = |name| node.attribute(name).and_then(|at| at.parse::<f64>().ok()).expect("a number");
            assert!(of("x") >= 0.0 && of("width") >= 0.0 && place[0] + of("x") + of("width") <= width);
            assert!(of("y") >= 0.0 && place[1] + of("y") + of("height") <= height);
        }
    }
}

#[test]
fn the_page_is_whole_and_has_all_numbers() {
    let (object, _, html) = everything();
    let document = tree(html);
    assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    let cells = all(&document, "td");
    for row in elements(&object["rows"]) {
        for (name, rival) in row["rivals"].as_object().expect("an object") {
            let number = digits(rival["gb_per_s"].as_f64().expect("a number"));
            assert!(cells.iter().any(|cell| cell.trim_start_matches('~') == number), "{name} {row}");
        }
    }
    let headings = all(&document, "h3");
    for (operation, _) in OPERATIONS {
        assert!(headings.contains(&&format!("{operation}, GB/s")[..]), "{operation}");
    }
    let pictures = document.descendants().filter(|node| node.tag_name().name() == "svg").count();
    assert_eq!(pictures, OPERATIONS.len() + 3);
}

#[test]
fn files_are_measured_and_their_names_are_harmless() {
    let scene = Scene::new(
        "bench",
        &[
            ("a<b>&\"c\u{202e}.txt", "naïve 🦀 ".repeat(50).as_bytes()),
            ("tree/one", "один ".repeat(9).as_bytes()),
            ("tree/two", b"two \xff"),
            ("tree/sub/three", b"three"),
        ],
    );
    let arguments = ["--only", "validate,repair", "-r", "a<b>&\"c\u{202e}.txt", "tree", "--format", "json"];
    let Ran { code, out, err } =
        scene.run(&[&BRIEF[..], &arguments, &["--svg", "s", "--html", "h"]].concat());
    assert_eq!((code, &err[..]), (0, "runecast: tree: 1 file was left out: not UTF-8\n"));
    let object: Value = serde_json::from_slice(&out).expect("a JSON object");
    let texts = elements(&object["texts"]);
    assert_eq!(texts.len(), 2);
    assert_eq!(texts[0]["path"], "a<b>&\"c\u{202e}.txt");
    assert_eq!(texts[0]["name"], "a<b>&\"c\\u{202E}.txt");
    assert_eq!((&texts[0]["bytes"], &texts[1]["bytes"]), (&600.into(), &86.into()));
    assert_eq!(elements(&object["rows"]).len(), 4);
    for name in ["s", "h"] {
        let text = String::from_utf8(scene.content(name)).expect("pictures are UTF-8");
        tree(&text);
        assert!(!text.contains('\u{202e}'));
    }
    // Of a file that is longer, what fits is taken, whole characters.
    let object = bench(
        &scene,
        &["tree/one", "--size", "7", "--only", "count", "--rounds", "1", "--curves", "0", "--format", "json"],
    );
    let object: Value = serde_json::from_str(&object).expect("a JSON object");
    assert_eq!((&object["texts"][0]["bytes"], &object["curves"]), (&6.into(), &Value::Array(vec![])));
    // Standard input is a file.
    let Ran { code, out, .. } = scene.feed(&[&BRIEF[..], &["--only", "count", "-"]].concat(), b"from a pipe");
    assert_eq!(code, 0);
    assert!(String::from_utf8_lossy(&out).lines().any(|line| line.starts_with("<stdin> ")));
}

#[test]
fn what_is_ill_formed_is_measured_as_far_as_it_goes() {
    let scene = Scene::new("bench", &[("bad", b"caf\xe9 noir"), ("good", b"good")]);
    let only = ["--only", "validate,repair", "--format", "json"];
    let Ran { code, out, err } = scene.run(&[&BRIEF[..], &only, &["bad", "good"]].concat());
    assert_eq!(code, 1);
    assert_eq!(
        err,
        "runecast: bad: ill-formed at byte 3: E9 begins a character of 3 bytes, but 20 follows, which is no \
         continuation byte; only repair is measured on it\n"
    );
    let object: Value = serde_json::from_slice(&out).expect("a JSON object");
    assert_eq!(object["texts"][0]["well_formed"], false);
    let rows: Vec<_> =
        elements(&object["rows"]).iter().map(|row| (&row["operation"], &row["text"])).collect();
    assert_eq!(
        rows,
        [
            (&"validate".into(), &"good".into()),
            (&"repair".into(), &"bad".into()),
            (&"repair".into(), &"good".into())
        ]
    );
    // Nothing that was asked for can be done with it.
    let arguments = ["--only", "count", "bad", "--svg", "no.svg"];
    let Ran { code, out, err } = scene.run(&[&BRIEF[..], &arguments].concat());
    assert_eq!((code, &out[..]), (2, &b""[..]));
    assert_eq!(scene.names(), ["bad", "good"]);
    assert!(err.ends_with("runecast: count: none of the texts can be used to measure it\n"), "{err}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let scene = Scene::new("bench", &[("empty", b""), ("file", b"text"), ("tree/file", b"text")]);
    let quick = |arguments: &[&str]| scene.run(&[&BRIEF[..], &["--only", "count"], arguments].concat());
    for (arguments, err) in [
        (&["none"][..], "runecast: none: No such file or directory\n"),
        (&["empty"], "runecast: empty: contains no text to measure\n"),
        (&["tree"], "runecast: tree: is a directory; -r reads the files below it\n"),
        (&["file", "--svg", "tree"], "runecast: tree: is a directory\n"),
        (
            &["file", "--html", "no/where"],
            "runecast: no/where: cannot create a file in its directory: No such file or directory\n",
        ),
    ] {
        if cfg!(unix) {
            assert_eq!(quick(arguments), expect(2, b"", err), "{arguments:?}");
        } else {
            assert_eq!(quick(arguments).code, 2, "{arguments:?}");
        }
    }
    scene.add("other.svg", b"text");
    for (arguments, err) in [
        (&["file", "--svg", "file"][..], "runecast: file: is both input and output\n"),
        (
            &["file", "other.svg", "--html", "./other.svg"],
            "runecast: ./other.svg: is both input and output\n",
        ),
        (&["file", "--svg", "new", "--html", "new"], "runecast: new: cannot be the file of both pictures\n"),
    ] {
        assert_eq!(quick(arguments), expect(2, b"", err), "{arguments:?}");
        assert_eq!([scene.content("file"), scene.content("other.svg")], [b"text", b"text"]);
    }
    // The others are measured all the same.
    let Ran { code, out, .. } = quick(&["none", "file"]);
    assert_eq!(code, 2);
    assert!(String::from_utf8_lossy(&out).contains("\nfile "));
    for arguments in [
        &["--only", "nothing"][..],
        &["--scripts", "klingon"],
        &["--scripts", "ascii", "file"],
        &["--size", "0"],
        &["--size", "many"],
        &["--rounds", "0"],
        &["--rounds", "1", "--time", "1"],
        &["--time", "-1"],
        &["-r"],
        &["--svg", "-", "--html", "-"],
        &["--svg", "-", "--format", "json"],
    ] {
        let Ran { code, out, err } = scene.run(arguments);
        assert_eq!((code, &out[..]), (2, &b""[..]), "{arguments:?}");
        assert!(err.starts_with("error: "), "{err}");
    }
}

#[test]
fn a_picture_can_go_down_a_pipe() {
    let scene = Scene::new("bench", &[]);
    let brief = [&BRIEF[..], &["--only", "utf8-to-utf32", "--scripts", "emoji"]].concat();
    for option in ["--svg", "--html"] {
        let text = bench(&scene, &[&brief[..], &[option, "-"]].concat());
        tree(&text);
        assert!(text.contains("From UTF-8 to UTF-32LE"), "{text}");
    }
    assert_eq!(scene.names(), [""; 0]);
}

#[test]
fn time_is_kept_and_quick_is_quick() {
    let scene = Scene::new("bench", &[]);
    let text =
        bench(&scene, &["--quick", "--time", "0", "--size", "1K", "--curves", "64", "--format", "json"]);
    let object: Value = serde_json::from_str(&text).expect("a JSON object");
    let names: Vec<_> = elements(&object["texts"]).iter().map(|text| &text["name"]).collect();
    assert_eq!(names, ["world", "ascii", "cyrillic", "chinese"]);
    // Without any time, three rounds are run.
    for row in elements(&object["rows"]) {
        assert_eq!(row["rivals"]["std"]["rounds"], 3, "{row}");
    }
    assert_eq!(elements(&object["curves"][0]["points"]).len(), 1);
}

#[test]
fn the_kernel_in_use_is_the_one_that_counts() {
    let scene = Scene::new("bench", &[]);
    let arguments = [&BRIEF[..], &["--only", "validate", "--scripts", "emoji", "--format", "json"]].concat();
    for engine in Engine::available() {
        let name = engine.isa().name();
        let output =
            scene.tool().args(&arguments).env("RUNECAST_ISA", name).output().expect("the tool starts");
        let object: Value = serde_json::from_slice(&output.stdout).expect("a JSON object");
        assert_eq!(object["kernel"], name);
        assert_eq!(rivals(&object["rows"][0]), with_kernels(&["std", "simdutf8"]));
        let mut expected = vec!["copy", name, "read", "simdutf8", "std"];
        expected.sort_unstable();
        assert_eq!(rivals(&object["curves"][0]["points"][0]), expected);
    }
}
