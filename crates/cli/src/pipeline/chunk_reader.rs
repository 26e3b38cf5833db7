//! The chunks of all inputs, handed out in order.
//!
//! A [`ChunkReader`] goes through the inputs in the order of the command line, and through each input from its
//! beginning. A thread that has nothing to do claims the next chunk, and with it a number: a *ticket*. Tickets are
//! numbered in the order of the chunks, one file's after the other's, so that "in order" means one thing for
//! a large file, for many small ones, and for a pipe among them.
//!
//! A chunk of a regular file is only *numbered* under the lock, and read by the thread that has claimed it,
//! while others read others. A small file is one chunk, a large one many.
//!
//! A stream can be read by one thread only, since what is read decides where the next chunk begins. Meanwhile
//! the others work on what was read before, or wait. They do not run ahead to the next input; so there is
//! never more than one stream that is being read. The thread that reads does not hold the lock: a stream
//! may be silent for hours, and if its first line was ill-formed no more of it is wanted. Then the stream
//! is abandoned, together with the thread that waits for it ([`ChunkReader::leave`]), and work goes on with the
//! next input.
//!
//! Where files are replaced, one at a time is taken ([`ChunkReader::new`]): the next input may be the file that has
//! just been written.

use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use runecast::Scheme;

use crate::io::source::{Input, Refusal, Reread, Source};
use crate::pipeline::legacy::{Decoding, LegacyReader};
use crate::pipeline::opened::{Beginning, Opened};
use crate::pipeline::sync::{lock, wait};
use crate::pipeline::window::{StreamReader, Window};
use crate::pipeline::work::Work;

/// All the inputs, each of which may turn out not to be there.
pub(crate) type Inputs = Box<dyn Iterator<Item = Result<Source, Refusal>> + Send>;

/// How one of them is opened, unless it is to be passed over.
pub(crate) type Opener = Box<dyn FnMut(&Source) -> io::Result<Option<Input>> + Send>;

/// Something to work on.
pub(crate) enum Claim<C> {
    /// An input that cannot be read.
    Refused(Refusal),
    /// A chunk.
    Chunk {
        /// Of this input.
        input: Arc<Opened<C>>,
        /// Whether it is the first.
        first: bool,
        /// Its number, if it has yet to be read.
        number: Option<u64>,
        /// Whether it could be read, if it was.
        read: io::Result<()>,
    },
}

impl<C> Claim<C> {
    /// Reads the chunk, if that has yet to be done and it is still wanted.
    pub(crate) fn fetch(&mut self, window: &mut Window) {
        if let Claim::Chunk { input, number, read, .. } = self
            && let (Some(number), Some(file), false) = (*number, &input.file, input.is_finished())
        {
            *read = window.read_chunk(file, number, input.size, &input.rule);
        }
    }
}

/// The answer to a thread that asks for something to do.
pub(crate) enum Next<C> {
    /// A chunk, or a refusal, and the number of its turn.
    Ticket(u64, Claim<C>),
    /// There is no more; so many there were.
    End(u64),
    /// Another thread was started instead of the one that asked.
    Replaced,
}

/// Where the reader is.
enum Current<C> {
    /// Between two inputs.
    None,
    /// In a file, at the chunk of this number.
    File(Arc<Opened<C>>, u64),
    /// In a stream, whose reader is taken away by the thread that reads; and whether the next chunk is the first.
    Stream(Arc<Opened<C>>, Option<Box<StreamReader>>, bool),
    /// Behind the last.
    End,
}

struct State<C> {
    inputs: Inputs,
    open: Opener,
    current: Current<C>,
    tickets: u64,
    /// Inputs that were begun, and that are finished.
    begun: u64,
    finished: u64,
    /// Threads that wait for a change. To wake them is a system call, also if there are none.
    waiting: usize,
}

/// The chunks of all inputs.
pub(crate) struct ChunkReader<W: Work> {
    state: Mutex<State<W::Context>>,
    changed: Condvar,
    chunk: usize,
    one_by_one: bool,
}

impl<W: Work> ChunkReader<W> {
    /// In chunks of so many bytes; and with `one_by_one`, never a chunk of an input before all others are finished.
    pub(crate) fn new(inputs: Inputs, open: Opener, chunk: usize, one_by_one: bool) -> Self {
        let state =
            State { inputs, open, current: Current::None, tickets: 0, begun: 0, finished: 0, waiting: 0 };
        ChunkReader { state: Mutex::new(state), changed: Condvar::new(), chunk, one_by_one }
    }

