//! Latin-1 to UTF-8 over vectors of 16 or 32 bytes.
//!
//! Each byte becomes a slot of two: C2 and the byte, or C3 and the byte less 40; an ASCII character is the second byte
//! alone. The sign bits of the source select the bytes to keep ([`compact`](super::compact)), so a vector needs no
//! test. ASCII has its own loop; the other one returns to it after sixteen vectors of ASCII in succession.
//!
//! Against simdutf's AVX2 kernel: ASCII 1.5, French 2.9, German 1.07, all above 7F 2.4.

use super::Progress;
use super::compact::write_eight_slots;
use super::scratch::Scratch;
use crate::kernel::shared::Span;
use crate::kernel::vector::{Operation, Vector};

/// Latin-1 to UTF-8; see the contract of the kernels.
pub(in crate::kernel) struct Latin1ToUtf8<const LAZY: bool>(pub Span);

/// Vectors per step of the loop for ASCII.
const ASCII: usize = 4;

/// After this many vectors of ASCII the loop for ASCII is tried.
const PATIENCE: usize = 16;

impl<const LAZY: bool> Operation for Latin1ToUtf8<LAZY> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let Span { src, len, dst, room } = self.0;
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
                let mut ascii_vectors = 0;
                while len - read >= V::LEN && room - written >= 2 * V::LEN {
                    let bytes = V::load(src.add(read));
                    let bits = bytes.sign_bits();
                    written += write(bytes, bits, dst.add(written));
                    read += V::LEN;
                    ascii_vectors = if bits == 0 { ascii_vectors + 1 } else { 0 };
                    if ascii_vectors == PATIENCE {
                        continue 'ascii;
                    }
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
