//! UTF-8 validation on AVX-512: sticky modes over chunks, masks at both ends.
//!
//! # Rules, as arithmetic
//! A byte string is UTF-8 iff (1) the continuation bytes stand exactly where the lead bytes ask
//! for them, and (2) every second byte is in the range of its lead (Table 3-7). For (1), with one
//! bit per byte, `leads << 1 | leads of three and four << 2 | leads of four << 3` must equal
//! `continuations`. For (2) one table, [`SECOND`], indexed by a lead's low six bits, holds an
//! addend such that `addend + second byte` has its top bit set iff that byte is refused.
//!
//! # Modes
//! The bulk is read in chunks of four cache lines, by the cheapest loop that accepts it:
//!
//! - ASCII: one test for the chunk.
//! - Up to two bytes, all in vectors, with a second load one byte back:
//!   `subs(previous, 40)` has its top bit set iff the previous byte is C0..FF, and
//!   `adds(byte, 40)`, signed, iff the byte is a continuation; the two must agree.
//! - Up to three bytes without E0 and ED, which is most text: rule (1) in general registers; rule
//!   (2) is not needed, for every other lead takes all continuation bytes.
//! - Up to three bytes, and up to four: both rules, with a second load one byte ahead.
//!
//! A loop that meets what it does not know refuses the chunk, and the next higher one tries the
//! same chunk ([`modes`](crate::kernel::modes) has the rules). Nothing is classified in advance:
//! what a mode does not know shows up as an error in the very test that it makes anyway (mode 2
//! looks up leads above DF as refused, in [`REFUSED`]; mode 3 refuses every second byte of a
//! four-byte character, by [`SECOND_OF_THREE`]).
//!
//! A mode sees the bytes before its chunk only as far as it needs them: mode 2 judges a pair at its
//! second byte, modes 3 and 4 at its first. So these look once, when they are entered, at the pair
//! across the edge; a C0 in the last byte before a change of modes would slip through otherwise.
//!
//! # Ends
//! Up to 64 bytes are one masked load ([`Window`]) and the masks of mode 4. Longer inputs take
//! their first bytes, up to a line boundary, and their last in the same way. The same code finds
//! the place of an error: it is entered again at the chunk that mode 4 refused.
//!
//! # What did not help
//! Three loads back for everything (28–31 GB/s where mode 4 has 39): all of them cross a line.
//! Shifting in registers instead costs two or three more instructions of port 5. Four blocks of
//! mask arithmetic in plain Rust: LLVM rebuilds them into vectors (22 GB/s), hence [`follow`].
//! Combining `sign ^ leads` ahead of the assembly lets LLVM turn it into a fifth compare, and a
//! zero-masked add followed by `or` becomes a masked move; a masked maximum stays what it is.
//! What did help beyond all expectation is a prefetch into L1 eight lines ahead: the loads that
//! cross a line then cross it in L1 (mode 2: 49 → 60 GB/s).

use super::arch::*;
use super::ascii::{STEP, ascii_steps};
use super::{BLOCK, PAGE, Window};
use crate::kernel::edge::boundary_before;
use crate::kernel::modes::{End, Longest, Mode, Modes, Recent, Run, drive};

/// The longest input for which the place behind its end, where the next byte of an unfinished
/// character is missing, still has a bit in the masks of one block.
const SHORT: usize = BLOCK - 1;

/// How far ahead the chunk loops prefetch.
const AHEAD: usize = 8 * BLOCK;

/// A table for `vpermb`, for lead bytes: indexed by the low six bits of C0..FF.
#[repr(align(64))]
struct ByLead([u8; 64]);

/// What to add to a second byte, 80..BF, so that its top bit is set iff its lead refuses it.
const SECOND: ByLead = ByLead(second(0xF4));

/// The same where leads of four bytes refuse everything.
const SECOND_OF_THREE: ByLead = ByLead(second(0xEF));

/// The top bit for each lead that mode 2 refuses.
const REFUSED: ByLead = ByLead({
    let mut table = second(0xDF);
    let mut low = 0;
    while low < 64 {
        table[low] = if table[low] == 0 { 0x80 } else { 0 };
        low += 1;
    }
    table
});

/// The top bit for each lead that does not take every continuation byte, or begins four bytes.
const PARTICULAR: ByLead = ByLead({
    let mut table = second(0xEF);
    let mut low = 0;
    while low < 64 {
        table[low] = if table[low] == 0xC0 { 0 } else { 0x80 };
        low += 1;
    }
    table
});

