//! UTF-8 without its ill-formed sequences, and without the characters that the target has no form for; to UTF-8, Latin-1 or ASCII.
//!
//! # Windows
//! The text is processed in windows of 64 bytes. A mask says which bytes are written; it comes from the classes of the bytes, which the
//! replacement computes as well ([`ByteMasks`](super::replace_utf8::ByteMasks)). A compression, or a shuffle for each eight bytes, removes
//! the others. The class of a byte depends on the three bytes before it and the three after it. So all bytes of a window are written except
//! for the first three and the last three, and the next window begins 58 bytes further on, *whatever the window contains*: nothing but the
//! length of the output is carried from one window to the next, and there is no branch for an error. The time does not depend on the number
//! of errors or their places.
//!
//! To Latin-1, a character of two bytes is written at its second byte, to which 40 is added if the first is C3. If a question mark
//! stands for what is left out, it is written at the first byte of what is left out.
//!
//! ASCII is copied in chunks as long as it lasts. Text in which there has been nothing to leave out for a long time is left to the
//! caller, who has a kernel for it.
//!
//! # Figures
//! AMD EPYC (Zen 5), German with one wrong byte in a hundred, 256 MiB with the command line, whose time includes reading them: to Latin-1
//! 0.05 s with AVX-512, 0.07 with AVX2, 0.09 with SSE4.2. Picking units of UTF-16 one by one took 0.17, and iconv takes 0.34.

use super::low_bits;
use crate::kernel::shared::replace_utf8::{BACK, BLOCK, Blocks, Classes, End, Replaced};

/// The UTF-8 to read, where the output goes, and what stands for what is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OmitUtf8 {
    /// The first byte.
    pub src: *const u8,
    /// How many there are.
    pub len: usize,
    /// Where the first byte of the output goes.
    pub dst: *mut u8,
    /// How many bytes of output fit.
    pub room: usize,
    /// Whether a question mark stands for what is ill-formed.
    pub marks_ill_formed: bool,
    /// Whether each byte of a maximal subpart counts by itself.
    pub each_byte: bool,
    /// Whether a question mark stands for each character that the target has no form for.
    pub marks_lacking: bool,
}

impl OmitUtf8 {
    /// The result without vectors: nothing was read.
    #[inline]
    pub(in crate::kernel) fn unsupported(self) -> Replaced {
        Replaced::NOTHING
    }
}

/// The last character of Latin-1.
const LATIN1: u32 = 0xFF;

/// The last character of UTF-8.
const UTF8: u32 = 0x10_FFFF;

/// Bytes of a window that are read if it is not the last: all but those that may depend on what is behind it.
const WIDTH: usize = BLOCK - BACK;

/// Windows of ASCII after which chunks are copied.
const ASCII_WINDOWS: usize = 3;

/// Windows with nothing to leave out after which the rest is left to others.
const QUIET: usize = 64;

/// Which bytes of a window are written: a bit for each.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Kept {
    /// All that are written.
    pub all: u64,
    /// Second bytes of characters that Latin-1 has.
    #[cfg_attr(
        not(target_feature = "sse2"),
        allow(dead_code, reason = "other vectors find them by comparisons")
    )]
    pub pairs: u64,
    /// Those in whose place a question mark is written.
    pub marks: u64,
}

/// What an instruction set provides.
///
/// # Safety
/// As for [`Blocks`].
pub(in crate::kernel) trait Pack: Blocks {
    /// The bytes of a block from C4 on: no lead bytes of Latin-1.
    unsafe fn beyond_latin1(from: *const u8) -> u64;

    /// Writes those bytes of a block that are kept, without gaps: `LATIN1` if there are characters of two bytes among them, which become
    /// one; `MARKS` if there may be question marks. A block must be readable, and writable.
    unsafe fn keep<const LATIN1: bool, const MARKS: bool>(from: *const u8, kept: Kept, to: *mut u8);
}

