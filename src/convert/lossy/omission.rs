//! UTF-8 without what cannot be converted, by a kernel: what is ill-formed, and the characters that Latin-1 and ASCII do not have.
//!
//! Each of both is left out, or becomes a question mark, as the policy says; the kernel computes that for a block at a time. Policies that
//! have something longer to write go through [`windows`](super::windows), or character by character.

use super::LossyState;
use crate::bridge::{self, Marks};
use crate::convert::{Policy, Replacement};
use crate::kernel::{Engine, Replaced};
use crate::output::OutputCursor;
use crate::unicode::{Encoding, Variant, cast};

/// Whether [`omit`] can convert to `D`.
pub(super) const fn serves<D: Encoding>() -> bool {
    matches!(D::VARIANT, Variant::Utf8 | Variant::Latin1 | Variant::Ascii)
}

/// Where question marks are to stand; `None` if the policy writes something else.
fn marks<D: Encoding>(policy: Policy<'_>) -> Option<Marks> {
    let ill_formed = match policy {
        _ if policy.drops() => false,
        // U+FFFD has no form in the others.
        Policy::With("?") | Policy::Replace(Replacement::Whatwg | Replacement::PerByte)
            if !matches!(D::VARIANT, Variant::Utf8) =>
        {
            true
        }
        _ => return None,
    };
    let each_byte = policy == Policy::Replace(Replacement::PerByte);
    Some(Marks {
        ill_formed,
        each_byte,
        lacking: policy != Policy::Omit && !matches!(D::VARIANT, Variant::Utf8),
    })
}

/// Converts UTF-8 from an error or a character on that `D` has no form for, until there has been none for long; returns whether it read
/// anything.
pub(super) fn omit<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let Some(marks) = marks::<D>(policy) else { return false };
    let rest: &[u8] = cast(&src[state.read..]);
    let step = match D::VARIANT {
        Variant::Ascii => bridge::omit_utf8::<_, 0x7F>(engine, rest, output, marks),
        Variant::Latin1 => bridge::omit_utf8::<_, 0xFF>(engine, rest, output, marks),
        _ => bridge::omit_utf8::<_, 0x10_FFFF>(engine, rest, output, Marks::default()),
    };
    state.note(step);
    step.read > 0
}

impl LossyState {
    /// Records what a kernel has replaced.
    pub(super) fn note(&mut self, step: Replaced) {
        if step.replaced > 0 {
            self.first.get_or_insert(self.read + step.first);
        }
        self.replaced += step.replaced;
        self.read += step.read;
    }
}
