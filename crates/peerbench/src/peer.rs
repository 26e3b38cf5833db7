//! A peer: somebody's function for an operation, and which columns it competes in.
//!
//! Whatever the operation, a peer is a function from bytes to a number; the number is what all
//! peers must agree on (1 for "valid", an offset, a count), and it is compared before anything is
//! timed. The loop around the function is compiled together with it, so that a peer whose entry
//! is inlined gains what its users gain.
//!
//! A peer that converts also writes: [`Peer::writing`] gives it an output, and what it writes is
//! compared once, too.
//!
//! runecast appears once per ISA, always through its plain functions, with the choice of the
//! process narrowed beforehand: dispatch is measured, as it is paid by everyone.

mod writing;

use std::cell::Cell;
use std::hint::black_box;

use runecast::{Engine, Isa};

use crate::simdutf_by_name::Simdutf;
use runecast_clock::Lane;

pub use writing::Output;

/// What an operation is run on.
#[derive(Debug)]
pub enum Input {
    /// One text.
    Whole(Buffer),
    /// Many short strings in one buffer, each to be handed over by itself.
    Packed(Buffer, Vec<(usize, usize)>),
}

impl Input {
    /// The bytes that one pass goes over.
    pub fn bytes(&self) -> usize {
        match self {
            Input::Whole(buffer) => buffer.bytes().len(),
            Input::Packed(_, spans) => spans.iter().map(|span| span.1 - span.0).sum(),
        }
    }

    /// The calls that one pass makes.
    pub fn calls(&self) -> usize {
        match self {
            Input::Whole(_) => 1,
            Input::Packed(_, spans) => spans.len(),
        }
    }

    /// The pieces that one pass hands over.
    fn pieces(&self) -> Vec<&[u8]> {
        match self {
            Input::Whole(buffer) => vec![buffer.bytes()],
            Input::Packed(buffer, spans) => {
                spans.iter().map(|&(from, to)| &buffer.bytes()[from..to]).collect()
            }
        }
    }
}

/// Bytes at an alignment that no one can mistake for luck.
#[derive(Debug)]
pub struct Buffer {
    memory: Vec<u8>,
    from: usize,
}

impl Buffer {
    /// A copy of `bytes` that begins `align` bytes after a multiple of 4096.
    pub fn new(bytes: &[u8], align: usize) -> Buffer {
        let mut memory: Vec<u8> = Vec::with_capacity(bytes.len() + 2 * 4096);
        let misfit = memory.as_ptr().addr() % 4096;
        let from = (4096 - misfit) % 4096 + align % 4096;
        memory.resize(from, 0);
        memory.extend_from_slice(bytes);
        Buffer { memory, from }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.memory[self.from..]
    }

    /// The bytes, to change them before anything is measured.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.from..]
    }
}

/// The loop around a peer's function: so many passes over the pieces; the sum of a pass.
type Passes = Box<dyn Fn(&[&[u8]], u32) -> usize>;

/// One pass over the pieces: all that the peer's function wrote, as bytes.
type Dictation = Box<dyn Fn(&[&[u8]]) -> Vec<u8>>;

/// A column of a table.
pub struct Peer {
    /// The name, `name` or `name isa`.
    pub name: String,
    /// The ISA, if this is runecast.
    pub ours: Option<Isa>,
    /// Whether it only reads, and competes with nobody.
    pub only_reads: bool,
    /// The ISAs among whose kernels this belongs.
    level: Level,
    passes: Passes,
    /// For a peer that writes.
    dictation: Option<Dictation>,
}

/// Against which of our ISAs a peer competes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// All: it is the only one of its kind, whatever the CPU.
    Every,
    /// Only this one.
    Only(Isa),
    /// The best of this CPU, down to the given one: it has nothing better.
    AtLeast(Isa),
}

impl Peer {
    /// A peer with the function `work`.
    pub fn new(name: impl Into<String>, level: Level, work: impl Fn(&[u8]) -> usize + 'static) -> Peer {
        let passes = move |pieces: &[&[u8]], times: u32| {
            let mut sum = 0;
            for _ in 0..times {
                sum = 0;
                for &piece in black_box(pieces) {
                    sum += black_box(work(piece));
                }
            }
            sum
        };
        Peer {
            name: name.into(),
            ours: None,
            only_reads: false,
            level,
            passes: Box::new(passes),
            dictation: None,
        }
    }

    /// What only reads, with the function `work`.
    pub fn reading(name: &str, level: Level, work: impl Fn(&[u8]) -> usize + 'static) -> Peer {
        Peer { only_reads: true, ..Peer::new(name, level, work) }
    }

