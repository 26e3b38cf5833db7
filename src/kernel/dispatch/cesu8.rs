//! CESU-8 and modified UTF-8, to and from every other encoding, with the kernels of UTF-8.
//!
//! Text without supplementary characters (and, for modified UTF-8, without U+0000) is the same in both as in UTF-8, and most text has long
//! spans of that kind, above all short text, such as the strings of a JVM. So a conversion takes a piece of text that stays in the L1
//! cache, finds the first *special* unit [in vectors](generic::ordinary), and lets the kernel of UTF-8 convert everything before it. The
//! sequences that UTF-8 does not have, surrogates in three bytes and C0 80, need no search: the kernel of UTF-8 stops at them by itself.
//! Only the lead byte of a character of four bytes is well-formed in UTF-8 and not here. A special character is converted by the plain loop
//! between the two encodings, together with a few characters after it; if the next special character is close, the plain loop takes more of
//! them, and from then on they go through UTF-8.
//!
//! Conversions between these encodings and UTF-8 copy most bytes. A piece without special bytes is copied, and the copy validated;
//! validation alone does not even copy. Other pieces are rewritten by the loops in [`portable::cesu8`](crate::kernel::portable::cesu8),
//! which know where the encodings differ, but not what is well-formed. The kernel of UTF-8 does the check, once for each piece, on the side
//! that is UTF-8.
//!
//! With AVX-512, a German handbook, ns for texts of 12, 100, 500 and 8000 bytes (AMD EPYC, Zen 4):
//!
//! | | 12 | 100 | 500 | 8000 |
//! |---|--:|--:|--:|--:|
//! | validation of modified UTF-8 | 9 | 12 | 33 | 283 |
//! | when every piece was rewritten | 105 | 132 | 254 | 1044 |
//! | to UTF-8 | 15 | 23 | 48 | 404 |
//! | when every piece was rewritten | 64 | 106 | 239 | 1115 |
//! | from UTF-8 | 16 | 23 | 44 | 377 |
//! | when every piece was rewritten | 50 | 69 | 105 | 492 |
//!
//! For strings of 12 to 100 bytes that are nearly all emoji, the attempt is a loss: they take 1.15 to 1.55 times as long as without it.
//! Converting these with the plain loop was no faster, and continuing after the part before the first emoji, which is the same in both
//! encodings, took 1.3 to 2 times as long.
//!
//! Measured against the crate `simd_cesu8`, a string to CESU-8 and back, ratio of speeds (256 KiB of text):
//!
//! | | AVX-512, to | from | AVX2, to | from | SSE4.2, to | from |
//! |---|---|---|---|---|---|---|
//! | nothing special | 7.5 | 3.7–5.5 | 5.3 | 2.1–4.6 | 3.9 | 1.1–3.1 |
//! | only emoji | 1.9 | 1.8 | 1.8 | 1.7 | 1.7 | 1.5 |
//! | JSON and HTML with emoji | 8–10 | 6–7 | 7–9 | 6–7 | 4–5 | 4 |
//! | Chinese, one emoji in 8 or 50 | 2.2 | 2.8 | 1.9–2.1 | 2.7 | 1.5–1.9 | 2.2 |
//!
//! No kernel is duplicated for these encodings, and improvements to the kernels of UTF-8 carry over.

use super::convert::{self, by_pivot};
use super::validate::{Start, utf8_valid_prefix};
use super::{by_isa, run_plain, walk};
#[cfg(target_feature = "sse2")]
use crate::kernel::avx512;
use crate::kernel::generic::ordinary::OrdinaryUnits;
use crate::kernel::portable::cesu8::{FromCesu8, ToCesu8};
use crate::kernel::portable::convert::Convert;
use crate::kernel::portable::ordinary::Ordinary;
use crate::kernel::shared::character::read_character;
use crate::kernel::shared::{Plain as _, Progress};
use crate::kernel::{Engine, generic};
use crate::unicode::{Family, Form, Utf8Form};

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