    /// What is to be done next.
    pub(crate) fn claim(&self, window: &mut Window, work: &W) -> Next<W::Context> {
        let mut guard = lock(&self.state);
        loop {
            let state = &mut *guard;
            match &mut state.current {
                Current::End => return Next::End(state.tickets),
                Current::None if self.one_by_one && state.begun > state.finished => {
                    guard = self.wait(guard);
                }
                Current::None => match state.inputs.next() {
                    None => {
                        state.current = Current::End;
                        self.wake(state);
                    }
                    Some(source) => match source.and_then(|source| begin(state, source, work)) {
                        Ok(None) => {}
                        Ok(Some(begun)) => {
                            state.current = begun;
                            state.begun += 1;
                            self.wake(state);
                        }
                        Err(refusal) => return ticket(state, Claim::Refused(refusal)),
                    },
                },
                Current::File(input, number) => {
                    let chunks = Window::chunks(self.chunk, input.size);
                    if input.is_finished() || *number == chunks {
                        state.current = Current::None;
                        continue;
                    }
                    let (input, this) = (Arc::clone(input), *number);
                    *number += 1;
                    let claim = Claim::Chunk { input, first: this == 0, number: Some(this), read: Ok(()) };
                    return ticket(state, claim);
                }
                Current::Stream(input, ..) if input.is_finished() => state.current = Current::None,
                Current::Stream(input, reader, first) => {
                    let Some(mut reader) = reader.take() else {
                        guard = self.wait(guard);
                        continue;
                    };
                    let (input, first) = (Arc::clone(input), std::mem::take(first));
                    drop(guard);
                    let read = window.read_next(&mut reader, &input.rule);
                    let more = read.is_ok() && !window.is_last();
                    guard = lock(&self.state);
                    let state = &mut *guard;
                    match &mut state.current {
                        Current::Stream(this, empty, _) if Arc::ptr_eq(this, &input) => *empty = Some(reader),
                        _ => return Next::Replaced,
                    }
                    if !more {
                        state.current = Current::None;
                    }
                    self.wake(state);
                    return ticket(state, Claim::Chunk { input, first, number: None, read });
                }
            }
        }
    }

    /// Waits until something has changed.
    fn wait<'a>(&self, mut guard: MutexGuard<'a, State<W::Context>>) -> MutexGuard<'a, State<W::Context>> {
        guard.waiting += 1;
        let mut guard = wait(&self.changed, guard);
        guard.waiting -= 1;
        guard
    }

    /// Something has changed.
    fn wake(&self, state: &State<W::Context>) {
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// No more is wanted of an input, or there is no more of it. True if a thread is still waiting for it, and
    /// will not come back.
    pub(crate) fn leave(&self, input: &Arc<Opened<W::Context>>) -> bool {
        input.finish();
        let mut state = lock(&self.state);
        state.finished += 1;
        let mut lost = false;
        if let Current::Stream(this, reader, _) = &state.current
            && Arc::ptr_eq(this, input)
        {
            lost = reader.is_none();
            state.current = Current::None;
        }
        self.wake(&state);
        lost
    }
}

/// Opens an input and looks at its beginning.
fn begin<W: Work>(
    state: &mut State<W::Context>,
    source: Source,
    work: &W,
) -> Result<Option<Current<W::Context>>, Refusal> {
    let look = |input| Beginning::of(input, |head| work.wants_more(head));
    let beginning = (state.open)(&source).and_then(|input| input.map(look).transpose());
    let mut beginning = match beginning {
        Ok(Some(beginning)) => beginning,
        Ok(None) => return Ok(None),
        Err(why) => return Err(Refusal { name: source.name, why }),
    };
    let (context, rule) = work.examine(&beginning.head);
    let reader = match (&beginning.file, beginning.reader.take()) {
        // Reserved sequences have no greatest length, so the chunks cannot be cut independently.
        (Some(file), _) if rule.from == Scheme::CorrectedUtf8 => {
            Some(Box::new(Reread::new(file, beginning.size)) as _)
        }
        (_, reader) => reader,
    };
    let decoding = rule.decode.map(|encoding| {
        let traced = rule.traced && beginning.file.is_none();
        Arc::new(Decoding::new(encoding, traced).keeping(rule.kept))
    });
    let reader = match (&decoding, &beginning.file) {
        (Some(decoding), file) => {
            let whole = || file.as_ref().map(|file| Box::new(Reread::new(file, beginning.size)) as _);
            let reader: Option<Box<dyn Read + Send>> = reader.or_else(whole);
            reader.map(|reader| Box::new(LegacyReader::new(reader, Arc::clone(decoding))) as _)
        }
        (None, _) => reader,
    };
    let reader = reader.map(|reader| Box::new(StreamReader::new(reader, &rule)));
    let opened = Arc::new(Opened::new(source, context, rule, beginning, decoding));
    Ok(Some(match reader {
        Some(reader) => Current::Stream(opened, Some(reader), true),
        None => Current::File(opened, 0),
    }))
}

fn ticket<C>(state: &mut State<C>, claim: Claim<C>) -> Next<C> {
    state.tickets += 1;
    Next::Ticket(state.tickets - 1, claim)
}
