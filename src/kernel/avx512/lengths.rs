//! Lengths and counts on AVX-512: a comparison gives a mask, and the bits of a mask are counted by one instruction.
//!
//! For UTF-8, long texts are counted differently, since on Zen 4 each mask costs two cycles on its way to a general register. A byte's
//! weight depends on no more than its top six bits. So a table of 64 bytes suffices, and one permutation of bytes looks up 64 weights.
//! The permutation reads the low six bits of each index, and a shift of words of two bytes by two puts the top six bits there; bits that
//! come in from the neighbour are above them, and are ignored. The weights are added up in bytes, for as long as these cannot overflow.
//! That is as fast as the loads from the second level of cache: on an AMD EPYC (Zen 4) 105 to 115 GB/s for any text, where the masks took
//! 55 (length in UTF-16) and 97 (characters), and simdutf takes 85 and 100.
//!
//! The other lengths are counted in the same way. For characters of UTF-16, the top six bits of a unit are looked up; for UTF-32 in UTF-8,
//! the exponent of the unit as a floating-point number. (Masks took 84 and 76 GB/s; this takes 114 and 189, which is what the loads take,
//! where simdutf takes 88 and 84; AMD Zen 5, texts of 128 KiB of UTF-8.) For UTF-16 in UTF-8, units are narrowed to bytes first, as with
//! other vectors (`generic/lengths.rs`). On an AMD EPYC (Zen 4), with 160 KiB of Japanese, this went from 65 GB/s, when each register of
//! units was tested twice, to 101; Latin-1 in UTF-8 and UTF-32 in UTF-16 went from 91 and 90 with masks to 118 and 115.
//!
//! For texts of up to a block, masks are used, because there the time is that of a chain of instructions. Up to sixteen blocks are added up
//! in one register, the last of them followed by zeros (texts of 16 to 200 bytes in 0.75 to 0.9 of the time that they took when only rounds
//! of four blocks were looked up, AMD Zen 4).
//!
//! The rules are those of the plain loops in [`lengths`](crate::kernel::portable::lengths), which state them for one unit; here
//! they are stated for a register of units. Compiled for AVX-512, the plain loops are much slower: subtracting a mask from lanes
//! takes an instruction that is slow on these CPUs. Registers are loaded from the first cache line boundary on, because a load
//! across two lines takes twice as long; the units before that boundary, and those after the last whole register, are masked lanes.

use super::BLOCK;
use super::arch::*;
use super::memory::{MaskedLoad, low_bits};
use super::registers::{Table, load_table, swap16_if, swap32_if};
use crate::unicode::{Family, Form};

/// Bytes of a round of [`weight`].
const ROUND: usize = 4 * BLOCK;

/// The most bytes of a text that are looked up block by block, without rounds.
const FEW: usize = 16 * BLOCK;

/// The most that a byte of [`weights_of`] can be, or half of one of [`bytes_of`].
const fn most<S: Form, D: Form>() -> usize {
    if matches!((S::FAMILY, D::FAMILY), (Family::Utf32, _) | (Family::Utf8, Family::Cesu8)) { 3 } else { 2 }
}

/// Whether [`bytes_of`] knows the units, and else [`weights_of`].
const fn is_narrowed<S: Form, D: Form>() -> bool {
    matches!((S::FAMILY, D::FAMILY), (Family::Utf16, Family::Utf8 | Family::Cesu8))
}

/// The table for these two.
fn table_of<S: Form, D: Form>() -> &'static Table {
    match (S::FAMILY, D::FAMILY) {
        (Family::Utf16, Family::Utf8) => &TWO_OR_THREE,
        (Family::Utf16, Family::Cesu8) => &TWO_OR_THREE_EACH,
        (Family::Utf16, _) => &LOW,
        (Family::Utf32, _) => &FOLLOWING,
        (Family::Utf8, Family::Utf16) => &UNITS,
        (Family::Utf8, Family::Cesu8) => &SIX,
        (Family::Latin1, _) => &SECOND,
        _ => &CHARACTERS,
    }
}

