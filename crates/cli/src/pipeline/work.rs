//! What a command gives to the workers: its work on one chunk, and its output in order.
//!
//! A command is cut in two. [`Work`] is what can be done with a chunk without knowing the others: to validate
//! it, convert it, count it. [`OrderedOutput`] is what has to be done in order: to write what came out, report what
//! was found, add up. The first is shared by all threads; the second is used by one thread at a time.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::io::source::Refusal;
use crate::pipeline::opened::Opened;
use crate::pipeline::window::{Rule, Window};

/// What can be done with a chunk by itself.
pub(crate) trait Work: Send + Sync + 'static {
    /// What is known of an input before any work.
    type Context: Send + Sync + 'static;
    /// The result for a chunk; its memory is used again for the next one.
    type Done: Default + Send + 'static;
    /// Whether more of an input has to be looked at first than `head`. Whoever writes to a stream may wait for an answer.
    fn wants_more(&self, head: &[u8]) -> bool;
    /// Finds out about an input that begins with `head`.
    fn examine(&self, head: &[u8]) -> (Self::Context, Rule);
    /// Works on the chunk in the window.
    fn process(&self, input: &Opened<Self::Context>, window: &Window, done: &mut Self::Done);
}

/// What has to be done in order. An error is one of standard output, and ends everything; `Break` says that no
/// more of this input is wanted.
pub(crate) trait OrderedOutput<W: Work>: Send + 'static {
    /// An input that cannot be read.
    fn refused(&mut self, refusal: Refusal) -> io::Result<()>;
    /// The next input.
    fn begin(&mut self, input: &Arc<Opened<W::Context>>) -> io::Result<ControlFlow<()>>;
    /// The next chunk of it.
    fn chunk(
        &mut self,
        input: &Opened<W::Context>,
        window: &Window,
        done: &mut W::Done,
    ) -> io::Result<ControlFlow<()>>;
    /// No more of it: its end was reached, or no more was wanted; or it could not be read further.
    fn end(&mut self, input: &Opened<W::Context>, broken: Option<io::Error>) -> io::Result<()>;
}

/// Why a chunk could not be dealt with, on which side of the pipeline.
#[derive(Debug)]
pub(crate) enum ChunkError {
    /// The input cannot be read (any further).
    Input(io::Error),
    /// The output cannot be written.
    Output(io::Error),
}
