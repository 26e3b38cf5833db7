//! The loop of the transcoders: chunks in, whole characters out.
//!
//! A chunk is converted in *spans*. A span is text in one buffer: the chunk itself, or a small buffer in which waiting units are
//! joined with the first units of the chunk. The incomplete suffix of a span, which may depend on what comes next, is cut off; the
//! rest goes through the conversion that all of the API shares. The suffix waits for the next chunk. (If a strict conversion finds
//! the rest incomplete, the codec looks at it together with the suffix. For example, if a lead byte follows F0 9F, the lead byte is
//! the suffix, and F0 9F is ill-formed whatever comes next. So an error is reported as early as by a validator.)
//!
//! After an error the stream continues after the ill-formed sequence, so that a caller can write something else and go on. That is
//! why waiting units themselves are kept, instead of the state of an automaton: what follows an ill-formed sequence has to be read
//! again, and the chunk that contained it may be gone.

use core::ops::ControlFlow;

use super::{LEAST_ROOM, Step};
use crate::convert::{Carry, LossyState, Policy, Reason};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
use crate::unicode::{IllFormed, Kind, Unit, cast, cast_mut, saturating_offset};

/// A conversion from one encoding to another, known by type or chosen at run time.
pub(crate) trait Converter {
    /// The code unit of the source.
    type From: Unit + Eq;
    /// The code unit of the target.
    type To: Unit;

    /// Looks at the beginning of a text and returns how many units are a byte order mark that is to be removed; `None` if the text
    /// so far is too short to know, and more will follow.
    fn begin(&mut self, head: &[Self::From], end: bool) -> Option<usize>;

    /// Converts as far as possible, and returns how much was read, and why it stopped.
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

