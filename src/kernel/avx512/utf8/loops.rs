//! The loops of the modes, on AVX-512: chunks of four cache lines.
//!
//! - *Sparse*: what is ASCII takes one test for the chunk; a chunk that follows such a one is looked
//!   at block by block, and others go the way of *four*.
//! - *Two*, all in vectors, with a second load one byte back: `subs(previous, 40)` has its top bit
//!   set iff the previous byte is C0..FF, and `adds(byte, 40)`, signed, iff the byte is a
//!   continuation; the two must agree.
//! - *Plain*, up to three bytes without E0 and ED, which is most text: rule (1) in general
//!   registers; rule (2) is not needed, for every other lead takes all continuation bytes.
//! - *Three* and *four*: both rules, with a second load one byte ahead.
//!
//! Nothing is classified in advance: what a loop does not know shows up as an error in the very test
//! that it makes anyway. *Two* looks up leads above DF as refused, in [`REFUSED`](super::classes::Rules::refused), *plain* those
//! that are [`particular`](super::classes::Rules::particular), and *three* refuses every second byte of a four-byte
//! character, by [`second_of_three`](super::classes::Rules::second_of_three).
//!
//! *Two* judges a pair of bytes at its second, the others at its first; so a C0 in the last byte before
//! a change of loops could slip through. Nowadays it cannot, for whatever *two* refuses is looked at
//! closely, from the character before it on. The others look at the pair across the edge all the same
//! when they are entered ([`Open::at`], which they need anyway to know what is open), so that each is
//! right by itself, whoever calls it.
//!
//! # What helped, and what did not
//! What helped beyond all expectation is a prefetch into L1 eight lines ahead: loads that cross a
//! line then cross it in L1 (*two*: 49 → 60 GB/s). What did not: three loads back for everything
//! (31 GB/s where *four* has 37), for all of them cross a line; shifting in registers instead, which
//! costs two or three more instructions of port 5; four blocks of mask arithmetic in plain Rust,
//! which LLVM rebuilds into vectors (22 GB/s), hence [`follow`]. `sign ^ leads` ahead of the assembly
//! lets LLVM turn it into a fifth compare, and a zero-masked add followed by `or` becomes a masked
//! move; a masked maximum stays what it is.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::ascii::{STEP, ascii_steps};
use super::blocks;
use super::classes::{rules, table};
use crate::kernel::shared::adaptive::{AdaptiveLoops, End, Longest, Recent, Run};
use crate::kernel::shared::boundary::boundary_before;

/// How far ahead the chunk loops prefetch.
const AHEAD: usize = 8 * BLOCK;

/// The loops of the modes.
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

/// The masks of the block before: what is open behind it.
struct Open {
    leads: u64,
    threes: u64,
    fours: u64,
}

impl Open {
    /// What is open right before `at`, by the bytes there; `None` if a lead refuses the byte at
    /// `at`.
    #[inline(always)]
    fn at<const CORRECTED: bool>(src: &[u8], at: usize) -> Option<Open> {
        let before = |back: usize| if back <= at { src[at - back] } else { 0 };
        let second = rules(CORRECTED).second.0[usize::from(before(1) & 0x3F)].wrapping_add(src[at]);
        if before(1) >= 0xC0 && second >= 0x80 {
            return None;
        }
        let bit = |back: usize, least: u8| u64::from(before(back) >= least) << (BLOCK - back);
        Some(Open {
            leads: bit(1, 0xC0),
            threes: bit(1, 0xE0) | bit(2, 0xE0),
            fours: bit(1, 0xF0) | bit(2, 0xF0) | bit(3, 0xF0),
        })
    }

    /// What asks for these of the next bytes.
    #[inline(always)]
    fn with(bits: u64) -> Open {
        Open { leads: bits << 63, threes: bits >> 1 << 63, fours: bits >> 2 << 63 }
    }

    /// Whether no character is.
    #[inline(always)]
    fn is_none(&self) -> bool {
        self.leads >> 63 | self.threes >> 62 | self.fours >> 61 == 0
    }
}

/// What a chunk holds, a bit for each place in some block.
#[derive(Default)]
pub(super) struct Seen {
    signs: u64,
    pub(super) threes: u64,
    pub(super) fours: u64,
}

/// The longest character of text with these masks of leads.
#[inline]
pub(super) fn longest(threes: u64, fours: u64) -> Longest {
    Longest(2 + u32::from(threes != 0) + u32::from(fours != 0))
}

/// `mask` one to three bytes later, with the top bits of the mask of the block before.
#[inline(always)]
pub(in crate::kernel::avx512) fn follow<const N: u32>(mask: u64, before: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut later = mask;
        // SAFETY: arithmetic on registers. As assembly it is opaque to LLVM, which otherwise
        // rebuilds the masks of four blocks into vectors.
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

/// `mask ^ follow::<1>(mask, before)`.
#[inline(always)]
fn follow_and_self(mask: u64, before: u64) -> u64 {
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
        mask ^ follow::<1>(mask, before)
    }
}

