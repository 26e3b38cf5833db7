//! Outputs of every size, between canaries; inputs and outputs at every alignment.
//!
//! Where an output ends too early, a conversion has to write up to the last character that fits,
//! and neither less nor half of one more. That the memory behind it is left alone is not asked of
//! well-formed text only: it is on ill-formed text that kernels elsewhere wrote too far.

use super::text::{characters, irregular, limit};
use crate::common::check::engines;
use crate::common::place::{Place, UNIT};
use crate::common::scale::step;
use crate::common::texts::{Class, Rng};
use crate::encodings::expected::{Expected, Output};
use crate::encodings::pairs::PAIRS;

#[test]
fn outputs_of_every_size() {
    let mut rng = Rng::new(7);
    let mut output = Output::new(2048);
    let mut place = Place::new(2048);
    for pair in PAIRS {
        let irregular = irregular(&pair.source);
        for (i, class) in Class::ALL.into_iter().enumerate() {
            for count in [0, 1, 2, 5, 21, 70, 130] {
                let mut bytes = pair.source.encode_all(characters(class, limit(pair), count, &mut rng));
                // One in three is ill-formed behind that, with more text to follow.
                if (i + count).is_multiple_of(3) && !irregular.is_empty() {
                    bytes.extend(&irregular[rng.below(irregular.len())]);
                    bytes.extend(pair.source.encode_all(characters(class, limit(pair), 40, &mut rng)));
                }
                let expected = Expected::of(&pair.source.decode(&bytes), &pair.target);
                let src = place.at(0, &bytes);
                let unit = pair.target.unit;
                for room in (0..=expected.output.len() + 2 * unit).step_by(unit * step(3, 5)) {
                    for engine in engines() {
                        output.ask(pair, engine, src, &expected, room, unit * (room % 7));
                    }
                }
            }
        }
    }
}

/// Text that changes its class close to the end, in outputs that it fills: a loop for long text that
/// goes over from one class to another there must not trust in the room that the first one had.
#[test]
fn changes_close_to_the_end() {
    let mut rng = Rng::new(17);
    let mut output = Output::new(4096);
    let mut place = Place::new(4096);
    for pair in PAIRS {
        let classes = [Class::Two, Class::Three, Class::Four];
        for (i, before) in [Class::Ascii, Class::Two, Class::Three].into_iter().enumerate() {
            for behind in &classes[i..] {
                for count in (1..=130).step_by(step(7, 11)) {
                    let mut text = characters(before, limit(pair), 400 - count, &mut rng);
                    text.extend(characters(*behind, limit(pair), count, &mut rng));
                    let bytes = pair.source.encode_all(text);
                    let expected = Expected::of(&pair.source.decode(&bytes), &pair.target);
                    let src = place.at(0, &bytes);
                    for engine in engines() {
                        output.ask(pair, engine, src, &expected, expected.output.len(), 0);
                    }
                }
            }
        }
    }
}

/// Every alignment of the source's bytes with every one of the target's would be 4,096; so each
/// offset of one comes by with some of the other.
#[test]
fn every_alignment() {
    let mut rng = Rng::new(8);
    let mut output = Output::new(2048);
    let mut place = Place::new(2048);
    for pair in PAIRS {
        for class in Class::ALL {
            let bytes = pair.source.encode_all(characters(class, limit(pair), 150, &mut rng));
            let expected = Expected::of(&pair.source.decode(&bytes), &pair.target);
            for from in (0..UNIT).step_by(pair.source.unit * step(1, 3)) {
                let src = place.at(from, &bytes);
                let to = (from * 29 + 13) % UNIT / pair.target.unit * pair.target.unit;
                for engine in engines() {
                    output.ask(pair, engine, src, &expected, expected.output.len(), to);
                }
            }
        }
    }
}
