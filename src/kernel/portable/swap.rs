//! Code units with their bytes the other way round, in place: a plain loop, which compilers turn into
//! one shuffle per vector.

use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Form, Unit};

/// The units that are turned.
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
            // SAFETY: there are so many units, to be read and written.
            unsafe {
                let unit = self.text.add(at);
                unit.write_unaligned(unit.read_unaligned().swapped());
            }
        }
        Progress { read: self.len, written: self.len }
    }
}
