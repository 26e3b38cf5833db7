//! UTF-8 validation over vectors of 16 or 32 bytes.
//!
//! # The general test
//! Keiser and Lemire ("Validating UTF-8 in less than one instruction per byte", 2021) found that
//! every error within two bytes shows in three lookups of sixteen entries: by the high and the low
//! half of the first byte, and the high half of the second. Each entry is a set of the errors that
//! this half allows; an error is real where all three agree. One bit of the sets, the sign, says
//! "two continuation bytes in a row", which is an error unless a lead of three or four bytes
//! stands two or three places back, and must not be missing if one does.
//!
//! The look back is by loads at one, two and three bytes earlier, not by shifting two registers
//! together: a load costs no shuffle port, of which the lookups need three already.
//!
//! # Modes
//! As in [`modes`](crate::kernel::modes). *Two* takes seven instructions per vector and no lookup;
//! *three* is the general test without the load three back, and refuses leads of four bytes by an
//! entry that all second bytes agree with; there is no *plain*, for it would save nothing.
//!
//! In *two*, `sub(previous, 40)`, unsigned, has its sign set iff the previous byte is a lead, and
//! `add(byte, 40)`, signed, iff the byte is a continuation; the two must agree. Leads above DF
//! show in the greatest of all previous bytes, and C0 and C1 in the greatest of all previous
//! bytes minus C2, where they have become FE and FF. All modes judge a pair of bytes when they are
//! at its second, so that no pair is lost where modes change.
//!
//! # Ends
//! The first vector looks back into zeros, by shifting. The last is taken so that it ends with the
//! input; what is shorter than a vector is put together from smaller loads. So there is no loop
//! over single bytes, whatever the length.

use super::STEP;
use super::ascii::ascii_steps;
use crate::kernel::edge::boundary_before;
use crate::kernel::modes::{End, Longest, Mode, Modes, Recent, Run, drive};
use crate::kernel::vector::{Operation, Vector};

/// The length of a well-formed prefix of `src`; see the contract of the kernels.
pub(in crate::kernel) struct Utf8ValidPrefix<'a> {
    pub src: &'a [u8],
}

impl Operation for Utf8ValidPrefix<'_> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: all loads are of whole vectors within `src`, or partial.
        unsafe {
            let zero = V::splat(0);
            if src.len() < V::LEN {
                let bytes = V::load_partial(src);
                if !bytes.any_sign() {
                    return src.len();
                }
                // A character cut short is followed by zeros, and shows as an error there.
                let error = Lookups::<V>::new().judge(bytes, zero);
                return if error.any() { stop_at(src, 0, error, src.len()) } else { src.len() };
            }
            let bytes = V::load(src.as_ptr());
            if bytes.any_sign() {
                let error = Lookups::<V>::new().judge(bytes, zero);
                if error.any() {
                    return stop_at(src, 0, error, src.len());
                }
            }
            if src.len() > 2 * STEP { V::enter(Bulk { src }) } else { remainder::<V>(src, V::LEN) }
        }
    }
}

/// A long input whose first vector is already found in order: the modes, and the remainder.
struct Bulk<'a> {
    src: &'a [u8],
}

impl Operation for Bulk<'_> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let src = self.src;
        // SAFETY: `src` holds many vectors; the modes begin behind the first, aligned, and what
        // the first two hold says which of them may begin.
        unsafe {
            let bytes = V::load(src.as_ptr().add(V::LEN));
            let both = V::load(src.as_ptr()).max(bytes);
            let error = Lookups::new().judge_at(src.as_ptr().add(V::LEN), bytes);
            if error.any() {
                return stop_at(src, V::LEN, error, src.len());
            }
            let mode = if both.any_sign() { longest(both).mode() } else { Mode::Sparse };
            let at = 2 * V::LEN - src.as_ptr() as usize % V::LEN;
            match drive::<Loops<V>>(src, at, mode) {
                Ok(at) => remainder::<V>(src, at),
                Err(boundary) => boundary,
            }
        }
    }
}

/// The longest character of text with these greatest bytes.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn longest<V: Vector>(greatest: V) -> Longest {
    // SAFETY: the caller's promise.
    unsafe {
        let three = greatest.sub_saturating(V::splat(0xDF)).any();
        let four = greatest.sub_saturating(V::splat(0xEF)).any();
        Longest(2 + u32::from(three) + u32::from(four))
    }
}

