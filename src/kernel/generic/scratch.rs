//! The end of the output: a buffer on the stack, from which only the wanted bytes are copied.
//!
//! A step of a kernel to UTF-8 may write up to two vectors, however few bytes it produces. If there is less room than that, it
//! writes to the stack, and exactly the wanted bytes are copied from there.
//!
//! (Copying without a branch was tried, in pieces of all sizes, of which those that are too long are discarded. Strings of 1 to 15 units of
//! UTF-16 in Arabic and Chinese took 0.9 of the time, those from UTF-32 1.0 to 1.1, and strings that all have the same length a nanosecond
//! more: Intel Granite Rapids.)

use core::mem::MaybeUninit;

/// Room for a step: two of the largest vectors.
pub(super) const SCRATCH: usize = 64;

/// Bytes on the stack.
#[repr(align(32))]
pub(super) struct Scratch(MaybeUninit<[u8; SCRATCH]>);

impl Scratch {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Scratch(MaybeUninit::uninit())
    }

    #[inline(always)]
    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    /// Copies the first `size` bytes to `dst`, in pieces that overlap.
    ///
    /// # Safety
    /// They must have been written, and there must be room for them.
    #[inline(always)]
    pub(super) unsafe fn copy(&self, dst: *mut u8, size: usize) {
        let src = self.0.as_ptr().cast::<u8>();
        // SAFETY: each piece is within the first `size` bytes, on both sides.
        unsafe {
            if size >= 16 {
                let mut at = 0;
                while at + 16 < size {
                    piece::<16>(src, dst, at);
                    at += 16;
                }
                piece::<16>(src, dst, size - 16);
            } else if size >= 8 {
                piece::<8>(src, dst, 0);
                piece::<8>(src, dst, size - 8);
            } else if size >= 4 {
                piece::<4>(src, dst, 0);
                piece::<4>(src, dst, size - 4);
            } else if size > 0 {
                piece::<1>(src, dst, 0);
                piece::<1>(src, dst, size / 2);
                piece::<1>(src, dst, size - 1);
            }
        }
    }

    /// Copies as many whole characters as fit into `room`, which is less than what was written. Returns how many units
    /// they have, of UTF-16 if `pairs` and else of UTF-32, and how many bytes.
    ///
    /// # Safety
    /// At least `room + 1` bytes must have been written, UTF-8 from a character boundary on; and `room` bytes must be
    /// writable at `dst`.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn copy_what_fits(&self, dst: *mut u8, room: usize, pairs: bool) -> (usize, usize) {
        let src = self.0.as_ptr().cast::<u8>();
        // SAFETY: these bytes have been written; the rest is the caller's promise.
        unsafe {
            let bytes = core::slice::from_raw_parts(src, room + 1);
            let size = (0..=room).rev().find(|&at| bytes[at] & 0xC0 != 0x80).unwrap_or(0);
            let units = |&byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(pairs && byte >= 0xF0);
            let units = bytes[..size].iter().map(units).sum();
            self.copy(dst, size);
            (units, size)
        }
    }
}

/// Copies the `N` bytes at offset `at`.
///
/// # Safety
/// They must be readable and writable there.
#[inline(always)]
unsafe fn piece<const N: usize>(src: *const u8, dst: *mut u8, at: usize) {
    // SAFETY: the caller's promise; arrays of bytes have no alignment.
    unsafe { dst.add(at).cast::<[u8; N]>().write(src.add(at).cast::<[u8; N]>().read()) }
}
