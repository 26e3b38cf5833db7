//! CESU-8 and modified UTF-8, to and from every other encoding, with the kernels of UTF-8.
//!
//! Text without supplementary characters (and, for modified UTF-8, without U+0000) is the same in both as in UTF-8, and most text
//! has long spans of that kind. So a conversion takes a piece of text that stays in the L1 cache, finds the first *special* unit in
//! vectors, and lets the kernel of UTF-8 convert everything before it. The sequences that UTF-8 does not have, surrogates in three
//! bytes and C0 80, need no search: the kernel of UTF-8 stops at them by itself. Only the lead byte of four is well-formed in UTF-8
//! and not here. A special character is converted by the plain loop between the two encodings, together with a few characters after
//! it; if the next special character is close, the plain loop takes more of them, and from then on they go through UTF-8.
//!
//! Conversions between these encodings and UTF-8 copy most bytes: their loops are in
//! [`portable::cesu8`](crate::kernel::portable::cesu8), which know where the encodings differ, and nothing of what is well-formed.
//! The kernel of UTF-8 does the check, once for each piece, on the side that is UTF-8.
//!
//! Measured against the crate `simd_cesu8`, a string to CESU-8 and back, ratio of speeds (256 KiB of text):
//!
//! | | AVX-512, to | from | AVX2, to | from | SSE4.2, to | from |
//! |---|---|---|---|---|---|---|
//! | nothing special | 6.4–6.6 | 3.5–5.4 | 5.3 | 2.1–4.6 | 3.9 | 1.1–3.1 |
//! | only emoji | 1.9 | 1.8 | 1.8 | 1.7 | 1.7 | 1.5 |
//! | JSON and HTML with emoji | 8–10 | 6–7 | 7–9 | 6–7 | 4–5 | 4 |
//! | Chinese, one emoji in 8 or 50 | 2.2 | 2.8 | 1.9–2.1 | 2.7 | 1.5–1.9 | 2.2 |
//!
//! A search for special bytes as a test per byte, joined by `or`, was vectorised by some settings of the compiler and not by
//! others, and reached a quarter of the speed at best; hence the maximum over several rows.
//!
//! No kernel is duplicated for these encodings, and improvements to the kernels of UTF-8 carry over.

use super::convert::{self, by_pivot};
use super::run_plain;
use super::validate::{Start, utf8_valid_prefix};
use crate::kernel::Engine;
use crate::kernel::portable::cesu8::{FromCesu8, ToCesu8};
use crate::kernel::portable::convert::Convert;
use crate::kernel::shared::character::read_character;
use crate::kernel::shared::{Plain, Progress};
use crate::unicode::{Family, Form, Utf8Form, is_surrogate};

/// Units of a piece: input and output stay in the L1 cache.
const PIECE: usize = 8192;

/// Units of the first piece of a call. Each is four times as long as the one before: where errors are close to each other, most of a
/// long piece would be looked at for nothing, at each of them.
const FIRST_PIECE: usize = 256;

/// Units given to the plain loop at a special character: at first, and at most.
const MIN_SINGLY: usize = 16;
const MAX_SINGLY: usize = 1024;

/// Units for which a kernel is worth calling.
const MIN_SPAN: usize = 24;

/// Bytes before an error for which the plain loop does not take longer than two more calls.
const FEW_VALID: usize = 32;

/// Bytes at the end of a piece that may be left over without an error: the start of a character, and what is too little for the
/// plain loop.
const REST: usize = 16;

/// Whether there is no character at the start of a long `src`, as often behind an error: to find that out in vectors takes several calls.
/// For clean text it is a test that never fails. (UTF-8 has one of its own.)
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment.
#[inline]
unsafe fn begins_nothing<S: Form>(src: *const u8, len: usize) -> bool {
    let asks = len >= FIRST_PIECE && !matches!(S::FAMILY, Family::Utf8);
    // SAFETY: the units of any character are readable.
    asks && unsafe { read_character::<S>(src.cast()) }.1 == 0
}

/// The search for the first special unit of a text.
struct Ordinary<S: Form> {
    src: *const S::Unit,
    len: usize,
    /// One more special value: 0 if U+0000 is special.
    nul: u32,
}

impl<S: Form> Ordinary<S> {
    /// Searches the `len` units of `S` at `src`, at any alignment.
    fn new(src: *const S::Unit, len: usize, two_byte_nul: bool) -> Self {
        Ordinary { src, len, nul: if two_byte_nul { 0 } else { Self::SPECIAL } }
    }

    /// The least special value, surrogates aside.
    const SPECIAL: u32 = match S::FAMILY {
        Family::Utf8 | Family::Cesu8 => 0xF0,
        Family::Utf16 => 0xD800,
        Family::Utf32 => 0x1_0000,
        Family::Corrected | Family::Latin1 | Family::Ascii => 0x100,
    };

