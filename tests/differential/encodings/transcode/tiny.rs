//! The shortest texts, through the functions that take no engine: they convert these without one.
//!
//! And every length that the kernels take in one go, on all engines: there are no loops in which an
//! error at one place is like one at the next.

use super::text::{BOUNDARIES, characters, ill_formed, limit};
use crate::common::check::engines;
use crate::common::oracle::Family;
use crate::common::place::Place;
use crate::common::scale::{size, step};
use crate::common::texts::{Class, Rng};
use crate::encodings::expected::{Expected, Output};
use crate::encodings::pairs::{PAIRS, Pair, with_forms};

/// All sequences of up to three of the characters at the boundaries, and of what is ill-formed, into outputs
/// of every size.
#[test]
fn few_characters_of_any_kind() {
    let mut output = Output::new(64);
    let mut place = Place::new(64);
    for pair in with_forms() {
        let source = &pair.source;
        let boundaries =
            BOUNDARIES.into_iter().filter(|point| *point < source.limit).filter_map(char::from_u32);
        let mut alphabet: Vec<Vec<u8>> = boundaries.map(|character| source.encode_all([character])).collect();
        alphabet.extend(ill_formed(source));
        alphabet.push(Vec::new());
        let mut turn = 0;
        // Not all of them where no short-input path comes before the kernel.
        let without_short_path =
            [pair.source, pair.target].iter().any(|side| matches!(side.family, Family::Leads(_)));
        let often = size(if without_short_path { 7 } else { 1 }, 151, 307);
        for first in &alphabet {
            for second in &alphabet {
                for third in alphabet.iter().skip(turn % often).step_by(often) {
                    turn += 1;
                    let mut bytes = [&first[..], second, third].concat();
                    if turn % 11 == 0 {
                        bytes.pop();
                        bytes.truncate(bytes.len() / source.unit * source.unit);
                    }
                    let expected = Expected::of(&source.decode(&bytes), &pair.target);
                    let src = place.at(4 * (turn % 16), &bytes);
                    let unit = pair.target.unit;
                    for room in (0..=expected.output.len() + 5 * unit).step_by(unit) {
                        output.ask_function(pair, &"transcode", src, &expected, room, 0, pair.current);
                    }
                }
            }
        }
    }
}

/// Texts of one kind, with something else in them at every place, into outputs that are as long, or
/// shorter or longer by a little, or longer by much.
#[test]
fn every_short_length() {
    let mut rng = Rng::new(23);
    let mut output = Output::new(4096);
    let mut place = Place::new(4096);
    for pair in PAIRS {
        let irregular = ill_formed(&pair.source);
        for class in Class::ALL {
            for count in (0..=140).chain([190, 255, 256, 257, 290]).step_by(step(13, 17)) {
                let text = characters(class, limit(pair), count, &mut rng);
                ask(pair, &pair.source.encode_all(text.iter().copied()), &mut place, &mut output);
                let mut changed = text.clone();
                let other = characters(Class::Mixed, pair.source.limit, 1, &mut rng);
                let at = rng.below(count + 1);
                changed.splice(at..at, other);
                ask(pair, &pair.source.encode_all(changed), &mut place, &mut output);
                if !irregular.is_empty() {
                    let at = rng.below(count + 1);
                    let mut bytes = pair.source.encode_all(text[..at].iter().copied());
                    bytes.extend(&irregular[rng.below(irregular.len())]);
                    bytes.extend(pair.source.encode_all(text[at..].iter().copied()));
                    ask(pair, &bytes, &mut place, &mut output);
                }
            }
        }
    }
}

fn ask(pair: &Pair, bytes: &[u8], place: &mut Place, output: &mut Output) {
    let expected = Expected::of(&pair.source.decode(bytes), &pair.target);
    let src = place.at(bytes.len() * 4 % 64, bytes);
    let unit = pair.target.unit;
    let all = expected.output.len();
    let to = unit * (bytes.len() % 7);
    for room in
        [all, all.saturating_sub(unit), all + unit, all / 2 / unit * unit, all + 70 * unit, all + 300 * unit]
    {
        if pair.has_forms {
            output.ask_function(pair, &"transcode", src, &expected, room, to, pair.current);
        }
        for engine in engines() {
            output.ask(pair, engine, src, &expected, room, to);
        }
    }
}