/// The addends for leads up to `highest`; those above it refuse every second byte.
const fn second(highest: u8) -> [u8; 64] {
    let mut table = [0; 64];
    let mut lead = 0xC0;
    while lead <= highest {
        table[lead as usize & 0x3F] = match lead {
            0xC0..=0xC1 => 0x00, // none
            0xE0 => 0x60,        // A0..BF
            0xED => 0xE0,        // 80..9F
            0xF0 => 0x70,        // 90..BF
            0xF4 => 0xF0,        // 80..8F
            _ => 0xC0,           // 80..BF
        };
        lead += 1;
    }
    table
}

/// The loops of the modes.
struct Loops;

impl Modes for Loops {
    const STEP: usize = STEP;

    unsafe fn look(src: &[u8], at: usize) -> Result<Longest, usize> {
        // SAFETY: the caller's promise.
        unsafe { look(src, at) }
    }

    unsafe fn sparse(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { sparse(src, at) }
    }

    unsafe fn two(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { two(src, at) }
    }

    unsafe fn plain(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { up_to::<3, true>(src, at) }
    }

    unsafe fn up_to<const MOST: u32>(src: &[u8], at: usize) -> Run {
        // SAFETY: the caller's promise.
        unsafe { up_to::<MOST, false>(src, at) }
    }
}

/// The classes of the 64 bytes of a block, a bit for each.
#[derive(Default)]
struct Masks {
    /// Bytes that are not ASCII.
    signs: u64,
    /// C0..FF
    leads: u64,
    /// E0..FF
    threes: u64,
    /// F0..FF
    fours: u64,
    /// Leads that refuse the byte after them as second byte.
    refused: u64,
}

impl Masks {
    /// The place of the first byte that breaks a rule, when the bits of `open` are bytes that must
    /// be continuation bytes; 64 for the byte after the block.
    #[inline(always)]
    fn first_error(&self, open: u64) -> Option<usize> {
        let misplaced = self.misplaced(open);
        if misplaced | self.refused == 0 {
            return None;
        }
        let second = if self.refused == 0 { BLOCK } else { self.refused.trailing_zeros() as usize + 1 };
        Some(second.min(misplaced.trailing_zeros() as usize))
    }

    /// The continuation bytes that nothing asks for, and the other bytes where one is asked for.
    #[inline(always)]
    fn misplaced(&self, open: u64) -> u64 {
        let asked = open | self.leads << 1 | self.threes << 2 | self.fours << 3;
        asked ^ (self.signs & !self.leads)
    }

