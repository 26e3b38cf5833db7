//! Copies of a few bytes, where a whole register would reach too far.

/// Copies `len` bytes, up to 64, with two moves that overlap. Both are read before either is written.
///
/// # Safety
/// `len` bytes must be readable and writable, and must not overlap.
#[inline(always)]
pub(super) unsafe fn copy_short(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: each pair of moves covers all bytes, and none outside.
    unsafe {
        match len {
            32.. => ends::<32>(src, dst, len),
            16.. => ends::<16>(src, dst, len),
            8.. => ends::<8>(src, dst, len),
            4.. => ends::<4>(src, dst, len),
            2.. => ends::<2>(src, dst, len),
            1 => dst.write(src.read()),
            0 => {}
        }
    }
}

/// Copies the first `N` bytes of `len` and the last `N`.
///
/// # Safety
/// `len` bytes must be readable and writable, and `N` must not be greater.
#[inline(always)]
unsafe fn ends<const N: usize>(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let first = src.cast::<[u8; N]>().read();
        let last = src.add(len - N).cast::<[u8; N]>().read();
        dst.cast::<[u8; N]>().write(first);
        dst.add(len - N).cast::<[u8; N]>().write(last);
    }
}
