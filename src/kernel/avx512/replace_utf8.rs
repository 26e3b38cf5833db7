//! UTF-8 with U+FFFD for ill-formed sequences, on AVX-512: see [`shared::replace_utf8`](crate::kernel::shared::replace_utf8).
//!
//! A chunk is judged by [`errors_at`], the test of the validation. In a window with many errors, each byte gets three slots, and the
//! unused ones are removed by a compression.
//!
//! 21 bytes are spread over 63 slots, three for each. The slots of a byte that is replaced hold EF BF BD and are all kept. For any
//! other byte only the first slot is kept, or none if the byte is dropped. So whatever happens to the bytes takes one permutation,
//! one blend and one compression.

use super::arch::*;
use super::memory::{load_partial, prefetch_ahead, store_partial};
use super::registers::{Table, load_table};
use super::utf8::{errors_at, level, no_errors, places, rules};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::shared::replace_utf8::{
    BLOCK, Blocks, ByteMasks, Chunk, End, Plan, ReplaceUtf8, Replaced, Survey, first_of, replace,
    replace_dense, survey,
};
use crate::kernel::vector::parts_of_a_root;

/// Bytes of a block that are written at once.
const PIECE: usize = 21;

/// Three slots for each byte of a piece.
static SLOTS: Table = {
    let mut table = [0; 64];
    let mut slot = 0;
    while slot < 3 * PIECE {
        table[slot] = slot as u8 / 3;
        slot += 1;
    }
    Table(table)
};

/// U+FFFD in the three slots of each byte.
static REPLACEMENTS: Table = {
    let mut table = [0; 64];
    let mut slot = 0;
    while slot < 3 * PIECE {
        table[slot] = [0xEF, 0xBF, 0xBD][slot % 3];
        slot += 1;
    }
    Table(table)
};

avx512! {
    /// Copies UTF-8 with its ill-formed sequences replaced; see [`replace`].
    ///
    /// # Safety
    /// The input must be readable, the output writable, and they must not overlap.
    pub(in crate::kernel) unsafe fn replace_utf8(input: ReplaceUtf8) -> Replaced {
        // SAFETY: the caller's promise, and this is compiled for the instruction set.
        unsafe { replace::<Avx512>(input) }
    }

    /// Where errors are dense; see [`replace_dense`].
    ///
    /// # Safety
    /// As for that.
    #[inline(never)]
    unsafe fn dense(input: ReplaceUtf8, done: Replaced) -> (Replaced, bool) {
        // SAFETY: the caller's promise, and this is compiled for the instruction set.
        unsafe { replace_dense::<Avx512>(input, done) }
    }

    /// What is ill-formed at the start of a text; see [`survey`].
    ///
    /// # Safety
    /// `len` bytes must be readable.
    pub(in crate::kernel) unsafe fn survey_utf8(src: *const u8, len: usize) -> Survey {
        // SAFETY: the caller's promise, and this is compiled for the instruction set.
        unsafe { survey::<Avx512>(src, len) }
    }
}

/// [`dense`], which is not inlined from here: within the loops for rare errors it takes 5 % from these.
///
/// # Safety
/// As for that, and the instruction set is required.
#[inline(never)]
unsafe fn dense_apart(input: ReplaceUtf8, done: Replaced) -> (Replaced, bool) {
    // SAFETY: the caller's promise.
    unsafe { dense(input, done) }
}

/// How far ahead chunks are prefetched.
const AHEAD: usize = 16 * BLOCK;

/// The blocks of AVX-512.
pub(super) struct Avx512;

impl Blocks for Avx512 {
    const CHUNK: usize = 4 * BLOCK;
    const FEW_ONE_BY_ONE: bool = false;

    parts_of_a_root! {
        "avx512vl,avx512vbmi,avx512vbmi2,gfni,bmi1,bmi2,popcnt";

        fn copy_ascii(from: *const u8, to: *mut u8) -> Option<usize> {
            // SAFETY: the caller's promise: four blocks.
            let [a, b, c, d] = unsafe { copied(from, to) };
            if _mm512_movepi8_mask(or5([a, b, c, d, d])) == 0 {
                return None;
            }
            Some(first_of([places_of(a), places_of(b), places_of(c), places_of(d)]))
        }

        fn copy_text(from: *const u8, to: *mut u8) -> Chunk {
            // SAFETY: the caller's promise: four blocks, and three bytes before them.
            unsafe {
                let [a, b, c, d] = copied(from, to);
                if _mm512_movepi8_mask(or5([a, b, c, d, _mm512_loadu_si512(from.sub(3).cast())])) == 0 {
                    return Chunk::Ascii;
                }
                let level = level::<4, false>();
                let errors = |block: usize, bytes| {
                    errors_at::<4>(&level, no_errors(), from.add(BLOCK * block), bytes).all()
                };
                let [a, b, c, d] = [errors(0, a), errors(1, b), errors(2, c), errors(3, d)];
                let masks = [places_of(a), places_of(b), places_of(c), places_of(d)];
                let [a, b, c, d] = masks;
                if a | b | c | d == 0 {
                    return Chunk::WellFormed;
                }
                Chunk::IllFormed(first_of(masks))
            }
        }

        fn copy_block(from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise: a block.
            unsafe { _mm512_storeu_si512(to.cast(), _mm512_loadu_si512(from.cast())) }
        }

        fn copy_part(from: *const u8, to: *mut u8, len: usize) -> bool {
            // SAFETY: the caller's promise.
            unsafe {
                let bytes = load_partial(from, len);
                store_partial(to, bytes, len, len);
                _mm512_movepi8_mask(bytes) == 0
            }
        }

        fn copy_well_formed(from: *const u8, to: *mut u8, ascii: bool) -> bool {
            // SAFETY: the caller's promise: a block, and three bytes before it.
            unsafe {
                let bytes = _mm512_loadu_si512(from.cast());
                _mm512_storeu_si512(to.cast(), bytes);
                if ascii {
                    return _mm512_movepi8_mask(_mm512_or_si512(bytes, _mm512_loadu_si512(from.sub(3).cast()))) == 0;
                }
                places(errors_at::<4>(&level::<4, false>(), no_errors(), from, bytes)) == 0
            }
        }

        fn stage(from: *const u8, len: usize, end: &mut End) {
            let first = len.min(BLOCK);
            let to = end.0.as_mut_ptr();
            // SAFETY: the caller's promise; there is room for three blocks.
            unsafe {
                _mm512_storeu_si512(to.cast(), load_partial(from, first));
                let second = load_partial(from.add(first), len - first);
                _mm512_storeu_si512(to.add(BLOCK).cast(), second);
            }
        }

        fn masks(from: *const u8) -> ByteMasks {
            // SAFETY: the caller's promise: a block and a byte.
            unsafe { masks(_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(1).cast())) }
        }

