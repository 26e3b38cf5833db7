//! Encodings, as lists of scalar values.
//!
//! An [`Encoding`] here is a value and not a type, and its text is bytes always; a form is the
//! scheme of this machine's byte order, counted in larger units. A text is first torn into units
//! of whole numbers, then units are matched with what Unicode 3.9 says about them. Nothing is
//! converted without the detour through a list of characters.
//!
//! For UTF-8 the rules are those of [`reference`], and a scalar value is found by counting: a row
//! of Table 3-7 lists its characters in order, so the bytes are digits of a number whose bases are
//! the sizes of the columns. UTF-16 is read off Table 3-5 in the same way: surrogates are two
//! digits of base 400. The encodings around UTF-8 are lists of rows as well, in [`rows`](super::rows), and
//! pairs of surrogates are read by counting too. `differential/encodings/transcode/oracle.rs` compares all of this with the standard library.

use runecast::Kind;

use super::reference::{self, TABLE};
use super::rows::{self, Row};

/// The kinds of encodings, apart from byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// One byte for each character below the limit.
    Single,
    /// UTF-8.
    Eight,
    /// Another one with lead bytes and continuation bytes: a list of rows.
    Leads(&'static [Row]),
    /// UTF-16.
    Sixteen,
    /// UTF-32.
    ThirtyTwo,
}

/// What there is to know about an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Its name.
    pub name: &'static str,
    /// What kind it is.
    pub family: Family,
    /// Whether the most significant byte comes first.
    pub big: bool,
    /// Bytes of that in which its users count.
    pub unit: usize,
    /// The first code point that it cannot express.
    pub limit: u32,
    /// Which surrogates it has.
    pub surrogates: Surrogates,
}

/// What becomes of surrogate code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrogates {
    /// They have no form.
    None,
    /// They have one; but a high one and a low one behind it are one character.
    Unpaired,
    /// They have one.
    All,
}

const fn encoding(name: &'static str, family: Family, big: bool, unit: usize, limit: u32) -> Encoding {
    Encoding { name, family, big, unit, limit, surrogates: Surrogates::None }
}

const fn around(name: &'static str, family: Family, surrogates: Surrogates) -> Encoding {
    Encoding { surrogates, ..encoding(name, family, false, 1, ALL_OF_UNICODE) }
}

const NATIVE: bool = cfg!(target_endian = "big");
const ALL_OF_UNICODE: u32 = 0x11_0000;

pub const UTF8: Encoding = encoding("UTF-8", Family::Eight, false, 1, ALL_OF_UNICODE);
pub const UTF16: Encoding = encoding("UTF-16", Family::Sixteen, NATIVE, 2, ALL_OF_UNICODE);
pub const UTF16LE: Encoding = encoding("UTF-16LE", Family::Sixteen, false, 1, ALL_OF_UNICODE);
pub const UTF16BE: Encoding = encoding("UTF-16BE", Family::Sixteen, true, 1, ALL_OF_UNICODE);
pub const UTF32: Encoding = encoding("UTF-32", Family::ThirtyTwo, NATIVE, 4, ALL_OF_UNICODE);
pub const UTF32LE: Encoding = encoding("UTF-32LE", Family::ThirtyTwo, false, 1, ALL_OF_UNICODE);
pub const UTF32BE: Encoding = encoding("UTF-32BE", Family::ThirtyTwo, true, 1, ALL_OF_UNICODE);
pub const LATIN1: Encoding = encoding("Latin-1", Family::Single, false, 1, 0x100);
pub const ASCII: Encoding = encoding("ASCII", Family::Single, false, 1, 0x80);
pub const WTF8: Encoding = around("WTF-8", Family::Leads(rows::WTF8), Surrogates::Unpaired);
pub const WTF16: Encoding = Encoding { name: "WTF-16", surrogates: Surrogates::Unpaired, ..UTF16 };
pub const WTF16BE: Encoding = Encoding { name: "WTF-16BE", surrogates: Surrogates::Unpaired, ..UTF16BE };
pub const GENERALIZED: Encoding =
    around("generalized UTF-8", Family::Leads(rows::GENERALIZED), Surrogates::All);
pub const CESU8: Encoding = around("CESU-8", Family::Leads(rows::CESU8), Surrogates::None);
pub const WOBBLY_CESU8: Encoding =
    around("wobbly CESU-8", Family::Leads(rows::WOBBLY_CESU8), Surrogates::Unpaired);
pub const MUTF8: Encoding = around("modified UTF-8", Family::Leads(rows::MUTF8), Surrogates::None);
pub const WOBBLY_MUTF8: Encoding =
    around("wobbly modified UTF-8", Family::Leads(rows::WOBBLY_MUTF8), Surrogates::Unpaired);

/// A text, taken apart. All offsets and lengths are in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The characters before the first error: scalar value and length.
    pub characters: Vec<(u32, usize)>,
    /// The first ill-formed piece: offset, length, rule.
    pub error: Option<(usize, usize, Kind)>,
}

impl Encoding {
    /// Bytes of a code unit of the form.
    pub fn width(&self) -> usize {
        match self.family {
            Family::Single | Family::Eight | Family::Leads(_) => 1,
            Family::Sixteen => 2,
            Family::ThirtyTwo => 4,
        }
    }

    /// Appends a code unit of the form.
    pub fn put(&self, unit: u32, to: &mut Vec<u8>) {
        let all = unit.to_le_bytes();
        let bytes = &all[..self.width()];
        if self.big { to.extend(bytes.iter().rev()) } else { to.extend(bytes) }
    }

