//! One call of a kernel, for any pair of encodings.
//!
//! UTF-8 to itself is validated and copied, and so are conversions within its family: the kernel leaves surrogates to the codec. All
//! other pairs go through `bridge::convert`, which turns slices into the memory of a kernel, and `kernel::dispatch::convert` selects
//! the kernel.

use crate::bridge;
use crate::kernel::dispatch::validate::Start;
use crate::kernel::{Engine, dispatch};
use crate::output::OutputCursor;
use crate::unicode::{Encoding, Family, cast};
#[cfg(feature = "alloc")]
use crate::unicode::{Order, Variant};
#[cfg(feature = "alloc")]
use crate::validate::validate_on;

/// Converts what the kernel of the pair can convert; returns the units read.
#[inline]
pub(crate) fn run<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
) -> usize {
    // Constant conditions, so that only the kernel of this pair is compiled.
    let valid_prefix = if const { is_copied::<S, D>(Family::Utf8) } {
        dispatch::validate::utf8_valid_prefix
    } else if const { is_copied::<S, D>(Family::Corrected) } {
        dispatch::validate::corrected_valid_prefix
    } else {
        return bridge::convert::<S, D>(engine, src, output);
    };
    let src = &src[..src.len().min(output.spare().len())];
    // The prefix does not include a character cut off by the end of the output.
    // Called once more behind each error.
    let len = valid_prefix(engine, cast(src), Start::BehindError);
    output.push(cast(&src[..len]));
    len
}

/// Whether both encodings are of this family, so that text is copied.
const fn is_copied<S: Encoding, D: Encoding>(family: Family) -> bool {
    S::VARIANT.family() as u8 == family as u8 && D::VARIANT.family() as u8 == family as u8
}

/// Whether `src` is well-formed in `S`, and has the same bytes in `D`.
#[cfg(feature = "alloc")]
pub(crate) fn is_unchanged<S: Encoding, D: Encoding>(engine: Engine, src: &[S::Unit]) -> bool {
    if S::VARIANT == D::VARIANT {
        return validate_on::<S>(engine, src).is_ok();
    }
    let bytes = || cast(src);
    match (S::VARIANT.family(), D::VARIANT.family()) {
        (Family::Utf16, Family::Utf16) => match (S::VARIANT, D::VARIANT) {
            (Variant::Utf16(from) | Variant::Wtf16(from), Variant::Utf16(to) | Variant::Wtf16(to)) => {
                from == to && is_utf16::<S>(engine, src, from)
            }
            _ => false,
        },
        (Family::Utf16 | Family::Utf32, _) | (_, Family::Utf16 | Family::Utf32) => false,
        (Family::Ascii | Family::Latin1 | Family::Corrected, _)
        | (_, Family::Ascii | Family::Latin1 | Family::Corrected) => {
            let nul = S::VARIANT.two_byte_nul() || D::VARIANT.two_byte_nul();
            dispatch::validate::ascii_prefix(engine, bytes()) == src.len() && !(nul && bytes().contains(&0))
        }
        (Family::Cesu8, _) | (_, Family::Cesu8)
            if S::VARIANT == Variant::Utf8 || D::VARIANT == Variant::Utf8 =>
        {
            dispatch::is_ordinary(engine, bytes(), S::VARIANT.two_byte_nul() || D::VARIANT.two_byte_nul())
        }
        // Text that is well-formed on both sides is the same text on both; except that a pair elsewhere is two
        // code points in generalized UTF-8.
        (Family::Cesu8, _) if matches!(D::VARIANT, Variant::GeneralizedUtf8) => {
            validate_on::<crate::unicode::Wtf8>(engine, bytes()).is_ok()
                && validate_on::<S>(engine, src).is_ok()
        }
        (_, Family::Cesu8) if matches!(S::VARIANT, Variant::GeneralizedUtf8) && !D::VARIANT.pairs_up() => {
            validate_on::<crate::unicode::Wtf8>(engine, bytes()).is_ok()
                && validate_on::<D>(engine, cast(src)).is_ok()
        }
        _ => validate_on::<D>(engine, cast(src)).is_ok() && validate_on::<S>(engine, src).is_ok(),
    }
}

/// Whether `src`, in WTF-16 or UTF-16, is well-formed in UTF-16.
#[cfg(feature = "alloc")]
fn is_utf16<S: Encoding>(engine: Engine, src: &[S::Unit], order: Order) -> bool {
    match order {
        _ if size_of::<S::Unit>() == 2 => validate_on::<crate::unicode::Utf16>(engine, cast(src)).is_ok(),
        Order::Little => validate_on::<crate::unicode::Utf16Le>(engine, cast(src)).is_ok(),
        Order::Big => validate_on::<crate::unicode::Utf16Be>(engine, cast(src)).is_ok(),
    }
}
