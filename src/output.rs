//! The output of a conversion, and the only place where a length is committed.
//!
//! A kernel may write anything anywhere between the units that it says it has written and the end of the output; so what
//! is not committed is `MaybeUninit`, and no `&mut str` is ever handed to one.

#![allow(unsafe_code, reason = "the only place where a length is committed")]

use core::mem::MaybeUninit;

use crate::unicode::{Unit, codec::Units};

/// An output that fills up: memory, and how much of it is written.
pub(crate) struct OutputCursor<'a, U> {
    dst: &'a mut [MaybeUninit<U>],
    written: usize,
}

impl<'a, U: Unit> OutputCursor<'a, U> {
    pub(crate) fn new(dst: &'a mut [MaybeUninit<U>]) -> Self {
        OutputCursor { dst, written: 0 }
    }

    /// The units written so far: these are initialised.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// What is left to be written to.
    pub(crate) fn spare(&mut self) -> &mut [MaybeUninit<U>] {
        &mut self.dst[self.written..]
    }

    /// Takes note that the first `units` of the spare part have been written.
    ///
    /// # Safety
    /// They must have been.
    pub(crate) unsafe fn advance(&mut self, units: usize) {
        debug_assert!(units <= self.dst.len() - self.written);
        self.written += units;
    }

    /// Writes the units of one character, all of them or none.
    #[inline]
    pub(crate) fn put(&mut self, units: &Units<U>) -> bool {
        // Four units at once, where there is room for four: no loop for one to four.
        let (four, len) = units.parts();
        let Some(room) = self.dst.get_mut(self.written..).and_then(|spare| spare.first_chunk_mut::<4>())
        else {
            return self.push(units.as_slice());
        };
        if len > 4 {
            return self.push(units.as_slice());
        }
        *room = four.map(MaybeUninit::new);
        self.written += len;
        true
    }

    /// Writes so many units, all of them or none.
    #[inline]
    pub(crate) fn push(&mut self, units: &[U]) -> bool {
        let Some(room) = self.dst.get_mut(self.written..self.written + units.len()) else {
            return false;
        };
        for (to, unit) in room.iter_mut().zip(units) {
            to.write(*unit);
        }
        self.written += units.len();
        true
    }
}

/// Memory that is initialised, for those who only write to it.
#[inline]
pub(crate) fn as_uninit<U: Unit>(dst: &mut [U]) -> &mut [MaybeUninit<U>] {
    // SAFETY: the same memory and variant. Nothing uninitialised is ever written through it: a kernel
    // and `OutputCursor::push` write whole units, and any bit pattern is a unit.
    unsafe { &mut *(core::ptr::from_mut(dst) as *mut [MaybeUninit<U>]) }
}

/// Lets `write` fill the spare capacity of `dst`, and takes as many units as it says into `dst`.
#[cfg(feature = "alloc")]
pub(crate) fn append<U, T>(
    dst: &mut alloc::vec::Vec<U>,
    write: impl FnOnce(&mut [MaybeUninit<U>]) -> (usize, T),
) -> (usize, T) {
    let spare = dst.spare_capacity_mut();
    let room = spare.len();
    let (written, value) = write(spare);
    assert!(written <= room);
    // SAFETY: the callers return what a `OutputCursor` over the spare capacity has written.
    unsafe { dst.set_len(dst.len() + written) };
    (written, value)
}
