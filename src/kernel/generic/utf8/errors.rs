//! All errors of some lines, over any vector: see [`errors`](crate::kernel::dispatch::errors).

use super::lookups::Lookups;
use super::sections::{Found, detect, to_judge};
use crate::kernel::generic::BLOCK;
use crate::kernel::shared::lines::{Places, before, lines_of_errors};
use crate::kernel::vector::{Operation, Vector};

/// Which of the lines of `src` from `at` on have errors, and which had to be judged: one bit for each of the [`lines_of_errors`]. At which
/// of its bytes a line has errors is written to `places`, one after the other for the lines that have.
///
/// There must be three bytes before `at`, and a line behind it.
pub(in crate::kernel) struct ErrorsOfLines<'a> {
    pub src: &'a [u8],
    pub at: usize,
    pub places: &'a mut Places,
}

impl Operation for ErrorsOfLines<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> (u64, u64) {
        let ErrorsOfLines { src, at, places } = self;
        let lines = lines_of_errors(src, at);
        let mut found = Found::new();
        let mut open = u64::from(!before(src, at).is_ascii());
        // SAFETY: these lines are within `src`, and three bytes before them. There is room for the places of all.
        unsafe {
            let p = src.as_ptr().add(at);
            let all = detect::<V, false>(p, lines, 0, &mut found);
            // Known earlier than what is stored.
            if !all.any_sign_bit() && open == 0 {
                return (0, 0);
            }
            let lookups = Lookups::<V>::new::<false>();
            let which = to_judge::<V>(&found, lines, &mut open);
            let (mut rest, mut with) = (which, 0);
            let mut to = places.as_mut_ptr().cast::<u64>();
            let end = to.add(places.len());
            while rest != 0 && to != end {
                let p = p.add(BLOCK * rest.trailing_zeros() as usize);
                let mut without = 0;
                for from in (0..BLOCK).step_by(V::LEN) {
                    let p = p.add(from);
                    let none = lookups.errors_at(p, V::load(p)).equal(V::splat(0));
                    without |= u64::from(none.sign_bits()) << from;
                }
                // Over what was written for a line without errors.
                to.write(!without);
                to = to.add(usize::from(without != u64::MAX));
                with |= if without == u64::MAX { 0 } else { rest & rest.wrapping_neg() };
                rest &= rest - 1;
            }
            (with, which)
        }
    }
}
