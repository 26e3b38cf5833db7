//! UTF-16 to UTF-8 on AVX-512: 32 units a step, and a step for each kind of text.
//!
//! A unit has up to three bytes of its own: of a pair the high surrogate has the first two of the four
//! bytes and the low surrogate the others, for which it looks at the unit before it. So every unit has
//! three slots: the first two in a lane of a *pair* register and the last in a lane of a *last*
//! register, which are interleaved to four bytes a unit. Slots without a byte hold FF, which is no byte
//! of UTF-8, and the fourth slot holds zero: one comparison with {FF, FF, FF, 0} says which slots are
//! kept, and one compression of each half moves them together.
//!
//! What a step does depends on its greatest unit, and the tests for that are few, since what they find
//! is needed anyway: ASCII is narrowed, by 128 units; below U+0800 one register holds all (see
//! `words`); 32 units above that, and no surrogate, have three bytes each, which two permutations and two
//! multishifts put in place without a compression; pairs and nothing else become one code point a lane
//! and four bytes a lane. The rest is the general step, with or without surrogates.
//!
//! Texts of up to 32 units are one masked step, and of up to 128 a few, all of the kind of their greatest
//! unit: with a kind for each step, and a call, 64 units of ASCII took twice as long as one step of 32 with
//! all it needs. Beyond that the loops win: their guess is right for most steps of most text.
//!
//! Measured against simdutf's AVX-512 kernel, 256 KiB: two-byte scripts 1.2 to 1.35, Chinese 2.9 to 3.3, Japanese
//! 2.4 to 3.4, Hindi and Korean 2.05, emoji 1.9, nothing but emoji 7, mixed Latin 1.2 to 1.7, ASCII 1.3.

mod few;

use super::arch::*;
use super::ends::{first_too_much, load_some, low, store_some};
use super::words::{Table, controls, encode_two, load_table};
use super::{BLOCK, Progress};

use few::few;

/// Units in a register.
const UNITS: usize = BLOCK / 2;

/// The least number of units for which the loops are entered.
const LONG: usize = 2 * UNITS + 1;

/// The greatest number of units of what is taken in one go.
const FEW: usize = 4 * UNITS;

/// After so many steps of ASCII the loop for ASCII is tried. (They are counted as bits that are shifted: a
/// counter that is set back became a branch, which German text mispredicts at every other step.)
const PATIENCE: u32 = 4;

