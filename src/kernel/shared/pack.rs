//! Many short texts, validated together.
//!
//! A call of a kernel costs three nanoseconds for a text of a few bytes, whatever the kernel: a load, the masks, a branch or two that
//! cannot be predicted. Texts that are adjacent in memory need none of that (see [`offsets`](crate::kernel::portable::offsets)).
//! Separate slices are faster *packed*: each is copied to a small buffer, followed by a zero, and the buffer is validated as one
//! text. Zero is a character of one byte, so a text that ends in the middle of a character makes the buffer ill-formed, and so does a
//! text that begins with a continuation byte: the buffer is well-formed if and only if each of the texts is.
//!
//! With AVX-512 a copy is a masked load and a store, whatever the length, and the zeros come with the load. AVX2 has masked loads of words
//! of four bytes; the bytes that are left over come from a load of the last four bytes. Elsewhere a copy is two overlapping moves, chosen
//! by the length. Texts longer than a block go to the kernel directly.
//!
//! Values of 5 to 15 bytes of Cyrillic in separate slices then take 2.4 ns each with AVX-512, and 5.5 with two moves; std's function
//! takes 28. How much the choice by length costs depends on how many lengths a CPU remembers: on AMD Zen 5, views of 0 to 40 bytes of
//! ASCII take 9.8 ns each if 65,536 of them are validated again and again, and 4.9 with AVX2's loads; with 8192 of them, it is 4.0 and
//! 4.9.

use core::mem::MaybeUninit;

/// Bytes packed at once: they stay in the L1 cache, and are enough for the kernel to reach its full speed.
pub(in crate::kernel) const PACK: usize = 4096;

/// The longest text that is packed; with the zero it fits into a block.
pub(in crate::kernel) const SHORT: usize = 63;

/// A buffer of texts of up to [`SHORT`] bytes, each followed by a zero.
#[repr(align(64))]
struct Bytes([MaybeUninit<u8>; PACK]);

/// How many of these texts, from the first on, are well-formed. `copy` writes a text of up to [`SHORT`] bytes and a zero after it, to
/// where there is room for a block; `check` returns the length of a well-formed prefix.
///
/// The length of the buffer's contents is not part of the struct: the compiler would not keep it in a register while it
/// stores to the buffer.
///
/// # Safety
/// `copy` must write these bytes.
#[inline(always)]
pub(in crate::kernel) unsafe fn valid_values(
    values: &[&[u8]],
    copy: impl Fn(&[u8], *mut u8),
    check: impl Fn(&[u8]) -> usize,
) -> usize {
    let mut bytes = Bytes([const { MaybeUninit::uninit() }; PACK]);
    let start = bytes.0.as_mut_ptr().cast::<u8>();
    // SAFETY: it is called only for bytes that have been written.
    let passes = |len| check(unsafe { core::slice::from_raw_parts(start, len) }) == len;
    // The length of the contents, and the index of the first text there.
    let (mut len, mut first) = (0, 0);
    for (index, value) in values.iter().enumerate() {
        if value.len() > SHORT {
            if check(value) < value.len() {
                return first;
            }
            continue;
        }
        if len > PACK - (SHORT + 1) {
            if !passes(len) {
                return first;
            }
            (len, first) = (0, index);
        }
        // SAFETY: there is room for a block.
        copy(value, unsafe { start.add(len) });
        len += value.len() + 1;
    }
    if passes(len) { values.len() } else { first }
}
