//! Conversion, chunk by chunk, between two encodings chosen at run time.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;

use super::path::Path;
use crate::convert::{self, LossyState, Policy, Reason};
#[cfg(feature = "alloc")]
use crate::convert::{Repaired, TranscodeError};
use crate::dynamic::{Label, Scheme};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
use crate::stream::state::{Converter, StreamState};
use crate::stream::{Bom, Step};
use crate::unicode::codec::corrected;
use crate::unicode::{IllFormed, Kind, Variant};

/// Converts text that arrives in chunks, from bytes to bytes: a [`Transcoder`](crate::Transcoder) between encodings chosen at
/// run time.
///
/// The source is a [`Scheme`], or a [`Label`] such as plain `UTF-16`, whose byte order the text itself tells; or, with
/// [`Bom::Sniff`], whatever a byte order mark says.
///
/// It is a plain value, and does not allocate. A clone of it is a state to return to.
///
/// ```
/// use runecast::{AnyTranscoder, Bom, Label, Scheme};
///
/// let from: Label = "latin1".parse()?;
/// let mut transcoder = AnyTranscoder::strict(from, Scheme::Utf8).with_bom(Bom::Sniff);
/// let mut text = Vec::new();
/// transcoder.push_to_vec(b"caf\xE9", &mut text)?;
/// transcoder.finish_to_vec(&mut text)?;
/// assert_eq!(text, "café".as_bytes());
///
/// let mut text = Vec::new(); // the next text
/// transcoder.push_to_vec(b"\xFF\xFEh\0i\0", &mut text)?;
/// assert_eq!(transcoder.source(), Some(Scheme::Utf16Le));
/// transcoder.finish_to_vec(&mut text)?;
/// assert_eq!(text, b"hi");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AnyTranscoder<'p> {
    state: StreamState<'p, Dynamic>,
}

/// A conversion between encodings chosen at run time.
#[derive(Clone, Copy)]
struct Dynamic {
    from: Label,
    to: Scheme,
    bom: Bom,
    /// The encoding of the text, once it is known.
    source: Option<Scheme>,
    path: Path,
}

impl Dynamic {
    #[inline]
    fn new(from: Label, to: Scheme) -> Dynamic {
        let (big, _) = from.schemes();
        Dynamic { from, to, bom: Bom::Keep, source: None, path: Path::new(big, to) }
    }
}

impl Converter for Dynamic {
    type From = u8;
    type To = u8;

    #[inline]
    fn begin(&mut self, head: &[u8], end: bool) -> Option<usize> {
        // The beginning may be that of a longer byte order mark.
        if !end
            && self
                .from
                .marks(self.bom)
                .any(|scheme| head.len() < scheme.mark().len() && scheme.mark().starts_with(head))
        {
            return None;
        }
        let (source, mark) = self.from.begin(head, self.bom);
        self.source = Some(source);
        self.path = Path::new(source, self.to);
        Some(mark)
    }

    #[inline]
    fn convert(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
    ) -> (usize, Option<Reason>) {
        self.path.convert(engine, src, output)
    }

    #[inline]
    fn convert_lossy(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
        policy: Policy<'_>,
        state: &mut LossyState,
    ) -> bool {
        self.path.convert_lossy(engine, src, output, policy, state)
    }

    #[inline]
    fn is_replaced(&self, policy: Policy<'_>, src: &[u8]) -> bool {
        let surrogates = convert::holds_surrogates(self.path.target.variant);
        policy.is_replaced(self.path.source.variant, src, (self.path.source.decode)(src), surrogates)
    }

    #[inline]
    fn reserved_rest(&self, src: &[u8]) -> usize {
        match self.path.source.variant {
            Variant::CorrectedUtf8 => corrected::reserved_continuation(src),
            _ => 0,
        }
    }

    #[inline]
    fn convert_one(&self, src: &[u8], output: &mut OutputCursor<'_, u8>) -> Option<usize> {
        self.path.convert_one(src, output)
    }

    #[inline]
    fn incomplete_suffix(&self, policy: Policy<'_>, src: &[u8]) -> usize {
        (self.path.source.waiting)(policy, src)
    }

    #[inline]
    fn source_step(&self, src: &[u8]) -> (usize, Option<Kind>) {
        self.path.source.step(src)
    }

    #[inline]
    fn source_error(&self, src: &[u8]) -> Option<IllFormed> {
        (self.path.source.error)(src)
    }

