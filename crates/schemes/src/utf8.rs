//! UTF-8 as it is today: RFC 3629, and Table 3-7 of the Unicode Standard.

use crate::unary::{is_continuation, tags};
use crate::{Cleared, Fault, Form, Scheme, Step, bad, good, run};

/// UTF-8: one form for each scalar value, of at most four bytes.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..7FF | `110bbbbb 10aaaaaa` |
/// | 800..D7FF, E000..FFFF | `1110cccc 10bbbbbb 10aaaaaa` |
/// | 10000..10FFFF | `11110ddd 10cccccc 10bbbbbb 10aaaaaa` |
///
/// `a` are the lowest bits of the value. C0, C1 and F5..FF are never used. What is ill-formed is passed over as
/// Unicode recommends: as far as it is the beginning of a character ("maximal subpart"), so a byte that makes
/// a sequence too long, a surrogate or too large is not part of it.
#[derive(Clone, Copy, Debug)]
pub struct Utf8;

impl Scheme for Utf8 {
    fn name(&self) -> &'static str {
        "utf8"
    }

    fn title(&self) -> &'static str {
        "UTF-8"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        if char::from_u32(value).is_some() { Cleared.encode(value) } else { None }
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        let (&lead, rest) = bytes.split_first()?;
        // The rows of Table 3-7: how many bytes follow, and what the first of them may be.
        let (behind, first) = match lead {
            0x00..=0x7F => return Some(good(u32::from(lead), 1)),
            0x80..=0xBF => return Some(bad(Fault::Stray, 1)),
            0xC2..=0xDF => (1, 0x80..=0xBF),
            0xE0 => (2, 0xA0..=0xBF),
            0xE1..=0xEC | 0xEE..=0xEF => (2, 0x80..=0xBF),
            0xED => (2, 0x80..=0x9F),
            0xF0 => (3, 0x90..=0xBF),
            0xF1..=0xF3 => (3, 0x80..=0xBF),
            0xF4 => (3, 0x80..=0x8F),
            0xC0..=0xC1 | 0xF5..=0xFF => return Some(bad(Fault::NeverUsed, 1)),
        };
        if let Some(&next) = rest.first()
            && is_continuation(next)
            && !first.contains(&next)
        {
            let fault = match lead {
                0xED => Fault::Surrogate,
                0xF4 => Fault::TooLarge,
                _ => Fault::Overlong,
            };
            return Some(bad(fault, 1));
        }
        let there = run(&rest[..rest.len().min(behind)], is_continuation);
        if there < behind {
            return Some(bad(Fault::Truncated, 1 + there));
        }
        // `behind` bytes follow, so the lead byte has that many tags and two more.
        let top = u32::from(lead) & (0x3F >> behind);
        let value = rest[..behind].iter().fold(top, |value, byte| value << 6 | u32::from(byte & 0x3F));
        Some(good(value, 1 + behind))
    }

    fn tag_bits(&self, form: &[u8], index: usize) -> u32 {
        tags(form, index)
    }
}
