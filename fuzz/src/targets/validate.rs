//! Any bytes: every engine, the reference decoder of the tests, std and simdutf8 say the same.
//!
//! The input is laid against the ends of accessible memory, where a read too far is a fault, or off its alignment.

use std::cell::RefCell;

use crate::choices::Choices;
use crate::common::check::Truth;
use crate::common::guard::Guarded;
use crate::common::place::{Place, UNIT};

/// Longer inputs are cut: what libFuzzer finds, it finds in the first pages.
const LONGEST: usize = 8192;

thread_local! {
    static GUARDED: RefCell<Guarded> = RefCell::new(Guarded::new(LONGEST));
    static PLACE: RefCell<Place> = RefCell::new(Place::new(LONGEST));
}

/// One execution.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    let (engine, place) = (choices.engine(), usize::from(choices.byte()));
    let bytes = choices.rest();
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let truth = Truth::about(bytes);
    match place / UNIT {
        0 => PLACE.with_borrow_mut(|room| truth.ask(engine, room.at(place, bytes))),
        1 => GUARDED.with_borrow_mut(|room| truth.ask(engine, room.at_end(bytes))),
        2 => GUARDED.with_borrow_mut(|room| truth.ask(engine, room.at_start(bytes))),
        _ => truth.ask_functions(bytes),
    }
}
