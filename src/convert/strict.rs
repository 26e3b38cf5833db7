//! From one encoding to another: the driver, and the strict functions.
//!
//! The driver is the same loop for every pair: the kernel of the pair converts well-formed text, the codecs of both sides convert the
//! one character at which it stopped, and the kernel continues after it. Where the source's codec rejects the text, it is ill-formed;
//! where the target's codec has no form, the character is unrepresentable; where the character does not fit, the output is full.
//!
//! Everything up to the call of the kernel is inlined into the caller; what follows an early stop is not. If the whole driver were a
//! call, its result would go through memory, because an error has many words: that cost short texts two nanoseconds.
//!
//! The functions differ in where the output goes and what they report. All keep what was written before an error, which is always
//! whole characters.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::bulk;
use super::error::{Reason, TranscodeError};
#[cfg(feature = "alloc")]
use super::lengths::{max_transcoded_len, transcoded_len_on};
use crate::bridge;
use crate::kernel::{Engine, Progress};
use crate::output::{self, OutputCursor};
#[cfg(feature = "alloc")]
use crate::text;
use crate::unicode::{Encoding, codec};
#[cfg(feature = "alloc")]
use crate::unicode::{Family, Unit, Variant, cast};

/// [`transcode`], with the kernels of this engine.
///
/// # Errors
/// As there.
pub(crate) fn transcode_on<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    dst: &mut [D::Unit],
) -> Result<usize, TranscodeError> {
    transcode_uninit_on::<S, D>(engine, src, output::as_uninit(dst))
}

/// [`transcode_uninit`], with the kernels of this engine.
///
/// # Errors
/// As there.
pub(crate) fn transcode_uninit_on<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<D::Unit>],
) -> Result<usize, TranscodeError> {
    let mut output = OutputCursor::new(dst);
    match drive::<S, D>(engine, src, &mut output) {
        (_, None) => Ok(output.written()),
        (read, Some(reason)) => Err(TranscodeError::strict(read, output.written(), reason)),
    }
}

/// Converts until something stops it: returns the units read, and why it stopped. Usually nothing does, and then it is one call of
/// the kernel with little setup.
#[inline]
pub(crate) fn drive<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
) -> (usize, Option<Reason>) {
    let read = bulk::run::<S, D>(engine, src, output);
    if read == src.len() { (read, None) } else { drive_further::<S, D>(engine, src, read, output) }
}

/// Continues where the kernel stopped, after `read` units.
#[inline(never)]
fn drive_further<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    mut read: usize,
    output: &mut OutputCursor<'_, D::Unit>,
) -> (usize, Option<Reason>) {
    // A kernel that stopped at once is likely to stop soon again.
    let patience = |moved| if moved < 8 { 16 } else { 1 };
    // Characters for the codecs to convert before the kernel is called again.
    let mut by_character = patience(read);
    while read < src.len() {
        if by_character == 0 {
            let moved = bulk::run::<S, D>(engine, &src[read..], output);
            read += moved;
            if read == src.len() {
                break;
            }
            by_character = patience(moved);
        }
        by_character -= 1;
        let (point, len) = match codec::read::<S, D>(&src[read..]) {
            Ok(character) => character,
            Err(fault) => return (read, Some(Reason::IllFormed(S::error(fault, src, read)))),
        };
        let Some(units) = codec::write::<D>(point) else {
            let reason = match char::from_u32(point) {
                Some(character) => Reason::Unrepresentable { at: read, character },
                None => Reason::UnrepresentableCodePoint { at: read, code_point: point },
            };
            return (read, Some(reason));
        };
        if !output.put(&units) {
            return (read, Some(Reason::OutputFull));
        }
        read += len;
    }
    (read, None)
}

/// [`transcode_append`], with the kernels of this engine.
///
/// # Errors
/// As there.
#[cfg(feature = "alloc")]
pub(crate) fn transcode_append_on<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    dst: &mut Vec<D::Unit>,
) -> Result<usize, TranscodeError> {
    // Room for all of it: an upper bound where that wastes little, otherwise the exact length.
    let bound_will_do = src.len() <= 64 || is_mostly_copied(S::VARIANT.family(), D::VARIANT.family());
    dst.reserve(if bound_will_do {
        max_transcoded_len::<S, D>(src.len())
    } else {
        transcoded_len_on::<S, D>(engine, src)
    });
    let (written, (read, reason)) = output::append(dst, |spare| {
        let mut output = OutputCursor::new(spare);
        let end = drive::<S, D>(engine, src, &mut output);
        (output.written(), end)
    });
    match reason {
        None => Ok(written),
        Some(reason) => Err(TranscodeError::strict(read, written, reason)),
    }
}

