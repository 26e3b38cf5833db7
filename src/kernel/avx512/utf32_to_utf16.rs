//! UTF-32 to UTF-16 on AVX-512.
//!
//! 32 code points of the basic plane are narrowed. Other text goes by sixteen: each lane is made a
//! pair, both halves of it, or stays the unit that it is, and the upper halves of those are dropped by
//! one compression. Tails are masked, on both sides.

use super::Progress;
use super::arch::*;

/// Code points of a step.
const STEP: usize = 16;

/// Steps of the basic plane after which it is tried whether all is.
const PATIENCE: u32 = 8;

avx512! {
    /// UTF-32 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf32_to_utf16<const FROM: bool, const TO: bool>(src: *const u8, mut len: usize, dst: *mut u8, room: usize) -> Progress {
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        let words = |value: u16| _mm512_set1_epi16(value as i16);
        let (mut read, mut written) = (0, 0);
        let mut quiet = PATIENCE;
        loop {
            while quiet >= PATIENCE && len - read >= 2 * STEP && room - written >= 2 * STEP {
                // SAFETY: there are two steps to be read, and room for them.
                unsafe {
                    let from = src.add(4 * read);
                    let [a, b] = [from, from.add(64)].map(|from| _mm512_loadu_si512(from.cast()));
                    let (a, b) = (ordered::<FROM>(a), ordered::<FROM>(b));
                    let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
                    let units = _mm512_permutexvar_epi64(order, _mm512_packus_epi32(a, b));
                    let beyond = _mm512_test_epi32_mask(_mm512_or_si512(a, b), all(0xFFFF_0000));
                    let surrogates = _mm512_testn_epi16_mask(_mm512_xor_si512(units, words(0xD800)), words(0xF800));
                    if u32::from(beyond) | surrogates != 0 {
                        break;
                    }
                    _mm512_storeu_si512(dst.add(2 * written).cast(), in_order::<TO>(units));
                }
                read += 2 * STEP;
                written += 2 * STEP;
            }
            let count = STEP.min(len - read);
            if count == 0 {
                break;
            }
            let lanes = (!0u32 >> (32 - count)) as u16;
            // SAFETY: the lanes are units of the source.
            let points = unsafe { ordered::<FROM>(_mm512_maskz_loadu_epi32(lanes, src.add(4 * read).cast())) };
            // Surrogates wrap around to the largest numbers.
            let turned = _mm512_sub_epi32(_mm512_xor_si512(points, all(0xD800)), all(0x800));
            let errors = _mm512_cmpge_epu32_mask(turned, all(0x11_0000 - 0x800));
            if errors != 0 {
                // The text ends here, as far as this kernel is concerned.
                len = read + errors.trailing_zeros() as usize;
                continue;
            }
            let above = _mm512_sub_epi32(points, all(0x1_0000));
            let pairs = _mm512_test_epi32_mask(points, all(0x1F_0000));
            let size = count + pairs.count_ones() as usize;
            if size > room - written {
                // The text ends before the first character that does not fit.
                len = read + fitting(pairs, room - written);
                continue;
            }
            // High and low surrogate, each in its half of the lane, whose ten bits do not overlap.
            let (high, low) = (_mm512_srli_epi32::<10>(above), _mm512_slli_epi32::<16>(above));
            let bits = _mm512_ternarylogic_epi32::<0b1111_1000>(high, low, all(0x03FF_0000));
            let units = _mm512_mask_or_epi32(points, pairs, bits, all(0xDC00_D800));
            let there = _mm512_mask_mov_epi32(all(0x0000_8000), pairs, all(0x8000_8000));
            let units = _mm512_maskz_compress_epi16(_mm512_movepi16_mask(there), units);
            // SAFETY: so many units fit; there is room for a register, or the store is masked.
            unsafe {
                let to = dst.add(2 * written);
                let units = in_order::<TO>(units);
                if room - written >= 2 * STEP {
                    _mm512_storeu_si512(to.cast(), units);
                } else {
                    _mm512_mask_storeu_epi16(to.cast(), ((1u64 << size) - 1) as u32, units);
                }
            }
            written += size;
            read += count;
            quiet = if pairs != 0 { 0 } else { quiet + 1 };
        }
        Progress { read, written }
    }

    /// Code points in this machine's order.
    #[inline]
    fn ordered<const FROM: bool>(points: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
        if FROM { _mm512_shuffle_epi8(points, reverse) } else { points }
    }

    /// Units in the order of the target.
    #[inline]
    fn in_order<const TO: bool>(units: __m512i) -> __m512i {
        let reverse = _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001);
        if TO { _mm512_shuffle_epi8(units, reverse) } else { units }
    }
}

/// How many characters fit into `room` units, less than all of them do; those of `pairs` take two.
#[cold]
#[inline(never)]
fn fitting(pairs: u16, room: usize) -> usize {
    let mut units = 0;
    (0..STEP)
        .take_while(|lane| {
            units += 1 + usize::from(pairs >> lane & 1);
            units <= room
        })
        .count()
}
