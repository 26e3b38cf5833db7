//! The behaviours, as the programs go about it: one loop over bytes each, with its own idea of a
//! sequence; and the encodings that are not in dispute, by the oracle.

use runecast::{Escape, Policy, Replacement};

use crate::common::oracle::{Encoding, Family, Surrogates, WTF8};

/// What comes out: a code point, or a replacement of so many bytes from a place on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A character, or a surrogate of Python 2.
    Point(u32),
    /// From where, and how many bytes.
    Bad(usize, usize),
}

/// How many bytes from `at` on are a sequence in the reading of `lengths`: all that it announces, or as
/// many as go on.
fn sequence(bytes: &[u8], at: usize, lengths: fn(u8) -> usize) -> (usize, bool) {
    let announced = lengths(bytes[at]);
    let mut len = 1;
    while len < announced && at + len < bytes.len() && bytes[at + len] & 0xC0 == 0x80 {
        len += 1;
    }
    (len, len == announced)
}

fn value(bytes: &[u8]) -> u128 {
    let head = match bytes.len() {
        1 => return bytes[0].into(),
        len if len < 7 => u128::from(bytes[0]) & ((1 << (7 - len)) - 1),
        _ => 0,
    };
    bytes[1..].iter().fold(head, |value, byte| value * 64 + u128::from(byte - 0x80))
}

fn four_at_most(lead: u8) -> usize {
    match lead.leading_ones() {
        2 if lead > 0xC1 => 2,
        3 => 3,
        4 if lead < 0xF5 => 4,
        _ => 1,
    }
}

fn six_at_most(lead: u8) -> usize {
    match lead.leading_ones() {
        ones @ 2..=6 => ones as usize,
        _ => 1,
    }
}

fn as_perl(lead: u8) -> usize {
    match lead {
        0xC0 | 0xC1 => 1,
        0xFE => 7,
        0xFF => 13,
        _ => six_at_most(lead),
    }
}

/// The fewest bytes for a value, in Perl's forms.
fn fewest(value: u128) -> usize {
    let limits = [(7, 1), (11, 2), (16, 3), (21, 4), (26, 5), (31, 6), (36, 7), (64, 13)];
    limits.iter().find(|(bits, _)| value >> bits == 0).map_or(usize::MAX, |(_, len)| *len)
}

/// A character of Unicode at `at`, by the bytes of the standard library.
fn character(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    (1..=4.min(bytes.len() - at)).find_map(|len| {
        let text = std::str::from_utf8(&bytes[at..at + len]).ok()?;
        Some((text.chars().next()?.into(), len))
    })
}

/// The bytes that a behaviour takes for one error at `at`; or a surrogate of so many.
fn error(replacement: Replacement, bytes: &[u8], at: usize) -> Result<usize, (u32, usize)> {
    let std_subpart = || match std::str::from_utf8(&bytes[at..]) {
        Err(error) if error.valid_up_to() == 0 => error.error_len().unwrap_or(bytes.len() - at),
        other => panic!("an error was expected at {at}: {other:?}"),
    };
    let lead = bytes[at];
    Ok(match replacement {
        Replacement::PerByte => 1,
        Replacement::Win32 => {
            // Two bytes have been eaten when the range of the second turns out to be wrong.
            let (run, _) = sequence(bytes, at, four_at_most);
            if four_at_most(lead) > 2 && run >= 2 { std_subpart().max(2) } else { std_subpart() }
        }
        Replacement::OpenJdk8 => {
            // Surrogates are looked for only when three bytes have been decoded.
            if lead == 0xED { sequence(bytes, at, four_at_most).0 } else { std_subpart() }
        }
        Replacement::Python2 => {
            let (run, whole) = sequence(bytes, at, four_at_most);
            if lead == 0xED && whole {
                return Err((value(&bytes[at..at + 3]) as u32, 3));
            }
            // The last continuation byte is never looked at.
            run.min(four_at_most(lead).max(2) - 1)
        }
        Replacement::Perl5 => match sequence(bytes, at, as_perl) {
            (len, true) if len > 1 && fewest(value(&bytes[at..at + len])) == len => len,
            _ => 1,
        },
        Replacement::Icu55 => sequence(bytes, at, six_at_most).0,
        _ => std_subpart(),
    })
}

/// What `replacement` makes of UTF-8.
pub fn eight(replacement: Replacement, bytes: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (piece, len) = match character(bytes, at) {
            Some((0xFDD0..=0xFDEF, len)) if replacement == Replacement::Perl5 => (Piece::Bad(at, len), len),
            Some((point, len)) if replacement == Replacement::Perl5 && point % 0x1_0000 >= 0xFFFE => {
                (Piece::Bad(at, len), len)
            }
            Some((point, len)) => (Piece::Point(point), len),
            None => match error(replacement, bytes, at) {
                Ok(len) => (Piece::Bad(at, len), len),
                Err((surrogate, len)) => (Piece::Point(surrogate), len),
            },
        };
        pieces.push(piece);
        at += len;
    }
    pieces
}

/// What any policy makes of text in `source`.
pub fn pieces(source: &Encoding, bytes: &[u8], policy: Policy<'_>) -> Vec<Piece> {
    if source.family == Family::Eight {
        let replacement = match policy {
            Policy::Replace(replacement) => replacement,
            _ => Replacement::Whatwg,
        };
        return eight(replacement, bytes);
    }
    let mut pieces = Vec::new();
    let mut at = 0;
    loop {
        let decoded = source.decode(&bytes[at..]);
        pieces.extend(decoded.characters.iter().map(|(scalar, _)| Piece::Point(*scalar)));
        let Some((place, len, _)) = decoded.error else { return pieces };
        pieces.push(Piece::Bad(at + place, len));
        at += place + len;
    }
}

