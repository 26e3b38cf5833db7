//! Latin-1 to UTF-8 on AVX-512: blocks of 64 characters, in two loops.
//!
//! A block is spread to twice its length: after one permutation, lane `i` of 16 bits holds the characters `i` and `32 + i`, and
//! each half becomes lead byte and continuation byte in its own register. The lead byte of an ASCII character is dropped: the mask
//! of the other characters, spread to every other bit, tells which bytes are kept, and each register is compressed. Three quarters
//! of the time goes into that.
//!
//! The *sparse* loop decides about two blocks at a time: if both are ASCII they are copied, otherwise it decides about each by itself.
//! Both masks are moved to general registers at once, and the loop counts nothing. The *dense* loop does not test: if every other
//! block has an accent, nothing can predict which, and a misprediction costs more than the conversion. The sparse loop gives way to
//! the dense one if 4 KiB have grown by many bytes, and the dense loop gives way if a step has hardly any.
//!
//! Texts of more than one block and up to four are not worth the loops: ASCII is copied in blocks, the last of which overlaps the
//! one before it, and anything else is encoded block by block, without a test.
//!
//! Measured against simdutf's AVX-512 kernel, 256 KiB, Intel Granite Rapids, before the sparse loop had its present form: ASCII 1.05
//! to 1.1, French 1.1 to 1.2, every character above 7F 1.05. Widening halves and encoding each, as from UTF-16, was slower by a
//! fifth.
//!
//! AMD EPYC (Zen 5), 160 KiB of documents at odd addresses, GB/s, of several runs: simdutf; this loop with one test of both blocks
//! together, then one of each, and a counter of those that are not ASCII; a branch for each block; the same with a separate loop for ASCII,
//! which aligns the output; this code.
//!
//! | | simdutf | before | each | with ASCII | this |
//! |---|--:|--:|--:|--:|--:|
//! | English handbook | 88 | 71 | 90 | 83 | 89 |
//! | German handbook | 64 | 61 | 67 | 63 | 69 |
//! | Rust sources | 94 | 95 | 94 | 110 | 108 |
//! | log | 97 | 94 | 95 | 114 | 108 |
//!
//! So a counter, and any other loop that the text can switch to, cost more than they gain; and if LLVM may test a mask in a mask
//! register before it moves it to another register, that costs 10 %.

use super::arch::*;
use super::memory::{first_excess, load_partial, low_bits, prefetch, store_partial};
use super::registers::{Table, load_table};
use super::two_bytes::encode_two;
use super::{BLOCK, Progress};
use crate::kernel::shared::opaque::opaque;

/// Bytes of a step of ASCII.
const STEP: usize = 4 * BLOCK;

/// Bytes for which the sparse loop decides at once.
const PAIR: usize = 2 * BLOCK;

/// Pairs after which the sparse loop looks whether the other one would be better.
const SEGMENT: usize = 32;

/// With more characters than this in a segment that are not ASCII the dense loop is tried.
const MANY: usize = 96;

/// Fewer characters than this in a step that are not ASCII end the dense loop.
const FEW: usize = 3;

/// In each lane a character of the first half and the one 32 behind it.
static INTERLEAVED: Table = {
    let mut indices = [0; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        indices[i] = (i / 2 + i % 2 * (BLOCK / 2)) as u8;
        i += 1;
    }
    Table(indices)
};

