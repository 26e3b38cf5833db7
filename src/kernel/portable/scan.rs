//! Scanning without vectors: masks by words of eight bytes, positions bit by bit.
//!
//! In a word, the bytes that are equal to a given byte are found exactly, with carries that stay inside each byte; a multiplication
//! gathers the eight top bits. Other sets are looked up byte by byte. The automaton decides what is well-formed.

use super::validate::valid_prefix;
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::wanted::{Expected, LINE, Wanted};
use crate::kernel::shared::{Plain, Progress};
use crate::unicode::codec::incomplete::open_suffix;

/// Sets of so many bytes are found byte after byte of the set; others byte after byte of the text.
const FEW: u32 = 4;

/// The top bit of every byte of a word.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Writes the masks of the lines of `src` from `at` on, as many as there are `masks`. Returns `None` if there is an error in them, and
/// otherwise something. A character that lacks its last bytes is no error yet.
///
/// `at` must be 3 at least, and the lines must be in `src`.
pub(in crate::kernel) fn scan<const N: usize, const SINGLE: bool>(
    src: &[u8],
    at: usize,
    wanted: &Wanted<N>,
    masks: &mut [[u64; N]],
) -> Option<Expected> {
    let end = at + masks.len() * LINE;
    for (line, masks) in src[at..end].as_chunks::<LINE>().0.iter().zip(masks) {
        for (n, mask) in masks.iter_mut().enumerate() {
            *mask = if SINGLE { equal(line, wanted.bytes[n]) } else { members(line, wanted.sets[n].bits) };
        }
    }
    // A character that lacks its last bytes is judged with the next lines.
    let from = boundary_before(src, at);
    let whole = &src[from..end - open_suffix(&src[from..end])];
    (valid_prefix::<false>(whole) == whole.len()).then_some(Expected::UNKNOWN)
}

/// The bytes of a line that belong to a set.
#[inline(always)]
fn members(line: &[u8; LINE], mut bits: u128) -> u64 {
    let mut mask = 0;
    if bits.count_ones() <= FEW {
        while bits != 0 {
            mask |= equal(line, bits.trailing_zeros() as u8);
            bits &= bits - 1;
        }
        return mask;
    }
    for byte in line.iter().rev() {
        // What is not ASCII is shifted by less than 128, and not counted.
        let found = (bits >> (byte & 0x7F)) as u64 & 1 & !u64::from(byte >> 7);
        mask = mask << 1 | found;
    }
    mask
}

/// The bytes of a line that are equal to `byte`.
#[inline(always)]
fn equal(line: &[u8; LINE], byte: u8) -> u64 {
    let byte = u64::from(byte) * 0x0101_0101_0101_0101;
    let words = line.as_chunks::<8>().0;
    words.iter().rev().fold(0, |mask, word| {
        let other = u64::from_le_bytes(*word) ^ byte;
        let equal = !(((other & !HIGH_BITS) + !HIGH_BITS) | other) & HIGH_BITS;
        // Bit 7 of each byte to the bits 56 to 63: no two products meet.
        mask << 8 | (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// The offsets of the bits of masks, of which the first is that of `base`: to `out`, as long as 64 places are left. `read` are the
/// masks that were read.
pub(in crate::kernel) struct Positions<'a, P> {
    pub masks: &'a [[u64; 1]],
    pub base: usize,
    pub out: &'a mut [P],
}

/// An offset in a list of positions. Nobody else can implement it, for its module is private.
pub trait Offset: Copy {
    fn of(offset: usize) -> Self;

    /// The list, if offsets have four bytes.
    #[inline(always)]
    fn as_u32(_list: &mut [Self]) -> Option<&mut [u32]> {
        None
    }
}

impl Offset for u32 {
    #[inline(always)]
    fn of(offset: usize) -> Self {
        offset as u32
    }

    #[inline(always)]
    fn as_u32(list: &mut [u32]) -> Option<&mut [u32]> {
        Some(list)
    }
}

impl Offset for usize {
    #[inline(always)]
    fn of(offset: usize) -> Self {
        offset
    }
}

impl<P: Offset> Plain for Positions<'_, P> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let Positions { masks, mut base, out } = self;
        let mut written = 0;
        for (read, &[mut mask]) in masks.iter().enumerate() {
            let Some(room) = out.get_mut(written..).and_then(|room| room.first_chunk_mut::<LINE>()) else {
                return Progress { read, written };
            };
            // Four at once, whether or not there are so many: a branch for each would be mispredicted more often.
            let count = mask.count_ones() as usize;
            for four in room.as_chunks_mut::<4>().0 {
                for position in four {
                    *position = P::of(base.wrapping_add(mask.trailing_zeros() as usize));
                    mask &= mask.wrapping_sub(1);
                }
                if mask == 0 {
                    break;
                }
            }
            written += count;
            base = base.wrapping_add(LINE);
        }
        Progress { read: masks.len(), written }
    }
}
