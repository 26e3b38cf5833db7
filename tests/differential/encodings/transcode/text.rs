//! Text that a pair can convert, and what is wrong with the rest.

use crate::common::oracle::{Encoding, Family, Surrogates};
use crate::common::texts::{Class, ILL_FORMED, Rng};
use crate::encodings::pairs::Pair;

/// Code points at the boundaries of one encoding or another, and beside them.
pub const BOUNDARIES: [u32; 30] = [
    0x00, 0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xFF, 0x100, 0x7FF, 0x800, 0xFFF, 0x1000, 0x20AC, 0x4E00, 0xD7FF,
    0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1_0000, 0x1_03FF, 0x1_0400, 0x1_F600, 0x3_FFFF, 0x4_0000,
    0xF_FFFF, 0x10_0000, 0x10_FC00, 0x10_FFFF,
];

/// All scalar values that are below `limit`.
pub fn scalars(limit: u32) -> impl Iterator<Item = char> {
    ('\0'..=char::MAX).take_while(move |character| u32::from(*character) < limit)
}

/// The first code point that one of both sides does not have.
pub fn limit(pair: &Pair) -> u32 {
    pair.source.limit.min(pair.target.limit)
}

/// `count` characters of `class`, brought below `limit`.
pub fn characters(class: Class, limit: u32, count: usize, rng: &mut Rng) -> Vec<char> {
    let text = class.text(4 * count + 4, rng);
    text.chars().take(count).map(|character| below(character, limit)).collect()
}

/// `character`, or one below `limit` in its place.
pub fn below(character: char, limit: u32) -> char {
    char::from_u32(u32::from(character) % limit).unwrap_or(character)
}

/// Text in `encoding` of exactly `units` units of its form: characters of `class` below `limit`,
/// made up to that length by ASCII in front.
pub fn exactly(encoding: &Encoding, class: Class, limit: u32, units: usize, rng: &mut Rng) -> Vec<u8> {
    Ending::new(encoding, class, limit, units, rng).exactly(units)
}

/// Text that is asked for by its end.
pub struct Ending {
    encoding: Encoding,
    text: Vec<u8>,
    /// Where its characters begin, and where the last ends.
    starts: Vec<usize>,
}

impl Ending {
    /// Characters of `class` below `limit`, `most` units of `encoding`, or as many less as whole characters allow.
    pub fn new(encoding: &Encoding, class: Class, limit: u32, most: usize, rng: &mut Rng) -> Ending {
        let most = most * encoding.width();
        let mut text = Vec::with_capacity(most + 6);
        let mut starts = vec![0];
        for character in characters(class, limit, most / encoding.width(), rng) {
            encoding.encode(character.into(), &mut text);
            if text.len() > most {
                text.truncate(starts[starts.len() - 1]);
                break;
            }
            starts.push(text.len());
        }
        Ending { encoding: *encoding, text, starts }
    }

    /// The last characters of it, made up to `units` units by ASCII in front.
    pub fn exactly(&self, units: usize) -> Vec<u8> {
        let size = units * self.encoding.width();
        let first = self.starts.partition_point(|start| start + size < self.text.len());
        let whole = &self.text[self.starts[first]..];
        let missing = (size - whole.len()) / self.encoding.width();
        let mut padded = self.encoding.encode_all(std::iter::repeat_n('-', missing));
        padded.extend(whole);
        padded
    }
}

/// What is well-formed in one of the encodings around UTF-8 and ill-formed in another.
pub const AROUND: [&[u8]; 24] = [
    b"\0",
    b"\xC0",
    b"\xC0\x80",
    b"\xC0\x81",
    b"\xC0A",
    b"\xC0\xC0\x80\x80",
    b"\xED\xA0\x80",
    b"\xED\xAF\xBF",
    b"\xED\xB0\x80",
    b"\xED\xBF\xBF",
    b"\xED\xA0\x80\xED",
    b"\xED\xA0\x80\xED\xB0",
    b"\xED\xA0\x80\xED\xA0",
    b"\xED\xAF\xBF\xED\xBF\xBF",
    b"\xED\xA0\x80\xED\xA0\x80\xED\xB0\x80",
    b"\xED\xA0\x80\xED\xB0\x80\xED\xB0\x80",
    b"\xED\xB0\x80\xED\xA0\x80",
    b"\xED\xA0\x80\xED\x9F\xBF",
    b"\xED\xA0\x80\xED\xB0A",
    b"\xED\xA0\x80\xEC\xB0\x80",
    b"\xED\xA0\x80\xE1\x80",
    b"\xED\xA0\xED\xB0\x80",
    b"\xF0\x90\x80\x80",
    b"\xF4\x8F\xBF\xBF",
];

/// What is well-formed in `encoding`, and would be ill-formed in UTF-8 or UTF-16.
fn odd(encoding: &Encoding) -> Vec<Vec<u8>> {
    match encoding.family {
        Family::Leads(_) => {
            let all = ILL_FORMED.into_iter().chain(AROUND);
            all.filter(|piece| encoding.decode(piece).error.is_none()).map(<[u8]>::to_vec).collect()
        }
        Family::Sixteen if encoding.surrogates == Surrogates::Unpaired => {
            ill_formed(&Encoding { surrogates: Surrogates::None, ..*encoding })
        }
        _ => Vec::new(),
    }
}

/// Everything that is not what a kernel is made for.
pub fn irregular(encoding: &Encoding) -> Vec<Vec<u8>> {
    let mut all = ill_formed(encoding);
    all.extend(odd(encoding));
    all
}

/// Everything that can be wrong in `encoding`, between whole characters.
pub fn ill_formed(encoding: &Encoding) -> Vec<Vec<u8>> {
    let units: &[&[u32]] = match encoding.family {
        Family::Single if encoding.limit == 0x80 => &[&[0x80], &[0xC3, 0xA4], &[0xFF]],
        Family::Single => &[],
        Family::Eight => return ILL_FORMED.map(<[u8]>::to_vec).to_vec(),
        Family::Leads(_) => {
            let all = ILL_FORMED.into_iter().chain(AROUND);
            return all.filter(|piece| encoding.decode(piece).error.is_some()).map(<[u8]>::to_vec).collect();
        }
        Family::Sixteen if encoding.surrogates == Surrogates::Unpaired => &[],
        Family::Sixteen => &[
            &[0xD800],
            &[0xDBFF],
            &[0xDC00],
            &[0xDFFF],
            &[0xD800, 0xD800],
            &[0xDC00, 0xD800],
            &[0xDBFF, 0xDBFF, 0xDFFF],
            &[0xDFFF, 0xDFFF],
            &[0xD83D, 0xDE00, 0xDE00],
            &[0xD83D, 0xE000],
            &[0xD83D, 0xD7FF],
        ],
        Family::ThirtyTwo => &[
            &[0xD800],
            &[0xDBFF],
            &[0xDC00],
            &[0xDFFF],
            &[0x11_0000],
            &[0x0100_0041],
            &[0x7FFF_FFFF],
            &[0x8000_0000],
            &[0x8000_0041],
            &[0xFFFF_D800],
            &[0xFFFF_FFFF],
            &[0x4100_0000],
        ],
    };
    units.iter().map(|units| encoding.units(units)).collect()
}