/// The rest of `src` from `at` on, which is at least 3, vector by vector; finds the exact place of
/// an error. What is before `at` is in order, save a character still open there.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn remainder<V: Vector>(src: &[u8], mut at: usize) -> usize {
    // SAFETY: all loads are within `src`, and those of `judge_at` begin at most 3 bytes earlier.
    unsafe {
        let lookups = Lookups::<V>::new();
        let start = src.as_ptr();
        while src.len() - at >= V::LEN {
            let bytes = V::load(start.add(at));
            // Nothing but ASCII from three bytes earlier on: nothing is open, and nothing opens.
            if bytes.or(V::load(start.add(at - 3))).any_sign() {
                let error = lookups.judge_at(start.add(at), bytes);
                if error.any() {
                    return stop_at(src, at, error, src.len());
                }
            }
            at += V::LEN;
        }
        if at < src.len() {
            // The last vector, which overlaps the one before it.
            let last = src.len() - V::LEN;
            let (first, bytes) = if last >= 3 {
                (last, lookups.judge_at(start.add(last), V::load(start.add(last))))
            } else {
                // Too close to the start to look back from by loads.
                let mut before = [0; BLOCK];
                before[BLOCK - last..].copy_from_slice(&src[..last]);
                let before = V::load(before.as_ptr().add(BLOCK - V::LEN));
                (last, lookups.judge(V::load(start.add(last)), before))
            };
            if bytes.any() {
                return stop_at(src, first, bytes, src.len());
            }
        }
        let least = [0xC0, 0xE0, 0xF0];
        let open = (1..=3).any(|back| src[src.len() - back] >= least[back - 1]);
        if open { boundary_before(src, src.len()) } else { src.len() }
    }
}

/// The boundary before the first error in the vector at `at`.
///
/// # Safety
/// As for [`Operation::run`].
#[inline(always)]
unsafe fn stop_at<V: Vector>(src: &[u8], at: usize, error: V, end: usize) -> usize {
    // SAFETY: the caller's promise.
    boundary_before(src, (at + unsafe { error.first() }).min(end))
}

/// A lead followed by no continuation; a continuation or ASCII followed by a continuation.
const TOO_SHORT: u8 = 1 << 0;
const TOO_LONG: u8 = 1 << 1;
/// E0 80..9F.
const OVERLONG_3: u8 = 1 << 2;
/// F4 90..BF, and the next.
const TOO_LARGE: u8 = 1 << 3;
/// ED A0..BF.
const SURROGATE: u8 = 1 << 4;
/// C0, C1.
const OVERLONG_2: u8 = 1 << 5;
/// F0 80..8F; and F5..FF followed by 80..8F, which is not told apart for want of a bit.
const OVERLONG_4: u8 = 1 << 6;
const TOO_LARGE_1000: u8 = 1 << 6;
/// Two continuation bytes in a row: the sign.
const TWO_CONTINUATIONS: u8 = 1 << 7;
/// What does not depend on the low half of the first byte.
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

/// By the high half of the first byte.
static FIRST_HIGH: [u8; 16] = {
    let mut table = [0; 16];
    let mut high = 0;
    while high < 16 {
        table[high] = match high {
            0x0..=0x7 => TOO_LONG,
            0x8..=0xB => TWO_CONTINUATIONS,
            0xC => TOO_SHORT | OVERLONG_2,
            0xD => TOO_SHORT,
            0xE => TOO_SHORT | OVERLONG_3 | SURROGATE,
            _ => TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
        };
        high += 1;
    }
    table
};

/// The same where a lead of four bytes is an error whatever comes with it.
static FIRST_HIGH_OF_THREE: [u8; 16] = {
    let mut table = FIRST_HIGH;
    table[0xF] = TOO_SHORT | TOO_LONG;
    table
};

/// By the low half of the first byte.
static FIRST_LOW: [u8; 16] = {
    let mut table = [0; 16];
    let mut low = 0;
    while low < 16 {
        table[low] = CARRY
            | match low {
                0x0 => OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
                0x1 => OVERLONG_2,
                0x2 | 0x3 => 0,
                0x4 => TOO_LARGE,
                0xD => TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
                _ => TOO_LARGE | TOO_LARGE_1000,
            };
        low += 1;
    }
    table
};

/// By the high half of the second byte.
static SECOND_HIGH: [u8; 16] = {
    let mut table = [0; 16];
    let mut high = 0;
    while high < 16 {
        table[high] = match high {
            0x8 => TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
            0x9 => TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE,
            0xA | 0xB => TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE,
            _ => TOO_SHORT,
        };
        high += 1;
    }
    table
};

/// The tables of the general test, in registers.
struct Lookups<V> {
    first_high: V,
    first_low: V,
    second_high: V,
    threes: V,
    fours: V,
}

