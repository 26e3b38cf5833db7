//! Consecutive lines, all of which are judged: there is no test for a single line, only one for each eight lines, for errors or longer
//! characters. So the number of turns of the loop follows from the length, and nothing depends on the text.
//!
//! Judging [all] lines begins at the level of the longest character in the samples, as the lower levels take less time, and continues at a
//! higher one with whatever that level has refused. (LLVM unrolls the loop over eight lines. If it may not, there is a fifth less code, and
//! texts of 256 to 1024 bytes are at 0.98 to 1.00: AMD Zen 4.)

use super::super::BLOCK;
use super::super::arch::*;
use super::super::memory::{AHEAD, prefetch_ahead};
use super::unit::{Errors, level, no_errors, places, unit};
use super::{LONG, block, errors_of_first, first_error};
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::closed;

/// So many lines are judged before it is asked whether they have errors, or longer characters.
const EIGHT: usize = 8;

/// Lines that are to be judged, whatever they are: the next, the one behind it, and how many.
#[derive(Clone, Copy)]
struct Straight {
    line: *const u8,
    next: *const u8,
    rest: usize,
}

impl Straight {
    /// Where the first of them begins, from `start` on. (The last one of the text may be judged before the others.)
    ///
    /// # Safety
    /// All must be in the text that begins there.
    #[inline(always)]
    unsafe fn first(&self, start: *const u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { self.line.min(self.next).offset_from_unsigned(start) }
    }
}

avx512! {
    /// All of `src`, a text of at least two blocks: its lines, and its last block. Presumably no character is longer than `longest`.
    ///
    /// # Safety
    /// None but those of the instruction set.
    #[inline(never)]
    pub(super) unsafe fn all<const CORRECTED: bool>(src: &[u8], longest: usize) -> usize {
        let start = src.as_ptr();
        // SAFETY: all is within `src`, and three bytes are before the lines.
        unsafe {
            let errors = places(errors_of_first(&level::<4, CORRECTED>(), block(src, 0)));
            if errors != 0 {
                return boundary_before(src, errors.trailing_zeros() as usize);
            }
            let at = (BLOCK - start as usize % BLOCK).max(3);
            let last = start.add(src.len() - BLOCK);
            // The last first, so that whether a line is the last need not be asked of each.
            let mut lines = Straight { line: last, next: start.add(at), rest: (src.len() - at) / BLOCK + 1 };
            if longest == 2 {
                match judge::<2, CORRECTED>(lines) {
                    None => return closed(src),
                    Some((group, _)) => lines = group,
                }
            }
            if longest <= 3 {
                let Some((group, behind)) = judge::<3, CORRECTED>(lines) else { return closed(src) };
                let end = behind.line.offset_from_unsigned(start).min(src.len());
                let boundary = first_error::<CORRECTED>(src, group.first(start), end);
                if boundary < end {
                    return boundary;
                }
                // It was a character of four bytes, or something in the last line.
                lines = Straight { line: last, next: behind.line, rest: behind.rest + 1 };
            }
            match judge::<4, CORRECTED>(lines) {
                None => closed(src),
                Some((group, _)) => first_error::<CORRECTED>(src, group.first(start), src.len()),
            }
        }
    }

    /// Judges them. If eight of them have an error, or a character of more than `MOST` bytes: these with all that follow; and what follows them.
    ///
    /// # Safety
    /// The lines must be readable, and three bytes before each.
    #[inline]
    unsafe fn judge<const MOST: usize, const CORRECTED: bool>(mut lines: Straight) -> Option<(Straight, Straight)> {
        let level = level::<MOST, CORRECTED>();
        loop {
            let group = lines;
            let mut errors = no_errors();
            let mut some = lines.rest.min(EIGHT);
            lines.rest -= some;
            while some != 0 {
                prefetch_ahead::<AHEAD>(lines.next);
                // SAFETY: the caller's promise.
                errors = unsafe { unit::<MOST>(&level, errors, lines.line, _mm512_loadu_si512(lines.line.cast())) };
                lines.line = lines.next;
                lines.next = lines.next.wrapping_add(BLOCK);
                some -= 1;
            }
            if places(errors) != 0 {
                return Some((group, lines));
            }
            if lines.rest == 0 {
                return None;
            }
        }
    }

    /// The rest of a text of some KiB from `at` on, where a line begins: all lines of it are judged, and its last block, so the
    /// text decides nothing but where the loop ends.
    ///
    /// # Safety
    /// `at` must be at least 3, and at least a block must follow. What is before it must be well-formed, except that the last character may
    /// be incomplete.
    #[inline(never)]
    pub(super) unsafe fn every_line<const CORRECTED: bool>(src: &[u8], at: usize) -> usize {
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
                    return first_error::<CORRECTED>(src, from, src.len());
                }
            }
            closed(src)
        }
    }
}