/// The output, a list of units for each piece; how many are replacements, and the first one's place.
pub struct Expected {
    pub outputs: Vec<Vec<u8>>,
    pub replaced: usize,
    pub first: Option<usize>,
}

impl Expected {
    /// What `policy` makes of `bytes`, in `target`.
    pub fn of(source: &Encoding, target: &Encoding, bytes: &[u8], policy: Policy<'_>) -> Expected {
        let wide = matches!(target.family, Family::Sixteen | Family::ThirtyTwo);
        let mut expected = Expected { outputs: Vec::new(), replaced: 0, first: None };
        let mut read = 0;
        let pairs_up = source.family != Family::Eight && target.surrogates == Surrogates::Unpaired;
        let mut behind_high = false;
        let mut all = pieces(source, bytes, policy).into_iter().peekable();
        while let Some(piece) = all.next() {
            let mut output = Vec::new();
            let before = std::mem::take(&mut behind_high);
            let (len, replaced) = match piece {
                Piece::Point(surrogate @ 0xD800..=0xDFFF) if source.family == Family::Eight => {
                    if wide {
                        target.put(surrogate, &mut output);
                    } else {
                        put(target, 0xFFFD, &mut output);
                    }
                    (3, !wide)
                }
                Piece::Point(point) => {
                    let mut there = Vec::new();
                    source.encode(point, &mut there);
                    behind_high = target.surrogates != Surrogates::None && point >> 10 == 0x36;
                    match all.peek() {
                        Some(Piece::Point(low)) if pairs_up && point >> 10 == 0x36 && low >> 10 == 0x37 => {
                            source.encode(*low, &mut there);
                            let point = 0x1_0000 + ((point & 0x3FF) << 10 | low & 0x3FF);
                            all.next();
                            behind_high = false;
                            (there.len(), !put_or_not(target, point, policy, &mut output))
                        }
                        _ => (there.len(), !put_or_not(target, point, policy, &mut output)),
                    }
                }
                Piece::Bad(at, len) => {
                    for point in replacement(source, wide, &bytes[at..at + len], policy) {
                        if wide && (0xD800..0xE000).contains(&point) {
                            target.put(point, &mut output);
                        } else {
                            put(target, point, &mut output);
                        }
                    }
                    if *target == WTF8 && before && output.is_empty() {
                        // It is written together with the surrogate or not at all.
                        put(target, 0xFFFD, &mut output);
                        if let Some(high) = expected.outputs.pop() {
                            output.splice(..0, high);
                        }
                    }
                    (len, true)
                }
            };
            if replaced {
                expected.replaced += 1;
                expected.first.get_or_insert(read / source.unit);
            }
            expected.outputs.push(output);
            read += len;
        }
        assert_eq!(read, bytes.len());
        expected
    }

    pub fn all(&self) -> Vec<u8> {
        self.outputs.concat()
    }
}

/// Appends a code point, or what stands for it; says whether it was itself.
fn put(target: &Encoding, point: u32, to: &mut Vec<u8>) -> bool {
    let itself = target.encode(point, to);
    let _ = itself || target.encode(0xFFFD, to) || target.encode('?'.into(), to);
    itself
}

/// The same, but nothing for what has no form, if the policy says so.
fn put_or_not(target: &Encoding, point: u32, policy: Policy<'_>, to: &mut Vec<u8>) -> bool {
    if policy == Policy::Omit { target.encode(point, to) } else { put(target, point, to) }
}

/// The code points that stand for the ill-formed `bytes`.
fn replacement(source: &Encoding, wide: bool, bytes: &[u8], policy: Policy<'_>) -> Vec<u32> {
    let text = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
    let single = matches!(source.family, Family::Eight | Family::Single);
    let number = |piece: &[u8]| {
        let digit = |number: u32, byte: &u8| number << 8 | u32::from(*byte);
        if source.big { piece.iter().fold(0, digit) } else { piece.iter().rev().fold(0, digit) }
    };
    match policy {
        Policy::With(with) => text(with),
        Policy::DropAtTheRiskOfJoining | Policy::Omit => Vec::new(),
        Policy::Escape(Escape::Backslash) => {
            let units = bytes.chunks(source.unit).map(|unit| match source.unit {
                1 => format!("\\x{:02X}", unit[0]),
                2 => format!("\\u{:04X}", number(unit)),
                _ => format!("\\U{:08X}", number(unit)),
            });
            text(&units.collect::<String>())
        }
        Policy::Escape(Escape::Surrogate) if wide && single => {
            bytes.iter().map(|byte| 0xDC00 + u32::from(*byte)).collect()
        }
        Policy::Escape(Escape::Surrogate) if wide => match number(bytes) {
            surrogate @ 0xD800..=0xDFFF if bytes.len() == source.width() => vec![surrogate],
            _ => vec![0xFFFD],
        },
        Policy::Escape(Escape::Latin1) if single => bytes.iter().map(|byte| u32::from(*byte)).collect(),
        Policy::Escape(Escape::Windows1252) if single => {
            text(&encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0)
        }
        _ => vec![0xFFFD],
    }
}
