//! Values in many places, each beside a page that must not be touched.
//!
//! Short ones are copied before they are validated, by kernels that read whole words, or several bytes at once. A byte that is
//! left out, read twice in its place, or read from behind the value, is found here: each length, and what is wrong at each place.

use runecast::Utf8;

use crate::common::check::engines;
use crate::common::guard::Guarded;
use crate::common::scale;

/// More than any kernel copies.
const LONGEST: usize = 70;

/// So many other values make a text that kernels do not leave to those for short ones.
const OTHERS: usize = 40;

/// Asks all engines about `value` at both pages, among others.
fn ask(room: &mut Guarded, value: &[u8]) {
    let expected = std::str::from_utf8(value).err().map(|_| OTHERS);
    for at_end in [false, true] {
        let value = if at_end { room.at_end(value) } else { room.at_start(value) };
        // What is before it in a buffer must not make it well-formed, nor what is behind it.
        let mut values = [&b"x\xC3\xA9yz"[..]; 2 * OTHERS];
        values[OTHERS..OTHERS + 3].copy_from_slice(&[value, b"", b"y"]);
        for engine in engines() {
            let found = engine.validate_each::<Utf8, [u8]>(values);
            assert_eq!(
                found.err().map(|error| error.index),
                expected,
                "{engine:?}, at the end: {at_end}: {value:X?}"
            );
        }
    }
}

#[test]
fn values_beside_both_pages() {
    let mut room = Guarded::new(400);
    for len in 0..=LONGEST {
        let text: Vec<u8> = (0..len).map(|at| b'a' + (at % 26) as u8).collect();
        ask(&mut room, &text);
        for at in (0..len).step_by(scale::step(1, 5)) {
            // A byte that nothing is well-formed with; half a character; and all of one, if there is room.
            for bytes in [&b"\xFF"[..], b"\xA9", b"\xC3", "é".as_bytes(), "語".as_bytes(), "😀".as_bytes()]
            {
                let mut text = text.clone();
                let some = bytes.len().min(len - at);
                text[at..at + some].copy_from_slice(&bytes[..some]);
                ask(&mut room, &text);
            }
        }
    }
}
