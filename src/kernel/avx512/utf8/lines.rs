//! Long text: lines of 64 bytes, in groups or in sections.
//!
//! Real text changes its kind every few dozen bytes: markup around paragraphs, a word in another script, an emoji. A loop
//! that is fast on one kind of text and is left at the next change pays a misprediction, and looks twice at what it
//! has refused; that was the first design here (loops for ASCII, two bytes, three without E0 and ED, three, and four,
//! each kept until it refused a chunk of 256 bytes). Two things take its place.
//!
//! *One level instead of loops for scripts*: the longest character that is accepted, of two, three or four bytes, as a parameter
//! of the test of a [line](super::unit). A level gives way to a higher one when it has refused something, and
//! to a lower one when a sample of the lines shows that it would do.
//!
//! *Two ways to go over the lines.* [`groups`] of four lines, for text that is of one kind: one test skips the group if it is
//! ASCII, and otherwise all of it is judged. And [`sections`](super::sections) of 64 lines, for text in which lines of
//! ASCII alternate with others: there, only the lines that need it are judged, in a counted loop. Every 16 groups it is asked whether
//! sections would be better; sections give way when hardly a line of the last few was ASCII, or all were. Groups are also for what is
//! shorter than some sections, and for the first 4 KiB: where errors are frequent, a section is mostly wasted.
//!
//! # Seams
//! A line is judged with the three bytes before it, so nothing is lost between two lines of the same level, whichever way they
//! were found. But the lower levels look back one or two bytes only. That suffices as long as the line before had no longer
//! characters: its own test would have refused them. So wherever a level begins, and behind everything that was accepted at a
//! higher one, the first line is judged at the highest level as well: [`seam`]. (Without it F0 9F 98 in front of a line of
//! ASCII passes, if that line is the first at a lower level.)
//!
//! # Figures
//! AMD EPYC (Zen 4), GB/s, texts of 90 to 160 KB; before: the loops for scripts; peer: the best of simdutf, simdutf8 and encoding_rs.
//!
//! | | peer | before | now | | peer | before | now |
//! |---|---|---|---|---|---|---|---|
//! | Markdown, German | 52 | 40 | 72 | Chinese | 19 | 29 | 40 |
//! | Markdown, English | 79 | 71 | 100 | Russian | 19 | 57 | 56 |
//! | Markdown, Japanese | 30 | 31 | 51 | emoji | 19 | 18 | 34 |
//! | tweets in JSON | 53 | 54 | 76 | Rust sources | 97 | 104 | 107 |
//!
//! # What did not help
//! - Errors of the four lines of a group in registers of their own, to find the place without judging them again: 5 to 10 %
//!   slower on dense text, and no faster with an error in each KiB.
//! - Keeping the last line of a group to know whether a character is incomplete, instead of a load three bytes back: nothing.
//! - Returning [`Run`] with the level as a number: 24 bytes, which go through memory. An error cost two nanoseconds more.

use super::super::BLOCK;
use super::super::arch::*;
use super::super::ascii::ascii_steps;
use super::super::memory::prefetch;
use super::classes::opaque;
use super::sections::{SECTION, sections};
use super::unit::{Errors, level, longest, no_errors, places, unit};
use crate::kernel::shared::boundary::boundary_before;

/// Lines of a group, and the bytes of it.
const LINES: usize = 4;
pub(super) const GROUP: usize = LINES * BLOCK;

/// Groups after which it is asked what kind of text they were: as many as a section has.
const PERIOD: u32 = 16;

/// As many of [`PERIOD`] groups or lines must be ASCII for sections to be faster.
const MIXED: u32 = 4;

/// Sections that must be left: the first has nothing to overlap with.
const FEWEST: usize = 3;

/// How far a loop came, and what is next; in two registers.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) at: usize,
    pub(super) next: Next,
}

/// What is next.
#[derive(Clone, Copy)]
pub(super) enum Next {
    /// Groups, at the level of two bytes.
    GroupsOfTwo,
    /// Groups, at the level of three bytes.
    GroupsOfThree,
    /// Groups, at the level of four bytes.
    GroupsOfFour,
    /// Sections, at the level of two bytes.
    SectionsOfTwo,
    /// Sections, at the level of three bytes.
    SectionsOfThree,
    /// Sections, at the level of four bytes.
    SectionsOfFour,
    /// Nothing: not more than a group is left.
    End,
    /// Nothing: there is an error, and `at` is the boundary before it.
    IllFormed,
}

impl Next {
    /// Groups with characters of up to so many bytes.
    #[inline(always)]
    pub(super) fn groups(longest: usize) -> Next {
        match longest {
            ..=2 => Next::GroupsOfTwo,
            3 => Next::GroupsOfThree,
            _ => Next::GroupsOfFour,
        }
    }

    /// Sections with characters of up to so many bytes.
    #[inline(always)]
    pub(super) fn sections(longest: usize) -> Next {
        match longest {
            ..=2 => Next::SectionsOfTwo,
            3 => Next::SectionsOfThree,
            _ => Next::SectionsOfFour,
        }
    }
}

