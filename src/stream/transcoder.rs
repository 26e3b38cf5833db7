//! Conversion, chunk by chunk, between two encodings known by type.

#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::state::{Converter, StreamState};
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
use crate::unicode::codec::{self, corrected};
use crate::unicode::{Encoding, IllFormed, Kind, Variant, cast};

/// Converts text that arrives in chunks from encoding `S` to encoding `D`.
///
/// Wherever the chunks were cut, the output, the errors and the counts are those of [`transcode`](crate::transcode()) for the whole
/// text, or of [`transcode_lossy`](crate::transcode_lossy()) if there is a policy. (The only exception: an error in a reserved
/// sequence of Corrected UTF-8 has length 1, as stated for [`IllFormed::len`](crate::IllFormed::len).) In UTF-8, a replacement is
/// written as soon as it is certain, whatever follows. Without a policy, an ill-formed sequence is an error of the chunk that makes
/// it certain, as with a [`Validator`](crate::Validator).
///
/// A transcoder is some two hundred bytes, and does not allocate. A clone of it is a state to return to.
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
    state: StreamState<'p, Typed<S, D>>,
}

/// A conversion between encodings known by type.
#[derive(Clone, Copy)]
struct Typed<S, D> {
    strip_bom: bool,
    pair: PhantomData<(S, D)>,
}

impl<S: Encoding, D: Encoding> Converter for Typed<S, D> {
    type From = S::Unit;
    type To = D::Unit;

    fn begin(&mut self, head: &[S::Unit], end: bool) -> Option<usize> {
        if !self.strip_bom {
            return Some(0);
        }
        let Some(mark) = S::encode(0xFEFF) else { return Some(0) };
        let (units, len) = (mark.array::<4>(), mark.len());
        let mark = &units[..len];
        if head.starts_with(mark) {
            return Some(mark.len());
        }
        if !end && mark.starts_with(head) { None } else { Some(0) }
    }

    #[inline]
    fn convert(
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
    fn is_replaced(&self, policy: Policy<'_>, src: &[S::Unit]) -> bool {
        policy.is_replaced(S::VARIANT, cast(src), S::decode(src), convert::holds_surrogates(D::VARIANT))
    }

    fn reserved_rest(&self, src: &[S::Unit]) -> usize {
        match S::VARIANT {
            Variant::CorrectedUtf8 => corrected::reserved_continuation(cast(src)),
            _ => 0,
        }
    }

    #[inline]
    fn convert_one(&self, src: &[S::Unit], output: &mut OutputCursor<'_, D::Unit>) -> Option<usize> {
        if S::VARIANT.has_surrogates() {
            return None;
        }
        let (point, len) = S::decode(src).ok()?;
        output.put(&codec::write::<D>(point)?).then_some(len)
    }

    fn incomplete_suffix(&self, policy: Policy<'_>, src: &[S::Unit]) -> usize {
        policy.waiting::<S>(src)
    }

    fn source_step(&self, src: &[S::Unit]) -> (usize, Option<Kind>) {
        codec::read::<S, D>(src)
            .map_or_else(|fault| (fault.len(), Some(fault.kind())), |(_, len)| (len, None))
    }

    fn source_error(&self, src: &[S::Unit]) -> Option<IllFormed> {
        codec::error::<S>(src)
    }

    fn target_len(&self, out: &[D::Unit]) -> usize {
        D::decode(out).map_or_else(|fault| fault.len(), |(_, len)| len)
    }

    fn put(&self, character: char, output: &mut OutputCursor<'_, D::Unit>) -> bool {
        output.put(&convert::character(convert::encode::<D>, character.into()))
    }
}

impl<'p, S: Encoding, D: Encoding> Transcoder<'p, S, D> {
    /// A stream that stops with an error at ill-formed sequences, and at characters that `D` cannot represent.
    #[must_use]
    pub fn strict() -> Self {
        Self::with_policy(None)
    }

    /// A stream that never stops with an error: it replaces ill-formed sequences as `policy` says, and writes a question mark for
    /// each character that `D` has no form for, or nothing with [`Policy::Omit`].
    #[must_use]
    pub fn lossy(policy: impl Into<Policy<'p>>) -> Self {
        Self::with_policy(Some(policy.into()))
    }

    fn with_policy(policy: Option<Policy<'p>>) -> Self {
        Transcoder { state: StreamState::new(Typed { strip_bom: false, pair: PhantomData }, policy) }
    }

    /// The same, with another treatment of a byte order mark at the beginning of the text. By default the mark is converted like
    /// any other character.
    ///
    /// ```
    /// use runecast::{Bom, Transcoder, Utf8, Utf16Le};
    ///
    /// let mut transcoder = Transcoder::<Utf16Le, Utf8>::strict().with_bom(Bom::Strip);
    /// let mut text = [0; 8];
    /// let step = transcoder.transcode(b"\xFF\xFEh\0i\0", &mut text, true);
    /// assert_eq!((step.written, &text[..2]), (2, &b"hi"[..]));
    /// ```
    #[must_use]
    pub fn with_bom(mut self, bom: Bom) -> Self {
        self.state.converter.strip_bom = bom != Bom::Keep;
        self
    }

    /// The same, with the kernels of this engine.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.state.engine = engine;
        self
    }