impl<V: Vector> Lookups<V> {
    /// # Safety
    /// As for [`Operation::run`]; the same holds for the methods.
    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::for_characters_up_to(4) }
    }

    #[inline(always)]
    unsafe fn for_characters_up_to(most: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Lookups {
                first_high: V::table(if most == 4 { &FIRST_HIGH } else { &FIRST_HIGH_OF_THREE }),
                first_low: V::table(&FIRST_LOW),
                second_high: V::table(&SECOND_HIGH),
                threes: V::splat(0xE0 - 0x80),
                fours: V::splat(0xF0 - 0x80),
            }
        }
    }

    /// The errors of `bytes`, which come right behind `before`: a byte that is not zero where a
    /// rule is broken.
    #[inline(always)]
    unsafe fn judge(&self, bytes: V, before: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let third = bytes.previous::<2>(before).sub_saturating(self.threes);
            let fourth = bytes.previous::<3>(before).sub_saturating(self.fours);
            self.pair(bytes, bytes.previous::<1>(before), third.or(fourth))
        }
    }

    /// The errors of `bytes`, those at `p`, which must have three bytes before it.
    #[inline(always)]
    unsafe fn judge_at(&self, p: *const u8, bytes: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let third = V::load(p.sub(2)).sub_saturating(self.threes);
            let fourth = V::load(p.sub(3)).sub_saturating(self.fours);
            self.pair(bytes, V::load(p.sub(1)), third.or(fourth))
        }
    }

    /// The errors of pairs; `continues` has its sign set where the byte must be the third or
    /// fourth of a character.
    #[inline(always)]
    unsafe fn pair(&self, bytes: V, previous: V, continues: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let first_high = previous.high_nibbles().lookup(self.first_high);
            let first_low = previous.low_nibbles().lookup(self.first_low);
            let second_high = bytes.high_nibbles().lookup(self.second_high);
            let errors = first_high.and(first_low).and(second_high);
            errors.xor(continues.and(V::splat(0x80)))
        }
    }
}

/// The loops of the modes.
struct Loops<V>(core::marker::PhantomData<V>);

impl<V: Vector> Modes for Loops<V> {
    const STEP: usize = STEP;

    #[inline(always)]
    unsafe fn look(src: &[u8], at: usize) -> Result<Longest, usize> {
        // SAFETY: the caller's promise.
        unsafe { V::enter(Look { src, at }) }
    }

    #[inline(always)]
    unsafe fn plain(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::enter(UpTo::<3> { src, at }) }
    }

    #[inline(always)]
    unsafe fn sparse(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::enter(Sparse { src, at }) }
    }

    #[inline(always)]
    unsafe fn two(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::enter(Two { src, at }) }
    }

    #[inline(always)]
    unsafe fn up_to<const MOST: u32>(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::enter(UpTo::<MOST> { src, at }) }
    }
}

/// Looks closely at the refused chunk at `at`: finds the exact place of an error.
struct Look<'a> {
    src: &'a [u8],
    at: usize,
}

impl Operation for Look<'_> {
    type Output = Result<Longest, usize>;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Result<Longest, usize> {
        let (src, at) = (self.src, self.at);
        // SAFETY: the step is within `src`, and so are the three bytes before it.
        unsafe {
            let lookups = Lookups::<V>::new();
            let mut greatest = V::splat(0);
            for vector in 0..STEP / V::LEN {
                let at = at + vector * V::LEN;
                let p = src.as_ptr().add(at);
                let bytes = V::load(p);
                let error = lookups.judge_at(p, bytes);
                if error.any() {
                    return Err(stop_at(src, at, error, src.len()));
                }
                greatest = greatest.max(bytes);
            }
            Ok(longest(greatest))
        }
    }
}

/// Chunks of which most is ASCII: by steps, then by blocks.
struct Sparse<'a> {
    src: &'a [u8],
    at: usize,
}

/// The blocks of the sparse loop.
const BLOCK: usize = 64;

