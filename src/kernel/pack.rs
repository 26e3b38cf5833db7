//! Many short texts, checked together.
//!
//! A call of a kernel costs three nanoseconds for a text of a few bytes, whatever the kernel: a load, the
//! masks, a branch or two that cannot be guessed. Where texts lie one behind the other none of that is
//! needed (see [`starts`](super::starts)). Where they lie here and there, as slices do, it is quicker to
//! *bring them together*: each is copied to a small buffer, with a zero behind it, and the buffer is
//! checked as one text. Zero is a character of one byte; so a text that ends too early is an error
//! there, and one that begins with a continuation byte is too: the buffer is well-formed if and only if
//! each of the texts is.
//!
//! With AVX-512 a copy is a masked load and a store, whatever the length, and the zeros come with the
//! load. Elsewhere it is two moves that overlap. Texts of more than a block go to the kernel directly.

use core::mem::MaybeUninit;

/// Bytes that are brought together at once: they stay in the nearest cache, and are enough for the kernel to get
/// going.
pub(super) const PACK: usize = 4096;

/// The longest text that is copied; with the zero it fits into a block.
pub(super) const SHORT: usize = 63;

/// Texts of up to [`SHORT`] bytes in a row, each with a zero behind it.
#[repr(align(64))]
pub(super) struct Pack {
    bytes: [MaybeUninit<u8>; PACK],
    len: usize,
}

impl Pack {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Pack { bytes: [const { MaybeUninit::uninit() }; PACK], len: 0 }
    }

    /// Whether there is no room for another one.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.len > PACK - (SHORT + 1)
    }

    /// Where the next one goes: there is room for a block, unless it is full.
    #[inline(always)]
    pub(super) fn next(&mut self) -> *mut u8 {
        debug_assert!(!self.is_full());
        // SAFETY: the length is within the buffer.
        unsafe { self.bytes.as_mut_ptr().add(self.len).cast() }
    }

    /// Takes note of a text of `len` bytes.
    ///
    /// # Safety
    /// It and the zero behind it must have been written.
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, len: usize) {
        self.len += len + 1;
    }

    /// Whether all of them are in order, as `check` says of their bytes: the length of a prefix that
    /// is. It is empty afterwards.
    #[inline(always)]
    pub(super) fn passes(&mut self, check: impl FnOnce(&[u8]) -> usize) -> bool {
        // SAFETY: so many bytes have been written.
        let bytes = unsafe { core::slice::from_raw_parts(self.bytes.as_ptr().cast::<u8>(), self.len) };
        self.len = 0;
        check(bytes) == bytes.len()
    }
}
