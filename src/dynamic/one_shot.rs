//! Conversion of whole texts between two encodings chosen at run time.
//!
//! The [`Path`]s are those of a stream: a direct pair is the typed conversion behind one call through a pointer, and any other
//! goes through generalized UTF-8. What is read and written, and where an error is, are the same as for the typed functions;
//! tests compare them.
//!
//! The length of the output is not counted first, which would take one more pass, and one more function compiled for each pair.
//! A vector gets room for what most texts need, and grows if that was too little.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::path::Path;
use crate::convert::{LossyState, Policy, Reason, Repaired, TranscodeError};
#[cfg(feature = "alloc")]
use crate::convert::{borrowed_text, max_replacement_len};
use crate::dynamic::Scheme;
#[cfg(feature = "alloc")]
use crate::dynamic::with_type;
use crate::kernel::{Engine, Progress};
use crate::output::{self, OutputCursor};
#[cfg(feature = "alloc")]
use crate::text;

impl Scheme {
    /// Converts as much of `src`, which is in this scheme, to the scheme `to` as fits into `dst`: as
    /// [`transcode_partial`](crate::transcode_partial()).
    ///
    /// Bytes of `dst` after those that were written have unspecified values afterwards.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use runecast::Scheme;
    ///
    /// let mut bytes = [0; 6];
    /// let progress = Scheme::Latin1.transcode_partial(Scheme::Utf16Be, b"caf\xE9", &mut bytes)?;
    /// assert_eq!((progress.read, progress.written), (3, 6));
    /// assert_eq!(&bytes, b"\0c\0a\0f");
    /// # Ok::<(), runecast::TranscodeError>(())
    /// ```
    #[inline]
    pub fn transcode_partial(
        self,
        to: Scheme,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<Progress, TranscodeError> {
        self.transcode_partial_uninit(to, src, output::as_uninit(dst))
    }

    /// As [`transcode_partial`](Self::transcode_partial), into memory that need not be initialised: the first
    /// [`written`](Progress::written) bytes of `dst` are afterwards, or those that an error says.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn transcode_partial_uninit(
        self,
        to: Scheme,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Result<Progress, TranscodeError> {
        let mut output = OutputCursor::new(dst);
        let (read, reason) = Path::new(self, to).convert(Engine::current(), src, &mut output);
        let written = output.written();
        match reason {
            None | Some(Reason::OutputFull) => Ok(Progress { read, written }),
            Some(reason) => Err(TranscodeError::strict(read, written, reason)),
        }
    }

    /// Converts all of `src`, which is in this scheme, to the scheme `to`, into `dst`, and replaces ill-formed sequences as
    /// `policy` says: as [`transcode_lossy`](crate::transcode_lossy()).
    ///
    /// Bytes of `dst` after those that were written have unspecified values afterwards.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use runecast::{Replacement, Scheme};
    ///
    /// let mut bytes = [0; 6];
    /// let text = b"a\xE2\x82b";
    /// let repaired = Scheme::Utf8.transcode_lossy(Scheme::Utf16Le, text, &mut bytes, Replacement::Whatwg)?;
    /// assert_eq!((repaired.written, repaired.replaced, repaired.first), (6, 1, Some(1)));
    /// assert_eq!(&bytes, b"a\0\xFD\xFFb\0");
    /// # Ok::<(), runecast::TranscodeError>(())
    /// ```
    pub fn transcode_lossy<'p>(
        self,
        to: Scheme,
        src: &[u8],
        dst: &mut [u8],
        policy: impl Into<Policy<'p>>,
    ) -> Result<Repaired, TranscodeError> {
        self.transcode_lossy_uninit(to, src, output::as_uninit(dst), policy)
    }

    /// As [`transcode_lossy`](Self::transcode_lossy), into memory that need not be initialised: the first
    /// [`written`](Repaired::written) bytes of `dst` are afterwards, or those that an error says.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_lossy_uninit<'p>(
        self,
        to: Scheme,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        policy: impl Into<Policy<'p>>,
    ) -> Result<Repaired, TranscodeError> {
        let mut output = OutputCursor::new(dst);
        let mut state = LossyState::default();
        let path = Path::new(self, to);
        let whole = path.convert_lossy(Engine::current(), src, &mut output, policy.into(), &mut state);
        let written = output.written();
        if whole { Ok(Repaired::of(written, &state)) } else { Err(TranscodeError::full(written, &state)) }
    }

    /// Converts all of `src`, which is in this scheme, to the scheme `to`, and appends the result to `dst`; returns the number
    /// of bytes appended: as [`transcode_append`](crate::transcode_append()).
    ///
    /// # Errors
    /// As there: everything before the error has been appended.
    ///
    /// ```
    /// use runecast::Scheme;
    ///
    /// let mut bytes = Vec::new();
    /// Scheme::Utf16Le.transcode_append(Scheme::Utf32Be, b"h\0i\0", &mut bytes)?;
    /// assert_eq!(bytes, b"\0\0\0h\0\0\0i");
    /// # Ok::<(), runecast::TranscodeError>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn transcode_append(
        self,
        to: Scheme,
        src: &[u8],
        dst: &mut Vec<u8>,
    ) -> Result<usize, TranscodeError> {
        Path::new(self, to).append(Engine::current(), src, dst)
    }

    /// Converts all of `src`, which is in this scheme, to the scheme `to`, replaces ill-formed sequences as `policy` says, and
    /// appends the result to `dst`: as [`transcode_lossy_append`](crate::transcode_lossy_append()).
    ///
    /// ```
    /// use runecast::{Replacement, Scheme};
    ///
    /// let mut bytes = Vec::new();
    /// let text = b"a\xE2\x82b";
    /// let repaired = Scheme::Utf8.transcode_lossy_append(Scheme::Utf16Le, text, &mut bytes, Replacement::Whatwg);
    /// assert_eq!((repaired.replaced, repaired.first), (1, Some(1)));
    /// assert_eq!(bytes, b"a\0\xFD\xFFb\0");
    /// ```
    #[cfg(feature = "alloc")]
    pub fn transcode_lossy_append<'p>(
        self,
        to: Scheme,
        src: &[u8],
        dst: &mut Vec<u8>,
        policy: impl Into<Policy<'p>>,
    ) -> Repaired {
        Path::new(self, to).append_lossy(Engine::current(), src, dst, policy.into())
    }
}

