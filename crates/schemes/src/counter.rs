//! Three schemes that count the bytes of a sequence in three binary digits.
//!
//! All three put the lowest bits of the value first, as the essay does here, and all three have forms that are
//! longer than they need be, down to a lone byte that says "none follow" (`80` is 0, and so is `00`). The essay
//! does not refuse them, so neither do these. Where it gives a limit (six bytes, seven bytes) the counters beyond
//! are never used, although three digits could count eight bytes.

use crate::{Fault, Form, Scheme, Step, bad, fit, good};

/// A counter in each byte, that counts down the bytes to come.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..FF | `1001aaaa 1000bbbb` |
/// | 100..FFF | `1010aaaa 1001bbbb 1000cccc` |
/// | 1000..FFFF | `1011aaaa 1010bbbb 1001cccc 1000dddd` |
/// | 10000..FFFFF | `1100aaaa 1011bbbb 1010cccc 1001dddd 1000eeee` |
/// | 100000..FFFFFF | `1101aaaa 1100bbbb 1011cccc 1010dddd 1001eeee 1000ffff` |
///
/// `a` are the lowest bits of the value. Nothing tells the first byte from the others, so the end of a
/// sequence is a sequence too. Counters of six and seven are never used.
#[derive(Clone, Copy, Debug)]
pub struct Naive;

/// A start bit and a counter in each byte.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..1FF | `10010aaa 11001bbb 11000ccc` |
/// | 200..FFF | `10011aaa 11010bbb 11001ccc 11000ddd` |
/// | 1000..7FFF | `10100aaa 11011bbb 11010ccc 11001ddd 11000eee` |
/// | 8000..3FFFF | `10101aaa 11100bbb 11011ccc 11010ddd 11001eee 11000fff` |
/// | 40000..1FFFFF | `10110aaa 11101bbb 11100ccc 11011ddd 11010eee 11001fff 11000ggg` |
///
/// `a` are the lowest bits of the value. Two bytes hold six bits, less than ASCII has, so no value needs
/// exactly two. A counter of seven is never used.
#[derive(Clone, Copy, Debug)]
pub struct StartBit;

/// A counter in the first byte only, and six bits in every other.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..1FF | `10001aaa 11bbbbbb` |
/// | 200..7FFF | `10010aaa 11bbbbbb 11cccccc` |
/// | 8000..1FFFFF | `10011aaa 11bbbbbb 11cccccc 11dddddd` |
/// | 200000..7FFFFFF | `10100aaa 11bbbbbb 11cccccc 11dddddd 11eeeeee` |
/// | 8000000..FFFFFFFF | `10101aaa 11bbbbbb 11cccccc 11dddddd 11eeeeee 110fffff` |
///
/// `a` are the lowest bits of the value. The last row has room for 33 bits, of which a `u32`
/// fills 32. Counters of six and seven would go to 45 bits; here they only make longer forms.
#[derive(Clone, Copy, Debug)]
pub struct OneCounter;

/// Where the counter is in a byte of `StartBit` and in the first byte of `OneCounter`.
fn counter(byte: u8) -> usize {
    usize::from(byte >> 3 & 7)
}

/// Whether this is the form of an ASCII character that is ASCII.
fn is_ascii(form: &[u8]) -> bool {
    form.first().is_some_and(u8::is_ascii)
}

impl Scheme for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn title(&self) -> &'static str {
        "a counter in each byte"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        let len = match value {
            0..=0x7F => return Some(Form::of(1, |_| value as u8)),
            0x80..=0xFF_FFFF => value.ilog2() as usize / 4 + 1,
            _ => return None,
        };
        let chunk = |index| (value >> (4 * index)) as u8 & 0xF;
        Some(Form::of(len, |index| 0x80 | ((len - 1 - index) as u8) << 4 | chunk(index)))
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        let first = *bytes.first()?;
        let behind = usize::from(first >> 4 & 7);
        if first < 0x80 {
            return Some(good(u32::from(first), 1));
        }
        if behind > 5 {
            return Some(bad(Fault::NeverUsed, 1));
        }
        let mut value = 0;
        for index in 0..=behind {
            match bytes.get(index) {
                Some(&byte) if usize::from(byte >> 4) == 8 | (behind - index) => {
                    value |= u32::from(byte & 0xF) << (4 * index);
                }
                _ => return Some(bad(Fault::Truncated, index)),
            }
        }
        Some(good(value, behind + 1))
    }

    fn tag_bits(&self, form: &[u8], _: usize) -> u32 {
        if is_ascii(form) { 1 } else { 4 }
    }
}

impl Scheme for StartBit {
    fn name(&self) -> &'static str {
        "start"
    }

    fn title(&self) -> &'static str {
        "a start bit and a counter in each byte"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        let len = match value {
            0..=0x7F => return Some(Form::of(1, |_| value as u8)),
            0x80..=0x1F_FFFF => value.ilog2() as usize / 3 + 1,
            _ => return None,
        };
        let rest = |index| if index > 0 { 0x40 } else { 0 };
        let chunk = |index| (value >> (3 * index)) as u8 & 7;
        Some(Form::of(len, |index| 0x80 | rest(index) | ((len - 1 - index) as u8) << 3 | chunk(index)))
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        let first = *bytes.first()?;
        let behind = counter(first);
        match first {
            0..0x80 => return Some(good(u32::from(first), 1)),
            0xC0.. => return Some(bad(Fault::Stray, 1)),
            _ if behind == 7 => return Some(bad(Fault::NeverUsed, 1)),
            _ => {}
        }
        let mut value = u32::from(first & 7);
        for index in 1..=behind {
            match bytes.get(index) {
                Some(&byte) if byte >= 0xC0 && counter(byte) == behind - index => {
                    value |= u32::from(byte & 7) << (3 * index);
                }
                _ => return Some(bad(Fault::Truncated, index)),
            }
        }
        Some(good(value, behind + 1))
    }

    fn tag_bits(&self, form: &[u8], _: usize) -> u32 {
        if is_ascii(form) { 1 } else { 5 }
    }
}

impl Scheme for OneCounter {
    fn name(&self) -> &'static str {
        "one"
    }

    fn title(&self) -> &'static str {
        "a counter in the first byte"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        if value < 0x80 {
            return Some(Form::of(1, |_| value as u8));
        }
        let behind = (value.ilog2() as usize + 3) / 6;
        Some(Form::of(behind + 1, |index| match index {
            0 => 0x80 | (behind as u8) << 3 | value as u8 & 7,
            _ => 0xC0 | (value >> (6 * index - 3)) as u8 & 0x3F,
        }))
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        let (&first, rest) = bytes.split_first()?;
        let behind = counter(first);
        match first {
            0..0x80 => return Some(good(u32::from(first), 1)),
            0xC0.. => return Some(bad(Fault::Stray, 1)),
            _ => {}
        }
        let mut value = u64::from(first & 7);
        for index in 0..behind {
            match rest.get(index) {
                Some(&byte) if byte >= 0xC0 => value |= u64::from(byte & 0x3F) << (3 + 6 * index),
                _ => return Some(bad(Fault::Truncated, index + 1)),
            }
        }
        Some(fit(value, behind + 1))
    }

    fn tag_bits(&self, form: &[u8], index: usize) -> u32 {
        match index {
            _ if is_ascii(form) => 1,
            0 => 5,
            _ => 2,
        }
    }
}
