//! UTF-8 with U+FFFD for ill-formed sequences, by a shuffle for each four bytes.
//!
//! Each of four bytes is kept, dropped, or replaced by three: 81 combinations, in a table of 256 rows whose index
//! consists of twice four bits (4 KiB, and 256 bytes of lengths). The register holds EF BF BD behind the four bytes,
//! for the shuffle to take them from there.

use crate::kernel::shared::replace_utf8::{
    BLOCK, BlockPlan, ByteMasks, FEW, QUIET, ROOM, ReplaceUtf8, Replaced, plan_block,
};
use crate::kernel::vector::{Operation, Vector};

/// [`ReplaceUtf8`] as an operation: goes on until some blocks in succession are well-formed, or the input or the room
/// ends.
pub(in crate::kernel) struct ReplaceInUtf8(pub ReplaceUtf8);

/// The shuffles. The lower half of a row's index says which of four bytes become U+FFFD, the upper half which are
/// dropped.
static ROWS: [[u8; 16]; 256] = {
    let mut rows = [[0; 16]; 256];
    let mut number = 0;
    while number < 256 {
        let mut len = 0;
        let mut byte = 0;
        while byte < 4 {
            if number >> (4 + byte) & 1 == 1 {
                // Dropped.
            } else if number >> byte & 1 == 1 {
                rows[number][len] = 4;
                rows[number][len + 1] = 5;
                rows[number][len + 2] = 6;
                len += 3;
            } else {
                rows[number][len] = byte as u8;
                len += 1;
            }
            byte += 1;
        }
        number += 1;
    }
    rows
};

/// How many bytes of a row are written.
static LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut number = 0_usize;
    while number < 256 {
        let kept = !(number >> 4) & 0xF;
        lengths[number] = (kept.count_ones() + 2 * (kept & number).count_ones()) as u8;
        number += 1;
    }
    lengths
};

impl Operation for ReplaceInUtf8 {
    type Output = Replaced;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Replaced {
        let input = self.0;
        let mut done = Replaced::NOTHING;
        let mut well_formed = 0;
        let mut copy;
        while done.read < input.len && input.room - done.written >= ROOM && well_formed < QUIET {
            let left = input.len - done.read;
            let len = BLOCK.min(left);
            // SAFETY: there are `len` bytes left of the input, and room for a block.
            unsafe {
                let mut from = input.src.add(done.read);
                // A block, and what may be read behind it.
                if left < 2 * BLOCK {
                    copy = [0_u8; 2 * BLOCK];
                    copy[..left].copy_from_slice(core::slice::from_raw_parts(from, left));
                    from = copy.as_ptr();
                }
                let plan = plan_block(masks::<V>(from), len, left <= BLOCK, input.each_byte);
                let to = input.dst.add(done.written);
                let copy = |begin: usize, to: *mut u8| {
                    for at in (begin..begin + BLOCK).step_by(V::LEN) {
                        V::load(from.add(at)).store(to.add(at - begin));
                    }
                };
                if plan.begins == 0 {
                    copy(0, to);
                    done.read += plan.taken;
                    done.written += plan.taken;
                    well_formed += 1;
                } else {
                    let few = plan.begins.count_ones() <= FEW;
                    let written = if few { plan.write_few(copy, to) } else { write::<V>(from, &plan, to) };
                    done.note(&plan, written);
                    well_formed = 0;
                }
            }
        }
        done
    }
}

/// The classes of the bytes of a block.
///
/// # Safety
/// Only within the root of `V`; and the block must be readable.
#[inline(always)]
unsafe fn masks<V: Vector>(block: *const u8) -> ByteMasks {
    let mut masks = ByteMasks { high: 0, tail: 0, leads: 0, leads34: 0, leads4: 0, out_of_range: 0 };
    // SAFETY: the caller's promise.
    unsafe {
        let mut before = V::splat(0);
        for at in (0..BLOCK).step_by(V::LEN) {
            let bytes = V::load(block.add(at));
            let high = u64::from(bytes.sign_bits());
            masks.high |= high << at;
            if high != 0 {
                let from = |byte: u8| bytes.at_least(V::splat(byte));
                let mask = |bytes: V| u64::from(bytes.sign_bits()) << at;
                let beyond = from(0xF5);
                masks.tail |= high << at & !mask(from(0xC0));
                masks.leads |= mask(from(0xC2).and_not(beyond));
                masks.leads34 |= mask(from(0xE0).and_not(beyond));
                masks.leads4 |= mask(from(0xF0).and_not(beyond));
                let previous = bytes.previous::<1>(before);
                let behind = |byte: u8| previous.equal(V::splat(byte));
                let (from_90, from_a0) = (from(0x90), from(0xA0));
                let out = behind(0xE0).and_not(from_a0).or(behind(0xED).and(from_a0));
                let out = out.or(behind(0xF0).and_not(from_90)).or(behind(0xF4).and(from_90));
                masks.out_of_range |= mask(out);
            }
            before = bytes;
        }
    }
    masks
}

/// Writes a block; returns the number of bytes.
///
/// # Safety
/// Only within the root of `V`; the block must be readable, and there must be [`ROOM`].
#[inline(always)]
unsafe fn write<V: Vector>(block: *const u8, plan: &BlockPlan, to: *mut u8) -> usize {
    const REPLACEMENT: u64 = 0x00BD_BFEF << 32;
    let number = |at: usize| {
        let begins = (plan.begins >> at & 0xF) as usize;
        let dropped = (plan.dropped >> at & 0xF) as usize;
        begins | dropped << 4
    };
    let mut written = 0;
    for at in (0..BLOCK).step_by(4 * V::LANES) {
        // SAFETY: the caller's promise.
        unsafe {
            let word = |at: usize| u64::from(u32::from_le_bytes(block.add(at).cast::<[u8; 4]>().read()));
            let first = number(at);
            // With one lane only, the same again.
            let behind = if V::LANES > 1 { at + 4 } else { at };
            let second = number(behind);
            let words = V::from_words([word(at) | REPLACEMENT, 0, word(behind) | REPLACEMENT, 0]);
            let bytes = V::load_lanes([ROWS[first].as_ptr(), ROWS[second].as_ptr()]).lookup(words);
            bytes.store_lane::<0>(to.add(written));
            written += usize::from(LENGTHS[first]);
            if V::LANES > 1 {
                bytes.store_lane::<1>(to.add(written));
                written += usize::from(LENGTHS[second]);
            }
        }
    }
    written
}
