//! Copies of a few bytes, where a whole register would reach too far, or a loop would have an end that nobody can predict.
//!
//! [`copy_short`] chooses among moves by the length, which costs nothing if lengths are alike, and a misprediction of some five
//! nanoseconds if they are not. [`copy_to_block`] has no branch on the length, if there are loads that leave words out (AVX2), and
//! if the destination has room for a block.

use super::few_steps::{Step, are_few, few_steps};
use crate::kernel::shared::short_text::{behind_words, is_within_page, readable};
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
    // SAFETY: the caller's promise.
    let p = readable(unsafe { core::slice::from_raw_parts(src, len) });
    if !(V::LOADS_WORDS && is_within_page(p, 64)) {
        // SAFETY: the caller's promise; the zero is the 64th byte at most.
        unsafe {
            copy_short(p, dst, len);
            dst.add(len).write(0);
        }
        return;
    }
    let words = (len / 4) as i32;
    let in_registers = (V::LEN / 4) as i32;
    // SAFETY: whole words of the text are loaded, and what is behind them. All is written into the block; behind the text there are zeros,
    // at least one, as the block has sixteen words, and the text fewer.
    unsafe {
        let mut register = 0;
        while register * V::LEN < 64 {
            V::load_words(p.wrapping_add(register * V::LEN), words - in_registers * register as i32)
                .store(dst.add(register * V::LEN));
            register += 1;
        }
        dst.add(4 * words as usize).cast::<[u8; 4]>().write(behind_words(p, len).to_le_bytes());
    }
}

/// Copies a text of [few registers](few_steps), if it is ASCII; says whether it is, and fits. What it has copied otherwise, is to be
/// overwritten.
///
/// # Safety
/// Within the root of `V`. `len` bytes must be readable, `room` bytes writable, and none of them both.
#[inline(always)]
pub(super) unsafe fn copy_short_ascii<V: Vector>(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> bool {
    if !are_few(len, V::LEN) || len > room {
        return false;
    }
    // SAFETY: all registers are within the text, and there is room for as many bytes.
    unsafe {
        let first = V::load(src);
        if first.any_sign_bit() {
            return false;
        }
        let mut copied = Copied { src, dst, all: first };
        few_steps(&mut copied, len, V::LEN);
        !copied.all.any_sign_bit()
    }
}

/// What [`copy_short_ascii`] has copied.
struct Copied<V> {
    src: *const u8,
    dst: *mut u8,
    /// All bytes or'ed together.
    all: V,
}

impl<V: Vector> Step for Copied<V> {
    #[inline(always)]
    unsafe fn step(&mut self, at: usize) {
        // SAFETY: the caller's promise; and there is room for as many bytes.
        unsafe {
            let bytes = V::load(self.src.add(at));
            self.all = self.all.or(bytes);
            bytes.store(self.dst.add(at));
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
