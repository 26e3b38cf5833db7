//! Copies of a few bytes, where a whole register would reach too far.
//!
//! [`copy_short`] chooses among moves by the length, which costs nothing where lengths are alike, and a misprediction where they
//! are not: five nanoseconds or so. [`copy_to_block`] has no branch, if there are loads that leave words out (AVX2), and if the
//! destination has room for a block.

use core::hint::select_unpredictable as choose;

use crate::kernel::vector::Vector;

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

/// Copies `len` bytes, up to 63, and writes at least one zero after them.
///
/// # Safety
/// Within the root of `V`. `len` bytes must be readable; 64 bytes must be writable, and must not overlap with them.
#[inline(always)]
pub(super) unsafe fn copy_to_block<V: Vector>(src: *const u8, dst: *mut u8, len: usize) {
    if !V::LOADS_WORDS {
        // SAFETY: the caller's promise; the zero is the 64th byte at most.
        unsafe {
            copy_short(src, dst, len);
            dst.add(len).write(0);
        }
        return;
    }
    static NOTHING: [u8; 4] = [0; 4];
    let words = (len / 4) as i32;
    let in_registers = (V::LEN / 4) as i32;
    let has_words = words > 0;
    // SAFETY: whole words of the text are loaded, and four bytes that end where it ends, or, if it has fewer, bytes of it: the first,
    // that in the middle, and the last, some of them more than once. Of an empty text nothing is read. All is written into the block;
    // behind the text the registers have zeros, and so has the word of a text that has fewer bytes.
    unsafe {
        let mut register = 0;
        while register * V::LEN < 64 {
            V::load_words(src.wrapping_add(register * V::LEN), words - in_registers * register as i32)
                .store(dst.add(register * V::LEN));
            register += 1;
        }
        let few = choose(len > 0, src, NOTHING.as_ptr());
        let [middle, last] = [len / 2, len.saturating_sub(1)];
        let byte = |at: usize| u32::from(few.add(at).read()).wrapping_shl(8 * at as u32);
        let few = byte(0) | byte(middle) | byte(last);
        let from = choose(has_words, src.wrapping_add(len).wrapping_sub(4), NOTHING.as_ptr());
        let end = choose(has_words, u32::from_le_bytes(from.cast::<[u8; 4]>().read()), few);
        dst.add(len.max(4) - 4).cast::<[u8; 4]>().write(end.to_le_bytes());
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
