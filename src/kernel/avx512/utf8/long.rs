//! Text of 1 KiB and more: how it begins, which loops it goes through, and what these leave over.
//!
//! | bytes | on Zen 5 | on other CPUs |
//! |--:|---|---|
//! | 16 KiB | all lines are judged, unless the text begins and ends with ASCII | all lines, if a quarter of four blocks is not ASCII |
//! | 32 KiB | all lines, unless three of four are ASCII | |
//! | else up to 4 KiB | one section of lines: which of them are not ASCII is found out first, and then these are judged | the same |
//! | 8 KiB | two sections, unless four lines that are looked at are all dense | the same |
//! | 16 KiB | | if four lines that are looked at are ASCII: all ASCII is skipped, and what is behind it goes by sections |
//! | more | the [beginning], and the loops of [`lines`], from the first cache line boundary on; what these leave over are four lines at most | the same |
//! | 8 MiB | text from memory: [one loop](far) | on Zen 4, from 16 MiB on, two places [in turns](crate::kernel::shared::turns) |
//!
//! # What was measured
//! With texts cut from 20 mixed ones, all different, as a mean, on AMD Zen 5:
//!
//! - 1 to 4 KiB: in a section, only the end of one loop depends on the text. It is as fast as pieces in the mean: much faster if few
//!   lines are not ASCII (English handbook 1.4), and slower if hardly any line is ASCII (chat and Hindi 0.7). Sampling four lines
//!   first, and using pieces for dense text, costs all other text 5 to 10 %. All lines or'ed together are known before the masks that
//!   were stored can be loaded: 1 KiB of ASCII takes 10 ns instead of 17. With a mask and two operations for each line, instead of
//!   masks stored to memory, all texts became slower, and a log was at 0.6.
//! - 4 to 8 KiB: two sections are 1.11 times as fast as the loops, whose starts and ends mispredict, JSON and HTML 1.7 times.
//! - 1 to 16 KiB: judging every line, so that only the end can be mispredicted, is 1.15 to 1.2 times as fast as sections and loops
//!   (chat, German and Polish words 1.5, JSON 1.0 to 1.2), but not if nearly all lines are ASCII: a log was at 0.65 to 0.85. Four
//!   lines at the start and the last one show this (with them, a log and English are at 0.95). Eight lines at equal distances
//!   showed it better, but cost more, because they are not in the cache yet: 1.05 to 1.2. Testing each piece of 512 bytes after
//!   ASCII for ASCII was 0.95 to 1.1, English 0.7. The same loop, but including the last block: 0.95.
//! - 16 to 32 KiB: the same, 1.08 (chat, German 1.4, German handbook and tweets 0.92). Longer text would gain as much, but text of
//!   one kind would lose the lower levels.
//!
//! On AMD Zen 4, where a line takes twice as long:
//!
//! - 1 to 4 KiB: for dense text, judging all lines is 1.4 to 1.6 times as fast as a section (texts of one script each; handbooks in
//!   Arabic and Japanese 1.1), and the test costs a log 0.02 to 0.07. With two blocks as samples, the level is too low too often; if
//!   text that begins with ASCII is tested as well, four blocks cost a log 0.1. A section at the level of its longest character is 1.06
//!   times as fast as at the level of four bytes (Polish words 1.25).
//! - 4 to 16 KiB: judging all lines of dense text, Hindi, Arabic and Japanese 1.1 to 1.2. Judging all lines of every text, as on Zen 5:
//!   English and German 0.7 to 0.9.
//! - 4 to 16 KiB: skipping ASCII first, if four lines are ASCII: a mixed log 1.11, Rust sources 1.07, English 1.05, tweets 0.99. In half
//!   registers, 128 bytes at a time, the log is another 1.02 times as fast.
//! - 4 to 8 KiB: the loops instead of two sections, 0.91 to 0.97, English 0.84; two sections for 8 KiB as well, 0.97 to 1.02,
//!   tweets 0.82.
//! - 8 to 64 KiB: if four lines are ASCII, sixteen lines show more. English of 8 KiB is 1.08 times as fast as in groups, to which it looks
//!   like ASCII, and a log is as fast (the same with 32 lines; without that test, in sections, a log is at 0.8).
//! - Lines in fours in detection, with the lines after the last four judged: a log 1.05 times as fast, everything else 0.98. A loop that
//!   LLVM does not unroll: a log 0.75.
//!
//! # Errors near the start
//! Text that is not UTF-8 at all mostly has an early error, and a loop for sections has detected 8 KiB of text before it finds the first
//! error. So in text of more than 16 KiB, the ASCII at the beginning is skipped, up to 4 KiB, and a little of the text after it is judged
//! in groups of four lines, each tested for errors. And the first byte after the ASCII and the next one are tested at once for the
//! beginning of a character, which they are not in Latin-1 and similar encodings. An error at 300 bytes of 64 KiB is found 3.5 times as
//! early, and text without one takes as long as before (AMD Zen 4). With twice or four times as much in groups, errors at 700 bytes are
//! found 3 times as early as without, but text of 32 to 64 KiB takes 1.02 times as long, of 8 to 16 KiB 1.04 times. With two sections of 1
//! KiB instead, errors at 700 and 2000 bytes are found 1.45 and 1.2 times as early, at 300 bytes 0.74 times, and text without one takes
//! 1.02 times as long. Sections that [grow](crate::kernel::shared::lines) from 16 lines on, after these groups, cost nothing, and errors
//! at 700 and 2000 bytes are found 1.4 and 1.3 times as early.
//!
//! The samples are at quarters of 4 KiB. Near samples, 256 bytes apart, are faster with AVX2, because distant loads arrive late. Here
//! they were 0.99 to 1.01 times as fast (1.03 for texts of up to 4 KiB from the third-level cache).

