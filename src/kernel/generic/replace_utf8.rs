//! UTF-8 with U+FFFD for ill-formed sequences, over any vector: see [`shared::replace_utf8`](crate::kernel::shared::replace_utf8).
//!
//! A chunk is judged by the [`Lookups`] of the validation. A window with many errors is written by a shuffle for each four bytes.
//!
//! Each of four bytes is kept, dropped, or replaced by three: 81 combinations, in a table of 256 rows whose index consists of twice
//! four bits (4 KiB, and 256 bytes of lengths). The register holds EF BF BD after the four bytes, so that the shuffle can take them
//! from there.

use core::marker::PhantomData;

use super::copy_short::copy_short;
use super::utf8::Lookups;
use crate::kernel::shared::opaque::opaque;
use crate::kernel::shared::replace_utf8::{
    BLOCK, Blocks, ByteMasks, Chunk, End, Plan, ReplaceUtf8, Replaced, Survey, first_of, replace,
    replace_dense, survey,
};
use crate::kernel::vector::{Operation, Vector};

/// [`ReplaceUtf8`] as an operation; see [`replace`].
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
        // SAFETY: the caller's promise.
        unsafe { replace::<Of<V>>(self.0) }
    }
}

/// [`replace_dense`] as an operation.
struct Dense {
    input: ReplaceUtf8,
    done: Replaced,
}

impl Operation for Dense {
    type Output = (Replaced, bool);

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> (Replaced, bool) {
        // SAFETY: the caller's promise.
        unsafe { replace_dense::<Of<V>>(self.input, self.done) }
    }
}

/// What is ill-formed at the start of a text, as an operation; see [`survey`].
pub(in crate::kernel) struct SurveyUtf8 {
    pub src: *const u8,
    pub len: usize,
}

impl Operation for SurveyUtf8 {
    type Output = Survey;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Survey {
        // SAFETY: the caller's promise.
        unsafe { survey::<Of<V>>(self.src, self.len) }
    }
}

/// The blocks of a vector.
pub(super) struct Of<V>(PhantomData<V>);

impl<V: Vector> Of<V> {
    /// The index of the first of these bits, which are those of four vectors.
    #[inline(always)]
    fn first_bit(bits: [u32; 4]) -> usize {
        // Opaque, as otherwise the compiler takes the vectors apart to compute the masks byte by byte.
        let [a, b, c, d] = bits;
        let [a, b, c, d] = [opaque(a.into()), opaque(b.into()), opaque(c.into()), opaque(d.into())];
        let [low, high] = [a | b << (V::LEN % 64), c | d << (V::LEN % 64)];
        if V::LEN == 16 { first_of([low | high << 32, 0, 0, 0]) } else { first_of([low, high, 0, 0]) }
    }

    /// Copies a chunk, and returns it.
    #[inline(always)]
    unsafe fn copied(from: *const u8, to: *mut u8) -> [V; 4] {
        // SAFETY: the caller's promise: four vectors.
        unsafe {
            let load = |at: usize| V::load(from.add(at * V::LEN));
            let [a, b, c, d] = [load(0), load(1), load(2), load(3)];
            a.store(to);
            b.store(to.add(V::LEN));
            c.store(to.add(2 * V::LEN));
            d.store(to.add(3 * V::LEN));
            [a, b, c, d]
        }
    }
}

impl<V: Vector> Blocks for Of<V> {
    const CHUNK: usize = 4 * V::LEN;
    const FEW_ONE_BY_ONE: bool = true;

    #[inline(always)]
    unsafe fn copy_ascii(from: *const u8, to: *mut u8) -> Option<usize> {
        // SAFETY: the caller's promise: four vectors.
        unsafe {
            let [a, b, c, d] = Self::copied(from, to);
            if !a.or(b).or(c.or(d)).any_sign_bit() {
                return None;
            }
            Some(Self::first_bit([a.sign_bits(), b.sign_bits(), c.sign_bits(), d.sign_bits()]))
        }
    }

    #[inline(always)]
    unsafe fn copy_text(from: *const u8, to: *mut u8) -> Chunk {
        // SAFETY: the caller's promise: four vectors, and three bytes before them.
        unsafe {
            let [a, b, c, d] = Self::copied(from, to);
            if !a.or(b).or(c.or(d)).or(V::load(from.sub(3))).any_sign_bit() {
                return Chunk::Ascii;
            }
            let lookups = Lookups::<V>::new::<false>();
            let (a, b) = (lookups.errors_at(from, a), lookups.errors_at(from.add(V::LEN), b));
            let (c, d) =
                (lookups.errors_at(from.add(2 * V::LEN), c), lookups.errors_at(from.add(3 * V::LEN), d));
            if !a.or(b).or(c.or(d)).any() {
                return Chunk::WellFormed;
            }
            let none = V::splat(0);
            let all = u32::MAX >> (32 - V::LEN);
            let [a, b, c, d] = [a.equal(none), b.equal(none), c.equal(none), d.equal(none)];
            let [a, b, c, d] = [a.sign_bits(), b.sign_bits(), c.sign_bits(), d.sign_bits()];
            Chunk::IllFormed(Self::first_bit([a ^ all, b ^ all, c ^ all, d ^ all]))
        }
    }

