//! UTF-16 to UTF-16 and UTF-32 over any vector.
//!
//! The first is a checked copy, written over lanes ([`utf16_copy`](super::utf16_copy)). For the second, a block without surrogates
//! is widened, which is limited by its stores. Other text is converted in rows of eight units. The units one position later are
//! loaded, too, so that a high surrogate has its low surrogate in the same lane: both halves of the code point are computed in
//! lanes of two bytes, the lanes of low surrogates are dropped by a shuffle from a table, and the halves are interleaved.
//!
//! A row is well-formed if each of its units goes with the unit after it, as in [`utf16_copy`](super::utf16_copy). A pair may cross
//! the end of the row: it is written by the row of its high surrogate, and its low surrogate is the first unit of the next row,
//! which drops it like any low surrogate.
//!
//! When a block has surrogates, it is converted in rows to its end before the next block is tried. Trying again after
//! two rows without surrogates was too soon, as the same pair was still ahead.
//!
//! The last units, or those for which there is hardly room, go through the same step by way of buffers. The last few characters are
//! converted one by one only before an error, and if the output is full.

use super::Progress;
use super::copy_short::copy_short;
use super::few_steps::{Step, are_few, few_steps};
use super::utf16_copy::Utf16Copy;
use crate::kernel::shared::Span;
use crate::kernel::vector::{LaneLoop, Lanes};
use crate::kernel::vector::{Operation, Vector};
use crate::unicode::is_low;
use crate::unicode::{Utf16Form, Utf32Form};

/// UTF-16 to UTF-16, checked; see the contract of the kernels.
pub(in crate::kernel) struct Utf16ToUtf16<const FROM: bool, const TO: bool>(pub Span);

impl<const FROM: bool, const TO: bool> Operation for Utf16ToUtf16<FROM, TO> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Span { src, len, dst, room } = self.0;
        // SAFETY: the caller's promise; the lanes are those of the root.
        unsafe { Utf16Copy::<FROM, TO, true>::new(src, len, dst, room).run_lanes::<V>() }
    }
}

/// UTF-16 to UTF-32; see the contract of the kernels.
pub(in crate::kernel) struct Utf16ToUtf32<const FROM: bool, const TO: bool>(pub Span);

/// Units of a block without surrogates.
const BLOCK: usize = 32;

/// Units of a row.
const ROW: usize = 8;

/// With no more pairs than this in the rows of a block, blocks are tried again.
const FEW: usize = 4;

impl<const FROM: bool, const TO: bool> Operation for Utf16ToUtf32<FROM, TO> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Span { src, len, dst, room } = self.0;
        // SAFETY: the caller's promise.
        let is_done = unsafe {
            short_basic::<V, FROM, TO>(&self.0)
                || V::LEN > 16 && len < V::LEN / 2 && short_basic::<V::Vector16, FROM, TO>(&self.0)
        };
        if is_done {
            return Progress { read: len, written: len };
        }
        let (mut read, mut written) = (0, 0);
        // Whether the unit at `read` is the low surrogate of a pair that has been written already.
        let mut after_high = false;
        // SAFETY: every step is within the units that there are, and for which there is room.
        unsafe {
            'text: loop {
                while len - read >= BLOCK && room - written >= BLOCK {
                    if !block::<V, FROM, TO>(src.add(2 * read), dst.add(4 * written)) {
                        break;
                    }
                    read += BLOCK;
                    written += BLOCK;
                    after_high = false;
                }
                let left = len - read;
                if left < BLOCK && left <= room - written && !after_high && left != 0 {
                    let at = Progress { read, written };
                    if rest_is_basic::<V::Vector16, FROM, TO>(&self.0, at) {
                        return Progress { read: len, written: written + left };
                    }
                }
                // Rows left in the block, and what they have written so far.
                let (mut rows, mut size) = (BLOCK / ROW, 0);
                while len - read > ROW && room - written >= ROW {
                    let Some(done) =
                        row::<V::Vector16, FROM, TO>(src.add(2 * read), dst.add(4 * written), after_high)
                    else {
                        break 'text;
                    };
                    read += ROW;
                    written += done.written;
                    after_high = done.ends_with_high;
                    rows -= 1;
                    size += done.written;
                    if rows == 0 {
                        if size + FEW >= BLOCK && len - read >= BLOCK && room - written >= BLOCK {
                            continue 'text;
                        }
                        (rows, size) = (BLOCK / ROW, 0);
                    }
                }
                // The last units, followed by zeros, which are well-formed.
                let count = ROW.min(len - read);
                if count == 0 {
                    break;
                }
                let mut units = [0_u16; 2 * ROW];
                let mut points = [0_u32; ROW];
                copy_short(src.add(2 * read), units.as_mut_ptr().cast(), 2 * (ROW + 1).min(len - read));
                let step = row::<V::Vector16, FROM, TO>(
                    units.as_ptr().cast(),
                    points.as_mut_ptr().cast(),
                    after_high,
                );
                let Some(done) = step else { break };
                let size = done.written - (ROW - count);
                if size > room - written {
                    break;
                }
                copy_short(points.as_ptr().cast(), dst.add(4 * written), 4 * size);
                read += count;
                written += size;
                after_high = done.ends_with_high && count == ROW;
            }
            // The low surrogate of a pair that is written has been read, too.
            read += usize::from(after_high);
            let rest = Span {
                src: src.add(2 * read),
                len: len - read,
                dst: dst.add(4 * written),
                room: room - written,
            };
            let rest = rest.plainly_apart::<Utf16Form<FROM>, Utf32Form<TO>>();
            Progress { read: read + rest.read, written: written + rest.written }
        }
    }
}

