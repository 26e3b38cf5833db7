//! All errors of some lines, on AVX-512: see [`errors`](crate::kernel::dispatch::errors).

use super::super::BLOCK;
use super::super::arch::*;
use super::sections::{Found, detect, to_judge};
use super::unit::{level, no_errors, places as places_of, unit};
use crate::kernel::shared::lines::{Places, before, lines_of_errors};
use crate::kernel::shared::opaque::opaque;

avx512! {
    /// Which of the lines of `src` from `at` on have errors, and which had to be judged: one bit for each of the
    /// [`lines_of_errors`]. At which of its bytes a line has errors is written to `places`, one after the other for the lines that have.
    ///
    /// # Safety
    /// There must be three bytes before `at`, and a line behind it.
    #[inline]
    pub(in crate::kernel) unsafe fn errors_of_lines<const LAZY: bool>(src: &[u8], at: usize, places: &mut Places) -> (u64, u64) {
        let lines = lines_of_errors(src, at);
        // SAFETY: these lines are within `src`, and three bytes before them. The loop ends when there is no more room for places.
        unsafe {
            let p = src.as_ptr().add(at);
            let load = |line: usize| _mm512_loadu_si512(p.add(BLOCK * line).cast());
            let sampled = |line: usize| _mm512_movepi8_mask(load(line.min(lines - 1))) != 0;
            let which = if sampled(0) & sampled(15) & sampled(30) & sampled(45) {
                opaque(u64::MAX >> (64 - lines))
            } else {
                let mut found = Found::new();
                let mut open = u64::from(!before(src, at).is_ascii());
                let all = detect::<false>(p, lines, 0, &mut found);
                // Known earlier than what is stored.
                if _mm512_movepi8_mask(all) == 0 && open == 0 {
                    return (0, 0);
                }
                to_judge(&found, lines, &mut open)
            };
            let level = level::<4, false>();
            let (mut rest, mut with) = (which, 0);
            let mut to = places.as_mut_ptr().cast::<u64>();
            let end = to.add(places.len());
            while rest != 0 && to != end {
                let line = rest.trailing_zeros() as usize;
                let places = places_of(unit::<4>(&level, no_errors(), p.add(BLOCK * line), load(line)));
                // Over what was written for a line without errors.
                to.write(places);
                to = to.add(usize::from(places != 0));
                with |= if places != 0 { rest & rest.wrapping_neg() } else { 0 };
                rest &= rest - 1;
            }
            (with, which)
        }
    }
}
