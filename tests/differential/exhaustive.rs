//! Every string there is.
//!
//! All strings of one, two and three bytes, all scalar values, and all strings of four bytes at
//! the ends of Table 3-7's ranges. Each stands alone, and stands inside of longer text, at the
//! places where a vector ends, for a short string never gets near the loops that carry the bulk.
//!
//! The surrounding text begins with the start of a character, so what the reference decoder says
//! of the string and an ASCII byte behind it holds in every context: it is asked once per string.

use crate::common::check::{check, engines, first_error};
use crate::common::reference::{self, Subpart};
use crate::common::scale;
use crate::common::texts::{BOUNDARY_BYTES, Class, Rng};
use runecast::{Engine, Kind};

/// Text with a gap of `N` bytes.
struct Context<const N: usize> {
    bytes: Vec<u8>,
    gap: usize,
}

impl<const N: usize> Context<N> {
    /// Text of `class` with its gap at `gap`, and some `behind` bytes behind it.
    fn new(class: Class, gap: usize, behind: usize) -> Self {
        let mut rng = Rng::new(gap as u64);
        let mut bytes = class.exactly(gap, &mut rng).into_bytes();
        bytes.extend([0; N]);
        bytes.extend_from_slice(class.text(behind, &mut rng).as_bytes());
        Context { bytes, gap }
    }

    /// Puts `string` into the gap and asks the engines.
    fn ask(&mut self, engines: &[Engine], string: &[u8; N], judged: &Judged) {
        self.bytes[self.gap..self.gap + N].copy_from_slice(string);
        let behind = self.bytes.len() > self.gap + N;
        let truth = if behind { judged.before_ascii } else { judged.alone };
        let truth = truth.map(|error| Subpart { at: error.at + self.gap, ..error });
        for engine in engines {
            first_error(*engine, &self.bytes, truth);
        }
    }
}

/// The first error of a string, alone and with something behind it.
struct Judged {
    alone: Option<Subpart>,
    before_ascii: Option<Subpart>,
}

impl Judged {
    fn new(string: &[u8]) -> Judged {
        let alone = reference::first(string);
        let before_ascii = alone.map(|error| match error.kind {
            Kind::Incomplete => Subpart { kind: Kind::Truncated, ..error },
            _ => error,
        });
        Judged { alone, before_ascii }
    }
}

/// Asks about every string of three bytes, alone and in each context.
fn strings_of_three_in(mut contexts: Vec<Context<3>>) {
    let engines = engines();
    // Those at the ends of ranges in any case.
    let ends = BOUNDARY_BYTES.iter().flat_map(|a| BOUNDARY_BYTES.map(|b| (*a, b)));
    let ends = ends.flat_map(|(a, b)| BOUNDARY_BYTES.map(|c| [a, b, c])).step_by(scale::step(1, 5));
    let all = (0..1_u32 << 24).step_by(scale::step(61, 251));
    let all = all.map(|number| {
        let [_, string @ ..] = number.to_be_bytes();
        string
    });
    for string in ends.chain(all) {
        let judged = Judged::new(&string);
        for context in &mut contexts {
            context.ask(&engines, &string, &judged);
        }
    }
}

/// Asks about every string of four boundary bytes, alone and in each context.
fn strings_of_four_in(mut contexts: Vec<Context<4>>) {
    let (engines, count) = (engines(), BOUNDARY_BYTES.len());
    for number in (0..count.pow(4)).step_by(scale::step(11, 181)) {
        let string = [3, 2, 1, 0].map(|place| BOUNDARY_BYTES[number / count.pow(place) % count]);
        let judged = Judged::new(&string);
        for context in &mut contexts {
            context.ask(&engines, &string, &judged);
        }
    }
}

/// The contexts of `class` in which a string lies across the end of a block of `boundary` bytes.
fn across<const N: usize>(class: Class, boundary: usize) -> Vec<Context<N>> {
    (boundary - 4..boundary + 4).map(|gap| Context::new(class, gap, 70)).collect()
}

#[test]
fn one_and_two_bytes() {
    check(&[]);
    for a in 0..=255 {
        check(&[a]);
        for b in (0..=255).step_by(scale::step(1, 7)) {
            check(&[a, b]);
        }
    }
}

#[test]
fn three_bytes_alone() {
    strings_of_three_in(vec![Context::new(Class::Ascii, 0, 0)]);
    for number in (0..1_u32 << 24).step_by(scale::size(13, 211, 1021)) {
        check(&number.to_be_bytes()[1..]);
    }
}

#[test]
fn three_bytes_within_a_block() {
    strings_of_three_in(vec![Context::new(Class::Ascii, 30, 20), Context::new(Class::Mixed, 13, 0)]);
}

#[test]
fn three_bytes_across_blocks_of_ascii_and_two() {
    strings_of_three_in(vec![Context::new(Class::Ascii, 62, 70), Context::new(Class::Two, 126, 70)]);
}

#[test]
fn three_bytes_across_blocks_of_three_and_four() {
    strings_of_three_in(vec![Context::new(Class::Three, 63, 70), Context::new(Class::Four, 126, 0)]);
}

#[test]
fn four_bytes_alone() {
    strings_of_four_in((0..20).map(|gap| Context::new(Class::Ascii, gap, 0)).collect());
    let count = BOUNDARY_BYTES.len();
    for number in (0..count.pow(4)).step_by(scale::step(11, 181)) {
        check(&[3, 2, 1, 0].map(|place| BOUNDARY_BYTES[number / count.pow(place) % count]));
    }
}

#[test]
fn four_bytes_across_64() {
    strings_of_four_in([Class::Ascii, Class::Two].into_iter().flat_map(|class| across(class, 64)).collect());
    strings_of_four_in([Class::Three, Class::Four].into_iter().flat_map(|class| across(class, 64)).collect());
}

#[test]
fn four_bytes_across_128() {
    strings_of_four_in(
        [Class::Latin, Class::Mixed].into_iter().flat_map(|class| across(class, 128)).collect(),
    );
}

#[test]
fn four_bytes_across_256() {
    strings_of_four_in([Class::Ascii, Class::Two].into_iter().flat_map(|class| across(class, 256)).collect());
    strings_of_four_in(
        [Class::Three, Class::Four].into_iter().flat_map(|class| across(class, 256)).collect(),
    );
}

#[test]
fn four_bytes_across_512() {
    strings_of_four_in(across(Class::Words, 512));
}

#[test]
fn every_scalar_value() {
    let engines = engines();
    let mut one = vec![b'-'; 160];
    let mut many = String::new();
    for character in ('\0'..=char::MAX).step_by(scale::step(1, 59)) {
        many.clear();
        many.extend(std::iter::repeat_n(character, 40));
        for engine in &engines {
            first_error(*engine, &many.as_bytes()[..character.len_utf8()], None);
            first_error(*engine, many.as_bytes(), None);
        }
        for at in [0, 61, 62, 63, 64, 127] {
            let slot = at..at + character.len_utf8();
            character.encode_utf8(&mut one[slot.clone()]);
            for engine in &engines {
                first_error(*engine, &one, None);
            }
            one[slot].fill(b'-');
        }
    }
}
