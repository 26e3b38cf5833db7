//! Where bytes become text, and where a length is committed.
//!
//! Outside of the kernels this is the only place with `unsafe` in it: a promise to the type system
//! is made here, right beside the check that it rests on. [`held`] does it for bytes that are shared.

#[cfg(feature = "bytes")]
pub(crate) mod held;

use core::mem::MaybeUninit;
use core::str::Utf8Error as StdError;

use crate::encoding::{Encoding, Utf8};
use crate::illformed::IllFormed;
use crate::kernel::convert::Form;
use crate::kernel::{Engine, Laundry, Washed};
use crate::machine::Units;

/// `bytes` as a string, once they have been found to be one.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Result<&str, IllFormed> {
    match check(bytes) {
        // SAFETY: `bytes` has just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { core::str::from_utf8_unchecked(bytes) }),
        Err(error) => Err(error),
    }
}

/// [`text`], for bytes that may be changed afterwards.
#[inline]
pub(crate) fn text_mut(bytes: &mut [u8]) -> Result<&mut str, IllFormed> {
    match check(bytes) {
        // SAFETY: `bytes` has just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { core::str::from_utf8_unchecked_mut(bytes) }),
        Err(error) => Err(error),
    }
}

/// [`text`], for a vector; or the same vector, if it is none.
#[cfg(feature = "alloc")]
pub(crate) fn owned_text(bytes: alloc::vec::Vec<u8>) -> Result<alloc::string::String, alloc::vec::Vec<u8>> {
    match check(&bytes) {
        // SAFETY: `bytes` has just been found to be well-formed UTF-8.
        Ok(()) => Ok(unsafe { alloc::string::String::from_utf8_unchecked(bytes) }),
        Err(_) => Err(bytes),
    }
}

/// `bytes` as a string, if they are one without characters of four bytes, and without U+0000 if that is
/// hidden.
#[cfg(feature = "alloc")]
pub(crate) fn ordinary_text(engine: Engine, bytes: &[u8], hides_nul: bool) -> Option<&str> {
    // SAFETY: `bytes` has just been found to be well-formed UTF-8.
    engine.is_ordinary(bytes, hides_nul).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Bytes of WTF-8 as a string of it: callers have seen that they are. That they were not would be wrong,
/// and nothing worse: nothing relies on it for memory to be safe.
pub(crate) fn wtf8(bytes: &[u8]) -> &crate::wtf8::Wtf8 {
    // SAFETY: `Wtf8` is `repr(transparent)` over `[u8]`, and any bytes are sound in it.
    unsafe { &*(core::ptr::from_ref(bytes) as *const crate::wtf8::Wtf8) }
}

/// `bytes`, cut at the first ill-formed sequence: the text before it, and the error.
#[inline]
pub(crate) fn text_until_error(engine: Engine, bytes: &[u8]) -> (&str, Option<IllFormed>) {
    let error = engine.validate::<Utf8>(bytes).err();
    let valid = &bytes[..error.map_or(bytes.len(), |error| error.at)];
    // SAFETY: all bytes before the first error are well-formed UTF-8, and it begins at a
    // character boundary.
    (unsafe { core::str::from_utf8_unchecked(valid) }, error)
}

#[inline]
fn check(bytes: &[u8]) -> Result<(), IllFormed> {
    if crate::kernel::tiny_ascii(bytes) { Ok(()) } else { Engine::current().validate::<Utf8>(bytes) }
}

/// std's error for `error`, which std itself would have reported at the same place.
///
/// std has no constructor, and its validation of the whole input again would cost a pass. So std
/// judges the evidence alone, which gives an error at offset 0, and the offset is then written
/// into it, at a place that the compiler has checked below.
pub(crate) fn std_error(error: &IllFormed) -> StdError {
    let at_zero = core::str::from_utf8(error.evidence()).err().unwrap_or(LONE_FF);
    displaced(at_zero, error.at)
}

/// An error of std's, at offset 0.
#[allow(invalid_from_utf8)] // It is meant to be.
const LONE_FF: StdError = match core::str::from_utf8(FF) {
    Err(error) => error,
    Ok(_) => panic!("FF begins no character"),
};
const FF: &[u8] = &[0xFF];

/// `error`, whose offset is 0, at offset `at`.
const fn displaced(error: StdError, at: usize) -> StdError {
    let mut error = MaybeUninit::new(error);
    // SAFETY: `StdError` is at least as large and as aligned as a `usize`, and its first word is
    // its offset: checked by the constants below for the standard library in use. Any `usize` is
    // a valid offset.
    unsafe {
        error.as_mut_ptr().cast::<usize>().write(at);
        error.assume_init()
    }
}

const _: () = assert!(align_of::<StdError>() >= align_of::<usize>());
/// If the first word were not the offset, then 1 would be a harmless value there (`Some(0)` or
/// `None` of the error's length), and this would say so at compile time.
const _: () = {
    let moved = displaced(LONE_FF, 1);
    assert!(moved.valid_up_to() == 1 && matches!(moved.error_len(), Some(1)));
};

/// An output that fills up: memory, and how much of it is written.
pub(crate) struct Sink<'a, U> {
    dst: &'a mut [MaybeUninit<U>],
    written: usize,
}

