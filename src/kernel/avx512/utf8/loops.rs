//! The adaptive loops on AVX-512: chunks of four cache lines.
//!
//! - *Sparse*: ASCII takes one test per chunk; a chunk behind ASCII is checked block by block, and others as in *four*.
//! - *Two*, entirely in vectors, with a second load one byte back: `subs(previous, 40)` has its top bit set if and only
//!   if the previous byte is C0..FF, and `adds(byte, 40)`, signed, if and only if the byte is a continuation byte; the
//!   two must agree.
//! - *Plain*, up to three bytes without E0 and ED, which is most text: rule (1) in general registers. Rule (2) is not
//!   needed, as every other lead byte allows all continuation bytes.
//! - *Three* and *four*: both rules, with a second load one byte ahead.
//!
//! Nothing is classified in advance: what a loop does not handle shows as an error in the test that it makes anyway.
//! *Two* looks up lead bytes above DF as rejected, in [`rejected_by_two`](super::classes::Rules::rejected_by_two),
//! *plain* rejects those that are [`special`](super::classes::Rules::special), and *three* every second byte of a
//! character of four bytes, by [`second_of_three`](super::classes::Rules::second_of_three).
//!
//! *Two* checks a pair of bytes at its second byte, the others at its first; so a C0 in the last byte before a change
//! of loops could be missed. In fact it cannot, since what *two* rejects is checked again, from the character before it
//! on. The others check the pair across the boundary all the same when they are entered (in
//! [`OpenLeads::checked_before`], which computes what is incomplete there anyway), so each is correct by itself,
//! whatever calls it.
//!
//! # What helped, and what did not
//! A prefetch into L1 eight lines ahead helped most: loads that cross a line then cross it in L1 (*two*: 49 → 60 GB/s).
//! What did not: three loads back for everything (31 GB/s where *four* has 37), since all of them cross a line;
//! shifting in registers instead, which costs two or three more instructions on port 5; the mask arithmetic of four
//! blocks in plain Rust, which LLVM turns into vectors (22 GB/s), hence [`shift_in`]. `non_ascii ^ leads` ahead of the
//! assembly lets LLVM turn it into a fifth compare, and a zero-masked add followed by `or` becomes a masked move; a
//! masked maximum stays as it is.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::ascii::{STEP, ascii_steps};
use super::super::memory::prefetch;
use super::super::registers::{A, B, C, load_table};
use super::blocks;
use super::classes::rules;
use crate::kernel::shared::adaptive::{AdaptiveLoops, End, Longest, Recent, Run};
use crate::kernel::shared::boundary::boundary_before;

/// The adaptive loops.
pub(super) struct Loops<const CORRECTED: bool>;

impl<const CORRECTED: bool> AdaptiveLoops for Loops<CORRECTED> {
    const STEP: usize = STEP;

    unsafe fn look(src: &[u8], at: usize) -> Result<Longest, usize> {
        // SAFETY: the caller's promise.
        unsafe { look::<CORRECTED>(src, at) }
    }

    unsafe fn sparse(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { sparse::<CORRECTED>(src, at) }
    }

    unsafe fn two(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { two::<CORRECTED>(src, at) }
    }

    unsafe fn plain(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { up_to::<3, true, CORRECTED>(src, at) }
    }

    unsafe fn up_to<const MOST: u32>(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { up_to::<MOST, false, CORRECTED>(src, at) }
    }
}

/// The lead bytes of the block before: which character may be incomplete behind it.
#[derive(Clone, Copy, Default)]
pub(in crate::kernel::avx512) struct OpenLeads {
    pub(in crate::kernel::avx512) leads: u64,
    pub(in crate::kernel::avx512) threes: u64,
    pub(in crate::kernel::avx512) fours: u64,
}

impl OpenLeads {
    /// The lead bytes right before `at`.
    #[inline(always)]
    pub(in crate::kernel::avx512) fn before(src: &[u8], at: usize) -> OpenLeads {
        let bit = |back: usize, least: u8| u64::from(back <= at && src[at - back] >= least) << (BLOCK - back);
        OpenLeads {
            leads: bit(1, 0xC0),
            threes: bit(1, 0xE0) | bit(2, 0xE0),
            fours: bit(1, 0xF0) | bit(2, 0xF0) | bit(3, 0xF0),
        }
    }

    /// The same; `None` if the last of the bytes does not allow the byte at `at`. (With a call of `before` the bytes
    /// were loaded, and their bounds checked, twice.)
    #[inline(always)]
    fn checked_before<const CORRECTED: bool>(src: &[u8], at: usize) -> Option<OpenLeads> {
        let before = |back: usize| if back <= at { src[at - back] } else { 0 };
        let second = rules(CORRECTED).second.0[usize::from(before(1) & 0x3F)].wrapping_add(src[at]);
        if before(1) >= 0xC0 && second >= 0x80 {
            return None;
        }
        let bit = |back: usize, least: u8| u64::from(before(back) >= least) << (BLOCK - back);
        Some(OpenLeads {
            leads: bit(1, 0xC0),
            threes: bit(1, 0xE0) | bit(2, 0xE0),
            fours: bit(1, 0xF0) | bit(2, 0xF0) | bit(3, 0xF0),
        })
    }

