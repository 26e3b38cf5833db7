//! UTF-32 to UTF-16 over any vector.
//!
//! A block within the Basic Multilingual Plane is narrowed. Otherwise it goes in steps of half a vector's bytes: a step within the
//! BMP is narrowed as well, and in any other each lane becomes a surrogate pair, or stays the unit that it is, without a
//! branch; a shuffle from a table of sixteen rows drops the upper half of a lane with one unit. Errors are found by the maximum,
//! as in [`widen`](super::widen).
//!
//! AMD EPYC (Zen 5), 160 KiB of documents, GB/s of input, AVX2 and SSE4.2. "Before" converted rows of four code points, from the
//! first pair of a block to the end of the block, whether or not they had pairs, and, after more than four pairs, in the next block
//! too:
//!
//! | | simdutf | before | this |
//! |---|--:|--:|--:|
//! | chat | 43, 31 | 35, 30 | 45, 33 |
//! | table of emoji | 52, 40 | 46, 39 | 65, 44 |
//! | HTML | 51, 53 | 75, 57 | 92, 56 |
//! | Rust sources | 66, 65 | 102, 65 | 114, 65 |
//!
//! Chat of 1 MiB, which predictors hardly learn, reaches 15 to 21 instead of 10 to 13 with AVX2. Larger steps are mispredicted less
//! often, and are faster there (20 with the whole block, 22 with no test after it), but slower if the predictor knows the branches.
//!
//! The last code points, or those for which there is hardly room, go through the same step by way of buffers. The last few
//! characters are converted one by one only before an error, and if the output is full.

use super::Progress;
use super::copy_short::copy_short;
use super::few_steps::{Step, are_few, few_steps};
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
        // SAFETY: the caller's promise.
        let is_done = unsafe {
            short_basic::<V, FROM, TO>(&self.0)
                || V::LEN > 16 && len < V::LEN / 2 && short_basic::<V::Vector16, FROM, TO>(&self.0)
        };
        if is_done {
            return Progress { read: len, written: len };
        }
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
            let left = len - read;
            if left < BLOCK && left <= room - written && left != 0 {
                let at = Progress { read, written };
                if rest_is_basic::<V::Vector16, FROM, TO>(&self.0, at) {
                    return Progress { read: len, written: written + left };
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
        let mut found = NotBasic::<L>::none();
        for at in (0..4 * count).step_by(2 * L::LEN) {
            found.narrow::<FROM, TO>(src.add(at), dst.add(at / 2));
        }
        !found.any()
    }
}

/// Narrows a text of [few steps](few_steps), two registers each, if all are well-formed and within the BMP; says whether that is so.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn short_basic<L: Lanes, const FROM: bool, const TO: bool>(span: &Span) -> bool {
    let step = L::LEN / 2;
    if !are_few(span.len, step) || span.len > span.room {
        return false;
    }
    // SAFETY: the steps are within the text, and there is room for as many units.
    unsafe {
        let mut narrowed = Narrowed { span, found: NotBasic::<L>::none() };
        few_steps::<Narrowed<'_, L, FROM, TO>>(&mut narrowed, span.len, step);
        !narrowed.found.any()
    }
}

/// What [`short_basic`] has narrowed.
struct Narrowed<'a, L, const FROM: bool, const TO: bool> {
    span: &'a Span,
    found: NotBasic<L>,
}

impl<L: Lanes, const FROM: bool, const TO: bool> Step for Narrowed<'_, L, FROM, TO> {
    #[inline(always)]
    unsafe fn step(&mut self, at: usize) {
        // SAFETY: the caller's promise; and there is room for as many units as there are code points.
        unsafe { self.found.narrow::<FROM, TO>(self.span.src.add(4 * at), self.span.dst.add(2 * at)) };
    }
}

/// Narrows what is left behind `at`, less than a block, if all are well-formed and within the BMP; says whether that is so.
///
/// # Safety
/// As for [`Operation::run`]; there must be room for as many units as there are code points, and at least one.
#[inline(always)]
unsafe fn rest_is_basic<R: Lanes, const FROM: bool, const TO: bool>(span: &Span, at: Progress) -> bool {
    // (Modules for the web are to be small.)
    if cfg!(target_family = "wasm") {
        return false;
    }
    // SAFETY: what is left is part of the text; and so is what is before it.
    unsafe {
        let rest = Span {
            src: span.src.add(4 * at.read),
            len: span.len - at.read,
            dst: span.dst.add(2 * at.written),
            room: span.room - at.written,
        };
        if rest.len >= 2 * ROW || at.read < 2 * ROW {
            return short_basic::<R, FROM, TO>(&rest);
        }
        // With some code points before it: if these are within the BMP, each became a unit.
        let back = 2 * ROW - rest.len;
        let mut found = NotBasic::<R>::none();
        let units = found.units::<FROM, TO>(rest.src.sub(4 * back));
        let is_basic = !found.any();
        if is_basic {
            units.store(rest.dst.sub(2 * back));
        }
        is_basic
    }
}

/// Whether some code points are surrogates, or beyond the BMP.
struct NotBasic<L> {
    /// All code points or'ed together.
    all: L,
    /// Lanes of surrogates.
    surrogates: L,
}

impl<L: Lanes> NotBasic<L> {
    /// No code points.
    ///
    /// # Safety
    /// The CPU must have the instruction set of `L`; this holds for the others, too.
    #[inline(always)]
    unsafe fn none() -> Self {
        // SAFETY: the caller's promise.
        unsafe { NotBasic { all: L::splat(0), surrogates: L::splat(0) } }
    }

    /// Narrows two registers of code points.
    ///
    /// # Safety
    /// They must be readable, and a register of units writable.
    #[inline(always)]
    unsafe fn narrow<const FROM: bool, const TO: bool>(&mut self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.units::<FROM, TO>(src).store(dst) };
    }

    /// The units of two registers of code points.
    ///
    /// # Safety
    /// These must be readable.
    #[inline(always)]
    unsafe fn units<const FROM: bool, const TO: bool>(&mut self, src: *const u8) -> L {
        // SAFETY: the caller's promise.
        unsafe {
            let parts = [L::load(src), L::load(src.add(L::LEN))];
            let [a, b] = if FROM { [parts[0].swap32(), parts[1].swap32()] } else { parts };
            self.all = self.all.or(a.or(b));
            let units = a.narrow_32_to_16(b);
            self.surrogates = self.surrogates.or(units.surrogates());
            if TO { units.swap16() } else { units }
        }
    }

    /// Whether there is one.
    ///
    /// # Safety
    /// As above.
    #[inline(always)]
    unsafe fn any(&self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.all.and(L::splat32(0xFFFF_0000)).or(self.surrogates).any() }
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