    /// runecast with the plain function `work`, once for each ISA of this CPU.
    pub fn ours(work: impl Fn(&[u8]) -> usize + Copy + 'static) -> impl Iterator<Item = Peer> {
        Engine::available().map(move |engine| {
            let isa = engine.isa();
            Peer { ours: Some(isa), ..Peer::new(isa.name(), Level::Only(isa), work) }
        })
    }

    /// simdutf with the function `work`: as it chooses itself, and forced to AVX2 and to SSE4.2.
    pub fn simdutf(work: impl Fn(Simdutf, &[u8]) -> usize + Copy + 'static) -> Vec<Peer> {
        let column = |(name, level, simdutf)| Peer::new(name, level, move |text| work(simdutf, text));
        Peer::simdutfs().into_iter().map(column).collect()
    }

    /// The implementations of simdutf that are a column each: name, level and which it is.
    pub fn simdutfs() -> Vec<(String, Level, Simdutf)> {
        let active = Simdutf::active();
        let level = match active.name().as_str() {
            "icelake" => Level::AtLeast(Isa::Avx512),
            "haswell" => Level::AtLeast(Isa::Avx2),
            "westmere" => Level::AtLeast(Isa::Sse42),
            _ => Level::Every,
        };
        let mut all = vec![("simdutf".to_owned(), level, active)];
        for (name, isa) in [(c"haswell", Isa::Avx2), (c"westmere", Isa::Sse42)] {
            if let Some(forced) = Simdutf::find(name)
                && forced.name() != active.name()
            {
                all.push((format!("simdutf {isa}"), Level::Only(isa), forced));
            }
        }
        all
    }

    /// Whether this is somebody else who does the work.
    pub fn competes_with_us(&self) -> bool {
        self.ours.is_none() && !self.only_reads
    }

    /// Whether this is a column when the table is narrowed to `isas`; with none, it is.
    pub fn competes(&self, isas: &[Isa]) -> bool {
        isas.is_empty()
            || isas.iter().any(|&isa| match self.level {
                Level::Every => true,
                Level::Only(only) => isa == only,
                // `Isa` lists the best first.
                Level::AtLeast(least) => rank(isa) <= rank(least),
            })
    }

    /// What the peer says of `input`, summed over its pieces.
    pub fn verdict(&self, input: &Input) -> usize {
        let pieces = input.pieces();
        self.prepare();
        (self.passes)(&pieces, 1)
    }

    /// All that the peer writes for `input`, as bytes, if it writes at all.
    pub fn writes(&self, input: &Input) -> Option<Vec<u8>> {
        self.prepare();
        self.dictation.as_ref().map(|dictation| dictation(&input.pieces()))
    }

    /// The peer at work on `input`.
    pub fn at<'a>(&'a self, input: &'a Input) -> impl Lane + 'a {
        AtWork { peer: self, pieces: input.pieces(), result: Cell::new(0) }
    }

    fn prepare(&self) {
        if let Some(isa) = self.ours {
            // The ISA came from `Engine::available`: this cannot fail, and if it did, the
            // verdict would still be right.
            let _ = Engine::narrow(isa);
        }
    }
}

/// The place of an ISA in the list of all, the best first.
fn rank(isa: Isa) -> usize {
    Isa::ALL.iter().position(|&other| other == isa).unwrap_or(Isa::ALL.len())
}

struct AtWork<'a> {
    peer: &'a Peer,
    pieces: Vec<&'a [u8]>,
    result: Cell<usize>,
}

impl Lane for AtWork<'_> {
    fn prepare(&self) {
        self.peer.prepare();
    }

    fn run(&self, times: u32) {
        self.result.set((self.peer.passes)(&self.pieces, times));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_stands_where_it_was_put() {
        for align in [0, 1, 17, 63, 4095] {
            let buffer = Buffer::new(b"rune", align);
            assert_eq!(buffer.bytes(), b"rune");
            assert_eq!(buffer.bytes().as_ptr().addr() % 4096, align);
        }
    }

    #[test]
    fn levels() {
        let peer = |level| Peer::new("x", level, |text| text.len());
        assert!(peer(Level::Every).competes(&[Isa::Scalar]));
        assert!(peer(Level::Only(Isa::Avx2)).competes(&[Isa::Scalar, Isa::Avx2]));
        assert!(!peer(Level::Only(Isa::Avx2)).competes(&[Isa::Avx512]));
        assert!(peer(Level::AtLeast(Isa::Avx2)).competes(&[Isa::Avx512]));
        assert!(!peer(Level::AtLeast(Isa::Avx2)).competes(&[Isa::Sse42]));
        assert!(peer(Level::Only(Isa::Avx2)).competes(&[]));
    }
}