impl Operation for Sparse<'_> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let (src, mut at) = (self.src, self.at);
        // SAFETY: the step is within `src`, and so are the three bytes before it.
        unsafe {
            let lookups = Lookups::<V>::new();
            let mut recent = Recent::default();
            // Whether so many bytes, and the three before them, are ASCII: nothing is open.
            let ascii = |p: *const u8, len: usize| {
                let mut all = V::load(p.sub(3));
                for vector in 0..len / V::LEN {
                    all = all.or(V::load(p.add(vector * V::LEN)));
                }
                !all.any_sign()
            };
            while src.len() - at > STEP {
                let p = src.as_ptr().add(at);
                if ascii(p, STEP) {
                    let to = ascii_steps::<V>(src, at + STEP);
                    recent.passed((to - at) / STEP);
                    at = to;
                    continue;
                }
                let mut dense = 0;
                let mut greatest = V::splat(0);
                for block in 0..STEP / BLOCK {
                    let at = at + block * BLOCK;
                    if ascii(src.as_ptr().add(at), BLOCK) {
                        continue;
                    }
                    dense += 1;
                    for vector in 0..BLOCK / V::LEN {
                        let at = at + vector * V::LEN;
                        let bytes = V::load(src.as_ptr().add(at));
                        let error = lookups.judge_at(src.as_ptr().add(at), bytes);
                        if error.any() {
                            let boundary = stop_at(src, at, error, src.len());
                            return Run { at, end: End::IllFormed(boundary) };
                        }
                        greatest = greatest.max(bytes);
                    }
                }
                at += STEP;
                if recent.sparse(dense > 2) {
                    return Run { at, end: End::Dense(longest(greatest)) };
                }
            }
            Run { at, end: End::Quiet }
        }
    }
}

/// Chunks whose characters have one or two bytes.
struct Two<'a> {
    src: &'a [u8],
    at: usize,
}

impl Operation for Two<'_> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let (src, mut at) = (self.src, self.at);
        // SAFETY: the step is within `src`, and so is the byte before it: `at` is not 0.
        unsafe {
            let offset = V::splat(0x40);
            let minus_c2 = V::splat(0xC2u8.wrapping_neg());
            let zero = V::splat(0);
            let mut recent = Recent::default();
            while src.len() - at > STEP {
                let (mut error, mut greatest, mut overlong, mut sample) = (zero, zero, zero, zero);
                for vector in 0..STEP / V::LEN {
                    let p = src.as_ptr().add(at + vector * V::LEN);
                    let (bytes, previous) = (V::load(p), V::load(p.sub(1)));
                    let after_lead = previous.sub_saturating(offset);
                    let continuation = bytes.add_signed_saturating(offset);
                    error = error.or(after_lead.xor(continuation));
                    greatest = greatest.max(previous);
                    overlong = overlong.max(previous.add(minus_c2));
                    sample = if vector < STEP / V::LEN / 2 { sample } else { sample.or(bytes) };
                }
                // The sign of each byte that rules the chunk out.
                let above = greatest.sub_saturating(V::splat(0xE0 - 0x80));
                let overlong = overlong.sub_saturating(V::splat(0xFE - 0x80));
                if error.or(above).or(overlong).any_sign() {
                    return Run { at, end: End::Refused };
                }
                at += STEP;
                if let Some(end) = recent.dense(true, !sample.any_sign()) {
                    return Run { at, end };
                }
            }
            Run { at, end: End::Quiet }
        }
    }
}

/// Chunks whose characters have up to `MOST` bytes, 3 or 4.
struct UpTo<'a, const MOST: u32> {
    src: &'a [u8],
    at: usize,
}

impl<const MOST: u32> Operation for UpTo<'_, MOST> {
    type Output = Run;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Run {
        let (src, mut at) = (self.src, self.at);
        // SAFETY: the step is within `src`, and so are the three bytes before it.
        unsafe {
            let lookups = Lookups::<V>::for_characters_up_to(MOST);
            let mut recent = Recent::default();
            while src.len() - at > STEP {
                let mut error = V::splat(0);
                let mut greatest = V::splat(0);
                let mut sample = V::splat(0);
                for vector in 0..STEP / V::LEN {
                    let p = src.as_ptr().add(at + vector * V::LEN);
                    let bytes = V::load(p);
                    error = error.or(if MOST == 4 {
                        lookups.judge_at(p, bytes)
                    } else {
                        let third = V::load(p.sub(2)).sub_saturating(lookups.threes);
                        lookups.pair(bytes, V::load(p.sub(1)), third)
                    });
                    greatest = greatest.max(bytes);
                    sample = if vector < STEP / V::LEN / 2 { sample } else { sample.or(bytes) };
                }
                if error.any() {
                    return Run { at, end: End::Refused };
                }
                at += STEP;
                let least = if MOST == 4 { 0xF0 } else { 0xE0 };
                let needed = greatest.sub_saturating(V::splat(least - 0x80)).any_sign();
                if let Some(end) = recent.dense(needed, !sample.any_sign()) {
                    return Run { at, end };
                }
            }
            Run { at, end: End::Quiet }
        }
    }
}
