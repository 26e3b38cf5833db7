//! Where results and messages lead to the same place, inputs stand in their order.
#![cfg(unix)]

use std::process::Command;

use crate::scene::Scene;

#[test]
fn results_and_messages_stand_in_the_order_of_the_inputs() {
    let scene = Scene::new("detect", &[("a", b"a"), ("b", b"b"), ("c", b"c"), ("bad", b"\xFF")]);
    let lines = |arguments: &str| -> Vec<String> {
        let tool = env!("CARGO_BIN_EXE_runecast");
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; '{tool}' {arguments}")])
            .current_dir(scene.directory.path())
            .output()
            .expect("a shell");
        String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
    };
    let names = |lines: Vec<String>| -> Vec<String> {
        let name = |line: &String| {
            let line = line.strip_prefix("runecast: ").unwrap_or(line);
            line.split([':', ' ']).next().unwrap_or_default().to_owned()
        };
        lines.iter().map(name).collect()
    };
    let order = ["a", "missing1", "b", "c", "missing2", "missing3", "a"];
    assert_eq!(names(lines("detect a missing1 b c missing2 missing3 a")), order);
    let listed = names(lines("check -l a missing1 bad missing2 bad"));
    assert_eq!(listed, ["missing1", "bad", "missing2", "bad"]);
    // What is complete is written before there is much of it, too.
    let many = "a missing ".repeat(3000);
    let expected: Vec<String> = (0..6000).map(|at| ["a", "missing"][at % 2].to_owned()).collect();
    assert_eq!(names(lines(&format!("detect {many}"))), expected);
}
