//! Any bytes: every engine, the reference decoder of the tests, std and simdutf8 say the same.
//!
//! The input is also laid against the end of accessible memory, where a read too far is a fault,
//! and off its alignment.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use std::cell::RefCell;

use common::check::{Truth, engines};
use common::guard::Guarded;
use common::place::{Place, UNIT};
use libfuzzer_sys::fuzz_target;

/// Longer inputs are cut: what libFuzzer finds, it finds in the first pages.
const LONGEST: usize = 8192;

thread_local! {
    static GUARDED: RefCell<Guarded> = RefCell::new(Guarded::new(LONGEST));
    static PLACE: RefCell<Place> = RefCell::new(Place::new(LONGEST));
}

fuzz_target!(|bytes: &[u8]| {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let truth = Truth::about(bytes);
    truth.ask_functions(bytes);
    let offset = bytes.first().map_or(0, |byte| usize::from(*byte)) % UNIT;
    for engine in engines() {
        GUARDED.with_borrow_mut(|room| truth.ask(engine, room.at_end(bytes)));
        PLACE.with_borrow_mut(|place| truth.ask(engine, place.at(offset, bytes)));
    }
});
