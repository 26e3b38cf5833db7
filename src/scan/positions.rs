//! Offsets of the bytes of a set, as a list.
//!
//! The kernel writes the offsets of a line only if 64 of them would fit, so that it need not count before it stores. The last ones
//! of a slice, and those that a `u32` may not hold, are written one by one.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::{ByteSet, wanted};
use crate::blocks::{Blocks, Rows};
use crate::kernel::dispatch::scan::{Offset, positions as of_masks};
use crate::kernel::{Engine, LINE, MOST_LINES};
use crate::unicode::IllFormed;

/// An offset in a list: `u32` or `usize`.
pub trait Position: Offset + Default {
    /// The greatest offset.
    #[doc(hidden)]
    const MOST: usize;
}

impl Position for u32 {
    const MOST: usize = u32::MAX as usize;
}

impl Position for usize {
    const MOST: usize = usize::MAX;
}

/// How far [`positions`] came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Found {
    /// Bytes of the text that were searched, and are well-formed, up to a character boundary: all of them; or those before the
    /// ill-formed sequence; or those before the first byte of the set whose offset there was no room for.
    pub read: usize,
    /// Offsets that were written.
    pub written: usize,
    /// The first ill-formed sequence, if it comes before the text, or the room for offsets, is at its end.
    pub error: Option<IllFormed>,
}

/// Validates `src`, and writes the offsets of all bytes of `set` to `out`, in ascending order.
///
/// It stops at the first ill-formed sequence, whose whole [`IllFormed`] is in [`Found::error`]; and where `out` is full, or an offset
/// does not fit into a `u32`. In either case [`Found::read`] says how far it came, and the search can go on from there. Elements of
/// `out` behind those that were written have unspecified values.
///
/// ```
/// use runecast::scan::{ByteSet, positions};
///
/// let mut commas = [0_u32; 8];
/// let found = positions("α,β,γ".as_bytes(), ByteSet::new(b",").unwrap(), &mut commas);
/// assert_eq!(commas[..found.written], [2, 5]);
/// assert_eq!((found.read, found.error), (8, None));
/// ```
#[inline]
pub fn positions<P: Position>(src: &[u8], set: ByteSet, out: &mut [P]) -> Found {
    positions_on(Engine::current(), src, set, out)
}

/// [`positions`], with the kernels of this engine.
pub(crate) fn positions_on<P: Position>(engine: Engine, src: &[u8], set: ByteSet, out: &mut [P]) -> Found {
    let mut rows = Rows::new(src.len());
    let masks = rows.all();
    let mut blocks = Blocks::new(engine, src, wanted(&[set]), 0);
    let (mut error, mut written) = (None, 0);
    while let Some(block) = blocks.next(masks, |found| {
        error = Some(found);
        false
    }) {
        let masks = &masks[..block.lines];
        let (more, end) = list(engine, masks, block.at, &mut out[written..]);
        written += more;
        if let Some(read) = end {
            return Found { read, written, error: None };
        }
    }
    Found { read: blocks.well_formed().end, written, error }
}

/// As [`positions`], but appends the offsets to a vector. It is always at the end of `src` or at an error, unless an offset
/// does not fit into a `u32`.
///
/// ```
/// use runecast::scan::{ByteSet, positions_append};
///
/// let mut ends = Vec::<usize>::new();
/// let found = positions_append(b"a\nb\n\xFF\n", ByteSet::LINE_FEED, &mut ends);
/// assert_eq!(ends, [1, 3]);
/// assert_eq!(found.error.map(|error| error.at), Some(4));
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn positions_append<P: Position>(src: &[u8], set: ByteSet, out: &mut Vec<P>) -> Found {
    positions_append_on(Engine::current(), src, set, out)
}

/// [`positions_append`], with the kernels of this engine.
#[cfg(feature = "alloc")]
pub(crate) fn positions_append_on<P: Position>(
    engine: Engine,
    src: &[u8],
    set: ByteSet,
    out: &mut Vec<P>,
) -> Found {
    let mut rows = Rows::new(src.len());
    let masks = rows.all();
    let mut blocks = Blocks::new(engine, src, wanted(&[set]), 0);
    let (mut error, before) = (None, out.len());
    let mut written = before;
    while let Some(block) = blocks.next(masks, |found| {
        error = Some(found);
        false
    }) {
        let (mut line, mut end) = (0, None);
        while line < block.lines && end.is_none() {
            let at = block.at + line * LINE;
            let few = at < P::MOST - LINE * MOST_LINES;
            // As many as are usual, and a line more, or all there can be. What is left over is for the next block.
            let room = written + if few { LINE + 4 * block.lines } else { LINE * block.lines };
            if out.len() < room {
                out.resize(room, P::default());
            }
            let masks = &masks[line..block.lines];
            let (read, more);
            if few {
                let done = of_masks(engine, masks, at, &mut out[written..]);
                (read, more) = (done.read, done.written);
            } else {
                read = masks.len();
                (more, end) = list(engine, masks, at, &mut out[written..]);
            }
            (line, written) = (line + read, written + more);
        }
        if let Some(read) = end {
            out.truncate(written);
            return Found { read, written: written - before, error: None };
        }
    }
    out.truncate(written);
    Found { read: blocks.well_formed().end, written: written - before, error }
}

/// Lists the offsets of the bits of these masks: how many were written, and the first one for which there was no room.
#[inline]
fn list<P: Position>(engine: Engine, masks: &[[u64; 1]], at: usize, out: &mut [P]) -> (usize, Option<usize>) {
    // With this many lines an offset may be too great.
    let by_kernel = if at < P::MOST - LINE * MOST_LINES { masks } else { &[] };
    let done = of_masks(engine, by_kernel, at, out);
    let mut written = done.written;
    for (line, [mask]) in masks.iter().enumerate().skip(done.read) {
        let mut mask = *mask;
        while mask != 0 {
            let position = at + line * LINE + mask.trailing_zeros() as usize;
            match out.get_mut(written) {
                Some(place) if position <= P::MOST => *place = P::of(position),
                _ => return (written, Some(position)),
            }
            mask &= mask - 1;
            written += 1;
        }
    }
    (written, None)
}
