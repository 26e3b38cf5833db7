//! Dropping bytes: characters in slots of equal size, written one behind the other.
//!
//! An algorithm that makes UTF-8 has each character in a slot of its own, and some bytes of the slot
//! in use. Without a compress instruction they are brought together by a shuffle of sixteen bytes,
//! whose numbers come out of a table: four slots of four bytes with two bits each to say how long the
//! character is, or eight slots of two bytes with one bit each, are 256 cases of either. So both
//! tables have 256 rows of sixteen bytes, 4 KiB.
//!
//! Where the next slots go is known before any of them is written: a count of ones over the bits of
//! all slots before them. So the stores of a step do not wait for each other, and the only chain from
//! step to step is one addition. Each store is of sixteen bytes, of which the rest is overwritten by
//! the next; they must be made in order, and need room for slots that are all in use.

use crate::kernel::vector::Vector;

/// 256 rows of a shuffle.
#[repr(align(64))]
struct Rows([[u8; 16]; 256]);

/// A number that makes a zero.
const NONE: u8 = 0x80;

/// Where the bytes of a character are in its slot of four: 0 and 1 are the last two of those that
/// have more than one, 2 is the first of three, 3 is all of one; of four, 3 and 2 are the first two.
static FOUR_SLOTS: Rows = {
    let mut rows = [[NONE; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut slot, mut to) = (0, 0);
        while slot < 4 {
            // The lower bit says "three", the upper one "two or more"; without that, the lower says "four".
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

/// Of slots of two bytes: both, or the second alone.
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
    /// The row for the bits of the eight that are the `nth` in `bits`.
    #[inline(always)]
    fn row(&self, bits: u32, nth: u32) -> *const u8 {
        self.0[(bits >> (8 * nth) & 0xFF) as usize].as_ptr()
    }
}

/// The bytes of the first `count` characters in slots of four. `FOURS` if some may have four bytes.
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

/// Writes the characters of `2 * LANES` times four slots, of which each has two bytes in a word of
/// `halves` and two in one of `others`; returns how many bytes that are. `FOURS` if some may have four.
///
/// # Safety
/// As for [`Vector`]; and there must be room for slots that are all in use, two of these vectors, or
/// three quarters of that and four bytes if no character has four.
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

/// Writes the characters of two vectors of slots of two bytes; returns how many bytes that are. Eight
/// bits belong to the first lane of `first`, eight to that of `second`, and so on; the lanes are in
/// that order too if `BY_TURNS`, and otherwise those of `first` come before those of `second`.
///
/// # Safety
/// As for [`Vector`]; and there must be room for two vectors.
#[inline(always)]
pub(super) unsafe fn write_eight_slots<V: Vector, const BY_TURNS: bool>(
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
        } else if BY_TURNS {
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
