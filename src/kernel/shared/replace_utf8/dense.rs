//! Replacement where errors are dense.
//!
//! How a byte is classified depends only on the three bytes before it and the three after it: a lead byte begins a sequence wherever it
//! stands, and no sequence is longer than four bytes. So in a window of 64 bytes, the 58 in the middle are judged on their own, whatever
//! was replaced before them, and the next window begins 58 bytes later. A window waits only for the place in the output where the one
//! before it has ended, which is an addition of counts; loads, masks and shuffles of several windows overlap.
//!
//! If windows begin where the verdict about the last one says, as they did before, all of this forms one chain, from the load of a window
//! through its masks to the place of the next. AMD EPYC (Zen 5), 160 KiB into a `String`, GB/s, before and now, AVX-512 and AVX2:
//!
//! | errors | log (ASCII) | German | tweets | Arabic | Hindi |
//! |---|---|---|---|---|---|
//! | each 64 bytes | 8.4, 8.3; 9.2, 9.2 | 5.2, 8.3; 4.8, 7.3 | 5.6, 7.4; 5.2, 6.3 | 4.3, 6.3; 3.7, 5.4 | 3.8, 7.1; 3.1, 4.5 |
//! | each 32 bytes | 4.8, 7.0; 4.0, 6.3 | 4.2, 6.9; 3.5, 6.2 | 4.5, 6.9; 3.5, 5.2 | 3.7, 6.2; 3.0, 4.1 | 3.4, 5.6; 2.6, 3.1 |
//! | each 17 bytes | 4.3, 6.3; 3.1, 3.9 | 4.0, 6.7; 2.8, 3.8 | 4.1, 6.5; 2.9, 3.6 | 3.7, 6.7; 2.6, 3.0 | 3.8, 5.7; 2.6, 2.8 |
//!
//! At the end, a sequence may be cut between this window and the next one. If so, what was written for it is discarded, so that the
//! code that continues begins at a boundary.

use super::{BACK, BLOCK, Blocks, FEW, Plan, QUIET, REACH, ROOM, ReplaceUtf8, Replaced, WIDTH};

/// How many windows with one error in ASCII count as much as one without: there chunks are as good, but not much better.
const ALONE: usize = 7;

/// Bytes that each window replaces where errors are dense: [`BACK`] are behind them, and as many are looked ahead at.
const STRIDE: usize = BLOCK - 2 * BACK;

/// Continues `done` in windows at fixed distances, until some are well-formed, or until there is less than [`REACH`] or [`ROOM`]. It ends
/// at a character boundary or behind a maximal subpart. Returns also whether the last window has characters other than ASCII.
///
/// # Safety
/// The instruction set of `B` is required. [`REACH`] bytes must be left, and room for [`ROOM`]; and bytes must have been replaced
/// and at least [`BACK`] read, the last of which were copied or replaced as what they are.
#[inline(always)]
pub(in crate::kernel) unsafe fn replace_dense<B: Blocks>(
    input: ReplaceUtf8,
    done: Replaced,
) -> (Replaced, bool) {
    let ReplaceUtf8 { src, len, dst, room, each_byte } = input;
    let inside = ((1 << STRIDE) - 1) << BACK;
    let Replaced { mut read, mut written, mut replaced, first } = done;
    let mut clean = 0;
    let (masks, classes) = loop {
        // SAFETY: the conditions of the caller and of the loop.
        let (masks, to) = unsafe { (B::masks(src.add(read - BACK)), dst.add(written)) };
        let classes = masks.classes();
        let mut begins = masks.high & !classes.characters & !classes.behind_lead;
        let mut dropped = classes.behind_lead & !classes.characters;
        if each_byte {
            begins |= dropped;
            dropped = 0;
        }
        (begins, dropped) = (begins & inside, dropped & inside);
        let more = begins.count_ones() as usize;
        // SAFETY: as above.
        unsafe {
            let from = src.add(read);
            clean = if begins | dropped == 0 {
                B::copy_block(from, to);
                clean + ALONE
            } else if dropped == 0 && more == 1 {
                let at = begins.trailing_zeros() as usize - BACK;
                B::copy_block(from, to);
                to.add(at).cast::<[u8; 4]>().write([0xEF, 0xBF, 0xBD, 0]);
                B::copy_block(from.add(at + 1), to.add(at + 3));
                if masks.high & inside == begins { clean + 1 } else { 0 }
            } else if B::FEW_ONE_BY_ONE && dropped == 0 && more <= FEW as usize {
                Plan { begins: begins >> BACK, dropped: 0, taken: STRIDE, joined: false }
                    .write_few::<B>(from, to);
                0
            } else {
                let plan = Plan { begins, dropped: dropped | !inside, taken: WIDTH, joined: false };
                B::write(from.sub(BACK), &plan, to);
                0
            };
        }
        replaced += more;
        read += STRIDE;
        written += STRIDE + 2 * more - dropped.count_ones() as usize;
        if clean >= QUIET * ALONE || len - read < REACH || room - written < ROOM {
            break (masks, classes);
        }
    };
    // Back to the first byte of a sequence that is cut here: what it became is taken back.
    if classes.behind_lead >> WIDTH & 1 != 0 {
        let leads = masks.high & !masks.tail & ((1 << WIDTH) - 1);
        let lead = 63 - leads.leading_zeros() as usize;
        let (cut, whole) = (WIDTH - lead, classes.characters >> lead & 1 != 0);
        let errors = if whole {
            0
        } else if each_byte {
            cut
        } else {
            1
        };
        read -= cut;
        written -= if whole { cut } else { 3 * errors };
        replaced -= errors;
    }
    (Replaced { read, written, replaced, first }, masks.high & inside & classes.characters != 0)
}
