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
//! It is converted in the same way, with an offset added to the bits, as a number in two planes. The lowest byte of all offsets is
//! A0, for everything that is not ASCII; its carry goes to the high bytes, to which 8 is added for three bytes, 10 for those from
//! D000 on (where the characters after the surrogates are) and 10 for four. There is no rule (2). To UTF-16, the high surrogate of
//! four bytes, which belongs to the third byte, needs the carry of the last ten bits, and so the fourth byte. Three bytes may be a
//! supplementary character, U+10000..U+1109F: for UTF-32 these are like any other, but for UTF-16 these few scripts are left to the
//! codec, as are code points above U+10FFFF.
//!
//! # The path of an input
//! Up to 64 bytes are converted by [`mod@short`]: one masked load, and no branch except for the kind of text. Texts of up to 1 KiB are
//! either all ASCII, or are converted in the same way, block after block: as a unit belongs to the last byte of its character, the
//! positions of the blocks are fixed. No predictor knows a text that it has not seen, so one test for all of it is better than one for
//! each 128 bytes: texts of 256 to 1024 bytes, all different, are 1.55 times as fast as with the loops (AMD Zen 5). Beyond 1 KiB there
//! is no difference, and if little is not ASCII, it is slower. Longer text is converted by [`loops`] for characters of up to two, three
//! or four bytes. They decide once for a chunk of 128 bytes: ASCII is widened, and anything else takes two steps without a branch on
//! the text. A loop that refuses a chunk gives way to the one for the longest character there; a loop that was not needed for some
//! chunks gives way to the next cheaper one ([`mod@long`]). So text that is ASCII here and there stays in one loop, and so does text
//! with an occasional emoji. Ill-formed text, and the end of the output, are left to a [`mod@step`] that handles everything.
//!
//! Before, a loop for text that is mostly ASCII made several tests of each block, and loops for everything else made none; each
//! gave way to the other after some chunks of the wrong kind. Real text changes its kind five times in a KiB, so the current loop
//! was often the wrong one: German, English and tweets ran at 0.9 to 1.1 of simdutf. With a decision for each 64 bytes there are
//! twice as many mispredicted branches, and with one for 256 bytes too much ASCII goes through the expensive steps: prototypes were
//! 10 to 30 % slower.
//!
//! # Measured
//! AMD EPYC (Zen 4), 160 KiB, one run with simdutf's AVX-512 kernel, as ratios to it. To UTF-16: two-byte scripts 2.7 to 2.9,
//! three-byte ones 2.7 to 2.9, emoji 2.5; Polish 2.1, German 1.3, English 1.2, Japanese with markup 2.4, Arabic with markup 1.8,
//! tweets 1.75, emoji with their names 2.05; source code and logs 1.1, where stores are the limit. To UTF-32: two-byte scripts 4.8
//! to 4.9, three-byte ones 3.5, emoji 2.7; Polish 3.3, German 1.7, English 1.2, Japanese with markup 2.55, tweets 1.7; ASCII 1.1.
//! With 8 KiB, English has 1.06 to UTF-16: in the nearest cache the peer loses less when text changes. Texts of 320 bytes of ASCII
//! take 6 ns, and 8 with the peer (Zen 5).

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

    /// Whether a chunk is left behind `position`, of the output and of the input; and a byte behind that, as the loops
    /// look at the next byte.
    #[inline(always)]
    fn has_chunk_after(&self, position: Position) -> bool {
        self.src.len() - position.at > CHUNK && self.room - position.written >= CHUNK
    }
}

/// How far a conversion has come: the units of all characters that end before `at` are written, and the high surrogate
/// of an incomplete one whose third byte is before `at`. (A [`Progress`] is always at a character boundary.)
#[derive(Clone, Copy)]
struct Position {
    at: usize,
    written: usize,
}

impl Position {
    /// The same for the caller; an incomplete character must have been taken back.
    #[inline(always)]
    fn progress(self) -> Progress {
        Progress { read: self.at, written: self.written }
    }
}

/// The bytes for which the loops make one decision.
const CHUNK: usize = 2 * BLOCK;

/// From more bytes than this on the loops are worth entering.
const LONG: usize = 16 * BLOCK;

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
