//! Masks of sets of bytes, from text that is validated at the same time; and positions from masks.

use super::{by_isa, run_plain};
#[cfg(target_feature = "sse2")]
use crate::kernel::Isa;
#[cfg(target_feature = "sse2")]
use crate::kernel::avx512;
use crate::kernel::portable::cuts::{FindBusy, Unquote};
use crate::kernel::portable::scan::Positions;
use crate::kernel::shared::Progress;
use crate::kernel::shared::wanted::{Expected, LINE, MOST_LINES, Wanted};
use crate::kernel::{Engine, generic, portable};

pub(crate) use crate::kernel::portable::cuts::Busy;
pub use crate::kernel::portable::scan::Offset;

/// Writes the masks of the lines of `src` from `at` on: of as many as there are `masks`, but of 256 at most. Returns `None` if
/// there is an error in them, and otherwise what to expect of the next lines; `expected` is that of the lines before.
///
/// The three bytes before `at` are looked at: what is before them must be well-formed, except that the last character may be
/// incomplete. Likewise one that the lines end in is no error yet.
///
/// Returns `None`, too, if `at` is less than 3, or the lines are not all in `src`, or there are none.
#[inline]
pub(crate) fn scan<const N: usize>(
    engine: Engine,
    src: &[u8],
    at: usize,
    wanted: &Wanted<N>,
    masks: &mut [[u64; N]],
    expected: Expected,
) -> Option<Expected> {
    let last = masks.len().min(MOST_LINES) * LINE;
    if at < 3 || masks.is_empty() || masks.len() > MOST_LINES || src.len() < last || src.len() - last < at {
        return None;
    }
    // (Of no set, all are of a single byte; the other loops are not compiled for it.)
    if const { N == 0 } || wanted.single {
        jump_to_scan::<N, true>(src, at, wanted, masks, expected, engine)
    } else {
        jump_to_scan::<N, false>(src, at, wanted, masks, expected, engine)
    }
}

#[inline(never)]
fn jump_to_scan<const N: usize, const SINGLE: bool>(
    src: &[u8],
    at: usize,
    wanted: &Wanted<N>,
    masks: &mut [[u64; N]],
    expected: Expected,
    engine: Engine,
) -> Option<Expected> {
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: the caller has compared the lines with the bounds; the engine proves its instruction set.
    unsafe {
        by_isa!(
            engine;
            avx512::scan::<N, SINGLE>(src, at, wanted, masks, expected),
            generic::Scan::<N, SINGLE> { src, at, wanted, masks, expected },
            portable::scan::scan::<N, SINGLE>(src, at, wanted, masks),
        )
    }
}

/// Writes the offsets of the bits of `masks`, of which the first is that of `base`, to `out`; stops before a mask for which less
/// than 64 places are left. `read` are the masks that were read.
#[inline]
pub(crate) fn positions<P: Offset>(
    engine: Engine,
    masks: &[[u64; 1]],
    base: usize,
    out: &mut [P],
) -> Progress {
    #[cfg(target_feature = "sse2")]
    if engine.isa() == Isa::Avx512
        && let Some(out) = P::as_u32(out)
    {
        // SAFETY: the engine proves the instruction set; nothing else is required.
        return unsafe { avx512::positions::<true>(masks, base as u32, out) };
    }
    // SAFETY: the loop has no requirements.
    unsafe { run_plain(engine, Positions { masks, base, out }) }
}

/// Which of these masks have a bit.
#[inline]
pub(crate) fn busy(engine: Engine, masks: &[[u64; 1]; MOST_LINES]) -> Busy {
    let mut busy = Busy::default();
    // SAFETY: the loop has no requirements.
    unsafe { run_plain(engine, FindBusy { masks, busy: &mut busy }) };
    busy
}

/// Writes, for each line of `both`, the delimiters (its first mask) that are not between quotes (its second) to `masks`, which has as many.
/// `inside` is all ones if the first line begins between quotes, and then the same for the line behind the last.
#[inline]
pub(crate) fn unquote(engine: Engine, both: &[[u64; 2]], inside: &mut u64, masks: &mut [[u64; 1]]) {
    let unquote = Unquote { both, inside, masks };
    #[cfg(target_feature = "sse2")]
    if engine.isa() == Isa::Avx512 {
        // SAFETY: the engine proves the instruction set; nothing else is required.
        unsafe { avx512::unquote::<true>(unquote) };
        return;
    }
    // SAFETY: the loop has no requirements.
    unsafe { run_plain(engine, unquote) };
}
