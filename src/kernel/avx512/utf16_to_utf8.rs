//! UTF-16 to UTF-8 on AVX-512: 32 units per step, and a step for each kind of text.
//!
//! There is one decision for two steps: ASCII is narrowed; below U+0800 one register holds everything of a step
//! ([`two_bytes`](super::two_bytes)). Otherwise each of the two is of a kind of its own: if all 32 units are above that, and none
//! is a surrogate, they have three bytes each, which two permutations and two multishifts put in place without a compression; if
//! there are only pairs, they become one code point per lane, and four bytes per lane. The rest is the general step, with or
//! without surrogates ([`mod@encode`]). If ASCII continues, 128 units are narrowed at a time.
//!
//! With a decision for each step, and a loop for ASCII, German was slower than with AVX2, which decides about 32 units and narrowed
//! where this kernel did not. The size of a step must not say whether the step was possible: with 0 for a surrogate, the next load
//! waited for the size of this step, which halved the speed of three-byte scripts.
//!
//! Texts of up to 32 units take one masked step, and texts of up to 256 a few steps of one kind, that of their greatest unit
//! ([`mod@few_steps`]): with a test in each step, and a call, 64 units of ASCII took twice as long as one step of 32 with everything around
//! it. Beyond that the loops win: their guess is right for most steps of most text. (A limit of 128 units made texts of 64 to 256 bytes of
//! UTF-8, all different, a tenth slower; a limit of 512 is a gain if nearly nothing is ASCII, and costs a tenth otherwise; AMD Zen 5.)
//!
//! A step stores the bytes of its second half whether or not there are any: strings of 1 to 21 and of 1 to 32 units, all different, take
//! 7.3 and 7.4 ns instead of 9.9 and 13 (Japanese), and of 1 to 15 emoji 9 instead of 13, but strings of up to 16 units that all have the
//! same length 7.2 instead of 6.5 (Intel Granite Rapids).
//!
//! Measured on an AMD EPYC (Zen 4), 160 KiB, in one run with simdutf's AVX-512 kernel, as ratios to it: two-byte scripts 1.8 to
//! 1.9, Chinese and Japanese 2.1 to 2.6, Hindi and Korean 1.9, emoji 10; German 1.2 to 1.35, English 1.35 to 1.6, Polish 1.45,
//! Japanese with markup 1.65, tweets 1.5 to 1.65, emoji with their names 1.3 to 1.5, ASCII 1.6 to 1.9. (On text that is mostly
//! ASCII, that kernel is slower here than simdutf's for AVX2: compared with the latter, German has 1.2, English 1.25.)

mod encode;
mod few_steps;

use super::arch::*;
use super::memory::{first_excess, load_partial, low_bits, store_partial};
use super::registers::load_table;
use super::two_bytes::{controls, encode_two};
use super::{BLOCK, Progress};

use encode::{
    BEFORE, borrowing, borrows, encode, encode_basic, encode_pairs, encode_three, highs_and_lows, of_three,
};
use few_steps::few_steps;

/// Units in a register.
const UNITS: usize = BLOCK / 2;

/// The least number of units for which the loops are entered.
const LONG: usize = 2 * UNITS + 1;

/// The greatest number of units that are converted in steps of one kind.
const FEW: usize = 8 * UNITS;

/// After this many chunks of ASCII in succession, more of it is expected.
const ASCII_RUN: u32 = 2;

/// The room that a step needs: three bytes for each of 32 units, the second half of them stored as a whole register.
const ROOM: usize = 2 * BLOCK;