/// [`transcode_cow`], with the kernels of this engine.
///
/// # Errors
/// As there.
#[cfg(feature = "alloc")]
pub(crate) fn transcode_cow_on<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
) -> Result<Cow<'_, [D::Unit]>, TranscodeError> {
    if bulk::is_unchanged::<S, D>(engine, src)
        && let Some(same) = Unit::of_bytes(Unit::bytes(src))
    {
        return Ok(Cow::Borrowed(same));
    }
    let mut dst = Vec::new();
    transcode_append_on::<S, D>(engine, src, &mut dst)?;
    Ok(Cow::Owned(dst))
}

/// Whether most bytes are copied, so that an upper bound of the length wastes little.
#[cfg(feature = "alloc")]
#[inline]
const fn is_mostly_copied(source: Family, target: Family) -> bool {
    matches!((source, target), (Family::Cesu8, Family::Utf8 | Family::Cesu8) | (Family::Utf8, Family::Cesu8))
}

/// Converts all of `src` from encoding `S` to encoding `D` into `dst`; returns the number of code units written.
///
/// An output of [`max_transcoded_len::<S, D>(src.len())`](crate::max_transcoded_len) units is always large enough, and one of
/// [`transcoded_len`](crate::transcoded_len) units is exactly large enough for well-formed input that `D` can represent. The contents
/// of `dst` after the written units are unspecified: they may be overwritten. Nothing is allocated. The result is the same on every
/// CPU; it never panics.
///
/// # Errors
/// The input is ill-formed, a character has no form in `D`, or `dst` is full. The error has the units read and written up to there,
/// always at a character boundary; that part of `dst` is valid. Errors are found in the order of the text. For ill-formed input the
/// length is as stated for [`validate`](fn@crate::validate).
///
/// ```
/// use runecast::{Utf8, Utf16, transcode};
///
/// let mut units = [0; 8];
/// let len = transcode::<Utf8, Utf16>("ᚱ🪨".as_bytes(), &mut units)?;
/// assert_eq!(units[..len], [0x16B1, 0xD83E, 0xDEA8]);
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
#[inline]
pub fn transcode<S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut [D::Unit],
) -> Result<usize, TranscodeError> {
    transcode_uninit::<S, D>(src, output::as_uninit(dst))
}

/// [`transcode`] into memory that need not be initialised.
///
/// The first units of `dst`, as many as the result or the error says were written, are initialised afterwards; the others must be
/// treated as uninitialised.
///
/// # Errors
/// As for [`transcode`].
#[inline]
pub fn transcode_uninit<S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut [MaybeUninit<D::Unit>],
) -> Result<usize, TranscodeError> {
    match bridge::convert_short::<S, D>(src, dst) {
        Some(written) => Ok(written),
        None => transcode_uninit_on::<S, D>(Engine::current(), src, dst),
    }
}

/// Converts as much of `src` as fits into `dst`, up to a character boundary, as `encodeInto` of the WHATWG Encoding Standard does.
///
/// A full output is not an error: `read` is then less than the length of `src`. The rest of `src` can be converted by another call.
/// If `dst` is too small for the next character nothing is read; six units are enough for any character in any encoding. The contents
/// of `dst` after the written units are unspecified. Nothing is allocated; it never panics.
///
/// # Errors
/// As for [`transcode`], but never [`Reason::OutputFull`].
///
/// ```
/// use runecast::{Utf8, Utf16, transcode_partial};
///
/// let source: Vec<u16> = "añb".encode_utf16().collect();
/// let mut bytes = [0; 2];
/// let progress = transcode_partial::<Utf16, Utf8>(&source, &mut bytes)?;
/// assert_eq!((progress.read, progress.written), (1, 1)); // two bytes for ñ do not fit any more
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
pub fn transcode_partial<S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut [D::Unit],
) -> Result<Progress, TranscodeError> {
    match transcode::<S, D>(src, dst) {
        Ok(written) => Ok(Progress { read: src.len(), written }),
        Err(TranscodeError { read, written, reason: Reason::OutputFull, .. }) => {
            Ok(Progress { read, written })
        }
        Err(error) => Err(error),
    }
}

/// Converts all of `src` and appends it to `dst`; returns the number of code units appended.
///
/// The existing contents of `dst` are left unmodified. Memory is reserved once, for the whole conversion. It panics or aborts only as
/// [`Vec::reserve`] does.
///
/// # Errors
/// As for [`transcode`], but never [`Reason::OutputFull`]. Everything converted before the error has been appended; `written` counts
/// the units appended.
#[cfg(feature = "alloc")]
pub fn transcode_append<S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut Vec<D::Unit>,
) -> Result<usize, TranscodeError> {
    transcode_append_on::<S, D>(Engine::current(), src, dst)
}

