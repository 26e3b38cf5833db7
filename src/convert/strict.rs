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

pub(crate) mod bulk;
mod length;

use core::fmt;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::encoding::Encoding;
#[cfg(feature = "alloc")]
use crate::encoding::{Kin, Layout};
use crate::illformed::IllFormed;
use crate::kernel::{Engine, Progress};
use crate::machine;
use crate::sink::{self, Sink};

pub(crate) use length::bound;
pub use length::{Repertoire, count, fits, max_transcoded_len, repertoire, transcoded_len};

/// Why a conversion stopped before the end of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The input is ill-formed.
    IllFormed(IllFormed),
    /// The target has no code units for a character, as Latin-1 and ASCII have for few.
    Unrepresentable {
        /// The offset of the character, in code units of the source.
        at: usize,
        /// The character.
        character: char,
    },
    /// The target has no code units for a code point that is no character: a surrogate.
    UnrepresentableCodePoint {
        /// The offset of the code point, in code units of the source.
        at: usize,
        /// The code point.
        code_point: u32,
    },
    /// The next character does not fit into what is left of the output.
    OutputFull,
}

impl Reason {
    /// The same in a longer text, in which what it was found in begins at `offset`.
    pub(crate) fn behind(self, offset: usize) -> Reason {
        match self {
            Reason::IllFormed(error) => Reason::IllFormed(error.behind(offset as u64)),
            Reason::Unrepresentable { at, character } => {
                Reason::Unrepresentable { at: offset.saturating_add(at), character }
            }
            Reason::UnrepresentableCodePoint { at, code_point } => {
                Reason::UnrepresentableCodePoint { at: offset.saturating_add(at), code_point }
            }
            Reason::OutputFull => self,
        }
    }
}

/// A conversion that stopped early. What is before that place has been converted and is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TranscodeError {
    /// Code units of the source that were converted. The rest begins with the character at fault.
    pub read: usize,
    /// Code units of the target that were written.
    pub written: usize,
    /// Why it stopped.
    pub reason: Reason,
}

impl fmt::Display for TranscodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::IllFormed(error) => error.fmt(f),
            Reason::Unrepresentable { at, character } => write!(
                f,
                "at {at}: the target encoding has no form for U+{:04X} ({})",
                u32::from(character),
                character.escape_debug()
            ),
            Reason::UnrepresentableCodePoint { at, code_point } => {
                write!(
                    f,
                    "at {at}: the target encoding has no form for U+{code_point:04X}, which is no character"
                )
            }
            Reason::OutputFull => write!(
                f,
                "the output is full after {} units, with {} of the input converted",
                self.written, self.read
            ),
        }
    }
}

impl core::error::Error for TranscodeError {}

impl Engine {
    /// [`transcode`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [D::Unit],
    ) -> Result<usize, TranscodeError> {
        self.transcode_uninit::<S, D>(src, sink::as_uninit(dst))
    }

    /// [`transcode_uninit`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_uninit<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [MaybeUninit<D::Unit>],
    ) -> Result<usize, TranscodeError> {
        let mut sink = Sink::new(dst);
        match self.drive::<S, D>(src, &mut sink) {
            (_, None) => Ok(sink.written()),
            (read, Some(reason)) => Err(TranscodeError { read, written: sink.written(), reason }),
        }
    }

    /// Converts until something is in the way: what was read, and why it stopped. Mostly nothing is, and
    /// then one call of the kernel is all, with little to be set up for it.
    #[inline]
    pub(crate) fn drive<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        sink: &mut Sink<'_, D::Unit>,
    ) -> (usize, Option<Reason>) {
        let read = bulk::run::<S, D>(self, src, sink);
        if read == src.len() { (read, None) } else { self.drive_on::<S, D>(src, read, sink) }
    }

    /// Goes on where the kernel stopped, after `read` units.
    #[inline(never)]
    fn drive_on<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        mut read: usize,
        sink: &mut Sink<'_, D::Unit>,
    ) -> (usize, Option<Reason>) {
        // Where the kernel got nowhere, it is not likely to get far at once.
        let patience = |moved| if moved < 8 { 16 } else { 1 };
        // Characters for the machines to move before the kernel is asked again.
        let mut by_hand = patience(read);
        while read < src.len() {
            if by_hand == 0 {
                let moved = bulk::run::<S, D>(self, &src[read..], sink);
                read += moved;
                if read == src.len() {
                    break;
                }
                by_hand = patience(moved);
            }
            by_hand -= 1;
            let (point, len) = match machine::read::<S, D>(&src[read..]) {
                Ok(character) => character,
                Err(fault) => return (read, Some(Reason::IllFormed(S::error(fault, src, read)))),
            };
            let Some(units) = machine::write::<D>(point) else {
                let reason = match char::from_u32(point) {
                    Some(character) => Reason::Unrepresentable { at: read, character },
                    None => Reason::UnrepresentableCodePoint { at: read, code_point: point },
                };
                return (read, Some(reason));
            };
            if !sink.put(&units) {
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
    pub fn transcode_append<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
    ) -> Result<usize, TranscodeError> {
        // Room for all of it: a bound where that is no waste, or else the very length.
        let short = src.len() <= 64 || is_rewritten(S::LAYOUT.kin(), D::LAYOUT.kin());
        dst.reserve(if short {
            max_transcoded_len::<S, D>(src.len())
        } else {
            self.transcoded_len::<S, D>(src)
        });
        let (written, (read, reason)) = sink::append(dst, |spare| {
            let mut sink = Sink::new(spare);
            let end = self.drive::<S, D>(src, &mut sink);
            (sink.written(), end)
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
    pub fn transcode_cow<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
    ) -> Result<Cow<'_, [D::Unit]>, TranscodeError> {
        if bulk::is_unchanged::<S, D>(self, src)
            && let Ok(same) = bytemuck::try_cast_slice(src)
        {
            return Ok(Cow::Borrowed(same));
        }
        let mut dst = Vec::new();
        self.transcode_append::<S, D>(src, &mut dst)?;
        Ok(Cow::Owned(dst))
    }
}

/// Whether most bytes are copied, so that a bound of the length is no waste.
#[cfg(feature = "alloc")]
const fn is_rewritten(source: Kin, target: Kin) -> bool {
    matches!((source, target), (Kin::Cesu, Kin::Eight | Kin::Cesu) | (Kin::Eight, Kin::Cesu))
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
    transcode_uninit::<S, D>(src, sink::as_uninit(dst))
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
    match sink::tiny::<S, D>(src, dst) {
        Some(written) => Ok(written),
        None => Engine::current().transcode_uninit::<S, D>(src, dst),
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
    Engine::current().transcode_append::<S, D>(src, dst)
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
    Engine::current().transcode_cow::<S, D>(src)
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
    if matches!(S::LAYOUT.kin(), Kin::Cesu) {
        return match sink::ordinary_text(engine, bytemuck::cast_slice(src), S::LAYOUT.hides_nul()) {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => transcode_to_string::<S>(src).map(Cow::Owned),
        };
    }
    let unchanged = matches!(S::LAYOUT, Layout::Utf8) || bulk::is_unchanged::<S, crate::Utf8>(engine, src);
    if unchanged
        && let Ok(bytes) = bytemuck::try_cast_slice(src)
        && let Ok(text) = sink::text(bytes)
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
    sink::append_text(dst, |bytes| transcode_append::<S, crate::Utf8>(src, bytes))
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
