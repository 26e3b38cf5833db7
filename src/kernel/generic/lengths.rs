//! The length of UTF-32 in UTF-8, over vectors.
//!
//! A unit stands for one byte, and one more from 80, from 800 and from 10000 on. The plain loop asks that of words of four bytes, as signed
//! numbers, since AVX2 and SSE4.2 compare no others: three instructions for each question. Here units are shifted right and narrowed to
//! bytes with saturation first, which keeps what the questions ask: by 7 bits, then it is whether there is anything left, and whether it is
//! at least 10; by 16, whether there is anything left. So a vector of bytes takes what four of units took, and needs a few more for
//! narrowing.
//!
//! Lengths of other encodings are sums over units of one or two bytes, where plain loops are as fast: see
//! [`lengths`](crate::kernel::portable::lengths), which also counts what is left over here.

use crate::kernel::shared::Progress;
use crate::kernel::vector::{Operation, Vector};

/// Counts the bytes that units of UTF-32 become: of as many of the `len` units at `src` as fill whole registers of bytes.
pub(in crate::kernel) struct BytesOfUtf32 {
    pub(in crate::kernel) src: *const u8,
    pub(in crate::kernel) len: usize,
}

/// Registers whose answers are added up in bytes: three for each.
const MOST: usize = 255 / 3;

impl Operation for BytesOfUtf32 {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        let (mut p, mut left, mut written) = (self.src, self.len / V::LEN, 0);
        // SAFETY: the caller promises `len` units, and a register of bytes stands for `V::LEN` of them.
        unsafe {
            let (zero, sixteen) = (V::splat(0), V::splat(0x10));
            while left > 0 {
                let few = left.min(MOST);
                // The answers "no", each as -1.
                let mut missing = zero;
                for _ in 0..few {
                    // Written out: closures for `map` would be compiled without the instruction set, unless they are inlined.
                    let (a, b) = (V::load(p), V::load(p.add(V::LEN)));
                    let (c, d) = (V::load(p.add(2 * V::LEN)), V::load(p.add(3 * V::LEN)));
                    let shifted = [a.shr32::<7>(), b.shr32::<7>(), c.shr32::<7>(), d.shr32::<7>()];
                    let upper = [a.shr32::<16>(), b.shr32::<16>(), c.shr32::<16>(), d.shr32::<16>()];
                    let (shifted, upper) =
                        (V::narrow_signed_32_to_8(shifted), V::narrow_signed_32_to_8(upper));
                    missing = missing.add(shifted.equal(zero));
                    missing = missing.add(sixteen.greater_signed(shifted));
                    missing = missing.add(upper.equal(zero));
                    p = p.add(4 * V::LEN);
                }
                written += 4 * few * V::LEN - missing.xor(V::splat(0xFF)).add(V::splat(1)).sum_bytes();
                left -= few;
            }
        }
        Progress { read: self.len - self.len % V::LEN, written }
    }
}
