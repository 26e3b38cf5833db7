//! UTF-8 validation on AVX-512: adaptive loops over chunks, masks at both ends.
//!
//! # The rules as arithmetic
//! A byte string is UTF-8 if and only if (1) the continuation bytes stand exactly where lead bytes require them, and
//! (2) every second byte is in the range that its lead byte allows (Table 3-7). For (1), with one bit per byte,
//! `leads << 1 | leads of three and four << 2 | leads of four << 3` must equal `continuations`. For (2) a table,
//! indexed by the low six bits of a lead byte, holds an addend such that `addend + second byte` has its top bit set if
//! and only if that byte is not allowed. Most lead bytes allow every continuation byte. Only if there is a *special*
//! one, which does not, is rule (2) checked.
//!
//! In Corrected UTF-8 there is only rule (1): every lead byte allows every continuation byte. So it is the same code
//! with other tables, in which nothing is special except what is left to the codec.
//!
//! # The path of an input
//! Up to 63 bytes are one masked load ([`MaskedLoad`] near the end of a page) and these masks: no loop, and no branch
//! but for "all ASCII" and "none special". Up to 256 bytes are two to four blocks, the last of which overlaps the one
//! before it, with the one question whether all are ASCII. Up to 1 KiB go in pieces of eight blocks. On Zen 5, every
//! line is judged of what has up to 16 KiB, unless it begins and ends with ASCII, and of 16 to 32 KiB, unless three
//! of four lines that are looked at are ASCII. Otherwise, up to 4 KiB are one section of lines: which of them are not
//! ASCII is found out first, and then these are judged. Up to 8 KiB are two of these, unless four lines that are
//! looked at are all dense. Longer inputs go through the loops of [`lines`](crate::kernel::shared::lines), from the
//! first cache line boundary on, and what these leave over is checked in pieces again. What presumably comes from
//! memory goes through [one loop](far).
//!
//! Pieces and lines are judged in vectors, without masks ([`unit`]), as a mask costs two cycles on its way to a general register (Zen 4).
//! That takes half as long for a block, but several loads, and one test says only that there is an error somewhere in
//! several blocks.
//!
//! Short texts differ from each other, so what costs is not the work but the branches that nobody can predict: whether the next bytes
//! are ASCII, and when a loop ends. All measured on AMD Zen 5, by texts cut from 20 mixed ones, all different, as a mean:
//!
//! - 64 to 256 bytes: four blocks without a loop are 1.12 times as fast as pieces of two blocks, and these 1.1 as pieces in a loop.
//! - 256 to 1024 bytes: pieces of eight blocks are 1.15 times as fast as of two (JSON and HTML 1.7, what is hardly ASCII 0.9), of four
//!   1.02, of sixteen 1.09. Both loops always have as many turns, over addresses that are limited to the last block: 1.06 times as fast
//!   as loops that end with the text.
//!   Behind a piece that is not ASCII the next is judged without the question: 1.07 times as fast (JSON and HTML 1.15, English 0.96).
//! - 1 to 4 KiB: in a section the text decides only when one loop ends. It is as fast as pieces in the mean: much faster where few
//!   lines are not ASCII (English handbook 1.4), and slower where hardly one is (chat and Hindi 0.7). To look at four lines first and
//!   take pieces for what is dense costs all others 5 to 10 %. All of them or'ed together are known before the masks that were stored
//!   can be loaded: 1 KiB of ASCII takes 10 ns instead of 17. With a mask and two operations for each line, instead of masks stored to
//!   memory, all texts lost, and a log was at 0.6.
//! - 4 to 8 KiB: two sections are 1.11 times as fast as the loops, whose starts and ends mispredict, JSON and HTML 1.7 times.
//! - 1 to 16 KiB: to judge every line, so that nothing can be mispredicted but the end, is 1.15 to 1.2 times as fast
//!   as sections and loops (chat, German and Polish words 1.5, JSON 1.0 to 1.2), but not where nearly all is ASCII: a
//!   log was at 0.65 to 0.85. Four lines at the start and the last one tell (a log and English are at 0.95 then).
//!   Eight lines at equal distances told better, and cost more, as they are not in the cache yet: 1.05 to 1.2. To ask
//!   of each piece of 512 bytes behind ASCII whether it is ASCII was 0.95 to 1.1, English 0.7. The same loop, but
//!   with the last block in it: 0.95.
//! - 16 to 32 KiB: the same, 1.08 (chat, German 1.4, German handbook and tweets 0.92). Longer text would gain as
//!   much, but what is of one kind would lose the lower levels.
//!
//! An error in the first block is returned at once. (To judge all of it again by a general search cost two nanoseconds.)

