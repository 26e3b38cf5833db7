//! Many threads, one order.
//!
//! Each thread does the same, over and over: it claims the next chunk from the [`ChunkReader`], reads it, works on
//! it ([`Work`]), waits for its *turn*, and then hands the result to the [`OrderedOutput`] itself.
//! So while one thread writes, others read and convert; reading, work and writing overlap without a thread or a
//! queue for each, and what a thread writes is still in the cache of its own core.
//!
//! **The result does not depend on the number of threads.** Neither do the cuts (see
//! [`window`](crate::pipeline::window)); turns are in the order of the tickets, and the output is used by one thread
//! at a time. With one thread there is nobody to wait for, and the very same code runs. An error that ends an input
//! ends it in its turn: what other threads have done beyond it, too early, is thrown away.
//!
//! **Memory** is that of a window and its result for each thread, whatever the size of the inputs: a thread
//! takes no second chunk before the first one is delivered.
//!
//! **No threads for little work.** The calling thread works alone on the first megabyte, or on some dozens of small
//! files; most runs end there, and have made no threads, nor asked how many cores there are (which takes a dozen system
//! calls). Later it only waits for the others. They are never
//! joined: a thread that reads from a silent pipe cannot be interrupted, and must not keep the program from ending.
//!
//! **Measured** on two cores, 256 MiB in the page cache, 10^9 bytes per second, one thread and two: check 4.7 and 7.9
//! (Latin), 4.4 and 8.3 (Russian); Russian to UTF-16, discarded, 3.8 and 6.6; the same to a file in memory 1.6
//! and 2.0, for one file is written by one thread at a time; from pipe to pipe 2.3 and 2.0, for there are no cores
//! left.
//!
//! A thread for writing alone, with full and empty buffers going round, was rejected: with as many workers as
//! cores it is one thread too many, and it writes what lies in another core's cache.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::thread;

use crate::pipeline::chunk_reader::{ChunkReader, Claim, Inputs, Next, Opener};
use crate::pipeline::sync::{lock, wait};
use crate::pipeline::window::{CHUNK, Window};
use crate::pipeline::work::{OrderedOutput, Work};

/// How the work is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workers {
    /// The number of threads; as many as there are cores if it is not given.
    pub(crate) jobs: Option<NonZeroUsize>,
    /// The size of a chunk.
    pub(crate) chunk: usize,
    /// So many bytes are worked on before there are several threads.
    pub(crate) alone: u64,
    /// Whether an input is only begun when the one before is finished.
    pub(crate) one_by_one: bool,
}

/// What a small file counts for, in bytes, when it is decided whether there is much to do.
const SMALL_FILE: u64 = 32 * 1024;

/// No more threads than these are made: each has its window, and more than there are cores are of no use.
pub(crate) const MOST_JOBS: usize = 256;

impl Workers {
    /// So many threads, or as many as there are cores.
    pub(crate) fn new(jobs: Option<NonZeroUsize>) -> Self {
        Workers { jobs, chunk: CHUNK, alone: 4 * CHUNK as u64, one_by_one: false }
    }

    /// Passes all inputs through the work and to the output, and gives the output back.
    pub(crate) fn run<W: Work, O: OrderedOutput<W>>(
        self,
        inputs: Inputs,
        open: Opener,
        work: W,
        output: O,
    ) -> (O, io::Result<()>) {
        let jobs = if cfg!(any(unix, windows)) { self.jobs } else { Some(NonZeroUsize::MIN) };
        let shared = Arc::new(Shared {
            reader: ChunkReader::new(inputs, open, self.chunk, self.one_by_one),
            work,
            order: Mutex::new(Order {
                next: 0,
                total: None,
                output: Some(output),
                ended: None,
                awaited: false,
            }),
            turns: OnceLock::new(),
            closed: Condvar::new(),
        });
        if jobs != Some(NonZeroUsize::MIN) {
            shared.work(self.chunk, Some(self.alone));
        }
        let over = lock(&shared.order).ended.is_some();
        let jobs = || jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let jobs = if over { 0 } else { jobs().min(MOST_JOBS) };
        let turns = || (0..jobs).map(|_| Condvar::new()).collect();
        if jobs > 1 {
            shared.turns.get_or_init(turns);
        }
        let threads = (0..jobs).take_while(|_| jobs > 1 && shared.spawn(self.chunk)).count();
        if !over && threads == 0 {
            shared.work(self.chunk, None);
        }
        let mut order = lock(&shared.order);
        loop {
            match (order.ended.take(), order.output.take()) {
                (Some(ended), Some(output)) => return (output, ended),
                (ended, output) => (order.ended, order.output) = (ended, output),
            }
            order.awaited = true;
            order = wait(&shared.closed, order);
        }
    }
}

/// What all threads share.
struct Shared<W: Work, O> {
    reader: ChunkReader<W>,
    work: W,
    order: Mutex<Order<O>>,
    /// One for each thread: tickets that are out at the same time differ by less than their number.
    ///
    /// As long as there is only the calling thread, there are none.
    turns: OnceLock<Box<[Condvar]>>,
    closed: Condvar,
}

