//! Table 3-7 of the Unicode Standard, found by asking the library.
//!
//! The table lists the bytes of all well-formed sequences of UTF-8, and `runecast explain` shows its
//! rows. But the rule itself lives in the library, and a second copy here could differ from it. So this
//! asks: which bytes can stand behind the beginning of a character? For each byte, either the text is
//! well-formed with it, or it is merely incomplete, or the byte is no answer. From the answers for every
//! lead byte the rows follow; a test holds them to the table as the standard prints it.

use std::fmt;
use std::sync::LazyLock;

use runecast::{Utf8, validate};

/// A range of bytes: the first and the last of them.
pub type Range = (u8, u8);

/// The bytes that can stand behind `beginning`, which is that of a character, or nothing.
#[must_use]
pub fn may_follow(beginning: &[u8]) -> Vec<Range> {
    let mut text = [beginning, &[0]].concat();
    let mut ranges: Vec<Range> = Vec::new();
    for byte in 0..=0xFF {
        text[beginning.len()] = byte;
        if !is_begun(&text) {
            continue;
        }
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == byte => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
}

/// Whether this is a character, or the beginning of one.
fn is_begun(bytes: &[u8]) -> bool {
    validate::<Utf8>(bytes).map_or_else(|error| error.at == 0 && error.is_incomplete(), |()| true)
}

/// Whether this is a character.
#[must_use]
pub fn is_whole(bytes: &[u8]) -> bool {
    validate::<Utf8>(bytes).is_ok()
}

/// Whether a byte is in one of the ranges.
#[must_use]
pub fn is_in(ranges: &[Range], byte: u8) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&byte))
}

/// The ranges as the standard writes them.
#[must_use]
pub fn shown(ranges: &[Range]) -> String {
    let one = |(first, last): &Range| {
        if first == last { format!("{first:02X}") } else { format!("{first:02X}..{last:02X}") }
    };
    ranges.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number, from 1.
    pub number: usize,
    /// The lead bytes.
    leads: Range,
    /// What stands at each place behind them.
    behind: Vec<Vec<Range>>,
    /// The first and the last code point.
    points: (u32, u32),
}

impl Row {
    /// The row that begins with this byte.
    #[must_use]
    pub fn of(lead: u8) -> Option<&'static Row> {
        static ROWS: LazyLock<Vec<Row>> = LazyLock::new(rows);
        ROWS.iter().find(|row| is_in(&[row.leads], lead))
    }

    /// The length of its characters in bytes.
    #[must_use]
    pub fn length(&self) -> usize {
        1 + self.behind.len()
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.points;
        write!(f, "U+{first:04X}..U+{last:04X} = {}", shown(&[self.leads]))?;
        self.behind.iter().try_for_each(|ranges| write!(f, " {}", shown(ranges)))
    }
}

/// The whole table: neighbouring lead bytes with the same bytes behind them share a row.
fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for lead in (0..=0xFF).filter(|lead| is_begun(&[*lead])) {
        let (mut low, mut high, mut behind) = (vec![lead], vec![lead], Vec::new());
        while !is_whole(&low) {
            let ranges = may_follow(&low);
            let (Some((first, _)), Some((_, last))) = (ranges.first(), ranges.last()) else { break };
            low.push(*first);
            high.push(*last);
            behind.push(ranges);
        }
        let point = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            text.chars().next().map_or(0, u32::from)
        };
        let points = (point(&low), point(&high));
        match rows.last_mut() {
            Some(row) if row.leads.1 + 1 == lead && row.behind == behind => {
                row.leads.1 = lead;
                row.points.1 = points.1;
            }
            _ => rows.push(Row { number: rows.len() + 1, leads: (lead, lead), behind, points }),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_standard() {
        let table: Vec<_> = rows().iter().map(Row::to_string).collect();
        let expected = [
            "U+0000..U+007F = 00..7F",
            "U+0080..U+07FF = C2..DF 80..BF",
            "U+0800..U+0FFF = E0 A0..BF 80..BF",
            "U+1000..U+CFFF = E1..EC 80..BF 80..BF",
            "U+D000..U+D7FF = ED 80..9F 80..BF",
            "U+E000..U+FFFF = EE..EF 80..BF 80..BF",
            "U+10000..U+3FFFF = F0 90..BF 80..BF 80..BF",
            "U+40000..U+FFFFF = F1..F3 80..BF 80..BF 80..BF",
            "U+100000..U+10FFFF = F4 80..8F 80..BF 80..BF",
        ];
        assert_eq!(table, expected);
        assert_eq!(Row::of(0xF2).map(|row| (row.number, row.length())), Some((8, 4)));
        assert_eq!((Row::of(0x80), Row::of(0xC1), Row::of(0xF5)), (None, None, None));
    }

    #[test]
    fn what_may_follow() {
        assert_eq!(shown(&may_follow(b"")), "00..7F C2..F4");
        assert_eq!(shown(&may_follow(b"\xE0")), "A0..BF");
        assert_eq!(shown(&may_follow(b"\xF4\x8F\x80")), "80..BF");
    }
}
