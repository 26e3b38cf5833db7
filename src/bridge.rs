//! Slices in, [`Progress`](crate::kernel::Progress) out: slices of code units become the memory of a kernel.
//!
//! With `text`, `output`, the kernels and the C interfaces, this is the only module with `unsafe` code. It decides nothing: each
//! function calls the kernel of its operation, and converts the counts from units of the form, which for an encoding scheme are
//! several bytes, to units of the slice.

#![allow(unsafe_code, reason = "the only way from slices to kernels, each with its argument")]

use core::mem::MaybeUninit;

use crate::kernel::{Engine, OmitUtf8, ReplaceUtf8, Replaced, dispatch};
use crate::output::OutputCursor;
use crate::unicode::{Encoding, Form, Unit, Utf8};

/// The address of a slice, and its length in units of the form.
#[inline]
fn memory<E: Encoding>(src: &[E::Unit]) -> (*const u8, usize) {
    (src.as_ptr().cast(), src.len() / units_each::<E>())
}

/// Units of the slice for one unit of the form: more than one for a scheme.
const fn units_each<E: Encoding>() -> usize {
    size_of::<<E::Form as Form>::Unit>() / size_of::<E::Unit>()
}

/// The length of `src` in units of a slice of `D`, if it is well-formed.
#[inline]
pub(crate) fn length<S: Encoding, D: Encoding>(engine: Engine, src: &[S::Unit]) -> usize {
    let (from, len) = memory::<S>(src);
    // SAFETY: so many units of the form are in the slice.
    let units = unsafe { dispatch::lengths::length::<S::Form, D::Form>(engine, from, len) };
    // Where `usize` has 32 bits, two GiB of ASCII have no such length in bytes of UTF-32.
    units.saturating_mul(units_each::<D>())
}

/// How many low surrogates and how many surrogate pairs there are in `src`, in UTF-16 or WTF-16.
pub(crate) fn lows_and_pairs<S: Encoding>(engine: Engine, src: &[S::Unit]) -> (usize, usize) {
    let (from, len) = memory::<S>(src);
    // SAFETY: so many units of the form are in the slice.
    unsafe { dispatch::lengths::lows_and_pairs::<S::Form>(engine, from, len) }
}

/// How many surrogates there are in `src`, in UTF-16 or WTF-16: CESU-8 has one byte more for each of them than UTF-8.
pub(crate) fn surrogates<S: Encoding>(engine: Engine, src: &[S::Unit]) -> usize {
    length::<S, crate::unicode::Cesu8>(engine, src) - length::<S, Utf8>(engine, src)
}

/// The greatest unit of the form in `src`, or some unit greater than `limit`. Surrogates of UTF-16 count as FFFF; no other unit does.
#[inline]
pub(crate) fn greatest<S: Encoding>(engine: Engine, src: &[S::Unit], limit: u32) -> u32 {
    let (from, len) = memory::<S>(src);
    // SAFETY: so many units of the form are in the slice.
    unsafe { dispatch::lengths::greatest::<S::Form>(engine, from, len, limit) }
}

/// Reverses the bytes of every whole unit of the form, in place.
pub(crate) fn swap<E: Encoding>(engine: Engine, text: &mut [E::Unit]) {
    let (_, len) = memory::<E>(text);
    // SAFETY: so many units of the form are in the slice, and any bit pattern is a unit.
    unsafe { dispatch::replace::swap::<E::Form>(engine, text.as_mut_ptr().cast(), len) }
}

/// Copies `src`, in UTF-16 or UTF-32, to an output of units of the same size, with U+FFFD in place of each ill-formed unit of the form, as far
/// as there is room; returns how many were replaced. A part of a unit at the end is not copied, and units of another size have no room.
pub(crate) fn replace_wide<E: Encoding, U: Unit>(
    engine: Engine,
    src: &[E::Unit],
    output: &mut OutputCursor<'_, U>,
) -> usize {
    let spare = output.spare();
    let room = if size_of::<U>() == size_of::<E::Unit>() { spare.len() / units_each::<E>() } else { 0 };
    let (from, len) = memory::<E>(src);
    let (to, len) = (spare.as_mut_ptr().cast(), len.min(room));
    // SAFETY: so many units of the form are in the slice and in the output, which cannot overlap; and the kernel has written all of them.
    unsafe {
        let replaced = dispatch::replace::replace_wide::<E::Form>(engine, from, to, len);
        output.advance(len * units_each::<E>());
        replaced
    }
}

