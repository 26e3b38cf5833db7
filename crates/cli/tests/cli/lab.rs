//! `runecast lab`, end to end: the tables, the worked examples, the picture, and that all of them are the same
//! every time.

use std::sync::OnceLock;

use crate::scene::{Ran, Scene, elements, expect};
use serde_json::Value;

/// The names of the schemes.
const NAMES: [&str; 10] =
    ["leb128", "tagged", "naive", "start", "one", "unary", "cleared", "rfc2044", "utf8", "corrected"];

/// Runs it, and returns what it prints.
fn lab(arguments: &[&str]) -> String {
    let Ran { code, out, err } = Scene::new("lab", &[]).run(arguments);
    assert_eq!((code, &err[..]), (0, ""));
    String::from_utf8(out).expect("the tool speaks UTF-8")
}

/// Runs it for a program.
fn json(arguments: &[&str]) -> Value {
    let text = lab(&[arguments, &["--format", "json"]].concat());
    assert_eq!(text.matches('\n').count(), 1);
    let object: Value = serde_json::from_str(&text).expect("a JSON object");
    assert_eq!((&object["schema"], &object["command"]), (&1.into(), &"lab".into()));
    object
}

/// What it finds, without further wishes.
fn findings() -> &'static Value {
    static FINDINGS: OnceLock<Value> = OnceLock::new();
    FINDINGS.get_or_init(|| json(&[]))
}

/// What a scheme takes for a text.
fn bytes(row: &Value, scheme: &str) -> f64 {
    row["schemes"][scheme].as_f64().expect("a number")
}

#[test]
fn lengths_are_those_of_the_essay() {
    let object = findings();
    let names: Vec<_> = elements(&object["schemes"]).iter().map(|scheme| &scheme["name"]).collect();
    assert_eq!(names, NAMES);
    let rows = elements(&object["bytes_per_character"]);
    assert_eq!(rows.len(), 19);
    for row in rows {
        let of = |scheme| bytes(row, scheme);
        // The notes below the tables.
        assert!(of("leb128") == of("tagged") && of("leb128") == of("unary"), "{row}");
        assert!(of("utf8") == of("cleared") && of("utf8") == of("rfc2044"), "{row}");
        // LEB128 is the shortest of all, UTF-8 shorter than what came before it.
        assert!(NAMES.iter().all(|scheme| of(scheme) >= of("leb128")), "{row}");
        assert!(of("utf8") <= of("one") && of("one") <= of("naive") && of("naive") <= of("start"), "{row}");
        assert!(of("corrected") <= of("utf8"), "{row}");
    }
    let find = |text: &str| rows.iter().find(|row| row["text"] == text).expect("this text");
    assert!(NAMES.iter().all(|scheme| bytes(find("ascii"), scheme) == 1.0));
    // "If any of the designs so far had been the proposal for UTF-8, we'd all be using UTF-16 now."
    for text in ["greek", "cyrillic", "arabic", "hebrew", "hindi", "thai", "chinese"] {
        let utf16 = find(text)["utf16"].as_f64().expect("a number");
        assert!(["naive", "start", "one"].iter().all(|scheme| bytes(find(text), scheme) > utf16), "{text}");
    }
    assert!(bytes(find("greek"), "utf8") < 2.0);
}

/// The numbers of a scheme.
fn damage<'a>(object: &'a Value, scheme: &str, kind: &str) -> &'a Value {
    let is = |row: &&Value| row["scheme"] == scheme && row["kind"] == kind;
    elements(&object["damage"]).iter().find(is).expect("its numbers")
}

#[test]
fn damage_is_what_the_essay_says() {
    let object = findings();
    assert_eq!(elements(&object["damage"]).len(), 40);
    assert_eq!(object["strict"], false);
    for row in elements(&object["damage"]) {
        let of = |member: &str| row[member].as_u64().expect("a number");
        assert_eq!(of("plain") + of("detected") + of("silent"), of("cases"), "{row}");
        assert!(of("detected_and_false") <= of("detected") && of("adrift") <= of("cases"), "{row}");
        assert!(of("lost_at_most") <= of("lost"), "{row}");
    }
    for scheme in ["start", "one", "cleared", "rfc2044", "utf8", "corrected"] {
        let numbers = damage(object, scheme, "deletion");
        assert_eq!((&numbers["silent"], &numbers["lost"]), (&0.into(), &0.into()), "{scheme}");
    }
    for scheme in ["leb128", "tagged", "naive", "unary"] {
        assert_ne!(damage(object, scheme, "deletion")["silent"], 0, "{scheme}");
    }
    // With one form only, a byte that comes in is noticed by every scheme with a start bit.
    assert_ne!(damage(object, "one", "insertion")["silent"], 0);
    let strict = json(&["--strict"]);
    assert_eq!(strict["strict"], true);
    assert_eq!(damage(&strict, "one", "insertion")["silent"], 0);
    assert_eq!(damage(&strict, "utf8", "swap"), damage(object, "utf8", "swap"));
}