    #[inline(always)]
    unsafe fn copy_block(from: *const u8, to: *mut u8) {
        for at in (0..BLOCK).step_by(V::LEN) {
            // SAFETY: the caller's promise: a block.
            unsafe { V::load(from.add(at)).store(to.add(at)) };
        }
    }

    #[inline(always)]
    unsafe fn copy_part(from: *const u8, to: *mut u8, len: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            copy_short(from, to, len);
            core::slice::from_raw_parts(from, len).is_ascii()
        }
    }

    #[inline(always)]
    unsafe fn copy_well_formed(from: *const u8, to: *mut u8, ascii: bool) -> bool {
        // SAFETY: the caller's promise: a block, and three bytes before it.
        unsafe {
            if ascii {
                let mut all = V::load(from.sub(3));
                for at in (0..BLOCK).step_by(V::LEN) {
                    let bytes = V::load(from.add(at));
                    bytes.store(to.add(at));
                    all = all.or(bytes);
                }
                return !all.any_sign_bit();
            }
            let lookups = Lookups::<V>::new::<false>();
            let mut errors = V::splat(0);
            for at in (0..BLOCK).step_by(V::LEN) {
                let bytes = V::load(from.add(at));
                bytes.store(to.add(at));
                errors = errors.or(lookups.errors_at(from.add(at), bytes));
            }
            !errors.any()
        }
    }

    #[inline(always)]
    unsafe fn stage(from: *const u8, len: usize, end: &mut End) {
        end.0 = [0; 3 * BLOCK];
        let first = len.min(BLOCK);
        // SAFETY: the caller's promise; there is room for three blocks.
        unsafe {
            copy_short(from, end.0.as_mut_ptr(), first);
            copy_short(from.add(first), end.0.as_mut_ptr().add(BLOCK), len - first);
        }
    }

    #[inline(always)]
    unsafe fn masks(from: *const u8) -> ByteMasks {
        // SAFETY: the caller's promise.
        unsafe { masks::<V>(from) }
    }

    #[inline(always)]
    unsafe fn masks_near_end(from: *const u8, left: usize, end: &mut End) -> ByteMasks {
        // SAFETY: the caller's promise.
        unsafe {
            Self::stage(from, left.min(2 * BLOCK), end);
            masks::<V>(end.0.as_ptr())
        }
    }

    #[inline(always)]
    unsafe fn write(from: *const u8, plan: &Plan, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { write::<V>(from, plan, to) }
    }

    #[inline(always)]
    unsafe fn replace_dense(input: ReplaceUtf8, done: Replaced) -> (Replaced, bool) {
        // SAFETY: the caller's promise.
        unsafe { V::apart(Dense { input, done }) }
    }
}

/// The classes of the bytes of a block.
///
/// # Safety
/// Only within the root of `V`; and the block must be readable.
#[inline(always)]
unsafe fn masks<V: Vector>(block: *const u8) -> ByteMasks {
    let mut masks = ByteMasks { high: 0, tail: 0, second: 0, threes: 0, fours: 0 };
    let (mut leads, mut out_of_range) = (0, 0);
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
                masks.tail |= high << at & !mask(from(0xC0));
                leads |= mask(from(0xC2).and_not(from(0xF5)));
                masks.threes |= mask(from(0xE0));
                masks.fours |= mask(from(0xF0));
                let previous = bytes.previous::<1>(before);
                let behind = |byte: u8| previous.equal(V::splat(byte));
                let (from_90, from_a0) = (from(0x90), from(0xA0));
                let out = behind(0xE0).and_not(from_a0).or(behind(0xED).and(from_a0));
                let out = out.or(behind(0xF0).and_not(from_90)).or(behind(0xF4).and(from_90));
                out_of_range |= mask(out);
            }
            before = bytes;
        }
    }
    masks.second = leads << 1 & masks.tail & !out_of_range;
    masks
}

/// Writes a block.
///
/// # Safety
/// Only within the root of `V`; the block must be readable, and there must be [`ROOM`](crate::kernel::shared::replace_utf8::ROOM).
#[inline(always)]
unsafe fn write<V: Vector>(block: *const u8, plan: &Plan, to: *mut u8) {
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
}