/// The length in `D` of units that have this weight.
fn of_weights<S: Form, D: Form>(units: usize, weights: usize) -> usize {
    match (S::FAMILY, D::FAMILY) {
        (Family::Utf8, _) => weights,
        (Family::Utf16, target) if !matches!(target, Family::Utf8 | Family::Cesu8) => units - weights,
        (Family::Utf32, target) if !matches!(target, Family::Utf8) => 2 * units - weights,
        _ => units + weights,
    }
}

/// The weight of a unit of zero.
const fn of_zero<S: Form, D: Form>() -> usize {
    let one = match (S::FAMILY, D::FAMILY) {
        (Family::Utf8, _) => true,
        (Family::Utf32, target) => !matches!(target, Family::Utf8),
        _ => false,
    };
    one as usize + D::TWO_BYTE_NUL as usize
}

/// For the top six bits of a byte of UTF-8, the characters that it stands for: lead bytes and ASCII for one.
static CHARACTERS: Table = Table(weights(1));

/// For the top six bits of what [`bytes_of`] makes of a unit of UTF-16, the bytes that it stands for but the first, if it has two at least:
/// one below 800 and for surrogates, which are B0 to BF there.
static TWO_OR_THREE: Table = Table(two_or_three(true));

/// The same in CESU-8, where surrogates stand for three bytes.
static TWO_OR_THREE_EACH: Table = Table(two_or_three(false));

const fn two_or_three(pairs: bool) -> [u8; 64] {
    let mut table = [2; 64];
    let mut top = 0;
    while top < 64 {
        if top < 4 || pairs && top >> 2 == 0xB {
            table[top] = 1;
        }
        top += 1;
    }
    table
}