/// Copies UTF-8 to an output of bytes, with U+FFFD for each ill-formed maximal subpart, or for each byte of one, until little room is
/// left; see [`replace_utf8`](crate::kernel::dispatch::replace::replace_utf8).
pub(crate) fn replace_utf8<U: Unit>(
    engine: Engine,
    src: &[u8],
    output: &mut OutputCursor<'_, U>,
    each_byte: bool,
) -> Replaced {
    let spare = output.spare();
    let room = if size_of::<U>() == 1 { spare.len() } else { 0 };
    let (to, len) = (spare.as_mut_ptr().cast(), src.len());
    // SAFETY: so many bytes are in the slices, which cannot overlap; and the kernel has written as many as it reports.
    unsafe {
        let replaced = dispatch::replace::replace_utf8(
            engine,
            ReplaceUtf8 { src: src.as_ptr(), len, dst: to, room, each_byte },
        );
        output.advance(replaced.written);
        replaced
    }
}

/// Where question marks stand for what [`omit_utf8`] leaves out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marks {
    /// For each ill-formed maximal subpart.
    pub ill_formed: bool,
    /// For each byte of one.
    pub each_byte: bool,
    /// For each character that the target has no form for.
    pub lacking: bool,
}

/// Copies UTF-8 to an output of bytes without what is ill-formed, and without characters above `MOST`, the last one of ASCII, Latin-1 or
/// UTF-8; until little room is left, or there was nothing to leave out for long; see
/// [`omit_utf8`](crate::kernel::dispatch::replace::omit_utf8).
pub(crate) fn omit_utf8<U: Unit, const MOST: u32>(
    engine: Engine,
    src: &[u8],
    output: &mut OutputCursor<'_, U>,
    marks: Marks,
) -> Replaced {
    let Marks { ill_formed, each_byte, lacking } = marks;
    let spare = output.spare();
    let room = if size_of::<U>() == 1 { spare.len() } else { 0 };
    let work = OmitUtf8 {
        src: src.as_ptr(),
        len: src.len(),
        dst: spare.as_mut_ptr().cast(),
        room,
        marks_ill_formed: ill_formed,
        each_byte,
        marks_lacking: lacking,
    };
    // SAFETY: so many bytes are in the slices, which cannot overlap; and the kernel has written as many as it reports.
    unsafe {
        let done = if ill_formed || lacking {
            dispatch::replace::omit_utf8::<MOST, true>(engine, work)
        } else {
            dispatch::replace::omit_utf8::<MOST, false>(engine, work)
        };
        output.advance(done.written);
        done
    }
}

/// The length of a well-formed prefix of `src`, under the contract of the kernels.
#[inline]
pub(crate) fn valid_prefix<S: Encoding>(engine: Engine, src: &[S::Unit]) -> usize {
    let (from, len) = memory::<S>(src);
    // SAFETY: so many units of the form are in the slice.
    unsafe { dispatch::validate::valid_prefix::<S::Form>(engine, from, len) * units_each::<S>() }
}

/// Converts what the kernel of the pair can convert, from `src` to `output`; returns the units read.
#[inline]
pub(crate) fn convert<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
) -> usize {
    let spare = output.spare();
    let (from, len) = memory::<S>(src);
    let (to, room) = (spare.as_mut_ptr().cast(), spare.len() / units_each::<D>());
    // SAFETY: so many units of both forms are in the slices; and the kernel has written as many units as it reports.
    unsafe {
        let progress = dispatch::convert::convert::<S::Form, D::Form>(engine, from, len, to, room);
        output.advance(progress.written * units_each::<D>());
        progress.read * units_each::<S>()
    }
}

/// Converts all of a short text without a kernel, if possible; returns the units written.
#[inline(always)]
pub(crate) fn convert_short<S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut [MaybeUninit<D::Unit>],
) -> Option<usize> {
    let (from, len) = memory::<S>(src);
    if len * units_each::<S>() != src.len() {
        return None;
    }
    let (to, room) = (dst.as_mut_ptr().cast(), dst.len() / units_each::<D>());
    // SAFETY: so many units of both forms are in the slices.
    let written = unsafe { dispatch::short::convert_short::<S::Form, D::Form>(from, len, to, room) };
    written.map(|units| units * units_each::<D>())
}