/// What is done by one thread at a time.
struct Order<O> {
    /// Whose turn it is.
    next: u64,
    /// How many turns there are, once that is known.
    total: Option<u64>,
    /// Until it is given back.
    output: Option<O>,
    /// Whether all is done, and how it ended.
    ended: Option<io::Result<()>>,
    /// Whether the calling thread waits for that.
    awaited: bool,
}

impl<W: Work, O: OrderedOutput<W>> Shared<W, O> {
    /// Starts one more thread, if there can be one.
    fn spawn(self: &Arc<Self>, chunk: usize) -> bool {
        let shared = Arc::clone(self);
        let spawned = thread::Builder::new().spawn(move || {
            let guard = PanicGuard(&shared);
            shared.work(chunk, None);
            drop(guard);
        });
        spawned.is_ok()
    }

    /// Works until there is no more to do, or only on so many bytes.
    fn work(self: &Arc<Self>, chunk: usize, limit: Option<u64>) {
        let (mut window, mut done) = (Window::new(chunk), W::Done::default());
        let mut left = limit;
        while left != Some(0) {
            match self.reader.claim(&mut window, &self.work) {
                Next::Ticket(ticket, mut claim) => {
                    claim.fetch(&mut window);
                    let fresh = window.fresh();
                    if let Claim::Chunk { input, read: Ok(()), .. } = &claim
                        && !input.is_finished()
                    {
                        self.work.process(input, &window, &mut done);
                    }
                    if !self.deliver(chunk, ticket, claim, &window, &mut done) {
                        return;
                    }
                    left = left.map(|left| left.saturating_sub(fresh.max(SMALL_FILE)));
                }
                Next::End(total) => {
                    let mut order = lock(&self.order);
                    order.total = Some(total);
                    if order.next == total {
                        self.close(&mut order, Ok(()));
                    }
                    return;
                }
                Next::Replaced => return,
            }
        }
    }

    /// Waits for the turn of a ticket and hands over what came of it; false if there is no more to be done.
    fn deliver(
        self: &Arc<Self>,
        chunk: usize,
        ticket: u64,
        claim: Claim<W::Context>,
        window: &Window,
        done: &mut W::Done,
    ) -> bool {
        let mut order = lock(&self.order);
        while order.next != ticket && order.ended.is_none() {
            let Some(turn) = self.turn(ticket) else { return false };
            order = wait(turn, order);
        }
        let Order { output: Some(output), ended: None, .. } = &mut *order else { return false };
        let written = self.write(chunk, output, claim, window, done);
        order.next += 1;
        if written.is_err() || order.total == Some(order.next) {
            self.close(&mut order, written);
            return false;
        }
        if let Some(turn) = self.turn(order.next) {
            turn.notify_one();
        }
        true
    }

    fn turn(&self, ticket: u64) -> Option<&Condvar> {
        let turns = self.turns.get()?;
        turns.get((ticket % turns.len() as u64) as usize)
    }

    /// Hands over what came of a claim.
    fn write(
        self: &Arc<Self>,
        chunk: usize,
        output: &mut O,
        claim: Claim<W::Context>,
        window: &Window,
        done: &mut W::Done,
    ) -> io::Result<()> {
        let (input, first, read) = match claim {
            Claim::Refused(refusal) => return output.refused(refusal),
            Claim::Chunk { input, .. } if input.is_finished() => return Ok(()),
            Claim::Chunk { input, first, read, .. } => (input, first, read),
        };
        let mut flow = if first { output.begin(&input)? } else { ControlFlow::Continue(()) };
        let mut broken = None;
        if flow.is_continue() {
            match read {
                Ok(()) => flow = output.chunk(&input, window, done)?,
                Err(why) => broken = Some(why),
            }
        }
        if flow.is_break() || broken.is_some() || window.is_last() {
            output.end(&input, broken)?;
            if self.reader.leave(&input) {
                // The other threads go on in any case; this is for as much speed as before.
                self.spawn(chunk);
            }
        }
        Ok(())
    }

    /// All is done.
    fn close(&self, order: &mut Order<O>, ended: io::Result<()>) {
        if order.ended.is_none() {
            order.ended = Some(ended);
        }
        if order.awaited {
            self.closed.notify_all();
        }
        self.turns.get().into_iter().flatten().for_each(Condvar::notify_all);
    }
}

/// Ends the run if its thread panics, so that nobody waits for that.
struct PanicGuard<'a, W: Work, O: OrderedOutput<W>>(&'a Shared<W, O>);

impl<W: Work, O: OrderedOutput<W>> Drop for PanicGuard<'_, W, O> {
    fn drop(&mut self) {
        if thread::panicking() {
            let failed = io::Error::other("a thread has panicked");
            self.0.close(&mut lock(&self.0.order), Err(failed));
        }
    }
}
