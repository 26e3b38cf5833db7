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

/// Walks over `src[from..to]` while the sum of the weights stays within `limit`. What is "read" is the
/// place in `src` of the first unit that goes beyond it, or `to`; what is "written" is the sum before.
/// The range is cut to what there is.
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
    // SAFETY: so many units are there, all of them before `to`.
    unsafe { dispatch_seek::<M>(src.as_ptr().cast(), from, to, limit, engine) }
}

/// For each stretch of so many units, as many as `sums` asks for, from `from` on: the sums of its
/// weights by three measures. Of what is not there, nothing.
#[inline]
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "it is for the index, which owns memory"))]
pub(crate) fn profile<A: Weights, B: Weights<Unit = A::Unit>, C: Weights<Unit = A::Unit>>(
    engine: Engine,
    src: &[A::Unit],
    from: usize,
    stretch: usize,
    sums: &mut [[u16; 3]],
) {
    let profile = Profile::<A, B, C>::new(src, from.min(src.len()), stretch, sums);
    // SAFETY: the stretches are cut to what is there.
    unsafe { dispatch_profile(profile, engine) };
}

/// The engine comes last, so that the arguments are where the kernel expects them.
///
/// # Safety
/// `to` units must be readable at `src`, and `from` must not be greater.
#[inline(never)]
unsafe fn dispatch_seek<M: Weights>(
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
/// What the profile says must be there.
#[inline(never)]
unsafe fn dispatch_profile<A: Weights, B: Weights<Unit = A::Unit>, C: Weights<Unit = A::Unit>>(
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
