//! The evidence about UTF-16 and UTF-32 without a byte order mark.
//!
//! The first bytes are read in each of the four schemes, and every code point is put in a class: *telling*, because text is
//! full of them and other data are not (ASCII, letters of the alphabets up to Thai, general and ideographic punctuation, kana,
//! surrogate pairs); *plausible* (ideographs, Hangul, symbols); *neutral*; and *bad*, which no text has (controls, unpaired
//! surrogates, private use, noncharacters).
//!
//! **The trap** is that two ASCII letters are an ideograph: `Bush hid the facts` is nine of them in UTF-16LE, and a well-known
//! editor mistook it. Two rules avoid this. This is only asked if the text has NUL bytes or other controls, or is not UTF-8;
//! and bytes of which more than 55 % are ASCII letters and spaces are never UTF-16, where a third of them are so in ideographs
//! and kana, and half of them in English. (Printable ASCII was tried first, but nearly all bytes of hiragana are that: U+3042
//! is `0B`.)
//!
//! Text in which more than that is punctuation, digits and spaces, with a few letters of an older encoding, is known by the pairs:
//! where two units in three are two bytes of ASCII it is none of UTF-16, where ideographs have 35 % of such units (56 % of 16
//! units, and any share of fewer than 12).
//!
//! **Ends of lines** are a byte of their own in other text, and with the one before or behind a letter of Gujarati (U+0Axx), as
//! tabs and carriage returns are letters of other scripts of India. So letters of these pages are telling only where there is
//! ASCII in the same units, or they are half of the units at least. Signs of general punctuation that are a space and
//! another byte of ASCII never are.
//!
//! **Ill-formed UTF-8** is not asked for UTF-16 if there are more well-formed sequences in it than others: Cyrillic and Greek would be
//! Hangul. By chance that is so in one of 250 short texts of ideographs or Hangul, with up to eight characters, and in none of
//! those that are longer, of 1700.
//!
//! **The other byte order** of an ASCII character is a code point whose low byte is 00. Among ideographs one in 256 is such.
//! Therefore *swapped* code points are not plausible, except for the three that are frequent (the ideographic space, 一 and
//! 가). The zero bytes themselves need not be counted: in the right order they make letters, in the other swapped code points.
//! Where both orders are plausible, that one is taken which has more of what text consists of. Ideographs and Hangul count for twice as
//! much as signs and rare letters: in the right order they are most units, in the other by chance a third are ideographs, and a sixth
//! Hangul. (Of Chinese in pieces of 32 bytes, 2.2 % were taken for the other order without that, and 0.2 % are with it.)
//!
//! **Without telling units there is no evidence**: ideographs and Hangul alone are what many other bytes read as, above all
//! Cyrillic and Japanese in older encodings. And texts keep to their alphabet, so that nearly all telling units have one of a
//! few high bytes; those of a table of numbers are spread. In both cases the confidence stays below 50.
//!
//! **Other encodings of two bytes per character** read as ideographs or Hangul too, GB 2312 as Hangul throughout. They have
//! their punctuation elsewhere, so that some of the plausible units have to be telling ones, and for Hangul many, because
//! Korean has spaces.

use crate::dynamic::Scheme;

/// The best reading of bytes as UTF-16 or UTF-32.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnitsReading {
    pub(super) scheme: Scheme,
    pub(super) confidence: u8,
    pub(super) counts: UnitCounts,
    /// Whether the other byte order is plausible as well.
    pub(super) rival: bool,
}

/// How many code units are in each class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnitCounts {
    pub(super) units: u32,
    pub(super) telling: u32,
    pub(super) plausible: u32,
    ideographs: u32,
    hangul: u32,
    bad: u32,
    /// Of the telling ones, those with one of the three most frequent high bytes.
    concentrated: u32,
    /// Those that would be telling, if they were not rather tabs and ends of lines with another byte.
    lines: u32,
    /// Those of which both bytes are ASCII.
    ascii_pairs: u32,
}

/// What a code point says about whether this is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Telling,
    Plausible,
    Ideograph,
    Hangul,
    Neutral,
    Bad,
}

