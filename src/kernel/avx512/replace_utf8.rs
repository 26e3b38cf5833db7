//! UTF-8 with U+FFFD for what is ill-formed: each byte is given three slots, and compressed.
//!
//! Sixteen bytes are spread over 48 slots, three for each. The slots of a byte that is replaced hold
//! EF BF BD and are all kept; of the others the first is kept, unless the byte goes. So whatever happens to
//! sixteen bytes is one permutation, one blend and one compression.

use super::arch::*;
use super::ends::load_some;
use super::words::{Table, load_table};
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

/// Each byte in its place.
static IN_ORDER: Table = {
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
    /// Washes a stretch, until it is clean, or comes to an end, or the room does.
    ///
    /// # Safety
    /// What the laundry says must be readable and writable, and not overlap.
    #[inline]
    pub(in crate::kernel) unsafe fn replace_utf8(work: ReplaceUtf8) -> Replaced {
        let mut washed = Replaced::NOTHING;
        let mut quiet = 0;
        while washed.read < work.len && work.room - washed.written >= ROOM && quiet < QUIET {
            let len = BLOCK.min(work.len - washed.read);
            let last = work.len - washed.read <= BLOCK;
            // SAFETY: so many bytes are left of the stretch, and so much room.
            unsafe {
                let bytes = load_some(work.src.add(washed.read), len);
                let to = work.dst.add(washed.written);
                if _mm512_movepi8_mask(bytes) == 0 {
                    _mm512_storeu_si512(to.cast(), bytes);
                    washed.read += len;
                    washed.written += len;
                    quiet += 1;
                    continue;
                }
                let plan = plan_block(masks(bytes), len, last, work.each_byte);
                if plan.begins == 0 {
                    _mm512_storeu_si512(to.cast(), bytes);
                    washed.read += plan.taken;
                    washed.written += plan.taken;
                    quiet += 1;
                } else {
                    let few = plan.begins.count_ones() <= FEW;
                    let copy = |begin: usize, to: *mut u8| {
                        let from = _mm512_add_epi8(load_table(&IN_ORDER), _mm512_set1_epi8(begin as i8));
                        _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi8(from, bytes));
                    };
                    let written = if few { plan.write_few(copy, to) } else { write(bytes, &plan, to) };
                    washed.note(&plan, written);
                    quiet = 0;
                }
            }
        }
        washed
    }

    /// What the bytes may be.
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

    /// Writes a block; returns how many bytes that are.
    ///
    /// # Safety
    /// There must be room.
    #[inline]
    unsafe fn write(bytes: __m512i, plan: &BlockPlan, to: *mut u8) -> usize {
        let replacements = load_table(&REPLACEMENTS);
        let mut slots = load_table(&SLOTS);
        let mut written = 0;
        for quarter in 0..4 {
            let of = |mask: u64| thirds((mask >> (16 * quarter)) as u16);
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

    /// The bits, each at three times its place.
    #[inline]
    fn thirds(bits: u16) -> u64 {
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
