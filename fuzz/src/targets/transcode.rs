//! A pair of encodings, a text, an output of some size: every engine against the oracle.
//!
//! The text is bytes as they come, or runs of characters in the source's encoding with a few bytes
//! changed; libFuzzer by itself would not come by well-formed UTF-32. The output lies between
//! canaries, its size is bounded by the input's own wish, and what must have been converted up to
//! there is known to the byte.

use std::cell::RefCell;

use crate::choices::Choices;
use crate::common::place::{Place, UNIT};
use crate::expected::{End, Expected, Output};
use crate::pairs::{PAIRS, Pair};
use crate::texts;

/// Longer texts are cut, to so many bytes; no output is longer than four times as many.
const LONGEST: usize = 2048;

thread_local! {
    static PLACE: RefCell<(Place, Output)> = RefCell::new((Place::new(LONGEST), Output::new(4 * LONGEST + 256)));
}

/// The text.
fn bytes(mut choices: Choices<'_>, pair: &Pair) -> Vec<u8> {
    let (how, changes) =
        (choices.byte(), [(choices.byte(), choices.byte()), (choices.byte(), choices.byte())]);
    let mut bytes = match how {
        0..0x60 => choices.rest().to_vec(),
        0x60..0x80 => texts::utf8(choices, LONGEST),
        _ => {
            let both = pair.source.limit.min(pair.target.limit);
            let limit = if how & 1 == 0 { both } else { pair.source.limit };
            let mut bytes = pair.source.encode_all(texts::characters(choices, limit, LONGEST / 4));
            for (at, byte) in changes.into_iter().take(usize::from(how >> 1 & 3).saturating_sub(1)) {
                let at = usize::from(at) % bytes.len().max(1);
                if let Some(place) = bytes.get_mut(at) {
                    *place = byte;
                }
            }
            bytes.truncate(bytes.len().saturating_sub(usize::from(how >> 3 & 15).saturating_sub(8)));
            bytes
        }
    };
    bytes.truncate(LONGEST.min(bytes.len() / pair.source.unit * pair.source.unit));
    bytes
}

/// One execution.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    let (engine, pair) = (choices.engine(), &PAIRS[choices.number() % PAIRS.len()]);
    let (unit_from, unit_to) = (pair.source.unit, pair.target.unit);
    let from = usize::from(choices.byte()) % (UNIT / unit_from) * unit_from;
    let to = usize::from(choices.byte()) % (UNIT / unit_to) * unit_to;
    // Units more than are needed, or fewer, or far fewer.
    let more = isize::from(choices.byte() as i8);
    let more = if more < -64 { 8 * (more + 64) - 64 } else { more.min(32) };
    let bytes = bytes(choices, pair);

    let decoded = pair.source.decode(&bytes);
    let expected = Expected::of(&decoded, &pair.target);
    let needed = expected.output.len() / unit_to;
    let room = needed.saturating_add_signed(more) * unit_to;
    PLACE.with_borrow_mut(|(place, output)| {
        let src = place.at(from, &bytes);
        output.ask(pair, engine, src, &expected, room, to);
        let seen = (pair.validate)(engine, src).err();
        let seen = seen.map(|error| (error.at * unit_from, error.len * unit_from, error.kind));
        assert_eq!(seen, decoded.error, "{engine:?} validates {}", pair.source.name);
        let len = (pair.len)(engine, src);
        if decoded.error.is_none() {
            assert_eq!((pair.count)(engine, src), decoded.characters.len());
            if expected.end == End::Complete {
                assert_eq!(len, needed);
            }
        }
        assert!(len >= needed);
    });
}