    #[inline]
    fn target_len(&self, out: &[u8]) -> usize {
        self.path.target.step(out).0
    }

    #[inline]
    fn put(&self, character: char, output: &mut OutputCursor<'_, u8>) -> bool {
        output.put(&convert::character(self.path.target.encode, character.into()))
    }
}

impl<'p> AnyTranscoder<'p> {
    /// A stream that stops with an error at ill-formed sequences, and at characters that `to` cannot represent.
    #[must_use]
    pub fn strict(from: impl Into<Label>, to: Scheme) -> Self {
        AnyTranscoder { state: StreamState::new(Dynamic::new(from.into(), to), None) }
    }

    /// A stream that never stops with an error: it replaces ill-formed sequences as `policy` says.
    #[must_use]
    pub fn lossy(from: impl Into<Label>, to: Scheme, policy: impl Into<Policy<'p>>) -> Self {
        AnyTranscoder { state: StreamState::new(Dynamic::new(from.into(), to), Some(policy.into())) }
    }

    /// The same, with another treatment of a byte order mark at the beginning of the text. By default it is converted like any
    /// other character, unless the source is plain UTF-16, UTF-32 or WTF-16: there it tells the byte order, and is always
    /// removed.
    #[must_use]
    #[inline]
    pub fn with_bom(mut self, bom: Bom) -> Self {
        self.state.converter.bom = bom;
        self
    }

    /// The same, with the kernels of this engine.
    #[must_use]
    #[inline]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.state.engine = engine;
        self
    }

    /// As [`Transcoder::transcode`](crate::Transcoder::transcode).
    #[inline]
    pub fn transcode(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        self.transcode_uninit(src, output::as_uninit(dst), last)
    }

    /// As [`Transcoder::transcode_uninit`](crate::Transcoder::transcode_uninit).
    #[inline]
    pub fn transcode_uninit(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>], last: bool) -> Step {
        self.state.step(src, &mut OutputCursor::new(dst), last)
    }

    /// As [`Transcoder::push_to_vec`](crate::Transcoder::push_to_vec).
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn push_to_vec(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<Repaired, TranscodeError> {
        self.append(src, dst, false)
    }

    /// As [`Transcoder::finish_to_vec`](crate::Transcoder::finish_to_vec).
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn finish_to_vec(&mut self, dst: &mut Vec<u8>) -> Result<Repaired, TranscodeError> {
        self.append(&[], dst, true)
    }

    #[cfg(feature = "alloc")]
    #[inline]
    fn append(&mut self, src: &[u8], dst: &mut Vec<u8>, last: bool) -> Result<Repaired, TranscodeError> {
        // As much as most texts need; others take more steps.
        crate::stream::append(
            dst,
            src,
            |rest| rest.len().saturating_add(rest.len() / 2),
            |src, room| self.transcode_uninit(src, room, last),
        )
    }

    /// The encoding of the text: known from the beginning, unless the byte order mark tells; then as soon as it has been read. When
    /// a text has ended it is still that of the text, until the next begins.
    #[must_use]
    #[inline]
    pub fn source(&self) -> Option<Scheme> {
        match (self.state.converter.from, self.state.converter.bom) {
            (Label::Exactly(scheme), Bom::Keep | Bom::Strip) => Some(scheme),
            _ => self.state.converter.source,
        }
    }

    /// The encoding of the output.
    #[must_use]
    #[inline]
    pub fn target(&self) -> Scheme {
        self.state.converter.to
    }

    /// How many bytes wait for the next chunk.
    #[must_use]
    #[inline]
    pub fn waiting(&self) -> usize {
        self.state.waiting()
    }

    /// How many bytes of the text were converted: those of all chunks, except those that are [waiting](Self::waiting).
    #[must_use]
    #[inline]
    pub fn offset(&self) -> u64 {
        self.state.offset()
    }

    /// Discards all state but the settings: the next chunk is the first of another text.
    #[inline]
    pub fn restart(&mut self) {
        self.state.restart();
        self.state.converter.source = None;
    }
}

impl fmt::Debug for AnyTranscoder<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyTranscoder")
            .field("from", &self.state.converter.from)
            .field("to", &self.state.converter.to)
            .field("policy", &self.state.policy)
            .field("offset", &self.offset())
            .field("waiting", &self.waiting())
            .finish()
    }
}
