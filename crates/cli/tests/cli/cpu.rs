//! `runecast cpu`, end to end: the list agrees with the library, and a wish that cannot be
//! granted is not passed over in silence.

use assert_cmd::Command;
use runecast::{Engine, Isa};
use serde_json::Value;

/// Runs the command with `RUNECAST_ISA` set to `wish`.
fn cpu(wish: Option<&str>, arguments: &[&str]) -> String {
    let mut tool = Command::cargo_bin("runecast").expect("the tool is built with its tests");
    tool.arg("cpu").args(arguments).env_remove("RUNECAST_ISA");
    if let Some(wish) = wish {
        tool.env("RUNECAST_ISA", wish);
    }
    let output = tool.output().expect("the tool starts");
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
    String::from_utf8(output.stdout).expect("the tool speaks UTF-8")
}

fn json(wish: Option<&str>) -> Value {
    serde_json::from_str(&cpu(wish, &["--format", "json"])).expect("a JSON object")
}

#[test]
fn the_list_is_that_of_the_library() {
    let object = json(None);
    let names: Vec<_> = Engine::available().map(|engine| engine.isa().name()).collect();
    assert_eq!(object["available"], Value::from(names.clone()));
    assert_eq!((&object["chosen"], &object["why"]), (&names[0].into(), &"best".into()));
    assert_eq!((&object["schema"], &object["runecast_isa"]), (&1.into(), &Value::Null));
    let text = cpu(None, &[]);
    for isa in Isa::ALL {
        assert!(text.contains(isa.name()), "{text}");
    }
}

#[test]
fn every_available_kernel_can_be_asked_for() {
    for engine in Engine::available() {
        let name = engine.isa().name();
        let object = json(Some(name));
        assert_eq!((&object["chosen"], &object["why"]), (&name.into(), &"asked".into()));
        assert!(cpu(Some(name), &[]).contains("because RUNECAST_ISA asks for it"));
    }
}

#[test]
fn a_wish_that_cannot_be_granted_is_explained() {
    let elsewhere = Isa::ALL.into_iter().find(|&isa| Engine::new(isa).is_err());
    let elsewhere = elsewhere.expect("no CPU runs everything").name();
    for wish in [elsewhere, "avx1024", "\u{1b}[31m", ""] {
        let object = json(Some(wish));
        assert_eq!((&object["why"], &object["runecast_isa"]), (&"best".into(), &wish.into()));
        assert!(object["ignored_because"].is_string(), "{object}");
        let text = cpu(Some(wish), &[]);
        assert!(text.contains("is ignored: ") && !text.contains('\u{1b}'), "{text}");
    }
}
