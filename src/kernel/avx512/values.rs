//! Many texts, one by one: short ones brought together, as [`pack`](crate::kernel::pack) says.

use super::arch::*;
use super::ends::load_some;
use super::utf8::utf8_valid_prefix;
use crate::kernel::pack::{Pack, SHORT};

avx512! {
    /// How many of the first of these texts are well-formed UTF-8; it may stop early.
    pub(in crate::kernel) unsafe fn utf8_valid_values(values: &[&[u8]]) -> usize {
        // SAFETY: the instruction set is that of this function.
        let check = |src: &[u8]| unsafe { utf8_valid_prefix(src) };
        let mut pack = Pack::new();
        // The first text in the pack.
        let mut first = 0;
        for (index, value) in values.iter().enumerate() {
            if value.len() > SHORT {
                if check(value) < value.len() {
                    return first;
                }
                continue;
            }
            if pack.is_full() {
                if !pack.passes(check) {
                    return first;
                }
                first = index;
            }
            // SAFETY: the lanes are the bytes of the text, and there is room for all lanes, the first of which
            // are the text, and the others zeros.
            unsafe {
                let bytes = load_some(value.as_ptr(), value.len());
                _mm512_storeu_si512(pack.next().cast(), bytes);
                pack.push(value.len());
            }
        }
        if pack.passes(check) { values.len() } else { first }
    }
}
