//! All ways to go through a text of more than a few blocks, whichever of them this CPU would choose.

use super::super::BLOCK;
use super::far::{Turns, far};
use super::groups::groups;
use super::long::{from_memory, section, two_sections};
use super::straight::{all, every_line};
use super::{FOUR, LONG, behind_ascii, pieces};
use crate::kernel::shared::lines::{FAR, GROUP, Next, Run, SECTION, TWO_SECTIONS};
use crate::kernel::shared::turns::{self, valid_in_turns};
use crate::kernel::{Engine, Isa};

/// More than goes the usual way before turns do.
const NEAR: usize = 100 << 10;

/// Where a way stops.
enum Stop {
    /// At an error.
    Error(usize),
    /// Behind all that it was to judge, without an error.
    End(usize),
}

/// Characters of all lengths, which end at every place of a line; as many bytes or a few more.
fn text(len: usize) -> String {
    let words = [
        "a",
        "\u{E9}",
        "\u{754C}",
        "\u{1F600}",
        "ascii, and more of it. ",
        "\u{ED}\u{D7FF}\u{E000}",
        "\u{10FFFF}\u{7FF}",
    ];
    let mut text = String::new();
    let mut state = 1_u32;
    while text.len() < len {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(words[(state >> 24) as usize % words.len()]);
    }
    text
}

/// Every way from `at` on that is for a text of this length.
fn stops(src: &[u8], at: usize) -> Vec<(&'static str, Stop)> {
    let whole =
        |boundary: usize| if boundary == src.len() { Stop::End(boundary) } else { Stop::Error(boundary) };
    let run =
        |run: Run| if matches!(run.next, Next::IllFormed) { Stop::Error(run.at) } else { Stop::End(run.at) };
    let far_away = src.len() > FAR;
    let mut stops = Vec::new();
    // SAFETY: the caller has asked for the instruction set, three bytes are before `at`, and the lengths are those of the ways.
    unsafe {
        stops.push(("far", far::<false>(src, at).map_or_else(Stop::Error, Stop::End)));
        if src.len() > at + NEAR {
            let from_memory = from_memory::<false>(src, at, Next::GroupsOfThree);
            stops.push(("from memory", from_memory.map_or_else(Stop::Error, Stop::End)));
        }
        // In a cache, they may leave the rest to other loops, from where there was no error.
        let groups = groups::<4, false>(src, at, !far_away);
        if far_away || matches!(groups.next, Next::End | Next::IllFormed) {
            stops.push(("groups", run(groups)));
        }
        if !far_away && src.len() > LONG {
            stops.push(("every line", whole(every_line::<false>(src, at))));
        }
        for longest in 2..=4 {
            stops.push(("all lines", whole(all::<false>(src, longest))));
        }
        if (FOUR + 1..=SECTION).contains(&src.len()) {
            stops.push(("behind ASCII", whole(behind_ascii::<false>(src))));
            stops.push(("pieces", whole(pieces::<false>(src))));
        }
        if (LONG..=SECTION).contains(&src.len()) {
            stops.push(("a section", whole(section::<false>(src, at))));
        }
        if (SECTION + 1..=TWO_SECTIONS).contains(&src.len()) {
            stops.push(("two sections", whole(two_sections::<false>(src, at))));
        }
    }
    stops
}

/// One byte is another, at each place from `at` on that is a multiple of `step`.
fn damage(len: usize, step: usize, starts: &[usize]) {
    if Engine::new(Isa::Avx512).is_err() {
        println!("skipped: no avx512");
        return;
    }
    let mut bytes = text(len).into_bytes();
    for &at in starts {
        for place in (at..bytes.len()).step_by(step) {
            for bad in [b'a', 0x80, 0xBF, 0xC1, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0xFF] {
                let good = core::mem::replace(&mut bytes[place], bad);
                let error = core::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
                for (way, stop) in stops(&bytes, at) {
                    match stop {
                        // Behind the last whole group, or in a character that goes on there.
                        Stop::End(to) => assert!(
                            to + GROUP >= bytes.len() && error + 3 >= to,
                            "{way}: {bad:X} at {place}, from {at}: {to}"
                        ),
                        // At the error, or a character before it.
                        Stop::Error(boundary) => {
                            let whole = core::str::from_utf8(&bytes[..error])
                                .is_ok_and(|text| text.is_char_boundary(boundary));
                            assert!(
                                whole && boundary + 4 >= error,
                                "{way}: {bad:X} at {place}, from {at}: {boundary}"
                            );
                        }
                    }
                }
                bytes[place] = good;
            }
        }
    }
}

/// Within characters as well: what is before the start may be incomplete.
fn starts() -> Vec<usize> {
    let starts = if cfg!(miri) { 3..4 } else { 3..BLOCK + 4 };
    starts.collect()
}

#[test]
fn each_byte_of_a_few_groups() {
    damage(5 * GROUP, if cfg!(miri) { 97 } else { 1 }, &starts());
}

#[test]
#[cfg_attr(miri, ignore = "some thousand bytes")]
fn some_bytes_of_sections() {
    damage(SECTION - 70, 101, &starts());
    damage(SECTION + 200, 211, &starts());
    damage(16 << 10, 499, &starts());
}

#[test]
#[cfg_attr(miri, ignore = "some megabytes")]
fn some_bytes_of_more_than_a_cache_holds() {
    damage(FAR + 1000, FAR / 6 + 1, &[4, 64]);
}

#[test]
fn some_bytes_of_what_is_read_in_turns() {
    if cfg!(not(miri)) {
        damage(NEAR + (200 << 10), 7919, &[4, 64]);
    }
}

#[test]
fn turns_stop_before_the_window_of_an_error() {
    if Engine::new(Isa::Avx512).is_err() {
        println!("skipped: no avx512");
        return;
    }
    turns::tests::stops_before_the_window_of_an_error(Isa::Avx512, |text, at| {
        // SAFETY: the instruction set is there, and three bytes are before the place.
        Some(unsafe { valid_in_turns::<Turns, false>(text, at) })
    });
}
