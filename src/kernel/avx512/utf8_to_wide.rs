//! UTF-8 to UTF-16 and UTF-32 on AVX-512: byte planes at a fixed stride.
//!
//! Each step takes 64 bytes, wherever characters begin or end. A code unit belongs to the *last* byte of its character,
//! and the bytes before it come from loads one, two and three bytes back; in a surrogate pair the high surrogate
//! belongs to the third byte and the low one to the fourth. So the low and the high bytes of all code units are
//! computed at once, in two planes, for every position, whether a unit belongs there or not; then both planes are
//! compressed to the positions that have a unit, and interleaved. For UTF-32 there is a third plane, for the bits above
//! the BMP, and what was interleaved is widened. Only the address of the output depends on the step before.
//!
//! Well-formedness is checked as in the validation: continuation bytes stand where lead bytes require them, and second
//! bytes are looked up by their lead bytes. At an error the units of the whole characters before it are still written.
//!
//! # Corrected UTF-8
//! It is the same with an offset added to the bits, as a number in two planes. The lowest byte of all offsets is A0,
//! for everything that is not ASCII; its carry goes to the high bytes, with 8 for three bytes, 10 for those from D000
//! on (the characters behind the surrogates are there) and 10 for four. There is no rule (2). To UTF-16, the high
//! surrogate of four bytes, which belongs to the third byte, needs the carry of the last ten bits, and so the fourth
//! byte. Three bytes may be a supplementary character, U+10000..U+1109F: for UTF-32 these are like any other, for
//! UTF-16 these few scripts are left to the codec, as are code points above U+10FFFF.
//!
//! # The path of an input
//! Up to 64 bytes are converted by [`mod@short`]: one masked load, and no branch but for the kind of text. A few blocks
//! are converted in the same way, one after the other: as a unit belongs to the last byte of its character, the
//! positions of the blocks are fixed. Longer text begins with the *sparse* loop ([`mod@long`]), which skips ASCII and
//! converts everything else block by block. Where such blocks follow each other, it hands over to one of the three
//! [`loops`], for characters of up to two, three or four bytes, which have no branch on the text but at the end of a
//! chunk. A loop gives back a chunk that it does not handle; it gives way to the next cheaper loop when it is not
//! needed any more, and to the sparse one when chunks are ASCII. Ill-formed text, and the end of the output, are left
//! to a [`mod@step`] that handles everything.
//!
//! # Measured
//! Against simdutf's AVX-512 kernel, 256 KiB on an Emerald Rapids, in GB/s: to UTF-16 two-byte scripts 13 to 17.7 (2.2
//! to 2.5 times as fast), three-byte ones 14.5 to 15.2 (2.9 to 3.0), emoji 8.8 (2.5 to 3.1), French 13.3 (2.8), German
//! 13.7 (1.9), Czech 12.6 (2.1), Vietnamese 13.4 (3.6), ASCII 22 (1.05 to 1.1); to UTF-32 two-byte scripts 11 to 12
//! (3.6 to 3.9), three-byte ones 13 (4.0), emoji 9 to 10 (2.8 to 3.2), mixed Latin 8.3 to 8.9 (2.1 to 2.9), ASCII 10.9
//! (1.07 to 1.13), which is the limit of the second level of cache. HTML is at 1.04, JSON at 0.85: it changes its kind
//! every other block. Short strings take 5 ns in ASCII (1.3 times as fast), 9 in Chinese (1.26), 9 in Russian (0.9), 12
//! in emoji (1.4).

mod join;
mod long;
mod loops;
mod planes;
mod short;
mod step;

use super::{BLOCK, Progress};

use long::long;
use short::{medium, short};

/// The source, and the memory for the target.
struct Buffers<'a> {
    src: &'a [u8],
    dst: *mut u8,
    /// For how many units there is room.
    room: usize,
}

impl Buffers<'_> {
    /// The address of unit number `index` of the target.
    #[inline(always)]
    fn unit<const WIDE: bool>(&self, index: usize) -> *mut u8 {
        self.dst.wrapping_add(if WIDE { 4 } else { 2 } * index)
    }

    /// Whether a chunk of the loops is left behind `position`, of the input and of the output.
    #[inline(always)]
    fn is_long_after(&self, position: Position) -> bool {
        self.src.len() - position.at > LONG && self.room - position.written >= LONG
    }
}

/// How far a conversion has come: the units of all characters that end before `at` are written, and the high surrogate
/// of an incomplete one whose third byte is before `at`. (A [`Progress`] is always at a character boundary.)
#[derive(Clone, Copy)]
struct Position {
    at: usize,
    written: usize,
}

/// The number of bytes, and of units, that must be left for the loops.
const LONG: usize = 4 * BLOCK;

avx512! {
    /// UTF-8 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf8_to_utf16<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<false, SWAP, false>(src, len, dst, room) }
    }

    /// UTF-8 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf8_to_utf32<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<true, SWAP, false>(src, len, dst, room) }
    }

    /// Corrected UTF-8 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn corrected_to_utf16<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<false, SWAP, true>(src, len, dst, room) }
    }

    /// Corrected UTF-8 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn corrected_to_utf32<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<true, SWAP, true>(src, len, dst, room) }
    }

    /// Converts `len` bytes at `src` to at most `room` units at `dst`, of UTF-32 if `WIDE` and else of UTF-16; see the
    /// contract of the kernels. With `SWAP` the units are not in native byte order.
    ///
    /// # Safety
    /// `len` bytes must be readable, and `room` units writable, at any alignment.
    #[inline]
    unsafe fn utf8_to_wide<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if len <= BLOCK {
                short::<WIDE, SWAP, CORRECTED>(src, len, dst, room)
            } else {
                several_blocks::<WIDE, SWAP, CORRECTED>(src, len, dst, room)
            }
        }
    }

    /// More than 64 bytes. (This is a separate function, so that the shortest texts have nothing to set up.)
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn several_blocks<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            let src = core::slice::from_raw_parts(src, len);
            let buffers = Buffers { src, dst, room };
            if len <= LONG { medium::<WIDE, SWAP, CORRECTED>(&buffers) } else { long::<WIDE, SWAP, CORRECTED>(&buffers) }
        }
    }
}
