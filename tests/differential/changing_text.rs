//! Conversions of text that changes its kind at any place.
//!
//! The loops of the conversions decide for some 30 to 130 units at a time what the text is like. So here a few
//! characters of one kind stand in text of another, at every place relative to these units; behind them follows text of
//! a third kind. The output has room for exactly what the text becomes and, with the input, ends or begins at a page
//! that must not be touched. Each text is converted again with an error in the same place.

use std::fmt::Debug;

use crate::common::check::engines;
use crate::common::guard::Guarded;
use crate::common::scale::step;
use runecast::{Encoding, Engine, Reason, Utf8, Utf16, Utf32};

/// What surrounds the place.
const AROUND: [&str; 6] = ["a", "aé", "é", "a中", "中", "😀"];

/// What stands there.
const INSIDE: [&str; 7] = ["", "é", "ééé", "中", "ࠀ\u{FFFF}中", "😀", "é😀中a𐀀"];

/// Up to this character the place moves: more than any loop takes at once.
const PLACES: usize = 280;

/// The first `count` characters of a text that repeats `kind`.
fn stretch(kind: &str, count: usize) -> String {
    kind.chars().cycle().take(count).collect()
}

/// Input and output between forbidden pages.
struct Memory {
    input: Guarded,
    output: Guarded,
}

/// `src` becomes `expected`, which ends where the output ends; or there is an error at unit `at`, behind `expected`.
fn converts<S, D>(
    engine: Engine,
    memory: &mut Memory,
    src: &[S::Unit],
    expected: &[D::Unit],
    at: Option<usize>,
) where
    S: Encoding<Unit: bytemuck::Pod>,
    D: Encoding<Unit: bytemuck::Pod + Debug>,
{
    for at_end in [true, false] {
        let bytes: &[u8] = bytemuck::cast_slice(src);
        let src: &[S::Unit] = bytemuck::cast_slice(if at_end {
            memory.input.at_end(bytes)
        } else {
            memory.input.at_start(bytes)
        });
        let size = size_of_val(expected);
        let dst = if at_end { memory.output.end_mut(size) } else { memory.output.start_mut(size) };
        let dst: &mut [D::Unit] = bytemuck::cast_slice_mut(dst);
        let outcome = engine.transcode::<S, D>(src, dst);
        match (outcome, at) {
            (Ok(written), None) => assert_eq!(written, expected.len(), "{engine:?}"),
            (Err(error), Some(at)) => {
                assert!(!matches!(error.reason, Reason::OutputFull), "{engine:?}");
                assert_eq!((error.read, error.written), (at, expected.len()), "{engine:?}");
            }
            (outcome, at) => panic!("{engine:?}: {outcome:?} where the error is at {at:?}"),
        }
        assert!(*dst == *expected, "{engine:?}");
    }
}

#[test]
fn a_few_characters_of_another_kind_at_every_place() {
    let mut memory = Memory { input: Guarded::new(8 * PLACES), output: Guarded::new(8 * PLACES) };
    let engines = engines();
    for (first, before) in AROUND.into_iter().enumerate() {
        for (nth, inside) in INSIDE.into_iter().enumerate() {
            let places = step(1, 11);
            for place in ((first + 3 * nth) % places..PLACES).step_by(places) {
                let behind = AROUND[(first + nth + place) % AROUND.len()];
                let text = stretch(before, place) + inside + &stretch(behind, 2 * PLACES - place);
                let (utf16, utf32): (Vec<u16>, Vec<u32>) =
                    (text.encode_utf16().collect(), text.chars().map(u32::from).collect());
                for &engine in &engines {
                    converts::<Utf8, Utf16>(engine, &mut memory, text.as_bytes(), &utf16, None);
                    converts::<Utf8, Utf32>(engine, &mut memory, text.as_bytes(), &utf32, None);
                    converts::<Utf16, Utf8>(engine, &mut memory, &utf16, text.as_bytes(), None);
                    converts::<Utf32, Utf8>(engine, &mut memory, &utf32, text.as_bytes(), None);
                    converts::<Utf16, Utf32>(engine, &mut memory, &utf16, &utf32, None);
                    converts::<Utf32, Utf16>(engine, &mut memory, &utf32, &utf16, None);
                }
            }
        }
    }
}

#[test]
fn an_error_at_every_place() {
    const BAD: [&[u8]; 8] = [
        b"\x80",
        b"\xC3",
        b"\xE4\xB8",
        b"\xF0\x9F\x98",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF4\x90\x80\x80",
        b"\xFF",
    ];
    let mut memory = Memory { input: Guarded::new(8 * PLACES), output: Guarded::new(8 * PLACES) };
    let engines = engines();
    for (first, before) in AROUND.into_iter().enumerate() {
        for (nth, bad) in BAD.into_iter().enumerate() {
            let places = step(1, 11);
            for place in ((first + 3 * nth) % places..PLACES).step_by(places) {
                let behind = stretch(AROUND[(first + nth + place) % AROUND.len()], 2 * PLACES - place);
                let before = stretch(before, place);
                let (utf16, utf32): (Vec<u16>, Vec<u32>) =
                    (before.encode_utf16().collect(), before.chars().map(u32::from).collect());
                let bytes = [before.as_bytes(), bad, behind.as_bytes()].concat();
                let at = Some(before.len());
                assert_eq!(std::str::from_utf8(&bytes).err().map(|error| error.valid_up_to()), at);
                let lone = [0xD83D, 0xDE00][nth % 2];
                let units: Vec<u16> =
                    utf16.iter().copied().chain([lone, 0x41]).chain(behind.encode_utf16()).collect();
                let wrong = [0xD800, 0xDFFF, 0x11_0000, 0xFFFF_FFFF][nth % 4];
                let points: Vec<u32> =
                    utf32.iter().copied().chain([wrong]).chain(behind.chars().map(u32::from)).collect();
                for &engine in &engines {
                    converts::<Utf8, Utf16>(engine, &mut memory, &bytes, &utf16, at);
                    converts::<Utf8, Utf32>(engine, &mut memory, &bytes, &utf32, at);
                    let at = Some(utf16.len());
                    converts::<Utf16, Utf8>(engine, &mut memory, &units, before.as_bytes(), at);
                    converts::<Utf16, Utf32>(engine, &mut memory, &units, &utf32, at);
                    let at = Some(utf32.len());
                    converts::<Utf32, Utf8>(engine, &mut memory, &points, before.as_bytes(), at);
                    converts::<Utf32, Utf16>(engine, &mut memory, &points, &utf16, at);
                }
            }
        }
    }
}
