//! A stream between two encodings that are types.

#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::state::{Flow, Road};
use super::{Bom, Step};
use crate::convert::{self, LossyState, Policy, Reason, drive};
#[cfg(feature = "alloc")]
use crate::convert::{Repaired, TranscodeError, max_transcoded_len, transcoded_len_on};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
#[cfg(feature = "alloc")]
use crate::text;
#[cfg(feature = "alloc")]
use crate::unicode::Utf8;
use crate::unicode::codec::corrected;
use crate::unicode::{Encoding, Kind, Variant, cast};

/// Converts a text that comes in chunks from encoding `S` to encoding `D`.
///
/// What comes out is what [`transcode`](crate::convert()) makes of the whole text, or
/// [`transcode_lossy`](crate::transcode_lossy()) if there is a policy, wherever the chunks were cut; errors
/// and counts too.
///
/// A transcoder owns no memory but itself, some two hundred bytes. It can be cloned: a copy is a place to come back to.
///
/// ```
/// use runecast::{Replacement, Transcoder, Utf8, Utf16};
///
/// let mut transcoder = Transcoder::<Utf8, Utf16>::lossy(Replacement::Whatwg);
/// let mut units = Vec::new();
/// let chunks = [&b"caf\xC3"[..], b"\xA9 \xF0\x9F", b"!"];
/// for (number, chunk) in chunks.iter().enumerate() {
///     let last = number + 1 == chunks.len();
///     let mut rest = *chunk;
///     loop {
///         let mut output = [0; 8]; // at least six
///         let step = transcoder.transcode(rest, &mut output, last);
///         units.extend_from_slice(&output[..step.written]);
///         rest = &rest[step.read..];
///         if step.is_done() {
///             break;
///         }
///     }
/// }
/// assert_eq!(String::from_utf16(&units).unwrap(), "café \u{FFFD}!");
/// ```
#[derive(Clone)]
pub struct Transcoder<'p, S: Encoding, D: Encoding> {
    flow: Flow<'p, Typed<S, D>>,
}

/// A road between types.
#[derive(Clone, Copy)]
struct Typed<S, D> {
    strips: bool,
    pair: PhantomData<(S, D)>,
}

impl<S: Encoding, D: Encoding> Road for Typed<S, D> {
    type From = S::Unit;
    type To = D::Unit;

    fn begin(&mut self, head: &[S::Unit], end: bool) -> Option<usize> {
        if !self.strips {
            return Some(0);
        }
        let Some(mark) = S::encode(0xFEFF) else { return Some(0) };
        let mark = mark.as_slice();
        if head.starts_with(mark) {
            return Some(mark.len());
        }
        if !end && mark.starts_with(head) { None } else { Some(0) }
    }

    #[inline]
    fn go(
        &self,
        engine: Engine,
        src: &[S::Unit],
        output: &mut OutputCursor<'_, D::Unit>,
    ) -> (usize, Option<Reason>) {
        drive::<S, D>(engine, src, output)
    }

    fn convert_lossy(
        &self,
        engine: Engine,
        src: &[S::Unit],
        output: &mut OutputCursor<'_, D::Unit>,
        policy: Policy<'_>,
        state: &mut LossyState,
    ) -> bool {
        convert::convert_lossy::<S, D>(engine, src, output, policy, state)
    }

    #[inline]
    fn is_endless(&self, open: &[S::Unit]) -> bool {
        matches!(S::VARIANT, Variant::CorrectedUtf8) && corrected::is_reserved(cast(open))
    }

    fn going_on(&self, src: &[S::Unit]) -> usize {
        match S::VARIANT {
            Variant::CorrectedUtf8 => corrected::reserved_continuation(cast(src)),
            _ => 0,
        }
    }

    #[inline]
    fn one(&self, joint: &[S::Unit], output: &mut OutputCursor<'_, D::Unit>) -> Option<usize> {
        if S::VARIANT.has_surrogates() {
            return None;
        }
        let (point, len) = S::decode(joint).ok()?;
        output.put(&crate::unicode::codec::write::<D>(point)?).then_some(len)
    }

    #[inline]
    fn is_wrong(&self, src: &[S::Unit]) -> bool {
        !S::VARIANT.has_surrogates()
            && matches!(S::decode(src), Err(fault) if fault.kind() != Kind::Incomplete)
    }

