//! UTF-32 to UTF-16 over any vector.
//!
//! A block within the Basic Multilingual Plane is narrowed. Otherwise it goes in steps of half a vector's bytes: a step within the
//! BMP is narrowed as well, and in any other each lane becomes a surrogate pair, or stays the unit that it is, without a
//! branch; a shuffle from a table of sixteen rows drops the upper half of a lane with one unit. Errors are found by the maximum,
//! as in [`widen`](super::widen).
//!
//! AMD EPYC (Zen 5), 160 KiB of documents, GB/s of input, AVX2 and SSE4.2. "Before" is rows of four code points from the first
//! pair of a block to its end, pairs or not, and, after more than four pairs, of the next block too:
//!
//! | | simdutf | before | this |
//! |---|--:|--:|--:|
//! | chat | 43, 31 | 35, 30 | 45, 33 |
//! | table of emoji | 52, 40 | 46, 39 | 65, 44 |
//! | HTML | 51, 53 | 75, 57 | 92, 56 |
//! | Rust sources | 66, 65 | 102, 65 | 114, 65 |
//!
//! Chat of 1 MiB, which predictors hardly learn, goes at 15 to 21 instead of 10 to 13 with AVX2. Larger steps are mispredicted less, and
//! faster there (20 with the whole block, 22 with no question after it), but slower where branches are known.
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

/// Code points that are narrowed at once.
const BLOCK: usize = 32;

/// Code points of a row.
const ROW: usize = 4;

impl<const FROM: bool, const TO: bool> Operation for Utf32ToUtf16<FROM, TO> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Span { src, len, dst, room } = self.0;
        let (mut read, mut written) = (0, 0);
        // Code points of a step.
        let step = V::LEN / 2;
        // SAFETY: every step is within the units that there are, and for which there is room.
        unsafe {
            'steps: while len - read >= BLOCK && room - written >= BLOCK {
                if narrow::<V, FROM, TO>(src.add(4 * read), dst.add(2 * written), BLOCK) {
                    read += BLOCK;
                    written += BLOCK;
                    continue;
                }
                if room - written < 2 * BLOCK {
                    break;
                }
                for _ in 0..BLOCK / step {
                    let (from, to) = (src.add(4 * read), dst.add(2 * written));
                    written += if narrow::<V, FROM, TO>(from, to, step) {
                        step
                    } else {
                        let Some(units) = encode::<V, FROM, TO>(from, to, step) else { break 'steps };
                        units
                    };
                    read += step;
                }
            }
            'text: loop {
                while len - read >= ROW && room - written >= 2 * ROW {
                    let (from, to) = (src.add(4 * read), dst.add(2 * written));
                    if len - read >= 2 * ROW && narrow::<V::Vector16, FROM, TO>(from, to, 2 * ROW) {
                        read += 2 * ROW;
                        written += 2 * ROW;
                    } else {
                        let Some(units) = encode::<V::Vector16, FROM, TO>(from, to, ROW) else { break 'text };
                        read += ROW;
                        written += units;
                    }
                }
                let count = ROW.min(len - read);
                if count == 0 {
                    break;
                }
                let mut points = [0_u32; ROW];
                let mut units = [0_u16; 2 * ROW];
                copy_short(src.add(4 * read), points.as_mut_ptr().cast(), 4 * count);
                let (from, to) = (points.as_ptr().cast(), units.as_mut_ptr().cast());
                let Some(all) = encode::<V::Vector16, FROM, TO>(from, to, ROW) else { break };
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

/// Narrows the `count` code points at `src`; says whether they are well-formed and within the BMP.
///
/// # Safety
/// They must be readable, and a unit writable for each of them.
#[inline(always)]
unsafe fn narrow<L: Lanes, const FROM: bool, const TO: bool>(
    src: *const u8,
    dst: *mut u8,
    count: usize,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let (mut all, mut surrogates) = (L::splat(0), L::splat(0));
        for at in (0..4 * count).step_by(2 * L::LEN) {
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

/// Converts the `count` code points at `src`, if they are scalar values: returns the number of units.
///
/// # Safety
/// They must be readable, and two units writable for each of them.
#[inline(always)]
unsafe fn encode<V: Vector, const FROM: bool, const TO: bool>(
    src: *const u8,
    dst: *mut u8,
    count: usize,
) -> Option<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        // Surrogates wrap around to the largest values.
        let largest = V::splat32(0x10_FFFF - 0x800);
        let mut greatest = largest;
        let mut written = 0;
        for at in (0..4 * count).step_by(V::LEN) {
            let points = V::load(src.add(at));
            let points = if FROM { points.swap32() } else { points };
            let turned = points.xor(V::splat32(0xD800)).add32(V::splat32(0x800_u32.wrapping_neg()));
            greatest = greatest.max32(turned);
            let basic = points.shr32::<16>().equal32(V::splat(0));
            let above = points.add32(V::splat32(0x1_0000_u32.wrapping_neg()));
            let low = above.and(V::splat32(0x3FF)).shl32::<16>();
            let pair = above.shr32::<10>().or(low).or(V::splat32(0xDC00_D800));
            let units = basic.select_bytes(points, pair);
            let single = basic.mask32();
            let rows = [WITHOUT_GAPS[single & 15].as_ptr(), WITHOUT_GAPS[single >> 4 & 15].as_ptr()];
            let units = V::load_lanes(rows).lookup(units);
            let units = if TO { units.swap16() } else { units };
            units.store_lane::<0>(dst.add(2 * written));
            // (Nothing if there is no such lane.)
            let first = 2 * ROW - V::count_ones(single as u32 & 15);
            units.store_lane::<1>(dst.add(2 * (written + first)));
            written += V::LEN / 2 - V::count_ones(single as u32);
        }
        if greatest.xor(largest).any() { None } else { Some(written) }
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
