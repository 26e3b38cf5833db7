//! Conversion between any two encodings by plain loops: the kernel of every pair without one of its own, and of every pair on a CPU
//! without vectors.
//!
//! Two loops take turns. The first converts blocks in which each unit is a character with the same value on both sides: ASCII
//! between any encodings, Latin-1 and the basic multilingual plane between the wider forms. Such a block is widened or narrowed,
//! which compilers vectorise: the loop is compiled once for each instruction set. All other text is converted character by
//! character, with a handful of branches and no calls.
//!
//! An encoding is described by what the loops need: to read and to write one character at an address of any alignment. Reading
//! returns length 0 for ill-formed text; then the kernel stops, and the codec decides.

use core::marker::PhantomData;

use crate::kernel::shared::character::{read_character, write_character};
use crate::kernel::shared::{Plain, Progress, Span};
use crate::unicode::{Form, is_surrogate};

/// Whether units of these values are single-unit characters, with the same value on both sides.
#[inline(always)]
fn all_single<S: Form, D: Form>(values: &[u32; BLOCK]) -> bool {
    let limit = if S::SINGLE < D::SINGLE { S::SINGLE } else { D::SINGLE };
    let hidden = S::TWO_BYTE_NUL || D::TWO_BYTE_NUL;
    let other = |value: u32| value >= limit || is_surrogate(value) || hidden && value == 0;
    !values.iter().fold(false, |any, value| any | other(*value))
}

/// A conversion without output: `read` is how far the text is well-formed, and `written` is the number of characters up to there.
pub(in crate::kernel) struct Scan<S: Form> {
    src: *const S::Unit,
    len: usize,
}

impl<S: Form> Scan<S> {
    /// Scans the `len` units of `S` at `src`, at any alignment.
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
                // SAFETY: a block is left.
                let units = unsafe { self.src.add(read).cast::<[S::Unit; BLOCK]>().read_unaligned() };
                if !all_single::<S, S>(&units.map(S::value)) {
                    break;
                }
                read += BLOCK;
                written += BLOCK;
            }
            // So many characters are left, however long they are.
            let most = BLOCK.min((self.len - read) / S::MOST);
            if most == 0 {
                return Progress { read, written };
            }
            for _ in 0..most {
                // SAFETY: the units of any character are left.
                let (_, len) = unsafe { read_character::<S>(self.src.add(read)) };
                if len == 0 {
                    return Progress { read, written };
                }
                read += len;
                written += 1;
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

    /// Converts the block at `at` if all its units are single-unit characters.
    ///
    /// # Safety
    /// A block must be readable at `at`, and writable at `to`.
    #[inline(always)]
    unsafe fn block(&self, at: usize, to: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let units = self.src.add(at).cast::<[S::Unit; BLOCK]>().read_unaligned();
            let values = units.map(S::value);
            if !all_single::<S, D>(&values) {
                return false;
            }
            self.dst.add(to).cast::<[D::Unit; BLOCK]>().write_unaligned(values.map(D::unit));
        }
        true
    }
}

/// Units of a block; and the most characters that are converted one by one before the next block is tried.
const BLOCK: usize = 32;

impl<S: Form, D: Form> Plain for Convert<S, D> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            while self.len - read >= BLOCK && self.room - written >= BLOCK {
                // SAFETY: a block is left, and room for one.
                if !unsafe { self.block(read, written) } {
                    break;
                }
                read += BLOCK;
                written += BLOCK;
            }
            // So many characters are left, and have room, however long they are.
            let most = BLOCK.min((self.len - read) / S::MOST).min((self.room - written) / D::MOST);
            if most == 0 {
                return Progress { read, written };
            }
            for _ in 0..most {
                // SAFETY: the units of any character are left, and room for any.
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
        }
    }
}

impl Span {
    /// Converts by the plain loops.
    ///
    /// # Safety
    /// `len` units of `S` must be readable at `src`, and `room` units of `D` writable at `dst`.
    #[inline(always)]
    pub(in crate::kernel) unsafe fn plainly<S: Form, D: Form>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Convert::<S, D>::new(self.src, self.len, self.dst, self.room).run() }
    }

    /// [`plainly`](Span::plainly), out of line: for the few characters before an error or the end of the output, and where there
    /// is no other kernel. Inlined, the stack frame of these loops cost callers of other kernels three nanoseconds a call.
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
