//! Text without what cannot be converted, at speed also where that is everywhere.
//!
//! The library leaves out one sequence after the other, which is slow in text of another encoding, where each letter is one. To
//! write U+FFFD for them has a kernel. So that is done first, and then all U+FFFD are left out. Those that were in the text
//! before would go with them: so it is taken in the pieces between these.
//!
//! What is left out of well-formed text, U+FFFD or characters that the target has no form for, is left out of UTF-16, which
//! kernels make: each unit is written, and it is only the next place that depends on whether it stays. So nothing has to be
//! guessed, however letters and errors follow each other. Where errors are few, the text between them is copied.

use memchr::memmem::Finder;
use runecast::{Replacement, Scheme, Utf8, Utf16, transcode};

use crate::pipeline::window::whole_characters;

/// U+FFFD.
const MARK: &[u8] = "\u{FFFD}".as_bytes();

/// The same in UTF-16.
const MARK_UNIT: u16 = 0xFFFD;

/// So many bytes become units at once.
const BLOCK: usize = 1024;

/// Units that are copied together if all of them are wanted.
const GROUP: usize = 8;

/// If there is one error in so many bytes or more, what is between them is not copied in pieces.
const DENSE: usize = 64;

/// Appends `text`, which is UTF-8, without what is ill-formed in it: how many sequences that were.
pub(super) fn append_without_ill_formed(text: &[u8], scratch: &mut Vec<u8>, out: &mut Vec<u8>) -> u64 {
    let finder = Finder::new(MARK);
    let (mut rest, mut left_out) = (text, 0);
    loop {
        // (Wherever these three bytes are, they are that character: the first can only be a lead byte.)
        let here = finder.find(rest);
        let piece = &rest[..here.unwrap_or(rest.len())];
        left_out += append_piece(piece, &finder, scratch, out);
        let Some(here) = here else { return left_out };
        out.extend_from_slice(MARK);
        rest = &rest[here + MARK.len()..];
    }
}

/// The same if there is no U+FFFD in the text.
fn append_piece(text: &[u8], mark: &Finder, scratch: &mut Vec<u8>, out: &mut Vec<u8>) -> u64 {
    scratch.clear();
    let utf8 = Scheme::Utf8;
    let replaced = utf8.transcode_lossy_append(utf8, text, scratch, Replacement::Whatwg).replaced;
    out.reserve(text.len());
    if replaced > text.len() / DENSE {
        pick(scratch, |unit| (unit, unit != MARK_UNIT), |units| append_utf16(units, out));
        return replaced as u64;
    }
    let mut rest = scratch.as_slice();
    while let Some(here) = mark.find(rest) {
        out.extend_from_slice(&rest[..here]);
        rest = &rest[here + MARK.len()..];
    }
    out.extend_from_slice(rest);
    replaced as u64
}

/// Appends the characters of a well-formed text up to U+00FF or less, each as one byte, and leaves out the others: how many
/// those are.
pub(super) fn append_bytes(text: &[u8], most: char, out: &mut Vec<u8>) -> u64 {
    let most = u32::from(most).min(0xFF) as u16;
    let before = out.len();
    out.reserve(text.len());
    let characters =
        pick(text, |unit| (unit as u8, unit <= most), |bytes: &[u8]| out.extend_from_slice(bytes));
    characters - (out.len() - before) as u64
}

/// Hands out what `form` makes of the units of UTF-16 that a well-formed text has, block by block, but for those of which it says
/// that they are not wanted: how many characters there are in all. Of a pair of surrogates both or none must be wanted.
fn pick<T: Copy + Default>(text: &[u8], form: impl Fn(u16) -> (T, bool), mut take: impl FnMut(&[T])) -> u64 {
    let (mut units, mut picked) = ([0; BLOCK], [T::default(); BLOCK]);
    let (mut at, mut characters, mut calm) = (0, 0, true);
    while at < text.len() {
        let piece = &text[at..][..whole_characters(&text[at..], BLOCK)];
        // (It is well-formed, and each byte is one unit at most.)
        let Ok(written) = transcode::<Utf8, Utf16>(piece, &mut units) else { break };
        at += piece.len();
        let block = &units[..written];
        let kept = pick_block(block, &form, calm, &mut picked);
        calm = block.len() - kept <= block.len() / DENSE;
        let second = |unit: &u16| u16::from(unit & 0xFC00 == 0xDC00);
        characters += (block.len() - usize::from(block.iter().map(second).sum::<u16>())) as u64;
        take(&picked[..kept]);
    }
    characters
}

