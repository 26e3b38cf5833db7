//! Loads and stores of less than a register, and prefetches.
//!
//! Masked lanes are neither read nor written, so a step at the end of the text, or of the output, is an ordinary step with masks on both
//! sides. Two details matter. A masked lane on a page that is not mapped does not fault, but costs a hundred nanoseconds; so near the end
//! of a page the register is loaded so that it ends with the input, and moved down where necessary. (Not everywhere: masked stores do not
//! test for this, nor do the loads of conversions between wider units, because the test costs 0.3 to 2 ns of 3 to 10 for every short
//! string, inlined or not, and it is rare that the next page is not there. [`output::append`](crate::output::append) keeps outputs that
//! the library allocates away from such places.) And if the bytes of a step do not all fit, the mask of its compression tells which
//! character is the first that does not fit: nothing has to be tried twice.

use super::BLOCK;
use super::arch::*;

/// A page: the unit in which memory is mapped or not.
pub(super) const PAGE: usize = 4096;

/// How far ahead the loops prefetch. Then loads that cross two cache lines find both in the first level of cache.
pub(super) const AHEAD: usize = 8 * BLOCK;

/// An input of 1 to 64 bytes, as lanes of one register: what a masked load needs.
///
/// The register begins with the input or, near the end of a page, ends with it.
#[derive(Clone, Copy)]
pub(super) struct MaskedLoad {
    /// The address of the first lane; it may be before the input.
    pub(super) base: *const u8,
    /// The lane of the input's first byte.
    pub(super) shift: usize,
    /// The lanes of the input.
    pub(super) lanes: u64,
}

impl MaskedLoad {
    #[inline(always)]
    pub(super) fn of(src: &[u8]) -> MaskedLoad {
        let spare = BLOCK - src.len();
        let near_page_end = src.as_ptr() as usize % PAGE > PAGE - BLOCK;
        let shift = if near_page_end { spare } else { 0 };
        MaskedLoad { base: src.as_ptr().wrapping_sub(shift), shift, lanes: (!0 >> spare) << shift }
    }
}

/// `p`, of an origin that LLVM cannot see. Otherwise, where a register has been loaded from there before, it would take a smaller
/// load out of that register, and then may rebuild it byte by byte where two paths meet.
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "nothing is read or written there: the address itself goes through"
)]
#[inline(always)]
pub(super) fn opaque_pointer(p: *const u8) -> *const u8 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut p = p;
        // SAFETY: no instruction at all.
        unsafe {
            core::arch::asm!("/* {p} */", p = inout(reg) p, options(pure, nomem, nostack, preserves_flags))
        };
        p
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        p
    }
}

avx512! {
    /// The lowest `count` bits, up to 64.
    #[inline]
    pub(super) fn low_bits(count: usize) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            _bzhi_u64(!0, count as u32)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            if count == 0 { 0 } else { !0 >> (64 - count) }
        }
    }

    /// The index of the set bit that has `n` others before it, or 64.
    #[inline]
    pub(super) fn nth_set_bit(bits: u64, n: usize) -> usize {
        deposit(if n < 64 { 1 << n } else { 0 }, bits).trailing_zeros() as usize
    }

    /// The lowest bits of `bits`, moved to the set bits of `mask`.
    #[inline]
    pub(super) fn deposit(bits: u64, mask: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            _pdep_u64(bits, mask)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let (first, second) = (mask as u32, (mask >> 32) as u32);
            let upper = _pdep_u32(bits.checked_shr(first.count_ones()).unwrap_or(0) as u32, second);
            u64::from(_pdep_u32(bits as u32, first)) | u64::from(upper) << 32
        }
    }

    /// The first `count` bytes at `p`, 64 at most, followed by zeros.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    pub(super) unsafe fn load_partial(p: *const u8, count: usize) -> __m512i {
        if p as usize % PAGE <= PAGE - BLOCK {
            // SAFETY: the lanes are these bytes.
            return unsafe { _mm512_maskz_loadu_epi8(low_bits(count), p.cast()) };
        }
        let shift = BLOCK - count;
        let lanes = low_bits(count) << (shift % BLOCK);
        // SAFETY: the lanes are these bytes.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(lanes, p.wrapping_sub(shift).cast()) };
        _mm512_maskz_compress_epi8(lanes, bytes)
    }

    /// Writes the first `count` bytes, up to 64, of a register to `p`; and the whole register if there is `space` for
    /// it: a masked store costs more, and so does a load of what it wrote.
    ///
    /// # Safety
    /// `space` bytes must be writable, and it must be at least `count`.
    #[inline]
    pub(super) unsafe fn store_partial(p: *mut u8, bytes: __m512i, count: usize, space: usize) {
        // SAFETY: the caller's promise; masked lanes are not written.
        unsafe {
            if space >= BLOCK {
                _mm512_storeu_si512(p.cast(), bytes);
            } else {
                _mm512_mask_storeu_epi8(p.cast(), low_bits(count), bytes);
            }
        }
    }

    /// Prefetches what the loops will load from `p` on after some steps.
    #[inline]
    pub(super) fn prefetch(p: *const u8) {
        prefetch_ahead::<AHEAD>(p);
    }

    /// Prefetches what is `DISTANCE` bytes behind `p`.
    #[inline]
    pub(super) fn prefetch_ahead<const DISTANCE: usize>(p: *const u8) {
        // SAFETY: a prefetch does not fault, wherever it points. (Newer versions of Rust know that, and need no
        // `unsafe` here.)
        #[allow(unused_unsafe, reason = "a prefetch is safe in later versions of Rust")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(DISTANCE).cast());
        }
    }
}

/// Among the bytes that a step would keep, the index of the first for which there is no room: `room` must be less than
/// are kept.
#[cold]
#[inline(never)]
pub(super) fn first_excess(mut kept: u64, room: usize) -> usize {
    for _ in 0..room {
        kept &= kept - 1;
    }
    kept.trailing_zeros() as usize
}
