//! Values whose origin the compiler cannot see. Miri does not support assembly, so there they are passed through unchanged.

/// `mask`, in a general register and of an origin that LLVM cannot see. Otherwise it would test a mask in the mask register, and move
/// it later all the same; or compute it where it is used, and not where it could be known early.
#[inline(always)]
pub(in crate::kernel) fn opaque(mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut mask = mask;
        // SAFETY: no instruction at all.
        unsafe {
            core::arch::asm!("/* {mask} */", mask = inout(reg) mask, options(pure, nomem, nostack, preserves_flags))
        };
        mask
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        mask
    }
}

/// Keeps the branch that this stands in from being joined with others: LLVM turns `a || b` into `b || a` if that seems cheaper, and does
/// not know which of them can be predicted.
#[inline(always)]
pub(in crate::kernel) fn branch() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: no instruction at all.
    unsafe {
        core::arch::asm!("/* a branch */", options(nomem, nostack, preserves_flags))
    };
}

/// Keeps the compiler from knowing what was stored in `values`: they are in memory, to be loaded as larger ones.
#[inline(always)]
pub(in crate::kernel) fn stored<T>(values: &mut T) {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    // SAFETY: no instruction at all.
    unsafe {
        core::arch::asm!("/* {values} */", values = in(reg) values, options(nostack, preserves_flags))
    };
    #[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    core::hint::black_box(values);
}
