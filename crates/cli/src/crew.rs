//! Many hands, one order.
//!
//! A command is cut in two. Its [`Work`] is what can be done with a chunk without knowing the others: to
//! validate it, convert it, count it. Its [`Ledger`] is what has to be done in order: to write what came out,
//! say what was found, add up. Each thread of a crew does the same, over and over: it claims the next chunk
//! from the [`Feed`], reads it, works on it, waits for its *turn*, and then leads the ledger itself.
//! So while one thread writes, others read and convert; reading, work and writing overlap without a thread or a
//! queue for each, and what a thread writes is still in the cache of its own core.
//!
//! **Every number of threads comes to the same.** Cuts do not depend on it (see [`window`](crate::window)),
//! turns are in the order of the tickets, and the ledger is led by one at a time. With one thread there is
//! nobody to wait for, and the very same code runs. An error that ends an input ends it in its turn: what was
//! done beyond it, by others and too early, is not looked at.
//!
//! **Memory** is that of a window and its result for each thread, whatever the size of the inputs: a thread
//! takes no second chunk before it has seen the first one through.
//!
//! **Nobody is hired for little.** The first megabyte, or some dozens of small files, the calling thread works
//! on by itself; most runs end there, and have made no threads. Later it only waits for the others,
//! which it does not own: a thread that reads from a silent pipe cannot be called back, and must not keep the
//! program from ending.
//!
//! **Measured** on two cores, 256 MiB in the page cache, 10^9 bytes per second, one thread and two: check 4.7 and 7.9
//! (Latin), 4.4 and 8.3 (Russian); Russian to UTF-16, thrown away, 3.8 and 6.6; the same to a file in memory 1.6
//! and 2.0, for one file is written by one at a time; from pipe to pipe 2.3 and 2.0, for there are no cores left.
//!
//! A thread for writing alone, with full and empty buffers going round, was not taken: with as many workers as
//! cores it is one thread too many, and it writes what lies in another core's cache.

use std::io;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::feed::{Claim, Feed, Inputs, Next, Opened, Opener};
use crate::source::Refusal;
use crate::window::{CHUNK, Rule, Window};

/// What can be done with a chunk by itself.
pub(crate) trait Work: Send + Sync + 'static {
    /// What is known of an input before any work.
    type Context: Send + Sync + 'static;
    /// What comes of a chunk; it is used again for the next one.
    type Done: Default + Send + 'static;
    /// So many bytes of an input have to be looked at first.
    const HEAD: usize;

    /// Finds out about an input that begins with `head`.
    fn look(&self, head: &[u8]) -> (Self::Context, Rule);
    /// Works on the chunk in the window.
    fn work(&self, input: &Opened<Self::Context>, window: &Window, done: &mut Self::Done);
}

/// Whether the rest of an input is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It is.
    GoOn,
    /// It is not.
    Stop,
}

/// What has to be done in order. An error is one of standard output, and ends everything.
pub(crate) trait Ledger<W: Work>: Send + 'static {
    /// An input that cannot be read.
    fn refused(&mut self, refusal: Refusal) -> io::Result<()>;
    /// The next input.
    fn begin(&mut self, input: &Arc<Opened<W::Context>>) -> io::Result<Then>;
    /// The next chunk of it.
    fn chunk(&mut self, input: &Opened<W::Context>, window: &Window, done: &mut W::Done) -> io::Result<Then>;
    /// No more of it: its end was reached, or no more was wanted; or it could not be read further.
    fn end(&mut self, input: &Opened<W::Context>, broken: Option<io::Error>) -> io::Result<()>;
}

/// How the work is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crew {
    /// The number of threads.
    pub(crate) jobs: NonZeroUsize,
    /// The size of a chunk.
    pub(crate) chunk: usize,
    /// So many bytes are worked on before there are several threads.
    pub(crate) alone: u64,
    /// Whether an input is only begun when the one before is done with.
    pub(crate) one_by_one: bool,
}

/// What a small file counts for, in bytes, when it is decided whether there is much to do.
const TROUBLE: u64 = 32 * 1024;

impl Crew {
    /// So many threads, or as many as there are cores.
    pub(crate) fn new(jobs: Option<NonZeroUsize>) -> Self {
        let jobs = jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
        Crew { jobs, chunk: CHUNK, alone: 4 * CHUNK as u64, one_by_one: false }
    }

    /// Leads all inputs through the work and into the ledger, and gives that back.
    pub(crate) fn run<W: Work, L: Ledger<W>>(
        self,
        inputs: Inputs,
        open: Opener,
        work: W,
        ledger: L,
    ) -> (L, io::Result<()>) {
        let jobs = if cfg!(any(unix, windows)) { self.jobs } else { NonZeroUsize::MIN };
        let shop = Arc::new(Shop {
            feed: Feed::new(inputs, open, self.chunk, self.one_by_one),
            work,
            desk: Mutex::new(Desk { next: 0, total: None, ledger: Some(ledger), ended: None }),
            turns: (0..jobs.get()).map(|_| Condvar::new()).collect(),
            closed: Condvar::new(),
        });
        if jobs.get() > 1 {
            shop.labour(self.chunk, Some(self.alone));
        }
        let over = hold(&shop.desk).ended.is_some();
        let hired = (0..jobs.get()).take_while(|_| jobs.get() > 1 && !over && shop.hire(self.chunk)).count();
        if !over && hired == 0 {
            shop.labour(self.chunk, None);
        }
        let mut desk = hold(&shop.desk);
        loop {
            match (desk.ended.take(), desk.ledger.take()) {
                (Some(ended), Some(ledger)) => return (ledger, ended),
                (ended, ledger) => (desk.ended, desk.ledger) = (ended, ledger),
            }
            desk = wait(&shop.closed, desk);
        }
    }
}

