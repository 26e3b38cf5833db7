//! Conversions at once between two encodings that are known when the program runs.
//!
//! The same ways as for a stream ([`chain`]): a direct pair is the typed conversion behind one call
//! by address, and any other goes by way of generalized UTF-8. What is read and written, and where an error
//! is, are those of the typed functions; tests hold them to that.
//!
//! How long an output will be is not counted first. That would take one more pass, and one more function
//! compiled for each pair. A vector gets room for what most texts become, and grows if that was too little.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::path::Pair;
#[cfg(feature = "alloc")]
use crate::convert::max_replacement_len;
use crate::convert::{LossyState, Policy, Reason, Repaired, TranscodeError};
use crate::dynamic::Scheme;
use crate::kernel::{Engine, Progress};
use crate::output::{self, OutputCursor};

impl Scheme {
    /// Converts as much of `src`, which is in this scheme, to the scheme `to` as fits into `dst`:
    /// [`transcode_partial`](crate::transcode_partial).
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

    /// [`transcode_partial`](Self::transcode_partial) into memory that need not be initialised. As many bytes as
    /// are said to be written are initialised afterwards.
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
        let (read, reason) = Pair::of(self, to).go(Engine::current(), src, &mut output);
        let written = output.written();
        match reason {
            None | Some(Reason::OutputFull) => Ok(Progress { read, written }),
            Some(reason) => Err(TranscodeError { read, written, reason }),
        }
    }

    /// Converts all of `src`, which is in this scheme, to the scheme `to`, into `dst`, by `policy` where it is
    /// ill-formed: [`transcode_lossy`](crate::transcode_lossy()).
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

    /// [`transcode_lossy`](Self::transcode_lossy) into memory that need not be initialised. As many bytes as
    /// are said to be written are initialised afterwards.
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
        let pair = Pair::of(self, to);
        let whole = pair.convert_lossy(Engine::current(), src, &mut output, policy.into(), &mut state);
        let written = output.written();
        if whole {
            Ok(Repaired::of(written, &state))
        } else {
            Err(TranscodeError { read: state.read, written, reason: Reason::OutputFull })
        }
    }

    /// Converts all of `src`, which is in this scheme, to the scheme `to`, to the end of `dst`; returns the
    /// number of bytes written: [`transcode_append`](crate::transcode_append).
    ///
    /// # Errors
    /// As there.
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
        Pair::of(self, to).append(Engine::current(), src, dst)
    }

    /// Converts all of `src`, which is in this scheme, to the scheme `to`, to the end of `dst`, by `policy` where
    /// it is ill-formed: [`transcode_lossy_append`](crate::transcode_lossy_append).
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
        Pair::of(self, to).append_lossy(Engine::current(), src, dst, policy.into())
    }
}

#[cfg(feature = "alloc")]
impl Pair {
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
                let end = self.go(engine, &src[read..], &mut output);
                (output.written(), end)
            })
            .1;
            let reason = reason.map(|reason| reason.behind(read));
            read += moved;
            let written = dst.len() - before;
            match reason {
                None => return Ok(written),
                Some(Reason::OutputFull) => {}
                Some(reason) => return Err(TranscodeError { read, written, reason }),
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

/// Room for what so many bytes mostly become, and for any one character.
#[cfg(feature = "alloc")]
#[inline]
fn room(bytes: usize) -> usize {
    bytes.saturating_add(bytes / 2).saturating_add(crate::stream::LEAST_ROOM)
}
