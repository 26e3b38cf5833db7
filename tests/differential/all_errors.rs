//! All errors of a text, where one is near another, near the edge of a line, or near the end.
//!
//! Behind an error the kernels find all others of some KiB in one pass, as if there had been none: what is said of a byte may rest on
//! bytes of an error before it. So here errors are put directly behind errors, with every sequence of a few bytes between them, at every
//! place around the edge of a line of 64 bytes. And random texts have errors from every few bytes to every few KiB, in pieces
//! where they are frequent and others where there are none.

use crate::common::check::engines;
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::place::{Place, UNIT};
use crate::common::reference::{self, Subpart};
use crate::common::scale;
use crate::common::texts::{BOUNDARY_BYTES, Class, ILL_FORMED, Rng};
use runecast::Engine;

#[track_caller]
fn finds_all(engine: Engine, bytes: &[u8], truth: &[Subpart]) {
    let errors =
        engine.ill_formed(bytes).map(|error| Subpart { at: error.at, len: error.len, kind: error.kind });
    // (One more than there should be would go on for ever, if it went wrong.)
    let found: Vec<_> = errors.take(truth.len() + 1).collect();
    if found != truth {
        let first = found.iter().zip(truth).position(|(found, truth)| found != truth);
        let first = first.unwrap_or(found.len().min(truth.len()));
        let around = truth.get(first).or(found.get(first)).map_or(0, |error| error.at);
        let around = &bytes[around.saturating_sub(8)..bytes.len().min(around + 8)];
        panic!(
            "{} of {} bytes: {:?} for {:?}, in {around:02X?}",
            engine.isa(),
            bytes.len(),
            found.get(first),
            truth.get(first),
        );
    }
}

/// Every string of three boundary bytes behind some errors, at every place around the edge of a line.
#[test]
fn few_bytes_behind_an_error() {
    let mut place = Place::new(400);
    let mut rng = Rng::new(171);
    let filler = Class::Latin.exactly(300, &mut rng).into_bytes();
    // An error at the beginning: what follows is taken by lines.
    let mut start = b"\xFF".to_vec();
    start.extend_from_slice(&b"-".repeat(UNIT));
    for (i, first) in BOUNDARY_BYTES.into_iter().enumerate() {
        for (j, second) in BOUNDARY_BYTES.into_iter().enumerate() {
            for third in BOUNDARY_BYTES.into_iter().skip(j % scale::step(1, 5)).step_by(scale::step(1, 5)) {
                for (error, from) in
                    [(&b"\xFF"[..], 58), (b"\xE1\x80", 57), (b"\xF1\x80\x80", 56), (b"\xC3", 60)]
                {
                    let from = from + (i + j + usize::from(third)) % 8;
                    let bytes =
                        [&start[..], &filler[..from], error, &[first, second, third], &filler[from..200]]
                            .concat();
                    let truth = reference::all(&bytes);
                    let bytes = place.at(UNIT - 1 - start.len() % UNIT, &bytes);
                    for engine in engines() {
                        finds_all(engine, bytes, &truth);
                    }
                }
            }
        }
    }
}

/// An ill-formed sequence behind another, around the edge of a line, with nothing or a character between them.
#[test]
fn errors_behind_errors() {
    let mut place = Place::new(600);
    let mut rng = Rng::new(172);
    let between = ["", "a", "é", "中", "💩", "aé"];
    for class in Class::ALL {
        let text = class.exactly(500, &mut rng).into_bytes();
        let begins = |at: &usize| text[*at] & 0xC0 != 0x80;
        for first in ILL_FORMED {
            for second in ILL_FORMED.into_iter().skip(rng.below(scale::step(2, 9))).step_by(scale::step(2, 9))
            {
                let at = (0..=200 + rng.below(70)).rev().find(begins).unwrap_or(0);
                let bytes =
                    [b"\xFF", &text[..at], first, between[rng.below(6)].as_bytes(), second, &text[at..]]
                        .concat();
                let truth = reference::all(&bytes);
                let bytes = place.at(rng.below(UNIT), &bytes);
                for engine in engines() {
                    finds_all(engine, bytes, &truth);
                }
            }
        }
    }
}

/// One more error in a text of some kilobytes, behind two with which sections begin: in every line, and beside its edges.
#[test]
fn one_among_many_lines() {
    let mut place = Place::new(6000);
    let mut rng = Rng::new(176);
    for class in Class::ALL {
        let text = class.exactly(5000, &mut rng).into_bytes();
        let begins = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
        for about in (0..text.len()).step_by(scale::size(7, 31, 463)) {
            let at = (0..=about).rev().find(begins).unwrap_or(0);
            let bad = ILL_FORMED[rng.below(ILL_FORMED.len())];
            let bytes = ["a\u{E9}".as_bytes(), b"\xFF\xC3\xA9\xFF", &text[..at], bad, &text[at..]].concat();
            let truth = reference::all(&bytes);
            let bytes = place.at(rng.below(UNIT), &bytes);
            for engine in engines() {
                finds_all(engine, bytes, &truth);
            }
        }
    }
}