impl<'a, U: bytemuck::Pod> Sink<'a, U> {
    pub(crate) fn new(dst: &'a mut [MaybeUninit<U>]) -> Self {
        Sink { dst, written: 0 }
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

/// A slice as memory, in units of the form.
#[inline]
fn memory<E: Encoding>(src: &[E::Unit]) -> (*const u8, usize) {
    (src.as_ptr().cast(), src.len() / each::<E>())
}

/// Units of a slice for one unit of the form: more than one for a scheme.
const fn each<E: Encoding>() -> usize {
    size_of::<<E::Form as Form>::Unit>() / size_of::<E::Unit>()
}

/// How many units of a slice of `D` the units of `src` stand for, if they are well-formed.
#[inline]
pub(crate) fn tally<S: Encoding, D: Encoding>(engine: Engine, src: &[S::Unit]) -> usize {
    let (from, len) = memory::<S>(src);
    // SAFETY: so many units of the form are in the slice.
    unsafe { engine.tally::<S::Form, D::Form>(from, len) * each::<D>() }
}

/// How many low surrogates, and how many pairs, there are in `src`, in UTF-16 or WTF-16.
pub(crate) fn lows_and_pairs<S: Encoding>(engine: Engine, src: &[S::Unit]) -> (usize, usize) {
    let (from, len) = memory::<S>(src);
    // SAFETY: so many units of the form are in the slice.
    unsafe { engine.lows_and_pairs::<S::Form>(from, len) }
}

/// How many surrogates there are in `src`, in UTF-16 or WTF-16: what a byte more for each of them makes.
pub(crate) fn surrogates<S: Encoding>(engine: Engine, src: &[S::Unit]) -> usize {
    tally::<S, crate::Cesu8>(engine, src) - tally::<S, Utf8>(engine, src)
}

/// The greatest unit of the form in `src`, or some unit greater than `limit`; surrogates of UTF-16
/// count as FFFF, and nothing else does.
#[inline]
pub(crate) fn greatest<S: Encoding>(engine: Engine, src: &[S::Unit], limit: u32) -> u32 {
    let (from, len) = memory::<S>(src);
    // SAFETY: so many units of the form are in the slice.
    unsafe { engine.greatest::<S::Form>(from, len, limit) }
}

/// Turns the bytes of every whole unit of the form round.
pub(crate) fn swap<E: Encoding>(engine: Engine, text: &mut [E::Unit]) {
    let (_, len) = memory::<E>(text);
    // SAFETY: so many units of the form are in the slice, and any bit pattern is a unit.
    unsafe { engine.swap::<E::Form>(text.as_mut_ptr().cast(), len) }
}

/// Copies `src`, in UTF-16 or UTF-32, to `dst` of the same length, with U+FFFD in place of each unit of
/// the form that is ill-formed; returns how many are. A piece of a unit at the end is not copied.
pub(crate) fn wash<E: Encoding>(engine: Engine, src: &[E::Unit], dst: &mut [E::Unit]) -> usize {
    let (from, len) = memory::<E>(src);
    let len = len.min(dst.len() / each::<E>());
    // SAFETY: so many units of the form are in both slices, which cannot overlap.
    unsafe { engine.wash::<E::Form>(from, dst.as_mut_ptr().cast(), len) }
}

/// The same in place.
pub(crate) fn wash_in_place<E: Encoding>(engine: Engine, text: &mut [E::Unit]) -> usize {
    let (_, len) = memory::<E>(text);
    let text = text.as_mut_ptr().cast::<u8>();
    // SAFETY: so many units of the form are in the slice, and it is read and written through one pointer.
    unsafe { engine.wash::<E::Form>(text, text, len) }
}

/// Copies UTF-8 to a sink of bytes, with U+FFFD for each maximal subpart that is ill-formed, or for each
/// byte of one: until it has been clean for a while, or the room becomes scarce; see
/// [`wash_utf8`](Engine::wash_utf8).
pub(crate) fn wash_utf8<U: bytemuck::Pod>(
    engine: Engine,
    src: &[u8],
    sink: &mut Sink<'_, U>,
    each_byte: bool,
) -> Washed {
    let spare = sink.spare();
    let room = if size_of::<U>() == 1 { spare.len() } else { 0 };
    let (to, len) = (spare.as_mut_ptr().cast(), src.len());
    // SAFETY: so many bytes are in the slices, which cannot overlap; and as many are written as it says.
    unsafe {
        let washed = engine.wash_utf8(Laundry { src: src.as_ptr(), len, dst: to, room, each_byte });
        sink.advance(washed.written);
        washed
    }
}

/// Lets a kernel look how much of `src` is in order: the units of a prefix that is.
#[inline]
pub(crate) fn valid_prefix<S: Encoding>(engine: Engine, src: &[S::Unit]) -> usize {
    let each = size_of::<<S::Form as Form>::Unit>() / size_of::<S::Unit>();
    // SAFETY: so many units of the form are in the slice.
    each * unsafe { engine.valid_prefix::<S::Form>(src.as_ptr().cast(), src.len() / each) }
}

/// Lets the kernel of a pair move what it can from `src` to `sink`; returns the units read.
///
/// This is where slices of units become the pointers of a kernel. A kernel counts in units of the
/// form, which for a scheme are several bytes.
#[inline]
pub(crate) fn convert<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    sink: &mut Sink<'_, D::Unit>,
) -> usize {
    let spare = sink.spare();
    let (from, len) = memory::<S>(src);
    let (to, room) = (spare.as_mut_ptr().cast(), spare.len() / each::<D>());
    // SAFETY: so many units of both forms are in the slices; and the kernel has written as many units
    // as it says, all of them well-formed.
    unsafe {
        let progress = engine.convert::<S::Form, D::Form>(from, len, to, room);
        sink.advance(progress.written * each::<D>());
        progress.read * each::<S>()
    }
}

/// Converts all of a tiny text at once, if that can be done without a kernel: the units written.
#[inline(always)]
pub(crate) fn tiny<S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut [MaybeUninit<D::Unit>],
) -> Option<usize> {
    let (from, len) = memory::<S>(src);
    if len * each::<S>() != src.len() {
        return None;
    }
    let (to, room) = (dst.as_mut_ptr().cast(), dst.len() / each::<D>());
    // SAFETY: so many units of both forms are in the slices.
    let written = unsafe { crate::kernel::tiny::<S::Form, D::Form>(from, len, to, room) };
    written.map(|units| units * each::<D>())
}

/// Memory that is initialised, for those who only write to it.
#[inline]
pub(crate) fn as_uninit<U: bytemuck::Pod>(dst: &mut [U]) -> &mut [MaybeUninit<U>] {
    // SAFETY: the same memory and layout. Nothing uninitialised is ever written through it: a kernel
    // and `Sink::push` write whole units, and any bit pattern is a unit.
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
    // SAFETY: the callers return what a `Sink` over the spare capacity has written.
    unsafe { dst.set_len(dst.len() + written) };
    (written, value)
}

/// Lets `append` append UTF-8 to the bytes of `text`.
#[cfg(feature = "alloc")]
pub(crate) fn append_text<T>(
    text: &mut alloc::string::String,
    append: impl FnOnce(&mut alloc::vec::Vec<u8>) -> T,
) -> T {
    // SAFETY: the callers append what conversions to UTF-8 write, strict or by any policy: whole
    // characters.
    append(unsafe { text.as_mut_vec() })
}