avx512! {
    /// Validates the lines from `at` on; the text before had characters of up to `longest` bytes. `Ok` is the offset behind
    /// the last whole group, less than the length of `src`: the text before it is well-formed, except that its last character may
    /// be incomplete. `Err` is the character boundary before an error.
    ///
    /// # Safety
    /// `at` must be the start of a line, at least 3, and less than the length of `src`. The text before it must be well-formed, except
    /// that its last character may be incomplete.
    #[inline]
    pub(super) unsafe fn lines<const CORRECTED: bool>(src: &[u8], mut at: usize, longest: usize) -> Result<usize, usize> {
        let mut next = Next::groups(longest);
        loop {
            // SAFETY: the caller's promise; the loops go on from where the one before stopped.
            let run = unsafe {
                match next {
                    Next::GroupsOfTwo => groups::<2, CORRECTED>(src, at),
                    Next::GroupsOfThree => groups::<3, CORRECTED>(src, at),
                    Next::GroupsOfFour => groups::<4, CORRECTED>(src, at),
                    Next::SectionsOfTwo => sections::<2, CORRECTED>(src, at),
                    Next::SectionsOfThree => sections::<3, CORRECTED>(src, at),
                    Next::SectionsOfFour => sections::<4, CORRECTED>(src, at),
                    Next::End => return Ok(at),
                    Next::IllFormed => return Err(at),
                }
            };
            (at, next) = (run.at, run.next);
        }
    }

    /// The errors of a line at the highest level: what the first line of a lower level is judged by as well.
    ///
    /// # Safety
    /// As for [`unit`].
    #[inline]
    pub(super) unsafe fn seam<const CORRECTED: bool>(p: *const u8, bytes: __m512i) -> Errors {
        // SAFETY: the caller's promise.
        unsafe { unit::<4>(&level::<4, CORRECTED>(), no_errors(), p, bytes) }
    }

    /// Text of one kind, group by group: characters of up to `MOST` bytes.
    ///
    /// # Safety
    /// As for [`lines`].
    #[inline(never)]
    unsafe fn groups<const MOST: u32, const CORRECTED: bool>(src: &[u8], mut at: usize) -> Run {
        let constants = level::<MOST, CORRECTED>();
        let mut seam = MOST < 4;
        let mut greatest = _mm512_setzero_si512();
        let (mut period, mut ascii, mut quiet) = (PERIOD, 0, 0);
        while src.len() - at > GROUP {
            // SAFETY: more than a group is left, and three bytes are before it.
            unsafe {
                let p = src.as_ptr().add(at);
                let load = |i: usize| _mm512_loadu_si512(p.add(i * BLOCK).cast());
                let bytes = [load(0), load(1), load(2), load(3)];
                let any = _mm512_or_si512(_mm512_or_si512(bytes[0], bytes[1]), _mm512_or_si512(bytes[2], bytes[3]));
                // Nor are the three bytes before: no character is incomplete.
                let any = _mm512_or_si512(any, _mm512_loadu_si512(p.sub(3).cast()));
                if _mm512_movepi8_mask(any) == 0 {
                    let to = ascii_steps(src, at + GROUP);
                    let passed = ((to - at) / GROUP) as u32;
                    at = to;
                    ascii += passed;
                    period = period.saturating_sub(passed);
                    seam = false;
                } else {
                    let mut errors = no_errors();
                    if seam {
                        errors = self::seam::<CORRECTED>(p, bytes[0]);
                        seam = false;
                    }
                    for (i, bytes) in bytes.into_iter().enumerate() {
                        prefetch(p.add(i * BLOCK));
                        errors = unit::<MOST>(&constants, errors, p.add(i * BLOCK), bytes);
                    }
                    if places(errors) != 0 {
                        return match look_at_group::<CORRECTED>(src, at) {
                            Ok(longest) => Run { at: at + GROUP, next: Next::groups(longest.max(MOST as usize + 1)) },
                            Err(boundary) => Run { at: boundary, next: Next::IllFormed },
                        };
                    }
                    greatest = _mm512_max_epu8(greatest, bytes[0]);
                    quiet += u32::from(_mm512_movepi8_mask(bytes[1]) == 0);
                    at += GROUP;
                    period -= 1;
                }
            }
            if period == 0 {
                let enough = src.len() - at > FEWEST * SECTION;
                let longest = longest(greatest).min(MOST as usize);
                if ascii < PERIOD && ascii + quiet >= MIXED && enough {
                    return Run { at, next: Next::sections(longest.max(3).min(MOST as usize)) };
                }
                if ascii < PERIOD / 2 && longest < MOST as usize {
                    return Run { at, next: Next::groups(longest) };
                }
                (period, ascii, quiet) = (PERIOD, 0, 0);
                greatest = _mm512_setzero_si512();
            }
        }
        Run { at, next: Next::End }
    }

    /// Judges a group that a level has refused, or that may well have an error: `Err` is the boundary before the first error,
    /// `Ok` the length of the longest character. The place is found without a branch, since an error is seldom where the one
    /// before it was.
    ///
    /// # Safety
    /// There must be a group at `at`, and three bytes before it.
    #[inline]
    pub(super) unsafe fn look_at_group<const CORRECTED: bool>(src: &[u8], at: usize) -> Result<usize, usize> {
        let level = level::<4, CORRECTED>();
        let mut greatest = _mm512_setzero_si512();
        let mut first = GROUP;
        for i in (0..LINES).rev() {
            // SAFETY: the caller's promise.
            let errors = unsafe {
                let p = src.as_ptr().add(at + i * BLOCK);
                let bytes = _mm512_loadu_si512(p.cast());
                greatest = _mm512_max_epu8(greatest, bytes);
                opaque(places(unit::<4>(&level, no_errors(), p, bytes)))
            };
            first = core::hint::select_unpredictable(errors == 0, first, i * BLOCK + errors.trailing_zeros() as usize);
        }
        if first < GROUP { Err(boundary_before(src, at + first)) } else { Ok(longest(greatest)) }
    }
}