/// Converts all of `src` to a new vector, allocated once.
///
/// # Errors
/// As for [`transcode`], but never [`Reason::OutputFull`]. What was converted before the error is discarded.
///
/// ```
/// use runecast::{Latin1, Utf8, transcode_to_vec};
///
/// assert_eq!(transcode_to_vec::<Latin1, Utf8>(b"caf\xE9")?, "café".as_bytes());
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn transcode_to_vec<S: Encoding, D: Encoding>(src: &[S::Unit]) -> Result<Vec<D::Unit>, TranscodeError> {
    let mut dst = Vec::new();
    transcode_append::<S, D>(src, &mut dst)?;
    Ok(dst)
}

/// Converts all of `src`, or borrows `src` if the text has the same units in both encodings, and is aligned for them.
///
/// `src` is borrowed, and nothing allocated, for ASCII among [`Ascii`](crate::Ascii), [`Latin1`](crate::Latin1) and
/// [`Utf8`](crate::Utf8), and for any text between a form and the scheme of this machine's byte order, or an encoding and itself; for
/// any UTF-8 in [`Wtf8`](crate::Wtf8), and back; and for text without supplementary characters (and U+0000) between
/// [`Utf8`](crate::Utf8) and [`Cesu8`](crate::Cesu8) (and [`Mutf8`](crate::Mutf8)), and among their like. In general, where it is certain without a conversion that
/// nothing changes. Otherwise the result is a new vector.
///
/// # Errors
/// As for [`transcode`], but never [`Reason::OutputFull`]. Borrowed text is validated like any other.
///
/// ```
/// use std::borrow::Cow;
/// use runecast::{Latin1, Utf8, transcode_cow};
///
/// assert!(matches!(transcode_cow::<Latin1, Utf8>(b"cafe")?, Cow::Borrowed(b"cafe")));
/// assert!(matches!(transcode_cow::<Latin1, Utf8>(b"caf\xE9")?, Cow::Owned(_)));
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn transcode_cow<S: Encoding, D: Encoding>(
    src: &[S::Unit],
) -> Result<Cow<'_, [D::Unit]>, TranscodeError> {
    transcode_cow_on::<S, D>(Engine::current(), src)
}

/// [`transcode_cow`] to a string: UTF-8 as a `&str` or a `String`.
///
/// # Errors
/// As for [`transcode_cow`].
///
/// ```
/// use runecast::{Latin1, transcode_to_str};
///
/// assert_eq!(transcode_to_str::<Latin1>(b"caf\xE9")?, "café");
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn transcode_to_str<S: Encoding>(src: &[S::Unit]) -> Result<Cow<'_, str>, TranscodeError> {
    match borrowed_text::<S>(src) {
        Some(text) => Ok(Cow::Borrowed(text)),
        None => transcode_to_string::<S>(src).map(Cow::Owned),
    }
}

/// `src` itself, if its bytes are the same text in UTF-8.
#[cfg(feature = "alloc")]
pub(crate) fn borrowed_text<S: Encoding>(src: &[S::Unit]) -> Option<&str> {
    let engine = Engine::current();
    if matches!(S::VARIANT.family(), Family::Cesu8) {
        return text::ordinary_text(engine, cast(src), S::VARIANT.two_byte_nul());
    }
    let unchanged =
        matches!(S::VARIANT, Variant::Utf8) || bulk::is_unchanged::<S, crate::unicode::Utf8>(engine, src);
    unchanged.then(|| Unit::of_bytes(Unit::bytes(src)).and_then(|bytes| text::text(bytes).ok())).flatten()
}

/// Converts all of `src` and appends it to a string; returns the number of bytes appended.
///
/// # Errors
/// As for [`transcode_append`]: what was converted before the error has been appended, as whole characters.
///
/// ```
/// use runecast::{Utf16, transcode_append_to_string};
///
/// let mut text = String::from("stone: ");
/// transcode_append_to_string::<Utf16>(&[0xD83E, 0xDEA8], &mut text)?;
/// assert_eq!(text, "stone: 🪨");
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn transcode_append_to_string<S: Encoding>(
    src: &[S::Unit],
    dst: &mut String,
) -> Result<usize, TranscodeError> {
    text::append_text(dst, |bytes| transcode_append::<S, crate::unicode::Utf8>(src, bytes))
}

/// Converts all of `src` to a new string.
///
/// # Errors
/// As for [`transcode_to_vec`].
///
/// ```
/// use runecast::{Utf16Be, transcode_to_string};
///
/// assert_eq!(transcode_to_string::<Utf16Be>(&[0x16, 0xB1, 0x00, 0x21])?, "ᚱ!");
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn transcode_to_string<S: Encoding>(src: &[S::Unit]) -> Result<String, TranscodeError> {
    let mut text = String::new();
    transcode_append_to_string::<S>(src, &mut text)?;
    Ok(text)
}
