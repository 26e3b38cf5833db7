//! From which encoding to which, and who takes what comes out: what conversion and repair share.

use std::io;

use encoding_rs::Encoding;
use runecast::Scheme;

use crate::pipeline::shifts::has_states;

/// From one encoding to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// What the input is; UTF-8 if it is decoded before.
    pub(crate) from: Scheme,
    /// What the output is to be; UTF-8 if it is encoded behind.
    pub(crate) to: Scheme,
    /// So many bytes at the beginning are a byte order mark that is to be left out.
    pub(crate) skip: usize,
    /// Whether the output begins with a byte order mark, besides what comes from the input.
    pub(crate) mark: bool,
    /// The legacy encoding that the input is decoded from, if it is in one.
    pub(crate) decode: Option<&'static Encoding>,
    /// The legacy encoding that the output is encoded to, if it is to be in one.
    pub(crate) encode: Option<&'static Encoding>,
}

impl Route {
    /// Between these encodings, with nothing left out or added.
    pub(crate) fn between(from: Scheme, to: Scheme) -> Route {
        Route { from, to, skip: 0, mark: false, decode: None, encode: None }
    }

    /// Whether there are characters that the output has no form for.
    pub(crate) fn is_partial(&self) -> bool {
        self.encode.is_some() || matches!(self.to, Scheme::Ascii | Scheme::Latin1 | Scheme::CorrectedUtf8)
    }

    /// Whether what is well-formed is to stay as it is, byte for byte, though it is decoded: a repair to the same encoding. In one with
    /// states a replacement depends on what is before it.
    pub(crate) fn keeps_bytes(&self) -> bool {
        self.decode.is_some() && self.decode == self.encode && !self.is_joined()
    }

    /// Whether what is encoded has to be joined.
    pub(crate) fn is_joined(&self) -> bool {
        self.encode.is_some_and(has_states)
    }

    /// What the input is called.
    pub(crate) fn source_name(&self) -> &'static str {
        self.decode.map_or(self.from.name(), Encoding::name)
    }

    /// What the output is called.
    pub(crate) fn target_name(&self) -> &'static str {
        self.encode.map_or(self.to.name(), Encoding::name)
    }

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

/// Whether more than `head` has to be seen: it may be the beginning of a byte order mark with which the route would be another.
pub(super) fn wants_more(find_route: &FindRoute, head: &[u8]) -> bool {
    let marks = Scheme::ALL.into_iter().map(Scheme::mark);
    let mut longer = marks.filter(|mark| mark.len() > head.len() && mark.starts_with(head));
    longer.any(|mark| find_route(mark) != find_route(head))
}

/// Takes the text that comes out.
pub(crate) trait TextOutput {
    /// The next piece, of whole characters, and the bytes of the input that it came of; none if it is certain that they
    /// are others.
    fn write(&mut self, text: &[u8], original: Option<&[u8]>) -> io::Result<()>;
    /// So many more bytes have been read, and what they were converted to was written.
    fn advance(&mut self, bytes: u64) -> io::Result<()>;
}
