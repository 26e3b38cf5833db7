//! The loop of the transcoders: chunks in, whole characters out.
//!
//! A chunk is converted in *spans*. A span is text in one buffer: the chunk itself, or a small buffer in which waiting units
//! are joined with the first units of the chunk. The incomplete suffix of a span, which may depend on what comes next, is cut
//! off; the rest goes through the conversion that all of the API shares. What is left over of the chunk waits for the next.
//!
//! After an error the stream continues after the ill-formed sequence, so that a caller can write something else and go on.
//! That is why waiting units are kept as they are, and not as the state of an automaton: what follows an ill-formed sequence
//! has to be read again, and may be in a chunk that is gone.

use core::ops::ControlFlow;

use super::{LEAST_ROOM, Step};
use crate::convert::{Escape, LossyState, Policy, Reason};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
use crate::unicode::{Kind, Unit, cast, cast_mut, saturating_offset};

/// A conversion from one encoding to another, known by type or chosen at run time.
pub(crate) trait Converter {
    /// The code unit of the source.
    type From: Unit + Eq;
    /// The code unit of the target.
    type To: Unit;

    /// Looks at the beginning of a text: how many units are a byte order mark to be removed. `None` if there is too little
    /// of it to know, and more is to come.
    fn begin(&mut self, head: &[Self::From], end: bool) -> Option<usize>;

    /// Converts as far as possible: how much was read, and why it stopped.
    fn convert(
        &self,
        engine: Engine,
        src: &[Self::From],
        output: &mut OutputCursor<'_, Self::To>,
    ) -> (usize, Option<Reason>);

    /// Converts with replacements by `policy`; `false` if the output is full.
    fn convert_lossy(
        &self,
        engine: Engine,
        src: &[Self::From],
        output: &mut OutputCursor<'_, Self::To>,
        policy: Policy<'_>,
        state: &mut LossyState,
    ) -> bool;