#[test]
fn the_table_of_the_readme_is_right() {
    let readme = include_str!("../../../schemes/README.md");
    let object = findings();
    for scheme in NAMES {
        let kinds =
            ["deletion", "insertion", "substitution", "swap"].map(|kind| damage(object, scheme, kind));
        let mut row = format!("| `{scheme}` |");
        for numbers in kinds {
            let of = |member: &str| numbers[member].as_f64().expect("a number");
            row += &format!(" {:.1} |", of("silent") * 100.0 / (of("silent") + of("detected")));
        }
        let worst = kinds.iter().map(|numbers| numbers["lost_at_most"].as_u64()).max().flatten();
        row += &format!(" {} |", worst.expect("a number"));
        assert!(readme.contains(&row), "{row}");
    }
}

#[test]
fn tables_fit_a_narrow_terminal_and_are_the_same_every_time() {
    let (text, strict) = (lab(&[]), lab(&["--strict"]));
    assert_eq!(text, lab(&[]));
    let others = [&["--remarks"][..], &["--example", "297"], &["-e", "33577"]].map(lab);
    for text in [&text, &strict].into_iter().chain(&others) {
        for line in text.lines() {
            assert!(line.chars().count() <= 60, "{line}");
        }
    }
    for part in
        NAMES.into_iter().chain(["deletion", "insertion", "substitution", "swap", "vietnamese", "UTF-16"])
    {
        assert!(text.contains(part), "{part}");
    }
    assert!(strict.contains("of all these, strictly\n"));
}

/// The form of a scheme in an example.
fn form<'a>(example: &'a Value, scheme: &str) -> &'a Value {
    elements(&example["forms"]).iter().find(|form| form["scheme"] == scheme).expect("a form")
}

#[test]
fn worked_examples_are_those_of_the_essay() {
    for (number, scheme, bytes) in [
        ("41", "tagged", &[0x29][..]),
        ("297", "tagged", &[0x29, 0x82]),
        ("809", "tagged", &[0x29, 0x86]),
        ("33577", "tagged", &[0x29, 0x86, 0x82]),
        ("33577", "naive", &[0xB9, 0xA2, 0x93, 0x88]),
        ("297", "start", &[0x91, 0xCD, 0xC4]),
        ("297", "one", &[0x89, 0xE5]),
    ] {
        let example = json(&["--example", number]);
        let form = form(&example, scheme);
        assert_eq!(form["bytes"], Value::from(bytes), "{number} {scheme}");
        assert_eq!(form["as_in_essay"], true);
        assert!(number == "41" || !elements(&example["remarks"]).is_empty());
    }
    let example = json(&["--example", "U+8329"]);
    assert_eq!((&example["value"], &form(&example, "utf8")["as_in_essay"]), (&33577.into(), &Value::Null));
    let naive = form(&example, "naive");
    assert_eq!(naive["tag_bits"], Value::from(vec![4; 4]));
    let reads = |kind: &str, at: u64| {
        let mut damage = elements(&naive["damage"]).iter();
        let row = damage.find(|row| row["kind"] == kind && row["at"] == at).expect("this damage");
        elements(&row["reads"]).iter().map(|read| read["value"].as_u64()).collect::<Vec<_>>()
    };
    assert_eq!(reads("deletion", 0), [Some(2098)]);
    assert_eq!(reads("repetition", 1), [None, Some(2098)]);
    assert_eq!(reads("deletion", 3), [None]);
}

#[test]
fn an_example_reads_as_in_the_essay() {
    let text = lab(&["--example", "33577"]);
    for line in [
        "33577  hexadecimal 8329  binary 1000 0011 0010 1001",
        "  29 86 82  as in the essay",
        "  0.0101001 1.0000110 1.0000010",
        "  without 3       29 86        809",
        "  1011.1001 1010.0010 1001.0011 1000.1000",
        "  without 1       A2 93 88        2098",
        "  2 twice         B9 A2 A2 93 88  truncated, 2098",
        "  2 and 3 swapped B9 93 A2 88     truncated x3, 8",
        "  no number: without 4",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    // Out of the range of some.
    let text = lab(&["--example", "0xFFFFFFFF"]);
    assert_eq!(text.matches("no form: out of its range").count(), 5, "{text}");
}

#[test]
fn the_picture_is_well_formed_and_holds_the_numbers() {
    let picture = lab(&["--svg"]);
    assert!(
        picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && picture.ends_with("</svg>\n")
    );
    // Every element is closed, in order, and every attribute has its quotes.
    let mut open = Vec::new();
    for piece in picture.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag has an end");
        assert!(!text.contains(['>', '&']), "{piece}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for name in NAMES {
        assert!(picture.contains(&format!(">{name}</text>")), "{name}");
    }
    assert!(lab(&["--svg", "--strict"]).contains("One form only"));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let scene = Scene::new("lab", &[]);
    for arguments in [
        &["--svg", "--format", "json"][..],
        &["--svg", "--example", "1"],
        &["--svg", "--remarks"],
        &["--example", "1", "--remarks"],
        &["--example", "-1"],
        &["--example", "x"],
        &["file"],
    ] {
        let Ran { code, out, err } = scene.run(arguments);
        assert_eq!((code, &out[..]), (2, &b""[..]), "{arguments:?}");
        assert!(err.starts_with("error: "), "{err}");
    }
    let remarks = json(&["--remarks"]);
    assert_eq!(remarks["remarks"], findings()["remarks"]);
    assert_ne!(scene.run(&["--remarks"]), expect(0, b"", ""));
}
