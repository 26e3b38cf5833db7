//! Dropping unused bytes: characters in slots of equal size, written without gaps.
//!
//! An algorithm that produces UTF-8 has each character in a slot of its own and uses some bytes of the slot. Without a compress
//! instruction, a shuffle of sixteen bytes removes the gaps, with indices from a table. Four slots of four bytes have two bits each
//! for the length of the character, and eight slots of two bytes have one bit each: 256 cases both times. So each of the two tables
//! has 256 rows of sixteen bytes, 4 KiB.
//!
//! The address of each store is known before any of them is made: it is the number of ones among the bits of all slots before it.
//! So the stores of a step do not wait for each other, and the only dependency from step to step is one addition. Each store writes
//! sixteen bytes, and the next one overwrites what was too much. So the stores must be made in order, and need as much room as if
//! all bytes of the slots were used.

use crate::kernel::vector::Vector;

/// 256 rows of indices for a shuffle.
#[repr(align(64))]
struct Rows([[u8; 16]; 256]);

/// An index that gives a zero.
const NONE: u8 = 0x80;

/// For slots of four bytes. The last two bytes of a character of two or more are at 0 and 1; the first of three is at
/// 2, the only byte of an ASCII character at 3; the first two of four are at 3 and 2.
static FOUR_SLOTS: Rows = {
    let mut rows = [[NONE; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut slot, mut to) = (0, 0);
        while slot < 4 {
            // The lower bit means "three", the upper "two or more"; the lower without the upper means "four".
            let bytes: &[u8] = match bits >> (2 * slot) & 3 {
                0b00 => &[3],
                0b10 => &[0, 1],
                0b11 => &[2, 0, 1],
                _ => &[3, 2, 0, 1],
            };
            let mut byte = 0;
            while byte < bytes.len() {
                rows[bits][to] = 4 * slot as u8 + bytes[byte];
                to += 1;
                byte += 1;
            }
            slot += 1;
        }
        bits += 1;
    }
    Rows(rows)
};

/// For slots of two bytes: both are used, or the second alone.
static EIGHT_SLOTS: Rows = {
    let mut rows = [[NONE; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut slot, mut to) = (0, 0);
        while slot < 8 {
            if bits >> slot & 1 == 1 {
                rows[bits][to] = 2 * slot as u8;
                to += 1;
            }
            rows[bits][to] = 2 * slot as u8 + 1;
            to += 1;
            slot += 1;
        }
        bits += 1;
    }
    Rows(rows)
};

impl Rows {
    /// The row for the `nth` group of eight bits.
    #[inline(always)]
    fn row(&self, bits: u32, nth: u32) -> *const u8 {
        self.0[(bits >> (8 * nth) & 0xFF) as usize].as_ptr()
    }
}

/// The number of bytes of the first `count` characters in slots of four. `FOURS` if some may have four bytes.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn size_of_four_slots<V: Vector, const FOURS: bool>(bits: u32, count: usize) -> usize {
    let bits = bits & ((1_u64 << (2 * count)) - 1) as u32;
    // SAFETY: the caller's promise.
    unsafe {
        let size = count + V::count_ones(bits);
        if FOURS { size + 2 * V::count_ones(bits & !(bits >> 1) & 0x5555_5555) } else { size }
    }
}

/// Writes the characters of `2 * LANES` times four slots: each has two bytes in a word of `halves` and two in a word of
/// `others`. Returns the number of bytes. `FOURS` if some characters may have four.
///
/// # Safety
/// As for [`Vector`]; and there must be room as if all bytes of the slots were used: for two vectors; or, if no
/// character has four bytes, for three quarters of that and four bytes more.
#[inline(always)]
pub(super) unsafe fn write_four_slots<V: Vector, const FOURS: bool>(
    halves: V,
    others: V,
    bits: u32,
    dst: *mut u8,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let [first, second] = halves.zip_words(others);
        let size = |count: usize| size_of_four_slots::<V, FOURS>(bits, count);
        let row = |nth: u32| FOUR_SLOTS.row(bits, nth);
        let first = V::load_lanes([row(0), row(2)]).lookup(first);
        let second = V::load_lanes([row(1), row(3)]).lookup(second);
        first.store_lane::<0>(dst);
        second.store_lane::<0>(dst.add(size(4)));
        if V::LANES == 2 {
            first.store_lane::<1>(dst.add(size(8)));
            second.store_lane::<1>(dst.add(size(12)));
        }
        size(V::LEN / 2)
    }
}

/// Writes the characters of two vectors of slots of two bytes; returns the number of bytes. The first eight bits belong
/// to the first lane of `first`, the next eight to that of `second`, and so on. If `ALTERNATING`, the characters are in
/// that order of lanes, too; otherwise those of `first` come before those of `second`.
///
/// # Safety
/// As for [`Vector`]; and there must be room for two vectors.
#[inline(always)]
pub(super) unsafe fn write_eight_slots<V: Vector, const ALTERNATING: bool>(
    first: V,
    second: V,
    bits: u32,
    dst: *mut u8,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let row = |nth: u32| EIGHT_SLOTS.row(bits, nth);
        let first = V::load_lanes([row(0), row(2)]).lookup(first);
        let second = V::load_lanes([row(1), row(3)]).lookup(second);
        first.store_lane::<0>(dst);
        if V::LANES == 1 {
            second.store_lane::<0>(dst.add(8 + V::count_ones(bits & 0xFF)));
        } else if ALTERNATING {
            second.store_lane::<0>(dst.add(8 + V::count_ones(bits & 0xFF)));
            first.store_lane::<1>(dst.add(16 + V::count_ones(bits & 0xFFFF)));
            second.store_lane::<1>(dst.add(24 + V::count_ones(bits & 0xFF_FFFF)));
        } else {
            first.store_lane::<1>(dst.add(8 + V::count_ones(bits & 0xFF)));
            second.store_lane::<0>(dst.add(16 + V::count_ones(bits & 0xFF_00FF)));
            second.store_lane::<1>(dst.add(24 + V::count_ones(bits & 0xFF_FFFF)));
        }
        V::LEN + V::count_ones(bits)
    }
}
