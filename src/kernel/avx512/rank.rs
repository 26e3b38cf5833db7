//! Rank and select on AVX-512: comparisons give masks, which are counted and searched in general registers.
//!
//! The weights of a block are up to three masks: a unit weighs as much as the number of masks that have it. Counting is
//! `popcnt`. Finding the position of a sum is `pdep`, which puts a single bit where the mask has its n-th one. For
//! that, weights above one are spread first: the second unit of a pair in UTF-16 is given to the byte behind the lead
//! byte, which is a continuation byte and weighs nothing; and the up to three bytes of UTF-8 get four bits for each
//! unit.
//!
//! What a unit must know of the one before it is a mask shifted by one, with the bit carried over from the block
//! before. That is three instructions in general registers, against an unaligned load and another comparison. If the
//! text is long, the first block ends at a cache line boundary, because a load across two lines takes twice as long; it
//! and the last block have masked lanes.

use super::arch::*;
use super::memory::{deposit, load_partial, low_bits, nth_set_bit};
use super::{BLOCK, Progress};
use crate::kernel::portable::rank::{Counted, Profile, Weights};

/// Bytes between two comparisons with the limit.
const STEP: usize = 4 * BLOCK;

/// How far ahead a profile prefetches: the text is read once, and may come from memory.
const PROFILE_AHEAD: usize = 32 * BLOCK;

/// From this many bytes on the loads are aligned.
const LONG: usize = 16 * BLOCK;

