//! UTF-8 without what is ill-formed in it, at speed also where that is everywhere.
//!
//! The library leaves out one sequence after the other, which is slow in text of another encoding, where each letter is one. To
//! write U+FFFD for them has a kernel. So that is done first, and then all U+FFFD are left out: which can be
//! done if there was none before.

use memchr::memchr;
use memchr::memmem::find;
use runecast::{Policy, Replacement, Scheme};

/// U+FFFD.
const MARK: &[u8] = "\u{FFFD}".as_bytes();

/// So many bytes are looked at one by one before it is worth a call.
const NEAR: usize = 16;

/// Appends `text` without what is ill-formed in it: how many sequences that were.
pub(super) fn append_without_ill_formed(text: &[u8], scratch: &mut Vec<u8>, out: &mut Vec<u8>) -> u64 {
    let utf8 = Scheme::Utf8;
    if find(text, MARK).is_some() {
        return utf8.transcode_lossy_append(utf8, text, out, Policy::With("")).replaced as u64;
    }
    scratch.clear();
    let repaired = utf8.transcode_lossy_append(utf8, text, scratch, Replacement::Whatwg);
    out.reserve(text.len());
    let mut rest = scratch.as_slice();
    while let [first, behind @ ..] = rest {
        if let Some(after) = rest.strip_prefix(MARK) {
            rest = after;
            continue;
        }
        let near = &behind[..behind.len().min(NEAR)];
        let kept = near.iter().position(|byte| *byte == MARK[0]).unwrap_or_else(|| {
            near.len() + memchr(MARK[0], &behind[near.len()..]).unwrap_or(behind.len() - near.len())
        });
        match kept {
            0 => out.push(*first),
            _ => out.extend_from_slice(&rest[..=kept]),
        }
        rest = &behind[kept..];
    }
    repaired.replaced as u64
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
}
