//! A stream between two encodings that are known when the program runs.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;

use super::path::Pair;
use crate::convert::{LossyState, Policy, Reason};
#[cfg(feature = "alloc")]
use crate::convert::{Repaired, TranscodeError};
use crate::dynamic::{Label, Scheme};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
use crate::stream::state::{Flow, Road};
use crate::stream::{Bom, Step};
use crate::unicode::codec::corrected;

/// Converts a text that comes in chunks, from bytes to bytes: a [`Transcoder`](crate::Transcoder) between
/// encodings that are known when the program runs.
///
/// The source is a [`Scheme`], or a [`Label`] such as plain `UTF-16`, of which the text tells the byte order; or,
/// with [`Bom::Sniff`], whatever a byte order mark says.
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
    flow: Flow<'p, Any>,
}

/// A road between values.
#[derive(Clone, Copy)]
struct Any {
    from: Label,
    to: Scheme,
    bom: Bom,
    /// What the text is, once that is known.
    source: Option<Scheme>,
    pair: Pair,
}

impl Any {
    #[inline]
    fn new(from: Label, to: Scheme) -> Any {
        let (big, _) = from.schemes();
        Any { from, to, bom: Bom::Keep, source: None, pair: Pair::of(big, to) }
    }

    /// The schemes whose marks are looked for.
    #[inline]
    fn candidates(&self) -> impl Iterator<Item = Scheme> {
        let (big, little) = self.from.schemes();
        let own = self.from.is_plain() || self.bom != Bom::Keep;
        let sniffs = self.bom == Bom::Sniff;
        Scheme::MARKED
            .into_iter()
            .filter(move |_| sniffs)
            .chain([big, little].into_iter().filter(move |_| own))
            .filter(|scheme| !scheme.mark().is_empty())
    }
}

impl Road for Any {
    type From = u8;
    type To = u8;

    #[inline]
    fn begin(&mut self, head: &[u8], end: bool) -> Option<usize> {
        // A longer mark may still come of what is a shorter one.
        if !end
            && self
                .candidates()
                .any(|scheme| head.len() < scheme.mark().len() && scheme.mark().starts_with(head))
        {
            return None;
        }
        let marked = self.candidates().find(|scheme| scheme.is_marked(head));
        let source = marked.unwrap_or(self.from.schemes().0);
        self.source = Some(source);
        self.pair = Pair::of(source, self.to);
        Some(marked.map_or(0, |scheme| scheme.mark().len()))
    }

    #[inline]
    fn go(&self, engine: Engine, src: &[u8], output: &mut OutputCursor<'_, u8>) -> (usize, Option<Reason>) {
        self.pair.go(engine, src, output)
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
        self.pair.convert_lossy(engine, src, output, policy, state)
    }

    #[inline]
    fn is_endless(&self, open: &[u8]) -> bool {
        self.pair.source.reserves && corrected::is_reserved(open)
    }

    #[inline]
    fn going_on(&self, src: &[u8]) -> usize {
        if self.pair.source.reserves { corrected::reserved_continuation(src) } else { 0 }
    }

    #[inline]
    fn one(&self, joint: &[u8], output: &mut OutputCursor<'_, u8>) -> Option<usize> {
        self.pair.one(joint, output)
    }

    #[inline]
    fn is_wrong(&self, src: &[u8]) -> bool {
        self.pair.source.is_wrong(src)
    }

    #[inline]
    fn incomplete_suffix(&self, policy: Policy<'_>, src: &[u8]) -> usize {
        self.pair.source.incomplete_suffix(policy, src)
    }

    #[inline]
    fn step(&self, src: &[u8]) -> usize {
        self.pair.source.step(src)
    }

    #[inline]
    fn width(&self, out: &[u8]) -> usize {
        self.pair.target.step(out)
    }

    #[inline]
    fn put(&self, character: char, output: &mut OutputCursor<'_, u8>) -> bool {
        output.put(&self.pair.target.replacement(character.into()))
    }
}

impl<'p> AnyTranscoder<'p> {
    /// A stream that stops at whatever is wrong.
    #[must_use]
    pub fn strict(from: impl Into<Label>, to: Scheme) -> Self {
        AnyTranscoder { flow: Flow::new(Any::new(from.into(), to), None) }
    }

    /// A stream that never stops, and writes by `policy` where the text is ill-formed.
    #[must_use]
    pub fn lossy(from: impl Into<Label>, to: Scheme, policy: impl Into<Policy<'p>>) -> Self {
        AnyTranscoder { flow: Flow::new(Any::new(from.into(), to), Some(policy.into())) }
    }

    /// The same, with another treatment of a byte order mark at the beginning of the text. By default it is a
    /// character like any other, unless the source is a plain UTF-16, UTF-32 or WTF-16: there it says the byte
    /// order, and is left out always.
    #[must_use]
    #[inline]
    pub fn with_bom(mut self, bom: Bom) -> Self {
        self.flow.road.bom = bom;
        self
    }

    /// The same, with the kernels of this engine.
    #[must_use]
    #[inline]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.flow.engine = engine;
        self
    }

    /// [`Transcoder::transcode`](crate::Transcoder::transcode).
    #[inline]
    pub fn transcode(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        self.transcode_uninit(src, output::as_uninit(dst), last)
    }

    /// [`Transcoder::transcode_uninit`](crate::Transcoder::transcode_uninit).
    #[inline]
    pub fn transcode_uninit(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>], last: bool) -> Step {
        self.flow.step(src, &mut OutputCursor::new(dst), last)
    }

    /// [`Transcoder::push_to_vec`](crate::Transcoder::push_to_vec).
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn push_to_vec(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<Repaired, TranscodeError> {
        self.append(src, dst, false)
    }

    /// [`Transcoder::finish_to_vec`](crate::Transcoder::finish_to_vec).
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
        // As much as most texts need; for others there are more steps.
        crate::stream::append(
            dst,
            src,
            |rest| rest.len() + rest.len() / 2,
            |src, room| self.transcode_uninit(src, room, last),
        )
    }

    /// What the text is: known from the beginning, unless its byte order mark tells; then as soon as it has been
    /// seen.
    #[must_use]
    #[inline]
    pub fn source(&self) -> Option<Scheme> {
        match (self.flow.road.from, self.flow.road.bom) {
            (Label::Exactly(scheme), Bom::Keep | Bom::Strip) => Some(scheme),
            _ => self.flow.road.source,
        }
    }

    /// What it becomes.
    #[must_use]
    #[inline]
    pub fn target(&self) -> Scheme {
        self.flow.road.to
    }

    /// How many bytes wait for the next chunk.
    #[must_use]
    #[inline]
    pub fn waiting(&self) -> usize {
        self.flow.waiting()
    }

    /// How many bytes of the text are done with: those of all chunks, but for the ones that
    /// [wait](Self::waiting).
    #[must_use]
    #[inline]
    pub fn offset(&self) -> u64 {
        self.flow.offset()
    }

    /// Forgets what it has seen: the next chunk is the first one of another text.
    #[inline]
    pub fn restart(&mut self) {
        self.flow.restart();
        self.flow.road.source = None;
    }
}

impl fmt::Debug for AnyTranscoder<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyTranscoder")
            .field("from", &self.flow.road.from)
            .field("to", &self.flow.road.to)
            .field("policy", &self.flow.policy)
            .field("offset", &self.offset())
            .field("waiting", &self.waiting())
            .finish()
    }
}
