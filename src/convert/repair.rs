//! Repair: conversions that write something in place of ill-formed sequences, and continue.
//!
//! What they write is a [`Policy`]: U+FFFD, as many as one of seven behaviours writes; a text; or an escape. The driver in
//! [`lossy`](super::lossy) is one loop for all pairs and policies; the functions here differ in where the output goes. They fail only
//! for want of room, and all can report how much was replaced.
//!
//! A character that the target has no form for (in Latin-1 and ASCII) becomes a question mark, and so does U+FFFD itself; or it is left
//! out, by [`Policy::Omit`].

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::convert::{LossyState, Policy, TranscodeError, convert_lossy};
#[cfg(feature = "alloc")]
use crate::convert::{bulk, transcode_to_str, transcoded_len_on};
use crate::kernel::{Engine, dispatch};
use crate::output::{self, OutputCursor};
#[cfg(feature = "alloc")]
use crate::text;
use crate::unicode::Encoding;
#[cfg(feature = "alloc")]
use crate::unicode::{Unit, Utf8, Utf16, Utf16Be, Utf16Le, Variant};

/// The result of a lossy conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// Code units of the target that were written: whole characters and whole replacements.
    pub written: usize,
    /// How many replacements were made. One replacement is a U+FFFD or its substitute, the escapes of a whole subpart, or what stands
    /// for a character that the target has no form for, a question mark mostly; or nothing, where the policy leaves these out.
    pub replaced: usize,
    /// The offset of the first of them, in code units of the source; `None` if there was none. In a stream it counts from the
    /// beginning of the text.
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
    if whole { Ok(Repaired::of(written, &state)) } else { Err(TranscodeError::full(written, &state)) }
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
        // The length of well-formed text, and room for any one replacement.
        let rest = transcoded_len_on::<S, D>(engine, &src[state.read..]);
        let by_kernel = matches!((S::VARIANT, D::VARIANT), (Variant::Utf8, Variant::Utf8))
            && matches!(policy, Policy::Replace(_));
        dst.reserve(if !by_kernel {
            rest.saturating_add(max_replacement_len(policy))
        } else if state.read == 0 {
            room_for_repair(rest)
        } else {
            // More than a few errors: whatever follows, this is enough.
            rest.saturating_mul(3).saturating_add(1024)
        });
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

/// Units that are written to find out how many they are: not many, as they are on the stack. But each time the loop for dense errors is
/// only found again after some calls of a kernel, the last of them are written one by one, and clean text has an end near which a kernel
/// takes smaller steps: with 2048, dense errors took 1.2 to 1.5 times as long, and with 1024 clean text a quarter more.
const SCRATCH: usize = 4096;

/// [`transcode_lossy_len`], with the kernels of this engine.
pub(crate) fn transcode_lossy_len_on<'p, S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    policy: impl Into<Policy<'p>>,
) -> Repaired {
    let policy = policy.into();
    let mut state = LossyState::default();
    let mut written = 0_usize;
    loop {
        let mut scratch = [const { MaybeUninit::<D::Unit>::uninit() }; SCRATCH];
        let mut output = OutputCursor::new(&mut scratch);
        if convert_lossy::<S, D>(engine, src, &mut output, policy, &mut state) {
            return Repaired::of(written.saturating_add(output.written()), &state);
        }
        written = written.saturating_add(output.written());
        if output.written() == 0 {
            // Only the text of a policy can be longer than the buffer.
            written = written.saturating_add(state.skip_replacement::<S, D>(src, policy));
        }
    }
}

/// [`to_well_formed`], with the kernels of this engine.
#[inline]
pub(crate) fn to_well_formed_on(engine: Engine, units: &mut [u16]) -> usize {
    dispatch::replace::replace_in_place(engine, units)
}

/// What is reserved for the repair of so many bytes of UTF-8: room for some replacements, and that which kernels want to have left.
#[cfg(feature = "alloc")]
#[inline]
fn room_for_repair(len: usize) -> usize {
    len.saturating_add(len / 32 + 128 + len.min(384))
}

/// The most units that one replacement takes, in any encoding.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn max_replacement_len(policy: Policy<'_>) -> usize {
    match policy {
        // A byte of the text becomes at most four bytes, in schemes of UTF-32.
        Policy::With(text) => text.len().saturating_mul(4).saturating_add(4),
        // An escape has at most four characters for each of six bytes, or ten for a unit.
        _ => 4 * 32,
    }
}

/// Converts all of `src` from encoding `S` to encoding `D` into `dst`, with replacements by `policy` where it is ill-formed.
///
/// With [`Replacement::Whatwg`](crate::Replacement::Whatwg) the result for UTF-8 is that of the WHATWG Encoding Standard's decoder:
/// one U+FFFD for each maximal subpart (Unicode 3.9). A character that `D` has no form for becomes a question mark (in Corrected UTF-8,
/// and where the source has more than Unicode, a U+FFFD), and so does U+FFFD where `D` has none; [`Policy::Omit`] leaves it out.
/// [`transcode_lossy_len`] computes the length of the output. The contents of `dst` after the written units are unspecified: they may
/// be overwritten. Nothing is allocated. The result is the same on every CPU; it never panics.
///
/// # Errors
/// Only [`Reason::OutputFull`](crate::Reason::OutputFull), with the units read and written up to there: always whole characters and whole
/// replacements. That part of `dst` is valid. If `src` begins with a sequence whose replacement does not fit, nothing is read or written:
/// 96 units hold any but a long text of [`Policy::With`]. (A [`Transcoder`](crate::Transcoder) writes replacements in parts.)
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

/// [`transcode_lossy`] into memory that need not be initialised.
///
/// The first units of `dst`, as many as the result or the error says were written, are initialised afterwards; the others must be
/// treated as uninitialised.
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

