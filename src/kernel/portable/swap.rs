//! Swaps the byte order of code units in place: a plain loop, which compilers turn into one shuffle per vector.

use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Form, Unit};

/// The units to swap.
pub(in crate::kernel) struct Swap<S: Form> {
    text: *mut S::Unit,
    len: usize,
}

impl<S: Form> Swap<S> {
    /// The `len` units of `S` at `text`, at any alignment.
    pub(in crate::kernel) fn new(text: *mut u8, len: usize) -> Self {
        Swap { text: text.cast(), len }
    }
}

impl<S: Form> Plain for Swap<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        for at in 0..self.len {
            // SAFETY: the unit is one of the `len` units, which are readable and writable.
            unsafe {
                let unit = self.text.add(at);
                unit.write_unaligned(unit.read_unaligned().swapped());
            }
        }
        Progress { read: self.len, written: self.len }
    }
}
