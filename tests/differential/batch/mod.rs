//! Arrays: every value by itself, against std value by value.
//!
//! - `array`: arrays drawn at random, and the oracle that judges them.
//! - `checks`: validation by offsets and of slices, in every encoding.
//! - `views`: validation of views.
//! - `conversions`: repair and conversion.

pub mod array;
mod checks;
pub mod conversions;
mod views;

/// What the README shows is compiled as an example.
#[test]
fn the_readme_shows_the_example() {
    let readme = include_str!("../../../README.md");
    let example = include_str!("../../../examples/batch.rs");
    let (_, section) = readme.split_once("## Batches").expect("the section");
    let code = section.split("```").nth(1).and_then(|block| block.strip_prefix("rust\n")).expect("code");
    let lines = |text: &'static str| text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines(code) {
        assert!(lines(example).any(|known| known == line), "not in the example: {line}");
    }
}
