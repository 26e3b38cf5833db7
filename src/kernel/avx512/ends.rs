//! The ends of memory: loads, stores and cuts for what is less than a register.
//!
//! Masked lanes are neither read nor written, so a step at the end of the text, or of the room, is the
//! step of the middle with masks at both sides. Two things are worth knowing. A masked lane on a page
//! that is not mapped does not fault, but costs a hundred nanoseconds; so near the end of a page the
//! register is laid over the last bytes instead of the first, and what is too much is moved out. And
//! where the bytes of a step do not fit any more, the bits of its compression say which character is
//! the first that does not: nothing has to be tried twice.

use super::arch::*;
use super::{BLOCK, PAGE};

avx512! {
    /// The lowest `count` bits, up to 64.
    #[inline]
    pub(super) fn low(count: usize) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            _bzhi_u64(!0, count as u32)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            if count == 0 { 0 } else { !0 >> (64 - count) }
        }
    }

    /// The first `count` bytes at `p`, 64 at most, and zeros behind them.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    pub(super) unsafe fn load_some(p: *const u8, count: usize) -> __m512i {
        if p as usize % PAGE <= PAGE - BLOCK {
            // SAFETY: the lanes are the bytes of the caller.
            return unsafe { _mm512_maskz_loadu_epi8(low(count), p.cast()) };
        }
        let shift = BLOCK - count;
        let lanes = low(count) << (shift % BLOCK);
        // SAFETY: the lanes are the bytes of the caller.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(lanes, p.wrapping_sub(shift).cast()) };
        _mm512_maskz_compress_epi8(lanes, bytes)
    }

    /// Writes the first `count` bytes, up to 64, of a register to `p`, and others behind them if there is
    /// `space` for all: a masked store costs more than a whole one, and more again to who reads it.
    ///
    /// # Safety
    /// There must be `space` bytes, and not fewer than `count`.
    #[inline]
    pub(super) unsafe fn store_some(p: *mut u8, bytes: __m512i, count: usize, space: usize) {
        // SAFETY: the lanes are bytes of the caller.
        unsafe {
            if space >= BLOCK {
                _mm512_storeu_si512(p.cast(), bytes);
            } else {
                _mm512_mask_storeu_epi8(p.cast(), low(count), bytes);
            }
        }
    }
}

/// Of the slots that a step would keep, the first that is too much if there is room for `room` only,
/// which must be fewer than are kept.
#[cold]
#[inline(never)]
pub(super) fn first_too_much(mut kept: u64, room: usize) -> usize {
    for _ in 0..room {
        kept &= kept - 1;
    }
    kept.trailing_zeros() as usize
}
