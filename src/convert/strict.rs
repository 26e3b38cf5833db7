//! From one encoding to another: the driver, and the strict shapes.
//!
//! The driver is the same loop for every pair: the kernel of the pair moves what is in order, the
//! machines of both sides move the one character at which it stopped, and the kernel goes on behind
//! it. Where the source's machine refuses, the text is ill-formed; where the target's does, the
//! character has no place there; where the character does not fit any more, the output is full.
//!
//! Up to the call of the kernel all is inlined into the caller, and what follows a stop is not. Behind a
//! call, the result goes through memory, for an error has many words: that cost short texts two nanoseconds.
//!
//! The shapes differ in where the output goes and in what they say at the end. All keep what was
//! written up to there, which is whole characters always.

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
        (read, Some(reason)) => Err(TranscodeError { read, written: output.written(), reason }),
    }
}

/// Converts until something is in the way: what was read, and why it stopped. Mostly nothing is, and
/// then one call of the kernel is all, with little to be set up for it.
#[inline]
pub(crate) fn drive<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
) -> (usize, Option<Reason>) {
    let read = bulk::run::<S, D>(engine, src, output);
    if read == src.len() { (read, None) } else { drive_further::<S, D>(engine, src, read, output) }
}

/// Goes on where the kernel stopped, after `read` units.
#[inline(never)]
fn drive_further<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    mut read: usize,
    output: &mut OutputCursor<'_, D::Unit>,
) -> (usize, Option<Reason>) {
    // Where the kernel got nowhere, it is not likely to get far at once.
    let patience = |moved| if moved < 8 { 16 } else { 1 };
    // Characters for the machines to move before the kernel is asked again.
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
    // Room for all of it: a bound where that is no waste, or else the very length.
    let short = src.len() <= 64 || is_rewritten(S::VARIANT.family(), D::VARIANT.family());
    dst.reserve(if short {
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
        Some(reason) => Err(TranscodeError { read, written, reason }),
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

/// Whether most bytes are copied, so that a bound of the length is no waste.
#[cfg(feature = "alloc")]
#[inline]
const fn is_rewritten(source: Family, target: Family) -> bool {
    matches!((source, target), (Family::Cesu8, Family::Utf8 | Family::Cesu8) | (Family::Utf8, Family::Cesu8))
}

/// Converts all of `src` from encoding `S` to encoding `D`, into `dst`; returns the number of code
/// units written.
///
/// An output of [`max_transcoded_len`] units is always large enough, and one of
/// [`transcoded_len`] units is exactly so for well-formed input. Units of `dst` behind the written
/// ones may be changed too.
///
/// # Errors
/// Where the input is ill-formed, a character has no form in `D`, or `dst` is full: with what was
/// read and written up to there, always at a character boundary. That much of `dst` is kept.
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

/// [`transcode`] into memory that need not be initialised. As many units as are returned, or as
/// the error says were written, are initialised afterwards.
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

/// Converts as much of `src` as fits into `dst`, up to a character boundary: the "encode into" of
/// the WHATWG Encoding Standard. A full output is no error here; it shows in `read`.
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
        Err(TranscodeError { read, written, reason: Reason::OutputFull }) => Ok(Progress { read, written }),
        Err(error) => Err(error),
    }
}

/// Converts all of `src` to the end of `dst`; returns the number of code units written.
///
/// # Errors
/// As for [`transcode`], but never [`Reason::OutputFull`]. What was converted before the error has
/// been appended.
#[cfg(feature = "alloc")]
pub fn transcode_append<S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut Vec<D::Unit>,
) -> Result<usize, TranscodeError> {
    transcode_append_on::<S, D>(Engine::current(), src, dst)
}

/// Converts all of `src` to a new vector.
///
/// # Errors
/// As for [`transcode`], but never [`Reason::OutputFull`].
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

/// Converts all of `src`, or gives `src` back where it is its own answer: where both encodings have
/// the same units for it, and it lies aligned for them.
///
/// That is so for ASCII among [`Ascii`](crate::Ascii), [`Latin1`](crate::Latin1) and
/// [`Utf8`](crate::Utf8), and for any text between a form and the scheme of this machine's byte order,
/// or an encoding and itself. It is so for any UTF-8 in [`Wtf8`](crate::Wtf8), and back; and for text
/// without supplementary characters (and U+0000) between [`Utf8`](crate::Utf8) and
/// [`Cesu8`](crate::Cesu8) (and [`Mutf8`](crate::Mutf8)).
///
/// # Errors
/// As for [`transcode`], but never [`Reason::OutputFull`]. A text that is its own answer is checked
/// like any other.
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

/// [`transcode_cow`] to a string.
///
/// # Errors
/// As there.
///
/// ```
/// use runecast::{Latin1, transcode_to_str};
///
/// assert_eq!(transcode_to_str::<Latin1>(b"caf\xE9")?, "café");
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn transcode_to_str<S: Encoding>(src: &[S::Unit]) -> Result<Cow<'_, str>, TranscodeError> {
    let engine = Engine::current();
    if matches!(S::VARIANT.family(), Family::Cesu8) {
        return match text::ordinary_text(engine, cast(src), S::VARIANT.two_byte_nul()) {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => transcode_to_string::<S>(src).map(Cow::Owned),
        };
    }
    let unchanged =
        matches!(S::VARIANT, Variant::Utf8) || bulk::is_unchanged::<S, crate::unicode::Utf8>(engine, src);
    if unchanged
        && let Some(bytes) = Unit::of_bytes(Unit::bytes(src))
        && let Ok(text) = text::text(bytes)
    {
        return Ok(Cow::Borrowed(text));
    }
    transcode_to_string::<S>(src).map(Cow::Owned)
}

/// Converts all of `src` to the end of a string; returns the number of bytes written.
///
/// # Errors
/// As for [`transcode_append`].
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

/// Converts all of `src` to a string.
///
/// # Errors
/// As for [`transcode`], but never [`Reason::OutputFull`].
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