/// Widens the block at `src`, if it has no surrogates; says whether that is so.
///
/// # Safety
/// A block must be readable, and a code point writable for each of its units.
#[inline(always)]
unsafe fn block<L: Lanes, const FROM: bool, const TO: bool>(src: *const u8, dst: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let mut least = Least::<L, FROM>::none();
        for at in (0..2 * BLOCK).step_by(L::LEN) {
            least.of(src.add(at));
        }
        if least.is_surrogate() {
            return false;
        }
        for at in (0..2 * BLOCK).step_by(L::LEN) {
            widen::<L, FROM, TO>(src.add(at), dst.add(2 * at));
        }
        true
    }
}

/// Widens a text of [few registers](few_steps) of units, if there are no surrogates; says whether that is so.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn short_basic<L: Lanes, const FROM: bool, const TO: bool>(span: &Span) -> bool {
    let step = L::LEN / 2;
    if !are_few(span.len, step) || span.len > span.room {
        return false;
    }
    // SAFETY: the registers are within the text, and there is room for as many code points.
    unsafe {
        let mut widened = Widened { span, least: Least::<L, FROM>::none() };
        few_steps::<Widened<'_, L, FROM, TO>>(&mut widened, span.len, step);
        !widened.least.is_surrogate()
    }
}

/// What [`short_basic`] has widened.
struct Widened<'a, L, const FROM: bool, const TO: bool> {
    span: &'a Span,
    least: Least<L, FROM>,
}

impl<L: Lanes, const FROM: bool, const TO: bool> Step for Widened<'_, L, FROM, TO> {
    #[inline(always)]
    unsafe fn step(&mut self, at: usize) {
        // SAFETY: the caller's promise; and there is room for as many code points as there are units.
        unsafe {
            self.least.of(self.span.src.add(2 * at));
            widen::<L, FROM, TO>(self.span.src.add(2 * at), self.span.dst.add(4 * at));
        }
    }
}

/// Widens what is left behind `at`, less than a block, if there are no surrogates; says whether that is so.
///
/// # Safety
/// As for [`Operation::run`]; there must be room for as many code points as there are units, and at least one unit.
#[inline(always)]
unsafe fn rest_is_basic<R: Lanes, const FROM: bool, const TO: bool>(span: &Span, at: Progress) -> bool {
    // (Modules for the web are to be small.)
    if cfg!(target_family = "wasm") {
        return false;
    }
    // SAFETY: what is left is part of the text; and so is what is before it.
    unsafe {
        let rest = Span {
            src: span.src.add(2 * at.read),
            len: span.len - at.read,
            dst: span.dst.add(4 * at.written),
            room: span.room - at.written,
        };
        if rest.len >= ROW || at.read < ROW {
            return short_basic::<R, FROM, TO>(&rest);
        }
        // With some units before it: if these are no surrogates, each was a code point.
        let back = ROW - rest.len;
        let mut least = Least::<R, FROM>::none();
        least.of(rest.src.sub(2 * back));
        let is_basic = !least.is_surrogate();
        if is_basic {
            widen::<R, FROM, TO>(rest.src.sub(2 * back), rest.dst.sub(4 * back));
        }
        is_basic
    }
}

/// For each lane the least unit, where surrogates are the smallest values.
struct Least<L, const FROM: bool>(L);