mod classes;
mod errors;
mod far;
mod groups;
mod open;
mod sections;
#[cfg(test)]
mod tests;
mod unit;

use super::BLOCK;
use super::arch::*;
use super::memory::{MaskedLoad, PAGE, low_bits};
use crate::kernel::cpu::Model;
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{
    self, Bounds, FAR, Next, Run, SECTION, Start, TWO_SECTIONS, closed, drive,
};
use crate::kernel::shared::opaque::opaque;

use classes::classify;
use unit::{Level, judged, unit};

pub(super) use classes::{REJECTED_BY_LATIN1, rules};
pub(in crate::kernel) use errors::errors_of_lines;
pub(super) use open::{OpenLeads, shift_in};
pub(super) use sections::{Found, to_judge};
pub(super) use unit::{Errors, level, longest, look, no_errors, places, unit as errors_at};

/// When the loops for characters of up to `MOST` bytes change. A line of a group takes 1.3 or 1.7 ns (at the levels of three and
/// four bytes), a line of a section 0.6 and 1.2 or 1.55 more if it is judged (AMD Zen 4); 0.63 or 0.77, 0.27 and 0.8 or 1.0 (AMD Zen 5).
/// At the level of two bytes it takes half as long as at that of
/// three, so sections have to skip more: a list of Polish words goes at 110 GB/s instead of 77 (AMD Zen 5).
fn bounds<const MOST: usize>() -> Bounds {
    let dense = match (MOST, Model::current()) {
        (4, Model::Zen5) => 36,
        (_, Model::Zen5) => 32,
        (4, _) => 46,
        _ => 40,
    };
    Bounds { period: 16, mixed: if MOST == 2 { 5 } else { 3 }, dense }
}

/// Of eight lines sampled of dense groups, as many must be ASCII for sections to be faster.
fn thin<const MOST: usize>() -> u32 {
    match MOST {
        2 => 7,
        3 => 5,
        _ => 4,
    }
}

/// The loops for long text.
struct Lines;

impl<const CORRECTED: bool> lines::Lines<CORRECTED> for Lines {
    // Not inlined: from Rust 1.95 on that is up to the compiler for functions with target features, such as those that are called
    // here, and one function for all loops has too few registers.
    #[inline(never)]
    unsafe fn groups<const MOST: usize>(src: &[u8], at: usize, dense: bool) -> Run {
        // SAFETY: the caller's promise.
        unsafe { groups::groups::<MOST, CORRECTED>(src, at, dense) }
    }

    #[inline(never)]
    unsafe fn sections(src: &[u8], at: usize, four: bool) -> Run {
        // SAFETY: the caller's promise.
        unsafe { sections::sections::<CORRECTED>(src, at, four) }
    }
}

/// The longest input for which the position behind its end, where an incomplete character lacks its next byte, still
/// has a bit in the masks of one block.
const SHORT: usize = BLOCK - 1;

/// With fewer bytes than these, the last of three blocks would begin too close to the start for loads that look back. Up to four blocks are
/// judged without a loop.
const FEW: usize = 2 * BLOCK + 3;
const FOUR: usize = 4 * BLOCK;

