//! The loop of the transcoders: chunks in, whole characters out.
//!
//! A chunk goes through in *stretches*. A stretch is the text in one buffer: the chunk itself, or the
//! joint of units that wait and a few of the chunk. Of its end so much is left out as may depend on what
//! comes next; the rest goes through the conversion that all shapes share. What is left over from the
//! chunk waits for the next one.
//!
//! After an error the stream stands behind the ill-formed sequence, so that a caller may write something
//! of his own and go on. That is also why units that wait are kept as they are, and not as a state: what
//! follows a sequence that went wrong has to be read anew, and may be in a chunk that is gone.

use core::ops::ControlFlow;

use super::{LEAST_ROOM, Step};
use crate::convert::{Escape, LossyState, Policy, Reason};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
use crate::unicode::{Kind, Unit, cast, cast_mut, saturating_offset};

/// How the machinery gets from one encoding to another.
pub(crate) trait Road {
    /// The code unit of the source.
    type From: Unit + Eq;
    /// The code unit of the target.
    type To: Unit;

    /// Looks at the beginning of a text: how many units are a byte order mark to be left out. `None` if there
    /// is not enough of it to know, and more is to come.
    fn begin(&mut self, head: &[Self::From], end: bool) -> Option<usize>;

    /// Converts until something is in the way: what was read, and why it stopped.
    fn go(
        &self,
        engine: Engine,
        src: &[Self::From],
        output: &mut OutputCursor<'_, Self::To>,
    ) -> (usize, Option<Reason>);

    /// Converts by a policy; `false` if the output is full.
    fn convert_lossy(
        &self,
        engine: Engine,
        src: &[Self::From],
        output: &mut OutputCursor<'_, Self::To>,
        policy: Policy<'_>,
        state: &mut LossyState,
    ) -> bool;

