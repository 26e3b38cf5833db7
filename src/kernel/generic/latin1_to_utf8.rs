//! Latin-1 to UTF-8 over vectors of 16 or 32 bytes.
//!
//! Each byte becomes a slot of two: C2 and the byte, or C3 and the byte less 40; an ASCII character is the second byte alone. The
//! sign bits of the source select the bytes to keep ([`compact`](super::compact)). ASCII has its own loop. The other loop decides
//! about two vectors at a time, and, if they are not both ASCII, about each by itself. After eight pairs of ASCII vectors in
//! succession it returns to the loop for ASCII.
//!
//! Against simdutf's AVX2 kernel, 256 KiB: ASCII 1.5, French 2.9, all above 7F 2.4. AMD EPYC (Zen 5), 160 KiB of documents, GB/s: simdutf
//! with the same instruction set; this code without a test outside the loop for ASCII; this code:
//!
//! | | AVX2 | SSE4.2 |
//! |---|---|---|
//! | English handbook | 29, 26, 69 | 25, 25, 44 |
//! | German handbook | 27, 19, 48 | 25, 17, 37 |
//! | Rust sources | 36, 78, 89 | 31, 57, 64 |
//! | log | 42, 120, 119 | 32, 78, 78 |
//!
//! (As texts of this size are converted again and again, the branch predictor of this processor knows where their accents are.)

use super::Progress;
use super::compact::write_eight_slots;
use super::copy_short::copy_short_ascii;
use super::scratch::Scratch;
use crate::kernel::shared::Span;
use crate::kernel::vector::{Operation, Vector};

/// Latin-1 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Latin1ToUtf8<const LAZY: bool>(pub Span);

/// Vectors per step of the loop for ASCII.
const ASCII: usize = 4;

/// After this many pairs of vectors of ASCII the loop for ASCII is tried.
const PATIENCE: usize = 8;

impl<const LAZY: bool> Operation for Latin1ToUtf8<LAZY> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Span { src, len, dst, room } = self.0;
        // SAFETY: the caller's promise.
        if unsafe { copy_short_ascii::<V>(src, len, dst, room) } {
            return Progress { read: len, written: len };
        }
        let (mut read, mut written) = (0, 0);
        // SAFETY: each loop checks that there are bytes to load, and room for what they may become.
        unsafe {
            'ascii: while len - read >= ASCII * V::LEN && room - written >= ASCII * V::LEN {
                let p = src.add(read);
                let vectors: [V; ASCII] = [
                    V::load(p),
                    V::load(p.add(V::LEN)),
                    V::load(p.add(2 * V::LEN)),
                    V::load(p.add(3 * V::LEN)),
                ];
                let mut all = vectors[0];
                for (n, vector) in vectors.iter().enumerate() {
                    vector.store(dst.add(written + n * V::LEN));
                    all = all.or(*vector);
                }
                if !all.any_sign_bit() {
                    read += ASCII * V::LEN;
                    written += ASCII * V::LEN;
                    continue;
                }
                let mut ascii_pairs = 0;
                while len - read >= 2 * V::LEN && room - written >= 4 * V::LEN {
                    let (p, to) = (src.add(read), dst.add(written));
                    let (first, second) = (V::load(p), V::load(p.add(V::LEN)));
                    read += 2 * V::LEN;
                    if !first.or(second).any_sign_bit() {
                        first.store(to);
                        second.store(to.add(V::LEN));
                        written += 2 * V::LEN;
                        ascii_pairs += 1;
                        if ascii_pairs == PATIENCE {
                            continue 'ascii;
                        }
                        continue;
                    }
                    ascii_pairs = 0;
                    let size = write_or_copy(first, to);
                    written += size + write_or_copy(second, to.add(size));
                }
                break;
            }
            while read < len {
                let (left, room) = (len - read, room - written);
                let bytes = if left >= V::LEN {
                    V::load(src.add(read))
                } else {
                    V::load_partial(core::slice::from_raw_parts(src.add(read), left))
                };
                let count = left.min(V::LEN);
                let bits = bytes.sign_bits();
                let size = count + V::count_ones(bits);
                let dst = dst.add(written);
                if room >= 2 * V::LEN {
                    write(bytes, bits, dst);
                } else {
                    let mut scratch = Scratch::new();
                    if bits == 0 {
                        bytes.store(scratch.as_mut_ptr());
                    } else {
                        write(bytes, bits, scratch.as_mut_ptr());
                    }
                    if size > room {
                        let (count, size) = scratch.copy_what_fits(dst, room, false);
                        return Progress { read: read + count, written: written + size };
                    }
                    scratch.copy(dst, size);
                }
                read += count;
                written += size;
            }
        }
        Progress { read, written }
    }
}

/// Writes the characters of a vector, with a branch for ASCII; returns the number of bytes.
///
/// # Safety
/// As for [`Vector`]; and there must be room for two vectors.
#[inline(always)]
unsafe fn write_or_copy<V: Vector>(bytes: V, dst: *mut u8) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let bits = bytes.sign_bits();
        if bits == 0 {
            bytes.store(dst);
            return V::LEN;
        }
        write(bytes, bits, dst)
    }
}

/// Writes the characters of a vector, whose sign bits are `bits`; returns the number of bytes.
///
/// # Safety
/// As for [`Vector`]; and there must be room for two vectors.
#[inline(always)]
unsafe fn write<V: Vector>(bytes: V, bits: u32, dst: *mut u8) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        // C2 and the byte; or C3 and the byte less 40.
        let upper = bytes.at_least(V::splat(0xC0));
        let lead = V::splat(0xC2).add(upper.and(V::splat(0x01)));
        let last = bytes.xor(upper.and(V::splat(0x40)));
        let [first, second] = lead.zip(last);
        write_eight_slots::<V, true>(first, second, bits, dst)
    }
}