    /// How many units at the end of `src` have to wait for what comes next.
    fn incomplete_suffix(&self, policy: Policy<'_>, src: &[Self::From]) -> usize;

    /// Whether `suffix`, an incomplete suffix, is a reserved sequence of Corrected UTF-8. Such a sequence has no length of
    /// its own: it extends to the next lead byte.
    fn is_reserved(&self, suffix: &[Self::From]) -> bool;

    /// How many units at the start of `src` still belong to a reserved sequence that began before them.
    fn reserved_rest(&self, src: &[Self::From]) -> usize;

    /// Converts the one character at the start of `src`, and returns its length; `None` if it may not be a character or
    /// there is no room. Then it has to be converted as any span.
    fn convert_one(&self, src: &[Self::From], output: &mut OutputCursor<'_, Self::To>) -> Option<usize>;

    /// Whether `src` begins with an ill-formed sequence, whatever follows.
    fn is_ill_formed(&self, src: &[Self::From]) -> bool;

    /// The length of the character or ill-formed sequence at the start of `src`.
    fn source_len(&self, src: &[Self::From]) -> usize;

    /// The length of the character at the start of `out`, in the target.
    fn target_len(&self, out: &[Self::To]) -> usize;

    /// Writes a character of a replacement, all of its units or none.
    fn put(&self, character: char, output: &mut OutputCursor<'_, Self::To>) -> bool;
}

/// Units that can wait for the next chunk. The longest sequence that a policy tells apart has thirteen.
const MAX_WAITING: usize = 16;

/// Units of the buffer in which waiting units are joined with those of a chunk: there are always more of the latter than an
/// incomplete suffix has.
const JOINED_UNITS: usize = 48;

/// Bytes of the longest escape: four digits for each of six bytes, in UTF-32.
const ESCAPE_BYTES: usize = 4 * 6 * 4;

/// The state of a stream between two encodings.
#[derive(Clone, Copy)]
pub(crate) struct StreamState<'p, C: Converter> {
    pub(crate) converter: C,
    pub(crate) engine: Engine,
    /// What to write in place of ill-formed sequences; `None` if they are errors.
    pub(crate) policy: Option<Policy<'p>>,
    /// Whether the beginning of the text has been seen.
    begun: bool,
    /// Whether the last code point written is a high surrogate.
    ends_high: bool,
    /// Whether a reserved sequence that has been dealt with may extend into the next chunk.
    in_reserved: bool,
    /// The offset, in the whole text, of the first waiting unit.
    offset: u64,
    waiting: [C::From; MAX_WAITING],
    waiting_len: u8,
    /// The rest of a replacement that did not fit: of a text,
    replacement: &'p str,
    /// or of an escape, in units of the target, from `escape_at` to `escape_end`.
    escape: [u32; ESCAPE_BYTES / 4],
    escape_at: u8,
    escape_end: u8,
}

/// Why the conversion of a span stopped.
enum Stop {
    /// All of it is converted but for an incomplete suffix.
    Done,
    /// The output is full.
    OutputFull,
    /// An error, for a sequence of so many units.
    Error(Reason, usize),
}

/// The replacements made in one call.
#[derive(Default)]
struct Replacements {
    count: usize,
    first: Option<usize>,
}

impl<'p, C: Converter> StreamState<'p, C> {
    pub(crate) fn new(converter: C, policy: Option<Policy<'p>>) -> Self {
        StreamState {
            converter,
            engine: Engine::current(),
            policy,
            begun: false,
            ends_high: false,
            in_reserved: false,
            offset: 0,
            waiting: [C::From::of(0); MAX_WAITING],
            waiting_len: 0,
            replacement: "",
            escape: [0; ESCAPE_BYTES / 4],
            escape_at: 0,
            escape_end: 0,
        }
    }

    /// How many units wait for the next chunk.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting_len.into()
    }

    /// How many units of the text are converted.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Back to the beginning of a text.
    pub(crate) fn restart(&mut self) {
        (self.begun, self.ends_high, self.in_reserved) = (false, false, false);
        (self.offset, self.waiting_len) = (0, 0);
        (self.replacement, self.escape_at, self.escape_end) = ("", 0, 0);
    }

    /// Converts as much of a chunk as fits.
    pub(crate) fn step(&mut self, src: &[C::From], output: &mut OutputCursor<'_, C::To>, last: bool) -> Step {
        let mut replaced = Replacements::default();
        let (reason, read) = self.run(src, output, last, &mut replaced);
        if last && reason.is_none() {
            self.restart();
        }
        Step { reason, read, written: output.written(), replaced: replaced.count, first: replaced.first }
    }

    #[inline]
    fn run(
        &mut self,
        src: &[C::From],
        output: &mut OutputCursor<'_, C::To>,
        last: bool,
        replaced: &mut Replacements,
    ) -> (Option<Reason>, usize) {
        let mut read = 0;
        if self.has_pending() {
            match self.convert_pending(src, output, last, replaced) {
                (ControlFlow::Break(reason), read) => return (reason, read),
                (ControlFlow::Continue(()), joined) => read = joined,
            }
        }
        read += self.skip_reserved(&src[read..]);
        if self.in_reserved {
            return (None, read);
        }
        let rest = &src[read..];
        let (done, stop) = self.convert_span(rest, last, output, replaced);
        self.offset += done as u64;
        match stop {
            Stop::Done => {
                self.set_waiting(&rest[done..]);
                (None, src.len())
            }
            Stop::OutputFull => (Some(Reason::OutputFull), read + done),
            Stop::Error(reason, len) => {
                self.offset += len as u64;
                (Some(reason), read + done + len)
            }
        }
    }

    /// Whether anything has to be done before the chunk can be converted where it lies.
    #[inline]
    fn has_pending(&self) -> bool {
        !self.begun
            || self.waiting_len > 0
            || !self.replacement.is_empty()
            || self.escape_at < self.escape_end
    }

    /// Skips what still belongs to a reserved sequence that has been dealt with: how much that is.
    #[inline]
    fn skip_reserved(&mut self, src: &[C::From]) -> usize {
        if !self.in_reserved {
            return 0;
        }
        let count = self.converter.reserved_rest(src);
        self.in_reserved = count == src.len();
        self.offset += count as u64;
        count
    }

    /// Does what comes before the chunk: the rest of a replacement, a byte order mark, and waiting units. Returns how much
    /// of the chunk was read, and whether the call ends here.
    #[inline(never)]
    fn convert_pending(
        &mut self,
        src: &[C::From],
        output: &mut OutputCursor<'_, C::To>,
        last: bool,
        replaced: &mut Replacements,
    ) -> (ControlFlow<Option<Reason>>, usize) {
        if !self.write_replacement(output) {
            return (ControlFlow::Break(Some(Reason::OutputFull)), 0);
        }
        let mut read = 0;
        if !self.begun {
            let mut joined = [C::From::of(0); JOINED_UNITS];
            let (waiting, taken) = self.join(src, &mut joined);
            let head = &joined[..waiting + taken];
            let Some(mark) = self.converter.begin(head, last && taken == src.len()) else {
                self.set_waiting(head);
                return (ControlFlow::Break(None), src.len());
            };
            self.begun = true;
            self.offset += mark as u64;
            read = self.consume(mark);
        }
        read += self.complete_character(&src[read..], output);
        while self.waiting_len > 0 {
            let mut joined = [C::From::of(0); JOINED_UNITS];
            let (waiting, taken) = self.join(&src[read..], &mut joined);
            let text = &joined[..waiting + taken];
            let all = read + taken == src.len();
            let (done, stop) = self.convert_span(text, last && all, output, replaced);
            self.offset += done as u64;
            match stop {
                Stop::Done if all => {
                    self.set_waiting(&text[done..]);
                    return (ControlFlow::Break(None), src.len());
                }
                Stop::Done => read += self.consume(done),
                Stop::OutputFull => {
                    read += self.consume(done);
                    return (ControlFlow::Break(Some(Reason::OutputFull)), read);
                }
                Stop::Error(reason, len) => {
                    self.offset += len as u64;
                    read += self.consume(done + len);
                    return (ControlFlow::Break(Some(reason)), read);
                }
            }
        }
        (ControlFlow::Continue(()), read)
    }

    /// Converts the character whose beginning waits, if the rest of it is in `src`: how much of that was read. Waiting units
    /// are nearly always the beginning of a character; anything else is converted as a span.
    #[inline]
    fn complete_character(&mut self, src: &[C::From], output: &mut OutputCursor<'_, C::To>) -> usize {
        let waiting = self.waiting();
        if waiting == 0 || self.policy.is_some_and(Policy::refuses_characters) {
            return 0;
        }
        let mut joined = self.waiting;
        let taken = src.len().min(MAX_WAITING - waiting);
        joined[waiting..waiting + taken].copy_from_slice(&src[..taken]);
        match self.converter.convert_one(&joined[..waiting + taken], output) {
            Some(len) => {
                self.offset += len as u64;
                self.ends_high = false;
                self.consume(len)
            }
            None => 0,
        }
    }

    /// Copies the waiting units and the beginning of `src` to `joined`: how many units of either.
    fn join(&self, src: &[C::From], joined: &mut [C::From; JOINED_UNITS]) -> (usize, usize) {
        let waiting = self.waiting();
        let taken = src.len().min(JOINED_UNITS - waiting);
        joined[..waiting].copy_from_slice(&self.waiting[..waiting]);
        joined[waiting..waiting + taken].copy_from_slice(&src[..taken]);
        (waiting, taken)
    }

    /// Removes so many units, waiting ones first: how many of them are in the chunk.
    fn consume(&mut self, units: usize) -> usize {
        let waiting = self.waiting();
        let consumed = units.min(waiting);
        self.waiting.copy_within(consumed..waiting, 0);
        self.waiting_len -= consumed as u8;
        units - consumed
    }

    /// Lets these units wait, and no others.
    #[inline]
    fn set_waiting(&mut self, units: &[C::From]) {
        debug_assert!(units.len() <= MAX_WAITING);
        let count = units.len().min(MAX_WAITING);
        self.waiting[..count].copy_from_slice(&units[..count]);
        self.waiting_len = count as u8;
    }

    /// Converts `text`, without its incomplete suffix unless the text ends there: how much was read, and why it stopped.
    #[inline]
    fn convert_span(
        &mut self,
        text: &[C::From],
        end: bool,
        output: &mut OutputCursor<'_, C::To>,
        replaced: &mut Replacements,
    ) -> (usize, Stop) {
        match self.policy {
            None => {
                let (read, stop) = self.convert_strict(text, end, output);
                if let Stop::Error(Reason::IllFormed(error), len) = stop
                    && error.kind == Kind::Reserved
                {
                    self.in_reserved = read + len == text.len();
                }
                (read, stop)
            }
            Some(policy) => self.convert_lossy(text, end, output, policy, replaced),
        }
    }

    /// How many units at the end of `text` have to wait. A reserved sequence, which might never end, does not wait: then 0,
    /// and `true`.
    #[inline]
    fn incomplete_suffix(&self, policy: Policy<'_>, text: &[C::From], end: bool) -> (usize, bool) {
        let suffix = if end { 0 } else { self.converter.incomplete_suffix(policy, text) };
        if suffix > 0 && self.converter.is_reserved(&text[text.len() - suffix..]) {
            (0, true)
        } else {
            (suffix.min(MAX_WAITING), false)
        }
    }

    #[inline]
    fn convert_strict(
        &self,
        text: &[C::From],
        end: bool,
        output: &mut OutputCursor<'_, C::To>,
    ) -> (usize, Stop) {
        // The kernel would stop there anyway, but with an error.
        let (suffix, _) = self.incomplete_suffix(Policy::default(), text, end);
        let (mut read, mut reason) =
            self.converter.convert(self.engine, &text[..text.len() - suffix], output);
        let done = match reason {
            None => true,
            Some(Reason::IllFormed(error)) => error.is_incomplete(),
            Some(_) => false,
        };
        // Together with the suffix it may be ill-formed already.
        if done && suffix > 0 && self.converter.is_ill_formed(&text[read..]) {
            let more;
            (more, reason) = self.converter.convert(self.engine, &text[read..], output);
            reason = reason.map(|reason| reason.behind(read));
            read += more;
        }
        match reason {
            None => (read, Stop::Done),
            Some(reason) => (read, self.stop(&text[read..], reason, end)),
        }
    }

    /// Why a strict conversion stopped before `rest`.
    fn stop(&self, rest: &[C::From], reason: Reason, end: bool) -> Stop {
        let in_text = |at: usize| saturating_offset(self.offset, at);
        match reason {
            Reason::OutputFull => Stop::OutputFull,
            Reason::IllFormed(error) if error.is_incomplete() && !end => Stop::Done,
            Reason::IllFormed(error) => Stop::Error(Reason::IllFormed(error.behind(self.offset)), error.len),
            Reason::Unrepresentable { at, character } => Stop::Error(
                Reason::Unrepresentable { at: in_text(at), character },
                self.converter.source_len(rest),
            ),
            Reason::UnrepresentableCodePoint { at, code_point } => Stop::Error(
                Reason::UnrepresentableCodePoint { at: in_text(at), code_point },
                self.converter.source_len(rest),
            ),
        }
    }

    #[inline]
    fn convert_lossy(
        &mut self,
        text: &[C::From],
        end: bool,
        output: &mut OutputCursor<'_, C::To>,
        policy: Policy<'p>,
        replaced: &mut Replacements,
    ) -> (usize, Stop) {
        let (suffix, reserved) = self.incomplete_suffix(policy, text, end);
        let complete = &text[..text.len() - suffix];
        let mut state = LossyState::after(self.ends_high);
        let done = loop {
            if self.converter.convert_lossy(self.engine, complete, output, policy, &mut state) {
                break true;
            }
            // The next output will do, unless even an empty one is too small for the replacement.
            if output.written() > 0 || output.spare().len() < LEAST_ROOM {
                break false;
            }
            self.keep_replacement(complete, policy, &mut state);
            if !self.write_replacement(output) {
                break false;
            }
        };
        self.ends_high = state.ends_with_high();
        // (An escape writes something for each byte of the sequence.)
        self.in_reserved =
            reserved && state.read == text.len() && !matches!(policy, Policy::Escape(Escape::Backslash));
        replaced.count += state.replaced;
        if let (None, Some(first)) = (replaced.first, state.first) {
            replaced.first = Some(saturating_offset(self.offset, first));
        }
        (state.read, if done { Stop::Done } else { Stop::OutputFull })
    }

    /// Keeps the replacement for the sequence at which `state` stands, because it is longer than the output.
    #[cold]
    fn keep_replacement(&mut self, text: &[C::From], policy: Policy<'p>, state: &mut LossyState) {
        let rest = &text[state.read..];
        let len = self.converter.source_len(rest);
        if let Policy::With(text) = policy {
            self.replacement = text;
            state.replace(len);
            return;
        }
        let room: &mut [C::To] = cast_mut(&mut self.escape);
        let mut output = OutputCursor::new(output::as_uninit(room));
        let mut alone = LossyState::default();
        // The sequence by itself has the same escape, and there is room for the longest.
        let sequence = &rest[..len.min(LEAST_ROOM)];
        self.converter.convert_lossy(self.engine, sequence, &mut output, policy, &mut alone);
        (self.escape_at, self.escape_end) = (0, output.written() as u8);
        state.replace(alone.read.max(1));
    }

    /// Writes the rest of a kept replacement, or as much of it as fits: whether that is all.
    fn write_replacement(&mut self, output: &mut OutputCursor<'_, C::To>) -> bool {
        while let Some(character) = self.replacement.chars().next() {
            if !self.converter.put(character, output) {
                return false;
            }
            self.replacement = &self.replacement[character.len_utf8()..];
        }
        while self.escape_at < self.escape_end {
            let escape: &[C::To] = cast(&self.escape);
            let rest = &escape[self.escape_at.into()..self.escape_end.into()];
            let len = self.converter.target_len(rest).min(rest.len());
            if !output.push(&rest[..len]) {
                return false;
            }
            self.escape_at += len as u8;
        }
        true
    }
}