    /// These code units of the form.
    pub fn units(&self, units: &[u32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        units.iter().for_each(|unit| self.put(*unit, &mut bytes));
        bytes
    }

    /// Appends a scalar value; says whether there is a way to.
    pub fn encode(&self, scalar: u32, to: &mut Vec<u8>) -> bool {
        let surrogate = (0xD800..0xE000).contains(&scalar);
        if scalar >= self.limit || surrogate && self.surrogates == Surrogates::None {
            return false;
        }
        match self.family {
            Family::Single => to.push(scalar as u8),
            Family::Leads(rows) => rows::encode(rows, scalar, to),
            Family::Eight => {
                let row = TABLE.iter().find(|row| scalar <= row.points.1).expect("a row of Table 3-7");
                let begin = to.len();
                let mut rest = scalar - row.points.0;
                for (low, high) in row.bytes.iter().rev() {
                    let base = u32::from(high - low) + 1;
                    to.push(low + (rest % base) as u8);
                    rest /= base;
                }
                to[begin..].reverse();
            }
            Family::Sixteen if scalar > 0xFFFF => {
                self.put(0xD800 + (scalar - 0x1_0000) / 0x400, to);
                self.put(0xDC00 + (scalar - 0x1_0000) % 0x400, to);
            }
            Family::Sixteen | Family::ThirtyTwo => self.put(scalar, to),
        }
        true
    }

    /// A text, which the encoding must have a form for.
    pub fn encode_all(&self, characters: impl IntoIterator<Item = char>) -> Vec<u8> {
        let characters = characters.into_iter();
        let mut bytes = Vec::with_capacity(self.width() * characters.size_hint().0);
        for character in characters {
            assert!(self.encode(character.into(), &mut bytes), "{} has no {character:?}", self.name);
        }
        bytes
    }

    /// Takes a text apart, up to the first error.
    pub fn decode(&self, bytes: &[u8]) -> Decoded {
        let mut decoded = Decoded { characters: Vec::with_capacity(bytes.len() / self.width()), error: None };
        let mut at = 0;
        while at < bytes.len() {
            match self.next(&bytes[at..]) {
                Ok((scalar, len)) => {
                    decoded.characters.push((scalar, len));
                    at += len;
                }
                Err((len, kind)) => {
                    decoded.error = Some((at, len, kind));
                    break;
                }
            }
        }
        decoded
    }

    /// The first character of `rest`, or the length and rule of the ill-formed piece there.
    fn next(&self, rest: &[u8]) -> Result<(u32, usize), (usize, Kind)> {
        match self.family {
            Family::Single if u32::from(rest[0]) < self.limit => Ok((rest[0].into(), 1)),
            Family::Single => Err((1, Kind::NotAscii)),
            Family::Eight => match reference::character(rest) {
                Some(len) => Ok((counted(&rest[..len]), len)),
                None => {
                    let error = reference::first(rest).expect("no character, so an error");
                    Err((error.len, error.kind))
                }
            },
            Family::Leads(rows) => rows::next(rows, rest),
            Family::Sixteen => match (self.unit_at(rest, 0), self.unit_at(rest, 1)) {
                (None, _) => Err((rest.len(), Kind::Incomplete)),
                (Some(unit), next)
                    if self.surrogates == Surrogates::Unpaired
                        && (unit >> 10 != 0b11_0110 || next.is_none_or(|next| next >> 10 != 0b11_0111)) =>
                {
                    Ok((unit, 2))
                }
                (Some(low), _) if low >> 10 == 0b11_0111 => Err((2, Kind::UnpairedLow)),
                (Some(high), Some(low)) if high >> 10 == 0b11_0110 => match low >> 10 {
                    0b11_0111 => Ok((0x1_0000 + (high - 0xD800) * 0x400 + (low - 0xDC00), 4)),
                    _ => Err((2, Kind::UnpairedHigh)),
                },
                (Some(high), None) if high >> 10 == 0b11_0110 => Err((rest.len(), Kind::Incomplete)),
                (Some(unit), _) => Ok((unit, 2)),
            },
            Family::ThirtyTwo => match self.unit_at(rest, 0) {
                None => Err((rest.len(), Kind::Incomplete)),
                Some(unit) if char::from_u32(unit).is_some() => Ok((unit, 4)),
                Some(unit) if unit >= self.limit => Err((4, Kind::AboveMaximum)),
                Some(_) => Err((4, Kind::Surrogate)),
            },
        }
    }

    /// The whole unit number `index`, if it is there.
    fn unit_at(&self, rest: &[u8], index: usize) -> Option<u32> {
        let digit = |number: u32, byte: &u8| number * 0x100 + u32::from(*byte);
        let bytes = rest.chunks_exact(self.width()).nth(index)?;
        Some(if self.big { bytes.iter().fold(0, digit) } else { bytes.iter().rev().fold(0, digit) })
    }
}

/// The place of a character of UTF-8 among those of its row.
fn counted(bytes: &[u8]) -> u32 {
    let fits = |row: &&reference::Row| {
        row.bytes.len() == bytes.len()
            && row.bytes.iter().zip(bytes).all(|((low, high), byte)| (low..=high).contains(&byte))
    };
    let row = TABLE.iter().find(fits).expect("a row of Table 3-7");
    let number =
        row.bytes.iter().zip(bytes).fold(0, |number, ((low, high), byte)| {
            number * (u32::from(high - low) + 1) + u32::from(byte - low)
        });
    row.points.0 + number
}
