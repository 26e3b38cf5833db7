//! The views of Arrow's string views: sixteen bytes, for a value of any length.
//!
//! | bytes | a value of up to 12 bytes | a longer one |
//! |---|---|---|
//! | 0..4 | its length | its length |
//! | 4..8 | the value, and zeros after it | a copy of its first four bytes |
//! | 8..12 | | the index of its buffer |
//! | 12..16 | | its offset in that buffer |
//!
//! All numbers are little-endian and signed; none may be negative.
//!
//! Which of the two a view is cannot be predicted where values are about that long, and a mispredicted branch costs more than
//! everything else. So both are read in the same way: an inline value is one that begins at byte 4 of a buffer, which is the
//! view itself. Mostly for this reason, values of 5 to 15 bytes take 5 ns each instead of 7.5, with AVX-512.

use core::hint::{black_box, select_unpredictable as choose};

use super::error::Defect;

/// The length of the longest inline value.
const INLINE: usize = 12;

/// For each length the bits of a view after an inline value; none for longer values.
static PADDING: [u128; INLINE + 2] = {
    let mut masks = [0; INLINE + 2];
    let mut len = 0;
    while len < INLINE {
        masks[len] = u128::MAX << (32 + 8 * len);
        len += 1;
    }
    masks
};

/// For each length the bits of a view that has its value, of ASCII, in itself, and where none may be set; all for longer values.
static NOT_ASCII: [u128; INLINE + 2] = {
    let mut masks = [u128::MAX; INLINE + 2];
    let mut len = 0;
    while len <= INLINE {
        masks[len] = PADDING[len] | u128::from_le_bytes([0x80; 16]) << 32;
        len += 1;
    }
    masks
};

/// Whether each of these views is valid and has its value in itself, all of them ASCII. Then there is nothing to look up, and nothing
/// to gather: half a nanosecond for a view, where to check the values takes five.
pub(super) fn are_inline_ascii(views: &[[u8; 16]]) -> bool {
    views.chunks(16).all(|some| {
        let wrong = some.iter().fold(0, |wrong, view| {
            let bits = u128::from_le_bytes(*view);
            wrong | bits & NOT_ASCII[(bits as u32 as usize).min(INLINE + 1)]
        });
        wrong == 0
    })
}

/// The bytes of the value of this view, if the view is valid.
#[inline(always)]
pub(super) fn value<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Result<&'a [u8], Defect> {
    let bits = u128::from_le_bytes(*view);
    // Negative numbers become too large for any buffer.
    let number = |at: u32| (bits >> (8 * at)) as i32 as usize;
    let len = number(0);
    let is_long = len > INLINE;
    // A compiler that sees this choice makes it a branch.
    let buffer = match buffers.get(black_box(choose(is_long, number(8), 0))) {
        Some(buffer) => *buffer,
        None if is_long => return Err(Defect::OutOfBounds),
        None => &[],
    };
    let source: &'a [u8] = choose(is_long, buffer, view);
    let from = choose(is_long, number(12), 4);
    // A view has four bytes there, too. A sum that wraps around makes the range invalid.
    let Some(region) = source.get(from..from.wrapping_add(len.max(4))) else {
        return Err(Defect::OutOfBounds);
    };
    if region.first_chunk().is_none_or(|first| u32::from_le_bytes(*first) != (bits >> 32) as u32) {
        Err(Defect::Prefix)
    } else if bits & PADDING[len.min(INLINE + 1)] != 0 {
        Err(Defect::Padding)
    } else {
        Ok(&region[..len])
    }
}

#[cfg(test)]
mod tests {
    use super::{are_inline_ascii, value};

    /// Each length, with one byte of the view set to something, beside what `value` says of such a view.
    #[test]
    fn inline_ascii_is_what_it_says() {
        let mut found = [0; 2];
        for len in [0u32, 1, 2, 3, 4, 5, 11, 12, 13, 14, 255, 256, 0x7FFF_FFFF, 0x8000_0000, u32::MAX] {
            for at in 0..16 {
                for byte in [0, 1, b'a', 0x7F, 0x80, 0xC3, 0xFF] {
                    let mut view = [0; 16];
                    view[..4].copy_from_slice(&len.to_le_bytes());
                    view[4..4 + len.min(12) as usize].fill(b'x');
                    view[at] = byte;
                    let len = u32::from_le_bytes([view[0], view[1], view[2], view[3]]);
                    let expected = len <= 12 && value(&view, &[]).is_ok_and(<[u8]>::is_ascii);
                    found[usize::from(expected)] += 1;
                    assert_eq!(are_inline_ascii(&[view]), expected, "{view:02X?}");
                    // One among many, wherever it stands.
                    for place in [0, 7, 15, 16, 30] {
                        let mut views = [[0; 16]; 31];
                        views[place] = view;
                        assert_eq!(are_inline_ascii(&views), expected, "{view:02X?} at {place}");
                    }
                }
            }
        }
        assert!(found.iter().all(|&count| count > 100), "{found:?}");
        assert!(are_inline_ascii(&[]));
    }
}
