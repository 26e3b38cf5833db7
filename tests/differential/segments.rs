//! Long text that changes its script, spoiled where it does.
//!
//! A kernel may look at some hundred bytes, see that they are all of one width, and take a loop
//! made for that width. What it knows of a character that began in one loop must not get lost in
//! the next: a C0, a lead byte or a continuation byte on the last place before the change is what
//! slips through. So runs of each width, of random length, follow each other here, and bad bytes
//! are put everywhere: where one loop gives way to another is the kernel's own affair, and this test need not
//! know it.

use crate::common::check::{Truth, engines, first_error};
use crate::common::place::{Place, UNIT};
use crate::common::reference;
use crate::common::scale;
use crate::common::texts::{Class, ILL_FORMED, Rng};

/// The bytes that are put in, one of each class.
const BAD_BYTES: [u8; 14] =
    [0x41, 0x80, 0x9F, 0xBF, 0xC0, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xFF];

/// Runs of single classes, and where one ends and the next begins.
struct Segments {
    bytes: Vec<u8>,
    changes: Vec<usize>,
}

impl Segments {
    /// `runs` runs of `shortest..=longest` bytes.
    fn new(rng: &mut Rng, runs: usize, shortest: usize, longest: usize) -> Segments {
        let (mut bytes, mut changes) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let class = Class::ALL[rng.below(Class::ALL.len())];
            let len = shortest + rng.below(longest - shortest + 1);
            bytes.extend_from_slice(class.text(len, rng).as_bytes());
            changes.push(bytes.len());
        }
        Segments { bytes, changes }
    }

    /// The offsets to spoil: all of them, or, where the work is to be cut, some of those within
    /// four bytes of a change or of the end of a block of 64.
    fn places(&self) -> Vec<usize> {
        if !scale::small() {
            return (0..self.bytes.len()).collect();
        }
        let boundaries = (0..=self.bytes.len()).step_by(64).chain(self.changes.iter().copied());
        let mut places: Vec<usize> = boundaries
            .flat_map(|boundary| boundary.saturating_sub(4)..(boundary + 4).min(self.bytes.len()))
            .step_by(7)
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The nearest character boundary at or before `at`, with at least four bytes in between
    /// unless the text begins there.
    fn boundary_well_before(&self, at: usize) -> usize {
        let begins = |at: &usize| self.bytes[*at] & 0xC0 != 0x80;
        (0..=at.saturating_sub(4)).rev().find(begins).unwrap_or(0)
    }
}

/// Spoils `texts` texts of `runs` runs of `shortest..=longest` bytes, in three ways at each place.
/// What is asked of most of the outcome in short is asked of some of it in full.
fn spoil(seed: u64, texts: usize, runs: usize, shortest: usize, longest: usize) {
    let mut rng = Rng::new(seed);
    let (mut place, mut elsewhere) = (Place::new(runs * longest), Place::new(runs * longest));
    let engines = engines();
    for _ in 0..texts {
        let segments = Segments::new(&mut rng, runs, shortest, longest);
        let bytes = place.at_mut(rng.below(UNIT), &segments.bytes);
        let whole = Truth::about(bytes);
        assert!(whole.errors.is_empty());
        for engine in &engines {
            whole.ask(*engine, bytes);
        }

        for at in segments.places() {
            let from = segments.boundary_well_before(at);

            // The text ends here.
            let cut = &bytes[..at];
            let truth = reference::first_from(cut, from);
            for engine in &engines {
                first_error(*engine, cut, truth);
            }

            // The text begins here.
            let rest = elsewhere.at(rng.below(UNIT), &bytes[at..]);
            let truth = reference::first(&rest[..rest.len().min(4)]).filter(|error| error.at == 0);
            for engine in &engines {
                first_error(*engine, rest, truth);
            }

            // One byte is another.
            let kept = bytes[at];
            for bad in BAD_BYTES {
                bytes[at] = bad;
                let truth = reference::first_from(bytes, from);
                for engine in &engines {
                    first_error(*engine, bytes, truth);
                }
                if rng.below(397) == 0 {
                    let full = Truth::about(bytes);
                    assert_eq!(full.errors.first().copied(), truth, "the short form of the truth is wrong");
                    for engine in &engines {
                        full.ask(*engine, bytes);
                    }
                    full.ask_functions(bytes);
                }
            }
            bytes[at] = kept;
        }
    }
}

