//! Who does an operation, and how: the kernels, std, simdutf8, and the machine itself.
//!
//! Every operation reads bytes, and most write bytes; so all of them have one signature ([`Work`]), a function from a
//! source and a room to a number. The number is that of the bytes written, or the answer.

use runecast::Engine;

/// From a source, with room to write: bytes written, or an answer.
pub(super) type Work = fn(&[u8], &mut [u8]) -> usize;

/// What std does it with.
#[derive(Clone, Copy)]
pub(super) enum Std {
    /// Bytes, which it checks like everyone else.
    Bytes(Work),
    /// A string, where the others trust their bytes: it was checked before the clock runs.
    Text(fn(&str) -> usize),
}

/// What is read: bytes, and the same as text if they are UTF-8.
#[derive(Clone, Copy)]
pub(super) struct SourceText<'a> {
    /// The bytes.
    pub(super) bytes: &'a [u8],
    /// The text; empty if they are not UTF-8.
    pub(super) text: &'a str,
}

impl<'a> SourceText<'a> {
    /// These bytes.
    pub(super) fn new(bytes: &'a [u8]) -> SourceText<'a> {
        SourceText { bytes, text: std::str::from_utf8(bytes).unwrap_or_default() }
    }
}

/// Who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rival {
    /// The kernels of one instruction set.
    Kernel(Engine),
    /// The standard library.
    Std,
    /// The crate of this name.
    Simdutf8,
    /// The machine: all bytes of the source are summed up, eight at a time.
    Read,
    /// The machine: all bytes of the source are copied.
    Copy,
}

impl Rival {
    /// What to call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Rival::Kernel(engine) => engine.isa().name(),
            Rival::Std => "std",
            Rival::Simdutf8 => "simdutf8",
            Rival::Read => "read",
            Rival::Copy => "copy",
        }
    }

    /// What kind of rival it is, for programs.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Rival::Kernel(_) => "kernel",
            Rival::Std | Rival::Simdutf8 => "peer",
            Rival::Read | Rival::Copy => "machine",
        }
    }
}

/// What stands for the bytes written if something went wrong: no two rivals agree on that by chance.
pub(super) const FAILED: usize = usize::MAX;
