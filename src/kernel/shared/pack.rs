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
//!
//! Values of 5 to 15 bytes of Cyrillic, anywhere, then take 2.4 ns each with AVX-512, and 5.5 with AVX2;
//! by std's function they take 28.

use core::mem::MaybeUninit;

/// Bytes that are brought together at once: they stay in the nearest cache, and are enough for the kernel to get
/// going.
pub(in crate::kernel) const PACK: usize = 4096;

/// The longest text that is copied; with the zero it fits into a block.
pub(in crate::kernel) const SHORT: usize = 63;

/// Texts of up to [`SHORT`] bytes in a row, each with a zero behind it.
#[repr(align(64))]
struct Bytes([MaybeUninit<u8>; PACK]);

/// How many of the first of these texts are in order: `copy` writes a text of up to [`SHORT`] bytes and a zero
/// behind it, to where there is room for a block; `check` gives the length of a well-formed prefix.
///
/// How long the buffer is, is no part of it: a compiler that stores to the one would not keep the other
/// in a register.
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
    // SAFETY: so many bytes have been written, whenever it is called.
    let passes = |len| check(unsafe { core::slice::from_raw_parts(start, len) }) == len;
    // The bytes in the buffer, and the first of the texts there.
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
