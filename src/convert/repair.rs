//! Repair: conversions that write something in place of what is ill-formed, and go on.
//!
//! What is written is a [`Policy`]: U+FFFD, as many as one of seven behaviours writes; a text; an
//! escape. The [`driver`] is one loop for all pairs and policies; the shapes here differ in where the
//! output goes. None of them fails but for want of room, and each can say how much was replaced.
//!
//! A character that the target has no form for (beyond Latin-1, ASCII) becomes a question mark there,
//! and so does U+FFFD itself.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::bridge;
use crate::convert::{LossyState, Policy, Reason, TranscodeError, convert_lossy};
#[cfg(feature = "alloc")]
use crate::convert::{bulk, transcode_append, transcode_to_str, transcoded_len_on, unpaired};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
#[cfg(feature = "alloc")]
use crate::text;
use crate::unicode::{Encoding, Utf16};
#[cfg(feature = "alloc")]
use crate::unicode::{Fault, IllFormed, Kind, Unit, Utf8, Utf16Be, Utf16Le, is_surrogate};

/// What a repair amounted to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// Code units of the target that were written.
    pub written: usize,
    /// How many replacements were made: U+FFFD or whatever stands for it, escapes of a whole subpart,
    /// question marks for characters that the target has no form for.
    pub replaced: usize,
    /// Where in the source the first of them was made; `None` if the text was clean.
    pub first: Option<usize>,
}

impl Repaired {
    #[inline]
    pub(crate) fn of(written: usize, state: &LossyState) -> Repaired {
        Repaired { written, replaced: state.replaced, first: state.first }
    }
}

/// [`transcode_lossy`], with the kernels of this engine.
///
/// # Errors
/// As there.
pub(crate) fn transcode_lossy_on<'p, S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    dst: &mut [D::Unit],
    policy: impl Into<Policy<'p>>,
) -> Result<Repaired, TranscodeError> {
    transcode_lossy_uninit_on::<S, D>(engine, src, output::as_uninit(dst), policy)
}

/// [`transcode_lossy_uninit`], with the kernels of this engine.
///
/// # Errors
/// As there.
pub(crate) fn transcode_lossy_uninit_on<'p, S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<D::Unit>],
    policy: impl Into<Policy<'p>>,
) -> Result<Repaired, TranscodeError> {
    let mut output = OutputCursor::new(dst);
    let mut state = LossyState::default();
    let whole = convert_lossy::<S, D>(engine, src, &mut output, policy.into(), &mut state);
    let written = output.written();
    if whole {
        Ok(Repaired::of(written, &state))
    } else {
        Err(TranscodeError { read: state.read, written, reason: Reason::OutputFull })
    }
}

/// [`transcode_lossy_append`], with the kernels of this engine.
#[cfg(feature = "alloc")]
pub(crate) fn transcode_lossy_append_on<'p, S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    dst: &mut Vec<D::Unit>,
    policy: impl Into<Policy<'p>>,
) -> Repaired {
    let policy = policy.into();
    let before = dst.len();
    let mut state = LossyState::default();
    loop {
        // As much as clean text takes, and room for any one replacement.
        let rest = transcoded_len_on::<S, D>(engine, &src[state.read..]);
        dst.reserve(rest.saturating_add(max_replacement_len(policy)));
        let (_, whole) = output::append(dst, |spare| {
            let mut output = OutputCursor::new(spare);
            let whole = convert_lossy::<S, D>(engine, src, &mut output, policy, &mut state);
            (output.written(), whole)
        });
        if whole {
            return Repaired::of(dst.len() - before, &state);
        }
    }
}

/// [`transcode_lossy_len`], with the kernels of this engine.
pub(crate) fn transcode_lossy_len_on<'p, S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    policy: impl Into<Policy<'p>>,
) -> Repaired {
    let policy = policy.into();
    let mut state = LossyState::default();
    let mut written = 0;
    loop {
        let mut scratch = [const { MaybeUninit::<D::Unit>::uninit() }; 1024];
        let mut output = OutputCursor::new(&mut scratch);
        if convert_lossy::<S, D>(engine, src, &mut output, policy, &mut state) {
            return Repaired::of(written + output.written(), &state);
        }
        written += output.written();
        if output.written() == 0 {
            // Only a text can be too long for that.
            written += state.skip_replacement::<S, D>(src, policy);
        }
    }
}

/// [`to_well_formed`], with the kernels of this engine.
#[inline]
pub(crate) fn to_well_formed_on(engine: Engine, units: &mut [u16]) -> usize {
    bridge::replace_in_place::<Utf16>(engine, units)
}

/// The most units that one replacement takes, in any encoding.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn max_replacement_len(policy: Policy<'_>) -> usize {
    match policy {
        // A byte of it is four bytes at most, in UTF-32 in bytes.
        Policy::With(text) => 4 * text.len() + 4,
        // An escape has at most ten characters for a unit, and three units.
        _ => 4 * 32,
    }
}