/// Bytes before a special character for which another piece behind them would not be worth its beginning.
const FEW_ALIKE: usize = 64;

/// Bytes before an error for which the plain loop does not take longer than two more calls.
const FEW_VALID: usize = 32;

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
    if const { matches!((S::FAMILY, D::FAMILY), (Family::Utf8, Family::Cesu8) | (Family::Cesu8, Family::Utf8)) }
    {
        // SAFETY: the caller's promise.
        return unsafe { between_bytes::<S, D, true>(engine, src, len, dst, room) };
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
            let nul = S::TWO_BYTE_NUL || D::TWO_BYTE_NUL;
            let ordinary = if const { matches!(S::FAMILY, Family::Cesu8) } {
                ordinary_prefix(engine, core::slice::from_raw_parts(here.cast(), piece), nul)
            } else {
                walk(engine, OrdinaryUnits::<S>::new(here, piece, nul)).read
            };
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

/// Where a piece is tried as text that is alike in both encodings: everywhere, while that is true; then again behind as much text as was
/// tried in vain, and each time behind twice as much.
struct Tries {
    from: usize,
    pause: usize,
}

/// The most text between two tries.
const MOST_PAUSE: usize = 16 * PIECE;

impl Tries {
    const fn new() -> Tries {
        Tries { from: 0, pause: 0 }
    }

    /// The `piece` units from `at` on were tried, and are alike or not.
    #[inline]
    fn record(&mut self, at: usize, piece: usize, alike: bool) {
        self.pause = if alike { 0 } else { MOST_PAUSE.min(piece.max(2 * self.pause)) };
        self.from = at + self.pause;
    }
}

/// From UTF-8 to CESU-8, or back. Pieces that are alike in both are copied, and the others rewritten. Without `STORE` the output is discarded:
/// each piece has all of the room.
///
/// # Safety
/// As for [`convert`](fn@convert).
unsafe fn between_bytes<S: Form, D: Form, const STORE: bool>(
    engine: Engine,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> Progress {
    let (mut read, mut written, mut most) = (0, 0, FIRST_PIECE);
    let mut tries = Tries::new();
    while read < len && written < room {
        // SAFETY: every access is within the `len` bytes and the `room`, which do not overlap, for one is shared and the other exclusive.
        unsafe {
            let (from, to, left) = (src.add(read), dst.add(written), room - written);
            let piece = (len - read).min(most);
            most = PIECE.min(4 * most);
            if read >= tries.from {
                let piece = (len - read).min(most).min(left);
                let mut text = core::slice::from_raw_parts(from, piece);
                let ordinary = ordinary_prefix(engine, text, S::TWO_BYTE_NUL || D::TWO_BYTE_NUL);
                if STORE {
                    // It is the output that is well-formed then, whatever becomes of the source meanwhile.
                    core::ptr::copy_nonoverlapping(from, to, ordinary);
                    text = core::slice::from_raw_parts(to, ordinary);
                }
                let same = utf8_valid_prefix(engine, &text[..ordinary], Start::OfText);
                let alike = same > 0 && piece - same < 4;
                tries.record(read, piece, alike);
                // If not, what is next is a special character, or none.
                let next = read + same;
                let ends =
                    !alike && (len - next < S::MOST || read_character::<S>(src.add(next).cast()).1 == 0);
                if alike || ends || same >= FEW_ALIKE {
                    read = next;
                    written += if STORE { same } else { 0 };
                    if ends {
                        break;
                    }
                    continue;
                }
            }
            let (moved, goes_on) = if const { matches!(S::FAMILY, Family::Utf8) } {
                from_utf8::<D>(engine, from, piece, to, left)
            } else {
                to_utf8::<S>(engine, from, piece, to, left)
            };
            read += moved.read;
            written += if STORE { moved.written } else { 0 };
            if moved.read == 0 || !goes_on {
                break;
            }
        }
    }
    Progress { read, written }
}

/// A piece of UTF-8 is validated, then rewritten. Says, too, whether to go on behind it.
///
/// # Safety
/// As for [`convert`](fn@convert).
unsafe fn from_utf8<D: Form>(
    engine: Engine,
    from: *const u8,
    piece: usize,
    to: *mut u8,
    room: usize,
) -> (Progress, bool) {
    // SAFETY: every access is within the piece and the `room`.
    unsafe {
        let valid = utf8_valid_prefix(engine, core::slice::from_raw_parts(from, piece), Start::OfText);
        let mut moved = if D::TWO_BYTE_NUL {
            run_plain(engine.for_words(), ToCesu8::<true>::new(from, valid, to, room))
        } else {
            run_plain(engine.for_words(), ToCesu8::<false>::new(from, valid, to, room))
        };
        // The last few bytes.
        if moved.read < valid {
            let (from, to) = (from.add(moved.read), to.add(moved.written));
            let left = room - moved.written;
            let last = Convert::<Utf8Form, D>::new(from, (valid - moved.read).min(64), to, left);
            let last = run_plain(engine, last);
            moved.read += last.read;
            moved.written += last.written;
        }
        // At an error, or when the output is full, the codec takes over.
        (moved, piece - valid <= 3)
    }
}

/// A piece is rewritten as UTF-8, then the output is validated. It is well-formed if and only if the piece was: a surrogate
/// pair is rewritten only if all six bytes are right, and all other bytes are copied. Says, too, whether to go on behind it.
///
/// # Safety
/// As for [`convert`](fn@convert).
unsafe fn to_utf8<S: Form>(
    engine: Engine,
    from: *const u8,
    piece: usize,
    to: *mut u8,
    room: usize,
) -> (Progress, bool) {
    // SAFETY: every access is within the piece and the `room`.
    unsafe {
        let rewrite = |room| {
            if S::TWO_BYTE_NUL {
                run_plain(engine.for_words(), FromCesu8::<true>::new(from, piece, to, room))
            } else {
                run_plain(engine.for_words(), FromCesu8::<false>::new(from, piece, to, room))
            }
        };
        let mut moved = rewrite(room);
        let valid = utf8_valid_prefix(engine, core::slice::from_raw_parts(to, moved.written), Start::OfText);
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
                return (Progress { read: 0, written: 0 }, false);
            }
        }
        // The last few characters before the end, or before the error.
        let (from, to) = (from.add(moved.read), to.add(moved.written));
        let last = Convert::<S, Utf8Form>::new(from, (piece - moved.read).min(64), to, room - moved.written);
        let last = run_plain(engine, last);
        moved.read += last.read;
        moved.written += last.written;
        (moved, cut)
    }
}