avx512! {
    /// Rank and select in one: see [`dispatch::rank::seek`](crate::kernel::dispatch::rank::seek).
    ///
    /// # Safety
    /// `to` units must be readable at `src`, at any alignment, and `from` must not be greater.
    pub(in crate::kernel) unsafe fn seek<M: Weights>(
        src: *const u8,
        from: usize,
        to: usize,
        limit: usize,
    ) -> Progress {
        let width = size_of::<M::Unit>();
        let (mut at, end) = (from * width, to * width);
        let mut left = limit;
        // SAFETY: the caller's promise; `at` stays within the text.
        unsafe {
            let mut carry = carried_to::<M>(src, from);
            if end - at >= LONG {
                let head = src.add(at).align_offset(BLOCK) / width * width;
                if head != 0 {
                    let units = _mm512_loadu_si512(src.add(at).cast());
                    let marks = marks::<M>(units, head, &mut carry);
                    let weight = weigh::<M>(marks);
                    if weight > left {
                        return select::<M>(marks, at, limit, left);
                    }
                    left -= weight;
                    at += head;
                }
                while end - at >= STEP {
                    let mut next = carry;
                    let mut weight = 0;
                    for block in 0..STEP / BLOCK {
                        let units = _mm512_loadu_si512(src.add(at + block * BLOCK).cast());
                        weight += weigh::<M>(marks::<M>(units, BLOCK, &mut next));
                    }
                    if weight > left {
                        break;
                    }
                    left -= weight;
                    carry = next;
                    at += STEP;
                }
            }
            while end - at >= BLOCK {
                let units = _mm512_loadu_si512(src.add(at).cast());
                let marks = marks::<M>(units, BLOCK, &mut carry);
                let weight = weigh::<M>(marks);
                if weight > left {
                    return select::<M>(marks, at, limit, left);
                }
                left -= weight;
                at += BLOCK;
            }
            if at < end {
                let marks = marks::<M>(load_partial(src.add(at), end - at), end - at, &mut carry);
                let weight = weigh::<M>(marks);
                if weight > left {
                    return select::<M>(marks, at, limit, left);
                }
                left -= weight;
            }
        }
        Progress { read: to, written: limit - left }
    }

    /// The sums of the spans of a profile.
    ///
    /// # Safety
    /// The text of the profile must be readable.
    pub(in crate::kernel) unsafe fn profile<
        A: Weights,
        B: Weights<Unit = A::Unit>,
        C: Weights<Unit = A::Unit>,
    >(profile: Profile<'_, A, B, C>) {
        // SAFETY: a profile asks for positions within its text.
        profile.each(|src, from, to| unsafe { sums::<A, B, C>(src, from, to) });
    }

    /// The sums of the weights from one position to another; each register is loaded once.
    ///
    /// # Safety
    /// As for [`seek`].
    #[inline]
    unsafe fn sums<A: Weights, B: Weights<Unit = A::Unit>, C: Weights<Unit = A::Unit>>(
        src: *const u8,
        from: usize,
        to: usize,
    ) -> [usize; 3] {
        let width = size_of::<A::Unit>();
        let (mut at, end) = (from * width, to * width);
        let mut sums = [0; 3];
        // SAFETY: the caller's promise; `at` stays within the text. A prefetch may name any address.
        unsafe {
            let mut carries =
                [carried_to::<A>(src, from), carried_to::<B>(src, from), carried_to::<C>(src, from)];
            let mut add = |units: __m512i, count: usize| {
                sums[0] += weigh::<A>(marks::<A>(units, count, &mut carries[0]));
                sums[1] += weigh::<B>(marks::<B>(units, count, &mut carries[1]));
                sums[2] += weigh::<C>(marks::<C>(units, count, &mut carries[2]));
            };
            while end - at >= BLOCK {
                _mm_prefetch::<_MM_HINT_T0>(src.wrapping_add(at + PROFILE_AHEAD).cast());
                add(_mm512_loadu_si512(src.add(at).cast()), BLOCK);
                at += BLOCK;
            }
            if at < end {
                add(load_partial(src.add(at), end - at), end - at);
            }
        }
        sums
    }

    /// What [`marks`] must know of the unit before `at`.
    ///
    /// # Safety
    /// The first `at` units must be readable.
    #[inline]
    unsafe fn carried_to<M: Weights>(src: *const u8, at: usize) -> u64 {
        if !M::LOOKS_BACK || at == 0 {
            return 0;
        }
        // SAFETY: there is a unit before.
        unsafe {
            match M::COUNTED {
                Counted::Breaks8 => u64::from(*src.add(at - 1) == b'\r'),
                _ => {
                    let before = src.cast::<u16>().add(at - 1).read_unaligned();
                    let is_it = match M::COUNTED {
                        Counted::Breaks16 => before == u16::from(b'\r'),
                        _ => before & 0xFC00 == 0xD800,
                    };
                    u64::from(is_it)
                }
            }
        }
    }

    /// The masks of the first `count` bytes, at least one unit: their weight is the number of bits in all of them.
    /// `carry` is 1 if the unit before is a CR or a high surrogate, whichever matters, and is set to the same for the
    /// last unit.
    #[inline]
    fn marks<M: Weights>(units: __m512i, count: usize, carry: &mut u64) -> [u64; 3] {
        let (bytes, words) = (_mm512_set1_epi8, |word: u16| _mm512_set1_epi16(word as i16));
        let lanes = low_bits(count);
        let halves = low_bits(count / 2);
        match M::COUNTED {
            // As signed numbers, continuation bytes are the smallest.
            Counted::Chars8 => [_mm512_cmpge_epi8_mask(units, bytes(-64)) & lanes, 0, 0],
            Counted::Units8 => {
                let leads = _mm512_cmpge_epi8_mask(units, bytes(-64)) & lanes;
                [leads, _mm512_cmpge_epu8_mask(units, bytes(0xF0_u8 as i8)) & lanes, 0]
            }
            Counted::Breaks8 => {
                let crs = _mm512_cmpeq_epi8_mask(units, bytes(b'\r' as i8));
                let lfs = _mm512_cmpeq_epi8_mask(units, bytes(b'\n' as i8));
                let behind = crs << 1 | *carry;
                *carry = last(crs, count);
                [(crs | lfs & !behind) & lanes, 0, 0]
            }
            Counted::Breaks16 => {
                let crs = u64::from(_mm512_cmpeq_epi16_mask(units, words(u16::from(b'\r'))));
                let lfs = u64::from(_mm512_cmpeq_epi16_mask(units, words(u16::from(b'\n'))));
                let behind = crs << 1 | *carry;
                *carry = last(crs, count / 2);
                [(crs | lfs & !behind) & halves, 0, 0]
            }
            Counted::Chars16 => [halves & !paired_low(units, count, carry), 0, 0],
            Counted::Bytes16 => {
                let single = !paired_low(units, count, carry);
                let single = single & halves;
                let two = u64::from(_mm512_cmpge_epu16_mask(units, words(0x80)));
                let three = u64::from(_mm512_cmpge_epu16_mask(units, words(0x800)));
                [halves, two & single, three & single]
            }
        }
    }

    /// The low surrogates behind high ones; `carry` as for [`marks`].
    #[inline]
    fn paired_low(units: __m512i, count: usize, carry: &mut u64) -> u64 {
        let words = |word: u16| _mm512_set1_epi16(word as i16);
        let tops = _mm512_and_si512(units, words(0xFC00));
        let highs = u64::from(_mm512_cmpeq_epi16_mask(tops, words(0xD800)));
        let lows = u64::from(_mm512_cmpeq_epi16_mask(tops, words(0xDC00)));
        let behind = highs << 1 | *carry;
        *carry = last(highs, count / 2);
        lows & behind
    }

    /// The last of the first `count` bits; `count` is not 0.
    #[inline]
    fn last(bits: u64, count: usize) -> u64 {
        bits >> (count - 1) & 1
    }

    /// The weight of a block.
    #[inline]
    fn weigh<M: Weights>(marks: [u64; 3]) -> usize {
        let ones = |marks: u64| marks.count_ones() as usize;
        match M::COUNTED {
            Counted::Units8 => ones(marks[0]) + ones(marks[1]),
            Counted::Bytes16 => ones(marks[0]) + ones(marks[1]) + ones(marks[2]),
            _ => ones(marks[0]),
        }
    }

    /// The unit of the block at byte `at` with which `left` is exceeded; there is one.
    #[inline]
    fn select<M: Weights>(marks: [u64; 3], at: usize, limit: usize, left: usize) -> Progress {
        let width = size_of::<M::Unit>();
        let index = match M::COUNTED {
            Counted::Units8 => {
                // The second unit is given to the byte behind; that of the last byte is lost.
                let index = nth_set_bit(marks[0] | marks[1] << 1, left).min(BLOCK - 1);
                index - (1 ^ (marks[0] >> index & 1) as usize)
            }
            Counted::Bytes16 => {
                let spread = |part: u64| {
                    let [a, b, c] = marks.map(|marks| marks >> part & 0xFFFF);
                    deposit(a, 0x1111_1111_1111_1111)
                        | deposit(b, 0x2222_2222_2222_2222)
                        | deposit(c, 0x4444_4444_4444_4444)
                };
                let first = spread(0);
                match left.checked_sub(first.count_ones() as usize) {
                    None => nth_set_bit(first, left) / 4,
                    Some(left) => 16 + nth_set_bit(spread(16), left) / 4,
                }
            }
            _ => nth_set_bit(marks[0], left),
        };
        let before = weigh::<M>(marks.map(|marks| marks & low_bits(index)));
        Progress { read: at / width + index, written: limit - left + before }
    }
}