    /// Whether the policy replaces the ill-formed sequence at the start of `src`, an incomplete suffix, by U+FFFD or its substitute
    /// whatever follows, although the length of the sequence depends on what follows.
    fn is_replaced(&self, policy: Policy<'_>, src: &[Self::From]) -> bool;

    /// How many units at the start of `src` still belong to a reserved sequence that began before them.
    fn reserved_rest(&self, src: &[Self::From]) -> usize;

    /// Converts the one character at the start of `src`, and returns its length; `None` if it may not be a character or there is no
    /// room. In that case it has to be converted like any span.
    fn convert_one(&self, src: &[Self::From], output: &mut OutputCursor<'_, Self::To>) -> Option<usize>;

    /// The length of the character or ill-formed sequence at the start of `src`, and the rule that it breaks. For a reserved
    /// sequence it is the length of the first byte.
    fn source_step(&self, src: &[Self::From]) -> (usize, Option<Kind>);

    /// What is wrong with the sequence at the start of `src`, if it is ill-formed. (The codec is asked, because a second call of
    /// `convert` made every chunk slower, by up to a quarter: the kernels were no longer inlined into it.)
    fn source_error(&self, src: &[Self::From]) -> Option<IllFormed>;

    /// The length of the character at the start of `out`, in the target.
    fn target_len(&self, out: &[Self::To]) -> usize;

    /// Writes a character of a replacement, all of its units or none.
    fn put(&self, character: char, output: &mut OutputCursor<'_, Self::To>) -> bool;
}

/// Units that can wait for the next chunk. The longest sequence that a policy tells apart has thirteen.
const MAX_WAITING: usize = 16;

/// The size, in units, of the buffer in which waiting units are joined with those of a chunk: it always has room for more units of
/// the chunk than an incomplete suffix has.
const JOINED_UNITS: usize = 48;

/// The size in bytes of the longest escape: four digits for each of six bytes, in UTF-32.
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
    /// What the next chunk has to know about the last one.
    carry: Carry,
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
    /// Everything except an incomplete suffix is converted.
    Done,
    /// The output is full.
    OutputFull,
    /// An error, for a sequence of so many units.
    Error(Reason, usize),
}

/// The replacements made in one call, or the error that it ended with.
#[derive(Default)]
struct Replacements {
    count: usize,
    first: Option<usize>,
    /// Without a policy, the length of the sequence or character at fault.
    fault_len: usize,
}

impl<'p, C: Converter> StreamState<'p, C> {
    pub(crate) fn new(converter: C, policy: Option<Policy<'p>>) -> Self {
        StreamState {
            converter,
            engine: Engine::current(),
            policy,
            begun: false,
            carry: Carry::default(),
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
        (self.begun, self.carry) = (false, Carry::default());
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
        let Replacements { count, first, fault_len } = replaced;
        Step { reason, read, written: output.written(), replaced: count, first, fault_len }
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
                (ControlFlow::Break(reason), read) => {
                    return (reason, read + self.pass_reserved(&src[read..]));
                }
                (ControlFlow::Continue(()), joined) => read = joined,
            }
        }
        read += self.pass_reserved(&src[read..]);
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
                replaced.fault_len = len;
                self.offset += len as u64;
                read += done + len;
                (Some(reason), read + self.pass_reserved(&src[read..]))
            }
        }
    }

    /// Whether anything has to be done before the chunk can be converted in place.
    #[inline]
    fn has_pending(&self) -> bool {
        !self.begun
            || self.waiting_len > 0
            || !self.replacement.is_empty()
            || self.escape_at < self.escape_end
    }

    /// Skips what still belongs to a reserved sequence that was reported as an error, and returns how much that is. (A lossy
    /// conversion does this itself.)
    #[inline]
    fn pass_reserved(&mut self, src: &[C::From]) -> usize {
        if !self.carry.in_reserved || self.policy.is_some() {
            return 0;
        }
        let count = self.converter.reserved_rest(src);
        self.carry.in_reserved = count == src.len();
        self.offset += count as u64;
        count
    }

    /// Deals with everything that comes before the chunk: the rest of a replacement, a byte order mark, and waiting units. Returns
    /// how much of the chunk was read, and whether the call ends here.
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
                    replaced.fault_len = len;
                    self.offset += len as u64;
                    read += self.consume(done + len);
                    return (ControlFlow::Break(Some(reason)), read);
                }
            }
        }
        (ControlFlow::Continue(()), read)
    }

    /// Converts the character whose beginning waits, if the rest of it is in `src`, and returns how much of `src` was read. Waiting
    /// units are nearly always the beginning of a character; anything else is converted as a span.
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
                self.carry.high = false;
                self.consume(len)
            }
            None => 0,
        }
    }

    /// Copies the waiting units and the beginning of `src` to `joined`, and returns how many units of each.
    fn join(&self, src: &[C::From], joined: &mut [C::From; JOINED_UNITS]) -> (usize, usize) {
        let waiting = self.waiting();
        let taken = src.len().min(JOINED_UNITS - waiting);
        joined[..waiting].copy_from_slice(&self.waiting[..waiting]);
        joined[waiting..waiting + taken].copy_from_slice(&src[..taken]);
        (waiting, taken)
    }

    /// Removes this many units, waiting ones first, and returns how many of them are in the chunk.
    fn consume(&mut self, units: usize) -> usize {
        let waiting = self.waiting();
        let consumed = units.min(waiting);
        self.waiting.copy_within(consumed..waiting, 0);
        self.waiting_len -= consumed as u8;
        units - consumed
    }

    /// Makes these units the waiting ones, and no others.
    #[inline]
    fn set_waiting(&mut self, units: &[C::From]) {
        debug_assert!(units.len() <= MAX_WAITING);
        let count = units.len().min(MAX_WAITING);
        self.waiting[..count].copy_from_slice(&units[..count]);
        self.waiting_len = count as u8;
    }

    /// Converts `text`, without its incomplete suffix unless the text ends there, and returns how much was read, and why it
    /// stopped.
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
                if let Stop::Error(Reason::IllFormed(error), _) = stop {
                    self.carry.in_reserved = error.kind == Kind::Reserved;
                }
                (read, stop)
            }
            Some(policy) => self.convert_lossy(text, end, output, policy, replaced),
        }
    }

    /// How many units at the end of `text` have to wait.
    #[inline]
    fn incomplete_suffix(&self, policy: Policy<'_>, text: &[C::From], end: bool) -> usize {
        if end { 0 } else { self.converter.incomplete_suffix(policy, text).min(MAX_WAITING) }
    }

    #[inline]
    fn convert_strict(
        &self,
        text: &[C::From],
        end: bool,
        output: &mut OutputCursor<'_, C::To>,
    ) -> (usize, Stop) {
        // The kernel would stop there anyway, but with an error.
        let suffix = self.incomplete_suffix(Policy::default(), text, end);
        let (read, reason) = self.converter.convert(self.engine, &text[..text.len() - suffix], output);
        match reason {
            None => (read, Stop::Done),
            Some(reason) => (read, self.stop(text, read, reason, end)),
        }
    }

    /// The result of a strict conversion that stopped after `read` units of `text`. It was not given the incomplete suffix, unless the
    /// text ends there.
    fn stop(&self, text: &[C::From], read: usize, reason: Reason, end: bool) -> Stop {
        let rest = &text[read..];
        let in_text = |at: usize| saturating_offset(self.offset, at);
        match reason {
            Reason::OutputFull => Stop::OutputFull,
            Reason::IllFormed(error) if error.is_incomplete() && !end => {
                // The suffix may be what breaks the sequence.
                match self.converter.source_error(rest) {
                    Some(error) if !error.is_incomplete() => {
                        let error = error.in_stream(self.offset.saturating_add(read as u64));
                        Stop::Error(Reason::IllFormed(error), error.len)
                    }
                    _ => Stop::Done,
                }
            }
            Reason::IllFormed(error) => {
                let error = error.in_stream(self.offset);
                Stop::Error(Reason::IllFormed(error), error.len)
            }
            Reason::Unrepresentable { at, character } => Stop::Error(
                Reason::Unrepresentable { at: in_text(at), character },
                self.converter.source_step(rest).0,
            ),
            Reason::UnrepresentableCodePoint { at, code_point } => Stop::Error(
                Reason::UnrepresentableCodePoint { at: in_text(at), code_point },
                self.converter.source_step(rest).0,
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
        let suffix = self.incomplete_suffix(policy, text, end);
        let (complete, waiting) = text.split_at(text.len() - suffix);
        let mut state = LossyState::after(self.carry);
        let mut done = loop {
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
        self.carry = state.carry();
        // What waits begins with a lead byte, before which a reserved sequence ends.
        self.carry.in_reserved &= !done || waiting.is_empty();
        // What waits may be ill-formed whatever follows, so that only its length is unknown.
        if done && !waiting.is_empty() && !self.carry.ahead && self.converter.is_replaced(policy, waiting) {
            done = self.converter.put(char::REPLACEMENT_CHARACTER, output);
            if done {
                state.replaced += 1;
                state.first.get_or_insert(complete.len());
                self.carry.ahead = true;
            }
        }
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
        let (len, kind) = self.converter.source_step(rest);
        if let (Policy::With(text), Some(kind)) = (policy, kind) {
            self.replacement = text;
            state.replace_ill_formed(len, kind);
            return;
        }
        let room: &mut [C::To] = cast_mut(&mut self.escape);
        let mut output = OutputCursor::new(output::as_uninit(room));
        let mut alone = LossyState::after(state.carry()).in_dense();
        // The sequence alone has the same escape, and there is room for the longest escape.
        let sequence = &rest[..if state.in_reserved() { 1 } else { len }];
        self.converter.convert_lossy(self.engine, sequence, &mut output, policy, &mut alone);
        (self.escape_at, self.escape_end) = (0, output.written() as u8);
        state.append(&alone);
    }

    /// Writes the rest of a kept replacement, or as much of it as fits, and returns whether that is all of it.
    fn write_replacement(&mut self, output: &mut OutputCursor<'_, C::To>) -> bool {
        while let Some(character) = self.replacement.chars().next() {
            if !self.converter.put(character, output) {
                return false;
            }
            self.replacement = &self.replacement[character.len_utf8()..];
        }
        if self.escape_at < self.escape_end {
            let escape: &[C::To] = cast(&self.escape);
            let rest = &escape[self.escape_at.into()..self.escape_end.into()];
            if output.push(rest) {
                self.escape_at = self.escape_end;
                return true;
            }
            // As many of its characters as fit.
            let (mut fits, room) = (0, output.spare().len());
            loop {
                let len = self.converter.target_len(&rest[fits..]);
                if len > room - fits {
                    break;
                }
                fits += len;
            }
            output.push(&rest[..fits]);
            self.escape_at += fits as u8;
            return false;
        }
        true
    }
}
