//! Short texts of every encoding, good and bad, and all ways to cut them.

use crate::common::oracle::{Encoding, Family};
use crate::common::texts::{Class, ILL_FORMED, Rng};

/// Good pieces, then bad ones: a text is any of them in a row.
pub fn pieces(encoding: &Encoding) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    for point in [0, 0x41, 0xE9, 0x6F22, 0xFEFF, 0xFFFE, 0x1_FAA8, 0xD83E, 0xDEA8] {
        let mut bytes = Vec::new();
        if encoding.encode(point, &mut bytes) {
            pieces.push(bytes);
        }
    }
    let byte_units = encoding.unit == 1;
    match encoding.family {
        Family::Eight | Family::Leads(_) => {
            pieces.extend(ILL_FORMED.iter().map(|bytes| bytes.to_vec()));
            let more: [&[u8]; 9] = [
                b"\xED\xA0\x80",
                b"\xED\xB0\x80",
                b"\xED\xA0\x80\xED",
                b"\xED\xA0\x80\xED\xB0",
                b"\xED\xA0\x80\xC3",
                b"\xFB\xBF\xBF\xBF",
                b"\xFD\xBF\xBF\xBF\xBF",
                b"\xFE\x83\xBF\xBF\xBF\xBF\xBF",
                b"\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80",
            ];
            pieces.extend(more.iter().map(|bytes| bytes.to_vec()));
        }
        Family::Single => pieces.extend([vec![0x80], vec![0xFF]]),
        Family::Sixteen => {
            pieces.extend([0xD83E, 0xDEA8, 0xDC80].map(|unit| encoding.units(&[unit])));
            if byte_units {
                pieces.extend([vec![0xD8], vec![0x00], vec![0xDE]]);
            }
        }
        Family::ThirtyTwo => {
            pieces.extend([0xD83E, 0xDEA8, 0x11_0000, u32::MAX].map(|unit| encoding.units(&[unit])));
            if byte_units {
                pieces.extend([vec![0x00], vec![0xD8, 0x00], vec![0x00, 0x10, 0xFF]]);
            }
        }
    }
    pieces.sort();
    pieces.dedup();
    pieces
}

/// A random text of such pieces and of clean stretches.
pub fn long(encoding: &Encoding, pieces: &[Vec<u8>], count: usize, rarity: usize, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..count {
        if rng.below(rarity) == 0 {
            bytes.extend(&pieces[rng.below(pieces.len())]);
            continue;
        }
        let class = Class::ALL[rng.below(Class::ALL.len())];
        for character in class.text(4 + rng.below(90), rng).chars() {
            let scalar = u32::from(character) % encoding.limit;
            encoding.encode(char::from_u32(scalar).unwrap_or('?').into(), &mut bytes);
        }
    }
    bytes
}

/// All ways to cut `len` units into up to three chunks, and into chunks of one; with empty ones between.
pub fn cuts(len: usize, mut each: impl FnMut(&[usize])) {
    each(&[]);
    for first in 0..=len {
        each(&[first]);
        for second in first..=len {
            each(&[first, second]);
        }
    }
    let twice: Vec<usize> = (0..=len).flat_map(|at| [at, at]).collect();
    each(&twice);
}

/// Random places to cut `len` units, in order.
pub fn random_cuts(len: usize, most: usize, rng: &mut Rng) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut at = 0;
    loop {
        at += rng.below(most + 1);
        if at > len {
            return cuts;
        }
        cuts.push(at);
    }
}

/// The chunks of a text that is cut at these units: in bytes.
pub fn chunks<'a>(text: &'a [u8], unit: usize, cuts: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let ends = cuts.iter().map(move |cut| cut * unit).chain([text.len()]);
    ends.scan(0, move |begin, end| {
        let chunk = &text[*begin..end];
        *begin = end;
        Some(chunk)
    })
}