    /// Lead bytes that require these of the next bytes as continuation bytes.
    #[inline(always)]
    fn requiring(bits: u64) -> OpenLeads {
        OpenLeads { leads: bits << 63, threes: bits >> 1 << 63, fours: bits >> 2 << 63 }
    }

    /// Whether no character is incomplete.
    #[inline(always)]
    pub(in crate::kernel::avx512) fn is_closed(&self) -> bool {
        self.leads >> 63 | self.threes >> 62 | self.fours >> 61 == 0
    }
}

/// What a chunk contains, one bit for each position in any of its blocks.
#[derive(Default)]
pub(super) struct Seen {
    non_ascii: u64,
    pub(super) threes: u64,
    pub(super) fours: u64,
}

/// The length of the longest character of text with these masks of lead bytes.
#[inline]
pub(super) fn longest(threes: u64, fours: u64) -> Longest {
    Longest(2 + u32::from(threes != 0) + u32::from(fours != 0))
}

/// `mask` shifted left by one to three bits, with the top bits of the mask of the block before shifted in.
#[inline(always)]
pub(in crate::kernel::avx512) fn shift_in<const N: u32>(mask: u64, before: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut later = mask;
        // SAFETY: arithmetic on registers. As assembly it is opaque to LLVM, which otherwise turns the masks of four
        // blocks into vectors.
        unsafe {
            core::arch::asm!(
                "shld {later}, {before}, {n}",
                later = inout(reg) later,
                before = in(reg) before,
                n = const N,
                options(pure, nomem, nostack)
            );
        }
        later
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        mask << N | before >> (64 - N)
    }
}

/// `mask ^ shift_in::<1>(mask, before)`.
#[inline(always)]
fn shift_in_xor(mask: u64, before: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut both = mask;
        // SAFETY: arithmetic on registers; opaque for the same reason.
        unsafe {
            core::arch::asm!(
                "shld {both}, {before}, 1",
                "xor {both}, {mask}",
                both = inout(reg) both,
                mask = in(reg) mask,
                before = in(reg) before,
                options(pure, nomem, nostack)
            );
        }
        both
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        mask ^ shift_in::<1>(mask, before)
    }
}

/// Checks a chunk whose characters have up to `MOST` bytes and, if `PLAIN`, no special lead bytes. `open` are the lead
/// bytes before it, and then those of its last block.
///
/// # Safety
/// Only within a function of [`avx512!`], into which it must be inlined (the compiler does not accept
/// `#[inline(always)]` together with target features); and there must be a byte behind the chunk.
#[inline(always)]
unsafe fn chunk<const MOST: u32, const PLAIN: bool, const CORRECTED: bool>(
    src: &[u8],
    at: usize,
    open: &mut OpenLeads,
) -> Option<Seen> {
    // SAFETY: the caller's promise.
    unsafe {
        let rules = rules(CORRECTED);
        let rules = load_table(match (MOST, PLAIN) {
            (_, true) => &rules.special,
            (3, _) => &rules.second_of_three,
            _ => &rules.second,
        });
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let mut disallowed = _mm512_setzero_si512();
        let mut error = 0;
        let mut seen = Seen::default();
        for block in 0..STEP / BLOCK {
            let p = src.as_ptr().add(at + block * BLOCK);
            prefetch(p);
            let bytes = _mm512_loadu_si512(p.cast());
            let leads = _mm512_cmpge_epu8_mask(bytes, splat(0xC0));
            let rule = _mm512_permutexvar_epi8(bytes, rules);
            let checked =
                if PLAIN { rule } else { _mm512_add_epi8(rule, _mm512_loadu_si512(p.add(1).cast())) };
            disallowed = _mm512_mask_max_epu8(disallowed, leads, disallowed, checked);

            let threes = _mm512_cmpge_epu8_mask(bytes, splat(0xE0));
            let non_ascii = _mm512_movepi8_mask(bytes);
            // The bits of the lead bytes cancel those in `non_ascii`, which leaves the continuation bytes.
            let mut misplaced =
                shift_in::<2>(threes, open.threes) ^ shift_in_xor(leads, open.leads) ^ non_ascii;
            if MOST == 4 {
                let fours = _mm512_cmpge_epu8_mask(bytes, splat(0xF0));
                misplaced ^= shift_in::<3>(fours, open.fours);
                open.fours = fours;
                seen.fours |= fours;
            }
            error |= misplaced;
            (open.leads, open.threes) = (leads, threes);
            seen.threes |= threes;
            seen.non_ascii |= non_ascii;
        }
        if error | _mm512_movepi8_mask(disallowed) != 0 { None } else { Some(seen) }
    }
}

