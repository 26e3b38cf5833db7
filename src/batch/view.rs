//! The views of Arrow's string views: sixteen bytes, for a value of any length.
//!
//! | bytes | a value of up to 12 bytes | a longer one |
//! |---|---|---|
//! | 0..4 | its length | its length |
//! | 4..8 | the value, and zeros behind it | a copy of its first four bytes |
//! | 8..12 | | the number of its buffer |
//! | 12..16 | | where it begins in that |
//!
//! All numbers have their least significant byte first, and are signed; none may be negative.

use super::error::Defect;

/// The longest value that is in its view.
const INLINE: usize = 12;

/// The bytes of the value of this view, if the view is in order.
#[inline]
pub(super) fn value<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Result<&'a [u8], Defect> {
    let number = |at: usize| {
        let bytes = [view[at], view[at + 1], view[at + 2], view[at + 3]];
        usize::try_from(i32::from_le_bytes(bytes)).map_err(|_| Defect::OutOfBounds)
    };
    let len = number(0)?;
    if len <= INLINE {
        // What is behind the length and the value.
        let padding = u128::from_le_bytes(*view) >> 32 >> (8 * len);
        return if padding == 0 { Ok(&view[4..4 + len]) } else { Err(Defect::Padding) };
    }
    let buffer: &'a [u8] = buffers.get(number(8)?).ok_or(Defect::OutOfBounds)?;
    let from = number(12)?;
    let value = buffer.get(from..from.saturating_add(len)).ok_or(Defect::OutOfBounds)?;
    if value.first_chunk::<4>().is_some_and(|first| *first == view[4..8]) {
        Ok(value)
    } else {
        Err(Defect::Prefix)
    }
}