impl<L: Lanes, const FROM: bool> Least<L, FROM> {
    /// A unit in the byte order of the source.
    ///
    /// # Safety
    /// The CPU must have the instruction set of `L`; this holds for the others, too.
    #[inline(always)]
    unsafe fn ordered(unit: u16) -> L {
        // SAFETY: the caller's promise.
        unsafe { L::splat16(if FROM { unit.swap_bytes() } else { unit }) }
    }

    /// No units.
    ///
    /// # Safety
    /// As above.
    #[inline(always)]
    unsafe fn none() -> Self {
        // SAFETY: the caller's promise.
        unsafe { Least(Self::ordered(0xF800)) }
    }

    /// Those of another register.
    ///
    /// # Safety
    /// It must be readable.
    #[inline(always)]
    unsafe fn of(&mut self, src: *const u8) {
        // SAFETY: the caller's promise.
        unsafe {
            let turned = L::load(src).xor(Self::ordered(0xD800));
            self.0 = self.0.min16(if FROM { turned.and(Self::ordered(0xF800)) } else { turned });
        }
    }

    /// Whether there is a surrogate.
    ///
    /// # Safety
    /// As above.
    #[inline(always)]
    unsafe fn is_surrogate(&self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.0.and(Self::ordered(0xF800)).equal16(L::splat16(0)).any() }
    }
}

/// Widens a register of units.
///
/// # Safety
/// It must be readable, and a code point writable for each of its units.
#[inline(always)]
unsafe fn widen<L: Lanes, const FROM: bool, const TO: bool>(src: *const u8, dst: *mut u8) {
    for half in [0, L::LEN / 2] {
        // SAFETY: the caller's promise.
        unsafe {
            let points = L::widen_16_to_32(src.add(half));
            let points = if FROM { points.swap16() } else { points };
            let points = if TO { points.swap32() } else { points };
            points.store(dst.add(2 * half));
        }
    }
}

/// The outcome of a row.
#[derive(Clone, Copy)]
struct Row {
    /// Code points written.
    written: usize,
    /// Whether the last unit is the high surrogate of a pair.
    ends_with_high: bool,
}

/// Converts the eight units at `src`, if they are well-formed; `after_high` says that the first must be the low
/// surrogate of a pair written before. Eight code points are always written, of which the first are the result.
///
/// # Safety
/// Nine units must be readable, and eight code points writable.
#[inline(always)]
unsafe fn row<R: Vector, const FROM: bool, const TO: bool>(
    src: *const u8,
    dst: *mut u8,
    after_high: bool,
) -> Option<Row> {
    // SAFETY: the caller's promise.
    unsafe {
        let (units, next) = (R::load(src), R::load(src.add(2)));
        let (units, next) = if FROM { (units.swap16(), next.swap16()) } else { (units, next) };
        let prefix = R::splat16(0xFC00);
        let high = units.and(prefix).equal16(R::splat16(0xD800));
        let low = units.and(prefix).equal16(R::splat16(0xDC00));
        let low_next = next.and(prefix).equal16(R::splat16(0xDC00));
        let dropped = low.mask16();
        if high.xor(low_next).any() || (dropped & 1 != 0) != after_high {
            return None;
        }
        // The code point in two halves; that of a pair from its two times ten bits.
        let both = units.shl16::<10>().or(next.and(R::splat16(0x03FF)));
        let lower = high.select_bytes(both, units);
        let upper = high.and(units.add16(R::splat16(0xD7C0_u16.wrapping_neg())).shr16::<6>());
        let indices = R::load(WITHOUT_GAPS[dropped].as_ptr());
        let (lower, upper) = (indices.lookup(lower), indices.lookup(upper));
        let points = if TO { upper.swap16().zip_words(lower.swap16()) } else { lower.zip_words(upper) };
        points[0].store(dst);
        points[1].store(dst.add(16));
        // As all is well-formed, a low surrogate behind the row means that the row ends within a pair.
        let behind = src.add(2 * ROW).cast::<u16>().read_unaligned();
        let ends_with_high = is_low(u32::from(if FROM { behind.swap_bytes() } else { behind }));
        Some(Row { written: ROW - dropped.count_ones() as usize, ends_with_high })
    }
}

/// For each set of units of a row that are dropped: the indices of the bytes of the others.
static WITHOUT_GAPS: [[u8; 16]; 256] = {
    let mut table = [[0xFF; 16]; 256];
    let mut dropped = 0;
    while dropped < 256 {
        let (mut unit, mut to) = (0, 0);
        while unit < ROW {
            if dropped >> unit & 1 == 0 {
                table[dropped][to] = 2 * unit as u8;
                table[dropped][to + 1] = 2 * unit as u8 + 1;
                to += 2;
            }
            unit += 1;
        }
        dropped += 1;
    }
    table
};