/// A character that is cut short in a text that is ASCII but for it and for other errors, few or many: a line behind it, all ASCII,
/// says that it is.
#[test]
fn one_cut_short_in_ascii_behind_errors() {
    let mut place = Place::new(10_000);
    // Where a section ends depends on how many errors there are in it.
    for every in [10_000, 333].into_iter().chain((65..200).step_by(scale::step(5, 9))) {
        let bytes = place.at_mut(0, &[b'a'; 9000]);
        for at in (70..9000).step_by(every) {
            bytes[at] = 0xFF;
        }
        let others = reference::all(bytes);
        for cut in [&b"\xC3"[..], b"\xE4\xB8", b"\xF0\x9F\x98"] {
            let alone = reference::all(&[cut, b"a"].concat())[0];
            // At the end of each line, and beside it.
            for at in (128..8900).step_by(UNIT).flat_map(|end| [end - cut.len(), end - 1, end]) {
                if bytes[at..at + cut.len()].contains(&0xFF) {
                    continue;
                }
                bytes[at..at + cut.len()].copy_from_slice(cut);
                let mut truth = others.clone();
                truth.insert(others.partition_point(|error| error.at < at), Subpart { at, ..alone });
                for engine in engines() {
                    finds_all(engine, bytes, &truth);
                }
                bytes[at..at + cut.len()].fill(b'a');
            }
        }
    }
}

/// Dense text without characters of four bytes, but for one that is cut short around the edge of each line, of which some are edges of
/// sections: the line behind has what it lacks, and may be without an error by itself.
#[test]
fn four_bytes_cut_short_in_dense_text() {
    const CUT: [&[u8]; 6] =
        [b"\xF0\x90\x80", b"\xF0\x90", b"\xF0", b"\xF0\x90\x80a", b"\xF4\x90\x80\x80", b"\xED\xA0\x80"];
    let mut place = Place::new(13_000);
    for unit in ["\u{E9}", "\u{754C}"] {
        // Sections begin behind errors.
        let start = "\u{E9}\u{E9}\u{E9}".as_bytes();
        let whole =
            [b"\xFF\xC3\xA9\xFF\xC3\xA9", start, unit.repeat(11_000 / unit.len()).as_bytes()].concat();
        let bytes = place.at_mut(0, &whole);
        for edge in (UNIT..whole.len() - UNIT).step_by(UNIT) {
            for at in edge - 4..=edge {
                for cut in CUT.iter().take(scale::size(6, 6, 2)) {
                    // Whole characters before it and behind it.
                    let first = 12 + (at - 12) / unit.len() * unit.len();
                    let last = 12 + (at + cut.len() - 12).next_multiple_of(unit.len());
                    bytes[first..last].fill(b'a');
                    bytes[at..at + cut.len()].copy_from_slice(cut);
                    let truth = reference::all(bytes);
                    for engine in engines() {
                        finds_all(engine, bytes, &truth);
                    }
                    bytes[first..last].copy_from_slice(&whole[first..last]);
                }
            }
        }
    }
}

/// Texts of boundary bytes, with more ASCII between them or less, from one that is nothing but errors.
#[test]
fn boundary_bytes() {
    let mut place = Place::new(400);
    let mut rng = Rng::new(175);
    for i in 0..scale::size(100_000, 20_000, 300) {
        let (len, share) = (1 + rng.below(300), 1 + rng.below(8));
        let byte =
            |_| if rng.below(share) == 0 { BOUNDARY_BYTES[rng.below(BOUNDARY_BYTES.len())] } else { b'-' };
        let bytes: Vec<u8> = (0..len).map(byte).collect();
        let truth = reference::all(&bytes);
        let bytes = place.at(i % UNIT, &bytes);
        for engine in engines() {
            finds_all(engine, bytes, &truth);
        }
    }
}

/// Text whose errors are now frequent, now rare, of every length and at every alignment.
#[test]
fn frequent_and_rare() {
    let mut place = Place::new(30_000);
    let mut rng = Rng::new(173);
    for i in 0..scale::size(3000, 600, 3) {
        let bytes = changing(&mut rng);
        let truth = reference::all(&bytes);
        let bytes = place.at(i % UNIT, &bytes);
        for engine in engines() {
            finds_all(engine, bytes, &truth);
        }
    }
}

/// The same beside pages that must not be touched.
#[cfg(unix)]
#[test]
fn beside_forbidden_pages() {
    let mut room = Guarded::new(30_000);
    let mut rng = Rng::new(174);
    for _ in 0..scale::size(1000, 200, 3) {
        let bytes = changing(&mut rng);
        let truth = reference::all(&bytes);
        for engine in engines() {
            finds_all(engine, room.at_start(&bytes), &truth);
            finds_all(engine, room.at_end(&bytes), &truth);
        }
    }
}

/// Some pieces, each with its own kind of text and its own distance between errors; up to 30,000 bytes.
fn changing(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..1 + rng.below(4) {
        let class = Class::ALL[rng.below(Class::ALL.len())];
        let gap = [3, 20, 100, 400, 1500, 20_000][rng.below(6)];
        let about = [70, 700, 7000][rng.below(3)];
        let end = bytes.len() + 1 + rng.below(about);
        while bytes.len() < end {
            bytes.extend_from_slice(
                class.text((1 + rng.below(2 * gap)).min(end - bytes.len()), rng).as_bytes(),
            );
            bytes.extend_from_slice(ILL_FORMED[rng.below(ILL_FORMED.len())]);
        }
    }
    bytes
}
