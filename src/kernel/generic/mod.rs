//! The generic algorithms: one for each operation, over any [`Vector`](super::vector::Vector).
//!
//! Each is an [`Operation`](super::vector::Operation), and everything in here is
//! `#[inline(always)]`: it has no features of its own and takes those of the root that it becomes
//! part of. What must not be inlined, such as the loops of the modes, is an operation by itself
//! and goes through `V::enter` again.

mod ascii;
mod utf8;

use super::Progress;
use super::convert::Plain;
use super::vector::{Operation, Vector};

pub(super) use ascii::AsciiPrefix;
pub(super) use utf8::Utf8ValidPrefix;

/// Bytes of a chunk of the bulk loops: the same for all, so that an algorithm reads the same.
const STEP: usize = 256;

/// Bytes of a block: a cache line, and a multiple of every vector.
const BLOCK: usize = 64;

/// A plain loop as an operation: it needs the instruction set, not its vectors.
pub(super) struct PlainLoop<P>(pub P);

impl<P: Plain> Operation for PlainLoop<P> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.run() }
    }
}