/// One chunk, if its characters have up to `MOST` bytes, and, if `PLAIN`, no lead of them is
/// particular. `open` is what is open before it, and then behind it.
///
/// # Safety
/// Only inside of a function of [`avx512!`], into which it must be inlined (an attribute that the
/// compiler does not take together with features); and there must be a byte behind the chunk.
#[inline(always)]
unsafe fn chunk<const MOST: u32, const PLAIN: bool, const CORRECTED: bool>(
    src: &[u8],
    at: usize,
    open: &mut Open,
) -> Option<Seen> {
    // SAFETY: the caller's promise.
    unsafe {
        let rules = rules(CORRECTED);
        let rules = table(match (MOST, PLAIN) {
            (_, true) => &rules.particular,
            (3, _) => &rules.second_of_three,
            _ => &rules.second,
        });
        let floor = |byte: u8| _mm512_set1_epi8(byte as i8);
        let mut refused = _mm512_setzero_si512();
        let mut error = 0;
        let mut seen = Seen::default();
        for block in 0..STEP / BLOCK {
            let p = src.as_ptr().add(at + block * BLOCK);
            prefetch(p);
            let bytes = _mm512_loadu_si512(p.cast());
            let leads = _mm512_cmpge_epu8_mask(bytes, floor(0xC0));
            let rule = _mm512_permutexvar_epi8(bytes, rules);
            let verdict =
                if PLAIN { rule } else { _mm512_add_epi8(rule, _mm512_loadu_si512(p.add(1).cast())) };
            refused = _mm512_mask_max_epu8(refused, leads, refused, verdict);

            let threes = _mm512_cmpge_epu8_mask(bytes, floor(0xE0));
            let signs = _mm512_movepi8_mask(bytes);
            // The leads' bits cancel those in `signs`, which leaves the continuations.
            let mut misplaced = follow::<2>(threes, open.threes) ^ follow_and_self(leads, open.leads) ^ signs;
            if MOST == 4 {
                let fours = _mm512_cmpge_epu8_mask(bytes, floor(0xF0));
                misplaced ^= follow::<3>(fours, open.fours);
                open.fours = fours;
                seen.fours |= fours;
            }
            error |= misplaced;
            (open.leads, open.threes) = (leads, threes);
            seen.threes |= threes;
            seen.signs |= signs;
        }
        if error | _mm512_movepi8_mask(refused) != 0 { None } else { Some(seen) }
    }
}

/// The truth tables of the three inputs of a ternary operation: write the formula, get its table.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;

avx512! {
    /// Chunks of which most are ASCII, and anything in between.
    #[inline(never)]
    fn sparse<const CORRECTED: bool>(src: &[u8], mut at: usize) -> Run {
        let Some(mut open) = Open::at::<CORRECTED>(src, at) else {
            return Run { at, end: End::Refused };
        };
        let mut recent = Recent::default();
        while src.len() - at > STEP {
            if open.is_none() {
                // SAFETY: `at` is within `src`.
                let to = unsafe { ascii_steps(src, at) };
                if to != at {
                    recent.passed((to - at) / STEP);
                    at = to;
                    if src.len() - at <= STEP {
                        break;
                    }
                    // Something rare in a sea of ASCII: an error, as likely as not.
                    match blocks::<CORRECTED>(src, at, STEP / BLOCK) {
                        Ok((_, behind)) => open = Open::with(behind),
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
        let refused = table(&rules(CORRECTED).refused);
        let offset = _mm512_set1_epi8(0x40);
        let mut recent = Recent::default();
        while src.len() - at > STEP {
            let mut error = _mm512_setzero_si512();
            let mut signs = _mm512_setzero_si512();
            for block in 0..STEP / BLOCK {
                // SAFETY: the step is within `src`, and so is the byte before it: `at` is not 0.
                let (bytes, previous) = unsafe {
                    let p = src.as_ptr().add(at + block * BLOCK);
                    prefetch(p);
                    (_mm512_loadu_si512(p.cast()), _mm512_loadu_si512(p.sub(1).cast()))
                };
                let after_lead = _mm512_subs_epu8(previous, offset);
                let continuation = _mm512_adds_epi8(bytes, offset);
                let unknown = _mm512_permutexvar_epi8(previous, refused);
                error = _mm512_ternarylogic_epi64::<{ A | (B ^ C) }>(error, after_lead, continuation);
                error = _mm512_ternarylogic_epi64::<{ A | (B & C) }>(error, unknown, after_lead);
                signs = _mm512_or_si512(signs, bytes);
            }
            if _mm512_movepi8_mask(error) != 0 {
                return Run { at, end: End::Refused };
            }
            at += STEP;
            if let Some(end) = recent.dense(true, _mm512_movepi8_mask(signs) == 0) {
                return Run { at, end };
            }
        }
        Run { at, end: End::Quiet }
    }

    /// Chunks whose characters have up to `MOST` bytes, 3 or 4; if `PLAIN`, without particular
    /// leads.
    #[inline(never)]
    fn up_to<const MOST: u32, const PLAIN: bool, const CORRECTED: bool>(src: &[u8], mut at: usize) -> Run {
        let Some(mut open) = Open::at::<CORRECTED>(src, at) else {
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
            if let Some(end) = recent.dense(needed != 0, seen.signs == 0) {
                return Run { at, end };
            }
        }
        Run { at, end: End::Quiet }
    }

    /// Looks closely at the refused chunk at `at`: finds the exact place of an error.
    #[inline(never)]
    fn look<const CORRECTED: bool>(src: &[u8], at: usize) -> Result<Longest, usize> {
        let from = boundary_before(src, at);
        // One block more than the chunk has, for it begins a little earlier.
        let (seen, _) = blocks::<CORRECTED>(src, from, STEP / BLOCK + 1)?;
        Ok(longest(seen.threes, seen.fours))
    }

    #[inline]
    fn prefetch(p: *const u8) {
        // SAFETY: a prefetch does not fault, wherever it points. (Younger versions of Rust know that,
        // and need no `unsafe` here.)
        #[allow(unused_unsafe)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(AHEAD).cast());
        }
    }
}
