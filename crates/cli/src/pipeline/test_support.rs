//! What the tests of the pipeline share: one input through the workers, in chunks of any size.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::num::NonZeroUsize;

use runecast_corpus::Random;

use crate::io::name::Name;
use crate::io::source::{Input, Source};
use crate::pipeline::route::TextOutput;
use crate::pipeline::work::{OrderedOutput, Work};
use crate::pipeline::workers::Workers;

/// Passes one input through the workers, in chunks of so many bytes, with so many threads, and gives the output back.
pub(crate) fn run<W: Work, O: OrderedOutput<W>>(
    input: Input,
    (chunk, jobs): (usize, usize),
    work: W,
    output: O,
) -> O {
    let source = Source { name: Name::Inline("test"), size: None, root: None };
    let mut input = Some(input);
    let open = move |_: &Source| Ok(Some(input.take().expect("it is opened once")));
    let jobs = NonZeroUsize::new(jobs).expect("at least one thread");
    let workers = Workers { jobs: Some(jobs), chunk, alone: 0, one_by_one: false };
    let inputs = Box::new(std::iter::once(Ok(source)));
    let (output, ended) = workers.run(inputs, Box::new(open), work, output);
    ended.expect("nothing is written to standard output");
    output
}

/// Collects what is written.
#[derive(Default)]
pub(crate) struct Collected {
    /// All of it.
    pub(crate) text: Vec<u8>,
    /// How many bytes were read for it.
    pub(crate) read: u64,
}

impl TextOutput for Collected {
    fn write(&mut self, text: &[u8], _: Option<&[u8]>) -> io::Result<()> {
        self.text.extend_from_slice(text);
        Ok(())
    }

    fn advance(&mut self, bytes: u64) -> io::Result<()> {
        self.read += bytes;
        Ok(())
    }
}

/// These bytes as a stream.
pub(crate) fn stream(bytes: &[u8]) -> Input {
    Input::Stream(Box::new(io::Cursor::new(bytes.to_vec())))
}

/// These bytes as a stream of which each read gives from one to `most` bytes.
pub(crate) fn short_reads(bytes: &[u8], most: usize, seed: u64) -> Input {
    Input::Stream(Box::new(ShortReads {
        bytes: io::Cursor::new(bytes.to_vec()),
        random: Random::new(seed),
        most,
    }))
}

/// A file with these bytes, which may be opened as often as needed.
pub(crate) struct TestFile(File);

impl TestFile {
    /// With these bytes.
    pub(crate) fn new(bytes: &[u8]) -> TestFile {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(bytes).expect("room for it");
        TestFile(file)
    }

    /// Opens it.
    pub(crate) fn open(&self) -> Input {
        Input::Seekable(self.0.try_clone().expect("a second handle"))
    }
}

struct ShortReads {
    bytes: io::Cursor<Vec<u8>>,
    random: Random,
    most: usize,
}

impl Read for ShortReads {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = (1 + self.random.below(self.most)).min(buffer.len());
        self.bytes.read(&mut buffer[..most])
    }
}