avx512! {
    /// Latin-1 to UTF-8; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` units must be readable at `src`, and `room` units writable at `dst`.
    #[inline]
    pub(in crate::kernel) unsafe fn latin1_to_utf8<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // Each of these functions loads its own constants, and the shortest text needs few.
        // SAFETY: the caller's promise.
        unsafe {
            if len > BLOCK {
                if len <= STEP && room >= len { up_to_four_blocks::<LAZY>(src, len, dst, room) } else { blocks::<LAZY>(src, len, dst, room) }
            } else if room >= 2 * BLOCK {
                let (read, written, _) = one_step(src, len, dst, room);
                Progress { read, written }
            } else {
                remainder::<LAZY>(src, len, dst, room, Progress::default())
            }
        }
    }

    /// More than a block and up to four, with room for as many bytes.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for a byte each.
    #[inline(never)]
    unsafe fn up_to_four_blocks<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let last = len - BLOCK;
        // SAFETY: the blocks are within the text, which ends with the last of them; and there is room.
        unsafe {
            let end = _mm512_loadu_si512(src.add(last).cast());
            let mut any = end;
            for at in (0..last).step_by(BLOCK) {
                any = _mm512_or_si512(any, _mm512_loadu_si512(src.add(at).cast()));
            }
            if _mm512_movepi8_mask(any) == 0 {
                for at in (0..last).step_by(BLOCK) {
                    _mm512_storeu_si512(dst.add(at).cast(), _mm512_loadu_si512(src.add(at).cast()));
                }
                _mm512_storeu_si512(dst.add(last).cast(), end);
                return Progress { read: len, written: len };
            }
            let (mut at, mut written) = (0, 0);
            while len - at > BLOCK && room - written >= 2 * BLOCK {
                let units = _mm512_loadu_si512(src.add(at).cast());
                written += block(units, _mm512_movepi8_mask(units), dst.add(written));
                at += BLOCK;
            }
            if len - at > BLOCK || room - written < 2 * BLOCK {
                return remainder::<LAZY>(src, len, dst, room, Progress { read: at, written });
            }
            let units = _mm512_maskz_loadu_epi8(low_bits(len - at), src.add(at).cast());
            let non_ascii = _mm512_movepi8_mask(units);
            block(units, non_ascii, dst.add(written));
            Progress { read: len, written: written + len - at + non_ascii.count_ones() as usize }
        }
    }

    /// Whole blocks, and the remainder.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn blocks<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            // SAFETY: the caller's promise; and these functions are given what is left.
            unsafe {
                let sparse = sparse(src.add(read), len - read, dst.add(written), room - written);
                read += sparse.read;
                written += sparse.written;
                if len - read < STEP || room - written < 2 * STEP {
                    return remainder::<LAZY>(src, len, dst, room, Progress { read, written });
                }
                let dense = dense(src.add(read), len - read, dst.add(written), room - written);
                read += dense.read;
                written += dense.written;
            }
        }
    }

    /// Pairs of blocks, while few characters are not ASCII, or what is left is too short for the dense loop. (In a function of its own,
    /// all that it counts stays in registers.)
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn sparse(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            let pairs = ((len - read) / PAIR).min((room - written) / (2 * PAIR)).min(SEGMENT);
            let end = read + pairs * PAIR;
            let grown = written - read;
            while read < end {
                // SAFETY: so many pairs are left, and there is room for what they may become.
                unsafe {
                    let (p, to) = (src.add(read), dst.add(written));
                    let (first, second) = (_mm512_loadu_si512(p.cast()), _mm512_loadu_si512(p.add(BLOCK).cast()));
                    let (in_first, in_second) = (opaque(_mm512_movepi8_mask(first)), opaque(_mm512_movepi8_mask(second)));
                    read += PAIR;
                    if in_first | in_second == 0 {
                        _mm512_storeu_si512(to.cast(), first);
                        _mm512_storeu_si512(to.add(BLOCK).cast(), second);
                        written += PAIR;
                        continue;
                    }
                    let size = block_or_ascii(first, in_first, to);
                    written += size + block_or_ascii(second, in_second, to.add(size));
                }
            }
            if pairs == 0 || pairs == SEGMENT && written - read - grown > MANY {
                return Progress { read, written };
            }
        }
    }

    /// Writes 64 characters, of which those of `non_ascii` have two bytes; returns the number of bytes.
    ///
    /// # Safety
    /// There must be room for 128.
    #[inline]
    unsafe fn block_or_ascii(units: __m512i, non_ascii: u64, to: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            if non_ascii == 0 {
                _mm512_storeu_si512(to.cast(), units);
                BLOCK
            } else {
                block(units, non_ascii, to)
            }
        }
    }

    /// Steps of four blocks, without a test for ASCII.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn dense(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        while len - read >= STEP && room - written >= 2 * STEP {
            let begin = written;
            for each in 0..4 {
                // SAFETY: a block is left, and there is room for it.
                unsafe {
                    let p = src.add(read + each * BLOCK);
                    prefetch(p);
                    let units = _mm512_loadu_si512(p.cast());
                    written += block(units, _mm512_movepi8_mask(units), dst.add(written));
                }
            }
            read += STEP;
            if written - begin < STEP + FEW {
                break;
            }
        }
        Progress { read, written }
    }

    /// Writes 64 characters, of which those of `non_ascii` have two bytes; returns the number of bytes.
    ///
    /// # Safety
    /// There must be room for 128.
    #[inline]
    unsafe fn block(units: __m512i, non_ascii: u64, to: *mut u8) -> usize {
        let [first, second] = encode(units, non_ascii);
        // SAFETY: the caller's promise.
        unsafe {
            _mm512_storeu_si512(to.cast(), first);
            let half = BLOCK / 2 + (non_ascii as u32).count_ones() as usize;
            _mm512_storeu_si512(to.add(half).cast(), second);
        }
        BLOCK + non_ascii.count_ones() as usize
    }

    /// The bytes of 64 characters, 32 in each register; those of `non_ascii` have two.
    #[inline]
    fn encode(units: __m512i, non_ascii: u64) -> [__m512i; 2] {
        let splat = |value: u16| _mm512_set1_epi16(value as i16);
        // From C0 on the lead byte is C3 instead of C2, and the continuation byte is 40 less.
        let carry = splat(1u16.wrapping_sub(0x4000));
        let mixed = _mm512_permutexvar_epi8(load_table(&INTERLEAVED), units);
        let first = _mm512_shldi_epi16::<8>(mixed, splat(0xC200));
        let high = _mm512_cmpge_epu8_mask(units, splat(0xC0C0)) as u32;
        let first = _mm512_mask_add_epi16(first, high, first, carry);
        let second = _mm512_ternarylogic_epi32::<0xF8>(splat(0x00C2), mixed, splat(0xFF00));
        let high = _mm512_cmpge_epu16_mask(mixed, splat(0xC000));
        let second = _mm512_mask_add_epi16(second, high, second, carry);
        let last_bytes = 0xAAAA_AAAA_AAAA_AAAA;
        [
            _mm512_maskz_compress_epi8(last_bytes | spread(non_ascii as u32), first),
            _mm512_maskz_compress_epi8(last_bytes | spread((non_ascii >> 32) as u32), second),
        ]
    }

    /// The bits, each moved to twice its position.
    #[inline]
    fn spread(bits: u32) -> u64 {
        let every_other = 0x5555_5555_5555_5555_u64;
        #[cfg(target_arch = "x86_64")]
        {
            _pdep_u64(u64::from(bits), every_other)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let halves = [bits & 0xFFFF, bits >> 16].map(|half| _pdep_u32(half, every_other as u32));
            u64::from(halves[0]) | u64::from(halves[1]) << 32
        }
    }

    /// Copies ASCII; returns the number of bytes.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    pub(super) unsafe fn ascii(src: *const u8, len: usize, dst: *mut u8, room: usize) -> usize {
        let most = len.min(room);
        if most < BLOCK + STEP {
            return 0;
        }
        // SAFETY: all of it is within what is left of input and output.
        unsafe {
            // The first block is copied unaligned, and the steps are written as whole cache lines.
            let first = _mm512_loadu_si512(src.cast());
            if _mm512_movepi8_mask(first) != 0 {
                return 0;
            }
            _mm512_storeu_si512(dst.cast(), first);
            let mut at = BLOCK - dst as usize % BLOCK;
            while most - at >= STEP {
                let p = src.add(at);
                let load = |nth: usize| _mm512_loadu_si512(p.add(nth * BLOCK).cast());
                let [a, b, c, d] = [load(0), load(1), load(2), load(3)];
                let any = _mm512_or_si512(_mm512_ternarylogic_epi32::<0xFE>(a, b, c), d);
                if _mm512_movepi8_mask(any) != 0 {
                    break;
                }
                for (i, bytes) in [a, b, c, d].into_iter().enumerate() {
                    _mm512_store_si512(dst.add(at + i * BLOCK).cast(), bytes);
                }
                at += STEP;
            }
            at
        }
    }

    /// What is too short for the loops, or has too little room.
    ///
    /// # Safety
    /// As for the kernel; `done` is what has been read and written.
    #[inline(never)]
    unsafe fn remainder<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            // SAFETY: the caller's promise.
            let (count, size, full) =
                unsafe { one_step(src.add(read), BLOCK.min(len - read), dst.wrapping_add(written), room - written) };
            read += count;
            written += size;
            if full {
                break;
            }
        }
        Progress { read, written }
    }

    /// Converts what fits of up to 64 characters: returns how many these are, how many bytes, and whether there was no
    /// room for all.
    ///
    /// # Safety
    /// `whole` units must be readable, and `space` bytes writable.
    #[inline]
    unsafe fn one_step(from: *const u8, whole: usize, to: *mut u8, space: usize) -> (usize, usize, bool) {
        // SAFETY: the caller's promise; what is stored fits.
        unsafe {
            let units = load_partial(from, whole);
            let non_ascii = _mm512_movepi8_mask(units);
            if non_ascii == 0 {
                if whole == BLOCK && space >= BLOCK {
                    _mm512_storeu_si512(to.cast(), units);
                    return (BLOCK, BLOCK, false);
                }
                let count = whole.min(space);
                store_partial(to, units, count, space);
                return (count, count, count < whole);
            }
            if space >= 2 * BLOCK {
                block(units, non_ascii, to);
                return (whole, whole + non_ascii.count_ones() as usize, false);
            }
            let mut count = whole.min(BLOCK / 2);
            let (bytes, kept) = encode_two::<false>(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(units)));
            let mut kept = kept & low_bits(2 * count);
            let full = kept.count_ones() as usize > space;
            if full {
                count = first_excess(kept, space) / 2;
                kept &= low_bits(2 * count);
            }
            let size = kept.count_ones() as usize;
            store_partial(to, _mm512_maskz_compress_epi8(kept, bytes), size, space);
            (count, size, full)
        }
    }
}