    fn incomplete_suffix(&self, policy: Policy<'_>, src: &[S::Unit]) -> usize {
        policy.incomplete_suffix::<S>(src)
    }

    fn step(&self, src: &[S::Unit]) -> usize {
        crate::unicode::codec::read::<S, D>(src).map_or_else(|fault| fault.len(), |(_, len)| len)
    }

    fn width(&self, out: &[D::Unit]) -> usize {
        D::decode(out).map_or_else(|fault| fault.len(), |(_, len)| len)
    }

    fn put(&self, character: char, output: &mut OutputCursor<'_, D::Unit>) -> bool {
        output.put(&convert::character::<D>(character.into()))
    }
}

impl<'p, S: Encoding, D: Encoding> Transcoder<'p, S, D> {
    /// A stream that stops at whatever is wrong.
    #[must_use]
    pub fn strict() -> Self {
        Self::of(None)
    }

    /// A stream that never stops, and writes by `policy` where the text is ill-formed.
    #[must_use]
    pub fn lossy(policy: impl Into<Policy<'p>>) -> Self {
        Self::of(Some(policy.into()))
    }

    fn of(policy: Option<Policy<'p>>) -> Self {
        Transcoder { flow: Flow::new(Typed { strips: false, pair: PhantomData }, policy) }
    }

    /// The same, with another treatment of a byte order mark at the beginning of the text: by default it is
    /// a character like any other.
    ///
    /// ```
    /// use runecast::{Bom, Transcoder, Utf8, Utf16Le};
    ///
    /// let mut transcoder = Transcoder::<Utf16Le, Utf8>::strict().with_bom(Bom::Strip);
    /// let mut text = String::new();
    /// for byte in b"\xFF\xFEh\0i\0" {
    ///     transcoder.push_to_string(&[*byte], &mut text)?;
    /// }
    /// transcoder.finish_to_string(&mut text)?;
    /// assert_eq!(text, "hi");
    /// # Ok::<(), runecast::TranscodeError>(())
    /// ```
    #[must_use]
    pub fn with_bom(mut self, bom: Bom) -> Self {
        self.flow.road.strips = bom != Bom::Keep;
        self
    }

    /// The same, with the kernels of this engine.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.flow.engine = engine;
        self
    }

    /// Converts as much of the chunk `src` as fits into `dst`. `last` says that no chunk comes behind it.
    ///
    /// Call it again with what is left of the chunk until the [`status`](Step::status) is
    /// [done](Step::is_done), and then with the next chunk. A last chunk may be empty. After
    /// it, the transcoder is at the beginning of another text.
    ///
    /// Whole characters are written, so that each output is a text by itself. With room for
    /// [`LEAST_ROOM`](crate::LEAST_ROOM) units a call makes progress always, and often with less.
    ///
    /// After an error everything before it is written, and the transcoder stands behind it. A caller
    /// may put something of his own in its place and go on. (What then begins is no other text: offsets go on.)
    ///
    /// Units of `dst` behind those written may be changed too.
    pub fn transcode(&mut self, src: &[S::Unit], dst: &mut [D::Unit], last: bool) -> Step {
        self.transcode_uninit(src, output::as_uninit(dst), last)
    }

    /// [`transcode`](Self::transcode) into memory that need not be initialised. As many units as are said to be
    /// written are initialised afterwards.
    pub fn transcode_uninit(
        &mut self,
        src: &[S::Unit],
        dst: &mut [MaybeUninit<D::Unit>],
        last: bool,
    ) -> Step {
        self.flow.step(src, &mut OutputCursor::new(dst), last)
    }

    /// Converts all of the chunk `src` to the end of `dst`.
    ///
    /// ```
    /// use runecast::{Transcoder, Utf8, Utf16Be};
    ///
    /// let mut transcoder = Transcoder::<Utf8, Utf16Be>::strict();
    /// let mut bytes = Vec::new();
    /// transcoder.push_to_vec(b"\xE1\x9A", &mut bytes)?;
    /// transcoder.push_to_vec(b"\xB1!", &mut bytes)?;
    /// transcoder.finish_to_vec(&mut bytes)?;
    /// assert_eq!(bytes, [0x16, 0xB1, 0x00, 0x21]);
    /// # Ok::<(), runecast::TranscodeError>(())
    /// ```
    ///
    /// # Errors
    /// Where there is no policy, what is wrong, with its offset in the whole text;
    /// [`read`](TranscodeError::read) counts in this chunk, and is behind the sequence at fault. What was
    /// converted before it has been appended.
    #[cfg(feature = "alloc")]
    pub fn push_to_vec(
        &mut self,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
    ) -> Result<Repaired, TranscodeError> {
        self.append(src, dst, false)
    }

    /// Says that there are no more chunks, and converts what has waited for them to the end of `dst`. Then
    /// the transcoder is at the beginning of another text.
    ///
    /// # Errors
    /// As for [`push_to_vec`](Self::push_to_vec): that the text ends in the middle of a character.
    #[cfg(feature = "alloc")]
    pub fn finish_to_vec(&mut self, dst: &mut Vec<D::Unit>) -> Result<Repaired, TranscodeError> {
        self.append(&[], dst, true)
    }

    #[cfg(feature = "alloc")]
    fn append(
        &mut self,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
        last: bool,
    ) -> Result<Repaired, TranscodeError> {
        let (lossy, engine) = (self.flow.policy.is_some(), self.flow.engine);
        let need = |rest: &[S::Unit]| {
            if rest.len() <= 64 && !lossy {
                max_transcoded_len::<S, D>(rest.len())
            } else {
                transcoded_len_on::<S, D>(engine, rest)
            }
        };
        append(dst, src, need, |src, room| self.transcode_uninit(src, room, last))
    }

    /// How many units wait for the next chunk.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.flow.waiting()
    }

    /// How many units of the text are done with: those of all chunks, but for the ones that
    /// [wait](Self::waiting).
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.flow.offset()
    }

    /// Forgets what it has seen: the next chunk is the first one of another text.
    pub fn restart(&mut self) {
        self.flow.restart();
    }
}