#[test]
fn long_runs() {
    spoil(20, scale::size(8, 2, 1), 6, 100, 2000);
}

#[test]
fn medium_runs() {
    spoil(21, scale::size(12, 3, 2), 8, 200, 600);
}

#[test]
fn short_runs() {
    spoil(22, scale::size(60, 12, 3), 12, 1, 150);
}

/// Runs that end exactly with a block of 256, so that the change of script is the change of loops.
#[test]
fn runs_of_whole_blocks() {
    let engines = engines();
    let mut rng = Rng::new(23);
    for first in Class::ALL {
        for second in Class::ALL {
            for (before, behind) in [(64, 64), (256, 256), (512, 320), (1024, 256)] {
                let mut bytes = first.exactly(before, &mut rng).into_bytes();
                bytes.extend_from_slice(second.exactly(behind, &mut rng).as_bytes());
                bytes.extend_from_slice(first.text(100, &mut rng).as_bytes());
                for at in before - 4..before + 4 {
                    for bad in BAD_BYTES {
                        let mut spoiled = bytes.clone();
                        spoiled[at] = bad;
                        let truth = Truth::about(&spoiled);
                        for engine in &engines {
                            truth.ask(*engine, &spoiled);
                        }
                        // And with one byte more, so that the second run is off its block.
                        spoiled = bytes.clone();
                        spoiled.insert(before, bad);
                        let truth = Truth::about(&spoiled);
                        for engine in &engines {
                            truth.ask(*engine, &spoiled);
                        }
                    }
                }
            }
        }
    }
}

/// A few bytes in the midst of long text, at each of more places than any chunk has, at a fixed
/// alignment: everything that can be wrong, and characters of every width that are not.
#[test]
fn strangers_at_every_phase() {
    const PHASES: usize = 520;
    let engines = engines();
    let mut rng = Rng::new(24);
    let mut place = Place::new(3 * PHASES);
    let mut strangers: Vec<Vec<u8>> = ILL_FORMED.map(<[u8]>::to_vec).to_vec();
    strangers.extend(Class::ALL.map(|class| class.text(11, &mut rng).into_bytes()));
    for class in Class::ALL {
        // The text behind is of the same class, or of the next.
        for behind in [class, Class::ALL[(class as usize + 1) % Class::ALL.len()]] {
            let behind = behind.text(400, &mut rng);
            for phase in (0..PHASES).step_by(scale::step(3, 37)) {
                let before = class.exactly(330 + phase, &mut rng);
                for stranger in &strangers {
                    let bytes = [before.as_bytes(), stranger, behind.as_bytes()].concat();
                    let bytes = place.at(phase % 3, &bytes);
                    let truth = reference::first_from(bytes, before.len());
                    for engine in &engines {
                        first_error(*engine, bytes, truth);
                    }
                }
            }
        }
    }
}

