//! UTF-32 to UTF-16 on AVX-512.
//!
//! There is one decision for 32 code points. Those of the BMP are narrowed; after some such steps the output is aligned. Otherwise each
//! lane becomes a surrogate pair, or stays the unit that it is, and the unused upper halves are dropped by one compression for sixteen.
//! Tails are masked on both sides. Texts of up to 256 code points are converted by two, four or eight steps if they are within the BMP, and
//! otherwise by masked steps only: without a loop whose end no predictor knows, texts of 64 to 256 code points, all different, take 0.8 of
//! the time (AMD Zen 4; those of emoji take 1.02 to 1.1 times as long).
//!
//! AMD EPYC (Zen 5), 160 KiB of documents, GB/s of input; a plain loop of as many loads and stores reaches 160. "Before" is a loop
//! for text with pairs in each step, and another for the rest, which also converted single steps with pairs; changing between the
//! loops costs two mispredictions:
//!
//! | | simdutf | before | this |
//! |---|--:|--:|--:|
//! | chat | 63 | 46 | 75 |
//! | table of emoji | 76 | 79 | 87 |
//! | shuffled documents | 82 | 100 | 112 |
//! | Rust sources | 100 | 141 | 140 |

use super::arch::*;
use super::memory::low_bits;
use super::registers::{swap16_if, swap32_if};
use super::{BLOCK, Progress};

/// Code points of a step.
const STEP: usize = 16;

/// The greatest number of code points that are converted by masked steps only.
const SHORT: usize = 16 * STEP;

/// After this many steps within the BMP the output is aligned to cache lines.
const FEW: u32 = 8;

/// Whether some code points are surrogates, or beyond the BMP.
struct NotBasic {
    /// All code points or'ed together.
    all: __m512i,
    /// For each lane the least unit, where surrogates are 0.
    least: __m512i,
}

