//! Text in pieces of eight blocks, each of which is judged as a whole or not at all: a piece is tested once for being ASCII, and once for
//! errors. On Zen 5 all text of 256 bytes to 1 KiB is judged like this.

use super::super::BLOCK;
use super::super::arch::*;
use super::unit::{level, no_errors, places, unit};
use super::{errors_of_block, first_error};
use crate::kernel::shared::lines::closed;
use crate::kernel::shared::opaque::opaque;

/// Bytes that are judged together.
const PIECE: usize = 8 * BLOCK;

avx512! {
    /// Validates `src`, which has more than four blocks: piece by piece, the last line of which may overlap the one before it.
    #[inline(never)]
    pub(super) fn pieces<const CORRECTED: bool>(src: &[u8]) -> usize {
        let mut at = 0;
        let level = level::<4, CORRECTED>();
        // SAFETY: all pieces are within `src`, and three bytes before those that do not begin it.
        unsafe {
            let start = src.as_ptr();
            let load = |p: *const u8| _mm512_loadu_si512(p.cast());
            let end = src.len() - BLOCK;
            // Behind a piece that is not ASCII, no other is asked.
            let mut ascii = true;
            loop {
                let first = start.add(at);
                let last = start.add((at + PIECE - BLOCK).min(end));
                if ascii {
                    let mut all = _mm512_or_si512(load(first), load(last));
                    if at != 0 {
                        // The last three bytes before the piece, and some of it once more.
                        all = _mm512_or_si512(all, load(first.sub(3)));
                    }
                    for i in 1..PIECE / BLOCK - 1 {
                        let p = first.wrapping_add(i * BLOCK);
                        all = _mm512_or_si512(all, load(if p < last { p } else { last }));
                    }
                    // All ASCII from three bytes earlier on: no character is incomplete.
                    ascii = _mm512_movepi8_mask(all) == 0;
                }
                if !ascii {
                    let mut errors = errors_of_block(&level, no_errors(), src, at);
                    let mut p = first.add(BLOCK);
                    // Opaque, or LLVM writes the loop out.
                    for _ in 1..opaque((PIECE / BLOCK) as u64 - 1) {
                        let q = if p < last { p } else { last };
                        errors = unit::<4>(&level, errors, q, load(q));
                        p = p.wrapping_add(BLOCK);
                    }
                    errors = unit::<4>(&level, errors, last, load(last));
                    if places(errors) != 0 {
                        return first_error::<CORRECTED>(src, at, src.len());
                    }
                }
                at = last.offset_from(start) as usize + BLOCK;
                if at == src.len() {
                    return if ascii { at } else { closed(src) };
                }
                at = at.min(end);
            }
        }
    }
}