/// Bytes that are judged together up to [`LONG`], and where the loops have left something over: whether they are ASCII is asked once, and
/// whether there is an error.
const PIECE: usize = 8 * BLOCK;

/// The least that goes by lines.
const LONG: usize = 1024;

/// The most of which every line is judged where that is best, by its ends; twice as much by four lines.
const STRAIGHT: usize = 16 << 10;

/// Lines that are looked at to find out what a long text is like.
const SAMPLES: u32 = 4;

/// Whether it may be best to judge every line of a text of so many bytes, if that is best up to `most`.
#[inline(always)]
fn may_go_straight(len: usize, most: usize, start: Start) -> bool {
    len <= most && start == Start::OfText && Model::current() == Model::Zen5
}

avx512! {
    /// The length of a well-formed prefix of `src`, in UTF-8 or Corrected UTF-8; see the contract of the kernels.
    pub(in crate::kernel) unsafe fn valid_prefix<const CORRECTED: bool>(src: &[u8], start: Start) -> usize {
        if src.len() <= SHORT {
            short::<CORRECTED>(src)
        } else if src.len() < FEW {
            few::<CORRECTED>(src)
        } else if src.len() <= FOUR {
            four::<CORRECTED>(src)
        } else if src.len() < LONG {
            pieces::<CORRECTED>(src, 0)
        } else {
            long::<CORRECTED>(src, start)
        }
    }

    /// Up to [`SHORT`] bytes: one masked load, with a lane behind them for what is missing.
    #[inline]
    fn short<const CORRECTED: bool>(src: &[u8]) -> usize {
        let p = src.as_ptr();
        if p as usize % PAGE > PAGE - BLOCK || src.is_empty() {
            return near_page_end::<CORRECTED>(src);
        }
        let lanes = low_bits(src.len());
        // SAFETY: the lanes are the bytes of `src`.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(lanes, p.cast()) };
        if opaque(_mm512_movepi8_mask(bytes)) == 0 {
            return src.len();
        }
        // SAFETY: the lanes are the bytes of `src` but the first.
        let masks = unsafe { classify::<CORRECTED>(bytes, p.wrapping_add(1), lanes >> 1) };
        match masks.first_error(0) {
            None => src.len(),
            Some(flagged) => boundary_before(src, flagged.min(src.len())),
        }
    }

    /// A block and up to two more, the last of which overlaps the one before it.
    #[inline]
    fn few<const CORRECTED: bool>(src: &[u8]) -> usize {
        let (middle, last) = (BLOCK.min(src.len() - BLOCK), src.len() - BLOCK);
        // SAFETY: none of these blocks begins behind `last`.
        unsafe {
            let (a, b, c) = (block(src, 0), block(src, middle), block(src, last));
            if _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), c)) == 0 {
                return src.len();
            }
            let level = level::<4, CORRECTED>();
            let errors = errors_of_block(&level, no_errors(), src, 0);
            let errors = errors_of_block(&level, errors, src, middle);
            let errors = errors_of_block(&level, errors, src, last);
            if places(errors) == 0 { closed(src) } else { first_error::<CORRECTED>(src, 0) }
        }
    }

    /// [`FEW`] bytes to four blocks, the last of which may overlap the one before it, and be two.
    #[inline(never)]
    fn four<const CORRECTED: bool>(src: &[u8]) -> usize {
        let last = src.len() - BLOCK;
        let third = last.min(2 * BLOCK);
        // SAFETY: none of these blocks begins behind `last`.
        unsafe {
            let (a, b, c, d) = (block(src, 0), block(src, BLOCK), block(src, third), block(src, last));
            if _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) == 0 {
                return src.len();
            }
            let level = level::<4, CORRECTED>();
            let start = src.as_ptr();
            let errors = errors_of_block(&level, no_errors(), src, 0);
            let errors = unit::<4>(&level, errors, start.add(BLOCK), b);
            let errors = unit::<4>(&level, errors, start.add(third), c);
            let errors = unit::<4>(&level, errors, start.add(last), d);
            if places(errors) == 0 { closed(src) } else { first_error::<CORRECTED>(src, 0) }
        }
    }

    /// Validates the rest of `src`, which has at least [`FEW`] bytes, from `at` on, which is 0 or at least 3: piece by piece, the last
    /// line of which may overlap the one before it. What is before `at` is well-formed, except that the last character may be incomplete.
    #[inline(never)]
    fn pieces<const CORRECTED: bool>(src: &[u8], mut at: usize) -> usize {
        let level = level::<4, CORRECTED>();
        // SAFETY: all pieces are within `src`, and three bytes before those that do not begin it.
        unsafe {
            let start = src.as_ptr();
            let load = |p: *const u8| _mm512_loadu_si512(p.cast());
            let end = src.len() - BLOCK;
            at = at.min(end);
            // Behind a piece that is not ASCII, no other is asked.
            let mut ascii = true;
            loop {
                let first = start.add(at);
                let last = start.add((at + PIECE - BLOCK).min(end));
                if ascii {
                    let mut all = _mm512_or_si512(load(first), load(last));
                    if at != 0 {
                        // The last three bytes before the piece, and some of it once more.
                        all = _mm512_or_si512(all, load(first.sub(3)));
                    }
                    for i in 1..PIECE / BLOCK - 1 {
                        let p = first.wrapping_add(i * BLOCK);
                        all = _mm512_or_si512(all, load(if p < last { p } else { last }));
                    }
                    // All ASCII from three bytes earlier on: no character is incomplete.
                    ascii = _mm512_movepi8_mask(all) == 0;
                }
                if !ascii {
                    let mut errors = errors_of_block(&level, no_errors(), src, at);
                    let mut p = first.add(BLOCK);
                    // Opaque, or LLVM writes the loop out.
                    for _ in 1..opaque((PIECE / BLOCK) as u64 - 1) {
                        let q = if p < last { p } else { last };
                        errors = unit::<4>(&level, errors, q, load(q));
                        p = p.wrapping_add(BLOCK);
                    }
                    errors = unit::<4>(&level, errors, last, load(last));
                    if places(errors) != 0 {
                        return first_error::<CORRECTED>(src, at);
                    }
                }
                at = last.offset_from(start) as usize + BLOCK;
                if at == src.len() {
                    return if ascii { at } else { closed(src) };
                }
                at = at.min(end);
            }
        }
    }

    /// The boundary before the first error of `src`, which is in the block at `at` or behind it.
    #[cold]
    #[inline(never)]
    fn first_error<const CORRECTED: bool>(src: &[u8], mut at: usize) -> usize {
        let level = level::<4, CORRECTED>();
        let last = src.len() - BLOCK;
        loop {
            at = at.min(last);
            // SAFETY: the last block is at `last`.
            let places = unsafe { places(errors_of_block(&level, no_errors(), src, at)) };
            if places != 0 || at == last {
                return boundary_before(src, (at + places.trailing_zeros() as usize).min(src.len()));
            }
            at += BLOCK;
        }
    }

    /// `before`, and the errors of the block at `at`, wherever that is.
    ///
    /// # Safety
    /// It must be within `src`.
    #[inline]
    unsafe fn errors_of_block(level: &Level, before: Errors, src: &[u8], at: usize) -> Errors {
        // SAFETY: the caller's promise; what is before the start is not loaded.
        unsafe {
            let bytes = block(src, at);
            judged::<4>(level, before, bytes, |back| {
                _mm512_maskz_loadu_epi8(!0 << back.saturating_sub(at), src.as_ptr().add(at).wrapping_sub(back).cast())
            })
        }
    }

    /// A long input: its first block, which covers what is before the first line; then the lines; then the rest.
    #[inline(never)]
    fn long<const CORRECTED: bool>(src: &[u8], start: Start) -> usize {
        let mut at = BLOCK - src.as_ptr() as usize % BLOCK;
        // SAFETY: there are many blocks, and the lines begin at least three bytes behind the start.
        unsafe {
            let straight = may_go_straight(src.len(), STRAIGHT, start);
            let ascii = straight && seems_ascii(src, at);
            if !ascii {
                let errors = places(errors_of_block(&level::<4, CORRECTED>(), no_errors(), src, 0));
                if errors != 0 {
                    return boundary_before(src, errors.trailing_zeros() as usize);
                }
            }
            if at < 3 {
                // (The lines that were looked at cover this block.)
                if !ascii && let Err(boundary) = look::<CORRECTED>(src, BLOCK, 1) {
                    return boundary;
                }
                at += BLOCK;
            }
            if straight && !ascii {
                return every_line::<CORRECTED>(src, at);
            }
            if src.len() <= SECTION { section::<CORRECTED>(src, at) } else { rest::<CORRECTED>(src, at, start) }
        }
    }

    /// Whether the first block of `src` is ASCII, four lines from `at` on, and the last block: then most of it may be.
    ///
    /// # Safety
    /// There must be as many.
    #[inline]
    unsafe fn seems_ascii(src: &[u8], at: usize) -> bool {
        // SAFETY: the caller's promise.
        let mut all = unsafe { _mm512_or_si512(block(src, 0), block(src, src.len() - BLOCK)) };
        for line in 0..4 {
            // SAFETY: as above.
            all = _mm512_or_si512(all, unsafe { block(src, at + line * BLOCK) });
        }
        _mm512_movepi8_mask(all) == 0
    }

    /// The rest of a text of some KiB from `at` on, where a line begins: all lines of it are judged, and its last block, so the
    /// text decides nothing but where the loop ends.
    ///
    /// # Safety
    /// As for [`section`].
    #[inline(never)]
    unsafe fn every_line<const CORRECTED: bool>(src: &[u8], at: usize) -> usize {
        let level = level::<4, CORRECTED>();
        // SAFETY: the lines begin before the last block, which is within `src`, and three bytes are before each.
        unsafe {
            let judge = |before: Errors, at: usize| unit::<4>(&level, before, src.as_ptr().add(at), block(src, at));
            let last = src.len() - BLOCK;
            let mut errors = judge(no_errors(), last);
            let mut next = at;
            while next < last {
                let (from, end) = (next, last.min(next + LONG));
                while next < end {
                    errors = judge(errors, next);
                    next += BLOCK;
                }
                if places(errors) != 0 {
                    return first_error::<CORRECTED>(src, from);
                }
            }
            closed(src)
        }
    }

    /// The rest of a long input from `at` on, where a line begins: its lines, and what these leave over.
    ///
    /// # Safety
    /// `at` must be at least 3, and more than 3900 bytes must follow. What is before it must be well-formed, except that the last character
    /// may be incomplete.
    #[inline(never)]
    unsafe fn rest<const CORRECTED: bool>(src: &[u8], at: usize, start: Start) -> usize {
        // SAFETY: the caller's promise.
        let end = unsafe {
            if src.len() > FAR && Model::current() != Model::UpToZen4 {
                far::far::<CORRECTED>(src, at)
            } else {
                let (quiet, longest) = if start == Start::OfText { samples(src, at) } else { (0, longest_at_start(src)) };
                if quiet != 0 && src.len() <= TWO_SECTIONS {
                    return two_sections::<CORRECTED>(src, at);
                }
                let next = match quiet {
                    0..=2 if may_go_straight(src.len(), 2 * STRAIGHT, start) => return every_line::<CORRECTED>(src, at),
                    0 => Next::groups(longest).dense_if(start == Start::OfText),
                    SAMPLES => Next::GroupsOfThree,
                    _ => Next::sections(longest),
                };
                drive::<Lines, CORRECTED>(src, at, next)
            }
        };
        match end {
            Ok(at) => pieces::<CORRECTED>(src, at),
            Err(boundary) => boundary,
        }
    }

    /// Of four lines, the first one at `at` and the others within a section behind it: how many are ASCII, and how
    /// long the longest character of the others is.
    ///
    /// # Safety
    /// At least a line must follow.
    #[inline]
    unsafe fn samples(src: &[u8], at: usize) -> (u32, usize) {
        let (mut quiet, mut greatest) = (0, _mm512_setzero_si512());
        let step = (src.len() - at - BLOCK).min(SECTION) / SAMPLES as usize;
        for i in 0..SAMPLES as usize {
            // SAFETY: the caller's promise.
            let bytes = unsafe { block(src, at + i * step) };
            quiet += u32::from(_mm512_movepi8_mask(bytes) == 0);
            greatest = _mm512_max_epu8(greatest, bytes);
        }
        (quiet, longest(greatest))
    }

    /// The length of the longest character of the first block of `src`, by which what follows is to be judged. A
    /// letter of two bytes now and then says nothing about that.
    ///
    /// # Safety
    /// There must be a block.
    #[inline]
    unsafe fn longest_at_start(src: &[u8]) -> usize {
        // SAFETY: the caller's promise.
        let first = unsafe { block(src, 0) };
        let leads = _mm512_cmpge_epu8_mask(first, _mm512_set1_epi8(0xC0_u8 as i8)).count_ones();
        longest(first).max(if leads < 16 { 3 } else { 2 })
    }

    /// The rest of a text of up to [`TWO_SECTIONS`] bytes from `at` on, as two sections.
    ///
    /// # Safety
    /// As for [`section`]; and the text must be longer than that.
    #[inline]
    unsafe fn two_sections<const CORRECTED: bool>(src: &[u8], at: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            let (first, _) = src.split_at_unchecked(src.len() / 2);
            let boundary = section::<CORRECTED>(first, at);
            // No character is longer.
            if first.len() - boundary > 3 {
                return boundary;
            }
            section::<CORRECTED>(src, boundary - (src.as_ptr() as usize + boundary) % BLOCK)
        }
    }

    /// The rest of a text of up to [`SECTION`] bytes from `at` on: its lines as one section, and its last block.
    ///
    /// # Safety
    /// `at` must be at least 3, and at least a block must follow. What is before it must be well-formed, except that the last character may
    /// be incomplete.
    #[inline(never)]
    unsafe fn section<const CORRECTED: bool>(src: &[u8], at: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            let Some((which, errors)) = sections::only::<CORRECTED>(src, at) else { return src.len() };
            if places(errors) == 0 {
                return closed(src);
            }
            match look::<CORRECTED>(src, at, which) {
                Ok(_) => first_error::<CORRECTED>(src, src.len() - BLOCK),
                Err(boundary) => boundary,
            }
        }
    }

    /// Less than a block, near the end of a page: as a copy that is not.
    #[cold]
    #[inline(never)]
    fn near_page_end<const CORRECTED: bool>(src: &[u8]) -> usize {
        if src.is_empty() {
            return 0;
        }
        /// Two blocks, so that none begins in the last one of a page.
        #[repr(align(128))]
        struct Blocks([u8; 2 * BLOCK]);

        let load = MaskedLoad::of(src);
        let mut copy = Blocks([0; 2 * BLOCK]);
        // SAFETY: the lanes are the bytes of `src`; in the copy they begin in the first block.
        let copied = unsafe {
            let bytes = _mm512_maskz_loadu_epi8(load.lanes, load.base.cast());
            let to = copy.0.as_mut_ptr();
            _mm512_store_si512(to.cast(), bytes);
            core::slice::from_raw_parts(to.add(load.shift), src.len())
        };
        // SAFETY: the instruction set is there.
        unsafe { valid_prefix::<CORRECTED>(copied, Start::OfText) }
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
}
