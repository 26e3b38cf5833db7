//! UTF-16 to UTF-16 and UTF-32 on AVX-512.
//!
//! The first is a checked copy, which is written over lanes, see `kernel::pairing`. For the second 32
//! units without surrogates are widened, which is bound by the stores. Other text goes by 32 units,
//! too: the units one further on are loaded as well, so that a high surrogate has its low one in the
//! same lane; both registers are closed up by the lanes that are no low surrogates, then widened by
//! halves, and only then are pairs put together. So text full of pairs has a second half of nothing,
//! and skips it.
//!
//! Tails are masked, on both sides. Surrogates without their partner are found by shifting masks.

use super::Progress;
use super::arch::*;
use crate::kernel::pairing::Pairing;

/// Units of a step.
const STEP: usize = 32;

/// Code points of a register.
const HALF: usize = STEP / 2;

/// Steps without surrogates after which it is tried whether there are none any more.
const PATIENCE: u32 = 4;

avx512! {
    /// UTF-16 to UTF-16, checked; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf16<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { super::walk(Pairing::<FROM, TO, true>::new(src, len, dst, room)) }
    }

    /// UTF-16 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf32<const FROM: bool, const TO: bool>(src: *const u8, mut len: usize, dst: *mut u8, room: usize) -> Progress {
        let all = |value: u16| _mm512_set1_epi16(value as i16);
        let (mut read, mut written) = (0, 0);
        // Whether the first unit of the step is the low surrogate of a pair that is written already.
        let mut carried = 0u32;
        let mut quiet = PATIENCE;
        loop {
            while quiet >= PATIENCE && len - read >= STEP && room - written >= STEP {
                // SAFETY: there is a step to be read, and room for it.
                unsafe {
                    let units = ordered::<FROM>(_mm512_loadu_si512(src.add(2 * read).cast()));
                    if _mm512_testn_epi16_mask(_mm512_xor_si512(units, all(0xD800)), all(0xF800)) != 0 {
                        break;
                    }
                    let [low, high] = widened(units);
                    put::<TO>(dst.add(4 * written), low);
                    put::<TO>(dst.add(4 * (written + HALF)), high);
                }
                read += STEP;
                written += STEP;
                carried = 0;
            }
            let count = STEP.min(len - read);
            if count == 0 {
                break;
            }
            // The unit behind the step counts too, if there is one.
            let lanes = !0u32 >> (STEP - count);
            let behind = ((1u64 << STEP.min(len - read - 1)) - 1) as u32;
            // SAFETY: the lanes are units of the source.
            let (units, next) = unsafe {
                (
                    ordered::<FROM>(_mm512_maskz_loadu_epi16(lanes, src.add(2 * read).cast())),
                    ordered::<FROM>(_mm512_maskz_loadu_epi16(behind, src.wrapping_add(2 * (read + 1)).cast())),
                )
            };
            let high = _mm512_testn_epi16_mask(_mm512_xor_si512(units, all(0xD800)), all(0xFC00));
            let low = _mm512_testn_epi16_mask(_mm512_xor_si512(units, all(0xDC00)), all(0xFC00));
            let paired = _mm512_testn_epi16_mask(_mm512_xor_si512(next, all(0xDC00)), all(0xFC00));
            let errors = high & !paired | low & !(high << 1 | carried);
            if errors != 0 {
                // The text ends here, as far as this kernel is concerned.
                len = read + errors.trailing_zeros() as usize;
                continue;
            }
            let kept = lanes & !low;
            let points = kept.count_ones() as usize;
            if points > room - written {
                // The text ends before the first character that does not fit.
                len = read + _pdep_u32(1 << (room - written), kept).trailing_zeros() as usize;
                continue;
            }
            let units = _mm512_maskz_compress_epi16(kept, units);
            let next = _mm512_maskz_compress_epi16(kept, next);
            let ([first, second], [first_next, second_next]) = (widened(units), widened(next));
            // SAFETY: so many code points fit; there is room for a register, or the store is masked.
            unsafe {
                let to = dst.add(4 * written);
                if room - written >= STEP {
                    put::<TO>(to, joined(first, first_next));
                    if points > HALF {
                        put::<TO>(to.add(4 * HALF), joined(second, second_next));
                    }
                } else {
                    let there = ((1u64 << points) - 1) as u32;
                    put_some::<TO>(to, there as u16, joined(first, first_next));
                    put_some::<TO>(to.wrapping_add(4 * HALF), (there >> HALF) as u16, joined(second, second_next));
                }
            }
            written += points;
            read += count;
            carried = high >> (STEP - 1);
            quiet = if high != 0 { 0 } else { quiet + 1 };
        }
        // The low half of a pair that is written has been read too.
        Progress { read: read + carried as usize, written }
    }

    /// Units in this machine's order.
    #[inline]
    fn ordered<const FROM: bool>(units: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001);
        if FROM { _mm512_shuffle_epi8(units, reverse) } else { units }
    }

    /// 32 units in lanes of four bytes.
    #[inline]
    fn widened(units: __m512i) -> [__m512i; 2] {
        let high = _mm512_extracti64x4_epi64::<1>(units);
        [_mm512_cvtepu16_epi32(_mm512_castsi512_si256(units)), _mm512_cvtepu16_epi32(high)]
    }

    /// Code points of units, with the low surrogates to those that are high ones.
    #[inline]
    fn joined(units: __m512i, next: __m512i) -> __m512i {
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        let high = _mm512_cmpeq_epi32_mask(_mm512_and_si512(units, all(0xFC00)), all(0xD800));
        // (high << 10) + low, less what the two prefixes and the offset of pairs amount to.
        let offset = all((0xD800u32 << 10) + 0xDC00 - 0x1_0000);
        let pair = _mm512_sub_epi32(_mm512_slli_epi32::<10>(units), _mm512_sub_epi32(offset, next));
        _mm512_mask_mov_epi32(units, high, pair)
    }

    /// Code points in the order of the target.
    #[inline]
    fn in_order<const TO: bool>(points: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
        if TO { _mm512_shuffle_epi8(points, reverse) } else { points }
    }

    /// Writes sixteen code points.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn put<const TO: bool>(to: *mut u8, points: __m512i) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), in_order::<TO>(points)) }
    }

    /// Writes the code points of some lanes.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn put_some<const TO: bool>(to: *mut u8, lanes: u16, points: __m512i) {
        // SAFETY: the caller's promise; masked lanes are not written.
        unsafe { _mm512_mask_storeu_epi32(to.cast(), lanes, in_order::<TO>(points)) }
    }
}
