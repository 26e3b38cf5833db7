//! UTF-32 to UTF-16 over any vector.
//!
//! A block within the Basic Multilingual Plane is narrowed. Other text is converted in rows of four code points: each
//! lane becomes a surrogate pair, or stays the unit that it is; a shuffle from a table of sixteen rows drops the upper
//! half of a lane with one unit. Errors are found by the maximum, as in [`widen`](super::widen).
//!
//! When a block is not all BMP, it is converted in rows to its end before the next block is tried; rows that are BMP go
//! two at a time. Trying a block again after two such rows was too soon, as the same pair was still ahead.
//!
//! The last code points, or those for which there is hardly room, go through the same step by way of buffers. Only
//! before an error, and where the output is full, the last few characters are converted one by one.

use super::Progress;
use super::copy_short::copy_short;
use crate::kernel::shared::Span;
use crate::kernel::vector::Lanes;
use crate::kernel::vector::{Operation, Vector};
use crate::unicode::{Utf16Form, Utf32Form};

/// UTF-32 to UTF-16; see the contract of the kernels.
pub(in crate::kernel) struct Utf32ToUtf16<const FROM: bool, const TO: bool>(pub Span);

/// Code points of a block.
const BLOCK: usize = 32;

/// Code points of a row.
const ROW: usize = 4;

/// With no more pairs than this in the rows of a block, blocks are tried again.
const FEW: usize = 4;

impl<const FROM: bool, const TO: bool> Operation for Utf32ToUtf16<FROM, TO> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Span { src, len, dst, room } = self.0;
        let (mut read, mut written) = (0, 0);
        // SAFETY: every step is within the units that there are, and for which there is room.
        unsafe {
            'text: loop {
                while len - read >= BLOCK && room - written >= BLOCK {
                    if !block::<V, FROM, TO>(src.add(4 * read), dst.add(2 * written)) {
                        break;
                    }
                    read += BLOCK;
                    written += BLOCK;
                }
                // Where the block ends, its number of pairs, and whether there were many in the block before.
                let (mut end, mut pairs, mut dense) = (read + BLOCK, 0, false);
                while len - read >= ROW && room - written >= 2 * ROW {
                    let (from, to) = (src.add(4 * read), dst.add(2 * written));
                    if !dense && len - read >= 2 * ROW && two_rows::<V::Vector16, FROM, TO>(from, to) {
                        read += 2 * ROW;
                        written += 2 * ROW;
                    } else {
                        let Some(units) = row::<V::Vector16, FROM, TO>(from, to) else { break 'text };
                        read += ROW;
                        written += units;
                        pairs += units - ROW;
                    }
                    if read >= end {
                        if pairs <= FEW && len - read >= BLOCK && room - written >= BLOCK {
                            continue 'text;
                        }
                        (end, pairs, dense) = (read + BLOCK, 0, pairs > FEW);
                    }
                }
                let count = ROW.min(len - read);
                if count == 0 {
                    break;
                }
                let mut points = [0_u32; ROW];
                let mut units = [0_u16; 2 * ROW];
                copy_short(src.add(4 * read), points.as_mut_ptr().cast(), 4 * count);
                let step = row::<V::Vector16, FROM, TO>(points.as_ptr().cast(), units.as_mut_ptr().cast());
                let Some(all) = step else { break };
                let size = all - (ROW - count);
                if size > room - written {
                    break;
                }
                copy_short(units.as_ptr().cast(), dst.add(2 * written), 2 * size);
                read += count;
                written += size;
            }
            let rest = Span {
                src: src.add(4 * read),
                len: len - read,
                dst: dst.add(2 * written),
                room: room - written,
            };
            let rest = rest.plainly_apart::<Utf32Form<FROM>, Utf16Form<TO>>();
            Progress { read: read + rest.read, written: written + rest.written }
        }
    }
}

/// Narrows the block at `src`; says whether it is well-formed and within the BMP.
///
/// # Safety
/// A block must be readable, and a unit writable for each of its code points.
#[inline(always)]
unsafe fn block<L: Lanes, const FROM: bool, const TO: bool>(src: *const u8, dst: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let (mut all, mut surrogates) = (L::splat(0), L::splat(0));
        for at in (0..4 * BLOCK).step_by(2 * L::LEN) {
            let parts = [L::load(src.add(at)), L::load(src.add(at + L::LEN))];
            let [a, b] = if FROM { [parts[0].swap32(), parts[1].swap32()] } else { parts };
            all = all.or(a.or(b));
            let units = a.narrow_32_to_16(b);
            surrogates = surrogates.or(units.surrogates());
            if TO { units.swap16() } else { units }.store(dst.add(at / 2));
        }
        !all.and(L::splat32(0xFFFF_0000)).or(surrogates).any()
    }
}

/// Narrows the eight code points at `src`; says whether they are well-formed and within the BMP.
///
/// # Safety
/// They must be readable, and eight units writable.
#[inline(always)]
unsafe fn two_rows<R: Vector, const FROM: bool, const TO: bool>(src: *const u8, dst: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let parts = [R::load(src), R::load(src.add(R::LEN))];
        let [a, b] = if FROM { [parts[0].swap32(), parts[1].swap32()] } else { parts };
        let units = a.narrow_32_to_16(b);
        let surrogates = units.surrogates();
        if TO { units.swap16() } else { units }.store(dst);
        !a.or(b).and(R::splat32(0xFFFF_0000)).or(surrogates).any()
    }
}

/// Converts the four code points at `src`, if they are scalar values: returns the number of units. Eight units are
/// always written.
///
/// # Safety
/// Four code points must be readable, and eight units writable.
#[inline(always)]
unsafe fn row<R: Vector, const FROM: bool, const TO: bool>(src: *const u8, dst: *mut u8) -> Option<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        let points = R::load(src);
        let points = if FROM { points.swap32() } else { points };
        // Surrogates wrap around to the largest values.
        let turned = points.xor(R::splat32(0xD800)).add32(R::splat32(0x800_u32.wrapping_neg()));
        let largest = R::splat32(0x10_FFFF - 0x800);
        if turned.max32(largest).xor(largest).any() {
            return None;
        }
        let basic = points.shr32::<16>().equal32(R::splat(0));
        let above = points.add32(R::splat32(0x1_0000_u32.wrapping_neg()));
        let low = above.and(R::splat32(0x3FF)).shl32::<16>();
        let pair = above.shr32::<10>().or(low).or(R::splat32(0xDC00_D800));
        let units = basic.select_bytes(points, pair);
        let single = basic.mask32();
        let units = R::load(WITHOUT_GAPS[single].as_ptr()).lookup(units);
        if TO { units.swap16() } else { units }.store(dst);
        Some(2 * ROW - single.count_ones() as usize)
    }
}

/// For each set of lanes that hold a single unit: the indices of the bytes of all units.
static WITHOUT_GAPS: [[u8; 16]; 16] = {
    let mut table = [[0xFF; 16]; 16];
    let mut single = 0;
    while single < 16 {
        let (mut byte, mut to) = (0, 0);
        while byte < 16 {
            if byte % 4 < 2 || single >> (byte / 4) & 1 == 0 {
                table[single][to] = byte as u8;
                to += 1;
            }
            byte += 1;
        }
        single += 1;
    }
    table
};