/// Converts all of `src` from encoding `S` to encoding `D`, into `dst`, by `policy` where it is
/// ill-formed.
///
/// # Errors
/// [`Reason::OutputFull`], with what was read and written up to there: whole characters and whole
/// replacements always.
///
/// ```
/// use runecast::{Replacement, Utf8, Utf16, transcode_lossy};
///
/// let mut units = [0; 8];
/// let repaired = transcode_lossy::<Utf8, Utf16>(b"a\xE2\x82b", &mut units, Replacement::Whatwg)?;
/// assert_eq!((repaired.written, repaired.replaced, repaired.first), (3, 1, Some(1)));
/// assert_eq!(units[..3], [0x61, 0xFFFD, 0x62]);
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
pub fn transcode_lossy<'p, S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut [D::Unit],
    policy: impl Into<Policy<'p>>,
) -> Result<Repaired, TranscodeError> {
    transcode_lossy_on::<S, D>(Engine::current(), src, dst, policy)
}

/// [`transcode_lossy`] into memory that need not be initialised. As many units as are said to be
/// written are initialised afterwards.
///
/// # Errors
/// As for [`transcode_lossy`].
pub fn transcode_lossy_uninit<'p, S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut [MaybeUninit<D::Unit>],
    policy: impl Into<Policy<'p>>,
) -> Result<Repaired, TranscodeError> {
    transcode_lossy_uninit_on::<S, D>(Engine::current(), src, dst, policy)
}

/// Converts all of `src` to the end of `dst`, by `policy` where it is ill-formed.
#[cfg(feature = "alloc")]
pub fn transcode_lossy_append<'p, S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut Vec<D::Unit>,
    policy: impl Into<Policy<'p>>,
) -> Repaired {
    transcode_lossy_append_on::<S, D>(Engine::current(), src, dst, policy)
}

/// Converts all of `src` to a new vector, by `policy` where it is ill-formed.
///
/// ```
/// use runecast::{Replacement, Utf16, Utf8, transcode_lossy_to_vec};
///
/// let bytes = transcode_lossy_to_vec::<Utf16, Utf8>(&[0x61, 0xD800], Replacement::Whatwg);
/// assert_eq!(bytes, "a\u{FFFD}".as_bytes());
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn transcode_lossy_to_vec<'p, S: Encoding, D: Encoding>(
    src: &[S::Unit],
    policy: impl Into<Policy<'p>>,
) -> Vec<D::Unit> {
    let mut dst = Vec::new();
    transcode_lossy_append::<S, D>(src, &mut dst, policy);
    dst
}

/// Converts all of `src`, by `policy` where it is ill-formed; or gives `src` back where it is its own
/// answer, as [`transcode_cow`](crate::transcode_cow) does.
#[cfg(feature = "alloc")]
pub fn transcode_lossy_cow<'p, 's, S: Encoding, D: Encoding>(
    src: &'s [S::Unit],
    policy: impl Into<Policy<'p>>,
) -> Cow<'s, [D::Unit]> {
    let policy = policy.into();
    if !policy.refuses_characters()
        && bulk::is_unchanged::<S, D>(Engine::current(), src)
        && let Some(same) = Unit::of_bytes(Unit::bytes(src))
    {
        return Cow::Borrowed(same);
    }
    Cow::Owned(transcode_lossy_to_vec::<S, D>(src, policy))
}

/// The number of units that a conversion by `policy` writes, and how many replacements it makes.
///
/// ```
/// use runecast::{Replacement, Utf8, transcode_lossy_len};
///
/// let bytes = b"\xF0\x9F\x92";
/// let len = |replacement| transcode_lossy_len::<Utf8, Utf8>(bytes, replacement).written;
/// assert_eq!((len(Replacement::Whatwg), len(Replacement::PerByte)), (3, 9));
/// ```
#[must_use]
pub fn transcode_lossy_len<'p, S: Encoding, D: Encoding>(
    src: &[S::Unit],
    policy: impl Into<Policy<'p>>,
) -> Repaired {
    transcode_lossy_len_on::<S, D>(Engine::current(), src, policy)
}

/// All of `src` as text, by `policy` where it is ill-formed: `src` itself if it is clean UTF-8.
///
/// ```
/// use runecast::{Latin1, Replacement, Utf8, repair};
///
/// assert_eq!(repair::<Utf8>(b"\xED\xA0\x80", Replacement::Whatwg), "\u{FFFD}\u{FFFD}\u{FFFD}");
/// assert_eq!(repair::<Utf8>(b"\xED\xA0\x80", Replacement::OpenJdk8), "\u{FFFD}");
/// assert_eq!(repair::<Latin1>(b"caf\xE9", Replacement::Whatwg), "café");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn repair<'p, 's, S: Encoding>(src: &'s [S::Unit], policy: impl Into<Policy<'p>>) -> Cow<'s, str> {
    let policy = policy.into();
    if !policy.refuses_characters()
        && let Ok(text) = transcode_to_str::<S>(src)
    {
        return text;
    }
    let mut text = String::new();
    text::append_text(&mut text, |bytes| transcode_lossy_append::<S, Utf8>(src, bytes, policy));
    Cow::Owned(text)
}

