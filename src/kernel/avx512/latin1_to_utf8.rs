//! Latin-1 to UTF-8 on AVX-512: blocks of 64 characters, and two ways to come by them.
//!
//! A block is spread to twice its length: lane `i` of 16 bits holds characters `i` and `32 + i`, by one
//! permutation, and each half becomes lead byte and tail byte in its own register. The lead of an ASCII
//! character is no byte of the output: the sign bits, spread to every other bit, say which bytes are
//! kept, and each register is compressed. Three quarters of the work is in that.
//!
//! The *sparse* loop asks of each block whether it is ASCII and then only copies it; long runs of ASCII
//! are copied by four blocks, to whole lines. The *dense* loop does not ask, for where every other block
//! has an accent nobody can foretell which: a wrong guess costs more than the work does. Each counts
//! what it has seen of late and gives way to the other.
//!
//! More than a block and up to four are not worth the loops: ASCII is copied by blocks of which the last
//! overlaps, and anything else is encoded block by block, whatever it is.
//!
//! Measured against simdutf's AVX-512 kernel, 256 KiB: ASCII 1.05 to 1.1, English 1.05 to 1.15, French
//! 1.1 to 1.2, German 0.93, every character above 7F 1.05, markup 0.95. Widening halves and encoding
//! each, as from UTF-16, was slower by a fifth.

use super::arch::*;
use super::ends::{first_too_much, load_some, low, store_some};
use super::words::{Table, encode_two, load_table};
use super::{BLOCK, Progress};

/// Bytes of a step of ASCII.
const STEP: usize = 4 * BLOCK;

/// By so many the blocks with longer characters outnumber the others before the dense loop is tried.
const DENSE: u32 = 4;

/// After so many blocks of ASCII the loop that only copies is tried.
const CLEAN: u32 = 32;

/// Fewer characters than this in a step, of those that are not ASCII, end the dense loop.
const FEW: usize = 3;

/// How far ahead lines are asked for, which helps loads that reach over two.
const AHEAD: usize = 8 * BLOCK;

