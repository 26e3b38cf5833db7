//! LEB128, as the world writes it and as the essay writes it: seven bits a byte, the lowest first, and one tag.
//!
//! The two differ in what the tag says. In LEB128 (DWARF, WebAssembly, protocol buffers) it is set in every
//! byte *but the last*; in the essay it is set in every byte *but the first*. The essay takes the second for the
//! first. It matters: with the tag of the essay no byte below 80 occurs inside of a longer sequence, and a sequence
//! that lost its beginning does not look like one; but the end of a sequence only shows in what follows it.

use crate::{Fault, Form, Scheme, Step, bad, fit, good, run};

/// LEB128: the tag is set in every byte but the last.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..3FFF | `1aaaaaaa 0bbbbbbb` |
/// | 4000..1FFFFF | `1aaaaaaa 1bbbbbbb 0ccccccc` |
/// | 200000..FFFFFFF | `1aaaaaaa 1bbbbbbb 1ccccccc 0ddddddd` |
/// | 10000000..FFFFFFFF | `1aaaaaaa 1bbbbbbb 1ccccccc 1ddddddd 0000eeee` |
///
/// `a` are the lowest bits of the value. A last byte of 00 behind others makes a form longer than it need be,
/// and is accepted. There is no upper limit to the layout; this codec stops at 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Leb128;

/// LEB128 in the essay: the tag is set in every byte but the first.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..3FFF | `0aaaaaaa 1bbbbbbb` |
/// | 4000..1FFFFF | `0aaaaaaa 1bbbbbbb 1ccccccc` |
/// | 200000..FFFFFFF | `0aaaaaaa 1bbbbbbb 1ccccccc 1ddddddd` |
/// | 10000000..FFFFFFFF | `0aaaaaaa 1bbbbbbb 1ccccccc 1ddddddd 1000eeee` |
///
/// `a` are the lowest bits of the value. A sequence goes on as long as tagged bytes follow, so one that is cut
/// short is another value, and what comes behind it decides where it ends. Bytes of 80 at the end make a form
/// longer than it need be, and are accepted.
#[derive(Clone, Copy, Debug)]
pub struct Tagged;

/// The number of bytes of a value, at seven bits each.
fn bytes_for(value: u32) -> usize {
    (value | 1).ilog2() as usize / 7 + 1
}

/// The seven bits in byte `index`.
fn chunk(value: u32, index: usize) -> u8 {
    (value >> (7 * index)) as u8 & 0x7F
}

/// The value of the chunks in these bytes.
fn joined(bytes: &[u8]) -> Step {
    let chunks = bytes.iter().map(|byte| u64::from(byte & 0x7F));
    // Nine chunks fill 63 bits; what stands behind them must be nothing.
    let excess = chunks.clone().skip(9).any(|chunk| chunk != 0);
    let value = chunks.take(9).rev().fold(0, |value, chunk| value << 7 | chunk);
    if excess { bad(Fault::TooLarge, bytes.len()) } else { fit(value, bytes.len()) }
}

impl Scheme for Leb128 {
    fn name(&self) -> &'static str {
        "leb128"
    }

    fn title(&self) -> &'static str {
        "LEB128: a tag on all but the last"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        let len = bytes_for(value);
        Some(Form::of(len, |index| chunk(value, index) | if index + 1 < len { 0x80 } else { 0 }))
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        let tagged = run(bytes, |byte| byte >= 0x80);
        Some(match bytes.get(..=tagged) {
            Some(all) => joined(all),
            None if tagged == 0 => return None,
            None => bad(Fault::Truncated, tagged),
        })
    }

    fn tag_bits(&self, _: &[u8], _: usize) -> u32 {
        1
    }
}

impl Scheme for Tagged {
    fn name(&self) -> &'static str {
        "tagged"
    }

    fn title(&self) -> &'static str {
        "LEB128 in the essay: a tag on all but the first"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        let tag = |index| if index > 0 { 0x80 } else { 0 };
        Some(Form::of(bytes_for(value), |index| chunk(value, index) | tag(index)))
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        let (&first, rest) = bytes.split_first()?;
        if first >= 0x80 {
            return Some(bad(Fault::Stray, 1));
        }
        let tagged = run(rest, |byte| byte >= 0x80);
        Some(if tagged == 0 { good(u32::from(first), 1) } else { joined(&bytes[..=tagged]) })
    }

    fn tag_bits(&self, _: &[u8], _: usize) -> u32 {
        1
    }
}