/// UTF-8 as a string, with one U+FFFD for each maximal subpart of what is ill-formed:
/// [`String::from_utf8_lossy`], faster, and with the same answer.
///
/// ```
/// assert_eq!(runecast::from_utf8_lossy(b"caf\xE9"), "caf\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf8_lossy(bytes: &[u8]) -> Cow<'_, str> {
    match text::text(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => {
            let mut text = String::new();
            text::append_text(&mut text, |to| {
                to.reserve(bytes.len() + max_replacement_len(Policy::default()));
                to.extend_from_slice(&bytes[..error.at]);
                transcode_lossy_append::<Utf8, Utf8>(&bytes[error.at..], to, Policy::default())
            });
            Cow::Owned(text)
        }
    }
}

/// [`from_utf8_lossy`], of bytes that are not needed any more: no copy if they are clean.
///
/// ```
/// assert_eq!(runecast::from_utf8_lossy_owned(vec![0x61, 0xFF]), "a\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf8_lossy_owned(bytes: Vec<u8>) -> String {
    text::owned_text(bytes).unwrap_or_else(|bytes| from_utf8_lossy(&bytes).into_owned())
}

/// UTF-16 as a string, with one U+FFFD for each unpaired surrogate: [`String::from_utf16_lossy`],
/// faster.
///
/// ```
/// assert_eq!(runecast::from_utf16_lossy(&[0x61, 0xD800, 0x62]), "a\u{FFFD}b");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf16_lossy(units: &[u16]) -> String {
    repair::<Utf16>(units, Policy::default()).into_owned()
}

/// Bytes of UTF-16LE as a string, with one U+FFFD for each unpaired surrogate and for half a unit at
/// the end: `String::from_utf16le_lossy` of nightly Rust, faster.
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf16le_lossy(bytes: &[u8]) -> String {
    repair::<Utf16Le>(bytes, Policy::default()).into_owned()
}

/// Bytes of UTF-16BE as a string: see [`from_utf16le_lossy`].
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf16be_lossy(bytes: &[u8]) -> String {
    repair::<Utf16Be>(bytes, Policy::default()).into_owned()
}

/// Replaces each unpaired surrogate in `units` by U+FFFD, in place, and returns how many there were:
/// JavaScript's `toWellFormed` (ECMAScript 22.1.3.34).
///
/// ```
/// let mut units = [0x61, 0xD83E, 0xDEA8, 0xDC00];
/// assert_eq!(runecast::to_well_formed(&mut units), 1);
/// assert_eq!(units, [0x61, 0xD83E, 0xDEA8, 0xFFFD]);
/// ```
#[inline]
pub fn to_well_formed(units: &mut [u16]) -> usize {
    to_well_formed_on(Engine::current(), units)
}

/// The bytes that were text before [`Escape::Surrogate`] made it `src`, in UTF-16 or UTF-32: UTF-8, with
/// a byte 80..FF for each unpaired surrogate U+DC80..U+DCFF.
///
/// # Errors
/// Another ill-formed unit.
///
/// ```
/// use runecast::{Escape, Utf8, Utf16, transcode_lossy_to_vec, unescape_surrogates};
///
/// let bytes = b"caf\xE9";
/// let units = transcode_lossy_to_vec::<Utf8, Utf16>(bytes, Escape::Surrogate);
/// assert_eq!(units[3], 0xDCE9);
/// assert_eq!(unescape_surrogates::<Utf16>(&units).as_deref(), Ok(&bytes[..]));
/// ```
#[cfg(feature = "alloc")]
pub fn unescape_surrogates<E: Encoding>(src: &[E::Unit]) -> Result<Vec<u8>, IllFormed> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Err(error) = transcode_append::<E, Utf8>(&src[at..], &mut bytes) {
        at += error.read;
        match E::decode(&src[at..]) {
            // Where an unpaired surrogate is in order.
            Ok((surrogate @ 0xDC80..=0xDCFF, len)) => {
                bytes.push(surrogate as u8);
                at += len;
            }
            Ok((point, len)) if is_surrogate(point) => {
                return Err(E::error(Fault::new(len, Kind::Surrogate), src, at));
            }
            Ok(_) => break,
            Err(fault) => match unpaired::<E>(&src[at..at + fault.len()]) {
                Some(surrogate @ 0xDC80..=0xDCFF) => {
                    bytes.push(surrogate as u8);
                    at += fault.len();
                }
                _ => return Err(E::error(fault, src, at)),
            },
        }
    }
    Ok(bytes)
}
