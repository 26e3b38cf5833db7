//! What there is to do: the chunks of all inputs, handed out in order.
//!
//! A [`Feed`] leads through the inputs in the order of the command line, and through each input from its
//! beginning. Whoever has time claims the next chunk, and with it a number: a *ticket*. Tickets are handed
//! out in the order of the chunks, one file's after the other's, so that "in order" means one thing for
//! a large file, for many small ones, and for a pipe among them.
//!
//! A chunk of a regular file is only *named* under the lock of the feed, and read by whoever has claimed it,
//! while others read others. A small file is one chunk, a large one many. The file is as long as
//! it was when it was opened: what is appended later is not read, and if it becomes shorter it ends there.
//!
//! A stream can be read by one only, since what is read decides where the next chunk begins. Meanwhile
//! the others work on what was read before, or wait. They do not run ahead to the next input; so there is
//! never more than one stream that is being read. The one who reads does not hold the lock: a stream
//! may be silent for hours, and if its first line was wrong nobody wants to hear more of it. Then it is left
//! alone, with the one who waits there ([`Feed::leave`]), and work goes on with the next input.
//!
//! Where files are replaced, one at a time is taken ([`Feed::new`]): the next input may be the file that has
//! just been written.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use crate::crew::{Work, hold, wait};
use crate::encoding::Scheme;
use crate::source::{Input, Refusal, Reread, Source};
use crate::window::{Flow, Rule, Window};

/// An input that was opened.
pub(crate) struct Opened<C> {
    /// What it is called, and how large.
    pub(crate) source: Source,
    /// What the command has found out about it.
    pub(crate) context: C,
    /// The file, if it can be read again.
    pub(crate) file: Option<Arc<File>>,
    rule: Rule,
    size: u64,
    over: AtomicBool,
}

impl<C> Opened<C> {
    /// Whether no more of it is wanted.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

/// All the inputs, each of which may turn out not to be there.
pub(crate) type Inputs = Box<dyn Iterator<Item = Result<Source, Refusal>> + Send>;

/// How one of them is opened.
pub(crate) type Opener = Box<dyn FnMut(&Source) -> io::Result<Input> + Send>;

/// Something to do.
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
    /// Reads the chunk, if that has yet to be done and someone still wants it.
    pub(crate) fn fetch(&mut self, window: &mut Window) {
        if let Claim::Chunk { input, number, read, .. } = self
            && let (Some(number), Some(file), false) = (*number, &input.file, input.is_over())
        {
            *read = window.fill(file, number, input.size, &input.rule);
        }
    }
}

/// What comes of asking for something to do.
pub(crate) enum Next<C> {
    /// A chunk, or a refusal, and the number of its turn.
    Ticket(u64, Claim<C>),
    /// There is no more; so many there were.
    End(u64),
    /// Someone else goes on in the place of whoever asked.
    Relieved,
}

/// Where the feed has come to.
enum Current<C> {
    /// Between two inputs.
    None,
    /// In a file, at the chunk of this number.
    File(Arc<Opened<C>>, u64),
    /// In a stream; nobody may read it while someone else does.
    Stream(Arc<Opened<C>>, Option<Box<Flow>>, bool),
    /// Behind the last.
    End,
}

struct State<C> {
    inputs: Inputs,
    open: Opener,
    current: Current<C>,
    tickets: u64,
    /// Inputs that were begun, and that are done with.
    begun: u64,
    left: u64,
}

/// The chunks of all inputs.
pub(crate) struct Feed<W: Work> {
    state: Mutex<State<W::Context>>,
    moved: Condvar,
    chunk: usize,
    one_by_one: bool,
}

impl<W: Work> Feed<W> {
    /// In chunks of so many bytes; and, if asked for, never a chunk of an input before all others are done with.
    pub(crate) fn new(inputs: Inputs, open: Opener, chunk: usize, one_by_one: bool) -> Self {
        let state = State { inputs, open, current: Current::None, tickets: 0, begun: 0, left: 0 };
        Feed { state: Mutex::new(state), moved: Condvar::new(), chunk, one_by_one }
    }