/// Copies the text without what is ill-formed, and without characters above `MOST`, the last one of ASCII, Latin-1 or UTF-8: until its end; or until there is less room than two
/// blocks, or there has been nothing to leave out for long.
///
/// # Safety
/// The input must be readable, the output writable, and they must not overlap; and the instruction set of `B` is required.
#[inline(always)]
pub(in crate::kernel) unsafe fn omit<B: Pack, const MOST: u32, const MARKS: bool>(
    input: OmitUtf8,
) -> Replaced {
    let OmitUtf8 { src, len, dst, room, marks_ill_formed, each_byte, marks_lacking } = input;
    let all_if = |is: bool| if is { !0 } else { 0 };
    let (marked_ill_formed, marked_lacking) = (all_if(marks_ill_formed), all_if(marks_lacking));
    let others = all_if(each_byte);
    let mut done = Replaced::NOTHING;
    let (mut quiet, mut ascii) = (0, 0);
    let mut end = End([0; 3 * BLOCK]);
    while done.read < len {
        let space = room - done.written;
        if space < BLOCK {
            break;
        }
        if ascii >= ASCII_WINDOWS && len - done.read > B::CHUNK && space >= B::CHUNK {
            // SAFETY: a chunk is left, and room for it.
            let found = unsafe { B::copy_ascii(src.add(done.read), dst.add(done.written)) };
            let copied = found.unwrap_or(B::CHUNK);
            done.read += copied;
            done.written += copied;
            ascii = if found.is_some() { 0 } else { ascii };
            continue;
        }
        // The bytes before are looked at once more.
        let begin = done.read.saturating_sub(BACK);
        let left = len - begin;
        // SAFETY: a block and a byte are readable: those of the text, or of a copy of its end. There is room for a block. The masks
        // may be of other bytes than those that are written, should the source be changed meanwhile: as many are written all the same.
        unsafe {
            let near_end = left <= BLOCK;
            let from = if near_end {
                B::stage(src.add(begin), left, &mut end);
                end.0.as_ptr()
            } else {
                src.add(begin)
            };
            let masks = B::masks(from);
            let Classes { complete, characters, behind_lead } = masks.classes();
            let last = space < 2 * BLOCK || quiet >= QUIET;
            let taken = if near_end {
                left
            } else if last {
                // Up to the last byte with which something begins.
                (!behind_lead & low_bits(WIDTH + 1)).ilog2() as usize
            } else {
                WIDTH
            };
            let read = !0 >> (BLOCK - taken) & (!0 << (done.read - begin));

            let ill_formed = masks.high & !characters & (!behind_lead | others);
            let (kept, pairs, lacking) = if const { MOST == UTF8 } {
                (!masks.high | characters, 0, 0)
            } else {
                let pairs =
                    if const { MOST == LATIN1 } { masks.second & !(B::beyond_latin1(from) << 1) } else { 0 };
                (!masks.high | pairs, pairs, complete & !(pairs >> 1))
            };
            let marks =
                if const { MARKS } { ill_formed & marked_ill_formed | lacking & marked_lacking } else { 0 };
            let kept = Kept { all: (kept | marks) & read, pairs, marks };
            let to = dst.add(done.written);
            if const { MOST == LATIN1 } {
                B::keep::<true, MARKS>(from, kept, to);
            } else {
                B::keep::<false, MARKS>(from, kept, to);
            }
            let omitted = (ill_formed | lacking) & read;
            if done.replaced == 0 {
                done.first = begin + omitted.trailing_zeros() as usize;
            }
            done.replaced += omitted.count_ones() as usize;
            done.written += kept.all.count_ones() as usize;
            done.read = begin + taken;
            quiet = if omitted == 0 { quiet + 1 } else { 0 };
            ascii = if masks.high & read == 0 { ascii + 1 } else { 0 };
            if last {
                break;
            }
        }
    }
    done
}
