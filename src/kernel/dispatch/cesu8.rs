//! CESU-8 and modified UTF-8, to and from everything: by the kernels of UTF-8, stretch by stretch.
//!
//! Where there is no supplementary character, and in modified UTF-8 no U+0000, both are UTF-8; and text is
//! like that for long stretches. So a conversion to another encoding takes a piece of text that stays in the
//! nearest cache, looks for the first unit that is *special*, in vectors, and lets the kernel of UTF-8
//! convert what is before it. What UTF-8 does not know, the two surrogates of CESU-8 and C0 80, need not
//! be looked for: that kernel stops there by itself. Only a byte that begins four is in order in UTF-8
//! and not here. A special character goes through the plain loop between the two encodings, with the few
//! characters behind it; more of them, if there is the next one soon, and then by way of UTF-8.
//!
//! Between these and UTF-8 itself there is more to gain, for most bytes are copied: that is in
//! [`portable::cesu8`](crate::kernel::portable::cesu8), which knows where characters differ and nothing of what is in order. The check
//! is the kernel of UTF-8 again, once for each piece, on the side that is UTF-8.
//!
//! Measured beside the crate `simd_cesu8`, a string to CESU-8 and back, ratio of speeds (256 KiB of text):
//!
//! | | AVX-512, to | from | AVX2, to | from | SSE4.2, to | from |
//! |---|---|---|---|---|---|---|
//! | nothing is special | 6.4–6.6 | 3.5–5.4 | 5.3 | 2.1–4.6 | 3.9 | 1.1–3.1 |
//! | nothing but emoji | 1.9 | 1.8 | 1.8 | 1.7 | 1.7 | 1.5 |
//! | JSON and HTML with emoji | 8–10 | 6–7 | 7–9 | 6–7 | 4–5 | 4 |
//! | Chinese, one emoji in 8 or 50 | 2.2 | 2.8 | 1.9–2.1 | 2.7 | 1.5–1.9 | 2.2 |
//!
//! Looking for special bytes with a test for each byte, joined by `or`, was turned into vectors by some
//! settings of the compiler and not by others, and was a quarter as fast at best; hence the greatest of
//! many rows.
//!
//! No kernel has a second copy for it, and whatever the kernels of UTF-8 become, these follow.

use super::convert::{self, by_pivot};
use super::run_plain;
use super::validate::utf8_valid_prefix;
use crate::kernel::Engine;
use crate::kernel::portable::cesu8::{Narrow, Widen};
use crate::kernel::portable::convert::Convert;
use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Family, Form, Utf8Form, is_surrogate};

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
    const SPECIAL: u32 = match S::FAMILY {
        Family::Utf8 | Family::Cesu8 => 0xF0,
        Family::Utf16 => 0xD800,
        Family::Utf32 => 0x1_0000,
        Family::Corrected | Family::Latin1 | Family::Ascii => 0x100,
    };

    /// Whether a unit is special, or part of what is.
    #[inline(always)]
    fn is_special(&self, unit: S::Unit) -> bool {
        let value = S::value(unit);
        let special = match S::FAMILY {
            Family::Utf16 => is_surrogate(value),
            _ => value >= Self::SPECIAL,
        };
        special | (value == self.nul)
    }
}

/// Units that are looked at together.
const BLOCK: usize = 64;

/// Blocks of bytes that are looked at together.
const ROWS: usize = 8;

impl<S: Form> Plain for Ordinary<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let mut at = 0;
        if size_of::<S::Unit>() == 1 {
            // SAFETY: so many bytes are there.
            at = unsafe { ordinary_bytes(self.src.cast(), self.len, self.nul == 0) };
        }
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