avx512! {
    /// Chunks that are mostly ASCII, and anything in between.
    #[inline(never)]
    fn sparse<const CORRECTED: bool>(src: &[u8], mut at: usize) -> Run {
        let Some(mut open) = OpenLeads::checked_before::<CORRECTED>(src, at) else {
            return Run { at, end: End::Refused };
        };
        let mut recent = Recent::default();
        while src.len() - at > STEP {
            if open.is_closed() {
                // SAFETY: `at` is within `src`.
                let to = unsafe { ascii_steps(src, at) };
                if to != at {
                    recent.passed((to - at) / STEP);
                    at = to;
                    if src.len() - at <= STEP {
                        break;
                    }
                    // Something rare within much ASCII: it may well be an error.
                    match blocks::<CORRECTED>(src, at, STEP / BLOCK) {
                        Ok((_, behind)) => open = OpenLeads::requiring(behind),
                        Err(boundary) => return Run { at, end: End::IllFormed(boundary) },
                    }
                    at += STEP;
                    continue;
                }
            }
            // SAFETY: more than a step is left.
            let Some(seen) = (unsafe { chunk::<4, false, CORRECTED>(src, at, &mut open) }) else {
                return Run { at, end: End::Refused };
            };
            at += STEP;
            if recent.sparse(true) {
                return Run { at, end: End::Dense(longest(seen.threes, seen.fours)) };
            }
        }
        Run { at, end: End::Quiet }
    }

    /// Chunks whose characters have one or two bytes.
    #[inline(never)]
    fn two<const CORRECTED: bool>(src: &[u8], mut at: usize) -> Run {
        let rejected = load_table(&rules(CORRECTED).rejected_by_two);
        let offset = _mm512_set1_epi8(0x40);
        let mut recent = Recent::default();
        while src.len() - at > STEP {
            let mut error = _mm512_setzero_si512();
            let mut non_ascii = _mm512_setzero_si512();
            for block in 0..STEP / BLOCK {
                // SAFETY: the step is within `src`, and so is the byte before it: `at` is not 0.
                let (bytes, previous) = unsafe {
                    let p = src.as_ptr().add(at + block * BLOCK);
                    prefetch(p);
                    (_mm512_loadu_si512(p.cast()), _mm512_loadu_si512(p.sub(1).cast()))
                };
                let after_lead = _mm512_subs_epu8(previous, offset);
                let continuation = _mm512_adds_epi8(bytes, offset);
                let unknown = _mm512_permutexvar_epi8(previous, rejected);
                error = _mm512_ternarylogic_epi64::<{ A | (B ^ C) }>(error, after_lead, continuation);
                error = _mm512_ternarylogic_epi64::<{ A | (B & C) }>(error, unknown, after_lead);
                non_ascii = _mm512_or_si512(non_ascii, bytes);
            }
            if _mm512_movepi8_mask(error) != 0 {
                return Run { at, end: End::Refused };
            }
            at += STEP;
            if let Some(end) = recent.dense(true, _mm512_movepi8_mask(non_ascii) == 0) {
                return Run { at, end };
            }
        }
        Run { at, end: End::Quiet }
    }

    /// Chunks whose characters have up to `MOST` bytes, 3 or 4; if `PLAIN`, without special lead bytes.
    #[inline(never)]
    fn up_to<const MOST: u32, const PLAIN: bool, const CORRECTED: bool>(src: &[u8], mut at: usize) -> Run {
        let Some(mut open) = OpenLeads::checked_before::<CORRECTED>(src, at) else {
            return Run { at, end: End::Refused };
        };
        if MOST == 3 && open.fours != 0 {
            return Run { at, end: End::Refused };
        }
        let mut recent = Recent::default();
        while src.len() - at > STEP {
            // SAFETY: more than a step is left.
            let Some(seen) = (unsafe { chunk::<MOST, PLAIN, CORRECTED>(src, at, &mut open) }) else {
                return Run { at, end: End::Refused };
            };
            at += STEP;
            let needed = if MOST == 3 { seen.threes } else { seen.fours };
            if let Some(end) = recent.dense(needed != 0, seen.non_ascii == 0) {
                return Run { at, end };
            }
        }
        Run { at, end: End::Quiet }
    }

    /// Checks the rejected chunk at `at` block by block: finds the exact position of an error.
    #[inline(never)]
    fn look<const CORRECTED: bool>(src: &[u8], at: usize) -> Result<Longest, usize> {
        let from = boundary_before(src, at);
        // One block more than the chunk has, as this begins a little earlier.
        let (seen, _) = blocks::<CORRECTED>(src, from, STEP / BLOCK + 1)?;
        Ok(longest(seen.threes, seen.fours))
    }
}
