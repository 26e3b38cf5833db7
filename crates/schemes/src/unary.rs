//! Three schemes that count the bytes of a sequence in unary digits: the ones at the top of the lead byte.
//!
//! The essay has two tables of lead bytes, before and after its second row, `10xxxxxx`, is taken away to be the
//! mark of the bytes that follow. What these look like *before*, it does not say, and there is nothing left to
//! mark them with: the table uses every pattern but `11111111` for lead bytes. So in [`Unary`] they are not
//! marked, and hold eight bits each, which makes it as dense as LEB128.
//!
//! Nor does it say where the highest bits go. All its numbers up to here have the lowest bits first; UTF-8,
//! at which it arrives, has the highest first, and so have these.

use crate::{Fault, Form, IllFormed, Scheme, Step, bad, fit};

/// The unary counter before its second row is removed: a lead byte, and whole bytes behind it.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..3FFF | `10bbbbbb aaaaaaaa` |
/// | 4000..1FFFFF | `110ccccc bbbbbbbb aaaaaaaa` |
/// | 200000..FFFFFFF | `1110dddd cccccccc bbbbbbbb aaaaaaaa` |
/// | 10000000..FFFFFFFF | `11110000 dddddddd cccccccc bbbbbbbb aaaaaaaa` |
///
/// `a` are the lowest bits of the value. The rows of lead bytes `111110xx`, `1111110x` and `11111110`, with
/// five, six and seven bytes behind them, are there, but a `u32` does not need them: they only make longer
/// forms. FF is never used. Any byte may follow a lead byte, so a decoder that is out of step may stay so.
#[derive(Clone, Copy, Debug)]
pub struct Unary;

/// The unary counter after its second row is removed, and has become the mark of the bytes that follow.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..7FF | `110bbbbb 10aaaaaa` |
/// | 800..FFFF | `1110cccc 10bbbbbb 10aaaaaa` |
/// | 10000..1FFFFF | `11110ddd 10cccccc 10bbbbbb 10aaaaaa` |
/// | 200000..3FFFFFF | `111110ee 10dddddd 10cccccc 10bbbbbb 10aaaaaa` |
/// | 4000000..7FFFFFFF | `1111110f 10eeeeee 10dddddd 10cccccc 10bbbbbb 10aaaaaa` |
/// | 80000000..FFFFFFFF | `11111110 1000001f 10eeeeee 10dddddd 10cccccc 10bbbbbb 10aaaaaa` |
///
/// `a` are the lowest bits of the value. The last row would hold 36 bits. FF is never used.
#[derive(Clone, Copy, Debug)]
pub struct Cleared;

/// RFC 2044 (1996), the layout of FSS-UTF (1992): six bytes at most.
///
/// | values | bytes |
/// |---|---|
/// | 0..7F | `0aaaaaaa` |
/// | 80..7FF | `110bbbbb 10aaaaaa` |
/// | 800..FFFF | `1110cccc 10bbbbbb 10aaaaaa` |
/// | 10000..1FFFFF | `11110ddd 10cccccc 10bbbbbb 10aaaaaa` |
/// | 200000..3FFFFFF | `111110ee 10dddddd 10cccccc 10bbbbbb 10aaaaaa` |
/// | 4000000..7FFFFFFF | `1111110f 10eeeeee 10dddddd 10cccccc 10bbbbbb 10aaaaaa` |
///
/// `a` are the lowest bits of the value. FE and FF are never used. The RFC tells an encoder which row to take and
/// does not tell a decoder to refuse the others, so `C0 AF` is 2F here. Surrogates are values like others.
#[derive(Clone, Copy, Debug)]
pub struct Rfc2044;

/// The mark of bytes that follow, `10xxxxxx`.
pub(crate) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The form of a value in `len` bytes, with `width` bits in each byte behind the lead byte, marked by `mark`,
/// and `ones` in the lead byte.
pub(crate) fn write(value: u32, len: usize, ones: u32, width: usize, mark: u8) -> Form {
    let lead = !(0xFF_u32 >> ones) as u8;
    Form::of(len, |index| {
        let bits = u64::from(value) >> (width * (len - 1 - index));
        if index == 0 { lead | bits as u8 } else { mark | (bits & ((1 << width) - 1)) as u8 }
    })
}