        fn masks_near_end(from: *const u8, left: usize, _end: &mut End) -> ByteMasks {
            // SAFETY: so many bytes are readable.
            unsafe {
                let next = load_partial(from.wrapping_add(1), left.saturating_sub(1).min(BLOCK));
                masks(load_partial(from, left.min(BLOCK)), next)
            }
        }

        fn write(from: *const u8, plan: &Plan, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { write(_mm512_loadu_si512(from.cast()), plan, to) }
        }

        fn replace_dense(input: ReplaceUtf8, done: Replaced) -> (Replaced, bool) {
            // SAFETY: the caller's promise.
            unsafe { dense_apart(input, done) }
        }
    }
}

avx512! {
    /// Copies a chunk, and returns it.
    ///
    /// # Safety
    /// Four blocks must be readable and writable.
    #[inline]
    unsafe fn copied(from: *const u8, to: *mut u8) -> [__m512i; 4] {
        // SAFETY: the caller's promise.
        unsafe {
            let load = |block: usize| {
                prefetch_ahead::<AHEAD>(from.wrapping_add(BLOCK * block));
                _mm512_loadu_si512(from.add(BLOCK * block).cast())
            };
            let store = |block: usize, bytes| _mm512_storeu_si512(to.add(BLOCK * block).cast(), bytes);
            let [a, b, c, d] = [load(0), load(1), load(2), load(3)];
            store(0, a);
            store(1, b);
            store(2, c);
            store(3, d);
            [a, b, c, d]
        }
    }

    /// The bits of all.
    #[inline]
    fn or5(all: [__m512i; 5]) -> __m512i {
        let [a, b, c, d, e] = all;
        let or3 = |a, b, c| _mm512_ternarylogic_epi64::<0xFE>(a, b, c);
        or3(or3(a, b, c), d, e)
    }

    /// The bytes with their top bit set.
    #[inline]
    fn places_of(bytes: __m512i) -> u64 {
        opaque(_mm512_movepi8_mask(bytes))
    }

    /// The classes of the bytes of a block. `next` is the block that begins with its second byte.
    #[inline]
    fn masks(bytes: __m512i, next: __m512i) -> ByteMasks {
        let at_least = |byte: u8| opaque(_mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(byte as i8)));
        let high = opaque(_mm512_movepi8_mask(bytes));
        let leads = at_least(0xC0);
        let refused = _mm512_add_epi8(_mm512_permutexvar_epi8(bytes, load_table(&rules(false).second)), next);
        let refused = opaque(_mm512_movepi8_mask(refused));
        let tail = high & !leads;
        ByteMasks { high, tail, second: (leads & !refused) << 1 & tail, threes: at_least(0xE0), fours: at_least(0xF0) }
    }

    /// Writes a block.
    ///
    /// # Safety
    /// There must be [`ROOM`](crate::kernel::shared::replace_utf8::ROOM).
    #[inline]
    unsafe fn write(bytes: __m512i, plan: &Plan, to: *mut u8) {
        let replacements = load_table(&REPLACEMENTS);
        let mut slots = load_table(&SLOTS);
        let mut written = 0;
        for third in 0..4 {
            // The last byte of a block is one too many for three, and seldom read.
            if third == 3 && plan.taken < BLOCK {
                break;
            }
            let of = |mask: u64| spread_by_three((mask >> (PIECE * third)) as u32);
            let begins = of(plan.begins) * 7;
            let kept = of(!plan.dropped) | begins;
            let spread = _mm512_permutexvar_epi8(slots, bytes);
            let spread = _mm512_mask_mov_epi8(spread, begins, replacements);
            // SAFETY: the caller's promise.
            unsafe { _mm512_storeu_si512(to.add(written).cast(), _mm512_maskz_compress_epi8(kept, spread)) };
            written += kept.count_ones() as usize;
            slots = _mm512_add_epi8(slots, _mm512_set1_epi8(PIECE as i8));
        }
    }

    /// The first [`PIECE`] bits, each moved to three times its position.
    #[inline]
    fn spread_by_three(bits: u32) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            _pdep_u64(bits.into(), 0x1249_2492_4924_9249)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let of = |at: u32| u64::from(_pdep_u32(bits >> at, 0x4_9249)) << (3 * at);
            of(0) | of(7) | of(14)
        }
    }
}