#[cfg(feature = "alloc")]
impl<S: Encoding> Transcoder<'_, S, Utf8> {
    /// [`push_to_vec`](Self::push_to_vec), to the end of a string.
    ///
    /// # Errors
    /// As there.
    pub fn push_to_string(&mut self, src: &[S::Unit], dst: &mut String) -> Result<Repaired, TranscodeError> {
        text::append_text(dst, |bytes| self.append(src, bytes, false))
    }

    /// [`finish_to_vec`](Self::finish_to_vec), to the end of a string.
    ///
    /// # Errors
    /// As there.
    pub fn finish_to_string(&mut self, dst: &mut String) -> Result<Repaired, TranscodeError> {
        text::append_text(dst, |bytes| self.append(&[], bytes, true))
    }
}

/// Takes steps to the end of `dst`, until all of `src` is converted.
#[cfg(feature = "alloc")]
pub(crate) fn append<F, T>(
    dst: &mut Vec<T>,
    src: &[F],
    need: impl Fn(&[F]) -> usize,
    mut step: impl FnMut(&[F], &mut [MaybeUninit<T>]) -> Step,
) -> Result<Repaired, TranscodeError> {
    use super::LEAST_ROOM;

    let before = dst.len();
    let (mut read, mut replaced, mut first) = (0, 0, None);
    loop {
        let rest = &src[read..];
        // What has waited comes to more than it takes itself, and replacements may be long.
        dst.reserve(need(rest).saturating_add(8 * LEAST_ROOM));
        let (_, step) = output::append(dst, |room| {
            let step = step(rest, room);
            (step.written, step)
        });
        read += step.read;
        replaced += step.replaced;
        first = first.or(step.first);
        match step.reason {
            None => return Ok(Repaired { written: dst.len() - before, replaced, first }),
            Some(Reason::OutputFull) => {}
            Some(reason) => return Err(TranscodeError { read, written: dst.len() - before, reason }),
        }
    }
}

impl<S: Encoding, D: Encoding> fmt::Debug for Transcoder<'_, S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcoder")
            .field("from", &S::NAME)
            .field("to", &D::NAME)
            .field("policy", &self.flow.policy)
            .field("offset", &self.offset())
            .field("waiting", &self.waiting())
            .finish()
    }
}