    /// Which of the first bytes of the next block must be continuation bytes.
    #[inline(always)]
    fn open(&self) -> u64 {
        self.leads >> 63 | self.threes >> 62 | self.fours >> 61
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
    fn at(src: &[u8], at: usize) -> Option<Open> {
        let before = |back: usize| if back <= at { src[at - back] } else { 0 };
        let second = SECOND.0[usize::from(before(1) & 0x3F)].wrapping_add(src[at]);
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
struct Seen {
    signs: u64,
    threes: u64,
    fours: u64,
}

/// `mask`, in a general register and of unknown origin: LLVM would test it where it is now, and
/// move it all the same when it is needed again.
#[inline(always)]
fn opaque(mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut mask = mask;
        // SAFETY: no instruction at all.
        unsafe {
            core::arch::asm!("/* {mask} */", mask = inout(reg) mask, options(pure, nomem, nostack, preserves_flags))
        };
        mask
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        mask
    }
}

/// `mask` one to three bytes later, with the top bits of the mask of the block before.
#[inline(always)]
fn follow<const N: u32>(mask: u64, before: u64) -> u64 {
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
unsafe fn chunk<const MOST: u32, const PLAIN: bool>(src: &[u8], at: usize, open: &mut Open) -> Option<Seen> {
    // SAFETY: the caller's promise.
    unsafe {
        let rules = table(match (MOST, PLAIN) {
            (_, true) => &PARTICULAR,
            (3, _) => &SECOND_OF_THREE,
            _ => &SECOND,
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

/// The longest character of text with these masks of leads.
fn longest(threes: u64, fours: u64) -> Longest {
    Longest(2 + u32::from(threes != 0) + u32::from(fours != 0))
}

avx512! {
    /// The length of a well-formed prefix of `src`; see the contract of the kernels.
    pub(in crate::kernel) unsafe fn utf8_valid_prefix(src: &[u8]) -> usize {
        if src.len() <= SHORT {
            short(src)
        } else if src.len() <= 2 * STEP {
            if src.len() <= STEP && ascii_ends(src) {
                return src.len();
            }
            remainder(src, 0)
        } else {
            long(src)
        }
    }

    /// Up to [`SHORT`] bytes: one masked load, and room behind them for what is missing.
    #[inline]
    fn short(src: &[u8]) -> usize {
        let p = src.as_ptr();
        if p as usize % PAGE > PAGE - BLOCK || src.is_empty() {
            return within_window(src);
        }
        let lanes = low(src.len());
        // SAFETY: the lanes are the bytes of `src`.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(lanes, p.cast()) };
        if opaque(_mm512_movepi8_mask(bytes)) == 0 {
            return src.len();
        }
        // SAFETY: the lanes are the bytes of `src` but the first.
        let masks = unsafe { classify(bytes, p.wrapping_add(1), lanes >> 1) };
        match masks.first_error(0) {
            None => src.len(),
            Some(flagged) => boundary_before(src, flagged.min(src.len())),
        }
    }

    /// The lowest `count` bits, up to 64.
    #[inline]
    fn low(count: usize) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            _bzhi_u64(!0, count as u32)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            if count == 0 { 0 } else { !0 >> (64 - count) }
        }
    }

    /// Whether the first and the last two blocks are ASCII, of an input that is no longer than that.
    #[inline]
    fn ascii_ends(src: &[u8]) -> bool {
        let last = src.len() - BLOCK;
        let half = BLOCK.min(last);
        // SAFETY: none of these begins behind `last`, where the last block begins.
        let [a, b, c, d] = [0, half, last - half, last].map(|at| unsafe { block(src, at) });
        _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) == 0
    }

    /// A long input: its first block, of which the modes need no more than what is before a line
    /// boundary; then the rest.
    #[inline]
    fn long(src: &[u8]) -> usize {
        // SAFETY: there is much more than a block.
        let first = unsafe { classify(block(src, 0), src.as_ptr().add(1), !0) };
        match first.first_error(0) {
            Some(flagged) => boundary_before(src, flagged),
            None if first.signs == 0 => bulk(src, Mode::Sparse),
            None => bulk(src, longest(first.threes, first.fours).mode()),
        }
    }

    /// The rest of a long input: the modes, beginning with `mode`, and the remainder.
    #[inline(never)]
    fn bulk(src: &[u8], mode: Mode) -> usize {
        let at = BLOCK - src.as_ptr() as usize % BLOCK;
        // SAFETY: `at` is within `src`, and `mode` is that of the bytes before it.
        match unsafe { drive::<Loops>(src, at, mode) } {
            Ok(at) => remainder(src, boundary_before(src, at)),
            Err(boundary) => boundary,
        }
    }

    /// Chunks of which most are ASCII, and anything in between.
    #[inline(never)]
    fn sparse(src: &[u8], mut at: usize) -> Run {
        let Some(mut open) = Open::at(src, at) else {
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
                    match blocks(src, at, STEP / BLOCK) {
                        Ok((_, behind)) => open = Open::with(behind),
                        Err(boundary) => return Run { at, end: End::IllFormed(boundary) },
                    }
                    at += STEP;
                    continue;
                }
            }
            // SAFETY: more than a step is left.
            let Some(seen) = (unsafe { chunk::<4, false>(src, at, &mut open) }) else {
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
    fn two(src: &[u8], mut at: usize) -> Run {
        let refused = table(&REFUSED);
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
    fn up_to<const MOST: u32, const PLAIN: bool>(src: &[u8], mut at: usize) -> Run {
        let Some(mut open) = Open::at(src, at) else {
            return Run { at, end: End::Refused };
        };
        if MOST == 3 && open.fours != 0 {
            return Run { at, end: End::Refused };
        }
        let mut recent = Recent::default();
        while src.len() - at > STEP {
            // SAFETY: more than a step is left.
            let Some(seen) = (unsafe { chunk::<MOST, PLAIN>(src, at, &mut open) }) else {
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
    fn look(src: &[u8], at: usize) -> Result<Longest, usize> {
        let from = boundary_before(src, at);
        // One block more than the chunk has, for it begins a little earlier.
        let (seen, _) = blocks(src, from, STEP / BLOCK + 1)?;
        Ok(longest(seen.threes, seen.fours))
    }

    /// So many blocks from the character boundary `at` on: what they hold, and the bits of the bytes
    /// behind them that must be continuation bytes; or the boundary before the first error. There
    /// must be a byte behind them.
    #[inline]
    fn blocks(src: &[u8], at: usize, count: usize) -> Result<(Seen, u64), usize> {
        debug_assert!(src.len() - at > count * BLOCK);
        let mut seen = Seen::default();
        let mut open = 0;
        for block in 0..count {
            // SAFETY: the callers have more than these blocks.
            let masks = unsafe { whole_block(src, at + block * BLOCK, &mut open)? };
            seen.threes |= masks.threes;
            seen.fours |= masks.fours;
        }
        Ok((seen, open))
    }

    /// One block at `at`; or the boundary before its first error.
    ///
    /// # Safety
    /// There must be a byte behind it.
    #[inline]
    unsafe fn whole_block(src: &[u8], at: usize, open: &mut u64) -> Result<Masks, usize> {
        // SAFETY: the caller's promise.
        let bytes = unsafe { block(src, at) };
        if opaque(_mm512_movepi8_mask(bytes)) | *open == 0 {
            return Ok(Masks::default());
        }
        // SAFETY: there is more than a block from `at` on.
        let masks = unsafe { classify(bytes, src.as_ptr().add(at + 1), !0) };
        if let Some(flagged) = masks.first_error(*open) {
            return Err(boundary_before(src, at + flagged));
        }
        *open = masks.open();
        Ok(masks)
    }

    /// What is left from the character boundary `at` on, without modes. `src` is at least a block.
    fn remainder(src: &[u8], mut at: usize) -> usize {
        let mut open = 0;
        while src.len() - at > BLOCK {
            // SAFETY: there is more than a block.
            if let Err(boundary) = unsafe { whole_block(src, at, &mut open) } {
                return boundary;
            }
            at += BLOCK;
        }

        // The last block ends with the input; its first `known` bytes are judged already.
        let last = src.len() - BLOCK;
        let known = at - last;
        // SAFETY: `src` is at least a block, and so `last` is where its last one begins.
        let bytes = unsafe { block(src, last) };
        if opaque(_mm512_movepi8_mask(bytes)) | open == 0 {
            return src.len();
        }
        // SAFETY: all but the last lane are bytes of `src`.
        let masks = unsafe { classify(bytes, src.as_ptr().add(last + 1), !0 >> 1) };
        // The bytes before the block may have characters open in it: nothing is known of those
        // but for `open`, so the mask is that of the bytes that are not known yet.
        let errors = (masks.misplaced(open << known) >> known, masks.refused, masks.open());
        if errors == (0, 0, 0) {
            return src.len();
        }
        let flagged = errors.0.trailing_zeros() as usize + at;
        let refused = masks.refused.trailing_zeros() as usize + last + 1;
        boundary_before(src, flagged.min(refused).min(src.len()))
    }

    /// Less than a block, near the end of a page.
    #[cold]
    #[inline(never)]
    fn within_window(src: &[u8]) -> usize {
        if src.is_empty() {
            return 0;
        }
        let window = Window::over(src);
        // SAFETY: the lanes of the window are the bytes of `src`, and those of the second load
        // are these without the first byte.
        let masks = unsafe {
            let bytes = _mm512_maskz_loadu_epi8(window.lanes, window.base.cast());
            classify(bytes, window.base.wrapping_add(1), window.lanes >> 1)
        };
        match masks.first_error(0) {
            None if masks.open() == 0 => src.len(),
            flagged => {
                let flagged = flagged.unwrap_or(BLOCK) - window.shift;
                boundary_before(src, flagged.min(src.len()))
            }
        }
    }

    /// The classes of `bytes`. Most text has no lead that is particular about its second byte, and
    /// none of four bytes; then that is all that it takes. Otherwise the bytes one further on are
    /// loaded from `next`.
    ///
    /// # Safety
    /// The bytes of `lanes` must be readable at `next`.
    #[inline]
    unsafe fn classify(bytes: __m512i, next: *const u8, lanes: u64) -> Masks {
        let floor = |byte: u8| _mm512_set1_epi8(byte as i8);
        let signs = opaque(_mm512_movepi8_mask(bytes));
        let leads = _mm512_cmpge_epu8_mask(bytes, floor(0xC0));
        let threes = _mm512_cmpge_epu8_mask(bytes, floor(0xE0));
        let particular = _mm512_movepi8_mask(_mm512_permutexvar_epi8(bytes, table(&PARTICULAR)));
        if particular & leads == 0 {
            return Masks { signs, leads, threes, fours: 0, refused: 0 };
        }
        // SAFETY: the caller's promise.
        let next = unsafe { _mm512_maskz_loadu_epi8(lanes, next.cast()) };
        let second = _mm512_add_epi8(_mm512_permutexvar_epi8(bytes, table(&SECOND)), next);
        Masks {
            signs,
            leads,
            threes,
            fours: _mm512_cmpge_epu8_mask(bytes, floor(0xF0)),
            refused: _mm512_movepi8_mask(second) & leads,
        }
    }

    /// The 64 bytes of `src` from `at` on.
    ///
    /// # Safety
    /// There must be as many.
    #[inline]
    unsafe fn block(src: &[u8], at: usize) -> __m512i {
        debug_assert!(src.len() - at >= BLOCK);
        // SAFETY: the caller's promise.
        unsafe { _mm512_loadu_si512(src.as_ptr().add(at).cast()) }
    }

    #[inline]
    fn table(table: &ByLead) -> __m512i {
        // SAFETY: a table has 64 bytes.
        unsafe { _mm512_load_si512(table.0.as_ptr().cast()) }
    }

    #[inline]
    fn prefetch(p: *const u8) {
        _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(AHEAD).cast());
    }
}
