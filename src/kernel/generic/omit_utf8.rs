//! UTF-8 without what cannot be converted, over any vector: see [`shared::omit_utf8`](crate::kernel::shared::omit_utf8).
//!
//! The bytes of a block that are written move together in groups of eight, as in the conversion to Latin-1.

use super::replace_utf8::Of;
use super::utf8_to_latin1::{eights_before, pack};
use crate::kernel::shared::omit_utf8::{Kept, OmitUtf8, Pack, omit};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::shared::replace_utf8::{BLOCK, Replaced};
use crate::kernel::vector::{Operation, Vector};

/// [`OmitUtf8`] as an operation; see [`omit`].
pub(in crate::kernel) struct OmitInUtf8<const MOST: u32, const MARKS: bool>(pub OmitUtf8);

impl<const MOST: u32, const MARKS: bool> Operation for OmitInUtf8<MOST, MARKS> {
    type Output = Replaced;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Replaced {
        // SAFETY: the caller's promise.
        unsafe { omit::<Of<V>, MOST, MARKS>(self.0) }
    }
}

/// For each set of eight bytes: FF where a byte is in it.
static SETS: [u64; 256] = {
    let mut rows = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut byte = 0;
        while byte < 8 {
            if bits >> byte & 1 != 0 {
                rows[bits] |= 0xFF << (8 * byte);
            }
            byte += 1;
        }
        bits += 1;
    }
    rows
};

impl<V: Vector> Pack for Of<V> {
    #[inline(always)]
    unsafe fn beyond_latin1(from: *const u8) -> u64 {
        let mut beyond = 0;
        for at in (0..BLOCK).step_by(V::LEN) {
            // SAFETY: the caller's promise: a block.
            let bits = unsafe { V::load(from.add(at)).at_least(V::splat(0xC4)).sign_bits() };
            beyond |= u64::from(bits) << at;
        }
        opaque(beyond)
    }

    #[inline(always)]
    unsafe fn keep<const LATIN1: bool, const MARKS: bool>(from: *const u8, kept: Kept, to: *mut u8) {
        let mut written = 0;
        // SAFETY: the caller's promise: a block on both sides. What is written of a group of eight begins where as many bytes are
        // before it at most.
        unsafe {
            let mut before = V::splat(0);
            for at in (0..BLOCK).step_by(V::LEN) {
                let source = V::load(from.add(at));
                let mut bytes = source;
                if LATIN1 {
                    let continuation = V::splat(0xC0).greater_signed(source);
                    let upper = source.previous::<1>(before).equal(V::splat(0xC3)).and(continuation);
                    bytes = bytes.add(upper.and(V::splat(0x40)));
                    before = source;
                }
                if MARKS {
                    let set = |group: usize| SETS[(kept.marks >> (at + 8 * group % V::LEN) & 0xFF) as usize];
                    let marks = V::from_words([set(0), set(1), set(2), set(3)]);
                    bytes = marks.select_bytes(V::splat(b'?'), bytes);
                }
                let bits = (kept.all >> at) as u32 & (u32::MAX >> (32 - V::LEN));
                let packed = pack(bytes, bits);
                let group = |group: usize| to.add(written + eights_before(bits, group));
                packed.store_halves::<0>(group(0), group(1));
                if V::LEN > 16 {
                    packed.store_halves::<1>(group(2), group(3));
                }
                written += bits.count_ones() as usize;
            }
        }
    }
}