    /// How many units at the end of a piece have to wait.
    fn incomplete_suffix(&self, policy: Policy<'_>, src: &[Self::From]) -> usize;

    /// Whether the units at the end of a piece that have to wait are a sequence without an end of its own: one
    /// that Corrected UTF-8 reserves goes on up to the next lead byte.
    fn is_endless(&self, open: &[Self::From]) -> bool;

    /// How many units at the start of `src` go on with such a sequence.
    fn going_on(&self, src: &[Self::From]) -> usize;

    /// Converts the one character at the start of `joint`, and says how long it was; or nothing, if that is not
    /// certain or there is no room: then it has to go the ordinary way.
    fn one(&self, joint: &[Self::From], output: &mut OutputCursor<'_, Self::To>) -> Option<usize>;

    /// Whether what is at the start of `src` is wrong, whatever comes behind it.
    fn is_wrong(&self, src: &[Self::From]) -> bool;

    /// The length of what is at the start of `src`, a character or an ill-formed sequence.
    fn step(&self, src: &[Self::From]) -> usize;

    /// The length of what is at the start of `out`, in the target.
    fn width(&self, out: &[Self::To]) -> usize;

    /// Writes a character of a replacement, all of its units or none.
    fn put(&self, character: char, output: &mut OutputCursor<'_, Self::To>) -> bool;
}

/// Units that can wait for the next chunk. The longest form that a policy knows has thirteen.
const HELD: usize = 16;

/// Units in a buffer in which chunks are joined: behind those that wait there are always more than can be
/// incomplete_suffix.
const JOINT: usize = 48;

/// Bytes of the longest escape: four digits for each of six bytes, in UTF-32.
const ESCAPE: usize = 4 * 6 * 4;

/// A stream between two encodings.
#[derive(Clone, Copy)]
pub(crate) struct Flow<'p, R: Road> {
    pub(crate) road: R,
    pub(crate) engine: Engine,
    /// What to do where the text is ill-formed; or to say so.
    pub(crate) policy: Option<Policy<'p>>,
    /// Whether the beginning of the text has been seen.
    begun: bool,
    /// Whether a high surrogate was written last.
    high: bool,
    /// Whether a sequence that has been dealt with may go on.
    endless: bool,
    /// The offset of the first unit that waits.
    offset: u64,
    held: [R::From; HELD],
    waiting: u8,
    /// The rest of a replacement that did not fit: of a text,
    text: &'p str,
    /// or of an escape, in units of the target, from `escape_at` on.
    escape: [u32; ESCAPE / 4],
    escape_at: u8,
    escape_end: u8,
}

/// Why a stretch ended.
enum End {
    /// All of it that is decided has been converted.
    Through,
    /// The output is full.
    Full,
    /// Something is wrong with the text, for so many units.
    Wrong(Reason, usize),
}

/// What was replaced in a call.
#[derive(Default)]
struct Replaced {
    count: usize,
    first: Option<usize>,
}

impl<'p, R: Road> Flow<'p, R> {
    pub(crate) fn new(road: R, policy: Option<Policy<'p>>) -> Self {
        Flow {
            road,
            engine: Engine::current(),
            policy,
            begun: false,
            high: false,
            endless: false,
            offset: 0,
            held: [R::From::of(0); HELD],
            waiting: 0,
            text: "",
            escape: [0; ESCAPE / 4],
            escape_at: 0,
            escape_end: 0,
        }
    }

    /// How many units wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.into()
    }

    /// How many units of the source are done with.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Back to the beginning of a text.
    pub(crate) fn restart(&mut self) {
        (self.begun, self.high, self.endless, self.offset, self.waiting) = (false, false, false, 0, 0);
        (self.text, self.escape_at, self.escape_end) = ("", 0, 0);
    }

    /// Converts as much as there is and fits.
    pub(crate) fn step(&mut self, src: &[R::From], output: &mut OutputCursor<'_, R::To>, last: bool) -> Step {
        let mut replaced = Replaced::default();
        let (reason, read) = self.run(src, output, last, &mut replaced);
        if last && reason.is_none() {
            self.restart();
        }
        Step { reason, read, written: output.written(), replaced: replaced.count, first: replaced.first }
    }

    #[inline]
    fn run(
        &mut self,
        src: &[R::From],
        output: &mut OutputCursor<'_, R::To>,
        last: bool,
        replaced: &mut Replaced,
    ) -> (Option<Reason>, usize) {
        let mut read = 0;
        if self.is_particular() {
            match self.particular(src, output, last, replaced) {
                (ControlFlow::Break(reason), read) => return (reason, read),
                (ControlFlow::Continue(()), joined) => read = joined,
            }
        }
        read += self.pass_endless(&src[read..]);
        if self.endless {
            return (None, read);
        }
        let rest = &src[read..];
        let (done, end) = self.stretch(rest, last, output, replaced);
        self.offset += done as u64;
        match end {
            End::Through => {
                self.hold(&rest[done..]);
                (None, src.len())
            }
            End::Full => (Some(Reason::OutputFull), read + done),
            End::Wrong(reason, len) => {
                self.offset += len as u64;
                (Some(reason), read + done + len)
            }
        }
    }

    /// Whether there is more to be looked at than the chunk.
    #[inline]
    fn is_particular(&self) -> bool {
        !self.begun || self.waiting > 0 || !self.text.is_empty() || self.escape_at < self.escape_end
    }

    /// Passes over what goes on with a sequence that has been dealt with: how much that is.
    #[inline]
    fn pass_endless(&mut self, src: &[R::From]) -> usize {
        if !self.endless {
            return 0;
        }
        let count = self.road.going_on(src);
        self.endless = count == src.len();
        self.offset += count as u64;
        count
    }

    /// What comes before the chunk: the rest of a replacement, a byte order mark, and what waits. Returns
    /// how much of the chunk is done with, and whether that is all for now.
    #[inline(never)]
    fn particular(
        &mut self,
        src: &[R::From],
        output: &mut OutputCursor<'_, R::To>,
        last: bool,
        replaced: &mut Replaced,
    ) -> (ControlFlow<Option<Reason>>, usize) {
        if !self.drain(output) {
            return (ControlFlow::Break(Some(Reason::OutputFull)), 0);
        }
        let mut read = 0;
        if !self.begun {
            let mut joint = [R::From::of(0); JOINT];
            let (waiting, taken) = self.join(src, &mut joint);
            let head = &joint[..waiting + taken];
            let Some(mark) = self.road.begin(head, last && taken == src.len()) else {
                self.hold(head);
                return (ControlFlow::Break(None), src.len());
            };
            self.begun = true;
            self.offset += mark as u64;
            read = self.pass(mark);
        }
        read += self.complete(&src[read..], output);
        while self.waiting > 0 {
            let mut joint = [R::From::of(0); JOINT];
            let (waiting, taken) = self.join(&src[read..], &mut joint);
            let text = &joint[..waiting + taken];
            let all = read + taken == src.len();
            let (done, end) = self.stretch(text, last && all, output, replaced);
            self.offset += done as u64;
            match end {
                End::Through if all => {
                    self.hold(&text[done..]);
                    return (ControlFlow::Break(None), src.len());
                }
                End::Through => read += self.pass(done),
                End::Full => {
                    read += self.pass(done);
                    return (ControlFlow::Break(Some(Reason::OutputFull)), read);
                }
                End::Wrong(reason, len) => {
                    self.offset += len as u64;
                    read += self.pass(done + len);
                    return (ControlFlow::Break(Some(reason)), read);
                }
            }
        }
        (ControlFlow::Continue(()), read)
    }

    /// Converts the character that waits, if the rest of it is in `src`: how much of that it was. This is what
    /// nearly always comes of what waits; whatever else it may be goes the way of a text.
    #[inline]
    fn complete(&mut self, src: &[R::From], output: &mut OutputCursor<'_, R::To>) -> usize {
        let waiting = self.waiting();
        if waiting == 0 || self.policy.is_some_and(Policy::refuses_characters) {
            return 0;
        }
        let mut joint = self.held;
        let taken = src.len().min(HELD - waiting);
        joint[waiting..waiting + taken].copy_from_slice(&src[..taken]);
        match self.road.one(&joint[..waiting + taken], output) {
            Some(len) => {
                self.offset += len as u64;
                self.high = false;
                self.pass(len)
            }
            None => 0,
        }
    }

    /// Writes what waits and the beginning of `src` to `joint`: how many units of either.
    fn join(&self, src: &[R::From], joint: &mut [R::From; JOINT]) -> (usize, usize) {
        let waiting = self.waiting();
        let taken = src.len().min(JOINT - waiting);
        joint[..waiting].copy_from_slice(&self.held[..waiting]);
        joint[waiting..waiting + taken].copy_from_slice(&src[..taken]);
        (waiting, taken)
    }

    /// Takes so many units away: from those that wait first. How many more it were.
    fn pass(&mut self, units: usize) -> usize {
        let waiting = self.waiting();
        let passed = units.min(waiting);
        self.held.copy_within(passed..waiting, 0);
        self.waiting -= passed as u8;
        units - passed
    }

    /// Lets these units wait, and no others.
    #[inline]
    fn hold(&mut self, units: &[R::From]) {
        debug_assert!(units.len() <= HELD);
        let count = units.len().min(HELD);
        self.held[..count].copy_from_slice(&units[..count]);
        self.waiting = count as u8;
    }

    /// Converts `text`, up to what may depend on what comes next unless that is the `end`. What was read,
    /// and why it stopped.
    #[inline]
    fn stretch(
        &mut self,
        text: &[R::From],
        end: bool,
        output: &mut OutputCursor<'_, R::To>,
        replaced: &mut Replaced,
    ) -> (usize, End) {
        match self.policy {
            None => {
                let (read, why) = self.strictly(text, end, output);
                if let End::Wrong(Reason::IllFormed(error), len) = why
                    && error.kind == Kind::Reserved
                {
                    self.endless = read + len == text.len();
                }
                (read, why)
            }
            Some(policy) => self.mended(text, end, output, policy, replaced),
        }
    }

    /// How many units at the end of `text` have to wait; and whether there would be no end to that, so that
    /// none of them does.
    #[inline]
    fn open(&self, policy: Policy<'_>, text: &[R::From], end: bool) -> (usize, bool) {
        let open = if end { 0 } else { self.road.incomplete_suffix(policy, text) };
        if open > 0 && self.road.is_endless(&text[text.len() - open..]) {
            (0, true)
        } else {
            (open.min(HELD), false)
        }
    }

    #[inline]
    fn strictly(&self, text: &[R::From], end: bool, output: &mut OutputCursor<'_, R::To>) -> (usize, End) {
        // The kernel would stop there anyway, but then it would be an error first.
        let (open, _) = self.open(Policy::default(), text, end);
        let (mut read, mut reason) = self.road.go(self.engine, &text[..text.len() - open], output);
        let through = match reason {
            None => true,
            Some(Reason::IllFormed(error)) => error.is_incomplete(),
            Some(_) => false,
        };
        // It may be wrong already, with what was left out.
        if through && open > 0 && self.road.is_wrong(&text[read..]) {
            let more;
            (more, reason) = self.road.go(self.engine, &text[read..], output);
            reason = reason.map(|reason| reason.behind(read));
            read += more;
        }
        match reason {
            None => (read, End::Through),
            Some(reason) => (read, self.stopped(&text[read..], reason, end)),
        }
    }

    /// Why a strict conversion stopped before `rest`.
    fn stopped(&self, rest: &[R::From], reason: Reason, end: bool) -> End {
        let before = |at: usize| saturating_offset(self.offset, at);
        match reason {
            Reason::OutputFull => End::Full,
            Reason::IllFormed(error) if error.is_incomplete() && !end => End::Through,
            Reason::IllFormed(error) => End::Wrong(Reason::IllFormed(error.behind(self.offset)), error.len),
            Reason::Unrepresentable { at, character } => {
                End::Wrong(Reason::Unrepresentable { at: before(at), character }, self.road.step(rest))
            }
            Reason::UnrepresentableCodePoint { at, code_point } => End::Wrong(
                Reason::UnrepresentableCodePoint { at: before(at), code_point },
                self.road.step(rest),
            ),
        }
    }

    #[inline]
    fn mended(
        &mut self,
        text: &[R::From],
        end: bool,
        output: &mut OutputCursor<'_, R::To>,
        policy: Policy<'p>,
        replaced: &mut Replaced,
    ) -> (usize, End) {
        let (open, endless) = self.open(policy, text, end);
        let decided = &text[..text.len() - open];
        let mut state = LossyState::after(self.high);
        let whole = loop {
            if self.road.convert_lossy(self.engine, decided, output, policy, &mut state) {
                break true;
            }
            // Another output will do; unless all of this one is too small for one replacement.
            if output.written() > 0 || output.spare().len() < LEAST_ROOM {
                break false;
            }
            self.keep(decided, policy, &mut state);
            if !self.drain(output) {
                break false;
            }
        };
        self.high = state.ends_with_high();
        // (An escape has something for every byte.)
        self.endless =
            endless && state.read == text.len() && !matches!(policy, Policy::Escape(Escape::Backslash));
        replaced.count += state.replaced;
        if let (None, Some(first)) = (replaced.first, state.first) {
            replaced.first = Some(saturating_offset(self.offset, first));
        }
        (state.read, if whole { End::Through } else { End::Full })
    }

    /// Keeps the one replacement at which `state` stands, for it is longer than an output.
    #[cold]
    fn keep(&mut self, text: &[R::From], policy: Policy<'p>, state: &mut LossyState) {
        let rest = &text[state.read..];
        let len = self.road.step(rest);
        if let Policy::With(text) = policy {
            self.text = text;
            state.replace(len);
            return;
        }
        let room: &mut [R::To] = cast_mut(&mut self.escape);
        let mut output = OutputCursor::new(output::as_uninit(room));
        let mut alone = LossyState::default();
        // By itself it is the same; and it is not longer than there is room for.
        self.road.convert_lossy(self.engine, &rest[..len.min(LEAST_ROOM)], &mut output, policy, &mut alone);
        (self.escape_at, self.escape_end) = (0, output.written() as u8);
        state.replace(alone.read.max(1));
    }

    /// Writes the rest of a replacement, or as much of it as fits: whether that is all.
    fn drain(&mut self, output: &mut OutputCursor<'_, R::To>) -> bool {
        while let Some(character) = self.text.chars().next() {
            if !self.road.put(character, output) {
                return false;
            }
            self.text = &self.text[character.len_utf8()..];
        }
        while self.escape_at < self.escape_end {
            let escape: &[R::To] = cast(&self.escape);
            let rest = &escape[self.escape_at.into()..self.escape_end.into()];
            let width = self.road.width(rest).min(rest.len());
            if !output.push(&rest[..width]) {
                return false;
            }
            self.escape_at += width as u8;
        }
        true
    }
}