use super::super::BLOCK;
use super::super::arch::*;
use super::super::ascii::ascii_steps;
use super::far::{Turns, far};
use super::groups::{groups, look_at_group};
use super::sections::{only, sections};
use super::straight::{all, every_line};
use super::unit::{level, longest, look, no_errors, places, unit};
use super::{block, errors_of_first, first_error};
use crate::kernel::cpu::Model;
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{
    self, Bounds, FAR, GROUP, LINES, Next, Run, SECTION, STREAMED, Start, TWO_SECTIONS, before,
    begins_nothing, closed, drive,
};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::shared::turns::{first_turn, valid_in_turns};

/// When the loops for characters of up to `MOST` bytes change. A line of a group takes 1.3 or 1.7 ns (at the levels of three and
/// four bytes), a line of a section 0.6 and 1.2 or 1.55 more if it is judged (AMD Zen 4); 0.63 or 0.77, 0.27 and 0.8 or 1.0 (AMD Zen 5).
/// At the level of two bytes it takes half as long as at that of
/// three, so sections have to skip more: a list of Polish words goes at 110 GB/s instead of 77 (AMD Zen 5).
pub(super) fn bounds<const MOST: usize>() -> Bounds {
    let dense = match (MOST, Model::current()) {
        (4, Model::Zen5) => 36,
        (_, Model::Zen5) => 32,
        (4, _) => 46,
        _ => 40,
    };
    Bounds { period: 16, mixed: if MOST == 2 { 5 } else { 3 }, dense }
}

/// Of eight lines sampled of dense groups, as many must be ASCII for sections to be faster.
pub(super) fn thin<const MOST: usize>() -> u32 {
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
        unsafe { groups::<MOST, CORRECTED>(src, at, dense) }
    }

    #[inline(never)]
    unsafe fn sections(src: &[u8], at: usize, four: bool) -> Run {
        // SAFETY: the caller's promise.
        unsafe { sections::<CORRECTED>(src, at, four) }
    }
}

/// The most of which every line is judged where that is best, by its ends; twice as much by four lines.
const STRAIGHT: usize = 16 << 10;

