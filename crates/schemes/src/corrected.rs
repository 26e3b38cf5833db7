//! Corrected UTF-8, the other way to remove what is redundant: by adding to it.
//!
//! It begins where [`Rfc2044`](crate::Rfc2044) ends. Each length starts to count where the one before it
//! stops, so that no sequence is a longer form of another. That leaves nothing for a decoder to check but the
//! structure. This is the small codec, one row a line; rules for whole documents (U+0000 only in the magic number,
//! controls that should not appear) are none of its business.

use crate::unary::{read, tags, write};
use crate::{Fault, Form, Scheme, Step, bad, fit, run};

/// Corrected UTF-8: the layout of RFC 2044, with an offset added to the value.
///
/// | values | bytes | offset |
/// |---|---|---|
/// | 0..7F | `0aaaaaaa` | 0 |
/// | A0..89F | `110bbbbb 10aaaaaa` | A0 |
/// | 8A0..D7FF | `1110cccc 10bbbbbb 10aaaaaa`, up to `EC BD 9F` | 8A0 |
/// | E000..1109F | `1110cccc 10bbbbbb 10aaaaaa`, from `EC BD A0` | 10A0 |
/// | 110A0..21109F | `11110ddd 10cccccc 10bbbbbb 10aaaaaa` | 110A0 |
/// | 2110A0..421109F | `111110ee 10dddddd 10cccccc 10bbbbbb 10aaaaaa` | 2110A0 |
/// | 42110A0..8421109F | `1111110f 10eeeeee 10dddddd 10cccccc 10bbbbbb 10aaaaaa` | 42110A0 |
///
/// `a` are the lowest bits of the value *less the offset*. The C1 controls (80..9F) and surrogates
/// (D800..DFFF) have no form. FE and FF are reserved: they and what follows them are passed over up to the next
/// lead byte.
#[derive(Clone, Copy, Debug)]
pub struct Corrected;

/// The magic number: U+10E7D U+ED4E U+0000 U+000A at the beginning of a file.
pub const MAGIC: [u8; 8] = [0xEF, 0xB7, 0x9D, 0xED, 0xB2, 0xAE, 0x00, 0x0A];

/// A row of the table: the number of bytes, the first and last value, the offset.
type Row = (usize, u32, u32, u32);

/// The table.
const ROWS: [Row; 7] = [
    (1, 0x0, 0x7F, 0x0),
    (2, 0xA0, 0x89F, 0xA0),
    (3, 0x8A0, 0xD7FF, 0x8A0),
    (3, 0xE000, 0x1_109F, 0x10A0),
    (4, 0x1_10A0, 0x21_109F, 0x1_10A0),
    (5, 0x21_10A0, 0x421_109F, 0x21_10A0),
    (6, 0x421_10A0, 0x8421_109F, 0x421_10A0),
];

impl Scheme for Corrected {
    fn name(&self) -> &'static str {
        "corrected"
    }

    fn title(&self) -> &'static str {
        "Corrected UTF-8"
    }

    fn encode(&self, value: u32) -> Option<Form> {
        let &(len, _, _, offset) =
            ROWS.iter().find(|&&(_, first, last, _)| (first..=last).contains(&value))?;
        let ones = if len == 1 { 0 } else { len as u32 };
        Some(write(value - offset, len, ones, 6, 0x80))
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        Some(match read(bytes, 0xFD)? {
            Ok((bits, len)) => {
                // The offset of the row in whose range the sum falls: the two rows of three bytes differ.
                let fits = |&&(of, first, last, offset): &&Row| {
                    of == len && (u64::from(first)..=u64::from(last)).contains(&(bits + u64::from(offset)))
                };
                match ROWS.iter().find(fits) {
                    Some(&(_, _, _, offset)) => fit(bits + u64::from(offset), len),
                    None => bad(Fault::TooLarge, len),
                }
            }
            Err(error) if error.fault == Fault::NeverUsed => {
                bad(Fault::Reserved, run(bytes, |byte| matches!(byte, 0x80..=0xBF | 0xFE | 0xFF)))
            }
            Err(error) => Err(error),
        })
    }

    fn tag_bits(&self, form: &[u8], index: usize) -> u32 {
        tags(form, index)
    }
}