/// Where the crew works.
struct Shop<W: Work, L> {
    feed: Feed<W>,
    work: W,
    desk: Mutex<Desk<L>>,
    /// One for each thread: tickets that are out at the same time differ by less than their number.
    turns: Vec<Condvar>,
    closed: Condvar,
}

/// What is done in order.
struct Desk<L> {
    /// Whose turn it is.
    next: u64,
    /// How many turns there are, once that is known.
    total: Option<u64>,
    /// Until it is given back.
    ledger: Option<L>,
    /// Whether all is done, and how it ended.
    ended: Option<io::Result<()>>,
}

impl<W: Work, L: Ledger<W>> Shop<W, L> {
    /// One more thread, if there can be one.
    fn hire(self: &Arc<Self>, chunk: usize) -> bool {
        let shop = Arc::clone(self);
        let hired = thread::Builder::new().spawn(move || {
            let watch = Watch(&shop);
            shop.labour(chunk, None);
            drop(watch);
        });
        hired.is_ok()
    }

    /// Works until there is no more to do, or only on so many bytes.
    fn labour(self: &Arc<Self>, chunk: usize, alone: Option<u64>) {
        let (mut window, mut done) = (Window::new(chunk), W::Done::default());
        let mut left = alone;
        while left != Some(0) {
            match self.feed.claim(&mut window, &self.work) {
                Next::Ticket(ticket, mut claim) => {
                    claim.fetch(&mut window);
                    let fresh = window.fresh();
                    if let Claim::Chunk { input, read: Ok(()), .. } = &claim
                        && !input.is_over()
                    {
                        self.work.work(input, &window, &mut done);
                    }
                    if !self.deliver(chunk, ticket, claim, &window, &mut done) {
                        return;
                    }
                    left = left.map(|left| left.saturating_sub(fresh.max(TROUBLE)));
                }
                Next::End(total) => {
                    let mut desk = hold(&self.desk);
                    desk.total = Some(total);
                    if desk.next == total {
                        self.close(&mut desk, Ok(()));
                    }
                    return;
                }
                Next::Relieved => return,
            }
        }
    }

    /// Waits for the turn of a ticket and enters it; false if there is no more to be done.
    fn deliver(
        self: &Arc<Self>,
        chunk: usize,
        ticket: u64,
        claim: Claim<W::Context>,
        window: &Window,
        done: &mut W::Done,
    ) -> bool {
        let mut desk = hold(&self.desk);
        while desk.next != ticket && desk.ended.is_none() {
            desk = wait(self.turn(ticket), desk);
        }
        let Desk { ledger: Some(ledger), ended: None, .. } = &mut *desk else { return false };
        let entered = self.enter(chunk, ledger, claim, window, done);
        desk.next += 1;
        if entered.is_err() || desk.total == Some(desk.next) {
            self.close(&mut desk, entered);
            return false;
        }
        self.turn(desk.next).notify_one();
        true
    }

    fn turn(&self, ticket: u64) -> &Condvar {
        &self.turns[(ticket % self.turns.len() as u64) as usize]
    }

    /// Enters what came of a claim.
    fn enter(
        self: &Arc<Self>,
        chunk: usize,
        ledger: &mut L,
        claim: Claim<W::Context>,
        window: &Window,
        done: &mut W::Done,
    ) -> io::Result<()> {
        let (input, first, read) = match claim {
            Claim::Refused(refusal) => return ledger.refused(refusal),
            Claim::Chunk { input, .. } if input.is_over() => return Ok(()),
            Claim::Chunk { input, first, read, .. } => (input, first, read),
        };
        let mut then = if first { ledger.begin(&input)? } else { Then::GoOn };
        let mut broken = None;
        if then == Then::GoOn {
            match read {
                Ok(()) => then = ledger.chunk(&input, window, done)?,
                Err(why) => broken = Some(why),
            }
        }
        if then == Then::Stop || broken.is_some() || window.is_last() {
            ledger.end(&input, broken)?;
            if self.feed.leave(&input) {
                // Whoever is here goes on in any case; this is for as much speed as before.
                self.hire(chunk);
            }
        }
        Ok(())
    }

    /// That was all.
    fn close(&self, desk: &mut Desk<L>, ended: io::Result<()>) {
        if desk.ended.is_none() {
            desk.ended = Some(ended);
        }
        self.closed.notify_all();
        self.turns.iter().for_each(Condvar::notify_all);
    }
}

/// Sees to it that nobody waits for a thread that has come to grief.
struct Watch<'a, W: Work, L: Ledger<W>>(&'a Shop<W, L>);

impl<W: Work, L: Ledger<W>> Drop for Watch<'_, W, L> {
    fn drop(&mut self) {
        if thread::panicking() {
            let failed = io::Error::other("a thread has come to grief");
            self.0.close(&mut hold(&self.0.desk), Err(failed));
        }
    }
}

/// The lock, whatever became of those who had it before: [`Watch`] has told.
pub(crate) fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for news.
pub(crate) fn wait<'a, T>(news: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    news.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