/// What must be left of the output for a step: three bytes for each of 32 units, the second half stored
/// by a whole register.
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

    /// Either of them.
    ///
    /// # Safety
    /// As there.
    #[inline]
    unsafe fn to_utf8<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // Each of these loads its own constants, and the shortest text needs few.
        // SAFETY: the caller's promise.
        unsafe {
            if len <= UNITS {
                let (read, written) = some::<SWAP, CORRECTED>(src, len, dst, room);
                Progress { read, written }
            } else if !CORRECTED && len <= FEW {
                few::<SWAP>(src, len, dst, room)
            } else if len >= LONG {
                steps::<SWAP, CORRECTED>(src, len, dst, room)
            } else {
                remainder::<SWAP, CORRECTED>(src, len, dst, room, Progress::default())
            }
        }
    }

    /// Whole steps, and the remainder.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn steps<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        // SAFETY: as the caller promises; all steps keep to what is left.
        unsafe {
            'steps: loop {
                while len - read >= 4 * UNITS && room - written >= 4 * UNITS {
                    let p = src.add(2 * read);
                    let [a, b, c, d] = [0, 1, 2, 3].map(|i| load::<SWAP>(p.add(i * BLOCK)));
                    let any = _mm512_or_si512(_mm512_ternarylogic_epi32::<0xFE>(a, b, c), d);
                    if _mm512_test_epi16_mask(any, all(0xFF80)) != 0 {
                        break;
                    }
                    let to = dst.add(written);
                    _mm512_storeu_si512(to.cast(), narrow(a, b));
                    _mm512_storeu_si512(to.add(BLOCK).cast(), narrow(c, d));
                    read += 4 * UNITS;
                    written += 4 * UNITS;
                }
                let mut recent = !0u32;
                while len - read >= UNITS && room - written >= ROOM {
                    let units = load::<SWAP>(src.add(2 * read));
                    let to = dst.add(written);
                    let long = _mm512_cmpge_epu16_mask(units, all(if CORRECTED { 0x8A0 } else { 0x800 }));
                    if CORRECTED && controls(units) != 0 {
                        break;
                    }
                    if long == 0 {
                        let size = compress(encode_two::<CORRECTED>(units), to);
                        read += UNITS;
                        written += size;
                        recent = recent << 1 | u32::from(size != UNITS);
                        if recent << (32 - PATIENCE) == 0 {
                            continue 'steps;
                        }
                        continue;
                    }
                    let prefix = _mm512_and_si512(units, all(0xF800));
                    if _mm512_cmpeq_epi16_mask(prefix, all(0xD800)) != 0 {
                        let from = Progress { read, written };
                        let (done, fine) = pairs::<SWAP, CORRECTED>(src, len, dst, room, from);
                        Progress { read, written } = done;
                        if fine {
                            continue;
                        }
                        break;
                    }
                    if long == !0 {
                        written += three::<CORRECTED>(units, to);
                    } else {
                        let [first, second] = encode_basic::<CORRECTED>(units);
                        let size = compress(first, to);
                        written += size + compress(second, to.add(size));
                    }
                    read += UNITS;
                }
                return remainder::<SWAP, CORRECTED>(src, len, dst, room, Progress { read, written });
            }
        }
    }

    /// The same everywhere.
    #[inline]
    fn all(value: u16) -> __m512i {
        _mm512_set1_epi16(value as i16)
    }

    /// 32 units in this machine's order.
    ///
    /// # Safety
    /// They must be readable.
    #[inline]
    unsafe fn load<const SWAP: bool>(p: *const u8) -> __m512i {
        // SAFETY: the caller's promise.
        ordered::<SWAP>(unsafe { _mm512_loadu_si512(p.cast()) })
    }

    /// Units in this machine's order.
    #[inline]
    fn ordered<const SWAP: bool>(units: __m512i) -> __m512i {
        let swapped = _mm512_or_si512(_mm512_slli_epi16::<8>(units), _mm512_srli_epi16::<8>(units));
        if SWAP { swapped } else { units }
    }

    /// 64 units below 100 in a byte each.
    #[inline]
    fn narrow(a: __m512i, b: __m512i) -> __m512i {
        let bytes = _mm512_packus_epi16(a, b);
        _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), bytes)
    }

    /// Writes those of 64 bytes that are kept; returns how many that are.
    ///
    /// # Safety
    /// There must be room for all 64.
    #[inline]
    unsafe fn compress((bytes, kept): (__m512i, u64), to: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(kept, bytes)) };
        kept.count_ones() as usize
    }

    /// Writes 32 units of three bytes each; returns how many bytes that are.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn three<const CORRECTED: bool>(units: __m512i, to: *mut u8) -> usize {
        let units = if CORRECTED {
            let behind = _mm512_cmpge_epu16_mask(units, all(0xE000));
            let units = _mm512_sub_epi16(units, all(0x8A0));
            _mm512_mask_sub_epi16(units, behind, units, all(0x800))
        } else {
            units
        };
        let part = |part: &Three| {
            let units = _mm512_permutexvar_epi16(load_table(&part.units), units);
            let bits = _mm512_multishift_epi64_epi8(load_table(&part.shifts), units);
            // bits & kept | marks
            _mm512_ternarylogic_epi32::<0xEA>(bits, load_table(&part.bits), load_table(&part.marks))
        };
        // SAFETY: the caller's promise.
        unsafe {
            _mm512_storeu_si512(to.cast(), part(&FRONT));
            _mm256_storeu_si256(to.add(BLOCK).cast(), _mm512_castsi512_si256(part(&BACK)));
        }
        3 * UNITS
    }

    /// The slots of 32 units of the basic plane, sixteen in each register, and which of them are kept.
    #[inline]
    fn encode_basic<const CORRECTED: bool>(units: __m512i) -> [(__m512i, u64); 2] {
        // Unpacking goes by 16 bytes: so the first half of the units goes to the low halves of those.
        let units = _mm512_permutexvar_epi64(_mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0), units);
        let marks = marks::<CORRECTED>(units);
        let bits = bits::<CORRECTED>(units);
        interleave(first_two(bits, marks), last::<CORRECTED>(units, bits))
    }

    /// Units, less the offset of their length.
    #[inline]
    fn bits<const CORRECTED: bool>(units: __m512i) -> __m512i {
        if !CORRECTED {
            return units;
        }
        let least = |least| _mm512_cmpge_epu16_mask(units, all(least));
        let bits = _mm512_mask_sub_epi16(units, least(0x80), units, all(0xA0));
        let bits = _mm512_mask_sub_epi16(bits, least(0x8A0), units, all(0x8A0));
        _mm512_mask_sub_epi16(bits, least(0xE000), units, all(0x10A0))
    }

    /// The marks of the first two slots.
    #[inline]
    fn marks<const CORRECTED: bool>(units: __m512i) -> __m512i {
        let two = _mm512_cmpge_epu16_mask(units, all(0x80));
        let three = _mm512_cmpge_epu16_mask(units, all(if CORRECTED { 0x8A0 } else { 0x800 }));
        let marks = _mm512_mask_mov_epi16(all(0xFFFF), two, all(0xC0FF));
        _mm512_mask_mov_epi16(marks, three, all(0x80E0))
    }

    /// The first two slots: the bits from 12 and from 6 on.
    #[inline]
    fn first_two(units: __m512i, marks: __m512i) -> __m512i {
        let (first, second) = (_mm512_srli_epi16::<12>(units), _mm512_slli_epi16::<2>(units));
        // Of `second` the bits of 3F00, of `first` the others.
        let bits = _mm512_ternarylogic_epi32::<0xCA>(all(0x3F00), second, first);
        _mm512_or_si512(bits, marks)
    }

    /// The last slot, which is an ASCII character or a continuation byte.
    #[inline]
    fn last<const CORRECTED: bool>(units: __m512i, bits: __m512i) -> __m512i {
        if CORRECTED {
            // min(80 | bits & 3F, units)
            let tail = _mm512_ternarylogic_epi32::<0xEA>(bits, all(0x3F), all(0x80));
            return _mm512_min_epu16(tail, units);
        }
        // min(units, 80) | units & 3F
        _mm512_ternarylogic_epi32::<0xF8>(_mm512_min_epu16(units, all(0x80)), units, all(0x3F))
    }

    /// Four slots a unit, of those sixteen that are in the low halves of 16 bytes, and of the others.
    #[inline]
    fn interleave(first_two: __m512i, last: __m512i) -> [(__m512i, u64); 2] {
        let nothing = _mm512_set1_epi32(0x00FF_FFFF);
        let first = _mm512_unpacklo_epi16(first_two, last);
        let second = _mm512_unpackhi_epi16(first_two, last);
        [first, second].map(|slots| (slots, _mm512_cmpneq_epi8_mask(slots, nothing)))
    }

    /// The slots of any 32 units, `before` which these stand one unit earlier.
    #[inline]
    fn encode<const CORRECTED: bool>(units: __m512i, before: __m512i, high: u32, low: u32, borrow: u32) -> [(__m512i, u64); 2] {
        let marks = marks::<CORRECTED>(units);
        let marks = _mm512_mask_mov_epi16(marks, high, all(0x80F0));
        let marks = _mm512_mask_mov_epi16(marks, low, all(0x80FF));
        // Of a high surrogate the bits with 40 added, which is the offset of the pairs, four bits up. Of
        // a low one its ten bits, below the last two of the high one.
        let shifted = _mm512_slli_epi16::<4>(units);
        // (Less 110A0 that is 4 less, or 5 where the last ten bits have less than A0.)
        let offset = if CORRECTED { 0x7FC0 } else { 0x8400 };
        let bits = _mm512_mask_add_epi16(bits::<CORRECTED>(units), high, shifted, all(offset));
        let bits = if CORRECTED { _mm512_mask_sub_epi16(bits, high & borrow, bits, all(0x10)) } else { bits };
        let joined = _mm512_ternarylogic_epi32::<0xCA>(all(0x0C00), _mm512_slli_epi16::<10>(before), units);
        let joined = if CORRECTED { _mm512_sub_epi16(joined, all(0xA0)) } else { joined };
        let bits = _mm512_mask_mov_epi16(bits, low, joined);
        let last = _mm512_mask_mov_epi16(last::<CORRECTED>(units, bits), high, all(0x00FF));
        let order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
        let first_two = _mm512_permutexvar_epi64(order, first_two(bits, marks));
        interleave(first_two, _mm512_permutexvar_epi64(order, last))
    }

    /// Steps with surrogates, from `from` on: how far they came, and whether there was no error.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn pairs<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, from: Progress) -> (Progress, bool) {
        let Progress { mut read, mut written } = from;
        // Whether the unit before is a high surrogate.
        let mut carried = 0;
        let mut fine = true;
        while len - read >= UNITS && room - written >= ROOM {
            // SAFETY: there is a step to be read, and room for it; the lane before `src` is masked.
            unsafe {
                let p = src.add(2 * read);
                let units = load::<SWAP>(p);
                let to = dst.add(written);
                let (high, low) = surrogates(units);
                if (high << 1 | carried) != low {
                    fine = false;
                    break;
                }
                if CORRECTED && controls(units) != 0 {
                    fine = false;
                    break;
                }
                let mut borrow = 0;
                if CORRECTED {
                    let behind = high >> 31 != 0 && len - read > UNITS;
                    let behind = behind && borrows(order::<SWAP>(p.add(BLOCK).cast::<u16>().read_unaligned()));
                    borrow = borrowing(units, low) >> 1 | u32::from(behind) << 31;
                    if of_three(units, high, borrow) != 0 {
                        fine = false;
                        break;
                    }
                }
                if high == 0x5555_5555 {
                    written += four::<CORRECTED>(units, to);
                    read += UNITS;
                    continue;
                }
                if low == 0x5555_5555 {
                    // One unit back the pairs are whole.
                    read -= 1;
                    written -= 2;
                    carried = 0;
                    continue;
                }
                if high | low == 0 {
                    break;
                }
                let lanes = if read == 0 { !1 } else { !0 };
                let before = ordered::<SWAP>(_mm512_maskz_loadu_epi16(lanes, p.wrapping_sub(2).cast()));
                let [first, second] = encode::<CORRECTED>(units, before, high, low, borrow);
                let size = compress(first, to);
                written += size + compress(second, to.add(size));
                read += UNITS;
                carried = high >> 31;
            }
        }
        let half = carried as usize;
        (Progress { read: read - half, written: written - 2 * half }, fine)
    }

    /// The high and the low surrogates among the units.
    #[inline]
    fn surrogates(units: __m512i) -> (u32, u32) {
        let prefix = _mm512_and_si512(units, all(0xFC00));
        (_mm512_cmpeq_epi16_mask(prefix, all(0xD800)), _mm512_cmpeq_epi16_mask(prefix, all(0xDC00)))
    }

    /// Which of the `low` surrogates have less than A0 in their ten bits, so that the high one gives one away.
    #[inline]
    fn borrowing(units: __m512i, low: u32) -> u32 {
        _mm512_mask_cmplt_epu16_mask(low, units, all(0xDCA0))
    }

    /// Which of the `high` surrogates are of pairs up to U+1109F, which have three bytes. (They are left to the
    /// machine.)
    #[inline]
    fn of_three(units: __m512i, high: u32, borrow: u32) -> u32 {
        let edge = _mm512_mask_cmpeq_epi16_mask(high & borrow, units, all(0xD804));
        edge | _mm512_mask_cmplt_epu16_mask(high, units, all(0xD804))
    }

    /// Writes sixteen pairs; returns how many bytes that are.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline]
    unsafe fn four<const CORRECTED: bool>(pairs: __m512i, to: *mut u8) -> usize {
        // (high << 10) + low, and what the offset of pairs and the prefixes amount to, as signed words.
        let weights = _mm512_set1_epi32(0x0001_0400);
        let signed = |prefix: u32| prefix.wrapping_sub(0x1_0000);
        let offset = 0x1_0000u32.wrapping_sub(signed(0xD800) << 10).wrapping_sub(signed(0xDC00));
        let offset = if CORRECTED { offset.wrapping_sub(0x1_10A0) } else { offset };
        let points = _mm512_add_epi32(_mm512_madd_epi16(pairs, weights), _mm512_set1_epi32(offset as i32));
        let bits = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x2026_2C32_0006_0C12), points);
        let (mask, marks) = (_mm512_set1_epi32(0x3F3F_3F07), _mm512_set1_epi32(0x8080_80F0u32 as i32));
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_ternarylogic_epi32::<0xEA>(bits, mask, marks)) };
        BLOCK
    }

    /// What is too short for the loops, has too little room or an error in its first step: up to 32 units
    /// a step.
    ///
    /// # Safety
    /// As for the kernel; `done` is how far the loops came.
    #[inline(never)]
    unsafe fn remainder<const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            let whole = UNITS.min(len - read);
            // SAFETY: the caller's promise.
            let (count, size) =
                unsafe { some::<SWAP, CORRECTED>(src.add(2 * read), whole, dst.wrapping_add(written), room - written) };
            read += count;
            written += size;
            // A pair may be cut off by the end of a whole step.
            if count < whole && count + 1 < UNITS {
                break;
            }
        }
        Progress { read, written }
    }

    /// Writes what fits of `whole` units, 32 at most: how many units these are, and how many bytes. (Not
    /// inlined into a loop, which would load all of its constants for the shortest text, too.)
    ///
    /// # Safety
    /// So many units must be readable, and `space` bytes writable.
    #[inline(never)]
    unsafe fn some<const SWAP: bool, const CORRECTED: bool>(from: *const u8, whole: usize, to: *mut u8, space: usize) -> (usize, usize) {
        // SAFETY: the caller's promise; what is stored fits.
        unsafe {
            let units = ordered::<SWAP>(load_some(from, 2 * whole));
            if _mm512_test_epi16_mask(units, all(0xFF80)) == 0 {
                let count = whole.min(space);
                store_some(to, _mm512_zextsi256_si512(_mm512_cvtepi16_epi8(units)), count, space);
                return (count, count);
            }
            let (mut whole, mut borrow) = (whole, 0);
            if CORRECTED {
                let (high, low) = surrogates(units);
                borrow = borrowing(units, low) >> 1;
                let stops = controls(units) | of_three(units, high, borrow);
                whole = whole.min(stops.trailing_zeros() as usize);
            }
            if _mm512_test_epi16_mask(units, all(0xF800)) == 0 {
                let (bytes, kept) = encode_two::<CORRECTED>(units);
                let (mut count, mut kept) = (whole, kept & low(2 * whole));
                if kept.count_ones() as usize > space {
                    count = first_too_much(kept, space) / 2;
                    kept &= low(2 * count);
                }
                let size = kept.count_ones() as usize;
                store_some(to, _mm512_maskz_compress_epi8(kept, bytes), size, space);
                return (count, size);
            }
            let (high, lows) = surrogates(units);
            if high | lows == 0 {
                return place(encode_basic::<CORRECTED>(units), whole, 0, to, space);
            }
            let asked = u64::from(high) << 1;
            let odd = (asked ^ u64::from(lows)).trailing_zeros() as usize;
            // Where a low one is missing, the character began a unit earlier.
            let count = if odd > whole { whole } else { odd - usize::from(asked >> odd & 1 != 0) };
            let before = _mm512_permutexvar_epi16(load_table(&BEFORE), units);
            place(encode::<CORRECTED>(units, before, high, lows, borrow), count, asked, to, space)
        }
    }

    /// Writes what fits of `count` units, and ends before the second half of a pair, which are those of
    /// `asked`: how many units these are, and how many bytes.
    ///
    /// # Safety
    /// There must be `space` bytes at `to`.
    #[inline]
    unsafe fn place(
        [first, second]: [(__m512i, u64); 2],
        mut count: usize,
        asked: u64,
        to: *mut u8,
        space: usize,
    ) -> (usize, usize) {
        let keep = |count: usize| {
            let kept = [first.1 & low((4 * count).min(BLOCK)), second.1 & low((4 * count).saturating_sub(BLOCK))];
            (kept, kept.map(|kept| kept.count_ones() as usize))
        };
        let (mut kept, mut sizes) = keep(count);
        if sizes[0] + sizes[1] > space {
            count = match space.checked_sub(sizes[0]) {
                Some(left) => UNITS / 2 + first_too_much(kept[1], left) / 4,
                None => first_too_much(kept[0], space) / 4,
            };
            count -= usize::from(asked >> count & 1 != 0);
            (kept, sizes) = keep(count);
        }
        // SAFETY: so many bytes fit.
        unsafe {
            let [front, back] = sizes;
            store_some(to, _mm512_maskz_compress_epi8(kept[0], first.0), front, space);
            if back != 0 {
                let second = _mm512_maskz_compress_epi8(kept[1], second.0);
                store_some(to.add(front), second, back, space - front);
            }
            (count, front + back)
        }
    }
}

