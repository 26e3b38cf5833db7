//! Every character, alone and among others.

use super::text::{BOUNDARIES, below, limit, scalars};
use crate::common::check::engines;
use crate::common::oracle::{Decoded, Encoding, Family, Surrogates};
use crate::common::place::{Place, UNIT};
use crate::common::scale::{Scale, scale, step};
use crate::encodings::expected::{End, Expected, Output, blame};
use crate::encodings::pairs::{PAIRS, Pair, sources};
use runecast::{Reason, TranscodeError};

/// The short form of the question, for the hundreds of millions of times that it is asked.
#[test]
fn every_scalar_alone() {
    let step = step(53, 97);
    let (mut src_bytes, mut target) = (Vec::new(), Vec::new());
    for (turn, pair) in PAIRS.iter().enumerate() {
        // Each pair begins elsewhere, so that all of them together meet all.
        for character in scalars(pair.source.limit).skip(turn % step).step_by(step) {
            // Aligned for every unit.
            let (mut source, mut room) = ([0_u32; 2], [0_u32; 2]);
            src_bytes.clear();
            assert!(pair.source.encode(character.into(), &mut src_bytes));
            bytemuck::bytes_of_mut(&mut source)[..src_bytes.len()].copy_from_slice(&src_bytes);
            let src = &bytemuck::bytes_of(&source)[..src_bytes.len()];
            target.clear();
            let has = pair.target.encode(character.into(), &mut target);
            let units = target.len() / pair.target.unit;
            for engine in engines_once() {
                let dst = &mut bytemuck::bytes_of_mut(&mut room)[..target.len().max(4)];
                let right = match (pair.transcode)(*engine, src, dst) {
                    Ok(written) => has && written == units && dst.starts_with(&target),
                    Err(TranscodeError { read: 0, written: 0, reason, .. }) => {
                        !has && reason == Reason::Unrepresentable { at: 0, character }
                    }
                    Err(_) => false,
                };
                assert!(right, "{engine:?}: {character:?}, {}", blame(pair, src, 0));
            }
        }
    }
}

/// The engines, without a list made for each character.
fn engines_once() -> &'static [runecast::Engine] {
    static ONCE: std::sync::OnceLock<Vec<runecast::Engine>> = std::sync::OnceLock::new();
    ONCE.get_or_init(engines)
}

/// Long texts of all characters: in their order; and in leaps, with a letter of ASCII behind every
/// third. In the default run the pairs of UTF-8 meet all of them, each other encoding reads and writes all of them by
/// some pair, and the other pairs meet a sample.
#[test]
fn every_scalar_among_others() {
    let leaps = |all: &[char]| -> Vec<char> {
        let other = |i: usize| if i % 3 == 2 { Some('x') } else { None };
        (0..all.len()).flat_map(|i| [Some(all[i * 7919 % all.len()]), other(i)]).flatten().collect()
    };
    let has_kernel = |encoding: &Encoding| {
        encoding.surrogates == Surrogates::None && !matches!(encoding.family, Family::Leads(_))
    };
    let encodings: Vec<Encoding> = sources().map(|pair| pair.source).collect();
    for in_leaps in [false, true] {
        for (turn, source) in encodings.iter().enumerate() {
            // One text for all targets that have the same characters.
            for wanted in [0x80, 0x100, 0x11_0000] {
                for sampled in [false, true] {
                    let belongs = |pair: &&Pair| {
                        let other = encodings.iter().position(|other| *other == pair.target).unwrap_or(0);
                        let is_one_of = |often| (turn + other).is_multiple_of(often);
                        let whole = if scale() != Scale::Default {
                            true
                        } else if in_leaps {
                            is_one_of(9)
                        } else if has_kernel(&pair.source) && has_kernel(&pair.target) {
                            turn == 0 || other == 0 || is_one_of(5)
                        } else {
                            is_one_of(9)
                        };
                        pair.source == *source && limit(pair) == wanted && whole != sampled
                    };
                    let mut pairs = PAIRS.iter().filter(belongs).peekable();
                    if pairs.peek().is_none() {
                        continue;
                    }
                    let often = if sampled { 23 } else { step(1, 97) };
                    let all: Vec<char> = scalars(wanted).skip(turn % often).step_by(often).collect();
                    let text = if in_leaps { leaps(&all) } else { all };
                    let src = source.encode_all(text.iter().copied());
                    let characters = text.iter().map(|c| (u32::from(*c), len_in(source, *c))).collect();
                    let decoded = Decoded { characters, error: None };
                    let mut place = Place::new(src.len());
                    let src = place.at(0, &src);
                    for pair in pairs {
                        let expected = Expected::of(&decoded, &pair.target);
                        assert_eq!(expected.end, End::Complete);
                        let mut output = Output::new(expected.output.len());
                        for engine in engines() {
                            output.ask(pair, engine, src, &expected, expected.output.len(), 0);
                        }
                    }
                }
            }
        }
    }
}

fn len_in(encoding: &Encoding, character: char) -> usize {
    encoding.encode_all([character]).len()
}

/// Each two characters from the boundaries of the encodings, so many characters behind the beginning
/// and before the end of others: where a vector begins and where it ends.
#[test]
fn neighbours_at_the_seams() {
    let mut output = Output::new(1024);
    let mut place = Place::new(1024);
    let mut turn = 0;
    for pair in PAIRS {
        let limit = pair.source.limit;
        let boundaries: Vec<char> = BOUNDARIES
            .iter()
            .filter(|point| **point < limit)
            .filter_map(|point| char::from_u32(*point))
            .collect();
        for first in &boundaries {
            for second in boundaries.iter().step_by(step(13, 17)) {
                for ahead in [0, 1, 3, 6, 7, 14, 15, 30, 31, 62, 63] {
                    turn += 1;
                    let filler = below(['x', 'ä', 'ж', 'ह', '𐌰', 'q'][turn % 6], super::text::limit(pair));
                    let behind = [0, 1, 5, 70][turn % 4];
                    let text = std::iter::repeat_n(filler, ahead)
                        .chain([*first, *second])
                        .chain(std::iter::repeat_n(filler, behind));
                    let src = pair.source.encode_all(text);
                    let decoded = pair.source.decode(&src);
                    let expected = Expected::of(&decoded, &pair.target);
                    let src = place.at(4 * (turn % (UNIT / 4)), &src);
                    // Room for all, or for a little less.
                    let less = if turn % 3 == 0 { pair.target.unit } else { 0 };
                    let room = expected.output.len().saturating_sub(less);
                    for engine in engines_once() {
                        output.ask(pair, *engine, src, &expected, room, 0);
                    }
                }
            }
        }
    }
}