/// Lane by lane a character of the first half and the one 32 behind it.
static MIXED: Table = {
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
        // Each of these loads its own constants, and the shortest text needs few.
        // SAFETY: the caller's promise.
        unsafe {
            if len > BLOCK {
                if len <= STEP && room >= 2 * len { few::<LAZY>(src, len, dst, room) } else { blocks::<LAZY>(src, len, dst, room) }
            } else if room >= 2 * BLOCK {
                let (read, written, _) = some(src, len, dst, room);
                Progress { read, written }
            } else {
                remainder::<LAZY>(src, len, dst, room, Progress::default())
            }
        }
    }

    /// More than a block and up to four, with room for all that they may become.
    ///
    /// # Safety
    /// As for the kernel; and there must be room for two bytes each.
    #[inline(never)]
    unsafe fn few<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let last = len - BLOCK;
        // SAFETY: the blocks are within the text, the last of which ends with it; and there is room.
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
            while len - at > BLOCK {
                let units = _mm512_loadu_si512(src.add(at).cast());
                written += block(units, _mm512_movepi8_mask(units), dst.add(written));
                at += BLOCK;
            }
            if room - written < 2 * BLOCK {
                return remainder::<LAZY>(src, len, dst, room, Progress { read: at, written });
            }
            let units = _mm512_maskz_loadu_epi8(low(len - at), src.add(at).cast());
            let signs = _mm512_movepi8_mask(units);
            block(units, signs, dst.add(written));
            Progress { read: len, written: written + len - at + signs.count_ones() as usize }
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
            // SAFETY: as the caller promises; and these functions keep to what is left.
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

    /// Blocks, while most of them are ASCII, or too few for the dense loop.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn sparse(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        let (mut mixed, mut clean) = (0u32, 0u32);
        while len - read >= BLOCK && room - written >= 2 * BLOCK {
            // SAFETY: there is a block to be read, and room for it.
            unsafe {
                let to = dst.add(written);
                let units = _mm512_loadu_si512(src.add(read).cast());
                let signs = _mm512_movepi8_mask(units);
                read += BLOCK;
                if signs == 0 {
                    _mm512_storeu_si512(to.cast(), units);
                    written += BLOCK;
                    mixed = mixed.saturating_sub(1);
                    clean += 1;
                    if clean >= CLEAN {
                        let run = ascii(src.add(read), len - read, dst.add(written), room - written);
                        read += run;
                        written += run;
                        clean = 0;
                    }
                } else {
                    written += block(units, signs, to);
                    clean = 0;
                    mixed += 1;
                    if mixed >= DENSE && len - read >= STEP && room - written >= 2 * STEP {
                        break;
                    }
                }
            }
        }
        Progress { read, written }
    }

    /// Steps of blocks that are mixed.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn dense(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        let (mut read, mut written) = (0, 0);
        while len - read >= STEP && room - written >= 2 * STEP {
            let begin = written;
            for each in 0..4 {
                // SAFETY: there is a block to be read, and room for it.
                unsafe {
                    let p = src.add(read + each * BLOCK);
                    _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(AHEAD).cast());
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

    /// Writes 64 characters, of which those of `signs` have two bytes; returns how many bytes that are.
    ///
    /// # Safety
    /// There must be room for 128.
    #[inline]
    unsafe fn block(units: __m512i, signs: u64, to: *mut u8) -> usize {
        let [first, second] = encode(units, signs);
        // SAFETY: the caller's promise.
        unsafe {
            _mm512_storeu_si512(to.cast(), first);
            let half = BLOCK / 2 + (signs as u32).count_ones() as usize;
            _mm512_storeu_si512(to.add(half).cast(), second);
        }
        BLOCK + signs.count_ones() as usize
    }

    /// The bytes of 64 characters, of which those of `signs` have two: of 32 in each register.
    #[inline]
    fn encode(units: __m512i, signs: u64) -> [__m512i; 2] {
        let all = |value: u16| _mm512_set1_epi16(value as i16);
        // Above C0 the lead is C3 instead of C2, and the tail loses 40.
        let carry = all(1u16.wrapping_sub(0x4000));
        let mixed = _mm512_permutexvar_epi8(load_table(&MIXED), units);
        let first = _mm512_shldi_epi16::<8>(mixed, all(0xC200));
        let high = _mm512_cmpge_epu8_mask(units, all(0xC0C0)) as u32;
        let first = _mm512_mask_add_epi16(first, high, first, carry);
        let second = _mm512_ternarylogic_epi32::<0xF8>(all(0x00C2), mixed, all(0xFF00));
        let high = _mm512_cmpge_epu16_mask(mixed, all(0xC000));
        let second = _mm512_mask_add_epi16(second, high, second, carry);
        let tails = 0xAAAA_AAAA_AAAA_AAAA;
        [
            _mm512_maskz_compress_epi8(tails | spread(signs as u32), first),
            _mm512_maskz_compress_epi8(tails | spread((signs >> 32) as u32), second),
        ]
    }

    /// The bits, each at twice its place.
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

    /// Copies steps of ASCII; returns how many bytes that are.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    pub(super) unsafe fn ascii(src: *const u8, len: usize, dst: *mut u8, room: usize) -> usize {
        let most = len.min(room);
        if most < BLOCK + STEP {
            return 0;
        }
        // SAFETY: all of it is within what is left of both.
        unsafe {
            // The first block is copied as it lies, so that the steps are written by whole lines.
            let first = _mm512_loadu_si512(src.cast());
            if _mm512_movepi8_mask(first) != 0 {
                return 0;
            }
            _mm512_storeu_si512(dst.cast(), first);
            let mut at = BLOCK - dst as usize % BLOCK;
            while most - at >= STEP {
                let p = src.add(at);
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| _mm512_loadu_si512(p.add(i * BLOCK).cast()));
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
    /// As for the kernel; `done` is how far the loops came.
    #[inline(never)]
    unsafe fn remainder<const LAZY: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize, done: Progress) -> Progress {
        let Progress { mut read, mut written } = done;
        while read < len {
            // SAFETY: the caller's promise.
            let (count, size, full) =
                unsafe { some(src.add(read), BLOCK.min(len - read), dst.wrapping_add(written), room - written) };
            read += count;
            written += size;
            if full {
                break;
            }
        }
        Progress { read, written }
    }

    /// Writes what fits of up to 64 characters: how many these are, how many bytes, and whether there
    /// was no room for more.
    ///
    /// # Safety
    /// So many units must be readable, and `space` bytes writable.
    #[inline]
    unsafe fn some(from: *const u8, whole: usize, to: *mut u8, space: usize) -> (usize, usize, bool) {
        // SAFETY: the caller's promise; what is stored fits.
        unsafe {
            let units = load_some(from, whole);
            let signs = _mm512_movepi8_mask(units);
            if signs == 0 {
                let count = whole.min(space);
                store_some(to, units, count, space);
                return (count, count, count < whole);
            }
            if space >= 2 * BLOCK {
                block(units, signs, to);
                return (whole, whole + signs.count_ones() as usize, false);
            }
            let mut count = whole.min(BLOCK / 2);
            let (bytes, kept) = encode_two::<false>(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(units)));
            let mut kept = kept & low(2 * count);
            let full = kept.count_ones() as usize > space;
            if full {
                count = first_too_much(kept, space) / 2;
                kept &= low(2 * count);
            }
            let size = kept.count_ones() as usize;
            store_some(to, _mm512_maskz_compress_epi8(kept, bytes), size, space);
            (count, size, full)
        }
    }
}
