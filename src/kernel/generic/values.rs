//! Many texts, one by one: short ones brought together, as [`pack`](crate::kernel::pack) says.

use super::few;
use super::utf8::Utf8ValidPrefix;
use crate::kernel::pack::{Pack, SHORT};
use crate::kernel::vector::{Operation, Vector};

/// How many of the first of these texts are well-formed UTF-8; it may stop early.
pub(in crate::kernel) struct Utf8ValidValues<'a> {
    pub values: &'a [&'a [u8]],
}

impl Operation for Utf8ValidValues<'_> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        // SAFETY: the instruction set is that of this root.
        let check = |src: &[u8]| unsafe { V::apart(Utf8ValidPrefix { src }) };
        let mut pack = Pack::new();
        // The first text in the pack.
        let mut first = 0;
        for (index, value) in self.values.iter().enumerate() {
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
            // SAFETY: there is room for the text and a byte behind it, both of which are written.
            unsafe {
                let dst = pack.next();
                few::copy(value.as_ptr(), dst, value.len());
                dst.add(value.len()).write(0);
                pack.push(value.len());
            }
        }
        if pack.passes(check) { self.values.len() } else { first }
    }
}
