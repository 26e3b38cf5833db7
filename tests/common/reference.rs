//! UTF-8 as a table and two sentences.
//!
//! The table is Table 3-7 of the Unicode Standard, "Well-Formed UTF-8 Byte Sequences", typed in
//! row by row. The first sentence: *a sequence is a character if each of its bytes is in the
//! column's range of some row, and the row has no column left over*. The second (section 3.9,
//! "U+FFFD Substitution of Maximal Subparts"): *where no character begins, the ill-formed piece
//! is the longest beginning that some row would accept, and one byte if there is none*. Both are
//! written below as they stand, by search and not by case analysis, for this decoder has to be
//! right and has to be wrong in other ways than `src/` could be.
//!
//! The table does not name the rule that is broken. That is found by arithmetic: the bytes are
//! read as the UTF-8 of 1993 would have read them, with no upper limit and no shortest form, and
//! it is said what the value would have been.

use runecast::Kind;

/// One row of Table 3-7: the code points, and for each byte its lowest and highest value.
pub struct Row {
    /// The first and last code point of the row.
    pub points: (u32, u32),
    /// The columns "first byte", "second byte", …
    pub bytes: &'static [(u8, u8)],
}

/// Table 3-7.
pub const TABLE: [Row; 9] = [
    Row { points: (0x0000, 0x007F), bytes: &[(0x00, 0x7F)] },
    Row { points: (0x0080, 0x07FF), bytes: &[(0xC2, 0xDF), (0x80, 0xBF)] },
    Row { points: (0x0800, 0x0FFF), bytes: &[(0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)] },
    Row { points: (0x1000, 0xCFFF), bytes: &[(0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)] },
    Row { points: (0xD000, 0xD7FF), bytes: &[(0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)] },
    Row { points: (0xE000, 0xFFFF), bytes: &[(0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)] },
    Row { points: (0x10000, 0x3FFFF), bytes: &[(0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)] },
    Row { points: (0x40000, 0xFFFFF), bytes: &[(0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)] },
    Row { points: (0x100000, 0x10FFFF), bytes: &[(0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)] },
];

impl Row {
    /// Whether `piece` fits the row's first columns, one byte in each.
    fn begins_with(&self, piece: &[u8]) -> bool {
        piece.len() <= self.bytes.len()
            && piece.iter().zip(self.bytes).all(|(byte, (low, high))| low <= byte && byte <= high)
    }
}

/// An ill-formed piece: where it begins, its length, the rule that it breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subpart {
    /// Offset in the input.
    pub at: usize,
    /// Length of the maximal subpart.
    pub len: usize,
    /// The rule.
    pub kind: Kind,
}

/// The length of the character at the start of `bytes`, if there is one.
pub fn character(bytes: &[u8]) -> Option<usize> {
    TABLE
        .iter()
        .find(|row| bytes.get(..row.bytes.len()).is_some_and(|piece| row.begins_with(piece)))
        .map(|row| row.bytes.len())
}

/// The first ill-formed piece at or after `from`, which must be a character boundary or the end
/// of an ill-formed piece.
pub fn first_from(bytes: &[u8], from: usize) -> Option<Subpart> {
    let mut at = from;
    while at < bytes.len() {
        match character(&bytes[at..]) {
            Some(len) => at += len,
            None => {
                let (len, kind) = subpart(&bytes[at..]);
                return Some(Subpart { at, len, kind });
            }
        }
    }
    None
}

/// The first ill-formed piece.
pub fn first(bytes: &[u8]) -> Option<Subpart> {
    first_from(bytes, 0)
}

/// All ill-formed pieces, in order.
pub fn all(bytes: &[u8]) -> Vec<Subpart> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(piece) = first_from(bytes, from) {
        from = piece.at + piece.len;
        found.push(piece);
    }
    found
}

/// The maximal subpart at the start of `bytes`, where no character begins, and its rule.
fn subpart(bytes: &[u8]) -> (usize, Kind) {
    let accepted =
        |len: &usize| bytes.get(..*len).is_some_and(|piece| TABLE.iter().any(|row| row.begins_with(piece)));
    match (1..=3).rev().find(accepted) {
        None => (1, why_no_lead(bytes[0])),
        Some(len) => match bytes.get(len) {
            None => (len, Kind::Incomplete),
            Some(next) if next >> 6 != 0b10 => (len, Kind::Truncated),
            Some(next) => (len, why_no_second(bytes[0], *next)),
        },
    }
}

/// Why no row begins with `byte`.
pub fn why_no_lead(byte: u8) -> Kind {
    match byte.leading_ones() {
        1 => Kind::UnexpectedContinuation,
        // Five bits, and six more from the highest second byte: still less than U+0080?
        2 if (u32::from(byte & 0x1F) << 6) + 0x3F < 0x80 => Kind::OverlongLead,
        _ => Kind::InvalidLead,
    }
}

/// Why no row goes on with the continuation byte `second` after `lead`.
pub fn why_no_second(lead: u8, second: u8) -> Kind {
    let columns = lead.leading_ones();
    let known = u32::from(lead & (0x7F >> columns)) << 6 | u32::from(second & 0x3F);
    let missing = 6 * (columns - 2);
    let (lowest, highest) = (known << missing, ((known + 1) << missing) - 1);
    let shortest_form_from = if columns == 3 { 0x800 } else { 0x1_0000 };
    if highest < shortest_form_from {
        Kind::Overlong
    } else if lowest >= 0xD800 && highest <= 0xDFFF {
        Kind::Surrogate
    } else if lowest > 0x10_FFFF {
        Kind::AboveMaximum
    } else {
        unreachable!("{lead:02X} {second:02X} begins a character")
    }
}
