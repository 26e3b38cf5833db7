//! Lengths: how many characters a text has, how many code units it would have elsewhere.
//!
//! For ill-formed text these count up to the first error, where a conversion would stop too.

use crate::encoding::{Encoding, Layout};
use crate::kernel::Engine;
use crate::sink;

/// The number of scalar values in `src`, up to the first ill-formed sequence.
///
/// ```
/// assert_eq!(runecast::count::<runecast::Utf8>("ᚱúna".as_bytes()), 4);
/// ```
#[must_use]
pub fn count<E: Encoding>(src: &[E::Unit]) -> usize {
    let engine = Engine::current();
    let (mut at, mut count) = (0, 0);
    while at < src.len() {
        let scanned = sink::scan::<E>(engine, &src[at..]);
        at += scanned.read;
        count += scanned.written;
        // The kernel stops before an error, and a little before the end.
        let Some(Ok((_, len))) = src.get(at..).filter(|rest| !rest.is_empty()).map(E::decode) else {
            break;
        };
        at += len;
        count += 1;
    }
    count
}

/// The number of code units that [`transcode`](crate::transcode()) writes for `src`: exact, up to
/// the first ill-formed sequence or the first character that `D` has no form for.
///
/// ```
/// use runecast::{Utf8, Utf16, transcoded_len};
///
/// assert_eq!(transcoded_len::<Utf8, Utf16>("a🪨".as_bytes()), 3);
/// ```
#[must_use]
pub fn transcoded_len<S: Encoding, D: Encoding>(src: &[S::Unit]) -> usize {
    characters::<S>(src).map_while(D::encode).map(|units| units.as_slice().len()).sum()
}

/// An upper bound of the units of `D` for any well-formed text of so many units of `S`; saturating.
///
/// ```
/// use runecast::{Utf8, Utf16, max_transcoded_len};
///
/// assert_eq!(max_transcoded_len::<Utf16, Utf8>(10), 30);
/// ```
#[must_use]
pub fn max_transcoded_len<S: Encoding, D: Encoding>(units: usize) -> usize {
    // Units of the form, and what they are worth at most in units of the other form.
    let forms = units / (S::LAYOUT.unit() / size_of::<S::Unit>());
    let worst = match (S::LAYOUT, D::LAYOUT) {
        (Layout::Latin1, Layout::Utf8) => 2,
        (Layout::Utf16(_), Layout::Utf8) => 3,
        (Layout::Utf32(_), Layout::Utf8) => 4,
        (Layout::Utf32(_), Layout::Utf16(_)) => 2,
        _ => 1,
    };
    forms.saturating_mul(worst * (D::LAYOUT.unit() / size_of::<D::Unit>()))
}

/// A length that is enough for most text, or all of it: what to allocate first.
#[cfg(feature = "alloc")]
pub(super) fn guess<S: Encoding, D: Encoding>(src: &[S::Unit]) -> usize {
    max_transcoded_len::<S, D>(src.len())
}

fn characters<E: Encoding>(src: &[E::Unit]) -> impl Iterator<Item = u32> + '_ {
    let mut rest = src;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (scalar, len) = E::decode(rest).ok()?;
        rest = &rest[len..];
        Some(scalar)
    })
}