/// How many of the `len` bytes at `src` are well-formed in `S`, which is CESU-8, up to a character boundary: a conversion to UTF-8
/// whose output is discarded.
///
/// # Safety
/// `len` bytes must be readable at `src`.
pub(super) unsafe fn valid_prefix<S: Form>(engine: Engine, src: *const u8, len: usize) -> usize {
    let mut discarded = core::mem::MaybeUninit::<[u8; PIECE]>::uninit();
    // SAFETY: the caller's promise; a piece has no more bytes in UTF-8.
    unsafe {
        if begins_nothing::<S>(src, len) {
            return 0;
        }
        between_bytes::<S, Utf8Form, false>(engine, src, len, discarded.as_mut_ptr().cast(), PIECE).read
    }
}

/// How many bytes come before the first lead byte of four, or before the first 00 if that is special.
#[inline]
pub(crate) fn ordinary_prefix(engine: Engine, src: &[u8], two_byte_nul: bool) -> usize {
    if two_byte_nul {
        jump_to_ordinary_prefix::<true>(src, engine)
    } else {
        jump_to_ordinary_prefix::<false>(src, engine)
    }
}

#[inline(never)]
fn jump_to_ordinary_prefix<const NUL: bool>(src: &[u8], engine: Engine) -> usize {
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: kernels of slices require nothing but their instruction set, which the engine proves; the plain loop has the bytes of the slice.
    unsafe {
        by_isa!(
            engine;
            avx512::ordinary_prefix::<NUL>(src),
            generic::OrdinaryPrefix::<NUL> { src },
            Ordinary::<Utf8Form>::new(src.as_ptr(), src.len(), NUL).run().read,
        )
    }
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

#[cfg(test)]
mod tests {
    use super::{OrdinaryUnits, ordinary_prefix, walk};
    use crate::kernel::Engine;
    use crate::unicode::{Bytes, Form, Utf16Form, Utf32Form};

    /// Lengths below and above every block and step.
    fn lengths() -> impl Iterator<Item = usize> {
        let step = if cfg!(miri) { 11 } else { 1 };
        (0..140).step_by(step).chain([192, 257, 300, 511, 512, 513, 600, 1100].into_iter().step_by(step))
    }

    /// Where the special unit is, or that there is none.
    fn places(len: usize) -> impl Iterator<Item = Option<usize>> {
        let step = match len {
            _ if cfg!(miri) => 1 + len / 3,
            ..=140 => 1,
            _ => 1 + len / 23,
        };
        (0..len).step_by(step).map(Some).chain([None, len.checked_sub(1)])
    }

    #[test]
    fn the_first_special_byte_is_found_at_every_place() {
        for len in lengths() {
            for place in places(len) {
                for (byte, nul) in [
                    (0xF0, true),
                    (0xF0, false),
                    (0xFF, true),
                    (0xF4, true),
                    (0, true),
                    (0, false),
                    (0xEF, true),
                ] {
                    let special = byte >= 0xF0 || nul && byte == 0;
                    let mut text: Vec<u8> = (0..len).map(|i| [0x61, 0xEF, 0x01, 0x80, 0x7F][i % 5]).collect();
                    if let Some(place) = place {
                        text[place] = byte;
                        // One behind it changes nothing.
                        *text.last_mut().unwrap() = byte;
                    }
                    let expected = place.filter(|_| special).unwrap_or(len);
                    for engine in Engine::available() {
                        let found = ordinary_prefix(engine, &text, nul);
                        assert_eq!(found, expected, "{engine:?}, {len}, {place:?}, {byte:X}, {nul}");
                    }
                }
            }
        }
    }

    /// The same for a form, in which `others` are ordinary.
    fn units<S: Form>(others: [u32; 4], specials: &[(u32, bool)]) {
        for len in lengths() {
            for place in places(len) {
                for &(value, nul) in specials {
                    let mut text: Vec<S::Unit> = (0..len).map(|i| S::unit(others[i % 4])).collect();
                    if let Some(place) = place {
                        text[place] = S::unit(value);
                        *text.last_mut().unwrap() = S::unit(value);
                    }
                    for engine in Engine::available() {
                        let search = OrdinaryUnits::<S>::new(text.as_ptr(), len, nul);
                        // SAFETY: so many units are readable.
                        let found = unsafe { walk(engine, search) }.read;
                        assert_eq!(found, place.unwrap_or(len), "{engine:?}, {len}, {value:X}, {nul}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_special_unit_is_found_at_every_place() {
        let surrogates = [(0xD800, false), (0xDFFF, true), (0xDC00, true), (0, true)];
        units::<Utf16Form<false>>([0x61, 0xD7FF, 0xE000, 0xFFFF], &surrogates);
        units::<Utf16Form<true>>([0x61, 0xD7FF, 0xE000, 0xD8], &surrogates);
        let above = [(0x1_0000, false), (0x1_0000, true), (u32::MAX, true), (0x10_FFFF, false), (0, true)];
        units::<Utf32Form<false>>([1, 0xFFFF, 0xE000, 0x7F], &above);
        units::<Utf32Form<true>>([1, 0xFFFF, 0xE000, 0x7F], &above);
        units::<Bytes<0x100>>([1, 0xFF, 0xF0, 0x80], &[(0, true)]);
    }
}