/// How many bytes at `src`, in whole steps, are not the lead of four and, with `nul`, not 00.
///
/// # Safety
/// `len` bytes must be there.
#[inline(always)]
unsafe fn ordinary_bytes(src: *const u8, len: usize, nul: bool) -> usize {
    let mut at = 0;
    while len - at >= ROWS * BLOCK {
        // SAFETY: there are as many.
        let rows = unsafe { src.add(at).cast::<[[u8; BLOCK]; ROWS]>().read_unaligned() };
        let (mut most, mut least) = ([0; BLOCK], [0xFF; BLOCK]);
        for row in rows {
            for (most, byte) in most.iter_mut().zip(row) {
                *most = byte.max(*most);
            }
            if nul {
                for (least, byte) in least.iter_mut().zip(row) {
                    *least = byte.min(*least);
                }
            }
        }
        let four = most.into_iter().fold(0, u8::max) >= 0xF0;
        if four || nul && least.into_iter().fold(0xFF, u8::min) == 0 {
            break;
        }
        at += ROWS * BLOCK;
    }
    at
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
    match (S::FAMILY, D::FAMILY) {
        // SAFETY: the caller's promise.
        (Family::Utf8, Family::Cesu8) => return unsafe { widen::<D>(engine, src, len, dst, room) },
        // SAFETY: as above.
        (Family::Cesu8, Family::Utf8) => return unsafe { narrow::<S>(engine, src, len, dst, room) },
        _ => {}
    }
    let (src, dst) = (src.cast::<S::Unit>(), dst.cast::<D::Unit>());
    let (mut read, mut written) = (0, 0);
    let mut few = FEW;
    while read < len {
        let piece = (len - read).min(PIECE);
        // SAFETY: every part is within the units that there are, and within the room.
        unsafe {
            let here = src.add(read);
            let ordinary =
                run_plain(engine, Ordinary::<S>::new(here, piece, S::HIDES_NUL || D::HIDES_NUL)).read;
            if ordinary >= STRETCH || ordinary == piece {
                let (to, left) = (dst.add(written), room - written);
                let moved = if matches!((S::Near::FAMILY, D::Near::FAMILY), (Family::Utf8, Family::Utf8)) {
                    copy(engine, here.cast(), ordinary, to.cast(), left)
                } else {
                    convert::convert::<S::Near, D::Near>(engine, here.cast(), ordinary, to.cast(), left)
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
            let moved = if const { is_wide::<S>() || is_wide::<D>() } && those > FEW {
                by_pivot::<S, Utf8Form, D>(engine, here, those, to, room - written)
            } else {
                run_plain(engine, Convert::<S, D>::new(here, those, to, room - written))
            };
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

/// Whether an encoding's units are greater than bytes.
const fn is_wide<E: Form>() -> bool {
    size_of::<E::Unit>() > 1
}

/// Copies what is UTF-8.
///
/// # Safety
/// So many bytes must be readable and writable there.
#[inline]
unsafe fn copy(engine: Engine, src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
    // SAFETY: the caller's promise; the two do not overlap, for one is shared and the other is not.
    unsafe {
        let text = core::slice::from_raw_parts(src, len.min(room));
        let valid = utf8_valid_prefix(engine, text);
        core::ptr::copy_nonoverlapping(src, dst, valid);
        Progress { read: valid, written: valid }
    }
}

/// From UTF-8: each piece is checked, then rewritten.
///
/// # Safety
/// As for [`convert`].
unsafe fn widen<D: Form>(engine: Engine, src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
    let (mut read, mut written) = (0, 0);
    // SAFETY: every part is within the bytes that there are, and within the room.
    unsafe {
        while read < len {
            let piece = (len - read).min(PIECE);
            let (from, to) = (src.add(read), dst.add(written));
            let valid = utf8_valid_prefix(engine, core::slice::from_raw_parts(from, piece));
            let mut moved = if D::HIDES_NUL {
                run_plain(engine.for_words(), Widen::<true>::new(from, valid, to, room - written))
            } else {
                run_plain(engine.for_words(), Widen::<false>::new(from, valid, to, room - written))
            };
            // The last few bytes.
            if moved.read < valid {
                let (from, to) = (from.add(moved.read), to.add(moved.written));
                let left = room - written - moved.written;
                let last = Convert::<Utf8Form, D>::new(from, (valid - moved.read).min(64), to, left);
                let last = run_plain(engine, last);
                moved.read += last.read;
                moved.written += last.written;
            }
            read += moved.read;
            written += moved.written;
            // At an error, or where there is no more room, the rest is the machine's.
            if moved.read == 0 || piece - valid > 3 {
                break;
            }
        }
    }
    Progress { read, written }
}

/// To UTF-8: each piece is rewritten, and what has come out is checked. It is in order if and only if the
/// piece was: a pair is rewritten if all six bytes are right, and the rest is as it was.
///
/// # Safety
/// As for [`convert`].
unsafe fn narrow<S: Form>(engine: Engine, src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
    let (mut read, mut written) = (0, 0);
    // SAFETY: every part is within the bytes that there are, and within the room.
    unsafe {
        while read < len {
            let piece = (len - read).min(PIECE);
            let (from, to) = (src.add(read), dst.add(written));
            let rewrite = |room| {
                if S::HIDES_NUL {
                    run_plain(engine.for_words(), Narrow::<true>::new(from, piece, to, room))
                } else {
                    run_plain(engine.for_words(), Narrow::<false>::new(from, piece, to, room))
                }
            };
            let mut moved = rewrite(room - written);
            let valid = utf8_valid_prefix(engine, core::slice::from_raw_parts(to, moved.written));
            let open = moved.written - valid;
            // U+0000 has been two bytes.
            let nul = S::HIDES_NUL && (0..open.min(3)).any(|place| *to.add(valid + place) == 0);
            let cut = open <= 3 && !nul;
            if cut {
                // The beginning of a character is as it was.
                moved.read -= open;
                moved.written -= open;
            } else {
                // An error. What is before it is done again, to find out where it ends.
                moved = rewrite(valid);
            }
            // The few before the end, or the error.
            let left = room - written - moved.written;
            let few = (len - read - moved.read).min(64);
            let last = Convert::<S, Utf8Form>::new(from.add(moved.read), few, to.add(moved.written), left);
            let last = run_plain(engine, last);
            moved.read += last.read;
            moved.written += last.written;
            read += moved.read;
            written += moved.written;
            if moved.read == 0 || !cut {
                break;
            }
        }
    }
    Progress { read, written }
}

/// How many bytes at `src`, of `len`, are in order in `S`, which is CESU-8, up to a character boundary:
/// a conversion to UTF-8 that nobody reads.
///
/// # Safety
/// So many bytes must be readable there.
pub(super) unsafe fn valid_prefix<S: Form>(engine: Engine, src: *const u8, len: usize) -> usize {
    let mut memory = core::mem::MaybeUninit::<[u8; PIECE]>::uninit();
    let mut read = 0;
    while read < len {
        let piece = (len - read).min(PIECE);
        // SAFETY: the piece is within the bytes that there are, and its UTF-8 is not longer.
        let moved = unsafe { narrow::<S>(engine, src.add(read), piece, memory.as_mut_ptr().cast(), PIECE) };
        read += moved.read;
        // Cut off by the end of the piece, or in front of an error.
        if moved.read == 0 {
            break;
        }
    }
    read
}

/// How many bytes come before the first that is the lead of four, or 00 if that is special.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn ordinary_prefix(engine: Engine, src: &[u8], hides_nul: bool) -> usize {
    // SAFETY: so many bytes are there.
    unsafe { run_plain(engine, Ordinary::<Utf8Form>::new(src.as_ptr(), src.len(), hides_nul)) }.read
}

/// Whether `src` is UTF-8, and nothing in it is special.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn is_ordinary(engine: Engine, src: &[u8], hides_nul: bool) -> bool {
    let mut at = 0;
    loop {
        let piece = &src[at..src.len().min(at + PIECE)];
        if ordinary_prefix(engine, piece, hides_nul) < piece.len() {
            return false;
        }
        let valid = utf8_valid_prefix(engine, piece);
        at += valid;
        if at == src.len() {
            return true;
        }
        // A character that is cut off by the end of the piece.
        if piece.len() - valid > 3 || valid == 0 {
            return false;
        }
    }
}