/// Converts all of `src` and appends it to `dst`, with replacements by `policy` where it is ill-formed.
///
/// The existing contents of `dst` are left unmodified. Memory is reserved for the length of well-formed text and some replacements, and
/// again if these need more. It panics or aborts only as [`Vec::reserve`] does.
#[cfg(feature = "alloc")]
pub fn transcode_lossy_append<'p, S: Encoding, D: Encoding>(
    src: &[S::Unit],
    dst: &mut Vec<D::Unit>,
    policy: impl Into<Policy<'p>>,
) -> Repaired {
    transcode_lossy_append_on::<S, D>(Engine::current(), src, dst, policy)
}

/// Converts all of `src` to a new vector, with replacements by `policy` where it is ill-formed.
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

/// Converts all of `src`, with replacements by `policy` where it is ill-formed; or borrows `src` without allocating if the text is
/// well-formed and the same in both encodings, as [`transcode_cow`](crate::transcode_cow) does.
#[cfg(feature = "alloc")]
#[must_use]
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

/// What [`transcode_lossy`] would return for an output that is large enough: the number of code units of `D` that it writes, and the
/// number of replacements. The first saturates at [`usize::MAX`].
///
/// This is a conversion whose output is discarded, and takes about as long. Nothing is allocated; it never panics.
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

/// All of `src` as text, with replacements by `policy` where it is ill-formed.
///
/// If `src` is well-formed and the same in UTF-8 it is borrowed, and nothing is allocated; but for policies that
/// [replace characters](Policy::refuses_characters). Otherwise the result is a new string.
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

/// UTF-8 as a string, with one U+FFFD for each ill-formed maximal subpart (Unicode 3.9): the same result as
/// [`String::from_utf8_lossy`], faster. Well-formed `bytes` are borrowed; nothing is allocated for them.
///
/// ```
/// assert_eq!(runecast::from_utf8_lossy(b"caf\xE9"), "caf\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf8_lossy(bytes: &[u8]) -> Cow<'_, str> {
    // (Modules for the web are to be small.)
    if !cfg!(target_family = "wasm") && bytes.len() <= FEW {
        return few_lossy(bytes);
    }
    match text::text(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => {
            let mut text = String::new();
            text::append_text(&mut text, |to| {
                to.reserve(room_for_repair(bytes.len()));
                to.extend_from_slice(&bytes[..error.at]);
                to.extend_from_slice("\u{FFFD}".as_bytes());
                transcode_lossy_append::<Utf8, Utf8>(&bytes[error.at + error.len..], to, Policy::default())
            });
            Cow::Owned(text)
        }
    }
}

/// The most bytes of a text for which it takes longer to begin and to end kernels behind an error than the loop of the standard library takes.
/// A name of 8 to 30 bytes with one bad byte took 93 to 108 ns, and takes 71 to 85; the standard library takes 72 to 93 (AMD EPYC, Zen 4, in a new
/// string each).
#[cfg(feature = "alloc")]
const FEW: usize = 64;

/// [`from_utf8_lossy`] of a few bytes.
#[cfg(feature = "alloc")]
#[inline]
fn few_lossy(bytes: &[u8]) -> Cow<'_, str> {
    let valid = text::well_formed_prefix(bytes);
    let rest = &bytes[valid.len()..];
    if rest.is_empty() {
        return Cow::Borrowed(valid);
    }
    // A copy, since the standard library checks a chunk and then trusts it: it would read beyond a text that is changed in between.
    let mut copy = [0; FEW];
    let copy = &mut copy[..rest.len()];
    copy.copy_from_slice(rest);
    let mut text = String::with_capacity(valid.len() + 3 * rest.len());
    text.push_str(valid);
    for chunk in copy.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push('\u{FFFD}');
        }
    }
    Cow::Owned(text)
}

/// [`from_utf8_lossy`] for a vector: if it is well-formed its memory becomes that of the string, without a copy.
///
/// ```
/// assert_eq!(runecast::from_utf8_lossy_owned(vec![0x61, 0xFF]), "a\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf8_lossy_owned(bytes: Vec<u8>) -> String {
    text::owned_text(bytes).unwrap_or_else(|(bytes, _)| from_utf8_lossy(&bytes).into_owned())
}

/// UTF-16 as a new string, with one U+FFFD for each unpaired surrogate: the same result as [`String::from_utf16_lossy`], faster.
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

/// Bytes of UTF-16LE as a new string, with one U+FFFD for each unpaired surrogate and for half a unit at the end: the same result
/// as `String::from_utf16le_lossy` of nightly Rust, faster; but a high surrogate and half a unit, where the text ends, are one
/// U+FFFD, as in the WHATWG Encoding Standard, and not two. `bytes` may have any alignment.
///
/// ```
/// assert_eq!(runecast::from_utf16le_lossy(b"r\0\xFA\0\x3E\xD8!\0"), "rú\u{FFFD}!");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf16le_lossy(bytes: &[u8]) -> String {
    repair::<Utf16Le>(bytes, Policy::default()).into_owned()
}

/// Bytes of UTF-16BE as a new string: see [`from_utf16le_lossy`].
///
/// ```
/// assert_eq!(runecast::from_utf16be_lossy(b"\0r\0\xFA\xD8"), "rú\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_utf16be_lossy(bytes: &[u8]) -> String {
    repair::<Utf16Be>(bytes, Policy::default()).into_owned()
}

/// Replaces each unpaired surrogate in `units` by U+FFFD, in place, and returns how many there were: JavaScript's `toWellFormed`
/// (ECMAScript 22.1.3.34).
///
/// All other units are left unmodified, and the length stays the same. Nothing is allocated; it never panics.
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