    /// Whether a unit is special, or part of a special character.
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

/// Units tested together.
const BLOCK: usize = 64;

/// Blocks of bytes tested together.
const ROWS: usize = 8;

impl<S: Form> Plain for Ordinary<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let mut at = 0;
        if size_of::<S::Unit>() == 1 {
            // SAFETY: `len` bytes are readable.
            at = unsafe { ordinary_bytes(self.src.cast(), self.len, self.nul == 0) };
        }
        while self.len - at >= BLOCK {
            // SAFETY: a block is left.
            let units = unsafe { self.src.add(at).cast::<[S::Unit; BLOCK]>().read_unaligned() };
            if units.iter().fold(false, |any, unit| any | self.is_special(*unit)) {
                break;
            }
            at += BLOCK;
        }
        // SAFETY: the unit is before `len`.
        while at < self.len && !self.is_special(unsafe { self.src.add(at).read_unaligned() }) {
            at += 1;
        }
        Progress { read: at, written: at }
    }
}

/// How many bytes at `src`, in whole steps, are neither the lead byte of four nor, with `nul`, 00.
///
/// # Safety
/// `len` bytes must be readable.
#[inline(always)]
unsafe fn ordinary_bytes(src: *const u8, len: usize, nul: bool) -> usize {
    let mut at = 0;
    while len - at >= ROWS * BLOCK {
        // SAFETY: so many bytes are left.
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

/// Converts `len` units of `S` at `src` to at most `room` units of `D` at `dst`, under the contract of the kernels. One of the two
/// forms is CESU-8.
///
/// # Safety
/// `len` units must be readable at `src`, and `room` units writable at `dst`, at any alignment.
pub(super) unsafe fn convert<S: Form, D: Form>(
    engine: Engine,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> Progress {
    // SAFETY: the caller's promise.
    if unsafe { begins_nothing::<S>(src, len) } {
        return Progress { read: 0, written: 0 };
    }
    match (S::FAMILY, D::FAMILY) {
        // SAFETY: the caller's promise.
        (Family::Utf8, Family::Cesu8) => return unsafe { from_utf8::<D>(engine, src, len, dst, room) },
        (Family::Cesu8, Family::Utf8) => {
            // SAFETY: as above.
            return unsafe { to_utf8::<S>(engine, src, len, dst, room, FIRST_PIECE) };
        }
        _ => {}
    }
    let (src, dst) = (src.cast::<S::Unit>(), dst.cast::<D::Unit>());
    let (mut read, mut written) = (0, 0);
    let (mut few, mut most) = (MIN_SINGLY, FIRST_PIECE);
    while read < len {
        let piece = (len - read).min(most);
        most = PIECE.min(4 * most);
        // SAFETY: every access is within the `len` units and the `room`.
        unsafe {
            let here = src.add(read);
            let ordinary =
                run_plain(engine, Ordinary::<S>::new(here, piece, S::TWO_BYTE_NUL || D::TWO_BYTE_NUL)).read;
            if ordinary >= MIN_SPAN || ordinary == piece {
                let (to, left) = (dst.add(written), room - written);
                let moved = if matches!((S::Base::FAMILY, D::Base::FAMILY), (Family::Utf8, Family::Utf8)) {
                    copy(engine, here.cast(), ordinary, to.cast(), left)
                } else {
                    convert::convert::<S::Base, D::Base>(engine, here.cast(), ordinary, to.cast(), left)
                };
                read += moved.read;
                written += moved.written;
                if moved.read > 4 * MIN_SPAN {
                    few = MIN_SINGLY;
                }
                if moved.read > 0 && ordinary == piece && ordinary - moved.read < 4 {
                    continue;
                }
            }
            let (here, to) = (src.add(read).cast(), dst.add(written).cast());
            let those = (len - read).min(few);
            let moved = if const { is_wide::<S>() || is_wide::<D>() } && those > MIN_SINGLY {
                by_pivot::<S, Utf8Form, D>(engine, here, those, to, room - written)
            } else {
                run_plain(engine, Convert::<S, D>::new(here, those, to, room - written))
            };
            if moved.read == 0 {
                break;
            }
            read += moved.read;
            written += moved.written;
            few = (2 * few).min(MAX_SINGLY);
        }
    }
    Progress { read, written }
}

/// Whether the units of a form are larger than bytes.
const fn is_wide<E: Form>() -> bool {
    size_of::<E::Unit>() > 1
}

/// Copies the well-formed prefix of UTF-8.
///
/// # Safety
/// `len` bytes must be readable at `src`, and `room` bytes writable at `dst`.
#[inline]
unsafe fn copy(engine: Engine, src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
    // SAFETY: the caller's promise; source and output do not overlap, for one is shared and the other exclusive.
    unsafe {
        let text = core::slice::from_raw_parts(src, len.min(room));
        let valid = utf8_valid_prefix(engine, text, Start::OfText);
        core::ptr::copy_nonoverlapping(src, dst, valid);
        Progress { read: valid, written: valid }
    }
}

/// From UTF-8: each piece is validated, then rewritten.
///
/// # Safety
/// As for [`convert`](fn@convert).
unsafe fn from_utf8<D: Form>(
    engine: Engine,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> Progress {
    let (mut read, mut written, mut most) = (0, 0, FIRST_PIECE);
    // SAFETY: every access is within the `len` bytes and the `room`.
    unsafe {
        while read < len {
            let piece = (len - read).min(most);
            most = PIECE.min(4 * most);
            let (from, to) = (src.add(read), dst.add(written));
            let valid = utf8_valid_prefix(engine, core::slice::from_raw_parts(from, piece), Start::OfText);
            let mut moved = if D::TWO_BYTE_NUL {
                run_plain(engine.for_words(), ToCesu8::<true>::new(from, valid, to, room - written))
            } else {
                run_plain(engine.for_words(), ToCesu8::<false>::new(from, valid, to, room - written))
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
            // At an error, or when the output is full, the codec takes over.
            if moved.read == 0 || piece - valid > 3 {
                break;
            }
        }
    }
    Progress { read, written }
}

/// To UTF-8: each piece is rewritten, then the output is validated. It is well-formed if and only if the piece was: a surrogate
/// pair is rewritten only if all six bytes are right, and all other bytes are copied. The first piece has `first` bytes.
///
/// # Safety
/// As for [`convert`](fn@convert).
unsafe fn to_utf8<S: Form>(
    engine: Engine,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
    first: usize,
) -> Progress {
    let (mut read, mut written, mut most) = (0, 0, first);
    // SAFETY: every access is within the `len` bytes and the `room`.
    unsafe {
        while read < len {
            let piece = (len - read).min(most);
            most = PIECE.min(4 * most);
            let (from, to) = (src.add(read), dst.add(written));
            let rewrite = |room| {
                if S::TWO_BYTE_NUL {
                    run_plain(engine.for_words(), FromCesu8::<true>::new(from, piece, to, room))
                } else {
                    run_plain(engine.for_words(), FromCesu8::<false>::new(from, piece, to, room))
                }
            };
            let mut moved = rewrite(room - written);
            let valid =
                utf8_valid_prefix(engine, core::slice::from_raw_parts(to, moved.written), Start::OfText);
            let open = moved.written - valid;
            // U+0000 was two bytes in the source.
            let nul = S::TWO_BYTE_NUL && (0..open.min(3)).any(|offset| *to.add(valid + offset) == 0);
            let cut = open <= 3 && !nul;
            if cut {
                // The start of a character was copied unchanged.
                moved.read -= open;
                moved.written -= open;
            } else if valid < FEW_VALID {
                // An error, close enough for the plain loop to get there by itself.
                moved = Progress { read: 0, written: 0 };
            } else {
                // An error. Rewrite the part before it again, to find the position in the source. That reads the source once
                // more, so its output is validated once more.
                moved = rewrite(valid);
                let again = core::slice::from_raw_parts(to, moved.written);
                if utf8_valid_prefix(engine, again, Start::OfText) < moved.written {
                    break;
                }
            }
            // The last few characters before the end, or before the error.
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

/// How many of the `len` bytes at `src` are well-formed in `S`, which is CESU-8, up to a character boundary: a conversion to UTF-8
/// whose output is discarded.
///
/// # Safety
/// `len` bytes must be readable at `src`.
pub(super) unsafe fn valid_prefix<S: Form>(engine: Engine, src: *const u8, len: usize) -> usize {
    // SAFETY: the caller's promise.
    if unsafe { begins_nothing::<S>(src, len) } {
        return 0;
    }
    let mut memory = core::mem::MaybeUninit::<[u8; PIECE]>::uninit();
    let (mut read, mut most) = (0, FIRST_PIECE);
    while read < len {
        let piece = (len - read).min(most);
        most = PIECE.min(4 * most);
        // SAFETY: the piece is within the `len` bytes, and its UTF-8 is not longer.
        let moved =
            unsafe { to_utf8::<S>(engine, src.add(read), piece, memory.as_mut_ptr().cast(), PIECE, PIECE) };
        read += moved.read;
        // An error, or at the end the start of a character.
        if moved.read == 0 || piece - moved.read > REST {
            break;
        }
    }
    read
}

/// How many bytes come before the first lead byte of four, or before the first 00 if that is special.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn ordinary_prefix(engine: Engine, src: &[u8], two_byte_nul: bool) -> usize {
    // SAFETY: the bytes are those of the slice.
    unsafe { run_plain(engine, Ordinary::<Utf8Form>::new(src.as_ptr(), src.len(), two_byte_nul)) }.read
}

/// Whether `src` is well-formed UTF-8 without special bytes.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn is_ordinary(engine: Engine, src: &[u8], two_byte_nul: bool) -> bool {
    let mut at = 0;
    loop {
        let piece = &src[at..src.len().min(at + PIECE)];
        if ordinary_prefix(engine, piece, two_byte_nul) < piece.len() {
            return false;
        }
        let valid = utf8_valid_prefix(engine, piece, Start::OfText);
        at += valid;
        if at == src.len() {
            return true;
        }
        // Unless the end of the piece cuts off a character, there is an error.
        if piece.len() - valid > 3 || valid == 0 {
            return false;
        }
    }
}
