//! Arrays drawn at random, and the oracle.
//!
//! The oracle knows nothing of groups and stretches: it goes over the values in order, looks at the
//! offsets of each, then whether it is null, and then asks the standard library about its bytes. Arrays
//! are text of one kind or of several, cut anywhere or between characters, now and then
//! spoiled; with values of 0 to 50 bytes and a few long ones; nulls, with bytes under them or without;
//! slices of arrays; offsets that are none. Every engine has to give the same answer.

use runecast::batch::{BatchError, Defect, Validity};
use runecast::{Reason, Utf8};

use crate::common::check::engines;
use crate::common::scale;
use crate::common::texts::{BOUNDARY_BYTES, Class, ILL_FORMED, Rng};

/// An array: its values, their offsets, and which of them are null.
#[derive(Clone, Debug, Default)]
pub struct Array {
    pub values: Vec<u8>,
    pub offsets: Vec<i64>,
    pub nulls: Option<Vec<bool>>,
}

impl Array {
    /// An array drawn at random.
    pub fn random(rng: &mut Rng) -> Array {
        let count = match rng.below(8) {
            0 => rng.below(4),
            1 => 200 + rng.below(scale::size(2000, 1000, 400)),
            _ => rng.below(120),
        };
        let class = (rng.below(3) > 0).then(|| Class::ALL[rng.below(Class::ALL.len())]);
        let longest = [0, 3, 12, 50, 50, 300][rng.below(6)];
        // How likely a boundary within a character is, a spoiled value, a null, one with bytes.
        let [cut, spoiled, null, hidden] = [
            [0, 0, 0, 1, 30][rng.below(5)],
            [0, 0, 0, 1, 200][rng.below(5)],
            [0, 10, 500, 990][rng.below(4)],
            [0, 1, 10][rng.below(3)],
        ];
        let likely = |rng: &mut Rng, per_mille: usize| rng.below(1000) < per_mille;
        let mut array = Array { nulls: (null > 0).then(Vec::new), ..Array::default() };
        for _ in 0..rng.below(3) {
            array.values.push(BOUNDARY_BYTES[rng.below(BOUNDARY_BYTES.len())]);
        }
        array.offsets.push(array.values.len() as i64);
        for _ in 0..count {
            let class = class.unwrap_or(Class::ALL[rng.below(Class::ALL.len())]);
            let len = if likely(rng, 3) { rng.below(3000) } else { rng.below(longest + 1) };
            let is_null = likely(rng, null);
            if let Some(nulls) = &mut array.nulls {
                nulls.push(is_null);
            }
            let with_bytes = !is_null || likely(rng, 100 * hidden);
            if with_bytes {
                array.values.extend(class.text(len, rng).bytes());
            }
            if likely(rng, spoiled) || is_null && likely(rng, 100 * hidden) {
                array.values.extend(ILL_FORMED[rng.below(ILL_FORMED.len())]);
            }
            let mut end = array.values.len() as i64;
            if likely(rng, cut) {
                end = (end - rng.below(4) as i64).max(*array.offsets.last().expect("the first"));
            }
            array.offsets.push(end);
        }
        for _ in 0..rng.below(3) {
            array.values.push(BOUNDARY_BYTES[rng.below(BOUNDARY_BYTES.len())]);
        }
        array
    }

    pub fn count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    pub fn is_null(&self, index: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls[index])
    }

    /// Where a value is, if it is anywhere.
    pub fn bounds(&self, index: usize) -> Option<std::ops::Range<usize>> {
        let [from, to] = [self.offsets[index], self.offsets[index + 1]];
        (0 <= from && from <= to && to <= self.values.len() as i64).then_some(from as usize..to as usize)
    }

    /// The values, with nothing for the nulls; up to the first that is not within bounds.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count()).map_while(|index| {
            let bounds = self.bounds(index)?;
            Some(if self.is_null(index) { &[][..] } else { &self.values[bounds] })
        })
    }

    /// What is to be said of it, by a judge of single values.
    pub fn expected(&self, judge: impl Fn(&[u8]) -> Option<Wrong>) -> Option<(usize, Wrong)> {
        let wrong = self.texts().enumerate().find_map(|(index, text)| Some((index, judge(text)?)));
        let known = self.texts().count();
        let alone = self.offsets.len() == 1 && !(0..=self.values.len() as i64).contains(&self.offsets[0]);
        wrong.or((known < self.count() || alone).then_some((known, Wrong::OutOfBounds)))
    }

    /// The null bitmap, with `shift` bits before it.
    pub fn bitmap(&self, shift: usize) -> Option<Vec<u8>> {
        let nulls = self.nulls.as_ref()?;
        let mut bits = vec![0xFF; (nulls.len() + shift).div_ceil(8)];
        for (index, _) in nulls.iter().enumerate().filter(|(_, null)| **null) {
            bits[(index + shift) / 8] &= !(1 << ((index + shift) % 8));
        }
        Some(bits)
    }

    pub fn narrow(&self) -> Vec<i32> {
        self.offsets.iter().map(|offset| *offset as i32).collect()
    }
}

/// What can be wrong, as the oracle knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// At this offset, with this length unless it is incomplete.
    IllFormed(usize, Option<usize>),
    OutOfBounds,
    Other,
}

pub fn std_judge(text: &[u8]) -> Option<Wrong> {
    let error = std::str::from_utf8(text).err()?;
    Some(Wrong::IllFormed(error.valid_up_to(), error.error_len()))
}

pub fn wrong(result: Result<(), BatchError>) -> Option<(usize, Wrong)> {
    let error = result.err()?;
    let wrong = match error.defect {
        Defect::Text(Reason::IllFormed(error)) => {
            Wrong::IllFormed(error.at, (!error.is_incomplete()).then_some(error.len))
        }
        Defect::OutOfBounds => Wrong::OutOfBounds,
        _ => Wrong::Other,
    };
    Some((error.index, wrong))
}

/// Asks every engine about an array of UTF-8.
pub fn ask(array: &Array, shift: usize) {
    let expected = array.expected(std_judge);
    let (offsets, bits) = (array.narrow(), array.bitmap(shift));
    let validity = bits.as_ref().map(|bits| Validity::new(bits, shift));
    for engine in engines() {
        let narrow = engine.validate_offsets::<Utf8>(&array.values, &offsets, validity);
        assert_eq!(wrong(narrow), expected, "{engine:?}: {array:?}");
        let wide = engine.validate_offsets::<Utf8>(&array.values, &array.offsets, validity);
        assert_eq!(wide, narrow, "{engine:?}: {array:?}");
    }
}

/// A unit of UTF-16 in one to three bytes.
pub fn wide(unit: u16) -> Vec<u8> {
    match unit {
        0..0x80 => vec![unit as u8],
        0x80..0x800 => vec![0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8],
        _ => vec![0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8],
    }
}
