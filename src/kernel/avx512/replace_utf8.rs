//! UTF-8 with U+FFFD for ill-formed sequences: each byte gets three slots, and the unused ones are removed by a
//! compression.
//!
//! Sixteen bytes are spread over 48 slots, three for each. The slots of a byte that is replaced hold EF BF BD and are
//! all kept; of the others the first is kept, unless the byte is dropped. So whatever happens to sixteen bytes is one
//! permutation, one blend and one compression.

use super::arch::*;
use super::memory::load_partial;
use super::registers::{Table, load_table};
use crate::kernel::shared::replace_utf8::{
    BLOCK, BlockPlan, ByteMasks, FEW, QUIET, ROOM, ReplaceUtf8, Replaced, plan_block,
};

/// Three slots for each of sixteen bytes.
static SLOTS: Table = {
    let mut table = [0; 64];
    let mut slot = 0;
    while slot < 48 {
        table[slot] = slot as u8 / 3;
        slot += 1;
    }
    Table(table)
};

/// The index of each byte.
static IDENTITY: Table = {
    let mut table = [0; 64];
    let mut slot = 0;
    while slot < 64 {
        table[slot] = slot as u8;
        slot += 1;
    }
    Table(table)
};

/// U+FFFD in the three slots of each byte.
static REPLACEMENTS: Table = {
    let mut table = [0; 64];
    let mut slot = 0;
    while slot < 48 {
        table[slot] = [0xEF, 0xBF, 0xBD][slot % 3];
        slot += 1;
    }
    Table(table)
};

avx512! {
    /// Goes on until some blocks in succession are well-formed, or the input or the room ends.
    ///
    /// # Safety
    /// The input must be readable, the output writable, and they must not overlap.
    #[inline]
    pub(in crate::kernel) unsafe fn replace_utf8(input: ReplaceUtf8) -> Replaced {
        let mut done = Replaced::NOTHING;
        let mut well_formed = 0;
        while done.read < input.len && input.room - done.written >= ROOM && well_formed < QUIET {
            let len = BLOCK.min(input.len - done.read);
            let last = input.len - done.read <= BLOCK;
            // SAFETY: there are `len` bytes left of the input, and room for a block.
            unsafe {
                let bytes = load_partial(input.src.add(done.read), len);
                let to = input.dst.add(done.written);
                if _mm512_movepi8_mask(bytes) == 0 {
                    _mm512_storeu_si512(to.cast(), bytes);
                    done.read += len;
                    done.written += len;
                    well_formed += 1;
                    continue;
                }
                let plan = plan_block(masks(bytes), len, last, input.each_byte);
                if plan.begins == 0 {
                    _mm512_storeu_si512(to.cast(), bytes);
                    done.read += plan.taken;
                    done.written += plan.taken;
                    well_formed += 1;
                } else {
                    let few = plan.begins.count_ones() <= FEW;
                    let copy = |begin: usize, to: *mut u8| {
                        let from = _mm512_add_epi8(load_table(&IDENTITY), _mm512_set1_epi8(begin as i8));
                        _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi8(from, bytes));
                    };
                    let written = if few { plan.write_few(copy, to) } else { write(bytes, &plan, to) };
                    done.note(&plan, written);
                    well_formed = 0;
                }
            }
        }
        done
    }

    /// The classes of the bytes.
    #[inline]
    fn masks(bytes: __m512i) -> ByteMasks {
        let from = |byte: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(byte as i8));
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
        let high = _mm512_movepi8_mask(bytes);
        let beyond = from(0xF5);
        let (from_90, from_a0, from_c0) = (from(0x90), from(0xA0), from(0xC0));
        let behind = |byte: u8| is(byte) << 1;
        ByteMasks {
            high,
            tail: high & !from_c0,
            leads: from(0xC2) & !beyond,
            leads34: from(0xE0) & !beyond,
            leads4: from(0xF0) & !beyond,
            out_of_range: behind(0xE0) & !from_a0
                | behind(0xED) & from_a0
                | behind(0xF0) & !from_90
                | behind(0xF4) & from_90,
        }
    }

    /// Writes a block; returns the number of bytes.
    ///
    /// # Safety
    /// There must be [`ROOM`].
    #[inline]
    unsafe fn write(bytes: __m512i, plan: &BlockPlan, to: *mut u8) -> usize {
        let replacements = load_table(&REPLACEMENTS);
        let mut slots = load_table(&SLOTS);
        let mut written = 0;
        for quarter in 0..4 {
            let of = |mask: u64| spread_by_three((mask >> (16 * quarter)) as u16);
            let begins = of(plan.begins);
            let kept = of(!plan.dropped) | begins << 1 | begins << 2;
            let spread = _mm512_permutexvar_epi8(slots, bytes);
            let spread = _mm512_mask_mov_epi8(spread, begins * 7, replacements);
            // SAFETY: the caller's promise.
            unsafe { _mm512_storeu_si512(to.add(written).cast(), _mm512_maskz_compress_epi8(kept, spread)) };
            written += kept.count_ones() as usize;
            slots = _mm512_add_epi8(slots, _mm512_set1_epi8(16));
        }
        written
    }

    /// The bits, each moved to three times its position.
    #[inline]
    fn spread_by_three(bits: u16) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            _pdep_u64(bits.into(), 0x2492_4924_9249)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let [low, high] = bits.to_le_bytes().map(|half| u64::from(_pdep_u32(half.into(), 0x24_9249)));
            low | high << 24
        }
    }
}