#[cfg(feature = "alloc")]
impl Scheme {
    /// All of `src`, which is in this scheme, as text: as [`transcode_to_str`](crate::transcode_to_str()), borrowed if its bytes are
    /// the same text in UTF-8. A byte order mark is a character like any other.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use runecast::{Label, Scheme};
    ///
    /// let label: Label = "utf-16".parse()?; // known at run time only
    /// let bytes = b"\xFE\xFF\0r\x01\x6B";
    /// let scheme = label.recognize(bytes);
    /// let text = scheme.transcode_to_str(&bytes[scheme.mark().len()..])?;
    /// assert_eq!(text, "rū");
    ///
    /// assert_eq!(Scheme::Latin1.transcode_to_str(b"r\xFAne")?, "rúne");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn transcode_to_str(self, src: &[u8]) -> Result<Cow<'_, str>, TranscodeError> {
        if let Some(text) = with_type!(self, E => borrowed_text::<E>(src)) {
            return Ok(Cow::Borrowed(text));
        }
        let mut text = String::new();
        text::append_text(&mut text, |bytes| self.transcode_append(Scheme::Utf8, src, bytes))?;
        Ok(Cow::Owned(text))
    }

    /// All of `src`, which is in this scheme, as text, with replacements by `policy` where it is ill-formed: as
    /// [`repair`](crate::repair()).
    ///
    /// ```
    /// use runecast::{Replacement, Scheme};
    ///
    /// assert_eq!(Scheme::Utf16Le.repair(b"r\0\xFA\0\x3E\xD8!\0", Replacement::Whatwg), "rú\u{FFFD}!");
    /// ```
    #[must_use]
    #[inline]
    pub fn repair<'p, 's>(self, src: &'s [u8], policy: impl Into<Policy<'p>>) -> Cow<'s, str> {
        let policy = policy.into();
        if !policy.refuses_characters()
            && let Ok(text) = self.transcode_to_str(src)
        {
            return text;
        }
        let mut text = String::new();
        text::append_text(&mut text, |bytes| self.transcode_lossy_append(Scheme::Utf8, src, bytes, policy));
        Cow::Owned(text)
    }
}

#[cfg(feature = "alloc")]
impl Path {
    /// [`Scheme::transcode_append`].
    #[inline]
    pub(crate) fn append(
        self,
        engine: Engine,
        src: &[u8],
        dst: &mut Vec<u8>,
    ) -> Result<usize, TranscodeError> {
        let before = dst.len();
        let mut read = 0;
        loop {
            dst.reserve(room(src.len() - read));
            let (moved, reason) = output::append(dst, |spare| {
                let mut output = OutputCursor::new(spare);
                let end = self.convert(engine, &src[read..], &mut output);
                (output.written(), end)
            })
            .1;
            let reason = reason.map(|reason| reason.behind(read));
            read += moved;
            let written = dst.len() - before;
            match reason {
                None => return Ok(written),
                Some(Reason::OutputFull) => {}
                Some(reason) => return Err(TranscodeError::strict(read, written, reason)),
            }
        }
    }

    /// [`Scheme::transcode_lossy_append`].
    #[inline]
    pub(crate) fn append_lossy(
        self,
        engine: Engine,
        src: &[u8],
        dst: &mut Vec<u8>,
        policy: Policy<'_>,
    ) -> Repaired {
        let before = dst.len();
        let mut state = LossyState::default();
        loop {
            dst.reserve(room(src.len() - state.read).saturating_add(max_replacement_len(policy)));
            let (_, whole) = output::append(dst, |spare| {
                let mut output = OutputCursor::new(spare);
                let whole = self.convert_lossy(engine, src, &mut output, policy, &mut state);
                (output.written(), whole)
            });
            if whole {
                return Repaired::of(dst.len() - before, &state);
            }
        }
    }
}

/// Room for what most texts of so many bytes need, and for any one character.
#[cfg(feature = "alloc")]
#[inline]
fn room(bytes: usize) -> usize {
    bytes.saturating_add(bytes / 2).saturating_add(crate::stream::LEAST_ROOM)
}
