//! One call of a kernel, whatever the pair.
//!
//! UTF-8 to itself is validated and copied. For every other pair slices become the memory of a
//! kernel in `sink::convert`, and `kernel::pairs` chooses which.

use crate::encoding::{Encoding, Layout};
use crate::kernel::Engine;
use crate::sink::{self, Sink};

/// Moves what the pair's kernel can move: returns the units read.
#[inline]
pub(super) fn run<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    sink: &mut Sink<'_, D::Unit>,
) -> usize {
    match (S::LAYOUT, D::LAYOUT) {
        (Layout::Utf8, Layout::Utf8) => {
            let src = &src[..src.len().min(sink.spare().len())];
            // A character cut off by the end of the output is not in the prefix.
            let len = engine.utf8_valid_prefix(bytemuck::cast_slice(src));
            sink.push(bytemuck::cast_slice(&src[..len]));
            len
        }
        _ => sink::convert::<S, D>(engine, src, sink),
    }
}

/// Whether `src`, in order, has the same bytes in `S` and in `D`.
#[cfg(feature = "alloc")]
pub(super) fn is_unchanged<S: Encoding, D: Encoding>(engine: Engine, src: &[S::Unit]) -> bool {
    let is_bytes = |layout| matches!(layout, Layout::Ascii | Layout::Latin1 | Layout::Utf8);
    if S::LAYOUT == D::LAYOUT {
        engine.validate::<S>(src).is_ok()
    } else if is_bytes(S::LAYOUT) && is_bytes(D::LAYOUT) {
        engine.ascii_prefix(bytemuck::cast_slice(src)) == src.len()
    } else {
        false
    }
}
