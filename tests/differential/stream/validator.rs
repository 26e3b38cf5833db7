//! The validator: the same errors as at once, however the text is cut, and at the earliest chunk.

use bytemuck::cast_slice;
use runecast::{Engine, IllFormed, Validator};

use super::vectors::{chunks, cuts, long, pieces, random_cuts};
use crate::common::check::{engines, excerpt};
use crate::common::oracle::{self, Encoding};
use crate::common::place::Place;
use crate::common::scale::{size, step};
use crate::common::texts::Rng;

/// In which chunk it ended, and how.
type Chunked = fn(Engine, &[u8], &[usize], &mut Place) -> (usize, Result<(), IllFormed>);

/// One encoding, without its type.
struct Row {
    encoding: Encoding,
    /// In chunks: the error and in which chunk it was found, or how many there are.
    chunked: Chunked,
    at_once: fn(Engine, &[u8]) -> Result<(), IllFormed>,
}

fn row<E: runecast::Encoding<Unit: bytemuck::Pod>>(encoding: Encoding) -> Row {
    Row {
        encoding,
        chunked: |engine, text, cuts, place| {
            let mut validator = Validator::<E>::new();
            assert_eq!(size_of_val(&validator), 8);
            let (mut pushed, mut number) = (0, 0);
            for chunk in chunks(text, size_of::<E::Unit>(), cuts) {
                let units = cast_slice(place.at(0, chunk));
                let before = validator;
                if let Err(error) = validator.push_with(engine, units) {
                    assert_eq!(validator, before, "an error changes nothing");
                    assert_eq!(validator.push_with(engine, units), Err(error), "and comes again");
                    return (number, Err(error));
                }
                pushed += units.len();
                number += 1;
                let waiting = validator.waiting();
                assert_eq!(validator.offset(), (pushed - waiting) as u64);
                assert_eq!(validator.complete_prefix(units), units.len().saturating_sub(waiting));
            }
            (number, validator.finish())
        },
        at_once: |engine, text| engine.validate::<E>(cast_slice(text)),
    }
}

fn rows() -> [Row; 18] {
    [
        row::<runecast::Utf8>(oracle::UTF8),
        row::<runecast::Utf16>(oracle::UTF16),
        row::<runecast::Utf16Le>(oracle::UTF16LE),
        row::<runecast::Utf16Be>(oracle::UTF16BE),
        row::<runecast::Utf32>(oracle::UTF32),
        row::<runecast::Utf32Le>(oracle::UTF32LE),
        row::<runecast::Utf32Be>(oracle::UTF32BE),
        row::<runecast::Latin1>(oracle::LATIN1),
        row::<runecast::Ascii>(oracle::ASCII),
        row::<runecast::Wtf8>(oracle::WTF8),
        row::<runecast::Wtf16>(oracle::WTF16),
        row::<runecast::Wtf16Le>(Encoding { big: false, unit: 1, ..oracle::WTF16 }),
        row::<runecast::Wtf16Be>(oracle::WTF16BE),
        row::<runecast::GeneralizedUtf8>(oracle::GENERALIZED),
        row::<runecast::Cesu8>(oracle::CESU8),
        row::<runecast::WobblyCesu8>(oracle::WOBBLY_CESU8),
        row::<runecast::Mutf8>(oracle::MUTF8),
        row::<runecast::WobblyMutf8>(oracle::WOBBLY_MUTF8),
    ]
}

impl Row {
    /// Holds the validator to the one-shot answer for `text`, cut so.
    fn ask(&self, engine: Engine, text: &[u8], cuts: &[usize], place: &mut Place) {
        let mut whole = Place::new(text.len());
        let text = whole.at(0, text);
        let truth = (self.at_once)(engine, text);
        let (number, found) = (self.chunked)(engine, text, cuts, place);
        let blame = || format!("{engine:?}, {} cut at {cuts:?}: {}", self.encoding.name, excerpt(text, 0));
        assert_eq!(found, truth, "{}", blame());
        // An error that more input cannot complete is found in the chunk that makes it certain, if not before.
        if let Err(error) = truth
            && !error.is_incomplete()
        {
            let unit = self.encoding.unit;
            let end = cuts.get(number).map_or(text.len(), |cut| cut * unit);
            let before = number.checked_sub(1).map_or(0, |number| cuts[number] * unit);
            let at_once = |end: usize| {
                let mut place = Place::new(end);
                (self.at_once)(engine, place.at(0, &text[..end]))
            };
            assert_eq!(at_once(end).map_err(|error| error.at), Err(error.at), "{}", blame());
            assert!(
                at_once(before).err().is_none_or(|error| error.is_incomplete()),
                "found late: {}",
                blame()
            );
        }
    }
}

#[test]
fn every_short_text_cut_anywhere() {
    let mut place = Place::new(64);
    let mut number = 0;
    for row in rows() {
        let pieces = pieces(&row.encoding);
        // Where there are many, not each behind each.
        let often = if pieces.len() > 20 { step(3, 7) } else { 1 };
        for first in &pieces {
            for second in pieces.iter().skip(number % often).step_by(often) {
                number += 1;
                let text = [&first[..], &second[..]].concat();
                let all = engines();
                // Each engine meets every text, but not every cut of it by default.
                let engine = all[number % all.len()];
                cuts(text.len() / row.encoding.unit, |cuts| row.ask(engine, &text, cuts, &mut place));
                if number % step(3, 7) == 0 {
                    for engine in all {
                        row.ask(engine, &text, &[text.len() / row.encoding.unit / 2], &mut place);
                    }
                }
            }
        }
    }
}

#[test]
fn long_texts_cut_at_random() {
    let mut rng = Rng::new(71);
    for row in rows() {
        let pieces = pieces(&row.encoding);
        for round in 0..size(200, 50, 20) {
            let rarity = [2, 20, usize::MAX][round % 3];
            let text = long(&row.encoding, &pieces, 1 + rng.below(40), rarity, &mut rng);
            let mut place = Place::new(text.len());
            for engine in engines() {
                let most = [1, 5, 70, 700][rng.below(4)];
                let cuts = random_cuts(text.len() / row.encoding.unit, most, &mut rng);
                row.ask(engine, &text, &cuts, &mut place);
            }
        }
    }
}

/// Beyond what it can say, a validator still judges.
#[test]
fn offsets_end_before_judgment_does() {
    type V = Validator<runecast::Utf16Le>;
    assert_eq!(V::MAX_OFFSET, (1 << 39) - 1);
    assert_eq!(Validator::<runecast::Utf8>::MAX_OFFSET, (1 << 45) - 1);
    assert_eq!(Validator::<runecast::Cesu8>::MAX_OFFSET, (1 << 33) - 1);
}