/// Of longer text so many bytes of ASCII at most are skipped first; and of what is behind them so many at most, a 128th of the text, are judged in
/// groups, before the loops take over.
const ASCII_HEAD: usize = 4096;
const HEAD: usize = 1024;

/// Lines that are looked at to find out what a long text is like.
const SAMPLES: u32 = 4;

/// Whether it may be best to judge every line of a text of so many bytes, if that is best up to `most`.
#[inline(always)]
fn may_go_straight(len: usize, most: usize, start: Start) -> bool {
    len <= most && start == Start::OfText && Model::current() == Model::Zen5
}

avx512! {
    /// A long input: its first block, which covers what is before the first line; then the lines; then the rest.
    #[inline(never)]
    pub(super) fn long<const CORRECTED: bool>(src: &[u8], start: Start) -> usize {
        let mut at = BLOCK - src.as_ptr() as usize % BLOCK;
        // SAFETY: there are many blocks, and the lines begin at least three bytes behind the start.
        unsafe {
            if src.len() <= STRAIGHT && start == Start::OfText && Model::current() != Model::Zen5 && let Some(longest) = dense(src) {
                return all::<CORRECTED>(src, longest);
            }
            let straight = may_go_straight(src.len(), STRAIGHT, start);
            let ascii = straight && seems_ascii(src, at);
            if !ascii {
                let errors = places(errors_of_first(&level::<4, CORRECTED>(), block(src, 0)));
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

    /// The rest of a long input from `at` on, where a line begins: its lines, and what these leave over.
    ///
    /// # Safety
    /// `at` must be at least 3, and more than 3900 bytes must follow. What is before it must be well-formed, except that the last character
    /// may be incomplete.
    #[inline(never)]
    unsafe fn rest<const CORRECTED: bool>(src: &[u8], mut at: usize, start: Start) -> usize {
        // SAFETY: the caller's promise.
        let end = unsafe {
            if start == Start::OfText && src.len() > STRAIGHT {
                match beginning::<CORRECTED>(src, at) {
                    Ok(to) => at = to,
                    Err(boundary) => return boundary,
                }
            }
            let in_turns = Model::current().takes_streams();
            if !in_turns && src.len() > FAR {
                far::<CORRECTED>(src, at)
            } else {
                let (quiet, longest) = if start == Start::OfText { samples(src, at) } else { (0, longest_at_start(src)) };
                // (Otherwise a character may be incomplete.)
                let ascii = quiet == SAMPLES && before(src, at)[2].is_ascii();
                if ascii && src.len() <= STRAIGHT && Model::current() != Model::Zen5 {
                    return behind_ascii::<CORRECTED>(src, at);
                }
                if quiet != 0 && src.len() <= TWO_SECTIONS {
                    return two_sections::<CORRECTED>(src, at);
                }
                let next = match quiet {
                    0..=2 if may_go_straight(src.len(), 2 * STRAIGHT, start) => return every_line::<CORRECTED>(src, at),
                    0 => Next::groups(longest).dense_if(start == Start::OfText),
                    SAMPLES if many_are_ascii(src, at) => Next::GroupsOfThree,
                    _ => Next::sections(longest),
                };
                if in_turns && src.len() > STREAMED {
                    from_memory::<CORRECTED>(src, at, next)
                } else {
                    drive::<Lines, CORRECTED>(src, at, next)
                }
            }
        };
        // SAFETY: the loops leave over a group at most.
        unsafe { closing::<CORRECTED>(src, end) }
    }

    /// The rest of a text of up to [`STRAIGHT`] bytes from `at` on, where a line begins, whose samples are ASCII: all ASCII is skipped, and what is
    /// behind it goes by sections.
    ///
    /// # Safety
    /// As for [`rest`]; and no character may be incomplete.
    #[inline]
    unsafe fn behind_ascii<const CORRECTED: bool>(src: &[u8], at: usize) -> usize {
        // SAFETY: the caller's promise; at least a block is left behind the ASCII.
        unsafe {
            let last = at + (src.len() - at - BLOCK) / BLOCK * BLOCK;
            let at = ascii_steps(src, at).min(last);
            let left = src.len() - at;
            if left <= SECTION {
                section::<CORRECTED>(src, at)
            } else if left <= TWO_SECTIONS {
                two_sections::<CORRECTED>(src, at)
            } else {
                closing::<CORRECTED>(src, drive::<Lines, CORRECTED>(src, at, Next::sections(3)))
            }
        }
    }

    /// What [`drive`] does, of text from memory, in turns. `next` says what comes first, and last.
    ///
    /// # Safety
    /// As for [`drive`]; and more than 100 KiB must follow.
    #[inline(never)]
    pub(super) unsafe fn from_memory<const CORRECTED: bool>(src: &[u8], at: usize, next: Next) -> Result<usize, usize> {
        // SAFETY: the caller's promise. What is in turns stops where a loop may begin, as well.
        unsafe {
            // The loops leave a group or less.
            let (near, _) = src.split_at_unchecked(first_turn(src.as_ptr(), at) + GROUP);
            let at = drive::<Lines, CORRECTED>(near, at, next)?;
            let at = valid_in_turns::<Turns, CORRECTED>(src, at);
            drive::<Lines, CORRECTED>(src, at, next)
        }
    }

    /// The beginning of a long text, from `at` on, where a line begins: ASCII, and some groups behind it; and where what follows it begins, or the
    /// boundary before an error.
    ///
    /// # Safety
    /// As for [`rest`]; and more than [`ASCII_HEAD`] and [`HEAD`] bytes must follow.
    #[inline]
    unsafe fn beginning<const CORRECTED: bool>(src: &[u8], at: usize) -> Result<usize, usize> {
        // SAFETY: the caller's promise.
        unsafe {
            let mut at = at;
            // Otherwise a character may be incomplete.
            if before(src, at)[2].is_ascii() {
                let ascii = at + ASCII_HEAD;
                at = ascii_steps(src.split_at_unchecked(ascii).0, at);
                if at == ascii {
                    // Behind so much ASCII the loops are next.
                    return Ok(at);
                }
                if !CORRECTED && let Some(boundary) = error_behind_ascii(src, at) {
                    return Err(boundary);
                }
            }
            let end = at + (src.len() / 128).min(HEAD).next_multiple_of(GROUP);
            let level = level::<4, CORRECTED>();
            while at != end {
                let mut errors = no_errors();
                for line in 0..LINES {
                    let line = at + line * BLOCK;
                    errors = unit::<4>(&level, errors, src.as_ptr().add(line), block(src, line));
                }
                if places(errors) != 0 {
                    return Err(look_at_group::<CORRECTED>(src, at).err().unwrap_or(at));
                }
                at += GROUP;
            }
            Ok(at)
        }
    }

    /// Where the first byte of the group at `at` is that is not ASCII, if no character begins with it and the one behind it, as in Latin-1 and its
    /// like, and in what is no text. Not in Corrected UTF-8.
    ///
    /// # Safety
    /// There must be a group, and `at` must be a boundary.
    #[inline]
    unsafe fn error_behind_ascii(src: &[u8], at: usize) -> Option<usize> {
        let mut first = GROUP;
        for line in (0..LINES).rev() {
            // SAFETY: the caller's promise.
            let signs = opaque(_mm512_movepi8_mask(unsafe { block(src, at + line * BLOCK) }));
            // Without a branch: no predictor knows where it is.
            first = core::hint::select_unpredictable(signs == 0, first, line * BLOCK + signs.trailing_zeros() as usize);
        }
        begins_nothing(src, at + first).then_some(at + first)
    }

    /// Where a text ends whose loops ended like that: with what they left over, or at a boundary before an error.
    ///
    /// # Safety
    /// As for [`tail`].
    #[inline]
    unsafe fn closing<const CORRECTED: bool>(src: &[u8], end: Result<usize, usize>) -> usize {
        match end {
            // SAFETY: the caller's promise.
            Ok(at) => unsafe { tail::<CORRECTED>(src, at) },
            Err(boundary) => boundary,
        }
    }

    /// What the loops leave over: up to a group, from `at` on.
    ///
    /// # Safety
    /// As for [`rest`], but for how much follows.
    #[inline]
    unsafe fn tail<const CORRECTED: bool>(src: &[u8], at: usize) -> usize {
        debug_assert!(src.len() - at <= GROUP);
        // SAFETY: all blocks are within `src`, and three bytes are before each.
        unsafe {
            let last = src.len() - BLOCK;
            let level = level::<4, CORRECTED>();
            let mut errors = no_errors();
            for line in 0..LINES {
                let at = if line == LINES - 1 { last } else { last.min(at + line * BLOCK) };
                errors = unit::<4>(&level, errors, src.as_ptr().add(at), block(src, at));
            }
            if places(errors) == 0 { closed(src) } else { first_error::<CORRECTED>(src, at, src.len()) }
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

    /// Whether sixteen lines are ASCII, all in a section from `at` on, where four are.
    ///
    /// # Safety
    /// At least so much must follow.
    #[inline]
    unsafe fn many_are_ascii(src: &[u8], at: usize) -> bool {
        let step = (src.len() - at - BLOCK).min(SECTION) / 16;
        let mut all = _mm512_setzero_si512();
        let mut at = at;
        for _ in 0..opaque(16) {
            // SAFETY: the caller's promise.
            all = _mm512_or_si512(all, unsafe { block(src, at) });
            at += step;
        }
        _mm512_movepi8_mask(all) == 0
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

    /// The rest of a text from `at` on, up to [`TWO_SECTIONS`] bytes, as two sections.
    ///
    /// # Safety
    /// As for [`section`]; and so much must follow that half of it has a block.
    #[inline]
    pub(super) unsafe fn two_sections<const CORRECTED: bool>(src: &[u8], at: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            let (first, _) = src.split_at_unchecked(at + (src.len() - at) / 2);
            let boundary = section::<CORRECTED>(first, at);
            // No character is longer.
            if first.len() - boundary > 3 {
                return boundary;
            }
            section::<CORRECTED>(src, boundary - (src.as_ptr() as usize + boundary) % BLOCK)
        }
    }

    /// The rest of a text from `at` on, up to [`SECTION`] bytes: its lines as one section, and its last block.
    ///
    /// # Safety
    /// `at` must be at least 3, and at least a block must follow. What is before it must be well-formed, except that the last character may
    /// be incomplete.
    #[inline(never)]
    pub(super) unsafe fn section<const CORRECTED: bool>(src: &[u8], at: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            let Some((which, errors)) = only::<CORRECTED>(src, at) else { return src.len() };
            if places(errors) == 0 {
                return closed(src);
            }
            match look::<CORRECTED>(src, at, which) {
                Ok(_) => first_error::<CORRECTED>(src, src.len() - BLOCK, src.len()),
                Err(boundary) => boundary,
            }
        }
    }

    /// The length of the longest character of four blocks of `src`, from its start to its end, if a quarter of them is not ASCII.
    ///
    /// # Safety
    /// There must be a block.
    #[inline]
    unsafe fn dense(src: &[u8]) -> Option<usize> {
        // SAFETY: the caller's promise.
        unsafe {
            let last = src.len() - BLOCK;
            let few = |bytes| _mm512_movepi8_mask(bytes).count_ones() < BLOCK as u32 / 4;
            let ends = _mm512_max_epu8(block(src, 0), block(src, last));
            if few(ends) {
                return None;
            }
            let middle = _mm512_max_epu8(block(src, last / 3), block(src, last / 3 * 2));
            if few(middle) {
                return None;
            }
            Some(longest(_mm512_max_epu8(ends, middle)))
        }
    }
}