    /// Converts as much of the chunk `src` as fits into `dst`. `last` says that no chunk follows.
    ///
    /// Call this again with the rest of the chunk, `src[step.read..]`, until the step is [done](Step::is_done), and then with the
    /// next chunk. The last chunk may be empty. When it is done, the transcoder is at the beginning of another text.
    ///
    /// **Output.** Only whole characters are written, so that each output is well-formed by itself, unless a policy writes
    /// surrogates. With room for [`LEAST_ROOM`](crate::LEAST_ROOM) units a call always makes progress, and often with less. Units
    /// of `dst` after the first `step.written` have unspecified values afterwards.
    ///
    /// **Errors.** Everything before the error has been written, and the transcoder continues after the sequence at fault. A
    /// caller may write something in its place and go on; offsets still count from the beginning of the text.
    ///
    /// This never panics, and does not allocate.
    pub fn transcode(&mut self, src: &[S::Unit], dst: &mut [D::Unit], last: bool) -> Step {
        self.transcode_uninit(src, output::as_uninit(dst), last)
    }

    /// As [`transcode`](Self::transcode), into memory that need not be initialised; afterwards, the first `step.written` units of
    /// `dst` are.
    pub fn transcode_uninit(
        &mut self,
        src: &[S::Unit],
        dst: &mut [MaybeUninit<D::Unit>],
        last: bool,
    ) -> Step {
        self.state.step(src, &mut OutputCursor::new(dst), last)
    }

    /// Converts all of the chunk `src`, and appends the result to `dst`.
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
    /// Without a policy: the first ill-formed sequence or unrepresentable character, with its offset in the whole text.
    /// [`read`](TranscodeError::read) is an offset in this chunk, and here it is after the sequence at fault. Everything before it
    /// has been appended, and the next call goes on with the rest of the chunk.
    ///
    /// In both results, `written` and `replaced` count this call only, and [`first`](Repaired::first) is an offset in the whole
    /// text.
    #[cfg(feature = "alloc")]
    pub fn push_to_vec(
        &mut self,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
    ) -> Result<Repaired, TranscodeError> {
        self.append(src, dst, false)
    }

    /// Ends the text: converts the units that waited, and appends the result to `dst`. If it returns no error, the transcoder is
    /// at the beginning of another text.
    ///
    /// # Errors
    /// Without a policy: the text ends in the middle of a character. The transcoder is then past the sequence at fault, and still
    /// in the same text: call it again until it returns no error, or [`restart`](Self::restart).
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
        let (lossy, engine) = (self.state.policy.is_some(), self.state.engine);
        let needed = |rest: &[S::Unit]| {
            if rest.len() <= 64 && !lossy {
                max_transcoded_len::<S, D>(rest.len())
            } else {
                transcoded_len_on::<S, D>(engine, rest)
            }
        };
        append(dst, src, needed, |src, room| self.transcode_uninit(src, room, last))
    }

    /// How many units wait for the next chunk.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state.waiting()
    }

    /// How many units of the text were converted: those of all chunks, except the ones that are [waiting](Self::waiting).
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.state.offset()
    }

    /// Discards all state but the settings: the next chunk is the first of another text.
    pub fn restart(&mut self) {
        self.state.restart();
    }
}

#[cfg(feature = "alloc")]
impl<S: Encoding> Transcoder<'_, S, Utf8> {
    /// As [`push_to_vec`](Self::push_to_vec), to a string.
    ///
    /// # Errors
    /// As there.
    pub fn push_to_string(&mut self, src: &[S::Unit], dst: &mut String) -> Result<Repaired, TranscodeError> {
        text::append_text(dst, |bytes| self.append(src, bytes, false))
    }

    /// As [`finish_to_vec`](Self::finish_to_vec), to a string.
    ///
    /// # Errors
    /// As there.
    pub fn finish_to_string(&mut self, dst: &mut String) -> Result<Repaired, TranscodeError> {
        text::append_text(dst, |bytes| self.append(&[], bytes, true))
    }
}

/// Appends to `dst` what `step` converts, until all of `src` is read. `needed` estimates the room for the rest of `src`.
#[cfg(feature = "alloc")]
pub(crate) fn append<F, T>(
    dst: &mut Vec<T>,
    src: &[F],
    needed: impl Fn(&[F]) -> usize,
    mut step: impl FnMut(&[F], &mut [MaybeUninit<T>]) -> Step,
) -> Result<Repaired, TranscodeError> {
    use super::LEAST_ROOM;

    let before = dst.len();
    let (mut read, mut replaced, mut first) = (0, 0, None);
    loop {
        let rest = &src[read..];
        // Room that is there is used first: a caller that goes on after each error has room for the rest from the first call on,
        // and measuring the rest each time would take time proportional to the square of its length.
        if dst.capacity() - dst.len() < 8 * LEAST_ROOM {
            // Waiting units and long replacements need room in addition.
            dst.reserve(needed(rest).saturating_add(8 * LEAST_ROOM));
        }
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
            Some(reason) => return Err(TranscodeError::strict(read, dst.len() - before, reason)),
        }
    }
}

impl<S: Encoding, D: Encoding> fmt::Debug for Transcoder<'_, S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcoder")
            .field("from", &S::NAME)
            .field("to", &D::NAME)
            .field("policy", &self.state.policy)
            .field("offset", &self.offset())
            .field("waiting", &self.waiting())
            .finish()
    }
}
