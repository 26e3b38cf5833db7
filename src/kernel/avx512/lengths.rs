//! Lengths and counts on AVX-512: a comparison gives a mask, and the bits of a mask are counted by one instruction.
//!
//! For UTF-8, long texts take another way, since masks cost two cycles each on Zen 4 on their way to a general register. A byte's
//! weight depends on its top six bits, if as many as it must have: a table of 64 bytes, so one permutation of bytes looks up 64
//! weights. It reads the low six bits of each index, and a shift of words of two bytes by two puts the top ones there; what comes in from
//! the neighbour is above them, and ignored. The weights are added up in bytes, and these as long as they cannot overflow.
//! That is as fast as the loads from the second level of cache: on an AMD EPYC (Zen 4) 105 to 115 GB/s for any text, where the masks
//! took 55 (length in UTF-16) and 97 (characters), and simdutf takes 85 and 100.
//!
//! The lengths of UTF-16 and UTF-32 in UTF-8 take the same way. For UTF-16 the top five bits of a unit are looked up, and whether the
//! unit is above 7F is added; for its characters, the top six. For UTF-32 it is the exponent of the unit as a floating-point number. Masks took 84 and 76 GB/s; this
//! takes 114 and 189, which is what the loads take, where simdutf takes 88 and 84 (AMD Zen 5, texts of 128 KiB of UTF-8).
//!
//! The rules are those of the plain loops in [`lengths`](crate::kernel::portable::lengths), which state them for one
//! unit; here they are stated for a register of units. Compiled for AVX-512, the plain loops are much slower:
//! subtracting a mask from lanes takes an instruction that is slow on these CPUs. Registers are loaded from the first
//! cache line boundary on, as a load across two lines takes twice as long; the units before it, and those behind the
//! last whole register, are masked lanes.

use super::BLOCK;
use super::arch::*;
use super::memory::{MaskedLoad, low_bits};
use super::registers::{Table, load_table, swap16_if, swap32_if};
use crate::unicode::{Family, Form};

/// Bytes of a round of [`weight`].
const ROUND: usize = 4 * BLOCK;

/// The most that a byte of [`weights_of`] can be.
const fn most<S: Form>() -> usize {
    if matches!(S::FAMILY, Family::Utf32) { 3 } else { 2 }
}

/// Whether [`weights_of`] knows these units.
const fn has_weights<S: Form, D: Form>() -> bool {
    matches!((S::FAMILY, D::FAMILY), (Family::Utf8 | Family::Utf16, _) | (Family::Utf32, Family::Utf8))
}

/// For the top six bits of a byte of UTF-8, the characters that it stands for: lead bytes and ASCII for one.
static CHARACTERS: Table = Table(weights(1));

/// For the top five bits of a unit of UTF-16, whether it stands for a third byte: from 800 on, but for surrogates.
static THIRD: Table = Table({
    let mut table = [0; 64];
    let mut top = 1;
    while top < 32 {
        table[top] = (top != 0xD800 >> 11) as u8;
        top += 1;
    }
    table
});

/// For the top six bits of a unit of UTF-16, whether it is a low surrogate, which does not begin a character.
static LOW: Table = Table({
    let mut table = [0; 64];
    table[0xDC00 >> 10] = 1;
    table
});

/// For the low six bits of the exponent of a unit of UTF-32 as a floating-point number, 127 for 1, the bytes that it stands for but the
/// first. (0 is for the numbers 0, 2 and 3, and for bytes that are no exponent.)
static FOLLOWING: Table = Table({
    let mut table = [0; 64];
    let mut bits = 7;
    while bits <= 32 {
        table[(127 + bits) & 0x3F] = match bits {
            ..11 => 1,
            11..16 => 2,
            _ => 3,
        };
        bits += 1;
    }
    table
});

/// The same for units of UTF-16: the lead bytes of characters of four bytes stand for two.
static UNITS: Table = Table(weights(2));

const fn weights(of_four: u8) -> [u8; 64] {
    let mut table = [1; 64];
    let mut top = 0;
    while top < 64 {
        table[top] = match (top as u8) << 2 {
            0x80..=0xBF => 0,
            0xF0.. => of_four,
            _ => 1,
        };
        top += 1;
    }
    table
}