/// A unit in this machine's order.
#[inline(always)]
fn order<const SWAP: bool>(unit: u16) -> u16 {
    if SWAP { unit.swap_bytes() } else { unit }
}

/// Whether a unit is a low surrogate that has less than A0 in its ten bits.
#[inline(always)]
fn borrows(unit: u16) -> bool {
    (0xDC00..0xDCA0).contains(&unit)
}

/// How bytes of characters of three come from their units.
struct Three {
    /// For each eight bytes the four units that they may belong to.
    units: Table,
    /// For each byte where its bits begin in these.
    shifts: Table,
    /// Which bits it keeps.
    bits: Table,
    /// What it has beside them.
    marks: Table,
}

/// The bytes of the first register, and those behind them.
static FRONT: Three = Three::from(0);
static BACK: Three = Three::from(BLOCK);

impl Three {
    /// For the bytes from number `begin` on.
    #[inline]
    const fn from(begin: usize) -> Three {
        let (mut units, mut shifts) = ([0; BLOCK], [0; BLOCK]);
        let (mut bits, mut marks) = ([0; BLOCK], [0; BLOCK]);
        let mut i = 0;
        while i < BLOCK {
            let byte = begin + i;
            let first = (byte - byte % 8) / 3;
            shifts[i] = ((byte / 3 - first) * 16 + 12 - byte % 3 * 6) as u8;
            bits[i] = [0x0F, 0x3F, 0x3F][byte % 3];
            marks[i] = [0xE0, 0x80, 0x80][byte % 3];
            // A unit is named by the low byte of a word.
            if i % 2 == 0 {
                units[i] = (first + i % 8 / 2) as u8;
            }
            i += 1;
        }
        Three { units: Table(units), shifts: Table(shifts), bits: Table(bits), marks: Table(marks) }
    }
}

/// Each unit's place one lane up.
static BEFORE: Table = {
    let mut indices = [0; BLOCK];
    let mut i = 2;
    while i < BLOCK {
        indices[i] = (i / 2 - 1) as u8;
        i += 2;
    }
    Table(indices)
};