/// A character cut short exactly where a cache line begins: what stands before the line is all that
/// tells the loop behind it that something is missing. The text before it is of one class for up to
/// twenty chunks of 256 bytes, so that a kernel has settled, or has changed its mind, and changed it
/// back, after characters of four bytes at the start.
#[test]
fn characters_cut_at_a_line() {
    const CUT: [&[u8]; 6] = [b"\xC3", b"\xE1", b"\xE1\x80", b"\xF1", b"\xF1\x80", b"\xF1\x80\x80"];
    let mut rng = Rng::new(64);
    let lines = [1, 2, 3, 4, 5, 6].into_iter().chain((0..20).map(|chunk| 4 * chunk + 9));
    for (line, before) in lines.flat_map(|line| Class::ALL.map(|class| (line, class))) {
        for (cut, start) in CUT.iter().flat_map(|cut| ["", "🪨"].map(|start| (*cut, start))) {
            let boundary = 64 * line;
            let mut bytes = start.repeat((boundary / 8).min(100)).into_bytes();
            let fill = (boundary - cut.len()).saturating_sub(bytes.len());
            bytes.extend_from_slice(before.text(fill, &mut rng).as_bytes());
            bytes.resize(boundary - cut.len(), b'.');
            bytes.extend_from_slice(cut);
            bytes.extend_from_slice(before.text(700, &mut rng).as_bytes());
            bytes[boundary] = b'A';
            let mut place = Place::new(bytes.len());
            let text = place.at(0, &bytes);
            for engine in engines() {
                let error = engine.validate::<runecast::Utf8>(text).expect_err("a character is cut short");
                let found = (error.at, error.len, error.kind);
                let expected = (boundary - cut.len(), cut.len(), runecast::Kind::Truncated);
                assert_eq!(found, expected, "{}, line {line}, {before:?}", engine.isa());
            }
        }
    }
}

/// UTF-8 to UTF-16 and UTF-32, texts of up to some thousand bytes, which a kernel may convert in one go: with an output that is full with
/// the last unit, or before, and with an error somewhere; nothing is written behind the output.
#[test]
fn outputs_that_are_full() {
    use runecast::{Reason, Utf8, Utf16, Utf32};
    const CANARY: usize = 70;

    /// Asks with as much room as `rooms` says less than all units; `units` are those of the characters of `text`.
    fn ask<D: runecast::Encoding>(
        engine: runecast::Engine,
        bytes: &[u8],
        valid: &str,
        units: impl Fn(char) -> usize,
        encoded: &[D::Unit],
        rooms: &[usize],
        canary: D::Unit,
    ) where
        D::Unit: PartialEq + std::fmt::Debug,
    {
        for less in rooms {
            let room = encoded.len().saturating_sub(*less);
            let mut dst = vec![canary; room + CANARY];
            let outcome = engine.transcode::<Utf8, D>(bytes, &mut dst[..room]);
            assert!(dst[room..].iter().all(|unit| *unit == canary), "{}", engine.isa());
            // The characters that fit.
            let (mut read, mut written) = (0, 0);
            for character in valid.chars() {
                if written + units(character) > room {
                    break;
                }
                (read, written) = (read + character.len_utf8(), written + units(character));
            }
            match outcome {
                Ok(len) => assert_eq!((read, written), (bytes.len(), len), "{}", engine.isa()),
                Err(error) => {
                    assert_eq!((error.read, error.written), (read, written), "{}", engine.isa());
                    let full = matches!(error.reason, Reason::OutputFull);
                    assert_eq!(full, read < valid.len(), "{}", engine.isa());
                }
            }
            assert_eq!(dst[..written], encoded[..written], "{}", engine.isa());
        }
    }

    let mut rng = Rng::new(81);
    let engines = engines();
    let mut place = Place::new(5000);
    for turn in 0..scale::size(1500, 300, 20) {
        let shortest = [1, 20, 100, 300][turn % 4];
        let segments = Segments::new(&mut rng, 1 + turn % 7, shortest, shortest + 130);
        let offset = rng.below(UNIT);
        for spoiled in [false, true] {
            let bytes = place.at_mut(offset, &segments.bytes);
            if spoiled && !bytes.is_empty() {
                let at = rng.below(bytes.len());
                bytes[at] = BAD_BYTES[rng.below(BAD_BYTES.len())];
            }
            let valid = match std::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
            };
            let wide: Vec<u16> = valid.encode_utf16().collect();
            let points: Vec<u32> = valid.chars().map(u32::from).collect();
            let rooms = [0, 1, 2, 63, 64, 65, rng.below(wide.len() + 1), rng.below(points.len() + 1)];
            for engine in &engines {
                ask::<Utf16>(*engine, bytes, valid, char::len_utf16, &wide, &rooms, 0xA5A5);
                ask::<Utf32>(*engine, bytes, valid, |_| 1, &points, &rooms, 0xA5A5_A5A5);
            }
        }
    }
}