/// A whole sequence of the layout of UTF-8 at the beginning of `bytes`, and the bits in it: the lead byte is
/// one of `C0..=last`, and continuation bytes follow.
pub(crate) fn read(bytes: &[u8], last: u8) -> Option<Result<(u64, usize), IllFormed>> {
    let (&lead, rest) = bytes.split_first()?;
    if lead < 0x80 {
        return Some(Ok((u64::from(lead), 1)));
    }
    if is_continuation(lead) {
        return Some(bad(Fault::Stray, 1));
    }
    if lead > last {
        return Some(bad(Fault::NeverUsed, 1));
    }
    let behind = lead.leading_ones() as usize - 1;
    let there = crate::run(&rest[..behind.min(rest.len())], is_continuation);
    if there < behind {
        return Some(bad(Fault::Truncated, 1 + there));
    }
    let top = u64::from(lead & (0x7F >> lead.leading_ones()));
    let value = rest[..behind].iter().fold(top, |value, byte| value << 6 | u64::from(byte & 0x3F));
    Some(Ok((value, 1 + behind)))
}

/// How many bits of a byte of this layout are tags.
pub(crate) fn tags(form: &[u8], index: usize) -> u32 {
    form.get(index).map_or(0, |byte| (byte.leading_ones() + 1).min(8))
}

impl Scheme for Unary {
    fn name(&self) -> &'static str {
        "unary"
    }

    fn title(&self) -> &'static str {
        "a unary counter, whole bytes behind it"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        let behind = (value | 1).ilog2() / 7;
        Some(write(value, behind as usize + 1, behind, 8, 0))
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        let (&lead, rest) = bytes.split_first()?;
        let ones = lead.leading_ones();
        let behind = ones as usize;
        if ones == 8 {
            return Some(bad(Fault::NeverUsed, 1));
        }
        Some(match rest.get(..behind) {
            Some(rest) => {
                let top = u64::from(lead & (0x7F >> ones));
                fit(rest.iter().fold(top, |value, &byte| value << 8 | u64::from(byte)), 1 + behind)
            }
            None => bad(Fault::Truncated, bytes.len()),
        })
    }

    fn tag_bits(&self, form: &[u8], index: usize) -> u32 {
        if index == 0 { tags(form, 0) } else { 0 }
    }
}

impl Scheme for Cleared {
    fn name(&self) -> &'static str {
        "cleared"
    }

    fn title(&self) -> &'static str {
        "a unary counter without its second row"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        Some(match value {
            0..0x80 => write(value, 1, 0, 6, 0x80),
            0x80..0x800 => write(value, 2, 2, 6, 0x80),
            0x800..0x1_0000 => write(value, 3, 3, 6, 0x80),
            0x1_0000..0x20_0000 => write(value, 4, 4, 6, 0x80),
            0x20_0000..0x400_0000 => write(value, 5, 5, 6, 0x80),
            0x400_0000..0x8000_0000 => write(value, 6, 6, 6, 0x80),
            0x8000_0000.. => write(value, 7, 7, 6, 0x80),
        })
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        Some(read(bytes, 0xFE)?.and_then(|(value, len)| fit(value, len)))
    }

    fn tag_bits(&self, form: &[u8], index: usize) -> u32 {
        tags(form, index)
    }
}

impl Scheme for Rfc2044 {
    fn name(&self) -> &'static str {
        "rfc2044"
    }

    fn title(&self) -> &'static str {
        "RFC 2044, the layout of FSS-UTF"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        if value < 0x8000_0000 { Cleared.encode(value) } else { None }
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        Some(read(bytes, 0xFD)?.and_then(|(value, len)| fit(value, len)))
    }

    fn tag_bits(&self, form: &[u8], index: usize) -> u32 {
        tags(form, index)
    }
}
