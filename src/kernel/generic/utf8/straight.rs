//! Consecutive lines, all of which are judged: there is no test for a single line, only one for each eight lines, for errors or longer
//! characters.
//!
//! Each line prefetches the one eight lines ahead, even beyond the end of the text: from the third-level cache, in any order, this makes
//! Hindi of 1 to 4 KiB 1.17 times as fast, Arabic and Japanese 1.09; from the second-level cache, all take as long as before. (If all lines
//! are prefetched at the start, texts in the second-level cache lose 0.02. Five or twelve lines ahead: the same. All AVX2, Intel Cascade
//! Lake.)

use super::unit::{Level, Sums};
use crate::kernel::generic::BLOCK;
use crate::kernel::vector::Vector;

/// So many lines are judged before it is asked whether they have errors, or longer characters.
pub(super) const EIGHT: usize = 8;

/// How far ahead of a line is prefetched.
const AHEAD: usize = 8 * BLOCK;

/// Lines that are to be judged, whatever they are: the next, the one behind it, and how many.
#[derive(Clone, Copy)]
pub(super) struct Straight {
    pub(super) line: *const u8,
    pub(super) next: *const u8,
    pub(super) rest: usize,
}

/// Lines that have an error, or a character that is too long for the level.
pub(super) struct Refused {
    /// The first eight such lines, with all that follow.
    pub(super) group: Straight,
    /// What follows these.
    pub(super) behind: Straight,
    /// Whether they have such a character.
    pub(super) too_long: bool,
}

impl Straight {
    /// Judges them. `Err` is where they are refused.
    ///
    /// # Safety
    /// As for [`Vector`]; and these lines must be readable, and three bytes before each.
    #[inline(always)]
    pub(super) unsafe fn judge<V: Vector, const MOST: usize, const CORRECTED: bool>(
        mut self,
        level: &Level<V>,
    ) -> Result<Sums<V>, Refused> {
        // SAFETY: the caller's promise.
        unsafe {
            let mut sums = Sums::new();
            loop {
                let group = self;
                let mut some = self.rest.min(EIGHT);
                self.rest -= some;
                while some != 0 {
                    V::prefetch(self.next.wrapping_add(AHEAD));
                    sums = level.line::<MOST, CORRECTED>(sums, self.line);
                    self.line = self.next;
                    self.next = self.next.wrapping_add(BLOCK);
                    some -= 1;
                }
                if level.refused::<MOST, CORRECTED>(sums) {
                    let too_long = MOST < 4 && level.too_long::<MOST>(sums).any_sign_bit();
                    return Err(Refused { group, behind: self, too_long });
                }
                if self.rest == 0 {
                    return Ok(sums);
                }
            }
        }
    }

    /// Where the first of them begins, from `start` on. (The last one of the text may be judged before the others.)
    ///
    /// # Safety
    /// All must be in the text that begins there.
    #[inline(always)]
    pub(super) unsafe fn first(&self, start: *const u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { self.line.min(self.next).offset_from_unsigned(start) }
    }
}