avx512! {
    /// No code points.
    #[inline]
    fn none_found() -> NotBasic {
        NotBasic { all: _mm512_setzero_si512(), least: _mm512_set1_epi16(-1) }
    }

    /// Whether there is one that is not basic.
    #[inline]
    fn found_any(errors: &NotBasic) -> bool {
        let beyond = _mm512_test_epi32_mask(errors.all, _mm512_set1_epi32(0xFFFF_0000_u32 as i32));
        u32::from(beyond) | _mm512_testn_epi16_mask(errors.least, errors.least) != 0
    }

    /// UTF-32 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf32_to_utf16<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if (2 * STEP..=SHORT).contains(&len) && len <= room && few_basic::<FROM, TO>(src, len, dst) {
                return Progress { read: len, written: len };
            }
            if len <= SHORT {
                let done = if len <= room { basic_masked::<FROM, TO>(src, len, dst) } else { 0 };
                let done = Progress { read: done, written: done };
                if done.read == len { done } else { masked::<FROM, TO>(src, len, dst, room, done) }
            } else {
                long::<FROM, TO>(src, len, dst, room)
            }
        }
    }

    /// Narrows 32 to 256 code points, if they are all well-formed and within the BMP; says whether that is so. There is no loop that ends
    /// where no predictor knows.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for all.
    #[inline]
    unsafe fn few_basic<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            if len <= 4 * STEP {
                basic_steps::<2, FROM, TO>(src, len, dst)
            } else if len <= 8 * STEP {
                basic_steps::<4, FROM, TO>(src, len, dst)
            } else {
                basic_steps::<8, FROM, TO>(src, len, dst)
            }
        }
    }

    /// Narrows so many steps of 32 code points, the last of which ends with the text and may begin before the one before it ends, if all are
    /// well-formed and within the BMP; says whether that is so.
    ///
    /// # Safety
    /// As for the kernel; there must be room for all, at least one step, and no more than so many.
    #[inline]
    unsafe fn basic_steps<const STEPS: usize, const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8) -> bool {
        let at = |nth: usize| (len - 2 * STEP).min(nth * 2 * STEP);
        let mut units = [_mm512_setzero_si512(); STEPS];
        let mut errors = none_found();
        for (nth, units) in units.iter_mut().enumerate() {
            // SAFETY: the step is within the text.
            *units = narrowed(unsafe { step::<FROM>(src.add(4 * at(nth))) }, &mut errors);
            // Where there are many beyond the BMP, they are in the first step.
            if (nth == 0 || nth == STEPS - 1) && found_any(&errors) {
                return false;
            }
        }
        for (nth, units) in units.into_iter().enumerate() {
            // SAFETY: the step is within the text, and there is room for as many units.
            unsafe { _mm512_storeu_si512(dst.add(2 * at(nth)).cast(), swap16_if::<TO>(units)) };
        }
        true
    }

    /// Whole steps, and the remainder.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn long<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written, mut basic_steps) = (0, 0, 0);
        // SAFETY: a step is left, and there is room for the units that it may become.
        unsafe {
            while len - read >= 2 * STEP && room - written >= 4 * STEP {
                let (points, to) = (step::<FROM>(src.add(4 * read)), dst.add(2 * written));
                if let Some(units) = basic_units(points) {
                    _mm512_storeu_si512(to.cast(), swap16_if::<TO>(units));
                    read += 2 * STEP;
                    written += 2 * STEP;
                    basic_steps += 1;
                    if basic_steps == FEW {
                        basic_steps = 0;
                        // From here on the output is aligned: some units are written twice.
                        let behind = dst.add(2 * written) as usize % BLOCK / 2;
                        read -= behind;
                        written -= behind;
                        let steps = (len - read).min(room - written) / (2 * STEP);
                        let passed = basic::<FROM, TO>(src.add(4 * read), dst.add(2 * written), steps);
                        read += 2 * STEP * passed;
                        written += 2 * STEP * passed;
                    }
                    continue;
                }
                basic_steps = 0;
                let [a, b] = points;
                if errors(a) | errors(b) != 0 {
                    break;
                }
                let ((units, pairs), (more_units, more_pairs)) = (encode(a), encode(b));
                let size = STEP + pairs.count_ones() as usize;
                _mm512_storeu_si512(to.cast(), swap16_if::<TO>(units));
                _mm512_storeu_si512(to.add(2 * size).cast(), swap16_if::<TO>(more_units));
                read += 2 * STEP;
                written += size + STEP + more_pairs.count_ones() as usize;
            }
            masked::<FROM, TO>(src, len, dst, room, Progress { read, written })
        }
    }

    /// Narrows up to `steps` steps of 32 code points, as long as they are within the BMP; returns their number.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline]
    unsafe fn basic<const FROM: bool, const TO: bool>(src: *const u8, dst: *mut u8, steps: usize) -> usize {
        for nth in 0..steps {
            // SAFETY: the caller's promise.
            unsafe {
                let Some(units) = basic_units(step::<FROM>(src.add(8 * STEP * nth))) else { return nth };
                _mm512_storeu_si512(dst.add(4 * STEP * nth).cast(), swap16_if::<TO>(units));
            }
        }
        steps
    }

    /// Narrows code points in masked steps, as long as the steps are within the BMP; returns the number of code points.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for all.
    #[inline]
    unsafe fn basic_masked<const FROM: bool, const TO: bool>(src: *const u8, len: usize, dst: *mut u8) -> usize {
        let mut at = 0;
        while at < len {
            let count = (len - at).min(2 * STEP);
            let lanes = low_bits(count) as u32;
            // SAFETY: the caller's promise; loads and stores are masked.
            unsafe {
                let from = src.add(4 * at);
                let a = swap32_if::<FROM>(_mm512_maskz_loadu_epi32(lanes as u16, from.cast()));
                let b = _mm512_maskz_loadu_epi32((lanes >> STEP) as u16, from.wrapping_add(4 * STEP).cast());
                let Some(units) = basic_units([a, swap32_if::<FROM>(b)]) else { break };
                _mm512_mask_storeu_epi16(dst.add(2 * at).cast(), lanes, swap16_if::<TO>(units));
            }
            at += count;
        }
        at
    }

    /// The units of 32 code points, if these are all well-formed and within the BMP.
    #[inline]
    fn basic_units(points: [__m512i; 2]) -> Option<__m512i> {
        let mut errors = none_found();
        let units = narrowed(points, &mut errors);
        if found_any(&errors) { None } else { Some(units) }
    }

    /// The units of 32 code points, if these are all well-formed and within the BMP; what is not is added to `errors`.
    #[inline]
    fn narrowed([a, b]: [__m512i; 2], errors: &mut NotBasic) -> __m512i {
        let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
        let units = _mm512_permutexvar_epi64(order, _mm512_packus_epi32(a, b));
        errors.all = _mm512_or_si512(errors.all, _mm512_or_si512(a, b));
        // Surrogates become 0. (For one step LLVM makes a comparison of this.)
        let [surrogate, prefix] = [0xD800, 0xF800].map(|unit: u16| _mm512_set1_epi16(unit as i16));
        let turned = _mm512_xor_si512(_mm512_and_si512(units, prefix), surrogate);
        errors.least = _mm512_min_epu16(errors.least, turned);
        units
    }

    /// Masked steps, up to the end or an error, from `done` on.
    ///
    /// # Safety
    /// As for the kernel; `done` is what has been read and written.
    #[inline(never)]
    unsafe fn masked<const FROM: bool, const TO: bool>(src: *const u8, mut len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            let count = STEP.min(len - read);
            let lanes = low_bits(count) as u16;
            // SAFETY: the lanes are code points of the source.
            let points = unsafe { swap32_if::<FROM>(_mm512_maskz_loadu_epi32(lanes, src.add(4 * read).cast())) };
            let errors = errors(points);
            if errors != 0 {
                // For this kernel the text ends here.
                len = read + errors.trailing_zeros() as usize;
                continue;
            }
            let (units, pairs) = encode(points);
            let size = count + pairs.count_ones() as usize;
            if size > room - written {
                // For this kernel the text ends before the first character that does not fit.
                len = read + count_fitting(pairs, room - written);
                continue;
            }
            // SAFETY: the units fit; the store is masked.
            unsafe {
                let lanes = ((1u64 << size) - 1) as u32;
                _mm512_mask_storeu_epi16(dst.add(2 * written).cast(), lanes, swap16_if::<TO>(units));
            }
            written += size;
            read += count;
        }
        Progress { read, written }
    }

    /// 32 code points in native byte order.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    unsafe fn step<const FROM: bool>(from: *const u8) -> [__m512i; 2] {
        // SAFETY: the caller's promise.
        unsafe {
            let load = |at: usize| swap32_if::<FROM>(_mm512_loadu_si512(from.add(at).cast()));
            [load(0), load(4 * STEP)]
        }
    }

    /// The lanes that are not scalar values.
    #[inline]
    fn errors(points: __m512i) -> u16 {
        let splat = |value: u32| _mm512_set1_epi32(value as i32);
        // Surrogates wrap around to the largest values.
        let turned = _mm512_sub_epi32(_mm512_xor_si512(points, splat(0xD800)), splat(0x800));
        _mm512_cmpge_epu32_mask(turned, splat(0x11_0000 - 0x800))
    }

    /// The units of sixteen code points, and which of these have two.
    #[inline]
    fn encode(points: __m512i) -> (__m512i, u16) {
        let splat = |value: u32| _mm512_set1_epi32(value as i32);
        let pairs = _mm512_test_epi32_mask(points, splat(0x1F_0000));
        let above = _mm512_sub_epi32(points, splat(0x1_0000));
        // The ten bits of the high and of the low surrogate, each in its half of the lane.
        let (high, low) = (_mm512_srli_epi32::<10>(above), _mm512_slli_epi32::<16>(above));
        let bits = _mm512_ternarylogic_epi32::<0b1111_1000>(high, low, splat(0x03FF_0000));
        let units = _mm512_mask_or_epi32(points, pairs, bits, splat(0xDC00_D800));
        let used = _mm512_mask_mov_epi32(splat(0x0000_8000), pairs, splat(0x8000_8000));
        (_mm512_maskz_compress_epi16(_mm512_movepi16_mask(used), units), pairs)
    }
}

/// How many characters fit into `room` units, when not all do; those of `pairs` take two.
#[cold]
#[inline(never)]
fn count_fitting(pairs: u16, room: usize) -> usize {
    let mut units = 0;
    (0..STEP)
        .take_while(|lane| {
            units += 1 + usize::from(pairs >> lane & 1);
            units <= room
        })
        .count()
}
