//! One call of a kernel, whatever the pair.
//!
//! UTF-8 to itself is validated and copied, and so is what it has in common with its relatives: they leave
//! surrogates to the machine. For every other pair slices become the memory of a
//! kernel in `sink::convert`, and `kernel::pairs` chooses which.

use crate::encoding::{Encoding, Kin};
#[cfg(feature = "alloc")]
use crate::encoding::{Layout, Order};
use crate::kernel::Engine;
use crate::sink::{self, Sink};

/// Moves what the pair's kernel can move: returns the units read.
#[inline]
pub(crate) fn run<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    sink: &mut Sink<'_, D::Unit>,
) -> usize {
    match (S::LAYOUT.kin(), D::LAYOUT.kin()) {
        (Kin::Eight, Kin::Eight) => {
            let src = &src[..src.len().min(sink.spare().len())];
            // A character cut off by the end of the output is not in the prefix.
            let len = engine.utf8_valid_prefix(bytemuck::cast_slice(src));
            sink.push(bytemuck::cast_slice(&src[..len]));
            len
        }
        (Kin::Corrected, Kin::Corrected) => {
            let src = &src[..src.len().min(sink.spare().len())];
            let len = engine.corrected_valid_prefix(bytemuck::cast_slice(src));
            sink.push(bytemuck::cast_slice(&src[..len]));
            len
        }
        _ => sink::convert::<S, D>(engine, src, sink),
    }
}

/// Whether `src` is in order in `S`, and has the same bytes in `D`.
#[cfg(feature = "alloc")]
pub(crate) fn is_unchanged<S: Encoding, D: Encoding>(engine: Engine, src: &[S::Unit]) -> bool {
    if S::LAYOUT == D::LAYOUT {
        return engine.validate::<S>(src).is_ok();
    }
    let bytes = || bytemuck::cast_slice::<S::Unit, u8>(src);
    match (S::LAYOUT.kin(), D::LAYOUT.kin()) {
        (Kin::Sixteen, Kin::Sixteen) => match (S::LAYOUT, D::LAYOUT) {
            (Layout::Utf16(from) | Layout::Wtf16(from), Layout::Utf16(to) | Layout::Wtf16(to)) => {
                from == to && is_utf16::<S>(engine, src, from)
            }
            _ => false,
        },
        (Kin::Sixteen | Kin::ThirtyTwo, _) | (_, Kin::Sixteen | Kin::ThirtyTwo) => false,
        (Kin::Single | Kin::Corrected, _) | (_, Kin::Single | Kin::Corrected) => {
            let nul = S::LAYOUT.hides_nul() || D::LAYOUT.hides_nul();
            engine.ascii_prefix(bytes()) == src.len() && !(nul && bytes().contains(&0))
        }
        (Kin::Cesu, _) | (_, Kin::Cesu) if S::LAYOUT == Layout::Utf8 || D::LAYOUT == Layout::Utf8 => {
            engine.is_ordinary(bytes(), S::LAYOUT.hides_nul() || D::LAYOUT.hides_nul())
        }
        // What is in order on both sides means the same on both; but generalized UTF-8 takes apart what is
        // a pair elsewhere.
        (Kin::Cesu, _) if matches!(D::LAYOUT, Layout::GeneralizedUtf8) => {
            engine.validate::<crate::Wtf8>(bytes()).is_ok() && engine.validate::<S>(src).is_ok()
        }
        (_, Kin::Cesu) if matches!(S::LAYOUT, Layout::GeneralizedUtf8) && !D::LAYOUT.pairs_up() => {
            engine.validate::<crate::Wtf8>(bytes()).is_ok()
                && engine.validate::<D>(bytemuck::cast_slice(src)).is_ok()
        }
        _ => engine.validate::<D>(bytemuck::cast_slice(src)).is_ok() && engine.validate::<S>(src).is_ok(),
    }
}

/// Whether `src`, in WTF-16 or UTF-16, is in order in UTF-16.
#[cfg(feature = "alloc")]
fn is_utf16<S: Encoding>(engine: Engine, src: &[S::Unit], order: Order) -> bool {
    match order {
        _ if size_of::<S::Unit>() == 2 => engine.validate::<crate::Utf16>(bytemuck::cast_slice(src)).is_ok(),
        Order::Little => engine.validate::<crate::Utf16Le>(bytemuck::cast_slice(src)).is_ok(),
        Order::Big => engine.validate::<crate::Utf16Be>(bytemuck::cast_slice(src)).is_ok(),
    }
}
