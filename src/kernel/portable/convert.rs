//! Conversion between any two encodings, by plain loops: the kernel of every pair that has none of
//! its own yet, and of every pair on a CPU without vectors.
//!
//! Two loops take turns. *Widen* blocks are those in which each unit is a character and has the
//! same value on both sides: ASCII everywhere, Latin-1 and the basic plane between the wider forms.
//! To convert one is to widen or to narrow it, which compilers vectorise: the loop is compiled once
//! for each instruction set. Whatever is in no such block goes character by character, with a
//! handful of branches and no calls.
//!
//! An encoding is described by what the loops need: reading and writing one character at an address,
//! of any alignment. Reading says "length 0" for anything that is not in order, or too close to the
//! end to look at without care; then the kernel stops, and the machine judges.

use core::marker::PhantomData;

use crate::kernel::shared::character::{read_character, write_character};
use crate::kernel::shared::{Plain, Progress, Span};
use crate::unicode::{Form, is_surrogate};

/// Whether all units of these values are the same on both sides.
#[inline(always)]
fn all_straight<S: Form, D: Form>(values: &[u32; BLOCK]) -> bool {
    let limit = if S::SINGLE < D::SINGLE { S::SINGLE } else { D::SINGLE };
    let hidden = S::HIDES_NUL || D::HIDES_NUL;
    let other = |value: u32| value >= limit || is_surrogate(value) || hidden && value == 0;
    !values.iter().fold(false, |any, value| any | other(*value))
}

/// A conversion to nowhere: how far the text is in order, and, as what was "written", how many
/// characters that are.
pub(in crate::kernel) struct Scan<S: Form> {
    src: *const S::Unit,
    len: usize,
}

impl<S: Form> Scan<S> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize) -> Self {
        Scan { src: src.cast(), len }
    }
}

impl<S: Form> Plain for Scan<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            while self.len - read >= BLOCK {
                // SAFETY: there is a block to be read.
                let units = unsafe { self.src.add(read).cast::<[S::Unit; BLOCK]>().read_unaligned() };
                if !all_straight::<S, S>(&units.map(S::value)) {
                    break;
                }
                read += BLOCK;
                written += BLOCK;
            }
            let stop = self.len.min(read + BLOCK);
            while read < stop && self.len - read >= S::MOST {
                // SAFETY: there are units for any character.
                let (_, len) = unsafe { read_character::<S>(self.src.add(read)) };
                if len == 0 {
                    return Progress { read, written };
                }
                read += len;
                written += 1;
            }
            if read < stop || read == self.len {
                return Progress { read, written };
            }
        }
    }
}

/// A conversion from memory to memory.
pub(in crate::kernel) struct Convert<S: Form, D: Form> {
    src: *const S::Unit,
    len: usize,
    dst: *mut D::Unit,
    room: usize,
    pair: PhantomData<(S, D)>,
}

impl<S: Form, D: Form> Convert<S, D> {
    /// From the `len` units of `S` at `src` to at most `room` units of `D` at `dst`, at any alignment.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Convert { src: src.cast(), len, dst: dst.cast(), room, pair: PhantomData }
    }

    /// The straight block at `at`, if it is one.
    ///
    /// # Safety
    /// A block must be there to be read, and room for it at `to`.
    #[inline(always)]
    unsafe fn block(&self, at: usize, to: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let units = self.src.add(at).cast::<[S::Unit; BLOCK]>().read_unaligned();
            let values = units.map(S::value);
            if !all_straight::<S, D>(&values) {
                return false;
            }
            self.dst.add(to).cast::<[D::Unit; BLOCK]>().write_unaligned(values.map(D::unit));
        }
        true
    }
}

/// Units of a straight block; and of what is walked where there is none.
const BLOCK: usize = 32;

impl<S: Form, D: Form> Plain for Convert<S, D> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            while self.len - read >= BLOCK && self.room - written >= BLOCK {
                // SAFETY: there is a block to be read, and room for one.
                if !unsafe { self.block(read, written) } {
                    break;
                }
                read += BLOCK;
                written += BLOCK;
            }
            let stop = self.len.min(read + BLOCK);
            while read < stop && self.len - read >= S::MOST && self.room - written >= D::MOST {
                // SAFETY: there are units for any character, and room for any.
                let (len, units) = unsafe {
                    let (scalar, len) = read_character::<S>(self.src.add(read));
                    if len == 0 {
                        return Progress { read, written };
                    }
                    (len, write_character::<D>(self.dst.add(written), scalar))
                };
                if units == 0 {
                    return Progress { read, written };
                }
                read += len;
                written += units;
            }
            if read < stop || read == self.len {
                return Progress { read, written };
            }
        }
    }
}

impl Span {
    /// The move by the plain loops.
    ///
    /// # Safety
    /// `len` units of `S` must be readable at `src`, and `room` units of `D` writable at `dst`.
    #[inline(always)]
    pub(in crate::kernel) unsafe fn plainly<S: Form, D: Form>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Convert::<S, D>::new(self.src, self.len, self.dst, self.room).run() }
    }

    /// [`plainly`](Span::plainly), out of line: for the few characters before an error or the end of the
    /// room, and where there is no other kernel. What these loops keep on the stack would otherwise be
    /// set up by everyone on the way to another kernel, at three nanoseconds a call.
    ///
    /// # Safety
    /// As there.
    #[cold]
    #[inline(never)]
    pub(in crate::kernel) unsafe fn plainly_apart<S: Form, D: Form>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.plainly::<S, D>() }
    }
}