    /// What is to be done next.
    pub(crate) fn claim(&self, window: &mut Window, work: &W) -> Next<W::Context> {
        let mut guard = hold(&self.state);
        loop {
            let state = &mut *guard;
            match &mut state.current {
                Current::End => return Next::End(state.tickets),
                Current::None if self.one_by_one && state.begun > state.left => {
                    guard = wait(&self.moved, guard);
                }
                Current::None => match state.inputs.next() {
                    None => {
                        state.current = Current::End;
                        self.moved.notify_all();
                    }
                    Some(source) => match source.and_then(|source| self.begin(state, source, work)) {
                        Ok(begun) => {
                            state.current = begun;
                            state.begun += 1;
                            self.moved.notify_all();
                        }
                        Err(refusal) => return ticket(state, Claim::Refused(refusal)),
                    },
                },
                Current::File(input, number) => {
                    let chunks = Window::chunks(self.chunk, input.size);
                    if input.is_over() || *number == chunks {
                        state.current = Current::None;
                        continue;
                    }
                    let (input, this) = (Arc::clone(input), *number);
                    *number += 1;
                    let claim = Claim::Chunk { input, first: this == 0, number: Some(this), read: Ok(()) };
                    return ticket(state, claim);
                }
                Current::Stream(input, ..) if input.is_over() => state.current = Current::None,
                Current::Stream(input, flow, first) => {
                    let Some(mut flow) = flow.take() else {
                        guard = wait(&self.moved, guard);
                        continue;
                    };
                    let (input, first) = (Arc::clone(input), std::mem::take(first));
                    drop(guard);
                    let read = window.follow(&mut flow, &input.rule);
                    let more = read.is_ok() && !window.is_last();
                    guard = hold(&self.state);
                    let state = &mut *guard;
                    match &mut state.current {
                        Current::Stream(this, place, _) if Arc::ptr_eq(this, &input) => *place = Some(flow),
                        _ => return Next::Relieved,
                    }
                    if !more {
                        state.current = Current::None;
                    }
                    self.moved.notify_all();
                    return ticket(state, Claim::Chunk { input, first, number: None, read });
                }
            }
        }
    }

    /// Opens an input and looks at its beginning.
    fn begin(
        &self,
        state: &mut State<W::Context>,
        source: Source,
        work: &W,
    ) -> Result<Current<W::Context>, Refusal> {
        let opened = (state.open)(&source).and_then(|input| Examined::of(input, W::HEAD));
        let Examined { head, size, file, reader } = match opened {
            Ok(examined) => examined,
            Err(why) => return Err(Refusal { name: source.name, why }),
        };
        let (context, rule) = work.look(&head);
        let over = AtomicBool::new(false);
        let reader = match (&file, reader) {
            (Some(file), _) if rule.from == Scheme::CorrectedUtf8 => {
                Some(Box::new(Reread::new(file, size)) as _)
            }
            (_, reader) => reader,
        };
        let flow = reader.map(|reader| Box::new(Flow::new(reader, &rule)));
        let opened = Arc::new(Opened { source, context, file, rule, size, over });
        Ok(match flow {
            Some(flow) => Current::Stream(opened, Some(flow), true),
            None => Current::File(opened, 0),
        })
    }

    /// No more is wanted of an input, or there is no more of it. True if someone is still waiting for it, and
    /// will not come back.
    pub(crate) fn leave(&self, input: &Arc<Opened<W::Context>>) -> bool {
        input.over.store(true, Ordering::Relaxed);
        let mut state = hold(&self.state);
        state.left += 1;
        let mut lost = false;
        if let Current::Stream(this, flow, _) = &state.current
            && Arc::ptr_eq(this, input)
        {
            lost = flow.is_none();
            state.current = Current::None;
        }
        self.moved.notify_all();
        lost
    }
}

/// An input at whose beginning someone has looked.
struct Examined {
    head: Vec<u8>,
    size: u64,
    /// A regular file.
    file: Option<Arc<File>>,
    /// Anything else.
    reader: Option<Box<dyn Read + Send>>,
}

impl Examined {
    fn of(input: Input, length: usize) -> io::Result<Examined> {
        let stream = match input {
            Input::Seekable(file) => {
                let size = file.metadata()?.len();
                if size > 0 {
                    let file = Arc::new(file);
                    let mut head = Vec::with_capacity(length);
                    Reread::new(&file, length as u64).read_to_end(&mut head)?;
                    return Ok(Examined { head, size, file: Some(file), reader: None });
                }
                // It may be one that the system makes up while it is read.
                Input::Stream(Box::new(file))
            }
            stream @ Input::Stream(_) => stream,
        };
        let (head, input) = stream.peek(length)?;
        let reader: Box<dyn Read + Send> = match input {
            Input::Seekable(file) => Box::new(file),
            Input::Stream(reader) => reader,
        };
        Ok(Examined { head, size: 0, file: None, reader: Some(reader) })
    }
}

fn ticket<C>(state: &mut State<C>, claim: Claim<C>) -> Next<C> {
    state.tickets += 1;
    Next::Ticket(state.tickets - 1, claim)
}