/// Whether this may be a character of Latin-1 in the other byte order of UTF-16.
#[inline]
fn is_swapped(unit: u32) -> bool {
    unit & 0xFF == 0 && !matches!(unit, 0 | 0x3000 | 0x4E00 | 0xAC00)
}

/// Whether both bytes of a code unit may be characters of a text in ASCII. Hiragana (30) and most letters of
/// India (09 to 0D) do not count.
#[inline]
fn is_ascii_pair(unit: u32) -> bool {
    let (high, low) = (unit >> 8, unit & 0xFF);
    let ends_line = matches!(low, 0x0A | 0x0D);
    matches!(high, 0x0A | 0x0D) && ends_line
        || matches!(high, 0x20..=0x7E) && high != 0x30 && (ends_line || matches!(low, 0x09 | 0x20..=0x7E))
}

#[inline]
fn class(point: u32) -> Class {
    match point {
        0x09 | 0x0A | 0x0D | 0x20..=0x7E | 0xA0..=0x24F => Class::Telling,
        0x0300..=0x06FF | 0x0900..=0x0E7F => Class::Telling,
        0x1E00..=0x1EFF | 0x2010..=0x201F | 0x2026 => Class::Telling,
        0x3000..=0x30FF | 0xFF01..=0xFF9F => Class::Telling,
        0x1F000..=0x1FBFF => Class::Telling,
        0x00..=0x1F | 0x7F..=0x9F => Class::Bad,
        0xD800..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFFC | 0xFFFE..=0xFFFF => Class::Bad,
        0xAC00..=0xD7A3 => Class::Hangul,
        0x0250..=0x02FF | 0x0700..=0x08FF | 0x0E80..=0x1DFF | 0x1F00..=0x1FFF => Class::Plausible,
        0x200C..=0x205E | 0x20A0..=0x22FF | 0x2500..=0x27BF => Class::Plausible,
        0x4E00..=0x9FFF => Class::Ideograph,
        0xFE00..=0xFE0F | 0x2_0000..=0x3_FFFF => Class::Plausible,
        0xE_0020..=0xE_01EF => Class::Plausible,
        0x4_0000.. => Class::Bad,
        _ => Class::Neutral,
    }
}

impl UnitCounts {
    #[inline]
    fn add(&mut self, point: u32, units: u32) -> Class {
        self.units += units;
        let class = class(point);
        match class {
            Class::Telling => (self.telling, self.plausible) = (self.telling + units, self.plausible + units),
            Class::Plausible => self.plausible += units,
            Class::Ideograph => {
                (self.ideographs, self.plausible) = (self.ideographs + units, self.plausible + units);
            }
            Class::Hangul => (self.hangul, self.plausible) = (self.hangul + units, self.plausible + units),
            Class::Neutral => {}
            Class::Bad => self.bad += units,
        }
        class
    }

    #[inline]
    fn of_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> UnitCounts {
        let (pairs, _) = bytes.as_chunks::<2>();
        let mut counts = UnitCounts::default();
        let mut pages = [0; 256];
        let mut units = pairs.iter().map(|pair| u32::from(unit(*pair))).peekable();
        while let Some(high) = units.next() {
            if is_ascii_pair(high) {
                counts.ascii_pairs += 1;
            }
            match (high, units.peek()) {
                (0xD800..0xDC00, Some(&low @ 0xDC00..0xE000)) => {
                    units.next();
                    // (Telling pairs count as concentrated: emoji.)
                    counts.add(0x1_0000 + ((high - 0xD800) << 10 | (low - 0xDC00)), 2);
                }
                // The low surrogate may be beyond the end.
                (0xD800..0xDC00, None) => {}
                _ if is_swapped(high) => counts.units += 1,
                _ => {
                    if counts.add(high, 1) == Class::Telling {
                        pages[(high >> 8) as usize & 0xFF] += 1;
                    }
                }
            }
        }
        // Tabs and the ends of lines before or behind other bytes are no letters, unless most units are such.
        let few = if pages[0] == 0 { counts.units } else { 0 };
        for (page, found) in pages.iter_mut().enumerate() {
            if matches!(page, 0x09 | 0x0A | 0x0D) && *found * 2 < few {
                counts.lines += core::mem::take(found);
            }
        }
        counts.telling -= counts.lines;
        counts.concentrated = counts.telling - pages.iter().sum::<u32>();
        for _ in 0..3 {
            if let Some(page) = pages.iter_mut().max() {
                counts.concentrated += core::mem::take(page);
            }
        }
        counts
    }

