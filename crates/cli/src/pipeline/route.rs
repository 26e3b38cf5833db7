//! From which encoding to which, and who takes what comes out: what conversion and repair share.

use std::io;

use runecast::Scheme;

/// From one encoding to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// What the input is.
    pub(crate) from: Scheme,
    /// What the output is to be.
    pub(crate) to: Scheme,
    /// So many bytes at the beginning are a byte order mark that is to be left out.
    pub(crate) skip: usize,
    /// Whether the output begins with a byte order mark, besides what comes from the input.
    pub(crate) mark: bool,
}

impl Route {
    /// The mark that is left out of what is read.
    pub(crate) fn skipped(&self) -> &'static [u8] {
        &self.from.mark()[..self.skip]
    }

    /// The mark that is to be written.
    pub(crate) fn mark(&self) -> &'static [u8] {
        if self.mark { self.to.mark() } else { b"" }
    }
}

/// Finds the route for an input by its beginning.
pub(crate) type FindRoute = Box<dyn Fn(&[u8]) -> Route + Send + Sync>;

/// Takes the text that comes out.
pub(crate) trait TextOutput {
    /// The next piece, of whole characters, and the piece of the input that it came of.
    fn write(&mut self, text: &[u8], original: &[u8]) -> io::Result<()>;
    /// So many more bytes have been read, and what they were converted to was written.
    fn advance(&mut self, bytes: u64) -> io::Result<()>;
}
