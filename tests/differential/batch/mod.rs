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

/// What `docs/columns.md` shows is compiled as an example.
#[test]
fn the_page_shows_the_example() {
    let page = include_str!("../../../docs/columns.md");
    let example = include_str!("../../../examples/batch.rs");
    let code = page.split("```").nth(1).and_then(|block| block.strip_prefix("rust\n")).expect("code");
    let lines = |text: &'static str| text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines(code) {
        assert!(lines(example).any(|known| known == line), "not in the example: {line}");
    }
}