    #[inline]
    fn of_utf32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> UnitCounts {
        let mut counts = UnitCounts::default();
        bytes.as_chunks::<4>().0.iter().for_each(|bytes| _ = counts.add(unit(*bytes), 1));
        counts
    }

    /// Whether this is plausible as text.
    #[inline]
    fn is_text(&self) -> bool {
        let UnitCounts { units, telling, plausible, hangul, bad, ascii_pairs, .. } = *self;
        units > 0
            && bad * 25 <= units
            && plausible * 5 >= units * 4
            && (units < 24 || telling * 33 >= units)
            && (units < 8 || hangul <= telling * 20)
            && (units < 12 || ascii_pairs * 3 < units * 2)
    }

    /// To compare byte orders.
    #[inline]
    fn score(&self) -> i64 {
        let scripts = i64::from(self.ideographs) + i64::from(self.hangul);
        i64::from(self.plausible) + scripts + 2 * i64::from(self.telling) - 6 * i64::from(self.bad)
    }

    /// The confidence in UTF-16.
    #[inline]
    fn confidence16(&self) -> u8 {
        let confidence = (45 + (3 * self.telling).min(54) + self.plausible.min(60) / 3).min(99) as u8;
        let evidence = self.telling > 0 && self.concentrated * 3 >= (self.telling + self.lines) * 2;
        if evidence { confidence } else { confidence.min(49) }
    }

    /// The confidence in UTF-32: four random bytes are a code point once in four thousand times.
    #[inline]
    fn confidence32(&self) -> u8 {
        (70 + 4 * self.plausible.min(20)).min(99) as u8
    }
}

/// The better of two byte orders, and whether the other one is plausible as well.
#[inline]
fn choose(little: (Scheme, UnitCounts), big: (Scheme, UnitCounts)) -> Option<(Scheme, UnitCounts, bool)> {
    let (first, second) = if little.1.score() >= big.1.score() { (little, big) } else { (big, little) };
    match (first.1.is_text(), second.1.is_text()) {
        (true, rival) => Some((first.0, first.1, rival)),
        (false, true) => Some((second.0, second.1, false)),
        (false, false) => None,
    }
}

/// Reads `bytes`, the beginning of a text or, if it is `whole`, all of it, as UTF-32 and, unless `utf8` contradicts, UTF-16.
#[inline]
pub(super) fn best_reading(bytes: &[u8], whole: bool, utf8: bool) -> Option<UnitsReading> {
    let utf32 = choose(
        (Scheme::Utf32Le, UnitCounts::of_utf32(bytes, u32::from_le_bytes)),
        (Scheme::Utf32Be, UnitCounts::of_utf32(bytes, u32::from_be_bytes)),
    );
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic() || **byte == b' ').count();
    let (unit, (scheme, counts, rival), confidence) = match utf32 {
        Some(found) => (4, found, found.1.confidence32()),
        None if utf8 || letters * 20 > bytes.len() * 11 => return None,
        None => {
            let found = choose(
                (Scheme::Utf16Le, UnitCounts::of_utf16(bytes, u16::from_le_bytes)),
                (Scheme::Utf16Be, UnitCounts::of_utf16(bytes, u16::from_be_bytes)),
            )?;
            (2, found, found.1.confidence16())
        }
    };
    let doubtful = rival || whole && !bytes.len().is_multiple_of(unit);
    let confidence = if doubtful { confidence.min(50) } else { confidence };
    Some(UnitsReading { scheme, confidence, counts, rival })
}