/// Writes what `form` makes of the wanted ones of these units: how many. If nearly all are, groups of them are copied as they are.
fn pick_block<T: Copy>(
    units: &[u16],
    form: impl Fn(u16) -> (T, bool),
    calm: bool,
    picked: &mut [T; BLOCK],
) -> usize {
    let mut kept = 0;
    let each = |units: &[u16], kept: &mut usize, picked: &mut [T; BLOCK]| {
        for unit in units {
            // (There is a place for each; `min` is never needed, and spares a comparison.)
            let (form, wanted) = form(*unit);
            picked[(*kept).min(BLOCK - 1)] = form;
            *kept += usize::from(wanted);
        }
    };
    let (groups, rest) = if calm { units.as_chunks::<GROUP>() } else { (&[][..], units) };
    for group in groups {
        let all = group.iter().fold(true, |all, unit| all & form(*unit).1);
        match picked.get_mut(kept..kept + GROUP) {
            Some(places) if all => {
                places.iter_mut().zip(group).for_each(|(place, unit)| *place = form(*unit).0);
                kept += GROUP;
            }
            _ => each(group, &mut kept, picked),
        }
    }
    each(rest, &mut kept, picked);
    kept
}

/// Appends well-formed UTF-16 as UTF-8.
fn append_utf16(units: &[u16], out: &mut Vec<u8>) {
    let whole = runecast::transcode_append::<Utf16, Utf8>(units, out);
    debug_assert!(whole.is_ok(), "pairs have not been separated");
}

#[cfg(test)]
mod tests {
    use runecast_corpus::{Random, Script, generate};

    use super::*;

    /// The chunks of std: what is valid, and one for each ill-formed sequence.
    fn naive(text: &[u8]) -> (Vec<u8>, u64) {
        let mut kept = Vec::new();
        let mut left_out = 0;
        for chunk in text.utf8_chunks() {
            kept.extend_from_slice(chunk.valid().as_bytes());
            left_out += u64::from(!chunk.invalid().is_empty());
        }
        (kept, left_out)
    }

    #[test]
    fn it_is_what_std_says() {
        let mut random = Random::new(9);
        let mut scratch = Vec::new();
        for script in Script::ALL {
            for seed in 0..60 {
                let mut text = generate(script, random.below(400), seed).into_bytes();
                let errors = random.below(text.len() / [1, 8, 50][seed as usize % 3] + 1);
                for _ in 0..errors {
                    let at = random.below(text.len());
                    text[at] = random.bits() as u8;
                }
                // Also with one that was there before, and with others that begin with the same byte.
                for addition in ["", "\u{FFFD}", "\u{FFFC}\u{F900}"] {
                    text.extend_from_slice(addition.as_bytes());
                    let mut out = b"before".to_vec();
                    let left_out = append_without_ill_formed(&text, &mut scratch, &mut out);
                    let (kept, expected) = naive(&text);
                    assert_eq!((&out[6..], left_out), (&kept[..], expected), "{text:X?}");
                }
            }
        }
    }

    #[test]
    fn bytes_are_picked_as_by_a_loop() {
        for script in Script::ALL {
            for length in [0, 1, 100, 1023, 1024, 1025, 5000] {
                let text = generate(script, length, 3) + "é\u{FF}\u{100}🦀";
                for most in ['\x7F', '\u{FF}'] {
                    let expected: Vec<u8> =
                        text.chars().filter(|c| *c <= most).map(|c| u32::from(c) as u8).collect();
                    let mut out = b"before".to_vec();
                    let omitted = append_bytes(text.as_bytes(), most, &mut out);
                    assert_eq!(&out[6..], expected);
                    assert_eq!(omitted, (text.chars().count() - expected.len()) as u64);
                }
            }
        }
    }
}
