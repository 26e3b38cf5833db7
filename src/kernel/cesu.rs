//! CESU-8 and modified UTF-8, to and from everything: by the kernels of UTF-8, stretch by stretch.
//!
//! Where there is no supplementary character, and in modified UTF-8 no U+0000, both are UTF-8; and text is
//! like that for long stretches. So a conversion takes a piece of text that stays in the nearest cache,
//! looks for the first unit that is *special*, in vectors, and lets the kernel of UTF-8 convert what is
//! before it. What UTF-8 does not know, the two surrogates of CESU-8 and C0 80, need not be looked for:
//! that kernel stops there by itself. Only a byte that begins four is in order in UTF-8 and not here.
//!
//! A special character goes through the plain loop between the two encodings, with the few characters
//! behind it. If there is the next one soon, more go that way at a time: text that is full of emoji does
//! not pay for looking at every other character whether the one after it is special.
//!
//! No kernel has a second copy for it, and whatever the kernels of UTF-8 become, these follow.

use super::convert::{Convert, Form, Plain, Scan, Shape};
use super::{Engine, Progress};

/// Units of a piece: they and what becomes of them stay in the nearest cache.
const PIECE: usize = 8192;

/// Units that go through the plain loop, at first and at most.
const FEW: usize = 16;
const MANY: usize = 1024;

/// A stretch for which a kernel is worth calling.
const STRETCH: usize = 24;

/// How far units are not special, in an encoding or on the way from it.
struct Ordinary<S: Form> {
    src: *const S::Unit,
    len: usize,
    /// A value that is special besides: that of U+0000, if it is.
    nul: u32,
}

impl<S: Form> Ordinary<S> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    fn new(src: *const S::Unit, len: usize, hides_nul: bool) -> Self {
        Ordinary { src, len, nul: if hides_nul { 0 } else { Self::SPECIAL } }
    }

    /// The least value that is special, surrogates aside.
    const SPECIAL: u32 = match S::SHAPE {
        Shape::Utf8 | Shape::Cesu => 0xF0,
        Shape::Utf16 => 0xD800,
        Shape::Utf32 => 0x1_0000,
        Shape::Corrected | Shape::Latin1 | Shape::Ascii => 0x100,
    };

    /// Whether a unit is special, or part of what is.
    #[inline(always)]
    fn is_special(&self, unit: S::Unit) -> bool {
        let value = S::value(unit);
        let special = match S::SHAPE {
            Shape::Utf16 => value & 0xF800 == 0xD800,
            _ => value >= Self::SPECIAL,
        };
        special | (value == self.nul)
    }
}

/// Units that are looked at together.
const BLOCK: usize = 64;

impl<S: Form> Plain for Ordinary<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let mut at = 0;
        while self.len - at >= BLOCK {
            // SAFETY: there is a block.
            let units = unsafe { self.src.add(at).cast::<[S::Unit; BLOCK]>().read_unaligned() };
            if units.iter().fold(false, |any, unit| any | self.is_special(*unit)) {
                break;
            }
            at += BLOCK;
        }
        // SAFETY: there is such a unit.
        while at < self.len && !self.is_special(unsafe { self.src.add(at).read_unaligned() }) {
            at += 1;
        }
        Progress { read: at, written: at }
    }
}

/// Converts `len` units of `S` at `src` to at most `room` units of `D` at `dst`, one of which is CESU-8;
/// see the contract of the kernels.
///
/// # Safety
/// So many units must be readable and writable there, at any alignment.
pub(super) unsafe fn convert<S: Form, D: Form>(
    engine: Engine,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> Progress {
    let (src, dst) = (src.cast::<S::Unit>(), dst.cast::<D::Unit>());
    let (mut read, mut written) = (0, 0);
    let mut few = FEW;
    while read < len {
        let piece = (len - read).min(PIECE);
        // SAFETY: every part is within the units that there are, and within the room.
        unsafe {
            let here = src.add(read);
            let ordinary =
                engine.run_plain(Ordinary::<S>::new(here, piece, S::HIDES_NUL || D::HIDES_NUL)).read;
            if ordinary >= STRETCH || ordinary == piece {
                let (to, left) = (dst.add(written), room - written);
                let moved = if matches!((S::Near::SHAPE, D::Near::SHAPE), (Shape::Utf8, Shape::Utf8)) {
                    copy(engine, here.cast(), ordinary, to.cast(), left)
                } else {
                    engine.convert::<S::Near, D::Near>(here.cast(), ordinary, to.cast(), left)
                };
                read += moved.read;
                written += moved.written;
                if moved.read > 4 * STRETCH {
                    few = FEW;
                }
                if moved.read > 0 && ordinary == piece && ordinary - moved.read < 4 {
                    continue;
                }
            }
            let (here, to) = (src.add(read).cast(), dst.add(written).cast());
            let those = (len - read).min(few);
            let moved = engine.run_plain(Convert::<S, D>::new(here, those, to, room - written));
            if moved.read == 0 {
                break;
            }
            read += moved.read;
            written += moved.written;
            few = (2 * few).min(MANY);
        }
    }
    Progress { read, written }
}

/// Copies what is UTF-8.
///
/// # Safety
/// So many bytes must be readable and writable there.
unsafe fn copy(engine: Engine, src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
    // SAFETY: the caller's promise; the two do not overlap, for one is shared and the other is not.
    unsafe {
        let text = core::slice::from_raw_parts(src, len.min(room));
        let valid = engine.utf8_valid_prefix(text);
        core::ptr::copy_nonoverlapping(src, dst, valid);
        Progress { read: valid, written: valid }
    }
}

/// How many bytes at `src`, of `len`, are in order in `S`, which is CESU-8, up to a character boundary.
///
/// # Safety
/// So many bytes must be readable there.
pub(super) unsafe fn valid_prefix<S: Form>(engine: Engine, src: *const u8, len: usize) -> usize {
    let mut read = 0;
    let mut few = FEW;
    while read < len {
        let piece = (len - read).min(PIECE);
        // SAFETY: every part is within the bytes that there are.
        unsafe {
            let here = src.add(read);
            let ordinary = engine.run_plain(Ordinary::<S>::new(here.cast(), piece, S::HIDES_NUL)).read;
            if ordinary >= STRETCH || ordinary == piece {
                let valid = engine.utf8_valid_prefix(core::slice::from_raw_parts(here, ordinary));
                read += valid;
                if valid > 4 * STRETCH {
                    few = FEW;
                }
                if valid > 0 && ordinary == piece && ordinary - valid < 4 {
                    continue;
                }
            }
            let those = (len - read).min(few);
            let moved = engine.run_plain(Scan::<S>::new(src.add(read), those)).read;
            if moved == 0 {
                break;
            }
            read += moved;
            few = (2 * few).min(MANY);
        }
    }
    read
}
