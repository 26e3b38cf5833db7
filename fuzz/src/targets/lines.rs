//! Text in lines of 64 bytes, of kinds that lead the loops for long text from one way to another: as in `tests/differential/boundary.rs`, but
//! the fuzzer draws. Then somebody is asked.

use std::cell::RefCell;

use crate::choices::Choices;
use crate::common::check::{Truth, first_error};
use crate::common::lines::{LONGEST, lines};
use crate::common::place::{Place, UNIT};
use crate::common::reference::first_from;

thread_local! {
    static PLACE: RefCell<Place> = RefCell::new(Place::new(LONGEST));
}

/// One execution.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    let (engine, offset, what) = (choices.engine(), choices.byte(), choices.byte());
    let text = lines(|end| choices.number() % end);
    // Mostly lines begin where those of the memory do.
    let offset = if offset < 128 { 0 } else { usize::from(offset) % UNIT };
    PLACE.with_borrow_mut(|room| {
        let bytes = room.at(offset, &text);
        match what {
            // What takes ten times as long is asked seldom.
            0..16 => Truth::about(bytes).ask(engine, bytes),
            _ => {
                let error = core::str::from_utf8(bytes).err();
                first_error(engine, bytes, error.and_then(|error| first_from(bytes, error.valid_up_to())));
            }
        }
    });
}