avx512! {
    /// UTF-16 to UTF-8; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` bytes writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_utf8<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { to_utf8::<SWAP, false>(src, len, dst, room) }
    }

    /// UTF-16 to Corrected UTF-8; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` bytes writable at `dst`.
    pub(in crate::kernel) unsafe fn utf16_to_corrected<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { to_utf8::<SWAP, true>(src, len, dst, room) }
    }

    /// Both of them.
    ///
    /// # Safety
    /// As for these.
    #[inline]
    unsafe fn to_utf8<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // Each of these functions loads its own constants, and the shortest text needs few.
        // SAFETY: the caller's promise.
        unsafe {
            if len <= UNITS {
                let (read, written) = one_step::<SWAP, CORRECTED>(src, len, dst, room);
                Progress { read, written }
            } else if !CORRECTED && len <= FEW {
                few_steps::<false, SWAP>(src, len, dst, room, Progress::default())
            } else if len >= LONG {
                steps::<SWAP, CORRECTED>(src, len, dst, room)
            } else {
                remainder::<SWAP, CORRECTED>(src, len, dst, room, Progress::default())
            }
        }
    }

    /// Whole steps, and the remainder. There is one decision for two steps: ASCII, below U+0800, or anything else, where
    /// each step is of a kind of its own.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn steps<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let mut done = Progress::default();
        let mut run = 0;
        // SAFETY: the caller's promise; all steps keep to what is left.
        unsafe {
            while len - done.read >= UNITS && room - done.written >= ROOM {
                let p = src.add(2 * done.read);
                let to = dst.add(done.written);
                let first = load::<SWAP>(p);
                if len - done.read >= 2 * UNITS && room - done.written >= 2 * ROOM {
                    let last = load::<SWAP>(p.add(BLOCK));
                    let both = _mm512_or_si512(first, last);
                    if _mm512_test_epi16_mask(both, splat(0xFF80)) == 0 {
                        _mm512_storeu_si512(to.cast(), narrow(first, last));
                        let mut passed = 2 * UNITS;
                        if run >= ASCII_RUN {
                            let left = (len - done.read).min(room - done.written);
                            while left - passed >= 4 * UNITS && narrow_chunks::<SWAP>(p.add(2 * passed), to.add(passed)) {
                                passed += 4 * UNITS;
                            }
                        }
                        run += 1;
                        done = Progress { read: done.read + passed, written: done.written + passed };
                        continue;
                    }
                    run = 0;
                    if !CORRECTED && _mm512_test_epi16_mask(both, splat(0xF800)) == 0 {
                        let size = compress(encode_two::<false>(first), to);
                        done.written += size + compress(encode_two::<false>(last), to.add(size));
                        done.read += 2 * UNITS;
                        continue;
                    }
                    if !CORRECTED && surrogates(first) | surrogates(last) == 0 {
                        let size = basic::<false>(first, to);
                        done.written += size + basic::<false>(last, to.add(size));
                        done.read += 2 * UNITS;
                        continue;
                    }
                }
                if surrogates(first) == 0 && (!CORRECTED || controls(first) == 0) {
                    done.written += basic::<CORRECTED>(first, to);
                    done.read += UNITS;
                    continue;
                }
                let before = done.read;
                let well_formed;
                (done, well_formed) = pairs::<SWAP, CORRECTED>(src, len, dst, room, done);
                if !well_formed || done.read == before {
                    break;
                }
            }
            // Where the room is just that of the text, up to 127 units are left.
            let left = len - done.read;
            if !CORRECTED && UNITS < left && left <= FEW.min(room - done.written) {
                return few_steps::<true, SWAP>(src, len, dst, room, done);
            }
            remainder::<SWAP, CORRECTED>(src, len, dst, room, done)
        }
    }

    /// Narrows 128 units, if they are ASCII; returns whether they are.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them.
    #[inline]
    unsafe fn narrow_chunks<const SWAP: bool>(p: *const u8, to: *mut u8) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let (a, b) = (load::<SWAP>(p), load::<SWAP>(p.add(BLOCK)));
            let (c, d) = (load::<SWAP>(p.add(2 * BLOCK)), load::<SWAP>(p.add(3 * BLOCK)));
            let any = _mm512_or_si512(_mm512_ternarylogic_epi32::<0xFE>(a, b, c), d);
            if _mm512_test_epi16_mask(any, splat(0xFF80)) != 0 {
                return false;
            }
            _mm512_storeu_si512(to.cast(), narrow(a, b));
            _mm512_storeu_si512(to.add(BLOCK).cast(), narrow(c, d));
            true
        }
    }

    /// A step of the BMP, without surrogates or units that are left to the codec; returns the number of bytes.
    ///
    /// # Safety
    /// There must be room for a step.
    #[inline]
    unsafe fn basic<const CORRECTED: bool>(units: __m512i, to: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            let long = _mm512_cmpge_epu16_mask(units, splat(if CORRECTED { 0x8A0 } else { 0x800 }));
            if long == 0 {
                return compress(encode_two::<CORRECTED>(units), to);
            }
            if long == !0 {
                return encode_three::<CORRECTED>(units, to);
            }
            let [first, second] = encode_basic::<CORRECTED>(units);
            let size = compress(first, to);
            size + compress(second, to.add(size))
        }
    }

    /// Which units are surrogates.
    #[inline]
    fn surrogates(units: __m512i) -> u32 {
        _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, splat(0xF800)), splat(0xD800))
    }

    /// This unit in every lane.
    #[inline]
    fn splat(value: u16) -> __m512i {
        _mm512_set1_epi16(value as i16)
    }

    /// 32 units in native byte order.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    unsafe fn load<const SWAP: bool>(p: *const u8) -> __m512i {
        // SAFETY: the caller's promise.
        native_order::<SWAP>(unsafe { _mm512_loadu_si512(p.cast()) })
    }

    /// Units in native byte order. (Two shifts need no table, unlike a byte shuffle.)
    #[inline]
    fn native_order<const SWAP: bool>(units: __m512i) -> __m512i {
        let swapped = _mm512_or_si512(_mm512_slli_epi16::<8>(units), _mm512_srli_epi16::<8>(units));
        if SWAP { swapped } else { units }
    }

    /// 64 units below 100 (hexadecimal) in a byte each.
    #[inline]
    fn narrow(a: __m512i, b: __m512i) -> __m512i {
        let bytes = _mm512_packus_epi16(a, b);
        _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), bytes)
    }

    /// Writes those of 64 bytes that are kept; returns their number.
    ///
    /// # Safety
    /// There must be room for 64.
    #[inline]
    unsafe fn compress((bytes, kept): (__m512i, u64), to: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(kept, bytes)) };
        kept.count_ones() as usize
    }

    /// Steps with surrogates, from `from` on: returns the progress, and whether there was no error.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn pairs<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, from: Progress) -> (Progress, bool) {
        let Progress { mut read, mut written } = from;
        // Whether the unit before is a high surrogate.
        let mut after_high = 0;
        let mut well_formed = true;
        while len - read >= UNITS && room - written >= ROOM {
            // SAFETY: a step is left, and there is room for it; the lane before `src` is masked.
            unsafe {
                let p = src.add(2 * read);
                let units = load::<SWAP>(p);
                let to = dst.add(written);
                let (high, low) = highs_and_lows(units);
                if (high << 1 | after_high) != low {
                    well_formed = false;
                    break;
                }
                if CORRECTED && controls(units) != 0 {
                    well_formed = false;
                    break;
                }
                let mut borrow = 0;
                if CORRECTED {
                    let behind = high >> 31 != 0 && len - read > UNITS;
                    let behind = behind && borrows(native_unit::<SWAP>(p.add(BLOCK).cast::<u16>().read_unaligned()));
                    borrow = borrowing(units, low) >> 1 | u32::from(behind) << 31;
                    if of_three(units, high, borrow) != 0 {
                        well_formed = false;
                        break;
                    }
                }
                if high == 0x5555_5555 {
                    written += encode_pairs::<CORRECTED>(units, to);
                    read += UNITS;
                    continue;
                }
                if low == 0x5555_5555 {
                    // One unit earlier the pairs are whole.
                    read -= 1;
                    written -= 2;
                    after_high = 0;
                    continue;
                }
                if high | low == 0 {
                    break;
                }
                let lanes = if read == 0 { !1 } else { !0 };
                let before = native_order::<SWAP>(_mm512_maskz_loadu_epi16(lanes, p.wrapping_sub(2).cast()));
                let [first, second] = encode::<CORRECTED>(units, before, high, low, borrow);
                let size = compress(first, to);
                written += size + compress(second, to.add(size));
                read += UNITS;
                after_high = high >> 31;
            }
        }
        let half = after_high as usize;
        (Progress { read: read - half, written: written - 2 * half }, well_formed)
    }

    /// What is too short for the loops, or has too little room, or an error in its next step: up to 32 units per step.
    ///
    /// # Safety
    /// As for the kernel; `done` is what has been read and written.
    #[inline(never)]
    unsafe fn remainder<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            let whole = UNITS.min(len - read);
            // SAFETY: the caller's promise.
            let (count, size) =
                unsafe { one_step::<SWAP, CORRECTED>(src.add(2 * read), whole, dst.wrapping_add(written), room - written) };
            read += count;
            written += size;
            // A whole step may end within a pair.
            if count < whole && count + 1 < UNITS {
                break;
            }
        }
        Progress { read, written }
    }

    /// Converts what fits of `whole` units, 32 at most: returns how many units these are, and how many bytes. (It is
    /// not inlined into a loop, which would load all its constants even for the shortest text.)
    ///
    /// # Safety
    /// `whole` units must be readable, and `space` bytes writable.
    #[inline(never)]
    unsafe fn one_step<const SWAP: bool, const CORRECTED: bool>(from: *const u8, whole: usize, to: *mut u8, space: usize) -> (usize, usize) {
        // SAFETY: the caller's promise; what is stored fits.
        unsafe {
            let units = native_order::<SWAP>(load_partial(from, 2 * whole));
            if _mm512_test_epi16_mask(units, splat(0xFF80)) == 0 {
                let count = whole.min(space);
                store_partial(to, _mm512_zextsi256_si512(_mm512_cvtepi16_epi8(units)), count, space);
                return (count, count);
            }
            let (mut whole, mut borrow) = (whole, 0);
            if CORRECTED {
                let (high, low) = highs_and_lows(units);
                borrow = borrowing(units, low) >> 1;
                let stops = controls(units) | of_three(units, high, borrow);
                whole = whole.min(stops.trailing_zeros() as usize);
            }
            if _mm512_test_epi16_mask(units, splat(0xF800)) == 0 {
                let (bytes, kept) = encode_two::<CORRECTED>(units);
                let (mut count, mut kept) = (whole, kept & low_bits(2 * whole));
                if kept.count_ones() as usize > space {
                    count = first_excess(kept, space) / 2;
                    kept &= low_bits(2 * count);
                }
                let size = kept.count_ones() as usize;
                store_partial(to, _mm512_maskz_compress_epi8(kept, bytes), size, space);
                return (count, size);
            }
            let (high, lows) = highs_and_lows(units);
            if high | lows == 0 {
                return store_slots(encode_basic::<CORRECTED>(units), whole, 0, to, space);
            }
            let required = u64::from(high) << 1;
            let unpaired = (required ^ u64::from(lows)).trailing_zeros() as usize;
            // Where a low surrogate is missing, the character began a unit earlier.
            let count = if unpaired > whole { whole } else { unpaired - usize::from(required >> unpaired & 1 != 0) };
            let before = _mm512_permutexvar_epi16(load_table(&BEFORE), units);
            store_slots(encode::<CORRECTED>(units, before, high, lows, borrow), count, required, to, space)
        }
    }

    /// Writes what fits of `count` units, and never ends before a low surrogate that is `required`: returns how many
    /// units these are, and how many bytes.
    ///
    /// # Safety
    /// `space` bytes must be writable at `to`.
    #[inline]
    unsafe fn store_slots(
        [first, second]: [(__m512i, u64); 2],
        mut count: usize,
        required: u64,
        to: *mut u8,
        space: usize,
    ) -> (usize, usize) {
        let keep = |count: usize| {
            let kept = [first.1 & low_bits((4 * count).min(BLOCK)), second.1 & low_bits((4 * count).saturating_sub(BLOCK))];
            (kept, kept.map(|kept| kept.count_ones() as usize))
        };
        let (mut kept, mut sizes) = keep(count);
        if sizes[0] + sizes[1] > space {
            count = match space.checked_sub(sizes[0]) {
                Some(left) => UNITS / 2 + first_excess(kept[1], left) / 4,
                None => first_excess(kept[0], space) / 4,
            };
            count -= usize::from(required >> count & 1 != 0);
            (kept, sizes) = keep(count);
        }
        // SAFETY: the bytes fit.
        unsafe {
            let [front, back] = sizes;
            store_partial(to, _mm512_maskz_compress_epi8(kept[0], first.0), front, space);
            // Also if there are none: no predictor knows that.
            let second = _mm512_maskz_compress_epi8(kept[1], second.0);
            store_partial(to.add(front), second, back, space - front);
            (count, front + back)
        }
    }
}

/// A unit in native byte order.
#[inline(always)]
fn native_unit<const SWAP: bool>(unit: u16) -> u16 {
    if SWAP { unit.swap_bytes() } else { unit }
}
