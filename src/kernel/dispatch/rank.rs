//! Rank and select: see [`portable::rank`](crate::kernel::portable::rank), which says what is counted.

use super::by_isa;
#[cfg(target_feature = "sse2")]
use crate::kernel::avx512;
use crate::kernel::portable::rank::{Profile, plain};
use crate::kernel::shared::Progress;
use crate::kernel::{Engine, generic};

#[cfg(feature = "alloc")]
pub(crate) use crate::kernel::portable::rank::Counted;
pub(crate) use crate::kernel::portable::rank::{
    Breaks8, Breaks16, Bytes16, Chars8, Chars16, Units8, Weights,
};

/// Reads `src[from..to]` while the sum of the weights stays within `limit`. `read` is the offset in `src` of the first unit that
/// exceeds the limit, or `to`; `written` is the sum before it. The range is clamped to the length of `src`.
#[inline]
pub(crate) fn seek<M: Weights>(
    engine: Engine,
    src: &[M::Unit],
    from: usize,
    to: usize,
    limit: usize,
) -> Progress {
    let to = to.min(src.len());
    let from = from.min(to);
    // SAFETY: all units before `to` are in the slice.
    unsafe { jump_to_seek::<M>(src.as_ptr().cast(), from, to, limit, engine) }
}

/// The sums of three weights over each of `sums.len()` consecutive segments of `segment` units, from `from` on. Past the end of
/// `src` the sums are 0.
#[inline]
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "it is for the index, which owns memory"))]
pub(crate) fn profile<A: Weights, B: Weights<Unit = A::Unit>, C: Weights<Unit = A::Unit>>(
    engine: Engine,
    src: &[A::Unit],
    from: usize,
    segment: usize,
    sums: &mut [[u16; 3]],
) {
    let profile = Profile::<A, B, C>::new(src, from.min(src.len()), segment, sums);
    // SAFETY: the segments are clamped to the slice.
    unsafe { jump_to_profile(profile, engine) };
}

/// The engine comes last, so that the arguments are where the kernel expects them.
///
/// # Safety
/// `to` units must be readable at `src`, and `from` must not be greater.
#[inline(never)]
unsafe fn jump_to_seek<M: Weights>(
    src: *const u8,
    from: usize,
    to: usize,
    limit: usize,
    engine: Engine,
) -> Progress {
    // SAFETY: an `Engine` exists only for an instruction set that this CPU runs; the rest is the caller's
    // promise.
    unsafe {
        by_isa!(
            engine;
            avx512::seek::<M>(src, from, to, limit),
            generic::Seek::<M>::new(src, from, to, limit),
            plain::<M>(src, from, to, limit),
        )
    }
}

/// # Safety
/// The units of the profile must be readable.
#[inline(never)]
unsafe fn jump_to_profile<A: Weights, B: Weights<Unit = A::Unit>, C: Weights<Unit = A::Unit>>(
    profile: Profile<'_, A, B, C>,
    engine: Engine,
) {
    // SAFETY: an `Engine` exists only for an instruction set that this CPU runs; the rest is the caller's
    // promise.
    unsafe {
        by_isa!(
            engine;
            avx512::profile(profile),
            profile,
            profile.each(|src, from, to| {
                let all = usize::MAX;
                [plain::<A>(src, from, to, all), plain::<B>(src, from, to, all), plain::<C>(src, from, to, all)]
                    .map(|progress| progress.written)
            }),
        )
    }
}
