//! The encodings around UTF-8 as lists of rows.
//!
//! A row is what Table 3-7 has for UTF-8: the code points, and for each byte its lowest and highest value.
//! A row lists its code points in order, so the bytes are digits of a number whose bases are the sizes of
//! the columns; that holds for a pair of surrogates in six bytes as well. A row may stand for something
//! that is ill-formed as a whole: then it has a rule in place of code points.
//!
//! What begins a text is read by search: the longest row that fits, all of it. If there is none, or it
//! stands for something ill-formed, and the text ends where a longer row might still fit, the text is
//! incomplete. Otherwise the ill-formed piece is the longest beginning of any row.

use runecast::Kind;

use super::reference;

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Code points, from this one on.
    From(u32),
    /// Nothing that is well-formed.
    Never(Kind),
}

use Meaning::{From, Never};

/// A row: what it stands for, its columns, and how many code points it has.
#[derive(Debug, PartialEq, Eq)]
pub struct Row(Meaning, &'static [(u8, u8)], u32);

const fn row(meaning: Meaning, columns: &'static [(u8, u8)]) -> Row {
    let (mut size, mut i) = (1, 0);
    while i < columns.len() {
        size *= (columns[i].1 - columns[i].0) as u32 + 1;
        i += 1;
    }
    Row(meaning, columns, size)
}

const C: (u8, u8) = (0x80, 0xBF);
const ED: (u8, u8) = (0xED, 0xED);
const HIGH: (u8, u8) = (0xA0, 0xAF);
const LOW: (u8, u8) = (0xB0, 0xBF);

macro_rules! rows {
    ($name:ident: $($row:expr),* $(,)?) => {
        /// Its rows, besides those that all have.
        pub const $name: &[Row] = &[
            row(From(0x01), &[(0x01, 0x7F)]),
            row(From(0x80), &[(0xC2, 0xDF), C]),
            row(From(0x800), &[(0xE0, 0xE0), (0xA0, 0xBF), C]),
            row(From(0x1000), &[(0xE1, 0xEC), C, C]),
            row(From(0xD000), &[ED, (0x80, 0x9F), C]),
            row(From(0xE000), &[(0xEE, 0xEF), C, C]),
            $($row),*
        ];
    };
}

const NUL: Row = row(From(0), &[(0, 0)]);
const HIDDEN_NUL: Row = row(From(0), &[(0xC0, 0xC0), (0x80, 0x80)]);
const FIRST: Row = row(From(0x1_0000), &[(0xF0, 0xF0), (0x90, 0xBF), C, C]);
const MIDDLE: Row = row(From(0x4_0000), &[(0xF1, 0xF3), C, C, C]);
const LAST: Row = row(From(0x10_0000), &[(0xF4, 0xF4), (0x80, 0x8F), C, C]);
const PAIR: Row = row(From(0x1_0000), &[ED, HIGH, C, ED, LOW, C]);
const NO_PAIR: Row = row(Never(Kind::SurrogatePair), &[ED, HIGH, C, ED, LOW, C]);
const SURROGATE: Row = row(From(0xD800), &[ED, (0xA0, 0xBF), C]);
const NO_HIGH: Row = row(Never(Kind::UnpairedHigh), &[ED, HIGH, C]);
const NO_LOW: Row = row(Never(Kind::UnpairedLow), &[ED, LOW, C]);

rows!(GENERALIZED: NUL, FIRST, MIDDLE, LAST, SURROGATE);
rows!(WTF8: NUL, FIRST, MIDDLE, LAST, SURROGATE, NO_PAIR);
rows!(CESU8: NUL, PAIR, NO_HIGH, NO_LOW);
rows!(WOBBLY_CESU8: NUL, PAIR, SURROGATE);
rows!(MUTF8: HIDDEN_NUL, PAIR, NO_HIGH, NO_LOW);
rows!(WOBBLY_MUTF8: HIDDEN_NUL, PAIR, SURROGATE);

impl Row {
    /// Whether it is that of supplementary characters in two halves.
    pub fn is_pair(&self) -> bool {
        *self == PAIR
    }

    /// How many bytes at the start of `rest` fit its columns.
    fn fits(&self, rest: &[u8]) -> usize {
        let fits = |((low, high), byte): &(&(u8, u8), &u8)| (low..=high).contains(byte);
        self.1.iter().zip(rest).take_while(fits).count()
    }
}

/// Appends the bytes of a code point that one of the rows has.
pub fn encode(rows: &[Row], point: u32, to: &mut Vec<u8>) {
    for Row(meaning, columns, size) in rows {
        if let From(first) = *meaning
            && (first..first + size).contains(&point)
        {
            let begin = to.len();
            let mut rest = point - first;
            for (low, high) in columns.iter().rev() {
                let base = u32::from(high - low) + 1;
                to.push(low + (rest % base) as u8);
                rest /= base;
            }
            to[begin..].reverse();
            return;
        }
    }
    panic!("no row for U+{point:04X}")
}

/// The code point at the start of `rest`, and its length; or the length and rule of the ill-formed piece.
pub fn next(rows: &[Row], rest: &[u8]) -> Result<(u32, usize), (usize, Kind)> {
    let whole = rows.iter().filter(|row| row.fits(rest) == row.1.len()).max_by_key(|row| row.1.len());
    if let Some(Row(From(first), columns, _)) = whole {
        let digit = |number: u32, ((low, high), byte): (&(u8, u8), &u8)| {
            number * (u32::from(high - low) + 1) + u32::from(byte - low)
        };
        return Ok((first + columns.iter().zip(rest).fold(0, digit), columns.len()));
    }
    let longest = rows.iter().map(|row| row.fits(rest)).max().unwrap_or(0);
    if longest == rest.len()
        && rows.iter().any(|row| row.fits(rest) == rest.len() && row.1.len() > rest.len())
    {
        // Of a pair, the first half; the rest is judged by itself.
        let half = whole.map_or(rest.len(), |row| row.1.len());
        return Err((half, Kind::Incomplete));
    }
    if let Some(Row(Never(kind), columns, _)) = whole {
        return Err((columns.len(), *kind));
    }
    let kind = match (longest, rest[0]) {
        (0, 0x00) => Kind::RawNul,
        (0, 0xF0..=0xF4) => Kind::FourByteLead,
        (0, lead) => reference::why_no_lead(lead),
        (len, _) if rest[len] >> 6 != 0b10 => Kind::Truncated,
        (_, 0xC0) => Kind::OverlongLead,
        (_, lead) => reference::why_no_second(lead, rest[1]),
    };
    Err((longest.max(1), kind))
}