avx512! {
    /// The number of units of `D` that the `len` units of `S` at `src` become.
    ///
    /// # Safety
    /// `len` units must be readable, at any alignment.
    pub(in crate::kernel) unsafe fn length<S: Form, D: Form>(src: *const u8, len: usize) -> usize {
        let width = size_of::<S::Unit>();
        let bytes = len * width;
        let mut sum = 0;
        let mut at = 0;
        if bytes >= 16 * BLOCK && src.addr().is_multiple_of(width) {
            at = src.align_offset(BLOCK);
            if at != 0 {
                // SAFETY: the input is longer than a register.
                sum = count::<S, D>(unsafe { _mm512_loadu_si512(src.cast()) }, low_bits(at / width));
            }
        }
        if const { has_weights::<S, D>() } {
            let rounds = (bytes - at) / ROUND;
            // SAFETY: so many bytes are left from `at` on.
            let weights = unsafe { weight::<S, D>(src.add(at), rounds) };
            let units = rounds * (ROUND / width);
            sum += match (S::FAMILY, D::FAMILY) {
                (Family::Utf8, _) => weights,
                (_, Family::Utf8) => units + weights,
                _ => units - weights,
            };
            at += rounds * ROUND;
        }
        while bytes - at >= BLOCK {
            // SAFETY: a register is left from `at` on.
            sum += count::<S, D>(unsafe { _mm512_loadu_si512(src.add(at).cast()) }, !0);
            at += BLOCK;
        }
        if at < bytes {
            // SAFETY: `bytes` are readable.
            let load = MaskedLoad::of(unsafe { core::slice::from_raw_parts(src.add(at), bytes - at) });
            // SAFETY: the lanes are bytes of the input.
            let units = unsafe { _mm512_maskz_loadu_epi8(load.lanes, load.base.cast()) };
            let lanes = low_bits((bytes - at) / width) << (load.shift / width);
            sum += count::<S, D>(units, lanes);
        }
        sum
    }

    /// What the units in so many rounds at `p` stand for, as [`weights_of`] says.
    ///
    /// # Safety
    /// The rounds must be readable.
    #[inline]
    unsafe fn weight<S: Form, D: Form>(mut p: *const u8, mut rounds: usize) -> usize {
        let table = load_table(match (S::FAMILY, D::FAMILY) {
            (Family::Utf16, Family::Utf8) => &THIRD,
            (Family::Utf16, _) => &LOW,
            (Family::Utf32, _) => &FOLLOWING,
            (_, Family::Utf16) => &UNITS,
            _ => &CHARACTERS,
        });
        let zero = _mm512_setzero_si512();
        let mut sum = zero;
        while rounds > 0 {
            let few = rounds.min(const { 255 / (2 * most::<S>()) });
            let (mut even, mut odd) = (zero, zero);
            for _ in 0..few {
                let weights = |block: usize| {
                    // SAFETY: a round is left from `p` on.
                    let bytes = unsafe { _mm512_loadu_si512(p.add(block * BLOCK).cast()) };
                    weights_of::<S, D>(bytes, table)
                };
                even = _mm512_add_epi8(even, _mm512_add_epi8(weights(0), weights(2)));
                odd = _mm512_add_epi8(odd, _mm512_add_epi8(weights(1), weights(3)));
                // SAFETY: as above.
                p = unsafe { p.add(ROUND) };
            }
            let sums = _mm512_add_epi64(_mm512_sad_epu8(even, zero), _mm512_sad_epu8(odd, zero));
            sum = _mm512_add_epi64(sum, sums);
            rounds -= few;
        }
        _mm512_reduce_add_epi64(sum) as usize
    }

    /// What these units stand for, as the sum of all bytes: units of the target for UTF-8; bytes of UTF-8 but the first for others; and
    /// for characters of UTF-16 the units that begin none.
    #[inline]
    fn weights_of<S: Form, D: Form>(units: __m512i, table: __m512i) -> __m512i {
        match S::FAMILY {
            // (The upper half of each index is 0, which stands for nothing.)
            Family::Utf16 if !matches!(D::FAMILY, Family::Utf8) => {
                _mm512_permutexvar_epi8(_mm512_srli_epi16::<10>(swapped::<S>(units)), table)
            }
            Family::Utf16 => {
                let units = swapped::<S>(units);
                let second = _mm512_min_epu16(_mm512_srli_epi16::<7>(units), _mm512_set1_epi16(1));
                _mm512_add_epi8(second, _mm512_permutexvar_epi8(_mm512_srli_epi16::<11>(units), table))
            }
            Family::Utf32 => {
                // To the nearest, and no exceptions.
                let number = _mm512_castps_si512(_mm512_cvt_roundepu32_ps::<8>(swapped::<S>(units)));
                _mm512_permutexvar_epi8(_mm512_srli_epi32::<23>(number), table)
            }
            _ => _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(units), table),
        }
    }

    /// The units in the byte order of this CPU.
    #[inline]
    fn swapped<S: Form>(units: __m512i) -> __m512i {
        match (S::SWAPPED, size_of::<S::Unit>()) {
            (false, _) => units,
            (true, 2) => swap16_if::<true>(units),
            (true, _) => swap32_if::<true>(units),
        }
    }

    /// The number of units of `D` that the units of `S` in these lanes become.
    #[inline]
    fn count<S: Form, D: Form>(units: __m512i, lanes: u64) -> usize {
        let units = swapped::<S>(units);
        let ones = |mask: u64| (mask & lanes).count_ones() as usize;
        let (bytes, words, points) = (_mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi32);
        match (S::FAMILY, D::FAMILY) {
            (Family::Utf8, target) => {
                // As signed numbers, continuation bytes are the smallest.
                let characters = ones(_mm512_cmpge_epi8_mask(units, bytes(-64)));
                let pairs = _mm512_cmpge_epu8_mask(units, bytes(0xF0_u8 as i8));
                characters + if target == Family::Utf16 { ones(pairs) } else { 0 }
            }
            (Family::Utf16, Family::Utf8) => {
                let surrogates = _mm512_cmpeq_epi16_mask(
                    _mm512_and_si512(units, words(0xF800_u16 as i16)),
                    words(0xD800_u16 as i16),
                );
                let third = _mm512_mask_cmpge_epu16_mask(!surrogates, units, words(0x800));
                let second = _mm512_cmpge_epu16_mask(units, words(0x80));
                ones(!0 >> 32) + ones(second.into()) + ones(third.into())
            }
            (Family::Utf16, _) => {
                let tops = _mm512_and_si512(units, words(0xFC00_u16 as i16));
                ones(_mm512_cmpneq_epi16_mask(tops, words(0xDC00_u16 as i16)).into())
            }
            (Family::Utf32, Family::Utf8) => {
                let least = |least| ones(_mm512_cmpge_epu32_mask(units, points(least)).into());
                ones(!0 >> 48) + least(0x80) + least(0x800) + least(0x1_0000)
            }
            (Family::Utf32, _) => {
                ones(!0 >> 48) + ones(_mm512_cmpge_epu32_mask(units, points(0x1_0000)).into())
            }
            _ => ones(!0) + ones(_mm512_movepi8_mask(units)),
        }
    }
}