/// For the top six bits of a byte of Latin-1, whether it stands for a second one.
static SECOND: Table = Table({
    let mut table = [0; 64];
    let mut top = 32;
    while top < 64 {
        table[top] = 1;
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

/// For the top six bits of a byte of UTF-8, the bytes of CESU-8 that it stands for: itself, and the lead byte of a character of four bytes
/// for two more.
static SIX: Table = Table({
    let mut table = [1; 64];
    let mut top = 0xF0 >> 2;
    while top < 64 {
        table[top] = 3;
        top += 1;
    }
    table
});

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
        // SAFETY: the caller's promise.
        unsafe {
            let bytes = len * size_of::<S::Unit>();
            if bytes <= BLOCK {
                rest::<S, D>(src, len)
            } else if bytes <= FEW {
                few_blocks::<S, D>(src, len)
            } else {
                long::<S, D>(src, len)
            }
        }
    }

    /// The same, of more than a few blocks.
    ///
    /// # Safety
    /// As for [`length`]; and more than a block must be readable.
    #[inline(never)]
    unsafe fn long<S: Form, D: Form>(src: *const u8, len: usize) -> usize {
        let width = size_of::<S::Unit>();
        let bytes = len * width;
        let mut sum = 0;
        let mut at = 0;
        if src.addr().is_multiple_of(width) {
            at = src.align_offset(BLOCK);
            if at != 0 {
                // SAFETY: the input is longer than a register.
                sum = count::<S, D>(unsafe { _mm512_loadu_si512(src.cast()) }, low_bits(at / width));
            }
        }
        let rounds = (bytes - at) / ROUND;
        // SAFETY: so many bytes are left from `at` on.
        let weights = unsafe { weight::<S, D>(src.add(at), rounds) };
        sum += of_weights::<S, D>(rounds * (ROUND / width), weights);
        at += rounds * ROUND;
        while bytes - at >= BLOCK {
            // SAFETY: a register is left from `at` on.
            sum += count::<S, D>(unsafe { _mm512_loadu_si512(src.add(at).cast()) }, !0);
            at += BLOCK;
        }
        // SAFETY: these units are left.
        sum + unsafe { rest::<S, D>(src.add(at), len - at / width) }
    }

    /// The same, of a block at most.
    ///
    /// # Safety
    /// As for [`length`].
    #[inline]
    unsafe fn rest<S: Form, D: Form>(src: *const u8, len: usize) -> usize {
        if len == 0 {
            return 0;
        }
        let width = size_of::<S::Unit>();
        // SAFETY: the units are readable.
        let load = MaskedLoad::of(unsafe { core::slice::from_raw_parts(src, len * width) });
        // SAFETY: the lanes are bytes of the input.
        let units = unsafe { _mm512_maskz_loadu_epi8(load.lanes, load.base.cast()) };
        count::<S, D>(units, low_bits(len) << (load.shift / width))
    }

    /// The same, of a few blocks. What is behind the text are zeros, whose weights are taken back.
    ///
    /// # Safety
    /// As for [`length`]; and there must be a unit, and [`FEW`] bytes at most.
    #[inline(never)]
    unsafe fn few_blocks<S: Form, D: Form>(src: *const u8, len: usize) -> usize {
        let width = size_of::<S::Unit>();
        let step = if const { is_narrowed::<S, D>() } { 2 * BLOCK } else { BLOCK };
        let bytes = len * width;
        let table = load_table(table_of::<S, D>());
        let mut sum = _mm512_setzero_si512();
        let mut at = 0;
        while bytes - at >= step {
            // SAFETY: a step is left from `at` on.
            unsafe {
                let load = |at: usize| _mm512_loadu_si512(src.add(at).cast());
                let second = if step > BLOCK { load(at + BLOCK) } else { _mm512_setzero_si512() };
                sum = _mm512_add_epi8(sum, weights_of_step::<S, D>(load(at), second, table));
            }
            at += step;
        }
        let mut zeros = 0;
        if at < bytes {
            let load = |from: usize| {
                let left = bytes.saturating_sub(from).min(BLOCK);
                if left == 0 {
                    return _mm512_setzero_si512();
                }
                // SAFETY: the bytes are readable, and the lanes are these.
                unsafe {
                    let load = MaskedLoad::of(core::slice::from_raw_parts(src.add(from), left));
                    _mm512_maskz_loadu_epi8(load.lanes, load.base.cast())
                }
            };
            sum = _mm512_add_epi8(sum, weights_of_step::<S, D>(load(at), load(at + BLOCK), table));
            zeros = (at + step - bytes) / width;
        }
        let weights = _mm512_reduce_add_epi64(_mm512_sad_epu8(sum, _mm512_setzero_si512())) as usize;
        of_weights::<S, D>(len, weights - zeros * of_zero::<S, D>())
    }

    /// What the units in so many rounds at `p` stand for, as [`weights_of`] says.
    ///
    /// # Safety
    /// The rounds must be readable.
    #[inline]
    unsafe fn weight<S: Form, D: Form>(mut p: *const u8, mut rounds: usize) -> usize {
        let table = load_table(table_of::<S, D>());
        let zero = _mm512_setzero_si512();
        let mut sum = zero;
        while rounds > 0 {
            let few = rounds.min(const { 255 / (2 * most::<S, D>()) });
            let (mut even, mut odd) = (zero, zero);
            for _ in 0..few {
                // SAFETY: a round is left from `p` on.
                let load = |block: usize| unsafe { _mm512_loadu_si512(p.add(block * BLOCK).cast()) };
                if const { is_narrowed::<S, D>() } {
                    even = _mm512_add_epi8(even, bytes_of::<S, D>(load(0), load(1), table));
                    odd = _mm512_add_epi8(odd, bytes_of::<S, D>(load(2), load(3), table));
                } else {
                    let weights = |block: usize| weights_of::<S, D>(load(block), table);
                    even = _mm512_add_epi8(even, _mm512_add_epi8(weights(0), weights(2)));
                    odd = _mm512_add_epi8(odd, _mm512_add_epi8(weights(1), weights(3)));
                }
                // SAFETY: as above.
                p = unsafe { p.add(ROUND) };
            }
            let sums = _mm512_add_epi64(_mm512_sad_epu8(even, zero), _mm512_sad_epu8(odd, zero));
            sum = _mm512_add_epi64(sum, sums);
            rounds -= few;
        }
        _mm512_reduce_add_epi64(sum) as usize
    }

    /// The bytes of `D`, UTF-8 or CESU-8, but the first that these units of UTF-16 become, a byte for each, in any order.
    ///
    /// As signed numbers without their low seven bits, and saturated, 0 stands for one byte, and 01 to 0F for two.
    #[inline]
    fn bytes_of<S: Form, D: Form>(first: __m512i, second: __m512i, table: __m512i) -> __m512i {
        let (first, second) = (swapped::<S>(first), swapped::<S>(second));
        let units = _mm512_packs_epi16(_mm512_srai_epi16::<7>(first), _mm512_srai_epi16::<7>(second));
        let two_or_three = _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(units), table);
        let following = _mm512_sub_epi8(two_or_three, zeros(units));
        if !D::TWO_BYTE_NUL {
            return following;
        }
        let one = _mm512_set1_epi16(1);
        let nuls = _mm512_add_epi8(_mm512_subs_epu16(one, first), _mm512_subs_epu16(one, second));
        _mm512_add_epi8(following, nuls)
    }

    /// One for each byte that is 0. (LLVM makes of the lesser of 1 and a number a mask, and of this one a number.)
    #[inline]
    fn zeros(bytes: __m512i) -> __m512i {
        _mm512_subs_epu8(_mm512_set1_epi8(1), bytes)
    }

    /// What a step of [`few_blocks`] stands for: two registers of units that are narrowed, and of others the first.
    #[inline]
    fn weights_of_step<S: Form, D: Form>(first: __m512i, second: __m512i, table: __m512i) -> __m512i {
        if const { is_narrowed::<S, D>() } {
            bytes_of::<S, D>(first, second, table)
        } else {
            weights_of::<S, D>(first, table)
        }
    }

    /// What these units stand for, as the sum of all bytes: units of the target for UTF-8; units but the first for others; for
    /// characters of UTF-16 the units that begin none; and for UTF-32 in UTF-16 the units that become no pair. (The bytes that UTF-16 becomes are for [`bytes_of`].)
    #[inline]
    fn weights_of<S: Form, D: Form>(units: __m512i, table: __m512i) -> __m512i {
        match (S::FAMILY, D::FAMILY) {
            // The upper half of each index must be 0, which stands for nothing.
            (Family::Utf16, _) if S::SWAPPED => {
                let tops = _mm512_and_si512(_mm512_srli_epi16::<2>(units), _mm512_set1_epi16(0x3F));
                _mm512_permutexvar_epi8(tops, table)
            }
            (Family::Utf16, _) => _mm512_permutexvar_epi8(_mm512_srli_epi16::<10>(units), table),
            (Family::Utf32, Family::Utf8) => {
                // To the nearest, and no exceptions.
                let number = _mm512_castps_si512(_mm512_cvt_roundepu32_ps::<8>(swapped::<S>(units)));
                _mm512_permutexvar_epi8(_mm512_srli_epi32::<23>(number), table)
            }
            (Family::Utf32, _) => {
                // With swapped bytes, the upper half of a number is the lower half of its unit.
                let upper = if S::SWAPPED {
                    _mm512_slli_epi32::<16>(units)
                } else {
                    _mm512_srli_epi32::<16>(units)
                };
                _mm512_subs_epu16(_mm512_set1_epi32(if S::SWAPPED { 1 << 16 } else { 1 }), upper)
            }
            _ => {
                let weights = _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(units), table);
                if D::TWO_BYTE_NUL { _mm512_add_epi8(weights, zeros(units)) } else { weights }
            }
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
            (Family::Utf8, Family::Cesu8) => {
                let four = ones(_mm512_cmpge_epu8_mask(units, bytes(0xF0_u8 as i8)));
                let nuls = _mm512_testn_epi8_mask(units, units);
                ones(!0) + 2 * four + if D::TWO_BYTE_NUL { ones(nuls) } else { 0 }
            }
            (Family::Utf8, target) => {
                // As signed numbers, continuation bytes are the smallest.
                let characters = ones(_mm512_cmpge_epi8_mask(units, bytes(-64)));
                let pairs = _mm512_cmpge_epu8_mask(units, bytes(0xF0_u8 as i8));
                characters + if target == Family::Utf16 { ones(pairs) } else { 0 }
            }
            (Family::Utf16, Family::Cesu8) => {
                let least = |least| ones(_mm512_cmpge_epu16_mask(units, words(least)).into());
                let nuls = _mm512_testn_epi16_mask(units, units);
                let nuls = if D::TWO_BYTE_NUL { ones(nuls.into()) } else { 0 };
                ones(!0 >> 32) + least(0x80) + least(0x800) + nuls
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
